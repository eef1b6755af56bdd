"""Policies that are computed: equilibria, and what regret minimization has learned.

What was computed once is remembered while the process lives; it depends on the
game and on the numbers given, and on nothing else.
"""

from fractions import Fraction
from functools import cache, lru_cache

import numpy as np

from hsearch.formats.shipped import shipped
from hsearch.hex.board import Color
from player.dark import certificate, linear_program, sampling, tabular, tree
from player.dark.certificate import Certificate
from player.dark.methods import VARIANTS, TooLargeError, check_cells
from player.dark.policy import KEPT, Chances, Policy, Study, of_policies, ordered, unknown
from player.dark.regret import Minimizer
from player.dark.rules import DarkRules, History
from player.dark.tabular import TabularPolicy

CENTER = ordered("center")
NEAR = Fraction(1, 100)  # bounds of a certificate whose policies are taken for an equilibrium


@lru_cache(maxsize=KEPT)
def equilibrium(rules: DarkRules) -> Policy:
    """Attempt what an equilibrium does: that of the shipped certificate, else of the tree.

    Who loses for sure attempts cells near the center. Raise TooLargeError where
    no equilibrium is known or can be found.
    """
    path = shipped(f"dark/{rules.name}.txt")
    proof = certificate.load(path) if path is not None else None
    if proof is None or proof.upper - proof.lower > NEAR:
        proof = _solved(rules)
    return of_policies(proof.policies, CENTER(rules))


def of_file(claim: Certificate) -> Study:
    """Attempt what the policies of a certificate say; the player without one, near the center."""

    def study(rules: DarkRules) -> Policy:
        if rules != claim.rules:
            raise ValueError(f"policies of {claim.rules.name}, not of {rules.name}")
        return of_policies(claim.policies, CENTER(rules))

    return study


@cache
def minimized(variant: str, iterations: int) -> Study:
    """Attempt what the average of a CFR variant on the tree says.

    The study raises TooLargeError where the tree does not fit.
    """
    return lambda rules: _minimized(rules, variant, iterations)


@cache
def sampled(iterations: int, seed: int) -> Study:
    """Attempt what outcome sampling has learned; where it has not been, cells near the center."""
    return lambda rules: _sampled(rules, iterations, seed)


@lru_cache(maxsize=KEPT)
def _minimized(rules: DarkRules, variant: str, iterations: int) -> Policy:
    game = tree.build(rules)
    solver = Minimizer(game, VARIANTS[variant])
    for _ in range(iterations):
        solver.step()
    plans = solver.plans()
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    return of_policies((black, white), CENTER(rules))


@lru_cache(maxsize=KEPT)
def _sampled(rules: DarkRules, iterations: int, seed: int) -> Policy:
    sampler = sampling.RegretSampler(rules, np.random.default_rng(seed))
    sampler.run(iterations)
    other = CENTER(rules)

    def policy(color: Color, history: History) -> Chances:
        learned = sampler.policy(color, history)
        if learned is None:
            return other(color, history)
        return {cell: float(learned[cell]) for cell in unknown(rules, history) if learned[cell] > 0}

    return policy


def _solved(rules: DarkRules) -> Certificate:
    """Return the equilibrium of a game by its tree, which takes seconds.

    Raise TooLargeError where the tree does not fit; double oracle may take hours.
    """
    check_cells(rules, "double-oracle")
    try:
        game = tree.build(rules)
    except TooLargeError:
        board = str(rules.board)
        command = f"dark solve {board} --base {rules.base} --noise {rules.noise} --certificate FILE"
        raise TooLargeError(
            f"no equilibrium of {rules.name} is at hand; `hsearch {command}` looks for one "
            "that equilibrium:file=FILE plays"
        ) from None
    plans = linear_program.solve(game)
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    return _unclaimed(rules, black, white)


def _unclaimed(rules: DarkRules, black: TabularPolicy, white: TabularPolicy) -> Certificate:
    """Return policies with no claim about the value."""
    return Certificate(rules, Fraction(-1), Fraction(1), (black, white))
