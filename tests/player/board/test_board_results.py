"""The winner on the page: by the record, on time, and before a swap that is still possible."""

import json
import re
from contextlib import contextmanager
from threading import Event

import pytest
from browser import UNREVIEWED, answered, cell, choose, go_to, opened, served, tab
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE

from hsearch import formats
from hsearch.hex.board import Color
from hsearch.hex.move import Ending, Outcome
from player.board.asked import KINDS, records

pytestmark = pytest.mark.firefox  # if it is installed

ENDED = "(;GM[11]FF[4]SZ[11]PB[Anna]PW[Bo]RE[W+T];B[a1];W[c3];B[e5](;W[c5])(;W[d5];B[d4]))"


def test_the_result_is_shown_at_the_end_of_the_record(browser):
    """The result is shown without an estimate, and is not marked as proved.

    It is shown at the end of the record only, also after a move was tried there.
    """
    settings = {"redBlue": False, "reviews": False}
    with served(formats.read(ENDED)) as bound, opened(browser, bound, settings=settings) as page:
        headline, standing = page.locator(".headline"), page.locator(".standing").first
        won, estimate = "White has won: Black lost on time", page.locator(".verdict .estimate")
        expect(headline).to_have_text(won)
        expect(standing).to_have_text("White has won, after 4 c5.")
        expect(page.locator(".verdict .proved, .evaluation.proved-bar")).to_have_count(0)
        expect(estimate).to_have_count(0)
        page.get_by_role("button", name="4 d5").click()
        expect(estimate).to_be_visible()
        page.get_by_role("button", name="5 d4").click()
        expect(standing).to_contain_text("after 5 d4, in a variation.")
        expect(estimate).to_be_visible()
        page.get_by_role("button", name="4 c5").click()
        cell(page, "d3").click()
        expect(standing).to_have_text("White to move, after 5 d3.")
        expect(estimate).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(headline).to_have_text(won)


def saved(page):
    """Return the game as SGF, saved from Share."""
    choose(page, "Share")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save: SGF").click()
    choose(page, "Analyze")
    return formats.load(download.value.path())


def test_continuing_the_game_removes_the_result(browser):
    """A further move or another main line removes the result, and undo restores it."""
    settings = {"redBlue": False, "reviews": False}
    with served(formats.read(ENDED)) as bound, opened(browser, bound, settings=settings) as page:
        head = page.locator(".moves-head p")
        players, won = "Black: Anna, White: Bo", "White has won: Black lost on time"
        expect(head).to_have_text(f"{players}. {won}")
        assert saved(page).result == "W+T"
        cell(page, "d3").click()
        expect(head).to_have_text(players)
        assert saved(page).result is None
        page.keyboard.press("Control+z")
        expect(head).to_have_text(f"{players}. {won}")
        page.get_by_role("button", name="4 d5").click()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Make this variation the main line").click()
        expect(head).to_have_text(players)
        assert saved(page).result is None
        page.keyboard.press("Control+z")
        assert saved(page).result == "W+T"


