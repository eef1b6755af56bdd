"""`turn`: one turn of a game of bids or at random turns, which goes on until a person is to act.

The page holds the record, and what a person bids until both bids are sealed; the variant does
all else. The engine bids by what it may see of the game.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hsearch.board import Color
from hsearch.game import Game
from player.bidding import record
from player.board.asked.odds import chips_of
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Record, record_object
from player.board.seats import BidderSpec
from player.engine import MoveRequest
from player.engine.acting import act_of
from player.variants import BIDDING, RANDOM_TURN, Act, Bid, RandomTurn, State, Variant
from player.variants.bidding import UNSEALED, Bidding, BiddingState

COIN_PLAYER = "random-turn:fillings=100000"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A person's bid; on a tie the holder of the chip says whether to hand it over."""

    bid: int
    takes_tie: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and what people do: their bids, or the move of whoever is to move.

    bids    sealed, by color
    cell    the move
    chips   what the players begin with, where the game has no bids yet
    engine  the engine's seat, if it has one
    """

    game: Record
    variant: Literal["bidding", "random-turn"] = "bidding"
    bids: dict[ColorWord, Sealed] = field(default_factory=dict)
    cell: str | None = None
    chips: tuple[int, int, ColorWord] = (100, 100, "black")
    engine: ColorWord | None = None
    player: BidderSpec = "bidding:fillings=3000"


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the game once a person is to act, or it is over, and what happened."""
    game = asked.game.game()
    variant: Variant[Any] = RandomTurn() if asked.variant == RANDOM_TURN else _bidding(game, asked)
    spec = asked.player if asked.variant == BIDDING else COIN_PLAYER
    before: State = variant.start(game)
    state = before
    acts: list[tuple[Color, Act]] = [
        (Color.named(word), Bid(slip.bid, slip.takes_tie)) for word, slip in asked.bids.items()
    ]
    if asked.cell is not None:
        mover = _mover(variant, state)
        if mover is None and state.winner is None:
            due = "a coin comes" if variant.tosses else "bids come"
            raise ValueError(f"{due} before the move")
        acts.append((mover or Color.BLACK, game.board.cell(asked.cell)))
    for color, act in acts:
        state = variant.after(state, color, act)
    reason = ""
    while state.winner is None:
        state = variant.toss(state, np.random.default_rng())
        color, *others = variant.to_act(state)
        if others or color.word != asked.engine:
            break
        with desk.seats.of(spec, variant.name, game.board) as engine:
            terms = MoveRequest(cancel=job.cancel)
            act, account = act_of(engine, variant, state, color, terms, np.random.default_rng())
        job.check()
        after = variant.after(state, color, act)
        if isinstance(act, Bid) and after.last is not state.last:
            reason = account.reason
        state = after
    if isinstance(state, BiddingState) and None in state.sealed and state.sealed != UNSEALED:
        missing = next(color for color in Color if state.sealed[color] is None)
        raise ValueError(f"{missing.word}'s bid is missing")
    said = " ".join(filter(None, (*variant.words(before, state), reason)))
    return _object(variant, state) | {"said": said}


def _bidding(game: Game, asked: Question) -> Bidding:
    """Return the variant, with the chips that the game is to begin with."""
    if record.has_chips(game):
        return Bidding()
    chips = chips_of(*asked.chips)
    return Bidding(black=chips.black, white=chips.white)


def _mover(variant: Variant[Any], state: State) -> Color | None:
    """Return who is to move; None while a coin or bids are due, and at the end."""
    due = variant.to_act(state)
    return due[0] if due and variant.legal(state, due[0]).chips is None else None


def _object(variant: Variant[Any], state: State) -> dict[str, Any]:
    """Return the game with who is to move or has won, and the chips of a game of bids."""
    mover, won = _mover(variant, state), state.winner
    found = {
        "game": record_object(state.game),
        "mover": None if mover is None else mover.word,
        "winner": None if won is None else won.word,
    }
    if isinstance(state, BiddingState):
        has = state.chips
        found["chips"] = {color.word: has[color].chips for color in Color}
        found["holder"] = has.holder.word
    return found
