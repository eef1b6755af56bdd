"""What is in sight on low, short and zoomed windows, and with larger text."""

import pytest
from browser import SEARCHING, UNREVIEWED, answered, cell, choose, go_to, opened, served, tab
from clock import HOLD, wait_until
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE

from hsearch import formats
from player.board.asked import position

PHONE = {"width": 360, "height": 640}
# Whether the words of the search, as far as they are in sight, lie over those of the headline.
OVERLAP = """() => {
  const [head, words] = [".verdict .headline", ".search span"].map((where) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(where));
    return range.getBoundingClientRect();
  });
  const bottom = document.querySelector(".search").getBoundingClientRect().bottom;
  return words.top < bottom - 1 && words.top < head.bottom && words.left < head.right;
}"""


def test_the_headline_and_the_simulations_do_not_overlap(browser, monkeypatch):
    """Also with a long headline, on a narrow screen and with text of twice the size."""

    def moves(_desk, job, _question):
        job.tell({"candidates": [], "estimate": None, "text": "12,345 simulations"})
        job.cancel.wait()
        job.check()

    answer_by(monkeypatch, position, "moves", moves)
    game = formats.read("(;GM[11]FF[4]SZ[11]RU[swap];B[f6])")
    with served(game) as bound, opened(browser, bound, settings=SEARCHING) as page:
        words = page.locator(".search span")
        expect(words).to_have_text("12,345 simulations")
        expect(page.locator(".headline")).to_have_text("Blue may swap, and should")
        for width, height, size in ((1280, 800, ""), (1024, 768, ""), (1280, 800, "200%")):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
            assert not page.evaluate(OVERLAP), (width, size)
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.evaluate("document.querySelector('.headline').innerText = 'Red wins'")
        expect(words).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(360, 640), (375, 667)])
def test_all_buttons_of_a_game_are_in_sight_on_a_short_phone(browser, empty, monkeypatch, size):
    """Resign and Stop are as much in sight as Hint, also beside the button for a hint."""
    view = {"viewport": {"width": size[0], "height": size[1]}}
    answer_by(monkeypatch, position, "hint", lambda *_: {"move": "f6", "said": "Hint: f6. " * 9})
    with opened(browser, empty, "#11", settings=UNREVIEWED, **view) as page:
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        expect(page.locator("main.under-way")).to_be_visible()
        for hint in ("Hint", "Play hint"):
            expect(page.get_by_role("button", name=hint, exact=True)).to_be_visible()
            buttons = page.locator(".panels .buttons button")
            expect(buttons).to_have_count(6)
            for button in buttons.all():
                expect(button).to_be_in_viewport(ratio=1)
            buttons.first.click()


def test_all_places_are_in_sight_on_a_phone_with_larger_text(browser, empty):
    """With text of half the size more; with the usual text they are in one row."""
    with opened(browser, empty, "#5", settings=UNREVIEWED, viewport=PHONE) as page:
        places = page.locator("header").locator("button:visible, summary")
        expect(places).to_have_count(6)
        assert len({place.bounding_box()["y"] for place in places.all()}) == 1
        page.evaluate("document.documentElement.style.fontSize = '150%'")
        for place in places.all():
            expect(place).to_be_in_viewport(ratio=1)


def test_the_question_before_resigning_is_spoken_on_a_phone(browser, empty):
    """There is no room for its words; a screen reader hears them all the same."""
    with opened(browser, empty, "#5", settings=UNREVIEWED, viewport=PHONE) as page:
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="Resign").click()
        expect(page.get_by_role("alert")).to_have_text("Resign this game?")


def test_a_long_name_makes_no_tall_tile(browser, empty):
    """In the recent games it is cut, so that the number of moves is in sight."""
    with opened(browser, empty, "#3", settings=UNREVIEWED, viewport=PHONE) as page:
        answered(page)
        page.evaluate(PASTE, f"(;GM[11]FF[4]SZ[3]PB[{'W' * 300}]PW[Ann];B[a1];W[c3])")
        expect(page.locator(".move").last).to_have_text("2 c3")
        choose(page, "Open")
        tile = page.locator(".recent button", has_text="2 moves")
        assert tile.bounding_box()["height"] < 300


def test_the_button_of_the_move_box_is_in_sight_in_a_low_window(browser, empty):
    """As on a phone in landscape, or with a zoom of 200 %; the page does not scroll."""
    with opened(browser, empty, "#11,f6", settings=UNREVIEWED) as page:
        for place in ("Analyze", "Play"):
            choose(page, place)
            for width, height in ((568, 320), (600, 500), (640, 400), (667, 375)):
                page.set_viewport_size({"width": width, "height": height})
                go = page.get_by_role("button", name="Go", exact=True)
                expect(go).to_be_in_viewport(ratio=1)
                room = page.evaluate(
                    "(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight])"
                    "(document.documentElement)"
                )
                assert room == [width, height], place


def test_all_text_follows_the_font_size_of_the_browser(browser, empty):
    """Text of the body and of the headline grow alike."""
    size = "where => parseFloat(getComputedStyle(document.querySelector(where)).fontSize)"
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        expect(page.locator(".headline")).to_be_visible()
        before = [page.evaluate(size, where) for where in ("body", ".headline")]
        page.evaluate("document.documentElement.style.fontSize = '24px'")
        after = [page.evaluate(size, where) for where in ("body", ".headline")]

    assert before == [14, pytest.approx(23.2)]
    assert after == [21, pytest.approx(34.8)]


