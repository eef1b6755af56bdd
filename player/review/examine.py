"""Review a game: states from the end backward, then a verdict for each move."""

import statistics
import threading
from collections.abc import Sequence
from itertools import pairwise

from hsearch.board import Cell, Color
from hsearch.game import Game, Special
from player.review.effort import Effort
from player.review.lines import winning_line
from player.review.proving import OnProgress, Prover
from player.review.review import MoveReview, Review, ReviewedPosition, proof_at
from player.review.verdict import Verdict
from player.solve import Solver, write_proof

FALL = 0.15  # of the mover's chance, beyond the usual, from which a move is worth a line


def review(
    game: Game,
    effort: Effort,
    *,
    on_progress: OnProgress = lambda _left: None,
    proofs: bool = False,
    cancel: threading.Event | None = None,
) -> Review:
    """Return the review of the main line of a game.

    `on_progress` is called with the number of positions left. With `proofs`, each
    proved loss that rests on the solver brings its written proof along. Raise
    ReviewCancelledError once `cancel` is set, and ValueError when the record cannot be
    replayed.
    """
    prover = Prover(game, effort, cancel)
    states = prover.states(on_progress)
    judge = _Judge(game, effort, prover, states)
    moves = tuple(judge.move(number) for number in range(1, len(states)))
    reviewed = Review(game, effort, states, moves, judge.nodes)
    if not proofs:
        return reviewed
    return reviewed.annotated(proofs=tuple(_proofs(reviewed, prover.solver)))


