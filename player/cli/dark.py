"""`hsearch dark`: games of hidden stones, counted and solved; here `solve`, `verify`, `show`."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from hsearch.hex import Color
from player.cli import dark_shared as shared
from player.cli.dark_tables import counts, exploit, matrix, table
from player.console import options
from player.console.command import (
    INTERRUPTED,
    FailedError,
    InputError,
    command,
    group,
    reading,
    writing,
)
from player.console.output import json_option, plottable, print_object, say
from player.console.reading import check_stdin, content_of, path_of, refuse_empty
from player.console.screen import NOTHING, interruptible, leaving, sole_writer, write_file
from player.dark.methods import METHODS
from player.dark.rules import DarkRules

if TYPE_CHECKING:
    from player.dark.solve import Solution, SolveOptions


# Options of rcfr: the words that each takes, its default first, and its help. `RegressionOptions`,
# which is slow to load, takes the same.
RCFR = (
    ("--features", ("sequence", "view", "tiles", "linear", "pair", "binary"), "Features of rcfr."),
    ("--regressor", ("ridge", "mean", "lsqr", "tree"), "Regression of rcfr."),
    ("--link", ("polynomial", "exponential"), "Link of rcfr."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DarkRequest:
    """How `hsearch dark solve` is to find a value, and what it is to write.

    iterations   the iteration at which to stop; None for no such limit
    until        the exploitability at which to stop
    seconds      the limit of this run
    resume       the file of the run
    features     of rcfr, as are `regressor`, `link` and `power`
    certificate  the file for the policies
    curve        the file for bounds against time
    picture      the file for the drawing of it
    """

    method: str
    iterations: int | None
    until: float
    seconds: float | None
    seed: int
    resume: Path | None
    features: str
    regressor: str
    link: str
    power: float
    certificate: Path | None
    curve: Path | None
    picture: Path | None

    def options(self) -> "SolveOptions":
        """Return the options of the method; raise ValueError if one does not fit."""
        from player.dark.long_run import Stop  # noqa: PLC0415 - loads numba and scipy
        from player.dark.regression import RegressionOptions  # noqa: PLC0415
        from player.dark.solve import SolveOptions  # noqa: PLC0415

        endless = self.seconds is None and not self.until and self.method != "double-oracle"
        stop = Stop(self.iterations or (1000 if endless else None), self.until, self.seconds)
        rcfr = RegressionOptions(self.features, self.regressor, link=self.link, power=self.power)
        return SolveOptions(stop, self.seed, self.resume, rcfr, Event())


@command(
    "solve",
    "hsearch dark solve 3x2 --base abrupt --noise flash",
    "hsearch dark solve 3x2 --base abrupt --method cfr+ --iterations 300 --json",
    "hsearch dark solve 2x3 --base abrupt --until 0.005 --resume run.npz",
)
@shared.takes_rules
@options.gather(
    "request",
    DarkRequest,
    options.choice_option(
        "--method",
        words=METHODS,
        default="double-oracle",
        help="Algorithm that finds the value.",
    ),
    options.number_option(
        "--iterations", help="Stop at this iteration; 1000 if nothing else would end the run."
    ),
    click.option(
        "--until", type=click.FloatRange(0), default=0.0, help="Stop at an exploitability."
    ),
    options.time_option(
        "--time",
        "--seconds",
        "seconds",
        help="Stop after the step in which this many seconds of this run end; on 12 cells a step"
        " of double-oracle takes one to ten seconds of a free core.",
    ),
    options.seed_option("sampling and ties"),
    options.resume_option(help="Store the run in FILE, and resume from it."),
    *(options.choice_option(name, words=words, help=about) for name, words, about in RCFR),
    click.option(
        "--power",
        type=click.FloatRange(1, 1e6, min_open=True),
        default=2.0,
        show_default=True,
        help="Power of rcfr's link.",
    ),
    options.out_option(
        "--certificate",
        writes=options.CERTIFICATE,
        help="Write the policies that prove the value here.",
    ),
    options.out_option(
        "--curve",
        writes=options.CURVE,
        help="Write bounds against time here, as CSV.",
    ),
    options.out_option(
        "--plot",
        "picture",
        writes=options.PLOT,
        callback=plottable,
        help="Draw exploitability against time into the file OUT (.svg, .png, .pdf).",
    ),
)
@json_option("one JSON object")
def solve(*, rules: DarkRules, request: DarkRequest, as_json: bool) -> None:
    """Find the value of a game on BOARD, to Black, with bounds.

    The last lines report what ended the run and how to continue. --resume stores it, and
    the same command resumes from there: --iterations counts the whole run,
    --time this one. The sampling methods report no value where the tree is too large
    to measure a policy on it; --resume stores what they have learned. Ctrl-C ends a run after
    the step under way, with what is known; a step that takes a second longer is given up.
    """
    method = request.method
    shared.refuse_useless(method, rules)
    from player.dark import solve as front  # noqa: PLC0415 - loads numba and scipy

    with reading():
        terms = request.options()
        if terms.file is not None:
            with writing(terms.file):
                terms.file.parent.stat()  # fail now, not after hours
        with (
            sole_writer(terms.file),
            leaving(lambda: _on_disk(terms.file)),
            shared.reporting() as show_progress,
        ):
            solution = interruptible(
                lambda: front.solve(rules, method, terms, show_progress),
                interrupt=terms.interrupt,
            )
    # The answer comes before the files: a full disk must not lose it.
    if as_json:
        print_object(shared.solution_object(rules, method, solution))
    else:
        shared.print_solution(rules, method, solution)
        for line in shared.ending_lines(solution, terms):
            click.echo(line)
    _write_files(rules, request, solution)
    if solution.save_error is not None:
        raise FailedError(f"{solution.save_error}; {_on_disk(terms.file)}")
    if request.certificate is not None and solution.certificate is None:
        path = request.certificate
        raise FailedError(f"{path}: not written: {method} has no policies here that prove a value")
    if solution.end == shared.INTERRUPTED:
        raise click.exceptions.Exit(INTERRUPTED)


def _write_files(rules: DarkRules, request: DarkRequest, solution: "Solution") -> None:
    """Write the certificate, the curve and its drawing, as far as they were asked for."""
    from player.dark import certificate  # noqa: PLC0415 - loads numba and scipy
    from player.dark.picture import plot  # noqa: PLC0415

    if request.certificate is not None and solution.certificate is not None:
        write_file(request.certificate, certificate.write(solution.certificate))
    if request.curve is not None:
        write_file(request.curve, shared.curve(solution))
    if request.picture is not None:
        with writing(request.picture):
            try:
                plot(f"{rules.name}, {request.method}", solution.curve, request.picture)
            except ValueError as error:
                raise FailedError(f"{request.picture}: not written: {error}") from error


def _on_disk(file: Path | None) -> str:
    """Return in words what is on disk when a run is interrupted within a step."""
    return NOTHING if file is None or not file.exists() else f"{file} has what was saved before"


# `hsearch dark verify`: certificates checked in exact arithmetic.


@command(
    "verify",
    "hsearch dark verify positions/dark/3x2-abrupt-flash.txt",
    "hsearch dark verify positions/dark/2x2-abrupt-silent.txt positions/dark/3x3-abrupt-silent.txt",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(readable=False))
def verify(files: tuple[str, ...]) -> None:
    """Check certificates in exact arithmetic, trusting no solver; `-` is one on stdin."""
    from player.dark import certificate  # noqa: PLC0415 - loads numpy
    from player.dark.book import TooLongError  # noqa: PLC0415

    check_stdin(files)
    failed = False
    for file in files:
        refuse_empty(file)
        with reading(file):
            if file == "-":
                claim = certificate.read(content_of("-").decode())
            else:
                claim = certificate.load(path_of(file))
        rules = claim.rules
        value = _span("value to Black", claim.lower, claim.upper)
        chances = ((1 + bound) / 2 for bound in (claim.lower, claim.upper))
        chance = _span("Black's chance to win", *chances)
        size = str(rules.board)
        try:
            certificate.verify(claim)
        except TooLongError as error:
            raise InputError(f"{file}: {error}") from error
        except certificate.CertificateError as error:
            failed = True
            click.echo(f"{file}: not proved: {error}", err=True)
        else:
            game = f"{rules.base} {rules.noise} {size}"
            say([f"{file}: {game}, {chance} ({value}, from -1 to 1): proved"])
    if failed:
        raise click.exceptions.Exit(1)


def _span(what: str, lower: Fraction, upper: Fraction) -> str:
    """Return a quantity in words: its value, or the interval that contains it."""
    from player.dark.certificate import brief  # noqa: PLC0415 - loads numpy

    if lower == upper:
        return f"{what} {brief(lower)}"
    return f"{what} in [{brief(lower)}, {brief(upper)}]"


# `hsearch dark show`: policies as trees.


@command(
    "show",
    "hsearch dark show positions/dark/2x2-abrupt-silent.txt",
    "hsearch dark show positions/dark/3x2-abrupt-silent.txt --for white --svg white.svg",
)
@click.argument("file", type=options.PlainPath(path_type=Path))
@click.option("--for", "color", type=options.ColorType(), help="Show only this player's policy.")
@options.out_option(
    "--svg",
    writes=options.SVG,
    help="Draw the tree to this file; with --for.",
)
def show(file: Path, color: Color | None, svg: Path | None) -> None:
    """Show the policies of a certificate as trees of what is known."""
    from player.dark import certificate, picture, tabular  # noqa: PLC0415 - loads numpy

    with reading():
        claim = certificate.load(path_of(file))
    policies = [
        (each.word, policy)
        for each, policy in zip(Color, claim.policies, strict=True)
        if policy is not None and color in {None, each}
    ]
    if not policies:
        whose = "either player" if color is None else color.word
        raise InputError(f"{file}: no policy of {whose}: nothing is to be proved by it")
    if svg is not None and len(policies) > 1:
        raise InputError(f"{file}: --svg draws one policy: choose it with --for")
    for word, policy in policies:
        if svg is None:
            click.echo(f"{word}\n{tabular.show(policy)}", nl=False)
        else:
            write_file(svg, picture.draw(policy))


# The group of all commands.


@group(
    "dark",
    "hsearch dark solve 3x2 --base abrupt --noise flash",
    "hsearch dark verify positions/dark/3x2-abrupt-flash.txt",
)
def dark() -> None:
    """Count, solve and prove the six games of Dark Hex.

    Boards are columns x rows. In classic games a player who hits a hidden
    stone tries again, in abrupt ones the turn is lost. In noisy games the other
    player learns that it happened, in flash games also where.
    """


for _command in (counts, matrix, solve, verify, show, table, exploit):
    dark.add_command(_command)
