"""Requests that the server refuses, each with exactly one thing wrong."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from board_client import HOSTS, ORIGIN, SOCKET, TOKEN, client, empty_desk, page
from clock import HOLD
from starlette.websockets import WebSocketDisconnect

from player.answers.analysis import Analysis
from player.board import serve
from player.board.asked import LARGE, SMALL
from player.board.desk import Analyses
from player.board.guard import AddressError, Allowance, Keys, ServedPage, bind, is_loopback
from player.board.page_socket import REFUSED, PageSocket
from player.board.serve import MOST_STRANGERS
from player.board.threads import Threads

HELLO = json.dumps({"token": TOKEN})


@pytest.fixture(scope="module")
def browser():
    with client() as found:
        yield found


def test_the_page_is_served_with_a_content_security_policy(browser):
    answer = browser.get("/")

    assert answer.status_code == 200
    assert "main.js" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    sources = {word for part in policy.split("; ") for word in part.split()[1:]}
    assert sources == {"'none'", "'self'", "data:", "'script'", "lit-html"}
    assert "require-trusted-types-for 'script'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:8765.evil.example",
    ],
)
def test_a_foreign_host_is_refused(browser, host):
    assert browser.get("/", headers={"host": host}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        browser.websocket_connect(SOCKET, headers={"host": host, "origin": ORIGIN}),
    ):
        pass


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_own_hosts_are_served(browser, host):
    assert browser.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1", "null", "https://127.0.0.1:8765"]
)
def test_a_foreign_origin_is_refused(browser, origin):
    assert browser.get("/", headers={"origin": origin}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        browser.websocket_connect(SOCKET, headers={"origin": origin}),
    ):
        pass


def test_an_origin_that_equals_a_foreign_host_is_refused(browser):
    """Host and Origin that agree on a foreign name, as after DNS rebinding, are refused."""
    headers = {"host": "evil.example:8765", "origin": "http://evil.example:8765"}

    assert browser.get("/", headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(SOCKET, headers=headers):
        pass


def test_a_socket_without_origin_is_refused(browser):
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(SOCKET):
        pass


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_post_put_delete_patch_and_options_are_forbidden(browser, method):
    assert browser.request(method, "/").status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_of_other_sites_are_refused(browser, site):
    assert browser.get("/", headers={"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize("path", ["/../X", "/%2e%2e/X", "/..%2fX", "//etc/X", "/vendor/../../X"])
@pytest.mark.parametrize("name", [Path(serve.__file__).name, "passwd"])
def test_no_file_beside_the_page_is_served(browser, path, name):
    """No other file of the package or of the machine is served."""
    answer = browser.get(path.replace("X", name))

    assert answer.status_code in {403, 404}
    assert "Starlette" not in answer.text


@pytest.mark.parametrize(
    "first",
    [
        "",
        "no JSON",
        "{}",
        '{"token": "another"}',
        '{"token": 7}',
        "[" * 10_000,
        HELLO + " " * SMALL,
    ],
)
def test_a_socket_without_the_token_is_closed(browser, first):
    with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as found:
        found.send_text(first)
        with pytest.raises(WebSocketDisconnect) as refused:
            found.receive_text()

    assert refused.value.code == REFUSED


def test_a_ticket_is_accepted_once_and_returns_the_token():
    """The ticket that opens the browser is void after its first use."""
    keys = Keys(TOKEN)
    hello = json.dumps({"ticket": keys.ticket()})
    with client(keys=keys) as browser:
        with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as found:
            found.send_text(hello)
            assert json.loads(found.receive_text())["token"] == TOKEN
        with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as found:
            found.send_text(hello)
            with pytest.raises(WebSocketDisconnect) as refused:
                found.receive_text()

    assert refused.value.code == REFUSED


def test_the_browser_is_started_without_the_token():
    bound = bind("127.0.0.1", 0)
    bound.socket.close()

    assert bound.keys.token not in bound.address_once()
    assert bound.address_once() != bound.address_once()


def test_no_cookie_is_set_or_read(browser):
    answer = browser.get(f"/?token={TOKEN}")

    assert "set-cookie" not in answer.headers
    with browser.websocket_connect(
        SOCKET, headers={"origin": ORIGIN, "cookie": f"token={TOKEN}"}
    ) as found:
        found.send_text("{}")
        with pytest.raises(WebSocketDisconnect):
            found.receive_text()


def test_a_ninth_tab_is_refused(browser):
    sockets = []
    for _ in range(8):
        found = browser.websocket_connect(SOCKET, headers={"origin": ORIGIN})
        found.__enter__()
        found.send_text(HELLO)
        found.receive_text()
        sockets.append(found)
    ninth = browser.websocket_connect(SOCKET, headers={"origin": ORIGIN})
    with ninth:
        ninth.send_text(HELLO)
        with pytest.raises(WebSocketDisconnect) as refused:
            ninth.receive_text()
    for found in sockets:
        found.__exit__(None, None, None)

    assert "8 tabs" in refused.value.reason


def test_silent_connections_displace_no_page(browser):
    """Any number of silent connections cannot displace a page that has a key."""
    with ExitStack() as mute:
        for _ in range(MOST_STRANGERS + 3):
            mute.enter_context(browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}))
        with page(browser) as one:
            assert one.ask("read", text="a1")["games"]


def test_unread_answers_of_a_page_are_bounded():
    """A page's unread answers are bounded, and all arrive once it reads again."""

    class Slow:
        def __init__(self):
            self.asked, self.sent, self.reads = 0, [], asyncio.Event()

        async def receive_text(self):
            if self.asked == 100:
                await asyncio.sleep(60)
            await asyncio.sleep(0)
            self.asked += 1
            return json.dumps({"id": self.asked, "kind": "x" * 30})

        async def send_text(self, text):
            await self.reads.wait()
            self.sent.append(text)

    async def serve():
        socket = Slow()
        connection = PageSocket(socket, empty_desk(), Threads(), Keys(TOKEN))
        serving = asyncio.ensure_future(connection.serve())
        await turns()
        before = socket.asked
        socket.reads.set()
        await turns()
        serving.cancel()
        return before, len(socket.sent)

    async def turns():
        """Run all tasks until each one waits, without a clock that a loaded machine outruns."""
        for _ in range(5000):
            await asyncio.sleep(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("player.board.page_socket.OWN", Allowance(unread=1000))
        # In its own thread: the browser of an earlier test leaves its event loop in this one.
        with ThreadPoolExecutor(1) as pool:
            before, sent = pool.submit(asyncio.run, serve()).result()

    assert before < 20
    assert sent == 1 + 100


def test_a_bound_loopback_address_is_an_allowed_host():
    bound = bind("127.0.0.2", 0)
    bound.socket.close()

    assert f"127.0.0.2:{bound.port}" in bound.hosts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "not JSON"),
        ("[1, 2]", "expected object"),
        ("[" * 50_000, "expected object"),
        ('{"kind": "read"}', "id"),
        ('{"id": "x", "kind": "read"}', "id"),
        (json.dumps({"id": 1, "kind": "run", "command": "ls"}), "not a kind of question: 'run'"),
        (json.dumps({"id": 1, "kind": "../app"}), "not a kind of question"),
        (json.dumps({"id": 1, "kind": "analyze"}), "position"),
        (json.dumps({"id": 1, "kind": "explain", "position": " " * SMALL}), "at most"),
        (json.dumps({"id": 1, "kind": "shipped", "name": "../../etc/passwd"}), "name"),
        (" " * (LARGE + 1), "at most"),
    ],
)
def test_a_bad_message_gets_a_one_line_error_and_the_page_continues(browser, text, said):
    with page(browser) as one:
        one.socket.send_text(text)
        message = json.loads(one.socket.receive_text())

        assert message["kind"] == "error"
        assert said in message["message"]
        assert "\n" not in message["message"]
        assert one.ask("read", text="a1")["games"]


