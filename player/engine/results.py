"""An event: its schedule, its finished games, and their files.

The number of a game decides its players, opening and seed. A results file has one line
for each game; a folder may hold their records.
"""

import dataclasses
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np

from hsearch.formats import files, moves, strict
from hsearch.hex import Board, Color
from hsearch.version import __version__
from player.engine.spec import participant
from player.variants import variant
from player.variants.base import ALTERNATING, Variant
from player.variants.plain import Plain
from player.work.clock import Clock


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of an event.

    number   counted from 0
    black    the spec of Black's player
    white    the spec of White's player
    opening  the moves played in advance, such as `a2 c4`
    seed     the seed of the game
    meeting  how many games these two have already played from the opening
    """

    number: int
    black: str
    white: str
    opening: str
    seed: int
    meeting: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """All that decides the games of an event, except how many are played.

    name       the event's name
    columns    of the board
    rows       of the board
    players    the specs of the players
    seed       the seed of the whole event
    gauntlet   whether only the first player meets the others; else each meets each
    swap       whether the second player may swap
    seconds    the most time for a move; None means no limit
    openings   moves to start from, each played with both colors; the empty board if none
    variant    the name of the variant
    clock      whether seconds are wall time or processor time, a value of Clock

    Games are numbered round by round, so further rounds do not change the first ones.
    Raise ValueError when the players, the board, an opening or the clock are not valid.
    """

    name: str
    columns: int
    rows: int
    players: tuple[str, ...]
    seed: int = 0
    gauntlet: bool = False
    swap: bool = False
    seconds: float | None = None
    openings: tuple[str, ...] = ()
    variant: str = ALTERNATING
    clock: str = Clock.DAY.value

    def __post_init__(self) -> None:
        rules = self.rules
        Clock(self.clock)  # raises ValueError for an unknown clock
        if len(self.players) < 2:
            raise ValueError("an event needs two players or more")
        for spec in self.players:
            participant(spec, rules.name)
        if len(set(self.players)) < len(self.players):
            double = next(spec for spec in self.players if self.players.count(spec) > 1)
            raise ValueError(f"{double!r} cannot meet itself")
        if self.swap and rules.name != ALTERNATING:
            raise ValueError(f"there is no swap in {rules.name}")
        for opening in self.openings or ("",):
            if rules.start(moves.read(opening, self.board)).winner is not None:
                raise ValueError(f"after the opening {opening!r} the game is over")

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.columns, self.rows)

    @property
    def rules(self) -> Variant[Any]:
        """The variant."""
        rules = variant(self.variant)
        return Plain(swap=self.swap) if rules.name == ALTERNATING else rules

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The players that meet."""
        if self.gauntlet:
            return [(self.players[0], other) for other in self.players[1:]]
        return list(itertools.combinations(self.players, 2))

    def pairing(self, number: int) -> Pairing:
        """Return a game by number; in the next round the same players meet with colors swapped."""
        turn, pair = divmod(number, len(self.pairs))
        black, white = self.pairs[pair][:: -1 if turn % 2 else 1]
        opening, meeting = divmod(turn, self.rules.games_per_opening)
        text = self.openings[opening % len(self.openings)] if self.openings else ""
        seed = int(np.random.SeedSequence((self.seed, number)).generate_state(1)[0])
        return Pairing(number, black, white, text, seed, meeting)


# A finished game as one line of a results file.


