"""Problems that players met in hours of use, and that must stay fixed."""

import io
import re
from threading import Event

import pytest
from browser import (
    GAME,
    IS_RECENT,
    SEARCHING,
    UNREVIEWED,
    answered,
    cell,
    choose,
    go_to,
    opened,
    served,
    tab,
)
from clock import HOLD, wait_until
from PIL import Image
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_candidates import LINES
from test_board_keeping import PASTE

from hsearch import formats
from player.board import page_socket
from player.board.asked import KINDS, playing, position, records

LAPTOP = {"viewport": {"width": 1280, "height": 720}}


def foot(part):
    """Return the brightness of the bottom of a part, at its left margin without text."""
    shot = Image.open(io.BytesIO(part.screenshot())).convert("L")
    return shot.getpixel((3, shot.height - 3))


@pytest.mark.slow
def test_the_verdict_fits_or_its_end_is_shaded(browser, london):
    """The verdict fits a laptop; on a lower screen its end is shaded until scrolled to."""
    fits = "part => part.scrollHeight <= part.clientHeight"
    with opened(browser, london, settings={"reviews": True, "deepens": False}, **LAPTOP) as page:
        verdict = page.locator(".verdict")
        expect(page.locator(".evaluation")).to_be_visible()
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(verdict.locator(".turn")).to_be_visible(timeout=GAME)
        # Else the answer is gone for a moment at each position that the review proves.
        stop = page.get_by_role("tabpanel").get_by_role("button", name="Stop", exact=True)
        stop.click()
        expect(stop).to_have_count(0)
        for move in (69, 50, 30):
            go_to(page, move)
            expect(verdict.locator(".turn")).to_be_visible()
            assert verdict.evaluate(fits)
        plain = foot(verdict)
        page.set_viewport_size({"width": 1280, "height": 560})
        assert not verdict.evaluate(fits)
        assert foot(verdict) < plain - 20
        verdict.evaluate("part => part.scrollTo(0, part.scrollHeight)")
        assert abs(foot(verdict) - plain) < 10


def test_a_long_hint_is_shaded_and_scrolls(browser, empty, monkeypatch):
    """On a phone a long hint has two lines, is shaded and scrolls."""
    said = "Hint: b2. " + " ".join(["Expected then: b3 c2 d1 a4."] * 9)
    answer_by(monkeypatch, position, "hint", lambda *_: {"move": "b2", "said": said})
    phone = {"viewport": {"width": 390, "height": 844}}
    with opened(browser, empty, "#4", settings=UNREVIEWED, **phone) as page:
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        slot = page.locator(".panels .slot").first
        plain = foot(slot)
        page.get_by_role("button", name="Hint").click()
        expect(slot).to_contain_text("Expected then")
        assert foot(slot) < plain - 20
        slot.evaluate("part => part.scrollTo(0, part.scrollHeight)")
        assert abs(foot(slot) - plain) < 10


