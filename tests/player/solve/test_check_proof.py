"""The standalone checker and `verify`, compared with each other and with brute force."""

import ast
import contextlib
import importlib
import io
import lzma
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from random import Random

import forgeries
import pytest
from forgeries import DOES_NOT_HOLD, HOLDS, NOT_A_PROOF, by_package, by_second, text_of
from places import ROOT
from plain_hex import OTHER, PlainHex
from planting import changed_source, planted

from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.position import Position
from player.solve.proof import write
from player.solve.proof_line import NoProofError
from player.solve.solver import Solver
from player.solve.verify import verify_stream

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
SECOND = forgeries.second_checker()
SHIPPED = sorted((ROOT / "positions/puzzles/proved").glob("*.proof"))
REVIEWED = sorted((ROOT / "tests/support/reviewed").glob("*.proof.xz"))

FULL = [  # Black's b2 on 3x3 is joined to both edges: steps 6 and 13, and 14 joins the edges
    *(["adjacent", "b1", "b2", "", None, []], ["adjacent", "b1", "north", "", None, []]),
    ["and", "b2", "north", "b1", "b1", [0, 1]],
    *(["adjacent", "c1", "b2", "", None, []], ["adjacent", "c1", "north", "", None, []]),
    ["and", "b2", "north", "c1", "c1", [3, 4]],
    ["or", "b2", "north", "b1 c1", None, [2, 5]],
    *(["adjacent", "b2", "b3", "", None, []], ["adjacent", "b3", "south", "", None, []]),
    ["and", "b2", "south", "b3", "b3", [7, 8]],
    *(["adjacent", "b2", "a3", "", None, []], ["adjacent", "a3", "south", "", None, []]),
    ["and", "b2", "south", "a3", "a3", [10, 11]],
    ["or", "b2", "south", "a3 b3", None, [9, 12]],
    ["and", "north", "south", "b1 c1 a3 b3", None, [6, 13]],
]  # fmt: skip
AROUND_A1 = [
    *(["adjacent", "a1", "b1", "", None, []], ["and", "a1", "b2", "b1", "b1", [15, 0]]),
    *(["adjacent", "a1", "a2", "", None, []], ["adjacent", "a2", "b2", "", None, []]),
    ["and", "a1", "b2", "a2", "a2", [17, 18]],
    ["or", "a1", "b2", "b1 a2", None, [16, 19]],
]


def head(**changed):
    """Return the head of a proof for b2 on 3x3, White to move."""
    first = {"schema": "hsearch/proof/3", "columns": 3, "rows": 3, "black": ["b2"], "white": []}
    first |= {"turn": "white", "winner": "black", "first": None, "root": 1, "lines": 1}
    return first | changed


def joined(*more, **changed):
    """Return a proof of one line, with additional steps."""
    steps = [*FULL, *more]
    return [head(), {"black": ["b2"], "white": [], "joined": 14, "steps": steps} | changed]


def filled(*fills, steps=FULL):
    """Return a proof in which White has a2 and regions are filled."""
    line = {"black": ["b2"], "white": ["a2"], "fills": list(fills), "filled": 1, "steps": steps}
    return [head(white=["a2"], lines=2, root=2), joined()[1], line]


