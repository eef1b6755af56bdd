"""What the commands of `hsearch dark` share: the six games, progress, and solutions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from hsearch.hex import Board, Color
from hsearch.render.text import duration
from player.console.options import BoardType, choice_option, explicit_options, gather
from player.console.screen import working
from player.dark.methods import MEASURED, METHODS, OPTIONAL, is_tree_small, size
from player.dark.rules import Base, DarkRules, Noise

if TYPE_CHECKING:
    from player.dark.long_run import RunProgress
    from player.dark.solve import Report, Solution, SolveOptions


INTERRUPTED = "interrupted"  # `End.INTERRUPTED` of `player.dark.long_run`, which loads numba

NARROW = 1e-8  # bounds this near: their middle is printed to nine places, else to six
WIDE = 2e-6  # bounds further apart are printed themselves, and a value is an estimate


def _rules(*, board: Board, base: str, noise: str) -> DarkRules:
    return DarkRules(board, Base(base), Noise(noise))


# Adds BOARD and the options that choose one of the six games; the command gets `rules`.
takes_rules = gather(
    "rules",
    _rules,
    click.argument("board", type=BoardType()),
    choice_option("--base", words=Base, help="What a collision costs: nothing, or the turn."),
    choice_option("--noise", words=Noise, help="What the other player hears of a collision."),
)


@contextmanager
def reporting() -> Iterator["Report"]:
    """Show progress on stderr, if that is a terminal."""
    with working("starting") as work:
        yield lambda progress, seconds: work.say(_line(progress, seconds))


def _line(progress: "RunProgress", seconds: float | None) -> str:
    gap = "bounds unknown"
    if progress.bounds is not None:
        lower, upper = progress.bounds
        gap = f"value {lower:.6f} to {upper:.6f}, exploitability {progress.exploitability:.3g}"
    rest = "" if seconds is None else f", about {duration(seconds)} left"
    return f"iteration {progress.iteration:,}, {gap}, {duration(progress.seconds)}{rest}"


def refuse_useless(method: str, rules: DarkRules) -> None:
    """Raise UsageError if an option was given that the method cannot use on this board."""
    options = [option.removeprefix("--") for option in explicit_options().values()]
    useless = [name for name in options if name in OPTIONAL - METHODS[method].options]
    if useless:
        raise click.UsageError(f"{method} has no use for {_option_list(useless)}")
    useless = [name for name in options if name in MEASURED]
    if useless and METHODS[method].samples and not is_tree_small(rules):
        why = f"measures policies on the tree, and that of {rules.name} has {size(rules)}"
        raise click.UsageError(f"{method} {why}: no use for {_option_list(useless)}")


def _option_list(names: list[str]) -> str:
    return ", ".join(f"--{name}" for name in names)


# A solution: JSON, text, a row of the table, a curve.


def solution_object(rules: DarkRules, method: str, solution: "Solution") -> dict[str, Any]:
    """Return the JSON object of a solution."""
    sizes, fraction = solution.sizes, solution.fraction
    sets = sizes.information_sets
    return {
        "schema": "hsearch/dark/1",
        "board": {"columns": rules.board.columns, "rows": rules.board.rows},
        "base": str(rules.base),
        "noise": str(rules.noise),
        "method": method,
        "value": solution.value,
        "fraction": None if fraction is None else str(fraction),
        "bounds": None if solution.bounds is None else list(solution.bounds),
        "exploitability": solution.exploitability,
        "information_sets": (
            None if sets is None else {color.word: sets[color] for color in Color}
        ),
        "nodes": sizes.nodes,
        "terminals": sizes.terminals,
        "ended": solution.end,
        "seconds": round(solution.seconds, 3),
    }


def print_solution(rules: DarkRules, method: str, solution: "Solution") -> None:
    """Print a solution for people."""
    size = str(rules.board)
    click.echo(f"Dark Hex {size}, {rules.base}, {rules.noise}, by {method}")
    is_open = solution.bounds is None or solution.bounds[1] - solution.bounds[0] > WIDE
    estimate = " (an estimate)" if solution.fraction is None and is_open else ""
    if solution.fraction is not None:
        click.echo(f"value to Black    {solution.fraction} (proved)")
    elif solution.value is not None:
        click.echo(f"value to Black    {solution.value:.12g}{estimate}")
    if solution.bounds is None:
        click.echo("value, bounds     unknown: the tree is too large to measure the policy on it")
    else:
        click.echo(f"bounds            {solution.bounds[0]:.12g} to {solution.bounds[1]:.12g}")
        click.echo(f"exploitability    {solution.exploitability:.3g}")
    if solution.value is not None:
        click.echo(f"Black wins        {(1 + solution.value) / 2:.12g} of the games{estimate}")
    sizes = solution.sizes
    if sizes.nodes is not None and sizes.information_sets is not None:
        black, white = sizes.information_sets
        click.echo(f"nodes             {sizes.nodes:,}, over in {sizes.terminals:,}")
        click.echo(f"information sets  {black:,} of Black, {white:,} of White")
    if solution.curve:
        click.echo(f"iterations        {solution.curve[-1].iteration:,}")
    click.echo(f"seconds           {solution.seconds:.2f}")


def ending_lines(solution: "Solution", options: "SolveOptions") -> list[str]:
    """Return lines on what ended a long run and how to resume it; none for other methods."""
    from player.dark.long_run import End  # noqa: PLC0415 - it loads numba

    if solution.end is None:
        return []
    stop, end = options.stop, solution.end
    why = {
        End.EXPLOITABILITY: f"--until {stop.exploitability:g}",
        End.ITERATIONS: f"--iterations {stop.iterations}, of the whole run",
        End.SECONDS: f"--time {stop.seconds or 0:g}, of this run",
        End.INTERRUPTED: "Ctrl-C",
    }[end]
    more = {
        End.EXPLOITABILITY: " with a smaller --until",
        End.ITERATIONS: " with more --iterations",
    }
    if end is End.EXPLOITABILITY and stop.exploitability == 0:
        return ["ended by          bounds that meet"]
    then = f"the same command{more.get(end, '')}: it resumes {options.file}"
    if solution.save_error is not None:
        then = "the end of the run was not saved"
    if options.file is None:
        then = "nothing was saved; a run with --resume FILE resumes where it ended"
    return [f"ended by          {why}", f"to continue       {then}"]


def table_row(rules: DarkRules, solution: "Solution") -> str:
    """Return a line of the table of all games."""
    lower, upper = solution.bounds or (-1.0, 1.0)
    fraction = solution.fraction
    if fraction is not None:
        values = f"{fraction!s:>16}{float(fraction):>12.6f}{(1 + fraction) / 2!s:>14}"
        return f"{rules.name:24}{values}{solution.seconds:>10.1f}"
    span = f"{lower:.9f} to {upper:.9f}"
    wins = f"{(1 + (lower + upper) / 2) / 2:.{9 if upper - lower <= NARROW else 6}f}"
    if upper - lower > WIDE:
        span = f"{lower:.6f} to {upper:.6f}"
        wins = f"{(1 + lower) / 2:.4f}-{(1 + upper) / 2:.4f}"
    return f"{rules.name:24}{span:>28}{wins:>14}{solution.seconds:>10.1f}"


def curve(solution: "Solution") -> str:
    """Return the progress of a long run as CSV."""
    lines = ["iteration,seconds,lower,upper\n"]
    for each in solution.curve:
        lower, upper = each.bounds or ("", "")
        lines.append(f"{each.iteration},{each.seconds:.3f},{lower},{upper}\n")
    return "".join(lines)
