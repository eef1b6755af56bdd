"""JSON records of PlayHex and of Abstract Play, one game or a list of them.

PlayHex, where red, our Black, joins top and bottom and begins::

    {"boardsize": 11, "moves": "a2 swap-pieces f6 pass", "winner": "red", "outcome": "resign"}

Abstract Play, with a list of moves for each round::

    {"header": {"game": {"name": "Hex"}, "players": [{"name": "A", "result": 1}, {"name": "B"}]},
     "moves": [["a2", "f6"], ["c3", "resign"]]}

Neither site documents the whole record. These are assumptions: the player named first began; cells
are named as usual; and `pied` of Abstract Play is a swap of sides after the first move. Everything
else in a record is left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from hsearch.formats import moves, strict
from hsearch.formats.error import FormatError, error_at, quote
from hsearch.hex import Board, Color, Game, Outcome, Special
from hsearch.hex.move import Ending

_SIZES = ("boardsize", "boardSize", "size")
_NAMES = ("name", "username", "pseudo")
_DATES = ("date", "date-start", "startedAt", "endedAt", "date-end")
_PLAYERS = {Color.BLACK: ("red", "black"), Color.WHITE: ("blue", "white")}
_ENDINGS = {
    "resign": Ending.RESIGNED,
    "time": Ending.LOST_ON_TIME,
    "timeout": Ending.LOST_ON_TIME,
    "forfeit": Ending.FORFEITED,
}
_ROW = {"opening", "how", "moves"}  # in the files of `hsearch tournament --resume`
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# Characters that JSON escapes bring past `expect_text`: control characters and lone surrogates.
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SIDE = re.compile(r"(?<![0-9])([0-9]{1,2})(?![0-9])")  # of a variant, among other words
_SIDES = re.compile(r"((?:(?<!\w)-)?[0-9]{1,4})[0-9]*")  # more digits are out of range, too
_BETWEEN = re.compile(r"[\s,]*+")  # two records of a list, or of consecutive lines
NO_END = "not JSON: the list does not end"

JsonRecord = Mapping[str, Any]


def readers(text: str) -> list[Callable[[], Game]]:
    """Return a reader for each game of a text.

    Raise FormatError if the text is not JSON, or has no records.
    """
    games: list[Callable[[], Game]] = [partial(game, record) for record in _records(text)]
    if not games:
        raise FormatError("no game in this JSON")
    return games


def _records(text: str) -> Iterator[Any]:
    """Yield the records of a list, of the list `games` of an object, or of consecutive lines."""
    start = after_blanks(text, 0)
    has_end = not text.startswith("[", start)
    if not has_end:
        start += 1
    while (start := after_blanks(text, start)) < len(text) and text[start] != "]":
        record, start = strict.decode(text, start)
        yield from games_in(record)
    if not has_end and start == len(text):
        raise error_at(text, start, NO_END)


def games_in(record: Any) -> list[Any]:
    """Return the records in the list `games` of an object; any other value is one record."""
    games = record.get("games") if isinstance(record, dict) else None
    return games if isinstance(games, list) else [record]


def after_blanks(text: str, start: int) -> int:
    """Return the offset after blanks and commas."""
    match = _BETWEEN.match(text, start)
    return start if match is None else match.end()


def game(record: Any) -> Game:
    """Return the game of a record. Raise FormatError if it is not one, or a move is illegal."""
    try:
        return _game(record)
    except RecursionError:  # it was decoded, but quoting it in an error takes a deeper stack
        raise FormatError("JSON nested too deep") from None


def _game(record: Any) -> Game:
    if isinstance(record, dict) and str(record.get("schema")).startswith("hsearch/"):
        raise FormatError("an answer of hsearch, not a game: open the game that it is about")
    if isinstance(record, dict) and record.keys() >= _ROW:
        raise FormatError(
            "a row of results, which lacks the board: `hsearch tournament --sgf FOLDER`"
            " writes games"
        )
    if isinstance(record, dict) and isinstance(record.get("header"), dict):
        return _of_abstract_play(record["header"], record.get("moves"))
    if isinstance(record, dict) and "moves" in record:
        return _of_playhex(record)
    raise FormatError(
        "JSON, but not a record of PlayHex or Abstract Play: it needs `boardsize` and `moves`, "
        "or `header` and `moves`"
    )


def _of_playhex(record: JsonRecord) -> Game:
    words = record["moves"]
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        words = " ".join(words)
    if not isinstance(words, str):
        raise FormatError(f"the moves are a text or a list, as a2 f6, not {_quote_json(words)}")
    size = next((record[name] for name in _SIZES if name in record), None)
    game = _read_moves(words, _board(size, moves.cells_of(words)))
    players = record.get("players")
    who = players if isinstance(players, dict) else record
    names = [_name(next((who[key] for key in _PLAYERS[c] if key in who), None)) for c in Color]
    if isinstance(players, list):
        names = [*map(_name, players), None, None][:2]
    winner = _name(record.get("winner")) or ""
    won_by = next((color for color in Color if winner.lower() in _PLAYERS[color]), None)
    ending = _ENDINGS.get(str(record.get("outcome")).lower())
    result = winner if won_by is None else Outcome(won_by, ending).result
    return _with(game, names, result, record)


def _of_abstract_play(header: JsonRecord, rounds: Any) -> Game:
    kind = header.get("game")
    kind = kind if isinstance(kind, dict) else {}
    name = kind.get("name", "Hex")
    if str(name).lower() != "hex":
        raise FormatError(f"{quote(str(name))} is another game than Hex")
    if not isinstance(rounds, list):
        raise FormatError(f"the moves are a list, not {_quote_json(rounds)}")
    words = [*_words(rounds)]
    size = next((match[1] for each in _texts(kind) if (match := _SIDE.search(each))), None)
    text = " ".join(words)
    has_swap = any(word.startswith("swap") for word in words)
    is_swapped = header.get("pied") is True and not has_swap and len(words) > 1
    if is_swapped:
        text = " ".join([words[0], Special.SWAP_SIDES.value, *words[1:]])
    game = _read_moves(text, _board(size, words))
    players = header.get("players")
    players = players if isinstance(players, list) else []
    results = [each.get("result") if isinstance(each, dict) else None for each in players[:2]]
    result = ""
    if len(results) == 2 and results[0] != results[1] and 1 in results:
        won_by = Color(results.index(1))
        swapped = game.swap_of_sides is not None
        result = Outcome(won_by.opponent if swapped else won_by).result
    return _with(game, [*map(_name, players), None, None][:2], result, header)


def _read_moves(words: str, board: Board) -> Game:
    """Return the game of the moves of a record; an error names the place in the moves."""
    try:
        return moves.read(words, board, hint=False)
    except FormatError as error:
        raise FormatError(f"moves: {error}", token=error.token) from None


def _words(rounds: list[Any]) -> Iterator[str]:
    """Yield the moves of all rounds, in order."""
    for each in rounds:
        for move in each if isinstance(each, list) else [each]:
            word = move.get("move") if isinstance(move, dict) else move
            if isinstance(word, str):
                yield word.strip().lower()
            elif word is not None:
                raise FormatError(f"a move is a text, not {_quote_json(word)}")


def _texts(kind: JsonRecord) -> Iterator[str]:
    variants = kind.get("variants")
    if isinstance(variants, list):
        yield from (each for each in variants if isinstance(each, str))


def _board(size: Any, cells: list[str]) -> Board:
    if size is None:
        side = moves.side_of(cells)
        return Board(side, side)
    sides = _SIDES.findall(str(size))
    if not isinstance(size, int | str) or not 1 <= len(sides) <= 2:
        raise FormatError(f"{_quote_json(size)} is not a board size")
    try:
        return Board(int(sides[0]), int(sides[-1]))
    except ValueError as error:
        raise FormatError(str(error)) from None


def _name(who: Any) -> str | None:
    if isinstance(who, dict):
        who = next((who[key] for key in _NAMES if key in who), None)
    return " ".join(_CONTROL.sub(" ", who).split()) or None if isinstance(who, str) else None


def _with(game: Game, names: list[str | None], result: str, record: JsonRecord) -> Game:
    """Return a game with its players, result and date."""
    dates = (match for key in _DATES if (match := _DATE.match(str(record.get(key)))))
    date = next((match[0] for match in dates), "")
    result = result or game.result or ""  # the last of the moves may be one
    entries = zip(("PB", "PW", "RE", "DT"), (*names, result, date), strict=True)
    info = tuple((key, value) for key, value in entries if value)
    return Game(game.board, game.nodes, info, warnings=game.warnings)


def _quote_json(value: Any) -> str:
    return quote(strict.write(value, ensure_ascii=False))
