"""Connections found in windows are true, needed, and follow from their premises."""

import re

import naive
import numpy as np
import pytest
from complete_play import holds
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from hsearch import formats
from hsearch.connect.closure import closure, extend
from hsearch.connect.connection import Rule, steps_of
from hsearch.connect.library import closure_templates
from hsearch.connect.limits import Limits
from hsearch.connect.window import Derivation, WindowEffort, candidates, strengthen
from hsearch.connect.window_answers import SearchedWindows, WindowRoom
from hsearch.connect.window_shape import EdgeView, Size, cut_out
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains
from hsearch.strategy.check import check
from hsearch.strategy.explain import explain
from hsearch.strategy.reply import reply

WEAK = Limits(M=1, K=1, greedy_union=False)  # finds little, so many windows are searched
WIDE = WindowEffort(400, Size(above=2, detour=30))
SMALL = Size(above=0, detour=3, points=16), Size(above=1, detour=6, points=30)
GAME = "games/london-2000-hexy-queenbee.sgf"


def random_positions(count, seed, sides, share):
    """Yield random positions on such boards, with up to a share of their cells occupied."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        board = Board(*generator.integers(*sides, size=2, endpoint=True).tolist())
        many = int(generator.random() * share * board.size)
        stones = generator.permutation(board.size)[:many].tolist()
        black = int(generator.integers(0, many + 1))
        yield Position(board, board.only(*stones[:black]), board.only(*stones[black:]))


def all_windows(position, color, size):
    """Yield each window between a group and an edge with its two ends, searched or not."""
    for view in EdgeView.both(position, color):
        groups = view.groups()
        for group in groups[1:]:
            placed = cut_out(view, groups, group, size)
            if placed is not None:
                yield placed, (view.a_cell(group), view.edge)


@pytest.mark.slow
@given(positions(max_side=5, stones="....BW"), st.sampled_from(Color))
def test_connections_added_to_a_closure_hold(position, color):
    """Added connections survive every line of play, and so do those derived from them."""
    store = closure(position, color, WEAK)
    fulls = strengthen(position, store, SearchedWindows(), WIDE)
    for full in fulls:
        derived = full.derive()
        assert (derived.x, derived.y, derived.carrier) == (full.x, full.y, full.carrier)
        assert derived.is_full
        assert naive.holds(position, color, derived), derived
        assert Rule.TEMPLATE not in {step.rule for step in steps_of(derived)}
    more = list(extend(position, store, fulls, WEAK))
    for connection in more:
        assert naive.holds(position, color, connection), connection

    assert check(position, color, *more) >= len(more)


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "share", "seed"), [((4, 7), 0.6, 2), ((5, 9), 0.7, 3)])
def test_complete_play_confirms_every_joined_window(sides, share, seed):
    """Complete play and `check` confirm every joined window on crowded boards."""
    deduced = 0
    for position in random_positions(250, seed, sides, share):
        for color in Color:
            for size in SMALL:
                for placed, ends in all_windows(position, color, size):
                    room = WindowRoom(placed.window)
                    answer, tree = room.solve(100)
                    if answer.joined:
                        full = Derivation(placed, position, ends, room, tree).full()
                        named = position.board.only(*placed.cells(answer.carrier))
                        assert full.is_full
                        assert full.carrier == named
                        assert named.count() > 16 or holds(position, color, full), full
                        assert check(position, color, full) > 1
                        deduced += Rule.MUSTPLAY in {step.rule for step in steps_of(full)}

    assert deduced > 5


def templates():
    """Return the shipped templates, ladders up to 19 columns, by name and number of cells."""
    return {
        f"{template.id}-{template.carrier.count()}": template
        for known in closure_templates()
        for template in known.members(19)
    }


TEMPLATES = templates()


def window_of(template):
    """Return the window of a template, and its two ends."""
    named = captains(template.alone, template.color)
    (found,) = (
        (placed, ends)
        for placed, ends in all_windows(template.alone, template.color, WIDE.size)
        if ends[1] == template.edge and named[ends[0]] == named[template.stone]
    )
    return found


@pytest.mark.parametrize("name", TEMPLATES)
def test_each_template_is_derived_in_its_exact_carrier(name):
    """Each template, alone on its board, is derived by rules in exactly its carrier."""
    template = TEMPLATES[name]
    placed, ends = window_of(template)
    room = WindowRoom(placed.window)
    answer, tree = room.solve(400)
    full = Derivation(placed, template.alone, ends, room, tree).full()

    assert answer.joined
    assert full.carrier == template.carrier
    assert check(template.alone, template.color, full) > 1
    assert full.carrier.count() > 17 or holds(template.alone, template.color, full)


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_usual_effort_finds_all_templates(name):
    """The usual effort finds the templates that the rules miss, with ladders of any length."""
    template = TEMPLATES[name]
    store = closure(template.alone, template.color)
    found = strengthen(template.alone, store, SearchedWindows())
    joined = {frozenset((full.x, full.y)) for full in found}
    ends = frozenset(store.captain(end) for end in template.ends)

    assert store.has_full(*template.ends) != (ends in joined)


def windows_at(position, color, edge):
    """Return the small windows of a player at an edge."""
    size = Size(above=0, detour=2, points=20)
    return {placed.window for placed, ends in all_windows(position, color, size) if ends[1] == edge}


def test_shifted_or_turned_shapes_are_the_same_window():
    """A shape that is shifted, turned to the other edge or transposed is the same window."""
    board = Board(15, 7)
    north, south = board.edges(Color.BLACK)
    across = board.transposed
    seen = []
    for shift in range(4):
        own = board.only(*(board.at(x + shift, y) for x, y in ((6, 3), (6, 5))))
        other = board.only(*(board.at(x + shift, y) for x, y in ((5, 5), (8, 4))))
        turned = [board.only(*map(board.rotate, cells.search(1))) for cells in (own, other)]
        for edge, stones in ((south, (own, other)), (north, turned)):
            white, black = (across.only(*map(board.transpose, cells.search(1))) for cells in stones)
            seen += windows_at(Position(board, *stones), Color.BLACK, edge)
            seen += windows_at(Position(across, black, white), Color.WHITE, board.transpose(edge))

    assert len(seen) == 4 * 2 * 2 * 2
    assert len(set(seen)) == 2  # two stones, each its own group


def test_a_reversed_shape_is_the_same_window():
    """A reversed shape is the same window, although each row is shifted by half a cell."""
    board = Board(15, 5)

    def flipped(cells):
        places = map(board.column_and_row, cells.search(1))
        return board.only(*(board.at(14 + (4 - row) - column, row) for column, row in places))

    own, other = board.named("h2 j4"), board.named("f4 i3 k5")
    one, reverse = Position(board, own, other), Position(board, flipped(own), flipped(other))
    (_, south) = board.edges(Color.BLACK)

    assert one != reverse
    assert len(windows_at(one, Color.BLACK, south)) == 2
    assert windows_at(one, Color.BLACK, south) == windows_at(reverse, Color.BLACK, south)


def test_a_reversed_window_fits_the_largest_board():
    """Three bridges far from each other, on the way from z5 to the edge, are the window's cells."""
    board = Board(26)
    chains = [(25, row) for row in range(10, 25)] + [(column, 10) for column in range(25)]
    chains += [(column, 8) for column in range(1, 25)] + [(24, 7), (24, 6)]
    stones = board.only(board.cell("z5"), *(board.at(*place) for place in chains))
    bridges = board.named("y6 z6 a10 b10 y26 z26")
    position = Position(board, stones, ~(stones | bridges))
    view = EdgeView.both(position, Color.BLACK)[1]
    groups = view.groups()
    group = next(each for each in groups[1:] if view.a_cell(each) == board.cell("z5"))

    placement = cut_out(view, groups, group, Size())

    assert placement.is_turned
    assert board.only(*placement.cells(placement.window.empty)) == bridges


