"""`hsearch template`: edge templates, examined, listed and found."""

import difflib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from hsearch import formats
from hsearch.connect import Limits
from hsearch.connect.closure import closure
from hsearch.connect.library import KnownTemplate, Template, all_templates, template_of
from hsearch.formats import FormatError, suite
from hsearch.formats.files import contents
from hsearch.formats.reading import decode, sniff
from hsearch.hex import Board, CellSet, Point, Position
from hsearch.hex.board import column_name
from hsearch.render.text import Marks, quantity
from hsearch.strategy import template as place
from hsearch.strategy import template_search
from hsearch.strategy.template import CarrierJudge, CarrierVerdict, Examination
from player.answers.connection import ask
from player.answers.connection import statements as explained
from player.answers.limits import options_of
from player.answers.templates import heading, statements, suite_entry, template_object
from player.console.command import (
    FailedError,
    InputError,
    command,
    debug_option,
    group,
    reading,
    warn,
)
from player.console.options import (
    budget_option,
    complete_file,
    explicit_options,
    number_option,
    resume_option,
    time_option,
)
from player.console.output import Picture, json_option, print_object, say, takes_picture
from player.console.reading import content_of, for_command, is_file
from player.console.screen import (
    Screen,
    draws,
    interruptible,
    sole_writer,
    working,
    write_file,
)
from player.console.usage import WIDTH
from player.solve.budget import PAIR_SECONDS
from player.solve.pair import join
from player.solve.solver import Solver
from player.solve.table import SaveTimer

_takes_seconds = time_option(
    most=1e6,
    help="How long the solver may look at two points that no rule joins; 0 is not at all. The "
    f"default is {PAIR_SECONDS:g} seconds of a free core.",
)
_takes_budget = budget_option("Most positions of complete play.")


@command(
    "check",
    "hsearch template check ziggurat",
    "hsearch template check positions/templates/edge.txt --id ziggurat --remove b4",
    "echo 'WBW.../......' | tr / '\\n' | hsearch template check - --stone b1 --edge south",
)
@click.argument("file", shell_complete=complete_file)
@click.option("--id", "suite_id", metavar="ID", help="Which template of a suite.")
@click.option("--stone", metavar="CELL", help="The stone to connect; overrides the file.")
@click.option("--edge", metavar="EDGE", help="The edge to connect it to; overrides the file.")
@click.option(
    "--carrier", metavar="CELLS", help="Cells that the template may use; by default all empty ones."
)
@click.option(
    "--remove", "without", multiple=True, metavar="CELL", help="Remove a cell from the carrier."
)
@_takes_seconds
@_takes_budget
@click.option("--resume", metavar="PLACE", help="Resume where an earlier check stopped.")
@json_option("one JSON object")
@draws
def check(  # noqa: PLR0913 - one per option
    *,
    file: str,
    suite_id: str | None,
    budget: int | None,
    seconds: float | None,
    resume: str | None,
    as_json: bool,
    screen: Screen,
    **changes: Any,
) -> None:
    """Report whether a stone is joined to an edge inside a carrier, the opponent moving first.

    FILE is a suite whose entries have the keys stone, edge and carrier, or any
    position with the options of the same names; or the name of a template that
    `template list` has. Cells outside the carrier count
    as the opponent's. If the rules do not join them, the solver is asked, for --time for
    each carrier; then everything is played out. If the template holds, report by which rules, and
    which cells it could do without; if not, show a line of play that refutes it. Where no
    carrier is named, only the first cells that can be spared are listed.
    """
    template, is_named = _template(file, suite_id, changes)
    with reading(f"{file}: {template.id}"):
        examination = Examination(
            template, budget=budget, ask=solver_for(template.position, template.ends, seconds)
        )
        if seconds == 0:
            _ = examination.game
    start = None if resume is None else _place(file, template, resume)
    try:
        cells = template.carrier.count()
        with working("checking", cells, unit="cells") as work:

            def on_left(count: int) -> None:
                work.update(cells - count)

            with reading(f"{file}: {template.id}"):
                interruptible(lambda: _examine(examination, start, on_left, thoroughly=is_named))
    finally:
        _report(examination, screen, as_json=as_json)
    verdict = examination.verdict
    if not verdict.is_decided and (is_named or verdict.minimal is None):
        raise click.exceptions.Exit(1)


