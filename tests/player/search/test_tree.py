"""Best-first search: the kernel compared with its definition, proofs, and reuse of the tree."""

import zlib

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive_patterns import some_weights
from naive_tree import LOST, OPEN, WON, NaiveTree, Node
from strategies import early_positions, positions

from hsearch.connect.limits import Limits
from hsearch.hex.board import Board
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Stopped
from player.evaluate.net import NetEvaluator, random_net
from player.kernels import tree as kernel
from player.kernels.patterns import place_of, playout
from player.search import tree as searching
from player.search import tree_room
from player.search.line import CircuitAssessment, SearchPosition
from player.search.tree import COLDEST, TreeSearch, TreeSettings
from player.search.tree_room import Looker, below, children_of, empty_tree, larger, root_position
from player.solve.solver import Solver

RULES = st.builds(
    kernel.SimulationRules,
    look_at=st.sampled_from([-1, 0, 2, 9]),
    expand_at=st.integers(0, 4),
    ask_at=st.sampled_from([-1, 0, 3]),
    playouts=st.just(1).map(bool),
    blend=st.sampled_from([0.0, 0.3, 1.0]),
    prior=st.sampled_from([0.0, 0.5, 3.0]),
    rave=st.sampled_from([1.0, 500.0]),
    worth=st.just(0.0),
    heat=st.just(1.0),
)

FULL_BOARDS = kernel.SimulationRules(  # a full board has no children, with or without room
    look_at=2,
    expand_at=0,
    ask_at=-1,
    playouts=True,
    blend=0.0,
    prior=0.5,
    rave=1.0,
    worth=0.0,
    heat=1.0,
)


def opened(position):
    """Return whether the game is undecided."""
    return winner(position) is None and position.empty.any()


def told(position):
    """Return a random evaluation of a position: a state, a chance, priors, and losing moves."""
    text = f"{position.black}{position.white}".encode()
    generator = np.random.default_rng(zlib.crc32(text))
    state = int(generator.choice([OPEN, WON, LOST], p=[0.8, 0.1, 0.1]))
    count = position.empty.count()
    priors = some_priors(generator, count)
    return state, generator.random(), priors, generator.random(count) < 0.3


def some_priors(generator, count):
    """Return random priors, most of them zero."""
    priors = generator.random(count) * (generator.random(count) < 0.4)
    if count:
        priors[generator.integers(count)] += 0.01
    return priors / max(priors.sum(), 1e-9)


def answered(position):
    """Return a random answer of a net: priors, and a chance or None."""
    text = f"net {position.black}{position.white}".encode()
    generator = np.random.default_rng(zlib.crc32(text))
    priors = some_priors(generator, position.empty.count())
    return priors, generator.random() if generator.random() < 0.5 else None


def ask(node: Node) -> None:
    """Write the net's answer into a node."""
    priors, node.estimate = answered(node.position)
    for child, prior in zip(node.children, priors, strict=True):
        child.prior = prior


def look(node: Node) -> None:
    """Write the evaluation into a node."""
    state, chance, priors, lost = told(node.position)
    node.state, node.estimate = state, chance if state == OPEN else node.estimate
    if state == OPEN:
        for child, prior, is_lost in zip(node.children, priors, lost, strict=True):
            child.prior = prior
            child.state = WON if is_lost else child.state


def grow(position, rules, counter, count, more=0, later=None):
    """Run simulations in the kernel, with the evaluations and answers above; return the tree.

    After `count` simulations, `more` of them use the rules `later`.
    """
    tree, root = empty_tree(32), root_position(position)
    random = np.array([counter], np.uint64)
    while (count or more) and tree.state[0] == kernel.OPEN:
        if not count:
            count, more, rules = more, 0, later
        why, run, length = kernel.simulate(tree, root, rules, random, count)
        count -= run
        if why == kernel.FULL:
            tree = larger(tree)
        elif why != kernel.DONE:
            path = root.path[:length].tolist()
            seen = position
            for node in path[1:]:
                seen = seen.play(int(tree.cell[node]))
            writes = write if why == kernel.LOOK else write_answer
            writes(tree, path[-1], seen, root, rules, length)
    return tree


