"""The player `tree`: proofs first, as `hexy`, then best-first search.

The tree is reused from move to move of a game. The search runs the given number of
simulations or until the time is up; without either, SIMULATIONS, or ANSWERS if a net
replaces playouts. With a number of simulations the result is the same with and without
the extra `fast`; with a clock, a net may be evaluated in eight bits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from hsearch.connect import Limits
from hsearch.hex import Board, Game, Position
from player.engine import hexy
from player.engine.classic import file_or_shipped, net_named
from player.engine.player import Choice, MoveRequest, Player, PlayerFileError, Rationale
from player.evaluate.int8 import NEEDED, is_installed
from player.evaluate.net import Net, NetError, load_net
from player.evaluate.ordering import nearest_center, weak_links
from player.evaluate.patterns import load_patterns, read_patterns
from player.evaluate.policy import PolicyNet, is_ready
from player.search import tree
from player.search.chances import estimate_words, of_tree
from player.search.line import SearchPosition
from player.search.settings import SOLVED, defaults, read_level
from player.work import naming
from player.work.clock import now

SIMULATIONS, ANSWERS = 20_000, 300  # with playouts, with a net: a second or two on 11x11
_DEFAULT = tree.TreeSettings()


class TreePlayer:
    """Plays by winning connections and a search tree, and reuses both from move to move."""

    def __init__(
        self,
        settings: tree.TreeSettings = _DEFAULT,
        *,
        solve: int | None = None,
        seconds: float | None = None,
        hurries: bool = False,
        name: str = "tree",
    ) -> None:
        """Take the settings of the search and its limits.

        solve    the most positions for the solver; None is SOLVED, but 0 with `simulations`
        seconds  the most time for a move
        hurries  with a clock, evaluate the net in eight bits; needs the extra `fast`
        """
        self.name = name
        self.settings = settings
        self._seconds, self._hurries = seconds, hurries
        is_counted = settings.simulations is not None
        self._solved_within = (0 if is_counted else SOLVED) if solve is None else solve
        self._held_wins = hexy.HeldWins()
        self._perfect = hexy.Perfect(begins_early=True)
        self._search: tree.TreeSearch | None = None
        self._at: Game | None = None

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size, and forget any game.

        Raise PlayerFileError when the net does not fit the board.
        """
        with _failing():
            self._prepare(board)

    def _prepare(self, board: Board) -> None:
        few = replace(self._on(board, int8=self._hurries), simulations=1)
        search = tree.TreeSearch(Position.of(board), few)
        search.run(np.random.default_rng(0))
        search.advance([0, 1][: board.size])
        search.run(np.random.default_rng(0))
        search.compile_rest()
        if self._solved_within:
            self._perfect.prepare(board)
        self._search = self._at = None

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a move: opening or swap, held win, solved win, or the tree's best move."""
        position, begin, terms = game.position(), now(), terms.within(self._seconds)
        settings = self._on(position.board, int8=self._may_hurry(position.board, terms))
        choice = hexy.opening(position, terms) or self._held_wins.answer(
            game, settings.limits, terms
        )
        if choice is not None:
            return choice
        answer = self._perfect.answer(position, terms.left(begin), self._solved_within)
        if answer is not None and answer.winner is position.turn:
            return hexy.winning(answer)
        if terms.seconds is None:
            settings = _with_count(settings)
        with _failing():
            search = self._tree(game, position, settings)
            findings = search.run(
                generator,
                seconds=terms.left(begin).seconds,
                cancel=terms.cancel,
                progress=terms.progress,
            )
        choice = _choose(findings, settings.limits)
        is_new = answer is not None and choice.account.winner is None
        return hexy.losing(position, choice) if is_new else choice

    def explore(self, position: Position) -> tree.TreeFindings:
        """Return the findings of a new tree, with the winner if the solver finds it.

        Raise PlayerFileError when the net does not fit the board.
        """
        answer = self._perfect.answer(position, MoveRequest(), self._solved_within)
        with _failing():
            search = tree.TreeSearch(position, _with_count(self._on(position.board)))
            findings = search.run(np.random.default_rng(0))
        if answer is None or answer.winner is None or findings.winner is not None:
            return findings
        return findings.with_winner(answer.winner, next(iter(answer.winning_moves), None))

    def close(self) -> None:
        """Forget the game."""
        self._search = self._at = None

    def limits(self, board: Board) -> Limits:
        """Return the limits of H-search on a board."""
        return defaults(board).limits

    def _on(self, board: Board, *, int8: bool = False) -> tree.TreeSettings:
        """Return the settings with the limits for a board, and the net in eight bits if so set."""
        int8 = int8 or self.settings.int8
        return replace(self.settings, limits=self.limits(board), int8=int8)

    def _may_hurry(self, board: Board, terms: MoveRequest) -> bool:
        """Return whether to evaluate the net in eight bits: only with a clock, once prepared."""
        net = self.settings.net
        by_clock = self._hurries and terms.seconds is not None
        return by_clock and net is not None and is_ready(net, board)

    def _tree(self, game: Game, position: Position, settings: tree.TreeSettings) -> tree.TreeSearch:
        """Return the tree of this game, advanced to the position, or a new one.

        A tree with other settings (of a move with a clock, for example) is not reused.
        """
        before, search = self._at, self._search
        is_like = search is not None and search.settings == settings
        if before is not None and search is not None and is_like and _goes_on(before, game):
            search.advance(
                [move.cell for move in game.moves[len(before.moves) :] if move.cell is not None]
            )
        else:
            search = tree.TreeSearch(position, settings)
        self._at, self._search = game, search
        return search


