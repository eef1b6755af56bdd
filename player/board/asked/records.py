"""Questions about records: `read`, `write`, `shipped` and `review`."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from hsearch import formats
from hsearch.formats import FormatError, hexworld, moves, read_shipped, suite
from hsearch.formats.reading import DEFAULT_SIZE, Written, decode, sniff
from hsearch.hex import MAX_SIDE as MOST_SIDE
from hsearch.hex import Game
from hsearch.render.text import quantity
from player.answers.memory import MEMORY
from player.answers.objects import word
from player.answers.solved import result_of
from player.board.desk import Desk
from player.board.records import MAX_SIDE, GameQuestion, Record, record_object
from player.board.records import states as states_of
from player.board.threads import BoardJob
from player.study import review as reviews
from player.study.examine import review_game as reviewed
from player.work.clock import Pace

# `read`: the games of a text in any format.

MOST_GAMES = 500
MOST_CHARACTERS = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A text that was pasted, dropped or opened.

    size  the board size for a list of moves, which has none, if the moves fit
    """

    text: str
    size: int = 11


def read(_desk: Desk, _job: BoardJob, request: ReadQuestion) -> dict[str, Any]:
    """Return the games of the text, with names to choose by, and warnings.

    A text in no format that contains moves yields a guess, which the user should check.
    """
    if len(request.text) > MOST_CHARACTERS:
        raise ValueError(f"{len(request.text)} characters: at most {MOST_CHARACTERS} are read")
    if sniff(request.text) == "suite":
        return _suite(decode(request.text)[0])
    kind = sniff(request.text)
    try:
        side = _side(request.text, request.size) if kind == "moves" else request.size
        games = [
            {
                "name": " - ".join(name for name in game.players if name) or f"game {number}",
                "warnings": list(game.warnings),
                "game": record_object(game),
            }
            for number, game in enumerate(islice(_read(request.text, side), MOST_GAMES), start=1)
        ]
    except ValueError:
        cells = moves.among_words(request.text) if kind == "moves" else []
        if len(cells) < 2:  # one cell is in many a sentence
            raise
        return {"games": [_guess(cells, request.size)]}
    if kind == "hexworld":
        for place, record in zip(hexworld.places(request.text), games, strict=False):
            rotation, mirrored, numbers = hexworld.view_of(request.text, place)
            record["look"] = {"rotation": rotation, "mirrored": mirrored, "numbers": numbers}
    return {"games": games}


def _guess(words: Sequence[str], size: int) -> dict[str, Any]:
    """Return the game of the moves among other words, marked as a guess."""
    text = " ".join(words)
    [game] = _read(text, _side(text, size))
    return {
        "name": f"{quantity(len(words), 'move')} among other words",
        "warnings": list(game.warnings),
        "game": record_object(game),
        "guess": f"This text is in no format that is read here, but names moves: {text}. "
        "Its other words are left out.",
    }


def _read(text: str, side: int) -> Iterator[Game]:
    """Yield the games of a text; errors about a size name the largest that the page shows.

    The default size is not a choice of the user, so the text may name another.
    """
    size = None if (side, side) == DEFAULT_SIZE or not text.strip() else (side, side)
    try:
        yield from formats.read_all(text, size=size)
    except ValueError as error:
        message = str(error)
        if isinstance(error, FormatError):
            message = error.message + _place(error, text)
        largest = f"to {MAX_SIDE}x{MAX_SIDE})"
        raise ValueError(message.replace(f"to {MOST_SIDE}x{MOST_SIDE})", largest)) from None


def _place(error: FormatError, text: str) -> str:
    """Return the place of an error in words, as the page shows it; empty if it is the start."""
    if error.line is None or error.column is None:
        return f", in line {error.line}" if error.line else ""
    if "\n" in text.strip():
        return f", in line {error.line}, column {error.column}"
    return f", at character {error.column}" if error.column > 1 else ""


def _side(text: str, side: int) -> int:
    """Return a board size that moves fit on: `side`, else the smallest usual one."""
    cells = moves.cells_of(text)
    return side if moves.least_side(cells) <= side else moves.side_of(cells)


def _suite(text: str) -> dict[str, Any]:
    """Return the positions of a suite, with the winning moves of those that have them."""
    return {
        "games": [
            {
                "name": entry.id,
                "warnings": [],
                "game": record_object(entry.game),
                "wins": [cell for value in entry.values("wins") for cell in value.split()],
                "stones": _stones(entry),
                "source": " ".join(entry.values("source")),
            }
            for entry in suite.read(text)[:MOST_GAMES]
        ]
    }


def _stones(entry: suite.SuiteEntry) -> int | None:
    """Return the fewest stones that win a puzzle; None if the suite does not have them."""
    value = " ".join(entry.values("stones"))
    return int(value) if re.fullmatch("[1-9][0-9]?", value) else None


