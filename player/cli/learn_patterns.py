"""`hsearch learn patterns`: weights of patterns that learn from a net."""

import time
from dataclasses import asdict
from pathlib import Path

import click

from hsearch.board import Board
from player.cli.learn_play import NET, boards_of
from player.console.cluster import executor_at
from player.console.command import command
from player.console.errors import FailedError, InputError
from player.console.option import number_option, processes_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.console.types import SizeType
from player.learn.patterns import PatternRun, learn
from player.net import Net, NetError, read_net, shipped_net
from player.net.int8 import NEEDED, is_installed
from player.patterns import PatternError, read_patterns, write_patterns
from player.report.numbers import numbered
from player.tournament import WorkersError


@command(
    "patterns",
    "hsearch learn patterns small.npz --games 40 --size 5",
    "hsearch learn patterns others.npz --games 20 --size 5 --size 6 --seed 1 --jobs 2",
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@number_option("--games", most=1_000_000_000, default=2000, help="Of the net, in all.")
@click.option(
    "--size",
    "boards",
    type=SizeType(),
    multiple=True,
    callback=boards_of,
    help="The boards, in turn, a hundred games on each; by default 11 and 9.",
)
@click.option(
    "--net",
    "net_file",
    type=NET,
    metavar="NET",
    help="The net to learn from; by default the one that is shipped.",
)
@click.option("--int8", is_flag=True, help="Ask the net in eight bits (the extra `fast`).")
@number_option("--seed", least=0, default=0, help="Of all that is drawn.")
@processes_option("jobs", help="Processes that ask the net; the patterns do not depend on it.")
@click.option("--scheduler", metavar="ADDRESS", help="Ask the net on the Dask cluster there.")
@json_option()
def patterns(  # noqa: PLR0913 - an option each
    *,
    file: Path,
    games: int,
    boards: tuple[Board, ...],
    net_file: Path | None,
    int8: bool,
    seed: int,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Learn from a net what the stones around a cell say, and write it to FILE.

    The net plays games without search, and at each position tells which moves it likes and
    who will win. What is learned plays with `tree:patterns=FILE`, many times as fast as the
    net. Each twentieth hundred of games is kept apart, to tell how well it knows these.
    """
    if int8 and not is_installed():
        raise InputError(NEEDED)
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
                PatternRun(boards, games, seed, int8),
                _net(net_file),
                workers=workers,
                executor=executor,
                on_progress=told,
            )
        write_patterns(file, found)
    except (NetError, PatternError) as error:
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
