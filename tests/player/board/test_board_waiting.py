"""What the page does before its socket opens, while it waits, and after a refusal."""

import re
from contextlib import contextmanager
from dataclasses import replace
from threading import Event

import pytest
from browser import UNREVIEWED, answered, cell, choose, go_to, opened, tab
from clock import HOLD
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_ends import played, two_people
from test_board_keeping import PASTE
from test_board_late import HOLDING, SOCKETS, late, lose, losing, ready

from player.board.asked import KINDS, dark, playing, position, records, solving

# Until `open_now`, the page has no connection.
CLOSED = """window.opening = new Promise((done) => {
    window.open_now = () => { window.isOpen = true; done(); };
  });
  window.WebSocket = class extends WebSocket {
    get readyState() { return window.isOpen ? super.readyState : 0; }
    set onopen(hear) { super.onopen = () => opening.then(hear); }
  };"""


@pytest.mark.parametrize("place", ["Analyze", "Puzzles", "Dark"])
def test_a_question_before_the_socket_opens_waits_for_it(browser, empty, place):
    """On a slow network the page is there before its connection."""
    acts = {"Analyze": "An example", "Puzzles": "74 proved puzzles", "Dark": "New game"}
    shown = {"Analyze": "70 moves", "Puzzles": "of 74 solved", "Dark": "Red's view"}
    with opened(browser, empty, settings=UNREVIEWED) as page:
        page.add_init_script(CLOSED)
        page.reload()
        choose(page, place)
        page.get_by_role("button", name=acts[place]).click()
        page.evaluate("open_now()")
        if place == "Analyze":
            expect(page.locator(".move")).to_have_count(70)
        else:
            expect(page.locator(".panels")).to_contain_text(shown[place])


def unproved(found):
    """Return an answer about a position in which nobody is proved to win."""
    known = found["analysis"] | {"winner": None, "proof": None}
    return found | {"analysis": known, "proved": None, "connection": None, "candidates": []}


def test_a_position_that_a_review_has_just_proved_is_analyzed_again(browser, empty, monkeypatch):
    """A longer review drops the answer about the position shown, and may take minutes more."""
    analyze, whole = position.analyze, records.review
    is_proved, may_prove, is_seen = Event(), Event(), Event()

    def found(desk, job, question):
        answer = analyze(desk, job, question)
        return answer if is_proved.is_set() else unproved(answer)

    def review(desk, job, question):
        if question.effort == "normal":
            may_prove.wait(HOLD)
            is_proved.set()
            job.tell({"ply": 1, "winner": "white", "proof": "solver", "chance": 0.0})
            is_seen.wait(HOLD)
        answer = whole(desk, replace(job, tell=lambda _progress: None), question)
        answer["game"] |= {"proved_winner": None, "turning_point": None, "last_mistake": None}
        for move in answer["moves"]:
            for side in ("before", "after"):
                move[side] |= {"proved_winner": None, "proof": None}
        return answer

    answer_by(monkeypatch, position, "analyze", found)
    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(page.get_by_role("tabpanel")).to_contain_text("Effort quick")
        go_to(page, 1)
        may_prove.set()
        try:
            expect(page.locator(".verdict .headline")).to_contain_text("Blue wins")
        finally:
            is_seen.set()


