"""Compare the tree's proofs with the solver's on random positions of some boards.

    python tests/research/tree_verdicts.py 250
    python tests/research/tree_verdicts.py 250 patterns
    python tests/research/tree_verdicts.py 334 net 6 7 8

The tree uses playouts, patterns or the net. The boards are squares of the given sides, 7 by
default. The root and every decided move are compared. It prints the number of comparisons and each
difference; there must be none.
"""

import sys
from dataclasses import replace

from hsearch.hex.board import Board
from player.evaluate.int8 import is_installed
from player.evaluate.net import load_net
from player.evaluate.patterns import load_patterns
from player.search.settings import defaults
from player.search.tree import BY_PATTERNS, TreeSettings, net_alone
from player.study.learning import verdicts

SIMULATIONS = 400
SETTINGS = TreeSettings(simulations=SIMULATIONS, look_at=8, expand_at=2)


def settings_of(asked: str, board: Board) -> TreeSettings:
    """Return the settings of a tree with the net, with patterns, or with playouts alone."""
    if asked == "net":
        net = load_net()
        assert net is not None
        alone = net_alone(net, int8=is_installed(), limits=defaults(board).limits)
        return replace(alone, simulations=SIMULATIONS)
    if asked == "patterns":
        return replace(SETTINGS, **BY_PATTERNS, patterns=load_patterns())
    return SETTINGS


def main(count: int, asked: str = "", *sides: str) -> None:
    """Compare the verdicts on `count` positions of each board."""
    for side in map(int, sides or ["7"]):
        board = Board(side, side)
        found = [e for told in verdicts(board, settings_of(asked, board), count) for e in told]
        wrong = [each for each in found if not each.is_same]
        for each in wrong:
            print(f"the solver says otherwise of\n{each.position}")  # noqa: T201
        decided = f"{len(found)} positions and moves decided, {len(wrong)} differ"
        print(f"{board}: {count} positions: {decided}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
