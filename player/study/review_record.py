"""A reviewed record: the game with comments, marks and better lines added."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from hsearch.hex import Cell, Color, Game, GameNode, Move, Special
from player.answers.memory import Source
from player.study.review import (
    SHOWN,
    MoveReview,
    Review,
    ReviewedPosition,
    Verdict,
    doubt,
    line_of_play,
    summary,
)

# The record: comments, marks that every SGF reader knows, variations.
#
# Marks show proved facts, except for the weakest links. BM is a proved mistake. DO is
# another move that is proved to lose, or after which a win is no longer proved. TE is the
# only move that wins, HO the turning point. On the board, TR are moves that are proved to
# win, SQ the rest of a must-play region, and 1 to 3 the weakest links while the
# winner is open. GB[2] and GW[2] mean that Black or White is proved to win. XM lists the
# marks that the review added to a node, so a later review removes these and keeps those
# of people.
#
# A variation is a refutation, a better move that is proved to win, or the best try, with a
# comment of which it is.

SIGN = "hsearch review: "
LONGEST_LINE = 10
_TRY = "best try: "
_COMMENT = re.compile(  # ours, with the blank line between it and a comment of people
    rf"\A{SIGN}.*?(?:\n\n|\Z)|\n\n{SIGN}.*?(?=\n\n|\Z)", re.DOTALL
)
_OURS = frozenset({"BM", "DO", "TE", "HO", "GB", "GW", "TR", "SQ", "LB"})
_ADDED = "XM"  # the private property; a value such as `TR b2 c3` is marks of one kind
_DOUBTFUL = {Verdict.PROVED_LOSS, Verdict.WIN_GIVEN_UP, Verdict.UNPROVED}
_ON_POINTS = frozenset({"TR", "SQ", "CR", "MA", "SL", "LB"})  # one of the first five, says FF[4]


@dataclass(slots=True)
class _Tree:
    """A node and its children, the main line first. Holds state."""

    node: GameNode
    children: list["_Tree"] = field(default_factory=list)


def annotate(review: Review) -> Game:
    """Return the game with the review in it: the same main line, and more variations."""
    trees = [_Tree(node) for node in review.game.nodes]
    for tree in trees[1:]:
        siblings = trees[tree.node.parent].children
        if not (siblings and _is_ours(tree.node)):  # people may have made ours the main line
            siblings.append(tree)
    line = [trees[0]]
    while line[-1].children:
        line.append(line[-1].children[0])
    moves = 0
    for index, tree in enumerate(line):
        has_move = tree.node.move is not None
        moves += has_move
        is_last = index + 1 == len(line) or line[index + 1].node.move is not None
        move = review.moves[moves - 1] if has_move else None
        state = review.states[moves] if is_last else None
        is_end = index + 1 == len(line)
        tree.node = _annotate(review, tree.node, move, state, is_end=is_end)
        if index == 0 and move is None:
            tree.node = _with_comment(tree.node, " ".join(summary(review)))
        if move is not None and move.refutation and index + 1 < len(line):
            words = f"{move.move.color.opponent.title} wins so"
            tree.children.append(_variation(move.move.color.opponent, move.refutation, words))
        if move is not None and index:
            line[index - 1].children += _better_lines(move)
    return replace(review.game, nodes=tuple(_flat(trees[0])), warnings=())


def _annotate(
    review: Review,
    node: GameNode,
    move: MoveReview | None,
    state: ReviewedPosition | None,
    *,
    is_end: bool,
) -> GameNode:
    """Return a node of the main line with the review of its move and its position."""
    before = set(_earlier_marks(node))
    others = [(name, values) for name, values in node.properties if name not in _OURS | {_ADDED}]
    theirs = {
        name: rest
        for name, values in node.properties
        if name in _OURS and (rest := tuple(v for v in values if (name, v) not in before))
    }
    additions: dict[str, list[str]] = {}
    if move is not None:
        words = f"{move.word}: {move.basis}."
        if is_end and move.refutation:
            # As a variation it would be the main line.
            words += f" Refuted by {line_of_play(review.game.board, move.refutation)}."
        if move.lacks_better and move.best_try is None:
            words += " No better move is known."
        node = _with_comment(node, words)
        additions.update(_judgments(review, move))
    if state is not None:
        on_points = [values for name, values in (*others, *theirs.items()) if name in _ON_POINTS]
        occupied = {value.partition(":")[0].lower() for values in on_points for value in values}
        additions.update(_marks(review, state, occupied))
    for name in theirs.keys() & additions.keys() - _ON_POINTS:
        del additions[name]  # a judgment in the record takes precedence over ours
    marks = tuple(" ".join((name, *values)) for name, values in additions.items())
    for name, values in theirs.items():
        additions[name] = [*values, *additions.get(name, [])]
    ours = ((name, tuple(values)) for name, values in additions.items())
    note = ((_ADDED, marks),) if marks else ()
    return replace(node, properties=(*others, *ours, *note))


def _earlier_marks(node: GameNode) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each mark that an earlier review added to a node."""
    for each in node.about(_ADDED):
        name, *values = each.split(" ")
        yield from ((name, value) for value in values)


