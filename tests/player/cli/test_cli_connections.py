"""`hsearch connections`: one connection per line, for scripts and for people."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from places import ROOT
from schemas import validate
from test_cli_analyze import CELL, CELLS, COLOR, fields

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Color
from player.cli import main

GAME = "positions/games/london-2000-queenbee-hexy.sgf"
POINT = {"type": "string", "pattern": f"^(north|south|west|east)$|{CELL['pattern']}"}
CONNECTION = fields(
    color=COLOR,
    kind={"enum": ["full", "semi"]},
    ends={"type": "array", "items": POINT, "minItems": 2, "maxItems": 2},
    key=CELL | {"type": ["null", "string"]},
    carrier=CELLS,
    rule={"enum": [rule.value for rule in Rule]},
)
ROW = fields(schema={"const": "hsearch/connection/1"}, **CONNECTION["properties"])


def run(*arguments, stdin=None):
    """Run `hsearch connections` in this process."""
    return CliRunner().invoke(main, ["connections", *arguments], input=stdin)


def objects(*arguments, stdin=None):
    """Return the objects that `--json` prints."""
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def place(point, columns=11):
    """Return the sort key of a point: edges in order, then cells row by row."""
    edges = ("north", "south", "west", "east")
    if point in edges:
        return 0, edges.index(point)
    return 1, (int(point[1:]) - 1) * columns + ord(point[0]) - ord("a")


@pytest.mark.slow
def test_every_connection_of_both_players_is_listed_in_order():
    """Every connection is listed, by color, kind, ends (edges first) and size of the carrier."""
    found = objects(GAME, "--move", "12")
    with formats.find_shipped(GAME).open() as stream:
        position = formats.read(stream.read()).position(12)
    expected = {
        (color.word, c.is_full, frozenset(map(position.board.name, c.ends)), c.carrier)
        for color in Color
        for c in closure(position, color)
    }
    keys = [
        (f["color"], f["kind"], [place(end) for end in f["ends"]], len(f["carrier"])) for f in found
    ]

    validate(found, {"type": "array", "items": ROW})
    assert all(list(line) == list(ROW["properties"]) for line in found)
    assert keys == sorted(keys)
    assert expected == {
        (
            line["color"],
            line["kind"] == "full",
            frozenset(line["ends"]),
            position.board.named(line["carrier"]),
        )
        for line in found
    }
    assert all((line["key"] is None) == (line["kind"] == "full") for line in found)
    assert all(line["key"] in {None, *line["carrier"]} for line in found)
    assert all(sorted(line["carrier"], key=place) == line["carrier"] for line in found)


@pytest.mark.parametrize(
    ("option", "value", "name"),
    [("--for", "white", "color"), ("--kind", "semi", "kind"), ("--kind", "full", "kind")],
)
def test_options_choose_among_the_connections(option, value, name):
    """An option selects from the full list and changes nothing else."""
    everything = objects("-", "--size", "4", stdin="b2 c3")

    validate(everything, {"type": "array", "items": ROW})
    assert objects("-", "--size", "4", option, value, stdin="b2 c3") == [
        line for line in everything if line[name] == value
    ]


def test_a_stone_may_be_given_for_its_group():
    """A cell of a group stands for the group: a2 is joined to north, so its ends are the edge's."""
    game = "B . .\n B . .\n  . . .\n"
    by_stone, by_edge = (
        objects("-", "--turn", "white", "--between", point, "south", stdin=game)
        for point in ("a2", "north")
    )

    assert by_stone == by_edge
    assert by_stone[0]["ends"] == ["north", "south"]
    assert {line["color"] for line in by_stone} == {"black"}


def test_the_best_connection_of_a_pair_is_drawn():
    """The best connection of a pair is drawn: the bridge from the center of 3x3 to south."""
    result = run("-", "--size", "3", "--ascii", "--between", "b2", "south", stdin="b2")

    assert result.stdout == (
        "  a b c\n"
        "1  . . .  1\n"
        " 2  .[B].  2\n"
        "  3  * * .  3\n"
        "      a b c\n"
        "\n"
        "black full  south b2: a3 b3  (or)\n"
        "black semi  south b2 from a3: a3  (and)\n"
        "black semi  south b2 from b3: b3  (and)\n"
        "1 full and 2 semi connections.\n"
    )


def test_deduction_adds_a_full_between_two_points():
    """Deduction adds a full that H-search lacks; without it the full comes from all knowledge."""
    asked = ["-", "--size", "4", "--between", "north", "south", "--for", "black"]
    alone, more, semis = (
        objects(*asked, *options, stdin="d1 c1 a1")
        for options in ([], ["--deduction", "1"], ["--deduction", "1", "--kind", "semi"])
    )

    assert more[1:] == alone[1:] == semis
    assert (more[0]["kind"], more[0]["rule"]) == ("full", "or")
    assert (alone[0]["kind"], alone[0]["rule"]) == ("full", "fill-in")


def test_a_template_that_the_rules_miss_is_listed_by_default():
    """For dk4-3 the rules find only three semis, and all knowledge adds the template."""
    template = [
        str(find_shipped("templates/edge.txt")),
        "--id",
        "dk4-3",
        "--between",
        "c2",
        "south",
    ]
    first, *semis = objects(*template)

    assert (first["kind"], first["rule"]) == ("full", "template")
    assert [semi["kind"] for semi in semis] == ["semi"] * 3
    assert objects(*template, "--kind", "semi") == semis
    assert objects(*template, "--kind", "full") == [first]


