"""Reviews on the page: the turning point, progress, and the moves that would have held."""

import re
from dataclasses import replace
from threading import Event

import pytest
from browser import GAME, UNREVIEWED, answered, cell, choose, opened, served, tab
from clock import HOLD, wait_until
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_page import QUEENBEE_HEXY
from test_board_scene import QUICK, pasted
from test_board_waiting import exercise, unproved

from hsearch import formats
from hsearch.hex.board import Color
from player.answers.memory import MEMORY
from player.board.asked import KINDS, position, records

pytestmark = pytest.mark.firefox  # if it is installed


@pytest.mark.slow
def test_the_turning_point_is_shown_during_the_review(browser, monkeypatch):
    """The turn, the best try and the dot appear early, and only the review judges the moves."""
    whole, asked = KINDS["review"].load()[1], []

    def review(desk, job, question):
        asked.append("review")
        told = []

        def tell(progress):
            # Progress after the turn is held back, except the number of positions left.
            if not told or "positions" in progress.get("text", ""):
                job.tell(progress)
            if progress.get("from", 99) < 37:
                told.append(progress)

        whole(desk, replace(job, tell=tell), question)
        job.cancel.wait()
        job.check()

    def moves(*_asked):
        """Return a best try, as a search of a second does that gets a core for itself."""
        best = {"move": "b4", "said": "54 %", "chance": 0.54, "line": ["b4"], "winner": None}
        return {"candidates": [best], "estimate": None, "winner": None}

    answer_by(monkeypatch, records, "review", review)
    answer_by(monkeypatch, position, "moves", moves)
    answer_by(monkeypatch, position, "graph", lambda *_: asked.append("graph"))
    with served() as bound, opened(browser, bound, settings=QUICK) as page:
        pasted(page, formats.find_shipped("games/london-2000-hexy-queenbee.sgf").read_text())
        words = "Blue wins from move 37. 37 k8 was the mistake; the best try was b4."
        expect(page.locator(".verdict .turn")).to_have_text(words, timeout=GAME)
        expect(page.locator(".chart .mistake")).to_have_count(1)
        expect(page.locator(".panels, .tabs").get_by_text("positions left")).to_be_visible()
        for whole_of in (".tabs p > b", ".verdict summary"):
            expect(page.locator(whole_of)).to_be_in_viewport(ratio=1)
        expect(page.locator(".candidates .row")).to_have_count(0)  # after the end of the record
        expect(page.locator(".reply-line")).to_have_text("\u00a0")  # a1 was never asked about
        expect(page.locator(".moves-head p")).to_contain_text("Blue has won")

    assert asked == ["review"]


@pytest.mark.slow
def test_a_search_without_a_best_try_is_repeated(browser, monkeypatch):
    """On a slow machine a search may end before its first move; the review asks again."""
    best = {"move": "b4", "said": "54 %", "chance": 0.54, "line": ["b4"], "winner": None}
    found = iter([[]])

    def moves(*_asked):
        return {"candidates": next(found, [best]), "estimate": None, "winner": None}

    answer_by(monkeypatch, position, "moves", moves)
    with served() as bound, opened(browser, bound, settings=QUICK) as page:
        pasted(page, formats.find_shipped("games/london-2000-hexy-queenbee.sgf").read_text())
        words = "Blue wins from move 37. 37 k8 was the mistake; the best try was b4."
        expect(page.locator(".verdict .turn")).to_have_text(words, timeout=GAME)


