"""Hidden stones on two pages: an invitation gives a seat, which receives its own stones only."""

import json
import re
import secrets
import subprocess
import sys
from threading import Event

import pytest
from board_client import ORIGIN, SOCKET, Page, client, page
from browser import cell, choose, end_game, opened, served, setting
from clock import HOLD, wait_until
from playwright.sync_api import expect
from stand_in import answer_by
from starlette.websockets import WebSocketDisconnect

from hsearch import __version__
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.kernels.stop import Stopped
from hsearch.render.text import Marks
from player.board.asked import dark
from player.board.desk import DarkGames, SharedDarkGame
from player.board.guard import Visitors
from player.engine import referee
from player.variants import variant as dark_variant

KEPT = 1500  # milliseconds after which the page has stored a game


@pytest.fixture
def asking():
    with client() as browser, page(browser) as one:
        yield one


def test_an_invitation_can_be_used_only_once(asking):
    game = asking.ask("dark-start", size=3, base="abrupt", elsewhere="white")
    seat = {"game": game["game"], "key": game["keys"]["black"]}
    assert list(game["keys"]) == ["black"]
    assert not asking.ask("dark-turn", **seat)["complete"]
    asking.ask("dark-attempt", cell="b2", **seat)
    joined = asking.ask("dark-join", invitation=game["invitation"])
    other = {"game": joined["game"], "key": joined["keys"]["white"]}
    seen = asking.ask("dark-view", **other)

    assert list(joined["keys"]) == ["white"]
    assert joined["size"] == 3
    assert "b2" not in json.dumps(seen)
    assert asking.ask("dark-turn", **seat) == {
        "turn": "white",
        "heard": False,
        "complete": True,
        "left": None,
    }
    assert "taken" in asking.refusal("dark-join", invitation=game["invitation"])
    assert "taken" in asking.refusal("dark-join", invitation="")
    assert "white" in asking.refusal("dark-start", white="blind", elsewhere="white")


def test_an_invitation_opens_its_seat_and_nothing_else():
    """An invitation gives no token, other game or analysis; later the seat's key does the same."""

    def first(browser, **hello):
        with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as socket:
            socket.send_text(json.dumps(hello))
            welcome = json.loads(socket.receive_text())
            asked = Page(socket)
            board = {"columns": 3, "rows": 3, "black": [], "white": [], "turn": "black"}
            for kind, fields in (
                ("analyze", {"position": board}),
                ("shipped", {"name": "classic"}),
                ("dark-start", {"size": 3}),
            ):
                assert "its seat" in asked.refusal(kind, **fields)
            if "invitation" in hello:
                return welcome, asked.ask("dark-join", **hello)
            return welcome, asked.ask("dark-view", **hello)

    with client() as browser, page(browser) as host:
        game = host.ask("dark-start", size=3, elsewhere="white")
        for wrong in ({"invitation": game["invitation"] + "x"}, {"game": game["game"], "key": "x"}):
            with pytest.raises(WebSocketDisconnect):
                first(browser, **wrong)
        welcome, joined = first(browser, invitation=game["invitation"])
        again, seen = first(browser, game=joined["game"], key=joined["keys"]["white"])
        with pytest.raises(WebSocketDisconnect):
            first(browser, invitation=game["invitation"])

    assert welcome == again == {"kind": "welcome", "version": __version__, "guest": True}
    assert seen["seat"] == "white"


