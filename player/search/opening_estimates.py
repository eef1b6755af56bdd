"""Estimates of openings: White's chance by the net, or E by circuits, searches or playouts."""

import enum
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from hsearch.formats import files, moves
from hsearch.hex import Board, Cell, Color, Position, winner
from hsearch.render.text import quantity
from player.evaluate.chance import bound, calibrate_share, load_model, logit
from player.evaluate.net import NetEvaluator, load_net, shipped_net
from player.evaluate.ordering import ORDERINGS
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.settings import SearchSettings, is_loss, is_win
from player.search.tree import CALIBRATED, TreeSearch, TreeSettings, net_alone

REPLIES = 12
WIDTHS = (8, 6, 5, 4, 4, 3)  # widths of a deep search, the last for all plies after it
_SETTINGS = SearchSettings()
_SEED = 1


class MapWay(enum.StrEnum):
    """A way to estimate openings, by its word in a map; from 8x8 on, a later one is better."""

    CIRCUITS = "circuits"  # after the best replies
    DEPTH = "depth"  # alpha-beta over the circuits
    SIMULATIONS = "simulations"  # of a tree that plays games out
    NET = "net"  # alone, or in a tree that asks it


@dataclass(frozen=True, slots=True)
class MapEffort:
    """A way to estimate openings, and how far it looks.

    number  plies of DEPTH, or simulations of a tree; 0 for CIRCUITS, and for one evaluation by NET
    """

    way: MapWay = MapWay.CIRCUITS
    number: int = 0

    def __str__(self) -> str:
        """Return the way and its number as in a map, ` depth 7`; empty for CIRCUITS."""
        return "" if self.way is MapWay.CIRCUITS else f" {self.way} {self.number}"

    @property
    def rank(self) -> tuple[int, int]:
        """Quality of the estimates, larger is better, on boards from 8x8 on."""
        return [*MapWay].index(self.way), self.number

    @property
    def is_by_net(self) -> bool:
        """Whether the net estimates, whose numbers are chances, and not E."""
        return self.way is MapWay.NET

    @property
    def option(self) -> str:
        """The option of `hsearch openings` for this way, such as ` --depth 7`."""
        name = "--depth" if self.way is MapWay.DEPTH else "--simulations"
        return f" {name} {self.number}" if self.number else ""

    @property
    def words(self) -> str:
        """The way in words, such as `the net, 200 simulations an opening`."""
        if self.way is MapWay.CIRCUITS:
            return "the circuits, a look at the replies"
        if self.way is MapWay.DEPTH:
            return f"the circuits, searches to depth {self.number}"
        if not self.number:
            return "one look by the net"
        by = "the net" if self.is_by_net else "playouts"
        return f"{by}, {quantity(self.number, 'simulation')} an opening"

    def estimate(self, position: Position) -> float:
        """Return how good a position is for White, infinite when it is decided.

        The net's estimate is White's chance less a half; the others are E, with nobody to move.
        """
        won_by = winner(position)
        if won_by is not None:  # on 1x1
            return math.inf if won_by is Color.WHITE else -math.inf
        if self.way is MapWay.CIRCUITS:
            return circuit_estimate(position)
        by = {
            MapWay.DEPTH: search_estimate,
            MapWay.SIMULATIONS: playout_estimate,
            MapWay.NET: by_net,
        }
        return by[self.way](position, self.number)

    def black_chance(self, value: float, even: float, position: Position) -> float:
        """Return Black's chance by an estimate, where the estimate `even` counts as even.

        The chance of the net, or of a tree that asks it, is calibrated and bounded as usual; E has
        the chance of the circuits' model without a tempo, as nobody is to move.
        """
        if self.is_by_net:
            mover = min(1.0, max(0.0, 0.5 + (value - even)))
            share = calibrate_share("tree" if self.number else "net", mover, position)
            return round(1 - (share if math.isinf(value) else bound(share)), 3)
        model = replace(load_model(), tempo=0.0, tempo_phase=0.0)
        return model.chance(even - value, 0.0)


LOOK = MapEffort()
NET_SIMULATIONS = 200
PLAYOUTS = 50_000


