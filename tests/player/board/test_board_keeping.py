"""Whatever replaces, deletes or hides a game in the browser can be undone."""

import re
from threading import Event

import pytest
from browser import IS_RECENT, UNREVIEWED, answered, cell, choose, go_to, opened, served, tab
from clock import HOLD, PATIENCE, wait_until
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_page import QUEENBEE_HEXY

from hsearch import formats
from player.board.asked import records
from player.board.guard import bind

LINK = "https://hexworld.org/board/#11,a5c4d3b2"
# Firefox accepts no data from another event.
PASTE = """text => { const data = new DataTransfer(); data.setData("text", text);
  const event = new ClipboardEvent("paste", { bubbles: true });
  Object.defineProperty(event, "clipboardData", { value: data });
  document.body.dispatchEvent(event); }"""


@pytest.fixture(scope="module")
def bound():
    with served(formats.load(QUEENBEE_HEXY), solves=False) as found:
        yield found


def moves(page):
    """Return the texts of all moves, the text of the current one, and its comment."""
    choose(page, "Analyze")
    tab(page, "Note")
    return (
        page.locator(".tree-of-moves .move").all_inner_texts(),
        page.locator(".move[aria-current=step]").inner_text(),
        page.get_by_label("Comment").input_value(),
    )


def expect_moves(page, wanted):
    """Wait until the page has these moves, this current move and this comment."""
    words, here, comment = wanted
    choose(page, "Analyze")
    tab(page, "Note")
    expect(page.locator(".tree-of-moves .move")).to_have_text(words)
    expect(page.locator(".move[aria-current=step]")).to_have_text(here)
    expect(page.get_by_label("Comment")).to_have_value(comment)


def prepared(page):
    """Change the London game so that no other game equals it, and go to move 50."""
    go_to(page, 50)
    tab(page, "Note")
    page.get_by_label("Comment").press_sequentially("mine")
    cell(page, "a1").click()
    expect(page.locator(".standing").first).to_contain_text("after 51 a1, in a variation")
    page.get_by_role("button", name="Previous").click()
    expect(page.locator(".standing").first).to_contain_text("after 50 ")
    return moves(page)


def paste(page):
    page.evaluate(PASTE, LINK)
    page.get_by_role("button", name="Replace it").click()
    expect(page.locator(".standing").first).to_contain_text("after 4 b2")


def add(page):
    page.evaluate(PASTE, LINK)
    page.get_by_role("button", name="Add as variation").click()
    expect(page.locator(".standing").first).to_contain_text("after 4 b2")
    expect(page.locator(".move", has_text=re.compile("^50 "))).to_have_count(1)


def load(page):
    choose(page, "Open")
    page.get_by_role("textbox", name="SGF").fill(LINK)
    page.get_by_role("button", name="Load", exact=True).last.click()
    expect(page.locator(".standing").first).to_contain_text("after 4 b2")


def new(page):
    choose(page, "Play")
    page.get_by_label("You play").select_option("both")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".stone")).to_have_count(0)


def empty(page):
    choose(page, "Set up")
    page.get_by_role("button", name="Empty board").click()
    expect(page.locator(".stone")).to_have_count(0)


def delete(page):
    page.get_by_text("This move").click()
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".move", has_text=re.compile("^50 "))).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("21 moves deleted")


def promote(page):
    cell(page, "a1").click()
    expect(page.locator(".standing").first).to_contain_text("after 51 a1")
    page.get_by_text("This move").click()
    page.get_by_role("button", name="Make this variation the main line").click()
    expect(page.locator(".toast")).to_contain_text("main line")


def comment(page):
    page.get_by_label("Comment").press_sequentially(" and more")
    expect(page.locator(".comment-text", has_text="mine and more")).to_be_attached()  # drawn
    page.get_by_role("button", name="Next", exact=True).focus()


def stone(page):
    choose(page, "Set up")
    cell(page, "a1").click()
    expect(cell(page, "a1")).to_have_attribute("aria-label", re.compile("black stone"))


