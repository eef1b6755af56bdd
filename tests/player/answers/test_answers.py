"""The winner that an analysis names is right, and a proof once found stays known."""

import lzma
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import naive_solve
import numpy as np
import pytest
import reviewed_games
from analyses import answers
from hypothesis import given
from hypothesis import strategies as st
from strategies import early_positions, played_positions

import hsearch
from hsearch import formats
from hsearch.connect.connection import few_of, or_rule
from hsearch.connect.deduction import Depth
from hsearch.connect.knowledge import Knowledge
from hsearch.connect.limits import Limits
from hsearch.formats import strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Ending, Outcome
from hsearch.hex.position import Position
from hsearch.strategy.check import check
from player.answers import analysis as words
from player.answers import memory as memory_module
from player.answers.candidates import best_moves
from player.answers.knowledge import Analysis
from player.answers.memory import MEMORY, Memory, Proved, Source, budget
from player.answers.objects import position_object
from player.board.asked.position import graph
from player.board.asked.solving import SolveQuestion, solve
from player.board.desk import Desk
from player.board.records import GameQuestion, PositionObject, Record, record_object
from player.board.threads import BoardJob
from player.search.chances import Chance
from player.solve.proof import ProvedPart
from player.solve.verify import verify
from player.study.examine import review_game
from player.study.review import EFFORTS

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


def test_a_solved_position_is_answered_from_memory():
    """A position that one caller has solved is answered from memory, without a search."""
    position, memory = of("b4 c3", 6), Memory()
    assert Analysis(position, search=0, memory=memory).winner is None
    with memory.solver(position.board) as solver:
        won_by = solver.solve(position).winner
    seen = Analysis(position, search=0, memory=memory)

    assert seen.winner is won_by
    assert seen.proof == "memory"
    assert Analysis(position, search=0, memory=Memory()).winner is None


def test_a_lemma_decides_positions_that_were_never_met():
    """Adding a stone of the winner changes the position but not the winner."""
    position, memory = of("b4 c3", 6), Memory()
    with memory.solver(position.board) as solver:
        won_by = solver.solve(position).winner
    for cell in list(position.empty.search(1))[::5]:
        own = position.stones(won_by) | position.board.only(cell)
        more = replace(position, **{won_by.word: own})
        assert memory.known(more).winner is won_by, position.board.name(cell)


def test_a_failed_search_is_repeated_only_after_a_longer_one():
    position, memory = of("a7 d4", 7), Memory()
    asked = []
    with memory.solver(position.board) as solver:
        solve = solver.solve

        def counted(position, **budget):
            asked.append(budget["tries"])
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


def test_reading_a_proof_waits_for_a_short_search():
    """Reading a proof waits for a short search, which would drop the new lemma if it failed."""
    position, memory = of("b4 c3", 6), Memory()
    part = ProvedPart(position, WHITE, position.board.only(*position.empty.search(1)))
    Memory().read(part)  # compile the kernels first
    reading = Thread(target=memory.read, args=(part,))
    with memory._free_solver(position.board) as solver:  # noqa: SLF001
        reading.start()
        reading.join(1)
        assert reading.is_alive()
        assert not solver.lemmas
    reading.join(60)

    assert solver.lemmas
    reading = Thread(target=memory.read, args=(part,))
    with memory.solver(position.board):  # reading does not wait for a long search
        reading.start()
        reading.join(60)
        assert not reading.is_alive()


def stones(game):
    return PositionObject(**position_object(game.position()))


ASKED = {
    "moves": lambda game: best_moves(Analysis(game.position()), 0),
    "quick": lambda game: review_game(game, EFFORTS["quick"], memory=MEMORY),
    "deep": lambda game: review_game(game, EFFORTS["deep"], memory=MEMORY),
    "solve": lambda game: solve(
        Desk(record_object(game)), BoardJob(lambda _told: None), SolveQuestion(stones(game))
    ),
}


@contextmanager
def busy(board, memory=MEMORY):
    """Let another thread hold the solver of a board."""
    begun, over = Event(), Event()

    def search():
        with memory.solver(board):
            begun.set()
            over.wait()

    with ThreadPoolExecutor(2) as pool:
        pool.submit(search)
        begun.wait()
        try:
            yield pool
        finally:
            over.set()


@pytest.mark.parametrize("asked", ASKED)
def test_no_thread_waits_for_a_long_search(asked):
    """A thread never waits for a long search, when it could neither serve others nor stop."""
    game = Game.of(Board(5, 5), ["c3", "b2", "d2", "e4"])
    with busy(game.board) as pool:
        answer = pool.submit(ASKED[asked], game).result(timeout=60)
    assert answer


