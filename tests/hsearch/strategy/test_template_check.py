"""Verdicts on templates: valid or refuted, minimal or not, and by which rules."""

from dataclasses import replace

import pytest
from bitarray.util import subset
from hypothesis import given
from hypothesis import strategies as st

from hsearch.connect.connection import Rule
from hsearch.connect.deduction import Deduction
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.library import Template, closure_templates
from hsearch.connect.limits import Depth, Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains
from hsearch.strategy import template as resume_point
from hsearch.strategy import template_search
from hsearch.strategy.check import check
from hsearch.strategy.template import CarrierVerdict, Examination
from hsearch.strategy.template_search import (
    FindProgress,
    TemplateSearch,
    TemplateWindow,
    read,
    write,
)

KNOWN = {known.template.id: known for known in closure_templates()}
DRAWN = ["bridge", "ziggurat", "iii-b", "dk4-3", "dk4-8"]


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_known_templates_are_valid_and_minimal(name):
    """Each is valid and minimal, by AND and OR where expected, else by deeper rules or play."""
    template = KNOWN[name].template
    verdict = Examination(template).run()

    assert verdict.valid
    assert verdict.minimal
    if KNOWN[name].family is None:  # in a family, only the long ones may be missed
        assert (verdict.replies == 0) == KNOWN[name].is_found
    assert name not in DRAWN or verdict.replies is not None
    if verdict.connection is not None:
        assert verdict.connection.carrier == template.carrier
        assert check(template.alone, template.color, verdict.connection) > 1


def less_one(names):
    """Return the templates without each one of their cells."""
    for name in names:
        template = KNOWN[name].template
        for cell in template.carrier.search(1):
            yield pytest.param(
                template.without(cell), id=f"{name}-{template.position.board.name(cell)}"
            )


@pytest.mark.parametrize("template", list(less_one(DRAWN)))
def test_a_template_with_a_cell_less_is_refuted(template):
    """The refutation is a line of play in which the owner answers and is finally cut off."""
    verdict = Examination(template).run()
    moves = [cell for _, cell in verdict.refutation]
    played = template.position.board.only(*moves)
    owners = [cell for color, cell in verdict.refutation if color is template.color]

    assert verdict.valid is False
    assert verdict.connection is None
    assert [color for color, _ in verdict.refutation[:2]] != [template.color] * 2
    assert len(set(moves)) == len(moves)
    assert subset(played, template.carrier)
    assert not joined(template, owners, template.carrier & ~played)


def joined(template, owners, free):
    """Return whether the ends are connected if the owner also has all free cells."""
    cells = free | template.position.board.only(*owners)
    own = replace(template.alone, black=template.alone.black | cells)
    named = captains(own, Color.BLACK)
    return named[template.stone] == named[template.edge]


def test_superfluous_cells_are_named():
    """A ziggurat with one cell too many can lose that cell, and no other."""
    board = Board(5, 4)
    stone, edge = board.cell("c2"), board.point("south")
    needed = board.named("d2 b3 c3 d3 a4 b4 c4 d4")
    for extra in ("e2", "e3", "e4"):
        carrier = needed | board.named(extra)
        position = Position(board, board.only(stone), board.named("a1 b1 c1 d1 e1"))
        verdict = Examination(Template("wide", position, stone, edge, carrier)).run()

        played = Examination(Template("wide", position, stone, edge, carrier))
        played.verdict.valid, played.verdict.intrusions = True, []

        assert verdict.valid
        assert verdict.minimal is False
        assert board.cell(extra) in verdict.superfluous
        assert board.cell(extra) in played.run().superfluous
        assert played.verdict.connection is None


def test_an_examination_that_exceeds_its_budget_can_be_resumed():
    """Decided parts are kept, open ones are named, and resuming decides them."""
    template = KNOWN["iii-b"].template
    first = Examination(template, budget=1000)
    verdict = first.run()

    assert verdict.valid
    assert verdict.minimal is None
    assert 0 < len(verdict.omissions) < template.carrier.count()

    second = Examination(template)
    second.verdict.valid, second.verdict.omissions = True, verdict.omissions
    assert second.run().minimal


def test_complete_play_alone_decides_a_template():
    """The examination may stop after any first moves of the opponent, and resume."""
    template = KNOWN["dk4-3"].template
    intrusions = list(template.carrier.search(1))
    steps = 0
    while True:
        examination = Examination(template)
        examination.verdict.intrusions = intrusions
        examination.play_out()
        steps += 1
        if examination.verdict.valid is not None:
            break
        assert set(examination.verdict.intrusions) < set(intrusions)
        intrusions = examination.verdict.intrusions

    assert examination.verdict.valid
    assert steps > 1


