"""Counts of minimax, of alpha-beta and of the order of moves."""

import math

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.cli import main
from player.engine.calibration import MINIMAX, effort, least_leaves, openings
from player.evaluate.evaluators import evaluate

ORDERS = ("center", "charge", "random", "potentials")


def naive_score(position, depth):
    """Return the minimax score by trying all lines."""
    won = winner(position)
    if won is not None:
        return -math.inf if won is Color.BLACK else math.inf
    if depth == 0:
        return evaluate(position, "two_distance").evaluation
    scores = [naive_score(position.play(cell), depth - 1) for cell in position.empty.search(1)]
    return min(scores) if position.turn is Color.BLACK else max(scores)


@given(positions(max_side=3, stones="...BW"), st.integers(1, 3), st.sampled_from(ORDERS))
def test_pruning_changes_no_score(position, depth, order):
    """With any order, alpha-beta has the score of minimax and at most as many nodes."""
    assume(position.empty.count() >= depth and winner(position) is None)
    whole = effort(position, depth, evaluator="two_distance")
    pruned = effort(position, depth, evaluator="two_distance", how=order)
    score = naive_score(position, depth)

    assert whole.score == pruned.score == (-score if position.turn is Color.BLACK else score)
    assert pruned.nodes <= whole.nodes
    assert pruned.leaves <= whole.leaves


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_minimax_visits_every_node_and_alpha_beta_enough_leaves(depth):
    """Minimax visits every node, and alpha-beta at least the leaves of the best order."""
    position = Position.of(Board(4, 4), black="b2", white="c3")
    whole = effort(position, depth, evaluator="shortest_path", how=MINIMAX)
    counts = [math.perm(14, plies) for plies in range(depth + 1)]

    assert (whole.nodes, whole.leaves) == (sum(counts), counts[-1])
    for order in ORDERS:
        pruned = effort(position, depth, evaluator="shortest_path", how=order)
        assert least_leaves(14, depth) <= pruned.leaves <= whole.leaves


def test_the_least_numbers_of_leaves_are_right():
    """With two plies, the first move needs every reply, and each other move needs one."""
    assert [least_leaves(7, depth) for depth in (1, 2, 3)] == [7, 12, 40]


def test_openings_follow_from_the_seed():
    starts = openings(5, 3, 1)

    assert starts == openings(5, 3, 1) != openings(5, 3, 2)
    assert all(start.black.count() == start.white.count() == 1 for start in starts)


def test_the_nodes_experiment_rejects_a_file_for_results(tmp_path):
    """The experiment keeps no results, so a file for them is refused."""
    done = CliRunner().invoke(main, ["experiment", "nodes", "--resume", str(tmp_path / "rows")])

    assert done.exit_code == 2
    assert "nodes keeps no results" in done.stderr
