"""Maps of openings: exact maps compared with known results, and maps as text."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from estimate_openings import right, rows
from hypothesis import given
from hypothesis import strategies as st
from nightly import NIGHTLY

from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.cli import main
from player.evaluate import net
from player.search import opening_estimates, openings
from player.search.alphabeta import search
from player.search.opening_estimates import (
    LOOK,
    WIDTHS,
    MapEffort,
    MapWay,
    by_net,
    playout_estimate,
    search_estimate,
    thorough_effort,
)
from player.search.openings import (
    Chart,
    ChartError,
    compute_chart,
    first_move,
    load_chart,
    opening_results,
    read,
    usual_effort,
    wants_swap,
    write,
)
from player.search.settings import SearchSettings
from player.search.tree import CALIBRATED, TreeSearch, TreeSettings

EFFORTS = [
    LOOK,
    MapEffort(MapWay.DEPTH, 7),
    MapEffort(MapWay.SIMULATIONS, 50_000),
    MapEffort(MapWay.NET, 0),
    MapEffort(MapWay.NET, 200),
]
TRUTH = {
    2: "L W / W L",
    3: "L L W / W W W / W L L",
    4: "L L L W / L L W L / L W L L / W L L L",
    5: "L L L L W / L W W W W / L W W W L / W W W W L / W L L L L",
}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_small_maps_are_exact(size):
    """The maps up to 4x4 are exact, symmetric and have the known winners."""
    made = compute_chart(Board(size, size), LOOK)

    assert made.is_exact
    assert made.estimates == made.estimates[::-1]
    assert list(made.verdicts) == TRUTH.get(size, "W").replace("/", "").split()


@pytest.mark.parametrize("size", range(2, 15))
def test_shipped_maps_are_symmetric_and_agree_with_known_results(size):
    """Each map is symmetric, is exact up to 8x8, and agrees with the known results."""
    known = load_chart(size)

    assert known.board == Board(size, size)
    assert known.is_exact == (size <= 8)
    assert read(write(known)) == known
    assert known.verdicts == known.verdicts[::-1]
    assert known.estimates == known.estimates[::-1]
    if size in TRUTH:
        assert list(known.verdicts) == TRUTH[size].replace("/", "").split()


@pytest.mark.parametrize("options", [[], ["--depth", "2"], ["--simulations", "5"]], ids=str)
def test_the_opening_of_1x1_wins_without_an_estimate(options):
    """No method of estimating is needed, as there is no move to search."""
    done = CliRunner().invoke(main, ["openings", "1", *options])

    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "W: Black, who opens, has won.")


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 6, pytest.param(8, marks=NIGHTLY)])
def test_the_command_reproduces_the_shipped_map(size, tmp_path):
    """The file is the same byte for byte; without --save the command prints the same map."""
    made, shown = (
        CliRunner().invoke(main, ["openings", str(size), *options])
        for options in (["--save", str(tmp_path)], [])
    )
    name = f"{size}x{size}.map"

    assert (tmp_path / name).read_bytes() == find_shipped(f"openings/{name}").read_bytes()
    assert made.stdout == shown.stdout
    assert "Most even: " in shown.stdout


@pytest.mark.slow
@pytest.mark.parametrize("size", range(8, 15))
def test_larger_maps_agree_with_the_net(size):
    """A whole map takes minutes, so one opening is searched again, with a small tolerance."""
    known, text = load_chart(size), find_shipped(f"openings/{size}x{size}.map").read_text()
    cell = known.board.cell("b2")

    assert f"Made by: hsearch openings {size} --save FOLDER\n" in text
    assert known.effort == usual_effort(size) == MapEffort(MapWay.NET, 200)
    value = by_net(Position.of(known.board).play(cell), 200)
    assert value == pytest.approx(known.estimates[cell], abs=0.01)


def test_the_net_finds_the_proved_openings_of_8x8():
    """One evaluation misjudges at most b4 and its rotation g5; the estimates of the map none."""
    known = load_chart(8)
    proved = list(filter(known.is_proved, known.board.cells))
    looks = {cell: by_net(Position.of(known.board).play(cell), 0) for cell in proved}
    missed = {known.board.name(c) for c in proved if known.wins(c) != (known.estimates[c] < 0)}
    unseen = {known.board.name(c) for c in proved if known.wins(c) != (looks[c] < 0)}

    assert len(proved) == 64
    assert unseen <= {"b4", "g5"}
    assert not missed


@pytest.mark.parametrize("name", ["b2", "c6"])
@pytest.mark.parametrize("simulations", [0, 20])
def test_the_net_judges_mirrored_openings_the_same(name, simulations):
    """Rotation keeps the evaluation, and transposition changes its sign."""
    black = Position.of(Board(9, 9)).play(name)
    value = by_net(black, simulations)

    assert value == pytest.approx(by_net(black.rotated(), simulations))
    assert value == pytest.approx(-by_net(black.transposed(), simulations))
    assert -0.5 < value < 0.5


def test_the_net_does_not_estimate_what_is_proved():
    """On a small board, a search proves the opening; without simulations nothing is proved."""
    center, corner = (Position.of(Board(3, 3)).play(name) for name in ("b2", "a1"))

    assert by_net(center, 5) == -math.inf
    assert by_net(corner, 5) == math.inf
    assert math.isfinite(by_net(center, 0))


@pytest.mark.parametrize("simulations", [0, 1])
def test_a_net_that_is_certain_proves_nothing(simulations, monkeypatch):
    """Its chance of exactly 1 counted as a proof; the chance by it is not 0 or 1 either."""
    shape = net.random_net(1, 8, np.random.default_rng(0))
    weights = shape.weights.copy()
    weights[-1] = 60_000  # value_bias, the last part of the layout
    monkeypatch.setattr(opening_estimates, "shipped_net", lambda: replace(shape, weights=weights))
    opened = Position.of(Board(9, 9)).play("b2")
    value = by_net(opened, simulations)

    assert abs(value) == 0.5
    assert MapEffort(MapWay.NET, simulations).black_chance(value, 0.0, opened) in {0.001, 0.999}


def test_openings_without_a_net_are_estimated_by_playouts(monkeypatch):
    """The effort of the map is then given in playouts."""
    monkeypatch.setattr(opening_estimates, "load_net", lambda: None)

    assert usual_effort(9) == MapEffort(MapWay.SIMULATIONS, 50_000)
    assert usual_effort(15) == MapEffort(MapWay.SIMULATIONS, 500)
    assert "playouts, 500 simulations an opening" in usual_effort(15).words
    monkeypatch.setattr(net, "load_net", lambda: None)
    with pytest.raises(ValueError, match="no net"):
        by_net(Position.of(Board(9, 9)).play("b2"), 0)


def test_a_map_made_with_more_effort_is_not_overwritten(tmp_path):
    """So does a map that proves more, and a file that is not a map; equal effort may replace."""
    file = tmp_path / "9x9.map"
    words = ["openings", "9", "--simulations", "2", "--save", str(tmp_path)]
    fewer, more = ([*words[:3], count, *words[4:]] for count in ("1", "3"))
    assert CliRunner().invoke(main, words).exit_code == 0
    text = file.read_text()
    kept = CliRunner().invoke(main, fewer)
    again = CliRunner().invoke(main, words)

    assert (kept.exit_code, kept.stdout) == (3, "")
    assert "9x9.map: made with more effort, by the net, 2 simulations" in kept.stderr
    assert (again.exit_code, file.read_text()) == (0, text)
    proved = text.replace("\nl l", "\nL l", 1)
    other = openings.write(openings.load_chart(3))
    for content, message in (
        (proved, "9x9.map: proves a1"),
        ("mine", "not a map of openings"),
        (other, "9x9.map: a map of 3x3, not 9x9, so it stays"),
    ):
        file.write_text(content)
        refused = CliRunner().invoke(main, more)
        assert (refused.exit_code, file.read_text()) == (3, content)
        assert message in refused.stderr


@pytest.mark.parametrize("color", Color)
def test_a_searched_estimate_is_the_mean_of_two_depths(color):
    """For White's opening, the estimate is the same with the opposite sign."""
    position = Position.of(Board(6, 6), black="b4", turn=Color.WHITE)
    plain = replace(SearchSettings(), widths=WIDTHS, deepens=False)
    two = [search(position, replace(plain, depth=depth)).score for depth in (1, 2)]
    value = search_estimate(position if color is Color.BLACK else position.transposed(), 2)

    assert value == pytest.approx((1 - 2 * color) * sum(two) / 2)


