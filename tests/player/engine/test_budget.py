"""Budgets of nodes, players at equal time, and evaluators combined with connections."""

import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.formats import moves
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.position import Position, winner
from player.engine import calibration, hexy
from player.engine.calibration import calibrate, samples
from player.engine.player import MoveRequest
from player.engine.spec import player
from player.evaluate.evaluators import evaluate
from player.evaluate.ordering import weak_links
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.settings import SearchSettings
from player.search.tree import TreeSearch

ALL = (100,)
EARLY = Game.of(Board(11, 11), [60, 20, 85, 33])


@given(
    position=positions(max_side=5),
    evaluator=st.sampled_from([None, "two_distance", "fillings"]),
    connections=st.booleans(),
    nodes=st.integers(1, 60),
)
def test_a_search_does_not_exceed_its_node_budget(position, evaluator, connections, nodes):
    """A search uses exactly its budget unless it finishes; the move is legal and reproducible."""
    assume(winner(position) is None and position.empty.any())
    settings = SearchSettings(
        depth=9, ordering="charge", evaluator=evaluator, connections=connections, nodes=nodes
    )
    found = search(position, settings)

    assert found.counts.nodes <= nodes
    assert found.complete or found.counts.nodes == nodes or not found.counts.nodes
    assert position.is_legal(found.move)
    assert replace(search(position, settings), seconds=0) == replace(found, seconds=0)


@given(position=positions(max_side=5), nodes=st.integers(1, 30))
def test_a_node_budget_only_shortens_a_search(position, nodes):
    """Enough nodes change nothing, and enough for all first moves complete at least one ply."""
    assume(winner(position) is None and position.empty.any())
    whole = SearchSettings(depth=2, widths=ALL, ordering="charge", evaluator="max_flow")
    free = search(position, whole)
    enough = search(position, replace(whole, nodes=free.counts.nodes + 1))
    short = search(position, replace(whole, nodes=nodes))
    tried = search(position, replace(whole, depth=1)).counts.nodes

    assert replace(enough, seconds=0) == replace(free, seconds=0)
    assert short.depth <= free.depth
    if nodes >= tried and not free.complete:
        assert short.depth >= 1


def test_an_incomplete_ply_does_not_change_the_result():
    """If the budget ends amid the replies, the result is that of the depth before."""
    position = Position.of(Board(6, 6), black="c3", white="d4")
    settings = SearchSettings(depth=2, widths=ALL, ordering="charge", evaluator="max_flow")
    first = search(position, replace(settings, depth=1))
    for more in range(1, 20):
        found = search(position, replace(settings, nodes=first.counts.nodes + more))
        assert (found.move, found.score, found.depth) == (first.move, first.score, 1)


def test_an_evaluator_affects_only_undecided_leaves():
    """Proofs and must-play regions stay; only undecided leaves are evaluated differently."""
    position = Position.of(Board(8, 8), black="c3", white="d5")
    settings = SearchSettings(depth=1, widths=ALL, evaluator="two_distance", connections=True)
    found = search(position, settings)
    after = position.play(found.move)
    line = SearchPosition(after, settings.limits, weak_links, evaluator="two_distance")

    assert line.probe().evaluation == evaluate(after, "two_distance").evaluation
    assert found.score == -evaluate(after, "two_distance").evaluation
    assert line.probe().moves == SearchPosition(after, settings.limits, weak_links).probe().moves


@pytest.mark.parametrize("spec", ["ab:eval=max_flow,nodes=40", "hexy:nodes=4,eval=y_reduction"])
def test_players_use_their_whole_node_budget(spec):
    """The search uses the whole budget, beyond the player's usual depth."""
    game = moves.read("b6 g3", Board(8, 8))
    choice = player(spec).choose(game, MoveRequest(), np.random.default_rng(0))

    assert choice.account.findings.counts.nodes == int(spec.partition("nodes=")[2].split(",")[0])


def test_calibration_divides_the_time_by_the_time_per_node(monkeypatch):
    """At 10 us per node by the clock, the budget is the time divided by that, for any time."""
    games, spent = samples(8)[:6], [0.0]

    def clocked(spec):
        real = player(spec)

        def choose(game, terms, rng):
            choice = real.choose(game, terms, rng)
            if choice.account.findings is not None:
                spent[0] += choice.account.findings.counts.nodes * 1e-5
            return choice

        return SimpleNamespace(prepare=real.prepare, choose=choose)

    monkeypatch.setattr(calibration, "player", clocked)
    monkeypatch.setattr(calibration.time, "process_time", lambda: spent[0])

    assert {game.board for game in games} == {Board(8, 8)}
    for seconds in (0.002, 0.008):
        spec = calibrate("ab:eval=y_reduction,order=center", games, seconds)
        assert int(spec.rpartition("=")[2]) == pytest.approx(seconds / 1e-5, rel=0.04)


def test_calibration_gives_at_least_one_node():
    """One node is the least budget."""
    games = samples(8)[:2]

    assert calibrate("ab:eval=hexy,order=center", games, 1e-6).endswith(",nodes=1")


@pytest.mark.parametrize(
    ("option", "asked", "given"),
    [
        ("", None, None),
        ("", 5.0, 5.0),
        (",time=3", None, 3.0),
        (",time=3", 5.0, 3.0),
        (",time=3", 2.0, 2.0),
    ],
)
@pytest.mark.parametrize("name", ["hexy:depth=1,solve=0", "tree:net=none,simulations=1,solve=0"])
def test_the_search_gets_the_lesser_of_option_and_allowed_time(
    monkeypatch, name, option, asked, given
):
    """The search gets the lesser of the option and the time allowed."""
    told = []
    monkeypatch.setattr(time, "perf_counter", lambda: 7.0)
    for place, search_of in ((hexy, search), (TreeSearch, TreeSearch.run)):

        def noted(*arguments, of=search_of, **terms):
            told.append(terms["seconds"])
            return of(*arguments, **terms)

        monkeypatch.setattr(place, "search" if place is hexy else "run", noted)
    player(name + option).choose(EARLY, MoveRequest(seconds=asked), np.random.default_rng(0))

    assert told == [given]