def write_answer(tree, node, position, root, rules, length):
    """Write a net's answer for a position into a node of the arrays."""
    priors, chance = answered(position)
    tree.stage[node] = kernel.ASKED
    tree.prior[children_of(tree, node)] = priors
    if chance is not None:
        kernel.record_estimate(tree, length, root.path, root.turn, rules.blend, chance)


def write(tree, node, position, root, rules, length):
    """Write the evaluation of a position into a node of the arrays."""
    state, chance, priors, lost = told(position)
    children = children_of(tree, node)
    tree.stage[node] = kernel.LOOKED
    if state != OPEN:
        tree.state[node] = state
        kernel.prove(tree, node)
        return
    kernel.record_estimate(tree, length, root.path, root.turn, rules.blend, chance)
    tree.prior[children] = priors
    tree.current[children] = 2 * priors
    for child in np.flatnonzero(lost) + children.start:
        tree.state[child] = WON
    decided = np.flatnonzero(tree.state[children] != OPEN)
    if decided.size:
        kernel.prove(tree, children.start + int(decided[0]))


def same(tree, number, node):
    """Assert that a node of the arrays and its subtree equal the definition's."""
    estimate = tree.estimates[number] if tree.estimates[number] >= 0 else None
    assert (tree.state[number], tree.visits[number]) == (node.state, node.visits)
    assert (tree.wins[number], estimate) == (node.wins, node.estimate)
    assert tree.rave_visits[number] == node.rave_visits
    assert tree.rave_wins[number] == node.rave_wins
    children = children_of(tree, number)
    assert children.stop - children.start == len(node.children)
    for child, other in zip(range(children.start, children.stop), node.children, strict=True):
        assert tree.cell[child] == other.cell
        assert tree.prior[child] == other.prior
        assert tree.parent[child] == number
        same(tree, child, other)


@pytest.mark.slow
@settings(deadline=None)
@given(positions(max_side=4).filter(opened), RULES, st.integers(0, 1 << 60))
def test_the_tree_of_the_kernel_equals_its_definition(position, rules, counter):
    """Every count of every node is the same after 60 simulations."""
    naive = NaiveTree(position, rules, counter, look, ask)
    for _ in range(60):
        naive.simulate()

    same(grow(position, rules, counter, 60), 0, naive.root)


@settings(deadline=None)
@given(positions(max_side=4).filter(opened), RULES, st.integers(0, 1 << 60))
@example(Position.of(Board(1, 2)), FULL_BOARDS, 0)
def test_a_full_tree_is_still_searched(position, rules, counter):
    """If no node gets children after 40 simulations, all counts still equal the definition's."""
    closed = rules._replace(expand_at=kernel.NO_ROOM)
    naive = NaiveTree(position, rules, counter, look, ask)
    for number in range(80):
        if number == 40:
            naive.rules = closed
        naive.simulate()

    same(grow(position, rules, counter, 40, 40, closed), 0, naive.root)


def test_a_search_with_the_maximum_of_nodes_runs_all_simulations(monkeypatch):
    """A search with the maximum number of nodes still runs all its simulations."""
    monkeypatch.setattr(searching, "MOST", 2 * searching.ROOM)
    numbers = TreeSettings(simulations=3000, look_at=None, expand_at=1)
    grown = TreeSearch(Position.of(Board(9, 9)), numbers)
    found = grown.run(np.random.default_rng(0))

    assert found.simulations == found.visits == 3000
    assert grown._tree.parent.size == 2 * searching.ROOM  # noqa: SLF001


