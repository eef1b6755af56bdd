"""The referee, and engines in other processes."""

import sys
import time

import numpy as np
import psutil
import pytest
from places import SUPPORT
from scripted import Scripted

from hsearch import formats
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position
from hsearch.hex.tree import GameNode
from player.engine.external import Client, EngineError, RefusedError
from player.engine.player import MoveRequest, PlayerError
from player.engine.referee import MatchRules, play
from player.engine.spec import player
from player.variants.plain import Plain, swaps

ENGINES = SUPPORT / "gtp_engines.py"


def command(kind):
    """Return the command line of a test engine."""
    return f"{sys.executable} {ENGINES} {kind}"


def engine(kind):
    """Return a test engine as a player."""
    return player(f"gtp:{command(kind)}")


def chance():
    """Return a generator that is the same in every test."""
    return np.random.default_rng(5)


def test_a_chain_wins_and_the_record_is_complete(tmp_path):
    """The record names players, moves and result, and can be read."""
    path = tmp_path / "game.sgf"
    seen = []
    outcome = play(
        Scripted(1, 4, 7),
        Scripted(0, 3),
        Game.of(Board(3, 3)),
        chance(),
        save=path,
        watch=lambda game, _choice: seen.append((len(game.moves), path.exists())),
    )

    assert (outcome.winner, outcome.how) == (Color.BLACK, "chain")
    assert len(outcome.seconds) == 5
    assert seen == [(n, True) for n in range(1, 6)]
    saved = formats.read(path.read_text())
    assert saved.moves == outcome.game.moves
    assert (saved.players, saved.result) == (("scripted", "scripted"), "B+")


@pytest.mark.parametrize("swap", [False, True])
def test_a_record_names_the_swap_rule(tmp_path, *, swap):
    """A reader of the record needs to know that the opening could be swapped."""
    path, game = tmp_path / "game.sgf", Game.of(Board(3, 3))
    outcome = play(
        Scripted(4, 1, 7), Scripted(0, 3), game, chance(), variant=Plain(swap=swap), save=path
    )

    assert swaps(outcome.game) is swaps(formats.read(path.read_text())) is swap


def test_a_continued_record_names_the_new_players(tmp_path):
    """The new names and result replace those of the record, and other properties stay."""
    path = tmp_path / "game.sgf"
    had = (("PB", "Ann"), ("PW", "Bob"), ("RE", "B+T"), ("EV", "Club"))
    game = Game.of(Board(3, 3), ["a1", "b1"], info=had)
    outcome = play(Scripted(3, 6), Scripted(4), game, chance(), save=path)
    saved = formats.read(path.read_text())

    assert outcome.winner is not None
    assert (saved.players, saved.result) == (("scripted", "scripted"), outcome.game.result)
    assert saved.result.startswith(outcome.winner.word[0].upper())
    assert saved.about("EV") == "Club"


@pytest.mark.parametrize(
    ("action", "how", "reason"),
    [
        (4, "illegal", "b2 is not empty"),
        (Special.SWAP_PIECES, "illegal", "this game is played without swap"),
        (Special.PASS, "illegal", "pass is not a move of this variant"),
        (Special.RESIGN, "resign", ""),
        (PlayerError("it rained"), "failed", "it rained"),
    ],
)
def test_a_player_that_breaks_a_rule_loses(action, how, reason):
    """The error loses the game and is given as the reason; an illegal move is not recorded."""
    outcome = play(Scripted(4), Scripted(action), Game.of(Board(3, 3)), chance())

    assert (outcome.winner, outcome.how, outcome.reason) == (Color.BLACK, how, reason)
    assert len(outcome.game.moves) == (2 if how == "resign" else 1)


@pytest.mark.parametrize("spec", ["ab:eval=fillings", "hexy:eval=fillings,depth=1"])
def test_a_player_on_a_board_too_large_to_count_fillings_loses(spec):
    """The game is lost by failure; it once ended a GTP session's thread."""
    start = Game.of(Board(14, 14), ["a1", "b2"])
    outcome = play(player(spec), Scripted(5), start, chance())

    assert (outcome.winner, outcome.how) == (Color.WHITE, "failed")
    assert outcome.reason == "too large to count all fillings: 14x14 (one side must be at most 13)"


