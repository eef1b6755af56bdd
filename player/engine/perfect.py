"""Ask the solver before anything is estimated."""

from dataclasses import replace

from hsearch.board import Board
from hsearch.game import Special
from hsearch.position import Position
from player.engine.player import Choice, MoveRequest, Rationale
from player.solve import Answer, Solver

MEMORY = 200  # megabytes
REACH = 49  # empty cells; with more no answer comes in seconds
SHARE = 0.5  # of the time for a move


class Perfect:
    """A solver for the game that is being played; its table serves move after move."""

    def __init__(self) -> None:
        """Make no solver yet."""
        self._solver: Solver | None = None

    def prepare(self, board: Board) -> None:
        """Get ready to answer on a board, before any clock runs."""
        self._solver_of(board).prepare()

    def answer(self, position: Position, terms: MoveRequest, nodes: int) -> Answer | None:
        """Return what the solver finds, or None if it found nothing.

        It looks at no more than `nodes` positions, or, when there is a time for
        the move, for no longer than a share of it.
        """
        if not nodes or position.empty.count() > REACH:
            return None
        seconds = None if terms.seconds is None else SHARE * terms.seconds
        answer = self._solver_of(position.board).solve(
            position,
            seconds=seconds,
            nodes=nodes if seconds is None else None,
            cancel=terms.cancel,
        )
        return None if answer.winner is None else answer

    def _solver_of(self, board: Board) -> Solver:
        if self._solver is None or self._solver.board != board:
            self._solver = Solver(board, memory=MEMORY)
        return self._solver


def winning(answer: Answer) -> Choice:
    """Return the move of a player whom the solver has shown to win."""
    position, cell = answer.position, answer.winning_moves[0]
    reason = (
        f"Proved: {position.turn.word.capitalize()} wins with {position.board.name(cell)}, "
        f"solved in {answer.nodes} positions."
    )
    return Choice(cell, Rationale(reason, position.turn, (cell,)))


def losing(position: Position, chosen: Choice) -> Choice:
    """Return the choice of a player of whom it is proved that they lose."""
    account, won_by = chosen.account, position.turn.opponent
    other = won_by.word.capitalize()
    assert not isinstance(chosen.action, Special)  # noqa: S101 - a search gives a cell
    name = position.board.name(chosen.action)
    reason = f"Proved: {other} wins. {name} is as good as any, and what the search would play."
    return replace(chosen, account=replace(account, reason=reason, winner=won_by))
