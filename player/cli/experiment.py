"""`hsearch experiment ladder-8x8`: play a ladder, or a study, as far as it is not; report it."""

from functools import partial
from pathlib import Path

import click

from hsearch.formats.shipped import shipped
from player.answers.figures import SUITE, answer, read, report
from player.cli.many_games import APART, Play, draw, opened, plot_option, takes_workers
from player.console.command import FailedError, command, reading
from player.console.compiling import announce_compiling
from player.console.options import number_option, out_folder_option, out_option
from player.console.screen import make_folder, working
from player.engine.calibration import MINIMAX, effort, least_leaves, openings
from player.engine.experiment import (
    EXPERIMENTS,
    STUDIES,
    Study,
    event,
    remarks,
    study,
    study_report,
    table,
)
from player.engine.experiment import report as experiment_report
from player.engine.ladder import LADDERS, Climb, ladder, ladder_report
from player.engine.results import Rows, players_in
from player.work.statistics import sequential

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


# `hsearch experiment nodes`: what alpha-beta spares, and what an order of moves does.

NODES = "nodes"
POSITIONS = 5
SEARCHES = (MINIMAX, "random", "center", "charge", "potentials")
BOARDS = ((5, 2), (5, 3), (8, 2), (11, 2))  # sides and depths
EVALUATOR = "two_distance"


def count_nodes(positions: int, seed: int) -> None:
    """Print the mean numbers of nodes, a line for each board and depth."""
    announce_compiling()
    lines = []
    with working("searches", len(BOARDS) * positions * len(SEARCHES), unit="searches") as work:
        done = 0
        for size, depth in BOARDS:
            totals = []
            starts = openings(size, positions, seed)
            for how in SEARCHES:
                nodes = 0
                for position in starts:
                    found = effort(position, depth, evaluator=EVALUATOR, how=how, seed=seed)
                    nodes += found.nodes
                    done += 1
                    work.done(done)
                totals.append(nodes / positions)
            least = least_leaves(size * size - 2, depth)
            lines.append((f"{size}x{size}", depth, totals, least))
    click.echo(f"Mean nodes of {positions} openings of two stones; evaluator {EVALUATOR}.")
    click.echo("Alpha-beta by the order of its moves; the fewest leaves that any order needs.")
    names = "".join(f"{how:>12}" for how in SEARCHES)
    click.echo(f"{'board':7}{'depth':>5}{names}{'least':>10}")
    for board, depth, totals, least in lines:
        numbers = "".join(f"{round(total):>12,}" for total in totals)
        click.echo(f"{board:7}{depth:>5}{numbers}{least:>10,}")


# `hsearch experiment figures`: the papers' figures, and what the program says of each.

FIGURES = "figures"


def look_at_figures() -> None:
    """Print a table of what is claimed and what is found. Raise FailedError where they differ."""
    path = shipped(SUITE)
    assert path is not None  # noqa: S101 - it comes with the program
    announce_compiling()
    figures, answers = read(path.read_text(encoding="utf-8")), []
    with working("figures", len(figures), unit="figures") as work:
        for done, figure in enumerate(figures, start=1):
            answers.append(answer(figure))
            work.done(done)
    click.echo(report(answers))
    wrong = [one.figure.id for one in answers if one.verdict == "no"]
    if wrong:
        raise FailedError(f"the program disagrees with {', '.join(wrong)}")


# `hsearch experiment`: which evaluator, ordering or depth is better.

GAMES_EACH = 30
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
            games=games or GAMES_EACH,
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
        name: experiment_report(EXPERIMENTS[name].players, kept)
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
