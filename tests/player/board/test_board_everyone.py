"""Accessibility of the page: names, keys, targets, small and dark screens, and axe's rules."""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from browser import UNREVIEWED, answered, cell, choose, go_to, opened, served
from clock import wait_until
from nightly import IS_NIGHTLY, NIGHTLY
from playwright.sync_api import expect
from test_board_keeping import PASTE

from hsearch.hex.board import Board
from player.engine.levels import LEVELS

MODES = (
    "Analyze",
    "Play",
    "Solve",
    "Puzzles",
    "Bids",
    "Dark",
    "Open",
    "Share",
    "Set up",
    "View",
    "Help",
)
SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "forced": {"viewport": {"width": 1280, "height": 800}, "forced_colors": "active"},
    "colors": {"viewport": {"width": 1280, "height": 800}, "settings": {"reviews": False}},
}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_reports_no_accessibility_violation(browser, london, screen):
    """Axe reports no violation on three of the eleven places (nightly: on all)."""
    with opened(browser, london, **SCREENS[screen]) as page:
        go_to(page, 50)
        expect(page.locator(".why")).to_be_visible()
        page.evaluate(AXE_SCRIPT)
        for mode in MODES if IS_NIGHTLY else ("Analyze", "Play", "Open"):
            choose(page, mode)
            options = {"runOnly": TAGS, "resultTypes": ["violations"]}
            found = page.evaluate("options => axe.run(document, options)", options)
            rules = [
                (each["id"], [node["target"] for node in each["nodes"]][:3])
                for each in found["violations"]
            ]
            assert rules == [], mode


@pytest.mark.slow
def test_every_cell_has_a_name_and_one_is_a_tab_stop(browser, london):
    """Each cell has a name and a state, and the grid has one tab stop; axe does not check it."""
    with opened(browser, london) as page:
        go_to(page, 50)
        names = page.locator('[role="gridcell"]').evaluate_all(
            "cells => cells.map(cell => [cell.dataset.cell, cell.getAttribute('aria-label')])"
        )
        stops = page.locator('[role="gridcell"][tabindex="0"]')

        assert [name for name, _ in names] == [Board(11, 11).name(c) for c in Board(11, 11).cells]
        for name, words in names:
            assert re.match(f"{name}, (black stone|white stone|empty)", words)
        expect(stops).to_have_count(1)


@pytest.mark.slow
def test_arrows_reach_all_six_neighbors(browser, london):
    with opened(browser, london) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        board = Board(11, 11)
        reached = []
        for keys in (
            "ArrowLeft",
            "ArrowRight",
            "ArrowUp",
            "ArrowDown",
            "Shift+ArrowUp",
            "Shift+ArrowDown",
        ):
            cell(page, "f6").focus()
            page.keyboard.press(keys)
            reached.append(page.evaluate("document.activeElement.dataset.cell"))

        assert sorted(reached) == sorted(map(board.name, board.neighbors(board.cell("f6"))))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["Analyze", "Play"])
@pytest.mark.parametrize(("side", "height"), [(11, 640), (11, 740), (15, 740)])
def test_cells_are_large_enough_on_a_phone(browser, side, height, place):
    """A circle of 24 pixels fits into each cell, also during a game."""
    with (
        served() as bound,
        opened(browser, bound, f"#{side}", viewport={"width": 360, "height": height}) as page,
    ):
        if place == "Play":
            choose(page, "Play")
            page.get_by_role("spinbutton", name="Board").fill(str(side))
            page.get_by_role("button", name="New game").click()
            expect(page.locator("main.under-way")).to_be_visible()
        expect(cell(page, Board(side, side).name(side * side - 1))).to_be_attached()
        centers = page.locator('[role="gridcell"]').evaluate_all(
            "cells => cells.map(cell => { const box = cell.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })"
        )
        apart = min(
            ((x - u) ** 2 + (y - v) ** 2) ** 0.5
            for place, (x, y) in enumerate(centers)
            for u, v in centers[place + 1 :]
        )

        assert apart >= 24


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 360])
def test_nothing_scrolls_sideways(browser, london, width):
    with opened(browser, london, viewport={"width": width, "height": 740}) as page:
        go_to(page, 50)
        for mode in MODES:
            choose(page, mode)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, mode