@pytest.mark.parametrize(
    "asked",
    [
        lambda memory, position: memory.proof(position),
        lambda memory, position: (
            memory.read(ProvedPart(position, WHITE, position.board.only(*position.empty.search(1))))
            or "read"
        ),
    ],
    ids=["proof", "read"],
)
def test_no_proof_waits_for_a_long_search(asked):
    """Neither writing a proof nor reading one waits for a long search."""
    position, memory = of("b4 c3", 5), Memory()
    with busy(position.board, memory) as pool:
        assert pool.submit(asked, memory, position).result(timeout=60)


def test_results_found_during_a_long_search_are_stored():
    """A position solved during a long search is known at once and not searched again."""
    game = Game.of(Board(6, 6), ["b4", "c3"])
    desk, job = Desk(record_object(game)), BoardJob(lambda _told: None)
    with busy(game.board) as pool:

        def asked(question, *fields):
            return pool.submit(question, desk, job, *fields).result(timeout=60)

        first = asked(solve, SolveQuestion(stones(game)))
        again = asked(solve, SolveQuestion(stones(game)))
    after = solve(desk, job, SolveQuestion(stones(game)))

    assert first["solved"]["nodes"] > 0
    assert again["solved"]["nodes"] == after["solved"]["nodes"] == 0
    with MEMORY.solver(game.board) as solver:
        before = solver.nodes
        assert verify(MEMORY.proof(game.position())).winner.word == first["solved"]["winner"]
        assert solver.nodes == before


def test_a_proof_missed_while_the_solver_is_busy_is_found_later():
    """A lookup while the solver is busy finds no proof; the next lookup finds it."""
    position, memory = of("b4 c3", 6), Memory()
    assert memory.ask(position, 3) is None
    with memory.solver(position.board) as solver, ThreadPoolExecutor(1) as pool:
        won_by = solver.solve(position).winner
        assert pool.submit(memory.known, position).result(timeout=60) is None

    assert memory.known(position).winner is won_by


def test_a_position_decided_by_another_solver_is_found():
    """A position decided by a second solver is found, although an earlier lookup failed."""
    position, memory = of("b4 c3", 6), Memory()
    assert memory.ask(position, 3) is None
    assert memory.known(position) is None
    with busy(position.board, memory) as pool:
        proof = pool.submit(memory.proof, position).result(timeout=60)

    assert memory.known(position).winner is verify(proof).winner


def test_a_failed_search_overwrites_no_proof():
    """A failed search returns and keeps a proof that another thread found meanwhile."""
    position, memory = of("a7 d4", 7), Memory()
    with memory.solver(position.board) as solver:
        search = solver.solve

        def solved(position, **budget):
            memory.keep_win(position, BLACK, None)
            return search(position, **budget)

        solver.solve = solved

    assert memory.ask(position, 3).winner is BLACK
    assert memory.stored(position).winner is BLACK


def test_a_search_counts_as_long_after_another_one_ends():
    """A long search still counts as long when one with an evicted solver ends."""
    position, memory, first = of("b4 c3", 5), Memory(), ExitStack()
    first.enter_context(busy(position.board, memory))
    for side in (3, 4):
        with memory.solver(Board(side, side)):
            pass
    with busy(position.board, memory) as pool:
        first.close()
        assert pool.submit(memory.ask, position, 10**9).result(timeout=60)


def test_an_answer_known_without_a_search_names_its_source():
    """An answer known without a search names its source, as in Analyze and `hsearch solve`."""
    game, desk = Game.of(Board(6, 6), ["b4", "c3"]), Desk(record_object(Game(SMALL)))
    ask = partial(solve, desk, BoardJob(lambda _told: None))
    count = re.compile(r"[.] (\d+ positions) in [0-9.]+ s[.]$").search(
        ask(SolveQuestion(stones(game)))["said"]
    )
    known = Analysis(game.position()).proved.words
    assert ask(SolveQuestion(stones(game)))["said"].endswith(
        f". Known without a search, by {known}."
    )
    assert known == f"the solver, {count[1]}"
    [win, *_] = ask(SolveQuestion(stones(game)))["solved"]["winning_moves"]
    for _ in range(2):  # first from the solver, then from memory
        after = ask(SolveQuestion(stones(Game.of(game.board, ["b4", "c3", win]))))
        assert after["solved"]["nodes"] == 0
        assert after["said"].endswith("Known without a search, by what was proved before.")
    won = Game.of(Board(2, 2), ["a1", "b1", "a2"])
    assert ask(SolveQuestion(stones(won)))["said"].endswith(
        "Known without a search, by a chain of stones."
    )