def mark(page):
    choose(page, "Set up")
    page.get_by_role("radio", name="Mark: circle").check()
    cell(page, "a1").click()
    expect(cell(page, "a1")).to_have_attribute("aria-label", re.compile("marked circle"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "destroy", [paste, add, load, new, empty, delete, promote, comment, stone, mark]
)
def test_each_edit_can_be_undone_and_redone(browser, bound, destroy):
    """Keys undo and redo each act on the tree, and the toast undoes it as well."""
    with opened(browser, bound) as page:
        before = prepared(page)
        destroy(page)
        if destroy is promote:
            before = before[0], "51 a1", ""
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone")
        expect_moves(page, before)
        page.keyboard.press("Control+Shift+z")
        expect(page.locator(".toast")).to_contain_text("Redone")
        assert moves(page) != before or destroy in (stone, mark)
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect_moves(page, before)
        if destroy in (stone, mark):
            expect(cell(page, "a1")).to_have_attribute("aria-label", re.compile("a1, empty"))


@pytest.mark.slow
@pytest.mark.parametrize("replaces", [paste, load, new, empty])
def test_back_and_forward_go_between_games(browser, bound, replaces):
    with opened(browser, bound) as page:
        before = prepared(page)
        replaces(page)
        page.go_back()
        expect(page.locator(".standing").first).to_contain_text("after 50 ")
        expect_moves(page, before)
        page.go_forward()
        expect(page.locator(".standing").first).not_to_contain_text("after 50 ")
        expect(page.locator(".tree-of-moves .move").nth(5)).to_have_count(0)
        page.reload()
        page.go_back()
        expect(page.locator(".standing").first).to_contain_text("after 50 ")
        expect_moves(page, before)


@pytest.mark.slow
def test_undo_takes_back_one_question_of_a_proof_at_a_time(browser, bound):
    """Undo takes back one question at a time and leaves the game as it is."""
    with opened(browser, bound) as page:
        before = prepared(page)
        page.get_by_label("Ask").check()
        cell(page, "f8").click()
        expect(cell(page, "f8")).to_have_attribute("aria-label", re.compile("black stone"))
        for name in ("j7", "b4"):
            cell(page, name).click()
            expect(page.locator(".reply-line")).to_contain_text(f"White {name}: Black")
        page.get_by_role("button", name="Take back the question").click()
        expect(page.locator(".reply-line")).to_contain_text("White j7: Black")
        page.keyboard.press("Control+z")
        expect(page.get_by_role("button", name="Back to the game")).to_have_count(0)
        expect_moves(page, before)


@pytest.mark.slow
def test_moves_taken_back_in_play_become_variations(browser, bound):
    """The moves played are the main line; taken-back moves and the old game are variations."""
    with opened(browser, bound) as page:
        page.get_by_role("slider", name="Move").fill("66")
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        cell(page, "a1").click()
        expect(page.locator(".panels .move", has_text="67 a1")).to_have_count(1)
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(".move[aria-current=step]")).to_contain_text("66 ")
        cell(page, "k1").click()
        expect(page.locator(".panels .move", has_text="67 k1")).to_have_count(1)
        choose(page, "Analyze")

        expect(page.locator(".standing").first).to_have_text(re.compile("after 67 k1.$"))
        expect(page.locator(".variation .move", has_text="67 a1")).to_have_count(1)
        expect(page.locator(".variation .move", has_text="69 j6")).to_have_count(1)


@pytest.mark.slow
def test_redo_restores_moves_taken_back_in_play(browser):
    """The toast and the keys restore it, also a resignation; the engine's words are cleared."""
    with served() as empty, opened(browser, empty, "#5") as page:
        choose(page, "Play")
        page.get_by_label("Opponent").select_option("level:1")
        page.get_by_role("spinbutton", name="Board").fill("5")
        page.get_by_role("button", name="New game").click()
        cell(page, "a1").click()
        said, played = page.locator(".panels .slot").first, page.locator(".panels .move")
        expect(said).to_contain_text("White plays")
        before = played.all_inner_texts()
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(".stone:not(.ghost)")).to_have_count(0)
        expect(said).to_have_text("")
        expect(page.locator(".toast")).to_contain_text("2 moves taken back.")
        page.locator(".toast").get_by_role("button", name="Redo").click()
        expect(page.locator(".stone:not(.ghost)")).to_have_count(2)
        expect(played).to_have_text(before)
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".toast")).to_have_count(0)  # the words were about the moves
        standing = page.locator(".panels .standing")
        expect(standing).to_have_text("White has won.")
        page.keyboard.press("Control+z")
        expect(standing).to_have_text("Black is to move.")
        page.keyboard.press("Control+Shift+z")
        expect(standing).to_have_text("White has won.")


