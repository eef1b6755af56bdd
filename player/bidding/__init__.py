"""Bidding and random turns: thresholds, bids, moves."""

from player.bidding.advice import (
    Advice,
    Reason,
    RichmanValues,
    advise,
    fair_bid,
    richman_values,
)
from player.bidding.chips import Chips, check_bid
from player.bidding.discrete import MAX_EMPTY, Thresholds
from player.bidding.holding import MAX_CHIPS, Holding
from player.bidding.random_turn import CoinTurn, average, expected_turns, play
from player.bidding.record import chips
from player.bidding.richman import StoppingGame, thresholds

__all__ = [
    "MAX_CHIPS",
    "MAX_EMPTY",
    "Advice",
    "Chips",
    "CoinTurn",
    "Holding",
    "Reason",
    "RichmanValues",
    "StoppingGame",
    "Thresholds",
    "advise",
    "average",
    "check_bid",
    "chips",
    "expected_turns",
    "fair_bid",
    "play",
    "richman_values",
    "thresholds",
]
