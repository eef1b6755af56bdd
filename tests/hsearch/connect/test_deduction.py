"""Must-play deduction adds only true and needed connections that follow from their premises."""

import random
import weakref
from dataclasses import replace
from itertools import combinations

import naive
import numpy as np
import psutil
import pytest
from complete_play import holds
from hypothesis import given
from hypothesis import strategies as st
from strategies import limits, positions

from hsearch import formats
from hsearch.connect import deduction as mustplay
from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection, Rule, steps_of
from hsearch.connect.deduction import Deduction
from hsearch.connect.exhaustive import MOST_POINTS, JoinGame
from hsearch.connect.limits import Depth, Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains, groups
from hsearch.strategy.check import CheckError, check

TEMPLATES = {t.id: t for t in suite.read(formats.find_shipped("templates/edge.txt").read_text())}


def ends_of(template):
    """Return the position, the stone and the edge of a template."""
    position = template.game.position()
    (edge,) = template.values("edge")
    return position, next(template.cells("stone").search(1)), position.board.point(edge)


@pytest.mark.parametrize("name", ["dk4-3", "dk4-8"])
def test_the_templates_that_two_rules_miss_are_proved(name):
    """A depth of one reply and a few H-searches prove each template in exactly its carrier."""
    position, *ends = ends_of(TEMPLATES[name])
    deduction = Deduction(Color.BLACK, Depth(1), Limits())
    full = deduction.full(position, *ends)

    assert full.carrier == TEMPLATES[name].cells("carrier")
    assert Rule.MUSTPLAY in {step.rule for step in steps_of(full)}
    assert check(position, Color.BLACK, full) > 1
    assert deduction.searches < 10


@pytest.mark.parametrize("name", ["dk4-3", "dk4-8"])
def test_depth_0_does_not_prove_the_templates_that_two_rules_miss(name):
    """With depth 0 the deduction is H-search alone."""
    position, *ends = ends_of(TEMPLATES[name])

    assert Deduction(Color.BLACK, Depth(0), Limits()).full(position, *ends) is None


def test_the_budget_ends_the_search():
    """After the allowed number of H-searches, nothing is found and the search reports why."""
    position, *ends = ends_of(TEMPLATES["dk4-3"])
    deduction = Deduction(Color.BLACK, Depth(3, searches=2), Limits())

    assert deduction.full(position, *ends) is None
    assert deduction.searches == 2
    assert deduction.is_spent


def random_stones(side, stones, seed):
    """Return a position of stones on random cells, alternately black and white."""
    board = Board(side, side)
    names = [board.name(cell) for cell in random.Random(seed).sample(range(side**2), stones)]  # noqa: S311
    return Position.of(board, black=names[::2], white=names[1::2])


@pytest.mark.slow
def test_stored_h_searches_stay_within_the_memory_limit(monkeypatch):
    """The results of 40 H-searches on 11x11 take 90 MB; most of them are discarded on the way."""
    stores = []

    def noted(*asked):
        store = closure(*asked)
        stores.append(weakref.ref(store))
        return store

    monkeypatch.setattr(mustplay, "closure", noted)
    position = random_stones(11, 16, 3)
    deduction = Deduction(Color.BLACK, Depth(3, searches=40), Limits())
    deduction.full(position, *position.board.edges(Color.BLACK))
    alive = [store for reference in stores if (store := reference()) is not None]

    assert deduction.searches == len(stores) == 40
    assert sum(store.memory.nbytes + store.log.nbytes for store in alive) <= mustplay.MOST_BYTES


def test_the_search_budget_does_not_depend_on_the_cache_size():
    """Searching discarded positions again costs no budget, so the answers are the same."""
    position = random_stones(5, 5, 16)
    full, searches = [], []
    for most_bytes in (10**9, 1):
        deduction = Deduction(Color.BLACK, Depth(3, 22), Limits(), most_bytes=most_bytes)
        full.append(deduction.full(position, *position.board.edges(Color.BLACK)))
        searches.append(deduction.searches)

    assert full[0] is not None
    assert full[0] == full[1]
    assert searches == [22, 22]


