"""Games of the page stay as they are while it shows another place, position, tab or game."""

import json
import re
from dataclasses import replace

from browser import (
    IS_RECENT,
    UNREVIEWED,
    answered,
    cell,
    choose,
    end_game,
    opened,
    served,
    tab,
)
from clock import wait_until
from playwright.sync_api import expect
from stand_in import answer_by, held_back
from test_board_ends import played, two_people
from test_board_keeping import PASTE
from test_board_late import late, lose, losing, ready

from player.board.asked import playing, position, records, solving
from player.board.guard import bind


def standing(page):
    """Return the line over the board."""
    return page.locator("p.standing").first


def add(page, text):
    """Paste a game, and add it to the one on the board."""
    page.evaluate(PASTE, text)
    page.get_by_role("button", name="Add as variation").click()


# Play


def test_no_game_is_added_to_one_that_is_on(browser, empty):
    """The live position stays on the board; once the game is over, the variation is added."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "c1")
        add(page, "#3,a1b2")
        expect(page.locator(".problem")).to_have_text("a game is on: end it first")
        expect(standing(page)).to_have_text("Blue to move, after 1 c1.")
        played(page, "a3")
        expect(page.locator(".picture .stone")).to_have_count(2)
        page.get_by_role("button", name="Stop without a result").click()
        add(page, "#3,a1b2")
        expect(standing(page)).to_have_text("Red to move, after 2 b2, in a variation.")


def test_a_position_that_why_shows_does_not_replace_that_of_the_game(browser, empty):
    """The game returns once Why is closed, a cell is pressed or a move is taken back."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "c1", "a3")
        why = page.get_by_role("button", name="Why", exact=True)

        def look_back():
            why.click()
            page.keyboard.press("Home")
            expect(standing(page)).to_have_text("Red to move.")

        look_back()
        why.click()
        expect(standing(page)).to_have_text("Red to move, after 2 a3.")
        look_back()
        cell(page, "b2").click()
        expect(page.locator(".notice")).to_have_text("The game is here.")
        expect(page.locator(".picture .stone:not(.ghost)")).to_have_count(2)
        played(page, "b2")
        expect(standing(page)).to_have_text("Blue to move, after 3 b2.")
        look_back()
        page.get_by_role("button", name="Take back").click()
        expect(standing(page)).to_have_text("Red to move, after 2 a3.")


def test_a_hint_is_for_the_position_of_the_game(browser, empty, monkeypatch):
    """A hint is neither asked for nor played in another position that Why shows."""
    asked = []

    def hint(_desk, _job, request):
        asked.append(len(request.game.game().moves))
        return {"move": "b2", "said": "Hint: b2."}

    answer_by(monkeypatch, position, "hint", hint)
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "c1", "a3")
        why = page.get_by_role("button", name="Why", exact=True)
        why.click()
        page.keyboard.press("Home")
        page.get_by_role("button", name="Hint").click()
        play = page.get_by_role("button", name="Play hint")
        expect(play).to_be_visible()
        expect(standing(page)).to_have_text("Red to move, after 2 a3.")
        why.click()
        page.keyboard.press("Home")
        play.click()
        expect(standing(page)).to_have_text("Blue to move, after 3 b2.")

    assert asked == [2]


def test_a_clock_that_runs_out_solves_no_puzzle(browser, empty):
    """The game of Play ends while the page shows a puzzle, which stays to be solved."""
    with opened(browser, empty, "#3", settings=UNREVIEWED, is_alone=True) as page:
        page.clock.install()
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("spinbutton", name="Clock").fill("1")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".clock")).to_be_visible()
        choose(page, "Puzzles")
        page.get_by_role("button", name="Classic puzzles").click()
        page.locator(".recent button").first.click()
        expect(page.locator(".panels")).to_contain_text("Find the move.")
        page.clock.fast_forward(61_000)
        expect(page.locator(".notice")).to_contain_text("In Play Blue has won.")
        cell(page, "a1").hover()
        page.locator("h1").click()
        page.keyboard.press("j")
        page.clock.fast_forward(1_000)
        expect(page.locator("#spoken")).to_have_text("Moves go by the buttons of the game.")


