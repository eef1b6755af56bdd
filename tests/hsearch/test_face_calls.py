"""Obvious first attempts are accepted; what cannot be is refused, what is unclear warned of."""

from itertools import permutations

import numpy as np
import pytest
from click.testing import CliRunner

import hsearch
from hsearch import Analysis, Board, Color, Game, Position
from hsearch.connect.limits import HSearchOptions
from player.cli import main

GAME = "positions/games/london-2000-queenbee-hexy.sgf"


def test_read_accepts_sizes_as_the_command_line_does():
    expected = hsearch.read("a5 c4 d3", size=(5, 5))

    assert hsearch.read("a5 c4 d3", size=5) == hsearch.read("a5 c4 d3", size="5") == expected
    assert str(hsearch.read("a5 c4 d3", size="5x9").board) == "5x9"
    with pytest.raises(ValueError, match="'five' is not a board size such as 11 or 5x9"):
        hsearch.read("a5 c4 d3", size="five")
    with pytest.raises(ValueError, match=r"`hsearch.load` reads"):
        hsearch.read("game.sgf")


@pytest.mark.parametrize("name", ["Analysis", "solve", "play", "bid", "review", "best_moves"])
def test_a_text_is_refused_with_advice(name):
    """The command line accepts a text, functions do not."""
    with pytest.raises(TypeError, match=r"str is neither a position nor a game: hsearch\.read "):
        getattr(hsearch, name)("a1")


