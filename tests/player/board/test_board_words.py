"""The page's sentences: in players' words, not repeated, with cells shown on the board."""

import re
from threading import Event

import pytest
from browser import cell, choose, go_to, opened
from playwright.sync_api import expect
from stand_in import answer_by

from player.board.asked import position

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


SIGNS = [(True, "R Red, B Blue"), (False, "B Black, W White")]


@pytest.mark.parametrize(("is_red_blue", "signs"), SIGNS)
def test_the_board_as_text_explains_its_signs(browser, empty, is_red_blue, signs):
    """The stones have the initials of the players, and each sign that occurs is explained."""
    settings = {"reviews": False, "redBlue": is_red_blue}
    with opened(browser, empty, "#4,a1c2b3", settings=settings) as page:
        expect(page.locator(".proved")).to_be_visible()
        choose(page, "Share")
        page.get_by_text("Board as text").click()
        text = page.locator(".text-board pre").inner_text()
        first, second = re.findall(r"\b([A-Z]) ", signs)
        assert [text.count(sign) for sign in (first, second)] == [2, 1]
        proof = "+ the key, where it starts, * a cell of the proof"
        assert "+" in text
        assert "*" in text
        words = f"Signs: {signs}, . an empty cell, {proof}."
        expect(page.locator(".text-board p")).to_have_text(words)
        choose(page, "Analyze")
        page.get_by_role("radio", name="None").check()
        choose(page, "Share")
        words = f"Signs: {signs}, . an empty cell."
        expect(page.locator(".text-board p")).to_have_text(words)


def test_a_missing_analysis_is_not_blamed_on_the_server(browser, empty, monkeypatch):
    """While the analysis is not here, or stones are hidden, Share gives that reason."""
    with opened(browser, empty, settings=COLORS) as page:
        choose(page, "Dark")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels")).to_contain_text("'s view.")
        choose(page, "Share")
        copy = page.get_by_role("button", name="Copy: Analysis")
        copy.click()
        hidden = "Stones may lie here that you do not see, so nothing is analyzed."
        expect(page.locator(".ways")).to_contain_text(hidden)
    go_on, analyze = Event(), position.analyze

    def slow(desk, job, question):
        go_on.wait()
        return analyze(desk, job, question)

    answer_by(monkeypatch, position, "analyze", slow)
    with opened(browser, empty, "#4,a1", settings=COLORS) as page:
        choose(page, "Share")
        copy = page.get_by_role("button", name="Copy: Analysis")
        copy.click()
        expect(page.locator(".ways")).to_contain_text("The analysis is not here yet")
        go_on.set()


def test_no_cell_is_named_before_the_swap_map_is_here(browser, empty, monkeypatch):
    """Before the map is here, a cell is neither to swap nor not to swap."""
    go_on, openings = Event(), position.openings

    def slow(desk, job, question):
        go_on.wait()
        return openings(desk, job, question)

    answer_by(monkeypatch, position, "openings", slow)
    with opened(browser, empty, "#5", settings=COLORS) as page:
        page.get_by_role("button", name="Which first moves to swap").click()
        expect(page.get_by_role("radio", name="Swap map")).to_be_checked()
        label = "aria-label"
        expect(cell(page, "a1")).to_have_attribute(label, "a1, empty")
        go_on.set()
        expect(cell(page, "a1")).to_have_attribute(label, "a1, empty, do not swap it")


def test_no_threat_known_is_not_no_threat(browser, empty):
    with opened(browser, empty, "#11,f6", settings=COLORS) as page:
        page.get_by_role("radio", name="Must-play").check()
        hint = "No threat is known, so no cell is ruled out."
        expect(page.locator(".tabs .hint")).to_have_text(hint)
