"""What the page does before its socket opens, while it waits, and after a refusal."""

from browser import UNREVIEWED, answered, opened
from playwright.sync_api import expect
from test_board_keeping import PASTE

# Until `open_now`, the page has no connection.
CLOSED = """window.opening = new Promise((done) => {
    window.open_now = () => { window.isOpen = true; done(); };
  });
  window.WebSocket = class extends WebSocket {
    get readyState() { return window.isOpen ? super.readyState : 0; }
    set onopen(hear) { super.onopen = () => opening.then(hear); }
  };"""


def test_a_long_comment_does_not_prevent_an_analysis(browser, empty):
    """The question about the end of a record has its comments."""
    text = f"(;FF[4]GM[11]SZ[5]C[{'long ' * 20_000}];B[c3];W[b2]C[end])"
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        page.evaluate(PASTE, text)
        expect(page.locator(".move")).to_have_count(3)
        for name in ("Home", "End"):
            page.keyboard.press(name)
            answered(page)
            expect(page.locator(".problem")).to_have_count(0)
            expect(page.locator(".verdict .headline")).to_contain_text("Red")
