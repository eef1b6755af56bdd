"""Transcripts of both HexGuis, from connecting to quitting, and how they parse the replies."""

import re
from dataclasses import replace

import pytest
from clock import wait_until
from hexgui import answer, ask, blocks, check, send
from places import ROOT

from hsearch.formats import diagram
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.gtp.moves import payload
from player.gtp.serving import serve
from player.gtp.session import Session
from player.gtp.table import COMMANDS, analyze_list, execute
from player.search.tree import Candidate, TreeFindings

SIZES = ["1 1", "2 2", "5 9", pytest.param("11 11", marks=pytest.mark.slow), "19 19"]
SIZES[-1] = pytest.param("19 19", marks=pytest.mark.slow)
PLAYER, SOLVER = "param_hsearch player hexy:level=1", "param_dfpn timelimit 0.2"
FAILURES = (
    r"cannot score|'s to connect$|a connection has two ends$|nothing joins them$|is not an end for"
    "|stopped before all moves|at most 62 cells"
)


def connect(size):
    """Return the first commands of both; the newer one clears the board twice."""
    start = ["name", "version", "hexgui-analyze_commands", f"boardsize {size}"]
    return [*start, "clear_board", "clear_board", PLAYER, SOLVER, "showboard"]


def dialog(session):
    """Return the commands of the analyze dialog with its wildcards filled in."""
    board = session.board
    last = board.name(board.size - 1)
    fills = {"%m": "wb", "%c": "bw", "%p": ["a1", last], "%P": [f"a1 {last}"]}
    lines = []
    for line in analyze_list():
        command = [line.split("/")[2]]
        for wildcard, choices in fills.items():
            command = [
                each.replace(wildcard, choice)
                for each in command
                for choice in (choices if wildcard in each else [""])
            ]
        lines += command
    return lines


@pytest.mark.parametrize("size", SIZES)
def test_each_reply_in_a_hexgui_session_is_one_valid_block(size, monkeypatch):
    """Each reply is one block with the syntax of its type, whatever the solver finds."""
    monkeypatch.setattr("player.solve.pair.PAIR_SECONDS", 0.1)
    session = Session()
    replies = [answer(block) for block in send(connect(size), session)]
    assert all(is_success for is_success, _ in replies)
    assert diagram.read(replies[-1][1]).position(turn=session.position.turn) == session.position

    for color in ("black", "white"):
        move = ask(session, f"genmove {color}")
        assert move == "resign" or not session.position.empty[session.board.cell(move)]
        ask(session, "showboard")
    for line in dialog(session):
        ((is_success, text),) = (answer(block) for block in send([line], session))
        if is_success:
            check(line, text, session)
        else:
            assert re.search(FAILURES, text), (line, text)
    while session.games[1:]:
        ask(session, "undo")
    assert answer(send(["undo"], session)[0]) == (False, "cannot undo")
    assert send(["quit", "name"], session) == ["= "]


def test_a_point_of_the_opponent_is_named_in_the_failure():
    """The dialog can select a cell of either color, so the failure names the wrong one."""
    session = Session()
    send(["boardsize 4", "play b a1"], session)

    (reply,) = send(["vc-between-cells-full w c3 a1"], session)
    assert reply == "? argument 3: a1 is not white's to connect"


def test_setup_stones_of_the_older_hexgui_are_played_and_undone():
    """Several stones of a color can be played, repeated (refused) and undone."""
    session = Session()
    setup = ["play black b2", "play black c3", "play white d4"]
    send(["boardsize 4", *setup], session)
    before = session.position
    again = send(setup, session)
    send(["undo"] * 3, session)

    assert all(reply.startswith("? illegal move: ") for reply in again)
    assert before.black.any()
    assert not session.position.black.any()


def test_the_newer_hexgui_can_clear_the_board_and_play_setup_stones():
    """It clears the board and plays all stones, including a swapped one."""
    session = Session()
    replies = send(["boardsize 4 4", "clear_board", "play white c2", "play black a4"], session)

    assert replies == ["= "] * 4
    assert ask(session, "showboard").split()[:4] == ["a", "b", "c", "d"]


def test_a_move_and_its_automatic_response_can_be_undone():
    """The engine's move is not played again, and both moves are undone."""
    session = Session()
    send(["boardsize 4", PLAYER, "play black b2", "showboard", "genmove white"], session)

    assert len(session.games) == 3
    assert send(["undo", "undo", "showboard"], session)[:2] == ["= ", "= "]
    assert session.games[1:] == []


def test_live_graphics_precede_the_reply_only_if_enabled():
    """Blocks precede the reply, with the syntax of their kind, only if enabled."""
    session = Session()
    kind = re.compile(
        r"gogui-gfx:\nab VAR( [BW] [a-z]\d+)+ LABEL [a-z]\d+ \S{1,3} TEXT \d moves? ahead, .+",
        re.ASCII,
    )
    lines = ["boardsize 6", "play b a1", "param_hsearch player hexy:depth=2,M=2,widths=4"]
    send(lines, session)
    assert len(send(["reg_genmove w"], session)) == 1

    ask(session, "param_hsearch use_guifx 1")
    *graphics, last = send(["reg_genmove w"], session)
    assert answer(last)[0]
    assert graphics
    assert all(kind.fullmatch(block) for block in graphics)


