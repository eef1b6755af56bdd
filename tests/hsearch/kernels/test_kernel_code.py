"""The compiled code of kernels omits wrappers, counts and machine code that nobody uses."""

import ast
import gc
import os
import re
import subprocess
import sys
from uuid import uuid4

import numba
import numpy as np
import pytest
from kernel_modules import ARRAYS, CALLEE, CALLER, compiled
from numba.core.runtime import _nrt_python
from places import ROOT

from hsearch.kernels.cache import cache_folder
from hsearch.kernels.folder import folder_of

pytestmark = pytest.mark.usefixtures("kernels_folder")


def symbols(kernel):
    """Return the names of the functions compiled for a kernel's only signature."""
    (text,) = kernel.inspect_llvm().values()
    return re.findall(r"^define [^@]*@\"?([^\"(]+)", text, re.MULTILINE)


@pytest.mark.parametrize("first", ["a kernel", "Python"])
def test_a_kernel_is_called_by_kernels_and_by_python(load, first):
    """Either may call first, in the process that compiles and in one that loads both."""
    for again in (False, True):
        callee, caller = load()
        calls = [(caller.top, 911), (callee.leaf, 4)]
        for kernel, result in calls if first == "a kernel" else reversed(calls):
            assert kernel(1) == result
            assert compiled(kernel) != again
        assert caller.top(2) == 912
        assert callee.leaf(2) == 5


def test_a_cached_kernel_is_linked_into_its_caller(load):
    load()[0].leaf(1)
    callee, caller = load()

    assert callee.leaf(1) == 4
    assert caller.top(1) == 911
    assert not compiled(callee.leaf)
    assert compiled(caller.top)
    (text,) = caller.top.inspect_llvm().values()  # else it calls what only this process has
    assert not re.search("^declare .*leaf", text, re.MULTILINE)


def test_kernels_called_only_by_kernels_have_no_wrapper(load):
    """There is none for C or Python; a kernel that Python called first serves kernels, too."""
    callee, caller = load()
    caller.top(1)
    wrappers = ("_ZN7cpython", "cfunc.")  # prefixes of Numba

    assert not any(name.startswith(wrappers) for name in symbols(caller.middle))
    assert sum(name.startswith(wrappers) for name in symbols(caller.top)) == 1

    callee, caller = load(callee=CALLEE.replace("STEP = 3", "STEP = 4"))
    callee.leaf(1)
    caller.top(1)
    assert len(list(cache_folder().glob("callee.leaf-*"))) == 2


def test_kernels_called_only_by_kernels_have_no_machine_code(load):
    """Neither the process that compiles it nor one that loads and links it has any."""
    for text in (CALLER, CALLER.replace("+ 100", "+ 200")):
        caller = load(caller=text)[1]
        caller.top(1)
        defined = {}
        for name in ("middle", "top"):
            (result,) = getattr(caller, name).overloads.values()
            engine = result.codegen._engine  # noqa: SLF001 - Numba has no public access
            defined[name] = engine.is_symbol_defined(result.fndesc.llvm_func_name)

        assert defined == {"middle": False, "top": True}
    assert not compiled(caller.middle)


def test_only_kernels_that_make_arrays_count_references(load):
    """Callers of a kernel that makes an array count, too, or nobody would free it."""
    kernels = load(callee=ARRAYS, caller="")[0]
    row = np.ones(3)
    kernels.add(row, 2.0)
    _nrt_python.memsys_enable_stats()
    before = numba.core.runtime.rtsys.get_allocation_stats()
    for size in range(2, 12):
        assert kernels.total(size) == size
        assert list(kernels.made(size)) == [1.0] * size
    after = numba.core.runtime.rtsys.get_allocation_stats()

    assert list(row) == [3.0] * 3
    assert after.alloc - before.alloc == after.free - before.free >= 20
    counting = re.compile(r"call [^\n]*@NRT_(?:incref|decref|Allocate|MemInfo_alloc)")
    texts = {
        name: "".join(getattr(kernels, name).inspect_llvm().values()) for name in ("add", "made")
    }
    assert {name for name, text in texts.items() if counting.search(text)} == {"made"}


