"""Dark Hex at the terminal: whole games, what is shown and hidden, saving and resuming."""

import base64
import json
import os
import re
import zlib

import pytest
from click.testing import CliRunner

from hsearch import formats
from hsearch.hex.board import Color
from hsearch.hex.position import winner
from player.cli import main
from player.terminal.talk import CLEAR

CENTER = ("--size", "3", "--white", "view:by=center")


def typed(*lines, options=CENTER, variant="dark-classic"):
    """Return the output of `play` when these lines are piped into it."""
    arguments = ["play", "--variant", variant, *options]
    done = CliRunner().invoke(main, arguments, input="".join(f"{line}\n" for line in lines))
    assert done.exit_code == 0, done.output
    return done.output


def read(path):
    """Return the game in a file."""
    return formats.read(path.read_text())


@pytest.mark.slow
def test_a_classic_game_is_stopped_resumed_and_won_in_a_terminal(terminal, tmp_path):
    """A game is left during a turn, after a hit, then resumed and won."""
    path = tmp_path / "game.sgf"
    first = terminal("play", "--variant", "dark-classic", *CENTER, "--record", str(path))
    assert "Whoever hits a hidden stone tries again" in first.until("black> ")
    assert "White has had a turn." in first.say("a2", "black> ")
    hit = first.say("b2", "black> ")
    assert "A hidden stone lies on b2. Try again." in hit
    assert "● ○ ·" in hit
    refused = first.say("b2", "black> ")
    assert "black cannot attempt 'b2'" in refused
    assert first.end() == 0
    text = path.read_text()
    assert ";B[" not in text
    assert ";W[" not in text
    assert "b2" not in text

    second = terminal("play", "--resume", str(path), "--white", "view:by=center")
    again = second.until("black> ")
    assert "● ○ ·" in again
    assert "So far: a2, b2 (hidden stone)." in again
    assert "White has had a turn." in second.say("a3", "black> ")
    seen = second.say("b1", "black> ", "wins")
    if "wins" not in seen:
        seen += second.say("a1", "wins", "black> ")
    end = seen + second.until("Saved as")
    assert "Black wins by a chain." in end
    assert "The truth:" in end
    assert second.process.wait(60) == 0
    game = read(path)
    assert winner(game.position()) is Color.BLACK
    assert game.result == "B+"
    assert "XD[b2]" in path.read_text()


@pytest.mark.slow
def test_two_people_play_an_abrupt_game_on_one_screen(terminal, tmp_path):
    """Two people share a screen, and neither sees a stone that they have not found."""
    path = tmp_path / "game.sgf"
    options = ("--variant", "dark-abrupt", "--noise", "flash", "--size", "2", "--white", "human")
    table = terminal("play", *options, "--record", str(path))
    shown = []
    table.until("Black, press Enter to see your board.")
    shown.append((Color.BLACK, table.say("", "black> ")))
    for mover, cell, what in (
        (Color.BLACK, "b1", "Your stone lies on b1."),
        (Color.WHITE, "b1", "A hidden stone lies on b1. Your turn is lost."),
        (Color.BLACK, "a1", "Your stone lies on a1."),
        (Color.WHITE, "b2", "Your stone lies on b2."),
        (Color.BLACK, "a2", "Black wins by a chain."),
    ):
        if shown[-1][0] is not mover:
            other = mover.word.capitalize()
            table.say("", f"{other}, press Enter to see your board.")
            shown.append((mover, table.say("", f"{mover.word}> ")))
        last = mover is Color.BLACK and cell == "a2"
        end = ("Saved as",) if last else ("Press Enter to hide your board.",)
        text = table.say(cell, *end)
        assert what in text
        if not last:
            shown.append((mover, text))
    assert "2.white b1 collision" in text
    assert table.process.wait(60) == 0
    for viewer, text in shown:
        # White finds b1 and never a1; Black finds nothing.
        seen = text.replace("○ White joins", "")  # this line explains the colors
        assert ("1  ● " if viewer is Color.WHITE else "○") not in seen
    heard = [text for viewer, text in shown if viewer is Color.BLACK]
    assert any("White has hit your stone on b1." in text for text in heard)
    assert any("heard a hit on b1" in text for text in heard)


