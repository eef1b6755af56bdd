"""Scores: what a position is worth to the player to move, larger is better.

An undecided position is worth its evaluation. A proved win is worth more than
any of those: the more, the fewer moves away its proof is, and among equally
near ones the fewer cells the proof needs. A loss is the negative.
"""

PLY = 1000  # more than the cells of a board
PROVED = 1e6  # scores beyond are proved
_WIN = 2e6
MOST = 1e3  # an evaluation counts no more


def win(ply: int, cells: int) -> float:
    """Return the score of a win proved after some plies by a carrier of this many cells."""
    return _WIN - PLY * ply - cells


def estimate(evaluation: float, *, black: bool) -> float:
    """Return the score of an evaluation, which is negative when good for Black."""
    bounded = max(-MOST, min(MOST, evaluation))
    return -bounded if black else bounded


def is_win(score: float) -> bool:
    """Return whether a score says that the player to move is proved to win."""
    return score > PROVED


def is_loss(score: float) -> bool:
    """Return whether a score says that the player to move is proved to lose."""
    return score < -PROVED


def plies(score: float) -> int:
    """Return after how many plies the proof of a decided score stands."""
    return int((_WIN - abs(score)) // PLY)


def later(score: float, plies: int) -> float:
    """Return a score as it looks from some plies before: a win less near, a loss less soon.

    A negative number of plies undoes it.
    """
    if is_win(score):
        return score - PLY * plies
    return score + PLY * plies if is_loss(score) else score
