"""Parts that the commands of `hsearch dark` share: boards, the six games, errors, progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from hsearch.hex.board import Board, read_size
from player.console.screen import working
from player.dark.methods import MEASURED, METHODS, OPTIONAL, is_tree_small, size
from player.dark.rules import Base, DarkRules, Noise
from player.work.numbers import duration

if TYPE_CHECKING:
    from player.dark.long_run import RunProgress
    from player.dark.solve import Report


F = TypeVar("F", bound=Callable[..., Any])
INTERRUPTED = "interrupted"  # the word of `player.dark.long_run.End`, which loads numba


class BoardType(click.ParamType[Board]):
    """A board as columns x rows."""

    name = "COLUMNSxROWS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Board:
        """Return the board of a text."""
        if isinstance(value, Board):
            return value
        try:
            return Board(*read_size(str(value)))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def game_options(function: F) -> F:
    """Add the options that choose one of the six games."""
    for option in (
        click.option("--noise", type=click.Choice([str(n) for n in Noise]), default="silent",
                     show_default=True, help="What the other player hears of a collision."),
        click.option("--base", type=click.Choice([str(b) for b in Base]), default="classic",
                     show_default=True, help="What a collision costs: nothing, or the turn."),
    ):  # fmt: skip
        function = option(function)
    return function


@contextmanager
def reporting() -> Iterator["Report"]:
    """Show progress on stderr, if that is a terminal."""
    with working("starting") as work:
        yield lambda progress, left: work.say(_line(progress, left))


def _line(progress: "RunProgress", left: float | None) -> str:
    gap = "bounds unknown"
    if progress.bounds is not None:
        lower, upper = progress.bounds
        gap = f"value {lower:.6f} to {upper:.6f}, exploitability {progress.exploitability:.3g}"
    rest = "" if left is None else f", about {duration(left)} left"
    return f"iteration {progress.iteration:,}, {gap}, {duration(progress.seconds)}{rest}"


def refuse_useless(context: click.Context, method: str, rules: DarkRules) -> None:
    """Raise UsageError when an option was given that the method has no use for, on this board."""
    given = [
        option.opts[0].removeprefix("--")
        for option in context.command.params
        if option.name is not None
        and context.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    ]
    useless = [name for name in given if name in OPTIONAL - METHODS[method].options]
    if useless:
        raise click.UsageError(f"{method} has no use for {_listed(useless)}")
    useless = [name for name in given if name in MEASURED]
    if useless and METHODS[method].samples and not is_tree_small(rules):
        why = f"measures policies on the tree, and that of {rules.name} has {size(rules)}"
        raise click.UsageError(f"{method} {why}: no use for {_listed(useless)}")


def _listed(names: list[str]) -> str:
    return ", ".join(f"--{name}" for name in names)