def test_hints_and_refutations_appear_only_at_their_place(browser, empty):
    """A hint and a refuted puzzle move are drawn only at the place that they belong to."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        drawn = page.locator(".picture .ghost, .picture .tint")
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="Hint").click()
        for count, place in ((1, "Set up"), (0, "Play"), (1, "Puzzles")):
            expect(drawn).to_have_count(count)
            choose(page, place)
        page.get_by_role("button", name="74 proved").click()
        page.locator(".recent button").nth(3).click()
        cell(page, "a1").click()
        expect(page.locator(".panels")).to_contain_text("a1 loses")
        expect(drawn).not_to_have_count(0)
        for place in ("Set up", "Solve", "Analyze"):
            choose(page, place)
            if place == "Analyze":
                answered(page)
            expect(drawn).to_have_count(0)


def test_no_engine_is_shown_as_thinking_while_a_person_is_to_move(browser, empty, monkeypatch):
    """A person to move sees no thinking engine, even on a busy server, and can ask for a hint."""
    over = Event()

    def turn(_desk, job, _question):
        while not (over.is_set() or job.cancel.wait(0.05)):
            pass
        job.check()
        return {"move": None, "winner": None, "said": "", "reason": ""}

    answer_by(monkeypatch, playing, "turn", turn)
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        expect(page.get_by_role("button", name="Enough")).to_have_count(0)
        expect(page.get_by_role("button", name="Hint")).to_have_attribute("aria-disabled", "false")
        cell(page, "b2").click()
        expect(page.get_by_role("button", name="Enough")).to_be_visible()
        over.set()


SIGNS = """name => [...document.querySelectorAll(".picture .own-mark, .picture .own-card, "
  + ".picture .best-ring, .picture .rank.best")].map(sign => {
    const { fill, stroke } = getComputedStyle(sign);
    return [sign.getAttribute("class"), fill === "none" ? stroke : fill]; })"""


def test_own_marks_differ_from_candidates(browser, monkeypatch):
    """A person's marks differ from candidates by color and background."""

    def moves(_desk, job, _question):
        fields = "move", "said", "chance", "line"
        found = [dict(zip(fields, line, strict=True)) | {"winner": None} for line in LINES]
        job.tell({"candidates": found, "estimate": None, "text": "100 simulations"})
        job.cancel.wait()
        job.check()

    answer_by(monkeypatch, position, "moves", moves)
    game = formats.read("(;GM[11]FF[4]SZ[11];B[f6]LB[a3:1][f6:2]CR[a5]TR[a7])")
    with served(game) as bound, opened(browser, bound, settings=SEARCHING) as page:
        expect(page.locator(".picture .rank.best")).to_have_count(3)
        signs = page.evaluate(SIGNS)
        own = {ink for look, ink in signs if "own-mark" in look and "on-" not in look}
        assert len([look for look, _ in signs if look == "own-card"]) == 3
        assert len(own) == 1
        assert own.isdisjoint(ink for look, ink in signs if "best" in look)
        assert [ink for look, ink in signs if "on-black" in look] == ["rgb(255, 255, 255)"]


