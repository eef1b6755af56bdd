"""`hsearch learn cycle`: a net plays against itself and learns from the games, in turn."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from hsearch.hex.board import Board
from hsearch.render.text import quantity
from player.cli.learn_fit import (
    NET,
    boards_option,
    device_option,
    fit_options,
    learning,
    shape_of_start,
)
from player.console.command import FailedError, command
from player.console.options import OUT_FOLDER, gather, number_option, time_option
from player.console.output import json_option, print_object, say
from player.console.screen import working
from player.net.net import read_net
from player.study.cycle import CycleSettings, Generation
from player.study.fitting import FitSettings
from player.study.learning import NEEDED, cycle, is_installed
from player.study.side_by_side import PlaySettings

DEFAULT, PLAY = CycleSettings({11: 1}), PlaySettings()
FIT = FitSettings(batch=1024, chance=0.4, owners=0.15)


@command(
    "cycle",
    "hsearch learn cycle run/ --size 5 --generations 2 --positions 300 --at-once 16 "
    "--simulations 8 --blocks 1 --channels 8 --batch 32",
    "hsearch learn cycle run/ --start mine.net --size 11 --size 9 --size 11 --size 13",
    "hsearch learn cycle run/ --device cuda --threads 14 --at-once 10000 --positions 250000 "
    "--blocks 10 --channels 64 --time 1800",
)
@click.argument("folder", type=OUT_FOLDER)
@boards_option("an equal share of the")
@click.option("--start", type=NET, metavar="NET", help="A net to start from.")
@number_option(
    "--at-once", most=1_000_000, default=256, help="Games played at once, on all boards."
)
@gather(
    "terms",
    dict,
    number_option(
        "--generations", most=100_000, default=DEFAULT.generations, help="Generations in all."
    ),
    number_option(
        "--positions",
        most=100_000_000,
        default=DEFAULT.positions,
        help="Searched positions of a generation.",
    ),
    number_option("--window", most=1000, default=DEFAULT.window, help="Generations to learn from."),
    click.option(
        "--reuse",
        type=click.FloatRange(0, 100, min_open=True),
        default=DEFAULT.reuse,
        show_default=True,
        metavar="X",
        help="How often a position is learned from, on average.",
    ),
)
@gather(
    "play",
    PlaySettings,
    number_option(
        "--simulations", most=1000, default=PLAY.simulations, help="Simulations a searched move."
    ),
    number_option(
        "--weighed", most=64, default=PLAY.weighed, help="Moves that a search begins with."
    ),
)
@fit_options(FIT, epochs=False)
@time_option(least=1, help="End the run after so long; the learning rate falls until then.")
@number_option("--threads", most=1024, default=1, help="Threads of the processor.")
@device_option
@json_option()
def learn_cycle(  # noqa: PLR0913 - one per option
    *,
    folder: Path,
    boards: tuple[Board, ...],
    start: Path | None,
    at_once: int,
    terms: dict[str, Any],
    play: PlaySettings,
    settings: FitSettings,
    seconds: float | None,
    threads: int,
    device: str,
    as_json: bool,
) -> None:
    """Let a net play against itself and learn from the games, in turn, into FOLDER.

    Many games go on at once, so that the net answers for all of them together: on a
    graphics card some hundred times as fast as one by one. FOLDER gets net.npz, the
    net, state.npz, from which the same command resumes, and the games of each
    generation. A net to start from with another shape plays until the new one knows
    the games better. This needs torch: the extra `learn`.
    """
    if not is_installed():
        raise FailedError(NEEDED)
    with learning(folder):
        first = None if start is None else read_net(start)
        seats, fit = _seats(boards, at_once), shape_of_start(settings, first)
        run = CycleSettings(seats=seats, play=play, fit=fit, **terms)
        with working("learning", 1.0) as work:

            def report(what: str, part: float) -> None:
                work.say(what)
                work.update(part)

            results = cycle(
                folder,
                run,
                start=first,
                device=device,
                threads=threads,
                seconds=seconds,
                on_progress=report,
            )
    path = folder / "net.npz"
    if as_json:
        rows = list(map(asdict, results))
        thing = {"schema": "hsearch/learn-cycle/1", "net": str(path), "generations": rows}
        print_object(thing)
        return
    say([*map(_sentence, results), f"{path}: {quantity(len(results), 'generation')}."])


def _seats(boards: tuple[Board, ...], at_once: int) -> dict[int, int]:
    """Return the games at once by side of the board. Raise UsageError if one is not square."""
    for board in boards:
        if board.columns != board.rows:
            raise click.UsageError(f"--size {board.columns}x{board.rows}: square boards only")
    counts = Counter(board.rows for board in boards)
    return {side: max(1, at_once * count // len(boards)) for side, count in sorted(counts.items())}


def _sentence(generation: Generation) -> str:
    """Return the result of a generation in words."""
    accuracy, who = generation.before, "" if generation.by_learner else ", played by the first net"
    return (
        f"generation {generation.number}: {quantity(generation.games, 'game')}{who}, "
        f"{quantity(generation.positions, 'position')}; before learning, the move was the net's "
        f"first choice in {accuracy.first:.1%}, the winner right in {accuracy.winner:.1%}"
    )
