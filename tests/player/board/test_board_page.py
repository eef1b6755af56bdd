"""The page in a real browser: what a person does and then sees."""

import io
import os
import re
from dataclasses import replace

import pytest
from browser import GAME, answered, cell, choose, go_to, opened, served, tab
from PIL import Image
from places import ROOT
from playwright.sync_api import expect

from hsearch import formats
from hsearch.formats import hexworld, sgf
from player.board.guard import bind

QUEENBEE_HEXY = ROOT / "positions/games/london-2000-queenbee-hexy.sgf"


@pytest.mark.slow
def test_a_london_game_is_explored_by_keyboard_alone(browser, london):
    """Keys lead from the first position to the proof at move 50, three intrusions and back."""
    with opened(browser, london) as page:
        board = page.get_by_role("grid")
        expect(board).to_have_attribute("aria-label", re.compile("Black has won"))
        cell(page, "a1").focus()
        page.keyboard.press("f")
        expect(page.locator(".standing")).to_have_text("Black to move.")
        for _ in range(50):
            page.keyboard.press("j")
        expect(page.locator(".standing")).to_have_text("Black to move, after 50 g9.")
        expect(page.locator(".proved")).to_contain_text("by moving first, at f8.")
        expect(page.locator(".estimate")).to_have_count(0)
        expect(cell(page, "j7")).to_have_attribute("aria-label", re.compile("answered by h9"))

        page.keyboard.press("Control+End")
        for _ in range(4):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
        expect(cell(page, "j7")).to_be_focused()
        expect(page.locator(".reply-line")).to_have_text(
            "After the key f8: White j7: Black replies h9."
        )

        page.keyboard.press("a")
        page.keyboard.press("Enter")
        expect(page.locator(".reply-line")).to_contain_text("White j7: Black h9")
        for intrusion in ("b4", "e9"):
            cell(page, intrusion).focus()
            page.keyboard.press("Enter")
            expect(page.locator(".reply-line")).to_contain_text(f"White {intrusion}: Black")
        expect(cell(page, "h9")).to_have_attribute("aria-label", re.compile("black stone"))
        page.keyboard.press("Escape")
        expect(cell(page, "h9")).to_have_attribute("aria-label", re.compile("empty"))


@pytest.mark.slow
def test_a_walk_down_a_proof_ends_wherever_the_focus_is(browser, london):
    """Escape outside the board ends the walk, and so does choosing a layer."""
    with opened(browser, london) as page:
        back = page.get_by_role("button", name="Back to the game")
        go_to(page, 50)
        page.get_by_label("Ask").check()
        cell(page, "j7").click()
        expect(back).to_be_visible()
        page.get_by_label("Move or question").focus()
        page.keyboard.press("Escape")
        expect(back).to_have_count(0)
        cell(page, "j7").click()
        expect(back).to_be_visible()
        page.get_by_role("radio", name="Must-play").check()
        expect(back).to_have_count(0)
        expect(page.locator('[role="gridcell"][aria-label*="must-play"]').first).to_be_visible()


@pytest.mark.slow
def test_the_list_of_moves_scrolls_to_the_one_shown(browser, london):
    """The current move is in view, also after returning from another place."""
    with opened(browser, london, viewport={"width": 1280, "height": 800}) as page:
        for place in (69, 0, 50, "Share"):
            if place == "Share":
                choose(page, place)
                choose(page, "Analyze")
            else:
                go_to(page, place)
            shown = page.locator(".tree-of-moves").evaluate(
                "list => [list, list.querySelector('[aria-current=step]')]"
                ".map(each => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
            )
            (top, bottom), (here, end) = shown
            assert top <= here < end <= bottom


@pytest.mark.slow
def test_a_game_is_loaded_by_keyboard_alone(browser, empty):
    """Tab reaches Open and a shipped game; then the board has the focus."""
    with opened(browser, empty) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        for wanted in ("Open", "London 2000, Queenbee"):
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.innerText").startswith(wanted):
                    break
            page.keyboard.press("Enter")
        expect(page.locator(".standing").first).to_have_text("Black has won, after 69 j6.")
        expect(cell(page, "a1")).to_be_focused()
        page.keyboard.press("k")
        expect(page.locator(".standing").first).to_have_text("Black to move, after 68 i7.")


