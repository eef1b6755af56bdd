"""Problems that players reported with input, sharing and wording, and that must stay fixed."""

import re
from threading import Event

import pytest
from browser import GAME, UNREVIEWED, cell, choose, go_to, opened, served, tab
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE
from test_board_page import QUEENBEE_HEXY

from hsearch import formats
from player.answers.objects import position_object
from player.board.asked import KINDS, position

pytestmark = pytest.mark.firefox  # if it is installed
WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.mark.slow
def test_only_the_result_is_shown_after_a_resignation(browser, empty):
    """After a resignation, Play and Analyze show neither a chance nor the engine's comment."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("Opponent").select_option("level:1")
        cell(page, "a1").click()
        expect(page.locator(".panels .slot").first).to_contain_text("Blue plays")
        page.get_by_role("button", name="Why").click()
        expect(page.locator(".panels")).to_contain_text("The last move:")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue has won.")
        expect(page.locator(".panels")).not_to_contain_text("The last move")
        page.get_by_role("button", name="Go through the game").click()
        expect(page.locator(".headline")).to_have_text(re.compile("resigned$"))
        expect(page.locator(".estimate, .proved, .candidates .row")).to_have_count(0)


@pytest.mark.slow
def test_a_hint_is_a_ghost_stone_and_is_played_by_a_second_press(browser, empty):
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        expect(cell(page, "a1")).to_be_focused()
        page.get_by_role("button", name="Hint").click()
        hint = page.locator(".panels .slot").first
        expect(hint).to_contain_text("Hint: ")
        expect(page.locator(".ghost")).to_have_count(1)
        expect(page.get_by_role("button", name="Play hint")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        expect(page.locator(".ghost")).to_have_count(0)
        expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible()
        expect(page.locator(".moves .move")).to_have_count(2)


@pytest.mark.slow
def test_a_click_on_the_stone_swaps_it(browser, empty):
    """A click on the first stone swaps in Analyze; with two stones it is an error."""
    with opened(browser, empty, "#5,b4", settings=UNREVIEWED) as page:
        cell(page, "b4").click()
        expect(page.locator(".standing").first).to_have_text("Red to move, after 2 swap.")
        expect(cell(page, "d2")).to_have_attribute("aria-label", re.compile("blue stone"))
        cell(page, "d2").click()
        expect(page.locator(".problem")).to_have_text("d2 is not empty")


@pytest.mark.slow
def test_a_double_click_is_one_move_and_the_address_has_the_view(browser, empty):
    """A bad escape is reported, a double click is one move, and the address has the view."""
    with opened(browser, empty, "#%E0%A4%A", settings=UNREVIEWED) as page:
        expect(page.locator(".problem")).to_be_visible()
        choose(page, "Open")
        page.get_by_role("textbox", name="SGF").fill("#5")
        page.get_by_role("button", name="Load", exact=True).last.click()
        cell(page, "b4").dblclick()
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 b4.")
        expect(page).to_have_url(re.compile("#5c1,b4$"))
        choose(page, "View")
        page.get_by_label("Mirrored").check()
        expect(page).to_have_url(re.compile("#5mc1,b4$"))
        choose(page, "Analyze")
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 b4.")
        page.evaluate(PASTE, "#1")
        page.get_by_role("button", name="Replace it").click()
        expect(page.locator(".proved")).to_contain_text("inside 1 empty cell")


# Put a finger on each cell, in order, and lift them once a long press would have been noticed.
FINGERS = """async (cells) => {
  const touch = (kind) => cells.forEach((cell) => document.querySelector(`[data-cell=${cell}]`)
    .dispatchEvent(new PointerEvent(kind, { pointerType: "touch", bubbles: true })));
  touch("pointerdown");
  if (cells.length > 1) touch("pointerup");
  await new Promise((done) => setTimeout(done, 500)); // the long press is noticed after 450
  await new Promise(requestAnimationFrame); // and drawn
  if (cells.length === 1) touch("pointerup");
}"""


def test_a_long_press_points_and_takes_no_later_click(browser, empty):
    """A finger that rests on a cell shows its stone; two fingers, as for a zoom, show none."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        ghosts = page.locator(".picture .ghost")
        page.evaluate(FINGERS, ["c1", "c2"])
        expect(ghosts).to_have_count(0)
        page.evaluate(FINGERS, ["a1"])
        expect(ghosts).to_have_count(1)
        cell(page, "b2").click()
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 b2.")


