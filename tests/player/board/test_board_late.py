"""Late answers are dropped after the position changes, and messages go with their position."""

import re
from dataclasses import replace
from threading import Event

import pytest
from browser import (
    SEARCHING,
    UNREVIEWED,
    answered,
    cell,
    choose,
    end_game,
    go_to,
    opened,
    served,
    tab,
)
from clock import HOLD, wait_until
from playwright.sync_api import expect
from stand_in import answer_by, held_back
from test_board_keeping import PASTE

from player.board.asked import playing, position, records
from player.board.guard import bind

# From `hold` to `release` the page receives no answer that contains a given word.
HOLDING = """const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  window.held = [];
  Object.defineProperty(WebSocket.prototype, "onmessage", { set(hear) {
    set.call(this, (event) => {
      if (!window.word || !event.data.includes(word)) { hear(event); return; }
      held.push(() => hear(event));
      window.come?.();
    });
  } });
  window.arrived = () => new Promise((done) => {
    if (held.length) done();
    window.come = done;
  });
  window.release = async () => {
    window.word = null;
    held.splice(0).forEach((act) => act());
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
  };"""


def late(page, act, answer, meanwhile):
    """Do something else between an act and its answer, which contains a given word."""
    page.evaluate(f"window.word = {answer!r}")
    act()
    page.evaluate("arrived()")
    meanwhile()
    page.evaluate("release()")


def ready(page):
    """Let the page delay what it receives."""
    page.add_init_script(HOLDING)
    page.reload()
    answered(page)


def test_a_position_is_analyzed_again_after_a_quick_undo(browser, empty, monkeypatch):
    """After an undo the page asks again, even if the first question is canceled only then."""
    asked, given_up, undone = [], Event(), Event()
    as_ever = position.analyze

    def analyze(desk, job, request):
        asked.append(request)
        if len(asked) == 1:
            job.cancel.wait(HOLD)
            given_up.set()
            undone.wait(HOLD)
            job.check()
        return as_ever(desk, job, request)

    answer_by(monkeypatch, position, "analyze", analyze)
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED) as page:
        cell(page, "c3").click()
        assert given_up.wait(HOLD)
        page.keyboard.press("Control+z")
        expect(cell(page, "c3")).not_to_have_class(re.compile("stone"))
        undone.set()
        answered(page)
        expect(page.locator(".headline")).to_contain_text("Blue")


def test_a_button_keeps_the_focus_when_the_answer_arrives(browser, monkeypatch):
    """The buttons of an empty board are not made anew, or a key pressed meanwhile would be lost."""
    held, as_ever = Event(), position.analyze

    def analyze(desk, job, request):
        held.wait(HOLD)
        return as_ever(desk, job, request)

    answer_by(monkeypatch, position, "analyze", analyze)
    with served() as bound, opened(browser, bound, "#4", settings=UNREVIEWED) as page:
        # If all were made anew, the first one would get the focus.
        button = page.get_by_role("button", name="Open a game")
        button.focus()
        held.set()
        expect(page.locator(".headline")).to_have_text("Red wins with b3")
        expect(button).to_be_focused()


def test_a_proof_by_search_is_not_denied(browser, empty):
    """A proof without a connection is named as a search, and the solver is offered."""
    with opened(browser, empty, "#6,a1", settings=UNREVIEWED) as page:
        expect(page.locator(".verdict")).to_contain_text("Proved by search: Blue")
        page.get_by_label("Ask").check()
        cell(page, "c3").click()
        expect(page.locator(".problem, .notice")).to_contain_text("the proof here is a search")
        page.get_by_role("radio", name="Proof").check()
        expect(page.get_by_role("tabpanel")).to_contain_text("The proof is a search")
        expect(page.get_by_role("button", name="Ask the solver")).to_be_visible()


def test_a_click_with_ask_after_a_chain_names_the_end(browser, empty):
    """A chain is no search: the message says that the game is over."""
    with opened(browser, empty, "#2,a1b1a2", settings=UNREVIEWED) as page:
        expect(page.locator(".headline")).to_have_text("Red has won")
        page.get_by_label("Ask").check()
        cell(page, "b2").click()
        expect(page.locator(".problem, .notice")).to_contain_text("the game is over")


