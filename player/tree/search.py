"""Best-first search of one game: a tree that is kept from move to move.

Simulations run in a kernel until a node asks to be looked at; then H-search tells
who wins there, or which moves do not lose at once, how weak each link is, and by the
circuits what the mover's chance is. What is proved goes up the tree as far as it
reaches. With a number of simulations the outcome depends on the game and the seed
alone; time only cuts it short.
"""

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Cell, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.kernels import tree as kernel
from player.net import Evaluator, NetError
from player.net.int8 import Int8Evaluator
from player.search import SearchResult, probe_seconds
from player.search.clock import SearchClock, Stopped
from player.search.line import Assessment
from player.tree.estimate import chance, estimate
from player.tree.findings import Candidate, TreeFindings
from player.tree.grown import (
    below,
    child_at,
    children_of,
    empty_tree,
    larger,
    line_of,
    ranked,
    root_position,
)
from player.tree.looking import Looker
from player.tree.settings import TreeSettings

ROOM = 4096  # nodes at first
MOST = 1 << 25  # nodes, of 58 bytes each; those that are there are searched on
CHUNK = 30_000  # cells of simulations, a few milliseconds, between two looks at the clock
NEVER = 1 << 40  # simulations
SPARE = 0.02  # seconds, for the last simulations to end in time
PAUSE = 0.05  # seconds from one telling of what was found so far to the next

OnProgress = Callable[[SearchResult], None]


