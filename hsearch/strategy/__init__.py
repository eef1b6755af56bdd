"""Connections as strategies: replies, explanations, and the checker that trusts nothing."""