def test_a_search_that_proves_the_winner_returns_infinity():
    """The center of 3x3 wins, and a corner of 4x4 loses."""
    center, corner = (Position.of(Board(n, n)).play(cell) for n, cell in ((3, "b2"), (4, "a1")))

    assert search_estimate(center, 3) == -math.inf
    assert search_estimate(corner, 4) == math.inf


def test_a_deep_map_contains_its_command(tmp_path):
    """The text has the depth in its command; proved verdicts do not depend on it."""
    made = CliRunner().invoke(main, ["openings", "3", "--depth", "2", "--save", str(tmp_path)])
    text = (tmp_path / "3x3.map").read_text()

    assert made.exit_code == 0, made.output
    assert "Made by: hsearch openings 3 --depth 2 --save FOLDER" in text
    assert read(text).effort == MapEffort(MapWay.DEPTH, 2)
    assert write(read(text)) == text
    assert read(text).verdicts == load_chart(3).verdicts


@pytest.mark.slow
def test_a_map_by_simulations_contains_its_command(tmp_path):
    """The text has the number of simulations, and the same number makes the same map."""
    options = ["openings", "5", "--simulations", "4", "--save", str(tmp_path)]
    made = [CliRunner().invoke(main, options) for _ in range(2)]
    text = (tmp_path / "5x5.map").read_text()

    assert made[0].exit_code == 0, made[0].output
    assert made[0].stdout == made[1].stdout
    assert "Estimated by the net, 4 simulations an opening." in made[0].stdout
    assert "Made by: hsearch openings 5 --simulations 4 --save FOLDER" in text
    assert read(text).effort == MapEffort(MapWay.NET, 4) == thorough_effort(4)
    assert write(read(text)) == text


