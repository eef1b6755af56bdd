"""Puzzles at the terminal: wrong moves are refuted, right ones answered; and whole suites."""

import re

import pytest
from click.testing import CliRunner

from hsearch.formats import suite
from hsearch.formats.files import find_shipped
from player.answers.objects import position_object
from player.board.asked.solving import PuzzleQuestion, puzzle
from player.board.desk import Desk
from player.board.records import PositionObject
from player.board.threads import BoardJob
from player.cli import main
from player.console.screen import Screen

FILE = "positions/puzzles/proved.txt"
ENTRIES = suite.read(find_shipped("puzzles/proved.txt").read_text())


def run(*words, stdin=None):
    result = CliRunner().invoke(main, list(map(str, words)), input=stdin)
    return result.stdout, result.stderr, result.exit_code


def solve(entry):
    """Return the lines that solve a puzzle: the first winning move at each turn."""
    name = ["play", "--puzzle", FILE, "--id", entry.id, "--ascii"]
    lines = []
    while True:
        stdout, _, _ = run(*name, stdin="\n".join((*lines, "solution", "quit", "")))
        if "Solved: " in stdout:
            return lines
        lines.append(stdout.rpartition(" wins.")[0].rpartition(" ")[2])


CLASSIC = "positions/puzzles/classic.txt"
CLASSICS = suite.read(find_shipped("puzzles/classic.txt").read_text())


def test_a_dark_game_is_refused_as_a_puzzle(tmp_path):
    """A dark game with sealed attempts is refused, not taken for an empty board."""
    sealed = tmp_path / "sealed.sgf"
    sealed.write_text("(;FF[4]GM[11]SZ[3]RU[dark-classic]XA[eNqLVkoyUtJRgJKJhkqxACTSA9c=])")
    refused = f"{sealed}: not a puzzle: the attempts are sealed while the game goes on\n"

    assert run("play", "--puzzle", sealed) == ("", refused, 3)


def test_a_puzzle_is_solved_by_its_move():
    stdout, _, code = run(
        "play", "--puzzle", CLASSIC, "--id", "5x5-berge-1", "--ascii", stdin="b3\n"
    )

    assert code == 0
    assert "White is to move and wins, joining west and east." in stdout
    assert stdout.endswith("Solved: west and east are joined, whatever Black does.\n")


def test_a_wrong_move_is_refuted_in_a_sentence_and_taken_back():
    stdout, _, code = run(
        "play", "--puzzle", CLASSIC, "--id", "5x5-berge-1", "--ascii", stdin="b1\nb3\n"
    )
    (refuted,) = [line for line in stdout.splitlines() if line.endswith("Try again.")]

    assert code == 0
    assert refuted.startswith("b1 loses: Black plays ")
    assert "north and south" in refuted
    assert "Solved, after 1 wrong move: " in stdout


@pytest.mark.parametrize(("name", "wrong"), [("4x4-hein-05", "c1"), ("5x5-berge-1", "b1")])
def test_page_and_terminal_show_the_same_refutation(name, wrong, monkeypatch):
    """Both show the connection after the reply, also where only the solver knew the refutation."""
    drawn = []
    monkeypatch.setattr(Screen, "show", lambda _screen, _position, marks: drawn.append(marks))
    run("play", "--puzzle", CLASSIC, "--id", name, stdin=f"{wrong}\n")
    position = next(each for each in CLASSICS if each.id == name).game.position()
    question = PuzzleQuestion(PositionObject(**position_object(position)), wrong)
    answer = puzzle(Desk({}), BoardJob(lambda _message: None), question)

    assert drawn[-1].shade.any()
    assert {*answer["carrier"]} == {*position.board.names(drawn[-1].shade), answer["reply"]}


def test_solution_shows_the_winning_move_and_quit_exits_with_0():
    stdout, _, code = run(
        "play", "--puzzle", CLASSIC, "--id", "5x5-berge-1", stdin="solution\nz9\nquit\n"
    )

    assert code == 0
    assert "b3 wins." in stdout
    assert "Type help" in stdout


