"""Many games of self-play at once, as arrays: play them, store them, make samples of them.

They do not use H-search: a game continues to the chain that wins it. Once a game is
decided, most moves come from the policy alone, which costs little.
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
from hsearch.hex import Board
from hsearch.hex.face import expect_range
from player.kernels import self_play as kernel
from player.study.samples import Samples

SCHEMA = "hsearch/games/1"
SUFFIX = ".games.npz"
PATTERN = f"*{SUFFIX}"
LIKED = 16  # moves of an improved policy that are stored
SIDES = range(2, 20)
SHARE = 48  # fewest seats for a thread; with fewer, the call costs too much


class GamesError(ValueError):
    """A file of games that cannot be used."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """Settings of self-play.

    simulations  for a searched move
    weighed      moves that sequential halving begins with
    most_random  most stones of an opening
    scattered    fraction of games whose openings have up to a sixth of the cells instead
    even         most difference from 1/2 of the chance after an opening, with exceptions
    sampled      searched moves of a game that get all of the noise
    noise        fraction of the noise that later moves get
    decided      chance from which a game counts as decided
    still        fraction of the moves of a decided game that are searched nevertheless
    visit        the weight of a move's value in its logit is
    scale        (`visit` + most simulations of any move) * `scale`
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
            expect_range(name, getattr(self, name), 1, most)
        for name in ("scattered", "even", "noise", "decided", "still"):
            expect_range(name, getattr(self, name), 0, 1)

    @property
    def rules(self) -> kernel.PlayRules:
        """The settings as the kernel takes them."""
        numbers = {each.name: getattr(self, each.name) for each in fields(self)}
        return kernel.PlayRules(kernel.halvings(self.weighed, self.simulations), **numbers)


# Finished games.


class GameArrays(NamedTuple):
    """Games on one square board, n of them, with p searched positions.

    side      rows of the board
    opening   n: number of stones of the opening
    length    n: number of stones at the end
    moves     n x cells: the cells of all stones in order, -1 after the end
    winner    n: 0 if Black won, 1 if White did
    chain     n x cells: the stones of the winning chain
    games     p: the game of each searched position, from 0, in ascending order
    plies     p: number of stones on the board
    chances   p: the mover's chance to win by the search, in thousandths
    cells     p x 16: the best moves by the improved policy, -1 for none
    parts     p x 16: the share of each in that policy, in thousandths
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


def concatenate(parts: Sequence[GameArrays]) -> GameArrays:
    """Concatenate games on one board."""
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
    """Return the searched positions of games; the games are numbered from `first`.

    The owners are the stones of the winning chain.
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
    """Write games, whole or not at all. Raise OSError when that fails."""
    arrays = {name: getattr(games, name) for name in GameArrays._fields[1:]}
    npz.save(path, SCHEMA, {"side": games.side, "record": record}, arrays)


def read_games(path: Path) -> GameArrays:
    """Read games. Raise GamesError, naming the file, when they cannot be replayed."""
    about, arrays = npz.load(path, SCHEMA, "file of games", GamesError)
    try:
        return _check(about.get("side"), arrays)
    except (ValueError, KeyError, TypeError) as error:
        raise GamesError(f"{path}: not games, kept as it is: {error}") from None


FORMS: dict[str, tuple[Any, ...]] = {  # fields of `GameArrays`: the type, then the shape
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


def _check(side: Any, arrays: npz.Arrays) -> GameArrays:
    """Return games. Raise ValueError, naming the array, when a number is out of range."""
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
    of_game = games.length[games.games] if _is_within(games.games, 0, games.length.size) else None
    in_order = games.games.astype(np.int64) * (size + 1) + games.plies
    marks = np.zeros((games.length.size, size + 1), np.bool_)
    if _is_within(games.moves, -1, size):
        np.put_along_axis(marks, games.moves.astype(np.int64), values=True, axis=1)
    checks = {
        "length": _is_within(games.length, 1, size + 1),
        "opening": bool((games.opening <= games.length).all())
        and _is_within(games.opening, 0, size),
        "moves": _is_within(games.moves, -1, size)
        and bool(((games.moves >= 0) == lasting).all())
        and bool((marks[:, :size].sum(1) == games.length).all()),
        "winner": _is_within(games.winner, 0, 2),
        "games": of_game is not None,
        "plies": of_game is not None
        and bool((games.plies < of_game).all())
        and _is_within(games.plies, 0, size)
        and bool((np.diff(in_order) > 0).all()),
        "chances": _is_within(games.chances, 0, kernel.THOUSAND + 1),
        "cells": _is_within(games.cells, -1, size)
        and bool(((games.cells >= 0) == (games.parts > 0)).all()),
        "parts": bool((games.parts.sum(1, dtype=np.int64) > 0).all()),
    }
    for name, holds in checks.items():
        if not holds:
            raise ValueError(f"{name} out of range")
    return games


def _is_within(array: NDArray[Any], least: int, most: int) -> bool:
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
        nodes=zeros(np.int32),
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
    """Games in progress on one board size, one a seat. Holds state.

    After each game its seat gets a new one. A game depends on the seed, its number, and the
    answers of the net.
    """

    def __init__(self, side: int, seats: int, settings: PlaySettings, seed: Sequence[int]) -> None:
        """Start the first games."""
        self.side, self.count = side, seats
        self._rules, self._seed = settings.rules, seed
        self._seats = _seats(side, seats, settings)
        self._begun = 0
        self._begin(np.arange(seats))

    def advance(
        self,
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        questions: NDArray[np.int8],
        pool: Executor,
        parts: int,
    ) -> GameArrays | None:
        """Take the net's answers, write the next questions, and return the games that ended.

        logits     seats x cells: the answers to the last questions; anything at first
        values     seats: likewise
        questions  output, seats x cells: the next questions
        parts      most threads of the `pool` to use
        """
        parts = max(1, min(parts, self.count // SHARE))
        edges = np.linspace(0, self.count, parts + 1).astype(int).tolist()
        calls = [
            pool.submit(kernel.play_on, self._seats, self._rules, a, z, logits, values, questions)
            for a, z in pairwise(edges)
        ]
        for call in calls:
            call.result()
        over = np.flatnonzero(self._seats.state == kernel.OVER)
        if not over.size:
            return None
        games = self._take(over)
        self._begin(over)
        return games

    def _begin(self, seats: NDArray[np.int64]) -> None:
        """Start the next games of seats."""
        for seat in seats.tolist():
            state = np.random.SeedSequence([*self._seed, self.side, self._begun])
            self._seats.random[seat] = state.generate_state(1, np.uint64)[0]
            self._begun += 1
        self._seats.state[seats] = kernel.FRESH

    def _take(self, seats: NDArray[np.int64]) -> GameArrays:
        """Return the games of seats where they have ended."""
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
