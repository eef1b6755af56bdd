"""All formats that the program writes and reads again: a file of each, and its reader.

Whoever adds a format adds it here. `test_kept_files.py` damages each of them,
and fails when a module writes files and is neither in `KEPT` nor in `FOR_OTHERS`.
"""

import base64
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from click.testing import CliRunner

from hsearch import formats
from hsearch.board import Board
from hsearch.files.lines import LinesError
from hsearch.formats import FormatError
from hsearch.formats import suite as suites
from hsearch.game import Game
from hsearch.kernels.cache import kernel
from hsearch.template.find import Search
from hsearch.template.progress import read as read_progress
from hsearch.template.progress import write as write_progress
from hsearch.template.window import Window
from player.chance.model import read as read_model
from player.cli import main
from player.console.errors import InputError
from player.console.reading import read as read_record
from player.dark import certificate, regression
from player.dark import solve as dark
from player.dark.checkpoint import CheckpointError
from player.dark.long_run import Stop
from player.dark.rules import Base, Rules
from player.experiment.ladder import PLAYERS, ladder
from player.fillings import tables
from player.match import recorded_variant, variant
from player.match.alternating import Alternating
from player.match.dark_record import sealed
from player.openings import read as read_chart
from player.openings import read_balanced, shipped_chart, write, write_balanced
from player.openings.chart import ChartError
from player.review.effort import EFFORTS
from player.review.rows import ReviewRows, Task, failed_row, reviewed_row
from player.review.totals import sentences, totals
from player.solve import Solver, TableError
from player.solve.verify import ProofError, verify
from player.terminal.record import laid_out
from player.tournament import Event, Rows, RowsError, players_in, run

Mutate = Callable[[bytes], bytes]
BOMB = bytes(100_000_000)


@dataclass(frozen=True)
class Kept:
    """A format.

    name     what it is
    writers  the modules that write such files, as paths without `.py`
    make     writes a valid file
    read     reads a file as the commands do
    errors   what the reader may raise
    inner    applies damage below a checksum or a packing, whose outside then fits again
    command  a command that reads the file, and what is typed into it
    """

    name: str
    writers: tuple[str, ...]
    make: Callable[[Path], None]
    read: Callable[[Path], object]
    errors: tuple[type[Exception], ...]
    inner: Callable[[bytes, Mutate], bytes] | None = None
    command: Callable[[Path], tuple[list[str], str]] | None = None

    @cache  # noqa: B019 - there are few, and they live as long as the tests
    def sample(self, folder: Path) -> bytes:
        """Return the content of a valid file."""
        path = folder / re.sub(r"\W+", "-", self.name)
        self.make(path)
        return path.read_bytes()


def cli(*words: str, typed: str = "") -> str:
    """Return what a command prints that succeeds."""
    done = CliRunner().invoke(main, list(words), input=typed)
    assert done.exit_code == 0, done.output
    return done.stdout


# Results of tournaments and experiments.

EVENT = Event("tournament", 3, 3, ("random", "ab:depth=1,order=random"))


def _made_rows(path: Path) -> None:
    run(Rows(path, EVENT), range(3), lambda _: False)


def _rows_command(path: Path) -> tuple[list[str], str]:
    words = ["tournament", *EVENT.players, "--size", "3", "--games", "3", "--rows", str(path)]
    return words, ""


def _made_ladder(path: Path) -> None:
    event = ladder("ladder-8x8", [f"{player},nodes=5" for player in PLAYERS])
    rows = Rows(path, event)
    game = event.pairing(0)
    _made_rows(path.with_name("other"))
    row = Rows(path.with_name("other"), EVENT).games[0]
    rows.add(replace(row, black=game.black, white=game.white, seed=game.seed, opening=game.opening))


def _read_ladder(path: Path) -> object:
    players = players_in(path)
    try:
        event = ladder("ladder-8x8", players or [f"{player},nodes=5" for player in PLAYERS])
    except ValueError as error:  # as player.cli.climbing has it
        raise RowsError(f"{path}:1: {error}") from error
    return Rows(path, event)


