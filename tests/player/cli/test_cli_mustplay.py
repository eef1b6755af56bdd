"""`hsearch mustplay`: the region, the threats, and output for decided games."""

import json

import pytest
from click.testing import CliRunner
from schemas import validate
from test_cli_analyze import CELLS, GAMES, OUTCOME, POSITION, WINNER, fields
from test_cli_connections import CONNECTION

import hsearch
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.cli import main

MUSTPLAY = fields(
    schema={"const": "hsearch/mustplay/2"},
    position=POSITION,
    limits={"type": "object"},
    outcome=OUTCOME,
    before_swap={"type": "boolean"},
    **WINNER,
    win={"anyOf": [{"type": "null"}, CONNECTION]},
    mustplay=CELLS,
    lost={"type": "boolean"},
    forced={"type": "boolean"},
    threats={
        "type": "array",
        "items": fields(**CONNECTION["properties"], rules_out=CELLS),
    },
)


def said(*arguments, stdin=None):
    """Return what `hsearch mustplay` prints."""
    result = CliRunner().invoke(main, ["mustplay", *arguments], input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def found(*arguments, stdin=None):
    """Return the object that `--json` prints, checked by the schema."""
    thing = json.loads(said(*arguments, "--json", stdin=stdin))
    validate(thing, MUSTPLAY)
    return thing


UNKNOWN = "B B B . .\n . . W . .\n  . B . . .\n   . . . . .\n    . . . . .\n"


def test_a_position_without_a_turn_is_read():
    """Without a turn there is a line per player, and both answers with null where they differ."""
    lines = said("-", stdin=UNKNOWN).splitlines()
    thing = json.loads(said("-", "--json", stdin=UNKNOWN))
    turned = {turn: found("-", "--turn", turn, stdin=UNKNOWN) for turn in ("black", "white")}

    assert "If Black is to move: Black wins by playing c3, inside" in "\n".join(lines)
    assert "If White is to move: White wins by playing c3, inside" in "\n".join(lines)
    assert thing["position"]["turn"] is thing["winner"] is thing["proof"] is None
    assert thing["mustplay"] is thing["threats"] is None
    assert thing["lost"] is False
    for turn, answer in thing["by_turn"].items():
        assert answer == {name: turned[turn][name] for name in answer}
    assert said("-", "--turn", "white", stdin=UNKNOWN).count("is to move") == 0


def by_row(cell):
    return int(cell[1:]), cell[0]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("move", ["0", "30", "36", "45", "48"])
def test_the_threats_account_for_every_empty_cell(game, move):
    """Each empty cell is in the region or is first ruled out by exactly one threat.

    A move that no threat rules out may still lose by a search.
    """
    thing = found(game, "--move", move)
    board = {f"{chr(97 + n % 11)}{n // 11 + 1}" for n in range(121)}
    empty = board - set(thing["position"]["black"]) - set(thing["position"]["white"])
    ruled_out = [cell for threat in thing["threats"] for cell in threat["rules_out"]]

    left = empty - set(ruled_out)
    assert len(ruled_out) == len(empty) - len(left)
    loses = thing["winner"] not in {None, thing["position"]["turn"]}
    is_searched = loses and thing["proof"] == "solver"
    assert thing["mustplay"] == ([] if is_searched else sorted(left, key=by_row))
    for threat in thing["threats"]:
        assert threat["kind"] == "full" or not set(threat["rules_out"]) & set(threat["carrier"])
        assert set(thing["mustplay"]) <= set(threat["carrier"])


def test_a_forced_move_is_printed_with_region_and_threats():
    """A forced move is printed with the region, numbered threats, and the cells each rules out."""
    text = said(GAMES[0], "--move", "23", "--ascii")

    assert "White must play on g1 h1 c7 d7 c9 b10 a11 b11 (*); any other move loses." in text
    assert "   threat 1: Black b10, with g1 h1 c7 d7 b9 c9" in text
    assert "2 more threats rule out nothing else." in text
    assert "  9  1 2 * 1 1 1 1 1 1 1 1  9" in text
    assert "Proved" not in text


def test_a_proved_winning_move_is_printed_before_the_region():
    """A move that the solver has proved to win is printed before the region."""
    text = said(GAMES[0], "--move", "48", "--ascii")

    region = text.partition("Proved by search: Black, who is to move, wins with h8 (")[2]
    assert "Black must play on k6 j7 h8 i8 j8 k8 h9 (*); any other move loses." in region
    assert "  8  B W B W 1 1 1 * * * *  8" in text


def test_one_cell_is_written_in_the_singular():
    """One cell is written in the singular: a later threat rules out just one more."""
    text = said("-", "--size", "4", stdin="a3 b1 a2")

    assert "it rules out the cells marked 1." in text
    assert "it rules out the cell marked 2." in text


def test_a_lost_game_shows_the_opponents_connection():
    """A lost game shows the opponent's connection and the command that explains it."""
    text = said("-", "--size", "3", stdin="b2")
    thing = found("-", "--size", "3", stdin="b2")

    assert "White loses: a full connection joins north and south, in b1 c1 a3 b3 (*)." in text
    assert "explain 'https://hexworld.org/board/#3,b2' --between north south   why" in text
    assert (thing["lost"], thing["mustplay"], thing["winner"]) == (True, [], "black")
    assert thing["threats"][0]["kind"] == "full"


def test_deduction_shows_a_loss_that_h_search_does_not():
    """Deduction shows a loss that H-search leaves open, with the opponent's connection."""
    text = said("-", "--size", "4", "--deduction", "1", stdin="d1 c1 a1")

    assert "White loses: a full connection joins north and south" in text


def test_no_cell_is_left_once_the_solver_proves_that_every_move_loses():
    """Once the solver proves a loss, the region is empty, although the threats leave two cells."""
    game = Game.of(Board(5, 5), ["d4"])
    analysis = hsearch.Analysis(game)

    assert "any other move loses" in str(analysis.threatened)
    assert str(analysis.mustplay) == "Must-play: none, every move loses."
    assert not analysis.with_turn("black").mustplay.is_forced
    thing = found("d4", "--size", "5")
    assert (thing["winner"], thing["proof"]) == ("black", "solver")
    assert (thing["mustplay"], thing["lost"], thing["forced"]) == ([], True, True)
    assert len(thing["threats"]) == len(analysis.threatened.threats) > 1
    listed = CliRunner().invoke(main, ["analyze", "d4", "--size", "5", "--json"]).stdout
    assert json.loads(listed)["mustplay"] == []


def test_a_winning_semi_is_played_at_its_key():
    """A semi that wins is played at its key: b2 on empty 3x3."""
    text = said("-", "--size", "3", "--move", "0", stdin="b2")
    thing = found("-", "--size", "3", "--move", "0", stdin="b2")

    assert "Black wins by playing b2 (★)" in text
    assert thing["win"]["key"] == "b2"


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["--size", "10", "--move", "0"], "e5", "Black may play on every empty cell"),
        (["--size", "1"], "a1", "Black has won: there is nothing to play for."),
        (["--size", "3", "--turn", "black"], "b2", "Black wins whatever is played"),
    ],
)
def test_mustplay_reports_that_nothing_is_forced(arguments, stdin, words):
    """Nothing is forced without threats, after the game, or when every move wins."""
    assert words in said("-", *arguments, stdin=stdin)
    assert found("-", *arguments, stdin=stdin)["schema"] == "hsearch/mustplay/2"