@pytest.mark.slow
def test_a_game_can_start_from_a_setup_position(browser, empty):
    """A game can start from stones that were set up, before any move."""
    with opened(browser, empty, "#4") as page:
        choose(page, "Set up")
        for name in ("b1", "b2", "b3"):
            cell(page, name).click()
        choose(page, "Play")
        page.get_by_role("button", name="Play from this position").click()
        cell(page, "b4").click()

        expect(page.locator(".panels .standing")).to_have_text("Black has won.")


@pytest.mark.slow
def test_a_finished_game_shows_the_chain_that_won(browser, empty):
    """The stones of the winning chain are circled, and Must-play reports that the game is over."""
    with opened(browser, empty, "#3,b1a1b2c2b3") as page:
        hint = page.get_by_role("tabpanel").locator(".hint")
        expect(page.locator(".proved")).to_contain_text("Black has won: a chain of stones")
        expect(hint).to_have_text("Circles: the chain that joins Black's edges.")
        expect(page.locator(".chosen")).to_have_count(3)
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("in the winning chain"))
        page.get_by_role("radio", name="Must-play").check()
        expect(hint).to_have_text("The game is over: nothing is left to play.")


@pytest.mark.slow
def test_marks_are_added_saved_and_removed(browser, empty):
    """A mark survives a reload and is in the SGF; a second click removes it."""
    with opened(browser, empty, "#5,a1b2") as page:
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile("white stone"))
        choose(page, "Set up")
        page.get_by_role("radio", name="Mark: triangle").check()
        for name in ("b2", "c3"):
            cell(page, name).click()
        cell(page, "c3").click()
        expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("empty$"))
        page.reload()
        marked = "white stone, last move, marked triangle"
        expect(cell(page, "b2")).to_have_attribute("aria-label", re.compile(marked))
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()

        assert "W[b2]TR[b2]" in saved.value.path().read_text()


@pytest.mark.slow
def test_must_play_names_the_threat(browser, london):
    with opened(browser, london) as page:
        go_to(page, 48)
        page.get_by_role("radio", name="Must-play").check()
        ringed = page.locator('[role="gridcell"][aria-label*="must-play"]')

        expect(ringed.first).to_be_visible()
        cell(page, "a1").hover()
        expect(page.locator(".reply-line")).to_contain_text("is outside that threat of")
        expect(page.locator(".picture .hatched").first).to_be_visible()


@pytest.mark.slow
def test_a_pasted_game_and_its_variation_are_in_the_address(browser, empty):
    """A pasted link, a variation and a swap are all in the address."""
    link = "https://hexworld.org/board/#5,a5c4d3b2"
    with opened(browser, empty) as page:
        choose(page, "Open")
        page.get_by_label("SGF, a HexWorld link").fill(link)
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(page.locator(".standing")).to_have_text("Black to move, after 4 b2.")
        choose(page, "Analyze")
        expect(page).to_have_url(re.compile("#5,a5c4d3b2$"))
        page.get_by_role("button", name="Previous").click()
        expect(page).to_have_url(re.compile("#5,a5c4d3,b2$"))
        cell(page, "c3").click()
        expect(page).to_have_url(re.compile("#5,a5c4d3c3$"))
        expect(page.locator(".variation .move")).to_have_text(["4 c3"])
        box = page.get_by_label("Move or question")
        box.fill("c3")
        box.press("Enter")
        expect(page.locator(".problem")).to_have_text("c3 is not empty")
        page.reload()
        expect(page.locator(".variation .move")).to_have_text(["4 c3"])


@pytest.mark.slow
def test_the_swap_reflects_the_stone(browser, empty):
    with opened(browser, empty, "#5,b4") as page:
        expect(page.locator(".standing")).to_contain_text("White to move")
        box = page.get_by_label("Move or question")
        box.fill("swap")
        box.press("Enter")

        expect(cell(page, "d2")).to_have_attribute("aria-label", re.compile("white stone"))
        expect(cell(page, "b4")).to_have_attribute("aria-label", re.compile("empty"))
        expect(page).to_have_url(re.compile("#5,b4:s$"))


@pytest.mark.slow
def test_text_of_a_file_is_never_markup(browser, empty):
    """HTML in the names and comments of an SGF is shown as text."""
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    text = f"(;GM[11]FF[4]SZ[5]PB[{evil}]C[{evil}];B[a1]C[{evil}]LB[b2:<b>])"
    with opened(browser, empty) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        choose(page, "Open")
        page.get_by_label("SGF, a HexWorld link").fill(text)
        page.get_by_role("button", name="Load", exact=True).last.click()
        choose(page, "Analyze")
        expect(page.locator(".moves p")).to_contain_text(evil)
        expect(page.locator(".comment-text")).to_have_text([evil, evil])
        tab(page, "Note")
        expect(page.get_by_label("Comment")).to_have_value(evil)

        assert page.locator("img").count() == 0


