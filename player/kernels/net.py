"""Evaluate a net on one position, as `player/evaluate/net` defines it and from the mover's side.

A plane is a row of numbers: the cells of the board row by row with a border of one place, so a
row of the board takes `columns` + 2 places, and cell 0 is at `columns` + 3. The border
of the stones in `planes` is the rim; all other planes have zeros there. A convolution
runs over all places from the first cell to the last, including the border between them,
and the border is cleared afterward. So each of its nine taps is one run over the plane.

Sums use multiply-and-add where the processor has it, in a fixed order: processors that
have it agree to the last bit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import fused_kernel, kernel

LANES = 8  # numbers that a processor adds at once; the length of a run is a multiple

Weights = NDArray[np.float32]


class NetArrays(NamedTuple):
    """The weights of a net, and room for its activations on a board of one size.

    The last four arrays are that room. `stem` and `planes` are padded with two inputs of
    zeros. `pools` is used only in blocks marked in `is_pooled`. `answers` are the outputs
    on each cell: policy and owner.
    """

    columns: int
    rows: int
    stem: Weights
    stem_bias: Weights
    first: Weights
    first_bias: Weights
    second: Weights
    second_bias: Weights
    pools: Weights
    is_pooled: NDArray[np.bool_]
    head: Weights
    head_bias: Weights
    answers: Weights
    answer_bias: Weights
    value_hidden: Weights
    value_hidden_bias: Weights
    value: Weights
    value_bias: Weights
    planes: Weights
    trunk: Weights
    hidden: Weights
    summary: Weights


def room(columns: int, rows: int) -> int:
    """Return the length of a plane: the board, its border, and room for the end of a run."""
    return (columns + 2) * (rows + 2) + LANES


@kernel
def look(net, stones, turn, policy, owners):
    """Return the mover's chance to win; write the policy, and the chance of each owner cell.

    stones  a byte a cell of the board: 0 empty, 1 Black's, 2 White's
    turn    who moves: 0 for Black, 1 for White
    policy  output, a number a cell: 0 for stones; the rest add up to 1
    owners  output, a number a cell: the chance to be in the carrier of the winning connection

    `net` has room for the board as it is; for White the transposed board uses that room.
    """
    rows, columns = (net.columns, net.rows) if turn else (net.rows, net.columns)
    pitch = columns + 2
    net.trunk[:], net.hidden[:] = 0.0, 0.0
    show(net.planes, stones, turn, rows, columns)
    forward(net, rows, columns)
    for row in range(rows):
        for column in range(columns):
            cell = column * rows + row if turn else row * columns + column
            owners[cell] = logistic(net.planes[1, (row + 1) * pitch + column + 1])
    share(net.planes[0], pitch + 1, pitch, stones, turn, rows, columns, policy)
    return value_of(net)


@kernel
def show(planes, stones, turn, rows, columns):
    """Write the stones and the rim, as the mover sees them, into the first two planes."""
    pitch = columns + 2
    planes[:] = 0.0
    for column in range(pitch):
        planes[0, column] = 1.0
        planes[0, (rows + 1) * pitch + column] = 1.0
    for row in range(rows + 2):
        planes[1, row * pitch] = 1.0
        planes[1, row * pitch + columns + 1] = 1.0
    for row in range(rows):
        for column in range(columns):
            stone = stones[column * rows + row if turn else row * columns + column]
            if stone:
                plane = 0 if stone == 1 + turn else 1
                planes[plane, (row + 1) * pitch + column + 1] = 1.0


@kernel
def share(logits, start, pitch, stones, turn, rows, columns, policy):
    """Write the policy, a softmax of a plane of logits in which rows start `pitch` apart."""
    largest = -np.inf
    for row in range(rows):
        for column in range(columns):
            cell = column * rows + row if turn else row * columns + column
            policy[cell] = logits[start + row * pitch + column]
            if stones[cell] == 0:
                largest = max(largest, policy[cell])
    total = 0.0
    for row in range(rows):
        for column in range(columns):  # the mover's order: a mirrored board gives the same sum
            cell = column * rows + row if turn else row * columns + column
            policy[cell] = np.exp(policy[cell] - largest) if stones[cell] == 0 else 0.0
            total += policy[cell]
    if total > 0.0:
        for cell in range(stones.size):
            policy[cell] /= total


@kernel
def forward(net, rows, columns):
    """Run the net on `planes`; leave its outputs on each cell there, and those of `pool`."""
    trunk, hidden = net.trunk, net.hidden
    fill(trunk, net.stem_bias, rows, columns)
    convolve(net.planes, net.stem, trunk, rows, columns)
    clear(trunk, rows, columns)
    rectify(trunk)
    for block in range(net.first.shape[0]):
        fill(hidden, net.first_bias[block], rows, columns)
        if net.is_pooled[block]:
            pool(trunk, net.summary, rows, columns)
            add_each(hidden, net.pools[block], net.summary, rows, columns)
        convolve(trunk, net.first[block], hidden, rows, columns)
        clear(hidden, rows, columns)
        rectify(hidden)
        add_bias(trunk, net.second_bias[block], rows, columns)
        convolve(hidden, net.second[block], trunk, rows, columns)
        clear(trunk, rows, columns)
    rectify(trunk)
    pool(trunk, net.summary, rows, columns)
    fill(hidden, net.head_bias, rows, columns)
    mix(trunk, net.head, hidden, rows, columns)
    rectify(hidden)
    fill(net.planes, net.answer_bias, rows, columns)
    mix(hidden, net.answers, net.planes, rows, columns)


@kernel
def value_of(net):
    """Return the mover's chance to win, from the pooled numbers."""
    logit = net.value_bias[0]
    for hidden in range(net.value_hidden.shape[0]):
        total = net.value_hidden_bias[hidden]
        for i in range(net.summary.size):
            total += net.value_hidden[hidden, i] * net.summary[i]
        logit += net.value[hidden] * max(total, np.float32(0.0))
    return logistic(logit)


