"""Examination of a shape as a template, and its state as a word to resume from."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from hsearch.connect import Connection, Depth, Limits, exhaustive
from hsearch.connect.deduction import Deduction
from hsearch.connect.library import Template
from hsearch.hex import Cell, CellSet
from hsearch.hex.face import expect_range

# Examination of a shape as a template: does it hold, by which rules, is each cell needed?
#
# A derivation is sought first: by H-search, then by must-play deduction with as few
# levels of replies as possible. If there is none, a solver decides, or complete play
# where there is no solver or it has no answer. They also decide whether a cell is
# needed, by examining the carrier without it; a cell that the derivation does not use
# is not.


@dataclass(frozen=True, slots=True)
class CarrierVerdict:
    """Verdict of a solver on a carrier.

    joined      whether the stone is joined to the edge if the opponent moves first
    connection  its derivation, if it does and one was found
    cut         a first move of the opponent that cuts, if it does not
    """

    joined: bool
    connection: Connection | None = None
    cut: Cell | None = None


_LINE = 24  # most cells in which complete play, not the solver, shows how the stone is cut off
MOST_SEARCHES = 2000  # H-searches of one derivation
MOST_PLAYED = 30  # most cells played out if the solver has no answer; each may double the work

# Returns the solver's verdict on a carrier of the template; None if it has no answer.
CarrierJudge: TypeAlias = Callable[[CellSet], CarrierVerdict | None]


@dataclass(slots=True)
class TemplateVerdict:
    """Verdict on a template so far.

    intrusions   the first moves of the opponent still to be played out
    omissions    cells that may or may not be superfluous
    valid        whether the stone is joined to the edge; None if that is open
    connection   its derivation; None if neither rules nor solver have one
    replies      how deep must-play deduction went for it; 0 is H-search alone, None
                 the solver or complete play
    by_solver    whether the solver proved it
    refutation   if it does not hold, a line of play that shows it, or its first move
    superfluous  cells that can be left out one at a time: it holds without any one of them
    suffices     if there are any, a smaller carrier in which it holds
    is_beyond    whether the solver had no answer, and the carrier is too large to play out
    searches     how many H-searches were made
    positions    how many positions were visited in complete play
    """

    intrusions: list[Cell]
    omissions: list[Cell]
    valid: bool | None = None
    connection: Connection | None = None
    replies: int | None = None
    by_solver: bool = False
    refutation: tuple[exhaustive.ColoredMove, ...] = ()
    superfluous: list[Cell] = field(default_factory=list)
    suffices: CellSet | None = None
    is_beyond: bool = False
    searches: int = 0
    positions: int = 0

    @property
    def is_decided(self) -> bool:
        """Whether the examination is complete."""
        return self.valid is False or (self.valid is True and not self.omissions)

    @property
    def minimal(self) -> bool | None:
        """Whether each cell is needed; None if that is open, or there is no template."""
        if self.superfluous:
            return False
        return True if self.valid and not self.omissions else None


class Examination:
    """The examination of one template, in steps.

    Holds state: `verdict` is true at any time, so the work may stop at any time.
    """

    def __init__(
        self, template: Template, *, budget: int | None = None, ask: CarrierJudge | None = None
    ) -> None:
        """Prepare. The `budget` bounds how many positions complete play may visit.

        A solver to `ask` comes before it. Raise ValueError when the budget is less than 1.
        """
        if budget is not None:
            expect_range("budget", budget, 1)
        self.template = template
        self.budget = budget
        self._ask = ask
        cells = list(template.carrier.search(1))
        self.verdict = TemplateVerdict(cells, list(cells))

    @cached_property
    def game(self) -> exhaustive.JoinGame:
        """The game of joining the ends. Raise ValueError when the carrier is too large."""
        template = self.template
        return exhaustive.JoinGame(template.alone, template.color, template.ends, template.carrier)

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up, or the rest is too large to play out."""
        is_used_up = self.budget is not None and self.verdict.positions >= self.budget
        return self.verdict.is_beyond or is_used_up

    def derive(self, depths: int = 2) -> None:
        """Look for a derivation with at most this many levels of replies.

        H-search alone is tried under both kinds of limits: M drops connections that
        long ladders need, and shrinking intersections keep them.
        """
        verdict, template = self.verdict, self.template
        usual = Limits(templates=False)
        ways = [(0, usual), (0, replace(usual, shrinking=True))]
        for replies, limit in (*ways, *((n, usual) for n in range(1, depths + 1))):
            depth = Depth(replies, MOST_SEARCHES)
            deduction = Deduction(template.color, depth, limit)
            full = deduction.full(template.alone, *template.ends)
            verdict.searches += deduction.searches
            if full is not None:
                verdict.valid, verdict.connection, verdict.replies = True, full, replies
                verdict.intrusions = []
                self._drop(full.carrier)
                return

    def play_out(self) -> None:
        """Play out the opponent's next first move, or the carrier without the next cell.

        The solver comes first; if it has no answer, a large carrier is not played out.
        Raise ValueError when the carrier is too large for complete play.
        """
        if self._ask is not None:
            if self._ask_solver(self._ask):
                return
            if self.template.carrier.count() > MOST_PLAYED:
                self.verdict.is_beyond = True
                return
        if self.verdict.valid is None:
            self._intrude()
        elif not self.verdict.is_decided:
            self._omit()
        self.verdict.positions = self.game.nodes

    def _ask_solver(self, ask: CarrierJudge) -> bool:
        """Ask the solver whether the template holds, or whether it holds without the next cell.

        Return whether it had an answer.
        """
        verdict, carrier = self.verdict, self.template.carrier
        if verdict.valid is None:
            answer = ask(carrier)
            if answer is None or (answer.joined and answer.connection is None):
                return False
            if not answer.joined and carrier.count() <= _LINE:
                return False
            verdict.valid, verdict.connection, verdict.intrusions = answer.joined, None, []
            verdict.by_solver = answer.joined
            if answer.connection is not None:
                verdict.connection = answer.connection
                self._drop(answer.connection.carrier)
            elif answer.cut is not None:
                verdict.refutation = ((self.template.color.opponent, answer.cut),)
            return True
        cell = verdict.omissions[0]
        answer = ask(carrier & ~self.template.position.board.only(cell))
        if answer is None or (answer.joined and answer.connection is None):
            return False
        if answer.connection is not None:
            self._drop(answer.connection.carrier)
        else:
            verdict.omissions = verdict.omissions[1:]
        return True

    def run(self) -> TemplateVerdict:
        """Examine until the verdict is complete or the budget is spent. Return the verdict."""
        if self.verdict.valid is None:
            self.derive()
        while not self.verdict.is_decided and not self.is_spent:
            self.play_out()
        return self.verdict

    def _intrude(self) -> None:
        verdict, carrier = self.verdict, self.template.carrier
        cell = verdict.intrusions[0]
        rest = carrier & ~self.template.position.board.only(cell)
        outcome = self.game.play(rest, opponent_first=False, budget=self._remaining_budget)
        if outcome.joined is None:
            return
        if not outcome.joined:
            verdict.refutation = self.game.refutation(cell)
            verdict.valid = False
            return
        # Intrusions outside the cells of this answer are answered by it, too.
        verdict.intrusions = [i for i in verdict.intrusions if outcome.cells[i]]
        if not verdict.intrusions:
            verdict.valid = True

    def _omit(self) -> None:
        verdict, carrier = self.verdict, self.template.carrier
        cell = verdict.omissions[0]
        rest = carrier & ~self.template.position.board.only(cell)
        outcome = self.game.play(rest, budget=self._remaining_budget)
        if outcome.joined is None:
            return
        if outcome.joined:
            self._drop(outcome.cells)
        else:
            verdict.omissions = verdict.omissions[1:]

    def _drop(self, carrier: CellSet) -> None:
        """Record a carrier that suffices: each single cell outside it is superfluous."""
        verdict = self.verdict
        smallest = self.template.carrier if verdict.suffices is None else verdict.suffices
        if carrier.count() < smallest.count():
            verdict.suffices = carrier
        useless = [cell for cell in verdict.omissions if not carrier[cell]]
        verdict.superfluous = sorted({*verdict.superfluous, *useless})
        verdict.omissions = [cell for cell in verdict.omissions if carrier[cell]]

    @property
    def _remaining_budget(self) -> int | None:
        return None if self.budget is None else max(0, self.budget - self.game.nodes)