def test_playouts_save_bridges():
    """If White intrudes into Black's bridge to the north, every playout has Black's reply."""
    position = Position.of(Board(3, 3)).play(4).play(1)
    root = root_position(position)
    assert place_of(2, 3) == 8
    for counter in range(20):
        stones, empties, spots = (root.stones.copy(), root.empties.copy(), root.spots.copy())
        random = np.array([counter], np.uint64)
        playout(0, place_of(1, 3), stones, root.steps, empties, spots, root.remaining, random)
        assert stones[place_of(2, 3)] == 1
        assert (stones.reshape(5, 5)[1:4, 1:4] > 0).all()


NET = random_net(1, 8, np.random.default_rng(5))


@pytest.mark.parametrize(
    "spec",
    [
        {"look_at": 8},
        {"look_at": None},
        {"playouts": False, "blend": 1.0},
        {"look_at": 8, "net": NET, "trust": 0.5},
        {"look_at": None, "net": NET, "trust": 1.0},
        {"look_at": 8, "patterns": some_weights(1)},
    ],
)
def test_equal_seeds_repeat_a_tree_search_exactly(spec):
    """The same seed gives the same result except for the time, and another seed another one."""
    position, numbers = Position.of(Board(8, 8)).play(10), TreeSettings(simulations=200, **spec)
    found = [TreeSearch(position, numbers).run(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    told = [(each.candidates, each.line, each.looks) for each in found]

    assert told[0] == told[1]
    assert told[0] != told[2] or spec.get("playouts") is False
    assert all(each.complete and each.simulations == 200 for each in found)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("simulations", 0),
        ("look_at", -1),
        ("ask_at", -5),
        ("expand_at", -3),
        ("prior", -1.0),
        ("prior", np.nan),
        ("trust", 1.5),
        ("worth", -0.5),
        ("heat", np.nan),
        ("heat", 0.001),
        ("rave", np.inf),
    ],
)
def test_numbers_out_of_range_are_refused(name, number):
    """The error names the setting."""
    with pytest.raises(ValueError, match=f"{name} out of range: "):
        TreeSettings(**{name: number})


def test_a_simulation_without_evaluation_counts_one_half(monkeypatch):
    """Without playouts and evaluations, every share is a half."""
    monkeypatch.setattr(TreeSearch, "_examine", lambda *_: False)
    numbers = TreeSettings(simulations=50, playouts=False, blend=1.0)
    found = TreeSearch(Position.of(Board(9, 9)), numbers).run(np.random.default_rng(0))

    assert found.visits == 50
    assert {each.share for each in found.candidates if each.visits} == {0.5}


def test_the_smallest_heat_gives_finite_priors():
    """At the smallest heat no share overflows, and nearly all prior goes to a few moves."""
    position = Position.of(Board(9, 9)).play(8).play(36)
    numbers = TreeSettings(simulations=100, look_at=8, heat=COLDEST)
    found = TreeSearch(position, numbers).run(np.random.default_rng(0))
    priors = sorted((each.prior for each in found.candidates), reverse=True)

    assert found.simulations == 100
    assert sum(priors[:6]) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("size", [6, 11])
def test_the_first_simulation_takes_the_move_with_the_largest_prior(size):
    """It once took the first empty cell, whose prior counted as much as any at a root of 0."""
    settings = TreeSettings(simulations=1, look_at=None, net=NET, trust=1.0)
    found = TreeSearch(Position.of(Board(size, size)).play(0), settings).run(
        np.random.default_rng(0)
    )
    (visited,) = [move for move in found.candidates if move.visits]

    assert visited.prior == max(move.prior for move in found.candidates)


def test_progress_is_reported_with_and_without_a_net(monkeypatch):
    """Progress has increasing counts and the best move so far, also between net requests."""
    monkeypatch.setattr(searching, "PAUSE", 0.0)
    position = Position.of(Board(9, 9)).play(10)
    for spec in ({"look_at": None}, {"look_at": None, "net": NET, "trust": 1.0}):
        told = []
        search = TreeSearch(position, TreeSettings(simulations=2000, **spec))
        found = search.run(np.random.default_rng(0), progress=told.append)
        counts = [each.counts.nodes for each in told]

        assert len(told) >= 3
        assert counts == sorted(counts)
        assert 0 <= counts[0] < counts[-1] <= found.simulations
        assert all(each.move in position.board.cells for each in told)