def test_a_question_that_is_too_long_is_refused_under_its_id(browser):
    """Without its id the page would wait for ever, as for a file of zeros: six bytes for each."""
    with page(browser) as one:
        one.send("read", text="\0" * (LARGE // 6))
        message = json.loads(one.socket.receive_text())

    assert (message["id"], message["kind"]) == (1, "error")
    assert "at most" in message["message"]


def test_half_of_a_surrogate_pair_in_a_comment_is_a_question_mark(browser):
    """JSON may not contain it: without an answer the page would play no move after the comment."""
    step = {"parent": -1, "comment": "so \ud83d and \U0001f600, \\ud83d"}
    with page(browser) as one:
        game = {"columns": 3, "rows": 3, "nodes": [step]}
        text = one.ask("write", game=game, format="sgf")["text"]

    assert "C[so ? and \U0001f600, \\\\ud83d]" in text


def test_a_binary_message_leaves_other_pages_connected(browser):
    with page(browser) as one, page(browser) as other:
        one.socket.send_bytes(b"\x00\xff")

        assert other.ask("read", text="a1")["games"]


def test_a_missing_key_of_our_own_is_not_taken_for_bytes(browser, monkeypatch):
    """A KeyError in the code that starts a job is raised, so the server logs it."""

    def faulty(*_asked):
        raise KeyError("ours")

    monkeypatch.setattr(PageSocket, "_work", faulty)
    with pytest.raises(KeyError, match="ours"), page(browser) as one:
        one.send("read", text="a1")


BOARD = {"columns": 11, "rows": 11, "black": [], "white": [], "turn": "black"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"columns": 100, "rows": 100}, "100x100"),
        ({"columns": 20, "rows": 3}, "19x19"),
        ({"columns": 0}, "out of range"),
        ({"black": ["z1"]}, "off the 11x11 board"),
        ({"black": ["<b>"]}, "not a cell"),
        ({"black": ["a1"], "white": ["a1"]}, "both colors"),
        ({"turn": "red"}, "turn"),
        ({"black": "a1"}, "black"),
    ],
)
def test_a_bad_position_is_refused(browser, changed, said):
    with page(browser) as one:
        assert said in one.refusal("analyze", position=BOARD | changed)


