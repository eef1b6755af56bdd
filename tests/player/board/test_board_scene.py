"""The scene that the page is for: a finished game is pasted, and says where it was lost.

Each promise on four screens; the scene itself by mouse, by keyboard and by touch.
"""

import re

import pytest
from browser import cell, choose, go_to, opened, served, tab
from PIL import Image, ImageSequence
from playwright.sync_api import expect
from test_board_keeping import PASTE
from test_board_page import QUEENBEE_HEXY

from hsearch import formats

SIZES = {
    "wide": (1440, 900),
    "laptop": (1280, 720),
    "phone": (390, 844),
    "lying": (740, 360),
    "zoomed": (720, 450),
}
# Red wins from its sixth move on; the swap and the resignation are part of the record.
THIRTEEN = (
    "(;FF[4]GM[11]SZ[13]RE[W+R];B[a2];W[swap-pieces];B[g7];W[c11];B[d9];W[j4];B[j3];W[i4]"
    ";B[resign])"
)

QUICK = {"reviews": True, "deepens": False}


@pytest.fixture(scope="module")
def empty():
    with served() as bound:
        yield bound


@pytest.fixture(scope="module")
def london():
    with served(formats.load(QUEENBEE_HEXY)) as bound:
        yield bound


def pasted(page, text):
    expect(page.get_by_role("grid")).to_be_visible()
    page.evaluate(PASTE, text)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_a_pasted_game_says_where_it_was_lost(browser, empty, way):
    """Nothing is chosen; the turn is named, a dot leads before it, and replies are shown."""
    options = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with opened(browser, empty, settings=QUICK, **(options if way == "touch" else {})) as page:
        pasted(page, QUEENBEE_HEXY.read_text())
        turn = page.locator(".verdict .turn")
        expect(turn).to_have_text(re.compile("^Red wins from move 50. 50 g9 was the mistake; "))
        if way == "touch":
            page.get_by_role("button", name="Details").click()
        dot = page.get_by_role("button", name="Mistake: 50 g9")
        {"mouse": dot.click, "keyboard": lambda: dot.press("Enter"), "touch": dot.tap}[way]()
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 49 h8.")
        expect(cell(page, "g9")).to_have_attribute("aria-label", re.compile("the mistake"))
        if way == "touch":
            page.get_by_role("button", name="Board", exact=True).tap()
        expect(page.locator(".picture .played")).to_have_count(1)
        if way == "keyboard":
            cell(page, "g9").press("Enter")
        else:
            cell(page, "g9").click()
        expect(page.locator(".headline")).to_have_text("Red wins with f8")
        if way == "keyboard":
            cell(page, "j7").focus()
        elif way == "touch":
            cell(page, "j7").dispatch_event("pointerdown", {"pointerType": "touch"})
        else:
            cell(page, "j7").hover()
        replies = "After the key f8: Blue j7: Red replies h9."
        expect(page.locator(".reply-line")).to_have_text(replies)
        expect(page.locator(".picture .reply")).to_have_count(1)


