"""One object knows who wins: what it says is true, and what was proved once stays known."""

from dataclasses import replace

import naive_solve
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsearch import formats
from hsearch.board import Board, Color
from hsearch.game import Game
from hsearch.position import Position, winner
from player.answers import Analysis, Memory
from player.answers import memory as memory_module
from player.answers.memory import Proved, positions_in
from player.solve import ProvedPart, verify

BLACK, WHITE = Color
SMALL = Board(4, 4)


@st.composite
def played(draw, board=SMALL):
    """Return a position after some moves by chance, of a game that is not over."""
    position = Position.of(board)
    for cell in draw(st.permutations(board.cells))[: draw(st.integers(0, board.size - 2))]:
        after = position.play(cell)
        if winner(after) is not None:
            break
        position = after
    return position


def of(text, side=5):
    return Game.of(Board(side, side), text.split()).position()


@given(st.lists(played(), min_size=2, max_size=8))
def test_what_is_known_is_true(positions):
    """Of positions one after the other, so that memory and lemmas take part; by brute force."""
    memory = Memory()
    for position in positions:
        for search in (0, 0.1):
            seen = Analysis(position, search=search, memory=memory)
            if search or seen.winner is not None:
                assert seen.winner is naive_solve.outcome(position)
            if seen.proved is not None and seen.proved.move is not None:
                assert naive_solve.outcome(position.play(seen.proved.move)) is seen.winner


def test_the_rules_are_asked_first_and_without_a_search_alone():
    position = of("c3")
    rules = Analysis(position, search=None, memory=Memory())
    seen = Analysis(position, memory=Memory())

    assert (rules.winner, rules.proof) == (BLACK, "full")
    assert (seen.winner, seen.proof, seen.proved.connection) == (BLACK, "full", seen.proving)
    assert "solver" not in seen.seconds


def test_what_one_host_has_proved_all_know():
    """A search of any length serves whoever asks next, in no time."""
    position, memory = of("b4 c3", 6), Memory()
    assert Analysis(position, search=0, memory=memory).winner is None
    with memory.solver(position.board) as solver:
        won_by = solver.solve(position).winner
    seen = Analysis(position, search=0, memory=memory)

    assert seen.winner is won_by
    assert seen.proof == "memory"
    assert Analysis(position, search=0, memory=Memory()).winner is None


def test_a_lemma_decides_positions_that_were_never_met():
    """Another stone of the winner changes the position and not who wins."""
    position, memory = of("b4 c3", 6), Memory()
    with memory.solver(position.board) as solver:
        won_by = solver.solve(position).winner
    for cell in list(position.empty.search(1))[::5]:
        own = position.stones(won_by) | position.board.only(cell)
        more = replace(position, **{won_by.word: own})
        assert memory.known(more).winner is won_by, position.board.name(cell)


def test_a_search_in_vain_is_not_made_again_unless_somebody_searched_longer():
    position, memory = of("a7 d4", 7), Memory()
    asked = []
    with memory.solver(position.board) as solver:
        solve = solver.solve

        def counted(position, **budget):
            asked.append(budget["nodes"])
            return solve(position, **budget)

        solver.solve = counted
    assert memory.ask(position, 3) is None
    assert memory.ask(position, 3) is None
    assert asked == [3]
    assert memory.ask(position, 4) is None
    assert asked == [3, 4]
    with memory.solver(position.board):
        solve(of("d4", 7), nodes=5)
    memory.ask(position, 4)
    assert asked == [3, 4, 4]


def test_facts_are_bounded_and_the_eldest_go_first():
    memory = Memory(fact_bytes=10_000)
    positions = [Position.of(SMALL).play(cell) for cell in SMALL.cells]
    for position in positions:
        memory.keep(position, Proved(BLACK, "search", 0))
    kept = [position for position in positions if memory._fact(position) is not None]  # noqa: SLF001

    assert kept == positions[-9:]


def test_a_proof_of_what_is_known_verifies():
    """By search, or by a proof that was read: each is derived again."""
    position, memory = of("b4 c3", 6), Memory()
    proved = memory.ask(position, 10_000)
    shown = verify(memory.proof(position))
    assert (shown.position, shown.winner) == (position, proved.winner)

    other = Memory()
    other.read(ProvedPart(shown.start, shown.winner, shown.carrier))
    assert other.known(position).winner is proved.winner
    assert verify(other.proof(position)).winner is proved.winner
    with pytest.raises(ValueError, match="not proved"):
        Memory().proof(position)


def test_a_wrong_claim_gives_no_proof():
    """What somebody said is never written down without a derivation."""
    position, memory = of("c3"), Memory()
    memory.keep_win(position, WHITE, None)

    assert verify(memory.proof(position)).winner is BLACK


def test_the_shipped_map_is_asked(monkeypatch):
    position = of("b4", 7)
    assert Analysis(position, search=0, memory=Memory()).proof == "map"
    monkeypatch.setattr(memory_module, "known_winner", lambda _position: None)
    assert Analysis(position, search=0, memory=Memory()).winner is None


def test_another_turn_is_another_question():
    position = of("a2 b2 a4 c3", 4)
    seen = Analysis(position, memory=Memory())
    other = seen.with_turn(position.turn.opponent)

    assert seen.winner is naive_solve.outcome(position)
    assert other.winner is naive_solve.outcome(other.position)
    assert other.memory is seen.memory


def test_seconds_are_positions():
    assert positions_in(0.3, Board(11, 11)) < positions_in(0.3, Board(7, 7))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least", "won_by"), [("queenbee-hexy", 26, BLACK), ("hexy-queenbee", 37, WHITE)]
)
def test_london_is_known_from_the_turning_point_on(name, least, won_by):
    """Each position by itself, as a command does that is asked about it alone."""
    game = formats.read(formats.shipped(f"games/london-2000-{name}.sgf").read_bytes())
    for moves in range(least, len(game.moves), 4):
        assert Analysis(game.position(moves), memory=Memory()).winner is won_by, moves
