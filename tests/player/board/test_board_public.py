"""A board for visitors: only `--public` admits strangers, and each gets a limited share."""

import json
import sys
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from board_client import HOSTS, ORIGIN, SOCKET, TOKEN, Page, client, empty_desk, page
from click.testing import CliRunner
from clock import HOLD, TRIES, wait_until
from endless import find_all
from places import ROOT
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from hsearch import formats
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.answers.analysis import Analysis
from player.board import guard, serve
from player.board.asked import KINDS
from player.board.desk import MOST_GAMES, Analyses
from player.board.guard import KINDS_OF_VISITORS, Keys, Visitors
from player.board.page_socket import REFUSED, TOO_MANY
from player.board.records import page_record
from player.cli import main
from player.cli.board import board

NAME = "hex.example.org"
SMALL = {"columns": 3, "rows": 3, "black": [], "white": [], "turn": "black"}
ELEVEN = {"columns": 11, "rows": 11, "black": [], "white": [], "turn": "black"}
BIDDING = page_record(Game(Board(3, 3)))
NINE = {"columns": 9, "rows": 9, "black": [], "white": [], "turn": "black"}


@contextmanager
def public(limits=None, desk=None):
    """Yield a browser at a board for visitors."""
    limits = limits or Visitors((NAME,))
    served = serve.app(desk or empty_desk(), Keys(TOKEN), HOSTS, limits, limits.hosts(8765))
    with TestClient(served, base_url=ORIGIN) as browser:
        yield browser


@contextmanager
def stranger(browser, **hello):
    """Yield a page without a token."""
    with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as socket:
        socket.send_text(json.dumps(hello))
        welcome = json.loads(socket.receive_text())
        assert welcome["kind"] == "welcome"
        found = Page(socket)
        found.welcome = welcome
        yield found


@contextmanager
def held(limits):
    """Yield a board whose analyses wait for `go`, and the positions that were begun."""
    go, seen = threading.Event(), []

    def analysis(position):
        seen.append(position)
        go.wait(HOLD)  # so that a failing test does not hang
        return Analysis(position)

    with public(limits, empty_desk(analyses=Analyses(analysis))) as browser:
        try:
            yield browser, go, seen
        finally:
            go.set()


def test_strangers_are_admitted_only_with_public():
    with public() as browser, stranger(browser) as one:
        assert one.ask("analyze", position=SMALL)["analysis"]
        assert "token" not in one.welcome
        assert "at most 10 seconds" in one.welcome["warnings"][-1]
    with (
        client() as browser,
        browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as socket,
    ):
        socket.send_text("{}")
        with pytest.raises(WebSocketDisconnect) as refused:
            socket.receive_text()

    assert refused.value.code == REFUSED


def test_the_token_gives_a_visitor_nothing_more():
    with public() as browser, stranger(browser, token=TOKEN) as one:
        assert "not for visitors" in one.refusal("dark-start", size=3)


