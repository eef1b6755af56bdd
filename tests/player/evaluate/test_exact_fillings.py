"""All fillings counted, in whole numbers and in doubles."""

import hashlib
from fractions import Fraction

import brute_fillings
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import positions

from hsearch.connect.inferior import fill_in
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate import exact as tables
from player.evaluate.exact import count, exact, fractions
from player.evaluate.fillings import sample
from player.kernels import frontier


def flat(counts):
    return list(counts.critical.values())


def test_counts_of_the_fillings_of_2x2_equal_enumeration():
    """The counts of all 16 fillings are those of enumeration."""
    counts = count(Position.of(Board(2, 2)))

    assert (counts.fillings, counts.black) == (16, 8)
    assert flat(counts) == [4, 8, 8, 4]


def test_counts_of_the_fillings_of_3x3_equal_enumeration():
    """The counts of all 512 fillings are those of enumeration."""
    counts = count(Position.of(Board(3, 3)))

    assert (counts.fillings, counts.black) == (512, 256)
    assert flat(counts) == [52, 104, 156, 104, 164, 104, 156, 104, 52]


@pytest.mark.parametrize(
    ("side", "cells", "lost", "of"),
    [
        (2, "a1", 3, 8),
        (2, "b1", 1, 4),
        (3, "a1", 115, 256),
        (3, "b1 a2", 51, 128),
        (3, "c1", 89, 256),
        (3, "b2", 87, 256),
    ],
)
def test_thresholds_after_a_first_stone_are_the_known_ones(side, cells, lost, of):
    """The threshold after Black's first stone is R = 1 - P."""
    for cell in cells.split():
        counts = count(Position.of(Board(side, side), black=cell))

        assert (counts.fillings - counts.black) * of == lost * counts.fillings


