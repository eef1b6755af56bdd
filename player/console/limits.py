"""The limits and switches of H-search, and the wiring of circuits, as options of a command."""

from collections.abc import Callable
from typing import Any

import click

from hsearch.analysis.circuit import HEXY, WIRINGS
from hsearch.connect.limits import HSearchOptions
from player.answers.limits import OPTIONS, Option, options_of
from player.console.options import gather, time_option
from player.solve.budget import PAIR_SECONDS


def takes_limits(
    function: Callable[..., Any], *, asks_solver: bool = False, names_moves: bool = False
) -> Callable[..., Any]:
    """Add an option for each limit and switch, and `--time`; the command gets them as `options`.

    In a command that asks the solver last, or that names the best moves, `--time` bounds that
    as well: by default to some seconds, and 0 skips it.
    """

    def make(*, search_seconds: float | None, **values: Any) -> HSearchOptions:
        by_name = {name: values[_parameter(name)] for name in OPTIONS}
        return options_of(by_name, seconds=search_seconds)

    solver_help = (
        f" The solver, asked last, has {PAIR_SECONDS:g} seconds of a free core then; with 0 it is"
        " not asked."
    )
    moves_help = " The search of the best moves has as many: 1 at a terminal, else 0, by default."
    time = time_option(
        "--time",
        "search_seconds",
        most=1e6,
        min_open=not (asks_solver or names_moves),
        help="Most seconds for the search, which then reports what it knows; no limit by default."
        + (solver_help if asks_solver else moves_help if names_moves else ""),
    )
    return gather("options", make, *map(_click_option, OPTIONS.values()), time)(function)


# Adds the option for the wiring of circuits; the command gets its name as `links`.
takes_links = click.option(
    "--links",
    type=click.Choice(WIRINGS),
    default=HEXY,
    show_default=True,
    help="How the circuits are wired: as in HEXY, Six or benzene, each with full connections,"
    " or with none of them, between neighbors alone.",
)


def _parameter(name: str) -> str:
    """Return a name for a parameter that no other option of a command has."""
    return f"search_{name.lower()}"


def _click_option(option: Option) -> Callable[..., Any]:
    name, parameter = option.name.replace("_", "-"), _parameter(option.name)
    about: dict[str, Any] = {"default": option.default, "show_default": True, "help": option.help}
    if isinstance(option.default, bool):
        return click.option(f"--{name}/--no-{name}", parameter, **about)
    if isinstance(option.default, int):
        span = click.IntRange(option.least, option.most)
        return click.option(f"--{name}", parameter, type=span, metavar="N", **about)
    return click.option(f"--{name}", parameter, type=_Words(option), **about)


class _Words(click.Choice[str]):
    """The words of an option; the error for another word gives advice."""

    def __init__(self, option: Option) -> None:
        super().__init__(option.words)
        self._advice = f" ({option.no_word})" if option.no_word else ""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return super().get_invalid_choice_message(value, ctx).removesuffix(".") + self._advice
