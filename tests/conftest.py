"""Settings that all tests share."""

import os
import signal
from collections import Counter

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--cpu`, which other work on the machine disturbs less than `--durations`."""
    words = (
        "list the N tests that took most processor time, with that of the processes they started"
    )
    parser.addoption("--cpu", type=int, default=0, metavar="N", help=words)


_told = [0.0]  # the processor time that is in a report already


def pytest_collection_finish() -> None:
    """Begin to count."""
    _told[0] = sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Say how many seconds of the processor a phase of a test took."""
    report = yield
    now = sum(os.times()[:4])
    report.cpu, _told[0] = now - _told[0], now
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what `--cpu` asks for."""
    if not config.option.cpu:
        return
    spent: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "cpu"):
                spent[report.nodeid] += report.cpu
    terminalreporter.section(f"{spent.total():.0f} seconds of the processor")
    for name, seconds in spent.most_common(config.option.cpu):
        terminalreporter.line(f"{seconds:7.1f}  {name}")


@pytest.fixture(scope="session")
def browser():
    """Start one browser for all tests that need one; skip them where there is none."""
    pytest.importorskip("playwright", reason="no playwright: pip install playwright")
    from browser import CHROMIUM, launched  # noqa: PLC0415 - only where it is installed

    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install -y chromium")
    with launched() as found:
        yield found
