"""SGF text to games."""

from hsearch.board import MAX_SIDE, Board, Color
from hsearch.formats.error import error_at, quoted
from hsearch.formats.moves import side_of
from hsearch.formats.sgf import little_golem
from hsearch.formats.sgf.grammar import (
    MOST_WARNINGS,
    RawNode,
    RawProperty,
    RawValue,
    beginnings,
    tree,
)
from hsearch.formats.sgf.properties import (
    INFO,
    cell_of,
    cells_of,
    color_of,
    line_of,
    size_of,
    text_of,
)
from hsearch.formats.sgf.swap import settle_swaps
from hsearch.game import Game, IllegalNodeError, Move, Node, Special
from hsearch.game.replay import check

_GAME = "11"
_FILE = frozenset({"FF", "GM", "CA", "AP", "SZ"})  # about the file, written anew each time
_HANDLED = frozenset({"B", "W", "AB", "AW", "AE", "PL", "C"})
_WORDS = {special.value: special for special in Special}


def places(text: str) -> list[int]:
    """Return where each game of a text begins; `read` takes such a place."""
    return beginnings(text)


def read(text: str, start: int = 0) -> Game:
    """Return the first game of a text, or the first from a place on.

    Raise FormatError, with line and column, for the first thing in it that is
    no SGF, no Hex or no legal move, variations included.
    """
    raw, warnings = tree(text, start)
    _refuse_other_games(text, raw[0])
    if little_golem.is_white_first(raw):
        little_golem.exchange_moves(raw)
        warnings.append("W moves first as on Little Golem: read with the moves' colors exchanged")
    return _Reader(text, raw, warnings).game()


class _Reader:
    """Turn raw nodes into a game; hold the text, the warnings and the places of the nodes."""

    def __init__(self, text: str, raw: list[RawNode], warnings: list[str]) -> None:
        self._text = text
        self._raw = raw
        self._warnings = warnings
        self._board = self._size()
        self._nodes: list[Node] = []
        self._moves: list[RawValue | None] = []

    def game(self) -> Game:
        """Return the game."""
        number: list[int] = []  # of the last node made of a raw node
        for index, raw in enumerate(self._raw):
            parent = -1 if raw.parent < 0 else number[raw.parent]
            self._add(raw, parent, is_root=index == 0)
            number.append(len(self._nodes) - 1)
        words = [None if move is None else move.text.strip().lower() for move in self._moves]
        program = self._raw[0].properties.get("AP")
        is_hexgui = program is not None and program.values[0].text.startswith("HexGui")
        self._nodes, notes = settle_swaps(self._nodes, words, pieces_is_sides=is_hexgui)
        for node, note in notes:
            self._warn(self._place(node), note)
        try:
            check(self._board, self._nodes)
        except IllegalNodeError as error:
            place = self._place(error.node)
            token = place.text.strip()
            message = f"illegal move {quoted(token)}: {error}"
            raise error_at(self._text, place.offset, message, token) from None
        info = tuple(
            (raw.name, line_of(", ".join(value.text for value in raw.values)))
            for raw in self._raw[0].properties.values()
            if raw.name in INFO
        )
        return Game(self._board, tuple(self._nodes), info, warnings=tuple(self._warnings))

    def _size(self) -> Board:
        size = self._raw[0].properties.get("SZ")
        if size is not None:
            return size_of(self._text, size.values[0])
        points = (
            value.text.strip().lower()
            for node in self._raw
            for name in ("B", "W", "AB", "AW")
            if name in node.properties
            for value in node.properties[name].values
        )
        side = min(side_of(_numbered(point) for point in points), MAX_SIDE)
        self._warnings.append(f"SZ is missing: read as {side}x{side}")
        return Board(side, side)

    def _add(self, raw: RawNode, parent: int, *, is_root: bool) -> None:
        """Add a node, or two of them when stones are set up and a move is made."""
        dropped = _HANDLED | (_FILE | INFO if is_root else frozenset())
        found = raw.properties
        move, place = self._move(found)
        black, white, cleared = (
            cells_of(self._text, found[name], self._board) if name in found else ()
            for name in ("AB", "AW", "AE")
        )
        self._refuse_overlap(found, (black, white, cleared))
        turn = color_of(self._text, found["PL"].values[0]) if "PL" in found else None
        if move is not None and (black or white or cleared or turn is not None):
            self._nodes.append(Node(parent, None, black, white, cleared, turn))
            self._moves.append(None)
            parent, black, white, cleared, turn = len(self._nodes) - 1, (), (), (), None
        comment = "\n".join(text_of(v.text) for v in found["C"].values) if "C" in found else ""
        others = tuple(
            (each.name, tuple(value.text for value in each.values))
            for each in found.values()
            if each.name not in dropped
        )
        self._nodes.append(Node(parent, move, black, white, cleared, turn, comment, others))
        self._moves.append(place)

    def _move(self, found: dict[str, RawProperty]) -> tuple[Move | None, RawValue | None]:
        moves = [
            (color, value)
            for name, color in (("B", Color.BLACK), ("W", Color.WHITE))
            if name in found
            for value in found[name].values
        ]
        if not moves:
            return None, None
        if len(moves) > 1:
            place = max(value.offset for _, value in moves)
            raise error_at(self._text, place, "two moves in one node")
        color, value = moves[0]
        word = value.text.strip().lower()
        if not word:
            self._warn(value, "an empty move: read as pass")
            return Move(color, Special.PASS), value
        if word == "swap":
            return Move(color, Special.SWAP_PIECES), value
        if word in _WORDS:
            return Move(color, _WORDS[word]), value
        return Move(color, cell_of(self._text, value, self._board)), value

    def _refuse_overlap(
        self, found: dict[str, RawProperty], stones: tuple[tuple[int, ...], ...]
    ) -> None:
        black, white, cleared = map(set, stones)
        twice = black & white | black & cleared | white & cleared
        if twice:
            name = self._board.name(min(twice))
            place = max(found[kind].offset for kind in ("AB", "AW", "AE") if kind in found)
            raise error_at(self._text, place, f"{name!r} is set up twice in one node", name)

    def _place(self, node: int) -> RawValue:
        return self._moves[node] or RawValue("", 0)

    def _warn(self, place: RawValue, message: str) -> None:
        if len(self._warnings) < MOST_WARNINGS:
            self._warnings.append(str(error_at(self._text, place.offset, message)))


def _numbered(point: str) -> str:
    """Return a point with a number for its row, as `am` of files of Go is a13."""
    if len(point) == 2 and point.isalpha():
        return f"{point[0]}{ord(point[1]) - ord('a') + 1}"
    return point


def _refuse_other_games(text: str, root: RawNode) -> None:
    game = root.properties.get("GM")
    if game is not None and game.values[0].text.strip() != _GAME:
        token = game.values[0].text
        message = f"{quoted(f'GM[{token}]')} is another game: Hex is GM[{_GAME}]"
        raise error_at(text, game.values[0].offset, message, token)
