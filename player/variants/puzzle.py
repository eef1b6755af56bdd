"""A puzzle: one side is to find the winning moves, and a solver answers as the other side.

A right move stays and is answered, until a full connection joins the edges of the first side. A
wrong move is refuted and taken back. An act of the solver is a verdict: `RightMove` or `WrongMove`.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from hsearch.connect import Connection
from hsearch.hex import Cell, Color, Game, Move, Position, Special
from hsearch.hex.tree import SEALED
from hsearch.render.text import quantity
from player.variants.base import Act, GameState, IllegalActError, Variant, move_words, stone

NOT_IN_PUZZLE = "not available in a puzzle: type a cell, solution, again or quit"


@dataclass(frozen=True, slots=True)
class RightMove:
    """A move after which the side that tried it still wins.

    after  the position after the move
    proof  a full connection of its edges; None if H-search finds none
    reply  the strongest of the opponent's moves, which all lose; None when the edges are joined
           whatever the opponent does, so that the puzzle is solved
    nodes  the number of positions that the solver searched
    stones own stones, this one included, with which the move was to win; None for any number
    """

    cell: Cell
    after: Position
    proof: Connection | None
    reply: Cell | None
    nodes: int
    stones: int | None = None


@dataclass(frozen=True, slots=True)
class WrongMove:
    """A move after which the opponent wins, or prevents a win with so few stones.

    after       the position after the move
    reply       the opponent's refutation
    proof       a connection of the opponent's edges before the reply; None if H-search finds none
    connection  a full connection of the opponent's edges after the reply; None if they have a
                chain, if H-search finds no connection, or if the stones were limited
    nodes       the number of positions that the solver searched
    stones      own stones, this one included, with which the move was to win; None for any number
    """

    cell: Cell
    after: Position
    reply: Cell
    proof: Connection | None
    connection: Connection | None
    nodes: int
    stones: int | None = None


PuzzleVerdict: TypeAlias = RightMove | WrongMove


@dataclass(frozen=True, slots=True)
class PuzzleState(GameState):
    """A puzzle in progress.

    solver   the color that is to find the winning moves
    attempt  the move that awaits its verdict; None if a move is to be tried
    verdict  the verdict on the last move tried; None before the first
    wrong    the number of wrong moves tried
    """

    solver: Color
    attempt: Cell | None = None
    verdict: PuzzleVerdict | None = None
    wrong: int = 0

    @property
    def winner(self) -> Color | None:
        """The color that is to win, once a full connection joins its edges."""
        match self.verdict:
            case RightMove(reply=None):
                return self.solver
        return None


class PuzzleVariant(Variant[PuzzleState]):
    """The rules of puzzles. No record names them, since a puzzle is not a game."""

    name = text = "puzzle"

    def start(self, game: Game, _meeting: int = 0) -> PuzzleState:
        """Return the state of a puzzle in which the player to move is to find the winning moves.

        Raise ValueError if stones are hidden.
        """
        if game.is_sealed:
            raise ValueError(f"not a puzzle: {SEALED}")
        position = game.position()
        return PuzzleState(game, position, position.turn)

    def to_act(self, state: PuzzleState) -> tuple[Color, ...]:
        """Return the side that tries moves; while a move awaits its verdict, the other side."""
        if state.winner is not None:
            return ()
        return (state.solver if state.attempt is None else state.solver.opponent,)

    def after(self, state: PuzzleState, color: Color, act: Act | PuzzleVerdict) -> PuzzleState:
        """Return the state after a try, or after the verdict on it. Raise IllegalActError."""
        if color not in self.to_act(state) or act is Special.RESIGN:
            raise IllegalActError(NOT_IN_PUZZLE)
        if not isinstance(act, RightMove | WrongMove):
            if state.attempt is not None:
                raise IllegalActError("the move that was tried is to be judged first")
            return replace(state, attempt=stone(state.position, act))
        if act.cell != state.attempt:
            raise IllegalActError("the verdict is on a move that was not tried")
        judgment = replace(state, attempt=None, verdict=act)
        if isinstance(act, WrongMove):
            return replace(judgment, wrong=state.wrong + 1)
        after = judgment.then(Move(state.solver, act.cell))
        return after if act.reply is None else after.then(Move(state.solver.opponent, act.reply))

    def words(
        self, before: PuzzleState, after: PuzzleState, _viewer: Color | None = None
    ) -> list[str]:
        """Return the move that was tried, the verdict on it, and the reply."""
        verdict, board = after.verdict, after.game.board
        if verdict is None or verdict is before.verdict:
            return []
        if isinstance(verdict, WrongMove):
            return [verdict_words(verdict)]
        move = move_words(Move(after.solver, verdict.cell), board)
        if verdict.reply is None:
            return [move, verdict_words(verdict, after.wrong)]
        reply = move_words(Move(after.solver.opponent, verdict.reply), board)
        return [move, verdict_words(verdict), reply]


def verdict_words(verdict: PuzzleVerdict, wrong: int = 0) -> str:
    """Return a verdict in a sentence; `wrong` counts the earlier wrong moves."""
    return _right_words(verdict, wrong) if isinstance(verdict, RightMove) else _wrong_words(verdict)


def _right_words(right: RightMove, wrong: int) -> str:
    name = right.after.board.name(right.cell)
    if right.reply is None:
        tries = f", after {quantity(wrong, 'wrong move')}" if wrong else ""
        edges, other = _edges(right, right.after.turn.opponent), right.after.turn.title
        return f"Solved{tries}: {edges} are joined, whatever {other} does."
    if right.stones is not None:
        return f"Right: {name}, and {quantity(right.stones - 1, 'more stone')}."
    return f"Right: {name} wins, but not all moves after it do."


def _wrong_words(wrong: WrongMove) -> str:
    name = wrong.after.board.name
    answer = f"{wrong.after.turn.title} plays {name(wrong.reply)}"
    if wrong.stones is not None:
        most = quantity(wrong.stones, "stone")
        return f"{name(wrong.cell)} does not win with {most}: {answer}. Try again."
    return f"{name(wrong.cell)} loses: {answer}{_because(wrong)}. Try again."


def _because(verdict: WrongMove) -> str:
    """Return why a move loses, as the end of a sentence."""
    edges = _edges(verdict, verdict.after.turn)
    if verdict.proof is None:
        effort = f", in {quantity(verdict.nodes, 'position')}" if verdict.nodes else ""
        return f", and the solver has proved that {edges} get joined{effort}"
    cells = verdict.proof.carrier.count()
    if verdict.proof.is_full:
        return f"; {edges} are joined by a full connection of {quantity(cells, 'cell')} anyway"
    inside = f" inside {quantity(cells - 1, 'cell')}" if cells > 1 else ""
    return f", and {edges} are joined{inside}"


def _edges(verdict: PuzzleVerdict, color: Color) -> str:
    board = verdict.after.board
    return board.pair(board.edges(color))