def test_live_graphics_of_a_tree_name_its_simulations():
    """A block of a tree search has its chance and simulations; no depth, which it has not."""
    position = Position.of(Board(3, 3))
    best = Candidate(4, 0.3, 0.25, 50, None, 0.5)
    findings = TreeFindings(position, (best,), (4, 0), None, 70, 2, 0.1, complete=False)
    proved = replace(findings, winner=Color.BLACK)

    start = "ab VAR B b2 W a1 LABEL b2"
    said = payload(position, 4, findings)
    assert said == f"{start} 25 TEXT 70 simulations, 25 % for Black by the tree"
    assert payload(position, 4, proved) == f"{start} W TEXT 70 simulations, win"


CANDIDATES = re.compile(
    r"gogui-gfx:\nab VAR( [BW] [a-z]\d+)+ LABEL(?P<labels>( [a-z]\d+ (\d+|[WL]))+) TEXT .+",
    re.ASCII,
)


def test_an_analysis_runs_until_it_is_interrupted():
    """The analysis sends graphics with all candidates, and ends with a summary in one line."""
    session, out = Session(), []

    def lines():
        yield from ("boardsize 8", "play b a1", "param_dfpn use_guifx 1")
        yield "gogui-gfx-analyze w"
        wait_until(lambda: re.search(r"LABEL( [a-h][1-8] (\d+|[WL])){2}", "".join(out)))
        yield "# interrupt"

    serve(lines(), out.append, lambda request, call: execute(session, request, call))
    *sent, last = blocks("".join(out))
    graphics = [CANDIDATES.fullmatch(block) for block in sent if block.startswith("gogui-gfx:")]

    assert re.fullmatch(r"= [a-h][1-8] \(([a-h][1-8] ?)+\): .+", last)
    assert all(graphics)
    assert len(graphics[-1]["labels"].split()) > 2  # more than one candidate
    assert len(session.games) == 2


def test_an_analysis_uses_what_was_proved():
    """The analysis shows the win that the solver has proved, as `hsearch-best-moves` does."""
    session = Session()
    name = "positions/games/london-2000-queenbee-hexy.sgf"
    send([f"loadsgf {ROOT / name} 30", "param_dfpn use_guifx 1"], session)
    *_, solved = send(["dfpn-solve-state black"], session)
    best = ask(session, "hsearch-best-moves black")
    *graphics, last = send(["gogui-gfx-analyze black"], session)

    assert solved == "= black"
    assert "  1 c10 wins (proved)" in best
    assert [CANDIDATES.fullmatch(block)["labels"] for block in graphics] == [" c10 W"]
    assert graphics[0].endswith(" TEXT c10 wins (proved)")
    assert re.fullmatch(r"= c10 \(c10 .+\): Proved by search: Black, .+", last)


def test_an_analysis_without_graphics_only_replies():
    session = Session()
    send(["boardsize 5", "play b c3"], session)

    (reply,) = send(["gogui-gfx-analyze w"], session)
    assert "Proved: Black wins" in reply


def test_the_analyze_list_has_unique_labels_and_known_commands():
    """Each line has three fields, a unique label and a known command."""
    fields = [line.split("/") for line in analyze_list()]
    labels = [label for _, label, _ in fields]

    assert len(set(labels)) == len(labels)
    assert all(command.split()[0] in COMMANDS for _, _, command in fields)
    assert {type_ for type_, _, _ in fields} <= set(
        "group gfx inferior move plist pspairs param vc string var".split()  # noqa: SIM905
    )


def test_each_listed_command_is_known_and_has_help():
    """Each listed command is known and has a line of help."""
    session = Session()
    names = ask(session, "list_commands").split("\n")

    assert ask(session, "protocol_version") == "2"
    assert names == list(COMMANDS)
    assert all(ask(session, f"known_command {name}") == "true" for name in names)
    assert ask(session, "known_command dfpn-clear-tt") == "false"
    assert len(ask(session, "help").split("\n")) == len(names)
    assert ask(session, "help undo") == "undo: take the last move back"


def test_ids_are_echoed():
    """Replies of every kind repeat the id."""
    assert send(["1 name", "2 nonsense", "003 showboard", "4"], Session())[::2] == [
        "=1 hsearch",
        send(["3 showboard"], Session())[0].replace("=3", "=003"),
    ]


@pytest.mark.parametrize("ending", ["\r", "\t", "  # and a comment"])
def test_blanks_and_comments_make_no_difference(ending):
    """Blanks, comments and line ends after a command are ignored."""
    out = []
    session = Session()
    serve(
        [f"boardsize 2{ending}", f"showboard{ending}"], out.append, lambda *a: execute(session, *a)
    )

    assert len(blocks("".join(out))) == 2
    assert session.board.size == 4


@pytest.mark.parametrize("size", SIZES)
def test_every_command_replies_in_one_block(size, tmp_path):
    """Commands outside the dialog, and with arguments that may not fit, reply in one block."""
    session = Session()
    send([f"boardsize {size}", "param_hsearch player random", "play b a1"], session)
    for row in COMMANDS.values():
        if row.name in {"quit", "gogui-gfx-analyze"}:
            continue
        fills = {"FILE": str(tmp_path / "game.sgf"), "COLOR": "b", "MOVE": "a1", "COMMAND": "undo"}
        words = row.usage.replace("[", "").replace("]", "").replace("...", "").split()
        for count in range(len(words) + 1):
            line = " ".join([row.name, *(fills.get(word, "1") for word in words[:count])])
            (block,) = send([line], session)
            answer(block)
            assert "internal error" not in block, line
