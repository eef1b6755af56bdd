"""Parts that the commands of `hsearch dark` share: boards, the six games, errors, progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hsearch.board import Board, read_size
from player.console.progress import working
from player.dark.rules import Base, Noise
from player.numbers import duration

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
