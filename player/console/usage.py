"""How help is laid out, and how wrong usage is reported: in one line, in plain words."""

import difflib
import math
import re
from types import TracebackType
from typing import IO, Any

import click

WIDTH = 100  # most columns of a help text
LONG = re.compile(r"""(?<![\w'"])(['"])((?:(?!\1).){80})(?:(?!\1).)+\1""")  # long quotation
TYPED = "player.console.typed"  # the words of a command line, in the context of its command
LIKENESS = 0.6  # least ratio of difflib for an option to be proposed in place of a wrong one
FEW = 3  # options proposed at most in place of one letter
UNBROKEN = "\u2011"  # a hyphen at which no line ends; it is printed as an ordinary one

# Help


class Formatter(click.HelpFormatter):
    """A formatter of help texts that never breaks names such as `no-edge-pivot`."""

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(_unbroken(text))

    def write_dl(self, rows: Any, *widths: Any, **more: Any) -> None:
        """Write a list of names and their texts."""
        super().write_dl([(name, _unbroken(text)) for name, text in rows], *widths, **more)

    def getvalue(self) -> str:
        """Return the text, with ordinary hyphens."""
        return super().getvalue().replace(UNBROKEN, "-")


def _unbroken(text: str) -> str:
    return re.sub(r"(?<=\w)-(?=\w)", UNBROKEN, text)


class Context(click.Context):
    """A context whose help is as wide as the terminal, up to `WIDTH` columns.

    A usage error that is raised in it without a context gets this one.
    """

    formatter_class = Formatter

    def __init__(self, *args: Any, **settings: Any) -> None:
        """Take click's arguments."""
        super().__init__(*args, **settings)
        self.max_content_width = WIDTH

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Leave the context."""
        if isinstance(value, click.UsageError):
            value.ctx = value.ctx or self
        return super().__exit__(kind, value, trace)


def write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    """Write command lines as they are, never wrapped."""
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':{formatter.current_indent}}{example}\n")


# Time and memory of each command, for its help: the option that bounds it, and the most measured
# on two cores with default options, on boards to 26x26 unless a size is given. For runs of minutes
# or hours, for subprocesses and for `board` it is an estimate. Ctrl-C ends every command within a
# second or two.

_SEARCH = "Seconds to 14x14, up to 40 seconds and 1.2 GB on 26x26; --time ends the search."
_GAMES = "As long as the players think in all --games; {}. About 300 MB for each process."
COSTS = {
    "analyze": f"{_SEARCH} --solver bounds the solver.",
    "mustplay": _SEARCH,
    "connections": _SEARCH,
    "explain": f"{_SEARCH} --budget bounds complete play.",
    "show": "A second; --inferior up to 10 seconds and 300 MB.",
    "review": (
        "With --effort quick up to a second for a move, with normal and deep more; --time ends a "
        "game. Up to 500 MB for each process."
    ),
    "puzzles": (
        "--nodes bounds the work on a position, --from-play the games. Up to 500 MB for each "
        "process."
    ),
    "solve": (
        "No limit unless --time gives one. --memory bounds the table, beside which there are up "
        "to 300 MB; each process of --workers has a table of its own."
    ),
    "verify": "As long as the proof: a second for 1,000 positions of 7x7. Up to 200 MB.",
    "template check": (
        "--time bounds the solver and --budget complete play, for each carrier. Up to 400 MB, on "
        "the sixth row 1 GB."
    ),
    "template show": "A second, 200 MB.",
    "template list": "A second, 200 MB.",
    "template find": (
        "Seconds to the fourth row, hours on the sixth; --time bounds the solver and --budget "
        "complete play, and --resume keeps what is done. Up to 400 MB."
    ),
    "play": "--time bounds an engine's move. Up to 800 MB.",
    "board": "Runs until Ctrl-C; each question can be cancelled. Up to 1.1 GB.",
    "tournament": _GAMES.format("--time bounds a move"),
    "experiment": _GAMES.format("the players have no clock"),
    "openings": (
        "A shipped map at once; with --simulations or --depth minutes on 11x11, hours on larger "
        "boards. Up to 300 MB."
    ),
    "evaluate": "Seconds to 14x14, up to 30 seconds and 800 MB on 26x26.",
    "bid": (
        "Seconds to 14x14, up to 40 seconds and 800 MB on 26x26; --time or --fillings bounds the "
        "drawing."
    ),
    "thresholds": "No limit unless --time gives one. Up to 300 MB.",
    "dark counts": "A second, 100 MB.",
    "dark matrix": "Seconds, 100 MB.",
    "dark solve": (
        "--time, --iterations and --until end it; a tree that does not fit is refused before. "
        "About 300 MB on 3x3."
    ),
    "dark verify": "Seconds, 200 MB.",
    "dark show": "A second, 200 MB.",
    "dark table": "Ten seconds, with --large minutes. Up to 300 MB.",
    "dark exploit": "Seconds for a player, at most 100,000 information states. Up to 300 MB.",
    "learn play": _GAMES.format("--simulations bounds a move"),
    "learn fit": (
        "Hours for the bundled net; fewer --epochs end sooner. Memory by the number of games."
    ),
    "learn cycle": (
        "As long as --generations or --time ask: minutes of a graphics card for a strong net. "
        "Memory by --at-once, --simulations and --window."
    ),
    "learn gate": _GAMES.format("--simulations bounds a move"),
    "learn patterns": (
        "As long as --epochs and --games ask: an hour for the bundled patterns. Memory by the "
        "games."
    ),
    "gtp": (
        "Ends with its input; a search ends when both pipes are closed; the client's clock, or "
        "param_hsearch, bounds a move. Up to 800 MB."
    ),
    "chance": "Seconds, 200 MB; --fit as long as its --games.",
    "warm": (
        "Minutes when nothing is compiled, a second when all is. Up to 500 MB for each process."
    ),
    "bench": "Minutes for all rows, seconds for most of them; a NAME chooses. Up to 1 GB.",
}


def write_costs(context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the time and memory that a command takes."""
    words: list[str] = []
    inner: click.Context | None = context
    while inner is not None and inner.parent is not None:
        words.insert(0, inner.info_name or "")
        inner = inner.parent
    if cost := COSTS.get(" ".join(words)):
        with formatter.section("Time and memory"):
            formatter.write_text(cost)