@pytest.mark.slow
def test_a_game_with_swap_and_resignation_shows_its_result_alone(browser, empty):
    with opened(browser, empty, settings=QUICK) as page:
        pasted(page, THIRTEEN)
        expect(page.locator(".headline")).to_have_text("Red resigned")
        expect(page.locator(".verdict p")).to_have_count(0)
        page.get_by_role("slider", name="Move").press("ArrowLeft")
        expect(page.locator(".verdict .estimate, .verdict .proved").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_answer_board_and_arrows_are_in_sight_and_nothing_moves(browser, london, size):
    """No region changes its height or its place between moves."""
    width, height = SIZES[size]
    regions = [".board", ".headline", ".move-bar", ".verdict", ".line"]
    boxes = "names => names.map(name => JSON.stringify(document.querySelector(name)"
    boxes += ".getBoundingClientRect())).join()"
    with opened(browser, london, viewport={"width": width, "height": height}) as page:
        seen = set()
        for move in (0, 20, 49, 50, 69):
            go_to(page, move)
            page.locator(".regions").evaluate("column => column.scrollTo(0, 0)")
            for name in (".board", ".headline", ".move-bar .buttons"):
                expect(page.locator(name)).to_be_in_viewport(ratio=1)
            parts = page.evaluate(boxes, regions)
            seen.add(re.sub(r'"(width|right)":[0-9.]+', "", parts) if move else "")
        assert len(seen - {""}) == 1


@pytest.mark.slow
def test_a_move_in_place_of_a_mistake_is_answered(browser, empty):
    """One that loses is taken back, with its refutation as ghost stones."""
    with opened(browser, empty, settings=QUICK) as page:
        pasted(page, QUEENBEE_HEXY.read_text())
        expect(page.locator(".verdict .turn")).to_be_visible()
        tab(page, "Review")
        page.locator(".card").filter(has_text="50 g9??").get_by_text("Try it yourself").click()
        cell(page, "a1").click()
        expect(page.locator(".notice")).to_contain_text("a1 loses")
        expect(page.locator(".ghost")).not_to_have_count(0)
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 49 h8.")


@pytest.mark.slow
def test_arrows_and_the_wheel_step_wherever_nothing_is_typed(browser, london):
    """After a click on the board, on a move, on a button; and the last variation is remembered."""
    with opened(browser, london) as page:
        standing = page.locator(".standing").first
        go_to(page, 20)
        page.get_by_role("button", name="Next", exact=True).click()
        page.keyboard.press("ArrowRight")
        expect(standing).to_contain_text("after 22 ")
        cell(page, "a1").click()
        expect(standing).to_contain_text("after 23 a1, in a variation")
        page.keyboard.press("ArrowLeft")
        expect(standing).to_contain_text("after 22 ")
        page.keyboard.press("ArrowRight")
        expect(standing).to_contain_text("after 23 a1")
        page.keyboard.press("Home")
        expect(standing).to_have_text("Black to move.")
        page.mouse.wheel(0, 100)
        expect(standing).to_contain_text("after 1 ")
        page.get_by_label("Move or question").press("ArrowRight")
        expect(standing).to_contain_text("after 1 ")


@pytest.mark.slow
def test_the_graph_is_clicked_and_dragged(browser, london):
    with opened(browser, london) as page:
        go_to(page, 10)
        box = page.locator(".chart").bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.click(box["x"] + box["width"] * 50 / 69, middle)
        expect(page.locator(".standing").first).to_contain_text(re.compile("after (49|50|51) "))
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 20 / 69, middle)
        page.mouse.up()
        expect(page.locator(".standing").first).to_contain_text(re.compile("after (19|20|21) "))
        expect(page.locator(".graph-head")).to_contain_text("estimated")


@pytest.mark.slow
def test_a_game_begins_with_the_first_click_and_is_not_resigned_by_two(browser, empty):
    """Buttons keep their places: where Swap was, a second click finds Swap switched off."""
    with opened(browser, empty, "#5", settings={"reviews": False}) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        cell(page, "b4").click()
        swap = page.get_by_role("button", name="Swap", exact=True)
        before = swap.bounding_box()
        swap.dblclick(force=True)
        expect(page.get_by_role("button", name="Swap", exact=True)).to_be_disabled()
        assert swap.bounding_box() == before
        expect(cell(page, "d2")).to_have_attribute("aria-label", re.compile("blue stone"))
        page.get_by_role("button", name="Resign").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue has won.")


@pytest.mark.slow
def test_the_first_sight_is_a_clean_board(browser, empty):
    """Red and Blue, three ways to begin, a ghost stone under the pointer; no heat map."""
    with opened(browser, empty, settings={"reviews": False}) as page:
        expect(page.get_by_text("Play, paste a game, or open an example.")).to_be_visible()
        expect(page.locator(".standing").first).to_have_text("Red to move.")
        expect(page.locator(".heat, .rank, .dot, .ring")).to_have_count(0)
        cell(page, "f6").hover()
        expect(page.locator(".ghost.black")).to_have_count(1)
        choose(page, "View")
        page.get_by_label("Players").select_option("black")
        expect(page.locator(".standing").first).to_have_text("Black to move.")


