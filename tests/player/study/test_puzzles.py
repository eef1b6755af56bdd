"""Puzzles: the shipped ones are proved, distinct and graded."""

import json
from functools import cache
from pathlib import Path

import naive_solve
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_shortest import stones_needed

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.formats import suite
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.cli import main
from player.engine.self_play import SelfPlay
from player.solve.shortest import ShortestSearch
from player.solve.verify import verify
from player.study.puzzle import (
    GRADES,
    Collection,
    Measures,
    PuzzleSearch,
    PuzzleSource,
    entry_text,
    grade,
    measure,
    puzzles_of,
    signature,
)

BLACK, WHITE = Color
FILE = find_shipped("puzzles/proved.txt")


@cache
def entries():
    return suite.read(FILE.read_text())


@cache
def proof(name):
    return (FILE.parent / "proved" / f"{name}.proof").read_text()


def field(entry, key):
    (value,) = entry.values(key)
    return value


@cache
def found():
    """Return the puzzles of some small games."""
    play = SelfPlay("hexy:level=1", (4,), seed=3)
    return [
        p for n in range(16) for p in puzzles_of(play.game(n), PuzzleSearch(at_most=3, least=3))
    ]


def test_at_least_sixty_puzzles_of_five_grades_and_sizes_are_shipped():
    sizes = {entry.game.board.columns for entry in entries()}

    assert len(entries()) >= 60
    assert {int(field(entry, "grade")) for entry in entries()} == set(GRADES)
    assert sizes == {5, 6, 7, 8, 9}


@pytest.mark.slow
def test_every_shipped_proof_holds():
    """Each proof is of the suite's position, and begins with its winning move."""
    for entry in entries():
        shown = verify(proof(entry.id))
        position = entry.game.position()
        head = json.loads(proof(entry.id).splitlines()[0])
        assert shown.position == position
        assert shown.winner is position.turn
        assert [head["first"]] == field(entry, "wins").split()


@pytest.mark.slow
def test_the_solver_refutes_each_other_move_of_a_puzzle():
    """The solver, which does not know how the puzzle was found, refutes each other move."""
    from player.solve.solver import Solver  # noqa: PLC0415

    solvers = {}
    for entry in entries():
        position = entry.game.position()
        solver = solvers.setdefault(position.board, Solver(position.board, memory=50))
        answer = solver.solve(position, every=True)
        assert answer.complete
        assert list(map(position.board.name, answer.winning_moves)) == field(entry, "wins").split()


@pytest.mark.slow
def test_shipped_grades_match_the_recounted_measures():
    """Each shipped puzzle has the grade of its recounted measures."""
    for entry in entries():
        position = entry.game.position()
        wins = tuple(map(position.board.cell, field(entry, "wins").split()))
        again = measure(ConnectionAnalysis(position), wins, proof(entry.id))
        told = Measures(
            *(int(field(entry, key)) for key in ("looks", "size", "depth")),
            field(entry, "seen") == "yes",
        )
        assert (again, grade(again)) == (told, int(field(entry, "grade")))


@pytest.mark.slow
def test_shipped_stones_are_the_fewest_that_win():
    """Three in four puzzles of at most 36 cells have the stones, which a search finds again."""
    stones = {entry.id: entry.values("stones") for entry in entries()}
    small = [entry for entry in entries() if entry.game.board.size <= 36]
    known = [entry for entry in small if stones[entry.id]]

    assert len(known) > 3 * len(small) / 4
    assert sum(map(len, stones.values())) == len(known)
    for entry in known:
        position = entry.game.position()
        win = ShortestSearch(position.board, memory=100).solve(position, won_by=position.turn)
        assert [str(win.stones)] == stones[entry.id]


def test_no_two_puzzles_are_equal_up_to_symmetry():
    """A half turn, or a mirror image with exchanged colors, is not a new puzzle."""
    seen = set()
    for entry in entries():
        position = entry.game.position()
        if position.turn is WHITE:
            position = position.transposed()
        key = (
            min((p.black.tobytes(), p.white.tobytes()) for p in (position, position.rotated())),
            position.board,
        )
        assert key not in seen
        seen.add(key)


