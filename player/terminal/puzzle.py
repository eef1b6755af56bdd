"""A puzzle at the terminal, `hsearch play --puzzle`: the person solves, the solver answers."""

from typing import TextIO

import click

from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection
from hsearch.hex.board import Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from hsearch.render.text import Marks
from player.console.output import say
from player.console.screen import Screen
from player.solve.solver import Solver
from player.study.trial import tried
from player.terminal.advice import PlainAdvice
from player.terminal.record import Seat
from player.terminal.talk import LeaveError, Talk, refused, typed
from player.variants.puzzle import Puzzle, PuzzleState, Verdict

MEMORY = 200


class PuzzleGame(Talk):
    """A puzzle under way. Holds state: that of the puzzle, and the solver."""

    state: PuzzleState
    variant: Puzzle
    who_answers = "The solver answers; a wrong move is refuted, and taken back."

    def __init__(self, game: Game, screen: Screen) -> None:
        """Begin a puzzle. Raise ValueError when the player to move does not win it."""
        self.variant, self.screen = Puzzle(), screen
        self.start = self.variant.start(game)
        self.state = self.start
        self.solver = Solver(game.board, memory=MEMORY)
        self.me = self.state.solver
        if self.solver.outcome(self.state.position) is not self.me:
            raise ValueError(f"no puzzle: {self.me.word} is to move, and does not win")
        self.advice = PlainAdvice({color: Seat("human", None) for color in Color})
        no_hint = "a puzzle has no hint: type a cell, or solution, which shows a move that wins"
        no_undo = "a wrong move is taken back by itself: type a cell, or again, to start anew"
        no_game = "not available in a puzzle: type a cell, solution, again or quit"
        self.commands = {
            **{name: refused(no_game) for name in ("swap", "resign", "load")},
            **{name: refused(no_undo) for name in ("undo", "redo")},
            "hint": refused(no_hint),
            "solution": (self.solution, "show a move that wins"),
            "again": (self.again, "start the puzzle again"),
            "why": (
                self.why,
                "what is proved, where to play, the chances, what the engine looked at",
            ),
            "board": (self.board, "show the board and the moves again"),
            "help": (self.help, "this list, and the engines"),
            "save": (self.save, "FILE  save the game as SGF"),
            "quit": (self.quit, "leave; the game is saved"),
            "exit": (self.quit, "the same as quit"),
        }

    def run(self, lines: TextIO) -> None:
        """Obey lines until the puzzle is solved or the input ends."""
        edges = " and ".join(map(self.start.game.board.name, self.start.game.board.edges(self.me)))
        mover = self.me.title
        task = f"{mover} is to move and wins, joining {edges}. Find the move; or type help."
        click.echo(f"{task}\n")
        self.board("")
        try:
            while self.state.winner is None:
                self.obey(typed(lines, f"{self.me.word}> "))
        except LeaveError:
            click.echo("The game is not over.")

    def answer(self, line: str) -> None:
        """Try a move. Raise ValueError when it is not legal."""
        cell = self.start.game.board.cell(line)
        trial = self.variant.after(self.state, self.me, cell)
        verdict = tried(trial.position, cell, self.solver)
        after = self.variant.after(trial, self.me.opponent, verdict)
        before, self.state = self.state, after
        *said, last = self.variant.words(before, after, self.me)
        for sentence in said:
            click.echo(sentence)
        self._show(verdict)
        click.echo(last)
        if verdict.wins and after.winner is None:
            self.board("")

    def _show(self, verdict: Verdict) -> None:
        """Draw what proves that the puzzle is solved, or that a try loses."""
        if verdict.is_solved and verdict.proof is not None:
            self._draw(verdict.after, verdict.proof, verdict.cell)
            click.echo()
        elif not verdict.wins:
            assert verdict.reply is not None  # noqa: S101 - a wrong move is refuted
            played, other = verdict.after.play(verdict.reply), self.me.opponent
            fulls = [] if winner(played) is not None else closure(played, other).edge_fulls
            self._draw(played, fulls[0] if fulls else None, verdict.reply)
            click.echo()

    def _draw(self, position: Position, proof: Connection | None, last: Cell) -> None:
        """Draw a board with the cells of a proof."""
        marks = Marks(last=last)
        if proof is not None:
            marks = Marks(shaded=proof.carrier, ends=proof.ends, last=last)
        self.screen.show(position, marks)

    def solution(self, _argument: str) -> None:
        """Show a move that wins."""
        move = self.solver.winning_move(self.state.position)
        assert move is not None  # noqa: S101 - only wins are played
        click.echo(f"{self.start.game.board.name(move)} wins.")

    def again(self, _argument: str) -> None:
        """Start the puzzle again; the wrong moves are still counted."""
        self.state = PuzzleState(
            self.start.game, self.start.position, self.me, wrong=self.state.wrong
        )
        self.board("")

    def why(self, _argument: str) -> None:
        """Show what is known of the position."""
        marks, lines = self.advice.why(self.state, search=None)  # a search would give the move away
        self.screen.show(self.state.position, marks)
        say(("", *lines))
