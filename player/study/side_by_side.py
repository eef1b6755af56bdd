"""Many games of the program against itself at once, as arrays: played, stored, and learned from.

H-search has no part in them: a game goes on to the chain that wins it, and once it is
decided most moves are those of the policy alone, which cost little.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import npz
from hsearch.hex.board import Board
from player.kernels import self_play as kernel
from player.study.samples import Samples

SCHEMA = "hsearch/games/1"
SUFFIX = ".games.npz"
PATTERN = f"*{SUFFIX}"
LIKED = 16  # moves of an improved policy that are kept
SIDES = range(2, 20)
SHARE = 48  # seats that a thread plays at least; for fewer the call costs too much


class GamesError(ValueError):
    """A file of games that cannot be used."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Settings of self-play.

    simulations  for a searched move
    weighed      moves among which sequential halving begins to choose
    most_random  stones of an opening at most
    scattered    the part of games that begin with more stones, up to a sixth of the cells
    even         the most by which the chance after an opening may differ from a half
    sampled      searched moves of a game with all of the noise
    noise        the part of the noise for later moves
    decided      the chance from which a game counts as decided
    still        the part of the moves of a decided game that are searched nevertheless
    visit        the logit of a move grows by (`visit` + most simulations of any move) * `scale`
    scale        times its value
    prior        weight of the policy in the choice of moves below the root

    Raise ValueError when a number is out of range.
    """

    simulations: int = 32
    weighed: int = 8
    most_random: int = 3
    scattered: float = 0.1
    even: float = 0.3
    sampled: int = 10
    noise: float = 0.3
    decided: float = 0.97
    still: float = 0.1
    visit: float = 25.0
    scale: float = 0.8
    prior: float = 0.5

    def __post_init__(self) -> None:
        for name, most in {"simulations": 1000, "weighed": 64, "most_random": 100}.items():
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name} out of range: {getattr(self, name)} (1 to {most})")
        for name in ("scattered", "even", "noise", "decided", "still"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} out of range: {getattr(self, name):g} (0 to 1)")

    @property
    def rules(self) -> kernel.PlayRules:
        """The settings as the kernel takes them."""
        numbers = {each.name: getattr(self, each.name) for each in fields(self)}
        return kernel.PlayRules(kernel.halvings(self.weighed, self.simulations), **numbers)


# Finished games.


class GameArrays(NamedTuple):
    """Games on one square board, n of them, with p searched positions.

    side      rows of the board
    opening   n: stones of the opening, Black's first
    length    n: stones at the end
    moves     n x cells: the cells of all stones in order, -1 after the end
    winner    n: 0 where Black won, 1 where White did
    chain     n x cells: the stones of the winning chain
    games     p: the game of each searched position, from 0, in ascending order
    plies     p: stones on the board
    chances   p: of the mover to win, by the search, in thousandths
    cells     p x 16: the best moves by the search, -1 for none
    parts     p x 16: the part of each in the improved policy, in thousandths
    """

    side: int
    opening: NDArray[np.int16]
    length: NDArray[np.int16]
    moves: NDArray[np.int16]
    winner: NDArray[np.int8]
    chain: NDArray[np.bool_]
    games: NDArray[np.int32]
    plies: NDArray[np.int16]
    chances: NDArray[np.uint16]
    cells: NDArray[np.int16]
    parts: NDArray[np.uint16]


def joined(parts: Sequence[GameArrays]) -> GameArrays:
    """Return games on one board as one, in their order."""
    starts = np.cumsum([0, *(part.length.size for part in parts)])
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in GameArrays._fields[1:]
    }
    columns["games"] = np.concatenate(
        [part.games + start for part, start in zip(parts, starts[:-1], strict=True)]
    ).astype(np.int32)
    return GameArrays(parts[0].side, **columns)


def samples_of(games: GameArrays, first: int = 0) -> Samples:
    """Return the searched positions of games, which get numbers from `first` on.

    The owners are the stones of the chain that won the game.
    """
    count, side = games.plies.size, games.side
    cells = side * side
    planes = np.zeros((count, 2, cells), np.bool_)
    policy, owners = np.zeros((count, cells), np.float32), np.zeros((count, cells), np.int8)
    kernel.write_samples(games, np.zeros(cells, np.int8), planes, policy, owners)
    shape = count, side, side
    return Samples(
        planes=planes.reshape(count, 2, side, side),
        policy=policy.reshape(shape),
        value=(games.winner[games.games] == games.plies % 2).astype(np.float32),
        chance=(games.chances / kernel.THOUSAND).astype(np.float32),
        owners=owners.reshape(shape),
        is_proved=np.ones(count, np.bool_),
        games=(games.games + first).astype(np.int32),
    )


def write_games(path: Path, games: GameArrays, record: dict[str, Any]) -> None:
    """Write games; a killed process leaves no part of a file. Raise OSError when that fails."""
    arrays = {name: getattr(games, name) for name in GameArrays._fields[1:]}
    npz.save(path, SCHEMA, {"side": games.side, "record": record}, arrays)


def read_games(path: Path) -> GameArrays:
    """Read games. Raise GamesError, naming the file, when they cannot be replayed."""
    try:
        about, arrays = npz.load(path, SCHEMA, "file of games")
        return _checked(about.get("side"), arrays)
    except npz.ArraysError as error:
        raise GamesError(str(error)) from None
    except (ValueError, KeyError, TypeError) as error:
        raise GamesError(f"{path}: not games, kept as it is: {error}") from None


FORMS: dict[str, tuple[Any, ...]] = {  # of `GameArrays`: the type, and how long each side is
    "opening": (np.int16, "n"),
    "length": (np.int16, "n"),
    "moves": (np.int16, "n", "cells"),
    "winner": (np.int8, "n"),
    "chain": (np.bool_, "n", "cells"),
    "games": (np.int32, "p"),
    "plies": (np.int16, "p"),
    "chances": (np.uint16, "p"),
    "cells": (np.int16, "p", "16"),
    "parts": (np.uint16, "p", "16"),
}


def _checked(side: Any, arrays: npz.Arrays) -> GameArrays:
    """Return games in which every number is in its range."""
    if side not in SIDES:
        raise ValueError(f"side: {side!r}")
    size = side * side
    if set(arrays) != set(GameArrays._fields[1:]):
        raise ValueError(f"arrays: {', '.join(sorted(arrays))}")
    games = GameArrays(side, **arrays)
    counts = {"n": games.length.size, "p": games.plies.size, "cells": size, "16": LIKED}
    for name, (kind, *sides) in FORMS.items():
        array = getattr(games, name)
        if array.dtype != kind or array.shape != tuple(counts[each] for each in sides):
            raise ValueError(f"{name}: {array.dtype} {array.shape}")
    lasting = np.arange(size) < games.length[:, None]
    of_game = games.length[games.games] if _within(games.games, 0, games.length.size) else None
    in_order = games.games.astype(np.int64) * (size + 1) + games.plies
    marks = np.zeros((games.length.size, size + 1), np.bool_)
    if _within(games.moves, -1, size):
        np.put_along_axis(marks, games.moves.astype(np.int64), values=True, axis=1)
    checks = {
        "length": _within(games.length, 1, size + 1),
        "opening": bool((games.opening <= games.length).all()) and _within(games.opening, 0, size),
        "moves": _within(games.moves, -1, size)
        and bool(((games.moves >= 0) == lasting).all())
        and bool((marks[:, :size].sum(1) == games.length).all()),
        "winner": _within(games.winner, 0, 2),
        "games": of_game is not None,
        "plies": of_game is not None
        and bool((games.plies < of_game).all())
        and _within(games.plies, 0, size)
        and bool((np.diff(in_order) > 0).all()),
        "chances": _within(games.chances, 0, kernel.THOUSAND + 1),
        "cells": _within(games.cells, -1, size)
        and bool(((games.cells >= 0) == (games.parts > 0)).all()),
        "parts": bool((games.parts.sum(1, dtype=np.int64) > 0).all()),
    }
    for name, holds in checks.items():
        if not holds:
            raise ValueError(f"{name} out of range")
    return games


def _within(array: NDArray[Any], least: int, most: int) -> bool:
    return not array.size or bool(array.min() >= least and array.max() < most)


# Games in progress.


def _seats(side: int, count: int, settings: PlaySettings) -> kernel.Seats:
    """Return seats without games."""
    board, size = Board(side, side), side * side
    nodes = settings.simulations + 2
    around = np.full((size, 6), -1, np.int16)
    for cell in board.cells:
        near = [each for each in sorted(board.neighbors(cell)) if each < size]
        around[cell, : len(near)] = near

    def zeros(kind: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((count, *shape), kind)

    return kernel.Seats(
        side=side,
        around=around,
        state=np.full(count, kernel.CLOSED, np.int8),
        random=zeros(np.uint64),
        stones=zeros(np.int8, size),
        turn=zeros(np.int8),
        opening=zeros(np.int16),
        length=zeros(np.int16),
        moves=zeros(np.int16, size),
        searched=zeros(np.bool_, size),
        chances=zeros(np.uint16, size),
        cells=zeros(np.int16, size, LIKED),
        parts=zeros(np.uint16, size, LIKED),
        winner=zeros(np.int8),
        chain=zeros(np.bool_, size),
        budget=zeros(np.int32),
        run=zeros(np.int32),
        width=zeros(np.int32),
        noise=zeros(np.float32, size),
        used=zeros(np.int32),
        depth=zeros(np.int32),
        path=zeros(np.int16, nodes),
        through=zeros(np.int16, nodes),
        children=zeros(np.int16, nodes, size),
        priors=zeros(np.float32, nodes, size),
        visits=zeros(np.int16, nodes, size),
        wins=zeros(np.float32, nodes, size),
        entered=zeros(np.int32, nodes),
        values=zeros(np.float32, nodes),
        queue=zeros(np.int16, size),
    )


class SeatTable:
    """Games in progress on one board size, one for each seat, which gets a new game after each.

    A game depends on the seed, its number, and the answers of the net.
    """

    def __init__(self, side: int, seats: int, settings: PlaySettings, seed: Sequence[int]) -> None:
        """Begin the first games."""
        self.side, self.count = side, seats
        self._rules, self._seed = settings.rules, seed
        self._seats = _seats(side, seats, settings)
        self._begun = 0
        self._begin(np.arange(seats))

    def go_on(
        self,
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        asked: NDArray[np.int8],
        pool: Executor,
        parts: int,
    ) -> GameArrays | None:
        """Take the net's answers, write the next questions, and return the games that ended.

        logits  seats x cells: the answers to the questions before; anything at first
        values  seats
        asked   seats x cells, to write to
        pool    threads, and how many of them may work
        """
        parts = max(1, min(parts, self.count // SHARE))
        edges = np.linspace(0, self.count, parts + 1).astype(int).tolist()
        calls = [
            pool.submit(kernel.play_on, self._seats, self._rules, a, z, logits, values, asked)
            for a, z in pairwise(edges)
        ]
        for call in calls:
            call.result()
        over = np.flatnonzero(self._seats.state == kernel.OVER)
        if not over.size:
            return None
        games = self._taken(over)
        self._begin(over)
        return games

    def _begin(self, seats: NDArray[np.int64]) -> None:
        """Give seats their next games."""
        for seat in seats.tolist():
            state = np.random.SeedSequence([*self._seed, self.side, self._begun])
            self._seats.random[seat] = state.generate_state(1, np.uint64)[0]
            self._begun += 1
        self._seats.state[seats] = kernel.FRESH

    def _taken(self, seats: NDArray[np.int64]) -> GameArrays:
        """Return the records of seats whose games have ended."""
        each = self._seats
        games, plies = np.nonzero(each.searched[seats])
        rows = seats[games], plies
        return GameArrays(
            self.side,
            each.opening[seats],
            each.length[seats],
            each.moves[seats],
            each.winner[seats],
            each.chain[seats],
            games.astype(np.int32),
            plies.astype(np.int16),
            each.chances[rows],
            each.cells[rows],
            each.parts[rows],
        )
