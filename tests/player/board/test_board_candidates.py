"""Candidates on the page: moves with chances and lines during a search, none after the end."""

import re

import pytest
from browser import SEARCHING, UNREVIEWED, answered, cell, choose, go_to, opened, served, tab
from playwright.sync_api import expect
from stand_in import answer_by

from hsearch import formats
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Color
from player.answers.memory import MEMORY, BySolver, Proved
from player.answers.solved import estimate_sentence
from player.board.asked import position
from player.cli.bench import COUNT
from player.search.chances import Chance

pytestmark = pytest.mark.firefox  # if it is installed
LONDON = find_shipped("games/london-2000-queenbee-hexy.sgf")
WIDE = {"viewport": {"width": 1440, "height": 900}}
BOX = "part => JSON.stringify(part.getBoundingClientRect())"

LINES = (
    ("b4", "54 % (70)", 0.54, ["b4", "a9", "b3"]),
    ("c2", "51 % (20)", 0.51, ["c2", "i4"]),
    ("h10", "9 % (9)", 0.09, ["h10"]),
    ("a1", "1 % (1)", 0.01, ["a1"]),
)


@pytest.fixture
def scripted(monkeypatch):
    """Let a search report its first candidates and run until it is canceled."""
    asked = []

    def moves(_desk, job, question):
        asked.append(question)
        fields = "move", "said", "chance", "line"
        found = [dict(zip(fields, line, strict=True)) | {"winner": None} for line in LINES]
        first = found[0]["chance"]
        chance = first if question.position.turn == "black" else 1 - first
        estimate = {"chance": chance, "said": estimate_sentence(Chance(chance, "tree"))}
        job.tell({"candidates": found, "estimate": estimate, "text": "100 simulations"})
        job.cancel.wait()
        job.check()

    answer_by(monkeypatch, position, "moves", moves)
    return asked


@pytest.mark.usefixtures("scripted")
def test_candidates_are_listed_drawn_and_played(browser, empty):
    """The pointer and the focus show a line as numbered ghosts, and no height changes."""
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **WIDE) as page:
        rows = page.locator(".candidates .row")
        expect(rows).to_have_count(3)
        expect(rows.first).to_have_text(re.compile(r"b4\s+54 % \(70\)\s+a9 b3"))
        order = "the chance after each, and its number of simulations, most first"
        expect(page.get_by_role("list", name=f"Moves to play: {order}")).to_be_visible()
        expect(page.locator(".picture .rank.best")).to_have_text(["2", "1", "3"])
        expect(cell(page, "c2")).to_have_attribute("aria-label", "c2, empty, candidate 2")
        before = page.locator(".verdict").evaluate(BOX)
        rows.first.hover()
        expect(page.locator(".ghost.white")).to_have_count(2)
        expect(page.locator(".ghost.black")).to_have_count(1)
        expect(page.locator(".number.order")).to_have_text(["3", "1", "2"])  # b3, b4, a9
        page.mouse.move(700, 880)
        expect(page.locator(".ghost")).to_have_count(0)
        rows.nth(1).focus()
        expect(page.locator(".ghost")).to_have_count(2)
        assert page.locator(".verdict").evaluate(BOX) == before
        rows.nth(1).press("Enter")
        expect(page.locator(".standing").first).to_have_text("Red to move, after 2 c2.")
        expect(page.locator(".ghost")).to_have_count(0)


def test_a_search_updates_the_verdict_and_can_be_paused(browser, empty, scripted):
    """The verdict shows the search's chance; Space and the button pause it for all positions."""
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **WIDE) as page:
        chance = "Estimated chance to win: Red 46 %, Blue 54 % (by the tree)."
        expect(page.locator(".verdict .estimate")).to_contain_text(chance)
        expect(page.locator(".verdict .search")).to_have_text("100 simulations")
        page.keyboard.press("Space")
        go_on = page.get_by_role("button", name="Resume the search (Space)")
        expect(go_on).to_have_attribute("aria-pressed", "true")
        cell(page, "a2").click()
        expect(page.locator(".standing").first).to_contain_text("after 2 a2")
        answered(page)
        assert len(scripted) == 1
        go_on.click()
        expect(page.locator(".candidates .row")).to_have_count(3)
        expect(page.locator(".verdict .estimate")).to_contain_text("Red 54 %, Blue 46 %")
        assert len(scripted) == 2
        choose(page, "Play")  # nothing is searched in Play
        choose(page, "Analyze")
        expect(page.locator(".search")).to_have_text("100 simulations")


