"""What the net advises the solver: which moves to try first, and how hard either proof looks.

After Gao, Müller and Hayward (Focused depth-first proof-number search using convolutional
neural networks for the game of Hex, 2017), who order moves by a policy and look at few of
them. Here the policy and the weak links order the moves together; as many of them are looked at as
without a net, and the chance sets the numbers from which a move begins that nobody has
looked at. No answer depends on the advice, only how many positions it takes.

What was tried, in positions of the map of 7x7, which takes 94,304 without a net. The policy's
order alone, asked at each position: 54,344; at each that has a move tried: 55,935; at each
that has kept the search for two positions 52,429, four 56,449, eight 61,814, sixteen
68,966. Ordered by the weak links, too, and with numbers twice as steep, four: 51,204; 54,386 in
two thirds of the time without a net, where the first openings do without it, as here. More
moves looked at where the mover seems to lose, fewer where they seem to win, took a quarter
more on ten openings; numbers by the policy of each move a tenth more. Patterns took 73,822 at
best and as much time as no net. On 6x6 the net saves nothing. All this was measured with the
net before the one that is shipped, with which the map takes 42,668.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hsearch.hex.board import Board, Cell, Color, cells_in
from player.net.int8 import Int8Evaluator, is_installed
from player.net.net import shipped_net

LEAST_SIDE, MOST_CELLS = 7, 196
EASY = 3000  # positions that a search looks at before it gets a net ready, which takes as long
READYING = 5.0  # seconds that a search must have left for it
WORTH = 4  # positions below a node from which on a look at it pays
TRUST = 2.0  # weight of the policy beside the order of weak links
HARDNESS = 2.0  # of what is improbable: numbers that each halving of the chance adds
LEAST = 1e-4  # chance of a move that the policy leaves out


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice about an open position, seen by the player to move.

    moves    those that were given, the most promising first
    numbers  of the position after any of them, before it is looked at: phi and delta
    """

    moves: tuple[Cell, ...]
    numbers: tuple[int, int]


class Guide:
    """Asks the net that comes with the program, in eight bits.

    It holds room, so threads need one each. The net is read and scaled with the first
    question, which takes a second or more.
    """

    def __init__(self, board: Board) -> None:
        """Ask about positions of a board."""
        self._board = board
        self._evaluator: Int8Evaluator | None = None

    @cached_property
    def is_of_use(self) -> bool:
        """Whether a net saves anything on this board, is there, and what runs it fast is, too."""
        board = self._board
        is_fitting = min(board.columns, board.rows) >= LEAST_SIDE and board.size <= MOST_CELLS
        return is_fitting and is_installed() and shipped_net() is not None

    @property
    def is_ready(self) -> bool:
        """Whether a question has been asked before, so that the next takes no more than a look."""
        return self._evaluator is not None

    def advise(self, stones: tuple[int, int], turn: Color, moves: tuple[Cell, ...]) -> Advice:
        """Return the moves in a better order, and the numbers to begin with."""
        if self._evaluator is None:
            net = shipped_net()
            assert net is not None  # noqa: S101 - `is_of_use` has looked
            self._evaluator = Int8Evaluator(net, self._board)
        board = np.zeros(self._board.size, np.int8)
        for color, cells in enumerate(stones, 1):
            board[list(cells_in(cells))] = color
        policy, chance = self._evaluator.advise(board, turn)
        worth = {
            move: TRUST * math.log(policy[move] + LEAST) - math.log(place)
            for place, move in enumerate(moves, 1)
        }
        ordered = tuple(sorted(moves, key=worth.__getitem__, reverse=True))
        return Advice(ordered, (_number(1 - chance), _number(chance)))


def _number(chance: float) -> int:
    """Return the number of a player who wins with this chance: one, and more by each halving."""
    return 1 + round(-HARDNESS * math.log2(max(chance, 0.01)))
