"""Sentences on a terminal: no line is longer than it, and no word is split."""

import pytest
from terminal import Terminal

from player.console.output import say

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
    ],
)
def test_a_terminal_of_80_columns(program, arguments, last):
    """Only a command to copy may be longer."""
    terminal = Terminal(*arguments, program=program)
    try:
        lines = terminal.until(last).splitlines()
    finally:
        terminal.close()

    assert [line for line in lines if len(line) > 80 and not line.startswith("Next: ")] == []
    assert len(lines) > 12


def test_elsewhere_a_sentence_is_a_line_unless_a_width_is_given(capsys):
    """For programs that read lines; what belongs to a line above stands below it."""
    sentence = "  " + " ".join(["word"] * 30)
    say([sentence, "Next: " + sentence], piped=40)
    wrapped = capsys.readouterr().out.splitlines()
    say([sentence])

    assert capsys.readouterr().out == sentence + "\n"
    assert max(map(len, wrapped[:-1])) <= 40
    assert wrapped[1].startswith("     word")
    assert wrapped[-1] == "Next: " + sentence
