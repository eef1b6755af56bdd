"""What a player believes about the hidden stones: guesses, worlds under a model, and chances.

A guess is drawn as if the opponent attempted each cell with the same chance. Worlds follow a
model of the opponent from turn to turn. The likelihood of each stone and the risk of each
attempt are computed from either.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np

from hsearch.hex import Cell, Color, Position, cells_in
from hsearch.kernels import stop
from player.dark.rules import (
    Base,
    DarkRules,
    History,
    Mask,
    Noise,
    View,
    heard_symbol,
    last_attempt,
    view,
    view_position,
    winning_cells,
)
from player.evaluate.exact import exact, is_reachable
from player.evaluate.fillings import Odds

# Beliefs of a player: guesses of the opponent's hidden stones, each with a weight.
#
# A guess fits the whole history of the player: it has a stone wherever they
# collided, placed in time, none where they have placed one, and it has not won.
# Guesses are drawn turn by turn, as if the opponent attempted each cell that is
# empty to them with the same chance. Looking ahead to the history changes these
# chances; a weight corrects for that. Each history is guessed from scratch.

# The opponent's stones, and the weight of the guess.
Guess: TypeAlias = tuple[Mask, float]


class NothingPossibleError(ValueError):
    """A history that no game of its rules produces."""


class _TooManyWorldsError(Exception):
    """More worlds fit a history than may be kept."""


@dataclass(frozen=True, slots=True)
class OpponentTurn:
    """A turn of the opponent, as far as the player knows.

    mine    the number of the player's stones then
    places  whether the opponent placed a stone; None if that is unknown
    """

    mine: int
    places: bool | None


def guesses(
    rules: DarkRules, color: Color, history: History, number: int, generator: np.random.Generator
) -> list[Guess]:
    """Return this many guesses for a player who is to move; some may be equal.

    Raise NothingPossibleError when there is none.
    """
    past = _Past(rules, color, history)
    return [past.guess(generator) for _ in range(number)]


def turns(
    rules: DarkRules, color: Color, history: History
) -> tuple[list[OpponentTurn], dict[Cell, int]]:
    """Return the opponent's turns, and by found cell the number of turns before it was found.

    The player is to move after the history.
    """
    turns: list[OpponentTurn] = []
    due: dict[Cell, int] = {}
    mine, sounds, is_theirs = 0, 0, color is Color.WHITE
    for symbol in history:
        if symbol < 0:
            sounds += 1
            continue
        if is_theirs:
            turns.append(OpponentTurn(mine, _places(rules, sounds)))
        collided, sounds = bool(symbol & 1), 0
        is_theirs = not collided or rules.base is Base.ABRUPT
        if collided:
            due[symbol >> 1] = len(turns)
        else:
            mine += 1
    if is_theirs:
        turns.append(OpponentTurn(mine, _places(rules, sounds)))
    return turns, due


def _places(rules: DarkRules, heard: int) -> bool | None:
    if rules.base is Base.CLASSIC:
        return True
    return None if rules.noise is Noise.SILENT else not heard


class _Past:
    """The opponent's turns, and the constraints on each guess."""

    def __init__(self, rules: DarkRules, color: Color, history: History) -> None:
        self._rules, self._opponent = rules, color.opponent
        self._view: View = view(history)
        self._turns, self._due = turns(rules, color, history)
        self._cells = rules.full & ~self._view.own

    def guess(self, generator: np.random.Generator) -> Guess:
        """Draw a guess, backtracking from dead ends."""
        guess = self._fill(0, 0, 0, 1.0, generator)
        if guess is None:
            raise NothingPossibleError("no stones of the opponent fit this history")
        return guess

    def _fill(
        self, turn: int, stones: Mask, collisions: int, weight: float, rng: np.random.Generator
    ) -> Guess | None:
        """Return a guess that continues from the stones placed before a turn."""
        if turn == len(self._turns):
            return stones, weight
        now = self._turns[turn]
        unfound = now.mine - collisions if now.places is not True else 0
        options = self._options(turn, stones) if now.places is not False else []
        if unfound and not self._has_time(turn + 1, stones):
            unfound = 0
        tickets = unfound + len(options)
        # Of the cells that were empty to the opponent, only these tickets fit the history.
        free = self._rules.board.size - stones.bit_count() - collisions
        more = weight * (tickets / free)
        # The first choice is random, and so are those after a dead end.
        order = rng.permutation(tickets)
        tried_collision = False
        for ticket in order.tolist():
            if ticket < unfound:
                if tried_collision:
                    continue
                tried_collision = True
                guess = self._fill(turn + 1, stones, collisions + 1, more, rng)
            else:
                bit = 1 << options[ticket - unfound]
                guess = self._fill(turn + 1, stones | bit, collisions, more, rng)
            if guess is not None:
                return guess
        return None

    def _options(self, turn: int, stones: Mask) -> list[Cell]:
        """Return where a stone may have been placed so that all found stones are placed in time."""
        certain = stones | self._view.known
        urgent = self._urgent(turn, stones)
        cells = self._cells & ~stones if urgent is None else urgent
        return list(cells_in(cells & ~winning_cells(self._rules.board, self._opponent, certain)))

    def _urgent(self, turn: int, stones: Mask) -> Mask | None:
        """Return the cells of which one must be placed now; None if any may be."""
        for due in sorted(set(self._due.values())):
            missing = self._missing(due, stones)
            late = missing.bit_count() - self._room(turn, due)
            if missing and late >= 0:
                return 0 if late else missing
        return None

    def _has_time(self, turn: int, stones: Mask) -> bool:
        """Return whether the turns from here on can place all found stones in time."""
        return all(
            self._missing(due, stones).bit_count() <= self._room(turn, due)
            for due in set(self._due.values())
        )

    def _missing(self, due: int, stones: Mask) -> Mask:
        return sum(1 << cell for cell, last in self._due.items() if last <= due) & ~stones

    def _room(self, turn: int, due: int) -> int:
        """Return how many stones can be placed from one turn until another."""
        return sum(each.places is not False for each in self._turns[turn:due])