SLIPS = {
    "solve(game, time=3)": r"^solve takes no time=: use seconds=3$",
    "solve(game, all=True)": r"^solve takes no all=: use every=True$",
    "solve(game, True)": r"^solve: too many positional .*: it takes value, every=, seconds=$",
    "solve(game, workers=2)": r"^solve: no workers=: it takes value, every=, seconds=$",
    "solve(game, seconds='3')": r"^seconds= takes a number of seconds, or None, not '3'$",
    "play(game, level=3)": r"^play takes no level=: use player=\"hexy:level=3\"$",
    "play(game, player=len)": r"^player= takes a text such as \"hexy:level=3\" or \"tree\", not <",
    "best_moves(game, timeout=1)": r"^best_moves takes no timeout=: use seconds=1$",
    "bid(game, 9.5)": r"^chips= takes a number of chips, or \"100\*\", not 9.5$",
    "bid(game, True)": r"^chips= takes a number of chips, or \"100\*\", not True$",
    "bid(game, 100, total='200')": r"^total= takes a number of chips, of both players together, no",
    "evaluate(game, by='hexy')": r"^evaluate takes no by=: use with_='hexy'$",
    "evaluate(game, 5)": r"^with_= takes the name of an evaluator, FILE.py:FUNCTION, or a func",
    "review(game.position())": r"^a position has no moves to review: hsearch.review takes a Game$",
    "Analysis(game, M=30)": r"^Analysis takes no M=: use limits=hsearch.Limits\(M=30\)$",
    "Analysis(game, deduction=1)": r"^Analysis takes no deduction=: use depth=hsearch.Depth\(1\)$",
    "Analysis(game, limits=30)": r"^limits= takes hsearch.Limits\(M=30, K=8\), not 30$",
    "Analysis(game, depth=2)": r"^depth= takes hsearch.Depth\(2\), not 2$",
    "Analysis(game, search='1')": r"^search= takes a number of seconds, or None, not '1'$",
    "closure(game.position(), 0, K=2)": r"^closure takes no K=: use limits=hsearch.Limits\(K=2\)$",
    "Limits(m=30)": r"^Limits takes no m=: use M=30$",
    "Limits(M='30')": r"^M= takes a whole number, or None, not '30'$",
    "Depth('2')": r"^replies= takes a whole number, not '2'$",
    "Board('5x5')": r"^a board is made as Board\(11\) or Board\(5, 9\), not of '5x5'$",
    "Board(5.0, 5)": r"^a board is made as Board\(11\) or Board\(5, 9\), not of 5.0$",
    "Board(size=5)": r"^Board takes no size=: use columns=5$",
    "Position.of(5, red='a1')": r"^Position.of: no red=: it takes board, black=, white=, turn=$",
    "Game.of(['c3'], 5)": r"^a board is made as Board\(11\) or Board\(5, 9\), not of \['c3'\]$",
    "read(5)": r"^hsearch.read takes a text or an open file, not 5$",
    "read('a1', number='1')": r"^number= takes the number of a game, from 1, not '1'$",
    "read('a1', board=5)": r"^read takes no board=: use size=5$",
    "read('a1', size=5.5)": r"^size= takes columns and rows, such as \(5, 9\) or '5x9', not 5.5$",
    "write('a1')": r"^value= takes a game or a position, not 'a1'$",
    "load(5)": r"^path= takes the path of a file, not 5$",
    "play(game, seed='a')": r"^seed= takes a whole number from 0 up, not 'a'$",
    "bid(game, seed=2.5)": r"^seed= takes a whole number from 0 up, not 2.5$",
    "best_moves(game, seconds=0, seed={})": r"^seed= takes a whole number from 0 up, not {}$",
    "solve(game, every='no')": r"^every= takes True or False, not 'no'$",
    "play(game, swap=None)": r"^swap= takes True or False, not None$",
    "Limits(edge_pivot='off')": r"^edge_pivot= takes True or False, not 'off'$",
    "Position.of(5, black=3)": r"^black= takes names of cells, such as 'a1 b2' or \['a1', 'b2'\], ",
    "Game.of(5, 3)": r"^moves= takes names of cells, such as 'a1 b2' or \['a1', 'b2'\], not 3$",
    "Game(5, 'c3')": r"^nodes= takes a tree of nodes: use hsearch.Game.of\(5x5, moves\)$",
    "Game(5, cursor='2')": r"^cursor= takes a number of moves, or None, not '2'$",
    "Game.of(5, info=None)": r"^info= takes names and texts, such as {'PB': 'Ana', .*}, not None$",
    "Move('black', 'c3')": r"^action= takes the number of a cell, as board.cell\('c3'\) is one, or",
    "Move('black', 2.5)": r"^action= takes the number of a cell, .* such as 'resign', not 2.5$",
    "Game(5).append('c3')": r"^move= takes a move, as hsearch.Move\('black', board.cell\('c3'\)\)",
    "Game.of(5, info='PB')": r"^info= takes names and texts, such as .*, not 'P'$",
    "Game.of(5, info={'PB': 3})": r"^info= takes names and texts, such as .*, not \('PB', 3\)$",
    "Game(5, None)": r"^nodes= takes a tree of nodes: use hsearch.Game.of\(5x5, moves\)$",
    "Game.of_position(game)": r"^position= takes a position, not <Game 5x5, 1 move>$",
    "Position(5, 'a1', 'b2')": r"^a position is made as Position.of\(11, black='a1 b2', white=",
    "Position(5, None, None)": r"^a position is made as Position.of\(11, black='a1 b2', wh",
    "Board(5).named(None)": r"^names= takes names of cells, such as 'a1 b2' or .*, not None$",
    "Board(5).names(None)": r"^cells= takes a set of cells, or numbers of points, not None$",
    "Game.of(5, 'c3').moves[0].name(11)": r"^board= takes a board, as game.board is one, not 11$",
    "Analysis(game).stores['black'].edge_fulls[0].named(None)": r"^board= takes a board, as positi",
    "closure('a1', 'black')": r"^str is neither a position nor a game: hsearch.read reads a text",
    "closure(game, 'black', 30)": r"^limits= takes hsearch.Limits\(M=30, K=8\), not 30$",
    "check('a1', 'black')": r"^str is neither a position nor a game: hsearch.read reads a text",
    "check(game, 'black', 'c3')": r"^connections= takes connections, as Analysis\(game\).stores h",
}

