"""`hsearch template`: edge templates, examined, listed and found."""

from typing import Any

import click

from hsearch.library import KnownTemplate, all_templates
from hsearch.render import Marks
from player.cli.template_check import check
from player.cli.template_find import find
from player.console.command import command, debug_option, group
from player.console.output import say
from player.console.screen import Screen, draws
from player.report.templates import heading


@group(
    "template",
    "hsearch template list",
    "hsearch template check positions/templates/edge.txt --id dk4-3",
)
@debug_option
def template() -> None:
    """Examine, list, draw and find edge templates."""


@command(
    "list",
    "hsearch template list",
    "hsearch template list --missed",
)
@click.option("--missed", is_flag=True, help="Only those that the AND and OR rules miss.")
def listed(*, missed: bool) -> None:
    """List the templates that come with hsearch.

    Its common name, the stones, the cells of the carrier, whether the AND and OR rules alone
    find it, and where it comes from.
    """
    rows: list[tuple[Any, ...]] = [("id", "name", "stones", "cells", "rules", "source")]
    for known in all_templates():
        if known.is_found and missed:
            continue
        it = known.template
        stones = it.position.stones(it.color).count()
        rules = "find it" if known.is_found else "miss it"
        name = " ".join(known.names)
        rows.append((it.id, name, stones, it.carrier.count(), rules, known.source))
    widths = [max(len(str(row[column])) for row in rows) for column in range(5)]
    for row in rows:
        start = "  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths, strict=False))
        click.echo(f"{start}  {row[5]}".rstrip())


@command(
    "show",
    "hsearch template show ziggurat",
    "hsearch template show V-1-a",
)
@click.argument("name")
@draws
def show(*, name: str, screen: Screen) -> None:
    """Draw the templates of a name: an id of `template list`, or a name that people use.

    Each with its stone, its edge and the cells that it needs.
    """
    word = name.lower()
    known = [it for it in all_templates() if word in {it.template.id, *map(str.lower, it.names)}]
    if not known:
        raise click.BadParameter(f"no template {name[:80]!r}: see `template list`")
    for place, it in enumerate(known):
        if place:
            click.echo()
        _draw(it, screen)


def _draw(known: KnownTemplate, screen: Screen) -> None:
    it = known.template
    names = f" ({', '.join(known.names)})" if known.names else ""
    click.echo(f"{heading(it)}{names}\n")
    screen.show(it.position, Marks(shaded=it.carrier, ends=it.ends))
    rules = "find it" if known.is_found else "miss it"
    say(("", f"The AND and OR rules alone {rules}. Source: {known.source}."))


template.add_command(check)
template.add_command(show)
template.add_command(listed)
template.add_command(find)
