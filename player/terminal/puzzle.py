"""A puzzle at the terminal, `hsearch play --puzzle`: the person solves, the solver answers.

A right move is answered, and the puzzle goes on until a full connection joins
the person's edges. A wrong one is refuted, in one sentence, and taken back.
"""

from typing import Any, TextIO

import click

from hsearch.analysis import Analysis
from hsearch.board import Cell, Color
from hsearch.closure import closure
from hsearch.game import Game, Move
from hsearch.position import Position, winner
from hsearch.render import Marks, text
from player.report.numbers import numbered
from player.solve import Solver
from player.terminal import commands
from player.terminal.game import LeaveError, TerminalGame

MEMORY = 200


class PuzzleGame(TerminalGame):
    """A puzzle under way. Holds state: the solver, and what was tried."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Begin a puzzle. Raise ValueError when the player to move does not win it."""
        super().__init__(*arguments, **options)
        self.solver = Solver(self.game.board, memory=MEMORY)
        self.me = self.position.turn
        self.start: Game = self.game
        self.wrong = 0
        self.is_solved = False
        if self.solver.outcome(self.position) is not self.me:
            raise ValueError(f"no puzzle: {self.me.word} is to move, and does not win")

    @property
    def edges(self) -> str:  # type: ignore[override]
        """What the person has to do."""
        edges = " and ".join(map(self.game.board.name, self.game.board.edges(self.me)))
        mover = self.me.word.capitalize()
        return f"{mover} is to move and wins, joining {edges}. Find the move; or type help."

    @property
    def is_over(self) -> bool:
        """Whether a full connection of the person stands, or the person has given up."""
        return self.is_solved or self.session.state.is_given_up

    def known_commands(self) -> commands.Commands:
        """Return what can be typed besides cells."""
        kept = ("why", "board", "help", "save", "quit", "exit")
        known = super().known_commands()
        return {
            "solution": (self._solution, "show a move that wins"),
            "again": (self._again, "start the puzzle again"),
            **{name: known[name] for name in kept},
        }

    def turn(self, lines: TextIO) -> None:
        """Obey one line of what the person says: it is always the person's turn."""
        self.obey(self.typed(lines))

    def answer(self, line: str) -> None:
        """Try a move. Raise ValueError if it is none."""
        position = self.position
        cell = position.board.cell(line)
        after = position.play(cell)
        if winner(after) is self.me or self.solver.outcome(after) is self.me:
            self._right(cell, after)
        else:
            self._wrong(cell, after)

    def _right(self, cell: Cell, after: Position) -> None:
        board = after.board
        self.add(Move(self.me, cell))
        fulls = closure(after, self.me).edge_fulls
        if winner(after) is self.me or fulls:
            self.is_solved = True
            if fulls:
                marks = Marks(
                    shaded=fulls[0].carrier, ends=fulls[0].ends, last=self.game.last_cell()
                )
                self.screen.board(text.board(after, marks, self.screen.symbols))
            return
        reply = self._defense(after)
        click.echo(f"Right: {board.name(cell)} wins, but not all moves after it do.")
        self.add(Move(self.me.opponent, reply))

    def _wrong(self, cell: Cell, after: Position) -> None:
        self.wrong += 1
        board, other = after.board, self.me.opponent
        why = _because(after, other, self.solver)
        reply = self._refutation(after)
        played = after.play(reply)
        marks = Marks(last=reply)
        if winner(played) is None and (fulls := closure(played, other).edge_fulls):
            marks = Marks(shaded=fulls[0].carrier, ends=fulls[0].ends, last=reply)
        self.screen.board(text.board(played, marks, self.screen.symbols))
        name = other.word.capitalize()
        click.echo(f"\n{board.name(cell)} loses: {name} plays {board.name(reply)}{why}. Try again.")

    def _refutation(self, after: Position) -> Cell:
        """Return the opponent's move that proves a try wrong."""
        semis = closure(after, after.turn).edge_semis
        if semis and semis[0].key is not None:
            return semis[0].key
        move = self.solver.winning_move(after)
        assert move is not None  # noqa: S101 - the position is won
        return move

    def _defense(self, after: Position) -> Cell:
        """Return the loser's strongest try: in the must-play region, the weakest link."""
        analysis = Analysis(after)
        region = analysis.mustplay.cells
        links = [cell for cell, _ in analysis.circuits.weak_links]
        return next((cell for cell in links if region[cell]), links[0])

    def _solution(self, _argument: str) -> None:
        move = self.solver.winning_move(self.position)
        assert move is not None  # noqa: S101 - only wins are played
        click.echo(f"{self.game.board.name(move)} wins.")

    def _again(self, _argument: str) -> None:
        self.session.load([self.start])
        self.board("")

    def _announce_end(self) -> None:
        tries = f", after {numbered(self.wrong, 'wrong move')}" if self.wrong else ""
        edges = " and ".join(map(self.game.board.name, self.game.board.edges(self.me)))
        click.echo(f"\nSolved{tries}: {edges} are joined, whatever {_other(self.me)} does.")

    def _keep(self) -> None:
        """Save nothing: a puzzle is not a game. `save FILE` does."""

    def _quit(self, _argument: str) -> None:
        raise LeaveError


def _because(after: Position, other: Color, solver: Solver) -> str:
    """Return what proves that a try loses, as the end of a sentence."""
    board = after.board
    edges = " and ".join(map(board.name, board.edges(other)))
    store = closure(after, other)
    if store.edge_fulls:
        cells = numbered(store.edge_fulls[0].carrier.count(), "cell")
        return f"; {edges} are joined by a full connection of {cells} anyway"
    if store.edge_semis:
        cells = numbered(store.edge_semis[0].carrier.count() - 1, "cell")
        return f", and {edges} are joined inside {cells}"
    nodes = solver.solve(after).nodes
    looked = f", in {numbered(nodes, 'position')}" if nodes else ""
    return f", and the solver has proved that {edges} get joined{looked}"


def _other(color: Color) -> str:
    return color.opponent.word.capitalize()