def test_a_resignation_in_a_won_position_shows_no_proof(browser, empty):
    """Who resigns in a won position has lost: neither Play nor Analyze shows the proof of a win."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("spinbutton", name="Board").fill("4")
        page.get_by_role("button", name="New game").click()
        cell(page, "b2").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".why")).to_be_visible()
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".panels .standing")).to_have_text("Red has won.")
        proof = page.locator(".why, .proved, .picture :is(.carrier, .dot, .key)")
        for place, hint in (
            ("Play", ""),
            ("Analyze", "The game is over: nothing is left to play."),
        ):
            choose(page, place)
            expect(page.locator(".headline")).to_have_text("Blue resigned")
            expect(page.locator(".board")).to_have_attribute("data-looking", "false")
            expect(page.locator(".evaluation")).to_have_class(re.compile("no-chance"))
            expect(page.locator("[aria-current=step]")).not_to_have_class(re.compile("won-"))
            expect(page.locator(".tabs .hint")).to_have_text([hint] if hint else [])
            page.keyboard.press("1")
            cell(page, "c2").hover()
            expect(proof).to_have_count(0)
            expect(page.locator(".reply-line")).to_have_text("\u00a0")
        slider = page.get_by_role("slider", name="Move")
        expect(slider).to_have_attribute("aria-valuetext", "move 2, Blue resign")
        expect(page.get_by_role("button", name="Ask the solver")).to_have_count(0)
        box = page.get_by_label("Move or question")
        for word in ("who", "why", "threat", "hint"):
            box.fill(word)
            box.press("Enter")
            expect(page.locator(".notice")).to_have_text("Red has won: Blue resigned.")
            expect(box).to_have_value("")


def test_a_record_against_the_proof_shows_the_result_only(browser):
    """A record that names another winner than the proof is shown without the proof."""
    for result, proofs in (("W+R", 0), ("B+R", 1)):
        text = f"(;FF[4]GM[11]SZ[5]RE[{result}];B[b2];W[b4];B[b3];W[a4])"
        with (
            served(formats.read(text)) as bound,
            opened(browser, bound, settings=UNREVIEWED) as page,
        ):
            expect(page.locator(".headline")).to_contain_text("has won: ")
            expect(page.locator(".verdict details")).to_be_attached()
            expect(page.locator(".board")).to_have_attribute("data-looking", "false")
            expect(page.locator(".verdict .proved, .why")).to_have_count(2 * proofs)


def test_long_names_hide_neither_the_answer_nor_the_arrows(browser):
    """Long names are cut off; the answer and the arrows beside the board are not."""
    named = f"(;GM[11]FF[4]SZ[11]PB[{'Anna ' * 18}]PW[{'Bo ' * 30}]RE[B+R];B[a1];W[c3])"
    with (
        served(formats.read(named)) as bound,
        opened(
            browser, bound, settings=UNREVIEWED, viewport={"width": 1280, "height": 720}
        ) as page,
    ):
        expect(page.locator(".moves-head p")).to_have_attribute("title", re.compile("Red has won"))
        for name in (".headline", ".moves-head .menu", ".move-bar"):
            expect(page.locator(name)).to_be_in_viewport(ratio=1)


def test_a_long_name_fits_into_the_question(browser, empty):
    """A name without blanks is broken."""
    named = f"(;GM[11]FF[4]SZ[3]PB[{'W' * 90}]PW[Bo];B[a1];W[c3])"
    with opened(
        browser, empty, "#3,b2", settings=UNREVIEWED, viewport={"width": 360, "height": 640}
    ) as page:
        answered(page)
        page.evaluate(PASTE, named)
        expect(page.get_by_role("button", name="Replace it")).to_be_visible()
        question = page.get_by_role("dialog")
        assert question.evaluate("(box) => box.scrollWidth <= box.clientWidth")


# The left ends of the first letter and of the first digit of a text.
ENDS = r"""(part) => {
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  return [/\p{L}/u, /\d/].map((sign) => {
    const text = texts.find(({ data }) => sign.test(data)), start = text.data.search(sign);
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + 1);
    return range.getBoundingClientRect().left;
  });
}"""


def test_the_number_of_moves_follows_a_name_from_right_to_left(browser, empty):
    """In a title of a recent game, a Hebrew name stays to the left of what follows it."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        answered(page)
        page.evaluate(PASTE, "(;GM[11]FF[4]SZ[3]PB[\u05d3\u05df]PW[\u05e8\u05df];B[a1];W[c3])")
        expect(page.locator(".move").last).to_have_text("2 c3")
        choose(page, "Open")
        title = page.locator(".recent span").last
        expect(title).to_contain_text("2 moves")
        name, number = title.evaluate(ENDS)
        assert name < number


def test_deleting_the_new_main_line_restores_the_result(browser):
    """Deleting the new main line restores the record's end and its result."""
    settings = {"redBlue": False, "reviews": False}
    with served(formats.read(ENDED)) as bound, opened(browser, bound, settings=settings) as page:
        said, estimate = page.locator(".headline"), page.locator(".verdict .estimate")
        expect(said).to_have_text("White has won: Black lost on time")
        page.get_by_role("button", name="4 d5").click()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Make this variation the main line").click()
        page.get_by_role("button", name="4 c5").click()
        expect(estimate).to_be_visible()
        page.get_by_role("button", name="4 d5").click()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Delete from here").click()
        expect(page.locator(".standing").first).to_have_text("White to move, after 3 e5.")
        page.get_by_role("button", name="4 c5").click()
        expect(said).to_have_text("White has won: Black lost on time")