@pytest.mark.slow
def test_the_turning_point_is_corrected_once_the_best_try_is_proved_lost(browser, monkeypatch):
    """Once every alternative to 24 d7 is proved to lose, the page names an earlier mistake.

    The page does not wait for the running review, which is outdated when it ends.
    """
    whole_moves, whole_review = (KINDS[kind].load()[1] for kind in ("moves", "review"))
    shown, is_seen, is_corrected, is_asked_again, in_time = [], Event(), Event(), Event(), []

    def moves(desk, job, question):
        position = question.position.position()
        if shown or (position.black | position.white).count() != 23:
            return whole_moves(desk, job, question)
        is_seen.wait(HOLD)
        shown.append(position)
        MEMORY.keep_win(position, Color.BLACK, None)
        return {"candidates": [], "estimate": None, "winner": "black", "simulations": 9, "said": []}

    def review(desk, job, question):
        if shown:
            is_asked_again.set()
            is_corrected.wait(HOLD)
            return whole_review(desk, job, question)
        found = whole_review(desk, job, question)
        in_time.append(is_asked_again.wait(HOLD))
        return found

    answer_by(monkeypatch, position, "moves", moves)
    answer_by(monkeypatch, records, "review", review)
    MEMORY.forget()
    with served() as bound, opened(browser, bound, settings=QUICK) as page:
        pasted(page, QUEENBEE_HEXY.read_text())
        turn, dots = page.locator(".verdict .turn"), page.locator(".chart .mistake")
        words = re.compile("^Red wins from move 24. 24 d7 was the mistake")
        expect(turn).to_have_text(words, timeout=GAME)
        is_seen.set()
        expect(turn).to_have_text("Red wins from move 23 or before.")
        expect(dots).to_have_count(0)
        is_corrected.set()
        words = re.compile("^Red wins from move 22. 22 d8 was the mistake")
        expect(turn).to_have_text(words, timeout=GAME)
        expect(page.get_by_role("button", name="Mistake: 22 d8")).to_be_visible()
        expect(dots).to_have_count(1)
    assert in_time in ([True], [])  # it may still be running


@pytest.mark.slow
def test_a_longer_review_corrects_the_turning_point(browser, monkeypatch):
    """No move is shown as holding in a position that a longer review proves lost."""
    whole, asked, is_seen = KINDS["review"].load()[1], [], Event()

    def review(desk, job, question):
        asked.append(question.effort)
        if question.effort == "normal":
            job.tell({"ply": 2, "winner": "white", "proof": "solver", "chance": 0.0})
            is_seen.wait(HOLD)
        found = whole(desk, replace(job, tell=lambda _progress: None), question)
        if asked == ["quick"]:  # pretend that quick knows less than it does on this board
            found["game"] |= {"turning_point": 3, "last_mistake": 3}
            found["moves"][2] |= {"better": ["b2"]}
        return found

    answer_by(monkeypatch, records, "review", review)
    settings = QUICK | {"deepens": True, "searches": False}
    with served() as bound, opened(browser, bound, settings=settings) as page:
        pasted(page, "#5,a1c3e1d4")
        turn = page.locator(".verdict .turn")
        try:
            expect(turn).to_have_text("Blue wins from move 1. 1 a1 was the mistake; c3 held.")
        finally:
            is_seen.set()
    assert asked[:3] == ["quick", "normal", "quick"]


@pytest.mark.slow
def test_a_losing_try_is_taken_back_and_refuted(browser, empty):
    """A move that loses is taken back, and its refutation appears as ghost stones."""
    with opened(browser, empty, settings=QUICK) as page:
        pasted(page, QUEENBEE_HEXY.read_text())
        expect(page.locator(".verdict .turn")).to_be_visible(timeout=GAME)
        tab(page, "Review")
        mistake = page.locator(".card").last
        expect(page.locator(".tabs").get_by_text("solver").filter(visible=True)).to_have_count(0)
        number = int(mistake.locator("b").inner_text().split()[0])
        mistake.get_by_text("Try it yourself").click()
        standing = page.locator(".standing").first
        expect(standing).to_have_text(re.compile(f"^Blue to move, after {number - 1} "))
        cell(page, "a1").click()
        expect(page.locator(".notice")).to_contain_text("a1 loses")
        expect(page.locator(".ghost")).not_to_have_count(0)
        expect(standing).to_have_text(re.compile(f"^Blue to move, after {number - 1} "))


