"""Best moves: proofs are true, lines are legal, and every host names the same moves."""

import json
import threading
from functools import cache

import naive_solve
import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import ask, send
from hypothesis import given
from hypothesis import strategies as st
from strategies import played_positions

import hsearch
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from player.answers import moves as answers
from player.answers.analysis import Analysis
from player.answers.candidates import best_moves, best_try, of_findings, prepare
from player.answers.memory import MEMORY, Memory
from player.answers.objects import position_object
from player.board.asked.position import MovesQuestion, moves
from player.board.desk import Desk
from player.board.records import PositionObject, record_object
from player.board.threads import BoardJob
from player.cli import main
from player.engine.player import MoveRequest
from player.engine.spec import participant
from player.evaluate.chance import per_cent
from player.gtp.session import Session
from player.kernels import tree
from player.search.chances import BestMove, BestMoves
from player.search.tree import TreeSearch, TreeSettings


def is_legal(position, line):
    """Return whether a line is one of legal moves that ends where the game does."""
    for cell in line:
        if winner(position) is not None or not position.is_legal(cell):
            return False
        position = position.play(cell)
    return True


@pytest.mark.parametrize(
    ("winners", "played", "expected"),
    [
        ((None, None), 0, 1),
        ((None, None), 1, 0),
        ((None, None), 7, 0),
        ((None, Color.WHITE), 0, None),
        ((Color.BLACK, None), 5, 0),
        ((None,), 0, None),
    ],
)
def test_the_best_try_is_another_move_that_is_not_proved_to_lose(winners, played, expected):
    """Black's try is never the move played; the page has the same rule."""
    moves = tuple(BestMove(n, won, 0.5, 9, (n,)) for n, won in enumerate(winners))
    best = BestMoves(Position.of(Board(4, 4)), moves, None)

    assert best_try(best, played) == (None if expected is None else moves[expected])


@given(played_positions(Board(4, 4)), st.sampled_from((0.0, 0.1)))
def test_moves_reported_as_proved_are_confirmed_by_brute_force(position, search):
    """Brute force confirms moves proved by connections, the solver or the tree search."""
    memory = Memory()
    best = best_moves(Analysis(position, search=search, memory=memory), None)
    outcome = naive_solve.outcome(position)

    assert best.winner in {None, outcome}
    assert best.moves
    for each in best.moves:
        assert each.line[0] == each.cell
        assert is_legal(position, each.line)
        assert each.winner in {None, naive_solve.outcome(position.play(each.cell))}
        assert (each.winner is None) or each.chance == (each.winner is position.turn)
    known = memory.recall(position)
    assert known is None or known.winner is outcome
    if best.winner is position.turn:
        assert {each.winner for each in best.moves} == {position.turn}


def test_a_line_ends_with_the_game():
    """The tree looks at few positions for connections: it had moves after a chain of White's."""
    position = Position.of(Board(3, 4), black="c2", turn=Color.WHITE)
    best = best_moves(Analysis(position, search=None, memory=Memory()), None)

    assert best.winner is Color.WHITE
    assert all(is_legal(position, each.line) for each in best.moves)


def of(text, side):
    return Game.of(Board(side, side), text.split()).position()


def test_without_time_only_proved_moves_are_known():
    open_, won = of("a11 f6", 11), of("c3 a1", 5)
    assert best_moves(Analysis(open_, search=0, memory=Memory()), 0).moves == ()
    best = best_moves(Analysis(won, search=0, memory=Memory()), 0)

    assert {each.winner for each in best.moves} == {Color.BLACK}
    assert all(len(each.line) > 1 for each in best.moves)
    assert "Moves that win for Black" in str(best)
    assert best._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("seconds", [1e-9, 0.01])
def test_a_search_with_any_time_finds_a_move(seconds):
    """A hint on a slow machine, or with little time, names a move that was tried."""
    game = hsearch.read("#9,e5d6f3")
    analysis = Analysis(game, search=0, memory=Memory())
    best = best_moves(analysis, seconds)
    hint = answers.hint(game, analysis, seconds=seconds)

    assert best.moves
    assert best.moves[0].simulations
    assert f"{game.board.name(hint.act)} (2 simulations" in hint.why
    with pytest.raises(ValueError, match="a search needs more than 0 seconds"):
        answers.hint(game, analysis, seconds=0)


def test_a_hint_stopped_before_a_move_was_tried_says_so():
    """Time was given, so that more of it is not what the hint lacks."""
    game, cancel = hsearch.read("#9,e5d6f3"), threading.Event()
    cancel.set()
    analysis = Analysis(game, search=0, memory=Memory())
    with pytest.raises(ValueError, match="no move is proved, and the search was stopped"):
        answers.hint(game, analysis, seconds=60, cancel=cancel)