# Beliefs about an opponent who plays by a model.
#
# A *world* is what may be hidden: the opponent's stones, and which of the player's
# they have found. The model gives the chances of the opponent's attempts from
# their view alone, so the chances of all worlds follow from turn to turn, without
# sampling. Only the likeliest worlds are kept; if none of them fits what happened,
# the belief starts again from guesses.

World: TypeAlias = tuple[Mask, Mask]
WeightedWorlds: TypeAlias = dict[World, float]
# The chances of the attempts of a player with this view.
OpponentModel: TypeAlias = Callable[[DarkRules, Color, View], Mapping[Cell, float]]

MOST = 2_000  # worlds that are kept
CARELESS = 0.2  # share of attempts that the model spreads evenly
SHARPNESS = 8  # the other attempts are in proportion to this power of how often a cell decides
AGAIN = 200  # guesses to start again from
MOST_CACHED = 25 << 17  # chances of cells in the cache, 60 to 90 bytes each


def careless(rules: DarkRules, _color: Color, stones: View) -> Mapping[Cell, float]:
    """Return the same chance for each unknown cell."""
    cells = rules.unknown(stones)
    return dict.fromkeys(cells, 1 / len(cells))


def sensible(rules: DarkRules, color: Color, stones: View) -> Mapping[Cell, float]:
    """Return greater chances for cells that decide more often in fillings of the view."""
    return _cache_model(rules.board.size)(rules, color, stones)


