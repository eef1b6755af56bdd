"""`hsearch learn fit` and `patterns`; and options that the commands of `learn` share."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from hsearch.hex import Board
from hsearch.render.text import quantity
from player.console import options
from player.console.command import FailedError, InputError, command, reading
from player.console.games import Machines, storing, takes_machines
from player.console.output import json_option, print_object, say
from player.console.reading import folder_of
from player.console.screen import make_folder, sole_writer, working
from player.evaluate import int8 as eight_bits
from player.evaluate.net import MOST_BLOCKS, MOST_CHANNELS, Net, read_net, shipped_net
from player.evaluate.patterns import read_patterns, write_patterns
from player.study import learning_games, pattern_learning, side_by_side
from player.study.fitting import Epoch, FitSettings, Steps
from player.study.learning import NEEDED, fit, is_installed
from player.study.samples import Samples

NET = options.PlainPath(exists=True, dir_okay=False, path_type=Path)
SIZES = ((11, 11), (9, 9))


def boards_option(count: str) -> options.Decorator:
    """Return the decorator that adds the boards, with `count` games in turn on each."""
    return click.option(
        "--size",
        "boards",
        type=options.SizeType(),
        multiple=True,
        callback=_boards,
        help=f"The boards, in turn, {count} games on each; by default 11 and 9.",
    )


def net_option(text: str) -> options.Decorator:
    """Return the decorator that adds the file of a net."""
    return click.option("--net", "net_file", type=NET, metavar="NET", help=text)


def int8_option(what: str = "the net") -> options.Decorator:
    """Return the decorator that adds `--int8`: evaluate the net in eight bits."""
    return click.option(
        "--int8", is_flag=True, help=f"Ask {what} in eight bits (the extra `fast`)."
    )


def _boards(
    _context: click.Context, _option: click.Parameter, sizes: tuple[tuple[int, int], ...]
) -> tuple[Board, ...]:
    return tuple(Board(*size) for size in sizes or SIZES)


def device_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for where torch computes: `--threads` and `--device`."""
    threads = options.number_option(
        "--threads", most=1024, default=1, help="Threads of the processor."
    )
    device = options.choice_option("--device", words=("cpu", "cuda"), help="Where torch computes.")
    return threads(device(function))


def fit_options(default: FitSettings | None = None, *, epochs: bool = True) -> options.Decorator:
    """Return the decorator that adds the settings of a training; the command gets `settings`."""
    default = default or FitSettings()
    passes = options.number_option(
        "--epochs", most=10_000, default=default.epochs, help="Passes over all samples."
    )
    return options.gather(
        "settings",
        partial(_settings, default),
        options.number_option(
            "--blocks",
            most=MOST_BLOCKS,
            default=default.blocks,
            help="Residual blocks of two convolutions.",
        ),
        options.number_option(
            "--channels",
            least=8,
            most=MOST_CHANNELS,
            default=default.channels,
            help="Channels, a multiple of 8.",
        ),
        *([passes] if epochs else []),
        options.number_option(
            "--batch", most=65_536, default=default.batch, help="Positions in a training step."
        ),
        click.option(
            "--rate",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=default.rate,
            show_default=True,
            metavar="R",
            help="The highest learning rate.",
        ),
        click.option(
            "--chance",
            type=click.FloatRange(0, 1),
            default=default.chance,
            show_default=True,
            metavar="PART",
            help="Weight of the search's estimate in the label of the winner.",
        ),
        options.seed_option("the first weights and the order of the samples"),
    )


def _settings(default: FitSettings, **values: Any) -> FitSettings:
    """Return the settings. Raise UsageError if one is out of range."""
    try:
        return replace(default, **values)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def shape_of_start(settings: FitSettings, start: Net | None) -> FitSettings:
    """Return the settings with the shape of the start net, unless a shape was given."""
    if start is None or not options.explicit_options().keys().isdisjoint({"blocks", "channels"}):
        return settings
    return replace(settings, blocks=start.blocks, channels=start.channels)


