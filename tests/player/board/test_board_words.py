"""The page's sentences: in players' words, not repeated, with cells shown on the board."""

import re
from threading import Event

import pytest
from browser import SEARCHING, UNREVIEWED, answered, cell, choose, go_to, opened, served, tab
from playwright.sync_api import expect
from stand_in import answer_by
from test_board_keeping import PASTE

from hsearch import formats
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from player.answers.objects import position_object
from player.board.asked import position, records
from player.board.records import page_record

pytestmark = pytest.mark.firefox  # if it is installed
WIDE = {"viewport": {"width": 1440, "height": 900}}
LONDON = find_shipped("games/london-2000-queenbee-hexy.sgf").read_text()


def test_pointing_at_a_cell_name_in_a_sentence_highlights_the_cell(browser, london):
    with opened(browser, london, settings=UNREVIEWED) as page:
        go_to(page, 50)
        page.locator(".headline .cell-name").hover()
        expect(page.locator(".picture .pulse")).to_have_count(1)
        page.mouse.move(10, 400)
        expect(page.locator(".picture .pulse")).to_have_count(0)
        page.locator(".why summary").filter(has_text="(1) north").press("Enter")
        page.locator(".why .cases .cell-name").first.hover()
        expect(page.locator(".picture .pulse")).to_have_count(1)
        page.mouse.move(10, 400)
        expect(page.locator(".picture .pulse")).to_have_count(0)


ENGINE_WORDS = r"\b(semi|carrier|must-play|H-search|hexy|suite|M=|K=|E =)|`"


@pytest.mark.slow
@pytest.mark.parametrize("move", [0, 20, 49, 50, 69])
def test_engine_terms_appear_only_in_details(browser, london, move):
    """Engine terms appear in Details only."""
    with opened(browser, london, settings=UNREVIEWED, **WIDE) as page:
        go_to(page, move)
        parts = page.locator(".verdict > :not(details), .why, .standing, .graph, .moves")
        expect(parts.filter(has_text=re.compile(ENGINE_WORDS))).to_have_count(0)
        page.locator(".verdict summary").click()
        expect(page.locator(".verdict details")).to_contain_text(re.compile(ENGINE_WORDS))


@pytest.mark.slow
def test_sentences_that_misled_are_gone(browser, london):
    """Misleading sentences about proofs, estimates and resignations are corrected."""
    with opened(browser, london, settings=UNREVIEWED, **WIDE) as page:
        go_to(page, 50)
        expect(page.locator(".why")).to_be_visible()
        cell(page, "k1").hover()
        said = "After f8, Blue k1 changes nothing: it needs no reply."
        expect(page.locator(".reply-line")).to_have_text(said)
        choose(page, "Share")
        expect(page.locator(".panels h2")).to_have_text("Share")
        choose(page, "Help")
        words = (
            "by connections, or by a search to the end; marked ■. Everything else is an estimate"
        )
        expect(page.locator(".panels")).to_contain_text(words)
        for key, place in (("Escape", "Share"), ("?", "Hex"), ("?", "Share")):
            page.keyboard.press(key)
            expect(page.locator(".panels h2").first).to_have_text(place)
        choose(page, "Analyze")
        box = page.get_by_label("Move or question")
        box.fill("resign")
        box.press("Enter")
        expect(page.locator(".standing").first).to_have_text(re.compile("^Red resigned[^0-9]*$"))
        expect(page.locator(".headline")).to_have_text("Red resigned")


@pytest.mark.slow
def test_hint_and_why_agree_and_a_swap_hint_has_one_estimate(browser, empty):
    """Hint and Why show the same chance, and a hint to swap has a single estimate."""
    with opened(browser, empty, "#11", settings=UNREVIEWED) as page:
        choose(page, "Play")
        page.get_by_label("You play").select_option("both")
        page.get_by_role("button", name="New game").click()
        cell(page, "f6").click()
        slot, hint = page.locator(".panels .slot").first, page.get_by_role("button", name="Hint")
        expect(hint).to_have_attribute("aria-disabled", "false")
        hint.click()
        expect(slot).to_contain_text("Hint: swap.")
        assert len(re.findall("estimated to", slot.inner_text())) == 1
        page.get_by_role("button", name="Play hint").click()
        expect(page.locator(".panels .standing")).to_have_text("Red is to move.")
        expect(hint).to_have_attribute("aria-disabled", "false")
        hint.click()
        expect(slot).to_contain_text("Red's chance to win is ")
        page.get_by_role("button", name="Why", exact=True).click()
        estimate = page.locator(".panels .verdict .estimate")
        expect(estimate).to_contain_text("Red ")
        chances = re.findall("Red(?:'s chance to win is)? ([0-9]+) %", page.inner_text(".panels"))
        assert len(chances) == 2
        assert len(set(chances)) == 1