@lru_cache(maxsize=2)
def _cache_model(cells: int) -> OpponentModel:
    """Return the model for boards of this many cells, which caches views: 300 MB at most."""
    return lru_cache(maxsize=MOST_CACHED // cells)(_sensible)


def _sensible(rules: DarkRules, color: Color, stones: View) -> Mapping[Cell, float]:
    deciding = exact(view_position(rules.board, color, stones)).critical
    weights = {cell: share**SHARPNESS for cell, share in deciding.items()}
    total, each = sum(weights.values()), CARELESS / len(weights)
    if total <= 0:
        return dict.fromkeys(weights, 1 / len(weights))
    return {c: each + (1 - CARELESS) * weight / total for c, weight in weights.items()}


class Inference:
    """The beliefs of one player from turn to turn; remembers those of the current game."""

    def __init__(
        self,
        rules: DarkRules,
        color: Color,
        model: OpponentModel = sensible,
        *,
        most: int = MOST,
        keeps_all: bool = False,
    ) -> None:
        """Take the model of the opponent, and the number of worlds to keep.

        With `keeps_all`, more worlds than that are an error, found before all of them are made.
        """
        self._rules, self._color, self._model, self._most = rules, color, model, most
        self._keeps_all = keeps_all
        self.is_exact = True  # whether all worlds of the current game were kept so far
        self._worlds: dict[History, WeightedWorlds] = {}

    def guesses(self, history: History, number: int, generator: np.random.Generator) -> list[Guess]:
        """Return the likeliest sets of the opponent's stones, with their chances."""
        stones: defaultdict[Mask, float] = defaultdict(float)
        for (hidden, _), chance in self.worlds(history, generator).items():
            stones[hidden] += chance
        return sorted(stones.items(), key=lambda item: (-item[1], item[0]))[:number]

    def worlds(self, history: History, generator: np.random.Generator) -> WeightedWorlds:
        """Return the chances of the worlds after a history; the player is to move.

        Raise NothingPossibleError when no game has the history.
        """
        unknown, before = [], history
        while True:
            if not before:  # another game begins
                self._worlds.clear()
                self.is_exact = True
            if before in self._worlds:
                break
            unknown.append(before)
            last = last_attempt(before)
            if last < 0:
                break
            before = before[:last]
        for each in reversed(unknown):
            self._worlds[each] = self._follow(each, generator)
        return self._worlds[history]

    def _follow(self, history: History, generator: np.random.Generator) -> WeightedWorlds:
        """Return the worlds after a history, given those before its last attempt."""
        last = last_attempt(history)
        sounds = history[last + 1 :]
        if last < 0:
            worlds: WeightedWorlds = {(0, 0): 1.0}
            if self._color is Color.WHITE:
                worlds = self._after_turn(worlds, 0, sounds)
        else:
            before = self._worlds[history[:last]]
            worlds = self._after_attempt(before, history[: last + 1], sounds)
        self.is_exact &= 0 < len(worlds) <= self._most
        if not worlds:
            restart = guesses(self._rules, self._color, history, AGAIN, generator)
            worlds = defaultdict(float)
            for stones, weight in restart:
                worlds[stones, 0] += weight
        likeliest = sorted(worlds.items(), key=lambda item: (-item[1], item[0]))[: self._most]
        total = sum(chance for _, chance in likeliest)
        return {world: chance / total for world, chance in likeliest}

    def _after_attempt(
        self, before: WeightedWorlds, history: History, heard: History
    ) -> WeightedWorlds:
        """Return the worlds after the last attempt of a history and the sounds that followed."""
        cell, collided = history[-1] >> 1, bool(history[-1] & 1)
        fits = {w: chance for w, chance in before.items() if bool(w[0] >> cell & 1) is collided}
        if collided and self._rules.base is Base.CLASSIC:
            return fits
        return self._after_turn(fits, view(history).own, heard)

    def _after_turn(self, before: WeightedWorlds, mine: Mask, heard: History) -> WeightedWorlds:
        """Return the worlds after a turn of the opponent in which exactly `heard` was heard."""
        worlds: defaultdict[World, float] = defaultdict(float)
        # By world and number of sounds heard; equal results of several collisions are merged.
        now: dict[tuple[World, int], float] = {(world, 0): part for world, part in before.items()}
        while now:
            later: defaultdict[tuple[World, int], float] = defaultdict(float)
            for (world, count), chance in now.items():
                stop.check()
                if self._keeps_all and len(worlds) > self._most:
                    raise _TooManyWorldsError
                self._attempts(world, count, chance, mine, heard, (worlds, later))
            now = later
        return worlds

    def _attempts(
        self,
        world: World,
        count: int,
        chance: float,
        mine: Mask,
        heard: History,
        out: tuple[WeightedWorlds, dict[tuple[World, int], float]],
    ) -> None:
        """Add the worlds after the opponent's next attempt to `out`: turn over, or not over.

        count  the number of sounds in `heard` that came before
        """
        rules, opponent = self._rules, self._color.opponent
        stones, hit = world
        over, later = out
        for cell, share in self._model(rules, opponent, View(stones, hit)).items():
            bit = 1 << cell
            if not mine & bit:
                if count == len(heard) and not rules.connects(opponent, stones | bit):
                    over[stones | bit, hit] += chance * share
                continue
            sound = heard_symbol(rules.noise, cell, placed=False)
            if sound is not None and heard[count : count + 1] != (sound,):
                continue
            after = (stones, hit | bit), count + (sound is not None)
            if rules.base is Base.CLASSIC:
                later[after] += chance * share
            elif after[1] == len(heard):
                over[after[0]] += chance * share


# The likelihood of each hidden stone, and the risk of each attempt.
#
# On small boards all worlds are followed from turn to turn, and the chances are
# exact under the model of the opponent. If there are too many worlds, guesses
# that fit the history, drawn as above, replace them.

MOST_CELLS = 25  # the largest board on which all worlds are followed
MOST_WORLDS = 20_000
GUESSES = 400  # guesses in place of the worlds
LOOKED_AT = 100  # boards whose fillings are evaluated


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of an attempt.

    cell       the cell to attempt
    hit        the chance of a hidden stone on it
    if_placed, if_hit  the chance to win in random fillings after either outcome; None if the
               outcome is impossible
    """

    cell: Cell
    hit: float
    if_placed: float | None
    if_hit: float | None

    @property
    def value(self) -> float:
        """The chance to win after the attempt."""
        return (1 - self.hit) * (self.if_placed or 0.0) + self.hit * (self.if_hit or 0.0)


@dataclass(frozen=True)
class Likelihood:
    """The boards that are possible for a player who is to move, with chances that sum to 1.

    rules     the game
    color     the player
    view      the stones that the player knows
    boards    the opponent's stones, found ones included; the likeliest first
    is_exact  whether these are all boards, not guesses
    """

    rules: DarkRules
    color: Color
    view: View
    boards: tuple[Guess, ...]
    is_exact: bool

    def hidden(self) -> dict[Cell, float]:
        """Return the chance of a hidden stone on each unknown cell."""
        chances = dict.fromkeys(self.rules.unknown(self.view), 0.0)
        for stones, chance in self.boards:
            for cell in cells_in(stones & ~self.view.known):
                chances[cell] += chance
        return chances

    @property
    def evenness(self) -> float:
        """The effective number of boards: equally likely ones that are as informative."""
        return 1 / sum(chance**2 for _, chance in self.boards)

    def numbers(self) -> tuple[int, int]:
        """Return the least and the greatest possible number of hidden stones."""
        counts = [(stones & ~self.view.known).bit_count() for stones, _ in self.boards]
        return min(counts), max(counts)

    @cached_property
    def sample(self) -> list[tuple[Position, float]]:
        """The boards to evaluate, as open positions with weights: all, or a sample of many.

        The sample takes boards at equal steps of weight, which is unbiased and repeatable.
        """
        boards: list[Guess] = list(self.boards)
        if len(boards) > LOOKED_AT:
            ends = np.cumsum([chance for _, chance in boards])
            picks = np.searchsorted(ends, (np.arange(LOOKED_AT) + 0.5) / LOOKED_AT * ends[-1])
            numbers = np.bincount(picks, minlength=len(boards)) / LOOKED_AT
            boards = [(boards[i][0], float(numbers[i])) for i in np.flatnonzero(numbers)]
        return [
            (view_position(self.rules.board, self.color, View(self.view.own, stones)), chance)
            for stones, chance in boards
        ]

    @cached_property
    def _odds(self) -> list[tuple[Odds, float]]:
        return [(exact(position), weight) for position, weight in self.sample]

    def chance(self) -> float | None:
        """Return the chance to win in random fillings; None if the board is too large."""
        if not is_reachable(self.sample[0][0]):
            return None
        return sum(weight * odds.chance(self.color) for odds, weight in self._odds)

    def risks(self) -> list[Risk]:
        """Return the risk of each attempt, the best first; none if the board is too large."""
        if not is_reachable(self.sample[0][0]):
            return []
        risks = []
        hidden = self.hidden()
        for cell in self.rules.unknown(self.view):
            # A random filling gives the cell to the player half the time, so a stone gains
            # only the other half.
            miss, hit = _Mean(), _Mean()
            for odds, weight in self._odds:
                if cell in odds.critical:
                    miss.add(odds.chance_after(cell, self.color), weight)
                else:
                    hit.add(odds.chance(self.color), weight)
            risks.append(Risk(cell, hidden[cell], miss.value, hit.value))
        return sorted(risks, key=lambda risk: (-risk.value, risk.cell))


class _Mean:
    """A weighted mean."""

    def __init__(self) -> None:
        self._sum = self._weight = 0.0

    def add(self, value: float, weight: float) -> None:
        self._sum += value * weight
        self._weight += weight

    @property
    def value(self) -> float | None:
        return self._sum / self._weight if self._weight else None


def likelihood(rules: DarkRules, color: Color, history: History) -> Likelihood:
    """Return the likelihood of the boards for a player who is to move, by the model `careless`.

    The same history gives the same answer. It is exact if all worlds can be followed, else it
    comes from guesses.
    """
    generator = np.random.default_rng(0)
    exactly = _infer(rules, color, history, careless, generator)
    if exactly is not None:
        return exactly
    weights = guesses(rules, color, history, GUESSES, generator)
    return _of_boards(rules, color, history, weights, is_exact=False)


def exact_likelihood(
    rules: DarkRules, color: Color, history: History, model: OpponentModel
) -> Likelihood | None:
    """Return the likelihood by any model; None if not all worlds can be followed."""
    return _infer(rules, color, history, model, np.random.default_rng(0))


def _infer(
    rules: DarkRules,
    color: Color,
    history: History,
    model: OpponentModel,
    generator: np.random.Generator,
) -> Likelihood | None:
    if rules.board.size > MOST_CELLS:
        return None
    inference = Inference(rules, color, model, most=MOST_WORLDS, keeps_all=True)
    try:
        worlds = inference.worlds(history, generator)
    except _TooManyWorldsError:
        return None
    if not inference.is_exact:
        return None
    weights = ((stones, chance) for (stones, _), chance in worlds.items())
    return _of_boards(rules, color, history, weights, is_exact=True)


def _of_boards(
    rules: DarkRules, color: Color, history: History, weights: Iterable[Guess], *, is_exact: bool
) -> Likelihood:
    chances: defaultdict[Mask, float] = defaultdict(float)
    for stones, weight in weights:
        chances[stones] += weight
    total = sum(chances.values())
    boards = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    shares = tuple((stones, chance / total) for stones, chance in boards)
    return Likelihood(rules, color, view(history), shares, is_exact)