def test_the_button_that_stops_the_graph_is_in_sight_in_a_narrow_column(
    browser, empty, monkeypatch
):
    """It is at 200 per cent, where the column has 240 pixels."""

    def held(_desk, job, _question):
        job.tell({"text": "53 of 69 moves"})
        job.cancel.wait(HOLD)
        job.check()

    answer_by(monkeypatch, position, "graph", held)
    viewport = {"width": 640, "height": 360}
    with opened(browser, empty, "#3,a1b2", settings=UNREVIEWED, viewport=viewport) as page:
        graph = page.locator(".graph")
        expect(graph).to_contain_text("53 of 69 moves")
        stop = graph.get_by_role("button", name="Stop")
        stop.scroll_into_view_if_needed()
        column, button = graph.bounding_box(), stop.bounding_box()
        assert button["x"] + button["width"] <= column["x"] + column["width"]
        stop.click()
        expect(stop).to_have_count(0)


# The regions of Analyze, and parts of them, whose content continues below their end.
CUT_OFF = """() => [...document.querySelectorAll("body, #page, main, .regions, .regions *")]
  .filter((part) => part.scrollHeight > part.clientHeight + 1
    && getComputedStyle(part).overflowY !== "visible")
  .map((part) => part.outerHTML.slice(0, 80))"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "viewport", [{"width": 718, "height": 1047}, {"width": 1047, "height": 718}]
)
def test_a_printed_page_has_the_whole_answer_and_no_buttons(browser, london, viewport):
    """A sheet of A4 in both directions; what scrolls on a screen is printed in full."""
    with opened(browser, london, viewport=viewport) as page:
        go_to(page, 50)
        expect(page.locator(".why")).to_be_attached()
        page.emulate_media(media="print")
        cut_off = page.evaluate(CUT_OFF)
        bottom = page.locator(".why").bounding_box()

        assert cut_off == []
        assert bottom["y"] + bottom["height"] <= page.evaluate("document.body.scrollHeight")
        for shown in (".board", ".chart", ".verdict", ".tree-of-moves > :last-child"):
            expect(page.locator(shown)).to_be_visible()
        for hidden in ("header", ".strip", ".move-bar"):
            expect(page.locator(hidden)).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [{"width": 320, "height": 256}, {"width": 427, "height": 240}])
def test_a_page_at_300_or_400_per_cent_scrolls_past_a_board_of_its_width(browser, london, viewport):
    """The board takes the width; the answer, with its button, and the rest come below it."""
    with opened(browser, london, viewport=viewport) as page:
        go_to(page, 50)
        page.locator(".standing").scroll_into_view_if_needed()
        board, answer, pause = (
            page.locator(one).bounding_box() for one in (".board", ".verdict", ".search button")
        )
        assert board["width"] > 0.8 * viewport["width"]
        assert answer["y"] >= board["y"] + board["height"]
        assert answer["y"] < pause["y"] < answer["y"] + answer["height"]

        choose(page, "Play")
        start = page.get_by_role("button", name="New game")
        expect(page.locator(".standing")).to_be_in_viewport()
        expect(start).not_to_be_in_viewport()
        start.scroll_into_view_if_needed()
        expect(start).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.mark.slow
def test_a_label_of_three_characters_stays_in_its_cell(browser, empty):
    with opened(browser, empty, settings=UNREVIEWED) as page:
        answered(page)
        page.evaluate(PASTE, "(;FF[4]GM[11]SZ[11]AB[c3]LB[c3:ABC][e5:100][g7:WWW][h8:12])")
        labels = page.locator("text.own-mark")
        expect(labels).to_have_text(["ABC", "100", "WWW", "12"])
        for name, label in zip(("c3", "e5", "g7", "h8"), labels.all(), strict=True):
            text, room = label.bounding_box(), cell(page, name).bounding_box()
            assert room["x"] < text["x"]
            assert text["x"] + text["width"] < room["x"] + room["width"]


@pytest.mark.parametrize(
    ("height", "size"), [(650, "100%"), (720, "125%"), (720, "150%"), (900, "200%")]
)
def test_the_column_scrolls_to_its_end(browser, london, height, size):
    """As on a laptop, whose browser takes a part of 768 pixels, and with larger text."""
    viewport = {"width": 1366, "height": height}
    with opened(browser, london, settings=UNREVIEWED, viewport=viewport) as page:
        page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
        tab(page, "Note")
        page.locator(".move-bar").hover()
        page.mouse.wheel(0, 3000)
        end = page.get_by_role("tabpanel").bounding_box
        wait_until(lambda: end()["y"] + end()["height"] <= height)
        assert page.evaluate("document.documentElement.scrollHeight") == height


@pytest.mark.parametrize("place", ["Analyze", "Play", "Share", "Dark"])
def test_a_phone_with_text_of_twice_the_size_shows_all_controls(browser, empty, place):
    """No control is beside the window, and what a button copies is legible."""
    beside = """() => [...document.querySelectorAll("button, input, select")].filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return each.checkVisibility() && (left < 0 || right > innerWidth);
    }).map((each) => each.outerHTML)"""
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED, viewport=PHONE) as page:
        answered(page)
        choose(page, place)
        expect(page.locator(f"main.{place.lower()}")).to_be_visible()
        first = page.get_by_role("button", name="First")
        assert first.bounding_box()["width"] > 31.5  # the usual text leaves room for it
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(beside) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if place == "Share":
            name = page.get_by_text("SGF", exact=True).bounding_box()
            assert name["width"] > name["height"]
