"""The socket answers what the command line prints, and the questions that only people ask."""

import json
import re
from dataclasses import replace

import pytest
from board_client import sent_back
from click.testing import CliRunner
from hypothesis import given
from made_onnx import policy_file
from nightly import IS_NIGHTLY
from places import ROOT
from records import trees

from hsearch import formats
from hsearch.formats import sgf, strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position, winning_chain
from hsearch.hex.tree import GameNode
from player.answers.analysis import Analysis
from player.answers.memory import MEMORY
from player.answers.objects import position_object
from player.answers.position import change as said_of_change
from player.board.desk import EngineSeats
from player.board.records import PositionObject, Record, page_record, record_object
from player.board.threads import BoardJob
from player.cli import main
from player.evaluate import exact
from player.evaluate.fillings import BATCH
from player.evaluate.net import NetEvaluator, load_net
from player.search.openings import load_chart
from player.solve.solver import Solver
from player.variants.base import ALTERNATING

LONDON = ("london-2000-queenbee-hexy", "london-2000-hexy-queenbee")


def printed(*arguments):
    """Return the object that a command prints."""
    found = CliRunner().invoke(main, [*arguments, "--json"], catch_exceptions=False)
    return json.loads(found.stdout)


def timeless(found):
    return {name: value for name, value in found.items() if name != "seconds"}


