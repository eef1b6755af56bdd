"""The search against plain minimax, time limits, and holding what is won."""

import math
import threading
import time
from functools import cache
from itertools import permutations, product

import pytest
from clock import kept
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch import formats
from hsearch.analysis import Analysis
from hsearch.board import Board, Color
from hsearch.closure import Limits, closure
from hsearch.connection import Connection, Rule
from hsearch.formats.shipped import shipped
from hsearch.position import Position, winner
from player.openings.exact import mover_wins
from player.ordering import weak_links
from player.search import SearchSettings, alphabeta, search
from player.search.hold import WinningStrategy, start
from player.search.line import SearchPosition
from player.search.score import estimate, is_loss, is_win, later, win

LONDON = formats.read(shipped("games/london-2000-queenbee-hexy.sgf").read_text())
ALL = (100,)


def minimax(line, depth, ply=0, *, widths=ALL, is_root=True):
    """Return what a search without any pruning must find."""
    view = line.probe()
    if view.winner is not None and not is_root:
        return win(ply, view.cells) * (1 if view.winner is line.turn else -1)
    if depth == 0:
        return estimate(view.evaluation, black=line.turn is Color.BLACK)
    scores = []
    for move in view.moves[: widths[min(ply, len(widths) - 1)]]:
        line.play(move)
        scores.append(-minimax(line, depth - 1, ply + 1, widths=widths, is_root=False))
        line.undo()
    return max(scores)


@st.composite
def open_positions(draw, sides=(4, 6)):
    """Return early positions on boards of about 5x5, often undecided, often with threats."""
    board = Board(draw(st.integers(*sides)), draw(st.integers(*sides)))
    cells = draw(st.permutations(board.cells))
    black, white = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    return Position(
        board,
        board.only(*cells[:black]),
        board.only(*cells[black : black + white]),
        draw(st.sampled_from(Color)),
    )


@pytest.mark.slow
@given(
    open_positions((4, 5)), st.integers(1, 2), st.sampled_from([Limits(M=3, K=3), Limits(M=1, K=2)])
)
def test_alpha_beta_finds_what_minimax_finds(position, depth, limits):
    """Cutoffs, the table and deepening change the work, never the score.

    Symmetry is left out: under limits a position may weigh a little more than after half a turn.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alphabeta, "FEW_STONES", -1)
        finds_what_minimax_finds(position, depth, limits)


@cache
def open_starts(stones):
    """Return positions of a stone a color at most, on 4x4 to 5x5, that H-search leaves open."""
    return [
        position
        for board in (Board(4, 4), Board(4, 5), Board(5, 4), Board(5, 5))
        for cells in permutations(board.cells, stones)
        for first, turn in product(Color, Color)
        if is_open(
            position := Position(
                board,
                board.only(*cells[:1] if first is Color.BLACK else cells[1:]),
                board.only(*cells[1:] if first is Color.BLACK else cells[:1]),
                turn,
            ),
            Limits.none(),
        )
    ]


@given(positions(), st.lists(st.integers(0, 15), max_size=4))
def test_the_turned_key_is_that_of_the_turned_position(position, choices):
    """Also after moves; and turned twice it is the position's own."""
    line = SearchPosition(position, Limits(), weak_links)
    for choice in choices:
        if not (empty := [*position.empty.search(1)]):
            break
        cell = empty[choice % len(empty)]
        position = position.play(cell)
        line.play(cell)

    turned = SearchPosition(position.rotated(), Limits(), weak_links)
    assert (line.key, line.turned_key) == (turned.turned_key, turned.key)


@pytest.mark.slow
@given(st.integers(0, 2).flatmap(lambda n: st.sampled_from(open_starts(n))), st.integers(1, 2))
def test_symmetry_changes_no_score(position, depth):
    """Without limits half a turn of a position weighs the same."""
    finds_what_minimax_finds(position, depth, Limits.none())


def is_open(position, limits):
    """Return whether a search has anything to decide."""
    view = SearchPosition(position, limits, weak_links, incremental=False).probe()
    return view.winner is None and len(view.moves) > 1


