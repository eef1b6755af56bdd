"""Run commands with random options and files, as by a careless user or an attacker.

    PYTHONPATH=.:tests/support python tests/research/random_usage.py 3000 --seed 43

Each run has a folder with files of many kinds. Every command must end with 0, 1, 2, 3 or 130,
without a traceback, an internal error or a Python warning. No file with content may change unless
it was named as an output with `--force`. A command that runs long gets Ctrl-C, and must end soon.
Every run is a fork of this process, so nothing compiles twice.
"""

import argparse
import hashlib
import io
import os
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from multiprocessing import util
from pathlib import Path
from random import Random

import click
import numba  # noqa: F401 - loaded once, not by each fork
from commands import verbs
from places import ROOT

from player.cli import COMMANDS
from player.cli import main as program

POSITIONS = ROOT / "positions"
GAME = "(;FF[4]GM[11]SZ[5]PB[Ana]PW[Bob];B[a2];W[c3];B[b4];W[d1])"
CONTENTS = {
    "game.sgf": GAME,
    "two.sgf": f"{GAME}\n{GAME.replace('c3', 'swap-pieces')}",
    "sides.sgf": GAME.replace("c3", "swap-sides"),
    "tree.sgf": GAME.replace(";W[d1]", "(;W[d1])(;W[e5]C[x])"),
    "cut.sgf": GAME[:-9],
    "go.sgf": "(;FF[4]GM[1]SZ[19];B[dd];W[pp])",
    "wrong.sgf": GAME.replace("c3", "z99"),
    "over.sgf": "(;GM[11]FF[4]SZ[2];B[a1];W[b1];B[a2])",
    "resigned.sgf": GAME.replace(")", ";B[resign])"),
    "setup.sgf": "(;GM[11]FF[4]SZ[4]AB[a1][b2]AW[c3])",
    "long.sgf": f"(;GM[11]FF[4]SZ[26]C[{'x' * 500}];B[a1];W[z26])",
    "many.sgf": f"{GAME}\n" * 25_000,
    "wide.sgf": GAME.encode("utf-16"),
    "latin.sgf": GAME.replace("Ana", "José").encode("latin-1"),
    "nothing.txt": "",
    "blank.txt": " \n\n",
    "board.txt": "· ● ·\n · ○ ·\n  · · ·\n",
    "moves.txt": "a10 f6 d8 swap-pieces",
    "link.txt": "https://hexworld.org/board/#5c1,a1c3b2",
    "trmph.txt": "https://trmph.com/hex/board#11,a2a2f6g7",
    "page.txt": "https://www.littlegolem.net/jsp/game/game.jsp?gid=1",
    "wiki.txt": '<hexboard size="4x4" contents="R a1 B c3"/>',
    "suite.txt": "id one\nsource me\nboard . B .\n       W . .\nturn black\nwins a1\n",
    "playhex.json": '[{"boardsize":5,"moves":"a2 swap-pieces c3","winner":"red"}]',
    "other.json": '{"schema": "x/1", "a": [1, 2, {"b": null}]}',
    "rows.jsonl": '{"schema": "hsearch/tournament/4", "seed": 1}\n{"game": 0}\n',
    "prose.md": "# Notes\n\nA note about `a1`, and - a list.\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "noise.bin": bytes(range(256)) * 40,
    "zeros.bin": bytes(2_000_000),
    "table.csv": "a,b\n1,2\n",
    "gtp.txt": "boardsize 5\nplay b c3\ngenmove w\nshowboard\nundo\nhexsolve b\nquit\n",
    "talk.txt": "help\nc3\nhint\nwhy\nundo\nb2\nsave new.sgf\nboard\nquit\n",
    "code.py": "def evaluate(position):\n    return 0.5\n",
}
COPIED = {
    "net.npz": "net.npz",
    "windows.db": "windows.db",
    "chance.json": "chance.json",
    "patterns.npz": "patterns.npz",
    "dark.txt": "dark/2x2-abrupt-silent.txt",
    "puzzles.txt": "puzzles/classic.txt",
    "edge.txt": "templates/edge.txt",
}
ODD = [
    *("", "-", "--", "0", "-1", "1", "2", "3", "7", "26", "27", "1e9", "nan", "inf", "-inf", "0.5"),
    *("a1", "a1,b2", "z99", "north", "south", "black", "white", "red", "none", "all", "5", "4x3"),
    *("26x26", "1x26", "0x0", "tree", "hexy", "random", "hexy:depth=1", "tree:simulations=20"),
    *("tree:x=1", "ab:depth=1", "gtp:false", "gtp:/missing", "py:code.py:evaluate", "x:y:z"),
    *("100*", "80*", "\u00b2", "\udcff", "é", "a\nb", " ", "x" * 300, "127.0.0.1:1", "%s", "../.."),
    *("/dev/null", "/dev/zero", "/dev/full", "/missing/x"),
]
PLAYERS = ["tree:simulations=5", "hexy:depth=1", "random", "ab:depth=1"]
READ = [
    *("game.sgf", "two.sgf", "sides.sgf", "tree.sgf", "resigned.sgf", "over.sgf", "setup.sgf"),
    *("moves.txt", "link.txt", "trmph.txt", "board.txt", "suite.txt", "wiki.txt", "playhex.json"),
    *("a1 c3 b2", "c3", "-", "a2,swap-pieces,c3"),
]
# Valid values for options and arguments, by metavar or name.
WANTED = {
    "ADDRESS": ["127.0.0.1", "localhost", "127.0.0.1:1"],
    "BLACK WHITE": ["100*", "100", "7"],
    "CELL": ["a1", "b2", "c3", "a2"],
    "CELLS": ["a1", "a1,b2", "c3 c4"],
    "COLOR": ["black", "white"],
    "EDGE": ["north", "south", "west"],
    "FILE...": READ,
    "[FILE]...": READ,
    "[FILE|LINK]": READ,
    "FILES": ["dark.txt"],
    "FOLDER": ["new", "empty", "games"],
    "GAMES...": ["games", "empty"],
    "ID": ["one", "1", "ziggurat"],
    "NAME": ["ziggurat", "bidding", "hexy", "tree", "two_distance", "ridge", "linear"],
    "NAME...": ["1", "7-random", "figures", "nodes", "parity"],
    "NET": ["net.npz"],
    "OUT": ["new.svg", "new.png", "new.html", "new.sgf", "new.json", "new.txt", "new.proof"],
    "POINT": ["north", "south", "a1", "a2"],
    "TURN": ["black", "white"],
    "WHO": ["human", *PLAYERS],
    "X Y": ["north", "south", "a2", "b4"],
}
STARTED = 10  # seconds until Ctrl-C
ENDED = 8  # more seconds; later is a fault
TRIES = 3  # for a late command: other work on the machine may delay it
MEMORY = 6 << 30
ALLOWED = {0, 1, 2, 3, 130}
EMPTY = hashlib.sha256().hexdigest()
LOADED = [
    "analyze c3 --size 5 --solver 1",
    "analyze c3 --size 4 --player tree:simulations=20",
    "analyze a1 --size 4 --knowledge all",
    "evaluate c3 --size 3",
    "bid c3 --size 4",
    "review a1,b2,c1,c2 --size 3 --effort quick",
    "show a1,c3 --size 5 --inferior",
    "solve a1 --size 4",
    "thresholds a1 --size 3",
]
# Names of files that a command chooses itself.
OWN = re.compile(
    r"hex-game(-\d+)?\.sgf|gate-\d+x\d+\.jsonl|game-?\d*\.sgf|tournament\.jsonl|experiment-.*\.jsonl(\.lock)?|.*\.sgf|\.?core.*"
)
RAW = re.compile(
    r"^hsearch: \w*(?:Error|Exception|Interrupt)\b|Traceback \(most recent call last\)|Warning:",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Usage:
    """A command line, its standard input, and the paths that it names."""

    words: tuple[str, ...]
    stdin: str
    outputs: frozenset[str]

    def __str__(self) -> str:
        """Return the command line as typed in a shell."""
        return f"hsearch {shlex.join(self.words)} < {self.stdin}"


def folder(where: Path) -> list[str]:
    """Fill a folder with a file of each kind; return their names."""
    for name, content in CONTENTS.items():
        (where / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, shipped in COPIED.items():
        shutil.copy(POSITIONS / shipped, where / name)
    proof = next((POSITIONS / "proofs").rglob("*.proof*"))
    shutil.copy(proof, where / f"claim{proof.suffix}")
    (where / "games").mkdir()
    (where / "games" / "one.sgf").write_text(GAME)
    (where / "empty").mkdir()
    (where / "link.sgf").symlink_to("game.sgf")
    (where / "lost.sgf").symlink_to("nowhere")
    return sorted(each.name for each in where.iterdir())


def digests(where: Path) -> dict[str, str]:
    """Return digests of a folder's files that reveal any change."""
    return {
        str(each.relative_to(where)): hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted(where.rglob("*"))
        if each.is_file()
    }


def leaves() -> list[tuple[tuple[str, ...], click.Command]]:
    """Return every command with its words."""
    found = []
    for words in verbs():
        command = program.get_command(None, words[0])
        for word in words[1:]:
            assert isinstance(command, click.Group)
            command = command.commands[word]
        found.append((tuple(words), command))
    return found


Dealt = tuple[tuple[str, ...], click.Command, str]


def deck(chance: Random) -> Iterator[Dealt]:
    """Yield every command with each of its options, each time in a new order."""
    every = [
        (words, command, name) for words, command in leaves() for name in ["", *_options(command)]
    ]
    while True:
        yield from chance.sample(every, len(every))


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by all of their names."""
    return {
        name: each
        for each in command.params
        if isinstance(each, click.Option) and each.name != "help" and "--open" not in each.opts
        for name in (*each.opts, *each.secondary_opts)
    }


def usage(chance: Random, files: list[str], dealt: Dealt) -> Usage:
    """Return a random command line: two thirds of its values suit their options."""
    if chance.random() < 0.02:
        return _without_command(chance, files)
    words, command, first = dealt
    given, outputs = list(words), set[str]()
    options = _options(command)
    more = chance.sample(sorted(options), min(len(options), chance.choice([0, 0, 1, 1, 2, 3])))
    for name in dict.fromkeys(filter(None, [first, *more])):
        option = options[name]
        values = [_value(chance, option, files) for _ in range(option.nargs)]
        given += [name] if option.is_flag else [name, *values]
        if not option.is_flag and isinstance(option.type, click.Path):
            outputs |= set(values)
    for argument in command.params:
        if isinstance(argument, click.Argument):
            count = chance.choice([1, 1, 1, 2, 0]) if argument.nargs < 0 else argument.nargs
            given += [_value(chance, argument, files) for _ in range(count)]
            outputs |= {given[-1]} if isinstance(argument.type, click.Path) else set()
    if words[0] == "board":
        given.append("--no-open")
    if chance.random() < 0.03:
        given.append(chance.choice(["--nothing", "-x", *ODD]))
    typed = {"gtp": "gtp.txt", "play": "talk.txt"}.get(words[0])
    return Usage(
        tuple(given),
        typed if typed and chance.random() < 0.7 else chance.choice(files),
        frozenset(outputs),
    )


def _without_command(chance: Random, files: list[str]) -> Usage:
    """Return a command line that starts with no command, or with half of one."""
    first = chance.choice(
        ["help", "version", "--version", "--help", "dark", "learn", "template", *files, *ODD]
    )
    rest = chance.sample([*COMMANDS, *files, "--help", "--size", "5"], chance.choice([0, 1, 2]))
    return Usage((first, *rest), chance.choice(files), frozenset())


def _value(chance: Random, parameter: click.Parameter, files: list[str]) -> str:
    """Return a value that is valid more often than not."""
    kind = parameter.type
    hint = str(parameter.metavar or parameter.name).upper()
    picked = chance.random()
    if picked < 0.08:
        wanted = [*ODD, *files]
    elif isinstance(kind, click.Choice):
        wanted = [*map(str, kind.choices)]
    elif isinstance(kind, click.types.IntParamType):
        wanted = ["1", "2", "3", "5", "7", "0", "-1", "100"]
    elif isinstance(kind, click.types.FloatParamType):
        wanted = ["1", "0.5", "2", "0", "1e-9", "-1"]
    elif picked < 0.3:
        wanted = files
    elif "Size" in type(kind).__name__ or hint in {"BOARD", "N", "SIZE"}:
        wanted = ["3", "4", "5", "3x4", "2x2", "11"]
    elif hint in {"PLAYER", "PLAYERS", "PLAYER..."} or "OPTION=VALUE" in hint:
        wanted = PLAYERS
    else:
        wanted = WANTED.get(hint) or [*files, "new"]
    return chance.choice(wanted)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: exit code, output, and the seconds that it took after Ctrl-C."""

    code: int
    text: str
    late: float


def run(asked: Usage, where: Path, patience: float = STARTED) -> Ending:
    """Run a command in a fork; interrupt it if it takes long.

    The seconds after Ctrl-C are processor seconds available to this process: other work on the
    machine is not the command's fault.
    """
    output = where.parent / "output"
    child = os.fork()
    if child == 0:
        _become(asked, where, output)
    begin, sent, status, late = time.monotonic(), False, 0, 0.0
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if not sent and time.monotonic() - begin > patience:
            os.kill(child, signal.SIGINT)
            sent, begin = True, time.process_time()
        if sent:
            while time.process_time() - begin < late + 0.01:
                pass
            late = time.process_time() - begin
            if late > 4 * ENDED:
                os.kill(child, signal.SIGKILL)
        else:
            time.sleep(0.01)
    text = output.read_bytes()[-100_000:].decode(errors="replace")
    return Ending(os.waitstatus_to_exitcode(status), text, late)


def _become(asked: Usage, where: Path, output: Path) -> None:
    """Run the command in this process, and exit."""
    code = 99
    try:
        os.setsid()
        os.chdir(where)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 20, 200 << 20))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        source = asked.stdin if (where / asked.stdin).is_file() else os.devnull
        os.dup2(os.open(source, os.O_RDONLY), 0)
        target = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        program.main(list(asked.words), prog_name="hsearch")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - the search is for such errors
        sys.excepthook(*sys.exc_info())
        code = 98
    finally:
        with open(2, "w", closefd=False):
            sys.stdout.flush()
            sys.stderr.flush()
        util._exit_function()  # noqa: SLF001 - as at the end of a normal process
        os._exit(code)


