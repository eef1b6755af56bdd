"""Cached kernels are never stale, and none is compiled twice."""

import cProfile
import errno
import os
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import numba
import numpy as np
import pytest
from kernel_modules import ARRAYS, CALLEE, CALLER, compiled
from places import ROOT

from hsearch.connect import window_answers
from hsearch.kernels import cache, folder, internals
from hsearch.kernels.cache import KernelCache, cache_folder

pytestmark = pytest.mark.usefixtures("kernels_folder")


def test_a_user_without_a_home_has_a_cache_folder(monkeypatch):
    """Without a home, as in a container, nothing is cached and nothing fails."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)

    assert folder.user_folder() == Path("/.cache/hsearch")
    assert folder.folder_of("") == folder.user_folder()
    assert window_answers.user_file().parent == folder.user_folder()


def test_a_relative_folder_of_caches_is_ignored(monkeypatch, tmp_path):
    """The specification demands it; each current folder would get a cache of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for path in ("", "caches", "./caches"):
        monkeypatch.setenv("XDG_CACHE_HOME", path)
        assert folder.user_folder() == tmp_path / ".cache" / "hsearch"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert folder.user_folder() == tmp_path / "caches" / "hsearch"


def test_compiled_kernels_are_cached(load):
    first, second = load()[1], load()[1]

    assert first.top(1) == second.top(1) == 4 + 7 + 900
    assert compiled(first.top)
    assert not compiled(second.top)


@pytest.mark.parametrize(
    ("file", "before", "after", "result"),
    [
        ("callee", "x + STEP", "x - STEP", -2 + 7 + 900),
        ("callee", "STEP = 3", "STEP = 4", 5 + 7 + 900),
        ("callee", "(5, 7)", "(5, 8)", 4 + 8 + 900),
        ("callee", "(5, 7)", "(7, 5)", 4 + 5 + 900),
        ("callee", "first: int\n    second: int", "second: int\n    first: int", 4 + 7 + 100),
        ("caller", "by=1", "by=2", 8 + 7 + 900),
        ("caller", "* by", "* -by", -4 + 7 + 900),
        ("caller", "+ 100", "- 100", 4 + 7 - 900),
        ("caller", "100 *", "101 *", 4 + 7 + 909),
    ],
)
def test_a_change_in_a_kernel_or_its_callees_recompiles_it(load, file, before, after, result):
    load()[1].top(1)
    sources = {"callee": CALLEE, "caller": CALLER}
    assert before in sources[file]
    sources[file] = sources[file].replace(before, after)

    top = load(**sources)[1].top

    assert top(1) == result
    assert compiled(top)


def test_reordered_fields_of_an_argument_type_take_effect(load):
    callee, caller = load()
    assert caller.first_of(callee.Pair(1, 2)) == 1

    callee, caller = load(callee=CALLEE.replace("first: int\n    second", "second: int\n    first"))

    assert caller.first_of(callee.Pair(1, 2)) == 2


def test_each_record_layout_has_its_own_kernel(load):
    first_of = load()[1].first_of
    for names in (["first", "second"], ["second", "first"]):
        rows = np.zeros(1, [(name, np.int64) for name in names])
        rows["first"] = 7

        assert first_of(rows[0]) == 7
        again = load()[1].first_of
        assert again(rows[0]) == 7
        assert not compiled(again)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\nSTEP", "\n# A remark.\n\nSTEP"),
        pytest.param(
            "def leaf(x):\n",
            'def leaf(x):\n    """Say what it does."""\n',
            marks=pytest.mark.skipif(sys.version_info >= (3, 14), reason="constants move there"),
        ),
        ("x * 2", "x * 3"),
    ],
    ids=["lines", "docstring", "another kernel"],
)
def test_irrelevant_changes_recompile_nothing(load, before, after):
    load()[1].top(1)
    assert before in CALLEE

    top = load(callee=CALLEE.replace(before, after), folder="elsewhere")[1].top

    assert top(1) == 4 + 7 + 900
    assert not compiled(top)


def test_types_and_options_have_kernels_of_their_own(load, monkeypatch):
    caller = load()[1]
    assert caller.top(1) == 911
    assert caller.top(0.5) == 3.5 + 7 + 900

    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1 - (numba.config.BOUNDSCHECK or 0))
    again = load()[1]
    again.top(1)

    assert compiled(again.top)


