"""The record of a game at the terminal: its players, how they are prepared, rules and files."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import click

from hsearch.formats.files import free_name
from hsearch.hex import Board, Color, Game, winner
from player.console import compiling
from player.console.command import FailedError, failing, reading
from player.console.output import say
from player.console.screen import working, write_file
from player.engine.classic import PATIENCE, PolicyPlayer, stand_in
from player.engine.hexy import HexyPlayer
from player.engine.levels import LEVELS, Level
from player.engine.player import AnyPlayer
from player.engine.referee import prepare
from player.engine.spec import PLAYERS, default_player, participant
from player.engine.tree import TreePlayer
from player.search.tree import SearchFindings
from player.variants import refuse_another
from player.variants.base import (
    ALTERNATING,
    GameState,
    Variant,
    end_words,
    outcome_of,
    with_info,
)
from player.variants.plain import SWAP
from player.work.naming import SpecError

HUMAN = ("human", "me")


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of a color.

    name    the name in the record
    player  the engine, made for the variant; None for a person
    """

    name: str
    player: AnyPlayer | None


class SeatedEngines:
    """The engines of a game, some of which are prepared in threads. Holds state."""

    def __init__(self, seats: dict[Color, Seat]) -> None:
        """Take the seats, in which `replace` puts other engines."""
        self._seats = seats
        self._preparing: list[tuple[AnyPlayer, Future[None]]] = []

    @property
    def by_color(self) -> dict[Color, AnyPlayer]:
        """The engine of each color that has one."""
        players = ((color, seat.player) for color, seat in self._seats.items())
        return {color: player for color, player in players if player is not None}

    @property
    def people(self) -> list[Color]:
        """The colors of people."""
        return [color for color, seat in self._seats.items() if seat.player is None]

    def prepare(self, variant: Variant[Any], board: Board, *, is_person_first: bool) -> None:
        """Prepare the engines, `hexy` and `tree` in threads if a person thinks first.

        Raise FailedError when one cannot play.
        """
        for player in self.by_color.values():
            if is_person_first and isinstance(player, HexyPlayer | TreePlayer):
                self._preparing.append((player, _prepare_meanwhile(player, variant, board)))
                continue
            with failing(player, "play"), working(f"preparing {player.name} ..."):
                prepare(player, variant, board)

    def wait(self, patience: float | None = None) -> bool:
        """Return whether the engines are ready within `patience` seconds; None: wait for them.

        Raise FailedError when one cannot play.
        """
        while self._preparing:
            player, future = self._preparing[-1]
            compiling.hide(hidden=False)
            with failing(player, "play"), working(f"preparing {player.name} ..."):
                if not wait([future], patience).done:
                    compiling.hide(hidden=True)
                    return False
                self._preparing.pop()
                future.result()
        return True

    def stand_in(self) -> PolicyPlayer | None:
        """Return a substitute for an engine that compiles too long; usually None."""
        substitute = stand_in() if self._preparing else None
        if substitute is None or self.wait(PATIENCE) or not compiling.has_compiled():
            return None
        return substitute

    def replace(self, level: Level) -> None:
        """Close the engines, and seat those of a level, which are yet to be prepared."""
        self.wait()
        for color, engine in self.by_color.items():
            engine.close()
            self._seats[color] = Seat(level.spec, participant(level.spec, ALTERNATING))

    def close(self) -> None:
        """Close the engines."""
        for player in self.by_color.values():
            player.close()


def _prepare_meanwhile(player: AnyPlayer, variant: Variant[Any], board: Board) -> Future[None]:
    """Prepare an engine in a thread, which may take half a minute the first time.

    A person who leaves meanwhile does not wait for it.
    """
    future = Future[None]()

    def work() -> None:
        try:
            prepare(player, variant, board)
            future.set_result(None)
        except BaseException as error:  # noqa: BLE001 - raised where it is awaited
            future.set_exception(error)

    compiling.hide(hidden=True)  # its line would overwrite what is typed
    Thread(target=work, name="prepare", daemon=True).start()
    return future


def usual_white(
    black: str,
    variant: Variant[Any],
    board: Board,
    *,
    level: Level | None = None,
    is_deep: bool = False,
) -> str:
    """Return the default White: a person if an engine plays Black, else the default engine.

    With ordinary turns it is the level if one is given, and with a given depth one that takes it.
    """
    if black not in HUMAN:
        return HUMAN[0]
    if variant.name == ALTERNATING and level is not None:
        return level.spec
    return default_player(variant.name, None if is_deep else board)


def engine_words(variant: Variant[Any]) -> str:
    """Return a sentence on which engines play a variant, and how to choose one."""
    names = ", ".join(PLAYERS[variant.name])
    if variant.name == ALTERNATING:
        return (
            f"Engines are chosen at the start, as --level N, {LEVELS[0].title} to"
            f" {LEVELS[-1].title}, or as --white hexy, and a level while playing: level N. There"
            f" are {names}, level:N, gtp:COMMAND, py:FILE.py:NAME."
        )
    first = default_player(variant.name)
    return f"Engines are chosen at the start, as --white {first}; there are {names}."


