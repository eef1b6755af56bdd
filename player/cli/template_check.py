"""`hsearch template check`: is a shape a template, is it minimal, and if not, why not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from hsearch import formats
from hsearch.board import Point
from hsearch.cells import CellSet
from hsearch.formats import FormatError, suite
from hsearch.formats.encoding import decode
from hsearch.formats.sniff import sniff
from hsearch.library import Template, template_of
from hsearch.position import Position
from hsearch.render import Marks
from hsearch.template import Examination, place
from hsearch.template.examination import Ask, CarrierVerdict
from player.cli.between import takes_seconds
from player.console.argument import content_of
from player.console.command import command
from player.console.errors import one_line, reading
from player.console.interruptible import interruptible
from player.console.option import number_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.console.screen import Screen, draws
from player.report.templates import heading, statements, template_object
from player.solve.pair import join


@command(
    "check",
    "hsearch template check positions/templates/edge.txt --id dk4-3",
    "hsearch template check positions/templates/edge.txt --id ziggurat --without b4",
    "echo 'WBW.../......' | tr / '\\n' | hsearch template check - --stone b1 --edge south",
)
@click.argument("file")
@click.option("--id", "suite_id", metavar="ID", help="Which template of a suite.")
@click.option("--stone", metavar="CELL", help="The stone to connect; overrides the file.")
@click.option("--edge", metavar="EDGE", help="The edge to connect it to; overrides the file.")
@click.option(
    "--carrier", metavar="CELLS", help="Cells that the template may use; by default all empty ones."
)
@click.option("--without", multiple=True, metavar="CELL", help="Remove a cell from the carrier.")
@takes_seconds
@number_option("--budget", help="Most positions of complete play.")
@click.option("--resume", metavar="PLACE", help="Resume where an earlier check stopped.")
@json_option("one JSON object")
@draws
@click.pass_context
def check(  # noqa: PLR0913 - one parameter an option of the command line
    context: click.Context,
    /,
    *,
    file: str,
    suite_id: str | None,
    budget: int | None,
    seconds: float,
    resume: str | None,
    as_json: bool,
    screen: Screen,
    **changes: Any,
) -> None:
    """Say whether a stone is joined to an edge inside a carrier, the opponent moving first.

    FILE is a suite whose entries have the keys stone, edge and carrier, or any
    position with the options of the same names. Cells outside the carrier count
    as the opponent's. What the rules do not join the solver is asked about, for --time a
    carrier, and then all is played out. If the template holds, say by which rules, and which cells
    it could do without; if not, show a line of play that refutes it. Where no
    carrier is named, only the first cells that can be spared are listed.
    """
    template, is_named = _template(file, suite_id, changes)
    with reading(f"{file}: {template.id}"):
        examination = Examination(
            template, budget=budget, ask=solver_for(template.position, template.ends, seconds)
        )
        if not seconds:
            _ = examination.game
    start = None if resume is None else _place(template, resume)
    try:
        cells = template.carrier.count()
        with working("checking", cells, unit="cells") as work:

            def left(count: int) -> None:
                work.done(cells - count)

            with reading(f"{file}: {template.id}"):
                interruptible(lambda: _examine(examination, start, left, thoroughly=is_named))
    finally:
        _report(examination, screen, as_json=as_json)
    verdict = examination.verdict
    if not verdict.is_decided and (is_named or verdict.minimal is None):
        context.exit(1)


def solver_for(position: Position, ends: tuple[Point, Point], seconds: float) -> Ask | None:
    """Return the solver, which may take so long for a carrier; None without time."""
    color = position.color_at(ends[0])
    if not seconds or color is None:
        return None

    def ask(carrier: CellSet) -> CarrierVerdict | None:
        found = join(position, color, ends, carrier, seconds)
        if found.joined is None:
            return None
        connection = found.connection if found.joined else None
        return CarrierVerdict(found.joined, connection, found.intrusion)

    return ask


def _examine(
    examination: Examination,
    start: place.ResumePoint | None,
    left: Callable[[int], None],
    *,
    thoroughly: bool,
) -> None:
    verdict = examination.verdict
    if start is not None:
        start.go_on(examination)
        thoroughly = True
    if verdict.valid is None and len(verdict.intrusions) == len(verdict.untested):
        examination.derive()
    while not verdict.is_decided and not examination.is_spent:
        if verdict.superfluous and not thoroughly:
            return
        examination.play_out()
        left(len(verdict.intrusions or verdict.untested))


def _template(file: str, suite_id: str | None, changes: dict[str, Any]) -> tuple[Template, bool]:
    """Return the template of a file, with what the options say, and whether a carrier is named."""
    with reading(file):
        entry = _entry(file, suite_id)
        less = changes.pop("without")
        for key, value in changes.items():
            if value is not None:
                kept = tuple(field for field in entry.fields if field[0] != key)
                entry = replace(entry, fields=(*kept, (key, value)))
        template = template_of(entry)
        cells = template.position.board.named(less) & template.carrier
        if cells.count() < len(less):
            raise FormatError(f"{' '.join(less)!r} is not all in the carrier")
        return template.without(*cells.search(1)), bool(entry.values("carrier"))


def _entry(file: str, suite_id: str | None) -> suite.SuiteEntry:
    content = content_of(file)
    plain, _ = decode(content)
    if sniff(plain) == "suite":
        return suite.pick(suite.read(plain), suite_id)
    return suite.SuiteEntry("template", formats.read(content, id=suite_id), (), 1)


def _place(template: Template, word: str) -> place.ResumePoint:
    try:
        return place.read(template, word)
    except place.PlaceError as error:
        raise click.BadParameter(one_line(str(error)), param_hint="'--resume'") from error


def _report(examination: Examination, screen: Screen, *, as_json: bool) -> None:
    template, verdict = examination.template, examination.verdict
    if as_json:
        print_object(template_object(examination))
        return
    click.echo(f"{heading(template)}\n")
    marks = Marks(shaded=template.carrier, ends=template.ends)
    screen.show(template.position, marks)
    say(("", *statements(template, verdict)))
    stopped = place.written(examination)
    if stopped is not None:
        click.echo(f"resume   --resume {stopped}")
