"""Rows of the benchmark for Dark Hex: an iteration of CFR+, against OpenSpiel where that is."""

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from hsearch.board import Board
from player.bench.measure import BenchRow, Tally
from player.dark import tree
from player.dark.regret import VARIANTS, Minimizer
from player.dark.rules import Base, DarkRules

RIVAL = "open_spiel"
ABSENT = "open_spiel is not installed: no comparison (pip install open_spiel)"


@dataclass(frozen=True, slots=True)
class _Solvers:
    """Two solvers of one game; each call of `rival` makes an iteration."""

    own: Minimizer
    rival: Callable[[], None] | None


def dark_rows() -> Iterator[BenchRow]:
    """Return a row for each of two silent abrupt boards."""
    is_there = importlib.util.find_spec("pyspiel") is not None
    for columns, passes in ((2, 200), (3, 100)):
        rivals: dict[str, Callable[[Any], object]] = {RIVAL: _rival} if is_there else {}
        yield BenchRow(
            f"dark/cfr+/{columns}x2-abrupt-silent",
            partial(_solvers, DarkRules(Board(columns, 2), Base.ABRUPT)),
            _iterate,
            rivals,
            passes=passes,
            absent="" if is_there else ABSENT,
        )


def _solvers(rules: DarkRules) -> list[_Solvers]:
    rival = None
    if importlib.util.find_spec("pyspiel") is not None:
        pyspiel = importlib.import_module("pyspiel")
        board = {"num_rows": rules.board.rows, "num_cols": rules.board.columns}
        game = pyspiel.load_game("dark_hex", {"gameversion": "adh", **board})
        rival = pyspiel.CFRPlusSolver(game).evaluate_and_update_policy
    return [_Solvers(Minimizer(tree.build(rules), VARIANTS["cfr+"]), rival)]


def _iterate(solvers: _Solvers) -> Tally:
    solvers.own.step()
    return {"nodes": solvers.own.tree.nodes}


def _rival(solvers: _Solvers) -> None:
    if solvers.rival is not None:
        solvers.rival()
