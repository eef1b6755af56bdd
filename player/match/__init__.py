"""Two players, a referee, one game of any variant."""

from player.match.alternating import play
from player.match.outcome import Outcome, Rules
from player.match.variant import VARIANTS, Variant, recorded_variant, variant

__all__ = ["VARIANTS", "Outcome", "Rules", "Variant", "play", "recorded_variant", "variant"]
