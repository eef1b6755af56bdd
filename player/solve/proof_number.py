"""Depth-first proof-number search, after Nagai, with H-search at every node.

At each node the side to move needs one winning move, and the opponent must
refute all of them. Moves outside a threat of the opponent lose; so does every
move outside the carrier with which another move was refuted. So the moves left
to try shrink as the search goes on, and a proof's carrier grows from those of
its parts (Hayward et al.: Solving 7x7 Hex, 2004; Pawlewicz and Hayward:
Scalable parallel DFPN search, 2013).
"""

import time
from typing import TYPE_CHECKING

from hsearch.board import Board, Cell
from hsearch.closure import Limits
from player.solve.examiner import LOST, OPEN, Examiner, Place
from player.solve.table import INFINITE, Node, Table

if TYPE_CHECKING:
    from collections.abc import Callable


class OutOfTimeError(Exception):
    """The time is up; the table keeps what was found."""


class ProofNumberSearch:
    """The search and its table. Holds state."""

    def __init__(self, board: Board, limits: Limits, table: Table) -> None:
        """Prepare to search positions of a board."""
        self.table = table
        self.examined = 0
        self.line: list[Cell] = []
        self.root = Node()
        self.deadline = float("inf")
        self.on_step: Callable[[], None] | None = None
        self._examiner = Examiner(board, limits)

    def decide(self, black: int, white: int, turn: int) -> Node:
        """Return the decided node of a position, and its carrier and first move as the board was.

        Raise OutOfTimeError after the deadline.
        """
        place = self._examiner.place(black, white, turn)
        self.root = self.table.node(place.key)
        self.line.clear()
        self._search(place, self.root, INFINITE, INFINITE)
        self.table.put_back(place.key, self.root)
        return self._as_it_was(place, self.root)

    def _as_it_was(self, place: Place, node: Node) -> Node:
        """Return a decided node as the position before fill-in sees it."""
        carrier, first = node.carrier, node.first
        if place.turned:
            carrier = self._examiner.turned(carrier)
            if first is not None:
                first = self._examiner.turned(1 << first).bit_length() - 1
        assert node.winner is not None  # noqa: S101 - for the type checker
        seen = Node(work=node.work)
        seen.settle(node.winner, place.turn, carrier | place.captured[node.winner], first)
        return seen

    def _search(self, place: Place, node: Node, most_phi: int, most_delta: int) -> None:
        """Search until the node is decided or one of its numbers reaches its bound."""
        before = self.examined
        if node.winner is None and node.moves is None:
            self._examine(place, node)
        while node.winner is None:
            move, second = self._count(place, node)
            below = node.places[move]
            child = self.table.node(below.key)
            if child.winner is None:
                if node.phi >= most_phi or node.delta >= most_delta:
                    break
                self.line.append(move)
                self._search(
                    below,
                    child,
                    min(INFINITE, most_delta - node.delta + child.phi),
                    min(most_phi, second + second // 4 + 1),
                )
                self.line.pop()
                self.table.put_back(below.key, child)
            if child.winner is not None:
                self._take(place, node, move, self._as_it_was(below, child))
        node.work += self.examined - before

    def _examine(self, place: Place, node: Node) -> None:
        """Ask the connections of a position."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        if self.on_step is not None:
            self.on_step()
        self.examined += 1
        finding = self._examiner.examine(place)
        if finding.status != OPEN:
            winner = 1 - place.turn if finding.status == LOST else place.turn
            node.settle(winner, place.turn, finding.proof, finding.first)
            return
        node.common, node.union, node.moves = finding.common, finding.union, finding.moves
        if not node.moves:
            self._lose(place, node)

    def _count(self, place: Place, node: Node) -> tuple[Cell, int]:
        """Set the numbers of a node from its children; return the best move and the second delta.

        A move that is decided already comes first. Only the first few moves are
        looked at, more as they are refuted.
        """
        moves, best = node.moves or (), -1
        least = second = 2 * INFINITE
        total = 0
        for move in moves[: 1 + (len(moves) + 3) // 4]:
            below = node.places.get(move)
            if below is None:
                stone = 1 << move
                below = node.places[move] = self._examiner.place(
                    place.black if place.turn else place.black | stone,
                    place.white | stone if place.turn else place.white,
                    1 - place.turn,
                )
            known = self.table.nodes.get(below.key)
            phi, delta = (1, 1) if known is None else (known.phi, known.delta)
            if known is not None and known.winner is not None:
                return move, 0
            total += phi
            if delta < least:
                best, second, least = move, least, delta
            elif delta < second:
                second = delta
        node.phi, node.delta = min(least, INFINITE - 1), min(total, INFINITE - 1)
        return best, second

    def _take(self, place: Place, node: Node, move: Cell, seen: Node) -> None:
        """Draw the consequence of a move whose outcome is known."""
        if seen.winner == place.turn:
            node.settle(place.turn, place.turn, seen.carrier | 1 << move, move)
            return
        if node.common & ~seen.carrier:
            node.common &= seen.carrier
            node.union |= seen.carrier
        node.places.pop(move, None)
        node.moves = tuple(move for move in node.moves or () if node.common >> move & 1)
        if not node.moves:
            self._lose(place, node)

    def _lose(self, place: Place, node: Node) -> None:
        """Settle a node all of whose moves are refuted or vulnerable.

        A vulnerable move that meets all known threats is answered by its killer.
        Then it is dead, and the opponent has gained a stone: the proof goes on
        as if the player to move had passed.
        """
        carrier = node.union
        if node.common:
            carrier |= node.common | self._examiner.killers(place, node.common)
        node.settle(1 - place.turn, place.turn, carrier)
