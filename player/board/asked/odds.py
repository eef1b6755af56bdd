"""`odds`: the chance to win at random turns, critical cells, and what to bid for them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hsearch.position import winner
from player.bidding import Chips, Holding
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import ColorWord, Stones
from player.fillings import weigh
from player.report.bid import Bids, bid_object, statements


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and what the players have."""

    position: Stones
    black: int = 100
    white: int = 100
    holder: ColorWord = "black"


def answer(_desk: Desk, job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return the object of `hsearch bid --json`, and its sentences."""
    position = asked.position.position()
    if (won := winner(position)) is not None:
        raise ValueError(f"the game is over: {won.word} has won")
    chips = chips_of(asked.black, asked.white, asked.holder)
    chips.check_worth()
    job.tell({"text": "counting fillings of the board"})
    odds = weigh(position, np.random.default_rng(), on_step=job.check)
    bids = Bids.of(odds, chips)
    return {"bid": bid_object(bids), "said": list(statements(bids))}


def chips_of(black: int, white: int, holder: ColorWord) -> Chips:
    """Return what the players have. Raise ValueError for less than nothing."""
    return Chips(
        Holding(black, tie_break=holder == "black"), Holding(white, tie_break=holder == "white")
    )
