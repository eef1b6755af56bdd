"""The player `hexy`: proofs first, then the solver, then alpha-beta by weak links.

First its sources of moves without a search, which `tree` has as well: a connection that wins,
the opening maps, the solver. The player itself is at the end; its strength is in
`player.search.settings`.
"""

from dataclasses import replace

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import HEXY
from hsearch.connect import Connection, Knowledge, Limits, deduction
from hsearch.connect.closure import closure
from hsearch.hex import Board, Cell, CellSet, Color, Game, Position, Special
from hsearch.render.text import quantity
from hsearch.strategy.reply import WinningStrategy, start
from player.engine.player import (
    Choice,
    MoveRequest,
    PlayerError,
    Rationale,
    ReadyParticipant,
    no_search_reason,
)
from player.evaluate.evaluators import EvaluatorError
from player.evaluate.exact import TooLargeError
from player.evaluate.net import load_net
from player.evaluate.ordering import weak_links
from player.search import openings
from player.search.alphabeta import probe_seconds, search
from player.search.chances import BY, estimate, estimate_words
from player.search.line import SearchPosition
from player.search.settings import SearchResult, SearchSettings, Strength, is_loss, is_win
from player.solve.solver import Answer, Solver
from player.variants.base import act_word
from player.work.clock import now

_NO_TERMS = MoveRequest()

# A won position: find the connection, store it, and reply to the opponent's intrusions.

REMEMBERED = 1000  # the most won positions to store


class HeldWins:
    """Stores, for positions that a player has won, the winning connection."""

    def __init__(self) -> None:
        """Start with no positions."""
        self._holds: dict[Position, WinningStrategy] = {}

    def answer(self, game: Game, limits: Limits, terms: MoveRequest) -> Choice | None:
        """Return the next move of a winning connection; None if there is no connection."""
        position = game.position()
        hold, intrusion = self._recall(game)
        if hold is None:
            if terms.seconds is not None and terms.seconds < probe_seconds(position.board):
                return None
            store = closure(position, position.turn, limits)
            connection = next(iter(store.edge_fulls or store.edge_semis), None)
            return None if connection is None else self.take(position, connection)
        return self._answer(position, hold, intrusion)

    def take(self, position: Position, connection: Connection) -> Choice:
        """Return the first move of a winning connection, and store the rest."""
        if connection.is_full:
            return self._answer(position, WinningStrategy.of(connection), None)
        key, rest = start(connection)
        return self._hold(position, key, rest, "starts a winning connection")

    def _answer(self, position: Position, hold: WinningStrategy, intrusion: Cell | None) -> Choice:
        """Return the reply to an intrusion, or else a move that shortens the connection."""
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

    def _recall(self, game: Game) -> tuple[WinningStrategy | None, Cell | None]:
        """Return the connection held before the opponent's last move, and that move.

        Return None for both if none was held, or if stones were set up after the move.
        """
        moves = game.moves
        if not moves or (cell := moves[-1].cell) is None:
            return None, None
        before = game.position(len(moves) - 1)
        hold = self._holds.get(before)
        if hold is None or hold.is_done or before.play(cell) != game.position():
            return None, None
        return hold, cell

    def _hold(self, position: Position, cell: Cell, rest: WinningStrategy, what: str) -> Choice:
        if len(self._holds) >= REMEMBERED:
            self._holds.clear()
        self._holds[position.play(cell)] = rest
        mover = position.turn
        remark = (
            f"; {quantity(rest.carrier(position.board).count(), 'cell')} left"
            if not rest.is_done
            else ", and joins the edges"
        )
        reason = f"Proved: {mover.title} wins. {position.board.name(cell)} {what}{remark}."
        return Choice(cell, Rationale(reason, mover, (cell,), rest))


# The first move of a game, and the swap, by the opening maps.


def opening(position: Position, terms: MoveRequest) -> Choice | None:
    """Return a first move or a swap; None after the opening, or if a swap does not pay."""
    advice = openings.opening(position, swap=terms.swap)
    if advice is None:
        return None
    act, reason = advice
    return Choice(act, Rationale(reason, line=() if isinstance(act, Special) else (act,)))


# The solver, before any estimate.
#
# With a few dozen empty cells it answers in seconds. On a larger board it solves more
# as the board fills (`positions/results/strength.md`), so its share of the time grows.

MEMORY = 200  # megabytes
REACH = 49  # up to this many empty cells it gets its full share
SHARE = 0.5  # of the time for a move, at most
BEGIN = 0.1  # with more empty cells, the share of filled cells above which it is used
RISE = 2.0  # how fast its share of the time grows with the share of filled cells
LARGEST = 225  # cells of the largest board where it is used early; on others a node is too slow
LOOK = 0.0005  # seconds for one position with `REACH` empty cells, which cannot be interrupted
FEWEST = 10  # with more empty cells, the positions that there must be time for


