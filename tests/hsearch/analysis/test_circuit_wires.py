"""The wires of a circuit one by one, and the wirings that users choose by name."""

import json
import math
import re
from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions
from test_circuit import full_links, linked

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import WIRINGS, circuit, circuits, wires
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from hsearch.hex.position import Position, captains
from player.cli import main
from player.engine.player import MoveRequest
from player.engine.spec import player
from player.evaluate.evaluators import hexy
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition

GAME = ("positions/games/london-2000-queenbee-hexy.sgf", "--move", "20")


def run(*arguments, stdin=None):
    """Run `hsearch` in this process."""
    return CliRunner().invoke(main, arguments, input=stdin)


def told(*arguments):
    """Return the object that a command prints; it must succeed."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@given(linked(max_side=5), st.sampled_from(list(WIRINGS)))
def test_wire_currents_add_up_to_the_kernels_flow(drawn, links):
    """The currents balance at each node, with 1 A between the edges, and add up to the flow."""
    position, *pairs = drawn
    for color in Color:
        ours = circuit(position, color, full_links(pairs[color]), links=links)
        captain = captains(position, color)
        source, ground = (captain[edge] for edge in position.board.edges(color))
        balance, flow = Counter(), Counter()
        found = wires(position, ours)
        for wire in found:
            balance[captain[wire.x]] += wire.current
            balance[captain[wire.y]] -= wire.current
            for end in (wire.x, wire.y):
                flow[end] += abs(wire.current)
        for node, amperes in balance.items():
            ends = (node == source) - (node == ground)
            assert amperes == pytest.approx(ends if ours.potential.any() else 0, abs=1e-9)
        for cell in position.empty.search(1):
            assert flow[cell] == pytest.approx(ours.flow[cell], abs=1e-9)
        is_one = source == ground
        assert bool(found) or is_one or not ours.flow.any()
        assert not (is_one and found)
        assert links != "none" or not any(wire.is_full for wire in found)


def test_a_bridge_to_the_edge_is_one_full_wire():
    """Around b2 of 3x3 there are two wires to the cells below it, and one for the bridge."""
    position = Position.of(Board(3, 3), black="b2")
    found = wires(position, ConnectionAnalysis(position).circuits.black)
    south = position.board.edges(Color.BLACK)[1]
    named = {(position.board.name(w.x), position.board.name(w.y)): w for w in found}

    assert named["a3", "b2"].conductance == 1
    assert [w.conductance for w in found if w.is_full and {w.x, w.y} == {4, south}] == [1 / 3]
    assert not any(w.is_full and {w.x, w.y} == {6, 4} for w in found)


@given(positions(4), st.sampled_from(list(WIRINGS)))
def test_analysis_and_search_agree_for_each_wiring(position, links):
    """The analysis and the search give the same E and currents for the wiring that was chosen."""
    analysis = ConnectionAnalysis(position, links=links)
    if analysis.winner is not None:
        return
    seen = SearchPosition(position, Limits(), weak_links, links=links, incremental=False)
    seen.probe()
    evaluation, flow = seen.solve_circuits()
    again = analysis.with_turn(position.turn.opponent).circuits

    assert again.evaluation == analysis.circuits.evaluation
    if not math.isinf(analysis.circuits.evaluation):
        assert evaluation == pytest.approx(analysis.circuits.evaluation, abs=1e-9)
        assert flow == pytest.approx(analysis.circuits.black.flow + analysis.circuits.white.flow)


def test_links_none_wires_only_neighbors():
    """Without connections, each wiring wires only neighbors."""
    position = Position.of(Board(5, 5), black="b2 d4", white="c3")
    bare = circuits(position, links="none")

    assert ConnectionAnalysis(position, links="none").circuits.evaluation == bare.evaluation
    assert hexy(position, links="none").evaluation == bare.evaluation
    assert hexy(position, links="six").evaluation != hexy(position).evaluation


@pytest.mark.parametrize("links", WIRINGS)
def test_analyze_and_evaluate_agree_on_the_circuits_of_each_wiring(links):
    """`analyze` and `evaluate` agree about the same circuits."""
    circuit_of = told("analyze", *GAME, "--links", links)["circuit"]
    evaluation = told("evaluate", *GAME, "--with", "hexy", "--links", links)
    assert circuit_of["links"] == links
    assert circuit_of["evaluation"] == evaluation["evaluation"]
    assert (circuit_of["black"], circuit_of["white"]) == (evaluation["black"], evaluation["white"])


def test_the_chance_does_not_depend_on_the_wiring(tmp_path):
    """The chance to win is the net's; E depends on the chosen circuits."""
    drawn = tmp_path / "six.svg"
    plain, six = (
        " ".join(run("analyze", *GAME, *more).stdout.split())
        for more in ([], ["--links", "six", "--svg", str(drawn)])
    )

    (chance,) = {re.search(r"chance to win: (Black [^)]*\))", each)[1] for each in (plain, six)}
    assert chance.endswith("% (by the net)")
    assert "Circuits, wired as Six's: E = " in six
    assert f"estimated chance: {chance}" in drawn.read_text()


def test_hexy_uses_the_given_links():
    """Hexy reports that its estimate gives no chance with other links."""
    game = Game(Board(7, 7)).append(Move(Color.BLACK, 7))
    spec = "hexy:depth=1,widths=4"
    plain, bare = (
        player(name).choose(game, MoveRequest(), None) for name in (spec, f"{spec},links=none")
    )

    assert plain.account.findings.score != bare.account.findings.score
    assert "chance to win is" in plain.account.reason
    assert "Estimated by circuits with links=none: " in bare.account.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyze", *GAME, "--links", "all"), "'all' is not one of 'hexy', 'six', 'benzene', '"),
        (("evaluate", *GAME, "--with", "max_flow", "--links", "six"), "for the evaluator hexy"),
        (
            ("tournament", "random", "hexy:links=x"),
            "unknown links (known: hexy, six, benzene, none)",
        ),
    ],
)
def test_unknown_links_are_refused(arguments, message):
    """Unknown links are refused with a list of the known ones."""
    result = run(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