def proved_moves(analysis):
    """Remove the best moves from what `analyze` prints, and return their cells."""
    (best,) = analysis.pop("best_moves")["by_turn"].values()
    return [each["cell"] for each in best["moves"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", LONDON)
def test_answers_equal_the_command_line(asking, name):
    """Verdict, must-play, carrier and replies match, at every eighth move (nightly: at all)."""
    file = f"positions/games/{name}.sgf"
    game = formats.load(ROOT / file)
    for move in range(0, len(game.moves) + 1, 1 if IS_NIGHTLY else 8):
        at = (str(ROOT / file), "--move", str(move))
        end = {"game": page_record(game)} if move == len(game.moves) else {}
        found = asking.ask("analyze", position=position_object(game.position(move)), **end)
        analysis, mustplay = printed("analyze", *at), printed("mustplay", *at)

        assert proved_moves(analysis) == [each["move"] for each in found["candidates"]]
        assert timeless(found["analysis"]) == timeless(analysis)
        assert found["mustplay"] == mustplay
        if found["connection"] is not None:
            ends, shown = found["connection"]["ends"], position_object(game.position(move))
            why = asking.ask("explain", position=shown, between=ends)
            assert why["explanation"] == printed("explain", *at, "--between", *ends)
            proof = asking.ask("explain", position=shown)["explanation"]["connection"]
            for part in ("kind", "ends", "key", "carrier"):
                assert proof[part] == found["connection"][part]


RESULTS = (
    ("RE[B+R]", ";B[a1];W[c3]"),
    ("RE[W+T]", ";B[a1];W[c3]"),
    ("PB[Anna]PW[Bo]RE[Bo resigns]", ";B[a1];W[swap-sides];B[c3]"),
    ("RE[White]", ";B[a1];W[c3]"),
    ("RE[B+R]", ";B[b1];W[a1];B[b2];W[a2];B[b3];W[a3];B[b4];W[a4]"),
    ("RE[W+R]", ";B[b1];W[a1];B[b2];W[a2];B[b3];W[a3];B[b4];W[a4]"),
    ("RE[Void]", ";B[a1];W[c3]"),
    ("RE[W+]", ";B[b1];W[a1];B[b2];W[a2];B[b3];W[a3];B[b4]"),
    ("RE[B+R]", ";B[a1];W[c3];B[resign]"),
)


@pytest.mark.parametrize(("about", "moves"), RESULTS)
def test_a_recorded_winner_is_shown_as_on_the_command_line(asking, about, moves):
    """The last move gives the winner, else RE, which may name a player. It is not a proof."""
    text = f"(;GM[11]FF[4]SZ[4]{about}{moves})"
    game = formats.read(text)
    shown = position_object(game.position())
    ended = asking.ask("analyze", position=shown, game=page_record(game))
    open_ = asking.ask("analyze", position=shown)
    said, lines = ended["said"], CliRunner().invoke(main, ["analyze", text]).stdout.splitlines()

    assert said["verdict"] in [line.replace(" (*)", "") for line in lines]
    shell = timeless(printed("analyze", text))
    assert proved_moves(shell) == [each["move"] for each in ended["candidates"]]
    assert timeless(ended["analysis"]) == shell
    assert said["result"] in said["verdict"]
    is_open = game.outcome is None or bool(winning_chain(game.position()))
    assert bool(said["result"]) is not is_open
    for proof in ("proved", "connection", "candidates"):
        assert ended[proof] == open_[proof]
    assert said["proof"] == open_["said"]["proof"]
    assert bool(said["proof"]) is bool(ended["proved"])
    assert not ended["proved"] or open_["said"]["verdict"] in said["verdict"]
    result = asking.ask("write", game=page_record(game), format="sgf")["result"]
    if game.outcome is None:
        assert result == (game.result or "")
    else:
        assert result.startswith(f"{game.outcome.winner.title} has won")
        assert said["result"] in ("", result, f"{result}: the record says so")


def test_effects_of_moves_are_conditional_before_a_swap(asking):
    """If a swap is allowed, a proof is kept "If nobody swaps", and who does not swap has lost."""

    def change(rule, after=""):
        game = formats.read(f"(;GM[11]FF[4]SZ[5]{rule};B[c3]{after})")
        before, shown = (position_object(game.position(len(game.moves) - back)) for back in (1, 0))
        cell = game.moves[-1].name(game.board)
        asked = {"position": shown, "before": before, "cell": cell, "game": page_record(game)}
        return asking.ask("analyze", **asked)["said"]["change"]

    missed = "White would have won by the swap. a1 loses: Black is proved to win."
    assert change("") == "c3 keeps Black's proof."
    assert change("RU[swap]") == "If nobody swaps: c3 keeps Black's proof."
    assert change("", ";W[a1]") == "White was proved to lose before a1, and still is."
    assert change("RU[swap]", ";W[a1]") == missed


@pytest.mark.parametrize("moves", ["", ";B[f6]", ";B[a1]", ";B[f6];W[e4]"])
def test_an_analysis_before_a_swap_has_the_hint_of_the_maps(asking, moves):
    """While a swap may follow, the analysis has the hint, unless that needs a search."""
    for rule in ("", "RU[swap]"):
        game = formats.read(f"(;GM[11]FF[4]SZ[11]{rule}{moves})")
        shown, sent = position_object(game.position()), page_record(game)
        found = asking.ask("analyze", position=shown, game=sent)["opening"]
        is_by_map = rule and moves in {"", ";B[f6]"}
        advised = asking.ask("hint", game=sent, swap=True) if is_by_map else None
        assert found == advised


def test_verdicts_are_conditional_before_a_swap(asking):
    """The words match the terminal's if the record has the swap rule and nobody has swapped."""

    def said(text):
        game = formats.read(text)
        shown = position_object(game.position())
        return asking.ask("analyze", position=shown, game=page_record(game))["said"]

    opened = "(;GM[11]FF[4]SZ[5]%s;B[c3]%s)"
    plain, rule = said(opened % ("", "")), said(opened % ("RU[swap]", ""))

    assert plain["unless"] == plain["swap"] == ""
    assert rule["unless"] == "If nobody swaps: "
    assert rule["swap"].startswith("White may swap, and should. ")
    assert rule["verdict"] == rule["unless"] + plain["verdict"]
    assert rule["mustplay"] == rule["unless"] + plain["mustplay"]
    assert said(opened % ("RU[swap]", ";W[swap-pieces]"))["unless"] == ""
    two = formats.read("(;GM[11]FF[4]SZ[5]RU[swap]AB[c3][d3])")  # the turn is unknown
    shown = position_object(two.with_turn("white").position())
    found = asking.ask("analyze", position=shown, game=page_record(two))["said"]
    assert (found["unless"], found["swap"]) == ("", "")
    open_ = said("(;GM[11]FF[4]SZ[11]RU[swap];B[b4])")
    assert open_["estimate"].startswith("If nobody swaps: Estimated chance")


def test_a_recorded_result_is_not_a_proof_in_the_graph(asking):
    asking.progress.clear()
    game = formats.read("(;GM[11]FF[4]SZ[9]RE[B+R];B[a1];W[c3])")
    assert Analysis(game.position()).winner is None
    asking.ask("graph", game=page_record(game))
    last = [progress for progress in asking.progress if "ply" in progress][-1]

    assert (last["winner"], last["proof"]) == (None, None)
    assert (last["chance"], last["chance_by"]) == (1.0, "record")


def test_effects_of_moves_on_proofs_are_reported(asking):
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf")

    def change(before, cell):
        return asking.ask(
            "analyze",
            position=position_object(before.play(cell)),
            before=position_object(before),
            cell=cell,
        )["said"]["change"]

    assert change(game.position(50), "f8") == "f8 keeps Black's proof."
    lost = "Black had a proof. a1 loses: White is proved to win."
    assert change(game.position(50), "a1") == lost
    assert change(game.position(50), "k1") == "k1 keeps Black's proof."
    assert change(game.position(49), "g9").startswith("White was proved to lose before g9")
    assert change(Position.of(Board(11, 11)), "f6") == ""
    before, cell = game.position(50), game.board.cell("k1")
    alone = [Analysis(each, search=None) for each in (before, before.play(cell))]
    assert said_of_change(*alone, cell).startswith("Black's proof is gone: f8 kept it")


@given(trees())
def test_any_game_goes_to_the_page_and_back(game):
    """A game survives the round trip with its variations, swaps, setup and marks."""
    sent = json.loads(json.dumps(page_record(game)))
    read = parsed(sent).game()

    assert sgf.write(read) == sgf.write(game)
    assert (read.board, read.nodes) == (game.board, game.nodes)


def parsed(thing):
    return strict.read(json.dumps(thing), Record)


def test_read_accepts_moves_links_sgf_diagrams_and_suites(asking):
    for text, black in (
        ("a1 b2", ["a1"]),
        ("https://hexworld.org/board/#5,a1b2", ["a1"]),
        ("http://127.0.0.1:8765/?token=x#5r9c1,a1b2", ["a1"]),
        ("(;GM[11]FF[4]SZ[5];B[a1];W[b2])", ["a1"]),
        (". . .\n . B .\n  . . .", ["b2"]),
    ):
        (found,) = asking.ask("read", text=text)["games"]
        position = parsed(sent_back(found["game"])).game().position(turn=Color.BLACK)

        assert position.board.names(position.black) == black
    assert (
        len(asking.ask("read", text=(ROOT / "positions/puzzles/classic.txt").read_text())["games"])
        > 5
    )


def test_puzzles_have_the_stones_that_win_if_their_suite_has_them(asking):
    text = asking.ask("shipped", name="proved")["text"]
    puzzles = {one["name"]: one for one in asking.ask("read", text=text)["games"]}
    other = asking.ask("read", text=text.replace("stones    4", "stones    many"))["games"]

    assert puzzles["5x5-grade1-01"]["stones"] == 4
    assert puzzles["9x9-grade1-01"]["stones"] is None
    assert other[0]["stones"] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[11]SZ[5];B[z9])", "z9"),
        ("", "empty"),
        ("https://hexworld.org/board/#25,a1", "19x19"),
        ("#99,a1", "(1x1 to 19x19)"),
    ],
)
def test_unreadable_text_is_rejected_with_a_reason(asking, text, said):
    assert said in asking.refusal("read", text=text)


