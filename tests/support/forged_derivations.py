"""Forged derivations as Python objects, for `hsearch.check`."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import liar
from plain_hex import PlainHex

from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection, Fill, Rule
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.strategy.check import CheckError, check

CHANGES_EACH = 20
LIMITS = Limits(M=6, K=3)

Forged = tuple[PlainHex, Position, Color, Connection]


def forged(chance: Random) -> Iterator[Forged]:
    """Yield derivations endlessly: some true, some false from the start, most of them changed."""
    for game, black, white, _ in liar.positions(chance, 8):
        board = Board(game.columns, game.rows)
        position = Position(board, *(board.only(*game.cells(side)) for side in (black, white)))
        color = chance.choice(list(Color))
        sides = (black, white)
        originals = list(closure(position, color, LIMITS))
        originals = chance.sample(originals, min(6, len(originals)))
        for _ in range(3):
            own, other = sides[color], sides[color.opponent]
            steps = liar.Steps(chance, game, own, other, color.word)
            steps.by_chance()
            originals += connections(board, steps.steps)[-2:]
            originals += _by_regions(chance, board, steps, position, color)
        points = sorted({*position.empty.search(1), *board.edges(color)})
        if len(points) > 1:
            x, y = sorted(chance.sample(points, 2))
            cells = board.only(*(n for n in position.empty.search(1) if chance.random() < 0.6))
            originals.append(Connection(x, y, cells, None, Rule.TEMPLATE))
        for connection in originals:
            yield game, position, color, connection
            for _ in range(CHANGES_EACH):
                other = chance.choice(originals)
                changed = _changed(chance, board, connection, other, chance.randint(0, 4))
                yield game, position, color, changed


def connections(board: Board, steps: list[list[object]]) -> list[Connection]:
    """Return the steps of a proof line as objects."""
    made: list[Connection] = []
    for rule, x, y, carrier, key, premises in steps:
        made.append(
            Connection(
                board.point(x),
                board.point(y),
                board.named(carrier),
                None if key is None else board.cell(key),
                Rule(rule),
                tuple(made[n] for n in premises),
            )
        )
    return made


def _by_regions(
    chance: Random, board: Board, steps: liar.Steps, position: Position, color: Color
) -> Iterator[Connection]:
    """Yield a connection of the edges that holds once a region is filled, if there is one."""
    steps.forget()
    told, _, _ = steps.region()
    if told is None:
        return
    word, groups, cells, number, since = told
    join = None if number is None else connections(board, steps.steps)[number]
    points = tuple(map(board.point, groups.split()))
    fill = Fill(Color.named(word), points, board.named(cells), join, since)
    inner = [
        c for c in closure(fill.applied(position), color, LIMITS) if c.ends == board.edges(color)
    ]
    if inner:
        one = chance.choice(inner)
        join = join if fill.color is color else None
        carrier = one.carrier if join is None else one.carrier | join.carrier
        premises = (one,) if join is None else (one, join)
        yield Connection(one.x, one.y, carrier, one.key, Rule.FILL_IN, premises, (fill,))


def _changed(
    chance: Random, board: Board, step: Connection, other: Connection, depth: int
) -> Connection:
    """Return a derivation with one change, at most `depth` steps deep."""
    if depth and step.premises:
        place = chance.randrange(len(step.premises))
        premises = list(step.premises)
        old = premises[place]
        new = premises[place] = _changed(chance, board, old, other, depth - 1)
        lost = old.carrier & ~new.carrier
        fills = tuple(replace(f, join=new) if f.join is old else f for f in step.fills)
        carrier = step.carrier
        if lost.any() and chance.random() < 0.7:
            carrier = carrier & ~lost  # so the lie is consistent
        return replace(step, premises=tuple(premises), fills=fills, carrier=carrier)
    cell = board.only(chance.randrange(board.size))
    point = chance.randrange(board.size + 4)
    premises = [*step.premises, other]
    chance.shuffle(premises)
    changes = [
        replace(step, carrier=step.carrier ^ cell),
        replace(step, key=chance.choice([None, *step.carrier.search(1), cell.index(1)])),
        replace(step, rule=chance.choice(list(Rule))),
        replace(step, x=point) if chance.random() < 0.5 else replace(step, y=point),
        replace(step, premises=tuple(premises[: chance.randint(0, len(premises))])),
        replace(other, x=step.x, y=step.y),
        other,
    ]
    if step.fills and chance.random() < 0.5:
        fill, *more = step.fills
        ways = [
            replace(fill, color=fill.color.opponent),
            replace(fill, cells=fill.cells ^ cell),
            replace(fill, groups=fill.groups[:1]),
            replace(fill, groups=(chance.randrange(board.size + 4), *fill.groups[1:])),
            replace(fill, join=chance.choice([None, other])),
            replace(fill, since=fill.since + 1),
        ]
        return replace(step, fills=(chance.choice(ways), *more))
    return chance.choice(changes)


def accepted(derivation: Forged) -> Forged | None:
    """Return a derivation that `check` accepts; any error but CheckError is a fault."""
    _, position, color, connection = derivation
    try:
        check(position, color, connection)
    except CheckError:
        return None
    return derivation


def is_false(derivation: Forged) -> bool:
    """Return whether brute force refutes what a connection promises."""
    game, position, color, step = derivation
    own, cells = (sum(1 << n for n in s.search(1)) for s in (position.stones(color), step.carrier))
    board = position.board
    ends = [board.name(end) if board.is_edge(end) else end for end in step.ends]
    theirs = {board.name(edge) for edge in board.edges(color.opponent)}
    taken = position.stones(color.opponent)
    if theirs.intersection(map(str, ends)) or any(board.contains(taken, end) for end in step.ends):
        return True
    if (step.carrier & ~position.empty).any():
        return True
    return not game.joins(color.word, own, (ends[0], ends[1]), cells, step.key)
