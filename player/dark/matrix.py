"""The 12x12 matrix of open-loop plans in abrupt 2x2, and the printed version of it.

A plan `ab` attempts a, then b, whatever happens; the row player attempts first
each time. An entry shows who connected first: `1 0` the row player, `0 1` the
column player, `0 0` nobody within two attempts each. Cells are numbered
0 1 / 2 3, and the row player joins left and right. That is Black's game on the
board with 1 and 2 exchanged.
"""

import csv
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from hsearch.formats.files import find_shipped
from hsearch.hex import Board, Color
from player.dark.rules import Base, DarkPosition, DarkRules
from player.dark.tree import Floats

Entries: TypeAlias = dict[tuple[str, str], str]

PLANS = tuple(map("".join, itertools.permutations("0123", 2)))
PRINTED = "payoff-abrupt-2x2-printed.csv"


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that was printed wrongly."""

    row: str
    column: str
    misprint: str
    correct: str


def simulate() -> Entries:
    """Compute the matrix by playing every plan against every plan."""
    return {(row, column): _play(row, column) for row in PLANS for column in PLANS}


def load_printed() -> Entries:
    """Return the matrix as the source printed it.

    Raise FileNotFoundError if its file is missing in this installation.
    """
    path = find_shipped(f"dark/{PRINTED}")
    if path is None:
        raise FileNotFoundError(f"positions/dark/{PRINTED} is missing")
    return read(path)


def read(path: Path) -> Entries:
    """Return the entries of a matrix in a file; raise ValueError at a bad one."""
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    entries = {
        (row[0], column): entry
        for row in rows[1:]
        for column, entry in zip(rows[0][1:], row[1:], strict=True)
    }
    if sorted(entries) != sorted(itertools.product(PLANS, PLANS)):
        raise ValueError(f"{path}: not a matrix of the plans 01 to 32")
    for where, entry in entries.items():
        if entry not in {"0 0", "1 0", "0 1"}:
            raise ValueError(f"{path}: row {where[0]}, column {where[1]}: {entry!r}")
    return entries


def differences(wrong: Entries, right: Entries) -> list[Difference]:
    """Return the entries in which two matrices differ, in order."""
    return [
        Difference(row, column, wrong[row, column], right[row, column])
        for row, column in itertools.product(PLANS, PLANS)
        if wrong[row, column] != right[row, column]
    ]


def payoffs(entries: Entries) -> Floats:
    """Return the row player's wins minus losses."""
    worth = {"1 0": 1, "0 0": 0, "0 1": -1}
    return np.array([[worth[entries[row, column]] for column in PLANS] for row in PLANS], float)


def _play(row: str, column: str) -> str:
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    state = DarkPosition()
    for label in (row[0], column[0], row[1], column[1]):
        state, _ = rules.attempt(state, rules.board.transpose(int(label)))
        winner = rules.winner(state)
        if winner is not None:
            return "1 0" if winner is Color.BLACK else "0 1"
    return "0 0"
