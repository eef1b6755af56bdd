"""Count positions of played games that benzene's solver settles, for comparison.

    python tests/research/rival_proofs.py COMMAND SECONDS ROWS.jsonl ...

COMMAND starts benzene's MoHex. The positions are those of `solver_gains`, each in its own process,
which has SECONDS of processor time after its start. *At once* are those that connections and
fill-in decide when built once.
"""

import math
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from played import sample

from hsearch.hex.game import Game


@dataclass(frozen=True, slots=True)
class Asked:
    """Result of a run: the winner if found, the number of builds, and the seconds."""

    winner: str | None
    builds: int
    seconds: float


def run(command: str, lines: list[str], most: int) -> Asked:
    """Send lines to a new process, which is killed after `most` processor seconds."""
    before = _spent()
    process = subprocess.Popen(  # noqa: S603 - running a given engine is the point
        shlex.split(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most))
    said, told = process.communicate("\n".join([*lines, "quit", ""]))
    winner = re.search(r"^= (black|white)$", said, re.MULTILINE)
    builds = re.search(r"^VC builds +(\d+)", told, re.MULTILINE)
    return Asked(winner and winner[1], int(builds[1]) if builds else 0, _spent() - before)


def question(game: Game) -> list[str]:
    """Return the commands that ask for the winner of a game's last position."""
    board, moves = game.board, game.moves
    played = (f"play {move.color.word[0]} {move.name(board)}" for move in moves)
    ask = f"dfpn-solve-state {game.position().turn.word[0]}"
    size = f"boardsize {board.columns} {board.rows}"
    return ["param_game allow_swap 0", size, *played, "param_dfpn timelimit 100000", ask]


def table(command: str, seconds: float, names: list[str]) -> Iterator[str]:
    """Yield the lines of the table."""
    start = run(command, [], 60).seconds
    asked = list(sample(map(Path, names)))
    yield f"| {len(asked)} positions | settled | at once | builds | s |"
    yield "|---|---|---|---|---|"
    for size in sorted({each.board.columns for each in asked}):
        settled = at_once = builds = 0
        total = 0.0
        for each in asked:
            if each.board.columns == size:
                found = run(command, question(each), math.ceil(start + seconds))
                took = found.seconds - start
                is_settled = found.winner is not None and took <= seconds
                settled += is_settled
                at_once += is_settled and found.builds <= 1
                builds += found.builds
                total += took
        yield f"| {size}x{size} | {settled} | {at_once} | {builds} | {total:.1f} |"


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the table."""
    command, seconds, *names = sys.argv[1:]
    for row in table(command, float(seconds), names):
        sys.stdout.write(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
