"""The limits of H-search as options of a command."""

import functools
from collections.abc import Callable
from typing import Any

import click

from hsearch.closure import Limits
from hsearch.deduction import Depth

ENGINES = ("mk", "shrinking")


def takes_limits(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for limits and switches; the command gets them as `limits` and `depth`."""

    @functools.wraps(function)
    def limited(  # noqa: PLR0913 - one parameter an option of the command line
        engine: str,
        most_fulls: int,
        most_semis_joined: int,
        *,
        edge_pivot: bool,
        no_greedy_union: bool,
        templates: bool,
        captured: bool,
        replies: int,
        searches: int,
        **rest: Any,
    ) -> Any:
        limits = Limits(
            M=most_fulls,
            K=most_semis_joined,
            edge_pivot=edge_pivot,
            greedy_union=not no_greedy_union,
            shrinking=engine == "shrinking",
            templates=templates,
            captured=captured,
        )
        return function(limits=limits, depth=Depth(replies, searches), **rest)

    default = Limits()
    options: list[Callable[..., Any]] = [
        click.option(
            "--limits",
            "engine",
            type=click.Choice(ENGINES),
            default=ENGINES[0],
            show_default=True,
            help="Keep M fulls and join K semis, or keep what shrinks what all have in common.",
        ),
        click.option(
            "--M",
            "most_fulls",
            type=click.IntRange(1, 1_000_000),
            metavar="N",
            default=default.M,
            show_default=True,
            help="Full connections kept for a pair; twice as many semis.",
        ),
        click.option(
            "--K",
            "most_semis_joined",
            type=click.IntRange(1, 1_000_000),
            metavar="N",
            default=default.K,
            show_default=True,
            help="Semis that one OR may join.",
        ),
        click.option("--edge-pivot", is_flag=True, help="Let AND go through edges."),
        click.option("--no-greedy-union", is_flag=True, help="Keep strictly to K."),
        click.option(
            "--templates/--no-templates",
            default=default.templates,
            show_default=True,
            help="Add the known edge templates that AND and OR miss.",
        ),
        click.option(
            "--captured/--no-captured",
            default=default.captured,
            show_default=True,
            help="Let carriers share cells that an end captures.",
        ),
        click.option(
            "--deduction",
            "replies",
            type=click.IntRange(0, 3),
            metavar="N",
            default=0,
            show_default=True,
            help="Must-play deduction where H-search finds no full: own replies in depth, 0 to 3.",
        ),
        click.option(
            "--searches",
            type=click.IntRange(1),
            metavar="N",
            default=Depth().searches,
            show_default=True,
            help="Most H-searches that one deduction may make.",
        ),
    ]
    wrapped: Callable[..., Any] = limited
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def limits_object(limits: Limits, depth: Depth, *, complete: bool) -> dict[str, Any]:
    """Return limits and switches as JSON has them; `complete` says that no limit bound."""
    mk = not limits.shrinking
    return {
        "engine": ENGINES[limits.shrinking],
        "M": limits.M if mk else None,
        "semis": limits.most_semis if mk else None,
        "K": limits.K if mk else None,
        "edge_pivot": limits.edge_pivot,
        "greedy_union": limits.greedy_union and mk,
        "templates": limits.templates,
        "captured": limits.captured,
        "deduction": depth.replies,
        "searches": depth.searches if depth.replies else None,
        "complete": complete,
    }
