"""Games to learn from: chunks of games, the folder they are stored in, a run that fills it."""

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from hsearch.formats import files, strict
from hsearch.formats.strict import Count
from hsearch.hex import Board, Cell, Color
from hsearch.hex.face import expect_range
from player.evaluate.net import Net
from player.search.settings import defaults
from player.search.tree import TreeSettings, net_alone
from player.study import samples
from player.study.samples import PlayedGame, Samples, concatenate
from player.work.spread import ONE_WORKER, PickledCall, WorkerPool, spread

# Chunks of games to learn from: determined by a seed and a number, one file each.
#
# A chunk is JSON, compressed by gzip without a timestamp, so the same games make the
# same file. Cells are numbers from 0, row by row from the top.

SCHEMA = "hsearch/self-play/2"
MOST_BYTES = 1 << 26  # of JSON; fifty games on 19x19 take a quarter
LONGEST_SIDE = 19  # of a board; games on longer ones may take more bytes than are read
SideLength = Annotated[int, Meta(ge=1, le=LONGEST_SIDE)]
Thousandths = Annotated[int, Meta(ge=0, le=1000)]
Seed = Annotated[int, Meta(ge=0)]  # of any length, as on the command line


class ChunkError(ValueError):
    """A file that is not a chunk of games, is damaged, or of another version."""