def test_a_move_too_late_loses():
    """Even a good move loses if it is late."""

    class Slow(Scripted):
        def choose(self, game, terms, generator):
            """Sleep, then choose as usual."""
            time.sleep(0.05)
            return super().choose(game, terms, generator)

    rules = MatchRules(seconds=0.01, grace=0.01)
    outcome = play(Slow(4), Scripted(), Game.of(Board(3, 3)), chance(), rules=rules)

    assert (outcome.winner, outcome.how) == (Color.WHITE, "time")
    assert "0.01 s allowed" in outcome.reason


def test_swap_keeps_the_colors_of_the_players():
    """The stone is reflected and changes color; Black moves next."""
    black, white = Scripted(1, 0, 2), Scripted(Special.SWAP_PIECES, 4, 5)
    outcome = play(black, white, Game.of(Board(3, 3)), chance(), variant=Plain(swap=True))
    moves = outcome.game.moves

    assert moves[1] == Move(Color.WHITE, Special.SWAP_PIECES)
    assert moves[2].color is Color.BLACK
    assert outcome.game.position(2) == Position.of(Board(3, 3), white="a2")
    assert (outcome.winner, outcome.how) == (Color.WHITE, "chain")


@pytest.mark.parametrize("record", ["AB[b2]PL[W]", ";B[pass]"])
def test_an_engine_swaps_no_stone_that_was_set_up(record):
    """A swap is the second move; the engine once lost by that of a stone set up before."""
    game = formats.read(f"(;FF[4]GM[11]SZ[3]RU[swap]{record})")
    seats = [player("hexy:level=1") for _ in Color]
    outcome = play(*seats, game, chance(), variant=Plain(swap=True))

    assert outcome.how == "chain"
    assert not any(move.swaps for move in outcome.game.moves)


def test_a_finished_game_is_rejected():
    """There is nothing to referee."""
    game = Game.of(Board(1, 1), [0])
    with pytest.raises(ValueError, match="over already"):
        play(Scripted(), Scripted(), game, chance())


def test_hexy_beats_random_on_5x5():
    """Hexy wins as either color, with and without swap."""
    for seed in range(3):
        rules = Plain(swap=bool(seed % 2))
        generator = np.random.default_rng(seed)
        game = Game.of(Board(5, 5))
        one = play(player("hexy:level=3"), player("random"), game, generator, variant=rules)
        other = play(player("random"), player("hexy:level=3"), game, generator, variant=rules)

        assert (one.winner, other.winner) == (Color.BLACK, Color.WHITE)


def test_two_engines_play_until_a_chain_wins():
    """Both play the first empty cell, so Black wins on 2x2."""
    black, white = engine("first"), engine("first")
    try:
        outcome = play(black, white, Game.of(Board(2, 2)), chance())
    finally:
        black.close()
        white.close()

    assert [move.name(Board(2, 2)) for move in outcome.game.moves] == ["a1", "b1", "a2"]
    assert (outcome.winner, outcome.how) == (Color.BLACK, "chain")


@pytest.mark.parametrize(
    ("kind", "how", "reason"),
    [
        ("dies", "failed", "ended with status 3 at 'genmove white'; on stderr: out of luck"),
        ("hangs", "failed", "did not answer 'genmove white' in time"),
        ("garbage", "failed", "with garbage: 'I think a1 is nice"),
        ("z9", "failed", "moved 'z9': 'z9' is off the 3x3 board"),
        ("a1", "illegal", "a1 is not empty"),
        ("resign", "resign", ""),
        ("swap", "illegal", "this game is played without swap"),
    ],
)
def test_an_engine_that_fails_loses_with_the_reason(kind, how, reason, monkeypatch):
    """An engine that dies, hangs, prints garbage or breaks a rule loses."""
    monkeypatch.setattr("player.engine.external.GRACE", 0.2)
    white = engine(kind)
    rules = MatchRules(seconds=0.2 if kind == "hangs" else 5, grace=5)
    try:
        outcome = play(Scripted(0), white, Game.of(Board(3, 3)), chance(), rules=rules)
    finally:
        white.close()

    assert (outcome.winner, outcome.how) == (Color.BLACK, how)
    assert reason in outcome.reason


