"""The structure of an explanation is a proof, and its text is short."""

from dataclasses import replace
from itertools import pairwise

import naive_solve
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from london import GAMES, game
from naive import holds
from strategies import limits, positions
from test_strategy import hexys

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection
from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from hsearch.strategy import words
from hsearch.strategy.explain import explain, shape
from hsearch.strategy.missing import PlayVerdict, missing, play_out
from hsearch.strategy.reply import follow, reply

TEMPLATES = {
    entry.id: entry for entry in suite.read(formats.find_shipped("templates/edge.txt").read_text())
}


def leads(parts, x, y):
    """Check that parts connect x to y and share no cell; return all cells."""
    assert parts[0].start == x
    assert parts[-1].goal == y
    assert all(part.goal == after.start for part, after in pairwise(parts))
    cells = [cell for part in parts for cell in part.full.carrier.search(1)]
    assert len(cells) == len(set(cells))
    return set(cells)


def is_proof(why):
    """Check that every intrusion has an answer, in the whole and in each argument."""
    connection = why.connection
    key = {connection.key} - {None}
    used = {part.argument for part in why.parts}

    assert leads(why.parts, *connection.ends) | key == set(connection.carrier.search(1))
    for number, argument in enumerate(why.arguments, start=1):
        assert argument.number == number
        left = set(argument.full.carrier.search(1))
        for case in argument.cases:
            cells = leads(case.parts, *argument.full.ends) | {case.key}
            assert cells == set(case.threat.carrier.search(1))
            assert set(case.on.search(1)) == left - set(case.threat.carrier.search(1))
            assert all(reply(argument.full, cell).cell == case.key for cell in case.on.search(1))
            left -= set(case.on.search(1))
            assert left == set(case.left.search(1))
            used |= {part.argument for part in case.parts}
        assert not left
    assert used - {None} == set(range(1, len(why.arguments) + 1))
    assert len({argument.full for argument in why.arguments}) == len(why.arguments)
    start = follow(why.position, why.color, connection)
    played = {cell: start.intrude(cell).reply for cell in start.carrier.search(1)}
    assert dict(why.replies) == {
        cell: answer for cell, answer in played.items() if answer is not None
    }


@given(positions(max_side=5, stones=".....BW"), limits(), st.data())
def test_an_explanation_is_a_proof(position, limits, data):
    """For any connection, parts are disjoint, cases complete, and replies as played."""
    color = data.draw(st.sampled_from(Color))
    found = sorted(
        closure(position, color, limits), key=lambda c: (-c.carrier.count(), c.ends, c.is_full)
    )[:40]
    if found:
        is_proof(explain(position, color, data.draw(st.sampled_from(found))))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("before_the_end", [10, 5, 0])
def test_hexys_connections_are_explained(name, before_the_end):
    """Explanations over ten cases deep, from real games, are proofs."""
    is_proof(explain(*hexys(name, len(game(name).moves) - before_the_end)))


@pytest.mark.slow
def test_a_repeated_argument_is_stated_once():
    """Repeated arguments in the middle of a game are stated once."""
    again = 0
    position = game("london-2000-hexy-queenbee").position(41)
    for color in Color:
        store = closure(position, color)
        for connection in [*store][::40] + store.edge_fulls:
            why = explain(position, color, connection)
            is_proof(why)
            parts = [*why.parts, *(p for a in why.arguments for c in a.cases for p in c.parts)]
            references = [part.argument for part in parts if part.argument is not None]
            again += len(references) > len(why.arguments)

    assert again > 5


def from_template(name, transform):
    """Return a template transformed on 12x12, with its connection."""
    entry, board = TEMPLATES[name], Board(12, 12)
    position = entry.game.position()
    small = position.board

    def placed(cells):
        places = (small.column_and_row(cell) for cell in cells.search(1))
        return [transform(board, board.at(c + 2, r + 12 - small.rows)) for c, r in places]

    stones = placed(position.black)
    (stone,) = placed(entry.cells("stone"))
    carrier = placed(entry.cells("carrier"))
    return board, stone, stones, board.only(*carrier)


def reverse(board, cell):
    """Return a cell mirrored along the south edge."""
    column, row = board.column_and_row(cell)
    return board.at((board.columns - 1 - column) + (board.rows - 1 - row) - 3, row)


def rotate(board, cell):
    return board.rotate(cell)


