"""Beliefs about an opponent who follows a model: exact if all worlds are kept."""

import gc
import pickle
import tracemalloc

import numpy as np
import pytest
from hidden import worlds_of

from hsearch.hex.board import Board, Color, cells_in
from player.dark import belief
from player.dark.belief import Inference, sensible
from player.dark.rules import Base, DarkRules, Noise, View, own_symbol

GAMES = [(base, noise) for base in Base for noise in Noise]


def uneven(rules, color, seen):
    """Attempt later cells more often, and those next to found stones less."""
    cells = list(cells_in(rules.full & ~seen.own & ~seen.known))
    weights = [1 + c + 3 * color + 2 * (seen.known >> (c ^ 1) & 1) for c in cells]
    return {cell: weight / sum(weights) for cell, weight in zip(cells, weights, strict=True)}


def never_corners(rules, _color, seen):
    """Attempt no corner of 3x3 while another cell is left."""
    cells = list(cells_in(rules.full & ~seen.own & ~seen.known))
    kept = [cell for cell in cells if cell not in {0, 2, 6, 8}] or cells
    return dict.fromkeys(kept, 1 / len(kept))


def first_unknown(rules, _color, seen):
    """Attempt the first cell that is unknown."""
    return {next(cells_in(rules.full & ~seen.own & ~seen.known)): 1.0}


@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 1), (1, 4)])
def test_inferred_worlds_have_the_exact_chances(columns, rows, color, base, noise):
    """In each information state, exactly the possible worlds occur, with the exact chances."""
    rules = DarkRules(Board(columns, rows), base, noise)
    inference = Inference(rules, color, uneven)
    for history, truth in worlds_of(rules, color, uneven).items():
        worlds = inference.worlds(history, np.random.default_rng(0))
        everything = sum(truth.values())

        assert worlds == pytest.approx({w: chance / everything for w, chance in truth.items()})


def test_the_likeliest_worlds_are_kept():
    """The three likeliest worlds are kept in proportion; worlds with equal stones add up."""
    rules, rng = DarkRules(Board(3, 3)), np.random.default_rng(0)
    inference = Inference(rules, Color.WHITE, uneven, most=3)

    assert [stones for stones, _ in inference.guesses((), 9, rng)] == [1 << 8, 1 << 7, 1 << 6]
    assert inference.worlds((), rng)[1 << 8, 0] == pytest.approx(9 / 24)


def test_an_unexpected_stone_starts_a_new_belief():
    """A stone found where the model never plays starts a new belief that contains it."""
    rules, rng = DarkRules(Board(3, 3), Base.ABRUPT), np.random.default_rng(0)
    history = (own_symbol(0, placed=False), own_symbol(4, placed=True))
    inference = Inference(rules, Color.WHITE, never_corners)
    worlds = inference.worlds(history, rng)

    assert all(stones & 1 for stones, _ in worlds)
    assert sum(worlds.values()) == pytest.approx(1)


def test_the_belief_of_a_finished_game_is_dropped():
    """The belief of a finished game is dropped: once, those of all games stayed in memory."""
    rules, rng = DarkRules(Board(3, 3)), np.random.default_rng(0)
    inference, fresh = (Inference(rules, Color.BLACK, uneven) for _ in range(2))
    for cell in rules.board.cells:
        for history in ((), (own_symbol(cell, placed=True),)):
            inference.worlds(history, rng)
    fresh.worlds((own_symbol(0, placed=True),), rng)

    assert len(pickle.dumps(inference)) < 2 * len(pickle.dumps(fresh))


def test_a_long_game_is_followed_from_its_start():
    """A game of 600 attempts that is loaded, of which no turn is known yet."""
    rules, rng = DarkRules(Board(26, 26), Base.ABRUPT, Noise.SILENT), np.random.default_rng(0)
    history = tuple(own_symbol(cell, placed=True) for cell in range(600))
    inference = Inference(rules, Color.BLACK, first_unknown)

    assert inference.worlds(history, rng) == {(0, (1 << 600) - 1): 1.0}  # White hits each stone


def test_a_new_game_begins_with_an_exact_belief():
    """The first game has more worlds than are kept; the next one begins with a single world."""
    rules, rng = DarkRules(Board(3, 3)), np.random.default_rng(0)
    inference = Inference(rules, Color.BLACK, uneven, most=3)
    inference.worlds((own_symbol(4, placed=True),), rng)

    assert not inference.is_exact

    inference.worlds((), rng)

    assert inference.is_exact


def test_a_sensible_opponent_prefers_decisive_cells():
    """The center of 3x3 is likeliest, every unknown cell is possible, and known cells are not."""
    rules = DarkRules(Board(3, 3))
    first = sensible(rules, Color.BLACK, View())
    later = sensible(rules, Color.BLACK, View(1 << 4, 1 << 2))

    assert max(first, key=first.get) == 4
    assert min(first.values()) > 0
    assert sum(first.values()) == pytest.approx(1)
    assert set(later) == {0, 1, 3, 5, 6, 7, 8}


@pytest.mark.parametrize("side", [5, 11])
def test_the_cache_of_views_takes_at_most_300_mb(side):
    """On any board, the cache of views takes at most 300 MB."""
    rules = DarkRules(Board(side, side))
    first, *views = [View(1 << a, 1 << b) for a in range(5) for b in range(5, 20)]
    sensible(rules, Color.BLACK, first)
    gc.collect()
    tracemalloc.start()
    for view in views:
        sensible(rules, Color.BLACK, view)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    cache = belief._cache_model(rules.board.size).cache_info()  # noqa: SLF001

    assert cache.currsize > len(views)
    assert cache.maxsize >= 20_000
    assert taken / len(views) * cache.maxsize < 300_000_000