# Values that are not a cell, a point, a color, a number of seconds or a name of something.
WORTHLESS = {
    "load('')": r"^path= takes the path of a file, and it is empty$",
    "play(game, seed=-1)": r"^seed= takes a whole number from 0 up, not -1$",
    "solve(game, seconds=float('nan'))": r"^seconds= takes a number of seconds from 0 up, not nan$",
    "solve(game, seconds=10**400)": r"^seconds= takes a number of seconds from 0 up, not 10{79}$",
    "read('a1', id='x', number=2)": r"^id= and number= exclude each other: an id names one",
    "Analysis(game, links='zz')": r"^unknown links 'zz' \(known: hexy, six, benzene, none\)$",
    "review(game, [])": r"^unknown effort \[\] \(known: quick, normal, deep\)$",
    "Board(5).point(None)": r"^no point None on the 5x5 board: 0 to 28$",
    "Board(5).edges('red')": r"^'red' is neither black nor white$",
    "Board(5).edges(3)": r"^3 is neither black nor white$",
    "Move('red', 3)": r"^'red' is neither black nor white$",
    "Position.of(5).play(None)": r"^not a cell of the 5x5 board: None$",
    "Position.of(5).is_legal(None)": r"^not a cell of the 5x5 board: None$",
    "Position.of(5).is_legal(2.5)": r"^not a cell of the 5x5 board: 2.5$",
    "Board(5).at(None, 1)": r"^not a cell of the 5x5 board: column None, row 1$",
    "Board(5).contains(game.position().black, None)": r"^no point None on the 5x5 board: 0 to 28$",
    "Position.of(5).put(2.5, 'black')": r"^not a cell of the 5x5 board: 2.5$",
    "Analysis(game).stores['red']": r"^'red' is neither black nor white$",
    "Analysis(game).stores['black'].captain(2.5)": r"^no point 2.5 on the 5x5 board: 0 to 28$",
}


def test_options_of_h_search_take_a_number_of_seconds():
    with pytest.raises(
        TypeError, match=r"^seconds= takes a number of seconds, or None, not 'soon'"
    ):
        HSearchOptions(seconds="soon")


@pytest.mark.parametrize("call", SLIPS)
def test_an_invalid_call_suggests_a_correct_one(call):
    game = hsearch.Game.of(5, ["c3"])

    with pytest.raises(TypeError, match=SLIPS[call]):
        eval(f"hsearch.{call}", {"hsearch": hsearch, "game": game})  # noqa: S307 - our own


@pytest.mark.parametrize("call", WORTHLESS)
def test_invalid_values_are_rejected_in_one_line(call):
    game = hsearch.Game.of(5, ["c3"])

    with pytest.raises(ValueError, match=WORTHLESS[call]):
        eval(f"hsearch.{call}", {"hsearch": hsearch, "game": game})  # noqa: S307 - our own


def test_the_first_of_several_wrong_arguments_is_named():
    """Once the order of a set decided, which differs from run to run."""
    for names in permutations(("apples", "pears", "plums", "cherries")):
        with pytest.raises(TypeError, match=f"^solve: no {names[0]}=: "):
            hsearch.solve(hsearch.Game.of(3, ["b2"]), **dict.fromkeys(names, 1))
    for names in permutations(("time", "all", "max_time")):
        with pytest.raises(TypeError, match=f"^solve takes no {names[0]}=: use "):
            hsearch.solve(hsearch.Game.of(3, ["b2"]), **dict.fromkeys(names, 1))


def test_flags_and_seeds_of_numpy_are_accepted():
    """Columns of tables have numpy's flags and numbers, and a generator is a seed."""
    game = hsearch.Game.of(3, ["b2"])

    assert hsearch.solve(game, every=np.True_).complete
    assert hsearch.solve(game, every=1).complete
    for seed in (np.int64(3), np.random.default_rng(3), None):
        assert hsearch.play(game, player="random", seed=seed).account.reason