def test_the_fulls_of_one_player_do_not_hide_those_of_the_other():
    """Two empty cells: the rules find fulls of Black alone; White's was not looked for."""
    asked = ["b3", "--size", "4", "--between", "c1", "a3"]
    both, white = objects(*asked), objects(*asked, "--for", "white")

    assert {line["color"] for line in both if line["kind"] == "full"} == {"black", "white"}
    assert [line for line in both if line["color"] == "white"] == white


def test_one_connection_is_written_in_the_singular():
    """One connection is written in the singular."""
    result = run("-", "--turn", "black", "--between", "north", "south", stdin="B\n.\n")

    assert result.stdout.splitlines()[-1] == "0 full and 1 semi connection."
    for kind, count in (("semi", "1 semi connection."), ("full", "0 full connections.")):
        only = run(
            "-", "--turn", "black", "--between", "north", "south", "--kind", kind, stdin="B\n.\n"
        )
        assert only.stdout.splitlines()[-1] == count


def test_finding_no_connection_is_not_a_failure():
    """Finding no connection is not a failure."""
    result = run("-", "--between", "west", "east", stdin="B W\n B .\n")

    assert result.exit_code == 0
    assert result.stdout == "0 full and 0 semi connections.\n"
    assert objects("-", "--between", "west", "east", stdin="B W\n B .\n") == []


@pytest.mark.parametrize("ends", [("b1", "b2"), ("north", "south"), ("a3", "b1")])
def test_stones_that_are_joined_need_no_connection(ends):
    """Joined stones need no connection: a sentence says so, and JSON lists none."""
    game = ". B .\n . B .\n  B W W\n"
    result = run("-", "--between", *ends, stdin=game)

    assert (result.exit_code, result.stdout) == (
        0,
        f"Stones join {ends[0]} and {ends[1]} already.\n",
    )
    assert objects("-", "--between", *ends, stdin=game) == []


def test_a_connection_has_two_ends():
    """The same point twice is refused in the words of `explain`."""
    result = run("-", "--size", "3", "--between", "b2", "b2", stdin="b2")

    assert (result.exit_code, result.stdout) == (3, "")
    assert "-: 'b2' twice: a connection has two ends\n" in result.stderr


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--between", "b2"], 2),
        (["--between", "b2", "z9"], 3),
        (["--between", "b2", "middle"], 3),
        (["--between", "b2", "west"], 3),
        (["--between", "north", "west"], 3),
        (["--for", "white", "--between", "b2", "c1"], 3),
        (["--kind", "half"], 2),
        (["--color", "white"], 2),
    ],
)
def test_unknown_words_are_wrong_usage_and_impossible_points_bad_input(options, code):
    """Unknown words are wrong usage; points that cannot be joined here are bad input."""
    result = run("-", "--size", "3", *options, stdin="b2")

    assert result.exit_code == code
    assert result.stdout == ""


@pytest.mark.slow
def test_a_reader_that_closes_the_pipe_ends_the_list_silently():
    """A reader that closes the pipe early ends a list of thousands of lines silently."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "player.cli", "connections", GAME, "--move", "20", "--json"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        line = process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()

    assert json.loads(line)["color"] == "black"
    assert (process.returncode, err) == (141, "")


def test_a_chosen_connection_is_drawn(tmp_path):
    """The chosen connection is drawn with a shaded carrier and named in the title."""
    out = tmp_path / "second.svg"
    arguments = ["connections", "-", "--size", "3", "--between", "north", "south"]
    done = CliRunner().invoke(main, [*arguments, "--svg", str(out), "--number", "2"], input="a1")
    listed = [line for line in done.stdout.splitlines() if line.startswith("black")]
    drawing = out.read_text()

    assert done.exit_code == 0, done.output
    assert listed[1].partition(":")[0] in drawing
    assert drawing.count('class="shaded"') >= len(listed[1].partition(": ")[2].split()) - 1


@pytest.mark.parametrize("picture", [["--svg", "nothing.svg"], []])
def test_drawing_a_connection_that_does_not_exist_fails(picture):
    """Drawing a connection that does not exist fails with one line; so does marking it."""
    arguments = ["connections", "-", "--size", "3", "--between", "a1", "b1", "--number", "9"]
    done = CliRunner().invoke(main, [*arguments, *picture], input="a1")

    assert done.exit_code == 1
    assert "no connection 9 to draw" in done.stderr


def test_ends_of_different_players_are_rejected_with_their_owners():
    """Ends of different players are refused, each named with its owner."""
    for player in ((), ("--for", "black"), ("--for", "white")):
        done = run("a5", "c4", "--size", "5", "--between", "a5", "c4", *player)

        assert done.exit_code == 3
        assert "a5 is Black's and c4 is White's: nothing joins them" in done.stderr
    one = run("a5", "c4", "--size", "5", "--between", "b3", "west", "--for", "black")
    assert "west is White's, so it is not an end for Black" in one.stderr


def test_edges_may_be_called_top_and_bottom():
    """Edges may be called top and bottom, as in `hsearch play`."""
    words = ("b2", "--size", "3", "--between")

    assert run(*words, "top", "bottom").stdout == run(*words, "north", "south").stdout != ""
