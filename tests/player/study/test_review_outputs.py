"""The outputs of a review: report, chart, page, record, JSON and rows."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html import escape
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from places import ROOT
from schemas import validate

from hsearch import formats
from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.tree import main_line_length
from hsearch.render.text import quantity
from player.cli import main
from player.search.chances import BestMove
from player.study import review_page
from player.study.examine import review_game
from player.study.review import EFFORTS, SHOWN, Verdict, game_object, instead, move_object
from player.study.review_record import SIGN, annotate
from player.study.review_rows import Totals, sentences

LONDON = "positions/games/london-2000-queenbee-hexy.sgf"
CELLS = {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+[0-9]+$"}}
COLOR = {"enum": ["black", "white"]}
CHANCE = {"type": "number", "minimum": 0, "maximum": 1}
PROOF = {
    "type": ["object", "null"],
    "required": ["by", "size", "carrier"],
    "properties": {
        "by": {
            "enum": [
                "chain",
                "full",
                "semi",
                "deduction",
                "solver",
                "search",
                "memory",
                "map",
                "move",
            ]
        },
        "size": {"type": "integer", "minimum": 0},
        "carrier": {"anyOf": [CELLS, {"type": "null"}]},
    },
}
STATE = {
    "type": "object",
    "required": [
        *("turn", "proved_winner", "proof", "evaluation"),
        *("chance", "chance_by", "mustplay", "winning"),
    ],
    "additionalProperties": False,
    "properties": {
        "turn": COLOR,
        "proved_winner": {"enum": ["black", "white", None]},
        "proof": PROOF,
        "evaluation": {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]},
        "chance": CHANCE,
        "chance_by": {"enum": ["proof", "record", "net", "map", "playouts"]},
        "mustplay": CELLS,
        "winning": CELLS,
    },
}
MOVE = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("schema", "number", "color", "move", "verdict", "mistake", "basis", "before"),
        *("better", "try"),
    ],
    "properties": {
        "schema": {"const": "hsearch/review-move/2"},
        "number": {"type": "integer", "minimum": 1},
        "file": {"type": "string"},
        "game": {"type": "integer", "minimum": 1},
        "color": COLOR,
        "player": {"type": ["string", "null"]},
        "move": {"type": "string"},
        "verdict": {"type": "string"},
        "mistake": {"type": "boolean"},
        "basis": {"type": "string"},
        "fell": {"type": "number", "minimum": -1, "maximum": 1},
        "refutation": {**CELLS, "maxItems": 10},
        "better": {**CELLS, "maxItems": 10},
        "try": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["cell", "winner", "chance", "visits", "line"],
            "properties": {
                "cell": {"type": "string"},
                "winner": {"enum": ["black", "white", None]},
                "chance": {"anyOf": [CHANCE, {"type": "null"}]},
                "visits": {"type": "integer", "minimum": 0},
                "line": CELLS,
            },
        },
        "before": STATE,
        "after": STATE,
    },
}
GAME = {
    "type": "object",
    "required": [
        *("schema", "effort", "winner", "proved_winner"),
        *("turning_point", "last_mistake", "proved_losses"),
    ],
    "properties": {
        "schema": {"const": "hsearch/review/2"},
        "outcome": {
            "type": ["object", "null"],
            "required": ["winner", "player", "by"],
            "properties": {
                "by": {"enum": ["chain", "resigned", "forfeited", "lost_on_time", None]},
            },
        },
        "winner": {"enum": ["black", "white", None]},
        "proved_winner": {"enum": ["black", "white", None]},
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
    """Return the review of a small game with mistakes and with names that contain markup."""
    info = (("PB", names[0]), ("PW", names[1]))
    board = Board(4, 4)
    game = Game.of(board, map(board.cell, ("a4", "b2", "d1", "a3", "c2", "c1", "b4")), info=info)
    return review_game(game, EFFORTS["deep"])


def run(*words, stdin=None):
    result = CliRunner().invoke(main, ["review", *map(str, words)], input=stdin)
    return result.stdout, result.stderr, result.exit_code


def test_the_small_game_has_mistakes_refutations_and_better_moves():
    moves = lost().moves

    assert sum(move.is_mistake for move in moves) >= 2
    assert any(move.refutation for move in moves)
    assert any(move.better for move in moves)


def test_the_annotated_record_has_the_same_main_line():
    """The record reads as the same game with variations, and its marks are true."""
    reviewed = lost()
    game = formats.read(sgf.write(annotate(reviewed)))
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


def test_variations_equal_the_lines_of_the_review():
    """A refutation follows its move, and a better line is beside it."""
    reviewed = lost()
    game = annotate(reviewed)
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


def tried():
    """Return the review `lost` with a best try in place of the first better move, and that move."""
    reviewed = lost()
    move = next(each for each in reviewed.moves if each.better)
    best = BestMove(move.better[0], None, 0.4, 100, move.better)
    open_move = replace(move, better=(), best_try=best)
    moves = tuple(open_move if each is move else each for each in reviewed.moves)
    return replace(reviewed, moves=moves), open_move


def test_the_record_has_the_best_try_as_a_variation():
    """It begins beside the move, has the moves that the text names, and is replaced like a win."""
    reviewed, move = tried()
    game = formats.read(sgf.write(annotate(reviewed)))
    (number,) = (at for at, node in enumerate(game.nodes) if SIGN + "best try" in node.comment)
    parents = {(at, node.parent) for at, node in enumerate(game.nodes)}
    words = f"{SIGN}best try: estimated 40 %; whether it holds is not known."
    line = [game.nodes[number]]
    while (number + len(line), number + len(line) - 1) in parents:
        line.append(game.nodes[number + len(line)])
    cells = [node.move.cell for node in line]

    assert len(move.best_try.line) > SHOWN == len(cells)
    assert cells == list(move.best_try.line[:SHOWN])
    assert game.nodes[number].comment == words
    assert game.nodes[number].parent == move.number - 1
    assert game.nodes[number].move.color is move.move.color
    assert sgf.write(annotate(replace(lost(), game=game))) == sgf.write(annotate(lost()))


def test_the_record_reports_where_no_better_move_is_known():
    """Only a marked move with neither a better move nor a best try has that sentence."""
    reviewed, move = tried()
    bare = replace(move, best_try=None)
    moves = tuple(bare if each is move else each for each in reviewed.moves)
    line = annotate(replace(reviewed, moves=moves)).main_line[1:]

    words = "No better move is known."
    assert [node.comment.endswith(words) for node in line] == [each is bare for each in moves]
    assert words not in sgf.write(annotate(reviewed))


def test_the_page_has_what_the_text_says_of_each_move():
    """Refutations, better moves and the best try are in the table and beside the board."""
    reviewed, open_move = tried()
    html = review_page.write_page(reviewed)
    positions = review_page.data(reviewed)["positions"]

    assert sum(len([*instead(reviewed, move)]) for move in reviewed.notable) >= 4
    for move in reviewed.moves:
        words = [f"{each[0].upper()}{each[1:]}." for each in (move.basis, *instead(reviewed, move))]
        assert positions[move.number]["why"] == " ".join(words)
        assert (f"<td>{'<br>'.join(map(escape, words))}</td>" in html) == move.verdict.is_notable
    assert ". Best try c2, then" in positions[open_move.number]["why"]


def test_a_record_reviewed_again_is_annotated_once():
    """A new review replaces the annotations of the previous one."""
    game = lost().game
    commented = Game(game.board, (game.nodes[0], *game.nodes[1:]), game.info)
    once = annotate(review_game(commented, EFFORTS["deep"]))
    twice = annotate(review_game(once, EFFORTS["deep"]))

    assert sgf.write(twice) == sgf.write(once)


def test_a_review_removes_the_marks_of_an_earlier_one():
    """A review that proves a win removes an older one's marks of the weakest links."""
    game = Game.of(Board(5, 5), ["a3", "d3", "c4", "d4", "c5", "b3"])
    # On 5x5 the solver never needs its time: no result depends on the speed of the machine.
    weak, quick = (replace(EFFORTS["quick"], search=search) for search in (0.0, 60.0))
    once, plain = (annotate(review_game(game, effort)) for effort in (weak, quick))
    marked = replace(once.nodes[3], properties=(*once.nodes[3].properties, ("MA", ("e5",))))
    twice = annotate(review_game(replace(once, nodes=(*once.nodes[:3], marked)), quick))
    fresh = annotate(review_game(game.cut(3), quick))

    assert sgf.write(annotate(review_game(once, quick))) == sgf.write(plain)
    assert sgf.write(once) != sgf.write(plain)
    assert ("MA", ("e5",)) in twice.nodes[3].properties
    assert sum(name == "HO" for node in twice.nodes for name, _ in node.properties) <= 1
    assert len(twice.main_line) == len(fresh.main_line)