def solver_for(
    position: Position, ends: tuple[Point, Point], seconds: float | None
) -> CarrierJudge | None:
    """Return a function that solves a carrier within the seconds; None without time."""
    color = position.color_at(ends[0])
    if seconds == 0 or color is None:
        return None

    solvers = dict[Board, Solver]()

    def ask(carrier: CellSet) -> CarrierVerdict | None:
        answer = join(position, color, ends, carrier, seconds, solvers)
        if answer.joined is None:
            return None
        connection = answer.connection if answer.joined else None
        return CarrierVerdict(answer.joined, connection, answer.intrusion)

    return ask


def _examine(
    examination: Examination,
    start: place.ResumePoint | None,
    on_left: Callable[[int], None],
    *,
    thoroughly: bool,
) -> None:
    verdict = examination.verdict
    if start is not None:
        start.resume(examination)
        thoroughly = True
    if verdict.valid is None and len(verdict.intrusions) == len(verdict.omissions):
        examination.derive()
    while not verdict.is_decided and not examination.is_spent:
        if verdict.superfluous and not thoroughly:
            return
        examination.play_out()
        on_left(len(verdict.intrusions or verdict.omissions))


def _template(file: str, suite_id: str | None, changes: dict[str, Any]) -> tuple[Template, bool]:
    """Return the template of a file, changed by the options, and whether its carrier is given."""
    with reading(file):
        entry = _entry(file, suite_id)
        less = changes.pop("without")
        for key, value in changes.items():
            if value is not None:
                fields = tuple(field for field in entry.fields if field[0] != key)
                entry = replace(entry, fields=(*fields, (key, value)))
        template = template_of(entry)
        cells = template.position.board.named(less) & template.carrier
        if cells.count() < len(less):
            raise FormatError(f"{' '.join(less)!r} is not all in the carrier")
        return template.without(*cells.search(1)), bool(entry.values("carrier"))


def _entry(file: str, suite_id: str | None) -> suite.SuiteEntry:
    if not is_file(file) and (matches := _find_templates(file)):
        first = matches[0]
        text = suite_entry(first.template, first.template.id, found=first.is_found)
        return suite.pick(suite.read(text), suite_id)
    if like := "" if is_file(file) else _like(file):
        raise InputError(f"{file[:80]}: neither a file nor a template{like}")
    content = content_of(file)
    plain, _ = decode(content)
    if sniff(plain) == "suite":
        try:
            return suite.pick(suite.read(plain), suite_id)
        except FormatError as error:
            raise ValueError(for_command(str(error))) from error
    return suite.SuiteEntry("template", formats.read(content, id=suite_id), (), 1)


def _place(file: str, template: Template, word: str) -> place.ResumePoint:
    try:
        return place.read(template, word)
    except place.PlaceError as error:
        raise InputError(f"{file}: --resume: {error}") from error


def _report(examination: Examination, screen: Screen, *, as_json: bool) -> None:
    template, verdict = examination.template, examination.verdict
    if as_json:
        print_object(template_object(examination))
        return
    click.echo(f"{heading(template)}\n")
    marks = Marks(shade=template.carrier, ends=template.ends)
    screen.show(template.position, marks)
    say(("", *statements(template, verdict)))
    resume_point = place.write(examination)
    if resume_point is not None:
        longer = ", and a longer --time" if verdict.is_beyond else ""
        click.echo(f"resume   --resume {resume_point}{longer}")


# `find`: search for edge templates, and write them as a suite.