def test_only_the_key_of_a_seat_opens_it(asking):
    """A game's name, an invitation or the key of another game does not open a seat."""
    game, other = (asking.ask("dark-start", size=3, elsewhere="white") for _ in range(2))
    own = game["keys"]["black"]
    for kind, more in (("dark-turn", {}), ("dark-view", {}), ("dark-attempt", {"cell": "a1"})):
        for key in ("", game["game"], game["invitation"], other["keys"]["black"], own + "x"):
            assert "not a seat" in asking.refusal(kind, game=game["game"], key=key, **more)
        assert "no such game" in asking.refusal(kind, game="x", key=own, **more)
        assert "key" in asking.refusal(kind, game=game["game"], **more)
    for invitation in (own, game["game"], game["invitation"] + "x", ""):
        assert "taken" in asking.refusal("dark-join", invitation=invitation)
    assert asking.ask("dark-turn", game=game["game"], key=own) == {
        "turn": "black",
        "heard": False,
        "complete": False,
        "left": None,
    }


def test_a_canceled_attempt_is_undone(asking, monkeypatch):
    """If the engine's reply is canceled, the person's attempt is undone and the turn is back."""
    game = asking.ask("dark-start", size=2, white="random")
    seat = {"game": game["game"], "key": game["keys"]["black"]}

    def given_up(*_asked):
        """Stop as a kernel does after its page is closed."""
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(referee, "act_of", given_up)
        assert asking.hear(asking.send("dark-attempt", cell="a2", **seat))["kind"] == "cancelled"

    assert asking.ask("dark-turn", **seat)["turn"] == "black"
    assert asking.ask("dark-view", **seat)["position"]["black"] == []
    assert asking.ask("dark-attempt", cell="a2", **seat)["position"]["black"] == ["a2"]


def test_seat_lookup_tolerates_a_concurrent_join(monkeypatch):
    """A waiting page may ask for its turn while the invited person joins."""
    board, variant = Board(2, 2), dark_variant("dark-classic")
    state = variant.start(Game(board))
    game = SharedDarkGame(variant, state, {}, {Color.BLACK: "own"}, invitations={"x": Color.WHITE})
    games = DarkGames()
    name = games.add(game)

    def joined_meanwhile(known, given):
        """Compare two keys while the invited person joins."""
        game.keys[Color.WHITE] = "other"
        return known == given

    monkeypatch.setattr(secrets, "compare_digest", joined_meanwhile)
    with pytest.raises(ValueError, match="not a seat"):
        games.of(name, "neither")


def test_guesses_use_only_what_the_seat_has_seen(asking):
    """Guesses depend only on what the seat has seen, and need its turn."""

    def begun(cell):
        """Return both seats of a game whose first stone is on a cell."""
        game = asking.ask("dark-start", size=2)
        seats = [{"game": game["game"], "key": key} for key in game["keys"].values()]
        assert "Hidden stones: 0." in asking.ask("dark-suppose", **seats[0])["said"][0]
        asking.ask("dark-attempt", cell=cell, **seats[0])
        assert "whoever is to move" in asking.refusal("dark-suppose", **seats[0])
        return seats

    found = [asking.ask("dark-suppose", **begun(cell)[1]) for cell in ("a1", "b2")]
    black, white = begun("a1")
    asking.ask("dark-attempt", cell="b1", **white)
    asking.ask("dark-attempt", cell="a2", **black)

    assert found[0] == found[1]
    assert found[0]["cells"] == {"a1": "25", "b1": "25", "a2": "25", "b2": "25"}
    assert "the game is over" in asking.refusal("dark-suppose", **white)


def test_nobody_waits_for_guesses(asking, monkeypatch):
    """Guesses, which take seconds on a large board, do not block short questions."""
    begun, may_go_on = Event(), Event()

    def slowly(*_seen):
        """Guess nothing, after the test allows it."""
        begun.set()
        assert may_go_on.wait(HOLD)
        return Marks(), ["Guessed."]

    monkeypatch.setattr("player.dark.outlook.describe_belief", slowly)
    game = asking.ask("dark-start", size=3)
    seats = [{"game": game["game"], "key": key} for key in game["keys"].values()]
    waiting = asking.send("dark-suppose", **seats[0])
    try:
        assert begun.wait(HOLD)  # else the turn may be over before
        seen = [asking.ask("dark-view", **seat)["seat"] for seat in seats]
        asking.ask("dark-attempt", cell="a1", **seats[0])
    finally:
        may_go_on.set()

    assert seen == ["black", "white"]
    assert asking.hear(waiting)["answer"] == {"said": ["Guessed."], "cells": {}}