@settings(max_examples=40)
@given(st.data())
def test_symmetries_and_shifts_preserve_the_signature(data):
    """Symmetries and shifts keep the signature, and a relevant stone changes it."""
    board = Board(7, 7)
    cells = data.draw(st.lists(st.tuples(st.integers(2, 4), st.integers(2, 4)), min_size=2,
                               unique=True))  # fmt: skip
    half = len(cells) // 2
    at = [board.at(*place) for place in cells]
    turn = data.draw(st.sampled_from(Color))
    position = Position(board, board.only(*at[:half]), board.only(), turn)
    region = board.only(*at[half:])
    shifted = Position(board, board.only(*(cell + 1 for cell in at[:half])), board.only(), turn)
    moved = board.only(*(cell + 1 for cell in at[half:]))
    turned = board.only(*map(board.rotate, at[half:]))
    mirrored = board.only(*map(board.transpose, at[half:]))
    same = signature(position, region)

    assert signature(shifted, moved) == same
    assert signature(position.rotated(), turned) == same
    assert signature(position.transposed(), mirrored) == same
    other = Position(board, position.black, board.only(at[half]), turn)
    assert signature(other, region) != same


def test_puzzles_of_4x4_have_all_winning_moves():
    """Puzzles on 4x4 have all winning moves, at most three, and a valid proof."""
    tried = [p for p in found() if p.position.empty.count() <= 10]

    assert tried
    for puzzle in tried:
        assert naive_solve.winning_moves(puzzle.position) == list(puzzle.wins)
    for puzzle in found():
        assert 1 <= len(puzzle.wins) <= 3
        assert verify(puzzle.proof).winner is puzzle.position.turn


def test_a_harder_measure_gives_a_higher_score():
    for one in (Measures(0, 1, 0, seen=True), Measures(3, 9, 2, seen=True)):
        for more in (
            Measures(one.looks + 3, one.size, one.depth, seen=True),
            Measures(one.looks, one.size * 2, one.depth, seen=True),
            Measures(one.looks, one.size, one.depth + 1, seen=True),
            Measures(one.looks, one.size, one.depth, seen=False),
        ):
            assert more.score > one.score
            assert grade(more) >= grade(one)


def test_written_puzzles_are_read_back():
    for number, puzzle in enumerate(found()):
        text = entry_text(puzzle, f"p{number}", "a test", f"x/p{number}.proof")
        (entry,) = suite.read(text)
        assert entry.game.position() == puzzle.position
        assert set(entry.cells("wins").search(1)) == set(puzzle.wins)


@pytest.mark.slow
def test_puzzles_of_small_boards_have_the_fewest_stones_that_win():
    """A search for the shortest win agrees with complete play; only `shortest` asks for it."""
    play = SelfPlay("hexy:level=1", (4, 7), seed=3)
    by_side = {}
    for number in range(8):
        for puzzle in puzzles_of(play.game(number), PuzzleSearch(3, least=3, shortest=True)):
            by_side.setdefault(puzzle.position.board.columns, []).append(puzzle)

    assert by_side[4]
    assert {puzzle.stones for puzzle in by_side[7]} == {None}
    for puzzle in by_side[4]:
        if puzzle.position.empty.count() <= 10:
            assert puzzle.stones == stones_needed(puzzle.position, puzzle.position.turn)
        (entry,) = suite.read(entry_text(puzzle, "one", "a test", "x/one.proof"))
        assert field(entry, "stones") == str(puzzle.stones)
    assert {puzzle.stones for puzzle in found()} == {None}


def test_a_collection_has_no_duplicates_and_limits_each_kind():
    puzzles = found()
    one = Collection()
    first = list(one.take(puzzles[:1]))

    assert [number for _, number in first] == [1]
    assert list(one.take(puzzles[:1])) == []
    few = Collection(1)
    taken = [p for puzzle in puzzles for p, _ in few.take([puzzle])]
    kinds = [(p.position.board, grade(p.measures)) for p in taken]
    assert len(kinds) == len(set(kinds))


def test_a_puzzle_source_plays_the_game_with_its_number():
    play = SelfPlay("hexy:level=1", (4,), seed=1)
    search = PuzzleSearch(at_most=2, least=4)
    games = [play.game(n) for n in range(4)]

    assert [PuzzleSource("x", (play, n)).puzzles(search) for n in range(4)] == [
        PuzzleSource("x", game).puzzles(search) for game in games
    ]


def test_self_play_on_the_smallest_boards_has_results():
    play = SelfPlay("random", (1, 2), seed=1)

    for number in range(16):
        assert play.game(number).about("RE") is not None


def run(*words, stdin=None):
    result = CliRunner().invoke(main, list(map(str, words)), input=stdin)
    return result.stdout, result.stderr, result.exit_code


