"""The tree in arrays, best responses on it, and the linear programs."""

from fractions import Fraction

import numpy as np
import pytest
from dark_plans import built, uniform_plans
from information_states import count_information

from hsearch.hex.board import Board, Color
from player.dark import counts, linear_program, response, solve, tree
from player.dark.methods import GameTooLargeError
from player.dark.rules import Base, DarkRules, Noise

GAMES = [(base, noise) for base in Base for noise in Noise]
# columns, rows, base, noise, size of the program, value to Black
PROGRAMS = [
    (2, 2, "classic", "silent", (111, 95, 420), 1),
    (2, 2, "classic", "noisy", (203, 179, 596), 1),
    (2, 2, "classic", "flash", (203, 179, 596), 1),
    (2, 2, "abrupt", "silent", (141, 125, 498), Fraction(1, 2)),
    (2, 2, "abrupt", "noisy", (211, 207, 650), Fraction(1, 2)),
    (2, 2, "abrupt", "flash", (229, 231, 692), Fraction(1, 2)),
    (3, 2, "classic", "silent", (4137, 3489, 61544), 1),
    (3, 2, "abrupt", "silent", (10377, 8771, 94724), Fraction(9, 11)),
]


@pytest.mark.parametrize(
    ("columns", "rows"), [(1, 1), (2, 2), pytest.param(3, 2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("base", "noise"), GAMES)
def test_tree_has_the_counted_sizes(columns, rows, base, noise):
    """Walking all histories and counting over states give the same sizes."""
    game = built(columns, rows, base, noise)
    number = counts.count(game.rules)
    known = [count_information(game.rules, color) for color in Color]

    assert game.nodes == number.nodes
    assert len(game.outcome) == number.terminals
    assert (game.outcome == 1).sum() == number.black_wins
    assert game.matrix.nnz == number.terminals
    assert solve.count_sizes(game.rules) == solve.sizes(game)
    for side, each in zip(game.sides, known, strict=True):
        assert len(side.parent) == each.information_states
        assert side.sequences == each.sequences
        assert len({(own, known) for own, known in zip(side.own, side.known, strict=True)}) == (
            each.views
        )


def test_parents_come_first_and_histories_differ():
    """The sweeps rely on this order."""
    for side in built(2, 2, "abrupt", "flash").sides:
        assert (side.parent < side.first).all()
        assert len(set(side.history)) == len(side.history)
        assert (side.first == np.cumsum(np.append(1, side.count[:-1]))).all()


def test_imperfect_recall_is_refused(monkeypatch):
    """Without own collisions in the history, two histories share an information set."""
    monkeypatch.setattr(tree, "own_symbol", lambda cell, *, placed: 2 * cell if placed else -1)

    with pytest.raises(tree.PerfectRecallError):
        tree.build(DarkRules(Board(2, 2), Base.ABRUPT))


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        (
            3,
            3,
            "has 19,119,486,979 nodes: 2,000,000 fit; methods that fit: double-oracle, sure-wins, ",
        ),
        (
            4,
            4,
            r"16,938,157,404,460,968,063,405,633 nodes: .*: mccfr-outcome \(a policy, but no value",
        ),
        (5, 5, r"has about 3\.3e48 nodes: "),
        (20, 20, r"has more than 4\.4e100 nodes: .* methods that fit: none \(players such as"),
        (9, 2, r"has more than 2,000,000 nodes: "),
    ],
)
def test_large_trees_are_refused_before_they_are_built(columns, rows, message):
    """The message gives the size and the remaining methods."""
    with pytest.raises(GameTooLargeError, match=message):
        tree.build(DarkRules(Board(columns, rows)))


@pytest.mark.parametrize(
    ("columns", "base", "value", "exploitability"),
    [
        (2, "classic", 0, Fraction(5, 8)),
        (2, "abrupt", Fraction(11, 24), Fraction(5, 12)),
        (3, "classic", Fraction(3, 5), Fraction(3, 8)),
        (3, "abrupt", Fraction(1303, 1800), Fraction(281, 720)),
    ],
)
def test_uniform_play_has_the_known_value_and_exploitability(columns, base, value, exploitability):
    """The value of two random players, and how much each could gain."""
    game = built(columns, 2, base)
    plans = uniform_plans(game)

    assert response.value(game, plans) == pytest.approx(float(value), abs=1e-12)
    assert response.exploitability(game, plans) == pytest.approx(float(exploitability), abs=1e-12)


