"""Policies from solvers: with exact fractions for certificates, and as players."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from hsearch.formats.files import find_shipped
from hsearch.hex import Cell, Color
from player.dark import certificate, linear_program, tabular, tree
from player.dark.book import Book, center_first
from player.dark.certificate import Certificate, best_chance
from player.dark.double_oracle import DoubleOracle
from player.dark.methods import VARIANTS, GameTooLargeError, check_cells
from player.dark.outlook import SureWins
from player.dark.policy import MOST_CACHED, Chances, Policy, Study, first_in_order, of_policies
from player.dark.regret import Minimizer, RegretSampler
from player.dark.rules import DarkRules, History, View, own_symbol, with_sounds
from player.dark.rules import view as view_of
from player.dark.tabular import TOTAL, ExactChances, TabularPolicy, round_chances, whole_shares

LIMITS = (100, 10_000, 10**6, 10**8)  # denominators
SHORT = 10**10  # the denominator of weaker claims
LEAST = 10**3  # the least weight of an attempt in such a plan
SLACK = 1e-9  # rounding of a solver's numbers

# The greatest chance to beat a policy, and the policy.
ProvedValue: TypeAlias = tuple[Fraction, TabularPolicy]


def best_of(
    make: Callable[[Color, int | None], TabularPolicy], *, exact: bool = True
) -> Certificate:
    """Return the best certificate of policies whose chances are rounded.

    make   returns a player's policy, given the limit for `player.dark.tabular.round_chances`
    exact  first try finer and finer fractions until the bounds meet; decimals, the
           last resort, prove a little less than the value
    """
    best: list[ProvedValue] = []
    for limit in LIMITS if exact else ():
        proofs = _prove_values(make, limit)
        best = [min(two, key=itemgetter(0)) for two in zip(best or proofs, proofs, strict=True)]
        if best[0][0] + best[1][0] == 1:
            return _certificate(best)
    return _plain(_certificate(_prove_values(make, None)))


def _prove_values(
    make: Callable[[Color, int | None], TabularPolicy], limit: int | None
) -> list[ProvedValue]:
    return [(best_chance(policy), policy) for policy in (make(color, limit) for color in Color)]


def _certificate(proofs: list[ProvedValue]) -> Certificate:
    (white_wins, black), (black_wins, white) = proofs
    lower, upper = 1 - 2 * white_wins, 2 * black_wins - 1
    sides = None if -1 in (lower, upper) else black, None if 1 in (lower, upper) else white
    return Certificate(black.rules, lower, upper, sides)


def of_oracle(oracle: DoubleOracle, *, exact: bool = True) -> Certificate:
    """Return the best certificate from the policies of a double oracle."""
    return best_of(
        lambda color, limit: policy_of(oracle, color, oracle.best[color], limit), exact=exact
    )


def policy_of(
    oracle: DoubleOracle, color: Color, chances: tree.Floats, limit: int | None
) -> TabularPolicy:
    """Return a policy of a double oracle with rounded chances, without unreachable nodes."""
    book = oracle.books[color]
    entries: dict[History, ExactChances] = {}
    beyond: set[View] = set()
    plan = whole_plan(book, chances) if limit is None else {}
    for node in plan or _reachable_nodes(book, chances):
        if plan:
            total = sum(plan[node].values())
            entry = {cell: Fraction(weight, total) for cell, weight in plan[node].items()}
        else:
            shares = {cell: share for cell, share in enumerate(chances[node]) if share > 1e-9}
            entry = round_chances(shares, limit)
        entries[book.history(node)] = entry
        for cell in entry:
            beyond.update(_after(View(*book.views[node]), cell))
    order = tuple(map(int, center_first(oracle.rules)))
    return TabularPolicy(oracle.rules, color, order, entries, _by_view(book, order, beyond))


def whole_plan(book: Book, chances: tree.Floats) -> dict[int, dict[Cell, int]]:
    """Return a policy as a plan of whole numbers, by reached node; the root has `TOTAL`.

    The weight of a node is shared among its cells; a cell that would get less
    than `LEAST` gets nothing.
    """
    cells = chances.shape[1]
    plan: dict[int, dict[Cell, int]] = {}
    for node, (slot, _) in enumerate(book.above[: len(chances)]):
        parent, cell = divmod(slot, cells)
        weight = TOTAL if node == 0 else plan.get(parent, {}).get(cell, 0)
        if not weight:
            continue
        plan[node] = whole_shares(weight, dict(enumerate(chances[node])), least=LEAST)
    return plan


def _by_view(book: Book, order: tuple[Cell, ...], beyond: set[View]) -> dict[View, Cell]:
    """Return the cell that a book attempts after its nodes, by view, if not the first in order."""
    waiting, visited = list(beyond), set(beyond)
    result: dict[View, Cell] = {}
    while waiting:
        view = waiting.pop()
        stones = view.own | view.known
        if stones.bit_count() == len(order):
            continue
        cell = book.fall_back(view.own, view.known)
        if cell != next(each for each in order if not stones >> each & 1):
            result[view] = cell
        more = _after(view, cell) - visited
        visited |= more
        waiting += more
    return result


def _after(view: View, cell: Cell) -> set[View]:
    """Return the views after a stone at a cell, and after a collision."""
    bit = 1 << cell
    return {View(view.own | bit, view.known), View(view.own, view.known | bit)}


def _reachable_nodes(book: Book, chances: tree.Floats) -> list[int]:
    """Return the nodes that a policy can reach."""
    cells = chances.shape[1]
    nodes = [0]
    visited = {0}
    for node, (slot, _) in enumerate(book.above[1 : len(chances)], 1):
        parent, cell = divmod(slot, cells)
        if parent in visited and chances[parent, cell] > 1e-9:
            visited.add(node)
            nodes.append(node)
    return nodes


def of_sure_wins(wins: SureWins, rules: DarkRules) -> Certificate:
    """Return the proof that a player wins the classic game for sure."""
    policy = sure_policy(wins, rules)
    value = Fraction(1 if policy.color is Color.BLACK else -1)
    sides = (policy, None) if policy.color is Color.BLACK else (None, policy)
    return Certificate(rules, value, value, sides)


def sure_policy(wins: SureWins, rules: DarkRules) -> TabularPolicy:
    """Return a policy that wins for sure, with an entry for each reachable information state."""
    chances: dict[History, ExactChances] = {}
    waiting: list[tuple[History, View]] = [((), View())]
    while waiting:
        history, view = waiting.pop()
        cell = wins.winning_cells(view)[0]
        chances[history] = {cell: Fraction(1)}
        after_hit, after_stone = wins.after(view, cell)
        if after_hit is not None:
            waiting.append(((*history, own_symbol(cell, placed=False)), after_hit))
        if after_stone is not None:
            after = (*history, own_symbol(cell, placed=True))
            waiting += [(following, after_stone) for following in with_sounds(rules, after)]
    return TabularPolicy(rules, wins.color, tuple(rules.board.cells), chances)


def make_claim(
    black: TabularPolicy, white: TabularPolicy, bounds: tuple[float, float]
) -> Certificate:
    """Return policies with the bounds that a solver measured, made a little wider.

    The claim is not verified here.
    """
    lower, upper = Fraction(bounds[0] - SLACK), Fraction(bounds[1] + SLACK)
    sides = None if lower <= -1 else black, None if upper >= 1 else white
    return _plain(
        Certificate(black.rules, max(lower, Fraction(-1)), min(upper, Fraction(1)), sides)
    )


def _plain(certificate: Certificate) -> Certificate:
    """Return a weaker claim with short numbers, rounded away from the value."""
    lower = Fraction(math.floor(certificate.lower * SHORT), SHORT)
    return replace(
        certificate, lower=lower, upper=Fraction(math.ceil(certificate.upper * SHORT), SHORT)
    )


# Computed policies: equilibria, and averages of regret minimization.
#
# They depend only on the game and the given numbers; a process caches them.

CENTER = first_in_order("center")
NEAR = Fraction(1, 100)  # bounds of a certificate no further apart count as an equilibrium


@lru_cache(maxsize=MOST_CACHED)
def equilibrium(rules: DarkRules) -> Policy:
    """Return an equilibrium: that of the shipped certificate, else that of the tree.

    A side that loses for sure attempts cells near the center. Raise GameTooLargeError if
    no equilibrium is shipped and the tree is too large.
    """
    path = find_shipped(f"dark/{rules.name}.txt")
    proof = certificate.load(path) if path is not None else None
    if proof is None or proof.upper - proof.lower > NEAR:
        proof = _solve(rules)
    return of_policies(proof.policies, CENTER(rules))


def of_file(claim: Certificate) -> Study:
    """Return the policies of a certificate; a side without one attempts cells near the center."""

    def study(rules: DarkRules) -> Policy:
        if rules != claim.rules:
            raise ValueError(f"policies of {claim.rules.name}, not of {rules.name}")
        return of_policies(claim.policies, CENTER(rules))

    return study


@cache
def minimize_regret(variant: str, iterations: int) -> Study:
    """Return the average policies of a CFR variant on the tree.

    The study raises GameTooLargeError if the tree is too large.
    """
    return lambda rules: _minimize(rules, variant, iterations)


@cache
def sample_regret(iterations: int, seed: int) -> Study:
    """Return the average policies of outcome sampling; elsewhere, cells near the center."""
    return lambda rules: _sample(rules, iterations, seed)


@lru_cache(maxsize=MOST_CACHED)
def _minimize(rules: DarkRules, variant: str, iterations: int) -> Policy:
    game = tree.build(rules)
    solver = Minimizer(game, VARIANTS[variant])
    solver.advance(iterations)
    plans = solver.plans()
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    return of_policies((black, white), CENTER(rules))


@lru_cache(maxsize=MOST_CACHED)
def _sample(rules: DarkRules, iterations: int, seed: int) -> Policy:
    sampler = RegretSampler(rules, np.random.default_rng(seed))
    sampler.advance(iterations)
    other = CENTER(rules)

    def policy(color: Color, history: History) -> Chances:
        chances = sampler.policy(color, history)
        if chances is None:
            return other(color, history)
        cells = rules.unknown(view_of(history))
        return {cell: float(chances[cell]) for cell in cells if chances[cell] > 0}

    return policy


def _solve(rules: DarkRules) -> Certificate:
    """Return the equilibrium of a game from its tree, which takes seconds.

    Raise GameTooLargeError if the tree is too large: double oracle might take hours.
    """
    check_cells(rules, "double-oracle")
    try:
        game = tree.build(rules)
    except GameTooLargeError:
        board = str(rules.board)
        command = f"dark solve {board} --base {rules.base} --noise {rules.noise} --certificate FILE"
        raise GameTooLargeError(
            f"no equilibrium of {rules.name} is shipped; `hsearch {command}` searches for "
            "one, which equilibrium:file=FILE then plays"
        ) from None
    plans = linear_program.solve(game)
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    # No claim about the value.
    return Certificate(rules, Fraction(-1), Fraction(1), (black, white))
