"""What a net advises the solver: which moves to try first, and how hard either proof looks.

After Gao, Müller and Hayward (Focused depth-first proof-number search using convolutional
neural networks for the game of Hex, 2017), who order moves by a policy and look at few of
them. Here the policy and the weak links order the moves together; of moves so ordered a seventh
is looked at, not a quarter; and the chance sets the numbers from which a move begins that nobody
has looked at. No answer depends on the advice, only how many positions it takes.

With the extra `fast` the net is the shipped one, in eight bits. Without, it is one of a tenth of
the weights, `positions/guide.npz`, which takes as long in single precision. The shipped net has
taught it what it says of the positions that a search asks about. The small one is ready at once,
so it answers a solver that was prepared for a short time; and wherever tries of the rules are
counted, so that what is found then is the same whatever is installed.

How early a question asks, how many moves it looks at and how much the
numbers say, was measured: `positions/results/solving.md` has the table. A single question takes
a tenth or ten times as many positions by chance, so several count. Patterns in place of the net
took as much time as no advice, more moves where the mover seems to lose a quarter more positions,
numbers by the policy of each move a tenth more.
"""

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from hsearch.formats.files import shipped
from hsearch.hex.board import Board, Cell, Color, cells_in
from player.kernels import net as kernel
from player.net.int8 import Int8Evaluator, is_installed, is_ready
from player.net.net import Evaluator, Net, read_net, shipped_net
from player.solve.budget import Budget
from player.work.clock import now

LEAST_SIDE, MOST_CELLS = 6, 196
EASY = 20  # positions that a question takes before the net is asked,
COUNTED = 3000  # and one of so many positions, to be the same whatever is installed
READING = 1.0  # seconds that a question must have left where the net was prepared before,
READYING = 5.0  # and where it was not, which takes some seconds
TRIES_A_CELL = 130  # of the rules, which take as long as a look of the small net
WORTH = 1  # positions below a node from which on a look at it pays
TRUST = 4.0  # weight of the policy beside the order of weak links
ADVISED = 7  # one in so many of the moves left is looked at after advice, and one more
HARDNESS = 3.0  # of what is improbable: numbers that each halving of the chance adds
LEAST = 1e-4  # chance of a move that the policy leaves out


@dataclass(frozen=True, slots=True)
class NetAdvice:
    """Advice about an open position, seen by the player to move.

    moves    those that were given, the most promising first
    numbers  of the position after any of them, before it is looked at: phi and delta
    """

    moves: tuple[Cell, ...]
    numbers: tuple[int, int]


@cache
def small_net() -> Net | None:
    """Return the net of a tenth of the weights; None if this copy has none."""
    path = shipped("guide.npz")
    return None if path is None else read_net(path)


class Guide:
    """Asks one of the two nets that come with the program.

    It holds room, so threads need one each. A net is read with the first question, or
    made ready, in some seconds, where the shipped one was not for the board before.
    """

    def __init__(self, board: Board) -> None:
        """Ask about positions of a board."""
        self._board = board
        self._is_small = not self._is_fast
        self._is_for_short = False
        self._shipped: Int8Evaluator | None = None
        self._small: Evaluator | None = None

    @cached_property
    def _is_fast(self) -> bool:
        return is_installed()

    @property
    def is_of_use(self) -> bool:
        """Whether the net that is chosen saves anything on this board, and is there."""
        board = self._board
        is_fitting = min(board.columns, board.rows) >= LEAST_SIDE and board.size <= MOST_CELLS
        return is_fitting and self._net is not None

    @property
    def _net(self) -> Net | None:
        return small_net() if self._is_small else shipped_net()

    def choose(self, budget: Budget, examined: int) -> bool:
        """Choose the net for a question that has looked at so many positions by now.

        Return whether it is to be asked: not where the question is easy, nor where it takes
        longer to make a net ready than there is time left.
        """
        if budget.tries < math.inf:
            self._is_small = True
            return examined >= EASY and self.is_of_use
        self._is_small = not self._is_fast
        if self._is_ready:
            return True
        if examined < (COUNTED if budget.examined < math.inf else EASY):
            return False
        left = budget.deadline - now()
        if self.is_of_use and left > (READING if self._is_kept else READYING):
            return True
        self._is_small = True
        return self._is_for_short and self.is_of_use

    def prepare(self, seconds: float) -> None:
        """Do what the first question of so many seconds would have to wait for.

        0 is for a question by tries. One of a second or less asks the small net only if it was
        prepared for, where the extra `fast` is installed: else a search of the page by the clock
        would prove on a quick machine what it leaves open on a slow one.
        """
        self._is_small = not self._is_fast or seconds <= READING
        self._is_for_short = 0 < seconds <= READING
        if self.is_of_use:
            self.advise((0, 0), Color.BLACK, (0,))

    @cached_property
    def _is_kept(self) -> bool:
        """Whether the net was made ready for this board before, so that it is only read."""
        net = shipped_net()
        if self._is_fast and net is not None:
            return is_ready(net, self._board)
        return bool(getattr(kernel.look, "signatures", True))  # compiled in this process

    @property
    def _is_ready(self) -> bool:
        """Whether the net has been asked before, so that it takes no more than a look."""
        return (self._small if self._is_small else self._shipped) is not None

    def _evaluator(self) -> Int8Evaluator | Evaluator:
        net = self._net
        assert net is not None  # noqa: S101 - `is_of_use` has looked
        if self._is_small:
            self._small = self._small or Evaluator(net, self._board)
            return self._small
        self._shipped = self._shipped or Int8Evaluator(net, self._board)
        return self._shipped

    def advise(self, stones: tuple[int, int], turn: Color, moves: tuple[Cell, ...]) -> NetAdvice:
        """Return the moves in a better order, and the numbers to begin with."""
        evaluator = self._evaluator()
        board = np.zeros(self._board.size, np.int8)
        for color, cells in enumerate(stones, 1):
            board[list(cells_in(cells))] = color
        policy, chance = evaluator.advise(board, turn)
        worth = {
            move: TRUST * math.log(policy[move] + LEAST) - math.log(place)
            for place, move in enumerate(moves, 1)
        }
        ordered = tuple(sorted(moves, key=worth.__getitem__, reverse=True))
        return NetAdvice(ordered, (_number(1 - chance), _number(chance)))


def _number(chance: float) -> int:
    """Return the number of a player who wins with this chance: one, and more by each halving."""
    return 1 + round(-HARDNESS * math.log2(max(chance, 0.01)))
