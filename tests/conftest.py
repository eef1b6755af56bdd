"""Settings that all tests share."""

import gc
import os
import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before numpy is imported, as it is by the compiler. While other processes use the cores, the
# threads of its algebra wait for each other and spin: a net's answer took 70 times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from numba.core.event import Event, Listener, register

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

# Otherwise each worker, and each program that a test starts, compiles its imports anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell makes background processes ignore Ctrl-C, and the programs that tests start and interrupt
# would inherit that. A signal that is handled here has its default action there.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one worker more than there are cores, since one often waits for a process.

    A single file runs without workers, so that it starts at once and `--pdb` works.
    """
    if len(config.args) == 1 and ".py" in config.args[0]:
        return 0
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cpu`, which other work disturbs less than `--durations`, and `--record`."""
    words = (
        "list the N tests that took most processor time, with that of the processes they started, "
        "and what of it went into compiling kernels; then the files that took most"
    )
    parser.addoption("--cpu", type=int, default=0, metavar="N", help=words)
    words = "write again what tests/goldens has of the program"
    parser.addoption("--record", action="store_true", help=words)


class _Compiling(Listener):
    """Measures the processor time that this process spends in the compiler."""

    def __init__(self) -> None:
        self.seconds, self._depth, self._began = 0.0, 0, 0.0

    def on_start(self, event: Event) -> None:  # noqa: ARG002 - Numba's signature
        """Start counting, unless this kernel is compiled for another one."""
        if not self._depth:
            self._began = time.thread_time()
        self._depth += 1

    def on_end(self, event: Event) -> None:  # noqa: ARG002
        """Stop counting when the outermost kernel is compiled."""
        self._depth -= 1
        if not self._depth:
            self.seconds += time.thread_time() - self._began


_compiling = _Compiling()
_told = [0.0, 0.0]  # processor time already reported, and the compiler's share of it
PACKAGES = {"chromium": "chromium-headless-shell", "firefox": "firefox-esr"}


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session):
    """Freeze all objects that loading the tests creates, so the garbage collector skips them.

    It then looks for cycles after 20,000 new objects, not 700: tests make many values, few cycles.
    """
    gc.disable()
    _import_share(session.config)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 5, 5)
        gc.enable()


def _import_share(config: pytest.Config) -> None:
    """Import a share of the tests before collecting them, if all are to be collected.

    Python compiles each new or changed file when it is first imported. If all workers imported the
    tests in the same order, they would compile the same files at the same time.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    number, share = int(worker["workerid"].removeprefix("gw")), len(files) // worker["workercount"]
    for file in files[number * share :][:share]:
        sys.path.insert(0, str(file.parent))
        # Failures and skips occur again during collection, and are reported then.
        with suppress(Exception, pytest.skip.Exception):
            import_module(file.stem)


def pytest_collection_finish() -> None:
    """Start measuring."""
    register("numba:compile", _compiling)
    _told[0] = sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Add the processor seconds of a test phase to its report, and those of the compiler."""
    report = yield
    now = sum(os.times()[:4])
    report.cpu, report.compiling = now - _told[0], _compiling.seconds - _told[1]
    _told[:] = now, _compiling.seconds
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table that `--cpu` requests."""
    if not config.option.cpu:
        return
    tests, files, compiling = Counter[str](), Counter[str](), Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "cpu"):
                file = report.nodeid.partition("::")[0]
                for spent, name in ((tests, report.nodeid), (files, file)):
                    spent[name] += report.cpu
                    compiling[name] += report.compiling
    inside = sum(compiling[name] for name in files)
    title = f"{tests.total():.0f} seconds of the processor, {inside:.0f} of them compiling"
    terminalreporter.section(title)
    for spent in (tests, files):
        for name, seconds in spent.most_common(config.option.cpu):
            terminalreporter.line(f"{seconds:7.1f} {compiling[name]:7.1f}  {name}")
        terminalreporter.line("")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `firefox`, but not `chromium`, in both browsers."""
    is_marked, is_chromium = map(metafunc.definition.get_closest_marker, ("firefox", "chromium"))
    if "browser" in metafunc.fixturenames and is_marked and not is_chromium:
        metafunc.parametrize("browser", ["chromium", "firefox"], indirect=True, scope="session")


@pytest.fixture(autouse=True)
def _nothing_proved_before():
    """Forget earlier proofs after each test: an answer names the proof that it is based on."""
    yield
    # A server's thread may be importing the module at this moment.
    memory = getattr(sys.modules.get("player.answers.memory"), "MEMORY", None)
    if memory is not None:
        memory.forget()


@pytest.fixture
def pair_searches(monkeypatch):
    """Return a list that gets the arguments of each search for a pair by the solver."""
    from player.solve.pair import join  # noqa: PLC0415 - it loads numba

    searches = []

    def counted(*arguments, **options):
        searches.append(arguments)
        return join(*arguments, **options)

    monkeypatch.setattr("player.answers.memory.join", counted)
    return searches


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """Return the path of the program for tests of many commands: each is a fork of one server."""
    import forking  # noqa: PLC0415 - on the path only when tests are collected

    folder = tmp_path_factory.mktemp("program")
    with forking.programs(folder, Path(__file__).parent.parent):
        yield folder / "bin" / "hsearch"


@pytest.fixture
def terminal(program):
    """Return a function that runs the program in a new terminal, closed at the end."""
    from terminal import Terminal  # noqa: PLC0415 - on the path only when tests are collected

    with ExitStack() as opened:

        def run(*arguments, columns=None):
            one = Terminal(*arguments, program=program, columns=columns)
            opened.callback(one.close)
            return one

        yield run


@pytest.fixture(scope="session")
def london_review(tmp_path_factory):
    """Return a function that gives a London game's quick review: made once for all processes."""
    from london import quick_review  # noqa: PLC0415 - on the path only when tests are collected

    folder = tmp_path_factory.getbasetemp()
    return partial(quick_review, folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture(scope="session")
def browsers():
    """Yield a function that starts each browser once; skip tests if there is no Playwright."""
    pytest.importorskip("playwright", reason="no playwright: pip install playwright")
    from browser import launched  # noqa: PLC0415 - only where it is installed

    with launched() as start:
        yield start


@pytest.fixture(scope="session")
def browser(browsers, request):
    """Return a browser, Chromium unless a test is parametrized; skip where it is missing."""
    name = getattr(request, "param", "chromium")
    started = browsers(name)
    if started is None:
        pytest.skip(f"no {name}: apt-get install -y {PACKAGES[name]}")
    return started