def _judgments(review: Review, move: MoveReview) -> dict[str, list[str]]:
    """Return the marks of a move."""
    judgments = {
        "BM": move.is_mistake,
        "DO": not move.is_mistake and move.verdict in _DOUBTFUL,
        "TE": move.verdict is Verdict.ONLY_MOVE,
        "HO": move.number == review.turning_point,
    }
    return {name: ["1"] for name, is_so in judgments.items() if is_so}


def _marks(review: Review, state: ReviewedPosition, occupied: set[str]) -> dict[str, list[str]]:
    """Return the marks of a position, except on the points `occupied`, which the record marks."""
    board = review.game.board
    marks: dict[str, list[str]] = {}
    if state.winner is not None:
        marks["GB" if state.winner is Color.BLACK else "GW"] = ["2"]
    if state.proof is not None and state.proof.by is Source.CHAIN:
        return marks

    def names(cells: Iterable[Cell]) -> list[str]:
        return [name for name in map(board.name, cells) if name not in occupied]

    wins = names(state.winning.search(1))
    if wins:
        marks["TR"] = wins
    if state.is_forced:
        region = names((state.mustplay & ~state.winning & ~state.losing).search(1))
        if region:
            marks["SQ"] = region
    if state.winner is None:
        links = [f"{name}:{place}" for place, name in enumerate(names(state.links), 1)]
        if links:
            marks["LB"] = links
    return marks


def _with_comment(node: GameNode, words: str) -> GameNode:
    """Return a node with our comment below those of others, replacing an older one of ours."""
    others = _COMMENT.sub("", node.comment)
    return replace(node, comment="\n\n".join(filter(None, (others, SIGN + words))))


def _variation(color: Color, line: Iterable[Cell | Special], words: str) -> _Tree:
    """Return a line of at least one move as a tree, with a comment at its first node."""
    first, *others = list(line)[:LONGEST_LINE]
    root = last = _Tree(GameNode(move=Move(color, first), comment=SIGN + words + "."))
    for action in others:
        color = color.opponent
        tree = _Tree(GameNode(move=Move(color, action)))
        last.children.append(tree)
        last = tree
    return root


def _better_lines(move: MoveReview) -> Iterator[_Tree]:
    """Yield the variation with a better move, or with the best try."""
    color = move.move.color
    if move.better:
        yield _variation(color, move.better, f"{color.title} wins for sure so")
    elif move.best_try is not None:
        yield _variation(color, move.best_try.line[:SHOWN], _TRY + doubt(move.best_try))


def _is_ours(node: GameNode) -> bool:
    """Return whether an earlier review added the variation that starts at a node."""
    is_win = node.comment.startswith(SIGN) and node.comment.endswith(" so.")
    return is_win or node.comment.startswith(SIGN + _TRY)


def _flat(root: _Tree) -> Iterator[GameNode]:
    """Yield the nodes with the numbers of their parents, one variation after the other."""
    waiting, number = [(root, -1)], 0
    while waiting:
        tree, parent = waiting.pop()
        yield replace(tree.node, parent=parent)
        waiting.extend((child, number) for child in reversed(tree.children))
        number += 1
