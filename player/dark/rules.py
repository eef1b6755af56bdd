"""The rules of the six games of Dark Hex.

Neither player sees the other's stones. A player attempts a cell that is empty
as far as they know. If a hidden stone lies there, the attempt is a *collision*,
which reveals that stone to them. In *classic* Dark Hex they then try again, in
*abrupt* Dark Hex their turn is lost. The noise is what the other player hears
of a collision: nothing, that it happened, or where.

Sets of cells are plain integers here, one bit a cell, because states are keys of
large tables. Black moves first; there is no swap.
"""

import enum
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from hsearch.formats.error import quote
from hsearch.hex import Board, Cell, Color, Position, cells_in
from hsearch.hex.board import borders, cell_set, flood, flood_from_edge, neighbor_sets

Mask: TypeAlias = int
Pair: TypeAlias = tuple[Mask, Mask]


class Base(enum.StrEnum):
    """Cost of a collision: nothing (`classic`) or the turn (`abrupt`)."""

    CLASSIC = "classic"
    ABRUPT = "abrupt"


class Noise(enum.StrEnum):
    """What the other player hears of a collision: nothing, that it happened, or where."""

    SILENT = "silent"
    NOISY = "noisy"
    FLASH = "flash"


class IllegalAttemptError(ValueError):
    """An attempt at a cell that the player knows to be occupied."""


@dataclass(frozen=True, slots=True)
class DarkPosition:
    """The stones of both players, as the referee sees them.

    stones  Black's stones, and White's
    known   the opponent's stones that Black has found, and those that White has found
    turn    the player to move
    """

    stones: Pair = (0, 0)
    known: Pair = (0, 0)
    turn: Color = Color.BLACK

    @property
    def unavailable(self) -> Mask:
        """The cells that the player to move knows to be occupied."""
        return self.stones[self.turn] | self.known[self.turn]


@dataclass(frozen=True, slots=True)
class DarkRules:
    """One game of Dark Hex.

    board       the board
    base        what a collision costs
    noise       what the other player hears of it
    until_full  play on after a connection until the board is full; there are
                no values then, only games to count
    """

    board: Board
    base: Base = Base.CLASSIC
    noise: Noise = Noise.SILENT
    until_full: bool = False

    @property
    def name(self) -> str:
        """The name of the game, such as `3x2-abrupt-flash`."""
        return f"{self.board}-{self.base}-{self.noise}"

    @property
    def full(self) -> Mask:
        """All cells."""
        return (1 << self.board.size) - 1

    def legal(self, state: DarkPosition) -> list[Cell]:
        """Return the cells that the player to move may attempt, in order."""
        return list(cells_in(self.full & ~state.unavailable))

    def unknown(self, view: "View") -> list[Cell]:
        """Return the cells that are empty as far as a player with this view knows, in order."""
        return list(cells_in(self.full & ~view.own & ~view.known))

    def attempt(self, state: DarkPosition, cell: Cell) -> tuple[DarkPosition, bool]:
        """Return the state after an attempt, and whether a stone was placed.

        Raise IllegalAttemptError when the player knows the cell to be occupied.
        """
        turn, bit = state.turn, 1 << cell
        if not 0 <= cell < self.board.size or state.unavailable & bit:
            name = self.board.name(cell) if 0 <= cell < self.board.size else cell
            raise IllegalAttemptError(
                f"{turn.word} cannot attempt {name!r}: not empty to that player"
            )
        if state.stones[turn.opponent] & bit:
            after = turn if self.base is Base.CLASSIC else turn.opponent
            return DarkPosition(state.stones, _with(state.known, turn, bit), after), False
        return DarkPosition(_with(state.stones, turn, bit), state.known, turn.opponent), True

    def connects(self, color: Color, stones: Mask) -> bool:
        """Return whether the stones join the edges of their color."""
        return _connects(self.board, color, stones)

    def winner(self, state: DarkPosition) -> Color | None:
        """Return the player whose stones join their edges; None if there is none."""
        return next((c for c in Color if self.connects(c, state.stones[c])), None)

    def is_over(self, state: DarkPosition) -> bool:
        """Return whether the game has ended."""
        if self.until_full:
            return state.stones[0] | state.stones[1] == self.full
        return self.winner(state) is not None


def winning_cells(board: Board, color: Color, stones: Mask) -> Mask:
    """Return the cells that join the edges of a color, if one more stone is placed there."""
    around, result = neighbor_sets(board), ~stones
    for start in borders(board, color):
        rim = start
        for cell in cells_in(flood(board, start, stones)):
            rim |= around[cell]
        result &= rim
    return result


@lru_cache(maxsize=1 << 18)
def _connects(board: Board, color: Color, stones: Mask) -> bool:
    return bool(flood_from_edge(board, color, stones) & borders(board, color)[1])


def _with(pair: Pair, color: Color, bit: Mask) -> Pair:
    return (pair[0] | bit, pair[1]) if color is Color.BLACK else (pair[0], pair[1] | bit)