@pytest.mark.parametrize(
    ("row", "stones", "columns", "sizes"),
    [(2, 1, 5, [2]), (3, 1, 7, [8, 10]), (2, 2, 5, [2]), (3, 2, 7, [6, 6, 8, 8, 10])],
)
def test_the_search_finds_the_known_templates_and_no_others(row, stones, columns, sizes):
    """On the third row one stone has exactly two; every template found is valid and minimal."""
    search = TemplateSearch(TemplateWindow(row, stones, columns))
    found = list(search.run())

    assert search.is_complete
    assert sorted(template.carrier.count() for template in found) == sizes
    assert all(Examination(template).run().minimal for template in found)


def test_a_saved_and_resumed_search_finds_the_same_templates():
    """The search is saved and resumed after every ten thousand positions."""
    window = TemplateWindow(3, 2, 6)
    whole = TemplateSearch(window)
    expected = list(whole.run())
    progress, steps = FindProgress.start(window), 0
    while True:
        search = TemplateSearch(window, budget=10_000, progress=progress)
        found = list(search.run())
        if search.is_complete:
            break
        progress, steps = read(write(search.progress, window), window), steps + 1
        assert progress == search.progress
        assert steps < 100

    assert steps > 1
    assert set(search.progress.carriers) == set(whole.progress.carriers)
    assert {t.carrier for t in found} == {t.carrier for t in expected}


def test_a_search_that_resumes_early_loses_no_template():
    """Where play beyond the carriers of H-search is too much, a resumed search has them all."""
    window = TemplateWindow(3, 2, 7)
    search = TemplateSearch(window, budget=5000)
    expected = [template.carrier for template in search.run()]
    early = TemplateSearch(window, budget=5000)
    next(early.run())
    progress = read(write(early.progress, window), window)
    resumed = TemplateSearch(window, budget=5000, progress=progress)

    assert len(progress.carriers) < len(search.progress.carriers)
    assert [template.carrier for template in resumed.run()] == expected


def test_further_stones_need_not_be_adjacent():
    """Two stones on the third row with a cell between them help each other in one way."""
    search = TemplateSearch(TemplateWindow(3, 1, 7, ((2, 3),)))
    found = list(search.run())

    assert search.is_complete
    assert [template.id for template in found] == ["row3-1-2.3"]
    assert [template.carrier.count() for template in found] == [12]
    assert Examination(found[0]).run().minimal


@pytest.mark.parametrize("also", [(0, 3), (9, 2), (1, 4), (1, 0)])
def test_further_stones_without_a_free_place_are_rejected(also):
    """Further stones may not be on the others, nor outside the window."""
    with pytest.raises(ValueError, match="no place for a further stone"):
        TemplateWindow(3, 1, 7, (also,))


@pytest.mark.parametrize("also", [((0, 1),), ((-1, 1),), ((1, 2), (1, 1))])
def test_stones_that_reach_the_edge_are_refused(also):
    """Such stones need no cell; they caused an internal error in the search."""
    apart = TemplateWindow(2, 1, 13, ((1, 1),))  # the further stone alone touches the edge

    assert next(TemplateSearch(apart).run()).carrier.any()
    with pytest.raises(ValueError, match="the stones reach the edge by themselves"):
        TemplateWindow(2, 1, 13, also)


def test_a_carrier_too_large_to_play_out_is_still_reported():
    """The carrier is kept, as a solver may have proved it; playing it out ended the search."""
    window = TemplateWindow(6, 1, 15, ((-6, 1),))
    carrier = window.board.only(*range(15, 95)) & window.position.empty
    progress = FindProgress((carrier,), (), ())
    (found,) = TemplateSearch(window, progress=progress, ask=lambda _cells: None).run()

    assert found.carrier.count() == carrier.count() > 60


def test_undecided_stones_count_as_needed(monkeypatch):
    """The test of a stone has a limit; undecided stones count as needed."""
    window = TemplateWindow(3, 2, 7)
    found = len(list(TemplateSearch(window).run()))
    monkeypatch.setattr(template_search, "MOST_POSITIONS", 10)
    search = TemplateSearch(window)

    assert len(list(search.run())) > found
    assert search.is_complete


def test_the_search_finds_the_smallest_template_of_two_stones_on_the_fourth_row():
    """The smallest such template is dk4-3."""
    template = KNOWN["dk4-3"].template
    found = next(TemplateSearch(TemplateWindow(4, 2, 5)).run())

    assert found.carrier.count() == template.carrier.count()


