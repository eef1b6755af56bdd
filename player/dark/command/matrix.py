"""`hsearch dark matrix`: the 12 x 12 open-loop plans of abrupt 2x2."""

from fractions import Fraction

import click

from player.console.command import command
from player.console.errors import reading
from player.console.output import json_option, print_object


@command("matrix", "hsearch dark matrix", "hsearch dark matrix --json")
@json_option("one JSON object")
def matrix(*, as_json: bool) -> None:
    """Play the 12 x 12 open-loop plans of abrupt 2x2, and compare with the printed matrix."""
    from player.dark import matrix as plans  # noqa: PLC0415 - loads scipy
    from player.dark.matrix_game import solve as solve_matrix  # noqa: PLC0415

    with reading():
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
        print_object(thing | {"entries": entries, "differences": rows, "values": values})
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


def _number(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))
