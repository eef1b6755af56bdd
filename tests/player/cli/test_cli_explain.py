"""`hsearch explain`: words, JSON, pictures and lines of play."""

import json
import re
import shlex
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from schemas import validate
from test_cli_analyze import CELL, CELLS, COLOR, COUNT, POSITION, WINNER, fields
from test_cli_connections import CONNECTION, POINT

from hsearch import formats
from player.cli import main

GAMES = {
    "positions/games/london-2000-queenbee-hexy.sgf": ("59", "north", "south"),
    "positions/games/london-2000-hexy-queenbee.sgf": ("38", "west", "east"),
}
NORTH_SOUTH = ("--between", "north", "south")
C1_SURVIVED = "'c1' is not in the carrier, so the connection survives it; the carrier: a3 b3"
TEMPLATES = "positions/templates/edge.txt"
NULL = {"type": "null"}
SHAPE = {"anyOf": [NULL, {"type": "string"}]}


def optional(schema):
    """Return the schema of a value that may be null."""
    return {"anyOf": [NULL, schema]}


def several(schema):
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


PART = fields(
    ends={"type": "array", "items": POINT, "minItems": 2, "maxItems": 2},
    carrier=CELLS,
    shape=SHAPE,
    argument=optional(COUNT),
)
CASE = fields(key=CELL, carrier=CELLS, on=CELLS, left=CELLS, parts=several(PART))
ARGUMENT = fields(
    number=COUNT, ends=several(POINT), carrier=CELLS, shape=SHAPE, played=CELLS, cases=several(CASE)
)
OUTCOME = fields(
    verdict={"enum": ["holds", "refuted", "unknown"]},
    intrusion=optional(CELL),
    carrier=CELLS,
    positions=COUNT,
)
STEP = fields(intrusion=CELL, reply=optional(CELL), carrier=CELLS, joined={"type": "boolean"})
EXPLANATION = fields(
    schema={"const": "hsearch/explanation/1"},
    position=POSITION,
    limits={"type": "object"},
    color=COLOR,
    ends=several(POINT),
    within=optional(CELLS),
    chain={"type": "boolean"},
    template=SHAPE,
    solver=optional(
        fields(
            joined=optional({"type": "boolean"}),
            first=optional({"type": "boolean"}),
            intrusion=optional(CELL),
        )
    ),
    proved=optional(fields(winner=COLOR, by=WINNER["proved_by"], move=optional(CELL))),
    connection=optional(CONNECTION),
    parts=several(PART),
    arguments=several(ARGUMENT),
    replies=several(fields(intrusion=CELL, reply=CELL)),
    missing=optional(
        fields(
            semis=COUNT,
            common=CELLS,
            region=CELLS,
            outcome=optional(OUTCOME),
            beyond=optional(OUTCOME),
            way=several(CONNECTION),
            cut={"type": "boolean"},
        )
    ),
    line=optional(fields(start=optional(CELL), steps=several(STEP))),
)


def run(*arguments, stdin=None):
    """Run `hsearch explain` in this process."""
    return CliRunner().invoke(main, ["explain", *arguments], input=stdin)


def said(*arguments, stdin=None):
    """Return the output of a run, which must succeed."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def explained(*arguments, stdin=None):
    """Return the object that `--json` prints, checked by the schema."""
    text = said(*arguments, "--json", stdin=stdin)
    assert text.count("\n") == 1
    found = json.loads(text)
    validate(found, EXPLANATION)
    return found


@pytest.fixture
def _solver_soon_ends(monkeypatch):
    """Give the solver a tenth of its time where it is not expected to find an answer."""
    monkeypatch.setattr("player.solve.pair.PAIR_SECONDS", 0.2)


@pytest.mark.parametrize("game", GAMES)
def test_hexys_wins_fit_on_120_lines(game):
    """Hexy's wins, ten moves before the end, take at most 120 lines and repeat no argument."""
    move, *ends = GAMES[game]
    lines = said(game, "--move", move, "--between", *ends).splitlines()
    headings = [line.split(".")[0] for line in lines if line[:1].isdigit() and ". " in line]

    assert 20 < len(lines) <= 120
    assert max(map(len, lines[:-1])) <= 100
    assert lines[-1].startswith("Next: ")
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize("game", GAMES)
def test_json_of_a_real_win_has_a_reply_to_each_intrusion(game):
    """In a real win every cell of the carrier has a reply, and arguments are numbered from 1."""
    move, *ends = GAMES[game]
    found = explained(game, "--move", move, "--between", *ends)

    assert found["connection"]["kind"] == "full"
    assert [entry["intrusion"] for entry in found["replies"]] == found["connection"]["carrier"]
    assert [argument["number"] for argument in found["arguments"]] == list(
        range(1, len(found["arguments"]) + 1)
    )
    assert found["missing"] is None
    assert found["line"] is None