def test_moves_read_from_prose_are_marked_as_a_guess(asking):
    """A guess names the moves it read, on a board that has their cells; a bad move is an error."""
    (found,) = asking.ask("read", text="He began at n2, then a5 was good for me.", size=5)["games"]
    assert found["name"] == "2 moves among other words"
    assert "names moves: n2 a5. Its other words are left out" in found["guess"]
    assert found["game"]["columns"] == 14
    assert [node["move"] for node in found["game"]["nodes"]] == [None, "n2", "a5"]
    assert "'zz9' is off" in asking.refusal("read", text="a5 b6 zz9 c7")
    assert "'I' is not a move" in asking.refusal("read", text="I began at a5 and lost.")

    (letter,) = asking.ask("read", text="Hello,\n1. a5 d4\n2. e3\nas you asked. Yours, Ann")[
        "games"
    ]
    assert "guess" not in letter
    assert "'Hello,'" in letter["warnings"][0]


def test_marks_of_a_file_are_read_and_written_back(asking):
    text = "(;FF[4]GM[11]SZ[5]TR[a1]LB[b2:x];B[c3]CR[c3][d4]MA[e5]SQ[a2]AR[a1:b2][a1:z9])"
    (found,) = asking.ask("read", text=text)["games"]
    marks = [
        [(m["cell"], m["shape"], m["text"]) for m in n["marks"]] for n in found["game"]["nodes"]
    ]

    assert marks[0] == [("a1", "triangle", ""), ("b2", "label", "x")]
    assert marks[1][:2] == [("c3", "circle", ""), ("d4", "circle", "")]
    assert marks[1][4:] == [("a1", "arrow", "b2")]
    back = asking.ask("write", game=sent_back(found["game"]), format="sgf")["text"]
    kept = ("TR[a1]", "LB[b2:x]", "CR[c3][d4]", "MA[e5]", "SQ[a2]", "AR[a1:b2][a1:z9]")
    assert all(mark in back for mark in kept)


