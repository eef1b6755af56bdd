"""The winner that an analysis names is right, and a proof once found stays known."""

from types import SimpleNamespace

import naive_solve
import pytest
from analyses import answers
from hypothesis import given
from hypothesis import strategies as st
from strategies import early_positions, played_positions

import hsearch
from hsearch import formats
from hsearch.connect.connection import few_of, or_rule
from hsearch.connect.limits import Depth, Knowledge, Limits
from hsearch.formats import strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Ending, Outcome
from hsearch.hex.position import Position
from hsearch.strategy.check import check
from player.answers import memory as memory_module
from player.answers import solved as words
from player.answers.analysis import Analysis, budget
from player.answers.candidates import best_moves
from player.answers.limits import begin_analysis, options_of, solver_seconds
from player.answers.memory import Memory
from player.answers.position import PositionAnswer
from player.board.asked.position import graph
from player.board.desk import Desk
from player.board.records import GameQuestion, Record, record_object
from player.board.threads import BoardJob
from player.search.chances import Chance

BLACK, WHITE = Color
SMALL = Board(4, 4)


def of(text, side=5):
    return Game.of(Board(side, side), text.split()).position()


# Brute force caches a million positions, enough for 4x4 from four stones on.
@given(st.lists(played_positions(SMALL, least=4), min_size=2, max_size=8))
def test_brute_force_confirms_analyzed_winners(positions):
    """Brute force confirms each winner; the positions share one memory and its lemmas."""
    memory = Memory()
    for position in positions:
        for search in (0, 0.1):
            seen = Analysis(position, search=search, memory=memory)
            if search or seen.winner is not None:
                assert seen.winner is naive_solve.outcome(position)
            if seen.proved is not None and seen.proved.move is not None:
                assert naive_solve.outcome(position.play(seen.proved.move)) is seen.winner


def test_the_rules_are_tried_before_the_solver():
    position = of("c3")
    rules = Analysis(position, search=None, memory=Memory())
    seen = Analysis(position, memory=Memory())

    assert (rules.winner, rules.proof) == (BLACK, "full")
    assert (seen.winner, seen.proof, seen.proved.connection) == (
        BLACK,
        "full",
        rules.edge_fulls(BLACK)[0],
    )
    assert "solver" not in seen.seconds


def test_the_shipped_map_is_consulted(monkeypatch):
    position = of("b4", 7)
    assert Analysis(position, search=0, memory=Memory()).proof == "map"
    monkeypatch.setattr(memory_module, "chart_winner", lambda _position: None)
    assert Analysis(position, search=0, memory=Memory()).winner is None


def test_an_analysis_with_the_other_turn_finds_its_own_winner():
    position = of("a2 b2 a4 c3", 4)
    seen = Analysis(position, memory=Memory())
    other = seen.with_turn(position.turn.opponent)

    assert seen.winner is naive_solve.outcome(position)
    assert other.winner is naive_solve.outcome(other.position)
    assert other.memory is seen.memory


@given(
    early_positions(),
    st.sampled_from([Limits(K=2, greedy_union=False), Limits(M=2)]),
    st.sampled_from([Depth(0), Depth(1, 20)]),
    st.sampled_from([None, Outcome(BLACK, Ending.RESIGNED)]),
)
def test_answers_for_the_other_turn_equal_those_found_anew(position, limits, depth, ended):
    """Every answer for the other turn is that of a new analysis, whatever was computed before.

    Under these limits regions are often filled for one turn alone. Two memories have the same
    history, since a proof depends on earlier searches.
    """

    def analysis(position, memory, **swap):
        return Analysis(position, limits, depth, memory=memory, ended=ended, **swap)

    used, same = Memory(), Memory()
    seen = analysis(position, used, before_swap=True)
    seen.searched = Chance(0.25, "tree")
    _ = answers(seen), answers(analysis(position, same))
    other = seen.with_turn(position.turn.opponent)

    assert answers(other) == answers(analysis(other.position, same))
    assert other.circuits.position == other.position
    assert other.filled is None or other.filled.position.turn is other.position.turn


@given(early_positions((3, 5)), st.sampled_from([None, 0]))
def test_answers_with_another_end_equal_those_found_anew(position, search):
    """Every answer is that of a new analysis with this end, and a search is not forgotten."""
    ended = Outcome(BLACK, Ending.RESIGNED)
    seen = Analysis(position, search=search, memory=Memory())
    seen.searched = Chance(0.25, "tree")
    _ = answers(seen)
    anew = Analysis(position, search=search, memory=Memory(), ended=ended, before_swap=True)
    anew.searched = seen.searched

    assert answers(seen.with_end(ended, before_swap=True)) == answers(anew)


