"""The net's advice to the solver: no verdict depends on it, and it saves positions."""

import pytest
from hypothesis import example, given, settings
from strategies import early_positions

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color, to_number
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Flag
from player.net import int8
from player.net.net import features
from player.solve import guide, proof_number
from player.solve.budget import Techniques
from player.solve.guide import Guide
from player.solve.solver import LIMITS, Solver

WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)
ALONE = Techniques().without(["net"])
AS_IT_IS = {name: getattr(guide, name) for name in ("EASY", "WORTH", "WORTH_ALONE", "LEAST_SIDE")}


@pytest.fixture(scope="module", autouse=True)
def _asked_everywhere():
    """Ask at each position, on boards of all sizes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guide, "LEAST_SIDE", 1)
        patch.setattr(guide, "EASY", 0)
        patch.setattr(guide, "EASY_ALONE", 0)
        patch.setattr(proof_number, "COUNTED", 0)
        patch.setattr(guide, "WORTH", 0)
        patch.setattr(guide, "WORTH_ALONE", 0)
        yield


def _nodes(board, opening, techniques, limits=LIMITS):
    solver = Solver(board, limits=limits, techniques=techniques)
    won_by = solver.outcome(Position.of(board).play(board.cell(opening)))
    return won_by, solver.nodes


def _played(columns, rows, *names):
    return Game.of(Board(columns, rows), names).position()


@given(early_positions((4, 5)))
@example(_played(4, 5, "c2", "a2", "b5"))  # where the move that the net thinks worst may count
@example(_played(5, 4, "b1", "e1"))
@example(_played(5, 5, "a1", "e2"))
@example(_played(5, 5, "e1", "e2"))
@settings(max_examples=60)
def test_no_verdict_depends_on_the_net(position):
    """Nor does any winning move, with connections so limited that the search has to work."""
    if winner(position) is not None:
        return
    with_net = Solver(position.board, limits=WEAK).solve(position, every=True)
    alone = Solver(position.board, limits=WEAK, techniques=ALONE).solve(position, every=True)

    assert (with_net.winner, with_net.winning_moves) == (alone.winner, alone.winning_moves)


def test_several_workers_may_ask():
    """Each with room of its own, while the others go on."""
    board = Board(5, 5)
    alone = Solver(board, limits=WEAK, techniques=ALONE)
    together = Solver(board, limits=WEAK, workers=3)

    for name in ("c3", "a3", "b1"):
        position = Position.of(board).play(board.cell(name))
        assert together.outcome(position) is alone.outcome(position)


@pytest.mark.parametrize("opening", ["c1", "b1"])
def test_it_saves_positions(opening):
    """Half of them and more, on openings of 7x7."""
    board = Board(7, 7)
    won_by, alone = _nodes(board, opening, ALONE)
    answer = Solver(board).solve(Position.of(board).play(board.cell(opening)), nodes=alone // 2)

    assert answer.winner is won_by


@pytest.mark.parametrize("has_extra", [True, False])
def test_the_likely_move_comes_first_and_the_likely_winner_has_the_smaller_number(
    monkeypatch, has_extra
):
    """Black has one move that wins, White several; whoever moves wins."""
    monkeypatch.setattr(guide, "is_installed", lambda: has_extra)
    board = Board(7, 7)
    position = Position.of(board, black="d2 c4 c6", white="b5 d3 e4")
    stones = to_number(position.black), to_number(position.white)
    moves = tuple(position.empty.search(1))
    black = Guide(board).advise(stones, Color.BLACK, moves)
    white = Guide(board).advise(stones, Color.WHITE, moves)

    assert set(black.moves) == set(moves)
    assert board.name(black.moves[0]) == "d4"
    assert board.name(white.moves[0]) == "c3"
    assert black.numbers[0] > black.numbers[1]  # White, who moves next, is to lose
    assert white.numbers[0] > white.numbers[1]


@pytest.mark.parametrize(
    ("size", "least", "is_asked"),
    [((7, 7), 7, True), ((6, 9), 7, False), ((14, 14), 7, True), ((15, 15), 7, False)],
)
def test_boards_on_which_it_is_asked(monkeypatch, size, least, is_asked):
    """On small boards it saves nothing, on large ones it takes long to get ready."""
    monkeypatch.setattr(guide, "LEAST_SIDE", least)

    assert Guide(Board(*size)).is_of_use is is_asked


def test_without_the_net_nobody_asks(monkeypatch):
    """The search then orders moves by weak links alone."""
    board = Board(5, 5)
    before = _nodes(board, "a3", ALONE, WEAK)
    with monkeypatch.context() as patch:
        patch.setattr(guide, "shipped_net", lambda: None)
        assert _nodes(board, "a3", Techniques(), WEAK) == before
        assert not Guide(board).is_of_use
    assert Guide(board).is_of_use


def test_without_the_extra_it_is_asked_where_more_depends_on_it(monkeypatch, asked):
    """A look in single precision takes eight times as long."""
    for name in ("WORTH", "WORTH_ALONE"):
        monkeypatch.setattr(guide, name, AS_IT_IS[name])
    looks = []
    for has_extra in (True, False):
        monkeypatch.setattr(guide, "is_installed", lambda has=has_extra: has)
        asked.clear()
        _outcomes(Solver(Board(5, 5), limits=WEAK), "a3")
        looks.append(len(asked))

    assert looks[0] > 3 * looks[1] > 0


def test_whoever_cancels_does_not_wait_for_the_net(monkeypatch):
    """While it is made ready; the search ends with what it has."""
    board = Board(5, 6)
    cancel = Flag()

    def endless(_net, board):
        while True:
            yield features(Position.of(board))
            cancel.set()

    monkeypatch.setattr(int8, "_typical", endless)
    monkeypatch.setattr(int8, "_kept", {})
    monkeypatch.setattr(int8, "read_kept", lambda _path: None)

    answer = Solver(board, limits=WEAK).solve(Position.of(board), cancel=cancel)

    assert answer.winner is None
    assert cancel.is_set()


@pytest.fixture
def asked(monkeypatch):
    """Return the moves of each node that the net is asked about, by a guide that knows nothing."""
    asked = []

    def advise(_guide, _stones, _turn, moves):
        asked.append(moves)
        return guide.Advice(moves, (1, 1))

    monkeypatch.setattr(Guide, "advise", advise)
    return asked


def _outcomes(solver, names):
    before = solver.nodes
    for name in names.split():
        solver.outcome(Position.of(solver.board).play(solver.board.cell(name)))
    return solver.nodes - before


def test_of_the_moves_that_it_orders_few_are_looked_at(monkeypatch):
    """The openings of 6x6 take 2,457 positions without the net."""
    for name in ("EASY", "WORTH", "LEAST_SIDE"):
        monkeypatch.setattr(guide, name, AS_IT_IS[name])
    order = "d3 c3 d2 e2 e3 c2 b3 d1 e1 f1 f2 f3 c1 b2 a3 b1 a2 a1"

    assert _outcomes(Solver(Board(6)), order) <= 1800


def test_a_short_search_asks_nothing(monkeypatch, asked):
    """A net takes a second to be made ready: only a question of thousands of positions does it."""
    monkeypatch.setattr(guide, "EASY", 300)
    solver = Solver(Board(6, 6))
    assert _outcomes(solver, "d3 c3 d2 e2 e3 c2 b3 f1") > 300  # together
    assert not asked
    assert _outcomes(solver, "f2") > 300
    assert asked
    assert all(len(moves) > 1 for moves in asked)


def test_a_search_of_so_many_positions_asks_nothing(monkeypatch, asked):
    """Players without a clock do the same whatever is installed: they look at 3,000 at most."""
    monkeypatch.setattr(proof_number, "COUNTED", guide.COUNTED)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("f2"))
    assert Solver(board).solve(position, nodes=guide.COUNTED).winner is not None
    assert not asked
    assert Solver(board).solve(position).winner is not None
    assert asked


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_search_of_seconds_asks_nothing(monkeypatch, asked, is_kept):
    """While the net is made ready they would be over; one that was made before is read at once."""
    monkeypatch.setattr(guide, "is_ready", lambda *_net_and_board: is_kept)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("f2"))
    assert Solver(board).solve(position, seconds=4).winner is not None
    assert bool(asked) is is_kept
    assert Solver(board).solve(position, seconds=60).winner is not None
    assert asked


def test_a_solver_prepared_for_a_time_asks_at_once(monkeypatch):
    """What takes long the first time is done before the clock runs; for less it does not pay."""
    monkeypatch.setattr(int8, "_kept", {})
    monkeypatch.setattr(guide, "is_ready", lambda *_net_and_board: bool(int8._kept))  # noqa: SLF001
    board = Board(6, 6)
    looks = []
    advise = Guide.advise
    for seconds in (1, 4):
        solver = Solver(board)
        solver.prepare(seconds)
        with monkeypatch.context() as patch:
            patch.setattr(Guide, "advise", lambda *all_: looks.append(1) or advise(*all_))
            solver.solve(Position.of(board).play(board.cell("f2")), seconds=4)

        assert bool(looks) is (seconds == 4)


def test_what_is_ready_is_asked_at_once(monkeypatch):
    """By the next question, however short."""
    monkeypatch.setattr(guide, "EASY", 10**9)
    solver = Solver(Board(5, 5), limits=WEAK)
    looks = []
    advise = Guide.advise
    monkeypatch.setattr(Guide, "advise", lambda *all_: looks.append(1) or advise(*all_))
    _outcomes(solver, "c3")
    assert not looks
    monkeypatch.setattr(guide, "EASY", 0)
    _outcomes(solver, "a3")
    monkeypatch.setattr(guide, "EASY", 10**9)
    before = len(looks)
    _outcomes(solver, "b1")
    assert len(looks) > before > 0
