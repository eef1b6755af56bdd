"""Options that many commands have: files, folders, numbers, colors, board sizes, levels, chips."""

import errno
import functools
import os
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from player.console.usage import OneLineError
from player.engine.levels import Level, level

if TYPE_CHECKING:
    from hsearch.hex import Board, Color, Game
    from player.bidding.chips import Holding

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
F = TypeVar("F", bound=Callable[..., Any])  # the function that a decorator returns as it is

FORCE, FILES = "player.console.force", "player.console.files"
_LOOKED_AT = 8192  # bytes at either end of a file that are searched for a sign
# Endings of formats, which an option that writes plain text does not accept.
_ENDINGS = {".svg", ".png", ".pdf", ".jpg", ".gif", ".html", ".htm", ".sgf", ".json", ".jsonl"}
_ENDINGS |= {".csv", ".proof", ".npz", ".py", ".md", ".zip", ".xz"}
_ENDING = re.compile(r"\.[a-z][a-z0-9]{0,7}")  # but not the `.5` of `draw-0.5`


def is_there(path: Path) -> bool:
    """Return whether there is a file or a folder. Raise OSError for a name that is too long.

    `Path.exists` returns False for such a name from Python 3.14 on.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    return True


def _is_plain(path: Path) -> bool:
    """Return whether a path is a file or can become one, not a device or a pipe."""
    try:
        return path.is_file() or not path.exists()
    except OSError:  # its folder may not be entered
        return True


def is_writable(folder: Path) -> bool:
    """Return whether files can be written in a folder."""
    return os.access(folder, os.W_OK | os.X_OK)


@dataclass(frozen=True, slots=True)
class OutputKind:
    """What an option writes: the endings of its files, and a sign that identifies old ones."""

    endings: tuple[str, ...]
    sign: bytes

    def refuses(self, ending: str) -> bool:
        """Return whether an ending is wrong for the format, as in `--svg x.png`, `--svg x.txt`."""
        if not self.endings:
            return ending in _ENDINGS
        return _ENDING.fullmatch(ending) is not None and ending not in self.endings

    def is_in(self, path: Path) -> bool:
        """Return whether a file was written by the option before, or has nothing to lose.

        No option writes several games into a record, so such a file was not.
        """
        if not is_there(path) or not path.is_file():
            return True  # nothing yet, or a device or a pipe
        from hsearch.formats.files import decompress  # noqa: PLC0415 - for a quick start

        with path.open("rb") as file:
            try:
                start = decompress(file).read(_LOOKED_AT)
            except ValueError:
                return False  # damaged
            file.seek(max(0, path.stat().st_size - _LOOKED_AT))
            if not start or re.search(self.sign, start + file.read(), re.DOTALL) is None:
                return not start
        return self.endings != (".sgf",) or _has_one_game(path)


def refuse_other_game(path: Path, game: "Game", own: "Collection[Path]") -> None:
    """Raise ValueError unless a record of a game may replace a file: that of the game itself.

    `own` are the files that the game was read from or saved in. Any other file must have been
    written by this program, hold the beginning of the game and nothing else, and have no ending
    of another format, such as a picture's.
    """
    ending = path.suffix.lower()
    if ending in _ENDINGS.difference(RECORD.endings) and path.resolve() not in own:
        raise ValueError(f"{path}: a game is not written to {ending} files: use .sgf")
    if not RECORD.is_in(path):
        raise ValueError(f"{path} holds something else: choose another name")
    if is_there(path) and path.is_file() and path.resolve() not in own:
        from hsearch.formats.reading import load  # noqa: PLC0415 - for a quick start

        if path.stat().st_size and not game.continues(load(path, format="sgf")):
            raise ValueError(f"{path} holds another game: choose another name")


def _has_one_game(path: Path) -> bool:
    """Return whether a record of ours has one game only."""
    from hsearch.formats.sgf_tree import beginnings  # noqa: PLC0415 - for a quick start

    return len(beginnings(path.read_text("utf-8", errors="replace"))) == 1


SVG = OutputKind((".svg",), rb'\A<svg xmlns="http://www.w3.org/2000/svg"[^>]* role="img"')
PNG = OutputKind((".png",), rb"\A\x89PNG.*tEXtSoftware\0hsearch")
PLOT = OutputKind((".svg", ".png", ".pdf"), rb"\A(\x89PNG|%PDF|<\?xml).*hsearch")
PAGE = OutputKind((".html", ".htm"), rb"\A<!doctype html>\n<html lang=\"en\">.*<title>Review: ")
REVIEWED = OutputKind((".sgf",), rb"AP\[hsearch:.*C\[[^\]]*hsearch review: ")
RECORD = OutputKind((".sgf",), rb"\A\(;FF\[4\]GM\[11\]CA\[UTF-8\]AP\[hsearch:")
GAME = OutputKind((".sgf",), RECORD.sign + rb".*P[BW]\[human\]")
PROOF = OutputKind((".proof", ".json", ".jsonl", ".xz"), rb"\A[^\n]*hsearch/proof/")
FIT = OutputKind((".json",), rb"\A\s*\{\s*\"schema\":\s*\"hsearch/chance/")
SUITE = OutputKind((), rb"\A# [0-9]+ proved puzzles?:")
CERTIFICATE = OutputKind((), rb"\Ahsearch dark certificate ")
CURVE = OutputKind((".csv",), rb"\Aiteration,seconds,lower,upper\n")


def complete_file(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete the name of a file, for an argument that may be a game as well."""
    return [CompletionItem(incomplete, type="file")]