def test_a_finished_game_without_its_last_move_is_over(browser, empty):
    """A return to Play shows no moves that were deleted."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "b2", "a1")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        page.locator(".move", has_text="2 a1").click()
        page.locator("summary", has_text="This move").click()
        page.get_by_role("button", name="Delete from here").click()
        choose(page, "Analyze")
        choose(page, "Play")
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        expect(standing(page)).to_have_text("Blue to move, after 1 b2.")


def test_nothing_is_taken_back_before_the_start_of_a_game(browser, empty, monkeypatch):
    """If the engine moves first from a position, its first move alone is taken back."""
    asked, as_ever = [], playing.turn

    def turn(desk, job, request):
        asked.append(len(request.game.game().moves))
        return as_ever(desk, job, request)

    answer_by(monkeypatch, playing, "turn", turn)
    with opened(browser, empty, "#4,a1b1", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("white")
        page.get_by_role("button", name="Play from this position").click()
        expect(page.locator(".move")).to_have_count(4)
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        page.get_by_role("button", name="Take back").click()
        wait_until(lambda: len(asked) > 1)
        expect(standing(page)).to_contain_text("after 3 ")

    assert asked == [2, 2]


# Reviews


def reviewed(page):
    """Review the game on the board, and wait for the card of its last mistake."""
    tab(page, "Review")
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".card").last).to_contain_text("held.")


def test_a_deleted_mistake_has_no_card(browser, empty):
    """The sentence about it is removed, too; an undo restores both."""
    with opened(browser, empty, "#5,a1e5c3d1", settings=UNREVIEWED) as page:
        reviewed(page)
        card = page.locator(".card", has_text="e5")
        turn = page.get_by_role("tabpanel").locator("p b")
        expect(card).to_have_count(1)
        expect(turn).to_contain_text("e5")
        page.locator(".move", has_text="1 a1").click()
        cell(page, "b4").click()
        expect(standing(page)).to_contain_text("after 2 b4")
        cell(page, "d4").click()
        expect(standing(page)).to_contain_text("after 3 d4")
        page.locator(".move", has_text="2 e5").click()
        page.locator("summary", has_text="This move").click()
        page.get_by_role("button", name="Delete from here").click()
        expect(page.locator(".toast")).to_contain_text("deleted")
        expect(page.get_by_role("button", name="Review this game")).to_be_visible()
        expect(card).to_have_count(0)
        expect(turn).to_have_text("")
        page.keyboard.press("Control+z")
        expect(card).to_have_count(1)
        expect(turn).to_contain_text("e5")


def test_a_dot_of_the_chart_gives_no_exercise_away(browser, empty):
    """The better move stays hidden; nothing is said to be undone after a try that loses."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        reviewed(page)
        page.locator(".card").last.get_by_text("Try it yourself").click()
        expect(page.locator(".verdict")).to_contain_text("Find something better than")
        cell(page, "a5").click()
        expect(page.locator(".notice")).to_contain_text("a5 loses")
        assert page.locator(".toast").count() == 0  # without waiting until it fades
        page.locator(".graph .mistake").last.click()
        expect(page.locator(".notice")).to_have_count(0)
        expect(page.locator(".verdict")).to_contain_text("Find something better than")
        expect(page.locator(".picture .better")).to_have_count(0)


# Tabs, addresses and settings