@dataclass(frozen=True, slots=True)
class ChunkOrigin:
    """Everything that the games of a chunk depend on.

    columns, rows  the board
    simulations    per move
    net            the key of the search's net; None for none
    seed           of the run
    number         of the chunk in the run
    games          how many
    int8           whether the net computed in 8-bit numbers
    """

    columns: SideLength
    rows: SideLength
    simulations: Count
    net: str | None
    seed: Seed
    number: Count
    games: Count
    int8: bool = False

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.columns, self.rows)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games, and everything they depend on."""

    origin: ChunkOrigin
    games: tuple[PlayedGame, ...]


@dataclass(frozen=True, slots=True)
class _Game:
    """A `PlayedGame` as JSON."""

    opening: tuple[Count, ...]
    moves: tuple[Count, ...]
    visits: tuple[tuple[tuple[Count, Count], ...], ...]
    winner: Literal["black", "white"]
    carrier: tuple[Count, ...] | None
    chances: tuple[Thousandths, ...]


@dataclass(frozen=True, slots=True)
class _File:
    schema: str
    origin: ChunkOrigin
    games: list[_Game]


def pack(chunk: Chunk) -> bytes:
    """Return the contents of the file of a chunk."""
    games = [asdict(game) | {"winner": game.winner.word} for game in chunk.games]
    text = strict.write({"schema": SCHEMA, "origin": asdict(chunk.origin), "games": games})
    return gzip.compress(text.encode(), mtime=0)


def read_chunk(path: Path) -> Chunk:
    """Read the file of a chunk.

    Raise ChunkError, with the file and the reason, when it is not a chunk, and OSError when it
    cannot be read.
    """
    try:
        return _unpack(path.read_bytes())
    except ValueError as error:
        raise ChunkError(f"{path}: {error}") from None


def samples_of(chunk: Chunk, *, first_game: int = 0) -> list[Samples]:
    """Return the positions of a chunk in which the search chose a move.

    The games are numbered from `first_game`. On a board that is not square, White's
    positions have another size than Black's and are returned separately.
    """
    board = chunk.origin.board
    samples = [
        [_samples(board, game, color, first_game + n) for n, game in enumerate(chunk.games)]
        for color in Color
    ]
    return (
        [concatenate([*samples[0], *samples[1]])]
        if board.rows == board.columns
        else [concatenate(parts) for parts in samples]
    )


def _unpack(content: bytes) -> Chunk:
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # with the head of gzip
    try:
        text = unpacking.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(f"not a chunk of games: {error}") from None
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("not a chunk of games: cut short, too long, or followed by something else")
    file = strict.read(text, _File)
    if file.schema != SCHEMA:
        raise ValueError(f"a chunk of another version: {file.schema!r}")
    origin = file.origin
    if not origin.games:
        raise ValueError("a chunk without games")
    if len(file.games) != origin.games:
        raise ValueError(f"{len(file.games)} games, not {origin.games}")
    games = tuple(_check(origin.board, number, game) for number, game in enumerate(file.games))
    return Chunk(origin, games)


def _check(board: Board, number: int, game: _Game) -> PlayedGame:
    """Return a game that can be replayed. Raise ValueError, naming the field, for any other."""
    cells, stones = [*game.opening, *game.moves], len(game.opening)
    if any(cell >= board.size for cell in cells) or len(set(cells)) < len(cells):
        raise ValueError(f"games[{number}].moves: not different cells of {board}")
    if len(game.visits) != len(game.moves):
        raise ValueError(f"games[{number}].visits: {len(game.visits)}, not {len(game.moves)}")
    if len(game.chances) != len(game.moves):
        raise ValueError(f"games[{number}].chances: {len(game.chances)}, not {len(game.moves)}")
    for ply, visits in enumerate(game.visits):
        visited, empty = {cell for cell, _ in visits}, set(board.cells) - set(cells[: stones + ply])
        if not visits or len(visited) < len(visits) or not visited <= empty:
            raise ValueError(f"games[{number}].visits[{ply}]: not different empty cells")
        if any(count == 0 for _, count in visits):
            raise ValueError(f"games[{number}].visits[{ply}]: a cell that was not tried")
        if game.moves[ply] not in visited:
            raise ValueError(f"games[{number}].visits[{ply}]: without the move that was made")
    if game.carrier is not None and not _is_carrier(game.carrier, cells, board):
        raise ValueError(f"games[{number}].carrier: not different empty cells of {board}")
    winner = Color.named(game.winner)
    return PlayedGame(game.opening, game.moves, game.visits, winner, game.carrier, game.chances)


def _is_carrier(carrier: Sequence[Cell], stones: Sequence[Cell], board: Board) -> bool:
    """Return whether cells are different and empty, as a carrier must be."""
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
    values = np.full(len(plies), game.winner is mover, np.float32)
    chance = np.array([game.chances[ply] / 1000 for ply in plies], np.float32)
    axes = (0, 1, 2) if mover is Color.BLACK else (0, 2, 1)
    return Samples(
        planes=planes.reshape(len(plies), 2, *shape[1:]).transpose(
            0, 1, *(1 + axis for axis in axes[1:])
        ),
        policy=policy.reshape(shape).transpose(axes),
        value=values,
        chance=chance,
        owners=owners.astype(np.int8).reshape(shape).transpose(axes),
        is_proved=np.full(len(plies), game.carrier is not None),
        games=np.full(len(plies), number, np.int32),
    )


# The folder of a run of self-play: one file a chunk, named by its number.
#
#     000000.games.gz, 000001.games.gz, ...
#
# A chunk depends only on the settings, the seed and its number, so a killed run
# resumes with the missing numbers. Runs with other seeds or nets need folders of
# their own.

SUFFIX = ".games.gz"


class ChunkFolderError(ValueError):
    """A folder that is in use, or not a folder."""


class ChunkFolder:
    """A folder of chunks, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        """Take the path of the folder. Raise ChunkFolderError when it is a file."""
        if path.exists() and not path.is_dir():
            raise ChunkFolderError(f"{path}: not a folder")
        self.path = path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Create the folder if need be, and lock it against other processes.

        Raise ChunkFolderError when another one has locked it, OSError when it cannot be written.
        """
        with files.hold(self.path, doing="plays into", error=ChunkFolderError):
            yield

    @property
    def numbers(self) -> list[int]:
        """The numbers of the stored chunks, in order."""
        names = [path.name.removesuffix(SUFFIX) for path in self.path.glob(f"*{SUFFIX}")]
        numbers = (int(name) for name in names if name.isascii() and name.isdecimal())
        return sorted({each for each in numbers if self.path_of(each).exists()})

    def path_of(self, number: int) -> Path:
        """Return the file of a chunk, which may not exist."""
        return self.path / f"{number:06}{SUFFIX}"

    def add(self, chunk: Chunk) -> None:
        """Write a chunk, whole or not at all. Raise OSError when it cannot be written."""
        files.write_whole(self.path_of(chunk.origin.number), pack(chunk))

    def chunks(self) -> Iterator[Chunk]:
        """Read all chunks, in the order of their numbers.

        Raise ChunkError, naming the file, when one is damaged or has another number.
        """
        for number in self.numbers:
            path = self.path_of(number)
            chunk = read_chunk(path)
            if chunk.origin.number != number:
                raise ChunkError(f"{path}: chunk {chunk.origin.number}, not {number}")
            yield chunk


# A run: chunks made by any workers, and stored in the folder.

CHUNK = 50  # games; at most a minute of one core, on 11x11


@dataclass(frozen=True, slots=True)
class SelfPlayRun:
    """A run of games to play.

    boards       taken in turn, one chunk each
    games        in all; the last chunk may have fewer than `CHUNK`
    simulations  per move
    seed         of all random numbers
    net          replaces playouts in the search; None for no net
    int8         whether the net computes in 8-bit numbers

    Raise ValueError for a board whose games could not be read again.
    """

    boards: tuple[Board, ...]
    games: int
    simulations: int
    seed: int
    net: Net | None = None
    int8: bool = False

    def __post_init__(self) -> None:
        for board in self.boards:
            expect_range(f"side of {board}", max(board.columns, board.rows), 1, LONGEST_SIDE)

    def origins(self) -> list[ChunkOrigin]:
        """Return the origins of all chunks, in order."""
        count, key = -(-self.games // CHUNK), None if self.net is None else self.net.key
        return [self._origin(number, key) for number in range(count)]

    def _origin(self, number: int, net: str | None) -> ChunkOrigin:
        board = self.boards[number % len(self.boards)]
        games = min(CHUNK, self.games - number * CHUNK)
        return ChunkOrigin(
            board.columns, board.rows, self.simulations, net, self.seed, number, games, self.int8
        )


def make(origin: ChunkOrigin, net: Net | None = None) -> Chunk:
    """Play the games of a chunk with the net that it names; nothing else affects them."""
    generator = np.random.default_rng([origin.seed, origin.number])
    board = origin.board
    settings = _settings(origin, net)
    games = [samples.play(board, settings, generator) for _ in range(origin.games)]
    return Chunk(origin, tuple(games))


def _settings(origin: ChunkOrigin, net: Net | None) -> TreeSettings:
    """Return the settings of the search; a net replaces playouts."""
    count, limits = origin.simulations, defaults(origin.board).limits
    if net is None:
        return TreeSettings(simulations=count, limits=limits, look_at=None)
    return net_alone(net, simulations=count, limits=limits, int8=origin.int8)


def run(
    plan: SelfPlayRun,
    folder: ChunkFolder,
    *,
    workers: WorkerPool = ONE_WORKER,
    on_progress: Callable[[int], None] = lambda _games: None,
) -> int:
    """Play the games missing in a folder, and store them; return how many it had before.

    `on_progress` is called with the number of games stored so far.

    Raise ChunkFolderError when another process plays into the folder; ChunkError, naming the file,
    when a chunk is damaged or has another origin; OSError when one cannot be written;
    WorkersError when workers keep dying.
    """
    with folder.lock():
        remaining = {origin.number: origin for origin in plan.origins()}
        count = 0
        for number in set(remaining).intersection(folder.numbers):
            if _is_known(folder, remaining[number]):
                count += remaining.pop(number).games
        before = count
        on_progress(count)

        def missing() -> Sequence[PickledCall]:
            return [(make, origin, plan.net) for origin in remaining.values()]

        def keep(chunk: Chunk) -> bool:
            nonlocal count
            folder.add(chunk)
            del remaining[chunk.origin.number]
            count += chunk.origin.games
            on_progress(count)
            return False

        spread(missing, keep, workers=workers, things="chunks of games")
        return before


def _is_known(folder: ChunkFolder, origin: ChunkOrigin) -> bool:
    """Return whether a chunk has all its games. Raise ChunkError if it has another origin."""
    path = folder.path_of(origin.number)
    own = read_chunk(path).origin
    if replace(own, games=origin.games) != origin:
        raise ChunkError(f"{path}: {_origin_words(own)}; this run plays {_origin_words(origin)}")
    return own.games >= origin.games


def _origin_words(origin: ChunkOrigin) -> str:
    """Return the origin of a chunk in words."""
    net = "no net" if origin.net is None else f"net {origin.net[:8]}"
    net += " in eight bits" if origin.int8 else ""
    return (
        f"{origin.games} games on {origin.board}, {origin.simulations} simulations a move, {net}, "
        f"seed {origin.seed}"
    )
