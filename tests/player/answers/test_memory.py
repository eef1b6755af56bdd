"""A proof once found stays known while the process lives, and no search waits for another."""

import lzma
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from threading import Event, Thread

import naive_solve
import numpy as np
import pytest
import reviewed_games
from test_answers import SMALL, of

from hsearch import formats
from hsearch.connect import HSearchOptions
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position, groups
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.answers.analysis import Analysis
from player.answers.candidates import best_moves
from player.answers.connection import ask, ask_between
from player.answers.memory import MEMORY, Memory, Proved, Source
from player.answers.objects import position_object
from player.board.asked.solving import PuzzleQuestion, SolveQuestion, puzzle, solve
from player.board.desk import Desk
from player.board.records import PositionObject, record_object
from player.board.threads import BoardJob
from player.solve.budget import OutOfTimeError
from player.solve.pair import PairAnswer
from player.solve.proof import ProvedPart, part_of
from player.solve.verify import verify
from player.study.examine import review_game
from player.study.review import EFFORTS

BLACK, WHITE = Color


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
        assert memory.recall(more).winner is won_by, position.board.name(cell)


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


def test_a_canceled_search_is_not_remembered_as_in_vain():
    """A question after a canceled one searches again; the search once counted as in vain."""
    position, memory, flag = of("b4 c3", 6), Memory(), Flag()
    memory.ask(of("c3", 6), 1)  # nothing is left to compile
    flag.set()
    with stopping(flag), pytest.raises(Stopped):
        memory.ask(position, 10**8)
    proved = memory.ask(position, 10**8)
    assert proved is not None
    assert proved.by is not Source.MAP