def there(_board, cell):
    return cell


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("turn", [there, rotate])
@pytest.mark.parametrize("flip", [there, reverse])
@pytest.mark.parametrize("color", Color)
def test_templates_are_named_in_every_orientation_and_color(name, turn, flip, color):
    """They are named at either edge, mirrored along it, and for White; not with a cell less."""
    board, stone, stones, carrier = from_template(name, lambda b, c: turn(b, flip(b, c)))
    edge = board.edges(Color.BLACK)[turn is there]
    if color is Color.WHITE:
        stone, edge = map(board.transpose, (stone, edge))
        stones = [board.transpose(cell) for cell in stones]
        carrier = board.only(*map(board.transpose, carrier.search(1)))
    owned = board.only(*stones)
    both = (owned, board.only()) if color is Color.BLACK else (board.only(), owned)
    position = Position(board, *both)
    captain = min(stones)
    full = Connection(captain, edge, carrier)
    less = Connection(captain, edge, carrier & ~board.only(next(carrier.search(1))))

    assert shape(full, position, color) == name
    assert shape(less, position, color) is None
    assert stone in stones


def test_a_template_lacks_its_name_when_a_stone_is_missing():
    """dk4-8 needs all its three stones."""
    board, stone, stones, carrier = from_template("dk4-8", there)
    full = Connection(stone, board.edges(Color.BLACK)[1], carrier)

    assert shape(full, Position(board, board.only(*stones), board.only()), Color.BLACK) == "dk4-8"
    alone = Position(board, board.only(stone), board.only())
    assert shape(full, alone, Color.BLACK) is None


def test_two_cells_are_a_bridge_if_they_touch():
    """Two cells that are not adjacent are an either-or."""
    board = Board(3, 3)
    position = Position.of(board, black="b1")
    bridge, either = board.named("a2 b2"), board.named("a2 c1")

    assert shape(Connection(1, 6, bridge), position, Color.BLACK) == "bridge"
    assert shape(Connection(1, 6, either), position, Color.BLACK) == "either"


@given(positions(max_side=3, stones="...BW"), st.data())
def test_playing_out_agrees_with_brute_force(position, data):
    """Verdict, intrusion and carrier agree, for any two points and any cells between them."""
    color = data.draw(st.sampled_from(Color))
    board = position.board
    free = [*position.empty.search(1)]
    points = [*position.stones(color).search(1), *board.edges(color), *free]
    x, y = sorted(data.draw(st.permutations(points))[:2])
    cells = board.only(*(cell for cell in free if cell not in (x, y)))
    named = list(cells.search(1))
    outcome = play_out(position, color, (x, y), cells, 10_000)
    ends = captain_of(position, color, x), captain_of(position, color, y)

    def owner_second(left, position=position):
        return ends[0] == ends[1] or holds(
            position, color, Connection(*ends, board.only(*left), None)
        )

    assert (outcome.verdict is PlayVerdict.HOLDS) == owner_second(named)
    if outcome.verdict is PlayVerdict.HOLDS:
        assert owner_second(list(outcome.carrier.search(1)))
    elif outcome.intrusion is not None:
        left = [cell for cell in named if cell != outcome.intrusion]
        for answer in left:
            rest = [cell for cell in left if cell != answer]
            semi = Connection(*ends, board.only(answer, *rest), answer)
            assert not holds(position, color, semi)


def captain_of(position, color, point):
    """Return the captain of a point."""
    return closure(position, color).captain(point)


def test_a_spent_budget_decides_nothing():
    """The search stops after the allowed number of positions."""
    position = Position.of(Board(6, 6))
    outcome = play_out(position, Color.BLACK, (36, 37), position.empty, 10)

    assert (outcome.verdict, outcome.positions) == (PlayVerdict.UNKNOWN, 10)


def test_too_many_cells_are_not_played_out():
    """The limit is the number of bits of a kernel's word."""
    position = Position.of(Board(9, 9))
    outcome = play_out(position, Color.BLACK, position.board.edges(Color.BLACK), position.empty)

    assert (outcome.verdict, outcome.positions) == (PlayVerdict.UNKNOWN, 0)


def test_a_join_that_fails_even_moving_first_has_no_intrusion():
    """Two cells on the way must be filled, so no single intrusion cuts it."""
    position = Position.of(Board(3, 3), white="a1 a2 a3 c1 c2")
    cells = position.board.named("b1 b2")
    outcome = play_out(position, Color.BLACK, position.board.edges(Color.BLACK), cells)

    assert (outcome.verdict, outcome.intrusion) == (PlayVerdict.REFUTED, None)


@pytest.mark.parametrize(
    ("name", "verdict", "beyond"), [("dk4-3", "holds", None), ("dk4-8", "refuted", "holds")]
)
def test_templates_that_the_rules_miss_are_played_out(name, verdict, beyond):
    """The rules know only semis of these two true templates."""
    entry = TEMPLATES[name]
    position = entry.game.position()
    stone = next(entry.cells("stone").search(1))
    found = missing(position, closure(position, Color.BLACK), stone, position.board.point("south"))

    assert found.outcome.verdict == verdict
    assert (found.beyond and found.beyond.verdict) == beyond
    assert (found.beyond or found.outcome).carrier == entry.cells("carrier")


