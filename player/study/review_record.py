"""A reviewed record: the game with comments, marks and better lines in it."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from hsearch.analysis.circuit import circuits
from hsearch.connect.closure import closure
from hsearch.connect.connection import Connection
from hsearch.connect.deduction import expand
from hsearch.connect.limits import Limits
from hsearch.hex.board import Cell, CellSet, Color
from hsearch.hex.game import Game, Move, Node
from hsearch.hex.position import Position, winner
from player.search.hold import WinningStrategy, start
from player.solve.solver import Solver
from player.study.review import MoveReview, Review, ReviewedPosition, Verdict, line_of_play, summary

# Lines that play out a proved win: a few moves for the record.
#
# The winner follows the proof, the loser plays where the current is strongest
# inside of what the winner still needs.

LONGEST = 10
_NODES = 200  # for the solver, whose table knows the way already


def winning_line(
    position: Position,
    won_by: Color,
    known: Connection | None,
    solver: Solver | None,
    limits: Limits,
    cancel: threading.Event | None = None,
) -> tuple[Cell, ...]:
    """Return moves from a position that a player wins, the player to move first."""
    line: list[Cell] = []
    connection = known
    while len(line) < LONGEST and winner(position) is None:
        if connection is None:
            connection = _connection(position, won_by, limits)
        if connection is not None:
            return tuple(line + _held(position, won_by, connection, LONGEST - len(line)))
        move = _solved(position, won_by, solver, cancel)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _connection(position: Position, won_by: Color, limits: Limits) -> Connection | None:
    """Return what H-search has that wins for a player, if it has anything."""
    store = closure(position, won_by, limits)
    semis = store.edge_semis if position.turn is won_by else []
    return next(iter(store.edge_fulls or semis), None)


def _solved(
    position: Position, won_by: Color, solver: Solver | None, cancel: threading.Event | None
) -> Cell | None:
    """Return the winner's move as the solver knows it, or the strongest try of the loser."""
    if position.turn is not won_by:
        return _strongest(position, position.empty)
    if solver is None:
        return None
    answer = solver.solve(position, nodes=_NODES, cancel=cancel)
    return next(iter(answer.winning_moves), None)


def _held(position: Position, won_by: Color, connection: Connection, most: int) -> list[Cell]:
    """Return moves in which a player holds a connection, a semi from its key on."""
    connection = expand(position, won_by, connection)
    line: list[Cell] = []
    hold: WinningStrategy
    if connection.key is not None:
        key, hold = start(connection)
        line.append(key)
        position = position.play(key)
    else:
        hold = WinningStrategy.of(connection)
    while len(line) < most and not hold.is_done and winner(position) is None:
        if position.turn is won_by:
            cell, hold = hold.reply(line[-1] if line else None)
        else:
            cell = _strongest(position, hold.carrier(position.board) & position.empty)
        if not position.is_legal(cell):
            break  # the hold names what is played already: nothing more to show
        line.append(cell)
        position = position.play(cell)
    return line


def _strongest(position: Position, cells: CellSet) -> Cell:
    """Return the weakest link among some cells."""
    return next(cell for cell, _ in circuits(position).weak_links if cells[cell])


# The record: comments, marks that every SGF reader knows, variations.
#
# Marks stand for what is true. BM is a proved mistake, DO a move after which a
# win is no longer proved, or that is proved to lose where it is not known whether another
# holds, TE the only move that wins, HO the turning point. On the board TR are
# moves that are proved to win, SQ the rest of a must-play region, and 1 to 3 the
# weakest links where nothing is proved. GB[2] and GW[2] say that Black or White is
# proved to win.

SIGN = "hsearch review: "
LONGEST_LINE = 10
_OURS = frozenset({"BM", "DO", "TE", "HO", "GB", "GW", "TR", "SQ", "LB"})
_DOUBTFUL = {Verdict.PROVED_LOSS, Verdict.MISSED_WIN, Verdict.UNPROVED}
_POINTS = frozenset({"TR", "SQ", "CR", "MA", "SL"})  # one of them a point, says FF[4]


@dataclass(slots=True)
class _Tree:
    """A node with those that follow it, the main line first. Holds state."""

    node: Node
    children: list["_Tree"] = field(default_factory=list)