# `states`: the state after each node of a game.


def states(_desk: Desk, _job: BoardJob, request: GameQuestion) -> dict[str, Any]:
    """Return the state after each node. Raise ValueError when one breaks a rule."""
    return {"states": states_of(request.game.game())}


# `write`: a game as a text that other programs read.


@dataclass(frozen=True, slots=True)
class WriteQuestion:
    """A game, and the format; `also` names more formats, left out if they cannot express the game.

    The fields after `also` are for HexWorld's links alone.
    """

    game: Record
    format: Written
    also: tuple[Written, ...] = ()
    rotation: int = hexworld.DEFAULT_ROTATION
    mirrored: bool = False
    numbers: bool = False
    red_and_blue: bool = False


def write(_desk: Desk, _job: BoardJob, request: WriteQuestion) -> dict[str, Any]:
    """Return the texts, and the result in words; of HexWorld the link's fragment instead."""
    game = request.game.game()
    also = {}
    for other in request.also:
        with suppress(ValueError):
            also[other] = formats.write(game, other)
    if request.format != "hexworld":
        text, result = formats.write(game, request.format), result_of(game)
        return {"text": text, "also": also, "result": result}
    link = hexworld.write(
        game,
        rotation=request.rotation,
        mirrored=request.mirrored,
        numbers=request.numbers,
        red_and_blue=request.red_and_blue,
    )
    return {"text": link, "fragment": link.partition("#")[2], "also": also}


# `shipped`: a game or suite that hsearch ships, by a name of a fixed list, never by a path.

FILES = {
    "london-2000-queenbee-hexy": "games/london-2000-queenbee-hexy.sgf",
    "london-2000-hexy-queenbee": "games/london-2000-hexy-queenbee.sgf",
    "classic": "puzzles/classic.txt",
    "proved": "puzzles/proved.txt",
}


@dataclass(frozen=True, slots=True)
class ShippedQuestion:
    """The name of a shipped file."""

    name: Literal["london-2000-queenbee-hexy", "london-2000-hexy-queenbee", "classic", "proved"]


def shipped(_desk: Desk, _job: BoardJob, request: ShippedQuestion) -> dict[str, Any]:
    """Return the text of a shipped file."""
    return {"text": read_shipped(FILES[request.name])}


# `review`: where a game was decided, and which moves were mistakes.


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A game, and the effort of the review."""

    game: Record
    effort: Literal["quick", "normal", "deep"] = "quick"


# The review so far is sent when it reaches an open position after the proved ones at the end of
# the game, and about once a second, so that nobody waits long for the first results.
FIRST, PAUSE = 0.5, 1.0  # seconds


def review(_desk: Desk, job: BoardJob, request: ReviewQuestion) -> dict[str, Any]:
    """Return the objects of `hsearch review --json`, and its sentences.

    Progress has each position, as in `graph`, and the review so far: the objects, as in
    the answer, of the moves after `from`. Raise Stopped if the page cancels the job.
    """
    game = request.game.game()
    total = len(game.moves) + 1
    telling, pace = _Telling(time.monotonic() + FIRST), Pace()

    def on_progress(rest: int) -> None:
        if pace.is_due():
            share = 1 - rest / total
            job.tell(
                {
                    "text": f"{request.effort} review: {quantity(rest, 'position')} left",
                    "share": share,
                }
            )

    def on_state(state: reviews.ReviewedPosition, so_far: Callable[[], reviews.Review]) -> None:
        job.tell(
            {
                "ply": state.moves,
                "winner": word(state.winner),
                "proof": None if state.proof is None else state.proof.kind,
                "chance": round(state.odds.black, 4),
            }
        )
        if telling.is_due(state):
            draft = so_far()
            job.tell({"so_far": _objects(draft, draft.moves[state.moves :]), "from": state.moves})

    result = reviewed(
        game,
        reviews.EFFORTS[request.effort],
        memory=MEMORY,
        on_progress=on_progress,
        on_state=on_state,
    )
    return _objects(result, result.moves) | {"said": list(reviews.summary(result))}


@dataclass(slots=True)
class _Telling:
    """When to send the review so far: at an open position after proved ones, or after a while."""

    due: float
    is_open: bool = False

    def is_due(self, state: reviews.ReviewedPosition) -> bool:
        is_first, self.is_open = state.winner is None and not self.is_open, state.winner is None
        if not is_first and time.monotonic() < self.due:
            return False
        self.due = time.monotonic() + PAUSE
        return True


def _objects(result: reviews.Review, moves: Sequence[reviews.MoveReview]) -> dict[str, Any]:
    return {
        "game": reviews.game_object(result),
        "moves": [
            reviews.move_object(result, move)
            | {"word": move.word, "notable": move.verdict.is_notable}
            for move in moves
        ],
    }
