"""How commands read their input: the argument FILE with its options."""

import functools
import inspect
import re
import shlex
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import click

from hsearch import formats
from hsearch.formats import diagram as caption
from hsearch.formats import hexworld, sgf
from hsearch.formats.reading import DEFAULT_SIZE, MAX_LENGTH, Input, is_file_name, is_whole_game
from hsearch.hex import Cell, Color, Game, Position
from hsearch.hex.board import EDGE_NAMES, EDGE_WORDS
from hsearch.hex.game import moves_at_cursor
from hsearch.hex.move import outcome
from hsearch.hex.tree import SEALED, TurnUnknownError
from hsearch.render.display import heading
from player.console.command import (
    FILE,
    INTERRUPTED,
    FailedError,
    InputError,
    one_line,
    unreadable,
    warn,
)
from player.console.options import ColorType, SizeType, complete_file, gather, number_option
from player.variants import other_turns, taken_for_ordinary
from player.variants.plain import awaits_swap

MAX_BYTES = 16_000_000
_CELL = re.compile(r"(?<![^\W_])[a-z][1-9][0-9]?(?![^\W_])", re.IGNORECASE)  # a separate word
_LONGEST_SHOWN = 50


def text_of(file: str) -> Input:
    """Return the content of a file, or an argument itself if it is a game and not a file.

    A file that is too long for one game is returned open. Raise InputError if it cannot be read.
    """
    return _open(file, MAX_LENGTH) if is_file(file) or not formats.holds_game(file) else file


def display_name(file: str) -> str:
    """Return an argument as messages show it: a file's name, or the beginning of a game."""
    is_long = len(file) > _LONGEST_SHOWN and not is_file(file) and formats.holds_game(file)
    return one_line(f"{file[:_LONGEST_SHOWN]}..." if is_long else file)


def file_word(file: str) -> str:
    """Return the name of a file as an argument of a command: no option, whatever it begins with."""
    return f"./{file}" if file.startswith("-") else file


def content_of(file: str) -> bytes:
    """Return the content of a file, or of stdin for `-`; raise InputError if it cannot be read."""
    content = _open(file, MAX_BYTES)
    if isinstance(content, bytes):
        return content
    raise InputError(f"{file}: longer than {MAX_BYTES:,} bytes")


def _open(file: str, most: int) -> "bytes | _Rest":
    """Return the content of a file; if it has more than `most` bytes, the open file."""
    refuse_empty(file)
    try:
        stream = stdin() if file == "-" else path_of(file).open("rb")
        head = stream.read(most + 1)
        if len(head) > most:
            if file != "-":
                click.get_current_context().call_on_close(stream.close)
            return _Rest(head, stream)
        if file != "-":
            stream.close()
    except OSError as error:
        raise InputError(f"{unreadable(file, error).message}{_hint(file)}") from error
    except ValueError as error:  # a name that no file can have
        raise InputError(f"{file}: {error}") from error
    return head


def refuse_empty(file: str) -> None:
    """Raise InputError if the name of a file is empty: it would be the current folder."""
    if not file.strip():
        raise InputError(f"the name of a file is empty{_empty_board()}")


def _empty_board() -> str:
    """Return advice on how to give an empty board, if the command has `--size`."""
    if "--size" not in _options():
        return ""
    columns, rows = click.get_current_context().params.get("size") or DEFAULT_SIZE
    size = columns if columns == rows else f"{columns}x{rows}"
    return f"; an empty board of {columns}x{rows} is 'https://hexworld.org/board/#{size}'"


def _hint(file: str) -> str:
    """Return advice on an argument that is not a file: the options for a number, size or edge.

    If it has several cells, also how moves are given.
    """
    size = bool(re.fullmatch(r"[0-9]+(x[0-9]+)?", file))
    uses = {
        "--move": (file.isdecimal(), f"a move is --move {file}"),
        "--size": (size, f"a board is --size {file}"),
        "--between": (
            file.lower() in {*EDGE_NAMES, *EDGE_WORDS},
            f"two ends are --between {file} Y",
        ),
    }
    options = _options()
    hints = [hint for name, (fits, hint) in uses.items() if fits and name in options]
    if len(_CELL.findall(unicodedata.normalize("NFKC", file))) > 1 and not is_file_name(file):
        hints.append("moves are given as a5 c4 d3")
    return "".join(f"{', ' if n else '; '}{hint}" for n, hint in enumerate(hints))


def _options() -> set[str]:
    """Return the names of the options of the current command."""
    context = click.get_current_context(silent=True)
    return {name for each in context.command.params for name in each.opts} if context else set()


