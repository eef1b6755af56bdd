"""`hsearch learn`: games to learn from, a net that learns, and whether it is better.

This module has `play`, `cycle` and `gate`.
"""

import time
from collections import Counter
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import click

from hsearch.hex import Board
from hsearch.render.text import quantity
from player.cli import learn_fit
from player.console import options
from player.console.command import FailedError, command, group
from player.console.events import open_rows, takes_play
from player.console.games import Machines, takes_machines
from player.console.output import json_option, print_object, say
from player.console.screen import make_folder, working
from player.engine.tournament import Duel, PlayRows
from player.evaluate.int8 import NEEDED, is_installed
from player.evaluate.net import read_net
from player.evaluate.policy import PolicyNet, read_any_net
from player.search.tree import TreeSettings, net_alone
from player.study import learning as study
from player.study.cycle import CycleSettings, Generation
from player.study.fitting import FitSettings
from player.study.learning_games import ChunkFolder, SelfPlayRun, run
from player.study.side_by_side import PlaySettings
from player.work.statistics import elo_interval, share


@command(
    "play",
    "hsearch learn play games/ --games 2 --size 5",
    "hsearch learn play others/ --games 4 --size 6 --size 5 --seed 1 --jobs 2",
)
@click.argument("folder", type=options.PlainPath(path_type=Path))
@options.number_option(
    "--games", most=1_000_000_000, default=1000, help="Games in all, with those already played."
)
@learn_fit.boards_option("fifty")
@options.number_option("--simulations", most=1_000_000, default=400, help="Simulations a move.")
@learn_fit.net_option("Asked in place of playouts; by default none.")
@learn_fit.int8_option()
@options.seed_option()
@takes_machines("Play", "Processes; the games do not depend on it.")
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
    machines: Machines,
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
    with learn_fit.learning(folder):
        net = None if net_file is None else read_net(net_file)
        plan = SelfPlayRun(boards, games, simulations, seed, net, int8)
        chunks = ChunkFolder(folder)
        with (
            machines.workers() as workers,
            working("playing", games, unit="games") as work,
        ):
            before = run(plan, chunks, workers=workers, on_progress=work.update)
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