@pytest.mark.slow
def test_a_late_answer_about_a_proof_or_pair_changes_no_other_position(browser, london):
    """A late answer changes no other position, and Escape ends a walk before its answer."""
    with opened(
        browser, london, settings=UNREVIEWED, viewport={"width": 1280, "height": 800}
    ) as page:
        ready(page)
        line, back = page.locator(".reply-line"), page.get_by_title("Take back the question")
        page.get_by_label("Ask").check()

        def to_the_start():
            page.keyboard.press("Home")
            expect(page.locator(".stone:not(.ghost)")).to_have_count(0)

        late(page, cell(page, "h5").click, '"steps"', to_the_start)
        expect(back).to_have_count(0)
        expect(line).not_to_contain_text("h5: Red")
        expect(page.locator(".stone:not(.ghost)")).to_have_count(0)
        page.keyboard.press("End")
        expect(page.locator(".headline")).to_have_text("Red has won: the record says so")
        late(page, cell(page, "h5").click, '"steps"', lambda: page.keyboard.press("Escape"))
        expect(back).to_have_count(0)
        cell(page, "h5").click()
        expect(line).to_contain_text("Blue h5: Red h6")
        # The button that takes it back is as large as the others and leaves room for words.
        expect(page.get_by_role("tabpanel")).to_contain_text("Blue h5: Red h6. Left to watch")
        assert back.bounding_box()["width"] == page.get_by_title("First").bounding_box()["width"]
        assert page.get_by_label("Move or question").bounding_box()["width"] > 120
        page.keyboard.press("Escape")
        page.get_by_role("radio", name="Connections").check()
        cell(page, "j6").click()
        late(page, cell(page, "d5").click, '"total"', to_the_start)
        expect(page.get_by_role("tabpanel")).not_to_contain_text(re.compile("j6 and d5|d5 and j6"))


