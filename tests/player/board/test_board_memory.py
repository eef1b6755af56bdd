"""What a tab of the browser stores, what it frees, and its socket to the server."""

from browser import opened
from playwright.sync_api import expect

COLORS = {"reviews": False}
SOCKETS = """async () => {
  const sockets = [], states = [], { Server } = await import("./socket.js");
  window.WebSocket = class {
    static OPEN = 1;
    static CLOSED = 3;
    constructor() { this.texts = []; sockets.push(this); }
    send(text) { this.texts.push(text); }
    open() { this.readyState = 1; this.onopen(); }
    close(code) { this.readyState = 3; this.onclose({ code }); }
  };
  const server = new Server({ token: "first" }, (state) => states.push(state));
  const hear = (newValue) => server.hear({ key: "hsearch.token", newValue });
  sockets[0].open();
  sockets[0].close(1006);
  hear("second");
  await new Promise((done) => setTimeout(done, 600)); // it would connect again after 250
  const count = sockets.length;
  sockets[0].close(1006);
  sockets[1].open();
  hear("third");
  sockets[1].close(4401);
  sockets[2].open();
  sockets[2].close(4401);
  return { count, states, hellos: sockets.map(({ texts }) => texts.map(JSON.parse)) };
}"""


def test_a_tab_has_one_socket_at_a_time(browser, empty):
    """A token from another tab replaces the waiting, and the token of a refused socket."""
    with opened(browser, empty, "#3", settings=COLORS) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        found = page.evaluate(SOCKETS)

    assert found["count"] == 2
    assert found["states"] == ["away", "refused"]
    assert found["hellos"] == [[{"token": each}] for each in ("first", "second", "third")]
