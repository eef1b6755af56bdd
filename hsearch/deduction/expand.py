"""Known templates replaced by what they follow from, for replies and explanations.

A template is its own reason, which tells nobody how to answer an intrusion.
Must-play deduction inside its carrier does, for all templates that come with
the program.
"""

from dataclasses import replace

from hsearch.board import Color
from hsearch.closure import Limits
from hsearch.connection import Connection, Rule, conclude, where_premises_hold
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
            places = where_premises_hold(here, color, step)
            premises = tuple(map(rebuilt, step.premises, places))
            if step.rule is Rule.TEMPLATE:
                done[known] = derivation(here, color, step, depth) or step
            elif all(new is old for new, old in zip(premises, step.premises, strict=True)):
                done[known] = step
            else:
                made = conclude(step, premises, here, color)
                assert made is not None  # noqa: S101 - smaller premises make the same step
                done[known] = made
        return done[known]

    return rebuilt(connection, position)


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