@pytest.mark.slow
def test_proof_and_estimate_never_share_a_style(browser, london):
    with opened(browser, london) as page:
        look = (
            "element => { const style = getComputedStyle(element);"
            " return [style.fontStyle, style.fontWeight, style.borderLeftStyle]; }"
        )
        go_to(page, 50)
        proved = page.locator(".proved").evaluate(look)
        go_to(page, 20)
        estimate = page.locator(".estimate").evaluate(look)

        assert all(one != other for one, other in zip(proved, estimate, strict=True))
        expect(page.locator(".proved")).to_have_count(0)


def play_on(page, move, most):
    """Play the person's moves until a player has won, and check that the win is shown."""
    standing = page.locator(".panels .standing")
    for _ in range(most):
        expect(standing).to_have_text(re.compile("Black is to move|has won"))
        if "has won" in standing.inner_text():
            break
        move()

    expect(standing).to_have_text(re.compile("has won"))
    expect(page.locator(".proved")).to_contain_text("has won: a chain of stones")


@pytest.mark.slow
def test_the_board_stays_visible_beside_long_panels(browser, london):
    """Beside the panels, the board stays in view however far they are scrolled."""
    with opened(browser, london, **SCREENS["desktop"]) as page:
        go_to(page, 50)
        expect(page.locator(".why")).to_be_visible()
        page.get_by_text("(1) north").click()
        page.mouse.move(1100, 700)
        page.mouse.wheel(0, 4000)
        panel = page.locator("#tab-panel")
        wait_until(lambda: panel.evaluate("panel => panel.scrollTop") > 100)

        expect(cell(page, "f6")).to_be_in_viewport(ratio=1)
        expect(cell(page, "a1")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["level:1", "level:11"])
def test_a_game_can_be_played_by_keyboard_on_a_phone(browser, level):
    """The grid and its keys play a whole 4x4 game against the weakest and strongest levels."""
    with served() as bound, opened(browser, bound, **SCREENS["phone"]) as page:
        choose(page, "Play")
        options = page.get_by_label("Opponent").locator("option")
        expect(options).to_have_count(len(LEVELS))
        listed = options.all_inner_texts()
        gains = [each.gains.get(11, each.gain) for each in LEVELS]  # a new game is on 11x11
        words = ["" if gain is None else f" ({gain:+d})" for gain in gains]
        assert listed == [f"{each.title}{word}" for each, word in zip(LEVELS, words, strict=True)]
        page.get_by_role("spinbutton", name="Board").fill("4")
        page.get_by_label("Opponent").select_option(level)
        page.get_by_role("button", name="New game").press("Enter")
        expect(cell(page, "a1")).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(cell(page, "b1")).to_be_focused()

        def move():
            last = page.locator('[role="gridcell"][aria-label*="empty"]').last
            name = last.get_attribute("data-cell")
            last.focus()
            page.keyboard.press("Enter")
            expect(cell(page, name)).not_to_have_attribute("aria-label", re.compile("empty"))

        said = {
            "level:1": "level 1 Beginner",
            "level:11": "level 11 Champion",
        }[level]
        expect(page.locator(".panels")).to_contain_text(f"White is the engine: {said}.")
        play_on(page, move, most=8)
        # Each move of the engine and the person is judged now, not only the end.
        page.get_by_role("button", name="Go through the game").click()
        more = re.compile(r"^(1\.5|[2-9]|1[0-9])")
        expect(page.locator(".band").last).to_have_attribute("width", more)


