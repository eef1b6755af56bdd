"""All uses of private names of Numba and llvmlite, for `cache` and the compiler of kernels.

A version of Numba may change any of them. `MISSING` is the first name that is missing;
kernels are then compiled in Numba's own way, and kept in its own cache. pyproject.toml
allows the versions that were tested.

Numba compiles each kernel to machine code, with the kernels that it calls linked in. The
caller needs only LLVM's code of those. Their machine code, which is not used, took a fifth
of the time to compile, and a sixth went into optimizing code that the caller optimizes
again. So for kernels that only kernels call, LLVM's code is kept, and not optimized.
"""

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba import types

__all__ = [
    "MISSING",
    "Cache",
    "Dispatcher",
    "KernelCompiler",
    "KernelFlags",
    "definition",
    "dump_code",
    "first_missing",
    "for_linking",
    "for_python",
    "global_compiler_lock",
    "load_builtins",
    "load_code",
    "set_environments",
    "start_runtime",
    "take_over",
]

# The attributes that are used of each class.
_TAKEN = {
    "CompileResult": ("_reduce", "_find_referenced_environments"),
    "JITCodeLibrary": (
        "_ensure_finalized",
        "_finalize_dynamic_globals",
        "_finalize_final_module",
        "_get_module_for_linking",
        "_optimize_final_module",
        "_set_compiled_object",
        "_verify_declare_only_symbols",
        "enable_object_caching",
        "serialize_using_object_code",
    ),
    "Dispatcher": ("compile", "add_overload"),
    "_Cache": ("load_overload", "save_overload"),
    "arrayobj": ("fix_integer_index",),
    "linalg": ("ensure_blas",),
    "rtsys": ("initialize",),
}

MISSING = ""
try:
    from numba.core.caching import _Cache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler, CompileResult, Flags
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher
    from numba.core.runtime import rtsys
    from numba.core.serialize import dumps
    from numba.extending import _Intrinsic
    from numba.np import arrayobj, linalg
except ImportError as error:
    MISSING = str(error)
    _Cache = JITCodeLibrary = Compiler = Flags = object  # type: ignore[assignment,misc]


def first_missing(requirements: Mapping[str, tuple[str, ...]]) -> str:
    """Return the first of these names that its class here lacks; empty if none is missing."""
    names = ((owner, name) for owner, names in requirements.items() for name in names)
    lacking = (f"{owner}.{name}" for owner, name in names if not hasattr(globals()[owner], name))
    return next(lacking, "")


MISSING = MISSING or first_missing(_TAKEN)
Cache = _Cache


def take_over(
    kernel: Any,
    cache: Any,
    compiling: Callable[[Callable[..., Any]], Callable[..., Any]],
    adding: Callable[[Callable[..., Any]], Callable[..., Any]],
) -> None:
    """Replace a dispatcher's cache and flags, and wrap two of its methods.

    A dispatcher has no interface for that: these are four of its attributes.
    """
    kernel._cache = cache  # noqa: SLF001
    kernel.compile = compiling(kernel.compile)
    kernel.add_overload = adding(kernel.add_overload)
    kernel._compiler._customize_flags = cache.flags  # noqa: SLF001


def start_runtime(target_context: Any) -> None:
    """Start the runtime that counts references, which kept kernels need.

    Numba would load its builtins as well, which takes longer than all kernels of a closure.
    """
    rtsys.initialize(target_context)


def load_builtins(target_context: Any) -> None:
    """Load the functions that a kernel may call, for the compiler."""
    with _without_algebra():
        target_context.refresh()


@contextmanager
def _without_algebra() -> Iterator[None]:
    """Let Numba import its functions of arrays without `scipy.linalg`.

    Numba only checks that it exists, which takes as long as all the rest. In this program it
    always does; a kernel that calls it imports it when it is compiled.
    """
    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        yield
    finally:
        linalg.ensure_blas = ensure_blas


def definition(value: Any) -> Any:
    """Return the function that defines an intrinsic; any other value is returned unchanged."""
    return value._defn if isinstance(value, _Intrinsic) else value  # noqa: SLF001


def dump_code(result: "CompileResult") -> bytes:
    """Return compiled code as bytes, for a file."""
    return dumps(result._reduce())  # type: ignore[no-any-return] # noqa: SLF001


