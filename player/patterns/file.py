"""The file of patterns."""

from pathlib import Path

from hsearch.files import arrays as files
from player.patterns.weights import PatternError, PatternWeights

SCHEMA = "hsearch/patterns/1"
ARRAYS = ("weights", "replies", "scales")


def write_patterns(path: Path, patterns: PatternWeights) -> None:
    """Write patterns, whole or not at all. Raise OSError, naming the file, when that fails."""
    arrays = {name: getattr(patterns, name) for name in ARRAYS}
    files.save(path, SCHEMA, {"record": patterns.record}, arrays)


def read_patterns(path: Path) -> PatternWeights:
    """Return the patterns of a file. Raise PatternError, naming it, when it cannot be used."""
    try:
        about, arrays = files.load(path, SCHEMA, "file of patterns")
    except files.ArraysError as error:
        raise PatternError(str(error)) from None
    record = about.get("record")
    if set(arrays) != set(ARRAYS) or not isinstance(record, dict):
        raise PatternError(f"{path}: not a file of patterns: a part is missing, or one too many")
    try:
        return PatternWeights(**arrays, record=record)
    except ValueError as error:
        raise PatternError(f"{path}: not a file of patterns: {error}") from None
