"""Test both proof checkers, and those of derivations and certificates, with forgeries.

    PYTHONPATH=. python tests/support/forgeries.py proofs 1000000 --seed 2026
    PYTHONPATH=. python tests/support/forgeries.py derivations 100000
    PYTHONPATH=. python tests/support/forgeries.py certificates 20000

An accepted proof is false if brute force finds another winner, or finds that the cells the proof
calls sufficient are not. Each hundredth of the run prints a line of counts; the first false proofs
are printed whole.
"""

import argparse
import importlib.util
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TypeVar

import forged_certificates
import forged_derivations
import forger
import liar
from plain_hex import OTHER, PlainHex

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.solve.proof import write
from player.solve.proof_line import NoProofError, ProofError
from player.solve.solver import Solver
from player.solve.verify import verify

ROOT = Path(__file__).parents[2]
SECOND = ROOT / "docs" / "reference" / "check_proof.py"
MOST_EMPTY = 13  # brute force takes too long with more
MOST_KNOWN = 3_000_000  # positions remembered
CHANGES_EACH = 40  # mutants per proof

T = TypeVar("T")

HOLDS, DOES_NOT_HOLD, NOT_A_PROOF = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checker's verdict: exit code, reason, and the winner's stones and cells if it holds."""

    code: int
    why: str = ""
    stones: int = 0
    cells: int = 0


def second_checker(path: Path = SECOND) -> ModuleType:
    """Return the standalone checker, or a copy of it, which makes the board of many proofs once."""
    spec = importlib.util.spec_from_file_location("check_proof", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Board = lru_cache(maxsize=8)(module.Board)
    return module


def by_package(text: str) -> Verdict:
    """Return the verdict of `hsearch verify`."""
    try:
        proved = verify(text)
    except NoProofError as error:
        return Verdict(NOT_A_PROOF, str(error))
    except ProofError as error:
        return Verdict(DOES_NOT_HOLD, str(error))
    own = proved.start.stones(proved.winner)
    return Verdict(HOLDS, "", *(sum(1 << n for n in s.search(1)) for s in (own, proved.carrier)))


def by_second(module: ModuleType, text: str) -> Verdict:
    """Return the verdict of the standalone checker."""
    try:
        _, stones, cells = module.check(text.encode().splitlines())
    except module.NotAProofError as error:
        return Verdict(NOT_A_PROOF, f"line {error.args[0]}: {error.args[1]}")
    except module.DoesNotHoldError as error:
        return Verdict(DOES_NOT_HOLD, f"line {error.args[0]}: {error.args[1]}")
    return Verdict(HOLDS, "", sum(1 << n for n in stones), sum(1 << n for n in cells))


class Truth:
    """Brute force. Holds state: the results so far."""

    def __init__(self) -> None:
        self._games: dict[tuple[int, int], PlainHex] = {}

    def is_false(self, head: forger.Line, verdict: Verdict) -> bool | None:
        """Return whether an accepted proof is false; None if the position is too large."""
        sides = head["columns"], head["rows"]
        game = self._games.get(sides)
        if game is None or game.known > MOST_KNOWN:
            game = self._games[sides] = PlainHex(*sides)
        black, white = game.set_of(head["black"]), game.set_of(head["white"])
        if (game.everything & ~(black | white)).bit_count() > MOST_EMPTY:
            return None
        won_by = head["winner"]
        if game.winner(black, white, head["turn"]) != won_by:
            return True
        return not game.holds(won_by, verdict.stones, verdict.cells)


@dataclass
class Tally:
    """The counts of forgeries by outcome. Holds state."""

    counts: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    quarrels: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the counts as a line."""
        return ", ".join(f"{name} {count:,}" for name, count in sorted(self.counts.items()))


def text_of(lines: forger.Proof) -> str:
    """Return a proof as the text of its file."""
    return "".join(json.dumps(line) + "\n" for line in lines)


def honest(chance: Random, game: PlainHex, black: int, white: int, turn: str) -> forger.Proof:
    """Return the solver's proof."""
    board = Board(game.columns, game.rows)
    stones = (board.only(*game.cells(cells)) for cells in (black, white))
    position = Position(board, *stones, Color.named(turn))
    text = write(Solver(board), position, fills_regions=chance.random() < 0.8)
    return [json.loads(line) for line in text.splitlines()]