def test_no_search_begins_that_is_too_short_for_a_simulation(monkeypatch):
    """The rest of the time is not spent on reports of the same findings, one after another."""
    run, slices = TreeSearch.run, []

    def recorded(search, generator, *, seconds, cancel):
        slices.append(seconds)
        return run(search, generator, seconds=seconds, cancel=cancel)

    prepare(Board(9))
    monkeypatch.setattr(TreeSearch, "run", recorded)
    reports = []
    position = hsearch.read("#9,e5d6f3").position()
    best_moves(Analysis(position, search=0, memory=Memory()), 0.01, on_change=reports.append)

    assert slices[1:] == [None]
    assert [best.simulations for best in reports] == [0, 2]


def test_compiling_does_not_count_as_search_time(monkeypatch):
    """What would take half a minute to compile is called before the search: for an empty board."""
    simulate, remaining = tree.simulate, []

    def watched(*arguments):
        remaining.append(int(arguments[1].remaining))
        return simulate(*arguments)

    monkeypatch.setattr(tree, "simulate", watched)
    prepare.cache_clear()
    found = best_moves(Analysis(Position.of(Board(9), black="d4", white="f6")), seconds=0.5)

    assert found.simulations > 1
    assert remaining[0] == 81
    assert set(remaining[remaining.count(81) :]) == {79}


@pytest.fixture
def _fewer_simulations(monkeypatch):
    """Search with a third of the usual simulations."""
    monkeypatch.setattr("player.answers.candidates.SIMULATIONS", 300)


def search():
    """Search an open position by number of simulations, with an empty memory."""
    return best_moves(Analysis(of("c2 e5 b5", 7), search=0, memory=Memory()), None)


searched = cache(search)


@pytest.mark.usefixtures("_fewer_simulations")
def test_a_search_limited_by_simulations_is_reproducible():
    """A search by number repeats its results; a search by time reports growing counts."""
    seen = [searched(), search()]
    assert seen[0].moves == seen[1].moves
    assert sum(each.simulations for each in seen[0].moves) > 100
    assert all(0 < each.chance < 1 for each in seen[0].moves if each.winner is None)

    told = []
    wide = of("d4 f6", 9)  # no search proves this one in that time
    best = best_moves(Analysis(wide, search=0, memory=Memory()), 0.5, on_change=told.append)
    assert best.winner is None
    assert len(told) > 1
    assert told[-1].simulations > told[0].simulations
    assert best.moves == told[-1].moves


@pytest.mark.usefixtures("_fewer_simulations")
def test_a_search_uses_proofs_of_its_moves():
    """A move proved to lose is not suggested; a move proved to win ends the search."""
    position, memory = of("c2 e5 b5", 7), Memory()
    first, second, *_ = searched().moves
    memory.keep_win(position.play(first.cell), position.turn.opponent, None)
    best = best_moves(Analysis(position, search=0, memory=memory), None)

    assert best.winner is None
    assert best.moves[0].cell == second.cell
    assert first.cell not in {each.cell for each in best.moves}
    assert best.chance.of(position.turn) == pytest.approx(second.chance)
    memory.keep_win(position.play(second.cell), position.turn, None)
    best = best_moves(Analysis(position, search=0, memory=memory), None)
    assert best.winner is position.turn
    assert best.moves[0].cell == second.cell


def test_a_position_whose_every_move_is_proved_to_lose_is_lost():
    """Each was proved on its own; the hint was refused as if the search had been stopped."""
    game, memory = Game.of(Board(7, 7), ["c2", "e5", "b5"]), Memory()
    position = game.position()
    for cell in position.empty.search(1):
        memory.keep_win(position.play(cell), Color.BLACK, None)
    advice = answers.hint(game, Analysis(position, search=0, memory=memory), seconds=0.01)

    assert (advice.best.winner, len(advice.best.moves)) == (Color.BLACK, 5)
    assert "is the hardest to refute." in advice.why
    assert memory.look_up(position).winner is Color.BLACK


def test_moves_are_listed_in_order_of_simulations():
    """Moves are ordered by simulations: 36 % of many stands above 40 % of few."""
    position = of("c2 e5 b5", 7)
    board = position.board
    moves = tuple(
        BestMove(board.cell(name), None, chance, simulations, (board.cell(name),))
        for name, chance, simulations in (("d4", 0.36, 1200), ("e3", 0.4, 7))
    )
    best = BestMoves(position, moves, None, None, 1207)

    heading, *lines = answers.statements(best)
    assert "in the order of their simulations; 1,207 simulations in all:" in heading
    assert lines == ["  1 d4 36 % (1,200)", "  2 e3 40 % (7)"]
    assert [each["said"] for each in answers.page_moves(best)] == ["36 % (1,200)", "40 % (7)"]


