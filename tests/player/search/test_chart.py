"""Maps of openings: exact ones against the known truth, and as text."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from estimate_openings import right, rows
from hypothesis import given
from hypothesis import strategies as st

from hsearch.formats.shipped import shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.cli import main
from player.search import openings
from player.search.alphabeta import search
from player.search.opening_estimates import WIDTHS, MapEffort, searched, simulated
from player.search.openings import (
    Chart,
    ChartError,
    chart,
    first_move,
    proved,
    read,
    shipped_chart,
    wants_swap,
    write,
)
from player.search.settings import SearchSettings
from player.search.tree import CALIBRATED, TreeSearch, TreeSettings

TRUTH = {
    2: "L W / W L",
    3: "L L W / W W W / W L L",
    4: "L L L W / L L W L / L W L L / W L L L",
    5: "L L L L W / L W W W W / L W W W L / W W W W L / W L L L L",
}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_small_maps_are_exact(size):
    """The known maps; the single cell of 1x1 wins."""
    made = chart(Board(size, size))

    assert made.is_exact
    assert made.estimates == made.estimates[::-1]
    assert list(made.verdicts) == TRUTH.get(size, "W").replace("/", "").split()


@pytest.mark.parametrize("size", range(2, 15))
def test_shipped_maps_are_what_the_command_writes(size):
    """They say which board, are exact to 7x7, agree with the truth, and are their own rotation."""
    known = shipped_chart(size)

    assert known.board == Board(size, size)
    assert known.is_exact == (size <= 7)
    assert read(write(known)) == known
    assert known.verdicts == known.verdicts[::-1]
    assert known.estimates == known.estimates[::-1]
    if size in TRUTH:
        assert list(known.verdicts) == TRUTH[size].replace("/", "").split()


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 6])
def test_the_command_makes_the_shipped_map_again(size, tmp_path):
    """Byte for byte, and without a folder it shows the one that is kept."""
    made, shown = (
        CliRunner().invoke(main, ["openings", str(size), *options])
        for options in (["--save", str(tmp_path)], [])
    )
    name = f"{size}x{size}.map"

    assert (tmp_path / name).read_bytes() == shipped(f"openings/{name}").read_bytes()
    assert made.stdout == shown.stdout
    assert "Most even: " in shown.stdout


@pytest.mark.slow
def test_the_map_of_8x8_has_what_the_searches_found():
    """The whole takes minutes; one opening near the center is searched again."""
    known, text = shipped_chart(8), shipped("openings/8x8.map").read_text()
    cell = known.board.cell("e4")

    assert "hsearch openings 8 --depth 7 --save" in text.splitlines()[0]
    assert known.estimates[cell] == round(searched(Position.of(known.board).play(cell), 7), 3)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(9, 15))
def test_larger_maps_have_what_simulations_found(size):
    """The whole takes minutes; one opening is simulated again, near to the last digit."""
    known, text = shipped_chart(size), shipped(f"openings/{size}x{size}.map").read_text()
    cell = known.board.cell("b2")

    assert f"hsearch openings {size} --simulations 50000 --save" in text.splitlines()[0]
    assert known.effort == MapEffort(simulations=50_000)
    value = simulated(Position.of(known.board).play(cell), 50_000)
    assert value == pytest.approx(known.estimates[cell], abs=0.01)


@pytest.mark.parametrize("color", Color)
def test_a_searched_estimate_is_the_mean_of_two_depths(color):
    """Of White's opening it is the same with the sign changed."""
    position = Position.of(Board(6, 6), black="b4", turn=Color.WHITE)
    plain = replace(SearchSettings(), widths=WIDTHS, deepens=False)
    two = [search(position, replace(plain, depth=depth)).score for depth in (1, 2)]
    value = searched(position if color is Color.BLACK else position.transposed(), 2)

    assert value == pytest.approx((1 - 2 * color) * sum(two) / 2)


def test_a_search_that_proves_who_wins_is_no_estimate():
    """The center of 3x3 wins, and a corner of 4x4 loses."""
    center, corner = (Position.of(Board(n, n)).play(cell) for n, cell in ((3, "b2"), (4, "a1")))

    assert searched(center, 3) == -math.inf
    assert searched(corner, 4) == math.inf


