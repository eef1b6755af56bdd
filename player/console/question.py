"""What commands that ask about a position share: their options, proofs, and next commands.

The options are the limits and switches of H-search, the wiring of circuits, two points, and the
cells that may be used.
"""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hsearch.analysis.circuit import WIRINGS
from hsearch.connect import HSearchOptions, Limits
from hsearch.formats.files import whole_or_xz
from hsearch.hex import CellSet, Color, Point
from player.answers.limits import OPTIONS, Option, options_of
from player.console.command import InputError, writing
from player.console.options import PROOF, choice_option, gather, out_option, time_option
from player.console.reading import InputSource
from player.console.screen import interruptible, working
from player.solve.budget import PAIR_SECONDS, OutOfTimeError
from player.work.clock import Pace

if TYPE_CHECKING:
    from player.answers.analysis import Analysis

# The limits and switches of H-search, and the wiring of circuits.


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
        f" By default the solver, which is asked last, has {PAIR_SECONDS:g} seconds of a free core;"
        " with 0 it is not asked."
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
takes_links = choice_option(
    "--links",
    words=WIRINGS,
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


# `--between` and `--within`: two points, and the cells that may be used.


def two_points(source: InputSource, names: tuple[str, str]) -> tuple[Point, Point]:
    """Return two named points. Raise InputError if one is not on the board."""
    with source.blamed("--between"):
        x, y = map(source.position.board.point, names)
    return x, y


def owner_of_ends(
    source: InputSource, ends: tuple[Point, Point], color: Color | None
) -> Color | None:
    """Return who may connect two points, as `owner_of` does. Raise InputError if nobody may."""
    from player.answers.connection import owner_of  # noqa: PLC0415 - loads the solver

    with source.blamed():
        return owner_of(source.position, ends, color)


# Adds `--between`; the command gets the names of two points as `between`, or None.
takes_between = click.option(
    "--between",
    nargs=2,
    metavar="X Y",
    help="Two cells or edges, as c4 west. Edges are north, south, west, east; or N, S, W, E;"
    " or top, bottom, left, right.",
)

# Adds `--within`, the cells that may be used; the command gets its text as `within`.
takes_within = click.option(
    "--within",
    metavar="CELLS",
    help="A sub-game: only these empty cells may be used, such as 'b1 c1 b2'; all others"
    " count as the opponent's.",
)


def cells_within(source: InputSource, names: str | None) -> CellSet | None:
    """Return the cells of --within, stones included; None without the option.

    Raise BadParameter if it names no cells, InputError for one that the board does not have.
    """
    if names is None:
        return None
    words = names.replace(",", " ").split()
    if not words:
        raise click.BadParameter("no cells", param_hint="--within")
    with source.blamed("--within"):
        return source.position.board.named(words)


# `--proof`: the proof of who wins.

PROOF_SECONDS = 300.0  # at most for the proof, without --time: that of an opening takes minutes

takes_proof = out_option(
    "--proof",
    writes=PROOF,
    help="Write the proof of who wins to OUT; `hsearch verify OUT` checks it. It may need a"
    f" search, of at most --time or {PROOF_SECONDS:g} s.",
)
SOLVE_INSTEAD = "`hsearch solve --proof` searches without a limit"


def write_proof(analysis: "Analysis", path: Path, options: HSearchOptions, remedy: str) -> None:
    """Write the proof of who wins, within `--time` or `PROOF_SECONDS`.

    Raise InputError, with a `remedy`, if no win is proved, or if the time was too short.
    """
    if interruptible(lambda: analysis.standing, "solving") is None:
        raise InputError(f"--proof: who wins is not proved; {remedy}")
    seconds = options.seconds or PROOF_SECONDS
    with working("writing the proof") as work:
        try:
            text = interruptible(lambda: analysis.written_proof(seconds, Pace().limit(work.say)))
        except OutOfTimeError:
            message = f"{path}: the proof is not written: {seconds:g} s were too short"
            raise InputError(f"{message}; --time {10 * seconds:g} looks further") from None
    with writing(path), whole_or_xz(path) as file:
        file.write(text.encode())


# The command to continue with.

SOLVABLE = 75  # empty cells: with more, ten seconds of the solver rarely settle who wins


def is_solvable(source: InputSource) -> bool:
    """Return whether the turn is known, and the solver is likely to find the winner."""
    return source.turn is not None and source.position.empty.count() <= SOLVABLE


def ask_solver(
    source: InputSource, purpose: str = "ask the solver who wins", *, seconds: int = 10
) -> str:
    """Return the command line that solves the position, followed by its purpose."""
    return f"{source.again('solve')} --time {seconds}   {purpose}"


def wider(limits: Limits) -> str:
    """Return options that raise the limits M and K, followed by their purpose.

    Without --time, the larger search could take hours.
    """
    return f"--M {5 * (limits.M or 1)} --K {2 * (limits.K or 1)} --time 60   search for a minute"


def to_prove(command: str) -> str:
    """Return a command line that also writes the proof of who wins, followed by its purpose."""
    return f"{command} --proof FILE   write the proof, for hsearch verify"


def to_verify(path: Path) -> str:
    """Return the command line that checks a written proof, followed by its purpose."""
    return f"hsearch verify {shlex.quote(str(path))}   check the proof"
