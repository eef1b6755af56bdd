"""Who wins, the answers of the solver, and openings: words and JSON."""

import math
from collections.abc import Sequence
from typing import Any

from hsearch.connect import Connection
from hsearch.hex import Board, CellSet, Color, Game, Outcome, Position, winner
from hsearch.render import svg
from hsearch.render.text import Marks, duration, quantity
from hsearch.strategy.words import claim
from player.answers.analysis import Analysis
from player.answers.memory import Proved, Source
from player.answers.objects import number, position_object, word
from player.search.chances import Chance
from player.search.openings import Chart, first_move, wants_swap
from player.solve.job_tree import JobTree
from player.solve.proof_number import Remaining
from player.solve.solver import UNLESS_SWAPPED, Answer, Opening, Solver
from player.variants.plain import swap_to_come

# Who wins: in sentences, and as JSON.
#
# "Proved" is reserved for what H-search or the solver proves. What the net or the
# circuits compute is always called an estimate.


def proof_of(analysis: Analysis) -> Connection | None:
    """Return the connection that proves who wins; None if a chain does, or nothing does.

    Return None also if the record's winner is not the player who owns the connection.
    """
    standing = analysis.standing
    return (
        None if standing is None or standing.winner is not analysis.winner else standing.connection
    )


def verdict(analysis: Analysis, *, is_shown: bool = True) -> str:
    """Return who has won or is proved to win; `is_shown` if a board beside it marks the proof."""
    standing, outcome = analysis.standing, result(analysis)
    if outcome and standing is None:
        return f"{outcome}."
    if standing is None:
        return "Who wins is unknown: H-search finds no connection that joins a player's edges."
    is_shown = is_shown and standing.winner is analysis.winner
    proof = _proof(analysis, standing, is_shown=is_shown)
    return f"{outcome}. {proof}" if outcome else proof


def result(analysis: Analysis) -> str:
    """Return who has won by the record, without a full stop; empty while the game is open.

    A record proves nothing. Return nothing if a chain decides: that is a proof.
    """
    outcome = analysis.ended
    if outcome is None or analysis.chain is not None:
        return ""
    return outcome_words(outcome)


def result_of(game: Game) -> str:
    """Return who has won by a record; else its result as written, or an empty string."""
    outcome = game.outcome
    return game.result or "" if outcome is None else outcome.words


def outcome_words(outcome: Outcome) -> str:
    """Return who has won by a record and how, without a full stop."""
    return outcome.words + ": the record says so" * (outcome.ending is None)


def _proof(analysis: Analysis, proof: Proved, *, is_shown: bool) -> str:
    """Return the sentence about a proof."""
    winner, board, connection = proof.winner, analysis.position.board, proof.connection
    edges = board.pair(board.edges(winner))
    if proof.by is Source.CHAIN:
        return f"{winner.title} has won: a chain of stones joins {edges}."
    if connection is None:
        return proof_sentence(analysis.position, proof)
    cells = f"of {quantity(connection.carrier.count(), 'cell')}{' (*)' * is_shown}"
    if connection.key is None:
        clause = f"{edges} are joined by a full connection {cells}"
        return f"Proved: {winner.title} wins, whoever moves: {clause}."
    clause = f"{edges} are joined by a semi connection {cells} that starts at"
    return f"Proved: {winner.title}, who is to move, wins: {clause} {board.name(connection.key)}."


def proof_sentence(position: Position, proof: Proved) -> str:
    """Return the sentence about a proof without a connection: by the solver, memory or a map."""
    winner, turn = proof.winner.title, position.turn
    if proof.winner is not turn:
        how = f"{winner} wins, whatever {turn.title} plays"
    elif proof.move is None:
        how = f"{winner}, who is to move, wins"
    else:
        how = f"{winner}, who is to move, wins with {position.board.name(proof.move)}"
    return f"Proved by search: {how} ({proof.words})."


def plain_proof(analysis: Analysis) -> str:
    """Return the proof in a sentence without terms of H-search; empty if there is none."""
    standing, board = analysis.standing, analysis.position.board
    if standing is None:
        return ""
    if standing.connection is None:
        return _proof(analysis, standing, is_shown=False)
    edges = map(board.name, board.edges(standing.winner))
    return f"Proved: {claim(standing.winner, standing.connection, board, edges)}"


def estimate(analysis: Analysis) -> str:
    """Return the estimated chances of both players; empty once the winner is known."""
    return estimate_sentence(analysis.chance) if analysis.chance.is_estimate else ""


