"""Games to learn from: chunks of them, the folder they are kept in, and a run that fills it."""

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from hsearch.formats import strict
from hsearch.formats.files import held, write_whole
from hsearch.formats.strict import Count
from hsearch.hex.board import Board, Color
from player.engine.hexy import defaults
from player.net.net import Net
from player.search.tree import TreeSettings, net_alone
from player.study import samples
from player.study.samples import PlayedGame, Samples, joined
from player.work.spread import Call, spread

# Chunks of games to learn from: made of a seed and a number, kept in a file each.
#
# A chunk is JSON, compressed by gzip without the time, so that the same games make the
# same file. Cells are numbers, from 0 in rows from the top.

SCHEMA = "hsearch/self-play/2"
MOST_BYTES = 1 << 26  # of JSON; fifty games on 19x19 take a quarter
Side = Annotated[int, Meta(ge=1, le=19)]
Thousandths = Annotated[int, Meta(ge=0, le=1000)]


class ChunkError(ValueError):
    """A file that is not a chunk of games, is damaged, or of another version."""


@dataclass(frozen=True, slots=True)
class ChunkOrigin:
    """All that the games of a chunk depend on.

    columns, rows  the board
    simulations    a move
    net            the key of the net that the search asked; None for none
    seed           of the run
    number         of the chunk in it
    games          how many
    int8           whether the net was asked in numbers of eight bits
    """

    columns: Side
    rows: Side
    simulations: Count
    net: str | None
    seed: Count
    number: Count
    games: Count
    int8: bool = False

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.columns, self.rows)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games, and what they depend on."""

    origin: ChunkOrigin
    games: tuple[PlayedGame, ...]


@dataclass(frozen=True, slots=True)
class _Game:
    opening: list[Count]
    moves: list[Count]
    visits: list[list[tuple[Count, Count]]]
    winner: Literal["black", "white"]
    carrier: list[Count] | None
    chances: list[Thousandths]


@dataclass(frozen=True, slots=True)
class _File:
    schema: str
    origin: ChunkOrigin
    games: list[_Game]


def pack(chunk: Chunk) -> bytes:
    """Return a chunk as its file holds it."""
    games = [asdict(game) | {"winner": game.winner.word} for game in chunk.games]
    text = strict.write({"schema": SCHEMA, "origin": asdict(chunk.origin), "games": games})
    return gzip.compress(text.encode(), mtime=0)


def read_chunk(path: Path) -> Chunk:
    """Read the file of a chunk.

    Raise ChunkError, naming the file and what is wrong there, and OSError when it cannot
    be read.
    """
    try:
        return _unpacked(path.read_bytes())
    except ValueError as error:
        raise ChunkError(f"{path}: {error}") from None


def samples_of(chunk: Chunk, *, first_game: int = 0) -> list[Samples]:
    """Return the positions of a chunk in which the search chose a move.

    The games are numbered from `first_game`. On a board that is not square White's
    positions are of another size than Black's, and apart.
    """
    board = chunk.origin.board
    samples = [
        [_samples(board, game, color, first_game + n) for n, game in enumerate(chunk.games)]
        for color in Color
    ]
    return (
        [joined([*samples[0], *samples[1]])]
        if board.rows == board.columns
        else [joined(parts) for parts in samples]
    )


def _unpacked(content: bytes) -> Chunk:
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # with the head of gzip
    try:
        text = unpacking.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"no chunk of games: {error}") from None
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("no chunk of games: cut short, too long, or followed by something else")
    read = strict.read(text, _File)
    if read.schema != SCHEMA:
        raise ValueError(f"a chunk of another version: {read.schema!r}")
    origin = read.origin
    if not origin.games:
        raise ValueError("a chunk without games")
    if len(read.games) != origin.games:
        raise ValueError(f"{len(read.games)} games, not {origin.games}")
    games = tuple(_checked(origin.board, number, game) for number, game in enumerate(read.games))
    return Chunk(origin, games)


def _checked(board: Board, number: int, game: _Game) -> PlayedGame:
    """Return a game that can be replayed. Raise ValueError, naming what cannot."""
    cells, stones = [*game.opening, *game.moves], len(game.opening)
    if any(cell >= board.size for cell in cells) or len(set(cells)) < len(cells):
        raise ValueError(f"games[{number}].moves: not different cells of {board}")
    if len(game.visits) != len(game.moves):
        raise ValueError(f"games[{number}].visits: {len(game.visits)}, not {len(game.moves)}")
    if len(game.chances) != len(game.moves):
        raise ValueError(f"games[{number}].chances: {len(game.chances)}, not {len(game.moves)}")
    for ply, visits in enumerate(game.visits):
        tried, left = {cell for cell, _ in visits}, set(board.cells) - set(cells[: stones + ply])
        if not visits or len(tried) < len(visits) or not tried <= left:
            raise ValueError(f"games[{number}].visits[{ply}]: not different empty cells")
        if any(count == 0 for _, count in visits):
            raise ValueError(f"games[{number}].visits[{ply}]: a cell that was not tried")
        if game.moves[ply] not in tried:
            raise ValueError(f"games[{number}].visits[{ply}]: without the move that was made")
    if game.carrier is not None and not _is_carrier(game.carrier, cells, board):
        raise ValueError(f"games[{number}].carrier: not different empty cells of {board}")
    return PlayedGame(
        tuple(game.opening),
        tuple(game.moves),
        tuple(map(tuple, game.visits)),
        Color.named(game.winner),
        None if game.carrier is None else tuple(game.carrier),
        tuple(game.chances),
    )


def _is_carrier(carrier: list[int], stones: list[int], board: Board) -> bool:
    """Return whether cells are different and empty, as those of a connection are."""
    return len(set(carrier)) == len(carrier) and set(carrier) <= set(board.cells) - set(stones)


def _samples(board: Board, game: PlayedGame, mover: Color, number: int) -> Samples:
    """Return the positions of a game in which a player chose a move."""
    stones = np.array([*game.opening, *game.moves])
    first = len(game.opening)
    plies = [ply for ply in range(len(game.moves)) if (first + ply) % 2 == mover]
    shape = (len(plies), board.rows, board.columns)
    planes = np.zeros((len(plies), 2, board.size), np.bool_)
    policy, owners = np.zeros((2, len(plies), board.size), np.float32)
    for row, ply in enumerate(plies):
        before = stones[: first + ply]
        planes[row, 0, before[mover::2]] = planes[row, 1, before[mover.opponent :: 2]] = True
        cells, counts = np.array(game.visits[ply]).T
        policy[row, cells] = counts / counts.sum()
    if game.carrier is not None:
        owners[:, [*game.carrier, *stones[game.winner :: 2]]] = 1 if game.winner is mover else -1
    won = np.full(len(plies), game.winner is mover, np.float32)
    chance = np.array([game.chances[ply] / 1000 for ply in plies], np.float32)
    axes = (0, 1, 2) if mover is Color.BLACK else (0, 2, 1)
    return Samples(
        planes=planes.reshape(len(plies), 2, *shape[1:]).transpose(
            0, 1, *(1 + axis for axis in axes[1:])
        ),
        policy=policy.reshape(shape).transpose(axes),
        value=won,
        chance=chance,
        owners=owners.astype(np.int8).reshape(shape).transpose(axes),
        is_proved=np.full(len(plies), game.carrier is not None),
        games=np.full(len(plies), number, np.int32),
    )


# The folder of a run of self-play: a file a chunk, named by its number.
#
#     000000.games.gz, 000001.games.gz, ...
#
# What a chunk holds depends on the settings, the seed and its number alone, so a run
# that was killed resumes with the numbers that are missing, and several that use
# other seeds or nets go into folders of their own.

SUFFIX = ".games.gz"


class ChunkFolderError(ValueError):
    """A folder that is in use, or holds something else."""


class ChunkFolder:
    """A folder of chunks, which need not be there yet."""

    def __init__(self, path: Path) -> None:
        """Look at it. Raise ChunkFolderError when there is a file of that name."""
        if path.exists() and not path.is_dir():
            raise ChunkFolderError(f"{path}: not a folder")
        self.path = path

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder if need be, and keep other processes from adding chunks meanwhile.

        Raise ChunkFolderError when one does so already, and OSError when it cannot be written.
        """
        with held(self.path, doing="plays into", error=ChunkFolderError):
            yield

    @property
    def numbers(self) -> list[int]:
        """The numbers of the chunks that are there, in order."""
        names = [path.name.removesuffix(SUFFIX) for path in self.path.glob(f"*{SUFFIX}")]
        numbers = (int(name) for name in names if name.isascii() and name.isdecimal())
        return sorted({each for each in numbers if self.path_of(each).exists()})

    def path_of(self, number: int) -> Path:
        """Return where a chunk is, or would be."""
        return self.path / f"{number:06}{SUFFIX}"

    def add(self, chunk: Chunk) -> None:
        """Write a chunk whole. Raise OSError when the disk does not take it."""
        write_whole(self.path_of(chunk.origin.number), pack(chunk))

    def chunks(self) -> Iterator[Chunk]:
        """Read all chunks, in the order of their numbers.

        Raise ChunkError, naming the file, where one is damaged or is not what its name says.
        """
        for number in self.numbers:
            path = self.path_of(number)
            chunk = read_chunk(path)
            if chunk.origin.number != number:
                raise ChunkError(f"{path}: chunk {chunk.origin.number}, not {number}")
            yield chunk


