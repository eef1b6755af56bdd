"""`hsearch review`: its output, many games, rows, and refused input."""

import json
import re

import pytest
from interruption import rows_left
from schemas import validate
from test_review_outputs import GAME, LONDON, MOVE, run

from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from player.console import output
from player.evaluate.chance import per_cent
from player.solve.verify import verify
from player.study import examine
from player.study.review_rows import review_task


def test_the_command_prints_one_json_object_per_line():
    stdout, stderr, code = run("-", "--size", 4, "--json", stdin="a4 b2 d1 a3")
    *moves, game = map(json.loads, stdout.splitlines())

    assert (stderr, code, len(moves)) == ("", 0, 4)
    for move in moves:
        validate(move, MOVE)
    validate(game, GAME)


def test_a_warning_names_the_game_of_the_file(tmp_path):
    """Two games may have the same warning; that of a single game names the file alone."""
    won = "(;FF[4]GM[11]SZ[3];B[b1];W[a1];B[b2];W[a2];B[b3];W[c1])\n"
    file = tmp_path / "two.sgf"
    file.write_text(won * 2)
    text = "move 6, c1: Black's stones join the edges before it"

    of_two = run(file, "--effort", "quick")[1].splitlines()
    of_one = run("-", "--effort", "quick", stdin=won)[1].splitlines()

    assert of_two == [f"warning: {file}, game {number}: {text}" for number in (1, 2)]
    assert of_one == [f"warning: -: {text}"]


def test_the_report_and_the_requested_files_are_written(tmp_path):
    """The report is printed, and the requested files are written."""
    files = [tmp_path / name for name in ("r.svg", "r.png", "r.html", "r.sgf")]
    words = [w for f in files for w in (f"--{f.suffix[1:]}", f)]
    stdout, _, code = run(
        "-", "--size", 4, "--ascii", "--hexworld", *words, stdin="a4 b2 d1 a3 c2 c1 b4"
    )

    assert code == 0
    assert "Turning point: move" in stdout
    assert "Black's chance by move" in stdout
    assert "! " in stdout
    assert re.search(r"\n      better [a-d][1-4], then( [a-d][1-4])+\n", stdout)
    assert re.search(r"\n      refuted by [a-d][1-4], then( [a-d][1-4])+\n", stdout)
    assert "https://hexworld.org/board/#4" in stdout
    assert all(file.stat().st_size > 500 for file in files)
    assert stdout.isascii()
    assert stdout.splitlines()[-4:] == [f"Saved as {file}." for file in files]


def test_the_folder_of_proofs_rejects_another_game(tmp_path):
    """Each proof verifies; the folder accepts the same game again, and no other game."""
    folder, words = tmp_path / "proofs", ("-", "--size", 5, "--effort", "quick", "--proofs")
    moves = ["c1", "a3", "e1", "c3", "e2", "d3", "e5", "c5"]
    game = Game.of(Board(5, 5), moves)
    _, _, code = run(*words, folder, stdin=" ".join(moves))
    written = {path.name: path.read_text() for path in folder.iterdir()}
    again = run(*words, folder, stdin=" ".join(moves))[2]
    _, stderr, refused = run(*words, folder, stdin="c4 c3 e3 d5 a3 b4 d3 c1")

    assert (code, again, refused) == (0, 0, 3)
    assert written
    for name, text in written.items():
        assert verify(text).position == game.position(int(name[5:8]))
    first = folder / min(written)
    assert stderr == f"{first}: not the proof of a position of this game: take another folder\n"
    assert {path.name: path.read_text() for path in folder.iterdir()} == written


def test_the_chart_fits_a_terminal_of_any_width(monkeypatch):
    """A terminal narrower than its margin gets one move a line."""
    monkeypatch.setenv("COLUMNS", "7")
    stdout, stderr, code = run("a1 b2 c3", "--size", "3", "--effort", "quick")

    assert (stderr, code) == ("", 0)
    assert all(f"\n{start:5}  " in stdout for start in range(4))


def test_the_next_step_is_a_page_unless_one_was_written(tmp_path):
    """The next step is a page unless one was written; with --json there is none."""
    file, out, page = (tmp_path / name for name in ("game.sgf", "r", "r.html"))
    file.write_text("(;GM[11]SZ[3];B[b2];W[a1])")
    plain, drawn, paged, told = (
        run(file, "--effort", "quick", *words)[0].splitlines()[-2:]
        for words in ((), ("--svg", out), ("--html", page), ("--html", page, "--json"))
    )
    following = f"Next: hsearch review {file} --effort quick --html review.html   step through it"

    assert plain[-1] == following
    assert drawn == [f"Saved as {out}.", following]
    assert paged[-1] == f"Saved as {page}."
    assert all(map(json.loads, told))


