"""Whether two points are connected, and why: the query, its sentences, JSON and marks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import Connection, HSearchOptions, Knowledge, closure, deduction, regions
from hsearch.connect.store import Store
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position
from hsearch.hex.position import subgame
from hsearch.render.text import Marks, quantity
from hsearch.strategy import words
from hsearch.strategy.explain import Argument, Case, Explanation, Part, explain
from hsearch.strategy.missing import BUDGET, Missing, PlayOutcome, PlayVerdict, missing
from hsearch.strategy.reply import StrategyState
from player.answers.analysis import SEARCH_SECONDS, Analysis
from player.answers.limits import begin_analysis, options_object, solver_seconds
from player.answers.memory import MEMORY, Memory, Proved, Source
from player.answers.objects import position_object
from player.answers.solved import proof_sentence
from player.solve.pair import PairAnswer
from player.work.clock import TimeLeft


@dataclass(frozen=True, slots=True)
class Question:
    """The question whether two points are connected, and its answer.

    position    the position that the question is about
    turn        the player to move; None if unknown
    store       all connections of the owner
    ends        the two points, as the user named them
    connection  the smallest full that joins them, else the smallest semi; None
                if there is neither
    within      the only empty cells that may be used; None if all may
    answer      the answer of the solver; None if it was not asked
    proof       if the ends are the owner's edges, who is proved to win; None if that is open, or
                if the connection says it
    """

    position: Position
    turn: Color | None
    store: Store
    ends: tuple[Point, Point]
    connection: Connection | None
    within: CellSet | None = None
    answer: PairAnswer | None = None
    proof: Proved | None = None

    @property
    def color(self) -> Color:
        """The owner."""
        return self.store.color

    @property
    def subgame(self) -> Position:
        """The position, with an opponent's stone on each cell that may not be used."""
        return restrict(self.position, self.color, self.within, self.ends)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the ends."""
        x, y = map(self.position.board.name, self.ends)
        return x, y

    @property
    def is_chain(self) -> bool:
        """Whether a chain of the owner's stones joins the ends."""
        return are_joined_by_stones(self.store, self.ends)

    @property
    def is_settled(self) -> bool:
        """Whether the ends are joined, given who is to move."""
        if self.connection is None:
            return self.is_chain
        return self.connection.is_full or self.turn is self.color

    def why(self) -> Explanation | None:
        """Explain the connection; None if there is none."""
        if self.connection is None:
            return None
        why = explain(self.subgame, self.color, self.connection)
        return replace(why, position=self.position, ends=tuple(map(self._end_name, self.ends)))

    def _end_name(self, end: Point) -> str:
        """Return the name of an end, with the name of its group if that differs."""
        captain, name = self.store.captain(end), self.position.board.name
        return name(end) if captain in {None, end} else f"{name(end)} (group {name(captain)})"

    def lack(self, budget: int = BUDGET) -> Missing | None:
        """Return what the ends lack, by at most `budget` positions of play; None if joined.

        Where play is inconclusive, the solver's answer counts, if it was asked.
        """
        if self.is_settled:
            return None
        shortfall = missing(self.subgame, self.store, *self.ends, budget, fallback=self.connection)
        answer = self.answer
        if answer is None or answer.joined is None or answer.template is not None:
            return shortfall
        return replace(shortfall, beyond=self._outcome(answer)) if shortfall.is_open else shortfall

    def _outcome(self, answer: PairAnswer) -> PlayOutcome:
        nothing = self.position.board.only()
        verdict = PlayVerdict.HOLDS if answer.joined else PlayVerdict.REFUTED
        if answer.joined or answer.first is False or answer.intrusion is not None:
            return PlayOutcome(verdict, answer.intrusion, nothing, answer.positions)
        return PlayOutcome(PlayVerdict.UNKNOWN, None, nothing, answer.positions)


