"""Slow twins: decide what connections promise by playing everything out.

This module uses no deduction rule and no kernel.
"""

from functools import cache

import numpy as np

from hsearch.connect.connection import Connection
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains


def promises(connections):
    """Return what connections promise, ignoring which of several keys a semi names."""
    return {(c.x, c.y, c.carrier, c.is_full) for c in connections}


def holds(position: Position, color: Color, connection: Connection) -> bool:
    """Return whether a connection survives every line of play in its carrier.

    The opponent starts against a full, the owner with the key of a semi. Empty
    ends count as the owner's stones.
    """
    game = _Game(position, color, connection)
    if connection.is_full:
        return game.owner_wins_second(game.carrier, 0)
    key = 1 << connection.key
    return bool(game.carrier & key) and game.owner_wins_second(game.carrier & ~key, key)


def holds_somehow(position: Position, color: Color, connection: Connection) -> bool:
    """Return the same, but allow a semi any first move of the owner."""
    game = _Game(position, color, connection)
    if connection.is_full:
        return game.owner_wins_second(game.carrier, 0)
    return any(
        game.owner_wins_second(game.carrier & ~(1 << key), 1 << key)
        for key in connection.carrier.search(1)
    )


def survives(
    position: Position,
    color: Color,
    connection: Connection,
    generator: np.random.Generator,
    games: int,
) -> bool:
    """Return whether the owner joins the ends against random intruders, one per game."""
    game = _Game(position, color, connection)
    return all(_follow(connection, generator, game) for _ in range(games))


def _follow(connection: Connection, generator: np.random.Generator, game: "_Game") -> bool:
    """Return whether the owner joins the ends in one game.

    The owner replies to an intrusion by the derivation: he holds a tree of connections that
    together join the ends, and repairs the one that was intruded on.
    """
    open_cells = list(connection.carrier.search(1))
    own: set[int] = set()
    holding = [connection] if connection.is_full else list(_after_key(connection, own))
    while True:
        free = [cell for cell in open_cells if cell not in own]
        if not free:
            return game.joins(sum(1 << cell for cell in own))
        intrusion = int(generator.choice(free))
        open_cells.remove(intrusion)
        hit = [held for held in holding if held.carrier[intrusion]]
        if len(hit) > 1:
            return False
        for held in hit:
            holding.remove(held)
            holding.extend(_repair(held, intrusion, own))


def _after_key(semi: Connection, own: set[int]):
    own.add(semi.key)
    return semi.premises


def _repair(held: Connection, intrusion: int, own: set[int]):
    """Return the connections that replace a full after an intrusion."""
    if held.rule == "and":
        kept, hit = sorted(held.premises, key=lambda premise: premise.carrier[intrusion])
        return [kept, *_repair(hit, intrusion, own)]
    semi = next(semi for semi in held.premises if not semi.carrier[intrusion])
    return _after_key(semi, own)


class _Game:
    """The game of joining two points inside a carrier."""

    def __init__(self, position: Position, color: Color, connection: Connection) -> None:
        board = position.board
        named = captains(position, color)
        self.carrier = sum(1 << cell for cell in connection.carrier.search(1))
        self.x, self.y = (
            sum(1 << point for point, captain in named.items() if captain == end)
            for end in connection.ends
        )
        edges = sum(1 << edge for edge in board.edges(color))
        self.stones = sum(1 << cell for cell in position.stones(color).search(1)) | edges
        self.neighbors = _neighbor_masks(board)
        self.owner_wins_second = cache(self._owner_wins_second)
        self.joins = cache(self._joins)

    def _owner_wins_second(self, left: int, own: int) -> bool:
        """Return whether the owner joins the ends in the cells `left`, the opponent to move."""
        if self.joins(own):
            return True
        if not self.joins(own | left):
            return False
        intrusions = left
        while intrusions:
            intrusion = intrusions & -intrusions
            if not self._owner_wins_first(left ^ intrusion, own):
                return False
            intrusions ^= intrusion
        return True

    def _owner_wins_first(self, left: int, own: int) -> bool:
        """Return whether the owner joins the ends in the cells `left`, the owner to move."""
        replies = left
        while replies:
            reply = replies & -replies
            if self.owner_wins_second(left ^ reply, own | reply):
                return True
            replies ^= reply
        return False

    def _joins(self, own: int) -> bool:
        reached, new = 0, self.x
        allowed = own | self.stones | self.x | self.y
        while new:
            reached |= new
            if reached & self.y:
                return True
            touched = 0
            for point in _bits(new):
                touched |= self.neighbors[point.bit_length() - 1]
            new = touched & allowed & ~reached
        return False


@cache
def _neighbor_masks(board: Board) -> list[int]:
    return [sum(1 << other for other in board.neighbors(point)) for point in range(board.size + 4)]


def _bits(cells: int):
    while cells:
        yield cells & -cells
        cells &= cells - 1
