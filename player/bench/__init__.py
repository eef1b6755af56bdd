"""The benchmark: fixed positions, a signature, and the time they take."""

from player.bench.measure import Report, Row, measure
from player.bench.rows import rows

__all__ = ["Report", "Row", "measure", "rows"]