@pytest.mark.slow
def test_a_game_resumes_after_a_place_change_or_reload(browser):
    """A game resumes with its clock and level after other places are shown or a reload.

    Loading another game ends it, and the page reports that.
    """
    with served() as bound, opened(browser, bound) as page:
        standing = page.locator(".panels .standing")
        choose(page, "Play")
        page.get_by_role("spinbutton", name="Board").fill("5")
        page.get_by_label("Opponent").select_option("level:2")
        page.get_by_label("The second player may swap").uncheck()
        page.get_by_label("Clock").fill("5")
        page.get_by_role("button", name="New game").click()
        cell(page, "a5").click()
        expect(page.locator(".panels")).to_contain_text("White plays")
        page.reload()
        expect(page.locator(".panels")).to_contain_text("White plays")
        expect(page.locator(".panels")).to_contain_text("White is the engine: level 2")
        expect(page.locator(".clock")).to_contain_text(re.compile("Black [45]:"))
        expect(page.locator(".verdict, .dot")).to_have_count(0)
        choose(page, "Analyze")
        cell(page, "e1").click()
        expect(cell(page, "e1")).to_have_attribute("aria-label", re.compile("black stone"))
        choose(page, "Play")
        expect(cell(page, "e1")).to_have_attribute("aria-label", re.compile("empty"))
        expect(standing).to_have_text("Black is to move.")
        page.get_by_label("Move or question").fill("undo")
        page.get_by_role("button", name="Go", exact=True).click()
        expect(cell(page, "a5")).to_have_attribute("aria-label", re.compile("empty"))

        choose(page, "Open")
        page.get_by_role("textbox", name="SGF").fill("#7c1,d4")
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(page.get_by_role("grid")).to_have_attribute("aria-label", re.compile("7 by 7"))
        choose(page, "Play")
        expect(page.locator(".notice")).to_contain_text("that with the engine is over")
        expect(page.get_by_role("button", name="New game")).to_be_visible()
        page.reload()
        choose(page, "Play")
        expect(page.get_by_label("Opponent")).to_have_value("level:2")
        expect(page.get_by_role("spinbutton", name="Board")).to_have_value("5")


