"""`hsearch dark table`: the values of all games on small boards."""

from pathlib import Path

import click

from hsearch.board import Board
from player.console.command import command
from player.console.errors import reading
from player.console.option import out_folder_option
from player.console.output import json_option, print_object
from player.console.screen import make_folder, write_file
from player.dark.command.game import INTERRUPTED, reporting
from player.dark.rules import Base, DarkRules, Noise

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
    from player.dark import certificate, shipped  # noqa: PLC0415 - loads numba and scipy
    from player.dark import solve as front  # noqa: PLC0415
    from player.dark.command import report  # noqa: PLC0415

    sides = [(2, 2), (3, 2), (2, 3)]
    games = [DarkRules(Board(*s), base, noise) for s in sides for base in Base for noise in Noise]
    beyond = [DarkRules(Board(*s), base, noise) for s in LARGE for base in Base for noise in Noise]
    if not as_json:
        click.echo(f"{'game':24}{'value':>16}{'to Black':>12}{'Black wins':>14}{'seconds':>10}")
    for rules in games:
        with reading(), reporting() as show_progress:
            solution = front.solve(rules, "double-oracle", front.SolveOptions(), show_progress)
            proof = solution.certificate
            if save is not None and proof is not None:
                write_file(make_folder(save) / f"{rules.name}.txt", certificate.write(proof))
        if as_json:
            print_object(report.solution_object(rules, "double-oracle", solution))
        else:
            click.echo(report.table_row(rules, solution))
        if solution.ended == INTERRUPTED:
            raise click.exceptions.Exit(130)
    for rules in beyond if large else ():
        with reading():
            known = shipped.solution(rules)
        if known is None:
            continue
        if save is not None and known.certificate is not None:
            write_file(save / f"{rules.name}.txt", certificate.write(known.certificate))
        if as_json:
            print_object(report.solution_object(rules, "certificate", known))
        else:
            click.echo(report.table_row(rules, known))
