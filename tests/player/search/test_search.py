"""Alpha-beta compared with plain minimax, and its time limits."""

import math
import threading
import time
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest
from clock import kept
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from london import game
from strategies import early_positions

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.ordering import weak_links
from player.search import alphabeta
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.openings import mover_wins
from player.search.settings import SearchSettings, evaluation_score, is_loss, is_win, later, win

LONDON = game("london-2000-queenbee-hexy")
ALL = (100,)


def minimax(line, depth, ply=0, *, widths=ALL, is_root=True):
    """Return the score by minimax without pruning."""
    view = line.probe()
    if view.winner is not None and not is_root:
        return win(ply, view.cells) * (1 if view.winner is line.turn else -1)
    if depth == 0:
        return evaluation_score(view.evaluation, black=line.turn is Color.BLACK)
    scores = []
    for move in view.moves[: widths[min(ply, len(widths) - 1)]]:
        line.play(move)
        scores.append(-minimax(line, depth - 1, ply + 1, widths=widths, is_root=False))
        line.undo()
    return max(scores)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.filter_too_much])  # many positions are decided
@given(
    early_positions((4, 5)),
    st.integers(1, 2),
    st.sampled_from([Limits(M=3, K=3), Limits(M=1, K=2)]),
)
def test_alpha_beta_and_minimax_agree(position, depth, limits):
    """Cutoffs, the table and deepening change the work but not the score.

    Symmetry is disabled: under limits, a rotated position may have a slightly different value.
    """
    assume(is_open(position, limits))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alphabeta, "FEW_STONES", -1)
        finds_what_minimax_finds(position, depth, limits)


@cache
def open_starts(black, white):
    """Return positions with these stones, on 4x4 to 5x5, that H-search leaves open."""
    positions = (
        Position(board, board.only(*cells[:black]), board.only(*cells[black:]), turn)
        for board in (Board(4, 4), Board(4, 5), Board(5, 4), Board(5, 5))
        for cells in permutations(board.cells, black + white)
        for turn in Color
    )
    return [position for position in positions if is_open(position, Limits.none())]


@pytest.mark.slow
@given(
    st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1)]).flatmap(
        lambda stones: st.sampled_from(open_starts(*stones))
    ),
    st.integers(1, 2),
)
def test_symmetry_changes_no_score(position, depth):
    """Without limits, a position and its rotation have the same value."""
    finds_what_minimax_finds(position, depth, Limits.none())


def is_open(position, limits):
    """Return whether the position is undecided with several moves."""
    view = SearchPosition(position, limits, weak_links, incremental=False).probe()
    return view.winner is None and len(view.moves) > 1


def finds_what_minimax_finds(position, depth, limits):
    """Assert that a complete search has the score of minimax."""
    line = SearchPosition(position, limits, weak_links, incremental=False)
    # Under limits, an incremental closure may depend on the order of the moves.
    settings = SearchSettings(depth=depth, widths=ALL, limits=limits, incremental=False)
    found = search(position, settings)

    # A win or a loss nearer than `depth` ends the search early.
    expected = next(
        score
        for shallow in range(1, depth + 1)
        if is_win(score := minimax(line, shallow)) or is_loss(score) or shallow == depth
    )
    assert found.score == pytest.approx(expected)
    assert found.complete


@pytest.mark.slow
def test_alpha_beta_and_minimax_agree_at_three_plies():
    """In a real game, an entry of the table at one depth must not serve for another depth."""
    widths = (5, 4, 3)
    for moves in (10, 17):
        line = SearchPosition(LONDON.position(moves), Limits(), weak_links, incremental=False)
        settings = SearchSettings(depth=3, widths=widths, incremental=False)
        found = search(LONDON.position(moves), settings)

        assert found.score == pytest.approx(minimax(line, 3, widths=widths))


@pytest.mark.parametrize("widths", [(1,), (2,), ALL])
def test_a_proved_score_is_true(widths):
    """A proved winner wins, however few moves are tried at first.

    Checked after eight openings of 4x4, whose winners are known, and after each reply.
    """
    board = Board(4, 4)
    settings = SearchSettings(
        depth=4, widths=widths, limits=Limits(M=1, K=2, greedy_union=False), ordering="center"
    )
    known, proved = {}, 0
    for first in range(8):
        for position in replies(Position.of(board).play(first)):
            found = search(position, settings)
            mover_is_winner = mover_wins(SearchPosition(position, Limits(), weak_links), known)
            if is_win(found.score):
                proved += 1
                assert mover_is_winner
                reply = SearchPosition(position.play(found.move), Limits(), weak_links)
                assert not mover_wins(reply, known)
            if is_loss(found.score):
                proved += 1
                assert not mover_is_winner

    assert proved


def replies(position):
    """Return a position and all its successors."""
    return [position, *(position.play(cell) for cell in list(position.empty.search(1)))]


def test_a_search_repeats_itself():
    """Two searches of the same depth do the same work and return the same result."""
    one, other = (search(LONDON.position(14), SearchSettings(depth=2)) for _ in range(2))

    assert one.counts == other.counts
    assert (one.move, one.score, one.line) == (other.move, other.score, other.line)


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.5])
def test_a_time_limit_is_kept(seconds):
    """However short the limit, there is a legal move in time, from an incomplete search."""
    position = LONDON.position(16)
    search(position, SearchSettings(depth=1, widths=(2,)))  # compile

    def attempt():
        begin = time.perf_counter()
        found = search(position, SearchSettings(depth=30, widths=ALL), seconds=seconds)
        taken = time.perf_counter() - begin
        assert position.is_legal(found.move)
        assert not found.complete
        return taken

    assert kept(max(seconds, 0.02), attempt)


