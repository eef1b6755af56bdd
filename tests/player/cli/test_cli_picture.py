"""Pictures of all commands: SVG and PNG, numbers, palettes, tints and legends."""

from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from matplotlib.image import imread
from pictures import SVG, elements
from places import needs_full_device

from hsearch import formats
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position
from hsearch.render import svg
from hsearch.render.svg import PALETTES, UNIT
from hsearch.render.text import Marks
from player.cli import main
from player.console.output import ZOOM, move_numbers

GAME = "positions/games/london-2000-queenbee-hexy.sgf"
OTHER = "positions/games/london-2000-hexy-queenbee.sgf"


def drawn(tmp_path, *arguments):
    """Return the picture that a command draws, as text."""
    path = tmp_path / "picture.svg"
    result = CliRunner().invoke(main, [*arguments, "--svg", str(path)])
    assert result.exit_code == 0, result.output
    return path.read_text()


def texts(picture, kind="label"):
    """Return the texts of a class, in order."""
    return [element.text for element in elements(picture, "text", kind)]


@pytest.mark.parametrize(
    ("moves", "title"), [(1, "Ana - Bob, after move 1"), (4, "Bob - Ana, after move 4")]
)
def test_the_title_of_a_picture_follows_a_swap_of_sides(tmp_path, moves, title):
    """A picture's title names Black before White; a swap of sides exchanges the names."""
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[11]SZ[3]PB[Ana]PW[Bob];B[a3];W[swap-sides];W[b2];B[c1])")

    assert texts(drawn(tmp_path, "show", str(record), "--move", str(moves)), "title") == [title]


@pytest.mark.parametrize(
    ("arguments", "noted"),
    [
        (("mustplay", GAME, "--move", "23"), "must-play"),
        (("openings", "5"), "W wins for Black; w seems to"),
        (("show", GAME, "--move", "40", "--inferior"), "b  captured by Black"),
        (("explain", GAME, "--move", "59", "--between", "north", "south"), "part 3: g6 to south"),
    ],
)
def test_the_legend_explains_colors_and_labels(tmp_path, arguments, noted):
    """The legend has a line for each color and each kind of label."""
    picture = drawn(tmp_path, *arguments)

    assert noted in texts(picture, "ink")


def test_each_part_of_an_explanation_has_a_different_tint(tmp_path):
    """The parts of an explanation have different tints, and the legend explains an arrow."""
    picture = drawn(tmp_path, "explain", GAME, "--move", "59", "--between", "north", "south")
    kinds = {element.get("class") for element in elements(picture, "polygon", "tint")}

    assert kinds == {"tint tint0", "tint tint1", "tint tint2"}
    assert "3→5: if cell 3 is taken, answer on cell 5" in texts(picture, "ink")


def test_weak_links_have_the_same_numbers_in_picture_and_text(tmp_path):
    """The five weakest links have the numbers of the text; all cells are shaded."""
    picture = drawn(tmp_path, "analyze", OTHER, "--move", "36")
    text = CliRunner().invoke(main, ["analyze", OTHER, "--move", "36"]).stdout
    ranked = next(line for line in text.splitlines() if line.startswith("Weakest links"))
    numbers = [part.split()[2].removesuffix(".") for part in ranked.split(": ")[1].split(", ")]

    assert len(numbers) == 5
    assert sorted(texts(picture)) == sorted(numbers)
    assert len(elements(picture, "polygon", "heat")) > 50


def test_stones_have_the_numbers_of_their_moves(tmp_path):
    """Stones have the numbers of their moves; a swapped stone has the number of the swap."""
    game = Game.of(Board(5, 5), [4, Special.SWAP_PIECES, 12, 7])
    picture = drawn(tmp_path, "show", "e1 swap-pieces c3 c2", "--size", "5", "--numbers")
    cells = {
        group.find(f"{SVG}title").text.split(",")[0]: [t.text for t in group.iter(f"{SVG}text")]
        for group in ET.fromstring(picture).iter(f"{SVG}g")  # noqa: S314 - our own text
        if group.find(f"{SVG}title") is not None
    }

    assert {cell: number[0] for cell, number in cells.items() if number} == {
        "a5": "2",
        "c3": "3",
        "c2": "4",
    }
    assert move_numbers(game, 3) == {20: "2", 12: "3"}


def test_a_stone_that_setup_replaces_has_no_number():
    """A stone that setup has replaced has no number."""
    game = formats.read("(;GM[11]SZ[3];B[a1];W[b1];AE[a1]AB[b1];B[c3])")

    assert move_numbers(game, 1) == {0: "1"}
    assert move_numbers(game, 2) == {}
    assert move_numbers(game) == {8: "3"}


def test_palettes_color_the_stones(tmp_path):
    """`--palette red-blue` draws red and blue stones, the default neither."""
    plain, colored = (
        drawn(tmp_path, "show", "a1", "b2", "--size", "3", "--palette", palette)
        for palette in ("black-white", "red-blue")
    )

    assert PALETTES["red-blue"] in colored
    assert PALETTES["red-blue"] not in plain
    assert "#c8372d" not in plain


@pytest.mark.parametrize("option", ["--palette black-white", "--numbers"])
@pytest.mark.parametrize("command", ["show", "analyze", "explain --between north south", "bid"])
def test_options_of_a_picture_need_one(command, option):
    words = [*command.split(), "a1", "b2", "--size", "3", *option.split()]
    result = CliRunner().invoke(main, words, prog_name="hsearch")

    name = option.split()[0]
    verb = command.split()[0]
    said = f"hsearch {verb}: {name} needs --svg or --png: it changes a picture\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", said)


@needs_full_device
def test_a_png_has_twice_the_width_and_height_of_the_svg(tmp_path):
    """A PNG has twice the width and height of the SVG; an unwritable file is a failure."""
    both = drawn(tmp_path, "show", "a1", "b2", "--size", "3", "--png", str(tmp_path / "x.png"))
    root = ET.fromstring(both)  # noqa: S314 - our own text
    height, width, _ = imread(tmp_path / "x.png").shape
    refused = CliRunner().invoke(main, ["show", "a1", "--png", "/dev/full"])

    assert (width, height) == pytest.approx(
        (ZOOM * float(root.get("width")), ZOOM * float(root.get("height"))), abs=2
    )
    assert refused.exit_code == 1
    assert "cannot be written" in refused.stderr


def test_the_corners_of_the_edges_are_closed(tmp_path):
    """Where two bands meet outside a corner of the board, the corner is not left blank."""
    path = tmp_path / "x.png"
    CliRunner().invoke(main, ["show", "b2", "--size", "3", "--move", "0", "--png", str(path)])
    picture, text = imread(path), svg.write(Position.of(Board(3, 3)), Marks(), title="")
    left, top = (float(n) for n in ET.fromstring(text).get("viewBox").split()[:2])  # noqa: S314
    bands = [
        [tuple(map(float, place.split(","))) for place in band.get("points").split()]
        for band in elements(text, "polyline", "edge")
    ]
    page = picture[2, 2]
    north, south, west, east = bands
    # Just outside the two corners where two bands end at a shared point.
    for (x, y), out in ((north[0], (-0.14, -0.14)), (south[-1], (0.14, 0.14))):
        row, column = (
            int(ZOOM * (value - origin))
            for value, origin in ((y + UNIT * out[1], top), (x + UNIT * out[0], left))
        )
        assert abs(picture[row, column] - page).max() > 0.01
    assert west[0] == north[0]
    assert east[-1] == south[-1]