def load_code(data: bytes) -> tuple[Any, ...]:
    """Return the parts of compiled code from the bytes that `dump_code` made."""
    with _without_algebra():
        parts: tuple[Any, ...] = pickle.loads(data)  # noqa: S301 - written by this user
    return parts


class KernelFlags(Flags):
    """The flags of a kernel, fast to compare: Numba compares them thousands of times."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether all options are equal; those that were set are compared first."""
        return self._values == getattr(other, "_values", None) or super().__eq__(other)

    def __hash__(self) -> int:
        """Return a constant, as Numba's flags do with more effort."""
        return _HASH


_HASH = hash(Flags())


class LinkedCode(JITCodeLibrary):
    """Code that is linked into its callers, and has no address to be called at."""

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - Numba's signature
        """Finish the code, as Numba expects, and return 0: there is no address."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Return the name and bitcode that `restore` takes; there is no object code."""
        self._ensure_finalized()
        return self.name, self._final_module.as_bitcode()

    @classmethod
    def restore(cls, codegen: Any, name: str, bitcode: bytes) -> "LinkedCode":
        """Return code from the bitcode that was kept."""
        code = cls(codegen, name)
        code._final_module = llvm.parse_bitcode(bitcode)
        code._finalize_final_module()
        return code

    @property
    def codegen(self) -> Any:
        """The code itself: Numba calls its `set_env`."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: `set_environments` does this for the kernel that links the code."""

    def _optimize_final_module(self) -> None:
        """Do nothing: the code is optimized where it is linked in any case."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class CalledCode(JITCodeLibrary):
    """Kept machine code that Python calls; LLVM's code is read only if a kernel links it.

    Reading it took two thirds of the time to load the solver's kernels, which nothing links.
    """

    @classmethod
    def restore(cls, codegen: Any, name: str, machine_code: bytes, bitcode: bytes) -> "CalledCode":
        """Return code from the machine code and bitcode that were kept."""
        library = cls(codegen, name)
        library._bitcode = bitcode
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        return library

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function in the machine code."""
        address: int = self._codegen._engine.get_function_address(name)  # noqa: SLF001
        return address

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
        return self._shared_module


class KernelCompiler(Compiler):
    """Numba's compiler, without machine code for kernels that get no wrapper."""

    def __init__(
        self,
        typing_context: Any,
        target_context: Any,
        library: Any,
        args: Any,
        return_type: Any,
        flags: Any,
        locals_: Any,
    ) -> None:
        if library is None and flags.no_cpython_wrapper:
            library = LinkedCode(target_context.codegen(), "linked")
        load_builtins(target_context)
        target_context = copy.copy(target_context)  # Numba copies it again, attributes included
        target_context.is_of_kernel = True
        super().__init__(typing_context, target_context, library, args, return_type, flags, locals_)


def _without_wraparound(fix: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap Numba's function for an index so that a kernel's index never counts from the end."""

    def place(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if not getattr(context, "is_of_kernel", False):
            return fix(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    return place


if not MISSING:
    arrayobj.fix_integer_index = _without_wraparound(arrayobj.fix_integer_index)


def for_python(target_context: Any, parts: tuple[Any, ...]) -> "CompileResult":
    """Return a kept kernel that Python calls, as `CompileResult._rebuild` does."""
    (name, _, code), *rest = parts
    return _rebuild(
        target_context, CalledCode.restore(target_context.codegen(), name, *code), *rest
    )


def for_linking(target_context: Any, parts: tuple[Any, ...]) -> "CompileResult":
    """Return a kept kernel that other kernels link, as `CompileResult._rebuild` does."""
    (name, bitcode), *rest = parts
    return _rebuild(
        target_context, LinkedCode.restore(target_context.codegen(), name, bitcode), *rest
    )


def _rebuild(
    target_context: Any,
    library: Any,
    description: Any,
    environment: Any,
    signature: Any,
    object_mode: Any,
    lifted: Any,
    note: Any,
    reload_init: Any,
    environments: Any,
) -> "CompileResult":
    for initialize in reload_init:
        initialize()
    result: Any = CompileResult  # whose fields only Numba sees
    return result(  # type: ignore[no-any-return]
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, description, environment),
        fndesc=description,
        type_annotation=note,
        signature=signature,
        objectmode=object_mode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )


def set_environments(result: "CompileResult") -> None:
    """Give a kernel that Python calls the environments of the kernels linked into it."""
    for environment in result._find_referenced_environments():  # noqa: SLF001
        result.codegen.set_env(environment.env_name, environment)
