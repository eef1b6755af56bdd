"""Whether what the tree proves is what the solver says, on random positions of 7x7.

    python tests/research/tree_verdicts.py 250
    python tests/research/tree_verdicts.py 250 patterns

Compared are the root and every move that is decided. It prints how many there were,
and each difference; there must be none.
"""

import sys
from dataclasses import replace

from hsearch.hex.board import Board
from player.net.patterns import shipped_patterns
from player.search.tree import BY_PATTERNS, TreeSettings
from player.study.gate import verdicts

SETTINGS = TreeSettings(simulations=400, look_at=8, expand_at=2)


def main(count: int, asked: str = "") -> None:
    """Compare the verdicts on this many positions, of a tree that asks patterns or nothing."""
    patterns = BY_PATTERNS | {"patterns": shipped_patterns()} if asked == "patterns" else {}
    settings = replace(SETTINGS, **patterns)
    found = [each for told in verdicts(Board(7, 7), settings, count) for each in told]
    wrong = [each for each in found if not each.is_same]
    for each in wrong:
        print(f"the solver says otherwise of\n{each.position}")  # noqa: T201
    roots = sum(each.is_root for each in found)
    moves = len(found) - roots
    print(f"{count} positions: {roots} roots and {moves} moves decided, {len(wrong)} differ")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
