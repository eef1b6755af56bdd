"""Incremental H-search finds at least what a fresh search finds, is true, and undoes exactly."""

import naive
import numpy as np
import pytest
from bitarray.util import subset
from hypothesis import event, given
from hypothesis import strategies as st
from naive import promises
from strategies import limits
from updated_connections import Connections, couples, kept, named

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.connect.library import closure_templates
from hsearch.connect.limits import Limits
from hsearch.connect.store import unpack
from hsearch.hex.board import Board, Color
from hsearch.hex.position import IllegalMoveError, Position
from hsearch.kernels.packing import CARRIER, FACTS, FULL, QUEUE, SEMI
from hsearch.strategy.check import check

STEPS = 2_000_000


@st.composite
def games(draw, max_side, *, min_side=1, most=12):
    """Return a board and stones of either color to place on it; None is an undo."""
    board = draw(st.builds(Board, *[st.integers(min_side, max_side)] * 2))
    cells = draw(st.permutations(list(board.cells)))[:most]
    colors = draw(st.lists(st.sampled_from(Color), min_size=len(cells), max_size=len(cells)))
    moves = list(zip(cells, colors, strict=True))
    for place in draw(st.lists(st.integers(1, max(len(moves), 1)), max_size=3)):
        moves.insert(place, None)
    return board, moves


def follow(connections, moves):
    """Play the moves and undos; yield each stone after it was placed or removed."""
    placed = 0
    for move in moves:
        if move is not None:
            if connections.position.empty[move[0]]:
                connections.put(*move)
                placed += 1
                yield move
        elif placed:
            connections.undo()
            placed -= 1
            yield None


def sampled(connections, moves):
    """Play likewise, and yield after each fourth stone or undo, and at the end."""
    number = 0
    for number, _ in enumerate(follow(connections, moves), start=1):
        if number % 4 == 0:
            yield
    if number % 4:
        yield


def complete(connections, moves):
    """Play likewise, and yield for both players, skipping updates that were cut off."""
    for move in follow(connections, moves):
        for color in Color:
            bound = connections.store(color).counts.limits_bound
            if not bound:
                yield move, color
            else:
                assert bound == ("steps",)  # no other limit leaves work behind
                event("discarded: an update did not end within the steps")


def by_name(store, which):
    """Return the pairs, by name and sorted, and the carriers of their fulls or semis."""
    pairs, _, carriers = kept(store, which)
    names = named(store, pairs)
    order = np.argsort(names, kind="stable")
    return names[order], carriers[order]


def others(rows, known):
    """Return the pairs and carriers of `rows` that are not among `known`."""
    there = set(map(bytes, np.column_stack(known)))
    is_other = np.array([bytes(row) not in there for row in np.column_stack(rows)], bool)
    return rows[0][is_other], rows[1][is_other]


def promised(store, which):
    """Return the kernels' fulls or semis, sorted."""
    pairs, carriers = by_name(store, which)
    return sorted(zip(pairs.tolist(), carriers.tolist(), strict=True))


def have_equal_logs(one, other):
    """Return whether all that is read of two logs is equal: all but the queues of the search."""
    if np.array_equal(one.log, other.log):
        return True
    return np.array_equal(without_queues(one), without_queues(other))


def without_queues(store):
    """Return the log without the queues that served only the search."""
    log, node, queues = store.log.copy(), 1, []  # no node is 0
    facts = log.tolist()
    while node < len(log):
        queues.append(node + QUEUE)
        *_, premises = unpack(facts[node + FACTS])
        node += CARRIER + len(store.layout.words) + premises
    log[queues] = 0
    return log


def inside(carriers, others):
    """Return whether the first of each two rows is a subset of the second."""
    return ~(carriers & ~others).any(axis=1)


def cells(carriers, store):
    """Return rows of words as rows of booleans, one for each cell of the board."""
    board = store.board
    framed = [*board.cells] if store.color is Color.BLACK else [*map(board.transpose, board.cells)]
    bits = np.unpackbits(carriers.view(np.uint8), axis=1, bitorder="little")
    return bits[:, framed].astype(bool)


@pytest.mark.slow
@given(games(max_side=4, most=8))
def test_updates_with_the_edge_pivot_equal_the_closure_from_scratch(game):
    """Without limits, after any stones and undos, all carriers are equal."""
    board, moves = game
    limits = Limits(M=None, K=None, edge_pivot=True, greedy_union=False, steps=STEPS)
    connections = Connections(Position.of(board), limits)
    for _, color in complete(connections, moves):
        store = connections.store(color)
        scratch = closure(connections.position, color, limits)
        if not scratch.counts.complete:
            event("discarded: the closure did not end within the steps")
            continue
        assert promises(store) == promises(scratch)
        for which in FULL, SEMI:
            assert promised(store, which) == promised(scratch, which)


