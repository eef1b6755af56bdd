"""Line on stderr while an engine thinks: on a terminal only, and gone afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hsearch.board import Board
from player.console.progress import working
from player.search import SearchResult


@contextmanager
def thinking(name: str, board: Board) -> Iterator[Callable[[SearchResult], None]]:
    """Show that `name` thinks; call what is yielded with what it has found so far."""
    says = f"{name} is thinking ..."
    with working(says) as work:

        def show(found: SearchResult) -> None:
            line = " ".join(map(board.name, found.line[:6]))
            work.say(f"{says} depth {found.depth}, {found.counts.nodes} nodes: {line}")

        yield show
