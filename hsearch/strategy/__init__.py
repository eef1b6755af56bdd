"""Connections as strategies: what they rest on, whether they hold, and how to play them."""

from hsearch.strategy.check import CheckError, check
from hsearch.strategy.follow import Following, follow
from hsearch.strategy.reply import Reply, reply, threats

__all__ = ["CheckError", "Following", "Reply", "check", "follow", "reply", "threats"]
