"""`hsearch dark`: hidden stones, counted, solved and proved."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hsearch.board import Board, Color
from player.cli.command import Command, command
from player.cli.endings import InputError
from player.dark.rules import Base, Noise, Rules

if TYPE_CHECKING:
    from player.dark.long_run import Progress
    from player.dark.solve import Report

F = TypeVar("F", bound=Callable[..., Any])

METHODS = (
    "lp", "pure-lp", "cfr", "cfr+", "dcfr", "linear-cfr", "mccfr-external", "mccfr-outcome",
    "rcfr", "double-oracle", "sure-wins",
)  # fmt: skip
PRINTED_GAMES = 236


class BoardType(click.ParamType[Board]):
    """A board as columns x rows."""

    name = "COLUMNSxROWS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Board:
        """Return the board of a text."""
        if isinstance(value, Board):
            return value
        columns, _, rows = str(value).lower().partition("x")
        if not (columns.isascii() and columns.isdigit() and (rows or columns).isdigit()):
            self.fail(
                f"not a board: {value!r}, write 3x2 for three columns and two rows", param, ctx
            )
        try:
            return Board(int(columns), int(rows or columns))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn errors of the input into exit code 3."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise InputError(str(error)) from None


@click.group()
def dark() -> None:
    """Count, solve and prove the six games of Dark Hex.

    Boards are columns x rows. In classic games a player who hits a hidden
    stone tries again, in abrupt ones the turn is lost; noisy and flash tell
    the other player that it happened, and where.
    """


def verb(name: str, *examples: str) -> Callable[[Callable[..., Any]], Command]:
    """Return the decorator that makes a function a command of this group."""

    def decorate(function: Callable[..., Any]) -> Command:
        made = command(name, *examples)(function)
        dark.add_command(made)
        return made

    return decorate


@verb("counts", "hsearch dark counts 2x2", "hsearch dark counts 3x2 --json")
@click.argument("board", type=BoardType())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def counts(board: Board, *, as_json: bool) -> None:
    """Count the complete games on BOARD, played to the end or until it is full."""
    from player.dark.counts import count  # noqa: PLC0415 - loaded when needed

    if board.size > 9:
        raise InputError(f"{board.size} cells are too many to count, 9 fit")
    numbers = {
        str(base): {
            "until_full": count(Rules(board, base, until_full=True)).terminals,
            "end_rule": count(Rules(board, base)).terminals,
        }
        for base in Base
    }
    if as_json:
        click.echo(json.dumps(numbers))
        return
    click.echo(f"Complete games of Dark Hex on {board.columns}x{board.rows}")
    click.echo(f"{'':10}{'until full':>20}{'until connected':>20}")
    for base, row in numbers.items():
        click.echo(f"{base:10}{row['until_full']:>20,}{row['end_rule']:>20,}")
    if board == Board(2, 2):
        click.echo(f"The source printed {PRINTED_GAMES} for classic until connected, a slip.")


@verb("matrix", "hsearch dark matrix", "hsearch dark matrix --json")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def matrix(*, as_json: bool) -> None:
    """Play the 12 x 12 open-loop plans of abrupt 2x2, and compare with the printed matrix."""
    from player.dark import matrix as plans  # noqa: PLC0415 - loads scipy
    from player.dark.matrix_game import solve as solve_matrix  # noqa: PLC0415

    with refusals():
        right, wrong = plans.simulated(), plans.printed()
    found = plans.differences(wrong, right)
    values = {
        name: solve_matrix(plans.payoffs(entries)).value
        for name, entries in (("simulated", right), ("printed", wrong))
    }
    if as_json:
        rows = [
            {"row": d.row, "column": d.column, "printed": d.printed, "correct": d.correct}
            for d in found
        ]
        entries = {row: [right[row, column] for column in plans.PLANS] for row in plans.PLANS}
        thing = {"schema": "hsearch/dark-matrix/1", "plans": list(plans.PLANS)}
        click.echo(json.dumps(thing | {"entries": entries, "differences": rows, "values": values}))
        return
    click.echo("      " + "  ".join(f"{column:3}" for column in plans.PLANS))
    marks = {(d.row, d.column) for d in found}
    for row in plans.PLANS:
        cells = (right[row, c] + ("*" if (row, c) in marks else " ") for c in plans.PLANS)
        click.echo(f"{row}    " + " ".join(cells))
    click.echo(f"* {len(found)} entries were printed otherwise:")
    for d in found:
        click.echo(f"  row {d.row}, column {d.column}: printed {d.printed}, correct {d.correct}")
    click.echo(
        f"value: simulated {_number(values['simulated'])}, as printed {_number(values['printed'])}"
    )


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


@verb(
    "solve",
    "hsearch dark solve 3x2 --base abrupt --noise flash",
    "hsearch dark solve 3x2 --base abrupt --method cfr+ --iterations 300 --json",
    "hsearch dark solve 3x3 --base abrupt --until 0.005 --file run.npz",
)
@click.argument("board", type=BoardType())
@game_options
@click.option("--method", type=click.Choice(METHODS), default="double-oracle", show_default=True)
@click.option("--iterations", type=click.IntRange(1), help="Stop after so many iterations.")
@click.option("--until", type=click.FloatRange(0), default=0.0, help="Stop at an exploitability.")
@click.option("--seconds", type=click.FloatRange(0), help="Stop after so many seconds.")
@click.option("--seed", type=int, default=0, show_default=True, help="For sampling and ties.")
@click.option("--file", type=click.Path(dir_okay=False, path_type=Path),
              help="Save the run here, and resume it from here.")  # fmt: skip
@click.option("--features", default="sequence", show_default=True, help="Of rcfr.")
@click.option("--regressor", default="ridge", show_default=True, help="Of rcfr.")
@click.option("--link", default="polynomial", show_default=True, help="Of rcfr.")
@click.option("--power", type=float, default=2.0, show_default=True, help="Of rcfr's link.")
@click.option("--certificate", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the policies that prove the value here.")  # fmt: skip
@click.option(
    "--curve",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write bounds against time here, as CSV.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(board: Board, base: str, noise: str, method: str, **given: Any) -> None:
    """Find the value of a game on BOARD, to Black, with bounds."""
    from player.cli import dark_report as report  # noqa: PLC0415
    from player.dark import certificate, regression  # noqa: PLC0415 - loads numba and scipy
    from player.dark import solve as front  # noqa: PLC0415
    from player.dark.long_run import Stop  # noqa: PLC0415

    rules = Rules(board, Base(base), Noise(noise))
    endless = given["seconds"] is None and not given["until"] and method != "double-oracle"
    iterations = given["iterations"] or (1000 if endless else None)
    with refusals():
        options = front.Options(
            Stop(iterations, given["until"], given["seconds"]),
            given["seed"],
            given["file"],
            regression.Options(
                given["features"], given["regressor"], link=given["link"], power=given["power"]
            ),
        )
        with _reporting() as show_progress:
            solution = front.solve(rules, method, options, show_progress)
        if given["certificate"] is not None:
            if solution.certificate is None:
                raise ValueError(f"{method} found no certificate; use double-oracle or lp")
            given["certificate"].write_text(certificate.write(solution.certificate))
        if given["curve"] is not None:
            given["curve"].write_text(report.curve(solution))
    if given["as_json"]:
        click.echo(json.dumps(report.solution_object(rules, method, solution)))
    else:
        report.print_solution(rules, method, solution)
    if solution.interrupted:
        raise click.exceptions.Exit(130)


@verb(
    "verify",
    "hsearch dark verify positions/dark/3x2-abrupt-flash.txt",
    "hsearch dark verify positions/dark/2x2-abrupt-silent.txt positions/dark/3x3-abrupt-silent.txt",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check certificates in exact arithmetic, trusting no solver."""
    from player.dark import certificate  # noqa: PLC0415 - loads numpy

    failed = False
    for file in files:
        with refusals():
            claim = certificate.load(_found(file))
        rules = claim.rules
        exact = claim.lower == claim.upper
        value = f"value {claim.lower}" if exact else f"value in [{claim.lower}, {claim.upper}]"
        size = f"{rules.board.columns}x{rules.board.rows}"
        try:
            certificate.verify(claim)
        except certificate.CertificateError as error:
            failed = True
            click.echo(f"{file}: not proved: {error}", err=True)
        else:
            click.echo(f"{file}: {rules.base} {rules.noise} {size}, {value}: proved")
    if failed:
        raise click.exceptions.Exit(1)


