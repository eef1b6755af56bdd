"""Players are named by a text and never lose a won game."""

import itertools
import threading
import time

import numpy as np
import pytest

from hsearch import formats
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.limits import Knowledge
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position, winner
from hsearch.hex.tree import GameNode
from player.engine import hexy as engine
from player.engine.player import MoveRequest
from player.engine.spec import player
from player.search.alphabeta import probe_seconds
from player.search.openings import load_chart
from player.search.settings import LEVELS, Strength, defaults, level
from player.solve.solver import Solver
from player.work.naming import SpecError

CHANCE = np.random.default_rng(0)


def test_the_winner_of_an_opening_beats_every_move():
    """From each position of one stone on 3x3, the winner wins to the last stone."""
    board, hexy = Board(3, 3), player("hexy:depth=3")
    for opening in board.cells:
        color = Color.BLACK if load_chart(3).wins(opening) else Color.WHITE
        assert beats_all(hexy, Game.of(board, [opening]), color, set())


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 5])
def test_the_winner_of_an_opening_beats_every_move_and_intrusion(size):
    """On 4x4 and 5x5, a win kept by a strategy is tested with every intrusion."""
    board, hexy = Board(size, size), player("hexy:depth=3")
    for opening in range((board.size + 1) // 2):
        color = Color.BLACK if load_chart(size).wins(opening) else Color.WHITE
        assert beats_all(hexy, Game.of(board, [opening]), color, set(), trusts_holds=True)


def beats_all(hexy, game, color, seen, *, trusts_holds=False):
    """Return whether a player as `color` wins against every move at every turn."""
    position = game.position()
    if position in seen:
        return True
    seen.add(position)
    won = winner(position)
    if won is not None:
        return won is color
    if position.turn is not color:
        return all(
            beats_all(
                hexy, game.append(Move(position.turn, cell)), color, seen, trusts_holds=trusts_holds
            )
            for cell in position.empty.search(1)
        )
    choice = hexy.choose(game, MoveRequest(), CHANCE)
    after = game.append(Move(color, choice.action))
    if trusts_holds and choice.account.hold is not None:
        return survives(choice.account.hold, after.position(), color)
    return beats_all(hexy, after, color, seen, trusts_holds=trusts_holds)


def survives(hold, position, color):
    """Return whether a strategy joins the edges after any intrusion into each of its links.

    The links share no cell, so they are tested one by one, with the others filled in the
    shortest way.
    """
    for link in hold.links:
        others = [other for other in hold.links if other is not link]
        if not link_survives(type(hold)((link,)), others, position, color):
            return False
    return bool(hold.links) or winner(position) is color


def link_survives(hold, others, position, color):
    """Return whether a link joins its ends after each intrusion, by the strategy's replies."""
    if hold.is_done:
        for other in others:
            rest = type(hold)((other,))
            while not rest.is_done:
                cell, rest = rest.reply(None)
                position = position.put(cell, color)
        return winner(position) is color
    for cell in hold.carrier(position.board).search(1):
        reply, rest = hold.reply(cell)
        after = position.put(cell, color.opponent).put(reply, color)
        if not link_survives(rest, others, after, color):
            return False
    return True


def test_a_won_position_is_won_against_random_moves():
    """A won position of a real game is won against random moves, wherever they are."""
    game = formats.read(find_shipped("games/london-2000-queenbee-hexy.sgf").read_text())
    start = Game.of_position(game.position(len(game.moves)))
    hexy, chance = player("hexy"), np.random.default_rng(1)
    color = hexy.choose(start, MoveRequest(), CHANCE).account.winner
    opponent = player("random")
    for _ in range(2):
        game = start
        while winner(game.position()) is None:
            mover = hexy if game.position().turn is color else opponent
            action = mover.choose(game, MoveRequest(), chance).action
            game = game.append(Move(game.position().turn, action))

        assert winner(game.position()) is color


def open_to_the_rules():
    """Return a position from self-play that only local knowledge decides."""
    moves = "f7 f4 h3 g5 i4 h6 c6 e3 c4 c5 b6 b5 e4 d5 e5 f3 d4 c3"
    return formats.read(moves, size=(9, 9))


def test_a_win_by_local_knowledge_is_completed():
    """Enclosed regions count as the winner's, and the winner still joins the edges."""
    start, opponent, chance = open_to_the_rules(), player("random"), np.random.default_rng(2)
    spec = "hexy:depth=1,knowledge=local"
    color = player(spec).choose(start, MoveRequest(), CHANCE).account.winner
    for _ in range(10):
        hexy, game = player(spec), start
        while winner(game.position()) is None:
            mover = hexy if game.position().turn is color else opponent
            choice = mover.choose(game, MoveRequest(), chance)
            assert mover is opponent or choice.account.winner is color
            game = game.append(Move(game.position().turn, choice.action))

        assert winner(game.position()) is color


def test_local_knowledge_leaves_fewer_moves_to_search():
    """With local knowledge, a losing move is excluded that the two rules allow."""
    position = Position.of(
        Board(9, 9), black="d3 e4 f4 g4 h4 i5 e7", white="f2 g3 e5 f5 g5 h5", turn=Color.WHITE
    )
    game, region = (
        Game.of_position(position),
        ConnectionAnalysis(position, knowledge=Knowledge.LOCAL).mustplay,
    )
    rules, local = player("hexy:depth=1"), player("hexy:depth=1,knowledge=local")

    assert not region.cells[rules.choose(game, MoveRequest(), CHANCE).action]
    assert region.cells[local.choose(game, MoveRequest(), CHANCE).action]
    assert local.choose(game, MoveRequest(seconds=0.01), CHANCE).account.winner is None


@pytest.fixture
def analyses(monkeypatch):
    """Return the list of what `hexy` analyzes beyond the two rules."""
    made = []

    def analyzed(*arguments, **options):
        made.append(ConnectionAnalysis(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(engine, "ConnectionAnalysis", analyzed)
    return made


@pytest.mark.parametrize(("size", "stones"), [(3, 0), (4, 6), (7, 6)])
def test_prepare_warms_up_knowledge_beyond_the_rules(analyses, size, stones):
    """Its kernels took 9 seconds of the first move's time; windows need stones to be searched."""
    player("hexy").prepare(Board(size, size))
    assert not analyses

    player("hexy:knowledge=all,solve=0").prepare(Board(size, size))
    (analysis,) = analyses

    assert analysis.options.knowledge is Knowledge.ALL
    assert "deduced" in vars(analysis)
    assert analysis.position.empty.count() == size**2 - stones


def test_preparing_warms_up_the_net_that_estimates_chances(monkeypatch):
    """The net took 7 seconds of the first move's time; a copy without a net names no chance."""
    board, positions = Board(3, 3), []
    monkeypatch.setattr(engine, "estimate", positions.append)
    player("hexy:solve=0").prepare(board)
    monkeypatch.setattr(engine, "load_net", lambda: None)
    player("hexy:solve=0").prepare(board)

    assert positions == [Position.of(board)]


def test_preparing_warms_up_the_move_ordering(monkeypatch):
    """Fillings took 5 seconds of the first move's time; on any board, one of a single cell, too."""
    orders, search = [], engine.search_within

    def searched(position, settings, *more):
        orders.append(settings.ordering)
        return search(position, settings, *more)

    monkeypatch.setattr(engine, "search_within", searched)
    for board in (Board(1, 1), Board(1, 2), Board(3, 3)):
        player("hexy:ordering=critical,solve=0").prepare(board)

    assert orders == 3 * ["critical"]


def test_must_play_deduction_leaves_half_of_the_time(analyses):
    """Must-play deduction took all of it, and more; without a limit it is done whole."""
    hexy = player("hexy:depth=1,knowledge=local")
    for seconds in (5, None):
        hexy.choose(open_to_the_rules(), MoveRequest(seconds=seconds), CHANCE)
    limited, whole = (analysis.options.seconds for analysis in analyses)

    assert 2 < limited <= 2.5
    assert whole is None


def test_the_first_move_and_the_swap_follow_the_maps():
    """Without swap the center opens; with swap an even cell does, and a winning one is swapped."""
    board, hexy = Board(5, 5), player("hexy")
    first = hexy.choose(Game.of(board), MoveRequest(), CHANCE)
    fair = hexy.choose(Game.of(board), MoveRequest(swap=True), CHANCE)

    assert board.name(first.action) == "c3"
    assert fair.action == load_chart(5).most_even
    for name, is_swapped in (("c3", True), ("a1", False)):
        choice = hexy.choose(Game.of(board, [board.cell(name)]), MoveRequest(swap=True), CHANCE)
        assert (choice.action is Special.SWAP_PIECES) == is_swapped
    choice = hexy.choose(Game.of(board, [board.cell("c3")]), MoveRequest(), CHANCE)
    assert not isinstance(choice.action, Special)


def test_a_rectangle_is_never_swapped():
    """A swap would exchange the sides of the board."""
    game = Game.of(Board(4, 5), [9])

    assert not isinstance(
        player("hexy").choose(game, MoveRequest(swap=True), CHANCE).action, Special
    )


def test_the_loser_plays_where_the_win_takes_longest():
    """In a lost position the move is legal, is called lost, and does not end the game at once."""
    position = Position.of(Board(5, 5), black="c3", turn=Color.WHITE)
    choice = player("hexy:depth=2").choose(Game.of_position(position), MoveRequest(), CHANCE)

    assert choice.account.winner is Color.BLACK
    assert "hardest" in choice.account.reason
    assert winner(position.play(choice.action)) is None


def test_no_level_searches_less_than_the_level_below():
    """Each level has at least the depth, M and K of the level below, and differs from it."""
    settings = [level(number) for number in LEVELS]
    for weaker, stronger in itertools.pairwise(settings):
        one, other = (
            (s.depth, s.limits.M, s.limits.most_semis, s.limits.K) for s in (weaker, stronger)
        )
        grows = [a <= b for a, b in zip(one, other, strict=True)]
        assert all(grows)
        assert (one, weaker.widths) != (other, stronger.widths)


@pytest.mark.parametrize("size", range(1, 27))
def test_every_board_has_defaults(size):
    """Every size has settings, and on large boards no level exceeds the defaults."""
    board = Board(1, size)
    strongest = Strength(level=9).settings(board)

    assert defaults(board).depth >= 1
    assert size < 12 or strongest.depth <= defaults(board).depth
    assert size < 12 or strongest.limits.M <= defaults(board).limits.M


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "six",
            r"unknown player 'six' \(known: hexy, .*, level:N, gtp:COMMAND, py:FILE.py:NAME\)",
        ),
        ("", "unknown player ''"),
        ("hexy:width=3", r"unknown option 'width' of hexy \(known: level, depth, M, K, widths, "),
        ("hexy:knowledge=most", "unknown knowledge .known: rules, local, all."),
        ("random:level=1", r"unknown option 'level' of random \(known: none\)"),
        ("hexy:depth=x", "'depth=x' in 'hexy:depth=x': not a whole number"),
        ("hexy:depth", "no value in 'depth'"),
        ("hexy:level=10", "not a level"),
        ("hexy:links=x", "unknown links .known: hexy, six, benzene, none."),
        ("hexy:ordering=luck", "known: weak_links, center"),
        ("hexy:time=0", "'time=0' in 'hexy:time=0': not a time of 0.01 seconds or more"),
        ("tree:time=soon", "'time=soon' in 'tree:time=soon': not a number"),
        ("gtp:", "no command"),
    ],
)
def test_unknown_players_and_options_list_the_known(spec, message):
    """The message names the offending text."""
    with pytest.raises(SpecError, match=message):
        player(spec)


