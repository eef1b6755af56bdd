"""The file of patterns."""

from pathlib import Path

from hsearch.files import arrays as files
from player.patterns.weights import PatternError, PatternWeights

SCHEMA = "hsearch/patterns/2"


def write_patterns(path: Path, patterns: PatternWeights) -> None:
    """Write patterns, whole or not at all. Raise OSError, naming the file, when that fails."""
    files.save(path, SCHEMA, {"record": patterns.record}, patterns.arrays)


def read_patterns(path: Path) -> PatternWeights:
    """Return the patterns of a file. Raise PatternError, naming it, when it cannot be used."""
    try:
        about, arrays = files.load(path, SCHEMA, "file of patterns")
    except files.ArraysError as error:
        raise PatternError(str(error)) from None
    record = about.get("record")
    if not isinstance(record, dict):
        raise PatternError(f"{path}: not a file of patterns: the record is missing")
    try:
        return PatternWeights(arrays, record)
    except ValueError as error:
        raise PatternError(f"{path}: not a file of patterns: {error}") from None