AMENDED = """async () => {
  const { History } = await import("./history.js");
  const { addMove, emptyGame, setRule } = await import("./tree.js");
  const game = emptyGame(3), made = new History();
  const board = { game, node: game.root, prepareSave: () => {} };
  const play = (move) => made.act(board, move, () => addMove(board.node, "black", move, {}));
  play("a1");
  Object.assign(board, made.undo());
  made.amend(board, () => setRule(game, true));
  const redone = made.redo();
  return [game.root.info, redone, made.undone.length];
}"""


def test_redo_keeps_changes_made_since_the_undo(browser, empty):
    """Redo keeps what was written since, such as the rule of a game begun after an undo."""
    with opened(browser, empty) as page:
        assert page.evaluate(AMENDED) == [[["RU", "swap"]], None, 0]


def test_the_headline_follows_the_result_as_it_is_typed(browser):
    """The headline follows the result as it is typed, after undo and after a reload."""
    settings = {"redBlue": False, "reviews": False}
    text = "(;GM[11]FF[4]SZ[11]PB[Anna]RE[B+R];B[a1];W[c3])"
    with served(formats.read(text)) as bound, opened(browser, bound, settings=settings) as page:
        said, estimate = page.locator(".headline"), page.locator(".verdict .estimate")
        expect(said).to_have_text("Black has won: White resigned")
        tab(page, "Note")
        result = page.get_by_label("Result")
        result.fill("")
        expect(estimate).to_be_visible()
        result.fill("Anna lost on time")
        expect(said).to_have_text("White has won: Black lost on time")
        cell(page, "d4").click()
        expect(estimate).to_be_visible()
        page.keyboard.press("ArrowLeft")
        expect(said).to_have_text("White has won: Black lost on time")
        expect(page).to_have_url(re.compile("a1c3,d4$"))  # stored once the person pauses
        page.reload()
        expect(said).to_have_text("White has won: Black lost on time")
        page.keyboard.press("ArrowRight")
        expect(estimate).to_be_visible()


def test_a_removed_result_disappears_from_its_position(browser):
    """The page asks again about the position where the record ended before."""
    settings = {"redBlue": False, "reviews": False}
    text = "(;GM[11]FF[4]SZ[11]RE[B+R];B[a1];W[c3];B[e5];W[g7])"
    with served(formats.read(text)) as bound, opened(browser, bound, settings=settings) as page:
        said, estimate = page.locator(".headline"), page.locator(".verdict .estimate")
        expect(said).to_have_text("Black has won: White resigned")
        cell(page, "d4").click()
        expect(estimate).to_be_visible()
        tab(page, "Note")
        page.get_by_label("Result").fill("")
        go_to(page, 4)
        expect(estimate).to_be_visible()
        expect(said).not_to_contain_text("has won")


def test_a_game_lost_on_time_has_its_result_in_the_record(browser, empty):
    """The record has the result until the last move is undone or the game continues."""
    seconds, both = 0.6, {"engine": None, "size": 5}
    kept = json.dumps(json.dumps(both | {"minutes": seconds / 60}))
    with opened(browser, empty, "#5", settings={"redBlue": False, "reviews": False}) as page:
        page.evaluate(f"localStorage['hsearch.play'] = {kept}")
        page.reload()
        choose(page, "Play")
        cell(page, "a1").click()
        expect(page.locator(".panels .standing")).to_have_text("Black has won.")
        expect(page.locator(".panels .slot").first).to_have_text("White's time is up.")
        page.get_by_role("button", name="Go through the game").click()
        expect(page.locator(".headline")).to_have_text("Black has won: White lost on time")
        page.keyboard.press("Control+z")
        expect(page.locator(".standing").first).to_have_text("Black to move.")
        page.keyboard.press("Control+y")
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
        game = formats.load(saved.value.path())
        assert (game.result, game.ending()) == ("B+Time", Outcome(Color.BLACK, Ending.LOST_ON_TIME))
        choose(page, "Play")
        page.get_by_role("button", name="Take back").click()
        cell(page, "b2").click()
        expect(page.locator(".panels .standing")).to_have_text("White is to move.")
        expect(page.locator(".clock")).to_have_count(0)
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
        assert formats.load(saved.value.path()).result is None


@contextmanager
def timed(browser, empty):
    """Open a page with a clock of its own, and a game of ten minutes each after its first move."""
    settings = {"redBlue": False, "reviews": False}
    with opened(browser, empty, "#5", settings=settings, is_alone=True) as page:
        kept = json.dumps(json.dumps({"engine": None, "size": 5, "minutes": 10}))
        page.evaluate(f"localStorage['hsearch.play'] = {kept}")
        page.clock.install()
        page.reload()
        choose(page, "Play")
        cell(page, "a1").click()
        expect(page.locator(".panels .standing")).to_have_text("White is to move.")
        yield page


