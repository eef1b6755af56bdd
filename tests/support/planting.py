"""Plant a fault in a module while a test runs: some of its text is replaced."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any


def changed_source(source: str, *changes: tuple[str, str]) -> str:
    """Return a text with each `old` replaced by `new`; each must occur exactly once."""
    for old, new in changes:
        assert source.count(old) == 1, f"{source.count(old)} times: {old}"
        source = source.replace(old, new)
    return source


@contextmanager
def planted(module: ModuleType, *changes: tuple[str, str]) -> Iterator[None]:
    """Run a module's functions as its changed text defines them, wherever they were imported."""
    source = changed_source(inspect.getsource(module), *changes)
    namespace = {"__name__": module.__name__}
    exec(compile(source, module.__file__ or "", "exec"), namespace)  # noqa: S102 - our own text
    originals: list[tuple[FunctionType, CodeType]] = []
    pairs = list(_functions(vars(module), namespace, module.__name__))
    try:
        for function, other in pairs:
            originals.append((function, function.__code__))
            function.__code__ = other.__code__
        yield
    finally:
        for function, code in originals:
            function.__code__ = code


def _functions(names: Any, others: Any, module: str) -> Iterator[tuple[FunctionType, FunctionType]]:
    """Yield pairs of functions and methods that both namespaces define under the same name."""
    for name, thing in names.items():
        other = others.get(name)
        if getattr(thing, "__module__", None) != module and not isinstance(
            thing, (classmethod, staticmethod)
        ):
            continue
        if isinstance(thing, type) and isinstance(other, type):
            yield from _functions(vars(thing), vars(other), module)
            continue
        one, two = (getattr(each, "__func__", each) for each in (thing, other))
        if isinstance(one, FunctionType) and isinstance(two, FunctionType):
            yield one, two
