"""Games to SGF text."""

from collections import Counter
from collections.abc import Iterable

from hsearch import __version__
from hsearch.board import Board, Color
from hsearch.formats.sgf.properties import escaped
from hsearch.game import Game, Node

_MOVE = {Color.BLACK: "B", Color.WHITE: "W"}
_LINE = 80


def write(game: Game) -> str:
    """Return a game as SGF, ended by a newline.

    All variations, comments and foreign properties are in it.
    """
    board = game.board
    size = str(board.columns)
    if board.rows != board.columns:
        size += f":{board.rows}"
    root = f";FF[4]GM[11]CA[UTF-8]AP[hsearch:{__version__}]SZ[{size}]"
    root += "".join(f"{name}[{escaped(text)}]" for name, text in game.info)
    pieces = ["(", root + _node(game.nodes[0], board)]
    children = Counter(node.parent for node in game.nodes)
    branches: list[int] = []
    for index, node in enumerate(game.nodes):
        if index == 0:
            continue
        if children[node.parent] > 1:
            if node.parent != index - 1:
                while branches[-1] != node.parent:
                    branches.pop()
                    pieces.append(")")
                branches.pop()
                pieces.append(")")
            branches.append(node.parent)
            pieces.append("(")
        pieces.append(";" + _node(node, board))
    pieces.append(")" * (len(branches) + 1))
    return "\n".join(_lines(pieces)) + "\n"


def _node(node: Node, board: Board) -> str:
    """Return the properties of a node."""
    parts = []
    for name, cells in (("AB", node.black), ("AW", node.white), ("AE", node.cleared)):
        if cells:
            parts.append(name + "".join(f"[{board.name(cell)}]" for cell in cells))
    if node.turn is not None:
        parts.append(f"PL[{_MOVE[node.turn]}]")
    if node.move is not None:
        parts.append(f"{_MOVE[node.move.color]}[{node.move.name(board)}]")
    if node.comment:
        parts.append(f"C[{escaped(node.comment)}]")
    parts.extend(
        name + "".join(f"[{value}]" for value in values) for name, values in node.properties
    )
    return "".join(parts)


def _lines(pieces: Iterable[str]) -> Iterable[str]:
    """Yield the pieces as lines of about eighty characters, broken between nodes."""
    line = ""
    for piece in pieces:
        if line and len(line) + len(piece) > _LINE and line.strip("("):
            yield line
            line = ""
        line += piece
    yield line