def test_a_review_line_promoted_to_the_main_line_is_preserved():
    """It was left out, and the review of its moves was written at those of a variation."""
    ours = f"W[c2]C[{SIGN}White wins so.];B[a3];W[c3];B[b4]"
    for text in (f"(;GM[11]SZ[4];B[b2];{ours})", f"(;GM[11]SZ[4];B[b2](;{ours})(;W[b3];B[a4]))"):
        game = formats.read(text)
        reviewed = review_game(game, EFFORTS["quick"])
        written = annotate(reviewed)

        assert [node.move for node in written.main_line] == [node.move for node in game.main_line]
        for node, move in zip(written.main_line[1:], reviewed.moves, strict=True):
            assert node.comment.startswith(f"{SIGN}{move.word}: {move.basis}.")


def test_existing_comments_marks_and_variations_remain():
    text = "(;FF[4]GM[11]SZ[3];B[b2]C[good]TR[a1]CR[c3](;W[a3];B[c1])(;W[c1]C[why not?]))"
    game = formats.read(text)
    written = formats.read(sgf.write(annotate(review_game(game, EFFORTS["quick"]))))
    first = written.main_line[1]

    assert first.comment.startswith("good\n\n" + SIGN)
    assert dict(first.properties)["CR"] == ("c3",)
    assert "a1" in dict(first.properties)["TR"]
    assert any(node.comment == "why not?" for node in written.nodes)


