"""The depth of a connection: moves until stones join its ends."""

import json
from functools import cache

import pytest
from click.testing import CliRunner
from hypothesis import given
from strategies import positions

from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection
from hsearch.connect.exhaustive import MOST_CELLS, depth
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains
from player.cli import main


def shortest(position, color, connection):
    """Return the depth by adding stones to positions and computing groups."""
    board = position.board
    position = position if color is Color.BLACK else position.transposed()
    turned = (lambda c: c) if color is Color.BLACK else board.transpose
    x, y = (turned(end) for end in connection.ends)
    for end in (x, y):
        if not position.board.is_edge(end) and position.empty[end]:
            position = position.put(end, Color.BLACK)
    cells = frozenset(map(turned, connection.carrier.search(1)))

    @cache
    def moves(now, left, *, owner):
        if not owner and (named := captains(now, Color.BLACK))[x] == named[y]:
            return 0
        if not left:
            return 99
        color = Color.BLACK if owner else Color.WHITE
        best = min if owner else max
        return 1 + best(moves(now.put(c, color), left - {c}, owner=not owner) for c in left)

    return moves(position, cells, owner=not connection.is_full)


@given(positions(max_side=4, stones="...BW"))
def test_depths_equal_brute_force(position):
    """The depths of all connections with small carriers are equal, also of semis."""
    for color in Color:
        for connection in closure(position, color, Limits(M=4, semis=6, K=3)):
            if connection.carrier.count() <= 4:
                found = depth(position, color, connection)
                assert found == shortest(position, color, connection), connection


def test_touching_points_have_depth_0_and_bridges_depth_2():
    """Anshelevich's examples have depths 0 and 2; the owner's first move adds one."""
    position = Position.of(Board(4, 4), black="c2 b4")
    board = position.board
    store = closure(position, Color.BLACK, Limits())
    bridge = next(c for c in store.fulls(board.cell("c2"), board.cell("b4")))
    touching = next(c for c in store.fulls(board.cell("c2"), board.cell("c3")))
    semi = next(c for c in store if not c.is_full and c.carrier.count() == 1)

    assert bridge.carrier == board.only(board.cell("b3"), board.cell("c3"))
    assert [depth(position, Color.BLACK, c) for c in (bridge, touching, semi)] == [2, 0, 1]


def test_solid_adds_the_depth_and_requires_between(tmp_path):
    """`--solid` adds both; without two points it is refused."""
    path = tmp_path / "bridge.txt"
    path.write_text("b2\n")
    words = ["connections", str(path), "--size", "4", "--move", "1", "--for", "black"]
    between = [*words, "--between", "north", "b2", "--kind", "full", "--solid"]
    found = CliRunner().invoke(main, [*between, "--json"])
    told = CliRunner().invoke(main, between)
    refused = CliRunner().invoke(main, [*words, "--solid"])

    assert found.exit_code == told.exit_code == 0, found.output + told.output
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert {"b1", "c1"} == set(rows[0]["carrier"])
    assert rows[0]["depth"] == 2
    assert "depth  2  black full  north b2: b1 c1" in told.stdout
    assert refused.exit_code == 2
    assert "--solid needs --between" in refused.stderr


def test_a_connection_that_can_be_cut_has_no_depth():
    """A connection that can be cut has no depth, nor has one too large to play out."""
    position = Position.of(Board(4, 4), black="b2 c3")
    board = position.board
    x, y = sorted(map(board.cell, ("b2", "c3")))

    assert position.board.cell("c2") in position.empty.search(1)
    with pytest.raises(ValueError, match="the opponent can cut it"):
        depth(position, Color.BLACK, Connection(x, y, board.only(board.cell("c2"))))
    large = board.only(*list(position.empty.search(1))[: MOST_CELLS + 1])
    assert depth(position, Color.BLACK, Connection(x, y, large)) is None