SWAPPED = (
    "(;FF[4]GM[11]SZ[5]PB[A]C[x];B[b4];W[swap-pieces];B[c3]TR[c3]"
    "(;W[pass];B[a1])(;W[d1]C[y];B[e5]))"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["london-2000-queenbee-hexy.sgf", "london-2000-hexy-queenbee.sgf", SWAPPED]
)
def test_a_game_goes_through_the_page_unchanged(browser, empty, source):
    """SGF and link survive the round trip with swaps, passes and variations."""
    is_text = source.startswith("(")
    game = formats.read(source) if is_text else formats.load(ROOT / "positions/games" / source)
    with opened(browser, empty) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        found = page.evaluate(ROUND_TRIP, sgf.write(game))

    assert found["sgf"] == sgf.write(game)
    assert found["link"] == hexworld.write(game)


ROUND_TRIP = """async (text) => {
  const { Server } = await import("./socket.js");
  const { fromRecord, toRecord, lineRecord, lineThrough } = await import("./tree.js");
  const server = await new Promise((ready) => {
    const made = new Server({ token: localStorage.getItem("hsearch.token") }, () => ready(made));
  });
  const { games } = await server.ask("read", { text });
  const { game } = fromRecord(games[0].game);
  const end = lineThrough(game.root).at(-1);
  const written = await server.ask("write", { game: toRecord(game), format: "sgf" });
  const link = await server.ask("write", { game: lineRecord(game, end), format: "hexworld" });
  return { sgf: written.text, link: link.text };
}"""


@pytest.mark.slow
def test_the_game_survives_the_loss_of_the_server(browser):
    """The game survives the loss of the server and is analyzed again without a click."""
    first = served()
    bound = first.__enter__()
    with opened(browser, bound, may_log=True) as page:
        cell(page, "f6").click()
        expect(page.locator(".standing").first).to_have_text("White to move, after 1 f6.")
        expect(page.locator(".verdict .open")).to_be_visible()
        first.__exit__(None, None, None)
        expect(page.locator(".away")).to_contain_text("the game is kept here")
        cell(page, "e5").click()
        expect(page.locator(".problem")).to_contain_text("nothing can be played until it is back")
        expect(page.locator(".standing").first).to_have_text("White to move, after 1 f6.")
        choose(page, "Open")
        page.get_by_label("SGF, a HexWorld link").fill("#5,a1")
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(page.locator(".panels .problem")).to_contain_text("The server is away")
        choose(page, "Analyze")
        again = replace(bind("127.0.0.1", bound.port), keys=bound.keys)
        with served(bound=again):
            expect(page.locator(".away")).to_have_count(0)
            expect(page.locator(".verdict .open")).to_be_visible()
            cell(page, "e5").click()
            expect(page.locator(".standing").first).to_have_text("Black to move, after 2 e5.")


@pytest.mark.slow
def test_a_page_with_an_old_token_reports_a_restart(browser, empty):
    with opened(browser, empty, may_log=True) as page:
        page.evaluate("localStorage.setItem('hsearch.token', 'of yesterday')")
        page.goto(f"http://127.0.0.1:{empty.port}/")
        expect(page.locator(".away")).to_contain_text("The server was started anew")
        page.evaluate("localStorage.clear()")
        page.reload()
        expect(page.locator(".away")).to_contain_text("it has the key that this page needs")


@pytest.mark.slow
def test_a_page_that_was_refused_begins_once_another_tab_has_the_key(browser, empty):
    with opened(browser, empty, may_log=True) as page:
        page.goto(f"http://127.0.0.1:{empty.port}/icon.svg")  # the board would write its address
        page.evaluate("localStorage.setItem('hsearch.token', 'of yesterday')")
        page.goto(f"http://127.0.0.1:{empty.port}/#5,c3")
        expect(page.locator(".away")).to_contain_text("The server was started anew")
        other = page.context.new_page()
        other.goto(empty.address)
        expect(other.locator(".standing").first).to_be_visible()
        expect(page.locator(".standing").first).to_have_text(re.compile("to move, after 1 c3"))
        cell(page, "a1").click()
        expect(page.locator(".standing").first).to_have_text(re.compile("to move, after 2 a1"))


