"""The player `hexy`: proofs first, then the solver, then alpha-beta by weak links.

Its strength comes first, then what it asks before it searches: a connection that has won,
the maps of openings, the solver. The player itself stands at the end.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import HEXY
from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection
from hsearch.connect.deduction import expand
from hsearch.connect.knowledge import Knowledge
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Cell, CellSet, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position
from hsearch.render.text import numbered
from hsearch.strategy.reply import WinningStrategy, start
from player.engine.player import (
    Choice,
    MoveRequest,
    PlayerError,
    Rationale,
    ReadyParticipant,
    ahead,
    left,
    unsearched,
    within,
)
from player.evaluate.chance import per_cent
from player.evaluate.evaluators import EvaluatorError
from player.evaluate.exact import TooLargeError
from player.evaluate.ordering import weak_links
from player.net.net import shipped_net
from player.search import openings
from player.search.alphabeta import probe_seconds, search
from player.search.chances import BY, estimate
from player.search.line import SearchPosition
from player.search.settings import SearchResult, SearchSettings, is_loss, is_win
from player.solve.solver import Answer, Solver
from player.work.clock import now

_NO_TERMS = MoveRequest()

# Strength of `hexy`: defaults for each size of board, and levels.
#
# The defaults keep a move on a board of the size to a few seconds of one core, and
# from 17x17 on a single look, which nothing interrupts, to a tenth of a second. In
# matches, `positions/results/sizes.md`, four narrow plies won every game on 12x12 and
# 13x13 against three wide ones; elsewhere no other search at like cost was clearly
# better than what stands here. The levels weaken by looking less far: fewer moves,
# fewer plies, fewer and simpler connections. None of them plays a move that it thinks
# bad. On 9x9 each scores 55 to 80 % against the one below, see
# `positions/results/strength.md`. Beyond level 6 a deeper search of few moves gains
# nothing (6 plies against 4: 11 of 23), a wider one with more connections does.

LEVELS = range(1, 10)
SOLVED = 3000  # on 7x7 a second or two
NARROW = (6, 4, 3)  # moves tried at plies beyond the default depth
DEEP = 30  # deeper than any budget of nodes lets a search be


@dataclass(frozen=True, slots=True)
class Strength:
    """The numbers that decide how strong a search is; None leaves a default alone.

    level     1 to 9; the other numbers win over those of the level
    depth     D
    M         fulls kept for a pair of points
    K         semis that one OR joins
    widths    moves tried at each ply
    ordering  the name of an ordering
    evaluator the name of an evaluator that weighs in place of the circuits
    links     how the circuits are wired
    nodes     positions visited at most, as deep as that lets
    solve     positions that the solver may look at before the search; None is `SOLVED`
              if neither level, depth nor nodes are given, and else 0
    knowledge what may find, where the search starts, that edges are joined
    """

    level: int | None = None
    depth: int | None = None
    M: int | None = None
    K: int | None = None
    widths: tuple[int, ...] | None = None
    ordering: str = "weak_links"
    evaluator: str | None = None
    links: str = HEXY
    nodes: int | None = None
    solve: int | None = None
    knowledge: Knowledge = Knowledge.RULES

    @property
    def solved_within(self) -> int:
        """Number of positions that the solver may look at before the search."""
        if self.solve is not None:
            return self.solve
        return SOLVED if self.deepens else 0

    @property
    def deepens(self) -> bool:
        """Whether a search that has time goes on beyond its depth: where nothing says how deep."""
        return self.level is self.depth is self.nodes is None

    def settings(self, board: Board, *, timed: bool = False) -> SearchSettings:
        """Return the settings of a search on a board, `timed` if only a clock is to end it.

        Raise ValueError on a bad number.
        """
        if self.level is not None and self.level not in LEVELS:
            raise ValueError(f"level out of range: {self.level} (1 to 9)")
        plain = defaults(board) if self.level is None else _at_most(level(self.level), board)
        if timed and self.deepens:
            plain = replace(plain, depth=DEEP, widths=(*plain.widths, *NARROW))
        return replace(
            plain,
            depth=self.depth or (plain.depth if self.nodes is None else DEEP),
            widths=self.widths or plain.widths,
            limits=Limits(
                M=self.M or plain.limits.M,
                semis=None if self.M else plain.limits.semis,
                K=self.K or plain.limits.K,
            ),
            ordering=self.ordering,
            evaluator=self.evaluator,
            links=self.links,
            connections=True,
            nodes=self.nodes,
        )


# largest side: depth, widths, M, K
_BY_SIZE = {
    **dict.fromkeys(range(1, 8), (3, (40, 30, 20), 20, 4)),
    **dict.fromkeys(range(8, 12), (3, (20, 15, 10), 20, 4)),
    **dict.fromkeys(range(12, 14), (4, (8, 6, 4, 3), 15, 4)),
    **dict.fromkeys(range(14, 17), (2, (20, 15), 15, 4)),
    **dict.fromkeys(range(17, 20), (2, (15, 10), 8, 3)),
    **dict.fromkeys(range(20, 27), (1, (15,), 8, 3)),
}

# level: depth, widths, M, K, and semis kept for a pair if not twice M; a single semi lets OR
# join nothing, so that not even a bridge is seen. Depths beyond 1 are even: after an odd number
# of moves E flatters whoever made the last one.
_BY_LEVEL: dict[int, tuple[int, tuple[int, ...], int, int, int | None]] = {
    1: (1, (1,), 1, 2, 1),
    2: (1, (2,), 1, 2, None),
    3: (1, (6,), 2, 2, None),
    4: (2, (4, 3), 2, 2, None),
    5: (2, (4, 3), 4, 3, None),
    6: (4, (4, 3, 2), 4, 3, None),
    7: (4, (6, 4, 3, 2), 10, 4, None),
    8: (4, (8, 6, 4, 3), 20, 4, None),
    9: (4, (12, 9, 6, 4), 20, 4, None),
}


def defaults(board: Board) -> SearchSettings:
    """Return the settings for a board, by its longer side."""
    return _settings(*_BY_SIZE[max(board.columns, board.rows)])


def level(number: int) -> SearchSettings:
    """Return the settings of a level."""
    return _settings(*_BY_LEVEL[number])


def _settings(
    depth: int, widths: tuple[int, ...], fulls: int, joined: int, semis: int | None = None
) -> SearchSettings:
    limits = Limits(M=fulls, semis=semis, K=joined)
    return SearchSettings(depth=depth, widths=widths, limits=limits)


def _at_most(wanted: SearchSettings, board: Board) -> SearchSettings:
    """Return settings that ask for no more than the defaults of a large board."""
    most = defaults(board)
    if max(board.columns, board.rows) < 12:
        return wanted
    is_more = (wanted.limits.M or 0) > (most.limits.M or 0)
    limits = most.limits if is_more else wanted.limits
    return replace(wanted, depth=min(wanted.depth, most.depth), limits=limits)


def read_level(text: str) -> int:
    """Return the number of a level. Raise ValueError when it is none."""
    if not re.fullmatch(r"[1-9]", text):
        raise ValueError(f"not a level ({LEVELS[0]} to {LEVELS[-1]})")
    return int(text)


# A won position: find the connection, remember it, and answer what the opponent plays into it.

REMEMBERED = 1000  # won positions


class HeldWins:
    """Remembers, for positions that a player won, the connection that it holds."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._holds: dict[Position, WinningStrategy] = {}

    def answer(self, game: Game, limits: Limits, terms: MoveRequest) -> Choice | None:
        """Return the move of a connection that wins; None if none is known."""
        position = game.position()
        hold, intrusion = self._remembered(game)
        if hold is None:
            if terms.seconds is not None and terms.seconds < probe_seconds(position.board):
                return None
            store = closure(position, position.turn, limits)
            connection = next(iter(store.edge_fulls or store.edge_semis), None)
            return None if connection is None else self.taken(position, connection)
        return self._answer(position, hold, intrusion)

    def taken(self, position: Position, connection: Connection) -> Choice:
        """Return the first move of a connection that wins."""
        if connection.is_full:
            return self._answer(position, WinningStrategy.of(connection), None)
        key, rest = start(connection)
        return self._held(position, key, rest, "starts a winning connection")

    def _answer(self, position: Position, hold: WinningStrategy, intrusion: Cell | None) -> Choice:
        """Return the reply to the opponent's last move, if it needs one."""
        board = position.board
        cell, rest = hold.reply(intrusion)
        is_hit = any(intrusion is not None and link.carrier[intrusion] for link in hold.links)
        return self._held(
            position,
            cell,
            rest,
            f"answers {board.name(intrusion)} in the winning connection"
            if is_hit and intrusion is not None
            else "shortens the winning connection",
        )

    def _remembered(self, game: Game) -> tuple[WinningStrategy | None, Cell | None]:
        """Return what was held before the opponent's last move, and that move.

        Nothing where that was no move of the opponent, or where stones were set up after it.
        """
        moves = game.moves
        if not moves or (cell := moves[-1].cell) is None:
            return None, None
        before = game.position(len(moves) - 1)
        held = self._holds.get(before)
        if held is None or held.is_done or before.play(cell) != game.position():
            return None, None
        return held, cell

    def _held(self, position: Position, cell: Cell, rest: WinningStrategy, what: str) -> Choice:
        if len(self._holds) >= REMEMBERED:
            self._holds.clear()
        self._holds[position.play(cell)] = rest
        mover = position.turn
        left = (
            f"; {numbered(rest.carrier(position.board).count(), 'cell')} left"
            if not rest.is_done
            else ", and joins the edges"
        )
        reason = f"Proved: {mover.title} wins. {position.board.name(cell)} {what}{left}."
        return Choice(cell, Rationale(reason, mover, (cell,), rest))