@pytest.mark.slow
def test_a_proof_has_its_owners_color_and_dots_and_buttons_are_gray(browser, london):
    """A proof has its owner's color; no button has a player's color."""
    with opened(browser, london, settings=UNREVIEWED, **WIDE) as page:
        go_to(page, 50)
        expect(page.locator(".picture .carrier.black")).to_have_count(42)
        expect(page.locator(".picture .dot")).to_have_count(41)
        expect(page.locator(".picture .key")).to_have_count(1)
        here = page.locator(".move[aria-current=step], .mode[aria-current=page]")
        for button in here.all():
            color = button.evaluate("each => getComputedStyle(each).backgroundColor")
            red, green, blue = map(int, re.findall("[0-9]+", color)[:3])
            assert max(red, green, blue) - min(red, green, blue) < 40


@pytest.mark.slow
def test_no_link_ends_on_a_stone_of_the_other_player(browser, london):
    """No link ends on a stone of the other player; a stone under the pointer shows its links."""
    with opened(browser, london, settings=UNREVIEWED) as page:
        go_to(page, 50)
        page.get_by_role("radio", name="Connections").check()
        lines = page.locator(".picture .link")
        expect(lines.first).to_be_visible()
        wrong = page.evaluate("""() => {
          const stones = (color) => [...document.querySelectorAll(`.picture .stone.${color}`)]
            .map((stone) => [stone.cx.baseVal.value, stone.cy.baseVal.value]);
          const others = { black: stones("white"), white: stones("black") };
          return [...document.querySelectorAll(".picture .link-rim")].filter((line) =>
            others[line.classList[1]].some(([x, y]) => [["x1", "y1"], ["x2", "y2"]].some(
              ([u, v]) => Math.hypot(line[u].baseVal.value - x, line[v].baseVal.value - y) < .5)))
            .length;
        }""")
        assert wrong == 0
        colors = {re.search(r"hue-\d", line.get_attribute("class"))[0] for line in lines.all()}
        assert len(colors) == min(6, lines.count())
        hues = page.locator(".picture .dot")
        expect(hues.first).to_have_class(re.compile("hue-"))
        count = lines.count()
        cell(page, "h8").hover()
        expect(lines).not_to_have_count(count)
        expect(lines).not_to_have_count(0)
        cell(page, "h8").click()
        expect(page.locator(".problem")).to_have_count(0)
        cell(page, "i5").click()
        rows = page.locator(".rows .row")
        expect(rows.first).to_have_text(
            re.compile("^(Red|Blue) joins [a-k0-9]+ and [a-k0-9]+(,| inside [a-k]1?[0-9] ).*[.]$")
        )