# What a player of Dark Hex knows.
#
# The *information state* of a player is their action-observation history: their own
# attempts with their outcomes, and what they heard, in order. It has perfect
# recall. The *view* of a history, own stones and found stones, is an abstraction
# of it: it forgets the order, and what was heard.
#
# A history is a tuple of symbols. With three cells a1 b1 c1::
#
#     a1       0   placed a stone at a1
#     a1x      1   collided at a1
#     b1       2   ...
#     ?       -1   heard that the opponent collided somewhere
#     !a1     -2   heard that the opponent collided with the stone at a1

Symbol: TypeAlias = int
History: TypeAlias = tuple[Symbol, ...]

SOME_COLLISION: Symbol = -1


def own_symbol(cell: Cell, *, placed: bool) -> Symbol:
    """Return what a player observes of their own attempt."""
    return 2 * cell + (not placed)


def heard_symbol(noise: Noise, cell: Cell, *, placed: bool) -> Symbol | None:
    """Return what the other player hears of an attempt; None if that is nothing."""
    if placed or noise is Noise.SILENT:
        return None
    return SOME_COLLISION if noise is Noise.NOISY else -2 - cell


def last_attempt(history: History) -> int:
    """Return the index of the player's last attempt in a history; -1 if there is none."""
    return next((at for at in reversed(range(len(history))) if history[at] >= 0), -1)


@dataclass(frozen=True, slots=True)
class View:
    """The view of a player: their own stones, and the opponent's stones they have found."""

    own: Mask = 0
    known: Mask = 0


def view(history: History) -> View:
    """Return the view of a history, without its order and what was heard."""
    masks = [0, 0]
    for symbol in history:
        if symbol >= 0:
            masks[symbol & 1] |= 1 << (symbol >> 1)
    return View(*masks)


def view_position(board: Board, color: Color, stones: View) -> Position:
    """Return the position of the stones in a view, with its player to move."""
    mine, others = (cell_set(cells_in(mask), board.size) for mask in (stones.own, stones.known))
    black, white = (mine, others) if color is Color.BLACK else (others, mine)
    return Position(board, black, white, color)


def with_sounds(rules: DarkRules, history: History) -> list[History]:
    """Return a history and its continuations by what may be heard of the opponent's turn."""
    if rules.noise is Noise.SILENT:
        return [history]
    stones = [symbol >> 1 for symbol in history if symbol >= 0 and not symbol & 1]
    heard = [symbol for symbol in history if symbol < 0]
    if rules.noise is Noise.NOISY:
        rest = [SOME_COLLISION] * (len(stones) - len(heard))
    else:
        sounds = (heard_symbol(rules.noise, cell, placed=False) for cell in stones)
        rest = [sound for sound in sounds if sound is not None and sound not in heard]
    result = [history]
    for sound in sorted(set(rest)):
        after = (*history, sound)
        result += [after] if rules.base is Base.ABRUPT else with_sounds(rules, after)
    return result


@dataclass(frozen=True, slots=True)
class Play:
    """A game in progress: the referee's state and both players' histories."""

    rules: DarkRules
    state: DarkPosition = field(default_factory=DarkPosition)
    histories: tuple[History, History] = ((), ())

    def attempt(self, cell: Cell) -> "Play":
        """Return the game after the player to move attempts a cell.

        Raise IllegalAttemptError when that player knows the cell to be occupied.
        """
        color = self.state.turn
        state, placed = self.rules.attempt(self.state, cell)
        histories = list(self.histories)
        histories[color] += (own_symbol(cell, placed=placed),)
        heard = heard_symbol(self.rules.noise, cell, placed=placed)
        if heard is not None:
            histories[color.opponent] += (heard,)
        return replace(self, state=state, histories=(histories[0], histories[1]))

    def information_state(self, color: Color) -> History:
        """Return all that a player knows."""
        return self.histories[color]


def write(board: Board, history: History) -> str:
    """Return a history as text, such as `b2 a1x ?`; the empty one is empty."""
    return " ".join(_word(board, symbol) for symbol in history)


def read(board: Board, text: str) -> History:
    """Return the history of a text; raise ValueError at a word that is not a symbol."""
    symbols = _symbols(board)
    return tuple(
        [symbols[word] if word in symbols else _symbol(board, word) for word in text.split()]
    )


@lru_cache(maxsize=16)
def _symbols(board: Board) -> dict[str, Symbol]:
    """Return all symbols by their words: a file repeats them a million times."""
    own = range(2 * board.size)
    return {_word(board, symbol): symbol for symbol in (*own, *range(-1 - board.size, 0))}


def _word(board: Board, symbol: Symbol) -> str:
    if symbol == SOME_COLLISION:
        return "?"
    if symbol < 0:
        return "!" + board.name(-2 - symbol)
    return board.name(symbol >> 1) + "x" * (symbol & 1)


def _symbol(board: Board, word: str) -> Symbol:
    match = re.fullmatch(r"(\?)|!([a-z0-9]{1,9})|([a-z]{1,4}[0-9]{1,4})(x?)", word)
    if match is None:
        raise ValueError(f"not an observation: {quote(word)}")
    if match[1]:
        return SOME_COLLISION
    if match[2]:
        return -2 - board.cell(match[2])
    return own_symbol(board.cell(match[3]), placed=not match[4])