# The first move of a game, and the swap, by the maps of openings.


def opening(position: Position, terms: MoveRequest) -> Choice | None:
    """Return a first move, or a swap; None if it is time for neither, or not worth it."""
    found = openings.opening(position, swap=terms.swap)
    if found is None:
        return None
    act, reason = found
    return Choice(act, Rationale(reason, line=() if isinstance(act, Special) else (act,)))


# Ask the solver before anything is estimated.
#
# On a board of a few dozen empty cells it answers in seconds. On a larger one it finds
# more the more is filled (`positions/results/strength.md`), so what it is worth grows.

MEMORY = 200  # megabytes
REACH = 49  # empty cells that it is worth the most with
SHARE = 0.5  # of the time for a move, at most
BEGIN = 0.1  # part of the board that is filled when it is worth anything with more empty cells
RISE = 2.0  # of the share with the part that is filled
LARGEST = 225  # cells of a board where it is asked so early; on larger ones a look takes too long
LOOK = 0.0005  # seconds for one position with `REACH` empty cells, which nothing interrupts
FEWEST = 10  # looks that there has to be time for where more cells are empty


class Perfect:
    """A solver for the game that is being played; its table serves move after move."""

    def __init__(self, *, begins_early: bool = False) -> None:
        """Make no solver yet; one that `begins_early` does not wait for few empty cells."""
        self._begins_early = begins_early
        self._solver: Solver | None = None

    def prepare(self, board: Board) -> None:
        """Get ready to answer on a board, before any clock runs."""
        self._solver_of(board).prepare()

    def answer(self, position: Position, terms: MoveRequest, nodes: int) -> Answer | None:
        """Return what the solver finds, or None if it found nothing.

        It looks at no more than `nodes` positions of `REACH` empty cells, or as many larger ones as
        take so long, or, when there is a time for the move, for no longer than a share of it.
        """
        share = self.share(position) if nodes else 0.0
        if not share:
            return None
        seconds = None if terms.seconds is None else share * terms.seconds
        longer = max(1.0, position.empty.count() / REACH) ** 3  # how many times a look with so few
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
        """Return what part of the time for a move the solver is worth."""
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
    """Return the move of a player whom the solver has shown to win."""
    position, cell = answer.position, answer.winning_moves[0]
    reason = (
        f"Proved: {position.turn.title} wins with {position.board.name(cell)}, "
        f"solved in {answer.nodes} positions."
    )
    return Choice(cell, Rationale(reason, position.turn, (cell,)))


