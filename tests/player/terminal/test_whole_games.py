"""Whole games in a terminal of 100 columns: no silent wait and no false sentence."""

import re

import pytest
from nightly import NIGHTLY
from terminal import PATIENCE, Terminal

from hsearch import formats
from hsearch.hex.board import Color
from hsearch.hex.position import winner
from player.solve.solver import Solver

WIDTH = 100
SILENCE = 5.0  # processor seconds, mostly for the start; two on an idle machine
KERNEL = 20.0  # processor seconds for the largest kernel; the screen shows a count meanwhile
ASKED = 3  # moves between two questions to `why` and `hint`
SOLVED_TO = 7  # the largest side on which the solver settles every position of a game


def central(position):
    """Return the empty cell nearest to the center of the board."""
    board = position.board
    middle = board.columns // 2

    def far(cell):
        return sum(abs(at - middle) for at in board.column_and_row(cell))

    return board.name(min(position.empty.search(1), key=far))


def check_verdict(said, position):
    """Compare a sentence that claims a proof with the solver, if the board is small."""
    claim = re.search(r"Proved[^:]*: (Black|White) (?:wins|has won)", " ".join(said.split()))
    if claim is not None and position.board.columns <= SOLVED_TO:
        assert Solver(position.board).outcome(position).title == claim[1], said


def play_a_game(side, tmp_path, **running):
    """Play against the default engine to the end; return the terminal and the record."""
    record, now = tmp_path / "game.sgf", tmp_path / "now.sgf"
    words = ("play", "--size", str(side), "--time", "0.3", "--seed", "1", "--record", str(record))
    here = Terminal(*words, columns=WIDTH, **running)
    try:
        said, moves = here.until("black> "), 0
        while "Saved as" not in said:
            here.say(f"save {now}", "black> ")
            position = formats.read(now.read_text()).position() if moves else None
            if moves % ASKED == 1:
                check_verdict(here.say("why", "black> "), position)
                assert "Hint: " in here.say("hint", "black> ")
            cell = "a1" if position is None else central(position)
            said = here.say(cell, "black> ", "Saved as")
            assert f"Black plays {cell}." in said
            moves += 1
        here.until("decided")
        assert here.process.wait(PATIENCE) == 0
    finally:
        here.close()
    return here, formats.read(record.read_text())


def check(here, game, side):
    """Compare what was printed with the record."""
    lines = here.seen.replace("\r\n", "\n").splitlines()
    told = [(m[1], m[2]) for m in re.finditer(r"(Black|White) plays (\w+)\.", here.seen)]
    board = game.board

    assert 0 < here.silence < SILENCE
    assert here.compiling < KERNEL
    for line in lines:
        assert len(line.rpartition("\r")[2]) <= WIDTH or line.startswith(("Next: ", "Saved as"))
    assert (board.columns, board.rows) == (side, side)
    assert told == [(m.color.title, board.name(m.action)) for m in game.moves]
    won = winner(game.position())
    assert won is not None
    assert f"{won.title} wins by a chain." in here.seen
    assert game.result == f"{'B' if won is Color.BLACK else 'W'}+"


@pytest.mark.slow
@pytest.mark.parametrize("side", [7, 11, 14])
def test_the_output_of_a_whole_game_agrees_with_its_record(side, tmp_path):
    """With compiled kernels, every move, hint and reason is right, to the last chain."""
    check(*play_a_game(side, tmp_path), side)


@NIGHTLY
@pytest.mark.parametrize("side", [7, 11, 14])
def test_a_whole_game_from_a_cold_cache(side, tmp_path):
    """Kernels compile while the person waits, and the screen counts them."""
    cold = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "XDG_CACHE_HOME": str(tmp_path / "xdg")}
    here, game = play_a_game(side, tmp_path, settings=cold, patience=600)

    assert re.search(r"compiling kernels, kept for later runs \.\.\. \d+", here.seen)
    check(here, game, side)
