"""Saved games of every variant, and texts that hold positions."""

import base64
import re
import zlib
from functools import partial
from pathlib import Path

import numpy as np
from stored_format import BOMB, Mutate, StoredFormat, cli

from hsearch import formats
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.console.command import InputError, reading
from player.console.reading import ReadingOptions
from player.engine.referee import play
from player.engine.spec import participant
from player.terminal.record import continue_record
from player.variants import recorded_variant, variant
from player.variants.dark import seal
from player.variants.plain import Plain

VARIANTS = {
    "alternating": ("hexy:level=1", "random"),
    "random-turn": ("random", "random"),
    "bidding:black=9,white=9*": ("bidding:fillings=50", "random"),
    "dark-classic:noise=noisy": ("view:by=center", "random"),
    "dark-abrupt:noise=flash": ("view:by=center", "random"),
}


def _made_game(text: str, path: Path) -> None:
    rules = variant(text)
    black, white = (participant(spec, rules.name) for spec in VARIANTS[text])
    game, chance = Game.of(Board(3, 3)), np.random.default_rng(1)
    play(black, white, game, chance, variant=rules, save=path)


def _made_sealed(path: Path) -> None:
    _made_game("dark-abrupt:noise=flash", path)
    game = seal(formats.read(path.read_text()))
    path.write_text(formats.sgf.write(game))


def _resealed(content: bytes, mutate: Mutate) -> bytes:
    """Damage the sealed content, or seal a bomb."""
    match = re.search(rb"XA\[([^]]*)\]", content)
    data = mutate(zlib.decompress(base64.b64decode(match[1])))
    packed = zlib.compress(data + BOMB if len(data) % 29 == 1 else data)
    return content.replace(match[1], base64.b64encode(packed))


def _resumed(path: Path) -> object:
    game = ReadingOptions().read(str(path)).game
    with reading(path):
        rules = recorded_variant(game) or Plain()
    return continue_record(game, rules, str(path))


def _play_command(path: Path) -> tuple[list[str], str]:
    seats = ("--black", "human", "--white", "human")
    return ["play", "--resume", str(path), "--record", f"{path}.new.sgf", *seats], "quit\n"


def _shown(option: str, path: Path) -> None:
    path.write_text(cli("show", "-", "--size", "5", option, typed="a1 b2 c3 d4"))


def _made_diagram(path: Path) -> None:
    path.write_text(formats.diagram.write(formats.read("a1 b2 c3", size=(4, 4)).position()))


def _read_text(path: Path) -> object:
    return ReadingOptions().read(str(path)).position


def _show_command(path: Path) -> tuple[list[str], str]:
    return ["show", str(path)], ""


_TEXT = {"read": _read_text, "errors": (InputError,), "command": _show_command}
_RECORDS = (
    "player/engine/referee", "player/engine/results", "player/gtp/game",
    "player/terminal/record",
    "player/terminal/talk",
)  # fmt: skip

GAMES: tuple[StoredFormat, ...] = (
    *(
        StoredFormat(
            f"game of {text}",
            _RECORDS,
            partial(_made_game, text),
            _resumed,
            (InputError,),
            command=_play_command,
        )
        for text in VARIANTS
    ),
    StoredFormat(
        "sealed game", _RECORDS, _made_sealed, _resumed, (InputError,), _resealed, _play_command
    ),
)

TEXTS: tuple[StoredFormat, ...] = (
    StoredFormat("diagram", (), _made_diagram, **_TEXT),
    StoredFormat("HexWorld link", (), partial(_shown, "--hexworld"), **_TEXT),
    StoredFormat("HexWiki board", (), partial(_shown, "--hexboard"), **_TEXT),
    StoredFormat("SGF of a position", (), partial(_shown, "--sgf"), **_TEXT),
    StoredFormat("move list", (), lambda path: path.write_text("a1 swap-pieces b2 c3\n"), **_TEXT),
)