@pytest.mark.slow
def test_the_calculation_of_a_bid_is_in_the_details(browser, empty):
    """The rules have three lines; the engine's calculation is in the details."""
    with opened(browser, empty, settings=UNREVIEWED) as page:
        choose(page, "Bids")
        expect(page.locator(".rules li")).to_have_count(3)
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".standing").first).to_have_text("Both bid.")
        expect(page.get_by_role("grid", name="Both bid.")).to_be_visible()
        for color in ("black", "white"):
            expect(page.locator(f".glow.{color}").first).to_have_css("visibility", "hidden")
        page.get_by_role("button", name="Seal the bid").click()
        expect(page.locator(".panels .change")).to_contain_text("Red bids 10, Blue bids")
        expect(page.get_by_text("random turns")).not_to_be_visible()
        page.locator(".panels summary").first.click()
        expect(page.get_by_text("random turns")).to_be_visible()
        choose(page, "Dark")
        expect(page.locator(".rules li")).to_have_count(3)


def test_the_help_names_the_acts_of_mouse_and_finger(browser, empty):
    """The long press is the only way to the menu of a move without a mouse or keys."""
    with opened(browser, empty, "#3") as page:
        choose(page, "Help")
        expect(page.get_by_role("heading", name="Mouse and finger")).to_be_visible()
        for act in ("Wheel", "Long press on a cell", "Right button or long press on a move"):
            expect(page.locator("dt", has_text=act)).to_have_count(1)


def test_connections_of_two_stones_are_counted(browser, empty):
    with opened(browser, empty, "#4,b2b3c2") as page:
        page.get_by_role("radio", name="Connections").check()
        expect(page.get_by_role("tabpanel")).to_contain_text(re.compile(r"\d links?\."))
        for ends, said in (
            (("b2", "b3"), "Nothing that is known joins b2 and b3."),
            (("a4", "b3"), "1 connection between a4 and b3."),
            (("b2", "c2"), "Stones join b2 and c2 already."),
        ):
            page.get_by_role("checkbox", name="Ask").set_checked(ends[0] == "a4")
            for end in ends:
                cell(page, end).click()
            expect(page.get_by_role("tabpanel")).to_contain_text(said)


SIGNS = [(True, "R Red, B Blue"), (False, "B Black, W White")]


@pytest.mark.parametrize(("is_red_blue", "signs"), SIGNS)
def test_the_board_as_text_explains_its_signs(browser, empty, is_red_blue, signs):
    """The stones have the initials of the players, and each sign that occurs is explained."""
    settings = {"reviews": False, "redBlue": is_red_blue}
    with opened(browser, empty, "#4,a1c2b3", settings=settings) as page:
        expect(page.locator(".proved")).to_be_visible()
        choose(page, "Share")
        page.get_by_text("Board as text").click()
        text = page.locator(".text-board pre").inner_text()
        first, second = re.findall(r"\b([A-Z]) ", signs)
        assert [text.count(sign) for sign in (first, second)] == [2, 1]
        proof = "+ the key, where it starts, * a cell of the proof"
        assert "+" in text
        assert "*" in text
        words = f"Signs: {signs}, . an empty cell, {proof}."
        expect(page.locator(".text-board p")).to_have_text(words)
        choose(page, "Analyze")
        page.get_by_role("radio", name="None").check()
        choose(page, "Share")
        words = f"Signs: {signs}, . an empty cell."
        expect(page.locator(".text-board p")).to_have_text(words)


def test_a_missing_analysis_is_not_blamed_on_the_server(browser, empty, monkeypatch):
    """While the analysis is not here, or stones are hidden, Share gives that reason."""
    with opened(browser, empty, settings=UNREVIEWED) as page:
        choose(page, "Dark")
        page.get_by_role("spinbutton", name="Board").fill("3")
        page.get_by_role("button", name="New game").click()
        expect(page.locator(".panels")).to_contain_text("'s view.")
        choose(page, "Share")
        copy = page.get_by_role("button", name="Copy: Analysis")
        copy.click()
        hidden = "Stones may lie here that you do not see, so nothing is judged."
        expect(page.locator(".ways")).to_contain_text(hidden)
    go_on, analyze = Event(), position.analyze

    def slow(desk, job, question):
        go_on.wait()
        return analyze(desk, job, question)

    answer_by(monkeypatch, position, "analyze", slow)
    with opened(browser, empty, "#4,a1", settings=UNREVIEWED) as page:
        choose(page, "Share")
        copy = page.get_by_role("button", name="Copy: Analysis")
        copy.click()
        expect(page.locator(".ways")).to_contain_text("The analysis is not here yet")
        go_on.set()


