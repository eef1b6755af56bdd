"""User code by name: evaluators and players of a Python file, and their failures."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import fail, send

import hsearch
from hsearch import Board, Color, Game, Position
from hsearch.kernels.stop import Stopped
from player.answers.memory import MEMORY
from player.cli import main
from player.engine.player import MoveRequest, PlayerError
from player.engine.referee import play
from player.engine.spec import SpecError, player
from player.evaluate.evaluators import Evaluation, EvaluatorError, evaluate, evaluator
from player.gtp.session import Session
from player.work.naming import is_own

TERMS = MoveRequest()
MINE = """
from hsearch import Choice
from hsearch.kernels.stop import Stopped
from player.engine.player import Rationale

def worth(position):
    return position.white.count() - position.black.count()

def twice(position):
    return 2 * worth(position)

def broken(position, generator=None):
    return {}[0]

def leaves(position, generator=None):
    raise SystemExit(3)

def stops(position, generator=None):
    raise Stopped

def word(position, generator=None):
    return "good"

def first(position, generator):
    return min(position.empty)

def corner(position, generator):
    return "a1"

def answers(position, generator):
    return position.is_legal(0)

class Bare:
    def __init__(self, strength):
        pass

class Last:
    def prepare(self, board):
        self.board = board

    def choose(self, game, terms, generator):
        cell = max(game.position().empty)
        return Choice(cell, Rationale(self.board.name(cell)))

    def close(self):
        pass
"""


BOASTS = """
class Leaves(Last):
    def choose(self, game, terms, generator):
        raise SystemExit

class Named(Last):
    def choose(self, game, terms, generator):
        return Choice(max(game.position().empty), Rationale(self.name))

    def close(self):
        raise OSError

class Open:
    def prepare(self, board):
        pass

    def choose(self, game, terms, generator):
        pass

class Fails(Last):
    def choose(self, game, terms, generator):
        raise KeyError("oops")

class Boasts(Last):
    def choose(self, game, terms, generator):
        position = game.position()
        return Choice(max(position.empty), Rationale("I win.", position.turn))

class Mute(Last):
    def choose(self, game, terms, generator):
        return None

class Names(Last):
    def choose(self, game, terms, generator):
        return Choice("a1", Rationale("By name."))

class Agrees(Last):
    def choose(self, game, terms, generator):
        return Choice(True, Rationale("Yes."))

class Silent(Last):
    def choose(self, game, terms, generator):
        return Choice(0, None)

class Counts(Last):
    def choose(self, game, terms, generator):
        return Choice(max(game.position().empty), Rationale("Many.", findings=17))
