"""`hsearch warm`: compile every kernel now, so that no later command waits for one.

A kernel is compiled when a command needs it, so short commands are run here, each
in its own process and with its output discarded, on one board of each size in
64-bit words. If two need the same kernel, one compiles it.
"""

import hashlib
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from hsearch.formats import strict
from hsearch.kernels.cache import cache_folder
from player.console.command import FailedError, command
from player.console.compiling import COMPILING
from player.console.options import SizeType, processes_option
from player.console.output import say
from player.console.screen import working, write_file
from player.evaluate.int8 import is_installed
from player.evaluate.net import load_net, random_net, write_net

SIZES = ((7, 7), (11, 11), (13, 13), (14, 14))  # one, two, three and four words
WARMED = "warmed.json"  # the runs that are done, so that the next `warm` skips them
SMALLEST = 5  # a side with room for the game below
GAME = "a3 c3 d2 b4 d4 b2"
TREE = (  # positions that make the tree search, and store what it proves
    "boardsize 7 7\nplay b a1\ngenmove w\nplay b g7\ngenmove w\n"
    "boardsize 6 6\nplay b c2\ngenmove w\n"
)


@dataclass(frozen=True, slots=True)
class WarmingRun:
    """A command line that compiles kernels.

    line   its words; SIZE, here and in `stdin`, stands for a board, OUT for a file that is
           discarded, NET for an untrained net
    stdin  its standard input; CHAIN stands for a game that Black has almost won
    share  about how many seconds of the processor its kernels take, without those of
           earlier lines
    """

    line: str
    stdin: str
    share: float


SIZED = (
    WarmingRun("analyze - --size SIZE", GAME, 18),
    WarmingRun("solve - --size SIZE", "CHAIN", 18),
    WarmingRun("analyze - --size SIZE --knowledge all", GAME, 8),
    WarmingRun("bid - --size SIZE", GAME, 5),
    WarmingRun("evaluate - --size SIZE", GAME, 5),
    WarmingRun("review - --size SIZE", GAME, 2),
    WarmingRun("analyze - --size SIZE --player tree", GAME, 5),
    WarmingRun("gtp", "boardsize SIZE\nplay b c3\ngenmove w\ngenmove b\n", 5),
)
NETS = WarmingRun(  # with the extra `fast`: stores the net in eight bits, once for each board
    "gtp --player tree:net=shipped,int8=yes,simulations=1,solve=0",
    "".join(f"boardsize {n} {n}\nplay b a2\nplay w b2\ngenmove b\n" for n in (*range(7, 16), 19)),
    25,
)
ONCE = (
    NETS,
    WarmingRun("solve - --size 5", "a1", 1),
    WarmingRun("solve - --size 3 --shortest", "a1 b2", 4),
    WarmingRun("play --size 3 --variant bidding --record OUT", "c2", 3),
    WarmingRun("play --size 3 --variant random-turn --record OUT", "c2", 3),
    WarmingRun("play --size 3 --variant dark-classic --record OUT", "c2", 5),
    WarmingRun("dark solve 2x2", "", 3),
    WarmingRun("dark solve 2x2 --method cfr --iterations 2", "", 2),
    WarmingRun("dark solve 2x2 --method mccfr-external --iterations 2", "", 6),
    WarmingRun("dark solve 2x2 --method mccfr-outcome --iterations 2", "", 2),
    WarmingRun("show - --size 5 --inferior", "a1", 2),
    WarmingRun("bid - --size 5 --fillings 1024", "a1", 4),
    WarmingRun("bid - --size 5 --fillings 1024 --estimator losing", "a1", 1),
    WarmingRun("bid - --size 3 --balanced", "b2", 3),
    WarmingRun("gtp --player tree:simulations=99", TREE, 4),
    WarmingRun("gtp --player tree:simulations=99,net=NET", TREE, 6),
    WarmingRun("gtp --player ab", "boardsize 5 5\nplay b a1\ngenmove w\n", 4),
    WarmingRun("template find --row 2 --columns 4", "", 4),
)


