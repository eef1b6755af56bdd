"""A review as a value: a state for each position of the main line, a word for each move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hsearch.board import Cell, Color
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.game import Game, Move, Special
from hsearch.position import Position
from hsearch.showing import Shown
from player.review.effort import Effort
from player.review.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Proved:
    """Proved winner of a position, and the proof.

    by          chain, full, semi, deduction, solver; map: the shipped map of openings; or move:
                the move that was played wins
    size        cells of the connection, positions the solver looked at; for a move, those of
                the proof that it leads to; 0 for the map
    connection  between the winner's edges, if one is the proof; with a key if the winner is
                to move
    move        a winning move, if the winner is to move and one is known
    """

    winner: Color
    by: str
    size: int
    connection: Connection | None = None
    move: Cell | None = None

    @property
    def words(self) -> str:
        """Kind and size of the proof, in a few words."""
        match self.by:
            case "chain":
                return "a chain of stones"
            case "solver":
                return f"the solver, {self.size} positions"
            case "map":
                return "the shipped map of openings"
            case "move":
                return "the move played, which wins"
            case "deduction":
                return f"a full connection of {self.size} cells, by must-play deduction"
            case _:
                return f"a {self.by} connection of {self.size} cells"


@dataclass(frozen=True, slots=True)
class ReviewedPosition:
    """Knowledge of a position of the game.

    moves       how many were played
    evaluation  E: below 0 is good for Black
    chance      of the player to move: 0 or 1 if proved, else estimated
    proved      None while who wins is open
    mustplay    the must-play region of the player to move
    is_forced   whether it is smaller than the empty cells
    losing      moves that are proved to lose, the solver's included
    winning     moves that are proved to win
    links       the three weakest links, weakest first
    """

    moves: int
    position: Position
    evaluation: float
    chance: float
    proved: Proved | None
    mustplay: CellSet
    is_forced: bool
    losing: CellSet
    winning: CellSet
    links: tuple[Cell, ...] = ()

    @property
    def winner(self) -> Color | None:
        """Proved winner; None while it is open."""
        return None if self.proved is None else self.proved.winner

    def chance_of(self, color: Color) -> float:
        """Return the chance of a player, who need not be to move."""
        return self.chance if color is self.position.turn else 1 - self.chance


def proof_at(states: Sequence[ReviewedPosition], number: int) -> int:
    """Return the number of the position whose proof it is: `move` is followed to its end."""
    while (proved := states[number].proved) is not None and proved.by == "move":
        number += 1
    return number


@dataclass(frozen=True, slots=True)
class MoveReview:
    """Review of a move.

    number      from 1
    verdict     in one word
    basis       one sentence: what the verdict rests on
    fell        by how much the mover's chance fell; below 0 if it rose
    is_mistake  whether a proved win became a proved loss, or was resigned
    refutation  how the opponent wins after a proved loss: their move first
    better      how the mover wins for sure: a proved win that was not played
    """

    number: int
    move: Move
    verdict: Verdict
    basis: str
    fell: float = 0.0
    is_mistake: bool = False
    refutation: tuple[Cell, ...] = ()
    better: tuple[Cell, ...] = ()

    @property
    def is_proved(self) -> bool:
        """Whether the verdict rests on a proof."""
        return self.verdict not in {Verdict.ESTIMATE_FELL, Verdict.OPEN, Verdict.NONE}

    @property
    def word(self) -> str:
        """The verdict as it is printed, an estimate with its fall in points of a percentage."""
        if self.verdict is Verdict.ESTIMATE_FELL:
            return f"estimate fell by {100 * self.fell:.0f} points"
        return str(self.verdict.value)


@dataclass(frozen=True)
class Review(Shown):
    """A reviewed game.

    states  one more than moves: the position before the first move, and after each
    moves   a verdict each
    nodes   positions that the solver looked at
    proofs  for each proved loss that rests on the solver, by number of the move, the written
            proof of the position after it, if it was asked for
    """

    game: Game
    effort: Effort
    states: tuple[ReviewedPosition, ...]
    moves: tuple[MoveReview, ...]
    nodes: int = 0
    proofs: tuple[tuple[int, str], ...] = ()

    def _shown_by(self) -> str:
        return "player.review.sentences"

    def __repr__(self) -> str:
        return f"<Review of {self.game!r}, effort {self.effort.name}>"

    @cached_property
    def winner(self) -> Color | None:
        """Proved winner at the end of play; None if that is open."""
        return self.states[self.game.played].winner

    @cached_property
    def turning_point(self) -> int | None:
        """The least number of moves after which the winner is proved at every later position.

        None if the end is open. A resignation, a forfeit and passes at the end decide nothing.
        """
        if self.winner is None:
            return None
        number = self.game.played
        while number and self.states[number - 1].winner is self.winner:
            move = self.moves[number - 1]
            if move.verdict is Verdict.NONE and move.move.special is not Special.PASS:
                break  # a swap or setup: before it stood another game
            number -= 1
        return number

    @cached_property
    def last_mistake(self) -> MoveReview | None:
        """The last move that gave a proved win away, or None."""
        mistakes = [move for move in self.moves if move.is_mistake]
        return mistakes[-1] if mistakes else None

    @property
    def notable(self) -> list[MoveReview]:
        """The moves that matter."""
        return [move for move in self.moves if move.verdict.is_notable]

    def evidence(self, number: int) -> tuple[Position, Proved] | None:
        """Return a position and what proves it, without `move`: it is followed to its end."""
        state = self.states[proof_at(self.states, number)]
        return None if state.proved is None else (state.position, state.proved)

    def annotated(self, **changes: object) -> "Review":
        """Return the review with other fields."""
        return replace(self, **changes)  # type: ignore[arg-type]