class TreeSearch:
    """The tree of one game. Holds state."""

    def __init__(self, position: Position, settings: TreeSettings) -> None:
        """Begin with a root alone."""
        self.settings = settings
        self._tree = empty_tree(ROOM)
        self._looks = 0
        self._looker: Looker | None = None
        net, kind = settings.net, Int8Evaluator if settings.int8 else Evaluator
        self._net = None if net is None else kind(net, position.board)
        self._stand_at(position)

    def advance(self, moves: Sequence[Cell]) -> None:
        """Play moves at the root; keep what grows from there."""
        node: int | None = 0
        position = self.position
        for cell in moves:
            position = position.play(cell)
            node = None if node is None else child_at(self._tree, node, cell)
        self._tree = empty_tree(ROOM) if node is None else below(self._tree, node)
        if self._looker is not None:
            self._looker.advance(moves)
        self._stand_at(position, moves[-1] if moves else None)

    def run(
        self,
        generator: np.random.Generator,
        *,
        seconds: float | None = None,
        cancel: threading.Event | None = None,
        progress: OnProgress | None = None,
    ) -> TreeFindings:
        """Simulate as often as the settings say, or as time lets, and return what is known.

        It ends as soon as the root is proved. When it is too late for one more look,
        simulations go on without.
        """
        clock = SearchClock(seconds, cancel, first_probe=probe_seconds(self.position.board))
        random = generator.integers(1 << 62, size=1, dtype=np.uint64)
        due = PAUSE
        left, rules = self.settings.simulations, self._rules
        most = max(1, CHUNK // self.position.board.size)
        self._looks, self._tree.used[1] = 0, 0
        try:
            while left != 0 and self._tree.state[0] == kernel.OPEN:
                clock.check(SPARE)
                count = most if left is None else min(most, left)
                why, run, length = kernel.simulate(self._tree, self._root, rules, random, count)
                left = None if left is None else left - run
                if why == kernel.FULL and self._tree.parent.size < MOST:
                    self._tree = larger(self._tree)
                elif why == kernel.FULL:
                    rules = rules._replace(expand_at=kernel.NO_ROOM)
                elif why == kernel.LOOK:
                    if not self._looked(self._root.path[:length].tolist(), clock):
                        rules = rules._replace(look_at=kernel.NO_LOOKS)
                elif why == kernel.ASK:
                    self._ask(length)
                if progress is not None and clock.seconds >= due:
                    due = clock.seconds + PAUSE
                    if found := self._told(clock).result:
                        progress(found)
        except Stopped:
            return self._told(clock, complete=False)
        self._find_win(clock)
        return self._told(clock, complete=True)

    def _stand_at(self, position: Position, last: Cell | None = None) -> None:
        self.position = position
        self._root = root_position(position, last, self.settings.patterns)
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

    def _looked(self, path: Sequence[int], clock: SearchClock) -> bool:
        """Look at the last node of a path from the root; return whether there was time for it."""
        try:
            clock.before_probe()
            if self._looker is None:
                self._looker = Looker(self.position, self.settings.limits)
                clock.before_probe()
        except Stopped:
            return False
        self._look(path, self._looker)
        clock.after_probe()
        return True

    def _find_win(self, clock: SearchClock) -> None:
        """Find a move that wins, where a look at the root told only that there is one."""
        tree = self._tree
        best = next(iter(ranked(tree, 0)), None)
        if tree.state[0] != kernel.WON or best is None or tree.state[best] == kernel.LOST:
            return
        for cell in () if self._looker is None else self._looker.decided_moves():
            child = child_at(tree, 0, cell)
            if child is None or not self._looked([0, child], clock):
                return
            if tree.state[child] == kernel.LOST:
                return

    def _ask(self, length: int) -> None:
        """Ask the net about the last node of the path in the kernel."""
        assert self._net is not None  # noqa: S101 - else nothing asks
        tree, root = self._tree, self._root
        turn = Color(kernel.stand(tree, root.path, length, root.turn, self._stones, self._there))
        policy, value = self._net.advise(self._there, turn)
        are_chances = kernel.heed(tree, int(root.path[length - 1]), policy)
        if not (are_chances and 0 <= value <= 1):
            raise NetError("the net answers with what is no chance")
        if self.settings.trust:
            self._see(root.path[:length], turn, value)

    def _see(self, path: NDArray[np.int64], turn: Color, value: float) -> None:
        """Keep the chance of whoever is to move at the last node of a path from the root."""
        value = value if turn is Color.BLACK else 1 - value
        part = self.settings.blend * (1 - self._rules.worth)
        kernel.see(self._tree, len(path), path, self._root.turn, part, value)

    def _look(self, path: Sequence[int], looker: Looker) -> None:
        """Look at the last node of a path from the root."""
        node, tree = path[-1], self._tree
        self._looks += 1
        seen = looker.look([int(tree.cell[each]) for each in path[1:]])
        turn = self.position.turn if len(path) % 2 else self.position.turn.opponent
        if seen.winner is not None:
            tree.state[node] = kernel.WON if seen.winner is turn else kernel.LOST
            kernel.prove(tree, node)
            return
        self._weigh(np.array(path), turn, seen)

    def _weigh(self, path: NDArray[np.int64], turn: Color, seen: Assessment) -> None:
        """Write what was seen of an open position into its node and its children."""
        node, tree, size = int(path[-1]), self._tree, self.position.board.size
        assert seen.flow is not None  # noqa: S101 - the position is open
        children = children_of(tree, node)
        cells = tree.cell[children]
        phase = 1 - len(cells) / size
        value = estimate(seen.evaluation, turn, phase, self.settings.slope)
        is_advised = tree.seen[node] == kernel.ASKED
        if is_advised and (trust := self.settings.trust):
            known = tree.estimates[node] if turn is Color.BLACK else 1 - tree.estimates[node]
            value = trust * float(known) + (1 - trust) * value
        tree.seen[node] = kernel.LOOKED
        self._see(path, turn, value)
        is_tried = np.zeros(size, np.bool_)
        is_tried[list(seen.moves)] = True
        flow = seen.flow[cells]
        weights = np.exp(flow / self.settings.heat)
        if is_advised:
            weights = tree.prior[children]
        elif self.settings.patterns is not None:
            # What patterns give is in the priors, with currents of an earlier look if any.
            news = (flow - tree.current[children]) / self.settings.heat
            weights = tree.prior[children] * np.exp(news)
        tree.current[children] = flow
        is_open = is_tried[cells] & (tree.state[children] == kernel.OPEN)
        tree.prior[children] = weights / max(weights[is_open].sum(), 1e-9)
        lost = np.flatnonzero(~is_tried[cells]) + children.start
        tree.state[lost] = kernel.WON
        if lost.size:
            kernel.prove(tree, int(lost[0]))

    def _told(self, clock: SearchClock, *, complete: bool = False) -> TreeFindings:
        tree, turn = self._tree, self.position.turn
        state, winner = int(tree.state[0]), None
        if state != kernel.OPEN:
            winner = turn if state == kernel.WON else turn.opponent
        return TreeFindings(
            self.position,
            tuple(map(self._candidate, ranked(tree, 0))),
            tuple(line_of(tree)),
            winner,
            int(tree.used[1]),
            self._looks,
            clock.seconds,
            complete,
        )

    def _candidate(self, child: int) -> Candidate:
        tree, turn = self._tree, self.position.turn
        visits, state, winner = int(tree.visits[child]), int(tree.state[child]), None
        share = float(tree.wins[child]) / visits if visits else None
        told = None if share is None else chance(share, self.settings.slope)
        if state != kernel.OPEN:
            winner = turn if state == kernel.LOST else turn.opponent
        return Candidate(int(tree.cell[child]), told, visits, winner, float(tree.prior[child]))