class PlainPath(click.Path):
    """A path. A dash is refused: it would be a file or a folder of that name, which nobody means.

    The command itself reports a file or a folder that is missing or cannot be read, as it does for
    any other input; for a folder, by `folder_of`.
    """

    remedy = "choose another"

    def __init__(self, **about: Any) -> None:
        """Take what `click.Path` does."""
        super().__init__(readable=False, **about)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail with click's usage error."""
        if value in {"-", ""}:
            kinds = {"file": self.file_okay, "folder": self.dir_okay}
            kind = " or ".join(name for name, may_be in kinds.items() if may_be)
            if not value:
                self.fail(f"the name of a {kind} is empty", param, ctx)
            self.fail(f"'-' is not the name of a {kind}: {self.remedy}", param, ctx)
        if self.exists:
            return self.coerce_path_result(value)
        return super().convert(value, param, ctx)


class OutPath(PlainPath):
    """The path of a file to write. Two options of a command may not name the same file."""

    def __init__(self) -> None:
        """Accept any path except that of a folder; the command checks the rest."""
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail with click's usage error."""
        if isinstance(value, str) and names_folder(value):
            self.fail(f"{value!r} is the name of a folder: name a file", param, ctx)
        path: Path = super().convert(value, param, ctx)  # the `path_type`
        if ctx is not None and param is not None and _is_plain(path):
            files = ctx.meta.setdefault(FILES, {})  # by option
            files[param.opts[0]] = path
            refuse_one_file(*files.items())
        return path


def refuse_one_file(*files: tuple[str, Path | None]) -> None:
    """Raise UsageError if two options name the same file, which one of them would replace."""
    by_file: dict[Path, str] = {}
    for option, path in files:
        if path is not None and by_file.setdefault(path.resolve(), option) != option:
            both = f"{by_file[path.resolve()]} and {option}"
            raise click.UsageError(f"{both} name the same file: name two")


class Continued(PlainPath):
    """A game, as a file, a link or moves, that is continued by moves typed on stdin."""

    name = "text"
    remedy = "the moves to come are typed there"


OUT = OutPath()
FOLDER = PlainPath(exists=True, file_okay=False, path_type=Path)
OUT_FOLDER = PlainPath(file_okay=False, path_type=Path)