def test_no_cell_is_named_before_the_swap_map_is_here(browser, empty, monkeypatch):
    """Before the map is here, a cell is neither to swap nor not to swap."""
    go_on, openings = Event(), position.openings

    def slow(desk, job, question):
        go_on.wait()
        return openings(desk, job, question)

    answer_by(monkeypatch, position, "openings", slow)
    with opened(browser, empty, "#5", settings=UNREVIEWED) as page:
        page.get_by_role("button", name="Which first moves to swap").click()
        expect(page.get_by_role("radio", name="Swap map")).to_be_checked()
        label = "aria-label"
        expect(cell(page, "a1")).to_have_attribute(label, "a1, empty")
        go_on.set()
        expect(cell(page, "a1")).to_have_attribute(label, "a1, empty, do not swap it")


@pytest.mark.parametrize(
    ("link", "by"), [("#5,c3a1c2", "a full connection"), ("#5,a3c3", "the threat at b4")]
)
def test_a_cell_names_what_rules_it_out(browser, empty, link, by):
    """A full connection has no key, so it is not a threat at a cell."""
    with opened(browser, empty, link, settings=UNREVIEWED) as page:
        page.get_by_role("radio", name="Must-play").check()
        label = re.compile(f"^e5, empty, ruled out by {by}")
        expect(cell(page, "e5")).to_have_attribute("aria-label", label)


def test_no_threat_known_is_not_no_threat(browser, empty):
    with opened(browser, empty, "#11,f6", settings=UNREVIEWED) as page:
        page.get_by_role("radio", name="Must-play").check()
        hint = "No threat is known, so no cell is ruled out."
        expect(page.locator(".tabs .hint")).to_have_text(hint)


# Blue, Blue, Red, Red, Red, Red; the last joins a chain.
COINS = (
    "(;FF[4]GM[11]SZ[4]RU[random-turn];PL[W];W[c3];PL[W];W[b4]"
    ";B[a2];PL[B];B[a3];PL[B];B[a4];PL[B];B[a1])"
)


def test_a_game_of_coins_is_analyzed_on_a_condition(browser):
    """Coins or bids may give the loser further turns, so each claim has a condition."""
    with served(formats.read(COINS)) as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        condition = re.compile("^If turns alternate")
        expect(page.locator(".headline")).to_have_text("Red has won")
        wins = "If turns alternate, Red wins from move 3"
        expect(page.locator(".graph .hint")).to_have_text(wins)
        tab(page, "Review")
        begin = page.get_by_role("button", name="Review this game")
        begin.click()
        expect(page.locator(".tabs b").first).to_have_text(condition)
        expect(begin).to_be_enabled()  # the longer review has ended, too
        expect(page.locator(".tabs b").first).to_have_text(condition)
        go_to(page, 3)
        expect(page.locator(".headline")).to_contain_text("If turns alternate, Red wins with")
        expect(page.locator(".verdict .proved")).to_contain_text("If turns alternate: Proved: ")
        words = "In this game coins decide who moves; the analysis is of alternating turns."
        expect(page.locator(".verdict .turns")).to_contain_text(words)
        go_to(page, 2)
        expect(page.locator(".headline")).to_have_text("If turns alternate, Blue wins")
        expect(page.locator(".graph .hint")).to_have_text(condition)
        page.locator(".verdict summary").click()
        expect(page.locator(".verdict details p").first).to_have_text(condition)
        page.get_by_role("button", name="Its chances, in Bids").click()
        page.get_by_role("button", name="Count the chances here").click()
        expect(page.locator(".chances")).to_contain_text("At random turns Red ")