def test_a_button_of_a_recent_game_opens_no_other(browser, empty):
    """A button opens the game that it shows: the list does not change while it is shown."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        for text in ("#4,a1", "#6,b2"):
            page.evaluate(PASTE, text)
            if text != "#4,a1":
                page.get_by_role("button", name="Replace it").click()
            expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", text[1])
            # Else the first game is stored once more, with its address, after Back to it.
            wait_until(lambda text=text: page.evaluate(IS_RECENT, text[3:]))
        choose(page, "Open")
        games = page.locator(".recent button")
        expect(games.first).to_contain_text("6 by 6")
        page.go_back()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
        choose(page, "Open")
        expect(games.first).to_contain_text("6 by 6")
        for move in ("d4", "c4"):  # the first is listed by the time that the second is stored
            cell(page, move).click()
            wait_until(lambda move=move: page.evaluate(IS_RECENT, move))
        games.first.click()  # as shown, although the game on the board is stored above it by now
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "6")
        page.go_back()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
        choose(page, "Open")
        expect(games.filter(has_text="4 by 4, 3 moves")).to_have_count(1)


def test_the_best_try_does_not_restart_the_search_of_the_moves_to_play(browser, monkeypatch):
    """The search for the best try runs beside the search for candidates."""
    game = formats.read("(;GM[11]FF[4]SZ[11];B[f6];W[e8];B[d9])")
    asked, given_up = [], []

    def moves(_desk, job, question):
        count = len(question.position.black) + len(question.position.white)
        asked.append(count)
        if count == 3:
            job.cancel.wait(HOLD)
            given_up.append(count)
            job.check()
        fields = "move", "said", "chance", "line"
        found = [dict(zip(fields, line, strict=True)) | {"winner": None} for line in LINES]
        return {"candidates": found, "estimate": None, "winner": None, "simulations": 9, "said": []}

    answer_by(monkeypatch, position, "moves", moves)
    whole = KINDS["review"].load()[1]

    def review(desk, job, question):
        found = whole(desk, job, question)
        moves = [move | {"better": []} for move in found["moves"]]
        lost = found["game"] | {"proved_winner": "black", "turning_point": 2, "last_mistake": 2}
        return found | {"game": lost, "moves": moves}

    answer_by(monkeypatch, records, "review", review)
    settings = SEARCHING | {"deepens": False}
    with served(game) as bound, opened(browser, bound, settings=settings) as page:
        expect(page.locator(".search")).to_be_visible()
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(page.locator(".verdict .turn")).to_contain_text("the best try was b4")
        assert asked.count(3) == 1
        assert given_up == []


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (740, 360)])
def test_the_board_does_not_move_between_places(browser, empty, size):
    """Each cell keeps its place on the screen from Analyze to Play, Solve and Set up."""
    view = {"width": size[0], "height": size[1]}
    box = "part => JSON.stringify(part.getBoundingClientRect())"
    with opened(browser, empty, "#11", settings=UNREVIEWED, viewport=view) as page:
        expect(page.locator(".strip .chip").first).to_be_attached()
        before = page.locator(".board").evaluate(box)
        for place in ("Play", "Solve", "Set up"):
            choose(page, place)
            assert page.locator(".board").evaluate(box) == before, place
        assert re.search(r'"y":[0-9]', before)


def test_a_reload_keeps_the_undo_history(browser, empty, monkeypatch):
    """After a reload, undo and redo restore all acts with their removed moves.

    Acts of another program version are dropped, because their fields may differ.
    """
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        moves = page.locator(".tree-of-moves .move")
        seen = []

        def act(do, count):
            do()
            expect(moves).to_have_count(count)
            seen.append(moves.all_inner_texts())

        def delete():
            page.get_by_role("button", name="2 e5").click()
            page.get_by_text("This move").click()
            page.get_by_role("button", name="Delete from here").click()

        def comment():
            tab(page, "Note")
            page.get_by_label("Comment").press_sequentially("mine")

        act(lambda: None, 4)
        act(lambda: cell(page, "b4").click(), 5)
        act(comment, 5)
        act(delete, 2)
        act(lambda: cell(page, "d2").click(), 3)
        act(lambda: cell(page, "d4").click(), 4)
        page.keyboard.press("Control+z")
        expect(moves).to_have_text(seen[-2])
        page.reload()
        expect(moves).to_have_text(seen[-2])
        page.keyboard.press("Control+Shift+z")
        expect(moves).to_have_text(seen[-1])
        page.reload()
        expect(moves).to_have_text(seen[-1])
        for words in [*reversed(seen[:-1])]:
            page.keyboard.press("Control+z")
            expect(moves).to_have_text(words)
        page.keyboard.press("Control+z")
        expect(page.locator(".notice")).to_have_text("Nothing to undo.")
        for words in seen[1:]:
            page.keyboard.press("Control+Shift+z")
            expect(moves).to_have_text(words)
        monkeypatch.setattr(page_socket, "build", lambda: "another one")
        page.reload()
        expect(moves).to_have_text(seen[-1])
        page.keyboard.press("Control+z")
        expect(page.locator(".notice")).to_have_text("Nothing to undo.")


def test_a_review_of_another_version_is_repeated(browser, empty, monkeypatch):
    """A stored review of another version is repeated: its words and marks may have changed."""
    reviewed = []
    whole = KINDS["review"].load()[1]

    def review(desk, job, question):
        reviewed.append(question)
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    settings = {"reviews": True, "deepens": False}
    with opened(browser, empty, "#5", settings=settings) as page:
        page.evaluate(PASTE, "#5,a1e5c3")
        turn = page.locator(".verdict .turn")
        expect(turn).to_be_visible()
        expect(page.locator(".working")).to_have_count(0)
        page.reload()
        expect(turn).to_be_visible()
        assert len(reviewed) == 1
        monkeypatch.setattr(page_socket, "build", lambda: "another one")
        page.reload()
        expect(turn).to_be_visible()
        expect(page.locator(".working")).to_have_count(0)
    assert len(reviewed) == 2


def test_a_reload_keeps_the_chances_of_a_game_of_chance(browser, empty):
    """A reload keeps the chances along with the game."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, "Bids")
        page.get_by_label("Turns").select_option("random-turn")
        page.get_by_label("The engine is").select_option(label="nobody: two people")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels")).to_contain_text("moves: click a cell")
        page.get_by_role("button", name="Count the chances here").click()
        chances = page.locator(".panels p", has_text=re.compile("^At random turns"))
        expect(chances).to_be_visible()
        words = chances.inner_text()
        expect(page.locator("#spoken")).to_contain_text(re.compile("Red [0-9.]+ %, Blue"))
        page.reload()
        expect(chances).to_have_text(words)


