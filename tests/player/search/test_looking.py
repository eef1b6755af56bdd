"""Evaluations anywhere in a tree equal those of a search that plays only the moves to the node."""

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import positions

from hsearch.connect.limits import Limits
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition
from player.search.tree_room import Looker


@settings(deadline=None)
@given(positions(max_side=5), st.randoms(use_true_random=False))
def test_an_evaluation_does_not_depend_on_earlier_evaluations(position, chance):
    """After some moves, the evaluation is that of a search that has played only these.

    This also holds after the root has moved, to an evaluated node or to another one.
    """
    limits, played, root = Limits(M=6, K=3), [()], []
    looker = Looker(position, limits)
    for number in range(12):
        moves = list(chance.choice(played))
        cells = [cell for cell in position.empty.search(1) if cell not in root + moves]
        moves += chance.sample(cells, min(len(cells), chance.randrange(3)))
        if number in {5, 9}:
            looker.advance(moves)
            root += moves
            count = len(moves)
            played = [(), *(each[count:] for each in played if list(each[:count]) == moves)]
            continue
        alone = SearchPosition(position, limits, weak_links)
        for cell in root + moves:
            alone.play(cell)
        played.append(moves)

        assert looker.look(moves) == alone.probe()
