"""Beliefs: guesses of hidden stones fit the history and have the right frequencies."""

from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from hidden import any_cell, worlds_of
from hypothesis import given
from hypothesis import strategies as st

from hsearch.hex.board import Board, Color, cells_in
from player.dark.belief import NothingPossibleError, guesses
from player.dark.policy import draw, uniform
from player.dark.rules import Base, DarkRules, Noise, Play, own_symbol, view, winning_cells

GAMES = [(base, noise) for base in Base for noise in Noise]


@cache
def posteriors(rules, color):
    """Return, for each history of a player to move, the chance of each set of hidden stones.

    The opponent attempts each cell that is empty to them with equal chance.
    """
    found = {}
    for history, worlds in worlds_of(rules, color, any_cell).items():
        found[history] = defaultdict(float)
        for (stones, _), chance in worlds.items():
            found[history][stones] += chance
    return found


@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize("color", Color)
def test_guesses_have_the_exact_weights(color, base, noise):
    """In each information state of 2x2, exactly the possible placements occur, as often as due."""
    rules = DarkRules(Board(2, 2), base, noise)
    generator = np.random.default_rng(3)
    for history, truth in posteriors(rules, color).items():
        drawn = guesses(rules, color, history, 400, generator)
        total = sum(weight for _, weight in drawn)
        shares = defaultdict(float)
        for stones, weight in drawn:
            shares[stones] += weight / total

        assert shares.keys() == truth.keys(), history
        everything = sum(truth.values())
        for stones, chance in truth.items():
            assert shares[stones] == pytest.approx(chance / everything, abs=0.13)


def test_a_stone_must_be_placed_before_it_is_found():
    """White placed the stone that Black found in one of two turns: then the other may collide."""
    rules, black, found = DarkRules(Board(3, 2), Base.ABRUPT, Noise.SILENT), (0, 1), 5
    chances = defaultdict(float)

    def attempt(turn, stones, seen, chance):
        """Add the chances of the stones after three attempts of White at a cell that is open."""
        if turn == 2 and not stones >> found & 1:
            return
        if turn == 3:
            chances[stones] += chance
            return
        open_cells = [*cells_in(rules.full & ~stones & ~seen)]
        for bit in (1 << cell for cell in open_cells):
            collides = any(bit == 1 << cell for cell in black[: turn + 1])
            after = (stones, seen | bit) if collides else (stones | bit, seen)
            is_possible = not any(after[0] >> cell & 1 for cell in black)
            if is_possible and not rules.connects(Color.WHITE, after[0]):
                attempt(turn + 1, *after, chance / len(open_cells))

    attempt(0, 0, 0, 1.0)
    history = (*(own_symbol(cell, placed=True) for cell in black), own_symbol(found, placed=False))
    drawn = guesses(rules, Color.BLACK, history, 8000, np.random.default_rng(1))
    total = sum(weight for _, weight in drawn)
    for stones, chance in chances.items():
        share = sum(weight for guess, weight in drawn if guess == stones) / total
        assert share == pytest.approx(chance / sum(chances.values()), abs=0.02)


@st.composite
def plays(draw_from, columns=5, rows=5):
    """Draw one of the six games between random players, stopped before its end."""
    base, noise = draw_from(st.sampled_from(GAMES))
    board = Board(draw_from(st.integers(2, columns)), draw_from(st.integers(2, rows)))
    rules = DarkRules(board, base, noise)
    generator = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    policy, play = uniform(rules), Play(rules)
    for _ in range(draw_from(st.integers(0, 2 * board.size))):
        color = play.state.turn
        after = play.attempt(draw(policy(color, play.information_state(color)), generator))
        if rules.is_over(after.state):
            break
        play = after
    return play


@given(plays(), st.integers(0, 2**32))
def test_guesses_are_consistent_with_the_history(play, seed):
    """Found stones are included, own cells are not; nobody has won, and the count is possible."""
    rules, color = play.rules, play.state.turn
    history = play.information_state(color)
    seen = view(history)
    true = play.state.stones[color.opponent].bit_count()
    for stones, weight in guesses(rules, color, history, 5, np.random.default_rng(seed)):
        assert stones & seen.known == seen.known
        assert not stones & seen.own
        assert weight > 0
        assert not rules.connects(color.opponent, stones)
        if rules.base is Base.CLASSIC or rules.noise is not Noise.SILENT:
            assert stones.bit_count() == true


def test_an_impossible_history_is_rejected():
    """White collides twice where Black cannot have two stones."""
    rules = DarkRules(Board(2, 2))
    history = (own_symbol(0, placed=False), own_symbol(1, placed=False))

    with pytest.raises(NothingPossibleError):
        guesses(rules, Color.WHITE, history, 1, np.random.default_rng(0))


@given(plays(), st.sampled_from(list(Color)))
def test_winning_cells_equal_those_found_by_trying_each_cell(play, color):
    """Trying each cell alone gives the same cells."""
    stones, rules = play.state.stones[color], play.rules
    won = winning_cells(rules.board, color, stones)

    assert {*cells_in(won & rules.full)} == {
        cell
        for cell in rules.board.cells
        if not stones >> cell & 1 and rules.connects(color, stones | 1 << cell)
    }
