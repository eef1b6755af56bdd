"""Hidden stones at two pages: a seat is taken by invitation, and hears of its own stones alone."""

import json
import re
import subprocess
import sys

import pytest
from board_client import client, page
from browser import cell, opened, served
from playwright.sync_api import expect


@pytest.fixture
def asking():
    with client() as browser, page(browser) as one:
        yield one


def test_an_invitation_is_good_for_one(asking):
    game = asking.ask("dark-start", size=3, base="abrupt", elsewhere="white")
    seat = {"game": game["game"], "key": game["keys"]["black"]}
    assert list(game["keys"]) == ["black"]
    assert not asking.ask("dark-turn", **seat)["complete"]
    asking.ask("dark-attempt", cell="b2", **seat)
    joined = asking.ask("dark-join", invitation=game["invitation"])
    other = {"game": joined["game"], "key": joined["keys"]["white"]}
    seen = asking.ask("dark-view", **other)

    assert list(joined["keys"]) == ["white"]
    assert joined["size"] == 3
    assert "b2" not in json.dumps(seen)
    assert asking.ask("dark-turn", **seat) == {"turn": "white", "heard": False, "complete": True}
    assert "taken" in asking.refusal("dark-join", invitation=game["invitation"])
    assert "taken" in asking.refusal("dark-join", invitation="")
    assert "white" in asking.refusal("dark-start", white="blind", elsewhere="white")


@pytest.mark.parametrize("kind", ["dark-start", "choose", "coin"])
def test_any_question_may_be_the_first(kind):
    """What answers it is loaded alone, in a process that has loaded nothing else."""
    code = f"from player.board.kinds import KINDS; KINDS[{kind!r}].load()"
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_two_people_at_two_pages(browser):
    """The second takes the seat by its link; no word of the hidden stone reaches that page."""
    heard = []

    def hear(frame):
        heard.append(frame)

    with served() as bound, opened(browser, bound) as first:
        first.get_by_role("button", name="Dark", exact=True).click()
        first.get_by_label("costs").select_option("abrupt")
        first.get_by_label("The other player is").select_option("apart-white")
        first.get_by_role("spinbutton", name="Board").fill("3")
        first.get_by_role("button", name="New game").click()
        link = first.get_by_label("Address").input_value()
        expect(first.locator(".panels")).to_contain_text("It is your turn")
        cell(first, "b2").click()
        expect(first.locator(".panels")).to_contain_text("The other player is to move")

        context = browser.new_context()
        second = context.new_page()
        second.on("websocket", lambda socket: socket.on("framereceived", hear))
        second.goto(link)
        expect(second.locator(".panels")).to_contain_text("White's view. It is your turn")
        assert "seat=" not in second.url
        expect(first.get_by_label("Address")).to_have_count(0)
        assert heard
        assert not any('"b2"' in frame for frame in heard)
        expect(cell(second, "b2")).to_have_attribute("aria-label", re.compile("empty"))
        cell(second, "b2").click()
        expect(second.locator(".change")).to_have_text(
            "A hidden stone lies on b2. Your turn is lost."
        )
        expect(first.locator(".panels")).to_contain_text("It is your turn")
        context.close()