@pytest.fixture
def held():
    """Yield a page whose questions are answered only after `go` is set."""
    go = threading.Event()

    def analysis(position):
        go.wait(HOLD)  # so that a failing test does not hang
        return Analysis(position)

    with client(empty_desk(analyses=Analyses(analysis))) as browser, page(browser) as one:
        yield one, go
        go.set()


def test_at_most_six_questions_at_once(held):
    one, go = held
    small = BOARD | {"columns": 3, "rows": 3}
    asked = [one.send("analyze", position=small) for _ in range(7)]

    assert "6 questions are being answered" in one.hear(asked[6])["message"]
    go.set()
    assert [one.hear(number)["kind"] for number in asked[:6]] == ["answer"] * 6


def test_an_id_is_not_used_twice_at_once(held):
    one, go = held
    small = BOARD | {"columns": 3, "rows": 3}
    for _ in range(2):
        one.socket.send_text(json.dumps({"id": 7, "kind": "analyze", "position": small}))

    assert "7 is in use" in one.hear(7)["message"]
    go.set()
    assert one.hear(7)["kind"] == "answer"


def test_a_waiting_question_can_be_canceled(held):
    one, go = held
    small = BOARD | {"columns": 3, "rows": 3}
    first, second = (one.send("analyze", position=small) for _ in range(2))
    one.send("cancel", job=second)
    one.refusal("nothing")  # so the message before it was read
    go.set()

    assert one.hear(first)["kind"] == "answer"
    assert one.hear(second)["kind"] == "cancelled"


ALL = ["", "0.0.0.0", "0", "0x0", "0.0", "000.000.000.000", "::", "::ffff:0.0.0.0"]  # noqa: S104


@pytest.mark.parametrize("host", ALL)
def test_a_host_that_means_all_addresses_is_refused(host):
    """A host that means all addresses is refused, however it is written."""
    with pytest.raises(AddressError, match="name one address"):
        bind(host, 0)


def test_bind_rejects_a_taken_port_and_finds_a_free_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(AddressError, match=f"port {port} of 127.0.0.1"):
            bind("127.0.0.1", port)
    found = bind("127.0.0.1", None)
    found.socket.close()

    assert found.port > 0


def test_on_windows_no_other_program_can_take_the_port(monkeypatch):
    """There SO_REUSEADDR lets two sockets listen on one port, and `board` began on a taken one."""
    with monkeypatch.context() as patch:  # pytest itself asks for it, too
        patch.setattr("player.board.guard.os.name", "nt")
        bound = bind("127.0.0.1", 0)
    shares = bound.socket.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    bound.socket.close()

    assert not shares


def test_the_token_is_long_and_new():
    one, other = bind("127.0.0.1", 0), bind("127.0.0.1", 0)
    one.socket.close()
    other.socket.close()

    assert one.keys.token != other.keys.token
    assert len(one.keys.token) >= 32  # 192 bits in base 64
    assert one.keys.token in one.address


def test_hosts_depend_on_the_bound_address():
    with socket.socket() as found:
        remote = ServedPage(found, "10.1.2.3", 8765, Keys("t"))
        own = ServedPage(found, "127.0.0.1", 8765, Keys("t"))

    assert remote.hosts == {"10.1.2.3:8765"}
    assert own.hosts == HOSTS
    assert not is_loopback("10.1.2.3")
    assert not is_loopback("example.org")
    assert is_loopback("127.0.0.2")


def test_the_welcome_message_contains_the_game_of_the_desk():
    with (
        client(empty_desk(5)) as browser,
        browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as found,
    ):
        found.send_text(HELLO)
        welcome = json.loads(found.receive_text())

    assert (welcome["game"]["columns"], welcome["game"]["rows"]) == (5, 5)


def test_an_allowed_origin_need_not_equal_the_host(browser):
    """Two names of this machine may be Host and Origin: they need not be equal."""
    headers = {"host": "127.0.0.1:8765", "origin": "http://localhost:8765"}

    assert browser.get("/", headers=headers).status_code == 200
