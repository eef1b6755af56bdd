"""`import hsearch` offers the usual functions, and its values print as sentences."""

import json
import pickle
import subprocess
import sys
from copy import copy, deepcopy
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import naive_solve
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from strategies import positions

import hsearch
from hsearch import Analysis, Board, Color, Game, IllegalMoveError, Position
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import closure
from hsearch.connect.mustplay import MustPlay
from hsearch.formats import read_all
from hsearch.hex.move import Move, Special
from hsearch.hex.position import winner
from hsearch.hex.tree import GameNode
from hsearch.strategy import words
from player.answers import memory
from player.answers.solved import verdict
from player.bidding.advice import advise
from player.bidding.chips import Holding
from player.cli import main
from player.evaluate.evaluators import evaluate
from player.evaluate.exact import exact
from player.solve.budget import TRIES_A_SECOND

GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def run(program: str) -> str:
    """Return what a program prints in a fresh interpreter; it must not fail."""
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def test_drawing_a_board_imports_neither_numba_nor_the_players():
    """Neither numba nor the players are imported before something is computed."""
    program = f"""if True:
        import sys, hsearch
        hsearch.Board
        game = hsearch.load({GAME!r})
        position = game.position(20).play("k11")
        print(position, repr(position), game, hsearch.write(position), position._repr_svg_())
        print(sorted({{"numba", "numpy", "player"}} & set(sys.modules)))
    """

    assert run(program).splitlines()[-1] == "[]"


def test_public_names_exist_and_unknown_names_raise():
    for name in hsearch.__all__:
        assert getattr(hsearch, name) is not None
        assert name in dir(hsearch)
    with pytest.raises(AttributeError, match="'blay'"):
        hsearch.blay  # noqa: B018


@pytest.mark.slow
def test_closure_is_a_function_after_any_import():
    """A package has the same name, and Python binds it to `hsearch` on import.

    Each case runs in a fork of an interpreter that has loaded Numba but nothing of the project.
    """
    program = """if True:
        import os, numba
        for first in "hsearch.Board", "hsearch.Analysis", "import hsearch.connect.closure":
            if not os.fork():
                import hsearch
                exec(first)
                position = hsearch.Position.of(hsearch.Board(3, 3), black="b2")
                store = hsearch.closure(position, hsearch.Color.BLACK, hsearch.Limits(M=3))
                print(len(store.edge_fulls), flush=True)
                os._exit(0)
            assert os.wait()[1] == 0
    """
    position = Position.of(Board(3, 3), black="b2")
    store = closure.closure(position, Color.BLACK, hsearch.Limits(M=3))

    assert len(store.edge_fulls) > 0
    assert run(program).split() == [str(len(store.edge_fulls))] * 3


@given(positions())
def test_the_repr_of_a_position_evaluates_to_it(position):
    names = {"Position": Position, "Board": Board, "Color": Color}

    assert eval(repr(position), names) == position  # noqa: S307
    assert "\n" not in repr(position)


@given(positions())
def test_a_printed_position_is_read_again(position):
    """The text holds the stones, and the player to move unless the game is over."""
    game = hsearch.read(str(position))
    turn = None if winner(position) is None else position.turn

    assert game.position(turn=turn) == position


@given(positions())
def test_cells_can_be_given_by_name_or_number(position):
    for cell in position.board.cells:
        name = position.board.name(cell)
        assert position.color_at(name) is position.color_at(cell)
        assert position.is_legal(name) is position.is_legal(cell)
        if position.is_legal(cell):
            assert position.play(name.upper()) == position.play(cell)
            assert position.put(name, Color.WHITE) == position.put(cell, Color.WHITE)
        else:
            with pytest.raises(IllegalMoveError, match=f"{name} is not empty"):
                position.play(name)


def test_moves_to_invalid_cells_are_refused():
    position = Position.of(Board(3, 3))

    with pytest.raises(ValueError, match="not a cell: 'middle'"):
        position.play("middle")
    with pytest.raises(ValueError, match="'d1' is off the 3x3 board"):
        position.play("d1")
    for number in (-1, 9):
        with pytest.raises(IllegalMoveError, match=f"not a cell of the 3x3 board: {number}"):
            position.play(number)
    with pytest.raises(ValueError, match="'z9' is off"):
        Game.of(Board(3, 3), ["a1", "z9"])


