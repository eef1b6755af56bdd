"""One interface to all methods: from a game and a method to a value and its bounds."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TypeAlias

import numpy as np

from hsearch.formats.files import shipped
from hsearch.hex.board import Color
from player.dark import (
    certificate,
    linear_program,
    long_run,
    proof,
    regression,
    regret,
    response,
    tabular,
    tree,
)
from player.dark.certificate import Certificate
from player.dark.counts import count_histories, count_information
from player.dark.double_oracle import DoubleOracle
from player.dark.long_run import End, RunProgress, SteppedSolver, Stop
from player.dark.methods import METHODS, GameTooLargeError, check_cells
from player.dark.outlook import SureWins
from player.dark.rules import DarkRules, Noise, View
from player.dark.tree import GameTree, Plans

NEAR_ZERO = 1e-9  # bounds nearer than this get an exact certificate, if fractions give one
MOST_HEARD = 9  # cells of the largest board with noise whose sure wins get a certificate

# Receives the progress of a long run, and an estimate of the seconds left.
Report: TypeAlias = Callable[[RunProgress, float | None], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a game; None where it was not counted."""

    nodes: int | None = None
    terminals: int | None = None
    information_sets: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a method.

    value        the value to Black; the middle of the bounds if nothing better is known
    bounds       the least value of Black's policy, and the greatest against White's
    certificate  policies that prove the bounds, or nearly; exact if the method can be
    curve        the progress of a long run
    ended        the condition that ended a long run
    unsaved      why the end of the run was not saved; None if it was, or there is no file
    """

    value: float | None
    bounds: tuple[float, float] | None
    sizes: Sizes
    seconds: float
    certificate: Certificate | None = None
    curve: tuple[RunProgress, ...] = ()
    ended: End | None = None
    unsaved: str | None = None

    @property
    def exploitability(self) -> float | None:
        """Half the distance of the bounds."""
        return None if self.bounds is None else max(0.0, self.bounds[1] - self.bounds[0]) / 2

    @property
    def fraction(self) -> Fraction | None:
        """The exact value, if it is proved."""
        proof = self.certificate
        return proof.lower if proof is not None and proof.lower == proof.upper else None


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """Options of a method.

    file        the file to save a long run in, and to resume it from
    rcfr        the options of the method `rcfr`
    interrupt   once set, ends a long run after the current step
    """

    stop: Stop = field(default_factory=Stop)
    seed: int = 0
    file: Path | None = None
    rcfr: regression.RegressionOptions = field(default_factory=regression.RegressionOptions)
    interrupt: Event | None = None


def solve(
    rules: DarkRules,
    method: str,
    options: SolveOptions,
    report: Report = lambda _, __: None,
) -> Solution:
    """Solve a game; raise ValueError if the method is unknown or the game is too large for it."""
    if method not in METHODS:
        raise ValueError(f"no method {method!r}: {', '.join(METHODS)}")
    start = time.perf_counter()
    if method == "sure-wins":
        return _sure(rules, start)
    if method == "double-oracle":
        return _oracle(rules, options, report, start)
    if METHODS[method].samples:
        return _sampled(rules, method, options, report, start)
    game = tree.build(rules)
    if method == "lp":
        return _exact(game, linear_program.solve(game), start)
    if method == "pure-lp":
        matrix = linear_program.without_duplicates(linear_program.normal_form(game))
        value = linear_program.solve_matrix(matrix).value
        return Solution(value, (value, value), sizes(game), time.perf_counter() - start)
    weighting = METHODS[method].weighting
    solver: regret.Minimizer = (
        regression.Regression(game, options.rcfr)
        if weighting is None
        else regret.Minimizer(game, weighting)
    )
    result = _run(rules, method, solver, options, report)
    plans = solver.plans()
    value = response.value(game, plans)
    claim = _claim(game, plans, result)
    return _ran(result, sizes(game), start, value=value, certificate=claim)


def sizes(game: GameTree) -> Sizes:
    """Return the sizes of a game whose tree was built."""
    black, white = (len(side.parent) for side in game.sides)
    return Sizes(game.nodes, len(game.outcome), (black, white))


def counted(rules: DarkRules) -> Sizes:
    """Return the sizes of a game; empty if counting would take more than seconds."""
    if rules.board.size > 6:
        return Sizes()
    number = count_histories(rules)
    black, white = (count_information(rules, color).information_states for color in Color)
    return Sizes(number.nodes, number.terminals, (black, white))


def _run(
    rules: DarkRules,
    method: str,
    solver: SteppedSolver,
    options: SolveOptions,
    report: Report,
) -> long_run.Result:
    about = {
        "board": str(rules.board),
        "base": str(rules.base),
        "noise": str(rules.noise),
        "method": method,
        "seed": options.seed,
    }
    if method == "rcfr":
        about["regression"] = str(options.rcfr)
    return long_run.run(
        solver,
        options.stop,
        file=options.file,
        about=about,
        report=report,
        interrupt=options.interrupt,
    )


def _ran(
    result: long_run.Result,
    size: Sizes,
    start: float,
    *,
    value: float | None = None,
    certificate: Certificate | None = None,
) -> Solution:
    bounds = result.progress.bounds
    if value is None and bounds is not None:
        value = sum(bounds) / 2
    seconds = time.perf_counter() - start
    curve = tuple(result.curve)
    ended, unsaved = result.ended, result.unsaved
    return Solution(value, bounds, size, seconds, certificate, curve, ended, unsaved)


def _claim(game: GameTree, plans: Plans, result: long_run.Result) -> Certificate:
    """Return the average policies, with the last measured bounds as a claim."""
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    return proof.claimed(black, white, result.progress.bounds or (-1.0, 1.0))


def _exact(game: GameTree, plans: Plans, start: float) -> Solution:
    """Return the solution of equilibrium plans, with a certificate in fractions if possible."""
    certificate = proof.best_of(
        lambda color, limit: tabular.of_plan(game, color, plans[color], limit=limit)
    )
    bounds = response.bounds(game, plans)
    value = response.value(game, plans)
    return Solution(value, bounds, sizes(game), time.perf_counter() - start, certificate)


def _oracle(rules: DarkRules, options: SolveOptions, report: Report, start: float) -> Solution:
    oracle = DoubleOracle(rules, seed=options.seed)
    stop = Stop(
        options.stop.iterations,
        max(options.stop.exploitability, NEAR_ZERO / 2),
        options.stop.seconds,
    )
    result = _run(rules, "double-oracle", oracle, replace(options, stop=stop), report)
    near = oracle.upper - oracle.lower < NEAR_ZERO
    certificate = proof.of_oracle(oracle, exact=near)
    solution = _ran(result, counted(rules), start, certificate=certificate)
    return solution if near else _with_proved(solution, certificate)


def _with_proved(solution: Solution, claim: Certificate) -> Solution:
    """Return a solution with the bounds that its certificate proves where these are nearer.

    They are the only bounds if no step has answered the policies yet.
    """
    lower, upper = solution.bounds or (-1.0, 1.0)
    bounds = max(lower, float(claim.lower)), min(upper, float(claim.upper))
    return replace(solution, value=sum(bounds) / 2, bounds=bounds)


def _sampled(
    rules: DarkRules, method: str, options: SolveOptions, report: Report, start: float
) -> Solution:
    rng = np.random.default_rng(options.seed)
    explore = 0 if method == "mccfr-external" else regret.EXPLORE
    try:
        game = tree.build(rules)
    except GameTooLargeError:
        game = None
    sampler = regret.RegretSampler(rules, rng, explore=explore, tree=game)
    result = _run(rules, method, sampler, options, report)
    if game is None:
        return _ran(result, Sizes(), start)
    claim = _claim(game, sampler.plans(game), result)
    return _ran(result, sizes(game), start, certificate=claim)


def _sure(rules: DarkRules, start: float) -> Solution:
    """Return 1 if Black wins the classic game for sure, -1 if White does, else bounds."""
    check_cells(rules, "sure-wins")
    black, white = (SureWins(rules, color) for color in Color)
    lower, upper = -1.0, 1.0
    winner: SureWins | None = None
    if black.wins(View()):
        lower, winner = 1.0, black
    elif not _wins_at_once(rules) and white.wins(View()):
        upper, winner = -1.0, white
    value = lower if lower == upper else None
    certificate = None
    if winner is not None and (rules.noise is Noise.SILENT or rules.board.size <= MOST_HEARD):
        certificate = proof.of_sure_wins(winner, rules)
    size, seconds = counted(rules), time.perf_counter() - start
    return Solution(value, (lower, upper), size, seconds, certificate)


def _wins_at_once(rules: DarkRules) -> bool:
    return any(rules.connects(Color.BLACK, 1 << cell) for cell in rules.board.cells)


# Values that take too long to compute: read from their certificates, and proved again.


def solution(rules: DarkRules) -> Solution | None:
    """Return what the shipped certificate of a game proves; None if none is shipped.

    Raise CertificateError when it proves less than it claims.
    """
    path = shipped(f"dark/{rules.name}.txt")
    return None if path is None else proved(path)


def proved(path: Path) -> Solution:
    """Return what a certificate proves in exact arithmetic; `seconds` is the time of the proof."""
    start = time.perf_counter()
    claim = certificate.load(path)
    certificate.verify(claim)
    bounds = float(claim.lower), float(claim.upper)
    return Solution(sum(bounds) / 2, bounds, Sizes(), time.perf_counter() - start, claim)
