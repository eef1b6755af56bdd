"""The replies of the commands about connections, regions, values and parameters."""

import copy
import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hexgui import answer, ask, fail, records, send

from hsearch.hex.board import Color
from player.answers.limits import OPTIONS, options_object
from player.answers.memory import MEMORY
from player.cli import main
from player.gtp.session import Session
from player.solve.pair import join

ZIGGURAT = ["boardsize 5 5", "play b c3"]


def test_any_stone_of_a_group_has_the_connections_of_the_group():
    """Any stone stands for its group, edges have names, and the ends keep their given order."""
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


def test_both_forms_of_vc_connected_to_list_the_same_points():
    """Both of benzene's forms work, and an edge in the reply has its name."""
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
    [
        ("c3 d2", "c3 north", "full"),
        ("c2", "c2 south", "semi"),
        ("c2", "c2 south", ""),  # asks the solver three times
    ],
)
def test_vc_union_and_intersection_combine_the_listed_carriers(stones, ends, kind, monkeypatch):
    """Unions and intersections are those of the listed carriers."""
    monkeypatch.setattr("player.solve.pair.PAIR_SECONDS", 0.2)
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


@pytest.mark.parametrize("ends", ["c3 c3", "c3 d3", "a1 a1", "north north"])
def test_a_pair_within_one_group_is_refused(ends):
    """A pair of equal ends, or of stones of one group, is refused."""
    session = Session()
    send(["boardsize 5", "play b c3", "play b d3"], session)
    names = " and ".join(ends.split())

    assert (
        fail(session, f"vc-between-cells b {ends}") == f"{names} are not two of black's to connect"
    )
    if len(set(ends.split())) == 1:
        name = ends.split()[0]
        assert fail(session, f"hsearch-explain-vc b {ends}").startswith(f"'{name}' twice: ")


def test_carrier_commands_list_the_carrier_of_the_first_connection():
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


def test_the_two_mustplay_commands_list_each_empty_cell_once():
    """Each empty cell is in one of the two replies; after the weak a2 both have cells."""
    session = Session()
    send(["boardsize 5", "play b a2"], session)
    outside = ask(session, "vc-get-mustplay white").split()[::2]
    inside = ask(session, "vc-mustplay-list white").split()

    assert inside
    assert outside
    assert sorted(outside + inside) == sorted(session.board.names(session.position.empty))
    assert ask(session, "vc-build white").split()[::2] == outside
    assert ask(session, "vc-mustplay-list black").split() == session.board.names(
        session.position.empty
    )
    send(["clear_board", "play b c2"], session)  # c2 wins, but connections leave cells
    assert session.analysis_of(Color.WHITE).threatened.cells
    assert ask(session, "vc-mustplay-list white") == ""
    assert len(ask(session, "vc-get-mustplay white").split()) == 2 * 24


def test_changing_the_position_discards_connections():
    """A command that changes the position or the limits discards earlier connections."""
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


def test_positions_and_connections_are_explained():
    """A position, a connection and a missing connection are explained."""
    session = Session()
    send(ZIGGURAT, session)

    said = ask(session, "hsearch-explain white")
    assert said.startswith("Proved: Black wins, whoever moves: north and south are joined")
    assert "\nIt needs " in said
    assert "Must-play for White: none, every move loses." in said
    assert ask(session, "hsearch-explain-vc black c3 north").startswith("Black joins c3 and north")
    assert "no full connection" in ask(session, "hsearch-explain-vc white a1 east")
    ask(session, "clear_board")
    assert ask(session, "hsearch-explain black").startswith(
        ("Proved: Black", "Who wins is unknown")
    )
    send(["play b c1", "play b c2", "play b c3", "play b c4", "play b c5"], session)
    assert ask(session, "hsearch-explain black").startswith("Black has won: a chain of stones")
    assert ask(session, "hsearch-explain-vc black c1 south") == "Stones join c1 and south already."


def test_eval_resist_agrees_with_the_circuits_of_the_analysis():
    """E is negative if Black is ahead, and cells without current are left out."""
    session = Session()
    send(["boardsize 4", "play b a1"], session)
    words = ask(session, "eval-resist black").split()
    assert words[::2] == ["black", "white", "E"]
    assert float(words[5]) == pytest.approx(
        session.analysis.circuits.evaluation, rel=1e-3, abs=1e-3
    )

    values = ask(session, "hsearch-values white").split()
    assert set(values[1::2]) & {"W", "L"}
    send(["play w a4", "play w b3", "play w c2", "play w d1"], session)
    assert ask(session, "eval-resist-cells white") == ""
    assert ask(session, "hsearch-values black") == ""
    assert ask(session, "hsearch-pv black") == ""
    assert ask(session, "final_score") == "W+"


