"""What the net advises the solver: which moves to try first, and how hard either proof looks.

After Gao, Müller and Hayward (Focused depth-first proof-number search using convolutional
neural networks for the game of Hex, 2017), who order moves by a policy and look at few of
them. Here the policy and the weak links order the moves together; of moves so ordered a seventh
is looked at, not a quarter; and the chance sets the numbers from which a move begins that nobody
has looked at. No answer depends on the advice, only how many positions it takes.

How early a question asks, at how small a node, how many moves it looks at and how much the
numbers say, was measured: `positions/results/solving.md` has the table. A single question takes
a tenth or ten times as many positions by chance, so several count. Patterns in place of the net
took as much time as no advice, more moves where the mover seems to lose a quarter more positions,
numbers by the policy of each move a tenth more.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hsearch.hex.board import Board, Cell, Color, cells_in
from player.net.int8 import Int8Evaluator, is_installed, is_ready
from player.net.net import shipped_net

LEAST_SIDE, MOST_CELLS = 6, 196
EASY = 20  # positions that a question takes before the net is asked,
COUNTED = 3000  # and one that is not limited by the clock, to be the same whatever is installed
READING = 1.0  # seconds that a question must have left where the net was prepared before,
READYING = 5.0  # and where it was not, which takes some seconds
WORTH = 1  # positions below a node from which on a look at it pays
TRUST = 4.0  # weight of the policy beside the order of weak links
ADVISED = 7  # one in so many of the moves left is looked at after advice, and one more
HARDNESS = 3.0  # of what is improbable: numbers that each halving of the chance adds
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

    It holds room, so threads need one each. The net is read with the first question, or
    scaled, in some seconds, where it was not prepared for the board before.
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

    @cached_property
    def is_kept(self) -> bool:
        """Whether the net was prepared for this board before, so that it is only read."""
        net = shipped_net()
        return net is not None and is_ready(net, self._board)

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
