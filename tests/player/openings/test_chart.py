"""Maps of openings: exact ones against the known truth, and as text."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from hsearch.board import Board, Color
from hsearch.formats.shipped import shipped
from hsearch.position import Position
from player import openings
from player.cli import main
from player.openings import chart, first_move, read, shipped_chart, wants_swap, write
from player.openings.chart import Chart, ChartError

TRUTH = {
    2: "L W / W L",
    3: "L L W / W W W / W L L",
    4: "L L L W / L L W L / L W L L / W L L L",
    5: "L L L L W / L W W W W / L W W W L / W W W W L / W L L L L",
}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_small_maps_are_exact(size):
    """The maps of the theory page; the single cell of 1x1 wins."""
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
@pytest.mark.parametrize("size", [5, 8])
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


def test_openings_of_8x8_that_were_solved_are_in_the_map():
    """And so are those half a turn away; `positions/results/solving.md` says how."""
    known = shipped_chart(8)
    solved = [known.board.name(cell) for cell in known.board.cells if known.is_proved(cell)]

    assert solved == ["e3", "f3", "e4", "d5", "c6", "d6"]
    assert all(known.wins(known.board.cell(name)) for name in solved)


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
