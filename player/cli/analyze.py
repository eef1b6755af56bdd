"""`hsearch analyze` and `hsearch mustplay`: who wins, who stands better, where one must play."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from hsearch.analysis.circuit import HEXY
from hsearch.connect import HSearchOptions
from hsearch.hex import Color
from hsearch.kernels.cache import preparing_seconds
from hsearch.render.text import Marks
from player.answers.analysis import SEARCH_SECONDS, AnalysesByTurn, Analysis
from player.answers.candidates import SECONDS, best_moves, of_findings
from player.answers.circuit import draw
from player.answers.limits import begin_analysis
from player.answers.memory import MEMORY
from player.answers.moves import describe_findings
from player.answers.mustplay import decisive_connection, either, mustplay_marks, mustplay_object
from player.answers.mustplay import statements as mustplay_statements
from player.answers.position import CARRIER, ESTIMATE, PositionAnswer
from player.answers.solved import proof_of
from player.console import question
from player.console.command import command, failing, wrong_spec
from player.console.compiling import has_compiled
from player.console.output import Output, Picture, print_object, say, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import interruptible, stdout_is_terminal
from player.console.usage import WIDTH
from player.search.chances import BestMoves, of_tree
from player.search.tree import TreeFindings
from player.work.naming import SpecError

LONG = 1.0  # seconds; shorter times are printed in milliseconds


def _analyses(
    source: InputSource,
    options: HSearchOptions,
    *,
    search: float,
    links: str = HEXY,
    circuits: bool = True,
) -> dict[Color, Analysis]:
    """Return an analysis for each player who may be to move; Ctrl-C ends their searches.

    `search` and `links` are those of `Analysis`. Without `circuits`, these are computed when they
    are needed.
    """
    analysis = begin_analysis(
        options,
        source.position,
        links=links,
        search=search,
        ended=source.game.ending(source.moves),
        before_swap=source.before_swap,
    )
    interruptible(lambda: analysis.prepare(circuits=circuits), "searching for connections")
    analyses = {turn: analysis.with_turn(turn) for turn in source.turns}
    interruptible(lambda: [each.standing for each in analyses.values()], "solving")
    return analyses


# The lines below the board of `hsearch analyze`.


def report(
    answer: PositionAnswer,
    source: InputSource,
    sentences: Iterable[str],
    *,
    findings: Collection[TreeFindings] = (),
    estimates: bool = True,
    proof_file: Path | None = None,
) -> Iterator[str]:
    """Yield the answer, the sentences of the player, the times, and the next command.

    `findings` are those of the player. Without `estimates`, the net's estimate is left out,
    because a better one follows. `proof_file` is the file of the proof, if that was written.
    """
    yield from answer.sentences(but=(CARRIER,) + (ESTIMATE,) * (not estimates), is_marked=True)
    yield from sentences
    analysis = answer.analysis
    preparing = f"{'compiling' if has_compiled() else 'loading'} the kernels"
    times = (
        f"{name} {1000 * seconds:.1f} ms" if seconds < LONG else f"{name} {seconds:.1f} s"
        for name, seconds in (*analysis.seconds.items(), (preparing, preparing_seconds()))
    )
    yield f"Time: {', '.join(times)}."
    next_command = _next(answer, source, findings)
    yield f"Next: {next_command if proof_file is None else question.to_verify(proof_file)}"


def _next(answer: PositionAnswer, source: InputSource, findings: Collection[TreeFindings]) -> str:
    analysis, won_by = answer.analysis, answer.winner
    standing = analysis.standing
    is_players = any(each.winner is not None for each in findings)  # the next command lacks it
    if is_players and source.turn is not None:
        seconds = 10 if question.is_solvable(source) else 60
        return question.ask_solver(source, "let the solver prove the same", seconds=seconds)
    if not is_players and won_by is not None and standing is not None and standing.is_searched:
        turn = f" --turn {analysis.position.turn.word}" if source.turn is None else ""
        return question.to_prove(source.again("analyze") + turn)
    if won_by is not None and proof_of(analysis) is not None:
        board = analysis.position.board
        edges = board.text(board.edges(won_by))
        return f"{source.again('connections')} --between {edges}   all ways to join them"
    further = (
        None if won_by is not None else _further(analysis, source, was_searched=bool(findings))
    )
    return further or f"{source.again('show')} --svg board.svg   a picture"


def _further(analysis: Analysis, source: InputSource, *, was_searched: bool) -> str | None:
    """Return a command line that is likely to find more, where no winner is proved; else None."""
    if question.is_solvable(source):
        return question.ask_solver(source)
    if not analysis.complete and analysis.options.limits.shrinking:
        return f"{source.again('analyze')} --limits mk   with what the limits M and K keep"
    if not was_searched:
        return f"{source.again('analyze')} --player tree   the best moves, in some seconds"
    if source.turn is not None:
        return question.ask_solver(source, "let the solver try for a minute", seconds=60)
    if not analysis.complete and analysis.options.limits.M is not None:
        return f"{source.again('analyze')} {question.wider(analysis.options.limits)}"
    return None


# `hsearch analyze`: who wins, who stands better, and where the weak links are.


@command(
    "analyze",
    "hsearch analyze positions/games/london-2000-queenbee-hexy.sgf --move 50",
    "hsearch analyze 'a10 f6 d8' --size 11 --player tree:simulations=2000",
    "echo 'a5 c4 d3' | hsearch analyze - --size 5 --svg circuits.svg --circuit",
)
@partial(reads_position, needs_turn=False)
@takes_output("Draw the proof, or else the weak links,")
@partial(question.takes_limits, names_moves=True)
@question.takes_links
@click.option("--circuit", is_flag=True, help="Draw the wires of both circuits instead.")
@click.option(
    "--solver",
    "search",
    type=click.FloatRange(0, 3600),
    default=SEARCH_SECONDS,
    show_default=True,
    metavar="S",
    help="Seconds of a free core for the solver, and for regions, templates and windows, where"
    " the two rules leave open who wins; 0 for the options of H-search alone.",
)
@question.takes_proof
@click.option(
    "--player",
    "spec",
    metavar="tree[:OPTION=VALUE,...]",
    help="Add the moves that this player finds best, with their chances.",
)
def analyze(  # noqa: PLR0913 - one per option
    *,
    source: InputSource,
    options: HSearchOptions,
    links: str,
    circuit: bool,
    search: float,
    proof: Path | None,
    spec: str | None,
    output: Output,
) -> None:
    """Report who is proved to win at the position of FILE, who stands better, and why.

    What is connected is proved by H-search, and what that leaves open by the solver, in
    the time of --solver; who stands better when nothing is proved is an estimate, by the
    net. E compares the resistance of the two players' circuits.
    """
    if circuit and not output.picture.is_wanted:
        raise click.UsageError("--circuit needs --svg or --png: it is a picture")
    if proof is not None:
        source.require_turn()
    analyses = _analyses(source, options, search=search, links=links)
    analysis = next(iter(analyses.values()))
    findings_by_turn = {} if spec is None else _explore(spec, analyses)
    _remember(findings_by_turn)
    for turn, findings in findings_by_turn.items():
        analyses[turn].searched = of_tree(findings)
    is_seen = stdout_is_terminal() and not output.as_json and spec is None
    seconds = 0.0 if options.is_alone else options.seconds or (SECONDS if is_seen else 0.0)
    is_searched = spec is None and seconds > 0 and analysis.chain is None and analysis.ended is None
    best = {
        turn: replace(of_findings(each), before_swap=analyses[turn].before_swap)
        for turn, each in findings_by_turn.items()
    }
    if proof is not None:
        if is_searched and analysis.standing is None:  # what the search proves can be written
            best = dict(_best(analyses, seconds))
        question.write_proof(analysis, proof, options, "a larger --solver looks further")
    if is_searched and output.as_json and not best:
        best = dict(_best(analyses, seconds))
    answer = PositionAnswer(analyses, best)
    _draw(answer, source, output.picture, circuit=circuit)
    if output.as_json:
        moves = {"best_moves": answer.best_json(spec or ("tree" if best else None))}
        print_object(answer.to_json() | moves)
        return
    lines = report(
        answer,
        source,
        () if spec is None else _tree_sentences(findings_by_turn, analyses),
        findings=findings_by_turn.values(),
        estimates=not is_searched,
        proof_file=proof,
    )
    output.tell(source.position, answer.marks(source.last), (source.caption, *lines))
    if is_searched:
        for turn, each in best.items() or _best(analyses, seconds):
            say(("", *answer.move_sentences(turn, each)))


def _best(analyses: AnalysesByTurn, seconds: float) -> Iterator[tuple[Color, BestMoves]]:
    """Yield the best moves for each possible turn."""
    for turn, each in analyses.items():
        moves = interruptible(partial(best_moves, each, seconds), "searching for the best moves")
        yield turn, moves


def _remember(findings: Mapping[Color, TreeFindings]) -> None:
    """Store the wins that a player has proved, as every other host does."""
    for each in findings.values():
        if each.winner is not None:
            best = each.best
            first = None if best is None or best.winner is not each.winner else best.cell
            MEMORY.keep_win(each.position, each.winner, first)


def _explore(spec: str, analyses: AnalysesByTurn) -> dict[Color, TreeFindings]:
    """Return the player's findings for each possible turn whose winner is not known."""
    from player.engine.spec import player  # noqa: PLC0415 - it loads every kind of player
    from player.engine.tree import TreePlayer  # noqa: PLC0415

    try:
        tree_player = player(spec) if spec.partition(":")[0] == "tree" else None
    except SpecError as error:
        raise wrong_spec(error) from error
    if not isinstance(tree_player, TreePlayer):
        raise click.UsageError(f"{spec!r} names no best moves: only tree does")
    positions = {turn: each.position for turn, each in analyses.items() if each.winner is None}
    with failing(tree_player, "search"):
        return interruptible(
            lambda: {turn: tree_player.explore(position) for turn, position in positions.items()},
            f"{spec} is thinking",
        )


