"""How games in the browser end, and how the next one begins."""

import re

import pytest
from browser import UNREVIEWED, cell, choose, end_game, opened, served, tab
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE
from test_board_words import COINS

from hsearch import formats
from hsearch.hex.position import winner
from player.board.asked import position
from player.variants import recorded_variant


def two_people(page, side):
    """Begin a game of two people in Play, without the swap rule."""
    choose(page, "Play")
    page.get_by_role("spinbutton", name="Board").fill(str(side))
    page.get_by_label("You play").select_option("both")
    page.get_by_label("may swap").uncheck()
    page.get_by_role("button", name="New game").click()
    expect(page.locator("main.under-way")).to_be_visible()


def played(page, *cells):
    """Play cells, each once the one before has its stone."""
    for name in cells:
        cell(page, name).click()
        expect(cell(page, name)).to_have_attribute("aria-label", re.compile("stone"))


@pytest.mark.parametrize("is_resigned", [True, False])
def test_a_click_after_a_finished_game_begins_on_an_empty_board(browser, empty, *, is_resigned):
    """The first click of another game adds nothing to a game that is over."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        two_people(page, 3)
        if is_resigned:
            played(page, "b2")
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("button", name="Yes, resign").click()
        else:
            played(page, "b2", "a1", "b1", "a2", "b3")
        standing = page.locator(".panels .standing")
        expect(standing).to_have_text("Red has won.")
        page.get_by_role("button", name="Another game").click()
        expect(page.locator(".panels .of-board")).to_contain_text("on an empty board")
        expect(page.get_by_role("button", name="Play from this position")).to_have_count(0)
        cell(page, "c3").click()
        expect(standing).to_have_text("Blue is to move.")
        expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("red stone"))
        expect(page.locator(".picture .stone")).to_have_count(1)
        expect(page.locator(".problem")).to_have_count(0)


def test_a_click_in_a_game_that_is_not_over_plays_on(browser, empty):
    """The first click plays on from the position that is shown."""
    with opened(browser, empty, "#3,a1b2", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        expect(page.locator(".panels .of-board")).to_have_text(
            "The first click on the board also begins a game."
        )
        cell(page, "c3").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        expect(page.locator(".picture .stone")).to_have_count(3)


def test_a_double_click_on_hint_does_not_play_it(browser, empty, monkeypatch):
    """The answer may come between the two clicks of a double click."""
    answer_by(monkeypatch, position, "hint", lambda *_: {"move": "b2", "said": "Hint: b2."})
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        page.get_by_role("button", name="Hint").click(click_count=1)
        play = page.get_by_role("button", name="Play hint")
        expect(play).to_be_visible()
        # The second click of a double click, however long the answer has taken.
        play.dispatch_event("click", {"detail": 2})
        page.wait_for_timeout(100)
        expect(page.locator(".ghost")).to_have_count(1)
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        play.click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")


@pytest.mark.parametrize("place", ["Dark", "Bids"])
def test_ending_a_game_needs_a_confirmation(browser, empty, place):
    """A game whose moves stay is not ended by one click, and a move withdraws the question."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, place)
        label = {"Dark": "The other player is", "Bids": "The engine is"}[place]
        page.get_by_label(label).select_option("")
        if place == "Bids":
            page.get_by_label("Turns").select_option("random-turn")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        if place == "Dark":
            page.get_by_role("button", name="I am Red").click()
        end = page.get_by_role("button", name="End the game")
        end.click()
        expect(page.get_by_role("button", name="No, play on")).to_be_focused()
        expect(page.get_by_role("alert")).to_have_text("End this game?")  # is spoken
        page.keyboard.press("Enter")
        expect(end).to_be_focused()
        end.click()
        cell(page, "b2").click()
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("stone"))
        expect(end).to_be_visible()
        end_game(page)
        expect(page.get_by_role("button", name="New game")).to_be_visible()


def test_a_guest_who_has_left_is_told_so(browser):
    """After a reload, a guest without a game is not sent to an address that others have."""
    with served() as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        choose(page, "Dark")
        page.get_by_label("The other player is").select_option("apart-white")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        link = page.get_by_label("Address").input_value()
        context = browser.new_context()
        guest = context.new_page()
        guest.goto(link)
        expect(guest.locator(".panels")).to_contain_text("The other player is to move.")
        end_game(guest)
        expect(guest.locator(".panels")).to_contain_text("This page may be closed.")
        guest.reload()
        expect(guest.locator(".away")).to_have_text(
            "You have left the game: this page may be closed."
        )
        context.close()


