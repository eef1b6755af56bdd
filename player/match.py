"""Two players, a referee, one game of any variant: what scripts import."""

from player.engine.referee import MatchRules, Outcome, play
from player.engine.spec import participant
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
