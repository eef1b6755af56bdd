"""`hsearch bid`: JSON as the contract has it, words for people, pictures, bad input."""

import io
import json
import subprocess
import sys
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

from hsearch.board import Board
from hsearch.position import Position
from player.bidding import Reason
from player.cli import main
from player.cli.drawing import draw
from player.cli.sampling import Enough
from player.fillings import ENOUGH, Method, Sampler, exact

GAME = "positions/games/london-2000-queenbee-hexy.sgf"
COMPILING = "compiling kernels, first run only ...\n"
CELL = {"type": "string", "pattern": "^[a-z]{1,2}[1-9][0-9]?$"}
CELLS = {"type": "array", "items": CELL, "uniqueItems": True}
COUNT = {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def fields(**properties):
    """Return the schema of an object with just these fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def maybe(schema):
    return {"anyOf": [schema, {"type": "null"}]}


BID = fields(
    schema={"const": "hsearch/bid/1"},
    position=fields(
        columns=COUNT, rows=COUNT, black=CELLS, white=CELLS, turn={"enum": ["black", "white"]}
    ),
    chips=fields(black=COUNT, white=COUNT),
    tie_break={"enum": ["black", "white"]},
    fillings=maybe(COUNT),
    exact={"type": "boolean"},
    win_probability=fields(black=SHARE, white=SHARE),
    standard_error=SHARE,
    cells={"type": "array", "items": fields(cell=CELL, losing=maybe(SHARE), critical=SHARE)},
    move=CELL,
    bid=maybe(COUNT),
)


def run(*arguments, stdin=None, code=0):
    """Run `hsearch bid` in this process; return stdout and stderr."""
    result = CliRunner().invoke(main, ("bid", *arguments), input=stdin)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def bid(*arguments, stdin=None, code=0):
    """Return the object that `hsearch bid --json` prints."""
    text, _ = run(*arguments, "--json", stdin=stdin, code=code)
    assert text.count("\n") == 1
    found = json.loads(text)
    jsonschema.validate(found, BID)
    assert list(found) == list(BID["properties"])
    return found


def test_the_empty_board():
    """The object of 3x3, exactly: 164 of 512 fillings hang on b2, and the bid is 41/256 of all."""
    found = bid("-", "--size", "3", "--move", "0", stdin="b2")

    assert found["win_probability"] == {"black": 0.5, "white": 0.5}
    assert (found["fillings"], found["exact"], found["standard_error"]) == (None, True, 0)
    assert found["cells"][0] == {"cell": "b2", "losing": 0.339844, "critical": 0.320312}
    assert len(found["cells"]) == 9
    assert (found["move"], found["bid"]) == ("b2", 32)


def test_a_real_game():
    """The object says what the exact odds say, best cell first."""
    found = bid(GAME, "--move", "12", "--chips", "1000", "500*")
    position = Position.of(
        Board(11, 11),
        black=found["position"]["black"],
        white=found["position"]["white"],
    )
    odds = exact(position)
    shares = [entry["critical"] for entry in found["cells"]]

    assert found["chips"] == {"black": 1000, "white": 500}
    assert found["win_probability"]["black"] == pytest.approx(odds.black, abs=1e-6)
    assert shares == sorted(shares, reverse=True)
    assert [entry["cell"] for entry in found["cells"]] == [
        position.board.name(cell) for cell in odds.ranked()
    ]
    assert found["bid"] == int(odds.critical[odds.ranked()[0]] / 2 * 1500)


BIDDING = """(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100]
;PL[W]XB[10][37]XH[137*][63];W[c3];PL[W]XB[5][25]XH[162*][38];W[c1]{})"""


@pytest.mark.parametrize(
    ("more", "options", "chips"),
    [
        ("", (), {"black": 162, "white": 38}),
        ("", ("--move", "1"), {"black": 137, "white": 63}),
        ("", ("--move", "0"), {"black": 100, "white": 100}),
        (";PL[B]XB[40][38]XH[122*][78]", (), {"black": 162, "white": 38}),
        ("", ("--chips", "7", "8*"), {"black": 7, "white": 8}),
    ],
)
def test_the_chips_are_those_of_the_record(more, options, chips):
    """As they are when the players bid at the position shown, unless the command line says more."""
    found = bid("-", *options, stdin=BIDDING.format(more))

    assert found["chips"] == chips
    assert found["tie_break"] == ("white" if options[:1] == ("--chips",) else "black")


@pytest.mark.parametrize(
    ("holdings", "message"),
    [
        ("[100*]", "XH has 1 values, not one for each player"),
        ("[many][100*]", "not a number of chips: 'many'"),
        ("[0*][0]", "nobody has any chips"),
    ],
)
def test_chips_of_a_record_that_cannot_be(holdings, message):
    """Are bad input, unless the command line says what each has."""
    text = BIDDING.replace("[162*][38]", holdings).format("")
    out, errors = run("-", stdin=text, code=3)
    bid("-", "--chips", "5", "5", stdin=text)

    assert (out, errors) == ("", f"-: {message}\n")


def test_the_bid_is_that_of_the_player_to_move():
    """And never more than that player has."""
    for turn, chips, amount in (("black", ("7", "93"), 7), ("white", ("93", "7"), 7)):
        found = bid("-", "--size", "2", "--turn", turn, "--chips", *chips, stdin="a1 b2")

        assert (found["position"]["turn"], found["bid"]) == (turn, amount)


@pytest.mark.parametrize("options", [[], ["--estimator", "losing"], ["--estimator", "critical"]])
def test_fillings_are_drawn_when_asked_for(options):
    """In whole batches; the same seed gives the same bytes, and another one others."""
    arguments = ("-", "--size", "5x4", "--fillings", "100000", *options, "--json")
    first, _ = run(*arguments, stdin="c3")
    second, _ = run(*arguments, stdin="c3")
    other, _ = run(*arguments, "--seed", "1", stdin="c3")
    found = json.loads(first)
    truth = exact(Position.of(Board(5, 4), black="c3")).black

    jsonschema.validate(found, BID)
    assert first == second != other
    assert (found["fillings"], found["exact"]) == (100352, False)
    assert abs(found["win_probability"]["black"] - truth) < 5 * found["standard_error"] < 0.01


def test_balanced_fillings_tell_no_bids():
    """They tell the chance and the critical cells of ordinary turns."""
    found = bid("-", "--size", "3", "--move", "0", "--balanced", stdin="b2")
    text, _ = run("-", "--size", "3", "--move", "0", "--balanced", "--fillings", "9999", stdin="b2")

    assert found["win_probability"]["black"] == pytest.approx(2 / 3, abs=0.005)
    assert (found["bid"], found["cells"][0]["losing"]) == (None, None)
    assert ENOUGH <= found["fillings"] < ENOUGH + 1024
    assert "so there is no bid" in text


def test_a_board_too_large_to_count_is_sampled():
    found = bid("-", "--size", "14", "--time", "0.05", stdin="g7")

    assert not found["exact"]
    assert found["fillings"] > 0


def test_until_error():
    """It ends when the best cell is clear, or when the error is small enough."""
    clear = bid("-", "--size", "3", "--move", "0", "--until-error", "1e-9", stdin="b2")
    tied = bid("-", "--size", "2", "--move", "0", "--until-error", "2e-4", stdin="a1")

    assert clear["move"] == "b2"
    assert clear["fillings"] < 10_000_000
    assert 2**18 < tied["fillings"] < 50_000_000


@pytest.mark.parametrize(
    ("fillings", "remark"),
    [
        ("5", "5 fillings rounded up to 1,024: they are drawn 1,024 at a time\n"),
        ("1025", "1,025 fillings rounded up to 2,048: they are drawn 1,024 at a time\n"),
        ("2048", ""),
    ],
)
def test_a_number_that_is_rounded_up_is_said(fillings, remark):
    """Once, on stderr."""
    text, errors = run("-", "--size", "3", "--fillings", fillings, "--json", stdin="a1 b2 c3")

    assert json.loads(text)["fillings"] == -(-int(fillings) // 1024) * 1024
    assert errors.removeprefix(COMPILING) == remark


@pytest.mark.parametrize(
    ("fillings", "seconds", "error", "drawn", "is_reached"),
    [
        ("4096", "1000", "1e-9", range(4096, 4097), False),
        ("1000000000000", "0.01", "1e-9", range(1024, 10**11), False),
        ("1000000000000", "1e-9", "1e-9", range(2**18, 2**18 + 1), False),
        ("1000000000000", "1000", "1e-2", range(2**18, 2**18 + 1), True),
        ("4096", "1000", "1e-2", range(4096, 4097), True),
    ],
)
def test_the_first_of_several_limits_ends_it(fillings, seconds, error, drawn, is_reached):
    """A line tells that the error is not reached; two cells tie here, so that none is clear."""
    limits = ("--fillings", fillings, "--time", seconds, "--until-error", error)
    text, errors = run("-", "--size", "2", *limits, "--move", "0", "--json", stdin="a1")
    line = f"--until-error {float(error):g} was not reached: the best cell is not clear yet, "

    assert json.loads(text)["fillings"] in drawn
    assert errors.removeprefix(COMPILING).startswith(line) != is_reached
    assert errors.removeprefix(COMPILING).count("\n") == (not is_reached)


def test_what_people_read():
    """The whole output for a small board; a2 decides 469 of 1,000 fillings."""
    text, errors = run("-", "--size", "3", "--ascii", "--chips", "3", "4", stdin="a3 b2 c1")
    lines = text.splitlines()

    assert [line.split() for line in lines[:5]] == [
        ["a", "b", "c"],
        ["1", "156", "156", "(B)", "1"],
        ["2", "469", "W", "469", "2"],
        ["3", "B", "156", "156", "3"],
        ["a", "b", "c"],
    ]
    assert lines[6:10] == [
        "3x3, white to move; last stone c1; move 3 of 3.",
        "",
        "cell  critical  ± error   losing  bid",
        "a2     0.46875    exact  0.26562    1",
    ]
    second = "Second best: c2 for 1."
    black = "Black's full connection of north and south (6 cells)"
    hanging = f"{black} and White's semi connection of b2 and west (1 cell)"
    assert lines[17:] == [
        "Chance to win at random turns: black 60.94 %, white 39.06 % (exact).",
        "Best: a2 c2.",
        f"Black has 3* of 7 chips: bid 1 for a2; {Reason.THRESHOLD.value}.",
        "  Could chips be divided, more than 2.73 would win; of whole chips 3 do. " + second,
        f"White has 4 of 7 chips: bid 1 for a2; {Reason.CRITICAL.value}.",
        "  Could chips be divided, more than 4.27 would win; of whole chips 5 do. " + second,
        f"On a2 hangs, at ordinary turns, {hanging}.",
        "Next: hsearch analyze - --size 3x3",
    ]
    assert errors.removeprefix(COMPILING) == ""


@pytest.mark.parametrize("size", ["1", "1x26", "26x1", "19"])
@pytest.mark.parametrize("estimator", ["losing", "critical"])
def test_no_number_is_below_zero(size, estimator):
    """Where most cells decide next to nothing, on boards as long and as large as may be."""
    options = ("--move", "0", "--estimator", estimator, "--fillings", "1024")
    found = bid("-", "--size", size, *options, stdin="a1")
    text, _ = run("-", "--size", size, *options, stdin="a1")

    assert found["bid"] >= 0
    assert not [word for word in text.split() if word.startswith("-") and word[1:].isdigit()]


def test_of_many_best_cells_some_are_named():
    """On 1x26 they all decide as little."""
    text, _ = run("-", "--size", "1x26", "--move", "0", stdin="a1")

    assert "\nBest: a1 a2 a3 a4 a5 a6 a7 a8 and 18 more.\n" in text


def test_a_sampled_threshold_is_an_estimate():
    """Exact are 112.50 and 87.50; what whole chips want is exact in any case."""
    text, _ = run("-", "--size", "3", "--fillings", "1024", stdin="a1 b2 c3")
    lines = [line for line in text.splitlines() if line.startswith("  Could")]

    assert [line.partition(". ")[0] for line in lines] == [
        "  Could chips be divided, more than about 111.72 ± 3.10 would win; of whole chips 113* do",
        "  Could chips be divided, more than about 88.28 ± 3.10 would win; of whole chips 87* do",
    ]


@pytest.mark.parametrize(
    ("side", "games", "number"),
    [("2", "2", "2.5000 turns on average (exact)"), ("3", "2", "4.3984 turns on average (exact)")],
)
def test_expected_turns(side, games, number):
    """5/2 and 563/128 (theory.md 11)."""
    text, _ = run("-", "--size", side, "--move", "0", "--turns", games, stdin="a1")

    assert text.splitlines()[-1] == f"Best play at random turns takes {number}."


def test_simulated_turns():
    """On 5x5 as many as the exact 74425413/8388608 = 8.87; a seed repeats them."""
    options = ("--size", "5", "--move", "0", "--turns", "400", "--seed", "1")
    lines = [run("-", *options, stdin="a1")[0].splitlines()[-1] for _ in range(2)]
    words = lines[0].split()
    mean, error = float(words[6]), float(words[8])

    assert lines[0] == lines[1]
    assert words[-2:] == ["(400", "games)."]
    assert abs(mean - 74425413 / 8388608) < 5 * error
    assert 0.05 < error < 0.2


def test_heat_map(tmp_path):
    """A well-formed picture with a label on each empty cell."""
    picture = tmp_path / "heat.svg"
    run("-", "--size", "3", "--svg", str(picture), stdin="b2")
    svg = ET.parse(picture)  # noqa: S314 - our own file
    labels = [thing for thing in svg.iter() if thing.get("class") == "label ink"]

    assert len(labels) == 8


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--chips", "0", "0"], 2, "nobody has any chips"),
        (["--chips", "10000", "1"], 2, "too many chips: 10001 in all (to 10000)"),
        (["--chips", "-1", "5"], 2, "not a number of chips: '-1'"),
        (["--chips", "5", "1e3"], 2, "not a number of chips: '1e3'"),
        (["--chips", "5", "100000"], 2, "not a number of chips: 100000 (0 to 10000)"),
        (["--chips", "5*", "5*"], 2, "there is one tie-break chip: 5* 5*"),
        (["--fillings", "0"], 2, "0 is not in the range"),
        (["--fillings", "-7"], 2, "-7 is not in the range"),
        (["--fillings", "10000000000000000"], 2, "is not in the range"),
        (["--time", "0"], 2, "0.0 is not in the range"),
        (["--time", "nan"], 2, "not a number"),
        (["--until-error", "nan"], 2, "not a number"),
        (["--until-error", "-1"], 2, "is not in the range"),
        (["--seed", "-1"], 2, "is not in the range"),
        (["--turns", "1"], 2, "is not in the range"),
        (["--turns", "9", "--json"], 2, "exclude each other"),
        (["--balanced", "--estimator", "losing"], 2, "exclude each other"),
        (["--size", "1"], 3, "-: the game is over: black has won"),
    ],
)
def test_bad_input(arguments, code, message):
    """One clear line tells what is wrong, and nothing is printed on stdout."""
    out, errors = run("-", *arguments, stdin="a1", code=code)

    assert out == ""
    assert message in errors.splitlines()[-1]


def test_full_board():
    out, errors = run("-", "--turn", "black", stdin="B W\n W B\n", code=3)

    assert (out, errors) == ("", "-: the game is over: white has won\n")


def interrupted_after(steps, monkeypatch):
    """Let Ctrl-C come while fillings are drawn, after so many steps."""
    real, left = Sampler.draw, iter(range(steps))

    def draw(self, count):
        if next(left, None) is None:
            raise KeyboardInterrupt
        real(self, count)

    monkeypatch.setattr(Sampler, "draw", draw)


def test_an_interrupted_run_prints_what_it_has(monkeypatch):
    """With its error, and exit code 130."""
    interrupted_after(3, monkeypatch)
    found = bid("-", "--size", "5", "--fillings", "1000000000", stdin="c3", code=130)

    assert 3 * 2**18 <= found["fillings"] < 1_000_000_000
    assert 0 < found["standard_error"] < 0.001


def test_interrupted_before_anything_was_drawn(monkeypatch):
    interrupted_after(0, monkeypatch)
    out, _ = run("-", "--size", "5", "--fillings", "1000000000", stdin="c3", code=130)

    assert out == ""


def test_a_bar_on_the_terminal(monkeypatch):
    """It tells how many fillings are drawn; elsewhere nothing is shown."""

    class Terminal(io.StringIO):
        def isatty(self):
            """Return true, as a terminal does."""
            return True

    monkeypatch.setenv("TERM", "xterm")
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        sampler = Sampler(Position.of(Board(4, 4)), np.random.default_rng(0), method=Method.LOSING)
        drawn = draw(sampler, Enough(fillings=1_000_000))

        assert not drawn.is_interrupted
        assert drawn.odds == sampler.odds()
        assert ("786,432 fillings" in stream.getvalue()) == shown


def test_help_needs_no_numbers():
    """The table of commands is shown without numpy and numba."""
    code = (
        "import sys; from player.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    result = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )

    assert "bid" in result.stdout


@pytest.mark.parametrize("side", [3, 8, 11, 13])
def test_the_board_fits_a_terminal(side):
    """With shares of 1,000, or of 100 where that would be too wide."""
    stdout, _ = run("-", "--size", str(side), stdin="a1")
    board = stdout.partition("\n\n")[0].splitlines()

    assert len(board) == side + 2
    assert max(map(len, board)) <= 80
    assert f"fillings of {'1,000' if side <= 8 else '100'} in which" in stdout
