"""All that is known of a position: the winner, the proof, the chance to win, the best moves.

`hsearch.analysis.analysis` has what the rules of connections derive. The winner here is decided
by the first of: a chain; the end of a record; a connection by the two rules; one by regions,
windows and templates; a proof stored in this process; the solver, within its budget; the shipped
maps of openings. The chance is 1 or 0 if the winner is known; else the result of a tree search,
if one ran; else the estimate of `player.search.chances`. All hosts query this class, so their
answers agree.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from threading import Event
from typing import Any, Self, TypeAlias

from hsearch.analysis import analysis as connections
from hsearch.analysis.circuit import HEXY
from hsearch.connect import DEFAULT_LIMITS, NO_DEPTH, Connection, Depth, Knowledge, Limits
from hsearch.connect.mustplay import MustPlay
from hsearch.hex import Color, Game, Outcome, Position
from hsearch.hex.face import guide
from hsearch.kernels.cache import working_seconds
from player.answers.memory import MEMORY, ByConnection, ByRecord, Memory, Proved, Source
from player.search.chances import BestMoves, Chance, estimate
from player.solve.budget import SLOW, TRIES_A_SECOND
from player.variants import warn_of_other_turns
from player.variants.plain import awaits_swap

SEARCH_SECONDS = 0.3  # of a free core, for the solver, if nothing cheaper decides
MOST_CELLS = 225  # on larger boards the solver does not run by default
# With more empty cells than this, or than this share of all, the solver rarely proves anything.
OPENING, OPENING_SHARE = 95, 0.785


def budget(seconds: float, position: Position) -> int:
    """Return the solver's budget in tries of the rules: those of `seconds` of a free core.

    It is less with many empty cells, where the solver rarely proves anything.
    """
    cells = position.board.size
    most = max(OPENING, OPENING_SHARE * cells)
    share = min(1.0, (most / max(1, position.empty.count())) ** 16)
    return round(seconds * TRIES_A_SECOND * share)


class Analysis(connections.ConnectionAnalysis):
    """Analysis of a position, with the winner by the solver and by earlier proofs.

    `search` bounds the solver, in seconds of a free core. 0 turns off the solver and the filling
    of regions, but not earlier proofs and the maps. None uses only the connections that `limits`,
    `depth` and `knowledge` allow. On boards of more than 225 cells, where a search would take
    seconds, 0.3, the default, means 0. Setting `cancel` stops the solver. `ended` is the winner
    by the record, if it ends here. `before_swap` marks a position in which a swap is possible;
    all answers ignore the swap. A `Game` provides both. `searched` holds the chance that a search
    for the best moves has found.

    >>> from hsearch import Game, Board
    >>> Analysis(Game.of(Board(5, 5), ["c3"])).winner
    Color.BLACK
    """

    @guide
    def __init__(  # noqa: PLR0913 - options of connections and of the solver
        self,
        position: Position | Game,
        limits: Limits = DEFAULT_LIMITS,
        depth: Depth = NO_DEPTH,
        knowledge: Knowledge = Knowledge.RULES,
        *,
        links: str = HEXY,
        seconds: float | None = None,
        cancel: Event | None = None,
        search: float | None = SEARCH_SECONDS,
        memory: Memory = MEMORY,
        ended: Outcome | None = None,
        before_swap: bool = False,
    ) -> None:
        """Prepare to analyze a position or the current position of a game; compute nothing yet."""
        super().__init__(position, limits, depth, knowledge, links=links, seconds=seconds)
        if search == SEARCH_SECONDS and self.position.board.size > MOST_CELLS:
            search = 0.0
        if not isinstance(position, Position):
            warn_of_other_turns(position)
        if ended is None and not isinstance(position, Position):
            ended, before_swap = position.ending(), awaits_swap(position)
        self._open(search, memory, cancel, ended, before_swap=before_swap)

    def _open(
        self,
        search: float | None,
        memory: Memory,
        cancel: Event | None,
        ended: Outcome | None,
        *,
        before_swap: bool,
    ) -> None:
        """Begin without a chance or a proof by memory or the solver."""
        self.search, self.memory, self.cancel = search, memory, cancel
        self.ended, self.before_swap = ended, before_swap
        self.searched: Chance | None = None
        self._learned: Proved | None = None

    def __copy__(self) -> Self:
        """Return another analysis with all results so far and the same memory."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        return other

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"memory": None, "cancel": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the results of another process, with the memory of this one."""
        vars(self).update(state | {"memory": MEMORY})

    @classmethod
    def of(cls, view: connections.ConnectionAnalysis) -> "Analysis":
        """Return `view` if it is an `Analysis`; else wrap it, without solver, memory and maps."""
        if isinstance(view, Analysis):
            return view
        other = object.__new__(cls)
        other._view(view.position, view.turnless)
        other._open(None, MEMORY, None, None, before_swap=False)
        return other

    def with_turn(self, turn: Color | str) -> Self:
        """Return the analysis of the same stones with another player to move."""
        other = super().with_turn(turn)
        swap = self.before_swap and other.position.turn is self.position.turn
        other._open(self.search, self.memory, self.cancel, self.ended, before_swap=swap)  # noqa: SLF001
        return other

    def with_end(self, ended: Outcome | None, *, before_swap: bool = False) -> Self:
        """Return the analysis of the same position with another end of the game, or none."""
        if (ended, before_swap) == (self.ended, self.before_swap):
            return self
        other = copy(self)
        other.ended, other.before_swap = ended, before_swap
        return other

    @cached_property
    def _fills_regions(self) -> bool:
        """Whether regions are filled: by request, or with a `search` if the rules find no win."""
        if self.options.knowledge is not Knowledge.RULES:
            return True
        return bool(self.search) and not self.stores[self.position.turn].edge_semis

    @property
    def proved(self) -> Proved | None:
        """The player who has won or is proved to win, and how; None while that is open."""
        if self.ended is None or self.chain is not None:
            return self.standing
        return Proved(self.ended.winner, ByRecord(self.ended.ending))

    @property
    def standing(self) -> Proved | None:
        """The proved winner of the position, however the game ended; None while it is open.

        None is not cached: a later query may succeed.
        """
        return self.connected or self._learn()

    @property
    def mustplay(self) -> MustPlay:
        """The must-play region of the player to move: empty if every move is proved to lose.

        Its threats are connections. If something else proves the loss, they may leave moves open.
        """
        region, standing = self.threatened, self.standing
        if standing is None or standing.winner is self.position.turn:
            return region
        return replace(region, cells=self.position.board.only())

    @cached_property
    def threatened(self) -> MustPlay:
        """The must-play region by connections alone."""
        return super().mustplay

    def best_moves(self, seconds: float | None = 1.0) -> BestMoves:
        """Return the moves to play: the proved wins, else the best of a search of `seconds`."""
        from player.answers.candidates import best_moves  # noqa: PLC0415 - loads the tree search

        return best_moves(self, seconds)

    @property
    def winner(self) -> Color | None:
        """The player who has won or is proved to win; None while that is open."""
        proof = self.proved
        return None if proof is None else proof.winner

    @property
    def chance(self) -> Chance:
        """The chances of both players with their source; estimated only if no winner is known."""
        winner = self.winner
        if winner is None:
            return self.searched or self._estimate
        standing = self.standing
        is_proved = standing is not None and standing.winner is winner
        return Chance.sure(winner, "proof" if is_proved else "record")

    @cached_property
    def _estimate(self) -> Chance:
        return estimate(self.position)

    @property
    def proof(self) -> str | None:
        """Kind of the proof, a word of `Proved.kind`; None if there is none."""
        proof = self.proved
        return None if proof is None else proof.kind

    def written_proof(
        self,
        seconds: float | None = None,
        on_progress: Callable[[str], object] = lambda _text: None,
    ) -> str:
        """Return the proof of the winner in the format of `hsearch verify`.

        `seconds` and `on_progress` are those of `Memory.proof`, which may have to search: for
        hours, where only a map of openings proves the winner. Raise ValueError when no winner is
        proved, and OutOfTimeError when the time is up.
        """
        if self.standing is None:
            raise ValueError("who wins is not proved")
        return self.memory.proof(self.position, seconds, on_progress)

    @cached_property
    def connected(self) -> Proved | None:
        """The winner by a chain or a connection: the cheapest first, those of the two rules."""
        if self.chain is not None:
            return Proved(self.chain, Source.CHAIN)
        turn = self.position.turn
        for color, store in self.stores.items():
            if store.edge_fulls:
                return _by(color, store.edge_fulls[0])
        if self.stores[turn].edge_semis:
            return _by(turn, self.stores[turn].edge_semis[0])
        for color in self.stores:
            fulls = self.edge_fulls(color)
            if fulls:
                return _by(color, fulls[0], is_deduced=color in self.deduced)
        semis = self.edge_semis(turn)
        return _by(turn, semis[0]) if semis else None

    def edge_fulls(self, color: Color | str) -> tuple[Connection, ...]:
        """Return the known fulls between a player's edges, smallest first, by any method."""
        color = Color.of(color)
        if fulls := super().edge_fulls(color):
            return fulls
        union = self.turnless.unions.get(color)
        if union is None and self._fills_regions:
            union = self.turnless.filled_unions.get(color)
        return () if union is None else (union,)

    def _learn(self) -> Proved | None:
        """Return a proof that memory has or that the solver finds within the budget; else None."""
        if self.search is None or self._learned is not None:
            return self._learned
        start = working_seconds()
        tries = budget(self.search, self.position)
        most = SLOW * self.search if self.search else None
        self._learned = self.memory.ask(self.position, tries, most, self.cancel)
        self.seconds["solver"] = self.seconds.get("solver", 0) + working_seconds() - start
        return self._learned


AnalysesByTurn: TypeAlias = Mapping[Color, Analysis]  # by the player to move


def _by(color: Color, connection: Connection, *, is_deduced: bool = False) -> Proved:
    return Proved(color, ByConnection(connection, is_deduced), connection.key)
