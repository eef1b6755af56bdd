"""Compiled functions: arrays in, arrays out, and nothing of this project.

Numba's cache overlooks a change to a function in another file. So the cache
lies in a folder named after all the sources here and in `player/kernels`, which
shares it: whichever package is imported first, the name is the same.
"""

import hashlib
import os
from pathlib import Path

import numba

if not numba.config.CACHE_DIR:  # an explicit NUMBA_CACHE_DIR wins
    _here = Path(__file__).parent
    _folders = (_here, _here.parents[1] / "player" / "kernels")
    _files = (path for folder in _folders for path in sorted(folder.glob("*.py")))
    _sources = b"".join(path.read_bytes() for path in _files)
    _caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    _folder = _caches / "hsearch" / hashlib.sha256(_sources).hexdigest()[:16]
    numba.config.CACHE_DIR = str(_folder)
