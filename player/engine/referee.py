"""A match: two players, the requests to them, the clocks, and losses by a fault.

In every variant a player who moves illegally, too late or not at all loses. The game is
saved after every move, so a crash loses only the move under way. Until the end it is
saved in the form of `Variant.public_record`, so that nobody reads hidden stones in the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hsearch.formats import files, sgf
from hsearch.hex import Board, Color, Game, Outcome
from hsearch.hex.move import Ending
from hsearch.hex.position import IllegalMoveError
from player.bidding import chips
from player.engine.player import (
    AnyPlayer,
    Bidder,
    DarkPlayer,
    MoveRequest,
    Player,
    PlayerError,
    Rationale,
)
from player.variants.base import Act, GameState, SealedBid, Tie, Variant, with_info
from player.variants.bidding import BiddingView
from player.variants.dark import DarkView
from player.variants.plain import SWAP, Plain, swap_to_come
from player.work.clock import spent

Watcher = Callable[[Game, Rationale], None]

# What the loser did, for each way in which a match ends.
_ENDINGS = {
    "chain": None,
    "resign": Ending.RESIGNED,
    "time": Ending.LOST_ON_TIME,
    "illegal": Ending.FORFEITED,
    "failed": Ending.FORFEITED,
}


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The rules of a match in any variant.

    seconds  the most time for a move; None means no limit
    grace    the seconds by which a move may exceed it before it is too late

    >>> from player import match
    >>> match.MatchRules(seconds=0.5)
    MatchRules(seconds=0.5, grace=0.1)
    """

    seconds: float | None = None
    grace: float = 0.1


NO_RULES = MatchRules()
ORDINARY = Plain()


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Outcome of a match.

    winner    the winner
    how       `chain`, `resign`, `time`, `illegal` or `failed`
    reason    one line with the fault; empty if the game ended on the board
    game      the record, with the result
    seconds   the time for each decision of a player, in order
    thinkers  the player of each decision

    >>> import hsearch
    >>> from numpy.random import default_rng
    >>> from player import match
    >>> players = [match.participant("random", "random-turn") for _ in hsearch.Color]
    >>> game, rules = hsearch.Game(hsearch.Board(3)), match.variant("random-turn")
    >>> outcome = match.play(*players, game, default_rng(1), variant=rules)
    >>> print(outcome.game.result, *outcome.thinkers)
    W+ black white white black white white white
    """

    winner: Color
    how: str
    reason: str
    game: Game
    seconds: tuple[float, ...]
    thinkers: tuple[Color, ...]


class LostError(Exception):
    """A player has lost by a fault, not on the board."""

    def __init__(self, loser: Color, how: str, reason: str) -> None:
        super().__init__(reason)
        self.loser, self.how = loser, how


def play(  # noqa: PLR0913 - a match needs two players, a board, and what may be chosen
    black: AnyPlayer,
    white: AnyPlayer,
    start: Game | GameState,
    generator: np.random.Generator,
    *,
    variant: Variant[Any] = ORDINARY,
    rules: MatchRules = NO_RULES,
    save: Path | None = None,
    watch: Watcher | None = None,
) -> MatchOutcome:
    """Play a game to its end, from a record or from a state of the variant.

    `watch` is called after each move. Raise ValueError when the game is over already, and
    OSError when it cannot be saved.

    >>> import hsearch
    >>> from numpy.random import default_rng
    >>> from player import match
    >>> players = [match.participant("random", "alternating") for _ in hsearch.Color]
    >>> outcome = match.play(*players, hsearch.Game.of(3, "b2"), default_rng(1))
    >>> outcome.winner, outcome.how
    (Color.BLACK, 'chain')
    """
    state = start if isinstance(start, GameState) else variant.start(start)
    players = {Color.BLACK: black, Color.WHITE: white}
    referee = _Referee(variant, state, players, rules, save, watch)
    try:
        winner = referee.play(generator)
        how = "resign" if referee.state.is_given_up else "chain"
        return referee.end(winner, how, "")
    except LostError as lost:
        return referee.end(lost.loser.opponent, lost.how, str(lost))


class _Referee:
    """A match under way. It holds state: the state of the game, and the clocks."""

    def __init__(
        self,
        variant: Variant[Any],
        state: GameState,
        players: Mapping[Color, AnyPlayer],
        rules: MatchRules,
        save: Path | None,
        watch: Watcher | None,
    ) -> None:
        if state.winner is not None:
            raise ValueError("the game is over already")
        info = {"PB": players[Color.BLACK].name, "PW": players[Color.WHITE].name}
        if variant.swap:
            info["RU"] = SWAP
        self.state = state.with_record(with_info(state.game.without("RE"), **info))
        self._variant, self._players, self._rules = variant, players, rules
        self._save, self._watch = save, watch
        self._seconds: list[float] = []
        self._thinkers: list[Color] = []

    def play(self, generator: np.random.Generator) -> Color:
        """Let the players act until one has won, and return the winner.

        Raise LostError for a fault.
        """
        coin = generator.spawn(1)[0]  # makes the coins depend only on the seed, not on the players
        for color, player in self._players.items():
            try:
                prepare(player, self._variant, self.state.game.board)
            except PlayerError as error:
                raise LostError(color, "failed", str(error)) from error
        accounts: dict[Color, Rationale] = {}
        while (winner := self.state.winner) is None:
            before = self.state = self._variant.toss(self.state, coin)
            color, *_ = self._variant.to_act(before)
            act, accounts[color] = self._ask(color, generator)
            try:
                self.state = self._variant.after(before, color, act)
            except IllegalMoveError as error:
                raise LostError(color, "illegal", str(error)) from error
            if self.state.game is not before.game:
                self._add(accounts, color)
        return winner

    def _ask(self, color: Color, generator: np.random.Generator) -> tuple[Act, Rationale]:
        """Return a player's act and reason; raise LostError when it fails or takes too long."""
        self._thinkers.append(color)
        terms = MoveRequest(seconds=self._rules.seconds)
        begin = spent()
        try:
            player = self._players[color]
            act = act_of(player, self._variant, self.state, color, terms, generator)
        except PlayerError as error:
            raise LostError(color, "failed", str(error)) from error
        finally:
            self._seconds.append(spent() - begin)
        limit = self._rules.seconds
        if limit is not None and self._seconds[-1] > limit + self._rules.grace:
            reason = f"{self._seconds[-1]:.2f} s for a move, {limit:.2f} s allowed"
            raise LostError(color, "time", reason)
        return act

    def _add(self, accounts: Mapping[Color, Rationale], actor: Color) -> None:
        """Save a record that has become longer, and pass it to `watch` with the mover's reason."""
        self._keep(self._variant.public_record(self.state))
        if self._watch is not None:
            move = self.state.game.main_line[-1].move
            self._watch(self.state.game, accounts[actor if move is None else move.color])

    def end(self, winner: Color, how: str, reason: str) -> MatchOutcome:
        """Write the result into the record, and return the outcome."""
        game = with_info(self.state.game, RE=Outcome(winner, _ENDINGS[how]).result)
        if reason:
            game = _with_remark(game, f"{winner.opponent.title} lost: {reason}")
        self.state = self.state.with_record(game)
        self._keep(game)  # not by `public_record`, which does not see that a fault ended the game
        return MatchOutcome(winner, how, reason, game, tuple(self._seconds), tuple(self._thinkers))

    def _keep(self, game: Game) -> None:
        if self._save is not None:
            files.write_whole(self._save, sgf.write(game))