def test_a_reload_asks_about_a_finished_game(browser, empty):
    """The page shows the answer about its end, which it may judge."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "b1", "a1", "b2", "a2", "b3")
        expect(page.locator(".panels .headline")).to_contain_text("Red has won")
        page.reload()
        expect(page.locator(".panels .headline")).to_contain_text("Red has won")


def refusing(monkeypatch, module, kind, *, first=1):
    """Refuse the first questions of a kind."""
    whole, asked = getattr(module, kind), []

    def answer(desk, job, question):
        asked.append(question)
        if len(asked) <= first:
            raise ValueError("busy: 50 questions wait; try again in 3 s")
        return whole(desk, job, question)

    answer_by(monkeypatch, module, kind, answer)


def test_a_refused_analysis_can_be_asked_for_again(browser, empty, monkeypatch):
    """The page does not claim to look for an answer that nobody gives."""
    refusing(monkeypatch, position, "analyze")
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        expect(page.locator(".problem")).to_contain_text("busy: 50 questions wait")
        expect(page.locator(".verdict .headline")).to_have_text("No answer yet")
        page.get_by_role("button", name="Ask again").click()
        expect(page.locator(".verdict .headline")).to_contain_text("Blue wins")


def test_an_engine_that_was_refused_can_be_asked_again(browser, empty, monkeypatch):
    """Otherwise nobody could move in that game."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("Opponent").select_option("level:1")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        refusing(monkeypatch, playing, "turn")
        cell(page, "b2").click()
        expect(page.locator(".problem")).to_contain_text("busy: 50 questions wait")
        page.get_by_role("button", name="Let the engine move").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        expect(page.locator(".panels .slot").first).to_contain_text("Blue")
        expect(page.get_by_role("button", name="Let the engine move")).to_have_count(0)


def test_two_questions_of_a_proof_are_taken_back_before_an_answer(browser, empty):
    """The second press takes back one question more, and does not leave the walk."""
    with opened(browser, empty, "#3,b2", settings=UNREVIEWED) as page:
        ready(page)
        answered(page)
        page.get_by_label("Ask").check()
        for name in ("b1", "a3", "a1"):
            cell(page, name).click()
            expect(page.locator(".reply-line")).to_contain_text(f"Blue {name}")
        back = page.get_by_role("button", name="Take back the question")
        late(page, back.click, '"steps"', back.click)
        expect(page.get_by_role("tabpanel")).to_contain_text("1 cell asked about.")
        expect(page.locator(".reply-line")).to_contain_text("Blue b1")


def test_a_click_waits_for_the_move_before_it(browser, empty, monkeypatch):
    """What is clicked while the server receives a move is played after it, and is not lost."""
    held, whole = Event(), KINDS["states"].load()[1]
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        two_people(page, 5)
        answer_by(monkeypatch, records, "states", lambda *asked: held.wait() and whole(*asked))
        for name in ("c3", "b2", "d4"):
            cell(page, name).click()
        held.set()
        expect(page.locator(".panels .move")).to_have_count(4)
        expect(page.locator(".panels .move").last).to_have_text("3 d4")


@pytest.mark.parametrize(
    ("place", "button", "said"),
    [
        ("Solve", "Solve this position", "Every move loses."),
        ("Bids", "Count the chances here", "1 b3"),
    ],
)
def test_a_question_waits_for_the_move_before_it(browser, empty, monkeypatch, place, button, said):
    """A button pressed while the server receives a move asks about the position after it."""
    held, whole = Event(), KINDS["states"].load()[1]
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, place)
        answer_by(monkeypatch, records, "states", lambda *asked: held.wait() and whole(*asked))
        cell(page, "b3").click()
        page.get_by_role("button", name=button).click()
        held.set()
        expect(page.get_by_text(said)).to_be_visible()
        if place == "Bids":
            expect(page.locator(".chances")).to_be_visible()


def try_a_puzzle(page):
    """Try a move in a puzzle, whose answer is held back."""
    choose(page, "Puzzles")
    page.get_by_role("button", name="74 proved puzzles").click()
    page.get_by_title("5x5-grade1-01").click()
    cell(page, "a1").click()
    expect(page.locator(".working")).to_be_visible()


def test_an_act_while_the_server_is_at_work_has_an_answer(browser, empty, monkeypatch):
    """A second try in a puzzle is refused in a sentence; that of another puzzle is not."""
    held, whole = Event(), solving.puzzle

    def puzzle(desk, job, question):
        while not held.wait(0.02):
            job.check()
        return whole(desk, job, question)

    answer_by(monkeypatch, solving, "puzzle", puzzle)
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        try_a_puzzle(page)
        cell(page, "e5").click()
        expect(page.locator(".problem")).to_have_text("the server is at work: wait for its answer")
        page.get_by_role("button", name="Next puzzle").click()
        expect(page.locator(".working")).to_have_count(0)
        page.get_by_role("button", name="Other puzzles").click()
        held.set()