@pytest.mark.slow
@given(positions(max_side=4, stones="....BW"), limits(), st.integers(1, 2), st.data())
def test_deduced_fulls_hold(position, limits, replies, data):
    """A deduced full survives every line of play, checks, and can be followed by derivation."""
    color = data.draw(st.sampled_from(Color))
    points = sorted(set(captains(position, color).values()))
    deduction = Deduction(color, Depth(replies, searches=60), limits)
    generator = np.random.default_rng(7)
    for x in points:
        for y in points:
            full = deduction.full(position, x, y) if x < y else None
            if full is not None:
                assert naive.holds(position, color, full), full
                assert check(position, color, full) >= 1
                assert naive.survives(position, color, full, generator, 5)


def dk4_8():
    """Return the position of dk4-8 and the full that must-play deduction proves."""
    position, *ends = ends_of(TEMPLATES["dk4-8"])
    full = Deduction(Color.BLACK, Depth(1), Limits()).full(position, *ends)
    return position, full, next(step for step in full.premises if step.rule is Rule.MUSTPLAY)


def tampered(semi):
    """Return variants of a must-play step that a careless prover might make."""
    (full,) = semi.premises
    cells = list(semi.carrier.search(1))
    board = Board(4, 5)
    other = next(cell for cell in cells if cell != semi.key)
    return {
        "another key": replace(semi, key=other),
        "no key": replace(semi, key=None),
        "no premise": replace(semi, premises=()),
        "a cell less": replace(semi, carrier=board.only(*cells[1:])),
        "a semi as premise": replace(semi, premises=(replace(full, key=other),)),
        "a false premise": replace(semi, premises=(replace(full, premises=()),)),
        "another rule": replace(semi, rule=Rule.AND),
    }


@pytest.mark.slow
def test_deduction_finds_fulls_that_h_search_misses():
    """On fixed random positions deduction finds new fulls, and each of them holds."""
    generator = np.random.default_rng(1)
    board, gained = Board(4, 4), 0
    for _ in range(12):
        cells = generator.permutation(16)[: generator.integers(2, 8)].tolist()
        position = Position(board, board.only(*cells[::2]), board.only(*cells[1::2]))
        points = sorted(set(captains(position, Color.BLACK).values()))
        shallow, deep = (Deduction(Color.BLACK, Depth(n, 3000), Limits()) for n in (0, 2))
        for x, y in combinations(points, 2):
            full = deep.full(position, x, y)
            if full is not None and shallow.full(position, x, y) is None:
                gained += 1
                assert naive.holds(position, Color.BLACK, full)
                assert naive.survives(position, Color.BLACK, full, generator, 20)

    assert gained


@pytest.mark.parametrize(
    "fault",
    [
        "another key",
        "no key",
        "no premise",
        "a cell less",
        "a semi as premise",
        "a false premise",
        "another rule",
    ],
)
def test_a_tampered_step_is_refused(fault):
    """The checker replays the premise in the position after the key."""
    position, full, semi = dk4_8()
    false = tampered(semi)[fault]
    others = tuple(false if step is semi else step for step in full.premises)

    with pytest.raises(CheckError, match="does not follow"):
        check(position, Color.BLACK, replace(full, premises=others))


@given(positions(max_side=4, stones="....BW"), st.data())
def test_complete_play_agrees_with_the_naive_implementation(position, data):
    """Both agree for any two points and any carrier of empty cells, whoever moves first."""
    color = data.draw(st.sampled_from(Color))
    points = sorted(set(captains(position, color).values()))
    x = data.draw(st.sampled_from(points))
    y = data.draw(st.sampled_from(points))
    free = [cell for cell in position.empty.search(1) if cell not in {x, y}]
    cells = data.draw(st.lists(st.sampled_from(free), max_size=9)) if free else []
    if x == y:
        return
    promise = Connection(min(x, y), max(x, y), position.board.only(*cells))
    expected = naive.holds(position, color, promise)

    assert holds(position, color, promise) == expected
    outcome = JoinGame(position, color, promise.ends, promise.carrier).play()
    if outcome.joined:
        assert naive.holds(position, color, replace(promise, carrier=outcome.cells))


