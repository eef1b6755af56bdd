"""Plots of tournaments: drawn if matplotlib is installed, otherwise refused in one line."""

import errno
import importlib
import importlib.util
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from hsearch.hex.board import Color
from player.cli import main
from player.dark import picture
from player.dark.long_run import RunProgress
from player.engine.results import Event, Row, Rows
from player.engine.tournament import plot, run

EVENT = Event("test", 3, 3, ("random", "ab:eval=connected,depth=1,nodes=7"))
needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="needs the extra `plot`"
)


@needs_matplotlib
def test_the_picture_names_all_players_without_their_budgets(tmp_path):
    """The best player comes first, with the games played; the same rows make the same file."""
    rows, files = Rows(tmp_path / "rows", EVENT), (tmp_path / "one.svg", tmp_path / "two.svg")
    run(rows, range(6), lambda _row: False)
    for file in files:
        plot("test", EVENT.players, rows.first(6), file)
    texts = list(ET.parse(files[0]).getroot().itertext())  # noqa: S314 - ours

    assert files[0].read_bytes() == files[1].read_bytes()
    assert any("ab:eval=connected,depth=1  1" in text for text in texts)
    assert any("random  2" in text for text in texts)
    assert any("test: 6 games" in text for text in texts)


@needs_matplotlib
def test_players_who_never_search_and_clean_sweeps_are_drawn(tmp_path):
    """Missing times and infinite Elo points do not break the plot."""
    row = Row(0, "random", EVENT.players[1], 0, "", Color.BLACK, "time", "", (), (), ())
    plot("test", EVENT.players, [row], tmp_path / "one.png")

    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


@needs_matplotlib
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.parametrize("of", ["a tournament", "a run"])
def test_a_failed_plot_leaves_the_old_file_unchanged(tmp_path, monkeypatch, ending, of):
    """If the disk fills up, an older file stays unchanged, and no other file is left."""
    path = tmp_path / f"one.{ending}"
    row = Row(0, "random", EVENT.players[1], 0, "", Color.BLACK, "time", "", (), (), ())
    curve = [RunProgress(1, (0.0, 0.5), 1.0), RunProgress(2, (0.0, 0.2), 2.0)]

    def draw():
        if of == "a run":
            picture.plot("test", curve, path)
        else:
            plot("test", EVENT.players, [row], path)

    draw()
    before = path.read_bytes()
    save = matplotlib_figure().savefig

    def full(figure, file, **options):
        save(figure, file, **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(matplotlib_figure(), "savefig", full)
    path.write_bytes(before + b"older")
    with pytest.raises(OSError, match="No space left"):
        draw()

    assert path.read_bytes() == before + b"older"
    assert list(tmp_path.iterdir()) == [path]


@needs_matplotlib
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_file_of_a_plot_does_not_depend_on_the_time(tmp_path, monkeypatch, ending):
    """No format contains the time at which it was written."""
    row = Row(0, "random", EVENT.players[1], 0, "", Color.BLACK, "time", "", (), (), ())
    files = [tmp_path / f"{second}.{ending}" for second in range(2)]
    for second, file in enumerate(files):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(second))  # the time of matplotlib
        plot("test", EVENT.players, [row], file)

    assert files[0].read_bytes() == files[1].read_bytes()


def matplotlib_figure():
    """Return the class of figures that plots are drawn on."""
    return importlib.import_module("matplotlib.figure").Figure


def test_a_plot_of_no_games_is_rejected(tmp_path):
    """An empty plot is refused."""
    with pytest.raises(ValueError, match="no games"):
        plot("test", EVENT.players, [], tmp_path / "one.svg")


def command(tmp_path, file, *more):
    arguments = ("tournament", "random", "ab:eval=connected,depth=1", "--size", "3", *more)
    return CliRunner().invoke(
        main, [*arguments, "--resume", str(tmp_path / "rows"), "--plot", str(tmp_path / file)]
    )


@needs_matplotlib
def test_the_command_writes_the_plot_after_the_games(tmp_path):
    """The file is written after the games, which are not played if its folder is missing."""
    done, lost = (command(tmp_path, file) for file in ("elo.svg", "no/elo.svg"))

    assert done.exit_code == 0, done.output
    assert (tmp_path / "elo.svg").exists()
    assert lost.exit_code == 2
    assert lost.stderr.endswith(f"no/elo.svg: there is no folder {tmp_path / 'no'}\n")


def test_without_matplotlib_nothing_is_played(tmp_path, monkeypatch):
    """The error says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    done = command(tmp_path, "elo.svg")

    assert done.exit_code == 1
    assert done.stderr == "--plot needs the extra `plot`: pip install 'hsearch[plot]'\n"
    assert not (tmp_path / "rows").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("elo", "ends in none of .svg, .png, .pdf"),
        ("elo.txt", "--plot does not write .txt files: use .svg or .png or .pdf"),
    ],
)
def test_an_unknown_ending_is_wrong_usage(tmp_path, name, message):
    """The error lists the known endings."""
    done = command(tmp_path, name)

    assert done.exit_code == 2
    assert message in done.stderr