@pytest.mark.parametrize("color", Color)
def test_playout_estimates_equal_those_of_the_tree(color):
    """The estimate is the tree's chance from Black's side; a proof is infinite."""
    position = Position.of(Board(6, 6), black="b4", turn=Color.WHITE)
    seen = position if color is Color.BLACK else position.transposed()
    settings = TreeSettings(simulations=500, look_at=None)
    found = TreeSearch(seen, settings).run(np.random.default_rng(1))
    value = playout_estimate(seen, 500)

    assert 1 / (1 + math.exp(-CALIBRATED * (value if color is Color.BLACK else -value))) == (
        pytest.approx(found.best.chance)
    )
    assert playout_estimate(Position.of(Board(3, 3)).play("b2"), 500) == -math.inf
    assert playout_estimate(Position.of(Board(3, 3)).play("a1"), 500) == math.inf


def test_a_map_as_json_has_the_same_content():
    """The object has each opening with its winner, whether that is proved, and Black's chance."""
    found = CliRunner().invoke(main, ["openings", "8", "--json"])
    told, known = json.loads(found.stdout), load_chart(8)
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
    """No option is silently ignored."""
    found = CliRunner().invoke(main, ["openings", "6", *options])

    assert found.exit_code == 2
    assert message in " ".join(found.stderr.split())


def test_estimates_are_compared_with_proved_results():
    """Perfect estimates are all right, and reversed ones mostly wrong."""
    five, four = load_chart(5), load_chart(4)
    perfect = [
        [-1.0 if known.wins(cell) else 1.0 for cell in known.board.cells] for known in (five, four)
    ]

    assert right(five, perfect[0])[:2] == (25, 25)
    assert right(four, perfect[1])[1] == 16
    assert right(five, [-value for value in perfect[0]])[0] < 10
    assert "| 3x3 | 9 | searches to 2 | " in "\n".join(rows((3,), 2, 50))


