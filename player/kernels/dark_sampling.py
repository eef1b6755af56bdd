"""Monte Carlo counterfactual regret minimization in Dark Hex, without a tree.

`game` is a tuple of the rules: the neighbors of each cell as uint64 masks;
uint64[2, 2] masks of the cells at each color's two edges; and int64[3]: cells,
1 if abrupt, noise 0 to 2. `store` is a tuple of what was learned: an int64 hash
table of keys (-1 is free), an int64 table of the histories they lead to, int64[1]
the number of histories, float64[capacity, cells] regrets, and the same of summed
policies.

A key is history * symbols + symbol, so no two histories share one. Histories 0 and 1
are the empty ones of Black and White. When the store is full, new histories
get the number -1, and nothing is stored for them.
"""

import numpy as np

from hsearch.kernels.bits import copy
from hsearch.kernels.cache import kernel
from player.kernels.dark_book import place_of
from player.kernels.fillings import GOLDEN, splitmix


@kernel
def uniform(state):
    """Return a number from 0 to below 1, and advance the generator, splitmix64.

    `state` is uint64[1], an array like the rest, so it can be saved with them.
    """
    state[0] += GOLDEN
    return np.float64(splitmix(state[0]) >> np.uint64(11)) * 2.0**-53


@kernel
def find(store, symbols, node, symbol, add):
    """Return the history after `node` and a symbol, or -1; with `add`, create it if need be."""
    keys, values, length, regret, _ = store
    if node < 0:
        return -1
    key = node * symbols + symbol
    place = place_of(keys, key)
    if keys[place] == key:
        return values[place]
    if not add or length[0] >= regret.shape[0]:
        return -1
    keys[place] = key
    values[place] = length[0]
    length[0] += 1
    return values[place]


@kernel
def rehash(old, new):
    """Copy all histories of a store into an empty larger one."""
    for i in range(old[0].size):
        if old[0][i] >= 0:
            place = place_of(new[0], old[0][i])
            new[0][place] = old[0][i]
            new[1][place] = old[1][i]
    new[2][0] = old[2][0]
    for node in range(old[3].shape[0]):
        copy(old[3][node], new[3][node])
        copy(old[4][node], new[4][node])


@kernel
def is_connected(game, color, stones):
    """Return whether stones join the two edges of a color."""
    around, edges, _ = game
    group = stones & edges[color, 0]
    frontier = group
    while frontier:
        neighbors = np.uint64(0)
        for cell in range(around.size):
            if frontier >> np.uint64(cell) & np.uint64(1):
                neighbors |= around[cell]
        frontier = neighbors & stones & ~group
        group |= frontier
    return group & edges[color, 1] != 0


@kernel
def match(store, node, free, cells, policy):
    """Set `policy` by regret matching; uniform over the free cells if no regret is positive."""
    regret = store[3]
    total = 0.0
    number = 0
    for cell in range(cells):
        policy[cell] = 0.0
        if free >> np.uint64(cell) & np.uint64(1):
            number += 1
            if node >= 0 and regret[node, cell] > 1e-12:
                policy[cell] = regret[node, cell]
                total += regret[node, cell]
    for cell in range(cells):
        if total > 0.0:
            policy[cell] /= total
        elif free >> np.uint64(cell) & np.uint64(1):
            policy[cell] = 1.0 / number


@kernel
def draw(policy, random):
    """Return the cell that `random`, from 0 to below 1, draws from `policy`."""
    last = 0
    for cell in range(policy.size):
        if policy[cell] > 0.0:
            last = cell
            random -= policy[cell]
            if random < 0.0:
                return cell
    return last


@kernel
def attempt(game, store, stones, known, nodes, turn, cell):
    """Attempt a cell in place; return the player to move, or 2 + the winner."""
    rules = game[2]
    symbols = 3 * rules[0] + 1
    bit = np.uint64(1) << np.uint64(cell)
    other = 1 - turn
    if not stones[other] & bit:
        stones[turn] |= bit
        if is_connected(game, turn, stones[turn]):
            return 2 + turn
        nodes[turn] = find(store, symbols, nodes[turn], 2 * cell, add=True)
        return other
    known[turn] |= bit
    nodes[turn] = find(store, symbols, nodes[turn], 2 * cell + 1, add=True)
    if rules[2] > 0:
        heard = 2 * rules[0] + (1 + cell if rules[2] == 2 else 0)
        nodes[other] = find(store, symbols, nodes[other], heard, add=True)
    return other if rules[1] else turn