def test_commands_refused_in_puzzles_name_alternatives():
    """A refused command names alternatives; short names work but are not listed."""
    stdout, _, code = run(
        *("play", "--puzzle", CLASSIC, "--id", "5x5-berge-1"),
        stdin="hint\nundo\nload x.sgf\n?\nh\nq\nzz\n",
    )

    assert code == 0
    assert "a puzzle has no hint: type a cell, or solution, which" in stdout
    assert "a wrong move is taken back by itself" in stdout
    assert "not available in a puzzle: type a cell, solution, again or quit" in stdout
    assert stdout.count("\nboard ") == 2
    assert not re.search(r"^(\?|h|q|hint|undo|load) ", stdout, re.MULTILINE)
    assert "'zz'" not in stdout


def test_a_puzzle_continues_until_a_full_connection():
    """The engine answers while the win still has to be found."""
    entry = next(e for e in ENTRIES if int(*e.values("depth")) >= 2)
    lines = solve(entry)
    stdout, _, _ = run("play", "--puzzle", FILE, "--id", entry.id, stdin="\n".join([*lines, ""]))

    assert len(lines) >= 2
    assert stdout.count("Right: ") == len(lines) - 1
    assert "Solved: " in stdout


def test_reasons_that_name_the_moves_are_refused():
    """`why` is refused as `hint` is: the must-play region would give more away."""
    stdout, _, _ = run("play", "--puzzle", FILE, "--id", ENTRIES[0].id, stdin="why\nquit\n")

    assert "reasons would give the move away: type a cell" in stdout
    assert "ust-play" not in stdout
    assert stdout.endswith("The puzzle is not solved.\n")


def test_puzzles_come_in_order_of_difficulty():
    """One run solves, skips and retries puzzles, and ends with the score."""
    grades = [int(*each.values("grade")) for each in ENTRIES]
    second = [each for each in ENTRIES if each.values("grade") == ["2"]]
    words = ("play", "--puzzle", FILE, "--grade", 2)
    wrong = next(
        each.game.board.name(cell)
        for each in (second[2],)
        for cell in each.game.position().empty.search(1)
        if not each.cells("wins")[cell]
    )
    lines = [*solve(second[0]), "next", wrong, *solve(second[2]), "quit"]
    stdout, _, code = run(*words, stdin="\n".join(lines))
    everything, _, _ = run(*words[:3], stdin="next\n" * len(ENTRIES))

    assert code == 0
    assert stdout.startswith(f"{len(second)} puzzles, the easiest first. ")
    for number, entry in enumerate(second[:4], 1):
        assert f"\nPuzzle {number} of {len(second)}: {entry.id}, grade 2.\n" in stdout
    assert stdout.endswith(
        "\nSolved: 2 puzzles, 1 of them without a wrong move or a look at the solution.\n"
    )
    grade = re.compile(r"^Puzzle .* grade (\d)\.$", re.MULTILINE)
    shown = [int(each) for each in grade.findall(everything)]
    assert shown == sorted(grades)
    assert everything.endswith("\nSolved: 0 puzzles.\n")


def test_a_puzzle_that_was_shown_is_not_solved_unaided():
    lines = ["solution", *solve(ENTRIES[0]), ""]
    stdout, _, _ = run("play", "--puzzle", FILE, "--size", 5, stdin="\n".join(lines))

    assert stdout.endswith(
        "\nSolved: 1 puzzle, 0 of them without a wrong move or a look at the solution.\n"
    )


