"""Bidding Hex and random turns: chips, thresholds, bids and moves."""