def test_boards_and_colors_print_as_words():
    assert f"{Board(5, 9)} {Color.WHITE} {Color.BLACK:d}" == "5x9 white 0"
    assert str(Color.BLACK) == "black"
    assert eval(repr(Color.WHITE)) is Color.WHITE  # noqa: S307
    assert json.dumps([Color.BLACK, Color.WHITE]) == "[0, 1]"


def test_a_game_prints_its_players_board_and_turn():
    game = Game.of(Board(3, 3), ["b2", "a3"], info=[("PB", "Ann"), ("PW", "Bob")])

    assert game == Game.of(Board(3, 3), [4, 6], info=[("PB", "Ann"), ("PW", "Bob")])
    assert repr(game) == "<Game 3x3, 2 moves, Ann - Bob>"
    lines = str(game).splitlines()
    assert lines[0] == "Ann - Bob"
    assert "(○)" in lines[4]
    assert lines[-1] == "3x3, black to move; last stone a3; move 2 of 2."
    assert str(game.cut(1)).endswith("3x3, white to move; last stone b2; move 1 of 1.")


def test_a_game_with_an_unknown_turn_prints():
    game = Game(Board(3, 3), (GameNode(black=(0, 1, 3)),))

    assert str(game).endswith("\n3x3, black or white to move.")
    assert str(game).count("●") == 3


@pytest.mark.parametrize("format_", ["sgf", "hexworld", "hexboard", "diagram"])
@given(position=positions(square=True))
def test_a_written_position_is_read_again(format_, position):
    """A written position has the same player to move, whatever the numbers of stones."""
    text = hsearch.write(position, format_)

    assert hsearch.read(text, format=format_).position() == position
    assert hsearch.read(text).position() == position


@pytest.mark.parametrize("format_", ["hexboard", "diagram"])
def test_a_turn_is_written_below_a_position_only_if_the_stones_do_not_give_it(format_):
    """After a swap it is; nothing is written if the turn is unknown."""
    swapped = hsearch.read("a2 swap-pieces d3 c4 d1", size=4)
    unknown = Game(Board(3, 3), (GameNode(black=(0, 1, 3)),))

    assert hsearch.write(swapped, format_).splitlines()[-1] == "White to move"
    assert hsearch.write(swapped.cut(1), format_).endswith(("d\n", " />\n"))
    assert "to move" not in hsearch.write(unknown, format_)
    tags = hsearch.write(swapped, format_) + hsearch.write(swapped.cut(1), format_)
    if format_ == "hexboard":
        assert [each.position().turn.word for each in read_all(tags)] == ["white"] * 2


def test_write_refuses_a_move_list_with_another_turn():
    """A move list is not written if its turn would differ from the position's."""
    with pytest.raises(ValueError, match="takes turns, and white is to move at its end"):
        hsearch.write(Position.of(3, turn="white"), "moves")


def test_a_written_game_is_read_again():
    game = Game.of(Board(11, 11), ["a2", "f6", "k3"])

    for format_ in ("sgf", "hexworld", "moves"):
        assert hsearch.read(hsearch.write(game, format_)).moves == game.moves
    with pytest.raises(ValueError, match=r"unknown format 'pdf' to write \(known: sgf, hexworld"):
        hsearch.write(game, "pdf")


def test_a_connection_prints_as_a_sentence():
    """A connection has no board, so it names its edges, and prints numbers for cells."""
    analysis = Analysis(Position.of(Board(3, 3), black="b2", turn=Color.WHITE))
    full = analysis.edge_connection(Color.BLACK)
    semi = Analysis(Position.of(Board(2, 2))).edge_connection(Color.BLACK)

    assert str(full) == "A full connection of north and south, in 4 empty cells."
    assert repr(full).startswith("<Connection 9-10, carrier {1 2 6 7}, by ")
    assert str(semi).startswith("A semi connection of north and south, in ")
    assert str(semi).endswith(f", which starts at cell {semi.key}.")


def test_a_connection_names_its_cells_on_its_board():
    """It is also a row of a table; on another board its cells have no names."""
    position = hsearch.load("positions/templates/edge.txt", id="ziggurat").position()
    store = Analysis(position).stores[Color.BLACK]
    full, semi = store.fulls("c2", "south")[0], store.semis("c2", "south")[0]
    row = {"x": "south", "y": "c2", "kind": "semi", "key": "b4", "cells": 3, "rule": "and"}
    touching = hsearch.Store.fulls(store, "d2", "c2")[0]

    assert full.named(position.board) == (
        "A full of c2 and south, in 8 empty cells: d2 b3 c3 d3 a4 b4 c4 d4."
    )
    assert semi.named(position.board) == (
        "A semi of c2 and south, from b4, in 3 empty cells: b3 c3 b4."
    )
    assert semi.record(position.board) == {**row, "carrier": "b3 c3 b4", "x": "c2", "y": "south"}
    assert touching.named(position.board) == "A full of c2 and d2, in 0 empty cells."
    with pytest.raises(ValueError, match="on a board of 16 cells does not belong to 5x5"):
        full.named(Board(5, 5))


