"""Puzzles at the terminal, `hsearch play --puzzle`: the person solves, the solver answers.

It is one puzzle, or the puzzles of a suite, the easiest first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, TextIO

import click

from hsearch.connect import Connection
from hsearch.formats.suite import SuiteEntry
from hsearch.hex import Cell, Color, Game, Position
from hsearch.render.text import Marks, quantity
from player.console.output import say
from player.console.screen import Screen, interruptible
from player.solve.shortest import ShortestSearch
from player.solve.solver import Solver
from player.study.puzzle import try_move, try_within
from player.terminal.talk import LeaveError, Talk, next_line, refusal
from player.variants import puzzle as rules

MEMORY = 200  # megabytes of the solver's table
LONGEST = 10.0  # seconds for finding a shortest win


class NextError(Exception):
    """The person wants another puzzle."""


class PuzzleGame(Talk):
    """A puzzle in progress. Holds state: that of the puzzle, and the solver.

    is_shown  whether the person has asked for a winning move
    limit     the number of stones with which to win; None for any number
    """

    state: rules.PuzzleState
    variant: rules.PuzzleVariant
    who_answers = "The solver answers; a wrong move is refuted, and taken back."

    def __init__(
        self, game: Game, screen: Screen, *, has_next: bool = False, shortest: bool = False
    ) -> None:
        """Begin a puzzle; if `shortest`, a win must take as few stones as possible.

        Raise ValueError when the player to move does not win, or no shortest win is found.
        """
        self.variant, self.screen = rules.PuzzleVariant(), screen
        self.start = self.variant.start(game)
        self.state = self.start
        self.solver = Solver(game.board, memory=MEMORY)
        self.me = self.state.solver
        position = self.state.position
        if interruptible(lambda: self.solver.outcome(position), "puzzle") is not self.me:
            raise ValueError(f"not a puzzle: {self.me.word} is to move, and does not win")
        self.limit = _fewest_stones(position, self.me) if shortest else None
        self.is_shown = False
        no_hint = "a puzzle has no hint: type a cell, or solution, which shows a move that wins"
        no_undo = "a wrong move is taken back by itself: type a cell, or again, to start anew"
        no_reasons = "reasons would give the move away: type a cell, whose answer shows them"
        self.commands = {
            **{name: refusal(rules.NOT_IN_PUZZLE) for name in ("swap", "resign", "load")},
            **{name: refusal(no_undo) for name in ("undo", "redo")},
            "hint": refusal(no_hint),
            "why": refusal(no_reasons),
            "solution": (self.solution, "show a move that wins"),
            "again": (self.again, "start the puzzle again"),
            "board": (self.board, "show the board and the moves again"),
            "help": (self.help, "this list"),
            "save": (self.save, "FILE  save the game as SGF"),
            **({"next": (self.next, "leave this puzzle for the next one")} if has_next else {}),
            "quit": (self.quit, "leave"),
            "exit": (self.quit, "the same as quit"),
        }

    def run(self, lines: TextIO) -> None:
        """Execute lines until the puzzle is solved or the person leaves."""
        try:
            self.solve(lines)
        except LeaveError:
            click.echo("The puzzle is not solved.")

    def solve(self, lines: TextIO) -> None:
        """Execute lines until the puzzle is solved. Raise LeaveError or NextError if it is not."""
        edges = self.start.game.board.pair(self.start.game.board.edges(self.me))
        mover = self.me.title
        within = "" if self.limit is None else f" with {quantity(self.limit.stones, 'stone')}"
        task = f"{mover} is to move and wins{within}, joining {edges}. Find the move; or type help."
        say((task, ""))
        self.board("")
        while self.state.winner is None:
            self.obey(next_line(lines, f"{self.me.word}> "))

    def answer(self, line: str) -> None:
        """Try a move. Raise ValueError when it is not legal."""
        cell = self.start.game.board.cell(line)
        trial = self.variant.after(self.state, self.me, cell)
        if self.limit is None:
            verdict = try_move(trial.position, cell, self.solver)
        else:
            search, stones = self.limit.search, self._stones_to_place(self.limit.stones)
            verdict = interruptible(lambda: try_within(trial.position, cell, search, stones))
        after = self.variant.after(trial, self.me.opponent, verdict)
        before, self.state = self.state, after
        *sentences, last = self.variant.words(before, after, self.me)
        say(sentences)
        self._show(verdict)
        say([last])
        if isinstance(verdict, rules.RightMove) and verdict.reply is not None:
            self.board("")

    def _stones_to_place(self, stones: int) -> int:
        """Return how many of the stones are still to be placed."""
        count = (
            self.state.position.stones(self.me).count()
            - self.start.position.stones(self.me).count()
        )
        return stones - count

    def _show(self, verdict: rules.PuzzleVerdict) -> None:
        """Draw what proves that the puzzle is solved, or that a move loses."""
        match verdict:
            case rules.RightMove(reply=None, proof=Connection() as proof):
                self._draw(verdict.after, proof, verdict.cell)
                click.echo()
            case rules.WrongMove(stones=None):  # with more stones than a limit a move may win
                self._draw(verdict.after.play(verdict.reply), verdict.connection, verdict.reply)
                click.echo()

    def _draw(self, position: Position, proof: Connection | None, last: Cell) -> None:
        """Draw a board with the cells of a proof."""
        marks = Marks(last=last)
        if proof is not None:
            marks = Marks(shade=proof.carrier, ends=proof.ends, last=last)
        self.screen.show(position, marks)

    def solution(self, _argument: str) -> None:
        """Print a winning move."""
        position = self.state.position
        if self.limit is None:
            moves = self.solver.solve(position).winning_moves
        else:
            stones = self._stones_to_place(self.limit.stones)
            win = self.limit.search.needs(position, self.me, stones)
            assert win is not None  # noqa: S101 - it has no time limit
            moves = win.moves
        self.is_shown = True
        click.echo(f"{self.start.game.board.name(moves[0])} wins.")

    def again(self, _argument: str) -> None:
        """Start the puzzle again; earlier wrong moves still count."""
        self.state = rules.PuzzleState(
            self.start.game, self.start.position, self.me, wrong=self.state.wrong
        )
        self.board("")

    def next(self, _argument: str) -> NoReturn:
        """Leave for the next puzzle.

        Raise NextError, which ends this one.
        """
        raise NextError


@dataclass(frozen=True, slots=True)
class StoneLimit:
    """The fewest stones with which a puzzle can be won, and the search that found them."""

    stones: int
    search: ShortestSearch


def _fewest_stones(position: Position, color: Color) -> StoneLimit:
    """Return the fewest stones that win. Raise ValueError if the search takes too long."""
    search = ShortestSearch(position.board, memory=MEMORY)
    win = interruptible(
        lambda: search.solve(position, seconds=LONGEST, won_by=color), "shortest win"
    )
    if win.stones is None:
        raise ValueError(f"its shortest win was not found in {LONGEST:g} s")
    return StoneLimit(win.stones, search)


# Puzzles of a suite.


def grade_of(entry: SuiteEntry) -> int:
    """Return the grade of a puzzle; 0 if it has none."""
    grades = [value for value in entry.values("grade") if value.isdecimal()]
    return int(grades[0]) if grades else 0


def select(
    entries: Sequence[SuiteEntry], grade: int | None, size: tuple[int, int] | None
) -> list[SuiteEntry]:
    """Return the puzzles of a grade and a board size, the easiest first.

    Raise ValueError, listing the grades or boards that exist, when there is none.
    """
    fitting = [e for e in entries if size in {None, (e.game.board.columns, e.game.board.rows)}]
    if not fitting and size is not None:
        boards = dict.fromkeys(str(each.game.board) for each in entries)
        raise ValueError(f"no puzzle on {size[0]}x{size[1]}; boards: {', '.join(boards)}")
    puzzles = sorted((e for e in fitting if grade in {None, grade_of(e)}), key=grade_of)
    if not puzzles:
        grades = sorted({grade_of(each) for each in fitting} - {0})
        choice = f"grades: {', '.join(map(str, grades))}" if grades else "none of them has a grade"
        raise ValueError(f"no puzzle of grade {grade} among {len(fitting)}; {choice}")
    return puzzles


class PuzzleSeries:
    """A series of puzzles. Holds state: how many were solved, and how many of them unaided."""

    def __init__(
        self, entries: Sequence[SuiteEntry], screen: Screen, *, shortest: bool = False
    ) -> None:
        """Take the puzzles in the given order."""
        self.entries, self.screen, self.shortest = entries, screen, shortest
        self.solutions = self.unaided = 0

    def run(self, lines: TextIO) -> None:
        """Pose the puzzles until all are done or the person leaves; then print the score."""
        count = quantity(len(self.entries), "puzzle")
        say([f"{count}, the easiest first. Type next to skip one, and quit to end."])
        try:
            for number, entry in enumerate(self.entries, 1):
                grade = f", grade {grade_of(entry)}" if grade_of(entry) else ""
                click.echo(f"\nPuzzle {number} of {len(self.entries)}: {entry.id}{grade}.")
                self._pose(entry.game, lines)
        except LeaveError:
            pass
        how = f", {self.unaided} of them without a wrong move or a look at the solution"
        unaided = how if self.solutions else ""
        say(("", f"Solved: {quantity(self.solutions, 'puzzle')}{unaided}."))

    def _pose(self, game: Game, lines: TextIO) -> None:
        try:
            puzzle = PuzzleGame(game, self.screen, has_next=True, shortest=self.shortest)
        except ValueError as error:
            say([f"Left out: {error}."])
            return
        try:
            puzzle.solve(lines)
        except NextError:
            return
        self.solutions += 1
        self.unaided += not (puzzle.state.wrong or puzzle.is_shown)
