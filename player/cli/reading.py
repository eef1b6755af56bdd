"""How every command reads its position: the argument FILE and its options."""

import functools
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from hsearch import formats
from hsearch.board import Board, Cell, Color
from hsearch.formats import caption
from hsearch.formats.shipped import shipped
from hsearch.game import Game
from hsearch.position import Position
from player.cli.endings import InputError, one_line, unreadable
from player.cli.types import ColorType, SizeType

MAX_BYTES = 16_000_000
DEFAULT_SIZE = (11, 11)


@dataclass(frozen=True, slots=True)
class Source:
    """What a command was given to work on.

    file      as it was asked for; `-` is stdin
    game      all that the file holds
    moves     how many moves of the main line were played
    position  the position after them
    options   the reading options as they were given
    """

    file: str
    game: Game
    moves: int
    position: Position
    options: tuple[str, ...] = ()

    @property
    def last(self) -> Cell | None:
        """The stone played last; None if none was."""
        return self.game.last_cell(self.moves)

    @property
    def title(self) -> str:
        """The players and the move number, as far as the file tells."""
        players = " - ".join(name for name in self.game.players if name)
        number = f"after move {self.moves}" if self.moves else ""
        return ", ".join(part for part in (players, number) if part)

    @property
    def caption(self) -> str:
        """A line that tells who is to move or has won, and what was played last."""
        return caption.write(self.game, self.moves, self.position)

    def again(self, command: str) -> str:
        """Return the command line that runs another command on the same position."""
        return shlex.join(("hsearch", command, self.file, *self.options))


def reads_position(function: Callable[..., Any], *, required: bool = True) -> Callable[..., Any]:
    """Add FILE and the reading options; the command gets one `Source` as `source`.

    A command that can do without a FILE gets None for it.
    """

    @functools.wraps(function)
    def reading(
        file: str | None,
        move: int | None,
        size: tuple[int, int] | None,
        suite_id: str | None,
        turn: Color | None,
        text_format: str | None,
        **rest: Any,
    ) -> Any:
        if file is None:
            return function(source=None, **rest)
        source = read(
            file, moves=move, size=size, suite_id=suite_id, turn=turn, text_format=text_format
        )
        given = {
            "--move": move,
            "--size": None if size in {None, DEFAULT_SIZE} else _by(source.position.board),
            "--id": suite_id,
            "--turn": None if turn is None else turn.word,
            "--format": text_format,
        }
        words = (str(w) for option, v in given.items() if v is not None for w in (option, v))
        source = replace(source, options=tuple(words))
        return function(source=source, **rest)

    options: list[Callable[..., Any]] = [
        click.argument("file", required=required),
        click.option(
            "--move", type=click.IntRange(0), metavar="N", help="Stop after this many moves."
        ),
        click.option(
            "--size",
            type=SizeType(),
            help="Board of a move list, as 11 or 5x9 (columns x rows); 11 by default.",
        ),
        click.option("--id", "suite_id", metavar="ID", help="Which position of a suite."),
        click.option(
            "--turn",
            type=ColorType(),
            help="Who is to move; it wins over the file.",
        ),
        click.option(
            "--format",
            "text_format",
            type=click.Choice(formats.FORMATS),
            help="Do not guess the format.",
        ),
    ]
    wrapped: Callable[..., Any] = reading
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def read(
    file: str,
    *,
    moves: int | None = None,
    size: tuple[int, int] | None = None,
    suite_id: str | None = None,
    turn: Color | None = None,
    text_format: str | None = None,
) -> Source:
    """Read a file or stdin, and print its warnings on stderr.

    Raise InputError, naming the file, when it holds no game or not so many moves.
    """
    content = content_of(file)
    try:
        game = formats.read(content, format=text_format, size=size or DEFAULT_SIZE, id=suite_id)
        count = _count(game) if moves is None else moves
        position = game.position(count, turn)
        recorded = None if turn is None else game.recorded_turn(count)
    except ValueError as error:
        raise InputError(one_line(f"{file}: {error}")) from error
    for warning in game.warnings:
        _warn(f"{file}: {warning}")
    if size not in {None, (game.board.columns, game.board.rows)}:
        _warn(f"{file}: the board is {_by(game.board)}; --size is for move lists alone")
    if turn is not None and recorded not in {None, turn}:
        _warn(f"{file}: {turn.opponent.word} is to move; --turn {turn.word} wins")
    return Source(file, game, count, position)


def _count(game: Game) -> int:
    """Return where a record stands; a HexWorld link may stand before its end."""
    return len(game.moves) if game.cursor is None else game.cursor


def content_of(file: str) -> bytes:
    """Return what a file holds, `-` being stdin; raise InputError when it cannot be read."""
    content: bytes
    try:
        if file == "-":
            if sys.stdin is None:
                raise InputError("-: stdin is closed")
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with _path(file).open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise unreadable(file, error) from error
    except ValueError as error:  # a name that no file can have
        raise InputError(one_line(f"{file}: {error}")) from error
    if len(content) > MAX_BYTES:
        raise InputError(one_line(f"{file}: longer than {MAX_BYTES} bytes"))
    return content


def _path(file: str) -> Path:
    """Return where a file lies: here, or among the positions that hsearch brings along."""
    path = Path(file)
    if path.parts[:1] == ("positions",) and not path.exists():
        return shipped(path.as_posix()) or path
    return path


def _by(board: Board) -> str:
    return f"{board.columns}x{board.rows}"


def _warn(text: str) -> None:
    click.echo(one_line(f"warning: {text}"), err=True)