@pytest.mark.slow
def test_other_commands_accept_the_written_suite(tmp_path):
    """Any number of processes writes the same suite, with proofs beside it."""
    words = ["puzzles", "--from-play", 6, "--size", 4, "--size", 5, "--at-most", 2, "--seed", 3]
    one, two = tmp_path / "1" / "p.txt", tmp_path / "2" / "p.txt"
    for path in (one, two):
        path.parent.mkdir()
    stdout, stderr, code = run(*words, "--out", one)
    run(*words, "--out", two, "--jobs", 2)
    made = suite.read(one.read_text())

    assert (stderr, code) == ("", 0)
    assert stdout.startswith(f"{one}: {len(made)} puzzle")
    told = f"{one.parent / 'p'}: their proofs, which hsearch verify checks.\n"
    assert stdout.endswith(f".\n{told}")
    assert [line for line in one.read_text().splitlines() if line[:1] != "#"] == [
        line for line in two.read_text().splitlines() if line[:1] != "#"
    ]
    for entry in made:
        file = one.parent / field(entry, "proof")
        assert run("verify", file)[2] == 0


@pytest.mark.slow
def test_a_suite_has_at_most_so_many_puzzles_of_a_grade(tmp_path):
    """With --per-grade N the first N puzzles of each board and grade are written."""
    words = ["puzzles", "--from-play", 6, "--size", 4, "--seed", 3, "--out"]
    run(*words, tmp_path / "all.txt")
    run(*words, tmp_path / "few.txt", "--per-grade", 1)
    every, few = (suite.read((tmp_path / name).read_text()) for name in ("all.txt", "few.txt"))
    firsts = {field(entry, "grade"): entry.id for entry in reversed(every)}

    assert len(firsts) < len(every)
    assert {field(entry, "grade"): entry.id for entry in few} == firsts
    assert len(few) == len(firsts)


def test_puzzles_without_a_source_are_wrong_usage(tmp_path):
    assert run("puzzles", "--out", tmp_path / "x.txt")[2] == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("p", "lacks an ending, as in {out}.txt"),
        ("q.txt", "{folder} is not a folder: the proofs of {out} go there"),
    ],
)
def test_a_suite_without_a_place_for_its_proofs_is_refused_at_once(tmp_path, name, why):
    """The error comes before any game is played."""
    (tmp_path / "q").write_text("mine")
    out = tmp_path / name
    stdout, stderr, code = run("puzzles", "--from-play", 3, "--size", 4, "--out", out)

    assert (stdout, code) == ("", 2)
    assert why.format(out=out, folder=tmp_path / "q") in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["q"]
    assert (tmp_path / "q").read_text() == "mine"


def test_two_suites_share_no_folder_of_proofs(tmp_path):
    """A suite may be made again; another one with its name but for the ending is refused."""
    words = ("puzzles", "--from-play", 0, tmp_path / "game.sgf", "--out")
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[2];B[a1];W[b1])")
    (tmp_path / "x").mkdir()
    codes = [run(*words, tmp_path / name)[2] for name in ("x.txt", "x.txt")]
    _, stderr, code = run(*words, tmp_path / "x.suite")

    assert (codes, code) == ([0, 0], 2)
    assert f"{tmp_path / 'x'} has the proofs of {tmp_path / 'x.txt'}: use another name" in stderr


def test_a_bad_file_among_others_is_reported_in_one_line(tmp_path):
    bad = Path(tmp_path / "bad.sgf")
    bad.write_text("(;GM[11]SZ[4];B[z9])")
    good = tmp_path / "good.sgf"
    good.write_text("(;GM[11]SZ[2];B[a1];W[b1])")
    stdout, stderr, code = run("puzzles", bad, good, "--out", tmp_path / "x.txt")

    assert code == 3
    assert stderr.startswith(f"{bad}: ")
    assert len(stderr.splitlines()) == 1
    assert "0 puzzles of 1 game;" in stdout
    assert "proofs" not in stdout
    assert not (tmp_path / "x").exists()


def test_what_is_odd_in_a_game_is_reported_with_its_number(tmp_path):
    """Puzzles come from it all the same."""
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[11]SZ[2];B[a1];W[b1])\n(;GM[11]SZ[2];B[a1];W[b1]")
    stdout, stderr, code = run("puzzles", games, "--out", tmp_path / "x.txt")

    assert stderr == f"warning: {games}, game 2: 2:26: the game does not end: ')' is missing\n"
    assert (code, "0 puzzles of 2 games;" in stdout) == (0, True)


def test_where_no_file_can_be_read_nothing_is_written(tmp_path):
    stdout, stderr, code = run("puzzles", tmp_path / "none.sgf", "--out", tmp_path / "x.txt")

    assert (stdout, code) == ("", 3)
    assert "none.sgf: No such file" in stderr
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_over_has_no_puzzle_at_its_end():
    game = Game.of(Board(2, 2), [0, 1, 2])

    assert list(puzzles_of(game, PuzzleSearch(least=1))) == []
