"""Where the files of Dark Hex lie that come with the program."""

from pathlib import Path

import hsearch


def folder() -> Path:
    """Return `positions/dark`: inside the installed package, or beside it in a clone."""
    package = Path(hsearch.__file__).parent
    installed = package / "positions" / "dark"
    return installed if installed.is_dir() else package.parent / "positions" / "dark"
