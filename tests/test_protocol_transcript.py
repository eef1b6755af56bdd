"""What both HexGuis send, from connecting to quitting, and what they make of the replies."""

import re
import time

import pytest
from hexgui import answer, ask, blocks, check, records, send

from hsearch.formats import diagram
from player.gtp import serve
from player.protocol import Session, execute
from player.protocol.table import COMMANDS, analyze_list

SIZES = ["1 1", "2 2", "5 9", pytest.param("11 11", marks=pytest.mark.slow), "19 19"]
SIZES[-1] = pytest.param("19 19", marks=pytest.mark.slow)
PLAYER = "param_hsearch player hexy:level=1"


def connect(size):
    """Return what both send first; the newer one clears the board twice."""
    start = ["name", "version", "hexgui-analyze_commands", f"boardsize {size}"]
    return [*start, "clear_board", "clear_board", PLAYER, "showboard"]


def dialog(session):
    """Return the commands of the analyze dialog, as it fills in each wildcard."""
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
def test_a_session_of_hexgui(size):
    """Each reply is one block, and has the syntax of its type."""
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
            assert re.search(r"cannot score|'s to connect$", text), (line, text)
    while session.games[1:]:
        ask(session, "undo")
    assert answer(send(["undo"], session)[0]) == (False, "cannot undo")
    assert send(["quit", "name"], session) == ["= "]


def test_a_point_of_the_opponent_is_named_in_the_failure():
    """The dialog selects cells of either color."""
    session = Session()
    send(["boardsize 4", "play b a1"], session)

    (reply,) = send(["vc-between-cells-full w c3 a1"], session)
    assert reply == "? argument 3: a1 is not white's to connect"


def test_setup_stones_of_the_older_one():
    """Several of a color in a row, undone one by one, played again onto themselves."""
    session = Session()
    setup = ["play black b2", "play black c3", "play white d4"]
    send(["boardsize 4", *setup], session)
    before = session.position
    again = send(setup, session)
    send(["undo"] * 3, session)

    assert all(reply.startswith("? illegal move: ") for reply in again)
    assert before.black.any()
    assert not session.position.black.any()


def test_setup_stones_of_the_newer_one():
    """It clears the board and plays all stones, also the swapped one."""
    session = Session()
    replies = send(["boardsize 4 4", "clear_board", "play white c2", "play black a4"], session)

    assert replies == ["= "] * 4
    assert ask(session, "showboard").split()[:4] == ["a", "b", "c", "d"]


def test_auto_respond():
    """The move of the engine is not played again, and both are undone."""
    session = Session()
    send(["boardsize 4", PLAYER, "play black b2", "showboard", "genmove white"], session)

    assert len(session.games) == 3
    assert send(["undo", "undo", "showboard"], session)[:2] == ["= ", "= "]
    assert session.games[1:] == []


def test_solve_without_a_solver():
    """`param_dfpn` is accepted; the command is not known, and the analysis after it ends."""
    session = Session()
    lines = ["boardsize 2", "param_dfpn use_guifx 1", "dfpn-solve-state black"]
    assert send(lines, session) == ["= ", "= ", "? unknown command"]

    *graphics, last = send(["gogui-gfx-analyze black"], session)
    assert answer(last)[0]
    assert "\n" not in answer(last)[1]
    assert not graphics  # proved at once


def test_live_graphics():
    """Blocks come before the reply, in the syntax of their kind, and only if wanted."""
    session = Session()
    kind = re.compile(
        r"gogui-gfx:\nab VAR( [BW] [a-z]\d+)+ LABEL [a-z]\d+ \S{1,5} TEXT depth \d+, .+", re.ASCII
    )
    lines = ["boardsize 6", "play b a1", "param_hsearch player hexy:depth=2,M=2,widths=4"]
    send(lines, session)
    assert len(send(["reg_genmove w"], session)) == 1

    ask(session, "param_hsearch use_guifx 1")
    *graphics, last = send(["reg_genmove w"], session)
    assert answer(last)[0]
    assert graphics
    assert all(kind.fullmatch(block) for block in graphics)


def test_an_analysis_goes_on_until_it_is_interrupted():
    """With graphics on the way, and a summary of one line at the end."""
    session, out = Session(), []

    def lines():
        yield from ("boardsize 8", "play b a1", "param_dfpn use_guifx 1")
        yield "gogui-gfx-analyze w"
        while not any("gogui-gfx:" in text for text in out):
            time.sleep(0.01)
        yield "# interrupt"

    serve(lines(), out.append, lambda request, call: execute(session, request, call))
    *_, last = blocks("".join(out))

    assert re.fullmatch(r"= [a-h][1-8] \(([a-h][1-8] ?)+\): .+", last)
    assert len(session.games) == 2