def test_the_better_move_is_hidden_until_it_is_requested(browser, empty):
    """The better move is hidden until a button of the verdict or the card shows it."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        card, verdict = page.locator(".card").last, page.locator(".verdict")
        expect(card).to_contain_text("held.")
        for shown in (verdict.get_by_text("Show the answer"), card.get_by_text("Show").first):
            card.get_by_text("Try it yourself").click()
            expect(verdict).to_contain_text("Find something better than")
            expect(verdict.locator(".candidates, .proved")).to_have_count(0)
            expect(card).to_contain_text("The move is yours to find.")
            expect(page.get_by_role("tabpanel").locator("p b, details")).to_have_count(0)
            page.keyboard.press("1")
            expect(page.locator(".picture :is(.better, .key, .best)")).to_have_count(0)
            shown.click()
            expect(verdict.locator(".proved")).to_be_visible()
            expect(page.locator(".picture .key")).to_have_count(1)
            expect(card).to_contain_text("held.")


def test_a_typed_move_is_an_attempt_in_the_exercise(browser, empty):
    """A losing move that is typed is taken back and refuted, like one that is clicked."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        page.locator(".card").last.get_by_text("Try it yourself").click()
        expect(page.locator(".verdict")).to_contain_text("Find something better than")
        standing = page.locator(".standing").first
        before = standing.inner_text()
        box = page.get_by_label("Move or question")
        box.fill("a5")
        box.press("Enter")
        expect(page.locator(".notice")).to_contain_text("a5 loses")
        expect(box).to_have_value("")
        expect(standing).to_have_text(before)
        expect(page.locator(".verdict")).to_contain_text("Find something better than")
        box.fill("z9")
        box.press("Enter")
        expect(page.locator(".problem")).to_contain_text("z9: type a cell of this board")
        expect(box).to_have_value("z9")


def test_the_review_progress_bar_never_decreases(browser, empty, monkeypatch):
    monkeypatch.setattr(records.Pace, "is_due", lambda _pace: True)
    watching = """() => { window.shares = [];
      new MutationObserver(() => { const bar = document.querySelector(".working progress");
        if (bar) shares.push(bar.position); }).observe(document.body, { childList: true,
        subtree: true, attributes: true, characterData: true }); }"""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        answered(page)
        page.evaluate(watching)
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(page.locator(".card")).to_have_count(2)
        expect(page.locator(".working")).to_have_count(0)
        shares = page.evaluate("shares")
        assert shares == sorted(shares)
        assert shares[0] >= 0


def test_a_reload_keeps_the_review(browser, empty, monkeypatch):
    """Marks, turning point and unanswered cards survive a reload, also in a variation."""
    whole, is_over = KINDS["review"].load()[1], Event()

    def review(desk, job, question):
        if is_over.is_set():
            job.cancel.wait()
            job.check()
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        turn = page.locator(".verdict .turn")
        marked = page.locator(".tree-of-moves .move", has_text="??")
        expect(page.locator(".card")).to_have_count(2)
        expect(page.locator(".working")).to_have_count(0)
        expect(marked).to_have_count(2)
        words, before = turn.inner_text(), marked.all_inner_texts()
        is_over.set()
        page.reload()
        expect(marked).to_have_text(before)
        expect(turn).to_have_text(words)
        tab(page, "Review")
        expect(page.locator(".card")).to_have_count(2)
        page.keyboard.press("ArrowLeft")
        cell(page, "d3").click()
        expect(page.locator(".standing").first).to_contain_text("in a variation")
        page.reload()
        expect(page.locator(".standing").first).to_contain_text("in a variation")
        expect(marked).to_have_text(before)


