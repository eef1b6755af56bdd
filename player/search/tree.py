"""Best-first search of one game, with a tree that is kept from move to move.

The sections: the chance at a leaf, settings, results, the search.
"""

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.connect import Limits
from hsearch.hex import Cell, Color, Position, winner
from hsearch.hex.face import expect_range
from hsearch.hex.frame import Frame
from hsearch.kernels.stop import Stopped
from hsearch.render.text import quantity
from player.evaluate.chance import advantage, bound, calibrate_share, logistic, logit
from player.evaluate.net import NetError
from player.evaluate.patterns import PatternWeights
from player.evaluate.policy import AnyNet, net_evaluator
from player.kernels import tree as kernel
from player.search import tree_room as room
from player.search.alphabeta import probe_seconds
from player.search.line import CircuitAssessment
from player.search.settings import SearchCounts, SearchResult
from player.work.clock import SearchClock

# The chance of the player to move at a leaf of a tree whose leaves differ in depth.
#
# E ignores whose turn it is. Where leaves differ in depth, that has to be corrected, or the
# player who moved last seems better off: a *tempo* is added for the player to move. It is
# half of what the best move gains in E, so that a position and the one after its best move
# have the same value. The gain grows as the board fills, in the same way on 9x9 and 11x11
# (`positions/results/strength.md`).

CALIBRATED = 1.76  # the slope in `positions/chance.json` for an empty board, rounded


def tempo(phase: float) -> float:
    """Return the worth in E of being to move, with the share `phase` of the cells filled."""
    return 0.04 + 0.86 * math.sqrt(phase)


def mover_value(evaluation: float, turn: Color, phase: float, slope: float) -> float:
    """Return the value of a position for the player to move, from 0 to 1."""
    return logistic(slope * (advantage(evaluation, turn) + tempo(phase)))


def chance(value: float, slope: float) -> float:
    """Return the chance between equal players that corresponds to a value with this slope."""
    if not 0 < value < 1:
        return value
    return logistic(logit(value) * CALIBRATED / slope)


# Settings.

NET_ALONE: dict[str, Any] = {"playouts": False, "blend": 1.0, "trust": 1.0, "expand_at": 0}
BY_PATTERNS: dict[str, Any] = {"prior": 2.0, "heat": 1.0}  # for a search that patterns guide
BY_POLICY_NET: dict[str, Any] = {"heat": 0.5}  # makes HexHex as sure of its moves as our nets
COLDEST = 0.01  # least heat: currents are at most 2, and exp(200) is still finite
_RANGES = {
    "simulations": (1, math.inf),
    "look_at": (0, math.inf),
    "expand_at": (0, math.inf),
    "ask_at": (0, math.inf),
    "blend": (0, 1),
    "trust": (0, 1),
    "prior": (0, math.inf),
    "heat": (COLDEST, math.inf),
    "slope": (1e-6, math.inf),
    "rave": (1e-6, math.inf),
    "worth": (0, 1),
}


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """Settings of a best-first search.

    simulations  number of simulations; None for as many as there is time for
    look_at      simulations through a node before H-search examines it; 0 for at once, None for
                 the root alone
    expand_at    simulations through a node before its moves get nodes
    playouts     whether simulations play the rest of the game
    blend        weight of the chance by the circuits against the playout, from 0 to 1
    slope        slope of the chance in E; `CALIBRATED` fits games between equal players
    prior        weight of the priors by weak links, patterns or the net
    heat         how even the priors are: the current that makes a move e times as likely, 0.01 or
                 more; for a policy net of others, the logit that does
    rave         the largest weight, in simulations, of moves played later in a playout
    limits       limits of H-search
    net          net that gives the priors of each node in place of the weak links; None
                 for no net
    ask_at       simulations through a node before the net is asked about it
    trust        weight of the net's chance against that by the circuits, from 0 to 1; with
                 playouts it weakens the search, without them (`net_alone`) it is the search
    int8         whether the net computes in eight bits, several times as fast; needs the
                 extra `fast`
    patterns     patterns that give each new node priors, beside the weak links, and a chance;
                 None for none. Not with a net
    worth        weight of the chance by patterns against all others, from 0 to 1

    Raise ValueError when a number is out of range.
    """

    simulations: int | None = None
    look_at: int | None = 64
    expand_at: int = 8
    playouts: bool = True
    blend: float = 0.5
    slope: float = CALIBRATED
    prior: float = 0.5
    heat: float = 0.1
    rave: float = 500.0
    limits: Limits = field(default_factory=Limits)
    net: AnyNet | None = None
    ask_at: int = 0
    trust: float = 0.0
    int8: bool = False
    patterns: PatternWeights | None = None
    worth: float = 0.5

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if value is not None:
                expect_range(name, value, least, most)
        judges = self.look_at is not None or (self.net is not None and self.trust > 0)
        judges = judges or (self.patterns is not None and self.worth > 0)
        if not self.playouts and (self.blend < 1 or not judges):
            raise ValueError(
                "without playouts, set blend=1, and let H-search (look), a net (trust) or patterns "
                "(worth) judge the leaves"
            )
        if self.patterns is not None and self.net is not None:
            raise ValueError(
                "patterns are for a search without a net: use net=none or patterns=none"
            )
        if self.int8 and self.net is None:
            raise ValueError("int8 is for a net, and there is none: name one, as net=shipped")


