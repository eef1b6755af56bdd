"""Proofs of parts merge into one proof, which is verified like any other."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.cli import main
from player.solve import job_folder
from player.solve.job_folder import ProofJob, run_proof_job
from player.solve.proof import merge, read_part, write
from player.solve.proof_line import ProofError
from player.solve.solver import Solver
from player.solve.table import pack
from player.solve.verify import verify

BOARD = Board(6, 6)
B4 = Position.of(BOARD).play(BOARD.cell("b4"))


def proved(folder, position, name):
    """Write the proof of a position into a folder; return its path."""
    path = folder / f"{name}.proof"
    path.write_text(write(Solver(position.board), position))
    return path


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return the proofs of four answers to b4 on 6x6."""
    folder = tmp_path_factory.mktemp("answers")
    return [proved(folder, B4.play(BOARD.cell(cell)), cell) for cell in ("c3", "d3", "c4", "d2")]


def test_separate_proofs_merge_into_one(answers, tmp_path):
    """The merged proof holds alone and repeats no position; no proved part is searched again."""
    parts, solver = [read_part(path) for path in answers], Solver(BOARD)
    for part in parts:
        solver.learn(part)
    text = write(solver, B4, parts=parts)
    merged = tmp_path / "b4.proof"
    lines = merge(text, answers, merged)
    found = verify(merged.read_text())

    assert text.count('"part"') >= 3
    assert (found.position, found.winner, found.positions) == (B4, Color.BLACK, lines)
    told = [json.loads(line) for line in merged.read_text().splitlines()[1:]]
    stones = {(*sorted(line["black"]), "-", *sorted(line["white"])) for line in told}
    assert len(stones) == lines
    assert text.count("\n") - 1 < lines


def test_a_proof_job_does_not_search_its_proved_parts(answers, monkeypatch):
    """The worker knows the parts as lemmas, although its table lacks the position."""
    part, solvers = read_part(answers[0]), []

    def written(solver, position, **more):
        solvers.append(solver)
        return write(solver, position, **more)

    monkeypatch.setattr(job_folder, "write", written)
    known = pack([], BOARD)
    for memory, parts in ((50, ()), (60, (part,))):  # a memory of its own gives each a new worker
        run_proof_job(ProofJob("b4", None, part.start, known, parts, memory))

    assert [solver.nodes > 0 for solver in solvers] == [True, False]


@settings(max_examples=40)
@given(st.data())
def test_any_parts_of_a_position_merge_into_a_proof(tmp_path_factory, data):
    """Parts after random moves merge into a proof, and the carrier of each part suffices."""
    position = data.draw(positions(max_side=4))
    if winner(position) is not None:
        return
    folder, cells = tmp_path_factory.mktemp("parts"), list(position.empty.search(1))
    paths = []
    for number, line in enumerate(data.draw(st.lists(st.permutations(cells), max_size=4))):
        below = position
        for cell in line[: 1 + number]:
            if winner(below) is None:
                below = below.play(cell)
        paths.append(proved(folder, below, number))
    parts, solver = [read_part(path) for path in paths], Solver(position.board)
    for part in parts:
        solver.learn(part)
        others = [part.start.black, part.start.white]
        loser = part.winner.opponent
        others[loser] = others[loser] | (part.start.empty & ~part.carrier)
        rest = Position(position.board, *others, loser)
        assert Solver(position.board).outcome(rest) is part.winner
    merge(write(solver, position, parts=parts), paths, folder / "merged")
    found = verify((folder / "merged").read_text())

    assert found.position == position
    assert found.winner is Solver(position.board).outcome(position)


