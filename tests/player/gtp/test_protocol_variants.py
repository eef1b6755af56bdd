"""Bidding and random-turn games over GTP, with the client as referee."""

import pytest
from hexgui import ask, fail, send

from hsearch import formats
from hsearch.hex.board import Color
from player.bidding import chips
from player.gtp.session import Session
from player.variants import recorded_variant
from player.variants.random_turn import RandomTurn


@pytest.fixture
def session():
    """Return a session on a 2x2 board."""
    made = Session()
    ask(made, "boardsize 2")
    return made


def test_a_bidding_game_is_played_with_ties_and_recorded(session):
    """Both players bid, the holder of the chip breaks a tie, and all is recorded."""
    send(["play b a1", "hsearch-variant bidding:black=5*,white=5"], session)
    assert ask(session, "showboard").count("●") == 0
    assert ask(session, "hsearch-variant") == "bidding:black=5*,white=5"
    assert ask(session, "hsearch-turn") == "black bid 5*\nwhite bid 5"
    assert "a bid of 6 with 5 chips" in fail(session, "play black 6")
    assert "'a1' is not a number of chips" in fail(session, "play black a1")
    ask(session, "play black 3")
    assert "white is to move" in fail(session, "play black 3")
    assert ask(session, "hsearch-turn") == "white bid 5"
    ask(session, "play white 3")
    assert ask(session, "hsearch-turn") == "black tie"
    assert "neither yes nor no" in fail(session, "play black a1")
    send(["play black no", "play white b1"], session)
    assert ask(session, "hsearch-turn") == "black bid 8*\nwhite bid 2"
    send(["undo", "undo"], session)
    assert ask(session, "hsearch-turn") == "black tie"
    send(["play black yes", "play black a1", "play black 2", "play white 1", "play b a2"], session)
    game = formats.read(ask(session, "printsgf"))

    assert ask(session, "final_score") == "B+"
    assert recorded_variant(game).moves(game) == ("black a1 3:3", "black a2 2:1")
    chips.check(game)
    assert "the game is over" in fail(session, "play white 1")


def test_play_game_accepts_a_bidding_game(session):
    """`play-game` takes bids, tie-breaks and moves in the order of the game."""
    ask(session, "hsearch-variant bidding:black=9*,white=9")
    ask(session, "play-game 3 3 yes b1 0 2 a1 4")
    game = formats.read(ask(session, "printsgf"))

    assert recorded_variant(game).moves(game) == ("black b1 3:3", "white a1 0:2")
    assert ask(session, "hsearch-turn") == "white bid 10*"  # Black's 4 is sealed
    ask(session, "play white 1")
    assert ask(session, "hsearch-turn") == "black move"
    send(["undo", "undo"], session)
    assert ask(session, "hsearch-turn") == "black bid 8\nwhite bid 10*"
    assert "white 11 (a bid of 11 with 9 chips)" in fail(session, "play-game 1 11")
    assert ask(session, "hsearch-turn") == "black bid 8\nwhite bid 10*"
    assert "the game is over" in fail(session, "play-game 1 0 a1 1 0 a2 0")


def test_play_game_accepts_a_random_turn_game(session):
    """`play-game` takes a color wherever a coin is due."""
    ask(session, "hsearch-variant random-turn")
    ask(session, "play-game white a1 w b2 black")
    game = formats.read(ask(session, "printsgf"))

    assert recorded_variant(game).moves(game) == ("white a1", "white b2")
    assert ask(session, "hsearch-turn") == "black move"
    assert "argument 3 must be color: 'b2'" in fail(session, "play-game white a1 b2")
    assert ask(session, "hsearch-turn") == "black move"