def test_a_finished_game_offers_another_game(browser, empty):
    """After dark games and games of chance, a new game replaces the button to end."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        panels, end = page.locator(".panels"), page.get_by_role("button", name="End the game")
        choose(page, "Dark")
        page.get_by_label("The other player is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("2")
        page.get_by_role("button", name="New game").click()
        for player, move in (("Red", "a1"), ("Blue", "b1"), ("Red", "a2")):
            page.get_by_role("button", name=f"I am {player}").click()
            expect(end).to_be_visible()
            cell(page, move).click()
            if move != "a2":
                page.get_by_role("button", name="Hide the board, pass the screen").click()
        expect(panels).to_contain_text("Red has won; all stones are shown.")
        expect(end).to_have_count(0)
        page.get_by_role("button", name="Another game").click()
        expect(page.get_by_role("button", name="New game")).to_be_visible()

        choose(page, "Bids")
        page.get_by_label("Turns").select_option("random-turn")
        page.get_by_label("The engine is").select_option(label="nobody: two people")
        page.get_by_role("spinbutton", name="Board").fill("2")
        page.get_by_role("button", name="New game").click()
        for move in ("a2", "b1", "a1", "b2"):  # two of them join the edges of either player
            expect(panels).to_contain_text(re.compile("moves: click a cell|wins by a chain"))
            if end.is_visible():
                cell(page, move).click()
                expect(cell(page, move)).to_have_attribute("aria-label", re.compile("stone"))
        expect(page.locator(".picture .chosen")).to_have_count(2)  # the winning chain
        page.get_by_role("button", name="Another game").click()
        expect(page.get_by_role("button", name="New game")).to_be_visible()


def test_the_chances_are_in_sight_on_a_phone(browser, empty):
    """Counted chances are in view below the board of a running game."""
    phone = {"viewport": {"width": 390, "height": 844}}
    with opened(browser, empty, "#3", settings=UNREVIEWED, **phone) as page:
        choose(page, "Bids")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="Count the chances here").click()
        fair = page.get_by_text("A fair bid is")
        expect(fair).to_be_in_viewport(ratio=1)
        column, part = page.locator(".panels").bounding_box(), fair.bounding_box()
        assert part["y"] + part["height"] <= column["y"] + column["height"]


def test_a_place_is_shown_from_its_top(browser, empty):
    """A new place is shown from its top, however far the previous one was scrolled."""
    phone = {"viewport": {"width": 390, "height": 500}}
    with opened(browser, empty, "#3", settings=UNREVIEWED, **phone) as page:
        choose(page, "Help")
        page.locator(".panels").evaluate("part => part.scrollTo(0, 500)")
        choose(page, "Bids")
        assert page.locator(".panels").evaluate("part => part.scrollTop") == 0


def test_no_room_for_three_candidates_is_reserved_after_the_search(browser, empty, monkeypatch):
    """Room for three candidates is reserved only while the search runs."""
    is_over, one = Event(), ("b4", "54 % (70)", 0.54, ["b4", "a9", "b3"])
    found = [dict(zip(("move", "said", "chance", "line"), one, strict=True)) | {"winner": None}]

    def moves(_desk, job, _question):
        answer = {"candidates": found, "estimate": {"chance": 0.54, "said": "54 %"}}
        job.tell(answer | {"text": "70 simulations"})
        while not is_over.wait(0.05):
            job.check()
        return answer | {"winner": None}

    answer_by(monkeypatch, position, "moves", moves)
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **LAPTOP) as page:
        candidates = page.locator(".candidates")
        expect(candidates.locator(".row")).to_have_count(1)
        assert candidates.bounding_box()["height"] > 60
        is_over.set()
        expect(candidates).to_have_class(re.compile("settled"))
        assert candidates.bounding_box()["height"] < 30


def test_lowercase_sentences_use_the_color_names_of_the_players(browser, empty):
    """Color names replace colors in sentences, but not in records or single words."""
    script = """async (value) => {
        const { inNames } = await import(new URL("layers.js", document.baseURI).href);
        return inNames(value);
    }"""
    record = {"nodes": [{"comment": "white: a slip"}], "info": [["GN", "Black is lost"]]}
    said = ["the game is over: black has won", "black a2", "White's", "blacklist", "white"]
    with opened(browser, empty, "#3,b1a1b2c2b3", settings=UNREVIEWED) as page:
        expect(page.locator(".headline")).to_have_text("Red has won")
        names = page.evaluate(script, {"said": said, "turn": "black", "game": record})
        assert names == {
            "said": ["the game is over: red has won", "red a2", "Blue's", "blacklist", "white"],
            "turn": "black",
            "game": record,
        }
        choose(page, "Bids")
        page.get_by_role("button", name="Count the chances here").click()
        expect(page.locator(".problem")).to_have_text("the game is over: red has won")


PROSE = "I think Blue went wrong here.\r\nAfter 1. a5 2. c3 I would have played e4 instead of d4."


@pytest.mark.parametrize("way", ["paste", "Load"])
def test_moves_in_prose_need_a_confirmation(browser, empty, way):
    """The page lists the moves in a text and loads them only after a confirmation."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        moves, dialog = page.locator(".picture .stone"), page.get_by_role("dialog")

        def offer():
            if way == "paste":
                page.evaluate(PASTE, PROSE)
            else:
                choose(page, "Open")
                page.get_by_role("textbox", name="SGF").fill(PROSE)
                page.get_by_role("button", name="Load", exact=True).last.click()

        offer()
        expect(dialog).to_contain_text("names moves: a5 c3 e4 d4. Its other words are left out.")
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
        expect(moves).to_have_count(0)
        offer()
        dialog.get_by_role("button", name="Play these moves").click()
        expect(moves).to_have_count(4)
        expect(page.locator(".headline")).to_be_visible()
        offer()
        expect(dialog).to_contain_text("what about the game on the board?")
        expect(dialog.get_by_role("button", name="Add as variation")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (360, 740)])