def faults(asked: Usage, where: Path, patience: float = STARTED) -> tuple[Ending, list[str]]:
    """Run a command; return how it ended, and its faults in words."""
    before = digests(where)
    ending = run(asked, where, patience)
    after, wrong = digests(where), []
    if ending.code not in ALLOWED:
        wrong.append(f"exit code {ending.code}")
    if found := RAW.search(ending.text):
        wrong.append(f"says {ending.text[found.start() : found.start() + 200]!r}")
    if ending.code in {1, 2, 3} and not ending.text.strip() and not ending.late:
        wrong.append("fails without a word")
    if ending.late > ENDED:
        wrong.append(f"needs {ending.late:.1f} s after Ctrl-C")
    named = {Path(name).name for name in asked.outputs}
    for name, digest in before.items():
        may_change = "--force" in asked.words or digest == EMPTY
        is_meant = may_change and Path(name).name in named
        if after.get(name) != digest and not is_meant:
            wrong.append(f"{name} is {'changed' if name in after else 'gone'}")
    links = (path.readlink().name for path in where.iterdir() if path.is_symlink())
    words = " ".join((*asked.words, *links))  # writing to a named link changes its target
    for name in after.keys() - before.keys():
        top = name.partition("/")[0]
        if top not in words and not OWN.fullmatch(top):
            wrong.append(f"makes {name}")
    return ending, wrong


