"""What a tab of the browser stores, what it frees, its socket, and what precedes its first game."""

import re
from threading import Event

import pytest
from browser import IS_RECENT, UNREVIEWED, answered, cell, choose, end_game, opened, tab
from clock import HOLD, wait_until
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE
from test_board_late import HOLDING

from player.board.asked import playing

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
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        found = page.evaluate(SOCKETS)

    assert found["count"] == 2
    assert found["states"] == ["away", "refused"]
    assert found["hellos"] == [[{"token": each}] for each in ("first", "second", "third")]


BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}"""


def test_the_page_works_without_storage(browser, empty):
    """As in a browser that blocks cookies; a reload lacks the key, and the page reports that."""
    with opened(browser, empty, is_alone=True, settings=UNREVIEWED) as page:
        page.add_init_script(BLOCKED)
        page.goto(empty.address)
        cell(page, "b3").click()
        expect(page.locator(".standing").first).to_have_text("Blue to move, after 1 b3.")
        expect(page).to_have_url(re.compile("b3$"))
        page.reload()
        expect(page.locator(".away")).to_contain_text("Open the address")


FULL = """() => {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, text) {
    if (key === "hsearch.game") throw new DOMException("no room", "QuotaExceededError");
    setItem.call(this, key, text);
  };
}"""


def test_a_reload_of_a_full_tab_returns_to_no_earlier_move(browser, empty):
    """If a game has grown too large for the storage of the tab, it is read from the recent ones."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        standing = page.locator(".standing").first
        cell(page, "b3").click()
        expect(page).to_have_url(re.compile("b3$"))
        page.evaluate(FULL)
        cell(page, "a1").click()
        expect(page).to_have_url(re.compile("b3a1$"))
        wait_until(lambda: page.evaluate(IS_RECENT, "b3a1"))
        page.reload()
        expect(standing).to_have_text("Red to move, after 2 a1.")


def test_back_after_a_reload_shows_the_game_of_its_address(browser, empty):
    """Puzzles are not among the recent games, so the address of an earlier one is read."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        choose(page, "Puzzles")
        page.get_by_role("button", name="74 proved").click()
        page.locator(".recent button").first.click()
        stones, heading = page.locator(".picture .stone"), page.locator(".panels h2")
        expect(heading).to_have_text("Puzzle 1 of 74")
        expect(page).to_have_url(re.compile("#5"))
        first, count = page.url, stones.count()
        page.get_by_role("button", name="Next puzzle").click()
        expect(heading).to_have_text("Puzzle 2 of 74")
        page.get_by_role("button", name="Show the solution").click()
        expect(page.locator(".panels .slot")).to_have_text("b5 wins.")
        expect(page).to_have_url(re.compile("b5$"))
        choose(page, "Analyze")
        page.reload()
        expect(page.locator(".move").last).to_have_text("1 b5")
        page.go_back()
        expect(page.locator(".move", has_text="1 b5")).to_have_count(0)
        expect(stones).to_have_count(count)
        expect(page).to_have_url(first)


def test_back_to_a_game_that_is_not_stored_leaves_the_one_on_the_board(browser, empty):
    """After a reload nothing is left of hidden stones, so that step back becomes this game's."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        standing = page.locator(".standing").first
        choose(page, "Dark")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels")).to_contain_text("It is your turn")
        end_game(page)
        choose(page, "Analyze")
        page.evaluate(PASTE, "#3,b2")
        expect(page).to_have_url(re.compile("b2$"))
        page.reload()
        cell(page, "a3").click()
        expect(page).to_have_url(re.compile("b2a3$"))
        page.go_back()
        expect(page.locator(".problem")).to_have_text("That game is not stored.")
        expect(page).to_have_url(re.compile("b2a3$"))
        page.reload()
        expect(standing).to_have_text("Red to move, after 2 a3.")


