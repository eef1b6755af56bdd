"""Text boards: positions as people type and print them, and the caption of a printed one."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from hsearch.formats.error import FormatError, quote
from hsearch.hex import MAX_SIDE, Board, Color, Game, GameNode, Position, winner
from hsearch.hex.board import column_name
from hsearch.hex.move import Ending
from hsearch.hex.tree import SEALED, TurnUnknownError, turn_by_parity

_UNSAID = "the record says so"  # for a result that names only the winner
_HOW = "|".join(ending.value for ending in Ending)
_LINE = re.compile(
    r"\s*+([0-9]{1,3})x([0-9]{1,3}), (black or white(?= to move)|black|white)"
    rf"(?:( to move)| has won(?:: (?:{_UNSAID}|(?:black|white) (?:{_HOW})))?)"
    r"(?:; last stone [a-z][0-9]{1,3})?(?:; move [0-9]{1,9} of [0-9]{1,9})?"
    rf"(?:; {SEALED})?\.\s*+"
)
_TURN = re.compile(
    r"\s*+(?:it(?:'s| is) )?((?a:black|white|red|blue|[wrxo#●○]))"  # B: Black, or Blue?
    r"(?:'s (?:turn|move)|(?: is)? to (?:move|play)(?: and wins?)?)[.:!]?\s*+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Caption:
    """The facts in a caption of a position.

    size  columns and rows; None if it gives only the turn, such as `White to move`
    turn  the player to move, or the loser; None if unknown
    """

    size: tuple[int, int] | None
    turn: Color | None


def write_caption(game: Game, moves: int, position: Position, *, turn_is_known: bool = True) -> str:
    """Return the caption of a position of a game, after `moves` moves."""
    board, last = position.board, game.last_cell(moves)
    words = [f"{board}, {_state(game, moves, position, turn_is_known)}"]
    if last is not None:
        words.append(f"last stone {board.name(last)}")
    if moves:
        words.append(f"move {moves} of {len(game.moves)}")
    if game.is_sealed:
        words.append(SEALED)
    return "; ".join(words) + "."


def read_caption(line: str) -> Caption | None:
    """Return the facts in a caption; None if the line is not a caption."""
    match = _LINE.fullmatch(line)
    if match is None:
        words = _TURN.fullmatch(line)
        if words is None:
            return None
        who = words[1]
        return Caption(None, STONES[who] if who in STONES else Color.named(who, foreign=True))
    player = next((color for color in Color if color.word == match[3]), None)
    turn = player if match[4] or player is None else player.opponent
    return Caption((int(match[1]), int(match[2])), turn)


def write_turn(game: Game) -> str:
    """Return the line that names the player to move, with a newline.

    Empty if the numbers of stones give the player, or if nothing does.
    """
    mover = game.recorded_turn()
    with suppress(TurnUnknownError):
        if mover is turn_by_parity(game.position(turn=Color.BLACK)):
            mover = None
    return "" if mover is None else f"{mover.title} to move\n"


def _state(game: Game, moves: int, position: Position, turn_is_known: bool) -> str:  # noqa: FBT001
    """Return who has won, with the reason if it is not a chain, or else who is to move."""
    won_by, outcome = winner(position), game.ending(moves)
    if won_by is not None:
        return f"{won_by.word} has won"
    if outcome is not None and (
        game.moves[moves - 1].gives_up or outcome.winner is not position.turn
    ):
        loser = outcome.winner.opponent.word
        how = _UNSAID if outcome.ending is None else f"{loser} {outcome.ending.value}"
        return f"{outcome.winner.word} has won: {how}"
    return f"{position.turn.word if turn_is_known else 'black or white'} to move"


# Text boards, with or without labels.
#
# ::
#
#       a  b  c
#      1\.  W  .\1
#       2\.  B  *\2
#          a  b  c
#
# Empty cells are `. - _ + * · ★`, Black's stones `B X # R ●`, White's `W O ○`.
# Beside `R`, `B` is Blue, who is White here, unless there are stones of other letters.
# `b`, `w` and `r` beside other symbols of the same stones are
# rejected as well, as they may be marks of `hsearch show --inferior`. Backslashes,
# indentation, a line with a hash, and the brackets around marked cells, as in `[B]`
# and `[B|W)`, are ignored, so that the boards that `hsearch` prints can be read.
# Labels end a board; a caption below or above it gives the turn.

EMPTY = ".-_+*·★"
STONES = {**dict.fromkeys("BbXx#●Rr", Color.BLACK), **dict.fromkeys("WwOo○", Color.WHITE)}
SYMBOLS = EMPTY + "".join(STONES)

_HASH = re.compile(r"\s*+(#?(0x)?(?=[a-f]*+[0-9])[0-9a-fA-F]{8,}+)\s*+")
_LONGEST_ROW = 1000
_MARKED = re.compile(r"\(\S\)|\[\S\]|[\[(][^\s|](?:\|[^\s|])++[\])]")
_TOKEN = re.compile(r"[0-9]++|[^\s\\0-9]")


def write(position: Position, *, labels: bool = True) -> str:
    """Return a position as a text board, with a final newline.

    The turn is not written: `write_turn` returns the line for it.
    """
    board = position.board
    shapes = {Color.BLACK: "B", Color.WHITE: "W"}
    width = len(str(board.rows))
    heads = "  ".join(column_name(column) for column in range(board.columns))
    lines = [" " * (width + 1) + heads] if labels else []
    for row in range(board.rows):
        colors = [position.color_at(board.at(column, row)) for column in range(board.columns)]
        symbols = ["." if color is None else shapes[color] for color in colors]
        if labels:
            lines.append(
                " " * (row + 1) + f"{row + 1:{width}}\\" + "  ".join(symbols) + f"\\{row + 1}"
            )
        else:
            lines.append(" " * row + " ".join(symbols))
    if labels:
        lines.append(" " * (board.rows + width + 2) + heads)
    return "\n".join(lines) + "\n"


def read(text: str, *, first_line: int = 1, first_column: int = 1) -> Game:
    """Return the game that starts from the position of a text board.

    `first_line` and `first_column` are where the text begins in its file.
    Raise FormatError if it is not a board.
    """
    rows: list[tuple[int, list[tuple[int, str]]]] = []
    labels: tuple[int, int] | None = None
    above: list[tuple[int, str]] = []
    lines: Iterator[tuple[int, str]] = enumerate(text.split("\n"))
    for number, line in lines:
        at = first_line + number
        if len(line) > _LONGEST_ROW:
            raise FormatError(f"too long for a row of at most {MAX_SIDE} cells", line=at)
        shift = first_column if number == 0 else 1
        plain = _MARKED.sub(lambda mark: f" {mark[0][1:-1].replace('|', ' ')} ", line)
        tokens = [(match.start() + shift, match[0]) for match in _TOKEN.finditer(plain)]
        if not tokens or (not rows and is_hash(line)):
            continue
        if read_caption(line) is not None:
            if not rows:
                above.append((number, line))
                continue
            lines = chain([(number, line)], lines)
            break
        if is_label_line(line):
            labels = (at, len(tokens))
            if rows:
                break
        else:
            rows.append((at, _row(at, tokens, len(rows) + 1)))
            if len(rows) > MAX_SIDE:
                raise FormatError(f"more than {MAX_SIDE} rows", line=at)
    if not rows:
        raise FormatError("no board: there is no line of cells")
    game = _game(rows, labels)
    return _with_caption(
        game, ((first_line + number, line) for number, line in chain(above, lines))
    )


def is_hash(line: str) -> bool:
    """Return whether a line is the hash that some programs print above a board."""
    return _HASH.fullmatch(line) is not None


def is_label_line(line: str) -> bool:
    """Return whether a line names the columns in order, `a b c`."""
    words = line.lower().split()
    return words == [column_name(column) for column in range(len(words))]


def _row(line: int, tokens: list[tuple[int, str]], number: int) -> list[tuple[int, str]]:
    """Return the cells of a row, after its labels have been checked and removed."""
    start = 1 if tokens[0][1].isdigit() else 0
    end = len(tokens) - 1 if len(tokens) > start and tokens[-1][1].isdigit() else len(tokens)
    for column, token in tokens[:start] + tokens[end:]:
        if token != str(number):
            raise FormatError(
                f"row label {quote(token)} where row {number} is expected",
                line=line,
                column=column,
                token=token,
            )
    cells = tokens[start:end]
    for column, token in cells:
        if token not in SYMBOLS:
            raise FormatError(
                f"{quote(token)} is not a cell of a board", line=line, column=column, token=token
            )
    return cells


def _game(rows: list[tuple[int, list[tuple[int, str]]]], labels: tuple[int, int] | None) -> Game:
    columns = len(rows[0][1])
    for line, cells in rows:
        if len(cells) != columns:
            raise FormatError(f"{len(cells)} cells in a row of {columns}", line=line)
    gaps = [below - above for (above, _), (below, _) in pairwise(rows)]
    for (line, _), gap in zip(rows[1:], gaps, strict=True):
        if gap != gaps[0]:
            message = "empty lines between some rows and not between others: one board is read"
            raise FormatError(message, line=line)
    if labels is not None and labels[1] != columns:
        raise FormatError(f"{labels[1]} labels for {columns} columns", line=labels[0])
    try:
        board = Board(columns, len(rows))
    except ValueError as error:
        raise FormatError(str(error), line=rows[0][0]) from None
    stones = _stones(rows)
    _refuse_letters_beside_stones(rows, stones)
    colors = [stones.get(token) for _, cells in rows for _, token in cells]
    black, white = (tuple(cell for cell in board.cells if colors[cell] is color) for color in Color)
    warnings = () if stones is STONES else ("R and B are read as Red and Blue: Red is Black here",)
    return Game(board, (GameNode(black=black, white=white),), warnings=warnings)


def _with_caption(game: Game, around: Iterator[tuple[int, str]]) -> Game:
    """Return the game with the turn from a caption around its board, if there is one."""
    first = None
    for number, line in around:
        if not line.strip():
            continue
        caption = None if first else read_caption(line)
        if caption is None:
            raise FormatError(f"{quote(line.strip())} is not part of a board", line=number)
        if caption.size not in {None, (game.board.columns, game.board.rows)}:
            size = str(game.board)
            raise FormatError(f"a caption of another board than {size}", line=number)
        first = caption
    if first is None:
        return game
    return replace(game, nodes=(replace(game.nodes[0], turn=first.turn),))


def _stones(rows: Iterable[tuple[int, list[tuple[int, str]]]]) -> dict[str, Color]:
    """Return the color of each symbol of a stone; beside R, B is Blue.

    Raise FormatError if there are other stones beside R and B.
    """
    places = {symbol: (line, column) for line, cells in rows for column, symbol in cells}
    used = {symbol.upper() for symbol in places}
    if not {"R", "B"} <= used:
        return STONES
    other = next((stone for stone in places if stone in STONES and stone.upper() not in "RB"), None)
    if other is not None:
        line, column = places[other]
        message = f"{quote(other)} beside R and B, which are red and blue"
        raise FormatError(message, line=line, column=column, token=other)
    return STONES | dict.fromkeys("Bb", Color.WHITE)


def _refuse_letters_beside_stones(
    rows: Iterable[tuple[int, list[tuple[int, str]]]], stones: dict[str, Color]
) -> None:
    first: dict[Color, str] = {}
    for line, cells in rows:
        for column, token in cells:
            if token not in stones:
                continue
            other = first.setdefault(stones[token], token)
            if token != other and set("bwr") & {token, other}:
                raise FormatError(
                    f"{quote(token)} beside {quote(other)}: a stone, or a mark on an empty cell?",
                    line=line,
                    column=column,
                    token=token,
                )