def owner_of(position: Position, ends: tuple[Point, Point], color: Color | None) -> Color | None:
    """Return who may connect two points: `color` if given, else the owner of one of them.

    Return None if both are empty cells and no color is given. Raise ValueError when they are one
    point, belong to different players, or one to the opponent of `color`.
    """
    board = position.board
    if ends[0] == ends[1]:
        raise ValueError(f"{board.name(ends[0])!r} twice: a connection has two ends")
    owners = {end: owner for end in ends if (owner := _owner(position, end)) is not None}
    whose = [f"{board.name(end)} is {owner.title}'s" for end, owner in owners.items()]
    if len(set(owners.values())) > 1:
        raise ValueError(f"{' and '.join(whose)}: nothing joins them")
    owner = next(iter(owners.values()), color)
    if color is not None and owner is not color:
        raise ValueError(f"{whose[0]}, so it is not an end for {color.title}")
    return owner


def are_joined_by_stones(store: Store, ends: tuple[Point, Point]) -> bool:
    """Return whether two points are of one group of the owner, so that nothing need join them."""
    x, y = map(store.captain, ends)
    return x is not None and x == y


def are_edges(store: Store, ends: tuple[Point, Point]) -> bool:
    """Return whether two points stand for the owner's edges, so that the question is who wins."""
    edges = store.board.edges(store.color)
    return set(map(store.captain, ends)) == set(map(store.captain, edges))


def ask(  # noqa: PLR0913 - the options of one question
    position: Position,
    turn: Color | None,
    color: Color,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    *,
    within: CellSet | None = None,
    store: Store | None = None,
    clock: TimeLeft | None = None,
    memory: Memory = MEMORY,
) -> Question:
    """Find the best connection of two points for a player, `within` some cells or anywhere.

    The two rules come first, then deduction, then all other knowledge, then the solver, within
    the time limit of `options`, or what `clock` has left of it. `store` is the closure, if the
    caller has it. `memory` has what was proved before.
    """
    whole, position = position, restrict(position, color, within, ends)
    clock = TimeLeft(options.seconds) if clock is None else clock
    if store is None:
        store = closure.closures({color: position}, options.limits, seconds=clock.left)[color]
    full = next(iter(store.fulls(*ends)), None)
    if full is None:
        with clock.running():
            full = deduction.deduce(position, store, ends, options.limits, options.depth)
    answer = Sought(full)
    if full is None:
        answer = beyond(position, store, ends, options, clock, memory)
    connection = answer.connection
    if connection is None or not connection.is_full:
        connection = next(iter(store.semis(*ends)), connection)
    question = Question(whole, turn, store, ends, connection, within, answer.answer)
    return question if within is not None else _with_winner(question, options, memory)


def _with_winner(question: Question, options: HSearchOptions, memory: Memory) -> Question:
    """Return a question about a player's edges with who is proved to win, if it is open."""
    position, color, turn = question.position, question.color, question.turn
    is_asked = are_edges(question.store, question.ends) and bool(solver_seconds(options))
    if turn is None or question.is_settled or not is_asked:
        return question
    position = replace(position, turn=turn)
    standing = begin_analysis(options, position, search=SEARCH_SECONDS, memory=memory).standing
    if standing is not None and standing.winner is color and standing.connection is not None:
        return replace(question, connection=standing.connection)
    return replace(question, proof=standing)


def connections_between(  # noqa: PLR0913 - the options of one question
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    store: Store,
    *,
    kind: str | None = None,
    within: CellSet | None = None,
    clock: TimeLeft | None = None,
) -> list[Connection]:
    """Return a player's connections of two points: fulls, then semis, or those of one `kind`.

    They are those of the two rules, which `store` holds, and the one of `ask` if that is none
    of them. If only semis are wanted, it is asked only where the rules find none.
    """
    connections = [*store.fulls(*ends), *store.semis(*ends)]
    if kind != "semi" or not store.semis(*ends):
        question = ask(
            position, None, color, ends, options, within=within, store=store, clock=clock
        )
        best = question.connection
        connections = connections if best is None or best in connections else [best, *connections]
    return [connection for connection in connections if kind in {None, connection.kind}]