def test_a_move_that_is_tried_is_searched_before_it_is_judged(browser, empty, monkeypatch):
    """A move that no connection refutes is searched, which may prove that it loses.

    Meanwhile the better move stays hidden, and no other move is played.
    """
    whole, searched, is_seen = KINDS["analyze"].load()[1], [], Event()

    def analyze(desk, job, question):
        found = whole(desk, job, question)
        return found if "e1" not in question.position.white or searched else unproved(found)

    def hold(question):
        searched.append(question)
        is_seen.wait(HOLD)

    with exercise(browser, empty, monkeypatch, analyze, hold) as page:
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 a1.")
        cell(page, "e1").click()
        try:
            expect(page.locator(".notice")).to_have_text("Looking for what refutes e1 ...")
            expect(page.locator(".card").last).to_contain_text("The move is yours to find.")
            expect(page.get_by_role("tabpanel").locator("p b, details")).to_have_count(0)
            cell(page, "b5").click()
            expect(page.locator(".problem")).to_have_text("e1 is being judged")
        finally:
            is_seen.set()
        expect(page.locator(".notice")).to_contain_text("e1 loses")
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 a1.")
        assert len(searched) == 1


@pytest.mark.parametrize("tries", [False, True])
def test_a_mistake_is_dropped_once_its_position_is_proved_lost(
    browser, empty, monkeypatch, *, tries
):
    """In a position that is proved lost, no better move is shown or asked for."""
    whole, asked, is_shown, is_seen = KINDS["review"].load()[1], [], Event(), Event()

    def review(desk, job, question):
        asked.append(question.effort)
        if question.effort == "normal":
            is_shown.wait(HOLD)
            job.tell({"ply": 2, "winner": "white", "proof": "solver", "chance": 0.0})
            is_seen.wait(HOLD)
        if len(asked) > 2:
            is_seen.wait(HOLD)
        found = whole(desk, replace(job, tell=lambda _progress: None), question)
        if not is_shown.is_set():
            found["game"] |= {"turning_point": 3, "last_mistake": 3}
            found["moves"][2] |= {"better": ["b2"], "mistake": True}
        return found

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1c3e1d4", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        card, notice = page.locator(".card", has_text="3 e1"), page.locator(".line .notice")
        if tries:
            card.get_by_text("Try it yourself").click()
            expect(notice).to_contain_text("try something better than e1")
        else:
            card.get_by_text("Show").click()
            expect(page.locator(".picture .better")).to_have_count(1)
        is_shown.set()
        try:
            expect(notice).to_have_text(
                "Every move of Red is proved to lose here: e1 was no mistake."
            )
            expect(page.locator(".picture .better, .picture .played")).to_have_count(0)
        finally:
            is_seen.set()
        expect(page.locator(".verdict .turn")).to_contain_text("1 a1 was the mistake")
        expect(card).to_have_count(0)
        cell(page, "b2").click()
        expect(page.locator(".standing").first).to_contain_text("after 3 b2")
        page.wait_for_load_state()
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("stone"))


def test_a_missed_swap_stays_the_mistake(browser, empty, monkeypatch):
    """A proof for play without swap, of the position before it, changes nothing."""
    whole, asked = KINDS["review"].load()[1], []

    def review(desk, job, question):
        asked.append(question.effort)
        if question.effort == "normal":
            job.tell({"ply": 1, "winner": "black", "proof": "solver", "chance": 0.0})
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, settings=UNREVIEWED) as page:
        pasted(page, "(;FF[4]GM[11]SZ[5]RU[swap];B[c3];W[a1];B[c2];W[b1];B[c4])")
        tab(page, "Review")
        begin = page.get_by_role("button", name="Review this game")
        begin.click()
        wait_until(lambda: len(asked) > 2)
        expect(begin).to_be_enabled()
        words = "Red wins from move 2. 2 a1 was the mistake; swap held."
        expect(page.locator(".verdict .turn")).to_have_text(words)


def test_changing_the_color_names_clears_the_marks_of_a_mistake(browser, empty, monkeypatch):
    """Other color names clear the marks of a shown mistake until a review in progress is back."""
    whole, asked = KINDS["review"].load()[1], []

    def review(desk, job, question):
        asked.append(question)
        if len(asked) == 1:
            job.tell({"so_far": whole(desk, job, question), "from": 0})
        job.cancel.wait()
        job.check()

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        page.locator(".card").first.get_by_text("Show").click()
        expect(page.locator(".picture .played")).to_have_count(1)
        choose(page, "View")
        page.get_by_role("combobox").last.select_option(index=1)
        expect(page.get_by_role("grid")).to_have_attribute("aria-label", re.compile("Black joins"))
        expect(page.locator(".picture .played")).to_have_count(0)


