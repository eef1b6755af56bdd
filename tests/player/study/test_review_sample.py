"""Forty games between two levels: deep reviews or proofs confirm the quick verdicts."""

import os
from dataclasses import replace
from itertools import pairwise

import pytest
from reviewed_games import samples
from test_review import confirmed

from hsearch.hex.board import Color
from hsearch.hex.game import Game
from player.answers.memory import Memory, Source
from player.solve.verify import verify
from player.study.examine import review_game
from player.study.review import EFFORTS, Verdict

QUICK = EFFORTS["quick"]
BY_CONNECTIONS = replace(QUICK, search=0)
NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"


def test_the_sample_is_forty_whole_games():
    """Each game has a winner or None for each position, and a winner for the last."""
    assert len(samples()) == 40
    for sample in samples():
        assert len(sample.winners) == len(sample.game.moves) + 1
        assert sample.winners[-1] is not None


def _contradictions(reviewed, winners):
    """Yield the moves whose verdict contradicts the proved winners before and after."""
    for move in reviewed.moves:
        mover = move.move.color
        before, after = winners[move.number - 1], winners[move.number]
        so = {
            Verdict.PROVED_LOSS: after is mover.opponent,
            Verdict.WIN_GIVEN_UP: before is mover,
            Verdict.UNPROVED: before is mover,
            Verdict.WINS: before is after is mover,
            Verdict.ONLY_MOVE: before is after is mover,
            Verdict.LOST: before is after is mover.opponent,
        }.get(move.verdict, True)
        is_mistake = before is mover and after is mover.opponent
        if not so or (move.is_mistake and not is_mistake):
            yield move


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "effort"),
    [*((number, BY_CONNECTIONS) for number in range(40))]
    + [(number, QUICK) for number in (range(40) if NIGHTLY else (0, 8, 16, 37))],
    ids=lambda value: value if isinstance(value, int) else f"{value.search:g}",
)
def test_no_verdict_is_contradicted_by_a_deep_review(number, effort):
    """The recorded deep reviews agree, and the plain rules confirm each proved loss.

    If quick proves what the recorded deep review left open, its proof is verified, except for what
    is from the map of openings, whose proof is too long. With the solver a game takes
    seconds, so only the nightly run does all games with it.
    """
    sample, memory = samples()[number], Memory()
    reviewed = review_game(sample.game, effort, memory=memory)

    winners = list(sample.winners)
    for state in reviewed.states:
        if state.winner is not None and winners[state.moves] is None:
            if state.proof.by is Source.MAP:
                assert state.moves <= 1
                winners[state.moves] = state.winner
                continue
            shown = verify(memory.proof(state.position))
            assert shown.position == state.position
            winners[state.moves] = shown.winner
        assert state.winner in {None, winners[state.moves]}
    for before, after in pairwise(reviewed.states):
        if before.winner not in {None, before.position.turn}:
            assert after.winner is before.winner  # as every move loses
    assert list(_contradictions(reviewed, winners)) == []
    with memory.solver(sample.game.board) as solver:
        for move in reviewed.moves:
            if move.verdict is Verdict.PROVED_LOSS:
                confirmed(reviewed, move.number, solver)


@pytest.mark.slow
def test_a_win_no_longer_proved_is_not_a_mistake():
    """White's 26th move in the fourth game wins, although connections no longer prove it."""
    sample = samples()[3]
    game = Game.of_position(sample.game.position(25))  # earlier moves are not needed
    for each in sample.game.moves[25:]:
        game = game.append(each)
    move, solved = (review_game(game, effort).moves[0] for effort in (BY_CONNECTIONS, QUICK))

    assert (move.verdict, move.is_mistake) == (Verdict.UNPROVED, False)
    assert (solved.verdict, solved.is_mistake) == (Verdict.WINS, False)
    assert sample.winners[25] is sample.winners[26] is Color.WHITE