def test_stores_are_found_by_color_name():
    """The word of a color selects its store, whose repr contains no memory address."""
    analysis = Analysis(Position.of(5, black="c3", white="a1"))
    black = analysis.stores[Color.BLACK]

    assert analysis.stores["black"] is analysis.stores.get("black") is black
    assert "white" in analysis.stores
    assert all(key not in analysis.stores for key in ("red", None, 2, [], 1.5))
    assert analysis.deduced.get("white") is None
    assert repr(black) == "<Store of black on 5x5: 189 full and 545 semi connections>"
    assert black.has_full("c3", "north") is black.has_full(12, 25) is True
    assert analysis.position.board.edges("white") == analysis.position.board.edges(Color.WHITE)


def test_an_error_inside_a_call_is_raised_unchanged():
    def broken(_position):
        raise TypeError("mine")

    with pytest.raises(TypeError, match=r"^mine$"):
        hsearch.evaluate(hsearch.Game(5), broken)


def test_negative_time_is_rejected():
    with pytest.raises(ValueError, match=r"^seconds= takes a number of seconds from 0 up, not -1$"):
        hsearch.play(hsearch.Game(5), seconds=-1)


def test_convenient_argument_forms_are_accepted():
    """A side for a board, a text for moves, a word for a color, chips as on the command line."""
    game = hsearch.Game.of(5, "c3 a1")

    assert hsearch.Board(5) == Board(5, 5)
    assert hsearch.Game(5).board == Board(5, 5)
    assert game == hsearch.Game.of(Board(5, 5), ["c3", "a1"])
    assert Position.of(5, turn="white").turn is Color.WHITE
    assert hsearch.Move("white", np.int64(3)) == hsearch.Move(Color.WHITE, 3)
    assert game.append(hsearch.Move("black", "resign")).outcome.winner is Color.WHITE
    assert hsearch.bid(game, "100*").holding.tie_break
    assert hsearch.Color("white") is Color.WHITE
    swapped = hsearch.Game.of(5, "c3 swap-pieces a1 resign")
    assert swapped.moves == hsearch.read("c3 swap-pieces a1 resign", size=5).moves
    assert swapped == hsearch.Game.of(5, "c3 swap a1 resign")
    assert hsearch.explain(game, between="c3 south") == hsearch.explain(
        game, between=("c3", "south")
    )
    for pair in ("c3", ("c3",), "c3 north south"):
        with pytest.raises(ValueError, match=r"^between= takes two points, such as 'c4 west', not"):
            hsearch.explain(game, between=pair)
    with pytest.raises(TypeError, match=r"^between= takes two points, such as 'c4 west', not 5$"):
        hsearch.explain(game, between=5)
    for wrong in ("red", 7):
        with pytest.raises(ValueError, match=f"^{wrong!r} is neither black nor white$"):
            hsearch.Color(wrong)
    with pytest.raises(ValueError, match="'red' is neither black nor white"):
        Position.of(5, turn="red")


def test_the_error_for_a_command_name_suggests_the_python_name():
    with pytest.raises(AttributeError, match=r"'analyze': use hsearch\.Analysis\(game\)$"):
        _ = hsearch.analyze


def test_an_analysis_takes_a_game_and_refuses_unknown_knowledge():
    game = hsearch.load(GAME).cut(50)

    assert hsearch.Analysis(game).position == game.position()
    assert hsearch.Analysis(game, knowledge="local").options.knowledge is hsearch.Knowledge.LOCAL
    with pytest.raises(ValueError, match=r"unknown knowledge 'foo' \(known: rules, local, all\)"):
        hsearch.Analysis(game, knowledge="foo")


def test_a_color_is_accepted_by_name():
    position = Position.of(Board(3, 3), black="b2", turn=Color.WHITE)

    assert Color.named("white") is Color.WHITE
    assert str(hsearch.explain(position, "black")) == str(hsearch.explain(position, Color.BLACK))
    with pytest.raises(ValueError, match="'red' is neither black nor white"):
        hsearch.explain(position, "red")


def test_a_random_choice_names_its_move():
    position = Position.of(Board(5, 5))
    chosen = hsearch.play(position, player="random")

    assert str(chosen) == f"{position.board.name(chosen.action)}, chosen at random."


