"""A review in words: the heading, the summary, a line a move."""

from collections.abc import Iterator, Sequence

from hsearch.board import Board, Cell, Color
from hsearch.game import Game, Outcome
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
    yield from _sides(reviewed.game)
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
    """Return a move as `50 g9 (White)`; after a swap of sides also who played it."""
    who = _who(reviewed.game, move.move.color, move.number - 1)
    return f"{move.number} {move.move.name(reviewed.game.board)} ({who})"


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


def _sides(game: Game) -> Iterator[str]:
    """Yield who plays which color after a swap of sides, if there was one."""
    number = game.swap_of_sides
    if number is None:
        return
    black, white = (game.player(color) for color in Color)
    if black and white:
        yield f"Sides were swapped at move {number}: {black} is Black from then on, {white} White."
    else:
        yield f"Sides were swapped at move {number}: who began as White is Black from then on."


def _end(reviewed: Review) -> str:
    game = reviewed.game
    state = reviewed.states[game.played]
    said = _outcome(game, game.outcome)
    if state.proved is None:
        return f"{said}; who would win the last position is not proved."
    if state.proved.by == "chain":
        return f"{_who(game, state.proved.winner)} won with a chain of stones."
    winner = _who(game, state.proved.winner)
    return f"{said}; {winner} is proved to win there by {state.proved.words}."


def _outcome(game: Game, outcome: Outcome | None) -> str:
    """Return how a game without a chain ended."""
    if outcome is None:
        return "The record ends before the game does"
    if outcome.ending is None:
        return f"The record says that {_who(game, outcome.winner)} won"
    return f"{_who(game, outcome.winner.opponent)} {outcome.ending.value}"


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


def _who(game: Game, color: Color, moves: int | None = None) -> str:
    """Return a color, after a swap of sides with the name of who has it then."""
    swap = game.swap_of_sides
    name = game.player(color, moves) if swap is not None else None
    return f"{_name(color)}, {name}" if name else _name(color)


def _name(color: Color) -> str:
    return color.word.capitalize()