def test_taking_back_a_move_resumes_its_players_clock(browser, empty):
    with timed(browser, empty) as page:
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(".panels .standing")).to_have_text("Black is to move.")
        page.clock.fast_forward(600_000)
        expect(page.locator(".panels .slot").first).to_have_text("Black's time is up.")


@pytest.mark.parametrize("change", [-3600, 3600])
def test_the_systems_time_changes_no_clock(browser, empty, change):
    """A computer corrects its time in a game, by `change` seconds."""
    with timed(browser, empty) as page:
        page.clock.set_system_time(page.evaluate("Date.now()") + 1000 * change)
        page.clock.run_for(1000)  # until that is drawn
        expect(page.locator(".panels .standing")).to_have_text("White is to move.")
        expect(page.locator(".clock")).to_have_text(
            re.compile(r"Black (10:00|9:..),\s+White 9:..$")
        )


def test_no_clock_runs_while_the_server_is_away(browser):
    """Nobody can move then, so nobody loses on time."""
    server = served()
    bound = server.__enter__()
    with opened(browser, bound, settings=UNREVIEWED, may_log=True, is_alone=True) as page:
        kept = json.dumps(json.dumps({"engine": None, "size": 5, "minutes": 10}))
        page.evaluate(f"localStorage['hsearch.play'] = {kept}")
        page.clock.install()
        page.reload()
        choose(page, "Play")
        page.get_by_role("button", name="New game").click()
        cell(page, "a1").click()
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        server.__exit__(None, None, None)
        expect(page.locator(".away")).to_be_visible()
        page.clock.fast_forward(600_000)
        page.clock.run_for(1000)  # until that is drawn
        expect(page.locator(".panels .standing")).to_have_text("Blue is to move.")
        expect(page.locator(".clock")).to_have_text(re.compile("Blue (10:00|9:..)$"))


def test_a_move_counts_when_clicked_not_when_received(browser, empty, monkeypatch):
    """A move clicked before the time is up counts, even if the server receives it later."""
    held, whole = Event(), KINDS["states"].load()[1]
    answer_by(monkeypatch, records, "states", lambda *asked: held.wait() and whole(*asked))
    kept = json.dumps(json.dumps({"engine": None, "size": 5, "minutes": 0.01}))
    with opened(browser, empty, "#5", settings={"redBlue": False, "reviews": False}) as page:
        page.evaluate(f"localStorage['hsearch.play'] = {kept}")
        page.reload()
        choose(page, "Play")
        cell(page, "a1").click()
        page.wait_for_timeout(1000)
        expect(page.locator(".clock")).to_contain_text("Black 0:00")
        assert page.evaluate("document.querySelector('.panels .slot').textContent.trim()") == ""
        held.set()
        expect(page.locator(".panels .move", has_text="1 a1")).to_have_count(1)
        # White's time is up soon.
        standing = page.locator(".panels .standing")
        expect(standing).to_have_text(re.compile("^(White is to move|Black has won)[.]$"))


@pytest.mark.parametrize(
    ("word", "shown"), [("resign", "2 resign"), ("b2", "2 b2"), ("undo", "1 move taken back.")]
)
def test_a_word_waits_for_the_move_before_it(word, shown, browser, empty, monkeypatch):
    """What is typed while the server receives a move is done after it, and is not lost."""
    held, whole = Event(), KINDS["states"].load()[1]
    answer_by(monkeypatch, records, "states", lambda *asked: held.wait() and whole(*asked))
    with opened(browser, empty, "#5", settings={"redBlue": False, "reviews": False}) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        cell(page, "c3").click()
        box = page.get_by_label("Move or question")
        box.fill(word)
        box.press("Enter")
        expect(box).to_have_value("")
        held.set()
        expect(page.locator(".panels .move, .toast", has_text=shown)).to_have_count(1)
        expect(box).to_have_value("")