def load() -> None:
    """Run a few commands here, so forks need not load the same kernels from the disk."""
    for words in LOADED:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            program.main(words.split(), prog_name="hsearch", standalone_mode=False)


def sample(count: int, seed: int, patience: float = STARTED) -> tuple[Counter[int], list[str]]:
    """Run `count` commands; return the number of each exit code, and all faults."""
    codes, wrong, started = Counter[int](), list[str](), time.monotonic()
    said = partial(print, file=sys.stderr, flush=True)
    load()
    chance = Random(seed)  # noqa: S311 - a sample, not a secret
    dealt = deck(chance)
    for number in range(count):
        asked: Usage | None = None
        for _ in range(TRIES):
            with tempfile.TemporaryDirectory() as scratch:
                where = Path(scratch) / "here"
                where.mkdir()
                files = folder(where)
                asked = asked or usage(chance, files, next(dealt))
                ending, found = faults(asked, where, patience)
            if ending.late <= ENDED:
                break
        codes[ending.code] += 1
        wrong += [f"{asked}\n    {each}" for each in found]
        for line in wrong[len(wrong) - len(found) :]:
            said(f"{number}: {line}")
        if (number + 1) % 100 == 0:
            spent = time.monotonic() - started
            said(f"{number + 1:,} in {spent:.0f} s: {dict(codes)}")
    return codes, wrong


def main(arguments: list[str]) -> int:
    """Run as many commands as requested; return 1 if one had a fault."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=STARTED, help="seconds until Ctrl-C")
    options = parser.parse_args(arguments)
    said = partial(print, flush=True)
    codes, wrong = sample(options.count, options.seed, options.patience)
    said(dict(sorted(codes.items())), f"{len(wrong)} faults")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
