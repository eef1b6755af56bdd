"""`hsearch board`: the analysis board in the browser, served to this machine alone."""

import webbrowser

import click

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.console.command import FailedError, InputError, command, one_line
from player.console.options import number_option
from player.console.reading import read


@command(
    "board",
    "hsearch board",
    "hsearch board positions/games/london-2000-queenbee-hexy.sgf",
    "hsearch board 'https://hexworld.org/board/#11c1,b4:sh4f7' --no-open",
)
@click.argument("file", metavar="[FILE|LINK]", required=False)
@click.option("--id", "suite_id", metavar="ID", help="Which position of a suite.")
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
    help="Let other machines with the printed address, which contains a secret key, connect.",
)
def board(
    *,
    file: str | None,
    suite_id: str | None,
    no_open: bool,
    port: int | None,
    host: str,
    allow_remote: bool,
) -> None:
    """Open the board in the browser, with the game in FILE or of LINK.

    The page is served by this command, to this machine, until Ctrl-C; nothing
    leaves the machine. It needs the extra `board`: pip install 'hsearch[board]'.
    """
    if suite_id is not None and file is None:
        raise click.UsageError("--id needs a FILE")
    game = (
        Game(Board(11, 11))
        if file is None
        else read(file, needs_turn=False, suite_id=suite_id).game
    )
    try:
        from player.board.desk import Desk  # noqa: PLC0415 - an extra, and slow to import
        from player.board.records import record_object  # noqa: PLC0415
        from player.board.serve import AddressError, bind, is_loopback, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = f"board needs {error.name}: pip install 'hsearch[board]'"
        raise FailedError(message) from error
    if not is_loopback(host) and not allow_remote:
        raise click.UsageError(f"{one_line(host)} is reached by others: say --allow-remote as well")
    try:
        desk = Desk(record_object(game), game.warnings, start=_start(game))
    except ValueError as error:
        raise InputError(one_line(f"{file}: {error}")) from error
    try:
        bound = bind(host, port)
    except AddressError as error:
        raise FailedError(one_line(str(error))) from error

    def started() -> None:
        click.echo(bound.address)
        click.echo("Press Ctrl-C to end.", err=True)
        if not no_open:
            webbrowser.open(bound.address_once())

    serve(bound, desk, started)


def _start(game: Game) -> Position:
    """Return where a game stands, as its page will ask."""
    turn = game.recorded_turn()
    return game.position(turn=Color.BLACK if turn is None else turn)
