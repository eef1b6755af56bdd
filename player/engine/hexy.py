"""The HEXY player: proofs first, then alpha-beta by weak links.

In a won position it plays the winning connection move by move, and never lets
go of it. Where no connection decides it asks the solver, and where the solver
has no answer in time it searches. In a lost position it plays where the win
takes longest.
"""

import time
from dataclasses import replace

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.circuit import HEXY
from hsearch.closure import Limits, closure
from hsearch.connection import Connection
from hsearch.decomposition import Knowledge
from hsearch.deduction import expand
from hsearch.game import Game
from hsearch.position import Position
from player.chance import chance_of, per_cent
from player.engine.opening import opening
from player.engine.perfect import Perfect, losing, winning
from player.engine.player import Choice, MoveRequest, Rationale, ahead
from player.engine.strength import Strength
from player.ordering import weak_links
from player.search import SearchResult, Settings, probe_seconds, search
from player.search.hold import WinningStrategy, start
from player.search.line import SearchPosition
from player.search.score import is_loss, is_win

_DEFAULT = Strength()
REMEMBERED = 1000  # won positions
PROBES = 20  # first looks that there has to be time for, before more than the two rules is asked


class HexyPlayer:
    """Remembers, for positions that it won, the connection that it holds."""

    def __init__(self, strength: Strength = _DEFAULT, *, name: str = "hexy") -> None:
        """Play so strong; `name` is what a record calls the player."""
        self.name = name
        self.strength = strength
        self._holds: dict[Position, WinningStrategy] = {}
        self._perfect = Perfect()

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size."""
        line = SearchPosition(Position.of(board), Limits(M=1, K=2), weak_links)
        line.decided_moves()
        line.play(0)
        line.decided_moves()
        if self.strength.solved_within:
            self._perfect.prepare(board)

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return a move: opening or swap, held win, solved win, or the best that a search finds."""
        position, begin = game.position(), time.perf_counter()
        settings = self.strength.settings(position.board)
        found = opening(position, terms) or self._winning(game, position, settings, terms)
        if found is not None:
            return found
        beyond = self._beyond(position, settings, _left(terms, begin))
        if beyond is not None:
            winning_connection = beyond.edge_connection(position.turn)
            if beyond.winner is position.turn and winning_connection is not None:
                return self._taken(position, expand(position, position.turn, winning_connection))
        nodes = self.strength.solved_within
        solved = self._perfect.answer(position, _left(terms, begin), nodes)
        if solved is not None and solved.winner is position.turn:
            return winning(solved)
        among = None if beyond is None else beyond.mustplay.cells
        found = _searched(position, settings, _left(terms, begin), among)
        is_lost = solved is not None or (beyond is not None and beyond.mustplay.is_lost)
        is_new = is_lost and found.account.winner is None
        return losing(position, found) if is_new else found

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _winning(
        self, game: Game, position: Position, settings: Settings, terms: MoveRequest
    ) -> Choice | None:
        """Return the move of a connection that wins; None if none is known."""
        hold, intrusion = self._remembered(game)
        if hold is None:
            if terms.seconds is not None and terms.seconds < probe_seconds(position.board):
                return None
            store = closure(position, position.turn, settings.limits)
            found = next(iter(store.edge_fulls or store.edge_semis), None)
            return None if found is None else self._taken(position, found)
        return self._answer(position, hold, intrusion)

    def _beyond(
        self, position: Position, settings: Settings, terms: MoveRequest
    ) -> Analysis | None:
        """Return what is known beyond the two rules; None if not asked, or without time for it."""
        knowledge, board = self.strength.knowledge, position.board
        is_short = terms.seconds is not None and terms.seconds < PROBES * probe_seconds(board)
        if knowledge is Knowledge.RULES or is_short:
            return None
        return Analysis(position, settings.limits, knowledge=knowledge)

    def _taken(self, position: Position, connection: Connection) -> Choice:
        """Return the first move of a connection that wins."""
        if connection.is_full:
            return self._answer(position, WinningStrategy.of(connection), None)
        key, rest = start(connection)
        return self._hold(position, key, rest, "starts a winning connection")

    def _answer(self, position: Position, hold: WinningStrategy, intrusion: Cell | None) -> Choice:
        """Return the reply to the opponent's last move, if it needs one."""
        board = position.board
        cell, rest = hold.reply(intrusion)
        is_hit = any(intrusion is not None and link.carrier[intrusion] for link in hold.links)
        return self._hold(
            position,
            cell,
            rest,
            f"answers {board.name(intrusion)} in the winning connection"
            if is_hit and intrusion is not None
            else "shortens the winning connection",
        )

    def _remembered(self, game: Game) -> tuple[WinningStrategy | None, Cell | None]:
        """Return what was held before the opponent's last move, and that move."""
        moves = game.moves
        if not moves or moves[-1].cell is None:
            return None, None
        held = self._holds.get(game.position(len(moves) - 1))
        return (held, moves[-1].cell) if held is not None and not held.is_done else (None, None)

    def _hold(self, position: Position, cell: Cell, rest: WinningStrategy, what: str) -> Choice:
        if len(self._holds) >= REMEMBERED:
            self._holds.clear()
        self._holds[position.play(cell)] = rest
        mover = position.turn
        left = (
            f"; {rest.carrier(position.board).count()} cells left"
            if not rest.is_done
            else ", and joins the edges"
        )
        reason = f"Proved: {mover.word} wins. {position.board.name(cell)} {what}{left}."
        return Choice(cell, Rationale(reason, mover, (cell,), rest))


def _left(terms: MoveRequest, begin: float) -> MoveRequest:
    """Return the terms with the time that is left."""
    if terms.seconds is None:
        return terms
    return replace(terms, seconds=terms.seconds - (time.perf_counter() - begin))


def _searched(
    position: Position, settings: Settings, terms: MoveRequest, among: CellSet | None
) -> Choice:
    found = search(
        position,
        settings,
        seconds=terms.seconds,
        cancel=terms.cancel,
        progress=terms.progress,
        among=among,
    )
    mover, winner = position.turn, None
    name = position.board.name(found.move)
    if is_win(found.score):
        winner = mover
        reason = f"Proved by search: {mover.word} wins with {name}."
    elif is_loss(found.score):
        winner = mover.opponent
        reason = f"Proved: {winner.word} wins. {name} makes it hardest."
    elif settings.evaluator is None and settings.links == HEXY:
        reason = _estimate(found, position, name)
    else:
        reason = _weighed(found, position, name, settings)
    return Choice(found.move, Rationale(reason, winner, found.line, findings=found))


def _weighed(found: SearchResult, position: Position, name: str, settings: Settings) -> str:
    """Return the estimate of a search whose values no chance is known of."""
    value = -found.score if position.turn is Color.BLACK else found.score
    by = settings.evaluator or f"circuits with links={settings.links}"
    return (
        f"Estimated by {by}: {value:+.2f} after {name}, {ahead(found.depth)} "
        "(below 0 is good for Black)."
    )


def _estimate(found: SearchResult, position: Position, name: str) -> str:
    if found.depth == 0:
        return f"{name} is the first move of the order; there was no time to search, or no choice."
    evaluation = -found.score if position.turn is Color.BLACK else found.score
    last = position
    for cell in found.line:
        last = last.play(cell)
    share = per_cent(chance_of(position.turn, last, evaluation))
    mover = position.turn.word.capitalize()
    return f"Estimated: {mover} wins with a chance of {share} % by {name}, {ahead(found.depth)}."
