"""The chance to win a position, with its source; and moves with their chances.

After a single stone the chance is that of the shipped map of openings, if the net made it. Any
other position is evaluated by the net, or by playouts if the copy has no net. A model that
was fitted to games of the program against itself turns the value of the net, or of a tree that
asks it, into a chance between equal players (`player.evaluate.chance`,
`positions/results/chance.md`). An estimate proves nothing: `Analysis.chance` in
`player.answers`, which all hosts show, uses one only while the winner is unknown.

A position, its half turn and its mirror have the same estimate: the net evaluates one of them,
from the view of its mover.
"""

import threading
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hsearch.hex import Board, Cell, Color, Position
from hsearch.hex.face import Pictured
from hsearch.hex.frame import Frame
from player.evaluate.chance import bound, calibrate_share, per_cent
from player.evaluate.net import NetEvaluator, load_net, shipped_net
from player.search.openings import chart_of, opening_as_black
from player.search.tree import TreeFindings, TreeSearch, TreeSettings

BOARDS = 4  # sizes for which a thread keeps an evaluator
PLAYOUTS = 1000
SURE = {"proof": "proved", "record": "by the record"}  # sources that are not estimates
BY = {  # printed after the chances
    "tree": "by the tree",
    "net": "by the net",
    "map": "by the map of openings",
    "playouts": "by playouts",
} | SURE
_SEED = 1


class _Room(threading.local):
    """The evaluators of a thread, which have work arrays."""

    def __init__(self) -> None:
        self.evaluator = lru_cache(BOARDS)(NetEvaluator)


_room = _Room()


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance to win. It prints as a few words, such as `Black 39 %, White 61 % (by the net)`.

    black  Black's chance: 1 or 0 if the winner is known, else above 0 and below 1
    by     its source: `proof` or `record`, which are not estimates; `tree`, `net`, `map` of
           openings, or `playouts`
    """

    black: float
    by: str

    @classmethod
    def sure(cls, winner: Color, by: str = "proof") -> "Chance":
        """Return the chance in a position whose winner is known."""
        return cls(float(winner is Color.BLACK), by)

    @classmethod
    def estimate(cls, mover: float, position: Position, by: str) -> "Chance":
        """Return an estimate by the mover's chance, kept above 0 and below 1."""
        mover = bound(mover)
        return cls(mover if position.turn is Color.BLACK else 1 - mover, by)

    @property
    def is_estimate(self) -> bool:
        """Whether the winner is unknown."""
        return self.by not in SURE

    def of(self, color: Color) -> float:
        """Return the chance of a player."""
        return self.black if color is Color.BLACK else 1 - self.black

    def __str__(self) -> str:
        black = per_cent(self.black)
        no_net = ", as this copy has no net" if self.by == "playouts" and not load_net() else ""
        return f"Black {black} %, White {100 - black} % ({BY[self.by]}{no_net})"


def estimate(position: Position) -> Chance:
    """Return the estimated chances of a position in which nobody has won.

    An evaluation by the net takes 2 ms on 11x11.
    """
    opening = _chance_after_one_stone(position)
    if opening is not None:
        return Chance.estimate(opening, position, "map")
    if load_net() is None:
        return Chance.estimate(_playout_chance(position), position, "playouts")
    return Chance.estimate(calibrate_share("net", net_share(position), position), position, "net")


def of_tree(findings: TreeFindings) -> Chance | None:
    """Return the chances after the best move of a tree; None if it tried none."""
    if findings.winner is not None:
        return Chance.sure(findings.winner)
    best = findings.best
    if best is None or best.winner is not None or best.chance is None:
        return None
    return Chance.estimate(best.chance, findings.position, findings.by)


def estimate_words(mover: Color, chance: float, move: str) -> str:
    """Return the first words of the reason for an estimated move, up to its name."""
    return f"Estimated: {mover.title}'s chance to win is {per_cent(chance)} % after {move}"


def net_share(position: Position) -> float:
    """Return the net's chance for the mover, not calibrated.

    Raise ValueError when this copy has no net.
    """
    frame = _either_way_round(Frame.of(position, position.turn))
    evaluator = _room.evaluator(shipped_net(), Board(frame.columns, frame.rows))
    return evaluator.advise(np.array(frame.stones), Color.BLACK)[1]  # read-only would recompile


def _chance_after_one_stone(position: Position) -> float | None:
    """Return the mover's chance by the shipped map, where the opponent has the only stone."""
    opening = opening_as_black(position)
    chart = None if opening is None else chart_of(position.board)
    if opening is None or chart is None or not chart.effort.is_by_net:
        return None
    return 1 - chart.black_chance(opening)


def _either_way_round(frame: Frame) -> Frame:
    """Return a frame or its half turn, whichever sorts first."""
    stones, rotation = frame.stones, frame.stones[::-1]
    return frame if stones.tobytes() <= rotation.tobytes() else frame.rotate()


def _playout_chance(position: Position) -> float:
    """Return the mover's chance by a tree with playouts; H-search examines only the root."""
    settings = TreeSettings(simulations=PLAYOUTS, look_at=None)
    findings = TreeSearch(position, settings).run(np.random.default_rng(_SEED))
    if findings.winner is not None:
        return float(findings.winner is position.turn)
    chance = None if findings.best is None else findings.best.chance
    return 0.5 if chance is None else chance


# Moves to play, with their chances.


@dataclass(frozen=True, slots=True)
class BestMove:
    """A move to play.

    cell         the cell that is played
    winner       who is proved to win after it; None if unproved
    chance       chance of the player who plays it, from 0 to 1: 1 or 0 if proved
    simulations  simulations of the search that began with it
    line         the expected moves, itself first
    """

    cell: Cell
    winner: Color | None
    chance: float | None
    simulations: int
    line: tuple[Cell, ...]


@dataclass(frozen=True)
class BestMoves(Pictured):
    """Moves to play in a position, the best first. It prints and draws itself.

    position     the position
    moves        the moves, the best first
    winner       who is proved to win the position; None if unproved
    chance       chance after the best move, by the search; None without a search
    simulations  simulations of the search, all moves together; 0 without a search
    looks        nodes that H-search examined; 0 without a search
    seconds      time that the search took
    before_swap  whether a swap is still possible, which everything here ignores
    tried        all moves that the search tried; `moves` has the best of them
    """

    position: Position
    moves: tuple[BestMove, ...]
    winner: Color | None
    chance: Chance | None = None
    simulations: int = 0
    looks: int = 0
    seconds: float = 0.0
    before_swap: bool = False
    tried: tuple[BestMove, ...] = ()

    def _display_module(self) -> str:
        return "player.answers.moves"

    def __repr__(self) -> str:
        names = self.position.board.text(each.cell for each in self.moves)
        return f"<Best moves of {self.position!r}: {names or 'none'}>"