def test_the_analyze_list():
    """Three fields a line, no label twice, and all commands are known."""
    fields = [line.split("/") for line in analyze_list()]
    labels = [label for _, label, _ in fields]

    assert len(set(labels)) == len(labels)
    assert all(command.split()[0] in COMMANDS for _, _, command in fields)
    assert {type_ for type_, _, _ in fields} <= set(
        "group gfx inferior move plist pspairs param vc string var".split()  # noqa: SIM905
    )


def test_lists_agree():
    """All that is listed is known, and has a line of help."""
    session = Session()
    names = ask(session, "list_commands").split("\n")

    assert ask(session, "protocol_version") == "2"
    assert names == list(COMMANDS)
    assert all(ask(session, f"known_command {name}") == "true" for name in names)
    assert ask(session, "known_command dfpn-solve-state") == "false"
    assert len(ask(session, "help").split("\n")) == len(names)
    assert ask(session, "help undo") == "undo: take the last move back"


def test_ids_are_echoed():
    """With every kind of reply."""
    assert send(["1 name", "2 nonsense", "003 showboard", "4"], Session())[::2] == [
        "=1 hsearch",
        send(["3 showboard"], Session())[0].replace("=3", "=003"),
    ]


ZIGGURAT = ["boardsize 5 5", "play b c3"]


def test_connections_of_a_stone_and_its_edge():
    """Any stone of a group stands for it, an edge is named, and ends are as asked for."""
    session = Session()
    send([*ZIGGURAT, "play b c4"], session)
    records_of = {
        stone: records(ask(session, f"vc-between-cells-full black {stone} north"), session)
        for stone in ("c3", "c4")
    }

    north = session.board.point("north")
    for stone, found in records_of.items():
        assert found[0][:3] == ("black", (session.board.cell(stone), north), "full")
    assert [each[3:] for each in records_of["c3"]] == [each[3:] for each in records_of["c4"]]


def test_points_connected_to_a_stone():
    """Both of benzene's forms, and an edge in the reply by its name."""
    session = Session()
    send(ZIGGURAT, session)
    full = ask(session, "vc-connected-to c3 black 0").split()
    semi = ask(session, "vc-connected-to c3 black 1").split()

    assert "north" in full
    assert "b5" in full
    assert "a5" in semi
    assert full == ask(session, "vc-connected-to-full black c3").split()
    assert semi == ask(session, "vc-connected-to-semi black c3").split()
    assert answer(send(["vc-connected-to c3 black 2"], session)[0])[0] is False


@pytest.mark.parametrize(
    ("stones", "ends", "kind"),
    [("c3 d2", "c3 north", "full"), ("c2", "c2 south", "semi"), ("c2", "c2 south", "")],
)
def test_unions_and_intersections(stones, ends, kind):
    """They are those of the carriers that are listed."""
    session = Session()
    send(["boardsize 5", *(f"play b {stone}" for stone in stones.split())], session)
    dash = kind and f"-{kind}"
    found = records(ask(session, f"vc-between-cells{dash} b {ends}"), session)
    carriers = [set(each[3]) for each in found]
    union, common = (
        {session.board.cell(name) for name in ask(session, f"{line}{dash} b {ends}").split()}
        for line in ("vc-union", "vc-intersection")
    )

    assert len(carriers) > 1
    assert union == set.union(*carriers)
    assert common == set.intersection(*carriers)
    assert union != common


def test_edge_commands_agree_with_their_twins():
    """The list of cells is the carrier of the first record."""
    session = Session()
    send(ZIGGURAT, session)
    (first, *_) = records(ask(session, "hsearch-vc-edges-full black"), session)
    twin = ask(session, "hsearch-carrier-edges black").split()
    assert sorted(first[3]) == sorted(map(session.board.cell, twin))

    found = records(ask(session, "hsearch-vc-cell-edges black c3"), session)
    ends = {each[1] for each in found}
    cells = ask(session, "hsearch-carrier-cell-edges black c3").split()
    assert ends == {
        (session.board.cell("c3"), session.board.point(edge)) for edge in ("north", "south")
    }
    assert sorted(cells) == sorted(twin)


def test_mustplay_and_its_twin_cover_the_board():
    """Each empty cell is in one of the replies."""
    session = Session()
    send(["boardsize 5", "play b c2"], session)
    outside = ask(session, "vc-get-mustplay white").split()[::2]
    inside = ask(session, "vc-mustplay-list white").split()

    assert inside
    assert outside
    assert sorted(outside + inside) == sorted(session.board.names(session.position.empty))
    assert ask(session, "vc-build white").split()[::2] == outside
    assert ask(session, "vc-mustplay-list black").split() == session.board.names(
        session.position.empty
    )