def test_the_center_of_the_empty_board_has_the_highest_bid():
    """The center of 11x11 is critical in 0.067157 of all fillings and gains half of that."""
    session = Session()
    for color in "bw":
        words = ask(session, f"hsearch-random-turn {color}").split()
        bids = ask(session, f"hsearch-bids {color}").split()

        assert words[:2] == ["f6", "53"]
        assert bids[:2] == ["f6", "6"]
        assert len(words) == len(bids) == 2 * 121


def test_chances_are_for_the_given_color():
    """A move that joins the edges wins for its player, and is worth as much to the other."""
    session = Session()
    send(["boardsize 2", "play b a1"], session)

    assert ask(session, "hsearch-random-turn b").split()[:4] == ["a2", "100", "b1", "75"]
    assert ask(session, "hsearch-random-turn w").split()[:4] == ["a2", "75", "b1", "50"]
    assert ask(session, "hsearch-bids w") == "a2 75 b1 25 b2 25"
    send(["play b a2"], session)
    assert ask(session, "hsearch-bids w") == ask(session, "hsearch-random-turn w") == ""


def test_suggested_bids_use_the_chips_of_the_game():
    """Suggested bids use the game's number of chips, not 100 for each player."""
    session = Session()
    send(["boardsize 2", "hsearch-variant bidding:black=7,white=3"], session)

    assert ask(session, "hsearch-bids b") == "b1 2 a2 2 a1 1 b2 1"


@pytest.mark.parametrize("command", list(OPTIONS))
def test_each_option_of_the_command_line_is_a_gtp_parameter(command):
    """Each option is a parameter with the same name, default and effect on H-search."""
    option, session = OPTIONS[command], Session()
    send(["boardsize 4", "play b d1", "play w c1", "play b a1"], session)
    value = {bool: not option.default, int: 2, str: option.words[-1:]}[type(option.default)]
    value = value[0] if isinstance(value, tuple) else value
    word = str(int(value) if isinstance(value, bool) else value)
    flag = f"--{'no-' * (value is False)}{command.replace('_', '-')}"
    words = [flag] if isinstance(value, bool) else [flag, word]
    before = ask(session, "param_hsearch")
    ask(session, f"param_hsearch {command} {word}")
    found = session.analysis_of(Color.WHITE)
    done = CliRunner().invoke(main, ["analyze", "d1 c1 a1", "--size", "4", "--json", *words])
    thing = json.loads(done.stdout)
    limits = options_object(found.options, complete=found.complete)

    changed = set(ask(session, "param_hsearch").splitlines()) - set(before.splitlines())
    assert [line.split("] ")[1] for line in changed] == [f"{command} {word}"]
    assert thing["limits"] == limits
    assert thing["edge_to_edge"] == {color.word: found.edge_to_edge(color) for color in Color}


def test_deduction_reaches_explanations_and_lists():
    """With deduction on, explanations and lists have the connection that H-search misses."""
    session = Session()
    send(["boardsize 4", "play b d1", "play w c1", "play b a1", "param_hsearch solver 0"], session)
    lines = "hsearch-explain w", "hsearch-vc-edges-full b", "hsearch-explain-vc b north south"
    before = [ask(session, line) for line in lines]
    ask(session, "param_hsearch deduction 1")
    after = [ask(session, line) for line in lines]

    assert before[0].startswith("Who wins is unknown")
    assert after[0].startswith("Proved: Black wins")
    assert before[1] == ""
    assert after[1].split()[:4] == ["black", "north", "south", "full"]
    assert "no full connection" not in before[2]  # the solver decided this one pair
    assert "no full connection" not in after[2]


def test_gtp_proves_the_same_connection_as_explain():
    """GTP proves the same connection as the command `explain`."""
    session, moves = Session(), "g2 c3 d4 b1 f2 a3 e4 b6 a1 f7"
    send(["boardsize 7", f"play-game {moves}"], session)
    ends = ["--for", "black", "--between", "north", "south"]
    printed = CliRunner().invoke(main, ["explain", *moves.split(), "--size", "7", *ends]).stdout
    words = ask(session, "hsearch-explain-vc black north south").splitlines()

    assert words[0].startswith("Black joins north and south, even if White moves first, inside 14")
    assert " ".join(words[0].split()) in " ".join(printed.split())