# Each lie has a single fault: a last step or a region that does not follow.
HONEST = {
    "a full": joined(),
    "a full around a corner": joined(*AROUND_A1),
    "a move more": joined(["mustplay", "b2", "north", "a1 b1 c1", "a1", [6]]),
    "nothing filled": filled(),
    "a dead cell": filled(["black", "north", "a1", None, 0]),
    "between two groups": filled(["black", "b2 north", "b1 c1", 6, 0]),
    "given to the loser": filled(["white", "", "a1 b2 c3", None, 7]),
    "as many regions as cells": filled(*[["white", "", "", None, 0]] * 9),
}  # fmt: skip
LIES = {
    "points that do not touch": joined(["adjacent", "a1", "south", "", None, []]),
    "a cell beside touching points": joined(["adjacent", "a1", "north", "b1", None, []]),
    "touching points with a key": joined(["adjacent", "a1", "north", "", "b1", []]),
    "touching points with a premise": joined(["adjacent", "a1", "north", "", None, [0]]),
    "ends in another order": joined(["adjacent", "b2", "b1", "", None, []]),
    "a stone that is no captain": joined(["adjacent", "b2", "b2", "", None, []]),
    "carriers that meet": joined(
        *AROUND_A1, ["and", "a1", "north", "b1 c1 a2", None, [6, 20]]
    ),
    "an end inside a carrier": joined(["and", "b1", "north", "b1 c1", None, [0, 6]]),
    "a full across an empty cell": joined(["and", "b2", "north", "b1", None, [0, 1]]),
    "another key": joined(["and", "b2", "north", "b1", "c1", [0, 1]]),
    "a pivot left out": joined(["and", "b2", "north", "", "b1", [0, 1]]),
    "a semi among fulls": joined(["and", "b3", "north", "b1", None, [2, 7]]),
    "nothing shared": joined(["and", "b1", "south", "", None, [0, 8]]),
    "three premises": joined(["and", "b2", "north", "b1", "b1", [0, 1, 1]]),
    "a cell in all carriers": joined(["or", "b2", "north", "b1", None, [2, 2]]),
    "a full among semis": joined(["or", "b2", "north", "b1 c1", None, [2, 5, 6]]),
    "a carrier left out": joined(["or", "b2", "north", "b1", None, [2, 5]]),
    "or of nothing": joined(["or", "b2", "north", "", None, []]),
    "semis of other ends": joined(["or", "b2", "north", "b1 b3", None, [2, 9]]),
    "a key where there is none": joined(["or", "b2", "north", "b1 c1", "b1", [2, 5]]),
    "a move that joins other groups": joined(["mustplay", "b3", "north", "a1 b1 c1", "a1", [6]]),
    "a move and a semi": joined(["mustplay", "b2", "north", "a1 b1", "a1", [2]]),
    "a move on a stone": joined(["mustplay", "b2", "north", "b1 c1", "b2", [6]]),
    "a move without its cell": joined(["mustplay", "b2", "north", "b1 c1", "a1", [6]]),
    "a premise below": joined(["or", "b2", "north", "b1 c1", None, [2, 15]]),
    "the winner has to move first": joined(
        ["mustplay", "north", "south", "a1 b1 c1 a3 b3", "a1", [14]], joined=15
    ),
    "joined to another point": joined(joined=13),
    "a threat of another point": joined(threats=[13], replies={}, joined=...),
    "a way that others need": joined(threats=[14], replies={}, joined=...),
    "no chain": [head(), {"black": ["b2"], "white": [], "joined": None, "steps": []}],
    "a region with a way out": filled(["black", "north", "b1", None, 0]),
    "groups that nothing joins": filled(["black", "b2 north", "b1 c1", None, 0]),
    "joined by a semi": filled(["black", "b2 north", "b1 c1", 2, 0]),
    "joined outside": filled(["black", "b2 north", "c1", 6, 0]),
    "joined by what does not follow": filled(
        ["black", "b2 north", "b1 c1", 15, 0], steps=[*FULL, ["or", *FULL[6][1:5], [2]]]
    ),
    "other groups": filled(["black", "north b2", "b1 c1", 6, 0]),
    "named too late": filled(["black", "north", "a1", None, 1]),
    "two spaces": filled(["black", "b2  north", "b1 c1", 6, 0]),
    "no such step": filled(["white", "", "a1", 99, 0]),
    "more regions than cells": filled(*[["white", "", "", None, 0]] * 10),
}  # fmt: skip


# The line holds, but the head asserts something else.
HEADS = {
    "a stone of the loser in the cells": [head(white=["b1"]), joined()[1]],
    "a stone of the winner missing": [head(black=[]), joined()[1]],
    "the winner moves, too": [head(black=[], first="b2"), joined()[1]],
    "a move of the loser": [head(first="a1"), joined()[1]],
    "the winner does not move": [head(turn="black"), joined()[1]],
    "a move on a stone": [head(turn="black", first="b2"), joined()[1]],
    "no line": [head(root=0), joined()[1]],
    "a line below": [head(root=2), joined()[1]],
    "a line more": [head(), joined()[1], joined()[1]],
    "a line less": [head(lines=2), joined()[1]],
}


@pytest.fixture(params=["verify", "check_proof.py"])
def checker(request):
    """Return the function that runs one of the checkers on a proof."""
    return {"verify": by_package, "check_proof.py": second}[request.param]


def second(text):
    """Return the verdict of the standalone checker."""
    return by_second(SECOND, text)


def written(lines):
    """Return a proof as text, without the fields whose value is `...`."""
    return text_of({n: v for n, v in line.items() if v is not ...} for line in lines)


@pytest.mark.parametrize("lines", HONEST.values(), ids=HONEST)
def test_valid_proofs_are_accepted(checker, lines):
    assert checker(written(lines)).code == HOLDS


