"""The dialect of Little Golem: whoever moves first joins top and bottom.

There a record may begin with W. We call the first player Black, so such a
record is read with the colors exchanged everywhere.
"""

from hsearch.formats.sgf.grammar import RawNode, RawValue

_PAIRS = ("B W", "AB AW", "PB PW", "BR WR", "BT WT", "BL WL", "OB OW", "GB GW")
_OTHER = {name: other for pair in map(str.split, _PAIRS) for name, other in (pair, reversed(pair))}
_RESULT = str.maketrans("BW", "WB")


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


def exchange_colors(nodes: list[RawNode]) -> None:
    """Exchange Black and White in all properties that speak of them."""
    for node in nodes:
        for raw in node.properties.values():
            raw.name = _OTHER.get(raw.name, raw.name)
            if raw.name in {"RE", "PL"}:
                raw.values = [_exchanged(value) for value in raw.values]
        node.properties = {raw.name: raw for raw in node.properties.values()}


def _exchanged(value: RawValue) -> RawValue:
    """Return a result or a color with its first letter exchanged: `B+Resign`, `W`."""
    return RawValue(value.text[:1].translate(_RESULT) + value.text[1:], value.offset)
