"""Connections as strategies: what they rest on, and whether they hold."""

from hsearch.strategy.check import CheckError, check

__all__ = ["CheckError", "check"]
