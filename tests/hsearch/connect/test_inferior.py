"""Dead, captured, vulnerable and dominated cells."""

import itertools
import random
from functools import reduce
from operator import or_

import dead_rings
import naive_solve
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.connect import inferior
from hsearch.connect.inferior import InferiorCells, dominated, fill_in, reversible, vulnerable
from hsearch.hex.board import DIRECTIONS, Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position, winner
from hsearch.kernels import inferior as kernel
from hsearch.kernels.inferior import ring_of


def all_positions(board):
    """Yield every placement of stones on a board, with each player to move.

    Of two positions that differ by half a turn only one is yielded: alternately the one whose
    stones come earlier and the other, so both edges are covered.
    """
    for stones in itertools.product(".BW", repeat=board.size):
        turned = stones[::-1]
        if turned != stones and (turned < stones) == stones.count("B") % 2:
            continue
        black, white = (board.only(*(c for c in board.cells if stones[c] == s)) for s in "BW")
        for turn in Color:
            yield Position(board, black, white, turn)


def test_the_dead_ring_table_equals_the_computed_one():
    """The command reproduces it: the three patterns of the theory, in all turns and colors."""
    table = inferior.read(inferior.FILE.read_text())
    turned = {
        (ring[n:] + ring[:n]).translate(str.maketrans("BW", colors))
        for ring in ("BBBB..", "BBB.W.", "BB.WW.")
        for n in range(6)
        for colors in ("BW", "WB")
    }

    assert table == dead_rings.smallest_dead_rings()
    assert set(table) == turned


@pytest.mark.slow
def test_a_ring_is_dead_iff_its_center_decides_no_board():
    """A cell with any ring is dead in the table if and only if it decides no board."""
    board = Board(5, 5)
    center = board.cell("c3")
    ring = [board.at(2 + right, 2 + down) for right, down in DIRECTIONS]
    outside = [cell for cell in board.cells if cell not in {center, *ring}]
    generator = random.Random(3)  # noqa: S311 - a sample, not a secret
    matters = {}
    for colors in itertools.product("BW", repeat=6):
        near = dict(zip(ring, colors, strict=True))
        matters["".join(colors)] = any(
            _decides(board, center, near | {c: generator.choice("BW") for c in outside})
            for _ in range(400)
        )
    table = inferior.dead_rings()

    for colors, is_decisive in matters.items():
        assert table[inferior.ring_number(colors)] == (not is_decisive), colors


def _decides(board, cell, colors):
    black, white = (board.only(*(c for c in colors if colors[c] == s)) for s in "BW")
    return winner(Position(board, black | board.only(cell), white)) is Color.BLACK and (
        winner(Position(board, black, white | board.only(cell))) is Color.WHITE
    )


@given(positions(max_side=7), st.data())
def test_incremental_fill_in_equals_fill_in_from_scratch(position, data):
    """Only cells up to two steps from a new stone can change, and in the same order."""
    board = position.board
    filled, costs = np.zeros(board.size, np.int8), np.zeros((board.size, 2), np.int64)
    stones = Frame.of(position, Color.BLACK).stones.copy()
    kernel.fill_in(board.columns, stones, inferior.dead_rings(), filled, costs)
    while len(empty := np.flatnonzero(stones == 0)):
        cell = data.draw(st.sampled_from(empty.tolist()))
        stones[cell] = data.draw(st.sampled_from([1, 2]))
        results = []
        for fill, more in ((kernel.fill_in, ()), (kernel.fill_in_after, (cell,))):
            room = stones.copy(), np.ones_like(filled), np.ones_like(costs)
            count = fill(board.columns, room[0], inferior.dead_rings(), *room[1:], *more)
            results.append((count, *(each.tolist() for each in room)))

        assert results[0] == results[1]

        stones = room[0]


@given(positions(max_side=5))
def test_the_ring_counts_edges_as_stones(position):
    """The kernel's ring equals the colors around the cell, by the names of its neighbors."""
    board, stones = position.board, Frame.of(position, Color.BLACK).stones.copy()
    for cell in board.cells:
        column, row = board.column_and_row(cell)
        ring = ""
        for right, down in DIRECTIONS:
            x, y = column + right, row + down
            beside, beyond = not 0 <= x < board.columns, not 0 <= y < board.rows
            if beside or beyond:
                ring += "." if beside and beyond else "W" if beside else "B"
            else:
                color = position.color_at(board.at(x, y))
                ring += "." if color is None else color.name[0]

        assert ring_of(board.columns, stones, cell) == inferior.ring_number(ring)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(1, 3), (2, 2), (2, 3), (3, 2), (3, 3)])
