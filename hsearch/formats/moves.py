"""Move lists: `a5 swap-pieces d4 f7`, or run together `a5d7f3`.

Between moves there may be blanks, commas, brackets, line ends, dashes, bars and move numbers such
as `12.`, `12)` or `12:`; at the beginning of a line, as in a table, also a bare number. A full
stop or a remark such as `!?` may follow a move. Numbers count the moves or their pairs. One before
a comma or a blank, as in `1,a5 2,d4` or `1 a5 2 d4`, must be right, and if there are any, the first
move must have one.
A comment in braces belongs to the move before it, and so does one in brackets that names no move.
Several moves in brackets are a variation, which a list cannot have.
A result may stand at the end: `1. a5 {a fork} d4 (good) 2. f7 B+R`. Black begins and the players
alternate; a color before a move must be the player to move: `Red: a5 Blue: d4` or `R a5 B d4`.

Lines of words above and below, as in a mail or the heading row of a table, and names of speakers
before the moves, as in a chat, are `Surroundings`.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hsearch.formats.error import FormatError, error_at, quote
from hsearch.hex import MAX_SIDE, Board, Cell, Color, Game, Special
from hsearch.hex.move import TIMEOUT
from hsearch.hex.tree import IllegalNodeError, check

_BEGIN = r"(?:[a-z]{1,2}[0-9]|swap|pass|resign|forfeit)"  # of a move
_TOKEN = re.compile(
    r"\((?P<remark>(?=[^()]*[^\W\d_])(?![^()]*[a-z][0-9])"
    r"(?!\s*(?:swap|pass|resign|forfeit)[a-z-]*(?: pieces| sides)?\s*\))[^()]*+)\)"
    r"|(?P<color>black|white|red|blue|[bwr](?![a-z0-9]))"
    rf"(?=:\s*{_BEGIN}|[\s,;|]++(?!resign|forfeit){_BEGIN}):?"
    # A bare number at the beginning of a line, then separators that may be anywhere.
    r"|(?P<blank>(?:\A[\s|]*|[\s\xa0,;)|]*\n[\t |]*)[0-9]++(?=[\t ;|])"
    r"|[\s\xa0\u2000-\u200b\u202f,;)|]++|\(|[0-9]++(?:\.++|\)|:(?=\s))|\.(?=\s|\Z)"
    r"|(?<=[a-z0-9])[!?]{1,2}(?=[\s,;()]|\Z)"
    # After a number a dash may stand for a move, as in `1. a5 2. - 3. d4`.
    r"|(?<=\s)(?<![0-9][.):]\s)[-\u2013\u2014\u2192](?=\s)"
    rf"|(?<=[a-z0-9])[-\u2013\u2014\u2192](?={_BEGIN}))"
    r"|(?<![^\s,;])(?P<number>[0-9]{1,4})(?:,\s*+|[\t ]++)(?=[a-z])"
    # Moves may run together, so a word may be followed by the letter of a cell, but by no other.
    r"|(?P<word>swap(?:ped|s)?[- ](?:pieces|sides)"
    r"|(?:(?:swap|pass|resign|forfeit)(?:(?:ped|ed|es|s)(?!\d))?))"
    r"(?![a-z](?!\d))"
    r"|(?P<cell>[a-z]{1,3}[0-9]{1,4})"
    r"|\{(?P<comment>[^{}]*+)\}",
    re.ASCII | re.IGNORECASE,
)
# The result at the end of a list: as in SGF, as in other games, or in words.
_RESULT = re.compile(
    r"(?P<result>1-0|0-1|1/2-1/2|\*|[bw]\+[a-z]*+"
    r"|(?:[^\W\d_]++ ){1,3}(?:(?:resign|forfeit|win)s?|resigned|forfeited|won|lost|loses)"
    rf"(?: (?:by|on) [a-z]++)?|(?:(?:black|white|red|blue) )?{TIMEOUT})[\s.,;!)]*\Z",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"(?P<count>[0-9]++)(?P<stops>\.*+)")  # of moves, among what has no meaning
_BRACKET = re.compile(r"\{[^{}]*+\}|[()]")  # brackets in a comment are passed over

_WORDS = ("swap", "pass", "resign", "forfeit")
_LIKE_SWAP = re.compile(r"(?:pie|swap|switch)", re.IGNORECASE)  # words that are refused
_CELL = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
# Moves in prose, but not inside a word, an address or a number, as in `e-b2b`, `/a1/` and `c4.5`.
_AMONG_WORDS = re.compile(
    r"(?<![\w/@#.-])(?:[a-z][1-9][0-9]?|(?P<swap>swap(?:s|ped)?))(?![\w/@-]|[.][\w])",
    re.ASCII | re.IGNORECASE,
)
# In words around moves: a size such as `13x13`, and whatever may be a cell.
_SIZE = re.compile(
    r"(?<!\w)([1-9][0-9]?)(?: ?[x\u00d7] ?(?=\1(?!\w))|[x\u00d7])([1-9][0-9]?)(?!\w)", re.IGNORECASE
)
_SIDE = re.compile(
    r"\b(?:size|board|hex)[: ]{1,3}([1-9][0-9]?)(?![\w.-]| ?[x\u00d7])", re.IGNORECASE
)
_LIKE_CELL = re.compile(r"(?<![^\W_])[a-z]{1,2}[0-9]", re.IGNORECASE)
# Lines without words: numbers, perhaps of cells without their letters, and tags of other games.
_NO_WORDS = re.compile(r"(?=\D*+[0-9])[\W0-9_]*+|\s*+\[\w++\s.*", re.DOTALL)
TIME = r"(?:[\d./-]++,? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?(?:, [\d./-]+)?"  # of a chat
# Such as `Moves:`, `<Ana>`, `[14:02] Ana:`, `3/12/2026, 14:02 - Ana:`.
_LABEL = re.compile(rf"\s*+(?:[\[(]?{TIME}[\])]?(?: -)? )?(?:<[^<>\n]++>|[^:\n]++:)(?=\s)")
_COLOR = re.compile(r"\b(?:black|white|red|blue)\b", re.IGNORECASE)
_IS_NUMBERED = re.compile(r"\s*+1[\t ]")  # the first move, by a number without a sign
# Two columns of a table, or two words at the end of a line.
_WHITE_FIRST = re.compile(
    r"\b(white|blue)(?:[\"* ]*[,;\t|][\"* ]*| +(?=\w+\s*$))(?:black|red)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SIDES = (11, 13, 14, 15, 17, 19)  # of the usual boards


def least_side(words: Iterable[str]) -> int:
    """Return the side of the smallest square board that has all the named cells."""
    cells = [cell for word in words if (cell := _CELL.fullmatch(word.lower()))]
    return max((max(ord(cell[1]) - ord("a") + 1, int(cell[2])) for cell in cells), default=1)


def side_of(words: Iterable[str]) -> int:
    """Return the side of the smallest usual board, from 11 up, that has all the named cells."""
    least = least_side(words)
    return next((side for side in _SIDES if side >= least), least)


def cells_of(text: str) -> list[str]:
    """Return the cells in a list of moves, in order."""
    return [each[0] for each in _TOKEN.finditer(text) if each.lastgroup == "cell"]


def among_words(text: str) -> list[str]:
    """Return the moves in prose, each cell once; none if the text is nearly a move list.

    A swap is included only between the first cell and the second.

    >>> among_words("I opened c2 and he swapped. Then g7, and h4 after a long time.")
    ['c2', 'swap', 'g7', 'h4']
    """
    if is_nearly_list(text):
        return []
    words = dict.fromkeys(
        "swap" if match["swap"] else match[0].lower() for match in _AMONG_WORDS.finditer(text)
    )
    is_swapped = [*words][1:2] == ["swap"]
    return [word for word in words if word != "swap" or is_swapped]


def write(game: Game) -> str:
    """Return the moves of the main line, with blanks between and a final newline.

    Raise ValueError if a list cannot express the game: stones are set up, or
    the players do not alternate, even at the end.
    """
    color = Color.BLACK
    for node in game.main_line:
        if node.is_setup:
            raise ValueError("a move list holds no stones set up by hand")
        if node.move is not None:
            if node.move.color is not color:
                name = node.move.name(game.board)
                who = node.move.color.word
                raise ValueError(f"a move list takes turns, and {who} plays {name} out of turn")
            color = node.move.next_color
    if game.recorded_turn(len(game.moves)) not in {None, color}:
        raise ValueError(
            f"a move list takes turns, and {color.opponent.word} is to move at its end"
        )
    return " ".join(move.name(game.board) for move in game.moves) + "\n"


def read(text: str, board: Board, *, hint: bool = True) -> Game:
    """Return the game of a move list on a board.

    Raise FormatError, with line and column, for the first token that is not a legal
    move. With `hint`, the error for a small board names a board that has all the cells.
    """
    actions: list[Cell | Special] = []
    places: list[tuple[int, str]] = []
    comments: dict[int, str] = {}
    colors: dict[int, tuple[int, str]] = {}
    warnings: list[str] = []
    result = ""
    numbers: list[tuple[int, re.Match[str]]] = []
    is_numbered = _IS_NUMBERED.match(text) is not None
    for match in _tokens(text):
        kind, at = match.lastgroup, match.start()
        if kind == "result":
            result = match["result"]
        elif kind in {"comment", "remark"}:
            parts = comments.get(len(actions), ""), match[kind].strip()
            comments[len(actions)] = "\n".join(filter(None, parts))
        elif kind == "number":
            is_numbered = is_numbered or not actions
            _check_number(text, match, len(actions) if is_numbered else None)
        elif kind == "color":
            colors[len(actions)] = at, match["color"]
        elif kind == "blank":
            numbers.extend((len(actions), each) for each in _NUMBER.finditer(text, at, match.end()))
        else:
            if kind == "word" and _special(match[0]) == "swap":
                warnings = [_swap_warning(actions, board)]
            actions.append(_action(text, match, board, hint=hint))
            places.append((at, match[0]))
    if text.strip() and not actions:
        raise error_at(text, 0, "there are no moves")
    warnings += _wrong_numbers(text, numbers)
    warnings += _bracketed_moves(text, places)
    game = _with_result(Game.of(board, actions), result)
    try:
        check(board, game.nodes)
    except IllegalNodeError as error:
        at, word = places[error.node - 1]
        raise error_at(text, at, f"illegal move {quote(word)}: {error}", word) from None
    _check_colors(text, game, colors)
    nodes = tuple(
        replace(node, comment=comments.get(index, "")) for index, node in enumerate(game.nodes)
    )
    return replace(game, nodes=nodes, warnings=tuple(warnings))


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a list, and the result at its end, which may be in brackets.

    Raise FormatError for the first text that is not a token.
    """
    at, has_move = 0, False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if has_move and (match is None or match.lastgroup == "remark"):
            match = _RESULT.match(text, at if match is None else at + 1) or match
        if match is None:
            token = re.split(r"[\s,;]", text[at : at + 40], maxsplit=1)[0]
            swap = ": a swap is swap, swap-pieces or swap-sides" * bool(_LIKE_SWAP.match(token))
            raise error_at(text, at, f"{quote(token)} is not a move{swap}", token)
        yield match
        has_move = has_move or match.lastgroup in {"cell", "word"}
        at = match.end()


