"""Is a pair of points connected when the opponent moves first? Compared with complete play."""

from dataclasses import replace
from itertools import count, pairwise

import pytest
from complete_play import holds
from hypothesis import assume, given
from hypothesis import strategies as st
from nightly import NIGHTLY
from strategies import positions

from hsearch import check
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.library import LARGE, closure_templates, templates_in
from hsearch.hex.board import Board, Color, word_count
from hsearch.hex.position import Position, captains, subgame
from hsearch.strategy import words
from hsearch.strategy.explain import explain
from player.solve import pair
from player.solve.embedding import embed
from player.solve.pair import join

MOST = 13  # empty cells: complete play is fast enough


@st.composite
def questions(draw):
    """Return a position, a color, two points of it not yet connected, and allowed cells."""
    position = draw(positions(max_side=5, stones=draw(st.sampled_from(["...BW", ".B", "..W"]))))
    assume(position.empty.count() <= MOST)
    color = draw(st.sampled_from(Color))
    named = captains(position, color)
    points = sorted(named)
    x = draw(st.sampled_from(points))
    others = [point for point in points if named[point] != named[x]]
    assume(others)
    y = draw(st.sampled_from(others))
    shut = draw(st.sets(st.sampled_from(range(position.board.size)), max_size=4))
    return position, color, (x, y), position.empty & ~position.board.only(*shut)


@given(questions())
def test_answers_agree_with_complete_play(asked):
    """The answer is right whoever moves first; the intrusion breaks, and each connection holds."""
    position, color, ends, within = asked
    answer = join(position, color, ends, within, seconds=20)
    free = within & ~position.board.only(*(end for end in ends if end < position.board.size))
    alone = subgame(position, color, free, *ends)
    game = JoinGame(alone, color, ends, free)

    assert answer.joined == game.play().joined
    assert answer.first in {None, game.play(opponent_first=False).joined}
    if answer.intrusion is not None:
        left = free & ~position.board.only(answer.intrusion)
        assert not game.play(left, opponent_first=False).joined
    elif not answer.joined:
        assert answer.first is False
    if answer.connection is not None:
        assert answer.connection.is_full == answer.joined
        assert check(alone, color, answer.connection)
        assert check(position, color, answer.connection)
        assert holds(position, color, answer.connection)


def test_the_first_move_of_a_small_carrier_is_found_among_few_positions():
    """One reply to Black's c2 that has to be played out takes 13 million positions, c3 thirteen."""
    position = Position.of(Board(5, 5), black="c2", turn=Color.WHITE)
    south = max(position.board.edges(Color.BLACK))
    answer = join(position, Color.BLACK, (position.board.cell("c2"), south))

    assert answer.first
    assert answer.positions < 1_000_000


@given(questions())
def test_narrow_boards_are_sound_and_wide_boards_are_complete(asked):
    """A narrow board never claims a false connection, and a wide one never misses a true one."""
    position, color, ends, within = asked
    free = within & ~position.board.only(*(end for end in ends if end < position.board.size))
    alone = subgame(position, color, free, *ends)
    game = JoinGame(alone, color, ends, free)
    for is_wide in (False, True):
        place = embed(alone, color, ends, free, is_wide=is_wide)
        if place is None:
            continue
        board, start = place.position.board, place.position
        cells = start.board.only(*place.cells)
        edges = board.edges(Color.BLACK)
        if captains(start, Color.BLACK)[edges[0]] == captains(start, Color.BLACK)[edges[1]]:
            here = True
        else:
            here = JoinGame(start, Color.BLACK, edges, cells).play().joined
        there = game.play().joined
        assert (here and not there) <= is_wide
        assert (there and not here) <= (not is_wide)
        if place.is_exact:
            assert here == there


@pytest.mark.parametrize(
    ("ends", "sides"),
    [(("a1", "k11"), (15, 15)), (("f6", "d8"), (15, 15)), (("f6", "north"), (14, 13))],
)
def test_a_narrow_board_has_no_row_or_column_that_is_not_needed(ends, sides):
    """The kernels of `hsearch warm` serve any pair on 11x11: its board has four words."""
    position = Position.of(Board(11, 11))
    x, y = map(position.board.point, ends)
    cells = position.empty & ~position.board.only(*(end for end in (x, y) if end < 121))
    board = embed(position, Color.BLACK, (x, y), cells).position.board

    assert (board.columns, board.rows) == sides
    assert word_count(board.size + 2) <= 4


def _stone(row: int, columns: int, column: int) -> tuple[Position, tuple[int, int]]:
    """Return a position with a stone between its edge and a white row, and the ends to join."""
    board = Board(columns, row + 1)
    stone = board.at(column, 1)
    position = Position(board, board.only(stone), board.only(*range(columns)))
    return position, (stone, board.edges(Color.BLACK)[1])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("color", list(Color))
