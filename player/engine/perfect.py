"""Ask the solver before anything is estimated.

On a board of a few dozen empty cells it answers in seconds. On a larger one it finds
more the more is filled (`positions/results/strength.md`), so what it is worth grows.
"""

from dataclasses import replace

from hsearch.board import Board
from hsearch.game import Special
from hsearch.position import Position
from player.engine.player import Choice, MoveRequest, Rationale
from player.solve import Answer, Solver

MEMORY = 200  # megabytes
REACH = 49  # empty cells that it is worth the most with
SHARE = 0.5  # of the time for a move, at most
BEGIN = 0.1  # part of the board that is filled when it is worth anything with more empty cells
RISE = 2.0  # of the share with the part that is filled
LARGEST = 225  # cells of a board where it is asked so early; on larger ones a look takes too long
LOOK = 0.0005  # seconds for one position with `REACH` empty cells, which nothing interrupts
FEWEST = 10  # looks that there has to be time for where more cells are empty


class Perfect:
    """A solver for the game that is being played; its table serves move after move."""

    def __init__(self, *, begins_early: bool = False) -> None:
        """Make no solver yet; one that `begins_early` does not wait for few empty cells."""
        self._begins_early = begins_early
        self._solver: Solver | None = None

    def prepare(self, board: Board) -> None:
        """Get ready to answer on a board, before any clock runs."""
        self._solver_of(board).prepare()

    def answer(self, position: Position, terms: MoveRequest, nodes: int) -> Answer | None:
        """Return what the solver finds, or None if it found nothing.

        It looks at no more than `nodes` positions of `REACH` empty cells, or as many larger ones as
        take so long, or, when there is a time for the move, for no longer than a share of it.
        """
        share = self.share(position) if nodes else 0.0
        if not share:
            return None
        seconds = None if terms.seconds is None else share * terms.seconds
        longer = max(1.0, position.empty.count() / REACH) ** 3  # how many times a look with so few
        if seconds is not None and longer > 1 and seconds < FEWEST * LOOK * longer:
            return None
        answer = self._solver_of(position.board).solve(
            position,
            seconds=seconds,
            nodes=round(nodes * share / SHARE / longer) if seconds is None else None,
            cancel=terms.cancel,
        )
        return None if answer.winner is None else answer

    def share(self, position: Position) -> float:
        """Return what part of the time for a move the solver is worth."""
        empty, size = position.empty.count(), position.board.size
        if empty <= REACH:
            return SHARE
        if not self._begins_early or size > LARGEST:
            return 0.0
        return min(SHARE, RISE * max(0.0, 1 - empty / size - BEGIN))

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
