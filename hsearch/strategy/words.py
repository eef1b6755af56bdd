"""Explanations in words and as pictures."""

from collections.abc import Iterable, Iterator

from hsearch.connect import Connection
from hsearch.formats import hexboard
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position
from hsearch.render import svg
from hsearch.render.text import Marks, quantity
from hsearch.strategy.explain import TOUCHING, Argument, Case, Explanation, Part
from hsearch.strategy.missing import Missing, PlayVerdict
from hsearch.strategy.reply import StrategyState

# Explanations in words: one idea a line, in the order in which a proof is read.
#
#     1. north to a4, in b1 c1 e1 f1 d2 a3 d3 b4:
#        Black threatens a3: north-a3 bridge b1 c1; a3-a4. White must play on b1 c1 a3.
#        On b1 c1 a3: Black b4: north-e2 bridge e1 f1; e2-b4 bridge d2 d3; a4-b4.
#
# `x-y` are points that touch, and `by (2)` refers to argument 2.

GUIDE = (
    "x-y alone: the two points touch. x-y with the name of a shape, or by (2): that joins them, or "
    "argument 2 does. A bridge, or `either`, is two cells: if one is taken, the other is played. "
    "A group is named by its edge, else by its first cell."
)


def summary(explanation: Explanation) -> Iterator[str]:
    """Yield lines with what holds, and its parts."""
    board = explanation.position.board
    owner, opponent = _names(explanation.color)
    connection = explanation.connection
    ends = explanation.ends or map(board.name, connection.ends)
    yield claim(explanation.color, connection, board, ends)
    then = "" if connection.key is None else "then "
    if len(explanation.parts) == 1 and explanation.parts[0].argument is None:
        yield f"   It is one part: {_part(explanation.parts[0], board)}."
    if len(explanation.parts) > 1:
        count = len(explanation.parts)
        yield (
            f"It falls into {count} parts that share no cell; {owner} {then}answers "
            f"in the part that {opponent} plays in:"
        )
        for number, part in enumerate(explanation.parts, start=1):
            yield f"   part {number}: {_part(part, board)}"
    if explanation.kept:
        yield (
            f"Enclosed regions count as {owner}'s: the groups around them are joined without "
            f"them, and {owner} answers there:"
        )
    for region in explanation.kept:
        way = "; ".join(_part(part, board) for part in region.parts)
        yield f"   {board.text(region.fill.cells)}: {way}"


def claim(
    color: Color,
    connection: Connection,
    board: Board,
    ends: Iterable[str],
    *,
    has_cells: bool = False,
) -> str:
    """Return what a connection of two points means, with the number or the names of its cells."""
    owner, opponent = _names(color)
    points, carrier = " and ".join(ends), connection.carrier
    is_named = has_cells and carrier.any()
    needs = board.text(carrier) if is_named else quantity(carrier.count(), "empty cell")
    if connection.key is None:
        return f"{owner} joins {points}, even if {opponent} moves first, inside {needs}."
    return (
        f"{owner} joins {points} inside {needs} by moving first, at {board.name(connection.key)}."
    )


def picture(explanation: Explanation) -> str:
    """Return the board with the connection, as SVG."""
    position, connection = explanation.position, explanation.connection
    marks = Marks(shade=connection.carrier, key=connection.key, ends=connection.ends)
    return svg.write(position, marks, title=next(summary(explanation)))


def text(explanation: Explanation) -> str:
    """Return the whole explanation, one idea a line."""
    return "\n".join(sentences(explanation))


def sentences(explanation: Explanation) -> Iterator[str]:
    """Yield the whole explanation, one idea each; those that belong to one above are indented."""
    yield from summary(explanation)
    if explanation.arguments:
        yield GUIDE
    for argument in explanation.arguments:
        yield heading(explanation, argument)
        yield from (f"   {case}" for case in cases(explanation, argument))


def heading(explanation: Explanation, argument: Argument) -> str:
    """Return the line above an argument: what it proves."""
    board = explanation.position.board
    name = "" if argument.shape is None else f" ({argument.shape})"
    x, y = map(board.name, argument.full.ends)
    if argument.played.any():
        name += f", with {explanation.color.title} on {board.text(argument.played)}"
    return f"{argument.number}. {x} to {y}{name}, in {board.text(argument.full.carrier)}:"


def cases(explanation: Explanation, argument: Argument) -> Iterator[str]:
    """Yield the cases of an argument, one a line."""
    for place, case in enumerate(argument.cases):
        yield _case(explanation, case, first=place == 0)