def losing(position: Position, chosen: Choice) -> Choice:
    """Return the choice of a player of whom it is proved that they lose."""
    account, won_by = chosen.account, position.turn.opponent
    other = won_by.title
    assert not isinstance(chosen.action, Special)  # noqa: S101 - a search gives a cell
    name = position.board.name(chosen.action)
    reason = f"Proved: {other} wins. {name} is as good as any, and what the search would play."
    return replace(chosen, account=replace(account, reason=reason, winner=won_by))


# The player.
#
# In a won position it plays the winning connection move by move, and never lets
# go of it. Where no connection decides it asks the solver, and where the solver
# has no answer in time it searches. In a lost position it plays where the win
# takes longest.

_DEFAULT = Strength()
PROBES = 20  # first looks that there has to be time for, before more than the two rules is asked


class HexyPlayer(ReadyParticipant):
    """Remembers, for positions that it won, the connection that it holds."""

    def __init__(
        self, strength: Strength = _DEFAULT, *, seconds: float | None = None, name: str = "hexy"
    ) -> None:
        """Play so strong, at most so long a move; `name` is what a record calls the player."""
        self.name = name
        self.strength = strength
        self._seconds = seconds
        self._held_wins = HeldWins()
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
        """Return a move: opening or swap, held win, solved win, or the best that a search finds.

        Raise PlayerError when a user's evaluator fails.
        """
        position, begin, terms = game.position(), now(), within(terms, self._seconds)
        settings = self.strength.settings(position.board, timed=terms.seconds is not None)
        choice = opening(position, terms) or self._held_wins.answer(game, settings.limits, terms)
        if choice is not None:
            return choice
        beyond = self._beyond(position, settings, left(terms, begin))
        if beyond is not None:
            winning_connection = beyond.edge_connection(position.turn)
            if beyond.winner is position.turn and winning_connection is not None:
                return self._held_wins.taken(
                    position, expand(position, position.turn, winning_connection)
                )
        nodes = self.strength.solved_within
        solved = self._perfect.answer(position, left(terms, begin), nodes)
        if solved is not None and solved.winner is position.turn:
            return winning(solved)
        among = None if beyond is None else beyond.mustplay.cells
        choice = _searched(position, settings, left(terms, begin), among)
        is_lost = solved is not None or (beyond is not None and beyond.mustplay.is_lost)
        is_new = is_lost and choice.account.winner is None
        return losing(position, choice) if is_new else choice

    def limits(self, board: Board) -> Limits:
        """Return the limits of H-search on a board."""
        return self.strength.settings(board).limits

    def _beyond(
        self, position: Position, settings: SearchSettings, terms: MoveRequest
    ) -> ConnectionAnalysis | None:
        """Return what is known beyond the two rules; None if not asked, or without time for it."""
        knowledge, board = self.strength.knowledge, position.board
        is_short = terms.seconds is not None and terms.seconds < PROBES * probe_seconds(board)
        if knowledge is Knowledge.RULES or is_short:
            return None
        return ConnectionAnalysis(position, settings.limits, knowledge=knowledge)


