"""Sentences fit the width of the terminal, and no word is split."""

from collections import Counter

import pytest
from places import ROOT

from player.console.output import fit_tables, print_tables, say

GAME = "positions/games/london-2000-queenbee-hexy.sgf"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (("analyze", GAME, "--move", "50"), "Next: "),
        (("mustplay", GAME, "--move", "23"), "other move loses."),
        (("explain", GAME, "--move", "59", "--between", "north", "south"), "Next: "),
        (("connections", GAME, "--move", "59", "--between", "north", "south"), "limits reached"),
        (("bid", GAME, "--move", "51"), "Next: "),
        (("review", GAME, "--effort", "quick"), "Next: "),
        (("chance",), "no knowledge at all"),
        (("thresholds", "a1", "--size", "4x3", "--chips", "1", "6"), "Next: "),
    ],
)
def test_no_line_exceeds_80_columns_except_a_command_to_copy(terminal, arguments, last):
    """On 80 columns only a command to copy may be longer than the terminal."""
    lines = terminal(*arguments).until(last).splitlines()

    assert [line for line in lines if len(line) > 80 and not line.startswith("Next: ")] == []
    assert len(lines) > 12


def test_piped_sentences_are_wrapped_only_to_a_given_width(capsys):
    """Without a terminal or a width, a sentence stays one line for programs that read lines."""
    sentence = "  " + " ".join(["word"] * 30)
    say([sentence, "Next: " + sentence], pipe_width=40)
    wrapped = capsys.readouterr().out.splitlines()
    say([sentence])

    assert capsys.readouterr().out == sentence + "\n"
    assert max(map(len, wrapped[:-1])) <= 40
    assert wrapped[1].startswith("     word")
    assert wrapped[-1] == "Next: " + sentence


@pytest.mark.parametrize("width", [40, 80, 100])
def test_tables_fit_and_lose_no_word(width):
    """The tables of docs/results fit the width and lose no word; other lines are unchanged."""
    for path in sorted((ROOT / "docs/results").glob("*.md")):
        text = path.read_text()
        fitted = fit_tables(text, width)
        tables = [line for line in text.splitlines() if line.startswith("|")]
        words = " ".join(tables).replace("|", " ").split()
        rest = [line for line in text.splitlines() if not line.startswith("|")]
        shown = fitted.splitlines()

        for line in rest:
            assert line in shown
            shown.remove(line)
        assert max(map(len, shown), default=0) <= width
        assert Counter("".join(words)) <= Counter("".join(shown)) + Counter(
            {"-": 10**6, ":": 10**6}
        )


def test_a_wide_table_is_transposed():
    """A wide table is transposed: headings at the left, and as many rows side by side as fit."""
    rows = ("| # | A | moves |", "|---|---|---|", "| 1 | two words | 30 |", "| 2 | x | 4 |")
    text = "\n".join(("Before.", *rows, "| 3 | y | 5 |", "End."))

    assert fit_tables(text, 30).splitlines() == [
        "Before.",
        "#  A          moves",
        "1  two words  30",
        "2  x          4",
        "3  y          5",
        "End.",
    ]
    assert fit_tables(text, 18).splitlines() == [
        "Before.",
        "#      1",
        "A      two words",
        "moves  30",
        "",
        "#      2  3",
        "A      x  y",
        "moves  4  5",
        "End.",
    ]
    assert fit_tables(text, 13).splitlines()[1:5] == [
        "#      1",
        "A      two",
        "       words",
        "moves  30",
    ]


@pytest.mark.parametrize("width", [1, 9, 14])
def test_a_terminal_narrower_than_the_headings_gets_the_narrowest_table(width):
    """A terminal narrower than the headings gets the narrowest table instead of an error."""
    text = "| exploitability | b |\n|---|---|\n| 0.25 of it | 1 |"

    assert fit_tables(text, width).splitlines() == [
        "exploitability  0.25",
        "                of it",
        "b               1",
    ]


def test_a_wide_table_without_rows_keeps_its_headings():
    assert fit_tables("Before.\n| first | second |\n|---|---|", 9) == "Before.\nfirst\nsecond"


def test_a_table_is_printed_as_markdown_outside_a_terminal(capsys):
    print_tables("| a | b |\n|---|---|\n| 1 | 2 |")

    assert capsys.readouterr().out == "| a | b |\n|---|---|\n| 1 | 2 |\n"