def test_a_canceled_search_stops():
    """It returns the best move so far soon after the flag is set."""
    position = LONDON.position(16)

    def attempt():
        cancel = threading.Event()
        begin = time.perf_counter()
        threading.Timer(0.3, cancel.set).start()
        found = search(position, SearchSettings(depth=30, widths=ALL), cancel=cancel)
        assert position.is_legal(found.move)
        return time.perf_counter() - begin

    assert kept(0.3 + 0.1, attempt)


class Patience(threading.Event):
    """An event that reads as set after a number of queries, as if another thread set it."""

    def __init__(self, asks):
        super().__init__()
        self.asks = asks

    def is_set(self):
        """Count the query, and return whether the number is exceeded."""
        self.asks -= 1
        return self.asks < 0


@pytest.mark.parametrize("asks", [0, 1, 2, 30])
def test_a_canceled_search_starts_no_further_evaluation(asks, monkeypatch):
    """An interruption thus waits for at most one evaluation; `hsearch bench look` times them."""
    looks = []
    look = SearchPosition.probe
    monkeypatch.setattr(SearchPosition, "probe", lambda line: looks.append(line) or look(line))
    position = LONDON.position(16)
    found = search(position, SearchSettings(depth=30, widths=ALL), cancel=Patience(asks))

    assert len(looks) == asks == found.counts.closures
    assert position.is_legal(found.move)
    assert not found.complete


@pytest.mark.slow
def test_no_loss_is_reported_before_every_move_is_searched():
    """If time runs out, the best move so far may lose while an unsearched move wins."""
    position = Position.of(Board(4, 4))
    for name in ["c1", "b1", "d1", "b2", "d2", "b3", "a4", "b4", "d4"]:
        position = position.play(name)
    options = SearchSettings(depth=2, widths=ALL, evaluator="connected")
    move = search(position, replace(options, depth=1)).move
    assert mover_wins(SearchPosition(position.play(move), Limits(), weak_links), {})

    found = [search(position, replace(options, nodes=nodes)) for nodes in range(1, 40)]

    assert mover_wins(SearchPosition(position, Limits(), weak_links), {})
    assert not any(is_loss(each.score) for each in found)
    assert {each.depth for each in found} == {0, 1, 2}
    assert all(each.move != move for each in found if each.depth == 0)


def test_weak_links_need_fewer_nodes_than_the_center():
    """Depth and widths are equal; `hsearch bench search` prints the ratio."""
    nodes = {
        ordering: sum(
            search(
                LONDON.position(moves), SearchSettings(depth=2, widths=(20, 15), ordering=ordering)
            ).counts.closures
            for moves in (10, 20, 30)
        )
        for ordering in ("weak_links", "center")
    }

    assert nodes["weak_links"] < nodes["center"]


def test_scores_prefer_the_nearer_win_and_the_later_loss():
    """Sooner wins with smaller carriers score higher; `later` shifts scores between plies."""
    assert win(1, 300) > win(2, 0) > win(2, 5) > 1e3 > -win(2, 5) > -win(1, 5)
    assert later(win(2, 7), 3) == win(5, 7)
    assert later(-win(5, 7), -3) == -win(2, 7)
    assert evaluation_score(-math.inf, black=True) < win(50, 400)


def test_only_the_allowed_moves_are_searched():
    """Only allowed moves are searched; if none is left, all are."""
    position = LONDON.position(20)
    for cell in list(ConnectionAnalysis(position).mustplay.cells.search(1))[::5]:
        found = search(position, SearchSettings(depth=1), among=position.board.only(cell))
        assert found.move == cell
    assert search(position, SearchSettings(depth=1), among=position.board.only()).depth == 1


def test_without_time_an_allowed_move_is_returned():
    """Without time to search, an allowed move is returned, or any move if none is allowed."""
    position = LONDON.position(20)
    cells = list(position.empty.search(1))
    for cell in cells[::10]:
        result = search(position, SearchSettings(), seconds=0, among=position.board.only(cell))
        assert (result.move, result.depth) == (cell, 0)
    assert search(position, SearchSettings(), seconds=0, among=position.board.only()).move in cells


@pytest.mark.parametrize("turn", Color)
def test_the_score_of_a_decided_position_is_proved(turn):
    """It is proved even if only one move is worth trying."""
    position = Position.of(Board(3, 3), black="b1 b3", white="a2 c2", turn=turn)
    assert len(SearchPosition(position, Limits(), weak_links).best_tries()) == 1

    result = search(position, SearchSettings(depth=1))

    assert is_win(result.score)
    assert result.complete


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"depth": 0}, "depth out of range: 0"),
        ({"widths": (3, 0)}, "'3x0'"),
        ({"ordering": "luck"}, "unknown ordering 'luck' .known: weak_links, center, "),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    """The message names the wrong value."""
    with pytest.raises(ValueError, match=message):
        SearchSettings(**wrong)
