"""One search by several workers, who share one table.

A worker holds a lock for all that it does, but for the connections of a
position, which are most of the work: they are found while others go on.
"""

import threading

from hsearch.board import Board, Cell
from hsearch.closure import Limits
from player.solve.budget import OutOfTimeError, StoppedError
from player.solve.examiner import SolverNode
from player.solve.lemmas import MOST, Lemmas
from player.solve.proof_number import Descent, Shared
from player.solve.table import Node, Table
from player.solve.techniques import Techniques


class Workers:
    """The workers and what they share. Holds state.

    The first one works in the thread that asks, the others in threads of their
    own as long as there is something to decide.
    """

    def __init__(
        self, board: Board, limits: Limits, table: Table, techniques: Techniques, workers: int
    ) -> None:
        """Prepare to search positions of a board."""
        self.shared = Shared(table, techniques, Lemmas(board, min(MOST, table.most)))
        self.root = Node()
        self._descents = [Descent(board, limits, self.shared) for _ in range(workers)]
        self._failure: BaseException | None = None

    @property
    def first(self) -> Descent:
        """The worker in the thread that asks."""
        return self._descents[0]

    @property
    def line(self) -> tuple[Cell, ...]:
        """The moves that the first worker looks at."""
        return tuple(self.first.line)

    def decide(self, black: int, white: int, turn: int) -> Node:
        """Return the decided node of a position, and its carrier and first move as the board was.

        Raise OutOfTimeError when the budget is spent.
        """
        shared = self.shared
        with shared.lock:
            place = self.first.place(black, white, turn)
            root = self.root = shared.table.node(place.key)
        shared.is_stopped, self._failure = False, None
        helpers = [
            threading.Thread(
                target=self._help, args=(each, place, root), name="solver", daemon=True
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
        if self._failure is not None:
            raise self._failure
        return self.first.as_it_was(place, root)

    def known(self, black: int, white: int, turn: int) -> int | None:
        """Return who is known to win a position; the thread that asks may call this meanwhile."""
        node = self.shared.table.nodes.get(self.first.place(black, white, turn).key)
        return None if node is None else node.winner

    def _help(self, descent: Descent, place: SolverNode, root: Node) -> None:
        try:
            with self.shared.lock:
                descent.run(place, root)
        except (OutOfTimeError, StoppedError):
            pass
        except BaseException as failure:  # noqa: BLE001 - raised again in the thread that asks
            self._failure = failure