def test_a_missing_grade_or_size_lists_the_existing_ones(tmp_path):
    """A missing grade or size lists the existing ones; non-puzzles are skipped with the reason."""
    seven = {each.values("grade")[0] for each in ENTRIES if each.game.board.columns == 7}
    _, stderr, code = run("play", "--puzzle", FILE, "--size", 7, "--grade", 5)
    assert code == 3
    assert "no puzzle of grade 5 among " in stderr
    assert stderr.endswith(f"; grades: {', '.join(sorted(seven))}\n")
    _, stderr, code = run("play", "--puzzle", FILE, "--size", 12)
    assert (code, stderr) == (3, f"{FILE}: no puzzle on 12x12; boards: 5x5, 6x6, 7x7, 8x8, 9x9\n")

    file = tmp_path / "two.txt"
    file.write_text("id lost\nboard . .\n       B .\nturn white\n\nid won\nboard . .\n       B .\n")
    stdout, _, code = run("play", "--puzzle", file, stdin="quit\n")
    assert code == 0
    assert "Left out: not a puzzle: white is to move, and does not win.\n" in stdout
    _, stderr, code = run("play", "--puzzle", file, "--grade", 1)
    assert (code, stderr) == (
        3,
        f"{file}: no puzzle of grade 1 among 2; none of them has a grade\n",
    )
    _, stderr, code = run("play", "--puzzle", "a1", "--grade", 1)
    assert (code, stderr.count("\n")) == (3, 1)
    assert "--grade needs a suite of puzzles" in stderr
    (tmp_path / "blank.txt").write_text("\n")
    _, stderr, code = run("play", "--puzzle", tmp_path / "blank.txt")
    assert (code, stderr) == (3, f"{tmp_path / 'blank.txt'}: nothing there: the text is empty\n")


def test_a_lost_position_is_refused_as_a_puzzle(tmp_path):
    file = tmp_path / "lost.txt"
    file.write_text("id lost\nboard . .\n       B .\nturn white\n")
    _, stderr, code = run("play", "--puzzle", file, "--id", "lost")

    assert code == 3
    assert stderr == f"{file}: not a puzzle: white is to move, and does not win\n"


@pytest.mark.parametrize(
    "words", [("--id", "x"), ("--grade", 1), ("--puzzle", CLASSIC, "--resume", "y")]
)
def test_incompatible_options_are_rejected(words):
    assert run("play", *words)[2] == 2


def test_options_without_effect_on_puzzles_are_rejected(tmp_path):
    """Such an option is an error: ignoring --record would lose the record."""
    record = tmp_path / "game.sgf"
    words = ("--swap", "--time", 3, "--level", 2, "--seed", 1, "--record", record)
    _, stderr, code = run("play", "--puzzle", CLASSIC, *words)
    told = "--puzzle goes without --swap, --time, --level, --seed and --record: the solver answers"
    assert (code, stderr.partition(": ")[2]) == (2, f"{told}\n")
    _, stderr, code = run("play", "--puzzle", CLASSIC, "--variant", "bidding", "--chips", 3, 4)
    assert (code, "--puzzle goes without --variant and --chips" in stderr) == (2, True)
    _, stderr, code = run("play", "--puzzle", CLASSIC, "--id", "5x5-berge-1", "--grade", 1)
    assert (code, "--id and --grade exclude each other" in stderr) == (2, True)


def test_size_sets_the_board_of_a_move_list():
    """Moves are read on the board of --size: on 11x11 the solver would take minutes."""
    stdout, _, code = run("play", "--puzzle", "a1 b2 a2", "--size", 3, stdin="quit\n")

    assert (code, "White is to move and wins, joining west and east." in stdout) == (0, True)


SHORTEST = ("play", "--puzzle", CLASSIC, "--id", "5x5-berge-1", "--ascii", "--shortest")


def test_shortest_win_puzzles_reject_slower_wins():
    """A move that wins later than possible is wrong and is taken back."""
    lines = ["b1"]
    stdout, _, code = run(*SHORTEST, stdin="b1\nsolution\nquit\n")
    assert code == 0
    assert "White is to move and wins with 6 stones, joining west and east." in stdout
    assert "b1 does not win with 6 stones: Black plays " in stdout
    for left in range(5, -1, -1):
        stdout, _, _ = run(*SHORTEST, stdin="\n".join((*lines, "solution", "quit", "")))
        lines.append(stdout.rpartition(" wins.")[0].rpartition(" ")[2])
        stdout, _, _ = run(*SHORTEST, stdin="\n".join((*lines, "")))
        assert (f"Right: {lines[-1]}, and {left} more stone" in stdout) == (left > 0)

    assert stdout.endswith(
        "Solved, after 1 wrong move: west and east are joined, whatever Black does.\n"
    )


def test_a_shortest_win_needs_a_small_board():
    stdout, _, code = run("play", "--puzzle", FILE, "--size", "9", "--shortest", stdin="quit\n")

    assert code == 0
    assert "Left out: shortest wins: at most 62 cells, and 9x9 has more." in stdout