@pytest.mark.usefixtures("scripted")
def test_a_game_that_is_over_has_no_candidates(browser, empty):
    with opened(browser, empty, "#3,b1a1b2c2b3", settings=SEARCHING) as page:
        expect(page.locator(".headline")).to_have_text("Red has won")
        expect(page.locator(".verdict .proved")).to_be_attached()
        expect(page.locator(".candidates, .search")).to_have_count(0)


@pytest.mark.usefixtures("scripted")
def test_no_move_has_a_chance_once_all_are_proved_to_lose(browser):
    """Candidates of a canceled search disappear once the review proves the winner."""
    (game,) = formats.read_all(LONDON.read_text())
    with served(game.cut(23)) as bound, opened(browser, bound, settings=SEARCHING) as page:
        expect(page.locator(".candidates .row")).to_have_count(3)
        MEMORY.keep(game.position(23), Proved(Color.BLACK, BySolver(55)))
        tab(page, "Review")
        page.get_by_role("button", name="Review this game").click()

        expect(page.locator(".headline")).to_have_text("Red wins")
        expect(page.locator(".candidates .row, .picture .rank.best")).to_have_count(0)


def test_the_end_of_a_record_has_no_candidates_and_no_hint(browser, scripted):
    """The end of a record is not searched and has no hint; earlier positions have candidates."""
    ended = formats.read("(;FF[4]GM[11]SZ[5]RE[W+R];B[b2];W[b4];B[b3];W[a4])")
    settings = SEARCHING | {"redBlue": False}
    with served(ended) as bound, opened(browser, bound, settings=settings) as page:
        rows, box = page.locator(".candidates .row"), page.get_by_label("Move or question")
        expect(page.locator(".headline")).to_have_text("White has won: Black resigned")
        expect(page.locator(".verdict details")).to_be_attached()
        box.fill("hint")
        box.press("Enter")
        expect(page.locator(".notice")).to_contain_text("White has won")
        expect(rows.or_(page.locator(".picture .rank.best"))).to_have_count(0)
        assert scripted == []
        page.get_by_role("button", name="2 b4").click()
        expect(rows).not_to_have_count(0)


@pytest.mark.usefixtures("scripted")
def test_no_move_is_a_hint_where_the_winner_is_to_move(browser):
    """Where the other player resigned out of turn, a proof has a move, but the game is over."""
    ended = formats.read("(;FF[4]GM[11]SZ[5]RE[B+R];B[a2];W[b4])")
    with served(ended) as bound, opened(browser, bound, settings={"redBlue": False}) as page:
        box = page.get_by_label("Move or question")
        expect(page.locator(".headline")).to_have_text("Black has won: White resigned")
        expect(page.locator(".verdict details")).to_be_attached()
        box.fill("hint")
        box.press("Enter")
        expect(page.locator(".notice")).to_contain_text("Black has won: White resigned")


def test_the_hint_promises_no_threat_that_is_not_known(browser, empty):
    """If a search proved that every move loses, the hint promises no threat for each move.

    Then the word "hint" recommends no move.
    """
    for fragment, hint in (
        ("#6,f3", "No known threat shows it, but a search has proved it."),
        ("#5,c2", "Point at a cell to see a threat that rules it out, if one is known."),
    ):
        with opened(browser, empty, fragment) as page:
            expect(page.locator(".headline")).to_contain_text("Black wins")
            expect(page.locator(".tabs .hint")).to_have_text(f"Every move loses. {hint}")
            box = page.get_by_label("Move or question")
            box.fill("hint")
            box.press("Enter")
            expect(page.locator(".notice")).to_contain_text("Black wins, whatever White plays")


def test_no_move_is_ringed_after_a_resignation(browser):
    """After a resignation no move is ringed; one move earlier, the moves that may hold are."""
    given_up = "(;FF[4]GM[11]SZ[7];B[e2];W[swap-pieces];B[d4];W[c6];B[e5];W[resign])"
    rings = ".picture .ring"
    with served(formats.read(given_up)) as bound, opened(browser, bound) as page:
        expect(page.locator(".headline")).to_have_text("White resigned")
        expect(page.locator(".board")).to_have_attribute("data-looking", "false")
        expect(page.locator(rings)).to_have_count(0)
        page.get_by_role("button", name="5 e5").click()
        expect(page.locator(rings)).not_to_have_count(0)


