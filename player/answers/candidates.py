"""Best moves with their lines: proved wins first, else the moves that a tree search prefers."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Protocol

import numpy as np

from hsearch.analysis.circuit import circuits
from hsearch.connect import DEFAULT_LIMITS, Connection, Limits, deduction
from hsearch.connect.closure import closure
from hsearch.hex import Board, Cell, CellSet, Color, Position, winner
from hsearch.strategy.reply import WinningStrategy, start
from player.answers.memory import Memory, Proved
from player.evaluate.int8 import is_ready
from player.evaluate.net import NetError, load_net
from player.evaluate.ordering import weak_links
from player.evaluate.patterns import load_patterns
from player.search import tree
from player.search.chances import BestMove, BestMoves, Chance, of_tree
from player.search.line import SearchPosition
from player.solve.solver import Solver

SECONDS = 1.0  # of a search that a person waits for
SLICE = 0.2  # seconds between reports of a search
SIMULATIONS = 1000  # of a search without a time limit
LEAST = 2  # simulations of one with a limit, however short: the first takes the first cell
NAMED = 5  # moves returned at most


class Known(Protocol):
    """The part of `Analysis` that this module uses."""

    searched: Chance | None
    before_swap: bool
    cancel: threading.Event | None
    memory: Memory

    @property
    def position(self) -> Position:
        """The position."""
        ...

    @property
    def chain(self) -> Color | None:
        """The player whose stones join the edges; None if neither's do."""
        ...

    @property
    def standing(self) -> Proved | None:
        """The proved winner of the position; None while it is open."""
        ...

    def edge_semis(self, color: Color) -> tuple[Connection, ...]:
        """Return the semis known between a player's edges."""
        ...


def best_moves(
    analysis: Known,
    seconds: float | None = SECONDS,
    *,
    cancel: threading.Event | None = None,
    on_change: Callable[[BestMoves], object] = lambda _best: None,
    seed: int = 0,
    simulations: int | None = None,
) -> BestMoves:
    """Return the moves to play: the proved wins, else the best of a search of `seconds`.

    With 0 seconds only proved moves are returned; with more, at least one move, unless `cancel`
    is set before. With None the search runs 1,000 `simulations`, or as many as given, and its
    result does not depend on a clock. `on_change` receives intermediate results. If every move
    loses, the moves returned are the hardest to refute. A win that the search proves is stored in
    `analysis.memory`, its chance in `analysis.searched`.
    """
    position, standing, swap = analysis.position, analysis.standing, analysis.before_swap
    if analysis.chain is not None:
        return BestMoves(position, (), analysis.chain)
    won_by = None if standing is None else standing.winner
    moves = () if standing is None else tuple(_prove_moves(analysis, standing.winner))
    best = BestMoves(position, moves, won_by, before_swap=swap)
    if moves or seconds == 0:
        return best
    for findings in _search(analysis, seconds, cancel, seed, simulations or SIMULATIONS):
        best = replace(of_findings(_with_proofs(findings, analysis)), before_swap=swap)
        analysis.searched = best.chance
        on_change(best)
    if best.winner is None or won_by is not None:
        return replace(best, winner=won_by, chance=best.chance if won_by is None else None)
    first = best.moves[0].cell if best.winner is position.turn and best.moves else None
    analysis.memory.keep_win(position, best.winner, first)
    return replace(best, moves=tuple(_prove_moves(analysis, best.winner)) or best.moves)


def best_try(best: BestMoves, played: Cell) -> BestMove | None:
    """Return the best move instead of the one that was played, unless it is proved to lose.

    The page has the same rule (`tryAt` in `reviewing.js`).
    """
    other = next((each for each in best.moves if each.cell != played), None)
    return None if other is None or other.winner is best.position.turn.opponent else other


def winning_moves(analysis: Known) -> BestMoves:
    """Return the moves that the analysis proves to win, without further moves of their lines."""
    position, standing = analysis.position, analysis.standing
    if analysis.chain is not None or standing is None or standing.winner is not position.turn:
        won_by = None if standing is None else standing.winner
        return BestMoves(position, (), won_by, before_swap=analysis.before_swap)
    keys = (semi.key for semi in analysis.edge_semis(position.turn))
    cells = dict.fromkeys(cell for cell in (standing.move, *keys) if cell is not None)
    best = [BestMove(cell, position.turn, 1.0, 0, (cell,)) for cell in cells]
    moves = tuple(best[:NAMED])
    return BestMoves(position, moves, standing.winner, before_swap=analysis.before_swap)