def test_a_store_gives_one_table_row_per_connection():
    """There is one row for each connection, all with the same columns, for CSV or a data frame."""
    position = hsearch.load(GAME).position(50)
    for color, store in Analysis(position).stores.items():
        rows = list(store.records())
        counts = store.counts

        assert len(rows) == counts.full + counts.semi
        assert [row["kind"] for row in rows].count("full") == counts.full
        assert {tuple(row) for row in rows} == {
            ("color", "x", "y", "kind", "key", "cells", "carrier", "rule")
        }
        assert {row["color"] for row in rows} == {color.word}


@given(positions())
def test_a_position_has_a_winner_property(position):
    assert position.winner is winner(position)


def test_a_must_play_region_prints_as_a_sentence():
    board = Board(3, 3)
    lost = Analysis(Position.of(board, black="b2", turn=Color.WHITE)).mustplay
    free = MustPlay(board.only(1, 2), (), board.only(1, 2))
    position = hsearch.load(GAME).position(23)
    forced = Analysis(position).mustplay

    assert str(lost) == "Must-play: none, every move loses."
    assert str(free) == "Must-play: every empty cell, because no threat to win was found."
    cells, empty = forced.cells.count(), position.empty.count()
    assert 0 < cells < empty
    assert str(forced) == f"Must-play: {cells} of {empty} empty cells; any other move loses."
    assert repr(forced).startswith(f"<MustPlay {cells} of {empty} cells, threats: ")


def test_an_analysis_prints_its_board_and_its_verdict():
    analysis = Analysis(Position.of(Board(5, 5), black="c3", turn=Color.WHITE))
    carrier = analysis.edge_connection(Color.BLACK).carrier

    assert verdict(analysis) in str(analysis)
    assert str(analysis).split("\n\n")[0].count("*") == carrier.count()
    assert repr(analysis) == f"<Analysis of {analysis.position!r}>"


def test_an_analysis_explains_the_numbers_on_its_board():
    """If no winner is proved, the numbers are explained; a proof has only stars."""
    game = hsearch.load(GAME)

    assert "\nWeakest links: 1 d5 0." in str(hsearch.Analysis(game.position(20)))
    assert "Weakest" not in str(hsearch.Analysis(game.position(50)))


def test_games_positions_and_answers_have_an_svg_picture():
    game = hsearch.load(GAME)
    position = game.position(50)
    small = hsearch.Game(Board(3, 3))
    answers = (hsearch.solve(small), hsearch.play(small, player="hexy"), hsearch.bid(small))
    drawn = (game, position, Analysis(position), hsearch.explain(position), *answers)
    for value in (
        *drawn,
        hsearch.best_moves(small, 0),
        hsearch.review(hsearch.Game.of(Board(3, 3), ["b2"])),
    ):
        assert ET.fromstring(value._repr_svg_()).tag.endswith("svg")  # noqa: S314
    assert "Black joins north and south" in hsearch.explain(position)._repr_svg_()
    assert "Hexy - Queenbee" in game._repr_svg_()


def test_explain_uses_the_connection_of_the_proof():
    position = hsearch.load(GAME).position(50)
    analysis = Analysis(position)
    connection = analysis.edge_connection(Color.BLACK)
    told = hsearch.explain(position)

    assert told == hsearch.explain(analysis) == hsearch.explain(analysis, Color.BLACK, connection)
    assert str(told).splitlines()[0] == next(words.summary(told))
    assert all(words.heading(told, argument) in str(told) for argument in told.arguments)
    assert hsearch.check(position, Color.BLACK, told.connection) > 0


def test_explain_refuses_connections_of_other_positions():
    """A connection of the other player, or of another position, is refused."""
    board = Board(5, 5)
    seen = Position.of(board, black="c3", white="a1 b2")
    semi = Analysis(seen).stores[Color.BLACK].semis("c3", "north")[0]
    cut = Position.of(board, black="c3", white="c2 d1 d2 b3")

    assert "Black joins c3 and north" in str(hsearch.explain(seen, "black", semi))
    for position, color in ((seen, "white"), (cut, "black"), (Position.of(11), "black")):
        with pytest.raises(ValueError, match=f"not a connection of {color} here"):
            hsearch.explain(position, color, semi)