def test_a_finished_review_follows_new_color_names(browser, empty, monkeypatch):
    """Its sentences are renamed, its marks stay, and the server is not asked again."""
    whole, asked = KINDS["review"].load()[1], []

    def review(desk, job, question):
        asked.append(question.effort)
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        begin = page.get_by_role("button", name="Review this game")
        begin.click()
        turn, marked = page.locator(".verdict .turn"), page.locator(".tree-of-moves .move")
        marked = marked.filter(has_text="??")
        wait_until(lambda: len(asked) > 2)
        expect(begin).to_be_enabled()
        expect(marked).to_have_count(2)
        words = turn.inner_text()
        assert "Red wins from move" in words
        page.locator(".card").first.get_by_text("Show").click()
        choose(page, "View")
        page.get_by_role("combobox").last.select_option(index=1)
        expect(page.get_by_role("grid")).to_have_attribute("aria-label", re.compile("Black joins"))
        choose(page, "Analyze")
        expect(turn).to_have_text(words.replace("Red", "Black"))
        expect(marked).to_have_count(2)
        expect(page.locator(".picture .played")).to_have_count(1)
        tab(page, "Review")
        expect(page.locator(".card")).to_have_count(2)
        details = page.locator(".tabs details")
        details.locator("summary").click()
        expect(details).to_contain_text("Black")
        expect(details).not_to_contain_text(re.compile("Red|Blue"))
        choose(page, "View")
        page.get_by_role("combobox").last.select_option(index=0)
        expect(page.get_by_role("grid")).to_have_attribute("aria-label", re.compile("Red joins"))
        choose(page, "Analyze")
        expect(turn).to_have_text(words)
        expect(marked).to_have_count(2)
    assert asked == ["quick", "normal", "deep"]  # and none again, for what it has found already


def test_stored_sentences_follow_new_color_names(browser, empty):
    """A game's sentences follow new color names, although the old ones were stored."""
    with opened(browser, empty, "#3,b2", settings=UNREVIEWED) as page:
        expect(page.locator(".verdict")).to_contain_text("b2 keeps Red's proof.")
        page.evaluate("location.hash = '#4,b3'")
        expect(page.get_by_role("gridcell")).to_have_count(16)
        choose(page, "View")
        page.get_by_role("combobox").last.select_option(index=1)
        choose(page, "Analyze")
        expect(page.locator(".verdict")).to_contain_text("Black")
        page.go_back()
        expect(page.get_by_role("gridcell")).to_have_count(9)
        expect(page.locator(".verdict")).to_contain_text("b2 keeps Black's proof.")


