"""`hsearch template`: edge templates, examined, listed and found."""

from typing import Any

import click

from hsearch.library import shipped_templates
from player.cli.template_check import check
from player.cli.template_find import find
from player.console.command import command, debug_option, group


@group(
    "template",
    "hsearch template list",
    "hsearch template check positions/templates/edge.txt --id dk4-3",
)
@debug_option
def template() -> None:
    """Examine, list and find edge templates."""


@command(
    "list",
    "hsearch template list",
    "hsearch template list --missed",
)
@click.option("--missed", is_flag=True, help="Only those that the AND and OR rules miss.")
def listed(*, missed: bool) -> None:
    """List the templates that come with hsearch.

    The stones, the cells of the carrier, whether the AND and OR rules alone
    find it, and where it comes from.
    """
    rows: list[tuple[Any, ...]] = [("id", "stones", "cells", "rules", "source")]
    for known in shipped_templates():
        if known.is_found and missed:
            continue
        it = known.template
        stones = it.position.stones(it.color).count()
        rules = "find it" if known.is_found else "miss it"
        rows.append((it.id, stones, it.carrier.count(), rules, known.source))
    widths = [max(len(str(row[column])) for row in rows) for column in range(4)]
    for row in rows:
        start = "  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths, strict=False))
        click.echo(f"{start}  {row[4]}".rstrip())


template.add_command(check)
template.add_command(listed)
template.add_command(find)