def shortfall(
    missing: Missing, position: Position, color: Color, names: tuple[str, str]
) -> Iterator[str]:
    """Yield lines on what two points lack for a full connection, the closest semi first."""
    board = position.board
    owner, opponent = _names(color)
    x, y = names
    if missing.is_cut:
        yield (
            f"Nothing can join {x} and {y}: they would stay apart if {owner} had stones on all "
            "empty cells."
        )
        return
    yield f"{owner} has no full connection of {x} and {y}, as far as the rules see."
    if not missing.semis:
        yield from _no_semi(missing, board, owner, opponent, names)
        return
    best = missing.semis[0]
    start = board.name(best.key or 0)
    yield (
        f"The closest is a semi connection: {owner} must move first, at {start}, and needs "
        f"{board.text(best.carrier)}."
    )
    count = len(missing.semis)
    more = "It is the only one." if count == 1 else f"There are {count} of them."
    if missing.common.any():
        there = "there" if missing.common.count() == 1 else "on any of these"
        breaks = "it" if count == 1 else "every one"
        yield (
            f"{more} What is missing is a way without {board.text(missing.common)}: "
            f"{opponent} {there} breaks {breaks}."
        )
    else:
        yield f"{more} No cell is in all of them, yet the limits kept them from being joined."
    yield from _describe_play(missing, board, owner, opponent)


def start_of_play(state: StrategyState, names: tuple[str, str]) -> str:
    """Return a line on what is held before the first intrusion."""
    board = state.position.board
    owner, _ = _names(state.color)
    x, y = names
    key = "" if state.reply is None else f" and starts at {board.name(state.reply)}"
    return f"{owner} holds {x} and {y} together{key}. {_state(state, board)}"


def line_of_play(state: StrategyState) -> str:
    """Return a line on the last intrusion and its reply."""
    board = state.position.board
    owner, opponent = _names(state.color)
    intrusion = "" if state.intrusion is None else board.name(state.intrusion)
    answer = "no reply is needed" if state.reply is None else f"{owner} {board.name(state.reply)}"
    return f"{opponent} {intrusion}: {answer}. {_state(state, board)}"


def _state(state: StrategyState, board: Board) -> str:
    if state.is_joined:
        return "The ends are joined by stones."
    return f"Left to watch: {board.text(state.carrier)}."


def _case(explanation: Explanation, case: Case, *, first: bool) -> str:
    board = explanation.position.board
    owner, opponent = _names(explanation.color)
    key = board.name(case.key)
    how = "; ".join(_part(part, board) for part in case.parts)
    if first:
        return f"{owner} threatens {key}: {how}. {opponent} must play on {board.text(case.left)}."
    rest = f" Left: {board.text(case.left)}." if case.left.any() else ""
    return f"On {board.text(case.on)}: {owner} {key}: {how}.{rest}"


def _part(part: Part, board: Board) -> str:
    ends = f"{board.name(part.start)}-{board.name(part.goal)}"
    if part.argument is not None:
        return f"{ends} by ({part.argument})"
    if part.shape == TOUCHING:
        return ends
    return f"{ends} {part.shape} {board.text(part.full.carrier)}"


def _no_semi(
    missing: Missing, board: Board, owner: str, opponent: str, names: tuple[str, str]
) -> Iterator[str]:
    yield "H-search finds no semi connection either, within its limits."
    yield from _describe_play(missing, board, owner, opponent)
    if missing.beyond is not None and missing.beyond.fails_moving_first:
        yield "So more than one move is missing."
    if not missing.way:
        yield "No connections lead from one to the other, not even over empty cells."
        return
    steps, end = [], None
    for link in missing.way:
        end = _start(missing, names, board) if end is None else end
        other = link.other_end(end)
        kind = "" if link.is_full else f" (only if {owner} moves first there)"
        steps.append(f"{board.name(end)} to {board.name(other)}{kind}")
        end = other
    yield f"The shortest way over connections, which may need the same cells: {', '.join(steps)}."


def _start(missing: Missing, names: tuple[str, str], board: Board) -> int:
    """Return the end of the first link at which the way begins."""
    first = missing.way[0]
    if len(missing.way) == 1:
        return next((end for end in first.ends if board.name(end) == names[0]), first.x)
    return next(end for end in first.ends if end not in missing.way[1].ends)


def _describe_play(missing: Missing, board: Board, owner: str, opponent: str) -> Iterator[str]:
    these = "this semi" if len(missing.semis) == 1 else "these semis"
    for outcome, where in (
        (missing.outcome, f"the {quantity(missing.region.count(), 'cell')} of {these}"),
        (missing.beyond, "all empty cells"),
    ):
        if outcome is None:
            continue
        effort = f"({quantity(outcome.positions, 'position')})"
        if outcome.verdict is PlayVerdict.HOLDS:
            needs = f": {owner} needs {cells}" if (cells := board.text(outcome.carrier)) else ""
            yield f"Played out in {where}, it holds all the same {effort}{needs}."
        elif outcome.verdict is PlayVerdict.UNKNOWN and not outcome.positions:
            yield f"Not played out in {where}: they are too many."
        elif outcome.verdict is PlayVerdict.UNKNOWN:
            yield f"Played out in {where}: not decided within the budget {effort}."
        elif outcome.intrusion is None:
            yield f"Played out in {where}, it fails even if {owner} moves first {effort}."
        else:
            intrusion = board.name(outcome.intrusion)
            yield f"Played out in {where}, {opponent} breaks it at {intrusion} {effort}."