def test_a_puzzle_that_was_left_is_not_solved(browser, empty, monkeypatch):
    """The answer to its last move comes when all puzzles are shown."""
    held = Event()

    def puzzle(_desk, job, _question):
        while not held.wait(0.02):
            job.check()
        return {"wins": True, "solved": True, "wrong": 0, "reply": None, "carrier": [], "said": ""}

    answer_by(monkeypatch, solving, "puzzle", puzzle)
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        try_a_puzzle(page)
        page.get_by_role("button", name="Other puzzles").click()
        held.set()
        expect(page.locator("header .busy")).to_have_count(0)
        expect(cell(page, "a1")).not_to_have_attribute("aria-label", re.compile("stone"))


def test_no_word_swaps_in_a_game_without_the_swap_rule(browser, empty):
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "a1")
        box = page.get_by_label("Move or question")
        box.fill("swap")
        box.press("Enter")
        expect(page.locator(".problem")).to_have_text("this game is played without swap")
        expect(page.locator(".move")).to_have_count(2)


def test_a_swap_has_one_name_on_the_page(browser, empty):
    """In the graph it is named as in the list of moves."""
    with opened(browser, empty, "#5,b4:s", settings=UNREVIEWED) as page:
        answered(page)
        slider = page.get_by_role("slider", name="Move")
        expect(slider).to_have_attribute("aria-valuetext", re.compile("^move 2, Blue swap[:,]"))


def test_a_long_comment_does_not_prevent_an_analysis(browser, empty):
    """The question about the end of a record has its comments."""
    text = f"(;FF[4]GM[11]SZ[5]C[{'long ' * 20_000}];B[c3];W[b2]C[end])"
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        page.evaluate(PASTE, text)
        expect(page.locator(".move")).to_have_count(3)
        for name in ("Home", "End"):
            page.keyboard.press(name)
            answered(page)
            expect(page.locator(".problem")).to_have_count(0)
            expect(page.locator(".verdict .headline")).to_contain_text("Red")


def test_a_finished_game_has_no_hint(browser, empty):
    """Also after a resignation, where moves could follow on the board."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "a1")
        box = page.get_by_label("Move or question")
        for word in ("resign", "hint"):
            box.fill(word)
            box.press("Enter")
            expect(page.locator(".panels .standing")).to_have_text("Red has won.")
        expect(page.locator(".problem")).to_have_text("the game is over")
        expect(page.locator(".panels .slot").first).to_have_text("Blue resigned.")


def test_a_forfeit_is_spoken_once(browser, empty):
    """Like a resignation, it has a sentence of its own."""
    with opened(browser, empty, "#5,c3:fw", settings=UNREVIEWED) as page:
        answered(page)
        page.keyboard.press("Home")
        page.keyboard.press("End")
        expect(page.locator("#spoken")).to_have_text("Blue forfeited.")


def test_a_list_of_connections_has_no_former_names(browser, empty):
    with opened(browser, empty, "#3,b2", settings=UNREVIEWED) as page:
        answered(page)
        page.get_by_role("radio", name="Connections").check()
        page.get_by_label("Ask").check()
        panel = page.get_by_role("tabpanel")
        for name in ("b2", "b1"):
            cell(page, name).click()
        expect(panel).to_contain_text("Red")
        choose(page, "View")
        page.get_by_label("Players").select_option("black")
        choose(page, "Analyze")
        expect(panel).to_contain_text("click two to list what joins them")
        expect(panel).not_to_contain_text(re.compile("Red|Blue"))


ONCE = """window.word = sessionStorage.isSecond ? null : '"complete"';
  if (location.protocol === "http:") sessionStorage.isSecond = 1;"""


def test_a_seat_is_kept_if_the_socket_is_lost_during_a_reload(browser, empty):
    """Only the server can end a game of hidden stones; its keys are in this tab alone."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, "Dark")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels")).to_contain_text("Red's view")
        page.add_init_script(f"{HOLDING} {SOCKETS} {ONCE}")
        page.reload()
        page.evaluate("arrived()")
        lose(page)
        expect(page.locator("main.analyze")).to_be_visible()
        page.reload()
        expect(page.locator(".panels")).to_contain_text("Red's view")