@pytest.mark.slow
def test_frontier_counts_equal_enumeration():
    """The counts are exact in 200 positions with up to 16 empty cells, on boards of any shape."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        columns, rows, empty = rng.integers((1, 1, 0), (8, 8, 17)).tolist()
        position = brute_fillings.random_position(rng, columns=columns, rows=rows, empty=empty)
        black, critical = brute_fillings.counts(position)
        counts = count(position)
        odds = exact(position)

        assert (counts.black, dict(counts.critical)) == (black, critical)
        # So few fillings are whole numbers in a double, too.
        assert odds.black * counts.fillings == black
        assert {c: p * counts.fillings for c, p in odds.critical.items()} == critical


@given(positions(max_side=6))
def test_fractions_equal_counts_over_all_fillings(position):
    """The fractions are in lowest terms, from doubles or from whole numbers."""
    counts, found = count(position), fractions(exact(position))

    assert found.black == Fraction(counts.black, counts.fillings)
    assert found.critical == {c: Fraction(n, counts.fillings) for c, n in counts.critical.items()}


def test_wide_boards_and_sampled_fillings_have_no_fractions():
    """A wide empty board and sampled fillings have no fractions, and a long board has them."""
    wide, long = Position.of(Board(9, 9)), Position.of(Board(9, 4))

    assert fractions(exact(wide)) is None
    assert fractions(exact(long)).black == 1 - fractions(exact(long.transposed())).black
    assert fractions(sample(long, 1000, np.random.default_rng(0))) is None


@given(positions(max_side=6))
def test_odds_in_doubles_equal_integer_counts(position):
    """Up to 6x6, doubles and whole numbers agree to the last bit."""
    counts, odds = count(position), exact(position)

    assert odds.black == counts.black / counts.fillings
    assert odds.critical == {c: n / counts.fillings for c, n in counts.critical.items()}


@pytest.mark.slow
@given(positions(max_side=6, stones=".BW"))
def test_dead_cells_are_never_critical(position):
    """A cell that is dead, at once or after filling other dead cells, is never critical."""
    found = fill_in(position)
    # A cell that is dead only beside captured cells may be critical at random turns.
    assume(not (found.captured_by_black | found.captured_by_white).any())
    critical, odds = count(position).critical, exact(position).critical
    for cell in found.dead.search(1):
        assert critical[cell] == odds[cell] == 0


@given(positions(max_side=7))
def test_rotation_keeps_the_odds_and_transposition_exchanges_them(position):
    """Rotation keeps the odds, and transposition exchanges the colors."""
    board, odds = position.board, exact(position)
    rotated, mirrored = exact(position.rotated()), exact(position.transposed())

    assert rotated.black == pytest.approx(odds.black, abs=1e-14)
    assert mirrored.black == pytest.approx(odds.chance(Color.WHITE), abs=1e-14)
    for cell, share in odds.critical.items():
        assert rotated.critical[board.rotate(cell)] == pytest.approx(share, abs=1e-14)
        assert mirrored.critical[board.transpose(cell)] == pytest.approx(share, abs=1e-14)


def test_odds_on_the_empty_11x11_board_are_symmetric():
    """On the empty board the center is best, and the odds have all its symmetries."""
    odds = exact(Position.of(Board(11, 11)))
    table = np.array(list(odds.critical.values())).reshape(11, 11)

    assert odds.black == pytest.approx(0.5, abs=1e-13)
    assert odds.critical[60] == pytest.approx(0.067157, abs=5e-7)
    assert odds.best() == [60]
    assert np.allclose(table, table.T, rtol=0, atol=1e-13)
    assert np.allclose(table, table[::-1, ::-1], rtol=0, atol=1e-13)


@pytest.mark.parametrize(("width", "states"), [(1, 1), (2, 3), (3, 9), (4, 25), (11, 29964)])
def test_tables_have_the_known_number_of_frontiers(width, states):
    """Two columns have three frontiers: both black, or one of them white."""
    table = tables.build(width)

    assert table.shape == (2, width, states + 1)
    assert (table[:, :, -1] == states).all()


def test_a_board_too_large_to_count_is_rejected():
    with pytest.raises(ValueError, match="too large to count all fillings: 14x15"):
        exact(Position.of(Board(14, 15)))


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return an empty cache folder that this process has not used."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tables.onward.cache_clear()
    yield tmp_path / "hsearch"
    tables.onward.cache_clear()


def test_tables_are_cached(cache, monkeypatch):
    """The second time, the table is read instead of computed."""
    made = tables.onward(4)
    tables.onward.cache_clear()
    monkeypatch.setattr(tables, "build", lambda width: pytest.fail(f"made width {width} again"))

    assert (tables.onward(4) == made).all()
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("change", ["no byte", "few", "a number", "too large", "zeros"])
def test_a_damaged_table_is_computed_again(cache, change):
    """A damaged table is never used, because numbers out of range would crash the kernel."""
    made = tables.onward(4)
    (path,) = cache.iterdir()
    changed = made.copy()
    changed[0, 1, 2] ^= 1
    other = {
        "no byte": b"",
        "few": b"short",
        "a number": changed.tobytes(),
        "too large": np.full_like(made, 10**9).tobytes(),
        "zeros": np.zeros_like(made).tobytes(),
    }[change]
    path.write_bytes(other)
    tables.onward.cache_clear()

    assert (tables.onward(4) == made).all()
    tables.onward.cache_clear()
    assert list(cache.iterdir()) == [path]
    assert path.read_bytes() == made.tobytes()


@pytest.mark.parametrize("width", range(1, tables.MAX_WIDTH + 1))
def test_stored_digests_match_the_tables(width):
    """Otherwise a table would be computed each time."""
    made = tables.build(width).astype("<i4").tobytes()

    assert hashlib.sha256(made).hexdigest() == tables.DIGESTS[width - 1]


def test_tables_are_computed_without_a_writable_folder(tmp_path, monkeypatch):
    """Without a place for the folder, the table is still computed."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    tables.onward.cache_clear()

    assert tables.onward(3).shape == (2, 3, 10)


def test_a_full_table_of_codes_is_reported():
    codes, keys = np.zeros(4, np.int64), np.zeros(16, np.int64)

    assert frontier.enumerate_codes(3, codes, keys, 0) == frontier.FULL
