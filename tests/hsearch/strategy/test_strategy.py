"""Following connections: replies to intrusions, and what remains afterwards."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from following import every_line, holds_here, play_out
from hypothesis import given
from hypothesis import strategies as st
from london import GAMES, game
from remaining import remaining
from strategies import limits, positions
from updated_connections import Connections

from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import IllegalMoveError, Position
from hsearch.strategy.reply import follow, reply

FIRST_PROVED = {"london-2000-queenbee-hexy": 50, "london-2000-hexy-queenbee": 37}


@given(positions(max_side=5, stones=".....BW"), limits(), st.data())
def test_a_followed_connection_stays_valid_after_intrusions(position, limits, data):
    """What remains checks for both players, with intrusions inside and outside, to the end."""
    color = data.draw(st.sampled_from(Color))
    found = sorted(
        closure(position, color, limits), key=lambda c: (-c.carrier.count(), c.ends, c.is_full)
    )[:40]
    if not found:
        return
    followed = follow(position, color, data.draw(st.sampled_from(found)))
    holds_here(followed)
    while followed.carrier.any():
        open_to = followed.position.empty if data.draw(st.booleans()) else followed.carrier
        intrusion = data.draw(st.sampled_from(list(open_to.search(1))))
        before, followed = followed, followed.intrude(intrusion)
        assert (followed.reply is None) == (not before.carrier[intrusion])
        holds_here(followed)


@given(positions(max_side=4, stones="......BW"), limits(), st.data())
def test_no_opponent_breaks_a_small_connection(position, limits, data):
    """Every sequence of intrusions into carriers of up to nine cells fails."""
    color = data.draw(st.sampled_from(Color))
    small = [c for c in closure(position, color, limits) if 2 <= c.carrier.count() <= 9]
    if small:
        largest = sorted(small, key=lambda c: (-c.carrier.count(), c.ends, c.is_full))[:20]
        every_line(follow(position, color, data.draw(st.sampled_from(largest))))


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_updated_connections_can_be_followed(seed):
    """Derivations older than the last stones are followed to the end, with random intrusions."""
    generator = np.random.default_rng(seed)
    connections = Connections(Position.of(Board(5, 5)), Limits(M=5))
    for cell in generator.permutation(25)[: generator.integers(2, 12)]:
        connections.play(int(cell))
    color = Color(int(generator.integers(2)))
    found = sorted(connections.store(color), key=lambda c: (-c.carrier.count(), c.ends))[:20]
    if found:
        followed = follow(connections.position, color, found[generator.integers(len(found))])
        while followed.carrier.any():
            followed = followed.intrude(int(generator.choice(list(followed.carrier.search(1)))))
            holds_here(followed)


@cache
def hexys(name, moves):
    """Return a position of a London game, and Hexy's best connection between its edges."""
    position, hexy = game(name).position(moves), GAMES[name]
    store = closure(position, hexy)
    return position, hexy, (store.edge_fulls or store.edge_semis)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("greedy", [True, False], ids=["greedy", "random"])
def test_hexys_first_winning_connection_beats_200_opponents(name, greedy):
    """The connection from the first proved win on beats all opponents."""
    generator = np.random.default_rng(2000)
    start = follow(*hexys(name, FIRST_PROVED[name]))

    assert all(play_out(start, generator, greedy=greedy) > 0 for _ in range(200))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("before_the_end", [10, 0])
def test_hexys_connections_check_along_random_lines(name, before_the_end):
    """Each step of some games checks, on the real board, with carriers of up to 40 cells."""
    generator = np.random.default_rng(7)
    moves = len(game(name).moves) - before_the_end
    for _ in range(5):
        followed = follow(*hexys(name, moves))
        while followed.carrier.any():
            followed = followed.intrude(int(generator.choice(list(followed.carrier.search(1)))))
            holds_here(followed)


def bridge():
    """Return a bridge from Black's c1 to b3 on 4x4, through c2 or b2."""
    board = Board(4, 4)
    position = Position.of(board, black="c1 b3")
    (full,) = closure(position, Color.BLACK).fulls(board.edges(Color.BLACK)[0], board.cell("b3"))
    return position, full


def test_a_bridge_answers_one_cell_with_the_other():
    """Other intrusions get no reply."""
    position, full = bridge()
    board = position.board
    b2, c2, d4 = map(board.cell, ("b2", "c2", "d4"))

    assert reply(full, b2).cell == c2
    assert reply(full, c2).cell == b2
    assert reply(full, d4) is None
    after = follow(position, Color.BLACK, full).intrude(d4).intrude(b2)
    assert after.reply == c2
    assert after.is_joined
    assert remaining(after) is None


def test_what_holds_no_premises_has_no_reply():
    """A template is expanded first, and a filled region is followed."""
    position, full = bridge()
    template = replace(full, rule=Rule.TEMPLATE, premises=())
    filled = replace(full, rule=Rule.FILL_IN, premises=(full,))

    for each in (template, filled):
        with pytest.raises(ValueError, match="use `follow`"):
            reply(each, position.board.cell("b2"))


def test_the_owner_of_a_semi_starts_with_its_key():
    """A semi has no reply before its key is played."""
    position = Position.of(Board(3, 3))
    semi = closure(position, Color.BLACK).edge_semis[0]
    started = follow(position, Color.BLACK, semi)

    assert started.reply == semi.key
    assert started.position.black == position.board.only(semi.key)
    with pytest.raises(ValueError, match="key is played"):
        reply(semi, next(semi.carrier.search(1)))


def test_an_intrusion_on_a_stone_is_illegal():
    """An intrusion must be a legal move."""
    position, full = bridge()

    with pytest.raises(IllegalMoveError, match="b3 is not empty"):
        follow(position, Color.BLACK, full).intrude(position.board.cell("b3"))
