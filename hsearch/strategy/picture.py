"""Pictures of explanations: what to mark on a board, and HexWiki's tags.

On a terminal a cell of the carrier shows the part that it belongs to; if there
is one part only, its threats are numbered. In an SVG picture the replies are
numbered, a cell of the carrier points to the reply that it is answered by, and
each part has a tint of its own.
"""

from hsearch.board import Board, Cell, Point
from hsearch.cells import CellSet
from hsearch.formats import hexboard
from hsearch.position import Position
from hsearch.render import Marks
from hsearch.strategy.explain import Argument, Explanation

ARROW = "→"


def overview(explanation: Explanation, last: Cell | None = None) -> Marks:
    """Return what a board on a terminal points out: parts by number, or threats."""
    connection = explanation.connection
    return Marks(
        shaded=connection.carrier,
        key=connection.key,
        ends=connection.ends,
        last=last,
        labels=_numbers(explanation),
    )


def numbered_replies(explanation: Explanation, last: Cell | None = None) -> Marks:
    """Return what a picture points out: if cell 3 of `3→5` is taken, the answer is on cell 5."""
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
        shaded=connection.carrier,
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


def plain_tag(position: Position, region: CellSet | None) -> str:
    """Return a position without an explanation as a HexWiki tag, a region shaded."""
    return hexboard.write(position, carrier=region)


def argument_tag(explanation: Explanation, argument: Argument) -> str:
    """Return the cells of an argument as a HexWiki tag, the threats numbered by case."""
    board = explanation.position.board
    return hexboard.write(
        explanation.position,
        carrier=argument.full.carrier,
        labels=_keys(argument),
        visible=_around(board, argument.full.carrier, argument.full.ends),
    )


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
    """Return the rectangle of cells one wider than a set and the cells among the ends."""
    shown = [*cells.search(1), *(end for end in ends if not board.is_edge(end))]
    columns, rows = zip(*map(board.column_and_row, shown), strict=True)
    return board.only(
        *(
            board.at(column, row)
            for row in range(max(min(rows) - 1, 0), min(max(rows) + 2, board.rows))
            for column in range(max(min(columns) - 1, 0), min(max(columns) + 2, board.columns))
        )
    )
