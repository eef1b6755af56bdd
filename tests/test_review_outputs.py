"""What comes out of a review: report, chart, page, record, JSON and rows."""

import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner
from interruption import rows_left

from hsearch import formats
from hsearch.board import Board, Color
from hsearch.formats import sgf
from hsearch.game import Game, Move, Special
from hsearch.game.node import main_line_length
from player.cli import main
from player.review import EFFORTS, chart, page, review
from player.review.objects import game_object, move_object
from player.review.record import SIGN, annotated

LONDON = "positions/games/london-2000-queenbee-hexy.sgf"
CELLS = {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+[0-9]+$"}}
COLOR = {"enum": ["black", "white"]}
CHANCE = {"type": "number", "minimum": 0, "maximum": 1}
PROOF = {
    "type": ["object", "null"],
    "required": ["by", "size", "carrier"],
    "properties": {
        "by": {"enum": ["chain", "full", "semi", "deduction", "solver", "move"]},
        "size": {"type": "integer", "minimum": 0},
        "carrier": {"anyOf": [CELLS, {"type": "null"}]},
    },
}
STATE = {
    "type": "object",
    "required": ["turn", "winner", "proof", "evaluation", "chance", "mustplay", "winning"],
    "additionalProperties": False,
    "properties": {
        "turn": COLOR,
        "winner": {"enum": ["black", "white", None]},
        "proof": PROOF,
        "evaluation": {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]},
        "chance": CHANCE,
        "mustplay": CELLS,
        "winning": CELLS,
    },
}
MOVE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["schema", "number", "color", "move", "verdict", "mistake", "basis", "before"],
    "properties": {
        "schema": {"const": "hsearch/review-move/1"},
        "number": {"type": "integer", "minimum": 1},
        "color": COLOR,
        "move": {"type": "string"},
        "verdict": {"type": "string"},
        "mistake": {"type": "boolean"},
        "basis": {"type": "string"},
        "fell": {"type": "number", "minimum": -1, "maximum": 1},
        "refutation": {**CELLS, "maxItems": 10},
        "better": {**CELLS, "maxItems": 10},
        "before": STATE,
        "after": STATE,
    },
}
GAME = {
    "type": "object",
    "required": ["schema", "effort", "winner", "turning_point", "last_mistake", "proved_losses"],
    "properties": {
        "schema": {"const": "hsearch/review/1"},
        "winner": {"enum": ["black", "white", None]},
        "turning_point": {"type": ["integer", "null"]},
        "last_mistake": {"type": ["integer", "null"]},
        "proved_losses": {
            "type": "object",
            "required": ["black", "white"],
            "additionalProperties": {"type": "array", "items": {"type": "integer"}},
        },
    },
}


@cache
def lost(names=("</script><b>", 'W]"&')):
    """Return the review of a small game with mistakes, and names that mean harm."""
    info = (("PB", names[0]), ("PW", names[1]))
    board = Board(4, 4)
    game = Game.of(board, map(board.cell, ("a4", "b2", "d1", "a3", "c2", "c1", "b4")), info=info)
    return review(game, EFFORTS["deep"])


def run(*words, stdin=None):
    result = CliRunner().invoke(main, ["review", *map(str, words)], input=stdin)
    return result.stdout, result.stderr, result.exit_code


def test_the_small_game_has_what_the_others_test():
    moves = lost().moves

    assert sum(move.is_mistake for move in moves) >= 2
    assert any(move.refutation for move in moves)
    assert any(move.better for move in moves)


def test_the_annotated_record_has_the_same_main_line():
    """Read again, it is the same game with more variations, and what it marks is true."""
    reviewed = lost()
    game = formats.read(sgf.write(annotated(reviewed)))
    line = [node for node in game.main_line if node.move is not None]

    assert game.moves == reviewed.game.moves
    assert len(game.nodes) > main_line_length(game.nodes)
    for node, move in zip(line, reviewed.moves, strict=True):
        marks = dict(node.properties)
        assert node.comment.startswith(f"{SIGN}{move.word}: {move.basis}.")
        assert ("BM" in marks) == move.is_mistake
        assert ("HO" in marks) == (move.number == reviewed.turning_point)
        state = reviewed.states[move.number]
        assert ("GB" in marks, "GW" in marks) == tuple(state.winner is c for c in Color)
        assert sum(name in marks for name in ("BM", "DO", "TE")) <= 1


