"""The words and pictures of `hsearch analyze`: proofs, estimates and chances."""

import os
import re
import shlex
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hexgui import ask, send
from test_cli_analyze import GAMES, analysis, run

from hsearch import formats
from hsearch.hex.board import Board
from player.cli import main
from player.evaluate.chance import per_cent
from player.gtp.session import Session
from player.search.chances import estimate


def test_a_proof_is_printed_and_marked_on_the_board():
    """A proof is printed and marked on the board: the center of 3x3 wins for Black."""
    lines = run("analyze", "-", "--size", "3", "--ascii", stdin="b2").splitlines()

    assert lines[:5] == ["  a b c", "1  . * *  1", " 2  .(B).  2", "  3  * * .  3", "      a b c"]
    assert lines[6] == "3x3, white to move; last stone b2; move 1 of 1."
    assert lines[7] == (
        "Proved: Black wins, whoever moves: north and south are joined by a full connection "
        "of 4 cells (*)."
    )
    assert lines[8] == "Must-play for White: none, every move loses."
    assert "Circuits: E = -inf, as Black's edges are joined." in lines
    assert lines[-1].startswith(
        "Next: hsearch connections 'https://hexworld.org/board/#3,b2' --between north south"
    )


def test_a_semi_is_a_proof_for_its_owner_alone():
    """A semi proves a win only for the player to move, who starts at its key."""
    text = run("analyze", "-", "--size", "3", "--move", "0", stdin="b2")
    against = run(
        "analyze",
        "-",
        "--size",
        "4",
        stdin="a1",
    )

    assert "Proved: Black, who is to move, wins" in text
    assert "starts at b2." in text
    assert "★" in text
    assert "Black, who is to move" not in against


def test_an_unproved_position_gets_an_estimate_and_weakest_links():
    """An unproved position gets an estimate and numbered weakest links, on the board and listed."""
    text = run("analyze", GAMES[0], "--move", "20", "--ascii")

    assert "Who wins is unknown" in text
    black, white = map(int, re.search(r"win: Black (\d+) %, White (\d+) %", text).groups())
    position = formats.load(formats.find_shipped(GAMES[0].removeprefix("positions/"))).position(20)
    assert (black + white, black) == (100, per_cent(estimate(position).black))
    assert "Proved" not in text
    board, lines = Board(11, 11), text.splitlines()
    links = re.findall(r"([1-5]) (\w+) [0-9.]+[,.]", text[text.index("Weakest links") :])
    for place, name in links:
        column, row = board.column_and_row(board.cell(name))
        assert lines[row + 1][4 + 2 * column + row] == place
    assert [name for _, name in links] == [
        entry["cell"] for entry in analysis(GAMES[0], "--move", "20")["moves"][:5]
    ]


def test_one_cell_is_written_in_the_singular():
    """One cell is written in the singular."""
    words = ["analyze", "-", "--turn", "black"]
    told = CliRunner().invoke(main, words, input="B\n.\n").stdout

    assert "joined by a semi connection of 1 cell (*)" in told
    assert "a2 (1 of 1 empty cell);" in told


def test_a_finished_game_is_reported_as_won():
    """A finished game is reported as won by a chain, without a must-play region."""
    lines = run("analyze", "-", "--size", "1", stdin="a1").splitlines()

    assert lines[5] == "Black has won: a chain of stones joins north and south."
    assert not any(line.startswith("Must-play") for line in lines)


@pytest.mark.parametrize(
    ("stdin", "size", "kinds"),
    [("b2", "3", {"shaded", "end"}), ("a1 b2", "5", {"heat", "label"}), ("a1", "1", set())],
)
def test_pictures_show_the_proof_or_the_weak_links(tmp_path, stdin, size, kinds):
    """A picture shows the carrier and ends of a proof, or else a heat map."""
    out = tmp_path / "picture.svg"
    run("analyze", "-", "--size", size, "--solver", "0", "--svg", str(out), stdin=stdin)
    classes = {
        word
        for element in ET.parse(out).iter()  # noqa: S314 - our own text
        for word in element.get("class", "").split()
    }

    assert classes & {"shaded", "end", "heat", "label", "key"} == kinds


def test_text_output_has_chances_and_at_most_one_line_with_e():
    """Texts for people state chances, and E only in one technical line."""
    session = Session()
    send(["boardsize 11", "play b a5"], session)
    played = CliRunner().invoke(
        main,
        ["play", "--size", "11", "--white", "hexy:level=1", "--record", os.devnull],
        input="a5\nwhy\nhint\nquit\n",
    )
    said = {
        "analyze": run("analyze", GAMES[0], "--move", "20"),
        "play": played.stdout,
        "openings": run("openings", "9"),
        "explain": ask(session, "hsearch-explain w"),
    }

    for name, text in said.items():
        lines = [line for line in text.splitlines() if re.search(r"\bE\b", line)]
        assert len(lines) <= 1, name
        whose = "Simulations" if name == "openings" else "Circuits"
        assert all(line.startswith(f"{whose}: E = ") for line in lines), name
        assert re.search(r"(Black|White)[a-z ]* [0-9]+ %", text), name
    assert "below 0" not in "".join(said.values())


