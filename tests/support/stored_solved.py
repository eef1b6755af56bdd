"""Files of the solver and the template search: tables, proofs, progress, suites."""

import json
from hashlib import sha256
from pathlib import Path

from stored_format import Mutate, StoredFormat, cli

from hsearch.formats import suite
from hsearch.formats.error import FormatError
from hsearch.hex.board import Board
from hsearch.hex.position import Position
from hsearch.strategy.template_search import TemplateSearch, TemplateWindow
from hsearch.strategy.template_search import read as read_progress
from hsearch.strategy.template_search import write as write_progress
from player.solve.job import run_job
from player.solve.job_folder import JobFolder, JobFolderError, read_tree
from player.solve.job_tree import JobTree
from player.solve.proof_line import ProofError
from player.solve.solver import Solver
from player.solve.table import TableError
from player.solve.verify import verify


def _made_table(path: Path) -> None:
    solver = Solver(Board(3, 3))
    cli("solve", "-", "--size", "3", "--resume", str(path), typed="a1")
    solver.load(path)


def _resummed(content: bytes, mutate: Mutate) -> bytes:
    """Damage the records of a table, and correct the checksum in its header."""
    head, _, payload = content.partition(b"\n")
    thing, payload = json.loads(head), mutate(payload)
    record = len(content.partition(b"\n")[2]) // thing["nodes"]
    thing |= {"nodes": len(payload) // record, "sha256": sha256(payload).hexdigest()}
    return json.dumps(thing).encode() + b"\n" + payload


def _made_proof(path: Path) -> None:
    cli("solve", "-", "--size", "5", "--proof", str(path), typed="d3 b5 d1 e5")  # with regions


WINDOW = TemplateWindow(2, 1, 4)


def _made_progress(path: Path) -> None:
    search = TemplateSearch(WINDOW)
    for _ in search.run():
        break
    path.write_text(write_progress(search.progress, WINDOW))


def _progress_command(path: Path) -> tuple[list[str], str]:
    return ["template", "find", "--row", "2", "--columns", "4", "--resume", str(path)], ""


def _made_suite(path: Path) -> None:
    path.write_text(cli("template", "find", "--row", "2", "--columns", "4"))


def _made_tree(path: Path) -> None:
    """Write an upper tree with a few open positions."""
    board = Board(4, 4)
    folder, tree = (
        JobFolder(path.with_name(f"{path.name}.folder"), board),
        JobTree(board, smallest=1),
    )
    folder.path.mkdir()
    for cell in (0, 1, 2):
        job = tree.next_job([Position.of(board).play(cell)])
        if job is not None:
            tree.keep(run_job(job))
    folder.save(tree)
    path.write_bytes((folder.path / "tree.jsonl").read_bytes())


def _resummed_tree(content: bytes, mutate: Mutate) -> bytes:
    """Damage the lines of an upper tree, and correct the checksum in its header."""
    head, _, payload = content.partition(b"\n")
    thing, payload = json.loads(head), mutate(payload)
    thing |= {"lines": len(payload.splitlines()), "sha256": sha256(payload).hexdigest()}
    return json.dumps(thing).encode() + b"\n" + payload


SOLVED: tuple[StoredFormat, ...] = (
    StoredFormat(
        "upper tree of jobs",
        ("player/solve/job_folder",),
        _made_tree,
        lambda path: read_tree(path, JobTree(Board(4, 4))),
        (JobFolderError,),
        _resummed_tree,
    ),
    StoredFormat(
        "table of the solver",
        ("player/solve/table",),
        _made_table,
        lambda path: Solver(Board(3, 3)).load(path),
        (TableError,),
        _resummed,
        lambda path: (["solve", "-", "--size", "3", "--resume", str(path)], "a1"),
    ),
    StoredFormat(
        "proof",
        ("player/solve/verify", "player/solve/proof", "player/cli/solving"),
        _made_proof,
        lambda path: verify(path.read_text(encoding="utf-8")),
        (ProofError, UnicodeDecodeError),
        command=lambda path: (["verify", str(path)], ""),
    ),
    StoredFormat(
        "search for templates",
        ("hsearch/strategy/template_search", "player/cli/template"),
        _made_progress,
        lambda path: read_progress(path.read_bytes(), WINDOW),
        (ValueError,),
        command=_progress_command,
    ),
    StoredFormat(
        "suite",
        ("player/cli/template", "player/cli/puzzles"),
        _made_suite,
        lambda path: suite.read(path.read_text(encoding="utf-8")),
        (FormatError, UnicodeDecodeError),
        command=lambda path: (["show", str(path), "--id", "row2-1-01"], ""),
    ),
)
