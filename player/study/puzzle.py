"""Puzzles: positions in which very few moves win, found in games, proved and graded."""

import math
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import circuits
from hsearch.connect import Connection, Rule
from hsearch.connect.closure import closure
from hsearch.formats import strict, suite
from hsearch.hex import Cell, CellSet, Color, Game, Position, winner
from hsearch.render.text import quantity
from player.engine.self_play import SelfPlay
from player.solve.proof import write
from player.solve.shortest import ShortestSearch
from player.solve.solver import Solver
from player.variants.puzzle import PuzzleVerdict, RightMove, WrongMove

# The grade of a puzzle, from 1 to 5, by numbers that anybody can check.
#
# Four things make a puzzle hard: other moves look as good, the proof is long, the
# proof is deep, and the two rules of H-search do not find the win at once. Each
# adds to a score, and the score decides the grade.

GRADES = range(1, 6)
BOUNDS = (0.5, 2.5, 5.0, 7.0)  # of the score, between the grades
NEAR = 0.8  # a move looks as good with at least this fraction of the winning move's flow


@dataclass(frozen=True, slots=True)
class Measures:
    """The numbers that decide the grade.

    looks  other empty cells that look about as good as the winning move, by weak links
    size   positions of the proof
    depth  most moves of the loser in one line of the proof
    seen   whether the two rules find the win at once
    """

    looks: int
    size: int
    depth: int
    seen: bool

    @property
    def score(self) -> float:
        """Difficulty of the puzzle."""
        unseen = 0.0 if self.seen else 1.5
        return (
            0.6 * math.log2(1 + self.looks) + 0.6 * math.log2(self.size) + self.depth / 2 + unseen
        )


def grade(measures: Measures) -> int:
    """Return the grade, from 1 (easiest) to 5."""
    return 1 + sum(measures.score >= bound for bound in BOUNDS)


def measure(analysis: ConnectionAnalysis, wins: tuple[Cell, ...], proof: str) -> Measures:
    """Return the measures of a puzzle, given its winning moves and its written proof."""
    flows = dict(analysis.circuits.weak_links)
    best = max(flows[cell] for cell in wins)
    looks = sum(flow >= NEAR * best for cell, flow in flows.items() if cell not in wins)
    size, depth = _extent(proof)
    return Measures(looks, size, depth, analysis.winner is analysis.position.turn)


def _extent(proof: str) -> tuple[int, int]:
    """Return the number of positions of a proof, and its depth."""
    head, *lines = (strict.read(line, dict[str, Any]) for line in proof.splitlines())
    depths: list[int] = []
    for line in lines:
        below = [depths[number - 1] for _, number in line.get("replies", {}).values()]
        depths.append(1 + max(below) if below else 0)
    return len(lines), depths[head["root"] - 1]


# Equal puzzles, up to the symmetries of the board and a shift.
#
# A puzzle depends on the cells of the winner's proof and of a threat against it.
# Only these and their neighbors are compared: if they look the same in two positions,
# anywhere on a board and with either player to move, it is the same puzzle.

Signature = tuple[tuple[int, int, str], ...]

_WHO = {Color.BLACK: "mover", Color.WHITE: "other"}


def signature(position: Position, region: CellSet) -> Signature:
    """Return a value that is the same for equal puzzles; `region` are the cells that matter."""
    if position.turn is Color.WHITE:
        board = position.board
        region = board.transposed.only(*(board.transpose(cell) for cell in region.search(1)))
        position = position.transposed()
    board = position.board
    rotation = board.only(*(board.rotate(cell) for cell in region.search(1)))
    return min(_shape(position, region), _shape(position.rotated(), rotation))


def _shape(position: Position, region: CellSet) -> Signature:
    """Return the cells of a region and their neighbors, shifted to the corner."""
    board = position.board
    contents: dict[Cell, str] = {}
    edges: set[tuple[int, int, str]] = set()
    for cell in region.search(1):
        contents[cell] = _what(position, cell)
        for point in board.neighbors(cell):
            if not board.is_edge(point):
                contents.setdefault(point, _what(position, point))
            else:
                edges.add((*board.column_and_row(cell), board.name(point)))
    places = [(*board.column_and_row(cell), what) for cell, what in contents.items()]
    if not places:
        return ()
    left, top = min(x for x, _, _ in places), min(y for _, y, _ in places)
    return tuple(sorted((x - left, y - top, what) for x, y, what in (*places, *edges)))


