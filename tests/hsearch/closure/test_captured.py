"""Captured pairs in AND and OR: what they add is true, follows, and can be followed."""

from dataclasses import replace
from itertools import product

import naive
import numpy as np
import pytest
from bitarray.util import subset
from following import every_line, holds_here
from hypothesis import given
from hypothesis import strategies as st
from kept_up import Connections
from naive import promises
from strategies import positions

from hsearch import formats
from hsearch.board import Board, Color
from hsearch.closure import Limits, closure
from hsearch.closure.plain import plain_closure
from hsearch.connection import Rule, and_rule, or_rule
from hsearch.deduction.exhaustive import holds
from hsearch.inferior.captured import captures, is_captured, without_dead
from hsearch.position import Position, winner
from hsearch.strategy import CheckError, check, explain, follow, reply, words

WITH, WITHOUT = Limits(captured=True), Limits()
SMALL_CARRIER = 8
CAPTURED = {Rule.CAPTURED_AND, Rule.CAPTURED_OR}
# Random stones around a row of Black's. In all but the first, captured pairs add connections.
SMALL = [
    ". . . .\n . . . .\n  B B B B\n   . W W W",
    ". . W . . . .\n . . W W . . .\n  W . W . . W B\n   W . B B B B .\n    . W . W W . .",
    ". . W . .\n B . . W .\n  . . . W .\n   B B B . B\n    . . . . .",
    "B W . . .\n . . B B B\n  . W . . B\n   B . . . .\n    W W . . .",
]


def read(text, color=Color.BLACK):
    """Return a position of SMALL; White's is the transposed one."""
    position = formats.read(text).position(turn=Color.BLACK)
    return position if color is Color.BLACK else position.transposed()


def london(move):
    """Return a position of a London game."""
    record = formats.read(formats.shipped("games/london-2000-queenbee-hexy.sgf").read_bytes())
    return record.position(move)


def new(position, color, limits=WITH):
    """Return the connections that rest on a captured pair at their last step."""
    return [c for c in closure(position, color, limits) if c.rule in CAPTURED]


SIDES = [(read(text, color), color) for text in SMALL for color in Color]
FIRST = [position for position, _ in SIDES[:2]]
EVERY_SIDE = pytest.mark.parametrize(("position", "color"), SIDES)


@pytest.mark.slow
@EVERY_SIDE
def test_the_kernels_find_what_the_plain_closure_finds(position, color):
    """Where captured pairs add something, and nowhere is a pair taken that is not needed."""
    fast = closure(position, color, Limits.none(captured=True))

    assert fast.counts.complete
    assert {c.rule for c in fast} & CAPTURED
    assert promises(fast) == promises(plain_closure(position, color, captured=True))


@given(positions(max_side=4, stones="...BBW"), st.sampled_from(Color))
def test_kernels_and_plain_closure_agree_anywhere(position, color):
    """Whether or not there is anything to capture."""
    fast = closure(position, color, Limits.none(captured=True))

    assert promises(fast) == promises(plain_closure(position, color, captured=True))


@EVERY_SIDE
@pytest.mark.parametrize("shrinking", [False, True])
def test_everything_found_holds(position, color, shrinking):
    """By exhaustive play, by the checker, and by its own replies.

    Large carriers are played out by the program's own exhaustive search, and
    followed along random lines.
    """
    limits = Limits(captured=True, shrinking=shrinking)
    store = closure(position, color, limits)
    found = new(position, color, limits)

    assert found
    assert check(position, color, *store)
    for connection in store:
        is_small = connection.carrier.count() <= SMALL_CARRIER
        truth = naive.holds if is_small else holds
        assert truth(position, color, connection), connection
    resting = [c for c in store if CAPTURED & rules(c)]
    for connection in resting[:40]:
        followed = follow(position, color, connection)
        if connection.carrier.count() <= SMALL_CARRIER:
            every_line(followed)
        else:
            to_the_end(followed, np.random.default_rng(1))


def rules(connection):
    """Return the rules that a connection rests on."""
    return {connection.rule}.union(*map(rules, connection.premises))


