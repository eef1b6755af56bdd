"""The solver's winners and winning moves, compared with slower twins."""

import itertools
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from textwrap import dedent
from unittest.mock import ANY

import naive_solve
import numpy as np
import pytest
from hypothesis import given, settings
from places import ROOT
from strategies import positions

from hsearch.connect.inferior import fill_in
from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Flag, Stopped, check
from player.search.openings import load_chart
from player.solve.budget import NAMES, Techniques
from player.solve.plain import PlainSearch
from player.solve.proof import write
from player.solve.solver import Solver, winning_openings
from player.solve.table import NodeTable
from player.solve.verify import verify

FOLDER = ROOT / "positions"
PUZZLES = suite.read((FOLDER / "puzzles" / "classic.txt").read_text())
MAPS = {
    1: "W",
    2: "LW WL",
    3: "LLW WWW WLL",
    4: "LLLW LLWL LWLL WLLL",
    5: "LLLLW LWWWW LWWWL WWWWL WLLLL",
}
WEAK = Limits(M=1, K=2, greedy_union=False, stop_at_win=True)


@pytest.fixture(scope="module")
def solver():
    """Return a function that gives each board one solver, which keeps its results."""
    made = {}

    def of(board, limits=None):
        if (board, limits) not in made:
            made[board, limits] = Solver(board, limits=limits) if limits else Solver(board)
        return made[board, limits]

    return of


@pytest.mark.parametrize("size", MAPS)
def test_opening_maps(size):
    """Each opening has the winner in the maps above."""
    board = Board(size, size)
    letters = "".join(MAPS[size].split())

    assert winning_openings(Solver(board)) == board.only(
        *(cell for cell in board.cells if letters[cell] == "W")
    )


@pytest.mark.slow
@pytest.mark.parametrize("side", [6, 7])
def test_stored_maps_are_exact_and_symmetric(side):
    """Each map is symmetric under rotation by 180°; that of 6x6 is computed again."""
    chart = load_chart(side)
    assert chart is not None
    wins = chart.board.only(*(cell for cell in chart.board.cells if chart.wins(cell)))

    assert chart.is_exact
    assert chart.board.only(*map(chart.board.rotate, wins.search(1))) == wins
    assert wins.count() == {6: 24, 7: 27}[side]
    if side == 6:
        assert winning_openings(Solver(chart.board)) == wins


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_opening_solved_alone_has_the_known_winner(size):
    """Each opening has a table of its own, and connections so limited that it takes search."""
    board = Board(size, size)
    letters = "".join(MAPS[size].split())
    for cell in board.cells:
        position = Position.of(board).play(cell)
        expected = Color.BLACK if letters[cell] == "W" else Color.WHITE

        assert Solver(board, limits=WEAK).outcome(position) is expected


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 4), (4, 5), (5, 6)])
def test_the_player_with_the_longer_distance_loses(columns, rows):
    """Every opening of Black loses if White has fewer columns to cross."""
    assert not winning_openings(Solver(Board(columns, rows))).any()


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_the_solver_finds_all_winning_moves_of_puzzles(puzzle):
    """The solver finds exactly the winning moves."""
    position = puzzle.game.position()
    answer = Solver(position.board).solve(position, every=True)

    assert answer.complete
    assert answer.winner is position.turn
    assert position.board.only(*answer.winning_moves) == puzzle.cells("wins")


@pytest.mark.slow
@pytest.mark.parametrize("limits", [None, WEAK], ids=["usual", "weak"])
def test_winners_of_all_3x3_positions_are_right(solver, limits):
    """Usual and weak connections give the winner found by trying every move."""
    board = Board(3, 3)
    for stones in itertools.product(".BW", repeat=board.size):
        black, white = (board.only(*(c for c in board.cells if stones[c] == s)) for s in "BW")
        for turn in Color:
            position = Position(board, black, white, turn)

            assert solver(board, limits).outcome(position) is naive_solve.outcome(position)


@given(positions(max_side=4, stones="..BW"))
def test_winning_moves_equal_those_of_trying_every_move(solver, position):
    """Up to 4x4, the winning moves are those found by trying every move."""
    if winner(position) is None and position.empty.count() <= 10:
        answer = solver(position.board, WEAK).solve(position, every=True)

        assert list(answer.winning_moves) == naive_solve.winning_moves(position)
        assert answer.winner is naive_solve.outcome(position)


