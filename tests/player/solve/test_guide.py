"""The net's advice to the solver saves positions and changes no verdict."""

import pytest
from hypothesis import example, given, settings
from strategies import early_positions

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color, to_number
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Flag, Stopped
from player.evaluate import int8
from player.evaluate.net import features, load_net
from player.solve import guide, proof_number
from player.solve.budget import Techniques
from player.solve.guide import Guide
from player.solve.solver import LIMITS, Solver

WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)
ALONE = Techniques().without(["net"])
EASY, COUNTED, WORTH, LEAST_SIDE = guide.EASY, guide.COUNTED, guide.WORTH, guide.LEAST_SIDE


@pytest.fixture(scope="module", autouse=True)
def _asked_everywhere():
    """Ask the net at every position, on boards of all sizes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guide, "LEAST_SIDE", 1)
        patch.setattr(guide, "EASY", 0)
        patch.setattr(guide, "COUNTED", 0)
        patch.setattr(proof_number, "WORTH", 0)
        yield


def _nodes(board, opening, techniques, limits=LIMITS):
    solver = Solver(board, limits=limits, techniques=techniques)
    won_by = solver.outcome(Position.of(board).play(board.cell(opening)))
    return won_by, solver.nodes


def _played(columns, rows, *names):
    return Game.of(Board(columns, rows), names).position()


@given(early_positions((4, 5)))
@example(_played(4, 5, "c2", "a2", "b5"))  # here the move that the net ranks last may be needed
@example(_played(5, 4, "b1", "e1"))
@example(_played(5, 5, "a1", "e2"))
@example(_played(5, 5, "e1", "e2"))
@settings(max_examples=60)
def test_no_verdict_depends_on_the_net(position):
    """Winner and winning moves are the same without the net, also when connections are limited."""
    if winner(position) is not None:
        return
    with_net = Solver(position.board, limits=WEAK).solve(position, every=True)
    alone = Solver(position.board, limits=WEAK, techniques=ALONE).solve(position, every=True)

    assert (with_net.winner, with_net.winning_moves) == (alone.winner, alone.winning_moves)


def test_several_workers_can_use_the_net():
    """Several workers may use the net at the same time."""
    board = Board(5, 5)
    alone = Solver(board, limits=WEAK, techniques=ALONE)
    together = Solver(board, limits=WEAK, workers=3)

    for name in ("c3", "a3", "b1"):
        position = Position.of(board).play(board.cell(name))
        assert together.outcome(position) is alone.outcome(position)


@pytest.mark.parametrize("opening", ["c1", "b1"])
def test_the_net_halves_the_number_of_positions(opening):
    """On openings of 7x7, the net at least halves the number of positions."""
    board = Board(7, 7)
    won_by, alone = _nodes(board, opening, ALONE)
    answer = Solver(board).solve(Position.of(board).play(board.cell(opening)), nodes=alone // 2)

    assert answer.winner is won_by


@pytest.mark.parametrize("has_extra", [True, False])
def test_the_likely_move_is_first_and_numbers_favor_the_likely_winner(monkeypatch, has_extra):
    """Moves and numbers are right where either player wins by moving, and where Black is ahead."""
    monkeypatch.setattr(guide, "is_installed", lambda: has_extra)
    board = Board(7, 7)
    position = Position.of(board, black="d2 c4 c6", white="b5 d3 e4")
    moves = tuple(position.empty.search(1))
    black = Guide(board).advise(_stones(position), Color.BLACK, moves)
    white = Guide(board).advise(_stones(position), Color.WHITE, moves)

    assert set(black.moves) == set(moves)
    assert board.name(black.moves[0]) == "d4"
    assert board.name(white.moves[0]) == "c3"
    assert white.numbers[0] > white.numbers[1]  # Black, who moves next, is expected to lose
    if has_extra:  # the small net wrongly expects Black, who has a single winning move, to lose
        assert black.numbers[0] > black.numbers[1]
    ahead = Position.of(board, black="d4 c6 e2", white="a1 g7 b1")
    black = Guide(board).advise(_stones(ahead), Color.BLACK, tuple(ahead.empty.search(1)))
    white = Guide(board).advise(_stones(ahead), Color.WHITE, tuple(ahead.empty.search(1)))

    assert black.numbers[0] > black.numbers[1]
    assert white.numbers[0] < white.numbers[1]


@pytest.mark.parametrize(
    ("size", "least", "is_asked"),
    [((7, 7), 7, True), ((6, 9), 7, False), ((14, 14), 7, True), ((15, 15), 7, False)],
)
def test_the_net_is_used_on_boards_of_medium_size(monkeypatch, size, least, is_asked):
    """Small boards gain nothing from the net, and large ones take long to prepare it."""
    monkeypatch.setattr(guide, "LEAST_SIDE", least)

    assert Guide(Board(*size)).is_of_use is is_asked


def test_without_a_net_moves_are_ordered_by_weak_links(monkeypatch):
    """Without a net, the search orders moves by weak links alone."""
    board = Board(5, 5)
    before = _nodes(board, "a3", ALONE, WEAK)
    with monkeypatch.context() as patch:
        patch.setattr(guide, "load_net", lambda: None)
        patch.setattr(guide, "small_net", lambda: None)
        assert _nodes(board, "a3", Techniques(), WEAK) == before
        assert not Guide(board).is_of_use
    assert Guide(board).is_of_use


def test_without_the_extra_the_small_net_is_used(monkeypatch):
    """The small net has less than a ninth of its teacher's weights, and still saves positions."""
    monkeypatch.setattr(guide, "is_installed", lambda: False)
    board, small, shipped = Board(7, 7), guide.small_net(), load_net()
    assert 9 * small.weights.size < shipped.weights.size
    position = Position.of(board).play(board.cell("b4"))
    asked = Solver(board)
    asked.solve(position)

    assert asked.nodes < 5713 * 0.9  # 5,713 without the net
    with monkeypatch.context() as patch:
        patch.setattr(guide, "small_net", lambda: None)
        assert not Guide(board).is_of_use
    assert small.record["teacher"] == shipped.key


