"""Reading and writing SGF records, with the dialects of other sites."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hsearch.formats import sgf_tree
from hsearch.formats.error import error_at, expect_few, quote
from hsearch.formats.moves import side_of
from hsearch.formats.sgf_tree import RawNode, RawProperty, RawValue
from hsearch.hex import MAX_SIDE, Board, Color, Game, GameNode, Move, Outcome, Special
from hsearch.hex.move import TIMEOUT, Ending
from hsearch.hex.tree import IllegalNodeError, check, main_line_length
from hsearch.version import __version__

# Which of the two swaps a record means.
#
# Programs disagree about the words: some write `swap-pieces` and mean that the
# players exchange colors. The next move decides. If it has the color that swapped,
# sides were swapped; if it has the other color, pieces were. At the end of a
# record the word is trusted, and a bare `swap` is one of pieces. `swap-sides` is
# also trusted if `PL` gives the turn before the next move. In records of this
# program the words are trusted, because a move may be out of turn.


def settle_swaps(
    nodes: Sequence[GameNode],
    words: Sequence[str | None],
    *,
    pieces_is_sides: bool = False,
    are_exact: bool = False,
) -> tuple[list[GameNode], list[tuple[int, str]]]:
    """Return the nodes with each swap as it is meant, and notes on those that were unclear.

    `words` are the moves as they were written. `pieces_is_sides` is whether the program
    that wrote them, such as HexGui, means sides by `swap-pieces`; `are_exact` whether this
    program wrote them, so the next move may be out of turn. A note has a node's number first.
    """
    new_nodes, notes = list(nodes), []
    for index, node in enumerate(nodes):
        if node.move is None or not node.move.swaps:
            continue
        action = Special(node.move.action)
        if pieces_is_sides and words[index] == Special.SWAP_PIECES.value:
            action = Special.SWAP_SIDES
        following = None
        if not (are_exact and words[index] == action.value):
            following = _next_color(nodes, index, after_turn=action is Special.SWAP_PIECES)
        if following is not None:
            same = following is node.move.color
            action = Special.SWAP_SIDES if same else Special.SWAP_PIECES
        word = words[index]
        if word != action.value:
            why = "" if following is None else f", because {following.word} moves next"
            if word != "swap" or not why:  # a bare one is settled by the next move, as it should be
                notes.append((index, f"{word!r} is read as {action.value!r}{why}"))
        new_nodes[index] = replace(node, move=Move(node.move.color, action))
    return new_nodes, notes


def _next_color(nodes: Sequence[GameNode], index: int, *, after_turn: bool) -> Color | None:
    """Return the color of the next move in the line after a node; None if there is none.

    `after_turn` is whether to look beyond a node that names the player to move.
    """
    for number in range(index + 1, len(nodes)):
        if nodes[number].parent != number - 1:
            return None
        if nodes[number].turn is not None and not after_turn:
            return None
        move = nodes[number].move
        if move is not None:
            return None if move.gives_up else move.color
    return None


# The dialect of Little Golem: the moves of the first player are written W.
#
# Our first player is Black, so the moves of such a record are read with the colors
# exchanged. The properties about the players (PB, PW, BR, WR, RE) already call the
# first player black there, and stay as they are::
#
#     (;PB[first]PW[second]RE[W];W[ac];B[ie];W[resign])

_OTHER = {"B": "W", "W": "B"}


def is_white_first(nodes: list[RawNode]) -> bool:
    """Return whether a record without GM and without setup begins with a two-letter W move."""
    if nodes[0].properties.keys() & {"GM", "AB", "AW", "PL"}:
        return False
    for index, node in enumerate(nodes):
        if node.parent != index - 1:
            return False
        for raw in node.properties.values():
            if raw.name in {"B", "W"}:
                return raw.name == "W" and raw.values[0].text.strip().isalpha()
    return False


def _is_of_little_golem(root: RawNode) -> bool:
    """Return whether a record names Little Golem as its source."""
    source = root.properties.get("SO")
    return source is not None and "littlegolem" in source.values[0].text.lower()


def exchange_moves(nodes: list[RawNode]) -> None:
    """Exchange the colors of all moves, in place."""
    for node in nodes:
        for raw in node.properties.values():
            raw.name = _OTHER.get(raw.name, raw.name)
        node.properties = {raw.name: raw for raw in node.properties.values()}


# SGF text to games.

_GAME = "11"
_PROGRAM = "hsearch"
_FILE = frozenset({"FF", "GM", "CA", "AP", "SZ"})  # about the file, and not copied from it
_HANDLED = frozenset({"B", "W", "AB", "AW", "AE", "PL", "C"})
_SETUP = ("AB", "AW", "AE")
_WORDS = {special.value: special for special in Special}
# Moves in files that are not quite SGF, such as R for Red; SGF itself has five names of a letter.
_LIKE_MOVES = re.compile(r"(?![BCNVW]$)[A-Z]|RED|BLUE")


def places(text: str) -> list[int]:
    """Return the offset of each game in a text; `read` takes such an offset."""
    return sgf_tree.beginnings(text)


def read(text: str, start: int = 0) -> Game:
    """Return the first game of a text at or after an offset.

    Raise FormatError, with line and column, for the first thing in it, variations
    included, that is not SGF, not Hex or not a legal move.
    """
    raw, warnings = sgf_tree.tree(text, start)
    _refuse_other_games(text, raw[0])
    if is_white_first(raw):
        exchange_moves(raw)
        if not _is_of_little_golem(raw[0]):
            warnings.append(
                "W moves first as on Little Golem: read with the moves' colors exchanged"
            )
    return _Reader(text, raw, warnings).game()


class _Reader:
    """Converts raw nodes to a game. Holds the text, the warnings and the places of the nodes."""

    def __init__(self, text: str, raw: list[RawNode], warnings: list[str]) -> None:
        self._text = text
        self._raw = raw
        self._warnings = warnings
        self._board = self._size()
        self._cells = frozenset(map(self._board.name, self._board.cells))
        self._nodes: list[GameNode] = []
        self._setup_count = 0  # number of cells so far
        self._moves: list[RawValue | None] = []
        self._timeouts: dict[int, tuple[Color, RawValue]] = {}  # by the node's number

    def game(self) -> Game:
        """Return the game."""
        number: list[int] = []  # by raw node, of the last node that it became
        for index, raw in enumerate(self._raw):
            parent = -1 if raw.parent < 0 else number[raw.parent]
            self._add(raw, parent, is_root=index == 0)
            number.append(len(self._nodes) - 1)
        words = [None if move is None else move.text.strip().lower() for move in self._moves]
        program = self._raw[0].properties.get("AP")
        name = "" if program is None else program.values[0].text
        self._nodes, notes = settle_swaps(
            self._nodes,
            words,
            pieces_is_sides=name.startswith("HexGui"),
            are_exact=name.startswith(f"{_PROGRAM}:"),
        )
        for node, note in notes:
            self._warn(self._place(node), note)
        self._warn_of_other_moves()
        try:
            check(self._board, self._nodes)
        except IllegalNodeError as error:
            place = self._place(error.node)
            token = place.text.strip()
            message = f"illegal move {quote(token)}: {error}"
            raise error_at(self._text, place.offset, message, token) from None
        info = tuple(
            (raw.name, sgf_tree.info_of(raw))
            for raw in self._raw[0].properties.values()
            if raw.name in sgf_tree.INFO
        )
        loser = self._loser_on_time()
        if loser is not None and not any(name == "RE" for name, _ in info):
            info = (*info, ("RE", Outcome(loser.opponent, Ending.LOST_ON_TIME).result))
        return Game(self._board, tuple(self._nodes), info, warnings=tuple(self._warnings))

    def _loser_on_time(self) -> Color | None:
        """Return who lost on time by the last move; warn about such moves elsewhere."""
        end = main_line_length(self._nodes) - 1
        for node, (_, value) in self._timeouts.items():
            if node != end:
                self._warn(value, f"{quote(value.text)} is left out: it does not end the game")
        return self._timeouts[end][0] if end in self._timeouts else None

    def _size(self) -> Board:
        size = self._raw[0].properties.get("SZ")
        if size is not None:
            return sgf_tree.size_of(self._text, size.values[0])
        points = (
            point.strip()
            for node in self._raw
            for name in ("B", "W", "AB", "AW")
            if name in node.properties
            for value in node.properties[name].values
            for point in value.text.split(":")  # the corners of a rectangle
        )
        side = min(side_of(map(sgf_tree.with_row_number, points)), MAX_SIDE)
        self._warnings.append(f"SZ is missing: read as {side}x{side}")
        return Board(side, side)

    def _add(self, raw: RawNode, parent: int, *, is_root: bool) -> None:
        """Add a node, or two if the raw node has both setup and a move."""
        omissions = _HANDLED | (_FILE | sgf_tree.INFO if is_root else frozenset())
        self._warn_of_lost_moves(raw)
        properties = raw.properties
        move, place = self._move(properties)
        black, white, cleared = (
            sgf_tree.cells_of(self._text, properties[name], self._board)
            if name in properties
            else ()
            for name in _SETUP
        )
        self._setup_count += sum(map(len, (black, white, cleared)))
        expect_few(self._setup_count, self._text, max(_offsets(properties), default=0))
        self._refuse_overlap(properties, (black, white, cleared))
        turn = (
            sgf_tree.color_of(self._text, properties["PL"].values[0])
            if "PL" in properties
            else None
        )
        if move is not None and (black or white or cleared or turn is not None):
            self._nodes.append(GameNode(parent, None, black, white, cleared, turn))
            self._moves.append(None)
            parent, black, white, cleared, turn = len(self._nodes) - 1, (), (), (), None
        if move is None and place is not None:
            loser = Color.BLACK if "B" in properties else Color.WHITE
            self._timeouts[len(self._nodes)] = loser, place
            place = None
        comment = (
            "\n".join(sgf_tree.text_of(v.text) for v in properties["C"].values)
            if "C" in properties
            else ""
        )
        others = tuple(
            (each.name, tuple(value.text for value in each.values))
            for each in properties.values()
            if each.name not in omissions
        )
        self._nodes.append(GameNode(parent, move, black, white, cleared, turn, comment, others))
        self._moves.append(place)

    def _warn_of_lost_moves(self, raw: RawNode) -> None:
        """Warn about properties that are not moves, but have the value of a move."""
        for each in raw.properties.values():
            word = each.values[0].text.strip().lower()
            if not _LIKE_MOVES.fullmatch(each.name) or len(each.values) > 1:
                continue
            if word in self._cells or word in _WORDS or word == "swap":
                text = quote(f"{each.name}[{word}]")
                self._warn(each.values[0], f"{text} is not played: only B and W are moves")

    def _warn_of_other_moves(self) -> None:
        """Warn about a record without moves and stones, but with moves as BoardSpace writes them.

        Those are `P1[2 dropw C 4]`; no name of SGF has digits.
        """
        if any(node.move is not None or node.is_setup for node in self._nodes):
            return
        properties = (each for raw in self._raw[1:] for each in raw.properties.values())
        other = next((each for each in properties if not each.name.isalpha()), None)
        if other is not None:
            text = quote(f"{other.name}[{other.values[0].text}]")
            self._warn(other.values[0], f"nothing is played: moves are B[c4] and W[d5], not {text}")

    def _move(self, properties: dict[str, RawProperty]) -> tuple[Move | None, RawValue | None]:
        """Return the move of a node and its place; the place alone for a loss on time."""
        moves = [
            (color, value)
            for name, color in (("B", Color.BLACK), ("W", Color.WHITE))
            if name in properties
            for value in properties[name].values
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
        if re.fullmatch(TIMEOUT, word):
            return None, value
        return Move(color, sgf_tree.cell_of(self._text, value, self._board)), value

    def _refuse_overlap(
        self, properties: dict[str, RawProperty], stones: tuple[tuple[int, ...], ...]
    ) -> None:
        black, white, cleared = map(set, stones)
        twice = black & white | black & cleared | white & cleared
        if twice:
            name = self._board.name(min(twice))
            raise error_at(
                self._text, max(_offsets(properties)), f"{name!r} is set up twice in one node", name
            )

    def _place(self, node: int) -> RawValue:
        return self._moves[node] or RawValue("", 0)

    def _warn(self, place: RawValue, message: str) -> None:
        if len(self._warnings) < sgf_tree.MOST_WARNINGS:
            self._warnings.append(str(error_at(self._text, place.offset, message)))


def _offsets(properties: dict[str, RawProperty]) -> list[int]:
    """Return the offsets of the setup properties of a node."""
    return [properties[kind].offset for kind in _SETUP if kind in properties]


def _refuse_other_games(text: str, root: RawNode) -> None:
    game = root.properties.get("GM")
    if game is not None and game.values[0].text.strip() != _GAME:
        token = game.values[0].text
        message = f"{quote(f'GM[{token}]')} is another game: Hex is GM[{_GAME}]"
        raise error_at(text, game.values[0].offset, message, token)


# Games to SGF text.

_MOVE = {Color.BLACK: "B", Color.WHITE: "W"}
_LINE = 80


def write(game: Game) -> str:
    """Return a game as SGF, with a final newline.

    All variations, comments and foreign properties are included. Raise ValueError if `info` has
    a name that is not one of SGF about games: it would not be read back.
    """
    foreign = next((name for name, _ in game.info if name not in sgf_tree.INFO), None)
    if foreign is not None:
        names = " ".join(sorted(sgf_tree.INFO))
        raise ValueError(f"{foreign!r} is not game information in SGF; these are: {names}")
    board = game.board
    size = str(board.columns)
    if board.rows != board.columns:
        size += f":{board.rows}"
    root = f";FF[4]GM[11]CA[UTF-8]AP[{_PROGRAM}:{__version__}]SZ[{size}]"
    root += "".join(f"{name}[{sgf_tree.escape(text)}]" for name, text in game.info)
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


def _node(node: GameNode, board: Board) -> str:
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
        parts.append(f"C[{sgf_tree.escape(node.comment)}]")
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
