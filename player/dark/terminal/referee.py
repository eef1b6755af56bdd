"""Sentences of the referee of Dark Hex: the rules, and what a player hears."""

from hsearch.board import Board, Color
from player.dark.information import SOME_COLLISION, History, Symbol
from player.dark.rules import Base, DarkRules, Noise

_BASES = {
    Base.CLASSIC: "You do not see the other stones. Whoever hits a hidden stone tries again",
    Base.ABRUPT: "You do not see the other stones. Whoever hits a hidden stone has lost the turn",
}
_NOISES = {
    Noise.SILENT: "the other player is not told.",
    Noise.NOISY: "the other player is told that it happened, but not where.",
    Noise.FLASH: "the other player is told where.",
}


def explained(rules: DarkRules) -> str:
    """Return what a hidden stone means in these rules."""
    return f"{_BASES[rules.base]}; {_NOISES[rules.noise]}"


def said(rules: DarkRules, color: Color, symbol: Symbol) -> str:
    """Return what a player is told at one observation."""
    other = color.opponent.word.capitalize()
    if symbol == SOME_COLLISION:
        return f"{other} has hit a stone of yours."
    if symbol < 0:
        return f"{other} has hit your stone on {rules.board.name(-2 - symbol)}."
    name = rules.board.name(symbol >> 1)
    if not symbol & 1:
        return f"Your stone lies on {name}."
    then = "Try again." if rules.base is Base.CLASSIC else "Your turn is lost."
    return f"A hidden stone lies on {name}. {then}"


def remembered(board: Board, history: History) -> str:
    """Return a line with all that a player has attempted and heard."""
    if not history:
        return "Nothing was attempted yet, and nothing heard"
    return "So far: " + ", ".join(_word(board, symbol) for symbol in history)


def _word(board: Board, symbol: Symbol) -> str:
    if symbol == SOME_COLLISION:
        return "heard a hit"
    if symbol < 0:
        return f"heard a hit on {board.name(-2 - symbol)}"
    return board.name(symbol >> 1) + (" (hidden stone)" if symbol & 1 else "")