def test_canceling_does_not_wait_for_the_net(monkeypatch):
    """A search canceled while the net is being prepared ends without an answer."""
    board = Board(5, 6)
    cancel = Flag()

    def endless(_net, board):
        while True:
            yield features(Position.of(board))
            cancel.set()

    monkeypatch.setattr(int8, "_typical", endless)
    monkeypatch.setattr(int8, "_sessions", {})
    monkeypatch.setattr(int8, "read_kept", lambda _path: None)

    answer = Solver(board, limits=WEAK).solve(Position.of(board), cancel=cancel)

    assert answer.winner is None
    assert cancel.is_set()


def test_a_net_that_was_stopped_is_asked_again(monkeypatch):
    """The time may end while a net is prepared: the position has no advice, and gets it later."""
    board = Board(6)
    positions, advise = [], Guide.advise

    def stop_first(self, stones, turn, moves):
        positions.append(stones)
        if len(positions) == 1:
            raise Stopped
        return advise(self, stones, turn, moves)

    monkeypatch.setattr(Guide, "advise", stop_first)
    solver = Solver(board)
    first = solver.solve(Position.of(board).play("a2"))
    solver.solve(Position.of(board).play("a2"), nodes=5)

    assert first.winner is None
    assert positions[1] == positions[0]


@pytest.fixture
def asked(monkeypatch):
    """Return the moves of each node the net is asked about; a stub ranks all moves equally."""
    asked = []

    def advise(_guide, _stones, _turn, moves):
        asked.append(moves)
        return guide.NetAdvice(moves, (1, 1))

    monkeypatch.setattr(Guide, "advise", advise)
    return asked


def _outcomes(solver, names):
    before = solver.nodes
    for name in names.split():
        solver.outcome(Position.of(solver.board).play(solver.board.cell(name)))
    return solver.nodes - before


def test_the_net_reduces_the_positions_of_6x6_openings(monkeypatch):
    """The openings of 6x6 take at most 1,800 positions with the net; without it, 2,481."""
    monkeypatch.setattr(guide, "LEAST_SIDE", LEAST_SIDE)
    monkeypatch.setattr(guide, "EASY", EASY)
    monkeypatch.setattr(proof_number, "WORTH", WORTH)
    order = "d3 c3 d2 e2 e3 c2 b3 d1 e1 f1 f2 f3 c1 b2 a3 b1 a2 a1"

    assert _outcomes(Solver(Board(6)), order) <= 1800


def test_a_short_search_does_not_use_the_net(monkeypatch, asked):
    """The net takes a second to prepare, so only a single long search may ask it."""
    monkeypatch.setattr(guide, "EASY", 300)
    solver = Solver(Board(6, 6))
    assert _outcomes(solver, "d3 c3 d2 e2 e3 c2 b3 f1") > 300  # together
    assert not asked
    assert _outcomes(solver, "f2") > 300
    assert asked
    assert all(len(moves) > 1 for moves in asked)