def test_a_kernel_may_not_return_an_array_that_it_was_given(load):
    """Its caller would free an array that another holds."""
    kernels = load(callee=ARRAYS, caller="")[0]

    with pytest.raises(TypeError, match=r"callee\.same returns an array that it has not made"):
        kernels.same(np.ones(3))


def test_unknown_array_constructors_are_refused(load):
    """Numba refuses it, having nothing to allocate it with."""
    text = ARRAYS.replace("np.zeros(size)", "np.linspace(0, 0, size)")
    kernels = load(callee=text, caller="")[0]

    with pytest.raises(numba.core.errors.NumbaError):
        kernels.total(3)


def test_garbage_collection_resumes_after_compiling(load):
    """Garbage is collected again even if compiling failed, unless it was off before."""
    was, enabled = gc.isenabled(), []
    try:
        for begin in (gc.enable, gc.disable):
            begin()
            kernels = load(callee=ARRAYS, caller="")[0]
            assert kernels.total(3) == 3
            enabled.append(gc.isenabled())
            with pytest.raises(TypeError):
                kernels.same(np.ones(3))
            enabled.append(gc.isenabled())
    finally:
        (gc.enable if was else gc.disable)()

    assert enabled == [True, True, False, False]


INDEXING = """
import sys
import numba
import numpy as np
from hsearch.kernels.cache import kernel

def at(numbers, index):
    return numbers[index]

@kernel
def ours(numbers, index):
    return at(numbers, index)

at = kernel(at)
numbers = np.arange(3)
print(numba.njit(lambda numbers, index: numbers[index])(numbers, -1))
try:
    print(ours(numbers, 1), ours(numbers, int(sys.argv[1])))
except IndexError:
    print("IndexError")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("index", "said"), [("-1", "IndexError"), ("2", "1 2")])
def test_the_bounds_check_finds_negative_indices(index, said, tmp_path):
    """Kernels do not wrap negative indices; other code of Numba does."""
    (tmp_path / "indexing.py").write_text(INDEXING)
    environment = {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{tmp_path}:{ROOT}",
    }
    run = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, tmp_path / "indexing.py", index],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout == f"2\n{said}\n"


def test_no_kernel_counts_from_the_end():
    """No literal index is negative; `NUMBA_BOUNDSCHECK=1 pytest` finds computed ones."""
    found = [
        f"{path.relative_to(ROOT)}:{index.lineno}: {ast.unparse(part)}"
        for package in ("hsearch", "player")
        for path in (ROOT / package).rglob("*.py")
        if "kernel\n" in path.read_text()
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        and any(ast.unparse(each).endswith("kernel") for each in function.decorator_list)
        for part in ast.walk(function)
        if isinstance(part, ast.Subscript)
        for index in (part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice])
        if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
    ]

    assert found == []


@pytest.mark.slow
def test_numba_modules_are_loaded_only_when_needed(tmp_path):
    """Loading the compiler takes longer than all kernels of a closure; so does SciPy's algebra.

    The first process compiles two, into the folder that has those of other tests.
    """
    name = f"summing{uuid4().hex}"
    (tmp_path / f"{name}.py").write_text(
        "from hsearch.kernels.cache import kernel\n"
        "@kernel\ndef first(x):\n    return x[0, 0]\n"
        "@kernel\ndef total(x):\n    return x.sum()\n"
    )
    script = f"""
import sys
import hsearch, numba, numpy
from hsearch.analysis.circuit import circuits
from {name} import first, total
circuits(hsearch.Position.of(hsearch.Board(3, 3)))
two = 2 * numpy.eye(3)
print(first(two))
print("numba.np.arraymath" in sys.modules)
print(total(two))
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda x: numpy.dot(x, x))(two).trace())
print(numba.njit(lambda x: numpy.linalg.inv(x))(two).trace())
"""
    kept = folder_of(os.environ.get("NUMBA_CACHE_DIR", ""))
    try:
        for compiles in (True, False):
            done = subprocess.run(  # noqa: S603 - our own words
                [sys.executable, "-c", script],
                env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
                capture_output=True,
                text=True,
                check=True,
                timeout=300,
            )

            assert done.stdout.split() == ["2.0", str(compiles), "6.0", "False", "12.0", "1.5"]
    finally:
        for file in kept.glob(f"{name}.*"):
            file.unlink()
