"""`hint` and `why` in a game at the terminal."""

import re

import numpy as np
from playing import played

from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from player.answers.memory import MEMORY
from player.engine.player import MoveRequest
from player.solve.solver import Solver
from player.terminal.advice import PlainAdvice
from player.variants.base import GameState


def test_why_begins_with_the_swap(tmp_path):
    """Before the first two moves, `why` begins with the swap and makes proofs conditional."""
    options = ("--size", "5", "--white", "human", "--record", str(tmp_path / "x.sgf"))
    said = played("why\ne1\nwhy\nswap\nwhy\n", "--swap", *options).stdout
    opened, answered, swapped = said.split("Must-play for ")[:3]

    assert "White may swap. Opens with e1" in opened
    assert "If nobody swaps: Proved: Black" in opened
    assert "White may swap, and should. e1 is proved to win" in answered
    assert "may swap" not in swapped
    assert "may swap" not in played("why\n", *options).stdout


def test_a_hint_is_marked_on_the_board(tmp_path):
    """A sign on the board marks the hint's cell."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "3", "--ascii", "--white", "human")
    shown = played("hint\nquit\n", *record).stdout
    name = re.search(r"Hint: ([abc])([123])\.", shown)
    row = next(line for line in shown.splitlines() if "!" in line).split()

    assert row[0] == name[2]
    assert row[1:-1]["abc".index(name[1])] == "!"


def test_a_weak_opponent_does_not_weaken_hints(tmp_path):
    """A weak opponent does not weaken hints, and hints use what is proved."""
    record = ("--record", str(tmp_path / "g.sgf"), "--size", "5", "--seed", "1")
    said = [
        re.findall(
            r"Hint: ([a-e][1-5])\. (Proved[^:]*)", played("e2\nhint\n", *record, *who).stdout
        )
        for who in (("--white", "level:1"), ("--white", "hexy"))
    ]
    weak = played("c3\nhint\nlevel 1\nhint\nwhy\n", *record, "--white", "hexy").stdout
    before, after = re.findall(r"Hint: ([a-e][1-5])\. Proved", weak)

    assert all(len(hints) == 1 for hints in said)
    assert before == after
    assert "The last move:" in weak, "another level forgets why the engine moved"


def test_a_hint_does_not_influence_the_opponent(tmp_path, monkeypatch):
    """A hint leaves no trace in the opponent's tree, even if the hint is played."""
    monkeypatch.setattr("player.answers.candidates.SIMULATIONS", 200)  # more than White's 150
    record = ("--record", str(tmp_path / "g.sgf"))
    options = ("--size", "9", "--white", "tree:simulations=150", "--seed", "1", *record)
    asked = played("b5\nhint\n", *options).stdout
    hinted = re.search(r"Hint: ([a-i][1-9])\. Estimated: .*simulations,", asked.replace("\n", " "))
    asked, plain = (
        played(lines, *options).stdout
        for lines in (f"b5\nhint\n{hinted[1]}\nwhy\n", f"b5\n{hinted[1]}\nwhy\n")
    )

    reasons = [
        " ".join(text.split("The last move:")[1].split("The game")[0].split())
        for text in (asked, plain)
    ]
    assert "Moves White looked at" in reasons[0]
    assert reasons[0] == reasons[1]


def test_help_lists_the_swap_only_if_it_is_allowed(tmp_path):
    """Help lists the swap only if it is allowed."""
    record = ("--record", str(tmp_path / "g.sgf"))
    without, offered = (
        played("help\nswap\n", "--size", "5", "--white", "human", *record, *more).stdout
        for more in ((), ("--swap",))
    )

    assert "take over the first stone" in offered
    assert "take over the first stone" not in without
    assert "this game is played without swap: start with --swap" in without


def test_why_puts_a_proof_by_search_first(tmp_path):
    """If only a search proves the winner, `why` begins with it and shows no estimate."""
    record = ("--record", str(tmp_path / "g.sgf"))
    options = ("--size", "6", "--white", "tree:solve=3000,simulations=9", *record)
    text = played("a2\nwhy\n", *options).stdout

    assert "Proved by search: White wins, whatever Black plays (a player's search)." in text
    assert "The last move: Proved: White wins with d3, solved in" in text
    assert "Must-play for Black" in text
    assert "unknown" not in text
    assert "Estimated" not in text


def test_why_and_a_hint_give_the_same_proof_once(tmp_path):
    """`why` and a hint give the same proof once, and the next position has its own."""
    options = ("--size", "6", "--white", "human", "--record", str(tmp_path / "g.sgf"))
    said = played("a2\nwhy\nhint\nwhy\na1\nwhy\n", *options).stdout.replace("\n", " ")
    before, hinted, later = said.split("Must-play for ")[:3]

    for text in (before, hinted):
        assert re.search(r"Proved by search: White, who is to move, wins +with d3 \(the so", text)
    assert re.search(r"Hint: d3\. Proved by search: White, who is to move, wins +with d3", said)
    assert "Proved by search: Black, who is to move, wins with c4" in later
    assert "The hint: " not in said  # it would say the same again


def test_why_uses_the_proof_of_a_hint_without_a_search():
    """`why` uses a hint's proof even without a search of its own."""
    advice = PlainAdvice()
    game = Game.of(Board(6, 6), ["b4", "c3"])
    state = GameState.of(game)

    def first(seen):
        _, (sentence, *_) = advice.why(seen, search=0)
        return sentence

    assert first(state).startswith("Who wins is unknown")
    advice.hint(state, MoveRequest(), np.random.default_rng(1))
    won_by = Solver(game.board).outcome(game.position()).word.capitalize()
    assert first(state).startswith(f"Proved by search: {won_by}")


def test_a_proof_removes_the_estimate_of_a_hint():
    """A later proof removes the hint's estimate, which may favor the loser."""
    advice = PlainAdvice()
    state = GameState.of(Game.of(Board(9, 9), ["a1", "b2"]))
    hint = advice.hint(state, MoveRequest(0.2), np.random.default_rng(1))
    _, unproved = advice.why(state, search=0)
    MEMORY.keep_win(state.position, Color.WHITE, None)
    _, proved = advice.why(state, search=0)

    assert "Estimated: " in hint.sentence
    assert any(line.startswith("The hint: Estimated: ") for line in unproved)
    assert proved[0].startswith("Proved by search: ")
    assert not any("Estimated" in line or "chance" in line for line in proved)


def test_another_level_leaves_the_reason_of_the_last_move(tmp_path):
    """After `level` changes the engine, `why` still gives the reason of its last move."""
    options = ("--size", "6", "--white", "tree:simulations=50", "--seed", "1", "--record")
    text = played("c4\nwhy\nlevel 1\nwhy\n", *options, str(tmp_path / "g.sgf")).stdout
    reasons = re.findall(r"The last move: .*", text)

    assert len(reasons) == 2
    assert reasons[0] == reasons[1]


def test_why_and_the_reason_of_a_move_give_the_same_chance(tmp_path):
    """After a tree's move, `why` shows the tree's chance, as the move's reason does."""
    options = ("--size", "9", "--white", "tree:simulations=300", "--seed", "1", "--record")
    text = played("e5\nwhy\nd3\nwhy\n", *options, str(tmp_path / "g.sgf")).stdout.replace("\n", " ")

    text = " ".join(text.split())
    shown = re.findall(r"win: Black \d+ %, White (\d+) % \(by playouts\)", text)
    reasons = re.findall(r"The last move: Estimated: White's chance to win is (\d+) % after", text)
    assert len(shown) == 2
    assert shown == reasons
    assert text.count("Moves White looked at, with White's chance and the number") == 2
