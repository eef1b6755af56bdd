"""`hsearch connections`: the connections that H-search finds, of all points or of two."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import click

from hsearch.connect import Connection, HSearchOptions, closure, exhaustive
from hsearch.connect.store import Store
from hsearch.hex import CellSet, Color, Point, Position
from player.answers import connection as answer
from player.console import question
from player.console.command import FailedError, command
from player.console.options import ColorType, explicit_options, number_option
from player.console.output import Output, Picture, print_object, say, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import interruptible
from player.work.clock import TimeLeft

SEARCHING = "searching for connections"


@command(
    "connections",
    "hsearch connections positions/games/london-2000-queenbee-hexy.sgf --between north south",
    "hsearch connections positions/games/london-2000-queenbee-hexy.sgf --move 50"
    " --between north south --svg wins.svg",
    "echo 'c3' | hsearch connections - --size 5 --for black --json",
)
@partial(reads_position, needs_turn=False)
@click.option("--for", "color", type=ColorType(), help="List only this player's connections.")
@click.option(
    "--kind", type=click.Choice(answer.FULL_OR_SEMI), help="Only full, or only semi connections."
)
@question.takes_between
@question.takes_within
@click.option(
    "--solid",
    "with_depth",
    is_flag=True,
    help="Also how many moves it takes to join X and Y by stones, of carriers to "
    f"{exhaustive.MOST_CELLS} cells; needs --between.",
)
@takes_output("Draw the connection that --number chooses", json="one JSON object a line")
@number_option("--number", default=1, help="Which of those listed to draw, counted from 1.")
@partial(question.takes_limits, asks_solver=True)
def connections(  # noqa: PLR0913 - one per option
    *,
    source: InputSource,
    color: Color | None,
    kind: str | None,
    between: tuple[str, str] | None,
    within: str | None,
    options: HSearchOptions,
    number: int,
    with_depth: bool,
    output: Output,
) -> None:
    """List the connections that H-search finds at the position of FILE.

    Points are cells and the edges north, south, west, east; a group of stones
    is named by its edge or its first cell. A full connection holds even if the
    opponent moves first, a semi connection if its owner does, at its key.
    With --between, where the two rules find no full connection of X and Y,
    stronger methods (--knowledge, --deduction) are tried for that pair alone, and then
    the solver, as far as --time goes.
    """
    board = source.position.board
    is_drawn = output.picture.is_wanted or not (between is None or output.as_json)
    if "number" in explicit_options() and not is_drawn:
        raise click.UsageError("--number needs --svg, --png or --between: it chooses what is drawn")
    ends = _ends(source, between, with_depth=with_depth)
    cells = question.cells_within(source, within)
    if ends is not None:
        color = question.owner_of_ends(source, ends, color)
    players = (player for player in Color if color in {None, player})
    places = {
        player: answer.restrict(source.position, player, cells, ends or ()) for player in players
    }
    clock = TimeLeft(options.seconds)
    stores = interruptible(
        lambda: [*closure.closures(places, options.limits, seconds=clock.left).values()], SEARCHING
    )
    if ends is not None:
        is_joined = any(answer.are_joined_by_stones(store, ends) for store in stores)
        if not (output.as_json or output.picture.is_wanted) and is_joined:
            click.echo(answer.already_joined(*map(board.name, ends)))
            return
    pairs = interruptible(
        lambda: [
            (store.color, connection)
            for store in stores
            for connection in sorted(
                _select(source.position, store, ends, options, clock, kind=kind, within=cells),
                key=lambda c: answer.order(c, board),
            )
        ],
        SEARCHING,
    )
    if output.picture.is_wanted:
        _draw(_choose(pairs, number), source, output.picture)
    if output.as_json:
        _print_objects(source.position, pairs, with_depth=with_depth)
        return
    if ends is not None and (pairs or number > 1):
        marks = answer.connection_marks(_choose(pairs, number)[1], source.last)
        output.tell(source.position, marks, ())
    if cells is not None:
        say([answer.only_within(cells & source.position.empty, board)])
    say(_lines(source.position, pairs, with_depth=with_depth))
    say([answer.total(pairs, stores, kind)])


def _ends(
    source: InputSource, between: tuple[str, str] | None, *, with_depth: bool
) -> tuple[Point, Point] | None:
    """Return the points of --between. Raise UsageError if --solid is given without it."""
    if between is not None:
        return question.two_points(source, between)
    if with_depth:
        raise click.UsageError("--solid needs --between")
    return None


def _print_objects(
    position: Position, pairs: list[tuple[Color, Connection]], *, with_depth: bool
) -> None:
    """Print an object for each connection, with its depth if wanted."""
    for owner, connection in pairs:
        row: dict[str, Any] = {"schema": "hsearch/connection/1"}
        row |= answer.connection_object(owner, connection, position.board)
        if with_depth:
            row["depth"] = exhaustive.depth(position, owner, connection)
        print_object(row)


def _lines(
    position: Position, pairs: list[tuple[Color, Connection]], *, with_depth: bool
) -> Iterator[str]:
    """Yield a line for each connection, which begins with its depth if wanted."""
    for owner, connection in pairs:
        words = answer.line(owner, connection, position.board)
        if with_depth:
            moves = exhaustive.depth(position, owner, connection)
            words = f"depth {'-' if moves is None else moves:>2}  {words}"
        yield words


def _choose(pairs: list[tuple[Color, Connection]], number: int) -> tuple[Color, Connection]:
    """Return the connection with a number, from 1. Raise FailedError if there are fewer."""
    if number > len(pairs):
        was = "was" if len(pairs) == 1 else "were"
        raise FailedError(f"no connection {number} to draw: {len(pairs)} {was} found")
    return pairs[number - 1]


def _draw(pair: tuple[Color, Connection], source: InputSource, picture: Picture) -> None:
    """Draw a connection: its carrier, key and ends."""
    owner, connection = pair
    title = answer.line(owner, connection, source.position.board).partition(":")[0]
    marks = answer.connection_marks(connection, source.last)
    picture.write(source.position, marks, title=title, game=source.game, moves=source.moves)


def _select(  # noqa: PLR0913 - the options of the command
    position: Position,
    store: Store,
    ends: tuple[Point, Point] | None,
    options: HSearchOptions,
    clock: TimeLeft,
    *,
    kind: str | None,
    within: CellSet | None,
) -> Iterable[Connection]:
    """Return a player's connections of one kind or both: all, or those of two points."""
    if ends is None:
        return (each for each in store if kind in {None, each.kind})
    return answer.connections_between(
        position, store.color, ends, options, store, kind=kind, within=within, clock=clock
    )
