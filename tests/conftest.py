"""Settings that all tests share."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# The first call of a kernel compiles it, so a deadline measures the compiler.
for _name, _examples in (("dev", 25), ("ci", 100), ("nightly", 1000)):
    settings.register_profile(
        _name,
        deadline=None,
        max_examples=_examples,
        derandomize=_name == "ci",
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that
# tests start and interrupt; a signal that is handled here has its default there.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run a single file without workers, so that it starts at once and `--pdb` works."""
    return 0 if len(config.args) == 1 and ".py" in config.args[0] else None


@pytest.fixture(scope="session")
def browser():
    """Start one browser for all tests that need one; skip them where there is none."""
    pytest.importorskip("playwright", reason="no playwright: pip install playwright")
    from browser import CHROMIUM, launched  # noqa: PLC0415 - only where it is installed

    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install -y chromium")
    with launched() as found:
        yield found
