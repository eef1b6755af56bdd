"""How Python meets the program: calls that cannot be made, and values that show themselves.

A call that cannot be made is answered with what to write instead, in one line.

Python says of `solve(game, time=3)` that there is an unexpected argument, and not what `time` is
called here. Who calls knows the options of the command line, or another library.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from numbers import Integral, Real
from os import PathLike
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# What people write, and what it is here: the first that the function has a parameter for.
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


def guided(made: F) -> F:
    """Let a function fail with what to write instead, where its arguments are not what it takes.

    Of a class it is its `__init__`. What a parameter takes whose name is in `_TAKES` is looked at
    before the call. A call that can be made costs one call more.
    """
    if isinstance(made, type):
        made.__init__ = guided(made.__init__)  # type: ignore[misc]
        return made
    function: Callable[..., Any] = made
    names = tuple(signature(function).parameters)

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for name, value in (*zip(names, arguments, strict=False), *named.items()):
            if name in _TAKES and name in names:
                _TAKES[name](name, value)
        try:
            return function(*arguments, **named)
        except TypeError:
            slip = _slip(function, arguments, named)
            if slip is None:
                raise
        raise TypeError(slip)

    return call  # type: ignore[return-value]


def _slip(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> str | None:
    """Return what is wrong with the arguments of a call; None if they fit."""
    taken = signature(function)
    try:
        taken.bind(*arguments, **named)
    except TypeError as error:
        wrong = str(error)
    else:
        return None
    parameters = {
        name: each for name, each in taken.parameters.items() if name not in {"self", "cls"}
    }
    called = function.__qualname__.removesuffix(".__init__")
    for name in named.keys() - parameters.keys():
        for way in _INSTEAD.get(name, ()):
            target = way.partition("=")[0].format(upper=name.upper())
            if target in parameters:
                value = repr(named[name])[:40]
                say = way.format(value, name=name, upper=name.upper())
                return f"{called} takes no {name}=: say {say}"
        wrong = f"no {name}="
    words = ", ".join(
        name if each.default is Parameter.empty else f"{name}=" for name, each in parameters.items()
    )
    return f"{called}: {wrong}: it takes {words}"


def expect(name: str, value: object, kind: type | tuple[type, ...], instead: str) -> None:
    """Raise TypeError, with what a parameter takes, unless its value is of a kind."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{name}= takes {instead}, not {repr(value)[:80]}")


def _expect_seconds(name: str, value: Any) -> None:
    if value is not None:
        expect(name, value, Real, "a number of seconds, or None")
        if not value >= 0:
            raise ValueError(f"{name}= takes a number of seconds from 0 up, not {value}")


def _expect_seed(name: str, value: Any) -> None:
    """Raise unless numpy makes a generator of a value."""
    import numpy as np  # noqa: PLC0415 - what takes a seed has loaded it

    try:
        np.random.default_rng(value)
    except (TypeError, ValueError) as error:
        message = f"{name}= takes a whole number from 0 up, not {repr(value)[:80]}"
        raise type(error)(message) from None


def _expect_flag(name: str, value: Any) -> None:
    """Raise unless a value is true or false: a text would be taken for true, "no" as well."""
    is_flag = isinstance(value, Integral) or type(value).__name__.startswith("bool")  # numpy's
    if not (is_flag and value in {0, 1}):
        raise TypeError(f"{name}= takes True or False, not {repr(value)[:80]}")


def expect_names(name: str, value: Any) -> None:
    """Raise TypeError unless a value may name cells."""
    expect(name, value, Iterable, "names of cells, such as 'a1 b2' or ['a1', 'b2']")


def _expect_path(name: str, value: Any) -> None:
    expect(name, value, (str, PathLike), "the path of a file")
    if not str(value):
        raise ValueError(f"{name}= takes the path of a file, and it is empty")


# What looks at the value of a parameter, by its name in any call.
_TAKES: dict[str, Callable[[str, Any], None]] = {
    **dict.fromkeys(("seconds", "search"), _expect_seconds),
    "seed": _expect_seed,
    **dict.fromkeys(("every", "swap"), _expect_flag),
    **dict.fromkeys(("edge_pivot", "greedy_union", "templates", "shrinking"), _expect_flag),
    "stop_at_win": _expect_flag,
    **dict.fromkeys(("black", "white"), expect_names),
    "path": _expect_path,
}


# Values that show themselves: `str()` and, in notebooks, a picture.
#
# What draws boards and writes sentences stands above the values on the map. So a
# value names the module that shows it, and that is imported when somebody looks:
# this is the one place where anything reaches up the map. Such a module has a
# function `text`, and `picture` if there is one, both of the value.


class Shown:
    """A value that prints as a person wants to read it."""

    __slots__ = ()

    def _shown_by(self) -> str:
        """Return the name of the module that shows the value."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(import_module(self._shown_by()).text(self))


class Pictured(Shown):
    """A value that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module(self._shown_by()).picture(self))
