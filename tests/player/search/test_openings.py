"""The winner after each first move, found by searching the whole game."""

import pytest
from naive_solve import outcome, wins_for_mover

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.search.openings import chart_winner, first_move, load_chart, winning_opening


@pytest.mark.parametrize(("size", "openings"), [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3")])
def test_winning_openings_up_to_3x3_are_the_known_ones(size, openings):
    """The maps up to 3x3 are the known ones, as in `test_closure.py`."""
    board = Board(size, size)
    won = [c for c in board.cells if not wins_for_mover(Position.of(board).play(c))]

    assert [board.name(cell) for cell in won] == openings.split()


@pytest.mark.parametrize(("columns", "rows"), [(1, 2), (2, 3)])
def test_the_player_with_the_longer_distance_loses(columns, rows):
    """Black has one more row to cross than White has columns, and loses despite moving first."""
    assert not wins_for_mover(Position.of(Board(columns, rows)))
    assert wins_for_mover(Position.of(Board(columns, rows), turn=Color.WHITE))


@pytest.mark.parametrize("turn", Color)
@pytest.mark.parametrize("side", [2, 3])
def test_shipped_maps_give_the_winner_before_and_after_a_move(side, turn):
    """Either player may open, and the named move wins."""
    start = Position.of(Board(side, side), turn=turn)
    first = winning_opening(start)

    assert chart_winner(start) is turn
    assert outcome(start.play(first)) is turn
    for cell in start.board.cells:
        after = start.play(cell)
        assert chart_winner(after) is outcome(after)
        assert winning_opening(after) is None


@pytest.mark.parametrize("side", range(2, 9))
def test_whites_winning_opening_is_blacks_transposed(side):
    """White's opening is Black's, transposed, and the winner after each move is the other one."""
    board = Board(side, side)
    of_black, of_white = (Position.of(board, turn=turn) for turn in Color)

    assert winning_opening(of_white) == board.transpose(winning_opening(of_black))
    for cell in board.cells:
        won_by = chart_winner(of_black.play(cell))
        assert chart_winner(of_white.play(board.transpose(cell))) is won_by.opponent


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize(
    "sides", [(5, 4), (4, 5), (5, 5), (6, 3), (6, 6), (11, 11), (15, 15), (15, 9)]
)
def test_the_reason_names_the_first_move_of_each_player(sides, swap):
    """White's move is Black's on the transposed board, for boards of any shape."""
    board = Board(*sides)
    for turn in Color:
        cell, reason = first_move(Position.of(board, turn=turn), swap=swap)
        mirror, _ = first_move(Position.of(board.transposed, turn=turn.opponent), swap=swap)

        assert reason.startswith(("Opens with ", "Opens in the center, "))
        assert board.name(cell) in reason
        assert cell == board.transposed.transpose(mirror)


def test_a_map_gives_no_winner_for_estimates_or_other_positions():
    """It knows 8x8 and the center of 9x9, but no further stones and no other boards."""
    start = Position.of(Board(8, 8))
    assert load_chart(8).is_exact
    for cell in start.board.cells:
        assert chart_winner(start.play(cell)) is Color(not load_chart(8).wins(cell))
    assert chart_winner(start) is Color.BLACK
    larger = Position.of(Board(9, 9))
    center = larger.board.cell("e5")
    assert list(filter(load_chart(9).is_proved, larger.board.cells)) == [center]
    assert chart_winner(larger) is chart_winner(larger.play(center)) is Color.BLACK
    others = [cell for cell in larger.board.cells if cell != center]
    assert {chart_winner(larger.play(cell)) for cell in others} == {None}
    others = [
        Position.of(Board(7, 7), black="b4", white="d4"),
        Position.of(Board(7, 7), black="b4"),
        Position.of(Board(10, 10)),
        Position.of(Board(7, 8)),
        Position.of(Board(1, 1)),
    ]
    assert [chart_winner(position) for position in others] == [None] * 5
