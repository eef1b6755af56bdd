"""Options that the commands of `hsearch learn` share."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from hsearch.hex.board import Board
from player.console.options import Decorator, gather, number_option
from player.console.types import SizeType
from player.net.net import MOST_BLOCKS, MOST_CHANNELS, Net
from player.study.fitting import FitSettings

NET = click.Path(exists=True, dir_okay=False, path_type=Path)
SIZES = ((11, 11), (9, 9))


def boards_option(count: str) -> Decorator:
    """Return the decorator that adds the boards, so many games in turn on each."""
    return click.option(
        "--size",
        "boards",
        type=SizeType(),
        multiple=True,
        callback=_boards,
        help=f"The boards, in turn, {count} games on each; by default 11 and 9.",
    )


def net_option(text: str) -> Decorator:
    """Return the decorator that adds the file of a net."""
    return click.option("--net", "net_file", type=NET, metavar="NET", help=text)


def int8_option(what: str = "the net") -> Decorator:
    """Return the decorator that adds whether a net is asked in eight bits."""
    return click.option(
        "--int8", is_flag=True, help=f"Ask {what} in eight bits (the extra `fast`)."
    )


def _boards(
    _context: click.Context, option: click.Parameter, sizes: tuple[tuple[int, int], ...]
) -> tuple[Board, ...]:
    """Return the boards. Raise BadParameter when there is none of a size."""
    try:
        return tuple(Board(*size) for size in sizes or SIZES)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error


def device_option() -> Decorator:
    """Return the decorator that adds the device of torch."""
    return click.option(
        "--device",
        type=click.Choice(["cpu", "cuda"]),
        default="cpu",
        show_default=True,
        help="Where torch computes.",
    )


def fit_options(default: FitSettings | None = None, *, epochs: bool = True) -> Decorator:
    """Return the decorator that adds the settings of a training; the command gets `settings`."""
    default = default or FitSettings()
    passes = number_option(
        "--epochs", most=10_000, default=default.epochs, help="Passes over all samples."
    )
    return gather(
        "settings",
        partial(_made, default),
        number_option(
            "--blocks",
            most=MOST_BLOCKS,
            default=default.blocks,
            help="Residual blocks of two convolutions.",
        ),
        number_option(
            "--channels",
            most=MOST_CHANNELS,
            default=default.channels,
            help="Channels, a multiple of 8.",
        ),
        *([passes] if epochs else []),
        number_option(
            "--batch", most=65_536, default=default.batch, help="Positions in a training step."
        ),
        click.option(
            "--rate",
            type=float,
            default=default.rate,
            show_default=True,
            metavar="R",
            help="The highest learning rate.",
        ),
        click.option(
            "--chance",
            type=float,
            default=default.chance,
            show_default=True,
            metavar="PART",
            help="Weight of the search's estimate in the label of the winner, 0 to 1.",
        ),
        number_option(
            "--seed", least=0, default=0, help="Seed of the first weights and of the order."
        ),
    )


def _made(default: FitSettings, **values: Any) -> FitSettings:
    """Return the settings. Raise UsageError when one is out of range."""
    try:
        return replace(default, **values)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def shape_of_start(settings: FitSettings, start: Net | None) -> FitSettings:
    """Return the settings in the shape of the net to start from, unless a shape was asked for."""
    asked = click.get_current_context().get_parameter_source
    is_asked = any(asked(name) is not ParameterSource.DEFAULT for name in ("blocks", "channels"))
    if start is None or is_asked:
        return settings
    return replace(settings, blocks=start.blocks, channels=start.channels)
