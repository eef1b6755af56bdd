"""Which of the two swaps a record means.

Programs disagree about the words: some write `swap-pieces` and mean that the
players trade colors. The next move tells. If it has the color that swapped,
sides were swapped; if it has the other color, pieces were. At the end of a
record the word is believed, and a bare `swap` is one of pieces. `swap-sides` is
believed, too, if `PL` says before the next move whose turn it is.
"""

from collections.abc import Sequence
from dataclasses import replace

from hsearch.board import Color
from hsearch.game import Move, Node, Special

_SWAPS = {Special.SWAP_PIECES, Special.SWAP_SIDES}


def settle_swaps(
    nodes: Sequence[Node], words: Sequence[str | None], *, pieces_is_sides: bool = False
) -> tuple[list[Node], list[tuple[int, str]]]:
    """Return the nodes with each swap as it is meant, and notes on those that were unclear.

    `words` are the moves as they were written. `pieces_is_sides` says that the
    program that wrote them, as HexGui, means sides by `swap-pieces`. A note is a
    node's number and a text.
    """
    settled, notes = list(nodes), []
    for index, node in enumerate(nodes):
        if node.move is None or node.move.action not in _SWAPS:
            continue
        action = node.move.action
        if pieces_is_sides and words[index] == Special.SWAP_PIECES.value:
            action = Special.SWAP_SIDES
        following = _next_color(nodes, index, after_turn=action is Special.SWAP_PIECES)
        if following is not None:
            same = following is node.move.color
            action = Special.SWAP_SIDES if same else Special.SWAP_PIECES
        if isinstance(action, Special) and words[index] != action.value:
            notes.append((index, f"{words[index]!r} is read as {action.value!r}"))
        settled[index] = replace(node, move=Move(node.move.color, action))
    return settled, notes


def _next_color(nodes: Sequence[Node], index: int, *, after_turn: bool) -> Color | None:
    """Return the color of the next move of the line that a node begins.

    `after_turn` tells whether to look beyond a node that says whose turn it is.
    """
    for number in range(index + 1, len(nodes)):
        if nodes[number].parent != number - 1:
            return None
        if nodes[number].turn is not None and not after_turn:
            return None
        move = nodes[number].move
        if move is not None:
            return None if move.gives_up else move.color
    return None
