"""`hsearch gtp`: the engine behind HexGui and other programs."""

import os
import select
from collections.abc import Iterable, Iterator
from threading import Thread

import click

from hsearch.kernels.folder import require_compiling
from player.console.command import CLOSED_PIPE, DEBUG, command, wrong_spec
from player.console.options import LevelType
from player.console.screen import interruptible
from player.engine.levels import Level
from player.variants.base import ALTERNATING
from player.work.naming import FileError

DEFAULT = "hexy"


@command(
    "gtp",
    "hsearch gtp",
    'printf "boardsize 3\\ngenmove black\\nshowboard\\n" | hsearch gtp --player hexy:depth=2',
    "echo help | hsearch gtp",
    instead="--player NAME chooses who plays, and commands come from stdin",
)
@click.option("--player", "named", help=f"Who chooses the moves; {DEFAULT} by default.")
@click.option(
    "--level",
    type=LevelType(),
    metavar="LEVEL",
    help="Strength, by number or name, as of `hsearch play`, in place of --player.",
)
@click.pass_context
def gtp(context: click.Context, /, *, named: str | None, level: Level | None) -> None:
    """Answer GTP commands from standard input until its end.

    In HexGui, connect to the program `hsearch gtp`. The command `help` lists
    all commands; a line `# interrupt` ends the one that is running. All commands
    are answered up to the last line, unless the reader of the answers has gone.
    """
    # As late as possible, for a quick start.
    from player.gtp.serving import lines_of, private_stdout, serve  # noqa: PLC0415
    from player.gtp.session import Session, Warmer, end_at_once  # noqa: PLC0415
    from player.gtp.table import execute  # noqa: PLC0415

    if named is not None and level is not None:
        raise click.UsageError("--player and --level exclude each other")
    require_compiling()
    spec = level.spec if level else named or DEFAULT
    if named is not None:
        _check(spec)
    warmer = Warmer(_announce)
    session = Session(
        on_change=lambda each: warmer.warm(each.board, each.settings.player, each.variant.name)
    )
    session.settings.player = spec
    is_debug = bool(context.meta.get(DEBUG))
    answers = os.dup(1)
    with private_stdout() as write:
        interruptible(
            lambda: serve(
                _until_unread(lines_of(0), answers),
                write,
                lambda request, call: execute(session, request, call),
                debug=is_debug,
            )
        )
    end_at_once()


def _until_unread(lines: Iterable[str], answers: int) -> Iterator[str]:
    """Yield all lines; after the last, end the process once nobody reads its answers.

    Otherwise a search could outlive the program that asked for it by minutes.
    """
    yield from lines
    if hasattr(select, "poll"):  # not on Windows
        Thread(target=_leave_with_reader, args=(answers,), daemon=True).start()


def _leave_with_reader(answers: int) -> None:
    watch = select.poll()
    watch.register(answers, 0)  # errors are always reported, such as a pipe without a reader
    watch.poll()
    os._exit(CLOSED_PIPE)


def _check(spec: str) -> None:
    from player.gtp.thinking import session_participant  # noqa: PLC0415 - it loads numba

    try:
        session_participant(spec, ALTERNATING)
    except FileError as error:
        raise wrong_spec(error) from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--player") from None


def _announce() -> None:
    from player.console.compiling import announce_compiling  # noqa: PLC0415 - it loads numba

    announce_compiling()