@pytest.mark.slow
def test_comments_survive_a_reload_and_games_open_in_a_second_tab(browser, bound):
    """A comment survives a reload while it is typed; a tab with the address has the game."""
    with opened(browser, bound, is_alone=True) as page:
        before = prepared(page)
        page.get_by_label("Comment").press_sequentially(" too")
        page.reload()
        tab(page, "Note")
        expect(page.get_by_label("Comment")).to_have_value(before[2] + " too")
        expect(page).to_have_url(re.compile("#11,.*g9,f8"))  # until then, the address of before
        second = page.context.new_page()
        second.goto(page.url)
        expect_moves(second, moves(page))
        cell(second, "a2").click()
        expect(second.locator(".move", has_text="51 a2")).to_have_count(1)
        expect(second).to_have_url(re.compile("g9a2$"))
        wait_until(lambda: second.evaluate(IS_RECENT, "g9a2"))  # or it may be the last one stored
        cell(page, "a3").click()
        expect(page).to_have_url(re.compile("g9a3$"))
        wait_until(lambda: page.evaluate(IS_RECENT, "g9a3"))
        third = page.context.new_page()
        third.goto(f"http://127.0.0.1:{bound.port}/")
        choose(third, "Open")
        expect(third.locator(".recent .thumbnail").first).to_be_visible()
        # The third tab's game comes first once it is stored, which may move a button under a click.
        expect(third.locator(".recent li", has_text="69 moves")).to_have_count(1)
        with_71 = third.locator(".recent li", has_text="71 moves")
        expect(with_71).to_have_count(2)
        with_71.first.get_by_role("button").click()
        expect(third.locator(".move", has_text="51 a3")).to_have_count(1)
        expect(third.locator(".move", has_text="51 a2")).to_have_count(0)


@pytest.mark.slow
def test_an_open_page_reconnects_to_a_restarted_server(browser):
    """Without a server the page can save its game; the new address in any tab reconnects it."""
    first = served(formats.load(QUEENBEE_HEXY))
    bound = first.__enter__()
    with opened(browser, bound, may_log=True) as page:
        before = prepared(page)
        expect(page).to_have_url(re.compile("g9,a1$"))  # the links of this position are written
        first.__exit__(None, None, None)
        expect(page.locator(".away")).to_be_visible()
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
        assert "C[mine]" in saved.value.path().read_text()
        for picture, head in (("Drawing (SVG)", b"<svg"), ("Moves up to here (GIF)", b"GIF")):
            with page.expect_download() as saved:
                page.get_by_role("button", name=f"Save: {picture}").click()
            assert saved.value.path().read_bytes().startswith(head)
        for title in ("HexWorld link", "Moves", "Diagram", "HexWiki tag"):
            page.get_by_role("button", name=f"Copy: {title}", exact=True).click()
            way = page.locator(".ways li", has=page.get_by_text(title, exact=True))
            expect(way.locator(".hint")).to_have_text(re.compile(r"\S"))
            expect(way.locator(".hint")).not_to_contain_text("away")
        anew = bind("127.0.0.1", bound.port)
        with served(bound=anew):
            expect(page.locator(".away")).to_contain_text("started anew")
            page.context.new_page().goto(anew.address)
            expect(page.locator(".away")).to_have_count(0)
            expect_moves(page, before)
            expect(page.locator(".proved")).to_contain_text("by moving first, at f8.")


# The fields for files, by place.
FILES = (("Open", "or open a file"), ("Puzzles", "or a suite of your own"), ("Solve", "Proof file"))