def test_an_analysis_can_be_pickled_and_copied():
    """A copy keeps the results; the memory belongs to the process."""
    for seen in (Analysis(Position.of(5, black="c3")), ConnectionAnalysis(Position.of(5))):
        known = seen.winner, seen.circuits.evaluation
        for other in (pickle.loads(pickle.dumps(seen)), deepcopy(seen), copy(seen)):  # noqa: S301
            assert (other.winner, other.circuits.evaluation) == known
            assert repr(other) == repr(seen)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # White's win by the solver alone; then Black's, where the rules find a semi.
        ("a1 b2 c3", "White joins west and east inside 19 empty cells by moving first, at d1."),
        ("(;FF[4]GM[11]SZ[5]AB[e2][b3]AW[a4][c5]PL[W])", "even if White moves first"),
    ],
)
def test_explain_shows_the_connection_that_proves_the_win(text, said):
    """The explained connection proves the win, as on the command line."""
    game = hsearch.read(text, size=5)
    analysis = Analysis(game)
    why = hsearch.explain(analysis)

    assert said in str(why)
    assert analysis.winner is why.color
    assert why.connection.is_full or analysis.position.turn is why.color
    assert hsearch.check(analysis.position, why.color, why.connection) > 0


def test_explain_searches_for_the_connection_of_a_win_once(pair_searches):
    """The memory of the analysis stores what the solver answers about the edges."""
    analysis = Analysis(hsearch.read("a1 b2 c3", size=5), memory=memory.Memory())
    first, again = (hsearch.explain(analysis) for _ in range(2))

    assert first == again
    assert len(pair_searches) == 1


def test_explain_needs_a_color_for_a_semi_that_proves_nothing(monkeypatch):
    """If the solver derives no connection in time, an idle player's semi is no explanation."""
    underived = SimpleNamespace(connection=None)
    monkeypatch.setattr(memory.Memory, "join", lambda *_question, **_options: underived)
    analysis = Analysis(hsearch.read("(;FF[4]GM[11]SZ[5]AB[e2][b3]AW[a4][c5]PL[W])"))

    with pytest.raises(ValueError, match="a proof of moves, and no connection was derived from it"):
        hsearch.explain(analysis)
    assert not hsearch.explain(analysis, "black").connection.is_full


def test_unproved_connections_are_not_explained():
    board = Board(3, 3)

    with pytest.raises(ValueError, match="who wins is not proved"):
        hsearch.explain(Position.of(Board(11, 11)))
    with pytest.raises(ValueError, match="Black wins: a full connection of 4 cells joins north"):
        hsearch.explain(Position.of(board, black="b2"), Color.WHITE)
    with pytest.raises(ValueError, match="black's edges are joined by stones"):
        hsearch.explain(Position.of(board, black="b1 b2 b3"))
    connection = Analysis(Position.of(board, black="b2")).edge_connection(Color.BLACK)
    with pytest.raises(ValueError, match="whose connection"):
        hsearch.explain(Position.of(board, black="b2"), connection=connection)


def test_explain_takes_the_two_points_to_join():
    """The points are named as on the command line; if nothing joins them, the error says why."""
    position = Position.of(5, black="c3", white="d2")

    assert str(hsearch.explain(position, between=("c3", "south"))).startswith("Black joins c3")
    assert hsearch.explain(position, "white", between=(8, "east")).color is Color.WHITE
    with pytest.raises(ValueError, match="both ends are empty cells: whose connection is it"):
        hsearch.explain(position, between=("a1", "e5"))
    with pytest.raises(ValueError, match="c3 is Black's and west is White's: nothing joins them"):
        hsearch.explain(position, between=("c3", "west"))
    connection = Analysis(position).edge_connection("black")
    with pytest.raises(ValueError, match="give a connection or between=, not both"):
        hsearch.explain(position, "black", connection, between=("c3", "south"))
    with pytest.raises(ValueError, match="'c3' twice"):
        hsearch.explain(position, between=("c3", 12))
    with pytest.raises(ValueError, match="Black has no full connection of c3 and e1"):
        hsearch.explain(position, "black", between=("c3", "e1"))


