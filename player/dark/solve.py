"""One interface to all methods: from a game and a method to a value and its bounds."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TypeAlias

import numpy as np

from hsearch.formats.files import find_shipped
from hsearch.hex import Color
from player.dark import (
    certificate,
    counts,
    double_oracle,
    linear_program,
    long_run,
    outlook,
    proof,
    regression,
    regret,
    response,
    tabular,
    tree,
)
from player.dark.certificate import Certificate
from player.dark.methods import METHODS, GameTooLargeError, Runner, SolvingMethod, check_cells
from player.dark.rules import DarkRules, Noise, View

NEAR_ZERO = 1e-9  # bounds nearer than this get an exact certificate, if fractions give one
MOST_HEARD = 9  # cells of the largest board with noise whose sure wins get a certificate

# Receives the progress of a long run, and an estimate of the seconds left.
Report: TypeAlias = Callable[[long_run.RunProgress, float | None], None]


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
    sizes        the sizes of the game
    seconds      the time of the whole call
    certificate  policies that prove the bounds, or nearly; exact if the method can be
    curve        the progress of a long run
    end          the condition that ended a long run
    save_error   why the end of the run was not saved; None if it was, or there is no file
    """

    value: float | None
    bounds: tuple[float, float] | None
    sizes: Sizes
    seconds: float
    certificate: Certificate | None = None
    curve: tuple[long_run.RunProgress, ...] = ()
    end: long_run.End | None = None
    save_error: str | None = None

    @property
    def exploitability(self) -> float | None:
        """Half the distance of the bounds."""
        return long_run.exploitability(self.bounds)

    @property
    def fraction(self) -> Fraction | None:
        """The exact value, if it is proved."""
        proof = self.certificate
        return proof.lower if proof is not None and proof.lower == proof.upper else None


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """Options of a method.

    stop        the limits of a long run
    seed        the seed of methods that draw at random
    file        the file to save a long run in, and to resume it from
    rcfr        the options of the method `rcfr`
    interrupt   once set, ends a long run after the current step
    """

    stop: long_run.Stop = field(default_factory=long_run.Stop)
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
        raise ValueError(f"unknown method {method!r} (known: {', '.join(METHODS)})")
    row = METHODS[method]
    return RUNNERS[row.runner](_Task(rules, method, row, options, report, time.perf_counter()))


@dataclass(frozen=True, slots=True)
class _Task:
    """A game to solve by a method, and the time when that began."""

    rules: DarkRules
    method: str
    row: SolvingMethod
    options: SolveOptions
    report: Report
    start: float

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return time.perf_counter() - self.start


def sizes(game: tree.GameTree) -> Sizes:
    """Return the sizes of a game whose tree was built."""
    black, white = (len(side.parent) for side in game.sides)
    return Sizes(game.nodes, len(game.outcome), (black, white))


def count_sizes(rules: DarkRules) -> Sizes:
    """Return the sizes of a game; empty if counting would take more than a second."""
    if rules.board.size > 6:
        return Sizes()
    histories = counts.count_histories(rules)
    black, white = (counts.count_information_sets(rules, color) for color in Color)
    return Sizes(histories.nodes, histories.terminals, (black, white))


def _run(task: _Task, solver: long_run.SteppedSolver, **more: str) -> long_run.Result:
    """Run a solver; `more` is the description of the run that its method adds."""
    rules, options = task.rules, task.options
    about = {
        "board": str(rules.board),
        "base": str(rules.base),
        "noise": str(rules.noise),
        "method": task.method,
        "seed": options.seed,
    }
    return long_run.run(
        solver,
        options.stop,
        file=options.file,
        about=about | more,
        report=task.report,
        interrupt=options.interrupt,
    )


def _solution(
    task: _Task,
    result: long_run.Result,
    size: Sizes,
    *,
    value: float | None = None,
    certificate: Certificate | None = None,
) -> Solution:
    bounds = result.progress.bounds
    if value is None and bounds is not None:
        value = sum(bounds) / 2
    curve = tuple(result.curve)
    end, save_error = result.end, result.save_error
    return Solution(value, bounds, size, task.seconds, certificate, curve, end, save_error)


def _claim(game: tree.GameTree, plans: tree.Plans, result: long_run.Result) -> Certificate:
    """Return the average policies, with the last measured bounds as a claim."""
    black, white = (tabular.of_plan(game, color, plans[color]) for color in Color)
    return proof.make_claim(black, white, result.progress.bounds or (-1.0, 1.0))


def _linear_program(task: _Task) -> Solution:
    """Return the solution by equilibrium plans, with a certificate in fractions if possible."""
    game = tree.build(task.rules)
    plans = linear_program.solve(game)
    certificate = proof.best_of(
        lambda color, limit: tabular.of_plan(game, color, plans[color], limit=limit)
    )
    bounds = response.bounds(game, plans)
    value = response.value(game, plans)
    return Solution(value, bounds, sizes(game), task.seconds, certificate)