@pytest.mark.slow
def test_the_focus_is_never_lost(browser, london):
    """A dialog returns the focus; a control that is disabled or removed passes it on nearby."""
    with opened(browser, london) as page:
        go_to(page, 1)
        standing, here = page.locator(".standing").first, page.locator(":focus")
        page.get_by_title("Previous").press("Enter")
        expect(standing).to_have_text("Black to move.")
        expect(here).to_have_attribute("title", "Next")
        page.evaluate(PASTE, "(;GM[11]SZ[11]AB[a1];W[b1])")
        expect(page.get_by_role("dialog")).to_contain_text("It begins with other stones.")
        page.keyboard.press("Escape")
        expect(here).to_have_attribute("title", "Next")
        page.evaluate(PASTE, "#9,a1b2c3")
        expect(here).to_have_text("Replace it")
        for key in ("ArrowRight", "Control+z", "End", "Tab", "Tab", "Tab"):
            page.keyboard.press(key)
            expect(standing).to_have_text("Black to move.")
            assert page.evaluate("document.activeElement.closest('nav, .move-bar, .grid')") is None
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(here).to_have_attribute("title", "Next")

        page.get_by_role("tab", name="Why").focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="Review")).to_be_focused()
        expect(page.get_by_role("tab", name="Review")).to_have_attribute("aria-selected", "true")
        expect(standing).to_have_text("Black to move.")
        page.get_by_text("More", exact=True).press("Enter")
        page.keyboard.press("Escape")
        expect(here).to_have_text("More")
        page.get_by_text("More", exact=True).press("Enter")
        page.get_by_role("button", name="Solve").press("Enter")
        expect(here).to_have_text("More")
        choose(page, "Play")
        page.keyboard.press("Tab")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").press("Enter")
        expect(cell(page, "a1")).to_be_focused()
        page.get_by_role("button", name="Resign").press("Enter")
        expect(page.get_by_role("button", name="No, play on")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Resign")).to_be_focused()


@pytest.mark.parametrize(
    ("button", "place"), [("Play a game", "Play"), ("Open a game", "Open a game")]
)
def test_the_focus_moves_to_the_new_place(browser, empty, button, place):
    """A button that opens another place is removed, and the new place has the focus."""
    with opened(browser, empty, "#4") as page:
        page.keyboard.press("Tab")
        page.get_by_role("button", name=button).press("Enter")
        expect(page.get_by_role("heading", name=place)).to_be_visible()
        expect(page.get_by_role("region", name="What to do here")).to_be_focused()


def test_go_through_the_game_moves_the_focus_to_the_board(browser, empty):
    """The button "Go through the game" disappears, and the board has the focus."""
    with opened(browser, empty, "#4") as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Resign").press("Enter")
        page.get_by_role("button", name="Yes, resign").press("Enter")
        page.get_by_role("button", name="Go through the game").press("Enter")
        expect(page.locator("main.analyze")).to_be_visible()
        expect(cell(page, "a1")).to_be_focused()


@pytest.mark.slow
def test_on_a_phone_a_long_reply_scrolls_and_a_new_game_shows_the_board(browser, london):
    """A long reply shows that it continues and scrolls; a new game closes the details."""
    with opened(browser, london, viewport={"width": 390, "height": 844}) as page:
        expect(page.locator(".verdict .proved")).to_be_visible()
        details = page.locator(".drawer-button")
        details.click()
        page.get_by_label("Ask").check()
        details.click()
        cell(page, "h5").click()
        line = page.locator(".reply-line")
        expect(line).to_contain_text("White h5: Black h6")
        expect(line).to_have_css("text-overflow", "ellipsis")
        last = line.locator(".cell-name").last
        hidden = last.bounding_box()["x"]
        assert hidden > 390
        box = line.bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 5)
        page.mouse.wheel(2000, 0)
        wait_until(lambda: last.bounding_box()["x"] < 390)
        details.click()
        expect(page.get_by_role("tabpanel")).to_contain_text("White h5: Black h6. Left to watch")
        choose(page, "Play")
        expect(details).not_to_be_visible()
        expect(page.get_by_text("The first click on the board")).not_to_be_visible()
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".board")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@NIGHTLY
def test_a_game_at_level_3_can_be_finished_on_a_phone(browser):
    """A person who taps each hint finishes a game on 11x11."""
    touch = SCREENS["phone"] | {"has_touch": True, "is_mobile": True}
    with served() as bound, opened(browser, bound, **touch) as page:
        choose(page, "Play")
        page.get_by_label("Opponent").select_option("level:5")
        page.get_by_role("button", name="New game").tap()

        def move():
            page.get_by_role("button", name="Hint").tap()
            hint = page.locator(".panels").get_by_text(re.compile("^Hint: "))
            hinted = re.match("Hint: ([a-k][0-9]+)", hint.inner_text())[1]
            cell(page, hinted).tap()
            expect(cell(page, hinted)).to_have_attribute("aria-label", re.compile("black stone"))

        play_on(page, move, most=61)


@pytest.mark.slow
def test_a_phone_shows_the_turn_and_the_first_buttons(browser):
    """The first buttons are above the bar, and a game of two people shows whose turn it is."""
    touch = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
    with served() as bound, opened(browser, bound, **touch) as page:
        last = page.locator(".verdict .buttons button").last
        expect(last).to_be_in_viewport(ratio=1)
        foot, bar = last.bounding_box(), page.locator(".move-bar").bounding_box()
        assert foot["y"] + foot["height"] <= bar["y"]
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        standing = page.locator(".panels .standing")
        expect(standing).to_have_text("Black is to move.")
        cell(page, "c3").tap()
        expect(standing).to_have_text("White is to move.")

        expect(standing).to_be_visible()


def test_the_answer_below_a_large_board_is_in_sight_on_a_short_phone(browser, empty):
    """Large cells leave room for the answer below the board."""
    with opened(browser, empty, "#15,b2", viewport={"width": 360, "height": 690}) as page:
        expect(cell(page, "o15")).to_be_attached()
        expect(page.locator(".verdict .estimate")).to_be_attached()
        foot = page.locator(".verdict .headline").bounding_box()

        assert foot["y"] + foot["height"] <= page.locator(".move-bar").bounding_box()["y"]