def test_play_returns_a_move_with_its_reason():
    position = hsearch.load(GAME).position(50)
    choice = hsearch.play(position, seconds=2)

    assert str(choice) == choice.account.reason
    assert choice.account.winner is Color.BLACK
    assert Analysis(position.play(choice.action)).winner is Color.BLACK


def test_a_seed_determines_random_moves():
    game = Game.of(Board(11, 11), ["a2"])
    moves = [hsearch.play(game, player="random", seed=seed).action for seed in range(8)]

    assert moves == [hsearch.play(game, player="random", seed=s).action for s in range(8)]
    assert len(set(moves)) > 2


@pytest.mark.parametrize("first", ["", "a1", "b2", "c1"])
def test_solving_agrees_with_brute_force(first):
    position = Position.of(Board(3, 3), black=first, turn=Color.WHITE if first else Color.BLACK)
    answer = hsearch.solve(position, every=True)
    wins = naive_solve.winning_moves(position)

    assert answer.winner is naive_solve.outcome(position)
    assert list(answer.winning_moves) == wins
    assert all(position.board.name(cell) in str(answer) for cell in wins)


def test_bid_returns_the_advice_for_exact_values():
    position = Position.of(Board(3, 3), black="a1")
    bid = hsearch.bid(position, 40, total=100)

    assert bid.advice == advise(exact(position), Color.BLACK, Holding(40), total=100)
    assert str(bid).startswith(f"Black has 40 of 100 chips: bid {bid.amount} for {bid.cell}; ")
    with pytest.raises(ValueError, match="101 of 100 chips"):
        hsearch.bid(position, 101, total=100)


def test_a_bid_uses_the_chips_of_the_record():
    """The advice uses the chips of the record, as `hsearch bid` does, or 100 without a record."""
    text = "(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[40][40]XH[60][140*];B[b2])"
    recorded = hsearch.bid(hsearch.read(text), color="white")
    empty = hsearch.bid(hsearch.Game(Board(3, 3)))

    assert (str(recorded.holding), recorded.total) == ("140*", 200)
    assert (str(empty.holding), empty.total) == ("100*", 200)
    said = json.loads(CliRunner().invoke(main, ["bid", text, "--json"]).stdout)
    assert (said["bid"], said["chips"]["white"]) == (recorded.advice.bid, 140)


def test_a_bid_can_be_computed_for_either_player():
    """Both players bid at once, so either may ask, also for a record."""
    game = hsearch.read("(;FF[4]GM[11]SZ[3]RU[bidding]XH[90*][110];PL[B]XB[40][30]XH[50*][150])")
    told = CliRunner().invoke(main, ["bid", hsearch.write(game, "sgf")]).stdout
    for color, word in ((Color.BLACK, "black"), (Color.WHITE, "white")):
        found = hsearch.bid(game, color=word)

        assert found == hsearch.bid(game, color=color)
        assert found.position.turn is color
        assert f"{str(found).split(';')[0]};" in told
    with pytest.raises(ValueError, match="red"):
        hsearch.bid(game, color="red")


def test_a_record_of_bids_has_nobody_to_move():
    """Alternation does not decide whose bid is asked for, as `hsearch bid` names no turn there."""
    game = hsearch.read("(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100])")
    said = json.loads(
        CliRunner().invoke(main, ["bid", hsearch.write(game, "sgf"), "--json"]).stdout
    )

    assert said["position"]["turn"] is None
    with pytest.raises(ValueError, match="both players are to bid: whose bid is it"):
        hsearch.bid(game)
    assert {hsearch.bid(game, color=color).position.turn for color in Color} == {*Color}


@pytest.mark.parametrize("total", [0, 10_001])
def test_a_bid_of_impossible_chips_is_refused(total):
    with pytest.raises(ValueError, match=r"^(nobody has any chips|too many chips: 10001 in)"):
        hsearch.bid(Position.of(Board(3, 3)), 0, total=total)


def test_a_bid_on_a_large_board_reports_its_error():
    bid = hsearch.bid(Position.of(Board(15, 15)), seconds=0.1, seed=1)

    assert bid.advice.error is not None
    assert 0 < bid.amount < 100


def test_an_evaluation_names_the_favored_player():
    position = hsearch.load(GAME).position(20)
    found = hsearch.evaluate(position, with_="two_distance")

    assert found == evaluate(position, "two_distance")
    assert ("Black" if found.evaluation < 0 else "White") in str(found).split("(")[0]
    assert np.isinf(hsearch.evaluate(Position.of(Board(2, 2), black="a1 a2")).evaluation)
    with pytest.raises(ValueError, match="unknown evaluator 'luck'"):
        hsearch.evaluate(position, with_="luck")