def test_the_fifth_row_is_decided_within_a_second(color, turned):
    """A stone's template of 34 cells out of 49 is found, at each side and for either player."""
    position, ends = _stone(5, 10, 6)
    if turned:
        position, ends = position.rotated(), tuple(map(position.board.rotate, ends))
    if color is Color.WHITE:
        ends = tuple(map(position.board.transpose, ends))
        position = position.transposed()
    answer = join(position, color, ends, seconds=1)

    assert answer.joined
    assert answer.connection.carrier.count() == 34
    assert check(position, color, answer.connection)


def test_the_fifth_row_template_fails_with_one_column_less():
    """The solver proves that Black is connected only by moving first."""
    position, ends = _stone(5, 9, 5)
    answer = join(position, Color.BLACK, ends, seconds=5)

    assert answer.joined is False
    assert answer.first
    assert check(position, Color.BLACK, answer.connection)
    after = position.put(answer.intrusion, Color.WHITE)
    again = join(after, Color.BLACK, ends, seconds=5)
    assert again.first is False


def test_shipped_templates_connect_and_fail_without_a_cell():
    """Every template is connected, and is not without one of its cells, as it is minimal."""
    for known in closure_templates():
        it = known.template
        answer = join(it.position, it.color, it.ends, it.carrier)
        assert check(it.alone, it.color, answer.connection)
        less = it.without(next(it.carrier.search(1)))
        assert join(it.position, it.color, it.ends, less.carrier).joined is False


LARGE_ONES = [
    pytest.param(
        each.template, id=each.names[0], marks=[NIGHTLY] * (each.template.carrier.count() > 40)
    )
    for each in templates_in(LARGE)
]


@pytest.mark.slow
@pytest.mark.parametrize("it", LARGE_ONES)
def test_large_templates_are_derived_and_fail_without_any_cell(it):
    """A derivation shows that templates too large for complete play hold, and each is minimal."""
    solvers = {}
    answer = join(it.position, it.color, it.ends, it.carrier, 300, solvers)
    assert answer.connection.carrier == it.carrier
    assert check(it.alone, it.color, answer.connection)
    for cell in it.carrier.search(1):
        less = it.without(cell)
        assert join(it.position, it.color, it.ends, less.carrier, 300, solvers).joined is False


FACTS = [  # on an empty 11x11 with Black's stones, White's stones; the ends; cells needed at most
    ("f8", "", "f8", "south", 22),  # IV-1-d or IV-1-a, with the whole board free
    ("i8", "", "i8", "south", 22),
    ("f4", "", "f4", "north", 22),
    ("g7", "g6 h5", "g7", "south", 34),  # V-1-a below a block
    ("h7", "", "h7", "south", 34),  # the same with the whole board free
    ("e5", "", "e5", "north", 34),
    ("e5 g4", "", "e5", "g4", 2),
    ("e9 h9", "", "e9", "h9", 16),  # two ziggurats, connected through the edge
    ("e8 h8", "f7 g7", "e8", "h8", 25),
]


@pytest.mark.slow
@pytest.mark.parametrize(("black", "white", "x", "y", "most"), FACTS)
@pytest.mark.parametrize("color", list(Color))
def test_well_known_connections_are_found(black, white, x, y, most, color):
    """Stones on an open board are connected to an edge or to each other, for both players."""
    board = Board(11, 11)
    position = Position.of(board, black=black, white=white)
    ends = board.point(x), board.point(y)
    if color is Color.WHITE:
        position, ends = position.transposed(), tuple(map(board.transpose, ends))
    answer = join(position, color, ends, seconds=20)

    assert answer.joined
    assert answer.connection.is_full
    assert answer.connection.carrier.count() <= most
    assert check(position, color, answer.connection)


def test_two_groups_without_an_edge_are_connected():
    """H-search finds no connection here: it uses an edge below, and neither end has a way out."""
    board = Board(5, 4)
    position = Position.of(board, black="b2 d2", white="c1 c2 b1 d1")
    ends = board.cell("b2"), board.cell("d2")
    answer = join(position, Color.BLACK, ends)

    assert answer.joined == JoinGame(position, Color.BLACK, ends, position.empty).play().joined
    assert check(position, Color.BLACK, answer.connection)


@pytest.mark.parametrize(
    ("columns", "stones", "ends", "within"),
    [
        (4, "a1 b3", ("a1", "b3"), "b1 c1 d1 b2 c2 d2 a3 c3 d3"),
        (3, "c1 a3", ("a3", "c1"), "a1 b1 a2 b2 c2 b3 c3"),
        (5, "c1 a2", ("c1", "south"), "a1 d1 e1 b2 c2 d2 e2 a3 b3 c3 d3 e3"),
    ],
)
def test_a_narrow_board_does_not_disprove_a_connection(columns, stones, ends, within):
    """A tether occupies a cell that connects the ends, so failure there proves nothing."""
    board = Board(columns, 3)
    position = Position.of(board, black=stones)
    x, y = map(board.point, ends)
    cells = board.named(within)
    narrow = embed(position, Color.BLACK, (x, y), cells)
    answer = join(position, Color.BLACK, (x, y), cells)

    assert narrow is None or not narrow.is_exact
    assert answer.joined
    assert check(position, Color.BLACK, answer.connection)


