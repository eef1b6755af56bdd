"""Check that answers of the solver, and recalled ones, hold, partly by brute force.

    PYTHONPATH=.:tests/support python tests/research/answers_hold.py FIRST LAST ROWS.jsonl ...

Each number from FIRST to LAST makes one batch and prints one line, so resume a run with the number
after its last line. A batch takes 40 random boards to 5x6 and three positions of games in ROWS,
which `hsearch tournament` writes, and asks whether some pairs of points are joined
(`player.solve.pair`). It takes 80 random positions of one board, and those of the games, and asks
who wins (`player.answers.analysis`). One memory serves a batch, and half of the random positions
are only recalled; a second memory holds only the proofs that were read.

By source, `checked` counts connections that `hsearch.check` derives again, and verdicts that have
a written proof of the same winner which both proof checkers accept. `played` counts answers that
brute force confirms: pairs inside few cells, verdicts with few empty cells, and the winning moves
of those. `false` lists answers that are not confirmed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path

import naive_solve
import numpy as np
from connections_hold import Kinds, joined, main, not_derived, of_games, random_position
from forgeries import HOLDS, by_package, by_second, second_checker

from hsearch.connect.connection import Connection, Rule
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.limits import Knowledge, Limits
from hsearch.hex.board import Board, Color, Point
from hsearch.hex.position import Position, captains, subgame
from player.answers.analysis import Analysis
from player.answers.memory import Memory, Proved
from player.solve.pair import PairAnswer, join
from player.solve.proof import part_of
from player.solve.solver import Solver
from player.solve.verify import verify

BOARDS, PAIRS, LONGEST = 40, 4, (5, 6)
VERDICTS, SIDES = 80, ((4, 4), (5, 4), (4, 5), (5, 5), (6, 5), (6, 6))
GAMES, OF_GAME, FEWEST = 3, 2, 30  # positions from games, pairs for each, and the fewest stones
SECONDS = 2.0  # for a pair, and for a verdict
MOST_SOLVERS = 30  # kept for further pairs
MOST_CELLS = 14  # in a carrier that is played out
MOST_STRAYS = 3  # cells that a question about a pair excludes
DENSEST = 0.6  # largest share of stones
FULLS = 1, 3, 20  # fulls that the two rules may keep for a pair; with few, other rules find more

Pair = tuple[Point, Point]


@dataclass
class Tally:
    """The outcomes of answers by source. Holds state."""

    checked: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)

    def note(self, source: str, *, is_checked: bool, is_played: bool | None, said: str) -> None:
        """Count an answer that was checked, and played out unless `is_played` is None."""
        if is_checked:
            self.checked[source] += 1
        if is_played:
            self.played[source] += 1
        elif is_played is False:
            self.false.append(f"{source}: {said}")


def batch(number: int, files: list[Path]) -> dict[str, object]:
    """Return the row of a batch."""
    source, tally = np.random.default_rng((number, 1)), Tally()
    solvers: dict[Board, Solver] = {}
    boards = [random_position(source, LONGEST) for _ in range(BOARDS)]
    from_games = list(of_games(source, files, GAMES, FEWEST))
    asked_of = [(position, PAIRS) for position in boards]
    for position, count in (*asked_of, *((position, OF_GAME) for position in from_games)):
        for _ in range(count):
            _ask_pair(position, source, solvers, tally)
    places = enumerate(_scattered(source, number))
    asked = [(position, (0.0, SECONDS)[place % 2]) for place, position in places]
    asked += [(position, SECONDS) for position in from_games]
    _ask_verdicts(asked, source, tally)
    return {"batch": number} | vars(tally)


# Pairs.


def _ask_pair(
    position: Position, source: np.random.Generator, solvers: dict[Board, Solver], tally: Tally
) -> None:
    if len(solvers) > MOST_SOLVERS:
        solvers.clear()
    color = Color(int(source.integers(2)))
    named = captains(position, color)
    x, y = map(int, source.choice(sorted(named), 2, replace=False))
    if named[x] == named[y]:
        return
    shut = source.choice(position.board.size, int(source.integers(MOST_STRAYS + 1)), replace=False)
    ends = [end for end in (x, y) if not position.board.is_edge(end)]
    within = position.empty & ~position.board.only(*map(int, shut), *ends)
    alone = subgame(position, color, within, x, y)
    answer = join(position, color, (x, y), within, SECONDS, solvers)
    said = f"{alone!r}, {color.word}, {position.board.name(x)} {position.board.name(y)}: {answer}"
    found = answer.connection
    if found is not None:
        wrong = [*not_derived(alone, color, [found]), *not_derived(position, color, [found])]
        tally.false += wrong
        by = f"pair by {'the solver' if _is_split(found) else 'the rules'}"
        holds = joined(position, color, found)
        tally.note(by, is_checked=not wrong, is_played=holds, said=said)
    if answer.joined is not None and within.count() <= MOST_CELLS:
        game = JoinGame(alone, color, (x, y), within)
        verdict = "pair is joined" if answer.joined else "pair is not joined"
        tally.note(verdict, is_checked=False, is_played=_is_so(answer, game), said=said)


def _is_so(answer: PairAnswer, game: JoinGame) -> bool:
    """Return whether complete play confirms an answer, apart from its connection."""
    is_so = game.play().joined == answer.joined
    first = game.play(opponent_first=False).joined
    if answer.intrusion is not None:
        left = game.carrier & ~game.position.board.only(answer.intrusion)
        is_so = is_so and not game.play(left, opponent_first=False).joined
    return is_so and answer.first in {None, first}


def _is_split(connection: Connection) -> bool:
    """Return whether a step of the derivation comes from the solver rather than the two rules."""
    steps, seen = [connection], {id(connection)}
    for step in steps:
        if step.rule is Rule.MUSTPLAY:
            return True
        news = [each for each in step.premises if id(each) not in seen]
        seen.update(map(id, news))
        steps += news
    return False


# Verdicts.


def _scattered(source: np.random.Generator, number: int) -> Iterator[Position]:
    """Yield random positions of a board on which nobody has won."""
    board = Board(*SIDES[number % len(SIDES)])
    least = max(2, board.size - 2 * MOST_CELLS)
    for _ in range(VERDICTS):
        count = int(source.integers(least, max(least + 1, round(DENSEST * board.size)) + 1))
        cells = list(map(int, source.permutation(board.size)[:count]))
        half = (count + int(source.integers(2))) // 2
        black, white = board.only(*cells[:half]), board.only(*cells[half:])
        yield Position(board, black, white, Color(int(source.integers(2))))


def _ask_verdicts(
    asked: list[tuple[Position, float]], source: np.random.Generator, tally: Tally
) -> None:
    """Ask who wins each position, with its seconds for the solver."""
    memory, reader = Memory(), Memory()
    for position, search in asked:
        limits = Limits(M=int(source.choice(FULLS)))
        knowledge = list(Knowledge)[int(source.integers(3))]
        seen = Analysis(position, limits, knowledge=knowledge, search=search, memory=memory)
        if seen.chain is not None:
            continue
        known: list[tuple[str, Proved | None]] = [("proofs read", reader.recall(position))]
        derived = seen.connected
        if derived is not None:
            known.append((_rule_of(seen, derived), derived))
        known.append(("", _beside(position, search, memory)))
        told = [(name or proved.by.word, proved) for name, proved in known if proved is not None]
        if told:
            _hold(position, told, memory, reader, tally)


def _beside(position: Position, search: float, memory: Memory) -> Proved | None:
    """Return the result of recall or the solver, ignoring connections."""
    blind = Analysis(position, search=search, memory=memory)
    blind.connected = None
    return blind.proved


def _rule_of(seen: Analysis, proved: Proved) -> str:
    """Return the strongest rule in the derivation of a proof's connection."""
    assert proved.connection is not None
    return Kinds(seen.deduced.get(proved.winner)).of(proved.connection)


