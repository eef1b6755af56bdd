"""What commands for many games share: the games and proofs of files, and machines to play on."""

from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

import click

from hsearch.formats.files import LinesError
from hsearch.formats.reading import readers
from hsearch.hex import Board, Game, Position
from player.console.command import FailedError, InputError, one_line, reading, warn
from player.console.options import Decorator, gather, is_there, processes_option
from player.console.reading import ReadingOptions, describe, display_name, text_of
from player.solve.verify import read_position
from player.variants import refuse_review
from player.work.spread import Cluster, WorkerPool, WorkersError


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of a file, or the error in its place.

    file            the name of the file
    number          the number of the game in the file, from 1
    game            the game; None if it cannot be read
    error           one line with the place
    is_one_of_many  whether the file has more games
    options         the options with which it was read, as words of a command line
    """

    file: str
    number: int
    game: Game | None = None
    error: str | None = None
    is_one_of_many: bool = False
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file, and the number of the game if there are more."""
        return name_of(self.file, self.number, is_one_of_many=self.is_one_of_many)

    def show_warnings(self) -> None:
        """Print the warnings about the game on stderr, each with its place."""
        for warning in self.game.warnings if self.game is not None else ():
            warn(f"{self.name}: {warning}")


def name_of(file: str, number: int, *, is_one_of_many: bool) -> str:
    """Return how a game of a file is named, such as `games.sgf, game 2`."""
    return f"{file}, game {number}" if is_one_of_many else file


def games_of(file: str, selection: ReadingOptions) -> Iterator[GameEntry]:
    """Yield the games of a file, or only that of `--game`; one that cannot be read has an error."""
    name, number = display_name(file), selection.game
    size, text_format = selection.size, selection.text_format
    options = replace(selection, game=None).words(None if size is None else Board(*size))
    try:
        game_readers = readers(text_of(file), format=text_format, size=size)
    except InputError as error:
        yield GameEntry(name, number or 1, error=one_line(error.message))
        return
    except ValueError as error:
        message = f"{name}: {describe(error, file, text_format)}"
        yield GameEntry(name, number or 1, error=one_line(message))
        return
    each, place = iter(enumerate(game_readers, start=1)), 0
    first = [*islice(each, 2)]
    has_more, is_yielded = len(first) > 1, False
    for place, load in chain(first, each):
        if number in {None, place}:
            is_yielded = True
            try:
                game = _check(load())
                yield GameEntry(name, place, game, is_one_of_many=has_more, options=options)
            except ValueError as error:
                why = describe(error, file, text_format)
                message = f"{name_of(name, place, is_one_of_many=has_more)}: {why}"
                yield GameEntry(name, place, None, one_line(message), has_more)
    if number is not None and not is_yielded:
        yield GameEntry(name, number, error=f"{name}: no game {number}: there are {place}")


def _check(game: Game) -> Game:
    """Return a game. Raise ValueError unless a review can examine its variant and its turns."""
    if game.is_sealed:
        raise ValueError("a review is not for this variant: the game is sealed")
    refuse_review(game)
    for moves in range(len(game.moves) + 1):
        game.position(moves)  # raises if it is not known who is to move
    return game


# The files of proofs that a command adds to.


def refuse_other(path: Path, positions: Container[Position], which: str) -> None:
    """Raise InputError if a file exists and is not a proof of one of these positions.

    Only its first line is read; the proof is not checked. `which` names the positions in words.
    """
    with reading(path):
        if is_there(path) and read_position(path) not in positions:
            raise InputError(f"{path}: not the proof of {which}: take another folder")


# Where work on many games is done, and its results.


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Raise FailedError when workers die, or the results cannot be written to a file.

    Raise InputError when another process writes to it.
    """
    try:
        yield
    except WorkersError as error:
        raise FailedError(str(error)) from error
    except LinesError as error:
        raise InputError(str(error)) from error
    except OSError as error:
        file = error.filename or path  # it may have been the record of a game
        raise FailedError(f"{file}: cannot be written: {error.strerror or error}") from error


def warn_if_cut(path: object, *, cut: bool) -> None:
    """Print a warning if a file of rows ends with part of one, which the next row overwrites."""
    if cut:
        click.echo(f"{path}: a half-written last row is dropped", err=True)


@dataclass(frozen=True, slots=True)
class Machines:
    """Where a command does its work.

    jobs       the number of processes of this machine
    scheduler  the address of a Dask cluster that does it instead; None for this machine
    """

    jobs: int
    scheduler: str | None

    @contextmanager
    def workers(self) -> Iterator[WorkerPool]:
        """Yield the workers; disconnect from a cluster at the end.

        Raise FailedError if there is no scheduler at the address.
        """
        if self.scheduler is None:
            yield WorkerPool(self.jobs)
            return
        try:
            cluster = Cluster(self.scheduler)
        except WorkersError as error:
            raise FailedError(str(error)) from error
        try:
            yield WorkerPool(cluster.workers, cluster.executor)
        finally:
            with suppress(Exception):  # if the scheduler is gone, this may raise anything
                cluster.close()


def scheduler_option(does: str) -> Decorator:
    """Return the decorator that adds `--scheduler`; `does` names the work: `Play`."""
    text = f"{does} on the Dask cluster of this scheduler."
    return click.option("--scheduler", metavar="ADDRESS", help=text)


def takes_machines(does: str, processes: str) -> Decorator:
    """Return the decorator that adds `--jobs` and `--scheduler`; the command gets `machines`.

    `does` names the work, and `processes` explains the number of processes.
    """
    return gather(
        "machines", Machines, processes_option("jobs", help=processes), scheduler_option(does)
    )
