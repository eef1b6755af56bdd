"""A review in words: the heading, the summary, a line a move."""

from collections.abc import Iterator, Sequence

from hsearch.board import Board, Cell, Color
from hsearch.game import Game
from player.review.review import MoveReview, Review
from player.review.verdict import Verdict

_SPARKS = "▁▂▃▄▅▆▇█"
_ASCII_SPARKS = "_.:-=+*#"


def heading(reviewed: Review) -> str:
    """Return the players, the size and the length of the game."""
    game = reviewed.game
    names = " - ".join(name for name in game.players if name)
    size = f"{game.board.columns}x{game.board.rows}"
    moves = f"{len(game.moves)} move{'' if len(game.moves) == 1 else 's'}"
    return ", ".join(part for part in (names, size, moves) if part)


def summary(reviewed: Review) -> Iterator[str]:
    """Yield the sentences that answer what people ask first."""
    yield _end(reviewed)
    yield _turn(reviewed)
    mistake = reviewed.last_mistake
    if mistake is not None:
        yield f"Last proved mistake: {numbered_move(reviewed, mistake)}: {mistake.basis}."
    elif reviewed.turning_point:
        yield "No mistake is proved: before the turning point nobody had a proved win to lose."
        if any(move.verdict is Verdict.PROVED_LOSS for move in reviewed.moves):
            yield (
                "A move called a proved loss leaves a position that the opponent is proved to win; "
                "whether there was a better one is not known."
            )
    yield f"Effort {reviewed.effort.words}."


def text(reviewed: Review) -> str:
    """Return the heading and the summary, a line a sentence."""
    return "\n".join((heading(reviewed), *summary(reviewed)))


def numbered_move(reviewed: Review, move: MoveReview) -> str:
    """Return a move as `50 g9 (White)`."""
    return f"{move.number} {move.move.name(reviewed.game.board)} ({_name(move.move.color)})"


def line_of_play(board: Board, cells: Sequence[Cell]) -> str:
    """Return a line of play, such as `f2, then f3 d4`: its first move is the one that counts."""
    first, *rest = map(board.name, cells)
    return f"{first}, then {' '.join(rest)}" if rest else first


def spark(reviewed: Review, *, only_ascii: bool = False) -> str:
    """Return Black's chance by move as a line of bars, one a position."""
    bars = _ASCII_SPARKS if only_ascii else _SPARKS
    last = len(bars) - 1
    return "".join(bars[round(last * state.chance_of(Color.BLACK))] for state in reviewed.states)


def proved_marks(reviewed: Review) -> str:
    """Return, below each bar of `spark`, who is proved to win: B, W or a blank."""
    return "".join(
        " " if state.winner is None else state.winner.word[0].upper() for state in reviewed.states
    )


def gave_up(game: Game) -> Color | None:
    """Return who resigned or forfeited, or None."""
    last = game.moves[-1] if game.moves else None
    return last.color if last is not None and last.gives_up else None


def _end(reviewed: Review) -> str:
    state = reviewed.states[-1]
    loser = gave_up(reviewed.game)
    if state.proved is not None and state.proved.by == "chain":
        said = f"{_name(state.proved.winner)} won with a chain of stones"
    elif loser is not None:
        said = f"{_name(loser)} gave up"
    else:
        said = "The record ends before the game does"
    if state.proved is None:
        return f"{said}; who would win the last position is not proved."
    if state.proved.by == "chain":
        return f"{said}."
    return f"{said}; {_name(state.proved.winner)} is proved to win there by {state.proved.words}."


def _turn(reviewed: Review) -> str:
    turn, winner = reviewed.turning_point, reviewed.winner
    if turn is None or winner is None:
        return "No turning point: the winner is not proved at the end."
    if turn == 0:
        return f"{_name(winner)} is proved to win from the first position on."
    move = numbered_move(reviewed, reviewed.moves[turn - 1])
    return (
        f"Turning point: move {move}; from there on "
        f"{_name(winner)} is proved to win at every position."
    )


def _name(color: Color) -> str:
    return color.word.capitalize()
