"""Paths: the checkout, and files that tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUPPORT = Path(__file__).parent

needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a device that is always full"
)
