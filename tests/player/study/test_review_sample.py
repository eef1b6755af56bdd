"""Forty games between two levels: what quick says of them is never contradicted by deep."""

import pytest
from reviewed_games import samples
from test_review import confirmed

from hsearch.hex.board import Color
from player.study.examine import review_game
from player.study.review import EFFORTS, Verdict

QUICK = EFFORTS["quick"]


def test_the_sample_is_forty_whole_games():
    """Each with a winner for its last position, and who wins never changes without a mistake."""
    assert len(samples()) == 40
    for sample in samples():
        assert len(sample.winners) == len(sample.game.moves) + 1
        assert sample.winners[-1] is not None


def _contradictions(reviewed, winners):
    """Yield the moves whose verdict is not so, by who is proved to win each position."""
    for move in reviewed.moves:
        mover = move.move.color
        before, after = winners[move.number - 1], winners[move.number]
        so = {
            Verdict.PROVED_LOSS: after is mover.opponent,
            Verdict.MISSED_WIN: before is mover,
            Verdict.UNPROVED: before is mover,
            Verdict.WINS: before is after is mover,
            Verdict.ONLY_MOVE: before is after is mover,
            Verdict.LOST: before is after is mover.opponent,
        }.get(move.verdict, True)
        is_mistake = before is mover and after is mover.opponent
        if not so or (move.is_mistake and not is_mistake):
            yield move


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_no_verdict_is_contradicted_by_a_deep_review(number):
    """Of 40 games between two levels at quick; each proved loss confirmed by the plain rules."""
    sample = samples()[number]
    reviewed = review_game(sample.game, QUICK)

    for state, winner_of in zip(reviewed.states, sample.winners, strict=True):
        assert state.winner in {None, winner_of}
    assert list(_contradictions(reviewed, sample.winners)) == []
    for move in reviewed.moves:
        if move.verdict is Verdict.PROVED_LOSS:
            confirmed(reviewed, move.number)


@pytest.mark.slow
def test_a_win_no_longer_proved_is_no_mistake_as_it_may_win_still():
    """At quick White's 26th in the fourth game leaves a proved win; deep sees that it wins."""
    sample = samples()[3]
    move = review_game(sample.game, QUICK).moves[25]

    assert (move.verdict, move.is_mistake) == (Verdict.UNPROVED, False)
    assert sample.winners[25] is sample.winners[26] is Color.WHITE
