"""Two players, a referee, one game of any variant: what scripts import."""

from player.engine.referee import MatchOutcome, MatchRules, play
from player.engine.spec import participant
from player.variants import VARIANTS, recorded_variant, variant
from player.variants.plain import Plain

__all__ = [
    "VARIANTS",
    "MatchOutcome",
    "MatchRules",
    "Plain",
    "participant",
    "play",
    "recorded_variant",
    "variant",
]