def net_alone(net: AnyNet, **more: Any) -> TreeSettings:
    """Return settings of a search without playouts that asks a net about each new node."""
    return TreeSettings(**(NET_ALONE | {"net": net} | more))


# Results.


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move of the root.

    cell    the move
    share   the mover's share of the simulations that began with it, from 0 to 1; None if none did
    chance  the mover's chance between equal players by `share`; None likewise
    visits  simulations that began with it
    winner  who is proved to win after it; None if unproved
    prior   the prior that weak links, patterns or the net give it
    line    the expected moves, itself first; empty but for the best few
    """

    cell: Cell
    share: float | None
    chance: float | None
    visits: int
    winner: Color | None
    prior: float
    line: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeFindings:
    """Result of a best-first search.

    position     the position of the root
    candidates   the moves: those proved to win, then the open ones by visits, then the lost
    line         the expected moves, the best move first
    winner       who is proved to win; None if unproved
    simulations  simulations that this search ran
    looks        nodes that H-search examined in it
    seconds      the time it took
    complete     whether it ended by itself, not by time or a cancel
    by           source of the chances: `tree`, or `playouts` if it plays games out
    """

    position: Position
    candidates: tuple[Candidate, ...]
    line: tuple[Cell, ...]
    winner: Color | None
    simulations: int
    looks: int
    seconds: float
    complete: bool
    by: str = "tree"

    @property
    def visits(self) -> int:
        """Number of simulations that began with a move, with those of earlier searches."""
        return sum(each.visits for each in self.candidates)

    @property
    def best(self) -> Candidate | None:
        """The move to play; None if the root has no moves yet, or needs none."""
        return self.candidates[0] if self.candidates else None

    def with_winner(self, winner: Color, first: Cell | None) -> "TreeFindings":
        """Return the findings with a winner proved elsewhere, and a winning move if any."""
        if first is None:
            losers = tuple(replace(each, winner=winner) for each in self.candidates)
            return replace(self, winner=winner, candidates=losers)
        by_cell = {each.cell: each for each in self.candidates}
        best = by_cell.get(
            first, Candidate(first, None, None, 0, winner, 0.0)
        )  # it is missing if the search was canceled
        others = tuple(each for each in self.candidates if each is not best)
        candidates = (replace(best, winner=winner), *others)
        return replace(self, winner=winner, candidates=candidates, line=(first,))

    @property
    def move(self) -> Cell | None:
        """The move to play; None if the root has no moves yet, or needs none."""
        return None if self.best is None else self.best.cell

    @property
    def is_won(self) -> bool | None:
        """Whether the player to move is proved to win, or else to lose; None if unproved."""
        return None if self.winner is None else self.winner is self.position.turn

    @property
    def counts(self) -> SearchCounts:
        """The work of this search; its nodes are the simulations."""
        return SearchCounts(nodes=self.simulations, closures=self.looks)

    @property
    def extent(self) -> str:
        """How far the search has come, in a few words."""
        return quantity(self.simulations, "simulation")


# The search.
#
# Simulations run in a kernel until a node is due for an examination. Then H-search finds
# the winner there, or the must-play region, and the circuits give weak links and the mover's
# chance. Proofs are passed up the tree. With a number of simulations the result depends
# only on the game and the seed; a time limit only cuts it short.

ROOM = 4096  # nodes at first
MOST = 1 << 25  # most nodes, of 58 bytes each; then the tree is searched without growing
CHUNK = 30_000  # cells of simulations, a few milliseconds, between two looks at the clock
NEVER = 1 << 40  # simulations, more than any search runs
SPARE = 0.02  # seconds, for the last simulations to end in time
LINES = 5  # candidates that get a line
PAUSE = 0.05  # seconds between two reports of progress

SearchFindings: TypeAlias = SearchResult | TreeFindings  # what a search has found so far
OnFindings = Callable[[SearchFindings], None]


class TreeSearch:
    """The tree of one game. Holds state."""

    def __init__(self, position: Position, settings: TreeSettings) -> None:
        """Start with a root alone. Raise NetError when the net is for other boards."""
        self.settings = settings
        self._tree = room.empty_tree(ROOM)
        self._looks = 0
        self._looker: room.Looker | None = None
        net, board = settings.net, position.board
        self._net = (
            None
            if net is None
            else net_evaluator(net, board, int8=settings.int8, heat=settings.heat)
        )
        self._stand_at(position)

    def advance(self, moves: Sequence[Cell]) -> None:
        """Play moves at the root; keep the subtree after them.

        Raise Stopped when kernels are to end; then the search stays at the old root.
        """
        node: int | None = 0
        position = self.position
        for cell in moves:
            position = position.play(cell)
            node = None if node is None else room.child_at(self._tree, node, cell)
        if self._looker is not None:
            self._looker.advance(moves)
        self._tree = room.empty_tree(ROOM) if node is None else room.below(self._tree, node)
        self._stand_at(position, moves[-1] if moves else None)

    def run(
        self,
        generator: np.random.Generator,
        *,
        seconds: float | None = None,
        cancel: threading.Event | None = None,
        progress: OnFindings | None = None,
    ) -> TreeFindings:
        """Simulate as often as set, or as time allows, and return the findings.

        The search ends as soon as the root is proved. When too little time is left for an
        examination, simulations continue without.
        """
        clock = SearchClock(seconds, cancel, first_probe=probe_seconds(self.position.board))
        random = generator.integers(1 << 62, size=1, dtype=np.uint64)
        due = PAUSE
        remaining, rules = self.settings.simulations, self._rules
        most = max(1, CHUNK // self.position.board.size)
        self._looks, self._tree.counts[1] = 0, 0
        try:
            while remaining != 0 and self._tree.state[0] == kernel.OPEN:
                clock.check(SPARE)
                count = most if remaining is None else min(most, remaining)
                why, run, length = kernel.simulate(self._tree, self._root, rules, random, count)
                remaining = None if remaining is None else remaining - run
                if why == kernel.FULL and self._tree.parent.size < MOST:
                    self._tree = room.larger(self._tree)
                elif why == kernel.FULL:
                    rules = rules._replace(expand_at=kernel.NO_ROOM)
                elif why == kernel.LOOK:
                    if not self._examine(self._root.path[:length].tolist(), clock):
                        rules = rules._replace(look_at=kernel.NO_LOOKS)
                elif why == kernel.ASK:
                    self._ask(length)
                if progress is not None and clock.seconds >= due:
                    due = clock.seconds + PAUSE
                    findings = self._findings(clock)
                    if findings.best is not None:
                        progress(findings)
        except Stopped:
            return self._findings(clock, complete=False)
        self._find_win(clock)
        return self._findings(clock, complete=True)

    def _stand_at(self, position: Position, last: Cell | None = None) -> None:
        self.position = position
        self._root = room.root_position(position, last, self.settings.patterns)
        self._stones = Frame.of(position, Color.BLACK).stones.copy()
        self._there = np.empty_like(self._stones)
        settings = self.settings
        self._rules = kernel.SimulationRules(
            look_at=NEVER if settings.look_at is None else settings.look_at,
            expand_at=settings.expand_at,
            ask_at=kernel.NO_NET if self._net is None else settings.ask_at,
            playouts=settings.playouts,
            blend=settings.blend,
            prior=settings.prior,
            rave=settings.rave,
            worth=settings.worth if settings.patterns is not None else 0.0,
            heat=settings.heat,
        )

    def _examine(self, path: Sequence[int], clock: SearchClock) -> bool:
        """Examine the last node of a path from the root; return whether there was time for it."""
        try:
            clock.before_probe()
            if self._looker is None:
                self._looker = room.Looker(self.position, self.settings.limits)
                clock.before_probe()
        except Stopped:
            return False
        self._look(path, self._looker)
        clock.after_probe()
        return True

    def compile_rest(self) -> None:
        """Compile what a short search may leave out: to prove a node, and to keep a subtree."""
        kernel.prove(self._tree, 0)
        room.below(self._tree, 0)

    def _find_win(self, clock: SearchClock) -> None:
        """Find a winning move if the examination of the root proved only that one exists."""
        tree = self._tree
        best = next(iter(room.rank_children(tree, 0)), None)
        if tree.state[0] != kernel.WON or best is None or tree.state[best] == kernel.LOST:
            return
        for cell in () if self._looker is None else self._looker.best_tries():
            child = room.child_at(tree, 0, cell)
            if child is None or not self._examine([0, child], clock):
                return
            if tree.state[child] == kernel.LOST:
                return

    def _ask(self, length: int) -> None:
        """Ask the net about the last node of the path in the kernel."""
        assert self._net is not None  # noqa: S101 - without a net the kernel never asks
        tree, root = self._tree, self._root
        turn = Color(
            kernel.stones_after(tree, root.path, length, root.turn, self._stones, self._there)
        )
        policy, value = self._net.advise(self._there, turn)
        are_chances = kernel.set_net_priors(tree, int(root.path[length - 1]), policy)
        if not (are_chances and 0 <= value <= 1):
            raise NetError("the net's answer is not a chance")
        if self.settings.trust:
            self._record_estimate(root.path[:length], turn, value)

    def _record_estimate(self, path: NDArray[np.int64], turn: Color, value: float) -> None:
        """Record the chance of the player to move at the last node of a path from the root."""
        value = value if turn is Color.BLACK else 1 - value
        part = self.settings.blend * (1 - self._rules.worth)
        kernel.record_estimate(self._tree, len(path), path, self._root.turn, part, value)

    def _look(self, path: Sequence[int], looker: room.Looker) -> None:
        """Examine the last node of a path from the root."""
        node, tree = path[-1], self._tree
        self._looks += 1
        assessment = looker.look([int(tree.cell[each]) for each in path[1:]])
        turn = self.position.turn if len(path) % 2 else self.position.turn.opponent
        if isinstance(assessment, CircuitAssessment):
            self._write_assessment(np.array(path), turn, assessment)
            return
        tree.state[node] = kernel.WON if assessment.winner is turn else kernel.LOST
        kernel.prove(tree, node)

    def _write_assessment(
        self, path: NDArray[np.int64], turn: Color, assessment: CircuitAssessment
    ) -> None:
        """Write the assessment of an open position into its node and its children."""
        node, tree, size = int(path[-1]), self._tree, self.position.board.size
        children = room.children_of(tree, node)
        cells = tree.cell[children]
        phase = 1 - len(cells) / size
        value = mover_value(assessment.evaluation, turn, phase, self.settings.slope)
        is_advised = tree.stage[node] == kernel.ASKED
        if is_advised and (trust := self.settings.trust):
            advice = tree.estimates[node] if turn is Color.BLACK else 1 - tree.estimates[node]
            value = trust * float(advice) + (1 - trust) * value
        tree.stage[node] = kernel.LOOKED
        self._record_estimate(path, turn, value)
        is_tried = np.zeros(size, np.bool_)
        is_tried[list(assessment.moves)] = True
        flow = assessment.flow[cells]
        weights = np.exp(flow / self.settings.heat)
        if is_advised:
            weights = tree.prior[children]
        elif self.settings.patterns is not None:
            # The priors hold the patterns, and the currents of an earlier look if any.
            news = (flow - tree.current[children]) / self.settings.heat
            weights = tree.prior[children] * np.exp(news)
        tree.current[children] = flow
        is_open = is_tried[cells] & (tree.state[children] == kernel.OPEN)
        tree.prior[children] = weights / max(weights[is_open].sum(), 1e-9)
        losers = np.flatnonzero(~is_tried[cells]) + children.start
        tree.state[losers] = kernel.WON
        if losers.size:
            kernel.prove(tree, int(losers[0]))

    def _findings(self, clock: SearchClock, *, complete: bool = False) -> TreeFindings:
        tree, turn = self._tree, self.position.turn
        state, winner = int(tree.state[0]), None
        if state != kernel.OPEN:
            winner = turn if state == kernel.WON else turn.opponent
        candidates = tuple(
            self._candidate(child, place) for place, child in enumerate(room.rank_children(tree, 0))
        )
        return TreeFindings(
            self.position,
            candidates,
            self._line(room.line_of(tree)) or tuple(each.cell for each in candidates[:1]),
            winner,
            int(tree.counts[1]),
            self._looks,
            clock.seconds,
            complete,
            "playouts" if self.settings.playouts else "tree",
        )

    def _candidate(self, child: int, place: int) -> Candidate:
        tree, turn = self._tree, self.position.turn
        visits, state, winner = int(tree.visits[child]), int(tree.state[child]), None
        share = float(tree.wins[child]) / visits if visits else None
        if state != kernel.OPEN:
            winner = turn if state == kernel.LOST else turn.opponent
        cell = int(tree.cell[child])
        line = self._line((cell, *room.line_of(tree, child))) if visits and place < LINES else ()
        chance = None if share is None else self._chance(share)
        return Candidate(cell, share, chance, visits, winner, float(tree.prior[child]), line)

    def _line(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """Return the moves up to the end of the game: the tree may not have seen a chain."""
        position, line = self.position, list[Cell]()
        for cell in cells:
            if winner(position) is not None:
                break
            position = position.play(cell)
            line.append(cell)
        return tuple(line)

    def _chance(self, share: float) -> float:
        """Return the mover's chance between equal players by their share of simulations."""
        settings = self.settings
        if settings.net is not None and settings.trust == 1 and not settings.playouts:
            return bound(calibrate_share("tree", share, self.position))
        return bound(chance(share, settings.slope))
