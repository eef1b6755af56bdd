"""Best-first search by definition: a playout, the descent, the update, and proofs.

Nothing here is fast. Random numbers are drawn as in `player.kernels.patterns`, so both trees must
agree to the last visit.
"""

import math
from dataclasses import dataclass, field

from hsearch.hex.board import DIRECTIONS
from hsearch.hex.position import Position, winner

WORD = (1 << 64) - 1
OPEN, WON, LOST = 0, 1, 2


class Chance:
    """Random numbers by splitmix64; the upper half of each word is scaled to a bound."""

    def __init__(self, counter: int) -> None:
        self.counter = counter

    def below(self, bound: int) -> int:
        """Return a number from 0 up to a bound."""
        self.counter = (self.counter + 0x9E3779B97F4A7C15) & WORD
        word = self.counter
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
        return ((word ^ (word >> 31)) >> 32) * bound >> 32


def owner(position: Position, column: int, row: int) -> int | None:
    """Return the owner of a place: 0 or 1, None if it is empty, 2 for a corner of the rim."""
    board = position.board
    beside, beyond = not 0 <= column < board.columns, not 0 <= row < board.rows
    if beside or beyond:
        return 2 if beside and beyond else 0 if beyond else 1
    cell = board.at(column, row)
    if position.black[cell]:
        return 0
    return 1 if position.white[cell] else None


def saving(position: Position, last: int, first: int) -> int | None:
    """Return the mover's cell that saves a bridge, trying directions from `first` on."""
    column, row = position.board.column_and_row(last)
    around = [(column + right, row + down) for right, down in DIRECTIONS]
    owners = [owner(position, *place) for place in around]
    for number in range(first, first + 6):
        one, middle, other = (number % 6, (number + 1) % 6, (number + 2) % 6)
        if owners[middle] is None and owners[one] == owners[other] == position.turn:
            return position.board.at(*around[middle])
    return None


def without(cells: list[int], cell: int) -> None:
    """Remove a cell from a list, and move the last one into its place."""
    cells[cells.index(cell)] = cells[-1]
    cells.pop()


def playout(position: Position, last: int | None, empties: list[int], chance: Chance) -> Position:
    """Return the full board at the end of a random game in which bridges are saved."""
    while empties:
        cell = None if last is None else saving(position, last, chance.below(6))
        if cell is None:
            cell = empties[chance.below(len(empties))]
        without(empties, cell)
        position, last = position.play(cell), cell
    return position


@dataclass
class Node:
    """A node of the tree, and its results."""

    position: Position
    cell: int | None = None
    prior: float = 1.0
    state: int = OPEN
    is_asked: bool = False
    is_looked_at: bool = False
    estimate: float | None = None
    visits: int = 0
    wins: float = 0.0
    rave_visits: int = 0
    rave_wins: float = 0.0
    children: list["Node"] = field(default_factory=list)


class NaiveTree:
    """A tree of node objects; `look` gives a node what H-search would, `ask` what a net would."""

    def __init__(self, position: Position, rules, counter: int, look, ask) -> None:
        self.root = Node(position)
        self.rules = rules
        self.chance = Chance(counter)
        self.look, self.ask = look, ask

    def simulate(self) -> None:
        """Run one simulation, after all evaluations of nodes that it needs."""
        while not self.root.state and self.try_once():
            pass

    def try_once(self) -> bool:
        """Descend once; return whether a node was evaluated instead of simulated."""
        rules, node, path, source = self.rules, self.root, [self.root], None
        empties = list(self.root.position.empty.search(1))
        while True:
            is_root = node is self.root
            may_expand = rules.expand_at >= 0 and not node.children
            looks = rules.look_at >= 0 and not node.is_looked_at
            looks = looks and (node.visits >= rules.look_at or is_root)
            looks = looks and (may_expand or bool(node.children))
            if may_expand and (looks or node.visits >= rules.expand_at or is_root):
                self.expand(node, source)
            asks = rules.ask_at >= 0 and (looks or node.visits >= rules.ask_at or is_root)
            if asks and node.children and not node.is_asked and not node.is_looked_at:
                node.is_asked = True
                self.tell(self.ask, node, source)
                return True
            if looks:
                node.is_looked_at = True
                self.tell(self.look, node, source)
                self.prove(path)
                return True
            if node.estimate is not None:
                source = node
            if not node.children or not (node.visits or is_root):
                break
            node = self.best(node)
            without(empties, node.cell)
            path.append(node)
        estimate = None if source is None else source.estimate
        value = estimate
        if rules.playouts:
            full = playout(node.position, node.cell, empties, self.chance)
            won = 1.0 if winner(full) == 0 else 0.0
            blend = rules.blend
            value = won if estimate is None else (1 - blend) * won + blend * estimate
            for each in path:
                self.learn(each, full, won)
        for each in path:
            each.visits += 1
            each.wins += value if each.position.turn == 1 else 1 - value
        return False

    def tell(self, who, node: Node, source: Node | None) -> None:
        """Evaluate a node, and correct its sums as if earlier simulations had had the estimate."""
        before = node if node.estimate is not None else source
        known = None if before is None else before.estimate
        who(node)
        if node.estimate is not None and known is not None:
            more = node.visits * self.rules.blend * (node.estimate - known)
            node.wins += more if node.position.turn == 1 else -more

    def best(self, node: Node) -> Node:
        """Return the open child with the largest sum of win share and bonus."""
        share = 1 - node.wins / node.visits if node.visits else 0.5
        exploring = self.rules.prior * math.sqrt(max(node.visits, 1))

        def score(child: Node) -> float:
            known, visits, limit = child.rave_visits, child.visits, self.rules.rave
            weight = known * limit / (known + limit)
            value = share
            if visits or known:
                rave = child.rave_wins * weight / known if known else 0.0
                value = (child.wins + rave) / (visits + weight)
            return value + exploring * child.prior / (1 + visits)

        return max((child for child in node.children if child.state == OPEN), key=score)

    def expand(self, node: Node, source: Node | None) -> None:
        """Create a node's children, with the priors of the last evaluated node."""
        known = {} if source is None or source is node else {c.cell: c for c in source.children}
        for cell in node.position.empty.search(1):
            prior = known[cell].prior if known else 1.0
            node.children.append(Node(node.position.play(cell), cell, prior))
        total = 0.0
        for child in node.children:
            total += child.prior  # not `sum`, which rounds differently
        for child in node.children:
            child.prior = child.prior / total if total > 0 else 1 / len(node.children)

    def learn(self, node: Node, full: Position, won: float) -> None:
        """Count a playout for each child whose cell the mover owned at its end."""
        turn = node.position.turn
        for child in node.children:
            if full.stones(turn)[child.cell]:
                child.rave_visits += 1
                child.rave_wins += won if turn == 0 else 1 - won

    def prove(self, path: list[Node]) -> None:
        """Propagate the proof of a path's last node toward the root."""
        for node in reversed(path):
            if node.state == OPEN and node.children:
                states = [child.state for child in node.children]
                if LOST in states:
                    node.state = WON
                elif all(state == WON for state in states):
                    node.state = LOST
