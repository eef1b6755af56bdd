"""`hsearch thresholds`: best first moves by the number of chips."""

import json
import weakref

import pytest
from bid_command import BID, CELLS, COUNT, SHARE, fields, maybe
from click.testing import CliRunner
from schemas import validate

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.answers.bid import ThresholdRow, equal_chips_win
from player.bidding.chips import Holding
from player.bidding.discrete import Thresholds
from player.cli import main

SIDE = fields(
    needs=maybe({"type": "string", "pattern": r"^[0-9]+\*?$"}), moves={**CELLS, "minItems": 1}
)
SCHEMA = fields(
    schema={"const": "hsearch/thresholds/1"},
    position=BID["properties"]["position"],
    richman=fields(value=SHARE, after_black=SHARE, after_white=SHARE),
    totals={"type": "array", "items": fields(chips=COUNT, black=SIDE, white=SIDE), "minItems": 1},
    equal_chips_win=fields(black=maybe(COUNT), white=maybe(COUNT)),
)


def run(*arguments, stdin=None, code=0):
    """Run the command in this process; return stdout and stderr."""
    result = CliRunner().invoke(main, ("thresholds", *arguments), input=stdin)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def found(*arguments, stdin=None):
    """Return the object that it prints."""
    text, _ = run(*arguments, "--json", stdin=stdin)
    assert text.count("\n") == 1
    told = json.loads(text)
    validate(told, SCHEMA)
    return told


def test_the_center_of_3x3_is_not_best_with_7_12_13_19_or_23_chips():
    """With 7, 12, 13, 19 and 23 chips, and no others up to 40, the center is not best."""
    told = found("-", "--size", "3", "--chips", "1", "40", stdin="\n")
    for color in ("black", "white"):
        odd = [row["chips"] for row in told["totals"] if "b2" not in row[color]["moves"]]
        assert odd == [7, 12, 13, 19, 23]
    assert told["totals"][6]["black"] == {"needs": "4", "moves": ["c1", "a3"]}
    assert told["equal_chips_win"] == {"black": None, "white": None}


def test_nobody_is_to_move_where_both_are_to_bid():
    """A record of bids names no player to move, as in `hsearch bid`."""
    text = "(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];B[a1]XB[40][38]XH[60][140*])"

    assert found("-", "--chips", "2", "2", stdin=text)["position"]["turn"] is None
    assert found("-", "--turn", "white", stdin=text)["position"]["turn"] == "white"


def test_the_text_output_for_3x3_is_as_expected():
    """The text has the table, the best move for divisible chips, and where the two differ."""
    text, _ = run("-", "--size", "3", "--chips", "6", "8", stdin="\n")
    lines = text.splitlines()

    assert [line.split() for line in lines[:4]] == [
        [
            "chips",
            "Black",
            "needs",
            "best",
            "for",
            "Black",
            "White",
            "needs",
            "best",
            "for",
            "White",
        ],
        ["6", "3*", "b2", "3*", "b2"],
        ["7", "4", "c1", "a3", "4", "c1", "a3"],
        ["8", "4*", "c1", "b2", "a3", "4*", "c1", "b2", "a3"],
    ]
    assert "more than 1/2 of them; best: b2." in text
    assert "None of these is best for Black with 7 chips." in text


@pytest.mark.parametrize(("move", "least"), [("a1", 14), ("b2", 4)])
def test_equal_chips_win_is_the_least_sufficient_total(move, least):
    """`equal_chips_win` is the least total from which half the chips win without `*`."""
    told = found(move, "--size", "3", "--chips", "1", "30")
    start = Position.of(Board(3, 3), black=move)
    solved = [Thresholds(start, total) for total in range(1, 31)]
    wins = {each.total: _wins_with_half(each) for each in solved}

    assert told["equal_chips_win"]["black"] == least
    assert not wins[least - 1]
    assert all(wins[total] for total in range(least, 31))
    assert told["equal_chips_win"]["white"] is None
    rows = [ThresholdRow.of(start, each) for each in solved[: least - 1]]
    assert equal_chips_win(rows, start.turn.opponent) is None


def _wins_with_half(solved):
    return solved.wins(solved.start, Color.BLACK, Holding(solved.total // 2))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("b2", "--size", "3", "--chips", "5", "4"), 2, "--chips 5 4: FROM is more than TO"),
        (("b2", "--size", "4"), 3, "too many empty cells to solve: 15 (at most 12)"),
        (("a1 a2 b1 b2 c1", "--size", "3x1"), 3, "a2"),
        (("b1 a2 b2 a3 b3", "--size", "3"), 3, "the game is over: black has won"),
    ],
)
def test_absurd_questions_are_refused(arguments, code, message):
    _, errors = run(*arguments, code=code)

    assert message in errors
    assert errors.count("\n") == 1 or code == 2


def test_at_most_two_threshold_tables_exist_at_once(monkeypatch):
    """At most two tables exist at once: each has three to the power of the empty cells entries."""
    alive, most = weakref.WeakSet(), []

    class Watched(Thresholds):
        def __init__(self, position, total):
            super().__init__(position, total)
            alive.add(self)
            most.append(len(alive))

    monkeypatch.setattr("player.cli.bid.Thresholds", Watched)
    result = CliRunner().invoke(main, ["thresholds", "b2", "--size", "3", "--chips", "1", "20"])

    assert result.exit_code == 0
    assert len(most) == 20
    assert max(most) <= 2
