"""Self-play games of the engine, and the model of chances fitted to them.

Each undecided position of a game is a sample: an estimator's value, and who won the game.
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.formats import strict
from hsearch.hex import Board, Game, Position
from player.engine.player import PlayerError, Rationale
from player.engine.referee import play
from player.engine.spec import player
from player.evaluate import chance
from player.search.chances import net_share
from player.search.tree import TreeFindings
from player.work.spread import Processes

BY_NET = "tree:net=shipped,simulations=100,int8=yes"
PLAYED_BY = {"circuits": "hexy:level=4", "net": BY_NET, "tree": BY_NET}
SIDES = {"circuits": (5, 7, 9, 11, 13), "net": (7, 9, 11, 13), "tree": (7, 9, 11, 13)}
STONES = 4  # the most random stones before the engine begins


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Settings that decide all games, and the estimator whose chances are fitted.

    player  the spec of the player of both sides
    sides   the sides of the boards, in turn
    seed    the seed of all games
    source  the estimator: circuits, net or tree
    """

    player: str = PLAYED_BY["circuits"]
    sides: tuple[int, ...] = SIDES["circuits"]
    seed: int = 0
    source: str = "circuits"

    def samples(self, number: int) -> list[chance.ChanceSample]:
        """Return the undecided positions of a game; they depend only on its number."""
        trees: dict[Position, TreeFindings] = {}
        game = self.game(number, trees)
        winner = game.about("RE")
        samples: list[chance.ChanceSample] = []
        moves = 1
        while (analysis := ConnectionAnalysis(game.position(moves))).winner is None:
            position = analysis.position
            won = winner is not None and winner[0].lower() == position.turn.word[0]
            value = self._estimate(analysis, trees.get(position))
            if math.isfinite(value):
                side = position.board.columns
                samples.append(
                    chance.ChanceSample(number, side, value, chance.phase(position), won)
                )
            moves += 1  # the loop ends, because the game ends with a chain
        return samples

    def game(self, number: int, trees: dict[Position, TreeFindings] | None = None) -> Game:
        """Play a game to a chain and return its record; put the searched trees into `trees`.

        Raise PlayerError when the player fails, and SpecError when its spec is not valid.
        """
        generator = np.random.default_rng(np.random.SeedSequence((self.seed, number)))
        side = self.sides[number % len(self.sides)]
        board = Board(side, side)
        most = min(STONES, 2 * (side - 1))  # one more stone could complete a chain
        stones = int(generator.integers(min(1, most), most + 1))
        opening = generator.choice(board.size, stones, replace=False).tolist()
        both = player(self.player), player(self.player)

        def watch(_game: Game, account: Rationale) -> None:
            if trees is not None and account.tree is not None:
                trees[account.tree.position] = account.tree

        try:
            end = play(*both, Game.of(board, opening), generator, watch=watch)
        finally:
            for each in both:
                each.close()
        if end.how != "chain":
            raise PlayerError(f"{self.player} lost game {number} ({end.how}): {end.reason}")
        return end.game

    def _estimate(self, analysis: ConnectionAnalysis, tree: TreeFindings | None) -> float:
        """Return the estimator's value of an undecided position; infinite if it has none."""
        position = analysis.position
        if self.source == "circuits":
            return chance.advantage(analysis.circuits.evaluation, position.turn)
        if self.source == "net":
            return chance.logit(net_share(position))
        best = None if tree is None else tree.best
        if best is None or best.winner is not None or best.share is None:
            return math.inf
        return chance.logit(best.share)


# The fit: to most of the games, and compared with the others.

