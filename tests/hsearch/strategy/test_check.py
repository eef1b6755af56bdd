"""The checker derives each connection of the kernels again, and uses nothing else."""

import itertools
import sys
from dataclasses import replace
from random import Random

import forged_derivations
import pytest
from bitarray import bitarray
from hypothesis import given
from strategies import limits, positions

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection, Fill, Rule
from hsearch.connect.library import templates_in
from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.strategy.check import CheckError, check, check_fills

BENCH = suite.read(formats.find_shipped("bench.txt").read_text())
MIDDLE_GAMES = [entry for entry in BENCH if not entry.id.startswith("empty")]


@pytest.mark.slow
@given(positions(max_side=8, stones=".....BW"), limits())
def test_premises_re_derive_every_connection(position, limits):
    """Each connection follows from its premises by the plain rules, down to adjacent points."""
    for color in Color:
        connections = list(closure(position, color, limits))

        assert check(position, color, *connections) >= len(connections)


@pytest.mark.slow
@pytest.mark.parametrize("entry", MIDDLE_GAMES, ids=lambda entry: entry.id)
def test_every_connection_of_the_london_games_checks(entry):
    """All derivations of a real game check: thousands that small boards do not need."""
    position = entry.game.position()
    for color in Color:
        connections = list(closure(position, color))

        assert check(position, color, *connections) >= len(connections)


def winning_full():
    """Return a position and a full of many steps between Black's edges."""
    position = Position.of(Board(5, 5), black="c3")
    return position, closure(position, Color.BLACK).edge_fulls[0]


def tampered(full):
    """Return variants of a derivation that a careless or dishonest prover might submit."""

    def without_first_cell(connection):
        board = Board(5, 5)
        cells = list(connection.carrier.search(1))
        return replace(connection, carrier=board.only(*cells[1:]))

    cell = next(full.carrier.search(1))
    first, *others = sorted(full.premises, key=lambda p: -p.carrier.count())
    return {
        "a cell less": without_first_cell(full),
        "another rule": replace(full, rule=Rule.OR if full.rule is Rule.AND else Rule.AND),
        "no reason": replace(full, rule=Rule.ADJACENT, premises=()),
        "a premise less": replace(full, premises=tuple(others)),
        "a premise twice": replace(full, premises=(first, first)),
        "a false premise": replace(full, premises=(without_first_cell(first), *others)),
        "another end": replace(full, x=0),
        "a key": replace(full, key=cell),
    }


