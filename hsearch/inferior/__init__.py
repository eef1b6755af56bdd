"""Cells that do not matter, or not to a player: dead, captured, vulnerable, reversible, dominated.

Björnsson, Hayward, Johanson and van Rijswijck: Dead cell analysis in Hex and the
Shannon game (2007); Hayward et al.: Solving 7x7 Hex with domination, fill-in,
and virtual connections (2005).
"""

from hsearch.inferior.filling import FillIn, fill_in
from hsearch.inferior.moves import dominated, reversible, vulnerable
from hsearch.inferior.region import enclosed, members

__all__ = ["FillIn", "dominated", "enclosed", "fill_in", "members", "reversible", "vulnerable"]
