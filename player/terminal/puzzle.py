"""A puzzle at the terminal, `hsearch play --puzzle`: the person solves, the solver answers.

A right move is answered, and the puzzle goes on until a full connection joins
the person's edges. A wrong one is refuted, in one sentence, and taken back.
"""

from typing import Any, TextIO

import click

from hsearch.board import Cell
from hsearch.closure import closure
from hsearch.connection import Connection
from hsearch.game import Game, Move
from hsearch.position import Position, winner
from hsearch.render import Marks
from player.puzzle.trial import Trial, tried
from player.report.trial import told
from player.solve import Solver
from player.terminal import commands
from player.terminal.game import TerminalGame

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
        self._last: Trial | None = None
        if self.solver.outcome(self.position) is not self.me:
            raise ValueError(f"no puzzle: {self.me.word} is to move, and does not win")

    @property
    def edges(self) -> str:  # type: ignore[override]
        """Task of the person."""
        edges = " and ".join(map(self.game.board.name, self.game.board.edges(self.me)))
        mover = self.me.word.capitalize()
        return f"{mover} is to move and wins, joining {edges}. Find the move; or type help."

    @property
    def is_over(self) -> bool:
        """Whether a full connection of the person stands, or the person has given up."""
        return self.is_solved or self.session.state.is_given_up

    @property
    def engines(self) -> str:
        """Who answers, in words."""
        return "The solver answers; a wrong move is refuted, and taken back."

    def known_commands(self) -> commands.Commands:
        """Return what can be typed besides cells."""
        kept = ("why", "board", "help", "save", "quit", "exit", "?", "h", "q")
        known = super().known_commands()
        no_hint = "a puzzle has no hint: type a cell, or solution, which shows a move that wins"
        no_undo = "a wrong move is taken back by itself: type a cell, or again, to start anew"
        no_game = "a puzzle is no game: type a cell, solution, again or quit"
        return {
            **{name: commands.refused(no_game) for name in ("swap", "resign", "load")},
            **{name: commands.refused(no_undo) for name in ("undo", "redo")},
            "hint": commands.refused(no_hint),
            "solution": (self._solution, "show a move that wins"),
            "again": (self._again, "start the puzzle again"),
            **{name: known[name] for name in kept},
        }

    def turn(self, lines: TextIO) -> None:
        """Obey one line of what the person says: it is always the person's turn."""
        self.obey(self.typed(lines))

    def answer(self, line: str) -> None:
        """Try a move. Raise ValueError if it is none."""
        trial = tried(self.position, self.game.board.cell(line), self.solver)
        if trial.wins:
            self._right(trial)
        else:
            self._wrong(trial)

    def _right(self, trial: Trial) -> None:
        self.add(Move(self.me, trial.cell))
        self.is_solved = trial.is_solved
        if trial.reply is None:
            self._last = trial
            if trial.proof is not None:
                self._show(trial.after, trial.proof, trial.cell)
            return
        click.echo(told(trial))
        self.add(Move(self.me.opponent, trial.reply))

    def _wrong(self, trial: Trial) -> None:
        self.wrong += 1
        assert trial.reply is not None  # noqa: S101 - a wrong move is refuted
        played, other = trial.after.play(trial.reply), self.me.opponent
        fulls = [] if winner(played) is not None else closure(played, other).edge_fulls
        self._show(played, fulls[0] if fulls else None, trial.reply)
        click.echo(f"\n{told(trial)}")

    def _show(self, position: Position, proof: Connection | None, last: Cell) -> None:
        """Draw a board with the cells of a proof."""
        marks = Marks(last=last)
        if proof is not None:
            marks = Marks(shaded=proof.carrier, ends=proof.ends, last=last)
        self.screen.show(position, marks)

    def _solution(self, _argument: str) -> None:
        move = self.solver.winning_move(self.position)
        assert move is not None  # noqa: S101 - only wins are played
        click.echo(f"{self.game.board.name(move)} wins.")

    def _again(self, _argument: str) -> None:
        self.session.load([self.start])
        self.board("")

    def _announce_end(self) -> None:
        if self._last is not None:
            click.echo(f"\n{told(self._last, self.wrong)}")

    def _keep(self) -> None:
        """Save nothing: a puzzle is not a game. `save FILE` does."""