@pytest.mark.usefixtures("scripted")
def test_the_move_box_accepts_hint(browser, empty):
    """In Analyze, "hint" in the move box names the first candidate."""
    with opened(browser, empty, "#11,f6", settings=SEARCHING) as page:
        expect(page.locator(".candidates .row")).to_have_count(3)
        box = page.get_by_label("Move or question")
        box.fill("hint")
        box.press("Enter")
        expect(page.locator(".notice")).to_have_text("The best move that is known is b4.")
        expect(page.locator(".problem")).to_have_count(0)


def test_a_hint_where_every_move_loses_is_not_called_the_best(browser, empty):
    """The page gives the answer that the server gives in Play, with the proof and its move."""
    with opened(browser, empty, "#6,a1d3", settings=SEARCHING | {"redBlue": False}) as page:
        row = page.locator(".candidates .row").first
        expect(row).to_contain_text("loses (proved)")
        move = re.match("[a-f][1-6]", row.inner_text())[0]
        box = page.get_by_label("Move or question")
        box.fill("hint")
        box.press("Enter")
        expect(page.locator(".notice")).to_have_text(
            re.compile(f"^Proved .* wins, .*[.] {move} is the hardest to refute[.]$")
        )


TRIED = [("b4", None, 0.54, 70), ("c2", None, 0.51, 20), ("h10", "white", 1.0, 9)]
TRIED += [("a1", None, 0.004, 6), ("a2", "black", 0.0, 5), ("a3", None, 0.2, 4)]
TRIED += [("a4", None, 0.3, 3), ("a5", None, 0.3, 1)]


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_chances_of_all_searched_moves_are_shown_on_the_board(browser, empty, monkeypatch, size):
    """Chances are shown as numbers, not only as shades, and the legend is in view."""

    def moves(_desk, job, _question):
        fields = "move", "winner", "chance", "simulations"
        tried = [dict(zip(fields, row, strict=True)) for row in TRIED]
        job.tell({"candidates": [], "estimate": None, "tried": tried, "text": "118 simulations"})
        job.cancel.wait()
        job.check()

    answer_by(monkeypatch, position, "moves", moves)
    view = {"viewport": {"width": size[0], "height": size[1]}}
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **view) as page:
        answered(page)
        page.locator("body").press("8")
        numbers, legend = page.locator(".picture .rank"), page.locator(".legend")
        expect(numbers).to_have_text(["1", "✕", "51", "54", "✓"])
        expect(page.locator(".picture .heat")).to_have_count(len(TRIED))
        expect(legend).to_have_text(re.compile("Blue's chance in %. Searched little\\s+much"))
        expect(legend.locator(".shade")).to_have_count(3)
        assert legend.evaluate("part => part.scrollWidth <= part.clientWidth")
        for name, words in (("b4", "chance 54 per cent"), ("h10", "proved to win")):
            expect(cell(page, name)).to_have_attribute("aria-label", f"{name}, empty, {words}")
        shades = page.locator(".picture .heat").evaluate_all(
            "parts => parts.map(part => Number(part.getAttribute('fill-opacity')))"
        )
        assert max(shades) == 0.6  # so that a number stays readable
        assert min(shades) > 0
        page.locator("body").press("1")
        expect(legend).to_have_count(0)


def test_the_legend_explains_missing_chances(browser, empty):
    """The legend explains an empty board, a paused search and a proved winner."""
    with opened(browser, empty, "#11", settings={"reviews": False}) as page:
        legend = page.locator(".legend")
        page.get_by_role("radio", name="Chances").check()
        expect(legend).to_have_text("Nothing is searched on an empty board.")
        page.goto(page.url.split("#")[0] + "#11,f6")
        expect(page.locator(".standing").first).to_contain_text("after 1 f6")
        expect(legend).to_have_text("The search is paused: Space resumes it.")
        page.goto(page.url.split("#")[0] + "#4,b2")
        expect(legend).to_have_text("Who wins is proved: no chance is left.")