@contextmanager
def learning(place: Path) -> Iterator[None]:
    """Turn an error of a run that writes to `place` into InputError or FailedError."""
    with reading(), storing(place):
        yield


# `hsearch learn fit`.


@command(
    "fit",
    "hsearch learn fit games/ --resume first/",
    "hsearch learn fit games/ others/ --resume second/ --blocks 6 --channels 64 --epochs 20",
    "hsearch learn fit games/ --resume new/ --start mine.net --epochs 4 --rate 0.0005 --chance 0.5",
)
@click.argument("folders", nargs=-1, required=True, type=options.FOLDER, metavar="GAMES...")
@options.resume_option(
    required=True,
    kind=options.OUT_FOLDER,
    metavar="FOLDER",
    help="Store the net in FOLDER, and resume from it.",
)
@click.option(
    "--start",
    type=NET,
    metavar="NET",
    help="A net to continue from; its shape is kept.",
)
@device_options
@fit_options()
@json_option()
def learn_fit(  # noqa: PLR0913 - one per option
    *,
    folders: tuple[Path, ...],
    resume: Path,
    start: Path | None,
    threads: int,
    device: str,
    settings: FitSettings,
    as_json: bool,
) -> None:
    """Fit a net to the games in folders of `hsearch learn play` and `hsearch learn cycle`.

    It learns which moves the search preferred, who was proved to win, and where. Every
    tenth game is held out, to measure the accuracy of the net after each epoch. FOLDER
    gets net.npz, the net, and state.npz, from which the same command resumes, to the
    same net.
    """
    if not is_installed():
        raise FailedError(NEEDED)
    start_time = time.monotonic()
    with learning(resume):
        net = None if start is None else read_net(start)
        with reading():
            samples = _samples(folders)
        with working("fitting", 1.0) as work:

            def report(steps: Steps) -> None:
                work.update(steps.done / steps.total)
                if steps.epochs:
                    work.say(f"fitting: {_sentence(steps.epochs[-1])}")

            result = fit(
                samples,
                shape_of_start(settings, net),
                resume,
                start=net,
                threads=threads,
                device=device,
                on_progress=report,
            )
    path = resume / "net.npz"
    if as_json:
        print_object(
            {
                "schema": "hsearch/learn-fit/1",
                "net": str(path),
                "key": result.net.key,
                "resumed": result.epochs_before,
                "epochs": [asdict(epoch) for epoch in result.epochs],
                "seconds": round(time.monotonic() - start_time, 3),
            }
        )
        return
    was = f", {result.epochs_before} of them were there" if result.epochs_before else ""
    sentences = [_sentence(epoch) for epoch in result.epochs]
    say(
        [*sentences, f"{path}: {quantity(len(sentences), 'epoch')}{was}; key {result.net.key[:8]}."]
    )


def _samples(folders: tuple[Path, ...]) -> list[Samples]:
    """Return the positions of all games of both kinds; the games are numbered consecutively."""
    samples: list[Samples] = []
    games = 0
    with working("reading games") as work:
        for path in map(folder_of, folders):
            for chunk in learning_games.ChunkFolder(path).chunks():
                samples += learning_games.samples_of(chunk, first_game=games)
                games += chunk.origin.games
                work.say(f"reading games: {games}")
            for file in sorted(path.glob(side_by_side.PATTERN)):
                arrays = side_by_side.read_games(file)
                samples.append(side_by_side.samples_of(arrays, games))
                games += arrays.length.size
                work.say(f"reading games: {games}")
    return samples