@pytest.mark.slow
@given(positions(max_side=5, stones="...BW"))
def test_the_solver_agrees_with_a_plain_search(solver, position):
    """Up to 5x5 it agrees; the twin has no inferior cells and no carriers of proofs."""
    twin = PlainSearch(Limits(M=10, K=4))
    usual, weak = (solver(position.board, limits) for limits in (None, WEAK))

    assert usual.outcome(position) is weak.outcome(position) is twin.outcome(position)
    if usual.outcome(position) is position.turn and position.board.size <= 20:
        wins = list(twin.winning_moves(position))
        assert list(usual.solve(position, every=True).winning_moves) == wins


@pytest.mark.slow
def test_the_solver_agrees_with_a_plain_search_on_2000_positions():
    """The positions are random, on boards up to 5x5."""
    generator = np.random.default_rng(8)
    solvers, seen = {}, set()
    while len(seen) < 2000:
        board = Board(*generator.integers(2, 6, 2).tolist())
        stones = generator.choice(list("....BW"), board.size)
        sides = (board.only(*np.flatnonzero(stones == stone).tolist()) for stone in "BW")
        position = Position(board, *sides, Color(int(generator.integers(2))))
        if position not in seen:
            seen.add(position)
            solver = solvers.setdefault(board, Solver(board))

            assert solver.outcome(position) is PlainSearch(Limits()).outcome(position)


@pytest.mark.slow
@given(positions(max_side=5, square=True, stones="...BW"))
def test_fill_in_never_changes_the_winner_on_5x5(position):
    """The twin, which has no fill-in, finds the same winner before and after."""
    twin = PlainSearch(Limits(M=10, K=4))

    assert twin.outcome(fill_in(position).position) is twin.outcome(position)


@given(positions(max_side=5))
def test_rotation_keeps_the_winner_and_transposition_exchanges_it(solver, position):
    """Rotation keeps the winner, and transposition exchanges it."""
    won = solver(position.board).outcome(position)

    assert solver(position.board).outcome(position.rotated()) is won
    mirror = position.transposed()
    assert solver(mirror.board).outcome(mirror) is won.opponent


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 5])
def test_the_winner_needs_only_the_carrier(size):
    """Check this in every position decided while computing the map.

    The winner still wins when the opponent gets every empty cell outside the carrier,
    according to a solver whose connections decide most of these positions without search.
    """
    board = Board(size, size)
    solver, judge = Solver(board, limits=WEAK), Solver(board)
    winning_openings(solver)
    nodes = solver._table.nodes.items()  # noqa: SLF001 - carriers are not published
    decided = [(key, node) for key, node in nodes if node.winner is not None]
    for key, node in decided:
        black, white = (_cells(key[n : n + 8], board) for n in (0, 8))
        given = ~(black | white | _cells(node.carrier.to_bytes(8, "little"), board))
        stones = (black, white | given) if node.winner == Color.BLACK else (black | given, white)

        assert judge.outcome(Position(board, *stones, Color(key[-1]))) == node.winner


def _cells(row, board):
    bits = int.from_bytes(row, "little")
    return board.only(*(cell for cell in board.cells if bits >> cell & 1))


def test_the_winning_move_wins(solver):
    """From a won position on 5x5, it wins whole games against random moves."""
    board = Board(5, 5)
    generator = np.random.default_rng(5)
    for _ in range(20):
        position = Position.of(board)
        while winner(position) is None:
            if position.turn is Color.BLACK:
                move = solver(board).winning_move(position)
            else:
                move = int(generator.choice(list(position.empty.search(1))))
            position = position.play(move)

        assert winner(position) is Color.BLACK


def test_a_decided_game_has_no_move(solver):
    """The winner is the owner of the chain, whoever is to move."""
    board = Board(2, 2)
    for turn in Color:
        position = Position.of(board, black="a1 a2", white="b1 b2", turn=turn)
        answer = solver(board).solve(position, every=True)

        assert (answer.winner, answer.winning_moves, answer.complete) == (Color.BLACK, (), True)


def test_a_small_table_changes_no_winner():
    """A table that drops nodes stays within its bound and changes no answer."""
    board = Board(5, 5)
    solver = Solver(board, limits=WEAK)
    solver._table.most = 150  # noqa: SLF001 - a megabyte would hold all
    letters = "".join(MAPS[5].split())

    assert winning_openings(solver) == board.only(*(c for c in board.cells if letters[c] == "W"))
    assert len(solver._table.nodes) <= 150  # noqa: SLF001


