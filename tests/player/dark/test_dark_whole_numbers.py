"""Exact best responses in whole numbers, compared with recursion in fractions."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from dark_plans import built, plan_of

from hsearch.hex.board import Board, Color
from player.dark import certificate, proof, response, whole_numbers
from player.dark.book import ROOM, BeliefSearch, Fallback, TooLongError, hash_table
from player.dark.double_oracle import DoubleOracle
from player.dark.rules import Base, DarkRules, Noise
from player.dark.tabular import TOTAL, TabularPolicy
from player.kernels.dark_belief import Opponent, Worlds, expand

GAMES = [(base, noise) for base in Base for noise in Noise]


@cache
def begun(rules, rounds=6):
    """Return a double oracle after some rounds."""
    oracle = DoubleOracle(rules)
    for _ in range(rounds):
        oracle.step()
    return oracle


@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 2)])
def test_whole_numbers_and_fractions_give_the_same_chance(columns, rows, base, noise):
    """The values agree for mixed policies of a double oracle, and for uniform ones."""
    oracle = begun(DarkRules(Board(columns, rows), base, noise))
    for color, book in zip(Color, oracle.books, strict=True):
        mask = book.mask()
        even = mask / mask.sum(axis=1, keepdims=True)
        for chances in (oracle.policies[color], even):
            spoken = proof.policy_of(oracle, color, chances, None)
            whole = whole_numbers.best_chance(spoken)

            assert whole is not None
            assert whole == certificate.plain_chance(spoken)


def test_an_integer_plan_is_near_its_policy():
    """The shares of the plan are those of the policy, except for tiny ones left out."""
    oracle = begun(DarkRules(Board(3, 2), Base.ABRUPT, Noise.NOISY))
    book, chances = oracle.books[0], oracle.policies[0]
    plan, exact = proof.whole_plan(book, chances), book.plan(chances)

    assert sum(plan[0].values()) == TOTAL
    for node, shares in plan.items():
        for cell, weight in shares.items():
            assert weight >= proof.LEAST
            assert weight / TOTAL == pytest.approx(exact[node, cell], abs=1e-8)
    assert sum(len(shares) for shares in plan.values()) <= np.count_nonzero(exact)


@pytest.mark.parametrize(
    ("chances", "fits"),
    [
        ({(): {0: Fraction(1, 3), 1: Fraction(2, 3)}}, True),
        ({(): {0: Fraction(1)}, (2,): {3: Fraction(1)}}, True),  # it never reaches this entry
        ({(): {0: Fraction(1)}, (2,): {3: Fraction(1)}, (2, 6): {1: Fraction(1)}}, True),
        ({(): {0: Fraction(1, 2**60), 1: 1 - Fraction(1, 2**60)}}, False),
        ({(): {0: Fraction(1)}, (0, 2): {3: Fraction(1)}}, False),  # no entry after a1 alone
        ({(0,): {3: Fraction(1)}}, False),
        ({}, False),
    ],
)
def test_integers_are_used_only_for_plans_that_fit(chances, fits):
    """Denominators beyond 2^53, and entries after an attempt without an entry, do not fit."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    spoken = TabularPolicy(rules, Color.BLACK, (3, 2, 1, 0), chances)
    whole = whole_numbers.best_chance(spoken)

    assert whole == (certificate.plain_chance(spoken) if fits else None)


@pytest.mark.parametrize("noise", Noise)
@pytest.mark.parametrize("color", Color)
def test_near_best_first_attempts_agree_with_the_tree(color, noise):
    """The first attempts include all within the slack, once each; the value is the same."""
    rules = DarkRules(Board(3, 2), Base.ABRUPT, noise)
    oracle, game = begun(rules, 15), built(3, 2, Base.ABRUPT, noise)
    spoken = proof.policy_of(oracle, color.opponent, oracle.policies[color.opponent], 10**9)
    earned = response.gradient(game, color, plan_of(game, spoken))
    own = game.sides[color]
    response.dark_book.respond(own.sets, earned, np.zeros(len(own.parent), np.int64))
    first = slice(own.first[0], own.first[0] + own.count[0])
    values = (1 + earned[first]) / 2
    orders = oracle.books[color].orders
    best = oracle.respond(color, orders)
    assert best.chance < 0.999  # otherwise only sure wins would be found
    for slack in (0.05, 0.2, 0.5):
        near = oracle.respond(color, orders, slack=slack)
        attempts, row = [], 0
        while row < len(near.rows):
            attempts.append(int(near.rows[row, 1]))
            row += int(near.rows[row, 2])
        within = {
            int(cell)
            for cell, value in zip(own.cell[first], values, strict=True)
            if value > values.max() - slack and value > 1e-9
        }

        assert near.chance == pytest.approx(best.chance)
        assert len(near.rows) >= len(best.rows)
        assert set(attempts) >= within
        assert len(within) > 1 or slack < 0.5
        assert len(attempts) == len(set(attempts))


def test_too_many_worlds_are_reported_without_an_overrun():
    """Worlds of a collision do not fit once the opponent has moved in the other worlds."""
    rules, color, room = DarkRules(Board(3, 2), Base.ABRUPT), Color.BLACK, 22
    plan, orders = np.ones((1, 6)), np.arange(6, dtype=np.int8)[None]
    numbers, masks = np.zeros((2 * room, 3), np.int64), np.zeros((2 * room, 2), np.uint64)
    weights, codes = np.ones(2 * room), np.full(2 * room, -7)
    numbers[:, 0] = -2  # the opponent has not moved: the plan of the first node is next
    masks[1:11, 0] = 1  # a stone on a1 in ten worlds of eleven
    worlds = Worlds(numbers[:room], masks[:room], weights[:room], codes[:room])
    book = (*hash_table(np.zeros((1, 2), np.int64)), plan, orders)
    opponent = Opponent(BeliefSearch(rules).game, book, int(color))
    end, _ = expand(opponent, np.uint64(0), 0, worlds, 0, 11, 11)

    assert end == -2
    assert (codes[room:] == -7).all()


def test_a_limited_search_stops_at_the_largest_room(monkeypatch):
    """It does not repeat the search in twice the room, only to leave the result unused."""
    rooms = []

    def respond(_opponent, worlds, *_rest):
        rooms.append(len(worlds[0]))
        return 0.0, -1  # too little room

    monkeypatch.setattr("player.dark.book.respond", respond)
    monkeypatch.setattr("player.dark.book.MOST_ROOM", 4 * ROOM)
    rules = DarkRules(Board(2, 2))
    search, tries = BeliefSearch(rules), Fallback(rules, Color.BLACK).orders
    with pytest.raises(TooLongError, match="takes more than 9 steps"):
        search.respond((), Color.BLACK, tries, most=9)
    assert rooms == [ROOM, 2 * ROOM, 4 * ROOM]


def test_the_response_to_a_trembling_opponent_has_more_nodes():
    """The response to a trembling opponent has more nodes than that to the exact policy."""
    oracle = begun(DarkRules(Board(3, 2), Base.ABRUPT, Noise.NOISY))
    orders = oracle.books[1].orders
    sure = oracle.respond(Color.WHITE, orders)
    trembled = oracle.respond(Color.WHITE, orders, tremble=0.1)

    assert len(trembled.rows) > len(sure.rows)
    assert trembled.chance != pytest.approx(sure.chance)