def search_within(
    position: Position,
    settings: SearchSettings,
    terms: MoveRequest = _NO_TERMS,
    among: CellSet | None = None,
) -> SearchResult:
    """Search as far as the terms allow.

    Raise PlayerError when a user's evaluator fails, or when one counts more than it can.
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


def _searched(
    position: Position, settings: SearchSettings, terms: MoveRequest, among: CellSet | None
) -> Choice:
    result = search_within(position, settings, terms, among)
    mover, winner = position.turn, None
    name = position.board.name(result.move)
    if is_win(result.score):
        winner = mover
        reason = f"Proved by search: {mover.title} wins with {name}."
    elif is_loss(result.score):
        winner = mover.opponent
        reason = f"Proved: {winner.title} wins. {name} makes it hardest."
    elif settings.evaluator is None and settings.links == HEXY:
        reason = _estimate(result, position, name)
    else:
        reason = _weighed(result, position, name, settings)
    return Choice(result.move, Rationale(reason, winner, result.line, findings=result))


def _weighed(result: SearchResult, position: Position, name: str, settings: SearchSettings) -> str:
    """Return the estimate of a search whose values no chance is known of."""
    if result.depth == 0:
        return unsearched(name)
    value = -result.score if position.turn is Color.BLACK else result.score
    by = settings.evaluator or f"circuits with links={settings.links}"
    return (
        f"Estimated by {by}: {value:+z.2f} after {name}, {ahead(result.depth)} "
        "(below 0 is good for Black)."
    )


def _estimate(result: SearchResult, position: Position, name: str) -> str:
    """Return the chance after a move, as whoever is asked of that position gives it.

    The circuits choose the move, but E is not a chance. Without a net none is named, for
    playouts would take longer than the move may have.
    """
    if result.depth == 0:
        return unsearched(name)
    chosen = f"the best by the circuits, {ahead(result.depth)}"
    if shipped_net() is None:
        return f"{name} is {chosen}."
    mover, chance = position.turn, estimate(position.play(result.move))
    share = per_cent(chance.of(mover))
    return (
        f"Estimated: {mover.title}'s chance to win is {share} % after {name} ({BY[chance.by]}), "
        f"{chosen}."
    )