def ask_between(
    analysis: Analysis, names: tuple[Point | str, Point | str], color: Color | None
) -> Question:
    """Find the best connection of two points in an analyzed position, as `ask` does.

    Raise ValueError if they are one, if one is the opponent's, or if both are empty cells and no
    color is given.
    """
    position, board = analysis.position, analysis.position.board
    first, second = map(board.point, names)
    owner = owner_of(position, (first, second), color)
    if owner is None:
        raise ValueError("both ends are empty cells: whose connection is it? give a color")
    options, store = analysis.options, analysis.stores[owner]
    ends, memory = (first, second), analysis.memory
    return ask(position, position.turn, owner, ends, options, store=store, memory=memory)


def restrict(
    position: Position, color: Color, within: CellSet | None, ends: tuple[Point, ...] = ()
) -> Position:
    """Return a player's sub-game within some cells; the position itself if `within` is None."""
    return position if within is None else subgame(position, color, within, *ends)


@dataclass(frozen=True, slots=True)
class Sought:
    """A connection found beyond H-search, if any, and the solver's answer, if it was asked."""

    connection: Connection | None = None
    answer: PairAnswer | None = None


_SHORTEST = 0.001  # seconds for the solver when the search has used up the limit


def beyond(
    position: Position,
    store: Store,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    clock: TimeLeft,
    memory: Memory = MEMORY,
) -> Sought:
    """Find a full or a semi beyond H-search and deduction; the solver comes last."""
    if are_joined_by_stones(store, ends):
        return Sought()
    semi = None
    if are_edges(store, ends):
        seconds = clock.left
        analysis = ConnectionAnalysis(
            position, options.limits, options.depth, Knowledge.ALL, seconds=seconds
        )
        best = analysis.edge_connection(store.color)
        if best is not None and best.is_full:
            return Sought(best)
        semi = best
    else:
        fulls: list[Connection] = []
        with clock.running():
            fulls = regions.local_connections(options.limits)(position, store.color).fulls(*ends)
        if fulls:
            return Sought(fulls[0])
    budget, time_left = solver_seconds(options), clock.left
    if not budget:
        return Sought(semi)
    seconds = None if time_left is None else max(time_left, _SHORTEST)
    x, y = ends
    captains = store.captain(x), store.captain(y)
    answer = memory.join(position, store.color, ends, captains=captains, seconds=seconds)
    answer = replace(answer, seconds=budget)
    connection = answer.connection
    if semi is not None and (connection is None or not connection.is_full):
        connection = semi
    return Sought(connection, answer)


def _owner(position: Position, point: Point) -> Color | None:
    if position.board.is_edge(point):
        return next(color for color in Color if point in position.board.edges(color))
    return position.color_at(point)


# Connections: words, JSON objects, and marks on a board.

FULL_OR_SEMI = ("full", "semi")


def connection_object(color: Color, connection: Connection, board: Board) -> dict[str, Any]:
    """Return a connection as a JSON object."""
    return {
        "color": color.word,
        "kind": connection.kind,
        "ends": [board.name(end) for end in _edges_first(connection, board)],
        "key": None if connection.key is None else board.name(connection.key),
        "carrier": board.names(connection.carrier),
        "rule": connection.rule.value,
    }


def connection_marks(connection: Connection | None, last: Cell | None) -> Marks:
    """Return the marks that show a connection, if there is one: its carrier, key and ends."""
    if connection is None:
        return Marks(last=last)
    return Marks(shade=connection.carrier, key=connection.key, ends=connection.ends, last=last)


def line(color: Color, connection: Connection, board: Board) -> str:
    """Return a connection as one line."""
    ends = board.text(_edges_first(connection, board))
    start = "" if connection.key is None else f" from {board.name(connection.key)}"
    cells = board.text(connection.carrier) or "no cell"
    return f"{color.word} {connection.kind}  {ends}{start}: {cells}  ({connection.rule.value})"


def sentence(color: Color, connection: Connection, board: Board) -> str:
    """Return what a connection means, with its cells, in words for players."""
    ends = map(board.name, _edges_first(connection, board))
    return words.claim(color, connection, board, ends, has_cells=True)


