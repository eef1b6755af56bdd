"""The page of a review in a real browser: opened as a file, and used by keys and mouse."""

from contextlib import contextmanager

import pytest
from browser import PATIENCE
from playwright.sync_api import expect

from player.study import review_page
from player.study.review import Verdict

GAME = "games/london-2000-hexy-queenbee.sgf"


@pytest.fixture(scope="module")
def reviewed(london_review):
    return london_review("london-2000-hexy-queenbee")


@pytest.fixture(scope="module")
def file(reviewed, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "review.html"
    path.write_text(review_page.write_page(reviewed))
    return path


@contextmanager
def opened(browser, file, **options):
    """Open a page from the disk; fail if it logs or requests anything else."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    tab, heard = context.new_page(), []
    tab.on("console", lambda message: heard.append(message.text))
    tab.on("pageerror", lambda error: heard.append(str(error)))
    tab.on("request", lambda asked: heard.append(asked.url) if asked.url != file.as_uri() else 0)
    tab.goto(file.as_uri())
    try:
        yield tab
        assert heard == []
    finally:
        context.close()


def shows(tab, reviewed, number):
    """Expect a position's number, verdict, stones and cursor in the chart."""
    state, moves = reviewed.states[number], len(reviewed.moves)
    expect(tab.locator("#number")).to_have_text(f"{number} of {moves}")
    expect(tab.locator("#at")).to_have_value(str(number))
    expect(tab.locator("#board circle.black")).to_have_count(state.position.black.count())
    expect(tab.locator("#board circle.white")).to_have_count(state.position.white.count())
    expect(tab.locator("#board .ring")).to_have_count(1 if number else 0)
    if number:
        expect(tab.locator("#say")).to_contain_text(reviewed.moves[number - 1].word)
        expect(tab.locator("#why")).to_contain_text(reviewed.moves[number - 1].basis[1:])


def test_the_page_is_stepped_through_by_keys(browser, reviewed, file):
    """The page opens at the turning point, and keys step up to both ends."""
    turn, last = reviewed.turning_point, len(reviewed.moves)
    with opened(browser, file) as tab:
        shows(tab, reviewed, turn)
        for key, number in (
            ("ArrowLeft", turn - 1),
            ("ArrowRight", turn),
            ("PageUp", turn - 10),
            ("Home", 0),
            ("ArrowLeft", 0),
            ("PageDown", 10),
            ("End", last),
            ("ArrowRight", last),
        ):
            tab.keyboard.press(key)
            shows(tab, reviewed, number)


def test_the_page_shows_every_position_of_the_review(browser, reviewed, file):
    with opened(browser, file) as tab:
        tab.keyboard.press("Home")
        for number in range(len(reviewed.states)):
            shows(tab, reviewed, number)
            tab.keyboard.press("ArrowRight")


def test_slider_buttons_table_and_chart_lead_to_a_position(browser, reviewed, file):
    loss = next(m.number for m in reviewed.moves if m.verdict is Verdict.PROVED_LOSS)
    with opened(browser, file) as tab:
        tab.locator("#at").fill("7")
        shows(tab, reviewed, 7)
        tab.get_by_role("button", name="one move on").click()
        shows(tab, reviewed, 8)
        tab.locator(f'button.go[data-move="{loss}"]').click()
        shows(tab, reviewed, loss)
        expect(tab.locator("tr[aria-current]")).to_have_count(1)
        tab.locator("#at").focus()
        tab.keyboard.press("ArrowLeft")
        shows(tab, reviewed, loss - 1)
        box = tab.locator("#chart svg").bounding_box()
        tab.locator("#chart svg").click(position={"x": box["width"] - 2, "y": box["height"] / 2})
        shows(tab, reviewed, len(reviewed.moves))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_the_width_of_a_phone(browser, reviewed, file, scheme):
    """The page fits the window's width, and board and chart are in view."""
    options = {"viewport": {"width": 380, "height": 700}, "color_scheme": scheme}
    with opened(browser, file, **options) as tab:
        shows(tab, reviewed, reviewed.turning_point)
        wide = tab.evaluate("document.documentElement.scrollWidth")
        assert wide <= 380
        for name in ("#board svg", "#chart svg"):
            assert 300 < tab.locator(name).bounding_box()["width"] <= 380


def test_the_texts_of_the_chart_do_not_overlap(browser, file):
    """The chart's texts are within the picture and do not overlap."""
    with opened(browser, file, viewport={"width": 1280, "height": 800}) as tab:
        frame = tab.locator("#chart svg").bounding_box()
        texts = [text.bounding_box() for text in tab.locator("#chart svg text").all()]

    for place, box in enumerate(texts):
        assert frame["x"] <= box["x"] <= box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] <= box["y"] + box["height"] <= frame["y"] + frame["height"]
        for other in texts[:place]:
            assert (
                box["x"] + box["width"] <= other["x"]
                or other["x"] + other["width"] <= box["x"]
                or box["y"] + box["height"] <= other["y"]
                or other["y"] + other["height"] <= box["y"]
            )