def test_undo_at_the_start_of_a_game_has_an_answer(browser, empty):
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        box = page.get_by_label("Move or question")
        box.fill("undo")
        box.press("Enter")
        expect(page.locator(".notice")).to_have_text("Nothing to undo.")
        expect(page.locator("main.under-way")).to_be_visible()


def test_a_question_that_waits_for_another_one_is_asked_again(browser, empty, monkeypatch):
    """If the socket is lost, the page asks about the position again, and "Looking ..." ends."""
    whole, asked = KINDS["analyze"].load()[1], []

    def analyze(desk, job, question):
        asked.append(len(question.position.white + question.position.black))
        if asked[-1] == 2:
            job.cancel.wait(HOLD)
            is_lost.wait(HOLD)
        return whole(desk, job, question)

    is_lost = Event()
    answer_by(monkeypatch, position, "analyze", analyze)
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED) as page:
        losing(page)
        try:
            for move in ("e1", "e2"):
                cell(page, move).click()
                expect(page.locator(".standing").first).to_contain_text(move)
            expect(page.locator(".headline")).to_have_text("Looking ...")
            lose(page)
        finally:
            is_lost.set()
        answered(page)
        assert asked[-1] == 3


@contextmanager
def exercise(browser, empty, monkeypatch, analyze, hold):
    """Open the exercise of a review, in which e1 loses by a search; `hold` is called with it."""

    def moves(_desk, _job, question):
        if "e1" in question.position.white:
            hold(question)
        return {"candidates": [], "estimate": None, "winner": "black", "simulations": 9, "said": []}

    answer_by(monkeypatch, position, "analyze", analyze)
    answer_by(monkeypatch, position, "moves", moves)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        page.get_by_role("button", name="Try it yourself").last.click()
        yield page


def test_a_comment_typed_while_a_move_is_judged_stays(browser, empty, monkeypatch):
    """A losing move is taken back, and nothing that was typed after it."""
    whole, is_typed = KINDS["analyze"].load()[1], Event()

    def analyze(desk, job, question):
        found = whole(desk, job, question)
        return found if is_typed.is_set() else unproved(found)

    def hold(_question):
        is_typed.wait(HOLD)

    with exercise(browser, empty, monkeypatch, analyze, hold) as page:
        cell(page, "e1").click()
        expect(page.locator(".notice")).to_have_text("Looking for what refutes e1 ...")
        tab(page, "Note")
        page.get_by_label("Comment").fill("weak")
        is_typed.set()
        expect(page.locator(".notice")).to_contain_text("e1 loses")
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 a1.")
        expect(page.locator(".comment-text")).to_have_text("weak")


def test_a_guess_does_not_take_back_an_attempt(browser, empty, monkeypatch):
    """While the engine thinks, a guess waits: it would cancel the attempt."""
    whole, go = dark.attempt, Event()

    def attempt(desk, job, question):
        go.wait(HOLD)
        return whole(desk, job, question)

    answer_by(monkeypatch, dark, "attempt", attempt)
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, "Dark")
        page.get_by_role("button", name="New game").click()
        cell(page, "b2").click()
        expect(page.locator("progress")).to_be_visible()
        try:
            page.get_by_role("button", name="What may be hidden").click()
            expect(page.locator(".problem")).to_have_text(
                "the server is at work: wait for its answer"
            )
        finally:
            go.set()
        expect(page.locator(".panels")).to_contain_text("So far: b2")


def test_a_late_answer_to_an_attempt_does_not_show_a_hidden_board(browser, empty):
    """One person has attempted a cell and passes the screen before the answer is there."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ready(page)
        choose(page, "Dark")
        page.get_by_label("The other player is").select_option("")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="I am Red").click()
        hide = page.get_by_role("button", name="Hide the board")
        late(page, cell(page, "b2").click, "So far", hide.click)
        expect(page.get_by_role("button", name="I am Blue")).to_be_visible()
        expect(page.locator(".picture .stone")).to_have_count(0)
        page.get_by_role("button", name="I am Red").click()
        expect(page.locator(".panels")).to_contain_text("So far: b2.")