def annotated(reviewed: Review) -> Game:
    """Return the game with the review: the same main line, and more variations."""
    trees = [_Tree(node) for node in reviewed.game.nodes]
    for tree in trees[1:]:
        if not _is_ours(tree.node):
            trees[tree.node.parent].children.append(tree)
    line = [trees[0]]
    while line[-1].children:
        line.append(line[-1].children[0])
    moves = 0
    for index, tree in enumerate(line):
        has_move = tree.node.move is not None
        moves += has_move
        is_last = index + 1 == len(line) or line[index + 1].node.move is not None
        move = reviewed.moves[moves - 1] if has_move else None
        state = reviewed.states[moves] if is_last else None
        is_end = index + 1 == len(line)
        tree.node = _noted(reviewed, tree.node, move, state, is_end=is_end)
        if index == 0 and move is None:
            tree.node = _with_comment(tree.node, " ".join(summary(reviewed)))
        if move is not None and move.refutation and index + 1 < len(line):
            words = f"{_name(move.move.color.opponent)} wins so"
            tree.children.append(_variation(move.move.color.opponent, move.refutation, words))
        if move is not None and move.better and index:
            words = f"{_name(move.move.color)} wins for sure so"
            line[index - 1].children.append(_variation(move.move.color, move.better, words))
    return replace(reviewed.game, nodes=tuple(_flat(trees[0])), warnings=())


def _noted(
    reviewed: Review,
    node: Node,
    move: MoveReview | None,
    state: ReviewedPosition | None,
    *,
    is_end: bool,
) -> Node:
    """Return a node of the main line with what is said of its move and its position."""
    kept = [(name, values) for name, values in node.properties if name not in _OURS]
    theirs = {name: values for name, values in node.properties if name in _OURS}
    added: dict[str, list[str]] = {}
    if move is not None:
        words = f"{move.word}: {move.basis}."
        if is_end and move.refutation:
            # As a variation it would be the main line.
            words += f" Refuted by {line_of_play(reviewed.game.board, move.refutation)}."
        node = _with_comment(node, words)
        for name, is_so in (
            ("BM", move.is_mistake),
            ("DO", not move.is_mistake and move.verdict in _DOUBTFUL),
            ("TE", move.verdict is Verdict.ONLY_MOVE),
            ("HO", move.number == reviewed.turning_point),
        ):
            if is_so:
                added[name] = ["1"]
    if state is not None:
        added.update(_marks(reviewed, state, theirs))
    for name, values in theirs.items():
        # What the record says itself stays; a judgement of ours takes the place of none of it.
        added[name] = [*values, *(v for v in added.get(name, []) if name in _POINTS | {"LB"})]
    ours = ((name, tuple(values)) for name, values in added.items())
    return replace(node, properties=(*kept, *ours))


def _marks(
    reviewed: Review, state: ReviewedPosition, theirs: dict[str, tuple[str, ...]]
) -> dict[str, list[str]]:
    """Return the marks on a position, none on a point that the record marks already."""
    board = reviewed.game.board
    taken = {value.partition(":")[0].lower() for values in theirs.values() for value in values}
    found: dict[str, list[str]] = {}
    if state.winner is not None:
        found["GB" if state.winner is Color.BLACK else "GW"] = ["2"]
    if state.proved is not None and state.proved.by == "chain":
        return found

    def names(cells: Iterable[Cell]) -> list[str]:
        return [name for name in map(board.name, cells) if name not in taken]

    wins = names(state.winning.search(1))
    if wins:
        found["TR"] = wins
    if state.is_forced:
        region = names((state.mustplay & ~state.winning & ~state.losing).search(1))
        if region:
            found["SQ"] = region
    if state.winner is None:
        links = [f"{name}:{place}" for place, name in enumerate(names(state.links), 1)]
        if links:
            found["LB"] = links
    return found


def _with_comment(node: Node, words: str) -> Node:
    """Return a node with our comment below what was said already; an older one of ours goes."""
    parts = [part for part in node.comment.split("\n\n") if part and not part.startswith(SIGN)]
    return replace(node, comment="\n\n".join((*parts, SIGN + words)))


def _variation(color: Color, cells: Iterable[Cell], words: str) -> _Tree:
    """Return a line of moves as a tree, its first node commented."""
    first: _Tree | None = None
    last: _Tree | None = None
    for cell in list(cells)[:LONGEST_LINE]:
        comment = SIGN + words + "." if first is None else ""
        tree = _Tree(Node(move=Move(color, cell), comment=comment))
        if last is not None:
            last.children.append(tree)
        first, last, color = first or tree, tree, color.opponent
    assert first is not None  # noqa: S101 - there is a move
    return first


def _is_ours(node: Node) -> bool:
    """Return whether a variation that begins so was added by a review before."""
    return node.comment.startswith(SIGN) and node.comment.endswith(" so.")


def _flat(root: _Tree) -> Iterator[Node]:
    """Yield the nodes with their parents' numbers, one variation after the other."""
    waiting, number = [(root, -1)], 0
    while waiting:
        tree, parent = waiting.pop()
        yield replace(tree.node, parent=parent)
        waiting.extend((child, number) for child in reversed(tree.children))
        number += 1


def _name(color: Color) -> str:
    return color.title