@pytest.mark.slow
def test_a_shared_screen_is_cleared(terminal, tmp_path):
    """The screen and its scrollback are cleared before the other player sees their board."""
    words = ("--variant", "dark-classic", "--size", "2", "--white", "human")
    table = terminal("play", *words, "--record", str(tmp_path / "g.sgf"))
    table.until("Black, press Enter")
    table.say("", "black> ")
    table.say("a1", "Press Enter to hide your board.")
    os.write(table.master, b"\n")
    raw = ""
    while "White, press Enter" not in raw:
        raw += os.read(table.master, 65536).decode()
    assert CLEAR in raw[: raw.index("White")]
    assert table.end() == 0


def test_the_view_shows_only_own_and_discovered_stones(tmp_path):
    """In silent abrupt, the output shows that White had a turn, but not where."""
    record = ("--record", str(tmp_path / "g.sgf"))
    text = typed("a2", "quit", options=(*CENTER, *record), variant="dark-abrupt")

    assert "White has had a turn." in text
    assert "○" not in text
    assert (
        "Whoever hits a hidden stone has lost the turn; the other player does not notice." in text
    )


def test_the_end_shows_the_true_board_after_the_last_message(tmp_path):
    """The final board comes after the result, and the last message right before it."""
    record = ("--record", str(tmp_path / "g.sgf"))
    text = typed("a2", "b2", "a3", "b1", "a1", options=(*CENTER, *record))
    before, _, after = text.partition("Black wins by a chain.")

    assert re.search(r"Your stone lies on [ab]1\.$", before.rstrip())
    assert after.count("view") == 0
    assert "The truth:" in after


def test_undo_is_refused_and_hints_average_over_guesses(tmp_path):
    """Nothing can be taken back, and hints use only what the player knows."""
    record = ("--record", str(tmp_path / "g.sgf"))
    text = typed(
        "help", "undo", "redo", "load x", "why", "zz", "hint", f"save {tmp_path}/x.sgf", "quit",
        options=(*CENTER, *record),
    )  # fmt: skip

    assert text.count("nothing can be taken back here") == 2
    assert not re.search(r"^(undo|redo|load) ", text, re.MULTILINE)
    assert "no other game can be loaded here" in text
    assert "save the game; hidden stones are encoded, not encrypted" in text
    assert "encoded, not encrypted" in (tmp_path / "x.sgf").read_text()
    assert "Known: you have 0 stones and have found 0 of White's" in text
    assert "With open stones from here, you would be proved to win on " in text
    assert re.search(r"Hint: b2\. Best on average over 24 guesses", text)
    assert (tmp_path / "x.sgf").exists()


def test_a_silent_hit_changes_nothing_on_the_screen(tmp_path):
    """The board is not even drawn again; with noise, the hit is announced."""
    options = (*CENTER, "--record", str(tmp_path / "x.sgf"))
    hit, missed = (typed(cell, options=options) for cell in ("b2", "a2"))
    noisy = typed("b2", options=(*options, "--noise", "noisy"))

    assert "White has had a turn." in hit
    assert hit.count("Black's view") == missed.count("Black's view") == 3
    assert noisy.count("Black's view") == 4


def test_a_resumed_game_shows_only_the_human_players_view(tmp_path):
    """So nobody is shown the other player's board."""
    path = tmp_path / "g.sgf"
    options = ("--size", "3", "--black", "view:by=center", "--white", "human")
    typed("a1", options=(*options, "--record", str(path)))
    again = typed(options=("--resume", str(path)))

    assert "White's view. So far: a1." in again
    assert "Black's view" not in again


def test_games_between_engines_show_all_attempts(tmp_path):
    """If no person plays, all attempts are shown and recorded."""
    path = tmp_path / "g.sgf"
    options = ("--size", "3", "--black", "blind", "--white", "random", "--seed", "3")
    text = typed(options=(*options, "--record", str(path)), variant="dark-abrupt")
    game = read(path)

    assert "The truth:" in text
    for move in game.moves:
        assert f"{move.color.word} {move.name(game.board)}" in text