def test_a_duplicate_of_a_tab_has_a_game_of_its_own(browser, empty):
    """Neither tab replaces the recent game of the other, and a tab keeps its key."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED, is_alone=True) as page:
        cell(page, "d4").click()
        wait_until(lambda: page.evaluate(IS_RECENT, "a1d4"))
        page.reload()  # a tab keeps its key
        expect(standing(page)).to_contain_text("after 2 d4")
        with page.context.expect_page() as opening:
            page.evaluate("void window.open(location.href)")
        other = opening.value
        expect(standing(other)).to_contain_text("after 2 d4")
        cell(other, "b2").click()
        wait_until(lambda: other.evaluate(IS_RECENT, "a1d4b2"))
        cell(page, "c3").click()
        wait_until(lambda: page.evaluate(IS_RECENT, "a1d4c3"))
        assert page.evaluate(IS_RECENT, "a1d4b2")
        other.close()
        keys = []
        for _ in range(2):  # the key is stored while no page has it
            page.goto(f"http://127.0.0.1:{empty.port}/icon.svg")
            keys.append(page.evaluate("sessionStorage['hsearch.tab']"))
            page.go_back()
            expect(standing(page)).to_contain_text("after 3 c3")
        assert keys[0] == keys[1] is not None


def test_a_game_that_back_leaves_keeps_its_address(browser, empty):
    """The address to which Back goes opens its own game in another tab, not the one left."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED, is_alone=True) as page:
        wait_until(lambda: page.evaluate(IS_RECENT, "#4c1,a1"))
        page.evaluate(PASTE, "#6,b2")
        page.get_by_role("button", name="Replace it").click()
        wait_until(lambda: page.evaluate(IS_RECENT, "#6c1,b2"))
        page.go_back()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
        expect(page).to_have_url(re.compile("#4c1,a1$"))
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.locator(".standing")).to_contain_text("after 1 ")
        expect(other.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
        assert page.evaluate(IS_RECENT, "#6c1,b2")


def test_back_during_a_game_leaves_its_address(browser, empty):
    """After Back was refused, the address is that of the game on the board."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED) as page:
        choose(page, "Bids")
        page.get_by_label("Turns").select_option("random-turn")
        page.get_by_label("The engine is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page).to_have_url(re.compile("#3"))
        page.go_back()
        expect(page.locator(".problem")).to_have_text("a game is on: end it first")
        expect(page).to_have_url(re.compile("#3"))


def test_a_setting_changes_no_other_setting(browser, empty):
    """A tab keeps what another one has set, and what a link sets is not stored."""
    with opened(browser, empty, "#3", settings=UNREVIEWED, is_alone=True) as page:
        other = page.context.new_page()
        other.goto(page.url)
        for one, switch in ((page, "Mirrored"), (other, "Names in the cells")):
            choose(one, "View")
            one.get_by_label(switch).check()
        choose(page, "Analyze")
        page.evaluate(PASTE, "https://hexworld.org/board/#5r9n,c3")
        expect(standing(page)).to_contain_text("after 1 c3")
        choose(page, "View")
        page.get_by_label("A sound").check()
        stored = json.loads(page.evaluate("localStorage['hsearch.settings']"))

        assert (stored["mirrored"], stored["coordinates"], stored["sound"]) == (True, True, True)
        assert stored.get("rotation", 0) == 0
        assert not stored.get("numbers", False)


def test_new_names_of_the_players_reach_all_answers_and_acts(browser, empty, monkeypatch):
    """The solver's answer and the checked proof stay, and acts are undone by the new names."""
    proof = {"columns": 3, "rows": 3, "black": [], "white": [], "turn": "black"}
    answer_by(monkeypatch, solving, "verify", lambda *_: {"said": "Black wins.", "position": proof})
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        cell(page, "c3").click()
        expect(standing(page)).to_contain_text("after 2 c3")
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()
        solved, checked = page.locator("section > p.proved"), page.locator(".card .proved")
        expect(solved).to_contain_text(re.compile("Red|Blue"))
        page.get_by_label("Proof file").set_input_files(
            {"name": "blue.proof", "mimeType": "text/plain", "buffer": b"proof"}
        )
        expect(checked).to_have_text("blue.proof, Red to move: Red wins.")
        choose(page, "View")
        page.get_by_label("Players").select_option("black")
        choose(page, "Solve")
        expect(checked).to_have_text("blue.proof, Black to move: Black wins.")
        expect(solved).to_contain_text(re.compile("Black|White"))
        expect(solved).not_to_contain_text(re.compile("Red|Blue"))
        choose(page, "Analyze")
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone: White c3.")


def test_what_was_shared_is_named_until_the_game_changes(browser, empty):
    """What is said beside a way to share goes with the position that was shared."""
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        choose(page, "Share")
        page.get_by_role("button", name="Copy: Moves").click()
        said = page.locator(".ways .hint:not(:empty)")
        expect(said).to_have_count(1)
        page.get_by_role("button", name="Previous", exact=True).click()
        expect(standing(page)).to_have_text("Red to move.")
        expect(said).to_have_count(0)


def test_the_turn_is_that_of_the_board_after_a_refusal(browser, empty, monkeypatch):
    """In Set up, the player who is to move stays chosen if the other one is refused."""
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        choose(page, "Set up")
        red, blue = (page.get_by_role("radio", name=name, exact=True) for name in ("Red", "Blue"))
        expect(blue).to_be_checked()

        def refuse(*_):
            raise ValueError("not now")

        with monkeypatch.context() as patch:
            answer_by(patch, records, "states", refuse)
            red.click()
            expect(page.locator(".problem")).to_have_text("not now")
            expect(blue).to_be_checked()
        red.click()
        expect(red).to_be_checked()
        expect(standing(page)).to_contain_text("Red to move")


# Late answers


def test_a_word_typed_before_an_answer_stays(browser, empty):
    """The box is empty once a word is sent, and a refused word does not replace a newer one."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED) as page:
        ready(page)
        box = page.get_by_label("Move or question")

        def send():
            box.fill("b2")
            box.press("Enter")

        late(page, send, '"states"', lambda: box.press_sequentially("c3"))
        expect(standing(page)).to_contain_text("after 2 b2")
        expect(box).to_have_value("c3")
        box.fill("z9")
        box.press("Enter")
        expect(page.locator(".problem")).to_contain_text("z9: type a cell")
        expect(box).to_have_value("z9")


def test_a_stone_is_placed_before_another_move_is_shown(browser, empty):
    """A press in the list of moves, or on the chart, waits for the stone before it."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED) as page:
        ready(page)
        start = page.locator(".move", has_text="start")
        late(page, cell(page, "b2").click, '"states"', start.click)
        expect(page.locator(".move", has_text="2 b2")).to_have_count(1)
        expect(standing(page)).to_have_text("Red to move.")
        page.locator(".move", has_text="2 b2").click()
        expect(standing(page)).to_contain_text("after 2 b2")
        slider = page.get_by_role("slider", name="Move")
        late(page, cell(page, "c3").click, '"states"', lambda: slider.fill("0"))
        expect(page.locator(".move", has_text="3 c3")).to_have_count(1)
        expect(standing(page)).to_have_text("Red to move.")


def test_a_review_that_has_nothing_to_say_silences_no_announcement(browser, empty):
    """The game that was opened is announced, also after one in which a move decided."""
    settings = UNREVIEWED | {"reviews": True}
    with opened(browser, empty, "#3", settings=settings) as page:
        answered(page)
        done = page.get_by_role("button", name="Review this game")
        page.evaluate(PASTE, "#3,a1b2")
        expect(page.locator(".turn")).to_be_visible()
        expect(done).to_be_enabled()
        page.evaluate(PASTE, "#2x5,a5b1")
        page.get_by_role("button", name="Replace it").click()
        expect(standing(page)).to_contain_text("after 2 b1")
        expect(done).to_be_enabled()
        expect(page.locator(".turn")).to_have_count(0)
        expect(page.locator("#spoken")).to_have_text("game 1: 2 moves, 2 by 5.")


# Dark Hex


def dark(page, other, side=2):
    """Begin a game of hidden stones."""
    choose(page, "Dark")
    page.get_by_label("The other player is").select_option(other)
    page.get_by_role("spinbutton", name="Board").fill(str(side))
    page.get_by_role("button", name="New game").click()


def test_the_end_of_a_dark_game_is_shown_and_spoken_on_both_pages(browser):
    """A guest's page, which may not ask for an analysis, names the winner over the board, too.

    Before that, each page announces its turns.
    """
    with served() as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        dark(page, "apart-white")
        link = page.get_by_label("Address").input_value()
        context = browser.new_context()
        guest = context.new_page()
        guest.goto(link)
        pages = (page, guest)
        expect(guest.locator(".panels")).to_contain_text("The other player is to move.")
        for one, name in ((page, "a1"), (guest, "b2"), (page, "a2")):
            expect(one.locator(".panels")).to_contain_text("It is your turn")
            expect(one.locator("#spoken")).to_contain_text("It is your turn")
            cell(one, name).click()
        for one in pages:
            expect(one.locator(".panels")).to_contain_text("has won; all stones are shown.")
            expect(standing(one)).to_contain_text("Red has won")
            label = re.compile("Red has won")
            expect(one.get_by_role("grid")).to_have_attribute("aria-label", label)
            expect(one.locator("#spoken")).to_contain_text("Red has won; all stones are shown.")
        context.close()


def test_a_finished_dark_game_is_left_like_any_other(browser, empty):
    """Undo and Back return to the game before it, and Forward to its record."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        cell(page, "d4").click()
        expect(standing(page)).to_contain_text("after 1 d4")
        dark(page, "")
        for seat, name in (("Red", "a1"), ("Blue", "b2"), ("Red", "a2")):
            page.get_by_role("button", name=f"I am {seat}").click()
            expect(page.locator(".panels")).to_contain_text("It is your turn")
            cell(page, name).click()
            if name == "a2":
                continue
            page.get_by_role("button", name="Hide the board").click()
        expect(page.locator(".panels")).to_contain_text("has won; all stones are shown.")
        choose(page, "Analyze")
        expect(standing(page)).to_contain_text("Red has won")
        page.go_back()
        expect(standing(page)).to_contain_text("after 1 d4")
        expect(page.locator(".problem")).to_have_count(0)
        page.go_forward()
        expect(standing(page)).to_contain_text("Red has won, after 3 a2")
        for _ in range(3):
            page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone: another game.")
        expect(standing(page)).to_contain_text("after 1 d4")


def test_a_hidden_board_in_analyze_leads_back_to_dark(browser, empty):
    """Where nothing is judged, a button returns to Dark; Back finds the board, too."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        dark(page, "")
        page.get_by_role("button", name="I am Red").click()
        expect(page.locator(".panels")).to_contain_text("It is your turn")
        choose(page, "Analyze")
        expect(page.locator(".verdict")).to_contain_text("nothing is judged")
        page.get_by_role("button", name="Return to Dark").click()
        expect(page.get_by_role("button", name="End the game")).to_be_visible()
        end_game(page)
        choose(page, "Analyze")
        page.evaluate(PASTE, "#5,a1")
        expect(standing(page)).to_contain_text("after 1 a1")
        page.go_back()
        expect(page.locator(".verdict")).to_contain_text("nothing is judged")
        expect(page.locator(".problem")).to_have_count(0)


# Swaps


def test_a_game_that_is_won_is_not_swapped(browser, empty):
    """On a board of one cell the first stone wins: a click on it does not take it over."""
    with opened(browser, empty, "#1,a1", settings=UNREVIEWED) as page:
        expect(standing(page)).to_contain_text("Red has won")
        cell(page, "a1").click()
        expect(page.locator(".problem")).to_have_text("a1 is not empty")
        expect(page.locator(".move")).to_have_count(2)


# The server goes and returns


def copied(page, title):
    """Return what the page says after copying in a format."""
    choose(page, "Share")
    button = page.get_by_role("button", name=f"Copy: {title}", exact=True)
    said = page.locator(".ways li").filter(has=button).locator(".hint")
    button.click()
    expect(said).not_to_be_empty()
    return said.inner_text()


def test_a_text_written_in_advance_is_of_the_game_and_the_position_shown(browser):
    """Otherwise nothing is copied; once the server is back, the address is that of the position."""
    first, refusal = served(), "The server is away, and has not written that before."
    bound = first.__enter__()
    with opened(browser, bound, "#4,b2c3", may_log=True, settings=UNREVIEWED) as page:
        expect(page).to_have_url(re.compile("#4c1,b2c3$"))
        first.__exit__(None, None, None)
        expect(page.locator(".away")).to_be_visible()
        assert copied(page, "Moves") != refusal
        choose(page, "Analyze")
        page.get_by_role("button", name="Previous").click()
        expect(standing(page)).to_contain_text("after 1 b2")
        assert copied(page, "Moves") == refusal
        assert copied(page, "SGF") != refusal
        choose(page, "Analyze")
        tab(page, "Note")
        page.get_by_label("Comment").fill("new")
        assert copied(page, "SGF") == refusal
        with served(bound=replace(bind("127.0.0.1", bound.port), keys=bound.keys)):
            expect(page).to_have_url(re.compile("#4c1,b2,c3$"))


def test_an_attempt_whose_answer_is_lost_is_shown_once_the_server_is_back(browser, empty):
    """The seat sees what its attempt has met."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        ready(page)
        losing(page)
        choose(page, "Dark")
        page.get_by_label("The other player is").select_option("")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="I am Red").click()
        expect(page.locator(".panels")).to_contain_text("Nothing was attempted yet")
        page.evaluate("window.word = 'So far'")
        cell(page, "b2").click()
        page.evaluate("arrived()")
        page.evaluate("window.word = null")
        lose(page)
        page.get_by_role("button", name="I am Red").click()
        expect(page.locator(".panels")).to_contain_text("So far: b2.")


def test_a_review_that_resumes_is_of_its_line_alone(browser, empty, monkeypatch):
    """Moves were added at the end meanwhile: a mistake among them would stop all drawing."""
    asked = []

    def is_held(question):
        asked.append(len(question.game.nodes))
        return len(asked) == 1

    answer_by(monkeypatch, records, "review", held_back(records.review, is_held))
    with opened(browser, empty, "#5,c3b4", settings=UNREVIEWED) as page:
        losing(page)
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()
        wait_until(lambda: asked)
        for move in ("a1", "d3", "e5", "c2", "a2", "b3"):
            cell(page, move).click()
            expect(standing(page)).to_contain_text(f" {move}.")
        answered(page)
        lose(page)
        expect(page.get_by_role("button", name="Review this game")).to_be_enabled()
        assert asked == [3, 3, 3, 3]
