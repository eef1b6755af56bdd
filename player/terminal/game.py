"""A game at the terminal, of any variant: turns, input and output.

The variant has the rules, and the sentences on what happened. If stones are hidden, people see
their own boards: a screen that two people share is cleared between their turns, and all stones
are shown at the end.
"""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import click
import numpy as np

from hsearch.formats import sgf
from hsearch.hex import Color, Game, Special
from hsearch.hex.position import winning_chain
from hsearch.render.text import Marks
from player.answers.candidates import SECONDS
from player.answers.solved import outcome_words
from player.console.command import FailedError, failing
from player.console.output import COMMAND, say
from player.console.reading import ReadingOptions, file_word, is_file, path_of
from player.console.screen import Screen
from player.engine import levels
from player.engine.classic import stand_in_words
from player.engine.player import AnyPlayer, MoveRequest
from player.engine.referee import act_of
from player.terminal import talk
from player.terminal.advice import ADVISERS, Adviser
from player.terminal.record import (
    GameFiles,
    Seat,
    SeatedEngines,
    conclude,
    continue_record,
    engine_words,
    resume_command,
    thinking,
    with_seats,
)
from player.variants.base import ALTERNATING, Act, GameState, NoSwapError, Variant, recorded_end
from player.variants.plain import Plain, swaps

EDGES = "Black joins top and bottom, White left and right. Type help for the commands."


