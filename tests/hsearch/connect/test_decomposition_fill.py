"""Connections that rest on filled regions, checked, played and explained on the real board."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remaining import remaining
from strategies import positions

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import regions
from hsearch.connect.closure import closure, extend
from hsearch.connect.connection import (
    Connection,
    Fill,
    Rule,
    adjacent,
    and_rule,
    fill_in_rule,
    or_rule,
    steps_of,
)
from hsearch.connect.deduction import derivation, expand
from hsearch.connect.limits import NO_LIMIT, Knowledge, Limits
from hsearch.connect.regions import decompose, local_limits
from hsearch.connect.store import Given
from hsearch.formats.files import find_shipped
from hsearch.formats.reading import read
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from hsearch.strategy.check import CheckError, check, check_fills
from hsearch.strategy.explain import explain
from hsearch.strategy.needed_regions import drop_needless_regions
from hsearch.strategy.reply import WinningStrategy, follow, start
from hsearch.strategy.words import summary

LIMITS = local_limits(Limits())
GAMES = ("london-2000-queenbee-hexy", "london-2000-hexy-queenbee")


def connections(position, color):
    """Return a player's connections without windows."""
    return closure(position, color, LIMITS)


def found(position):
    """Yield each player with a connection of the edges that filling regions gave."""
    filled = decompose(position, connections)
    for color, store in filled.stores.items():
        for connection in (*store.edge_fulls[:2], *store.edge_semis[:2]):
            real = filled.real(color, connection)
            if any(fill.color is color for fill in real.fills):
                yield color, real


def late_positions():
    """Return positions of the shipped games that have enclosed regions."""
    games = [read(find_shipped(f"games/{name}.sgf").read_text()) for name in GAMES]
    return [game.position(moves) for game, moves in zip(games, (45, 33), strict=True)]


def played_out(position, color, connection, source):
    """Return the winner against an opponent who plays randomly, mostly inside the carrier."""
    followed = follow(position, color, connection)
    while followed.stones.empty.any():
        cells = [*followed.carrier.search(1)]
        if not cells or source.random() < 0.2:
            cells = [*followed.stones.empty.search(1)]
        followed = followed.intrude(int(source.choice(cells)))
        left = remaining(followed)
        if left is not None and source.random() < 0.04:
            check(followed.stones, color, left)
    return winner(followed.stones)


@settings(max_examples=60)
@given(positions(max_side=6, stones="..BBWW"), st.randoms(use_true_random=False))
def test_fill_in_connections_hold_on_any_board(position, source):
    """The connections check by derivation, and no opponent breaks them."""
    for color, connection in found(position):
        check(position, color, connection)
        assert played_out(position, color, connection, source) is color


def test_each_step_of_a_derivation_is_listed_once():
    """A join of the owner's is a premise as well; one of the opponent's is not."""
    joins = {True: 0, False: 0}
    for position in late_positions():
        for color, connection in found(position):
            steps = [id(step) for step in steps_of(connection)]
            assert len({*steps}) == len(steps)
            for fill in connection.fills:
                if fill.join is not None:
                    joins[fill.color is color] += 1
                    assert id(fill.join) in steps

    assert min(joins.values()) > 0


def held_to_the_end(position, color, connection, source):
    """Return the winner if a player follows the connection against random moves."""
    connection = expand(position, color, connection)
    if connection.key is None:
        hold = WinningStrategy.of(connection)
    else:
        key, hold = start(connection)
        position = position.put(key, color)
    while not hold.is_done:
        cells = [*hold.carrier(position.board).search(1)]
        intrusion = int(source.choice(cells))
        reply, hold = hold.reply(intrusion)
        position = position.put(intrusion, color.opponent).put(reply, color)
    return winner(position)


@settings(max_examples=60)
@given(positions(max_side=6, stones="..BBWW"), st.randoms(use_true_random=False))
def test_a_player_joins_the_edges_using_filled_regions(position, source):
    """The player joins the edges, using the connections that join groups around each region."""
    for color, connection in found(position):
        assert held_to_the_end(position, color, connection, source) is color


def test_joins_around_a_region_are_defended():
    """Black's semi of north and south rests on a region, and on the join of what lies around it."""
    position = Position.of(Board(4, 3), black="b2 c2", white="b1 d1 a2 a3 d3")
    ((color, connection),) = found(position)
    assert (color, connection.is_full, len(connection.premises)) == (Color.BLACK, False, 2)
    for seed in range(4):
        source = np.random.default_rng(seed)
        assert held_to_the_end(position, color, connection, source) is color


