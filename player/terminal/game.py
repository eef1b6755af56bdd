"""A game at the terminal: whose turn it is, what people type, what is shown."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import click
import numpy as np

from hsearch.board import Color
from hsearch.formats import sgf
from hsearch.game import Game, Move, Special
from hsearch.position import Position, winning_chain
from hsearch.render import Marks
from player.console.errors import FailedError
from player.console.output import COMMAND, say
from player.console.reading import read
from player.console.screen import Screen
from player.engine import ALTERNATING, Choice, MoveRequest, Player
from player.match import Variant
from player.match.alternating import may_swap
from player.session import GameSession, SessionState
from player.terminal import commands
from player.terminal.advice import Adviser, TerminalAdvice
from player.terminal.keeping import KeptGame
from player.terminal.lines import read_line
from player.terminal.record import ended, has_swap, laid_out, seated, to_go_on
from player.terminal.seat import Seat, engines, failing
from player.terminal.thinking import thinking


class LeaveError(Exception):
    """The person at the terminal goes away."""


class TerminalGame:
    """A game between people and engines, by ordinary turns; other variants change parts of it.

    Holds state: the session, and what was saved.
    """

    edges = "Black joins top and bottom, White left and right. Type help for what can be said."
    greeting = ""
    sayings: tuple[tuple[str, str], ...] = (("a cell such as c3", "play there"),)

    def __init__(  # noqa: PLR0913 - what was asked for on the command line
        self,
        game: Game,
        seats: dict[Color, Seat],
        screen: Screen,
        record: Path,
        *,
        variant: Variant[Any],
        swap: bool,
        seconds: float | None,
        seed: int | None,
    ) -> None:
        """Begin, or go on with, a game."""
        self.swap = swap or has_swap(game)
        self.session = GameSession(seated(game, seats, swap=self.swap))
        self.seats = seats
        self.screen = screen
        self.kept = KeptGame(record, self.session.game)
        self.variant = variant
        self.seconds = seconds
        self.generator = np.random.default_rng(seed)
        self.advice: Adviser = self.adviser()
        self.commands = self.known_commands()

    def adviser(self) -> Adviser:
        """Return who says `hint` and `why`."""
        return TerminalAdvice(self.seats)

    def known_commands(self) -> commands.Commands:
        """Return what can be typed besides cells."""
        known: commands.Commands = {
            "undo": (self.undo, "take back your last move, and the answer to it"),
            "redo": (self.redo, "play again what was taken back"),
            "hint": (self._hint, "a move to play, and why"),
            "why": (
                self._why,
                "what is proved, where to play, the chances, what the engine looked at",
            ),
            "swap": (self._swap, "take over the first stone, as the second move"),
            "resign": (self._resign, "give the game up"),
            "save": (self._save, "FILE  save the game as SGF"),
            "load": (self.load, "FILE  go on with another game"),
            "board": (self.board, "show the board and the moves again"),
            "help": (self._help, "this list, and the engines"),
            "quit": (self._quit, "leave; the game is saved"),
            "exit": (self._quit, "the same as quit"),
        }
        shorter = {"?": "help", "h": "help", "q": "quit"}
        return known | {name: commands.unlisted(known[meant]) for name, meant in shorter.items()}

    @property
    def game(self) -> Game:
        """The record as it is now."""
        return self.session.game

    @property
    def position(self) -> Position:
        """The position as it is now."""
        return self.game.position()

    @property
    def color(self) -> Color:
        """Whose turn it is to say something."""
        return self.position.turn

    @property
    def engines(self) -> str:
        """Which engines there are, in words."""
        return engines(self.variant)

    @property
    def asked(self) -> Game:
        """The game as the player sees it who is to say something."""
        return self.game

    @property
    def prompt(self) -> str:
        """Prompt before the line that a person types."""
        return f"{self.color.word}> "

    @property
    def is_over(self) -> bool:
        """Whether stones or a player's word have ended the game."""
        return self.session.winner is not None

    def written(self) -> str:
        """Return the game as it is saved."""
        return sgf.write(self.game)

    def run(self, lines: TextIO) -> None:
        """Play until the game is over or the input ends, and save it."""
        self._prepare()
        if self.greeting:
            click.echo(f"{self.greeting}\n")
        if any(seat.player is None for seat in self.seats.values()):
            click.echo(f"{self.edges}{self._opponent()}\n")
        self.board("")
        try:
            while not self.is_over:
                self.turn(lines)
            self._announce_end()
        except LeaveError:
            click.echo("The game is not over.")
        finally:
            self._keep()

    def _opponent(self) -> str:
        """Return whom a person plays, in a line; nothing where people play each other."""
        people = [color for color, seat in self.seats.items() if seat.player is None]
        if len(people) != 1:
            return ""
        name = self.seats[people[0].opponent].name
        return f"\nYou are {people[0].word.capitalize()}, against {name}."

    def _prepare(self) -> None:
        for seat in self.seats.values():
            if seat.player is not None:
                with failing(seat.player, "play"):
                    seat.player.prepare(self.game.board)

    def turn(self, lines: TextIO) -> None:
        """Let the player to move move, or obey one line of what a person says."""
        player = self.seats[self.color].player
        if player is None:
            self.obey(self.typed(lines))
        else:
            self._ask(player)

    def close(self) -> None:
        """Send the engines away."""
        for seat in self.seats.values():
            if seat.player is not None:
                seat.player.close()

    def read_line(self, lines: TextIO, prompt: str) -> str:
        """Return the next line after a prompt; an empty text at the end of input."""
        return read_line(lines, prompt)

    def typed(self, lines: TextIO, prompt: str = "") -> str:
        """Return the next line that is not empty. Raise LeaveError at the end of input."""
        while True:
            line = self.read_line(lines, prompt or self.prompt)
            if not line:
                click.echo()
                raise LeaveError
            if line.strip():
                return line.strip()

    def obey(self, line: str) -> None:
        """Do what a line says: a command, or a cell to play."""
        name, _, argument = line.partition(" ")
        known = self.commands.get(name.lower())
        try:
            if known is not None:
                commands.obey(known, name, argument.strip())
            else:
                self.answer(line)
        except (FailedError, ValueError) as error:
            message = error.message if isinstance(error, FailedError) else str(error)
            click.echo(f"{message}. Type help for what can be said.")

    def answer(self, line: str) -> None:
        """Take a line that is no command for the cell to play. Raise ValueError if it is none."""
        cell = self.position.board.cell(line)
        self.position.play(cell)
        self.add(Move(self.position.turn, cell))

    def _ask(self, player: Player) -> None:
        """Let an engine move. Raise FailedError when it cannot."""
        with failing(player), thinking(player.name, self.position.board) as progress:
            terms = replace(self._terms(), progress=progress)
            choice = player.choose(self.game, terms, self.generator)
            self._check(choice)
        move = Move(self.position.turn, choice.action)
        self.advice.remember(self.game.append(move), choice.account)
        self.add(move)

    def _check(self, choice: Choice) -> None:
        """Raise ValueError when an engine's move is illegal."""
        if choice.action is Special.SWAP_PIECES and not self._may_swap():
            raise ValueError("it may not swap here")
        if not isinstance(choice.action, Special):
            self.position.play(choice.action)

    def add(self, move: Move) -> None:
        """Make a move, and show it."""
        self.session.go_on(SessionState.of(self.game.append(move)))
        click.echo(self._told(move))
        if self.is_over or self._is_awaited:
            self.board("")

    def _told(self, move: Move) -> str:
        """Return a move in words; of a swap, where the stone lies now, and whose it is."""
        mover, board = move.color, self.game.board
        name = mover.word.capitalize()
        if move.action is Special.SWAP_PIECES:
            new = self.game.last_cell()
            assert new is not None  # noqa: S101 - it was swapped
            is_yours = self.seats[mover.opponent].player is None and self.seats[mover].player
            whose = "your" if is_yours else f"{mover.opponent.word.capitalize()}'s"
            old = board.name(board.transpose(new))
            return f"{name} swaps: {whose} {old} is now {name}'s {board.name(new)}."
        return f"{name} {'resigns' if move.gives_up else f'plays {move.name(board)}'}."

    @property
    def _is_awaited(self) -> bool:
        """Whether a person is to say something now; an engine's turn shows no board of its own."""
        seats = self.seats.values()
        return self.seats[self.color].player is None or all(seat.player for seat in seats)

    def _terms(self) -> MoveRequest:
        # Who opens has to know, too, that the other player may swap.
        return MoveRequest(self.seconds, swap=self.swap and len(self.game.moves) <= 1)

    def _may_swap(self) -> bool:
        return self.swap and len(self.game.moves) == 1 and may_swap(self.position)

    def undo(self, _argument: str) -> None:
        """Take moves back until it is a person's turn."""
        count = len(self.game.moves)
        shorter = [n for n in range(count - 1, -1, -1) if self._is_person(n)]
        if not shorter:
            raise ValueError("there is no move of yours to take back")
        self.session.back_to(self.game.cut(shorter[0]))
        self.board("")

    def redo(self, _argument: str) -> None:
        """Go back to where the last undo began."""
        if not self.session.redo():
            raise ValueError("nothing was taken back")
        self.board("")

    def _is_person(self, moves: int) -> bool:
        """Return whether a person is to move after the first moves."""
        return self.seats[self.game.position(moves).turn].player is None

    def _hint(self, _argument: str) -> None:
        with thinking("hint", self.position.board) as progress:
            terms = replace(self._terms(), progress=progress)
            apart = self.generator.spawn(1)[0]  # the game goes on as if nobody had asked
            hint = self.advice.hint(self.asked, terms, apart)
        if hint.cell is not None:
            self.draw(Marks(last=self.game.last_cell(), key=hint.cell))
            click.echo()
        say([hint.sentence])

    def _why(self, _argument: str) -> None:
        marks, lines = self.advice.why(self.asked)
        self.draw(marks)
        say(("", *lines))

    def _swap(self, _argument: str) -> None:
        if not self.swap:
            raise ValueError("this game is played without swap: start with --swap")
        if len(self.game.moves) != 1:
            raise ValueError("swap is the second move of a game, or none")
        if not self._may_swap():
            raise ValueError("a stone can be swapped on a square board only")
        self.add(Move(self.position.turn, Special.SWAP_PIECES))

    def _resign(self, _argument: str) -> None:
        self.add(Move(self.color, Special.RESIGN))

    def _save(self, argument: str) -> None:
        if not argument:
            raise ValueError("say where: save FILE")
        self.kept.save(Path(argument), self.game, self.written())
        click.echo(f"Saved as {argument}.")

    def load(self, argument: str) -> None:
        """Go on with the game in a file; the one before is saved unless it is already."""
        if not argument:
            raise ValueError("say which: load FILE")
        game = laid_out(read(argument).game, self.variant, argument)
        self.kept.set_aside(self.game, self.written())
        self.swap = has_swap(game)
        self.session.load([seated(game, self.seats, swap=self.swap)])
        self.kept.remember(Path(argument), self.game)
        self._prepare()
        self.board("")

    def board(self, _argument: str) -> None:
        """Show the board and the moves."""
        self.draw(Marks(last=self.game.last_cell(), ends=winning_chain(self.position)))
        moves = " ".join(self._numbered())
        if moves:
            say(("", moves))
        click.echo()

    def draw(self, marks: Marks) -> None:
        """Draw the board as the player may see it, with what is to be pointed out."""
        self.screen.show(self.position, marks)

    def _numbered(self) -> Iterator[str]:
        for number, move in enumerate(self.variant.moves(self.game), start=1):
            yield f"{number}.{move}"

    def _help(self, _argument: str) -> None:
        here = {name: known for name, known in self.commands.items() if name != "swap" or self.swap}
        known = (*self.sayings, *commands.explained(here))
        say(f"{said:20} {meaning}" for said, meaning in known)
        say(("", self.engines))

    def _quit(self, _argument: str) -> None:
        raise LeaveError

    def _announce_end(self) -> None:
        sentence, game = ended(self.game)
        self.session.rewrite(game)
        chain = winning_chain(self.position)
        click.echo(sentence + (" Its stones are marked [ ]." if chain else ""))

    def _keep(self) -> None:
        """Save the game where the command line said; say so if that fails."""
        if not self.kept.keep(self.game, self.written()):
            return
        record = self.kept.record
        command = to_go_on(record, self.seats, self.variant, self.game.board)
        click.echo(f"Saved as {record}{'.' if self.is_over else f'; go on with: {command}'}")
        if self.is_over and self.variant.name == ALTERNATING and len(self.game.moves) > 1:
            file = shlex.quote(str(record))
            say([f"{COMMAND}hsearch review {file}   where it was decided"])
