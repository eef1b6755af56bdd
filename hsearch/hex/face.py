"""What the public face shares: wrong calls get helpful errors, and values display themselves.

For `solve(game, time=3)`, Python reports an unexpected argument, but not that it is called
`seconds` here. Callers know such names from the command line, or from other libraries; the error
says in one line what to write instead.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from math import inf
from numbers import Integral, Real
from os import PathLike
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Names that callers guess, and what to write instead: the first that the function accepts.
_SECONDS = ("seconds={}",)
_LIMIT = ("limits=hsearch.Limits({name}={})", "{upper}={}")
_LEVEL = ('player="hexy:{name}={}"', "depth=hsearch.Depth({})", "effort='normal'")
_INSTEAD = {
    **dict.fromkeys(("time", "timeout", "time_limit", "max_time", "limit"), _SECONDS),
    **dict.fromkeys(("M", "K", "semis", "edge_pivot", "greedy_union", "templates"), _LIMIT),
    **dict.fromkeys(("steps", "shrinking", "stop_at_win"), _LIMIT),
    **dict.fromkeys(("m", "k"), ("{upper}={}",)),
    **dict.fromkeys(("level", "depth"), _LEVEL),
    **dict.fromkeys(("all", "all_moves"), ("every={}",)),
    **dict.fromkeys(("evaluator", "eval", "by"), ("with_={}",)),
    **dict.fromkeys(("engine", "name"), ("player={}",)),
    **dict.fromkeys(("game", "index"), ("number={}",)),
    **dict.fromkeys(("board", "rows", "columns"), ("size={}",)),
    "size": ("columns={}",),
    "budget": ("chips={}",),
    "solver": ("search={}",),
    "deduction": ("depth=hsearch.Depth({})",),
}


def guide(target: F) -> F:
    """Make a function, or the `__init__` of a class, say what to write instead of a wrong call.

    Before the call, `_TAKES` checks the values of the parameters that it names. If the call fails
    because its arguments do not fit, the TypeError says what would.
    """
    if isinstance(target, type):
        target.__init__ = guide(target.__init__)  # type: ignore[misc]
        return target
    function: Callable[..., Any] = target
    names = tuple(signature(function).parameters)

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for name, value in (*zip(names, arguments, strict=False), *keywords.items()):
            if name in _TAKES and name in names:
                _TAKES[name](name, value)
        try:
            return function(*arguments, **keywords)
        except TypeError:
            slip = _slip(function, arguments, keywords)
            if slip is None:
                raise
        raise TypeError(slip)

    return call  # type: ignore[return-value]


def _slip(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> str | None:
    """Return what is wrong with the arguments of a call; None if they fit the signature."""
    interface = signature(function)
    try:
        interface.bind(*arguments, **keywords)
    except TypeError as error:
        wrong = str(error)
    else:
        return None
    parameters = {
        name: each for name, each in interface.parameters.items() if name not in {"self", "cls"}
    }
    function_name = function.__qualname__.removesuffix(".__init__")
    unknown = [name for name in keywords if name not in parameters]
    for name in unknown:
        for way in _INSTEAD.get(name, ()):
            target = way.partition("=")[0].format(upper=name.upper())
            if target in parameters:
                value = repr(keywords[name])[:40]
                instead = way.format(value, name=name, upper=name.upper())
                return f"{function_name} takes no {name}=: use {instead}"
    if unknown:
        wrong = f"no {unknown[0]}="
    words = ", ".join(
        name if each.default is Parameter.empty else f"{name}=" for name, each in parameters.items()
    )
    return f"{function_name}: {wrong}: it takes {words}"


def expect(name: str, value: object, kind: type | tuple[type, ...], instead: str) -> None:
    """Raise TypeError, with what a parameter takes, if its value has another type or is a bool."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{name}= takes {instead}, not {repr(value)[:80]}")


def expect_range(name: str, value: float, least: float, most: float = inf) -> None:
    """Raise ValueError, with the range, unless a number is from `least` to `most`."""
    if not least <= value <= most or value == inf:
        number = f"{value:g}" if isinstance(value, float) else value
        span = f"{least} or more" if most == inf else f"{least} to {most}"
        raise ValueError(f"{name} out of range: {number} ({span})")


def _expect_seconds(name: str, value: Any) -> None:
    if value is not None:
        expect(name, value, Real, "a number of seconds, or None")
        message = f"{name}= takes a number of seconds from 0 up, not {str(value)[:80]}"
        try:
            is_time = float(value) >= 0
        except OverflowError:  # a whole number beyond all floats
            raise ValueError(message) from None
        if not is_time:
            raise ValueError(message)


def _expect_seed(name: str, value: Any) -> None:
    """Raise TypeError or ValueError unless numpy accepts a value as a seed."""
    import numpy as np  # noqa: PLC0415 - whatever takes a seed has loaded it

    try:
        np.random.default_rng(value)
    except (TypeError, ValueError) as error:
        message = f"{name}= takes a whole number from 0 up, not {repr(value)[:80]}"
        raise type(error)(message) from None


def _expect_flag(name: str, value: Any) -> None:
    """Raise TypeError unless a value is true or false: any text, even "no", would be true."""
    is_flag = isinstance(value, Integral) or type(value).__name__.startswith("bool")  # numpy's
    if not (is_flag and value in {0, 1}):
        raise TypeError(f"{name}= takes True or False, not {repr(value)[:80]}")


def expect_names(name: str, value: Any) -> None:
    """Raise TypeError unless a value can be names of cells."""
    expect(name, value, Iterable, "names of cells, such as 'a1 b2' or ['a1', 'b2']")


def _expect_path(name: str, value: Any) -> None:
    expect(name, value, (str, PathLike), "the path of a file")
    if not str(value):
        raise ValueError(f"{name}= takes the path of a file, and it is empty")


# Checks of values, by the name of the parameter, for all guided functions.
_TAKES: dict[str, Callable[[str, Any], None]] = {
    **dict.fromkeys(("seconds", "search"), _expect_seconds),
    "seed": _expect_seed,
    **dict.fromkeys(("every", "swap"), _expect_flag),
    **dict.fromkeys(("edge_pivot", "greedy_union", "templates", "shrinking"), _expect_flag),
    "stop_at_win": _expect_flag,
    **dict.fromkeys(("black", "white"), expect_names),
    "path": _expect_path,
}


# Values that display themselves: as text by `str()`, and as a picture in notebooks.
#
# The code that draws boards and writes sentences is in higher layers. So a value
# names the module that displays it, which is imported on first use. Only here and in
# `hsearch/__init__.py` does a layer reach upward. The module has a function `text`
# of the value and, for a value with a picture, a function `picture`.


class Shown:
    """A value whose `str()` is written for people, by another module."""

    __slots__ = ()

    def _display_module(self) -> str:
        """Return the name of the module that displays the value."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(import_module(self._display_module()).text(self))


class Pictured(Shown):
    """A value that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module(self._display_module()).picture(self))