def test_another_game_ends_that_of_two_people(browser, empty):
    """The message about a game that was replaced names its players, and a puzzle its button."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "b2")
        page.evaluate(PASTE, "#4,a1")
        page.get_by_role("button", name="Replace it").click()
        notice = page.locator(".notice")
        expect(notice).to_contain_text("another one now: that of two people is over.")
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved").click()
        page.locator(".recent button").first.click()
        expect(page.locator(".panels h2")).to_have_text("Puzzle 1 of 74")
        page.go_back()
        expect(page.locator(".problem")).to_have_text("a puzzle is on: press Other puzzles first")


def test_a_text_over_the_limit_is_never_said_to_be_at_the_limit(browser, empty):
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        page.evaluate(PASTE, "x" * (1024 * 1024 + 1))
        expect(page.locator(".problem")).to_have_text("This has 1.01 MB; up to 1.0 MB are read.")


def test_a_file_that_was_corrected_is_read_again(browser, empty, tmp_path):
    """A browser reports no change if the same file is chosen again."""
    path = tmp_path / "game.sgf"
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED) as page:
        choose(page, "Open")
        for cell_played, words in (("z9", ".problem"), ("b2", ".headline")):
            path.write_text(f"(;FF[4]GM[11]SZ[5];B[{cell_played}])")
            with page.expect_file_chooser() as chosen:
                page.get_by_label("or open a file").click()
            chosen.value.set_files(path)
            expect(page.locator(words)).to_be_visible()
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 b2.")


def test_the_search_is_paused_in_analyze_alone(browser, empty):
    """Space pauses it after a click, and then presses buttons; Why in Play has no search."""
    with opened(browser, empty, "#3,a1b2", settings=UNREVIEWED) as page:
        standing = page.locator(".standing").first
        search = page.get_by_role("button", name=re.compile("search.*Space"))
        expect(search).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Previous", exact=True).click()
        expect(standing).to_contain_text("after 1 a1")
        page.keyboard.press("Space")
        expect(search).to_have_attribute("aria-pressed", "false")
        expect(standing).to_contain_text("after 1 a1")
        page.evaluate(PASTE, "#4")
        page.get_by_role("button", name="Cancel").focus()
        page.keyboard.press("Space")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Previous", exact=True).focus()
        page.keyboard.press("Space")
        expect(standing).to_have_text("Red to move.")
        page.get_by_role("button", name="Next", exact=True).click()
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        cell(page, "c3").click()  # a position that Analyze has not searched
        expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("stone"))
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".panels .verdict .headline:not(.waiting)")).to_be_visible()
        expect(page.locator(".panels .candidates")).to_have_class(re.compile("settled"))
        expect(search).to_have_count(0)


def test_a_game_has_no_result_after_its_resignation_was_taken_back(browser, empty):
    """The header of the moves has the result of the game that is over alone."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        two_people(page, 3)
        played(page, "b2")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        head = page.locator(".moves-head p")
        expect(head).to_have_text("Red has won: Blue resigned")
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        expect(head).to_have_text("")
        page.keyboard.press("Control+Shift+z")
        expect(head).to_have_text("Red has won: Blue resigned")


def test_the_moves_of_two_people_are_spoken(browser, empty):
    """Also a swap, and whose turn it is then; at the end, who has won."""
    with opened(browser, empty, "#2", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_role("spinbutton", name="Board").fill("2")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        heard = page.locator("#spoken")
        cell(page, "a1").click()
        expect(heard).to_have_text("Red a1. Blue is to move.")
        cell(page, "a1").click()
        expect(heard).to_have_text("Blue swaps. Red is to move.")
        cell(page, "a2").click()
        expect(heard).to_have_text("Red a2. Blue is to move.")
        cell(page, "b1").click()
        expect(heard).to_have_text(re.compile("^Blue has won. "))


def test_a_game_that_is_on_judges_no_position(browser, empty, monkeypatch):
    """Its list of moves shows no winner, and a game after another one begins without analysis."""
    asked, as_ever = [], position.analyze

    def analyze(desk, job, request):
        asked.append(request.position)
        return as_ever(desk, job, request)

    answer_by(monkeypatch, position, "analyze", analyze)
    with opened(browser, empty, "#3,b2", settings=UNREVIEWED) as page:
        judged = page.locator(".move:is(.won-black, .won-white)")
        expect(judged).to_have_count(1)
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        expect(page.locator("main.under-way .move")).to_have_count(2)
        expect(judged).to_have_count(0)
        page.get_by_role("button", name="Why", exact=True).click()
        expect(judged).to_have_count(1)
        played(page, "a1", "b1", "a2", "b3")
        expect(page.locator(".panels .standing")).to_have_text("Red has won.")
        page.get_by_role("button", name="Another game").click()
        asked.clear()
        page.get_by_role("button", name="New game").click()
        played(page, "b2")
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".verdict .headline:not(.waiting)")).to_be_visible()
        assert [one.black for one in asked] == [["b2"]]