def test_the_turn_changes_by_a_pass_where_a_game_began(browser, empty):
    """After a move the turn changes by a pass, whether or not a game began there."""
    with opened(browser, empty, "#5,c3", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        choose(page, "Set up")
        page.get_by_role("radio", name="Red").last.check()
        expect(page.locator(".standing").first).to_have_text("Red to move, after 2 pass.")


@pytest.mark.slow
@pytest.mark.chromium  # Firefox does not report downloads
def test_set_up_draws_alternates_labels_and_points(browser, empty):
    """One undo removes a whole stroke; labels and arrows are stored in SGF."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        choose(page, "Set up")
        page.get_by_role("radio", name="Blue stone").check()
        places = [cell(page, name).bounding_box() for name in ("a2", "b2", "c2", "d2")]
        centers = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
        page.mouse.move(*centers[0])
        page.mouse.down()
        for center in centers[1:]:
            page.mouse.move(*center, steps=4)
        page.mouse.up()
        expect(page.locator(".stone.white:not(.ghost)")).to_have_count(4)
        page.keyboard.press("Control+z")
        expect(page.locator(".stone:not(.ghost)")).to_have_count(0)
        page.keyboard.press("Control+z")
        expect(page.locator(".notice")).to_have_text("Nothing to undo.")
        page.keyboard.press("Control+Shift+z")
        expect(page.locator(".stone.white:not(.ghost)")).to_have_count(4)

        page.get_by_role("radio", name="In turn").check()
        for name in ("a4", "b4"):
            cell(page, name).click()
            expect(cell(page, name)).to_have_attribute("aria-label", re.compile("red|blue"))
        colors = [cell(page, name).get_attribute("aria-label") for name in ("a4", "b4")]
        assert {re.search("red|blue", words)[0] for words in colors} == {"red", "blue"}

        page.get_by_role("radio", name="Red stone").check()
        cell(page, "a2").click()
        expect(cell(page, "a2")).to_have_attribute("aria-label", re.compile("red stone"))

        for sign in ("A B C", "1 2 3"):
            page.get_by_role("radio", name=f"Mark: {sign}").check()
            cell(page, f"{'ab'[sign == '1 2 3']}5").click()
            cell(page, f"{'cd'[sign == '1 2 3']}5").click()
        for name, mark in (("a5", "A"), ("c5", "B"), ("b5", "1"), ("d5", "2")):
            expect(cell(page, name)).to_have_attribute("aria-label", re.compile(f"marked {mark}$"))

        page.get_by_role("radio", name="Mark: arrow").check()
        for name in ("e1", "e3", "e1", "e4", "e1", "e3"):
            cell(page, name).click()  # the same arrow again removes it
        expect(page.locator(".picture .own-arrow")).to_have_count(1)
        expect(cell(page, "e1")).to_have_attribute("aria-label", "e1, empty, arrow to e4")
        page.keyboard.press("Control+z")
        expect(page.locator(".picture .own-arrow")).to_have_count(2)
        page.keyboard.press("Control+Shift+z")
        page.reload()
        expect(page.locator(".picture .own-arrow")).to_have_count(1)
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
        text = saved.value.path().read_text()
        assert "LB[a5:A][c5:B][b5:1][d5:2]" in text
        assert "AR[e1:e4]" in text


def test_a_number_replaces_a_letter(browser, empty):
    """A mark of the other kind is put in place of the one that is there."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, "Set up")
        for sign, mark in (("A B C", "A"), ("1 2 3", "1"), ("A B C", "A"), ("A B C", None)):
            page.get_by_role("radio", name=f"Mark: {sign}").check()
            cell(page, "b2").click()
            words = "b2, empty" if mark is None else f"b2, empty, marked {mark}"
            expect(cell(page, "b2")).to_have_attribute("aria-label", words)


@pytest.mark.slow
def test_opened_text_is_loaded_or_refused_at_the_field(browser, empty):
    """A move list sets the board, a link rotates it; other text is refused at the field."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:

        def load(text):
            choose(page, "Open")
            page.get_by_role("textbox", name="SGF").fill(text)
            page.get_by_role("button", name="Load", exact=True).last.click()

        load("a2 swap f6 g5")
        expect(page.locator(".standing").first).to_have_text("Red to move, after 4 g5.")
        expect(page.get_by_role("grid")).to_have_attribute("aria-label", re.compile("11 by 11"))
        load("https://hexworld.org/board/#7r9c1,d4")
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 d4.")
        expect(page.locator(".grid.flat")).to_be_visible()
        for text, said in (
            ("lorem ipsum", "lorem"),
            ("", "paste a game here first"),
            ("https://playhex.org/games/0b5b7b2c", "is not read: links to HexWorld"),
        ):
            load(text)
            expect(page.locator(".panels .problem")).to_contain_text(said)
            expect(page.locator(".panels")).to_contain_text("Read here: SGF")


@pytest.mark.slow
@pytest.mark.chromium  # Firefox does not report downloads
def test_a_commented_game_opens_at_its_beginning_and_names_are_edited(browser, empty):
    """Comments are among the moves; names are stored as typed and used in file names."""
    text = "(;GM[11]FF[4]SZ[5]PB[Anna]RE[B+R];B[a1]C[a slow start];W[c3])"
    with opened(browser, empty, settings=UNREVIEWED) as page:
        choose(page, "Open")
        page.get_by_role("textbox", name="SGF").fill(text)
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(page.locator(".comment-text")).to_have_text("a slow start")
        expect(page.locator(".move[aria-current=step]")).to_have_text("start")
        tab(page, "Note")
        page.get_by_label("Blue", exact=True).press_sequentially("Bo B")
        page.get_by_label("Date", exact=True).fill("2024-05-06")
        expect(page.locator(".moves-head p")).to_have_text(
            "Red: Anna, Blue: Bo B. Red has won: Blue resigned"
        )
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
        assert saved.value.suggested_filename == "Anna-Bo-B-2024-05-06.sgf"
        assert "PW[Bo B]" in saved.value.path().read_text()
        choose(page, "Analyze")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")
        expect(page.locator(".moves-head p")).to_have_text(
            "Red: Anna, Blue: ?. Red has won: Blue resigned"
        )


@pytest.mark.slow
def test_copying_is_confirmed_at_the_button(browser, london):
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    with opened(browser, london, settings=UNREVIEWED, **options) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        choose(page, "Share")
        link = page.locator(".ways li", has_text="HexWorld link")
        link.get_by_role("button", name="Copy").click()
        expect(link).to_contain_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()").startswith("https://hexworld.org")
        expect(page.locator(".ways")).to_contain_text("Link to this board, on this machine")
        expect(page.get_by_role("button", name="Copy: Drawing (SVG)")).to_have_count(0)


@pytest.mark.slow
def test_a_text_is_copied_without_a_clipboard(browser, london):
    """A page from another machine has none without https: the text is copied as a selection.

    If that fails, too, the text is shown, and a sentence is spoken instead of it.
    """
    with opened(browser, london, settings=UNREVIEWED) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        choose(page, "Share")
        page.evaluate("""() => {
          Object.defineProperty(navigator, "clipboard", { value: undefined });
          document.addEventListener("copy", () => { window.copied = String(getSelection()); });
        }""")
        copy, sgf = page.get_by_role("button", name="Copy: SGF"), page.locator(".ways li").nth(1)
        copy.click()
        expect(sgf).to_contain_text("Copied.")
        expect(copy).to_be_focused()
        assert page.evaluate("copied").startswith("(;FF[4]GM[11]")
        page.evaluate("document.execCommand = () => false")
        copy.click()
        expect(sgf).to_contain_text("(;FF[4]GM[11]")
        words = "The clipboard is closed: the text is beside the button."
        expect(page.locator("#spoken")).to_have_text(words)


@pytest.mark.slow
def test_letter_keys_go_to_mistakes_outside_text_fields(browser, empty, monkeypatch):
    """N, P, F and L work outside text fields, or on the board only if View limits them."""
    # A search for a better move may prove, depending on the machine, that an earlier one lost.
    nothing = {"candidates": [], "estimate": None, "winner": None}
    answer_by(monkeypatch, position, "moves", lambda *_: nothing)
    settings = {"reviews": True, "deepens": False}
    with opened(browser, empty, settings=settings) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        choose(page, "Open")
        page.get_by_role("textbox", name="SGF").fill(QUEENBEE_HEXY.read_text())
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(page.locator(".verdict .turn")).to_be_visible(timeout=GAME)
        mistake = page.locator(".move.blunder")
        expect(mistake).to_have_count(1, timeout=GAME)
        number = int(mistake.inner_text().split()[0])
        before = re.compile(f"after {number - 1} ")
        expect(page.locator(".move", has_text=re.compile("!$")).first).not_to_have_class(
            re.compile("blunder")
        )
        page.get_by_role("button", name="First").click()
        page.keyboard.press("n")
        expect(page.locator(".standing").first).to_contain_text(before)
        page.keyboard.press("l")
        page.keyboard.press("p")
        expect(page.locator(".standing").first).to_contain_text(before)
        page.get_by_label("Move or question").press("f")
        expect(page.locator(".standing").first).to_contain_text(before)
        choose(page, "View")
        page.get_by_label("Letters are keys anywhere").uncheck()
        choose(page, "Analyze")
        page.keyboard.press("f")
        expect(page.locator(".standing").first).to_contain_text(before)
        cell(page, "a1").focus()
        page.keyboard.press("f")
        expect(page.locator(".standing").first).to_have_text("Red to move.")


@pytest.mark.slow
def test_the_swap_map_is_offered_on_the_empty_board(browser, empty):
    """The swap map replaces weak links, which an empty board does not have."""
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        page.get_by_role("button", name="Which first moves to swap").click()
        expect(page.locator(".picture .ring")).to_have_count(13)
        expect(cell(page, "c3")).to_have_attribute("aria-label", "c3, empty, swap it")
        expect(cell(page, "a1")).to_have_attribute("aria-label", "a1, empty, do not swap it")
        expect(page.get_by_role("tabpanel")).to_contain_text("the second player should swap them")
        cell(page, "c3").click()
        expect(page.get_by_role("radio", name="Weak links")).to_be_checked()


@pytest.mark.slow
def test_the_net_layer_shows_the_policy_as_an_estimate(browser, london, asking):
    """The Net layer shows percentages, labeled as an estimate, and a key selects it.

    The order of the numbers and of the shades is that of the net's shares.
    """
    stones = formats.load(QUEENBEE_HEXY).position(20)
    policy = asking.ask("policy", position=position_object(stones))["policy"]
    shares = {cell: share for cell, share in policy.items() if share >= 0.02}
    order = sorted(shares, key=shares.__getitem__, reverse=True)
    shown = [f"{cell}, empty, {100 * shares[cell]:.0f} per cent by the net" for cell in order]
    with opened(browser, london, settings=UNREVIEWED, **WIDE) as page:
        go_to(page, 20)
        page.get_by_role("radio", name="Net").check()
        numbers = page.locator(".picture .rank")
        expect(numbers.first).to_be_visible()
        assert all(2 <= int(text) <= 100 for text in numbers.all_text_contents())
        named = page.locator('[role="gridcell"][aria-label$="per cent by the net"]')
        expect(named).to_have_count(numbers.count())
        labels = named.evaluate_all("parts => parts.map((part) => part.ariaLabel)")
        assert sorted(labels) == sorted(shown)
        shades = page.locator(".picture .heat").evaluate_all(
            "parts => parts.map((part) => Number(part.getAttribute('fill-opacity')))"
        )
        darkest = sorted(shades)[-len(shown) :]
        by_cell = [shade for shade in shades if shade >= darkest[0]]  # in the order of `labels`
        by_shade = [label for _, label in sorted(zip(by_cell, labels, strict=True))]
        assert by_shade == shown[::-1]
        expect(page.get_by_role("tabpanel")).to_contain_text("before any search (estimate)")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("1")
        expect(numbers).to_have_count(0)
        page.keyboard.press("7")
        expect(numbers.first).to_be_visible()


@pytest.mark.slow
@pytest.mark.chromium  # Firefox does not report downloads
def test_a_loaded_proof_is_shown_with_its_board(browser, empty, tmp_path):
    """A loaded proof sets its board and is removed with it; a stopped search reports that."""
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED) as page:
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the proof").click()
        saved.value.save_as(tmp_path / "hex.proof")
        choose(page, "Set up")
        page.get_by_label("Columns").fill("8")
        page.get_by_label("Rows").fill("8")
        page.get_by_role("button", name="Empty board").click()
        choose(page, "Solve")
        page.get_by_label("Proof file").set_input_files(tmp_path / "hex.proof")
        expect(page.locator(".card .thumbnail .stone")).to_have_count(1)
        expect(page.locator(".card")).to_contain_text("hex.proof, Blue to move: The proof holds")
        expect(page.locator(".card")).to_contain_text("with 1 red and 0 blue stones")
        page.get_by_label("Seconds").fill("60")
        page.get_by_role("button", name="Solve this position").click()
        page.get_by_role("button", name="Stop and keep").click()
        expect(page.locator(".panels p.open")).to_contain_text("Stopped before it was solved.")
        cell(page, "a1").click()
        expect(page.locator(".card")).to_have_count(0)


@pytest.mark.slow
def test_the_page_uses_the_shipped_font(browser, empty):
    with opened(browser, empty) as page:
        expect(page.locator(".headline")).to_be_visible()
        loaded = (
            "document.fonts.ready.then(() => [...document.fonts].map(f => [f.family, f.status]))"
        )
        assert page.evaluate(loaded) == [["Inter", "loaded"]]
        expect(page.locator(".headline")).to_have_css("font-size", re.compile(r"2[2-4](\.\d+)?px"))


@pytest.mark.slow
def test_a_click_before_the_game_arrives_is_played(browser, empty):
    """A click before the server's first answer is played once the game has arrived."""
    slow = """const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) {
        setTimeout(() => send.call(this, text), 500);
      }"""
    with opened(browser, empty, "#5") as page:
        page.add_init_script(slow)
        page.reload()
        cell(page, "c3").click()
        expect(page.locator(".standing").first).to_contain_text("after 1 c3")
        expect(page.locator(".problem")).to_have_count(0)
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "5")


