"""`hsearch dark counts`, `exploit`, `matrix` and `table`: numbers of papers, and their proofs."""

import time
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click

from hsearch.hex import Board, Color
from player.cli.dark_shared import reporting, solution_object, table_row, takes_rules
from player.console.command import InputError, command, reading
from player.console.options import BoardType, out_folder_option
from player.console.output import json_option, print_object
from player.console.screen import interruptible, make_folder, working, write_file
from player.dark import methods
from player.dark.counts import LONGEST, PRINTED, cases, count_histories, is_countable
from player.dark.rules import Base, DarkRules, Noise

PRINTED_GAMES = 236
MOST_CASES = 6  # cells of a board; 3x3 takes hours
LONG = 10**60  # numbers from here on are rounded
DIGITS = 10  # decimals of the chances, which are known to about 1e-12


@command(
    "counts",
    "hsearch dark counts 2x2 --cases",
    "hsearch dark counts 3x2 --json",
)
@click.argument("board", type=BoardType())
@click.option(
    "--cases",
    "by_case",
    is_flag=True,
    help="Classic until connected: also by Black's first stone and White's.",
)
@json_option("one JSON object")
def counts(board: Board, *, by_case: bool, as_json: bool) -> None:
    """Count the complete games on BOARD, played to the end or until it is full."""
    if not is_countable(board):
        fact = f"the tree of {board} has {methods.size(DarkRules(board))}"
        raise InputError(f"{fact}; games are counted up to {LONGEST}x{LONGEST}")
    if by_case and board.size > MOST_CASES:
        raise InputError(f"{board}: cases are listed up to {MOST_CASES} cells")
    numbers = {
        str(base): {
            "until_full": count_histories(DarkRules(board, base, until_full=True)).terminals,
            "end_rule": count_histories(DarkRules(board, base)).terminals,
        }
        for base in Base
    }
    if as_json:
        sides = {"columns": board.columns, "rows": board.rows}
        thing = {"schema": "hsearch/dark-counts/1", "board": sides, **numbers}
        print_object(thing | ({"cases": _case_objects(board)} if by_case else {}))
        return
    click.echo(f"Complete games of Dark Hex on {board}")
    texts = {
        base: {rule: _format_number(n) for rule, n in row.items()} for base, row in numbers.items()
    }
    width = max(20, 2 + max(len(text) for row in texts.values() for text in row.values()))
    click.echo(f"{'':10}{'until full':>{width}}{'until connected':>{width}}")
    for base, words in texts.items():
        click.echo(f"{base:10}{words['until_full']:>{width}}{words['end_rule']:>{width}}")
    if any(n >= LONG for row in numbers.values() for n in row.values()):
        click.echo("Long numbers are rounded down; --json prints all digits.")
    if by_case:
        _print_cases(board)
    if board == Board(2, 2):
        click.echo(f"Tapkan (2021) prints {PRINTED_GAMES} for classic until connected, a slip.")


def _case_objects(board: Board) -> list[dict[str, Any]]:
    return [
        {
            "first": board.name(case.first),
            "reply": board.name(case.reply),
            "black": case.black,
            "white": case.white,
        }
        for case in cases(DarkRules(board))
    ]


def _print_cases(board: Board) -> None:
    """Print the cases, with a sum for each first cell; on 2x2 also the numbers of Tapkan."""
    source = PRINTED if board == Board(2, 2) else {}
    click.echo(
        f"\nClassic until connected, by the first stones{' (as Tapkan counts)' if source else ''}"
    )
    click.echo(f"{'black':8}{'white':8}{'black wins':>14}{'white wins':>14}{'games':>14}")
    every = cases(DarkRules(board))
    for first in sorted({case.first for case in every}):
        own = [case for case in every if case.first == first]
        columns: list[tuple[int, int | None]] = [(0, 0)] * 3
        for case in own:
            cells = board.name(case.first), board.name(case.reply)
            theirs = source.get(cells, (None, None))
            total = None if None in theirs else sum(filter(None, theirs))
            row = (*zip((case.black, case.white), theirs, strict=True), (case.games, total))
            _print_row(*cells, row)
            columns = [
                (a + b, None if c is None or d is None else c + d)
                for (a, c), (b, d) in zip(columns, row, strict=True)
            ]
        _print_row(board.name(first), "all", columns)
    click.echo()


def _print_row(first: str, reply: str, row: Iterable[tuple[int, int | None]]) -> None:
    words = (f"{n:,}" if theirs is None else f"{n:,} ({theirs:,})" for n, theirs in row)
    click.echo(f"{first:8}{reply:8}" + "".join(f"{word:>14}" for word in words))


def _format_number(number: int) -> str:
    return f"{number:,}" if number < LONG else methods.legible(number)


# `hsearch dark exploit`: how often the best response beats a player.