def test_variations_are_the_lines_of_the_review():
    """A refutation follows its move, a better line stands beside it."""
    reviewed = lost()
    game = annotated(reviewed)
    found = []
    for number, node in enumerate(game.nodes):
        if node.comment.startswith(SIGN) and node.comment.endswith("so."):
            cells = [node.move.cell]
            while number + 1 < len(game.nodes) and game.nodes[number + 1].parent == number:
                number += 1  # noqa: PLW2901 - along the line
                cells.append(game.nodes[number].move.cell)
            found.append(tuple(cells))
    lines = [line for move in reviewed.moves for line in (move.refutation, move.better) if line]
    last = reviewed.moves[-1]
    if last.refutation:  # it would be the main line
        lines.remove(last.refutation)

    assert sorted(found) == sorted(lines)


def test_a_record_reviewed_again_is_annotated_once():
    """What an older review added goes; what people wrote stays."""
    game = lost().game
    commented = Game(game.board, (game.nodes[0], *game.nodes[1:]), game.info)
    once = annotated(review(commented, EFFORTS["deep"]))
    twice = annotated(review(once, EFFORTS["deep"]))

    assert sgf.write(twice) == sgf.write(once)


def test_comments_marks_and_variations_of_people_stay():
    text = "(;FF[4]GM[11]SZ[3];B[b2]C[good]TR[a1]CR[c3](;W[a3];B[c1])(;W[c1]C[why not?]))"
    game = formats.read(text)
    written = formats.read(sgf.write(annotated(review(game, EFFORTS["quick"]))))
    first = written.main_line[1]

    assert first.comment.startswith("good\n\n" + SIGN)
    assert dict(first.properties)["CR"] == ("c3",)
    assert "a1" in dict(first.properties)["TR"]
    assert any(node.comment == "why not?" for node in written.nodes)


def test_the_record_is_what_hexgui_reads():
    """Size and game are there; values are cells, cells with labels, or numbers it knows."""
    text = sgf.write(annotated(lost()))

    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]")
    for name, values in re.findall(r"\b(TR|SQ|LB|BM|DO|TE|HO|GB|GW)((?:\[[^\]]*\])+)", text):
        for value in re.findall(r"\[([^\]]*)\]", values):
            pattern = {"LB": r"[a-z]+\d+:[123]", "TR": r"[a-z]+\d+", "SQ": r"[a-z]+\d+"}
            assert re.fullmatch(pattern.get(name, "[12]"), value)


def test_the_chart_is_read_by_people_and_by_machines():
    """It is XML with a title and a description; mistakes and the turning point are in it."""
    reviewed = lost()
    drawing = chart.write(reviewed)
    root = ET.fromstring(drawing)  # noqa: S314 - our own
    space = "{http://www.w3.org/2000/svg}"
    kinds = [element.get("class") for element in root.iter()]

    assert "4x4, 7 moves" in root.find(f"{space}title").text
    assert "Turning point" in root.find(f"{space}desc").text
    assert kinds.count("r-mistake") == 1 + sum(move.is_mistake for move in reviewed.moves)
    assert kinds.count("r-turn") == 2
    assert "prefers-color-scheme: dark" in drawing
    points = root.find(f"{space}polyline").get("points").split()
    assert len(points) == len(reviewed.states)


def test_the_page_needs_nothing_from_elsewhere_and_no_name_breaks_out():
    """No address but that of SVG; the names of the players are text, and so is the data."""
    html = page.write(lost())
    addresses = set(re.findall(r"https?://[^\"' )]+", html))
    data = re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1]
    thing = json.loads(data)

    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "<b>" not in html
    assert "&lt;/script&gt;&lt;b&gt;" in html
    assert len(thing["positions"]) == len(lost().states)
    for state, position in zip(lost().states, thing["positions"], strict=True):
        assert position["black"] == list(state.position.black.search(1))
        assert not set(position["wins"]) & set(position["region"])


@pytest.mark.parametrize("moves", [0, 1])
def test_a_game_of_hardly_any_move_can_be_drawn(moves):
    reviewed = review(Game.of(Board(3, 3), range(moves)), EFFORTS["quick"])

    ET.fromstring(chart.write(reviewed))  # noqa: S314 - our own
    assert f'max="{moves}"' in page.write(reviewed)
    assert annotated(reviewed).moves == reviewed.game.moves


def test_objects_keep_their_schema():
    """One object a move, one a game; a real example of each is valid."""
    reviewed = lost()
    for move in reviewed.moves:
        jsonschema.validate(move_object(reviewed, move), MOVE)
    jsonschema.validate(game_object(reviewed), GAME)