@pytest.mark.parametrize("lines", LIES.values(), ids=LIES)
def test_a_false_line_is_rejected_with_its_number(checker, lines):
    verdict = checker(written(lines))

    assert verdict.code in {DOES_NOT_HOLD, NOT_A_PROOF}
    assert verdict.why.startswith(f"line {len(lines)}: ")
    assert "\n" not in verdict.why


@pytest.mark.parametrize("lines", HEADS.values(), ids=HEADS)
def test_a_false_head_is_rejected(checker, lines):
    verdict = checker(written(lines))

    assert verdict.code == DOES_NOT_HOLD
    assert verdict.why.startswith("line 1: ")


def hollow(game, stones, won_by, **line):
    """Return a proof of the empty board in two lines."""
    return text_of(
        [
            {"schema": "hsearch/proof/3", "columns": game.columns, "rows": game.rows}
            | {"black": [], "white": [], "turn": "black", "winner": won_by, "first": None}
            | {"root": 1, "lines": 1},
            {"black": [], "white": [], "steps": [], OTHER[won_by]: stones} | line,
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("columns", range(1, 27))
def test_lost_boards_and_empty_claims_are_rejected_on_every_size(columns):
    """Both checkers reject full boards, chains of the loser and empty claims, for both players."""
    nothing = {"threats": [], "replies": {}}
    for rows in range(1, 27):
        game = PlainHex(columns, rows)
        chains = {"black": game.names[::columns], "white": game.names[:columns]}
        for won_by in OTHER:
            kinds = [
                hollow(game, game.names, won_by, **nothing),
                hollow(game, chains[OTHER[won_by]], won_by, **nothing),
                hollow(game, chains[OTHER[won_by]], won_by, joined=None),
                hollow(game, chains[OTHER[won_by]], won_by, fills=[], filled=1),
                hollow(game, [], won_by, **nothing),
                hollow(game, [], won_by, joined=None),
                hollow(game, [], won_by, fills=[], filled=1),
            ]
            for text in kinds:
                assert by_package(text).code == second(text).code == DOES_NOT_HOLD


@pytest.mark.parametrize("version", ["1", "2", "4", "3 ", "9" * 5_000_000])
def test_other_versions_are_refused_in_a_short_line(checker, version):
    verdict = checker(written([head(schema=f"hsearch/proof/{version}"), *joined()[1:]]))

    assert verdict.code == NOT_A_PROOF
    assert len(verdict.why) < 160


@pytest.mark.slow
def test_proofs_that_are_shipped_hold():
    """All shipped proofs hold, as does an opening of 7x7; `verify` agrees on a sample."""
    board = Board(7, 7)
    texts = [path.read_text() for path in SHIPPED]
    texts += [lzma.decompress(path.read_bytes()).decode() for path in REVIEWED]
    texts.append(write(Solver(board), Position.of(board, black="f2", turn=Color.WHITE)))
    verdicts = [second(text) for text in texts]

    assert len(texts) > 75
    assert {verdict.code for verdict in verdicts} == {HOLDS}
    for text, verdict in list(zip(texts, verdicts, strict=True))[:: 1 if NIGHTLY else -9]:
        assert by_package(text) == verdict


@pytest.mark.slow
def test_checkers_agree_and_accept_nothing_false():
    """They agree on 4,000 proofs and accept no false one; tests/README.md reports a larger run."""
    checkers = {"verify": by_package, "check_proof.py": second}
    chance = Random(39)  # noqa: S311 - a sample, not a secret
    tally = forgeries.try_proofs(chance, 4000, checkers, said=lambda _line: None)

    assert tally.false == []
    assert tally.quarrels == []
    assert 1000 < tally.counts["accepted by verify"] < 3000


def test_check_proof_is_short_and_imports_nothing_of_the_package():
    text = forgeries.SECOND.read_text()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    imported = [name.name for node in imports for name in node.names]

    assert len(text.splitlines()) <= 400
    assert "from" not in {line.split(" ")[0] for line in text.splitlines()}
    assert imported == ["array", "json", "lzma", "sys"]


def run(*words, **options):
    """Run the checker as a reader would, without installed packages."""
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-I", "-S", str(forgeries.SECOND), *words],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_check_proof_runs_as_a_standalone_script(tmp_path):
    """It reads a file or stdin and prints what is proved; each error is one line."""
    file = tmp_path / "b2.proof"
    file.write_text(written(joined()))
    said = "The proof holds: black wins 3x3, white to move, with\nblack: b2\nwhite: none\n"
    lie = written(LIES["no chain"])

    done = run(str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    done = run("-", input=written(joined()))
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    done = run("-", input=lie)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "-: line 2: claims what leaves the loser a chain\n"
    done = run("-", input="")
    assert (done.returncode, done.stderr) == (3, "-: line 1: empty\n")
    done = run("/dev/zero")
    assert (done.returncode, done.stderr) == (3, "/dev/zero: line 1: longer than 16000000 bytes\n")
    done = run(str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    done = run("-", preexec_fn=lambda: os.close(0))
    assert (done.returncode, done.stderr) == (3, "-: Bad file descriptor\n")


def test_only_a_proof_that_does_not_hold_has_exit_code_1(tmp_path):
    """Only a proof that does not hold has exit code 1."""
    file = tmp_path / "b2.proof"
    file.write_text(written(joined()))

    for words in ((), (str(file), str(file))):
        done = run(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "usage: python check_proof.py FILE\n"


def test_the_checker_reads_xz_files_and_rejects_damaged_ones(tmp_path):
    """It reads .xz files as `solve --proof OUT.xz` writes them, and rejects damaged ones."""
    file, whole = tmp_path / "b2.proof.xz", lzma.compress(written(joined()).encode())
    lie = lzma.compress(written(LIES["no chain"]).encode())
    said = "The proof holds: black wins 3x3, white to move, with\nblack: b2\nwhite: none\n"

    file.write_bytes(whole)
    done = run(str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    file.write_bytes(lie)
    done = run(str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{file}: line 2: claims what leaves the loser a chain\n"
    for damaged in (whole[:-9], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        file.write_bytes(damaged)
        done = run(str(file))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("rest", [b"junk", b"\n", bytes(4), b"another stream"])
def test_both_checkers_refuse_data_after_an_xz_stream(tmp_path, rest):
    """An .xz proof is one stream, whatever follows it."""
    file, whole = tmp_path / "b2.proof.xz", lzma.compress(written(joined()).encode())
    file.write_bytes(whole + (whole if rest == b"another stream" else rest))
    done = run(str(file))

    assert (done.returncode, done.stdout) == (NOT_A_PROOF, "")
    assert done.stderr.endswith("has data after its end\n")
    with file.open("rb") as stream, pytest.raises(NoProofError, match="has data after its end"):
        verify_stream(stream)


def test_the_checker_recognizes_an_xz_stream_that_arrives_in_pieces():
    whole = lzma.compress(written(joined()).encode())
    command = [sys.executable, "-I", "-S", str(forgeries.SECOND), "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as checker:  # noqa: S603 - our own program
        checker.stdin.write(whole[:3])
        checker.stdin.flush()
        time.sleep(0.5)  # as long as the checker takes to read them
        said, errors = checker.communicate(whole[3:])

    assert errors == b""
    assert said.startswith(b"The proof holds: black wins 3x3")


def test_the_lines_of_a_file_are_those_that_python_reads(tmp_path):
    """Lines of all lengths, also longer than what is read at a time; of a long one, the start."""
    sizes = [0, 1, 5, 6, 7, 65_529, 65_530, 65_536, 70_000, 200_000, 0, 0, 3]
    for end in (b"", b"\n"):
        content = b"\n".join(b"x" * size for size in sizes) + end
        for packed in (content, lzma.compress(content)):
            file = tmp_path / "lines"
            file.write_bytes(packed)
            with file.open("rb") as stored:
                assert list(SECOND.lines_of(stored)) == io.BytesIO(content).readlines()
    with lzma.open(file, "wb") as stored:
        stored.write(bytes(100_000_000))
    with file.open("rb") as stored:
        first = next(SECOND.lines_of(stored))
    assert SECOND.MOST_BYTES < len(first) < SECOND.MOST_BYTES + 100_000


MEASURED = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(name):
    """Return what the checker prints about a shipped proof of 7x7, and the kilobytes it took."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", MEASURED, ROOT / "docs/reference/check_proof.py", "-"],
        input=lzma.decompress((ROOT / f"positions/proofs/7x7/{name}.proof.xz").read_bytes()),
        capture_output=True,
        check=True,
    )
    told, *_, most = done.stdout.decode().splitlines()
    return told, int(most)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells the memory")
def test_a_long_proof_takes_little_memory():
    """A proof of 6 MB in 1,985 lines takes at most 2 MB more than one of 0.7 MB in 194 lines."""
    (_, short), (told, long) = peak("a1"), peak("g1")

    assert told == "The proof holds: black wins 7x7, white to move, with"
    assert long < min(short + 2_000, 30_000)


def test_checking_a_line_takes_little_memory(checker):
    """Connections that are followed to 400 positions take less than 15 MB."""
    board = Board(20, 20)
    names, one, other = board.names(cell_set(board.cells, 400)), range(301, 320), range(321, 340)
    steps = [["adjacent", "c1", "c2", "", None, []]]
    steps += [["mustplay", "c1", "c2", names[cell], names[cell], [0]] for cell in one]
    cells = " ".join(names[cell] for cell in one)
    steps.append(["or", "c1", "c2", cells, None, [*range(1, 20)]])
    steps += [["mustplay", "c1", "c2", f"{cells} {names[n]}", names[n], [20]] for n in other]
    own = names[::20]
    lines = [head(columns=20, rows=20, black=own), {"black": own, "white": [], "joined": None}]
    text = written([lines[0], lines[1] | {"steps": steps}])

    tracemalloc.start()
    try:
        assert checker(text).code == HOLDS
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 15_000_000


def test_check_proof_stops_after_the_stated_number_of_lines():
    """A file without end is rejected."""

    def endless():
        first, line = (line.encode() for line in written(joined()).splitlines())
        yield first
        while True:
            yield line

    with pytest.raises(SECOND.DoesNotHoldError) as error:
        SECOND.check(endless())
    assert error.value.args == (1, "1 lines should follow, not these 2")


@pytest.fixture(scope="module")
def corpus():
    """Return proofs, each with whether it holds: the cases above and random forgeries."""
    texts = [*map(written, [*HONEST.values(), *LIES.values(), *HEADS.values()])]
    texts.append(hollow(PlainHex(2, 2), ["a1", "b1", "a2", "b2"], "white", threats=[], replies={}))
    made = forgeries.forged_proofs(Random(7))  # noqa: S311 - a sample, not a secret
    texts += [text_of(lines) for lines, _ in zip(made, range(4000), strict=False)]
    return [(text, second(text).code == HOLDS) for text in texts]


CHECK, LINE = "hsearch.strategy.check", "player.solve.proof_line"
RULES, CLAIM, WHOLE = "hsearch.connect.connection", "player.solve.verify", "player.solve.verify"
PLANTED_IN_VERIFY = {
    "adjacent: what touches is not looked at": [(CHECK, " and step.ends in here.touching", "")],
    "and: carriers may meet": [
        (RULES, "is_disjoint = not any_and(first.carrier, second.carrier)", "is_disjoint = True")
    ],
    "and: ends may lie inside": [
        (RULES, "any(board.contains(carrier, point) for point in (x, y, via))", "False")
    ],
    "and: a full across an empty cell": [
        (RULES, "only(via), via) if empty", "only(via), None) if empty")
    ],
    "or: a cell may be in all carriers": [
        (RULES, "if reduce(and_, (semi.carrier for semi in semis)).any():", "if False:")
    ],
    "mustplay: whatever is joined": [(RULES, " or ends != set(full.ends)", "")],
    "a lost board is a line, and a claim of nothing a claim": [
        (LINE, "if winner(position) is self._won_by.opponent:", "if False:"),
        (WHOLE, "if not claim.joins_edges(self._board, self._won_by):", "if False:"),
    ],
    "joined: a semi is enough": [(LINE, "if not full.is_full:", "if False:")],
    "joined: to any end": [
        (LINE, "if connection.ends != self._board.edges(self._won_by):", "if False:")
    ],
    "replies: moves may be left": [(WHOLE, "if dangers.any():", "if False:")],
    "replies: the reply is not needed": [(WHOLE, " | to.reply", "")],
    "a claim settles what has the loser in its cells": [
        (CLAIM, " or (self.cells & other).any()", "")
    ],
    "a claim settles what lacks its stones": [(CLAIM, "(self.stones & ~own).any() or ", "")],
    "filled: a region is not looked at": [
        (CHECK, "len(fill.groups) == 1 and subset(fill.cells, region)", "len(fill.groups) == 1")
    ],
    "filled: a join may be a semi": [(CHECK, "is_join = fill.join.is_full and ", "is_join = ")],
    "filled: a join may lie outside": [(CHECK, " and subset(fill.join.carrier, fill.cells)", "")],
    "filled: a join is not derived": [(CHECK, "return _derive(color, joins, most)", "return 0")],
    "filled: what joins is not needed": [
        (LINE, "joins=reduce(or_, joins, nothing)", "joins=nothing")
    ],
    "the winner moves twice": [(WHOLE, "if turn is not won_by:", "if False:")],
    "the winner to move need not": [
        (WHOLE, "elif turn is won_by and winner(position) is None:", "elif False:")
    ],
}  # fmt: skip
PLANTED_IN_CHECK_PROOF = {
    "adjacent: what touches is not looked at": [(" and position.touch(x, y)", "")],
    "and: carriers may meet": [("one.carrier & two.carrier or via in", "via in")],
    "and: ends may lie inside": [("if x in step.carrier or y in step.carrier:", "if False:")],
    "and: a full across an empty cell": [("({via}, via) if via in", "({via}, None) if via in")],
    "or: a cell may be in all carriers": [
        (" or frozenset.intersection(*carriers):", ":")
    ],
    "mustplay: whatever is joined": [
        (" and set(full.ends) == {after.captain[x], after.captain[y]}", "")
    ],
    "a lost board is a line, and a claim of nothing a claim": [
        ("if board.has_chain(board.lost_by, other):", "if False:"),
        ("if not board.neighbors[board.ends[1]] & used:", "if False:"),
    ],
    "joined: a semi is enough": [("if is_full and steps[number].key is not None:", "if False:")],
    "joined: to any end": [(" or steps[number].ends != board.ends:", ":")],
    "replies: moves may be left": [("(board.cells - own - other).inter", "(own - own).inter")],
    "replies: the reply is not needed": [("other | {move}) | {reply})", "other | {move}))")],
    "a claim settles what has the loser in its cells": [
        ("stones <= own and cells.isdisjoint(other)", "stones <= own")
    ],
    "a claim settles what lacks its stones": [
        ("stones <= own and cells.isdisjoint(other)", "cells.isdisjoint(other)")
    ],
    "filled: a region is not looked at": [
        ("if way_out or not (", "if not (")
    ],
    "filled: a join may be a semi": [
        ("full.key is None and full.ends == groups", "full.ends == groups")
    ],
    "filled: a join may lie outside": [(" and full.carrier <= region", "")],
    "filled: a join is not derived": [("    derive(board, steps, joins)\n", "")],
    "filled: what joins is not needed": [
        ("carrier.union(*(steps[join].carrier for join, _ in joins))", "carrier")
    ],
    "the winner moves twice": [('head["turn"] != board.won_by or first in', "first in")],
    "the winner to move need not": [('elif head["turn"] == board.won_by and', "elif False and")],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("changes", PLANTED_IN_VERIFY.values(), ids=PLANTED_IN_VERIFY)
def test_a_fault_in_verify_makes_it_disagree_with_check_proof(corpus, changes):
    """For some proof, the faulty `verify` disagrees with the standalone checker."""
    with planting(changes):
        assert any((by_package(text).code == HOLDS) != holds for text, holds in corpus)


@pytest.mark.slow
@pytest.mark.parametrize("changes", PLANTED_IN_CHECK_PROOF.values(), ids=PLANTED_IN_CHECK_PROOF)
def test_a_fault_in_check_proof_makes_it_disagree_with_verify(corpus, changes, tmp_path):
    """For some proof, the faulty checker disagrees with `verify`."""
    file = tmp_path / "check_proof.py"
    file.write_text(changed_source(forgeries.SECOND.read_text(), *changes))
    module = forgeries.second_checker(file)

    assert any((by_second(module, text).code == HOLDS) != holds for text, holds in corpus)


@pytest.mark.slow
def test_both_checkers_agree_on_the_corpus(corpus):
    """Without a planted fault, the checkers agree on every proof."""
    assert all((by_package(text).code == HOLDS) == holds for text, holds in corpus)


@pytest.mark.slow
def test_brute_force_detects_a_missing_check_for_lost_boards():
    """Without the check for lost boards, `verify` accepts random forgeries that are false."""
    hole = PLANTED_IN_VERIFY["a lost board is a line, and a claim of nothing a claim"]
    chance = Random(39)  # noqa: S311 - a sample, not a secret
    with planting(hole):
        tally = forgeries.try_proofs(chance, 1500, {"verify": by_package}, said=lambda _line: None)

    assert tally.counts["false by verify"] > 0


def planting(changes):
    """Plant changes in modules of the package for the length of a `with` block."""
    stack = contextlib.ExitStack()
    for module, *change in changes:
        stack.enter_context(planted(importlib.import_module(module), tuple(change)))
    return stack
