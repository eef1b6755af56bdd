"""Questions about play: `odds` (random turns and bids) and `turn` (a game)."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal

import numpy as np

from hsearch.hex import Color, Game
from hsearch.hex.position import refuse_won
from player.answers.bid import BidAnswer, bid_object, statements
from player.answers.objects import word
from player.bidding import chips as chip_record
from player.bidding.chips import DEFAULT, Chips, Holding, check_total
from player.board.desk import BidderSpec, Desk, Spec
from player.board.records import ColorWord, PositionObject, Record, record_object
from player.board.threads import BoardJob
from player.engine.classic import PATIENCE, POLICY_SPEC, stand_in, stand_in_words
from player.engine.levels import LEVELS
from player.engine.player import MoveRequest
from player.engine.referee import act_of
from player.engine.spec import default_player
from player.evaluate.exact import count_or_draw
from player.search.tree import SearchFindings
from player.variants.base import Act, GameState, SealedBid, Variant, act_word, end_words
from player.variants.bidding import UNSEALED, Bidding, BiddingState
from player.variants.plain import Plain
from player.variants.random_turn import RandomTurn
from player.work.clock import Pace

SECONDS = 20.0  # for a move of an engine


def telling(job: BoardJob) -> Callable[[SearchFindings], None]:
    """Return a function that reports the progress of a search to the page now and then."""
    return Pace().limit(lambda findings: job.tell({"text": f"thinking, {findings.extent}"}))


# `odds`: the chance to win at random turns, critical cells, and what to bid for them.


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A position, and the players' chips."""

    position: PositionObject
    black: int = DEFAULT.chips
    white: int = DEFAULT.chips
    holder: ColorWord = "black"


def odds(_desk: Desk, job: BoardJob, request: OddsQuestion) -> dict[str, Any]:
    """Return the object of `hsearch bid --json` and the sentences of `hsearch bid`."""
    position = request.position.position()
    refuse_won(position)
    chips = chips_of(request.black, request.white, request.holder)
    check_total(chips.total)
    job.tell({"text": "counting fillings of the board"})
    odds = count_or_draw(position, np.random.default_rng(0), on_step=job.check)
    bids = BidAnswer.of(odds, chips)
    return {"bid": bid_object(bids), "said": list(statements(bids))}


def chips_of(black: int, white: int, holder: ColorWord) -> Chips:
    """Return the chips of both players. Raise ValueError for negative numbers."""
    return Chips(
        Holding(black, tie_break=holder == "black"), Holding(white, tie_break=holder == "white")
    )


# `turn`: continue a game without hidden stones until a person is to act.
#
# The page holds the record; the variant does everything else. If two people bid at one page, the
# server keeps the first bid, sealed, until it has the other. The engine uses only what it may see.


@dataclass(frozen=True, slots=True)
class PersonBid:
    """A person's bid; `takes_tie` is whether to hand over the tie-break chip on equal bids."""

    bid: int
    takes_tie: bool = True


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """A game, and the acts of people: their bids, or the move of the player to move.

    bids    by color
    sealed  the name of the other person's sealed bid
    cell    the move, unless the game has it already
    chips   the initial chips, if the game has no bids yet
    engine  the engine's seat; None without an engine
    """

    game: Record
    variant: Literal["alternating", "bidding", "random-turn"] = "bidding"
    bids: dict[ColorWord, PersonBid] = field(default_factory=dict)
    sealed: str | None = None
    cell: str | None = None
    chips: tuple[int, int, ColorWord] = (DEFAULT.chips, DEFAULT.chips, "black")
    swap: bool = False
    engine: ColorWord | None = None
    player: Spec | BidderSpec | None = None


def turn(desk: Desk, job: BoardJob, request: TurnQuestion) -> dict[str, Any]:
    """Return the game once a person is to act or it is over, and what happened."""
    game = request.game.game()
    variant = _variant(game, request)
    spec = request.player or default_player(variant.name, game.board, is_quick=True)
    beginning = (
        desk.bids.take(request.sealed) if request.sealed else nullcontext(variant.start(game))
    )
    with beginning as before:
        state: GameState = before
        for color, act in _acts(variant, before, request):
            state = variant.after(state, color, act)
    account, remark = None, ""
    # For a visitor nothing is prepared in a thread, which would outlive the limit.
    slow = {"tree", *(level.spec for level in LEVELS if level.player.startswith("tree:"))}
    is_slow = request.engine is not None and spec in slow and job.seconds == inf
    with job.listening() as listening:
        seat = spec, variant.name, game.board
        if is_slow:
            desk.seats.is_ready(*seat, 0, listening)  # prepared while a person thinks
        while state.winner is None:
            state = variant.toss(state, np.random.default_rng())
            color, *others = variant.to_act(state)
            if others or color.word != request.engine:
                break
            if is_slow and not desk.seats.is_ready(*seat, PATIENCE, listening) and stand_in():
                spec, remark = POLICY_SPEC, stand_in_words(spec)
            with job.ending_early(), desk.seats.of(spec, variant.name, game.board) as engine:
                terms = MoveRequest(
                    job.time_limit(SECONDS), cancel=job.cancel, progress=telling(job)
                )
                act, account = act_of(engine, variant, state, color, terms, np.random.default_rng())
            state = variant.after(state, color, act)
    last = state.last if len(state.game.moves) > len(game.moves) else None
    sentences = variant.words(before, state)
    if last is not None and remark:
        sentences.append(remark)
    return {
        "game": record_object(state.game),
        "said": " ".join(sentences if state.winner is None else [*sentences, end_words(state)]),
        "move": None if last is None else act_word(last.action, game.board),
        "reason": "" if account is None else account.reason,
        "mover": word(_mover(variant, state)),
        "winner": word(state.winner),
        **(_seal_bids(desk, job, state) if isinstance(state, BiddingState) else {}),
    }


def _variant(game: Game, request: TurnQuestion) -> Variant[Any]:
    """Return the variant, with the initial chips if it has any."""
    match request.variant:
        case "alternating":
            return Plain(swap=request.swap)
        case "random-turn":
            return RandomTurn()
        case "bidding":
            if chip_record.is_begun(game):
                return Bidding()
            chips = chips_of(*request.chips)
            return Bidding(black=chips.black, white=chips.white)


def _acts(
    variant: Variant[Any], state: GameState, request: TurnQuestion
) -> list[tuple[Color, Act]]:
    """Return the acts of people. Raise ValueError for a move when none is due."""
    acts: list[tuple[Color, Act]] = [
        (Color.named(color), SealedBid(each.bid, each.takes_tie))
        for color, each in request.bids.items()
    ]
    if request.cell is not None:
        mover = _mover(variant, state)
        if mover is None and state.winner is None:
            due = "a coin comes" if variant.tosses else "bids come"
            raise ValueError(f"{due} before the move")
        acts.append((mover or Color.BLACK, state.game.board.cell(request.cell)))
    return acts


def _mover(variant: Variant[Any], state: GameState) -> Color | None:
    """Return the player to move; None while a coin or bids are due, and at the end."""
    due = variant.to_act(state)
    return due[0] if due and variant.legal(state, due[0]).chips is None else None


def _seal_bids(desk: Desk, job: BoardJob, state: BiddingState) -> dict[str, Any]:
    """Store a sealed bid, if there is one; return its name, and the chips of both players."""
    chips = state.chips
    return {
        "sealed": None if state.bids == UNSEALED else desk.bids.add(state, job.departure),
        "chips": {color.word: chips[color].chips for color in Color},
        "holder": chips.holder.word,
    }