@command("warm", "hsearch warm", "hsearch warm --size 11 --size 19", "hsearch warm --jobs 1")
@click.option(
    "--size",
    "sizes",
    type=SizeType(),
    multiple=True,
    help="Boards as large as this, as 11 or 5x9; may be repeated. By default all to 14x14.",
)
@processes_option("jobs", most=64, default=2, help="Processes that compile at the same time.")
def warm(*, sizes: tuple[tuple[int, int], ...], jobs: int) -> None:
    """Compile all kernels now, so that no later command has to wait for them.

    With the extra `fast`, prepare the net for the usual boards as well.

    They are kept in the user's cache folder, or in the folder NUMBA_CACHE_DIR,
    and what is there is not compiled again.
    """
    runs = [each for size in sizes or SIZES for each in _runs_for(size)]
    has_nets = is_installed() and load_net() is not None
    runs += [run for run in ONCE if has_nets or run is not NETS]
    before, progress = _count(), 0.0
    state = _state()
    complete = _complete_runs(state, before)
    runs = [run for run in runs if _key(run) not in complete]
    pool, running = ThreadPoolExecutor(jobs), set[subprocess.Popen[str]]()
    try:
        with working("compiling kernels", sum(run.share for run in runs)) as work:
            futures = {pool.submit(_compile, run, running): run for run in runs}
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                progress += futures[future].share
                work.update(progress)
                work.say(f"kernels of {number} of {len(runs)} commands, {_count() - before} new")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in [*running]:  # after Ctrl-C or a failure; what is compiled is kept
            process.kill()
        pool.shutdown()
    new, folder = _count() - before, cache_folder()
    if runs:
        lines = sorted(complete | {_key(run) for run in runs})
        write_file(folder / WARMED, strict.write({**state, "kernels": before + new, "runs": lines}))
    say([f"{new} kernels compiled, {before} were there before; they are kept in {folder}."])


def _runs_for(size: tuple[int, int]) -> Iterator[WarmingRun]:
    """Yield the runs that compile kernels for boards of a size."""
    columns, rows = (max(side, SMALLEST) for side in size)
    board = f"{columns} {rows}"
    chain = " ".join(f"c{row} a{row}" for row in range(2, rows))
    for run in SIZED:
        stdin = run.stdin.replace("SIZE", board).replace("CHAIN", chain)
        yield WarmingRun(run.line.replace("SIZE", f"{columns}x{rows}"), stdin, run.share)


def _compile(run: WarmingRun, running: set[subprocess.Popen[str]]) -> None:
    """Run a command line for its kernels. Raise FailedError, naming it, if it fails.

    While it runs, its process is in `running`.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, net = Path(folder, "game.sgf"), Path(folder, "net.npz")
        write_net(net, random_net(1, 8, np.random.default_rng(0)))
        line = run.line.replace("OUT", str(out)).replace("NET", str(net))
        with subprocess.Popen(  # noqa: S603 - this program
            [sys.executable, "-P", "-m", "player.cli", *line.split()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            running.add(process)
            _, output = process.communicate(run.stdin)
            running.discard(process)
    if process.returncode:  # if it is 0, stderr holds only notes
        errors = [line for line in output.splitlines() if line != COMPILING]
        why = errors[-1] if errors else f"exit code {process.returncode}"
        raise FailedError(f"hsearch {run.line}: {why}")


def _key(run: WarmingRun) -> str:
    """Return the key that identifies a run."""
    return f"{run.line} < {run.stdin}"


@dataclass(frozen=True, slots=True)
class _Note:
    """The note of an earlier `warm`: its state, the number of kernels, and its runs."""

    source: str
    machine: str
    kernels: int
    runs: list[str]


def _state() -> dict[str, str]:
    """Return what kernels depend on: the source (by size and time of its files), the machine."""
    root = Path(__file__).parents[2]
    files = sorted(file for name in ("hsearch", "player") for file in (root / name).rglob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        status = file.stat()
        digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return {"source": digest.hexdigest(), "machine": f"{platform.node()} {sys.version}"}


def _complete_runs(state: dict[str, str], kernels: int) -> set[str]:
    """Return the runs whose kernels all exist, by the note of an earlier `warm`."""
    try:
        note = strict.read((cache_folder() / WARMED).read_bytes(), _Note)
    except (OSError, ValueError):
        return set()
    is_valid = {"source": note.source, "machine": note.machine} == state
    return set(note.runs) if is_valid and note.kernels <= kernels else set()


def _count() -> int:
    """Return the number of stored kernels."""
    return sum(1 for _ in cache_folder().glob("*.kernel"))