@pytest.mark.parametrize("seed", range(60))
def test_complete_play_reports_the_cells_the_winner_needs(seed):
    """Between Black's edges on 4x4 the winner needs only these; the loser may own all others."""
    generator = np.random.default_rng(seed)
    board = Board(4, 4)
    cells = generator.permutation(16)[:7].tolist()
    position = Position(board, board.only(*cells[:3]), board.only(*cells[3:]))
    north, south = position.board.edges(Color.BLACK)
    if captains(position, Color.BLACK)[south] == north:
        return
    promise = Connection(north, south, position.empty)
    game = JoinGame(position, Color.BLACK, (north, south), position.empty)
    first = game.play(opponent_first=False)
    outcome = game.play()
    semi = replace(promise, key=next(position.empty.search(1)))

    assert first.joined == naive.holds_somehow(position, Color.BLACK, semi)
    assert outcome.joined == naive.holds(position, Color.BLACK, promise)
    assert game.play(opponent_first=False) == first
    if outcome.joined:
        assert naive.holds(position, Color.BLACK, replace(promise, carrier=outcome.cells))
    else:
        richer = replace(position, black=position.black | (position.empty & ~outcome.cells))

        assert captains(richer, Color.BLACK)[south] != north
        assert not naive.holds(richer, Color.BLACK, replace(promise, carrier=outcome.cells))


def test_complete_play_is_undecided_when_its_budget_is_spent():
    """When the budget is spent the answer is None, neither yes nor no."""
    position, *ends = ends_of(TEMPLATES["ziggurat"])
    game = JoinGame(position, Color.BLACK, tuple(ends), TEMPLATES["ziggurat"].cells("carrier"))

    assert game.play(budget=3).joined is None
    assert game.play().joined is True


def test_complete_play_takes_memory_only_for_what_it_plays():
    """Of a carrier of 23 cells that a budget cuts short, hundreds of positions are remembered."""
    position = Position.of(Board(6, 4))
    north, south = position.board.edges(Color.BLACK)
    carrier = position.empty & ~position.board.only(0)
    JoinGame(position, Color.BLACK, (north, south), position.board.only(1)).play()  # compiles
    before = psutil.Process().memory_info().rss
    game = JoinGame(position, Color.BLACK, (north, south), carrier)
    game.play(budget=500)

    assert carrier.count() > 22
    assert psutil.Process().memory_info().rss - before < 20_000_000


def test_complete_play_refuses_too_large_carriers():
    """Carriers that do not fit into single words are refused."""
    position = Position.of(Board(9, 9))
    north, south = position.board.edges(Color.BLACK)

    with pytest.raises(ValueError, match="81 cells and groups to play in, at most 60"):
        JoinGame(position, Color.BLACK, (north, south), position.empty)


def test_groups_far_from_a_carrier_do_not_limit_complete_play():
    """A bridge to the edge is played out although the owner has 70 groups elsewhere."""
    board = Board(19)
    far = [
        board.at(column, row) for row in range(0, 16, 2) for column in range(row // 2 % 2, 19, 2)
    ]
    stone, south = board.cell("j18"), board.point("south")
    position = Position(board, board.only(stone, *far), board.only("a19"))

    game = JoinGame(position, Color.BLACK, (stone, south), board.named("i19 j19"))

    assert len(groups(position, Color.BLACK)) > MOST_POINTS
    assert game.play().joined
    assert not game.play(board.only("i19")).joined