FOUR = {"columns": 4, "rows": 4, "black": [], "white": [], "turn": "black"}
OPEN = {"columns": 6, "rows": 6, "black": ["f1"], "white": ["d4"], "turn": "black"}


def test_a_position_is_solved_proved_and_verified(asking):
    found = asking.ask("solve", position=FOUR, every=True)
    proof = asking.ask("prove", position=FOUR)

    assert found["solved"]["winner"] == "black"
    assert found["solved"]["complete"]
    assert "The proof holds: Black wins" in asking.ask("verify", text=proof["text"])["said"]
    broken = proof["text"].replace('"winner": "black"', '"winner": "white"')
    assert "line" in asking.refusal("verify", text=broken)
    assert "line 1" in asking.refusal("verify", text="no proof")


def test_a_verified_proof_is_stored_in_memory(asking):
    """A proof settles its position and the loser's positions below it; a broken one does not."""
    proof = asking.ask("prove", position=OPEN)["text"]
    position = PositionObject(**OPEN).position()

    def known():
        """Return who is known to win without a search, and by which move."""
        proved = Analysis(position, search=0).proved
        return None if proved is None else (proved.winner, proved.kind, proved.move is not None)

    MEMORY.forget()
    assert known() is None
    asking.refusal("verify", text=proof.replace('"winner": "black"', '"winner": "white"'))
    assert known() is None
    asking.ask("verify", text=proof)
    assert known() == (Color.BLACK, "memory", True)
    [move] = position.board.names(position.board.only(Analysis(position, search=0).proved.move))
    after = Analysis(position.play(move), search=0)
    assert (after.winner, after.proof) == (Color.BLACK, "memory")


def test_solve_lists_every_losing_move(asking):
    """Every move that does not win is listed as losing; after the end of the game, none is."""
    center = FOUR | {"black": ["b3"], "turn": "white"}
    over = FOUR | {"black": ["b1", "b2", "b3", "b4"], "turn": "white"}
    every, lost, ended = (
        asking.ask("solve", position=position, every=True) for position in (FOUR, center, over)
    )

    wins = every["solved"]["winning_moves"]
    assert len(wins) + len(every["losing"]) == 16
    assert set(wins).isdisjoint(every["losing"])
    assert (lost["solved"]["winner"], len(lost["losing"])) == ("black", 15)
    assert (ended["solved"]["winner"], ended["losing"]) == ("black", [])