def test_an_engine_that_hangs_loses_even_without_a_time_limit(monkeypatch):
    """There is a limit even without a time setting."""
    monkeypatch.setattr("player.engine.external.LONG_SECONDS", 0.3)
    white = engine("hangs")
    try:
        outcome = play(Scripted(0), white, Game.of(Board(3, 3)), chance(), rules=MatchRules())
    finally:
        white.close()

    assert (outcome.winner, outcome.how) == (Color.BLACK, "failed")
    assert "did not answer 'genmove white' in time" in outcome.reason


def test_an_engine_receives_a_game_in_progress_and_another_game():
    """It receives setup stones and moves, and after a different game it starts over."""
    board = Board(3, 3)
    white = engine("first")
    try:
        first = white.choose(Game.of(board, [0, 1, 2]), MoveRequest(), chance())
        other = white.choose(Game.of(board, [2]), MoveRequest(), chance())
        setup = Game.of_position(Position.of(board, black="a1", turn=Color.WHITE))
        third = white.choose(setup, MoveRequest(), chance())
    finally:
        white.close()

    assert (first.action, other.action, third.action) == (3, 0, 1)


def test_an_engine_receives_setup_changes_during_the_game():
    """A stone that setup removes is removed for the engine, too; it once played on with it."""
    white = engine("first")
    try:
        game = formats.read("(;FF[4]GM[11]SZ[3];B[a1];W[b2];AE[a1];B[c3])")
        choice = white.choose(game, MoveRequest(), chance())
        later = game.append(Move(Color.WHITE, choice.action)).append(Move(Color.BLACK, 1))
        other = white.choose(later, MoveRequest(), chance())
    finally:
        white.close()

    assert (choice.action, other.action) == (0, 2)


def test_setup_clears_the_engine_once_and_its_stones_do_not_remain(monkeypatch):
    """Setup clears the engine's board once, and a game without setup has none of its stones."""
    sent, white, send = [], engine("first"), Client.send

    def noted(client, *words, **given):
        sent.append(words[0])
        return send(client, *words, **given)

    plain = Game.of(Board(3, 3), [0])
    other = Game.of(Board(3, 3), [4])
    setup = plain.append_node(GameNode(black=(1,), white=(2,), turn=Color.WHITE))
    try:
        white.choose(other, MoveRequest(), chance())
        monkeypatch.setattr(Client, "send", noted)
        first = white.choose(setup, MoveRequest(), chance())
        clears = sent.count("clear_board")
        without = plain.append(Move(Color.WHITE, 3)).append(Move(Color.BLACK, 4))
        second = white.choose(without, MoveRequest(), chance())
    finally:
        white.close()

    assert (clears, first.action, second.action) == (1, 3, 1)


def test_swaps_are_announced_to_an_engine_that_joins_after_a_swap(monkeypatch):
    """A strict engine refuses a swap unless swaps were announced."""
    sent, white, send = [], engine("first"), Client.send

    def noted(client, *words, **given):
        sent.append(words[0])
        return send(client, *words, **given)

    monkeypatch.setattr(Client, "send", noted)
    try:
        game = Game.of(Board(3, 3), [0, Special.SWAP_PIECES, 1])
        white.choose(game, MoveRequest(), chance())
    finally:
        white.close()

    assert sent.index("param_game") < sent.index("play")


