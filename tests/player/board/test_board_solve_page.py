"""Proofs on the page in a real browser: found at once, by Solve, and followed on the board."""

import math
import re
from threading import Event

import pytest
from browser import UNREVIEWED, cell, choose, go_to, opened, served, tab
from click.testing import CliRunner
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_page import QUEENBEE_HEXY

from hsearch import formats
from player.answers import analysis
from player.board.asked import KINDS, position
from player.cli import main


@pytest.mark.slow
def test_a_6x6_position_is_set_up_solved_and_its_proof_saved(browser, empty, tmp_path):
    """`hsearch verify` accepts the saved proof."""
    with opened(browser, empty) as page:
        choose(page, "Set up")
        page.get_by_label("Columns").fill("6")
        page.get_by_label("Rows").fill("6")
        page.get_by_role("button", name="Empty board").click()
        cell(page, "d3").click()
        cell(page, "b4").click()
        expect(cell(page, "b4")).to_have_attribute("aria-label", re.compile("black stone"))
        page.get_by_role("radio", name="White", exact=True).check()
        choose(page, "Solve")
        page.get_by_label("Every winning move").uncheck()
        page.get_by_label("Seconds").fill("60")
        page.get_by_role("button", name="Solve this position").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the proof").click()
        saved.value.save_as(tmp_path / "hex.proof")
    told = CliRunner().invoke(main, ["verify", str(tmp_path / "hex.proof")])

    assert told.exit_code == 0
    assert "The proof holds: Black wins this position of " in told.stdout


@pytest.mark.slow
def test_a_legend_explains_the_marks_of_solve(browser, empty):
    """A legend explains the rings and the hatching."""
    with opened(browser, empty, "#4") as page:
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()

        expect(page.get_by_text("Ringed cells win, hatched ones lose.")).to_be_visible()
        expect(cell(page, "a4")).to_have_attribute("aria-label", re.compile("wins"))
        expect(cell(page, "a1")).to_have_attribute("aria-label", re.compile("loses"))
        cell(page, "b3").click()
        page.get_by_role("button", name="Solve this position").click()
        expect(page.get_by_text("Every move loses.")).to_be_visible()
        expect(cell(page, "d1")).to_have_attribute("aria-label", re.compile("loses"))


def test_the_swap_rule_makes_a_solution_conditional(browser):
    """The swap rule makes the verdict conditional, until a game is played without it."""
    game = formats.read("(;GM[11]FF[4]SZ[5]RU[swap];B[c3])")
    with served(game) as bound, opened(browser, bound) as page:
        expect(page.locator(".headline")).to_have_text("White may swap, and should")
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()
        expect(page.locator(".panels .proved")).to_contain_text("If nobody swaps: Black wins, ")
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_label("The second player may swap").uncheck()
        page.get_by_role("button", name="Play from this position").click()
        choose(page, "Solve")
        expect(page.get_by_role("button", name="Solve this position")).to_be_enabled()
        expect(page.locator(".panels .proved")).to_have_count(0)
        page.get_by_role("button", name="Solve this position").click()
        expect(page.locator(".panels .proved")).to_contain_text("■ Black wins, ")


@pytest.mark.slow
def test_the_verdict_uses_proofs_of_a_short_search(browser, monkeypatch):
    """A short search proves what connections leave open, and no estimate is shown beside it."""
    monkeypatch.setattr(analysis, "SLOW", math.inf)  # on a busy machine its seconds are soon over
    game = formats.load(QUEENBEE_HEXY)
    with served(game) as bound, opened(browser, bound, settings={"reviews": False}) as page:
        for move in (30, 38, 46):
            go_to(page, move)
            expect(page.locator(".headline")).to_have_text(re.compile("^Red wins with"))
            expect(page.locator(".verdict .proved")).to_be_visible()
            expect(page.locator(".verdict .estimate")).to_have_count(0)
            expect(page.locator(".evaluation")).to_have_class(re.compile("proved-bar"))


@pytest.mark.slow
def test_the_verdict_uses_the_proof_of_solve(browser, empty):
    """The verdict and the graph use Solve's proof, before and after the winning move."""
    with opened(browser, empty, "#6,a1", settings={"reviews": False}) as page:
        choose(page, "Solve")
        page.get_by_label("Seconds").fill("60")
        page.get_by_role("button", name="Solve this position").click()
        expect(page.get_by_role("button", name="Save the proof")).to_be_visible()
        wins = page.locator('[role="gridcell"][aria-label*="wins"]').first.get_attribute(
            "data-cell"
        )
        choose(page, "Analyze")
        expect(page.locator(".headline")).to_have_text(re.compile("^Blue wins"))
        cell(page, wins).click()
        expect(page.locator(".standing").first).to_contain_text(f"after 2 {wins}")
        expect(page.locator(".headline")).to_have_text(re.compile("^Blue wins"))
        expect(page.locator(".verdict .estimate")).to_have_count(0)


