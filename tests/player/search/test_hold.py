"""Keeping a win: replies to every intrusion."""

import pytest
from hypothesis import given
from strategies import positions

from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection, Rule
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from hsearch.strategy.reply import WinningStrategy, start


@given(positions(4))
def test_a_winning_strategy_connects_after_every_intrusion(position):
    """After any intrusions into a winning connection, the replies join the edges with stones."""
    for color in Color:
        store = closure(position, color, Limits())
        for full in store.edge_fulls[:2]:
            follow(WinningStrategy.of(full), position, color)
        for semi in store.edge_semis[:2]:
            key, hold = start(semi)
            follow(hold, position.put(key, color), color)


def follow(hold, position, color, seen=None):
    """Try every intrusion; links share no cell, so each intrusion touches one link."""
    seen = set() if seen is None else seen
    if hold.is_done:
        assert winner(position) is color
        return
    carriers = [link.carrier for link in hold.links]
    assert sum(carrier.count() for carrier in carriers) == hold.carrier(position.board).count()
    for intrusion in hold.carrier(position.board).search(1):
        cell, rest = hold.reply(intrusion)
        after = position.put(intrusion, color.opponent).put(cell, color)
        if after not in seen:
            seen.add(after)
            follow(rest, after, color, seen)


def test_a_strategy_rejects_a_template_that_is_not_expanded():
    """A template has no replies, so the strategy would silently lose its part of the win."""
    board = Board(3, 3)
    known = Connection(board.size, board.size + 1, board.only(0), rule=Rule.TEMPLATE)
    with pytest.raises(ValueError, match="expand it first"):
        WinningStrategy.of(known)


def test_a_strategy_accepts_only_a_full_connection():
    """A semi needs its key first, and a finished strategy has no reply."""
    store = closure(Position.of(Board(1, 1)), Color.BLACK)
    semi = store.edge_semis[0]
    with pytest.raises(ValueError, match="only a full"):
        WinningStrategy.of(semi)
    with pytest.raises(ValueError, match="stones join"):
        start(semi)[1].reply(None)