@pytest.mark.parametrize(
    ("black", "white", "limits"),
    [
        ("c5", "d4 d2", Limits()),
        ("b4 d2", "e2 a3", Limits(K=2, greedy_union=False)),
    ],
)
def test_changing_the_turn_recomputes_the_deductions(black, white, limits):
    """They depend on the regions, which may be filled for one turn alone."""
    position = Position.of(Board(5, 5), black=black.split(), white=white.split(), turn=BLACK)

    def analysis(position):
        return Analysis(position, limits, Depth(1, 50), memory=Memory())

    seen = analysis(position)
    _ = seen.deduced
    other = seen.with_turn(WHITE)
    fresh = analysis(other.position)
    for each in Color:
        assert other.edge_to_edge(each) == fresh.edge_to_edge(each)
    assert other.connected == fresh.connected


def test_more_seconds_or_fewer_empty_cells_give_more_tries():
    """A budget in seconds becomes a number of tries, fewer in the opening."""
    empty, small = Position.of(Board(11, 11)), Position.of(Board(7, 7))
    later = empty.play(60).play(61)

    assert budget(0.3, empty) < budget(0.3, later) < budget(0.3, small) < budget(0.6, small)


def end(text, size=9):
    return formats.read(f"(;FF[4]GM[11]SZ[{size}]{text})")


@pytest.mark.parametrize(
    ("text", "won_by", "by", "said"),
    [
        (";B[e5];W[c3];B[e3];W[resign]", BLACK, "resigned", "Black has won: White resigned."),
        ("RE[W+T];B[e5];W[c3];B[e3]", WHITE, "lost_on_time", "White has won: Black lost on time."),
        ("RE[B+F];B[e5];W[c3];B[e3]", BLACK, "forfeited", "Black has won: White forfeited."),
        ("RE[W+];B[e5];W[c3];B[e3]", WHITE, "record", "White has won: the record says so."),
    ],
)
def test_a_recorded_result_names_the_winner_without_proof(text, won_by, by, said):
    """The record's result names the winner of the game but proves nothing about the position."""
    game, memory = end(text), Memory()
    seen = Analysis(game, search=0, memory=memory)

    assert (seen.winner, seen.proof, seen.standing) == (won_by, by, None)
    assert words.verdict(seen) == said
    assert PositionAnswer.of(seen).to_json()["outcome"]["winner"] == won_by.word
    assert PositionAnswer.of(seen).subject == f"{won_by.title} has won"
    assert seen.with_turn(seen.position.turn.opponent).winner is won_by
    assert memory.recall(seen.position) is None
    before = Analysis(game.cut(2), search=0, memory=memory)
    assert (before.ended, before.winner) == (None, None)
    with pytest.raises(ValueError, match="not proved"):
        seen.written_proof()


def test_a_player_who_resigns_a_won_game_loses():
    """A resignation overrides the proved winner of the position; a chain overrides the record."""
    seen = Analysis(end(";B[c3];W[a1];B[resign]", 5), memory=Memory())
    joined = Analysis(end("RE[W+R];B[a1];W[b1];B[a2];W[b2]", 2), memory=Memory())

    assert (seen.winner, seen.standing.winner) == (WHITE, BLACK)
    assert words.verdict(seen).startswith("White has won: Black resigned. Proved: Black")
    assert words.proof_of(seen) is None
    assert (joined.winner, joined.proof, joined.ended.winner) == (BLACK, "chain", WHITE)


def test_a_record_of_setup_alone_has_not_ended():
    assert Analysis(end("RE[B+R]AB[e5]AW[c3]PL[B]"), search=0, memory=Memory()).winner is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least", "won_by"), [("queenbee-hexy", 24, BLACK), ("hexy-queenbee", 37, WHITE)]
)
def test_analyze_review_and_graph_agree_on_each_london_position(london_review, name, least, won_by):
    """`analyze` of each position, a quick review and the board's graph name the same winners.

    All name the winner from the turning point on, and no winner before it.
    """
    reviewed = london_review(f"london-2000-{name}")
    game = reviewed.game
    positions = [game.position(moves) for moves in range(len(game.moves) + 1)]
    expected = [None] * least + [won_by] * (len(positions) - least)
    desk, shown = Desk(record_object(Game(game.board))), []
    graph(
        desk,
        BoardJob(shown.append),
        GameQuestion(strict.read(strict.write(record_object(game)), Record)),
    )

    assert [state.winner for state in reviewed.states] == expected
    assert reviewed.turning_point == least
    assert [row["winner"] for row in shown] == [won and won.word for won in expected]
    assert [Analysis(position, memory=Memory()).winner for position in positions] == expected


