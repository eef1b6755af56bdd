"""The dialect of Little Golem: the moves of whoever plays first are written W.

We call the first player Black, so the moves of such a record are read with the
colors exchanged. What names the players there (PB, PW, BR, WR, RE) already calls
the first player black, and stays as it is::

    (;PB[first]PW[second]RE[W];W[ac];B[ie];W[resign])
"""

from hsearch.formats.sgf.grammar import RawNode

_OTHER = {"B": "W", "W": "B"}


def is_white_first(nodes: list[RawNode]) -> bool:
    """Return whether a record without GM and without setup begins with a two-letter W move."""
    if nodes[0].properties.keys() & {"GM", "AB", "AW", "PL"}:
        return False
    for index, node in enumerate(nodes):
        if node.parent != index - 1:
            return False
        for raw in node.properties.values():
            if raw.name in {"B", "W"}:
                return raw.name == "W" and raw.values[0].text.strip().isalpha()
    return False


def exchange_moves(nodes: list[RawNode]) -> None:
    """Give each move to the other player."""
    for node in nodes:
        for raw in node.properties.values():
            raw.name = _OTHER.get(raw.name, raw.name)
        node.properties = {raw.name: raw for raw in node.properties.values()}
