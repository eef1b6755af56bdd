"""The answer about a position, which every host gives: in sentences, as JSON, as marks on a board.

`PositionAnswer` composes it. The command line, GTP, the page, the terminal and Python read it, and
write no sentence about a position of their own; a host may leave out parts, and the page adds what
its marks mean.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hsearch.analysis import analysis as connections
from hsearch.analysis.circuit import HEXY
from hsearch.hex import Cell, Color
from hsearch.hex.position import winning_chain
from hsearch.render import svg
from hsearch.render import text as lines
from hsearch.version import __version__
from player.answers import candidates, connection, memory, moves, mustplay, solved
from player.answers.analysis import AnalysesByTurn, Analysis
from player.answers.circuit import weakest_links
from player.answers.limits import options_object
from player.answers.objects import for_either, number, position_object
from player.search.chances import BestMoves

# The parts of an answer, in the order in which every host gives them.
SWAP, VERDICT, CARRIER, ESTIMATE, MUSTPLAY = "swap", "verdict", "carrier", "estimate", "mustplay"
WEAKEST, EVALUATION, COUNTS = "weakest", "evaluation", "counts"
PARTS = (SWAP, VERDICT, CARRIER, ESTIMATE, MUSTPLAY, WEAKEST, EVALUATION, COUNTS)


@dataclass(frozen=True, slots=True, eq=False)
class PositionAnswer:
    """The answer about a position: who wins, why, the chance, where to play, what is best.

    analyses   the analysis for each player who may be to move
    best       the moves that a search has found, by the player to move
    condition  words before each sentence that holds only on it, such as "If turns alternate: ";
               empty for the condition that nobody swaps, where a swap may follow
    """

    analyses: AnalysesByTurn
    best: Mapping[Color, BestMoves] = field(default_factory=dict)
    condition: str = ""

    @classmethod
    def of(cls, analysis: Analysis, *, condition: str = "") -> "PositionAnswer":
        """Return the answer about a position whose player to move is known."""
        return cls({analysis.position.turn: analysis}, condition=condition)

    @property
    def analysis(self) -> Analysis:
        """The analysis for the first player who may be to move."""
        return next(iter(self.analyses.values()))

    @property
    def winner(self) -> Color | None:
        """Who wins with any possible player to move; None if that differs or is open."""
        winners = {analysis.winner for analysis in self.analyses.values()}
        return winners.pop() if len(winners) == 1 else None

    @property
    def has_turn(self) -> bool:
        """Whether the player to move is known, or does not matter because the game is over."""
        return len(self.analyses) == 1 or self.analysis.chain is not None

    # Sentences.

    def sentences(
        self, *, but: Collection[str] = (CARRIER,), is_marked: bool = False
    ) -> Iterator[str]:
        """Yield the answer `but` for some of `PARTS`.

        `is_marked` is whether a board beside it has the marks of `marks`.
        """
        parts = [part for part in PARTS if part not in but]
        if not self.has_turn:
            for turn, analysis in self.analyses.items():
                yield f"If {turn.title} is to move: {self._of_turn(analysis, parts)}"
            parts = [part for part in parts if part in {WEAKEST, EVALUATION, COUNTS}]
        for part in parts:
            if sentence := self.sentence(part, is_marked=is_marked):
                yield sentence

    def _of_turn(self, analysis: Analysis, parts: Collection[str]) -> str:
        """Return in one sentence what depends on who is to move."""
        answer = PositionAnswer.of(analysis)
        wanted = [VERDICT, ESTIMATE] + [MUSTPLAY] * (analysis.winner is None)
        return " ".join(filter(None, (answer.sentence(part) for part in wanted if part in parts)))

    def sentence(self, part: str, *, is_marked: bool = False) -> str:
        """Return one of `PARTS` for the first player to move; empty if there is nothing to say."""
        analysis, is_open = self.analysis, self.analysis.chain is None
        is_before_swap = len(self.analyses) == 1 and bool(solved.unless_swapped(analysis))
        text = ""
        if part == SWAP and is_before_swap:
            return solved.advice_before_swap(analysis.position)
        if part == VERDICT:
            text = solved.verdict(analysis, is_shown=is_marked)
        elif part == CARRIER and (proof := solved.proof_of(analysis)) is not None:
            return f"It needs {analysis.position.board.text(proof.carrier)}."
        elif part == ESTIMATE:
            text = solved.estimate(analysis)
        elif part == MUSTPLAY and is_open:
            text = mustplay.mustplay_sentence(analysis, is_marked=is_marked)
        elif part == WEAKEST and is_open:
            return _weakest(analysis)
        elif part == EVALUATION:
            return _evaluation(analysis, is_proved=self._is_proved)
        elif part == COUNTS:
            return _counts(analysis)
        return text and self._unless + text

    @property
    def _unless(self) -> str:
        """The condition on which the sentences hold; empty if there is none."""
        swap = solved.unless_swapped(self.analysis) if len(self.analyses) == 1 else ""
        return self.condition or swap

    @property
    def _is_proved(self) -> bool:
        """Whether a proof, and not the record alone, says who wins."""
        is_ended = self.analysis.ended is not None
        return self.winner is not None and not (is_ended and self.analysis.standing is None)

    def brief(self) -> Iterator[str]:
        """Yield the answer without numbers; weak links only where the board shows them."""
        left_out = (CARRIER, EVALUATION, COUNTS) + (WEAKEST,) * (self.winner is not None)
        yield from self.sentences(but=left_out, is_marked=True)

    def move_sentences(self, turn: Color, best: BestMoves) -> Iterator[str]:
        """Yield the chance by the search that found the best moves, then the moves."""
        if said := PositionAnswer.of(self.analyses[turn]).sentence(ESTIMATE):
            yield said
        yield from moves.statements(best)

    # JSON.

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as a JSON object, with an answer for each possible player to move."""
        analysis, analyses = self.analysis, self.analyses
        board, circuits = analysis.position.board, analysis.circuits
        by_turn = {
            turn: {
                **solved.winner_object(each),
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
            "outcome": solved.outcome_object(analysis.ended),
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

    def best_json(self, player: str | None) -> dict[str, Any]:
        """Return the best moves as JSON: those that `player` found, else those known to win."""
        by_turn = {
            turn.word: moves.best_object(self.best.get(turn) or candidates.winning_moves(each))
            for turn, each in self.analyses.items()
        }
        return {"player": player, "by_turn": by_turn}

    def page_json(self, change: str = "", *, turns: str = "") -> dict[str, Any]:
        """Return the answer for the page, with how the last move changed it.

        `turns` is what the page says of a game in which turns do not alternate.
        The winner by the record is a result: `proved`, `connection` and the sentence about the
        proof are of the position, however the game ended.
        """
        analysis = self.analysis
        board, standing = analysis.position.board, analysis.standing
        proof = None if standing is None else standing.connection
        unless, plain = self._unless, solved.plain_proof(analysis)
        return {
            "analysis": self.to_json(),
            "mustplay": mustplay.mustplay_object(self.analyses),
            "proved": None
            if standing is None
            else {
                "winner": standing.winner.word,
                "kind": standing.kind,
                "move": None if standing.move is None else board.name(standing.move),
            },
            "connection": None
            if standing is None or proof is None
            else connection.connection_object(standing.winner, proof, board),
            "chain": list(map(board.name, winning_chain(analysis.position))),
            "chance": round(analysis.chance.black, 4),
            "candidates": moves.page_moves(candidates.winning_moves(analysis)),
            "said": {
                "verdict": self.sentence(VERDICT),
                "result": solved.result(analysis),
                "proof": plain and unless + plain,
                "unless": unless,
                "turns": turns,
                "swap": self.sentence(SWAP),
                "estimate": self.sentence(ESTIMATE),
                "mustplay": self.sentence(MUSTPLAY),
                "cells": mustplay.cell_statements(analysis),
                "change": change and unless + change,
                "more": [*filter(None, map(self.sentence, (WEAKEST, EVALUATION, COUNTS)))],
            },
        }

    def graph_json(self) -> dict[str, Any]:
        """Return who is proved to win and Black's chance for the page's graph of a game."""
        standing, chance = self.analysis.standing, self.analysis.chance
        return {
            "winner": None if standing is None else standing.winner.word,
            "proof": None if standing is None else standing.kind,
            "chance": round(chance.black, 4),
            "chance_by": chance.by,
        }

    # Marks on a board.

    def marks(self, last: Cell | None) -> lines.Marks:
        """Return the marks of a board on a terminal.

        Mark the carrier of the proof; if there is none, the must-play region and the numbered
        weakest links. If the turn is unknown, mark no region, and a proof only if it holds for
        either turn.
        """
        analysis = self.analysis
        if self.winner is not None:
            return connection.connection_marks(solved.proof_of(analysis), last)
        is_forced = len(self.analyses) == 1 and analysis.mustplay.is_forced
        region = analysis.mustplay.cells if is_forced else None
        links = enumerate(weakest_links(analysis.circuits), start=1)
        labels = {cell: str(place) for place, (cell, _) in links}
        return lines.Marks(shade=region, shade_as="must-play", last=last, labels=labels)

    def picture_marks(self, last: Cell | None) -> lines.Marks:
        """Return the marks of a picture: the proof, or else all weak links by strength."""
        analysis = self.analysis
        if self.winner is not None:
            return connection.connection_marks(solved.proof_of(analysis), last)
        weakest = weakest_links(analysis.circuits)
        return lines.Marks(
            last=last,
            heat=dict(analysis.circuits.weak_links),
            heat_as="weak link: current in both circuits",
            labels={cell: f"{flow:.2f}" for cell, flow in weakest if flow >= 0.005},
        )

    @property
    def subject(self) -> str:
        """The title of a picture."""
        analysis, winner = self.analysis, self.winner
        proof = analysis.proved
        if winner is None or proof is None:
            chance = f"; estimated chance: {analysis.chance}" * (len(self.analyses) == 1)
            return f"weak links{chance}"
        if proof.by is memory.Source.CHAIN or analysis.ended is not None:
            return f"{winner.title} has won"
        return f"{winner.title} wins by {proof.words}"


# The sentences of the parts.

WIRED_AS = {
    HEXY: "wired as HEXY's",
    "six": "wired as Six's",
    "benzene": "wired as benzene's",
    "none": "with wires between neighbors alone",
}


def _evaluation(analysis: Analysis, *, is_proved: bool) -> str:
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


def _weakest(analysis: Analysis) -> str:
    """Return the weakest links, numbered as in `PositionAnswer.marks`."""
    links = [
        f"{place} {analysis.position.board.name(cell)} {flow:.2f}"
        for place, (cell, flow) in enumerate(weakest_links(analysis.circuits), start=1)
    ]
    return f"Weakest links: {', '.join(links)}." if links else "Weakest links: no current flows."


def _counts(analysis: Analysis) -> str:
    """Return how many connections there are, and whether that is all of them."""
    counts = "; ".join(
        f"{color.title} {store.counts.full} full and {store.counts.semi} semi"
        for color, store in analysis.stores.items()
    )
    limits = analysis.options.limits
    if analysis.is_late:
        why = f"the search was not finished in {analysis.options.seconds:g} s"
    elif analysis.complete:
        return f"Connections: {counts}: all that the rules derive."
    elif limits.shrinking:
        why = "of a pair those are kept that share fewer cells"
    else:
        why = f"up to the limits M={limits.M}, K={limits.K}"
    return f"Connections: {counts} ({why}: there may be more)."


# How a move changed the proof.


def change(before: Analysis, after: Analysis, cell: Cell) -> str:
    """Return how a move changed what is proved; empty if nothing was or is proved."""
    mover, name = before.position.turn, before.position.board.name
    own, other = mover.title, mover.opponent.title
    if before.winner is mover.opponent:
        lost = f" {name(cell)} loses: {other} is proved to win." * (after.winner is before.winner)
        missed = f"{own} would have won by the swap.{lost}"
        still = f"{own} was proved to lose before {name(cell)}, and still is."
        return missed if before.before_swap else still
    if after.winner is mover:
        if before.winner is mover:
            return f"{name(cell)} keeps {own}'s proof."
        return f"{name(cell)} wins: {own}'s proof is new."
    if after.winner is mover.opponent:
        had = f"{own} had a proof. " if before.winner is mover else ""
        return f"{had}{name(cell)} loses: {other} is proved to win."
    if before.winner is mover:
        return f"{own}'s proof is gone{_saving_move(before)}; who wins now is not proved."
    return ""


def _saving_move(before: Analysis) -> str:
    """Return which move would have kept the proof, if it starts with a move."""
    proof = before.proved
    if proof is None or proof.move is None:
        return ""
    return f": {before.position.board.name(proof.move)} kept it"


# What `print` and notebooks show of an analysis (`hsearch.hex.face.Pictured`).


def text(view: connections.ConnectionAnalysis) -> str:
    """Return the board, who is proved to win, and where to play if the game is not over."""
    answer = PositionAnswer.of(Analysis.of(view))
    board = lines.plain(lines.board(answer.analysis.position, answer.marks(None)))
    return "\n".join((f"{board}\n", *answer.brief()))


def picture(view: connections.ConnectionAnalysis) -> str:
    """Return the picture that `hsearch analyze --svg` writes."""
    answer = PositionAnswer.of(Analysis.of(view))
    position, marks = answer.analysis.position, answer.picture_marks(None)
    return svg.write(position, marks, title=answer.subject)