def to_the_end(followed, generator):
    """Intrude at random until nothing is left to enter, and check each step."""
    holds_here(followed)
    while followed.carrier.any():
        followed = followed.intrude(int(generator.choice(list(followed.carrier.search(1)))))
        holds_here(followed)
    assert followed.is_joined


@pytest.mark.slow
def test_what_captured_pairs_add_on_a_real_board_can_be_followed():
    """Move 40 of a London game: both rules, against random intruders, checked at each step."""
    position, generator = london(40), np.random.default_rng(40)
    found = new(position, Color.BLACK)

    assert {c.rule for c in found} == CAPTURED
    assert check(position, Color.BLACK, *found)
    resting = [c for c in closure(position, Color.BLACK, WITH) if CAPTURED & rules(c)]
    assert len(resting) > len(found)
    for connection in resting[:100]:
        to_the_end(follow(position, Color.BLACK, connection), generator)


@EVERY_SIDE
def test_without_the_switch_nothing_is_captured(position, color):
    """The rules keep to disjoint carriers, and each full of theirs holds one found with it."""
    more = closure(position, color, Limits.none(captured=True))
    fewer = closure(position, color, Limits.none())

    assert not CAPTURED & {c.rule for c in fewer}
    assert (promises(more) != promises(fewer)) == (position not in FIRST)
    for full in fewer:
        rivals = more.fulls(*full.ends) + ([] if full.is_full else more.semis(*full.ends))
        assert any(subset(rival.carrier, full.carrier) for rival in rivals)


def test_the_switch_adds_fulls_on_a_real_board():
    """Move 40 of a London game: carriers that hold none of those found without the switch."""
    position = london(40)
    fewer, more = (closure(position, Color.BLACK, limits) for limits in (WITHOUT, WITH))
    added = [
        full
        for full in more
        if full.is_full
        and not any(subset(kept.carrier, full.carrier) for kept in fewer.fulls(*full.ends))
    ]

    assert added
    assert check(position, Color.BLACK, *added)


def tampered(position, step):
    """Return what a careless prover might make of a step with captured pairs."""
    pair = step.captured[0]
    board = position.board
    unused = position.empty & ~(
        step.carrier | board.only(*(e for e in step.ends if e < board.size))
    )
    false = pair | board.only(next(unused.search(1)))
    return {
        "no pairs": replace(step, captured=()),
        "a false pair": concluded(step, (false, *step.captured[1:])),
        "a false cell": concluded(step, tuple(board.only(c) for c in step.carrier.search(1))),
        "the pair not in the carrier": replace(step, carrier=step.carrier & ~pair),
    }


def concluded(step, pairs):
    """Return what the rule of a step makes of its premises if some pairs are believed captured."""
    if step.rule.is_or:
        return or_rule(*step.premises, captured=pairs)
    first, second = step.premises
    (via,) = set(first.ends) & set(second.ends)
    empty = step.key is not None
    return and_rule(first, second, via, Board(11, 11), empty=empty, captured=pairs)


@pytest.mark.parametrize(
    "fault", ["no pairs", "a false pair", "a false cell", "the pair not in the carrier"]
)
@pytest.mark.parametrize("rule", sorted(CAPTURED))
def test_a_tampered_step_is_refused(fault, rule):
    """Naming the step; two of the faults follow by the rule, were the cells captured."""
    position = london(40)
    step = next(c for c in new(position, Color.BLACK) if c.rule is rule)

    assert check(position, Color.BLACK, step)
    with pytest.raises(CheckError, match=f"by the rule '{rule.value}'"):
        check(position, Color.BLACK, tampered(position, step)[fault])


def test_a_pair_is_captured_below_an_end_only():
    """Not below an empty cell that is no end."""
    position = read(SMALL[0])
    for top, pairs in captures(position, Color.BLACK).items():
        for pair in pairs:
            assert is_captured(position, Color.BLACK, pair, position.board.only(top))
            assert not is_captured(position, Color.BLACK, pair, position.board.only())


