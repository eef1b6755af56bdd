"""Compiled functions of the player: arrays in, arrays out.

They share the cache folder of `hsearch.kernels`, which is named after the
sources of both packages, because a kernel here may call one there.
"""

import hsearch.kernels  # noqa: F401 - sets the cache folder