def saved_sgf(page):
    """Save the game as SGF, and return its text."""
    choose(page, "Share")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save: SGF").click()
    return saved.value.path().read_text()


@pytest.mark.chromium  # Firefox does not report downloads
@pytest.mark.parametrize("variant", ["random-turn", "bidding"])
def test_moves_tried_in_a_game_of_coins_or_bids_are_variations(browser, empty, variant):
    """The game that is played stays the main line, and its record can be resumed."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Bids")
        page.get_by_label("Turns").select_option(variant)
        page.get_by_label("The engine is").select_option("")
        page.get_by_role("spinbutton", name="Board").fill("4")
        page.get_by_role("button", name="New game").click()

        def play(move):
            for bidder in ("Red", "Blue") if variant == "bidding" else ():
                page.get_by_label(f"{bidder} bids, sealed").fill("5")
                page.get_by_role("button", name="Seal the bid").click()
            expect(page.locator(".panels")).to_contain_text(": click a cell.")
            cell(page, move).click()
            expect(cell(page, move)).to_have_attribute("aria-label", re.compile("stone"))

        def try_out(*cells):
            choose(page, "Analyze")
            for number, move in cells:
                cell(page, move).click()
                expect(page.locator(".move", has_text=f"{number} {move}")).to_have_count(1)

        def line():
            game = formats.read(saved_sgf(page))
            recorded_variant(game).start(game)
            assert any(node.parent >= len(game.main_line) - 2 for node in game.nodes)
            assert winner(game.position()) is None
            return [game.board.name(move.action) for move in game.moves]

        play("a1")
        try_out((2, "c3"), (3, "d4"))
        assert line() == ["a1"]
        choose(page, "Bids")
        play("b2")
        choose(page, "Analyze")
        expect(page.locator(".tree-of-moves > .move", has_text="2 b2")).to_have_count(1)
        expect(page.locator(".variation > .move", has_text="2 c3")).to_have_count(1)
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone: another game.")
        page.keyboard.press("Control+Shift+z")
        expect(page.locator(".move", has_text="2 b2")).to_have_count(1)
        choose(page, "Bids")
        try_out((3, "d1"))
        assert line() == ["a1", "b2"]
        page.reload()
        assert line() == ["a1", "b2"]


@pytest.mark.chromium  # Firefox does not report downloads
def test_a_game_of_coins_keeps_its_result_if_moves_are_tried_after_it(browser):
    """Its record ends where the game did, so that the result holds."""
    text = COINS.replace(";PL[B];B[a1]", "").replace("RU", "RE[B+Time]RU")
    with served(formats.read(text)) as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        expect(page.locator(".moves-head p")).to_have_text("Red has won: Blue lost on time")
        played(page, "d1")
        game = formats.read(saved_sgf(page))
        assert game.about("RE") == "B+Time"
        assert len(game.moves) == 5
        assert len(game.nodes) > len(game.main_line)


@pytest.mark.chromium  # Firefox does not report downloads
def test_a_game_of_coins_that_is_played_on_is_an_ordinary_one(browser):
    """In Play turns alternate, so the record has no coins, and its analysis no condition."""
    game = formats.read(COINS.replace(";PL[B];B[a3];PL[B];B[a4];PL[B];B[a1]", ""))
    with served(game) as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        expect(page.locator(".headline")).to_have_text(re.compile("^If turns alternate"))
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        played(page, "d1")
        choose(page, "Analyze")
        for _ in range(2):
            expect(page.locator(".headline")).to_have_text(re.compile("^(Red|Blue) "))
            page.keyboard.press("ArrowLeft")
        ordinary = formats.read(saved_sgf(page))
        assert recorded_variant(ordinary) is None
        assert len(ordinary.moves) == 4
        assert not any(node.about("XC") for node in ordinary.nodes)


def test_a_game_goes_on_where_its_moves_were_deleted(browser, empty):
    """A move that continues a deleted one restores it, and removes no variation."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        two_people(page, 4)
        played(page, "a1", "b2")
        choose(page, "Analyze")
        page.locator(".move", has_text="1 a1").click()
        played(page, "c3")
        page.locator(".move", has_text="2 b2").click()
        page.locator("summary", has_text="This move").click()
        page.get_by_role("button", name="Delete from here").click()
        expect(page.locator(".move")).to_have_text(["start", "1 a1", "2 c3"])
        choose(page, "Play")
        expect(page.locator(".move")).to_have_text(["start", "1 a1", "2 b2", "2 c3"])
        played(page, "d4")
        expect(page.locator(".move")).to_have_text(["start", "1 a1", "2 b2", "2 c3", "3 d4"])