@dataclass(slots=True)
class _Rest:
    """An open file with its head, which has already been read. Holds state."""

    head: bytes
    stream: BinaryIO

    def read(self, size: int) -> bytes:
        """Return the next bytes: first the whole head, then the rest of the file."""
        head, self.head = self.head, b""
        return head or self.stream.read(size)


def stdin() -> BinaryIO:
    """Return the standard input; raise InputError when it is closed."""
    if sys.stdin is None:
        raise InputError("-: stdin is closed")
    return sys.stdin.buffer


def is_file(file: str) -> bool:
    """Return whether an argument names something that can be opened, or is stdin."""
    try:
        return file == "-" or path_of(file).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def path_of(file: str | Path) -> Path:
    """Return the path of a file: as given, or among the positions shipped with hsearch."""
    path = Path(file)
    if path.parts[:1] == ("positions",) and not path.exists():
        return formats.find_shipped(path.as_posix()) or path
    return path


def folder_of(path: Path) -> Path:
    """Return a folder to read from; raise InputError if there is none of that name."""
    if not path.is_dir():
        raise InputError(f"{path}: {'not a' if is_file(str(path)) else 'no such'} folder")
    return path


# Reading positions: the argument FILE and its options.

WHAT_FILE_IS = (
    "FILE is a file that holds a text diagram, SGF, a HexWorld link or a list of moves, `-` for "
    "stdin, or the link or the moves themselves."
)
READ = "what is read is SGF, a link of HexWorld, a board drawn as text, moves such as a5 c4"
# Options for output to programs: with one of them, no file name is printed before a position.
_WITHOUT_NAME = ("as_json", *formats.WRITTEN)


@dataclass(frozen=True, slots=True)
class InputSource:
    """The input of a command.

    file      as it was given: a name, `-` for stdin, or the game itself
    game      the whole game in the file
    moves     the number of moves of the main line that were played
    position  the position after them; Black is to move if the turn is not known
    turn      the player to move; None if not known
    options   the reading options as they were given
    """

    file: str
    game: Game
    moves: int
    position: Position
    turn: Color | None
    options: tuple[str, ...] = ()

    @property
    def last(self) -> Cell | None:
        """The cell of the stone played last; None if there is none."""
        return self.game.last_cell(self.moves)

    @property
    def title(self) -> str:
        """The names of Black and White at the position, and the move number, if known."""
        number = f"after move {self.moves}" if self.moves else ""
        return ", ".join(part for part in (heading(self.game, self.moves), number) if part)

    @property
    def caption(self) -> str:
        """A line that gives the player to move or the winner, and the last stone."""
        is_known = self.turn is not None
        return caption.write_caption(self.game, self.moves, self.position, turn_is_known=is_known)

    @property
    def turns(self) -> tuple[Color, ...]:
        """The players who may be to move: one, or both if it is not known."""
        return tuple(Color) if self.turn is None else (self.turn,)

    @property
    def before_swap(self) -> bool:
        """Whether a swap may come next, which no answer about the position takes into account."""
        game = self.game.cut(self.moves)
        return awaits_swap(game) and self.turn in {None, game.position().turn}

    def error(self, text: str) -> InputError:
        """Return the error of an input that cannot be used, which `text` explains."""
        return InputError(f"{display_name(self.file)}: {text}")

    @contextmanager
    def blamed(self, option: str = "") -> Iterator[None]:
        """Turn a ValueError about the position into `error`; name the `option`, if one is given."""
        try:
            yield
        except ValueError as error:
            raise self.error(f"{option}: {error}" if option else str(error)) from error

    def require_turn(self) -> None:
        """Raise InputError if it is not known who is to move."""
        if self.turn is None:
            try:
                self.game.position(self.moves)
            except TurnUnknownError as error:
                raise self.error(describe(error, self.file, None)) from None

    def again(self, command: str) -> str:
        """Return the command line that runs another command on the same position.

        Input from stdin is written into it: as a link, or as SGF if a link would lose the rules
        or the result.
        """
        if self.file != "-":
            return shlex.join(("hsearch", command, file_word(self.file), *self.options))
        if self.turn is None:  # a link would give a turn
            return shlex.join(("hsearch", command, "FILE", *self.options))
        ending, game = self.game.ending(self.moves), self.game.cut(self.moves).with_turn(self.turn)
        info = tuple(entry for entry in game.info if entry[0] == "RU")
        needs_info = self.before_swap or other_turns(game) is not None
        if ending is not None and outcome(game.moves, None) is None:  # RE alone has the result
            info, needs_info = (*info, ("RE", ending.result)), True
        text = _in_a_line(game, info) if needs_info else hexworld.write(replace(game, info=()))
        return shlex.join(("hsearch", command, text))