@pytest.mark.usefixtures("_fewer_simulations")
def test_a_move_wins_only_by_its_own_proof():
    """A map proves who wins after a1, but not by which move: the search's moves did "win" then."""
    game = Game.of(Board(8, 8), ["a1"])
    analysis = Analysis(game, search=0, memory=Memory())
    best, advice = best_moves(analysis, None), answers.hint(game, analysis, seconds=None)
    heading, line, *_ = answers.statements(best)

    assert (best.winner, best.moves[0].winner, best.chance) == (Color.WHITE, None, None)
    assert heading.startswith("White is proved to win, but by no known move. Best moves for White")
    assert " % (" in line
    assert "map of openings). By which move is not known. Estimated: White's chance" in advice.why
    assert answers.hint_object(game, advice)["winner"] is None


def test_a_lost_position_lists_losing_moves():
    position = of("c3", 5)
    best = best_moves(Analysis(position, memory=Memory()), 0)

    assert best.winner is Color.BLACK
    assert best.moves
    assert {each.winner for each in best.moves} == {Color.BLACK}
    assert "Every move of White loses" in str(best)


def test_analyze_with_a_time_lists_the_best_moves():
    """`analyze --time 5` names moves in text and JSON; --time 0 or a plain pipe names none."""

    def run(*arguments):
        done = CliRunner().invoke(main, ["analyze", "a2", "d4", "c3", "--size", "5", *arguments])
        assert done.exit_code == 0, done.output
        return done.stdout

    said = run("--time", "5")
    assert "  1 " in said
    assert "(proved)" in said
    assert "(proved)" not in run() + run("--time", "0")
    seen = json.loads(run("--json", "--time", "5"))["best_moves"]["by_turn"]["white"]
    assert {"cell", "winner", "chance", "visits", "line"} == set(seen["moves"][0])
    assert json.loads(run("--json"))["best_moves"]["player"] is None


def test_the_board_gtp_and_python_report_the_same_best_moves():
    """Proved moves are the same everywhere, each host starting with an empty memory."""
    game = Game.of(Board(5, 5), ["a2", "d4", "c3", "b2"])
    position = game.position()
    stones = PositionObject(**position_object(position))
    desk = Desk(record_object(Game(game.board)))
    shown = moves(desk, BoardJob(lambda _told: None), MovesQuestion(stones, seconds=5))
    MEMORY.forget()
    python = hsearch.best_moves(game, seconds=5)
    MEMORY.forget()
    session = Session()
    send(["boardsize 5", "play b a2", "play w d4", "play b c3", "play w b2"], session)
    said = ask(session, f"hsearch-best-moves {position.turn.word}")

    assert shown["candidates"] == answers.page_moves(python)
    assert shown["estimate"] == answers.page_best(python)["estimate"]
    assert shown["said"] == list(answers.statements(python)) == said.splitlines()
    assert set(shown["candidates"][0]) >= {"move", "said", "line", "chance", "winner"}


def test_the_board_sends_candidates_as_they_change():
    stones = PositionObject(**position_object(of("e2 e6 d5", 9)))
    told = []
    desk = Desk(record_object(Game(Board(9, 9))))
    desk.analyses._make = lambda position: Analysis(position, search=0)
    answer = moves(desk, BoardJob(told.append), MovesQuestion(stones, seconds=0.5))

    assert len(told) > 1
    first = told[-1]["candidates"][0]
    assert first["said"].endswith(f" % ({first['simulations']:,})")
    assert f" {per_cent(told[-1]['estimate']['chance'])} %" in told[-1]["estimate"]["said"]
    assert answer["candidates"] == told[-1]["candidates"]
    assert answer["winner"] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["ab:depth=2,width=2", "ab:depth=6,width=3", "hexy:level=2", "tree:simulations=50"]
)
def test_winners_that_players_report_are_right(spec):
    """A winner that a player reports is right, and the chosen move keeps the win."""
    player, generator, board = (
        participant(spec, "alternating"),
        np.random.default_rng(3),
        Board(4, 4),
    )
    player.prepare(board)
    claims = 0
    for _ in range(60):
        game, count = Game(board), int(generator.integers(0, 10))
        for cell in generator.permutation(board.size)[:count]:
            after = Game.of(board, [*(m.name(board) for m in game.moves), board.name(int(cell))])
            if winner(after.position()) is not None:
                break
            game = after
        choice = player.choose(game, MoveRequest(), generator)
        position, won_by = game.position(), choice.account.winner
        if won_by is not None:
            claims += 1
            assert naive_solve.outcome(position) is won_by
            assert naive_solve.outcome(position.play(choice.action)) is won_by
    assert claims > 3


def test_a_search_reports_every_move_it_tried():
    """A search reports every move it tried, with its proved winner or the mover's chance."""
    search = TreeSearch(hsearch.read("#7,a2").position(), TreeSettings(simulations=200))
    best = of_findings(search.run(np.random.default_rng(0)))
    tried = answers.page_best(best)["tried"]
    named = {best.position.board.name(each.cell) for each in best.moves if each.winner is None}
    assert len(tried) > len(best.moves)
    assert sum(each["simulations"] for each in tried) <= best.simulations
    assert all(each["chance"] is None or 0 <= each["chance"] <= 1 for each in tried)
    assert {each["move"] for each in tried} >= named
