"""`hsearch bid`: JSON as in the contract, words for people, pictures, bad input."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from bid_command import COMPILING, bid, run

from hsearch.hex.board import Board
from hsearch.hex.position import Position
from player.bidding.advice import Reason
from player.evaluate.exact import exact

GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def test_the_bid_on_empty_3x3_is_exact_and_for_the_center():
    """On empty 3x3, b2 is critical in 164 of 512 fillings, so the bid is 41/256 of all chips."""
    found = bid("-", "--size", "3", "--move", "0", stdin="b2")

    assert found["win_probability"] == {"black": 0.5, "white": 0.5}
    assert (found["fillings"], found["exact"], found["standard_error"]) == (None, True, 0)
    assert found["fraction"] == {"black": "1/2", "white": "1/2"}
    assert found["cells"][0] == {
        "cell": "b2",
        "losing": 0.33984375,
        "critical": 0.3203125,
        "fraction": "41/128",
    }
    assert len(found["cells"]) == 9
    assert (found["move"], found["bid"]) == ("b2", 32)


def test_json_of_a_real_game_agrees_with_the_exact_odds():
    """The JSON object of a real game agrees with the exact odds, best cell first."""
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
        position.board.name(cell) for cell in odds.rank()
    ]
    assert found["bid"] == int(odds.critical[odds.rank()[0]] / 2 * 1500)


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
    """The chips are those of the record at the position shown, unless --chips gives others."""
    found = bid("-", *options, stdin=BIDDING.format(more))

    assert found["chips"] == chips
    assert found["tie_break"] == ("white" if options[:1] == ("--chips",) else "black")


@pytest.mark.parametrize(
    ("holdings", "message"),
    [
        ("[100*]", "XH has 1 values, not one for each player"),
        ("[many][100*]", "not a number of chips: 'many'"),
        ("[0*][0]", "bids of 5 and 25 do not lead to 0* 0"),
    ],
)
def test_impossible_chips_in_a_record_are_bad_input(holdings, message):
    """Impossible chips in a record are bad input, unless --chips gives others."""
    text = BIDDING.replace("[162*][38]", holdings).format("")
    out, errors = run("-", stdin=text, code=3)
    bid("-", "--chips", "5", "5", stdin=text)

    assert (out, errors) == ("", f"-: move 2: {message}\n")


def test_the_bid_is_that_of_the_player_to_move():
    """The bid is that of the player to move, and at most that player's chips."""
    for turn, chips, amount in (("black", ("7", "93"), 7), ("white", ("93", "7"), 7)):
        found = bid("-", "--size", "2", "--turn", turn, "--chips", *chips, stdin="a1 b2")

        assert (found["position"]["turn"], found["bid"]) == (turn, amount)


def test_nobody_is_to_move_where_both_are_to_bid():
    """Where both players are to bid, nobody is to move and both bids are printed."""
    for more, options in (("", ()), (";PL[B]XB[40][38]XH[122*][78]", ()), ("", ("--move", "1"))):
        text = BIDDING.format(more)
        found, (said, _) = bid("-", *options, stdin=text), run("-", *options, stdin=text)

        assert found["position"]["turn"] is None
        assert "3x3, black or white to move;" in said
        assert said.count(" chips: bid ") == 2
    assert bid("-", "--turn", "black", stdin=text)["position"]["turn"] == "black"


def test_the_text_output_for_3x3_is_as_expected():
    """The whole output for a small board is as expected; a2 decides 469 of 1,000 fillings."""
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
        "cell  critical  ± error  losing   bid",
        "a2    0.46875   exact    0.26562    1",
    ]
    second = "Second best: c2 for 1."
    richman = (
        "Richman: Black needs R = 0.3906 of all chips; R- = 0.1562 after Black's best move, "
        "R+ = 0.6250 after White's."
    )
    black = "every known full connection of Black's between north and south (smallest: 6 cells)"
    white = "every known semi connection of White's between b2 and west (smallest: 1 cell)"
    assert lines[17:] == [
        "Chance to win at random turns: Black 60.94 %, White 39.06 % (exact).",
        "Best: a2 c2.",
        richman,
        f"Black has 3* of 7 chips: bid 1 for a2; {Reason.THRESHOLD.value}.",
        "  With divisible chips, more than 2.73 would win; of whole chips 3 do. " + second,
        f"White has 4 of 7 chips: bid 1 for a2; {Reason.CRITICAL.value}.",
        "  With divisible chips, more than 4.27 would win; of whole chips 5 do. " + second,
        f"At ordinary turns, {black} and {white} need a2.",
        "Next: hsearch analyze 'https://hexworld.org/board/#3,a3b2c1'",
    ]
    assert errors.removeprefix(COMPILING) == ""


@pytest.mark.parametrize("size", ["1", "1x26", "26x1", "19"])
@pytest.mark.parametrize("estimator", ["losing", "critical"])
def test_no_number_is_below_zero(size, estimator):
    """No number is negative, even on large or long boards where most cells hardly matter."""
    options = ("--move", "0", "--estimator", estimator, "--fillings", "1024")
    found = bid("-", "--size", size, *options, stdin="a1")
    text, _ = run("-", "--size", size, *options, stdin="a1")

    assert found["bid"] >= 0
    assert not [word for word in text.split() if word.startswith("-") and word[1:].isdigit()]