@verb(
    "show",
    "hsearch dark show positions/dark/2x2-abrupt-silent.txt",
    "hsearch dark show positions/dark/3x2-abrupt-silent.txt --color white --svg white.svg",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--color", type=click.Choice(["black", "white"]), help="Only this player's policy.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the tree to this file; with --color.",
)
def show(file: Path, color: str | None, svg: Path | None) -> None:
    """Show the policies of a certificate as trees of what is known."""
    from player.dark import certificate, picture, policy  # noqa: PLC0415 - loads numpy

    with refusals():
        claim = certificate.load(_found(file))
    chosen = [
        (each.word, spoken)
        for each, spoken in zip(Color, claim.policies, strict=True)
        if spoken is not None and color in {None, each.word}
    ]
    if not chosen:
        raise InputError(f"{file}: no policy of {color}: nothing is to be proved by it")
    if svg is not None and len(chosen) > 1:
        raise click.UsageError("--svg draws one policy: choose it with --color")
    for word, spoken in chosen:
        if svg is None:
            click.echo(f"{word}\n{policy.show(spoken)}", nl=False)
        else:
            svg.write_text(picture.draw(spoken), encoding="utf-8")


@verb("table", "hsearch dark table", "hsearch dark table --large --save certificates")
@click.option("--large", is_flag=True, help="Also silent 3x3, which takes minutes.")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path),
              help="Write the certificates to this folder.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game.")