def total(
    connections: list[tuple[Color, Connection]], stores: Iterable[Store], kind: str | None = None
) -> str:
    """Return the number of connections, of one kind or both, and which limits were reached."""
    fulls = sum(connection.is_full for _, connection in connections)
    bound = sorted({limit for store in stores for limit in store.counts.limits_bound})
    more = f" (limits reached: {', '.join(bound)})" if bound else ""
    if kind is not None:
        return f"{quantity(len(connections), f'{kind} connection')}{more}."
    return f"{fulls} full and {quantity(len(connections) - fulls, 'semi connection')}{more}."


def only_within(cells: CellSet, board: Board) -> str:
    """Return the sentence that names the empty cells of a sub-game."""
    names = board.text(cells) or "none"
    return f"Only these empty cells may be used: {names}. All others count as the opponent's."


def already_joined(x: str, y: str) -> str:
    """Return the sentence about two points of one group."""
    return f"Stones join {x} and {y} already."


def list_heading(x: str, y: str, count: int, *, is_joined: bool) -> str:
    """Return the sentence above a list of connections; `is_joined` if stones join the points."""
    if is_joined:
        return already_joined(x, y)
    if not count:
        return f"Nothing that is known joins {x} and {y}."
    return f"{quantity(count, 'connection')} between {x} and {y}."


def order(connection: Connection, board: Board) -> tuple[Any, ...]:
    """Return the sort key of a list: kind, ends with edges first, size, cells."""
    ends = [(not board.is_edge(end), end) for end in _edges_first(connection, board)]
    cells = tuple(connection.carrier.search(1))
    return not connection.is_full, ends, len(cells), cells, connection.key


def _edges_first(connection: Connection, board: Board) -> tuple[Point, ...]:
    return tuple(sorted(connection.ends, key=lambda end: (not board.is_edge(end), end)))


# Explanations: words and JSON objects.


def statements(question: Question, why: Explanation | None, lack: Missing | None) -> Iterator[str]:
    """Yield the sentences; those that detail the one above are indented."""
    if question.within is not None:
        yield only_within(question.within & question.position.empty, question.position.board)
    if question.is_chain:
        yield already_joined(*question.names)
    if question.proof is not None:
        yield _winner(question, question.proof)
    if lack is not None:
        yield from words.shortfall(lack, question.position, question.color, question.names)
        if question.answer is not None:
            yield from _by_solver(question, question.answer, is_open=lack.is_open)
    if why is not None:
        yield from words.sentences(why)


def _winner(question: Question, proof: Proved) -> str:
    """Return the sentence about who is proved to win."""
    winner = proof.winner
    if proof.by is not Source.CHAIN and proof.connection is None:
        return proof_sentence(question.position, proof)
    edges = question.position.board.pair(question.position.board.edges(winner))
    return f"{winner.title} wins: {proof.words} joins {edges}."


def _by_solver(question: Question, answer: PairAnswer, *, is_open: bool) -> Iterator[str]:
    """Yield what the solver proved or left open, where it derived no full connection."""
    color = question.color
    if answer.first and question.connection is None and question.proof is None:
        yield (
            f"{color.title} joins them by moving first, as the solver proves; no connection was "
            f"derived from its moves in {answer.seconds:g} s."
        )
    if answer.template is not None:
        yield (
            f"Yet {color.title} joins them, even if {color.opponent.title} moves first: they are "
            f"the ends of the template {answer.template}, which was proved before (`hsearch "
            f"template show {answer.template}`). The solver did not derive it again within "
            f"{answer.seconds:g} s."
        )
    elif is_open:
        yield (
            f"The solver, too, has not decided it in {answer.seconds:g} s "
            f"({quantity(answer.positions, 'position')})."
        )


