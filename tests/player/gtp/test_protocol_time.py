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
from player.gtp.session import RESERVE, GameClock, Session, TimeBudget, TimeControl, Warmer
from player.gtp.table import execute
from player.gtp.thinking import think
from player.search.settings import SearchResult

BLACK, WHITE = Color
LONG = 30.0  # seconds, far more than any of these tests takes


class Thinker:
    """Finds a1, then a2 if they are empty, and continues, even when asked to stop."""

    name = "thinker"

    def __init__(self, *, obeys=False, finds=("a1", "a2"), answers=None):
        self.obeys = obeys
        self.finds = finds
        self.answers = answers
        self.started = threading.Event()
        self.terms = None

    def choose(self, game, terms, _generator):
        """Return an answer at once, or c3 once asked to stop."""
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
    monkeypatch.setattr(Session, "participant", property(lambda self: self.thinker))
    return made


def interrupted(session, line, times=1):
    """Return the replies to an interrupted line, and the seconds since the interruption."""
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
    """The reply is the best move so far, even if the player keeps searching."""

    def attempt():
        session.thinker = Thinker()
        ask(session, "clear_board")
        (reply,), seconds = interrupted(session, line, times)
        assert reply == "= a2\n\n"
        return seconds

    assert kept(0.9, attempt)  # the player itself takes a second


def test_a_player_that_stops_in_time_may_change_its_move(session):
    """A player that stops in time may still change its move."""
    session.thinker = Thinker(obeys=True)

    assert interrupted(session, "genmove b")[0] == ["= c3\n\n"]


def test_a_player_without_a_candidate_plays_near_the_center(session):
    """Without a candidate the reply is an empty cell near the center."""
    session.thinker = Thinker(finds=())
    ask(session, "play w b2")

    (reply,), _ = interrupted(session, "genmove b")
    assert reply in {"= a3\n\n", "= b1\n\n", "= a2\n\n", "= c2\n\n", "= b3\n\n", "= c1\n\n"}


def test_a_player_cannot_exceed_its_time(session):
    """A second for the game allows only a fraction of it for a move."""

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
    """With no time left, the player is not called."""
    ask(session, "time_left b 0 0")

    assert ask(session, "genmove b") == "b2"
    assert session.thinker.terms is None


def test_the_time_of_a_move_can_be_set(session):
    """`max_time` caps the clock's time and applies without a clock."""
    ask(session, "param_hsearch max_time 0.05")
    assert ask(session, "genmove b") == "a2"
    assert session.thinker.terms.seconds == 0.05

    ask(session, "time_settings 600 0 0")
    ask(session, "reg_genmove w")
    assert session.thinker.terms.seconds == 0.05


def test_a_failing_player_is_reported(session, monkeypatch):
    """A failing player is reported; the game stays and the session continues."""
    session.thinker = Thinker(answers=0)
    ask(session, "play b a1")
    before = session.state

    assert fail(session, "genmove w") == "internal error: IllegalMoveError: a1 is not empty"
    monkeypatch.setattr(Thinker, "choose", lambda *_: 1 / 0)
    assert fail(session, "genmove w").startswith("internal error: ZeroDivisionError")
    assert session.state == before


def test_a_resignation_of_the_engine_is_answered_but_not_played(session):
    """A resignation is answered but not played, because HexGui would not undo it."""
    session.thinker = Thinker(answers=Special.RESIGN)
    ask(session, "play b a1")
    before = session.state

    assert ask(session, "genmove w") == "resign"
    assert session.state == before


def test_requests_state_whether_a_swap_is_possible(session):
    """The player receives `swap` for the first two moves if a swap is allowed."""
    session.thinker = Thinker(finds=())
    told = []
    for allowed in (0, 1):
        send(["clear_board", f"param_game allow_swap {allowed}"], session)
        for cell in (0, 1, 2):
            session.thinker.answers = cell
            ask(session, f"genmove {'bw'[cell % 2]}")
            told.append(session.thinker.terms.swap)

    assert told == [False, False, False, True, True, False]


def test_players_see_their_own_color_to_move(session):
    """The player sees its own turn, also for two moves in a row or with White first."""
    turns = []

    class Asked(Thinker):
        def choose(self, game, _terms, _generator):
            turns.append(game.position().turn)
            return Choice(next(iter(game.position().empty.search(1))), Rationale(""))

    session.thinker = Asked()
    send(["genmove w", "genmove w", "genmove b", "genmove b"], session)

    assert turns == [WHITE, WHITE, BLACK, BLACK]


@pytest.mark.parametrize(("color", "black", "white"), [("w", "c1", ""), ("b", "", "a3")])
def test_the_requested_color_decides_how_a_swap_is_read(session, color, black, white):
    """The color of the next request decides how the swap is read."""
    shown = []

    class Shown(Thinker):
        def choose(self, game, _terms, _generator):
            """Return the center."""
            shown.append(game.position())
            return Choice(game.board.cell("b2"), Rationale(""))

    session.thinker = Shown()
    send(["param_game allow_swap 1", "play b c1", "play w swap", f"reg_genmove {color}"], session)

    turn = WHITE if color == "w" else BLACK
    assert shown == [Position.of(session.board, black=black, white=white, turn=turn)]


