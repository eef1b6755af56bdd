"""Balanced openings of two stones."""

import numpy as np
import pytest
from click.testing import CliRunner

from hsearch.formats import moves
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board
from player.cli import main
from player.search.opening_estimates import (
    by_net,
    find_balanced,
    load_balanced,
    read_balanced,
    write_balanced,
)


@pytest.mark.parametrize(
    ("side", "half", "far"),
    [
        (8, 0.28, 0.39),
        (9, 0.13, 0.23),
        (10, 0.07, 0.12),
        (11, 0.06, 0.11),
        (14, 0.03, 0.06),
        (19, 0.01, 0.02),
    ],
)
def test_shipped_openings_are_near_even(side, half, far):
    """The net finds the 200 openings near even, the first half nearer; all are distinct."""
    found, board = load_balanced(side, side), Board(side, side)
    positions = [moves.read(opening, board).position() for opening in found]
    looks = [abs(by_net(position, 0)) for position in positions[::10]]

    assert len(found) == 200
    assert len({*positions, *(position.rotated() for position in positions)}) == 400
    assert {(position.black | position.white).count() for position in positions} == {2}
    assert max(looks[:10]) < half
    assert max(looks) < far


@pytest.mark.parametrize("side", [*range(8, 16), 19])
def test_shipped_lists_have_the_estimates_of_the_net(side):
    """The distances of the first and of the last opening are those that the command would write."""
    head, *lines = find_shipped(f"openings/balanced-{side}x{side}.list").read_text().splitlines()

    assert head.endswith(f"Made by: hsearch openings {side} --balanced 200 --save FOLDER")
    for line in (lines[0], lines[-1]):
        opening, distance = line.split("  ")
        position = moves.read(opening, Board(side, side)).position()
        assert abs(by_net(position, 0)) == pytest.approx(float(distance), abs=0.0002)


def test_balanced_openings_are_sorted_and_reproducible():
    """The same seed gives the same list, and the written list keeps it."""
    lists = [find_balanced(Board(4, 4), 5, np.random.default_rng(3)) for _ in range(2)]
    text = write_balanced(4, lists[0], "a command")

    assert lists[0] == lists[1]
    assert [far for _, far in lists[0]] == sorted(far for _, far in lists[0])
    assert [line.split("  ")[0] for line in text.splitlines()[1:]] == [o for o, _ in lists[0]]


def test_the_command_writes_the_list(tmp_path):
    """The list is saved and printed; a board with too few openings is an error."""
    done = CliRunner().invoke(main, ["openings", "4", "--balanced", "3", "--save", str(tmp_path)])
    more = CliRunner().invoke(main, ["openings", "2", "--balanced", "3"])

    assert done.exit_code == 0, done.output
    assert (tmp_path / "balanced-4x4.list").read_text() == done.stdout
    assert len(done.stdout.splitlines()) == 4
    assert "how far Black's chance is from a half, estimated" in done.stdout.splitlines()[0]
    assert more.exit_code == 2
    assert "too many openings" in more.stderr


def test_longer_lists_and_other_files_are_not_overwritten(tmp_path):
    """A shorter list does not replace a longer one, and a file that is not a list is kept."""
    file = tmp_path / "balanced-4x4.list"

    def save(count):
        words = ["openings", "4", "--balanced", str(count), "--save", str(tmp_path)]
        done = CliRunner().invoke(main, words)
        return done.stdout, done.stderr, done.exit_code

    (first, _, _), (second, _, _) = save(2), save(3)
    assert file.read_text() == second != first
    assert save(2) == ("", f"{file}: holds 3 openings; the new list would hold 2\n", 3)
    assert file.read_text() == second
    file.write_text("my list\n")
    assert save(2) == ("", f"{file}: not a list of balanced openings, so it stays\n", 3)
    assert file.read_text() == "my list\n"


@pytest.mark.parametrize(
    "option", [("--depth", "2"), ("--resume", "positions"), ("--svg", "x.svg")]
)
def test_balanced_refuses_unrelated_options(option, tmp_path):
    """Nothing is printed, saved or drawn."""
    words = ["openings", "4", "--balanced", "3", "--save", str(tmp_path), *option]
    done = CliRunner().invoke(main, words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert "--balanced" in done.stderr.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_a_board_without_a_list_is_refused():
    """A board without a shipped list is named in an error."""
    with pytest.raises(ValueError, match="no balanced openings for 5x9"):
        load_balanced(5, 9)


@pytest.mark.parametrize("indent", [" ", "  ", "\t"])
def test_spaces_before_and_in_an_opening_do_not_matter(indent, tmp_path):
    """Lines with leading spaces or tabs are read; two spaces once made a line disappear."""
    file, board = tmp_path / "list", Board(4, 4)
    file.write_text(f"  # a remark\n{indent}a2 c4  0.1\na3\tb2 \n")

    assert read_balanced(file, board) == ("a2 c4", "a3 b2")

    file.write_text(f"{indent}a2 c4\na2\tc4\n")
    with pytest.raises(ValueError, match=r"list:2: .* is listed twice"):
        read_balanced(file, board)