def test_the_stone_that_a_click_would_place_is_shown_where_a_click_plays(browser, empty):
    """With Ask on, a click in Analyze asks, and in Play it plays."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        page.get_by_label("Ask").check()
        cell(page, "b2").hover()
        expect(page.locator(".ghost")).to_have_count(0)
        choose(page, "Play")
        cell(page, "b2").hover()
        expect(page.locator(".ghost")).to_have_count(1)
        two_people(page, 3)
        cell(page, "a1").hover()
        expect(page.locator(".ghost")).to_have_count(1)
        choose(page, "Analyze")
        cell(page, "b2").hover()
        expect(page.locator(".ghost")).to_have_count(0)


def test_a_fair_bid_names_its_chips(browser, empty):
    """The chips in the form may be others by now."""
    with opened(browser, empty, "#2", settings=UNREVIEWED) as page:
        choose(page, "Bids")
        page.get_by_role("button", name="Count the chances here").click()
        fair = page.get_by_text("A fair bid is")
        expect(fair).to_contain_text("with 100 and 100 chips.")
        page.get_by_label("Red's chips").fill("7")
        page.get_by_role("button", name="Count the chances here").click()
        expect(fair).to_contain_text("with 7 and 100 chips.")


@pytest.mark.parametrize("way", ["paste", "undo", "back"])
def test_a_smaller_board_takes_the_focus_of_a_cell_that_it_lacks(browser, empty, way):
    """The page is drawn although the cell with the focus is gone, and the arrows go on from a1."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        first = page.get_by_role("grid", name="Hex board, 3 by 3")
        expect(first).to_be_visible()
        page.evaluate(PASTE, "#5")
        expect(page.get_by_role("grid", name="Hex board, 5 by 5")).to_be_visible()
        page.keyboard.press("Tab")  # the focus comes by keyboard from here on
        cell(page, "a1").focus()
        page.keyboard.press("Control+End")
        expect(page.locator(".focus")).to_be_visible()
        if way == "paste":
            page.evaluate(PASTE, "#3")
        elif way == "undo":
            page.keyboard.press("Control+z")
        else:
            page.go_back()
        expect(first).to_be_visible()
        expect(cell(page, "a1")).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(cell(page, "a2")).to_be_focused()


DROP = """text => { const dataTransfer = new DataTransfer(); dataTransfer.setData("text", text);
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true })); }"""


def test_a_dropped_game_keeps_its_names_while_another_is_typed(browser, empty):
    """The review of the dropped game takes the place of the field in which a name was typed."""
    settings = {"reviews": True, "deepens": False}
    with opened(browser, empty, "#5", settings=settings) as page:
        tab(page, "Note")
        page.get_by_label("Red", exact=True).press_sequentially("Ann ")
        expect(page.locator(".moves-head p")).to_have_text("Red: Ann, Blue: ?")
        page.evaluate(DROP, "(;GM[11]FF[4]SZ[5]PB[Bob]PW[Eve];B[c3];W[d4])")
        expect(page.get_by_role("tab", name="Review", selected=True)).to_be_visible()
        tab(page, "Note")
        expect(page.get_by_label("Red", exact=True)).to_have_value("Bob")
        expect(page.locator(".moves-head p")).to_have_text("Red: Bob, Blue: Eve")