@contextmanager
def _failing() -> Iterator[None]:
    """Raise PlayerFileError for NetError: a net that fails loses a game but ends no tournament."""
    try:
        yield
    except NetError as error:
        raise PlayerFileError(str(error)) from error


def simulations(level: int) -> int:
    """Return the number of simulations of a level, twice that of the level below."""
    return 50 << (level - 1)


def _with_count(settings: tree.TreeSettings) -> tree.TreeSettings:
    """Return settings with a number of simulations, the default if none is set."""
    if settings.simulations is not None:
        return settings
    return replace(settings, simulations=SIMULATIONS if settings.playouts else ANSWERS)


def _goes_on(before: Game, game: Game) -> bool:
    """Return whether `game` continues `before` by one or more legal moves.

    Swaps, setup stones and a changed turn lead to positions outside the tree.
    """
    more = game.moves[len(before.moves) :]
    if not more:
        return False
    position = before.position()
    for move in more:
        if move.cell is None or move.color is not position.turn or not position.is_legal(move.cell):
            return False
        position = position.play(move.cell)
    return position == game.position()


def _choose(findings: tree.TreeFindings, limits: Limits) -> Choice:
    """Return the move that a search prefers, with the reason."""
    position, best = findings.position, findings.best
    mover, is_lost = position.turn, findings.winner is findings.position.turn.opponent
    if is_lost:
        cell = SearchPosition(position, limits, weak_links).best_tries()[0]
    elif best is None:
        cell = nearest_center(position.board, list(position.empty.search(1)))
    else:
        cell = best.cell
    line = findings.line if findings.line[:1] == (cell,) else (cell,)
    name = position.board.name(cell)
    if is_lost:
        reason = hexy.proof_reason(position, cell, mover.opponent)
    elif best is None:
        reason = f"{name} is nearest the center; there was no time to search."
    elif best.winner is mover:
        reason = hexy.proof_reason(position, cell, mover)
    else:
        chance = of_tree(findings)
        words = estimate_words(mover, 0.5 if chance is None else chance.of(mover), name)
        count = f"{best.visits:,} of {findings.visits:,}"
        reason = f"{words}, the first move in {count} simulations."
    winner = mover.opponent if is_lost else None if best is None else best.winner
    return Choice(cell, Rationale(reason, winner, line, findings=findings))


# Its options, as in `tree:level=3`, `tree:net=mine.net`, `tree:patterns=none`.

# With none of these the player uses the shipped net.
SAYS_HOW = {"level", "simulations", "net", "playouts", "patterns", "worth"}


def _tree(spec: str, options: dict[str, Any]) -> Player:
    solve, seconds = options.pop("solve", None), options.pop("time", None)
    if not options.keys() & SAYS_HOW:
        options["net"] = load_net()
    level = options.pop("level", None)
    if level is not None:
        options.setdefault("simulations", simulations(level))
    has_net = options.get("net") is not None
    has_value = isinstance(options.get("net"), Net) or load_net() is not None
    if has_net and not options.get("playouts", not has_value):
        options = tree.NET_ALONE | options
    if isinstance(options.get("net"), PolicyNet):
        options = tree.BY_POLICY_NET | options
    if not has_net:
        options.setdefault("patterns", load_patterns())
    if options.get("patterns") is not None:
        options = tree.BY_PATTERNS | options
    hurries = has_net and "int8" not in options and is_installed()
    try:
        settings = tree.TreeSettings(**options)
    except ValueError as error:
        raise naming.SpecError(f"{spec!r}: {error}") from None
    return TreePlayer(settings, solve=solve, seconds=seconds, hurries=hurries, name=spec)


def _look_at(text: str) -> int | None:
    return None if text == "root" else naming.read_number(text)


def _int8(text: str) -> bool:
    is_wanted = naming.read_yes(text)
    if is_wanted and not is_installed():
        raise ValueError(NEEDED)
    return is_wanted


TREE: naming.PlayerKind[Player] = (
    {
        "level": read_level,
        "simulations": lambda text: naming.read_count(text, 9),
        "look_at": _look_at,
        "expand_at": naming.read_number,
        "playouts": naming.read_yes,
        "blend": naming.read_decimal,
        "slope": naming.read_decimal,
        "prior": naming.read_decimal,
        "heat": naming.read_decimal,
        "rave": naming.read_decimal,
        "net": net_named,
        "ask_at": naming.read_number,
        "trust": naming.read_decimal,
        "int8": _int8,
        "patterns": file_or_shipped("patterns", load_patterns, read_patterns),
        "worth": naming.read_decimal,
        "solve": naming.read_number,
        "time": naming.read_seconds,
    },
    _tree,
)