def test_a_search_with_a_small_node_limit_does_not_use_the_net(monkeypatch, asked):
    """A search of at most COUNTED positions asks no net, so it does not depend on the extra."""
    monkeypatch.setattr(guide, "COUNTED", COUNTED)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("f2"))
    assert Solver(board).solve(position, nodes=COUNTED).winner is not None
    assert not asked
    assert Solver(board).solve(position).winner is not None
    assert asked


def test_advice_is_the_same_for_both_players(monkeypatch):
    """On the transposed board, White gets the advice that Black gets here."""
    monkeypatch.setattr(guide, "is_installed", lambda: False)
    board, across = Board(6, 7), Board(7, 6)
    position = Position.of(board, black="d2 c4", white="b5 d3")
    mirrored = Position.of(across, black="e2 c4", white="b4 d3")
    exchanged = {cell: across.cell(_transposed(board.name(cell))) for cell in board.cells}
    cells = tuple(position.empty.search(1))
    own = Guide(board).advise(_stones(position), Color.BLACK, cells)
    advice = Guide(across).advise(
        _stones(mirrored), Color.WHITE, tuple(exchanged[cell] for cell in cells)
    )

    assert advice.moves == tuple(exchanged[cell] for cell in own.moves)
    assert advice.numbers == own.numbers


def _stones(position):
    return to_number(position.black), to_number(position.white)


def _transposed(name):
    column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    return f"{chr(ord('a') + row)}{column + 1}"


@pytest.fixture
def asked_nets(monkeypatch):
    """Return for each node asked about whether the small net is used; the net itself is a stub."""
    nets = []

    def advise(asking, _stones, _turn, moves):
        nets.append(asking._is_small)  # noqa: SLF001
        return guide.NetAdvice(moves, (1, 1))

    monkeypatch.setattr(Guide, "advise", advise)
    return nets


@pytest.mark.parametrize(
    ("is_kept", "prepared_for", "nets"),
    [(False, 0, set()), (False, 0.5, {True}), (True, 0, {False})],
)
def test_a_short_timed_search_uses_only_a_ready_net(
    monkeypatch, asked_nets, is_kept, prepared_for, nets
):
    """A search of 4 s asks only a prepared or stored net; one of 60 s asks the large net."""
    monkeypatch.setattr(guide, "is_ready", lambda *_net_and_board: is_kept)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("f2"))
    solver = Solver(board)
    solver.prepare(prepared_for)
    asked_nets.clear()
    assert solver.solve(position, seconds=4).winner is not None
    assert set(asked_nets) == nets
    asked_nets.clear()
    assert Solver(board).solve(position, seconds=60).winner is not None
    assert set(asked_nets) == {False}


@pytest.mark.parametrize("has_extra", [True, False])
def test_a_search_limited_in_tries_uses_the_small_net(monkeypatch, asked_nets, has_extra):
    """It uses the small net after EASY positions, with or without the extra, and pays in tries."""
    monkeypatch.setattr(guide, "is_installed", lambda: has_extra)
    monkeypatch.setattr(guide, "EASY", EASY)
    board = Board(6, 6)
    position = Position.of(board).play(board.cell("f2"))
    paid, free = Solver(board), Solver(board)
    assert paid.solve(position, tries=10**9).winner is not None
    assert set(asked_nets) == {True}
    looks = len(asked_nets)
    monkeypatch.setattr(proof_number, "TRIES_A_CELL", 0)
    assert free.solve(position, tries=10**9).winner is not None

    assert paid.nodes == free.nodes > EASY
    assert paid.tries - free.tries == guide.TRIES_A_CELL * board.size * looks


def test_an_easy_search_limited_in_tries_uses_no_net(monkeypatch, asked_nets):
    monkeypatch.setattr(guide, "EASY", EASY)
    board = Board(6, 6)
    answer = Solver(board).solve(Position.of(board).play(board.cell("d3")), tries=10**9)

    assert answer.nodes <= EASY
    assert not asked_nets


@pytest.mark.parametrize(("seconds", "is_small"), [(0.5, True), (4, False)])
def test_prepare_warms_up_the_net_that_fits_the_time(monkeypatch, asked_nets, seconds, is_small):
    """`prepare` warms up the net that fits the time: the small one for a second or less."""
    monkeypatch.setattr(guide, "is_installed", lambda: True)
    solver = Solver(Board(6, 6))
    solver.prepare()
    assert not asked_nets
    solver.prepare(seconds)
    assert asked_nets == [is_small]


def test_a_prepared_net_is_used_at_once_by_the_next_search(monkeypatch):
    """A net that one search has prepared is used at once by the next, however short."""
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
