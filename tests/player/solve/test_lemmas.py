"""Lemmas from decided positions: they hold, and the kernels agree with the plain rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_lemmas import Lemma, known

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color, from_number
from hsearch.hex.position import Position
from player.solve.budget import Techniques
from player.solve.lemmas import Lemmas
from player.solve.solver import Solver, winning_openings

BOARD = Board(3, 4)
CELLS = st.integers(0, (1 << BOARD.size) - 1)
WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)


def _apart(owner, stones, cells):
    return Lemma(owner, stones, cells & ~stones)


SPARSE = st.builds(lambda a, b, c: a & b & c, CELLS, CELLS, CELLS)
LEMMA = st.builds(_apart, st.integers(0, 1), SPARSE, SPARSE)


def _plain(lemmas, turn, stones, common):
    """Return what lemmas imply for a position, by the definition of the rule."""
    before, union = common, 0
    for owner in (turn, 1 - turn):
        for lemma in (each for each in lemmas if each.owner == owner):
            lacks = lemma.lacks(stones[owner], stones[1 - owner])
            if lacks is None or lacks.bit_count() > 1:
                continue
            takes = (lemma.stones | lemma.cells) & ~stones[owner]
            if not lacks or owner == turn:
                first = lacks.bit_length() - 1 if lacks else None
                return owner == turn, takes, first, before, 0
            if common & ~takes:
                common, union = common & takes, union | takes
    return None, 0, None, common, union


def _told(told):
    return told.is_won, told.carrier, told.first, told.common, told.union


def _with(lemmas, board=BOARD, most=1000):
    """Return a store of just these lemmas, without their rotations."""
    made = Lemmas(board, most)
    for lemma in lemmas:
        made._add(lemma.owner, _row(made, lemma))  # noqa: SLF001 - any lemmas, even false ones
    return made


def _row(made, lemma):
    return np.concatenate([made._row(lemma.stones), made._row(lemma.cells)])  # noqa: SLF001


@given(st.lists(LEMMA, max_size=6), CELLS, SPARSE, st.integers(0, 1))
def test_the_kernel_applies_lemmas_like_the_rule(lemmas, black, taken, turn):
    """The kernel agrees with the rule for any lemmas."""
    stones = black & ~taken, taken & ~black
    common = (1 << BOARD.size) - 1 & ~(stones[0] | stones[1])

    assert _told(_with(lemmas).ask(turn, stones, common)) == _plain(lemmas, turn, stones, common)


@given(st.lists(LEMMA, min_size=1, max_size=4), st.integers(0, 3), st.integers(0, 1))
def test_the_kernel_counts_the_stones_that_a_lemma_lacks(lemmas, lacking, turn):
    """The owner has all stones of a lemma but a few, which is rare in random positions."""
    first, own = lemmas[0], lemmas[0].stones
    for _ in range(lacking):
        own &= own - 1
    stones = (own, 0) if first.owner == 0 else (0, own)
    common = (1 << BOARD.size) - 1 & ~own

    assert _told(_with(lemmas).ask(turn, stones, common)) == _plain(lemmas, turn, stones, common)


@given(st.lists(LEMMA, min_size=1, max_size=6), CELLS, st.integers(0, 1))
def test_a_query_since_a_time_uses_only_newer_lemmas(lemmas, black, turn):
    """A query since some time uses only the lemmas learned after it."""
    made = _with(lemmas[:-1])
    since = made.counts
    made._add(lemmas[-1].owner, _row(made, lemmas[-1]))  # noqa: SLF001
    common = (1 << BOARD.size) - 1 & ~black

    told = made.ask(turn, (black, 0), common, since)

    assert _told(told) == _plain(lemmas[-1:], turn, (black, 0), common)


@given(st.lists(LEMMA, max_size=6), st.lists(LEMMA, max_size=6), st.integers(2, 6))
def test_another_process_receives_new_lemmas(early, late, most):
    """Another process receives all new lemmas, except those already dropped as old."""
    made = _with(early, most=most)
    since = made.counts
    for lemma in late:
        made._add(lemma.owner, _row(made, lemma))  # noqa: SLF001
    other = _with([])

    other.hear(made.since(since))

    for owner in (0, 1):
        new = [each for each in late if each.owner == owner]
        kept = known(made, owner)
        assert known(other, owner) == new[max(0, len(new) - len(kept)) :]


@given(st.lists(LEMMA, max_size=6), st.lists(LEMMA, max_size=6), st.integers(2, 6))
def test_new_lemmas_can_be_forgotten(early, late, most):
    """All older lemmas are back, also those that were dropped meanwhile to make room."""
    made = _with(early, most=most)
    before, mark = [known(made, owner) for owner in (0, 1)], made.mark()
    counts = made.counts
    for lemma in late:
        made._add(lemma.owner, _row(made, lemma))  # noqa: SLF001
    grown = [known(made, owner) for owner in (0, 1)]

    made.restore(mark)

    assert ([known(made, owner) for owner in (0, 1)], made.counts) == (before, counts)
    for lemma in late:
        made._add(lemma.owner, _row(made, lemma))  # noqa: SLF001
    assert [known(made, owner) for owner in (0, 1)] == grown


@given(st.builds(_apart, st.integers(0, 1), CELLS, CELLS))
def test_the_kernel_reduces_lemmas_like_the_rule(lemma):
    """Stones and cells may be any, whether they are a lemma or not."""
    made = Lemmas(BOARD)
    made.learn(lemma.owner, lemma.stones, lemma.cells)
    expected = lemma.needed(BOARD)

    assert known(made, lemma.owner)[0] == expected


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 4), (5, 5)])
def test_a_search_without_lemmas_confirms_every_lemma(columns, rows):
    """A search without lemmas confirms every lemma the solver learns while it computes a map.

    The owner wins with only the stones of the lemma when the opponent moves first and has
    all cells outside the lemma; so the owner wins wherever the lemma applies.
    """
    board = Board(columns, rows)
    solver = Solver(board, limits=WEAK)
    winning_openings(solver)
    judge = Solver(board, techniques=Techniques().without(["lemmas"]))
    everything = (1 << board.size) - 1
    lemmas = [each for owner in (0, 1) for each in known(solver._search.shared.lemmas, owner)]  # noqa: SLF001
    for lemma in lemmas:
        stones = [0, 0]
        stones[lemma.owner] = lemma.stones
        stones[1 - lemma.owner] = everything & ~(lemma.stones | lemma.cells)
        black, white = (from_number(each, board.size) for each in stones)
        position = Position(board, black, white, Color(1 - lemma.owner))

        assert judge.outcome(position) == lemma.owner
    assert len(lemmas) > 2 * board.size


def test_lemmas_save_a_tenth_of_the_positions():
    """On 5x5 with weak connections, lemmas save a tenth of the positions; the map is the same."""
    board = Board(5, 5)
    with_them = Solver(board, limits=WEAK)
    without = Solver(board, limits=WEAK, techniques=Techniques().without(["lemmas"]))

    assert winning_openings(with_them) == winning_openings(without)
    assert with_them.nodes < without.nodes * 0.9


def test_a_winning_reply_is_recalled_as_a_winning_opening():
    """White's winning reply to a losing opening, transposed, is a winning opening for Black."""
    board = Board(5, 5)
    empty = Position.of(board)
    replies = 0
    for cell in board.cells:
        solver = Solver(board)
        lost = empty.play(cell)
        reply = solver.winning_move(lost)
        if reply is None:
            continue
        before = solver.nodes
        again = solver.recall(empty.play(board.transpose(reply)))

        assert again is not None
        assert again.winner is Color.BLACK
        assert solver.nodes == before
        replies += 1
    assert replies == 12


def test_the_oldest_lemmas_are_dropped_beyond_the_limit():
    """The store drops its oldest lemmas beyond the limit; queries since a time stay correct."""
    lemmas = [Lemma(0, 1 << cell, 0) for cell in range(BOARD.size)]
    made = _with(lemmas, most=4)

    assert made.counts == (BOARD.size, 0)
    assert known(made, 0) == lemmas[-len(known(made, 0)) :]
    assert 2 <= len(known(made, 0)) <= 4
    assert made.ask(0, (1 << 11, 0), 0).is_won
    assert made.ask(0, (1 << 11, 0), 0, (12, 0)).is_won is None