# `hsearch learn cycle`: a net plays against itself and learns from the games, in turn.

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
@click.argument("folder", type=options.OUT_FOLDER)
@learn_fit.boards_option("an equal share of the")
@click.option("--start", type=learn_fit.NET, metavar="NET", help="A net to start from.")
@options.number_option(
    "--at-once", most=1_000_000, default=256, help="Games played at once, on all boards."
)
@options.gather(
    "terms",
    dict,
    options.number_option(
        "--generations", most=100_000, default=DEFAULT.generations, help="Generations in all."
    ),
    options.number_option(
        "--positions",
        most=100_000_000,
        default=DEFAULT.positions,
        help="Searched positions of a generation.",
    ),
    options.number_option(
        "--window", most=1000, default=DEFAULT.window, help="Generations to learn from."
    ),
    click.option(
        "--reuse",
        type=click.FloatRange(0, 100, min_open=True),
        default=DEFAULT.reuse,
        show_default=True,
        metavar="X",
        help="How often a position is learned from, on average.",
    ),
)
@options.gather(
    "play",
    PlaySettings,
    options.number_option(
        "--simulations", most=1000, default=PLAY.simulations, help="Simulations a searched move."
    ),
    options.number_option(
        "--weighed", most=64, default=PLAY.weighed, help="Moves that a search begins with."
    ),
)
@learn_fit.fit_options(FIT, epochs=False)
@options.time_option(least=1, help="End the run after so long; the learning rate falls until then.")
@learn_fit.device_options
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
    graphics card hundreds of times as fast as one core. FOLDER gets net.npz, the
    net, state.npz, from which the same command resumes, and the games of each
    generation. A net to start from with another shape plays until the new one
    predicts the games better. This needs torch: the extra `learn`.
    """
    if not study.is_installed():
        raise FailedError(study.NEEDED)
    with learn_fit.learning(folder):
        first = None if start is None else read_net(start)
        seats, fit = _seats(boards, at_once), learn_fit.shape_of_start(settings, first)
        run = CycleSettings(seats=seats, play=play, fit=fit, **terms)
        with working("learning", 1.0) as work:
            results = study.cycle(
                folder,
                run,
                start=first,
                device=device,
                threads=threads,
                seconds=seconds,
                on_progress=work.step,
            )
    path = folder / "net.npz"
    if as_json:
        rows = list(map(asdict, results))
        thing = {"schema": "hsearch/learn-cycle/1", "net": str(path), "generations": rows}
        print_object(thing)
        return
    say([*map(_generation_sentence, results), f"{path}: {quantity(len(results), 'generation')}."])


def _seats(boards: tuple[Board, ...], at_once: int) -> dict[int, int]:
    """Return the games at once by side of the board. Raise UsageError if one is not square."""
    for board in boards:
        if board.columns != board.rows:
            raise click.UsageError(f"--size {board.columns}x{board.rows}: square boards only")
    counts = Counter(board.rows for board in boards)
    return {side: max(1, at_once * count // len(boards)) for side, count in sorted(counts.items())}


def _generation_sentence(generation: Generation) -> str:
    """Return the result of a generation in words."""
    accuracy, who = generation.before, "" if generation.by_learner else ", played by the first net"
    return (
        f"generation {generation.number}: {quantity(generation.games, 'game')}{who}, "
        f"{quantity(generation.positions, 'position')}; before learning, the move was the net's "
        f"first choice in {accuracy.first:.1%}, the winner right in {accuracy.winner:.1%}"
    )


# `hsearch learn gate`: whether a net is better than another, by games and by proofs.

GATE_NET = options.PlainPath(exists=True, dir_okay=False)
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
@options.number_option(
    "--simulations", most=1_000_000, default=400, help="Simulations a move, for both players."
)
@options.number_option("--games", most=1_000_000, default=2000, help="Most games on each board.")
@options.number_option(
    "--positions", least=0, default=100, help="Positions on 6x6 whose proofs the solver checks."
)
@options.seed_option()
@learn_fit.int8_option("nets")
@options.resume_option(
    kind=options.OUT_FOLDER,
    metavar="FOLDER",
    default=Path(),
    help="Store the results in FOLDER, and resume from it; here by default.",
)
@json_option()
@takes_play
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
    """Play `tree` with the net in a file against `tree` with another net.

    A net passes when on each board a sequential test finds it better, and when all
    that the tree proves with it, in 400 simulations a position, agrees with the
    solver. The exit code is 0 then, 1 otherwise. A policy net in ONNX plays on its own
    board alone, and no proofs are compared. Results are stored game by game; the same
    command resumes.
    """
    if int8 and not is_installed():
        raise FailedError(NEEDED)
    with learn_fit.learning(resume):
        first, *others = (read_any_net(Path(each)) for each in (net, against) if each is not None)
        settings = net_alone(first, **PROVING, int8=int8)
        event = partial(study.gate_event, simulations=simulations, seed=seed, int8=int8)
        policy_nets = [each for each in (first, *others) if isinstance(each, PolicyNet)]
        usual = [each.side for each in policy_nets] or SIDES
        boards = [Board(side) for side in dict.fromkeys(map(int, sides or usual))]
        for policy_net, board in product(policy_nets, boards):
            policy_net.expect(board)
        events = [event(board.columns, net, against or "none") for board in boards]
        gates = [
            study.Gate(open_rows(study.rows_path(resume, each.columns), each), games)
            for each in events
        ]
    make_folder(resume)
    for each in gates:
        each.run(play)
    # A policy net does not play on PROVED_ON.
    proofs, differ = _compare_proofs(settings, 0 if isinstance(first, PolicyNet) else positions)
    is_passed = differ == 0 and all(each.is_passed for each in gates)
    if as_json:
        duels = [_duel_object(each) for each in gates]
        thing = {"schema": "hsearch/learn-gate/1", "passed": is_passed, "boards": duels}
        print_object(thing | {"proofs": proofs, "differ": differ})
    else:
        say(
            [
                *map(_gate_sentence, gates),
                f"{quantity(proofs, 'proof')} on {PROVED_ON}: {differ} differ from the solver's.",
                "The net passes." if is_passed else "The net does not pass.",
            ]
        )
    if not is_passed:
        click.get_current_context().exit(1)


def _compare_proofs(settings: TreeSettings, positions: int) -> tuple[int, int]:
    """Return how many proofs of the tree the solver examined, and how many it contradicts."""
    proofs = differ = 0
    with working("proofs", positions, unit="positions") as work:
        for number, verdict in enumerate(study.verdicts(PROVED_ON, settings, positions), 1):
            proofs += len(verdict)
            differ += sum(not each.is_same for each in verdict)
            work.update(number)
    return proofs, differ


def _count_wins(duel: Duel, net: str) -> int:
    return duel.wins if duel.better == net else duel.games - duel.wins


def _duel_object(each: study.Gate) -> dict[str, object]:
    """Return the games on a board as a JSON object."""
    duel, event = each.duel, each.rows.event
    return {
        "size": event.columns,
        "won": _count_wins(duel, event.players[0]),
        "games": duel.games,
        "passed": each.is_passed,
    }


def _gate_sentence(each: study.Gate) -> str:
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


for _command in (play, learn_fit.learn_fit, learn_cycle, gate, learn_fit.patterns):
    learn.add_command(_command)
