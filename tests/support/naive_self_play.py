"""A slow twin of `player/kernels/self_play`: one game, in plain Python, from the description."""

import math
from dataclasses import dataclass, field

import numpy as np

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner

MASK = (1 << 64) - 1


def draws(state):
    """Yield numbers in [0, 1): splitmix64, by Steele, Lea and Flood (2014)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        number = state
        number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
        yield ((number ^ (number >> 31)) >> 11) / (1 << 53)


@dataclass
class Node:
    """A search node: the net's output, and the outcomes of simulations for the mover."""

    position: Position
    priors: dict
    value: float
    children: dict = field(default_factory=dict)
    visits: dict = field(default_factory=dict)
    wins: dict = field(default_factory=dict)
    entered: int = 1

    def __post_init__(self):
        self.total = self.value

    def count(self, cell, value):
        """Add the outcome of a simulation of a move."""
        self.visits[cell] = self.visits.get(cell, 0) + 1
        self.wins[cell] = self.wins.get(cell, 0.0) + value
        self.entered += 1
        self.total += value

    def mean(self, cell):
        """Return the mean outcome of a move."""
        return self.wins[cell] / self.visits[cell]


@dataclass
class Record:
    """A game: opening stones, moves, and the improved policy and chance of each searched ply."""

    opening: int
    moves: list
    searched: dict
    winner: Color


def asked(position):
    """Return the board as its mover sees it: 0, 1 own, 2 other; the mover joins top and bottom."""
    side = position.board.rows
    cells = np.zeros((side, side), np.int8)
    for cell in range(side * side):
        for color in Color:
            if position.stones(color)[cell]:
                cells[divmod(cell, side)] = 1 if color is position.turn else 2
    return (cells.T if position.turn is Color.WHITE else cells).ravel()


def play(side, settings, state, net):
    """Play a game; `net` maps the board of `asked` to logits and the logit of the value."""
    drawn = draws(state)

    def answer(position):
        logits, value = net(asked(position))
        table = np.asarray(logits).reshape(side, side)
        table = (table.T if position.turn is Color.WHITE else table).ravel()
        return {cell: float(table[cell]) for cell in empty(position)}, 1 / (1 + math.exp(-value))

    while True:
        position, moves = opened(side, settings, drawn)
        _, chance = answer(position)
        if abs(chance - 0.5) <= settings.even or next(drawn) <= 0.1:
            break
    opening, searched = len(moves), {}
    while winner(position) is None:
        is_early = len(moves) - opening < settings.sampled
        root, cell = chosen(position, is_early, settings, drawn, answer)
        if root.visits:
            searched[len(moves)] = improved(root, settings)
        position = position.play(cell)
        moves.append(cell)
    return Record(opening, moves, searched, winner(position))


def opened(side, settings, drawn):
    """Return an undecided position with a few random stones, and its moves."""
    most = settings.most_random
    if next(drawn) < settings.scattered:
        most = side * side // 6
    count = min(1 + int(next(drawn) * most), side * side - 1)
    while True:
        position, moves = Position.of(Board(side, side)), []
        while len(moves) < count and winner(position) is None:
            cell = int(next(drawn) * side * side)
            if cell in empty(position):
                position = position.play(cell)
                moves.append(cell)
        if winner(position) is None:
            return position, moves


def chosen(position, is_early, settings, drawn, answer):
    """Search a position; return the root and the move to play."""
    logits, chance = answer(position)
    is_decided = not 1 - settings.decided <= chance <= settings.decided
    budget = settings.simulations
    if is_decided and next(drawn) >= settings.still:
        budget = 0
    part = 1.0 if is_early else settings.noise
    part = 0.0 if is_decided else part
    noise = [-math.log(-math.log(max(next(drawn), 1e-12))) * part for _ in position.board.cells]
    root = Node(position, softmax(logits), chance)
    for turn in halving(min(settings.weighed, len(logits)), budget):
        simulate(root, turn, noise, settings, answer)
    most = max(root.visits.values(), default=0)
    best = [cell for cell in root.priors if root.visits.get(cell, 0) == most]
    return root, max(best, key=lambda each: score(root, each, noise, settings))


def empty(position):
    """Return the empty cells in order."""
    return list(position.empty.search(1))


def softmax(logits):
    """Return probabilities by cell."""
    most = max(logits.values())
    parts = {cell: math.exp(each - most) for cell, each in logits.items()}
    return {cell: each / sum(parts.values()) for cell, each in parts.items()}


def halving(width, budget):
    """Return how often each simulation's move was simulated before, by sequential halving."""
    turns, visits, left = [], [0] * width, width
    while len(turns) < budget:
        for _ in range(max(1, budget // (max(1, math.ceil(math.log2(width))) * left))):
            turns += visits[:left]
            visits[:left] = [each + 1 for each in visits[:left]]
        left = max(min(2, width), left // 2)
    return turns[:budget]


def weight(root, settings):
    """Return the weight of a value in a logit."""
    return (settings.visit + max(root.visits.values(), default=0)) * settings.scale


def score(root, cell, noise, settings):
    """Return the score of a root move in sequential halving."""
    value = weight(root, settings) * root.mean(cell) if cell in root.visits else 0.0
    return math.log(max(root.priors[cell], 1e-9)) + noise[cell] + value


def simulate(root, turn, noise, settings, answer):
    """Run a simulation by a root move that was simulated `turn` times before."""
    among = [cell for cell in root.priors if root.visits.get(cell, 0) == turn]
    node, path = root, []
    cell = max(among, key=lambda each: score(root, each, noise, settings))
    while True:
        path.append((node, cell))
        if cell not in node.children:
            break
        node = node.children[cell]
        cell = max(node.priors, key=lambda each: urge(node, each, settings))
    after = node.position.play(cell)
    value = 0.0  # for the player to move after a chain
    if winner(after) is None:
        logits, value = answer(after)
        node.children[cell] = Node(after, softmax(logits), value)
    for before, move in reversed(path):
        value = 1 - value
        before.count(move, value)


def urge(node, cell, settings):
    """Return the priority of a move below the root."""
    value = node.mean(cell) if cell in node.visits else node.total / node.entered
    exploring = settings.prior * math.sqrt(node.entered) * node.priors[cell]
    return value + exploring / (1 + node.visits.get(cell, 0))


def improved(root, settings):
    """Return the policy that the search makes from the net's, and the mover's chance under it."""
    total = sum(root.visits.values())
    seen = sum(max(root.priors[cell], 1e-9) for cell in root.visits)
    good = sum(max(root.priors[cell], 1e-9) * root.mean(cell) for cell in root.visits)
    unseen = (root.value + total * good / seen) / (1 + total)
    values = {cell: root.mean(cell) if cell in root.visits else unseen for cell in root.priors}
    logits = {
        cell: math.log(max(prior, 1e-9)) + weight(root, settings) * values[cell]
        for cell, prior in root.priors.items()
    }
    policy = softmax(logits)
    return policy, sum(policy[cell] * values[cell] for cell in policy)
