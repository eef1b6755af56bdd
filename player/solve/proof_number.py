"""Depth-first proof-number search, by one worker or by several that share a table."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field

from hsearch.connect import Limits
from hsearch.hex import Board, Cell, CellSet, Color, Position
from hsearch.hex.board import from_number, rotate_cells, to_number
from hsearch.kernels.stop import Stopped
from player.solve.budget import Budget, OutOfTimeError, StoppedError, Techniques
from player.solve.decomposition import cut, judge
from player.solve.examiner import LOST, OPEN, Examiner, Finding, SolverNode
from player.solve.guide import ADVISED, TRIES_A_CELL, WORTH, Guide
from player.solve.lemmas import MOST, Lemmas
from player.solve.table import INFINITE, Node, NodeTable

UNADVISED = 4  # without advice, one in this many of the moves left is searched, and one more


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that is left to try.

    proof     the fewest open positions that have to be decided to prove that it wins
    disproof  the same for a loss
    work      positions examined after it
    """

    cell: Cell
    proof: int
    disproof: int
    work: int


@dataclass(frozen=True, slots=True)
class Remaining:
    """The moves of an open position.

    losing    proved to lose: outside a threat, or outside the refutation of another move
    moves     left to try: first those that were searched, the most promising first
    inferior  no better than one of the other moves, whoever wins
    """

    losing: CellSet
    moves: tuple[OpenMove, ...]
    inferior: CellSet


def remaining(descent: "Descent", table: NodeTable, position: Position) -> Remaining | None:
    """Return the moves of a position; None if it is settled or was not examined."""
    board = position.board
    place = descent.place(to_number(position.black), to_number(position.white), int(position.turn))
    node = table.nodes.get(place.key)
    if node is None or node.winner is not None or node.moves is None:
        return None

    def orient(cells: int) -> int:
        return rotate_cells(board, cells) if place.turned else cells

    region = orient(node.common)
    black, white = node.stones
    occupied = place.captured[0] | place.captured[1] | orient(black | white)
    losing = to_number(position.empty) & ~region & ~occupied
    moves = []
    for move in node.moves:
        child = table.nodes.get(descent.after(node, place.turn, move).key)
        cell = orient(1 << move).bit_length() - 1
        # A child's numbers are the opponent's: to disprove their win is to prove ours.
        moves.append(
            OpenMove(cell, node.numbers[1], node.numbers[0], 0)
            if child is None
            else OpenMove(cell, min(child.delta, INFINITE), min(child.phi, INFINITE), child.work)
        )
    moves.sort(key=lambda move: (move.work == 0, move.proof))
    open_moves = board.only(*(move.cell for move in moves))
    losing_cells = from_number(losing, board.size)
    return Remaining(losing_cells, tuple(moves), position.empty & ~losing_cells & ~open_moves)


# One worker: the search of Nagai, with H-search at every node.
#
# At each node the player to move needs one winning move, and the opponent must refute
# all moves. A move outside a threat of the opponent loses, and so does a move outside
# the carrier that refuted another move. So fewer and fewer moves are left to try, and
# the carrier of a proof is made of those of its parts (Hayward et al.: Solving 7x7 Hex,
# 2004; Pawlewicz and Hayward: Scalable parallel DFPN search, 2013). Each proof is stored
# as a lemma, which decides other positions, or leaves them fewer moves, before their
# connections are computed.
#
# Below the root only the opponent's connections are computed. Those of the player to move
# were computed one move earlier, and the opponent's move since then lies in all of their
# threats, so a threat is hardly ever left; if one is, the search finds the win with one
# more node. Their circuit is solved without connections.
#
# In a long search, the net puts the moves of a node in a better order once there is
# some work below it (`player.solve.guide`).


class _MootError(Exception):
    """Another worker has decided a position on the path to this one."""


