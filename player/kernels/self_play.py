"""Self-play of many games at once, so that one call of a net evaluates a position of each.

Each game has a seat: its stones, its record, and the tree of the search that chooses its
next move. `play_on` takes the net's answer to the question of each seat, and
continues that game until it has the next question.

The search at the root is that of Danihelka, Guez, Schrittwieser and Silver: Policy
improvement by planning with Gumbel (2022). Each move gets its logit plus a draw from the
Gumbel distribution; sequential halving distributes the simulations among the best few
moves. The target to learn is the improved policy, which combines the logits with the
values of the moves. Below the root, moves are selected as in `player/kernels/tree`.

The board is square. Cells are numbered from 0, row by row from the top. Black joins top
and bottom; a net sees the board as if the mover did, so for White it is transposed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import kernel
from player.kernels.fillings import GOLDEN, U, splitmix

ROOT = 0
NOBODY, BLACK = -1, 0  # who won, who moves; White is 1
FRESH, ASKED, OVER, CLOSED = 0, 1, 2, 3  # states of a seat
THOUSAND = 1000
UNIT = 1.0 / (1 << 53)


class Seats(NamedTuple):
    """Games in progress on one board size, one row each, and room for their searches.

    side     rows of the board
    around   cells x 6: neighbors, -1 for none
    state    FRESH before its opening, ASKED while it waits for an answer, OVER at the end of its
             game, CLOSED without a game
    random   counter of its random numbers
    stones   a byte a cell: 0 empty, 1 Black's, 2 White's
    turn     who moves, 0 or 1

    opening  number of stones of the opening
    length   number of stones
    moves    their cells in order, then -1
    searched by ply: whether a search chose the move
    chances  by ply: the mover's chance by that search, in thousandths
    cells    by ply: the best moves by the improved policy, -1 for none
    parts    by ply: the share of each of them in that policy, in thousandths
    winner   who joined the edges, NOBODY before that
    chain    a byte a cell: whether it is in the winning chain

    budget   simulations of the current search
    run      simulations run so far
    width    moves that sequential halving begins with
    noise    the Gumbel draw of each move
    nodes    nodes of the tree
    depth    moves from the root to the node in question
    path     the cells of these moves
    through  the nodes on that path
    children by node: the child by each move, 0 for none
    priors   by node: the policy, -1 for stones
    visits   by node: simulations of each move
    wins     by node: the sum of their outcomes, the mover's chances
    entered  by node: simulations through it
    values   by node: the sum of their outcomes, the mover's chances
    queue    room for a flood
    """

    side: int
    around: NDArray[np.int16]
    state: NDArray[np.int8]
    random: NDArray[np.uint64]
    stones: NDArray[np.int8]
    turn: NDArray[np.int8]
    opening: NDArray[np.int16]
    length: NDArray[np.int16]
    moves: NDArray[np.int16]
    searched: NDArray[np.bool_]
    chances: NDArray[np.uint16]
    cells: NDArray[np.int16]
    parts: NDArray[np.uint16]
    winner: NDArray[np.int8]
    chain: NDArray[np.bool_]
    budget: NDArray[np.int32]
    run: NDArray[np.int32]
    width: NDArray[np.int32]
    noise: NDArray[np.float32]
    nodes: NDArray[np.int32]
    depth: NDArray[np.int32]
    path: NDArray[np.int16]
    through: NDArray[np.int16]
    children: NDArray[np.int16]
    priors: NDArray[np.float32]
    visits: NDArray[np.int16]
    wins: NDArray[np.float32]
    entered: NDArray[np.int32]
    values: NDArray[np.float32]
    queue: NDArray[np.int16]


class PlayRules(NamedTuple):
    """Rules for self-play.

    turns        by number of moves weighed and simulation: how many simulations the move that
                 gets this one has had (`halvings`)
    simulations  of a search
    weighed      moves that sequential halving begins with
    most_random  most stones of an opening
    scattered    share of games whose openings have up to a sixth of the cells instead
    even         most difference from 1/2 of the net's chance after an opening; a tenth of the
                 others are kept as well
    sampled      searched moves of a game that get all of the noise
    noise        share of the noise that later moves get
    decided      chance from which a game counts as decided: most moves then need no search
    still        share of such moves that are searched nevertheless
    visit        the weight of a value in a logit is (visit + most visits of a move) * scale
    scale
    prior        weight of the policy below the root
    """

    turns: NDArray[np.int16]
    simulations: int
    weighed: int
    most_random: int
    scattered: float
    even: float
    sampled: int
    noise: float
    decided: float
    still: float
    visit: float
    scale: float
    prior: float


def halvings(weighed: int, simulations: int) -> NDArray[np.int16]:
    """Return the schedule of sequential halving: (weighed + 1) x simulations.

    Row `m` is for `m` moves at the start. Each simulation goes to the best move among those that
    have had that many simulations before.

    >>> halvings(4, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((weighed + 1, simulations), np.int16)
    for first in range(1, weighed + 1):
        rounds = max(1, (first - 1).bit_length())
        turns: list[int] = []
        visits, survivors = [0] * first, first
        while len(turns) < simulations:
            for _ in range(max(1, simulations // (rounds * survivors))):
                turns += visits[:survivors]
                visits[:survivors] = [each + 1 for each in visits[:survivors]]
            survivors = max(min(2, first), survivors // 2)
        table[first] = turns[:simulations]
    return table


@kernel
def play_on(seats, rules, start, stop, logits, values, questions):
    """Continue the games of the seats from `start` up to `stop`.

    logits     seats x cells, as the mover sees the board: the net's answers to the last questions
    values     seats: the net's logits of the mover's chance
    questions  output, seats x cells as the mover sees them: 0 empty, 1 the mover's, 2 the other's

    After a game its seat is OVER, and the caller takes the record; FRESH starts the next game.
    """
    for seat in range(start, stop):
        if seats.state[seat] == FRESH:
            open_game(seats, rules, seat)
            ask(seats, seat, questions)
        elif seats.state[seat] == ASKED:
            answer(seats, rules, seat, logits, values, questions)


@kernel
def answer(seats, rules, seat, logits, values, questions):
    """Take the net's answer for a seat, and continue to its next question."""
    chance = 1.0 / (1.0 + np.exp(-values[seat]))
    if seats.depth[seat] == 0:
        if seats.length[seat] == seats.opening[seat] and is_uneven(seats, rules, seat, chance):
            open_game(seats, rules, seat)
            ask(seats, seat, questions)
            return
        plant(seats, seat, logits, chance)
        begin_search(seats, rules, seat, chance)
    else:
        node = grow(seats, seat, logits)
        seats.entered[seat, node], seats.values[seat, node] = 1, chance
        back_up(seats, seat, chance)
    while True:
        if seats.run[seat] >= seats.budget[seat]:
            make_move(seats, rules, seat)
            if seats.state[seat] == ASKED:
                ask(seats, seat, questions)
            return
        if descend(seats, rules, seat):
            ask(seats, seat, questions)
            return


@kernel
def draw(seats, seat):
    """Return the next random number of a seat, from 0 to below 1."""
    seats.random[seat] += GOLDEN
    return np.float64(splitmix(seats.random[seat]) >> U(11)) * UNIT


@kernel
def open_game(seats, rules, seat):
    """Start a game with stones on random cells, Black's first, that do not end it."""
    size = seats.side * seats.side
    most = rules.most_random
    if draw(seats, seat) < rules.scattered:
        most = size // 6
    count = min(1 + int(draw(seats, seat) * most), size - 1)
    while True:
        for cell in range(size):
            seats.stones[seat, cell] = 0
            seats.moves[seat, cell] = -1
            seats.searched[seat, cell] = False
            seats.cells[seat, cell, :] = -1
            seats.parts[seat, cell, :] = 0
            seats.chances[seat, cell] = 0
        seats.length[seat], seats.turn[seat] = 0, BLACK
        seats.winner[seat], seats.state[seat] = NOBODY, ASKED
        while seats.length[seat] < count and seats.state[seat] == ASKED:
            cell = int(draw(seats, seat) * size)
            if seats.stones[seat, cell] == 0:
                put(seats, seat, cell)
        if seats.state[seat] == ASKED:
            break
    seats.opening[seat], seats.depth[seat] = count, 0


@kernel
def is_uneven(seats, rules, seat, chance):
    """Return whether to replace an opening: nine of ten that the net calls uneven."""
    return abs(chance - 0.5) > rules.even and draw(seats, seat) > 0.1


@kernel
def put(seats, seat, cell):
    """Play a move; the game is over if it joins the mover's edges."""
    turn = seats.turn[seat]
    seats.stones[seat, cell] = 1 + turn
    seats.moves[seat, seats.length[seat]] = cell
    seats.length[seat] += 1
    if joins(seats, seat, cell, 1 + turn):
        seats.winner[seat], seats.state[seat] = turn, OVER
        for place in range(seats.side * seats.side):
            seats.chain[seat, place] = seats.stones[seat, place] == 3
        for place in range(seats.side * seats.side):
            if seats.stones[seat, place] == 3:
                seats.stones[seat, place] = 1 + turn
    seats.turn[seat] = 1 - turn


@kernel
def joins(seats, seat, cell, stone):
    """Return whether a new stone joins its color's edges; if it does, leave its chain as 3s."""
    side, stones, queue = seats.side, seats.stones[seat], seats.queue[seat]
    stones[cell] = 3
    queue[0] = cell
    head, count, first, last = 0, 1, False, False
    while head < count:
        here = queue[head]
        head += 1
        line = here // side if stone == 1 else here % side
        first, last = first or line == 0, last or line == side - 1
        for way in range(6):
            there = seats.around[here, way]
            if there >= 0 and stones[there] == stone:
                stones[there] = 3
                queue[count] = there
                count += 1
    if first and last:
        return True
    for number in range(count):
        stones[queue[number]] = stone
    return False


@kernel
def ask(seats, seat, questions):
    """Write the question of a seat: the board at the end of its path, as the mover sees it."""
    side, turn = seats.side, seats.turn[seat]
    depth = seats.depth[seat]
    mover = turn if depth % 2 == 0 else 1 - turn
    for cell in range(side * side):
        stone = seats.stones[seat, cell]
        questions[seat, orient(cell, side, mover)] = (
            0 if stone == 0 else 1 if stone == 1 + mover else 2
        )
    for step in range(depth):
        player = turn if step % 2 == 0 else 1 - turn
        questions[seat, orient(seats.path[seat, step], side, mover)] = 1 if player == mover else 2


@kernel
def orient(cell, side, mover):
    """Return the place of a cell for a mover who sees top and bottom joined; self-inverse."""
    return cell if mover == BLACK else (cell % side) * side + cell // side


@kernel
def plant(seats, seat, logits, chance):
    """Create the root of the tree."""
    seats.nodes[seat] = 0
    node = grow(seats, seat, logits)
    seats.entered[seat, node], seats.values[seat, node] = 1, chance


@kernel
def grow(seats, seat, logits):
    """Create the node in question, with the net's policy; return it."""
    side, depth = seats.side, seats.depth[seat]
    size, node = side * side, seats.nodes[seat]
    seats.nodes[seat] = node + 1
    mover = seats.turn[seat] if depth % 2 == 0 else 1 - seats.turn[seat]
    priors = seats.priors[seat, node]
    if depth:
        seats.children[seat, seats.through[seat, depth - 1], seats.path[seat, depth - 1]] = node
    seats.through[seat, depth] = node
    seats.entered[seat, node], seats.values[seat, node] = 0, 0.0
    most = -np.inf
    for cell in range(size):
        seats.children[seat, node, cell] = 0
        seats.visits[seat, node, cell] = 0
        seats.wins[seat, node, cell] = 0.0
        priors[cell] = -1.0 if seats.stones[seat, cell] else 0.0
    for step in range(depth):
        priors[seats.path[seat, step]] = -1.0
    for cell in range(size):
        if priors[cell] == 0.0:
            most = max(most, logits[seat, orient(cell, side, mover)])
    total = 0.0
    for cell in range(size):
        if priors[cell] == 0.0:
            priors[cell] = np.exp(logits[seat, orient(cell, side, mover)] - most)
            total += priors[cell]
    for cell in range(size):
        if priors[cell] >= 0.0:
            priors[cell] /= total
    return node


@kernel
def begin_search(seats, rules, seat, chance):
    """Set the number of simulations of a search, and draw the noise of each move."""
    size = seats.side * seats.side
    is_decided = chance > rules.decided or chance < 1.0 - rules.decided
    seats.run[seat] = 0
    seats.budget[seat] = rules.simulations
    if is_decided and draw(seats, seat) >= rules.still:
        seats.budget[seat] = 0
    remaining = size - seats.length[seat]
    seats.width[seat] = min(rules.weighed, remaining)
    part = rules.noise
    if is_decided:
        part = 0.0
    elif seats.length[seat] - seats.opening[seat] < rules.sampled:
        part = 1.0
    for cell in range(size):
        number = max(draw(seats, seat), 1e-12)
        seats.noise[seat, cell] = -np.log(-np.log(number)) * part


@kernel
def weight_of_values(seats, rules, seat):
    """Return the weight of a value in a logit at the root."""
    most = 0
    for cell in range(seats.side * seats.side):
        most = max(most, seats.visits[seat, ROOT, cell])
    return (rules.visit + most) * rules.scale


@kernel
def mix_values(seats, seat):
    """Return the value of moves without simulations: the root's, corrected by the others."""
    total, seen_part, good = 0, 0.0, 0.0
    for cell in range(seats.side * seats.side):
        visits = seats.visits[seat, ROOT, cell]
        if visits:
            prior = max(seats.priors[seat, ROOT, cell], 1e-9)
            total += visits
            seen_part += prior
            good += prior * seats.wins[seat, ROOT, cell] / visits
    own = seats.values[seat, ROOT]
    for cell in range(seats.side * seats.side):
        own -= seats.wins[seat, ROOT, cell]
    return own if total == 0 else (own + total * good / seen_part) / (1 + total)


@kernel
def descend(seats, rules, seat):
    """Run a simulation down the tree; return whether the net is needed at its end.

    If the last move joins the edges, the simulation is over without the net.
    """
    side, turn = seats.side, seats.turn[seat]
    stones, path = seats.stones[seat], seats.path[seat]
    node, depth, is_won = ROOT, 0, False
    while True:
        cell = (
            choose_by_halving(seats, rules, seat)
            if node == ROOT
            else select(seats, rules, seat, node)
        )
        path[depth] = cell
        seats.through[seat, depth] = node
        player = turn if depth % 2 == 0 else 1 - turn
        stones[cell] = 1 + player
        depth += 1
        node = seats.children[seat, node, cell]
        if node == 0:
            is_won = joins(seats, seat, cell, 1 + player)
            break
    if is_won:
        for cell in range(side * side):
            if stones[cell] == 3:
                stones[cell] = 1 + player
    for step in range(depth):
        stones[path[step]] = 0
    seats.depth[seat] = depth
    if is_won:
        back_up(seats, seat, 0.0)
    return not is_won


@kernel
def choose_by_halving(seats, rules, seat):
    """Return the move at the root that sequential halving simulates next."""
    turn = np.int64(rules.turns[seats.width[seat], seats.run[seat]])
    return best_visited(seats, seat, turn, weight_of_values(seats, rules, seat))


@kernel
def best_visited(seats, seat, turn, weight):
    """Return the best move at the root of those with this many visits; -1 if there is none."""
    best, best_cell = -np.inf, -1
    for cell in range(seats.side * seats.side):
        prior, visits = seats.priors[seat, ROOT, cell], seats.visits[seat, ROOT, cell]
        if prior < 0.0 or visits != turn:
            continue
        score = np.log(max(prior, 1e-9)) + seats.noise[seat, cell]
        if visits:
            score += weight * seats.wins[seat, ROOT, cell] / visits
        if best_cell < 0 or score > best:
            best, best_cell = score, cell
    return best_cell


@kernel
def select(seats, rules, seat, node):
    """Return the move that is simulated next at a node below the root, by PUCT."""
    best, best_cell = -np.inf, -1
    entries = max(seats.entered[seat, node], 1)
    share = seats.values[seat, node] / entries
    exploring = rules.prior * np.sqrt(entries)
    for cell in range(seats.side * seats.side):
        prior, visits = seats.priors[seat, node, cell], seats.visits[seat, node, cell]
        if prior < 0.0:
            continue
        value = seats.wins[seat, node, cell] / visits if visits else share
        value += exploring * prior / (1 + visits)
        if best_cell < 0 or value > best:
            best, best_cell = value, cell
    return best_cell


@kernel
def back_up(seats, seat, chance):
    """Add the outcome of a simulation: the chance of the player to move at its end."""
    value = chance
    for step in range(seats.depth[seat] - 1, -1, -1):
        value = 1.0 - value
        node, cell = seats.through[seat, step], seats.path[seat, step]
        seats.visits[seat, node, cell] += 1
        seats.wins[seat, node, cell] += value
        seats.entered[seat, node] += 1
        seats.values[seat, node] += value
    seats.run[seat] += 1


@kernel
def make_move(seats, rules, seat):
    """Choose the move at the root, record the search if there was one, and play the move."""
    size, ply = seats.side * seats.side, seats.length[seat]
    weight = weight_of_values(seats, rules, seat)
    most = 0
    for cell in range(size):
        most = max(most, seats.visits[seat, ROOT, cell])
    best_cell = best_visited(seats, seat, most, weight)
    if seats.budget[seat]:
        record(seats, seat, ply, weight)
    seats.depth[seat] = 0
    put(seats, seat, best_cell)


@kernel
def record(seats, seat, ply, weight):
    """Write the improved policy, and the mover's chance under it."""
    size, priors = seats.side * seats.side, seats.priors[seat, ROOT]
    policy = seats.wins[seat, seats.nodes[seat]]  # scratch: the row behind the last node
    unseen, most = mix_values(seats, seat), -np.inf
    for cell in range(size):
        if priors[cell] < 0.0:
            continue
        visits = seats.visits[seat, ROOT, cell]
        value = seats.wins[seat, ROOT, cell] / visits if visits else unseen
        policy[cell] = np.log(max(priors[cell], 1e-9)) + weight * value
        most = max(most, policy[cell])
    total, chance = 0.0, 0.0
    for cell in range(size):
        policy[cell] = np.exp(policy[cell] - most) if priors[cell] >= 0.0 else 0.0
        total += policy[cell]
        visits = seats.visits[seat, ROOT, cell]
        chance += policy[cell] * (seats.wins[seat, ROOT, cell] / visits if visits else unseen)
    seats.searched[seat, ply] = True
    seats.chances[seat, ply] = int(THOUSAND * min(max(chance / total, 0.0), 1.0) + 0.5)
    for place in range(seats.cells.shape[2]):
        best = 0
        for cell in range(size):
            if policy[cell] > policy[best]:
                best = cell
        part = int(THOUSAND * policy[best] / total + 0.5)
        if part == 0:
            break
        seats.cells[seat, ply, place], seats.parts[seat, ply, place] = best, part
        policy[best] = 0.0


@kernel
def write_samples(record, stones, planes, policy, owners):
    """Write the searched positions of games into arrays of zeros, as the mover sees each.

    record  an entry a game: `length`, `moves`, `winner`, `chain` as in `Seats`; and an entry
            for each searched ply, in order: `games`, `plies`, `cells`, `parts`
    stones  scratch, a byte a cell
    planes  positions x 2 x cells: the mover's stones, the other's
    policy  positions x cells: parts of 1
    owners  positions x cells: 1 on the winning chain if it is the mover's, -1 if it is not
    """
    side, row = record.side, 0
    for game in range(record.length.size):
        stones[:] = 0
        winner = record.winner[game]
        for ply in range(record.length[game]):
            turn = ply % 2
            if row < record.plies.size and record.games[row] == game and record.plies[row] == ply:
                for cell in range(side * side):
                    place = orient(cell, side, turn)
                    if stones[cell]:
                        planes[row, 0 if stones[cell] == 1 + turn else 1, place] = True
                    if record.chain[game, cell]:
                        owners[row, place] = 1 if winner == turn else -1
                total = 0.0
                for number in range(record.cells.shape[1]):
                    total += record.parts[row, number]
                for number in range(record.cells.shape[1]):
                    if record.parts[row, number]:
                        place = orient(record.cells[row, number], side, turn)
                        policy[row, place] = record.parts[row, number] / total
                row += 1
            stones[record.moves[game, ply]] = 1 + turn
