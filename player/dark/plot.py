"""A picture of a long run: exploitability against time. Needs matplotlib."""

import importlib
from collections.abc import Sequence
from pathlib import Path

from player.dark.long_run import RunProgress


def plot(title: str, curve: Sequence[RunProgress], path: Path) -> None:
    """Draw the exploitability at each measurement, both axes by logarithms.

    Raise ValueError when nothing was measured, ImportError without matplotlib,
    OSError when the file cannot be written.
    """
    measured = [
        (each.seconds, each.exploitability)
        for each in curve
        if each.exploitability is not None and each.exploitability > 0
    ]
    if not measured:
        raise ValueError("no exploitability was measured, so there is nothing to draw")
    matplotlib = importlib.import_module("matplotlib")
    figures = importlib.import_module("matplotlib.figure")
    with matplotlib.rc_context({"svg.hashsalt": "hsearch", "svg.fonttype": "none"}):
        figure = figures.Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.subplots()
        axes.loglog(*zip(*measured, strict=True), marker=".", color="black")
        axes.set_xlabel("seconds")
        axes.set_ylabel("exploitability")
        axes.set_title(title)
        axes.grid(alpha=0.3, which="both")
        name = "Software" if path.suffix == ".png" else "Creator"
        date = {"Date": None} if path.suffix == ".svg" else {}
        figure.savefig(path, metadata={name: "hsearch", **date})
