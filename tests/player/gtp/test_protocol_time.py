"""Clocks, and moves in time whatever the player does."""

import threading
import time

import pytest
from clock import kept
from endless import find_all
from hexgui import answer, ask, fail, send

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position
from player.engine.player import Choice, MoveRequest, Rationale
from player.engine.spec import player
from player.gtp.serving import serve
from player.gtp.session import RESERVE, GameClock, Left, Session, TimeControl, Warmer
from player.gtp.table import execute
from player.gtp.thinking import think
from player.search.settings import SearchResult

BLACK, WHITE = Color
LONG = 30.0  # seconds, far more than any of these tests may take


class Thinker:
    """Finds a1, then a2 if they are empty, and goes on, told to stop or not."""

    name = "thinker"

    def __init__(self, *, obeys=False, finds=("a1", "a2"), answers=None):
        self.obeys = obeys
        self.finds = finds
        self.answers = answers
        self.started = threading.Event()
        self.terms = None

    def choose(self, game, terms, _generator):
        """Return an answer at once, or c3 when told to stop."""
        self.terms = terms
        empty = game.position().empty
        cells = [cell for cell in map(game.board.cell, self.finds) if empty[cell]]
        for cell in cells:
            terms.progress(SearchResult(cell, 0.0, (cell,), 1, complete=False))
        self.started.set()
        if self.answers is not None:
            return Choice(self.answers, Rationale("At once."))
        terms.cancel.wait(LONG)
        if not self.obeys:
            time.sleep(1)
        return Choice(game.board.cell("c3"), Rationale("When told."))


@pytest.fixture
def session(monkeypatch):
    """Return a session on a 3x3 board whose player is `session.thinker`."""
    made = Session()
    ask(made, "boardsize 3")
    made.thinker = Thinker()
    monkeypatch.setattr(Session, "player", property(lambda self: self.thinker))
    return made


def interrupted(session, line, times=1):
    """Return the reply to a line that is interrupted, and the seconds from then on."""
    out, since = [], []

    def lines():
        yield line
        session.thinker.started.wait(LONG)
        since.append(time.perf_counter())
        for _ in range(times):
            yield "# interrupt"

    serve(lines(), out.append, lambda request, call: execute(session, request, call))
    return out, time.perf_counter() - since[0]


@pytest.mark.parametrize("line", ["genmove b", "reg_genmove b", "hsearch-pv b"])
@pytest.mark.parametrize("times", [1, 3])
def test_an_interrupted_player_has_a_move(session, line, times):
    """Soon, and with success: the best heard of so far, even if the player goes on."""

    def attempt():
        session.thinker = Thinker()
        ask(session, "clear_board")
        (reply,), seconds = interrupted(session, line, times)
        assert reply == "= a2\n\n"
        return seconds

    assert kept(0.9, attempt)  # the player itself takes a second


def test_a_player_that_stops_when_told_has_the_last_word(session):
    """It may still know better."""
    session.thinker = Thinker(obeys=True)

    assert interrupted(session, "genmove b")[0] == ["= c3\n\n"]


def test_a_player_that_found_nothing_has_a_move_too(session):
    """Near the center, where there is no stone."""
    session.thinker = Thinker(finds=())
    ask(session, "play w b2")

    (reply,), _ = interrupted(session, "genmove b")
    assert reply in {"= a3\n\n", "= b1\n\n", "= a2\n\n", "= c2\n\n", "= b3\n\n", "= c1\n\n"}


def test_the_time_is_up_whatever_the_player_does(session):
    """A second for all moves is a fraction of it for one."""

    def attempt():
        session.thinker = Thinker()
        send(["clear_board", "time_settings 1 0 0"], session)
        start = time.perf_counter()
        assert ask(session, "genmove b") == "a2"
        assert ask(session, "genmove w") == "a1"
        assert session.thinker.terms.seconds < 0.2
        return time.perf_counter() - start

    assert kept(0.9, attempt)


def test_without_time_there_is_a_move_at_once(session):
    """The player is not even asked."""
    ask(session, "time_left b 0 0")

    assert ask(session, "genmove b") == "b2"
    assert session.thinker.terms is None


def test_the_time_of_a_move_can_be_set(session):
    """It bounds what the clock allows, and holds without a clock."""
    ask(session, "param_hsearch max_time 0.05")
    assert ask(session, "genmove b") == "a2"
    assert session.thinker.terms.seconds == 0.05

    ask(session, "time_settings 600 0 0")
    ask(session, "reg_genmove w")
    assert session.thinker.terms.seconds == 0.05