@given(st.sets(st.integers(0, 14)))
def test_a_search_misses_no_valid_carrier(lacking):
    """Any valid cells of a window contain one of the templates or its mirror image."""
    window = TemplateWindow(3, 1, 5)
    search = TemplateSearch(window)
    list(search.run())
    board, (stone,) = window.board, window.line
    cells = [cell for cell in board.cells if cell >= 5 and cell != stone]
    carrier = board.only(*(cell for cell in cells if cell - 5 not in lacking))
    edge = board.edges(Color.BLACK)[1]
    position = Position(board, board.only(stone), board.only(*range(5)))
    valid = JoinGame(position, Color.BLACK, (stone, edge), carrier).play().joined

    assert valid == any(not (known & ~carrier).any() for known in search.progress.carriers)


def test_the_search_finds_all_carriers_without_h_search():
    """All carriers of a window are found, even if none is known at the start."""
    window = TemplateWindow(3, 2, 6)
    usual, alone = TemplateSearch(window), TemplateSearch(window)
    alone._shrink_fulls = tuple  # noqa: SLF001 - it finds the easy ones
    for search in (usual, alone):
        list(search.run())

    assert len(usual.progress.carriers) == 10
    assert set(alone.progress.carriers) == set(usual.progress.carriers)


def test_a_template_needs_a_stone_an_edge_and_empty_cells():
    """The error names what is missing."""
    board = Board(4, 4)
    position = Position(board, board.named("c2 a4"), board.named("a1"))
    c2, a2, south = board.cell("c2"), board.cell("a2"), board.point("south")
    west, both = board.point("west"), board.named("b3 c3")
    for stone, edge, carrier, message in (
        (a2, south, both, "no stone on 'a2'"),
        (c2, west, both, "'west' is not an edge of black"),
        (c2, south, board.named("a1 b3"), "the carrier has stones on 'a1'"),
        (c2, south, board.only(), "the carrier has no cell"),
        (board.cell("a4"), south, both, "'a4' is joined to south by stones already"),
    ):
        with pytest.raises(ValueError, match=message):
            Template("x", position, stone, edge, carrier)


def test_dk4_8_is_proved_by_must_play_deduction():
    """The two templates that AND and OR miss are proved by must-play deduction."""
    connection = Examination(KNOWN["dk4-8"].template).run().connection

    assert Rule.MUSTPLAY in {premise.rule for premise in connection.premises}


def told(template):
    """Return a stand-in for a solver, by complete play, with a connection by deduction."""

    def ask(carrier):
        asked.append(carrier)
        less = replace(template, carrier=carrier)
        if not JoinGame(less.alone, less.color, less.ends, carrier).play().joined:
            return CarrierVerdict(joined=False, cut=next(carrier.search(1)))
        full = Deduction(less.color, Depth(2), Limits()).full(less.alone, *less.ends)
        return CarrierVerdict(joined=True, connection=full)

    asked = []
    return ask, asked


def test_with_a_solver_nothing_is_played_out():
    """The solver gets the whole carrier, and it without each cell; nothing is played out."""
    template = KNOWN["dk4-8"].template
    ask, asked = told(template)
    examination = Examination(template, ask=ask)
    while not examination.verdict.is_decided:
        examination.play_out()

    assert examination.verdict.valid
    assert examination.verdict.minimal
    assert examination.verdict.positions == 0
    assert len(asked) == 1 + template.carrier.count()
    assert check(template.alone, template.color, examination.verdict.connection) > 1


def test_the_source_of_a_proof_survives_a_stop():
    """Results of the solver, and of complete play, keep their source after a stop."""
    template = KNOWN["dk4-8"].template
    for ask, by_solver in ((told(template)[0], True), (None, False)):
        stopped, resumed = Examination(template, ask=ask), Examination(template, ask=ask)
        while stopped.verdict.valid is None:
            stopped.play_out()
        resume_point.read(template, resume_point.write(stopped)).resume(resumed)

        assert stopped.verdict.by_solver is resumed.verdict.by_solver is by_solver
        assert resumed.verdict.omissions == stopped.verdict.omissions


def test_carriers_undecided_by_the_solver_are_played_out():
    """Complete play gives the same verdict."""
    template = KNOWN["dk4-8"].template
    examination = Examination(template, ask=lambda _carrier: None)
    while not examination.verdict.is_decided:
        examination.play_out()

    assert examination.verdict.valid
    assert examination.verdict.minimal
    assert examination.verdict.positions > 0
