"""How games in the browser end, and how the next one begins."""

import re

import pytest
from browser import cell, choose, opened
from playwright.sync_api import expect
from stand_in import answer_by

from player.board.asked import position

COLORS = {"reviews": False}


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
    with opened(browser, empty, "#5", settings=COLORS) as page:
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
    with opened(browser, empty, "#3,a1b2", settings=COLORS) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        expect(page.locator(".panels .of-board")).to_have_text(
            "The first click on the board begins the game, too."
        )
        cell(page, "c3").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        expect(page.locator(".picture .stone")).to_have_count(3)


def test_a_double_click_on_hint_does_not_play_it(browser, empty, monkeypatch):
    """The answer may come between the two clicks of a double click."""
    answer_by(monkeypatch, position, "hint", lambda *_: {"move": "b2", "said": "Hint: b2."})
    with opened(browser, empty, "#3", settings=COLORS) as page:
        two_people(page, 3)
        page.get_by_role("button", name="Hint").click(click_count=1)
        play = page.get_by_role("button", name="Play the hint")
        expect(play).to_be_visible()
        # The second click of a double click, however long the answer has taken.
        play.dispatch_event("click", {"detail": 2})
        page.wait_for_timeout(100)
        expect(page.locator(".ghost")).to_have_count(1)
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        play.click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