def test_window_connections_can_be_explained_and_followed():
    """Each intrusion has a reply, and the rest checks, as for every other connection."""
    template = TEMPLATES["dk4-3-10"]
    position, color = template.alone, template.color
    store = closure(position, color)
    (full,) = (
        full
        for full in strengthen(position, store, SearchedWindows(), WIDE)
        if template.edge in (full.x, full.y)
    )
    after = extend(position, store, [full], Limits())
    (kept,) = after.fulls(*template.ends)

    assert not store.has_full(*template.ends)
    assert Rule.MUSTPLAY in {step.rule for step in steps_of(kept)}
    assert explain(position, color, kept).arguments
    for intrusion in kept.carrier.search(1):
        answer = reply(kept, intrusion)
        later = position.put(intrusion, color.opponent).put(answer.cell, color)
        assert check(later, color, *answer.fulls)


def test_only_groups_with_a_semi_but_no_full_are_searched():
    """Groups with a full to an edge, or without even a semi, are not searched."""
    game = formats.read(formats.find_shipped(GAME).read_text())
    position = game.position(30)
    for color in Color:
        store = closure(position, color)
        for view, groups, group in candidates(position, store):
            stone = view.a_cell(group)
            assert not store.has_full(stone, view.edge)
            assert store.has_semi(stone, view.edge)
            for placed, work in WindowEffort().windows(view, groups, group):
                assert len(placed.window.points) <= Size().points
                assert work >= 5


def test_answers_do_not_depend_on_stored_answers():
    """A larger budget searches again; a smaller one does not use the stored answer."""
    placed, _ = window_of(TEMPLATES["dk4-3-10"])
    known = SearchedWindows()
    few, many, again = (known.ask(placed.window, budget) for budget in (2, 100, 2))

    assert (few.joined, many.joined, again) == (None, True, few)
    assert known.ask(placed.window, 100) == many
    assert known.searches == 2


def test_a_full_cache_drops_the_oldest_answers():
    """When the cache is full, the oldest answers are dropped."""
    position = next(random_positions(1, 5, (9, 9), 0.3))
    all_of_them = [placed.window for placed, _ in all_windows(position, Color.BLACK, SMALL[0])]
    known = SearchedWindows(most=3)
    for window in all_of_them:
        known.ask(window, 2)

    assert len(set(all_of_them)) > 3
    assert len(known) == 3
    known.ask(all_of_them[-1], 2)
    assert known.searches == len(set(all_of_them))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Size(above=-1), "above out of range: -1 (0 or more)"),
        (lambda: Size(points=61), "points out of range: 61 (2 to 60)"),
        (lambda: WindowEffort(work=0), "work out of range: 0 (1 or more)"),
        (lambda: WindowEffort(ladder=-1), "ladder out of range: -1 (0 or more)"),
    ],
)
def test_window_sizes_and_efforts_out_of_range_are_rejected(make, message):
    """Numbers out of range are refused with the valid range."""
    with pytest.raises(ValueError, match=re.escape(message)):
        make()
