"""Records of Dark Hex.

A stone that was placed is a move. A collision is a node of its own, with the
cell in the private property XD and who moves next as its turn, so that other
readers show the stones and pass over the rest.

A game under way is *sealed* where it is saved: nobody who looks at the file
sees stones there. All attempts stand in the private property XA, packed; that
hides them from a glance, not from someone who wants to cheat.
"""

import base64
import zlib
from dataclasses import replace

from hsearch.board import Cell, Color
from hsearch.files import strict
from hsearch.game import Game, Move, Node, Special
from hsearch.game.node import HIDDEN
from player.dark.information import Play
from player.dark.rules import DarkRules, IllegalAttemptError

COLLISION = "XD"
MOST_PACKED = 100_000  # bytes of what is sealed: more than any game has
SEALED = "The attempts are sealed while the game goes on: hidden from sight, not locked away."


def replayed(rules: DarkRules, game: Game) -> Play:
    """Return the game of a record.

    Raise ValueError, naming the attempt, where the record contradicts the rules.
    """
    play = Play(rules)
    for number, node in enumerate(game.main_line):
        cell, is_stone = _attempt(game, node)
        if node.is_setup:
            raise ValueError("a game of hidden stones starts from the empty board")
        if cell is None:
            continue
        name = game.board.name(cell)
        if node.move is not None and node.move.color is not play.state.turn:
            raise ValueError(f"node {number}: {node.move.color.word} {name}: out of turn")
        before = play.state
        try:
            play = play.attempt(cell)
        except IllegalAttemptError as error:
            raise ValueError(f"node {number}: {error}") from None
        if is_stone is (before.stones == play.state.stones):
            what = "a stone on a hidden stone" if is_stone else "a collision with nothing"
            raise ValueError(f"node {number}: {before.turn.word} {name}: {what}")
        if not is_stone and node.turn is not play.state.turn:
            due = play.state.turn.word
            raise ValueError(
                f"node {number}: {before.turn.word} {name}: PL has to say that {due} is next"
            )
    return play


def attempted(game: Game, play: Play, cell: Cell) -> tuple[Game, Play]:
    """Return record and game after the player to move attempts a cell.

    Raise IllegalAttemptError when they know the cell to be occupied.
    """
    after, color = play.attempt(cell), play.state.turn
    if after.state.stones != play.state.stones:
        return game.append(Move(color, cell)), after
    properties = ((COLLISION, (game.board.name(cell),)),)
    return game.append_node(Node(turn=after.state.turn, properties=properties)), after


def words(game: Game) -> tuple[str, ...]:
    """Return all attempts, as `black b2` or `white b2 collision`."""
    found, color = [], Color.BLACK
    for node in game.main_line:
        cell, _ = _attempt(game, node)
        if node.move is not None:
            found.append(f"{node.move.color.word} {node.move.name(game.board)}")
            color = node.move.next_color
        elif cell is not None and node.turn is not None:
            found.append(f"{color.word} {game.board.name(cell)} collision")
            color = node.turn
    return tuple(found)


def sealed(game: Game) -> Game:
    """Return a record that hides its attempts."""
    attempts = (_attempt(game, node)[0] for node in game.main_line)
    cells = [game.board.name(cell) for cell in attempts if cell is not None]
    text = base64.b64encode(zlib.compress(strict.write(cells).encode(), 9)).decode()
    root = Node(comment=SEALED, properties=((HIDDEN, (text,)),))
    return replace(game, nodes=(root,), cursor=None)


def opened(rules: DarkRules, game: Game) -> Game:
    """Return the record of a sealed one; another stays as it is.

    Raise ValueError when what is sealed is damaged or no game.
    """
    text = game.nodes[0].sealed
    if text is None:
        return game
    result, play = replace(game, nodes=(Node(),), cursor=None), Play(rules)
    try:
        for name in _unpacked(text):
            result, play = attempted(result, play, game.board.cell(name))
    except (ValueError, zlib.error) as error:
        raise ValueError(f"the sealed attempts are damaged: {error}") from None
    return result


def _unpacked(text: str) -> list[str]:
    unpacking = zlib.decompressobj()
    packed = unpacking.decompress(base64.b64decode(text, validate=True), MOST_PACKED)
    if not unpacking.eof:
        raise ValueError(f"cut, or longer than {MOST_PACKED} bytes")
    return strict.read(packed, list[str])


def _attempt(game: Game, node: Node) -> tuple[Cell | None, bool]:
    """Return what was attempted at a node, None if nothing was, and whether a stone was placed."""
    if node.move is not None:
        action = node.move.action
        if isinstance(action, Special):
            if action is not Special.RESIGN:
                raise ValueError(f"{action.value} is no move of Dark Hex")
            return None, False
        return action, True
    for name, values in node.properties:
        if name == COLLISION:
            return game.board.cell(values[0]), False
    return None, False
