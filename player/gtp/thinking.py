"""The players of a session, and a move of theirs in time, even if the player does not stop."""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import Limits
from hsearch.hex import Board, Game, Position
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.engine.player import AnyPlayer, Choice, MoveRequest, Player, PlayerError, Rationale
from player.engine.spec import EXTERNAL, participant
from player.evaluate.ordering import nearest_center
from player.search.tree import SearchFindings
from player.work.naming import SpecError


def session_participant(spec: str, variant: str) -> AnyPlayer:
    """Return a player of a variant by its name and options.

    A user's Python file runs inside this process. Raise SpecError if the player is unknown or
    another program, which a line of the protocol must not start.
    """
    if spec.partition(":")[0] == EXTERNAL:
        raise SpecError(f"a session does not start other programs: {spec[:30]!r}")
    return participant(spec, variant)


def prepare(board: Board, spec: str, variant: str) -> None:
    """Compile what a player of a variant and the first analysis need on a board."""
    with suppress(PlayerError):  # raised again when a move is requested
        session_participant(spec, variant).prepare(board)
    ConnectionAnalysis(Game(board).position(), Limits(steps=1)).prepare()


# The player runs in its own thread. When it is interrupted or out of time, the answer
# is the best move that it has reported; a player that does not stop is abandoned.

POLL = 0.01  # seconds until an interruption is noticed
GRACE = 0.05  # seconds for a player to stop
HURRY = 0.01  # seconds; with less, no player is asked


def think(
    player: Player,
    game: Game,
    terms: MoveRequest,
    cancel: threading.Event,
    seed: int = 0,
    show: Callable[[SearchFindings], None] | None = None,
) -> Choice:
    """Return a player's move within `terms.seconds`, or soon after `cancel` is set.

    The game must not be over. The player gets `terms` with another `cancel` and `progress`.
    `show` receives intermediate results, in the calling thread. Exceptions of the player
    are raised here.
    """
    position = game.position()
    if terms.seconds is not None and terms.seconds < HURRY:
        return _fallback(position)
    messages: queue.SimpleQueue[SearchFindings | Choice | Exception] = queue.SimpleQueue()
    stop = Flag()
    own_terms = MoveRequest(terms.seconds, terms.swap, stop, messages.put)
    generator = np.random.default_rng([seed, len(game.moves)])

    def run() -> None:
        try:
            with suppress(Stopped), stopping(stop):
                messages.put(player.choose(game, own_terms, generator))
        except Exception as error:  # noqa: BLE001 - raised again in the waiting thread
            messages.put(error)

    best: Choice | None = None
    deadline = None if terms.seconds is None else time.monotonic() + terms.seconds
    threading.Thread(target=run, name="player", daemon=True).start()
    while deadline is None or time.monotonic() < deadline:
        if cancel.is_set() and not stop.is_set():
            stop.set()
            grace = time.monotonic() + GRACE
            deadline = grace if deadline is None else min(grace, deadline)
        try:
            item = messages.get(timeout=_wait(deadline))
        except queue.Empty:
            continue
        if isinstance(item, Choice):
            return item
        if isinstance(item, Exception):
            raise item
        best = _best_so_far(item) or best
        if show is not None and not stop.is_set():
            show(item)
    stop.set()
    return best or _fallback(position)


def _best_so_far(findings: SearchFindings) -> Choice | None:
    """Return the best move that a search has reported; None if it has none yet."""
    if findings.move is None:
        return None
    rationale = Rationale("The best when time was up.", None, findings.line, None, findings)
    return Choice(findings.move, rationale)


def _wait(deadline: float | None) -> float:
    return POLL if deadline is None else max(0.001, min(POLL, deadline - time.monotonic()))


def _fallback(position: Position) -> Choice:
    """Return the empty cell nearest to the center."""
    cell = nearest_center(position.board, list(position.empty.search(1)))
    return Choice(cell, Rationale("There was no time to think.", line=(cell,)))