def test_no_view_waits_for_the_engine(asking, monkeypatch):
    """While the engine thinks, a second page gets the view before the attempt, without news."""
    may_go_on, act = Event(), referee.act_of

    def slowly(*asked):
        """Act after the test allows it."""
        assert may_go_on.wait(HOLD)
        return act(*asked)

    monkeypatch.setattr(referee, "act_of", slowly)
    game = asking.ask("dark-start", size=3, white="random")
    seat = {"game": game["game"], "key": game["keys"]["black"]}
    waiting = asking.send("dark-attempt", cell="b2", **seat)
    try:
        asking.hear_progress()  # the engine thinks
        seen = asking.ask("dark-view", **seat)
    finally:
        may_go_on.set()
    after = asking.hear(waiting)["answer"]

    assert (seen["position"]["black"], seen["heard"]) == ([], [])
    assert after["position"]["black"] == ["b2"]
    assert len(after["heard"]) == 1
    assert asking.ask("dark-view", **seat)["heard"] == []


def test_progress_does_not_reveal_silent_hits(asking):
    """The number of progress messages does not reveal the engine's silent hits."""
    hits = 0
    while hits < 5:
        game = asking.ask("dark-start", size=2, white="random")
        seat = {"game": game["game"], "key": game["keys"]["black"]}
        cells, view = ["a1", "b1", "a2", "b2"], {"winner": None}
        while view["winner"] is None:
            before = len(asking.progress)
            view = asking.ask("dark-attempt", cell=cells.pop(0), **seat)
            assert len(asking.progress) - before <= 1
        hits += " ".join(view["words"]).count("White hits")


@pytest.mark.parametrize("kind", ["dark-start", "hint", "turn"])
def test_the_module_of_each_question_can_be_imported_first(kind):
    """Each question's module can be imported first, in a new process."""
    code = f"from player.board.asked import KINDS; KINDS[{kind!r}].load()"
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def begin(page, other, side=3):
    """Begin an abrupt game from the page."""
    choose(page, "Dark")
    page.get_by_label("costs").select_option("abrupt")
    page.get_by_label("The other player is").select_option(other)
    page.get_by_role("spinbutton", name="Board").fill(str(side))
    page.get_by_role("button", name="New game").click()