def test_the_whole_explanation_of_a_bridge_is_as_expected():
    """The explanation of a bridge has a board, a caption and one sentence per part."""
    assert said("-", "--size", "3", "--between", "b2", "north", "--ascii", stdin="b2") == (
        "  a b c\n"
        "1  . * *  1\n"
        " 2  .[B].  2\n"
        "  3  . . .  3\n"
        "      a b c\n"
        "\n"
        "3x3, white to move; last stone b2; move 1 of 1.\n"
        "Black joins b2 and north, even if White moves first, inside 2 empty cells.\n"
        "   It is one part: b2-north bridge b1 c1.\n"
        "Next: hsearch explain 'https://hexworld.org/board/#3,b2' --for black"
        " --between b2 north --intrude b1   follow a line of play\n"
    )


def test_the_owner_to_move_needs_no_more_than_a_semi():
    """With the owner to move a semi is enough: before Hexy's winning move nothing is missing."""
    found = explained(next(iter(GAMES)), "--move", "50", "--between", "north", "south")

    assert found["connection"]["kind"] == "semi"
    assert found["connection"]["key"] == "f8"
    assert found["missing"] is None


def test_without_a_full_the_common_cells_and_intrusion_are_named():
    """Without a full, the text names the cells all semis share and the intrusion that cuts."""
    asked = ("-", "--size", "3", "--between", "b1", "south")
    found = explained(*asked, stdin="b1 a2 a1 c2 c1")
    text = " ".join(said(*asked, stdin="b1 a2 a1 c2 c1").split())

    assert found["missing"]["common"] == ["b2", "a3", "b3"]
    assert found["missing"]["outcome"]["verdict"] == "refuted"
    assert found["missing"]["outcome"]["intrusion"] == "b2"
    assert "It is the only one. What is missing is a way without b2 a3 b3: " in text
    assert "White on any of these breaks it." in text
    assert "White breaks it at b2" in text


def test_a_template_that_the_rules_miss_is_found_by_default():
    """dk4-3, which AND and OR miss, is found by all knowledge without an option."""
    found = explained(TEMPLATES, "--id", "dk4-3", "--between", "c2", "south")

    assert found["connection"]["kind"] == "full"
    assert found["limits"]["knowledge"] == "rules"
    assert found["missing"] is None


@pytest.mark.usefixtures("_solver_soon_ends")
def test_ends_that_no_knowledge_joins_are_played_out():
    """Ends that no knowledge joins are played out, and a small budget leaves them open."""
    asked = ("-", "--size", "5x5", "--for", "black", "--between", "c2", "south")
    whole, short = (  # run the solver, which does not find it, only once
        explained(*asked, "--budget", *budget, stdin="c2")["missing"]["outcome"]
        for budget in (("20000",), ("5", "--time", "0"))
    )

    assert (whole["verdict"], whole["intrusion"]) == ("refuted", "c3")
    assert (short["verdict"], short["positions"]) == ("unknown", 5)


@pytest.mark.usefixtures("_solver_soon_ends")
def test_far_apart_ends_get_a_way_but_no_number_of_moves():
    """Far apart ends get a way but no number of missing moves."""
    found = explained("-", "--size", "9", "--between", "west", "east", stdin="e5")
    text = said("-", "--size", "9", "--between", "west", "east", stdin="e5")

    assert found["connection"] is None
    assert found["missing"]["way"]
    assert "H-search finds no semi connection either, within its limits." in text
    assert "more than one move" not in text


