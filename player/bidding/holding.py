"""Chips, and the tie-break chip."""

import re
from dataclasses import dataclass

MAX_CHIPS = 10_000


@dataclass(frozen=True, slots=True, order=True)
class Holding:
    """Chips of a player. The order is that of worth: 4 < 4* < 5.

    chips      how many
    tie_break  whether the tie-break chip is among them, written `*`
    """

    chips: int
    tie_break: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for chips that nobody can have."""
        if not 0 <= self.chips <= MAX_CHIPS:
            raise ValueError(f"not a number of chips: {self.chips} (0 to {MAX_CHIPS})")

    def __str__(self) -> str:
        return f"{self.chips}{'*' if self.tie_break else ''}"

    @classmethod
    def read(cls, text: str) -> "Holding":
        """Return the holding that a text such as `45` or `45*` names.

        Raise ValueError when it names none.
        """
        match = re.fullmatch(r"([0-9]{1,9})(\*?)", text.strip(), re.ASCII)
        if match is None:
            raise ValueError(f"not a number of chips: {text!r}")
        return cls(int(match[1]), bool(match[2]))

    def pay(self, bid: int) -> "Holding":
        """Return what is left after paying a bid; a negative one is received.

        Raise ValueError when it cannot be paid.
        """
        if bid > self.chips:
            raise ValueError(f"a bid of {bid} with {self.chips} chips")
        return Holding(self.chips - bid, self.tie_break)

    def opposite(self, total: int) -> "Holding":
        """Return what the other player has, of this many chips in all."""
        return Holding(total - self.chips, not self.tie_break)
