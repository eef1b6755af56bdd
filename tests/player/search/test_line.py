"""The position under search: its views, and playing and undoing moves."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from london import game
from strategies import early_positions, positions

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.limits import Limits
from hsearch.hex.position import winner
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition

LONDON = game("london-2000-queenbee-hexy")


@given(positions(), st.lists(st.integers(0, 15), max_size=4))
def test_the_turned_key_equals_the_key_of_the_rotated_position(position, choices):
    """The key after rotation is that of the rotated position, also after moves, and vice versa."""
    line = SearchPosition(position, Limits(), weak_links)
    for choice in choices:
        if not (empty := [*position.empty.search(1)]):
            break
        cell = empty[choice % len(empty)]
        position = position.play(cell)
        line.play(cell)

    turned = SearchPosition(position.rotated(), Limits(), weak_links)
    assert (line.key, line.turned_key) == (turned.turned_key, turned.key)


@given(early_positions(), st.sampled_from([Limits(), Limits(M=1, K=2)]))
def test_a_view_agrees_with_the_analysis(position, limits):
    """Winner, must-play region and evaluation agree with ConnectionAnalysis."""
    assume(position.empty.any())
    view = SearchPosition(position, limits, weak_links).probe()
    analysis = ConnectionAnalysis(position, limits)
    if view.winner is None:
        assert analysis.winner is None
        assert position.board.only(*view.moves) == analysis.mustplay.cells
        assert view.evaluation == pytest.approx(analysis.circuits.evaluation)
    elif analysis.winner is None:
        # The threats have no common cell, and a limit hid the full that they make.
        assert not analysis.mustplay.cells.any()
        assert view.winner is position.turn.opponent
    else:
        assert view.winner is analysis.winner
        assert not view.moves


@pytest.mark.parametrize("incremental", [False, True])
def test_undoing_moves_restores_the_earlier_state(incremental):
    """After moves and undos, the evaluation and the key are as before."""
    line = SearchPosition(LONDON.position(12), Limits(), weak_links, incremental=incremental)
    line.play(0)
    line.undo()
    before, key = line.probe(), line.key
    for move in before.moves[:4]:
        line.play(move)
        after = line.probe()
        for reply in after.moves[:3]:
            line.play(reply)
            line.probe()
            line.undo()

        assert line.probe() == after
        line.undo()
        line.play(move)
        line.undo()

    assert (line.probe(), line.key) == (before, key)


@given(early_positions(), st.lists(st.integers(0, 35), max_size=6))
def test_a_view_kept_up_to_date_agrees_with_one_from_scratch(position, choices):
    """The incremental view and the new one never prove different winners."""
    kept, scratch = (
        SearchPosition(position, Limits(M=6, K=3), weak_links, incremental=incremental)
        for incremental in (True, False)
    )
    for choice in choices:
        one, other = kept.probe(), scratch.probe()

        assert len({one.winner, other.winner} - {None}) <= 1
        assert kept.key == scratch.key
        empty = [c for c in position.board.cells if position.empty[c]]
        if not empty or winner(position) is not None:
            break
        cell = empty[choice % len(empty)]
        position = position.play(cell)
        for line in (kept, scratch):
            line.play(cell)


def test_transposing_negates_the_view_and_transposes_its_moves():
    """Transposing negates the evaluation and transposes the moves."""
    position = LONDON.position(21)
    view = SearchPosition(position, Limits(), weak_links).probe()
    other = SearchPosition(position.transposed(), Limits(), weak_links).probe()

    assert other.evaluation == pytest.approx(-view.evaluation)
    assert {position.board.transpose(move) for move in view.moves} == set(other.moves)