@pytest.mark.slow
def test_fill_in_connections_hold_in_the_london_games():
    """The London games' connections check, and so does what is left of them after some moves."""
    source, count = np.random.default_rng(1), 0
    for position in late_positions():
        for color, connection in found(position):
            check(position, color, connection)
            count += 1
            assert played_out(position, color, connection, source) is color

    assert count >= 3


def pocket():
    """Return a position with a filled region, its connection, and the fill with a join."""
    board = Board(5, 5)
    position = Position.of(board, black="b2 c4", white="d2 d3 a4")
    color, connection = next(one for one in found(position) if one[0] is Color.BLACK)
    place = next(
        number
        for number, fill in enumerate(connection.fills)
        if fill.color is color and fill.join is not None
    )
    return position, connection, place


def test_a_connection_with_missing_or_wrong_regions_is_rejected():
    """The check fails without a region, with a cell outside it, or with a join that leaves it."""
    position, connection, place = pocket()
    board, fill = position.board, connection.fills[place]
    wrong = [
        connection.fills[:place] + connection.fills[place + 1 :],
        _with(connection, place, replace(fill, cells=fill.cells | board.only(board.cell("e5")))),
        _with(connection, place, replace(fill, cells=fill.cells & ~fill.join.carrier)),
        _with(connection, place, replace(fill, join=None)),
        _with(connection, place, replace(fill, since=len(connection.fills))),
    ]

    assert check(position, Color.BLACK, connection)
    for fills in wrong:
        with pytest.raises(CheckError):
            check(position, Color.BLACK, replace(connection, fills=fills))


def _with(connection, place, fill):
    return (*connection.fills[:place], fill, *connection.fills[place + 1 :])


def test_a_region_is_enclosed_before_it_is_filled():
    """Regions are enclosed by the groups before the fill, even if later groups enclose it, too."""
    board = Board(7, 7)
    position = Position.of(board, black="d2 e2 f2 c3 f3 b4 f4 b5 e5 b6 c6 d6")
    fill = Fill(Color.BLACK, (board.cell("d2"),), board.named("d4"))

    check_fills(position, Color.BLACK, [fill])
    with pytest.raises(CheckError, match="not enclosed"):
        check_fills(position, Color.BLACK, [replace(fill, since=1)])


def test_the_regions_are_explained():
    """Each region is explained with the connections that join the groups around it."""
    position, connection, _ = pocket()
    told = "\n".join(summary(explain(position, Color.BLACK, connection)))

    assert connection.rule is Rule.FILL_IN
    assert "Enclosed regions count as Black's" in told


def mixed_unions():
    """Yield positions with a full of Black that joins semis of the rules and of filled boards.

    The first is one of an analysis. In the second a full joins the groups around the region.
    """
    black, white = "f1 h2 g3 e4 f4 d5", "g1 h1 c3 h3 a4 c4 f5 g5"
    position = Position.of(Board(8, 5), black=black, white=white)
    few = Limits(M=1, semis=3, K=2, greedy_union=False)
    local = ConnectionAnalysis(position, few, knowledge=Knowledge.LOCAL).turnless
    yield position, local.filled_unions[Color.BLACK]
    position = Position.of(Board(4, 3), black="d2")
    few = Limits(M=2, K=1, greedy_union=False)
    local = ConnectionAnalysis(position, few, knowledge=Knowledge.LOCAL).turnless
    other = closure(position, Color.BLACK).edge_semis[1]
    yield position, or_rule(next(local.filled_semis(Color.BLACK)), other)


def test_a_union_of_rules_and_regions_is_followed_and_explained():
    """After the key of a semi of the filled board its fulls and the joins are followed."""
    for position, union in mixed_unions():
        explanation = explain(position, Color.BLACK, union)
        has_join = any(fill.join is not None for semi in union.premises for fill in semi.fills)

        assert check(position, Color.BLACK, union)
        assert {Rule.AND, Rule.FILL_IN} == {semi.rule for semi in union.premises}
        assert all(argument.cases for argument in explanation.arguments)
        assert bool(explanation.kept) == has_join
        for seed in range(50):
            followed, source = follow(position, Color.BLACK, union), np.random.default_rng(seed)
            while not followed.is_joined:
                cells = [*followed.on_board.empty.search(1)]
                followed = followed.intrude(int(source.choice(cells)))
            assert winner(followed.on_board) is Color.BLACK