def test_exactly_the_solved_openings_of_8x8_are_proved_in_the_map():
    """So are their rotations, and nothing else is; see `positions/results/solving.md`."""
    known, solved = load_chart(8), opening_results(Board(8, 8))
    both = {*solved, *map(known.board.rotate, solved)}

    assert both == set(filter(known.is_proved, known.board.cells))
    assert all(known.wins(cell) == known.wins(known.board.rotate(cell)) for cell in both)
    won = {known.board.name(cell) for cell, is_won in solved.items() if is_won}
    assert won >= {"e4", "e3", "f3", "c4", "g2"}
    assert all(known.wins(cell) == is_won for cell, is_won in solved.items())


def test_proved_maps_are_not_called_estimates():
    """Texts call the map of 8x8 proved, and that of 9x9 estimated."""
    proved, estimated = (CliRunner().invoke(main, ["openings", n]).stdout for n in ("8", "9"))

    assert "for Black, who opens (all proved).\n" in proved
    assert ", though proved to win.\n" in proved
    assert "w and l are estimates" not in proved
    assert "w and l are estimates (" in estimated
    assert "proved to" in first_move(Position.of(Board(5, 5)), swap=True)[1]
    assert "proved to" not in first_move(Position.of(Board(15, 15)), swap=True)[1]


@given(st.integers(1, 5), st.data())
def test_reading_undoes_writing(size, data):
    """Any map can be written and read back unchanged."""
    cells = size * size
    verdicts = data.draw(st.lists(st.sampled_from("WLwl"), min_size=cells, max_size=cells))
    numbers = st.integers(-9999, 9999).map(lambda n: n / 1000) | st.sampled_from(
        [float("inf"), -float("inf")]
    )
    estimates = data.draw(st.lists(numbers, min_size=cells, max_size=cells))
    even = data.draw(st.integers(-999, 999)) / 1000
    effort = data.draw(st.sampled_from(EFFORTS))
    made = Chart(Board(size, size), tuple(verdicts), tuple(estimates), even, effort)

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
def test_invalid_texts_of_maps_are_rejected(text, message):
    """The message names the offending text."""
    with pytest.raises(ChartError, match=message):
        read(text)


def test_a_map_of_a_rectangle_is_rejected():
    """Maps need a square board, as the swap does."""
    with pytest.raises(ValueError, match="4x5"):
        compute_chart(Board(4, 5), LOOK)


def test_a_white_opening_is_judged_on_the_transposed_board():
    """White's stone wins where Black's wins on the transposed board."""
    board = Board(5, 5)
    for name in ("b5", "e2", "a1"):
        black = Position.of(board, black=name, turn=Color.WHITE)

        assert wants_swap(black)[0] == wants_swap(black.transposed())[0]
        assert wants_swap(black)[0] == load_chart(5).wins(board.cell(name))


@pytest.mark.parametrize("size", [1, 2, 11, 14, 15, 19])
def test_every_board_has_a_first_move(size):
    """If no map is shipped, the cell of the largest map is used, as far from its corner."""
    board = Board(size, size)
    for swap in (False, True):
        assert first_move(Position.of(board), swap=swap)[0] in board.cells


def test_without_swap_the_first_move_wins_up_to_8x8():
    """Up to 8x8 the opening wins, at the center if that wins; larger boards open at the center."""
    for side in range(2, 27):
        board = Board(side, side)
        cell, reason = first_move(Position.of(board), swap=False)
        center = board.at((side - 1) // 2, (side - 1) // 2)
        if side > 8:
            assert cell == center
            continue
        assert load_chart(side).wins(cell)
        assert (cell == center) == load_chart(side).wins(center) == ("center" in reason)


def test_the_swap_without_a_map_follows_an_estimate(monkeypatch):
    """The center is swapped, and the acute corner is not."""
    monkeypatch.setattr(openings, "load_chart", lambda _side: None)
    board = Board(6, 6)

    assert wants_swap(Position.of(board).play(board.cell("c4")))[0]
    assert not wants_swap(Position.of(board).play(board.cell("a1")))[0]


@pytest.mark.parametrize("size", range(6, 15))
def test_estimated_maps_have_centers_that_win_and_corners_that_lose(size):
    """Any estimate must find this; the acute corner loses on every board (Beck 1969)."""
    known = load_chart(size)

    assert known.wins(known.board.at(size // 2, (size - 1) // 2))
    assert not known.wins(0)