def test_the_engine_bids_and_moves(session):
    """The engine acts step by step, and its bid does not depend on the sealed one."""
    ask(session, "hsearch-variant bidding:black=9,white=9")
    assert ask(session, "param_hsearch").count("player bidding\n") == 1
    alone = ask(session, "reg_genmove white")
    for bid in range(10):
        ask(session, f"play black {bid}")
        assert ask(session, "reg_genmove white") == alone
        ask(session, "undo")
    first = ask(session, "genmove black")
    assert 0 <= int(first) <= 9
    assert "black is not to act" in fail(session, "genmove black")
    ask(session, "play white 0")
    assert ask(session, "genmove black") in {"a1", "b1", "a2", "b2"}
    assert ask(session, "hsearch-turn").startswith("black bid ")
    assert "not known in a game of bidding" in fail(session, "hsearch-pv black")


def test_proofs_for_alternating_turns_are_labeled_in_bidding(session):
    """In bidding, a proof for alternating turns is labeled as such."""
    asked = (
        "hsearch-explain white",
        "hsearch-best-moves white",
        "hsearch-hint white",
        "hsearch-explain-vc black a2 b1",
    )
    send(["boardsize 3", "hsearch-variant bidding", "play-game 9 5 b2"], session)
    for command in asked:
        told = "If both took turns, which they do not in a game of bidding:"
        assert ask(session, command).splitlines()[0] == told
    assert "Every move of White loses" in ask(session, asked[1])
    send(["hsearch-variant alternating", "play b b2"], session)
    for command in asked:
        assert "took turns" not in ask(session, command)


def test_the_session_or_the_client_tosses_the_coin(session):
    """The session or the client tosses, and the coin decides who moves."""
    ask(session, "hsearch-variant random-turn")
    assert ask(session, "hsearch-turn") == "coin"
    assert "nobody is to move" in fail(session, "play white a1")
    assert ask(session, "hsearch-toss white") == "white"
    assert "no coin is due" in fail(session, "hsearch-toss")
    assert "white is to move" in fail(session, "play black a1")
    ask(session, "play white a1")
    while ask(session, "hsearch-turn") == "coin":
        color = ask(session, "hsearch-toss")
        assert ask(session, "hsearch-turn") == f"{color} move"
        ask(session, f"genmove {color}")
    text = ask(session, "printsgf")

    assert text.count("XC[") == len(formats.read(text).moves)
    assert ask(session, "final_score")[0] in "BW"


def test_the_variant_tosses_the_coin_of_a_session(session, monkeypatch):
    """A session has no coin of its own: where it falls is decided by `RandomTurn.toss`."""
    ask(session, "hsearch-variant random-turn")
    monkeypatch.setattr(
        RandomTurn, "toss", lambda machine, state, _generator: machine.land_coin(state, Color.WHITE)
    )
    for seed in range(6):
        session.settings.seed = seed
        assert ask(session, "hsearch-toss") == "white"
        ask(session, "undo")


def test_unsupported_variants_and_players_are_refused(session):
    """An unknown variant or player is refused in one line, and the game continues."""
    ask(session, "play b a1")
    for word in ("chess", "dark-classic", "bidding:black=-1"):
        assert "\n" not in fail(session, f"hsearch-variant {word}")
    known = "(known: alternating, random-turn, bidding)"
    assert fail(session, "hsearch-variant chess") == f"unknown variant: 'chess' {known}"
    assert fail(session, "hsearch-variant dark-classic").endswith(f"'dark-classic' {known}")
    assert "no coin in alternating" in fail(session, "hsearch-toss")
    assert "does not play alternating" in fail(session, "param_hsearch player random-turn")
    assert ask(session, "hsearch-turn") == "white move"
    ask(session, "hsearch-variant random-turn")
    assert "does not play random-turn" in fail(session, "param_hsearch player cohen")
    ask(session, "hsearch-variant alternating")
    assert "player hexy" in ask(session, "param_hsearch")