def test_a_player_text_sets_the_options():
    """Widths are separated by x, and given options override the level."""
    hexy = player("hexy:level=3,depth=2,M=7,K=3,widths=9x8,ordering=center")
    settings = hexy.strength.settings(Board(11, 11))

    assert (settings.depth, settings.widths, settings.ordering) == (2, (9, 8), "center")
    assert (settings.limits.M, settings.limits.K) == (7, 3)


def test_a_won_position_on_6x6_stays_won_against_random_moves():
    """On 6x6 against random moves, each of the winner's moves is called proved and wins."""
    board, chance = Board(6, 6), np.random.default_rng(6)
    hexy, judge = player("hexy"), Solver(board)
    for opening in (3, 8, 12):
        game = Game.of(board, [opening])
        winner_to_be = Color.BLACK if load_chart(6).wins(opening) else Color.WHITE
        while winner(game.position()) is None:
            position = game.position()
            if position.turn is winner_to_be:
                choice = hexy.choose(game, MoveRequest(), chance)
                assert choice.account.reason.startswith("Proved: ")
                assert choice.account.winner is winner_to_be
                action = choice.action
            else:
                action = int(chance.choice(list(position.empty.search(1))))
            game = game.append(Move(position.turn, action))
            assert judge.outcome(game.position()) is winner_to_be


