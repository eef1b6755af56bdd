"""Sizes of the trees compared with OpenSpiel, if it is installed."""

import pytest

from hsearch.hex.board import Board
from player.dark import tree
from player.dark.rules import Base, DarkRules, Noise

pyspiel = pytest.importorskip("pyspiel")


def walk(columns, rows, version, observations):
    """Return OpenSpiel's numbers of nodes, ends and information states of each player."""
    game = pyspiel.load_game(
        "dark_hex",
        {"gameversion": version, "num_rows": rows, "num_cols": columns, "obstype": observations},
    )
    nodes, ends = 0, 0
    known = (set(), set())
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        nodes += 1
        if state.is_terminal():
            ends += 1
            continue
        player = state.current_player()
        known[player].add(state.information_state_string(player))
        todo.extend(state.child(action) for action in state.legal_actions())
    return nodes, ends, tuple(map(len, known))


@pytest.mark.slow
@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize(
    ("base", "noise", "version", "observations"),
    [
        (Base.ABRUPT, Noise.SILENT, "adh", "reveal-nothing"),
        (Base.CLASSIC, Noise.NOISY, "cdh", "reveal-numturns"),
    ],
)
def test_open_spiel_has_the_same_tree(columns, base, noise, version, observations):
    """Abrupt silent is the same game, and so is classic noisy if OpenSpiel counts attempts."""
    game = tree.build(DarkRules(Board(columns, 2), base, noise))
    found = walk(columns, 2, version, observations)

    assert found == (
        game.nodes, len(game.outcome), tuple(len(side.parent) for side in game.sides)
    )  # fmt: skip
