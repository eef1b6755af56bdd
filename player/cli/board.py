"""`hsearch board`: the analysis board in the browser, served to this machine or to visitors."""

import re
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from hsearch.formats.reading import DEFAULT_SIZE
from hsearch.hex import Board, Color, Game, Position
from hsearch.kernels.folder import require_compiling
from player.console.command import FailedError, InputError, command, one_line
from player.console.options import (
    SizeType,
    complete_file,
    explicit_options,
    gather,
    number_option,
)
from player.console.reading import ReadingOptions

if TYPE_CHECKING:
    from player.board.guard import Visitors


@contextmanager
def _extra() -> Iterator[None]:
    """Raise FailedError, with what to install, if an import of the block finds no package."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"board needs {error.name}: pip install 'hsearch[board]'"
        raise FailedError(message) from error


def _visitors(*, public: bool, names: tuple[str, ...], **limits: int) -> "Visitors | None":
    """Return the limits for visitors of a public board; None without --public."""
    if not public:
        given = explicit_options()
        for name in ("names", *limits):
            if name in given:
                raise click.UsageError(f"{given[name]} needs --public")
        return None
    with _extra():
        from player.board.guard import Visitors  # noqa: PLC0415 - only for --public

    for name in names:
        if not re.fullmatch(r"[a-z0-9.-]+(:[0-9]{1,5})?", name):
            what = "a name in small letters, as hex.example.org or hex.example.org:8765"
            raise click.UsageError(f"--host-name {name[:80]!r}: {what}")
    return Visitors(names, **limits)


@command(
    "board",
    "hsearch board",
    "hsearch board positions/games/london-2000-queenbee-hexy.sgf",
    "hsearch board --public --seconds 5",
)
@click.argument("file", metavar="[FILE|LINK]", required=False, shell_complete=complete_file)
@click.option("--id", "suite_id", metavar="ID", help="Which position of a suite.")
@number_option("--game", "number", help="Which of several games in FILE, from 1.")
@click.option("--size", type=SizeType(), help="Empty board, or that of a move list; 11 by default.")
@click.option("--no-open", is_flag=True, help="Print the address, and open no browser.")
@number_option(
    "--port",
    least=0,
    most=65535,
    help="Port to listen on; else the first free one from 8765 on. 0 is any.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; one that others reach needs --allow-remote.",
)
@click.option(
    "--allow-remote",
    is_flag=True,
    help="Let other machines connect that have the printed address, which contains a secret key.",
)
@gather(
    "visitors",
    _visitors,
    click.option(
        "--public",
        is_flag=True,
        help="Let anyone with the address look, analyze and review, without a key, within limits.",
    ),
    click.option(
        "--host-name",
        "names",
        metavar="NAME[:PORT]",
        multiple=True,
        help="Name by which visitors of a --public board reach it; may be repeated.",
    ),
    number_option("--visitors", "most", default=64, most=1000, help="Visitors at once."),
    number_option(
        "--seconds",
        default=10,
        most=600,
        help="Seconds of work for a visitor's question; a whole game has three times as many.",
    ),
    number_option(
        "--threads", "workers", default=1, most=64, help="Threads for visitors' long questions."
    ),
    number_option(
        "--queue", "waiting", default=50, most=1000, help="Questions of visitors that may wait."
    ),
    number_option(
        "--memory",
        "megabytes",
        default=2000,
        least=500,
        metavar="MB",
        help="Megabytes of memory beyond which visitors have to wait.",
    ),
)
def board(  # noqa: PLR0913 - one per option
    *,
    file: str | None,
    suite_id: str | None,
    number: int | None,
    size: tuple[int, int] | None,
    no_open: bool,
    port: int | None,
    host: str,
    allow_remote: bool,
    visitors: "Visitors | None",
) -> None:
    """Open the board in the browser, with the game in FILE or of LINK.

    The page is served by this command, to this machine, until Ctrl-C; nothing
    leaves the machine. With --public it is served to visitors, who need no key,
    within the limits of --visitors to --memory.

    It needs the extra `board`: pip install 'hsearch[board]'.
    """
    for name, value in (("--id", suite_id), ("--game", number)):
        if value is not None and file is None:
            raise click.UsageError(f"{name} needs a FILE")
    require_compiling()
    game = (
        Game(Board(*size or DEFAULT_SIZE))
        if file is None
        else ReadingOptions(number, size=size, suite_id=suite_id).read(file, needs_turn=False).game
    )
    with _extra():
        from player.board.desk import Desk  # noqa: PLC0415 - an extra, and slow to import
        from player.board.guard import AddressError, bind, is_loopback  # noqa: PLC0415
        from player.board.records import record_object  # noqa: PLC0415
        from player.board.serve import serve  # noqa: PLC0415
    if not is_loopback(host) and not allow_remote and visitors is None:
        raise click.UsageError(f"{one_line(host)} is reached by others: add --allow-remote")
    try:
        desk = Desk(record_object(game), game.warnings, start=_start(game))
    except ValueError as error:
        raise InputError(one_line(f"{file or '--size'}: {error}")) from error
    try:
        page = bind(host, port, is_named=visitors is not None and bool(visitors.names))
    except AddressError as error:
        raise FailedError(one_line(str(error))) from error

    def announce() -> None:
        click.echo(page.address if visitors is None else page.address_for(visitors))
        click.echo("Press Ctrl-C to end.", err=True)
        if not no_open and visitors is None:
            webbrowser.open(page.address_once())

    serve(page, desk, announce, visitors)


def _start(game: Game) -> Position:
    """Return the current position of a game, which its page will ask about first."""
    turn = game.recorded_turn()
    return game.position(turn=Color.BLACK if turn is None else turn)