# Numbers: their names in help and errors


class _Plain:
    """What both kinds of numbers share: their range in words, and one error for all mistakes."""

    name: str
    min: Any
    max: Any
    min_open: bool
    max_open: bool

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a text as a number; fail with click's usage error, also for `nan` and `inf`."""
        try:
            number = super().convert(value, param, ctx)  # type: ignore[misc]
        except click.BadParameter:
            number = math.nan
        if isinstance(number, float) and not math.isfinite(number):  # an int may be larger than any
            span = self._describe_range()
            message = f"{value!r} is not a {self.name}{span and ' '}{span}"
            raise click.BadParameter(message, ctx, param)
        return number

    def _describe_range(self) -> str:
        """Return the range in words; click prints it in the help of an option."""
        low = (
            "" if self.min is None else f"{'above' if self.min_open else 'from'} {_plain(self.min)}"
        )
        high = (
            "" if self.max is None else f"{'below' if self.max_open else 'to'} {_plain(self.max)}"
        )
        if low.startswith("from"):
            return f"{low} {high or 'up'}"
        return ", ".join(filter(None, (low, high.replace("to", "up to"))))


def _plain(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.15g}"


class WholeNumber(_Plain, click.IntRange):
    """A whole number."""

    name = "whole number"


class Number(_Plain, click.FloatRange):
    """A number."""

    name = "number"


def name_value(parameter: click.Parameter) -> None:
    """Give the value of an option a plain name; one of several words may be in any case."""
    kind, metavar = parameter.type, None
    if isinstance(kind, click.Choice):
        kind.case_sensitive = False
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        is_whole = isinstance(kind, click.types.IntParamType)
        ends: dict[str, Any] = {
            each: getattr(kind, each, None) for each in ("min", "max", "min_open", "max_open")
        }
        parameter.type = (WholeNumber if is_whole else Number)(**ends)
        metavar = "N" if is_whole else "NUMBER"
    elif isinstance(kind, click.types.StringParamType):
        metavar = "NAME"
    is_named = isinstance(parameter, click.Argument) or getattr(parameter, "is_flag", False)
    if metavar is not None and parameter.metavar is None and not is_named:
        parameter.metavar = metavar


# Wrong usage


class OneLineError(click.ClickException):
    """A failure that is reported in one line."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the message as one line."""
        click.echo(self.message, file=file, err=file is None)


class WrongUsageError(OneLineError):
    """Wrong usage of a command."""

    exit_code = 2


def wrong_usage(error: click.UsageError) -> WrongUsageError:
    """Return a usage error in one line: the command, what is wrong, and what to do."""
    context = error.ctx
    path = "hsearch" if context is None else context.command_path
    message = " ".join(_what(error).split())
    return WrongUsageError(f"{path}: {shorten(message)}")