def test_earlier_messages_follow_new_color_names(browser, empty):
    """New color names apply to earlier messages of a game, also after its end."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        cell(page, "c3").click()
        box = page.get_by_label("Move or question")
        box.fill("resign")
        box.press("Enter")
        slot = page.locator(".panels .slot").first
        expect(slot).to_have_text("Blue resigned.")
        for chosen, name in ((1, "White"), (0, "Blue")):
            choose(page, "View")
            page.get_by_role("combobox").last.select_option(index=chosen)
            choose(page, "Play")
            expect(slot).to_have_text(f"{name} resigned.")


def test_new_color_names_restart_the_review(browser, empty, monkeypatch):
    """New color names restart the review, and late results in the old names are dropped."""
    whole, asked, is_renamed = KINDS["review"].load()[1], [], Event()

    def review(desk, job, question):
        asked.append(question.effort)
        if len(asked) == 2:
            is_renamed.wait(HOLD)
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED | {"deepens": True}) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        wait_until(lambda: len(asked) == 2)
        choose(page, "View")
        page.get_by_role("combobox").last.select_option(index=1)
        is_renamed.set()
        wait_until(lambda: len(asked) > 2)
    assert asked[:3] == ["quick", "normal", "quick"]


def test_without_a_proof_the_largest_falls_of_the_estimate_are_listed(browser, empty, monkeypatch):
    """The five largest falls are listed in order, as links and not as mistakes."""
    whole, falls = KINDS["review"].load()[1], {2: 0.3, 3: 0.12, 4: 0.5, 5: 0.2, 6: 0.15, 7: 0.4}

    def review(desk, job, question):
        found = whole(desk, replace(job, tell=lambda _progress: None), question)
        lost = {"proved_winner": None, "turning_point": None, "last_mistake": None}
        for move in found["moves"]:
            fell = falls.get(move["number"], 0.0)
            verdict = "estimate fell" if fell else "open"
            move |= {"verdict": verdict, "fell": fell, "mistake": False, "better": []}
        return found | {"game": found["game"] | lost}

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#11,a10k2b9g4e6d8h4", settings=UNREVIEWED) as page:
        panel = page.get_by_role("tabpanel")
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        expect(panel).to_contain_text("No mistake is proved.")
        rows = panel.locator(".rows .row")
        expect(rows).to_have_text(
            [
                re.compile(f"^{number} {move}: {who}'s by\\s+{points} points$")
                for number, move, who, points in (
                    (2, "k2", "Blue", 30),
                    (4, "g4", "Blue", 50),
                    (5, "e6", "Red", 20),
                    (6, "d8", "Blue", 15),
                    (7, "h4", "Red", 40),
                )
            ]
        )
        expect(page.locator(".tree-of-moves .notable")).to_have_count(6)
        expect(page.locator(".card, .chart .mistake")).to_have_count(0)
        rows.nth(1).click()
        expect(page.locator(".standing").first).to_contain_text("after 3 b9")
        expect(rows).to_have_count(5)


def test_a_mistake_is_shown_on_the_board_of_a_phone(browser, empty):
    """Show closes the drawer that covers the board; opened again, it is scrolled as before.

    The phone is so short that the card is below the fold, also once the review has ended.
    """
    phone = {"viewport": {"width": 390, "height": 640}}
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED, **phone) as page:
        page.get_by_role("button", name="Details").click()
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        show = page.locator(".card").last.get_by_text("Show")
        show.click()
        expect(page.locator(".picture .played")).to_be_in_viewport()
        column = page.locator(".regions")
        assert column.evaluate("part => part.scrollTop") == 0
        page.get_by_role("button", name="Details").click()
        expect(show).to_be_in_viewport()
        assert column.evaluate("part => part.scrollTop") > 0


def test_a_review_resumes_after_a_reload(browser, empty, monkeypatch):
    """The review resumes at the effort it had reached, unless it was stopped."""
    whole, asked, is_held = KINDS["review"].load()[1], [], Event()

    def review(desk, job, question):
        asked.append(question.effort)
        if question.effort == "normal" and not is_held.is_set():
            job.cancel.wait(HOLD)
            job.check()
        return whole(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        wait_until(lambda: "normal" in asked)
        tab(page, "Note")
        expect(page).to_have_url(re.compile("#5"))
        asked.clear()
        page.reload()
        wait_until(lambda: asked)
        assert asked == ["normal"]
        expect(page.get_by_role("tab", name="Note")).to_have_attribute("aria-selected", "true")
        tab(page, "Review")
        page.get_by_role("tabpanel").get_by_role("button", name="Stop", exact=True).click()
        expect(page.locator(".working")).to_have_count(0)
        asked.clear()
        page.reload()
        answered(page)
        turn = page.locator(".verdict .turn")
        expect(turn).to_be_visible()
        assert asked == []
        cell(page, "a2").click()
        expect(turn).to_have_count(0)  # it is about the moves that were reviewed
        page.get_by_role("button", name="Previous", exact=True).click()
        expect(turn).to_be_visible()
        is_held.set()