def _check_number(text: str, match: re.Match[str], moves: int | None) -> None:
    """Raise FormatError for a wrong move number: it may be a cell without its letter."""
    due = () if moves is None else (moves + 1, moves // 2 + 1)
    if int(match["number"]) not in due:
        token = match[0].rstrip()
        raise error_at(text, match.start(), f"{quote(token)} is not a move", token)


def _with_result(game: Game, result: str) -> Game:
    """Return a game with the result at the end of its list, if there is one.

    A loss on time without a color is that of the player to move.
    """
    if re.fullmatch(TIMEOUT, result, re.IGNORECASE):
        result = f"{game.moves[-1].next_color.word} lost on time"
    return replace(game, info=(("RE", result),)) if result else game


def _wrong_numbers(text: str, numbers: list[tuple[int, re.Match[str]]]) -> list[str]:
    """Return a warning about the first wrong move number, such as `2.` or one of a table's row.

    Numbers count the moves or their pairs. Each comes with the number of moves before it. Raise
    FormatError if by the wrong number the other player would be to move.
    """
    ways = {1, 2}  # how many moves a number may count
    for moves, match in numbers:
        number, is_odd = int(match["count"][:9]), moves % 2
        is_reply = len(match["stops"]) > 1  # as in `1... b4`
        fits = {way for way in ways if number == moves // way + 1 and is_reply <= is_odd}
        if fits:
            ways = fits
            continue
        parities = {1: (number - 1) % 2, 2: int(is_reply)}
        where = f"{quote(match[0])} stands before move {moves + 1}"
        if all(parities[way] != is_odd for way in ways):
            color = list(Color)[is_odd].title
            message = f"{where}, {color}'s: a move or a number is missing or wrong"
            raise error_at(text, match.start(), message, match[0])
        return [str(error_at(text, match.start(), f"{where}: a number is missing or wrong"))]
    return []


def _bracketed_moves(text: str, places: list[tuple[int, str]]) -> list[str]:
    """Return a warning about the first move in brackets, which is played as any other.

    Raise FormatError for several moves in brackets among others: they are a variation.
    """
    cells = [at for at, word in places if _CELL.fullmatch(word.lower())]
    groups = [(slice(*at), bisect(cells, at[1]) - bisect(cells, at[0])) for at in _spans(text)]
    if sum(moves for _, moves in groups) == len(places):
        return []  # brackets around all moves, or around each pair
    for span, moves in groups:
        if moves > 1:
            message = "is a variation, which a list of moves cannot hold: leave it out or write SGF"
            raise error_at(text, span.start, f"{quote(text[span])} {message}", text[span])
    first = next((span for span, moves in groups if moves), None)
    if first is None:
        return []
    return [str(error_at(text, first.start, f"{quote(text[first])} is read as the next move"))]


def _spans(text: str) -> list[tuple[int, int]]:
    """Return where the outermost brackets begin and end; the last may not be closed."""
    spans, starts = [], list[int]()
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            starts.append(match.start())
        elif match[0] == ")" and starts:
            start = starts.pop()
            if not starts:
                spans.append((start, match.end()))
    return [*spans, (starts[0], len(text))] if starts else spans


def _check_colors(text: str, game: Game, colors: dict[int, tuple[int, str]]) -> None:
    """Raise FormatError if a color is named before a move of the other player.

    The letter `b` means Blue if `r` is used as well, else Black.
    """
    letters = {"r": "red", "w": "white", "b": "black"}
    if "r" in {word.lower() for _, word in colors.values()}:
        letters["b"] = "blue"
    for number, (at, word) in colors.items():
        if number >= len(game.moves):
            raise error_at(text, at, f"{quote(word)} without a move after it", word)
        name = letters.get(word.lower(), word)
        if game.moves[number].color is not Color.named(name, foreign=True):
            whose = f"move {number + 1} is the other player's, as Black, or Red, begins"
            raise error_at(text, at, f"{quote(word)}: {whose}", word)


def _swap_warning(actions: list[Cell | Special], board: Board) -> str:
    """Return a warning that says how a plain `swap` is read."""
    note = "'swap' is read as 'swap-pieces'"
    if len(actions) != 1 or isinstance(actions[0], Special) or board.columns != board.rows:
        return note
    first = actions[0]
    becomes = board.name(board.at(*reversed(board.column_and_row(first))))
    where = "" if becomes == board.name(first) else f", on {becomes}"
    return f"{note}: the stone on {board.name(first)} becomes White's{where}"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The lines of a text above and below its moves.

    moves      the text without these lines, in which every move keeps its line and column
    omissions  the lines, each with its number from 1
    """

    moves: str
    omissions: tuple[tuple[int, str], ...]

    @property
    def size(self) -> tuple[int, int] | None:
        """The board size that the lines name; None for none, several or an impossible one."""
        pairs = {pair for _, line in self.omissions for pair in _SIZE.findall(line)}
        pairs |= {(side, side) for _, line in self.omissions for side in _SIDE.findall(line)}
        sizes = [(int(columns), int(rows)) for columns, rows in pairs]
        return sizes[0] if len(sizes) == 1 and max(sizes[0]) <= MAX_SIDE else None

    @property
    def warning(self) -> str:
        """A warning that quotes the lines."""
        words = [f"line {number}, {quote(line)}" for number, line in self.omissions]
        if len(words) > _MOST_SHOWN:
            words[_MOST_SHOWN - 1 :] = [f"and {len(words) - _MOST_SHOWN + 1} more"]
        return f"words around the moves are left out: {'; '.join(words)}"


_MOST_SHOWN = 3  # lines that a warning quotes


def surroundings(text: str) -> Surroundings | None:
    """Return what surrounds the moves of a text: whole lines without a cell, and labels.

    A label is a word and a colon, or a name in angle brackets, before the moves of a line. Only its
    color is a part of the moves, as in `Ana (Black): a5`. A result in the first line below belongs
    to the moves. Return None if nothing surrounds them, or if the rest is not a list of moves.
    Raise FormatError for a table whose heading has White, or Blue, before Black: it is not known
    who began.
    """
    lines = text.split("\n")
    move_lines = [at for at, line in enumerate(lines) if _LIKE_CELL.search(line) or is_list(line)]
    if not move_lines:
        return None
    move_lines += [at for at, line in enumerate(lines) if _NO_WORDS.fullmatch(line)]
    first, end = min(move_lines), max(move_lines) + 1
    labels = []
    for at in range(first, end):
        label = None if is_list(lines[at]) else _LABEL.match(lines[at])
        if label is not None and not _LIKE_CELL.search(label[0]):
            labels.append((at, label[0]))
            color = _COLOR.search(label[0])
            word = "" if color is None else f"{color[0]}:"
            lines[at] = word.rjust(label.end()) + lines[at][label.end() :]
    below = next((at for at in range(end, len(lines)) if lines[at].strip()), None)
    if below is not None and is_list("\n".join(lines[first : below + 1])):
        end = below + 1
    out = [(at, line) for at, line in enumerate(lines) if not first <= at < end and line.strip()]
    out += labels
    moves = "\n" * first + "\n".join(lines[first:end])
    if not out or not (is_list(moves) or is_nearly_list(moves)):
        return None
    heading = _WHITE_FIRST.search("\n".join(lines[:first]))
    if heading is not None:
        word = heading[1]
        message = f"{quote(word)} is the first column of moves, and Black, or Red, begins"
        raise error_at(text, heading.start(), message, word)
    return Surroundings(moves, tuple((at + 1, line.strip()) for at, line in sorted(out)))


def is_list(text: str) -> bool:
    """Return whether a text is only moves, legal or not."""
    try:
        kinds = {match.lastgroup for match in _tokens(text)}
    except FormatError:
        return False
    return not kinds.isdisjoint({"cell", "word"})


def is_nearly_list(text: str) -> bool:
    """Return whether a text has several words, and at least half of them are moves."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    return len(words) > 1 and 2 * sum(map(is_list, words)) >= len(words)


def _special(text: str) -> str:
    """Return the base form of a word, such as `resign` for `resigns`."""
    kind = re.fullmatch(r"swap.*[- ](pieces|sides)", text, re.IGNORECASE)
    if kind is not None:
        return f"swap-{kind[1].lower()}"
    return next(word for word in _WORDS if text.lower().startswith(word))


def _action(text: str, match: re.Match[str], board: Board, *, hint: bool) -> Cell | Special:
    if match.lastgroup == "word":
        return Special(_special(match[0]))
    try:
        return board.cell(match[0])
    except ValueError as error:
        side = side_of(cells_of(text))
        fits = max(board.columns, board.rows) < side <= MAX_SIDE
        larger = f"; a board of {side}x{side} has it" if hint and fits else ""
        raise error_at(text, match.start(), f"{error}{larger}", match[0]) from None