# NESTED are models with more and more terms, to measure what each adds; USED are the
# terms of the shipped models. The net sees whose turn it is, the size of the board and
# its phase: with terms for these, a fit to 160 games is no better in 80 others.
NESTED = {
    "circuits": (
        ("slope",),
        ("tempo", "slope"),
        ("tempo", "slope", "tempo_phase"),
        chance.BY_PHASE,
    ),
    "net": (("slope",), ("tempo", "slope"), chance.BY_PHASE, chance.TERMS),
    "tree": (("slope",), ("tempo", "slope"), chance.BY_PHASE, chance.TERMS),
}
USED: dict[str, tuple[str, ...]] = {
    "circuits": chance.BY_PHASE,
    "net": ("slope",),
    "tree": ("slope",),
}
DIGITS = 4
PHASES = (0, 0.1, 0.2, 0.3, 0.4, 1)


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A model and its fit.

    play       the settings of the games
    games      the number of games that it was fitted to
    positions  their number of undecided positions
    model      its weights, rounded as they are written
    apart      the number of other games, for the comparison
    bins       predicted and observed chances in these
    groups     the same for the favorite, by the side of the board and by phase
    losses     the log loss in these in bits a position, by terms
    """

    play: SelfPlay
    games: int
    positions: int
    model: chance.Model
    apart: int
    bins: tuple[chance.Bin, ...]
    groups: dict[str, list[chance.Bin]]
    losses: tuple[tuple[tuple[str, ...], float], ...]


def fit(
    settings: SelfPlay, samples: Iterable[list[chance.ChanceSample]], games: int
) -> FittedModel:
    """Fit models to the first `games` games, and compare them with the games that follow."""
    every = list(samples)
    training = [sample for game in every[:games] for sample in game]
    unseen = [sample for game in every[games:] for sample in game]
    losses = tuple(
        (terms, chance.log_loss(_round(chance.fit_model(training, terms)), unseen))
        for terms in NESTED[settings.source]
    )
    model = _round(chance.fit_model(training, USED[settings.source]))
    bins = tuple(chance.calibrate(model, unseen))
    sides = [sample.side for sample in unseen]
    phases = [sample.phase for sample in unseen]
    groups = {
        "side": chance.calibrate_favorites(model, unseen, sides, (*sorted(settings.sides), 1000)),
        "phase": chance.calibrate_favorites(model, unseen, phases, PHASES),
    }
    return FittedModel(
        settings, games, len(training), model, len(every) - games, bins, groups, losses
    )


def play_games(settings: SelfPlay, games: int, workers: int) -> Iterable[list[chance.ChanceSample]]:
    """Yield the samples of each game, in order; `workers` does not change the result."""
    if workers == 1:
        yield from map(settings.samples, range(games))
        return
    pool = Processes(workers)
    try:
        yield from pool.map(settings.samples, range(games))
        pool.shutdown()  # the processes are idle now, and end cleanly
    finally:
        pool.end()  # after Ctrl-C or an error, even in the middle of a game


def write(result: FittedModel) -> str:
    """Return the text of a model's file: its weights, how they were fitted, the calibration."""
    thing = {
        "schema": chance.SCHEMA,
        "weights": asdict(result.model),
        "fit": {
            "source": result.play.source,
            "player": result.play.player,
            "sides": result.play.sides,
            "seed": result.play.seed,
            "games": result.games,
            "positions": result.positions,
        },
        "apart": {
            "games": result.apart,
            "bits": {" ".join(terms): round(loss, DIGITS) for terms, loss in result.losses},
            "calibration": [{"chance": [one.low, one.high], **_shares(one)} for one in result.bins],
            **{
                name: [{"from": one.low, **_shares(one)} for one in result.groups[name]]
                for name in ("side", "phase")
            },
        },
    }
    return strict.write(thing, indent=1) + "\n"


def _shares(one: chance.Bin) -> dict[str, object]:
    return {
        "positions": one.positions,
        "games": one.games,
        "predicted": round(one.predicted, DIGITS),
        "observed": round(one.observed, DIGITS),
        "interval": [round(end, DIGITS) for end in one.interval],
    }


def _round(model: chance.Model) -> chance.Model:
    return chance.Model(**{name: round(value, DIGITS) for name, value in asdict(model).items()})