@pytest.mark.slow
@given(games(max_side=6, min_side=2, most=8))
def test_updates_without_the_edge_pivot_cover_the_closure_from_scratch(game):
    """Each fresh carrier contains a kept one; without own stones, nothing more is kept."""
    board, moves = game
    limits = Limits(M=None, K=None, greedy_union=False, steps=STEPS)
    connections = Connections(Position.of(board), limits)
    own = set()
    for move, color in complete(connections, moves):
        own |= set() if move is None else {move[1]}
        store = connections.store(color)
        scratch = closure(connections.position, color, limits)
        if not scratch.counts.complete:
            event("discarded: the closure did not end within the steps")
            continue
        rivals = [by_name(store, which) for which in (FULL, SEMI)]
        for which in FULL, SEMI:
            pairs, carriers = others(by_name(scratch, which), rivals[which])
            covered = np.zeros(len(pairs), bool)
            for rival_pairs, rival_carriers in rivals[: which + 1]:
                for fresh, rival in couples(pairs, rival_pairs):
                    covered[fresh[inside(rival_carriers[rival], carriers[fresh])]] = True
            assert covered.all()
        if color not in own:
            assert promises(store) == promises(scratch)


@pytest.mark.slow
@given(games(max_side=6, most=8), limits())
def test_updated_derivations_check_and_match_their_entries(game, limits):
    """Under any limits each derivation, read with the current stones, checks in the position.

    It has its entry's kind and fits its carrier: the kernels use the entry; users get the
    derivation.
    """
    board, moves = game
    connections = Connections(Position.of(board), limits)
    for _ in sampled(connections, moves):
        empty = np.frombuffer(connections.position.empty.unpack(), bool)
        for color in Color:
            store = connections.store(color)
            read = list(store)
            check(connections.position, color, *read)
            (_, fulls, of_fulls), (_, semis, of_semis) = (kept(store, w) for w in (FULL, SEMI))
            carriers = np.concatenate([of_fulls, of_semis])
            records = np.concatenate([fulls, semis])[:, None] + CARRIER
            assert np.array_equal(carriers, store.log[records + np.arange(carriers.shape[1])])
            entries = cells(carriers, store)
            assert not (entries & ~empty).any()
            derivations = b"".join(derived.carrier.unpack() for derived in read)
            assert not (np.frombuffer(derivations, bool).reshape(entries.shape) & ~entries).any()
            kinds = [derived.is_full for derived in read]
            assert kinds == [True] * len(fulls) + [False] * len(semis)


@given(games(max_side=4), limits())
def test_updated_connections_hold(game, limits):
    """Under any limits each connection survives exhaustive play in its carrier."""
    board, moves = game
    connections = Connections(Position.of(board), limits)
    for _ in follow(connections, moves):
        pass
    for color in Color:
        for connection in connections.store(color):
            assert naive.holds(connections.position, color, connection), connection


@given(games(max_side=9, most=6), limits())
def test_lists_are_antichains_and_obey_m(game, limits):
    """No carrier of a list contains another, and no list exceeds its limit."""
    board, moves = game
    connections = Connections(Position.of(board), limits)
    for _ in follow(connections, moves):
        for color in Color:
            store = connections.store(color)
            (full_pairs, _, fulls), (semi_pairs, _, semis) = (kept(store, w) for w in (FULL, SEMI))
            assert limits.shrinking or max(np.bincount(full_pairs), default=0) <= limits.M
            assert limits.shrinking or max(np.bincount(semi_pairs), default=0) <= limits.most_semis
            for pairs, carriers in ((full_pairs, fulls), (semi_pairs, semis)):
                for one, other in couples(pairs, pairs):
                    assert np.array_equal(inside(carriers[one], carriers[other]), one == other)
            for full, semi in couples(full_pairs, semi_pairs):  # a full may contain a semi
                assert not inside(fulls[full], semis[semi]).any()


@pytest.mark.slow
@given(games(max_side=11, most=8), limits(), st.integers(1, 8))
def test_undo_restores_every_list_bit_for_bit(game, limits, depth):
    """After n stones and n undos, the kernels' lists are as before, including their order."""
    board, moves = game
    connections = Connections(Position.of(board), limits)
    list(follow(connections, moves[:-depth]))
    before = {color: connections.store(color) for color in Color}
    position = connections.position

    stones = list(follow(connections, [move for move in moves[-depth:] if move]))
    for _ in stones:
        connections.undo()

    assert connections.position == position
    for color in Color:
        after = connections.store(color)
        assert np.array_equal(after.memory, before[color].memory)
        assert have_equal_logs(after, before[color])


@pytest.mark.slow
@given(games(max_side=7, min_side=4, most=8), st.sampled_from([1, 30, 1000, 30_000]))
def test_undone_stones_do_not_affect_later_updates(game, steps):
    """Later stones find the same without the undone one: queue entries are linked in the log."""
    board, moves = game
    limits = Limits(M=None, K=None, greedy_union=False, steps=steps)
    tried, plain = (Connections(Position.of(board), limits) for _ in range(2))
    left = []
    for move in follow(tried, moves):
        left = left[:-1] if move is None else [*left, move]
    list(follow(plain, left))

    for color in Color:
        one, other = tried.store(color), plain.store(color)
        event(f"cut off: {not other.counts.complete}")
        assert one.counts == other.counts
        for which in FULL, SEMI:
            assert promised(one, which) == promised(other, which)