def explanation_object(
    question: Question,
    options: HSearchOptions,
    explanation: Explanation | None,
    shortfall: Missing | None,
    line: Sequence[StrategyState],
) -> dict[str, Any]:
    """Return the object of `hsearch explain --json`; `line` is a line of play from its start."""
    board = question.position.board
    connection = question.connection
    return {
        "schema": "hsearch/explanation/1",
        "position": position_object(question.position, turn_is_known=question.turn is not None),
        "limits": options_object(options, complete=question.store.counts.complete),
        "color": question.color.word,
        "ends": list(question.names),
        "within": None if question.within is None else board.names(question.within),
        "chain": question.is_chain,
        "template": None if question.answer is None else question.answer.template,
        "solver": None if question.answer is None else _answer_object(question.answer, board),
        "proved": None if question.proof is None else _proof_object(question.proof, board),
        "connection": None
        if connection is None
        else connection_object(question.color, connection, board),
        "parts": [] if explanation is None else [_part(p, board) for p in explanation.parts],
        "arguments": []
        if explanation is None
        else [_argument(a, board) for a in explanation.arguments],
        "replies": []
        if explanation is None
        else [
            {"intrusion": board.name(cell), "reply": board.name(answer)}
            for cell, answer in explanation.replies
        ],
        "missing": None if shortfall is None else _missing(shortfall, question),
        "line": _line(line, board) if line else None,
    }


def _answer_object(answer: PairAnswer, board: Board) -> dict[str, Any]:
    """Return whether the owner joins the ends as the second and as the first to move."""
    intrusion = None if answer.intrusion is None else board.name(answer.intrusion)
    return {"joined": answer.joined, "first": answer.first, "intrusion": intrusion}


def _proof_object(proof: Proved, board: Board) -> dict[str, str | None]:
    """Return who is proved to win, how, and the winning move if there is one."""
    move = None if proof.move is None else board.name(proof.move)
    return {"winner": proof.winner.word, "by": proof.kind, "move": move}


def _part(part: Part, board: Board) -> dict[str, Any]:
    return {
        "ends": [board.name(part.start), board.name(part.goal)],
        "carrier": board.names(part.full.carrier),
        "shape": part.shape,
        "argument": part.argument,
    }


def _argument(argument: Argument, board: Board) -> dict[str, Any]:
    return {
        "number": argument.number,
        "ends": list(map(board.name, argument.full.ends)),
        "carrier": board.names(argument.full.carrier),
        "shape": argument.shape,
        "played": board.names(argument.played),
        "cases": [_case(case, board) for case in argument.cases],
    }


def _case(case: Case, board: Board) -> dict[str, Any]:
    return {
        "key": board.name(case.key),
        "carrier": board.names(case.threat.carrier),
        "on": board.names(case.on),
        "left": board.names(case.left),
        "parts": [_part(part, board) for part in case.parts],
    }


def _missing(lack: Missing, question: Question) -> dict[str, Any]:
    board = question.position.board
    return {
        "semis": len(lack.semis),
        "common": board.names(lack.common),
        "region": board.names(lack.region),
        "outcome": _outcome(lack.outcome, board),
        "beyond": _outcome(lack.beyond, board),
        "way": [connection_object(question.color, link, board) for link in lack.way],
        "cut": lack.is_cut,
    }


def _outcome(outcome: PlayOutcome | None, board: Board) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "verdict": outcome.verdict.value,
        "intrusion": None if outcome.intrusion is None else board.name(outcome.intrusion),
        "carrier": board.names(outcome.carrier),
        "positions": outcome.positions,
    }


def _line(line: Sequence[StrategyState], board: Board) -> dict[str, Any]:
    start, *steps = line
    return {
        "start": None if start.reply is None else board.name(start.reply),
        "steps": list(map(step_object, steps)),
    }


def step_object(step: StrategyState) -> dict[str, Any]:
    """Return a step of a line of play as a JSON object."""
    board = step.position.board
    return {
        "intrusion": None if step.intrusion is None else board.name(step.intrusion),
        "reply": None if step.reply is None else board.name(step.reply),
        "carrier": board.names(step.carrier),
        "joined": step.is_joined,
    }
