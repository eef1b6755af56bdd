"""The claim of a proved position holds whatever the other cells contain."""

import json

import naive_solve
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions

from hsearch.hex.board import Board
from hsearch.hex.position import Position, winner
from player.solve.budget import Techniques
from player.solve.proof import write
from player.solve.solver import Solver
from player.solve.verify import Claim, verify


@settings(max_examples=150)
@given(positions(max_side=4), st.data())
def test_positions_that_a_claim_settles_are_won(position, data):
    """The winner wins with all other cells the loser's, and wherever the claim settles."""
    if winner(position) is not None:
        return
    board = position.board
    proved = verify(write(Solver(board), position))
    won_by, start = proved.winner, proved.start
    own, other = (start.black, start.white)[:: 1 if won_by == 0 else -1]
    claim = Claim.of(board, won_by, own, proved.carrier)

    def won(own, other):
        """Return whether the winner wins with these stones when the loser moves first."""
        stones = (own, other)[:: 1 if won_by == 0 else -1]
        return naive_solve.outcome(Position(board, *stones, won_by.opponent)) is won_by

    assert claim.settles(own, other)
    assert won(claim.stones, board.only(*board.cells) & ~(claim.stones | claim.cells))
    codes = data.draw(st.lists(st.sampled_from("..oxx"), min_size=board.size, max_size=board.size))
    some = board.only(*(cell for cell in board.cells if codes[cell] == "o")) | claim.stones
    rest = board.only(*(cell for cell in board.cells if codes[cell] == "x")) & ~some
    if claim.settles(some, rest):
        assert won(some, rest)
    assert claim.settles(some, rest & ~claim.cells)
    for stone in claim.stones.search(1):
        assert not claim.settles(some & ~board.only(stone), rest & ~claim.cells)
    if (rest & claim.cells).any():
        assert not claim.settles(some, rest)


def test_a_proof_refers_to_positions_with_fewer_stones():
    """In the proof of b4 on 6x6, some replies refer to a line with fewer stones."""
    board = Board(6, 6)
    unadvised = Solver(board, techniques=Techniques(net=False))
    text = write(unadvised, Position.of(board).play(board.cell("b4")))
    lines = [json.loads(line) for line in text.splitlines()]
    others = 0
    for line in lines[1:]:
        for move, (reply, number) in line.get("replies", {}).items():
            there = lines[number]
            here = [*line["black"], reply], [*line["white"], move]
            others += any(
                sorted(there[color]) != sorted(stones)
                for color, stones in zip(("black", "white"), here, strict=True)
            )

    assert others >= 3
    assert verify(text).positions == len(lines) - 1