def test_an_interruption_reports_that_nothing_was_saved(tmp_path, monkeypatch):
    """The message is true: no file was written."""

    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("player.cli.review.review_game", interrupt)
    result = run("-", "--size", 4, "--svg", tmp_path / "r.svg", stdin="a4 b2")

    assert result == ("", "Interrupted; nothing was saved.\n", 130)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("done", [0, 1])
def test_an_interruption_reports_the_saved_rows(tmp_path, monkeypatch, done):
    """Before the first row, the message says that nothing was saved."""
    file, rows, told = tmp_path / "games.sgf", tmp_path / "rows.jsonl", []
    file.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[3];B[b2])")

    def interrupted(task, effort):
        told.append(task)
        if len(told) > done:
            raise KeyboardInterrupt
        return review_task(task, effort)

    monkeypatch.setattr("player.study.review_rows.review_task", interrupted)
    _, stderr, code = run(file, "--effort", "quick", "--resume", rows)

    left = f"what was finished is in {rows}, and the same command resumes"
    said = left if done else "nothing was saved"
    assert (stderr, code) == (f"Interrupted; {said}.\n", 130)
    assert len(rows.read_text().splitlines()) == (2 if done else 0)


def test_moves_of_several_games_name_their_game(tmp_path):
    """Each line of JSON has the file and the game's number."""
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[11]SZ[3];B[a1])(;GM[11]SZ[3];B[b2];W[a3])")
    stdout, _, code = run(file, "--effort", "quick", "--json")
    told = [(each["file"], each["game"]) for each in map(json.loads, stdout.splitlines())]

    assert code == 0
    assert told == [(str(file), 1)] * 2 + [(str(file), 2)] * 3


def test_the_option_all_shows_every_move():
    stdout, _, _ = run("-", "--size", 4, "--all", stdin="a4 b2 d1 a3")

    assert all(f"{n} {cell} (" in stdout for n, cell in enumerate(("a4", "b2", "d1", "a3"), 1))


MANY = "(;GM[11]SZ[4];B[a4];W[b2];B[d1])(;GM[11]SZ[4];B[b2];W[b2])(;GM[11]SZ[4];B[c2];W[b3])"


def test_a_bad_game_is_one_line_and_the_others_are_reviewed(tmp_path):
    """The line gives the place, and the exit code is 3."""
    file = tmp_path / "many.sgf"
    file.write_text(MANY)
    stdout, stderr, code = run(file, tmp_path / "none.sgf")

    assert code == 3
    assert stdout.count("Effort normal") == 2
    assert stderr.splitlines() == [
        f"{file}, game 2: 1:55: illegal move 'b2': b2 is not empty",
        f"{tmp_path}/none.sgf: No such file or directory",
    ]


def test_one_game_of_a_file_is_reviewed(tmp_path):
    file = tmp_path / "many.sgf"
    file.write_text(MANY)

    assert run(file, "--game", 3)[0].count("Effort normal") == 1
    assert run(file, "--game", 4)[1:] == (f"{file}: no game 4: there are 3\n", 3)


@pytest.mark.parametrize("rules", ["bidding", "random-turn", "dark-classic"])
def test_a_record_of_another_variant_is_refused(tmp_path, rules):
    file = tmp_path / "other.sgf"
    file.write_text(f"(;GM[11]SZ[4]RU[{rules}];B[a4])")
    _, stderr, code = run(file)

    assert (stderr, code) == (f"{file}: a review is not for this variant: {rules}\n", 3)


def test_rows_do_not_depend_on_the_workers_and_are_not_repeated(tmp_path):
    """One process and two write the same rows, and a second run adds none."""
    file, one, two = (tmp_path / name for name in ("many.sgf", "1.jsonl", "2.jsonl"))
    file.write_text(MANY)
    stdout, _, code = run(file, "--effort", "quick", "--resume", one)
    _, _, again = run(file, "--effort", "quick", "--resume", two, "--jobs", 2)
    before = one.read_text()
    third = run(file, "--effort", "quick", "--resume", one)

    assert code == again == third[2] == 3
    assert stdout.splitlines()[2].startswith("2 games, 5 moves; effort quick")
    assert "1 could not be reviewed." in stdout
    assert sorted(one.read_text().splitlines()) == sorted(two.read_text().splitlines())
    assert (one.read_text(), third[0]) == (before, stdout)


def test_a_file_that_is_named_twice_counts_once(tmp_path):
    """Its games were reviewed twice, stored twice and counted twice."""
    file, one, two = (tmp_path / name for name in ("many.sgf", "1.jsonl", "2.jsonl"))
    file.write_text(MANY)
    once, *_ = run(file, "--effort", "quick", "--resume", one)
    twice, *_ = run(file, file, "--effort", "quick", "--resume", two)

    assert (twice, two.read_text()) == (once, one.read_text())


