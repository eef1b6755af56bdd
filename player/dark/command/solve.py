"""`hsearch dark solve`: the value of a game, by any of the methods."""

from pathlib import Path
from threading import Event
from typing import Any

import click

from hsearch.board import Board
from player.console.command import command
from player.console.errors import reading
from player.console.interruptible import NOTHING, interruptible, leaving
from player.console.option import CERTIFICATE, CURVE, PLOT, number_option, out_option
from player.console.output import json_option, print_object
from player.dark.command.game import INTERRUPTED, BoardType, game_options, reporting
from player.dark.command.methods import METHODS, refuse_useless
from player.dark.rules import Base, DarkRules, Noise


def _drawable(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Ask whether a picture can be drawn only if one is wanted: that loads tournaments."""
    if path is None:
        return None
    from player.cli.plotting import drawable  # noqa: PLC0415

    return drawable(context, option, path)


@command(
    "solve",
    "hsearch dark solve 3x2 --base abrupt --noise flash",
    "hsearch dark solve 3x2 --base abrupt --method cfr+ --iterations 300 --json",
    "hsearch dark solve 2x3 --base abrupt --until 0.005 --file run.npz",
)
@click.argument("board", type=BoardType())
@game_options
@click.option("--method", type=click.Choice(METHODS), default="double-oracle", show_default=True)
@number_option(
    "--iterations", help="Stop at this iteration; 1000 if nothing else would end the run."
)
@click.option("--until", type=click.FloatRange(0), default=0.0, help="Stop at an exploitability.")
@click.option(
    "--seconds", type=click.FloatRange(0), help="Stop after this many seconds of this run."
)
@click.option("--seed", type=int, default=0, show_default=True, help="For sampling and ties.")
@click.option("--file", type=click.Path(dir_okay=False, path_type=Path),
              help="Save the run here, and resume it from here.")  # fmt: skip
@click.option("--features", default="sequence", show_default=True, help="Features of rcfr.")
@click.option("--regressor", default="ridge", show_default=True, help="Regression of rcfr.")
@click.option("--link", default="polynomial", show_default=True, help="Link of rcfr.")
@click.option("--power", type=float, default=2.0, show_default=True, help="Power of rcfr's link.")
@out_option(
    "--certificate", writes=CERTIFICATE, help="Write the policies that prove the value here."
)
@out_option(
    "--curve",
    writes=CURVE,
    help="Write bounds against time here, as CSV.",
)
@out_option(
    "--plot",
    "picture",
    writes=PLOT,
    callback=_drawable,
    help="Draw exploitability against time into the file OUT (.svg, .png, .pdf).",
)
@json_option("one JSON object")
def solve(board: Board, base: str, noise: str, method: str, **given: Any) -> None:
    """Find the value of a game on BOARD, to Black, with bounds.

    The last lines report what ended the run and how to continue. --file saves it, and
    the same command resumes from there: --iterations counts the whole run,
    --seconds this one. The sampling methods report no value where the tree is too large
    to measure a policy on it; --file stores what they have learned. Ctrl-C ends a run after
    the step under way, with what is known; a step that takes a second longer is given up.
    """
    rules = DarkRules(board, Base(base), Noise(noise))
    refuse_useless(click.get_current_context(), method, rules)
    from player.console.screen import write_file  # noqa: PLC0415
    from player.dark import certificate, regression  # noqa: PLC0415 - loads numba and scipy
    from player.dark import solve as front  # noqa: PLC0415
    from player.dark.command import report  # noqa: PLC0415
    from player.dark.long_run import Stop  # noqa: PLC0415
    from player.dark.plot import plot  # noqa: PLC0415

    endless = given["seconds"] is None and not given["until"] and method != "double-oracle"
    iterations = given["iterations"] or (1000 if endless else None)
    with reading():
        options = front.SolveOptions(
            Stop(iterations, given["until"], given["seconds"]),
            given["seed"],
            given["file"],
            regression.RegressionOptions(
                given["features"], given["regressor"], link=given["link"], power=given["power"]
            ),
            Event(),
        )
        left = NOTHING if options.file is None else f"{options.file} has what was saved before"
        with leaving(lambda: left), reporting() as show_progress:
            solution = interruptible(
                lambda: front.solve(rules, method, options, show_progress),
                interrupt=options.interrupt,
            )
    # The answer first: it is not to be lost for want of a disk.
    if given["as_json"]:
        print_object(report.solution_object(rules, method, solution))
    else:
        report.print_solution(rules, method, solution)
        for line in report.how_to_go_on(solution, options):
            click.echo(line)
    if given["certificate"] is not None and solution.certificate is not None:
        write_file(given["certificate"], certificate.write(solution.certificate))
    if given["curve"] is not None:
        write_file(given["curve"], report.curve(solution))
    if given["picture"] is not None:
        with reading():
            plot(f"{rules.name}, {method}", solution.curve, given["picture"])
    if solution.ended == INTERRUPTED:
        raise click.exceptions.Exit(130)