def test_fill_in_never_changes_the_winner(sides):
    """Fill-in keeps the winner of any position, by searching the whole game."""
    for position in all_positions(Board(*sides)):
        filled = fill_in(position).position

        assert naive_solve.outcome(filled) is naive_solve.outcome(position), position


@given(positions(max_side=4, square=True, stones="..BW"))
def test_fill_in_never_changes_the_winner_of_a_sample(position):
    """Fill-in keeps the winner on 4x4, by searching the whole rest of the game."""
    if position.empty.count() <= 10:
        assert naive_solve.outcome(fill_in(position).position) is naive_solve.outcome(position)


@pytest.mark.slow
@given(positions(max_side=7, stones=".BW"))
def test_fill_in_gives_each_filled_cell_one_reason(position):
    """Stones stay, each filled cell has one reason, and filling again changes nothing."""
    result = fill_in(position)
    kinds = (result.dead, result.captured_by_black, result.captured_by_white)

    assert position.empty & ~result.position.empty == kinds[0] | kinds[1] | kinds[2]
    assert sum(kind.count() for kind in kinds) == (kinds[0] | kinds[1] | kinds[2]).count()
    assert result.captured_by_black & ~result.position.black == position.board.only()
    assert result.captured_by_white & ~result.position.white == position.board.only()
    assert fill_in(result.position).position == result.position
    assert set(result.costs) == set((kinds[0] | kinds[1] | kinds[2]).search(1))
    for cell, cost in result.costs.items():
        owner = Color.BLACK if result.position.black[cell] else Color.WHITE
        captured = result.captured(owner)
        assert not (cost & ~(captured | position.stones(owner))).any()
        assert captured[cell] <= cost[cell]
        assert not any(
            (result.costs[other] & ~cost).any() for other in captured.search(1) if cost[other]
        )


@pytest.mark.slow
@given(
    positions(max_side=4, stones="..BW"),
    st.sampled_from(Color),
    st.randoms(use_true_random=True),  # thousands of draws: recording each takes most of the time
)
def test_a_filled_stone_can_be_replaced_by_its_cost(position, player, generator):
    """A proof that uses filled stones becomes one without them by paying their costs.

    The proof: a player wins with some stones and some cells to play in, while all other cells are
    the opponent's.
    """
    filled, board, stones = fill_in(position), position.board, position.stones(player)
    assume(position.empty.count() <= 12 and (filled.position.stones(player) & ~stones).any())

    def some_of(cells):
        return cells & board.only(*(cell for cell in board.cells if generator.random() < 0.8))

    def wins(own, free):
        theirs = ~(own | free)
        black, white = (own, theirs) if player is Color.BLACK else (theirs, own)
        return naive_solve.outcome(Position(board, black, white, position.turn)) is player

    for _ in range(10):
        own, free = some_of(stones), some_of(filled.position.empty)
        used = some_of(filled.position.stones(player) & ~stones)
        if wins(own | used, free):
            paid = reduce(or_, (filled.costs[cell] for cell in used.search(1)), board.only())
            assert wins(own | paid & stones, free | paid & ~stones)


@given(positions(max_side=5, stones=".BW"))
def test_dead_cells_decide_no_filling(position):
    """A dead cell may have either color in any filling of the board."""
    board = position.board
    generator = random.Random(position.black.count())  # noqa: S311 - a sample, not a secret
    stones = Frame.of(position, Color.BLACK).stones.copy()
    table = inferior.dead_rings()
    dead = [c for c in position.empty.search(1) if table[ring_of(board.columns, stones, c)]]
    for cell in dead:
        colors = {c: generator.choice("BW") for c in position.empty.search(1) if c != cell}
        for color in Color:
            colors |= dict.fromkeys(position.stones(color).search(1), color.name[0])

        assert not _decides(board, cell, colors)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(2, 3), (3, 3)])