@dataclass(frozen=True, slots=True)
class Row:
    """A finished game.

    game           its number in the event
    black, white   the specs of the players
    seed           the seed of the game
    opening        the moves played in advance
    winner         the winner
    how, reason    how the game ended, as in `MatchOutcome`
    moves          the moves played after the opening, as the variant writes them
    seconds        the time for each decision of a player
    nodes          the positions searched for each decision, 0 if none
    thinkers       the player of each decision; if empty, the players alternate
    """

    game: int
    black: str
    white: str
    seed: int
    opening: str
    winner: Color
    how: str
    reason: str
    moves: tuple[str, ...]
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    thinkers: tuple[Color, ...] = ()

    @property
    def first(self) -> Color:
        """The player who made the first move after the opening."""
        return Color(len(self.opening.split()) % 2)

    def player(self, color: Color) -> str:
        """Return the player of a color."""
        return self.black if color is Color.BLACK else self.white

    def spent(self, player: str) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the seconds and the nodes of a player's moves."""
        thinkers = self.thinkers or cycle((self.first, self.first.opponent))
        mine = [
            self.player(color) == player for _, color in zip(self.seconds, thinkers, strict=False)
        ]
        return tuple(compress(self.seconds, mine)), tuple(compress(self.nodes, mine))

    def write(self) -> str:
        """Return the row as a line of JSON, without a line break."""
        return strict.write(
            {
                "game": self.game,
                "players": {"black": self.black, "white": self.white},
                "seed": self.seed,
                "opening": self.opening.split(),
                "winner": self.winner.word,
                "how": self.how,
                "reason": self.reason,
                "moves": self.moves,
                "seconds": self.seconds,
                "nodes": self.nodes,
                "thinkers": "".join(color.word[0] for color in self.thinkers),
            }
        )

    @classmethod
    def read(cls, line: bytes | str) -> "Row":
        """Read a row from a line. Raise ValueError, naming the field, when it is not one."""
        try:
            thing = strict.read(line, _Written)
            _check_decisions(thing)
        except ValueError as error:
            raise ValueError(f"not a row of a game: {error}") from None
        return cls(
            thing.game,
            thing.players.black,
            thing.players.white,
            thing.seed,
            " ".join(thing.opening),
            Color.named(thing.winner),
            thing.how,
            thing.reason,
            thing.moves,
            thing.seconds,
            thing.nodes,
            tuple(Color.named(letter, letters=True) for letter in thing.thinkers),
        )


@dataclass(frozen=True, slots=True)
class _Players:
    black: str
    white: str


@dataclass(frozen=True, slots=True)
class _Written:
    """The fields of a row's line."""

    game: strict.Count
    players: _Players
    seed: strict.Count
    opening: tuple[str, ...]
    winner: Literal["black", "white"]
    how: str
    reason: str
    moves: tuple[str, ...]
    seconds: tuple[strict.Amount, ...]
    nodes: tuple[strict.Count, ...]
    thinkers: strict.Letters = ""


def _check_decisions(thing: _Written) -> None:
    """Raise ValueError unless a row has as many nodes, and thinkers if any, as seconds."""
    for name, each in (("nodes", thing.nodes), ("thinkers", thing.thinkers)):
        if len(each) != len(thing.seconds) and (name == "nodes" or each):
            raise ValueError(f"{name}: {len(each)}, not {len(thing.seconds)} as seconds")


# The results file: a head, then a line for each finished game, in any order.

SCHEMA = "hsearch/rows/1"

# The head of a results file: the fields of its event.
Fields: TypeAlias = dict[str, str | bool | int | float | list[str] | None]

# A results file that is damaged, of another event, or being written by another process.
RowsError = files.LinesError


class OtherEventError(RowsError):
    """A results file of another event or version."""