def _in_a_line(game: Game, info: tuple[tuple[str, str], ...]) -> str:
    """Return the moves, bids and coins of a game as SGF in one line, with these entries alone."""
    nodes = (
        replace(node, comment="", properties=tuple(p for p in node.properties if p[0][0] == "X"))
        for node in game.nodes
    )
    return sgf.write(replace(game, nodes=tuple(nodes), info=info)).replace("\n", "")


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options that select a position of an input, as `--game`; None for those not given."""

    game: int | None = None
    move: int | None = None
    size: tuple[int, int] | None = None
    suite_id: str | None = None
    turn: Color | None = None
    text_format: str | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.suite_id is not None and self.game is not None:
            raise click.UsageError("--id and --game exclude each other: an id names one position")

    def sources(self, files: tuple[str, ...], *, needs_turn: bool) -> list[InputSource]:
        """Return the position of each file; print a line for each file without one, but the last.

        Raise InputError for that last one, and UsageError for an option without a file to read.
        """
        words = self.words(self.size)
        if words and not files:
            raise click.UsageError(f"{words[0]} is about a FILE, and none is given")
        sources: list[InputSource] = []
        failure: InputError | None = None
        for file in arguments(files):
            try:
                sources.append(self.read(file, needs_turn=needs_turn))
            except InputError as error:
                if failure is not None:
                    failure.show()
                failure = error
        if failure is not None:
            raise failure
        return sources

    def read(self, file: str, *, needs_turn: bool = True) -> InputSource:
        """Read a file, stdin or the argument itself, and print its warnings on stderr.

        Raise InputError, naming the file, if it has no game, or too few games or moves,
        or if `needs_turn` and it is not known who is to move.
        """
        text, kind, size, turn = text_of(file), self.text_format, self.size, self.turn
        try:
            game = formats.read(text, format=kind, size=size, id=self.suite_id, number=self.game)
            _refuse_sealed(game)
            count = moves_at_cursor(game) if self.move is None else self.move
            position, known_turn = _position(game, count, turn, needs_turn=needs_turn)
            record_turn = None if turn is None else game.recorded_turn(count)
        except ValueError as error:
            raise InputError(f"{display_name(file)}: {describe(error, file, kind)}") from error
        for warning in game.warnings:
            warn(f"{display_name(file)}: {_usable(warning)}")
        if size not in {None, (game.board.columns, game.board.rows)}:
            warn(f"{display_name(file)}: the board is {game.board}; --size is for move lists alone")
        if turn is not None and record_turn not in {None, turn}:
            message = f"the record has {turn.opponent.word} to move; by --turn it is {turn.word}"
            warn(f"{display_name(file)}: {message}")
        if (other := _other_variant(game)) is not None:
            warn(f"{display_name(file)}: {other}")
        words = self.words(None if size is None else game.board)
        return InputSource(file, game, count, position, known_turn, words)

    def words(self, size: object) -> tuple[str, ...]:
        """Return the options that were given, as words of a command line, --size as `size`."""
        options = {
            "--game": self.game,
            "--move": self.move,
            "--size": size,
            "--id": self.suite_id,
            "--turn": None if self.turn is None else self.turn.word,
            "--format": self.text_format,
        }
        given = ((option, value) for option, value in options.items() if value is not None)
        return tuple(str(word) for pair in given for word in pair)


format_option = click.option(
    "--format",
    "text_format",
    type=click.Choice(formats.FORMATS),
    help="Do not guess the format.",
)


def reads_position(
    function: Callable[..., Any], *, required: bool = True, needs_turn: bool = True
) -> Callable[..., Any]:
    """Add FILE and the reading options; the command gets one `InputSource` as `source`.

    The command runs once for each file, after all files have been read; if one cannot be read, it
    does not run. Without a FILE, which may be omitted unless `required`, it gets None. With
    `needs_turn`, it is an error if it is not known who is to move.
    """

    @functools.wraps(function)
    def run(files: tuple[str, ...], reading: ReadingOptions, **rest: Any) -> Any:
        sources = reading.sources(files, needs_turn=needs_turn)
        if len(sources) < 2:
            return function(source=next(iter(sources), None), **rest)
        return _run_each(function, sources, rest)

    run.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{WHAT_FILE_IS}"
    metavar = "FILE..." if required else "[FILE]..."
    taking = gather(
        "reading",
        ReadingOptions,
        number_option("--game", help="Which of several games in the file, from 1."),
        number_option("--move", least=0, help="Stop after this many moves."),
        click.option(
            "--size",
            type=SizeType(),
            help="Board of a move list, as 11 or 5x9 (columns x rows); 11 by default.",
        ),
        click.option("--id", "suite_id", metavar="ID", help="Which position of a suite."),
        click.option(
            "--turn",
            type=ColorType(),
            help="Who is to move; overrides the file.",
        ),
        format_option,
    )(run)
    return click.argument(
        "files", metavar=metavar, nargs=-1, required=required, shell_complete=complete_file
    )(taking)


def check_stdin(files: Iterable[str | Path]) -> None:
    """Raise UsageError if stdin is named twice: nothing is left of it the second time."""
    if [str(file) for file in files].count("-") > 1:
        raise click.UsageError("'-' is stdin, which is read once: name it once")


def arguments(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the inputs: each word, or all words together if they are moves of one game."""
    check_stdin(words)
    is_one = not any(map(is_file, words)) and not any(map(is_whole_game, words[1:]))
    if len(words) > 1 and is_one and formats.holds_game(" ".join(words)):
        return (" ".join(words),)
    return words


