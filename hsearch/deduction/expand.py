"""Known templates replaced by what they follow from, for replies and explanations.

A template is its own reason, which tells nobody how to answer an intrusion.
Must-play deduction inside its carrier does, for all templates that come with
the program.
"""

from dataclasses import replace

from hsearch.board import Color
from hsearch.closure import Limits
from hsearch.connection import (
    Connection,
    Rule,
    and_rule,
    fill_in_rule,
    filled,
    mustplay_rule,
    or_rule,
)
from hsearch.deduction.mustplay import Deduction, Depth
from hsearch.position import Position

_DEPTH = Depth(2)


def expand(
    position: Position, color: Color, connection: Connection, depth: Depth = _DEPTH
) -> Connection:
    """Return a connection that promises as much or more, derived without templates.

    Its carrier may be smaller: own stones in a template can make cells needless.
    A template that `depth` does not reach stays as it is.
    """
    done: dict[tuple[int, Position], Connection] = {}

    def rebuilt(step: Connection, here: Position) -> Connection:
        """Return a step on expanded premises; a step without templates stays the same."""
        known = id(step), here  # a step may hold on several boards, and say more on some
        if known not in done:
            places = _where(here, color, step)
            premises = tuple(map(rebuilt, step.premises, places))
            if step.rule is Rule.TEMPLATE:
                done[known] = derivation(here, color, step, depth) or step
            elif all(new is old for new, old in zip(premises, step.premises, strict=True)):
                done[known] = step
            else:
                done[known] = _conclusion(here, color, step, premises)
        return done[known]

    return rebuilt(connection, position)


def _where(position: Position, color: Color, step: Connection) -> list[Position]:
    """Return the positions in which the premises of a step hold, in their order."""
    if step.rule is Rule.FILL_IN:
        boards = filled(position, step.fills)
        own = (fill for fill in step.fills if fill.color is color and fill.join is not None)
        return [boards[-1], *(boards[fill.since] for fill in own)]
    if step.rule is Rule.MUSTPLAY and step.key is not None:
        position = position.put(step.key, color)
    return [position] * len(step.premises)


def derivation(
    position: Position, color: Color, template: Connection, depth: Depth = _DEPTH
) -> Connection | None:
    """Return a full connection inside a template's carrier, derived by rules; None if none is."""
    rest = position.empty & ~template.carrier
    ends = position.board.only(*(end for end in template.ends if end < position.board.size))
    walls = rest & ~ends
    if color is Color.BLACK:
        alone = replace(position, white=position.white | walls)
    else:
        alone = replace(position, black=position.black | walls)
    # Long ladders follow by H-search, but not under M.
    ways = (Depth(0), Limits(shrinking=True)), (depth, Limits(templates=False))
    found = (Deduction(color, *way).full(alone, *template.ends) for way in ways)
    return next((full for full in found if full is not None), None)


def _conclusion(
    position: Position, color: Color, step: Connection, premises: tuple[Connection, ...]
) -> Connection:
    """Return what the rule of a step makes of premises that promise no less than before."""
    made: Connection | None
    if step.rule is Rule.FILL_IN:
        joins = iter(premises[1:])
        fills = [
            replace(fill, join=next(joins)) if fill.color is color and fill.join else fill
            for fill in step.fills
        ]
        made = fill_in_rule(premises[0], fills, color)
    elif step.rule.is_or:
        made = or_rule(*premises, captured=step.captured)
    elif step.rule is Rule.MUSTPLAY and step.key is not None:
        made = mustplay_rule(premises[0], step.x, step.y, step.key, position, color)
    else:
        first, second = premises
        (via,) = set(first.ends) & set(second.ends)
        empty = via < position.board.size and bool(position.empty[via])
        made = and_rule(first, second, via, position.board, empty=empty, captured=step.captured)
    assert made is not None  # noqa: S101 - smaller premises make the same step
    return made