def finds_what_minimax_finds(position, depth, limits):
    """Assert that the score of a search, to the end, is that of minimax."""
    assume(is_open(position, limits))
    line = SearchPosition(position, limits, weak_links, incremental=False)
    # What is kept up to date may depend on the way to a position, under limits.
    settings = SearchSettings(depth=depth, widths=ALL, limits=limits, incremental=False)
    found = search(position, settings)

    # A win or a loss nearer than `depth` ends the search before.
    expected = next(
        score
        for shallow in range(1, depth + 1)
        if is_win(score := minimax(line, shallow)) or is_loss(score) or shallow == depth
    )
    assert found.score == pytest.approx(expected)
    assert found.complete


@pytest.mark.slow
def test_three_plies_find_what_minimax_finds():
    """In a real game, where a depth must not be answered by what another one found."""
    widths = (5, 4, 3)
    for moves in (10, 17):
        line = SearchPosition(LONDON.position(moves), Limits(), weak_links, incremental=False)
        settings = SearchSettings(depth=3, widths=widths, incremental=False)
        found = search(LONDON.position(moves), settings)

        assert found.score == pytest.approx(minimax(line, 3, widths=widths))


@given(open_positions(), st.sampled_from([Limits(), Limits(M=1, K=2)]))
def test_a_view_is_what_analysis_says(position, limits):
    """Winner, must-play region and evaluation, from the store's connections."""
    assume(position.empty.any())
    view = SearchPosition(position, limits, weak_links).probe()
    analysis = Analysis(position, limits)
    if view.winner is None:
        assert analysis.winner is None
        assert position.board.only(*view.moves) == analysis.mustplay.cells
        assert view.forced == analysis.mustplay.is_forced
        assert view.evaluation == pytest.approx(analysis.circuits.evaluation)
    elif analysis.winner is None:
        # All threats have no cell in common, and a limit hid the full they make.
        assert not analysis.mustplay.cells.any()
        assert view.winner is position.turn.opponent
    else:
        assert view.winner is analysis.winner
        assert not view.moves


