"""The files of `dark solve`: checkpoints of every method, and certificates."""

import io
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
from stored_format import BOMB, Mutate, StoredFormat

from hsearch.hex.board import Board
from player.dark import certificate, regression, solve
from player.dark.long_run import CheckpointError, Stop
from player.dark.rules import Base, DarkRules

RULES = DarkRules(Board(2, 2), Base.ABRUPT)


def _run(method: str, path: Path, iterations: int = 1) -> object:
    options = solve.SolveOptions(
        Stop(iterations), file=path, rcfr=regression.RegressionOptions(power=2.0)
    )
    return solve.solve(RULES, method, options)


def _dark_command(method: str, path: Path) -> tuple[list[str], str]:
    words = ["dark", "solve", "2x2", "--base", "abrupt", "--method", method]
    return [*words, "--iterations", "1", "--resume", str(path)], ""


def repacked(content: bytes, mutate: Mutate) -> bytes:
    """Damage the description in a checkpoint or one of its arrays, or pack a bomb instead."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        members = {name: old.read(name) for name in old.namelist()}
        text = str(np.load(io.BytesIO(members["header.npy"])))
        changed = mutate(text.encode()).decode(errors="replace")
        if changed != text:
            file = io.BytesIO()
            np.save(file, np.array(changed))
            members["header.npy"] = file.getvalue()
        for number, (name, data) in enumerate(members.items()):
            packing = zipfile.ZIP_STORED
            if len(changed) % 7 == 1 and number == 1:
                data, packing = mutate(data), zipfile.ZIP_STORED  # noqa: PLW2901
            if len(changed) % 29 == 2 and number == 1:
                data, packing = data[:128] + BOMB, zipfile.ZIP_DEFLATED  # noqa: PLW2901
            new.writestr(name, data, packing)
    return out.getvalue()


def _made_certificate(path: Path) -> None:
    found = solve.solve(RULES, "double-oracle", solve.SolveOptions())
    path.write_text(certificate.write(found.certificate))


def _verified(path: Path) -> object:
    claim = certificate.load(path)
    certificate.verify(claim)
    return claim


DARK: tuple[StoredFormat, ...] = (
    *(
        StoredFormat(
            f"checkpoint of {method}",
            ("player/dark/long_run",),
            partial(_run, method, iterations=3),
            partial(_run, method),
            (CheckpointError,),
            repacked,
            partial(_dark_command, method),
        )
        for method in ("cfr+", "rcfr", "mccfr-outcome", "double-oracle")
    ),
    StoredFormat(
        "certificate",
        ("player/cli/dark_tables", "player/cli/dark"),
        _made_certificate,
        _verified,
        (certificate.CertificateError,),
        command=lambda path: (["dark", "verify", str(path)], ""),
    ),
)