@pytest.mark.parametrize("comment", ["", "a", "a\n", "a\n\n", "a\n\n\n\nb", "\n\na", "a\n\n\nb"])
def test_comments_of_people_keep_their_blank_lines(comment):
    """One comment of ours stands below that of people, however often the game is reviewed."""
    game = Game.of(Board(3, 3), [4, 0])
    commented = replace(game.nodes[1], comment=comment)
    game = replace(game, nodes=(game.nodes[0], commented, game.nodes[2]))
    once = annotate(review_game(game, EFFORTS["quick"]))
    twice = annotate(review_game(once, EFFORTS["quick"]))
    first, second = once.nodes[1].comment, twice.nodes[1].comment

    assert first == second
    assert first.partition(SIGN)[0] == comment + "\n\n" * bool(comment)
    assert first.count(SIGN) == 1


def test_a_marked_point_gets_no_second_mark():
    """FF[4] allows one of TR, SQ, CR, MA and SL for a point."""
    shapes = {"CR": ("b3",), "MA": ("a3",), "SL": ("a4",), "LB": ("d1:x",)}
    game = Game.of(Board(4, 4), ["b2", "c2"])
    own = {name: values for name, values in _marks(game) if name in {"TR", "SQ"}}
    marked = replace(game.nodes[2], properties=tuple(shapes.items()))
    ours = dict(_marks(replace(game, nodes=(*game.nodes[:2], marked))))

    assert {"b3", "a4"} <= {cell for cells in own.values() for cell in cells}
    assert {name: ours[name] for name in shapes} == shapes
    for name, cells in own.items():
        assert not set(ours.get(name, ())) & {"b3", "a3", "a4", "d1"}
        assert set(ours.get(name, ())) == set(cells) - {"b3", "a3", "a4", "d1"}


def _marks(game):
    """Return a quick review's properties on the last node of the game."""
    return annotate(review_game(game, EFFORTS["quick"])).main_line[-1].properties


def test_marks_have_values_that_hexgui_reads():
    """The record has size and game; values are cells, labeled cells or known numbers."""
    text = sgf.write(annotate(lost()))

    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]")
    for name, values in re.findall(r"\b(TR|SQ|LB|BM|DO|TE|HO|GB|GW)((?:\[[^\]]*\])+)", text):
        for value in re.findall(r"\[([^\]]*)\]", values):
            pattern = {"LB": r"[a-z]+\d+:[123]", "TR": r"[a-z]+\d+", "SQ": r"[a-z]+\d+"}
            assert re.fullmatch(pattern.get(name, "[12]"), value)


def test_the_chart_is_svg_with_a_title_and_a_description():
    """The chart is XML with a title, a description, the mistakes and the turning point."""
    reviewed = lost()
    drawing = review_page.picture(reviewed)
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