# The state of an examination that has stopped, as one word to resume from.
#
# It holds the question in work, the cells still to be tried, the superfluous cells,
# those that suffice, and how the template was proved: the depth of deduction, `s`
# for the solver, or nothing for complete play. A mark at the end binds it to the
# template, so that it proves no other one::
#
#     minimal:d3,b4:e3,f3:d3,b4,c4,d4:0:5f0c2a91

VALID, MINIMAL = "valid", "minimal"
BY_SOLVER = "s"
FIELDS = 6
MARK = 8  # digits


class PlaceError(ValueError):
    """A word that was not written by an examination of the template."""


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """State of an examination that has stopped.

    stage        the question in work: `valid` or `minimal`
    remaining    the cells still to be tried for it
    superfluous  the superfluous cells so far
    suffices     a smaller carrier that suffices, or nothing
    replies      how deep deduction went; None if the solver or complete play proved it
    by_solver    whether the solver proved it
    """

    stage: str
    remaining: CellSet
    superfluous: CellSet
    suffices: CellSet
    replies: int | None
    by_solver: bool

    def resume(self, examination: Examination) -> None:
        """Bring a new examination of the same template to where this one stopped."""
        verdict = examination.verdict
        if self.stage == VALID:
            verdict.intrusions = list(self.remaining.search(1))
            return
        if self.replies is not None:
            examination.derive(self.replies)
        verdict.valid, verdict.by_solver, verdict.intrusions = True, self.by_solver, []
        verdict.omissions = list(self.remaining.search(1))
        verdict.superfluous = list(self.superfluous.search(1))
        verdict.suffices = self.suffices if self.suffices.any() else None


