"""Commands about cells that do not matter, in the codes that HexGui paints."""

from dataclasses import replace

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.protocol.arguments import Arguments
from player.protocol.replies import pairs
from player.protocol.session import Session

# Both HexGuis paint a stone of the right color; a dead cell may have either.
CAPTURED = {Color.BLACK: "fbb", Color.WHITE: "fww"}
DEAD = "fdw"


def fill_in(session: Session, arguments: Arguments) -> str:
    """Return the dead cells and those that a player has captured."""
    found, _ = _filled(_position(session, arguments))
    return pairs(session.board, sorted(found.items()))


def inferior(session: Session, arguments: Arguments) -> str:
    """Return what `fill_in` does, and the moves that need not be tried, each with a better one."""
    from hsearch.inferior import dominated, reversible, vulnerable  # noqa: PLC0415 - it loads numba

    position, board = _position(session, arguments), session.board
    found, filled = _filled(position)
    undone = reversible(filled)
    better = dominated(position, undone)
    kinds = (("iv", vulnerable(filled)), ("ir", undone), ("id", better))
    for code, cells in kinds:
        for cell, by in cells.items():
            found.setdefault(cell, f"{code}[{board.name(by)}]")
    return pairs(board, sorted(found.items()))


def _filled(position: Position) -> tuple[dict[Cell, str], Position]:
    from hsearch.inferior import fill_in as fill  # noqa: PLC0415 - it loads numba

    result = fill(position)
    codes = dict.fromkeys(result.dead.search(1), DEAD)
    for color, code in CAPTURED.items():
        codes |= dict.fromkeys(result.captured(color).search(1), code)
    return codes, result.position


def _position(session: Session, arguments: Arguments) -> Position:
    return replace(session.position, turn=arguments.color(0))