@pytest.mark.slow
def test_reasons_are_shown_on_the_board(browser, london):
    """A part tints its cells, by pointer and by focus; a case shows threat and reply as ghosts."""
    with opened(browser, london) as page:
        go_to(page, 50)
        part = page.locator(".why summary").filter(has_text="(1) north")
        part.locator("span").hover()
        expect(page.locator(".picture .tint")).to_have_count(19)
        page.mouse.move(0, 0)
        part.press("Enter")
        expect(page.locator(".picture .tint")).to_have_count(19)
        page.locator(".why .cases .pointer").nth(1).focus()
        expect(page.locator(".picture .ghost")).to_have_count(2)
        page.get_by_label("Move or question").focus()
        expect(page.locator(".picture .tint, .picture .ghost")).to_have_count(0)


@pytest.mark.slow
def test_a_puzzle_is_refuted_solved_and_ticked(browser, empty):
    """By grade, with pictures; a wrong move and its answer are ghosts; the tick is there again."""
    with opened(browser, empty) as page:
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved puzzles").click()
        expect(page.get_by_role("heading", name="Grade 5")).to_be_visible()
        expect(page.locator(".recent .thumbnail")).to_have_count(74)
        page.get_by_title("5x5-grade1-01").click()
        cell(page, "a1").click()
        expect(page.locator(".panels .slot")).to_contain_text("a1 loses")
        expect(page.locator(".picture .ghost")).to_have_count(2)
        cell(page, "c4").click()
        expect(page.locator(".panels .slot.proved")).to_be_visible()
        expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
        page.reload()
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved puzzles").click()
        expect(page.get_by_title("5x5-grade1-01")).to_contain_text("solved")
        page.get_by_title("5x5-grade1-02").click()
        page.get_by_role("button", name="Show the solution").click()
        expect(cell(page, "b5")).to_have_attribute("aria-label", re.compile("black stone"))
        expect(page.locator(".picture .dot, .picture .chosen").first).to_be_visible()


@pytest.mark.slow
def test_a_picture_is_saved_as_the_page_shows_it(browser, london):
    """A PNG in the colors of the players, with the stones that are on the board."""
    with opened(browser, london, settings={"reviews": False}) as page:
        go_to(page, 50)
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: Picture (PNG)").click()
        with Image.open(saved.value.path()) as picture:
            counted = {color: count for count, color in picture.convert("RGB").getcolors(1_000_000)}
        assert picture.width == 1200
        assert counted[(0xD2, 0x3B, 0x3B)] > 10_000
        assert counted[(0x2F, 0x6F, 0xDE)] > 10_000


@pytest.mark.slow
def test_moves_are_saved_as_frames_to_the_one_that_is_shown(browser, london):
    """A GIF in the colors of the players: a frame a move, the last one shown longer."""
    red, blue = (0xD2, 0x3B, 0x3B), (0x2F, 0x6F, 0xDE)
    with opened(browser, london, settings={"reviews": False}) as page:
        go_to(page, 9)
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: Moves up to here (GIF)").click()
        expect(page.locator(".offstage")).to_have_count(0)
        with Image.open(saved.value.path()) as picture:
            frames = [picture.copy() for picture in ImageSequence.Iterator(picture)]
        counted = [near(frame, red) / near(frame, blue) for frame in frames]
        times = [frame.info["duration"] for frame in frames]
        stones = [near(frame, red) + near(frame, blue) for frame in frames]

    assert len(frames) == 10
    assert stones == sorted(stones)
    assert times == [700] * 9 + [2500]
    assert counted[0] == pytest.approx(1, abs=0.2)  # two edges each
    assert counted[9] > 1  # five stones against four


def near(picture, color):
    """Return how many pixels have nearly a color."""
    found = picture.convert("RGB").getcolors(1_000_000)
    return sum(
        n for n, own in found if max(abs(x - y) for x, y in zip(own, color, strict=True)) < 12
    )
