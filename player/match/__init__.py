"""Two players, a referee, one game of any variant."""

from player.match.alternating import play
from player.match.outcome import MatchRules, Outcome
from player.match.variant import Variant
from player.match.variants import VARIANTS, recorded_variant, variant

__all__ = ["VARIANTS", "MatchRules", "Outcome", "Variant", "play", "recorded_variant", "variant"]
