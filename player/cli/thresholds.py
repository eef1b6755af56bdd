"""`hsearch thresholds`: the least chips that win, and the best moves, for each number of chips."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hsearch.board import Cell, Color
from hsearch.position import Position, winner
from player.bidding import MAX_EMPTY, Holding, Thresholds, richman_values
from player.console.command import command
from player.console.compiling import announce_compiling
from player.console.errors import InputError, one_line
from player.console.option import number_option
from player.console.output import print_object, say
from player.console.progress import working
from player.console.reading import InputSource, reads_position
from player.console.screen import Screen, draws
from player.fillings import exact, fractions
from player.report.bid import richman_object
from player.report.objects import position_object

if TYPE_CHECKING:
    from rich.table import Table

MOST_CHIPS = 10_000


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """Answer for one total; the thousandth part of the table that it is read from.

    needs  what Black and White need
    best   their best moves
    """

    total: int
    needs: tuple[Holding | None, ...]
    best: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, position: Position, solved: Thresholds) -> "ThresholdRow":
        """Return what is printed of a total, and let the rest go."""
        return cls(
            solved.total,
            tuple(solved.threshold(position, color) for color in Color),
            tuple(tuple(solved.moves(position, color)) for color in Color),
        )


@command(
    "thresholds",
    "echo | hsearch thresholds - --size 3 --chips 1 26",
    "hsearch thresholds b2 --size 3 --chips 95 100 --json",
)
@reads_position
@number_option(
    "--chips",
    least=0,
    most=MOST_CHIPS,
    metavar="FROM TO",
    nargs=2,
    default=(1, 20),
    help="How many chips both players have together.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@draws
def thresholds(
    *, source: InputSource, chips: tuple[int, int], as_json: bool, screen: Screen
) -> None:
    """Tell which first move is best for each number of chips, and the least that wins.

    Bids are whole chips, and on equal ones the tie-break chip (*) decides. The best
    moves need the least; with few chips they are not those of the Richman
    values. All is solved exactly, so at most 12 cells may be empty: each total takes a tenth of
    a second then, and 300 MB serve all of them.
    """
    first, last = chips
    if first > last:
        raise click.UsageError(f"--chips {first} {last}: FROM is more than TO")
    position = source.position
    if (won := winner(position)) is not None:
        raise InputError(one_line(f"{source.file}: the game is over: {won.word} has won"))
    if (empty := position.empty.count()) > MAX_EMPTY:
        raise InputError(
            one_line(f"{source.file}: too many empty cells to solve: {empty} (to {MAX_EMPTY})")
        )
    announce_compiling()
    solved: list[ThresholdRow] = []
    with working("totals", last - first + 1, unit="totals") as work:
        for total in range(first, last + 1):
            solved.append(ThresholdRow.of(position, Thresholds(position, total)))
            work.done(len(solved))
    if as_json:
        print_object(_object(position, solved))
        return
    screen.rich(_table(position, solved))
    say(("", *_statements(position, solved), "Next: " + source.again("bid")))


def _object(position: Position, solved: list[ThresholdRow]) -> dict[str, Any]:
    """Return all there is to say as a JSON object."""
    odds = exact(position)
    names = position.board.names
    rows = []
    for each in solved:
        row: dict[str, Any] = {"chips": each.total}
        for color in Color:
            least = each.needs[color]
            row[color.word] = {
                "needs": None if least is None else str(least),
                "moves": names(position.board.only(*each.best[color])),
            }
        rows.append(row)
    return {
        "schema": "hsearch/thresholds/1",
        "position": position_object(position),
        "richman": richman_object(odds),
        "totals": rows,
        "equal_chips_win": {color.word: equal_chips_win(solved, color) for color in Color},
    }


def _table(position: Position, solved: list[ThresholdRow]) -> "Table":
    from rich.table import Table  # noqa: PLC0415 - slow to import

    page = Table(box=None, pad_edge=False)
    for heading in ("chips", "Black needs", "best for Black", "White needs", "best for White"):
        page.add_column(heading, justify="left" if "best" in heading else "right")
    for each in solved:
        row = [str(each.total)]
        for color in Color:
            cells = " ".join(map(position.board.name, each.best[color]))
            row += [str(each.needs[color] or "-"), cells]
        page.add_row(*row)
    return page


def _statements(position: Position, solved: list[ThresholdRow]) -> list[str]:
    """Return what divided chips say, where the best moves differ from that, and who is ahead."""
    odds = exact(position)
    known, values = fractions(odds), richman_values(odds)
    best = {*odds.best()}
    names = " ".join(map(position.board.name, sorted(best)))
    share = values.value if known is None else known.chance(Color.WHITE)
    lines = [f"With divisible chips, Black would need more than {share} of them; best: {names}."]
    other = [str(e.total) for e in solved if not best & {*e.best[Color.BLACK]}]
    if other:
        lines.append(f"None of these is best for Black with {', '.join(other)} chips.")
    for color in Color:
        least = equal_chips_win(solved, color)
        if least is not None:
            lines.append(
                f"{color.word.capitalize()} wins with half the chips and without the tie-break "
                f"chip, from {least} chips on (to {solved[-1].total})."
            )
    return lines


def equal_chips_win(solved: list[ThresholdRow], color: Color) -> int | None:
    """Return from how many chips on half of them, rounded down and without `*`, always win.

    None if they do not with the most chips looked at: then there is no advantage.
    """
    least = None
    for each in reversed(solved):
        needed = each.needs[color]
        if needed is None or needed.chips + needed.tie_break > each.total // 2:
            break
        least = each.total
    return least