@pytest.mark.parametrize("place", ["Analyze", "Play", "Share", "View", "Bids", "Dark"])
def test_a_phone_shows_what_the_move_box_answers(browser, empty, place):
    """The answer is right above the box, even if the board is out of view."""
    with opened(browser, empty, "#4,b2", viewport={"width": 390, "height": 844}) as page:
        choose(page, place)
        if place == "Analyze":
            page.locator(".drawer-button").click()
        expect(page.locator(".line")).not_to_be_visible()
        box = page.get_by_role("textbox", name="Move or question")
        box.fill("z9")
        box.press("Enter")
        problem = page.locator(".line .problem")
        expect(problem).to_contain_text("z9: type a cell of this board")
        expect(problem).to_be_in_viewport(ratio=1)
        text, bar = problem.bounding_box(), page.locator(".move-bar").bounding_box()

        assert 0 <= bar["y"] - text["y"] - text["height"] < 40


@pytest.mark.slow
def test_stones_differ_under_forced_colors(browser, london):
    with opened(browser, london, forced_colors="active") as page:
        fill = "e => getComputedStyle(e).fill"
        black = page.locator(".stone.black").first.evaluate(fill)
        white = page.locator(".stone.white").first.evaluate(fill)

        assert black != white


@pytest.mark.slow
@pytest.mark.parametrize(("colors", "name"), [("active", "Black"), ("none", "Red")])
def test_the_names_of_the_players_are_colors_that_are_shown(browser, london, colors, name):
    """Forced colors show black and white stones, so nobody is Red unless the user chooses that."""
    with opened(browser, london, forced_colors=colors, settings={"reviews": False}) as page:
        go_to(page, 50)
        expect(page.locator(".standing")).to_have_text(f"{name} to move, after 50 g9.")
        choose(page, "View")
        page.get_by_role("combobox", name="Players").select_option("red")
        page.reload()
        expect(page.locator(".standing")).to_have_text("Red to move, after 50 g9.")


@pytest.mark.slow
def test_no_number_shows_behind_the_star(browser, london):
    """The star is the best move; forced colors give its number another color, and it is wider."""
    with opened(browser, london, forced_colors="active") as page:
        go_to(page, 50)
        expect(page.locator(".picture .key")).to_have_count(1)
        expect(page.locator(".picture .best-ring")).to_have_count(1)
        expect(page.locator(".picture .rank.best")).to_have_text("")


MARKED = "(;FF[4]GM[11]SZ[5]AB[a1][b1]AW[a2][b2]LB[a1:A][a2:B]TR[b1][b2])"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colors_show_marks_on_stones(browser, empty, scheme):
    """A letter and a triangle on a stone of either color are not drawn in the stone's color."""
    look = {"forced_colors": "active", "color_scheme": scheme}
    with opened(browser, empty, settings=UNREVIEWED, **look) as page:
        answered(page)
        page.evaluate(PASTE, MARKED)
        expect(page.locator(".own-mark")).to_have_count(4)
        color = "(part, look) => getComputedStyle(part)[look]"
        for player in ("black", "white"):
            stone = page.locator(f".picture .stone.{player}").first.evaluate(color, "fill")
            letter = page.locator(f"text.own-mark.on-{player}").evaluate(color, "fill")
            triangle = page.locator(f"path.own-mark.on-{player}").evaluate(color, "stroke")
            drawn = {stone, letter, triangle}
            assert drawn == {"rgb(0, 0, 0)", "rgb(255, 255, 255)"}
            assert letter == triangle != stone


@pytest.mark.slow
@pytest.mark.parametrize(("letters", "focus"), [(True, "tab"), (False, "gridcell")])
def test_brackets_are_keys_on_keyboards_that_need_altgr_for_them(browser, london, letters, focus):
    """AltGr is Control and Alt; without the setting, letters are keys on the board alone."""
    settings = {"redBlue": False, "reviews": False, "letters": letters}
    with opened(browser, london, settings=settings) as page:
        go_to(page, 40)
        expect(page.get_by_role("button", name="Next turning point")).to_be_enabled()
        page.get_by_role(focus).first.focus()
        page.keyboard.press("Control+Alt+]")
        expect(page.locator(".standing")).to_have_text("Black to move, after 50 g9.")
        go_to(page, 60)
        page.get_by_role(focus).first.focus()
        page.keyboard.press("Alt+[")
        expect(page.locator(".standing")).to_have_text("Black to move, after 50 g9.")


