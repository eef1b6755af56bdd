"""Any input gives a game, or one error that names the place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT
from records import damaged

from hsearch.formats import diagram, hexboard, hexworld, sgf
from hsearch.formats.error import FormatError
from hsearch.formats.reading import FORMATS, read
from hsearch.hex.board import Color

GAMES = ROOT / "positions" / "games"
GAME = read((GAMES / "london-2000-hexy-queenbee.sgf").read_text())
POSITION = GAME.position()
RICH = """(;FF[4]CA[UTF-8]SZ[5:9]AB[a1:b2]AW[c3]PL[W]C[a \\] b]LB[c3:x]
;W[b4](;B[swap-pieces];W[a5])(;W[];B[resign])(;PL[B];AE[c3];B[ae]))"""
REAL = {
    "sgf": sgf.write(GAME),
    "diagram": diagram.write(POSITION),
    "hexworld": hexworld.write(GAME),
    "trmph": "https://trmph.com/hex/board#11,a2a2f6g7",
    "hexboard": hexboard.write(POSITION, carrier=POSITION.empty, labels={0: "*"}),
    "moves": "1. a2 swap 2. f6, g6 pass\n3. a3resign",
    "suite": "id x\nsource y\nboard . B\n       W .\nturn black\nwins a1\n\nid z\nboard .\n",
    "json": '[{"boardsize":5,"moves":"a2 swap-pieces c3","winner":"red"},{"moves":["a1"]}]',
}
ALPHABETS = {
    "sgf": "();[]\\:BWACPLESZGMF19ab \n",
    "diagram": ".BWRboxw●*-+_1239abc()[] \\\n",
    "hexworld": "#,:pSsrbfw0123456789abcx%",
    "trmph": "trmph.com/hex/board#11,ab2:spwap-",
    "hexboard": "<hexboard size='3' contents=\"RBES ab12:--()all*>",
    "moves": ["Red:", "swapx", "wins", *"abc123.,; swappassresign-pieces\n"],
    "suite": "id board turn white.BW#\n\n  xy",
    "json": '{}[]:,"" moves"boardsize1ab"header',
}


def answer(data, **options):
    """Read some data; return the error if there is one, which must be one line."""
    try:
        game = read(data, **options)
    except FormatError as error:
        found = error
    else:
        assert read(sgf.write(game)).position(turn=Color.BLACK) == game.position(
            len(game.moves), turn=Color.BLACK
        )
        return None
    assert re.fullmatch(r"[^\n\r]{1,400}", str(found))
    return found


@given(st.binary(max_size=60), st.none() | st.sampled_from(FORMATS))
def test_any_bytes_give_a_game_or_one_error(data, name):
    """Noise gives a game or one error, with and without a named format."""
    answer(data, format=name)


@pytest.mark.slow
@given(st.text(max_size=40), st.none() | st.sampled_from(FORMATS))
def test_any_text_gives_a_game_or_one_error(text, name):
    """Noise in any script gives a game or one error."""
    answer(text, format=name)


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
def test_noise_in_the_alphabet_of_a_format_gives_a_game_or_one_error(name, data):
    """Noise in the alphabet of a format gives a game or one error."""
    text = "".join(data.draw(st.lists(st.sampled_from(ALPHABETS[name]), max_size=60)))

    answer(text, format=name)
    answer(text)


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
def test_damaged_texts_give_a_game_or_one_error(name, data):
    """Real texts, cut and changed, give a game or one error."""
    text = data.draw(damaged(REAL[name]))

    answer(text, format=name)
    answer(text.encode(errors="surrogateescape"))


@given(damaged(RICH))
def test_damaged_sgf_gives_a_game_or_one_error(text):
    """Setup, variations, escapes and swaps, cut and changed, give a game or one error."""
    answer(text)


@given(st.integers(0, len(REAL["sgf"].strip()) - 1))
def test_a_truncated_game_is_rejected_or_read_with_a_warning(length):
    """Half a file never passes for a whole one: it is refused, or a warning is given."""
    error = answer(REAL["sgf"][:length], format="sgf")

    if error is None:
        warnings = read(REAL["sgf"][:length], format="sgf").warnings
        assert any("the game does not end" in each for each in warnings)
    else:
        assert length < 2 or error.line is not None


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_recognized_by_its_text(name):
    """Each format is recognized by its text."""
    chosen = "x" if name == "suite" else None

    assert read(REAL[name], id=chosen) == read(REAL[name], id=chosen, format=name)
    assert read(REAL[name].replace("\n", "\r\n").encode(), id=chosen)


@pytest.mark.parametrize("data", ["", " \n", b"", b"\xef\xbb\xbf", b"\x89PNG\r\n\x1a\n\0\0", "a\0"])
def test_empty_and_binary_files_are_rejected(data):
    """Empty and binary files are refused before any format is tried."""
    with pytest.raises(FormatError, match=r"empty|not a text"):
        read(data)


def test_an_argument_that_is_not_utf_8_is_refused():
    """Its bytes are lone surrogates, which no file and no message to the page can hold."""
    with pytest.raises(FormatError, match=r"offset 9: not a text: character '\\udcff'"):
        read("(;SZ[5]C[\udcff];B[a1])")


@pytest.mark.parametrize(
    ("text", "name"),
    [("BoardSize: 11x11\nFirst: V\n", ".six"), ('{"size": 11}', "JSON"), ("<hex>R5</hex>", "hex")],
)
def test_the_error_names_the_unsupported_format(text, name):
    """The error names the unsupported format, rather than its first character."""
    with pytest.raises(FormatError, match=re.escape(name)):
        read(text)


@pytest.mark.parametrize("name", [*FORMATS, None])
@pytest.mark.parametrize("piece", ["a", "(;", "9", " ", "\n", "[", "a1", ".\n", "id x\n", "<"])
def test_long_texts_are_read_or_rejected_without_a_hang(name, piece):
    """Fifty thousand repetitions are read or refused without a hang; None is sniffed."""
    answer(piece * 50_000, format=name)


def test_too_long_a_text_is_refused():
    """All formats share one limit."""
    with pytest.raises(FormatError, match="too long"):
        read(" " * 5_000_000)


@pytest.mark.parametrize(
    ("begin", "piece", "end"),
    [
        ("(;SZ[26]AB", "[z26:a1]", ")"),
        ("(;SZ[26]", ";AE[a1:z26]", ")"),
        ('<hexboard size="26x26" contents="R ', "a1--z26 ", '" />'),
        ('<hexboard size="26x26" contents="E ', "all ", '" />'),
    ],
)
def test_setup_of_more_than_a_million_cells_is_rejected(begin, piece, end):
    """Huge setups are refused: a million characters took two minutes and 1.8 GB."""
    few = read(begin + piece * 1000 + end)
    with pytest.raises(FormatError, match=r"^1:[0-9]{4,5}: more than 1,000,000 cells are set up$"):
        read(begin + piece * 1480 + end)

    assert few.board.size == 676


def test_unknown_formats_and_impossible_sizes_are_rejected():
    """Both are invalid options, and the error names valid ones."""
    with pytest.raises(ValueError, match="diagram, sgf"):
        read("a1", format="doc")
    with pytest.raises(ValueError, match="0x1000"):
        read("a1", size=(0, 1000))