def test_a_puzzle_board_does_not_move_on_a_phone(browser, empty, size):
    """Each cell of a puzzle keeps its place in Solve, Analyze and Set up."""
    view = {"width": size[0], "height": size[1]}
    box = "part => JSON.stringify(part.getBoundingClientRect())"
    with opened(browser, empty, "#4", settings=UNREVIEWED, viewport=view) as page:
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved").click()
        page.locator(".recent button").last.click()
        expect(page.locator("main.under-way")).to_be_visible()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "9")
        before = page.locator(".board").evaluate(box)
        for place in ("Solve", "Analyze", "Set up", "Puzzles"):
            choose(page, place)
            assert page.locator(".board").evaluate(box) == before, place


def test_undo_steps_back_before_a_repeated_move(browser, empty):
    """Undo goes back before the repeated move, and does not undo opening the game."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        page.evaluate(PASTE, "#5,a1e5c3")
        moves, standing = page.locator(".tree-of-moves .move"), page.locator(".standing").first
        expect(moves).to_have_count(4)
        page.keyboard.press("Home")
        expect(standing).to_have_text("Red to move.")
        cell(page, "a1").click()
        expect(standing).to_contain_text("after 1 a1")
        page.keyboard.press("Control+z")
        expect(standing).to_have_text("Red to move.")
        expect(moves).to_have_count(4)
        page.keyboard.press("Control+Shift+z")
        expect(standing).to_contain_text("after 1 a1")
        expect(moves).to_have_count(4)


def test_the_start_buttons_are_fully_visible_on_a_phone_in_landscape(browser, empty):
    """In landscape, no button of an empty board is cut off."""
    view = {"width": 844, "height": 390}
    with opened(browser, empty, "#11", settings=UNREVIEWED, viewport=view) as page:
        for name in ("Play a game", "Open a game", "An example", "Which first moves to swap"):
            button = page.get_by_role("button", name=name)
            expect(button).to_be_in_viewport(ratio=1)
        verdict = page.locator(".verdict")
        assert verdict.evaluate("part => part.scrollHeight <= part.clientHeight")


def test_the_effect_of_a_key_is_announced(browser, empty):
    """A key's effect is announced, because no control that could report it has the focus."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        answered(page)
        heard = page.locator("#spoken")
        for key, words in (
            ("4", "Shown: Swap map."),
            ("8", "Shown: Chances."),
            ("a", "Ask is on."),
            ("a", "Ask is off."),
            (" ", "The search continues."),
            (" ", "The search is paused."),
            ("?", "Help is shown."),
            ("?", "Help is closed."),
            ("?", "Help is shown."),
            ("Escape", "Help is closed."),
        ):
            page.locator("body").press(key)
            expect(heard).to_have_text(words)