@dataclass(slots=True)
class Shared:
    """Tables and counters that all workers of a search share. Holds state.

    lock      held by the worker that runs; released while it examines a position or asks a net
    positions number of positions examined
    began     the same when the current question began
    tries     tries of the rules at these positions (`Examiner.tries`)
    """

    table: NodeTable
    techniques: Techniques
    lemmas: Lemmas
    lock: threading.Lock = field(default_factory=threading.Lock)
    positions: int = 0
    began: int = 0
    tries: int = 0
    budget: Budget = field(default_factory=Budget)
    is_stopped: bool = False

    @classmethod
    def of(cls, board: Board, table: NodeTable, techniques: Techniques) -> "Shared":
        """Start without lemmas; each player may have as many as the table has nodes."""
        return cls(table, techniques, Lemmas(board, min(MOST, table.most)))


class Descent:
    """One worker's descent through the positions. Holds state.

    Call `run` with the lock held. A node on the path of one worker looks worse
    to the others (`Node.busy`), so they take another path.
    """

    def __init__(self, board: Board, limits: Limits, shared: Shared) -> None:
        """Prepare to search positions of a board."""
        self.line: list[Cell] = []
        self.on_step: Callable[[], None] | None = None
        self._board = board
        self._shared = shared
        self._examiner = Examiner(board, limits, shared.techniques)
        self._guide = Guide(board)
        self._way: list[Node] = []

    def place(self, black: int, white: int, turn: int) -> SolverNode:
        """Return a position as the table stores it, after fill-in."""
        return self._examiner.place(black, white, turn)

    def after(self, node: Node, turn: int, move: Cell) -> SolverNode:
        """Return the position after a move at a node whose moves are known."""
        below = node.places.get(move)
        if below is None:
            stone = 1 << move
            black, white = node.stones
            below = node.places[move] = self._examiner.place(
                *((black | stone, white) if turn == Color.BLACK else (black, white | stone)),
                1 - turn,
                stone=move,
            )
        return below

    def recall(self, place: SolverNode) -> Node | None:
        """Return the node of a position that the table or a lemma decides; None if none does."""
        shared = self._shared
        node = shared.table.nodes.get(place.key)
        if node is not None and node.winner is not None:
            return node
        empty = (1 << self._board.size) - 1 & ~(place.black | place.white)
        verdict = shared.lemmas.ask(int(place.turn), (place.black, place.white), empty)
        if verdict.is_won is None:
            return None
        node = shared.table.node(place.key)
        winner = place.turn if verdict.is_won else 1 - place.turn
        node.settle(winner, place.turn, verdict.carrier, verdict.first)
        return node

    def keep_lemma(self, place: SolverNode, node: Node) -> None:
        """Store the win of a decided node as a lemma; do nothing if the node is open."""
        winner = node.winner
        if not self._shared.techniques.lemmas or winner is None:
            return
        stones = (place.black, place.white)[winner]
        if winner == place.turn and node.first is not None:
            stones |= 1 << node.first
        self._shared.lemmas.learn(int(winner), stones, node.carrier)

    def prepare(self, seconds: float) -> None:
        """Prepare the net that a question limited to this many seconds may ask."""
        if self._shared.techniques.net:
            self._guide.prepare(seconds)

    def run(
        self,
        place: SolverNode,
        node: Node,
        most_phi: int = INFINITE,
        most_delta: int = INFINITE,
    ) -> None:
        """Search until the node is decided, or one of its numbers reaches its bound.

        Raise OutOfTimeError when the budget is spent, StoppedError when the search is stopped.
        """
        self.line.clear()
        self._search(place, node, most_phi, most_delta)

    def as_it_was(self, place: SolverNode, node: Node) -> Node:
        """Return a decided node for the position before fill-in and half turn."""
        carrier, first = node.carrier, node.first
        if place.turned:
            carrier = rotate_cells(self._board, carrier)
            if first is not None:
                first = self._board.rotate(first)
        copy = Node(work=node.work)
        copy.settle(node.won_by, place.turn, carrier | place.captured[node.won_by], first)
        return copy

    def _search(self, place: SolverNode, node: Node, most_phi: int, most_delta: int) -> None:
        """Search as `run` does; in any case the node counts its work, and the table keeps it."""
        shared = self._shared
        before = shared.positions
        self._way.append(node)
        node.busy += 1
        try:
            if node.winner is None and node.moves is None:
                self._examine(place, node)
            while node.winner is None and not self._is_moot():
                if shared.techniques.lemmas and node.lemma_counts != shared.lemmas.counts:
                    self._apply_lemmas(place, node)
                    continue
                move, second = self.renumber(place, node)
                below = node.places[move]
                child = shared.table.node(below.key, node.numbers)
                if child.winner is None:
                    if node.phi >= most_phi or node.delta >= most_delta:
                        break
                    moves = self._moves_to_order(node, node.work + shared.positions - before)
                    if moves:
                        self._take_advice(place, node, moves)
                        continue
                    self.line.append(move)
                    self._search(
                        below,
                        child,
                        min(INFINITE, most_delta - node.delta + child.phi),
                        min(most_phi, second + second // 4 + 1),
                    )
                    self.line.pop()
                if child.winner is not None and node.winner is None:
                    self.take_outcome(place, node, move, self.as_it_was(below, child))
            if node.winner is not None and shared.positions > before:
                self.keep_lemma(place, node)
        finally:
            self._way.pop()
            node.busy -= 1
            node.work += shared.positions - before
            shared.table.put_back(place.key, node)

    def _moves_to_order(self, node: Node, work: int) -> tuple[Cell, ...]:
        """Return the moves to ask a net about at a node with this many positions examined below."""
        shared, moves = self._shared, node.moves or ()
        is_new = shared.techniques.net and not node.is_advised
        if not is_new or work < WORTH or len(moves) < 2:
            return ()
        is_asked = self._guide.choose(shared.budget, shared.positions - shared.began)
        return moves if is_asked else ()

    def _take_advice(self, place: SolverNode, node: Node, moves: tuple[Cell, ...]) -> None:
        """Put the moves of a node in the order that the net advises, while other workers run."""
        shared = self._shared
        node.is_advised, lock = True, shared.lock
        shared.tries += TRIES_A_CELL * self._board.size
        lock.release()
        try:
            advice = self._guide.advise(node.stones, Color(place.turn), moves)
        except Stopped:
            node.is_advised = False  # the next search asks again
            raise OutOfTimeError from None
        finally:
            lock.acquire()
        if node.moves is not None:  # some may have been refuted meanwhile
            open_moves = set(node.moves)
            node.moves = tuple(move for move in advice.moves if move in open_moves)
            node.numbers = advice.numbers

    def _is_moot(self) -> bool:
        """Return whether another worker has decided a position on the path here."""
        return any(node.winner is not None for node in self._way)

    def _examine(self, place: SolverNode, node: Node) -> None:
        """Examine the connections of a position, while other workers run."""
        shared = self._shared
        if shared.budget.is_spent(shared.positions, shared.tries):
            raise OutOfTimeError
        if shared.is_stopped:
            raise StoppedError
        if self.on_step is not None:
            self.on_step()
        node.stones, node.lemma_counts = (place.black, place.white), (0, 0)
        node.common, node.union = (1 << self._board.size) - 1 & ~(place.black | place.white), 0
        self._apply_lemmas(place, node)
        if node.winner is not None:
            return
        shared.positions += 1
        shared.lock.release()
        try:
            finding = self._examiner.examine(place, own=not self.line)
        except Stopped:
            raise OutOfTimeError from None
        finally:
            shared.lock.acquire()
        shared.tries += self._examiner.tries
        if node.winner is not None or node.moves is not None:
            return  # another worker was faster
        is_filled = finding.stones != node.stones
        node.stones, node.needs = finding.stones, finding.needs
        if finding.status != OPEN:
            winner = 1 - place.turn if finding.status == LOST else place.turn
            node.settle(winner, place.turn, finding.proof | node.needs[winner], finding.first)
            return
        self._open(place, node, finding, is_filled=is_filled)

    def _open(self, place: SolverNode, node: Node, finding: Finding, *, is_filled: bool) -> None:
        """Enter the moves to try, less those that lemmas drop; settle it if they or a chain do.

        Earlier lemma answers for these stones stay valid unless a region was filled since.
        """
        common, union = node.common, node.union
        node.common, node.union, node.moves = finding.common, finding.union, finding.moves
        if is_filled:
            node.lemma_counts = (0, 0)
        elif node.common & ~common:
            node.common, node.union = node.common & common, node.union | union
            self._keep_common(place, node)
        if node.winner is None:
            self._apply_lemmas(place, node)
        if not node.moves and node.winner is None:
            self._lose(place, node)
        elif node.winner is None and self._shared.techniques.decomposition:
            self._cut(place, node)

    def few(self, node: Node) -> int:
        """Return how many of a node's moves are searched now; others follow refuted ones."""
        count = len(node.moves or ())
        if not self._shared.techniques.widening:
            return count
        return 1 + (count + 3) // (ADVISED if node.is_advised else UNADVISED)

    def renumber(self, place: SolverNode, node: Node, loss: int = 1) -> tuple[Cell, int]:
        """Set the numbers of a node from its children; return the best move and the second delta.

        Only the first `few` moves count. If one is decided, return it at once. Each worker below
        a child adds `loss` times its delta, so that other workers prefer other moves.
        """
        moves, best = node.moves or (), -1
        least = second = 2 * INFINITE
        total = 0
        for move in moves[: self.few(node)]:
            below = self.after(node, place.turn, move)
            child = self._shared.table.nodes.get(below.key)
            phi, delta = node.numbers if child is None else (child.phi, child.delta)
            if child is not None:
                if child.winner is not None:
                    return move, 0
                delta += loss * child.busy * (delta + 1)
            total += phi
            if best < 0 or delta < least:
                best, second, least = move, least, delta
            elif delta < second:
                second = delta
        node.phi, node.delta = min(least, INFINITE - 1), min(total, INFINITE - 1)
        return best, second

    def take_outcome(self, place: SolverNode, node: Node, move: Cell, child: Node) -> None:
        """Update a node by a move whose outcome is known."""
        if child.winner == place.turn:
            carrier = child.carrier | 1 << move | node.needs[place.turn]
            node.settle(place.turn, place.turn, carrier, move)
            return
        if not self._shared.techniques.proofs:
            node.common &= ~(1 << move)
            node.union |= child.carrier
        elif node.common & ~child.carrier:
            node.common &= child.carrier
            node.union |= child.carrier
        node.common &= ~(1 << move)  # whatever carrier a false table has
        self._keep_common(place, node)

    def _apply_lemmas(self, place: SolverNode, node: Node) -> None:
        """Update a node by the lemmas learned since its last query."""
        lemmas = self._shared.lemmas
        if node.lemma_counts == lemmas.counts:
            return
        verdict = lemmas.ask(int(place.turn), node.stones, node.common, node.lemma_counts)
        node.lemma_counts = lemmas.counts
        if verdict.is_won is not None:
            winner = place.turn if verdict.is_won else 1 - place.turn
            node.settle(winner, place.turn, verdict.carrier | node.needs[winner], verdict.first)
        elif verdict.common != node.common:
            node.common, node.union = verdict.common, node.union | verdict.union
            self._keep_common(place, node)

    def _keep_common(self, place: SolverNode, node: Node) -> None:
        """Keep only the moves in all known threats; if none is left, the node is lost."""
        for move in set(node.places):
            if not node.common >> move & 1:
                del node.places[move]
        if node.moves is not None:
            node.moves = tuple(move for move in node.moves if node.common >> move & 1)
        if not (node.common if node.moves is None else node.moves):
            self._lose(place, node)

    def _lose(self, place: SolverNode, node: Node) -> None:
        """Settle a lost node, all of whose moves are refuted or vulnerable.

        The opponent answers a vulnerable move in all known threats by its killer.
        Then the move is dead and the opponent has gained a stone: the proof
        continues as if the player to move had passed.
        """
        carrier = node.union | node.needs[1 - place.turn]
        if node.common:
            carrier |= node.common | self._examiner.killers(node.stones, place.turn, node.common)
        node.settle(1 - place.turn, place.turn, carrier)

    def _cut(self, place: SolverNode, node: Node) -> None:
        """Settle a node by the games of two sides, if a chain cuts the board."""
        stones, turn = node.stones, Color(place.turn)
        parts = cut(self._board, stones)
        if parts is None:
            return
        everything = (1 << self._board.size) - 1

        def solve(which: int, mover: Color, carrier_to: Color) -> Node:
            side = self._examiner.place(
                *parts.game(stones, which, carrier_to, everything), int(mover)
            )
            below = self._shared.table.node(side.key)
            if below.winner is None:
                self._search(side, below, INFINITE, INFINITE)
            if below.winner is None:
                raise _MootError
            return self.as_it_was(side, below)

        try:
            verdict = judge(parts, turn, solve)
        except _MootError:
            return
        if verdict is not None and node.winner is None:
            carrier = verdict.carrier | node.needs[verdict.winner]
            node.settle(verdict.winner, turn, carrier, verdict.first)


# Several workers of one search, which share one table.
#
# A worker holds the lock except while it examines a position, which is most
# of the work, or asks a net: meanwhile others run.


class Workers:
    """The workers and what they share. Holds state.

    The first one works in the caller's thread, the others in threads of their
    own while a question is open.
    """

    def __init__(
        self, board: Board, limits: Limits, table: NodeTable, techniques: Techniques, workers: int
    ) -> None:
        """Prepare to search positions of a board."""
        self.shared = Shared.of(board, table, techniques)
        self.root = Node()
        self._descents = [Descent(board, limits, self.shared) for _ in range(workers)]
        self._failure: BaseException | None = None

    @property
    def first(self) -> Descent:
        """The worker in the caller's thread."""
        return self._descents[0]

    @property
    def line(self) -> tuple[Cell, ...]:
        """The line of moves that the first worker is searching."""
        return tuple(self.first.line)

    def decide(self, black: int, white: int, turn: int) -> Node:
        """Return the decided node of a position, as the board was before fill-in.

        Raise OutOfTimeError when the budget is spent.
        """
        shared = self.shared
        with shared.lock:
            place = self.first.place(black, white, turn)
            root = self.root = shared.table.node(place.key)
        shared.is_stopped, self._failure, shared.began = False, None, shared.positions
        helpers = [
            threading.Thread(
                target=copy_context().run,  # with the caller's time limit and flag
                args=(self._help, each, place, root),
                name="solver",
                daemon=True,
            )
            for each in self._descents[1:]
            if root.winner is None
        ]
        for helper in helpers:
            helper.start()
        try:
            with shared.lock:
                self.first.run(place, root)
        finally:
            shared.is_stopped = True
            for helper in helpers:
                helper.join()
            if self._failure is not None:  # even if this thread's time has ended meanwhile
                raise self._failure from None
        return self.first.as_it_was(place, root)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Search with lemmas and an empty table; if the search fails, keep nothing of it."""
        shared = self.shared
        table, mark = shared.table, shared.lemmas.mark()
        shared.table = NodeTable(table.most)
        try:
            yield
            with shared.lock:  # another thread may read the results
                table.adopt(shared.table.results())
        except BaseException:
            shared.lemmas.restore(mark)
            raise
        finally:
            shared.table = table

    def winner(self, black: int, white: int, turn: int) -> int | None:
        """Return the known winner of a position. The caller's thread may ask during a search."""
        node = self.shared.table.nodes.get(self.first.place(black, white, turn).key)
        return None if node is None else node.winner

    def recall(self, black: int, white: int, turn: int) -> Node | None:
        """Return the decided node of a position, by the table or a lemma; None if it is open."""
        with self.shared.lock:
            place = self.first.place(black, white, turn)
            node = self.first.recall(place)
        return None if node is None else self.first.as_it_was(place, node)

    def _help(self, descent: Descent, place: SolverNode, root: Node) -> None:
        try:
            with self.shared.lock:
                descent.run(place, root)
        except (OutOfTimeError, StoppedError):
            pass
        except BaseException as failure:  # noqa: BLE001 - raised again in the caller's thread
            self._failure, self.shared.is_stopped = failure, True
