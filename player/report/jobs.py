"""Openings that are solved by jobs, in words and as JSON: settled, in doubt, and an estimate."""

from collections.abc import Sequence
from typing import Any

from hsearch.board import Color
from hsearch.position import Position
from player.jobs import JobTree
from player.numbers import duration, numbered
from player.report.objects import number

Named = Sequence[tuple[str, Position]]

SHOWN = 6  # positions in doubt, in words


def openings_object(tree: JobTree, named: Named, seconds: float) -> dict[str, Any]:
    """Return what is known of openings; an opening and its half turn are one entry."""
    board = tree.board
    return {
        "schema": "hsearch/openings-by-jobs/1",
        "columns": board.columns,
        "rows": board.rows,
        "jobs": tree.jobs,
        "nodes": tree.nodes,
        "processor_seconds": number(tree.seconds),
        "seconds": number(seconds),
        "openings": [_opening(tree, name, position) for name, position in named],
    }


def openings_sentences(tree: JobTree, named: Named) -> list[str]:
    """Return what is settled, what is in doubt, and what the rest may take."""
    won = [tree.winner(position) for _, position in named]
    open_ones = [
        (name, tree.doubt(position))
        for (name, position), winner in zip(named, won, strict=True)
        if winner is None
    ]
    wins, losses = won.count(int(Color.BLACK)), won.count(int(Color.WHITE))
    settled = wins + losses
    known = f"{wins} won by Black, {losses} lost"
    work = f"{numbered(tree.jobs, 'job')}, {numbered(tree.nodes, 'position')}"
    lines = [
        f"{settled} of {numbered(len(named), 'opening')} settled, up to half a turn: {known}.",
        f"{work}, {tree.seconds:.1f} s of the processors.",
    ]
    tried = [(name, doubt) for name, doubt in open_ones if doubt.nodes]
    if tried:
        doubts = ", ".join(
            f"{name} (proof {d.proof}, disproof {d.disproof}, {numbered(d.nodes, 'position')})"
            for name, d in tried[:SHOWN]
        )
        more = f", and {len(tried) - SHOWN} more" if len(tried) > SHOWN else ""
        lines.append(f"In doubt: {doubts}{more}.")
    if open_ones and settled:
        least = tree.seconds / settled * len(open_ones)
        lines.append(
            f"At the {tree.seconds / settled:.0f} s that an opening took so far the other "
            f"{len(open_ones)} would take {duration(least)} of one processor; those that are left "
            "are harder, so rather more."
        )
    return lines


def _opening(tree: JobTree, name: str, position: Position) -> dict[str, Any]:
    winner, doubt = tree.winner(position), tree.doubt(position)
    return {
        "cell": name,
        "winner": None if winner is None else Color(winner).word,
        "proof": None if winner is not None else doubt.proof,
        "disproof": None if winner is not None else doubt.disproof,
        "nodes": doubt.nodes,
    }