def test_a_longer_review_of_a_game_of_coins_leaves_its_turning_point(browser, monkeypatch):
    """The winner before the decisive move says nothing about it where turns do not alternate."""
    as_ever = records.review

    def review(desk, job, question):
        if question.effort != "quick":
            job.tell({"ply": 2, "winner": "black", "proof": "solver", "chance": 1.0})
        return as_ever(desk, job, question)

    answer_by(monkeypatch, records, "review", review)
    with served(formats.read(COINS)) as bound, opened(browser, bound, settings=UNREVIEWED) as page:
        tab(page, "Review")
        begin = page.get_by_role("button", name="Review this game")
        begin.click()
        expect(page.locator(".tabs b").first).to_have_text(re.compile("^If turns alternate"))
        expect(begin).to_be_enabled()  # the longer review has ended, too
        expect(page.locator(".tabs b").first).to_have_text(re.compile("^If turns alternate"))


@pytest.mark.parametrize(
    ("columns", "chances"), [(9, "Red 99 %, Blue 1 %"), (3, "Red 88 %, Blue 12 %")]
)
def test_only_a_certain_winner_has_all_per_cents(browser, columns, chances):
    """On one row Blue wins 1 of 512 fillings, or 1 of 8, and both shares are 100 together."""
    with (
        served(Game(Board(columns, 1))) as bound,
        opened(browser, bound, settings=UNREVIEWED) as page,
    ):
        choose(page, "Bids")
        page.get_by_role("button", name="Count the chances here").click()
        words = f"At random turns {chances} win."
        expect(page.locator(".chances p").first).to_have_text(words)


def test_an_estimate_in_the_graph_is_below_all_per_cents(browser, empty, monkeypatch):
    """The number under the pointer is that of the answer there."""

    def graph(_desk, job, _question):
        job.tell({"ply": 0, "winner": None, "proof": None, "chance": 0.998})
        return {}

    answer_by(monkeypatch, position, "graph", graph)
    with opened(browser, empty, "#3,a1b2", settings=UNREVIEWED) as page:
        page.locator(".chart").hover(position={"x": 1, "y": 9})
        words = "start: Red 99 per cent, estimated"
        expect(page.locator(".graph .hint")).to_have_text(words)


@pytest.mark.parametrize(
    ("rules", "moves", "condition"),
    [
        ("random-turn", ["a1"], "If turns alternate: "),
        ("bidding:black=50", ["a1"], "If turns alternate: "),
        ("random-turn", ["a1", "b1", "a2"], ""),
        ("swap", ["a1"], ""),
        ("no-such-rules", ["a1"], ""),
    ],
)
def test_only_an_open_game_of_coins_or_bids_has_the_condition(asking, rules, moves, condition):
    shown = position_object(Game.of(Board(2, 2), moves).position())
    said = asking.ask("analyze", position=shown, rules=rules)["said"]
    assert said["unless"] == condition
    assert bool(said["turns"]) == bool(condition)
    assert said["verdict"].startswith(condition or ("Proved", "Black has won"))


def test_the_answer_is_spoken_as_it_is_shown(browser, empty, monkeypatch):
    """The headline, the chance and the best move are spoken; at an end, only the result."""

    def moves(_desk, _job, _question):
        best = {"move": "d4", "said": "54 % (70)", "winner": None, "line": ["d4"]}
        estimate = {"chance": 0.54, "said": "Estimated chance to win: Black 54 %, White 46 %."}
        return {"candidates": [best], "estimate": estimate, "winner": None, "tried": []}

    answer_by(monkeypatch, position, "moves", moves)
    with opened(browser, empty, "#11,f6g5", settings=SEARCHING) as page:
        heard = page.locator("#spoken")
        expect(page.locator(".candidates .row")).to_have_count(1)
        page.keyboard.press("ArrowLeft")
        expect(heard).to_contain_text("Red f6. ")
        page.keyboard.press("ArrowRight")
        estimate = "Estimated chance to win: Red 54 %, Blue 46 %."
        expect(heard).to_have_text(f"Blue g5. Red is ahead. {estimate} Best: d4.")
        expect(heard).not_to_contain_text("unknown")
        box = page.get_by_label("Move or question")
        box.fill("pass")
        box.press("Enter")
        expect(heard).to_contain_text("Red passes. Blue is ahead.")
        box.fill("resign")
        box.press("Enter")
        expect(heard).to_have_text("Blue resigned.")


