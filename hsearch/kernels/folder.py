"""The folder of compiled kernels: in `NUMBA_CACHE_DIR`, else in the user's cache folder.

Numba takes a second or two to load, and is not needed to look there.
"""

import os
from pathlib import Path


def folder_of(told: str) -> Path:
    """Return the folder, given what Numba was told; empty if it was told nothing."""
    if told:
        return Path(told) / "hsearch"
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "hsearch"


def has_kernels() -> bool:
    """Return whether anything was ever compiled on this machine."""
    folder = folder_of(os.environ.get("NUMBA_CACHE_DIR", ""))
    return any(folder.glob("*.kernel"))