class TerminalGame(talk.Talk):
    """A game between people and engines. Holds state: that of the game, and what was saved.

    viewer         the person at the screen: the only one or, where stones are hidden, the one of
                   two who has it; else None
    recorded       who had won by the result of the record that was resumed or loaded, if anybody
    is_shared      whether two people type at the screen
    passes_screen  whether they must not see each other's board
    """

    def __init__(  # noqa: PLR0913 - the options of the command line
        self,
        state: GameState,
        seats: dict[Color, Seat],
        screen: Screen,
        record: Path,
        *,
        variant: Variant[Any],
        seconds: float | None,
        seed: int | None,
    ) -> None:
        """Begin or resume a game."""
        self.variant, self.seats, self.screen, self.seconds = variant, seats, screen, seconds
        self.recorded = recorded_end(state)
        self.state = state.with_record(with_seats(state.game, seats, swap=variant.swap))
        self.redo_states: list[GameState] = []
        self.last_states = dict.fromkeys(Color, self.state)  # when each person last had the screen
        self.keeper = GameFiles(record, self.game)
        self.own_files = frozenset({record.resolve()})
        self.seed = seed
        # With its seed alone, a resumed game would repeat its first coins.
        entropy = None if seed is None else [seed, len(state.game.moves)]
        self.generator = np.random.default_rng(entropy)
        self._lines: TextIO = sys.stdin  # where a question is answered
        self._offer: GameState | None = None  # the state in which a swap was offered
        # A generator of their own, so that coins depend on the seed alone.
        self.coin = self.generator.spawn(1)[0] if variant.tosses else self.generator
        self.engines = SeatedEngines(seats)
        people = self.engines.people
        self.viewer = people[0] if len(people) == 1 else None
        self.is_shared = len(people) == 2
        self.passes_screen = self.is_shared and variant.hides
        self.advice: Adviser[Any] = ADVISERS[variant.name]()
        self.commands = self.build_commands()
        self.who_answers = engine_words(variant)

    def build_commands(self) -> talk.TalkCommands:
        """Return the commands: what can be typed besides cells and bids."""
        commands: talk.TalkCommands = {
            "undo": (self.undo, "take back your last move, and the answer to it"),
            "redo": (self.redo, "play again what was taken back"),
            "hint": (self.hint, "a move to play, and why"),
            "why": (
                self.why,
                "what is proved, where to play, the chances, what the engine looked at",
            ),
            "swap": (self.swap, "take over the first stone, as the second move"),
            "resign": (self.resign, "give the game up"),
            "level": (
                self.level,
                "N  let the engine play at another level; alone: list the levels",
            ),
            "save": (self.save, "FILE  save the game as SGF"),
            "load": (self.load, "FILE  continue another game"),
            "board": (self.board, "show the board and the moves again"),
            "help": (self.help, "this list, and the engines"),
            "quit": (self.quit, "leave; the game is saved"),
            "exit": (self.quit, "the same as quit"),
        }
        meanings = self.advice.meanings
        commands = {name: (do, meanings.get(name, text)) for name, (do, text) in commands.items()}
        if self.variant.name != ALTERNATING:
            commands["level"] = talk.refusal(f"the levels do not play {self.variant.name}")
        if self.variant.no_undo:
            commands["undo"] = commands["redo"] = talk.refusal(self.variant.no_undo)
        if self.variant.hides:
            commands["load"] = talk.refusal(
                "no other game can be loaded here: quit, and start with --resume FILE"
            )
        return commands

    @property
    def game(self) -> Game:
        """The record so far."""
        return self.state.game

    @property
    def color(self) -> Color:
        """The color to act next; people come before engines."""
        due = self.variant.to_act(self.state)
        return next((color for color in due if color in self.engines.people), due[0])

    @property
    def is_own_view(self) -> bool:
        """Whether the screen shows only what the person at it knows."""
        return self.variant.hides and self.viewer is not None

    @property
    def is_over(self) -> bool:
        """Whether a chain, a resignation or the result in the record has ended the game."""
        return self.state.winner is not None or self.recorded is not None

    def record_text(self) -> str:
        """Return the text to save the game as."""
        return sgf.write(self.variant.public_record(self.state))

    # Turns: of chance, of engines and of people; what happened is printed after each.

    def run(self, lines: TextIO) -> None:
        """Print the start, play and save the game.

        Raise Exit at the end if it could not be saved.
        """
        self._lines = lines
        self._prepare()
        if self.variant.rules:
            say((self.variant.rules, ""))
        if self.engines.people:
            say((EDGES, *self._opponent(), ""))
        self.board("")
        with talk.ended_by_signals():
            self._play(lines)
        if self.keeper.has_failed:
            raise click.exceptions.Exit(FailedError.exit_code)

    def _play(self, lines: TextIO) -> None:
        """Play until the game is over or the input ends, and save it."""
        try:
            while not self.is_over:
                self.turn(lines)
            self._announce_end()
        except talk.LeaveError:
            click.echo("The game is not over.")
        finally:
            self._keep()

    def _opponent(self) -> Iterator[str]:
        """Yield a sentence on the opponent of the only person, if there is just one."""
        if self.viewer is not None:
            name = self.seats[self.viewer.opponent].name
            yield f"You are {self.viewer.title}, against {name}."

    def _prepare(self) -> None:
        """Prepare the engines; none is needed if the game is over."""
        self.engines.wait()
        if self.is_over:
            return
        due = self.variant.to_act(self.state)
        is_person_first = not set(due).isdisjoint(self.engines.people)
        self.engines.prepare(self.variant, self.game.board, is_person_first=is_person_first)

    def turn(self, lines: TextIO) -> None:
        """Let chance decide; then let an engine act, or execute one line of a person."""
        after_toss = self.variant.toss(self.state, self.coin)
        if after_toss is not self.state:
            self._say(self.state, after_toss)
            self.state = after_toss
        color = self.color
        engine = self.engines.by_color.get(color)
        if engine is not None:
            self._ask(color, engine)
            return
        if self.passes_screen and self.viewer is not color:
            self._pass_screen(color, lines)
        self._offer_swap(color)
        prompt, is_bid = self._prompt(color)
        self.obey(talk.next_line(lines, prompt, is_hidden=is_bid and self.is_shared))

    def _offer_swap(self, color: Color) -> None:
        """Print once that the first stone may be taken over."""
        if self._offer is not self.state and self.variant.legal(self.state, color).swap:
            name = self.game.board.name(self.game.last_cell() or 0)
            say([f"{color.title} may swap: type swap to take over {name}."])
            self._offer = self.state

    def _prompt(self, color: Color) -> tuple[str, bool]:
        """Return the prompt for a person, and whether it asks for a bid."""
        legal = self.variant.legal(self.state, color)
        if legal.tie:
            return f"{color.word}, hand over the tie-break chip and move? yes or no> ", False
        if legal.chips is not None:
            return f"{color.word} bids (of {legal.chips})> ", True
        return f"{color.word}> ", False

    def close(self) -> None:
        """Close the engines."""
        self.engines.close()

    def answer(self, line: str) -> None:
        """Read a line as an act of the person to act."""
        self.act(self.variant.read(self.state, self.color, line))

    def act(self, act: Act) -> None:
        """Let the person to act do this. Raise ValueError when it is not legal."""
        color = self.color
        self._continue_from(self.variant.after(self.state, color, act))
        self.advice.remember(self.state, color, None)

    def _ask(self, color: Color, player: AnyPlayer) -> None:
        """Let an engine act. Raise FailedError when it cannot.

        While its collisions are silent, it continues until the viewer observes something.
        """
        before, remark = self.state, ""
        # With `--seed` a game must be repeatable, so the engine itself moves, however late.
        is_allowed = self.variant.name == ALTERNATING and self.seed is None
        substitute = self.engines.stand_in() if is_allowed else None
        if substitute is None:
            self.engines.wait()
        else:
            player, remark = substitute, stand_in_words(player.name)
        with failing(player), thinking(player.name) as progress:
            terms = MoveRequest(self.seconds, progress=progress)
            while True:
                act, account = act_of(player, self.variant, before, color, terms, self.generator)
                after = self.variant.after(before, color, act)
                if not self._is_secret(before, after):
                    break
                before = after
        self.state = before
        self._continue_from(after, remark)
        self.advice.remember(after, color, account)

    def _is_secret(self, before: GameState, after: GameState) -> bool:
        """Return whether the person at the screen cannot tell two states apart."""
        viewer, view = self.viewer, self.variant.view
        return viewer is not None and view(before, viewer) == view(after, viewer)

    def _continue_from(self, after: GameState, remark: str = "") -> None:
        """Enter a state, and show what happened, with a remark."""
        before, self.state = self.state, after
        self.redo_states.clear()
        self._say(before, after)
        if remark:
            say([remark])
        if after.game is before.game or (self.is_own_view and self.is_over):
            return
        due = self.variant.to_act(after)
        people = self.engines.people
        is_awaited = not due or not people or not set(due).isdisjoint(people)
        has_moved = len(before.game.moves) != len(after.game.moves)
        if self.is_over or self.variant.hides or (is_awaited and has_moved):
            self.board("")

    def _say(self, before: GameState, after: GameState) -> None:
        say(self.variant.words(before, after, self.viewer))

    def _pass_screen(self, color: Color, lines: TextIO) -> None:
        """Clear the screen for the other person, then show what happened meanwhile."""
        if self.viewer is not None:
            talk.wait_for_enter("Press Enter to hide your board.", lines)
            self.last_states[self.viewer] = self.state
        self.viewer = None
        talk.forget_lines()
        talk.clear_screen()
        talk.wait_for_enter(f"{color.title}, press Enter to see your board.", lines)
        talk.clear_screen()
        self.viewer = color
        self._say(self.last_states[color], self.state)
        self.board("")

    # Commands, by their names.

    def undo(self, _argument: str) -> None:
        """Take back until it is a person's turn. Raise ValueError when nothing is left."""
        before = state = self.state
        while True:
            state = self.variant.take_back(state)
            if not set(self.variant.to_act(state)).isdisjoint(self.engines.people):
                break
        self.state = state
        self._say(before, state)
        if state.game is not before.game:
            self.redo_states.append(before)
            self.board("")

    def redo(self, _argument: str) -> None:
        """Return to the state before the last undo. Raise ValueError when there is none."""
        if not self.redo_states:
            raise ValueError("nothing was taken back")
        self.state = self.redo_states.pop()
        self.board("")

    def hint(self, _argument: str) -> None:
        """Show a move to play, and why."""
        color = self.color
        self.engines.wait()
        with thinking("hint") as progress:
            terms = MoveRequest(self._seconds_of_hint(), swap=self.variant.swap, progress=progress)
            apart = self.generator.spawn(1)[0]  # hints do not change the game
            hint = self.advice.hint(self.variant.view(self.state, color), terms, apart)
        if hint.cell is not None:
            self.draw(Marks(last=self.game.last_cell(), key=hint.cell))
            click.echo()
        say([hint.sentence])

    def _seconds_of_hint(self) -> float | None:
        """Return the time limit of a hint; with `--seed` no default, so that hints repeat."""
        if self.variant.name != ALTERNATING or self.seed is not None:
            return self.seconds
        return SECONDS if self.seconds is None else self.seconds

    def why(self, _argument: str) -> None:
        """Show what is known about the position."""
        self.engines.wait()
        marks, lines = self.advice.why(self.variant.view(self.state, self.color))
        self.draw(marks)
        say(("", *lines))

    def resign(self, _argument: str) -> None:
        """Give the game up, at a terminal after a question: it is saved, and cannot be resumed."""
        if talk.is_confirmed(self._lines, "resign? y or n> "):
            self.act(Special.RESIGN)
        else:
            click.echo("The game goes on.")

    def swap(self, _argument: str) -> None:
        """Take over the first stone. Raise ValueError where that is not legal."""
        try:
            self.act(Special.SWAP_PIECES)
        except NoSwapError as error:
            advice = ": start with --swap" if self.variant.no_swap else ""
            raise ValueError(f"{error}{advice}") from None

    def save(self, argument: str) -> None:
        """Save the game in the file that a person names, and remember that."""
        if self.keeper.is_taken:
            self.own_files -= {self.keeper.record.resolve()}
        super().save(argument)
        self.keeper.remember(Path(argument), self.game, is_saved=True)

    def level(self, argument: str) -> None:
        """List the levels, or replace the engines by one. Raise ValueError without engines."""
        if not argument:
            say([f"{each.title:14} {each.worth}".rstrip() for each in levels.LEVELS])
            return
        engines = self.engines.by_color
        if not engines:
            raise ValueError("no engine plays here")
        level = levels.level(argument)
        self.engines.replace(level)
        self.state, *self.redo_states = (
            state.with_record(with_seats(state.game, self.seats, swap=self.variant.swap))
            for state in (self.state, *self.redo_states)
        )
        self._prepare()
        click.echo(f"{' and '.join(color.title for color in engines)}: level {level.title}.")

    def load(self, argument: str) -> None:
        """Resume the game in a file; the current game is saved unless a file holds it.

        Raise ValueError if no file is named, InputError if its game cannot be read or resumed.
        """
        if not argument:
            raise ValueError("name the file: load FILE")
        game = ReadingOptions().read(argument).game
        variant = Plain(swap=swaps(game)) if self.variant.name == ALTERNATING else self.variant
        state = continue_record(game, variant, argument)
        aside = self.game, self.record_text()
        before, self.variant = (self.variant, self.state, self.recorded), variant
        self.recorded = recorded_end(state)
        self.state = state.with_record(with_seats(state.game, self.seats, swap=variant.swap))
        try:
            self._prepare()
            self.keeper.set_aside(*aside)
        except Exception:
            self.variant, self.state, self.recorded = before  # the engine can play this game
            raise
        self.redo_states.clear()
        self.keeper.remember(Path(argument), self.game, is_saved=False)
        if self.is_over or (is_file(argument) and path_of(argument).is_file()):
            self.keeper.begin_with(self.game)
        self.own_files = frozenset({self.keeper.record.resolve(), Path(argument).resolve()})
        self.board("")

    def board(self, _argument: str) -> None:
        """Show the board, the moves, and what else is known; nothing while a screen is passed."""
        if self.is_own_view:
            self.draw(Marks())
            say(("", self.variant.standing(self.state, self.viewer), ""))
            return
        if self.passes_screen:
            return
        super().board("")
        if standing := self.variant.standing(self.state):
            say((standing, ""))

    # What is drawn, the end, and what is saved then.

    def draw(self, marks: Marks) -> None:
        """Draw the board as the viewer may see it, with marks."""
        if self.is_own_view:
            marks = replace(marks, last=None)  # the last stone of the record may be hidden
        self.screen.show(self.variant.position_for(self.state, self.viewer), marks)

    def _announce_end(self) -> None:
        """Print who has won; if stones were hidden, show them all."""
        if self.recorded is not None:
            say([f"{outcome_words(self.recorded)}."])
            return
        sentence, game = conclude(self.state)
        self.state = self.state.with_record(game)
        chain = winning_chain(self.state.position)
        say([sentence + (" Its stones are marked [ ]." if chain else "")])
        if self.variant.hides:
            self.viewer, self.passes_screen = None, False
            click.echo("The truth:\n")
            self.board("")

    def _keep(self) -> None:
        """Save the game in its record, and print how to continue or review it."""
        if not self.keeper.keep(self.game, self.record_text()):
            return
        record = self.keeper.record
        options = self._unrecorded_options()
        command = resume_command(record, self.seats, self.variant, self.game.board, options)
        click.echo(f"Saved as {record}{'.' if self.is_over else f'; continue with: {command}'}")
        if self.is_over and self.variant.name == ALTERNATING and len(self.game.moves) > 1:
            file = shlex.quote(file_word(str(record)))
            say([f"{COMMAND}hsearch review {file}   where it was decided"])

    def _unrecorded_options(self) -> Iterator[str]:
        """Yield the options of the command that no record holds."""
        if self.seconds is not None:
            yield from ("--time", f"{self.seconds:.12g}")
        if self.seed is not None:
            yield from ("--seed", str(self.seed))
        yield from self.screen.options
