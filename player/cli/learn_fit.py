"""`hsearch learn fit`: a net that learns from games."""

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from player.cli.learn_options import NET
from player.console.command import command
from player.console.errors import FailedError, InputError
from player.console.gather import gather
from player.console.option import FOLDER, number_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.learn.chunk import ChunkError, samples_of
from player.learn.fit import NEEDED, fit, is_installed
from player.learn.fitting import Epoch, FitSettings, FittedNet, Steps
from player.learn.folder import ChunkFolder, ChunkFolderError
from player.learn.samples import Samples
from player.net import Net, NetError, read_net
from player.net.weights import MOST_BLOCKS, MOST_CHANNELS
from player.numbers import numbered

DEFAULT = FitSettings()


def _made(**values: Any) -> FitSettings:
    """Return the settings. Raise UsageError when one is out of range."""
    try:
        return FitSettings(**values)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


_settings = gather(
    "settings",
    _made,
    number_option(
        "--blocks",
        most=MOST_BLOCKS,
        default=DEFAULT.blocks,
        help="Residual blocks of two convolutions.",
    ),
    number_option(
        "--channels",
        most=MOST_CHANNELS,
        default=DEFAULT.channels,
        help="Channels, a multiple of 8.",
    ),
    number_option("--epochs", most=10_000, default=DEFAULT.epochs, help="Passes over all samples."),
    number_option(
        "--batch", most=65_536, default=DEFAULT.batch, help="Positions in a training step."
    ),
    click.option(
        "--rate",
        type=float,
        default=DEFAULT.rate,
        show_default=True,
        metavar="R",
        help="The highest learning rate.",
    ),
    click.option(
        "--chance",
        type=float,
        default=DEFAULT.chance,
        show_default=True,
        metavar="PART",
        help="Weight of the search's estimate in the label of the winner, 0 to 1.",
    ),
    number_option("--seed", least=0, default=0, help="Seed of the first weights and of the order."),
)


@command(
    "fit",
    "hsearch learn fit games/ --into first/",
    "hsearch learn fit games/ others/ --into second/ --blocks 6 --channels 64 --epochs 20",
    "hsearch learn fit games/ --into third/ --start mine.net --epochs 4 --rate 0.0005 --chance 0.5",
)
@click.argument("folders", nargs=-1, required=True, type=FOLDER, metavar="GAMES...")
@click.option(
    "--into",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the net is kept.",
)
@click.option(
    "--start",
    type=NET,
    metavar="NET",
    help="A net to continue from; its shape is kept.",
)
@number_option("--threads", most=1024, default=1, help="Of the processor.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="Where torch computes.",
)
@_settings
@json_option()
def learn_fit(  # noqa: PLR0913 - an option each
    *,
    folders: tuple[Path, ...],
    into: Path,
    start: Path | None,
    threads: int,
    device: str,
    settings: FitSettings,
    as_json: bool,
) -> None:
    """Fit a net to the games in folders that `hsearch learn play` has filled.

    It learns which moves the search preferred, who was proved to win, and where. Every
    tenth game is held out, to measure the accuracy of the net after each epoch. FOLDER
    gets net.npz, the net, and state.npz, from which the same command resumes, to the
    same net.
    """
    if not is_installed():
        raise InputError(NEEDED)
    begun = time.monotonic()
    try:
        net = None if start is None else read_net(start)
        samples = _samples(folders)
        fitted = _fitted(samples, _shaped(settings, net), into, net, threads, device)
    except (ChunkFolderError, ChunkError, NetError) as error:
        raise InputError(str(error)) from error
    except OSError as error:
        raise FailedError(f"{error.filename or into}: {error.strerror or error}") from error
    path = into / "net.npz"
    if as_json:
        print_object(
            {
                "net": str(path),
                "key": fitted.net.key,
                "resumed": fitted.resumed,
                "epochs": [asdict(epoch) for epoch in fitted.epochs],
                "seconds": round(time.monotonic() - begun, 3),
            }
        )
        return
    was = f", {fitted.resumed} of them were there" if fitted.resumed else ""
    told = [_sentence(epoch) for epoch in fitted.epochs]
    say([*told, f"{path}: {numbered(len(told), 'epoch')}{was}; key {fitted.net.key[:8]}."])


def _shaped(settings: FitSettings, start: Net | None) -> FitSettings:
    """Return the settings in the shape of the net to start from, unless a shape was asked for."""
    asked = click.get_current_context().get_parameter_source
    is_asked = any(asked(name) is not ParameterSource.DEFAULT for name in ("blocks", "channels"))
    if start is None or is_asked:
        return settings
    return replace(settings, blocks=start.blocks, channels=start.channels)


def _samples(folders: tuple[Path, ...]) -> list[Samples]:
    """Return what all games have to teach; the games are numbered through."""
    found: list[Samples] = []
    games = 0
    with working("reading games") as work:
        for path in folders:
            for chunk in ChunkFolder(path).chunks():
                found += samples_of(chunk, first_game=games)
                games += chunk.origin.games
                work.say(f"reading games: {games}")
    return found


def _fitted(
    samples: list[Samples],
    settings: FitSettings,
    into: Path,
    start: Net | None,
    threads: int,
    device: str,
) -> FittedNet:
    """Fit, while a bar tells how far it is. Raise InputError when that cannot be."""
    with working("fitting", 1.0) as work:

        def told(steps: Steps) -> None:
            work.done(steps.done / steps.total)
            if steps.epochs:
                work.say(f"fitting: {_sentence(steps.epochs[-1])}")

        try:
            return fit(
                samples,
                settings,
                into,
                start=start,
                threads=threads,
                device=device,
                on_progress=told,
            )
        except ValueError as error:
            raise InputError(str(error)) from error


def _sentence(epoch: Epoch) -> str:
    """Return in words what an epoch came to."""
    score = epoch.apart
    if score is None:
        return f"epoch {epoch.number}: loss {epoch.learned:.3f}, and no games apart"
    return (
        f"epoch {epoch.number}: loss {epoch.learned:.3f}; of {score.positions} positions apart "
        f"{score.first:.1%} first choices, {score.five:.1%} in five, {score.winner:.1%} winners"
    )