@pytest.mark.parametrize("noise", Noise)
def test_the_best_response_equals_the_best_pure_strategy(noise):
    """Trying every strategy against random plans finds the same value."""
    game = built(2, 2, "abrupt", noise)
    rng = np.random.default_rng(7)
    pure = [linear_program.plans(side) for side in game.sides]
    for color in Color:
        other = rng.dirichlet(np.ones(len(pure[1 - color]))) @ pure[1 - color]
        best = response.best_response(game, color, other)
        earned = pure[color] @ response.gradient(game, color, other)

        assert best.value == pytest.approx(earned.max(), abs=1e-12)


def test_policies_convert_to_plans_and_back():
    """A policy converted to a plan and back is unchanged."""
    game = built(2, 2, "abrupt")
    rng = np.random.default_rng(3)
    for color, side in zip(Color, game.sides, strict=True):
        policy = np.ones(side.sequences)
        for first, count in zip(side.first, side.count, strict=True):
            policy[first : first + count] = rng.dirichlet(np.ones(count))
        plan = response.plan_of(game, color, policy)

        assert response.policy_of(game, color, plan) == pytest.approx(policy)
        assert linear_program.constraints(side) @ plan == pytest.approx(
            np.eye(1 + len(side.parent))[0]
        )


@pytest.mark.parametrize(
    ("base", "noise", "numbers", "wins", "shape", "pure"),
    [
        ("classic", "silent", (24, 120), 1416, (14, 12), (1, 1)),
        ("classic", "noisy", (144, 1248), 86688, (62, 12), (1, 1)),
        ("classic", "flash", (144, 1248), 86688, (62, 12), (1, 1)),
        ("abrupt", "silent", (36, 188), 5070, (36, 128), (-1, 1)),
        ("abrupt", "noisy", (516, 1020), 368256, (252, 558), (-1, 1)),
        ("abrupt", "flash", (900, 1020), 622224, (436, 648), (-1, 1)),
    ],
)
def test_the_normal_form_of_2x2_has_the_known_size_and_value(
    base, noise, numbers, wins, shape, pure
):
    """The matrix has the known pure strategies and value."""
    game = built(2, 2, base, noise)
    matrix = linear_program.normal_form(game)
    small = linear_program.without_duplicates(matrix)
    solution = linear_program.solve_matrix(small)

    assert tuple(map(linear_program.strategies, game.sides)) == matrix.shape == numbers
    assert (matrix == 1).sum() == wins
    assert (abs(matrix) == 1).all()
    assert small.shape == shape
    assert (matrix.min(axis=1).max(), matrix.max(axis=0).min()) == pure
    assert solution.value == pytest.approx(1 if base == "classic" else 1 / 2, abs=1e-9)


def test_pure_strategies_of_3x2_are_too_many():
    """The strategies are counted, and the matrix is refused."""
    game = built(3, 2, "classic")

    assert tuple(map(linear_program.strategies, game.sides)) == (7880, 1210656)
    assert linear_program.strategies(built(3, 2, "abrupt").sides[0]) == 263776
    assert linear_program.strategies(built(3, 2, "abrupt").sides[1]) == pytest.approx(1.58e9, 0.01)
    with pytest.raises(GameTooLargeError, match=r"104,229 nodes: Black has 7,880 .* fit: lp, "):
        linear_program.normal_form(game)


def program_size(game):
    """Return the constraints and variables of a linear program, and the entries of its matrix."""
    e, f = map(linear_program.constraints, game.sides)
    return e.shape[0] + f.shape[1], e.shape[1] + f.shape[0], e.nnz + f.nnz + game.matrix.nnz


@pytest.mark.parametrize("row", PROGRAMS, ids=str)
def test_linear_program_finds_the_value(row):
    """The program has the known size and value, and its pair is not exploitable."""
    columns, rows, base, noise, numbers, value = row
    game = built(columns, rows, base, noise)
    plans = linear_program.solve(game)

    assert program_size(game) == numbers
    assert response.value(game, plans) == pytest.approx(float(value), abs=1e-9)
    assert response.exploitability(game, plans) == pytest.approx(0, abs=1e-9)
