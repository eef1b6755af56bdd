"""Untrained nets, and positions to evaluate with them."""

import numpy as np
from hypothesis import strategies as st

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.net import random_net

SHAPES = st.tuples(st.integers(1, 4), st.sampled_from([8, 16, 24]))


@st.composite
def nets(draw):
    """Return small untrained nets."""
    blocks, channels = draw(SHAPES)
    return random_net(blocks, channels, np.random.default_rng(draw(st.integers(0, 99))))


@st.composite
def played(draw):
    """Return positions on boards of any sides up to 14, with some stones."""
    board = Board(draw(st.integers(1, 14)), draw(st.integers(1, 14)))
    owners = np.random.default_rng(draw(st.integers(0, 999))).random(board.size)
    part = draw(st.sampled_from([0.0, 0.2, 0.5, 1.0])) / 2
    black, white = np.flatnonzero(owners < part), np.flatnonzero(owners > 1 - part)
    stones = (board.only(*map(int, cells)) for cells in (black, white))
    return Position(board, *stones, draw(st.sampled_from(Color)))


def mirrored(position):
    """Return the position with colors exchanged and the board transposed: equal for the mover."""
    board = Board(position.board.rows, position.board.columns)
    black, white = (
        board.only(*map(position.board.transpose, cells.search(1)))
        for cells in (position.white, position.black)
    )
    return Position(board, black, white, position.turn.opponent)