def _names(color: Color) -> tuple[str, str]:
    return color.title, color.opponent.title


# Pictures of explanations: what to mark on a board, and HexWiki's tags.
#
# On a terminal a cell of the carrier shows the part that it belongs to; if there
# is one part only, its threats are numbered. In an SVG picture the replies are
# numbered, a cell of the carrier points to the reply that answers it, and each part
# has a tint of its own.

ARROW = "→"


def overview(explanation: Explanation, last: Cell | None = None) -> Marks:
    """Return the marks of a board on a terminal: parts by number, or threats."""
    connection = explanation.connection
    return Marks(
        shade=connection.carrier,
        key=connection.key,
        ends=connection.ends,
        last=last,
        labels=_numbers(explanation),
    )


def reply_marks(explanation: Explanation, last: Cell | None = None) -> Marks:
    """Return the marks of a picture: if the cell marked `3→5` is taken, the reply is on cell 5."""
    connection = explanation.connection
    answers = dict(explanation.replies)
    number = {cell: str(n) for n, cell in enumerate(sorted(set(answers.values())), start=1)}
    labels = dict(number)
    for intrusion, answer in answers.items():
        labels[intrusion] = f"{number.get(intrusion, '')}{ARROW}{number[answer]}"
    name, parts = explanation.position.board.name, explanation.parts
    tints = {
        cell: number
        for number, part in enumerate(parts)
        for cell in part.full.carrier.search(1)
        if len(parts) > 1
    }
    return Marks(
        shade=connection.carrier,
        key=connection.key,
        ends=connection.ends,
        last=last,
        labels=labels,
        tints=tints,
        tint_names=tuple(
            f"part {number}: {name(part.start)} to {name(part.goal)}"
            for number, part in enumerate(parts, start=1)
            if tints
        ),
        notes=(f"3{ARROW}5: if cell 3 is taken, answer on cell 5",) if labels else (),
    )


def whole_tag(explanation: Explanation) -> str:
    """Return the position with its carrier as a HexWiki tag, numbered like `overview`."""
    connection = explanation.connection
    labels = _numbers(explanation)
    if connection.key is not None:
        labels[connection.key] = "*"
    return hexboard.write(explanation.position, carrier=connection.carrier, labels=labels)


def argument_tag(explanation: Explanation, argument: Argument) -> str:
    """Return the cells of an argument as a HexWiki tag, the threats numbered by case.

    The keys that it depends on are stones.
    """
    position, board = explanation.position, explanation.position.board
    for key in argument.played.search(1):
        position = position.put(key, explanation.color)
    return hexboard.write(
        position,
        carrier=argument.full.carrier,
        labels=_keys(argument),
        visible=_around(board, argument.full.carrier, argument.full.ends),
    )


def explain_numbers(explanation: Explanation) -> str:
    """Return a line on what the numbers of `overview` mean; empty if there are none."""
    if not _numbers(explanation):
        return ""
    if len(explanation.parts) > 1:
        return "Numbers on the board: the part that a cell belongs to."
    number = explanation.parts[0].argument
    owner, _ = _names(explanation.color)
    return f"Numbers on the board: {owner}'s moves in argument {number}, in the order of its lines."


def _numbers(explanation: Explanation) -> dict[Cell, str]:
    if len(explanation.parts) == 1:
        number = explanation.parts[0].argument
        return {} if number is None else _keys(explanation.arguments[number - 1])
    return {
        cell: str(number)
        for number, part in enumerate(explanation.parts, start=1)
        for cell in part.full.carrier.search(1)
    }


def _keys(argument: Argument) -> dict[Cell, str]:
    """Return the keys of the threats by case; a key of two cases has the first number."""
    keys: dict[Cell, str] = {}
    for number, case in enumerate(argument.cases, start=1):
        keys.setdefault(case.key, str(number))
    return keys


def _around(board: Board, cells: CellSet, ends: tuple[Point, ...]) -> CellSet:
    """Return the rectangle around some cells and those ends that are cells, with a margin of 1."""
    points = [*cells.search(1), *(end for end in ends if not board.is_edge(end))]
    columns, rows = zip(*map(board.column_and_row, points), strict=True)
    return board.only(
        *(
            board.at(column, row)
            for row in range(max(min(rows) - 1, 0), min(max(rows) + 2, board.rows))
            for column in range(max(min(columns) - 1, 0), min(max(columns) + 2, board.columns))
        )
    )
