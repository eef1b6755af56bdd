"""Every screen in light, dark and forced colors: axe's rules and the size of targets."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browser import answered, cell, choose, go_to, opened, served, tab
from nightly import NIGHTLY
from playwright.sync_api import expect
from test_board_everyone import CLIPPED, SMALL, TAGS
from test_board_keeping import PASTE

from hsearch import formats

GAME = (
    "(;GM[11]FF[4]SZ[5]PB[Anna]PW[Bo]RE[B+R];B[a1]C[a slow start];W[swap-pieces];B[c3]"
    "(;W[b4];B[c2];W[b3];B[d1];W[a5];B[c4];W[resign])(;W[d2]))"
)
LINK = "https://hexworld.org/board/#5,a5c4d3b2"
SETTINGS = {"reviews": True, "deepens": False, "letters": True}
LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 360, "height": 740}
OF_COLORS = ["color-contrast", "link-in-text-block"]  # the rules about colors
COLORS = {
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "light", "forced_colors": "active"},
}


@pytest.fixture(scope="module")
def game():
    with served(formats.read(GAME)) as bound:
        yield bound


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def load(page, text=GAME):
    choose(page, "Open")
    page.get_by_role("textbox", name="SGF").fill(text)
    page.get_by_role("button", name="Load", exact=True).last.click()


def layer(page, name):
    page.get_by_role("radio", name=name).check()


def first_sight(page):
    page.goto(page.url.split("#")[0] + "#11")
    expect(page.get_by_text("Play, paste a game")).to_be_visible()


def swap_map(page):
    first_sight(page)
    press(page, "Which first moves to swap")
    expect(page.locator(".picture .ring").first).to_be_visible()


def why(page):
    go_to(page, 6)
    expect(page.locator(".why")).to_be_visible()
    for summary in page.locator(".why summary").all():
        summary.click()
    page.locator(".verdict summary").click()


def at_the_end(page):
    load(page)
    go_to(page, 9)
    expect(page.locator(".verdict .turn")).to_be_visible()


def review(page):
    at_the_end(page)
    tab(page, "Review")
    expect(page.locator(".card").first).to_be_visible()
    page.get_by_role("button", name="Show ").first.click()


def note(page):
    go_to(page, 1)
    tab(page, "Note")


def candidates(page):
    page.goto(page.url.split("#")[0] + "#11,f6")
    expect(page.locator(".standing").first).to_contain_text("after 1 f6")
    press(page, "Resume the search (Space)")
    expect(page.locator(".candidates .row").first).to_be_visible()
    page.locator(".candidates .row").first.hover()


def asked(page):
    go_to(page, 6)
    page.get_by_label("Ask").check()
    page.locator('[role="gridcell"][aria-label*="proof"]').last.click()
    expect(page.get_by_role("button", name="Back to the game")).to_be_visible()


def connections(page):
    go_to(page, 6)
    layer(page, "Connections")
    expect(page.locator(".picture .link").first).to_be_visible()
    cell(page, "c3").click()
    cell(page, "c2").click()


def must_play(page):
    go_to(page, 5)
    layer(page, "Must-play")


def net(page):
    go_to(page, 3)
    layer(page, "Net")
    expect(page.locator(".picture .rank").first).to_be_visible()


def chances(page):
    candidates(page)
    layer(page, "Chances")
    expect(page.locator(".picture .rank").first).to_be_visible()


def prose(page):
    page.evaluate(PASTE, "In this game a1 was slow, and then b3 held.")
    expect(page.get_by_role("dialog")).to_be_visible()


def menu_of_a_move(page):
    go_to(page, 3)
    page.get_by_text("This move").click()


def toast(page):
    menu_of_a_move(page)
    press(page, "Delete from here")
    expect(page.locator(".toast")).to_be_visible()


def problem(page):
    page.get_by_label("Move or question").fill("z99")
    press(page, "Go")
    expect(page.locator(".problem")).to_be_visible()


def question(page):
    page.evaluate(PASTE, LINK)
    expect(page.get_by_role("dialog")).to_be_visible()


def several(page):
    load(page, GAME + GAME)
    expect(page.get_by_role("dialog")).to_be_visible()


def before_play(page):
    choose(page, "Play")


def in_play(page):
    choose(page, "Play")
    page.get_by_label("Opponent").select_option("level:1")
    page.get_by_label("Clock").fill("5")
    press(page, "New game")
    cell(page, "a1").click()
    expect(page.locator(".panels .slot").first).to_contain_text("Blue plays")
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_have_attribute("aria-disabled", "false")
    hint.click()
    expect(page.locator(".panels .slot").first).to_contain_text("Hint: ")


def resigning(page):
    in_play(page)
    press(page, "Resign")


def why_in_play(page):
    in_play(page)
    press(page, "Why")
    answered(page)


def after_play(page):
    resigning(page)
    press(page, "Yes, resign")
    expect(page.locator(".panels .standing")).to_have_text("Blue has won.")


def puzzles(page):
    choose(page, "Puzzles")


def gallery(page):
    puzzles(page)
    page.get_by_role("button", name="Classic puzzles").click()
    expect(page.locator(".recent .thumbnail").first).to_be_visible()


def puzzle(page):
    puzzles(page)
    page.get_by_role("button", name="74 proved puzzles").click()
    page.get_by_title("5x5-grade1-01").click()
    cell(page, "a1").click()
    expect(page.locator(".panels .slot")).to_contain_text("a1 loses")


def solved_puzzle(page):
    puzzle(page)
    cell(page, "c4").click()
    expect(page.locator(".panels .slot.proved")).to_be_visible()


def open_game(page):
    choose(page, "Open")


def not_opened(page):
    load(page, "lorem ipsum")
    expect(page.locator(".panels .problem")).to_be_visible()


def share(page):
    choose(page, "Share")
    page.get_by_text("Board as text").click()


def shared(page):
    share(page)
    press(page, "Copy: Moves")
    expect(page.locator(".ways")).to_contain_text("Copied.")


def more(page):
    go_to(page, 3)  # where nothing is proved, so that there is a search
    expect(page.locator(".search button")).to_be_visible()
    page.get_by_text("More", exact=True).click()


def solve(page):
    go_to(page, 3)
    choose(page, "Solve")
    press(page, "Solve this position")
    expect(page.get_by_role("button", name="Save the proof")).to_be_visible()


def bids(page):
    choose(page, "Bids")


def bidding(page):
    bids(page)
    page.get_by_role("spinbutton", name="Board").fill("3")
    press(page, "New game")
    press(page, "Seal the bid")
    expect(page.locator(".panels .change")).to_contain_text("Red bids")
    press(page, "Count the chances here")
    expect(page.locator(".panels")).to_contain_text("A fair bid is")


def dark(page):
    choose(page, "Dark")


def invited(page):
    dark(page)
    page.get_by_label("The other player is").select_option("apart-white")
    page.get_by_role("spinbutton", name="Board").fill("3")
    press(page, "New game")
    expect(page.get_by_label("Address")).to_be_visible()


def curtain(page):
    dark(page)
    page.get_by_label("The other player is").select_option("")
    page.get_by_role("spinbutton", name="Board").fill("2")
    press(page, "New game")
    expect(page.get_by_text("Who is at the screen")).to_be_visible()


def seen(page):
    curtain(page)
    press(page, "I am Red")
    cell(page, "a1").click()
    expect(page.locator(".panels")).to_contain_text("The other player is to move")


def end_of_dark(page):
    seen(page)
    for player, move in (("Blue", "b1"), ("Red", "a2")):
        press(page, "Hide the board, pass the screen")
        press(page, f"I am {player}")
        cell(page, move).click()
    expect(page.locator(".panels")).to_contain_text("has won; all stones are shown")


def set_up(page):
    choose(page, "Set up")
    page.get_by_role("radio", name="Mark: arrow").check()


def view(page):
    choose(page, "View")


def helped(page):
    choose(page, "Help")


WAYS = (
    first_sight, swap_map, why, at_the_end, review, note, candidates, asked, connections,
    must_play, net, chances, prose, menu_of_a_move, toast, problem, question, several,
    before_play, in_play,
    resigning, why_in_play, after_play, puzzles, gallery, puzzle, solved_puzzle, open_game,
    not_opened, share, shared, more, solve, bids, bidding, dark, invited, curtain, seen,
    end_of_dark, set_up, view, helped,
)  # fmt: skip

DAILY = (toast, more, after_play)  # axe takes seconds


def broken_rules(page, rules=TAGS):
    """Return the rules that the current screen breaks, with three places each."""
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found["violations"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("way", [w if w in DAILY else pytest.param(w, marks=NIGHTLY) for w in WAYS])
def test_axe_reports_no_violation_on_any_screen(browser, game, way):
    """Axe reports no violation in any colors, and targets are large enough on a phone."""
    options = {"permissions": ["clipboard-read", "clipboard-write"], "viewport": LAPTOP}
    with opened(browser, game, is_alone=True, settings=SETTINGS, **options) as page:
        answered(page)
        way(page)
        page.evaluate(AXE_SCRIPT)
        assert broken_rules(page) == []
        for colors, media in COLORS.items():
            page.emulate_media(**media)
            assert broken_rules(page, OF_COLORS) == [], colors
        for size in (LAPTOP, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate(SMALL) == []
            assert page.evaluate(CLIPPED) == []