@command(
    "find",
    "hsearch template find --row 3 --stones 2 --columns 7 > found.txt",
    "hsearch template find --row 3 --columns 6 --resume row3.json > row3.txt",
    "hsearch template find --row 3 --ladder 2",
)
@number_option(
    "--row",
    least=2,
    most=template_search.MOST_ROW,
    required=True,
    help="Row of the stones, counted from the edge.",
)
@number_option(
    "--stones", most=template_search.MOST_STONES, default=1, help="Number of stones side by side."
)
@number_option(
    "--columns", most=30, default=8, help="Columns of the window that holds the carriers."
)
@click.option(
    "--also",
    type=(int, int),
    multiple=True,
    metavar="RIGHT ROW",
    help="A further stone: columns right of the first one, and its row.",
)
@number_option("--most", metavar="CELLS", help="Print no larger carriers.")
@_takes_seconds
@_takes_budget
@resume_option(help="Store the progress of the search in FILE, and resume from it.")
@number_option(
    "--ladder",
    least=2,
    most=template_search.HIGHEST,
    metavar="ROW",
    help="Instead, a ladder from one stone in --row to an escape in this row, at any length.",
)
@click.option(
    "--length",
    type=click.IntRange(template_search.SHOWN, 8),
    default=5,
    show_default=True,
    help="Up to which length ladders are compared.",
)
def find(  # noqa: PLR0913 - one per option
    *,
    row: int,
    stones: int,
    columns: int,
    also: tuple[tuple[int, int], ...],
    most: int | None,
    seconds: float | None,
    budget: int | None,
    resume: Path | None,
    ladder: int | None,
    length: int,
) -> None:
    """Search for all minimal edge templates of some stones side by side.

    The stones lie in a row counted from the edge, all carriers in a window of so
    many columns. Of two mirror images one is printed, as an entry of a suite,
    as soon as it is found. The solver is asked whether cells hold one, for --time, and
    they are played out where it has no answer. The last line reports whether these are all.
    """
    if ladder is None and "length" in explicit_options():
        raise click.UsageError("--length needs --ladder")
    if ladder is not None:
        for option in explicit_options().values():
            if option not in {"--row", "--ladder", "--length"}:
                raise click.UsageError(f"--ladder goes without {option}")
        _ladders(row, ladder, length)
        return
    with sole_writer(resume):
        try:
            window = template_search.TemplateWindow(row, stones, columns, also)
            ask = solver_for(window.position, window.ends, seconds)
            search = template_search.TemplateSearch(
                window, budget=budget, progress=_progress(resume, window), ask=ask
            )
        except ValueError as error:
            raise click.UsageError(str(error)) from error
        _search(search, most, resume)


def _search(search: template_search.TemplateSearch, most: int | None, resume: Path | None) -> None:
    """Print the templates of a search as they are found, and save its progress at intervals."""
    keep = partial(_keep, search, resume)
    keep()  # a file that cannot be written is reported now, not after hours
    search.on_progress = partial(_keep_meanwhile, keep, SaveTimer())
    start, number = time.perf_counter(), 0
    click.echo(f"# {_command_line()}")
    try:
        templates = search.run()
        while (template := interruptible(lambda: next(templates, None))) is not None:
            if most is None or template.carrier.count() <= most:
                number += 1
                name, found = f"{template.id}-{number:02}", _is_found(template)
                click.echo("\n" + suite_entry(template, name, found=found))
    finally:
        keep()
        extent = "all" if search.is_complete else "not all"
        seconds = time.perf_counter() - start
        click.echo(
            f"\n# {extent} of this window: {number} printed, "
            f"{quantity(search.positions, 'position')}, {seconds:.0f} seconds"
        )
        if not search.is_complete:
            again = "the same command" if resume is not None else "a search with --resume FILE"
            where = "after the last step that was done, and a step may take minutes"
            click.echo(f"# {again} goes on {where}", err=resume is None)


def _keep(search: template_search.TemplateSearch, file: Path | None) -> None:
    """Write the progress of a search to its file, if it has one; raise FailedError if not."""
    if file is not None:
        write_file(file, template_search.write(search.progress, search.window))


def _keep_meanwhile(keep: Callable[[], None], timer: SaveTimer) -> None:
    """Save progress if that is due; if it fails, print a warning and let the search continue."""
    if timer.is_due:
        with timer.saving():
            try:
                keep()
            except FailedError as error:
                warn(error.message)


def _progress(
    file: Path | None, window: template_search.TemplateWindow
) -> template_search.FindProgress | None:
    """Return the progress that an earlier search stored; None if there is none."""
    if file is None or not file.exists():
        return None
    with reading(file):
        return template_search.read(contents(file), window)


def _ladders(row: int, escape: int, length: int) -> None:
    """Print the families of ladders from a row to an escape in another."""
    if not escape <= row <= template_search.HIGHEST:
        raise click.UsageError(
            f"no ladder from row {row} to row {escape}: rows up to {template_search.HIGHEST}"
        )
    start = time.perf_counter()
    ladders = interruptible(lambda: template_search.families(row, escape, length))
    click.echo(f"# {_command_line()}")
    for family in ladders:
        column = column_name(family.column)
        miss = template_search.first_miss(family)
        entry = suite_entry(family.first, family.first.id, found=miss is None)
        click.echo(f"\n{entry}\n{'repeat':7} {column}")
        if miss is not None:
            click.echo(f"{'missed':7} {miss}")
    seconds = time.perf_counter() - start
    click.echo(f"\n# {len(ladders)} printed, {seconds:.0f} seconds")


def _is_found(template: Template) -> bool:
    """Return whether H-search finds a template without its table of templates."""
    store = closure(template.alone, template.color, Limits(templates=False))
    return store.has_full(*template.ends)


def _command_line() -> str:
    return " ".join(["hsearch", *sys.argv[1:]])