def test_a_late_evaluation_updates_only_its_own_node():
    """An evaluation after the search goes to its own node and leaves the root unchanged."""
    position = Position.of(Board(9, 9)).play(8)
    search = TreeSearch(position, TreeSettings(simulations=40, look_at=None, net=NET, trust=1.0))
    search.run(np.random.default_rng(0))
    tree, looker = search._tree, Looker(position, Limits(M=2, K=2))  # noqa: SLF001
    children = children_of(tree, 0)
    child = children.start + int(np.flatnonzero(tree.visits[children] == 0)[0])
    search._root.path[1] = 0  # noqa: SLF001 - as a simulation that ended elsewhere leaves it
    root = (tree.wins[0], tree.estimates[0])
    search._look([0, child], looker)  # noqa: SLF001

    assert (tree.wins[0], tree.estimates[0]) == root
    assert (tree.state[child], tree.stage[child]) == (OPEN, kernel.LOOKED)
    assert tree.estimates[child] >= 0


@settings(deadline=None, max_examples=60)
@given(
    early_positions((4, 4)).filter(opened),
    st.sampled_from([0, 1, 4]),
    st.sampled_from([{}, {"net": NET}, {"patterns": some_weights(0)}]),
)
def test_winners_proved_by_the_tree_match_the_solver(position, look_at, asked):
    """A winner that the tree proves, at the root or after a move, is the solver's.

    Connections are so limited that the tree has to search several moves deep.
    """
    weak = Limits(M=1, K=1, greedy_union=False)
    numbers = TreeSettings(simulations=100, look_at=look_at, expand_at=2, limits=weak, **asked)
    search = TreeSearch(position, numbers)
    found, solver = search.run(np.random.default_rng(1)), Solver(position.board)

    assert found.winner in {None, solver.outcome(position)}
    for candidate in found.candidates:
        after = position.play(candidate.cell)
        assert candidate.winner in {None, solver.outcome(after)}


@settings(deadline=None)
@given(positions(max_side=4).filter(opened), RULES, st.data())
def test_the_subtree_of_a_new_root_is_copied_unchanged(position, rules, data):
    """The subtree of the new root is copied unchanged, including the parents."""
    tree = grow(position, rules, 1, 80)
    node = data.draw(st.integers(0, int(tree.counts[0]) - 1))
    kept = below(tree, node)
    pairs, fields = [(node, 0)], ("state", "visits", "wins", "rave_visits", "rave_wins")

    for old, new in pairs:
        for name in (*fields, "prior", "estimates", "current", "stage", "children"):
            assert getattr(tree, name)[old] == getattr(kept, name)[new]
        olds, news = children_of(tree, old), children_of(kept, new)
        for child, other in zip(
            range(olds.start, olds.stop), range(news.start, news.stop), strict=True
        ):
            assert (tree.cell[child], new) == (kept.cell[other], kept.parent[other])
            pairs.append((child, other))
    assert kept.counts[0] == len(pairs)


