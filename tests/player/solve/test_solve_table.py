"""Tables on disk: a solver resumes from them, and bad files are rejected."""

import errno
import gc
import hashlib
import os
import tracemalloc
from itertools import pairwise

import pytest

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.solve.budget import ALL_TECHNIQUES
from player.solve.solver import Solver, node_bytes, winning_openings
from player.solve.table import Node, NodeTable, SaveTimer, TableError

BOARD = Board(5, 5)
WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return a file with the table of the 5x5 map, its solver and the map."""
    path = tmp_path_factory.mktemp("table") / "5x5"
    solver = Solver(BOARD, limits=WEAK)
    wins = winning_openings(solver)
    solver.save(path)
    return path, solver, wins


def test_a_loaded_table_answers_without_a_search(saved):
    """Nothing is searched again, and another save writes as many bytes."""
    path, _, wins = saved
    again = Solver(BOARD, limits=WEAK)
    again.load(path)

    assert winning_openings(again) == wins
    assert again.nodes == 0
    again.save(path.with_name("again"))
    assert path.with_name("again").stat().st_size == path.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("side", [7, 11, 13])
def test_the_nodes_of_a_table_take_no_more_memory_than_counted(side):
    """They grow faster than the board: it has more moves, each of which takes more."""
    board, techniques = Board(side, side), ALL_TECHNIQUES.without(["net"])
    table = NodeTable(1000)
    solver = Solver(board, techniques=techniques, table=table)
    solver.solve(Position.of(board), nodes=5)  # compiles
    gc.collect()
    before = len(table.nodes)
    tracemalloc.start()
    try:
        solver.solve(Position.of(board), nodes=60)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken < (len(table.nodes) - before) * node_bytes(board)


def test_only_a_decided_node_has_a_winner():
    node = Node()
    with pytest.raises(ValueError, match="open node"):
        _ = node.won_by
    node.settle(Color.WHITE, Color.BLACK, 0)

    assert node.won_by == Color.WHITE


def test_a_table_of_an_unfinished_search_helps(tmp_path):
    """A solver that resumes from the table finds the same winner."""
    position = Position.of(Board(6, 6)).play(12)
    first = Solver(position.board)
    assert first.solve(position, seconds=0.02).winner is None
    first.save(tmp_path / "table")
    second, fresh = Solver(position.board), Solver(position.board)
    second.load(tmp_path / "table")

    assert second.outcome(position) is fresh.outcome(position)


@pytest.mark.parametrize("sides", [(7, 9), (8, 8), (9, 9)])
def test_tables_of_several_words_can_be_loaded(tmp_path, sides):
    """Tables may need several words, also if the cells fit into one word but the points do not."""
    board = Board(*sides)
    position = Position.of(board).play(board.size // 2)
    first, second = Solver(board), Solver(board)
    assert first.solve(position, nodes=5).winner is None
    first.save(tmp_path / "table")
    second.load(tmp_path / "table")

    assert second._table.nodes.keys() == first._table.nodes.keys()  # noqa: SLF001


def test_winning_moves_survive_saving_and_loading(saved):
    """Winning moves survive even where the table stores the board rotated."""
    path, solver, _ = saved
    again = Solver(BOARD, limits=WEAK)
    again.load(path)
    for cell in BOARD.cells:
        position = Position.of(BOARD).play(cell)

        assert again.winning_move(position) == solver.winning_move(position)


def test_a_small_table_loads_only_the_nodes_that_fit(saved):
    """The nodes with the most work below them are read."""
    path, solver, wins = saved
    small = Solver(BOARD, limits=WEAK)
    small._table.most = 200  # noqa: SLF001 - a megabyte would hold all
    small.load(path)

    assert len(small._table.nodes) == 200 < len(solver._table.nodes)  # noqa: SLF001
    assert winning_openings(small) == wins


def damage(content, kind):
    """Return the bytes of a table file with one kind of damage."""
    head, _, payload = content.partition(b"\n")
    return {
        "cut": content[:-1],
        "longer": content + b"\0",
        "flipped": content[:-1] + bytes([content[-1] ^ 1]),
        "version": head.replace(b"table/1", b"table/0") + b"\n" + payload,
        "text": b"a1 b2 c3\n",
        "empty": b"",
        "list": b"[]\n",
        "no size": head.replace(b"columns", b"Columns") + b"\n" + payload,
    }[kind]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut", "damaged"),
        ("longer", "damaged"),
        ("flipped", "damaged"),
        ("version", "another version: 'hsearch/table/0'"),
        ("text", "not a table"),
        ("empty", "not a table"),
        ("list", "not a table"),
        ("no size", "not a table"),
    ],
)
def test_a_damaged_table_is_refused(saved, tmp_path, kind, message):
    """The error names the file and the reason."""
    path = tmp_path / "table"
    path.write_bytes(damage(saved[0].read_bytes(), kind))

    with pytest.raises(TableError, match=message) as error:
        Solver(BOARD).load(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("at", "byte"), [(16, 2), (32, 0x40), (33, 3), (34, 25)], ids=["turn", "work", "winner", "move"]
)
def test_an_impossible_node_of_a_table_is_rejected(saved, tmp_path, at, byte):
    """The work of a forged one was too large to be saved again: a traceback."""
    head, _, payload = saved[0].read_bytes().partition(b"\n")
    forged = payload[:at] + bytes([byte]) + payload[at + 1 :]
    old, new = (hashlib.sha256(part).hexdigest().encode() for part in (payload, forged))
    (tmp_path / "table").write_bytes(head.replace(old, new) + b"\n" + forged)

    with pytest.raises(TableError, match="damaged: record 0 is not a node"):
        Solver(BOARD).load(tmp_path / "table")


def test_a_false_table_does_not_hang_the_search(tmp_path):
    """Carriers that have the move before them let a search try that move forever."""
    board = Board(5, 5)
    position = Position.of(board).play("c3")
    first, second = (Solver(board, limits=WEAK) for _ in range(2))
    first.outcome(position)
    nodes = first._table.nodes.values()  # noqa: SLF001
    for node in nodes:
        node.carrier = (1 << board.size) - 1
    root = max(nodes, key=lambda node: node.work)
    root.winner, root.phi, root.delta = None, 1, 1
    first.save(tmp_path / "table")
    second.load(tmp_path / "table")

    assert second.solve(position).winner is Color.BLACK


def test_a_table_of_another_board_is_refused(saved):
    """The error names both sizes."""
    with pytest.raises(TableError, match="a table for 5x5, not 6x6"):
        Solver(Board(6, 6)).load(saved[0])


def test_a_full_disk_leaves_the_old_table(saved, monkeypatch):
    """The old table is replaced only when the new one is complete."""
    path, solver, _ = saved
    before = path.read_bytes()

    def fail(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        solver.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if "partial" in file.name] == []


def test_saving_takes_a_twentieth_of_the_time_at_most(monkeypatch):
    """Saves take a small share of the time from the start; quick ones become due once a minute."""
    clock = [0.0]
    monkeypatch.setattr("player.solve.table.time.monotonic", lambda: clock[0])

    def saves(cost, until):
        """Return the times at which saves of this cost begin."""
        clock[0], began = 0.0, []
        timer = SaveTimer()
        while clock[0] < until:
            if timer.is_due:
                began.append(clock[0])
                with timer.saving():
                    clock[0] += cost
            else:
                clock[0] += 0.5
        return began

    quick, slow = saves(0.0, 4000), saves(20.0, 4000)
    gaps = [after - before for before, after in pairwise(quick)]

    assert quick[0] == 1
    assert max(gaps) == 60
    assert gaps == sorted(gaps)
    assert len(slow) * 20 <= 4000 / 20 + 20
    assert slow[1] >= 400