NO_PAUSES = """() => { const { setTimeout } = window;
  window.setTimeout = (act, pause = 0) => (pause ? 0 : setTimeout(act)); }"""


@pytest.mark.slow
def test_a_stone_appears_before_its_answer(browser, monkeypatch):
    """A stone appears without delay; the old answer stays until the new one arrives."""
    held, whole = Event(), KINDS["analyze"].load()[1]

    def analyze(desk, job, asked):
        if asked.position.black:
            held.wait()
        return whole(desk, job, asked)

    answer_by(monkeypatch, position, "analyze", analyze)
    with served() as bound, opened(browser, bound, "#5", settings=UNREVIEWED) as page:
        expect(page.locator(".headline")).to_have_text("Red wins with c3")
        page.evaluate(NO_PAUSES)
        cell(page, "a1").click()
        expect(page.locator(".stone.black:not(.ghost)")).to_have_count(1)
        expect(page.locator(".headline")).to_have_text("Red wins with c3")
        held.set()
        expect(page.locator(".headline")).to_have_text(re.compile("^Blue wins with"))


@pytest.mark.slow
def test_a_stone_makes_a_sound_only_if_sound_is_on(browser, empty):
    counting = """() => { window.sounds = 0;
      const { start } = AudioScheduledSourceNode.prototype;
      AudioScheduledSourceNode.prototype.start = function (...at) {
        window.sounds++;
        start.apply(this, at);
      }; }"""
    for wanted, heard in ((False, 0), (True, 1)):
        with opened(browser, empty, "#5", settings=UNREVIEWED | {"sound": wanted}) as page:
            page.evaluate(counting)
            cell(page, "c3").click()
            expect(page.locator(".standing").first).to_contain_text("after 1 c3")
            assert page.evaluate("window.sounds") == heard