class _Judge:
    """Gives each move its verdict."""

    def __init__(
        self, game: Game, effort: Effort, prover: Prover, states: tuple[ReviewedPosition, ...]
    ) -> None:
        self._game, self._effort, self._states = game, effort, states
        self._solver, self._plain = prover.solver, prover.plain
        self._check, self._cancel = prover.check, prover.cancel
        self.nodes = 0 if prover.solver is None else prover.solver.nodes
        self._usual = _usual_fall(states)

    def move(self, number: int) -> MoveReview:
        self._check()
        move = self._game.moves[number - 1]
        before, after = self._states[number - 1], self._states[number]
        cell = self._plain[number - 1]
        if cell is None:
            return self._special(number, before)
        mover = before.position.turn
        fell = before.chance_of(mover) - after.chance_of(mover)
        if before.winner is mover.opponent or before.position == after.position:
            return MoveReview(number, move, Verdict.LOST, self._lost(before), fell=fell)
        if after.winner is mover.opponent:
            return self._loses(number, cell, before, after, fell)
        if before.winner is mover and after.winner is not mover:
            return self._unproved(number, before, after, fell)
        verdict, basis = self._sound(cell, before, after, fell)
        return MoveReview(number, move, verdict, basis, fell=fell)

    def _special(self, number: int, before: ReviewedPosition) -> MoveReview:
        move = self._game.moves[number - 1]
        mover = move.color
        if move.special is Special.RESIGN and before.winner is mover:
            assert before.proved is not None  # noqa: S101 - it has a winner
            basis = f"resigned in a won position: {before.proved.words}"
            better = self._line(before, mover)
            return MoveReview(
                number,
                move,
                Verdict.MISSED_WIN,
                basis,
                fell=before.chance,
                is_mistake=True,
                better=better,
            )
        said = "no stone is placed" if move.cell is None else "other stones were set up as well"
        return MoveReview(number, move, Verdict.NONE, said)

    def _lost(self, before: ReviewedPosition) -> str:
        assert before.proved is not None  # noqa: S101 - it has a winner
        return f"every move loses: {before.proved.words}"

    def _loses(
        self,
        number: int,
        cell: Cell,
        before: ReviewedPosition,
        after: ReviewedPosition,
        fell: float,
    ) -> MoveReview:
        mover = before.position.turn
        winner = mover.opponent
        assert after.proved is not None  # noqa: S101 - it has a winner
        how = f"{_name(winner)} wins by {self._words(number)}"
        if not before.mustplay[cell]:
            how = f"not one of the {before.mustplay.count()} must-play cells: {how}"
        is_mistake = before.winner is mover
        if is_mistake:
            assert before.proved is not None  # noqa: S101 - it has a winner
            how += f"; before it {_name(mover)} had a proved win by {before.proved.words}"
        else:
            how += "; whether another move holds is not known"
        return MoveReview(
            number,
            self._game.moves[number - 1],
            Verdict.PROVED_LOSS,
            how,
            fell=fell,
            is_mistake=is_mistake,
            refutation=self._line(after, winner),
            better=self._line(before, mover) if is_mistake else (),
        )

    def _unproved(
        self, number: int, before: ReviewedPosition, after: ReviewedPosition, fell: float
    ) -> MoveReview:
        mover = before.position.turn
        assert before.proved is not None  # noqa: S101 - it has a winner
        basis = (
            f"a win of {_name(mover)}'s was proved before, by {before.proved.words}; "
            "after this move nothing is proved, and it may win still, "
            f"estimated {100 * after.chance_of(mover):.0f} %"
        )
        return MoveReview(
            number,
            self._game.moves[number - 1],
            Verdict.UNPROVED,
            basis,
            fell=fell,
            better=self._line(before, mover),
        )

    def _sound(
        self, cell: Cell, before: ReviewedPosition, after: ReviewedPosition, fell: float
    ) -> tuple[Verdict, str]:
        """Return the verdict on a move that is not proved to harm."""
        mover = before.position.turn
        others = before.position.empty & ~before.losing & ~before.position.board.only(cell)
        if not others.any() and before.position.empty.count() > 1:
            if after.winner is mover:
                assert after.proved is not None  # noqa: S101 - it has a winner
                words = after.proved.words
                return Verdict.ONLY_MOVE, f"it wins by {words}; any other move is proved to lose"
            return Verdict.FORCED, "any other move is proved to lose; whether it holds is open"
        if after.winner is mover:
            assert after.proved is not None  # noqa: S101 - it has a winner
            return Verdict.WINS, f"{_name(mover)} wins by {after.proved.words}"
        was, became = (100 * state.chance_of(mover) for state in (before, after))
        chances = f"{was:.0f} % before, {became:.0f} % after"
        if fell - self._usual >= FALL:
            usual = f"; a usual move of this game falls by {100 * self._usual:.0f} points"
            said = f"only an estimate, by the circuits: {chances}{usual if self._usual else ''}"
            return Verdict.ESTIMATE_FELL, said
        return Verdict.OPEN, f"nothing is proved; estimated {chances}"

    def _words(self, number: int) -> str:
        """Return what proves the win after a move, and when, if it takes what was played on."""
        at = proof_at(self._states, number)
        proved = self._states[at].proved
        assert proved is not None  # noqa: S101 - a move that wins leads to a win
        return proved.words if at == number else f"{proved.words} after move {at}"

    def _line(self, state: ReviewedPosition, winner: Color) -> tuple[Cell, ...]:
        proved = state.proved
        known = None if proved is None else proved.connection
        if proved is not None and proved.move is not None and known is None:
            after = state.position.play(proved.move)
            rest = winning_line(
                after, winner, None, self._solver, self._effort.limits, self._cancel
            )
            return (proved.move, *rest)[:10]
        limits = self._effort.limits
        return winning_line(state.position, winner, known, self._solver, limits, self._cancel)


def _usual_fall(states: Sequence[ReviewedPosition]) -> float:
    """Return by how much a mover's chance falls with a usual move of a game, at least 0.

    The circuits do not count whose turn it is, so the chance of whoever just moved is lower
    after most moves, good ones included. The median of the game says by how much.
    """
    falls = [
        before.chance_of(before.position.turn) - after.chance_of(before.position.turn)
        for before, after in pairwise(states)
        if before.proved is None and after.proved is None
    ]
    return max(0.0, statistics.median(falls)) if falls else 0.0


def _proofs(reviewed: Review, solver: Solver | None) -> list[tuple[int, str]]:
    found = []
    for move in reviewed.moves:
        if move.verdict is Verdict.PROVED_LOSS and solver is not None:
            evidence = reviewed.evidence(move.number)
            if evidence is not None and evidence[1].by == "solver":
                found.append((move.number, write_proof(solver, evidence[0])))
    return found


def _name(color: Color) -> str:
    return color.word.capitalize()
