"""Best-first search with patterns: the value of a simulation, and the priors of moves."""

import numpy as np
import pytest
from naive_patterns import some_weights, worth
from plain_patterns import forward

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.net import random_net
from player.kernels import tree as kernel
from player.search.line import CircuitAssessment
from player.search.tree import TreeSearch, TreeSettings
from player.search.tree_room import children_of

NET = random_net(1, 8, np.random.default_rng(5))
PATTERNS = some_weights(2)


def drawn(position, last, currents, heat):
    """Return the priors of all empty cells: the softmax of patterns plus currents."""
    cells = list(position.empty.search(1))
    logits = forward(PATTERNS, position, last).draws[cells].astype(float)
    shares = np.exp(logits + np.array([currents[cell] for cell in cells]) / heat)
    return shares / shares.sum()


def test_a_simulation_is_scored_by_patterns_at_its_leaf():
    """Without playouts, the wins of a node are its own chances plus those of its subtree."""
    position = Position.of(Board(4, 5)).play(3)
    numbers = TreeSettings(
        simulations=60, look_at=None, expand_at=1, playouts=False, blend=1.0,
        patterns=PATTERNS, worth=1.0, heat=0.5, prior=1.0,
    )  # fmt: skip
    search = TreeSearch(position, numbers)
    search._looker = Flowing(np.zeros(20))  # noqa: SLF001 - H-search would prove all of it
    search.run(np.random.default_rng(0))
    tree, nodes = search._tree, [(0, position, None)]  # noqa: SLF001
    blacks = np.zeros(int(tree.counts[0]))  # Black's value of a simulation that ended at the node

    for node, here, last in nodes:
        children = children_of(tree, node)
        if tree.visits[node]:
            chance = worth(PATTERNS, here)
            blacks[node] = chance if here.turn is Color.BLACK else 1 - chance
        if node and tree.children[node]:
            expected = drawn(here, last, np.zeros(20), 0.5)
            assert np.allclose(tree.prior[children], expected, atol=1e-5)
        nodes += [
            (child, here.play(int(tree.cell[child])), int(tree.cell[child]))
            for child in range(children.start, children.stop)
        ]
    for node, here, _ in nodes[1:]:
        below_it = range(children_of(tree, node).start, children_of(tree, node).stop)
        black = (
            float(tree.wins[node])
            if here.turn is Color.WHITE
            else (tree.visits[node] - float(tree.wins[node]))
        )
        for child in below_it:
            wins = float(tree.wins[child])
            black -= wins if here.turn is Color.BLACK else tree.visits[child] - wins
        alone = int(tree.visits[node]) - sum(int(tree.visits[child]) for child in below_it)
        assert black == pytest.approx(alone * blacks[node], abs=1e-6)
    assert (tree.visits > 1).sum() > 5


def test_priors_combine_patterns_and_weak_links():
    """Priors combine both at nodes that H-search has evaluated, and at those below."""
    position = Position.of(Board(4, 5)).play(3)
    flow = np.random.default_rng(3).random(20)
    numbers = TreeSettings(simulations=200, look_at=8, expand_at=2, patterns=PATTERNS, heat=0.4)
    search = TreeSearch(position, numbers)
    search._looker = Flowing(flow)  # noqa: SLF001 - H-search would prove all of it
    search.run(np.random.default_rng(0))
    tree, nodes = search._tree, [(0, position, None)]  # noqa: SLF001
    looked = 0

    for node, here, last in nodes:
        children = children_of(tree, node)
        if tree.children[node]:
            expected = drawn(here, last, flow, 0.4)
            assert np.allclose(tree.prior[children], expected, atol=1e-5)
            looked += tree.stage[node] == kernel.LOOKED
        nodes += [
            (child, here.play(int(tree.cell[child])), int(tree.cell[child]))
            for child in range(children.start, children.stop)
        ]
    assert looked > 3


class Flowing:
    """An evaluator that leaves every move open, with constant currents."""

    def __init__(self, flow):
        self.flow = flow

    def look(self, _moves):
        """Return the same evaluation for any moves."""
        return CircuitAssessment(None, 0, 0.0, moves=tuple(range(self.flow.size)), flow=self.flow)


def test_a_later_evaluation_changes_simulations_by_its_share():
    """A later evaluation changes earlier simulations only by its share in the mixture."""
    position = Position.of(Board(5, 5)).play(8)
    numbers = TreeSettings(
        simulations=40, look_at=None, expand_at=1, playouts=False, blend=1.0,
        patterns=PATTERNS, worth=0.75,
    )  # fmt: skip
    search = TreeSearch(position, numbers)
    search._looker = Flowing(np.zeros(25))  # noqa: SLF001
    search.run(np.random.default_rng(0))
    tree = search._tree  # noqa: SLF001
    children = children_of(tree, 0)
    child = children.start + int(tree.visits[children].argmax())
    before, known = float(tree.wins[child]), float(tree.estimates[0])
    search._record_estimate(np.array([0, child]), Color.BLACK, 1.0)  # noqa: SLF001 - Black is to move there
    more = float(tree.visits[child]) * 0.25 * (1.0 - known)

    assert position.turn is Color.WHITE
    assert float(tree.wins[child]) == pytest.approx(before - more)


def test_patterns_and_a_net_cannot_be_combined():
    """Patterns and a net cannot be combined, as their values would conflict."""
    with pytest.raises(ValueError, match="patterns are for a search without a net"):
        TreeSettings(net=NET, patterns=PATTERNS)


def test_patterns_use_the_last_move_of_the_game():
    """Priors use the last move at the root of an advanced search, even if no tree is left."""
    position = Position.of(Board(4, 5)).play(3)
    numbers = TreeSettings(simulations=5, look_at=None, patterns=PATTERNS, heat=0.4)
    search = TreeSearch(position, numbers)
    search.advance([9])
    search._looker = Flowing(np.zeros(20))  # noqa: SLF001 - H-search would prove all of it
    search.run(np.random.default_rng(0))
    found = search._tree.prior[children_of(search._tree, 0)]  # noqa: SLF001
    known, unknown = (drawn(position.play(9), last, np.zeros(20), 0.4) for last in (9, None))

    assert np.allclose(found, known, atol=1e-5)
    assert not np.allclose(found, unknown, atol=1e-3)