def test_the_page_is_self_contained_and_escapes_names():
    """The only address is SVG's, and names and data are escaped."""
    html = review_page.write_page(lost())
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


def test_a_page_without_notable_moves_makes_no_false_claim():
    """If all of the loser's moves lose, the page does not say that none does."""
    reviewed = review_game(Game.of(Board(3, 3), ["b2", "a1", "c1", "c2", "b3"]), EFFORTS["quick"])

    assert {move.verdict for move in reviewed.moves} == {Verdict.WINS, Verdict.LOST}
    assert "<p>None: no move is proved to change who wins" in review_page.write_page(reviewed)


def test_a_page_reports_how_many_moves_its_table_omits(monkeypatch):
    reviewed = lost()
    whole = review_page.write_page(reviewed)
    monkeypatch.setattr(review_page, "_MOST", 1)
    left = quantity(len(reviewed.notable) - 1, "more move")

    assert "of this kind: step" not in whole
    assert f"<p>{left} of this kind: step" in review_page.write_page(reviewed)


@pytest.mark.parametrize("moves", [0, 1])
def test_a_game_of_very_few_moves_can_be_drawn(moves):
    reviewed = review_game(Game.of(Board(3, 3), range(moves)), EFFORTS["quick"])

    ET.fromstring(review_page.picture(reviewed))  # noqa: S314 - our own
    assert f'max="{moves}"' in review_page.write_page(reviewed)
    assert annotate(reviewed).moves == reviewed.game.moves


def test_review_objects_match_their_schema():
    """Each move's and the game's object is valid."""
    reviewed = lost()
    for move in reviewed.moves:
        validate(move_object(reviewed, move), MOVE)
    validate(game_object(reviewed), GAME)


def test_the_documentation_lists_the_fields_of_the_objects():
    """The page lists all fields and no others, in their order."""
    text = (ROOT / "docs/how-to/review.md").read_text()
    told = text.partition("A move has")[2]
    move = move_object(lost(), lost().moves[0])

    fields = [*move, *move["before"], *game_object(lost()), "file", "game"]
    assert re.findall(r"`(\w+)`", told) == fields


def test_each_game_is_named_in_json(tmp_path):
    """Each game has its file and its number there, also after an unreadable one."""
    (tmp_path / "a.sgf").write_text("(;GM[11]SZ[3];B[b2])(;GM[11]SZ[3];B[z9])(;GM[11]SZ[3];B[a1])")
    (tmp_path / "b.sgf").write_text("(;GM[11]SZ[3];B[b2])")
    files = [tmp_path / name for name in ("a.sgf", "b.sgf")]
    stdout, _, code = run(*files, "--json", "--effort", "quick")
    games = [thing for thing in map(json.loads, stdout.splitlines()) if "outcome" in thing]

    assert code == 3
    assert [(each["file"], each["game"]) for each in games] == [
        (str(files[0]), 1),
        (str(files[0]), 3),
        (str(files[1]), 1),
    ]


class HexGui:
    """Parse records by HexGui's grammar: nothing between a property and its values.

    It requires a size, points as names in small letters, one for each value, and
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
def test_annotated_records_keep_to_the_grammar_of_hexgui(london_review, name):
    """Both London games do, with variations, comments and marks."""
    reviewed = london_review(f"london-2000-{name}")
    game, text = reviewed.game, sgf.write(annotate(reviewed))
    record = HexGui(text)
    record.check()

    assert sum("C" in node for node in record.nodes) > len(game.moves)
    assert record.deepest > 1
    assert formats.read(text).moves == game.moves


def test_phases_are_named_by_how_full_the_board_is():
    """Phases are named by how full the board is: move 37 of 48 may be in the first third."""
    losses = Counter({("black", "opening"): 1, ("white", "end"): 2})
    found = Totals(3, 0, 150, losses, Counter(), 2, 43.5, 0.9)
    said = sentences(found, "quick")

    assert said[1] == (
        "Proved losses: black 1 (1 on a board up to a third full, 0 up to two thirds, 0 fuller); "
        "white 2 (0 on a board up to a third full, 0 up to two thirds, 2 fuller)."
    )
    assert said[-1] == (
        "The winner is proved at the end of 2 games, by the median from move 43.5 on, after 90 % "
        "of the game."
    )