@command(
    "exploit",
    "hsearch dark exploit 3x3 view:by=critical blind equilibrium --base abrupt",
    "hsearch dark exploit 3x2 random mccfr:iterations=10000 --json",
)
@takes_rules
@click.argument("players", nargs=-1, required=True)
@json_option("one JSON object a player")
def exploit(*, rules: DarkRules, players: tuple[str, ...], as_json: bool) -> None:
    """Find how often each of PLAYERS loses against the best response on BOARD.

    The response knows the player, not what they will draw, and is searched
    over all that it could do. Players must be policies, that is, attempt by what
    they know alone: view, blind, sure, equilibrium, response, cfr, mccfr and
    random. Exploitability is half of what both responses together win more
    than they lose; an equilibrium has 0. The exit code is 1 if that of a player is not found.
    """
    from player.dark.response import response_chance  # noqa: PLC0415 - loads numba
    from player.engine.dark import policy_of  # noqa: PLC0415

    with reading():
        studies = [(spec, policy_of(spec)) for spec in players]
    width = max(map(len, ("player", *players)))
    if not as_json:
        head = ("wins as Black", "wins as White", "exploitability", "seconds")
        click.echo(f"{'player':{width}}" + "".join(f"{word:>15}" for word in head))
    is_complete = True
    for spec, study in studies:
        start = time.perf_counter()
        with reading(), working(spec):
            policy = study(rules)
            try:
                chances = [float(response_chance(rules, color, policy)) for color in Color]
            except methods.GameTooLargeError as error:
                chances, why = [], str(error)
        seconds = time.perf_counter() - start
        is_complete = is_complete and bool(chances)
        least = [round(1 - chance, DIGITS) for chance in chances]
        exploitability = round(sum(chances) - 1, DIGITS) if chances else None
        if as_json:
            print_object({
                "schema": "hsearch/dark-exploit/1", "player": spec, "game": rules.name,
                "least": least or None, "exploitability": exploitability,
            })  # fmt: skip
        elif exploitability is None:
            click.echo(f"{spec:{width}}  not found: {why}")
        else:
            numbers = "".join(f"{number:>15.6f}" for number in (*least, exploitability))
            click.echo(f"{spec:{width}}{numbers}{seconds:>15.1f}")
    if not is_complete:
        raise click.exceptions.Exit(1)


# `hsearch dark matrix`: the 12 x 12 open-loop plans of abrupt 2x2.


@command("matrix", "hsearch dark matrix", "hsearch dark matrix --json")
@json_option("one JSON object")
def matrix(*, as_json: bool) -> None:
    """Play the 12 x 12 open-loop plans of abrupt 2x2, and compare with the printed matrix."""
    from player.dark import matrix as plans  # noqa: PLC0415 - loads scipy
    from player.dark.linear_program import solve_matrix  # noqa: PLC0415

    with reading():
        right, wrong = plans.simulate(), plans.load_printed()
    difference = plans.differences(wrong, right)
    values = {
        name: solve_matrix(plans.payoffs(entries)).value
        for name, entries in (("simulated", right), ("printed", wrong))
    }
    if as_json:
        rows = [
            {"row": d.row, "column": d.column, "printed": d.misprint, "correct": d.correct}
            for d in difference
        ]
        entries = {row: [right[row, column] for column in plans.PLANS] for row in plans.PLANS}
        thing = {"schema": "hsearch/dark-matrix/1", "plans": list(plans.PLANS)}
        print_object(thing | {"entries": entries, "differences": rows, "values": values})
        return
    click.echo("      " + "  ".join(f"{column:3}" for column in plans.PLANS))
    marks = {(d.row, d.column) for d in difference}
    for row in plans.PLANS:
        cells = (right[row, c] + ("*" if (row, c) in marks else " ") for c in plans.PLANS)
        click.echo(f"{row}    " + " ".join(cells))
    click.echo(f"* {len(difference)} entries were printed otherwise:")
    for d in difference:
        click.echo(f"  row {d.row}, column {d.column}: printed {d.misprint}, correct {d.correct}")
    click.echo(
        f"value: simulated {_number(values['simulated'])}, as printed {_number(values['printed'])}"
    )


def _number(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))


# `hsearch dark table`: the values of all games on small boards.

LARGE = ((3, 3), (4, 3), (3, 4))


@command("table", "hsearch dark table", "hsearch dark table --large --save certificates")
@click.option(
    "--large", is_flag=True, help="Also larger boards, proved from the shipped certificates."
)
@out_folder_option("--save", help="Write the certificates to this folder.")
@json_option("one JSON object a game")
def table(*, large: bool, save: Path | None, as_json: bool) -> None:
    """Solve all six games on 2x2, 3x2 and 2x3, each with its proof.

    With --large, also print what the certificates of larger boards prove. Each
    is checked in exact arithmetic, which takes the seconds that are printed.
    """
    from player.dark import certificate, solve  # noqa: PLC0415 - loads numba and scipy

    sides = [(2, 2), (3, 2), (2, 3)]
    games = [DarkRules(Board(*s), base, noise) for s in sides for base in Base for noise in Noise]
    beyond = [DarkRules(Board(*s), base, noise) for s in LARGE for base in Base for noise in Noise]
    if not as_json:
        click.echo(f"{'game':24}{'value':>16}{'to Black':>12}{'Black wins':>14}{'seconds':>10}")

    def show(rules: DarkRules, method: str, solution: solve.Solution) -> None:
        if save is not None and solution.certificate is not None:
            path = make_folder(save) / f"{rules.name}.txt"
            write_file(path, certificate.write(solution.certificate))
        if as_json:
            print_object(solution_object(rules, method, solution))
        else:
            click.echo(table_row(rules, solution))

    for rules in games:
        with reading(), reporting() as show_progress:
            run = partial(solve.solve, rules, "double-oracle", solve.SolveOptions(), show_progress)
            solution = interruptible(run)
        show(rules, "double-oracle", solution)
    for rules in beyond if large else ():
        with reading():
            result = solve.solution(rules)
        if result is not None:
            show(rules, "certificate", result)