def test_a_pair_is_answered_in_itself():
    """The reply to one of its cells is the other, and afterwards all else still stands."""
    position, color = SIDES[0]
    found = new(position, color)[0]
    one, other = found.captured[0].search(1)
    followed = follow(position, color, found)

    assert reply(found, one).cell == other
    assert reply(found, other).cell == one
    for cell, answer in ((one, other), (other, one)):
        after = followed.intrude(cell)
        assert after.reply == answer
        holds_here(after)


@pytest.mark.parametrize("size", [(3, 3), (4, 2)])
def test_enclosed_stones_do_not_matter(size):
    """On every full board the winner stays the same when dead stones change color."""
    board = Board(*size)
    for owners in product(Color, repeat=board.size):
        black = board.only(*(cell for cell in board.cells if owners[cell] is Color.BLACK))
        position = Position(board, black, ~black)
        for color in Color:
            assert winner(without_dead(position, color)) is winner(position)


@given(positions(max_side=4, stones="..BBW"), st.sampled_from(Color))
def test_a_captured_pair_may_as_well_be_the_owners(position, color):
    """With the cell above it his, the winner is the same for every filling of the rest.

    The pair is filled as play leaves it: a stone of each player's, either way round.
    """
    for top, pairs in list(captures(position, color).items())[:2]:
        above = position.put(top, color)
        for pair in pairs:
            assert is_captured(position, color, pair, position.board.only(top))
            assert not (pair & ~position.empty).any()
            for one in pair.search(1):
                played = above.put(one, color.opponent)
                for other in (pair & ~position.board.only(one)).search(1):
                    played = played.put(other, color)
                ours = without_dead(played, color)
                assert ours.stones(color)[one]


@pytest.mark.parametrize("seed", range(6))
def test_an_update_covers_the_closure_from_scratch(seed):
    """After any stones each fresh carrier has a kept subset, and all that is kept checks."""
    generator = np.random.default_rng(seed)
    limits = Limits(M=None, K=None, greedy_union=False, captured=True, steps=20_000)
    position, color = SIDES[seed % len(SIDES)]
    cells = generator.permutation(list(position.empty.search(1)))[:5]
    connections = Connections(position, limits)
    for cell in cells.tolist():
        stone = color if generator.random() < 2 / 3 else color.opponent
        connections.put(cell, stone)
        kept = connections.store(color)
        scratch = closure(connections.position, color, limits)
        for fresh in scratch if scratch.counts.complete and kept.counts.complete else ():
            rivals = kept.fulls(*fresh.ends) + ([] if fresh.is_full else kept.semis(*fresh.ends))
            assert any(subset(rival.carrier, fresh.carrier) for rival in rivals)
        check(connections.position, color, *kept)


@pytest.mark.parametrize("text", SMALL)
def test_a_stone_that_makes_a_pair_brings_what_follows_from_it(text):
    """The update finds the connections that a new row of three captures for."""
    position = read(text)
    limits = Limits.none(captured=True)
    gained = 0
    for cell in position.black.search(1):
        before = replace(position, black=position.black & ~position.board.only(cell))
        connections = Connections(before, limits)
        connections.put(cell, Color.BLACK)
        kept = connections.store(Color.BLACK)
        gained += any(c.rule in CAPTURED for c in kept)
        for fresh in new(position, Color.BLACK, limits):
            rivals = kept.fulls(*fresh.ends) + ([] if fresh.is_full else kept.semis(*fresh.ends))
            assert any(subset(rival.carrier, fresh.carrier) for rival in rivals)

    assert gained


@EVERY_SIDE
def test_an_explanation_names_the_captured_cells(position, color):
    """In the heading of the argument, or in the case that uses them; and says how to read it."""
    for found in new(position, color):
        why = explain(position, color, found)
        lines = [*words.summary(why)]
        for argument in why.arguments:
            lines += [words.heading(why, argument), *words.cases(why, argument)]
        text = "\n".join(lines)

        assert "captured" in text
        assert words.CAPTURED in words.guide(why)
        for pair in found.captured:
            assert f"captured {' '.join(position.board.names(pair))}" in text
