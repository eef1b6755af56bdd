"""`hsearch experiment ladder-8x8`: play a ladder, or a study, as far as it is not; report it."""

from pathlib import Path

import click

from player.cli.many_games import APART, Play, opened
from player.console.errors import reading
from player.experiment.ladder import Climb, ladder
from player.experiment.ladder_report import ladder_report
from player.experiment.study import Study, study, study_report
from player.tournament import Rows, players_in

GAMES = 400  # the most of two players


def climb(
    name: str, path: Path, play: Play, *, seed: int, games: int = GAMES, only_report: bool
) -> Rows:
    """Go on with the ladder whose results are at `path`, or begin it; print what it says.

    Return the results.
    Raise InputError when the file holds anything else.
    """
    with reading(path):
        players = players_in(path)
    if only_report and players is None:
        raise click.UsageError("no games to report: play some first, without --report")
    with reading(f"{path}:1"):
        event = ladder(name, players, seed=seed)
    rows = opened(path, event, APART)
    found = Climb(rows, games)
    if not only_report:
        found.run(lambda numbers, stop: play(rows, numbers, stop))
    click.echo(ladder_report(name, found))
    return rows


def look_into(
    name: str, path: Path, play: Play, *, seed: int, games: int = GAMES, only_report: bool
) -> Rows:
    """Go on with the study whose results are at `path`, or begin it; print what it says.

    Return the results. Raise InputError when the file holds anything else.
    """
    rows = opened(path, study(name, seed=seed), APART)
    if only_report and not rows.games:
        raise click.UsageError("no games to report: play some first, without --report")
    found = Study(rows, games)
    if not only_report:
        found.run(lambda numbers, stop: play(rows, numbers, stop))
    click.echo(study_report(found))
    return rows