def _hold(
    position: Position,
    told: list[tuple[str, Proved]],
    memory: Memory,
    reader: Memory,
    tally: Tally,
) -> None:
    """Compare verdicts on a position with its written proof and with brute force."""
    text = memory.proof(position)
    won_by = _proved_by(text, position)
    truth = naive_solve.outcome(position) if position.empty.count() <= MOST_CELLS else None
    for source, proved in told:
        said = f"{position!r}: {proved}"
        is_checked = won_by is proved.winner
        if proved.connection is not None:
            wrong = list(not_derived(position, proved.winner, [proved.connection]))
            tally.false += wrong
            edges = set(position.board.edges(proved.winner))
            is_checked = is_checked and not wrong and set(proved.connection.ends) == edges
        moves = [proved.move] if proved.winner is position.turn and proved.move is not None else []
        is_played = None
        if truth is not None:
            after = (naive_solve.outcome(position.play(move)) for move in moves)
            is_played = all(each is proved.winner for each in chain([truth], after))
        elif moves:
            after_it = position.play(moves[0])
            is_checked = is_checked and _proved_by(memory.proof(after_it), after_it) is won_by
        if not is_checked:
            tally.false.append(f"{source}: not proved: {said}")
        tally.note(f"verdict by {source}", is_checked=is_checked, is_played=is_played, said=said)
    proof = verify(text)
    reader.read(part_of(proof))


def _proved_by(text: str, position: Position) -> Color | None:
    """Return the winner of a position that a text proves, if both proof checkers agree."""
    if by_package(text) != by_second(_second(), text) or by_package(text).code != HOLDS:
        return None
    proof = verify(text)
    return proof.winner if proof.position == position else None


_second = cache(second_checker)


if __name__ == "__main__":
    main(batch)
