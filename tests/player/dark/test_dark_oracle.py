"""Double oracle: its responses, its values, and resuming it."""

from fractions import Fraction

import numpy as np
import pytest
from dark_plans import built, plan_of
from dark_values import VALUES

from hsearch.hex.board import Board, Color
from player.dark import certificate, linear_program, proof, response, tabular
from player.dark import rules as information
from player.dark.book import center_first
from player.dark.double_oracle import DoubleOracle
from player.dark.methods import GameTooLargeError
from player.dark.rules import Base, DarkRules, Noise, View

GAMES = [(base, noise) for base in Base for noise in Noise]


def converged(rules, gap=1e-10, rounds=400):
    """Return a double oracle whose bounds have met."""
    oracle = DoubleOracle(rules)
    while oracle.upper - oracle.lower > gap and oracle.iteration < rounds:
        oracle.step()
    return oracle


@pytest.mark.slow
@pytest.mark.parametrize(("base", "noise"), GAMES)
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 2)])
def test_kernel_of_responses_agrees_with_the_tree(columns, rows, base, noise):
    """During double oracle, each response is worth what the tree gives."""
    game = built(columns, rows, base, noise)
    oracle = DoubleOracle(game.rules)
    for _ in range(5):
        oracle.step()
        for color in Color:
            chance = oracle.respond(color.opponent, oracle.books[color.opponent].orders).chance
            spoken = proof.policy_of(oracle, color, oracle.policies[color], 10**9)
            best = response.best_response(game, color.opponent, plan_of(game, spoken))

            assert 2 * chance - 1 == pytest.approx(best.value, abs=1e-6)


def test_a_response_may_collide_on_purpose_to_make_noise():
    """The noise of a certain collision is information, so the search may not skip it.

    White wins against this policy by colliding with b1, a stone he knows.
    """
    rules = DarkRules(Board(3, 2), Base.CLASSIC, Noise.NOISY)
    lines = [": b1 1", "b1 : c2 1", "b1 ? : c1 1", "b1 c2 ? : c1 1", "b1 ? c1 ? : c2 1"]
    oracle = DoubleOracle(rules)
    order = tuple(map(int, center_first(rules)))
    spoken = tabular.read(rules, Color.BLACK, order, dict(enumerate(lines)))
    stone, stone_and_noise = 1, 1 * 8 + 1
    rows = [[0, 1, 5], [stone, 5, 2], [stone_and_noise, 2, 1], [stone_and_noise, 2, 2]]
    book = oracle.books[0]
    book.orders = np.array([order], np.int8)
    book.add(np.array([*rows, [stone_and_noise, 5, 1]]), list(rules.board.cells))
    chances = np.zeros((len(book), rules.board.size))
    for node in range(len(book)):
        for cell, chance in spoken.at(book.history(node)).items():
            chances[node, cell] = chance
    oracle.policies[0] = chances

    assert certificate.best_chance(spoken) == 1
    assert oracle.respond(Color.WHITE, book.orders).chance == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "base", "noise"),
    [(*size, *game) for size in ((2, 2), (3, 2)) for game in GAMES]
    + [(2, 3, base, Noise.SILENT) for base in Base],
)
def test_double_oracle_finds_the_value(columns, rows, base, noise):
    """The value is right to 1e-9; classic games are sure wins. Certificates cover the rest."""
    known = VALUES.get((columns, rows, base, noise), "-1" if rows > columns else "1")
    oracle = converged(DarkRules(Board(columns, rows), base, noise))

    made = proof.of_oracle(oracle)

    assert oracle.bounds() == pytest.approx([float(Fraction(known))] * 2, abs=1e-9)
    assert made.lower == made.upper == Fraction(known)


@pytest.mark.parametrize("base", Base)
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])
def test_a_game_that_the_first_stone_may_end_has_the_right_value(columns, rows, base):
    """If White may never move, the value is still that of the linear program."""
    game = built(columns, rows, base, "silent")
    oracle = converged(game.rules)
    value = response.value(game, linear_program.solve(game))

    assert oracle.bounds() == pytest.approx([value, value])