@pytest.mark.slow
def test_a_file_over_the_limit_is_refused_before_it_is_sent(browser, bound, tmp_path):
    """The page reports the limit and stays connected."""
    (tmp_path / "long.sgf").write_text("x" * 5_000_000)
    with opened(browser, bound) as page:
        for place, field in FILES:
            choose(page, place)
            page.get_by_label(field).set_input_files(tmp_path / "long.sgf")
            expect(page.locator(".problem")).to_contain_text("up to 1.0 MB")
            expect(page.locator(".away")).to_have_count(0)


def test_a_file_that_cannot_be_read_is_named(browser, bound, tmp_path):
    """A folder can be dropped, and a chosen file may be gone by then."""
    (tmp_path / "gone.sgf").write_text("(;GM[11]SZ[3];B[a1])")
    with opened(browser, bound) as page:
        page.evaluate("() => { Blob.prototype.text = () => Promise.reject(new Error('gone')); }")
        for place, field in FILES:
            choose(page, place)
            page.get_by_label(field).set_input_files(tmp_path / "gone.sgf")
            expect(page.locator(".problem")).to_have_text("gone.sgf cannot be read")


@pytest.mark.slow
def test_at_most_fifty_games_are_stored(browser, bound):
    with opened(browser, bound) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        kept = page.evaluate(
            """async () => {
              const { Recent } = await import("./memory.js");
              const { emptyRecord } = await import("./tree.js");
              const recent = new Recent();
              for (let key = 0; key < 60; key++) {
                await recent.keep({ key: `${key}`, stamp: null, record: emptyRecord(3, 3),
                  path: [], fragment: "" });
              }
              return (await recent.all()).map((game) => game.key);
            }"""
        )
        assert len(kept) == 50
        assert "59" in kept
        assert "0" not in kept


def test_a_reload_keeps_the_tab_and_what_the_board_shows(browser, bound):
    with opened(browser, bound, "#5,c3b2") as page:
        tab(page, "Note")
        page.get_by_role("radio", name="Weak links").check()
        page.reload()

        expect(page.get_by_role("tab", name="Note")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("radio", name="Weak links")).to_be_checked()


@pytest.mark.parametrize("is_in_play", [False, True])
def test_a_move_that_is_shown_is_kept_in_a_crash(browser, bound, *, is_in_play):
    """A tab that crashes runs no handler and no later task, and its moves are there again."""
    crashing = """addEventListener("pagehide", (event) => event.stopImmediatePropagation());
      const { setTimeout } = window;
      window.setTimeout = (act, wait) => (wait >= 200 ? 0 : setTimeout(act, wait));"""
    with opened(browser, bound, "#5,a1e5c3") as page:
        standing = page.locator(".standing").first
        expect(standing).to_contain_text("after 3 c3")
        page.add_init_script(crashing)
        page.reload()
        expect(standing).to_contain_text("after 3 c3")
        if is_in_play:
            choose(page, "Play")
            page.get_by_label("You play").select_option("both")
            page.get_by_role("button", name="Play from this position").click()
        cell(page, "d3").click()
        expect(cell(page, "d3")).to_have_attribute("aria-label", re.compile("white stone"))
        page.reload()
        expect(cell(page, "d3")).to_have_attribute("aria-label", re.compile("white stone"))
        expect(
            page.get_by_text("Black is to move." if is_in_play else "after 4 d3")
        ).to_be_visible()


def test_a_move_made_while_a_reload_waits_for_the_server_is_kept(browser, bound):
    """The move changes the address, but the reloaded page has the address of before."""
    with opened(browser, bound, "#5,a1e5c3") as page:
        standing = page.locator(".standing").first
        expect(standing).to_contain_text("after 3 c3")
        for name in ("d3", "b2"):
            cell(page, name).click()
            expect(page).to_have_url(re.compile(f"{name}$"))
        # Chromium gives the reloaded page the address that it had when the reload began.
        page.add_init_script("history.replaceState(null, '', '#5,a1e5c3')")
        page.reload()
        expect(standing).to_contain_text("after 5 b2")
        expect(page).to_have_url(re.compile("c3d3b2$"))