@pytest.mark.parametrize(
    ("asked", "solved"),
    [
        # All winning moves: the net decides which is found first.
        (["--move", "6", *NORTH_SOUTH], r"Black wins with ([fg]4|[efg]5|[ade]6)\."),
        (["--move", "1", "--between", "top", "bottom", "--knowledge", "all"], "Black wins"),
        (["--move", "5", "--between", "west", "east"], "White wins"),
    ],
)
def test_with_time_0_the_next_command_runs_the_solver(tmp_path, asked, solved):
    """With --time 0 the proposed next command runs the solver and finds the winner."""
    path = tmp_path / "mine.sgf"
    path.write_text("(;FF[4]GM[11]SZ[7];B[b4];W[d4];B[e3];W[c5];B[c4];W[d5];B[d3])")
    text = CliRunner().invoke(main, ["explain", str(path), *asked, "--time", "0"]).stdout
    following = text.splitlines()[-1].removeprefix("Next: hsearch ").partition("   ")[0]

    assert "more than one move" not in text
    found = CliRunner().invoke(main, shlex.split(following))
    if found.exit_code == 1:  # a busy machine may need longer
        longer = following.replace("--time 10", "--time 100")
        found = CliRunner().invoke(main, shlex.split(longer))
    assert re.search(solved, found.stdout)


FIFTH_ROW = "WWWWWWWWWW\n......B...\n..........\n..........\n..........\n"


@pytest.mark.slow
def test_a_large_template_is_named_before_it_is_derived():
    """A large template is named at once, with the command that derives it in a minute."""
    asked = ("j10", "--size", "15", "--between", "j10", "south")
    found, text = explained(*asked, "--time", "0.1"), said(*asked, "--time", "0.1")

    assert (found["template"], found["connection"]["kind"]) == ("VI-1-a", "semi")
    assert "Yet Black joins them, even if White moves first:" in text
    assert "template VI-1-a, which was proved before" in " ".join(text.split())
    assert text.splitlines()[-1].endswith("--time 300   let the solver derive it")
    assert explained("j9", *asked[1:4], "j9", "south", "--time", "0.1")["template"] is None


def test_the_solver_finds_the_fifth_row_template():
    """The solver finds the fifth-row template, also for `--intrude` and `hsearch connections`."""
    board = f"{FIFTH_ROW}.........."
    asked = ["-", "--between", "g2", "south"]
    found = explained(*asked, "--turn", "white", "--intrude", "f5,e6", stdin=board)
    listed = CliRunner().invoke(main, ["connections", *asked, "--kind", "full"], input=board)

    assert found["connection"]["kind"] == "full"
    assert len(found["connection"]["carrier"]) == 34
    assert all(step["reply"] for step in found["line"]["steps"])
    assert "\n1 full connection" in listed.stdout


def test_the_intrusion_found_by_the_solver_is_named():
    """An intrusion that the solver finds is named; if time ran out, a longer --time is proposed."""
    asked = ["-", "--between", "g2", "south"]
    short = said(*asked, "--time", "0.001", stdin=f"{FIFTH_ROW}........WW")
    text = said(*asked, stdin=f"{FIFTH_ROW}........WW")  # known from then on
    open_ = said(*asked, "--time", "0", stdin=f"{FIFTH_ROW}........WW")

    assert "White breaks it at" in text.replace("\n", " ")
    assert "by moving first, at" in text
    assert "The solver, too, has not decided it in 0.001 s" in short
    assert "--time 0.005   ask the solver for longer" in short
    assert "solver" not in open_


@pytest.mark.usefixtures("_solver_soon_ends")
def test_a_semi_that_only_all_knowledge_finds_is_reported():
    """A semi that only all knowledge finds is reported as a semi."""
    text = said("positions/games/london-2000-queenbee-hexy.sgf", "--move", "43", *NORTH_SOUTH)

    assert "The closest is a semi connection: Black must move first, at f11" in text
    assert "no semi" not in text


