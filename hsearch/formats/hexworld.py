"""Links to hexworld.org: a whole game behind the `#` of an address.

::

    https://hexworld.org/board/#11x11nc1,a2:sf6,g7
                                |    ||  |      |
                             size flags  moves  taken back

Black begins and the players alternate; `:p` passes, `:s` and `:S` swap pieces and
sides, `:rb :rw :fb :fw` resign and forfeit. Links have no setup, so a position is
written as moves with passes between them. A text may have several links, in prose
or in Markdown.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest

from hsearch.formats.error import FormatError, error_at, quote
from hsearch.hex import Board, Cell, Color, Game, GameNode, Move, Position, Special
from hsearch.hex.face import expect_range
from hsearch.hex.tree import IllegalNodeError, check

ADDRESS = "https://hexworld.org/board/"
DEFAULT_SIDE = 11
DEFAULT_ROTATION = 10

_LINK = re.compile(r"(?i:hexworld\.org)(?:/[\w/.?=&-]*+)?(?P<hash>#[^\s()<>\[\]{}|*_`\"']*+)?")
_AFTER = ".;:!?"  # what may end a sentence after a link
_SIZE = re.compile(r"([0-9]{1,4})(?:x([0-9]{1,4}))?")
_FLAGS = re.compile(r"(?:r(?P<rotation>1[0-2]|[1-9])|(?P<mirrored>m)|(?P<numbers>n)|c[0-9])*")
_MOVE = re.compile(r",|[a-z]{1,3}[1-9][0-9]{0,3}|:[rf][bw]|:[sSp]")
_BROKEN = re.compile(rf"(?:\s|\\|{_MOVE.pattern})*+")
_PASS = ":p"  # noqa: S105 - no password
_CODES: dict[str, tuple[Special, Color | None]] = {
    ":s": (Special.SWAP_PIECES, None),
    ":S": (Special.SWAP_SIDES, None),
    _PASS: (Special.PASS, None),
    ":rb": (Special.RESIGN, Color.BLACK),
    ":rw": (Special.RESIGN, Color.WHITE),
    ":fb": (Special.FORFEIT, Color.BLACK),
    ":fw": (Special.FORFEIT, Color.WHITE),
}
_WORDS: dict[Special | None, str] = {
    special: code for code, (special, color) in _CODES.items() if color is None
}
_GIVES_UP: dict[Special | None, str] = {Special.RESIGN: ":r", Special.FORFEIT: ":f"}


def write(
    game: Game,
    *,
    rotation: int = DEFAULT_ROTATION,
    mirrored: bool = False,
    numbers: bool = False,
    red_and_blue: bool = False,
) -> str:
    """Return the link to a game's main line, without a newline.

    `rotation` is a clock position from 1 to 12: 10, the default, for the flat board, 9
    for the diamond. A game with stones set up is written as its current position, because
    a link has only moves. Raise ValueError for another rotation.
    """
    expect_range("rotation", rotation, 1, 12)
    if _needs_setup(game):
        game = _as_moves(game.position())
    board = game.board
    size = str(board.columns) + (f"x{board.rows}" if board.rows != board.columns else "")
    flags = "" if rotation == DEFAULT_ROTATION else f"r{rotation}"
    flags += "m" * mirrored + "n" * numbers + "c1" * red_and_blue
    codes = list(_codes(game))
    cut = len(codes) if game.cursor is None or _is_at_its_end(game) else game.cursor
    before, after = "".join(codes[:cut]), "".join(codes[cut:])
    if codes[cut:] and codes[cut] not in _CODES and after.startswith(_PASS):
        before, after = before + _PASS, after.removeprefix(_PASS)  # a pass that shows the turn
    parts = size + flags, before, after
    return ADDRESS + "#" + ",".join(parts).rstrip(",")


def places(text: str) -> list[int]:
    """Return the offset of each link with a game; if no link has one, of the first link.

    A text without links may be one hash.
    """
    links = list(_LINK.finditer(text))
    return [link.start() for link in links if link["hash"]] or [link.start() for link in links[:1]]


def read(text: str, start: int = 0) -> Game:
    """Return the game of the first link at or after an offset, or of a text that is one hash.

    The cursor is where the link puts it, so moves that were taken back are
    included. Raise FormatError, with the offset, or the line and column if there
    are several lines, for the first token that is not a legal move.
    """
    try:
        return _game(text, start)
    except FormatError as error:
        if error.offset is None or "\n" not in text.rstrip():
            raise
        raise error_at(text, error.offset, error.message, error.token) from None


def _game(text: str, start: int) -> Game:
    hash_, offsets = _hash(text, *_span(text, start))
    parameters, comma, _ = hash_.partition(",")
    size = _SIZE.match(parameters)
    columns, rows = (DEFAULT_SIDE, None) if size is None else (int(size[1]), size[2])
    try:
        board = Board(columns, int(rows or columns))
    except ValueError as error:
        raise FormatError(str(error), offset=offsets[0], token=parameters[:20]) from None
    nodes, places, cursor = _moves(text, hash_, len(parameters + comma), offsets, board)
    try:
        check(board, nodes)
    except IllegalNodeError as error:
        offset, token = places[error.node - 1]
        message = f"illegal move {quote(token)}: {error}"
        raise FormatError(message, offset=offset, token=token) from None
    return Game(board, tuple(nodes), cursor=cursor)


def view_of(text: str, start: int = 0) -> tuple[int, bool, bool]:
    """Return how a link shows the board: clock position, whether mirrored, whether numbered.

    Raise FormatError if there is no link.
    """
    hash_, _ = _hash(text, *_span(text, start))
    size = _SIZE.match(hash_)
    flags = next(_FLAGS.finditer(hash_, 0 if size is None else size.end()))  # maybe of no length
    rotation = int(flags["rotation"] or DEFAULT_ROTATION)
    return rotation, flags["mirrored"] is not None, flags["numbers"] is not None


def _span(text: str, start: int) -> tuple[int, int]:
    """Return where a hash begins and ends; a text without a link is one hash.

    A link that was broken over several lines is read to the end, if only moves follow.
    """
    link = next((link for link in _LINK.finditer(text, start) if link["hash"]), None)
    if link is None:
        if "hexworld.org" in text:
            raise FormatError("a HexWorld link without '#': copy the whole address of the board")
        return text.find("#") + 1, len(text)
    at, end = link.start("hash") + 1, link.end()
    if text[end:].strip() and _BROKEN.fullmatch(text, end):
        return at, len(text)
    return at, at + len(text[at:end].rstrip(_AFTER))


def _hash(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Return the hash between two offsets, decoded, and the offset of each of its characters."""
    parts = (
        (match.start(), chr(int(match[0][1:], 16)) if len(match[0]) > 1 else match[0])
        for match in re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL).finditer(text, start, end)
    )
    letters = [(offset, char) for offset, char in parts if not (char.isspace() or char == "\\")]
    return "".join(char for _, char in letters), [*(offset for offset, _ in letters), end]


