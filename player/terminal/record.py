"""The record of a game at the terminal: who plays, by which rules, and where it is kept."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from hsearch.formats.files import free_name
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import winner
from hsearch.render.text import numbered
from player.console.command import FailedError, InputError, reading
from player.console.screen import working, write_file
from player.engine.levels import LEVELS, Level
from player.engine.player import Participant, PlayerError, PlayerFileError
from player.engine.spec import PLAYERS, participant
from player.search.settings import SearchResult
from player.variants import SpecError, refuse_another
from player.variants.plain import SWAP
from player.variants.variant import ALTERNATING, GameState, Variant, end_words, informed

HUMAN = ("human", "me")
TREE_FROM = (
    9  # cells a side from which on `tree` beats `hexy`, to 15: positions/results/strength.md
)


@dataclass(frozen=True, slots=True)
class Seat:
    """Player of a color.

    name    how a record calls them
    player  the engine, of the variant that is played; None for a person
    """

    name: str
    player: Any


def usual_white(
    black: str,
    variant: Variant[Any],
    board: Board,
    *,
    level: Level | None = None,
    is_deep: bool = False,
) -> str:
    """Return who plays White unless it is said: a person against an engine, else an engine.

    At ordinary turns that is the level, else the strongest; but `hexy` if a depth is given.
    """
    if black not in HUMAN:
        return HUMAN[0]
    is_large = min(board.columns, board.rows) >= TREE_FROM
    if variant.name == ALTERNATING and level is not None:
        return level.spec
    if variant.name == ALTERNATING and is_large and not is_deep:
        return "tree"
    return next(iter(PLAYERS[variant.name]))


def engines(variant: Variant[Any]) -> str:
    """Return in words which engines play a variant, and how they are chosen."""
    names = ", ".join(PLAYERS[variant.name])
    if variant.name == ALTERNATING:
        return (
            f"Engines are chosen at the start, as --level N, {LEVELS[0].title} to"
            f" {LEVELS[-1].title}, or as --white hexy, and a level while playing: level N. There"
            f" are {names}, level:N, gtp:COMMAND, py:FILE.py:NAME."
        )
    first = next(iter(PLAYERS[variant.name]))
    return f"Engines are chosen at the start, as --white {first}; there are {names}."


@contextmanager
def failing(player: Participant, what: str = "move") -> Iterator[None]:
    """Raise FailedError when an engine fails, or answers against the rules.

    Raise InputError when its file is at fault.
    """
    try:
        yield
    except (PlayerError, ValueError) as error:
        kind = InputError if isinstance(error, PlayerFileError) else FailedError
        raise kind(f"{player.name} cannot {what}: {error}") from error


# Line on stderr while an engine thinks: on a terminal only, and gone afterwards.


@contextmanager
def thinking(name: str) -> Iterator[Callable[[SearchResult], None]]:
    """Show that `name` thinks; call what is yielded with what it has found so far.

    That is shown by how far the search is, and not by its line: whoever sits across would
    see what the engine plans.
    """
    says = f"{name} is thinking ..."
    with working(says) as work:

        def show(result: SearchResult) -> None:
            ahead = f"{numbered(result.depth, 'move')} ahead"
            simulated = numbered(result.counts.nodes, "simulation")
            work.say(f"{says} {ahead if result.chance is None else simulated}")

        yield show


# The record: who plays, by which rules, and how to resume it.

NAMES = {Color.BLACK: "PB", Color.WHITE: "PW"}


def laid_out(game: Game, variant: Variant[Any], file: str) -> GameState:
    """Return the state of a game that continues a record; raise InputError if none can."""
    with reading(file):
        refuse_another(game, variant)
        state: GameState = variant.start(game)
        return state


def recorded_seats(game: Game, variant: Variant[Any]) -> dict[Color, str]:
    """Return who sat where when a game was saved here; nobody whom only the record knows.

    A program of another name is not started because a file says so.
    """
    seats: dict[Color, str] = {}
    for name, text in game.info:
        for color in Color:
            if name == NAMES[color] and (text in HUMAN or _is_known(text, variant)):
                seats[color] = text
    return seats


def may_go_on(game: Game, variant: Variant[Any]) -> bool:
    """Return whether a record is one of `play` that is not over, so that it may be written over.

    Both players sit here, there is no result, and nobody added comments or variations.
    """
    names = [game.about(name) or "" for name in NAMES.values()]
    return (
        all(n in HUMAN or n.startswith("gtp:") or _is_known(n, variant) for n in names)
        and game.result is None
        and len(game.main_line) == len(game.nodes)
        and not any(node.comment for node in game.nodes if node.sealed is None)
        and not any(move.gives_up for move in game.moves[-1:])
        and winner(game.position(turn=Color.BLACK)) is None
    )


def _is_known(text: str, variant: Variant[Any]) -> bool:
    if text.startswith("gtp:"):
        return False
    try:
        participant(text, variant.name)
    except SpecError:
        return False
    return True


def seated(game: Game, seats: dict[Color, Seat], *, swap: bool) -> Game:
    """Return a game that continues with these players and this rule, without a result."""
    game = informed(game.without("RE"), **{NAMES[color]: seats[color].name for color in Color})
    return informed(game, RU=SWAP) if swap else game


def ended(state: GameState) -> tuple[str, Game]:
    """Return who has won a game that is over, in a sentence, and the game with its result."""
    won = state.winner
    assert won is not None  # noqa: S101 - the game is over
    result = f"{won.word[0].upper()}+{'Resign' if state.is_given_up else ''}"
    return end_words(state), informed(state.game, RE=result)


def to_go_on(record: Path, seats: dict[Color, Seat], variant: Variant[Any], board: Board) -> str:
    """Return the command that resumes a saved game, with the same players."""
    black, white = (seats[color].name for color in Color)
    words = ["hsearch", "play", "--resume", str(record)]
    if black != "human":
        words += ["--black", black]
    if white != usual_white(black, variant, board):
        words += ["--white", white]
    return shlex.join(words)


# Where a game at the terminal is kept: in its own record, and in files that a person names.


class KeptGame:
    """What of a game lies in files. Holds state.

    record  where it is kept when it ends, or the file that a person has saved all of it in
    """

    def __init__(self, record: Path, began: Game) -> None:
        """Keep a game in `record` when it ends; so much of it may be there already."""
        self.record = record
        self._began = began
        self._held: Game | None = None
        self._saved: Path | None = None

    def remember(self, path: Path, game: Game, *, is_saved: bool) -> None:
        """Note that the game is in a file that it was saved in, or where it was loaded from.

        But not in the one that will be written over.
        """
        is_own = path.resolve() == self.record.resolve()
        self._held, self._saved = None if is_own else game, path if is_saved else None

    def set_aside(self, game: Game, text: str) -> None:
        """Save a game that another takes the place of, unless a file holds it already."""
        if game.moves and game != self._held:
            path = free_name(self.record)
            write_file(path, text)
            click.echo(f"The game before is saved as {path}.")

    def keep(self, game: Game, text: str) -> bool:
        """Save a game at its end, or say why not; return whether it was saved."""
        if not game.moves and len(game.main_line) == 1:
            return False  # not even a bid, or a coin
        if game.nodes == self._began.nodes:
            is_there = self.record.exists()
            click.echo(f"Nothing was played{f': {self.record} is as it was' * is_there}.")
            return False
        if self._saved is not None and game == self._held and not self.record.exists():
            self.record = self._saved
            return True
        try:
            write_file(self.record, text)
        except FailedError as error:
            click.echo(f"The game could not be saved: {error.message}", err=True)
            click.echo(text, nl=False)
            return False
        return True
