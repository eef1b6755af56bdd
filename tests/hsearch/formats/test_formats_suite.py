"""Suites: many positions in one text."""

import pytest
from hypothesis import given
from strategies import positions

from hsearch.formats import suite
from hsearch.formats.error import FormatError
from hsearch.formats.reading import read, read_all
from hsearch.hex.board import Color
from hsearch.hex.position import Position

TEXT = """\
# What this is.

id      bridge
source  Anshelevich 2002
board   . . . .
         . B . .
          . . . .
           B . . .
turn    white
full    b2 a4     a3 b3
full    b2 north  b1 c1

id      other
board
        W .
         . .
# a comment
turn    black
carrier a2 b2
"""


@given(positions())
def test_a_written_entry_is_read_back(position):
    """`read` returns the id, the stones, the turn and the fields that `write` was given."""
    fields = {"source": "a test", "turn": position.turn.word, "carrier": "a1", "found": "no"}
    (entry,) = suite.read(suite.write("row-1", position, fields))

    assert (entry.id, dict(entry.fields)) == ("row-1", fields)
    assert entry.game.position() == position


def test_a_value_of_two_lines_is_not_written():
    """Its second line would be read as a field."""
    with pytest.raises(ValueError, match="note of row-1 has more than one line"):
        suite.write("row-1", Position.of(3), {"note": "two lines\nid row-2"})


def test_an_entry_holds_all_its_fields():
    """Keys may be repeated, and the position has its turn."""
    bridge, other = suite.read(TEXT)

    assert (bridge.id, other.id, bridge.line, other.line) == ("bridge", "other", 3, 13)
    assert bridge.game.position() == Position.of(bridge.game.board, black="b2 a4", turn=Color.WHITE)
    assert bridge.values("full") == ["b2 a4     a3 b3", "b2 north  b1 c1"]
    assert bridge.game.about("GN") == "bridge"
    assert bridge.game.about("SO") == "Anshelevich 2002"
    assert other.cells("carrier") == other.game.board.named("a2 b2")
    assert not other.cells("nothing").any()
    assert other.game.position() == Position.of(other.game.board, white="a1")


def test_an_entry_is_chosen_by_its_id():
    """Every reader of positions can choose an entry by id."""
    assert read(TEXT, id="other") == suite.read(TEXT)[1].game
    assert read("id x\nboard .\n").board.size == 1


@pytest.mark.parametrize("name", [None, "nothing"])
def test_the_error_for_a_wrong_id_lists_the_valid_ids(name):
    """The error lists the ids of the file."""
    with pytest.raises(FormatError, match="bridge, other") as error:
        read(TEXT, id=name)
    assert "--id" not in str(error.value)  # of the command line


def test_errors_truncate_long_lists_of_ids():
    """An error stays one readable line."""
    text = "".join(f"id x{number}\nboard .\n\n" for number in range(1000))

    with pytest.raises(FormatError, match=r"x49, \.\.\.$"):
        read(text)


def test_an_id_needs_a_suite():
    """The error names the format that was found."""
    with pytest.raises(
        FormatError, match="not a suite, but moves: its positions have no id such as 'x'"
    ):
        read("a1", id="x")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("id x\n\nboard .\n", "1"),
        ("id x\nid y\nboard .\n", "2"),
        ("id x\nturn black\n", "1"),
        ("id x\nboard .\nturn green\n", "3"),
        ("id x\nboard . .\n       . z\n", "3:10"),
        ("id x\nboard .z\n", "2:8"),
        ("id x\nboard\n . .\n .\n", "4"),
        ("id x\nboard .\n\nid x\nboard .\n", "4"),
        ("id x\nboard .\n? y\n", "3:1"),
        ("id x\nboard .\n\n  . .\n", "4"),
        ("id x\nboard .\n\nboard .\n", "4"),
    ],
)
def test_errors_name_their_place(text, place):
    """Errors name the line of the file, not of the block."""
    with pytest.raises(FormatError, match=f"^{place}: "):
        read(text)


def test_a_field_with_an_invalid_cell_is_rejected():
    """A field without valid cells is refused when its cells are requested."""
    entry = suite.read("id x\nboard .\ncarrier z9\n")[0]

    with pytest.raises(FormatError, match="carrier of x: 'z9' is off the 1x1 board"):
        entry.cells("carrier")


def test_a_number_chooses_an_entry_too():
    """Numbers count from 1, without a warning."""
    assert read(TEXT, number=2) == read(TEXT, id="other")
    assert [game.about("GN") for game in read_all(TEXT)] == ["bridge", "other"]


def test_a_suite_of_comments_alone_is_rejected_as_empty():
    """`hsearch puzzles` writes such a suite for games without puzzles."""
    with pytest.raises(FormatError, match="no entries: there is no line that begins with 'id'"):
        read("# 0 proved puzzles\n#\n\n# grade: 1 to 5\n")
    assert len(read("#3,a3\n").moves) == 1