class Perfect:
    """A solver for the current game; its table is reused from move to move."""

    def __init__(self, *, begins_early: bool = False) -> None:
        """Make no solver yet; with `begins_early` it is used with many empty cells, too."""
        self._begins_early = begins_early
        self._solver: Solver | None = None

    def prepare(self, board: Board) -> None:
        """Prepare the solver for a board, before any clock runs."""
        self._solver_of(board).prepare()

    def answer(self, position: Position, terms: MoveRequest, nodes: int) -> Answer | None:
        """Return the solver's answer, or None if it does not find the winner.

        With a time for the move, the solver gets a share of it. Without, it gets `nodes`
        positions of `REACH` empty cells, or as many larger ones as take the same time.
        """
        share = self.share(position) if nodes else 0.0
        if not share:
            return None
        seconds = None if terms.seconds is None else share * terms.seconds
        longer = max(1.0, position.empty.count() / REACH) ** 3  # cost relative to `REACH` cells
        if seconds is not None and longer > 1 and seconds < FEWEST * LOOK * longer:
            return None
        answer = self._solver_of(position.board).solve(
            position,
            seconds=seconds,
            nodes=round(nodes * share / SHARE / longer) if seconds is None else None,
            cancel=terms.cancel,
        )
        return None if answer.winner is None else answer

    def share(self, position: Position) -> float:
        """Return the solver's share of the time for a move."""
        empty, size = position.empty.count(), position.board.size
        if empty <= REACH:
            return SHARE
        if not self._begins_early or size > LARGEST:
            return 0.0
        return min(SHARE, RISE * max(0.0, 1 - empty / size - BEGIN))

    def _solver_of(self, board: Board) -> Solver:
        if self._solver is None or self._solver.board != board:
            self._solver = Solver(board, memory=MEMORY)
        return self._solver


def winning(answer: Answer) -> Choice:
    """Return the winning move of a solved position."""
    position, cell = answer.position, answer.winning_moves[0]
    reason = (
        f"Proved: {position.turn.title} wins with {position.board.name(cell)}, "
        f"solved in {answer.nodes} positions."
    )
    return Choice(cell, Rationale(reason, position.turn, (cell,)))


def losing(position: Position, choice: Choice) -> Choice:
    """Return a search's choice with the reason that the position is proved lost."""
    account, won_by = choice.account, position.turn.opponent
    name = act_word(choice.action, position.board)
    reason = (
        f"Proved: {won_by.title} wins. {name} is as good as any, and what the search would play."
    )
    return replace(choice, account=replace(account, reason=reason, winner=won_by))


# The player.
#
# In a won position it plays the winning connection move by move to the end. If no
# connection decides, it runs the solver, and if the solver does not finish in time, it
# searches. In a lost position it plays the move that delays the loss longest.

_DEFAULT = Strength()
PROBES = 20  # evaluations of the root that there must be time for, to use more than the two rules


