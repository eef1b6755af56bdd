"""The upper tree: positions whose moves are known, and jobs below them.

It is the tree of the solver, but jobs search its leaves, in any process. A leaf that a
job leaves open gets the moves that the job found, with their numbers, and the next jobs
search these. What a job has proved is sent with the next ones as lemmas, so they need not
search for it.

Many jobs take different paths. At a node whose mover seems to lose, all moves have to be
refuted, so jobs at different moves are hardly ever in vain. At a node whose mover seems to
win, one move is enough, and a job at another one is in vain if the first wins. Jobs of
sixteen workers at other moves took two thirds of all positions and more. So a free
leaf is sought first where jobs are needed, and only then elsewhere (`NEEDED`, `WIDER`, `ANY`).
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise

from hsearch.hex import Board, Cell, Color, Position
from hsearch.hex.board import to_number
from hsearch.hex.face import expect_range
from player.solve.budget import ALL_TECHNIQUES
from player.solve.examiner import SolverNode
from player.solve.job import Job, JobResult
from player.solve.proof_number import Descent, Shared
from player.solve.solver import LIMITS, node_bytes
from player.solve.table import INFINITE, Node, NodeTable, pack, unpack

SMALLEST, DOUBT = 1000, 8  # positions of a job at the root, and the largest multiple of it below
LEAST, SHARE = 16, 4  # least size of a job beside others, and least divisor of the work so far
ROOM = 2  # multiple to which the numbers of a leaf may grow at least
SETTLED_SENT, FRESH = 1000, 8  # settled nodes sent with every job, chosen anew after this many jobs
NEAR = 3  # nodes above a job whose earlier results are sent with it
START = 100  # positions added to those examined below a position
LEMMA_JOBS = 4  # jobs whose lemmas are sent, for each job that is out
NEEDED, WIDER, ANY = range(3)  # where a leaf is sought, in this order (`_choose`)
MOST_RESULTS = 1000  # jobs whose results are kept, at most some 70 kilobytes each on 11x11

_Way = list[tuple[SolverNode, Node]]


@dataclass(frozen=True, slots=True)
class Doubt:
    """How open a position is.

    proof     the fewest open positions that have to be decided to prove the mover's win
    disproof  the same for a loss
    nodes     positions examined below it
    """

    proof: int
    disproof: int
    nodes: int


class JobTree:
    """The upper tree of some positions, and the jobs that are out. Holds state."""

    def __init__(self, board: Board, *, memory: int = 1000, smallest: int = SMALLEST) -> None:
        """Start with nothing known. Raise ValueError when a number is less than 1."""
        expect_range("memory", memory, 1)
        expect_range("smallest", smallest, 1)
        self.table = NodeTable(max(1, memory * 1_000_000 // node_bytes(board)))
        self._descent = Descent(board, LIMITS, Shared.of(board, self.table, ALL_TECHNIQUES))
        self.board, self.memory, self.smallest = board, memory, smallest
        self.jobs = self.nodes = 0  # jobs that came back, and positions that they examined
        self.seconds = 0.0  # their CPU time
        self._last_number = 0
        self._out: dict[int, _Way] = {}
        self._recent_lemmas: deque[bytes] = deque()  # lemmas of recent jobs
        self._results: OrderedDict[bytes, bytes] = OrderedDict()  # packed results of jobs, by leaf
        self._best, self._next_best = b"", 0
        self._heavy: list[tuple[bytes, Node]] | None = None  # settled, by work, and newer ones
        self._places: dict[Position, SolverNode] = {}

    @property
    def out(self) -> int:
        """Number of jobs that are out."""
        return len(self._out)

    def winner(self, position: Position) -> Color | None:
        """Return the known winner of a position; None if it is open."""
        node = self.table.nodes.get(self.of(position).key)
        return None if node is None or node.winner is None else Color(node.winner)

    def find_settled(self, position: Position) -> Node | None:
        """Return the node of a settled position, as before fill-in; None if it is open."""
        place = self._locate(position)
        node = self.table.nodes.get(place.key)
        return None if node is None or node.winner is None else self._descent.as_it_was(place, node)

    def doubt(self, position: Position) -> Doubt:
        """Return how open a position is."""
        node = self.table.node(self.of(position).key)
        return Doubt(node.phi, node.delta, node.work)

    def of(self, position: Position) -> SolverNode:
        """Return a position as the table stores it, from a cache, as it is needed often."""
        place = self._places.get(position)
        if place is None:
            place = self._places[position] = self._locate(position)
        return place

    def _locate(self, position: Position) -> SolverNode:
        black, white = to_number(position.black), to_number(position.white)
        return self._descent.place(black, white, int(position.turn))

    def open_nodes(self) -> Iterator[tuple[bytes, Node]]:
        """Yield the open nodes whose moves are known."""
        for key, node in self.table.nodes.items():
            if node.winner is None and node.moves is not None:
                yield key, node

    def pack_settled(self, most: int) -> bytes:
        """Return the settled nodes with the most work below, packed."""
        return pack(_heaviest(most, self.table.nodes.items()), self.board)

    def next_job(self, positions: Sequence[Position]) -> Job | None:
        """Return a job for one of some positions; None if all wait or are done.

        The position with the fewest jobs out per position examined below it comes first, of equals
        the earliest: many jobs at one would search moves that a single worker would not try.
        All positions are asked for jobs that are needed before one gets another (`_choose`). The
        job is out until `keep` or `give_up`.
        """
        places = map(self.of, positions)
        nodes = [(place, self.table.node(place.key)) for place in places]
        nodes.sort(key=lambda pair: pair[1].busy / (pair[1].work + START))
        for where in (NEEDED, WIDER, ANY):
            for place, node in nodes:
                way: _Way = []
                if self._find(place, node, way, where):
                    return self._hand_out(way)
        return None

    def keep(self, result: JobResult) -> None:
        """Enter the result of a job that is out, and update the nodes above it."""
        way = self._out.pop(result.number)
        self.jobs += 1
        self.nodes += result.nodes
        self.seconds += result.seconds
        for _, node in way:
            node.busy -= 1
            node.work += result.nodes
        self._recent_lemmas.append(result.lemmas)
        while len(self._recent_lemmas) > LEMMA_JOBS * (len(self._out) + 1):
            self._recent_lemmas.popleft()
        for key, result_node in unpack(result.batch, self.board):
            if self._is_news(result_node, self.table.nodes.get(key)):
                self.table.put_back(key, result_node)
                self._note(key, result_node)
        place, leaf = way[-1]
        self._results[place.key] = result.batch
        self._results.move_to_end(place.key)
        while len(self._results) > MOST_RESULTS:
            self._results.popitem(last=False)
        if leaf.winner is None and leaf.moves is None:
            self._learn(place, leaf, result.node)
        for place, node in reversed(way):
            self.table.put_back(place.key, node)
            self._update(place, node)
            if node.winner is not None:
                self._results.pop(place.key, None)

    def give_up(self) -> None:
        """Forget the jobs that are out: their workers are gone."""
        for way in self._out.values():
            for _, node in way:
                node.busy -= 1
        self._out.clear()

    def _find(self, place: SolverNode, node: Node, way: _Way, where: int) -> bool:
        """Extend the path to an open leaf without a job; return whether there is one."""
        if node.winner is None and node.moves is None and node.busy:
            return False
        way.append((place, node))
        if node.winner is None and node.moves is None:
            return True
        while node.winner is None:
            self._update(place, node)
            if node.winner is None and not self._go_down(place, node, way, where):
                break
            if way[-1][1] is not node:
                return True
        way.pop()
        return False

    def _go_down(self, place: SolverNode, node: Node, way: _Way, where: int) -> bool:
        """Extend the path from a node by its best move that leads to a job.

        Return false if none does, and true with the path unchanged if a move is decided.
        """
        for move in self._choose(place, node, where):
            below = self._descent.after(node, place.turn, move)
            child = self.table.node(below.key, node.numbers)
            if self._find(below, child, way, where) or child.winner is not None:
                return True
        return False

    def _choose(self, place: SolverNode, node: Node, where: int) -> Sequence[Cell]:
        """Return the moves of a node that may lead to a job, best first.

        Where the mover seems to win, that is the best move, and with `ANY` the first `few`. Where
        the mover seems to lose, it is each of the first `few`, and with `WIDER` all others. With
        `ANY`, all moves of a busy node are returned: else workers would wait.
        """
        moves, few = list(node.moves or ()), self._descent.few(node)
        is_winning = node.phi <= node.delta

        def doubt(move: Cell) -> int:
            child = self.table.nodes.get(self._descent.after(node, place.turn, move).key)
            if child is None:
                return node.numbers[1]
            return child.delta if is_winning else child.delta + child.busy * (child.delta + 1)

        first, rest = sorted(moves[:few], key=doubt), moves[few:]
        if where == ANY:
            return first + rest * (node.busy > 0)
        return first[:1] if is_winning else first + rest * (where == WIDER)

    def _note(self, key: bytes, node: Node) -> None:
        """Add a node, if it is settled, to those that may be sent with jobs."""
        if node.winner is not None and self._heavy is not None:
            self._heavy.append((key, node))

    def _update(self, place: SolverNode, node: Node) -> None:
        """Update a node by all of its decided moves, also those past the first `few`."""
        while node.winner is None and node.moves is not None:
            self._descent.renumber(place, node, 0)
            for move in node.moves:
                below = node.places.get(move)
                child = None if below is None else self.table.nodes.get(below.key)
                if below is not None and child is not None and child.winner is not None:
                    outcome = self._descent.as_it_was(below, child)
                    self._descent.take_outcome(place, node, move, outcome)
                    self._note(place.key, node)
                    break
            else:
                return

    @staticmethod
    def _is_news(news: Node, old: Node | None) -> bool:
        """Return whether a node of a job has more information than the known one."""
        if old is None:
            return True
        if old.winner is not None:
            return False
        return news.winner is not None or (old.moves is None and not old.busy)

    def _hand_out(self, way: _Way) -> Job:
        self._last_number += 1
        self._out[self._last_number] = way
        most = self._most_positions(way)
        for _, node in way:
            node.busy += 1
        place = way[-1][0]
        near = [above.key for above, _ in way[-1 - NEAR :] if self._results.get(above.key)]
        for key in near:
            self._results.move_to_end(key)
        return Job(
            self._last_number,
            self.board,
            place.black,
            place.white,
            place.turn,
            most,
            self._bounds(way),
            (*map(self._results.__getitem__, near), self._best_known()),
            tuple(self._recent_lemmas),
            self.memory,
        )

    def _most_positions(self, way: _Way) -> int:
        """Return the most positions of a job, fewer the more jobs are out at the same position.

        A long job would end when others have made it useless, and know nothing of theirs.
        """
        most, root = self.smallest * min(DOUBT, len(way)), way[0][1]
        if not root.busy:
            return most
        share = max(SHARE, root.busy + 1) * root.busy
        return min(most, max(LEAST, (START + root.work) // share))

    def _best_known(self) -> bytes:
        """Return the settled nodes with the most work below, packed at most `FRESH` jobs ago."""
        if self._last_number >= self._next_best:
            self._next_best = self._last_number + FRESH
            nodes = self.table.nodes.items() if self._heavy is None else self._heavy
            self._heavy = _heaviest(SETTLED_SENT, nodes)
            self._best = pack(self._heavy, self.board)
        return self._best

    def _bounds(self, way: _Way) -> tuple[int, int]:
        """Return the bounds of a leaf's numbers, as depth-first search would set them.

        Even a leaf that is not the best one gets room, so that its job has something to do.
        """
        phi = delta = INFINITE
        for (place, node), (_, child) in pairwise(way):
            _, second = self._descent.renumber(place, node, 0)
            phi, delta = (
                min(INFINITE, max(delta - node.delta + child.phi, ROOM * (child.phi + 1))),
                min(phi, max(second + second // 4 + 1, ROOM * (child.delta + 1))),
            )
        return phi, delta

    def _learn(self, place: SolverNode, leaf: Node, news: Node) -> None:
        """Copy a job's result into its leaf."""
        if news.winner is not None:
            leaf.settle(news.winner, place.turn, news.carrier, news.first)
            self._note(place.key, leaf)
            return
        leaf.phi, leaf.delta = news.phi, news.delta
        leaf.common, leaf.union, leaf.moves = news.common, news.union, news.moves
        leaf.stones, leaf.needs = news.stones, news.needs
        leaf.numbers, leaf.is_advised = news.numbers, news.is_advised


def _heaviest(most: int, nodes: Iterable[tuple[bytes, Node]]) -> list[tuple[bytes, Node]]:
    """Return the settled nodes with the most work below."""
    entries = (entry for entry in nodes if entry[1].winner is not None)
    return nlargest(most, entries, key=lambda entry: entry[1].work)