def test_an_engine_that_fails_is_restarted_for_the_next_game(monkeypatch):
    """A failure at an optional command also restarts it; it once lost all later games."""
    white, game = engine("first"), Game.of(Board(3, 3), [0])

    def dies(client, *_words, **_given):
        client.close()
        raise EngineError("it fell silent")

    try:
        white.prepare(game.board)
        with monkeypatch.context() as patch:
            patch.setattr(Client, "send", dies)
            with pytest.raises(PlayerError, match="it fell silent"):
                white.choose(game, MoveRequest(swap=True), chance())
        choice = white.choose(game, MoveRequest(), chance())
    finally:
        white.close()

    assert choice.action == 1


@pytest.mark.parametrize(
    ("command", "fault"),
    [("play", RefusedError("no")), ("genmove", RefusedError("no")), ("genmove", "z9")],
)
def test_an_engine_receives_the_whole_game_again_after_a_failure(monkeypatch, command, fault):
    """After a refusal or an illegal answer, the engine receives the whole game again."""
    sent, white, send = [], engine("first"), Client.send
    start, game = Game.of(Board(3, 3), [0]), Game.of(Board(3, 3), [0, 1, 2])

    def fails(client, *words, **given):
        reply = send(client, *words, **given)
        if words[0] != command:
            return reply
        if isinstance(fault, str):
            return fault
        raise fault

    def noted(client, *words, **given):
        sent.append(" ".join(words))
        return send(client, *words, **given)

    try:
        white.choose(start, MoveRequest(), chance())
        with monkeypatch.context() as patch:
            patch.setattr(Client, "send", fails)
            with pytest.raises(PlayerError):
                white.choose(game, MoveRequest(), chance())
        monkeypatch.setattr(Client, "send", noted)
        choice = white.choose(game, MoveRequest(), chance())
    finally:
        white.close()

    assert choice.action == 3
    assert sent == [
        "boardsize 3 3",
        "clear_board",
        "play black a1",
        "play white b1",
        "play black c1",
        "genmove white",
    ]


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.5, "0.50"), (2.9, "2"), (0.01, "0.01"), (1e6, "1000000")]
)
def test_the_time_left_sent_to_an_engine_is_rounded_down(monkeypatch, seconds, told):
    """The time left is rounded down to whole seconds, and below one it has two decimals."""
    sent, white, send = [], engine("first"), Client.send

    def noted(client, *words, **given):
        sent.append(words)
        return send(client, *words, **given)

    monkeypatch.setattr(Client, "send", noted)
    try:
        white.choose(Game.of(Board(3, 3), [0]), MoveRequest(seconds), chance())
    finally:
        white.close()

    assert ("time_left", "white", told, "1") in sent


def test_an_engine_that_does_not_start_is_an_error():
    """The message names the command."""
    with pytest.raises(EngineError, match="cannot start '/no/such/engine'"):
        Client("/no/such/engine")
    outcome = play(player("gtp:/no/such/engine"), Scripted(), Game.of(Board(3, 3)), chance())

    assert (outcome.winner, outcome.how) == (Color.WHITE, "failed")


SLEEPER = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(200)'])"


def test_close_does_not_wait_for_children_of_the_engine():
    """A child of the engine holds its pipes and runs on."""
    client = Client(f'{sys.executable} -c "import subprocess, sys; {SLEEPER}"')
    begin = time.monotonic()
    client.close()

    assert time.monotonic() - begin < 100


def test_the_child_process_of_an_engine_script_is_ended():
    """The child of a script is ended with the script, if necessary by force."""
    told = "print(f'= {child.pid}\\n', flush=True); child.wait()"
    script = f"import subprocess, sys; child = {SLEEPER}; {told}"
    with Client(f'{sys.executable} -c "{script}"') as client:
        engine = psutil.Process(int(client.send("name")))
        begin = time.monotonic()

    _, left = psutil.wait_procs([engine], timeout=60)
    assert all(each.status() == psutil.STATUS_ZOMBIE for each in left)
    assert time.monotonic() - begin < 100


def test_an_engine_can_be_used_after_a_refused_command():
    """The engine's message is raised, and the engine can still be used."""
    with Client(command("other")) as client:
        with pytest.raises(RefusedError, match="unknown command"):
            client.send("time_left")
        assert client.send("name") == ""
