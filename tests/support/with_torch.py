"""The mark of tests that need torch, and a flag for tests that cover its absence."""

import importlib.util

import pytest

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="torch is large; CI goes without")