def test_a_deep_map_says_how_it_was_made(tmp_path):
    """Its depth stands in the command, and makes no other map of what is proved."""
    made = CliRunner().invoke(main, ["openings", "3", "--depth", "2", "--save", str(tmp_path)])
    text = (tmp_path / "3x3.map").read_text()

    assert made.exit_code == 0, made.output
    assert "Made by: hsearch openings 3 --depth 2 --save positions/openings" in text
    assert read(text).effort == MapEffort(depth=2)
    assert write(read(text)) == text
    assert read(text).verdicts == shipped_chart(3).verdicts


@pytest.mark.slow
def test_a_map_by_simulations_says_how_it_was_made(tmp_path):
    """Their number stands in it, and the same number makes the same map."""
    options = ["openings", "6", "--simulations", "40", "--save", str(tmp_path)]
    made = [CliRunner().invoke(main, options) for _ in range(2)]
    text = (tmp_path / "6x6.map").read_text()

    assert made[0].exit_code == 0, made[0].output
    assert made[0].stdout == made[1].stdout
    assert "Simulations: E = " in made[0].stdout
    assert "Made by: hsearch openings 6 --simulations 40 --save positions/openings" in text
    assert read(text).effort == MapEffort(simulations=40)
    assert write(read(text)) == text


@pytest.mark.parametrize("color", Color)
def test_simulations_tell_what_the_tree_does(color):
    """The chance of the player to move, seen by Black; a proof is no estimate."""
    position = Position.of(Board(6, 6), black="b4", turn=Color.WHITE)
    seen = position if color is Color.BLACK else position.transposed()
    settings = TreeSettings(simulations=500, look_at=None)
    found = TreeSearch(seen, settings).run(np.random.default_rng(1))
    value = simulated(seen, 500)

    assert 1 / (1 + math.exp(-CALIBRATED * (value if color is Color.BLACK else -value))) == (
        pytest.approx(found.best.chance)
    )
    assert simulated(Position.of(Board(3, 3)).play("b2"), 500) == -math.inf
    assert simulated(Position.of(Board(3, 3)).play("a1"), 500) == math.inf


