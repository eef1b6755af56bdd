"""Tests that take minutes: they run only under `HYPOTHESIS_PROFILE=nightly`."""

import os

import pytest

IS_NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
NIGHTLY = pytest.mark.skipif(not IS_NIGHTLY, reason="takes minutes; run by `nightly`")