def test_a_defect_of_the_player_is_told(session, monkeypatch):
    """The game stays as it is, and the session goes on."""
    session.thinker = Thinker(answers=0)
    ask(session, "play b a1")
    before = session.state

    assert fail(session, "genmove w") == "internal error: IllegalMoveError: a1 is not empty"
    monkeypatch.setattr(Thinker, "choose", lambda *_: 1 / 0)
    assert fail(session, "genmove w").startswith("internal error: ZeroDivisionError")
    assert session.state == before


def test_a_player_may_resign(session):
    """It is answered and not made: HexGui would not undo it."""
    session.thinker = Thinker(answers=Special.RESIGN)
    ask(session, "play b a1")
    before = session.state

    assert ask(session, "genmove w") == "resign"
    assert session.state == before


def test_players_are_told_when_a_swap_is_possible(session):
    """On the first two moves, if it is allowed."""
    session.thinker = Thinker(finds=())
    told = []
    for allowed in (0, 1):
        send(["clear_board", f"param_game allow_swap {allowed}"], session)
        for cell in (0, 1, 2):
            session.thinker.answers = cell
            ask(session, f"genmove {'bw'[cell % 2]}")
            told.append(session.thinker.terms.swap)

    assert told == [False, False, False, True, True, False]


def test_players_are_asked_for_the_color_they_have(session):
    """Also for two moves running, and for White first."""
    turns = []

    class Asked(Thinker):
        def choose(self, game, _terms, _generator):
            turns.append(game.position().turn)
            return Choice(next(iter(game.position().empty.search(1))), Rationale(""))

    session.thinker = Asked()
    send(["genmove w", "genmove w", "genmove b", "genmove b"], session)

    assert turns == [WHITE, WHITE, BLACK, BLACK]


@pytest.mark.parametrize(("color", "black", "white"), [("w", "c1", ""), ("b", "", "a3")])
def test_players_are_shown_what_was_swapped(session, color, black, white):
    """By who is asked next."""
    shown = []

    class Shown(Thinker):
        def choose(self, game, _terms, _generator):
            """Return the middle."""
            shown.append(game.position())
            return Choice(game.board.cell("b2"), Rationale(""))

    session.thinker = Shown()
    send(["param_game allow_swap 1", "play b c1", "play w swap", f"reg_genmove {color}"], session)

    turn = WHITE if color == "w" else BLACK
    assert shown == [Position.of(session.board, black=black, white=white, turn=turn)]


@pytest.mark.parametrize("net", ["none", "shipped"])
def test_the_tree_tells_what_it_thinks_and_stops_when_told(net):
    """With a net as without: somebody waits for the best so far, and has it."""
    seat, shown, cancel = player(f"tree:net={net},solve=0"), [], threading.Event()
    game = Game.of(Board(9, 9), [0])
    seat.prepare(game.board)

    def show(result):
        shown.append(result.move)
        if len(shown) == 3:
            cancel.set()

    choice = think(seat, game, MoveRequest(LONG), cancel, show=show)

    assert len(shown) == 3
    assert choice.account.reason != "There was no time to think."
    assert choice.account.line[0] == choice.action


def test_a_player_is_got_ready_for_each_board_and_when_another_is_chosen():
    """Once each."""
    warmed, told = [], []

    class Noted(Warmer):
        def _run(self, board, spec, _variant):
            self._announce()
            warmed.append((str(board), spec))

    warmer = Noted(lambda: told.append(""))
    session = Session(on_change=lambda each: warmer.warm(each.board, each.settings.player))
    more = ["boardsize 10", "boardsize 4", "param_hsearch player tree", "param_hsearch seed 3"]
    send(["boardsize 4", *more, "boardsize 4", "clear_board"], session)
    for thread in [each for each in threading.enumerate() if each.name == "warm"]:
        thread.join(LONG)

    assert sorted(warmed) == [("10x10", "hexy"), ("4x4", "hexy"), ("4x4", "tree")]
    assert len(told) == 3


@pytest.mark.slow
def test_a_second_is_enough_for_a_game():
    """The engine itself plays it, for both players, and keeps within their time."""
    session = Session()
    send(["boardsize 6", "reg_genmove b", "vc-build w"], session)

    def attempt():
        send(["clear_board", "time_settings 1 0 0"], session)
        used, color = {BLACK: 0.0, WHITE: 0.0}, BLACK
        while session.winner is None:
            start = time.perf_counter()
            ask(session, f"genmove {color.word}")
            used[color] += time.perf_counter() - start
            color = color.opponent
        return max(used.values())

    assert kept(1, attempt)


