"""Hold a won game: answer every intrusion into a connection between the edges.

A full connection is taken apart into links: fulls with carriers of their own,
that together join the edges whatever happens in each of them. The only rule
that can start such a link is OR: AND and filled regions part it, touching points
need no cell, and a known template has to be expanded first. So an intrusion hits
one link, one of its semis misses the intrusion, and playing its key leaves two
smaller links.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_

from hsearch.connect.connection import Connection, Rule
from hsearch.hex.board import Board, Cell, CellSet
from hsearch.strategy.reply import reply, threats


@dataclass(frozen=True, slots=True)
class WinningStrategy:
    """A won game: links that join the winner's edges, no two sharing a cell.

    links  full connections that the OR rule derived
    """

    links: tuple[Connection, ...]

    @classmethod
    def of(cls, full: Connection) -> "WinningStrategy":
        """Return the hold that a full connection between the edges gives.

        Raise ValueError when it is no full.
        """
        if not full.is_full:
            raise ValueError("only a full connection can be held")
        return cls(tuple(_links(full)))

    @property
    def is_done(self) -> bool:
        """Whether stones join the edges."""
        return not self.links

    def carrier(self, board: Board) -> CellSet:
        """Return the empty cells that the hold needs."""
        return reduce(or_, (link.carrier for link in self.links), board.only())

    def reply(self, intrusion: Cell | None) -> tuple[Cell, "WinningStrategy"]:
        """Return the answer to the opponent's last stone, and what is held after it.

        Where nothing needs an answer, as for None, it makes the smallest link
        smaller. Raise ValueError when the hold is done.
        """
        if self.is_done:
            raise ValueError("nothing to reply: stones join the edges")
        for link in self.links:
            answer = None if intrusion is None else reply(link, intrusion)
            if answer is not None and answer.cell is not None:
                return answer.cell, self._without(link, answer.held)
        link = min(self.links, key=lambda link: link.carrier.count())
        key, rest = start(threats(link)[0])
        return key, self._without(link, rest.links)

    def _without(self, link: Connection, held: tuple[Connection, ...]) -> "WinningStrategy":
        """Return the hold in which others take the place of one link."""
        others = (other for other in self.links if other is not link)
        return WinningStrategy((*others, *(part for full in held for part in _links(full))))


def start(semi: Connection) -> tuple[Cell, WinningStrategy]:
    """Return the key of a semi connection, and what is held once it is played."""
    if semi.key is None:
        raise ValueError("a full connection needs no start")
    if semi.rule is Rule.FILL_IN:
        inner, *joins = semi.premises
        key, rest = start(inner)
        return key, WinningStrategy(
            (*rest.links, *(link for join in joins for link in _links(join)))
        )
    return semi.key, WinningStrategy(tuple(link for part in semi.premises for link in _links(part)))


def _links(full: Connection) -> list[Connection]:
    """Take a full apart into fulls that the OR rule derived."""
    links, waiting = [], [full]
    while waiting:
        part = waiting.pop()
        if part.rule is Rule.OR:
            links.append(part)
        elif part.rule is Rule.TEMPLATE:
            raise ValueError("a known template tells no reply: it has to be expanded")
        else:
            waiting.extend(part.premises)
    return links