def _sentence(epoch: Epoch) -> str:
    """Return the result of an epoch in words."""
    score = epoch.apart
    if score is None:
        return f"epoch {epoch.number}: loss {epoch.learned:.3f}, and no games were held out"
    return (
        f"epoch {epoch.number}: loss {epoch.learned:.3f}; in {score.positions} held-out "
        f"positions the move is the net's first choice in {score.first:.1%}, among its five in "
        f"{score.five:.1%}, and the winner is right in {score.winner:.1%}"
    )


# `hsearch learn patterns`: weights of patterns that learn from a net.


@command(
    "patterns",
    "hsearch learn patterns small.npz --games 40 --size 5",
    "hsearch learn patterns others.npz --games 20 --size 5 --size 6 --epochs 2 --jobs 2",
)
@click.argument("file", type=options.OUT)
@options.number_option(
    "--games", most=1_000_000_000, default=2000, help="Games of the net, in all."
)
@boards_option("a hundred")
@net_option("The net to learn from; by default the bundled one.")
@int8_option()
@options.number_option("--epochs", most=10_000, default=5, help="Passes over all positions.")
@options.number_option("--threads", most=1024, default=1, help="Threads to train with.")
@options.seed_option()
@options.resume_option(
    kind=options.OUT_FOLDER,
    metavar="FOLDER",
    help="Store the lessons in FOLDER, and resume from them.",
)
@takes_machines("Run the net", "Processes that run the net; the patterns do not depend on it.")
@json_option()
def patterns(  # noqa: PLR0913 - one per option
    *,
    file: Path,
    games: int,
    boards: tuple[Board, ...],
    net_file: Path | None,
    epochs: int,
    threads: int,
    int8: bool,
    seed: int,
    resume: Path | None,
    machines: Machines,
    as_json: bool,
) -> None:
    """Train patterns of the stones around a cell from a net, and write them to FILE.

    The net plays games without search, and predicts good moves and the winner at each
    position. The patterns play with `tree:patterns=FILE`, many times as fast as the net.
    Of every 2,000 games the last 100 are held out, to measure the accuracy. This needs
    torch: the extra `learn`.
    """
    if not is_installed():
        raise FailedError(NEEDED)
    if int8 and not eight_bits.is_installed():
        raise FailedError(eight_bits.NEEDED)
    start_time = time.monotonic()
    with learning(file), sole_writer(file):
        if not file.parent.is_dir():
            raise InputError(f"{file.parent}: no such folder")
        make_folder(file.resolve().parent)  # fail now, not after hours
        if file.exists():
            read_patterns(file)  # overwrite nothing but patterns
        with machines.workers() as workers, working("asking", 1.0) as work:
            result, score = pattern_learning.learn(
                pattern_learning.PatternRun(boards, games, seed, epochs, int8),
                _net(net_file),
                keep=resume,
                workers=workers,
                threads=threads,
                on_progress=work.step,
            )
        write_patterns(file, result)
    positions, seconds = result.record["positions"], time.monotonic() - start_time
    if as_json:
        print_object(
            {
                "schema": "hsearch/learn-patterns/1",
                "patterns": str(file),
                "key": result.key,
                "positions": positions,
                "apart": asdict(score),
                "seconds": round(seconds, 3),
            }
        )
        return
    say(
        [
            f"{file}: {quantity(positions, 'position')} in {seconds:.1f} s, {_accuracy(score)}.",
            f"Key {result.key[:8]}; they play with tree:patterns={file}",
        ]
    )


def _accuracy(score: pattern_learning.PatternScore) -> str:
    """Return how often the patterns agree with the net, as the end of a sentence."""
    if not score.positions:
        return "no games were held out"
    return (
        f"in {quantity(score.positions, 'held-out position')} {score.first:.1%} of the first "
        f"choices and {score.winner:.1%} of the winners are the net's"
    )


def _net(path: Path | None) -> Net:
    """Return the net to learn from. Raise InputError if there is none."""
    if path is not None:
        return read_net(path)
    try:
        return shipped_net()
    except ValueError as error:
        raise InputError(f"{error}: name one with --net") from None