def estimate_sentence(chance: Chance) -> str:
    """Return estimated chances in a sentence."""
    return f"Estimated chance to win: {chance}."


def unless_swapped(analysis: Analysis) -> str:
    """Return the prefix of sentences before a possible swap, which they ignore; else nothing."""
    return UNLESS_SWAPPED if analysis.before_swap else ""


def swap_advice(game: Game) -> str:
    """Return the advice of the opening maps on the swap; empty if none is possible."""
    return advice_before_swap(game.position()) if swap_to_come(game) else ""


def advice_before_swap(position: Position) -> str:
    """Return the advice of the opening maps on the swap that is possible in a position."""
    if not (position.black | position.white).any():
        return f"{position.turn.opponent.title} may swap. {first_move(position, swap=True)[1]}"
    is_wanted, reason = wants_swap(position)
    return f"{position.turn.title} may swap, and should{'' if is_wanted else ' not'}. {reason}"


def winner_object(analysis: Analysis) -> dict[str, str | None]:
    """Return who has won or is proved to win, and how; then the same for the position alone.

    The two differ when a player gave up in a position that was not lost.
    """
    standing = analysis.standing
    return {
        "winner": word(analysis.winner),
        "proof": analysis.proof,
        "proved_winner": None if standing is None else standing.winner.word,
        "proved_by": None if standing is None else standing.kind,
    }


def outcome_object(outcome: Outcome | None) -> dict[str, str | None] | None:
    """Return the winner by the record, and how, as a JSON object; None if the game is open."""
    if outcome is None:
        return None
    by = None if outcome.ending is None else outcome.ending.name.lower()
    return {"winner": outcome.winner.word, "by": by}


# Answers of the solver.

SHOWN = 8  # undecided moves named at most


def answer_object(answer: Answer, remaining: Remaining | None = None) -> dict[str, Any]:
    """Return the winner and the winning moves, or the remaining moves, as a JSON object."""
    return {
        "schema": "hsearch/solve/1",
        "position": position_object(answer.position),
        "winner": word(answer.winner),
        "winning_moves": list(map(answer.position.board.name, answer.winning_moves)),
        "complete": answer.complete,
        "nodes": answer.nodes,
        "seconds": number(answer.seconds),
        "remaining": None
        if remaining is None
        else remaining_object(answer.position.board, remaining),
        "before_swap": answer.before_swap,
    }


def effort(answer: Answer, earlier: Proved | None = None) -> str:
    """Return the effort of an answer, or its source if no search was needed.

    `earlier` is an earlier proof of the position.
    """
    if answer.nodes or answer.winner is None:
        return f"{quantity(answer.nodes, 'position')} in {answer.seconds:.1f} s."
    if winner(answer.position) is not None:
        earlier = Proved(answer.winner, Source.CHAIN)
    source = earlier or Proved(answer.winner, Source.MEMORY)
    return f"Known without a search, by {source.words}."


def picture(answer: Answer) -> str:
    """Return a picture of the board with the winning moves numbered."""
    moves = {cell: str(place) for place, cell in enumerate(answer.winning_moves, 1)}
    return svg.write(answer.position, Marks(labels=moves), title=str(answer))


def remaining_object(board: Board, remaining: Remaining) -> dict[str, Any]:
    """Return the remaining moves of an open position as a JSON object."""
    return {
        "losing": board.names(remaining.losing),
        "inferior": board.names(remaining.inferior),
        "moves": [
            {"move": board.name(m.cell), "proof": m.proof, "disproof": m.disproof, "nodes": m.work}
            for m in remaining.moves
        ],
    }


def remaining_sentences(board: Board, remaining: Remaining) -> list[str]:
    """Return the state of the moves of an open position in words."""
    losing, inferior = remaining.losing.count(), remaining.inferior.count()
    of = losing + inferior + len(remaining.moves)
    lines = [f"Shown to lose: {losing} of {quantity(of, 'move')}."]
    if inferior:
        lines.append(f"No better than others: {board.text(remaining.inferior)}.")
    moves = ", ".join(
        f"{board.name(move.cell)} ({move.proof}, {move.disproof})"
        for move in remaining.moves[:SHOWN]
    )
    more = len(remaining.moves) - SHOWN
    if moves:
        dots = f", and {more} more" if more > 0 else ""
        lines.append(
            "Undecided moves, the most promising first, with the positions that would prove and "
            f"disprove a win (proof number, disproof number): {moves}{dots}."
        )
    return lines