def _with_remark(game: Game, text: str) -> Game:
    """Return the record with a remark on its last move."""
    last = len(game.main_line) - 1
    node = game.nodes[last]
    node = replace(node, comment="\n".join(filter(None, (node.comment, text))))
    return replace(game, nodes=(*game.nodes[:last], node, *game.nodes[last + 1 :]))


# From a variant's request to the player's own protocol.
#
# This is the only place that passes a game to an engine: what `Variant.view` returns for its side.


def prepare(player: AnyPlayer, variant: Variant[Any], board: Board) -> None:
    """Prepare a player for games of a variant, before any clock runs.

    Raise PlayerError when it cannot play them.
    """
    player.prepare(board)
    rules = variant.hidden_rules(board)
    if rules is None:
        return
    if not isinstance(player, DarkPlayer):
        raise PlayerError(f"{player.name} does not play {variant.name}")
    player.study(rules)


def act_of(
    player: AnyPlayer,
    variant: Variant[Any],
    state: GameState,
    color: Color,
    terms: MoveRequest,
    generator: np.random.Generator,
) -> tuple[Act, Rationale]:
    """Return the act of a player who is to act, and its reason. It need not be legal.

    Raise PlayerError when the player fails.
    """
    view = variant.view(state, color)
    if isinstance(view, BiddingView) and isinstance(player, Bidder):
        bid = player.bid(chips.without_bids(view.game), color, terms, generator)
        if view.tie is not None:
            return Tie(bid.takes_tie), bid.account
        if chips.mover(view.game) is not None:
            return bid.cell, bid.account
        return SealedBid(bid.bid, bid.takes_tie, bid.cell), bid.account
    if isinstance(view, DarkView) and isinstance(player, DarkPlayer):
        choice = player.attempt(color, view.history, generator)
    elif isinstance(view, GameState) and isinstance(player, Player):
        # The player who opens needs to know, too, that the other may swap.
        swap = variant.swap and swap_to_come(view.game)
        choice = player.choose(view.game, replace(terms, swap=swap), generator)
    else:
        raise PlayerError(f"{player.name} does not play {variant.name}")
    return choice.action, choice.account
