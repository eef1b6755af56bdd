"""Several workers share one table."""

import threading

import pytest
from hypothesis import given
from places import ROOT
from strategies import positions

from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.solve.budget import Techniques
from player.solve.examiner import Examiner
from player.solve.lemmas import Lemmas
from player.solve.proof_number import Descent, Shared
from player.solve.solver import Solver, winning_openings
from player.solve.table import INFINITE, Node, NodeTable

PUZZLES = suite.read((ROOT / "positions" / "puzzles" / "classic.txt").read_text())
WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)


@given(positions(max_side=5, stones="....BW"))
def test_two_workers_find_the_winning_moves_of_one(position):
    """Winner and winning moves agree, with connections so limited that both workers have work."""
    one, two = (
        Solver(position.board, limits=WEAK, workers=workers).solve(position, every=True)
        for workers in (1, 2)
    )

    assert (two.winner, two.winning_moves) == (one.winner, one.winning_moves)
    assert one.complete is two.complete is True


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_two_workers_find_all_winning_moves_of_puzzles(puzzle):
    """Two workers find exactly the winning moves."""
    position = puzzle.game.position()
    answer = Solver(position.board, workers=2).solve(position, every=True)

    assert position.board.only(*answer.winning_moves) == puzzle.cells("wins")


def test_three_workers_find_the_map_of_one():
    """Three workers find the map of one, although the table drops most nodes."""
    board = Board(5, 5)
    solver = Solver(board, limits=WEAK, workers=3)
    solver._table.most = 150  # noqa: SLF001 - a megabyte would hold all

    assert winning_openings(solver) == winning_openings(Solver(board))
    assert len(solver._table.nodes) <= 150  # noqa: SLF001


def examined():
    """Return what workers share, a descent, and a place of it with its node, which is examined."""
    board = Board(6, 6)
    shared = Shared(NodeTable(1000), Techniques(), Lemmas(board))
    descent = Descent(board, WEAK, shared)
    place, node = descent.place(1 << 7, 0, 1), Node()
    with shared.lock:
        descent._examine(place, node)  # noqa: SLF001 - one step of the search
    return shared, descent, place, node


def test_workers_choose_different_moves():
    """A move looks worse while a worker is below it, and as before afterwards."""
    shared, descent, place, node = examined()
    with shared.lock:
        first, _ = descent.renumber(place, node)
        below = shared.table.node(node.places[first].key)
        below.busy = 1
        second, _ = descent.renumber(place, node)
        below.busy = 0
        third, _ = descent.renumber(place, node)

    assert second != first == third


def test_a_worker_finds_a_move_where_others_are_below_each():
    """Also where the numbers are as large as they get, and each worker below doubles them."""
    shared, descent, place, node = examined()
    with shared.lock:
        for move in node.moves:
            child = shared.table.node(descent.after(node, place.turn, move).key)
            child.delta, child.busy = INFINITE - 1, 2
        move, _ = descent.renumber(place, node)

    assert move in node.moves


def test_no_thread_is_left_after_a_search():
    """No thread is left when the time is up or the position is solved."""
    position = Position.of(Board(6, 6)).play(12)
    solver = Solver(position.board, workers=3)

    assert solver.solve(position, seconds=0.05).winner is None
    assert solver.outcome(position) is Color.BLACK
    assert "solver" not in {thread.name for thread in threading.enumerate()}
    nodes = [node for node in solver._table.nodes.values() if node.busy]  # noqa: SLF001
    assert nodes == []


def test_an_error_in_a_worker_is_raised(monkeypatch):
    """The error is raised in the calling thread."""
    examine = Descent._examine  # noqa: SLF001 - to make it fail

    def fail(descent, place, node):
        if threading.current_thread() is not threading.main_thread():
            raise ZeroDivisionError
        examine(descent, place, node)

    monkeypatch.setattr(Descent, "_examine", fail)
    position = Position.of(Board(6, 6)).play(12)

    with pytest.raises(ZeroDivisionError):
        Solver(position.board, workers=2).outcome(position)


def test_an_error_in_a_worker_is_raised_even_if_the_budget_ends(monkeypatch):
    """Otherwise the search would be reported as one that was too short."""
    examine, failed = Examiner.examine, threading.Event()

    def fail(examiner, place, *, own):
        if threading.current_thread() is not threading.main_thread():
            failed.set()
            raise ZeroDivisionError
        assert failed.wait(60)
        return examine(examiner, place, own=own)

    monkeypatch.setattr(Examiner, "examine", fail)
    position = Position.of(Board(6, 6)).play(12)

    with pytest.raises(ZeroDivisionError):
        Solver(position.board, workers=2).solve(position, nodes=2)