class HexyPlayer(ReadyParticipant):
    """Plays proofs first, and stores the winning connections of positions that it has won."""

    def __init__(
        self, strength: Strength = _DEFAULT, *, seconds: float | None = None, name: str = "hexy"
    ) -> None:
        """Take the strength, the most seconds for a move, and the player's name for records."""
        self.name = name
        self.strength = strength
        self._seconds = seconds
        self._held_wins = HeldWins()
        self._perfect = Perfect()

    def prepare(self, board: Board) -> None:
        """Compile the kernels for a board. Raise PlayerError when a user's evaluator fails."""
        limits, knowledge = Limits(M=1, K=2), self.strength.knowledge
        line = SearchPosition(Position.of(board), limits, weak_links)
        line.best_tries()
        line.play(0)
        line.best_tries()
        if knowledge is not Knowledge.RULES:  # regions and windows need some stones
            is_wide = min(board.columns, board.rows) > 3
            black, white = ("a3 d2 d4", "b2 c3 b4") if is_wide else ("", "")
            position = Position.of(board, black=black, white=white)
            ConnectionAnalysis(position, limits, knowledge=knowledge).prepare(circuits=False)
        few = replace(self.strength.settings(board), limits=limits, depth=2, widths=(1,))
        search_within(Position.of(board), few)
        if load_net() is not None:
            estimate(Position.of(board))  # by the net, for the reasons of moves
        if self.strength.solved_within:
            self._perfect.prepare(board)

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return a move: opening or swap, held win, solved win, or the best of the search.

        Raise PlayerError when a user's evaluator fails.
        """
        position, begin, terms = game.position(), now(), terms.within(self._seconds)
        settings = self.strength.settings(position.board, timed=terms.seconds is not None)
        choice = opening(position, terms) or self._held_wins.answer(game, settings.limits, terms)
        if choice is not None:
            return choice
        beyond = self._beyond(position, settings, terms.left(begin))
        if beyond is not None:
            winning_connection = beyond.edge_connection(position.turn)
            if beyond.winner is position.turn and winning_connection is not None:
                return self._held_wins.take(
                    position, deduction.expand(position, position.turn, winning_connection)
                )
        nodes = self.strength.solved_within
        answer = self._perfect.answer(position, terms.left(begin), nodes)
        if answer is not None and answer.winner is position.turn:
            return winning(answer)
        among = None if beyond is None else beyond.mustplay.cells
        choice = _search(position, settings, terms.left(begin), among)
        is_lost = answer is not None or (beyond is not None and beyond.mustplay.is_lost)
        is_new = is_lost and choice.account.winner is None
        return losing(position, choice) if is_new else choice

    def limits(self, board: Board) -> Limits:
        """Return the limits of H-search on a board."""
        return self.strength.settings(board).limits

    def _beyond(
        self, position: Position, settings: SearchSettings, terms: MoveRequest
    ) -> ConnectionAnalysis | None:
        """Return the analysis beyond the two rules; None if not wanted, or without time for it."""
        knowledge, board = self.strength.knowledge, position.board
        is_short = terms.seconds is not None and terms.seconds < PROBES * probe_seconds(board)
        if knowledge is Knowledge.RULES or is_short:
            return None
        seconds = None if terms.seconds is None else terms.seconds / 2
        return ConnectionAnalysis(position, settings.limits, knowledge=knowledge, seconds=seconds)


def search_within(
    position: Position,
    settings: SearchSettings,
    terms: MoveRequest = _NO_TERMS,
    among: CellSet | None = None,
) -> SearchResult:
    """Search as far as the terms allow.

    Raise PlayerError when a user's evaluator fails, or the board is too large for an evaluator.
    """
    try:
        return search(
            position,
            settings,
            seconds=terms.seconds,
            cancel=terms.cancel,
            progress=terms.progress,
            among=among,
        )
    except (EvaluatorError, TooLargeError) as error:
        raise PlayerError(str(error)) from error


def _search(
    position: Position, settings: SearchSettings, terms: MoveRequest, among: CellSet | None
) -> Choice:
    result = search_within(position, settings, terms, among)
    winner = winner_of(result, position)
    if winner is not None:
        reason = proof_reason(position, result.move, winner)
    elif settings.evaluator is None and settings.links == HEXY:
        reason = _estimate(result, position)
    else:
        reason = value_reason(result, position, settings)
    return Choice(result.move, Rationale(reason, winner, result.line, findings=result))


def winner_of(result: SearchResult, position: Position) -> Color | None:
    """Return who is proved to win a position by the result of its search; None if that is open."""
    if is_win(result.score):
        return position.turn
    return position.turn.opponent if is_loss(result.score) else None


def proof_reason(position: Position, cell: Cell, winner: Color) -> str:
    """Return the reason for a move after a search has proved who wins."""
    name = position.board.name(cell)
    if winner is position.turn:
        return f"Proved by search: {winner.title} wins with {name}."
    return f"Proved: {winner.title} wins. {name} makes it hardest."


def value_reason(result: SearchResult, position: Position, settings: SearchSettings) -> str:
    """Return the reason for a move whose value cannot be converted into a chance."""
    name = position.board.name(result.move)
    if result.depth == 0:
        return no_search_reason(name)
    value = -result.score if position.turn is Color.BLACK else result.score
    by = settings.evaluator or f"circuits with links={settings.links}"
    return (
        f"Estimated by {by}: {value:+z.2f} after {name}, {result.extent} "
        "(below 0 is good for Black)."
    )


def _estimate(result: SearchResult, position: Position) -> str:
    """Return the reason for a move, with the net's chance: the circuits' E is not one.

    Without a net it names none, because playouts could take longer than the move may.
    """
    name = position.board.name(result.move)
    if result.depth == 0:
        return no_search_reason(name)
    basis = f"the best by the circuits, {result.extent}"
    if load_net() is None:
        return f"{name} is {basis}."
    mover, chance = position.turn, estimate(position.play(result.move))
    return f"{estimate_words(mover, chance.of(mover), name)} ({BY[chance.by]}), {basis}."
