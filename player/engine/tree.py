"""The `tree` player: proofs first, as `hexy`, then best-first search.

The tree is kept from move to move of a game. It simulates as often as it is told
to, or as long as there is time; without either as often as `SIMULATIONS` says, or
`ANSWERS` where a net is asked in place of playouts. What is counted is the same with
and without the extra `fast`; by the clock a net may be asked in eight bits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from hsearch.board import Board
from hsearch.closure import Limits
from hsearch.game import Game
from hsearch.position import Position
from player.chance import per_cent
from player.clock import now
from player.engine.held_wins import HeldWins
from player.engine.opening import opening
from player.engine.perfect import Perfect, losing, winning
from player.engine.player import Choice, MoveRequest, PlayerError, Rationale, left, within
from player.engine.strength import SOLVED, defaults
from player.net import NetError
from player.net.int8 import is_ready
from player.ordering import nearest_center, weak_links
from player.search.line import SearchPosition
from player.tree import TreeFindings, TreeSearch, TreeSettings

SIMULATIONS, ANSWERS = 20_000, 1_000  # with playouts, and of a net: on 11x11 a second or two
_DEFAULT = TreeSettings()


class TreePlayer:
    """Remembers the tree of the game that it plays, and the connections that it holds."""

    def __init__(
        self,
        settings: TreeSettings = _DEFAULT,
        *,
        solve: int | None = None,
        seconds: float | None = None,
        hurries: bool = False,
        name: str = "tree",
    ) -> None:
        """Search so; ask the solver first for so many positions, on a board not too empty for it.

        With a number of simulations it is not asked, unless that is said. A move takes at most so
        many `seconds`. A player that `hurries` asks its net in eight bits where there is a
        clock; that needs the extra `fast`.
        """
        self.name = name
        self.settings = settings
        self._seconds, self._hurries = seconds, hurries
        is_counted = settings.simulations is not None
        self._solved_within = (0 if is_counted else SOLVED) if solve is None else solve
        self._held_wins = HeldWins()
        self._perfect = Perfect(begins_early=True)
        self._search: TreeSearch | None = None
        self._at: Game | None = None

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size, and forget any game.

        Raise PlayerError when the net cannot answer there.
        """
        with _failing():
            self._prepare(board)

    def _prepare(self, board: Board) -> None:
        few = replace(self._on(board, int8=self._hurries), simulations=1)
        search = TreeSearch(Position.of(board), few)
        search.run(np.random.default_rng(0))
        search.advance([0, 1])
        search.run(np.random.default_rng(0))
        if self._solved_within:
            self._perfect.prepare(board)
        self._search = self._at = None

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a move: opening or swap, held win, solved win, or the best that the tree finds."""
        position, begin, terms = game.position(), now(), within(terms, self._seconds)
        settings = self._on(position.board, int8=self._may_hurry(position.board, terms))
        found = opening(position, terms) or self._held_wins.answer(game, settings.limits, terms)
        if found is not None:
            return found
        solved = self._perfect.answer(position, left(terms, begin), self._solved_within)
        if solved is not None and solved.winner is position.turn:
            return winning(solved)
        if terms.seconds is None:
            settings = _counted(settings)
        search = self._tree(game, position, settings)
        with _failing():
            findings = search.run(
                generator,
                seconds=left(terms, begin).seconds,
                cancel=terms.cancel,
                progress=terms.progress,
            )
        found = _chosen(findings, settings.limits)
        is_new = solved is not None and found.account.winner is None
        return losing(position, found) if is_new else found

    def explore(self, position: Position) -> TreeFindings:
        """Return what a new tree finds, and who wins if the solver knows."""
        solved = self._perfect.answer(position, MoveRequest(), self._solved_within)
        search = TreeSearch(position, _counted(self._on(position.board)))
        found = search.run(np.random.default_rng(0))
        if solved is None or solved.winner is None or found.winner is not None:
            return found
        return found.settled(solved.winner, next(iter(solved.winning_moves), None))

    def close(self) -> None:
        """Forget the game."""
        self._search = self._at = None

    def limits(self, board: Board) -> Limits:
        """Return the limits of H-search on a board."""
        return defaults(board).limits

    def another(self) -> "TreePlayer":
        """Return a player of the same strength that knows of no game."""
        return TreePlayer(
            self.settings,
            solve=self._solved_within,
            seconds=self._seconds,
            hurries=self._hurries,
            name=self.name,
        )

    def _on(self, board: Board, *, int8: bool = False) -> TreeSettings:
        """Return the settings with what fits the size of a board, and if need be in eight bits."""
        int8 = int8 or self.settings.int8
        return replace(self.settings, limits=self.limits(board), int8=int8)

    def _may_hurry(self, board: Board, terms: MoveRequest) -> bool:
        """Return whether a net is asked in eight bits: not before that was got ready."""
        net = self.settings.net
        by_clock = self._hurries and terms.seconds is not None
        return by_clock and net is not None and is_ready(net, board)

    def _tree(self, game: Game, position: Position, settings: TreeSettings) -> TreeSearch:
        """Return the tree of this game, moved on to where it stands, or a new one.

        A tree that grew by other settings, with a clock say, is not gone on with.
        """
        before, search = self._at, self._search
        is_like = search is not None and search.settings == settings
        if before is not None and search is not None and is_like and _goes_on(before, game):
            search.advance(
                [move.cell for move in game.moves[len(before.moves) :] if move.cell is not None]
            )
        else:
            search = TreeSearch(position, settings)
        self._at, self._search = game, search
        return search


@contextmanager
def _failing() -> Iterator[None]:
    """Let a net that overflows lose the game, not end a run of many."""
    try:
        yield
    except NetError as error:
        raise PlayerError(str(error)) from error


def simulations(level: int) -> int:
    """Return how many simulations a level runs: each twice as many as the one below."""
    return 50 << (level - 1)


def _counted(settings: TreeSettings) -> TreeSettings:
    """Return settings with an end by number."""
    if settings.simulations is not None:
        return settings
    return replace(settings, simulations=SIMULATIONS if settings.playouts else ANSWERS)


def _goes_on(before: Game, game: Game) -> bool:
    """Return whether one game is another with at least one more move, none of them a swap."""
    known, moves = before.moves, game.moves
    more = moves[len(known) :]
    return (
        bool(more)
        and moves[: len(known)] == known
        and before.nodes[0] == game.nodes[0]
        and all(move.cell is not None for move in more)
    )


def _chosen(found: TreeFindings, limits: Limits) -> Choice:
    """Return the move of what a search found, and why."""
    position, best = found.position, found.best
    mover, is_lost = position.turn, found.winner is found.position.turn.opponent
    if is_lost:
        cell = SearchPosition(position, limits, weak_links).decided_moves()[0]
    elif best is None:
        cell = nearest_center(position.board, list(position.empty.search(1)))
    else:
        cell = best.cell
    line = found.line if found.line[:1] == (cell,) else (cell,)
    name = position.board.name(cell)
    if is_lost:
        reason = f"Proved: {mover.opponent.word.capitalize()} wins. {name} makes it hardest."
    elif best is None:
        reason = f"{name} is nearest the center; there was no time to search."
    elif best.winner is mover:
        reason = f"Proved by search: {mover.word.capitalize()} wins with {name}."
    else:
        share = per_cent(0.5 if best.chance is None else best.chance)
        reason = (
            f"Estimated: {mover.word.capitalize()}'s chance to win is {share} % after {name}, "
            f"first in {best.visits:,} of {found.visits:,} simulations."
        )
    winner = mover.opponent if is_lost else None if best is None else best.winner
    return Choice(cell, Rationale(reason, winner, line, None, found.result, found))
