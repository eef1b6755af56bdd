"""An analysis that knows all that this program knows of who wins.

`hsearch.analysis` sees what the rules of connections derive. Here whoever asks gets the
first of these that decides: a chain; a connection by the two rules; one by regions,
windows and templates; what was proved before in this process; the solver, as far as its
budget goes; the shipped maps of openings. Every host asks this one object, so all agree.
"""

import time
from functools import cached_property
from typing import TYPE_CHECKING

from hsearch import analysis as connections
from hsearch.circuit import HEXY
from hsearch.closure import Limits
from hsearch.decomposition import Knowledge
from hsearch.deduction import Depth
from player.answers.memory import MEMORY, Memory, Proved, positions_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from hsearch.board import Color
    from hsearch.connection import Connection
    from hsearch.game import Game
    from hsearch.position import Position

SEARCH_SECONDS = 0.3  # of a free core, for the solver, where nothing cheaper decides
MOST_CELLS = 225  # of a board on which that is searched for
_DEFAULT = Limits()
_NO_DEPTH = Depth(0)
_OF_WINNER = {"winner", "proved", "connected"}


class Analysis(connections.Analysis):
    """Analysis of a position, with what the solver and this process know of who wins.

    `search` bounds the solver, in seconds of a free core; with 0 nothing is searched for, not
    even regions and windows, and with None only the connections are asked that `limits`,
    `depth` and `knowledge` allow. By default nothing is searched for on boards of more than
    225 cells, where that would take seconds. `cancel` ends the solver's work when it is set.

    >>> from hsearch import Game, Board
    >>> Analysis(Game.of(Board(5, 5), ["c3"])).winner
    <Color.BLACK: 0>
    """

    def __init__(  # noqa: PLR0913 - what connections take, and two more
        self,
        position: "Position | Game",
        limits: Limits = _DEFAULT,
        depth: Depth = _NO_DEPTH,
        knowledge: Knowledge = Knowledge.RULES,
        *,
        links: str = HEXY,
        on_step: "Callable[[], object]" = lambda: None,
        cancel: "Event | None" = None,
        search: float | None = SEARCH_SECONDS,
        memory: Memory = MEMORY,
    ) -> None:
        """Prepare to analyze a position, or where a game stands; nothing is computed yet."""
        super().__init__(position, limits, depth, knowledge, links=links, on_step=on_step)
        if search == SEARCH_SECONDS and self.position.board.size > MOST_CELLS:
            search = 0.0
        self.search, self.memory, self.cancel = search, memory, cancel

    @classmethod
    def of(cls, seen: connections.Analysis) -> "Analysis":
        """Return an analysis as it is, or one of connections alone as one that knows no more."""
        if isinstance(seen, Analysis):
            return seen
        other = cls(
            seen.position, seen.limits, seen.depth, seen.knowledge, links=seen.links, search=None
        )
        other.__dict__.update(
            {name: value for name, value in seen.__dict__.items() if name not in _OF_WINNER}
        )
        return other

    def with_turn(self, turn: "Color") -> "Analysis":
        """Return the analysis of the same stones with another player to move."""
        seen = super().with_turn(turn)
        other = Analysis(
            seen.position,
            self.limits,
            self.depth,
            self.knowledge,
            links=self.links,
            on_step=self.on_step,
            cancel=self.cancel,
            search=self.search,
            memory=self.memory,
        )
        other.__dict__.update(seen.__dict__)
        return other

    @property
    def _fills_regions(self) -> bool:
        return bool(self.search) or super()._fills_regions

    @cached_property
    def proved(self) -> Proved | None:
        """Who is proved to win, and by what; None while that is open."""
        return self.connected or self._remembered()

    @cached_property
    def winner(self) -> "Color | None":
        """The player who is proved to win; None if neither is."""
        return None if self.proved is None else self.proved.winner

    @property
    def proof(self) -> str | None:
        """Kind of the proof, as `Proved` names it; None if there is none."""
        if self.proved is None:
            return None
        return "full" if self.proved.by == "deduction" else self.proved.by

    @property
    def proving(self) -> "Connection | None":
        """The connection that proves who wins; None if none does."""
        return None if self.proved is None else self.proved.connection

    @cached_property
    def connected(self) -> Proved | None:
        """What stones or connections prove: those of the rules first, which cost least."""
        if self.chain is not None:
            return Proved(self.chain, "chain", 0)
        turn = self.position.turn
        for color, store in self.stores.items():
            if store.edge_fulls:
                return _by(color, store.edge_fulls[0], None)
        if self.stores[turn].edge_semis:
            semi = self.stores[turn].edge_semis[0]
            return _by(turn, semi, semi.key)
        for color in self.stores:
            fulls = self.edge_fulls(color)
            if fulls:
                return _by(color, fulls[0], None, is_deduced=color in self.deduced)
        semis = self.edge_semis(turn)
        return _by(turn, semis[0], semis[0].key) if semis else None

    def _remembered(self) -> Proved | None:
        """Return what this process knows, or what the solver finds within the budget."""
        if self.search is None:
            return None
        start = time.perf_counter()
        positions = positions_in(self.search, self.position.board)
        found = self.memory.ask(self.position, positions, self.cancel)
        self.seconds["solver"] = time.perf_counter() - start
        return found


def _by(
    color: "Color", connection: "Connection", key: "int | None", *, is_deduced: bool = False
) -> Proved:
    kind = "deduction" if is_deduced else "full" if key is None else "semi"
    return Proved(color, kind, connection.carrier.count(), connection, key)