@pytest.mark.parametrize(("look_at", "ask_at"), [(99, 0), (20, 1000)])
def test_priors_are_the_nets_policy_at_their_node(look_at, ask_at):
    """The priors below a node are the net's policy, whether it is asked there or evaluated."""
    position, said = Position.of(Board(5, 6)).play(0), NetEvaluator(NET, Board(5, 6))
    numbers = TreeSettings(simulations=300, expand_at=2, look_at=look_at, net=NET, ask_at=ask_at)
    search = TreeSearch(position, numbers)
    search._looker = Blind()  # noqa: SLF001 - H-search would prove all of it
    search.run(np.random.default_rng(0))
    tree, asked, nodes = search._tree, 0, [(0, position)]  # noqa: SLF001

    for node, here in nodes:
        children = children_of(tree, node)
        if tree.stage[node] == kernel.UNSEEN:
            assert not tree.children[node] or 0 < tree.visits[node] <= look_at < ask_at
            continue
        asked += 1
        policy = said.evaluate(here).policy
        assert np.allclose(tree.prior[children], policy[tree.cell[children]])
        nodes += [
            (child, here.play(int(tree.cell[child])))
            for child in range(children.start, children.stop)
        ]
    assert asked > (20 if look_at > ask_at else 3)


class Blind:
    """An evaluator that leaves every move open and prefers none."""

    def look(self, _moves):
        """Return the same open evaluation for any moves."""
        return CircuitAssessment(None, 0, 0.0, moves=tuple(range(30)), flow=np.zeros(30))


def test_a_search_resumes_at_the_current_position():
    """After two moves, the visits below them remain, and the search is of the new position."""
    position = Position.of(Board(9, 9))
    search = TreeSearch(position, TreeSettings(simulations=500, look_at=16, expand_at=4))
    first, second = search.run(np.random.default_rng(0)).line[:2]
    search.advance([first, second])
    found = search.run(np.random.default_rng(0))

    assert search.position == position.play(first).play(second)
    assert sum(candidate.visits for candidate in found.candidates) > found.simulations


@pytest.mark.parametrize("marks", [0.5, 3.5])
def test_stored_marks_are_bounded_and_change_no_result(marks, monkeypatch):
    """Marks stay within a bound and change no result; a hundred took 4.6 GB on 26x26."""
    position = Position.of(Board(7, 7)).play(3)
    numbers = TreeSettings(simulations=300, look_at=4, expand_at=2)
    plain = TreeSearch(position, numbers)
    found = plain.run(np.random.default_rng(0))
    most = int(marks * max(mark.bytes for mark in plain._looker._marks.values()))  # noqa: SLF001
    with monkeypatch.context() as patch:
        patch.setattr(tree_room, "MOST_BYTES", most)
        bound = TreeSearch(position, numbers)
        again = bound.run(np.random.default_rng(0))
    kept = [mark.bytes for mark in bound._looker._marks.values()]  # noqa: SLF001
    counted = [bound._looker._bytes]  # noqa: SLF001
    bound.advance(found.line[:1])
    left = [mark.bytes for mark in bound._looker._marks.values()]  # noqa: SLF001
    counted.append(bound._looker._bytes)  # noqa: SLF001
    twice = Looker(position, numbers.limits)
    for _ in range(2):
        twice.look([24])

    assert len(plain._looker._marks) > 20  # noqa: SLF001
    assert sum(kept) <= most
    assert counted == [sum(kept), sum(left)]
    assert [mark.bytes for mark in twice._marks.values()] == [twice._bytes]  # noqa: SLF001
    assert len(kept) >= int(marks)
    assert (again.candidates, again.line, again.looks) == (
        found.candidates,
        found.line,
        found.looks,
    )


def test_an_interrupted_advance_leaves_the_search_unchanged(monkeypatch):
    """Tree, position and evaluations stay consistent."""
    position = Position.of(Board(5, 5))
    search = TreeSearch(position, TreeSettings(simulations=50, look_at=16, expand_at=4))
    before = search.run(np.random.default_rng(0))
    with monkeypatch.context() as patch:
        patch.setattr(SearchPosition, "mark", _stop)
        with pytest.raises(Stopped):
            search.advance(before.line[:1])
    found = search.run(np.random.default_rng(0))

    assert search.position == found.position == position
    assert {each.cell for each in found.candidates} == set(position.board.cells)
    assert found.visits == before.visits + found.simulations


def _stop(_line):
    raise Stopped