@pytest.mark.usefixtures("scripted")
def test_no_ghosts_remain_if_a_line_is_pointed_at_while_the_page_changes(browser, empty):
    """No ghosts remain if a closing menu puts the pointer on a row as the page changes."""
    leaving = """() => {
      const row = document.querySelector(".candidates .row");
      const places = [...document.querySelectorAll("header button")];
      places.find((place) => place.textContent === "View").click();
      row.dispatchEvent(new PointerEvent("pointerenter")); }"""
    with opened(browser, empty, "#11,f6", settings=SEARCHING, **WIDE) as page:
        expect(page.locator(".candidates .row")).to_have_count(3)
        page.evaluate(leaving)
        expect(page.get_by_role("heading", name="View")).to_be_visible()
        expect(page.locator(".ghost")).to_have_count(0)
        choose(page, "Analyze")
        page.locator(".candidates .row").first.hover()
        expect(page.locator(".ghost")).to_have_count(3)


def test_a_swap_that_is_due_is_the_first_candidate(browser):
    """Before a possible swap, Analyze recommends what the hint of Play does.

    At the start it lists the most even first move, without the chances that ignore the swap.
    """
    begun = formats.read("(;FF[4]GM[11]SZ[11]RU[swap];B[f6];W[e4])")
    with served(begun) as bound, opened(browser, bound, settings=SEARCHING) as page:
        rows, box = page.locator(".candidates .row"), page.get_by_label("Move or question")

        def hint():
            box.fill("hint")
            box.press("Enter")
            return page.locator(".notice")

        go_to(page, 0)
        expect(page.locator(".headline")).to_have_text("Blue may swap")
        expect(rows).to_have_count(1)
        first = rows.first.inner_text().strip()
        ring = page.locator(".picture .rank.best")
        expect(ring).to_have_text(["1"])
        expect(cell(page, first)).to_have_attribute("aria-label", f"{first}, empty, candidate 1")
        expect(hint()).to_contain_text(f"Hint: {first}. Blue may swap. Opens with {first}")
        go_to(page, 1)
        expect(page.locator(".headline")).to_have_text("Blue may swap, and should")
        expect(rows.first).to_have_text("swap")
        expect(hint()).to_contain_text("Hint: swap. Blue may swap, and should. f6 is")
        page.locator(".verdict summary").click()
        expect(page.locator(".verdict details p").first).to_contain_text("and should. f6 is")
        rows.first.click()
        swapped = "Red to move, after 2 swap, in a variation."
        expect(page.locator(".standing").first).to_have_text(swapped)
        expect(rows.filter(has_text="swap")).to_have_count(0)


def test_a_candidate_in_play_is_a_move_of_the_game(browser, empty):
    """In Play, a press on a candidate of Why is a move of the game, so Why closes after it."""
    with opened(browser, empty, "#5", settings={"reviews": False}) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("spinbutton", name="Board").fill("5")
        page.get_by_role("button", name="New game").click()
        cell(page, "c3").click()
        standing = page.locator(".panels .standing")
        expect(standing).to_have_text("Blue is to move.")
        page.get_by_role("button", name="Why", exact=True).click()
        page.locator(".candidates .row").first.click()
        expect(page.locator(".standing").first).to_contain_text("after 2 swap")
        expect(page.locator(".verdict")).to_have_count(0)
        choose(page, "Analyze")
        choose(page, "Play")
        expect(page.locator(".standing").first).to_contain_text("after 2 swap")


def test_the_benchmark_counts_what_a_click_draws(browser, empty, monkeypatch):
    """Its count does not depend on the search, whose candidates replace marks in the picture."""

    def moves(_desk, _job, _question):
        lines = [
            {"move": move, "said": "loses", "winner": "black", "chance": 0.0, "line": [move]}
            for move in ("c2", "d2", "c4")
        ]
        return {"candidates": lines, "estimate": None, "winner": "black", "said": []}

    answer_by(monkeypatch, position, "moves", moves)
    with opened(browser, empty, "#5,c3", settings=UNREVIEWED) as page:
        dots = page.locator(".picture .dot")
        expect(dots).not_to_have_count(0)
        before, drawn = page.evaluate(COUNT, ".why"), dots.count()
        page.keyboard.press(" ")
        expect(page.locator(".picture .rank.best")).to_have_count(3)
        assert dots.count() < drawn
        assert page.evaluate(COUNT, ".why") == before == drawn + 1  # and the stone
        assert page.evaluate(COUNT, ".stone") == 1
