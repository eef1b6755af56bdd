"""Ladders to an escape: families of any length, each length proved before use."""

import numpy as np
import pytest
from bitarray.util import subset
from click.testing import CliRunner
from complete_play import holds

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.connect.library import closure_templates, family_of, place_template
from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.formats.error import FormatError
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, subgame
from hsearch.strategy.check import check
from hsearch.strategy.reply import follow
from hsearch.strategy.template import Examination
from hsearch.strategy.template_search import LONGEST, families, first_miss
from player.cli import main

FAMILIES = {known.template.id: known for known in closure_templates() if known.family}
EACH = pytest.mark.parametrize("name", FAMILIES)
SHRINKING = Limits(shrinking=True)


@EACH
def test_the_rules_derive_every_ladder_length_in_use(name):
    """Every length to 19 columns is derived by the rules in exactly its carrier."""
    lengths = 0
    for member in FAMILIES[name].members(LONGEST):
        fulls = closure(member.alone, member.color, SHRINKING).fulls(*member.ends)
        lengths += 1

        assert fulls
        assert subset(fulls[0].carrier, member.carrier)
        assert check(member.alone, member.color, fulls[0])
    assert lengths > LONGEST - 8


def test_a_ladder_past_an_own_stone_has_a_reply_to_each_intrusion():
    """The stone lies at the edge inside the ladder, where shrinking fulls and replies find none."""
    known = FAMILIES["ladder3-3"]
    *_, member = known.members(13, known.first_miss)
    position, color = member.position.put("f4", member.color), member.color
    full = closure(position, color, Limits(templates=True)).fulls(*member.ends)[0]
    assert full.rule is Rule.TEMPLATE

    state = follow(position, color, full)

    assert check(subgame(position, color, full.carrier), color, state.connection)
    assert all(state.intrude(cell).reply is not None for cell in state.carrier.search(1))


@EACH
def test_the_three_shortest_ladders_are_minimal(name):
    """By complete play each cell is needed: without it the ladder is refuted."""
    for more in range(3):
        member = FAMILIES[name].family.member(more)
        less = member.without(next(member.carrier.search(1)))

        assert Examination(member).run().minimal
        assert Examination(less).run().valid is False


@EACH
def test_the_search_finds_the_shipped_ladders(name):
    """The search finds the same first member and column, also with fewer lengths compared."""
    row, escape = map(int, name.removeprefix("ladder").split("-"))

    assert families(row, escape, 4) == [FAMILIES[name].family]
    assert (first_miss(FAMILIES[name].family) or 0) == FAMILIES[name].first_miss
    assert (first_miss(FAMILIES[name].family) is None) == FAMILIES[name].is_found


def test_known_ladders_are_found_where_the_search_alone_misses_them():
    """A long one on the third row is replayed, and every intrusion has an answer."""
    known = FAMILIES["ladder3-3"]
    member = known.family.member(7)
    end, edge, stones, carrier = next(place_template(member, Board(14, 5)))
    position = Position(Board(14, 5), stones | Board(14, 5).only(end), Board(14, 5).only())
    walls = ~(carrier | position.black)
    position = Position(position.board, position.black, walls)
    alone, more = (
        closure(position, Color.BLACK, Limits(templates=on)).fulls(end, edge)
        for on in (False, True)
    )
    followed = follow(position, Color.BLACK, more[0])
    generator = np.random.default_rng(5)
    while followed.carrier.any():
        followed = followed.intrude(int(generator.choice(list(followed.carrier.search(1)))))

    assert not alone
    assert more[0].rule is Rule.TEMPLATE
    assert more[0].carrier == carrier
    assert followed.is_joined


def test_a_longer_ladder_holds_by_complete_play():
    """A member longer than those compared when the family was found still holds."""
    member = FAMILIES["ladder3-2"].family.member(4)
    fulls = closure(member.alone, member.color, SHRINKING).fulls(*member.ends)

    assert all(holds(member.alone, member.color, full) for full in fulls)


@pytest.mark.parametrize("column", ["a", "z", "c3", "", "\u0441"])
def test_an_invalid_column_to_repeat_is_refused(column):
    """The error names the entry."""
    text = formats.find_shipped("templates/ladders.txt").read_text()
    entry = suite.pick(suite.read(text.replace("repeat  b", f"repeat  {column}")), "ladder2-2")

    with pytest.raises(FormatError, match="not a column to repeat"):
        family_of(entry)


def test_a_family_member_of_negative_length_is_rejected():
    """Every column occurs at least once."""
    with pytest.raises(ValueError, match="length out of range: -1"):
        FAMILIES["ladder2-2"].family.member(-1)


def test_template_find_prints_a_ladder_family_as_a_suite():
    """The suite has a header, and a line with its count at the end."""
    result = CliRunner().invoke(main, ["template", "find", "--row", "2", "--ladder", "2"])
    (entry,) = suite.read(result.stdout)

    assert family_of(entry) == FAMILIES["ladder2-2"].family
    assert "# 1 printed" in result.stdout


@pytest.mark.parametrize("rows", [("2", "3"), ("5", "2")])
def test_ladders_from_invalid_rows_are_rejected(rows):
    """The escape is not above the stone, and both are low enough for complete play."""
    arguments = ["template", "find", "--row", rows[0], "--ladder", rows[1]]
    result = CliRunner().invoke(main, arguments)

    assert result.exit_code == 2
    assert "no ladder from row" in result.stderr