def test_a_review_prints_its_summary(monkeypatch):
    monkeypatch.setattr("player.answers.analysis.TRIES_A_SECOND", TRIES_A_SECOND // 10)
    game = hsearch.load(GAME).cut(60)
    reviewed = hsearch.review(game, "quick")

    assert str(reviewed).splitlines()[0] == "Hexy - Queenbee, 11x11, 60 moves"
    assert f"Turning point: move {reviewed.turning_point} " in str(reviewed)
    assert "whether there was a better one is not known" in str(reviewed)
    assert repr(reviewed) == f"<Review of {game!r}, effort quick>"
    with pytest.raises(ValueError, match="unknown effort 'lazy'"):
        hsearch.review(game, "lazy")


def test_a_player_knows_the_swap_rule_of_the_record():
    """A player opens and swaps by the rule of the record, as other answers about it do."""
    opening, second = (hsearch.Game.of(5, moves, info={"RU": "swap"}) for moves in ("", "c3"))
    plain = second.without("RU")

    assert hsearch.play(opening).account.reason.startswith("Opens with e1, which the map")
    assert hsearch.play(second).action is Special.SWAP_PIECES
    assert hsearch.play(second.append(Move(Color.WHITE, 0))).action is not Special.SWAP_PIECES
    assert hsearch.play(plain).action is not Special.SWAP_PIECES
    assert hsearch.play(plain, swap=True) == hsearch.play(second)


@pytest.mark.parametrize("rules", ["random-turn", "bidding:black=50,white=50*", "dark-classic"])
def test_a_game_of_another_variant_is_not_reviewed(rules):
    """Python refuses what the command refuses: verdicts would be those of ordinary turns."""
    game = hsearch.Game.of(3, "b2 a1", info={"RU": rules})
    name = rules.partition(":")[0]

    with pytest.raises(ValueError, match=f"^a review is not for this variant: {name}$"):
        hsearch.review(game, "quick")


@pytest.mark.parametrize("ask", [hsearch.play, hsearch.bid])
def test_play_and_bid_reject_a_finished_game(ask):
    with pytest.raises(ValueError, match="the game is over: black has won"):
        ask(Position.of(Board(2, 2), black="a1 a2"))


def test_a_store_takes_points_by_name():
    position = hsearch.load(GAME).position(50)
    store = Analysis(position).stores[Color.BLACK]
    board = position.board
    north, key = board.edges(Color.BLACK)[0], board.cell("g6")

    assert [c.carrier for c in store.fulls("north", "g6")] == [
        c.carrier for c in store.fulls(north, key)
    ]
    assert store.semis("top", "g6") == store.semis(north, key) != []
    with pytest.raises(ValueError, match="not a cell: 'middle', nor an edge: north, south"):
        store.fulls("middle", "g6")
    for number in (-1, 500):
        with pytest.raises(ValueError, match=f"no point {number} on the 11x11 board: 0 to 124"):
            store.fulls(number, "g6")


def test_types_of_arguments_and_results_are_public():
    """The types of an `Analysis`'s arguments and results are included."""
    assert {"Knowledge", "Depth", "Store", "Explanation", "Choice"} <= {*hsearch.__all__}
    assert all(getattr(hsearch, name) for name in hsearch.__all__)


def test_a_proof_is_verified_as_by_the_command(tmp_path):
    """The value has what `hsearch verify --json` prints; a wrong proof raises the same error."""
    proof = tmp_path / "c2.proof"
    run = CliRunner().invoke
    assert run(main, ["solve", "c2", "--size", "3", "--proof", str(proof)]).exit_code == 0
    verified = hsearch.verify(proof)
    said = json.loads(run(main, ["verify", str(proof), "--json"]).stdout)

    assert (verified.winner.word, verified.positions) == (said["winner"], said["positions"])
    assert verified.connections == said["connections"]
    assert verified.position == hsearch.read("c2", size=3).position()
    assert str(verified) in run(main, ["verify", str(proof)]).stdout
    proof.write_text("".join(proof.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(ValueError, match=r"^line 1: .* lines should follow") as error:
        hsearch.verify(str(proof))
    assert run(main, ["verify", str(proof)]).stderr == f"{proof}: {error.value}\n"
