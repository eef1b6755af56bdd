"""The command line: read, call one function, print.

`COMMANDS` is the table of all commands. A command's module is imported when
the command runs, so `hsearch --help` loads neither numpy nor numba.
"""

import difflib
import importlib
import io
import os
import re
import shlex
import sys
import warnings
from pathlib import Path
from typing import Any

import click

from player.console.command import (
    color_option,
    debug_option,
    endings,
    interruptions,
    one_line,
    open_closed_streams,
)
from player.console.options import is_there
from player.console.usage import Context

# Before numpy is imported: where other processes use the cores, the threads of its algebra wait
# for each other and spin. A move of `policy` took 300 ms of the processor for 10.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# name: the module that holds a click command of the same name, and one line of help
COMMANDS = {
    "analyze": ("player.cli.analyze", "Who wins, who stands better, where the weak links are."),
    "show": ("player.cli.show", "Draw a position, or write it in another format."),
    "explain": ("player.cli.explain", "Why two points are connected, or what they lack."),
    "review": ("player.cli.review", "Where a game was decided, and which moves threw it away."),
    "puzzles": ("player.cli.puzzles", "Proved puzzles from games, graded."),
    "mustplay": ("player.cli.analyze", "Where the player to move must play, and why."),
    "solve": ("player.cli.solve", "Who wins, and every winning move."),
    "verify": ("player.cli.verify", "Check a proof that solve has written."),
    "connections": ("player.cli.connections", "Which points are connected, and by which cells."),
    "template": ("player.cli.template", "Examine, list and find edge templates."),
    "play": ("player.cli.play", "Play a game at the terminal."),
    "board": ("player.cli.board", "The analysis board, in the browser."),
    "tournament": ("player.cli.tournament", "Many games between players and engines."),
    "experiment": ("player.cli.experiment", "Which evaluator, ordering or depth is better."),
    "openings": ("player.cli.openings", "Which first moves win, and which are fair."),
    "evaluate": ("player.cli.evaluate", "What the classic evaluators make of a position."),
    "bid": ("player.cli.bid", "What the next move is worth in chips, and which it is."),
    "thresholds": ("player.cli.bid", "The least chips that win, and the best moves."),
    "dark": ("player.cli.dark", "Dark Hex: six games of hidden stones, counted and solved."),
    "learn": ("player.cli.learn", "Games to learn from, and nets that learn from them."),
    "gtp": ("player.cli.gtp", "Play in HexGui, or for any program that speaks GTP."),
    "chance": (
        "player.cli.chance",
        "How the net, a tree or E becomes a chance, and how good that is.",
    ),
    "warm": ("player.cli.warm", "Compile all kernels now, so that no command waits for them."),
    "bench": ("player.cli.bench", "Measure the engine on fixed positions."),
}

# Words for our commands in other programs, or for their questions in a game at the terminal, GTP
# and Python, too unlike ours for a match by spelling.
_SYNONYMS = {
    **dict.fromkeys(("hint", "why", "best", "best-moves", "best_moves", "moves"), "analyze"),
    **dict.fromkeys(("convert", "export", "draw", "view", "open", "info"), "show"),
    **dict.fromkeys(("gui", "web", "serve"), "board"),
    "check": "verify",
    "prove": "solve",
    "engine": "gtp",
    "train": "learn",
    "match": "tournament",
}


def _is_file(word: str) -> bool:
    return is_there(Path(word)) and Path(word).is_file()


class Commands(click.Group):
    """A group whose commands are imported on demand."""

    context_class = Context

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run (`analyze` for a file); suggest names for a wrong one."""
        if ctx.resilient_parsing:  # the Tab key asks what may follow: nothing is printed
            args = args[args[:1] == ["help"] :]
            return super().resolve_command(ctx, args) if args else (None, None, [])
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
            if args[0] in {"help", "--help"}:
                click.echo(ctx.get_help())
                ctx.exit()
        if args[:1] == ["version"]:
            _version(ctx)
        if args and args[0] not in COMMANDS and ("://" in args[0] or _is_file(args[0])):
            args = ["analyze", *args]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            suggestions = difflib.get_close_matches(args[0], COMMANDS, n=3)
            suggestions = [_SYNONYMS[args[0]]] if args[0] in _SYNONYMS else suggestions
            if suggestions:
                ctx.fail(f"No such command {args[0]!r}. Did you mean {' or '.join(suggestions)}?")
            ctx.fail(f"{args[0]!r} is neither a command nor a file; {_remedy(args[0])}")
        return super().resolve_command(ctx, args)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None if the table has no such name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments; help and version are printed here."""
        open_closed_streams()
        with endings():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and turn whatever ends it into an exit code."""
        with endings(ctx), interruptions():
            return super().invoke(ctx)


def _remedy(word: str) -> str:
    """Return a hint for a word that is neither a command nor a file."""
    if Path(word or "?").is_dir():
        return f"hsearch review {shlex.quote(word)} reviews the games of the folder"
    if re.fullmatch(r"([a-z][0-9]{1,2}[\s,]*)+", word):
        return f"hsearch analyze {shlex.quote(word)} analyzes moves"
    return "see hsearch --help"


def _version(context: click.Context) -> None:
    """Print the versions and exit."""
    import platform  # noqa: PLC0415 - none of this is needed to start
    from importlib.metadata import version  # noqa: PLC0415

    from hsearch.version import __version__  # noqa: PLC0415

    click.echo(
        f"hsearch {__version__}, Python {platform.python_version()}, "
        f"numpy {version('numpy')}, numba {version('numba')}"
    )
    context.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`hsearch FILE` analyzes a file or a link. Run `hsearch COMMAND --help` for the options "
    "of a command, and examples.",
)
@click.option(
    "-v",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, value: _version(context) if value else None,
    help="Show the versions of hsearch, Python, numpy and numba.",
)
@color_option
@debug_option
def main() -> None:
    """Find, prove and explain what is connected in a Hex position."""
    warnings.formatwarning = _warning
    for stream in (sys.stdout, sys.stderr):
        # On Windows the encoding of files and pipes, unlike that of a terminal, lacks ● and ▁.
        if os.name == "nt" and isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8")


def _warning(message: Warning | str, *_place: object, **_more: object) -> str:
    """Return a warning in the format of the commands, without its place in the code."""
    return one_line(f"warning: {message}") + "\n"
