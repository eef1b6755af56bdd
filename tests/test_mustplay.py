"""The must-play region."""

from hypothesis import given
from strategies import limits, positions
from test_openings import wins_for_mover

from hsearch.board import Board, Color
from hsearch.closure import closure
from hsearch.mustplay import mustplay
from hsearch.position import Position, winner


@given(positions(max_side=4, stones="..BW"), limits())
def test_every_winning_move_is_in_the_region(position, limits):
    """No move outside wins, by searching the whole game."""
    if winner(position) is None and position.board.size <= 12:
        opponent = closure(position, position.turn.opponent, limits)
        region = mustplay(position, opponent).cells
        for cell in position.empty.search(1):
            wins = not wins_for_mover(position.play(cell))
            assert region[cell] or not wins, position.board.name(cell)


def test_the_region_is_what_all_threats_need():
    """Black's b2 on 3x3 wins, so White has no move; Black's a1 leaves White free."""
    board = Board(3, 3)
    lost, free = (Position.of(board).play(board.cell(name)) for name in ("b2", "a1"))

    region = mustplay(lost, closure(lost, Color.BLACK))
    assert region.is_lost
    assert len(region.threats) == 1
    assert region.threats[0].is_full

    region = mustplay(free, closure(free, Color.BLACK))
    assert not region.is_lost
    assert all(not threat.is_full for threat in region.threats)


def test_without_a_threat_every_empty_cell_is_in_it():
    """Nothing is forced on the empty 8x8 board."""
    position = Position.of(Board(8, 8))
    region = mustplay(position, closure(position, Color.WHITE))

    assert region.cells == position.empty
    assert not region.is_forced


def test_a_finished_game_leaves_no_move():
    """Black's chain on a board of one column."""
    position = Position.of(Board(1, 3), black="a1 a2 a3", turn=Color.WHITE)
    region = mustplay(position, closure(position, Color.BLACK))

    assert region.is_lost
    assert region.threats == ()
