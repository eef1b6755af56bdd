"""`turn`: a game of open stones goes on until a person is to act; a loop around its variant.

The page holds the record; the variant does all else. Where two people bid at one page the first
bid stays here, sealed, until the other is in. The engine acts by what it may see of the game.
"""

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hsearch.board import Color
from hsearch.game import Game
from player.bidding import record
from player.board.asked.choose import SECONDS, telling
from player.board.asked.odds import chips_of
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Record, record_object
from player.board.seats import BidderSpec, Spec
from player.engine import MoveRequest
from player.engine.acting import act_of
from player.report.objects import word
from player.variants import ALTERNATING, BIDDING, Act, Bid, Plain, RandomTurn, State, Variant
from player.variants.bidding import UNSEALED, Bidding, BiddingState
from player.variants.variant import act_word, end_words

COIN_PLAYER = "random-turn:fillings=100000"


@dataclass(frozen=True, slots=True)
class Slip:
    """A person's bid; on a tie the holder of the chip says whether to hand it over."""

    bid: int
    takes_tie: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and what people do: their bids, or the move of whoever is to move.

    bids    by color
    sealed  names the bid that the other person has sealed before
    cell    the move, unless the game has it already
    chips   what the players begin with, where the game has no bids yet
    engine  the engine's seat, if it has one
    """

    game: Record
    variant: Literal["alternating", "bidding", "random-turn"] = "bidding"
    bids: dict[ColorWord, Slip] = field(default_factory=dict)
    sealed: str | None = None
    cell: str | None = None
    chips: tuple[int, int, ColorWord] = (100, 100, "black")
    swap: bool = False
    engine: ColorWord | None = None
    player: Spec | BidderSpec | None = None


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the game once a person is to act, or it is over, and what happened."""
    game = asked.game.game()
    variant, spec = _variant(game, asked)
    begun = desk.sealed.opened(asked.sealed) if asked.sealed else nullcontext(variant.start(game))
    with begun as before:
        state: State = before
        for color, act in _acts(variant, before, asked):
            state = variant.after(state, color, act)
    account = None
    while state.winner is None:
        state = variant.toss(state, np.random.default_rng())
        color, *others = variant.to_act(state)
        if others or color.word != asked.engine:
            break
        with desk.seats.of(spec, variant.name, game.board) as engine:
            terms = MoveRequest(SECONDS, cancel=job.cancel, progress=telling(job))
            act, account = act_of(engine, variant, state, color, terms, np.random.default_rng())
        job.check()
        state = variant.after(state, color, act)
    last = state.last if len(state.game.moves) > len(game.moves) else None
    said = variant.words(before, state)
    return {
        "game": record_object(state.game),
        "said": " ".join(said if state.winner is None else [*said, end_words(state)]),
        "move": None if last is None else act_word(last.action, game.board),
        "reason": "" if account is None else account.reason,
        "mover": word(_mover(variant, state)),
        "winner": word(state.winner),
        **(_bids(desk, state) if isinstance(state, BiddingState) else {}),
    }


def _variant(game: Game, asked: Question) -> tuple[Variant[Any], str]:
    """Return the variant, and the engine that plays it."""
    if asked.variant == ALTERNATING:
        return Plain(swap=asked.swap), asked.player or "hexy"
    if asked.variant != BIDDING:
        return RandomTurn(), COIN_PLAYER
    if record.has_chips(game):
        return Bidding(), asked.player or "bidding:fillings=3000"
    chips = chips_of(*asked.chips)
    return Bidding(black=chips.black, white=chips.white), asked.player or "bidding:fillings=3000"


def _acts(variant: Variant[Any], state: State, asked: Question) -> list[tuple[Color, Act]]:
    """Return what people do. Raise ValueError for a move where none is due."""
    acts: list[tuple[Color, Act]] = [
        (Color.named(color), Bid(slip.bid, slip.takes_tie)) for color, slip in asked.bids.items()
    ]
    if asked.cell is not None:
        mover = _mover(variant, state)
        if mover is None and state.winner is None:
            due = "a coin comes" if variant.tosses else "bids come"
            raise ValueError(f"{due} before the move")
        acts.append((mover or Color.BLACK, state.game.board.cell(asked.cell)))
    return acts


def _mover(variant: Variant[Any], state: State) -> Color | None:
    """Return who is to move; None while a coin or bids are due, and at the end."""
    due = variant.to_act(state)
    return due[0] if due and variant.legal(state, due[0]).chips is None else None


def _bids(desk: Desk, state: BiddingState) -> dict[str, Any]:
    """Return what both have, and the name of a bid that is sealed until the other is in."""
    has = state.chips
    return {
        "sealed": None if state.sealed == UNSEALED else desk.sealed.seal(state),
        "chips": {color.word: has[color].chips for color in Color},
        "holder": has.holder.word,
    }