def test_a_template_that_uses_a_chain_at_the_edge_is_explained():
    """d1 joins west through d2, which touches east; this once raised StopIteration."""
    game = formats.read("(;FF[4]GM[11]SZ[5]AB[a4][d5]AW[d2][e3][d4]PL[W])")
    analysis = Analysis(game, memory=Memory())
    told = str(hsearch.explain(analysis))

    assert told.startswith("White joins west and east inside 15 empty cells by moving first, at d1")
    assert "d1 to west" in told
    assert best_moves(analysis, 0).winner is WHITE


def test_a_full_missed_by_the_limited_or_rule_is_found():
    """With K=2, OR joins no three semis that meet pairwise; the full is found all the same."""
    text = "(;FF[4]GM[11]SZ[6]AB[c1][d1][f3][c5]AW[c3][d4][a5][f5]PL[B])"
    limits = Limits(K=2, greedy_union=False)
    analysis = Analysis(formats.read(text), limits, search=None, memory=Memory())
    (full,) = analysis.edge_fulls("white")

    assert not analysis.stores[WHITE].edge_fulls
    assert (analysis.winner, analysis.proof) == (WHITE, "full")
    assert analysis.mustplay.is_lost
    assert check(analysis.position, WHITE, full) > 0
    assert "White joins west and east" in str(hsearch.explain(analysis))


def test_semis_of_rules_and_filled_board_combine_to_a_full():
    """A proof may combine semis of the rules and of the filled board, here split by stand-ins."""
    text = "(;FF[4]GM[11]SZ[6]AB[c1][d1][f3][c5]AW[c3][d4][a5][f5]PL[B])"
    limits = Limits(K=2, greedy_union=False)
    seen = Analysis(formats.read(text), limits, search=None, memory=Memory())
    *most, last = few_of(seen.stores[WHITE].edge_semis)
    nothing = {"edge_fulls": [], "has_chain": False}
    shares = [
        {color: SimpleNamespace(edge_semis=semis, **nothing) for color in Color}
        for semis in (most, [last])
    ]
    by_rules, on_filled = shares
    assert all(or_rule(*share[WHITE].edge_semis) is None for share in shares)
    for share in shares:
        share[Color.BLACK].edge_semis = []
    analysis = Analysis(
        formats.read(text), limits, knowledge=Knowledge.LOCAL, search=None, memory=Memory()
    )
    analysis.turnless.stores = by_rules
    analysis.turnless.filled = SimpleNamespace(stores=on_filled, real=lambda _, semi: semi)
    (full,) = analysis.edge_fulls("white")

    assert check(analysis.position, WHITE, full) > 0
    assert analysis.connected.winner is WHITE
    assert analysis.mustplay.is_lost


def test_two_threads_lose_no_semi_of_the_filled_board():
    """Pages share an analysis: one may list the semis while another restores them."""
    text = "(;FF[4]GM[11]SZ[6]AB[c1][d1][f3][c5]AW[c3][d4][a5][f5]PL[B])"
    seen, analysis = (
        Analysis(formats.read(text), knowledge=Knowledge.LOCAL, search=None, memory=Memory())
        for _ in range(2)
    )
    semis = seen.stores[WHITE].edge_semis or seen.stores[BLACK].edge_semis
    others = [lambda: analysis.edge_connection(WHITE)]

    def real(_color, semi):
        """Restore a semi while another thread asks for the first one."""
        if others:
            others.pop()()
        return semi

    nothing = {"edge_fulls": [], "edge_semis": [], "has_chain": False}
    analysis.turnless.stores = {color: SimpleNamespace(**nothing) for color in Color}
    on_filled = {WHITE: SimpleNamespace(**nothing | {"edge_semis": semis})}
    analysis.turnless.filled = SimpleNamespace(stores=on_filled, real=real)
    told = [semi.key for semi in analysis.edge_semis(WHITE)]

    assert len(semis) > 1
    assert told == [semi.key for semi in semis]


@pytest.mark.parametrize(
    ("given", "most", "for_pairs"), [(None, None, 2.0), (0.0, None, 0.0), (5.0, 5.0, 5.0)]
)
def test_a_time_of_0_means_no_limit_and_that_nothing_else_is_asked(given, most, for_pairs):
    """The options have no limit of 0 seconds, with which a search would end at once."""
    options = options_of({}, seconds=given)

    assert (options.seconds, solver_seconds(options)) == (most, for_pairs)
    assert options.is_alone is (given == 0)
    assert begin_analysis(options, of("c3")).options.seconds == most
