"""Dark Hex as a variant: the referee knows all stones, each player only what they were told."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from hsearch.board import Board, Color
from hsearch.game import Game, Special
from player.dark.match.record import attempted, opened, replayed, words
from player.dark.player import DarkPlayer
from player.dark.rules import Base, DarkRules, IllegalAttemptError, Noise
from player.engine import PlayerError, participant
from player.match.referee import LostError, Referee
from player.match.variant import Variant


class Dark(Variant[DarkPlayer]):
    """One of the two bases, with its noise."""

    games_per_opening = 2

    def __init__(self, base: Base, noise: Noise = Noise.SILENT) -> None:
        """Take what a collision costs, and what the other player hears of it."""
        self.base, self.noise = base, noise
        self.name = f"dark-{base}"
        self.text = self.name if noise is Noise.SILENT else f"{self.name}:noise={noise}"

    def rules(self, board: Board) -> DarkRules:
        """Return the rules on a board."""
        return DarkRules(board, self.base, self.noise)

    def player(self, spec: str) -> DarkPlayer:
        """Return a new player for its text."""
        made: DarkPlayer = participant(spec, self.name)
        return made

    def check(self, player: DarkPlayer, board: Board) -> None:
        """Let a player study the rules; raise PlayerError when they cannot play by them."""
        player.prepare(board)
        player.study(self.rules(board))

    def start(self, game: Game, _meeting: int = 0) -> Game:
        """Return the record as a game of hidden stones, its attempts open.

        Raise ValueError when it is one of other noise, has moves that were
        played in the open, or contradicts itself.
        """
        rules, said = self.rules(game.board), game.about("RU") or ""
        if said.partition(":")[0] == self.name:
            if said != self.text:
                raise ValueError(f"a game of {said}, not of {self.text}")
            found = opened(rules, game.cut())
            replayed(rules, found)
            return found
        if game.moves or any(node.is_setup for node in game.main_line):
            raise ValueError("a game of hidden stones starts from the empty board")
        info = tuple(entry for entry in game.info if entry[0] != "RU")
        return replace(game.cut(), info=(*info, ("RU", self.text)))

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return all attempts, as `black b2` or `white b2 collision`."""
        return words(game)

    def turn(
        self, referee: Referee, players: Mapping[Color, DarkPlayer], generator: np.random.Generator
    ) -> Callable[[], Color | None]:
        """Return what lets a player attempt a cell, by their information state and no more."""
        play = replayed(self.rules(referee.game.board), referee.game)
        has_begun = False

        def turn() -> Color | None:
            nonlocal play, has_begun
            if not has_begun:
                has_begun = True
                for color in Color:
                    study(players[color], play.rules, color)
            color = play.state.turn
            known = play.information_state(color)
            choice = referee.ask(color, lambda: players[color].attempt(color, known, generator))
            if isinstance(choice.action, Special):
                resigns = choice.action is Special.RESIGN
                raise LostError(color, "resign" if resigns else "illegal", choice.action.value)
            try:
                after, play = attempted(referee.game, play, choice.action)
            except IllegalAttemptError as error:
                raise LostError(color, "illegal", str(error)) from error
            return referee.add(after, choice)

        return turn


def study(player: DarkPlayer, rules: DarkRules, color: Color) -> None:
    """Let a player study the rules; raise LostError when they cannot play by them."""
    try:
        player.study(rules)
    except PlayerError as error:
        raise LostError(color, "failed", str(error)) from error
