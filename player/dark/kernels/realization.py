"""Sweeps over a player's information sets, and products with the payoffs.

`sets` is a tuple of three int64 arrays, one entry an information set, parents
before children: the parent sequence, the first own sequence, and the number of
own sequences, which are consecutive. Sequence 0 is the empty one. A policy, a
plan, a gradient and regrets are float64 arrays, one entry a sequence.
`payoff` is a sparse matrix by rows: start of each row, columns, entries.
"""

from hsearch.kernels.cache import kernel


@kernel
def multiply(payoff, plan, out):
    """Set `out` to the product of the matrix and a plan."""
    start, column, entry = payoff
    for row in range(start.size - 1):
        total = 0.0
        for i in range(start[row], start[row + 1]):
            total += entry[i] * plan[column[i]]
        out[row] = total


@kernel
def realize(sets, policy, plan):
    """Set `plan` to the realization plan of a policy."""
    parent, first, count = sets
    plan[0] = 1.0
    for j in range(parent.size):
        reach = plan[parent[j]]
        for s in range(first[j], first[j] + count[j]):
            plan[s] = reach * policy[s]


@kernel
def evaluate(sets, policy, gradient, regret):
    """Add the values of all information sets to their parents in `gradient`.

    Set `regret` to the counterfactual regrets. `gradient[0]` becomes the value
    of the game.
    """
    parent, first, count = sets
    for j in range(parent.size - 1, -1, -1):
        value = 0.0
        for s in range(first[j], first[j] + count[j]):
            value += policy[s] * gradient[s]
        for s in range(first[j], first[j] + count[j]):
            regret[s] = gradient[s] - value
        gradient[parent[j]] += value


@kernel
def respond(sets, gradient, choice):
    """Set `choice` to the best sequence of each information set, the first of equals.

    `gradient` changes as in `evaluate`; `gradient[0]` becomes the value of the
    best response.
    """
    parent, first, count = sets
    for j in range(parent.size - 1, -1, -1):
        best = first[j]
        for s in range(first[j] + 1, first[j] + count[j]):
            if gradient[s] > gradient[best]:
                best = s
        choice[j] = best
        gradient[parent[j]] += gradient[best]


@kernel
def match(sets, weight, tiny, policy):
    """Set `policy` proportional to the positive weights, uniform where there is none.

    Weights up to `tiny` count as nothing: regrets that are zero in theory come
    out near 1e-17, and a ratio of such numbers is noise.
    """
    _, first, count = sets
    for j in range(first.size):
        total = 0.0
        for s in range(first[j], first[j] + count[j]):
            if weight[s] > tiny:
                total += weight[s]
        for s in range(first[j], first[j] + count[j]):
            if total > 0.0:
                policy[s] = weight[s] / total if weight[s] > tiny else 0.0
            else:
                policy[s] = 1.0 / count[j]


@kernel
def behave(sets, plan, policy):
    """Set `policy` to the behavior of a plan, uniform where the plan does not come."""
    parent, first, count = sets
    for j in range(parent.size):
        reach = plan[parent[j]]
        for s in range(first[j], first[j] + count[j]):
            policy[s] = plan[s] / reach if reach > 0.0 else 1.0 / count[j]


@kernel
def accumulate(regret, more, positive, negative, floor):
    """Scale regrets by their sign, add `more`, and cut off what is below `floor`."""
    for s in range(regret.size):
        value = regret[s]
        value *= positive if value > 0.0 else negative
        value += more[s]
        regret[s] = max(value, floor)