@pytest.mark.slow
def test_a_game_that_begins_late_replaces_no_other(browser, empty):
    """A late new game replaces no other, and an invalid number begins none."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        ready(page)
        rows = page.get_by_role("grid")
        new, wrong = page.get_by_role("button", name="New game"), page.locator("input:invalid")
        for place, field, number in (("Set up", "Columns", ""), ("Bids", "Board", "0")):
            choose(page, place)
            page.get_by_role("spinbutton", name=field).fill(number)
            page.locator(".panels form button").first.click()
            expect(wrong).to_have_count(1)
            expect(rows).to_have_attribute("aria-rowcount", "5")
        page.get_by_role("spinbutton", name="Board").fill("3")
        for color in ("Red", "Blue"):
            page.get_by_label(f"{color}'s chips").fill("0")
        new.click()
        expect(page.locator(".problem")).to_have_text("nobody has any chips")
        expect(rows).to_have_attribute("aria-rowcount", "5")
        page.get_by_label("Red's chips").fill("9")

        def paste():
            page.evaluate(PASTE, "#4,a1")
            expect(rows).to_have_attribute("aria-rowcount", "4")

        late(page, new.click, '"chips"', paste)
        expect(rows).to_have_attribute("aria-rowcount", "4")
        expect(new).to_be_enabled()

        choose(page, "Dark")
        expect(page.get_by_role("heading", name="Dark Hex")).to_be_visible()
        page.get_by_role("spinbutton", name="Board").fill("")
        new.click()
        expect(rows).to_have_attribute("aria-rowcount", "4")
        page.get_by_role("spinbutton", name="Board").fill("3")
        new.click()
        expect(page.locator(".panels")).to_contain_text("It is your turn")
        page.evaluate(PASTE, "#6,a1")
        expect(page.locator(".problem")).to_have_text("a game is on: end it first")

        def away():
            end_game(page)
            choose(page, "Analyze")
            page.go_back()
            expect(rows).to_have_attribute("aria-rowcount", "4")

        late(page, cell(page, "b2").click, '"remembered"', away)
        expect(rows).to_have_attribute("aria-rowcount", "4")


def test_no_bid_is_sealed_before_the_other_one_is_found_again(browser, empty):
    """After a refused bid the page asks for the other one, which has another name by then."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ready(page)
        choose(page, "Bids")
        page.get_by_label("The engine is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        seal = page.get_by_role("button", name="Seal the bid")
        page.get_by_label("Red bids, sealed").fill("7")
        seal.click()
        field = page.get_by_label("Blue bids, sealed")
        field.fill("101")

        def correct():
            expect(page.locator(".problem")).to_contain_text("101")
            expect(seal).to_be_disabled()
            field.fill("9")

        late(page, seal.click, '"sealed"', correct)
        seal.click()
        expect(page.locator(".change")).to_contain_text("Red bids 7, Blue bids 9.")


@pytest.mark.slow
def test_a_message_disappears_with_its_position(browser, london):
    """The next move removes a message, and the reply at a cell replaces it."""
    with opened(browser, london, settings=UNREVIEWED) as page:
        go_to(page, 50)
        box, notice = page.get_by_label("Move or question"), page.locator(".line .notice")
        problem, line = page.locator(".line .problem"), page.locator(".reply-line")

        def say(word):
            box.fill(word)
            box.press("Enter")

        say("zz")
        expect(problem).to_contain_text("zz: type a cell")
        say("why")
        expect(notice).to_be_visible()
        expect(problem).to_have_count(0)
        cell(page, "j7").hover()
        expect(line).to_have_text("After the key f8: Blue j7: Red replies h9.")
        page.mouse.move(0, 0)
        expect(notice).to_be_visible()
        say("k1")
        expect(page.locator(".standing").first).to_contain_text("after 51 k1")
        expect(notice).to_have_count(0)
        say("threat")
        expect(notice).to_be_visible()
        say("resign")
        expect(page.locator(".headline")).to_have_text("Blue resigned")
        expect(notice).to_have_count(0)


@pytest.mark.slow
def test_set_up_and_undo_remove_outdated_answers(browser, empty):
    """Set up removes the answer for the stones of before, and so does Undo."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ready(page)

        def stone():
            choose(page, "Set up")
            cell(page, "b2").click()
            expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("red stone"))

        choose(page, "Solve")
        solve = page.get_by_role("button", name="Solve this position")
        late(page, solve.click, '"solved"', stone)
        choose(page, "Solve")
        expect(solve).to_be_enabled()
        expect(page.locator(".panels .proved")).to_have_count(0)
        page.keyboard.press("Control+z")
        solve.click()
        expect(page.locator(".panels .proved")).to_contain_text("Red wins")
        choose(page, "Set up")
        for color in ("Blue", "Red"):
            page.get_by_role("radio", name=color, exact=True).check()
            expect(page.locator(".standing").first).to_have_text(f"{color} to move.")
            choose(page, "Analyze")
            expect(page.locator(".headline")).to_have_text(f"{color} wins with b2")
            choose(page, "Set up")
        cell(page, "a1").click()
        page.get_by_role("radio", name="Blue stone").check()
        for name in ("a2", "b2", "c2"):
            cell(page, name).click()
            expect(cell(page, name)).to_have_attribute("aria-label", re.compile("blue stone"))
        choose(page, "Solve")
        expect(page.locator(".panels .proved")).to_have_count(0)
        choose(page, "Analyze")
        expect(page.locator(".headline")).to_have_text("Blue has won")
        page.keyboard.press("Control+z")
        expect(page.locator(".headline")).to_have_text("Blue wins")


def test_undo_of_a_set_up_after_moves_removes_what_was_solved(browser, empty):
    """What was solved before the second move goes anyway, as a swap could change it."""
    with opened(browser, empty, "#3,a1c3", settings=UNREVIEWED) as page:
        choose(page, "Set up")
        for name in ("b2", "b1"):
            cell(page, name).click()
            expect(cell(page, name)).to_have_attribute("aria-label", re.compile("red stone"))
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()
        expect(page.locator(".panels .proved")).to_contain_text("Red wins")
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone: set-up at b1.")
        expect(page.locator(".panels .proved")).to_have_count(0)


def test_text_warnings_use_the_chosen_color_names(browser, empty):
    """Warnings about a text use the chosen color names, as all messages do."""
    with opened(browser, empty, settings=UNREVIEWED) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        page.evaluate(PASTE, "a3 swap f6")
        expect(page.locator(".notice")).to_contain_text("the stone on a3 becomes Blue's, on c1")


def test_a_repeated_engine_request_shows_as_thinking(browser, empty, monkeypatch):
    """A game begins while the request of a stopped one ends: the new one shows as thinking."""
    asked, may_end = [], Event()

    def turn(_desk, job, question):
        asked.append(question)
        job.cancel.wait()
        may_end.wait(HOLD)
        job.check()

    answer_by(monkeypatch, playing, "turn", turn)
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("white")
        page.get_by_role("button", name="New game").click()
        wait_until(lambda: len(asked) == 1)
        page.get_by_role("button", name="Stop without a result").click()
        page.get_by_role("button", name="New game").click()
        enough = page.get_by_role("button", name="Enough")
        expect(enough).to_be_visible()
        may_end.set()
        wait_until(lambda: len(asked) == 2)

        expect(enough).to_be_visible()
        expect(page.get_by_role("button", name="Hint")).to_have_attribute("aria-disabled", "true")


SOCKETS = """window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(where) { super(where); sockets.push(this); }
  };"""


def losing(page):
    """Let `lose` close the page's socket."""
    page.add_init_script(SOCKETS)
    page.reload()
    answered(page)