def _run_each(
    function: Callable[..., Any], sources: Sequence[InputSource], options: dict[str, Any]
) -> None:
    """Run a command on several positions, and print the name of the file before each.

    The command continues after a failure, but not after an interruption. Its exit status is the
    first that is not 0.
    """
    for option in ("svg", "png", "proof"):
        if options.get(option) is not None:
            raise click.UsageError(
                f"{len(sources)} files were given, but --{option} takes only one"
            )
    status = 0
    for number, source in enumerate(sources):
        if not any(options.get(name) for name in _WITHOUT_NAME):
            click.echo("\n" * bool(number) + f"{display_name(source.file)}:\n")
        click.get_current_context().meta[FILE] = source.file
        try:
            function(source=source, **options)
        except click.exceptions.Exit as end:
            if end.exit_code == INTERRUPTED:
                raise
            status = status or end.exit_code
        except FailedError as error:
            error.show()
            status = status or error.exit_code
    if status:
        raise click.exceptions.Exit(status)


def _refuse_sealed(game: Game) -> None:
    """Raise ValueError if a record hides its stones and the command needs them."""
    context = click.get_current_context(silent=True)
    takes_any = {"board", "play", "show"}
    if game.is_sealed and context is not None and context.command.name not in takes_any:
        raise ValueError(f"{SEALED}; to resume the game, use `hsearch play --resume FILE`")


# Commands that know the variant of a record, or for which the turns make no difference.
KNOW_VARIANTS = {"bid", "evaluate", "play", "show", "thresholds"}


def _other_variant(game: Game) -> str | None:
    """Return a warning if a command takes a game of another variant for ordinary Hex, else None."""
    context = click.get_current_context(silent=True)
    if context is None or context.command.name in KNOW_VARIANTS:
        return None
    return taken_for_ordinary(game, bid="hsearch bid")


def _usable(warning: str) -> str:
    """Return a warning with options of the command line in place of Python's."""
    words = "--game N reads" if "--game" in _options() else "show --game N --sgf writes"
    return warning.replace("number=N reads another", f"{words} another")


def for_command(message: str) -> str:
    """Return an error with an option of the command line in place of Python's."""
    return message.replace("its id, id=ID: ", "its id, --id ID: ")


def describe(error: ValueError, file: str, text_format: str | None) -> str:
    """Return what is wrong with a text, and which option of the command helps.

    For a text in no known format, also which formats are read.
    """
    words, options = for_command(str(error)), _options()
    if isinstance(error, TurnUnknownError):
        remedy = "use --turn black or --turn white"
        return f"{words}: {remedy if '--turn' in options else 'PL[B] or PL[W] in the SGF sets it'}"
    if "--size" in options:
        words = re.sub(r"; a board of (\d+)x\1 has it", r"; --size \1 has it", words)
    if text_format is not None:
        return words
    if re.match(r"1:1: .* is not a move$|offset \d+: not a text", words) and is_file(file):
        return f"{words}; {READ}"
    if words.endswith("is not a move"):
        return f"{words}; a move is a cell such as a5, or swap, pass or resign"
    return words


def _position(
    game: Game, moves: int, turn: Color | None, *, needs_turn: bool
) -> tuple[Position, Color | None]:
    """Return a position, and the player to move; None if not known."""
    try:
        position = game.position(moves, turn)
    except TurnUnknownError:
        if needs_turn:
            raise
        return game.position(moves, Color.BLACK), None
    return position, position.turn