def test_what_was_found_is_of_the_position_as_it_is_now():
    """After each command that changes it, and after a change of the limits."""
    session = Session()
    line = "hsearch-vc-edges-full black"
    changes = ["play w c4", "undo", "play b c2", "clear_board", "play-game c3", "boardsize 4 4"]
    send(ZIGGURAT, session)
    seen = [ask(session, line)]
    for change in changes:
        ask(session, change)
        fresh = Session()
        fresh.load(session.games)
        seen.append(ask(session, line))
        assert seen[-1] == ask(fresh, line), change
    ask(session, "play-game b2")
    many = ask(session, "vc-between-cells-semi b b2 south")
    ask(session, "param_hsearch M 1")
    assert len(ask(session, "vc-between-cells-semi b b2 south")) < len(many)
    assert len(set(seen)) == 3


def test_explanations():
    """Of a position, a connection, and one that is missing."""
    session = Session()
    send(ZIGGURAT, session)

    assert ask(session, "hsearch-explain white").startswith("Proved: Black wins. A full connection")
    assert "No move of White stops Black." in ask(session, "hsearch-explain white")
    assert ask(session, "hsearch-explain-vc black c3 north").startswith("Black joins c3 and north")
    assert "no full connection" in ask(session, "hsearch-explain-vc white a1 east")
    ask(session, "clear_board")
    assert ask(session, "hsearch-explain black").startswith(("Proved: Black wins", "Not proved"))
    send(["play b c1", "play b c2", "play b c3", "play b c4", "play b c5"], session)
    assert ask(session, "hsearch-explain black") == "Black has won."
    assert ask(session, "hsearch-explain-vc black c1 south") == "c1 and south are of one group."


def test_evaluations():
    """E is negative where Black stands better, and cells without current are left out."""
    session = Session()
    send(["boardsize 4", "play b a1"], session)
    words = ask(session, "eval-resist black").split()
    assert words[::2] == ["black", "white", "E"]
    assert float(words[5]) == pytest.approx(
        session.analysis.circuits.evaluation, rel=1e-3, abs=1e-3
    )

    values = ask(session, "hsearch-values white").split()
    assert set(values[1::2]) & {"win", "loss"}
    send(["play w a4", "play w b3", "play w c2", "play w d1"], session)
    assert ask(session, "eval-resist-cells white") == ""
    assert ask(session, "hsearch-values black") == ""
    assert ask(session, "hsearch-pv black") == ""
    assert ask(session, "final_score") == "W+"


def test_parameters_are_shown_as_they_were_set():
    """In the same words; what is unknown or out of range is refused."""
    session = Session()
    for command, key, value in (
        ("param_game", "swap_style", "sides"),
        ("param_game", "game_time", "60"),
        ("param_hsearch", "player", "hexy:depth=2"),
        ("param_hsearch", "max_time", "2.5"),
        ("param_player_vc", "max_ors", "3"),
        ("param_dfpn", "use_guifx", "1"),
    ):
        ask(session, f"{command} {key} {value}")
        assert f" {key} {value}" in ask(session, command)
    ask(session, "param_player_vc incremental_builds 1")
    ask(session, "param_player_board use_decompositions 0")
    for line in (
        "param_game swap_style half",
        "param_game allow_swap 2",
        "param_game nonsense 1",
        "param_game allow_swap",
        "param_hsearch M 0",
        "param_hsearch player nobody",
        "param_hsearch player gtp:false",
        "param_hsearch player hexy:depth=x",
        "param_hsearch max_time nan",
    ):
        assert answer(send([line], session)[0])[0] is False, line


def test_time_of_a_game_is_set_before_it():
    """As benzene has it."""
    session = Session()
    send(["boardsize 3", "play b a1"], session)

    assert send(["param_game game_time 60"], session)[0].startswith("? the time can be set only")


@pytest.mark.parametrize("ending", ["\r", "\t", "  # and a comment"])
def test_blanks_and_comments_make_no_difference(ending):
    """At the end of any line."""
    out = []
    session = Session()
    serve(
        [f"boardsize 2{ending}", f"showboard{ending}"], out.append, lambda *a: execute(session, *a)
    )

    assert len(blocks("".join(out))) == 2
    assert session.board.size == 4


@pytest.mark.parametrize("size", SIZES)
def test_every_command_replies_in_one_block(size, tmp_path):
    """Also those that the dialog does not offer, with arguments that may not fit."""
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