# `list` and `show`, and the group of all commands.


@group(
    "template",
    "hsearch template list",
    "hsearch template check ziggurat",
)
@debug_option
def template() -> None:
    """Examine, list, draw and find edge templates."""


@command(
    "list",
    "hsearch template list",
    "hsearch template list --missed",
    "hsearch template list --draw",
)
@click.option("--missed", is_flag=True, help="List only those that the AND and OR rules miss.")
@click.option("--draw", is_flag=True, help="Draw each template, as `show` does.")
@draws
def list_templates(*, missed: bool, draw: bool, screen: Screen) -> None:
    """List the templates that come with hsearch, or draw them all.

    The list has their common names, the stones, the cells of the carrier, whether the AND and
    OR rules alone find them, and where they come from.
    """
    entries = [entry for entry in all_templates() if not (entry.is_found and missed)]
    if draw:
        _draw(entries, screen)
        return
    rows: list[tuple[Any, ...]] = [("id", "name", "stones", "cells", "rules", "source")]
    for entry in entries:
        it = entry.template
        stones = it.position.stones(it.color).count()
        rules = "find it" if entry.is_found else "miss it"
        name = " ".join(entry.names)
        rows.append((it.id, name, stones, it.carrier.count(), rules, entry.source))
    widths = [max(len(str(row[column])) for row in rows) for column in range(5)]
    for row in rows:
        start = "  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths, strict=False))
        click.echo(f"{start}  {row[5]}".rstrip())


@command(
    "show",
    "hsearch template show ziggurat",
    "hsearch template show V-1-a --svg V-1-a.svg",
    "hsearch template show IV-1-a --why",
)
@click.argument("name")
@click.option("--why", is_flag=True, help="Explain why it holds, as `hsearch explain` does.")
@_takes_seconds
@draws
@takes_picture("Draw the first of them, without what lies around it,")
def show(*, name: str, why: bool, seconds: float | None, screen: Screen, picture: Picture) -> None:
    """Draw the templates of a name: an id of `template list`, or a name that people use.

    Each with its stone, its edge and the cells that it needs; with --why, with its derivation.
    """
    if seconds is not None and not why:
        raise click.UsageError("--time goes with --why")
    matches = _find_templates(name)
    if not matches:
        raise InputError(f"{name[:80]}: not a template{_like(name)}: see `template list`")
    first = matches[0].template
    alone = first.carrier | first.position.stones(first.color)
    marks = Marks(shade=first.carrier, ends=first.ends, area=alone)
    picture.write(first.position, marks, title=_title(matches[0]))
    _draw(matches, screen, lambda it: ("", *_derivation(it, seconds)) if why else ())


def _derivation(template: Template, seconds: float | None) -> Iterator[str]:
    """Return why a template joins its ends, in sentences, or what is left open."""
    options = options_of({}, seconds=seconds)
    question = interruptible(
        lambda: ask(template.alone, None, template.color, template.ends, options),
        "deriving the template",
    )
    lack = interruptible(question.lack, "looking for what is missing")
    return explained(question, question.why(), lack)


def _find_templates(name: str) -> list[KnownTemplate]:
    """Return the shipped templates that have this id or name."""
    word = name.lower()
    return [it for it in all_templates() if word in {it.template.id, *map(str.lower, it.names)}]


def _like(name: str) -> str:
    """Return a hint in words at a template with a similar name; empty if there is none."""
    names = [each for it in all_templates() for each in (it.template.id, *it.names)]
    by_word = {each.lower(): each for each in names}
    like = difflib.get_close_matches(name[:80].lower(), by_word, n=1, cutoff=0.7)
    return f", but {by_word[like[0]]}" if like else ""


def _title(entry: KnownTemplate) -> str:
    names = f" ({', '.join(entry.names)})" if entry.names else ""
    return f"{heading(entry.template)}{names}"


def _draw(
    entries: Sequence[KnownTemplate],
    screen: Screen,
    more: Callable[[Template], Iterable[str]] = lambda _template: (),
) -> None:
    """Draw templates one after the other, with `more` sentences about each."""
    for number, entry in enumerate(entries):
        it = entry.template
        click.echo("\n" * bool(number) + f"{_title(entry)}\n")
        screen.show(it.position, Marks(shade=it.carrier, ends=it.ends))
        rules = "find it" if entry.is_found else "miss it"
        say(("", f"The AND and OR rules alone {rules}. Source: {entry.source}."))
        say(more(it), pipe_width=WIDTH)


template.add_command(check)
template.add_command(show)
template.add_command(list_templates)
template.add_command(find)
