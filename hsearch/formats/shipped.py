"""The positions that come with the program."""

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent

# An installed wheel has them inside the package, a checkout beside it.
_FOLDERS = (_PACKAGE / "positions", _PACKAGE.parent / "positions")


def shipped(path: str) -> Path | None:
    """Return where a file such as `positions/bench.txt` lies; None if it does not come along.

    The first folder of the path may be left out.
    """
    relative = Path(path.removeprefix("positions/"))
    if relative.is_absolute() or ".." in relative.parts:
        return None
    return next((folder / relative for folder in _FOLDERS if (folder / relative).is_file()), None)