class OutputFile(OutPath):
    """The path of a file to write, which is new or was written by the same option.

    A file of another kind is refused before any work is done, unless `--force` is given. An
    ending that belongs to another format is always refused, and so is a folder that is missing
    or that cannot be written.
    """

    remedy = "for stdout use /dev/stdout"

    def __init__(self, kind: OutputKind) -> None:
        """Take what the option writes."""
        super().__init__()
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail with click's usage error."""
        path: Path = super().convert(value, param, ctx)  # the `path_type` of `OutPath`
        option = param.opts[0] if param is not None else "the option"
        ending = path.suffix.lower()
        if self.kind.refuses(ending) and (path.is_file() or not path.exists()):
            right = " or ".join(self.kind.endings) or "another ending"
            self.fail(f"{path}: {option} does not write {ending} files: use {right}", param, ctx)
        if not is_there(path.parent) or path.parent.is_file():
            self.fail(f"{path}: there is no folder {path.parent}", param, ctx)
        if _is_plain(path):
            folder = path.resolve().parent  # of the file behind a link, which is written
            if not is_writable(folder):
                raise OneLineError(f"{path}: cannot be written: no permission in {folder}")
        if ctx is not None and ctx.meta.get(FORCE):
            return path
        try:
            is_ours = self.kind.is_in(path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise
            is_ours = False  # an unreadable file may be anything
        if not is_ours:
            self.fail(
                f"{path} was not written by {option} and is left as it is: choose another name, "
                "or write over it with --force",
                param,
                ctx,
            )
        return path


def eager_option(*names: str, key: str, **about: Any) -> Callable[[F], F]:
    """Return the decorator that adds an option that no command takes as an argument.

    It is parsed before all others. If it is given, `context.meta[key]` has its value.
    """

    def remember(context: click.Context, _option: click.Parameter, value: object) -> None:
        if value:
            context.meta[key] = value

    return click.option(*names, is_eager=True, expose_value=False, callback=remember, **about)


# Adds `--force`, which `OutputFile` checks.
force_option = eager_option(
    "--force", key=FORCE, is_flag=True, help="Write over files of any kind."
)


def explicit_options() -> dict[str, str]:
    """Return the names of the command's own options that were given, by parameter."""
    context = click.get_current_context()
    return {
        each.name: each.opts[0]
        for each in context.command.params
        if each.name is not None
        and each.expose_value
        and context.get_parameter_source(each.name) is not ParameterSource.DEFAULT
    }


def out_option(*names: str, writes: OutputKind | None = None, **about: Any) -> Decorator:
    """Return the decorator that adds the path of a file to be written.

    Without `writes`, the command itself checks an existing file.
    """
    kind = OUT if writes is None else OutputFile(writes)
    return click.option(*names, type=kind, metavar="OUT", **about)


def out_folder_option(*names: str, **about: Any) -> Decorator:
    """Return the decorator that adds the path of a folder to write into.

    The command creates it, by `make_folder`, before it starts work.
    """
    return click.option(*names, type=OUT_FOLDER, metavar="FOLDER", **about)


def resume_option(*, kind: click.Path = OUT, metavar: str = "FILE", **about: Any) -> Decorator:
    """Return the decorator that adds `--resume`: where a run is stored, and resumed from.

    The command itself checks an existing file.
    """
    return click.option("--resume", type=kind, metavar=metavar, **about)


def names_folder(path: str) -> bool:
    """Return whether a path is written like that of a folder; `Path` forgets that."""
    return path.endswith(("/", os.sep)) or (path != "" and not Path(path).name)


def is_folder(path: str) -> bool:
    """Return whether a path is a folder, or is written like one that is to be created."""
    return names_folder(path) or Path(path).is_dir()


def number_option(
    *names: str, least: int = 1, most: int | None = None, metavar: str = "N", **about: Any
) -> Decorator:
    """Return the decorator that adds a whole number, whose default is shown if it has one."""
    span = click.IntRange(least, most)
    return click.option(
        *names, type=span, metavar=metavar, show_default="default" in about, **about
    )


def budget_option(words: str, **about: Any) -> Decorator:
    """Return the decorator that adds `--budget`, a number of positions; `words` are its help."""
    return number_option("--budget", most=1_000_000_000_000, help=words, **about)


def choice_option(*names: str, words: Iterable[str], **about: Any) -> Decorator:
    """Return the decorator that adds a choice of words, the first by default; that is shown."""
    choices = [*map(str, words)]
    about.setdefault("default", choices[0])
    return click.option(*names, type=click.Choice(choices), show_default=True, **about)


def time_option(
    *names: str, least: float = 0, most: float | None = None, min_open: bool = False, **about: Any
) -> Decorator:
    """Return the decorator that adds a number of seconds: `--time`, unless it has other `names`."""
    span = click.FloatRange(least, most, min_open=min_open)
    return click.option(*(names or ("--time", "seconds")), type=span, metavar="SECONDS", **about)


def seed_option(use: str = "", *, default: int | None = 0, most: int | None = None) -> Decorator:
    """Return the decorator that adds `--seed`; `use` names what the seed is for."""
    about: dict[str, Any] = {} if default is None else {"default": default}
    words = f"Random seed for {use}." if use else "Random seed."
    return number_option("--seed", most=most, least=0, help=words, **about)


def processes_option(name: str, *, most: int = 1024, default: int = 1, **about: Any) -> Decorator:
    """Return the decorator that adds the number of processes, under both its names."""
    return number_option("--workers", "--jobs", name, most=most, default=default, **about)


# Options that belong together: the command gets one value for them.


def gather(
    name: str, make: Callable[..., Any], *options: Callable[..., Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds options; the command gets, as `name`, what `make` returns.

    `make` is called with the values of these options by their names.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        names: list[str] = []

        @functools.wraps(function)
        def gathering(**values: Any) -> Any:
            arguments = {each: values.pop(each) for each in names}
            return function(**{name: make(**arguments)}, **values)

        before = len(getattr(function, "__click_params__", []))
        for option in reversed(options):
            option(gathering)
        names += [param.name for param in gathering.__dict__["__click_params__"][before:]]
        return gathering

    return decorate


# Colors, board sizes, levels.

T = TypeVar("T")
WAYS = {"vertical": "black", "horizontal": "white"}  # names of the players in papers


class WordType(click.ParamType[T]):
    """A word of the command line, which `of` converts to a value."""

    def convert(
        self, value: "str | T", param: click.Parameter | None, ctx: click.Context | None
    ) -> T:
        """Return the value of a word; fail with click's usage error."""
        if not isinstance(value, str):
            return value  # it was converted before
        try:
            return self.of(value)
        except ValueError as error:
            return self.fail(str(error), param, ctx)

    @abstractmethod
    def of(self, word: str) -> T:
        """Return the value of a word. Raise ValueError, with the reason, for a wrong word."""


class ColorType(WordType["Color"]):
    """A player: black or white, or the same in another tool's words."""

    name = "black|white"

    def of(self, word: str) -> "Color":
        """Return the color of a word."""
        from hsearch.hex import Color  # noqa: PLC0415 - `--help` does without

        return Color.named(WAYS.get(word.lower(), word), foreign=True)


class BoardType(WordType["Board"]):
    """A board, by its size."""

    name = "size"

    def of(self, word: str) -> "Board":
        """Return the board. Raise ValueError if there is none of that size."""
        from hsearch.hex import Board  # noqa: PLC0415 - likewise
        from hsearch.hex.board import read_size  # noqa: PLC0415 - likewise

        return Board(*read_size(word))


class SizeType(WordType[tuple[int, int]]):
    """The columns and rows of a board."""

    name = "size"

    def of(self, word: str) -> tuple[int, int]:
        """Return columns and rows. Raise ValueError if there is no such board."""
        board = BoardType().of(word)
        return board.columns, board.rows


class LevelType(WordType[Level]):
    """A level of the scale, by its number or its name."""

    name = "level"

    def of(self, word: str) -> Level:
        """Return the level."""
        return level(word)


class ChipsType(WordType["Holding"]):
    """Chips of a player: `100`, or `100*` with the tie-break chip."""

    name = "chips"

    def of(self, word: str) -> "Holding":
        """Return the holding of a text."""
        from player.bidding.chips import Holding  # noqa: PLC0415 - likewise

        return Holding.read(word)
