"""Dark Hex at the terminal: players see their own board, and hear what the referee says.

Where two people share the screen it is cleared between their turns. The truth
comes at the end; until then the saved game is sealed.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TextIO

import click
import numpy as np

from hsearch.board import Cell, Color
from hsearch.formats import sgf
from hsearch.game import Game
from hsearch.position import Position
from hsearch.render import Marks
from player.dark.information import Play, view
from player.dark.match.record import attempted, replayed, sealed, words
from player.dark.match.variant import Dark
from player.dark.player.guessing import GuessingPlayer
from player.dark.policy import seen_position
from player.dark.terminal.referee import explained, remembered, said
from player.dark.terminal.supposed import supposed
from player.engine import MoveRequest, Rationale
from player.session import SessionState
from player.terminal.advice import Adviser, Hint
from player.terminal.commands import Commands, refused
from player.terminal.game import LeaveError, TerminalGame
from player.terminal.lines import forget_lines
from player.terminal.seat import failing
from player.terminal.thinking import thinking

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what it has scrolled away


class DarkGame(TerminalGame):
    """A game of hidden stones; `play` is all that the referee knows of it.

    viewer  whose board is shown; None where only engines play, and while two
            people pass the screen
    """

    variant: Dark

    def __init__(self, game: Game, *rest: Any, **options: Any) -> None:
        """Begin, or go on with, a game."""
        super().__init__(game, *rest, **options)
        self.play = replayed(self.variant.rules(game.board), self.game)
        people = [color for color in Color if self.seats[color].player is None]
        self.is_shared = len(people) == 2
        self.viewer = people[0] if len(people) == 1 else None
        self.greeting = explained(self.play.rules)

    def adviser(self) -> Adviser:
        """Return one who knows no more than the player to move."""
        return DarkAdvice(self.variant)

    def known_commands(self) -> Commands:
        """Return the commands; nothing that was seen can be taken back."""
        known = super().known_commands()
        told = "nothing can be taken back here: what was heard stays known"
        known |= {
            "undo": refused(told),
            "redo": refused(told),
            "swap": refused("there is no swap in Dark Hex"),
            "load": refused("no other game can be loaded here: quit, and start with --resume FILE"),
        }
        words_of = {
            "hint": "a cell that the player `belief` would attempt",
            "why": "what is known, how likely a stone is hidden where, and what attempts risk",
            "board": "show your board again, and all that you know",
            "save": "FILE  save the game; its seal hides stones from sight, and is no lock",
            "quit": "leave; the game is saved, sealed",
        }
        return {name: (do, words_of.get(name, text)) for name, (do, text) in known.items()}

    @property
    def position(self) -> Position:
        """The stones as they are, and the player to move."""
        return self.game.position(turn=self.play.state.turn)

    def run(self, lines: TextIO) -> None:
        """Let the engines study the rules, then play as ever. Raise FailedError if one cannot."""
        for seat in self.seats.values():
            player: Any = seat.player
            if player is not None:
                with failing(player, "play"):
                    player.study(self.play.rules)
        super().run(lines)

    def turn(self, lines: TextIO) -> None:
        """Pass the screen if it is the other person's turn; then go on as ever."""
        mover = self.play.state.turn
        if self.is_shared and self.viewer is not mover:
            self._pass_screen(mover, lines)
        super().turn(lines)

    def written(self) -> str:
        """Return the game as it is saved: sealed while it goes on."""
        return sgf.write(self.game if self.is_over else sealed(self.game))

    def _pass_screen(self, mover: Color, lines: TextIO) -> None:
        if self.viewer is not None:
            self._wait("Press Enter to hide your board.", lines)
        self.viewer = None
        forget_lines()
        _clear()
        self._wait(f"{mover.word.capitalize()}, press Enter to see your board.", lines)
        _clear()
        self.viewer = mover
        self.board("")

    def _wait(self, message: str, lines: TextIO) -> None:
        click.echo(message)
        if not lines.readline():
            raise LeaveError

    def answer(self, line: str) -> None:
        """Take a line for the cell to attempt. Raise ValueError if it is known to be occupied."""
        self._attempt(self.game.board.cell(line))

    def _ask(self, player: Any) -> None:
        color = self.play.state.turn
        with failing(player):
            with thinking(player.name, self.game.board):
                before = self._answered(player, color)
                while self._is_secret(before):
                    before = self._answered(player, color)
            self._tell(before)

    def _is_secret(self, before: Play) -> bool:
        """Return whether nothing may show that the player to move has attempted a cell."""
        stays = self.play.state.turn is before.state.turn and not self.is_over
        return stays and self.viewer is not None and not self._heard(before)

    def _answered(self, player: Any, color: Color) -> Play:
        """Let an engine attempt a cell; return what was played before."""
        before, known = self.play, self.play.information_state(color)
        choice = player.attempt(color, known, self.generator)
        self._go_on(*attempted(self.game, before, choice.action))
        return before

    def _attempt(self, cell: Cell) -> None:
        """Let the player to move attempt a cell, and say what the viewer hears of it."""
        before = self.play
        self._go_on(*attempted(self.game, before, cell))
        self._tell(before)

    def _go_on(self, game: Game, play: Play) -> None:
        self.session.go_on(SessionState.of(game))
        self.play = play

    def _heard(self, before: Play) -> Sequence[int]:
        """Return what the viewer has heard since."""
        if self.viewer is None:
            return ()
        known = before.information_state(self.viewer)
        return self.play.information_state(self.viewer)[len(known) :]

    def _tell(self, before: Play) -> None:
        """Say what the viewer hears of an attempt, and show the board."""
        viewer, mover, now = self.viewer, before.state.turn, self.play.state.turn
        if viewer is None:
            click.echo(words(self.game)[-1])
            self.board("")
            return
        for symbol in self._heard(before):
            click.echo(said(self.play.rules, viewer, symbol))
        if self.is_over:
            return
        if mover is not viewer and now is viewer:
            click.echo(f"{mover.word.capitalize()} has had a turn.")
        self.board("")

    def board(self, _argument: str) -> None:
        """Show the viewer's board and what they know; all stones where only engines play."""
        viewer = self.viewer
        if viewer is None:
            if not self.is_shared:
                super().board("")
            return
        rules, known = self.play.rules, self.play.information_state(viewer)
        self.draw(Marks())
        click.echo(f"\n{viewer.word.capitalize()}'s view. {remembered(rules.board, known)}.")
        news = [symbol for symbol in known[-rules.board.size :] if symbol < 0]
        if self.is_shared and news and known[-1] < 0:
            click.echo(said(rules, viewer, known[-1]))
        click.echo()

    def draw(self, marks: Marks) -> None:
        """Draw what the viewer sees; all stones where there is none."""
        viewer = self.viewer
        if viewer is None:
            super().draw(marks)
            return
        seen = view(self.play.information_state(viewer))
        position = seen_position(self.play.rules.board, viewer, seen)
        # The last stone of the record may be hidden.
        shown = replace(marks, last=None)
        self.screen.show(position, shown)

    def _announce_end(self) -> None:
        """Say who has won, and show the truth."""
        super()._announce_end()
        self.viewer, self.is_shared = None, False
        click.echo("The truth:\n")
        super().board("")


class DarkAdvice:
    """Advises the player to move from what they know, by the player `belief`."""

    def __init__(self, variant: Dark) -> None:
        """Ask a player of its own, whoever plays."""
        self._variant, self._player = variant, GuessingPlayer(name="hint")

    def remember(self, _game: Game, _account: Rationale) -> None:
        """Forget it: why an engine attempted a cell is not for the other player."""

    def hint(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Hint:
        """Return a cell to attempt, and why."""
        play = replayed(self._variant.rules(game.board), game)
        self._player.study(play.rules)
        color = play.state.turn
        choice = self._player.attempt(color, play.information_state(color), generator)
        cell = choice.account.line[0]
        return Hint(f"Hint: {game.board.name(cell)}. {choice.account.reason}", cell)

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return what is known, what may be hidden, and what attempts risk."""
        play = replayed(self._variant.rules(game.board), game)
        color = play.state.turn
        return supposed(play.rules, color, play.information_state(color))


def _clear() -> None:
    """Clear the terminal, also what it has scrolled away; draw a line where there is none."""
    click.echo(CLEAR if sys.stdout.isatty() else "-" * 40, nl=not sys.stdout.isatty())