def test_more_than_one_missing_move_is_reported_if_proved():
    """More than one move is missing only if playing out proves that one is not enough."""
    text = said("-", "--size", "3", *NORTH_SOUTH, stdin="a1 b2 a2 a3")

    assert "it fails even if Black moves first" in text
    assert "So more than one move is missing." in text
    assert "Next:" not in text


def test_ends_cut_by_an_opponents_chain_are_reported_as_cut():
    """Ends cut by the opponent's chain are called cut, without a number of missing moves."""
    asked, moves = ("-", "--size", "3", "--between", "west", "east"), "b1 c1 b2 c2 a3 c3 b3"
    text = said(*asked, stdin=moves)

    assert explained(*asked, stdin=moves)["missing"]["cut"] is True
    assert explained(*asked, stdin="b1 c1")["missing"]["cut"] is False
    assert "Nothing can join west and east: they would stay apart if White had stones" in text
    assert "missing" not in text
    assert "Next:" not in text


def test_deduction_explains_what_h_search_leaves_open():
    """Deduction explains a full that H-search leaves open, and its depth is in the limits."""
    asked = ["-", "--size", "4", "--between", "north", "south", "--for", "black"]
    text = run(*asked, "--deduction", "1", stdin="d1 c1 a1").stdout
    thing = json.loads(run(*asked, "--deduction", "1", "--json", stdin="d1 c1 a1").stdout)

    assert "Black joins north and south, even if White moves first, inside 13 empty cells." in text
    assert thing["connection"]["kind"] == "full"
    assert thing["limits"]["deduction"] == 1
    assert thing["missing"] is None


def test_one_cell_is_written_in_the_singular():
    """One cell is written in the singular, with and without the move."""
    asked = ("explain", "-", "--for", "black", "--between", "north", "south")
    ours, theirs = (
        " ".join(CliRunner().invoke(main, [*asked, "--turn", turn], input="B\n.\n").stdout.split())
        for turn in ("black", "white")
    )

    assert "inside 1 empty cell by moving first, at a2." in ours
    assert "a way without a2: White there breaks it." in theirs
    assert "Played out in the 1 cell of this semi, White breaks it at a2 (2 positions)." in theirs


def test_a_chain_needs_no_explanation():
    """Ends joined by a chain of stones need no explanation."""
    found = explained("-", "--size", "1", "--between", "north", "south", stdin="a1")
    text = said("-", "--size", "1", "--between", "north", "south", stdin="a1")

    assert found["chain"]
    assert found["missing"] is None
    assert "Stones join north and south already." in text


def test_a_line_of_play_lists_each_intrusion_with_its_reply():
    """A line of play gives each intrusion with its reply and the cells left to watch."""
    asked = (TEMPLATES, "--id", "ziggurat", "--between", "c2", "south")
    line = explained(*asked, "--intrude", "c3", "--intrude", "a4")["line"]
    text = said(*asked, "--intrude", "c3", "--intrude", "a4")

    assert line["start"] is None
    assert [(step["intrusion"], step["reply"]) for step in line["steps"]] == [
        ("c3", "b3"),
        ("a4", "b4"),
    ]
    assert line["steps"][0]["carrier"] == ["a4", "b4"]
    assert line["steps"][-1]["joined"]
    assert "White c3: Black b3. Left to watch: a4 b4." in text
    assert "White a4: Black b4. The ends are joined by stones." in text


@pytest.mark.parametrize("texts", [["c3,a4"], ["c3 a4"], [" c3,", "a4"]])
def test_several_intrusions_in_one_text(texts):
    """Several intrusions in one text are read as if the option were repeated."""
    asked = (TEMPLATES, "--id", "ziggurat", "--between", "c2", "south")
    words = [word for text in texts for word in ("--intrude", text)]

    assert said(*asked, *words) == said(*asked, "--intrude", "c3", "--intrude", "a4")


@pytest.mark.parametrize("ends", [("top", "bottom"), ("N", "S"), ("n", "South")])
def test_an_edge_is_accepted_by_each_of_its_names(ends):
    """An edge may be named by compass point, by its letter, or by its side of the board."""
    asked = ("-", "--size", "3", "--between")

    assert said(*asked, *ends, stdin="b2") == said(*asked, "north", "south", stdin="b2")


