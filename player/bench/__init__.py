"""The benchmark: fixed positions, a signature, and the time they take."""

from player.bench.measure import Measurement, Row, measure
from player.bench.rows import rows

__all__ = ["Measurement", "Row", "measure", "rows"]