def write(examination: Examination) -> str | None:
    """Return the state of an examination as a word; None if it is complete."""
    verdict, board = examination.verdict, examination.template.position.board
    if verdict.is_decided:
        return None
    is_open = verdict.valid is None
    sets = (
        board.only(*(verdict.intrusions if is_open else verdict.omissions)),
        board.only(*verdict.superfluous),
        verdict.suffices or board.only(),
    )
    words = [VALID if is_open else MINIMAL, *(",".join(board.names(cells)) for cells in sets)]
    by_other = BY_SOLVER if verdict.by_solver else ""
    words.append(by_other if verdict.replies is None else str(verdict.replies))
    return ":".join((*words, _mark(examination.template, words)))


def read(template: Template, place: str) -> ResumePoint:
    """Return the state in a word; raise PlaceError if it was not written for this template."""
    words = place.split(":")
    if len(words) != FIELDS or words[-1] != _mark(template, words[:-1]):
        raise PlaceError(f"{place!r} is not a place that a check of this template has printed")
    stage, *names, replies, _ = words
    remaining, superfluous, suffices = (
        template.position.board.named(cells.replace(",", " ")) for cells in names
    )
    depth = None if replies in {"", BY_SOLVER} else int(replies)
    return ResumePoint(stage, remaining, superfluous, suffices, depth, replies == BY_SOLVER)


def _mark(template: Template, words: list[str]) -> str:
    board, position = template.position.board, template.position
    sets = (position.black, position.white, template.carrier)
    ends = map(board.name, template.ends)
    whole = [str(board), *ends, *words]
    whole += [board.text(cells) for cells in sets]
    return hashlib.sha256("/".join(whole).encode()).hexdigest()[:MARK]