def shorten(message: str) -> str:
    """Return a message in which quotations of input end after 80 characters."""
    return LONG.sub(r"\1\2...\1", message)


def _what(error: click.UsageError) -> str:
    context, parameter = error.ctx, getattr(error, "param", None)
    see = "" if context is None else f"; see {context.command_path} --help"
    if isinstance(error, click.MissingParameter) and parameter is not None:
        words = parameter.type.get_missing_message(param=parameter, ctx=context)
        examples = getattr(context and context.command, "examples", ())
        more = f". {words}" if words else f", as in: {examples[0]}" if examples else ""
        return f"{_name(parameter, context)} is missing{more}"
    if isinstance(error, click.BadParameter):
        hint = error.param_hint
        name = _name(parameter, context) if hint is None and parameter is not None else hint
        name = name if isinstance(name, str) or name is None else " ".join(name)
        why = error.message.rstrip(".")  # click ends only some of them with a full stop
        why += _other_for_a_player(parameter, error, context)
        return f"{name}: {why}" if name else why
    if isinstance(error, click.BadOptionUsage) and context is not None:
        return _value_of(error.option_name, context)
    like = [each for each in getattr(error, "possibilities", None) or () if each != "--help"]
    if isinstance(error, click.NoSuchOption) and context is not None:
        like = [each for each in like if _is_like(error.option_name, each)]
        names = {name for each in context.command.params for name in each.opts}
        like = [*({_SYNONYMS.get(error.option_name)} & names)] or like
        like = like or _with_initial(error.option_name, names)
    if like:
        return f"{error.message} Did you mean {' or '.join(like)}?"
    message = error.message  # without click's own "Did you mean"
    return message if type(error) is click.UsageError else message.rstrip(".") + see


# Names that other commands, and Python, have for options, and the names meant.
_SYNONYMS = {
    **dict.fromkeys(("--opponent", "--engine", "--computer", "--player"), "--white"),
    "--for": "--turn",
    "--turn": "--for",
    "--seconds": "--time",
    "--difficulty": "--level",
    "--eval": "--with",
    "--budget": "--chips",
    "--rounds": "--games",
}


def _with_initial(word: str, names: set[str]) -> list[str]:
    """Return the few options that begin as an option of one letter does, such as `-m`."""
    if len(word) != 2:
        return []
    like = sorted(name for name in names if name.startswith(f"-{word}"))
    return like if len(like) <= FEW else []


def _is_like(word: str, option: str) -> bool:
    """Return whether the names of two options are alike, or one begins with the other."""
    first, second = word.lstrip("-"), option.lstrip("-")
    is_part = first.startswith(second) or second.startswith(first)
    return is_part or difflib.SequenceMatcher(None, first, second).ratio() >= LIKENESS


def _other_for_a_player(
    parameter: click.Parameter | None, error: click.BadParameter, context: click.Context | None
) -> str:
    """Return advice on which option takes a player, if one was given to `--color`."""
    is_player = re.match(r"'(black|white|red|blue)'", error.message)
    if parameter is None or context is None or "--color" not in parameter.opts or not is_player:
        return ""
    names = {name for each in context.command.params for name in each.opts}
    color = {"red": "black", "blue": "white"}.get(is_player[1], is_player[1])
    options = [name for name in ("--for", "--turn", f"--{color}") if name in names]
    return f"; a player is for {options[0]}" if options else ""


def _value_of(name: str, context: click.Context) -> str:
    """Return the error for an option without its value, or with one that it does not take."""
    params = (each for each in context.command.params if name in (*each.opts, *each.secondary_opts))
    option = next(params, None)
    if option is None or getattr(option, "is_flag", False):
        return f"{name} takes no value"
    count = "a value" if option.nargs == 1 else f"{option.nargs} values"
    return f"{name} needs {count}: {name} {option.make_metavar(context)}"


def _name(parameter: click.Parameter, context: click.Context | None) -> str:
    if isinstance(parameter, click.Argument):
        return parameter.make_metavar(context) if context else parameter.human_readable_name
    words = (
        set() if context is None else {word.partition("=")[0] for word in command_words(context)}
    )
    return next((name for name in parameter.opts if name in words), parameter.opts[0])


def command_words(context: click.Context) -> list[str]:
    """Return the words of a command line, as they were typed."""
    words: list[str] = context.meta.setdefault(TYPED, [])
    return words
