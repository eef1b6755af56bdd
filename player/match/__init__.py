"""Two players, a referee, one game of any variant."""

from player.engine import participant
from player.match.referee import MatchRules, Outcome, play
from player.variants import VARIANTS, Plain, recorded_variant, variant

__all__ = [
    "VARIANTS",
    "MatchRules",
    "Outcome",
    "Plain",
    "participant",
    "play",
    "recorded_variant",
    "variant",
]
