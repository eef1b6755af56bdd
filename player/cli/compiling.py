"""One line on stderr before the kernels are compiled, which takes seconds and looks like a hang."""

from pathlib import Path

import click
import numba

import hsearch.kernels  # noqa: F401 - names the folder of the cache


def announce(*kernels: str) -> None:
    """Say that kernels are about to be compiled, unless numba's cache has these modules."""
    cache = Path(numba.config.CACHE_DIR)  # type: ignore[attr-defined]  # filled at import
    if not all(any(cache.rglob(f"{kernel}.*.nbi")) for kernel in kernels):
        click.echo("compiling kernels, first run only ...", err=True)
