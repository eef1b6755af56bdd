"""The 12x12 matrix of open-loop plans."""

from collections import Counter

import pytest

from hsearch.formats.files import find_shipped
from player.dark import matrix
from player.dark.linear_program import solve_matrix

WRONG = """
01 12 0 0 0 1    12 20 0 0 0 1
02 21 0 0 0 1    21 10 0 1 0 0
02 30 0 1 0 0    21 13 0 0 0 1
02 31 0 0 0 1    30 02 0 0 0 1
03 31 0 0 0 1    31 12 0 0 0 1
10 02 0 0 0 1    32 20 0 0 0 1
"""


def test_exactly_twelve_printed_entries_differ_from_the_simulation():
    """Exactly these entries of the printed matrix differ from the simulation."""
    words = WRONG.split()
    known = {
        (words[i], words[i + 1], " ".join(words[i + 2 : i + 4]), " ".join(words[i + 4 : i + 6]))
        for i in range(0, len(words), 6)
    }
    found = matrix.differences(matrix.load_printed(), matrix.simulate())

    assert {(each.row, each.column, each.misprint, each.correct) for each in found} == known


@pytest.mark.parametrize(
    ("entries", "numbers", "value"),
    [
        (matrix.simulate(), {"0 0": 66, "1 0": 54, "0 1": 24}, 1 / 2),
        (matrix.load_printed(), {"0 0": 74, "1 0": 54, "0 1": 16}, 13 / 19),
    ],
    ids=["simulated", "printed"],
)
def test_the_matrix_has_its_known_values(entries, numbers, value):
    """Wins minus losses are worth 1/2, or 13/19 as printed; wins alone are worth 3/4 in both."""
    solution = solve_matrix(matrix.payoffs(entries))
    payoffs = matrix.payoffs(entries)

    assert Counter(entries.values()) == numbers
    assert solution.value == pytest.approx(value, abs=1e-9)
    assert (solution.row @ payoffs).min() == pytest.approx(value, abs=1e-9)
    assert (payoffs @ solution.column).max() == pytest.approx(value, abs=1e-9)
    wins = solve_matrix(payoffs.clip(0))
    assert wins.value == pytest.approx(3 / 4, abs=1e-9)


def rotated(entries):
    """Return a matrix with all cells renamed by half a turn of the board."""
    turn = str.maketrans("0123", "3210")
    return {
        (row.translate(turn), column.translate(turn)): entry
        for (row, column), entry in entries.items()
    }


def test_only_the_simulated_matrix_has_half_turn_symmetry():
    """The board is symmetric, so the printed matrix must be wrong."""
    right, wrong = matrix.simulate(), matrix.load_printed()

    assert rotated(right) == right
    assert rotated(wrong) != wrong


def test_the_rows_win_with_connecting_pairs_not_taken_first():
    """The row player wins with a pair that connects, unless its second cell is taken first."""
    wins = {where for where, entry in matrix.simulate().items() if entry == "1 0"}
    pairs = {"01", "10", "12", "21", "23", "32"}

    assert wins == {
        (row, column) for row in pairs for column in matrix.PLANS if column[0] != row[1]
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("1 0", "2 0", "'2 0'"), ("\n32", "\n33", "not a matrix")],
)
def test_damaged_files_are_refused(tmp_path, old, new, message):
    """The error names a wrong entry or a wrong label."""
    source = find_shipped(f"dark/{matrix.PRINTED}")
    path = tmp_path / "matrix.csv"
    path.write_text(source.read_text().replace(old, new, 1))

    with pytest.raises(ValueError, match=message):
        matrix.read(path)