# Openings: solved by one solver, solved by jobs, and the maps.


def openings_object(
    solver: Solver, wins: CellSet, openings: Sequence[Opening], seconds: float
) -> dict[str, Any]:
    """Return the winning first moves on the empty board as a JSON object."""
    board = solver.board
    return {
        "schema": "hsearch/openings/1",
        "columns": board.columns,
        "rows": board.rows,
        "turn": Color.BLACK.word,
        "wins": board.names(wins),
        "nodes": solver.nodes,
        "seconds": number(seconds),
        "openings": [
            {
                "cell": board.name(one.cell),
                "winner": one.winner.word,
                "nodes": one.nodes,
                "seconds": number(one.seconds),
            }
            for one in openings
        ],
    }


NamedPositions = Sequence[tuple[str, Position]]

OPENINGS_SHOWN = 6  # positions in doubt named at most


def job_openings_object(tree: JobTree, openings: NamedPositions, seconds: float) -> dict[str, Any]:
    """Return the results of openings as a JSON object, one entry for each pair by half turn."""
    board = tree.board
    return {
        "schema": "hsearch/openings-by-jobs/1",
        "columns": board.columns,
        "rows": board.rows,
        "jobs": tree.jobs,
        "nodes": tree.nodes,
        "processor_seconds": number(tree.seconds),
        "seconds": number(seconds),
        "openings": [_opening(tree, name, position) for name, position in openings],
    }


def openings_sentences(tree: JobTree, openings: NamedPositions) -> list[str]:
    """Return which openings are settled or in doubt, and how long the rest may take."""
    winners = [tree.winner(position) for _, position in openings]
    open_ones = [
        (name, tree.doubt(position))
        for (name, position), winner in zip(openings, winners, strict=True)
        if winner is None
    ]
    wins, losses = winners.count(Color.BLACK), winners.count(Color.WHITE)
    settled_count = wins + losses
    tally = f"{wins} won by Black (W), {losses} lost (L)"
    work = f"{quantity(tree.jobs, 'job')}, {quantity(tree.nodes, 'position')}"
    total = quantity(len(openings), "opening")
    lines = [
        f"{settled_count} of {total} settled, up to half a turn: {tally}.",
        f"{work}, {tree.seconds:.1f} s of the processors.",
    ]
    attempts = [(name, doubt) for name, doubt in open_ones if doubt.nodes]
    if attempts:
        doubts = ", ".join(
            f"{name} (proof {d.proof}, disproof {d.disproof}, {quantity(d.nodes, 'position')})"
            for name, d in attempts[:OPENINGS_SHOWN]
        )
        more = (
            f", and {len(attempts) - OPENINGS_SHOWN} more" if len(attempts) > OPENINGS_SHOWN else ""
        )
        lines.append(f"In doubt: {doubts}{more}.")
    if open_ones and settled_count:
        least = tree.seconds / settled_count * len(open_ones)
        lines.append(
            f"At the {tree.seconds / settled_count:.0f} s that an opening took so far the other "
            f"{len(open_ones)} would take {duration(least)} of one processor; those that are left "
            "are harder, so rather more."
        )
    return lines


def _opening(tree: JobTree, name: str, position: Position) -> dict[str, Any]:
    winner, doubt = tree.winner(position), tree.doubt(position)
    return {
        "cell": name,
        "winner": None if winner is None else winner.word,
        "proof": None if winner is not None else doubt.proof,
        "disproof": None if winner is not None else doubt.disproof,
        "nodes": doubt.nodes,
    }


def chart_object(chart: Chart) -> dict[str, Any]:
    """Return the winner after each first move of Black, proved or estimated, as a JSON object."""
    board = chart.board
    return {
        "schema": "hsearch/opening-map/1",
        "size": board.columns,
        "estimated_by": chart.effort.words,
        "even": chart.even,
        "most_even": board.name(chart.most_even),
        "openings": [
            {
                "cell": board.name(cell),
                "wins": chart.wins(cell),
                "proved": chart.is_proved(cell),
                "evaluation": value
                if not chart.effort.is_by_net and math.isfinite(value)
                else None,
                "black_chance": float(chart.wins(cell))
                if chart.is_proved(cell)
                else chart.black_chance(cell),
            }
            for cell, value in enumerate(chart.estimates)
        ],
    }
