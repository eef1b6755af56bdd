"""Time for a move.

Only what the engine itself uses is counted; a client that keeps the time says
what is left.
"""

from dataclasses import dataclass, field

from hsearch.board import Color

RESERVE = 0.1  # seconds that are never planned, for the way there and back
SHARE = 1 / 12  # of what is left, for one of a number of moves that nobody knows


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control of a game.

    main       seconds for the game; None for no limit
    period     seconds for each `stones` moves after that
    stones     see there; 0 if the game is lost on time after the main time
    increment  seconds gained by each move
    """

    main: float | None = None
    period: float = 0.0
    stones: int = 0
    increment: float = 0.0


@dataclass(frozen=True, slots=True)
class Left:
    """Time that a player has left.

    seconds  until the main time, or the period, is used up
    stones   moves to make in the period; 0 in the main time
    """

    seconds: float
    stones: int = 0


@dataclass(slots=True)
class GameClock:
    """The terms, and what both players have left."""

    terms: TimeControl = field(default_factory=TimeControl)
    _left: dict[Color, Left] = field(default_factory=dict)

    def set(self, terms: TimeControl) -> None:
        """Change the terms, and start anew."""
        self.terms = terms
        self.restart()

    def restart(self) -> None:
        """Give both players all their time, as at the start of a game."""
        self._left.clear()

    def say(self, color: Color, left: Left) -> None:
        """Take over what the client says is left, whatever the terms."""
        self._left[color] = left

    def left(self, color: Color) -> Left | None:
        """Return what a player has left; None without a limit."""
        if color in self._left:
            return self._left[color]
        terms = self.terms
        if terms.main is None:
            return None
        return Left(terms.main) if terms.main or not terms.stones else self._period

    def seconds(self, color: Color) -> float | None:
        """Return the most time to use for a player's next move; None without a limit."""
        left = self.left(color)
        if left is None:
            return None
        if left.stones:
            return max(0.0, min(left.seconds / left.stones, left.seconds - RESERVE))
        wanted = left.seconds * SHARE + 0.8 * self.terms.increment
        if self.terms.stones:
            wanted = max(wanted, min(left.seconds, self._period.seconds / self._period.stones))
        return max(0.0, min(wanted, left.seconds - RESERVE))

    def spend(self, color: Color, seconds: float) -> None:
        """Note that a move has taken so long."""
        left = self.left(color)
        if left is None:
            return
        rest = left.seconds - seconds
        if left.stones:
            moves = left.stones - 1
            self._left[color] = Left(max(0.0, rest), moves) if moves else self._period
        elif rest <= 0 and self.terms.stones:
            self._left[color] = self._period
        else:
            self._left[color] = Left(max(0.0, rest) + self.terms.increment)

    @property
    def _period(self) -> Left:
        return Left(self.terms.period, self.terms.stones)
