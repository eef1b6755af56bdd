"""`hsearch tournament`: many games between players."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from hsearch.hex import Board
from hsearch.render.text import quantity
from player.console import events, options
from player.console.command import (
    InputError,
    MaybeFile,
    command,
    failing,
    one_line,
    unreadable,
    wrong_spec,
)
from player.console.screen import Screen, draws
from player.engine.referee import prepare
from player.engine.results import Event
from player.engine.spec import participant
from player.engine.tournament import PlayRows, different, forfeits
from player.search.opening_estimates import load_balanced, read_balanced
from player.variants.base import ALTERNATING, Variant
from player.work.clock import Clock


def check_players(event: Event) -> None:
    """Check that each player of an event can play there.

    Raise FailedError, naming one that cannot; InputError if its file is at fault.
    """
    for spec in event.players:
        player = participant(spec, event.rules.name)
        with closing(player), failing(player, "play here"):
            prepare(player, event.rules, event.board)


@command(
    "tournament",
    "hsearch tournament random hexy:level=1 ab:eval=two_distance --size 5 --resume small.jsonl",
    "hsearch tournament ab:order=charge random --size 5 --swap --time 5 --sgf . --resume s.jsonl",
    "hsearch tournament hexy:level=1 ab:depth=1 --size 8 --openings --games 4 --resume even.jsonl",
)
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--size", type=options.SizeType(), default="11", show_default=True, help="The board.")
@options.number_option("--games", most=1_000_000_000, default=2, help="Games of each pair.")
@events.takes_variant
@options.gather(
    "terms",
    dict,
    click.option("--gauntlet", is_flag=True, help="Only the first player meets the others."),
    click.option("--swap", is_flag=True, help="Let the second player swap."),
    options.time_option(least=0.01, help="Seconds for a move."),
    options.choice_option(
        "--clock",
        words=Clock,
        help="Clock: the time of day, or the processor time of a player.",
    ),
)
@click.option(
    "--openings",
    "opens",
    cls=MaybeFile,
    metavar="[FILE]",
    help="Start from the openings in FILE, by default from balanced ones of two stones.",
)
@options.seed_option()
@options.resume_option(
    default=Path("tournament.jsonl"),
    show_default=True,
    help="Store the results in FILE, one game a line, and resume from it.",
)
@events.plot_option
@events.takes_play
@draws
def tournament(  # noqa: PLR0913 - one per option
    *,
    players: tuple[str, ...],
    size: tuple[int, int],
    games: int,
    variant: Variant[Any] | None,
    terms: dict[str, Any],
    opens: str | None,
    seed: int,
    resume: Path,
    picture: Path | None,
    play: PlayRows,
    screen: Screen,
) -> None:
    """Let each pair of players meet, with colors alternating, and show the standings.

    A PLAYER is hexy, tree, policy (which plays the first choice of a net), ab, random,
    cohen (which plays by random fillings of the board), gtp:COMMAND or py:FILE.py:NAME,
    with options as hexy:level=3 or ab:eval=two_distance; the error for a wrong option
    lists the valid ones. Other variants have other players. Players without chance repeat
    their games: start from --openings. A list of openings is what `hsearch openings N
    --balanced COUNT --save FOLDER` writes, or any with an opening such as `a2 c4` a line.
    Without --time, a gtp: engine that takes ten minutes for a move has lost. Run the same
    command again to resume; more --games are added to those there are.
    """
    openings = () if opens is None else _openings(opens, size)
    try:
        kind = ALTERNATING if variant is None else variant.text
        event = Event("tournament", *size, players, seed, openings=openings, variant=kind, **terms)
    except ValueError as error:
        raise wrong_spec(error) from error
    rows = events.open_rows(resume, event)
    numbers = range(games * len(event.pairs))
    if not all(number in rows.games for number in numbers):
        check_players(event)
    play(rows, numbers, lambda: False)
    screen.rich(events.standings_table(rows, numbers), fits=True)
    if len(event.pairs) > 1:
        click.echo()
        screen.rich(events.duels_table(rows, numbers), fits=True)
    games_played = rows.of(numbers)
    unlike = different(games_played)
    if unlike < len(games_played):
        click.echo(
            f"\nOnly {unlike} of the {len(games_played)} games differ, so the results are less "
            "certain than the intervals.\nMore openings make more games: --openings."
        )
    lost_by_fault = forfeits(games_played)
    if lost_by_fault:
        click.echo()
    for (player, reason), count in lost_by_fault.items():
        lost = f"{player} lost {quantity(count, 'game')} by forfeit: {reason}"
        click.echo(one_line(lost))
    if "resume" not in options.explicit_options():
        click.echo(
            f"\nThe results are in {resume}; --games adds games, and --resume chooses another file."
        )
    events.draw(picture, rows, numbers)


def _openings(file: str, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the openings in a file, or the shipped ones if its name is empty."""
    try:
        return read_balanced(Path(file), Board(*size)) if file else load_balanced(*size)
    except OSError as error:
        raise unreadable(file, error) from error
    except ValueError as error:
        if not file:
            raise click.UsageError(one_line(str(error))) from error
        raise InputError(str(error)) from error
