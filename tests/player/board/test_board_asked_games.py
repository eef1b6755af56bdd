"""Games that the server plays and stores: sealed bids, coins, hidden stones, engines."""

import json
import re
import threading

from board_client import client, page, sent_back
from clock import HOLD

from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.kernels import stop
from player.board.asked import playing
from player.board.records import page_record
from player.engine import spec as players


def test_bids_are_sealed_and_paid(asking):
    start = asking.ask("turn", game=page_record(Game(Board(3, 3))), engine="white")
    assert start["chips"] == {"black": 100, "white": 100}
    found = asking.ask(
        "turn", game=sent_back(start["game"]), bids={"black": {"bid": 100}}, engine="white"
    )

    assert found["mover"] == "black"
    assert found["chips"]["black"] == 0
    moved = asking.ask("turn", game=sent_back(found["game"]), cell="b2", engine="white")
    assert moved["mover"] is None
    assert moved["game"]["nodes"][-1]["move"] == "b2"
    again = sent_back(moved["game"])
    assert "with 0 chips" in asking.refusal(
        "turn", game=again, bids={"black": {"bid": 101}}, engine="white"
    )


def test_the_server_seals_bids_of_two_people(asking):
    """The page's game has no bid until both are in, and a seal can be used only once."""
    start = asking.ask("turn", game=page_record(Game(Board(3, 3))), chips=[20, 20, "white"])
    game = sent_back(start["game"])
    first, other = (asking.ask("turn", game=game, bids={"black": {"bid": n}}) for n in (17, 3))
    secret = {"sealed", "game"}

    assert {key: first[key] for key in first.keys() - secret} == {
        key: other[key] for key in other.keys() - secret
    }
    assert (first["game"], first["said"], first["mover"]) == (start["game"], "", None)
    assert "white is to move" in asking.refusal(
        "turn", game=game, sealed=first["sealed"], bids={"black": {"bid": 0}}
    )
    seal = other["sealed"]
    both = asking.ask("turn", game=game, sealed=seal, bids={"white": {"bid": 3}})
    assert (both["mover"], both["sealed"], both["chips"]) == (
        "white",
        None,
        {"black": 23, "white": 17},
    )
    assert "no such bid" in asking.refusal("turn", game=game, sealed=seal)


def test_the_engine_moves_only_on_its_turn(asking):
    """The engine moves on its own turn; the winner is reported, and later moves are refused."""
    game, ordinary = Game(Board(3, 3)), {"variant": "alternating", "player": "level:1"}
    waiting = asking.ask("turn", game=page_record(game), engine="white", **ordinary)
    opened = asking.ask("turn", game=page_record(game), engine="black", **ordinary)
    two = asking.ask("turn", game=page_record(Game.of(Board(3, 3), ["a1"])), **ordinary)
    over = Game.of(Board(2, 2), ["a1", "b1", "a2"])
    won = asking.ask("turn", game=page_record(over), engine="white", **ordinary)
    late = asking.refusal("turn", game=page_record(over), cell="b2", **ordinary)

    assert (waiting["move"], waiting["mover"], waiting["said"]) == (None, "black", "")
    assert (opened["mover"], opened["said"]) == ("white", f"Black plays {opened['move']}.")
    assert opened["reason"]
    assert (two["move"], two["mover"]) == (None, "white")
    assert (won["move"], won["winner"], won["said"]) == (None, "black", "Black wins by a chain.")
    assert late == "the game is over: black has won"


def test_the_net_moves_while_the_chosen_level_is_prepared(monkeypatch):
    """While the strongest level is prepared for its first move, the net moves instead."""
    participant, may_go = players.participant, threading.Event()

    def slow(spec, variant):
        engine = participant("hexy:level=1", variant)
        if spec == "level:12":
            monkeypatch.setattr(engine, "prepare", lambda _board: may_go.wait(HOLD))
        return engine

    monkeypatch.setattr(players, "participant", slow)
    monkeypatch.setattr(playing, "PATIENCE", 0.01)
    fields = {"variant": "alternating", "player": "level:12", "engine": "white"}
    fields["game"] = page_record(Game.of(Board(3, 3), ["a1"]))
    with client() as browser, page(browser) as one:
        found = one.ask("turn", **fields)
        said = "That was the net's first choice, without a search: level:12 is being prepared."
        assert found["said"] == f"White plays {found['move']}. {said}"
        may_go.set()
        monkeypatch.setattr(playing, "PATIENCE", 60)
        found = one.ask("turn", **fields)
        assert found["said"] == f"White plays {found['move']}."