def forged_proofs(chance: Random) -> Iterator[forger.Proof]:
    """Yield proofs endlessly: some true, some false from the start, most of them changed."""
    for game, black, white, turn in liar.positions(chance):
        if game.known > MOST_KNOWN:
            game.forget()
        empty = (game.everything & ~(black | white)).bit_count()
        liars = chance.choice([*OTHER])
        yield liar.hollow(chance, game, liars)
        for _ in range(20):
            own, other = (black, white) if liars == "black" else (white, black)
            line = liar.Steps(chance, game, own, other, liars).by_chance()
            stones = {"black": game.named(black), "white": game.named(white)}
            yield [liar.head_of(game, (black, white), OTHER[liars], liars), stones | line]
        originals = [honest(chance, game, black, white, turn)]
        if empty <= 7:
            won_by = game.winner(black, white, turn)
            originals.append(liar.Writer(chance, game, won_by).proof(black, white, turn))
        if empty <= 5:
            originals.append(liar.Writer(chance, game, liars).proof(black, white, turn))
        for lines in originals:
            yield lines
            for _ in range(CHANGES_EACH):
                yield forger.mutated(chance, lines)


Check = Callable[[str], Verdict]


def try_proofs(
    chance: Random, count: int, checkers: dict[str, Check], *, said: Callable[[str], object] = print
) -> Tally:
    """Check proofs; count the accepted, the false ones among them, and the disagreements."""
    tally, truth = Tally(), Truth()
    for number, lines in enumerate(forged_proofs(chance), 1):
        text = text_of(lines)
        verdicts = {name: check(text) for name, check in checkers.items()}
        tally.counts["tried"] += 1
        for name, verdict in verdicts.items():
            if verdict.code == HOLDS:
                tally.counts[f"accepted by {name}"] += 1
                is_false = truth.is_false(lines[0], verdict)
                if is_false:
                    tally.counts[f"false by {name}"] += 1
                    tally.false.append(text)
                tally.counts["too large for brute force"] += is_false is None
        if len({verdict.code == HOLDS for verdict in verdicts.values()}) > 1:
            tally.counts["quarrels"] += 1
            tally.quarrels.append(f"{verdicts}\n{text}")
        if number % max(1, count // 100) == 0:
            said(f"{number:,}: {tally.line()}")
        if number == count:
            break
    return tally


def try_others(
    forged: Iterator[T],
    count: int,
    accept: Callable[[T], object],
    is_false: Callable[[object], bool],
    *,
    said: Callable[[str], object] = print,
) -> Tally:
    """Check other forgeries with their checker; count the accepted and the false ones."""
    tally = Tally()
    for number, thing in enumerate(itertools.islice(forged, count), 1):
        tally.counts["tried"] += 1
        answer = accept(thing)
        if answer:
            tally.counts["accepted"] += 1
            if is_false(answer):
                tally.counts["false"] += 1
                tally.false.append(f"{thing}\n")
        if number % max(1, count // 100) == 0:
            said(f"{number:,}: {tally.line()}")
    return tally


def main(arguments: list[str]) -> int:
    """Run the given command; return 1 if a proof is false or the checkers disagree."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["proofs", "derivations", "certificates"])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    chance = Random(options.seed)  # noqa: S311 - a sample, not a secret
    said, count = partial(print, flush=True), options.count
    if options.what == "proofs":
        module = second_checker()
        checkers = {"verify": by_package, "check_proof.py": partial(by_second, module)}
        tally = try_proofs(chance, count, checkers, said=said)
    elif options.what == "derivations":
        made = forged_derivations.forged(chance)
        accepted, is_false = forged_derivations.accepted, forged_derivations.is_false
        tally = try_others(made, count, accepted, is_false, said=said)
    else:
        made = forged_certificates.forged(chance, ROOT / "positions" / "dark")
        accepted, is_false = forged_certificates.claim_of, forged_certificates.is_false
        tally = try_others(made, count, accepted, is_false, said=said)
    sys.stdout.writelines((tally.false + tally.quarrels)[:5])
    return bool(tally.false or tally.quarrels)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
