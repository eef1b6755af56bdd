"""One match under way: the record so far, the clocks, and how a player loses by a fault.

Whoever moves illegally, too late or not at all loses, in every variant. The
game is saved after every move, so that nothing is lost but the move under way.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from hsearch.board import Cell, Color
from hsearch.files.whole import write_whole
from hsearch.formats import sgf
from hsearch.game import Game, Special
from hsearch.position import Position
from player.clock import spent
from player.engine import Choice, Participant, PlayerError
from player.match.outcome import MatchRules, Outcome, Watcher
from player.session import GameSession, SessionState

T = TypeVar("T")

NO_RULES = MatchRules()

# How SGF writes the ways to lose.
_RESULT = {
    "chain": "",
    "resign": "Resign",
    "time": "Time",
    "illegal": "Forfeit",
    "failed": "Forfeit",
}


class LostError(Exception):
    """A player has lost otherwise than on the board."""

    def __init__(self, loser: Color, how: str, reason: str = "") -> None:
        super().__init__(reason)
        self.loser, self.how = loser, how


class Referee:
    """Lets two players play a game, and decides who has lost by a fault. Holds state."""

    def __init__(
        self,
        players: Mapping[Color, Participant],
        game: Game,
        *,
        rules: MatchRules = NO_RULES,
        save: Path | None = None,
        watch: Watcher | None = None,
    ) -> None:
        """Sit down to a game. Raise ValueError when it is over already."""
        names = (("PB", players[Color.BLACK].name), ("PW", players[Color.WHITE].name))
        self.session = GameSession(replace(game, info=(*game.info, *names)))
        if self.session.winner is not None:
            raise ValueError("the game is over already")
        self.players, self.rules = players, rules
        self._save, self._watch = save, watch
        self._seconds: list[float] = []
        self._thinkers: list[Color] = []

    @property
    def game(self) -> Game:
        """The record so far."""
        return self.session.game

    def played(self, turn: Callable[[], Color | None]) -> Outcome:
        """Play turn by turn, until one returns who has won or raises LostError.

        Raise OSError when the game cannot be saved.
        """
        won: Color | None = None
        try:
            self._prepare()
            while won is None:
                won = turn()
            return self._ended(won, "chain", "")
        except LostError as lost:
            return self._ended(lost.loser.opponent, lost.how, str(lost))

    def ask(self, color: Color, think: Callable[[], T]) -> T:
        """Return what a player thinks of; raise LostError when that fails or takes too long."""
        self._thinkers.append(color)
        begin = spent()
        try:
            found = think()
        except PlayerError as error:
            raise LostError(color, "failed", str(error)) from error
        finally:
            self._seconds.append(spent() - begin)
        limit = self.rules.seconds
        if limit is not None and self._seconds[-1] > limit + self.rules.grace:
            reason = f"{self._seconds[-1]:.2f} s for a move, {limit:.2f} s allowed"
            raise LostError(color, "time", reason)
        return found

    def add(self, game: Game, choice: Choice) -> Color | None:
        """Go on with a record that is a move longer; return who has won by now."""
        self.session.go_on(SessionState.of(game))
        self._keep()
        if self._watch is not None:
            self._watch(game, choice)
        return self.session.winner

    def _prepare(self) -> None:
        for color in Color:
            try:
                self.players[color].prepare(self.game.board)
            except PlayerError as error:
                raise LostError(color, "failed", str(error)) from error

    def _ended(self, won: Color, how: str, reason: str) -> Outcome:
        letter = won.word[0].upper()
        result = ("RE", f"{letter}+{_RESULT[how]}")
        game = replace(self.game, info=(*self.game.info, result))
        if reason:
            game = _remarked(game, f"{won.opponent.word.capitalize()} lost: {reason}")
        self.session.rewrite(game)
        self._keep()
        return Outcome(won, how, reason, self.game, tuple(self._seconds), tuple(self._thinkers))

    def _keep(self) -> None:
        if self._save is not None:
            write_whole(self._save, sgf.write(self.game))


def stone(position: Position, color: Color, action: Cell | Special) -> Cell:
    """Return the cell of a move where a stone must be played; raise LostError otherwise."""
    if action is Special.RESIGN:
        raise LostError(color, "resign")
    if isinstance(action, Special):
        raise LostError(color, "illegal", f"{action.value} is no move of this variant")
    if not position.is_legal(action):
        raise LostError(color, "illegal", f"{position.board.name(action)} is not empty")
    return action


def reruled(game: Game, text: str) -> Game:
    """Return the record with the text of a variant as its rules."""
    info = tuple(entry for entry in game.info if entry[0] != "RU")
    return replace(game, info=(*info, ("RU", text)))


def _remarked(game: Game, text: str) -> Game:
    """Return the record with a remark on its last move."""
    last = len(game.main_line) - 1
    node = game.nodes[last]
    node = replace(node, comment="\n".join(filter(None, (node.comment, text))))
    return replace(game, nodes=(*game.nodes[:last], node, *game.nodes[last + 1 :]))
