"""The command line, the page and GTP list the same connections of two points."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import ask, fail, records, session_of
from test_hosts import games

import hsearch
from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import groups
from player.answers.memory import MEMORY
from player.answers.objects import position_object
from player.board.asked.connection import (
    ConnectionsQuestion,
    ExplainQuestion,
    connections,
    explain,
)
from player.board.desk import Desk
from player.board.records import PositionObject, record_object
from player.board.threads import BoardJob
from player.cli import main


def listed_by_command(game, color, ends):
    return [_key(row) for row in _objects("connections", game, color, ends)]


def listed_by_board(game, color, ends):
    asked = ConnectionsQuestion(_stones(game), ends)
    seen = connections(Desk(record_object(Game(game.board))), BoardJob(lambda _told: None), asked)
    assert seen["total"] == len(seen["rows"])
    return [_key(row) for row in seen["rows"] if row["color"] == color.word]


def listed_by_gtp(game, color, ends):
    session, name = session_of(game), game.board.name
    found = records(ask(session, f"vc-between-cells {color.word} {' '.join(ends)}"), session)
    return [
        (kind, None if key is None else name(key), tuple(map(name, carrier)))
        for _, _, kind, carrier, key in found
    ]


def explained_by_command(game, color, ends):
    (row,) = _objects("explain", game, color, ends)
    return row["connection"]


def explained_by_board(game, color, ends):
    asked = ExplainQuestion(_stones(game), ends, color.word)
    desk = Desk(record_object(Game(game.board)))
    return explain(desk, BoardJob(lambda _told: None), asked)["explanation"]["connection"]


def _objects(command, game, color, ends):
    words = [command, "-", "--for", color.word, "--between", *ends, "--json"]
    done = CliRunner().invoke(main, words, input=formats.write(game, "sgf"))
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def _stones(game):
    return PositionObject(**position_object(game.position()))


def _key(row):
    return row["kind"], row["key"], tuple(row["carrier"])


def pairs(side, count, seed):
    """Yield random games, each with a player and two of the player's groups and edges."""
    generator = np.random.default_rng(seed)
    for game in games(side, count, seed):
        color = Color(int(generator.integers(2)))
        captains = [group.captain for group in groups(game.position(), color)]
        x, y = map(game.board.name, generator.choice(captains, 2, replace=False).tolist())
        yield game, color, (x, y)


LISTS = (listed_by_command, listed_by_board, listed_by_gtp)


@pytest.mark.slow
@pytest.mark.parametrize(("side", "count"), [(4, 20), (6, 10)])
def test_all_hosts_list_the_same_connections(side, count):
    """All hosts list the same connections of two points, with the one that is explained."""
    for game, color, ends in pairs(side, count, seed=side):
        place = formats.write(game, "moves"), color, ends
        expected, *others = (sorted(host(game, color, ends), key=str) for host in LISTS)
        assert others == [expected] * len(others), place
        for host in (explained_by_command, explained_by_board):
            best = host(game, color, ends)
            assert (best is None) == (not expected), place
            assert best is None or _key(best) in expected, place


SEVEN = Game.of(Board(7, 7), ["g2", "c3", "d4", "b1", "f2", "a3", "e4", "b6", "a1", "f7"])


@pytest.mark.parametrize("host", LISTS)
def test_each_host_lists_the_connection_by_a_region(host):
    """Each host lists the full that needs a filled region; GTP and the page once denied it."""
    listed = host(SEVEN, Color.BLACK, ("north", "south"))

    (full,) = (each for each in listed if each[0] == "full")
    assert full == _key(explained_by_command(SEVEN, Color.BLACK, ("north", "south")))


LOST = "e1 e2 d5 d4 c2 a1 c3 a4 c5 d2 e5 b2 a5 d1 e4 c4 b4 c1 a2 d3 a3 e3 b5"