@pytest.mark.slow
def test_a_game_pasted_before_the_first_one_loads_stays(browser, bound):
    """A pasted game stays even if a slow browser store delivers the first game after it."""
    slow = """const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (...names) {
        const opening = open.apply(this, names);
        let loaded = null;
        Object.defineProperty(opening, "onsuccess", { set: (done) => { loaded = done; } });
        opening.addEventListener("success", (event) => setTimeout(() => loaded(event), 1500));
        return opening;
      };"""
    with opened(browser, bound) as page:
        page.add_init_script(slow)
        page.reload()
        expect(page.get_by_role("grid")).to_be_visible()
        page.evaluate(PASTE, LINK)
        page.get_by_role("button", name="Replace it").click()
        expect(page.locator(".standing").first).to_contain_text("after 4 b2")


def test_an_undone_comment_leaves_no_text_in_its_field(browser, empty):
    """Also if it is undone before the browser draws, as on a busy machine."""
    typed_and_undone = """() => {
      const field = document.querySelector(".comment textarea");
      field.value = "too late";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.dispatchEvent(new KeyboardEvent("keydown",
        { key: "z", ctrlKey: true, bubbles: true, cancelable: true }));
    }"""
    with opened(browser, empty, "#4,b2", settings=UNREVIEWED) as page:
        answered(page)
        tab(page, "Note")
        expect(page.get_by_label("Comment")).to_be_visible()
        page.evaluate(typed_and_undone)
        expect(page.locator(".toast")).to_contain_text("Undone: a comment.")
        expect(page.get_by_label("Comment")).to_have_value("")


def test_an_edited_puzzle_is_not_a_recent_game(browser, empty):
    """The game before it is listed, even if it was changed right before."""
    with opened(browser, empty, "#4,b2", settings=UNREVIEWED) as page:
        cell(page, "c3").click()
        expect(cell(page, "c3")).to_have_attribute("aria-label", re.compile("stone"))
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved puzzles").click()
        page.get_by_title("5x5-grade1-01").click()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "5")
        choose(page, "Analyze")
        cell(page, "a1").click()
        expect(page.locator(".move", has_text="1 a1")).to_have_count(1)
        choose(page, "Open")  # which stores the game on the board first
        expect(page.locator(".recent li")).to_have_count(1)
        expect(page.locator(".recent li")).to_contain_text("4 by 4, 2 moves")


def test_a_recent_game_has_the_address_of_its_move(browser, empty, monkeypatch):
    """Also if the address of the move before arrives late: a new tab looks it up."""
    asked, may_answer, as_ever = Event(), Event(), records.write

    def write(desk, job, question):
        if question.format == "hexworld" and question.game.cursor == 0:
            asked.set()
            assert may_answer.wait(PATIENCE / 1000)
        return as_ever(desk, job, question)

    answer_by(monkeypatch, records, "write", write)
    with opened(browser, empty, "#4,b2c3", settings=UNREVIEWED) as page:
        wait_until(lambda: page.evaluate(IS_RECENT, "#4c1,b2c3"))
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile("#4c1,b2,c3$"))
        page.keyboard.press("ArrowLeft")
        assert asked.wait(PATIENCE / 1000)
        page.keyboard.press("End")
        may_answer.set()
        wait_until(lambda: not page.evaluate(IS_RECENT, "#4c1,b2,c3"))
        wait_until(lambda: page.evaluate(IS_RECENT, "#4c1,b2c3"))


TWO_GAMES = "#(;FF[4]GM[11]SZ[5];B[a1])(;FF[4]GM[11]SZ[5];B[a2];W[b3])"


def type_address(page, fragment):
    """Go to an address with several games, and wait for the question which of them is meant."""
    page.evaluate("here => { location.hash = here; }", fragment)
    expect(page.get_by_role("heading", name="2 games were read")).to_be_visible()