def test_every_call_accepts_a_color_by_name():
    """Anything else is refused: as a player it would be White."""
    position = Position.of(5, black=["c3"], white=["a1"])
    analysis = Analysis(position)

    assert position.put("b1", "black") == position.put("b1", Color.BLACK)
    assert position.stones("white") == position.white
    assert hsearch.closure(position, "black").color is Color.BLACK
    assert analysis.edge_fulls("black") == analysis.edge_fulls(Color.BLACK) != ()
    assert analysis.edge_connection("black") == analysis.edge_fulls("black")[0]
    assert analysis.with_turn("white").position.turn is Color.WHITE
    for wrong in ("green", "", 0, 7, None):
        for ask in (
            position.stones,
            lambda color: position.put("b1", color),
            lambda color: hsearch.closure(position, color),
            analysis.edge_fulls,
            analysis.edge_semis,
            analysis.edge_connection,
            analysis.with_turn,
        ):
            with pytest.raises(ValueError, match="neither black nor white"):
                ask(wrong)


@pytest.mark.parametrize("turn", [7, 1, True, None, "red"])
def test_an_invalid_turn_is_refused(turn):
    board = Board(5)
    with pytest.raises(ValueError, match=r"not a player: |neither black nor white"):
        Position.of(board, turn=turn)
    with pytest.raises(ValueError, match="the turn is not a player: "):
        Position(board, board.only(), board.only(), turn)


def test_invalid_cell_numbers_are_refused():
    position = Position.of(5, black="c3")
    for wrong in (99, -1, 3.0, None):
        for ask in (position.color_at, position.board.cell, lambda cell: Game.of(5, [cell])):
            with pytest.raises(ValueError, match="not a cell of the 5x5 board"):
                ask(wrong)
    assert position.color_at(np.int64(12)) is Color.BLACK
    with pytest.raises(TypeError, match=r"as board.cell\('c3'\) is one"):
        assert "c3" in position.black


@pytest.mark.parametrize(
    "ask",
    [
        hsearch.Analysis,
        lambda game: hsearch.best_moves(game, seconds=0),
        hsearch.explain,
        hsearch.play,
        hsearch.shortest_win,
        hsearch.solve,
    ],
)
def test_python_warns_of_a_game_of_another_variant(ask):
    """It warns in the words of the command, at the line that asks; a position has no variant."""
    text = "(;GM[11]SZ[4]RU[random-turn];PL[W]XC[white];W[b2])"
    game = hsearch.read(text)
    command = CliRunner().invoke(main, ["solve", text]).stderr
    with pytest.warns(UserWarning, match="^a game of random-turn, taken here for one") as record:
        answer = ask(game)

    (warning,) = record
    words = str(warning.message).replace("hsearch.bid", "hsearch bid")
    assert command.splitlines()[-1].endswith(words)
    assert warning.filename == __file__
    assert str(ask(game.position())) == str(answer)


@pytest.mark.parametrize("game", ["https://hexworld.org/board/#5,a1b2", "a1 " * 200])
def test_loading_a_game_names_the_function_that_reads_it(game):
    """The command line takes either a file or a game; in Python there is a function for each."""
    with pytest.raises(OSError, match="reads a link or moves: ") as caught:
        hsearch.load(game)

    assert caught.value.filename == game
    with pytest.raises(FileNotFoundError, match="No such file or directory"):
        hsearch.load("nowhere.sgf")


def test_python_does_not_warn_where_the_variant_does_not_matter():
    """Bids and evaluations keep the rules of a record, and a swap changes no turn."""
    game = hsearch.read("(;GM[11]SZ[3]RU[random-turn];PL[B]XC[black];B[b2])")
    assert "Black" in str(hsearch.evaluate(game, "shortest_path"))
    assert hsearch.bid(game, color="white").amount > 0
    swap = hsearch.read("(;GM[11]SZ[3]RU[swap];B[b2])")
    assert str(hsearch.solve(swap)).startswith("If nobody swaps: ")