def test_solutions_are_conditional_before_a_swap(asking):
    """The answer depends on the swap if the record has the rule and nobody has swapped."""

    def said(rule, moves=""):
        game = formats.read(f"(;GM[11]FF[4]SZ[5]{rule};B[c3]{moves})")
        shown = position_object(game.position())
        return asking.ask("solve", position=shown, game=page_record(game))["said"]

    assert said("").startswith("Black wins, ")
    assert said("RU[swap]").startswith("If nobody swaps: Black wins, ")
    assert said("RU[swap]", ";W[swap-pieces]").startswith("White wins, ")


def test_solver_time_excludes_compiling_and_loading(asking, monkeypatch):
    """The solver's time includes neither compiling nor loading the net."""
    ready, prepare = [], Solver.prepare

    def noted(self, seconds=None):
        ready.append(seconds)
        prepare(self, seconds)

    monkeypatch.setattr(Solver, "prepare", noted)
    asking.ask("solve", position=FOUR, seconds=7)
    asking.ask("prove", position=FOUR)
    asking.ask("puzzle", position=FOUR, cell="b2")

    assert ready == [7, 60, 60]


def test_the_engine_moves_and_gives_hints(asking):
    game = Game.of(Board(5, 5), ["c3", "b2"])
    found = asking.ask("hint", game=page_record(game))

    assert found["winner"] == "black"
    assert found["said"].startswith(f"Hint: {found['move']}. Proved")
    assert game.position().is_legal(found["move"])
    asking.progress.clear()
    opened = page_record(Game.of(Board(9, 9), ["a1", "b2"]))
    thought = asking.ask("hint", game=opened, seconds=1)
    assert "Estimated: Black's chance to win is " in thought["said"]
    assert any("simulations" in each.get("text", "") for each in asking.progress)
    swap = asking.ask("hint", game=page_record(Game.of(Board(5, 5), ["c3"])), swap=True)
    assert swap["move"] == "swap-pieces"
    assert swap["said"].startswith("Hint: swap. White may swap, and should.")
    assert "more than 0 seconds" in asking.refusal("hint", game=opened, seconds=0)
    foreign = {"variant": "alternating", "engine": "black", "player": "gtp:touch /tmp/x"}
    assert "player" in asking.refusal("turn", game=page_record(game), **foreign)


def test_the_graph_covers_every_position(asking):
    asking.progress.clear()
    game = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf").cut(6)
    found = asking.ask("graph", game=page_record(game))

    assert found == {"plies": 7}
    plies = [progress["ply"] for progress in asking.progress if "ply" in progress]
    assert plies == list(range(7))


def test_a_review_has_the_schema_of_the_command_line(asking):
    file = ROOT / f"positions/games/{LONDON[0]}.sgf"
    game = formats.load(file).cut(12)
    found = asking.ask("review", game=page_record(game), effort="quick")

    assert found["game"]["schema"] == "hsearch/review/2"
    assert len(found["moves"]) == 12
    assert found["said"][-1].startswith("Effort quick")


def test_a_review_sends_the_turning_point_before_it_ends(asking):
    """The turning point is sent once the proofs from the end stop, and every position is sent."""
    file = ROOT / f"positions/games/{LONDON[1]}.sgf"
    number = asking.send("review", game=page_record(formats.load(file)), effort="quick")
    before, told = len(asking.progress), {}
    while told.get("from", 48) >= 37:
        told = asking.hear_progress()
    asking.send("cancel", job=number)

    assert asking.hear(number)["kind"] == "cancelled"
    plies = [progress["ply"] for progress in asking.progress[before:] if "ply" in progress]
    assert plies[:13] == list(range(48, 35, -1))
    assert told["so_far"]["game"]["turning_point"] == 37
    mistake, *others = told["so_far"]["moves"][36 - told["from"] :]
    assert (mistake["number"], mistake["verdict"]) == (37, "proved loss")
    assert [move["number"] for move in others] == list(range(38, 49))