@pytest.mark.slow
@pytest.mark.parametrize(("side", "nodes"), [(7, 900), (8, 700)])
def test_the_memory_is_bounded(side, nodes):
    """Emptying the table frees no more memory than was allowed."""
    board = Board(side, side)
    tracemalloc.start()
    try:
        solver = Solver(board, memory=1)
        assert solver.solve(Position.of(board).play(1), nodes=nodes).winner is None
        full = tracemalloc.get_traced_memory()[0]
        assert len(solver._table.nodes) <= solver._table.most  # noqa: SLF001
        solver._table.nodes.clear()  # noqa: SLF001
        freed = full - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert 50_000 < freed < 1_000_000


def test_a_second_call_resumes_after_the_time_ran_out():
    """A second call resumes where the first one stopped."""
    position = Position.of(Board(6, 6)).play(12)
    solver = Solver(position.board)
    first = solver.solve(position, seconds=0.02)
    known = len(solver._table.nodes)  # noqa: SLF001
    second = solver.solve(position)

    assert (first.winner, first.winning_moves, first.complete) == (None, (), False)
    assert known > 0
    assert (second.winner, second.winning_moves, second.complete) == (Color.BLACK, (), True)


def test_the_time_ends_kernels_that_a_flag_may_cancel(monkeypatch):
    """The seconds apply to the kernels that look at the flag, not at another one."""
    monkeypatch.setattr(Solver, "_answer", lambda *_, **__: check(late=True))

    with pytest.raises(Stopped):
        Solver(Board(3, 3)).solve(Position.of(Board(3, 3)), seconds=0, cancel=Flag())


@settings(max_examples=10)
@given(positions(max_side=4))
def test_an_answer_does_not_depend_on_earlier_positions(solver, position):
    """A solver that has solved other positions gives the answer of a new one."""
    used = solver(position.board).solve(position, every=True)
    new = Solver(position.board).solve(position, every=True)

    assert (used.winner, used.winning_moves) == (new.winner, new.winning_moves)


@pytest.mark.slow
def test_a_prepared_solver_has_nothing_to_compile():
    """In a new process, no kernel is compiled again during a search."""
    code = """
        from player.kernels import solving
        from player.solve.solver import Solver
        from hsearch.hex.board import Board
        from hsearch.hex.position import Position

        def versions():
            kernels = (solving.fill, solving.examine, solving.killers_of)
            return [len(kernel.signatures) for kernel in kernels]

        solver = Solver(Board(6, 6))
        solver.prepare()
        assert (versions(), solver.nodes) == ([1, 1, 1], 0)
        solver.solve(Position.of(solver.board), nodes=300)
        assert versions() == [1, 1, 1]
    """
    subprocess.run([sys.executable, "-c", dedent(code)], check=True, cwd=ROOT)  # noqa: S603 - our own


def test_tries_bound_a_search_deterministically():
    """The search ends after the evaluation that exceeds the bound, and is deterministic."""
    position = Position.of(Board(7, 7)).play("a4")
    one, few, again = (Solver(position.board) for _ in range(3))

    assert one.solve(position, tries=1).nodes == 1
    assert few.solve(position, tries=2_000_000) == replace(
        again.solve(position, tries=2_000_000), seconds=ANY
    )
    assert few.nodes > 20
    crowded = scattered(Board(14, 14), 50, seed=4)
    assert Solver(crowded.board).solve(crowded, tries=2_000_000).nodes == 1


def test_a_bounded_search_without_a_result_stores_nothing():
    """So the result of a bounded search does not depend on earlier searches without a result."""
    board = Board(7, 7)
    hard, next_one = (_played(board, *names) for names in (("a4",), ("b4", "d4")))
    fresh, asked = Solver(hard.board), Solver(hard.board)
    alone = fresh.solve(next_one, tries=20_000_000)
    assert alone.winner is not None
    assert asked.solve(hard, tries=2_000_000).winner is None
    assert asked.nodes > 20
    assert (asked.lemmas, asked.results()) == (0, {})
    assert asked.remaining(hard) is None

    assert asked.solve(next_one, tries=20_000_000) == replace(alone, seconds=ANY)
    assert asked.lemmas == fresh.lemmas > 0