def table(*, large: bool, save: Path | None, as_json: bool) -> None:
    """Solve all six games on 2x2, 3x2 and 2x3, each with its proof."""
    from player.cli import dark_report as report  # noqa: PLC0415
    from player.dark import certificate  # noqa: PLC0415 - loads numba and scipy
    from player.dark import solve as front  # noqa: PLC0415

    sides = [(2, 2), (3, 2), (2, 3)]
    games = [Rules(Board(*s), base, noise) for s in sides for base in Base for noise in Noise]
    if large:
        games += [Rules(Board(3, 3), base) for base in Base]
    if not as_json:
        click.echo(f"{'game':24}{'value':>16}{'to Black':>12}{'Black wins':>14}{'seconds':>10}")
    for rules in games:
        with refusals(), _reporting() as show_progress:
            solution = front.solve(rules, "double-oracle", front.Options(), show_progress)
            proof = solution.certificate
            if save is not None and proof is not None:
                save.mkdir(parents=True, exist_ok=True)
                (save / f"{report.name_of(rules)}.txt").write_text(certificate.write(proof))
        if as_json:
            click.echo(json.dumps(report.solution_object(rules, "double-oracle", solution)))
        else:
            click.echo(report.table_row(rules, solution))
        if solution.interrupted:
            raise click.exceptions.Exit(130)


def _found(file: Path) -> Path:
    """Return a file, or the one of that name that came with the program."""
    from player.dark import shipped  # noqa: PLC0415

    inside = shipped.folder() / file.name
    is_shipped = not file.exists() and file.parent == Path("positions/dark") and inside.exists()
    return inside if is_shipped else file


@contextmanager
def _reporting() -> Iterator["Report"]:
    """Show progress on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _, __: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal

    console = Console(stderr=True)
    with console.status("starting") as status:
        yield lambda progress, left: status.update(_line(progress, left))


def _line(progress: "Progress", left: float | None) -> str:
    known = progress.exploitability
    gap = "unknown" if known is None else f"{known:.3g}"
    rest = "" if left is None else f", about {left:.0f} s left"
    return f"iteration {progress.iteration:,}, exploitability {gap}, {progress.seconds:.0f} s{rest}"


def _number(value: float) -> str:
    from fractions import Fraction  # noqa: PLC0415

    return str(Fraction(value).limit_denominator(1000))
