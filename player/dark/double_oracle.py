"""Equilibrium by double oracle, without a tree.

McMahan, Gordon and Blum (2003), in sequence form after Bosansky, Kiekintveld, Lisy and Pechoucek
(2014): solve the game restricted to the attempts allowed so far, answer each player's policy with
an exact best response over *all* policies, allow the attempts of the responses and of their
rotations by half a turn, and repeat. Each response bounds the value. Outside the restricted game
a player attempts the cell that decides most often, see `player.dark.book`. The linear program
solves small restricted games, predictive CFR+ the others.
"""

import zlib

import numpy as np

from hsearch.formats.npz import Arrays
from hsearch.hex import Color
from player.dark import linear_program, methods, response
from player.dark.book import (
    MOST_ROOM,
    ROOM,
    BeliefResponse,
    BeliefSearch,
    Book,
    Fallback,
    Orders,
    list_ends,
)
from player.dark.regret import Minimizer, counter, restore_array
from player.dark.rules import DarkRules
from player.dark.tree import Floats, GameTree, Integers, Plans, of_ends

EQUAL = 1e-10  # bounds at this distance or less are one value
SMALL = 2_000  # a restricted game with at most this many ends is solved by the linear program
NEAR = 0.005  # so is one with at most SOLVABLE ends, when the bounds are nearer than this
SOLVABLE = 40_000
SWEEPS = 50  # between two measurements of exploitability
MOST_SWEEPS = 1_500
SHARE = 0.05  # exploitability to reach in the restricted game, in distances of the bounds
TREMBLES = (0.05, 0.01, 0.002)  # chances of an arbitrary allowed attempt
KEPT_SHARE = 0.5  # share of the sweeps that count when the next round resumes from their average
# How much worse than the best an allowed attempt may be: in distances of the bounds, and at most.
SLACK = 0.5, 0.003
LAST_SLACK = 20.0, 0.02  # when the bounds are near and the linear program would be too large
FEW_CELLS = 9  # on larger boards there is no slack: it gave 80,000 attempts after three rounds


