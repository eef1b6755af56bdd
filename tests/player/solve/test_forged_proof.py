"""Forged proofs: each false assertion is rejected, and its line is named."""

import json

import pytest

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.solve.proof import write
from player.solve.proof_line import NoProofError, ProofError
from player.solve.solver import Solver
from player.solve.verify import verify

SIZES = [(1, 1), (1, 4), (4, 1), (2, 2), (3, 3), (5, 4), (11, 11), (26, 1), (26, 26)]


def forged(board, won_by, *lines, **head):
    """Return a proof of a position: the empty board unless `head` gives another."""
    first = {
        "schema": "hsearch/proof/3",
        "black": [],
        "white": [],
        "columns": board.columns,
        "rows": board.rows,
        "turn": won_by.opponent.word,
        "winner": won_by.word,
        "first": None,
        "root": 1,
        "lines": len(lines),
        **head,
    }
    return "\n".join(map(json.dumps, [first, *lines])) + "\n"


def answered(**stones):
    """Return a line without threats and replies."""
    return {"black": [], "white": [], "threats": [], "replies": {}, "steps": [], **stones}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("won_by", Color)
def test_a_full_board_proves_nothing_for_its_loser(size, won_by):
    """A full board has no move to answer, but still does not prove a win for its loser."""
    board = Board(*size)
    line = answered(**{won_by.opponent.word: board.names(~board.only())})

    with pytest.raises(ProofError, match=r"^line 2: \w+ has won this position by a chain"):
        verify(forged(board, won_by, line))


@pytest.mark.parametrize("color", Color)
def test_a_position_that_the_loser_has_won_is_refused(color):
    """However many cells are empty, every kind of line is rejected."""
    board = Board(3, 3)
    chain = "b1 b2 b3" if color is Color.WHITE else "a2 b2 c2"
    stones = {"black": [], "white": [], color.opponent.word: chain.split()}
    lines = {
        "answered": answered(**stones),
        "joined": {**stones, "joined": None, "steps": []},
        "filled": {**stones, "fills": [], "filled": 1, "steps": []},
    }
    for line in lines.values():
        with pytest.raises(ProofError, match=r"^line 2: \w+ has won this position by a chain"):
            verify(forged(board, color, line))


def test_a_claim_that_leaves_the_loser_a_chain_is_refused(monkeypatch):
    """A claim must connect the winner's edges; this check works without the others."""
    board = Board(3, 3)
    line = answered(white=board.names(~board.only()))
    monkeypatch.setattr("player.solve.proof_line.winner", lambda _position: None)

    with pytest.raises(ProofError, match=r"^line 2: its claim would leave white a chain"):
        verify(forged(board, Color.BLACK, line))


@pytest.mark.parametrize("rule", ["fill-in", "template", "ADJACENT", "", "x" * 1000])
def test_a_rule_that_proofs_may_not_use_is_rejected(rule):
    """Fill-in would need its fills, and a template would be played out without a bound."""
    board = Board(7, 7)
    cells = " ".join(board.names(~board.only()))
    line = {"black": [], "white": [], "joined": 0}
    line["steps"] = [[rule, "north", "south", cells, None, []]]

    with pytest.raises(NoProofError, match=r"^line 2: not a rule of steps: .{2,82}$"):
        verify(forged(board, Color.BLACK, line))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"white": ["b2", "a1"]}, "cells not in order, row by row: 'b2 a1'"),
        ({"white": ["a1", "a1"]}, "cells not in order, row by row: 'a1 a1'"),
        ({"white": ["A1"]}, "not a cell or an edge of the 3x3 board: 'A1'"),
        ({"white": ["north"]}, "not a cell or an edge of the 3x3 board: 'north'"),
        ({"white": ["d1"]}, "not a cell or an edge of the 3x3 board: 'd1'"),
        ({"white": "a1"}, "white: expected array, got str"),
        ({"white": ["a1"], "black": ["a1"]}, "stones of both colors on 'a1'"),
        ({"threats": [True]}, r"threats\[0\]: expected int, got bool"),
        ({"threats": [-1]}, r"threats\[0\]: expected int >= 0"),
        ({"replies": {"a1": ["b1"]}}, r"replies\[...\]: expected array of length 2, got 1"),
        ({"joined": None}, "object contains unknown field"),
        ({"more": 1}, "object contains unknown field more"),
        ({"steps": None}, "steps: expected array, got null"),
    ],
)
def test_a_line_with_an_invalid_field_is_rejected(changed, message):
    """The line is rejected in one message that names the field."""
    with pytest.raises(NoProofError, match=rf"^line 2: {message}"):
        verify(forged(Board(3, 3), Color.BLACK, answered(**changed)))


def test_the_work_of_a_line_is_bounded(monkeypatch):
    """A line with more premises than the limit is rejected."""
    board = Board(4, 4)
    text = write(Solver(board), Position.of(board).play("b3"))
    verify(text)
    monkeypatch.setattr("player.solve.proof_line.MOST_WORK", 3)

    with pytest.raises(ProofError, match=r"^line \d+: more than 3 premises to follow"):
        verify(text)