def test_resigning_ends_the_game(tmp_path):
    """The record is then no longer sealed."""
    path = tmp_path / "g.sgf"
    text = typed("a2", "resign", options=(*CENTER, "--record", str(path)))

    assert "White has won: Black resigned." in text
    assert read(path).result == "W+Resign"
    assert "W[b2]" in path.read_text()


def resumed(text, tmp_path, *options):
    """Return the result of `play --resume` for a file with this text."""
    path = tmp_path / "bad.sgf"
    path.write_text(text)
    return CliRunner().invoke(main, ["play", "--resume", str(path), *options], input="quit\n")


def packed(*names):
    """Return attempts in the form of a sealed file."""
    return base64.b64encode(zlib.compress(json.dumps(names).encode())).decode()


HEAD = "(;FF[4]GM[11]SZ[3]RU[dark-classic]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD}XA[eNqL])", "the sealed attempts are damaged"),
        (f"{HEAD}XA[{packed('a1', 'zz')}])", "the sealed attempts are damaged"),
        (f"{HEAD}XA[{packed('a1', 'a1', 'a1')}])", "the sealed attempts are damaged"),
        (f"{HEAD}XA[{packed(5)}])", "the sealed attempts are damaged"),
        (f"{HEAD}XA[{packed(None)}])", "the sealed attempts are damaged"),
        (f"{HEAD}XA[{packed(['a1'])}])", "the sealed attempts are damaged"),
        (f"{HEAD};B[a1];W[a1])", "a1 is not empty"),
        (f"{HEAD};B[a1];B[b1])", "node 2: black b1: out of turn"),
        (f"{HEAD};B[a1];XD[b1]PL[W])", "node 2: white b1: a collision with nothing"),
        (f"{HEAD};B[a1];W[b1];XD[b1])", "node 3: black b1: PL must give the next turn to black"),
        (f"{HEAD};AB[a1])", "starts from the empty board"),
    ],
)
def test_damaged_games_are_refused_and_unchanged(text, message, tmp_path):
    """The error is one line, with exit code 3, and the file stays unchanged."""
    done = resumed(text, tmp_path)

    assert done.exit_code == 3, done.output
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "bad.sgf").read_text() == text


def test_a_game_resumes_only_with_its_own_variant(tmp_path):
    """A game with other noise, or without hidden stones, is refused."""
    flash = HEAD.replace("classic", "classic:noise=flash") + ")"
    other = resumed(flash, tmp_path, "--variant", "dark-classic")
    opened = resumed("(;FF[4]GM[11]SZ[3];B[a1])", tmp_path, "--variant", "dark-classic")

    assert (other.exit_code, opened.exit_code) == (3, 3)
    assert "a game of dark-classic:noise=flash, not of dark-classic" in other.stderr
    assert "starts from the empty board" in opened.stderr
    assert resumed(flash, tmp_path).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--variant", "random-turn", "--noise", "flash"), 2, "--noise needs --variant dark"),
        (("--variant", "dark-abrupt:noise=flash", "--noise", "noisy"), 2, "leave one out"),
        (("--variant", "dark-classic", "--noise", "loud"), 2, "'loud'"),
        (("--variant", "dark-classic", "--white", "hexy"), 2, "'hexy' does not play dark-classic"),
        (("--variant", "dark-classic", "--swap"), 2, "there is no swap in dark-classic"),
        (
            ("--variant", "dark-abrupt", "--white", "equilibrium"),
            1,
            "methods that fit: mccfr-outcome",
        ),
        (
            ("--variant", "dark-abrupt", "--white", "equilibrium"),
            1,
            "equilibrium cannot play: the ",
        ),
    ],
)
def test_invalid_players_and_options_are_refused(words, code, message):
    done = CliRunner().invoke(main, ["play", "--size", "4", *words])

    assert done.exit_code == code
    assert message in done.stderr
    assert "cannot move" not in done.stderr