@pytest.mark.parametrize("host", [NAME, f"{NAME}:8765"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_public_board_is_served_under_its_name(host, scheme):
    headers = {"host": host, "origin": f"{scheme}://{host}"}
    with public() as browser:
        assert browser.get("/", headers=headers).status_code == 200
        with browser.websocket_connect(SOCKET, headers=headers) as socket:
            socket.send_text("{}")
            assert json.loads(socket.receive_text())["kind"] == "welcome"
    with client() as browser:
        assert browser.get("/", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example", "origin": ORIGIN},
        {"host": f"evil.{NAME}", "origin": ORIGIN},
        {"origin": "http://evil.example"},
        {"origin": f"https://{NAME}.evil.example"},
        {"origin": "https://127.0.0.1:8765"},
        {"host": "evil.example", "origin": "http://evil.example"},
        {},
    ],
)
def test_a_page_of_another_site_opens_no_socket(headers):
    with (
        public() as browser,
        pytest.raises(WebSocketDisconnect),
        browser.websocket_connect(SOCKET, headers=headers),
    ):
        pass


def test_a_link_of_another_site_opens_the_page_and_loads_nothing_else():
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    with public() as browser:
        assert browser.get("/", headers=link | {"sec-fetch-dest": "document"}).status_code == 200
        assert browser.get("/", headers=link | {"sec-fetch-dest": "iframe"}).status_code == 403
        assert browser.get("/main.js", headers={"sec-fetch-site": "cross-site"}).status_code == 403
        assert browser.post("/", headers=link | {"sec-fetch-dest": "document"}).status_code == 403
    with client() as browser:
        assert browser.get("/", headers=link | {"sec-fetch-dest": "document"}).status_code == 403


def test_every_kind_is_open_or_closed_to_visitors():
    """A new kind of question is closed to strangers until it is listed."""
    closed = {kind for kind in KINDS if kind.startswith("dark-")}
    where = "list it in _KINDS of player/board/guard.py, or here if strangers may not ask it"

    assert set(KINDS) - KINDS_OF_VISITORS == closed, where
    assert set(KINDS) >= KINDS_OF_VISITORS


@pytest.mark.parametrize("kind", sorted(set(KINDS) - KINDS_OF_VISITORS))
def test_unlisted_questions_are_refused_in_one_line(kind):
    with public() as browser, stranger(browser) as one:
        said = one.refusal(kind)

    assert said == f"{kind}: not for visitors; hsearch board on your machine has it"


def test_a_kind_of_question_not_meant_for_visitors_is_refused(monkeypatch):
    monkeypatch.setitem(KINDS, "file", KINDS["read"])
    with public() as browser, stranger(browser) as one:
        assert "not for visitors" in one.refusal("file", text="a1")


@pytest.mark.parametrize("kind", ["read", "shipped", "turn", "verify"])
def test_no_question_opens_a_file_that_it_names(kind, tmp_path):
    """A path, an address, a net or a program in a question opens no file."""
    secret = tmp_path / "secret.sgf"
    secret.write_text("(;GM[11]SZ[3];B[a1])")
    game = page_record(formats.read("a1", size=(3, 3)))
    fields = {
        "read": ("text", {}),
        "shipped": ("name", {}),
        "turn": ("player", {"game": game, "variant": "alternating", "engine": "white"}),
        "verify": ("text", {}),
    }
    name, others = fields[kind]
    with public() as browser, stranger(browser) as one:
        for text in (secret, f"file://{secret}", f"tree:net={secret}", f"gtp:cat {secret}"):
            said = one.refusal(kind, **{name: str(text)}, **others)
            assert "\n" not in said
            assert "a1" not in said.replace(str(secret), "")


def test_a_long_message_is_refused_in_a_line():
    with public() as browser, stranger(browser) as one:
        assert "at most 262144" in one.refusal("read", text=" " * 300_000)
        assert one.ask("read", text="a1")["games"]


def test_only_the_question_over_the_limit_is_refused():
    """With one question at work and fifty waiting, the next one is refused at once."""
    with held(Visitors()) as (browser, go, seen), ExitStack() as open_pages:
        pages = [open_pages.enter_context(stranger(browser)) for _ in range(52)]
        asked = []
        for one in pages[:51]:
            asked.append(one.send("analyze", position=SMALL))
            one.refusal("nothing")  # so the question before it has been read
            wait_until(lambda: seen)
        said = pages[51].refusal("analyze", position=SMALL)
        go.set()
        heard = [one.hear(number)["kind"] for one, number in zip(pages, asked, strict=False)]

    assert said.startswith("busy: 50 questions wait; try again in ")
    assert said.endswith(" s")
    assert heard == ["answer"] * 51


def test_a_visitor_uses_one_thread_at_a_time():
    """A visitor with six questions uses one of two threads."""
    with (
        held(Visitors(workers=2)) as (browser, go, seen),
        stranger(browser) as one,
        stranger(browser) as other,
    ):
        asked = [one.send("analyze", position=SMALL | {"columns": n}) for n in range(3, 9)]
        wait_until(lambda: seen)
        number = other.send("analyze", position=SMALL | {"columns": 9})
        wait_until(lambda: len(seen) == 2)
        assert [position.board.columns for position in seen] == [3, 9]
        go.set()
        assert other.hear(number)["kind"] == "answer"
        assert [one.hear(each)["kind"] for each in asked] == ["answer"] * 6


def test_a_cancelled_question_makes_room_at_once():
    limits = Visitors(waiting=1)
    with held(limits) as (browser, go, seen), ExitStack() as open_pages:
        first, second, third = (open_pages.enter_context(stranger(browser)) for _ in range(3))
        numbers = [first.send("analyze", position=SMALL)]
        wait_until(lambda: seen)
        numbers.append(second.send("analyze", position=SMALL))
        second.refusal("nothing")
        assert "busy" in third.refusal("analyze", position=SMALL)
        second.send("cancel", job=numbers[1])
        assert second.hear(numbers[1])["kind"] == "cancelled"  # though the first is still at work
        asked = third.send("analyze", position=SMALL)
        third.refusal("nothing")
        go.set()
        assert third.hear(asked)["kind"] == "answer"


def test_a_search_over_the_time_limit_is_stopped():
    """A search over the limit is stopped, and the next question is answered."""
    desk = empty_desk(analyses=Analyses(lambda _position: find_all()))
    with public(Visitors(seconds=0.3), desk) as browser, stranger(browser) as one:
        said = one.refusal("analyze", position=SMALL)
        assert one.ask("openings", position=SMALL | {"columns": 11, "rows": 11})["swap"]

    assert said == "stopped after 0.3 seconds, the most for a visitor's question"


def test_the_visitor_limit_caps_the_requested_seconds():
    with client() as browser, page(browser) as own:
        own.ask("analyze", position=NINE)  # this loads the kernels
    with public(Visitors(seconds=2)) as browser, stranger(browser) as one:
        begin = time.monotonic()
        answer = one.ask("solve", position=NINE, seconds=60)

    assert answer["solved"]["winner"] is None
    assert time.monotonic() - begin < 30


@pytest.mark.slow
def test_a_limited_search_returns_its_candidates():
    """A search for a minute answers within the limit of five seconds.

    The position has no proof that would end the search early. One of a few tries suffices: on a
    busy machine a thread may sleep through the seconds left for the answer. A search that
    ignores the limit is stopped each time.
    """
    with client() as browser, page(browser) as own:
        own.ask("moves", position=ELEVEN, seconds=0.1)  # this compiles the kernels
    for _ in range(TRIES):
        with public(Visitors(seconds=5)) as browser, stranger(browser) as one:
            told = one.hear(one.send("moves", position=ELEVEN, seconds=60))
        if told["kind"] == "answer":
            break

    assert told["kind"] == "answer", told
    assert told["answer"]["candidates"]


def test_the_work_of_a_visitor_who_leaves_is_canceled():
    with held(Visitors()) as (browser, go, seen), stranger(browser) as other:
        london = formats.load(ROOT / "positions/games/london-2000-queenbee-hexy.sgf")
        with stranger(browser) as one:
            one.send("graph", game=page_record(london))
            wait_until(lambda: seen)
        other.ask("read", text="a1")
        go.set()
        assert other.ask("graph", game=page_record(london.cut(3))) == {"plies": 4}

    assert len(seen) <= 6  # the first visitor's seventy positions were canceled


def test_an_extra_visitor_is_refused_unless_one_is_idle(monkeypatch):
    limits = Visitors(most=2)
    with public(limits) as browser, stranger(browser) as one, stranger(browser):
        with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as third:
            third.send_text("{}")
            with pytest.raises(WebSocketDisconnect) as full:
                third.receive_text()
        monkeypatch.setattr(serve, "IDLE", 0.0)
        with stranger(browser) as fourth:
            assert fourth.ask("read", text="a1")["games"]
        with pytest.raises(WebSocketDisconnect) as idle:
            one.socket.receive_text()

    assert full.value.reason == "2 visitors are here: come back later"
    assert (full.value.code, idle.value.code) == (TOO_MANY, TOO_MANY)


def test_a_refused_visitor_displaces_nobody(monkeypatch):
    monkeypatch.setattr(serve, "IDLE", 0.0)
    with public(Visitors(most=1)) as browser, stranger(browser) as one:
        with browser.websocket_connect(SOCKET, headers={"origin": ORIGIN}) as other:
            other.send_text("no hello")
            with pytest.raises(WebSocketDisconnect) as refused:
                other.receive_text()
        assert one.ask("read", text="a1")["games"]

    assert refused.value.code == REFUSED


def test_a_full_memory_is_emptied_and_visitors_wait(monkeypatch):
    desk = empty_desk(analyses=Analyses(Analysis))
    with public(desk=desk) as browser, stranger(browser) as one:
        one.ask("analyze", position=SMALL)
        assert desk.analyses.bytes > 0
        monkeypatch.setattr(guard.Visitors, "is_full", lambda _self: True)
        assert one.refusal("analyze", position=SMALL) == (
            "busy: its memory is full; try again in 10 s"
        )
        assert desk.analyses.bytes == 0
        assert one.ask("read", text="a1")["games"]


def test_memory_is_full_once_the_process_exceeds_the_limit():
    assert Visitors(megabytes=1).is_full()
    assert not Visitors(megabytes=1_000_000).is_full()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host-name", NAME], "--host-name needs --public"),
        (["--seconds", "5"], "--seconds needs --public"),
        (["--public", "--host-name", "a b"], "'a b': a name in small letters"),
        (["--public", "--host", "0.0.0.0"], "name one address"),  # noqa: S104 - it is refused
        (["--public", "--seconds", "0"], "--seconds"),
    ],
)
def test_bad_public_options_are_rejected(words, said):
    found = CliRunner().invoke(main, ["board", "--no-open", *words])

    assert found.exit_code != 0
    assert said in found.stderr.strip().split("\n")[-1]