def received(page):
    """Return a list that grows with the messages that a page receives."""
    heard = []

    def hear(frame):
        heard.append(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return heard


def test_two_people_play_dark_hex_on_two_pages(browser):
    """The second person joins by link, and that page receives nothing about the hidden stone."""
    with served() as bound, opened(browser, bound) as first:
        begin(first, "apart-white")
        link = first.get_by_label("Address").input_value()
        expect(first.locator(".panels")).to_contain_text("It is your turn")
        cell(first, "b2").click()
        expect(first.locator(".panels")).to_contain_text("The other player is to move")
        cell(first, "a1").click()
        expect(first.locator(".problem")).to_have_text("it is not your turn")

        assert bound.keys.token not in link
        expect(first.locator(".panels")).to_contain_text("It works on this machine only")
        choose(first, "Analyze")
        expect(first.locator(".verdict")).to_contain_text("nothing is judged")
        choose(first, "Dark")
        context = browser.new_context()
        second = context.new_page()
        second.add_init_script(setting({"redBlue": False}))
        heard = received(second)
        second.goto(link)
        expect(second.locator(".panels")).to_contain_text("White's view. It is your turn")
        assert "seat=" not in second.url
        assert second.evaluate("JSON.stringify(localStorage)").count(bound.keys.token) == 0
        second.reload()
        expect(second.locator(".panels")).to_contain_text("White's view. It is your turn")
        expect(second.locator("nav")).to_have_count(0)
        expect(first.get_by_label("Address")).to_have_count(0)
        third = context.new_page()
        third.goto(link)
        expect(third.locator(".away")).to_contain_text("Somebody has used this invitation")
        third.close()
        assert heard
        assert not any('"b2"' in frame for frame in heard)
        second.get_by_role("button", name="What may be hidden").click()
        expect(second.locator(".panels")).to_contain_text("Hidden stones, if Black attempts any")
        expect(cell(second, "b2")).to_have_attribute("aria-label", re.compile("empty"))
        cell(second, "b2").click()
        expect(second.locator(".change")).to_have_text(
            "A hidden stone lies on b2. Your turn is lost."
        )
        expect(first.locator(".panels")).to_contain_text("It is your turn")
        end_game(first)
        over = "Black has left: the game is over."
        expect(second.locator(".panels")).to_contain_text(over)
        expect(second.locator("#spoken")).to_have_text(over)
        cell(second, "a1").click()
        expect(second.locator(".problem")).to_have_text("Black has left the game")
        context.close()


@pytest.mark.slow
def test_the_page_asks_only_once_about_a_dropped_game(browser, monkeypatch):
    """The page asks once about a game that the server has dropped."""
    asked = []

    def gone(_desk, _job, _question):
        asked.append("dark-turn")
        raise ValueError("no such game")

    answer_by(monkeypatch, dark, "turn", gone)
    with served() as bound, opened(browser, bound) as page:
        begin(page, "apart-white")
        expect(page.locator(".problem")).to_have_text("no such game")
        page.wait_for_timeout(KEPT)
        assert asked == ["dark-turn"]


@pytest.mark.slow
def test_the_address_of_an_invitation_is_copied(browser):
    """A page without a clipboard, as over http from another machine, copies a selection.

    If that fails, too, it reports that.
    """
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    with served() as bound, opened(browser, bound, **options) as page:
        begin(page, "apart-white")
        notice, copy = page.locator(".notice"), page.get_by_role("button", name="Copy the address")
        link = page.get_by_label("Address").input_value()
        copy.click()
        expect(notice).to_have_text("The address is copied.")
        assert page.evaluate("navigator.clipboard.readText()") == link
        page.evaluate("navigator.clipboard.writeText('')")
        page.evaluate("navigator.clipboard.writeText = undefined")
        copy.click()
        expect(notice).to_have_text("The address is copied.")
        assert page.evaluate("navigator.clipboard.readText()") == link
        page.evaluate("document.execCommand = () => false")
        copy.click()
        expect(notice).to_have_text("The clipboard is closed: copy the address from its field.")


@pytest.mark.slow
def test_two_people_bid_at_one_screen(browser):
    """People bid in turn; an invalid bid is refused, and the other bid stays sealed.

    The game continues after a reload and is listed among the recent games.
    """
    with served() as bound, opened(browser, bound) as page:
        choose(page, "Bids")
        page.get_by_label("The engine is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(cell(page, "a1")).not_to_be_focused()
        seal = page.get_by_role("button", name="Seal the bid")
        field = page.get_by_label(re.compile("bids, sealed"))
        expect(field).to_be_focused()
        for wrong in ("", "abc", "-5"):
            field.fill(wrong)
            seal.click()
            expect(field).to_have_value(wrong)
        for bidder, bid in (("Black", "7"), ("White", "101"), ("White", "9")):
            page.get_by_label(f"{bidder} bids, sealed").fill(bid)
            seal.click()
            if bid == "101":
                expect(page.locator(".problem")).to_contain_text("101")
                expect(field).to_have_value("101")
            if bid == "7":
                page.get_by_label("White bids, sealed").wait_for()
                page.reload()  # the bid stays sealed
        expect(page.locator(".change")).to_have_text(
            "Black bids 7, White bids 9. White moves. Black has 109* now, White 91."
        )
        cell(page, "b2").click()
        expect(page.get_by_label("Black bids, sealed")).to_be_visible()
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("white stone"))
        choose(page, "Open")
        expect(page.locator(".recent li")).to_have_count(1)
        choose(page, "Analyze")
        expect(page.locator(".move")).to_have_text(["start", "White's turn", "1 b2"])


@pytest.mark.slow
def test_two_people_bid_again_after_the_server_loses_a_bid(browser, monkeypatch):
    """As after a restart of the server."""
    with served() as bound, opened(browser, bound) as page:
        choose(page, "Bids")
        page.get_by_label("The engine is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()

        def bid(bidder, chips):
            page.get_by_label(f"{bidder} bids, sealed").fill(chips)
            page.get_by_role("button", name="Seal the bid").click()

        monkeypatch.setattr("player.board.desk.MOST_GAMES", 0)  # it drops each bid
        bid("Black", "7")
        bid("White", "9")
        expect(page.locator(".problem")).to_have_text("no such bid is sealed here: both bid anew")
        monkeypatch.undo()
        bid("Black", "7")
        bid("White", "9")
        expect(page.locator(".change")).to_contain_text("White moves.")


@pytest.mark.slow
def test_the_form_keeps_its_choices_after_a_game(browser, empty):
    with opened(browser, empty) as page:
        choose(page, "Dark")
        page.get_by_role("combobox", name="Engine", exact=True).select_option("blind")
        begin(page, "white")
        end_game(page)
        expect(page.get_by_role("combobox", name="Engine", exact=True)).to_have_value("blind")
        expect(page.get_by_role("spinbutton", name="Board")).to_have_value("3")


def invite(host):
    """Begin a game at two pages and play Black's b2; return the invitation."""
    begin(host, "apart-white")
    link = host.get_by_label("Address").input_value()
    cell(host, "b2").click()
    expect(host.locator(".panels")).to_contain_text("The other player is to move")
    return link


@pytest.mark.slow
def test_the_host_keeps_the_seat_if_the_invitation_is_opened_in_the_same_tab(browser):
    with served() as bound, opened(browser, bound) as host:
        link = invite(host)
        host.goto(link)
        expect(host.locator(".panels")).to_contain_text("Black's view. The other player is to")
        expect(host.get_by_label("Address")).to_have_value(link)
        with opened(browser, bound) as guest:
            guest.goto(link)
            expect(guest.locator(".panels")).to_contain_text("White's view. It is your turn")


@pytest.mark.slow
def test_a_reload_loses_no_seat(browser):
    """After a reload, each of two remote pages has its seat and only its own stones."""
    with served() as bound, opened(browser, bound) as first:
        link = invite(first)
        first.reload()
        expect(first.locator(".panels")).to_contain_text("Black's view. The other player is to")
        expect(cell(first, "b2")).to_have_attribute("aria-label", re.compile("black stone"))
        expect(first.get_by_label("Address")).to_have_value(link)

        with opened(browser, bound) as second:
            heard = received(second)
            second.goto(link)
            expect(second.locator(".panels")).to_contain_text("White's view. It is your turn")
            second.reload()
            expect(second.locator(".panels")).to_contain_text("White's view. It is your turn")
            cell(second, "a1").click()
            expect(second.locator(".panels")).to_contain_text("The other player is to move")
            second.reload()
            expect(cell(second, "a1")).to_have_attribute("aria-label", re.compile("white stone"))
            # A page that reloads slowly may first ask about an empty 11x11 board.
            of_the_game = [frame for frame in heard if '"columns": 11' not in frame]
            assert any('"white"' in frame for frame in of_the_game)
            assert not any('"b2"' in frame for frame in of_the_game)
            expect(first.locator(".panels")).to_contain_text("It is your turn")

            end_game(second)
            second.reload()
            expect(second.locator(".verdict")).to_be_visible()


@pytest.mark.slow
def test_after_a_reload_the_board_is_hidden_until_the_player_is_known(browser):
    """After a reload the board stays hidden until the person at the screen is known."""
    with served() as bound, opened(browser, bound) as page:
        begin(page, "")
        page.get_by_role("button", name="I am Black").click()
        cell(page, "b2").click()
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("black stone"))
        page.reload()
        expect(page.locator(".panels")).to_contain_text("Who is at the screen?")
        expect(page.locator(".picture .stone")).to_have_count(0)
        cell(page, "a1").click()
        expect(page.locator(".problem")).to_have_text("the board is hidden: choose who you are")
        page.get_by_role("button", name="I am White").click()
        expect(page.locator(".panels")).to_contain_text("White's view. It is your turn")
        expect(page.locator(".picture .stone")).to_have_count(0)
        # Other places add no stones to the view, judge nothing, and begin no game from it.
        unchanged = "a view of hidden stones is not changed: play in Dark"
        for place in ("Set up", "Analyze"):
            choose(page, place)
            cell(page, "c3").click()
            expect(page.locator(".problem")).to_have_text(unchanged)
            expect(page.locator(".picture .stone")).to_have_count(0)
        choose(page, "Solve")
        expect(page.locator(".panels")).to_contain_text("so nothing is judged")
        expect(page.get_by_role("button", name="Solve this position")).to_have_count(0)
        choose(page, "Play")
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        expect(page.get_by_role("button", name="Play from this position")).to_have_count(0)
        choose(page, "Dark")
        expect(page.locator(".panels")).to_contain_text("White's view. It is your turn")
        expect(page.locator(".picture .stone")).to_have_count(0)
        page.get_by_role("button", name="Hide the board, pass the screen").click()
        page.get_by_role("button", name="I am Black").click()
        expect(page.locator(".picture .stone")).to_have_count(1)
        choose(page, "Play")
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        expect(page.get_by_role("button", name="Play from this position")).to_have_count(0)


def test_a_visitor_is_offered_no_game_of_hidden_stones(browser):
    """The server refuses it to visitors, so the menu has no place for it."""
    with served(visitors=Visitors()) as bound, opened(browser, bound) as page:
        expect(page.locator(".notice")).to_contain_text("open to visitors")
        page.get_by_text("More", exact=True).click()
        expect(page.get_by_role("button", name="Bids")).to_be_visible()
        expect(page.get_by_role("button", name="Dark")).to_have_count(0)


@pytest.mark.slow
def test_the_address_of_the_page_contains_no_hidden_stone(browser):
    """The next person at the screen finds no hidden stone by going back."""
    with served() as bound, opened(browser, bound) as page:
        begin(page, "")
        page.get_by_role("button", name="I am Black").click()
        cell(page, "b2").click()
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("black stone"))
        page.wait_for_timeout(KEPT)
        assert "b2" not in page.url
        page.reload()
        page.get_by_role("button", name="I am White").click()
        expect(page.locator(".panels")).to_contain_text("White's view. It is your turn")
        for _ in range(3):
            page.go_back()
            expect(page.locator(".problem")).to_have_text("a game is on: end it first")
            assert "b2" not in page.url


@pytest.mark.slow
def test_the_seat_of_a_dropped_game_is_removed(browser):
    with served() as bound, opened(browser, bound) as page:
        begin(page, "")
        page.get_by_role("button", name="I am Black").wait_for()
        page.evaluate(
            "sessionStorage.setItem('hsearch.dark', sessionStorage.getItem('hsearch.dark')"
            '.replace(/"game":"[^"]*/, \'"game":"gone\'))'
        )
        page.reload()
        expect(page.locator(".verdict")).to_be_visible()
        kept = "sessionStorage.getItem('hsearch.dark')"
        wait_until(lambda: page.evaluate(kept) is None)  # the page asks the server first
