"""The page's sentences: in players' words, not repeated, with cells shown on the board."""

import re

import pytest
from browser import cell, choose, go_to, opened
from playwright.sync_api import expect

pytestmark = pytest.mark.firefox  # if it is installed
WIDE = {"viewport": {"width": 1440, "height": 900}}
COLORS = {"reviews": False}


def test_pointing_at_a_cell_name_in_a_sentence_highlights_the_cell(browser, london):
    with opened(browser, london, settings=COLORS) as page:
        go_to(page, 50)
        page.locator(".headline .cell-name").hover()
        expect(page.locator(".picture .pulse")).to_have_count(1)
        page.mouse.move(10, 400)
        expect(page.locator(".picture .pulse")).to_have_count(0)
        page.locator(".why summary").filter(has_text="(1) north").press("Enter")
        page.locator(".why .cases .cell-name").first.hover()
        expect(page.locator(".picture .pulse")).to_have_count(1)
        page.mouse.move(10, 400)
        expect(page.locator(".picture .pulse")).to_have_count(0)


ENGINE_WORDS = r"\b(semi|carrier|must-play|H-search|hexy|suite|M=|K=|E =)|`"


@pytest.mark.slow
@pytest.mark.parametrize("move", [0, 20, 49, 50, 69])
def test_engine_terms_appear_only_in_details(browser, london, move):
    """Engine terms appear in Details only."""
    with opened(browser, london, settings=COLORS, **WIDE) as page:
        go_to(page, move)
        parts = page.locator(".verdict > :not(details), .why, .standing, .graph, .moves")
        expect(parts.filter(has_text=re.compile(ENGINE_WORDS))).to_have_count(0)
        page.locator(".verdict summary").click()
        expect(page.locator(".verdict details")).to_contain_text(re.compile(ENGINE_WORDS))


@pytest.mark.slow
def test_sentences_that_misled_are_gone(browser, london):
    """Misleading sentences about proofs, estimates and resignations are corrected."""
    with opened(browser, london, settings=COLORS, **WIDE) as page:
        go_to(page, 50)
        expect(page.locator(".why")).to_be_visible()
        cell(page, "k1").hover()
        said = "After f8, Blue k1 changes nothing: it needs no reply."
        expect(page.locator(".reply-line")).to_have_text(said)
        choose(page, "Share")
        expect(page.locator(".panels h2")).to_have_text("Share")
        choose(page, "Help")
        words = (
            "by connections, or by a search to the end; marked ■. Everything else is an estimate"
        )
        expect(page.locator(".panels")).to_contain_text(words)
        for key, place in (("Escape", "Share"), ("?", "Hex"), ("?", "Share")):
            page.keyboard.press(key)
            expect(page.locator(".panels h2").first).to_have_text(place)
        choose(page, "Analyze")
        box = page.get_by_label("Move or question")
        box.fill("resign")
        box.press("Enter")
        expect(page.locator(".standing").first).to_have_text(re.compile("^Red resigned[^0-9]*$"))
        expect(page.locator(".headline")).to_have_text("Red resigned")


@pytest.mark.slow
def test_hint_and_why_agree_and_a_swap_hint_has_one_estimate(browser, empty):
    """Hint and Why show the same chance, and a hint to swap has a single estimate."""
    with opened(browser, empty, "#11", settings=COLORS) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        cell(page, "f6").click()
        slot, hint = page.locator(".panels .slot").first, page.get_by_role("button", name="Hint")
        expect(hint).to_have_attribute("aria-disabled", "false")
        hint.click()
        expect(slot).to_contain_text("Hint: swap.")
        assert len(re.findall("estimated to", slot.inner_text())) == 1
        page.get_by_role("button", name="Play the hint").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        expect(hint).to_have_attribute("aria-disabled", "false")
        hint.click()
        expect(slot).to_contain_text("Red's chance to win is ")
        page.get_by_role("button", name="Why", exact=True).click()
        estimate = page.locator(".panels .verdict .estimate")
        expect(estimate).to_contain_text("Red ")
        chances = re.findall("Red(?:'s chance to win is)? ([0-9]+) %", page.inner_text(".panels"))
        assert len(chances) == 2
        assert len(set(chances)) == 1


@pytest.mark.slow
def test_the_calculation_of_a_bid_is_in_the_details(browser, empty):
    """The rules have three lines; the engine's calculation is in the details."""
    with opened(browser, empty, settings=COLORS) as page:
        choose(page, "Bids")
        expect(page.locator(".rules li")).to_have_count(3)
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".standing").first).to_have_text("Both bid.")
        expect(page.get_by_role("grid", name="Both bid.")).to_be_visible()
        for color in ("black", "white"):
            expect(page.locator(f".glow.{color}").first).to_have_css("visibility", "hidden")
        page.get_by_role("button", name="Seal the bid").click()
        expect(page.locator(".panels .change")).to_contain_text("Red bids 10, Blue bids")
        expect(page.get_by_text("random turns")).not_to_be_visible()
        page.locator(".panels summary").first.click()
        expect(page.get_by_text("random turns")).to_be_visible()
        choose(page, "Dark")
        expect(page.locator(".rules li")).to_have_count(3)


def test_connections_of_two_stones_are_counted(browser, empty):
    with opened(browser, empty, "#4,b2b3c2") as page:
        page.get_by_role("radio", name="Connections").check()
        expect(page.get_by_role("tabpanel")).to_contain_text(re.compile(r"\d links?\."))
        for ends, said in (
            (("b2", "b3"), "Nothing that is known joins b2 and b3."),
            (("a4", "b3"), "1 connection between a4 and b3."),
            (("b2", "c2"), "Stones join b2 and c2 already."),
        ):
            page.get_by_role("checkbox", name="Ask").set_checked(ends[0] == "a4")
            for end in ends:
                cell(page, end).click()
            expect(page.get_by_role("tabpanel")).to_contain_text(said)