FAULTS = (
    "a cell less",
    "another rule",
    "no reason",
    "a premise less",
    "a premise twice",
    "a false premise",
    "another end",
    "a key",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_tampered_derivation_is_refused(fault):
    """The checker names the first invalid step."""
    position, full = winning_full()

    with pytest.raises(CheckError, match=r"does not follow: .* by the rule"):
        check(position, Color.BLACK, tampered(full)[fault])


def test_a_derivation_for_another_position_is_refused():
    """An opponent's stone in the carrier makes the derivation invalid."""
    position, full = winning_full()
    intrusion = next(full.carrier.search(1))

    with pytest.raises(CheckError):
        check(position.put(intrusion, Color.WHITE), Color.BLACK, full)


class Agreeable(Connection):
    """A connection that is equal to any other."""

    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = Connection.__hash__


def forgeries():
    """Return values that no rule produces, by what is wrong with them."""
    _, full = winning_full()
    board = Board(5, 5)
    everything = ~board.only()
    step = replace(full, carrier=board.only())
    values = {name: getattr(step, name) for name in Connection.__slots__}
    return {
        "an equality of its own": Agreeable(**values),
        "a premise with an equality of its own": replace(full, premises=(Agreeable(**values),)),
        "a carrier that can change": replace(full, carrier=bitarray(full.carrier)),
        "a carrier of another board": replace(full, carrier=board.only()[:9]),
        "a number for a rule": replace(full, rule="and"),
        "a truth for a key": replace(full, key=True),
        "an end off the board": replace(full, y=99),
        "premises in a list": replace(full, premises=list(full.premises)),
        "a number for a color": replace(
            full, rule=Rule.FILL_IN, premises=(full,), fills=(Fill(1, (), everything),)
        ),
        "a region that is none": replace(full, rule=Rule.FILL_IN, fills=(None,)),
    }


@pytest.mark.parametrize("forgery", forgeries().values(), ids=forgeries())
def test_a_forged_value_is_refused(forgery):
    """The checker uses no field before it knows the types."""
    position, _ = winning_full()

    with pytest.raises(CheckError, match="not a connection of the 5x5 board: a value of type "):
        check(position, Color.BLACK, forgery)


def test_a_fill_with_a_number_for_its_color_is_refused():
    """It would count as the opponent's color, but be filled with the owner's stones."""
    board = Board(3, 3)
    everything = ~board.only()

    with pytest.raises(CheckError, match="not a region of the 3x3 board"):
        check_fills(Position.of(board), Color.BLACK, [Fill(1, (), everything)])


def test_premises_in_a_cycle_are_refused():
    """A step may not be its own premise, directly or through another step."""
    position, full = winning_full()
    for length in (1, 2, 5):
        steps = [replace(full) for _ in range(length)]
        for step, premise in zip(steps, steps[1:] + steps[:1], strict=True):
            object.__setattr__(step, "premises", (premise, *step.premises))
        with pytest.raises(CheckError, match="rests on itself"):
            check(position, Color.BLACK, steps[0])


def test_a_fill_in_without_fills_or_premises_is_refused():
    """Such a step claims nothing, so nothing follows from it."""
    position, full = winning_full()

    with pytest.raises(CheckError, match=r"does not follow: .* by the rule 'fill-in'"):
        check(position, Color.BLACK, replace(full, rule=Rule.FILL_IN, premises=()))


def test_the_checker_limits_premises_and_positions(monkeypatch):
    """Both the premises followed and the positions played out for a template are limited."""
    position, full = winning_full()
    count = check(position, Color.BLACK, full)
    with pytest.raises(CheckError, match=f"more than {count:,} premises to follow"):
        check(position, Color.BLACK, full, most=count)

    monkeypatch.setattr(sys.modules["hsearch.strategy.check"], "MOST_POSITIONS", 10)
    template = replace(full, rule=Rule.TEMPLATE, premises=(), carrier=position.empty)
    with pytest.raises(CheckError, match="not played out within 10 positions"):
        check(position, Color.BLACK, template)


def _long_ladder(columns):
    """Return a position on a board this wide, and the full that is known there as a template."""
    entry = next(each for each in templates_in("ladders") if not each.is_found)
    *_, template = entry.members(columns, entry.first_miss)
    store = closure(template.position, template.color, Limits(templates=True))
    return template.position, store.fulls(*template.ends)[0]


@pytest.mark.parametrize("columns", [17, 26])
def test_a_ladder_too_long_to_play_out_checks(columns):
    """H-search finds its derivation, which is checked."""
    position, ladder = _long_ladder(columns)
    assert ladder.rule is Rule.TEMPLATE

    assert check(position, Color.BLACK, ladder) == 1


def test_a_long_ladder_without_its_escape_does_not_check():
    """A large carrier is refused if there is neither a derivation nor an end of complete play."""
    position, ladder = _long_ladder(26)
    stone, escape = position.black.search(1)
    assert stone == ladder.x
    shut = Position(
        position.board, position.board.only(stone), position.white | position.board.only(escape)
    )

    with pytest.raises(CheckError, match="not played out within"):
        check(shut, Color.BLACK, ladder)


@pytest.mark.slow
def test_forged_derivations_that_are_accepted_hold():
    """By brute force, accepted derivations of all rules hold, although many were forged."""
    made = forged_derivations.forged(Random(39))  # noqa: S311 - a sample, not a secret
    accepted = list(filter(forged_derivations.accepted, itertools.islice(made, 4000)))

    assert {connection.rule for *_, connection in accepted} == set(Rule)
    assert [one for one in accepted if forged_derivations.is_false(one)] == []
