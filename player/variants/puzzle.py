"""A puzzle: one side is to find the moves that win, a solver answers.

A right move stays and is answered, until a full connection joins the edges of whoever solves. A
wrong one is refuted, and taken back. The solver is the other side; its act is a `PuzzleVerdict`.
"""

from dataclasses import dataclass, replace
from typing import Any

from hsearch.connect.connection import Connection
from hsearch.hex.board import Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position
from hsearch.hex.tree import SEALED
from hsearch.render.text import numbered
from player.variants.variant import GameState, IllegalActError, Variant, move_words, stone


@dataclass(frozen=True, slots=True)
class PuzzleVerdict:
    """What the solver says of a move that was tried.

    after  the position after it
    wins   whether whoever tried it still wins
    proof  what joins the edges of the one who wins; None if the two rules do not find it
    reply  the opponent's move: it refutes, or is the strongest of those that lose all the
           same; None when the puzzle is solved
    nodes  positions that the solver looked at
    stones own stones, from this one on, with which a win was asked for; None for any number
    """

    cell: Cell
    after: Position
    wins: bool
    proof: Connection | None
    reply: Cell | None
    nodes: int
    stones: int | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the edges are joined, whatever the opponent does."""
        return self.reply is None


@dataclass(frozen=True, slots=True)
class PuzzleState(GameState):
    """A puzzle under way.

    solver   who is to win
    tried    the move that the solver is to judge; None if one is to be tried
    verdict  on the move tried last; None before the first
    wrong    how many wrong moves were tried
    """

    solver: Color
    tried: Cell | None = None
    verdict: PuzzleVerdict | None = None
    wrong: int = 0

    @property
    def winner(self) -> Color | None:
        """Whoever solves, once a full connection joins their edges."""
        return self.solver if self.verdict is not None and self.verdict.is_solved else None


class PuzzleVariant(Variant[PuzzleState]):
    """The rules of puzzles. No record names them, as a puzzle is not a game."""

    name = text = "puzzle"

    def start(self, game: Game, _meeting: int = 0) -> PuzzleState:
        """Return the state of a puzzle whose player to move is to find what wins.

        Raise ValueError where stones are hidden.
        """
        if game.is_sealed:
            raise ValueError(f"no puzzle: {SEALED}")
        position = game.position()
        return PuzzleState(game, position, position.turn)

    def to_act(self, state: PuzzleState) -> tuple[Color, ...]:
        """Return who tries moves, or the other side, which judges the move that was tried."""
        if state.winner is not None:
            return ()
        return (state.solver if state.tried is None else state.solver.opponent,)

    def after(self, state: PuzzleState, color: Color, act: Any) -> PuzzleState:
        """Return the state after a try, or after the verdict on it. Raise IllegalActError."""
        if color not in self.to_act(state) or act is Special.RESIGN:
            raise IllegalActError("not available in a puzzle: type a cell, solution, again or quit")
        if state.tried is None:
            return replace(state, tried=stone(state.position, act))
        if not isinstance(act, PuzzleVerdict) or act.cell != state.tried:
            raise IllegalActError("the move that was tried is to be judged first")
        judged = replace(state, tried=None, verdict=act)
        if not act.wins:
            return replace(judged, wrong=state.wrong + 1)
        after = judged.then(Move(state.solver, act.cell))
        return after if act.reply is None else after.then(Move(state.solver.opponent, act.reply))

    def words(
        self, before: PuzzleState, after: PuzzleState, _viewer: Color | None = None
    ) -> list[str]:
        """Return what was tried, and what the solver says of it."""
        verdict, board = after.verdict, after.game.board
        if verdict is None or verdict is before.verdict:
            return []
        if not verdict.wins:
            return [verdict_words(verdict)]
        tried = move_words(Move(after.solver, verdict.cell), board)
        if verdict.reply is None:
            return [tried, verdict_words(verdict, after.wrong)]
        reply = move_words(Move(after.solver.opponent, verdict.reply), board)
        return [tried, verdict_words(verdict), reply]


def verdict_words(verdict: PuzzleVerdict, wrong: int = 0) -> str:
    """Return a verdict in a sentence; `wrong` counts the wrong moves before."""
    name = verdict.after.board.name
    solver, other = verdict.after.turn.opponent, verdict.after.turn.title
    if verdict.is_solved:
        tries = f", after {numbered(wrong, 'wrong move')}" if wrong else ""
        return f"Solved{tries}: {_edges(verdict, solver)} are joined, whatever {other} does."
    if verdict.wins and verdict.stones is not None:
        return f"Right: {name(verdict.cell)}, and {numbered(verdict.stones - 1, 'more stone')}."
    if verdict.wins:
        return f"Right: {name(verdict.cell)} wins, but not all moves after it do."
    assert verdict.reply is not None  # noqa: S101 - only what is solved has none
    played = f"{other} plays {name(verdict.reply)}"
    if verdict.stones is not None:
        most = numbered(verdict.stones, "stone")
        return f"{name(verdict.cell)} does not win with {most}: {played}. Try again."
    return f"{name(verdict.cell)} loses: {played}{_because(verdict)}. Try again."


def _because(verdict: PuzzleVerdict) -> str:
    """Return what proves that a try loses, as the end of a sentence."""
    edges = _edges(verdict, verdict.after.turn)
    if verdict.proof is None:
        looked = f", in {numbered(verdict.nodes, 'position')}" if verdict.nodes else ""
        return f", and the solver has proved that {edges} get joined{looked}"
    cells = verdict.proof.carrier.count()
    if verdict.proof.is_full:
        return f"; {edges} are joined by a full connection of {numbered(cells, 'cell')} anyway"
    inside = f" inside {numbered(cells - 1, 'cell')}" if cells > 1 else ""
    return f", and {edges} are joined{inside}"


def _edges(verdict: PuzzleVerdict, color: Color) -> str:
    board = verdict.after.board
    return " and ".join(map(board.name, board.edges(color)))
