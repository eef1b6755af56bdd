"""`hsearch learn gate`: whether a net is better than another, by games and by proofs."""

from functools import partial
from pathlib import Path

import click

from hsearch.board import Board
from player.cli.learn_options import int8_option
from player.cli.many_games import Play, opened, takes_workers
from player.console.command import command
from player.console.errors import InputError
from player.console.option import number_option, out_folder_option
from player.console.output import json_option, print_object, say
from player.console.progress import working
from player.console.screen import make_folder
from player.experiment.duel import DuelResults
from player.learn.gate import Gate, gate_event, rows_path
from player.learn.verdicts import verdicts
from player.net import NetError, read_net
from player.net.int8 import NEEDED, is_installed
from player.numbers import numbered
from player.statistics import elo_interval, share
from player.tree import net_alone

NET = click.Path(exists=True, dir_okay=False)
SIDES = (9, 11)
PROVED_ON = Board(6, 6)
PROVING = {"simulations": 400, "look_at": 8}  # of the tree whose proofs are checked


@command(
    "gate",
    "hsearch learn gate mine.net --games 400",
    "hsearch learn gate second.net --against first.net --size 11",
)
@click.argument("net", type=NET)
@click.option(
    "--against", type=NET, metavar="NET", help="Another net; by default the player has none."
)
@click.option(
    "--size",
    "sides",
    type=click.Choice(["8", "9", "10", "11"]),
    multiple=True,
    help="The boards; by default 9 and 11.",
)
@number_option(
    "--simulations", most=1_000_000, default=400, help="Simulations a move, for both players."
)
@number_option("--games", most=1_000_000, default=2000, help="Most games on each board.")
@number_option(
    "--positions", least=0, default=100, help="Positions on 6x6 whose proofs the solver checks."
)
@number_option("--seed", least=0, default=0, help="Random seed.")
@int8_option("nets")
@out_folder_option("--folder", default=Path(), help="Folder of the results; here by default.")
@json_option()
@takes_workers
def gate(  # noqa: PLR0913 - an option each
    *,
    net: str,
    against: str | None,
    sides: tuple[str, ...],
    simulations: int,
    games: int,
    positions: int,
    seed: int,
    int8: bool,
    folder: Path,
    as_json: bool,
    play: Play,
) -> None:
    """Let the player `tree` with the net of a file meet itself with another.

    A net passes when on each board a sequential test finds it better, and when all
    that the tree proves with it, in 400 simulations a position, is what the solver
    says. The exit code is 0 then, 1 otherwise. Results are stored game by game; the
    same command resumes.
    """
    if int8 and not is_installed():
        raise InputError(NEEDED)
    try:
        settings = net_alone(read_net(Path(net)), **PROVING, int8=int8)
        event = partial(gate_event, simulations=simulations, seed=seed, int8=int8)
        events = [
            event(side, net, against or "none") for side in dict.fromkeys(map(int, sides)) or SIDES
        ]
        gates = [
            Gate(opened(rows_path(folder, each.columns), each, "--folder FOLDER"), games)
            for each in events
        ]
    except (NetError, ValueError) as error:
        raise InputError(str(error)) from error
    make_folder(folder)
    for each in gates:
        each.run(play)
    compared = differ = 0
    with working("proofs", positions, unit="positions") as work:
        for number, told in enumerate(verdicts(PROVED_ON, settings, positions), 1):
            compared += len(told)
            differ += sum(not each.is_same for each in told)
            work.done(number)
    is_passed = differ == 0 and all(each.is_passed for each in gates)
    if as_json:
        boards = [_duel_object(each) for each in gates]
        print_object({"passed": is_passed, "boards": boards, "proofs": compared, "differ": differ})
    else:
        say(
            [
                *map(_sentence, gates),
                f"{numbered(compared, 'proof')} on {PROVED_ON}: {differ} differ from the solver's.",
                "The net passes." if is_passed else "The net does not pass.",
            ]
        )
    if not is_passed:
        click.get_current_context().exit(1)


def _won(found: DuelResults, net: str) -> int:
    return found.won if found.better == net else found.games - found.won


def _duel_object(each: Gate) -> dict[str, object]:
    """Return the games on a board as JSON has them."""
    found, event = each.duel, each.rows.event
    return {
        "size": event.columns,
        "won": _won(found, event.players[0]),
        "games": found.games,
        "passed": each.is_passed,
    }


def _sentence(each: Gate) -> str:
    """Return in words what the games on a board say."""
    found, event = each.duel, each.rows.event
    won = _won(found, event.players[0])
    if not found.games:
        return f"{event.board}: no games."
    part, points = share(won, found.games), elo_interval(won, found.games)
    verdict = {True: "better", False: "not better", None: "not clear yet"}[each.is_passed]
    return (
        f"{event.board}: {won} of {numbered(found.games, 'game')} won "
        f"({part.low:.3f} to {part.high:.3f}; Elo {points.low:+.0f} to {points.high:+.0f}): "
        f"{verdict}."
    )