@pytest.mark.parametrize("turn", ["black", "white"])
def test_the_swap_map_equals_the_shipped_opening_map(asking, turn):
    """White's map is transposed; a position with a stone or a board without a map is refused."""
    empty = {"columns": 5, "rows": 5, "black": [], "white": [], "turn": turn}
    found = asking.ask("openings", position=empty)
    chart, board = load_chart(5), Board(5, 5)
    own = (lambda cell: cell) if turn == "black" else board.transpose
    wins = {board.name(own(cell)) for cell in board.cells if chart.verdicts[cell] == "W"}

    assert set(found["swap"]) == set(found["proved"]) == wins
    assert found["even"] in found["said"]
    for wrong in ({"black": ["a1"]}, {"columns": 4}, {"columns": 19, "rows": 19}):
        assert "empty square board" in asking.refusal("openings", position=empty | wrong)


def test_the_policy_has_the_values_of_the_net(asking):
    """The policy lists empty cells, best first; it is empty once a player has won."""
    position = formats.load(ROOT / f"positions/games/{LONDON[0]}.sgf").position(20)
    found = asking.ask("policy", position=position_object(position))["policy"]
    shares = NetEvaluator(load_net(), position.board).evaluate(position).policy
    wanted = {position.board.name(cell): shares[cell] for cell in position.board.cells}

    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert sum(found.values()) > 0.9
    assert all(share == pytest.approx(wanted[name], abs=1e-4) for name, share in found.items())
    over = Game.of(Board(2, 2), ["a1", "b1", "a2"]).position()
    assert asking.ask("policy", position=position_object(over)) == {"policy": {}}


def test_odds_and_bids_equal_those_of_the_command_line(asking):
    text = "c3 b2"
    found = asking.ask(
        "odds", position=position_object(Game.of(Board(5, 5), text.split()).position())
    )
    told = printed("bid", text, "--size", "5")

    assert found["bid"] == told
    assert "over" in asking.refusal("odds", position=FOUR | {"black": ["a1", "a2", "a3", "a4"]})
    assert asking.refusal("odds", position=FOUR, black=-1)


def test_sampled_odds_equal_those_of_the_command_line(asking, monkeypatch):
    """Where not all fillings can be counted, both draw the same ones, so answers do not change."""
    monkeypatch.setattr(exact, "ENOUGH", 3 * BATCH)
    size = exact.MAX_WIDTH + 1
    position = Game.of(Board(size, size), ["b2"]).position()
    found = asking.ask("odds", position=position_object(position))

    assert found["bid"] == printed("bid", "b2", "--size", str(size), "--fillings", str(3 * BATCH))


def test_puzzles_tell_right_from_wrong(asking):
    wrong = asking.ask("puzzle", position=FOUR, cell="a1")
    right = asking.ask("puzzle", position=FOUR, cell="b3")

    assert (wrong["wins"], right["wins"], right["solved"]) == (False, True, True)
    assert re.match("a1 loses: White plays [a-d][1-4], and west and east are joined", wrong["said"])
    assert right["said"] == "Solved: north and south are joined, whatever White does."
    near = FOUR | {"black": ["a3", "b3"], "white": ["b4", "c4", "d4"]}
    said = asking.ask("puzzle", position=near, cell="d1")["said"]
    assert said == "d1 loses: White plays a4, and west and east are joined. Try again."
    shown = asking.ask("puzzle", position=FOUR)["solution"]
    assert asking.ask("puzzle", position=FOUR, cell=shown)["wins"]


def test_a_finished_game_is_refused_as_a_puzzle(asking):
    """A position that is over is refused as a puzzle, even if its loser moves."""
    over = FOUR | {"black": ["a1", "a2", "a3", "a4"], "white": ["b1", "b2", "b3"], "turn": "white"}

    for cell in ("b4", None):
        refused = asking.refusal("puzzle", position=over, cell=cell)
        assert refused == "the game is over: black has won"


