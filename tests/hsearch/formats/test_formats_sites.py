"""Games as sites write them: dialects, JSON, and long texts of many games."""

import io
import time
import tracemalloc
from itertools import islice
from random import Random

import pytest
from dialects import DIALECTS, faults, records

from hsearch.formats import json_games
from hsearch.formats.error import FormatError
from hsearch.formats.reading import MAX_LENGTH, read, read_all, readers, write
from hsearch.hex.board import Color
from hsearch.hex.move import Ending, Move, Outcome

PLAYHEX = (
    '{"boardsize":11,"moves":"a2 swap-pieces f6 pass","red":"Ana","blue":"Bob",'
    '"winner":"red","outcome":"resign","startedAt":"2024-05-06T07:08:09Z"}'
)
ABSTRACT = (
    '{"header":{"game":{"name":"Hex","variants":["size-13"]},"date-start":"2024-05-06",'
    '"players":[{"name":"Ana","result":1},{"name":"Bob","result":0}],"pied":true},'
    '"moves":[["a2","f6"],["c3","d4"]]}'
)


def test_games_of_all_dialects_are_read_back():
    """Board, stones, winner and names are as made; `tests/support/dialects.py` tries 25,000."""
    seen = set()
    for dialect, made, text in islice(records(Random(43)), 250):  # noqa: S311 - a sample
        assert not faults(dialect, made, text), (dialect, text)
        seen.add(dialect)

    assert seen == set(DIALECTS)


def test_a_record_of_playhex_is_read():
    """Moves, names, the result and the date are read."""
    game = read(PLAYHEX)

    assert str(game.board) == "11x11"
    assert [move.name(game.board) for move in game.moves] == ["a2", "swap-pieces", "f6", "pass"]
    assert [game.player(color) for color in Color] == ["Ana", "Bob"]
    assert game.result == "B+Resign"
    assert dict(game.info)["DT"] == "2024-05-06"
    assert read(PLAYHEX.encode()) == game


def test_a_record_of_abstract_play_is_read():
    """The result is by person, who changed sides; RE names the color that won."""
    game = read(ABSTRACT)

    assert str(game.board) == "13x13"
    assert [move.name(game.board) for move in game.moves][:2] == ["a2", "swap-sides"]
    assert [game.player(color) for color in Color] == ["Bob", "Ana"]
    assert game.result == "W+"


@pytest.mark.parametrize(
    "text",
    [
        f"[{PLAYHEX},{ABSTRACT}]",
        f"{PLAYHEX}\n{ABSTRACT}\n",
        f'{{"games": [{PLAYHEX}, {ABSTRACT}]}}',
    ],
)
def test_many_records_are_read(text):
    """Records are read as a list, one per line, or as the list `games` of an object."""
    assert [*read_all(text)] == [read(PLAYHEX), read(ABSTRACT)]
    assert read(text, number=2) == read(ABSTRACT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "1:2: not JSON: expecting property name"),
        ('{"moves": "a1"', "1:15: not JSON: expecting ','"),
        ('[{"moves":"a1"},', "1:17: not JSON: the list does not end"),
        ("[" * 100_000, "nested too deep"),
        ('{"boardsize":NaN,"moves":""}', "not JSON: NaN"),
        ("[]", "no game in this JSON"),
        ('{"size": 11}', "not a record of PlayHex or Abstract Play"),
        ("[1]", "not a record of PlayHex or Abstract Play"),
        ('{"schema":"hsearch/analysis/1","moves":[]}', "an answer of hsearch, not a game"),
        ('{"opening":[],"how":"chain","moves":["a1"]}', "a row of results, which lacks the board"),
        ('{"moves":[1]}', "the moves are a text or a list, as a2 f6, not '[1]'"),
        ('{"moves":"a1 zz"}', "moves: 1:4: 'zz' is not a move"),
        ('{"header":{},"moves":[["a1","a1"]]}', "moves: 1:4: illegal move 'a1'"),
        ('{"boardsize":99,"moves":"a1"}', "board size out of range: 99x99"),
        ('{"boardsize":[5],"moves":"a1"}', "'[5]' is not a board size"),
        ('{"boardsize":-5,"moves":"a1"}', "board size out of range: -5x-5"),
        ('{"boardsize":"100x3","moves":"a1"}', "board size out of range: 100x3"),
        ('{"boardsize":"99999x3","moves":"a1"}', "board size out of range: 9999x3"),
        ('{"boardsize":%s,"moves":"a1"}' % ("9" * 5000), "1:1: number out of range: '999999"),
        ('{"header":{"game":{"name":"Chess"}},"moves":[]}', "'Chess' is another game than Hex"),
        ('{"header":{},"moves":"a1"}', "the moves are a list, not '\"a1\"'"),
        ('{"header":{},"moves":[[1]]}', "a move is a text, not '1'"),
    ],
)
def test_bad_json_is_refused(text, message):
    """Errors name the place, if there is one, and what is expected."""
    with pytest.raises(FormatError) as caught:
        read(text)

    assert message in str(caught.value)


