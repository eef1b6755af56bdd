"""The benchmark: fixed positions, a signature, and the time they take."""

from player.bench.measure import BenchRow, Measurement, measure
from player.bench.rows import rows

__all__ = ["BenchRow", "Measurement", "measure", "rows"]