def lose(page):
    """Close the page's socket, as a sleeping laptop does, and wait for a new one."""
    count = page.evaluate("(sockets.at(-1).close(), sockets.length)")
    wait_until(lambda: page.evaluate("sockets.length") > count)
    expect(page.locator(".away")).to_have_count(0)


def test_a_game_resumes_after_a_lost_socket(browser, empty, monkeypatch):
    """After reconnecting, the page asks the engine again."""
    asked = []

    def is_held(question):
        asked.append(question)
        return len([one for one in asked if len(one.game.nodes) == 2]) == 1

    answer_by(monkeypatch, playing, "turn", held_back(playing.turn, is_held))
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        losing(page)
        choose(page, "Play")
        page.get_by_label("Opponent").select_option("level:1")
        page.get_by_label("may swap").uncheck()
        page.get_by_role("button", name="New game").click()
        cell(page, "b2").click()
        wait_until(lambda: asked and len(asked[-1].game.nodes) == 2)
        lose(page)
        expect(page.locator(".panels .slot").first).to_contain_text("Blue plays")
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")


def test_a_review_resumes_after_a_lost_socket(browser, empty, monkeypatch):
    """After reconnecting, the review resumes on its line at the effort it had reached."""
    asked = []

    def is_held(question):
        asked.append((question.effort, len(question.game.nodes)))
        return len(asked) == 2

    answer_by(monkeypatch, records, "review", held_back(records.review, is_held))
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        losing(page)
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        wait_until(lambda: len(asked) == 2)
        page.keyboard.press("Home")
        tab(page, "Why")
        cell(page, "d4").click()
        expect(page.locator(".standing").first).to_contain_text("in a variation")
        lose(page)
        wait_until(lambda: ("deep", 4) in asked)
        assert asked[:3] == [("quick", 4), ("normal", 4), ("normal", 4)]
        expect(page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")


def test_undo_of_another_game_ends_its_review(browser, empty, monkeypatch):
    """The game that returns has its graph, and can be reviewed at once."""

    def review(_desk, job, _question):
        job.cancel.wait(HOLD)
        job.check()

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5", settings=UNREVIEWED | {"reviews": True}) as page:
        answered(page)
        page.evaluate(PASTE, "#5,b2c3d4")
        page.get_by_role("button", name="Replace it").click()
        expect(page.locator(".tabs").get_by_role("button", name="Stop")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(page.locator(".standing").first).to_contain_text("after 2 e5")
        expect(page.get_by_role("button", name="Review this game")).to_be_enabled()
        expect(page.locator("header .busy")).to_have_count(0)


def test_reconnecting_clears_the_server_error(browser):
    """Reconnecting removes the error that nothing can be played, and is announced."""
    first = served()
    bound = first.__enter__()
    with opened(browser, bound, may_log=True) as page:
        answered(page)
        first.__exit__(None, None, None)
        expect(page.locator(".away")).to_be_visible()
        cell(page, "e5").click()
        expect(page.locator(".line .problem")).to_contain_text("nothing can be played")
        with served(bound=replace(bind("127.0.0.1", bound.port), keys=bound.keys)):
            expect(page.locator(".away")).to_have_count(0)
            expect(page.locator(".line .problem")).to_have_count(0)
            expect(page.locator("#spoken")).to_have_text("The server is back.")


def test_the_compiling_notice_is_below_the_headline_on_a_phone(browser, empty, monkeypatch):
    """On a phone, the notice about compiling is below the headline, in place of the moves."""

    def moves(_desk, job, _question):
        job.tell({"compiling": "18 of 47"})
        job.cancel.wait(HOLD)
        job.check()

    answer_by(monkeypatch, position, "moves", moves)
    phone = {"viewport": {"width": 390, "height": 844}}
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **phone) as page:
        words = page.locator(".verdict").get_by_text("18 of 47 parts")
        expect(words).to_be_in_viewport(ratio=0.9)
        head = page.locator(".headline").bounding_box()
        assert words.bounding_box()["y"] >= head["y"] + head["height"]
        page.get_by_role("button", name="Pause the search").click()
        expect(words).to_have_count(0)


def test_words_of_compiling_are_gone_once_the_socket_is_back(browser, empty, monkeypatch):
    """A new question after reconnecting has its own notice, and its answer removes it."""
    whole, asked, compiles = position.analyze, [], Event()

    def analyze(desk, job, question):
        if compiles.is_set():
            asked.append(question)
            job.tell({"compiling": f"{len(asked)} of 47"})
            job.cancel.wait(HOLD)
            job.check()
        return whole(desk, job, question)

    answer_by(monkeypatch, position, "analyze", analyze)
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED) as page:
        losing(page)
        words = page.locator(".verdict")
        compiles.set()
        cell(page, "c3").click()
        expect(words).to_contain_text("1 of 47 parts")
        lose(page)
        expect(words).to_contain_text("2 of 47 parts")
        expect(words).not_to_contain_text("1 of 47")
        compiles.clear()
        lose(page)
        expect(page.locator(".headline")).to_contain_text("Blue wins")
        expect(words).not_to_contain_text("of 47 parts")
        assert len(asked) == 2


