"""`hsearch chance`: what E means as a chance, how that was found, and how well it holds."""

from pathlib import Path
from typing import Any

import click

from hsearch.formats import strict
from hsearch.formats.shipped import shipped
from player.console.command import FailedError, command
from player.console.options import FIT, number_option, out_option, processes_option
from player.console.output import say
from player.console.screen import Screen, draws, working, write_file
from player.engine.self_play import PLAYER, SIDES, SelfPlay, fit, played, write
from player.evaluate.chance import FILE


@command(
    "chance",
    "hsearch chance",
    "hsearch chance --fit mine.json --games 3 --apart 2 --player hexy:level=1",
)
@out_option(
    "--fit",
    "out",
    writes=FIT,
    help="Play games, fit the chance to them, and write it into the file OUT.",
)
@number_option("--games", default=200, help="To fit it to.")
@number_option("--apart", default=100, help="More, to hold it to.")
@click.option("--player", default=PLAYER, show_default=True, help="Who plays against itself.")
@number_option("--seed", least=0, default=0, help="Random seed.")
@processes_option("workers", most=64, help="Processes that play; the result does not depend on it.")
@draws
def chance(  # noqa: PLR0913 - an option each
    *,
    out: Path | None,
    games: int,
    apart: int,
    player: str,
    seed: int,
    workers: int,
    screen: Screen,
) -> None:
    """Tell how E becomes the chance of the player to move, and how well that holds.

    The chance is an estimate of games between equals; it was fitted to games
    that the engine played against itself, and is compared with what happened in
    games kept apart from the fit.
    """
    if out is not None:
        play, number = SelfPlay(player, SIDES, seed), games + apart
        samples = []
        with working("chance", number, unit="games") as work:
            for game in played(play, number, workers):
                samples.append(game)
                work.done(len(samples))
        try:
            text = write(fit(play, samples, games))
        except ValueError as error:
            raise FailedError(f"{error}: play more games") from error
        write_file(out, text)
    else:
        path = shipped(FILE)
        text = "" if path is None else path.read_text(encoding="utf-8")
    _show(strict.read(text, dict[str, Any]), screen)


def _show(thing: dict[str, Any], screen: Screen) -> None:
    from rich.table import Table  # noqa: PLC0415 - slow to import

    weights, fitted, apart = thing["weights"], thing["fit"], thing["apart"]
    say(
        [
            "chance of the player to move = 1 / (1 + exp(-x)),",
            (
                f"x = {weights['tempo']:+} {weights['tempo_phase']:+} p"
                f" + ({weights['slope']:+} {weights['slope_phase']:+} p) e,"
            ),
            "where p is the part of the cells that hold stones, and e is E as that player sees it.",
            "",
        ]
    )
    sides = ", ".join(f"{side}x{side}" for side in fitted["sides"])
    say(
        [
            (
                f"Fitted to {fitted['positions']} open positions of {fitted['games']} games of "
                f"{fitted['player']} against itself on {sides}, seed {fitted['seed']}."
            ),
            f"In {apart['games']} other games:",
            "",
        ]
    )
    table = Table(box=None, pad_edge=False)
    for column in ("chance", "positions", "games", "predicted", "observed", "95 %"):
        table.add_column(column, justify="left" if column == "chance" else "right")
    for one in apart["calibration"]:
        (low, high), (least, most) = one["chance"], one["interval"]
        table.add_row(
            f"{low:.1f} to {high:.1f}",
            str(one["positions"]),
            str(one["games"]),
            f"{one['predicted']:.3f}",
            f"{one['observed']:.3f}",
            f"{least:.3f} to {most:.3f}",
        )
    screen.rich(table)
    bits = ", ".join(f"{value:.3f} with {terms}" for terms, value in apart["bits"].items())
    say(["", f"Bits a position there, 1 is no knowledge at all: {bits}."])
