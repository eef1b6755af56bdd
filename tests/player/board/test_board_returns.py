"""Games of the page stay as they are while it shows another place, position, tab or game."""

from browser import UNREVIEWED, cell, opened, tab
from playwright.sync_api import expect
from test_board_keeping import PASTE


def standing(page):
    """Return the line over the board."""
    return page.locator("p.standing").first


def add(page, text):
    """Paste a game, and add it to the one on the board."""
    page.evaluate(PASTE, text)
    page.get_by_role("button", name="Add as variation").click()


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
