"""An analysis as a JSON object, in sentences, and as marks on a board."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from hsearch.analysis import analysis as connections
from hsearch.analysis.circuit import HEXY
from hsearch.connect.connection import Connection
from hsearch.hex.board import Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Outcome
from hsearch.hex.position import Position
from hsearch.render import svg
from hsearch.render import text as lines
from hsearch.render.text import Marks, numbered
from hsearch.strategy.words import claim
from hsearch.version import __version__
from player.answers.circuit import weakest_links
from player.answers.connection import connection_marks
from player.answers.knowledge import Analysis
from player.answers.limits import options_object
from player.answers.memory import Proved, Source, proved_by_moves
from player.answers.objects import for_either, number, position_object, word
from player.evaluate.chance import per_cent
from player.search.chances import Chance
from player.search.openings import first_move, wants_swap
from player.search.tree import Candidate, TreeFindings
from player.solve.solver import UNLESS_SWAPPED
from player.variants.plain import swap_to_come


def analysis_object(analyses: "AnalysesByTurn") -> dict[str, Any]:
    """Return an analysis as a JSON object, with an answer for each player who may be to move."""
    analysis = next(iter(analyses.values()))
    board, circuits = analysis.position.board, analysis.circuits
    by_turn = {
        turn: {
            **winner_object(each),
            "chance": number(each.chance.of(turn)),
            "chance_by": each.chance.by,
            "winning_move": None
            if each.proved is None or each.proved.move is None
            else board.name(each.proved.move),
            "edge_to_edge": {color.word: each.edge_to_edge(color) for color in Color},
            "mustplay": board.names(each.mustplay.cells),
        }
        for turn, each in analyses.items()
    }
    return {
        "schema": "hsearch/analysis/1",
        "engine": {"name": "hsearch", "version": __version__},
        "position": position_object(analysis.position, turn_is_known=len(analyses) == 1),
        "limits": options_object(analysis.options, complete=analysis.complete),
        "solver": analysis.search,
        "outcome": outcome_object(analysis.ended),
        "before_swap": analysis.before_swap,
        **for_either(by_turn),
        "counts": {
            color.word: {"full": store.counts.full, "semi": store.counts.semi}
            for color, store in analysis.stores.items()
        },
        "circuit": {
            "links": analysis.links,
            "black": number(circuits.black.resistance),
            "white": number(circuits.white.resistance),
            "evaluation": number(circuits.evaluation),
        },
        "moves": [
            {"cell": board.name(cell), "weak_link": number(flow)}
            for cell, flow in circuits.weak_links
        ],
        "seconds": {name: number(seconds) for name, seconds in analysis.seconds.items()},
    }


def winner_object(analysis: Analysis) -> dict[str, str | None]:
    """Return who has won or is proved to win, and how; then the same for the position alone.

    The two differ when a player gave up in a position that was not lost.
    """
    standing = analysis.standing
    return {
        "winner": word(analysis.winner),
        "proof": analysis.proof,
        "proved_winner": None if standing is None else standing.winner.word,
        "proved_by": None if standing is None else standing.kind,
    }


def outcome_object(ended: Outcome | None) -> dict[str, str | None] | None:
    """Return the winner by the record, and how, as a JSON object; None if the game is open."""
    if ended is None:
        return None
    by = None if ended.ending is None else ended.ending.name.lower()
    return {"winner": ended.winner.word, "by": by}


# An analysis in words, and the marks of its picture.
#
# "Proved" is reserved for what H-search or the solver proves. What the net or the
# circuits compute is always called an estimate.

AnalysesByTurn: TypeAlias = Mapping[Color, Analysis]  # by the player to move
WIRED_AS = {
    HEXY: "wired as HEXY's",
    "six": "wired as Six's",
    "benzene": "wired as benzene's",
    "none": "with wires between neighbors alone",
}


def proof_of(analysis: Analysis) -> Connection | None:
    """Return the connection that proves who wins; None if a chain does, or nothing does.

    Return None also if the record's winner is not the player who owns the connection.
    """
    standing = analysis.standing
    return (
        None if standing is None or standing.winner is not analysis.winner else standing.connection
    )


def marks(analyses: AnalysesByTurn, last: Cell | None) -> Marks:
    """Return the marks of a board on a terminal.

    Mark the carrier of the proof; if there is none, the must-play region and the numbered
    weakest links. If the turn is unknown, mark no region, and a proof only if it holds for
    either turn.
    """
    analysis = next(iter(analyses.values()))
    if winner_of(analyses) is not None:
        return connection_marks(proof_of(analysis), last)
    is_forced = len(analyses) == 1 and analysis.mustplay.is_forced
    region = analysis.mustplay.cells if is_forced else None
    links = enumerate(weakest_links(analysis.circuits), start=1)
    labels = {cell: str(place) for place, (cell, _) in links}
    return Marks(shaded=region, shaded_as="must-play", last=last, labels=labels)


def picture_marks(analyses: AnalysesByTurn, last: Cell | None) -> Marks:
    """Return the marks of a picture: the proof, or else all weak links by strength."""
    analysis = next(iter(analyses.values()))
    if winner_of(analyses) is not None:
        return connection_marks(proof_of(analysis), last)
    heat = dict(analysis.circuits.weak_links)
    return Marks(
        last=last,
        heat=heat,
        heat_as="weak link: current in both circuits",
        labels={
            cell: f"{flow:.2f}" for cell, flow in weakest_links(analysis.circuits) if flow >= 0.005
        },
    )


def subject(analyses: AnalysesByTurn) -> str:
    """Return the title of a picture."""
    analysis, won = next(iter(analyses.values())), winner_of(analyses)
    proved = analysis.proved
    if won is None or proved is None:
        return "weak links" + (f"; estimated chance: {analysis.chance}" * (len(analyses) == 1))
    if proved.by is Source.CHAIN or analysis.ended is not None:
        return f"{won.title} has won"
    return f"{won.title} wins by {proved.words}"


def winner_of(analyses: AnalysesByTurn) -> Color | None:
    """Return who wins with any possible player to move; None if that differs or is open."""
    winners = {analysis.winner for analysis in analyses.values()}
    return winners.pop() if len(winners) == 1 else None


def statements(
    analyses: AnalysesByTurn, searched: Mapping[Color, Color], *, estimates: bool = True
) -> Iterator[str]:
    """Yield all that is known: proofs, chances, where to play, weak links, E, counts.

    `searched` gives the winner that a search proved, by the player to move.
    """
    analysis, won = next(iter(analyses.values())), winner_of(analyses)
    unless = unless_swapped(analysis) if len(analyses) == 1 else ""
    if unless:
        yield _advice(analysis.position)
    if len(analyses) == 1 or analysis.chain is not None:
        verdicts = _of_turn(analysis, searched, is_shown=True, estimates=estimates)
        yield from (unless + sentence for sentence in verdicts)
    else:
        for color, each in analyses.items():
            more = f" {mustplay(each, is_shown=False)}" if each.winner is None else ""
            known = " ".join(_of_turn(each, searched, is_shown=False, estimates=estimates))
            yield f"If {color.title} is to move: {known}{more}"
    if analysis.chain is None:
        if len(analyses) == 1:
            yield unless + mustplay(analysis)
        yield weakest(analysis)
    is_proved = won is not None and (analysis.ended is None or analysis.standing is not None)
    yield technical(analysis, is_proved=is_proved or bool(searched))
    yield counted(analysis)


def _of_turn(
    analysis: Analysis, searched: Mapping[Color, Color], *, is_shown: bool, estimates: bool
) -> Iterator[str]:
    """Yield who is proved to win, or else the verdict and the chances."""
    won = searched.get(analysis.position.turn)
    if analysis.winner is None and won is not None:
        yield proved_by_search(won)
        return
    yield verdict(analysis, is_shown=is_shown)
    if estimates and analysis.winner is None:
        yield estimate(analysis)


def verdict(analysis: Analysis, *, is_shown: bool = True) -> str:
    """Return who has won or is proved to win; `is_shown` if a board beside it marks the proof."""
    standing, said = analysis.standing, result(analysis)
    if said and standing is None:
        return f"{said}."
    if standing is None:
        return "Who wins is unknown: H-search finds no connection that joins a player's edges."
    is_shown = is_shown and standing.winner is analysis.winner
    proof = _proof(analysis, standing, is_shown=is_shown)
    return f"{said}. {proof}" if said else proof


def result(analysis: Analysis) -> str:
    """Return who has won by the record, without a full stop; empty while the game is open.

    A record proves nothing. Return nothing if a chain decides: that is a proof.
    """
    ended = analysis.ended
    if ended is None or analysis.chain is not None:
        return ""
    return _ended(ended) + ": the record says so" * (ended.ending is None)


def result_of(game: Game) -> str:
    """Return who has won by a record; else its result as written, or an empty string."""
    ended = game.outcome
    return game.result or "" if ended is None else _ended(ended)


def _ended(ended: Outcome) -> str:
    won, ending = ended.winner, ended.ending
    return f"{won.title} has won" + (f": {won.opponent.title} {ending.value}" if ending else "")


def _proof(analysis: Analysis, proved: Proved, *, is_shown: bool) -> str:
    """Return the sentence about a proof."""
    won, board, connection = proved.winner, analysis.position.board, proved.connection
    edges = board.pair(board.edges(won))
    if proved.by is Source.CHAIN:
        return f"{won.title} has won: a chain of stones joins {edges}."
    if connection is None:
        return proved_by_moves(analysis.position, proved)
    cells = f"of {numbered(connection.carrier.count(), 'cell')}{' (*)' * is_shown}"
    if connection.key is None:
        joined = f"{edges} are joined by a full connection {cells}"
        return f"Proved: {won.title} wins, whoever moves: {joined}."
    joined = f"{edges} are joined by a semi connection {cells} that starts at"
    return f"Proved: {won.title}, who is to move, wins: {joined} {board.name(connection.key)}."


def plain_proof(analysis: Analysis) -> str:
    """Return the proof in a sentence without terms of H-search; empty if there is none."""
    standing, proof, board = analysis.standing, proof_of(analysis), analysis.position.board
    if standing is None:
        return ""
    if proof is None:
        return _proof(analysis, standing, is_shown=False)
    edges = map(board.name, board.edges(standing.winner))
    return f"Proved: {claim(standing.winner, proof, board, edges)}"


def proved_by_search(won: Color) -> str:
    """Return the sentence about a winner whom only a search proves."""
    return f"Proved by search: {won.title} wins, though H-search alone finds no connection."


def estimate(analysis: Analysis) -> str:
    """Return the estimated chances of both players; empty once the winner is known."""
    return estimated(analysis.chance) if analysis.chance.is_estimate else ""


def estimated(chance: Chance) -> str:
    """Return estimated chances in a sentence."""
    return f"Estimated chance to win: {chance}."


def technical(analysis: Analysis, *, is_proved: bool) -> str:
    """Return E, the evaluation by the circuits, and how to read it."""
    e = analysis.circuits.evaluation
    wired = "Circuits" if analysis.links == HEXY else f"Circuits, {WIRED_AS[analysis.links]}"
    if math.isinf(e):
        better = Color.BLACK if e < 0 else Color.WHITE
        return f"{wired}: E = {e}, as {better.title}'s edges are joined."
    if is_proved:
        return f"{wired}: E = {e:+z.2f}, an estimate that the proof overrules."
    meaning = "negative favors Black; whose turn it is does not count"
    return f"{wired}: E = {e:+z.2f}, ln of Black's resistance over White's ({meaning})."


def mustplay(analysis: Analysis, *, is_shown: bool = True) -> str:
    """Return where the player to move must play; `is_shown` if a board beside it marks that."""
    position, region = analysis.position, analysis.mustplay
    mover = f"Must-play for {position.turn.title}"
    if region.is_lost:
        return f"{mover}: none, every move loses."
    if not region.is_forced:
        threats = f"no threat of {position.turn.opponent.title}'s"
        return f"{mover}: every empty cell, for {threats} was found."
    names = position.board.text(region.cells)
    count = f"{region.cells.count()} of {numbered(position.empty.count(), 'empty cell')}"
    shown = " (*)" if is_shown and analysis.winner is None else ""
    return f"{mover}{shown}: {names} ({count}); any other move loses."


def weakest(analysis: Analysis) -> str:
    """Return the weakest links, numbered as in `marks`."""
    links = [
        f"{place} {analysis.position.board.name(cell)} {flow:.2f}"
        for place, (cell, flow) in enumerate(weakest_links(analysis.circuits), start=1)
    ]
    return f"Weakest links: {', '.join(links)}." if links else "Weakest links: no current flows."


def counted(analysis: Analysis) -> str:
    """Return how many connections there are, and whether that is all of them."""
    counts = "; ".join(
        f"{color.title} {store.counts.full} full and {store.counts.semi} semi"
        for color, store in analysis.stores.items()
    )
    if analysis.is_late:
        limit = f"{analysis.options.seconds:g} s"
        return f"Connections: {counts} (the search was not finished in {limit}: there may be more)."
    if analysis.complete:
        return f"Connections: {counts}: all that the rules derive."
    if analysis.options.limits.shrinking:
        rule = "of a pair those are kept that share fewer cells"
        return f"Connections: {counts} ({rule}: there may be more)."
    limits = f"M={analysis.options.limits.M}, K={analysis.options.limits.K}"
    return f"Connections: {counts} (up to the limits {limits}: there may be more)."


def unless_swapped(analysis: Analysis) -> str:
    """Return the prefix of sentences before a possible swap, which they ignore; else nothing."""
    return UNLESS_SWAPPED if analysis.before_swap else ""


def before_swap(analysis: Analysis) -> Iterator[str]:
    """Yield the advice of the opening maps on the swap, if one is possible."""
    if analysis.before_swap:
        yield _advice(analysis.position)


def swap_advice(game: Game) -> str:
    """Return the advice of the opening maps on the swap; empty if none is possible."""
    return _advice(game.position()) if swap_to_come(game) else ""


def _advice(position: Position) -> str:
    if not (position.black | position.white).any():
        return f"{position.turn.opponent.title} may swap. {first_move(position, swap=True)[1]}"
    is_wanted, reason = wants_swap(position)
    return f"{position.turn.title} may swap, and should{'' if is_wanted else ' not'}. {reason}"


# The moves that a best-first search examined: which are proved, and the chances of the others.

NAMED = 5  # moves, best first


def looked_at(findings: TreeFindings) -> str:
    """Return the best moves with their chances, and how many others are proved to lose."""
    tried = (it for it in findings.candidates if it.visits or it.winner is not None)
    best = [it for it in tried if not _is_lost(it, findings)][:NAMED]
    lost = sum(_is_lost(it, findings) for it in findings.candidates)
    mover = findings.position.turn.title
    if not best:
        return (
            f"Moves {mover} looked at: {'none' if findings.winner is None else 'all of them lose'}."
        )
    names = ", ".join(f"{findings.position.board.name(it.cell)} {_worth(it)}" for it in best)
    proved = (
        f"; {lost} of {numbered(len(findings.candidates), 'move')} proved to lose" if lost else ""
    )
    earlier = findings.visits - findings.simulations
    beside = f", beside {earlier:,} kept from the moves before," if earlier > 0 else ""
    run, looks = numbered(findings.simulations, "simulation"), numbered(findings.looks, "look")
    work = f"{run}{beside} and {looks} by H-search"
    return (
        f"Moves {mover} looked at, with {mover}'s chance and the number of simulations: "
        f"{names}{proved}. This took {work}."
    )


def _is_lost(candidate: Candidate, findings: TreeFindings) -> bool:
    return candidate.winner is findings.position.turn.opponent


def _worth(candidate: Candidate) -> str:
    if candidate.winner is not None or candidate.chance is None:
        return "(proved win)"
    return f"{per_cent(candidate.chance)} % ({candidate.visits:,})"


# What `print` and notebooks show of an analysis (`hsearch.hex.face.Pictured`).


def text(seen: connections.ConnectionAnalysis, last: Cell | None = None) -> str:
    """Return the board, who is proved to win, and where to play if the game is not over."""
    analysis = Analysis.of(seen)
    analyses = {analysis.position.turn: analysis}
    board = lines.plain(lines.board(analysis.position, marks(analyses, last)))
    unless = unless_swapped(analysis)
    sentences = [*before_swap(analysis), unless + verdict(analysis)]
    if analysis.chance.is_estimate:
        sentences.append(unless + estimate(analysis))
    if analysis.chain is None:
        sentences.append(unless + mustplay(analysis))
    if winner_of(analyses) is None:
        sentences.append(weakest(analysis))  # the board numbers them
    return "\n".join((f"{board}\n", *sentences))


def picture(seen: connections.ConnectionAnalysis) -> str:
    """Return the picture that `hsearch analyze --svg` writes."""
    analysis = Analysis.of(seen)
    analyses = {analysis.position.turn: analysis}
    return svg.write(analysis.position, picture_marks(analyses, None), title=subject(analyses))