@pytest.mark.slow
def test_clicking_the_star_in_ask_plays_the_key(browser, london):
    """A click on the star in Ask plays the key."""
    with opened(browser, london, settings={"reviews": False}) as page:
        go_to(page, 50)
        page.get_by_label("Ask").check()
        cell(page, "f8").click()
        expect(cell(page, "f8")).to_have_attribute("aria-label", re.compile("red stone"))
        expect(page.locator(".problem")).to_have_count(0)
        expect(page.get_by_role("button", name="Back to the game")).to_be_visible()
        page.keyboard.press("Escape")
        expect(cell(page, "f8")).to_have_attribute("aria-label", re.compile("empty"))


@pytest.mark.slow
def test_compiling_is_shown_with_a_count(browser, monkeypatch):
    """A count of compiled parts replaces the answer's sentence until the answer arrives."""
    whole = KINDS["analyze"].load()[1]
    waits = []

    def analyze(desk, job, asked):
        if asked.position.black:
            job.tell({"compiling": "3 of 7"})
            waits.append(job)
            while len(waits) < 2:
                job.cancel.wait(0.05)
        return whole(desk, job, asked)

    answer_by(monkeypatch, position, "analyze", analyze)
    with served() as bound, opened(browser, bound, "#5") as page:
        expect(page.locator(".headline")).to_have_text(re.compile("wins"))
        cell(page, "a1").click()
        words = "Preparing for boards of this size, once, 3 of 7 parts ..."
        told = page.locator(".verdict").get_by_text(words)
        expect(told).to_be_visible()
        waits.append(None)
        expect(told).to_have_count(0)


def test_first_buttons_and_file_warnings_appear_while_compiling(browser, empty, monkeypatch):
    """The first buttons and a file's warning appear while kernels still compile."""
    whole, is_over = KINDS["analyze"].load()[1], Event()

    def analyze(desk, job, asked):
        job.tell({"compiling": "3 of 47"})
        while not is_over.wait(0.05):
            job.check()
        return whole(desk, job, asked)

    answer_by(monkeypatch, position, "analyze", analyze)
    with opened(browser, empty) as page:
        told = page.locator(".verdict").get_by_text("3 of 47 parts")
        expect(told).to_be_visible()
        expect(page.get_by_role("button", name="An example")).to_be_visible()
        page.get_by_role("button", name="Open a game").click()
        page.get_by_role("textbox", name="SGF").fill("a3 swap f6")
        page.get_by_role("button", name="Load", exact=True).last.click()
        expect(told).to_be_visible()
        expect(page.locator(".line .notice")).to_contain_text("the stone on a3 becomes White's")
        is_over.set()


EDGES = """() => { const board = document.querySelector(".picture.ground");
  const scale = board.getScreenCTM().a;
  return [".edge.black", ".edge.white"].map((color) => board.querySelector(color))
    .map((edge) => { const { strokeWidth, stroke } = getComputedStyle(edge);
      return [parseFloat(strokeWidth) * scale, stroke]; }); }"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("players", [True, False], ids=["red", "black"])
def test_edges_are_thick_and_each_in_the_color_of_its_owner(browser, london, scheme, players):
    """Edges show ten to twelve pixels, in two colors that differ from the page's."""
    settings = {"reviews": False, "redBlue": players}
    size = {"width": 1440, "height": 900}
    with opened(browser, london, settings=settings, color_scheme=scheme, viewport=size) as page:
        expect(page.locator(".edge").first).to_be_attached()
        edges = page.evaluate(EDGES)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        rim = page.locator(".edge-rim").first.evaluate("rim => getComputedStyle(rim).stroke")
        assert all(10 <= width / 2 <= 12 for width, _ in edges)  # cells cover the other half
        assert len({stroke for _, stroke in edges} | {ground}) == 3
        assert players or rim not in {ground, *(stroke for _, stroke in edges)}


def test_undo_of_a_comment_leaves_what_was_solved(browser, empty):
    """After the second move no swap can change it."""
    with opened(browser, empty, "#3,a1c3", settings=UNREVIEWED) as page:
        tab(page, "Note")
        page.get_by_label("Comment").fill("mine")
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()
        solved = page.locator(".panels .proved")
        expect(solved).to_contain_text("wins")
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone: a comment.")
        expect(solved).to_contain_text("wins")