def test_a_constant_in_a_call_compiles_no_kernel_of_its_own(load):
    """Numba alone would compile a kernel for each constant."""
    text = CALLER.replace("leaf(x) * by", "leaf(x) * by + leaf(3) + leaf(4)")
    callee, caller = load(caller=text)

    assert caller.top(1) == 4 + 6 + 7 + 7 + 900
    assert len(callee.leaf.signatures) == 1


def test_kernels_with_different_slices_are_compiled_separately(load):
    """From Python 3.14 on, slices are constants of the bytecode; another slice is other code."""
    text = ARRAYS + "\n@kernel\ndef some(x):\n    return np.arange(x)[1:3].sum()\n"
    some, again, other = (
        load(callee=each, caller="")[0].some for each in (text, text, text.replace("1:3", "2:"))
    )

    assert [some(5), again(5), other(5)] == [3, 3, 9]
    assert [compiled(each) for each in (some, again, other)] == [True, False, True]


def test_kernels_refuse_mutable_globals_and_text(load):
    for table in ("[5, 7]", "{5: 7}"):
        with pytest.raises(TypeError, match="may not depend on"):
            load(callee=CALLEE.replace("(5, 7)", table))[1].top(1)
    with pytest.raises(TypeError, match="may not take"):
        load()[1].first_of("text")


def test_a_damaged_file_is_compiled_anew(load):
    load()[1].top(1)
    for path in cache_folder().iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"?")

    top = load()[1].top

    assert top(1) == 911
    assert compiled(top)