@pytest.mark.parametrize("widths", [(1,), (2,), ALL])
def test_a_proved_score_is_true(widths):
    """Who is said to win does win, however few moves are tried at first.

    After each opening of 4x4, whose winners are known, and each answer to it.
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
    """Return a position and all that follow it."""
    return [position, *(position.play(cell) for cell in list(position.empty.search(1)))]


def test_a_search_repeats_itself():
    """Two searches of the same depth do the same work and find the same."""
    one, other = (search(LONDON.position(14), SearchSettings(depth=2)) for _ in range(2))

    assert one.counts == other.counts
    assert (one.move, one.score, one.line) == (other.move, other.score, other.line)


@pytest.mark.parametrize("incremental", [False, True])
def test_playing_and_undoing_leaves_no_trace(incremental):
    """A look after moves and undos is the look before."""
    line = SearchPosition(LONDON.position(12), Limits(), weak_links, incremental=incremental)
    line.play(0)
    line.undo()
    before, key = line.probe(), line.key
    for move in before.moves[:4]:
        line.play(move)
        after = line.probe()
        for reply in after.moves[:3]:
            line.play(reply)
            line.probe()
            line.undo()

        assert line.probe() == after
        line.undo()
        line.play(move)
        line.undo()

    assert (line.probe(), line.key) == (before, key)


@given(open_positions(), st.lists(st.integers(0, 35), max_size=6))
def test_a_view_kept_up_to_date_agrees_with_one_from_scratch(position, choices):
    """Whatever one proves the other does not disprove."""
    kept, scratch = (
        SearchPosition(position, Limits(M=6, K=3), weak_links, incremental=incremental)
        for incremental in (True, False)
    )
    for choice in choices:
        one, other = kept.probe(), scratch.probe()

        assert len({one.winner, other.winner} - {None}) <= 1
        assert kept.key == scratch.key
        empty = [c for c in position.board.cells if position.empty[c]]
        if not empty or winner(position) is not None:
            break
        cell = empty[choice % len(empty)]
        position = position.play(cell)
        for line in (kept, scratch):
            line.play(cell)


def test_the_mirror_has_the_mirror_view():
    """On the transposed position everything is the same, for the other player."""
    position = LONDON.position(21)
    view = SearchPosition(position, Limits(), weak_links).probe()
    other = SearchPosition(position.transposed(), Limits(), weak_links).probe()

    assert other.evaluation == pytest.approx(-view.evaluation)
    assert {position.board.transpose(move) for move in view.moves} == set(other.moves)


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.5])
def test_a_time_limit_is_kept(seconds):
    """There is a legal move in time, however little there is; the deepest search is not done."""
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
    """It returns the best so far soon after the flag is set."""
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
    """Set once it was asked so many times, as if another thread had."""

    def __init__(self, asks):
        super().__init__()
        self.asks = asks

    def is_set(self):
        """Count, and answer."""
        self.asks -= 1
        return self.asks < 0


@pytest.mark.parametrize("asks", [0, 1, 2, 30])
def test_no_look_begins_once_a_search_was_told_to_stop(asks, monkeypatch):
    """So that an interruption waits for one look at most; `hsearch bench look` times those."""
    looks = []
    look = SearchPosition.probe
    monkeypatch.setattr(SearchPosition, "probe", lambda line: looks.append(line) or look(line))
    position = LONDON.position(16)
    found = search(position, SearchSettings(depth=30, widths=ALL), cancel=Patience(asks))

    assert len(looks) == asks == found.counts.closures
    assert position.is_legal(found.move)
    assert not found.complete


@pytest.mark.slow
def test_weak_links_need_fewer_nodes_than_the_center():
    """At equal depth and widths, over positions of a game; `hsearch bench search` has the ratio."""
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
    """Sooner and by fewer cells is better; as seen from the root and back."""
    assert win(1, 300) > win(2, 0) > win(2, 5) > 1e3 > -win(2, 5) > -win(1, 5)
    assert later(win(2, 7), 3) == win(5, 7)
    assert later(-win(5, 7), -3) == -win(2, 7)
    assert estimate(-math.inf, black=True) < win(50, 400)


@given(positions(4))
def test_a_hold_survives_every_intrusion(position):
    """Whatever is played in a winning connection, the replies join the edges with stones."""
    for color in Color:
        store = closure(position, color, Limits())
        for full in store.edge_fulls[:2]:
            follow(WinningStrategy.of(full), position, color)
        for semi in store.edge_semis[:2]:
            key, hold = start(semi)
            follow(hold, position.put(key, color), color)


def follow(hold, position, color, seen=None):
    """Intrude everywhere, once per link: links share no cell, so one does not touch another."""
    seen = set() if seen is None else seen
    if hold.is_done:
        assert winner(position) is color
        return
    carriers = [link.carrier for link in hold.links]
    assert sum(carrier.count() for carrier in carriers) == hold.carrier(position.board).count()
    for intrusion in hold.carrier(position.board).search(1):
        cell, rest = hold.reply(intrusion)
        after = position.put(intrusion, color.opponent).put(cell, color)
        if after not in seen:
            seen.add(after)
            follow(rest, after, color, seen)


def test_a_template_has_to_be_expanded_before_it_is_held():
    """It tells no reply, so that its part of the win would be lost without a word."""
    board = Board(3, 3)
    known = Connection(board.size, board.size + 1, board.only(0), rule=Rule.TEMPLATE)
    with pytest.raises(ValueError, match="has to be expanded"):
        WinningStrategy.of(known)


def test_no_move_is_searched_but_those_among():
    """Whichever they are; if none is left all are tried."""
    position = LONDON.position(20)
    for cell in list(Analysis(position).mustplay.cells.search(1))[::5]:
        found = search(position, SearchSettings(depth=1), among=position.board.only(cell))
        assert found.move == cell
    assert search(position, SearchSettings(depth=1), among=position.board.only()).depth == 1


def test_only_a_full_connection_can_be_held():
    """A semi needs its key first, and a finished hold has no reply."""
    store = closure(Position.of(Board(1, 1)), Color.BLACK)
    semi = store.edge_semis[0]
    with pytest.raises(ValueError, match="only a full"):
        WinningStrategy.of(semi)
    with pytest.raises(ValueError, match="stones join"):
        start(semi)[1].reply(None)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"depth": 0}, "depth out of range: 0"),
        ({"widths": (3, 0)}, "'3x0'"),
        ({"ordering": "luck"}, "unknown ordering 'luck' .known: weak_links, center, "),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    """The message names what is wrong."""
    with pytest.raises(ValueError, match=message):
        SearchSettings(**wrong)
