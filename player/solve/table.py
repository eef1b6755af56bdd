"""Positions that the solver knows, in memory within a bound."""

from dataclasses import dataclass, field

from hsearch.board import Cell
from player.solve.examiner import SolverNode

INFINITE = 10**9


@dataclass(slots=True)
class Node:
    """A position of the search, seen by the player to move. Holds state.

    phi      the least number of open positions to decide for a win
    delta    the same for a loss
    work     positions examined below
    winner   None while it is open
    carrier  the empty cells that the winner's proof needs
    first    a winning move; None if there is none, or if any move wins
    common   the cells that are in all known threats of the opponent
    union    a few threats that have no more in common
    moves    the moves left to try, best first; None if they are to be found again
    stones   Black's and White's once what they enclose is filled
    needs    what a proof of Black and of White needs for that
    places   where those lead that have been looked at
    told     how many lemmas of Black and White it has been told of
    busy     workers that are below it just now
    """

    phi: int = 1
    delta: int = 1
    work: int = 0
    winner: int | None = None
    carrier: int = 0
    first: Cell | None = None
    common: int = 0
    union: int = 0
    moves: tuple[Cell, ...] | None = None
    stones: tuple[int, int] = (0, 0)
    needs: tuple[int, int] = (0, 0)
    places: dict[Cell, SolverNode] = field(default_factory=dict)
    told: tuple[int, int] = (0, 0)
    busy: int = 0

    def settle(self, winner: int, turn: int, carrier: int, first: Cell | None = None) -> None:
        """Note who wins, what the proof needs, and the winning move; forget the rest."""
        self.winner, self.carrier, self.first = winner, carrier, first
        self.phi, self.delta = (0, INFINITE) if winner == turn else (INFINITE, 0)
        self.common = self.union = 0
        self.moves = None
        self.places.clear()


class Table:
    """Nodes by key. Holds state.

    When there are more than `most`, the half with the least work below goes.
    """

    def __init__(self, most: int) -> None:
        """Start empty."""
        self.most = most
        self.nodes: dict[bytes, Node] = {}

    def node(self, key: bytes) -> Node:
        """Return the node of a key, a new one if it is not there."""
        node = self.nodes.get(key)
        if node is None:
            if len(self.nodes) >= self.most:
                self._forget()
            node = self.nodes[key] = Node()
        return node

    def put_back(self, key: bytes, node: Node) -> None:
        """Enter a node that may have been forgotten while it was searched.

        If another worker has decided the position meanwhile, that stays.
        """
        known = self.nodes.get(key)
        if known is None:
            if len(self.nodes) >= self.most:
                self._forget()
            self.nodes[key] = node
        elif known.winner is None:
            self.nodes[key] = node

    def _forget(self) -> None:
        works = sorted(node.work for node in self.nodes.values())
        least = works[len(works) // 2]
        self.nodes = {key: node for key, node in self.nodes.items() if node.work > least}
        for node in self.nodes.values():
            node.places.clear()
