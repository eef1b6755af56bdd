"""`hsearch experiment`: which evaluator, ordering or depth is better, and what papers claim."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from hsearch.formats.files import read_shipped
from player.answers import figures
from player.console import options
from player.console.command import FailedError, command, reading
from player.console.compiling import announce_compiling
from player.console.events import draw, open_rows, plot_option, takes_play
from player.console.output import print_tables
from player.console.screen import make_folder, working
from player.engine import ladder
from player.engine.calibration import MINIMAX, effort, least_leaves, openings
from player.engine.experiment import EXPERIMENTS, event, remarks, report, table
from player.engine.results import Rows, players_in
from player.engine.tournament import PlayRows

GAMES_EACH = 30  # of an experiment, by default
GAMES_OF_TWO = 400  # most games between two players on a ladder or in a study
NODES, FIGURES = "nodes", "figures"  # experiments without games
OF_GAMES = {"--until-clear", "--workers", "--scheduler", "--sgf"}  # options
UNTIL_CLEAR = (*ladder.LADDERS, *ladder.STUDIES)
KNOWN = (*EXPERIMENTS, *UNTIL_CLEAR, NODES, FIGURES)
NO_GAMES = "no games to report: play some first, without --report"


@command(
    "experiment",
    "hsearch experiment 1 4 --games 2",
    "hsearch experiment 4 --until-clear --workers 2",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@options.number_option(
    "--games",
    help="Number of games, 30 by default; on a ladder or in a study the most of two players, 400 by"
    " default.",
)
@options.seed_option()
@options.resume_option(
    kind=options.PlainPath(),
    metavar="PATH",
    help="Store the results in the file PATH, and resume from it; if PATH is a folder, as days/, in"
    " experiment-NAME.jsonl there. By default the folder is this one.",
)
@click.option(
    "--until-clear", is_flag=True, help="Stop when a sequential test decides who is better."
)
@click.option("--report", "only_report", is_flag=True, help="Play nothing; report what there is.")
@plot_option
@takes_play
def experiment(  # noqa: PLR0913 - one per option
    *,
    names: tuple[str, ...],
    games: int | None,
    seed: int,
    resume: str | None,
    until_clear: bool,
    only_report: bool,
    picture: Path | None,
    play: PlayRows,
) -> None:
    """Play Schiavone's experiments 1 to 7 and report them beside his figures.

    Others ask why figures differ: `2-one-way`, `7-random`, `parity` and so on.
    `figures` compares the claims of the papers' figures with what the program finds.
    `nodes` counts what minimax, alpha-beta and ordered alpha-beta look at, from
    --games random openings, 5 by default. `ladder-8x8` and
    `ladder-11x11` let all evaluators play at equal time, with and without virtual
    connections; their budgets are measured once, when a ladder begins. `study-10x10`
    varies HEXY's D, M and K at equal nodes, each until a sequential test is clear.

    Results are stored game by game: the same command resumes after an
    interruption, and adds games to those already played.
    """
    names = tuple(dict.fromkeys(names))
    unknown = [name for name in names if name not in KNOWN]
    if unknown:
        raise click.UsageError(f"unknown experiment {unknown[0]!r} (known: {', '.join(KNOWN)})")
    is_file = resume is not None and not options.is_folder(resume)
    if len(names) > 1 and (is_file or picture is not None):
        option = "--plot" if not is_file else "a file of --resume"
        raise click.UsageError(f"{option} is for a single experiment")
    selection = [name for name in names if name not in {NODES, FIGURES}]
    if only_report or not selection:
        _refuse_options_of_games(names, only_report=only_report)
    for name in filter((NODES, FIGURES).__contains__, names):
        if is_file or picture is not None or only_report:
            raise click.UsageError(f"{name} keeps no results: no --resume, --plot or --report")
        if name == FIGURES:
            _compare_figures()
        else:
            _count_nodes(games or POSITIONS, seed)
    paths = _paths(selection, resume, picture, is_file=is_file)
    if selection and not is_file and not only_report:
        make_folder(paths[selection[0]].parent)
    for name in filter(UNTIL_CLEAR.__contains__, names):
        rows = _until_clear(
            name, paths.pop(name), play, seed=seed, games=games, only_report=only_report
        )
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


def _refuse_options_of_games(names: Sequence[str], *, only_report: bool) -> None:
    """Raise UsageError if an option was given that only applies to games or to `nodes`."""
    what, useless = names[0], OF_GAMES
    if only_report:
        what = "--report"
    elif NODES not in names:
        useless = {*OF_GAMES, "--games", "--seed"}
    for option in options.explicit_options().values():
        if option in useless:
            raise click.UsageError(f"{what} plays no games: no {option}")


def _paths(
    names: Sequence[str], path: str | None, picture: Path | None, *, is_file: bool
) -> dict[str, Path]:
    """Return the results file of each experiment. Raise UsageError if the picture replaces it."""
    if path is not None and is_file:
        options.refuse_one_file(("--resume", Path(path)), ("--plot", picture))
        return {name: Path(path) for name in names}
    return {name: Path(path or "") / f"experiment-{name}.jsonl" for name in names}


def _play_and_report(  # noqa: PLR0913 - one per option
    paths: dict[str, Path],
    play: PlayRows,
    picture: Path | None,
    *,
    games: int,
    seed: int,
    until_clear: bool,
    only_report: bool,
) -> None:
    """Play the missing games of the experiments, and print the table and the remarks."""
    everything = {name: open_rows(path, event(name, seed=seed)) for name, path in paths.items()}
    if not only_report:
        for rows in everything.values():
            stop = partial(_is_clear, rows, games) if until_clear else lambda: False
            play(rows, range(games), stop)
    reports = {
        name: report(EXPERIMENTS[name].players, results)
        for name, rows in everything.items()
        if (results := rows.first(games))
    }
    if not reports:
        raise click.UsageError(NO_GAMES)
    print_tables(table(reports.items()))
    click.echo()
    for name, one in reports.items():
        for line in remarks(name, one):
            click.echo(line)
        draw(picture, everything[name], range(games))


def _is_clear(rows: Rows, games: int) -> bool:
    """Return whether the games before the first missing one show who is better."""
    one, other = rows.event.players
    return ladder.duel(rows, range(games), one, other).verdict is not None


def _until_clear(
    name: str, path: Path, play: PlayRows, *, seed: int, games: int | None, only_report: bool
) -> Rows:
    """Play the missing games of the ladder or study at `path`, and print its report.

    Return the results. Raise InputError if the file holds anything else.
    """
    most = games or GAMES_OF_TWO
    if name in ladder.STUDIES:
        rows = open_rows(path, ladder.study(name, seed=seed))
    else:
        with reading(path):
            players = players_in(path)
        if only_report and players is None:
            raise click.UsageError(NO_GAMES)
        with reading(f"{path}:1"):
            rows = open_rows(path, ladder.ladder(name, players, seed=seed))
    if only_report and not rows.games:
        raise click.UsageError(NO_GAMES)
    series: ladder.StudyRun | ladder.Climb = (
        ladder.StudyRun(rows, most) if name in ladder.STUDIES else ladder.Climb(rows, most)
    )
    if not only_report:
        series.run(lambda numbers, stop: play(rows, numbers, stop))
    print_tables(
        ladder.study_report(series)
        if isinstance(series, ladder.StudyRun)
        else ladder.ladder_report(name, series)
    )
    return rows


# `nodes`: what alpha-beta saves, and what an order of moves does.

POSITIONS = 5
SEARCHES = (MINIMAX, "random", "center", "charge", "potentials")
BOARDS = ((5, 2), (5, 3), (8, 2), (11, 2))  # sides and depths
EVALUATOR = "two_distance"


def _count_nodes(positions: int, seed: int) -> None:
    """Print the mean numbers of nodes, a line for each board and depth."""
    announce_compiling()
    lines = []
    with working("searches", len(BOARDS) * positions * len(SEARCHES), unit="searches") as work:
        count = 0
        for size, depth in BOARDS:
            totals = []
            starts = openings(size, positions, seed)
            for how in SEARCHES:
                nodes = 0
                for position in starts:
                    nodes += effort(position, depth, evaluator=EVALUATOR, how=how, seed=seed).nodes
                    count += 1
                    work.update(count)
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


# `figures`: the papers' figures, and what the program finds for each.


def _compare_figures() -> None:
    """Print a table of claims and findings. Raise FailedError if any differ."""
    announce_compiling()
    claims, answers = figures.read(read_shipped(figures.SUITE)), []
    with working("figures", len(claims), unit="figures") as work:
        for number, claim in enumerate(claims, start=1):
            answers.append(figures.answer(claim))
            work.update(number)
    print_tables(figures.report(answers))
    wrong = [one.figure.id for one in answers if one.verdict == "no"]
    if wrong:
        raise FailedError(f"the program disagrees with {', '.join(wrong)}")