def _what(position: Position, cell: Cell) -> str:
    color = position.color_at(cell)
    return "empty" if color is None else _WHO[color]


# A puzzle's block in a suite, as `analyze`, `solve` and `play` read it.


def heading(command: str, count: int, *, shortest: bool = False) -> str:
    """Return the comment at the head of a suite, which includes how it was made."""
    stones = "# stones: the puzzle wins with so many stones, against any defense, and no fewer.\n"
    return (
        f"# {quantity(count, 'proved puzzle')}: `wins` are all moves that win, "
        "`proof` is beside this file.\n"
        f"# Made by: {command}\n"
        "# grade: 1 to 5, by looks (cells that look as good), size and depth of the proof, and\n"
        "# whether the two rules of H-search see the win at once.\n"
    ) + stones * shortest


def name_of(puzzle: "Puzzle", number: int) -> str:
    """Return the id of a puzzle: its board, its grade, and a number."""
    board = puzzle.position.board
    return f"{board}-grade{grade(puzzle.measures)}-{number:02}"


def entry_text(puzzle: "Puzzle", name: str, source: str, proof: str) -> str:
    """Return the block of a puzzle; `proof` is the path of its proof, relative to the suite."""
    position, measures = puzzle.position, puzzle.measures
    fields = {
        "source": source,
        "turn": position.turn.word,
        "wins": position.board.text(puzzle.wins),
        **({} if puzzle.stones is None else {"stones": str(puzzle.stones)}),
        "grade": str(grade(measures)),
        "looks": str(measures.looks),
        "size": str(measures.size),
        "depth": str(measures.depth),
        "seen": "yes" if measures.seen else "no",
        "proof": proof,
    }
    return suite.write(name, position, fields, margin=10) + "\n"


# The puzzles of one game.

MEMORY = 100  # megabytes of the solver's table
SHORTEST_CELLS = 36  # most cells of a board on which a shortest win is found in time
SHORTEST_SECONDS = 10.0  # for the shortest win of a puzzle


@dataclass(frozen=True, slots=True)
class PuzzleSearch:
    """Criteria for puzzles, and the effort to find them.

    at_most   most winning moves
    nodes     most positions of the solver for one position of the game
    longest   most positions of a proof
    least     fewest empty cells
    shortest  whether to find the fewest stones that win, on boards of at most 36 cells
    """

    at_most: int = 1
    nodes: int = 150
    longest: int = 40
    least: int = 8
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A proved puzzle.

    wins       all moves that win
    proof      proof of the win, as `hsearch verify` reads it
    moves      number of moves before it in its game
    signature  the same for equal puzzles
    stones     the fewest stones that win; None if unknown
    """

    position: Position
    wins: tuple[Cell, ...]
    proof: str
    measures: Measures
    moves: int
    signature: Signature
    stones: int | None = None


def puzzles_of(game: Game, search: PuzzleSearch) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, from its end backward.

    Stop at the first position that the solver leaves open: earlier ones are harder.
    """
    solver = Solver(game.board, memory=MEMORY)
    is_small = game.board.size <= SHORTEST_CELLS
    shortest = ShortestSearch(game.board, memory=MEMORY) if search.shortest and is_small else None
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
            if puzzle is not None and shortest is not None:
                win = shortest.solve(position, seconds=SHORTEST_SECONDS, won_by=position.turn)
                puzzle = replace(puzzle, stones=win.stones)
            if puzzle is not None:
                yield puzzle


def _wins(solver: Solver, position: Position, search: PuzzleSearch) -> tuple[Cell, ...]:
    """Return all moves that win; none if there are too many or the solver leaves one open."""
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
    proof = write(solver, position, fills_regions=False)  # as moves, for people to read
    analysis = ConnectionAnalysis(position)
    measures = measure(analysis, wins, proof)
    if measures.size > search.longest:
        return None
    same = signature(position, _region(analysis, wins))
    return Puzzle(position, wins, proof, measures, moves, same)


def _is_trivial(after: Position, mover: Color) -> bool:
    """Return whether a chain, or bridges alone, win the game after the winning move."""
    if winner(after) is not None:
        return True
    fulls = closure(after, mover).edge_fulls
    return any(_is_bridges(full) for full in fulls)


def _is_bridges(full: Connection) -> bool:
    """Return whether a connection consists only of touching stones and bridges."""
    waiting = [full]
    while waiting:
        part = waiting.pop()
        if part.rule is Rule.OR:
            if any(semi.carrier.count() != 1 for semi in part.premises):
                return False
        else:
            waiting.extend(part.premises)
    return True