@pytest.mark.slow
def test_an_answer_that_comes_late_is_never_shown(browser, london):
    """While the slider moves, answers for older positions are not shown."""
    with opened(browser, london) as page:
        slider = page.get_by_role("slider", name="Move")
        expect(page.locator(".verdict .proved")).to_be_visible()
        for move in (20, 50, 21, 48, 22):
            slider.fill(str(move))
        expect(page.locator(".standing").first).to_contain_text("after 22 ")
        expect(page.locator(".verdict .estimate")).to_be_visible()
        shown = page.locator(".verdict .estimate").inner_text()
        slider.fill("50")
        expect(page.locator(".verdict .proved")).to_be_visible()
        slider.fill("22")

        expect(page.locator(".verdict .estimate")).to_have_text(shown)


@pytest.mark.slow
def test_a_move_replaces_no_cells_and_few_nodes(browser, london):
    """Cells stay the same elements, so the focus stays; few nodes are added and removed."""
    with opened(browser, london) as page:
        go_to(page, 20)
        page.evaluate(COUNTING)
        go_to(page, 21)
        counted = page.evaluate("window.counted")
        there = page.evaluate(NODES)

    assert counted["grid"] == 0
    assert 0 < counted["all"] <= 1000
    assert there <= 4000  # about 2,800 nodes; with a node for each absent part, 7,200


NODES = """() => {
  const walk = document.createTreeWalker(document.body);
  let count = 1;
  while (walk.nextNode()) count += 1;
  return count;
}"""
COUNTING = """() => {
  window.counted = { grid: 0, all: 0 };
  const nodes = (node) => 1 + [...node.childNodes].map(nodes).reduce((x, y) => x + y, 0);
  new MutationObserver((changes) => {
    for (const { target, addedNodes, removedNodes } of changes) {
      const found = [...addedNodes, ...removedNodes].map(nodes).reduce((x, y) => x + y, 0);
      window.counted.all += found;
      if (target.closest?.(".grid")) window.counted.grid += found;
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""


def proof(page):
    go_to(page, 50)
    expect(page.locator(".graph .waiting")).to_have_count(0, timeout=GAME)
    cell(page, "j7").hover()
    expect(page.locator(".picture .arrow")).to_be_visible()


def on_a_phone(page):
    go_to(page, 50)
    expect(page.locator(".graph .waiting")).to_have_count(0, timeout=GAME)


def reviewed(page):
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review this game").click()
    # A mistake shown early is withdrawn once the review proves that all moves lost there.
    expect(page.locator(".card").last).to_contain_text(re.compile("held|best try"), timeout=GAME)
    # The graph has a button of this name while it is filled.
    stop = page.get_by_role("tabpanel").get_by_role("button", name="Stop", exact=True)
    stop.click()
    expect(stop).to_have_count(0)
    page.get_by_role("button", name="Show ").last.click()
    expect(page.locator(".picture .played")).to_have_count(1)
    expect(page.locator(".picture .better")).not_to_have_count(0)
    answered(page)


def playing(page):
    go_to(page, 40)
    choose(page, "Play")


def opening(page):
    choose(page, "Open")


LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PICTURES = {
    "board": (proof, {"viewport": LAPTOP}),
    "board-dark": (proof, {"viewport": LAPTOP, "color_scheme": "dark"}),
    "board-phone": (on_a_phone, {"viewport": PHONE}),
    "board-review": (reviewed, {"viewport": LAPTOP}),
    "board-play": (playing, {"viewport": LAPTOP}),
    "board-open": (opening, {"viewport": LAPTOP}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_the_page_looks_like_its_stored_pictures(browser, london, name):
    """The stored pictures look like the page; HSEARCH_PICTURES=1 renews them."""
    show, options = PICTURES[name]
    with opened(browser, london, settings={"reviews": False}, **options) as page:
        show(page)
        taken = page.screenshot()
    picture = ROOT / f"positions/pictures/{name}.png"
    if os.environ.get("HSEARCH_PICTURES"):
        picked = Image.open(io.BytesIO(taken)).convert("RGB")  # few colors, also rare ones
        picked.quantize(method=Image.Quantize.FASTOCTREE).save(picture)
    small = [
        list(Image.open(source).convert("L").resize((64, 40)).tobytes())
        for source in (io.BytesIO(taken), picture)
    ]
    apart = sum(abs(x - y) for x, y in zip(*small, strict=True)) / len(small[0])

    assert apart < 12  # of 255: allows for other fonts