def test_cells_that_are_no_longer_needed_need_no_reply():
    """A cell that is no longer needed gets no reply, as on the ziggurat's right after c3 b3."""
    asked = (TEMPLATES, "--id", "ziggurat", "--between", "c2", "south")
    line = explained(*asked, "--intrude", "c3", "--intrude", "d4")["line"]

    assert line["steps"][1]["reply"] is None
    assert "White d4: no reply is needed." in said(*asked, "--intrude", "c3", "--intrude", "d4")


def test_a_line_shows_only_the_stones_on_the_board():
    """A line shows the stones on the board, not those that filled the region of e1, e2, d3."""
    game = "(;FF[4]GM[11]SZ[5]AB[a4][d5]AW[d2][e3][d4]PL[W])"
    asked = (game, "--between", "west", "east", "--intrude", "e1")

    board = said(*asked).split("Left to watch")[-1]
    assert " 2  * * * ○ ·  2" in board
    assert " 3  * * *(○)○  3" in board


def test_the_owner_of_a_semi_starts_the_line():
    """The owner of a semi starts the line of play with its key."""
    game, (_, *ends) = next(iter(GAMES.items()))
    line = explained(game, "--move", "50", "--between", *ends, "--intrude", "e9")["line"]

    assert line["start"] == "f8"
    assert line["steps"][0]["reply"] == "f9"


def test_a_terminal_prompts_for_the_next_intrusion(monkeypatch):
    """A terminal prompts for intrusions until the ends are joined, and again after a bad cell."""
    monkeypatch.setattr("player.cli.explain.is_interactive", lambda: True)
    asked = (TEMPLATES, "--id", "ziggurat", "--between", "c2", "south", "--intrude", "c3")
    text = said(*asked, stdin="z9\nc3\nb4\n")

    assert text.count("Next intrusion") == 3
    assert "is off the 4x4 board" in text
    assert ": c3 is not empty" in text
    assert "White b4: Black a4. The ends are joined by stones." in text
    assert said(*asked, stdin="\n").count("Next intrusion") == 1
    assert said(*asked, stdin="").endswith("Next intrusion (Enter ends): \n")

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert run(*asked).exit_code == 130


def test_a_picture_numbers_the_replies(tmp_path):
    """A picture numbers the cells of the carrier and points from each to its reply."""
    out = tmp_path / "why.svg"
    said(TEMPLATES, "--id", "ziggurat", "--between", "c2", "south", "--svg", str(out))
    labels = sorted(
        element.text
        for element in ET.parse(out).iter()  # noqa: S314 - our own text
        if element.get("class", "").startswith("label")
    )

    assert labels == sorted(["→3", "1→2", "→1", "2→3", "→3", "3→2", "→3", "→3"])