def _with_proofs(findings: tree.TreeFindings, analysis: Known) -> tree.TreeFindings:
    """Return the findings with the winners that memory has for the positions after the moves.

    A review or a solver may have proved them while the search ran.
    """
    mover = findings.position.turn
    moves: list[tree.Candidate] = []
    for each in findings.candidates:
        proof = analysis.memory.look_up(findings.position.play(each.cell))
        won_by = each.winner if proof is None else proof.winner
        moves.append(each if won_by is each.winner else replace(each, winner=won_by))
        if won_by is mover and findings.winner is None:
            return findings.with_winner(mover, each.cell)
    moves.sort(key=lambda each: (each.winner is not mover, each.winner is not None))
    findings = replace(findings, candidates=tuple(moves))
    is_lost = len(moves) == findings.position.empty.count() and all(
        each.winner is mover.opponent for each in moves
    )
    return findings.with_winner(mover.opponent, None) if is_lost else findings


def of_findings(findings: tree.TreeFindings) -> BestMoves:
    """Convert the findings of a tree to `BestMoves`."""
    mover = findings.position.turn
    moves = [
        BestMove(
            each.cell,
            each.winner,
            each.chance if each.winner is None else float(each.winner is mover),
            each.visits,
            each.line or (each.cell,),
        )
        for each in findings.candidates
        if each.visits or each.winner is not None
    ]
    best = [each for each in moves if findings.winner in {None, each.winner}]
    if findings.winner is None:
        best = [each for each in best if each.winner is not mover.opponent]
    return BestMoves(
        findings.position,
        tuple(best[:NAMED]),
        findings.winner,
        of_tree(findings),
        findings.simulations,
        findings.looks,
        findings.seconds,
        tried=tuple(moves),
    )


def _search(
    analysis: Known,
    seconds: float | None,
    cancel: threading.Event | None,
    seed: int,
    simulations: int,
) -> Iterator[tree.TreeFindings]:
    """Yield the findings of a search, a few times a second and at its end."""
    board, generator = analysis.position.board, np.random.default_rng(seed)
    settings = _settings(board)
    if seconds is None:
        settings = replace(settings, simulations=simulations, int8=False)
    try:
        if seconds is not None:
            prepare(board)
        search = tree.TreeSearch(analysis.position, settings)
        findings = search.run(generator, seconds=_slice(seconds, 0.0), cancel=cancel)
    except NetError:  # the net is for boards of another size
        search = tree.TreeSearch(analysis.position, _without_net(settings))
        findings = search.run(generator, seconds=_slice(seconds, 0.0), cancel=cancel)
    total = findings
    yield total
    while (
        seconds is not None
        and total.winner is None
        and not (cancel is not None and cancel.is_set())
    ):
        left = _slice(seconds, total.seconds)
        if seconds - total.seconds <= tree.SPARE:
            if of_findings(total).moves:
                return
            search.settings, left = replace(search.settings, simulations=LEAST), None
        findings = search.run(generator, seconds=left, cancel=cancel)
        total = replace(
            findings,
            simulations=total.simulations + findings.simulations,
            looks=total.looks + findings.looks,
            seconds=total.seconds + findings.seconds,
        )
        yield total


@cache
def prepare(board: Board) -> None:
    """Compile what a search needs: inside the search that would use up its time."""
    few = replace(_settings(board), simulations=1)
    tree.TreeSearch(Position.of(board), few).run(np.random.default_rng(0))


def _slice(seconds: float | None, spent: float) -> float | None:
    return None if seconds is None else max(0.01, min(SLICE, seconds - spent))


def _without_net(settings: tree.TreeSettings) -> tree.TreeSettings:
    """Return the settings with playouts instead of the net."""
    return replace(settings, net=None, playouts=True, blend=0.5, trust=0.0, expand_at=8)


@cache
def _settings(board: Board) -> tree.TreeSettings:
    """Return the settings of a search: by the shipped net, else by patterns and playouts."""
    net = load_net()
    if net is not None:
        return tree.net_alone(net, int8=is_ready(net, board))
    return tree.TreeSettings(patterns=load_patterns(), **tree.BY_PATTERNS)


