"""A run of self-play: chunks of games, made anywhere, kept in a folder."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from hsearch.board import Board
from player.engine.strength import defaults
from player.learn import self_play
from player.learn.chunk import Chunk, ChunkError, ChunkOrigin, read_chunk
from player.learn.folder import ChunkFolder
from player.net import Net
from player.tournament.spread import Call, spread
from player.tree import TreeSettings, net_alone

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
        """Return what each chunk hangs on, in order."""
        count, key = -(-self.games // CHUNK), None if self.net is None else self.net.key
        return [self._origin(number, key) for number in range(count)]

    def _origin(self, number: int, net: str | None) -> ChunkOrigin:
        board = self.boards[number % len(self.boards)]
        games = min(CHUNK, self.games - number * CHUNK)
        return ChunkOrigin(
            board.columns, board.rows, self.simulations, net, self.seed, number, games, self.int8
        )


def make(origin: ChunkOrigin, net: Net | None = None) -> Chunk:
    """Play the games of a chunk with the net that it names; they hang on nothing else."""
    generator = np.random.default_rng([origin.seed, origin.number])
    board = origin.board
    settings = _settings(origin, net)
    games = [self_play.play(board, settings, generator) for _ in range(origin.games)]
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
