"""`hsearch experiment`: which evaluator, ordering or depth is better."""

from functools import partial
from pathlib import Path

import click

from player.cli.climbing import climb, look_into
from player.cli.figures import FIGURES, look_at_figures
from player.cli.many_games import APART, Play, opened, takes_workers
from player.cli.nodes import NODES, POSITIONS, count_nodes
from player.cli.plotting import draw, plot_option
from player.console.command import command
from player.console.option import number_option, out_folder_option, out_option
from player.console.screen import make_folder
from player.experiment import EXPERIMENTS, LADDERS, STUDIES, event, remarks, report, table
from player.statistics import sequential
from player.tournament import Rows

GAMES = 30
WITHOUT_GAMES = (NODES, FIGURES)


@command(
    "experiment",
    "hsearch experiment 1 4 --games 2",
    "hsearch experiment 4 --until-clear --workers 2",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@number_option(
    "--games",
    help="How many, 30 by default; on a ladder or in a study the most of two players, 400 by"
    " default.",
)
@number_option("--seed", least=0, default=0, help="Random seed.")
@out_folder_option(
    "--folder",
    default=Path(),
    help="Where the results are: experiment-NAME.jsonl; here by default.",
)
@out_option("--rows", "file", metavar="FILE", help="The results of a single experiment.")
@click.option(
    "--until-clear", is_flag=True, help="Stop when a sequential test tells who is better."
)
@click.option("--report", "only_report", is_flag=True, help="Play nothing; report what there is.")
@plot_option
@takes_workers
def experiment(  # noqa: PLR0913 - an option each
    *,
    names: tuple[str, ...],
    games: int | None,
    seed: int,
    folder: Path,
    file: Path | None,
    until_clear: bool,
    only_report: bool,
    picture: Path | None,
    play: Play,
) -> None:
    """Play the source's experiments 1 to 7 and report them beside its figures.

    Others ask why figures differ: `2-one-way`, `7-random`, `parity` and so on.
    `figures` compares the claims of the papers' figures with what the program finds.
    `nodes` counts what minimax, alpha-beta and ordered alpha-beta look at, from so
    many openings by chance as --games says, 5 by default. `ladder-8x8` and
    `ladder-11x11` let all evaluators play at equal time, with and without virtual
    connections; their budgets are measured once, when a ladder begins. `study-10x10`
    varies HEXY's D, M and K at equal nodes, each until a sequential test is clear.

    Results are stored game by game: the same command resumes after an
    interruption, and adds games to those already played.
    """
    names = _known(names)
    if len(names) > 1 and (file is not None or picture is not None):
        option = "--plot" if file is None else "--rows"
        raise click.UsageError(f"{option} is for a single experiment")
    for name in filter(WITHOUT_GAMES.__contains__, names):
        if file is not None or picture is not None or only_report:
            raise click.UsageError(f"{name} keeps no results: no --rows, --plot or --report")
        if name == FIGURES:
            look_at_figures()
        else:
            count_nodes(games or POSITIONS, seed)
    played = [name for name in names if name not in WITHOUT_GAMES]
    if played and file is None and not only_report:
        make_folder(folder)
    paths = {name: file or folder / f"experiment-{name}.jsonl" for name in played}
    for name in filter((*LADDERS, *STUDIES).__contains__, names):
        most = {} if games is None else {"games": games}
        go_on = climb if name in LADDERS else look_into
        rows = go_on(name, paths.pop(name), play, seed=seed, only_report=only_report, **most)
        draw(picture, rows, list(rows.games))
    if paths:
        _play_and_report(
            paths,
            play,
            picture,
            games=games or GAMES,
            seed=seed,
            until_clear=until_clear,
            only_report=only_report,
        )


def _play_and_report(  # noqa: PLR0913 - what the options say
    paths: dict[str, Path],
    play: Play,
    picture: Path | None,
    *,
    games: int,
    seed: int,
    until_clear: bool,
    only_report: bool,
) -> None:
    """Play the experiments as far as they are not, and print the table and the remarks."""
    everything = {name: opened(path, event(name, seed=seed), APART) for name, path in paths.items()}
    if not only_report:
        for rows in everything.values():
            stop = partial(_is_clear, rows, games) if until_clear else lambda: False
            play(rows, range(games), stop)
    found = {
        name: report(EXPERIMENTS[name].players, kept)
        for name, rows in everything.items()
        if (kept := rows.first(games))
    }
    if not found:
        raise click.UsageError("no games to report: play some first, without --report")
    click.echo(table(found.items()))
    click.echo()
    for name, one in found.items():
        for line in remarks(name, one):
            click.echo(line)
        draw(picture, everything[name], range(games))


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names without repetition. Raise UsageError when one is unknown."""
    known = [*EXPERIMENTS, *LADDERS, *STUDIES, *WITHOUT_GAMES]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"unknown experiment {unknown[0]!r} (known: {', '.join(known)})")
    return tuple(dict.fromkeys(names))


def _is_clear(rows: Rows, games: int) -> bool:
    """Return whether the games without a gap tell who is better."""
    first = rows.event.players[0]
    results = []
    for number in range(games):
        row = rows.games.get(number)
        if row is None:
            break
        results.append(row.player(row.winner) == first)
    return sequential(results) is not None