FREED = """async () => {
  const [{ Known }, { emptyGame, newNode }] = await Promise.all(
    [import("./known.js"), import("./tree.js")]);
  const app = Object.create(Known.prototype), nothing = () => {};
  Object.assign(app, { kept: [], hasGame: true, mode: "analyze", presses: new Map(),
    server: { cancel: nothing }, history: { act: (_app, _title, change) => change() } });
  for (const name of ["leaveGame", "prepareSave", "toast", "go", "fillGraph"]) app[name] = nothing;
  const answer = { proved: null, chance: 0.5, analysis: {}, said: {} }, nodes = [];
  for (let number = 0; number < 5; number++) {
    const game = emptyGame(3);
    if (number) app.enter(game, game.root);
    else Object.assign(app, { game, node: game.root });
    for (let node = game.root, move = 0; move < 100; move++) {
      app.store(node, answer);
      nodes.push(node);
      node = newNode(node, { color: "black", move: "a1", state: {} });
    }
  }
  return nodes.map(({ found }) => found === answer);
}"""


def test_answers_of_earlier_games_are_freed(browser, empty):
    """300 positions have their full answers, whichever games of the tab they are of."""
    with opened(browser, empty, "#3", settings=UNREVIEWED) as page:
        expect(page.get_by_role("grid")).to_be_visible()
        has_answer = page.evaluate(FREED)

    assert has_answer == [place >= 200 for place in range(500)]


def wait_for_welcome(page):
    """Load the page again; until `release`, it has not received the first message."""
    page.add_init_script(f"{HOLDING} window.word = '\"welcome\"';")
    page.reload()
    page.evaluate("arrived()")


@pytest.mark.parametrize("place", ["Play", "Solve", "Bids", "Chances"])
def test_an_act_before_the_first_game_is_here_waits_for_it(browser, empty, monkeypatch, place):
    """Otherwise it would concern the empty board that is drawn before."""
    is_here, turn = Event(), playing.turn
    answer_by(monkeypatch, playing, "turn", lambda *asked: is_here.wait(HOLD) and turn(*asked))
    with opened(browser, empty, "#3,a1", settings=UNREVIEWED) as page:
        wait_for_welcome(page)
        choose(page, "Bids" if place == "Chances" else place)
        if place == "Play":
            page.get_by_label("You play").select_option("both")
            cell(page, "b2").click()
        else:
            names = {"Solve": "Solve this position", "Bids": "New game"}
            page.get_by_role("button", name=names.get(place, "Count the chances here")).click()
        page.evaluate("release()")
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "3")
        is_here.set()
        if place == "Play":
            expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
            expect(page.locator(".picture .stone")).to_have_count(2)
            choose(page, "Analyze")
            choose(page, "Play")  # it is a game of this board
            expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        else:
            said = {"Solve": "wins", "Bids": "Red has 100"}.get(place, "A fair bid is")
            expect(page.locator(".panels")).to_contain_text(said)


@pytest.mark.chromium  # Firefox does not report downloads
def test_a_place_chosen_during_a_reload_stays_and_waits_for_the_game(browser, empty):
    """Share saves the game of the tab, and not the empty board that is drawn before it."""
    with opened(browser, empty, "#4,a1b2c3", settings=UNREVIEWED) as page:
        answered(page)
        cell(page, "d4").click()
        expect(page.locator(".move", has_text="4 d4")).to_have_count(1)
        wait_for_welcome(page)
        choose(page, "Share")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save: SGF").click()
            page.evaluate("release()")
        assert saved.value.path().read_text().endswith("W[d4])\n")
        expect(page.get_by_role("heading", name="Share")).to_be_visible()


TYPED = """(field) => {
  const { setItem } = Storage.prototype;
  let count = 0;
  Storage.prototype.setItem = function (key, text) {
    count += key === "hsearch.game";
    setItem.call(this, key, text);
  };
  for (const text of ["w", "wh", "why"]) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return count;
}"""


@pytest.mark.parametrize("field", ["Comment", "Red"])
def test_what_is_typed_is_stored_after_a_pause(browser, empty, field):
    """A large game takes long, which would hold up each key of a comment or a name."""
    with opened(browser, empty, "#3,b2", settings=UNREVIEWED) as page:
        tab(page, "Note")
        expect(page).to_have_url(re.compile("b2$"))
        assert page.get_by_label(field, exact=True).evaluate(TYPED) == 0
        wait_until(lambda: "why" in page.evaluate("sessionStorage['hsearch.game']"))