def _moves(
    text: str, hash_: str, at: int, offsets: list[int], board: Board
) -> tuple[list[GameNode], list[tuple[int, str]], int | None]:
    """Return the nodes of the moves from `at` on, the place of each move, and the cursor."""
    nodes, places, color = [GameNode()], list[tuple[int, str]](), Color.BLACK
    cursor: int | None = None
    while at < len(hash_):
        match = _MOVE.match(hash_, at)
        if match is None or (match[0] == "," and cursor is not None):
            # As it was written: the hash has neither blanks nor escapes.
            token = text[offsets[at] : offsets[min(at + 10, len(hash_))]].rstrip()
            raise FormatError(f"{quote(token)} is not a move", offset=offsets[at], token=token)
        if match[0] == ",":
            cursor = len(places)
        else:
            action, mark = _CODES.get(match[0], (None, None))
            try:
                cell = board.cell(match[0]) if action is None else action
            except ValueError as error:
                raise FormatError(str(error), offset=offsets[at], token=match[0]) from None
            move = Move(color if mark is None else mark, cell)
            nodes.append(GameNode(len(nodes) - 1, move))
            places.append((offsets[at], match[0]))
            color = color if move.gives_up else move.next_color
        at = match.end()
    return nodes, places, None if cursor == len(places) else cursor


def _codes(game: Game) -> Iterator[str]:
    """Yield a code for each move, which begins with a pass if the move is out of turn.

    A pass follows if the record names the other player to move at the end.
    """
    color = Color.BLACK
    for move in game.moves:
        if move.special in _GIVES_UP:
            yield _GIVES_UP[move.special] + move.color.word[0]
            return
        out_of_turn = _PASS if move.color is not color else ""
        name = _WORDS[move.special] if move.special else move.name(game.board)
        yield out_of_turn + name
        color = move.next_color
    if _is_at_its_end(game) and game.recorded_turn() not in {None, color}:
        yield _PASS


def _is_at_its_end(game: Game) -> bool:
    """Return whether no move was taken back."""
    return game.cursor in {None, len(game.moves)}


def _needs_setup(game: Game) -> bool:
    """Return whether moves alone cannot express the position of a game and the turn."""
    given_up = any(move.gives_up for move in game.moves)
    return any(node.is_setup or (given_up and node.turn is not None) for node in game.main_line)


def _as_moves(position: Position) -> Game:
    """Return a game that leads to a position, with passes where a player has more stones."""
    black, white = (list(position.stones(color).search(1)) for color in Color)
    actions: list[Cell | Special] = []
    for pair in zip_longest(black, white):
        actions.extend(Special.PASS if cell is None else cell for cell in pair)
    if actions and actions[-1] is Special.PASS and position.turn is Color.WHITE:
        actions.pop()
    elif position.turn is Color.WHITE:
        actions.append(Special.PASS)
    return Game.of(position.board, actions)
