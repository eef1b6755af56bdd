"""The questions about connections that the page asks, and their sentences."""

import json

import pytest
from nightly import IS_NIGHTLY
from places import ROOT
from test_board_asked import LONDON

from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.strategy.reply import follow
from player.answers import connection as report
from player.answers.analysis import Analysis
from player.answers.objects import position_object
from player.board.asked.connection import (
    ConnectionsQuestion,
    ExplainQuestion,
    connections,
    explain,
)
from player.board.desk import Desk
from player.board.records import PositionObject, record_object
from player.board.threads import BoardJob, CancelledError


def test_explained_replies_equal_those_of_follow(asking):
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")
    position = game.position(50)
    connection = Analysis(position).edge_connection(Color.BLACK)
    start = follow(position, Color.BLACK, connection)
    why = asking.ask("explain", position=position_object(position))
    name = position.board.name
    for cell in start.carrier.search(1):
        reply = start.intrude(cell).reply
        told = [r["reply"] for r in why["explanation"]["replies"] if r["intrusion"] == name(cell)]
        assert told == ([] if reply is None else [name(reply)])
        followed = asking.ask("follow", position=position_object(position), moves=[name(cell)])
        assert followed["steps"][-1]["reply"] == (None if reply is None else name(reply))


@pytest.mark.parametrize(
    ("name", "answer", "question"),
    [
        ("connections_between", connections, ConnectionsQuestion),
        ("ask_between", explain, ExplainQuestion),
    ],
)
def test_a_stopped_search_is_not_reported_as_in_vain(name, answer, question, monkeypatch):
    """A question whose search is stopped raises; the page once read that nothing is known."""
    search, job = getattr(report, name), BoardJob(lambda _told: None)

    def stopped(*arguments, **options):
        found = search(*arguments, **options)
        job.cancel.set()
        return found

    monkeypatch.setattr(report, name, stopped)
    board = Board(4, 4)
    asked = question(PositionObject(4, 4, ["b2"], ["c3"], "black"), ("b2", "north"))
    with pytest.raises(CancelledError):
        answer(Desk(record_object(Game(board))), job, asked)


def test_each_empty_cell_has_a_sentence_about_the_proof(asking):
    """Each intrusion has its reply, the key is named, and other cells change nothing."""
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")
    position = game.position(50)
    why = asking.ask("explain", position=position_object(position))
    said, replies = why["said"]["cells"], why["explanation"]["replies"]
    rest = set(said) - {one["intrusion"] for one in replies} - {"f8"}

    assert list(said) == position.board.names(position.empty)
    assert said["f8"] == "Black starts here: f8 is the key."
    for one in replies:
        cell, reply = one["intrusion"], one["reply"]
        assert said[cell] == f"After the key f8: White {cell}: Black replies {reply}."
    assert {said[cell].replace(cell, "?", 1) for cell in rest} == {
        "After f8, White ? changes nothing: it needs no reply."
    }


def test_each_empty_cell_has_a_sentence_about_the_must_play_region(asking):
    """A cell is in the region, or the first threat that rules it out is named."""
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")
    position = game.position(48)
    found = asking.ask("analyze", position=position_object(position))
    said, mustplay = found["said"]["cells"], found["mustplay"]
    mover, other = position.turn.title, position.turn.opponent.title

    assert set(said) == set(position.board.names(position.empty))
    for cell in mustplay["mustplay"]:
        assert said[cell] == f"{cell} is in the must-play region: no known threat rules it out."
    for threat in mustplay["threats"]:
        size = len(threat["carrier"])
        for cell in threat["rules_out"]:
            assert said[cell] == (
                f"After {mover} {cell}, {other} wins at {threat['key']}: "
                f"{cell} is outside that threat of {size} cells."
            )
    empty = asking.ask("analyze", position=position_object(Position.of(Board(11, 11))))
    assert empty["said"]["cells"] == {}


def test_a_connection_in_a_list_has_the_words_of_its_explanation(asking):
    """A listed connection has the claim of `explain`, with its cells instead of their number."""
    position = {"columns": 5, "rows": 5, "black": ["c3"], "white": ["d2"], "turn": "black"}
    for ends in (["north", "c3"], ["south", "c3"]):
        listed = asking.ask("connections", position=position, between=ends)
        why = asking.ask("explain", position=position, between=ends, color="black")
        explained = why["explanation"]["connection"]
        (said,) = (row["said"] for row in listed["rows"] if row | explained == row)
        cells = explained["carrier"]
        claim = said.replace(" ".join(cells), f"{len(cells)} empty cells")

        assert claim != said
        assert claim in why["said"]["summary"]


@pytest.mark.parametrize("name", LONDON)
def test_a_position_has_at_most_twenty_links(asking, name):
    game = formats.load(ROOT / f"positions/games/{name}.sgf")
    for move in range(0, len(game.moves) + 1, 1 if IS_NIGHTLY else 6):
        found = asking.ask("links", position=position_object(game.position(move)))

        assert len(found["links"]) <= 20
        for link in found["links"]:
            assert link["kind"] == "full"
            assert all(end in found["groups"] for end in link["ends"])


def test_connections_of_a_pair_are_listed_in_pages(asking):
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")
    position = position_object(game.position(49))
    pages = [
        asking.ask("connections", position=position, between=["north", "south"], page=number)
        for number in range(3)
    ]

    assert pages[0]["total"] > 0
    listed = [json.dumps(row) for found in pages for row in found["rows"]]
    assert len(set(listed)) == len(listed) == min(150, pages[0]["total"])
    assert all(len(found["rows"]) <= 50 for found in pages)
