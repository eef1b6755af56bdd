"""What a variant asks of a player, as the player's own protocol has it.

The one place where engines are handed anything of a game: what `Variant.seen` gives their side.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from hsearch.hex.board import Board, Color
from player.bidding import chips
from player.engine.player import MoveRequest, Rationale
from player.variants.bidding import BiddingSeen
from player.variants.dark import Dark, DarkSeen
from player.variants.variant import Act, Bid, State, Tie, Variant


def prepare(player: Any, variant: Variant[Any], board: Board) -> None:
    """Let a player get ready for games of a variant, before any clock runs.

    Raise PlayerError when it cannot play them.
    """
    player.prepare(board)
    if isinstance(variant, Dark):
        player.study(variant.game_on(board))


def act_of(
    player: Any,
    variant: Variant[Any],
    state: State,
    color: Color,
    terms: MoveRequest,
    generator: np.random.Generator,
) -> tuple[Act, Rationale]:
    """Return the act of a player who is to act, and why. It need not be legal.

    Raise PlayerError when the player fails.
    """
    seen = variant.seen(state, color)
    if isinstance(seen, BiddingSeen):
        slip = player.bid(chips.without_bids(seen.game), color, terms, generator)
        if seen.tie is not None:
            return Tie(slip.takes_tie), slip.account
        if chips.mover(seen.game) is not None:
            return slip.cell, slip.account
        return Bid(slip.bid, slip.takes_tie, slip.cell), slip.account
    if isinstance(seen, DarkSeen):
        choice = player.attempt(color, seen.history, generator)
    else:
        # Who opens has to know, too, that the other player may swap.
        swap = variant.swap and len(seen.game.moves) <= 1
        choice = player.choose(seen.game, replace(terms, swap=swap), generator)
    return choice.action, choice.account