# The line on stderr while an engine thinks; only on a terminal, and erased afterwards.


@contextmanager
def thinking(name: str) -> Iterator[Callable[[SearchFindings], None]]:
    """Show that `name` is thinking; yield a function that shows the progress of its search.

    The progress leaves out the expected line, which would tell an opponent at the same screen
    what the engine plans.
    """
    text = f"{name} is thinking ..."
    with working(text) as work:

        def show(findings: SearchFindings) -> None:
            work.say(f"{text} {findings.extent}")

        yield show


# The record: its players and rules, and how to resume it.

NAMES = {Color.BLACK: "PB", Color.WHITE: "PW"}


def continue_record(game: Game, variant: Variant[Any], file: str) -> GameState:
    """Return the state that continues a record; raise InputError if there is none."""
    with reading(file):
        refuse_another(game, variant)
        state: GameState = variant.start(game)
        return state


def read_seats(game: Game, variant: Variant[Any]) -> dict[Color, str]:
    """Return the people and the engines of ours that a record names, by color.

    No other program is started just because a file names it.
    """
    seats: dict[Color, str] = {}
    for name, text in game.info:
        for color in Color:
            if name == NAMES[color] and (text in HUMAN or _is_known(text, variant)):
                seats[color] = text
    return seats


def can_resume(game: Game, variant: Variant[Any]) -> bool:
    """Return whether a record is an unfinished game of `play`, which may be overwritten.

    Its players can play here, it has no result, and nobody added comments or variations.
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


def with_seats(game: Game, seats: dict[Color, Seat], *, swap: bool) -> Game:
    """Return the game with these players and the swap rule if given, without a result."""
    game = with_info(game.without("RE"), **{NAMES[color]: seats[color].name for color in Color})
    return with_info(game, RU=SWAP) if swap else game


def conclude(state: GameState) -> tuple[str, Game]:
    """Return a sentence on who has won a finished game, and the game with its result.

    Raise ValueError if nobody has won.
    """
    return end_words(state), with_info(state.game, RE=outcome_of(state).result)


def resume_command(
    record: Path,
    seats: dict[Color, Seat],
    variant: Variant[Any],
    board: Board,
    options: Iterable[str],
) -> str:
    """Return the command that resumes a saved game with the same players and these options."""
    black, white = (seats[color].name for color in Color)
    words = ["hsearch", "play", "--resume", str(record)]
    if black != "human":
        words += ["--black", black]
    if white != usual_white(black, variant, board):
        words += ["--white", white]
    return shlex.join((*words, *options))


# The files of a game: its own record, and those that a person names.


class GameFiles:
    """The files that hold a game. Holds state.

    record      the file to write at the end, or the file in which a person has saved all of it
    has_failed  whether the game could not be saved at its end
    """

    def __init__(self, record: Path, start: Game) -> None:
        """Save to `record` at the end; the game as it `start` may be there already."""
        self.record, self.has_failed = record, False
        self._state = _state_of(record)
        self._start, self._where = start, ""
        self._copy: Game | None = None
        self._copy_path: Path | None = None

    def remember(self, path: Path, game: Game, *, is_saved: bool) -> None:
        """Note the file in which the game was saved, or from which it was loaded.

        The record does not count as holding it, because it will be overwritten.
        """
        is_own = path.resolve() == self.record.resolve()
        if is_own and is_saved:
            self._state = _state_of(path)
        self._copy, self._copy_path = None if is_own else game, path if is_saved else None

    @property
    def is_taken(self) -> bool:
        """Whether another program has written the record meanwhile, such as another game's."""
        return _state_of(self.record) not in {None, self._state}

    def begin_with(self, game: Game) -> None:
        """Note a loaded game that need not be saved as it is: a file holds it, or it is over."""
        self._start, self._where = game, " in the loaded game"

    def set_aside(self, game: Game, text: str) -> None:
        """Save a game that another one replaces, unless a file holds it already."""
        if (game.moves or len(game.main_line) > 1) and game != self._copy:
            path = free_name(self.record)
            write_file(path, text)
            say([f"The game before is saved as {path}."])

    def keep(self, game: Game, text: str) -> bool:
        """Save a game at its end, or print why not; return whether it was saved."""
        if not game.moves and len(game.main_line) == 1:
            return False  # there is not even a bid or a coin
        if game.nodes == self._start.nodes:
            is_there = self.record.exists()
            as_it_was = f": {self.record} is as it was" * is_there
            say([f"Nothing was played{self._where}{as_it_was}."])
            return False
        if self.is_taken:
            self.record = free_name(self.record)
        if self._copy_path is not None and game == self._copy and not self.record.exists():
            self.record = self._copy_path
            return True
        try:
            write_file(self.record, text)
        except FailedError as error:
            self.has_failed = True
            click.echo(f"The game could not be saved: {error.message}", err=True)
            click.echo(text, nl=False)
            return False
        return True


def _state_of(path: Path) -> tuple[int, int] | None:
    """Return what changes whenever a file is written; None if there is no such file."""
    status = path.stat() if path.is_file() else None
    return None if status is None else (status.st_mtime_ns, status.st_size)