def test_rounding_does_not_exchange_the_bounds():
    """The lower bound is not above the upper one where sums differ in their last bits."""
    oracle = DoubleOracle(DarkRules(Board(2, 2), Base.ABRUPT, Noise.SILENT))
    oracle.lower, oracle.upper = 0.45608108108108103, 0.4560810810810809

    lower, upper = oracle.bounds()

    assert lower < upper < lower + 1e-15


@pytest.mark.parametrize("noise", Noise)
def test_a_double_oracle_proves_its_value(noise):
    """Its policies verify as fractions, and better claims are rejected."""
    made = proof.of_oracle(converged(DarkRules(Board(2, 2), Base.ABRUPT, noise)))
    text = certificate.write(made)

    certificate.verify(certificate.read(text))
    assert made.lower == made.upper == Fraction(1, 2)
    for line, better in (("lower 1/2", "lower 2/3"), ("upper 1/2", "upper 1/3")):
        with pytest.raises(certificate.CertificateError, match="proves 1/2"):
            certificate.verify(certificate.read(text.replace(line, better)))


@pytest.mark.slow
def test_a_resumed_double_oracle_continues_bit_for_bit():
    """A double oracle restored from arrays continues bit for bit."""
    rules = DarkRules(Board(3, 2), Base.ABRUPT, Noise.FLASH)
    oracle, twin = DoubleOracle(rules), DoubleOracle(rules)
    for _ in range(20):
        oracle.step()
    twin.restore(oracle.arrays())
    for each in (oracle, twin):
        for _ in range(10):
            each.step()

    assert oracle.bounds() == twin.bounds()
    for name, array in oracle.arrays().items():
        assert (array == twin.arrays()[name]).all()


@pytest.mark.parametrize("noise", Noise)
def test_a_policy_keeps_its_value_when_its_book_grows(noise):
    """New nodes attempt what the policy attempted there before, so its value stays the same."""
    oracle = DoubleOracle(DarkRules(Board(3, 3), Base.ABRUPT, noise))
    for _ in range(3):
        masks = [book.mask() for book in oracle.books]
        # Any allowed attempt: the policy then often reaches the end of the book.
        oracle.policies = before = [mask / mask.sum(axis=1, keepdims=True) for mask in masks]
        chances = [oracle.respond(c, oracle.books[c].orders).chance for c in Color]
        oracle.step()
        oracle.policies = [
            book.extend_policy(policy) for book, policy in zip(oracle.books, before, strict=True)
        ]

        assert any(len(new) > len(old) for new, old in zip(oracle.policies, before, strict=True))
        for color, chance in zip(Color, chances, strict=True):
            again = oracle.respond(color, oracle.books[color].orders).chance
            assert again == pytest.approx(chance, abs=1e-12)


@pytest.mark.slow
def test_double_oracle_runs_on_boards_of_twelve_cells():
    """Black's first policy on 4x3 classic is a sure win, and that on 3x4 is not."""
    for columns, rows, is_sure in ((4, 3, True), (3, 4, False)):
        oracle = DoubleOracle(DarkRules(Board(columns, rows), Base.CLASSIC))
        oracle.step()

        assert (oracle.bounds() == (1, 1)) is is_sure


@pytest.mark.parametrize(
    ("base", "noise", "most"),
    [
        (Base.CLASSIC, Noise.FLASH, 9),
        (Base.CLASSIC, Noise.NOISY, 9),
        (Base.ABRUPT, Noise.FLASH, 12),
    ],
)
def test_boards_too_large_for_double_oracle_are_rejected(base, noise, most):
    """The limits are the sounds of one turn, and the memory for a row per view."""
    with pytest.raises(GameTooLargeError, match=rf"and {most} fit double-oracle"):
        DoubleOracle(DarkRules(Board(3 if most == 9 else 5, 4), base, noise))


def test_nodes_of_a_book_have_distinct_histories_of_the_tree():
    """Each node of a book stands for one history, and that history is in the tree."""
    game = built(2, 2, "abrupt", "flash")
    oracle = converged(game.rules)
    for color in Color:
        book = oracle.books[color]
        known = set(game.sides[color].history)
        found = [book.history(node) for node in range(len(book))]

        assert len(set(found)) == len(found)
        assert set(found) <= known
        assert information.view(found[0]) == View()