def test_facts_are_bounded_and_the_oldest_are_dropped_first():
    memory = Memory(fact_bytes=10_000)
    positions = [Position.of(SMALL).play(cell) for cell in SMALL.cells]
    for position in positions:
        memory.keep(position, Proved(BLACK, Source.SEARCH))
    kept = [position for position in positions if memory._fact(position) is not None]  # noqa: SLF001

    assert kept == positions[-9:]


def test_the_proof_of_a_known_winner_verifies():
    """The proof of a known winner verifies, whether a search or a proof that was read gave it."""
    position, memory = of("b4 c3", 6), Memory()
    proved = memory.ask(position, 1_000_000_000)
    shown = verify(memory.proof(position))
    assert (shown.position, shown.winner) == (position, proved.winner)

    other = Memory()
    other.read(ProvedPart(shown.start, shown.winner, shown.carrier))
    assert other.known(position).winner is proved.winner
    assert verify(other.proof(position)).winner is proved.winner
    with pytest.raises(ValueError, match="not proved"):
        Analysis(position, search=0, memory=Memory()).written_proof()


def test_a_wrong_claim_gives_no_proof():
    """A wrong winner in memory never gets into a proof: the proof is derived anew."""
    position, memory = of("c3"), Memory()
    memory.keep_win(position, WHITE, None)

    assert verify(memory.proof(position)).winner is BLACK


def test_the_shipped_map_is_consulted(monkeypatch):
    position = of("b4", 7)
    assert Analysis(position, search=0, memory=Memory()).proof == "map"
    monkeypatch.setattr(memory_module, "known_winner", lambda _position: None)
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


def places(board, generator, least, most):
    """Yield random positions of a board, with stones of both players and either to move."""
    while True:
        count = int(generator.integers(least, most + 1))
        cells = list(map(int, generator.permutation(board.size)[:count]))
        half = count // 2
        turn = (BLACK, WHITE)[generator.integers(2)]
        yield Position(board, board.only(*cells[:half]), board.only(*cells[half:]), turn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "stones", "count"), [(4, 4, (5, 9), 2000), (5, 4, (9, 13), 1000)]
)
def test_brute_force_confirms_recalled_winners(columns, rows, stones, count):
    """Brute force confirms each winner in thousands of random positions with one memory.

    Every third position is searched briefly; the others are recalled or stay open.
    """
    board, memory, ways = Board(columns, rows), Memory(), Counter()
    generator = np.random.default_rng(columns)
    for number, position in enumerate(islice(places(board, generator, *stones), count)):
        proved = memory.ask(position, 12_000) if number % 3 == 0 else memory.known(position)
        if proved is None:
            continue
        ways[proved.by.word] += 1
        assert proved.winner is naive_solve.outcome(position), (number, position)
        if proved.move is not None:
            after = position.play(proved.move)
            assert naive_solve.outcome(after) is proved.winner, (number, position)
        if number % 40 == 1:
            assert verify(memory.proof(position)).winner is proved.winner

    assert ways["memory"] > count / 3
    assert ways["solver"] > count / 20


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
    assert words.analysis_object({seen.position.turn: seen})["outcome"]["winner"] == won_by.word
    assert words.subject({seen.position.turn: seen}) == f"{won_by.title} has won"
    assert seen.with_turn(seen.position.turn.opponent).winner is won_by
    assert memory.known(seen.position) is None
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


@pytest.mark.slow
def test_reading_a_proof_decides_an_open_position():
    """A proof of a longer search also holds with more stones outside its carrier."""
    game = formats.read(formats.shipped("games/london-2000-hexy-queenbee.sgf").read_bytes())
    proof = Path(reviewed_games.FILE).with_name("london-2000-hexy-queenbee-35.proof.xz")
    memory = Memory()
    assert Analysis(game.position(35), search=0, memory=memory).winner is None
    shown = verify(lzma.decompress(proof.read_bytes()).decode())
    assert shown.position == game.position(35)
    memory.read(ProvedPart(shown.start, shown.winner, shown.carrier))

    decided = game.position(35)
    other = next(iter(decided.empty & ~shown.carrier))
    for position in (decided, replace(decided, black=decided.black | decided.board.only(other))):
        assert memory.known(position).winner is WHITE
    assert Analysis(game.position(34), search=0, memory=memory).winner is None