def test_on_a_phone_the_compiling_notice_is_not_cut_off(browser, empty, monkeypatch):
    """Neither the notice about compiling nor the button beside it is cut off."""

    def turn(_desk, job, _question):
        job.tell({"compiling": "18 of 47"})
        job.cancel.wait(HOLD)
        job.check()

    answer_by(monkeypatch, playing, "turn", turn)
    phone = {"viewport": {"width": 390, "height": 844}}
    with opened(browser, empty, "#4", **phone) as page:
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        cell(page, "b2").click()
        waiting = page.locator(".slot.waiting")
        expect(waiting).to_contain_text("18 of 47 parts")

        assert waiting.evaluate("part => part.scrollHeight <= part.clientHeight")
        expect(page.get_by_role("button", name="Enough")).to_be_in_viewport(ratio=1)


def test_a_hint_that_comes_late_appears_in_its_game_alone(browser, empty, monkeypatch):
    """It is not drawn in another place, but it is there when the game is shown again."""
    answer_by(monkeypatch, position, "hint", lambda *_: {"move": "b2", "said": "Hint: b2."})
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ready(page)
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        expect(page.locator("main.under-way")).to_be_visible()
        hint = page.get_by_role("button", name="Hint")
        late(page, hint.click, "Hint: b2.", lambda: choose(page, "Analyze"))
        expect(page.locator(".picture .ghost")).to_have_count(0)
        choose(page, "Play")
        expect(page.locator(".picture .ghost")).to_have_count(1)


@pytest.mark.parametrize("place", ["Solve", "Bids"])
def test_an_answer_that_comes_late_about_another_position_is_not_spoken(browser, empty, place):
    """It is stored where it was asked: the voice is about the position on the board."""
    ask = {"Solve": "Solve this position", "Bids": "Count the chances here"}[place]
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        ready(page)
        choose(page, place)
        spoken = page.locator("#spoken")
        expected = "^Blue c3[.]" if place == "Solve" else "^$"  # in Bids no move is judged

        def move_on():
            cell(page, "c3").click()
            expect(page.locator(".standing").first).to_contain_text("after 2 c3")

        answer = {"Solve": '"winning_moves"', "Bids": '"win_probability"'}[place]
        late(page, page.get_by_role("button", name=ask).click, answer, move_on)
        expect(page.locator(".working")).to_have_count(0)
        page.wait_for_timeout(400)  # longer than a sentence waits
        expect(spoken).to_have_text(re.compile(expected))
        page.get_by_role("button", name="Previous").click()
        expect(page.locator(".panels").get_by_text(re.compile("wins|win\\.")).first).to_be_visible()


def test_the_answer_to_a_puzzle_that_comes_late_is_drawn_in_no_other_place(browser, empty):
    """The refutation of a move is drawn in the puzzle alone."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ready(page)
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved puzzles").click()
        page.get_by_title("5x5-grade1-01").click()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "5")
        late(page, cell(page, "a1").click, "a1 loses", lambda: choose(page, "Analyze"))
        page.get_by_label("Move or question").focus()
        expect(page.locator(".picture .ghost, .picture .tint")).to_have_count(0)
