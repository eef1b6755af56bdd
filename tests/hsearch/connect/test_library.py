"""The known templates are true and are found at every place, for both players."""

from dataclasses import replace
from itertools import islice

import naive
import numpy as np
import pytest
from bitarray.util import subset
from complete_play import holds
from hypothesis import given
from hypothesis import strategies as st

from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.connect.deduction import expand
from hsearch.connect.library import (
    LARGE,
    closure_templates,
    large_template,
    place_template,
    placements,
    templates_in,
)
from hsearch.connect.limits import Limits
from hsearch.hex.board import MAX_SIDE, Board, Color
from hsearch.hex.position import Position, captains
from hsearch.strategy.check import CheckError, check

WITH, WITHOUT = Limits(templates=True), Limits()
MISSED = {
    known.template.id: known.template
    for known in closure_templates()
    if not known.is_found and known.family is None  # of a family only the long ones are missed
}
NAMED = pytest.mark.parametrize("name", ["dk4-3", "dk4-8"])


def placed_on(board, name):
    """Return positions with the stones of a template at each place, and its ends there."""
    for end, edge, stones, carrier in place_template(MISSED[name], board):
        yield Position(board, stones | board.only(end), board.only()), (end, edge), carrier


@NAMED
def test_a_template_is_full_at_every_place(name):
    """Complete play confirms each template when shifted, reversed and turned."""
    board = Board(8, 6)
    found = list(placed_on(board, name))

    assert {edge for _, (_, edge), _ in found} == set(board.edges(Color.BLACK))
    assert len({(ends, carrier) for _, ends, carrier in found}) == len(found) >= 16
    for position, ends, carrier in found:
        store = closure(position, Color.BLACK, WITH)
        smaller = [full for full in store.fulls(*ends) if subset(full.carrier, carrier)]

        assert smaller
        assert all(holds(position, Color.BLACK, full) for full in smaller)


@NAMED
def test_the_rules_alone_miss_each_template_at_every_place(name):
    """The rules alone miss the template; otherwise it need not be preloaded."""
    missed = [
        not any(subset(full.carrier, carrier) for full in closure(position, color).fulls(*ends))
        for position, ends, carrier in placed_on(Board(8, 6), name)
        for color in (Color.BLACK,)
    ]

    assert all(missed)


@NAMED
def test_white_has_the_templates_of_the_transposed_board(name):
    """White's templates are fulls of the rule `template`, which the checker plays out."""
    for position, ends, _ in placed_on(Board(6, 7), name):
        mirror = position.transposed()
        x, y = (position.board.transpose(end) for end in ends)
        fulls = closure(mirror, Color.WHITE, WITH).fulls(x, y)
        known = [full for full in fulls if full.rule is Rule.TEMPLATE]

        assert known
        assert check(mirror, Color.WHITE, *known) == len(known)


@pytest.mark.slow
@given(st.sampled_from(sorted(MISSED)), st.data())
def test_connections_derived_from_templates_hold(name, data):
    """With any stones around a template, every connection survives and checks."""
    template = MISSED[name]
    board = template.position.board
    cells = st.lists(st.integers(0, board.size - 1), unique=True, max_size=8)
    black, white = (board.only(*data.draw(cells)) for _ in Color)
    own = black | template.position.black
    position = Position(board, own, white & ~own)
    found = list(closure(position, Color.BLACK, WITH))
    points = set(captains(position, Color.BLACK).values())
    rests = resting_on_templates()

    assert check(position, Color.BLACK, *found)
    for connection in found:
        assert points.issuperset(connection.ends)
        if connection.carrier.count() <= 10 and rests(connection):
            assert naive.holds(position, Color.BLACK, connection), connection


def resting_on_templates():
    """Return a function that reports whether a connection uses a template, visiting steps once."""
    known = {}

    def rests(step):
        if id(step) not in known:
            known[id(step)] = step.rule is Rule.TEMPLATE or any(map(rests, step.premises))
        return known[id(step)]

    return rests