def test_coins_are_tossed_until_a_person_moves(asking):
    coins = {"variant": "random-turn", "engine": "white"}
    state = asking.ask("turn", game=page_record(Game(Board(3, 3))), **coins)
    for _ in range(9):
        if state["winner"] is not None:
            break
        assert state["mover"] == "black"
        taken = {node["move"] for node in state["game"]["nodes"]}
        cell = next(name for name in Board(3, 3).names(~Board(3, 3).only()) if name not in taken)
        state = asking.ask("turn", game=sent_back(state["game"]), **coins, cell=cell)

    assert state["winner"] in {"black", "white"}


def test_the_opponent_receives_no_hidden_stones():
    """White receives nothing about Black's stone before attempting the same cell."""
    with client() as browser, page(browser) as one:
        game = one.ask("dark-start", size=3, base="abrupt")
        black, white = (
            {"game": game["game"], "key": game["keys"][color]} for color in ("black", "white")
        )
        one.ask("dark-attempt", cell="b2", **black)
        seen = one.ask("dark-view", **white)

        assert seen["position"]["black"] == seen["position"]["white"] == []
        assert "b2" not in json.dumps(seen)
        assert seen["record"] is None
        assert one.refusal("dark-attempt", cell="a1", **black) == "white is to move"
        hit = one.ask("dark-attempt", cell="b2", **white)
        assert hit["heard"] == ["A hidden stone lies on b2. Your turn is lost."]
        assert hit["position"]["black"] == ["b2"]
        assert one.ask("dark-view", **black)["heard"] == []  # it is silent
        assert "not a seat" in one.refusal("dark-view", game=game["game"], key="x")
        assert "no such game" in one.refusal("dark-view", game="x", key="x")


def test_an_engine_plays_a_dark_game_to_the_end():
    with client() as browser, page(browser) as one:
        game = one.ask("dark-start", size=2, white="random")
        seat = {"game": game["game"], "key": game["keys"]["black"]}
        assert list(game["keys"]) == ["black"]
        for cell in ("a1", "b1", "a2", "b2"):
            view = one.ask("dark-view", **seat)
            if view["winner"] is not None or cell in view["position"]["white"]:
                continue
            message = one.hear(one.send("dark-attempt", cell=cell, **seat))
            assert message["kind"] in {"answer", "error"}
        view = one.ask("dark-view", **seat)

        assert view["winner"] in {"black", "white"}
        assert view["record"]["nodes"]
        assert all(re.fullmatch("(Black|White) (hits )?[a-z][0-9]", each) for each in view["words"])


def test_a_hint_that_is_ended_early_is_the_best_so_far(asking):
    """The button Enough ends a search, and the page gets what it has found."""
    number = asking.send("hint", game=page_record(Game.of(Board(9, 9), ["a1", "b2"])), seconds=60)
    asking.hear_progress()
    asking.send("cancel", job=number)
    answer = asking.hear(number)

    assert answer["kind"] == "answer"
    assert Board(9, 9).cell(answer["answer"]["move"]) >= 0


def test_an_engine_that_is_hurried_moves(asking, monkeypatch):
    """The button Enough ends the engine's search; the move that it has found is played."""
    begun = threading.Event()

    def search(_engine, _variant, _state, _color, terms, _generator):
        begun.set()
        assert terms.cancel.wait(HOLD)
        stop.check()  # as a kernel does
        return 4, None

    monkeypatch.setattr(playing, "act_of", search)
    fields = {"variant": "alternating", "engine": "black", "player": "hexy"}
    number = asking.send("turn", game=page_record(Game.of(Board(3, 3))), **fields)
    assert begun.wait(HOLD)
    asking.send("cancel", job=number)

    assert asking.hear(number)["answer"]["move"] == "b2"