def test_merging_keeps_different_claims_about_one_position(tmp_path):
    """With regions filled a proof needs less, and settles positions that the other does not.

    The merged proof of f4 on 8x8 did not hold, because each position was written only once.
    """
    board = Board(5, 5)
    black, white = (board.only(*map(board.cell, names.split())) for names in ("e1 d2 e2", "e4 a5"))
    position, corner = Position(board, black, white, Color.WHITE), board.cell("a1")
    path = tmp_path / "more.proof"
    path.write_text(write(Solver(board), position, fills_regions=False))
    head, *lines = map(json.loads, write(Solver(board), position).splitlines())
    for line in lines:  # the line of the part comes before these
        if "filled" in line:
            line["filled"] += 1
        for reply in line.get("replies", {}).values():
            reply[1] += 1
    part = {"black": head["black"], "white": head["white"], "part": 0}
    head |= {"white": ["a1", *head["white"]], "root": head["root"] + 1, "lines": len(lines) + 1}
    text = "".join(f"{json.dumps(line)}\n" for line in (head, part, *lines))

    assert read_part(path).carrier[corner]
    merge(text, [path], tmp_path / "merged")
    found = verify((tmp_path / "merged").read_text())
    assert (found.winner, found.position.white[corner]) == (Color.BLACK, True)


def test_a_proof_without_its_parts_is_rejected(answers, tmp_path):
    """An unmerged proof is rejected, and so is a part that proves another position."""
    parts = [read_part(path) for path in answers]
    text = write(Solver(BOARD), B4, parts=parts)
    with pytest.raises(ProofError, match="a part proves this, which is to be merged first"):
        verify(text)
    with pytest.raises(ProofError, match=r"^line \d+: .*\.proof proves another position$"):
        merge(text, [*answers[1:], answers[0]], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize("turn", [Color.BLACK, Color.WHITE])
def test_a_part_may_depend_on_a_line_about_another_position(tmp_path, turn):
    """A line without the white stone settles the position of the part."""
    board = Board(3, 3)
    centre = write(Solver(board), Position.of(board, black="b2", turn=Color.WHITE))
    head, *lines = map(json.loads, centre.splitlines())
    head |= {"white": ["a2"]}
    if turn is Color.BLACK:
        head |= {"black": [], "turn": "black", "first": "b2"}
    path, merged, solver = tmp_path / "b2.proof", tmp_path / "merged", Solver(board)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (head, *lines)))
    solver.learn(read_part(path))
    position = Position.of(board, black="b2" * (turn is Color.WHITE), white="a2", turn=turn)
    text = write(solver, position, parts=[read_part(path)])

    merge(text, [path], merged)
    assert '"part"' in text
    assert verify(merged.read_text()).position == position


def run(*words, stdin=None):
    """Return the stdout, the stderr and the exit code of a command."""
    result = CliRunner().invoke(main, words, input=stdin)
    return result.stdout, result.stderr, result.exit_code


def test_solve_takes_parts(answers, tmp_path):
    """`solve` takes a folder of proofs as parts; the new proof verifies alone."""
    out = tmp_path / "b4.proof"
    words = ("solve", "-", "--size", "6", "--parts", str(answers[0].parent), "--proof", str(out))
    stdout, _, code = run(*words, stdin="b4")

    assert code == 0
    assert "Black wins, whatever White does." in stdout
    assert f"{out}: {verify(out.read_text()).positions} positions." in stdout


# A false win for White after b4, by a line on a full board.
FORGED = "".join(
    json.dumps(line) + "\n"
    for line in (
        {"schema": "hsearch/proof/3", "columns": 6, "rows": 6, "black": ["b4"], "white": []}
        | {"turn": "white", "winner": "white", "first": "a1", "root": 1, "lines": 1},
        {"black": Board(6, 6).names(~Board(6, 6).only()), "white": []}
        | {"threats": [], "replies": {}, "steps": []},
    )
)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.proof", "what is this", "{}: line 1: "),
        ("x.proof", FORGED, "{}: line 2: black has won this position by a chain"),
        ("x.proof", None, "{}: a proof for 3x3, not 6x6"),
        ("x.txt", "", "{folder}: no proofs there, as NAME.proof"),
    ],
)
def test_invalid_parts_are_reported_with_their_file(tmp_path, name, text, message):
    """The error is one line that names the file."""
    path = tmp_path / name
    small = Position.of(Board(3, 3))
    path.write_text(write(Solver(small.board), small) if text is None else text)
    stdout, stderr, code = run("solve", "-", "--size", "6", "--parts", str(tmp_path), stdin="b4")

    assert (stdout, code, stderr.count("\n")) == ("", 3, 1)
    assert stderr.startswith(message.format(path, folder=tmp_path))
