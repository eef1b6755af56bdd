"""`hsearch explain`: why two points are connected, or what they lack."""

import sys
from functools import partial
from itertools import chain
from pathlib import Path

import click

from hsearch.connect import HSearchOptions
from hsearch.formats import hexboard as tags
from hsearch.hex import Cell, CellSet, Color
from hsearch.render.text import Marks
from hsearch.strategy import words
from hsearch.strategy.explain import Explanation
from hsearch.strategy.missing import BUDGET, Missing
from hsearch.strategy.reply import StrategyState, follow
from player.answers import connection as answer
from player.answers.analysis import SEARCH_SECONDS
from player.answers.connection import Question
from player.answers.limits import begin_analysis
from player.answers.memory import MEMORY
from player.console import question as shared
from player.console.command import InputError, command
from player.console.options import ColorType, budget_option
from player.console.output import Output, print_object, say, takes_output
from player.console.reading import InputSource, reads_position
from player.console.screen import Screen, interruptible, stdout_is_terminal
from player.console.usage import WIDTH
from player.solve.budget import LARGE_SECONDS


@command(
    "explain",
    "hsearch explain positions/games/london-2000-queenbee-hexy.sgf --move 59 --between north south",
    "hsearch explain positions/games/london-2000-hexy-queenbee.sgf --between c4 west --intrude b4",
    "hsearch explain positions/figures/papers.txt --id two-bridge --between b2 c3 --within 'c2 b3'",
)
@partial(reads_position, needs_turn=False)
@click.option(
    "--for",
    "color",
    type=ColorType(),
    help="Owner of the connection; by default the owner of an end.",
)
@shared.takes_between
@shared.takes_within
@click.option(
    "--intrude",
    "moves",
    multiple=True,
    metavar="CELL",
    help="Follow this move of the opponent; may be repeated, or name several moves, as c5,b7. On a"
    " terminal it asks for the next.",
)
@takes_output("Draw the carrier with numbered replies")
@click.option("--hexboard", is_flag=True, help="Print an article with HexWiki's <hexboard> tags.")
@budget_option("Positions to search for a move that breaks a connection.", default=BUDGET)
@partial(shared.takes_limits, asks_solver=True)
@shared.takes_proof
def explain(  # noqa: PLR0913 - one per option
    *,
    source: InputSource,
    color: Color | None,
    between: tuple[str, str] | None,
    within: str | None,
    moves: tuple[str, ...],
    hexboard: bool,
    budget: int,
    options: HSearchOptions,
    proof: Path | None,
    output: Output,
) -> None:
    """Explain why X and Y are connected at the position of FILE, or what they lack.

    The proof has the shape that people give it: the threats, the cells that all
    of them need, and one reply to each intrusion, down to bridges and templates
    with a name. If no rule joins the points, the solver searches for --time, and
    then everything is played out within --budget. Without --between, the points are
    the edges of the winner, or of --for.
    """
    if hexboard and (output.as_json or moves):
        option = "--json" if output.as_json else "--intrude"
        raise click.UsageError(f"{option} and --hexboard exclude each other")
    if proof is not None:
        source.require_turn()
    if between is None:
        between = _edges_of_winner(source, color, options)
    moves = _intrusions(moves)
    question = _question(source, color, between, shared.cells_within(source, within), options)
    line = _line(source, question, moves)
    if proof is not None:
        _write_proof(source, question, options, proof)
    why = question.why()
    lack = interruptible(lambda: question.lack(budget), "looking for what is missing")
    if output.picture.is_wanted:
        marks = Marks(last=source.last)
        if why is not None:
            marks = words.reply_marks(why, source.last)
        output.picture.draw(source, marks, " to ".join(question.names))
    if output.as_json:
        print_object(answer.explanation_object(question, options, why, lack, line))
    elif hexboard:
        _article(question, why, lack)
    elif line:
        _play(source, question, line, output.screen)
    else:
        ahead = shared.to_verify(proof) if proof else _next(source, question, why, lack, options)
        _tell(source, question, why, lack, ahead, output)


