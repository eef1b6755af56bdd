"""Checks of followed connections, along random lines and along all lines."""

from bitarray.util import subset
from remaining import remaining

from hsearch.strategy.check import check


def joined_by_touch(position, color, x, y):
    """Return whether own stones and edges connect x to y, by walking over them."""
    board = position.board
    own = {*board.edges(color), *position.stones(color).search(1)}
    reached, waiting = {x}, [x]
    while waiting:
        new = own.intersection(board.neighbors(waiting.pop())) - reached
        reached |= new
        waiting.extend(new)
    return y in reached


def holds_here(followed):
    """Check the current connections: disjoint empty carriers in the first, and a derivation."""
    position, first = followed.position, followed.connection
    carrier = followed.carrier

    assert sum(full.carrier.count() for full in followed.fulls) == carrier.count()
    assert subset(carrier, first.carrier & position.empty)
    left = remaining(followed)
    if left is None:
        assert followed.is_joined
    else:
        assert left.is_full
        assert subset(left.carrier, carrier)
        assert check(position, followed.color, left) >= 1
    if not carrier.any():
        assert joined_by_touch(position, followed.color, first.x, first.y)


def play_out(followed, generator, *, greedy):
    """Intrude until no cell is left to enter; return the number of replies."""
    replies = 0
    while followed.carrier.any():
        open_to = followed.carrier if greedy else followed.position.empty
        followed = followed.intrude(int(generator.choice(list(open_to.search(1)))))
        replies += followed.reply is not None
    assert joined_by_touch(followed.position, followed.color, *followed.connection.ends)
    return replies


def every_line(followed):
    """Try all intrusions that need a reply, in every order."""
    seen = set()
    waiting = [followed]
    while waiting:
        followed = waiting.pop()
        key = followed.position.black, followed.position.white
        if key not in seen:
            seen.add(key)
            holds_here(followed)
            waiting.extend(followed.intrude(cell) for cell in followed.carrier.search(1))