# A run: chunks made anywhere, and kept in the folder.

CHUNK = 50  # games; a minute of one core at most, on 11x11


@dataclass(frozen=True, slots=True)
class SelfPlayRun:
    """Games that are to be played.

    boards       taken in turn, a chunk each
    games        in all; a last chunk may hold fewer than `CHUNK`
    simulations  a move
    seed         of all that is drawn
    net          what the search asks, in place of playouts; None for no net
    int8         whether it asks in numbers of eight bits
    """

    boards: tuple[Board, ...]
    games: int
    simulations: int
    seed: int
    net: Net | None = None
    int8: bool = False

    def origins(self) -> list[ChunkOrigin]:
        """Return what each chunk depends on, in order."""
        count, key = -(-self.games // CHUNK), None if self.net is None else self.net.key
        return [self._origin(number, key) for number in range(count)]

    def _origin(self, number: int, net: str | None) -> ChunkOrigin:
        board = self.boards[number % len(self.boards)]
        games = min(CHUNK, self.games - number * CHUNK)
        return ChunkOrigin(
            board.columns, board.rows, self.simulations, net, self.seed, number, games, self.int8
        )


def make(origin: ChunkOrigin, net: Net | None = None) -> Chunk:
    """Play the games of a chunk with the net that it names; they depend on nothing else."""
    generator = np.random.default_rng([origin.seed, origin.number])
    board = origin.board
    settings = _settings(origin, net)
    games = [samples.play(board, settings, generator) for _ in range(origin.games)]
    return Chunk(origin, tuple(games))


def _settings(origin: ChunkOrigin, net: Net | None) -> TreeSettings:
    """Return how a move is searched: with a net it takes the place of playouts."""
    count, limits = origin.simulations, defaults(origin.board).limits
    if net is None:
        return TreeSettings(simulations=count, limits=limits, look_at=None)
    return net_alone(net, simulations=count, limits=limits, int8=origin.int8)


def run(
    wanted: SelfPlayRun,
    folder: ChunkFolder,
    *,
    workers: int = 1,
    executor: Callable[[], Executor] | None = None,
    on_progress: Callable[[int], None] = lambda _games: None,
) -> int:
    """Play what a folder lacks, and put it there; return how many games were there before.

    `on_progress` hears how many are there now.

    Raise ChunkFolderError when another process plays into the folder; ChunkError, naming the file,
    where a chunk is damaged or was made otherwise; OSError when the disk does not take one;
    WorkersError when workers keep dying.
    """
    with folder.held():
        left = {origin.number: origin for origin in wanted.origins()}
        done = 0
        for number in set(left).intersection(folder.numbers):
            if _is_known(folder, left[number]):
                done += left.pop(number).games
        before = done
        on_progress(done)

        def missing() -> Sequence[Call]:
            return [(make, origin, wanted.net) for origin in left.values()]

        def keep(chunk: Chunk) -> bool:
            nonlocal done
            folder.add(chunk)
            del left[chunk.origin.number]
            done += chunk.origin.games
            on_progress(done)
            return False

        spread(missing, keep, workers=workers, executor=executor, things="chunks of games")
        return before


def _is_known(folder: ChunkFolder, origin: ChunkOrigin) -> bool:
    """Return whether all games of a chunk are there. Raise ChunkError if it was made otherwise."""
    path = folder.path_of(origin.number)
    found = read_chunk(path).origin
    if replace(found, games=origin.games) != origin:
        raise ChunkError(f"{path}: {_told(found)}; this run plays {_told(origin)}")
    return found.games >= origin.games


def _told(origin: ChunkOrigin) -> str:
    """Return in words how a chunk is made."""
    net = "no net" if origin.net is None else f"net {origin.net[:8]}"
    net += " in eight bits" if origin.int8 else ""
    return (
        f"{origin.games} games on {origin.board}, {origin.simulations} simulations a move, {net}, "
        f"seed {origin.seed}"
    )