PRESSED = "button, input, summary, [role=gridcell]"
COVERED = """names => {
  const toast = document.querySelector(".toast");
  const at = toast.getBoundingClientRect();
  const parts = [...document.querySelectorAll(names)];
  return parts.filter((part) => {
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    return !toast.contains(part) && width && left < at.right && right > at.left
      && top < at.bottom && bottom > at.top;
  }).map((part) => part.textContent || part.ariaLabel);
}"""


@pytest.mark.parametrize("size", [(900, 720), (1280, 720), (1366, 620), (900, 420)])
def test_the_toast_covers_no_control_and_disappears(browser, empty, size):
    """The toast covers no control, and it disappears unless the pointer is on it."""
    width, height = size
    size = {"viewport": {"width": width, "height": height}}
    with opened(browser, empty, "#11,b4f6", is_alone=True, settings=UNREVIEWED, **size) as page:
        page.clock.install()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Delete from here").click()
        toast = page.locator(".toast")
        expect(toast).to_contain_text("1 move deleted.")
        assert page.evaluate(COVERED, PRESSED) == []
        toast.hover()
        page.clock.fast_forward(20_000)
        expect(toast).to_be_visible()
        page.mouse.move(300, height - 100)
        page.clock.fast_forward(7_000)
        expect(toast).to_have_count(0)