def test_a_stopped_deduction_about_a_pair_is_not_an_answer(monkeypatch):
    """What a stopped deduction left open is not an answer, where the solver is not asked either."""
    game, flag = Game.of(Board(5, 5), ["b2", "c2", "a5", "b3", "e5", "c4"]), Flag()
    board, options = game.board, HSearchOptions(is_alone=True)
    pair = (board.cell("b2"), board.point("south"))
    assert ask(game.position(), None, BLACK, pair, options).connection is None

    def stopped(*_arguments):
        flag.set()

    monkeypatch.setattr("player.answers.connection.deduction.deduce", stopped)
    with stopping(flag), pytest.raises(Stopped):
        ask(game.position(), None, BLACK, pair, options)


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
    "puzzle": lambda game: puzzle(
        Desk(record_object(game)), BoardJob(lambda _told: None), PuzzleQuestion(stones(game))
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


def test_a_question_that_waits_for_a_long_search_can_be_canceled():
    """By an event, after which nothing is decided, or by the flag of the thread."""
    position, memory, canceled, flag = of("b4 c3", 5), Memory(), Event(), Flag()
    canceled.set()
    flag.set()

    def stopped():
        with stopping(flag):
            memory.solve(position)

    with busy(position.board, memory) as pool:
        answer, _ = pool.submit(memory.solve, position, cancel=canceled).result(timeout=60)
        assert answer.winner is None
        with pytest.raises(Stopped):
            pool.submit(stopped).result(timeout=60)


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
        assert pool.submit(memory.recall, position).result(timeout=60) is None

    assert memory.recall(position).winner is won_by


def test_a_position_decided_by_another_solver_is_found():
    """A position decided by a second solver is found, although an earlier lookup failed."""
    position, memory = of("b4 c3", 6), Memory()
    assert memory.ask(position, 3) is None
    assert memory.recall(position) is None
    with busy(position.board, memory) as pool:
        proof = pool.submit(memory.proof, position).result(timeout=60)

    assert memory.recall(position).winner is verify(proof).winner


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
    assert memory.look_up(position).winner is BLACK


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
        assert after["said"].endswith("Known without a search, by an earlier proof.")
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
    other.read(part_of(shown))
    assert other.recall(position).winner is proved.winner
    assert verify(other.proof(position)).winner is proved.winner
    with pytest.raises(ValueError, match="not proved"):
        Analysis(position, search=0, memory=Memory()).written_proof()


def test_the_proof_of_a_known_winner_has_a_time_limit():
    """Also where no search is left to do, and only the proof is to be written."""
    position, memory, told = of("b4 c3", 6), Memory(), []
    assert memory.ask(position, 1_000_000_000) is not None
    memory.proof(position)  # the table has every reply now

    with pytest.raises(OutOfTimeError):
        memory.proof(position, 0, told.append)
    assert told == []
    text = memory.proof(position, 1000, told.append)
    assert verify(text).winner is memory.recall(position).winner
    assert told[-1].startswith("writing the proof: ")
    Memory().proof(position, on_progress=told.append)
    assert any(each.startswith("solving: ") for each in told)


def test_a_wrong_claim_gives_no_proof():
    """A wrong winner in memory never gets into a proof: the proof is derived anew."""
    position, memory = of("c3"), Memory()
    memory.keep_win(position, WHITE, None)

    assert verify(memory.proof(position)).winner is BLACK


# Questions about two points.


def test_a_second_question_about_a_pair_does_not_search(pair_searches):
    """The answer is the same, also for another stone of a group, and with the other turn."""
    position = of("b2 c2 b1 b3 e5 c4", 5)
    memory, asked = Memory(), []
    for end, turn in (("b2", BLACK), ("b2", BLACK), ("b1", BLACK), ("b2", WHITE)):
        analysis = Analysis(replace(position, turn=turn), memory=memory)
        asked.append(ask_between(analysis, (end, "south"), None))

    assert len(pair_searches) == 1
    assert asked[0].answer is not None
    assert {each.connection for each in asked} == {asked[0].connection}
    assert {each.answer for each in asked} == {asked[0].answer}
    ask_between(Analysis(position, memory=Memory()), ("b2", "south"), None)
    assert len(pair_searches) == 2


def test_a_question_in_the_other_order_does_not_search(pair_searches):
    """The answer is the same, whichever end was named first in the first question."""
    position = of("b2 c2 b1 b3 e5 c4", 5)
    for ends in (("b2", "south"), ("south", "b2")):
        memory = Memory()
        first, second = (
            ask_between(Analysis(position, memory=memory), each, None)
            for each in (ends, ends[::-1])
        )
        assert (first.connection, first.answer) == (second.connection, second.answer)
    assert len(pair_searches) == 2
    assert pair_searches[0] == pair_searches[1]


def test_a_question_about_the_edges_asks_its_own_memory_who_wins():
    """The proof is stored there, and nothing in the memory of the process."""
    position, memory = of("a1 b2 c3", 5), Memory()
    question = ask_between(Analysis(position, memory=memory), ("north", "south"), None)

    assert question.proof.winner is WHITE
    assert memory.look_up(position).winner is WHITE
    assert MEMORY.look_up(position) is None


@pytest.mark.slow
def test_answers_about_pairs_from_memory_equal_those_found_anew():
    """One memory serves many pairs of one position, each asked twice."""
    generator = np.random.default_rng(41)
    for position in islice(places(Board(5, 5), generator, 3, 9), 6):
        memory = Memory()
        for color in Color:
            captains = sorted(group.captain for group in groups(position, color))
            pairs = [*combinations(captains, 2)][:5]
            for ends in pairs:
                kept, again, anew = (
                    ask_between(Analysis(position, memory=each), ends, color)
                    for each in (memory, memory, Memory())
                )
                assert kept.connection == again.connection == anew.connection, (position, ends)
                assert kept.answer == again.answer == anew.answer, (position, ends)


@pytest.mark.parametrize(
    ("first", "then", "is_repeated"),
    [
        (None, None, False),
        (None, 9.0, True),
        (9.0, None, True),
        (9.0, 10.0, False),
        (9.0, 5.0, False),
        (9.0, 20.0, True),
    ],
)
def test_an_open_answer_about_a_pair_serves_no_longer_search(first, then, is_repeated, monkeypatch):
    """What a search left open is asked again with more time; what it proved is not."""
    position, asked = of("b2 c2", 5), []
    ends = position.board.point("b2"), position.board.point("south")

    def search(_position, _color, _ends, *, seconds):
        asked.append(seconds)
        return answer

    monkeypatch.setattr("player.answers.memory.join", search)
    for joined in (None, False):
        memory = Memory()
        answer = PairAnswer(None, joined, joined, None, 7, 2.0)
        for seconds in (first, then):
            memory.join(position, BLACK, ends, captains=ends, seconds=seconds)
        assert asked == ([first, then] if is_repeated and joined is None else [first])
        asked.clear()


def test_answers_about_pairs_are_bounded_with_the_other_facts():
    """Those used least recently are dropped, and a proof is dropped for them as well."""
    position, memory = of("b2 c2", 5), Memory(fact_bytes=9_000)
    memory.keep(position, Proved(BLACK, Source.SEARCH))
    cells = list(position.empty.search(1))
    for cell in cells:
        memory.join(position, BLACK, (cell, cells[0]), captains=(cell, cells[0]), seconds=0)

    assert memory._bytes <= 9_000  # noqa: SLF001
    assert memory.look_up(position) is None
    assert 5 <= len(memory._facts) < len(cells)  # noqa: SLF001


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
        proved = memory.ask(position, 12_000) if number % 3 == 0 else memory.recall(position)
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


@pytest.mark.slow
def test_reading_a_proof_decides_an_open_position():
    """A proof of a longer search also holds with more stones outside its carrier."""
    game = formats.read(formats.find_shipped("games/london-2000-hexy-queenbee.sgf").read_bytes())
    proof = Path(reviewed_games.FILE).with_name("london-2000-hexy-queenbee-35.proof.xz")
    memory = Memory()
    assert Analysis(game.position(35), search=0, memory=memory).winner is None
    shown = verify(lzma.decompress(proof.read_bytes()).decode())
    assert shown.position == game.position(35)
    memory.read(part_of(shown))

    decided = game.position(35)
    other = next(iter(decided.empty & ~shown.carrier))
    for position in (decided, replace(decided, black=decided.black | decided.board.only(other))):
        assert memory.recall(position).winner is WHITE
    assert Analysis(game.position(34), search=0, memory=memory).winner is None
