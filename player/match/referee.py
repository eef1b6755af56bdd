"""The referee: asks the players in turn, and says who has won and why.

Whoever moves illegally, too late or not at all loses. The game is saved after
every move, so that nothing is lost but the move under way.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hsearch.board import Cell, Color
from hsearch.formats import sgf
from hsearch.game import Game, Move, Special
from hsearch.position import IllegalMoveError, Position, winner
from player.engine import Choice, Player, PlayerError, Terms

Watcher = Callable[[Game, Choice], None]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a match.

    seconds  the most time for a move; None is no limit
    grace    how much longer a move may take before it is too late
    swap     whether the second player may swap
    """

    seconds: float | None = None
    grace: float = 0.1
    swap: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    winner   who won
    how      `chain`, `resign`, `time`, `illegal` or `failed`
    reason   one line that says more
    game     the record, with the result
    seconds  how long each move took, in order
    """

    winner: Color
    how: str
    reason: str
    game: Game
    seconds: tuple[float, ...]


_NO_RULES = Rules()

# How SGF writes the ways to lose.
_RESULT = {
    "chain": "",
    "resign": "Resign",
    "time": "Time",
    "illegal": "Forfeit",
    "failed": "Forfeit",
}


def play(  # noqa: PLR0913 - a match needs two players, a board, and what may be chosen
    black: Player,
    white: Player,
    game: Game,
    generator: np.random.Generator,
    *,
    rules: Rules = _NO_RULES,
    save: Path | None = None,
    watch: Watcher | None = None,
) -> Outcome:
    """Play a game on to its end, from wherever it stands.

    The players keep their colors; a swap reflects the stone. `watch` is called
    after each move. Raise ValueError when the game is over already, and OSError
    when it cannot be saved.
    """
    if winner(game.position()) is not None:
        raise ValueError("the game is over already")
    players = {Color.BLACK: black, Color.WHITE: white}
    game = replace(game, info=(*game.info, ("PB", black.name), ("PW", white.name)))
    seconds: list[float] = []
    lost: tuple[str, str] | None = None
    for color in Color:
        lost = lost or _prepared(players[color], game)
        if lost is not None:
            return _ended(game, color.opponent, *lost, seconds, save)
    while True:
        position = game.position()
        color = position.turn
        begin = time.perf_counter()
        try:
            choice = players[color].choose(game, _terms(game, rules), generator)
        except PlayerError as error:
            seconds.append(time.perf_counter() - begin)
            return _ended(game, color.opponent, "failed", str(error), seconds, save)
        seconds.append(time.perf_counter() - begin)
        lost = _fault(game, choice, seconds[-1], rules)
        if lost is not None:
            return _ended(game, color.opponent, *lost, seconds, save)
        game = game.append(Move(color, choice.action))
        _save(game, save)
        if watch is not None:
            watch(game, choice)
        if choice.action is Special.RESIGN:
            return _ended(game, color.opponent, "resign", "", seconds, save)
        won = winner(game.position())
        if won is not None:
            return _ended(game, won, "chain", "", seconds, save)


def may_swap(position: Position) -> bool:
    """Return whether the player to move may take over the opponent's only stone."""
    try:
        position.swap()
    except IllegalMoveError:
        return False
    return True


def _prepared(player: Player, game: Game) -> tuple[str, str] | None:
    try:
        player.prepare(game.board)
    except PlayerError as error:
        return "failed", str(error)
    return None


def _terms(game: Game, rules: Rules) -> Terms:
    return Terms(seconds=rules.seconds, swap=rules.swap and len(game.moves) <= 1)


def _fault(game: Game, choice: Choice, seconds: float, rules: Rules) -> tuple[str, str] | None:
    """Return how a move loses, and why; None if it does not."""
    if rules.seconds is not None and seconds > rules.seconds + rules.grace:
        return "time", f"{seconds:.2f} s for a move, {rules.seconds:.2f} s allowed"
    broken = _broken_rule(game, choice.action, rules)
    return None if broken is None else ("illegal", broken)


def _broken_rule(game: Game, action: Cell | Special, rules: Rules) -> str | None:
    """Return why a move is illegal; None if it is legal."""
    position = game.position()
    if not isinstance(action, Special):
        return None if position.is_legal(action) else f"{position.board.name(action)} is not empty"
    if action is Special.SWAP_PIECES:
        is_due = rules.swap and len(game.moves) == 1 and may_swap(position)
        return None if is_due else "swap is not allowed here"
    return None if action is Special.RESIGN else f"{action.value} is no move of a match"


def _ended(
    game: Game, won: Color, how: str, reason: str, seconds: list[float], save: Path | None
) -> Outcome:
    letter = won.word[0].upper()
    game = replace(game, info=(*game.info, ("RE", f"{letter}+{_RESULT[how]}")))
    _save(game, save)
    return Outcome(won, how, reason, game, tuple(seconds))


def _save(game: Game, path: Path | None) -> None:
    if path is not None:
        path.write_text(sgf.write(game), encoding="utf-8")
