"""`hsearch solve` by jobs: a folder that can be resumed, and errors."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.cli import main
from player.search.openings import load_chart
from player.solve import table as table_file
from player.solve.coordinator import Coordinator
from player.solve.job_folder import JobFolder, Proving, run_check, run_proof_job
from player.solve.job_tree import JobTree
from player.solve.proof import merge
from player.solve.table import NodeTable
from player.solve.verify import verify
from player.work.spread import WorkerPool


def run(*words, stdin=None):
    """Return the stdout, the stderr and the exit code of a command."""
    result = CliRunner().invoke(main, words, input=stdin)
    return result.stdout, result.stderr, result.exit_code


def test_the_openings_of_4x4_are_solved_with_proofs(tmp_path):
    """The command prints the map and a summary; the proof of each opening verifies."""
    folder = str(tmp_path / "days") + "/"
    stdout, _, code = run("solve", "--openings", "4", "--resume", folder, "--ascii")

    assert code == 0
    assert stdout.splitlines()[1:5] == [
        "1  L L L W  1",
        " 2  L L W L  2",
        "  3  L W L L  3",
        "   4  W L L L  4",
    ]
    assert "8 of 8 openings settled, up to half a turn: 2 won by Black (W), 6 lost (L)." in stdout
    proofs = sorted((tmp_path / "days" / "proofs").iterdir())
    assert len(proofs) == 8
    for path in proofs:
        proved = verify(path.read_text())
        assert proved.position.board.names(proved.position.black) == [path.stem]
        assert (proved.winner.word == "black") == (path.stem in {"d1", "c2"})

    again = json.loads(run("solve", "--openings", "4", "--resume", folder, "--json")[0])
    assert {one["cell"] for one in again["openings"] if one["winner"] == "black"} == {"d1", "c2"}
    assert all(one["proof"] is None for one in again["openings"])


@pytest.mark.parametrize("asked", [("--openings", "3"), ("b2", "--size", "3")])
@pytest.mark.parametrize(("owner", "written"), [(JobFolder, "save"), (Proving, "keep")])
def test_the_answer_is_printed_if_the_disk_is_full(tmp_path, monkeypatch, asked, owner, written):
    """The answer is printed, with a warning; the exit code shows that it was not stored."""

    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(owner, written, full)
    words = ("solve", *asked, "--jobs", "1", "--resume", f"{tmp_path}/jobs/")
    stdout, stderr, code = run(*words)
    has_proofs = asked[0] == "--openings"

    assert code == (written == "save" or has_proofs)
    assert ("No space left on device" in stderr) == bool(code)
    assert stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_damaged_proofs_of_the_folder_are_written_again(tmp_path, jobs):
    """A damaged proof and the proof of another position are written again."""
    folder = tmp_path / "days"
    words = "solve", "--openings", "3", "--resume", f"{folder}/", "--json", "--jobs", jobs
    run(*words)
    proofs = {path.stem: path for path in (folder / "proofs").iterdir()}
    proofs["a1"].write_text('{"schema": "hsearch/proof/3"}\n')
    proofs["b1"].write_text(proofs["c1"].read_text())
    good = proofs["c1"].stat().st_mtime_ns
    _, stderr, code = run(*words)

    assert (code, stderr) == (0, "")
    for name in ("a1", "b1"):
        proved = verify(proofs[name].read_text())
        assert proved.position.board.names(proved.position.black) == [name]
    assert proofs["c1"].stat().st_mtime_ns == good


@pytest.mark.parametrize("executor", [None, lambda: ThreadPoolExecutor(1)])
def test_each_proof_is_checked_once_it_is_written(tmp_path, monkeypatch, executor):
    """A proof that does not hold is removed with a warning; the next process writes it again."""
    board, path = Board(3, 3), tmp_path / "days"
    named = [(board.name(cell), Position.of(board).play(cell)) for cell in board.cells[:5]]
    checked, warned = [], []

    def coordinator(tree):
        made = Coordinator(tree, named, JobFolder(path, board), proofs=True)
        made.on_warning = warned.append
        made.on_progress = lambda progress: checked.append(progress.proof_count)
        return made

    def spoiling(text, paths, into):
        merge(text, paths, into)
        if into.stem == "b1":
            into.write_text(into.read_text().replace('"winner": "white"', '"winner": "black"'))

    tree = JobTree(board)
    path.mkdir()
    with monkeypatch.context() as patched:
        patched.setattr("player.solve.job_folder.merge", spoiling)
        first = coordinator(tree)
        first.run(WorkerPool(executor=executor))
    is_kept = first.is_kept
    names = {each.stem for each in path.glob("proofs/*")}
    (text,) = warned
    again = coordinator(tree)
    again.run(WorkerPool(executor=executor))

    assert names == {"a1", "c1", "a2", "b2"}
    assert not is_kept
    assert first.progress.proof_count == 4
    assert checked[0] == 0
    assert text.startswith(f"{path}/proofs/b1.proof: removed, as it does not hold: ")
    assert again.is_kept
    assert again.progress.proof_count == 5
    assert len(warned) == 1


def test_remote_workers_rewrite_a_proof_that_does_not_hold(tmp_path):
    """Remote workers do not see the folder, so files are checked after the workers return."""
    board, path = Board(3, 3), tmp_path / "days"
    named = [(board.name(cell), Position.of(board).play(cell)) for cell in board.cells[:3]]
    tree, folder = JobTree(board), JobFolder(path, board)
    path.mkdir()
    Coordinator(tree, named, folder, proofs=True).run()
    good = folder.proof("b1").read_text()
    folder.proof("b1").write_text(folder.proof("c1").read_text())
    again = Coordinator(tree, named, folder, proofs=True)
    again.run(WorkerPool(executor=lambda: ThreadPoolExecutor(1)))

    assert folder.proof("b1").read_text() == good
    assert again.progress.proof_count == 3
    assert again.left == 0


def test_a_resumed_search_checks_old_proofs_last(tmp_path):
    """Old proofs are checked last, so large ones cause no delay; new ones are checked at once."""
    board, path = Board(3, 3), tmp_path / "days"
    named = [(board.name(cell), Position.of(board).play(cell)) for cell in board.cells[:3]]
    tree, folder = JobTree(board), JobFolder(path, board)
    path.mkdir()
    Coordinator(tree, named[:1], folder, proofs=True).run()
    again, done = Coordinator(tree, named, folder, proofs=True), []
    while calls := again.take(1):
        ((function, argument),) = calls
        done.append(argument.stem if function is run_check else function)
        again._keep(function(argument))  # noqa: SLF001 - as workers do

    assert [one for one in done if isinstance(one, str)] == ["b1", "c1", "a1"]
    assert done[-1] == "a1"
    assert done[done.index("b1") - 1] is run_proof_job


def test_a_table_that_a_proof_contradicts_is_refused(tmp_path):
    folder = tmp_path / "days"
    words = "solve", "--openings", "3", "--resume", f"{folder}/"
    run(*words)
    board, table = Board(3, 3), NodeTable(10_000)
    table_file.load(table, board, folder / "table")
    for node in table.nodes.values():
        if node.winner is not None:
            node.winner = 1 - node.winner
    table_file.save(table, board, folder / "table")
    _, stderr, code = run(*words)

    assert code == 3
    assert stderr.startswith(f"{folder}/table: false: {folder}/proofs/")


def test_the_map_of_openings_uses_settled_openings(tmp_path):
    """The map uses settled openings and their rotations; a search of another board is refused."""
    board, folder = Board(9, 9), tmp_path / "days"
    tree, known = JobTree(board), load_chart(9)
    for name, winner in (("a5", Color.BLACK), ("b2", Color.WHITE)):
        position = Position.of(board).play(board.cell(name))
        tree.table.node(tree.of(position).key).settle(int(winner), int(position.turn), 0, None)
        assert not known.is_proved(board.cell(name))
    folder.mkdir()
    JobFolder(folder, board).save(tree)
    stdout, _, code = run("openings", "9", "--resume", str(folder), "--ascii")
    refused = run("openings", "5", "--resume", str(folder))
    nothing = run("openings", "9", "--resume", str(tmp_path))

    assert code == 0
    rows = [line.split()[1:-1] for line in stdout.splitlines()[1:10]]
    assert (rows[4][0], rows[4][8], rows[1][1], rows[7][7]) == ("W", "W", "L", "L")
    assert f"({sum(map(known.is_proved, board.cells)) + 4} of 81 proved)" in stdout
    assert refused[1:] == (f"{folder}/table: a table for 9x9, not 5x5\n", 3)
    assert nothing[1:] == (f"{tmp_path}: not a folder of a search by jobs\n", 3)


@pytest.mark.slow
def test_an_unfinished_search_reports_doubtful_positions(tmp_path):
    """An unfinished search has exit code 1; a second call prints the same doubtful positions."""
    words = ("solve", "--openings", "8", "--resume", str(tmp_path / "f") + "/", "--time", "1")
    told, _, code = run(*words)
    words = (*words[:-1], "0")
    assert told.splitlines()[-4:] == run(*words)[0].splitlines()[-4:]
    assert "In doubt: " in told

    words = ("solve", "--openings", "6", "--resume", str(tmp_path / "g") + "/", "--time", "0")
    stdout, _, code = run(*words)
    found = json.loads(run(*words, "--json")[0])

    assert code == 1
    assert "0 of 18 openings settled" in stdout
    assert {one["winner"] for one in found["openings"]} == {None}
    assert list(found) == [
        "schema", "columns", "rows", "jobs", "nodes", "processor_seconds", "seconds", "openings",
    ]  # fmt: skip


def test_jobs_solve_a_position_and_write_its_proof(tmp_path):
    """The answer and the proof are those of `solve` without jobs."""
    words = ("solve", "-", "--size", "5", "--jobs", "1", "--resume", str(tmp_path / "f") + "/")
    proof = tmp_path / "a2.proof"
    stdout, _, code = run(*words, "--proof", str(proof), stdin="a2")

    assert code == 0
    assert "White wins with" in stdout
    assert verify(proof.read_text()).winner.word == "white"


def test_an_unfinished_search_reports_losing_and_remaining_moves():
    """The output has the losing and the remaining moves, as text and as JSON."""
    words = ("solve", "-", "--size", "9", "--time", "0.3")
    found = json.loads(run(*words, "--json", stdin="a2 e5 d6")[0])
    stdout, _, code = run(*words, stdin="a2 e5 d6")

    assert code == 1
    assert "Shown to lose: " in stdout
    assert "most promising first" in " ".join(stdout.split())
    assert set(found["remaining"]) == {"losing", "inferior", "moves"}
    assert all(
        set(one) == {"move", "proof", "disproof", "nodes"} for one in found["remaining"]["moves"]
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--resume", "{file}", "--jobs", "2"], 3, "{file}: not a folder, which jobs need"),
        (["--resume", "{tree}"], 3, "{tree}/tree.jsonl: damaged: not the 1 lines that were saved"),
        (["--resume", "{table}"], 3, "{table}/table: damaged"),
        (["--resume", "{other}"], 3, "{other}/tree.jsonl:1: an upper tree of 4x4, not 3x3"),
        (["--resume", "{newer}"], 3, "{newer}/tree.jsonl:1: an upper tree of another version"),
        (["--resume", "{lengths}"], 3, "{lengths}/jobs.jsonl:1: not a list of jobs"),
        (["--scheduler", "tcp://127.0.0.1:1"], 1, "no scheduler at tcp://127.0.0.1:1"),
        (["--jobs", "2", "--threads", "2"], 2, "do not go with --workers"),
        (["--jobs", "2", "--all"], 2, "do not go with --workers"),
    ],
)
def test_bad_input_is_refused(tmp_path, monkeypatch, words, code, message):
    """The error is one line that names the place, and no file is changed."""
    if "--scheduler" in words:
        pytest.importorskip("distributed", reason="needs the extra `cluster`")
        monkeypatch.setattr("player.work.spread.SECONDS", 0.1)
    places = {}
    for name in ("tree", "table", "other", "newer", "lengths"):
        places[name] = tmp_path / name
        places[name].mkdir()
    places["file"] = tmp_path / "file"
    places["file"].write_text("kept")
    head = {
        "schema": "hsearch/upper-tree/2", "columns": 3, "rows": 3, "jobs": 1, "nodes": 1,
        "seconds": 1.0, "lines": 1, "sha256": "0",
    }  # fmt: skip
    (places["tree"] / "tree.jsonl").write_text(json.dumps(head) + "\n{}\n")
    (places["other"] / "tree.jsonl").write_text(json.dumps(head | {"columns": 4, "rows": 4}))
    (places["newer"] / "tree.jsonl").write_text(
        json.dumps(head | {"schema": "hsearch/upper-tree/9"})
    )
    (places["table"] / "table").write_bytes(
        b'{"schema": "hsearch/table/1", "columns": 3, "rows": 3, "nodes": 1, "sha256": "0"}\nx'
    )
    (places["lengths"] / "jobs.jsonl").write_text("what is this")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    stdout, stderr, given = run(
        "solve", "--openings", "3", *(word.format(**places) for word in words)
    )

    assert (given, stdout) == (code, "")
    assert message.format(**places) in stderr
    assert stderr.count("\n") == 1 or code == 2
    assert all(path.read_bytes() == content for path, content in before.items())


@pytest.mark.slow
def test_a_killed_search_resumes(tmp_path):
    """After coordinator and workers were killed amid their jobs, the map is the known one."""
    words = ["solve", "--openings", "5", "--resume", f"{tmp_path / 'f'}/", "--json", "--jobs"]
    noted = tmp_path / "f" / "jobs.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for jobs, lines in (("2", 3), ("1", 8)):  # of 13 first jobs, three are done, then five more
        with subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "player.cli", *words, jobs],
            env=environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as search:  # fmt: skip
            while search.poll() is None and (
                not noted.exists() or noted.read_bytes().count(b"\n") < lines
            ):
                time.sleep(0.002)
            os.killpg(search.pid, signal.SIGKILL)
    found = json.loads(run(*words, "1")[0])

    chart, board = load_chart(5), Board(5, 5)
    for one in found["openings"]:
        assert (one["winner"] == "black") == chart.wins(board.cell(one["cell"]))