"""


@pytest.fixture
def mine(tmp_path):
    """Return the name of a file with user code."""
    file = tmp_path / "mine.py"
    file.write_text(MINE + BOASTS)
    return str(file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mine.py:worth", True),
        ("/a b/mine.py:worth", True),
        ("C:/mine.py:worth", True),
        ("mine.py", False),
        ("mine.py:", False),
        ("mine:worth", False),
        ("mine.py:two words", False),
        ("two_distance", False),
    ],
)
def test_names_of_user_code_are_recognized(text, expected):
    assert is_own(text) is expected


def test_a_function_can_be_an_evaluator(mine):
    """An evaluator is given as a function or by name; a won game does not call it."""
    position = Position.of(Board(3, 3), black="b2", white="a1 c1")
    won = Position.of(Board(2, 2), white="a1 b1")

    def worth(position):
        return position.white.count() - position.black.count()

    found = evaluate(position, worth)

    assert (found.evaluation, str(found)) == (1.0, "+1.00, an estimate that favors White.")
    assert evaluate(position, f"{mine}:worth").evaluation == 1.0
    assert hsearch.evaluate(position, f"{mine}:twice").evaluation == 2.0
    assert evaluate(won, lambda _: -5).evaluation == np.inf
    assert evaluate(won, lambda _: Evaluation(1, 2, -5)) == Evaluation(1, 2, np.inf)
    assert evaluate(position, lambda _: Evaluation(1, 2, 3)) == Evaluation(1, 2, 3)
    for wrong in ("good", None, True, float("nan"), Evaluation(1, 2, float("nan"))):
        with pytest.raises(TypeError, match="neither a number nor an Evaluation"):
            evaluate(position, lambda _, wrong=wrong: wrong)


def test_errors_name_what_a_file_lacks(mine, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("1 +")

    with pytest.raises(ValueError, match=r"mine.py has no function 'worst' \(it has: .*worth\)$"):
        evaluator(f"{mine}:worst")
    with pytest.raises(ValueError, match=r"none.py: no such file"):
        evaluator("none.py:worth")
    with pytest.raises(ValueError, match=r"nnn.py: File name too long$"):
        evaluator(f"{300 * 'n'}.py:worth")
    with pytest.raises(ValueError, match=r"wrong.py: SyntaxError"):
        evaluator(f"{wrong}:worth")
    with pytest.raises(ValueError, match=r"unknown evaluator 'luck' .*FILE.py:FUNCTION\)"):
        evaluator("luck")
    with pytest.raises(SpecError, match="no function 'worst'"):
        player(f"ab:eval={mine}:worst")
    with pytest.raises(SpecError, match=r"named py:FILE.py:NAME, not 'py:mine'"):
        player("py:mine")
    with pytest.raises(SpecError, match=r"mine.py:Bare: TypeError: .*'strength'"):
        player(f"py:{mine}:Bare")


def test_a_function_or_a_class_can_be_a_player(mine):
    game = Game.of(Board(3, 3), ["b2"])
    moves = []
    for name in ("first", "corner", "Last"):
        mover = player(f"py:{mine}:{name}")
        mover.prepare(game.board)
        moves.append(mover.choose(game, TERMS, np.random.default_rng(0)).action)
        assert mover.name == f"py:{mine}:{name}"
        mover.close()

    assert moves == [0, 0, 8]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "KeyError: 0"),
        ("leaves", "SystemExit: 3"),
        ("word", "returned 'good': not a cell"),
        ("worth", "takes 1 positional argument"),
        ("corner", "returned 'a1', where no stone may be placed"),
        ("answers", "returned False, which is not a cell"),
    ],
)
def test_the_error_of_a_failing_player_is_reported(mine, name, message):
    game = Game.of(Board(3, 3), ["a1"])

    with pytest.raises(PlayerError, match=message):
        player(f"py:{mine}:{name}").choose(game, TERMS, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "KeyError: 0"),
        ("leaves", "SystemExit: 3"),
        ("word", "TypeError: an evaluator returned 'good', neither a number nor an Evaluation"),
    ],
)
def test_a_failing_evaluator_is_reported_by_name(mine, name, message):
    """The command names the failing evaluator, and a player that uses it loses the game."""
    with pytest.raises(EvaluatorError, match=re.escape(f"{mine}:{name}: {message}")):
        evaluate(Position.of(Board(3, 3)), f"{mine}:{name}")
    done = CliRunner().invoke(main, ["evaluate", "a5", "--size", "5", "--with", f"{mine}:{name}"])
    assert done.exit_code == 3
    assert done.stderr == f"{mine}:{name}: {message}\n"

    board = Board(7, 7)
    for spec in (f"ab:eval={mine}:{name},depth=1", f"hexy:eval={mine}:{name},depth=1"):
        with pytest.raises(PlayerError, match=re.escape(message)):
            player(spec).prepare(board)
        game = Game.of(board, ["a1", "g7"])
        with pytest.raises(PlayerError, match=re.escape(message)):
            player(spec).choose(game, TERMS, np.random.default_rng(0))
        session = Session()
        lines = ["hsearch-variant random-turn", f"param_hsearch player {spec}"]
        lines += ["hsearch-toss black", "play black a1", "hsearch-toss white"]
        send(["boardsize 7", *lines], session)
        assert fail(session, "genmove white") == f"{mine}:{name}: {message}"


def test_alpha_beta_searches_with_a_users_evaluator(mine):
    """Alpha-beta plays a legal move with a user's evaluator and names it."""
    position = Position.of(Board(3, 3), black="b2", turn=Color.WHITE)
    choice = hsearch.play(position, player=f"ab:eval={mine}:worth,depth=1")

    assert position.is_legal(choice.action)
    assert f"Estimated by {mine}:worth" in str(choice)