def test_the_documents_name_the_fields_of_the_objects():
    """All of them and no others, in their order."""
    text = (Path(__file__).parent.parent / "docs/how-to/review.md").read_text()
    told = text.partition("A move has")[2]
    move = move_object(lost(), lost().moves[0])

    assert re.findall(r"`(\w+)`", told) == [*move, *move["before"], *game_object(lost())]


class HexGui:
    """The records that HexGui reads, by its grammar: nothing between a property and its values.

    It takes the game only with its size, points as names in small letters, one a value, and
    either one move in a node or none.
    """

    TOKEN = re.compile(r"\s*(?:([();])|([A-Z]{1,2})((?:\[(?:\\.|[^\]\\])*\]\s*)+))", re.DOTALL)
    POINT = re.compile(r"[a-s](?:1?[0-9])|resign")

    def __init__(self, text):
        self.nodes, self.depth, self.deepest, at = [], 0, 0, 0
        for match in self.TOKEN.finditer(text.strip()):
            assert match.start() == at, text[at : at + 40]
            at = match.end()
            sign, name, values = match.groups()
            if sign == ";":
                self.nodes.append({})
            elif sign:
                self.depth += 1 if sign == "(" else -1
                self.deepest = max(self.deepest, self.depth)
            else:
                assert name not in self.nodes[-1]
                self.nodes[-1][name] = re.findall(r"\[((?:\\.|[^\]\\])*)\]", values, re.DOTALL)
        assert (at, self.depth) == (len(text.strip()), 0)

    def check(self):
        """Check the first node and all others."""
        root, *others = self.nodes
        assert (root["GM"], root["FF"]) == (["11"], ["4"])
        assert re.fullmatch(r"\d+(:\d+)?", *root["SZ"])
        for node in others:
            assert len({"B", "W"} & set(node)) <= 1
            for name in {"B", "W", "TR", "SQ", "AB", "AW", "AE"} & set(node):
                assert all(self.POINT.fullmatch(value) for value in node[name])
            for value in node.get("LB", []):
                point, _, label = value.partition(":")
                assert self.POINT.fullmatch(point)
                assert label


@pytest.mark.parametrize("name", ["queenbee-hexy", "hexy-queenbee"])
def test_annotated_records_keep_to_the_grammar_of_hexgui(name):
    """Of both London games; with variations, comments and marks."""
    game = formats.read(formats.shipped(f"games/london-2000-{name}.sgf").read_bytes())
    text = sgf.write(annotated(review(game, EFFORTS["quick"])))
    record = HexGui(text)
    record.check()

    assert sum("C" in node for node in record.nodes) > len(game.moves)
    assert record.deepest > 1
    assert formats.read(text).moves == game.moves


def test_the_command_prints_objects_a_line():
    stdout, stderr, code = run("-", "--size", 4, "--json", stdin="a4 b2 d1 a3")
    *moves, game = map(json.loads, stdout.splitlines())

    assert (stderr, code, len(moves)) == ("", 0, 4)
    for move in moves:
        jsonschema.validate(move, MOVE)
    jsonschema.validate(game, GAME)


def test_the_report_shows_the_board_the_sparks_and_the_moves(tmp_path):
    """And writes the files that are asked for."""
    files = [tmp_path / name for name in ("r.svg", "r.html", "r.sgf")]
    words = [w for f in files for w in (f"--{f.suffix[1:]}", f)]
    stdout, _, code = run(
        "-", "--size", 4, "--ascii", "--hexworld", *words, stdin="a4 b2 d1 a3 c2 c1 b4"
    )

    assert code == 0
    assert "Turning point: move" in stdout
    assert "Black's chance by move" in stdout
    assert "! " in stdout
    assert "refuted by" in stdout
    assert "https://hexworld.org/board/#4" in stdout
    assert all(file.stat().st_size > 500 for file in files)
    assert stdout.isascii()


def test_every_move_is_shown_if_asked_for():
    stdout, _, _ = run("-", "--size", 4, "--all", stdin="a4 b2 d1 a3")

    assert all(f"{n} {cell} (" in stdout for n, cell in enumerate(("a4", "b2", "d1", "a3"), 1))


MANY = "(;GM[11]SZ[4];B[a4];W[b2];B[d1])(;GM[11]SZ[4];B[b2];W[b2])(;GM[11]SZ[4];B[c2];W[b3])"


