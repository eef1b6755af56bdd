"""The figures of papers: the claims of each, as data, and the program's answers.

A figure is an entry of a suite, with a key for each claim; the head of
`positions/figures/papers.txt` lists the keys. The answers do not use the claims.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import Connection, exhaustive
from hsearch.connect.closure import closure
from hsearch.formats import FormatError, suite
from hsearch.hex import Cell, CellSet, Color, Point, Position, winner
from hsearch.hex.position import subgame, winner_by_boundary
from hsearch.strategy.check import check
from player.answers.connection import Question, ask
from player.answers.limits import options_of
from player.evaluate.evaluators import y_reduction

SUITE = "positions/figures/papers.txt"
OPEN = "open"
BUDGET = 1_000_000  # positions of complete play
Ends: TypeAlias = tuple[Point, Point]
_OPTIONS = options_of({})


@dataclass(frozen=True, slots=True)
class Figure:
    """A position of a paper and its claims.

    id, source, claim  the name, where the paper has it, and the claim in a sentence
    position           the position
    color              the owner of the sub-game
    ends, carrier      the sub-game; `ends` is None if the claims concern no connection
    claims             the claimed values, by key
    """

    id: str
    source: str
    claim: str
    position: Position
    color: Color
    ends: Ends | None
    carrier: CellSet
    claims: dict[str, str]


@dataclass(frozen=True, slots=True)
class FigureAnswer:
    """The program's answers for a figure, by the keys of its claims."""

    figure: Figure
    answers: dict[str, str]

    @property
    def verdict(self) -> str:
        """Whether the program agrees: `yes`, `no`, or `open` if an answer is open."""
        answers = {key: self.answers[key] for key in self.figure.claims}
        if any(answer not in {OPEN, self.figure.claims[key]} for key, answer in answers.items()):
            return "no"
        return OPEN if OPEN in answers.values() else "yes"


def read(text: str) -> list[Figure]:
    """Return the figures of a suite. Raise FormatError when an entry is invalid."""
    return [_figure(entry) for entry in suite.read(text)]


def _figure(entry: suite.SuiteEntry) -> Figure:
    fields = dict(entry.fields)
    board = entry.game.board
    position = entry.game.position(0, turn=Color.BLACK)
    ends: Ends | None = None
    about = {key: fields.pop(key, "") for key in ("source", "claim", "ends", "carrier", "owner")}
    fields.pop("turn", None)
    unknown = [key for key in fields if key not in SAYS]
    if unknown:
        names = ", ".join(SAYS)
        message = f"{entry.id}: unknown claim {unknown[0]!r} (known: {names})"
        raise FormatError(message, line=entry.line, token=unknown[0])
    try:
        if about["ends"]:
            x, y = map(board.point, about["ends"].split())
            ends = (x, y)
    except ValueError as error:
        raise FormatError(f"{entry.id}: ends: {error}", line=entry.line) from None
    if ends is None and OF_ENDS.keys() & fields.keys():
        raise FormatError(f"{entry.id}: a connection without ends", line=entry.line)
    try:
        owner = Color.named(about["owner"] or "black")
    except ValueError as error:
        message = f"{entry.id}: owner: {error}"
        raise FormatError(message, line=entry.line, token=about["owner"]) from None
    carrier = entry.cells("carrier")
    claims = {key: " ".join(value.split()) for key, value in fields.items()}
    return Figure(entry.id, about["source"], about["claim"], position, owner, ends, carrier, claims)


def answer(figure: Figure) -> FigureAnswer:
    """Return the program's answer to each claim of a figure."""
    answers = {key: OF_POSITION[key](figure) for key in figure.claims if key in OF_POSITION}
    if (ends := figure.ends) is not None:
        answers |= {key: OF_ENDS[key](figure, ends) for key in figure.claims if key in OF_ENDS}
    return FigureAnswer(figure, answers)


def _question(figure: Figure, ends: Ends) -> Question:
    carrier = figure.carrier
    return ask(figure.position, None, figure.color, ends, _OPTIONS, within=carrier)


def _connection(figure: Figure, ends: Ends) -> Connection | None:
    """Return the best connection inside the carrier, after the checker has derived it again."""
    question = _question(figure, ends)
    if question.connection is not None:
        check(question.subgame, figure.color, question.connection)
    return question.connection


def _join_kind(figure: Figure, ends: Ends) -> str:
    """Return the kind of connection derived; if complete play contradicts it, both kinds.

    Where play exceeds the budget, only a full is certain: a better connection may exist.
    """
    connection = _connection(figure, ends)
    by_rules = "none" if connection is None else connection.kind
    by_play = _play_out(figure, ends, figure.carrier)
    if by_play == OPEN and by_rules != "full":
        return OPEN
    return by_rules if by_play in {by_rules, OPEN} else f"{by_rules} derived, {by_play} played"


