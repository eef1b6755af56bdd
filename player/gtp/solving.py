"""Commands about who wins, by the solver or the simple search `dfs`, and the values of moves.

The line `# interrupt` stops them. After a stop or at the end of its time, a search for the winner
answers what it knows, and a list of winning moves is a failure; a stopped search for the shortest
win fails. The solver keeps its table, so the next search resumes. A failure is a CommandError,
whose message is the reply.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hsearch.connect import Limits
from hsearch.formats.files import whole_or_xz
from hsearch.hex import Cell, Color, Position
from hsearch.kernels.stop import Stopped
from player.answers import moves as answers
from player.answers.memory import MEMORY
from player.answers.objects import wrap_text
from player.answers.shortest import find_shortest, sentences
from player.bidding.advice import fair_bid
from player.bidding.chips import DEFAULT
from player.console.options import is_there
from player.evaluate.exact import count_or_draw
from player.evaluate.fillings import Odds
from player.gtp.arguments import Arguments, at_other_turns, file_errors, mover, pairs
from player.gtp.moves import Live, percent, value, variation
from player.gtp.serving import CommandError
from player.gtp.session import Session
from player.solve.plain import PlainSearch, TriedMove
from player.solve.solver import Answer, Solver, SolverProgress
from player.variants.bidding import BiddingState
from player.work.clock import TimeLeft

UNKNOWN = "unknown"
KNOWN = {True: "W", False: "L"}


def solve_state(session: Session, arguments: Arguments) -> str:
    """Return who wins with a player to move: a color, or `unknown`."""
    winner = _solve(session, arguments.color(0), every=False).winner
    return UNKNOWN if winner is None else winner.word


def find_winning(session: Session, arguments: Arguments) -> str:
    """Return all winning moves of a player. If stopped, fail and name those known."""
    answer = _solve(session, arguments.color(0), every=True)
    if not answer.complete:
        raise _not_all(session, answer.winning_moves)
    return session.board.text(answer.winning_moves)


def plain_solve_state(session: Session, arguments: Arguments) -> str:
    """Return who wins with a player to move, by the simple search."""
    color = arguments.color(0)
    search, position = _plain(session, color), _position(session, color)
    try:
        return search.outcome(position).word
    except Stopped:
        return UNKNOWN


def plain_find_winning(session: Session, arguments: Arguments) -> str:
    """Return all winning moves of a player, by the simple search."""
    color = arguments.color(0)
    if session.winner_on_board is not None:
        return ""
    wins = []
    try:
        for move in _plain(session, color).winning_moves(_position(session, color)):
            wins.append(move)  # noqa: PERF402 - the list is used if the search is stopped
    except Stopped:
        raise _not_all(session, wins) from None
    return session.board.text(wins)


SHORTEST_MEMORY = 200  # megabytes of the table


def shortest(session: Session, arguments: Arguments) -> str:
    """Return who wins with how few stones, and a line against the longest defense."""
    color, seconds = mover(session, arguments), session.settings.solve_time or None
    try:
        win = find_shortest(
            _position(session, color),
            seconds=seconds,
            megabytes=SHORTEST_MEMORY,
            before_swap=session.before_swap(color),
        )
    except ValueError as error:
        raise CommandError(str(error)) from None
    return wrap_text([*at_other_turns(session), *sentences(win)])


def write_proof(session: Session, arguments: Arguments) -> str:
    """Write the proof of who wins to a new file, with the player to move by turns."""
    path, color = arguments.file(), session.state_in_play.position.turn
    with file_errors("write"):
        if is_there(path):
            raise ValueError(f"{path} exists: choose another name")
    # The time limit of the solver: without, the proof of a map's opening may take hours.
    if _solve(session, color, every=False).winner is None:
        raise CommandError("who wins is not proved")
    with file_errors("write"), whole_or_xz(path) as file:
        file.write(MEMORY.proof(_position(session, color)).encode())
    return ""


def _not_all(session: Session, wins: Sequence[Cell]) -> CommandError:
    """Return the failure of a stopped search: as a reply, part of a list would look complete."""
    sentence = f"known to win: {session.board.text(wins)}" if wins else "none is known to win"
    return CommandError(f"stopped before all moves were examined; {sentence}")


def _solve(session: Session, color: Color, *, every: bool) -> Answer:
    position = _position(session, color)
    live = Live(session.position, color, session.call.show)
    seconds = session.settings.solve_time or None

    def show(progress: SolverProgress, solver: Solver) -> None:
        if not progress.line or not live.is_due():
            return
        line = variation(session.board, color, progress.line)
        winners = solver.move_winners(position).items()
        labels = "".join(
            f" {session.board.name(cell)} {KNOWN[won_by is color]}" for cell, won_by in winners
        )
        text = f"proof {progress.proof}, disproof {progress.disproof}, {progress.nodes} nodes"
        live.send(f"dfpn VAR {line} LABEL{labels} TEXT {text}")

    answer, _ = MEMORY.solve(
        position,
        every=every,
        seconds=seconds,
        cancel=session.call.cancel,
        on_progress=show if session.settings.use_guifx else None,
    )
    return answer


def _plain(session: Session, color: Color) -> PlainSearch:
    live = Live(session.position, color, session.call.show)
    seconds = session.settings.solve_time
    time_left = TimeLeft(seconds or None)

    def step(steps: Sequence[TriedMove]) -> None:
        if session.call.cancel.is_set() or time_left.is_up():
            raise Stopped
        if session.settings.use_guifx and steps and live.is_due():
            line = variation(session.board, color, [move for move, _, _ in steps])
            text = " ".join(f"{number}/{count}" for _, number, count in steps)
            live.send(f"solver VAR {line} LABEL TEXT {text}")

    return PlainSearch(Limits(), step)


def _position(session: Session, color: Color) -> Position:
    return replace(session.position, turn=color)


# The values of moves at random turns, and in chips.

CHIPS = 2 * DEFAULT.chips  # of both players together, outside a bidding game


def random_turn(session: Session, arguments: Arguments) -> str:
    """Return a player's chance to win after each move; nothing if the game is over."""
    color = arguments.color(0)
    if session.winner_on_board is not None:
        return ""
    odds = _odds(session)
    chances = ((cell, percent(odds.chance_after(cell, color))) for cell in odds.rank())
    return pairs(session.board, chances)


