"""What scripts import to play a game of any variant: players, the referee, the variants."""

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