def test_a_game_is_written_in_several_formats_at_once(asking):
    """A format that cannot hold the game is left out; the others are written."""
    game = page_record(Game.of(Board(5, 5), ["b4", Special.SWAP_PIECES]))
    found = asking.ask("write", game=game, format="sgf", also=["moves", "diagram", "hexboard"])
    alone = {kind: asking.ask("write", game=game, format=kind)["text"] for kind in found["also"]}

    assert "W[swap-pieces]" in found["text"]
    assert found["also"] == alone
    assert set(alone) == {"moves", "diagram", "hexboard"}
    many = page_record(Game(Board(5, 5), (GameNode(-1, black=(0, 1)),)))
    assert "moves" not in asking.ask("write", game=many, format="sgf", also=["moves"])["also"]


@given(trees())
def test_the_states_of_a_record_give_its_final_position(game):
    """The states, applied in order, give each position of the main line and its turn."""
    record, states = record_object(game), iter(record_object(game)["nodes"])
    moves, stones = 0, {}
    for node in game.main_line:
        state = next(states)["state"]
        stones |= state["set"]
        moves += node.move is not None
        assert state["moves"] == moves
    position = game.cut().position(turn=Color.BLACK)
    board = game.board
    laid = Position.of(
        board,
        black=[cell for cell, color in stones.items() if color == "black"],
        white=[cell for cell, color in stones.items() if color == "white"],
        turn=Color.BLACK,
    )
    assert laid == replace(position, turn=Color.BLACK)
    turn = game.cut().recorded_turn()
    if turn is not None and len(game.main_line) == len(game.nodes):
        assert record["nodes"][-1]["state"]["turn"] == turn.word


def test_a_step_that_breaks_a_rule_is_refused(asking):
    """An occupied cell, a late swap, a move after the end and an unknown cell are refused."""
    game = Game.of(Board(5, 5), ["b4", Special.SWAP_PIECES, "c3"])
    record = page_record(game)
    found = asking.ask("states", game=record)["states"]
    assert found[2] == {
        "set": {"b4": None, "d2": "white"},
        "turn": "black",
        "moves": 2,
        "last": "d2",
        "swap": False,
    }
    assert [state["swap"] for state in found] == [False, True, False, False]
    step = record["nodes"][-1]
    for move, reason in (
        ("c3", "c3 is not empty"),
        ("swap-pieces", "only the second move of the game can be a swap"),
        ("f1", "f1"),
    ):
        wrong = step | {"parent": 3, "color": "white", "move": move}
        assert reason in asking.refusal(
            "states", game=record | {"nodes": [*record["nodes"], wrong]}
        )
    given_up = step | {"parent": 3, "color": "white", "move": "resign"}
    late = step | {"parent": 4, "color": "black", "move": "a1"}
    nodes = [*record["nodes"], given_up, late]
    assert "after a resignation" in asking.refusal("states", game=record | {"nodes": nodes})


def test_a_player_whose_net_is_for_another_board_is_refused_in_a_line(tmp_path, capfd):
    """Using such a player fails in one line; preparing it leaves no traceback."""
    path = policy_file(tmp_path / "nine.onnx", 9)
    seats, spec = EngineSeats(), f"tree:net={path}"
    message = f"{spec}: {path}: a net for 9x9, not for 5x5"
    with pytest.raises(ValueError, match=re.escape(message)), seats.of(spec, ALTERNATING, Board(5)):
        pytest.fail("it plays")

    assert seats.is_ready(spec, ALTERNATING, Board(5), 60, BoardJob(lambda _told: None))
    assert capfd.readouterr().err == ""


def test_an_unknown_turn_is_guessed_as_black(asking):
    found = asking.ask("read", text="(;GM[11]SZ[5]AB[a1][b1][c1])")["games"][0]["game"]
    assert found["guessed"]
    assert found["nodes"][0]["turn"] == found["nodes"][0]["state"]["turn"] == "black"
    told = asking.ask("read", text="(;GM[11]SZ[5]AB[a1][b1][c1]PL[W])")["games"][0]["game"]
    assert not told["guessed"]
    assert told["nodes"][0]["state"]["turn"] == "white"
