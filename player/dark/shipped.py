"""Values that took too long to find anew: read from their certificates, and proved again."""

import time
from pathlib import Path

from hsearch.formats.shipped import shipped
from player.dark import certificate
from player.dark.rules import DarkRules
from player.dark.solve import Sizes, Solution


def solution(rules: DarkRules) -> Solution | None:
    """Return what the shipped certificate of a game proves; None if none is shipped.

    Raise CertificateError when it proves less than it claims.
    """
    path = shipped(f"dark/{rules.name}.txt")
    return None if path is None else proved(path)


def proved(path: Path) -> Solution:
    """Return what a certificate proves, in exact arithmetic; `seconds` are those of the proof."""
    start = time.perf_counter()
    claim = certificate.load(path)
    certificate.verify(claim)
    bounds = float(claim.lower), float(claim.upper)
    return Solution(sum(bounds) / 2, bounds, Sizes(), time.perf_counter() - start, claim)