# Tables and proofs of the solver.


def _made_table(path: Path) -> None:
    solver = Solver(Board(3, 3))
    cli("solve", "-", "--size", "3", "--table", str(path), typed="a1")
    solver.load(path)


def _resummed(content: bytes, mutate: Mutate) -> bytes:
    """Damage the records of a table, and let its head fit them again."""
    head, _, payload = content.partition(b"\n")
    thing, payload = json.loads(head), mutate(payload)
    record = len(content.partition(b"\n")[2]) // thing["nodes"]
    thing |= {"nodes": len(payload) // record, "sha256": sha256(payload).hexdigest()}
    return json.dumps(thing).encode() + b"\n" + payload


def _made_proof(path: Path) -> None:
    cli("solve", "-", "--size", "3", "--proof", str(path), typed="a1")


# Dark Hex.

RULES = Rules(Board(2, 2), Base.ABRUPT)


def _run(method: str, path: Path, iterations: int = 1) -> object:
    options = dark.Options(Stop(iterations), file=path, rcfr=regression.Options(power=2.0))
    return dark.solve(RULES, method, options)


def _dark_command(method: str, path: Path) -> tuple[list[str], str]:
    words = ["dark", "solve", "2x2", "--base", "abrupt", "--method", method]
    return [*words, "--iterations", "1", "--file", str(path)], ""


def _repacked(content: bytes, mutate: Mutate) -> bytes:
    """Damage the description in a checkpoint, or an array; or pack a bomb instead of it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        members = {name: old.read(name) for name in old.namelist()}
        text = str(np.load(io.BytesIO(members["header.npy"])))
        changed = mutate(text.encode()).decode(errors="replace")
        if changed != text:
            file = io.BytesIO()
            np.save(file, np.array(changed))
            members["header.npy"] = file.getvalue()
        for number, (name, data) in enumerate(members.items()):
            packing = zipfile.ZIP_STORED
            if len(changed) % 7 == 1 and number == 1:
                data, packing = mutate(data), zipfile.ZIP_STORED  # noqa: PLW2901
            if len(changed) % 29 == 2 and number == 1:
                data, packing = data[:128] + BOMB, zipfile.ZIP_DEFLATED  # noqa: PLW2901
            new.writestr(name, data, packing)
    return out.getvalue()


def _made_certificate(path: Path) -> None:
    found = dark.solve(RULES, "double-oracle", dark.Options())
    path.write_text(certificate.write(found.certificate))


def _verified(path: Path) -> object:
    claim = certificate.load(path)
    certificate.verify(claim)
    return claim


# Reviews.

EFFORT = EFFORTS["quick"]


def _made_reviews(path: Path) -> None:
    rows = ReviewRows(path, EFFORT)
    game = formats.read("a1 b2 c3 b1 a3", size=(3, 3))
    rows.add(reviewed_row(Task.of("a.sgf", 1, game), EFFORT))
    rows.add(failed_row("b.sgf", 1, "no game"))


def _read_reviews(path: Path) -> object:
    rows = ReviewRows(path, EFFORT)
    return sentences(totals(rows.rows.values()), EFFORT.words)


# Templates.

WINDOW = Window(2, 1, 4)


def _made_progress(path: Path) -> None:
    search = Search(WINDOW)
    for _ in search.run():
        break
    path.write_text(write_progress(search.progress, WINDOW))


def _progress_command(path: Path) -> tuple[list[str], str]:
    return ["template", "find", "--row", "2", "--columns", "4", "--state", str(path)], ""


def _made_suite(path: Path) -> None:
    path.write_text(cli("template", "find", "--row", "2", "--columns", "4"))


# Saved games of every variant.

VARIANTS = {
    "alternating": ("hexy:level=1", "random"),
    "random-turn": ("random", "random"),
    "bidding:black=9,white=9*": ("bidding:fillings=50", "random"),
    "dark-classic:noise=noisy": ("view:by=center", "random"),
    "dark-abrupt:noise=flash": ("view:by=center", "random"),
}


def _made_game(text: str, path: Path) -> None:
    rules = variant(text)
    black, white = map(rules.player, VARIANTS[text])
    start = rules.start(Game.of(Board(3, 3)))
    rules.play(black, white, start, np.random.default_rng(1), save=path)


def _made_sealed(path: Path) -> None:
    _made_game("dark-abrupt:noise=flash", path)
    game = sealed(formats.read(path.read_text()))
    path.write_text(formats.sgf.write(game))


def _resealed(content: bytes, mutate: Mutate) -> bytes:
    """Damage what is sealed, or seal a bomb."""
    match = re.search(rb"XA\[([^]]*)\]", content)
    data = mutate(zlib.decompress(base64.b64decode(match[1])))
    packed = zlib.compress(data + BOMB if len(data) % 29 == 1 else data)
    return content.replace(match[1], base64.b64encode(packed))


def _resumed(path: Path) -> object:
    game = read_record(str(path)).game
    return laid_out(game, recorded_variant(game) or Alternating(), str(path))


def _play_command(path: Path) -> tuple[list[str], str]:
    seats = ("--black", "human", "--white", "human")
    return ["play", "--resume", str(path), "--record", f"{path}.new", *seats], "quit\n"


# Openings.


def _made_list(path: Path) -> None:
    path.write_text(write_balanced(3, [("a1 b2", 0.1), ("c1 b2", 0.25)], "a command"))


# Caches.


def _increment(number):
    return number + 1


def _cached(folder: Path) -> tuple[Any, Path]:
    """Return a kernel that is kept in a folder, and the file where it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "CACHE_DIR", str(folder))
        compiled = kernel(_increment)
        compiled.compile((numba.int64,))
        return compiled, next(folder.rglob("*.kernel"))