def test_some_winning_move_is_not_vulnerable(sides):
    """Without vulnerable moves a won position is still won, and each killer does kill."""
    table = inferior.dead_rings()
    for position in all_positions(Board(*sides)):
        if winner(position) is not None or naive_solve.outcome(position) is not position.turn:
            continue
        found = vulnerable(position)
        for cell, killer in found.items():
            after = Frame.of(position.put(killer, position.turn.opponent), Color.BLACK)
            assert table[ring_of(position.board.columns, after.stones.copy(), cell)]

        assert set(naive_solve.winning_moves(position)) - set(found), position


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(2, 3), (3, 3)])
def test_some_winning_move_is_not_reversible(sides):
    """Without reversible moves a won position is still won; they include the vulnerable moves."""
    more = 0
    for position in all_positions(Board(*sides)):
        if winner(position) is not None or naive_solve.outcome(position) is not position.turn:
            continue
        found = reversible(position)
        more += len(found) - len(vulnerable(position))

        assert set(naive_solve.winning_moves(position)) - set(found), position
    assert more > 0


@given(positions(max_side=4, stones="..BW"))
def test_a_reversible_move_wins_only_if_another_does(position):
    """If a reversible move wins, so does a move that is not reversible, up to 4x4."""
    if winner(position) is None and position.empty.count() <= 9:
        wins, found = naive_solve.winning_moves(position), reversible(position)

        assert not wins or set(wins) - set(found)


@given(positions(max_side=4, stones="..BW"))
def test_a_dominated_move_wins_only_if_its_dominator_does(position):
    """If a dominated move wins, so does its dominator, which is not itself dominated."""
    if winner(position) is None and position.empty.count() <= 9:
        wins, found = naive_solve.winning_moves(position), dominated(position)
        for cell, by in found.items():
            assert by not in found
            assert cell not in wins or by in wins


ALL_WIN = Position.of(Board(3, 2), white=["c2"])  # each of the five moves wins
SOME_WIN = Position.of(Board(4, 3), black=["d2", "b3"], white=["b1", "a2", "d3"])


@pytest.mark.parametrize("position", [ALL_WIN, SOME_WIN])
def test_pruning_inferior_moves_leaves_a_winning_move(position):
    """A vulnerable move does not dominate, or each might be pruned for the other."""
    _has_a_winning_move_left(position)


@given(positions(max_side=4, stones="..BW"))
def test_pruning_all_inferior_moves_leaves_a_win(position):
    """Vulnerable, reversible and dominated moves, as `show --inferior` marks them, leave a win."""
    assume(position.empty.count() <= 10 and winner(position) is None)
    _has_a_winning_move_left(position)


def _has_a_winning_move_left(position):
    inferior = InferiorCells(position)
    filled, kinds = inferior.filled.position, (inferior.vulnerable, inferior.reversible)
    left_out = [cell for kind in (*kinds, inferior.dominated) for cell in kind]
    wins, free = naive_solve.winning_moves(position), set(filled.empty.search(1))

    assert len(left_out) == len(set(left_out))
    assert not wins or winner(filled) is not None or set(wins) & free - set(left_out)


@pytest.mark.parametrize(
    ("black", "captured"), [("b2", "b1 c1 a3 b3"), ("a1", ""), ("a2", "a1 b1")]
)
def test_only_a_stone_in_the_second_row_captures_cells_at_the_edge(black, captured):
    """A stone in the second row captures the two cells between itself and the edge."""
    board = Board(3, 3)
    result = fill_in(Position.of(board, black=black))

    assert board.names(result.captured_by_black) == captured.split()
    assert not result.captured_by_white.any()


def test_the_carrier_of_each_filled_stone_is_the_captured_pair():
    """A captured pair costs itself, and a cell that is dead because of it costs the pair, too."""
    board = Board(4, 4)
    result = fill_in(Position.of(board, black="b3 c3"))

    assert {board.name(cell): board.names(result.carrier(cell)) for cell in result.costs} == (
        {name: ["a4", "b4"] for name in ("a4", "b4", "c4", "d3", "d4")}
    )
    assert board.names(result.costs[board.cell("a4")]) == ["b3", "a4", "b4"]