def _prove_moves(analysis: Known, won_by: Color) -> Iterator[BestMove]:
    """Yield moves of a position with a proved winner, each with a line that shows the proof."""
    position, memory = analysis.position, analysis.memory
    limits = DEFAULT_LIMITS  # the limits of the analysis may take hours
    turn = position.turn
    with memory.idle_solver(position.board) as solver:
        if won_by is not turn:
            order = SearchPosition(position, limits, weak_links).best_tries()
            for cell in order[:NAMED]:
                rest = winning_line(position.play(cell), won_by, None, solver, limits)
                yield BestMove(cell, won_by, 0.0, 0, (cell, *rest))
            return
        standing = analysis.standing
        connection = None if standing is None else standing.connection
        cells = dict.fromkeys(_winning_cells(analysis, solver))
        if connection is not None and connection.is_full and cells:
            connection = None  # it starts with no move: their order is that of `winning_moves`
        if connection is not None:
            first = winning_line(position, turn, connection, solver, limits)
            if first:
                cells.pop(first[0], None)
                yield BestMove(first[0], turn, 1.0, 0, first)
        for cell in list(cells)[: NAMED - (connection is not None)]:
            rest = winning_line(position.play(cell), turn, None, solver, limits)
            yield BestMove(cell, turn, 1.0, 0, (cell, *rest))


def _winning_cells(analysis: Known, solver: Solver | None) -> Iterator[Cell]:
    """Yield the moves that the analysis or the table of the solver proves to win."""
    yield from (each.cell for each in winning_moves(analysis).moves)
    winners = {} if solver is None else solver.move_winners(analysis.position)
    for cell, won_by in winners.items():
        if won_by is analysis.position.turn:
            yield cell


# Lines that play out a proved win.
#
# The winner follows the proof; the loser plays where the current is strongest
# among the cells that the winner still needs.

LONGEST = 10  # moves of a line
_NODES = 200  # positions for the solver: enough, as its table has the proof


def winning_line(
    position: Position,
    won_by: Color,
    proof: Connection | None,
    solver: Solver | None,
    limits: Limits,
) -> tuple[Cell, ...]:
    """Return the moves after a position that `won_by` wins, at most `LONGEST`."""
    line: list[Cell] = []
    connection = proof
    while len(line) < LONGEST and winner(position) is None:
        if connection is None:
            connection = _connection(position, won_by, limits)
        if connection is not None:
            return tuple(line + _maintain(position, won_by, connection, LONGEST - len(line)))
        move = _solver_move(position, won_by, solver)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _connection(position: Position, won_by: Color, limits: Limits) -> Connection | None:
    """Return a winning connection of a player that H-search finds; None if there is none."""
    store = closure(position, won_by, limits)
    semis = store.edge_semis if position.turn is won_by else []
    return next(iter(store.edge_fulls or semis), None)


def _solver_move(position: Position, won_by: Color, solver: Solver | None) -> Cell | None:
    """Return the winner's move by the solver, None if it has none; or the loser's best try."""
    if position.turn is not won_by:
        return _strongest(position, position.empty)
    if solver is None:
        return None
    answer = solver.solve(position, nodes=_NODES)
    return next(iter(answer.winning_moves), None)


def _maintain(position: Position, won_by: Color, connection: Connection, most: int) -> list[Cell]:
    """Return moves in which a player maintains a connection; a semi starts with its key."""
    connection = deduction.expand(position, won_by, connection)
    line: list[Cell] = []
    strategy: WinningStrategy
    if connection.key is not None:
        key, strategy = start(connection)
        line.append(key)
        position = position.play(key)
    else:
        strategy = WinningStrategy.of(connection)
    while len(line) < most and not strategy.is_done and winner(position) is None:
        if position.turn is won_by:
            cell, strategy = strategy.reply(line[-1] if line else None)
        else:
            cell = _strongest(position, strategy.carrier(position.board) & position.empty)
        if not position.is_legal(cell):
            break  # the reply is on the board already: nothing more to show
        line.append(cell)
        position = position.play(cell)
    return line


def _strongest(position: Position, cells: CellSet) -> Cell:
    """Return the cell that most current flows through, of some cells."""
    return next(cell for cell, _ in circuits(position).weak_links if cells[cell])
