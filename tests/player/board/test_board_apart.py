"""Tests share a tab of the browser, but no state of the page."""

import ast
import re

from browser import answered, cell, choose, opened
from places import ROOT
from playwright.sync_api import expect

KEPT = """async () => {
  const done = (asked) => new Promise((resolve) => {
    asked.onsuccess = () => resolve(asked.result);
  });
  const games = (await done(indexedDB.open("hsearch", 1))).transaction("games");
  return [await done(games.objectStore("games").count()), localStorage.left, sessionStorage.left,
    JSON.parse(localStorage["hsearch.settings"]).numbers];
}"""
WINDOW = """() => {
  const { deepens } = JSON.parse(localStorage["hsearch.settings"]);
  return [innerWidth, innerHeight, history.length, document.querySelector("[data-cell]:hover"),
    deepens];
}"""


def test_a_new_page_has_no_data_of_the_previous_one(browser, empty):
    """A new page has no games, settings or open tabs of the page before, in the same tab.

    The pointer is outside the window, which is as large as usual, and there is no way back.
    """
    with opened(browser, empty) as page:
        fresh = page.evaluate(WINDOW)
    changed = {
        "settings": {"redBlue": False, "deepens": False},
        "viewport": {"width": 700, "height": 500},
    }
    with opened(browser, empty, "#3,a1b2", **changed) as page:
        context = page.context
        page.evaluate("localStorage.left = sessionStorage.left = 'left'")
        choose(page, "View")
        page.get_by_label("Numbers").check()
        expect(page).to_have_url(re.compile("#3n,a1b2"))
        page.wait_for_function(f"({KEPT})().then(([games]) => games === 1)")
        assert page.evaluate(KEPT) == [1, "left", "left", True]
        for name in ("c3", "b3"):
            cell(page, name).click()
        page.evaluate("history.pushState(null, '')")
        assert page.evaluate(WINDOW) != fresh
    with opened(browser, empty) as page:
        answered(page)
        assert page.context == context
        assert context.pages == [page]
        assert page.evaluate(KEPT) == [0, None, None, None]
        assert page.evaluate(WINDOW) == fresh


def test_a_tab_that_was_changed_is_closed(browser, empty):
    """A tab is closed if a test has changed more of it than the page; its context stays."""
    with opened(browser, empty) as page:
        page.add_init_script("window.left = 'left'")
    assert page.is_closed()
    with opened(browser, empty) as other:
        assert other.context == page.context
        assert other.evaluate("window.left") is None


def test_pages_that_are_open_at_once_share_nothing(browser, empty):
    with opened(browser, empty) as one, opened(browser, empty) as other:
        assert one.context != other.context
        one.evaluate("localStorage.left = 'left'")
        assert other.evaluate("localStorage.left") is None


def test_a_test_that_fails_logs_or_runs_alone_closes_its_context(browser, empty):
    """A context is closed after a test that fails, logs or changes more than its own tab."""
    contexts = []
    for how in ({}, {"is_alone": True}, {"may_log": True}):
        try:
            with opened(browser, empty, **how) as page:
                contexts.append(page.context)
                assert how
        except AssertionError:
            assert not how
    assert len(contexts) == 3
    assert not any(context in browser.contexts for context in contexts)


def test_tests_of_clock_or_context_open_their_own_context():
    """A test that uses the clock or the context, which tabs share, asks for its own context."""
    found = []
    for path in sorted((ROOT / "tests/player/board").glob("test_*.py")):
        for part in ast.walk(ast.parse(path.read_text())):
            text = ast.unparse(part) if isinstance(part, ast.FunctionDef) else ""
            if "opened(" in text and re.search(r"\.clock\.|\.context\.", text):
                found.append(part.name)
                assert re.search("is_alone=True|may_log=True", text), part.name

    assert "test_comments_survive_a_reload_and_games_open_in_a_second_tab" in found