@pytest.mark.parametrize("net", ["none", "shipped"])
def test_the_tree_reports_moves_and_stops_when_canceled(net):
    """With or without a net, the tree reports its best move and stops when asked."""
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


def test_each_new_board_and_each_new_player_is_prepared_once():
    """Each new board and each new player is prepared once."""
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
def test_the_engine_plays_a_game_within_one_second_per_color():
    """The engine plays both colors of a game within a second each."""
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


def test_a_clock_without_terms_has_no_limit():
    """`time_settings 0 1 0` means no limit, as the protocol defines."""
    clock = GameClock()
    clock.spend(BLACK, 100)
    assert clock.seconds(BLACK) is None

    session = Session()
    ask(session, "time_settings 0 1 0")
    assert session.clock.seconds(BLACK) is None


def test_the_main_time_is_never_used_up():
    """Moves that use all of their time never exhaust the main time."""
    clock = GameClock()
    clock.set(TimeControl(10))
    used = 0.0
    for _ in range(200):
        used += clock.seconds(BLACK)
        clock.spend(BLACK, clock.seconds(BLACK))

    assert 5 < used < 10
    assert clock.budget(WHITE) == TimeBudget(10)


def test_a_period_restarts_after_its_moves():
    """A period restarts once its moves are made; until then they share it."""
    clock = GameClock()
    clock.set(TimeControl(0, 10, 2))
    assert clock.seconds(BLACK) == 5
    clock.spend(BLACK, 4)
    assert clock.budget(BLACK) == TimeBudget(6, 1)
    assert clock.seconds(BLACK) == pytest.approx(6 - RESERVE)
    clock.spend(BLACK, 5)
    assert clock.budget(BLACK) == TimeBudget(10, 2)


def test_a_period_follows_the_main_time():
    """The period starts in full when the main time ends."""
    clock = GameClock()
    clock.set(TimeControl(1, 10, 1))
    clock.spend(BLACK, 2)

    assert clock.budget(BLACK) == TimeBudget(10, 1)


def test_the_move_that_ends_the_main_time_takes_time_of_the_first_period():
    """The last of the main time leaves no move without thought, and the period begins with it."""
    clock = GameClock(TimeControl(5, 30, 1))
    for _ in range(20):
        assert clock.seconds(BLACK) >= 30 - RESERVE
        clock.spend(BLACK, clock.seconds(BLACK))

    clock = GameClock(TimeControl(5, 100, 10))
    assert clock.seconds(BLACK) == 10
    clock.spend(BLACK, 10)
    assert clock.budget(BLACK) == TimeBudget(95, 9)


def test_the_rest_of_a_client_period_counts_as_main_time():
    """After its last move, the rest of it counts as main time."""
    clock = GameClock()
    clock.set_left(BLACK, TimeBudget(10, 1))
    clock.spend(BLACK, 1)

    assert clock.budget(BLACK) == TimeBudget(9)
    assert clock.seconds(BLACK) > 0


def test_capped_increments_bound_each_move_and_what_is_saved():
    """No move takes longer than the longest one, and no more than the cap is saved."""
    clock = GameClock(TimeControl(600, increment=5, cap=600, longest=10))

    assert 9 < clock.seconds(BLACK) < 10
    clock.spend(BLACK, 1)
    assert clock.budget(BLACK) == TimeBudget(600)
    clock.spend(BLACK, 9)
    assert clock.budget(BLACK) == TimeBudget(596)


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
        (
            "kata-time_settings fischer-capped 60 2 90 5",
            TimeControl(60, increment=2, cap=90, longest=5),
        ),
        ("param_game game_time 60", TimeControl(60)),
    ],
)
def test_each_form_of_the_time_command_sets_the_terms(line, terms):
    """Each form of the command sets the terms, and a new game restarts the clock."""
    session = Session()
    ask(session, line)
    assert session.clock.terms == terms

    ask(session, "time_left b 3 0")
    assert session.clock.budget(BLACK) == TimeBudget(3)
    ask(session, "clear_board")
    assert session.clock.budget(BLACK) != TimeBudget(3)


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
    """A bad time is refused and leaves the clock without a limit."""
    session = Session()

    assert answer(send([line], session)[0])[0] is False
    assert session.clock.seconds(BLACK) is None


def test_an_interruption_ends_a_kernel():
    """A command without a result fails, and the next one is answered."""
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


def test_a_game_time_of_0_means_no_limit():
    """A game time of 0 means no limit, as the list of parameters shows it."""
    session = Session()
    shown = ask(session, "param_game")
    ask(session, "param_game game_time 0")

    assert "game_time 0" in shown
    assert ask(session, "param_game") == shown
    assert session.clock.seconds(BLACK) is None