def _region(analysis: ConnectionAnalysis, wins: tuple[Cell, ...]) -> CellSet:
    """Return the cells that matter: the winning moves, must-play, a threat, the connection."""
    position = analysis.position
    region = position.board.only(*wins)
    if analysis.mustplay.is_forced:
        region = region | analysis.mustplay.cells
        for threat in analysis.mustplay.threats[:1]:
            region = region | threat.carrier
    connection = analysis.edge_connection(position.turn)
    return position.empty if connection is None else region | connection.carrier


# The puzzles of many games: no two equal, a quota for each grade, for any number of workers.


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """A source of puzzles.

    source  its description in the suite
    game    a game that was read, or the number of a game that a player is to play against itself
    """

    source: str
    game: Game | tuple[SelfPlay, int]

    def puzzles(self, search: PuzzleSearch) -> list[Puzzle]:
        """Return its puzzles, from the end of the game backward."""
        game = self.game
        if not isinstance(game, Game):
            play, number = game
            game = play.game(number)
        return list(puzzles_of(game, search))


class Collection:
    """A filter of puzzles. Holds state: signatures taken, and how many of each kind."""

    def __init__(self, per_grade: int | None = None) -> None:
        """Start with no puzzle; `per_grade` is the most of one grade on one board."""
        self.per_grade = per_grade
        self._seen: set[object] = set()
        self._counts: Counter[object] = Counter()

    def take(self, puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, int]]:
        """Yield the new puzzles of a game, at most one a grade, with their numbers in it."""
        grades: set[int] = set()
        for puzzle in puzzles:
            level = grade(puzzle.measures)
            kind = puzzle.position.board, level
            full = self.per_grade is not None and self._counts[kind] >= self.per_grade
            if level in grades or full or puzzle.signature in self._seen:
                continue
            grades.add(level)
            self._seen.add(puzzle.signature)
            self._counts[kind] += 1
            yield puzzle, self._counts[kind]


# A move in a puzzle, judged.


def try_move(
    position: Position,
    cell: Cell,
    solver: Solver,
    *,
    seconds: float | None = None,
    cancel: threading.Event | None = None,
) -> PuzzleVerdict:
    """Try a move of the player to move.

    Raise ValueError when it is not legal, TimeoutError when the solver does not decide in time.
    """
    me, after = position.turn, position.play(cell)
    answer = solver.solve(after, seconds=seconds, cancel=cancel)
    if answer.winner is None:
        raise TimeoutError
    store = closure(after, answer.winner)
    fulls, semis = store.edge_fulls, store.edge_semis
    if answer.winner is me:
        defense = None if fulls or winner(after) is me else _defense(after)
        return RightMove(cell, after, next(iter(fulls), None), defense, answer.nodes)
    keys = (semi.key for semi in semis if semi.key is not None)
    reply, *_ = *keys, *answer.winning_moves
    end = after.play(reply)
    joins = [] if winner(end) is not None else closure(end, answer.winner).edge_fulls
    proof, join = next(iter(fulls or semis), None), next(iter(joins), None)
    return WrongMove(cell, after, reply, proof, join, answer.nodes)


def try_within(
    position: Position, cell: Cell, search: ShortestSearch, stones: int
) -> PuzzleVerdict:
    """Try a move that should win with this many stones of the player to move, its own included.

    The reply to a right move is the longest defense. Raise ValueError when it is not legal,
    TimeoutError when a time limit of the caller is over.
    """
    me, after, before = position.turn, position.play(cell), search.nodes
    rest = search.needs(after, me, stones - 1)
    if rest is None:
        raise TimeoutError
    if not rest.wins:
        reply = next(iter(rest.moves), min(after.empty.search(1)))
        return WrongMove(cell, after, reply, None, None, search.nodes - before, stones)
    longest = None
    if winner(after) is not me:
        longest = search.longest_reply(after, me, stones - 1)
        if longest is None:
            raise TimeoutError
    return RightMove(cell, after, None, longest, search.nodes - before, stones)


def _defense(after: Position) -> Cell:
    """Return the loser's best try: the weakest link in the must-play region."""
    analysis = ConnectionAnalysis(after)
    region = analysis.mustplay.cells
    links = [cell for cell, _ in analysis.circuits.weak_links]
    return next((cell for cell in links if region[cell]), links[0])
