"""`hsearch analyze`: who wins, who stands better, and where the weak links are."""

from collections.abc import Iterator, Mapping
from functools import partial

import click

from hsearch.board import Color
from hsearch.render import Marks
from player.cli.analyze_report import report
from player.console.command import command
from player.console.errors import one_line
from player.console.interruptible import interruptible
from player.console.limits import takes_limits, takes_links
from player.console.output import Output, print_object, takes_output
from player.console.picture import Picture
from player.console.reading import InputSource, reads_position
from player.hsearch_options import HSearchOptions
from player.report.analysis import Analyses, marks, picture_marks, subject
from player.report.analysis_object import analysis_object
from player.report.candidates import candidates_object, looked_at
from player.report.circuit import drawn
from player.tree import TreeFindings


@command(
    "analyze",
    "hsearch analyze positions/games/london-2000-queenbee-hexy.sgf --move 50",
    "hsearch analyze 'a10 f6 d8' --size 11 --player tree:simulations=2000",
    "echo 'a5 c4 d3' | hsearch analyze - --size 5 --svg circuits.svg --circuit",
)
@partial(reads_position, needs_turn=False)
@takes_output("Draw the proof, or else the weak links,")
@takes_limits
@takes_links
@click.option("--circuit", is_flag=True, help="Draw the wires of both circuits instead.")
@click.option(
    "--player",
    "spec",
    metavar="tree[:OPTION=VALUE,...]",
    help="Add the moves that this player finds best, with their chances.",
)
def analyze(
    *,
    source: InputSource,
    options: HSearchOptions,
    links: str,
    circuit: bool,
    spec: str | None,
    output: Output,
) -> None:
    """Tell who is proved to win at the position of FILE, who stands better, and why.

    What is connected is proved by H-search; who stands better when nothing is
    proved is an estimate, by the resistance of the two players' circuits.
    """
    if circuit and not output.picture.is_wanted:
        raise click.UsageError("--circuit needs --svg or --png: it is a picture")
    analysis = options.analysis(source.position, links=links)
    # With the connections, all that takes time.
    interruptible(lambda: (analysis.circuits, analysis.deduced), "searching for connections")
    analyses = {turn: analysis.with_turn(turn) for turn in source.turns}
    found = {} if spec is None else _explored(spec, analyses)
    _draw(analyses, source, output.picture, circuit=circuit)
    if output.as_json:
        best = {} if spec is None else {"best_moves": candidates_object(spec, found)}
        print_object(analysis_object(analyses) | best)
        return
    said = () if spec is None else _said(found, analyses)
    searched = {turn: each.winner for turn, each in found.items() if each.winner is not None}
    sentences = (source.caption, *report(analyses, source, said, searched))
    output.tell(source.position, marks(analyses, source.last), sentences)


def _explored(spec: str, analyses: Analyses) -> dict[Color, TreeFindings]:
    """Return what the player finds for each who may be to move, where the game is open."""
    from player.engine import SpecError, player  # noqa: PLC0415 - it loads what else plays
    from player.engine.tree import TreePlayer  # noqa: PLC0415

    if spec.partition(":")[0] != "tree":
        raise click.UsageError(f"{spec!r} names no best moves: only tree does")
    try:
        made = player(spec)
    except SpecError as error:
        raise click.UsageError(one_line(str(error))) from error
    assert isinstance(made, TreePlayer)  # noqa: S101 - it is called so
    asked = {turn: each.position for turn, each in analyses.items() if each.winner is None}
    return interruptible(
        lambda: {turn: made.explore(position) for turn, position in asked.items()},
        f"{spec} is thinking",
    )


def _said(found: Mapping[Color, TreeFindings], analyses: Analyses) -> Iterator[str]:
    """Yield what the player says of each who may be to move."""
    for turn in analyses:
        who = f"If {turn.word} is to move: " if len(analyses) > 1 else ""
        known = found.get(turn)
        yield who + (
            "No moves were looked at: who wins is proved." if known is None else looked_at(known)
        )


def _draw(analyses: Analyses, source: InputSource, picture: Picture, *, circuit: bool) -> None:
    """Draw what is proved, else the weak links; or the wires of both circuits."""
    if not circuit:
        picture.draw(source, picture_marks(analyses, source.last), subject(analyses))
        return
    circuits = next(iter(analyses.values())).circuits
    marks = picture.numbered(Marks(last=source.last), source.game, source.moves)
    title = ", ".join(part for part in (source.title, "circuits") if part)
    picture.save(drawn(circuits, marks, title=title, palette=picture.palette))
