"""The picture of the circuits: every wire that matters, as thick as its current; the legend."""

from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from pictures import SVG, elements

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import wires
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from hsearch.render.wires import THICKEST, THINNEST
from player.answers.circuit import LEAST, LINKS, draw
from player.cli import main

POSITION = Position.of(Board(5, 5), black="a5 d3", white="c4", turn=Color.WHITE)


def strokes(picture, kind):
    """Return the wires of a kind on a board, not in the legend."""
    root = ET.fromstring(picture)  # noqa: S314 - our own text
    panels = [g for g in root.iter(SVG + "g") if g.get("transform")]
    return [[p for p in panel.iter(SVG + "path") if p.get("class") == kind] for panel in panels]


def analyze(path, *more, text="a5 c4 d3"):
    """Run `hsearch analyze` with a picture."""
    arguments = ["analyze", "-", "--size", "5", "--svg", str(path), *more]
    return CliRunner().invoke(main, arguments, input=text)


@pytest.mark.parametrize("links", ["hexy", "six", "none"])
def test_every_wire_is_drawn_as_thick_as_its_current(links):
    """Wires of fulls are drawn from a hundredth of the current on; the thickest carries it all."""
    circuits = ConnectionAnalysis(POSITION, links=links).circuits
    picture = draw(circuits)
    plain, full = strokes(picture, "wire"), strokes(picture, "wire full")
    found = [wires(POSITION, one) for one in (circuits.black, circuits.white)]
    most = max(abs(wire.current) for every in found for wire in every)

    for number, every in enumerate(found):
        shown = [w for w in every if not w.is_full or abs(w.current) >= LEAST]
        thick = sorted(
            f"{THINNEST + (THICKEST - THINNEST) * abs(w.current) / most:.1f}" for w in shown
        )
        assert len(plain[number]) == sum(not wire.is_full for wire in every)
        assert thick == sorted(p.get("stroke-width") for p in plain[number] + full[number])
    assert any(full) == (links != "none")


def test_a_circuit_picture_has_titles_wires_and_weak_links():
    """It has title, description, headings, wires, weak links on both boards, and legend."""
    circuits = ConnectionAnalysis(POSITION).circuits
    picture = circuits._repr_svg_()
    root = ET.fromstring(picture)  # noqa: S314 - our own text
    said = [element.text for element in root.iter(SVG + "text")]
    tips = [element.text for element in root.iter(SVG + "title")]

    assert root.get("role") == "img"
    assert root.find(SVG + "title").text == "The two circuits"
    assert root.find(SVG + "desc").text == str(circuits)
    assert str(circuits).startswith(
        "Resistance between the edges: Black 0.516, White 0.858; E = -0.51."
    )
    assert "Black's circuit: resistance 0.516 between north and south" in said
    assert len(elements(picture, "circle", "weak")) == 2 * LINKS + 1
    assert "weakest links: most current in both circuits" in said
    assert any(tip.startswith("b4 to a5: conductance ") for tip in tips)
    assert "@media (prefers-color-scheme: dark)" in picture.split("</style>")[0].split(".wire")[1]


def test_the_legend_fits_beside_the_smallest_board():
    """No line is wider than the picture."""
    root = ET.fromstring(draw(ConnectionAnalysis(Position.of(Board(1, 1))).circuits))  # noqa: S314
    left, _, width, _ = map(float, root.get("viewBox").split())

    for element in root.iter(SVG + "text"):
        if element.get("text-anchor") == "start":
            # A letter of the style sheet's 11 pixels is narrower than 6.2.
            assert float(element.get("x")) + 6.2 * len(element.text) <= left + width


def test_the_command_draws_circuits(tmp_path):
    """Palettes and numbers work as usual; without --circuit nothing changes."""
    path = tmp_path / "x.svg"
    assert analyze(path).exit_code == 0
    plain = path.read_text()
    result = analyze(path, "--circuit", "--palette", "red-blue", "--numbers")
    picture = path.read_text()

    assert result.exit_code == 0, result.output
    assert "<path" not in plain
    assert "#c8372d" in picture
    assert [e.text for e in elements(picture, "text", "label")].count("3") == 2 * 2
    assert "after move 3, circuits" in picture


def test_a_won_game_has_no_current():
    """The picture states that the game is won."""
    position = Position.of(Board(2, 2), black="a1 a2")
    circuits = ConnectionAnalysis(position).circuits
    picture = draw(circuits)

    assert "no current flows" in picture
    assert "resistance 0 between north and south" in picture
    assert "Weakest links: no current flows." in str(circuits)
    assert strokes(picture, "wire full") == [[], []]


def test_the_circuit_option_requires_svg_or_png():
    """The error is one line, and nothing is printed."""
    result = CliRunner().invoke(main, ["analyze", "-", "--size", "3", "--circuit"], input="b2")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--circuit needs --svg or --png" in result.stderr