def _made_kernel(path: Path) -> None:
    path.write_bytes(_cached(path.parent / "kernels")[1].read_bytes())


def _read_kernel(path: Path) -> object:
    compiled, file = _cached(path.parent / "kernels")
    content = file.read_bytes()
    file.write_bytes(path.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "CACHE_DIR", str(path.parent / "kernels"))
        cache = compiled._cache  # noqa: SLF001 - Numba has no door for it
        found = cache.load_overload((numba.int64,), compiled.targetctx)
    file.write_bytes(content)
    return found


# Texts of positions.


def _shown(option: str, path: Path) -> None:
    path.write_text(cli("show", "-", "--size", "5", option, typed="a1 b2 c3 d4"))


def _made_diagram(path: Path) -> None:
    path.write_text(formats.diagram.write(formats.read("a1 b2 c3", size=(4, 4)).position()))


def _read_text(path: Path) -> object:
    return read_record(str(path)).position


def _show_command(path: Path) -> tuple[list[str], str]:
    return ["show", str(path)], ""


_TEXT = {"read": _read_text, "errors": (InputError,), "command": _show_command}
_RECORDS = (
    "player/match/referee", "player/tournament/run", "player/protocol/game", "player/terminal/game",
)  # fmt: skip

KEPT: tuple[Kept, ...] = (
    Kept(
        "rows of a tournament",
        ("hsearch/files/lines", "player/tournament/rows"),
        _made_rows,
        partial(Rows, event=EVENT),
        (RowsError,),
        command=_rows_command,
    ),
    Kept("rows of a ladder", ("player/tournament/rows",), _made_ladder, _read_ladder, (RowsError,)),
    Kept(
        "table of the solver",
        ("player/solve/table_file",),
        _made_table,
        lambda path: Solver(Board(3, 3)).load(path),
        (TableError,),
        _resummed,
        lambda path: (["solve", "-", "--size", "3", "--table", str(path)], "a1"),
    ),
    Kept(
        "proof",
        ("player/solve/verify", "player/cli/solve"),
        _made_proof,
        lambda path: verify(path.read_text(encoding="utf-8")),
        (ProofError, UnicodeDecodeError),
        command=lambda path: (["verify", str(path)], ""),
    ),
    *(
        Kept(
            f"checkpoint of {method}",
            ("player/dark/checkpoint",),
            partial(_run, method, iterations=3),
            partial(_run, method),
            (CheckpointError,),
            _repacked,
            partial(_dark_command, method),
        )
        for method in ("cfr+", "rcfr", "mccfr-outcome", "double-oracle")
    ),
    Kept(
        "certificate",
        ("player/cli/dark/table", "player/cli/dark/solve"),
        _made_certificate,
        _verified,
        (certificate.CertificateError,),
        command=lambda path: (["dark", "verify", str(path)], ""),
    ),
    Kept("rows of reviews", ("player/review/rows",), _made_reviews, _read_reviews, (LinesError,)),
    Kept(
        "search for templates",
        ("hsearch/template/progress", "player/cli/template_find"),
        _made_progress,
        lambda path: read_progress(path.read_bytes(), WINDOW),
        (ValueError,),
        command=_progress_command,
    ),
    Kept(
        "suite",
        ("player/cli/template_find", "player/cli/puzzles"),
        _made_suite,
        lambda path: suites.read(path.read_text(encoding="utf-8")),
        (FormatError, UnicodeDecodeError),
        command=lambda path: (["show", str(path), "--id", "row2-1-01"], ""),
    ),
    *(
        Kept(
            f"game of {text}",
            _RECORDS,
            partial(_made_game, text),
            _resumed,
            (InputError,),
            command=_play_command,
        )
        for text in VARIANTS
    ),
    Kept("sealed game", _RECORDS, _made_sealed, _resumed, (InputError,), _resealed, _play_command),
    Kept(
        "map of openings",
        ("player/cli/openings",),
        lambda path: path.write_text(write(shipped_chart(4))),
        lambda path: read_chart(path.read_text(encoding="utf-8")),
        (ChartError, UnicodeDecodeError),
    ),
    Kept(
        "list of openings",
        ("player/cli/openings",),
        _made_list,
        partial(read_balanced, board=Board(3, 3)),
        (ValueError,),
    ),
    Kept(
        "cache of fillings",
        ("player/fillings/tables",),
        lambda path: tables.write(path, tables.build(3)),
        lambda path: tables.read(path, 3),
        (),
    ),
    Kept(
        "model of chances",
        ("player/chance/model", "player/cli/chance"),
        lambda path: path.write_bytes(formats.shipped("chance.json").read_bytes()),
        lambda path: read_model(path.read_text(encoding="utf-8")),
        (ValueError,),
    ),
    Kept("compiled kernel", ("hsearch/kernels/cache",), _made_kernel, _read_kernel, ()),
    Kept("diagram", (), _made_diagram, **_TEXT),
    Kept("HexWorld link", (), partial(_shown, "--hexworld"), **_TEXT),
    Kept("HexWiki board", (), partial(_shown, "--hexboard"), **_TEXT),
    Kept("SGF of a position", (), partial(_shown, "--sgf"), **_TEXT),
    Kept("move list", (), lambda path: path.write_text("a1 swap-pieces b2 c3\n"), **_TEXT),
)

# Modules that write what the program never reads: pictures, curves; and what all others use.
FOR_OTHERS: dict[str, str] = {
    "hsearch/files/whole": "the one that writes for all",
    "player/console/screen": "the one that writes for commands",
    "player/cli/dark/show": "a picture",
    "player/console/picture": "pictures",
    "player/cli/reviewing": "a picture, a page; records and proofs, which are listed",
    "player/dark/plot": "a picture",
    "player/tournament/plot": "a picture",
}
