"""Find puzzles in a game: positions in which hardly any move wins, proved."""

from collections.abc import Iterator
from dataclasses import dataclass

from hsearch.analysis import Analysis
from hsearch.board import Cell, Color
from hsearch.cells import CellSet
from hsearch.circuit import circuits
from hsearch.closure import closure
from hsearch.connection import Connection, Rule
from hsearch.game import Game
from hsearch.position import Position, winner
from player.puzzle.grade import Measures, measured
from player.puzzle.same import Signature, signature
from player.solve import Solver, write_proof

MEMORY = 100  # megabytes of the solver's table


@dataclass(frozen=True, slots=True)
class PuzzleSearch:
    """Criteria of a puzzle, and how far to look for it.

    at_most   winning moves
    nodes     positions that the solver may look at for one of the game
    longest   lines of a proof that is worth shipping
    least     empty cells that a puzzle has
    """

    at_most: int = 1
    nodes: int = 150
    longest: int = 40
    least: int = 8


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A proved puzzle.

    wins       all moves that win
    proof      that the first of them does, as `hsearch verify` reads it
    moves      how many were played in the game that it is from
    signature  equal for puzzles that turn on the same
    """

    position: Position
    wins: tuple[Cell, ...]
    proof: str
    measures: Measures
    moves: int
    signature: Signature


def puzzles_of(game: Game, search: PuzzleSearch) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, from its end on backward.

    It stops where the solver needs too long: earlier positions are harder.
    """
    solver = Solver(game.board, memory=MEMORY)
    for moves in range(len(game.moves), -1, -1):
        position = game.position(moves)
        if winner(position) is not None:
            continue
        answer = solver.solve(position, nodes=search.nodes)
        if answer.winner is None:
            return
        wins = _wins(solver, position, search) if answer.winner is position.turn else ()
        if wins:
            puzzle = _puzzle(solver, position, wins, moves, search)
            if puzzle is not None:
                yield puzzle


def _wins(solver: Solver, position: Position, search: PuzzleSearch) -> tuple[Cell, ...]:
    """Return all moves that win; none if there are too many, or one is too hard to tell."""
    wins: list[Cell] = []
    for cell, _ in circuits(position).weak_links:
        after = position.play(cell)
        answer = solver.solve(after, nodes=search.nodes)
        if answer.winner is None:
            return ()
        if answer.winner is position.turn:
            wins.append(cell)
            if len(wins) > search.at_most:
                return ()
    return tuple(sorted(wins))


def _puzzle(
    solver: Solver, position: Position, wins: tuple[Cell, ...], moves: int, search: PuzzleSearch
) -> Puzzle | None:
    """Return a position as a puzzle; None if it is trivial or its proof too long."""
    if position.empty.count() < search.least:
        return None
    mover = position.turn
    if any(_is_trivial(position.play(cell), mover) for cell in wins):
        return None
    proof = write_proof(solver, position, fills_regions=False)  # in moves, as people read it
    analysis = Analysis(position)
    measures = measured(analysis, wins, proof)
    if measures.size > search.longest:
        return None
    same = signature(position, _region(analysis, wins))
    return Puzzle(position, wins, proof, measures, moves, same)


def _is_trivial(after: Position, mover: Color) -> bool:
    """Return whether a chain or bridges alone decide the game after the winning move."""
    if winner(after) is not None:
        return True
    fulls = closure(after, mover).edge_fulls
    return any(_is_bridges(full) for full in fulls)


def _is_bridges(full: Connection) -> bool:
    """Return whether a connection is nothing but touching stones and bridges."""
    waiting = [full]
    while waiting:
        part = waiting.pop()
        if part.rule is Rule.OR:
            if any(semi.carrier.count() != 1 for semi in part.premises):
                return False
        else:
            waiting.extend(part.premises)
    return True


def _region(analysis: Analysis, wins: tuple[Cell, ...]) -> CellSet:
    """Return the cells that a puzzle turns on: the must-play region, and the win itself."""
    position = analysis.position
    region = position.board.only(*wins)
    if analysis.mustplay.is_forced:
        region = region | analysis.mustplay.cells
        for threat in analysis.mustplay.threats[:1]:
            region = region | threat.carrier
    connection = analysis.edge_connection(position.turn)
    return position.empty if connection is None else region | connection.carrier