@pytest.mark.parametrize("variants", ["5", "true", '"Hex"', "null"])
def test_variants_that_are_not_a_list_are_ignored(variants):
    record = f'{{"header":{{"game":{{"name":"Hex","variants":{variants}}}}},"moves":[["a1"]]}}'

    assert read(record).moves == (Move(Color.BLACK, 0),)


@pytest.mark.parametrize("name", ["(;uu", "<hexboard", "id x", "hexworld.org", "{"])
def test_a_name_in_json_does_not_look_like_a_format(name):
    """Names in a record do not affect the detection of its format."""
    assert read(PLAYHEX.replace("Ana", name)).player(Color.BLACK) == name


def test_there_is_no_game_0():
    """Number 0 is refused: games count from 1."""
    with pytest.raises(FormatError, match="no game 0: there is 1"):
        read(PLAYHEX, number=0)


def test_a_name_in_json_has_no_control_characters():
    """Escaped control characters are removed: the written game could not be read."""
    game = read(PLAYHEX.replace("Ana", "A\\u001b[31mred\\nline"))

    assert game.player(Color.BLACK) == "A [31mred line"
    assert read(write(game)).players == game.players


@pytest.mark.parametrize(
    ("winner", "result", "warns"),
    [('"Blue"', "W+Resign", False), ('"white"', "W+Resign", False), ("null", None, False),
     ('"Cleo"', "Cleo", True), ("3", None, False)],
)  # fmt: skip
def test_a_winner_in_json_is_read_or_gives_a_warning(winner, result, warns):
    """A winner in capitals or by an unknown name is read, or a warning is given."""
    game = read(f'{{"size": 5, "moves": "a1 b2", "outcome": "RESIGN", "winner": {winner}}}')

    assert game.result == result
    assert game.warnings == (("'RE[Cleo]' names no winner, as B+ or W+Resign do",) if warns else ())


def test_a_bad_record_does_not_hide_the_others():
    """Each game of a list is read alone."""
    bad, good = readers(f'[{{"moves":"zz"}},{PLAYHEX}]')

    with pytest.raises(FormatError):
        bad()
    assert good() == read(PLAYHEX)


# Texts may be longer than one game may be.


class Endless(io.RawIOBase):
    """A file of `count` games, generated while it is read. Holds state."""

    def __init__(self, before, game, count, after):
        self._rest, self._game, self._left, self._after = before, game, count, after

    def read(self, size):
        """Return the next bytes."""
        while len(self._rest) < size and self._left:
            self._left -= 1
            self._rest += self._game if self._left else self._game + self._after
        part, self._rest = self._rest[:size], self._rest[size:]
        return part


SGF = b"(;GM[11]FF[4]SZ[5]C[%s];B[a1];W[b2])\n" % (b"x" * 50_000)


