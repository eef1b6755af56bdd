"""`hsearch chance`: the chances by the net, a tree or E, and how well they fit other games."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from hsearch.formats import read_shipped, strict
from player.console import options
from player.console.command import FailedError, command, wrong_spec
from player.console.output import say
from player.console.screen import Screen, draws, working, write_file
from player.engine.classic import OwnClassPlayer
from player.engine.player import PlayerError
from player.engine.self_play import PLAYED_BY, SIDES, SelfPlay, fit, play_games, write
from player.engine.spec import player as player_named
from player.engine.tree import TreePlayer
from player.evaluate.chance import FILES
from player.work.naming import FileError, SpecError


@command(
    "chance",
    "hsearch chance",
    "hsearch chance --by circuits",
    "hsearch chance --by circuits --fit mine.json --games 3 --apart 2 --player hexy:level=1",
)
@options.choice_option(
    "--by",
    "source",
    words=sorted(FILES),
    default="net",
    help="Who estimates: the net, the tree where it searches, or E of the circuits.",
)
@options.out_option(
    "--fit",
    "out",
    writes=options.FIT,
    help="Play games, fit the chance to them, and write it into the file OUT.",
)
@options.number_option("--games", default=200, help="Games to which the chance is fitted.")
@options.number_option(
    "--apart", default=100, help="Further games, on which the fitted chance is checked."
)
@click.option(
    "--player",
    help="Who plays against itself; by default `tree` with 100 simulations, or `hexy:level=4`.",
)
@options.seed_option()
@options.processes_option(
    "workers", most=64, help="Processes that play; the result does not depend on it."
)
@draws
def chance(  # noqa: PLR0913 - one per option
    *,
    source: str,
    out: Path | None,
    games: int,
    apart: int,
    player: str | None,
    seed: int,
    workers: int,
    screen: Screen,
) -> None:
    """Show how the chance of the player to move is estimated, and how well that holds.

    The chance is an estimate of games between equals; it was fitted to games
    that the engine played against itself, and is compared with what happened in
    games kept apart from the fit.
    """
    for name, option in options.explicit_options().items():
        if out is None and name not in {"source", "screen"}:
            raise click.UsageError(f"{option} needs --fit")
    if out is not None:
        play = SelfPlay(player or PLAYED_BY[source], SIDES[source], seed, source)
        try:
            _check_player(play)
        except SpecError as error:
            if isinstance(error, FileError):
                raise wrong_spec(error) from None
            raise click.BadParameter(str(error), param_hint="--player") from None
        number = games + apart
        samples = []
        try:
            with working("chance", number, unit="games") as work:
                for game in play_games(play, number, workers):
                    samples.append(game)
                    work.update(len(samples))
        except PlayerError as error:
            raise FailedError(str(error)) from error
        try:
            text = write(fit(play, samples, games))
        except ValueError as error:
            raise FailedError(f"{error}: play more games") from error
    else:
        text = read_shipped(FILES[source])
    _show(strict.read(text, dict[str, Any]), screen)
    if out is not None:  # after the answer: a full disk must not lose it
        write_file(out, text)


def _check_player(play: SelfPlay) -> None:
    """Raise SpecError if there is no such player, UsageError if it has no tree to be fitted."""
    with closing(player_named(play.player)) as player:
        if play.source == "tree" and not isinstance(player, TreePlayer | OwnClassPlayer):
            raise click.UsageError(
                f"{play.player} searches no tree, which --by tree fits: choose a --player such as "
                "tree or level:7"
            )


def _show(thing: dict[str, Any], screen: Screen) -> None:
    weights, origin, apart = thing["weights"], thing["fit"], thing["apart"]
    source = origin.get("source", "circuits")
    is_e = source == "circuits"
    value = "E as that player sees it" if is_e else f"the logit of the {source}'s own chance"
    say(
        [
            "chance of the player to move = 1 / (1 + exp(-x)),",
            f"x = {_terms(weights, 'tempo')} + ({_terms(weights, 'slope')}) e,",
            "where p is the part of the cells that hold stones, l the side over 11, less 1",
            f"(7 to 13), and e is {value}.",
            "",
        ]
    )
    sides = ", ".join(f"{side}x{side}" for side in origin["sides"])
    say(
        [
            (
                f"Fitted to {origin['positions']} open positions of {origin['games']} games of "
                f"{origin['player']} against itself on {sides}, seed {origin['seed']}."
            ),
            f"In {apart['games']} other games:",
            "",
        ]
    )
    rows = [("{:.1f} to {:.1f}".format(*one["chance"]), one) for one in apart["calibration"]]
    _print_table("chance", rows, screen)
    for name, form in (("side", "{0}x{0}"), ("phase", "from {} on")):
        if name in apart:
            say(["", "Of the player who is thought to win:", ""])
            rows = [(form.format(one["from"]), one) for one in apart[name]]
            _print_table(name, rows, screen)
    bits = ", ".join(f"{value:.3f} with {terms}" for terms, value in apart["bits"].items())
    say(["", f"Bits a position there, 1 is no knowledge at all: {bits}."])


def _terms(weights: dict[str, float], name: str) -> str:
    """Return a weight with its terms in phase (p) and side (l), such as `+0.3 +2.4 p`."""
    parts = [(weights[name], ""), (weights[f"{name}_phase"], " p")]
    parts += [(weights.get(f"{name}_side", 0.0), " l")]
    return " ".join(f"{value:+}{letter}" for value, letter in parts if value) or "0"


def _print_table(first: str, kinds: list[tuple[str, dict[str, Any]]], screen: Screen) -> None:
    """Print the predicted and observed shares of wins, a row for each kind of position."""
    rows = []
    for name, one in kinds:
        least, most = one["interval"]
        counts = (str(one[key]) for key in ("positions", "games"))
        shares = (f"{one[key]:.3f}" for key in ("predicted", "observed"))
        rows.append((name, *counts, *shares, f"{least:.3f} to {most:.3f}"))
    headings = (first, "positions", "games", "predicted", "observed", "95 %")
    screen.table(headings, rows, left={first})
