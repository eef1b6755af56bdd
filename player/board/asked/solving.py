"""Questions for the solver: `solve`, `prove`, `verify` and `puzzle`."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from hsearch.hex import Cell, CellSet, Color, Game, winner
from hsearch.hex.position import refuse_won
from hsearch.kernels.stop import Stopped
from hsearch.render.text import quantity
from player.answers.memory import MEMORY
from player.answers.objects import position_object
from player.answers.solved import answer_object, effort
from player.board.desk import Desk
from player.board.records import PositionObject, PositionQuestion, Record
from player.board.threads import BoardJob
from player.solve.budget import OutOfTimeError
from player.solve.proof import part_of
from player.solve.solver import Answer, Solver, SolverProgress
from player.solve.verify import verify as verify_proof
from player.study.puzzle import try_move
from player.variants.plain import awaits_swap
from player.variants.puzzle import PuzzleVariant, PuzzleVerdict, RightMove, verdict_words
from player.work.clock import Pace

# `solve`: who wins, and with which moves. If stopped, it answers what is known.

MOST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class SolveQuestion:
    """A position; `seconds` bounds this question, and the next one resumes its search.

    game  the record so far, if it has just begun: a swap may be possible
    """

    position: PositionObject
    every: bool = False
    seconds: float = 10.0
    game: Record | None = None


def solve(_desk: Desk, job: BoardJob, request: SolveQuestion) -> dict[str, Any]:
    """Return the object of `hsearch solve --json`, its sentence, and the moves that lose."""
    position = request.position.position()
    seconds = job.time_limit(min(max(request.seconds, 0.1), MOST_SECONDS))
    pace, name = Pace(), position.board.name

    def show(progress: SolverProgress, _solver: Solver) -> None:
        if pace.is_due():
            line = " ".join(map(name, progress.line[:8]))
            text = f"{quantity(progress.nodes, 'position')}, looking at {line}"
            share = min(1.0, pace.seconds / seconds)
            job.tell({"text": text, "share": share, "line": list(map(name, progress.line))})

    before_that = MEMORY.look_up(position)
    try:
        answer, decided = MEMORY.solve(
            position,
            every=request.every,
            seconds=seconds,
            cancel=job.cancel,
            waits=False,
            on_progress=show,
        )
    except Stopped:  # while kernels compile
        answer, decided = Answer(position, None, (), complete=False, nodes=0, seconds=0.0), {}
    is_stopped = answer.winner is None and job.cancel.is_set()
    if request.game is not None:
        answer = replace(answer, before_swap=awaits_swap(request.game.game()))
    words = "Stopped before it was solved." if is_stopped else str(answer)
    return {
        "solved": answer_object(answer),
        "said": f"{words} {effort(answer, before_that)}",
        "losing": list(map(name, _losing(answer, decided))),
    }


def _losing(answer: Answer, winners: dict[Cell, Color]) -> Iterable[Cell]:
    """Return the moves that lose: those known, or all others if every winning move is known."""
    position, turn = answer.position, answer.position.turn
    if winner(position) is not None:
        return []
    if answer.winner is not None and answer.complete:
        return [cell for cell in position.empty.search(1) if cell not in answer.winning_moves]
    return [cell for cell, won_by in winners.items() if won_by is not turn]


# `prove`: the proof of a solved position, as `hsearch solve --proof` writes it.

SECONDS = 60.0


def prove(_desk: Desk, job: BoardJob, request: PositionQuestion) -> dict[str, Any]:
    """Return the proof as a text. Raise ValueError when the position is not solved in time."""
    show = Pace().limit(lambda text: job.tell({"text": text}))
    try:
        text = MEMORY.proof(request.position.position(), job.time_limit(SECONDS), show)
    except OutOfTimeError:
        raise ValueError("not solved yet: solve it first") from None
    return {"text": text, "positions": text.count("\n") - 1}


# `verify`: check a proof that `prove` or `hsearch solve --proof` wrote.


@dataclass(frozen=True, slots=True)
class VerifyQuestion:
    """The text of a proof."""

    text: str


def verify(_desk: Desk, job: BoardJob, request: VerifyQuestion) -> dict[str, Any]:
    """Check a proof, store it, and return what it proves.

    Raise ValueError with the first line that fails.
    """
    proof = verify_proof(request.text, job.check)
    MEMORY.read(part_of(proof))
    words = f"{proof} {proof.extent}, each derived again."
    return {"said": words, "position": position_object(proof.position)}


# `puzzle`: whether a move solves a position, and the reply to it.

PUZZLE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class PuzzleQuestion:
    """A position with the person to move, and the move tried; None asks for a winning move.

    wrong  the number of wrong moves before
    """

    position: PositionObject
    cell: str | None = None
    wrong: int = 0


def puzzle(_desk: Desk, job: BoardJob, request: PuzzleQuestion) -> dict[str, Any]:
    """Return whether the move wins, the opponent's reply, and whether the puzzle is solved.

    Raise ValueError when the game is over, the move is illegal, or the time runs out.
    """
    position = request.position.position()
    refuse_won(position)
    board, seconds = position.board, job.time_limit(PUZZLE_SECONDS)
    with MEMORY.solver(board, waits=False) as solver:
        solver.prepare(seconds)  # compiling does not count as time of the question
        if request.cell is None:
            moves = solver.solve(position, seconds=seconds, cancel=job.cancel).winning_moves
            job.check()
            return {"solution": board.name(moves[0]) if moves else None}
        machine, cell = PuzzleVariant(), board.cell(request.cell)
        state = replace(machine.start(Game.of_position(position)), wrong=request.wrong)
        trial = machine.after(state, state.solver, cell)
        try:
            verdict = try_move(position, cell, solver, seconds=seconds, cancel=job.cancel)
        except TimeoutError:
            job.check()
            raise ValueError(f"too hard for a puzzle: not solved in {seconds:g} s") from None
    after = machine.after(trial, state.solver.opponent, verdict)
    return {
        "wins": isinstance(verdict, RightMove),
        "solved": after.winner is not None,
        "wrong": after.wrong,
        "reply": None if verdict.reply is None else board.name(verdict.reply),
        "carrier": board.names(_cells_shown(verdict)),
        "said": verdict_words(verdict, request.wrong),
    }


def _cells_shown(verdict: PuzzleVerdict) -> CellSet:
    """Return the cells that join the winner's edges, with the reply to a wrong move.

    They are those of the connection after the reply, as at the terminal; of the one before it
    if the reply completes a chain.
    """
    board = verdict.after.board
    if isinstance(verdict, RightMove):
        return board.only() if verdict.proof is None else verdict.proof.carrier
    connection = verdict.proof if verdict.connection is None else verdict.connection
    return board.only() if connection is None else connection.carrier | board.only(verdict.reply)