def _tree_sentences(
    findings: Mapping[Color, TreeFindings], analyses: AnalysesByTurn
) -> Iterator[str]:
    """Yield the player's sentence for each possible turn."""
    for turn, analysis in analyses.items():
        who = f"If {turn.word} is to move: " if len(analyses) > 1 else ""
        finding, is_proved = findings.get(turn), analysis.standing is not None
        yield who + (
            f"No moves were looked at: {'who wins is proved' if is_proved else 'the game is over'}."
            if finding is None
            else describe_findings(finding)
        )


def _draw(answer: PositionAnswer, source: InputSource, picture: Picture, *, circuit: bool) -> None:
    """Draw the proof, else the weak links; with `circuit`, the wires of both circuits instead."""
    if not circuit:
        picture.draw(source, answer.picture_marks(source.last), answer.subject)
        return
    circuits = answer.analysis.circuits
    marks = picture.add_numbers(Marks(last=source.last), source.game, source.moves)
    title = ", ".join(part for part in (source.title, "circuits") if part)
    picture.save(draw(circuits, marks, title=title, palette=picture.palette))


# `hsearch mustplay`: where the player to move must play, and the threats that force it.


@command(
    "mustplay",
    "hsearch mustplay positions/games/london-2000-hexy-queenbee.sgf --move 30",
    "hsearch mustplay positions/games/london-2000-queenbee-hexy.sgf --move 45",
    "echo 'c2' | hsearch mustplay - --size 5 --json",
)
@partial(reads_position, needs_turn=False)
@takes_output("Draw the region and the threats")
@question.takes_limits
@question.takes_proof
def mustplay(
    *, source: InputSource, options: HSearchOptions, proof: Path | None, output: Output
) -> None:
    """Report where the player to move at the position of FILE must play.

    Every semi connection of the opponent's edges is a threat: it stands unless
    the next stone is in its carrier. So only the cells of all threats can hold
    the game.
    """
    if proof is not None:
        source.require_turn()
    analyses = _analyses(source, options, search=SEARCH_SECONDS, circuits=False)
    analysis = next(iter(analyses.values()))
    if proof is not None:
        question.write_proof(analysis, proof, options, question.SOLVE_INSTEAD)
    is_known = source.turn is not None
    marks = mustplay_marks(analysis, source.last) if is_known else Marks(last=source.last)
    output.picture.draw(source, marks, "must-play")
    if output.as_json:
        print_object(mustplay_object(analyses))
        return
    lines = mustplay_statements(analysis) if is_known else either(analyses)
    further = (
        _mustplay_next(analysis, source)
        if proof is None
        else [f"Next: {question.to_verify(proof)}"]
    )
    sentences = (source.caption, *lines, *further)
    output.tell(source.position, marks, sentences, pipe_width=WIDTH)


def _mustplay_next(analysis: Analysis, source: InputSource) -> Iterator[str]:
    """Yield the line with the next command, if there is one."""
    proof, standing = decisive_connection(analysis), analysis.standing
    if source.turn is None:
        yield f"Next: {source.again('mustplay')} --turn {Color.BLACK.word}   the threats"
    elif standing is not None and standing.is_searched:
        yield f"Next: {question.to_prove(source.again('mustplay'))}"
    elif proof is not None:
        x, y = map(source.position.board.name, source.position.board.edges(proof[0]))
        yield f"Next: {source.again('explain')} --between {x} {y}   why"