def _edges_of_winner(
    source: InputSource, color: Color | None, options: HSearchOptions
) -> tuple[str, str]:
    """Return the edges of `color`, else of the proved winner. Raise InputError without either."""
    position, owner = source.position, color
    if owner is None:
        analysis = begin_analysis(options, position, search=SEARCH_SECONDS)
        views = [analysis.with_turn(turn) for turn in source.turns]
        winners = interruptible(lambda: {view.winner for view in views}, "looking for the winner")
        owner = winners.pop() if len(winners) == 1 else None
    if owner is None:
        say_which = "name what is joined: --between X Y, as --between north south"
        if source.turn is None:
            say_which += "; or who is to move: --turn"
        raise source.error(f"who wins is not proved, so {say_which}")
    first, second = map(position.board.name, position.board.edges(owner))
    return first, second


def _question(
    source: InputSource,
    color: Color | None,
    names: tuple[str, str],
    within: CellSet | None,
    options: HSearchOptions,
) -> Question:
    """Find the best connection of two named points. Raise InputError if none is possible."""
    position, ends = source.position, shared.two_points(source, names)
    owner = shared.owner_of_ends(source, ends, color)
    if owner is None:
        raise source.error("both ends are empty cells: name the owner with --for")
    return interruptible(
        lambda: answer.ask(position, source.turn, owner, ends, options, within=within),
        "searching for connections",
    )


def _write_proof(
    source: InputSource, question: Question, options: HSearchOptions, path: Path
) -> None:
    """Write the proof of who wins, if the question is about the edges of a player."""
    if question.within is not None or not answer.are_edges(question.store, question.ends):
        raise click.UsageError("--proof is about who wins: it needs the edges, without --within")
    if question.is_settled:  # the explanation may know more than the analysis
        MEMORY.keep_win(source.position, question.color, None)
    analysis = begin_analysis(options, source.position, search=SEARCH_SECONDS)
    shared.write_proof(analysis, path, options, shared.SOLVE_INSTEAD)


def _line(source: InputSource, question: Question, moves: tuple[str, ...]) -> list[StrategyState]:
    """Return the states of a line of play, from its start; empty without moves."""
    cells = [_intrusion(source, question, name, moves[:n]) for n, name in enumerate(moves)]
    if not cells or question.connection is None:
        return []
    line = [follow(question.position, question.color, question.connection)]
    with source.blamed():
        for cell in cells:
            line.append(line[-1].intrude(cell))
    return line


