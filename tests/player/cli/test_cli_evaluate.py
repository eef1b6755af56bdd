"""`hsearch evaluate`: a table, JSON, and pictures of an evaluator's values at the cells."""

import json
import sys
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from schemas import validate

from player.answers.circuit import SIGHTS
from player.cli import main
from player.evaluate.evaluators import EVALUATORS

GAME = ("positions/games/london-2000-queenbee-hexy.sgf", "--move", "20")
NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}
EVALUATION = {
    "evaluator": {"enum": list(EVALUATORS)},
    "black": NUMBER,
    "white": NUMBER,
    "evaluation": NUMBER,
}
SCHEMA = {
    "type": "object",
    "required": ["schema", "position", "evaluator", "black", "white", "evaluation"],
    "additionalProperties": False,
    "properties": {
        "schema": {"const": "hsearch/evaluation/1"},
        "position": {"type": "object"},
        **EVALUATION,
    },
}
ALL = {
    "type": "object",
    "required": ["schema", "position", "evaluations"],
    "additionalProperties": False,
    "properties": {
        "schema": {"const": "hsearch/evaluations/1"},
        "position": {"type": "object"},
        "evaluations": {
            "type": "array",
            "items": {
                "type": "object",
                "required": list(EVALUATION),
                "additionalProperties": False,
                "properties": EVALUATION,
            },
        },
    },
}


def run(*arguments, text=None):
    return CliRunner().invoke(main, ["evaluate", *arguments], input=text)


def test_the_table_has_one_line_per_evaluator():
    """The table has a heading and one line per evaluator, in order."""
    lines = run(*GAME).stdout.splitlines()

    assert [line.split()[0] for line in lines] == ["evaluator", *EVALUATORS]


@pytest.mark.parametrize("name", EVALUATORS)
def test_json_follows_its_schema(name):
    """The JSON object of one evaluator follows its schema."""
    done = run(*GAME, "--with", name, "--json")
    thing = json.loads(done.stdout)

    validate(thing, SCHEMA)
    assert list(thing) == SCHEMA["required"]
    assert thing["evaluator"] == name


@pytest.mark.parametrize("options", [(), ("--with", "all")])
def test_json_of_all_is_one_object(options):
    """The JSON of all evaluators is one object that holds the object of each."""
    done = run(*GAME, *options, "--json")
    thing = json.loads(done.stdout)
    one = json.loads(run(*GAME, "--with", "connected", "--json").stdout)

    validate(thing, ALL)
    assert list(thing) == ALL["required"]
    assert [found["evaluator"] for found in thing["evaluations"]] == list(EVALUATORS)
    assert {"schema": one["schema"], "position": thing["position"]} | thing["evaluations"][0] == one


def test_a_finished_game_is_infinite():
    """Every evaluator returns -inf once Black has a chain."""
    done = run("-", "--json", "--size", "2", text="a1 b1 a2 b2")
    thing = json.loads(done.stdout)

    validate(thing, ALL)
    assert {found["evaluation"] for found in thing["evaluations"]} == {"-inf"}


@pytest.mark.parametrize(
    ("moves", "size", "measures"),
    [("a1 b1 a2 b2", "2", ["-", "inf", "-inf"]), ("a2 a1 b2 b1 c3 c1", "3", ["inf", "-", "inf"])],
)
def test_a_winner_has_a_dash_for_two_distance(moves, size, measures):
    """The winner has a dash for two-distance and the loser infinity, on a full board or not."""
    lines = [line.split() for line in run("-", "--size", size, text=moves).stdout.splitlines()]

    assert [line for line in lines if "-" in line] == [
        [name, *measures] for name in ("two_distance", "two_distance_one_way", "queenbee")
    ]


@pytest.mark.parametrize("name", SIGHTS)
@pytest.mark.parametrize("side", ["black", "white"])
def test_the_picture_of_each_evaluator_is_well_formed(name, side, tmp_path):
    """The picture of each evaluator is well-formed, for either player."""
    out = tmp_path / "seen.svg"
    done = run(*GAME, "--with", name, "--svg", str(out), "--for", side)

    assert done.exit_code == 0, done.output
    assert name in "".join(ET.parse(out).getroot().itertext())  # noqa: S314 - ours


def test_an_evaluator_that_fails_prints_no_table(tmp_path):
    """An evaluator that raises an error prints no table, not even its heading."""
    own = tmp_path / "own.py"
    own.write_text("def failing(position):\n    raise ValueError('not today')\n")
    done = run(*GAME, "--with", f"{own}:failing")

    assert (done.stdout, done.exit_code) == ("", 3)
    assert done.stderr == f"{own}:failing: ValueError: not today\n"


def test_fillings_are_left_out_where_the_board_is_too_large(monkeypatch):
    """On a board too large, fillings are left out with a note; by name they are an error."""
    one = run("-", "--size", "14", "--with", "fillings", text="a1")
    # The other evaluators compile for each number of words of a board, so use a small one.
    for module in ("player.cli.evaluate", "player.evaluate.exact"):
        monkeypatch.setattr(sys.modules[module], "MAX_WIDTH", 4)
    every = run("-", "--size", "5", text="a1")

    message = "-: 14x14 is too large for fillings (shorter side at most 13)\n"
    assert (one.exit_code, one.stderr) == (3, message)
    message = "5x5 is too large for fillings (shorter side at most 4): left out\n"
    assert every.exit_code == 0, every.output
    assert message in every.stderr
    assert "fillings" not in every.stdout


def test_a_picture_needs_an_evaluator_with_values_at_cells():
    """A picture of all evaluators is wrong usage, and those with values at cells are listed."""
    done = run(*GAME, "--svg", "x.svg")

    assert done.exit_code == 2
    assert "two_distance" in done.stderr