def test_a_puzzle_is_shown_from_its_top(browser, empty):
    """A puzzle is scrolled to its top, and no answer is marked before there is one."""
    phone = {"viewport": {"width": 390, "height": 760}}
    with opened(browser, empty, "#4", settings=UNREVIEWED, **phone) as page:
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved").click()
        page.locator(".recent button").nth(10).click()
        expect(page.locator(".panels").get_by_text("Find the move.")).to_be_visible()
        panels = page.locator(".panels")
        assert panels.evaluate("part => part.scrollHeight > part.clientHeight")
        assert panels.evaluate("part => part.scrollTop") == 0
        slot = page.locator(".panels .slot")
        rim = "part => getComputedStyle(part).borderLeftColor"
        assert slot.evaluate(rim) == "rgba(0, 0, 0, 0)"
        cell(page, "a1").click()
        expect(slot).to_have_text(re.compile("a1|wins"))
        assert slot.evaluate(rim) != "rgba(0, 0, 0, 0)"
        page.get_by_role("button", name="Other puzzles").click()
        expect(page.locator(".recent button").nth(10)).to_be_in_viewport()


def test_a_finished_game_can_be_stepped_through(browser, empty):
    """After the end, all moves are accessible, also after a visit to another place."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        cell(page, "b2").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        back = page.get_by_role("button", name="Previous", exact=True)
        expect(back).to_be_disabled()
        choose(page, "Analyze")
        choose(page, "Play")
        expect(back).to_be_disabled()
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(back).to_be_enabled()
        choose(page, "Analyze")
        choose(page, "Play")
        expect(page.locator(".panels .standing")).to_have_text("Red has won.")
        expect(back).to_be_enabled()
        page.keyboard.press("Home")
        expect(page.locator(".picture .stone")).to_have_count(0)