@kernel
def logistic(logit):
    """Return the chance for a logit."""
    return 1.0 / (1.0 + np.exp(-np.float64(logit)))


@kernel
def run_length(rows, columns):
    """Return the length of a run: from the first cell to the last, rounded up to LANES."""
    return ((rows * (columns + 2) - 2 + LANES - 1) // LANES) * LANES


@fused_kernel
def convolve(planes, weights, into, rows, columns):
    """Add a convolution of `planes` to `into`, four inputs and four outputs at a time.

    Four outputs are read and written once for every four inputs, which decides the
    speed; the inputs are taken in groups of eight, which stay in the nearest cache.
    """
    pitch = columns + 2
    length = run_length(rows, columns)
    start = pitch + 1
    outputs, inputs = weights.shape[0], weights.shape[2]
    for part in range(0, inputs, 8):
        for o in range(0, outputs, 4):
            into0, into1 = into[o, start : start + length], into[o + 1, start : start + length]
            into2, into3 = into[o + 2, start : start + length], into[o + 3, start : start + length]
            for tap in range(9):
                at = (tap // 3) * pitch + tap % 3
                w0, w1, w2, w3 = (
                    weights[o, tap],
                    weights[o + 1, tap],
                    weights[o + 2, tap],
                    weights[o + 3, tap],
                )
                for i in range(part, min(part + 8, inputs), 4):
                    x0, x1 = planes[i, at : at + length], planes[i + 1, at : at + length]
                    x2, x3 = planes[i + 2, at : at + length], planes[i + 3, at : at + length]
                    a0, a1, a2, a3 = w0[i], w0[i + 1], w0[i + 2], w0[i + 3]
                    b0, b1, b2, b3 = w1[i], w1[i + 1], w1[i + 2], w1[i + 3]
                    c0, c1, c2, c3 = w2[i], w2[i + 1], w2[i + 2], w2[i + 3]
                    d0, d1, d2, d3 = w3[i], w3[i + 1], w3[i + 2], w3[i + 3]
                    for n in range(length):
                        y0, y1, y2, y3 = x0[n], x1[n], x2[n], x3[n]
                        into0[n] += a0 * y0 + a1 * y1 + a2 * y2 + a3 * y3
                        into1[n] += b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3
                        into2[n] += c0 * y0 + c1 * y1 + c2 * y2 + c3 * y3
                        into3[n] += d0 * y0 + d1 * y1 + d2 * y2 + d3 * y3


@fused_kernel
def mix(planes, weights, into, rows, columns):
    """Add to each plane of `into` a weighted sum of `planes`, place by place."""
    start, length = columns + 3, run_length(rows, columns)
    for output in range(weights.shape[0]):
        target = into[output, start : start + length]
        for i in range(0, weights.shape[1], 4):
            x0, x1 = planes[i, start : start + length], planes[i + 1, start : start + length]
            x2, x3 = planes[i + 2, start : start + length], planes[i + 3, start : start + length]
            w0, w1, w2, w3 = (
                weights[output, i],
                weights[output, i + 1],
                weights[output, i + 2],
                weights[output, i + 3],
            )
            for n in range(length):
                target[n] += w0 * x0[n] + w1 * x1[n] + w2 * x2[n] + w3 * x3[n]


@kernel
def fill(planes, bias, rows, columns):
    """Set each plane to its bias."""
    start, length = columns + 3, run_length(rows, columns)
    for plane in range(bias.size):
        planes[plane, start : start + length] = bias[plane]


@kernel
def add_bias(planes, bias, rows, columns):
    """Add to each plane its bias."""
    start, length = columns + 3, run_length(rows, columns)
    for plane in range(bias.size):
        for n in range(start, start + length):
            planes[plane, n] += bias[plane]


@kernel
def add_each(planes, weights, summary, rows, columns):
    """Add to each plane a weighted sum of the pooled numbers."""
    start, length = columns + 3, run_length(rows, columns)
    for plane in range(weights.shape[0]):
        more = np.float32(0.0)
        for i in range(summary.size):
            more += weights[plane, i] * summary[i]
        for n in range(start, start + length):
            planes[plane, n] += more


@kernel
def clear(planes, rows, columns):
    """Set the border to zeros again where a run has written to it."""
    pitch = columns + 2
    last = rows * pitch + columns + 1
    for plane in range(planes.shape[0]):
        for row in range(1, rows):
            planes[plane, row * pitch + columns + 1] = 0.0
            planes[plane, (row + 1) * pitch] = 0.0
        for place in range(last, last + LANES):
            planes[plane, place] = 0.0


@kernel
def rectify(planes):
    """Set all negative numbers to zero."""
    for plane in range(planes.shape[0]):
        row = planes[plane]
        for n in range(row.size):
            row[n] = max(row[n], np.float32(0.0))


@kernel
def pool(planes, summary, rows, columns):
    """Write the mean of each plane, then the largest number of each."""
    pitch, count = columns + 2, planes.shape[0]
    for plane in range(count):
        total, largest = np.float32(0.0), np.float32(-np.inf)
        for row in range(1, rows + 1):
            for place in range(row * pitch + 1, row * pitch + 1 + columns):
                total += planes[plane, place]
                largest = max(largest, planes[plane, place])
        summary[plane] = total / np.float32(rows * columns)
        summary[count + plane] = largest