def test_the_chances_of_a_picture_name_the_players(tmp_path):
    """The title of an unproved picture gives the chance of each player."""
    run("analyze", GAMES[0], "--move", "20", "--svg", str(tmp_path / "x.svg"))

    title = re.search("<title>(.*)</title>", (tmp_path / "x.svg").read_text())[1]
    assert re.search(
        r"weak links; estimated chance: Black \d+ %, White \d+ % \(by the net\)$", title
    )


def test_the_proof_that_is_proposed_can_be_written(tmp_path):
    """The proposed command writes a proof that verifies, also where the turn is unknown."""
    board, proof = tmp_path / "board.txt", tmp_path / "FILE"
    rows = ["......", "......", "..W...", "......", "......", ".....W"]
    board.write_text("\n".join(" " * n + " ".join(row) for n, row in enumerate(rows)) + "\n")
    line = run("analyze", str(board), "--solver", "60").splitlines()[-1]
    words = shlex.split(line.removeprefix("Next: hsearch ").partition("   ")[0])
    run(*words[:-1], str(proof), "--solver", "60")

    assert words == ["analyze", str(board), "--turn", "black", "--proof", "FILE"]
    assert "White wins" in run("verify", str(proof))


def test_an_estimate_explains_its_sign():
    """An estimate E says which sign favors whom, and that it ignores the turn."""
    text = run("analyze", "a5", "c4", "d3", "b4", "--size", "5", "--solver", "0")

    assert "negative favors Black; whose turn it is does not count" in " ".join(text.split())


def test_the_next_command_for_an_open_position_is_a_search():
    """An open position is referred to the solver where that has a chance to decide it."""
    link = "https://hexworld.org/board/#9c1,c3:se5d6f4d4c5b6b5"
    text = run("analyze", link, "--solver", "0")

    assert f"Next: hsearch solve '{link}' --time 10 " in text
    best = run("analyze", GAMES[0], "--move", "4").splitlines()[-1]
    assert best.startswith(f"Next: hsearch analyze {GAMES[0]} --move 4 --player tree   the best")
    tried = run("analyze", GAMES[0], "--move", "4", "--player", "tree:simulations=20")
    assert f"Next: hsearch solve {GAMES[0]} --move 4 --time 60   let the solver" in tried
    free = " ".join(run("analyze", "e5", "--size", "10").split())
    assert "Must-play for White: every empty cell, because no threat of Black's was found." in free


@pytest.mark.parametrize(
    ("record", "caveat"),
    [
        ("RU[swap];B[c3]C[a\nb]", "If nobody swaps: "),
        ("RU[swap]", "White may swap. "),
        ("RU[random-turn];PL[B]XC[black];B[b2]", "a game of random-turn, taken here"),
        ("RU[swap];B[c3];W[a1]", None),
    ],
)
def test_the_next_command_keeps_the_rules_of_stdin(record, caveat):
    """A link has no rules: if they matter, the record is SGF in one line, with its rules."""
    said = run("bid", "-", stdin=f"(;FF[4]GM[11]SZ[4]{record})").splitlines()[-1]
    command = shlex.split(said.removeprefix("Next: "))
    result = CliRunner().invoke(main, command[1:])

    assert result.exit_code == 0
    assert command[-1].startswith("(;" if caveat else "https://hexworld.org/board/#4,")
    assert caveat is None or caveat in result.stdout + result.stderr
    assert "a\nb" not in command[-1]


@pytest.mark.parametrize(
    ("record", "has_won"),
    [
        ("RE[W+R];B[c3];W[b2]", "White has won: Black resigned."),
        ("PB[Ana]PW[Bob]RE[ana lost on time];B[c3];W[b2]", "White has won: Black lost on time."),
        ("RU[swap]RE[B];B[c3]", "Black has won: the record says so."),
    ],
)
def test_the_next_command_keeps_the_result_of_stdin(record, has_won):
    """A link has no RE: a result that no move shows is kept in SGF."""
    said = run("analyze", "-", stdin=f"(;FF[4]GM[11]SZ[4]{record})")
    words = shlex.split(said.splitlines()[-1].removeprefix("Next: ").partition("   ")[0])
    game = words[2]

    assert has_won in said
    assert game.startswith("(;")
    assert has_won in run("analyze", game)