def quick_effort() -> MapEffort:
    """Return the best way within milliseconds: one evaluation by the net, else a few playouts."""
    return MapEffort(MapWay.SIMULATIONS, 500) if load_net() is None else MapEffort(MapWay.NET)


def thorough_effort(simulations: int | None = None) -> MapEffort:
    """Return the best way within a second or two: a tree that asks the net, else playouts.

    `simulations` is their number; 200 with the net by default, 50,000 without.
    """
    if load_net() is None:
        return MapEffort(MapWay.SIMULATIONS, simulations or PLAYOUTS)
    return MapEffort(MapWay.NET, simulations or NET_SIMULATIONS)


def by_net(position: Position, simulations: int) -> float:
    """Return White's chance less a half: the mean of the position and its half turn.

    The chance is that of a tree that asks the net, in which H-search examines only the
    root; with 0 simulations that of one evaluation. Infinite when a proof decides. Raise
    ValueError when this copy has no net.
    """
    looks = [_look(each, simulations) for each in (position, position.rotated())]
    proved = next((won_by for won_by, _ in looks if won_by is not None), None)
    if proved is not None:
        return math.inf if proved is Color.WHITE else -math.inf
    mover = sum(chance for _, chance in looks) / 2
    return (mover if position.turn is Color.WHITE else 1 - mover) - 0.5


def _look(position: Position, simulations: int) -> tuple[Color | None, float]:
    """Return the proved winner, None if that is open, and the mover's chance, an estimate."""
    net = shipped_net()
    if simulations:
        settings = net_alone(net, simulations=simulations, look_at=None)
        findings = TreeSearch(position, settings).run(np.random.default_rng(_SEED))
        share = None if findings.best is None else findings.best.share
        if findings.winner is not None or share is not None:
            return findings.winner, 0.5 if share is None else share
    return None, NetEvaluator(net, position.board).evaluate(position).value


def circuit_estimate(position: Position) -> float:
    """Return E of a position with a single stone, as if neither player were to move.

    The player to move is better off than E after the stone, and worse off than E after
    their best reply: return the mean of the two. Infinite when one of them is decided.
    Negative is good for Black.
    """
    line = SearchPosition(position, _SETTINGS.limits, ORDERINGS[_SETTINGS.ordering])
    assessment = line.probe()
    if assessment.winner is not None:
        return assessment.evaluation
    after = []
    for reply in assessment.moves[:REPLIES]:
        line.play(reply)
        after.append(line.probe().evaluation)
        line.undo()
    best = min(after) if position.turn is Color.BLACK else max(after)
    return best if math.isinf(best) else (assessment.evaluation + best) / 2


def search_estimate(position: Position, depth: int) -> float:
    """Return E of a position with a single stone by alpha-beta, as if neither were to move.

    That is the mean of the searches to this depth and to one less, since E favors the
    player who moved last. Infinite when the search proves who wins. Negative is good
    for Black.
    """
    scores: list[float] = []
    settings = replace(_SETTINGS, depth=depth, widths=WIDTHS)
    last = search(position, settings, progress=lambda result: scores.append(result.score))
    two = scores[-2:] or [last.score]  # if there is only one move, no depth is reported
    mean = sum(two) / len(two)
    value = -mean if position.turn is Color.BLACK else mean
    is_decided = is_win(two[-1]) or is_loss(two[-1])
    return math.copysign(math.inf, value) if is_decided else value


def playout_estimate(position: Position, simulations: int) -> float:
    """Return the E that corresponds to the chance by this many playouts.

    Games are played out from the leaves of a tree, and H-search examines only the root: other
    examinations gained nothing here (`positions/results/openings.md`). Infinite when the
    search proves who wins. Negative is good for Black.
    """
    settings = TreeSettings(simulations=simulations, look_at=None)
    findings = TreeSearch(position, settings).run(np.random.default_rng(_SEED))
    if findings.winner is not None:
        return -math.inf if findings.winner is Color.BLACK else math.inf
    share = None if findings.best is None else findings.best.share
    if share is None or not 0 < share < 1:
        return circuit_estimate(position)
    value = logit(share) / CALIBRATED
    return -value if position.turn is Color.BLACK else value