def _play_out(figure: Figure, ends: Ends, carrier: CellSet) -> str:
    """Return the kind that complete play inside a carrier finds; `open` beyond the budget."""
    game = exhaustive.JoinGame(figure.position, figure.color, ends, carrier)
    for opponent_first, kind in ((True, "full"), (False, "semi")):
        outcome = game.play(opponent_first=opponent_first, budget=BUDGET)
        if outcome.joined is None:
            return OPEN
        if outcome.joined:
            return kind
    return "none"


def _key(figure: Figure, ends: Ends) -> str:
    connection = _connection(figure, ends)
    return "none" if connection is None or connection.key is None else _name(figure, connection.key)


def _depth(figure: Figure, ends: Ends) -> str:
    connection = _connection(figure, ends)
    if connection is None:
        return "none"
    whole = replace(connection, carrier=figure.carrier)
    moves = exhaustive.depth(figure.position, figure.color, whole)
    return OPEN if moves is None else str(moves)


def _minimal(figure: Figure, ends: Ends) -> str:
    """Return whether the connection needs each cell of the carrier, by play without it."""
    whole, board = _play_out(figure, ends, figure.carrier), figure.position.board
    if whole == OPEN:
        return OPEN
    less = {
        _play_out(figure, ends, figure.carrier & ~board.only(cell))
        for cell in figure.carrier.search(1)
    }
    return "no" if whole in less else OPEN if OPEN in less else "yes"


def _rules(figure: Figure, ends: Ends) -> str:
    """Return whether the two rules alone find the connection."""
    game = subgame(figure.position, figure.color, figure.carrier, *ends)
    store = closure(game, figure.color)
    is_full = _join_kind(figure, ends) == "full"
    connections = store.fulls(*ends) if is_full else store.semis(*ends)
    return "yes" if connections else "no"


def _rule(figure: Figure, ends: Ends) -> str:
    connection = _connection(figure, ends)
    return "none" if connection is None else connection.rule.value


def _wins(figure: Figure) -> str:
    """Return who wins at either turn; for a full board, check the walk along the boundary, too."""
    position = figure.position
    if not position.empty.any() and winner_by_boundary(position) is not winner(position):
        return "two winners"
    winners = {ConnectionAnalysis(replace(position, turn=turn)).winner for turn in Color}
    return str(won_by) if len(winners) == 1 and (won_by := winners.pop()) is not None else OPEN


def _evaluation(figure: Figure) -> str:
    e = ConnectionAnalysis(figure.position).circuits.evaluation
    if e in {float("-inf"), 0.0, float("inf")}:
        return f"{e:g}"
    return "<0" if e < 0 else ">0"


def _weakest(figure: Figure) -> str:
    return _name(figure, ConnectionAnalysis(figure.position).circuits.weak_links[0][0])


def _critical(figure: Figure) -> str:
    position, won_by = figure.position, winner(figure.position)
    cells = (cell for cell in position.board.cells if winner(_flip(position, cell)) is not won_by)
    return " ".join(_name(figure, cell) for cell in cells)


def _flip(position: Position, cell: Cell) -> Position:
    """Return a position with the stone on a cell of the other color."""
    one = position.board.only(cell)
    return replace(position, black=position.black ^ one, white=position.white ^ one)


def _name(figure: Figure, cell: Cell) -> str:
    return figure.position.board.name(cell)


# The program's answer to each key, in the order of the report: first the claims about ends.
OF_ENDS: dict[str, Callable[[Figure, Ends], str]] = {
    "joined": _join_kind,
    "key": _key,
    "depth": _depth,
    "minimal": _minimal,
    "rules": _rules,
    "rule": _rule,
}
OF_POSITION: dict[str, Callable[[Figure], str]] = {
    "winner": _wins,
    "evaluation": _evaluation,
    "weakest": _weakest,
    "critical": _critical,
    "reduction": lambda figure: f"{y_reduction(figure.position).black:g}",
}
SAYS = (*OF_ENDS, *OF_POSITION)


def report(answers: list[FigureAnswer]) -> str:
    """Return a Markdown table: a row for each figure, with its claims and the answers."""
    return "\n".join(_lines(answers))


def _lines(answers: list[FigureAnswer]) -> Iterator[str]:
    counts = dict.fromkeys(("yes", "no", OPEN), 0)
    for one in answers:
        counts[one.verdict] += 1
    yield (
        f"{len(answers)} figures: the program agrees with {counts['yes']}, disagrees with "
        f"{counts['no']}, and leaves {counts[OPEN]} open."
    )
    yield from ("", "| figure | the paper says | as data | the program | agrees |")
    yield "|---|---|---|---|---|"
    for one in answers:
        figure = one.figure
        lines = (_words(values) for values in (figure.claims, one.answers))
        sentence = f"{figure.claim} ({figure.source})"
        yield f"| `{figure.id}` | {' | '.join((sentence, *lines, one.verdict))} |"


def _words(values: dict[str, str]) -> str:
    return ", ".join(f"{key} {values[key]}" for key in SAYS if key in values)
