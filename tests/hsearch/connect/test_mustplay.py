"""The must-play region."""

from hypothesis import given
from hypothesis import strategies as st
from naive_solve import wins_for_mover
from strategies import limits, positions

from hsearch.connect.closure import closure
from hsearch.connect.mustplay import mustplay
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner


@given(positions(max_side=4, stones="..BW"), limits())
def test_every_winning_move_is_in_the_region(position, limits):
    """No move outside the region wins, by searching the whole game."""
    if winner(position) is None and position.board.size <= 12:
        opponent = closure(position, position.turn.opponent, limits)
        region = mustplay(position, opponent).cells
        for cell in position.empty.search(1):
            wins = not wins_for_mover(position.play(cell))
            assert region[cell] or not wins, position.board.name(cell)


def test_the_region_is_lost_only_with_a_full_threat():
    """Black's b2 on 3x3 wins, so White's region is empty; Black's a1 leaves White free."""
    board = Board(3, 3)
    lost, free = (Position.of(board).play(board.cell(name)) for name in ("b2", "a1"))

    region = mustplay(lost, closure(lost, Color.BLACK))
    assert region.is_lost
    assert len(region.threats) == 1
    assert region.threats[0].is_full

    region = mustplay(free, closure(free, Color.BLACK))
    assert not region.is_lost
    assert all(not threat.is_full for threat in region.threats)


def test_without_a_threat_every_empty_cell_is_in_the_region():
    """On the empty 8x8 board no cell is excluded."""
    position = Position.of(Board(8, 8))
    region = mustplay(position, closure(position, Color.WHITE))

    assert region.cells == position.empty
    assert not region.is_forced


def test_a_finished_game_leaves_no_move():
    """Black's chain on a board of one column leaves no move."""
    position = Position.of(Board(1, 3), black="a1 a2 a3", turn=Color.WHITE)
    region = mustplay(position, closure(position, Color.BLACK))

    assert region.is_lost
    assert region.threats == ()


@given(positions(max_side=3, stones="..BW"), limits(), st.data())
def test_a_region_shrunk_by_refutations_still_contains_a_win(position, limits, data):
    """A search that shrinks the region by each proof finds a win whenever there is one."""
    if winner(position) is not None or not position.empty.any():
        return
    cells = mustplay(position, closure(position, position.turn.opponent, limits)).cells
    wins = set()
    while cells.any():
        move = data.draw(st.sampled_from(list(cells.search(1))))
        after = position.play(move)
        if not wins_for_mover(after):
            wins.add(move)
            break
        cells = cells & needed(after)
    assert bool(wins) == wins_for_mover(position)


def needed(position):
    """Return cells that suffice for the player to move to win; few, though not always fewest."""
    cells = position.empty
    mover = position.turn
    for cell in list(cells.search(1)):
        if winner(position) is not None:
            return position.board.only()
        less = position.put(cell, mover.opponent)
        if winner(less) is None and wins_for_mover(less):
            position = less
    return position.empty


def test_each_cell_outside_the_region_is_ruled_out_once():
    """The first threat that does not need a cell rules it out."""
    position = Position.of(Board(3, 3)).play(0)
    found = mustplay(position, closure(position, Color.BLACK))
    outside = position.empty & ~found.cells

    assert sum(cells.count() for cells in found.ruled_out()) == outside.count()
    for threat, cells in zip(found.threats, found.ruled_out(), strict=True):
        assert not (threat.carrier & cells).any()
