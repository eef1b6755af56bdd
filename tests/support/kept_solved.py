"""What the solver and the search for templates leave behind: tables, proofs, progress, suites."""

import json
from hashlib import sha256
from pathlib import Path

from kept_format import Kept, Mutate, cli

from hsearch.board import Board
from hsearch.formats import FormatError
from hsearch.formats import suite as suites
from hsearch.position import Position
from hsearch.template.find import TemplateSearch
from hsearch.template.progress import read as read_progress
from hsearch.template.progress import write as write_progress
from hsearch.template.window import TemplateWindow
from player.jobs import JobFolder, JobFolderError, JobTree, run_job
from player.jobs.folder import read_tree
from player.solve import Solver, TableError
from player.solve.verify import ProofError, verify


def _made_table(path: Path) -> None:
    solver = Solver(Board(3, 3))
    cli("solve", "-", "--size", "3", "--table", str(path), typed="a1")
    solver.load(path)


def _resummed(content: bytes, mutate: Mutate) -> bytes:
    """Damage the records of a table, and let its head fit them again."""
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
    return ["template", "find", "--row", "2", "--columns", "4", "--state", str(path)], ""


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
    """Damage the lines of an upper tree, and let its head fit them again."""
    head, _, payload = content.partition(b"\n")
    thing, payload = json.loads(head), mutate(payload)
    thing |= {"lines": len(payload.splitlines()), "sha256": sha256(payload).hexdigest()}
    return json.dumps(thing).encode() + b"\n" + payload


SOLVED: tuple[Kept, ...] = (
    Kept(
        "upper tree of jobs",
        ("player/jobs/folder",),
        _made_tree,
        lambda path: read_tree(path, JobTree(Board(4, 4))),
        (JobFolderError,),
        _resummed_tree,
    ),
    Kept(
        "table of the solver",
        ("player/solve/table_file",),
        _made_table,
        lambda path: Solver(Board(3, 3)).load(path),
        (TableError,),
        _resummed,
        lambda path: (["solve", "-", "--size", "3", "--table", str(path)], "a1"),
    ),
    Kept(
        "proof",
        ("player/solve/verify", "player/solve/parts", "player/cli/parts"),
        _made_proof,
        lambda path: verify(path.read_text(encoding="utf-8")),
        (ProofError, UnicodeDecodeError),
        command=lambda path: (["verify", str(path)], ""),
    ),
    Kept(
        "search for templates",
        ("hsearch/template/progress", "player/cli/template_find"),
        _made_progress,
        lambda path: read_progress(path.read_bytes(), WINDOW),
        (ValueError,),
        command=_progress_command,
    ),
    Kept(
        "suite",
        ("player/cli/template_find", "player/cli/puzzles"),
        _made_suite,
        lambda path: suites.read(path.read_text(encoding="utf-8")),
        (FormatError, UnicodeDecodeError),
        command=lambda path: (["show", str(path), "--id", "row2-1-01"], ""),
    ),
)