def test_a_half_written_row_is_replaced(tmp_path):
    """A half-written row is replaced, and whole rows stay."""
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY.replace("W[b2])", "W[b3])"))
    run(file, "--effort", "quick", "--resume", rows)
    whole = rows.read_text()
    rows.write_text(whole[: len(whole) - 40])
    _, stderr, code = run(file, "--effort", "quick", "--resume", rows)

    assert (code, rows.read_text()) == (0, whole)
    assert stderr == f"{rows}: a half-written last row is dropped\n"


@pytest.mark.parametrize("text", ["something else\n", '{"schema": "hsearch/rows/1"}\n', "half"])
def test_a_file_without_review_rows_is_rejected_unchanged(tmp_path, text):
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY)
    rows.write_text(text)
    _, stderr, code = run(file, "--resume", rows)

    assert code == 3
    assert stderr.startswith(f"{rows}:1: ")
    assert rows.read_text() == text


def test_rows_of_another_effort_are_rejected(tmp_path):
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY)
    run(file, "--effort", "quick", "--resume", rows)
    _, stderr, code = run(file, "--effort", "normal", "--resume", rows)

    assert code == 3
    assert "rows of another effort or version" in stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--jobs 2", "need --resume"),
        ("--resume r --json", "leave out --json"),
        ("--resume r --all --svg x --hexworld", "leave out --all and --svg and --hexworld"),
    ],
)
def test_incompatible_options_are_rejected(words, said):
    """The message names the options."""
    _, stderr, code = run(LONDON, *words.split())

    assert code == 2
    assert said in stderr


@pytest.mark.slow
def test_a_killed_run_loses_no_finished_game(tmp_path):
    """Finished rows stay, and the same command adds the rest."""
    file, rows = tmp_path / "games.sgf", tmp_path / "rows.jsonl"
    games = [Game.of(Board(7, 7), [n, 24, 48 - n, 26, 16, 32]) for n in range(8)]
    file.write_text("".join(map(sgf.write, games)))
    words = ["review", str(file), "--effort", "quick", "--resume", str(rows), "--jobs", "2"]
    before = rows_left(words, rows, 9)
    _, _, code = run(*words[1:])
    after = rows.read_text().splitlines()

    assert (code, after[: len(before)]) == (0, before)
    assert sorted(json.loads(line)["game"] for line in after[1:]) == list(range(1, 9))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), ""),
        (("--effort", "normal"), ""),
        (("--effort", "deep"), "--effort deep "),
        (("--time", "20"), "--time 20 "),
        (("--time", "0.5", "--effort", "quick"), "--effort quick --time 0.5 "),
    ],
)
def test_the_next_step_repeats_the_effort(given, said):
    """The command repeats the effort, so that the page has the same review."""
    stdout, _, code = run("b2 a1", "--size", "3", *given)

    assert code == 0
    assert stdout.splitlines()[-1].startswith(
        f"Next: hsearch review 'b2 a1' --size 3x3 {said}--html review.html   "
    )


def test_a_deep_review_with_enough_time_finds_the_same_moves():
    """It names every winning move, too."""
    deep, timed = (
        run("-", "--size", "5", "--effort", "deep", "--json", *more, stdin="a5 c4 d3 b4 c2")[0]
        for more in ((), ("--time", "1000"))
    )
    wins, same = (
        [json.loads(line)["before"]["winning"] for line in lines.splitlines()[:-1]]
        for lines in (deep, timed)
    )

    assert same == wins
    assert len(wins[0]) > 1


def test_the_suggested_command_has_the_number_of_the_game(tmp_path):
    """The command has --game, and a page of several games is refused."""
    file = tmp_path / "two.sgf"
    file.write_text("(;GM[11]SZ[3];B[b2])\n(;GM[11]SZ[3];B[a1])")
    stdout, _, code = run(file, "--game", "2", "--effort", "quick")
    _, stderr, refused = run(file, "--html", tmp_path / "page.html")

    assert code == 0
    assert f"Next: hsearch review {file} --game 2 --effort quick --html review.html" in stdout
    assert refused == 3
    assert "--game N" in stderr


def test_a_file_that_cannot_be_read_has_no_totals(tmp_path):
    stdout, stderr, code = run(tmp_path / "none.sgf", "--resume", tmp_path / "rows.jsonl")

    assert (stdout, code) == ("", 3)
    assert "none.sgf: No such file" in stderr