@pytest.mark.parametrize(
    ("text", "winner", "proof", "proved"),
    [
        ("(;FF[4]GM[11]SZ[3]RE[W+R];B[b2];W[a1];B[resign])", "white", "resigned", "black"),
        ("(;FF[4]GM[11]SZ[3]RE[B+T];B[b2];W[a1])", "black", "lost_on_time", "black"),
        ("(;FF[4]GM[11]SZ[3];B[b2];W[a1])", "black", "full", "black"),
        ("(;FF[4]GM[11]SZ[11]RE[W+];B[f6];W[a1])", "white", "record", None),
    ],
)
def test_mustplay_and_review_use_the_winner_fields_of_analyze(text, winner, proof, proved):
    """`mustplay` and `review` use the field names of `analyze` for winner and proved winner."""
    seen = json.loads(CliRunner().invoke(main, ["analyze", text, "--json"]).stdout)
    reviewed = CliRunner().invoke(main, ["review", text, "--json", "--effort", "quick"]).stdout
    *_, last, game = map(json.loads, reviewed.splitlines())
    thing = found(text)
    names = ("winner", "proof", "outcome", "proved_winner", "proved_by")

    assert {name: thing[name] for name in names} == {name: seen[name] for name in names}
    assert (thing["winner"], thing["proof"], thing["proved_winner"]) == (winner, proof, proved)
    assert (thing["proved_by"] is None) == (proved is None)
    assert (game["winner"], game["proved_winner"]) == (winner, proved)
    assert last["before"]["proved_winner"] == proved


def test_bad_input_is_reported_in_one_line():
    """Bad input ends with 3 and one line."""
    result = CliRunner().invoke(main, ["mustplay", "-", "--size", "3"], input="b2 b2")

    assert result.exit_code == 3
    assert result.stderr.count("\n") == 1
