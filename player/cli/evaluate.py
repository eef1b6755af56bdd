"""`hsearch evaluate`: a position by the classic evaluators."""

import difflib
from collections.abc import Sequence
from functools import partial

import click

from hsearch.analysis.circuit import HEXY
from hsearch.hex import Color, Position, winner
from player.answers.circuit import SIGHTS, evaluation_marks, evaluation_object, evaluations_object
from player.console.command import InputError, command
from player.console.options import ColorType
from player.console.output import Picture, json_option, print_object, takes_picture
from player.console.question import takes_links
from player.console.reading import InputSource, reads_position
from player.evaluate.evaluators import BY_TWO_DISTANCE, EVALUATORS, EvaluatorError, evaluator
from player.evaluate.exact import MAX_WIDTH, is_reachable

ALL = "all"


class EvaluatorType(click.ParamType[str]):
    """The name of an evaluator, with `-` or `_` between words; `all`; or FILE.py:FUNCTION."""

    name = "evaluator"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """Return what the help calls the value."""
        return f"[{'|'.join((ALL, *EVALUATORS))}|FILE.py:FUNCTION]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; suggest similar names for an unknown one."""
        word = value.replace("-", "_").lower()
        if word == ALL or word in EVALUATORS:
            return word
        try:
            evaluator(value)
        except ValueError as error:
            like = difflib.get_close_matches(word, EVALUATORS, n=3)
            message = f"unknown evaluator {value!r}. Did you mean {' or '.join(like)}?"
            self.fail(message if like else str(error), param, ctx)
        return value


@command(
    "evaluate",
    "hsearch evaluate positions/games/london-2000-queenbee-hexy.sgf --move 20",
    "hsearch evaluate positions/puzzles/classic.txt --id 5x5-berge-1 --with two_distance --json",
    "hsearch evaluate positions/games/london-2000-queenbee-hexy.sgf --move 20"
    " --with resistance --svg currents.svg",
)
@partial(reads_position, needs_turn=False)
@click.option(
    "--with",
    "name",
    type=EvaluatorType(),
    default=ALL,
    show_default=True,
    help="The evaluator; FILE.py:FUNCTION is a Python function from a position to a number.",
)
@takes_links
@json_option("one JSON object, of the evaluator or of all")
@takes_picture("Draw what the evaluator sees at each cell")
@click.option(
    "--for", "color", type=ColorType(), help="Whose side the picture shows, else the mover's."
)
def evaluate(
    *,
    source: InputSource,
    name: str,
    links: str,
    as_json: bool,
    picture: Picture,
    color: Color | None,
) -> None:
    """Report what the classic evaluators make of the position of FILE.

    For each: what it measures for Black and for White, and the evaluation,
    below 0 if it is good for Black. They are estimates; `hsearch analyze`
    proves. A dash: no measure, such as of a player who has won. --links is for `hexy`;
    `resistance` has wires between neighbors alone.
    """
    _refuse_useless(name, links, picture, color)
    position = source.position
    if name not in {ALL, *EVALUATORS}:  # a user's function may depend on the turn
        source.require_turn()
    names = tuple(EVALUATORS) if name == ALL else (name,)
    if "fillings" in names and not is_reachable(position):
        board = str(position.board)
        largest = f"{board} is too large for fillings (shorter side at most {MAX_WIDTH})"
        if name != ALL:
            raise source.error(largest)
        click.echo(f"{largest}: left out", err=True)
        names = tuple(each for each in names if each != "fillings")
    if picture.is_wanted:
        if name not in SIGHTS:
            raise click.UsageError(f"a picture needs --with and one of: {', '.join(SIGHTS)}")
        if color is None:
            source.require_turn()
        side = position.turn if color is None else color
        marks = evaluation_marks(position, side, name, source.last, links=links)
        title = f"{name} for {side.word}"
        picture.write(position, marks, title=title, game=source.game, moves=source.moves)
    try:
        if not as_json:
            _print_table(position, names, links)
        else:
            one = None if name == ALL else name
            known = source.turn is not None
            answer = evaluations_object(position, one, names, links=links, turn_is_known=known)
            print_object(answer)
    except EvaluatorError as error:
        raise InputError(str(error)) from error


def _refuse_useless(name: str, links: str, picture: Picture, color: Color | None) -> None:
    """Raise UsageError if --links or --for was given without a use."""
    if links != HEXY and name not in {ALL, HEXY}:
        raise click.UsageError(f"--links is for the evaluator {HEXY}")
    if color is not None and not picture.is_wanted:
        raise click.UsageError("--for needs --svg or --png: it changes a picture")


def _print_table(position: Position, names: Sequence[str], links: str) -> None:
    """Print a line for each evaluator, as soon as its values are known."""
    won_by = winner(position)
    wide = max(22, *(len(name) + 1 for name in names))
    for name in names:
        values = evaluation_object(position, name, links=links)
        if name == names[0]:  # not earlier: the first evaluator may fail
            click.echo(f"{'evaluator':{wide}}{'black':>10}{'white':>10}{'evaluation':>12}")
        for word, value in values.items():
            if value is None or (
                won_by is not None and won_by.word == word and name in BY_TWO_DISTANCE
            ):
                values[word] = "-"
        measures = "{black:>10}{white:>10}{evaluation:>12}".format(**values)
        click.echo(f"{name:{wide}}{measures}")
