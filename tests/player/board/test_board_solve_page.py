"""Solve on the page in a real browser: what is marked, and the proof that is saved."""

import re

import pytest
from browser import cell, choose, opened, served
from click.testing import CliRunner
from playwright.sync_api import expect

from player.cli import main


@pytest.fixture(scope="module")
def empty():
    with served() as bound:
        yield bound


@pytest.mark.slow
def test_a_6x6_position_is_set_up_solved_and_its_proof_saved(browser, empty, tmp_path):
    """The saved file is what `hsearch verify` takes."""
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
def test_what_solve_marks_is_told_beside_it(browser, empty):
    """Rings and hatching, whose meaning nobody has to guess."""
    with opened(browser, empty, "#4") as page:
        choose(page, "Solve")
        page.get_by_role("button", name="Solve this position").click()

        expect(page.get_by_text("Ringed cells win, hatched ones lose.")).to_be_visible()
        expect(cell(page, "a4")).to_have_attribute("aria-label", re.compile("wins"))
        expect(cell(page, "a1")).to_have_attribute("aria-label", re.compile("loses"))
