"""`hsearch analyze`: JSON as in the contract, words for people, and pictures."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from places import ROOT
from schemas import CELL, CELLS, COUNT, fields, validate

from hsearch import formats
from hsearch.analysis.circuit import WIRINGS
from hsearch.formats import suite
from hsearch.hex.board import Color
from player.answers.analysis import Analysis
from player.answers.candidates import winning_moves
from player.cli import main
from player.solve.verify import verify

GAMES = (
    "positions/games/london-2000-queenbee-hexy.sgf",
    "positions/games/london-2000-hexy-queenbee.sgf",
)
SUITES = sorted(
    path for room in ("puzzles", "templates") for path in (ROOT / "positions" / room).glob("*.txt")
)
COLOR = {"enum": ["black", "white"]}
NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}


def both(schema):
    """Return the schema of an object with one entry per player."""
    return fields(black=schema, white=schema)


POSITION = fields(columns=COUNT, rows=COUNT, black=CELLS, white=CELLS, turn=COLOR)
JOINED = {"enum": ["chain", "full", "semi", None]}
BY = ("resigned", "forfeited", "lost_on_time")
PROOF = {
    "enum": ["chain", "full", "semi", "solver", "search", "memory", "map", "record", *BY, None]
}
WINNER = {
    "winner": {"enum": ["black", "white", None]},
    "proof": PROOF,
    "proved_winner": {"enum": ["black", "white", None]},
    "proved_by": {"enum": ["chain", "full", "semi", "solver", "search", "memory", "map", None]},
}
OUTCOME = {"anyOf": [fields(winner=COLOR, by={"enum": [*BY, None]}), {"type": "null"}]}
BEST_MOVE = fields(
    cell=CELL,
    winner={"enum": ["black", "white", None]},
    chance={"type": ["number", "null"]},
    visits=COUNT,
    line=CELLS,
)
BEST = fields(
    before_swap={"type": "boolean"},
    winner={"enum": ["black", "white", None]},
    simulations=COUNT,
    looks=COUNT,
    moves={"type": "array", "items": BEST_MOVE, "maxItems": 5},
)
ANALYSIS = fields(
    schema={"const": "hsearch/analysis/1"},
    engine=fields(name={"const": "hsearch"}, version={"type": "string"}),
    position=POSITION,
    limits=fields(
        engine={"const": "mk"},
        knowledge={"enum": ["rules", "local", "all"]},
        M=COUNT,
        semis=COUNT,
        K=COUNT,
        edge_pivot={"type": "boolean"},
        greedy_union={"type": "boolean"},
        templates={"type": "boolean"},
        deduction={"enum": [0, 1, 2, 3]},
        searches={"type": ["integer", "null"]},
        complete={"type": "boolean"},
    ),
    solver={"type": "number"},
    outcome=OUTCOME,
    before_swap={"type": "boolean"},
    **WINNER,
    chance={"type": "number", "minimum": 0, "maximum": 1},
    chance_by={"enum": ["proof", "record", "tree", "net", "map", "playouts"]},
    winning_move={"anyOf": [CELL, {"type": "null"}]},
    edge_to_edge=both(JOINED),
    mustplay=CELLS,
    counts=both(fields(full=COUNT, semi=COUNT)),
    circuit=fields(links={"enum": list(WIRINGS)}, black=NUMBER, white=NUMBER, evaluation=NUMBER),
    moves={"type": "array", "items": fields(cell=CELL, weak_link=NUMBER)},
    seconds={"type": "object", "additionalProperties": {"type": "number"}},
    best_moves=fields(
        player={"type": ["string", "null"]},
        by_turn={"type": "object", "additionalProperties": BEST},
    ),
)


def run(*arguments, stdin=None):
    """Run a command in this process and return its output; fail if it fails."""
    result = CliRunner().invoke(main, arguments, input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def analysis(*arguments, stdin=None):
    """Return the object that `hsearch analyze --json` prints."""
    text = run("analyze", *arguments, "--json", stdin=stdin)
    assert text.count("\n") == 1
    return json.loads(text)


def order(schema, thing):
    """Check that an object and its parts have their fields in the order of the schema."""
    if isinstance(thing, dict) and "properties" in schema:
        assert list(thing) == list(schema["properties"])
        for name, value in thing.items():
            order(schema["properties"][name], value)


@pytest.mark.parametrize(
    ("stdin", "arguments"),
    [
        ("b2", ["--size", "3"]),
        ("a1", ["--size", "1"]),
        ("a1", ["--size", "1", "--move", "0"]),
        ("b2 c1 a1", ["--size", "5x2"]),
        ("B . W\n W B .\n  . B W\n", ["--turn", "white"]),
        ("c3", ["--size", "5", "--M", "3", "--K", "2", "--edge-pivot", "--no-greedy-union"]),
    ],
)
def test_the_json_object_follows_its_schema_in_order(stdin, arguments):
    """Fields, order and types follow the contract, also before and after a game."""
    found = analysis("-", *arguments, stdin=stdin)

    validate(found, ANALYSIS)
    order(ANALYSIS, found)


UNKNOWN = "B B B . .\n . . W . .\n  . B . . .\n   . . . . .\n    . . . . .\n"


def test_a_position_without_a_turn_is_read():
    """Without a turn there is a line per player, and both answers with null where they differ."""
    text = CliRunner().invoke(main, ["analyze", "-"], input=UNKNOWN).stdout
    thing = analysis("-", stdin=UNKNOWN)
    turned = {turn: analysis("-", "--turn", turn, stdin=UNKNOWN) for turn in ("black", "white")}

    assert "5x5, black or white to move." in text
    for color in ("Black", "White"):
        assert f"\nIf {color} is to move: Proved: {color}, who is to move, wins: " in text
    assert (
        thing["position"]["turn"] is thing["winner"] is thing["proof"] is thing["mustplay"] is None
    )
    assert thing["circuit"] == turned["black"]["circuit"] == turned["white"]["circuit"]
    for turn, answer in thing["by_turn"].items():
        assert answer == {name: turned[turn][name] for name in answer}


def test_a_win_independent_of_the_turn_has_a_winner_and_a_proof():
    """A win that does not depend on the turn is reported once, with winner and proof."""
    won = "B . . .\n . B . .\n  . B . .\n   . B . .\n"
    thing = analysis("-", stdin=won)

    assert (thing["winner"], thing["proof"]) == ("black", "full")
    assert thing["by_turn"]["black"]["proof"] == thing["by_turn"]["white"]["proof"] == "full"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("move", [0, 1, 25, None])
def test_json_of_real_games_agrees_with_the_analysis(game, move):
    """The JSON object agrees with `Analysis` on real games."""
    found = analysis(game, *([] if move is None else ["--move", str(move)]))
    with formats.find_shipped(game).open() as stream:
        record = formats.read(stream.read())
    position = record.position(move)
    expected = Analysis(position, ended=record.ending(move))
    board = position.board

    validate(found, ANALYSIS)
    assert found["position"]["black"] == board.names(position.black)
    assert found["winner"] == (None if expected.winner is None else expected.winner.word)
    assert found["proof"] == expected.proof
    assert found["mustplay"] == board.names(expected.mustplay.cells)
    assert [entry["cell"] for entry in found["moves"]] == [
        board.name(cell) for cell, _ in expected.circuits.weak_links
    ]


def test_limits_shrinking_does_not_report_m_or_k():
    """With --limits shrinking, M and K are neither named as limits nor proposed."""
    words = ["analyze", "-", "--size", "9", "--limits", "shrinking"]
    output = CliRunner().invoke(main, words, input="a9 i1").stdout

    assert "(of a pair those are kept that share fewer cells: there may be more)." in output
    assert "M=" not in output
    assert "--M" not in output
    assert re.search(r"Next: hsearch analyze .*--limits mk  ", output)


def test_limits_none_is_rejected_with_an_alternative():
    """`--limits none` is refused with a line that says how to search without limits."""
    done = CliRunner().invoke(main, ["analyze", "-", "--size", "3", "--limits", "none"], input="")

    assert done.exit_code == 2
    assert "to search without limits, give M and K as 1000000" in done.stderr.splitlines()[-1]


def test_local_knowledge_proves_what_the_rules_leave_open():
    """Local knowledge proves a position that the rules leave open."""
    moves = "f7 f4 h3 g5 i4 h6 c6 e3 c4 c5 b6 b5 e4 d5 e5 f3 d4 c3"
    plain, local, every = (
        analysis("-", "--size", "9", "--knowledge", knowledge, "--solver", "0", stdin=moves)
        for knowledge in ("rules", "local", "all")
    )

    assert (plain["winner"], plain["proof"]) == (None, None)
    assert local["limits"]["knowledge"] == "local"
    assert (local["winner"], local["proof"]) == ("white", "full")
    assert every["winner"] == "white"
    assert local["mustplay"] == []
    assert plain["circuit"] == local["circuit"]


PROVED_BY = [  # move lists: over, by a full, by the map of 7x7, by the solver
    ("3", "a1 b1 a2 b2 a3", "chain"),
    ("3", "b2", "full"),
    ("7", "b2", "map"),
    ("6", "a1", "solver"),
]


@pytest.mark.parametrize(("size", "moves", "by"), PROVED_BY)
def test_each_kind_of_proof_is_written_to_a_proof_file(tmp_path, size, moves, by):
    path = tmp_path / "proof.jsonl"
    line = ["analyze", "-", "--size", size, "--json", "--proof", str(path)]
    result = CliRunner().invoke(main, line, input=moves)

    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    shown = verify(path.read_text())
    assert (found["proof"], found["winner"]) == (by, shown.winner.word)
    assert shown.position.black.count() == (len(moves.split()) + 1) // 2


BY_TREE = [["--time", "20"], ["--player", "tree:patterns=none,simulations=5000"]]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("search", BY_TREE)
def test_a_win_that_the_tree_finds_can_be_written(tmp_path, search, as_json):
    """The proof is written after the search: once the command said that none is known."""
    path = tmp_path / "c1.proof"
    line = ["analyze", "c1 b4", "--size", "6", "--solver", "0", *search, "--proof", str(path)]
    result = CliRunner().invoke(main, [*line, *["--json"] * as_json])

    assert result.exit_code == 0, result.output
    assert verify(path.read_text()).winner is Color.BLACK
    if as_json:
        assert json.loads(result.stdout)["proved_by"] == "search"
    else:
        assert "Proved by search: Black" in result.stdout


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_known_proof_is_written_before_the_best_moves_are_searched(tmp_path, more, monkeypatch):
    """The search would use up its time first, and need not search once there is a proof."""
    path, is_written = tmp_path / "d2.proof", []

    def search(analysis, _seconds):
        is_written.append(path.exists())
        return winning_moves(analysis)

    monkeypatch.setattr("player.cli.analyze.best_moves", search)
    line = ["analyze", "d2", "--size", "5", "--time", "9", *more, "--proof", str(path)]
    result = CliRunner().invoke(main, line)

    assert result.exit_code == 0, result.output
    assert is_written == [True]


@pytest.mark.parametrize("command", ["analyze", "mustplay", "explain"])
def test_each_command_that_names_a_proof_by_search_writes_it(tmp_path, command):
    """It writes the proof, and names the command that checks it."""
    path = tmp_path / "c 1.proof"
    line = [command, "c1 b4", "--size", "6", "--proof", str(path)]
    result = CliRunner().invoke(main, line)

    assert result.exit_code == 0, result.output
    assert verify(path.read_text()).winner is Color.BLACK
    last = result.stdout.splitlines()[-1]
    assert last == f"Next: hsearch verify '{path}'   check the proof"


def test_a_proof_of_other_points_or_of_an_open_position_is_refused(tmp_path):
    """`explain` writes only the proof of who wins, and no command one that is not known."""
    path = tmp_path / "none.proof"
    for more in (["--between", "d4", "south"], ["--between", "north", "south", "--within", "d4"]):
        line = ["explain", "c1 b4 d4", "--size", "6", *more, "--proof", str(path)]
        result = CliRunner().invoke(main, line)
        assert (result.exit_code, "about who wins" in result.stderr) == (2, True)
    line = ["mustplay", "d4 f6", "--size", "9", "--proof", str(path)]
    result = CliRunner().invoke(main, line)
    assert (result.exit_code, "not proved" in result.stderr) == (3, True)
    assert not path.exists()


@pytest.mark.parametrize("command", ["analyze", "mustplay", "explain"])
def test_a_proof_by_a_map_alone_has_a_time_limit(tmp_path, command, monkeypatch):
    """The map proves who wins, but the proof itself takes minutes: it is given up, in a line."""
    path = tmp_path / "a3.proof"
    monkeypatch.setattr("player.console.question.PROOF_SECONDS", 0.2)
    monkeypatch.setattr("player.solve.pair.PAIR_SECONDS", 0.2)
    for limit, seconds in ((["--time", "0.1"], "0.1"), ([], "0.2")):
        line = [command, "a3", "--size", "8", *limit, "--proof", str(path)]
        result = CliRunner().invoke(main, line)
        why = f"the proof is not written: {seconds} s were too short"
        assert result.exit_code == 3, result.output
        assert result.stderr == f"{path}: {why}; --time {10 * float(seconds):g} looks further\n"
    assert not path.exists()


def test_what_explain_alone_proves_is_written(tmp_path, monkeypatch):
    """`explain` asks the solver for longer than the analysis does."""
    path = tmp_path / "c1.proof"
    monkeypatch.setattr("player.cli.explain.SEARCH_SECONDS", 0)
    line = ["explain", "c1 b4", "--size", "6", "--between", "north", "south"]
    result = CliRunner().invoke(main, [*line, "--proof", str(path)])

    assert result.exit_code == 0, result.output
    assert verify(path.read_text()).winner is Color.BLACK


def test_proved_moves_are_in_the_json_without_a_search():
    """Best moves that are proved cost nothing; without a search `player` is null."""
    won, lost, open_ = (
        analysis(moves, "--size", side)["best_moves"]
        for moves, side in (("a2 d4 c3 b2", "5"), ("c3", "5"), ("d4 f6", "9"))
    )

    assert [each["player"] for each in (won, lost, open_)] == [None] * 3
    (moves,) = won["by_turn"].values()
    assert moves["winner"] == "black"
    assert "b4" in {each["cell"] for each in moves["moves"]}
    assert {each["winner"] for each in moves["moves"]} == {"black"}
    assert lost["by_turn"]["white"]["winner"] == "black"
    assert [next(iter(each["by_turn"].values()))["moves"] for each in (lost, open_)] == [[], []]


def test_the_output_lists_the_requested_limits():
    """The limits in the object are those requested, and `complete` is false if they bound."""
    tight = analysis("-", "--size", "5", "--M", "1", "--K", "2", "--no-greedy-union", stdin="c3")
    wide = analysis("-", "--size", "3", "--M", "900", "--K", "90", "--edge-pivot", stdin="b2")

    assert tight["limits"] | {"engine": 0} == {
        "engine": 0,
        "knowledge": "rules",
        "M": 1,
        "semis": 2,
        "K": 2,
        "edge_pivot": False,
        "greedy_union": False,
        "templates": False,
        "deduction": 0,
        "searches": None,
        "complete": False,
    }
    assert wide["limits"]["edge_pivot"]
    assert wide["limits"]["complete"]


def test_switches_are_off_by_default_and_can_be_set():
    """Each switch is off by default, and can be turned off explicitly."""
    on = ["--templates", "--edge-pivot", "--deduction", "2", "--searches", "50"]
    off = ["--no-templates", "--no-edge-pivot", "--deduction", "0"]
    first, second, third = (
        analysis("-", "--size", "3", *more, stdin="b2")["limits"] for more in (on, off, [])
    )

    assert [first[name] for name in ("templates", "edge_pivot")] == [True, True]
    assert (first["deduction"], first["searches"]) == (2, 50)
    assert second == third


def test_deduction_proves_what_h_search_leaves_open():
    """Deduction proves a position of 4x4 that H-search leaves open, and empties the must-play."""
    alone, deduced = (
        analysis("-", "--size", "4", "--solver", "0", *more, stdin="d1 c1 a1")
        for more in ([], ["--deduction", "1"])
    )
    validate(deduced, ANALYSIS)

    assert alone["winner"] is None
    assert (deduced["winner"], deduced["proof"]) == ("black", "full")
    assert deduced["mustplay"] == []


def test_json_differs_only_in_times_between_runs():
    """The same input gives the same JSON, apart from the times."""
    texts = [run("analyze", GAMES[0], "--move", "20", "--json") for _ in range(2)]
    first, second = (re.sub(r'"seconds": \{[^}]*\}', "", text) for text in texts)

    assert first == second


@pytest.mark.parametrize(
    "arguments",
    [
        ["--M", "0"],
        ["--K", "x"],
        ["--M", "-3"],
        ["--k", "3"],
        ["--deduction", "4"],
        ["--searches", "0"],
        ["--json", "--nonsense"],
    ],
)
def test_impossible_limits_are_wrong_usage(arguments):
    """Impossible limits are wrong usage."""
    result = CliRunner().invoke(main, ["analyze", "-", *arguments], input="a1")

    assert result.exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_json_and_text_agree_on_the_winner_of_each_london_position(game):
    """For every move of the London games, JSON and words agree on the winner."""
    moves = len(formats.read(formats.find_shipped(game).read_bytes()).moves)
    for move in range(moves + 1):
        found = analysis(game, "--move", str(move), "--solver", "0")
        text = run("analyze", game, "--move", str(move), "--solver", "0")

        validate(found, ANALYSIS)
        assert ("Who wins is unknown" in text) == (found["winner"] is None)
        if found["winner"] is not None:
            assert re.search(rf"^(Proved: )?{found['winner'].capitalize()}\b", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.name)
def test_each_position_of_a_suite_is_chosen_by_its_id(path):
    """Each position of a suite is chosen by `--id`; without it the error lists the names."""
    entries = suite.read(path.read_text())
    for entry in entries:
        validate(analysis(str(path), "--id", entry.id, "--solver", "0"), ANALYSIS)
    without = CliRunner().invoke(main, ["analyze", str(path)])

    assert without.exit_code == (3 if len(entries) > 1 else 0)
    assert len(entries) == 1 or entries[0].id in without.stderr


@pytest.mark.parametrize(
    ("text", "columns"),
    [("https://hexworld.org/board/#5,c3b4d2", 5), ("#7,a1", 7), ("a1 b2 c3", 11), ("4,c2", 4)],
)
def test_links_and_move_lists_from_stdin(text, columns):
    """The format of standard input is detected from its text."""
    assert analysis("-", stdin=text)["position"]["columns"] == columns


@pytest.mark.slow
def test_compiling_is_announced_in_one_line_and_only_then():
    """Compiling two signatures of a kernel is announced in one line."""
    program = """
import sys, numba
from player.console.compiling import announce_compiling, has_compiled
announce_compiling()

@numba.njit
def double(x):
    return 2 * x

print(has_compiled(), double(1), double(1.5), has_compiled())
"""
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert result.stdout == "False 2 3.0 True\n"
    assert result.stderr == "compiling kernels, kept for later runs ...\n"


def test_results_before_a_swap_state_that_they_assume_no_swap():
    """Before a swap each sentence says that it assumes no swap; with setup stones none does."""
    record = "(;GM[11]FF[4]SZ[5]RU[swap];B[c3];W[swap-pieces])"
    text = CliRunner().invoke(main, ["analyze", record, "--move", "1"]).stdout
    swapped = CliRunner().invoke(main, ["analyze", record]).stdout
    two = "(;GM[11]FF[4]SZ[5]RU[swap]AB[c3][d3])"
    setup = CliRunner().invoke(main, ["analyze", two, "--turn", "white"])

    assert "White may swap, and should. c3 is proved to win" in text
    assert "If nobody swaps: Proved: Black wins" in text
    assert "If nobody swaps: Must-play for White: none" in text
    assert "nobody swaps" not in swapped
    assert (setup.exit_code, "nobody swaps" in setup.stdout) == (0, False)
