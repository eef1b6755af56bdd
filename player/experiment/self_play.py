"""Games of the engine against itself, to learn from: what E was, and who won in the end."""

import itertools
from dataclasses import dataclass

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Board
from hsearch.game import Game
from player.chance import ChanceSample
from player.chance.model import advantage, phase
from player.engine import player
from player.match import play

PLAYER = "hexy:level=4"
SIDES = (5, 7, 9, 11, 13)
STONES = 4  # played at random before the engine begins, at most


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Settings that decide all games: the players, the boards, the seed."""

    player: str = PLAYER
    sides: tuple[int, ...] = SIDES
    seed: int = 0

    def samples(self, number: int) -> list[ChanceSample]:
        """Return the open positions of a game; it depends on nothing but its number."""
        game = self.game(number)
        winner = game.about("RE")
        found: list[ChanceSample] = []
        for moves in itertools.count(1):
            position = game.position(moves)
            analysis = Analysis(position)
            if analysis.winner is not None:
                return found
            won = winner is not None and winner[0].lower() == position.turn.word[0]
            seen = advantage(analysis.circuits.evaluation, position.turn)
            found.append(ChanceSample(number, position.board.columns, seen, phase(position), won))
        raise AssertionError  # a game that is over ends with a chain

    def game(self, number: int) -> Game:
        """Return the record of a game, which ends with a chain."""
        generator = np.random.default_rng(np.random.SeedSequence((self.seed, number)))
        side = self.sides[number % len(self.sides)]
        board = Board(side, side)
        stones = int(generator.integers(1, STONES + 1))
        opening = generator.choice(board.size, stones, replace=False).tolist()
        both = player(self.player), player(self.player)
        return play(*both, Game.of(board, opening), generator).game
