"""Knowledge of a player of Dark Hex.

The *information state* of a player is their action-observation history: their own
attempts with their outcomes, and what they heard, in order. It has perfect
recall. The *view* of a history, own stones and found stones, forgets the
order; it is an abstraction and nothing more.

A history is a tuple of symbols. With three cells a1 b1 c1::

    a1       0   placed a stone at a1
    a1x      1   collided at a1
    b1       2   ...
    ?       -1   heard that the opponent collided somewhere
    !a1     -2   heard that the opponent collided with the stone at a1
"""

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from hsearch.board import Board, Cell, Color
from hsearch.cells import cell_set, cells_in
from hsearch.position import Position
from player.dark.rules import DarkRules, Mask, Noise, State

Symbol: TypeAlias = int
History: TypeAlias = tuple[Symbol, ...]

SOME_COLLISION: Symbol = -1


def own_symbol(cell: Cell, *, placed: bool) -> Symbol:
    """Return what the player who attempts a cell sees."""
    return 2 * cell + (not placed)


def heard_symbol(noise: Noise, cell: Cell, *, placed: bool) -> Symbol | None:
    """Return what the other player hears of an attempt; None if nothing."""
    if placed or noise is Noise.SILENT:
        return None
    return SOME_COLLISION if noise is Noise.NOISY else -2 - cell


@dataclass(frozen=True, slots=True)
class View:
    """View of a player: their own stones, and the opponent's that they found."""

    own: Mask = 0
    known: Mask = 0


def view(history: History) -> View:
    """Return the view of a history: all but the order, and what was heard."""
    masks = [0, 0]
    for symbol in history:
        if symbol >= 0:
            masks[symbol & 1] |= 1 << (symbol >> 1)
    return View(*masks)


def seen_position(board: Board, color: Color, seen: View) -> Position:
    """Return what a player sees as if it were all, with them to move."""
    mine, others = (cell_set(cells_in(mask), board.size) for mask in (seen.own, seen.known))
    black, white = (mine, others) if color is Color.BLACK else (others, mine)
    return Position(board, black, white, color)


@dataclass(frozen=True, slots=True)
class Play:
    """A game in progress: the referee's state and both players' histories."""

    rules: DarkRules
    state: State = field(default_factory=State)
    histories: tuple[History, History] = ((), ())

    def attempt(self, cell: Cell) -> "Play":
        """Return the game after the player to move attempts a cell.

        Raise IllegalAttemptError when they know the cell to be occupied.
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
    """Return the history of a text; raise ValueError at a word that is no symbol."""
    known = _symbols(board)
    return tuple([known[word] if word in known else _symbol(board, word) for word in text.split()])


@lru_cache(maxsize=16)
def _symbols(board: Board) -> dict[str, Symbol]:
    """Return all symbols by their words, which come a million times in a file."""
    own = range(2 * board.size)
    return {_word(board, symbol): symbol for symbol in (*own, *range(-1 - board.size, 0))}


def _word(board: Board, symbol: Symbol) -> str:
    if symbol == SOME_COLLISION:
        return "?"
    if symbol < 0:
        return "!" + board.name(-2 - symbol)
    return board.name(symbol >> 1) + "x" * (symbol & 1)


def _symbol(board: Board, word: str) -> Symbol:
    match = re.fullmatch(r"(\?)|!([a-z0-9]+)|([a-z]+[0-9]+)(x?)", word)
    if match is None:
        raise ValueError(f"not an observation: {word!r}")
    if match[1]:
        return SOME_COLLISION
    if match[2]:
        return -2 - board.cell(match[2])
    return own_symbol(board.cell(match[3]), placed=not match[4])