def test_cells_are_named_only_where_they_are_known():
    """The solver proves that points are joined, but not by which cells."""
    position = TEMPLATES["dk4-8"].game.position()
    stone, south = position.board.cell("b2"), position.board.point("south")
    played = missing(position, closure(position, Color.BLACK), stone, south)
    solved = replace(played, beyond=replace(played.beyond, carrier=position.board.only()))
    told, short = (
        " ".join(words.shortfall(found, position, Color.BLACK, ("b2", "south")))
        for found in (played, solved)
    )

    count = f"({played.beyond.positions:,} positions)"
    assert f"it holds all the same {count}: Black needs a3 b3 c3 d3 a4 b4 c4 a5 b5 c5." in told
    assert short.endswith(f"it holds all the same {count}.")


def test_position_counts_have_thousands_separators():
    """Numbers have thousands separators, as in all hosts."""
    position = TEMPLATES["dk4-8"].game.position()
    stone, south = position.board.cell("b2"), position.board.point("south")
    played = missing(position, closure(position, Color.BLACK), stone, south)
    longer = replace(played, beyond=replace(played.beyond, positions=1234))
    said = " ".join(words.shortfall(longer, position, Color.BLACK, ("b2", "south")))

    assert "(1,234 positions)" in said


def test_a_missing_connection_has_semis_and_a_refutation():
    """A white stone breaks the bridge: the key is also the intrusion."""
    position = Position.of(Board(3, 3), black="b1", white="a2 c2")
    board = position.board
    store = closure(position, Color.BLACK)
    found = missing(position, store, board.cell("b1"), board.point("south"))

    assert [board.names(semi.carrier) for semi in found.semis] == [["b2", "a3", "b3"]]
    assert board.names(found.common) == ["b2", "a3", "b3"]
    assert found.outcome.verdict is PlayVerdict.REFUTED
    assert board.name(found.outcome.intrusion) == "b2"


def test_without_a_semi_the_shortest_path_is_reported():
    """The shortest path over connections, across the empty board, gives the missing moves."""
    position = Position.of(Board(9, 9), black="e5", turn=Color.WHITE)
    board = position.board
    found = missing(position, closure(position, Color.WHITE), *board.edges(Color.WHITE))

    assert found.semis == ()
    assert found.outcome is None
    assert found.is_open
    assert {end for link in found.way for end in link.ends} >= set(board.edges(Color.WHITE))


@given(positions(3), st.sampled_from(Color))
def test_more_than_one_missing_move_is_reported_only_if_true(position, color):
    """The count is right whatever the limits exclude, and wherever the store has no semi."""
    store = closure(position, color, Limits(M=1, semis=1, K=1, steps=1))
    ends = position.board.edges(color)
    assume(not store.semis(*ends) and not store.fulls(*ends))
    assume(winner(position) is not color)
    found = missing(position, store, *ends)
    said = " ".join(words.shortfall(found, position, color, tuple(map(position.board.name, ends))))
    wins_moving_first = naive_solve.outcome(replace(position, turn=color)) is color

    assert found.is_cut == (winner(position) is color.opponent)
    assert (found.is_cut or "more than one move is missing" in said) != wins_moving_first
    assert ("Nothing can join" in said) == found.is_cut
    assert not (found.is_cut and "more than one move is missing" in said)


def test_a_semi_found_by_other_means_is_accepted():
    """A semi found by other means counts, even if a limited store lacks it."""
    position = Position.of(Board(3, 3), black="b1", white="a2 c2")
    board = position.board
    (known,) = closure(position, Color.BLACK).semis(board.cell("b1"), board.point("south"))
    stingy = closure(position, Color.BLACK, Limits(steps=1))
    ends = board.cell("b1"), board.point("south")

    assert missing(position, stingy, *ends).semis == ()
    assert missing(position, stingy, *ends, fallback=known).semis == (known,)


def test_the_explanation_of_a_ziggurat():
    """A named shape is still explained when it is itself the question."""
    entry = TEMPLATES["ziggurat"]
    position = entry.game.position()
    board = position.board
    (full,) = closure(position, Color.BLACK).fulls(board.cell("c2"), board.point("south"))
    why = explain(position, Color.BLACK, full)
    lines = [*words.summary(why)]
    for argument in why.arguments:
        lines += [words.heading(why, argument), *words.cases(why, argument)]

    assert lines == [
        "Black joins c2 and south, even if White moves first, inside 8 empty cells.",
        "1. c2 to south (ziggurat), in d2 b3 c3 d3 a4 b4 c4 d4:",
        "Black threatens b4: c2-b4 bridge b3 c3; b4-south. White must play on b3 c3 b4.",
        "On c3: Black b3: c2-b3; b3-south bridge a4 b4. Left: b3 b4.",
        "On b3 b4: Black d3: c2-d3 bridge d2 c3; d3-south bridge c4 d4.",
    ]