@kernel
def external(game, store, state, learner, frames):
    """Sample the opponent's attempts, try all of the learner's, and return the value.

    This is external sampling, see `player.dark.regret`. `frames` is a stack, one row a turn:
    stones, known, histories, the player, and the next cell; then policies and values. A
    kernel that calls itself crashes when it is loaded from the cache, hence the stack.
    """
    stones, known, nodes, turns, cursor, policies, values = frames
    cells = game[2][0]
    full = (np.uint64(1) << np.uint64(cells)) - np.uint64(1)
    stones[0], known[0], turns[0] = 0, 0, 0
    nodes[0, 0], nodes[0, 1] = 0, 1
    depth, entered = 0, True
    while True:
        turn = turns[depth]
        free = full & ~(stones[depth, turn] | known[depth, turn])
        node, policy, value = nodes[depth, turn], policies[depth], values[depth]
        if entered:
            entered = False
            match(store, node, free, cells, policy)
            value[:] = 0.0
            cursor[depth] = 0
            if turn != learner:
                if node >= 0:
                    for cell in range(cells):
                        store[4][node, cell] += policy[cell]
                cell = draw(policy, uniform(state))
                policy[:] = 0.0
                policy[cell] = 1.0
                cursor[depth] = cell
        cell = cursor[depth]
        while cell < cells and not free >> np.uint64(cell) & np.uint64(1):
            cell += 1
        if cell == cells:
            mean = 0.0
            for i in range(cells):
                mean += policy[i] * value[i]
            if turn == learner and node >= 0:
                for i in range(cells):
                    if free >> np.uint64(i) & np.uint64(1):
                        store[3][node, i] += value[i] - mean
            depth -= 1
            if depth < 0:
                return mean
            index = cursor[depth]
            values[depth, index] = mean
            cursor[depth] = index + 1 if turns[depth] == learner else cells
            continue
        cursor[depth] = cell
        copy(stones[depth], stones[depth + 1])
        copy(known[depth], known[depth + 1])
        copy(nodes[depth], nodes[depth + 1])
        after = attempt(
            game, store, stones[depth + 1], known[depth + 1], nodes[depth + 1], turn, cell
        )
        if after >= 2:
            value[cell] = 1.0 if after - 2 == learner else -1.0
            cursor[depth] = cell + 1 if turn == learner else cells
        else:
            depth += 1
            turns[depth] = after
            entered = True


@kernel
def outcome(game, store, state, learner, explore):
    """Play one game and learn from it; the learner explores with chance `explore`."""
    cells = game[2][0]
    longest = 2 * cells
    stones, known = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    nodes = np.arange(2)
    policies = np.zeros((longest, cells))
    path = np.zeros((longest, 3), np.int64)
    choices = np.zeros(longest)
    reach = np.zeros((longest, 3))
    own, other, sampling = 1.0, 1.0, 1.0
    turn, length = 0, 0
    full = (np.uint64(1) << np.uint64(cells)) - np.uint64(1)
    while turn < 2:
        free = full & ~(stones[turn] | known[turn])
        policy = policies[length]
        match(store, nodes[turn], free, cells, policy)
        path[length, 0], path[length, 1] = turn, nodes[turn]
        reach[length, 0], reach[length, 1], reach[length, 2] = own, other, sampling
        if turn == learner and uniform(state) < explore:
            number = 0
            for cell in range(cells):
                number += np.int64(free >> np.uint64(cell) & np.uint64(1))
            skip = np.int64(uniform(state) * number)
            cell = -1
            while skip >= 0:
                cell += 1
                skip -= np.int64(free >> np.uint64(cell) & np.uint64(1))
        else:
            cell = draw(policy, uniform(state))
        path[length, 2] = cell
        choices[length] = policy[cell]
        if turn == learner:
            number = 0
            for i in range(cells):
                number += np.int64(free >> np.uint64(i) & np.uint64(1))
            own *= policy[cell]
            sampling *= explore / number + (1 - explore) * policy[cell]
        else:
            other *= policy[cell]
            sampling *= policy[cell]
        length += 1
        turn = attempt(game, store, stones, known, nodes, turn, cell)
    utility = 1.0 if turn - 2 == learner else -1.0
    tail = 1.0
    for step in range(length - 1, -1, -1):
        player, node, cell = path[step, 0], path[step, 1], path[step, 2]
        before = tail
        tail *= choices[step]
        if player != learner or node < 0:
            continue
        weight = utility * reach[step, 1] / sampling
        for i in range(cells):
            share = before if i == cell else 0.0
            store[3][node, i] += weight * (share - tail)
            store[4][node, i] += reach[step, 0] / reach[step, 2] * policies[step, i]


@kernel
def run(game, store, state, iterations, explore):
    """Run iterations for both players, with outcome sampling if `explore` is above 0.

    Stop early when the store is full. Return the number of iterations run.
    """
    cells = game[2][0]
    depth = 2 * cells + 1
    frames = (
        np.zeros((depth, 2), np.uint64),
        np.zeros((depth, 2), np.uint64),
        np.zeros((depth, 2), np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth, cells)),
        np.zeros((depth, cells)),
    )
    for iteration in range(iterations):
        for learner in range(2):
            if explore > 0.0:
                outcome(game, store, state, learner, explore)
            else:
                external(game, store, state, learner, frames)
        if store[2][0] >= store[3].shape[0]:
            return iteration + 1
    return iterations