def test_kernels_work_without_a_writable_cache_folder(load, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(KernelCache, "_is_kept", True)

    assert load()[1].top(1) == 911
    assert "cannot be kept" in capsys.readouterr().err


def test_a_full_disk_is_reported_once(load, tmp_path, monkeypatch, capsys):
    """Cached kernels are found; the rest is compiled at each start, which needs one message."""

    def full(_path, _data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(KernelCache, "_is_kept", True)
    monkeypatch.setattr(cache, "write_kept", full)
    callee, caller = load()

    assert (caller.top(1), callee.other(1)) == (911, 2)
    assert capsys.readouterr().err == (
        f"hsearch: compiled kernels cannot be kept in {tmp_path}/hsearch (No space left on "
        "device): every start compiles them again\n"
    )


def test_missing_names_of_numba_classes_are_detected():
    assert internals.MISSING == ""
    assert internals.first_missing({"Compiler": ("compile_extra", "x")}) == "Compiler.x"


@pytest.mark.slow
@pytest.mark.parametrize("words", ["analyze b2 --size 3", "gtp", "board --no-open --port 0"])
def test_commands_refuse_disabled_compilation(words):
    """Integers would not wrap around, so one line names the variable to unset."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "player.cli", *words.split()],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        input="boardsize 5\ngenmove b\n",
        timeout=60,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "hsearch: ImportError: NUMBA_DISABLE_JIT is set, but kernels run compiled only: unset it\n"
    )


@pytest.mark.slow
def test_numbas_own_cache_is_used_if_internals_are_missing(tmp_path):
    """The results are the same, and a second start finds the compiled kernels."""
    (tmp_path / "callee.py").write_text(CALLEE)
    (tmp_path / "caller.py").write_text(CALLER)
    script = """
import numba.core.caching
del numba.core.caching._Cache
import caller
from hsearch.kernels import internals
print(caller.top(1), len(caller.top.stats.cache_hits), internals.MISSING != "")
"""
    environment = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
    }
    runs = [
        subprocess.run(  # noqa: S603 - our own words
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]

    assert runs == ["911 0 True\n", "911 1 True\n"]


def test_only_one_module_imports_numba_internals():
    """A new version of Numba needs a review of that module only."""
    private = re.compile(
        r"numba\.(core|np)\b(?!\.event| import event)|from numba\S* import _|llvmlite\.binding"
    )
    named = [
        path.relative_to(ROOT).as_posix()
        for package in ("hsearch", "player")
        for path in (ROOT / package).rglob("*.py")
        if any(private.search(line) for line in path.read_text().splitlines() if "import" in line)
    ]

    assert named == ["hsearch/kernels/internals.py"]


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_mix_their_kernels(tmp_path):
    """Three types for four processes: one waits for another, and each has its own result.

    They are forks of a process that has loaded Numba, but compiled none of this.
    """
    (tmp_path / "callee.py").write_text(CALLEE)
    (tmp_path / "caller.py").write_text(CALLER)
    script = """
import os, sys, caller, numba, numpy
numba.njit(lambda x: x + 1)(1)
for kind in sys.argv[1:]:
    if not os.fork():
        print(caller.top(getattr(numpy, kind)(1)), len(caller.top.stats.cache_hits),
            len(caller.middle.stats.cache_misses), flush=True)
        os._exit(0)
for _ in sys.argv[1:]:
    assert os.wait()[1] == 0
"""
    environment = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
    }
    kinds = ("int64", "float64", "float32", "int64")

    for again in (False, True):
        done = subprocess.run(  # noqa: S603 - our own words
            [sys.executable, "-c", script, *kinds],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        said = [line.split() for line in done.stdout.splitlines()]

        assert [float(result) for result, _, _ in said] == [911, 911, 911, 911]
        assert [int(found) for _, found, _ in said].count(1) == (4 if again else 1)
        assert [int(missed) for _, _, missed in said].count(1) == (0 if again else 3)


@pytest.mark.slow
def test_a_failed_compilation_releases_the_lock(tmp_path):
    """The lock is released; another process gets the same error while the first still runs."""
    (tmp_path / "wrong.py").write_text(
        "from hsearch.kernels.cache import kernel\n@kernel\ndef wrong(x):\n    return x.missing\n"
    )
    script = "import wrong\ntry:\n    wrong.wrong(1)\n"
    script += "except Exception:\n    print('failed', flush=True)\n"
    environment = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
    }
    command = [sys.executable, "-c", f"{script}input()"]
    with subprocess.Popen(  # noqa: S603 - our own words
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout.readline() == "failed\n"
        second = subprocess.run(  # noqa: S603 - our own words
            command,
            env=environment,
            input="\n",
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        first.communicate("\n")

    assert second.stdout == "failed\n"


def test_working_time_excludes_loading_and_compiling_kernels(load, monkeypatch):
    """Each reading of the clock is a tick; a kernel compiled for another one takes one tick."""
    ticks = count()
    monkeypatch.setattr(cache, "time", Mock(perf_counter=lambda: next(ticks)))
    monkeypatch.setattr(cache, "_preparing", defaultdict(float))
    first, second = load()[1], load()[1]

    def spent(kernel):
        working, preparing = cache.working_seconds(), cache.preparing_seconds()
        kernel(1)
        return cache.working_seconds() - working, cache.preparing_seconds() - preparing

    working, preparing = spent(first.top)  # compiled with `middle` and `leaf`
    assert working == 2
    assert preparing > 2
    assert spent(first.top) == (1, 0)
    assert spent(second.top) == (2, 1)  # loaded from the cache
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(spent, first.top).result() == (1, 0)
        assert pool.submit(cache.working_seconds).result() == next(ticks) - 1


def test_profiling_does_not_change_the_cached_text_of_kernels(load):
    first, second = load()[1], load()[1]
    with cProfile.Profile():
        first.top(1)  # for its frame, Numba changes the bytecode's flags
        assert cache.contents(first.top) == cache.contents(second.top)


def test_files_that_killed_processes_left_are_removed(tmp_path):
    """Unless they are recent: another process may be writing them."""
    abandoned, recent = tmp_path / "one.partial", tmp_path / "other.partial"
    for path in (abandoned, recent):
        path.write_text("half")
    os.utime(abandoned, (0, 0))
    kept = tmp_path / "a.kernel"
    folder.write_kept(kept, b"whole")

    assert sorted(tmp_path.iterdir()) == [kept, recent]
    assert folder.read_kept(kept) == b"whole"


def test_unfinished_files_are_recognized(tmp_path, monkeypatch):
    """A file has the ending of an unfinished one until it is whole."""
    names = []
    monkeypatch.setattr(Path, "replace", lambda source, _target: names.append(source.suffix))
    folder.write_kept(tmp_path / "a.kernel", b"whole")

    assert names == [".partial"]
