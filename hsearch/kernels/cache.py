"""Compiled kernels, kept on disk under a digest of what they are compiled from.

Numba's own cache names a kernel by its path and line, and does not notice a
change in a kernel that it calls. Here a file is named after a digest of all that
goes into the compiled code: bytecode, constants and globals of the kernel and of
each kernel it calls, types of the arguments, options, versions and processor. So
a kernel that has changed is compiled again, with its callers, and nothing else;
copies of the project share the kernels they have in common; and processes may
compile at the same time, as no file ever changes. If several processes need the
same kernel, one compiles it.

`hsearch.kernels.folder` names the folder of the files.
"""

import gc
import hashlib
import multiprocessing
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, ClassVar

import llvmlite
import numba
import numpy as np
from numba import types

from hsearch.kernels import internals
from hsearch.kernels.folder import UNCOMPILED, folder_of, read_kept, turn, write_kept

if numba.config.DISABLE_JIT:
    raise ImportError(UNCOMPILED)

# Their content depends only on their names and versions.
_LIBRARIES = {"builtins", "math", "numba", "numpy"}
_MAKING = {"arange", "array", "copy", "cumsum", "empty", "empty_like", "full", "ones", "zeros"}
_OPTIONS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call, to run without Python's lock, and keep the result."""
    return _compile(function, nogil=True)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile as `kernel` does, but place the code in each caller instead of calling it."""
    return _compile(function, nogil=True, forceinline=True)


def fused_kernel(function: Callable[..., Any]) -> Any:
    """Compile as `kernel` does, but fuse a product and a sum: faster, and rounded once."""
    return _compile(function, nogil=True, fastmath={"contract"})


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    if internals.MISSING:
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # Numba finds no folder for its cache
            return numba.njit(**options)(function)
    dispatcher = numba.njit(pipeline_class=internals.KernelCompiler, **options)(function)
    KernelCache(dispatcher).take_over()
    return dispatcher


def cache_folder() -> Path:
    """Return the folder where compiled kernels are kept."""
    return folder_of(numba.config.CACHE_DIR)


_preparing: defaultdict[int, float] = defaultdict(float)  # seconds by thread


def preparing_seconds() -> float:
    """Return how long the threads of this process have been loading and compiling kernels."""
    return sum(_preparing.values())


def working_seconds() -> float:
    """Return the time of a clock that stands still while this thread loads or compiles kernels."""
    return time.perf_counter() - _preparing[threading.get_ident()]


class KernelCache(internals.Cache):
    """The kept versions of one kernel, one in each file, with the methods of Numba's cache.

    A kernel that another kernel calls is compiled without the wrappers by which
    C and Python would call it, and without machine code of its own (`internals`):
    each took a fifth of the time to compile. If Python calls it after all, it is
    compiled once more, with machine code and the wrapper for Python.

    A kernel that makes no array, nor calls one that does, does not count references
    to its arrays: its caller holds them as long as it runs. Counting took half the
    time of a closure, and a tenth of the time to compile.
    """

    _under_way: ClassVar[list[str]] = []  # kernels being compiled, each for the one before it
    _is_kept: ClassVar[bool] = True  # whether all that was compiled could be written

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"
        self._turns = ExitStack()
        self._for_kernel = False
        self._without_wrapper: set[tuple[types.Type, ...]] = set()

    def take_over(self) -> None:
        """Replace the cache that Numba gives a kernel."""
        internals.take_over(self._dispatcher, self, self._in_turn, self._wrap_add)

    def _in_turn(self, compile_types: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Wrap `Dispatcher.compile` so that only one process at a time compiles a kernel."""

        def compile_in_turn(sig: Any) -> Any:
            sig, start = _plain(sig), time.perf_counter()
            with internals.global_compiler_lock, _without_collection(), ExitStack() as turns:
                before = self._turns, self._for_kernel
                self._turns, self._for_kernel = turns, bool(self._under_way)
                if not self._for_kernel and sig in self._without_wrapper:
                    self._without_wrapper.remove(sig)
                    del self._dispatcher.overloads[sig]
                self._under_way.append(self._name)
                try:
                    return compile_types(sig)
                finally:
                    self._under_way.pop()
                    self._turns, self._for_kernel = before
                    if not self._under_way:
                        _preparing[threading.get_ident()] += time.perf_counter() - start

        return compile_in_turn

    def _wrap_add(self, add: Callable[[Any], None]) -> Callable[[Any], None]:
        """Wrap `Dispatcher.add_overload` so that Python finds only versions that it can call."""

        def add_overload(version: Any) -> None:
            result = version.signature.return_type
            if _has_array(result) and not makes_arrays(self._dispatcher):
                raise TypeError(f"{self._name} returns an array that it has not made: not counted")
            if self._for_kernel:
                types_of = tuple(version.signature.args)
                self._dispatcher.overloads[types_of] = version
                self._without_wrapper.add(types_of)
            else:
                internals.set_environments(version)
                add(version)

        return add_overload

    def flags(self, flags: Any) -> Any:
        """Leave out wrappers that are not called, and reference counts that are not needed."""
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = self._for_kernel
        flags.nrt = makes_arrays(self._dispatcher)
        return internals.KernelFlags(flags)

    @property
    def cache_path(self) -> str:
        """The folder, as Numba reports it."""
        return str(cache_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the version kept for these types of arguments, or None."""
        codegen = target_context.codegen()
        path = self._path(sig, codegen)
        data = read_kept(path)
        if data is None:
            self._turns.enter_context(turn(path.parent, path.stem))
            data = read_kept(path)  # another process may have compiled it meanwhile
        if data is None and self._for_kernel:
            self._for_kernel = False  # a version with a wrapper serves, too
            data = read_kept(self._path(sig, codegen))
            self._for_kernel = data is None
        if data is None:
            return None
        parts = internals.load_code(data)
        if self._for_kernel:
            return internals.for_linking(target_context, parts)
        internals.start_runtime(target_context)
        return internals.for_python(target_context, parts)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a version that was compiled for these types of arguments."""
        if data.library.has_dynamic_globals or any(not loop.can_cache for loop in data.lifted):
            return
        path = self._path(sig, data.codegen)
        parts = internals.dump_code(data)
        try:
            write_kept(path, parts)
        except OSError as error:  # no space or no permission
            self._warn_not_cached(error)

    @classmethod
    def _warn_not_cached(cls, error: OSError) -> None:
        """Warn once that every start takes a minute; processes of a pool would repeat it."""
        if cls._is_kept and multiprocessing.parent_process() is None:
            sys.stderr.write(
                f"hsearch: compiled kernels cannot be kept in {cache_folder()} ({error.strerror}): "
                "every start compiles them again\n"
            )
        cls._is_kept = False

    def enable(self) -> None:
        """Do nothing: a kernel's cache is always in use."""

    def disable(self) -> None:
        """Do nothing: a kernel's cache cannot be turned off."""

    def flush(self) -> None:
        """Do nothing: a kept file is never wrong."""

    def _path(self, sig: Any, codegen: Any) -> Path:
        config = [str(getattr(numba.config, option, None)) for option in _OPTIONS]
        versions = [sys.version, numba.__version__, llvmlite.__version__, np.__version__]
        types_of = sig if isinstance(sig, tuple) else (*sig.args, sig.return_type)
        parts = (
            contents(self._dispatcher),
            *map(_type, types_of),
            *versions,
            *config,
            repr(codegen.magic_tuple()),
            "to be linked" if self._for_kernel else "for Python",
            "references are counted where arrays are made",
            "no index counts from the end",
        )
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        return cache_folder() / f"{self._name}-{digest[:32]}.kernel"


def contents(dispatcher: Any) -> str:
    """Return all that a kernel is compiled from, as text: the kernel, then those it calls."""
    functions = [dispatcher]
    return "\n".join(_function(function, functions) for function in functions)  # the list grows


def with_called(dispatcher: Any) -> list[Any]:
    """Return a kernel, and all that it is compiled from: the kernels it calls, and so on."""
    functions = [dispatcher]
    for function in functions:  # the list grows
        _function(function, functions)
    return functions


def makes_arrays(dispatcher: Any) -> bool:
    """Return whether a kernel, or one that it calls, makes an array, which must be freed.

    If a kernel makes one in any other way, Numba refuses to compile it without counts.
    """
    plain = (getattr(function, "py_func", function) for function in with_called(dispatcher))
    return any(_MAKING & {*each.__code__.co_names} - {*each.__globals__} for each in plain)


def _has_array(value: types.Type) -> bool:
    """Return whether a value of the type is an array, or has one in it."""
    if isinstance(value, types.BaseTuple):
        return any(map(_has_array, value.types))
    return isinstance(value, types.Array)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Switch off the collection of unused objects: the compiler has many, so it takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _plain(sig: Any) -> Any:
    """Return types of arguments in which a constant is a number like any other.

    Otherwise Numba compiles a kernel again for each constant that a caller passes:
    an eighth of all the time to compile, for code of the same speed.
    """
    return tuple(map(types.unliteral, sig)) if isinstance(sig, tuple) else sig


def _function(function: Any, functions: list[Any]) -> str:
    """Return a function's content as text; the functions that it calls are added to the list."""
    options = ""
    if isinstance(function, internals.Dispatcher):
        options = repr((sorted(function.targetoptions.items()), function.locals))
        function = function.py_func
    codes = list(_codes(function.__code__))
    names = sorted({name for code in codes for name in code.co_names} & {*function.__globals__})
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    parts = [
        f"{function.__module__}.{function.__qualname__} {options}",
        *(_code(code, function.__doc__) for code in codes),
        *(f"{name} = {_value(function.__globals__[name], functions)}" for name in names),
        _value((tuple(cells), function.__defaults__, function.__kwdefaults__), functions),
    ]
    return "\n".join(parts)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code(code: CodeType, doc: str | None) -> str:
    """Return bytecode with its names and constants, without lines and docstring."""
    constants = [
        "code" if isinstance(constant, CodeType) else _value(constant, [])
        for constant in (None if value == doc else value for value in code.co_consts)
    ]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    flags = code.co_flags | CO_OPTIMIZED  # which Numba clears under a profiler
    counts = (code.co_argcount, code.co_kwonlyargcount, flags)
    return f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {counts} {names} {constants}"


def _value(value: Any, functions: list[Any]) -> str:  # noqa: PLR0911
    """Return text that is equal only for values that compile to the same code.

    Raise TypeError for a value whose changes such text would not show.
    """
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, np.generic | np.dtype | types.Type):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, slice):  # a constant of bytecode from Python 3.14 on
        return f"slice{_value((value.start, value.stop, value.step), functions)}"
    if isinstance(value, tuple):
        kind = "" if type(value) is tuple else _class(type(value))
        return f"{kind}({', '.join(_value(part, functions) for part in value)})"
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, ModuleType | BuiltinFunctionType | np.ufunc) or (
        isinstance(value, FunctionType) and not _is_ours(value)
    ):
        return _library(value)
    value = internals.definition(value)
    if isinstance(value, internals.Dispatcher | FunctionType):
        if value not in functions:
            functions.append(value)
        return f"function {functions.index(value)}"
    raise TypeError(f"a kernel may not depend on {value!r}: its cache would not see it change")


def _library(value: Any) -> str:
    name = value.__name__ if isinstance(value, ModuleType) else _name(value)
    if name.partition(".")[0] not in _LIBRARIES:
        raise TypeError(f"a kernel may not depend on {name}: its cache would not see it change")
    return name


def _is_ours(function: FunctionType) -> bool:
    return function.__module__.partition(".")[0] not in _LIBRARIES


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', None) or 'builtins'}.{value.__name__}"


def _class(value: type) -> str:
    """Return the name of a class, and the fields of a named tuple."""
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        return f"{_name(value)}{value._fields}"
    return _library(value)


def _type(value: types.Type) -> str:
    """Return the type of an argument as text; Numba's text for a named tuple lacks its fields."""
    if isinstance(value, types.BaseTuple):
        kind = _class(value.instance_class) if isinstance(value, types.BaseNamedTuple) else ""
        return f"{type(value).__name__} {kind}({', '.join(map(_type, value.types))})"
    kinds = (
        types.Number | types.Boolean | types.Array | types.Record | types.NoneType | types.Omitted
    )
    if isinstance(value, kinds) or value is None:
        return str(value)
    raise TypeError(f"a kernel may not take {value}: its cache would not see it change")