def test_local_knowledge_proves_more():
    """The two rules leave this position of self-play undecided; its proof checks by derivation."""
    board = Board(9, 9)
    position = Position.of(board)
    moves = "f7 f4 h3 g5 i4 h6 c6 e3 c4 c5 b6 b5 e4 d5 e5 f3 d4 c3"
    for move in moves.split():
        position = position.play(board.cell(move))
    local = ConnectionAnalysis(position, knowledge=Knowledge.LOCAL)

    assert ConnectionAnalysis(position).winner is None
    assert local.winner is not None
    assert check(position, local.winner, local.edge_connection(local.winner))


def test_a_region_stays_if_a_connection_leads_over_its_stones():
    """The way b3, c3, d3 leads over c3, which touches no stone and is filled with the corner."""
    position = Position.of(Board(6, 4), black="b1 b2 e2 d4", white="c2 d2 b4 c4")
    board, (north, south) = position.board, position.board.edges(Color.BLACK)
    a4, b3, c3, d3 = map(board.cell, ("a4", "b3", "c3", "d3"))
    fills = tuple(regions.fills(position, closure(position, Color.BLACK)))

    def over(via, first, second, *, empty=True):
        return and_rule(first, second, via, board, empty=empty)

    across = over(c3, adjacent(b3, c3, board), adjacent(c3, d3, board), empty=False)
    ways = (
        over(d3, across, adjacent(d3, south, board)),
        over(a4, adjacent(a4, b3, board), adjacent(a4, south, board)),
    )
    inner = over(b3, adjacent(b3, north, board), or_rule(*ways))
    real = fill_in_rule(inner, fills, Color.BLACK)
    less = drop_needless_regions(position, Color.BLACK, real)

    assert check(position, Color.BLACK, real)
    assert check(position, Color.BLACK, less)
    assert less == real


@pytest.mark.parametrize(("semis", "most"), [(None, NO_LIMIT), (9, 9)])
def test_local_limits_are_capped_at_the_largest_limit(semis, most):
    """The two rules leave this position undecided, so the regions are searched."""
    limits = Limits(M=NO_LIMIT // 3 * 2, semis=semis)
    position = Position.of(4, black="d1", turn="white")
    local = local_limits(limits)

    assert (local.M, local.semis) == (NO_LIMIT, most)
    assert ConnectionAnalysis(position, limits, knowledge=Knowledge.LOCAL).winner is None


def test_a_region_is_filled_if_its_derivation_needs_fewer_cells():
    """A window reports the semis that its search used; the derivation may need fewer."""
    position = Position.of(4, black="b3", white="a1 c1 d2")
    board, few = position.board, Limits(steps=1)
    stone, south = board.cell("b3"), board.point("south")
    less = Connection(stone, south, board.named("b4"), rule=Rule.OR)
    given = Given(stone, south, board.named("a4 b4"), lambda: less)
    store = extend(position, closure(position, Color.BLACK, few), [given], few)
    joins = [fill.join for fill in regions.fills(position, store) if fill.join is not None]

    assert joins == [less]


def test_what_follows_from_a_derivation_that_needs_fewer_cells_needs_fewer_too():
    """The checker refused it, as its carrier was not that of its premises."""
    position = Position.of(Board(4, 5), black="c2 d2", white="a1 b1 a2 a3 a4")
    board = position.board
    stone, south = board.cell("c2"), board.point("south")
    cells = board.named("b3 c3 d3 b4 c4 d4 a5 b5 c5 d5")
    template = Connection(stone, south, cells, rule=Rule.TEMPLATE)
    less = derivation(position, Color.BLACK, template)
    given = Given(stone, south, cells | board.named("c1"), lambda: less)
    store = extend(position, closure(position, Color.BLACK), [given], Limits())

    assert check(position, Color.BLACK, *store)
    assert store.fulls("d1", "south")[0].carrier == cells


def test_limits_given_as_numpy_integers_do_not_overflow():
    """Limits given as numpy integers of 8 bits do not overflow."""
    limits = Limits(M=np.int8(100), K=np.int8(4), steps=np.int64(9))

    assert limits == Limits(M=100, K=4, steps=9)
    assert limits.most_semis == 200
    assert "int8" not in repr(limits)
    assert local_limits(Limits(M=np.int8(30))) == local_limits(Limits(M=30))
