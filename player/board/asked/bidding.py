"""`bidding`: one turn of bidding Hex. Both bids are sealed: the engine's is made here, unseen.

The record that comes back has the bids, the chips and the move.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.board import Color
from hsearch.game import Game, Move
from hsearch.position import winner
from player.bidding import check_bid, record
from player.board.asked.odds import chips_of
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Record, record_object
from player.board.seats import BidderSpec
from player.engine import BIDDING, MoveRequest, SealedBid
from player.match.bidding import Bidding
from player.match.referee import reruled


@dataclass(frozen=True, slots=True)
class Sealed:
    """A person's bid; on a tie the holder of the chip says whether to hand it over."""

    bid: int
    takes_tie: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A game, and each person's bid or the move of whoever has won the bids.

    black, white  sealed bids; None is the engine's seat, or a move that is due
    cell          the move of the person who has won the bids
    chips         what the players begin with, where the game has no bids yet
    """

    game: Record
    black: Sealed | None = None
    white: Sealed | None = None
    cell: str | None = None
    chips: tuple[int, int, ColorWord] = (100, 100, "black")
    engine: ColorWord | None = None
    player: BidderSpec = "bidding:fillings=3000"


def answer(desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the game after the bids, or after the move."""
    game = asked.game.game()
    if not record.has_chips(game):
        chips = chips_of(*asked.chips)
        chips.check_worth()
        game = record.started(reruled(game.cut(), Bidding.name), chips)
    record.check(game)
    said = ""
    if (won := winner(game.position(turn=Color.BLACK))) is not None:
        raise ValueError(f"the game is over: {won.word} has won")
    due = record.mover(game)
    if asked.cell is not None:
        if due is None:
            raise ValueError("bids come before the move")
        cell = game.board.cell(asked.cell)
        game.position().play(cell)
        game = game.append(Move(due, cell))
    elif asked.black is not None or asked.white is not None:
        if due is not None:
            raise ValueError(f"{due.word} has won the bids, and is to move")
        game, said = _opened(desk, job, game, asked)
    return _state(game) | {"said": said}


def _opened(desk: Desk, job: BoardJob, game: Game, asked: Question) -> tuple[Game, str]:
    """Open both bids; an engine that has won them moves at once."""
    slips: dict[Color, SealedBid] = {}
    bids: list[int] = []
    takes = True
    has = record.chips(game)
    for color, sealed in zip(Color, (asked.black, asked.white), strict=True):
        if sealed is None:
            if asked.engine != color.word:
                raise ValueError(f"{color.word}'s bid is missing")
            with desk.seats.of(asked.player, BIDDING, game.board) as engine:
                terms = MoveRequest(cancel=job.cancel)
                slips[color] = engine.bid(game, color, terms, np.random.default_rng())
            job.check()
            bids.append(slips[color].bid)
            tie = slips[color].takes_tie
        else:
            check_bid(sealed.bid, has[color])
            bids.append(sealed.bid)
            tie = sealed.takes_tie
        takes = tie if color is has.holder else takes
    after = record.with_bids(game, (bids[0], bids[1]), takes_tie=takes)
    mover = record.mover(after)
    assert mover is not None  # noqa: S101 - bids always tell
    said = f"Black bid {bids[0]}, White bid {bids[1]}: {mover.word.capitalize()} moves."
    if mover in slips:
        after = after.append(Move(mover, slips[mover].cell))
        name = game.board.name(slips[mover].cell)
        said += f" {mover.word.capitalize()} plays {name}. {slips[mover].account.reason}"
    return after, said


def _state(game: Game) -> dict[str, Any]:
    """Return the game with what its players have, and who has won the bids or the game."""
    has, due = record.chips(game), record.mover(game)
    won = winner(game.position(turn=Color.BLACK))
    return {
        "game": record_object(game),
        "chips": {color.word: has[color].chips for color in Color},
        "holder": has.holder.word,
        "mover": None if due is None else due.word,
        "winner": None if won is None else won.word,
    }
