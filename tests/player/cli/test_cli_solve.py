"""`hsearch solve` and `hsearch verify`, with whole outputs."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT, needs_full_device

from hsearch.formats.files import alone
from hsearch.hex.board import Board
from hsearch.hex.position import Position
from player.cli import main
from player.solve import table as table_file
from player.solve.budget import NAMES
from player.solve.coordinator import Coordinator
from player.solve.proof_line import HINT
from player.solve.solver import Solver
from player.solve.table import NodeTable
from player.solve.verify import verify

PUZZLES = str(ROOT / "positions" / "puzzles" / "classic.txt")


def run(*words, stdin=None):
    """Return the stdout, stderr and exit code of a command."""
    result = CliRunner().invoke(main, words, input=stdin)
    return result.stdout, result.stderr, result.exit_code


def test_a_solved_position_is_printed_with_its_winning_move():
    """A solved position is printed with the winning move, the verdict and the effort."""
    stdout, _, code = run("solve", PUZZLES, "--id", "3x3-hein-02", "--ascii")
    stdout = re.sub(r" in [\d.]+ s", " in S s", stdout)

    assert code == 0
    assert stdout.splitlines() == [
        "  a b c",
        "1  W . .  1",
        " 2  B * .  2",
        "  3  . B .  3",
        "      a b c",
        "",
        "3x3, white to move.",
        "White wins with b2.",
        "1 position in S s.",
    ]


def test_all_winning_moves_as_json():
    """`--all --json` prints all winning moves in the documented object."""
    stdout, _, code = run("solve", PUZZLES, "--id", "5x5-berge-1", "--all", "--json")
    found = json.loads(stdout)

    assert code == 0
    assert list(found) == [
        "schema", "position", "winner", "winning_moves", "complete", "nodes", "seconds",
        "remaining", "before_swap",
    ]  # fmt: skip
    assert found["schema"] == "hsearch/solve/1"
    assert (found["winner"], found["winning_moves"], found["complete"]) == ("white", ["b3"], True)


@pytest.mark.parametrize(
    ("moves", "size", "verdict"),
    [
        ("b2", "3", "Black wins, whatever White does."),
        ("a1", "3", "White wins with "),
        ("a1 b1 a2", "2", "Black has won."),
        ("a1", "4x1", "Black has won."),
        ("a1 b1 a2 b2", "2", "Black has won."),
    ],
)
def test_the_verdict_names_the_winner(moves, size, verdict):
    """The verdict names the winner; if a chain has won, in the same words whoever is to move."""
    stdout, _, code = run("solve", "-", "--size", size, stdin=moves)

    assert code == 0
    assert verdict in stdout
    if "has won" in verdict:
        for option in ((), ("--all",), ("--shortest",)):
            for turn in ("black", "white"):
                words = ("solve", "-", "--size", size, "--turn", turn, *option)
                assert f"\n{verdict}\n" in run(*words, stdin=moves)[0]


@pytest.mark.parametrize("options", [(), ("--shortest",)])
@pytest.mark.parametrize(
    ("rule", "turn", "begins"),
    [("RU[swap]", "white", "If nobody swaps: "), ("RU[swap]", "black", ""), ("", "white", "")],
)
def test_the_answer_before_a_swap_assumes_no_swap(options, rule, turn, begins):
    """Before a possible swap the answer says that it assumes none, as `analyze` does."""
    record, options = f"(;FF[4]GM[11]SZ[4]{rule};B[b3])", (*options, "--turn", turn)
    stdout, _, code = run("solve", "-", *options, stdin=record)

    assert code == 0
    assert f"\n{begins}Black wins" in stdout
    found = json.loads(run("solve", "-", *options, "--json", stdin=record)[0])
    assert found["before_swap"] is bool(begins)


def test_no_winner_is_reported_when_the_time_is_up():
    """When time is up, no winner is named."""
    words = ("solve", "-", "--size", "9", "--time", "0")
    stdout, _, code = run(*words, stdin="a9")
    found = json.loads(run(*words, "--json", stdin="a9")[0])

    assert "Not solved in that time." in stdout
    assert code == 1
    assert (found["winner"], found["winning_moves"], found["complete"]) == (None, [], False)


def test_an_incomplete_list_reports_that_more_moves_may_win(monkeypatch):
    """If time ended early, the list of winning moves says that more may win."""
    solve = Solver.solve

    def cut(*position, **more):
        return replace(solve(*position, **more), complete=False)

    monkeypatch.setattr(Solver, "solve", cut)
    every, first = (run("solve", "a1", "--size", "3", *more) for more in (["--all"], []))
    more = "There was no time for the other moves: more of them may win."

    assert more in every[0]
    assert every[2] == 1
    assert more not in first[0]
    assert first[2] == 0


@pytest.mark.parametrize("without", NAMES)
def test_the_answer_is_the_same_without_a_technique(without):
    """Without a technique, or with two threads, the answer is the same."""
    words = ("solve", PUZZLES, "--id", "5x5-henderson-11", "--all", "--json")
    usual, other = (
        json.loads(run(*words, *more)[0]) for more in ((), ("--without", without, "--threads", "2"))
    )

    assert (other["winning_moves"], other["complete"]) == (usual["winning_moves"], True)


def test_opening_maps(tmp_path):
    """An opening map is written as text, SVG, a tag or JSON."""
    picture = tmp_path / "map.svg"
    stdout, _, code = run("solve", "--openings", "3", "--ascii", "--svg", str(picture))

    assert code == 0
    assert stdout.splitlines()[:7] == [
        "  a b c",
        "1  . . *  1",
        " 2  * * *  2",
        "  3  * . .  3",
        "      a b c",
        "",
        "5 of 9 openings win for Black.",
    ]
    assert picture.read_text().startswith("<svg")
    tag = '<hexboard size="3x3" coords="show" contents="S c1 a2 b2 c2 a3" />\n'
    assert run("solve", "--openings", "3", "--hexboard")[0] == tag
    two = run("solve", "#3,a1b2", "#3,a1c2", "--hexboard")[0]
    assert [line.split()[0] for line in two.splitlines()] == ["<hexboard", "<hexboard"]
    found = json.loads(run("solve", "--openings", "4x5", "--json")[0])
    assert (found["columns"], found["rows"], found["wins"]) == (4, 5, [])
    assert sum(opening["nodes"] for opening in found["openings"]) == found["nodes"]
    assert {opening["winner"] for opening in found["openings"]} == {"white"}
    assert len(found["openings"]) == 10


def test_a_written_proof_verifies_and_a_changed_one_is_rejected(tmp_path):
    """A written proof verifies, and is refused once a cell is changed."""
    proof = tmp_path / "proof"
    stdout, _, code = run("solve", "-", "--size", "5", "--proof", str(proof), stdin="b3")
    assert code == 0
    assert stdout.splitlines()[-1].startswith(f"{proof}: ")
    stdout, _, code = run("verify", str(proof))
    sentence = "The proof holds: Black wins this position of "
    assert (code, stdout.splitlines()[-2].startswith(sentence)) == (0, True)
    found = json.loads(run("verify", str(proof), "--json")[0])
    assert (found["winner"], found["position"]["black"]) == ("black", ["b3"])

    proof.write_text(proof.read_text().replace('"black": ["b3"', '"black": ["b4"', 1))
    stdout, stderr, code = run("verify", str(proof))
    assert (stdout, code) == ("", 1)
    assert re.fullmatch(
        rf"{proof}: line 1: refers to line \d+, which does not settle this position\n", stderr
    )


def test_missing_proofs_of_openings_are_written_and_others_left_alone(tmp_path):
    """One proof per opening is written, up to symmetry, and existing proofs are left alone."""
    folder, board = tmp_path / "new" / "proofs", Board(3, 3)
    words = "solve", "--openings", "3", "--proofs", str(folder)
    first = run(*words)[0].splitlines()[-1]
    written = {path.stem: path.read_text() for path in folder.iterdir()}
    (folder / "b2.proof").unlink()
    (folder / "a1.proof").write_text(of_a1 := written["a1"].replace("}\n", " }\n"))
    again = run(*words, "--json")
    by_opening = {one["cell"]: one["winner"] for one in json.loads(again[0])["openings"]}

    assert first == f"{folder}: 5 proofs written."
    assert again[1:] == (f"{folder}: 1 proof written, 4 were there.\n", 0)
    assert (folder / "b2.proof").read_text() == written["b2"]
    assert (folder / "a1.proof").read_text() == of_a1 != written["a1"]
    for name, text in written.items():
        proved = verify(text)
        assert proved.position == Position.of(board).play(board.cell(name))
        assert proved.winner.word == by_opening[name]


def test_a_folder_with_other_proofs_is_refused_before_the_search(tmp_path):
    """A folder with other proofs is refused before the search, and its files are unchanged."""
    folder = tmp_path / "proofs"
    words = "--proofs", str(folder)
    run("solve", "--openings", "2", *words)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    other = run("solve", "--openings", "3", *words)
    (folder / "b1.proof").write_text("mine")
    mine = run("solve", "--openings", "2", *words)

    assert other == ("", f"{folder}/b1.proof: not the proof of b1 on 3x3: take another folder\n", 3)
    assert mine[1].startswith(f"{folder}/b1.proof: line 1: not JSON: ")
    assert (mine[0], mine[2]) == ("", 3)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before | {
        "b1.proof": b"mine"
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-", "--size", "3"), "--proofs needs --openings"),
        (("--openings", "3", "--jobs", "1"), "do not go with --workers"),
        (("--openings", "3", "--resume", "new/"), "a folder as --resume"),
    ],
)
def test_the_proofs_option_rejects_incompatible_options(tmp_path, words, message):
    _, stderr, code = run("solve", *words, "--proofs", str(tmp_path / "proofs"), stdin="b2")

    assert (code, message in stderr) == (2, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", [("solve",), ("solve", PUZZLES, "--id", "5x5-berge-1", "--openings", "3")]
)
def test_solve_needs_either_a_file_or_openings(words):
    """Either a file or --openings is needed, not both."""
    assert run(*words)[2] == 2


def test_a_device_is_rejected_as_a_table():
    """A device is refused as a table, as reading it may never end."""
    _, stderr, code = run("solve", "-", "--size", "3", "--resume", "/dev/zero", stdin="b2")

    assert (code, stderr) == (3, "/dev/zero: not a file that can keep a table\n")


@needs_full_device
@pytest.mark.parametrize("option", ["--proof", "--svg"])
def test_an_answer_is_printed_before_files_are_written(option):
    """The answer is printed before files are written, even if writing fails."""
    stdout, stderr, code = run(
        "solve", "-", "--size", "4", "--json", option, "/dev/full", stdin="b4"
    )

    assert json.loads(stdout)["winner"] == "white"
    assert (code, stderr.splitlines()[-1].startswith("/dev/full: ")) == (1, True)


@pytest.mark.slow
def test_a_proof_is_verified_by_processes(tmp_path):
    """Several processes verify a proof with the same answer or the same failing line."""
    path = tmp_path / "a2.proof"
    run("solve", "-", "--size", "6", "--proof", str(path), stdin="b4")
    here, there = run("verify", str(path)), run("verify", str(path), "--workers", "2")
    lines = path.read_text().splitlines()
    lines[-1] = lines[-1].replace('"black"', '"white"', 1)
    path.write_text("\n".join(lines))

    assert here == there
    assert here[2] == 0
    assert run("verify", str(path), "--workers", "2") == run("verify", str(path))


def test_a_false_table_gives_no_proof(tmp_path):
    """A false table is believed, as --help says, but gives no proof."""
    path, proof = tmp_path / "b4.table", tmp_path / "b4.proof"
    words = "solve", "-", "--size", "4", "--resume", str(path)
    run(*words, stdin="b4")
    table, board = NodeTable(10_000), Board(4, 4)
    table_file.load(table, board, path)
    for node in table.nodes.values():
        if node.winner is not None:
            node.winner = 1 - node.winner
    table_file.save(table, board, path)
    _, stderr, code = run(*words, "--proof", str(proof), stdin="b4")

    assert code == 1
    assert stderr.startswith(f"{path}: false: the answer has no proof: ")
    words = "solve", "--openings", "4", "--resume", str(path), "--proofs", str(tmp_path / "proofs")
    assert run(*words)[1:] == (stderr, 1)
    assert "believed" in run("solve", "--help")[0]


def test_a_proof_is_verified_from_stdin(tmp_path):
    path = tmp_path / "b4.proof"
    run("solve", "-", "--size", "4", "--proof", str(path), stdin="b4")

    assert run("verify", "-", stdin=path.read_text()) == run("verify", str(path))
    assert run("verify", "-", stdin="")[1:] == (f"-: line 1: empty{HINT}\n", 3)


def test_several_proofs_are_verified(tmp_path):
    """Several proofs are verified under their names; a bad one sets only the exit code."""
    first, second, other = (tmp_path / name for name in ("b2.proof", "c1.proof", "no.proof"))
    for path, move in ((first, "b2"), (second, "c1")):
        run("solve", "-", "--size", "3", "--proof", str(path), stdin=move)
    other.write_text("something else\n")
    files = [str(path) for path in (first, other, second)]
    stdout, stderr, code = run("verify", *files)
    found = [json.loads(line) for line in run("verify", *files, "--json")[0].splitlines()]

    assert (stderr.count("\n"), code) == (1, 3)
    assert stderr.startswith(f"{other}: line 1: not JSON")
    assert [line for line in stdout.splitlines() if line.endswith(".proof:")] == [
        f"{path}:" for path in files
    ]
    assert run("verify", str(second))[0] in stdout
    assert [each["file"] for each in found] == [str(first), str(second)]


def test_an_unreadable_file_is_bad_input_and_hides_no_other_proof(tmp_path, monkeypatch):
    """An unreadable file is bad input for each command that verifies, and hides no other."""
    path, shut = tmp_path / "b2.proof", tmp_path / "shut.proof"
    run("solve", "-", "--size", "3", "--proof", str(path), stdin="b2")
    shut.write_text("")
    opened = Path.open

    def refuse(file, *how, **named):
        if file == shut:
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        return opened(file, *how, **named)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("os.access", lambda file, _how: str(file) != str(shut))
    stdout, stderr, code = run("verify", str(shut), str(path))

    assert (stderr, code) == (f"{shut}: Permission denied\n", 3)
    assert "The proof holds" in stdout
    assert run("dark", "verify", str(shut))[1:] == (stderr, 3)
    assert run("dark", "show", str(shut))[1:] == (stderr, 3)
    assert run("learn", "gate", str(shut))[1:] == (stderr, 3)


def test_a_missing_net_is_bad_input(tmp_path):
    """A missing net is bad input, whichever option or argument names it."""
    net = tmp_path / "no.npz"
    said = ("", f"{net}: No such file or directory\n", 3)

    assert run("learn", "gate", str(net)) == said
    assert run("learn", "gate", "positions/net.npz", "--against", str(net)) == said
    assert run("learn", "play", str(tmp_path / "games"), "--net", str(net)) == said


def test_endless_input_is_rejected_as_a_proof(tmp_path):
    """An endless line, or endless lines, are refused as a proof after a limit."""
    proof = tmp_path / "b4.proof"
    run("solve", "-", "--size", "4", "--proof", str(proof), stdin="b4")
    said = run("verify", "/dev/zero")
    command = f"(cat {proof}; yes '{proof.read_text().splitlines()[-1]}') | "
    words = f"{command} {sys.executable} -m player.cli verify -"
    more = subprocess.run(  # noqa: S602 - our own words
        words, check=False, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=300
    )

    assert said[1:] == ("/dev/zero: line 1: longer than 16,000,000 bytes\n", 3)
    assert more.returncode == 1
    assert more.stderr.startswith("-: line 1: ")
    assert more.stderr.endswith(" lines should follow, not more\n")


@pytest.mark.parametrize("schema", ["x" * 5_000_000, 5, None, ["x"] * 1000])
def test_a_wrong_schema_is_shortened_in_the_message(tmp_path, schema):
    path = tmp_path / "long.proof"
    path.write_text(json.dumps({"schema": schema}) + "\n")
    _, stderr, code = run("verify", str(path))

    assert code == 3
    assert stderr.startswith(f"{path}: line 1: not a proof of this version")
    assert len(stderr) - len(str(path)) < 200


def test_a_missing_proof_is_bad_input():
    """A missing proof is bad input."""
    _, stderr, code = run("verify", "nowhere.proof")

    assert code == 3
    assert stderr == "nowhere.proof: No such file or directory\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: empty"),
        (b"\n", "line 1: not JSON: "),
        (b"{}", "line 1: not a proof: it has no `schema`, which is hsearch/proof/3 in a proof"),
        (b'{"schema": "hsearch/proof/3"}', "line 1: object missing required field columns"),
        (b"\xff", "line 1: not JSON"),
    ],
)
def test_a_file_that_is_not_a_proof_is_bad_input(tmp_path, content, message):
    """A file that is no proof is bad input; only a proof can fail to verify."""
    path = tmp_path / "proof"
    path.write_bytes(content)
    stdout, stderr, code = run("verify", str(path))

    assert (stdout, code) == ("", 3)
    assert stderr.startswith(f"{path}: {message}")
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("size", ["0", "27", "3x30"])
def test_openings_of_an_impossible_size_are_wrong_usage(size):
    """An impossible size of openings is wrong usage, and the valid sizes are named."""
    stdout, stderr, code = run("solve", "--openings", size)

    assert (stdout, code) == ("", 2)
    assert "--openings: board size out of range: " in stderr
    assert "(1x1 to 26x26)" in stderr


def test_one_position_is_written_in_the_singular(tmp_path):
    """One position is written in the singular."""
    proof = tmp_path / "proof"
    stdout = run("solve", "-", "--size", "2", "--proof", str(proof), stdin="a1")[0]
    checked = run("verify", str(proof))[0]

    assert re.search(r"\n1 position in [\d.]+ s\.\n.*: 1 position\.\n$", stdout)
    assert re.search(r"\n1 position, \d+ derived connections\.\n$", checked)


def test_kernels_are_compiled_before_solving(monkeypatch):
    """Kernels are compiled before the clock starts."""
    done = []
    for name in ("prepare", "solve"):
        known = getattr(Solver, name)

        def noted(self, *rest, name=name, known=known, **options):
            done.append(name)
            return known(self, *rest, **options)

        monkeypatch.setattr(Solver, name, noted)
    run("solve", "-", "--size", "3", "--time", "10", stdin="a1")
    run("solve", "--openings", "2")

    assert done == ["prepare", "solve", "prepare"]


def test_a_table_of_another_board_is_refused_and_left_unchanged(tmp_path):
    """A table of another board is refused in one line and left unchanged."""
    table = tmp_path / "table"
    assert run("solve", "--openings", "3", "--resume", str(table))[2] == 0
    before = table.read_bytes()
    stdout, stderr, code = run("solve", "--openings", "4", "--resume", str(table))

    assert (stdout, code) == ("", 3)
    assert stderr == f"{table}: a table for 3x3, not 4x4\n"
    assert table.read_bytes() == before


@pytest.mark.parametrize("name", [None, "table", "no/table", "jobs/"])
def test_an_interruption_reports_what_was_saved(tmp_path, monkeypatch, name):
    """An interruption ends with 130 and says what was saved."""

    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Coordinator, "run", interrupt)
    monkeypatch.setattr(Solver, "solve", interrupt)
    words = [] if name is None else ["--resume", f"{tmp_path}/{name}"]
    stdout, stderr, code = run("solve", "-", "--size", "3", *words, stdin="a1")
    finished = "Interrupted; what was finished is in {}, and the same command resumes."
    left = {
        None: "Interrupted; nothing was saved: --resume FILE keeps what is known.",
        "table": finished.format(tmp_path / "table"),
        "no/table": "Interrupted; nothing was saved.",
        "jobs/": finished.format(tmp_path / "jobs"),
    }

    assert (stdout, code) == ("", 130)
    assert stderr.splitlines()[-1] == left[name]
    assert (tmp_path / "table").exists() is (name == "table")


def test_a_failed_search_without_a_folder_names_no_folder(monkeypatch):
    """A failed search by jobs without a folder names no folder."""

    def fail(*_arguments, **_options):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(Coordinator, "run", fail)
    _, stderr, code = run("solve", "--openings", "3", "--workers", "2")

    assert (stderr.splitlines()[-1], code) == ("hsearch: Resource temporarily unavailable", 1)


def test_a_table_that_cannot_be_saved_is_a_failure(tmp_path):
    """A table that cannot be saved is a failure, but the answer is still printed."""
    table = tmp_path / "no" / "table"
    stdout, stderr, code = run("solve", "--openings", "2", "--json", "--resume", str(table))

    assert (json.loads(stdout)["wins"], code) == (["b1", "a2"], 1)
    assert stderr == f"warning: {table}: not saved: No such file or directory\n"


def knows(table, position):
    """Return whether a table, which may not exist yet, holds the answer to a position."""
    solver = Solver(position.board)
    if table.exists():
        solver.load(table)
    return solver.solve(position, seconds=0).winner is not None


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_stopped_solver_resumes_from_its_table(tmp_path, ending):
    """A stopped solver continues from the table it has left."""
    table, d4 = tmp_path / "table", Position.of(Board(7, 7)).play(24)
    words = [sys.executable, "-m", "player.cli", "solve", "--openings", "7", "--resume", str(table)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(  # noqa: S603 - our own words
        words, env=environment, stdout=subprocess.DEVNULL
    ) as solver:
        while not knows(table, d4):
            assert solver.poll() is None
            time.sleep(0.05)
        solver.send_signal(ending)
        code = solver.wait()
    assert code == (-signal.SIGKILL if ending is signal.SIGKILL else 130)

    stdout, _, code = run("solve", "-", "--size", "7", "--json", "--resume", str(table), stdin="d4")
    assert (json.loads(stdout)["winner"], code) == ("black", 0)
    assert json.loads(stdout)["nodes"] == 0  # the opening that the map solves first


def test_only_one_process_at_a_time_writes_to_a_table(tmp_path):
    """Only one process at a time may write to a table, so that none overwrites another's."""
    table, words = tmp_path / "six.table", ("solve", "a1", "--size", "4", "--resume")
    with alone(table, ValueError):
        refused = CliRunner().invoke(main, [*words, str(table)])
    done = CliRunner().invoke(main, [*words, str(table)])

    assert refused.exit_code == 3
    assert refused.stderr == f"{table}: another process is writing to it\n"
    assert done.exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["six.table"]