def test_bids_of_a_record_are_dropped_at_alternating_turns(session, tmp_path):
    """In alternating turns, a loaded record drops its bids, so the saved one is valid."""
    path = tmp_path / "bids.sgf"
    path.write_text("(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[40][40]XH[60][140*];B[b2])")
    ask(session, f"loadsgf {path}")
    ask(session, "play black a1")
    ordinary = formats.read(ask(session, "printsgf"))
    send(["hsearch-variant bidding", f"loadsgf {path}"], session)
    bids = formats.read(ask(session, "printsgf"))

    assert not chips.is_begun(ordinary)
    assert ordinary.about("RU") is None
    assert [move.name(ordinary.board) for move in ordinary.moves] == ["b2", "a1"]
    chips.check(bids)
    assert ask(session, "hsearch-turn") == "black bid 60\nwhite bid 140*"


def test_a_record_of_another_variant_is_not_loaded(session, tmp_path):
    """A record of another variant is refused, as at the terminal."""
    bids, coins = tmp_path / "bids.sgf", tmp_path / "coins.sgf"
    bids.write_text("(;FF[4]GM[11]SZ[3]RU[bidding]XH[100*][100];PL[B]XB[4][3]XH[96*][104];B[b2])")
    coins.write_text("(;FF[4]GM[11]SZ[3]RU[random-turn];PL[B]XC[black];B[b2])")
    ask(session, "hsearch-variant random-turn")
    refused = fail(session, f"loadsgf {bids}")
    ask(session, f"loadsgf {coins}")
    ask(session, "hsearch-variant bidding")

    assert refused == "cannot load file: a game of bidding, not of random-turn"
    assert "a game of random-turn, not of bidding" in fail(session, f"loadsgf {coins}")


def test_undo_takes_back_loaded_bids_and_coins(session, tmp_path):
    """Undo also takes back a loaded bid or coin that no move has followed."""
    records = {
        "bidding": "RU[bidding]XH[9*][9];PL[B]XB[4][3]XH[5*][13];B[b2];PL[W]XB[1][2]XH[7*][11]",
        "random-turn": "RU[random-turn];PL[B]XC[black];B[b2];PL[W]XC[white]",
    }
    begins = {"bidding": "black bid 9*\nwhite bid 9", "random-turn": "coin"}
    for variant, record in records.items():
        path = tmp_path / f"{variant}.sgf"
        path.write_text(f"(;FF[4]GM[11]SZ[3]{record})")
        send([f"hsearch-variant {variant}", f"loadsgf {path}"], session)
        turns = [ask(session, "hsearch-turn")]
        for _ in range(3):
            ask(session, "undo")
            turns.append(ask(session, "hsearch-turn"))

        assert (turns[0], turns[2], turns[3]) == ("white move", "black move", begins[variant])
        assert fail(session, "undo") == "cannot undo"
        ask(session, f"loadsgf {path} 0")
        assert ask(session, "hsearch-turn") == begins[variant]


def test_the_winner_of_a_bidding_game_does_not_resign(session):
    send(["hsearch-variant bidding", "play white resign"], session)

    assert ask(session, "genmove black") == ask(session, "reg_genmove black") == "pass"
    assert ask(session, "genmove white") == "resign"


def test_a_game_that_hides_its_stones_is_not_loaded(session, tmp_path):
    path = tmp_path / "dark.sgf"
    path.write_text("(;FF[4]GM[11]SZ[3]RU[dark-classic]XA[eNqLVkoyUtJRgJKJhkqxACTSA9c=])")
    assert "sealed while the game goes on" in fail(session, f"loadsgf {path}")


@pytest.mark.parametrize("variant", ["bidding", "random-turn"])
def test_other_variants_mention_no_swap(session, variant):
    """Even if swaps are allowed, other variants mention none."""
    send(["param_game allow_swap 1", f"hsearch-variant {variant}", "boardsize 3"], session)

    for command in ("hsearch-explain black", "hsearch-best-moves black", "hsearch-hint black"):
        assert "wap" not in ask(session, command)
    send(["hsearch-variant alternating", "boardsize 3"], session)
    assert "If nobody swaps" in ask(session, "hsearch-explain black")
