"""The state of an examination that has stopped, as one word to go on from.

It says what is known: whether the template holds and how, what is left to be
tried, the cells found superfluous and those that suffice. A mark at its end
binds it to the template, so that no other one is taken for proved by it::

    minimal:d3,b4:e3,f3:d3,b4,c4,d4:0:5f0c2a91
"""

import hashlib
from dataclasses import dataclass

from hsearch.cells import CellSet
from hsearch.library import Template
from hsearch.template.examination import Examination

VALID, MINIMAL = "valid", "minimal"
FIELDS = 6
MARK = 8  # digits


class PlaceError(ValueError):
    """A word that no examination of the template has written."""


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """Results so far, where an examination had stopped.

    stage        what was being found out
    left         the cells still to be tried for it
    superfluous  the cells found superfluous
    suffices     a smaller carrier that suffices, or nothing
    replies      how deep deduction went to derive it; None by complete play
    """

    stage: str
    left: CellSet
    superfluous: CellSet
    suffices: CellSet
    replies: int | None

    def go_on(self, examination: Examination) -> None:
        """Bring a new examination of the same template to where this one stopped."""
        verdict = examination.verdict
        if self.stage == VALID:
            verdict.intrusions = list(self.left.search(1))
            return
        if self.replies is not None:
            examination.derive(self.replies)
        verdict.valid, verdict.intrusions = True, []
        verdict.untested = list(self.left.search(1))
        verdict.superfluous = list(self.superfluous.search(1))
        verdict.suffices = self.suffices if self.suffices.any() else None


def written(examination: Examination) -> str | None:
    """Return where an examination has stopped; None if all is decided."""
    verdict, board = examination.verdict, examination.template.position.board
    if verdict.is_decided:
        return None
    is_open = verdict.valid is None
    sets = (
        board.only(*(verdict.intrusions if is_open else verdict.untested)),
        board.only(*verdict.superfluous),
        verdict.suffices or board.only(),
    )
    words = [VALID if is_open else MINIMAL, *(",".join(board.names(cells)) for cells in sets)]
    words.append("" if verdict.replies is None else str(verdict.replies))
    return ":".join((*words, _mark(examination.template, words)))


def read(template: Template, place: str) -> ResumePoint:
    """Return the place that a word tells; raise PlaceError if it is none of this template."""
    words = place.split(":")
    if len(words) != FIELDS or words[-1] != _mark(template, words[:-1]):
        raise PlaceError(f"{place!r} is no place that a check of this template has printed")
    stage, *names, replies, _ = words
    left, superfluous, suffices = (
        template.position.board.named(cells.replace(",", " ")) for cells in names
    )
    return ResumePoint(stage, left, superfluous, suffices, int(replies) if replies else None)


def _mark(template: Template, words: list[str]) -> str:
    board, position = template.position.board, template.position
    sets = (position.black, position.white, template.carrier)
    ends = map(board.name, template.ends)
    whole = [f"{board.columns}x{board.rows}", *ends, *words]
    whole += [" ".join(board.names(cells)) for cells in sets]
    return hashlib.sha256("/".join(whole).encode()).hexdigest()[:MARK]