def test_a_typed_address_with_several_games_is_no_entry_of_its_own(browser, empty):
    """Cancel restores the address, the chosen game has its own, and Back closes the question."""
    with opened(browser, empty, "#5,b2c3d4", settings=UNREVIEWED, is_alone=True) as page:
        standing, question = page.locator(".standing").first, page.get_by_role("dialog")
        answered(page)
        expect(page).to_have_url(re.compile("#5c1,b2c3d4$"))  # stored once the person pauses
        type_address(page, TWO_GAMES)
        page.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(re.compile("b2c3d4$"))
        type_address(page, TWO_GAMES)
        page.get_by_role("button", name="game 2").click()
        expect(page).to_have_url(re.compile("a2b3$"))
        page.go_back()
        expect(standing).to_contain_text("after 3 d4")
        expect(question).to_have_count(0)
        type_address(page, TWO_GAMES)
        page.go_back()
        expect(question).to_have_count(0)
        expect(standing).to_contain_text("after 3 d4")


def test_a_game_that_is_refused_changes_nothing(browser, bound, monkeypatch):
    """Nothing is added before the server has accepted it, and no other act is undone instead."""
    asked, is_here = Event(), Event()

    def refused(*_):
        asked.set()
        is_here.wait(HOLD)
        raise ValueError("the moves do not fit")

    with opened(browser, bound) as page:
        go_to(page, 50)
        tab(page, "Note")
        answer_by(monkeypatch, records, "states", refused)
        page.evaluate(PASTE, LINK)
        page.get_by_role("button", name="Add as variation").click()
        wait_until(asked.is_set)
        page.get_by_label("Comment").press_sequentially("mine")
        is_here.set()
        expect(page.locator(".problem")).to_have_text("the moves do not fit")
        expect(page.get_by_label("Comment")).to_have_value("mine")
        expect(page.locator(".move")).to_have_count(70)
        expect(page.locator(".toast")).to_have_count(0)


def test_an_address_that_is_read_late_does_not_replace_the_game_that_back_went_to(
    browser, bound, monkeypatch
):
    asked, is_here, read = Event(), Event(), records.read
    with opened(browser, bound, "#5,b2", settings=UNREVIEWED, is_alone=True) as page:
        answered(page)
        expect(page).to_have_url(re.compile("b2$"))

        def late(*question):
            asked.set()
            is_here.wait(HOLD)
            return read(*question)

        answer_by(monkeypatch, records, "read", late)
        page.evaluate("() => { location.hash = '#4,a1'; }")
        wait_until(asked.is_set)
        page.go_back()
        expect(page).to_have_url(re.compile("b2$"))
        is_here.set()
        choose(page, "Share")
        page.get_by_role("button", name="Copy: Moves", exact=True).click()
        expect(page.locator(".ways .hint", has_text=re.compile(r"\S"))).to_be_attached()
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "5")
        expect(page).to_have_url(re.compile("b2$"))


def test_words_that_are_moved_in_a_comment_are_not_a_game(browser, bound):
    """A text dropped on a field belongs to it, as a file does to a field for files."""
    with opened(browser, bound, "#3,a1", settings=UNREVIEWED, is_alone=True) as page:
        tab(page, "Note")
        comment = page.get_by_label("Comment")
        comment.fill("b2 and many more words")
        at = comment.bounding_box()
        left, top = at["x"] + 14, at["y"] + 16
        page.mouse.dblclick(left, top)
        page.mouse.down()
        page.mouse.move(left + 20, top)
        page.mouse.move(left + 230, top, steps=5)
        page.mouse.up()
        expect(comment).to_have_value(re.compile(r"^ ?and many more words\s*b2\s*$"))
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator(".problem")).to_have_count(0)


def test_a_game_is_pasted_wherever_the_focus_is_unless_it_takes_text(browser, bound):
    """The chart, the layers and a switch take none."""
    paste = PASTE.replace("document.body", "document.activeElement")
    with opened(browser, bound, "#3,a1b2", settings=UNREVIEWED) as page:
        tab(page, "Note")
        page.get_by_label("Comment").fill("mine")
        page.evaluate(paste, "#4,d4")
        for role, name in (("slider", "Move"), ("radio", "Automatic"), ("checkbox", "Ask")):
            page.get_by_role(role, name=name).focus()
            page.evaluate(paste, "#5,e5")
            expect(page.get_by_role("dialog")).to_contain_text("another size, 5 by 5.")
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
