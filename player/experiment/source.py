"""The seven experiments of the source (Schiavone), what it found, and variants of ours.

Alpha-beta of fixed depth over all moves; without swap the first stone goes to
the center. Moves by chance make games differ. Where neither player has any, as
in 7, the source seems to have seen one game over and over: ours start from
openings of two stones, and `7-empty` from the empty board, as the source's.

The variants ask why some figures differ: `one-way` has evaluators measured from
a single edge or corner, as the source has them; `7-random` draws the order of
moves, and so gives both players chance; in `parity` both depths are even;
`diagonal` orders by the longer distances of the program that the source names.
"""

from dataclasses import dataclass

from player.openings import balanced
from player.tournament import Event

OPENINGS = 100


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures that the source reports.

    games  how many were played
    won    by either player, and `first` those when moving first
    times  mean and standard deviation of the seconds for a move, of either player
    test   what the test said of the times: `same` or `differ`
    moves  mean number of moves of a game
    """

    games: int
    won: tuple[int, int]
    first: tuple[int, int]
    times: tuple[tuple[float, float], tuple[float, float]]
    test: str
    moves: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """Two players on a board.

    size     of the board
    players  texts that name them
    opened   whether games start from balanced openings of two stones
    source   what the source found; None if it did not ask
    """

    size: int
    players: tuple[str, str]
    opened: bool = False
    source: Figures | None = None


def _ab(evaluator: str, order: str = "random", depth: int = 2) -> str:
    return f"ab:eval={evaluator},order={order},depth={depth}"


EXPERIMENTS = {
    "1": Experiment(
        11,
        (_ab("connected"), _ab("shortest_path")),
        source=Figures(30, (0, 30), (0, 15), ((0.267, 0.216), (0.303, 0.158)), "same", 24.3),
    ),
    "2": Experiment(
        11,
        (_ab("shortest_path"), _ab("y_reduction")),
        source=Figures(30, (23, 7), (13, 5), ((0.476, 0.356), (0.926, 0.800)), "differ", 38.8),
    ),
    "3": Experiment(
        11,
        (_ab("shortest_path"), _ab("two_distance")),
        source=Figures(30, (1, 29), (1, 15), ((1.023, 0.695), (0.964, 0.625)), "same", 29.6),
    ),
    "4": Experiment(
        8,
        (_ab("two_distance"), _ab("max_flow")),
        source=Figures(20, (19, 1), (10, 1), ((0.244, 0.146), (3.545, 2.181)), "differ", 20.65),
    ),
    "5": Experiment(
        8,
        (_ab("two_distance"), _ab("resistance")),
        source=Figures(20, (18, 2), (10, 2), ((0.211, 0.109), (46.06, 16.59)), "differ", 20.2),
    ),
    "6": Experiment(
        11,
        (_ab("two_distance", "charge"), _ab("two_distance")),
        source=Figures(30, (19, 11), (11, 7), ((0.587, 0.437), (0.900, 0.466)), "differ", 43.0),
    ),
    "7": Experiment(
        8,
        (_ab("two_distance", "charge"), _ab("two_distance", "charge", 3)),
        opened=True,
        source=Figures(20, (20, 0), (10, 0), ((0.118, 0.077), (2.102, 1.449)), "differ", 38.5),
    ),
    "2-one-way": Experiment(11, (_ab("shortest_path"), _ab("y_reduction_one_way"))),
    "4-one-way": Experiment(8, (_ab("two_distance_one_way"), _ab("max_flow"))),
    "5-one-way": Experiment(8, (_ab("two_distance_one_way"), _ab("resistance"))),
    "7-empty": Experiment(8, (_ab("two_distance", "charge"), _ab("two_distance", "charge", 3))),
    "7-diagonal": Experiment(
        8,
        (_ab("two_distance", "charge_diagonal"), _ab("two_distance", "charge_diagonal", 3)),
        opened=True,
    ),
    "7-diagonal-empty": Experiment(
        8, (_ab("two_distance", "charge_diagonal"), _ab("two_distance", "charge_diagonal", 3))
    ),
    "7-one-way": Experiment(
        8,
        (_ab("two_distance_one_way", "charge"), _ab("two_distance_one_way", "charge", 3)),
        opened=True,
    ),
    "7-random": Experiment(8, (_ab("two_distance"), _ab("two_distance", depth=3))),
    "parity": Experiment(
        8, (_ab("two_distance", "charge"), _ab("two_distance", "charge", 4)), opened=True
    ),
}


def event(name: str, *, seed: int = 0) -> Event:
    """Return the event of an experiment. Raise ValueError, listing the known, for another name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r} (known: {', '.join(EXPERIMENTS)})")
    found = EXPERIMENTS[name]
    return Event(
        f"experiment {name}",
        found.size,
        found.size,
        found.players,
        seed,
        openings=balanced(found.size, found.size)[:OPENINGS] if found.opened else (),
    )