# Even openings of two stones, with which deterministic players play different games.
#
# Lists for 8x8 to 15x15 and 19x19 are shipped in `positions/openings`; `hsearch openings
# --balanced` makes them.

TRIED = 20  # openings estimated for each that is wanted, if there are so many
OPENINGS_PER_ENTRY = 5  # a list has at most a fifth of all openings


@cache
def load_balanced(columns: int, rows: int, name: str = "balanced") -> tuple[str, ...]:
    """Return the shipped openings of two stones, as `a2 c4`, most even first.

    `name` is the list's: "balanced", or "study" for the openings of `positions/results/study.md`.
    Raise ValueError when there are none for boards of that size.
    """
    path = files.find_shipped(f"openings/{name}-{columns}x{rows}.list")
    if path is None:
        raise ValueError(
            f"no balanced openings for {columns}x{rows} came with hsearch (`hsearch openings "
            f"{columns} --balanced 20 --save .` makes some for `--openings FILE`)"
        )
    return read_balanced(path, Board(columns, rows))


# The moves of a line. Two spaces end them, unless a letter follows, as where moves are aligned.
_MOVES = re.compile(r"\S+(?: \S+|\s+[A-Za-z]\S*)*")


def read_balanced(path: Path, board: Board) -> tuple[str, ...]:
    """Return the openings of a list in a file, as `hsearch openings --balanced` writes it.

    Raise ValueError, naming the line, when one is not an opening of the board, and
    OSError when the file cannot be read.
    """
    openings: dict[str, int] = {}
    for number, line in enumerate(files.contents(path).splitlines(), 1):
        written = _MOVES.match(line.decode(errors="replace").strip())
        opening = "" if written is None else written[0]
        if not opening or opening.startswith("#"):
            continue
        try:
            game = moves.read(opening, board)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: not an opening: {error}") from None
        cells = [move.name(board) for move in game.moves if move.cell is not None]
        wrong = {
            "is not cells alone, as `a2 c4`": cells != opening.split(),
            "is listed twice": " ".join(cells) in openings,
            "is a game that is over": winner(game.position()) is not None,
        }
        for what in filter(wrong.get, wrong):
            raise ValueError(f"{path}:{number}: {opening[:40]!r} {what}")
        openings[" ".join(cells)] = number
    if not openings:
        raise ValueError(f"{path}:1: no openings, such as `a2 c4`, a line each")
    return tuple(openings)


def find_balanced(
    board: Board,
    count: int,
    generator: np.random.Generator,
    *,
    on_progress: Callable[[], object] = lambda: None,
) -> list[tuple[str, float]]:
    """Return openings of two stones near even, most even first, each with its distance from even.

    For each opening that is wanted, `TRIED` are drawn at random and estimated by
    `quick_effort`; the most even are returned. An opening and its half turn count as one.
    `on_progress` is called after each estimate.
    """
    effort = quick_effort()
    pairs = list(_distinct_pairs(board, generator))[: TRIED * count]

    distances: dict[str, float] = {}
    for first, second in pairs:
        value = effort.estimate(Position.of(board).play(first).play(second))
        distances[f"{board.name(first)} {board.name(second)}"] = abs(value)
        on_progress()
    return sorted(distances.items(), key=lambda item: item[1])[:count]


def _distinct_pairs(board: Board, generator: np.random.Generator) -> Iterator[tuple[Cell, Cell]]:
    """Yield all pairs of cells in random order, one of two that half a turn exchanges."""
    rotations: set[tuple[Cell, Cell]] = set()
    for number in generator.permutation(board.size * (board.size - 1)).tolist():
        first, place = divmod(number, board.size - 1)
        pair = first, place + (place >= first)
        if pair not in rotations:
            rotations.add((board.rotate(pair[0]), board.rotate(pair[1])))
            yield pair


LIST = "# Openings of two stones on "  # begins a list


def write_balanced(side: int, openings: list[tuple[str, float]], command: str) -> str:
    """Return the text of a list of openings with the distance of each from even."""
    what = "and how far Black's chance is from a half, estimated"
    head = f"{LIST}{side}x{side}, {what}. Made by: {command}"
    return "\n".join([head, *(f"{opening}  {far:.4f}" for opening, far in openings), ""])