def test_hexboard_writes_a_tag_for_the_whole_and_each_argument():
    """--hexboard writes one tag for the whole and one per argument, and they read back."""
    game, (move, *ends) = next(iter(GAMES.items()))
    text = said(game, "--move", move, "--between", *ends, "--hexboard")
    found = explained(game, "--move", move, "--between", *ends)
    tags = [line for line in text.splitlines() if line.startswith("<hexboard")]
    lacking = said(TEMPLATES, "--id", "dk4-3", "--between", "c2", "south", "--hexboard")

    assert len(tags) == 1 + len(found["arguments"])
    position = formats.read(tags[0]).position(0)
    assert position.board.names(position.black) == found["position"]["black"]
    assert lacking.startswith("<hexboard")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--between", "b2", "b2"], 3, "'b2' twice: a connection has two ends"),
        (["--between", "b2", "a1", "--for", "black"], 3, "a1 is White's: nothing joins them"),
        (["--between", "b2", "west"], 3, "b2 is Black's and west is White's: nothing joins them"),
        (["--between", "b2", "a1"], 3, "b2 is Black's and a1 is White's: nothing joins them"),
        (["--between", "b2", "z9"], 3, "'z9' is off the 3x3 board"),
        (["--between", "b2", "middle"], 3, "not a cell: 'middle'"),
        (["--between", "a3", "c3"], 3, "name the owner with --for"),
        (["--between", "b2"], 2, "--between"),
        (["--between", "b2", "south", "--budget", "0"], 2, "--budget"),
        (["--between", "b2", "south", "--intrude", "c1"], 3, C1_SURVIVED),
        (["--between", "b2", "south", "--intrude", "b2"], 3, "'b2' is not in the carrier: a3 b3"),
        (["--between", "b2", "south", "--intrude", ", "], 2, "no cells"),
        (["--between", "b2", "south", "--intrude", "q"], 3, "not a cell: 'q'"),
        (["--between", "b2", "south", "--intrude", "a3", "--intrude", "a3"], 3, "'a3' twice"),
        (["--between", "b2", "south", "--intrude", "a3", "--intrude", "b3"], 3, "b3 is not empty"),
        (["--between", "a1", "east", "--for", "white", "--intrude", "c1"], 3, "in no carrier"),
        (["--between", "b2", "south", "--json", "--hexboard"], 2, "exclude each other"),
        (["--between", "b2", "south", "--intrude", "a3", "--hexboard"], 2, "exclude each other"),
    ],
)
def test_explain_rejects_wrong_usage_and_bad_input(arguments, code, message):
    """Wrong usage ends with 2, and bad input with 3 and one line."""
    result = run("-", "--size", "3", *arguments, stdin="b2 a1")

    assert result.exit_code == code, result.output
    assert message in result.stderr
    assert result.stdout == ""
    assert code == 2 or result.stderr.count("\n") == 1


def test_without_ends_it_explains_who_wins():
    """Without ends the edges of --for or of the proved winner are explained, if there is one."""
    asked = said("-", "--size", "5", "--between", "north", "south", stdin="c3")
    assert said("-", "--size", "5", stdin="c3") == asked
    whites = said("-", "--size", "5", "--between", "west", "east", stdin="c3")
    assert said("-", "--size", "5", "--for", "white", stdin="c3") == whites
    open_ = run("-", "--size", "11", stdin="f6 a1 b2 c9")

    assert open_.exit_code == 3
    say_which = "name what is joined: --between X Y, as --between north south"
    assert open_.stderr == f"-: who wins is not proved, so {say_which}\n"


def test_a_winner_is_explained_only_for_whoever_is_to_move():
    """Where two black stones do not tell the turn, the winner must be the same for both."""
    rows = ["B B . .", " . . . .", "  . . . .", "   . . . ."]
    open_ = run("-", stdin="\n".join(rows))

    assert open_.exit_code == 3
    assert open_.stderr.endswith("as --between north south; or who is to move: --turn\n")
    rows[2:] = ["  . . . B", "   B . . ."]
    rows[0] = ". . . ."
    assert "Black joins north and south" in said("-", stdin="\n".join(rows))


@pytest.mark.parametrize("color", ["black", "white"])
def test_the_winner_by_search_is_stated_first(color):
    """A win that no rule derives is stated before what the edges lack, for either player."""
    game = "positions/games/london-2000-queenbee-hexy.sgf"
    arguments = (game, "--move", "30", "--for", color, "--time", "0.1")
    asked, lines = explained(*arguments), said(*arguments).splitlines()
    first = next(number for number, line in enumerate(lines) if "has no full connection" in line)

    assert asked["proved"] == {"winner": "black", "by": "solver", "move": "c10"}
    assert lines[first - 1].startswith("Proved by search: Black, who is to move, wins with c10")


def test_an_end_has_the_name_given_by_the_user():
    """An end has the name given by the user, and that of its group if it differs."""
    moves = "d9 a1 e8 a2 f7 a3 g6 a4 h5 b5"
    text = said("-", "--size", "13", "--between", "d9", "south", "--time", "0", stdin=moves)
    first = said("-", "--size", "13", "--between", "h5", "south", "--time", "0", stdin=moves)

    assert "Black joins d9 (group h5) and south" in text
    assert "Black joins h5 and south" in first
