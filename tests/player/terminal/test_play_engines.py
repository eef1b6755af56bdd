"""Engines in a game at the terminal: start, preparation and failure."""

import sys
import threading
import time
from threading import Event

import pytest
from places import SUPPORT
from playing import played

from hsearch import formats
from player.console import compiling
from player.engine.hexy import HexyPlayer
from player.engine.player import PlayerError
from player.engine.tree import TreePlayer
from player.terminal import talk

ENGINES = SUPPORT / "gtp_engines.py"


def test_a_failed_engine_start_names_the_program(tmp_path):
    """The line names the program that could not start."""
    options = ("--size", "3", "--record", str(tmp_path / "x.sgf"))
    result = played("", *options, "--white", "gtp:/no/such/engine")

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "gtp:/no/such/engine cannot play: cannot start '/no/such/engine': No such file or directory"
    )


def test_engines_play_each_other(tmp_path):
    """Hexy beats a random player, and the same seed gives the same game."""
    records = []
    for name in ("one.sgf", "two.sgf"):
        record = tmp_path / name
        arguments = ("--size", "4", "--black", "hexy", "--white", "random", "--seed", "3")
        result = played("", *arguments, "--level", "2", "--record", str(record))
        assert result.exit_code == 0, result.output
        assert "Black wins by a chain." in result.stdout
        records.append(record.read_text())

    assert records[0] == records[1]
    assert "PB[hexy:level=2]" in records[0]


def test_the_game_is_saved_if_the_engine_crashes(tmp_path):
    """The command fails with the engine's stderr, and the game is saved."""
    record = tmp_path / "game.sgf"
    engine = f"gtp:{sys.executable} {ENGINES} dies"
    options = ("--size", "3", "--white", engine, "--record", str(record))
    result = played("b2\n", *options)

    assert result.exit_code == 1
    assert "out of luck" in result.stderr
    assert len(formats.read(record.read_text()).moves) == 1


def test_a_person_who_begins_does_not_wait_for_the_engine(monkeypatch, tmp_path):
    """The engine prepares during the first move, and reports a failure on its own turn."""
    asked, came = Event(), []

    def prepare(_player, board):
        came.append(asked.wait(100))
        raise PlayerError(f"not on {board}")

    def typed(*_words, **_options):
        asked.set()
        return "c3"

    monkeypatch.setattr(HexyPlayer, "prepare", prepare)
    monkeypatch.setattr(talk, "next_line", typed)
    result = played("", "--size", "5", "--white", "hexy", "--record", str(tmp_path / "x.sgf"))

    assert came == [True]
    assert "Black plays c3." in result.stdout
    assert "hexy cannot play: not on 5x5" in result.output
    assert result.exit_code == 1
    assert (tmp_path / "x.sgf").exists()


def test_a_person_who_leaves_does_not_wait_for_the_engine(monkeypatch, tmp_path):
    """`quit` does not wait for the preparation."""
    may_end, ended = Event(), []

    def prepare(*_):
        may_end.wait(100)
        ended.append(True)

    monkeypatch.setattr(HexyPlayer, "prepare", prepare)
    options = ("--size", "5", "--white", "hexy", "--record", str(tmp_path / "x.sgf"))

    assert played("quit\n", *options).exit_code == 0
    assert not ended
    may_end.set()


def test_an_engine_that_moves_first_is_prepared_in_the_foreground(monkeypatch, tmp_path):
    """An engine that moves first is prepared in the foreground."""
    ready = []
    monkeypatch.setattr(HexyPlayer, "prepare", lambda *_: ready.append(threading.current_thread()))
    options = ("--size", "5", "--black", "hexy", "--white", "human")
    played("quit\n", *options, "--record", str(tmp_path / "x.sgf"))

    assert ready[0].name != "prepare"


@pytest.mark.parametrize(("options", "is_seeded"), [((), False), (("--seed", "3"), True)])
def test_the_net_moves_while_the_engine_compiles(monkeypatch, tmp_path, options, is_seeded):
    """The net's move is announced; a seeded game waits for the engine."""
    asked, may_go = Event(), Event()

    def prepare(_player, _board):
        asked.wait(100)
        may_go.wait(0.5 if is_seeded else 100)

    def typed(*_words, **_options):
        asked.set()
        return next(lines)

    lines = iter(["c3", "quit"])
    monkeypatch.setattr(TreePlayer, "prepare", prepare)
    monkeypatch.setattr(talk, "next_line", typed)
    monkeypatch.setattr("player.terminal.record.PATIENCE", 0.01)
    monkeypatch.setattr(compiling, "has_compiled", lambda: True)
    options = ("--size", "5", "--white", "tree:simulations=2", *options)
    result = played("", *options, "--record", str(tmp_path / "x.sgf"))
    may_go.set()
    said = "That was the net's first choice, without a search: tree:simulations=2 is being prepared"

    assert result.exit_code == 0, result.output
    assert "White plays " in result.stdout
    assert (said in result.stdout) != is_seeded


def test_the_engine_moves_where_nothing_compiles(monkeypatch, tmp_path):
    """Without compiling the engine itself moves, however slow the machine is."""
    asked = Event()

    def typed(*_words, **_options):
        asked.set()
        return next(lines)

    lines = iter(["c3", "quit"])
    monkeypatch.setattr(TreePlayer, "prepare", lambda *_: asked.wait(100) and time.sleep(0.3))
    monkeypatch.setattr(talk, "next_line", typed)
    monkeypatch.setattr("player.terminal.record.PATIENCE", 0.01)
    monkeypatch.setattr(compiling, "has_compiled", lambda: False)
    options = ("--size", "5", "--white", "tree:simulations=2")
    result = played("", *options, "--record", str(tmp_path / "x.sgf"))

    assert result.exit_code == 0, result.output
    assert "White plays " in result.stdout
    assert "first choice" not in result.stdout