class Rows:
    """The results so far, and their file. It holds state."""

    def __init__(self, path: Path, event: Event) -> None:
        """Read the file if there is one; it is not changed until a row is added.

        Raise OtherEventError, naming the place, when it is of another event or version,
        RowsError when a line is not a row, OSError when it cannot be read.
        """
        self.path = path
        self.event = event
        self._rows: dict[int, Row] = {}
        self._lines = files.Lines(path, _head(event), "results file")
        if self._lines.first is not None:
            self._check(self._lines.first)
        for number, line in self._lines.rest:
            self._take(line, number)

    @property
    def cut(self) -> bool:
        """Whether the file ends with an incomplete row, which `add` removes."""
        return self._lines.cut

    @property
    def games(self) -> Mapping[int, Row]:
        """The finished games by number."""
        return MappingProxyType(self._rows)

    def of(self, games: Iterable[int]) -> list[Row]:
        """Return the finished ones of these games, in the same order."""
        if isinstance(games, range) and games.step > 0:  # of any length: look at the rows instead
            games = [number for number in sorted(self._rows) if number in games]
        return [self._rows[number] for number in games if number in self._rows]

    def first(self, games: int) -> list[Row]:
        """Return the finished games with a number below `games`, in order."""
        return [self._rows[number] for number in sorted(self._rows) if number < games]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the file against other processes.

        Raise RowsError when another one holds the lock, or has written since the file was read.
        """
        with self._lines.hold():
            yield

    def add(self, row: Row) -> None:
        """Add a game; when this returns, it is on the disk."""
        self._lines.add(row.write())
        self._rows[row.game] = row

    def _check(self, line: bytes) -> None:
        values = _fields(line, self.path)
        ours = strict.read(_head(self.event), Fields)
        for name in ours:
            theirs = values.get(name)
            if theirs != ours[name]:
                raise OtherEventError(
                    f"{self.path}:1: results of another event: "
                    f"{name} is {_short(theirs)} there, {_short(ours[name])} here"
                )

    def _take(self, line: bytes, number: int) -> None:
        try:
            row = Row.read(line)
        except ValueError as error:
            raise RowsError(f"{self.path}:{number}: {error}") from None
        pairing = self.event.pairing(row.game)
        if (row.black, row.white, row.seed) != (pairing.black, pairing.white, pairing.seed):
            raise RowsError(f"{self.path}:{number}: game {row.game} does not belong to this event")
        if row.game in self._rows:
            raise RowsError(f"{self.path}:{number}: game {row.game} is listed twice")
        self._rows[row.game] = row


def players_in(path: Path) -> tuple[str, ...] | None:
    """Return the players of a results file; None if it has no complete first line.

    Raise RowsError when that is not the head of a results file, OSError when it cannot be read.
    """
    head, end, _ = files.contents(path).partition(b"\n") if path.exists() else (b"", b"", b"")
    if not end:
        return None
    players = _fields(head, path).get("players")
    if not isinstance(players, list):
        raise RowsError(f"{path}:1: not a results file: {files.short(head)}")
    return tuple(players)


def _fields(head: bytes, path: Path) -> Fields:
    """Return the fields of a file's head."""
    try:
        return strict.read(head, Fields)
    except ValueError:
        raise RowsError(f"{path}:1: not a results file: {files.short(head)}") from None


def _head(event: Event) -> str:
    return strict.write({"schema": SCHEMA, "version": __version__, **dataclasses.asdict(event)})


def _short(value: object) -> str:
    text = strict.write(value)
    return text if len(text) <= 60 else text[:57] + "..."


# Records of games in a folder, which several events may share.
#
# A file name has the event's name, a hash of all that decides its games, and the
# number of the game, as in `tournament-3f2a9c1b-00012.sgf`: no event overwrites the
# records of another, and a resumed event finds its own.

MARK = 8  # digits of the hash


def record_path(folder: Path, event: Event, game: int) -> Path:
    """Return the path for the record of a game."""
    fields = strict.write(dataclasses.asdict(event)).encode()
    mark = hashlib.sha256(fields).hexdigest()[:MARK]
    return folder / f"{event.name}-{mark}-{game:05}.sgf"


def keep_record(path: Path, record: str) -> None:
    """Write the record of a game.

    With a clock, a game that is played again may differ: the first record stays, and
    this one gets a numbered name. Raise OSError, naming the file, when it cannot be written.
    """
    is_other = path.is_file() and path.read_bytes() != record.encode()
    files.write_whole(files.free_name(path) if is_other else path, record)