def test_a_proof_before_a_swap_is_marked_conditional(browser, empty):
    """Before a swap, the proof is conditional on no swap; after it, it is not."""
    with opened(browser, empty, "#5", settings={"redBlue": False, "reviews": False}) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("spinbutton", name="Board").fill("5")
        page.get_by_role("button", name="New game").click()
        cell(page, "c3").click()
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".headline")).to_have_text("White may swap, and should")
        expect(page.locator(".proved")).to_contain_text("If nobody swaps: Proved")
        page.get_by_role("button", name="Swap", exact=True).click()
        expect(page.get_by_text("after 2 swap")).to_be_attached()
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".headline")).to_have_text("White wins")
        expect(page.locator(".proved")).not_to_contain_text("If nobody swaps")


def test_a_game_from_within_a_record_does_not_keep_its_result(browser):
    """A game that is played from within a record goes on, even where the record ended."""
    settings = {"redBlue": False, "reviews": False}
    with served(formats.read(ENDED)) as bound, opened(browser, bound, settings=settings) as page:
        go_to(page, 3)
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        cell(page, "c5").click()
        expect(page.locator(".panels .standing")).to_have_text("Black is to move.")
        assert saved(page).result is None


def test_a_new_game_applies_the_swap_rule_to_seen_positions(browser, empty):
    """Positions analyzed before the game are analyzed again with the swap rule."""
    with opened(browser, empty, "#5,c3", settings={"redBlue": False, "reviews": False}) as page:
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".headline")).to_have_text("Black wins with c3")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".headline")).to_have_text("Black wins")
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="Play from this position").click()
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".headline")).to_have_text("White may swap, and should")
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".headline")).to_have_text("White may swap")


def test_the_page_names_the_swap_that_was_missed(browser):
    """The words about the second move know that it could have been a swap."""
    game = formats.read("(;GM[11]FF[4]SZ[5]RU[swap];B[c3];W[a1];B[c2])")
    settings = {"redBlue": False, "reviews": False}
    with served(game) as bound, opened(browser, bound, settings=settings) as page:
        go_to(page, 2)
        expect(page.locator("[aria-live]").first).to_contain_text("would have won by the swap")


def test_the_swap_rule_is_set_only_while_a_swap_is_possible(browser):
    """A new game sets or removes the record's swap rule while a swap is possible."""
    settings = {"redBlue": False, "reviews": False}
    opened_with = "(;GM[11]FF[4]SZ[5]%s;B[b4]%s)"
    for rule, moves, swaps, wanted in (
        ("RU[swap]", "", False, None),
        ("", "", True, "swap"),
        ("RU[swap]", ";W[c3]", False, "swap"),
        ("", ";W[c3]", True, None),
        ("RU[other]", "", False, "other"),
    ):
        game = formats.read(opened_with % (rule, moves))
        with served(game) as bound, opened(browser, bound, settings=settings) as page:
            answered(page)
            choose(page, "Play")
            page.get_by_label("You play").select_option("both")
            page.get_by_label("The second player may swap").set_checked(swaps)
            page.get_by_role("button", name="Play from this position").click()
            assert saved(page).about("RU") == wanted


def test_undo_of_a_result_reaches_the_end_that_was_shown(browser):
    """The page goes to where the result was typed, and its end is open again."""
    settings = {"redBlue": False, "reviews": False}
    game = formats.read("(;GM[11]FF[4]SZ[11];B[a1];W[c3];B[e5];W[g7])")
    with served(game) as bound, opened(browser, bound, settings=settings) as page:
        go_to(page, 1)
        tab(page, "Note")
        page.get_by_label("Result").fill("B+R")
        go_to(page, 4)
        expect(page.locator(".headline")).to_have_text("Black has won: White resigned")
        page.keyboard.press("Control+z")
        expect(page.locator(".standing").first).to_contain_text("after 1 a1")
        answered(page)
        go_to(page, 4)
        expect(page.locator(".verdict .estimate")).to_be_visible()


def test_a_proof_without_its_result_is_explained(browser):
    """A result against the proof hides it, until the result is removed."""
    settings = {"redBlue": False, "reviews": False}
    game = formats.read("(;GM[11]FF[4]SZ[5]RE[W+R];B[c3];W[a1];B[c2])")
    with served(game) as bound, opened(browser, bound, settings=settings) as page:
        expect(page.locator(".headline")).to_have_text("White has won: Black resigned")
        tab(page, "Note")
        page.get_by_label("Result").fill("")
        expect(page.locator(".headline")).to_have_text("Black wins")
        tab(page, "Why")
        expect(page.locator(".why")).to_be_visible()