@pytest.mark.slow
@pytest.mark.parametrize("name", MISSED)
def test_a_template_can_be_followed_once_it_is_expanded(name):
    """Expanded templates can be followed by replies against random intruders."""
    generator = np.random.default_rng(9)
    template = MISSED[name]
    board = Board(template.position.board.columns + 1, template.position.board.rows)
    followed = 0
    for end, _, stones, _ in list(place_template(template, board))[::2]:
        position = Position(board, stones | board.only(end), board.only())
        store = closure(position, Color.BLACK, WITH)
        rests = resting_on_templates()
        known = (full for full in store if full.is_full and rests(full))
        for full in islice(known, 5):  # the rest of the store is not read
            followed += 1
            expanded = expand(position, Color.BLACK, full)

            assert not resting_on_templates()(expanded)
            assert expanded.ends == full.ends
            assert subset(expanded.carrier, full.carrier)
            assert check(position, Color.BLACK, expanded) > 1
            assert naive.survives(position, Color.BLACK, expanded, generator, 20)
    assert followed


@given(st.data())
def test_templates_that_do_not_match_change_no_connections(data):
    """Without a match nothing changes, not even the order of the connections."""
    board = Board(5, 3)
    cells = data.draw(st.lists(st.integers(0, board.size - 1), unique=True, max_size=6))
    position = Position(board, board.only(*cells[::2]), board.only(*cells[1::2]))

    assert list(closure(position, Color.BLACK, WITH)) == list(
        closure(position, Color.BLACK, WITHOUT)
    )


@NAMED
def test_a_false_template_is_refused(name):
    """With a cell less, as a semi, or with an end in its carrier a template proves nothing."""
    position, ends, _ = next(placed_on(Board(6, 7), name))
    known = next(
        full
        for full in closure(position, Color.BLACK, WITH).fulls(*ends)
        if full.rule is Rule.TEMPLATE
    )
    first, *others = known.carrier.search(1)
    smaller = replace(known, carrier=position.board.only(*others))

    assert check(position, Color.BLACK, known) == 1
    for false in (smaller, replace(known, key=first), replace(known, x=first)):
        with pytest.raises(CheckError, match="by the rule 'template'"):
            check(position, Color.BLACK, false)


@pytest.mark.parametrize("sides", [(26, 4), (4, 26), (26, 26), (1, 26)])
def test_boards_of_side_26_have_no_fewer_placements_than_side_25(sides):
    """A family member as wide as the board fits into the largest board there is."""
    of_25, of_26 = (
        len(placements(*(side - (side == 26) * less for side in sides))) for less in (1, 0)
    )

    assert of_26 >= of_25


def test_the_longest_family_member_grows_only_by_repeated_columns():
    """The longest member lacks only free columns at its left."""
    for known in closure_templates():
        if known.family is None:
            continue
        more = MAX_SIDE - known.width
        board = known.template.position.board
        first, longest = known.family.member(0), known.family.member(more)

        assert longest.position.board.columns <= MAX_SIDE
        assert longest.position.board.rows == board.rows
        repeated = longest.carrier.count() - first.carrier.count()
        assert repeated == more * (known.family.member(1).carrier.count() - first.carrier.count())
        assert longest.position.black.count() == first.position.black.count()


@pytest.mark.parametrize("color", list(Color))
def test_a_large_template_is_found_at_every_place(color):
    """A large template is found at both edges, reversed, by both players; not with a cell less."""
    board = Board(16, 9)
    for known in templates_in(LARGE):
        for stone, edge, _, cells in place_template(known.template, board):
            position = Position.of(board, black=board.name(stone))
            ends, carrier = (stone, edge), cells
            if color is Color.WHITE:
                position, ends = position.transposed(), tuple(map(board.transpose, ends))
                carrier = position.board.only(*map(board.transpose, cells.search(1)))
            less = carrier & ~position.board.only(next(carrier.search(1)))

            assert large_template(position, color, ends, carrier) == (known, carrier)
            assert large_template(position, color, ends, less) is None
