"""Analysis of one position by H-search and circuits, each part computed when first used.

`TurnlessAnalysis` has what follows from the stones alone. `ConnectionAnalysis` is a view of it for
one player to move: it holds the turn, and caches only what depends on the turn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from hsearch.analysis.circuit import HEXY, Circuits, circuits, wiring_of
from hsearch.connect import (
    DEFAULT_LIMITS,
    NO_DEPTH,
    Connection,
    Depth,
    HSearchOptions,
    Knowledge,
    Limits,
)
from hsearch.connect.closure import closure_of_both
from hsearch.connect.connection import few_of, or_rule
from hsearch.connect.deduction import Deduction
from hsearch.connect.mustplay import MustPlay, empty_mustplay, meet_threats, mustplay
from hsearch.connect.regions import FilledPosition, decompose, local_connections
from hsearch.connect.store import Store
from hsearch.hex import Color, Game, Position, winner
from hsearch.hex.board import ByColor
from hsearch.hex.face import Pictured, guide
from hsearch.hex.game import position_of
from hsearch.kernels import stop
from hsearch.kernels.cache import working_seconds
from hsearch.kernels.circuit import Links
from hsearch.strategy.needed_regions import drop_needless_regions

_DEPTH_OF_ALL = Depth(1, 200)


@dataclass(eq=False, repr=False)
class TurnlessAnalysis:
    """What connections and circuits show of stones, whoever is to move.

    All views of the same stones share it. The only state is a cache of results.

    position      the stones; its turn is always Black's, and means nothing
    options       what may find connections, and the time for it
    links         the wiring of the circuits
    is_cut_short  whether time ran out in regions or deduction: stores report their own limits
    seconds       by part, without the compiling of kernels
    """

    position: Position
    options: HSearchOptions
    links: str
    is_cut_short: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    _spent: float = 0.0  # seconds of the time limit used by regions and deduction
    _real_semis: dict[Color, list[Connection]] = field(default_factory=dict)
    _deductions: dict[Color, Connection | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Forget the turn."""
        self.position = replace(self.position, turn=Color.BLACK)

    @property
    def nbytes(self) -> int:
        """Bytes of the connections of both players, and of the filled board's if it is computed."""
        stores, decomposition = [*self.stores.values()], vars(self).get("filled")
        if decomposition is not None:
            stores += decomposition.stores.values()
        return sum(store.nbytes for store in stores)

    @cached_property
    def chain(self) -> Color | None:
        """The player whose stones join the player's edges; None if the game is not over."""
        return winner(self.position)

    @cached_property
    def stores(self) -> ByColor[Store]:
        """The connections of both players."""
        start = working_seconds()
        stores = closure_of_both(self.position, self.options.limits, seconds=self.options.seconds)
        self.seconds["closure"] = working_seconds() - start
        return stores

    @cached_property
    def circuits(self) -> Circuits:
        """The two circuits, wired with the full connections."""
        fulls = {color: Links(*store.full_links()) for color, store in self.stores.items()}
        start = working_seconds()
        both = circuits(self.position, *fulls.values(), links=self.links)
        self.seconds["circuit"] = working_seconds() - start
        return both

    @cached_property
    def filled(self) -> FilledPosition | None:
        """The position with enclosed regions filled.

        None if a player's edges are joined already, by a full or by stones, or if time ran out.
        """
        if any(store.has_chain or store.edge_fulls for store in self.stores.values()):
            return None
        start = working_seconds()
        with self._in_time():
            decomposition = decompose(self.position, local_connections(self.options.limits))
        self.seconds["local"] = working_seconds() - start
        return None if self.is_cut_short else decomposition

    @cached_property
    def filled_fulls(self) -> dict[Color, Connection]:
        """Each player's smallest edge-to-edge full of the filled board, for the real board."""
        if self.filled is None:
            return {}
        return {
            color: self._real(self.filled, color, store.edge_fulls[0])
            for color, store in self.filled.stores.items()
            if store.edge_fulls
        }

    def filled_semis(self, color: Color) -> Iterator[Connection]:
        """Yield a player's edge-to-edge semis of the filled board, for the real board."""
        if self.filled is None:
            return
        cache = self._real_semis.setdefault(color, [])
        for place, semi in enumerate(self.filled.stores[color].edge_semis):
            # Converted once, unless another thread has filled the place meanwhile.
            real = cache[place : place + 1] or [self._real(self.filled, color, semi)]
            cache[place : place + 1] = real
            yield cache[place]

    def _real(
        self, decomposition: FilledPosition, color: Color, connection: Connection
    ) -> Connection:
        """Return the connection of the real board that one of the filled board stands for."""
        return drop_needless_regions(self.position, color, decomposition.real(color, connection))

    @cached_property
    def unions(self) -> dict[Color, Connection]:
        """The fulls that OR makes of edge-to-edge semis, if the limits kept the closure from it.

        With K=2 and no `greedy_union`, the closure does not join three semis each two of which
        share a cell. Without these fulls the must-play region could be empty without a full.
        """
        if self.options.limits.greedy_union:
            return {}
        fulls = {color: or_rule(*few_of(each.edge_semis)) for color, each in self.stores.items()}
        return {color: full for color, full in fulls.items() if full is not None}

    @cached_property
    def filled_unions(self) -> dict[Color, Connection]:
        """The same with regions filled, for the players whose semis of the rules make no full.

        Join the semis of the filled board if that suffices, else with those of the rules.
        """
        unions: dict[Color, Connection] = {}
        if self.options.limits.greedy_union or self.filled is None:
            return unions
        for color, store in self.stores.items():
            if color in self.unions:
                continue
            union = or_rule(*few_of(self.filled.stores[color].edge_semis))
            full = None if union is None else self._real(self.filled, color, union)
            full = full or or_rule(*few_of((*store.edge_semis, *self.filled_semis(color))))
            if full is not None:
                unions[color] = full
        return unions

    def deduction(self, color: Color) -> Connection | None:
        """Return the full between a player's edges by must-play deduction; None without one."""
        if color not in self._deductions:
            self._deductions[color] = self._deduce(color)
        return self._deductions[color]

    def _deduce(self, color: Color) -> Connection | None:
        depth = self.options.depth
        full: Connection | None = None
        if self.options.knowledge is Knowledge.ALL and not depth.replies:
            depth = _DEPTH_OF_ALL
        if depth.replies:
            deduction = Deduction(color, depth, self.options.limits)
            with self._in_time():
                full = deduction.full(self.position, *self.position.board.edges(color))
        return full

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Stop the block when time runs out, and record that it was cut short."""
        spent, most = self.seconds.get("closure", 0.0) + self._spent, self.options.seconds
        start = working_seconds()
        with stop.within(None if most is None else most - spent):
            try:
                yield
                stop.check(late=True)
            except stop.Stopped:
                stop.check()
                self.is_cut_short = True
            finally:
                self._spent += working_seconds() - start


class ConnectionAnalysis(Pictured):
    """Analysis of a position by H-search, within its limits, and by circuits.

    `knowledge` selects the methods, besides AND and OR, that may find edge-to-edge connections.
    With a `depth`, must-play deduction looks for a full between a player's edges where H-search
    has none. `links` names the wiring of the circuits. `seconds` limits the total time of the
    search for connections: those found by then are valid, but `complete` is false. `turnless` is
    the part that all analyses of the same stones share. The only state is a cache of results.
    """

    @guide
    def __init__(
        self,
        position: Position | Game,
        limits: Limits = DEFAULT_LIMITS,
        depth: Depth = NO_DEPTH,
        knowledge: Knowledge = Knowledge.RULES,
        *,
        links: str = HEXY,
        seconds: float | None = None,
    ) -> None:
        """Prepare the analysis of a position, or of a game at its cursor; compute nothing yet.

        Raise ValueError for unknown `knowledge` or `links`, and TypeError for a wrong type.
        """
        position = position_of(position)
        wiring_of(links)
        options = HSearchOptions(limits, depth, Knowledge(knowledge), seconds)
        self._view(position, TurnlessAnalysis(position, options, links))

    def _view(self, position: Position, turnless: TurnlessAnalysis) -> None:
        """Begin without any result that depends on the turn."""
        self.position, self.turnless = position, turnless
        self.options, self.links, self.seconds = turnless.options, turnless.links, turnless.seconds

    def with_turn(self, turn: Color | str) -> Self:
        """Return the analysis of the same stones with another player to move.

        What does not depend on the turn is not computed again.
        """
        other = object.__new__(type(self))
        other._view(replace(self.position, turn=Color.of(turn)), self.turnless)
        return other

    def prepare(self, *, circuits: bool = True) -> None:
        """Compute now what takes long: connections of any method and, by default, circuits."""
        if circuits:
            _ = self.circuits
        _ = self.deduced

    def _display_module(self) -> str:
        return "player.answers.position"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.position!r}>"

    @property
    def is_cut_short(self) -> bool:
        """Whether time ran out in regions or deduction: stores report their own limits."""
        return self.turnless.is_cut_short

    @property
    def complete(self) -> bool:
        """Whether no limit was reached, so that nothing the rules can derive is missing."""
        return not self.is_cut_short and all(s.counts.complete for s in self.stores.values())

    @property
    def is_late(self) -> bool:
        """Whether time ran out before the search finished."""
        limits = (limit for store in self.stores.values() for limit in store.counts.limits_bound)
        return self.is_cut_short or "time" in limits

    @property
    def chain(self) -> Color | None:
        """The player whose stones join the player's edges; None if the game is not over."""
        return self.turnless.chain

    @property
    def stores(self) -> ByColor[Store]:
        """The connections of both players, by color or its word."""
        return self.turnless.stores

    @cached_property
    def circuits(self) -> Circuits:
        """The two circuits, wired with the full connections."""
        return replace(self.turnless.circuits, position=self.position)

    @cached_property
    def _fills_regions(self) -> bool:
        return self.options.knowledge is not Knowledge.RULES

    @cached_property
    def filled(self) -> FilledPosition | None:
        """The position with enclosed regions filled.

        None if `knowledge` excludes that, if a player's edges are joined already, by a full or
        by stones, or if time ran out.
        """
        decomposition = self.turnless.filled if self._fills_regions else None
        if decomposition is None:
            return None
        return replace(
            decomposition, position=replace(decomposition.position, turn=self.position.turn)
        )

    @property
    def _filled_fulls(self) -> dict[Color, Connection]:
        return self.turnless.filled_fulls if self._fills_regions else {}

    def _filled_semis(self, color: Color) -> Iterator[Connection]:
        return self.turnless.filled_semis(color) if self._fills_regions else iter(())

    @cached_property
    def deduced(self) -> ByColor[Connection]:
        """The fulls between a player's edges that only must-play deduction finds."""
        proofs = ByColor[Connection]()
        for color, store in self.stores.items():
            is_joined = store.has_chain or store.edge_fulls or color in self._filled_fulls
            full = None if is_joined else self.turnless.deduction(color)
            if full is not None:
                proofs[color] = full
        return proofs

    def edge_fulls(self, color: Color | str) -> tuple[Connection, ...]:
        """Return the known fulls between a player's edges, by any method, smallest first."""
        color = Color.of(color)
        if self.stores[color].edge_fulls:
            return tuple(self.stores[color].edge_fulls)
        fulls = self._filled_fulls.get(color) or self.deduced.get(color)
        return () if fulls is None else (fulls,)

    def edge_semis(self, color: Color | str) -> tuple[Connection, ...]:
        """Return the known semis between a player's edges: those of the two rules first."""
        return tuple(self._edge_semis(Color.of(color)))

    def _edge_semis(self, color: Color) -> Iterator[Connection]:
        yield from self.stores[color].edge_semis
        yield from self._filled_semis(color)

    def edge_to_edge(self, color: Color | str) -> str | None:
        """Return how a player's edges are joined: `chain`, `full`, `semi`; None if they are not."""
        color = Color.of(color)
        if self.chain is color:
            return "chain"
        store, ends = self.stores[color], self.position.board.edges(color)
        if store.has_full(*ends) or self.edge_fulls(color):
            return "full"
        has_semi = store.has_semi(*ends) or next(self._filled_semis(color), None)
        return "semi" if has_semi else None

    def edge_connection(self, color: Color | str) -> Connection | None:
        """Return a player's best connection between the edges, the smallest of its kind."""
        color = Color.of(color)
        return next(iter(self.edge_fulls(color)), None) or next(self._edge_semis(color), None)

    @cached_property
    def winner(self) -> Color | None:
        """The player who is proved to win; None if neither is.

        A semi connection counts for the player to move.
        """
        turn = self.position.turn
        for color in Color:
            decisive = ("chain", "full", "semi") if color is turn else ("chain", "full")
            if self.edge_to_edge(color) in decisive:
                return color
        return None

    @property
    def proof(self) -> str | None:
        """Kind of proof of the win: `chain`, `full` or `semi`; None if there is none."""
        return None if self.winner is None else self.edge_to_edge(self.winner)

    @cached_property
    def mustplay(self) -> MustPlay:
        """The must-play region of the player to move."""
        opponent = self.position.turn.opponent
        if self.chain is opponent:
            return mustplay(self.position, self.stores[opponent])
        fulls = self.edge_fulls(opponent)
        if fulls:
            return empty_mustplay(self.position, fulls[0])
        return meet_threats(self.position, self.edge_semis(opponent))