def test_with_a_name_all_addresses_may_be_bound():
    bound = guard.bind("0.0.0.0", 0, is_named=True)  # noqa: S104 - as in a container
    bound.socket.close()

    assert bound.address_for(Visitors((NAME,))) == f"http://{NAME}:{bound.port}/"
    assert TOKEN not in bound.address_for(Visitors())


def test_the_dockerfile_runs_a_valid_command_as_an_ordinary_user():
    """The Dockerfile has an ordinary user, existing files and valid options of the command."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    words = {line.split()[0]: line.split()[1:] for line in lines if line and line[0].isupper()}
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    let_in = (ROOT / ".dockerignore").read_text().splitlines()
    command = words["CMD"][words["CMD"].index("board") + 1 :]
    context = board.make_context(
        "board", [word.replace('"$HSEARCH_NAME"', NAME) for word in command]
    )

    assert words["USER"] != ["root"]
    assert all((ROOT / name).exists() and f"!{name}" in let_in for name in copied)
    assert context.params["names"] == (NAME,)
    assert context.params["public"]


def test_no_visitor_drops_the_sealed_bid_of_another():
    """A page replaces its own sealed bid; bids of pages that have gone replace each other."""

    def seal(visitor):
        answer = visitor.ask("turn", game=BIDDING, bids={"black": {"bid": 1}})
        return {"game": BIDDING, "sealed": answer["sealed"], "bids": {"white": {"bid": 0}}}

    with public() as browser, stranger(browser) as one, stranger(browser) as other:
        bid = seal(one)
        others = [seal(other) for _ in range(MOST_GAMES + 1)]
        for old in others[:-1]:
            assert "both bid anew" in other.refusal("turn", **old)
        assert other.ask("turn", **others[-1])["mover"] == "black"
        gone = []
        for _ in range(MOST_GAMES + 1):
            with stranger(browser) as leaving:
                gone.append(seal(leaving))
        seal(other)
        assert "both bid anew" in other.refusal("turn", **gone[0])
        assert other.ask("turn", **gone[1])["mover"] == "black"
        assert one.ask("turn", **bid)["mover"] == "black"


@pytest.mark.parametrize("more", [[], ["--public"]])
def test_a_board_without_its_extra_names_it(more, monkeypatch):
    """The line is the same, whichever module is the first that needs the extra."""
    for name in ("guard", "connection", "serve"):
        monkeypatch.delitem(sys.modules, f"player.board.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "starlette.datastructures", None)
    result = CliRunner().invoke(main, ["board", *more])
    line = "board needs starlette.datastructures: pip install 'hsearch[board]'\n"

    assert (result.exit_code, result.stderr) == (1, line)