def test_stale_queue_links_after_an_undo_take_no_memory():
    """Links into overwritten entries are ignored; they once requested 19 gigabytes."""
    white, black = Color.WHITE, Color.BLACK
    limits = Limits(M=None, K=None, greedy_union=False, steps=2_000_000)
    connections = Connections(Position.of(Board(5, 6)), limits)
    moves = [(24, white), (21, black), None, (7, white), (12, white), None, (25, black)]
    is_complete = [connections.store(white).counts.complete for _ in follow(connections, moves)]

    assert not all(is_complete)
    assert len(connections.store(white).memory) < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["london-2000-queenbee-hexy", "london-2000-hexy-queenbee"])
def test_no_proof_is_lost_on_the_london_games(name):
    """At every move the update proves at least what a fresh search proves between the edges."""
    record = formats.read(formats.find_shipped(f"games/{name}.sgf").read_bytes())
    connections = Connections(record.position(0))
    for move in record.moves:
        connections.play(move.cell)
        for color in Color:
            kept, scratch = connections.store(color), closure(connections.position, color)
            assert bool(kept.edge_fulls) >= bool(scratch.edge_fulls)
            assert bool(kept.edge_fulls + kept.edge_semis) >= bool(scratch.edge_semis)


def test_a_reached_step_limit_is_reported_until_undone():
    """Later stones may finish the work, but not surely: undone stones may have lost some."""
    limits = Limits(M=None, K=None, greedy_union=False, steps=700)
    connections = Connections(Position.of(Board(4, 4)), limits)
    assert connections.store(Color.BLACK).counts.complete
    for cell in (6, 3, 15, 11, 0):
        connections.put(cell, Color.BLACK)
        assert connections.store(Color.BLACK).counts.limits_bound == ("steps",)
        assert connections.store(Color.WHITE).counts.complete
    for _ in range(5):
        connections.undo()
    assert connections.store(Color.BLACK).counts.complete


def test_the_first_stone_cannot_be_undone_twice():
    """Nothing comes before the initial position."""
    connections = Connections(Position.of(Board(3, 3)))
    connections.play(4)
    connections.undo()

    with pytest.raises(IllegalMoveError, match="nothing to undo"):
        connections.undo()


def test_a_refused_stone_changes_nothing():
    """An occupied cell is named in the error, and the connections stay the same."""
    connections = Connections(Position.of(Board(3, 3), black="b2"))
    before = list(connections.store(Color.WHITE))

    with pytest.raises(IllegalMoveError, match="b2 is not empty"):
        connections.play(4)
    assert list(connections.store(Color.WHITE)) == before


def test_a_search_that_stops_at_a_win_cannot_be_kept_up_to_date():
    """A search that stops at a win lacks connections for good, so it cannot be updated."""
    with pytest.raises(ValueError, match="does not stop at a win"):
        Connections(Position.of(Board(3, 3)), Limits(stop_at_win=True))


@pytest.mark.parametrize("name", ["dk4-3", "dk4-8"])
@pytest.mark.parametrize("color", Color)
def test_templates_are_kept_up_to_date(name, color):
    """Templates completed stone by stone by either player, and undone, equal a fresh closure's."""
    template = next(k.template for k in closure_templates() if k.template.id == name)
    position = template.position if color is Color.BLACK else template.position.transposed()
    generator = np.random.default_rng(3)
    limits = Limits(templates=True)
    connections = Connections(Position.of(position.board), limits)
    stones = [*((cell, color) for cell in position.stones(color).search(1))]
    stones += [(cell, color.opponent) for cell in position.stones(color.opponent).search(1)][:3]
    known = []
    for cell, owner in stones:
        connections.put(cell, owner)
        known += [c for c in connections.store(color) if c.rule is Rule.TEMPLATE]
    assert known
    for cell in generator.permutation(list(position.empty.search(1)))[:4].tolist():
        connections.put(cell, color)
        kept, scratch = connections.store(color), closure(connections.position, color, limits)
        check(connections.position, color, *kept)
        for fresh in scratch:
            rivals = kept.fulls(*fresh.ends) + ([] if fresh.is_full else kept.semis(*fresh.ends))
            assert any(subset(rival.carrier, fresh.carrier) for rival in rivals) or (
                not scratch.counts.complete
            )
    for _ in range(4):
        connections.undo()
    assert {c for c in connections.store(color) if c.rule is Rule.TEMPLATE} <= set(known)


def test_a_stone_on_the_1x1_board_joins_both_edges():
    """Black's stone joins both edges, and White has no connection left."""
    connections = Connections(Position.of(Board(1, 1)))
    connections.play(0)

    assert connections.store(Color.BLACK).has_chain
    assert list(connections.store(Color.WHITE)) == []
