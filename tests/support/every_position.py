"""Compute who wins every position of a small board, backward from the full ones; compiled.

A position is a number in base 3, with one digit per cell: 0 empty, 1 black, 2 white. A move makes
the number larger, so the largest positions are solved first. This module shares no code with
H-search and the solver.
"""

import numpy as np
from numba import njit

from hsearch.kernels.closure import closure
from hsearch.kernels.inferior import NO_REGION, fill_in, neighbor, next_region, vulnerable


@njit
def digits(number, stones):
    """Write the stones of a position into an array."""
    for cell in range(stones.size):
        stones[cell] = number % 3
        number //= 3


@njit
def number_of(stones):
    """Return the number of the position with these stones."""
    number = 0
    for cell in range(stones.size - 1, -1, -1):
        number = 3 * number + stones[cell]
    return number


@njit
def joins(columns, stones, color, stack, seen):
    """Return whether a player's stones connect that player's two edges."""
    rows = stones.size // columns
    seen[:] = False
    top = 0
    for cell in range(columns if color == 1 else rows):
        start = cell if color == 1 else cell * columns
        if stones[start] == color:
            seen[start] = True
            stack[top] = start
            top += 1
    while top:
        top -= 1
        cell = stack[top]
        if (cell // columns == rows - 1) if color == 1 else (cell % columns == columns - 1):
            return True
        for direction in range(6):
            other = neighbor(columns, stones.size, cell, direction)
            if other >= 0 and stones[other] == color and not seen[other]:
                seen[other] = True
                stack[top] = other
                top += 1
    return False


@njit
def every_winner(columns, size):
    """Return the winner (1 or 2) of each position for each player to move, and which are over."""
    wins, over = np.zeros((2, 3**size), np.int8), np.zeros(3**size, np.bool_)
    stones, stack, seen = (
        np.zeros(size, np.int8),
        np.zeros(size, np.int64),
        np.zeros(size, np.bool_),
    )
    for number in range(3**size - 1, -1, -1):
        digits(number, stones)
        for color in (1, 2):
            if joins(columns, stones, color, stack, seen):
                wins[0, number] = wins[1, number] = color
                over[number] = True
        if over[number]:
            continue
        for color in (1, 2):
            wins[color - 1, number] = 3 - color
            power = 1
            for cell in range(size):
                if stones[cell] == 0 and wins[2 - color, number + color * power] == color:
                    wins[color - 1, number] = color
                    break
                power *= 3
    return wins, over


@njit
def changed_by_fill_in(columns, size, dead, wins):
    """Return how many positions fill-in changes, and the last one whose winner changes, or -1."""
    stones, filled = np.zeros(size, np.int8), np.zeros(size, np.int8)
    costs = np.zeros((size, 1), np.int64)
    count, wrong = 0, -1
    for number in range(3**size):
        digits(number, stones)
        if fill_in(columns, stones, dead, filled, costs) == 0:
            continue
        count += 1
        other = number_of(stones)
        if wins[0, number] != wins[0, other] or wins[1, number] != wins[1, other]:
            wrong = number
    return count, wrong


@njit
def lost_by_pruning(columns, size, dead, wins, over):
    """Return how many won positions have vulnerable moves, and the last that needs one, or -1."""
    stones, killers = np.zeros(size, np.int8), np.zeros(size, np.int64)
    count, wrong = 0, -1
    for number in range(3**size):
        digits(number, stones)
        for color in (1, 2):
            if over[number] or wins[color - 1, number] != color:
                continue
            vulnerable(columns, stones, dead, 3 - color, killers)
            other_wins, power, any_killed = False, 1, False
            for cell in range(size):
                any_killed |= killers[cell] >= 0
                if stones[cell] == 0 and killers[cell] < 0:
                    other_wins |= wins[2 - color, number + color * power] == color
                power *= 3
            count += any_killed
            if not other_wins:
                wrong = number
    return count, wrong


@njit
def changed_by_regions(columns, size, spaces, wins):
    """Return how many positions have a region, and the last whose winner filling it changes, or -1.

    The regions of each player are filled one by one, for Black on the board and for White on the
    mirrored board. `spaces` are memory, log, layout and rows of a closure.
    """
    memory, log, layout, rows = spaces
    stones, frame = np.zeros(size, np.int8), np.zeros(size, np.int8)
    region, carrier = np.empty(1, np.int64), np.empty(1, np.int64)
    down = size // columns
    count, wrong = 0, -1
    for number in range(3**size):
        for color in (1, 2):
            digits(number, stones)
            for cell in range(size):
                place = cell if color == 1 else cell % columns * down + cell // columns
                frame[place] = stones[cell] if color == 1 or not stones[cell] else 3 - stones[cell]
            width = columns if color == 1 else down
            closure(memory, log, layout, rows, width, frame)
            at, other = 0, number
            while True:
                at = next_region(memory, layout, width, frame, at, region, carrier)
                if at == NO_REGION:
                    break
                for place in range(size):
                    if region[0] >> place & 1:
                        frame[place] = 1
                        cell = place if color == 1 else place % down * columns + place // down
                        other += color * 3**cell
                count += 1
                if wins[0, number] != wins[0, other] or wins[1, number] != wins[1, other]:
                    wrong = number
    return count, wrong