def test_a_resignation_reports_its_estimated_chance():
    """A resignation reports its estimated chance, unless only RE records it."""
    text = "(;FF[4]GM[11]SZ[13];B[a10];W[swap-pieces];B[g7];W[h5];B[d9]{})"
    said, _, _ = run("-", "--effort", "quick", stdin=text.format(";W[resign]"))
    by_result = text.format("").replace("SZ", "RE[B+R]SZ")
    alone, _, _ = run("-", "--effort", "quick", stdin=by_result)

    assert re.search(r"is not proved, White's chance estimated \d+ %, by the net\.", said)
    assert "White resigned; who would win the last position is not proved." in alone


def test_a_review_names_the_player_who_resigned():
    game = Game.of(Board(4, 4), [5]).append(Move(Color.WHITE, Special.RESIGN))
    stdout, _, code = run("-", stdin=sgf.write(game))

    assert code == 0
    assert "White resigned; " in stdout
    assert "4x4, 1 move." in stdout  # a resignation does not count as a move


def test_no_line_of_a_review_is_wider_than_the_terminal(monkeypatch):
    """No line is wider than the terminal, except a command to copy."""
    monkeypatch.setattr(output, "stdout_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    stdout, _, _ = run("-", "--size", 3, stdin="a3 b2 a2")

    assert "Black's chance by move" in stdout
    assert [line for line in stdout.splitlines() if len(line) > 40 and "hsearch" not in line] == []


def test_without_proofs_the_chart_has_no_line_of_winners():
    stdout, _, code = run("-", "--effort", "quick", stdin="(;GM[11]SZ[11];B[c3];W[f2])")

    assert code == 0
    chart = stdout[stdout.index("Black's chance by move") :]
    assert re.fullmatch(r"Black's chance by move, estimated:\n    0  \S{3}\n\n", chart), chart


def test_only_games_of_one_file_are_chosen_by_number(tmp_path):
    """Only games of the same file are chosen by --game."""
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_text("(;GM[11]SZ[3];B[b2])")
    (tmp_path / "two.sgf").write_text("(;GM[11]SZ[3];B[b2])" * 2)
    page = ("--html", tmp_path / "x.html")

    assert "into a file: give one file, or" in run(tmp_path, *page)[1]
    assert "into a file: choose one with --game N, or" in run(tmp_path / "two.sgf", *page)[1]


def test_the_records_of_a_folder_are_reviewed_in_order_of_names(tmp_path):
    """Records are reviewed in the order of their names, and other files are ignored."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "b.sgf").write_text("(;GM[11]FF[4]SZ[3];B[b2];W[a1];B[b1];W[a3];B[a2];W[c1])")
    (folder / "a.sgf").write_text("(;GM[11]FF[4]SZ[3];B[b2])(;GM[11]FF[4]SZ[3];B[a1];W[b2])")
    (folder / "c.jsonl").write_text('{"boardsize": 3, "moves": "b2"}\n')
    (folder / "d.CSV").write_text("3x3\nblack,white\nb2,a1\n")
    (folder / "notes.md").write_text("not a game")
    (folder / "rows.jsonl").write_text('{"schema": "hsearch/rows/1"}\n')  # from a previous run
    (tmp_path / "empty").mkdir()
    rows = str(tmp_path / "rows.jsonl")
    stdout, _, code = run(folder, "--resume", rows)
    _, empty, refused = run(tmp_path / "empty")

    assert (code, refused) == (0, 3)
    assert stdout.splitlines()[:5] == [
        f"{folder}/a.sgf, game 1: 1 move, decided from the first position on",
        f"{folder}/a.sgf, game 2: 2 moves, decided by move 1, 1 proved mistake",
        f"{folder}/b.sgf: 6 moves, decided by move 6, 2 proved mistakes",
        f"{folder}/c.jsonl: 1 move, decided from the first position on",
        f"{folder}/d.CSV: 2 moves, decided from the first position on",
    ]
    assert "no records in this folder" in empty


def test_the_command_names_a_better_move_or_a_best_try(monkeypatch):
    """Where nothing is proved, text and JSON name the best try of a search with its line."""
    monkeypatch.setattr(examine, "SIMULATIONS", 30)
    words = ("e5 f3 a1", "--size", "9", "--effort", "quick")
    text, (*moves, _) = run(*words)[0], map(json.loads, run(*words, "--json")[0].splitlines())
    (marked,) = (move for move in moves if move["verdict"] == "win no longer proved")
    tried = marked["try"]
    line = f"best try {tried['cell']}, then {' '.join(tried['line'][1:6])} "
    percent = per_cent(tried["chance"])

    validate(marked, MOVE)
    assert (marked["number"], marked["move"], marked["better"]) == (3, "a1", [])
    assert tried["cell"] not in {"a1", "e5", "f3"}
    assert tried["winner"] is None
    assert f"{line}(estimated {percent} %; whether it holds is not known)" in " ".join(text.split())
    assert all(move["try"] is None for move in moves if move is not marked)