SEVEN = ["boardsize 7", "play-game g2 c3 d4 b1 f2 a3 e4 b6 a1 f7"]
BY_SOLVER = ["boardsize 5", "play b b2", "play w c2", "play w b3", "play w c4"]
FIFTH_ROW = ["boardsize 10 6", *(f"play w {column}1" for column in "abcdefghij"), "play b g2"]


@pytest.mark.parametrize(
    ("lines", "x", "y", "by_solver"),
    [(SEVEN, "north", "south", False), (FIFTH_ROW, "g2", "south", True)],
    ids=["regions", "solver"],
)
def test_lists_have_the_connection_that_explain_proves(lines, x, y, by_solver, pair_searches):
    """Where AND and OR find no full, commands about a pair list the one of `hsearch-explain-vc`."""
    session = Session()
    send(lines, session)
    said = " ".join(ask(session, f"hsearch-explain-vc b {x} {y}").split())
    (cells,) = re.findall("^Black joins .*, even if White moves first, inside ([0-9]+) ", said)
    assert len(pair_searches) == by_solver

    (full,) = records(ask(session, f"vc-between-cells-full b {x} {y}"), session)
    assert (full[2], len(full[3])) == ("full", int(cells))
    first, *semis = records(ask(session, f"vc-between-cells b {x} {y}"), session)
    assert first == full
    assert {semi[2] for semi in semis} <= {"semi"}
    carrier = session.board.names(session.board.only(*full[3]))
    for command in ("vc-union-full", "vc-intersection-full"):
        assert ask(session, f"{command} b {x} {y}").split() == carrier
    for command in ("vc-connected-to-full", "hsearch-vc-cell-edges"):
        assert "by AND and OR alone" in ask(session, f"help {command}")
    assert y not in ask(session, f"vc-connected-to-full b {x}").split()
    assert full not in records(ask(session, f"hsearch-vc-cell-edges b {x}"), session)
    if not by_solver:
        assert full in records(ask(session, "hsearch-vc-edges-full b"), session)
        assert ask(session, "hsearch-carrier-edges b").split() == carrier


def test_a_command_asks_the_solver_once_about_a_pair(pair_searches):
    """A command about one pair takes no more of the solver's time than `hsearch-explain-vc`."""
    session = Session()
    send(BY_SOLVER, session)
    lists = ("vc-between-cells", "vc-union", "vc-intersection")
    for command in ("hsearch-explain-vc", *lists, *(f"{each}-full" for each in lists)):
        pair_searches.clear()
        MEMORY.forget()
        replies = {ask(session, f"{command} b b2 south") for _ in range(2)}
        assert (len(pair_searches), len(replies)) == (1, 1), command


@pytest.mark.parametrize("command", ["hsearch-explain-vc", "vc-between-cells"])
def test_an_interrupted_question_about_a_pair_is_not_answered(command, monkeypatch):
    """An interruption is a failure: an empty list would mean that nothing joins the pair."""
    session = Session()
    send(BY_SOLVER, session)
    MEMORY.forget()

    def interrupted(*arguments, **options):
        found = join(*arguments, **options)
        session.call.cancel.set()
        return replace(found, connection=None, joined=None, first=None, intrusion=None)

    with monkeypatch.context() as patch:
        patch.setattr("player.answers.memory.join", interrupted)
        assert fail(session, f"{command} b b2 south") == "stopped"
    again = ask(session, f"{command} b b2 south")  # what was left open then is not remembered
    MEMORY.forget()
    assert ask(session, f"{command} b b2 south") == again


def test_parameters_are_shown_as_they_were_set():
    """Parameters print as set; an unknown name or a value out of range is refused."""
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
        "param_hsearch limits none",
        "param_hsearch deduction 4",
        "param_hsearch player nobody",
        "param_hsearch player gtp:false",
        "param_hsearch player hexy:depth=x",
        "param_hsearch max_time nan",
        "param_hsearch level 13",
        "param_hsearch level",
    ):
        assert answer(send([line], session)[0])[0] is False, line
    advice = "to search without limits, give M and K as 1000000"
    assert advice in send(["param_hsearch limits none"], session)[0]