def test_a_search_limited_in_tries_stores_and_reuses_proofs():
    """A bounded search stores and reuses the proved positions, as an unbounded one does."""
    board = Board(7, 7)
    position = _played(board, "b4", "d4")
    solver, by_parts = Solver(board), Solver(board)
    (first,) = solver.solve(position, tries=20_000_000).winning_moves
    assert solver.recall(position).winner is position.turn
    assert len(solver.results()) > 5
    by_parts.solve(position.play(first))
    whole = by_parts.solve(position, tries=20_000_000)

    assert whole.winning_moves == (first,)
    assert 4 * whole.nodes < solver.nodes


def test_a_full_table_keeps_the_position_that_is_searched():
    """When the budget ends, its remaining moves are known, with the work below them."""
    position, nodes = Position.of(8).play("a1"), 300
    solver = Solver(position.board, table=NodeTable(60))

    assert solver.solve(position, nodes=nodes).winner is None

    remaining = solver.remaining(position)
    assert remaining is not None
    assert sum(move.work for move in remaining.moves) > nodes / 2


def test_a_fruitless_search_leaves_numbers_and_lemmas_unchanged():
    """The numbers of open positions stay unchanged, and so do the lemmas."""
    position = _played(Board(7, 7), "a4")
    solver = Solver(position.board)
    solver.solve(position, nodes=50)
    before, lemmas = solver.remaining(position), solver.lemmas
    solver.solve(position, tries=2_000_000)

    assert solver.remaining(position) == before
    assert solver.lemmas == lemmas


def _played(board, *names):
    position = Position.of(board)
    for name in names:
        position = position.play(name)
    return position


def scattered(board, stones, seed):
    """Return a position with random stones, placed in turn."""
    position = Position.of(board)
    for cell in np.random.default_rng(seed).permutation(board.size)[:stones].tolist():
        position = position.play(cell)
    return position


@pytest.mark.parametrize("side", [5, 6])
def test_the_results_have_the_positions_of_the_solver(side):
    """`positions/results/solving.md` has how many positions a map takes without a net."""
    solver = Solver(Board(side, side), techniques=Techniques(net=False))
    winning_openings(solver)

    table = (FOLDER / "results/solving.md").read_text(encoding="utf-8")
    assert f"\n| {side}x{side} | {solver.nodes:,} | " in table


def test_the_results_have_the_worth_of_each_technique():
    """`positions/results/solving.md` has the positions of 5x5 without each technique."""
    table = (FOLDER / "results/solving.md").read_text(encoding="utf-8")
    for name in ("nothing more", *NAMES):
        off = ["net"] if name == "nothing more" else ["net", name]
        solver = Solver(Board(5, 5), techniques=Techniques().without(off))
        winning_openings(solver)

        assert name == "net" or f"\n| {name} | {solver.nodes} | " in table, name


def test_the_results_have_the_size_of_a_proof():
    """`positions/results/solving.md` has the nodes and the proof of d3 on 7x7 without a net."""
    position = _played(Board(7, 7), "d3")
    solver = Solver(position.board, techniques=Techniques(net=False))
    nodes = solver.solve(position).nodes
    text = write(solver, position)
    proved = verify(text)
    page = " ".join((FOLDER / "results/solving.md").read_text(encoding="utf-8").split())

    size = f"{proved.connections:,} derived connections and {len(text) / 1e6:.1f} megabytes"
    assert f"d3 takes {nodes} nodes, and its proof has {proved.positions} positions, {size}" in page


def test_the_guide_has_the_share_of_positions_that_a_net_saves():
    """Both nets save seven tenths of the positions of the map of 7x7 in the results."""
    page = (FOLDER / "results/solving.md").read_text(encoding="utf-8")
    table = page[: page.index("A net orders the moves")]
    rows = re.findall(r"\n[|] 7x7(|, with the net|, with the small net) [|] ([0-9,]+) [|]", table)
    nodes = {name: int(number.replace(",", "")) for name, number in rows}
    alone = nodes.pop("")
    guide = " ".join((ROOT / "docs/how-to/solve.md").read_text(encoding="utf-8").split())

    assert {round(10 * (1 - number / alone)) for number in nodes.values()} == {7}
    assert "on 7x7 that saves seven tenths of the positions" in guide
    assert "adds a larger net, which saves as many there" in guide