def test_a_lost_position_is_reported_as_a_proved_loss():
    """The solver proves the loss that connections do not, and the search chooses the move."""
    game = Game.of(Board(6, 6), [13])
    settings = MoveRequest()
    choice, plain = (
        player(spec).choose(game, settings, CHANCE) for spec in ("hexy", "hexy:solve=0")
    )

    assert choice.action == plain.action
    assert choice.account.winner is Color.BLACK
    assert choice.account.reason.startswith("Proved: Black wins. ")


def test_the_solver_stops_when_canceled_or_out_of_time(monkeypatch):
    """It also stops at the end of its time; this position on 7x7 would take it longer."""
    game, cancel, answers = Game.of(Board(7, 7), [7]), threading.Event(), []
    cancel.set()
    solve, ticks = Solver.solve, itertools.count()

    def solved(self, *arguments, **limits):
        answers.append(solve(self, *arguments, **limits))
        return answers[-1]

    monkeypatch.setattr(Solver, "solve", solved)
    monkeypatch.setattr(time, "perf_counter", lambda: 0.001 * next(ticks))
    for terms in (MoveRequest(cancel=cancel), MoveRequest(seconds=1.0)):
        assert player("hexy").choose(game, terms, CHANCE).action != 7

    assert [answer.winner for answer in answers] == [None, None]
    assert answers[0].nodes < answers[1].nodes < 1000