@pytest.mark.parametrize(
    "line",
    ["param_hsearch seed 1", "param_hsearch level 2", "param_hsearch max_time 1234567.25"],
)
def test_parameters_may_be_sent_back_as_they_are_shown(line):
    """A client can send back all parameters, also level 0 and rounded times."""
    session = Session()
    ask(session, line)
    for command in ("param_game", "param_hsearch", "param_dfpn", "param_player_vc"):
        shown = ask(session, command)
        before = copy.deepcopy(session.settings)
        for row in shown.splitlines():
            _, _, key_and_value = row.removeprefix("= ").partition("] ")
            ask(session, f"{command} {key_and_value}")

        assert session.settings == before
        assert ask(session, command) == shown


def test_a_level_is_a_player_of_the_scale():
    """A level is set by number or name and shown by number; 0 is any other player."""
    session = Session()

    assert "[string] level 0\n" in ask(session, "param_hsearch")
    ask(session, "param_hsearch level Novice")
    assert "[string] level 2\n" in ask(session, "param_hsearch")
    assert "[string] player level:2\n" in ask(session, "param_hsearch")
    assert "unknown level '0' (known: 1 Beginner" in fail(session, "param_hsearch level 0")
    ask(session, "param_hsearch player random")
    assert "[string] level 0\n" in ask(session, "param_hsearch")
    send(["hsearch-variant bidding"], session)
    assert "'level' does not play bidding" in fail(session, "param_hsearch level 2")


def test_the_game_time_cannot_be_set_after_the_first_move():
    """The game time cannot be set after the first move, as in benzene."""
    session = Session()
    send(["boardsize 3", "play b a1"], session)

    assert send(["param_game game_time 60"], session)[0].startswith("? the time can be set only")


@pytest.mark.parametrize("command", ["hsearch-best-moves", "hsearch-explain", "hsearch-values"])
@pytest.mark.parametrize("color", ["black", "white"])
def test_whoever_gives_up_first_is_to_move(tmp_path, command, color):
    """A resignation as the first move gives the turn, in the session as in its file."""
    session, loaded = Session(), Session()
    send(["boardsize 3", f"play {color} resign", f"printsgf {tmp_path / 'x.sgf'}"], session)
    send([f"loadsgf {tmp_path / 'x.sgf'}"], loaded)

    assert session.position.turn is loaded.position.turn is Color.named(color)
    assert ask(session, command) == ask(session, f"{command} {color}") == ask(loaded, command)
    send(["play w a1"], session)
    assert ask(session, "printsgf").endswith("SZ[3];W[a1])")


@pytest.mark.parametrize("moves", [";B[c3];W[b2]", ""])
def test_printsgf_keeps_a_result_without_a_winner(tmp_path, moves):
    """A loaded record is written with its result, until a move or `undo`; it once lost `Void`."""
    path, session = tmp_path / "x.sgf", Session()
    path.write_text(f"(;FF[4]GM[11]SZ[5]RE[Void]{moves})")
    send([f"loadsgf {path}"], session)

    assert "RE[Void]" in ask(session, "printsgf")
    send(["play b d4"], session)
    assert "RE[" not in ask(session, "printsgf")
    if moves:
        send([f"loadsgf {path} 1"], session)
        assert "RE[" not in ask(session, "printsgf")


@pytest.mark.parametrize("word", ["swap-pieces", "swap-sides"])
def test_a_stone_of_the_setup_is_not_swapped(tmp_path, word):
    """A swap is the second move also where one stone was set up; `hsearch-explain` expects none."""
    (tmp_path / "x.sgf").write_text("(;FF[4]GM[11]SZ[3]RU[swap]AB[b2])")
    session = Session()
    send([f"loadsgf {tmp_path / 'x.sgf'}"], session)

    assert "only the second move of the game can be a swap" in fail(session, f"play w {word}")
    assert "swap" not in ask(session, "hsearch-explain")
    assert "Hint: c1." in ask(session, "hsearch-hint w")
    send(["param_game allow_swap 1"], session)
    assert ask(session, "genmove w") in {"c1", "a3", "b1", "b3"}


def test_the_stone_is_swapped_after_a_resignation_too():
    """Play goes on without the resignation, so hint, engine and legal moves agree."""
    session = Session()
    send(["boardsize 5", "param_game allow_swap 1", "play b c3", "play w resign"], session)

    assert ask(session, "hsearch-hint w").startswith("Hint: swap. ")
    assert ask(session, "reg_genmove w") == "swap-pieces"
    assert ask(session, "play w swap-pieces") == ""