def test_puzzles_are_spoken(browser, empty):
    """By keyboard, a suite, its tasks and its solutions are spoken, and the focus stays inside."""
    with opened(browser, empty, "#4", settings=UNREVIEWED) as page:
        heard = page.locator("#spoken")
        choose(page, "Puzzles")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Classic puzzles").press("Enter")
        expect(heard).to_have_text("7 puzzles: choose one.")
        first = page.locator(".recent button").first
        expect(first).to_be_focused()
        expect(first).to_have_text("3x3, Hein 2")
        first.press("Enter")
        task = "Blue is to move and wins, joining west and east. Find the move."
        expect(heard).to_have_text(f"Puzzle 1 of 7. {task}")
        page.get_by_role("button", name="Show the solution").press("Enter")
        expect(page.locator(".panels .slot")).to_have_text("b2 wins.")
        expect(page.locator(".standing").first).to_contain_text("after 1 b2")
        expect(page.locator(".board")).to_have_attribute("data-looking", "false")
        page.evaluate("() => new Promise((done) => setTimeout(done, 400))")  # speech is delayed
        expect(heard).to_have_text("b2 wins.")
        page.keyboard.press("ArrowLeft")
        expect(heard).to_have_text(re.compile("^Blue wins with b2. Proved: "))
        page.keyboard.press("ArrowRight")
        cell(page, "a1").press("Enter")
        problem = "this puzzle is solved: Analyze continues from here"
        expect(page.locator(".problem")).to_have_text(problem)


def test_a_candidate_played_by_keyboard_keeps_the_focus_near(browser, empty, monkeypatch):
    """The focus stays beside the answer when the button of the move that was played is gone."""

    def moves(_desk, job, question):
        if len(question.position.black) + len(question.position.white) > 1:
            job.cancel.wait()
            job.check()
        best = {"move": "d4", "said": "54 % (70)", "winner": None, "line": ["d4"]}
        return {"candidates": [best], "estimate": None, "winner": None, "tried": []}

    answer_by(monkeypatch, position, "moves", moves)
    with opened(browser, empty, "#11,f6", settings=SEARCHING) as page:
        page.keyboard.press("Tab")
        row = page.locator(".candidates .row")
        row.press("Enter")
        expect(page.locator(".standing").first).to_contain_text("after 2 d4")
        expect(row).to_have_count(0)
        expect(page.locator(".regions :focus")).to_have_count(1)


def test_the_words_in_the_move_box_are_sentences(browser, empty):
    """`why` is punctuated, and `threat` promises no must-play move to a proved winner."""
    with opened(browser, empty, settings=UNREVIEWED) as page:
        page.evaluate(PASTE, LONDON)
        go_to(page, 50)
        expect(page.locator(".why")).to_be_visible()
        box, notice = page.get_by_label("Move or question"), page.locator(".notice")
        box.fill("why")
        box.press("Enter")
        expect(notice).to_have_text(re.compile(r"plays in: part 1: [^.;]+; part 2: .*[^:;]\.$"))
        box.fill("threat")
        box.press("Enter")
        expect(notice).to_have_text(re.compile("^Proved: Red"))


def test_each_question_about_a_finished_game_is_answered(browser, empty):
    """Where nothing is left to play, the threats are those of a game that is over."""
    with opened(browser, empty, "#3,b1a1b2c2b3", settings=UNREVIEWED) as page:
        answered(page)
        box = page.get_by_label("Move or question")
        for word in ("who", "why", "threat", "hint"):
            page.keyboard.press("Home")
            page.keyboard.press("End")
            answered(page)
            expect(page.locator(".notice")).to_have_count(0)
            box.fill(word)
            box.press("Enter")
            result = "Red has won: a chain of stones joins north and south."
            expect(page.locator(".notice")).to_have_text(result)
            page.locator("h1").click()  # the arrows go to the game again


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("lorem ipsum", "'lorem' is not a move"),
        ("a1 b2\nc3 lorem", "'lorem' is not a move, in line 2, column 4"),
        ("#99,a1", "board size out of range: 99x99 (1x1 to 19x19)"),
        ("#11,a1b99", "'b99' is off the 11x11 board"),
        ("(;FF[4]GM[11]SZ[5];B[z9])", "'z9' is off the 5x5 board, at character 22"),
    ],
)
def test_the_place_of_an_error_is_in_words(asking, text, problem):
    assert asking.refusal("read", text=text) == problem


def test_a_swap_after_a_resignation_is_named_as_a_swap(asking):
    record = page_record(Game.of(Board(4, 4), ["b2", Special.RESIGN]))
    last = {"parent": 2, "color": "black", "move": "swap-pieces"}
    record["nodes"].append(record["nodes"][-1] | last)
    words = "a swap after a resignation, which ends the game"
    assert asking.refusal("states", game=record) == words
