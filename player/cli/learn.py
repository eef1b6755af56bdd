"""`hsearch learn`: games to learn from, a net that learns, and whether it is better.

This module has `play` and `gate`.
"""

import time
from functools import partial
from itertools import product
from pathlib import Path

import click

from hsearch.hex.board import Board
from hsearch.render.text import quantity
from player.cli.learn_cycle import learn_cycle
from player.cli.learn_fit import (
    boards_option,
    int8_option,
    learn_fit,
    learning,
    net_option,
    patterns,
)
from player.cli.tournament import open_rows, takes_workers
from player.console.command import FailedError, command, group
from player.console.games import executor_at
from player.console.options import (
    OUT_FOLDER,
    PlainPath,
    number_option,
    processes_option,
    resume_option,
    seed_option,
)
from player.console.output import json_option, print_object, say
from player.console.screen import make_folder, working
from player.engine.tournament import Duel, PlayRows
from player.net.int8 import NEEDED, is_installed
from player.net.net import read_net
from player.net.policy import PolicyNet, read_any_net
from player.search.tree import net_alone
from player.study.learning import Gate, gate_event, rows_path, verdicts
from player.study.learning_games import ChunkFolder, SelfPlayRun, run
from player.work.statistics import elo_interval, share


@command(
    "play",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn play others/ --games 4 --size 6 --size 5 --seed 1 --jobs 2",
)
@click.argument("folder", type=PlainPath(path_type=Path))
@number_option(
    "--games", most=1_000_000_000, default=1000, help="Games in all, with those already played."
)
@boards_option("fifty")
@number_option("--simulations", most=1_000_000, default=400, help="Simulations a move.")
@net_option("Asked in place of playouts; by default none.")
@int8_option()
@seed_option()
@processes_option("jobs", help="Processes; the games do not depend on it.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster there.")
@json_option()
def play(  # noqa: PLR0913 - one per option
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
        raise FailedError(NEEDED)
    start = time.monotonic()
    with learning(folder):
        net = None if net_file is None else read_net(net_file)
        plan = SelfPlayRun(boards, games, simulations, seed, net, int8)
        chunks = ChunkFolder(folder)
        with (
            executor_at(scheduler, jobs) as (executor, workers),
            working("playing", games, unit="games") as work,
        ):
            before = run(plan, chunks, workers=workers, executor=executor, on_progress=work.update)
    seconds = time.monotonic() - start
    if as_json:
        print_object(
            {
                "schema": "hsearch/learn-play/1",
                "folder": str(folder),
                "games": games,
                "played": games - before,
                "chunks": len(plan.origins()),
                "seconds": round(seconds, 3),
            }
        )
        return
    was = f", of which {before} were there" if before else ""
    took = f"; playing took {seconds:.1f} s" if before < games else ""
    say([f"{folder}: {quantity(games, 'game')}{was}{took}."])


# `hsearch learn gate`: whether a net is better than another, by games and by proofs.

GATE_NET = PlainPath(exists=True, dir_okay=False)
SIDES = (9, 11)
PROVED_ON = Board(6, 6)
PROVING = {"simulations": 400, "look_at": 8}  # settings of the tree whose proofs are checked


@command(
    "gate",
    "hsearch learn gate mine.net --games 400",
    "hsearch learn gate second.net --against first.net --size 11",
)
@click.argument("net", type=GATE_NET)
@click.option(
    "--against", type=GATE_NET, metavar="NET", help="Another net; by default the player has none."
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
@seed_option()
@int8_option("nets")
@resume_option(
    kind=OUT_FOLDER,
    metavar="FOLDER",
    default=Path(),
    help="Store the results in FOLDER, and resume from it; here by default.",
)
@json_option()
@takes_workers
def gate(  # noqa: PLR0913 - one per option
    *,
    net: str,
    against: str | None,
    sides: tuple[str, ...],
    simulations: int,
    games: int,
    positions: int,
    seed: int,
    int8: bool,
    resume: Path,
    as_json: bool,
    play: PlayRows,
) -> None:
    """Let the player `tree` with the net of a file meet itself with another.

    A net passes when on each board a sequential test finds it better, and when all
    that the tree proves with it, in 400 simulations a position, agrees with the
    solver. The exit code is 0 then, 1 otherwise. A policy net in ONNX plays on its own
    board alone, and no proofs are compared. Results are stored game by game; the same
    command resumes.
    """
    if int8 and not is_installed():
        raise FailedError(NEEDED)
    with learning(resume):
        first, *others = (read_any_net(Path(each)) for each in (net, against) if each is not None)
        settings = net_alone(first, **PROVING, int8=int8)
        event = partial(gate_event, simulations=simulations, seed=seed, int8=int8)
        policy_nets = [each for each in (first, *others) if isinstance(each, PolicyNet)]
        usual = [each.side for each in policy_nets] or SIDES
        boards = [Board(side) for side in dict.fromkeys(map(int, sides or usual))]
        for policy_net, board in product(policy_nets, boards):
            policy_net.expect(board)
        events = [event(board.columns, net, against or "none") for board in boards]
        gates = [Gate(open_rows(rows_path(resume, each.columns), each), games) for each in events]
    make_folder(resume)
    for each in gates:
        each.run(play)
    total = differ = 0
    if isinstance(first, PolicyNet):
        positions = 0  # it does not play on PROVED_ON
    with working("proofs", positions, unit="positions") as work:
        for number, verdict in enumerate(verdicts(PROVED_ON, settings, positions), 1):
            total += len(verdict)
            differ += sum(not each.is_same for each in verdict)
            work.update(number)
    is_passed = differ == 0 and all(each.is_passed for each in gates)
    if as_json:
        duels = [_duel_object(each) for each in gates]
        thing = {"schema": "hsearch/learn-gate/1", "passed": is_passed, "boards": duels}
        print_object(thing | {"proofs": total, "differ": differ})
    else:
        say(
            [
                *map(_sentence, gates),
                f"{quantity(total, 'proof')} on {PROVED_ON}: {differ} differ from the solver's.",
                "The net passes." if is_passed else "The net does not pass.",
            ]
        )
    if not is_passed:
        click.get_current_context().exit(1)


def _count_wins(duel: Duel, net: str) -> int:
    return duel.wins if duel.better == net else duel.games - duel.wins


def _duel_object(each: Gate) -> dict[str, object]:
    """Return the games on a board as a JSON object."""
    duel, event = each.duel, each.rows.event
    return {
        "size": event.columns,
        "won": _count_wins(duel, event.players[0]),
        "games": duel.games,
        "passed": each.is_passed,
    }


def _sentence(each: Gate) -> str:
    """Return the result of the games on a board in words."""
    duel, event = each.duel, each.rows.event
    wins = _count_wins(duel, event.players[0])
    if not duel.games:
        return f"{event.board}: no games."
    part, points = share(wins, duel.games), elo_interval(wins, duel.games)
    verdict = {True: "better", False: "not better", None: "not clear yet"}[each.is_passed]
    return (
        f"{event.board}: {wins} of {quantity(duel.games, 'game')} won "
        f"({part.low:.3f} to {part.high:.3f}; Elo {points.low:+z.0f} to {points.high:+z.0f}): "
        f"{verdict}."
    )


# The group of all commands.


@group(
    "learn",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn fit games/ --resume first/",
    "hsearch learn patterns small.npz --games 40 --size 5",
)
def learn() -> None:
    """Make the nets and the patterns that the player `tree` asks.

    The program plays against itself, and H-search proves who has won; a net
    learns to predict good moves and the winner from these games. These commands can be
    stopped, and resume where they stopped. Patterns learn from a net, in minutes.
    """


for _command in (play, learn_fit, learn_cycle, gate, patterns):
    learn.add_command(_command)