def review(page):
    """Review the game on the board; return the moves with a sign of a mistake."""
    tab(page, "Review")
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".working")).to_have_count(0)
    return page.locator(".tree-of-moves .move", has_text="??")


def test_undo_after_a_reload_keeps_the_review(browser, empty):
    """A mistake after which a move is undone keeps its sign and its card."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        marked = review(page)
        before = marked.all_inner_texts()
        page.keyboard.press("ArrowLeft")
        cell(page, "d3").click()
        expect(page.locator(".standing").first).to_contain_text("in a variation")
        page.reload()
        expect(marked).to_have_text(before)
        page.keyboard.press("Control+z")
        expect(page.locator(".toast")).to_contain_text("Undone")
        expect(marked).to_have_text(before)
        expect(page.locator(".card")).to_have_count(len(before))


def test_a_reload_keeps_the_review_of_a_game_whose_end_was_deleted(browser, empty):
    """The moves that are there keep their signs and their cards."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        marked = review(page)
        before = marked.all_inner_texts()
        page.get_by_text("This move").click()
        page.get_by_role("button", name="Delete from here").click()
        expect(page.locator(".standing").first).to_contain_text("after 2 e5")
        page.reload()
        expect(marked).to_have_text(before)
        expect(page.locator(".card")).to_have_count(len(before))
        page.keyboard.press("Control+z")
        expect(page.locator(".standing").first).to_contain_text("after 3 c3")
        expect(marked).to_have_text(before)


def test_a_reload_gives_no_exercise_away(browser, empty):
    """The exercise of a mistake goes on, and its answer stays hidden."""
    with opened(browser, empty, "#5,a1e5c3", settings=UNREVIEWED) as page:
        review(page)
        page.get_by_role("button", name="Try it yourself").last.click()
        verdict = page.locator(".verdict")
        expect(verdict).to_contain_text("Find something better than e5.")
        page.reload()
        expect(page.locator(".card")).to_have_count(2)
        expect(verdict).to_contain_text("Find something better than e5.")
        expect(page.locator(".card").last).to_contain_text("The move is yours to find.")
        cell(page, "e1").click()
        expect(page.locator(".notice")).to_contain_text("e1 loses")


# Hold back what is read from the recent games, until `read`.
SLOW_STORE = """() => {
  const { getAll } = IDBObjectStore.prototype;
  const reads = [];
  window.read = () => reads.splice(0).forEach((act) => act());
  window.isRead = () => reads.length > 0;
  IDBObjectStore.prototype.getAll = function () {
    const request = getAll.call(this);
    if (this.transaction.mode === "readonly") Object.defineProperty(request, "onsuccess", {
      set: (hear) => request.addEventListener("success", () => reads.push(hear)) });
    return request;
  };
}"""


def test_forward_after_a_quick_back_shows_its_own_game(browser, empty):
    """After a reload Back reads the game of before, and the user goes on meanwhile."""
    with opened(browser, empty, "#5,a1", settings=UNREVIEWED) as page:
        rows = page.get_by_role("grid")
        expect(page).to_have_url(re.compile("#5.*a1$"))
        page.evaluate(PASTE, "#4,b2")
        page.get_by_role("button", name="Replace it").click()
        expect(page).to_have_url(re.compile("#4.*b2$"))
        page.reload()
        answered(page)
        page.evaluate(SLOW_STORE)
        page.evaluate("history.back()")
        page.wait_for_function("isRead()")
        page.evaluate("history.forward()")
        expect(page).to_have_url(re.compile("#4.*b2$"))
        page.evaluate("read()")
        answered(page)
        cell(page, "c3").click()
        expect(page).to_have_url(re.compile("#4.*b2c3$"))
        expect(rows).to_have_attribute("aria-rowcount", "4")
