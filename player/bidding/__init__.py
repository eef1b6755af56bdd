"""Bidding Hex and random turns: chips, thresholds, bids, moves."""
