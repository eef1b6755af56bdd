"""Sub-games: some cells may be used, and all others count as the opponent's."""

import json

import pytest
from bitarray.util import subset
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from hsearch.connect.closure import closure
from hsearch.connect.limits import Limits
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color, cell_set
from hsearch.hex.position import Position, subgame
from hsearch.strategy.check import check
from player.answers.connection import ask
from player.answers.limits import options_of
from player.cli import main

PLAIN = options_of({})


def run(*arguments, stdin):
    """Run `hsearch` in this process."""
    return CliRunner().invoke(main, arguments, input=stdin)


@st.composite
def parts(draw):
    """Return a position, a player, and some of its cells."""
    position = draw(positions(4))
    chosen = draw(st.lists(st.booleans(), min_size=position.board.size, max_size=36))
    cells = cell_set((c for c in position.board.cells if chosen[c]), position.board.size)
    return position, draw(st.sampled_from(Color)), cells


@given(parts())
def test_a_subgame_has_the_connections_whose_carriers_lie_in_it(drawn):
    """A sub-game has all connections whose ends and carriers lie in it; all hold on the board."""
    position, color, cells = drawn
    size = position.board.size
    inside = {
        (c.ends, c.carrier, c.key)
        for c in closure(position, color, Limits.none())
        if subset(c.carrier, cells)
        and all(end >= size or cells[end] or not position.empty[end] for end in c.ends)
    }
    found = list(closure(subgame(position, color, cells), color, Limits.none()))

    assert {(c.ends, c.carrier) for c in found} == {(ends, carrier) for ends, carrier, _ in inside}
    check(position, color, *found)


@given(parts(), st.data())
def test_an_answer_within_given_cells_uses_no_other_cell(drawn, data):
    """An answer needs no cell outside, whatever finds it; empty ends are not part of it."""
    position, color, cells = drawn
    board = position.board
    theirs = position.stones(color.opponent)
    points = [c for c in board.cells if not theirs[c]] + list(board.edges(color))
    ends = data.draw(st.lists(st.sampled_from(points), min_size=2, max_size=2, unique=True))
    question = ask(position, color, color, (ends[0], ends[1]), PLAIN, within=cells)

    if question.connection is not None:
        assert subset(question.connection.carrier, cells & position.empty)
        assert not any(board.contains(question.connection.carrier, end) for end in ends)
        check(question.subgame, color, question.connection)


def test_an_empty_end_outside_the_cells_stays_empty():
    """An empty end outside the cells does not become the opponent's stone."""
    position = Position.of(Board(3, 3), black="b2", white="c3")
    cells = position.board.named("a2 a3")

    assert subgame(position, Color.BLACK, cells) == Position.of(
        position.board, black="b2", white="a1 b1 c1 c2 b3 c3"
    )
    assert subgame(position, Color.BLACK, cells, 0).empty == position.board.named("a1 a2 a3")


def test_a_bridge_is_full_within_two_cells_but_not_within_one():
    """A bridge is full with both cells and semi with one; the text names the usable cells."""
    whole, half = (
        run(
            "explain", "-", "--size", "3", "--between", "b2", "north", "--within", cells, stdin="b2"
        )
        for cells in ("b1 c1", "c1,c3")
    )

    assert "Only these empty cells may be used: b1 c1. All others count as the" in whole.stdout
    assert "Black joins b2 and north, even if White moves first, inside 2 empty" in whole.stdout
    assert "--between b2 north --within b1,c1 --intrude b1" in " ".join(whole.stdout.split())
    assert "Black has no full connection of b2 and north, as far as the rules" in half.stdout
    assert "White breaks it at c1" in " ".join(half.stdout.split())


def test_a_line_of_play_stays_within_the_given_cells():
    """The board is the real one, and the reply stays within the cells."""
    asked = ["explain", "-", "--size", "5", "--between", "c3", "north", "--json"]
    carrier = json.loads(run(*asked, stdin="c3").stdout)["connection"]["carrier"]
    within = ["--within", ",".join(carrier), "--intrude", carrier[0]]
    found = json.loads(run(*asked, *within, stdin="c3").stdout)
    (step,) = found["line"]["steps"]

    assert found["within"] == carrier
    assert {step["reply"], *step["carrier"]} <= {*carrier[1:]}
    assert found["position"]["white"] == []


def test_a_template_is_full_within_its_carrier_but_not_with_a_cell_less():
    """dk4-3 holds within its ten cells, and not within nine of them."""
    file = str(find_shipped("templates/edge.txt"))
    asked = ["explain", file, "--id", "dk4-3", "--between", "c2", "south", "--json"]
    carrier = json.loads(run(*asked, stdin="").stdout)["connection"]["carrier"]
    again = json.loads(run(*asked, "--within", " ".join(carrier), stdin="").stdout)
    less = json.loads(run(*asked, "--within", " ".join(carrier[1:]), stdin="").stdout)

    assert again["connection"]["kind"] == "full"
    assert again["connection"]["carrier"] == carrier
    assert (less["connection"] or {"kind": "none"})["kind"] != "full"
    assert less["missing"]["outcome"]["verdict"] == "refuted"


def test_within_prints_only_connections_in_the_given_cells():
    """Connections within some cells are printed for either player, also with --solid."""
    everything, some = (
        run("connections", "-", "--size", "3", "--json", *options, stdin="b2 a1").stdout
        for options in ([], ["--within", "b1 c1 a3"])
    )
    cells = {"b1", "c1", "a3"}
    rows = [json.loads(line) for line in everything.splitlines()]
    edges = {"north", "south", "west", "east"}
    may_end = {*cells, *edges, "b2", "a1"}

    assert some
    assert [json.loads(line) for line in some.splitlines()] == [
        row for row in rows if cells.issuperset(row["carrier"]) and may_end.issuperset(row["ends"])
    ]
    told = run(
        *("connections", "-", "--size", "3", "--between", "b2", "north", "--solid"),
        *("--within", "b1 c1"),
        stdin="b2",
    )
    assert "Only these empty cells may be used: b1 c1." in told.stdout
    assert "depth  2  black full  north b2: b1 c1" in told.stdout


@pytest.mark.parametrize(
    ("cells", "code", "message"),
    [
        ("b1 z9", 3, "'z9' is off the 3x3 board"),
        ("b1 north", 3, "not a cell: 'north'"),
        (" ", 2, "no cells"),
    ],
)
@pytest.mark.parametrize("command", ["explain", "connections"])
def test_invalid_cells_are_refused(command, cells, code, message):
    """Cells that do not exist are refused by name, before anything is printed."""
    asked = [command, "-", "--size", "3", "--between", "b2", "north", "--within", cells]
    result = run(*asked, stdin="b2")

    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