@pytest.mark.slow
def test_forced_colors_mark_the_move_that_is_shown(browser, london):
    with opened(browser, london, forced_colors="active") as page:
        go_to(page, 50)
        look = "move => getComputedStyle(move).backgroundColor"
        here = page.locator(".move[aria-current=step]").evaluate(look)
        other = page.locator(".move:not([aria-current=step])").first.evaluate(look)

        assert here != other


SMALL = """() => [...document.querySelectorAll(
  "button, summary, input, select, textarea, a[href]")].filter((part) => part.checkVisibility(
    { opacityProperty: true, visibilityProperty: true })).map((part) => {
      const label = ["radio", "checkbox"].includes(part.type) ? part.closest("label") : null;
      const { width, height } = (label ?? part).getBoundingClientRect();
      return [width, height, part.outerHTML.slice(0, 80)]; })
  .filter(([width, height]) => width < 24 || height < 24)"""


CLIPPED = """() => [...document.querySelectorAll("button:not(.row)")].filter((part) =>
  part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.outerHTML.slice(0, 80))"""


@pytest.mark.slow
def test_the_drawer_of_a_phone_has_room_for_its_buttons(browser, london):
    with opened(browser, london, viewport={"width": 360, "height": 740}) as page:
        page.locator(".drawer-button").click()
        expect(page.locator(".drawer-button")).to_have_text("Board")
        assert page.evaluate(CLIPPED) == []
        expect(page.locator(".drawer-button")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_targets_are_24_pixels_at_least(browser, london, screen):
    """Every control has 24 pixels; a radio button or checkbox counts with its label."""
    with opened(browser, london, **SCREENS[screen]) as page:
        go_to(page, 50)
        for mode in MODES:
            choose(page, mode)
            assert page.evaluate(SMALL) == [], mode
            assert page.evaluate(CLIPPED) == [], mode


@pytest.mark.slow
def test_reduced_motion_disables_animations(browser, london):
    with opened(browser, london, reduced_motion="reduce") as page:
        moving = page.evaluate(
            "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e)"
            ".transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none').length"
        )

        assert moving == 0


@pytest.mark.slow
def test_moves_and_replies_are_announced(browser, london):
    """A move is announced in one polite sentence, and so is the reply at a focused intrusion."""
    with opened(browser, london) as page:
        spoken = page.get_by_role("status").first
        go_to(page, 50)
        expect(page.locator("#spoken")).to_contain_text(
            "White g9. Black wins with f8. Proved: Black "
        )
        cell(page, "j7").focus()
        expect(page.locator("#spoken")).to_contain_text("White j7: Black replies h9.")
        expect(spoken).to_have_attribute("aria-live", "polite")


def test_deletions_and_new_main_lines_are_announced(browser, empty):
    """What the toast shows is announced, not only the position."""
    with opened(browser, empty, "#3,a1b2c3", settings={"reviews": False}) as page:
        spoken, menu = page.locator("#spoken"), page.get_by_text("This move")
        answered(page)
        menu.click()
        page.get_by_role("button", name="Delete from here").click()
        expect(spoken).to_have_text("1 move deleted.")
        page.get_by_role("button", name="First", exact=True).click()
        cell(page, "c1").click()
        expect(spoken).to_contain_text("c1")
        menu.click()
        page.get_by_role("button", name="Make this variation the main line").click()
        expect(spoken).to_have_text("This is the main line now.")


@pytest.mark.slow
def test_forced_colors_leave_no_color_of_the_page_on_a_proof(browser, london):
    """The cells of a proof have dots; a tint would be the page's own color."""
    with opened(browser, london, forced_colors="active") as page:
        go_to(page, 50)
        fill = "part => getComputedStyle(part).fill"
        assert page.locator(".carrier").first.evaluate(fill) == "none"
