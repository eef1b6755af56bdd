"""`hsearch learn play`: games of the player `tree` against itself."""

import time
from pathlib import Path

import click

from hsearch.board import Board
from player.cli.learn_options import boards_option, int8_option, net_option
from player.console.cluster import executor_at
from player.console.command import command
from player.console.errors import FailedError, InputError
from player.console.option import number_option, processes_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.learn.chunk import ChunkError
from player.learn.folder import ChunkFolder, ChunkFolderError
from player.learn.play import SelfPlayRun, run
from player.net import NetError, read_net
from player.net.int8 import NEEDED, is_installed
from player.numbers import numbered
from player.tournament import WorkersError


@command(
    "play",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn play others/ --games 4 --size 6 --size 5 --seed 1 --jobs 2",
)
@click.argument("folder", type=click.Path(path_type=Path))
@number_option(
    "--games", most=1_000_000_000, default=1000, help="Games in all, with those already played."
)
@boards_option("fifty")
@number_option("--simulations", most=1_000_000, default=400, help="Simulations a move.")
@net_option("Asked in place of playouts; by default none.")
@int8_option()
@number_option("--seed", least=0, default=0, help="Random seed.")
@processes_option("jobs", help="Processes; the games do not depend on it.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster there.")
@json_option()
def play(  # noqa: PLR0913 - an option each
    *,
    folder: Path,
    games: int,
    boards: tuple[Board, ...],
    simulations: int,
    net_file: Path | None,
    int8: bool,
    seed: int,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Play games of the program against itself into FOLDER, which is made if need be.

    Each begins with up to three random stones and ends with the proof of who wins.
    FOLDER gets a file for every fifty games; the same command again plays what
    is missing, or more games if --games is larger.
    """
    if int8 and net_file is None:
        raise click.UsageError("--int8 is of a net: it needs --net")
    if int8 and not is_installed():
        raise InputError(NEEDED)
    start = time.monotonic()
    try:
        net = None if net_file is None else read_net(net_file)
        wanted = SelfPlayRun(boards, games, simulations, seed, net, int8)
        kept = ChunkFolder(folder)
        with (
            executor_at(scheduler, jobs) as (executor, workers),
            working("playing", games, unit="games") as work,
        ):
            before = run(wanted, kept, workers=workers, executor=executor, on_progress=work.done)
    except (ChunkFolderError, ChunkError, NetError) as error:
        raise InputError(str(error)) from error
    except WorkersError as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        raise FailedError(f"{error.filename or folder}: {error.strerror or error}") from error
    seconds = time.monotonic() - start
    if as_json:
        print_object(
            {
                "folder": str(folder),
                "games": games,
                "played": games - before,
                "chunks": len(wanted.origins()),
                "seconds": round(seconds, 3),
            }
        )
        return
    new = games - before
    told = f"{numbered(new, 'game')} in {seconds:.1f} s" if before < games else "nothing to play"
    was = f", {before} were there" if before else ""
    say([f"{folder}: {numbered(games, 'game')}: {told}{was}."])