@pytest.mark.chromium  # Playwright can tap in this browser only
@pytest.mark.parametrize("size", [(390, 844), (740, 360)])
def test_on_a_phone_the_toast_covers_no_cell_or_arrow(browser, empty, size):
    """The toast covers no cell, arrow or (in portrait) answer, and a tap does not keep it open."""
    size = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": True}
    with opened(browser, empty, "#11,b4f6", is_alone=True, settings=UNREVIEWED, **size) as page:
        expect(page.locator(".verdict .estimate")).to_be_attached()
        page.clock.install()
        cell(page, "a2").tap()
        expect(page.locator(".tree-of-moves .move")).to_have_count(4)
        page.keyboard.press("Control+z")
        toast = page.locator(".toast")
        expect(toast).to_contain_text("Undone: Red a2.")
        pressed = re.compile(r"[a-k]\d+, |(First|Previous|Next|Last)$")
        assert list(filter(pressed.match, page.evaluate(COVERED, PRESSED))) == []
        if size["viewport"]["width"] < size["viewport"]["height"]:
            expect(page.locator(".verdict .estimate")).to_be_visible()
            answer = ".verdict :is(h2, p), .candidates, .search"
            assert page.evaluate(COVERED, answer) == []
        toast.locator("span").tap()
        page.clock.fast_forward(7_000)
        expect(toast).to_have_count(0)


def test_undo_by_keys_does_not_lose_the_focus(browser, empty):
    """The focus stays on the toast while it is open, then moves to the board."""
    with opened(browser, empty, "#11,b4f6", is_alone=True, settings=UNREVIEWED) as page:
        page.clock.install()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Delete from here").click()
        toast = page.locator(".toast")
        toast.get_by_role("button", name="Undo").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        redo = toast.get_by_role("button", name="Redo")
        expect(redo).to_be_focused()
        page.clock.fast_forward(20_000)
        expect(redo).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(toast).to_have_count(0)
        expect(cell(page, "a1")).to_be_focused()
