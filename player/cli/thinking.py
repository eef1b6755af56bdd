"""What stderr shows while an engine thinks: on a terminal only, and gone afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from hsearch.board import Board
from player.search import Findings


@contextmanager
def thinking(name: str, board: Board) -> Iterator[Callable[[Findings], None]]:
    """Show that `name` thinks; call what is yielded with what it has found so far."""
    console = Console(stderr=True)
    with console.status(f"{name} is thinking ...") as status:

        def show(found: Findings) -> None:
            line = " ".join(map(board.name, found.line[:6]))
            status.update(
                f"{name} is thinking ... depth {found.depth}, {found.counts.nodes} nodes: {line}"
            )

        yield show