def test_a_clock_without_terms_does_not_run():
    """The protocol has a word for it, too."""
    clock = GameClock()
    clock.spend(BLACK, 100)
    assert clock.seconds(BLACK) is None

    session = Session()
    ask(session, "time_settings 0 1 0")
    assert session.clock.seconds(BLACK) is None


def test_the_main_time_is_never_used_up():
    """However many moves are made, each within what it is allowed."""
    clock = GameClock()
    clock.set(TimeControl(10))
    used = 0.0
    for _ in range(200):
        used += clock.seconds(BLACK)
        clock.spend(BLACK, clock.seconds(BLACK))

    assert 5 < used < 10
    assert clock.left(WHITE) == Left(10)


def test_a_period_comes_again():
    """When its moves are made; before that, all of them share it."""
    clock = GameClock()
    clock.set(TimeControl(0, 10, 2))
    assert clock.seconds(BLACK) == 5
    clock.spend(BLACK, 4)
    assert clock.left(BLACK) == Left(6, 1)
    assert clock.seconds(BLACK) == pytest.approx(6 - RESERVE)
    clock.spend(BLACK, 5)
    assert clock.left(BLACK) == Left(10, 2)


def test_a_period_follows_the_main_time():
    """And nothing is lost when the main time ends."""
    clock = GameClock()
    clock.set(TimeControl(1, 10, 1))
    clock.spend(BLACK, 2)

    assert clock.left(BLACK) == Left(10, 1)


def test_a_period_that_only_the_client_knows_leaves_time():
    """After its last move, the rest of it counts as main time."""
    clock = GameClock()
    clock.say(BLACK, Left(10, 1))
    clock.spend(BLACK, 1)

    assert clock.left(BLACK) == Left(9)
    assert clock.seconds(BLACK) > 0


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        ("time_settings 60 0 0", TimeControl(60)),
        ("time_settings 0 30 5", TimeControl(0, 30, 5)),
        ("kgs-time_settings none", TimeControl()),
        ("kgs-time_settings absolute 60", TimeControl(60)),
        ("kgs-time_settings byoyomi 60 10 3", TimeControl(60, 10, 1)),
        ("kgs-time_settings canadian 60 30 5", TimeControl(60, 30, 5)),
        ("kata-time_settings fischer 60 2", TimeControl(60, increment=2)),
        ("param_game game_time 60", TimeControl(60)),
    ],
)
def test_terms_in_every_dialect(line, terms):
    """They start anew with each game."""
    session = Session()
    ask(session, line)
    assert session.clock.terms == terms

    ask(session, "time_left b 3 0")
    assert session.clock.left(BLACK) == Left(3)
    ask(session, "clear_board")
    assert session.clock.left(BLACK) != Left(3)


@pytest.mark.parametrize(
    "line",
    [
        "time_settings 1",
        "time_settings x 0 0",
        "time_settings -1 0 0",
        "time_settings inf 0 0",
        "time_settings 1 1 1.5",
        "time_left b 5",
        "time_left x 5 0",
        "kgs-time_settings sometimes 5",
        "kgs-time_settings absolute",
        "kata-time_settings fischer 5",
    ],
)
def test_bad_times_are_refused(line):
    """And change nothing."""
    session = Session()

    assert answer(send([line], session)[0])[0] is False
    assert session.clock.seconds(BLACK) is None


def test_an_interruption_ends_a_kernel():
    """A command that knows nothing by then fails, and the next one is answered."""
    replies = []

    def lines():
        yield "1 endless"
        time.sleep(0.5)
        yield "# interrupt"
        yield "2 name"

    def handle(request, _call):
        return str(find_all()) if request.name == "endless" else request.name

    serve(lines(), replies.append, handle)

    assert replies == ["?1 stopped\n\n", "=2 name\n\n"]


def test_a_game_time_of_0_is_no_limit_as_it_is_shown():
    """It was no time at all, so that the first move came without a search."""
    session = Session()
    shown = ask(session, "param_game")
    ask(session, "param_game game_time 0")

    assert "game_time 0" in shown
    assert ask(session, "param_game") == shown
    assert session.clock.seconds(BLACK) is None