@pytest.mark.slow
def test_other_processes_find_a_users_code(mine, tmp_path):
    """A tournament with two workers has the same rows as with one."""
    rows = []
    for workers in ("1", "2"):
        file = tmp_path / f"rows-{workers}.jsonl"
        words = ["tournament", f"ab:eval={mine}:worth,depth=1", f"py:{mine}:first", "--size", "4"]
        done = CliRunner().invoke(
            main, [*words, "--games", "4", "--resume", str(file), "--workers", workers]
        )
        assert done.exit_code == 0, done.stderr
        games = map(json.loads, file.read_text().splitlines())
        rows.append(sorted(game["moves"] for game in games if "moves" in game))

    assert rows[0] == rows[1] != []


def test_evaluate_accepts_a_user_function(mine):
    text = CliRunner().invoke(main, ["evaluate", "a5", "--size", "5", "--with", f"{mine}:worth"])
    asked = ["evaluate", "a5", "--size", "5", "--with"]
    dashes, slip = (CliRunner().invoke(main, [*asked, w]) for w in ("two-distance", "two_distnce"))

    assert text.stdout.splitlines()[1].split() == [f"{mine}:worth", "-", "-", "-1.0"]
    assert dashes.stdout.splitlines()[1].startswith("two_distance ")
    assert "unknown evaluator 'two_distnce'. Did you mean two_distance or" in slip.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Fails", "KeyError: 'oops'"),
        ("Leaves", "SystemExit"),
        ("Mute", "None, which is not an hsearch.Choice"),
        ("Names", "chose 'a1': not the number of a cell, and not a swap"),
        ("Agrees", "chose True: not the number of a cell, and not a swap"),
        ("Silent", "gave None, where a Rationale gives the reason"),
    ],
)
def test_a_failing_class_loses_only_its_game(mine, name, said):
    """A failing class loses its game and does not end the tournament."""
    spec = f"py:{mine}:{name}"
    lost = play(player(spec), player("random"), Game(Board(3, 3)), np.random.default_rng(0))

    assert (lost.winner, lost.how) == (Color.WHITE, "failed")
    assert said in lost.reason


def test_findings_of_a_wrong_type_are_dropped(mine):
    """Findings of any other type are dropped, because their nodes cannot be counted."""
    made = player(f"py:{mine}:Counts")
    choice = made.choose(Game(Board(2, 2)), TERMS, np.random.default_rng(0))

    assert (choice.account.reason, choice.account.findings) == ("Many.", None)


def test_stopped_user_code_is_not_reported_as_a_failure(mine):
    """Stopping user code raises Stopped and is not reported as a failure."""
    with pytest.raises(Stopped):
        evaluate(Position.of(Board(3, 3)), f"{mine}:stops")
    with pytest.raises(Stopped):
        player(f"py:{mine}:stops").choose(Game(Board(3, 3)), TERMS, np.random.default_rng(0))


def test_a_winner_claimed_by_a_user_player_is_not_a_proof(mine):
    """A user's player cannot record a proof by claiming a winner."""
    start = Game.of(Board(4, 4), ["a1"])
    choice = hsearch.play(start, player=f"py:{mine}:Boasts")

    assert (str(choice), choice.account.winner) == ("I win.", None)
    assert MEMORY.recall(start.position()) is None


def test_a_script_that_ends_itself_does_not_end_the_program(tmp_path):
    """`sys.exit` in a script is an error of the script."""
    script = tmp_path / "script.py"
    script.write_text("import sys\ndef move(position, generator): ...\nsys.exit(0)\n")
    with pytest.raises(SpecError, match=r"script.py: SystemExit: 0"):
        player(f"py:{script}:move")


def test_a_class_that_is_not_a_player_is_refused_at_once(mine):
    with pytest.raises(SpecError, match=r"Open has no method close \(a player has prepare, choose"):
        player(f"py:{mine}:Open")


def test_a_user_player_is_named_by_its_spec_and_may_fail_to_close(mine):
    spec = f"py:{mine}:Named"
    made = player(spec)
    choice = made.choose(Game(Board(2, 2)), TERMS, np.random.default_rng(0))
    made.close()

    assert choice.account.reason == made.name == spec
