"""`hsearch learn patterns`: weights of patterns that learn from a net."""

import time
from dataclasses import asdict
from pathlib import Path

import click

from hsearch.board import Board
from player.cli.learn_options import boards_option, int8_option, net_option
from player.console.cluster import executor_at
from player.console.command import command
from player.console.errors import FailedError, InputError
from player.console.option import number_option, out_folder_option, processes_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.learn.fit import NEEDED, is_installed
from player.learn.lesson_file import LessonError
from player.learn.patterns import PatternRun, learn
from player.net import Net, NetError, read_net, shipped_net
from player.net import int8 as eight_bits
from player.numbers import numbered
from player.patterns import PatternError, read_patterns, write_patterns
from player.tournament import WorkersError


@command(
    "patterns",
    "hsearch learn patterns small.npz --games 40 --size 5",
    "hsearch learn patterns others.npz --games 20 --size 5 --size 6 --epochs 2 --jobs 2",
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@number_option("--games", most=1_000_000_000, default=2000, help="Games of the net, in all.")
@boards_option("a hundred")
@net_option("The net to learn from; by default the bundled one.")
@int8_option()
@number_option("--epochs", most=10_000, default=5, help="Passes over all positions.")
@number_option("--threads", most=1024, default=1, help="Threads to train with.")
@number_option("--seed", least=0, default=0, help="Random seed.")
@out_folder_option("--keep", help="Store the lessons there, and resume from them.")
@processes_option("jobs", help="Processes that run the net; the patterns do not depend on it.")
@click.option("--scheduler", metavar="ADDRESS", help="Run the net on the Dask cluster there.")
@json_option()
def patterns(  # noqa: PLR0913 - an option each
    *,
    file: Path,
    games: int,
    boards: tuple[Board, ...],
    net_file: Path | None,
    epochs: int,
    threads: int,
    int8: bool,
    seed: int,
    keep: Path | None,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Learn from a net what the stones around a cell say, and write it to FILE.

    The net plays games without search, and predicts good moves and the winner at each
    position. The patterns play with `tree:patterns=FILE`, many times as fast as the net.
    Each twentieth hundred of games is held out, to measure the accuracy. This needs
    torch: the extra `learn`.
    """
    if not is_installed():
        raise InputError(NEEDED)
    if int8 and not eight_bits.is_installed():
        raise InputError(eight_bits.NEEDED)
    begun = time.monotonic()
    try:
        if not file.parent.is_dir():
            raise InputError(f"{file.parent}: no such folder")
        if file.exists():
            read_patterns(file)  # nothing else is written over
        with executor_at(scheduler, jobs) as (executor, workers), working("asking", 1.0) as work:

            def told(part: float, what: str) -> None:
                work.say(what)
                work.done(part)

            found, score = learn(
                PatternRun(boards, games, seed, epochs, int8),
                _net(net_file),
                keep=keep,
                workers=workers,
                threads=threads,
                executor=executor,
                on_progress=told,
            )
        write_patterns(file, found)
    except (NetError, PatternError, LessonError) as error:
        raise InputError(str(error)) from error
    except WorkersError as error:
        raise FailedError(str(error)) from error
    except OSError as error:
        raise FailedError(f"{error.filename or file}: {error.strerror or error}") from error
    learned, seconds = found.record["positions"], time.monotonic() - begun
    if as_json:
        print_object(
            {
                "patterns": str(file),
                "key": found.key,
                "positions": learned,
                "apart": asdict(score),
                "seconds": round(seconds, 3),
            }
        )
        return
    told_apart = (
        f"of {numbered(score.positions, 'position')} apart {score.first:.1%} first choices and "
        f"{score.winner:.1%} winners are the net's"
        if score.positions
        else "no games apart"
    )
    say(
        [
            f"{file}: {numbered(learned, 'position')} in {seconds:.1f} s, {told_apart}.",
            f"Key {found.key[:8]}; they play with tree:patterns={file}",
        ]
    )


def _net(path: Path | None) -> Net:
    """Return the net to learn from. Raise InputError when there is none."""
    net = shipped_net() if path is None else read_net(path)
    if net is None:
        raise InputError("no net came with this copy of hsearch: say which with --net")
    return net
