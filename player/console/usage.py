"""How help is laid out, and how wrong usage is reported: in one line, in plain words."""

import math
import re
from types import TracebackType
from typing import Any

import click

WIDTH = 100  # most columns of a help text, on terminals that have as many
LONG = re.compile(r"""(?<![\w'"])(['"])((?:(?!\1).){80})(?:(?!\1).)+\1""")  # of what was typed
UNBROKEN = "\u2011"  # a hyphen at which no line ends; in what is printed it is an ordinary one

# Help


class Formatter(click.HelpFormatter):
    """Lay out a help text, in which names such as `no-edge-pivot` stay whole."""

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(_unbroken(text))

    def write_dl(self, rows: Any, *widths: Any, **more: Any) -> None:
        """Write a list of names and their texts."""
        super().write_dl([(name, _unbroken(text)) for name, text in rows], *widths, **more)

    def getvalue(self) -> str:
        """Return what was written."""
        return super().getvalue().replace(UNBROKEN, "-")


def _unbroken(text: str) -> str:
    return re.sub(r"(?<=\w)-(?=\w)", UNBROKEN, text)


class Context(click.Context):
    """A context whose help is as wide as the terminal, up to `WIDTH` columns.

    An error that is raised in it, and has no context, gets this one.
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


# Numbers: what they are called in help and errors


class _Plain:
    """What whole numbers and others share: their range in words, and one error for all slips."""

    name: str
    min: Any
    max: Any
    min_open: bool
    max_open: bool

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number of a text; fail with click's usage error, of `nan` as well."""
        try:
            number = super().convert(value, param, ctx)  # type: ignore[misc]
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):
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
    """Call what an option takes what people call it, in messages and in the help."""
    kind, metavar = parameter.type, None
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


class WrongUsageError(click.ClickException):
    """A command line that cannot be meant, in one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Write the line."""
        click.echo(self.message, file=file, err=file is None)


def wrong_usage(error: click.UsageError) -> WrongUsageError:
    """Return a usage error in one line: the command, what is wrong, and what to do."""
    context = error.ctx
    path = "hsearch" if context is None else context.command_path
    message = " ".join(_what(error).split())
    return WrongUsageError(f"{path}: {shortened(message)}")


def shortened(message: str) -> str:
    """Return a message in which quotations of what was typed end after 80 characters."""
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
        return f"{name}: {error.message}" if name else error.message
    if isinstance(error, click.BadOptionUsage) and context is not None:
        return _value_of(error.option_name, context)
    like = getattr(error, "possibilities", None)
    if like:
        return f"{error.message} Did you mean {' or '.join(like)}?"
    message = error.format_message()
    return message if type(error) is click.UsageError else message.rstrip(".") + see


def _value_of(name: str, context: click.Context) -> str:
    """Return what an option wants, which was given without a value, or with one that it lacks."""
    named = (each for each in context.command.params if name in (*each.opts, *each.secondary_opts))
    option = next(named, None)
    if option is None or getattr(option, "is_flag", False):
        return f"{name} takes no value"
    count = "a value" if option.nargs == 1 else f"{option.nargs} values"
    return f"{name} needs {count}: {name} {option.make_metavar(context)}"


def _name(parameter: click.Parameter, context: click.Context | None) -> str:
    if isinstance(parameter, click.Argument):
        return parameter.make_metavar(context) if context else parameter.human_readable_name
    return parameter.opts[0]