@pytest.mark.parametrize(
    ("moves", "ends", "begins"),
    [
        ("c3 c2 d4 e2 a5 d5 b5 e4 e1 b4", ("c3", "north"), "Black joins c3 and north inside 1 "),
        ("c3 c2 d4 e2 a5 d5 b5 e4 e1", ("c3", "north"), "Black has no full connection of c3 and"),
        (LOST, ("south", "north"), "White wins: a full connection of 2 cells joins west and east."),
    ],
)
def test_all_hosts_know_whose_turn_it_is(moves, ends, begins):
    """They give the same reasons; GTP once answered as if either player might be to move."""
    game = Game.of(Board(5, 5), moves)
    MEMORY.forget()
    said = " ".join(ask(session_of(game), f"hsearch-explain-vc black {' '.join(ends)}").split())
    words = ["explain", "-", "--for", "black", "--between", *ends]
    MEMORY.forget()
    done = CliRunner().invoke(main, words, input=formats.write(game, "sgf"))
    MEMORY.forget()
    asked, desk = ExplainQuestion(_stones(game), ends, "black"), Desk(record_object(game))
    seen = explain(desk, BoardJob(lambda _told: None), asked)["said"]["summary"]

    assert said.startswith(begins)
    assert said in " ".join(done.stdout.split())
    assert said == " ".join(" ".join(seen).split())


@pytest.mark.parametrize(
    ("color", "ends", "words"),
    [
        ("black", ("c3", "c3"), "'c3' twice: a connection has two ends"),
        ("white", ("d4", "west"), "d4 is Black's and west is White's: nothing joins them"),
        ("white", ("b2", "north"), "north is Black's, so it is not an end for White"),
        ("black", ("c3", "a2"), "c3 is White's, so it is not an end for Black"),
    ],
)
def test_all_hosts_refuse_ends_in_the_same_words(color, ends, words):
    """Ends that nothing can join are refused alike; GTP had words of its own."""
    line = f"hsearch-explain-vc {color} {' '.join(ends)}"
    command = ["explain", formats.write(SEVEN, "sgf"), "--for", color, "--between", *ends]

    assert fail(session_of(SEVEN), line) == words
    assert CliRunner().invoke(main, command).stderr.strip().endswith(f": {words}")
    with pytest.raises(ValueError, match=f"^{words}$"):
        hsearch.explain(SEVEN, color, between=ends)
    with pytest.raises(ValueError, match=f"^{words}$"):
        explained_by_board(SEVEN, Color.of(color), ends)


@pytest.mark.parametrize(
    ("side", "moves"),
    [(3, "b2 c3"), (3, "b2 a1"), (4, "d2 d4 a2 a4 a1 c4 a3 d1 c2 b3 b2"), (4, "c2"), (3, "b1 c1")],
)
def test_all_hosts_put_the_same_winning_move_first(side, moves):
    """`analyze`, `best_moves` and GTP begin with the same move, also where any move wins."""
    game = hsearch.Game.of(side, moves)
    words = ["analyze", formats.write(game, "sgf"), "--json"]
    MEMORY.forget()
    by_turn = json.loads(CliRunner().invoke(main, words).stdout)["best_moves"]["by_turn"]
    listed = [each["cell"] for each in by_turn[game.position().turn.word]["moves"]]
    MEMORY.forget()
    best = [game.board.name(each.cell) for each in hsearch.best_moves(game, 0).moves]
    MEMORY.forget()
    said = ask(session_of(game), "hsearch-best-moves").splitlines()[1:]

    assert best == [line.split()[1] for line in said]
    assert best[:1] == (listed or best)[:1]  # `analyze` lists no move of a lost position


def test_a_stone_that_touches_an_edge_is_explained_as_the_edge():
    """a1 is a stone of north, so the question about it is that about the edges."""
    by_stone, by_edge = (
        explained_by_command(SEVEN, Color.BLACK, (point, "south")) for point in ("a1", "north")
    )

    assert by_stone == by_edge
    assert by_edge["rule"] == "fill-in"