def _normal_form(task: _Task) -> Solution:
    game = tree.build(task.rules)
    matrix = linear_program.without_duplicates(linear_program.normal_form(game))
    value = linear_program.solve_matrix(matrix).value
    return Solution(value, (value, value), sizes(game), task.seconds)


def _minimizer(task: _Task) -> Solution:
    game = tree.build(task.rules)
    return _minimize(task, game, regret.Minimizer(game, task.row.weighting))


def _regression(task: _Task) -> Solution:
    game, options = tree.build(task.rules), task.options.rcfr
    return _minimize(task, game, regression.Regression(game, options), regression=str(options))


def _minimize(task: _Task, game: tree.GameTree, solver: regret.Minimizer, **about: str) -> Solution:
    result = _run(task, solver, **about)
    plans = solver.plans()
    value = response.value(game, plans)
    claim = _claim(game, plans, result)
    return _solution(task, result, sizes(game), value=value, certificate=claim)


def _double_oracle(task: _Task) -> Solution:
    oracle = double_oracle.DoubleOracle(task.rules, seed=task.options.seed)
    stop = task.options.stop
    stop = replace(stop, exploitability=max(stop.exploitability, NEAR_ZERO / 2))
    result = _run(replace(task, options=replace(task.options, stop=stop)), oracle)
    near = oracle.upper - oracle.lower < NEAR_ZERO
    certificate = proof.of_oracle(oracle, exact=near)
    solution = _solution(task, result, count_sizes(task.rules), certificate=certificate)
    return solution if near else _with_proved(solution, certificate)


def _with_proved(solution: Solution, claim: Certificate) -> Solution:
    """Return a solution with the bounds that its certificate proves where these are nearer.

    They are the only bounds if no step has answered the policies yet.
    """
    lower, upper = solution.bounds or (-1.0, 1.0)
    bounds = max(lower, float(claim.lower)), min(upper, float(claim.upper))
    return replace(solution, value=sum(bounds) / 2, bounds=bounds)


def _sampler(task: _Task) -> Solution:
    rng = np.random.default_rng(task.options.seed)
    explore = regret.EXPLORE if task.row.explores else 0
    try:
        game = tree.build(task.rules)
    except GameTooLargeError:
        game = None
    sampler = regret.RegretSampler(task.rules, rng, explore=explore, tree=game)
    result = _run(task, sampler)
    if game is None:
        return _solution(task, result, Sizes())
    claim = _claim(game, sampler.plans(game), result)
    return _solution(task, result, sizes(game), certificate=claim)


def _sure_wins(task: _Task) -> Solution:
    """Return 1 if Black wins the classic game for sure, -1 if White does, else bounds."""
    rules = task.rules
    check_cells(rules, task.method)
    black, white = (outlook.SureWins(rules, color) for color in Color)
    lower, upper = -1.0, 1.0
    winner: outlook.SureWins | None = None
    if black.wins(View()):
        lower, winner = 1.0, black
    elif not _wins_at_once(rules) and white.wins(View()):
        upper, winner = -1.0, white
    value = lower if lower == upper else None
    certificate = None
    if winner is not None and (rules.noise is Noise.SILENT or rules.board.size <= MOST_HEARD):
        certificate = proof.of_sure_wins(winner, rules)
    return Solution(value, (lower, upper), count_sizes(rules), task.seconds, certificate)


def _wins_at_once(rules: DarkRules) -> bool:
    return any(rules.connects(Color.BLACK, 1 << cell) for cell in rules.board.cells)


RUNNERS: dict[Runner, Callable[[_Task], Solution]] = {
    Runner.LINEAR_PROGRAM: _linear_program,
    Runner.NORMAL_FORM: _normal_form,
    Runner.MINIMIZER: _minimizer,
    Runner.REGRESSION: _regression,
    Runner.SAMPLER: _sampler,
    Runner.DOUBLE_ORACLE: _double_oracle,
    Runner.SURE_WINS: _sure_wins,
}


# Values that take too long to compute: read from their certificates, and proved again.


def solution(rules: DarkRules) -> Solution | None:
    """Return what the shipped certificate of a game proves; None if none is shipped.

    Raise CertificateError when it proves less than it claims.
    """
    path = find_shipped(f"dark/{rules.name}.txt")
    return None if path is None else prove_certificate(path)


def prove_certificate(path: Path) -> Solution:
    """Return what a certificate proves in exact arithmetic; `seconds` is the time of the proof."""
    start = time.perf_counter()
    claim = certificate.load(path)
    certificate.verify(claim)
    bounds = float(claim.lower), float(claim.upper)
    return Solution(sum(bounds) / 2, bounds, Sizes(), time.perf_counter() - start, claim)