@pytest.mark.parametrize(
    ("before", "game", "after"),
    [(b"", SGF, b""), (b"[", PLAYHEX.encode().ljust(50_000) + b",\n", b"]")],
)
def test_many_games_are_read_in_bounded_memory(before, game, after):
    """Of 20 MB at most a few million characters are in memory at a time."""
    tracemalloc.start()
    count = sum(len(each().moves) > 1 for each in readers(Endless(before, game, 400, after)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 400
    assert peak < 12_000_000


def test_a_game_is_picked_from_a_long_text():
    """A game is picked by its number; without one the first is read, and all are counted."""
    games = b"".join(SGF.replace(b"b2", b"c%d" % (n % 5 + 1)) for n in range(300))
    picked, first = read(games, number=250), read(games.decode())

    assert picked.moves[1].name(picked.board) == "c5"
    assert first.warnings == ("300 games: this is the first, number=N reads another",)
    with pytest.raises(FormatError, match="no game 301: there are 300"):
        read(games, number=301)


def test_a_bad_game_of_a_long_text_does_not_hide_the_others():
    """Unreadable, unfinished and overlong games do not affect the others."""
    long = b"(;GM[11]SZ[5]C[" + b"y" * (MAX_LENGTH + 5) + b"];B[a1])"
    bad = b"(;GM[11]SZ[5];B[q9])", b"(;GM[11]SZ[5];B[a1]", long
    games = SGF * 200 + SGF.join(bad) + SGF * 2
    read_as = []
    for each in readers(games):
        try:
            read_as.append(len(each().moves))
        except FormatError as error:
            read_as.append(str(error))
    wrong = [told for told in read_as if isinstance(told, str)]

    assert len(read_as) == 200 + 2 + 3 + 2
    assert "q9" in wrong[0].lower()
    assert wrong[1:] == [f"too long: a game of more than {MAX_LENGTH:,} characters"]


def test_each_game_falls_back_to_latin_1_alone():
    """Each game falls back to Latin-1 alone, as in a short text; the others stay UTF-8."""
    odd = b"(;GM[11]SZ[5]PB[Ren\xe9];B[a1])\n"
    games = [each() for each in readers(SGF * 200 + odd + odd.replace(b"\xe9", "é".encode()))]

    assert [game.player(Color.BLACK) for game in games[-2:]] == ["René", "René"]
    assert "read as Latin-1" in games[-2].warnings[0]
    assert not games[-1].warnings


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_a_game_reads_the_same_in_a_long_text_and_alone(end):
    """Line ends of Windows and old Macs may be split between two chunks."""
    game = b"(;GM[11]SZ[5]PB[Ana\\\nB]C[%stwo \\\nthree]\n;B[a1];W[b2])\n" % (b"one\n" * 5000)
    game = game.replace(b"\n", end)
    games = [each() for each in readers(game * (MAX_LENGTH // len(game) + 40))]

    assert set(games) == {read(game)}


def test_a_long_text_reads_the_same_as_text_and_as_bytes():
    """The encoding in SGF applies to bytes; a file may be open as text."""
    game = "(;GM[11]SZ[3]CA[ISO-8859-1]PB[René]C[%s];B[a1])\n" % ("x" * 50_000)
    text = game * (MAX_LENGTH // len(game) + 2)

    for given in (text, io.StringIO(text), text.encode("latin-1")):
        assert {each() for each in readers(given)} == {read(game)}


def test_a_damaged_game_in_a_long_text_is_skipped_with_a_warning():
    """Wherever a chunk ends, the game before a damaged one has the warning."""
    game, lost = f"(;GM[11]SZ[3]C[{'x' * 2000}];B[a1])\n", "(GM[11]SZ[3];B[c3])\n"
    count = MAX_LENGTH // len(game + lost) + 40
    games = [each() for each in readers((game + lost) * count + lost)]

    assert {each.warnings for each in games[:-1]} == {
        ("2:1: '(GM[11]SZ[3];B[c3])' is in no game, and skipped: each begins with '(;'",)
    }
    assert (len(games), len(games[-1].warnings)) == (count, 1)


class Pipe(io.RawIOBase):
    """An unbuffered pipe that returns a few bytes at a time. Holds state."""

    def __init__(self, content):
        self._file = io.BytesIO(content)

    def read(self, size=-1):
        """Return the available bytes."""
        return self._file.read(min(size, 4096))


@pytest.mark.parametrize(("game", "count"), [(b"(;GM[11]SZ[3];B[a1])\n", 200), (SGF, 25)])
def test_a_pipe_is_read_to_its_end(game, count):
    """A pipe is read to its end, though it returns less than requested."""
    assert len(list(readers(Pipe(game * count)))) == count


def test_a_terminal_is_read_only_once():
    """A terminal is read to its end only once, so Ctrl-D is typed once."""

    class Terminal(io.BytesIO):
        asked = 0

        def read(self, size=-1):
            self.asked += 1
            return super().read(size)

    terminal = Terminal(b"a1 b2")
    assert len(read(terminal, size=3).moves) == 2
    assert terminal.asked == 1


@pytest.mark.parametrize("begin", [b"[", b' { "games" :\n[ '])
def test_a_long_list_of_records_is_read_to_its_end(begin):
    """The list is read to its end, also as `games` of an object, whose rest is not read."""
    record = PLAYHEX.encode().ljust(50_000)
    text = begin + b",".join([record] * 25) + b'], "total": 25}'

    assert [each() for each in readers(text)] == [read(PLAYHEX)] * 25


@pytest.mark.parametrize("end", [b"", b",\n", b' {"moves'])
def test_an_unclosed_list_gives_its_games_and_then_an_error(end):
    """An error follows the readable games, since there may have been more."""
    record = PLAYHEX.encode().ljust(50_000)
    games = readers(b"[" + b",".join([record] * 25) + end)
    assert [next(games)() for _ in range(25)] == [read(PLAYHEX)] * 25

    with pytest.raises(FormatError, match="not JSON"):
        next(games)()
    assert len([each() for each in readers(b"\n".join([record] * 25))]) == 25


@pytest.mark.parametrize("bad", [b"[]", b'{"games": []}', b"[1]", b'[{"boardsize": 5}]'])
def test_bad_records_are_treated_the_same_in_long_and_short_lists(bad):
    """A bad record gives the same error as in a short list, or none, and hides no others."""
    record = PLAYHEX.encode().ljust(50_000)
    long = list(readers(b"[" + b",".join([record] * 25 + [bad, record]) + b"]"))
    short = list(readers(b"[" + PLAYHEX.encode() + b"," + bad + b"," + PLAYHEX.encode() + b"]"))

    assert [long[0](), long[-1]()] == [read(PLAYHEX)] * 2
    assert len(long) - 25 == len(short) - 1
    assert [_said(each) for each in long[25:-1]] == [_said(each) for each in short[1:-1]]


@pytest.mark.parametrize("number", ["1e999", "[-1e999]", '{"a": 1e400}'])
@pytest.mark.parametrize("key", ["boardsize", "moves"])
def test_numbers_too_large_for_a_float_are_rejected(key, number):
    """A number too large for a float is refused with its place."""
    with pytest.raises(FormatError, match=r"^1:1\d*: number out of range: '-?1e\d+'$"):
        read(f'{{"a": 1e99, "{key}": {number}}}')


@pytest.mark.parametrize("key", ["schema", "boardsize", "moves", "outcome", "startedAt"])
def test_a_record_that_is_nested_too_deep_is_refused(key):
    """Reading needs less recursion than showing, so the limit is checked when reading."""
    deep = []
    for _ in range(20_000):
        deep = [deep]

    with pytest.raises(FormatError, match="JSON nested too deep"):
        json_games.game({"boardsize": 5, "moves": "a1"} | {key: deep})


def test_lone_surrogates_are_removed_from_names():
    """Lone surrogates from escapes are removed from names: no file can hold them."""
    game = read(PLAYHEX.replace("Ana", r"\ud800Ana\udfff"))

    assert game.player(Color.BLACK) == "Ana"
    assert write(game).encode()


def _said(game):
    with pytest.raises(FormatError) as error:
        game()
    return str(error.value)


def test_the_first_game_is_read_even_if_the_last_record_is_broken():
    """The games are counted, and the last one is not read."""
    record = PLAYHEX.encode().ljust(50_000)
    game = read(b"[" + b",".join([record] * 25) + b',{"moves"')

    assert game.warnings == ("26 games: this is the first, number=N reads another",)


def test_a_json_record_that_is_not_utf_8_is_read_as_latin_1():
    """Latin-1 is tried, as for an SGF game."""
    odd = PLAYHEX.replace("{", '{"players": {"red": "René"}, ', 1)
    record = PLAYHEX.encode().ljust(50_000)
    *_, game = readers(b"[" + b",".join([record] * 25 + [odd.encode("latin-1")]) + b"]")

    assert game().player(Color.BLACK) == "René"
    assert "read as Latin-1" in game().warnings[0]


@pytest.mark.parametrize("game", ["(;)", "{}\n"])
def test_many_tiny_games_of_a_long_text_are_found_in_time(game):
    """The text is not copied for each game, which takes quadratic time."""
    text = game * (MAX_LENGTH // len(game) + 1)
    found = readers(text)
    assert sum(1 for _ in islice(found, 1000)) == 1000
    tracemalloc.start()
    assert sum(1 for _ in islice(found, 100)) == 100
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < len(text) / 4


def test_a_binary_game_of_a_long_text_is_refused():
    """A binary game is refused as if alone, and does not affect the others."""
    *_, binary, last = readers(SGF * 200 + SGF.replace(b"x", b"\x00") + SGF)

    with pytest.raises(FormatError, match="not a text"):
        binary()
    assert last() == read(SGF)


@pytest.mark.parametrize("text", ["a1 " * 500_000, "hexboard " * 200_000, "{" + " " * 1_100_000])
def test_a_long_text_that_is_not_many_games_is_refused(text):
    """The text is refused quickly and in one line."""
    with pytest.raises(FormatError, match=r"too long|not JSON"):
        [each() for each in readers(text)]


# The winner by the result and by the stones.


@pytest.mark.parametrize(
    ("moves", "result", "told"),
    [
        (";B[a1];W[b1];B[a2]", "W+", "'RE[W+]' names White, but Black's stones join the edges"),
        (";B[a1];W[resign]", "W+", "'RE[W+]' names White, but the last move is White's resign"),
        (";B[a1];W[b1];B[a2]", "B+", None),
        (";B[a1];W[resign]", "B+Resign", None),
        (";B[a1]", "W+Time", None),
        (";B[a1]", "?", None),
        (";B[a1]", "1-0", "'RE[1-0]' names no winner, as B+ or W+Resign do"),
        (";B[a1]", "White resigns", None),
    ],
)
def test_a_result_that_contradicts_the_game_gives_a_warning(moves, result, told):
    """The warning is the only one."""
    game = read(f"(;GM[11]FF[4]SZ[2]RE[{result}]{moves})")

    assert list(game.warnings) == ([told] if told else [])


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (";B[a1];W[b1];B[a2];W[b2]", "move 4, b2: Black's stones join the edges before it"),
        (";B[a1];W[b1];B[a2];W[resign]", None),
        (";B[a1];W[b1];B[a2]C[good game]", None),
        (";B[a1];W[b1];B[a2];W[pass];B[b2]", "move 5, b2: Black's stones join the edges before it"),
        ("AB[a1][a2];W[b1]", "move 1, b1: Black's stones join the edges before it"),
        (
            "AW[a1][b1];B[a2];AE[b1]AB[a1]",
            "move 1, a2: White's stones join the edges before it",
        ),
        ("AW[a1][b1];AE[a1][b1];B[a1];W[b1];B[a2]", None),
        (
            ";B[a1];W[b1];B[a2];W[b2];AE[a1]",
            "move 4, b2: Black's stones join the edges before it",
        ),
        (
            ";AW[a1][b1];AE[a1][b1];AB[a1][a2];W[b1];AE[a2]",
            "move 1, b1: Black's stones join the edges before it",
        ),
    ],
)
def test_moves_after_a_win_give_a_warning(moves, told):
    """The warning names the first of them, and the record keeps them all."""
    game = read(f"(;GM[11]FF[4]SZ[2]{moves})")

    assert list(game.warnings) == ([told] if told else [])
    assert len(game.moves) == moves.count(";B") + moves.count(";W")


@pytest.mark.parametrize(
    ("result", "won_by", "how"),
    [
        ("White resigns", Color.BLACK, Ending.RESIGNED),
        ("Black resigned.", Color.WHITE, Ending.RESIGNED),
        ("Blue forfeits", Color.BLACK, Ending.FORFEITED),
        ("White lost on time", Color.BLACK, Ending.LOST_ON_TIME),
        ("Red wins", Color.BLACK, None),
        ("Black wins.", Color.BLACK, None),
        ("White won by resignation", Color.WHITE, Ending.RESIGNED),
        ("Black won on time", Color.BLACK, Ending.LOST_ON_TIME),
        ("B+ (time)", Color.BLACK, Ending.LOST_ON_TIME),
        ("W", Color.WHITE, None),
    ],
)
def test_a_result_in_words_is_read(result, won_by, how):
    """A result in words is read with its winner and its reason."""
    game = read(f"(;GM[11]FF[4]SZ[2]RE[{result}];B[a1])")

    assert game.outcome == Outcome(won_by, how)
    assert game.warnings == ()


@pytest.mark.parametrize("result", ["Blac\u212a wins", "blac\u212a resigns"])
def test_a_result_with_the_kelvin_sign_names_no_winner(result):
    """It is `k` in lower case; the record was refused because of it."""
    assert read(f"(;GM[11]FF[4]SZ[2]RE[{result}];B[a1])").outcome is None


def test_a_long_result_is_read_at_once():
    """The pattern backtracked for seconds."""
    for result in ("B+" + "(" * 2400 + " " * 2400 + "x+", "B" + " " * 4800 + "+x+"):
        game = read(f"(;GM[11]FF[4]SZ[2]RE[{result}];B[a1])")
        start = time.process_time()
        assert game.outcome is None
        assert time.process_time() - start < 0.5


def test_a_board_without_letters_may_have_a_caption():
    """A board without letters may have a caption."""
    game = read(". B .\n . W .\n  . . B\n\n3x3, white to move.\n")

    assert str(game.board) == "3x3"
    assert game.position().turn is Color.WHITE


@pytest.mark.parametrize("text", ["()", ", ;"])
def test_punctuation_alone_is_not_a_game(text):
    with pytest.raises(FormatError, match="there are no moves"):
        read(text, size=3)


@pytest.mark.parametrize(
    "text",
    [
        "```\n. B .\n . W .\n  . . B\n```\n",
        "> . B .\n>  . W .\n>   . . B\n",
        "\uff0e\uff22\uff0e\n\uff0e\uff37\uff0e\n\uff0e\uff0e\uff22\n",
    ],
    ids=["fence", "mail", "full-width"],
)
def test_a_board_is_read_from_a_chat(text):
    position = read(text).position(turn=Color.WHITE)

    assert position.board.names(position.black) == ["b1", "c3"]
    assert position.board.names(position.white) == ["b2"]


@pytest.mark.parametrize(
    "text",
    ["1. a5 (swap) 2. c4 d3", "\uff41\uff15 (swap) \uff43\uff14 d3", "```\na5 swap c4 d3\n```"],
)
def test_moves_are_read_from_a_chat(text):
    game = read(text, size=5)

    assert [move.name(game.board) for move in game.moves] == ["a5", "swap-pieces", "c4", "d3"]


@pytest.mark.parametrize(
    ("moves", "result", "won_by"),
    [
        (";B[a1]", "Bob resigns", Color.BLACK),
        (";B[a1]", "ANN MAY won on time", Color.BLACK),
        (";B[a1]", "Bob", Color.WHITE),
        (";B[a1];W[swap-sides]", "Bob resigns", Color.WHITE),
    ],
)
def test_a_result_may_name_the_players(moves, result, won_by):
    """A result may use the record's names; after a swap of sides Bob is Black."""
    game = read(f"(;GM[11]FF[4]SZ[2]PB[Ann May]PW[Bob]RE[{result}]{moves})")

    assert game.outcome.winner is won_by
    assert game.warnings == ()


@pytest.mark.parametrize(
    ("black", "white", "won_by"),
    [
        ("MoHex", "MoHex 2.0", Color.WHITE),
        ("MoHex 2.0", "MoHex", Color.BLACK),
        ("MoHex 2.0", "mohex 2.0", None),
    ],
)
def test_a_result_matches_only_the_whole_name_of_one_player(black, white, won_by):
    """One name may begin with the other; two equal names do not identify a winner."""
    game = read(f"(;GM[11]FF[4]SZ[2]PB[{black}]PW[{white}]RE[MoHex 2.0 wins];B[a1])")

    assert game.outcome == (None if won_by is None else Outcome(won_by))
    assert len(game.warnings) == (won_by is None)