def bids(session: Session, arguments: Arguments) -> str:
    """Return the fair bid for each cell, the same for both players, in chips of the game."""
    arguments.color(0)
    if session.winner_on_board is not None:
        return ""
    odds, state = _odds(session), session.state
    total = state.chips.total if isinstance(state, BiddingState) else CHIPS
    worth = ((cell, fair_bid(odds, cell, total)) for cell in odds.rank())
    return pairs(session.board, ((cell, str(chips)) for cell, chips in worth))


def _odds(session: Session) -> Odds:
    return count_or_draw(session.position, np.random.default_rng(session.settings.seed))


# The value of a position by circuits, and the chance after each move.

SECONDS = 2.0  # HexGui cannot stop these commands


def resistance(session: Session, arguments: Arguments) -> str:
    """Return the resistances of both circuits, and E."""
    if arguments:
        arguments.color(0)
    both = session.analysis.circuits
    return (
        f"black {both.black.resistance:.4g} white {both.white.resistance:.4g} "
        f"E {both.evaluation:+.4g}"
    )


def _share(value: float) -> str:
    """Return a number from 0 to 999 in at most three characters: `.04`, `1.0`, `12`."""
    if value < 0.995:
        return f"{value:.2f}"[1:]
    return f"{value:.1f}" if value < 9.95 else f"{min(value, 999):.0f}"


def currents(session: Session, arguments: Arguments) -> str:
    """Return the current through each empty cell of a player's circuit, from 0.005 on."""
    both = session.analysis.circuits
    flow = (both.black if arguments.color(0) is Color.BLACK else both.white).flow
    flows = ((cell, float(flow[cell])) for cell in session.position.empty.search(1))
    return pairs(session.board, ((cell, _share(value)) for cell, value in flows if value >= 0.005))


def move_values(session: Session, arguments: Arguments) -> str:
    """Return the chance after each must-play move, weakest links first, as time allows."""
    color = mover(session, arguments)
    if session.winner_on_board is not None:
        return ""
    analysis, options = session.analysis_of(color), session.settings.options()
    values = answers.move_values(analysis, options, SECONDS, session.call.cancel)
    return pairs(session.board, ((each.cell, value(each, color)) for each in values))
