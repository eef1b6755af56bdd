"""What takes minutes: `HYPOTHESIS_PROFILE=nightly` runs it, and nothing else does."""

import os

import pytest

IS_NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
NIGHTLY = pytest.mark.skipif(not IS_NIGHTLY, reason="takes minutes; run by `nightly`")
