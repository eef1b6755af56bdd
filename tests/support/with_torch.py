"""Tests that need torch, and those of what is said without it."""

import importlib.util

import pytest

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="torch is large; CI goes without")