def _intrusions(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all intrusions; a text may contain several.

    Raise BadParameter if a text names none.
    """
    names = [text.replace(",", " ").split() for text in texts]
    if not all(names):
        raise click.BadParameter("no cells", param_hint="--intrude")
    return tuple(chain.from_iterable(names))


def _intrusion(
    source: InputSource, question: Question, name: str, before: tuple[str, ...] = ()
) -> Cell:
    """Return the cell of an intrusion.

    Raise InputError if it is not in the carrier, or is one of `before`.
    """
    board = source.position.board
    with source.blamed():
        cell = board.cell(name)
    connection = question.connection
    if connection is None:
        raise source.error(f"{name!r} is in no carrier: there is no connection")
    if not connection.carrier[cell]:
        cells = board.text(connection.carrier) or "it is empty"
        survives = source.position.empty[cell]
        more = ", so the connection survives it; the carrier" if survives else ""
        raise source.error(f"{name!r} is not in the carrier{more}: {cells}")
    if cell in map(board.cell, before):
        raise source.error(f"{name!r} twice")
    return cell


def _tell(
    source: InputSource,
    question: Question,
    why: Explanation | None,
    lack: Missing | None,
    next_command: str | None,
    output: Output,
) -> None:
    """Print a board and an explanation for people, and the command to continue with."""
    marks = Marks(last=source.last, ends=question.ends)
    if why is not None:
        marks = words.overview(why, source.last)
    elif lack is not None:
        marks = Marks(shade=lack.region, ends=question.ends, last=source.last)
    labels = () if why is None else filter(None, [words.explain_numbers(why)])
    sentences = (source.caption, *labels, *answer.statements(question, why, lack))
    output.tell(source.position, marks, sentences, pipe_width=WIDTH)
    if next_command is not None:
        say([f"Next: {next_command}"])


def _next(
    source: InputSource,
    question: Question,
    why: Explanation | None,
    lack: Missing | None,
    options: HSearchOptions,
) -> str | None:
    """Return the command line to continue with, or None."""
    board = source.position.board
    about_winner = _next_about_winner(source, question, lack)
    if about_winner is not None:
        return about_winner
    if lack is not None and question.answer is not None and question.answer.template is not None:
        longer = max(LARGE_SECONDS, 5 * question.answer.seconds)
        return f"{_again(source, question)} --time {longer:g}   let the solver derive it"
    if lack is not None and lack.is_open and question.answer is not None:
        more = f"--time {5 * question.answer.seconds:g}"
        return f"{_again(source, question)} {more}   ask the solver for longer"
    is_bound = not {"M", "K"}.isdisjoint(question.store.counts.limits_bound)
    if lack is not None and lack.is_open and why is None and is_bound:
        return f"{_again(source, question)} {shared.wider(options.limits)}"
    if why is not None and why.replies:
        cell = board.name(why.replies[0][0])
        return f"{_again(source, question)} --intrude {cell}   follow a line of play"
    return None


def _next_about_winner(source: InputSource, question: Question, lack: Missing | None) -> str | None:
    """Return the command line that proves who wins, if the ends are a player's edges; or None."""
    if question.proof is not None and question.proof.is_searched:
        return shared.to_prove(_again(source, question))
    is_game = question.within is None and answer.are_edges(question.store, question.ends)
    if lack is not None and lack.is_open and is_game and shared.is_solvable(source):
        return shared.ask_solver(source)
    return None


def _again(source: InputSource, question: Question) -> str:
    """Return the command line that asks the same question."""
    x, y = question.names
    color = question.color.word
    within = ""
    if question.within is not None:
        within = f" --within {','.join(source.position.board.names(question.within))}"
    return f"{source.again('explain')} --for {color} --between {x} {y}{within}"


def _article(question: Question, why: Explanation | None, lack: Missing | None) -> None:
    """Print the explanation for HexWiki, with a tag for each picture."""
    if why is None:
        tag = tags.write(question.position, carrier=lack.region if lack else None)
        click.echo("\n\n".join((tag, *answer.statements(question, why, lack))))
        return
    lines = [words.whole_tag(why)]
    if lack is not None:
        lines += words.shortfall(lack, question.position, question.color, question.names)
    lines.append("\n* ".join(words.summary(why)))
    if why.arguments:
        lines.append(words.GUIDE)
    for argument in why.arguments:
        lines.append(f"'''{words.heading(why, argument)}'''")
        lines.append(words.argument_tag(why, argument))
        lines.append("\n".join(f"* {case}" for case in words.cases(why, argument)))
    click.echo("\n\n".join(lines))


def _play(
    source: InputSource, question: Question, line: list[StrategyState], screen: Screen
) -> None:
    """Print a line of play; on a terminal, ask for intrusions until the carrier is empty."""
    start, *steps = line
    say(
        [words.start_of_play(start, question.names), *map(words.line_of_play, steps)],
        pipe_width=WIDTH,
    )
    state = line[-1]
    _board(state, screen)
    while is_interactive() and state.carrier.any():
        name = _next_name()
        if not name:
            return
        try:
            cell = _intrusion(source, question, name)
            with source.blamed():
                state = state.intrude(cell)
        except InputError as error:
            click.echo(error.message)
            continue
        say([words.line_of_play(state)], pipe_width=WIDTH)
        _board(state, screen)


def _next_name() -> str:
    """Read the next intrusion; return "" at the end of the input. Ctrl-C ends the command."""
    click.echo("Next intrusion (Enter ends): ", nl=False)
    try:
        return input().strip()
    except EOFError:
        click.echo()
        return ""


def _board(state: StrategyState, screen: Screen) -> None:
    marks = Marks(shade=state.carrier, ends=state.connection.ends, last=state.reply)
    screen.show(state.on_board, marks)


def is_interactive() -> bool:
    """Return whether both stdin and stdout are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and stdout_is_terminal()
