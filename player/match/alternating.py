"""Hex as it is mostly played: the players take turns, and the second may swap."""

from collections.abc import Callable, Mapping

import numpy as np

from hsearch.board import Cell, Color
from hsearch.game import Game, Move, Special
from hsearch.position import IllegalMoveError, Position
from player.engine import ALTERNATING, MoveRequest, Player, player
from player.match.outcome import MatchRules
from player.match.referee import LostError, Referee
from player.match.variant import Variant


class Alternating(Variant[Player]):
    """The variant of ordinary turns; it has no options."""

    name = text = ALTERNATING
    games_per_opening = 2

    def player(self, spec: str) -> Player:
        """Return a new player for its text."""
        return player(spec)

    def start(self, game: Game, _meeting: int = 0) -> Game:
        """Return the record as it is; raise ValueError when nothing tells whose turn it is."""
        game.position()
        return game

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return the names of the moves."""
        return tuple(move.name(game.board) for move in game.moves)

    def turn(
        self, referee: Referee, players: Mapping[Color, Player], generator: np.random.Generator
    ) -> Callable[[], Color | None]:
        """Return what lets the player to move choose; a swap reflects the stone, colors stay."""

        def turn() -> Color | None:
            now = referee.game
            color, terms = now.position().turn, _terms(now, referee.rules)
            choice = referee.ask(color, lambda: players[color].choose(now, terms, generator))
            broken = _broken_rule(now, choice.action, referee.rules)
            if broken is not None:
                raise LostError(color, "illegal", broken)
            won = referee.add(now.append(Move(color, choice.action)), choice)
            if choice.action is Special.RESIGN:
                raise LostError(color, "resign")
            return won

        return turn


def may_swap(position: Position) -> bool:
    """Return whether the player to move may take over the opponent's only stone."""
    try:
        position.swap()
    except IllegalMoveError:
        return False
    return True


def _terms(game: Game, rules: MatchRules) -> MoveRequest:
    return MoveRequest(seconds=rules.seconds, swap=rules.swap and len(game.moves) <= 1)


def _broken_rule(game: Game, action: Cell | Special, rules: MatchRules) -> str | None:
    """Return why a move is illegal; None if it is legal."""
    position = game.position()
    if not isinstance(action, Special):
        return None if position.is_legal(action) else f"{position.board.name(action)} is not empty"
    if action is Special.SWAP_PIECES:
        is_due = rules.swap and len(game.moves) == 1 and may_swap(position)
        return None if is_due else "swap is not allowed here"
    return None if action is Special.RESIGN else f"{action.value} is no move of a match"


play = Alternating().play
