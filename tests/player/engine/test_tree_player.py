"""The `tree` player: its options, its proofs, its memory and its texts."""

import json
import re
import threading

import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import ask
from schemas import validate
from test_engine import beats_all

from hsearch.connect.closure import closure
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move
from hsearch.hex.position import Position
from hsearch.hex.tree import GameNode
from player.answers.moves import describe_findings
from player.cli import main
from player.engine import tree
from player.engine.hexy import Perfect
from player.engine.player import MoveRequest
from player.engine.referee import play
from player.engine.spec import player
from player.evaluate.net import Net, features, forward, layout, load_net, write_net
from player.evaluate.patterns import load_patterns
from player.gtp.session import Session
from player.kernels import tree as kernel
from player.search.openings import load_chart
from player.search.tree import TreeSearch, TreeSettings
from player.solve.solver import Solver
from player.work.naming import SpecError

SHARE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
COLOR = {"enum": ["black", "white", None]}
BEST = {
    "type": "object",
    "required": ["winner", "simulations", "looks", "before_swap", "moves"],
    "properties": {
        "winner": COLOR,
        "before_swap": {"type": "boolean"},
        "simulations": {"type": "integer"},
        "looks": {"type": "integer"},
        "moves": {
            "type": "array",
            "maxItems": 5,
            "items": {
                "type": "object",
                "required": ["cell", "winner", "chance", "visits", "line"],
                "properties": {
                    "cell": {"type": "string"},
                    "winner": COLOR,
                    "chance": SHARE,
                    "visits": {"type": "integer"},
                    "line": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


def chosen(spec, game, *, seed=0):
    """Return the choice of a new player."""
    return player(spec).choose(game, MoveRequest(), np.random.default_rng(seed))


@pytest.mark.parametrize("board", [Board(1, 1), Board(1, 2), Board(2, 1)], ids=str)
def test_the_tree_player_plays_on_the_smallest_boards(board):
    """Preparing works even if there is no second move to evaluate."""
    mover = player("tree")
    mover.prepare(board)
    choice = mover.choose(Game(board), MoveRequest(), np.random.default_rng(0))

    assert Position.of(board).is_legal(choice.action)


@pytest.mark.parametrize("spec", ["tree:simulations=9", "tree"])
def test_all_kernels_of_a_search_are_compiled_before_the_first_move(spec, monkeypatch):
    """So are those that a short search leaves out: to prove a node, and to keep a subtree."""
    calls = []
    for name in ("simulate", "prove", "transplant"):
        whole = getattr(kernel, name)

        def call(*arguments, name=name, whole=whole):
            calls.append(name)
            return whole(*arguments)

        monkeypatch.setattr(kernel, name, call)
    player(spec).prepare(Board(4, 4))

    assert {"simulate", "prove", "transplant"} <= {*calls}


def test_the_tree_uses_the_shipped_net_by_default():
    """It is the default, except with a number of simulations, a level or playouts."""
    net, plain = load_net(), player("tree").settings
    assert (plain.net, plain.playouts, plain.trust) == (net, False, 1.0)
    assert player("tree:net=shipped,simulations=9").settings.net is net
    assert player("tree:net=shipped,playouts=yes").settings.playouts
    for spec in ("tree:simulations=9", "tree:level=2", "tree:net=none", "tree:playouts=yes"):
        assert (player(spec).settings.net, player(spec).settings.playouts) == (None, True)


def test_without_a_net_the_tree_uses_the_shipped_patterns():
    """They are the default without a net, and are never used with one."""
    known = load_patterns()
    assert known is not None
    for spec in ("tree:simulations=9", "tree:level=2", "tree:net=none", "tree:playouts=yes"):
        assert player(spec).settings.patterns is known
    for spec in ("tree", "tree:net=shipped,simulations=9", "tree:net=none,patterns=none"):
        assert player(spec).settings.patterns is None
    plain, cold = (player(f"tree:patterns={name}").settings for name in ("none", "shipped,heat=3"))
    assert (plain.prior, plain.heat) == (0.5, 0.1)
    assert (cold.prior, cold.heat, cold.net) == (2.0, 3.0, None)


def test_the_shipped_patterns_record_how_they_were_made():
    """The record has the net, the games, and the accuracy on games kept apart."""
    record = load_patterns().record

    assert find_shipped("patterns.npz").stat().st_size < 1_000_000
    assert record["net"] == load_net().record["earlier"][0]["start"]  # two nets before
    assert record["positions"] > 1_000_000
    assert record["apart"]["winner"] > 0.85
    assert record["apart"]["first"] > 0.5


def test_the_shipped_net_records_how_it_was_made():
    """The record has each generation, with its games and the accuracy before training."""
    record = load_net().record
    generations = [each for run in (*record["earlier"], record) for each in run["generations"]]
    first, last = generations[0], generations[-1]

    assert find_shipped("net.npz").stat().st_size < 2_000_000
    assert sum(each["games"] for each in generations) > 250_000
    assert not first["by_learner"]  # the previous net played the first games
    assert last["by_learner"]
    assert last["before"]["winner"] > 0.75  # boards of all sizes, balanced openings
    assert last["before"]["first"] > 0.65


def test_a_player_text_sets_the_options():
    """Each level doubles the simulations, and a given number overrides the level."""
    assert player("tree").settings.simulations is None
    assert [player(f"tree:level={n}").settings.simulations for n in (1, 2, 9)] == [50, 100, 12800]
    several = player("tree:simulations=7,look_at=root,blend=0.25,playouts=yes,level=3").settings
    assert (several.simulations, several.look_at, several.blend) == (7, None, 0.25)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tree:depth=2", "unknown option 'depth' of tree .known: level, simulations, look_at"),
        (
            "tree:simulations=0",
            "'simulations=0' in 'tree:simulations=0': not a whole number from 1",
        ),
        ("tree:simulations=1234567890", "not a whole number from 1 to 999999999$"),
        ("tree:ask_at=1234567", "not a whole number from 0 to 999999$"),
        ("tree:blend=0.12345", "not a number from 0 to 9999, with at most four decimals$"),
        ("tree:blend=2", "'tree:blend=2': blend out of range: 2"),
        ("tree:playouts=no", "'tree:playouts=no': without playouts, set blend=1, and let H-search"),
        ("tree:heat=0", "'tree:heat=0': heat out of range: 0"),
        ("tree:slope=0", "'tree:slope=0': slope out of range: 0"),
        ("tree:level=10", "not a level"),
        ("tree:look_at=leaf", "'look_at=leaf' in"),
        ("tree:playouts=maybe", "neither yes nor no"),
        ("tree:worth=2", "'tree:worth=2': worth out of range: 2"),
        ("tree:net=shipped,patterns=shipped", "patterns are for a search without a net"),
        ("tree:patterns=gone.npz", "gone.npz: No such file"),
    ],
)
def test_invalid_options_of_the_tree_player_are_rejected(spec, message):
    """Combinations that do not fit are refused like values that are not numbers."""
    with pytest.raises(SpecError, match=message):
        player(spec)


def test_the_winner_of_an_opening_beats_every_move():
    """From each position of one stone on 3x3, the winner wins, by playouts and proofs."""
    board, tree = Board(3, 3), player("tree:simulations=100,look_at=4")
    for opening in board.cells:
        color = Color.BLACK if load_chart(3).wins(opening) else Color.WHITE
        assert beats_all(tree, Game.of(board, [opening]), color, set())


def test_the_tree_player_uses_no_tree_of_another_game():
    """In another game it chooses as a new player does; in the same game it keeps the tree."""
    spec, seat = "tree:simulations=600,expand_at=2", player("tree:simulations=600,expand_at=2")
    one, other = Game.of(Board(8, 8), [20]), Game.of(Board(8, 8), [27, 36, 45])
    first = seat.choose(one, MoveRequest(), np.random.default_rng(0))
    again = seat.choose(other, MoveRequest(), np.random.default_rng(0))
    assert again.account.tree.candidates == chosen(spec, other).account.tree.candidates
    later = other
    for color, cell in ((Color.WHITE, again.action), (Color.BLACK, again.account.line[1])):
        later = later.append(Move(color, cell))
    account = seat.choose(later, MoveRequest(), np.random.default_rng(0)).account
    kept = account.tree

    assert first.account.tree.simulations == kept.simulations == 600
    assert kept.visits > 600
    assert f", the first move in {kept.best.visits} of {kept.visits} simulations." in account.reason


@pytest.mark.parametrize("spec", ["tree:net=none,solve=0", "tree:net=shipped,solve=0"])
def test_a_counted_search_does_not_reuse_the_tree_of_a_timed_one(spec, monkeypatch):
    """Each move ends by its own terms, so a counted search starts anew after a timed one."""
    monkeypatch.setattr(tree, "SIMULATIONS", 300)
    monkeypatch.setattr(tree, "ANSWERS", 60)
    seat, game = player(spec), Game.of(Board(8, 8), [56])
    seat.prepare(game.board)  # otherwise compiling takes all the time
    count = 300 if "none" in spec else 60
    for seconds in (0.3, None, 0.3):
        terms = MoveRequest(seconds)
        found = seat.choose(game, terms, np.random.default_rng(0)).account.tree
        if seconds is None:
            alone = player(spec).choose(game, terms, np.random.default_rng(0)).account.tree
            assert (found.simulations, found.candidates) == (count, alone.candidates)
        else:
            assert found.simulations, "no tree that the next search could reuse"
        game = game.append(Move(game.position().turn, found.best.cell))


def test_a_win_proved_by_updated_connections_comes_with_its_move():
    """Connections updated from an earlier move prove a win that a new closure misses."""
    board, seat = Board(9, 9), player("tree:net=shipped,simulations=100")
    for count in (4, 10):
        game = Game.of(board, WON.split()[:count])
        account = seat.choose(game, MoveRequest(), np.random.default_rng(0)).account

    assert not closure(game.position(), Color.BLACK, seat.limits(board)).edge_semis
    assert (account.tree.winner, account.tree.simulations) == (Color.BLACK, 0)
    assert (account.reason, account.winner) == (
        "Proved by search: Black wins with c2.",
        Color.BLACK,
    )


def test_its_account_lists_moves_chances_and_proved_losses():
    """The text has the best five moves by visits, and the number proved to lose."""
    text = CliRunner().invoke(main, ["analyze", FORCED, "--size", "9", *TREE]).stdout

    _, told = text.split("Moves Black looked at, with Black's chance and the number of simulations")
    assert told.split(";")[0].count(" % (") == 5
    assert "; 48 of 71 moves proved to lose. This took 200 simulations and" in told


def test_no_moves_are_searched_if_h_search_proves_the_winner():
    """The text says so in the place of the moves."""
    text = CliRunner().invoke(main, ["analyze", "c3 a1", "--size", "5", *TREE]).stdout

    assert text.count("No moves were looked at: who wins is proved.") == 1


def test_no_moves_are_searched_after_a_resignation():
    """The record proves nothing, so the text does not say so."""
    record = "(;FF[4]GM[11]SZ[9];B[c3];W[g7];B[d4];W[resign])"
    text = CliRunner().invoke(main, ["analyze", record, *TREE]).stdout

    assert text.count("No moves were looked at: the game is over.") == 1
    assert "prove" not in text


def test_simulations_reused_from_earlier_moves_are_reported_separately():
    """They count like those of this search."""
    board, seat = Board(6, 6), player("tree:patterns=none,simulations=300,look_at=1000")
    game, terms, generator = Game.of(board, ["b1"]), MoveRequest(), np.random.default_rng(0)
    first = seat.choose(game, terms, generator).account
    game = Game.of(board, ["b1", *map(board.name, first.line[:2])])
    second = seat.choose(game, terms, generator).account

    assert "This took 300 simulations and" in describe_findings(first.tree)
    kept = second.tree.visits - 300
    assert (
        f"This took 300 simulations, beside {kept} kept from the moves before, and"
        in describe_findings(second.tree)
    )
    assert kept > 10


@pytest.mark.parametrize(("moves", "cell"), [("c1 b4", "d4"), ("f1 d3 b5", "c4")])
def test_a_proof_by_the_tree_replaces_the_estimate(moves, cell):
    """If H-search proves nothing, the tree's proof replaces the chance, as text and as JSON."""
    asked = ["analyze", moves, "--size", "6", "--solver", "0"]
    asked += ["--player", "tree:patterns=none,simulations=5000"]
    text, told = (CliRunner().invoke(main, [*asked, *more]).stdout for more in ([], ["--json"]))
    told = json.loads(told)
    best = next(iter(told["best_moves"]["by_turn"].values()))

    assert "Proved by search: " in text
    assert f"{cell} wins (proved)" in text
    assert told["winner"] == told["proved_winner"] == best["winner"]
    assert (told["proof"], told["chance"], told["chance_by"]) == ("search", 1, "proof")
    assert told["winning_move"] == cell
    assert "Who wins is unknown" not in text
    assert "Estimated" not in text
    assert (best["moves"][0]["cell"], best["moves"][0]["chance"]) == (cell, None)


ENDGAME = (  # from a game against `hexy`: after 1,000 simulations, the tree alone gives Black 40 %
    "k9 i2 j2 e4 i4 i3 j3 g8 i7 i5 j6 k4 j5 j4 g5 h5 h4 f7 g6 h7 f8 g7 e7 f6 e5 e6 c7 c9 d8 c8 "
    "d7 d9 e8 e10 f9 f10 g9 g10"
)
WON = "e5 g7 d7 d6 e6 f2 f3 h1 d3 e1"
FEW = "tree:net=shipped,simulations=40"


def test_the_solver_runs_first_in_the_endgame_on_a_large_board():
    """The solver's answer is the move, in a position where the tree finds no proof."""
    board = Board(11, 11)
    game = Game.of(board, ENDGAME.split())
    asked, alone = (chosen(FEW + more, game) for more in (",solve=3000", ""))

    assert (board.name(asked.action), asked.account.winner) == ("h9", Color.BLACK)
    assert re.fullmatch(
        "Proved: Black wins with h9, solved in [0-9]+ positions.", asked.account.reason
    )
    assert alone.account.winner is None
    lost = chosen(FEW + ",solve=3000", game.append(Move(Color.BLACK, asked.action))).account
    assert lost.winner is Color.BLACK
    assert lost.reason.startswith("Proved: Black wins. ")


def test_an_analysis_reports_the_result_of_the_solver():
    """The winning move is first; if none wins, the text says that all moves lose."""
    told = [
        CliRunner()
        .invoke(main, ["analyze", moves, "--solver", "0", "--player", FEW + ",solve=3000"])
        .stdout
        for moves in (ENDGAME, ENDGAME + " h9")
    ]

    assert "Proved by search: Black, who is to move, wins with h9 (a player's search)." in told[0]
    assert "Proved by search: Black wins, whatever White plays (a player's search)." in told[1]
    assert "Must-play for White: none, every move loses." in told[1]
    assert "simulations: h9 wins (proved), " in told[0]
    assert "Moves White looked at: all of them lose." in told[1]


def test_a_search_without_time_reports_the_proof_of_the_solver():
    """The winning move is first, although the search evaluated none."""
    position = Game.of(Board(11, 11), ENDGAME.split()).position()
    canceled = threading.Event()
    canceled.set()
    search = TreeSearch(position, TreeSettings(simulations=9))
    found = search.run(np.random.default_rng(0), cancel=canceled)
    told = found.with_winner(Color.BLACK, position.board.cell("h9"))

    assert found.candidates == ()
    assert (told.winner, told.best.winner) == (Color.BLACK, Color.BLACK)
    assert told.best.cell == told.line[0] == position.board.cell("h9")


def test_the_solvers_share_of_time_grows_as_the_board_fills():
    """Its share grows to a half, which it has at once if few cells are empty."""
    board, growing, other = Board(11, 11), Perfect(begins_early=True), Perfect()
    shares = [growing.share(_filled(board, stones)) for stones in (0, 12, 13, 20, 36, 43, 60, 72)]

    assert shares[:2] == [0, 0]
    assert shares[-3:] == [0.5] * 3
    assert shares == sorted(shares)
    assert shares[3] == pytest.approx(2 * (20 / 121 - 0.1))
    assert [other.share(_filled(board, stones)) for stones in (71, 72)] == [0, 0.5]
    assert growing.share(_filled(Board(16, 16), 100)) == 0
    assert growing.share(_filled(Board(7, 7), 0)) == 0.5


def test_the_solver_is_skipped_without_time_for_several_evaluations(monkeypatch):
    """An evaluation cannot be interrupted, so the solver needs time for several of them."""
    given, perfect, solve = [], Perfect(begins_early=True), Solver.solve

    def solved(self, position, **limits):
        given.append(limits["seconds"])
        return solve(self, position, nodes=1)

    monkeypatch.setattr(Solver, "solve", solved)
    for stones, seconds in ((30, 0.05), (30, 1.0), (80, 0.05)):
        perfect.answer(_filled(Board(11, 11), stones), MoveRequest(seconds=seconds), 3000)

    assert given == pytest.approx([2 * (30 / 121 - 0.1), 0.025])


def _filled(board, stones):
    """Return a position with stones on its first cells."""
    return Game.of(board, range(stones)).position()


TREE = ["--player", "tree:simulations=200"]
FORCED = "b7 b8 d7 d6 f5 f4 g4 g3 c7 c5"


def test_an_analysis_adds_the_best_moves():
    """They are added for the player to move; otherwise only the source of the chance changes."""
    position = ["analyze", "c3 d6", "--size", "8", "--json"]
    plain, thing = (
        json.loads(CliRunner().invoke(main, [*position, *more]).stdout) for more in ([], TREE)
    )
    best = thing.pop("best_moves")

    del plain["seconds"], thing["seconds"], plain["best_moves"]
    assert [each.pop("chance_by") for each in (plain, thing)] == ["net", "playouts"]
    assert (
        plain.pop("chance") != thing.pop("chance") == best["by_turn"]["black"]["moves"][0]["chance"]
    )
    assert plain == thing
    assert (best["player"], list(best["by_turn"])) == (TREE[1], ["black"])
    validate(best["by_turn"]["black"], BEST)
    visits = [move["visits"] for move in best["by_turn"]["black"]["moves"]]
    assert visits == sorted(visits, reverse=True)


@pytest.mark.parametrize("spec", ["hexy", "tree:level=0", "six"])
def test_only_the_tree_player_can_list_best_moves(spec):
    """The error names the player, with exit code 2."""
    done = CliRunner().invoke(main, ["analyze", "c3", "--size", "5", "--player", spec])

    assert done.exit_code == 2
    assert spec in done.stderr


def test_a_gtp_session_uses_the_tree_player():
    """GTP sets it with the parameter `player`."""
    session = Session()
    for line in ("boardsize 5", "param_hsearch player tree:simulations=50", "play b c3"):
        assert ask(session, line) == ""

    assert "tree:simulations=50" in ask(session, "param_hsearch")
    assert ask(session, "reg_genmove w") in session.board.names(session.position.empty)


def test_a_net_that_overflows_loses_only_its_game(tmp_path):
    """Its answers for the empty 3x3 board are just finite, so that it is read; others are not."""
    least, most = 1.0, 60_000.0
    for _ in range(40):
        middle = (least * most) ** 0.5
        least, most = (middle, most) if is_finite_on_3x3(even_net(middle)) else (least, middle)
    write_net(tmp_path / "net.npz", even_net(least))
    huge = player(f"tree:net={tmp_path / 'net.npz'},simulations=50")
    outcome = play(huge, player("random"), Game.of(Board(5, 5)), np.random.default_rng(0))

    assert (outcome.winner, outcome.how) == (Color.WHITE, "failed")
    assert outcome.reason == "the net's answer is not a chance on 5x5"


def even_net(weight):
    """Return a net without biases whose other weights are the same."""
    weights = [
        np.full(np.prod(shape), 0 if name.endswith("bias") else weight, np.float16)
        for name, shape in layout(6, 16).items()
    ]
    return Net(6, 16, np.concatenate(weights))


def is_finite_on_3x3(net):
    with np.errstate(over="ignore", invalid="ignore"):
        output = forward(net, features(Position.of(Board(3, 3))))
    return all(np.isfinite(part).all() for part in output)


@pytest.mark.parametrize("kind", ["turn", "setup", "second"])
def test_a_tree_is_reused_only_if_the_game_continues_from_it(kind):
    """If the game does not continue from the tree's position, a new tree is searched."""
    own, board = player("tree:net=none,simulations=50"), Board(8, 8)
    chance, game = np.random.default_rng(0), Game.of(board, ["a1", "h8"])
    first = own.choose(game, MoveRequest(), chance).action
    reply = next(cell for cell in board.cells if cell not in {0, first, board.cell("h8")})
    after = game.append(Move(Color.BLACK, first)).append(Move(Color.WHITE, reply))
    other = {
        "turn": after.append_node(GameNode(turn=Color.WHITE)),
        "setup": after.append_node(GameNode(cleared=(0,), turn=Color.BLACK)),
        "second": game.append(Move(Color.WHITE, first)).append_node(GameNode(turn=Color.BLACK)),
    }[kind]
    choice = own.choose(other, MoveRequest(), chance)

    assert choice.account.tree.position == other.position()
    assert other.position().is_legal(choice.action)
