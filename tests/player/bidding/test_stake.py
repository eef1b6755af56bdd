"""The stakes of a cell at ordinary turns: after the opponent's stone, and as a sentence."""

from itertools import combinations

import naive_solve
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from hsearch.connect.closure import closure
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, groups, winner
from player.answers.bid import BidAnswer, bid_lines
from player.bidding.advice import stakes
from player.bidding.chips import Chips, Holding
from player.evaluate.exact import exact

ALL = Limits(M=500, K=6)


def links(position, color):
    """Return how each pair of a player's groups is connected: 2 by a full, 1 by a semi, else 0."""
    store = closure(position, color, ALL)
    captains = sorted(group.captain for group in groups(position, color))
    return {
        (x, y): 2 if store.fulls(x, y) else int(bool(store.semis(x, y)))
        for x, y in combinations(captains, 2)
    }


@given(positions(max_side=4, stones="....BW"), st.data())
def test_stakes_are_connections_that_an_opponent_stone_weakens(position, data):
    """An opponent's stone weakens the named pair, and no pair with more edges or a full."""
    if winner(position) is not None or not position.empty.any():
        return
    cell = data.draw(st.sampled_from(list(position.empty.search(1))))
    found = stakes(position, cell, ALL)
    for color in Color:
        before, after = (
            links(now, color) for now in (position, position.put(cell, color.opponent))
        )
        broken = {pair: kind for pair, kind in before.items() if after[pair] < kind}
        ranks = {
            pair: (sum(map(position.board.is_edge, pair)), kind) for pair, kind in broken.items()
        }
        connection = found.get(color)

        assert (connection is None) == (not broken)
        if connection is not None:
            assert connection.carrier[cell]
            assert connection.is_full == (broken[connection.ends] == 2)
            assert ranks[connection.ends] == max(ranks.values())


def test_a_connection_of_the_edges_outranks_a_bridge():
    """A full from edge to edge that needs c1 outranks the bridge from b2 to d1 inside it.

    ::

        . . . W
         . W . .
          . . . .
           . . B .
    """
    board = Board(4, 4)
    position = Position.of(board, black="c4", white="b2 d1")
    found = stakes(position, board.cell("c1"))[Color.WHITE]

    assert list(map(board.name, found.ends)) == ["west", "east"]
    assert board.names(found.carrier) == ["c1", "a2", "c2", "a3"]


def test_other_connections_may_hold_without_the_cell():
    """White joins west and east without a2, too, so a sentence speaks of known connections.

    ::

        . . .
         . W .
          . . .
           B . .
            . . .
    """
    board = Board(3, 5)
    position = Position.of(board, black="a4", white="b2")
    bids = BidAnswer.of(exact(position), Chips(Holding(10, tie_break=True), Holding(10)))
    *_, said = bid_lines(bids)

    assert naive_solve.outcome(position.put("a2", Color.BLACK)) is Color.WHITE
    assert said == (
        "At ordinary turns, every known full connection of White's between west and east "
        "(smallest: 4 cells) needs a2."
    )
