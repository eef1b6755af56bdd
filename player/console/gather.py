"""Options that belong together: the command gets one record of them."""

import functools
from collections.abc import Callable
from typing import Any


def gather(
    name: str, make: Callable[..., Any], *options: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds options; the command gets, as `name`, what `make` returns.

    `make` is called with the values of these options by their names.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        names: list[str] = []

        @functools.wraps(function)
        def gathering(**values: Any) -> Any:
            taken = {each: values.pop(each) for each in names}
            return function(**{name: make(**taken)}, **values)

        before = len(getattr(function, "__click_params__", []))
        for option in reversed(options):
            option(gathering)
        names += [param.name for param in gathering.__dict__["__click_params__"][before:]]
        return gathering

    return decorate
