"""Rows for the board: what the page waits for, from the question to the text of the answer."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from hsearch.files import strict
from hsearch.game import Game
from hsearch.position import Position
from player.bench.board_page import page_rows
from player.bench.board_waiting import waiting_rows
from player.bench.measure import BenchRow, Tally
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.kinds import KINDS
from player.board.records import record_object
from player.report.objects import position_object


def board_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield a row for each question that a click asks: on every position of the London games.

    And those of the page in a browser, and of a server as a process.
    """
    for kind in ("analyze", "explain", "links"):
        name = f"board/11x11/{kind}"
        yield BenchRow(name, partial(_positions, london, kind), partial(_count, kind), passes=3)
    yield from page_rows(london)
    yield from waiting_rows(london)


def _positions(london: Callable[[], list[Game]], kind: str) -> Iterable[Position]:
    games = london()
    every = (game.position(moves) for game in games for moves in range(len(game.moves) + 1))
    return list(every) if kind != "explain" else [p for p in every if _is_explained(p)]


def _is_explained(position: Position) -> bool:
    desk = _desk(position)
    return _asked(desk, "analyze", position)["connection"] is not None


def _count(kind: str, position: Position) -> Tally:
    """Ask on a desk that knows nothing, as after a click; count what the page shows."""
    found = _asked(_desk(position), kind, position)
    if kind == "analyze":
        return {"mustplay": len(found["analysis"]["mustplay"])}
    if kind == "explain":
        return {"replies": len(found["explanation"]["replies"])}
    return {"links": len(found["links"]) + found["more"]}


def _desk(position: Position) -> Desk:
    return Desk(record_object(Game(position.board)))


def _asked(desk: Desk, kind: str, position: Position) -> dict[str, Any]:
    """Return an answer, once it was read and written as on the socket."""
    question, answer = KINDS[kind].load()
    text = strict.write({"position": position_object(position)})
    found = answer(desk, BoardJob(lambda _progress: None), strict.read(text, question))
    strict.write(found, ensure_ascii=False)
    return found