def test_shares_near_0_and_1_keep_enough_digits():
    """Values near 0 or 1 keep enough digits: on 26x1 White needs a stone on each cell."""
    text, _ = run("-", "--size", "26x1", "--move", "0", stdin="a1")

    assert "Black 99.999999 %, White 0.000001 % (exact)" in text
    assert "Black needs R = 0.00000001 of all chips; R- = 0.0000 after" in text
    assert "more than 0.000003 would win" in text
    assert "more than 199.999997 would win" in text


def test_only_the_first_eight_of_many_best_cells_are_named():
    """Of many equally good cells only the first eight are named."""
    text, _ = run("-", "--size", "1x26", "--move", "0", stdin="a1")

    assert "\nBest: a1 a2 a3 a4 a5 a6 a7 a8 and 18 more.\n" in text


def test_a_sampled_threshold_is_an_estimate():
    """A sampled threshold is printed with its error (exact: 112.50 and 87.50)."""
    text, _ = run("-", "--size", "3", "--fillings", "1024", stdin="a1 b2 c3")
    lines = [line for line in text.splitlines() if line.startswith("  With divisible")]

    assert [line.partition(". ")[0] for line in lines] == [
        "  With divisible chips, more than about 111.72 ± 3.10 would win; of whole chips 113* do",
        "  With divisible chips, more than about 88.28 ± 3.10 would win; of whole chips 87* do",
    ]


@pytest.mark.parametrize(
    ("side", "games", "number"),
    [("2", "2", "2.5000 turns on average (exact)"), ("3", "2", "4.3984 turns on average (exact)")],
)
def test_expected_numbers_of_random_turns_are_right(side, games, number):
    """The expected numbers of turns on 2x2 and 3x3 are 5/2 and 563/128; what comes next is last."""
    text, _ = run("-", "--size", side, "--move", "0", "--turns", games, stdin="a1")
    *_, turns, following = text.splitlines()

    assert turns == f"Best play at random turns takes {number}."
    assert following.startswith("Next: hsearch analyze ")


def test_simulated_turns_agree_with_the_exact_number():
    """Simulated turns on 5x5 agree with the exact 74425413/8388608; a seed repeats them."""
    options = ("--size", "5", "--move", "0", "--turns", "400", "--seed", "1")
    lines = [run("-", *options, stdin="a1")[0].splitlines()[-2] for _ in range(2)]
    words = lines[0].split()
    mean, error = float(words[6]), float(words[8])

    assert lines[0] == lines[1]
    assert words[-2:] == ["(400", "games)."]
    assert abs(mean - 74425413 / 8388608) < 5 * error
    assert 0.05 < error < 0.2


def test_the_heat_map_labels_each_empty_cell(tmp_path):
    """The heat map is well-formed SVG with a label on each empty cell."""
    picture = tmp_path / "heat.svg"
    run("-", "--size", "3", "--svg", str(picture), stdin="b2")
    svg = ET.parse(picture)  # noqa: S314 - our own file
    labels = [thing for thing in svg.iter() if thing.get("class") == "label ink"]

    assert len(labels) == 8


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--chips", "0", "0"], 2, "nobody has any chips"),
        (["--chips", "10000", "1"], 2, "too many chips: 10001 in all (at most 10000)"),
        (["--chips", "-1", "5"], 2, "not a number of chips: '-1'"),
        (["--chips", "5", "1e3"], 2, "not a number of chips: '1e3'"),
        (["--chips", "5", "100000"], 2, "not a number of chips: 100000 (0 to 10000)"),
        (["--chips", "5*", "5*"], 2, "there is one tie-break chip: 5* 5*"),
        (["--fillings", "0"], 2, "'0' is not a whole number from 1 "),
        (["--fillings", "-7"], 2, "'-7' is not a whole number from 1 "),
        (["--fillings", "10000000000000000"], 2, "is not a whole number from 1 to"),
        (["--time", "0"], 2, "'0' is not a number above 0"),
        (["--time", "nan"], 2, "not a number"),
        (["--until-error", "nan"], 2, "not a number"),
        (["--until-error", "-1"], 2, "'-1' is not a number above 0, up to 1"),
        (["--seed", "-1"], 2, "'-1' is not a whole number from 0 "),
        (["--turns", "1"], 2, "'1' is not a whole number from 2 "),
        (["--turns", "9", "--json"], 2, "exclude each other"),
        (["--balanced", "--estimator", "losing"], 2, "exclude each other"),
        (["--size", "1"], 3, "-: the game is over: black has won"),
    ],
)
def test_bad_input_is_reported_on_stderr_only(arguments, code, message):
    """Bad input ends in a line that says what is wrong, with nothing on stdout."""
    out, errors = run("-", *arguments, stdin="a1", code=code)

    assert out == ""
    assert message in errors.splitlines()[-1]


def test_full_board():
    out, errors = run("-", "--turn", "black", stdin="B W\n W B\n", code=3)

    assert (out, errors) == ("", "-: the game is over: white has won\n")


def test_help_imports_neither_numpy_nor_numba():
    """The table of commands is printed without importing numpy or numba."""
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
    """The board fits 80 columns, with shares of 1,000, or of 100 on larger boards."""
    stdout, _ = run("-", "--size", str(side), stdin="a1")
    board = stdout.partition("\n\n")[0].splitlines()

    assert len(board) == side + 2
    assert max(map(len, board)) <= 80
    assert f"fillings of {'1,000' if side <= 8 else '100'} in which" in stdout