def test_little_time_is_enough_to_search_a_large_board(monkeypatch):
    """Time for a few evaluations on a large board is enough to search.

    The patched clock advances by part of an evaluation at each reading, on any machine.
    """
    game = Game.of(Board(11, 11), [60, 20, 85, 33])
    hexy = player("hexy")
    hexy.prepare(game.board)
    ticks, look = itertools.count(), probe_seconds(game.board)
    monkeypatch.setattr(time, "perf_counter", lambda: look / 4 * next(ticks))
    choice = hexy.choose(game, MoveRequest(seconds=4 * look), CHANCE)

    assert "no time" not in choice.account.reason


@pytest.mark.slow
def test_a_timed_search_deepens_unless_its_depth_is_given(monkeypatch):
    """With a clock a search deepens until the time is up, unless its depth is given.

    The patched clock advances by part of an evaluation at each reading, on any machine.
    """
    game, depths = Game.of(Board(8, 8), [17, 42]), {}
    for spec in ("hexy:solve=0", "hexy:depth=2", "hexy:level=4"):
        hexy, ticks = player(spec), itertools.count()
        hexy.prepare(game.board)
        look = probe_seconds(game.board)
        with monkeypatch.context() as patch:
            patch.setattr(time, "perf_counter", lambda n=ticks, look=look: look / 4 * next(n))
            timed = hexy.choose(game, MoveRequest(seconds=2000 * look), CHANCE)
        free = hexy.choose(game, MoveRequest(), CHANCE)
        depths[spec] = timed.account.findings.depth, free.account.findings.depth

    assert depths["hexy:solve=0"][0] > depths["hexy:solve=0"][1] == 3
    assert depths["hexy:depth=2"] == depths["hexy:level=4"] == (2, 2)


def test_order_and_ordering_set_the_same_option():
    """`order` and `ordering` are one option, for both players that have it."""
    for option in ("order", "ordering"):
        hexy, classic = (player(f"{name}:{option}=charge,depth=1") for name in ("hexy", "ab"))

        assert hexy.strength.settings(Board(5, 5)).ordering == "charge"
        assert classic.settings.ordering == "charge"


def test_a_win_is_not_attributed_to_the_opponent_of_its_owner():
    """After two white moves, or new white stones, the old win of Black's is not called White's."""
    board, hexy, chance = Board(5, 5), player("hexy:level=4"), np.random.default_rng(0)
    game = Game.of(board, ["c3", "a1"])
    held = hexy.choose(game, MoveRequest(), chance)
    game = game.append(Move(Color.BLACK, held.action)).append(Move(Color.WHITE, board.cell("e5")))
    turned = game.append_node(GameNode(turn=Color.WHITE))
    around = tuple(board.named("b2 c2 d2 b4 c4").search(1))
    walled = game.append_node(GameNode(white=around, turn=Color.BLACK))

    assert held.account.winner is hexy.choose(game, MoveRequest(), chance).account.winner
    for other in (turned, walled):
        choice = hexy.choose(other, MoveRequest(), chance)
        truth = Solver(board).solve(other.position()).winner
        assert choice.account.winner in {None, truth}
        assert other.position().is_legal(choice.action)


@pytest.mark.parametrize("spec", ["ab", "hexy:eval=two_distance", "hexy:links=six", "hexy"])
def test_the_reason_reports_that_there_was_no_time_to_search(spec):
    """The text says that there was no search, and gives no evaluation."""
    game = Game.of(Board(11, 11), ["a10", "f6"])
    choice = player(spec).choose(game, MoveRequest(seconds=0.0), np.random.default_rng(0))

    assert "there was no time to search, or no choice" in choice.account.reason


def test_order_and_ordering_cannot_be_given_together():
    with pytest.raises(SpecError, match="order and ordering are one option"):
        player("ab:order=center,ordering=random")