def test_a_bad_game_among_many_is_one_line_and_the_others_go_on(tmp_path):
    """It names the place; the exit code is 3."""
    file = tmp_path / "many.sgf"
    file.write_text(MANY)
    stdout, stderr, code = run(file, tmp_path / "none.sgf")

    assert code == 3
    assert stdout.count("Effort normal") == 2
    assert stderr.splitlines() == [
        f"{file}, game 2: 1:55: illegal move 'b2': b2 is not empty",
        f"{tmp_path}/none.sgf: No such file or directory",
    ]


def test_one_of_many_games(tmp_path):
    file = tmp_path / "many.sgf"
    file.write_text(MANY)

    assert run(file, "--game", 3)[0].count("Effort normal") == 1
    assert run(file, "--game", 4)[1:] == (f"{file}: no game 4: there are 3\n", 3)


@pytest.mark.parametrize("rules", ["bidding", "random-turn", "dark-classic"])
def test_a_record_of_another_variant_is_refused(tmp_path, rules):
    file = tmp_path / "other.sgf"
    file.write_text(f"(;GM[11]SZ[4]RU[{rules}];B[a4])")
    _, stderr, code = run(file)

    assert (stderr, code) == (f"{file}: a review is not for this variant: {rules}\n", 3)


def test_rows_do_not_depend_on_the_workers_and_are_not_made_twice(tmp_path):
    """The same rows by one process and by two; a second run adds nothing."""
    file, one, two = (tmp_path / name for name in ("many.sgf", "1.jsonl", "2.jsonl"))
    file.write_text(MANY)
    stdout, _, code = run(file, "--effort", "quick", "--rows", one)
    _, _, again = run(file, "--effort", "quick", "--rows", two, "--jobs", 2)
    before = one.read_text()
    third = run(file, "--effort", "quick", "--rows", one)

    assert code == again == third[2] == 3
    assert stdout.startswith("2 games, 5 moves; effort quick")
    assert "1 could not be reviewed." in stdout
    assert sorted(one.read_text().splitlines()) == sorted(two.read_text().splitlines())
    assert (one.read_text(), third[0]) == (before, stdout)


def test_half_a_row_is_made_again(tmp_path):
    """As a killed process leaves it; the whole rows stay as they are."""
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY.replace("W[b2])", "W[b3])"))
    run(file, "--effort", "quick", "--rows", rows)
    whole = rows.read_text()
    rows.write_text(whole[: len(whole) - 40])
    _, stderr, code = run(file, "--effort", "quick", "--rows", rows)

    assert (code, rows.read_text()) == (0, whole)
    assert stderr == f"{rows}: a half-written last row is dropped\n"


@pytest.mark.parametrize("text", ["something else\n", '{"schema": "hsearch/rows/1"}\n', "half"])
def test_a_file_of_something_else_is_left_alone(tmp_path, text):
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY)
    rows.write_text(text)
    _, stderr, code = run(file, "--rows", rows)

    assert code == 3
    assert stderr.startswith(f"{rows}:1: ")
    assert rows.read_text() == text


def test_rows_of_another_effort_are_left_alone(tmp_path):
    file, rows = tmp_path / "many.sgf", tmp_path / "rows.jsonl"
    file.write_text(MANY)
    run(file, "--effort", "quick", "--rows", rows)
    _, stderr, code = run(file, "--effort", "normal", "--rows", rows)

    assert code == 3
    assert "rows of another effort or version" in stderr


@pytest.mark.parametrize(
    "words", [("--jobs", 2), ("--rows", "r", "--json"), ("--rows", "r", "--svg", "x")]
)
def test_options_that_do_not_go_together(words):
    assert run(LONDON, *words)[2] == 2


@pytest.mark.slow
def test_a_killed_run_loses_no_finished_game(tmp_path):
    """What was whole stays; the same command does the rest."""
    file, rows = tmp_path / "games.sgf", tmp_path / "rows.jsonl"
    games = [Game.of(Board(9, 9), [n, 40, 80 - n, 44, 20, 60]) for n in range(12)]
    file.write_text("".join(map(sgf.write, games)))
    words = ["review", str(file), "--effort", "quick", "--rows", str(rows), "--jobs", "2"]
    before = rows_left(words, rows, 9)
    _, _, code = run(*words[1:])
    after = rows.read_text().splitlines()

    assert (code, after[: len(before)]) == (0, before)
    assert sorted(json.loads(line)["game"] for line in after[1:]) == list(range(1, 13))


def test_who_gave_up_is_said():
    game = Game.of(Board(4, 4), [5]).append(Move(Color.WHITE, Special.RESIGN))
    stdout, _, code = run("-", stdin=sgf.write(game))

    assert code == 0
    assert "White gave up" in stdout