class DoubleOracle:
    """The attempts allowed so far, and the bounds they prove; changes with every `step`."""

    batch = 1

    def __init__(self, rules: DarkRules, *, seed: int = 0) -> None:
        """Start with one policy a player.

        Raise GameTooLargeError when the board has too many cells.
        """
        methods.check_cells(rules, "double-oracle")
        self.rules, self.seed = rules, seed
        self._search = BeliefSearch(rules)
        self._fallbacks = Fallback(rules, Color.BLACK), Fallback(rules, Color.WHITE)
        self.books = Book(rules, self._fallbacks[0].orders), Book(rules, self._fallbacks[1].orders)
        self.iteration = 0
        self.lower, self.upper = 0.0, 1.0
        self._regrets = [np.zeros((1, rules.board.size)) for _ in Color]
        self._sweeps = 0  # that the average contains
        self._ends = 0  # of the restricted game
        self.policies: list[Floats] = [book.chances(np.ones(2)) for book in self.books]
        self.best = list(self.policies)
        self._solve()

    # A response to the opponent's present policy says little about the other policies of the
    # restricted game. So a round also answers policies that tremble, with a small chance of each
    # allowed attempt, and allows attempts that are nearly as good as the best; at the end, still
    # worse ones. Tried and lost: responses to the present policy alone (bounds of noisy 3x3
    # stalled at 0.01), and worse attempts from the beginning, which only enlarge the game.
    # `positions/results/dark.md` has the figures.

    def step(self) -> None:
        """Answer both policies, allow the answers, and solve the larger restricted game."""
        self.iteration += 1
        rng = np.random.default_rng([self.seed, self.iteration])
        answers = [[self.respond(color, self.books[color].orders)] for color in Color]
        upper, lower = answers[0][0].chance, 1 - answers[1][0].chance
        if upper < self.upper:
            self.upper, self.best[1] = upper, self.policies[1]
        if lower > self.lower:
            self.lower, self.best[0] = lower, self.policies[0]
        # All answers are to the same books, which grow only afterwards.
        slack = self._slack()
        for tremble in (0.0, *TREMBLES):
            for color in Color:
                tries = self._fallbacks[color].shuffle(rng)
                answers[color].append(self.respond(color, tries, slack=slack, tremble=tremble))
        straight = list(self.rules.board.cells)
        for color in Color:
            for answer in answers[color]:
                for turn in (straight, straight[::-1]):
                    self.books[color].add(answer.rows, turn)
        self._solve()

    def advance(self, iterations: int) -> None:
        """Make some steps, without work once the bounds meet; undo a step that fails."""
        for _ in range(iterations):
            if self.upper - self.lower <= EQUAL:
                self.iteration += 1
                continue
            before = self.arrays()
            try:
                self.step()
            except Exception:
                self.restore(before)  # so that no half step is saved
                raise

    def bounds(self) -> tuple[float, float]:
        """Return the best bounds on the value so far, to Black; rounding does not exchange them."""
        lower, upper = 2 * self.lower - 1, 2 * self.upper - 1
        return min(lower, upper), max(lower, upper)

    def respond(
        self, color: Color, tries: Orders, *, slack: float = 0.0, tremble: float = 0.0
    ) -> BeliefResponse:
        """Return a best response of `color` to the opponent's policy.

        tries    the orders of the cells, which break ties
        slack    include attempts that win up to this much less than the best
        tremble  the opponent's chance, each time, of an arbitrary attempt of their book
        """
        book, policy = self.books[color.opponent], self.policies[color.opponent]
        if tremble:
            mask = book.mask()
            policy = (1 - tremble) * policy + tremble * mask / mask.sum(axis=1, keepdims=True)
        arrays = *book.table(), book.plan(policy), book.orders
        return self._search.respond(arrays, color, tries, slack)

    def build_tree(self) -> GameTree:
        """Return the game restricted to the books."""
        ends = list_ends(self.books, self._search.game)
        return of_ends(self.rules, (self.books[0].side(), self.books[1].side()), ends)

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to continue exactly from here."""
        arrays: Arrays = {
            "clock": np.array([self.iteration, self.lower, self.upper, self._search.room]),
            "size": np.array([self._sweeps, self._ends]),
        }
        arrays["fallback"] = self._digest()
        for color, book in zip(Color, self.books, strict=True):
            arrays |= {
                f"above{color:d}": np.array(book.above, np.int64),
                f"allowed{color:d}": book.mask(),
                f"regret{color:d}": self._regrets[color],
                f"policy{color:d}": self.policies[color],
                f"best{color:d}": self.best[color],
            }
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned; raise ValueError if it does not fit the board."""
        if (restore_array(arrays, "fallback", (2,), np.int64) != self._digest()).any():
            raise ValueError("its books are of another board, or fall back on other orders")
        iteration, lower, upper, room = restore_array(arrays, "clock", (4,)).tolist()
        sweeps, ends = restore_array(arrays, "size", (2,), np.int64).tolist()
        if not (0 <= lower <= 1 and 0 <= upper <= 1 and 0 <= sweeps <= 3 * MOST_SWEEPS):
            raise ValueError(f"bounds {lower} and {upper}, {sweeps} sweeps")
        cells = self.rules.board.size
        for color, book in zip(Color, self.books, strict=True):
            mask = restore_array(arrays, f"allowed{color:d}", (None, cells), np.bool_)
            nodes = len(mask)
            book.restore(restore_array(arrays, f"above{color:d}", (nodes, 2), np.int64), mask)
            for name, by_color in (
                ("regret", self._regrets),
                ("policy", self.policies),
                ("best", self.best),
            ):
                # Regrets and the best policy may belong to an earlier, smaller book.
                least = nodes if name == "policy" else 1
                by_color[color] = restore_array(arrays, f"{name}{color:d}", (None, cells))
                rows = len(by_color[color])
                if not least <= rows <= nodes or by_color[color][~mask[:rows]].any():
                    raise ValueError(f"{name}{color:d} is of another book")
        self.iteration, self.lower, self.upper = counter(iteration), lower, upper
        self._search.room = int(min(max(room, ROOM), MOST_ROOM))  # it grows again
        self._sweeps, self._ends = sweeps, ends

    def _digest(self) -> Integers:
        return np.array([zlib.crc32(book.orders.tobytes()) for book in self.books])

    def _is_near(self) -> bool:
        return self.upper - self.lower < NEAR

    def _slack(self) -> float:
        """Return how much worse than the best an allowed attempt may be in this round."""
        if self.rules.board.size > FEW_CELLS:
            return 0.0
        times, most = LAST_SLACK if self._is_near() and self._ends > SOLVABLE else SLACK
        return min(most, times * (self.upper - self.lower))

    def _solve(self) -> None:
        tree = self.build_tree()
        self._ends = ends = len(tree.outcome)
        if ends <= SMALL or (ends <= SOLVABLE and self._is_near()):
            plans, self._sweeps = linear_program.solve(tree), 0
        else:
            plans = self._improve(tree)
        self.policies = [
            book.chances(response.policy_of(tree, color, plans[color]))
            for color, book in zip(Color, self.books, strict=True)
        ]

    # Predictive CFR+ is as exact as the distance of the bounds deserves. It resumes from its last
    # regrets, at the end also from half of its average; from the beginning that costs more than it
    # gains. Tried and lost: the exact vertex of a linear program. The policies of CFR+ are more
    # mixed, so the responses to them add more.

    def _improve(self, tree: GameTree) -> Plans:
        """Resume predictive CFR+ from the regrets and averages of the previous, smaller game."""
        solver = Minimizer(tree, methods.VARIANTS["pcfr+"])
        masks = [book.mask() for book in self.books]
        regrets = []
        for mask, old in zip(masks, self._regrets, strict=True):
            values = np.zeros(mask.shape)
            values[: len(old)] = old
            regrets.append(np.concatenate([[0], values[mask]]))
        solver.start(regrets)
        if self._sweeps and self._is_near():
            solver.start_average(self._extend_plans(tree), int(KEPT_SHARE * self._sweeps))
        target, last = SHARE * (self.upper - self.lower), solver.iteration + MOST_SWEEPS
        while solver.iteration < last:
            for _ in range(SWEEPS):
                solver.step()
            if response.exploitability(tree, solver.plans()) < target:
                break
        for color, mask in zip(Color, masks, strict=True):
            self._regrets[color] = np.zeros(mask.shape)
            self._regrets[color][mask] = solver.regrets[color][1:]
        self._sweeps = solver.iteration
        return solver.plans()

    def _extend_plans(self, tree: GameTree) -> Plans:
        """Return the previous plans as plans of the restricted game, which has grown since."""
        black, white = (
            response.plan_of(
                tree, color, np.append(1.0, book.extend_policy(self.policies[color])[book.mask()])
            )
            for color, book in zip(Color, self.books, strict=True)
        )
        return black, white