@pytest.mark.parametrize(
    ("columns", "rows", "black", "white", "ends"),
    [(4, 3, "", "", ("south", "c1")), (5, 2, "", "b2 d2", ("d1", "south"))],
)
def test_a_connection_may_use_the_opposite_edge(columns, rows, black, white, ends):
    """A connection from an empty cell may use the opposite edge, and it has a derivation."""
    board = Board(columns, rows)
    position = Position.of(board, black=black, white=white)
    x, y = map(board.point, ends)
    answer = join(position, Color.BLACK, (x, y))

    assert answer.joined
    assert check(position, Color.BLACK, answer.connection)


@pytest.mark.parametrize(("shut", "needed"), [("a3", "b3 c3"), ("c3", "a3 b3")])
def test_a_derivation_stays_inside_the_cells_that_may_be_used(shut, needed):
    """Of two bridges to the edge, the connection uses the allowed one."""
    board = Board(4, 3)
    position = Position.of(board, black="b2 c2")
    within = position.empty & ~board.named(shut)
    answer = join(position, Color.BLACK, (board.cell("b2"), board.point("south")), within)

    assert answer.connection.carrier == board.named(needed)


def test_the_parts_of_an_explanation_hold_with_the_keys_played():
    """Keys of must-play steps count as stones: the same connection with other keys differs."""
    start, color = Position.of(5, black="c5", white="a4"), Color.BLACK
    ends = start.board.cell("e3"), start.board.point("north")
    connection = join(start, color, ends).connection
    why, seen = explain(start, color, connection), set()

    def lead(parts, here, x, y):
        """Check that parts lead from x to y in a position with the keys played so far."""
        named = captains(here, color)
        assert named[parts[0].start] == named[x]
        assert named[parts[-1].goal] == named[y]
        assert all(named[a.goal] == named[b.start] for a, b in pairwise(parts))
        for part in parts:
            if part.argument is None:
                game = JoinGame(here, color, part.full.ends, part.full.carrier)
                assert game.play().joined
            elif (part.argument, here) not in seen:
                seen.add((part.argument, here))
                argument = why.arguments[part.argument - 1]
                assert argument.played <= here.black
                for case in argument.cases:
                    lead(case.parts, here.put(case.key, color), *argument.full.ends)

    assert connection.is_full
    lead(why.parts, start, *ends)
    assert len(seen) > len(why.arguments) > 100
    assert words.heading(why, why.arguments[1]).startswith("2. e3 to north, with Black on d2, in ")


def test_an_answer_is_open_if_the_time_runs_out():
    """If the time runs out, the answer is open and has no connection."""
    position, ends = _stone(6, 15, 8)
    answer = join(position, Color.BLACK, ends, seconds=0.05)

    assert (answer.connection, answer.joined) == (None, None)


def test_a_false_answer_of_the_solver_gives_no_connection(monkeypatch):
    """A derivation follows the rules, so a false answer of the solver is not derived."""
    told = pair.SolverOracle.verdict

    def lies(self, *question, owner_first):
        word, positions = told(self, *question, owner_first=owner_first)
        return word and replace(word, joined=True), positions

    monkeypatch.setattr(pair.SolverOracle, "verdict", lies)
    position, ends = _stone(4, 6, 3)
    answer = join(position, Color.BLACK, ends, seconds=5)

    assert answer.connection is None or check(position, Color.BLACK, answer.connection)
    assert not JoinGame(position, Color.BLACK, ends, position.empty).play().joined
    assert answer.connection is None or not answer.connection.is_full


def test_an_answer_does_not_depend_on_the_machine(monkeypatch):
    """A slow machine gives the same answer; only a time limit can change it."""
    position, ends = _stone(5, 10, 6)
    alone = join(position, Color.BLACK, ends)
    seconds = count(step=0.1)
    monkeypatch.setattr(pair, "now", lambda: next(seconds))
    busy = join(position, Color.BLACK, ends)

    assert busy == alone
    assert alone.joined
    assert join(position, Color.BLACK, ends, seconds=0.1).connection is None


def test_only_a_solver_that_is_used_is_prepared(monkeypatch):
    """Preparing a solver may compile kernels, and that time does not count."""
    prepare, seconds = pair.Solver.prepare, [0]

    def slowly(solver):
        prepare(solver)
        seconds[0] += 1000

    monkeypatch.setattr(pair.Solver, "prepare", slowly)
    monkeypatch.setattr(pair, "now", lambda: seconds[0])
    board, solvers = Board(11, 11), {}
    position, ends = Position.of(board, black="e5 g4"), (board.cell("e5"), board.cell("g4"))
    answer = join(position, Color.BLACK, ends, seconds=1, solvers=solvers)

    assert answer.connection.carrier.count() == 2
    assert [str(board) for board in solvers] == ["7x8"]
