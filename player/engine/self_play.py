"""Games of the engine against itself, and the chance that is fitted to them.

Of each position the games say what E was, and who won in the end.
"""

import itertools
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from hsearch.analysis.analysis import Analysis
from hsearch.formats import strict
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.engine.referee import play
from player.engine.spec import player
from player.evaluate.chance import (
    SCHEMA,
    TERMS,
    Bin,
    ChanceSample,
    Model,
    advantage,
    calibrate,
    fitted,
    log_loss,
    phase,
)
from player.work.spread import Processes

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


# The fit: to most of the games, and compared with the others.

# What each further term brings, from the slope alone to all of them.
NESTED = (("slope",), ("tempo", "slope"), ("tempo", "slope", "tempo_phase"), TERMS)
DIGITS = 4


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A model with how it was found.

    games   it was fitted to, with `positions` open positions
    model   its weights, rounded as they are written
    apart   the games that it was held to, and had not seen
    bins    predicted against observed there
    losses  bits a position there, by terms
    """

    play: SelfPlay
    games: int
    positions: int
    model: Model
    apart: int
    bins: tuple[Bin, ...]
    losses: tuple[tuple[tuple[str, ...], float], ...]


def fit(play: SelfPlay, samples: Iterable[list[ChanceSample]], games: int) -> FittedModel:
    """Fit all terms to the first games, and hold them to those that follow."""
    every = list(samples)
    seen = [sample for game in every[:games] for sample in game]
    unseen = [sample for game in every[games:] for sample in game]
    losses = tuple((terms, log_loss(_rounded(fitted(seen, terms)), unseen)) for terms in NESTED)
    model = _rounded(fitted(seen))
    bins = tuple(calibrate(model, unseen))
    return FittedModel(play, games, len(seen), model, len(every) - games, bins, losses)


def played(play: SelfPlay, games: int, workers: int) -> Iterable[list[ChanceSample]]:
    """Yield the positions of the games, in order; how many processes play makes no difference."""
    if workers == 1:
        yield from map(play.samples, range(games))
        return
    pool = Processes(workers)
    try:
        yield from pool.map(play.samples, range(games))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def write(found: FittedModel) -> str:
    """Return the file of a model: its weights, how they were found, and the calibration."""
    thing = {
        "schema": SCHEMA,
        "weights": asdict(found.model),
        "fit": {
            "player": found.play.player,
            "sides": found.play.sides,
            "seed": found.play.seed,
            "games": found.games,
            "positions": found.positions,
        },
        "apart": {
            "games": found.apart,
            "bits": {" ".join(terms): round(loss, DIGITS) for terms, loss in found.losses},
            "calibration": [_bin_object(one) for one in found.bins],
        },
    }
    return strict.write(thing, indent=1) + "\n"


def _bin_object(one: Bin) -> dict[str, object]:
    return {
        "chance": [one.low, one.high],
        "positions": one.positions,
        "games": one.games,
        "predicted": round(one.predicted, DIGITS),
        "observed": round(one.observed, DIGITS),
        "interval": [round(end, DIGITS) for end in one.interval],
    }


def _rounded(model: Model) -> Model:
    return Model(**{name: round(value, DIGITS) for name, value in asdict(model).items()})
