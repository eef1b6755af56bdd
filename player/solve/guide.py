"""A net's advice to the solver: which moves to try first, and how hard each proof looks.

After Gao, Müller and Hayward (Focused depth-first proof-number search using convolutional
neural networks for the game of Hex, 2017), who order moves by a policy and search only a
few of them. Here the policy and the weak links order the moves together; a seventh of the
moves so ordered is searched first, instead of a quarter; and the net's chance sets the initial
numbers of a move. The advice changes only how many positions an answer takes.

With the extra `fast` the net is the shipped one, in eight bits. Otherwise it is
`positions/guide.npz`, with a tenth of the weights, which takes as long in single precision; it
was trained on answers of the shipped net about positions of searches. The small net is ready at
once, so it also serves questions too short to prepare the shipped one. It serves all questions
limited by tries, so that their answers do not depend on what is installed.
"""

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from hsearch.formats.files import find_shipped
from hsearch.hex import Board, Cell, Color, cells_in
from player.evaluate.int8 import Int8Evaluator, is_installed, is_ready
from player.evaluate.net import Net, NetEvaluator, load_net, read_net
from player.kernels import net as kernel
from player.solve.budget import Budget
from player.work.clock import now

# When to ask, how many moves to search and how the chance becomes numbers was measured:
# `positions/results/solving.md` has the tables. Tried and lost: patterns in place of the net, more
# moves where the mover seems to lose, and numbers by the policy of each move.

LEAST_SIDE, MOST_CELLS = 6, 196
EASY = 20  # positions examined before a question asks the net,
COUNTED = 3000  # and if positions are limited: then short answers do not depend on the extra
READING = 1.0  # seconds that must be left to ask a net that was prepared before,
READYING = 5.0  # and one that was not, which takes some seconds
TRIES_A_CELL = 130  # tries of the rules that take as long as an evaluation by the small net
WORTH = 1  # positions examined below a node before advice about it pays
TRUST = 4.0  # weight of the policy beside the order of weak links
ADVISED = 7  # after advice, one in this many of the moves left is searched, and one more
HARDNESS = 3.0  # added to a number by each halving of the chance
LEAST = 1e-4  # added to the policy of each move, so that none is 0


@dataclass(frozen=True, slots=True)
class NetAdvice:
    """Advice about an open position, from the view of the player to move.

    moves    the given moves, the most promising first
    numbers  initial phi and delta of the position after any of them
    """

    moves: tuple[Cell, ...]
    numbers: tuple[int, int]


@cache
def small_net() -> Net | None:
    """Return the net of a tenth of the weights; None if this copy has none."""
    path = find_shipped("guide.npz")
    return None if path is None else read_net(path)


class Guide:
    """Advice of one of the two nets that come with the program. Holds state.

    It has work arrays, so each thread needs its own. A net is read at the first question; the
    shipped one also has to be prepared, in some seconds, if it never was for the board.
    """

    def __init__(self, board: Board) -> None:
        """Ask about positions of a board."""
        self._board = board
        self._is_small = not self._is_fast
        self._is_for_short = False
        self._shipped: Int8Evaluator | None = None
        self._small: NetEvaluator | None = None

    @cached_property
    def _is_fast(self) -> bool:
        return is_installed()

    @property
    def is_of_use(self) -> bool:
        """Whether the chosen net is there and saves work on this board."""
        board = self._board
        is_fitting = min(board.columns, board.rows) >= LEAST_SIDE and board.size <= MOST_CELLS
        return is_fitting and self._net is not None

    @property
    def _net(self) -> Net | None:
        return small_net() if self._is_small else load_net()

    def choose(self, budget: Budget, positions: int) -> bool:
        """Choose the net for a question that has examined this many positions.

        Return whether to ask it: not while the question is easy, nor if there is too little
        time to prepare a net.
        """
        if budget.tries < math.inf:
            self._is_small = True
            return positions >= EASY and self.is_of_use
        self._is_small = not self._is_fast
        if self._is_ready:
            return True
        is_counted = budget.positions < math.inf and not budget.is_part
        if positions < (COUNTED if is_counted else EASY):
            return False
        time_left = budget.deadline - now()
        if self.is_of_use and time_left > (READING if self._is_kept else READYING):
            return True
        self._is_small = True
        return self._is_for_short and self.is_of_use

    def prepare(self, seconds: float) -> None:
        """Prepare the net that a question limited to this many seconds may ask.

        0 stands for a limit of tries. With the extra `fast`, a question of a second or less asks
        the small net only if it was prepared here: otherwise a search of the page by the clock
        would prove on a fast machine what it leaves open on a slow one.
        """
        self._is_small = not self._is_fast or seconds <= READING
        self._is_for_short = 0 < seconds <= READING
        if self.is_of_use:
            self.advise((0, 0), Color.BLACK, (0,))

    @cached_property
    def _is_kept(self) -> bool:
        """Whether the net was prepared for this board before, so that it is only read."""
        net = load_net()
        if self._is_fast and net is not None:
            return is_ready(net, self._board)
        return bool(getattr(kernel.look, "signatures", True))  # compiled in this process

    @property
    def _is_ready(self) -> bool:
        """Whether the net has been asked before, so that advice takes one evaluation."""
        return (self._small if self._is_small else self._shipped) is not None

    def _evaluator(self) -> Int8Evaluator | NetEvaluator:
        net = self._net
        assert net is not None  # noqa: S101 - `is_of_use` checked it
        if self._is_small:
            self._small = self._small or NetEvaluator(net, self._board)
            return self._small
        self._shipped = self._shipped or Int8Evaluator(net, self._board)
        return self._shipped

    def advise(self, stones: tuple[int, int], turn: Color, moves: tuple[Cell, ...]) -> NetAdvice:
        """Return the moves in a better order, and the initial numbers of a child."""
        evaluator = self._evaluator()
        board = np.zeros(self._board.size, np.int8)
        for color, cells in enumerate(stones, 1):
            board[list(cells_in(cells))] = color
        policy, chance = evaluator.advise(board, turn)
        worth = {
            move: TRUST * math.log(policy[move] + LEAST) - math.log(place)
            for place, move in enumerate(moves, 1)
        }
        order = tuple(sorted(moves, key=worth.__getitem__, reverse=True))
        return NetAdvice(order, (_number(1 - chance), _number(chance)))


def _number(chance: float) -> int:
    """Return the number of a player with this chance: 1, and `HARDNESS` more by each halving."""
    return 1 + round(-HARDNESS * math.log2(max(chance, 0.01)))
