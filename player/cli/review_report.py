"""A review on a terminal: the board where it was decided, the moves that matter, the chance."""

import shlex
from pathlib import Path

import click

from hsearch.render import Marks
from hsearch.render.text import ASCII
from player.console.games import GameEntry
from player.console.output import say, screen_width
from player.console.screen import Screen
from player.numbers import numbered
from player.review import Review
from player.review.sentences import (
    heading,
    line_of_play,
    numbered_move,
    proved_marks,
    spark,
    summary,
)

MOST = 16  # moves in a table of those that matter
MARGIN = 7  # characters before a line of bars


def report(reviewed: Review, screen: Screen, *, every: bool) -> None:
    """Print a review; with `every`, a line for each move."""
    _board(reviewed, screen)
    say(("", f"{heading(reviewed)}.", *summary(reviewed), ""))
    _sparks(reviewed, screen)
    click.echo()
    moves = list(reviewed.moves) if every else reviewed.notable
    if not every and len(moves) > MOST:
        # Proofs before estimates, and of those the largest.
        moves = sorted(moves, key=lambda move: (not move.is_proved, -move.fell))[:MOST]
        moves.sort(key=lambda move: move.number)
    for move in moves:
        sign = "!" if move.is_mistake else " "
        say([f"{sign} {numbered_move(reviewed, move)}: {move.word}; {move.basis}."])
        for words, cells in (("refuted by", move.refutation), ("better", move.better)):
            if cells:
                say([f"      {words} {line_of_play(reviewed.game.board, cells)}"])
    left = len(reviewed.notable) - len(moves)
    if left > 0:
        click.echo(f"  and {numbered(left, 'move')} more; --all shows every move.")


def following(entry: GameEntry) -> None:
    """Print the command line that makes a page of the review, if it can be given."""
    if Path(entry.file).exists():
        game = ("--game", str(entry.number)) if entry.is_one_of_many else ()
        words = shlex.join(("hsearch", "review", entry.file, *game, "--html", "review.html"))
        say([f"Next: {words}   step through it"])


def _board(reviewed: Review, screen: Screen) -> None:
    """Print the position that the turning point led to, or the last one, with its proof."""
    moves = reviewed.turning_point
    state = reviewed.states[-1 if moves is None else moves]
    found = reviewed.evidence(state.moves)
    connection = None
    if found is not None and found[0] == state.position:
        connection = found[1].connection
    last = reviewed.game.last_cell(state.moves)
    marks = Marks(last=last)
    if connection is not None:
        marks = Marks(
            shaded=connection.carrier, key=connection.key, ends=connection.ends, last=last
        )
    screen.show(state.position, marks)


def _sparks(reviewed: Review, screen: Screen) -> None:
    """Print Black's chance by move, and below it who is proved to win."""
    bars = spark(reviewed, only_ascii=screen.symbols == ASCII)
    proved = proved_marks(reviewed)
    wide = screen_width() - MARGIN
    click.echo("Black's chance by move, estimated; below it B and W where the winner is proved:")
    for start in range(0, len(bars), wide):
        click.echo(f"{start:5}  {bars[start : start + wide]}")
        click.echo(f"{'':{MARGIN}}{proved[start : start + wide]}".rstrip())
