"""Depth-first proof-number search, after Nagai, with H-search at every node.

At each node the side to move needs one winning move, and the opponent must
refute all of them. Moves outside a threat of the opponent lose; so does every
move outside the carrier with which another move was refuted. So the moves left
to try shrink as the search goes on, and a proof's carrier grows from those of
its parts (Hayward et al. 2004; Arneson, Hayward and Henderson: Solving Hex:
beyond humans, 2010).
"""

import time
from collections.abc import Callable

from hsearch.board import Board, Cell, Color
from hsearch.closure import Limits
from player.solve.examiner import LOST, OPEN, Examiner, Filled
from player.solve.table import INFINITE, Child, Node, Table


class OutOfTimeError(Exception):
    """The time is up; the table keeps what was found."""


class ProofNumberSearch:
    """The search and its table. Holds state."""

    def __init__(self, board: Board, limits: Limits, table: Table) -> None:
        """Prepare to search positions of a board."""
        self.board = board
        self.table = table
        self.examined = 0
        self.line: list[Cell] = []
        self.deadline = float("inf")
        self.on_step: Callable[[], None] | None = None
        self._examiner = Examiner(board, limits)

    def winner(self, black: int, white: int, turn: Color) -> Color:
        """Return who wins a position. Raise OutOfTimeError after the deadline."""
        filled, node = self.look_up(black, white, turn)
        if node.winner is None:
            self._search(node, filled.key + bytes([turn]), filled.black, filled.white, int(turn), INFINITE, INFINITE)
        assert node.winner is not None
        return Color(node.winner)

    def look_up(self, black: int, white: int, turn: Color) -> tuple[Filled, Node]:
        """Return a position after fill-in, and its node."""
        filled = self._examiner.fill(black, white)
        return filled, self.table.node(filled.key + bytes([turn]))

    def _search(self, node: Node, key: bytes, black: int, white: int, turn: int, most_phi: int, most_delta: int) -> None:
        """Search until the node is decided or one of its numbers reaches its bound."""
        before = self.examined
        if node.winner is None and node.moves is None:
            self._examine(node, black, white, turn)
        while node.winner is None:
            best, second = self._count(node, black, white, turn)
            if second is None:
                self._take(node, best, self.table.nodes[best.key], black, white, turn)
                continue
            if node.phi >= most_phi or node.delta >= most_delta:
                break
            self.line.append(best.move)
            child = self.table.node(best.key)
            self._search(
                child, best.key, best.black, best.white, 1 - turn,
                min(INFINITE, most_delta - node.delta + child.phi),
                min(most_phi, second + second // 4 + 1),
            )
            self.line.pop()
            self.table.put_back(best.key, child)
            self._take(node, best, child, black, white, turn)
        node.work += self.examined - before

    def _examine(self, node: Node, black: int, white: int, turn: int) -> None:
        self.examined += 1
        if not self.examined % 64:
            if time.monotonic() > self.deadline:
                raise OutOfTimeError
            if self.on_step is not None:
                self.on_step()
        finding = self._examiner.examine(black, white, turn)
        if finding.status == OPEN:
            node.common, node.union, node.moves = finding.common, finding.union, finding.moves
            if not node.moves:
                self._lose(node, black, white, turn)
        else:
            is_lost = finding.status == LOST
            node.settle(1 - turn if is_lost else turn, finding.proof, won=not is_lost)

    def _count(self, node: Node, black: int, white: int, turn: int) -> tuple[Child, int | None]:
        """Set the numbers of a node from its children; return the best and the second best delta.

        A child that is decided already is returned at once, with None. Only the
        first few moves are looked at, more as they are refuted.
        """
        best: Child | None = None
        least = second = INFINITE
        total = widest = 0
        moves = node.moves or b""
        nodes = self.table.nodes
        for move in moves[: 1 + (len(moves) + 3) // 4]:
            child = node.children.get(move)
            if child is None:
                child = node.children[move] = self._child(move, black, white, turn)
            known = nodes.get(child.key)
            if known is not None and known.winner is not None:
                return child, None
            phi, delta = (1, 1) if known is None else (known.phi, known.delta)
            total += phi
            widest = max(widest, phi)
            if delta < least:
                best, second, least = child, least, delta
            elif delta < second:
                second = delta
        assert best is not None
        node.phi, node.delta = least, total
        return best, second

    def _child(self, move: Cell, black: int, white: int, turn: int) -> Child:
        stone = 1 << move
        filled = self._examiner.fill(*((black, white | stone) if turn else (black | stone, white)))
        key = filled.key + bytes([1 - turn])
        return Child(move, key, filled.black, filled.white, filled.turned, filled.captured)

    def _take(self, node: Node, child: Child, below: Node, black: int, white: int, turn: int) -> None:
        """Draw the consequence of a child that was decided, if it was."""
        if below.winner is None:
            return
        carrier = self._examiner.turned(below.carrier) if child.turned else below.carrier
        carrier |= child.captured[below.winner]
        if below.winner == turn:
            node.settle(turn, carrier | 1 << child.move, won=True)
            return
        if node.common & ~carrier:
            node.common &= carrier
            node.union |= carrier
        node.children.pop(child.move, None)
        node.moves = bytes(move for move in node.moves or b"" if node.common >> move & 1)
        if not node.moves:
            self._lose(node, black, white, turn)

    def _lose(self, node: Node, black: int, white: int, turn: int) -> None:
        """Settle a node all of whose moves are refuted or vulnerable.

        A vulnerable move that none of the threats stands is answered by its killer.
        """
        carrier = node.union
        if node.common:
            carrier |= node.common | self._examiner.killers(black, white, turn, node.common)
        node.settle(1 - turn, carrier, won=False)
