"""Hypothesis strategies for game records and for damaged texts."""

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st
from hypothesis.vendor import pretty
from strategies import boards

from hsearch.formats.sgf_tree import INFO, escape
from hsearch.hex.board import Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position
from hsearch.hex.tree import GameNode, follow


def _whole(game: Game, printer: Any, _cycle: bool) -> None:  # noqa: FBT001
    """Print the whole game that breaks a property; its `repr` is one short line."""
    parts = (f"{field.name}={getattr(game, field.name)!r}" for field in fields(game))
    printer.text(f"Game({', '.join(parts)})")


pretty.for_type_by_name(Game.__module__, Game.__name__, _whole)

CHARACTERS = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | st.sampled_from(
    "[]\\:;()"
)
LINES = st.text(CHARACTERS, max_size=8)
TEXTS = st.text(CHARACTERS | st.just("\n"), max_size=12)
PROPERTIES = st.lists(
    st.tuples(
        st.sampled_from(["TR", "LB", "GB", "KO", "XB", "N"]),
        st.lists(TEXTS.map(escape) | st.sampled_from(["c3:x", r"a\:b:c", ""]), min_size=1).map(
            tuple
        ),
    ),
    max_size=2,
    unique_by=lambda entry: entry[0],
).map(tuple)
INFOS = st.lists(
    st.tuples(st.sampled_from(sorted(INFO)), LINES), max_size=3, unique_by=lambda entry: entry[0]
).map(tuple)


@st.composite
def games(draw: st.DrawFn, max_side: int = 5) -> Game:
    """Return games without setup in which the players alternate, swap, pass and resign.

    Half of the boards are square, as stones can be swapped on no other.
    """
    board = draw(boards(max_side) | boards(max_side, square=True))
    cells = draw(st.permutations(board.cells))
    actions = list(cells[: draw(st.integers(0, board.size))])
    for place in draw(st.lists(st.integers(0, len(actions)), max_size=2)):
        actions.insert(place, Special.PASS)
    swaps = [Special.SWAP_SIDES, *[Special.SWAP_PIECES] * (board.columns == board.rows)]
    if actions and actions[0] is not Special.PASS and draw(st.booleans()):
        actions.insert(1, draw(st.sampled_from(swaps)))
        mirrored = board.transpose(actions[0])
        if actions[1] is Special.SWAP_PIECES and mirrored in actions[2:]:
            actions[actions.index(mirrored, 2)] = actions[0]
        if actions[1] is Special.SWAP_PIECES:
            actions[2:] = [a for a in dict.fromkeys(actions[2:]) if a != mirrored]
    if draw(st.booleans()):
        actions.append(draw(st.sampled_from([Special.RESIGN, Special.FORFEIT])))
    return Game.of(board, actions)


@st.composite
def trees(draw: st.DrawFn, max_side: int = 4, max_nodes: int = 9) -> Game:
    """Return games with variations, setup, moves out of turn, comments and foreign properties."""
    board = draw(boards(max_side))
    nodes, path = [], [(-1, Position.of(board))]
    for index in range(draw(st.integers(1, max_nodes))):
        if index and draw(st.integers(0, 2)) == 2:
            del path[draw(st.integers(2, len(path))) :]
        parent, position = path[-1]
        given_up = any(nodes[i].move and nodes[i].move.gives_up for i, _ in path[1:])
        kind = draw(
            st.sampled_from(["setup", "setup", "turn", "none"] + ["move"] * (4 * (not given_up)))
        )
        extra = draw(st.tuples(TEXTS, PROPERTIES))
        node = GameNode(parent, comment=extra[0], properties=extra[1])
        node = _filled(draw, node, position, kind)
        nodes.append(node)
        position = follow(position, node)
        path.append((index, position))
    return Game(board, tuple(nodes), draw(INFOS))


def _filled(draw: st.DrawFn, node: GameNode, position: Position, kind: str) -> GameNode:
    cells = list(position.board.cells)
    empty = list(position.empty.search(1))
    rest = {"parent": node.parent, "comment": node.comment, "properties": node.properties}
    if kind == "setup":
        owners = draw(st.lists(st.sampled_from("...BWE"), min_size=len(cells), max_size=len(cells)))
        black, white, cleared = (
            tuple(cell for cell in cells if owners[cell] == owner) for owner in "BWE"
        )
        return GameNode(black=black, white=white, cleared=cleared, **rest)
    if kind == "turn":
        return GameNode(turn=draw(st.sampled_from(Color)), **rest)
    if kind == "move":
        specials = [Special.PASS, Special.RESIGN, Special.FORFEIT]
        action = draw(st.sampled_from(empty or specials) | st.sampled_from(specials))
        color = draw(st.sampled_from([position.turn, position.turn, position.turn.opponent]))
        return GameNode(move=Move(color, action), **rest)
    return GameNode(**rest)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """Return a text that was cut, or in which some stretches were replaced or repeated."""
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        inner = draw(
            st.sampled_from(
                ["", "(", ")", ";", "[", "]", "\\", ":", "9", "z", "B", "\n", " ", "\0"]
            )
            | st.just(text[start:end] * 2)
            | st.text(max_size=4)
        )
        text = text[:start] + inner + text[end:]
    if draw(st.booleans()):
        text = text[: draw(st.integers(0, len(text)))]
    return text