def test_a_map_as_json_says_the_same():
    """One object: each opening, whether it wins, whether that is proved, Black's chance."""
    found = CliRunner().invoke(main, ["openings", "8", "--json"])
    told, known = json.loads(found.stdout), shipped_chart(8)
    cells = {each["cell"]: each for each in told["openings"]}

    assert (told["schema"], told["size"], len(cells)) == ("hsearch/opening-map/1", 8, 64)
    assert told["most_even"] == known.board.name(known.most_even)
    for cell in known.board.cells:
        each = cells[known.board.name(cell)]
        assert (each["wins"], each["proved"]) == (known.wins(cell), known.is_proved(cell))
        assert each["wins"] == (each["black_chance"] > 0.5)
    infinite = CliRunner().invoke(main, ["openings", "3", "--json"])
    assert json.loads(infinite.stdout)["openings"][0]["evaluation"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--depth", "3", "--simulations", "9"], "two ways to estimate"),
        (["--balanced", "3", "--depth", "3"], "--save and --seed alone"),
        (["--balanced", "3", "--simulations", "3"], "--save and --seed alone"),
        (["--balanced", "3", "--json"], "--save and --seed alone"),
        (["--balanced", "3", "--resume", "."], "--save and --seed alone"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, message):
    """None is left aside without a word."""
    found = CliRunner().invoke(main, ["openings", "6", *options])

    assert found.exit_code == 2
    assert message in " ".join(found.stderr.split())


def test_estimates_are_held_to_what_is_proved():
    """Perfect ones are right at the best level, and as a map where three fifths win."""
    five, four = shipped_chart(5), shipped_chart(4)
    perfect = [
        [-1.0 if known.wins(cell) else 1.0 for cell in known.board.cells] for known in (five, four)
    ]

    assert right(five, perfect[0])[:2] == (25, 25)
    assert right(four, perfect[1])[1] == 16
    assert right(five, [-value for value in perfect[0]])[0] < 10
    assert "| 3x3 | 9 | searches to 2 | " in "\n".join(rows((3,), 2, 50))


def test_openings_of_8x8_that_were_solved_are_in_the_map():
    """And so are those half a turn away; `positions/results/solving.md` says how."""
    known, solved = shipped_chart(8), proved(Board(8, 8))
    both = {*solved, *map(known.board.rotate, solved)}

    assert both == set(filter(known.is_proved, known.board.cells))
    assert all(known.wins(cell) == known.wins(known.board.rotate(cell)) for cell in both)
    won = {known.board.name(cell) for cell, is_won in solved.items() if is_won}
    assert won >= {"e4", "e3", "f3", "c4", "g2"}
    assert all(known.wins(cell) == is_won for cell, is_won in solved.items())


def test_what_is_proved_is_not_called_an_estimate():
    """Below the map, and where the first move is explained; larger maps do estimate."""
    proved, estimated = (CliRunner().invoke(main, ["openings", n]).stdout for n in ("6", "8"))

    assert "for Black, who opens (all proved).\n" in proved
    assert ", though proved to win.\n" in proved
    assert "w and l are estimates" not in proved
    assert "w and l are estimates (" in estimated
    assert "proved to" in first_move(Board(5, 5), swap=True)[1]
    assert "proved to" not in first_move(Board(15, 15), swap=True)[1]


@given(st.integers(1, 5), st.data())
def test_reading_undoes_writing(size, data):
    """Whatever the map says."""
    cells = size * size
    verdicts = data.draw(st.lists(st.sampled_from("WLwl"), min_size=cells, max_size=cells))
    numbers = st.integers(-9999, 9999).map(lambda n: n / 1000) | st.sampled_from(
        [float("inf"), -float("inf")]
    )
    estimates = data.draw(st.lists(numbers, min_size=cells, max_size=cells))
    even = data.draw(st.integers(-999, 999)) / 1000
    made = Chart(Board(size, size), tuple(verdicts), tuple(estimates), even)

    assert read(write(made)) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no size and even level in ''"),
        ("size 0", "no size and even level in 'size 0'"),
        ("size 2 even +0.000\nW L", "1 rows, not 4"),
        ("size 2 even +0.000\nW L\nL\n0 0\n0 0", "line 3: not 2 verdicts: 'L'"),
        ("size 1 even +0.000\nX\n0", "line 2: not 1 verdicts: 'X'"),
        ("size 1 even +0.000\nW\nzero", "zero"),
    ],
)
def test_other_texts_are_refused(text, message):
    """The message names the offending text."""
    with pytest.raises(ChartError, match=message):
        read(text)


def test_no_map_of_a_rectangle():
    """Swap needs a square board, and so do the maps."""
    with pytest.raises(ValueError, match="4x5"):
        chart(Board(4, 5))


def test_a_white_opening_is_judged_on_the_mirror():
    """White's stone wins where Black's wins on the transposed board."""
    board = Board(5, 5)
    for name in ("b5", "e2", "a1"):
        black = Position.of(board, black=name, turn=Color.WHITE)

        assert wants_swap(black)[0] == wants_swap(black.transposed())[0]
        assert wants_swap(black)[0] == shipped_chart(5).wins(board.cell(name))


@pytest.mark.parametrize("size", [1, 2, 11, 14, 15, 19])
def test_there_is_a_first_move_on_every_board(size):
    """Also where no map is shipped: then by the largest, from the same corner."""
    board = Board(size, size)
    for swap in (False, True):
        assert first_move(board, swap=swap)[0] in board.cells


def test_without_a_map_an_estimate_decides(monkeypatch):
    """The center is swapped, the acute corner is not."""
    monkeypatch.setattr(openings, "shipped_chart", lambda _side: None)
    board = Board(6, 6)

    assert wants_swap(Position.of(board).play(board.cell("c4")))[0]
    assert not wants_swap(Position.of(board).play(board.cell("a1")))[0]


@pytest.mark.parametrize("size", range(6, 15))
def test_estimated_maps_have_centers_that_win_and_corners_that_lose(size):
    """Which no estimate may get wrong; the acute corner loses on every board (Beck 1969)."""
    known = shipped_chart(size)

    assert known.wins(known.board.at(size // 2, (size - 1) // 2))
    assert not known.wins(0)
