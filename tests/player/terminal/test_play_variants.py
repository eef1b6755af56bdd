"""`hsearch play --variant bidding` and `random-turn`, in a terminal and through a pipe."""

import re
from functools import partial

import playing
import pytest
from terminal import PATIENCE

from hsearch import formats
from hsearch.hex.board import Color
from hsearch.hex.position import Position, winner
from player.bidding import chips
from player.bidding.chips import Holding
from player.bidding.discrete import Thresholds


@pytest.fixture
def terminal(terminal, tmp_path):
    """Return a function that runs `hsearch play` in a terminal, with its own record folder."""
    return partial(terminal, "play", "--ascii", "--record", str(tmp_path / "kept.sgf"))


def played(lines, *arguments):
    """Return what `hsearch play` prints for lines from a pipe."""
    return playing.played(lines, "--ascii", *arguments)


BIDS, MOVES = "black bids (", "black> "


def test_a_whole_bidding_game_in_a_terminal(terminal, tmp_path):
    """A 5x5 game against the engine works with every command, and resumes to its end."""
    here = terminal("--variant", "bidding", "--size", "5", "--chips", "50", "50*", "--seed", "1")
    hello = here.until(BIDS)
    assert "The higher bid moves" in hello
    assert "Black has 50, White has 50* chips." in hello
    assert "a bid of 51 with 50 chips" in here.say("51", BIDS)
    assert "'b2' is not a number of chips from 0 to 50" in here.say("b2", BIDS)
    assert "there is no bid to take back" in here.say("undo", BIDS)
    assert "bid as many chips" in here.say("help", BIDS)
    why = here.say("why", BIDS)
    assert "Chance to win at random turns: Black 50.00 %, White 50.00 % (exact)." in why
    assert "With divisible chips, more than 50.00 would win." in why
    assert "Second best: " in why
    assert re.search(r"Hint: \d+ for [a-e][1-5]\.", here.say("hint", BIDS))
    assert "Black bids 50, White bids " in here.say("50", MOVES)
    assert "Black has 50, White has 50*" in here.say("undo", BIDS)
    assert "Black has 0, White has 100*" in here.say("redo", MOVES)
    assert "The last bid of White: White wins 50.00 % at random turns" in here.say("why", MOVES)
    assert "off the 5x5 board" in here.say("z9", MOVES)
    assert "Black plays c3." in here.say("c3", BIDS)
    # Black has no chips left, so White buys the next moves.
    assert "White plays " in here.say("0", BIDS)
    assert "On " in here.say("why", BIDS)
    assert here.end() == 0
    here.until("kept.sgf --seed 1 --ascii\r\n")
    kept = tmp_path / "kept.sgf"
    has = chips.chips(formats.read(kept.read_text()))

    again = terminal("--resume", str(kept), "--seed", "2")
    assert f"Black has {has.black}, White has {has.white} chips." in again.until(BIDS)
    said = again.say("0", BIDS, MOVES, "wins by a chain")
    while "wins by" not in said:
        if said.endswith(BIDS):
            # Black has the tie-break chip after White has handed it over for a move.
            said = again.say("0", BIDS, MOVES, "yes or no> ", "wins by a chain")
        elif said.endswith(MOVES):
            position = _saved(again, tmp_path).position(turn=Color.BLACK)
            cell = next(position.board.name(c) for c in position.empty.search(1))
            said = again.say(cell, BIDS, "wins by a chain")
        else:
            said = again.say("yes", MOVES)
    assert again.process.wait(PATIENCE) == 0
    game = formats.read(kept.read_text())

    assert winner(game.position(turn=Color.BLACK)) is Color.WHITE
    assert (game.result, game.about("RU")) == ("W+", "bidding:black=50,white=50*")
    chips.check(game)


def _saved(here, tmp_path):
    """Save the current game and return it."""
    here.say(f"save {tmp_path / 'now.sgf'}", "Saved as")
    here.until(MOVES)
    return formats.read((tmp_path / "now.sgf").read_text())


def test_bids_are_hidden_when_two_share_the_screen(terminal):
    """Cells and answers are echoed, but no bid is shown before both are in."""
    here = terminal("--variant", "bidding", "--size", "2", "--white", "human", "--chips", "5", "5")
    here.until("black bids (of 5*)> ")
    assert here.say("3", "white bids (of 5)> ").split() == ["white", "bids", "(of", "5)>"]
    assert here.say("3", "yes or no> ").lstrip().startswith("Black bids 3, White bids 3.")
    moved = here.say("yes", MOVES)
    assert "yes" in moved
    assert "Black moves. Black has 2 now, White 8*." in moved
    assert "b1" in here.say("b1", BIDS)
    here.say("1", "white bids (of 8*)> ")
    here.say("0", MOVES)
    assert "Black wins by a chain." in here.say("b2", "wins by a chain.", BIDS)
    here.until("Saved as")
    assert here.process.wait(PATIENCE) == 0


def test_a_whole_game_at_random_turns_in_a_terminal(terminal, tmp_path):
    """The coin is shown before each move, and undo and resume keep it."""
    here = terminal("--variant", "random-turn", "--size", "4", "--seed", "2")
    assert "The coin falls for Black." in here.until(MOVES)
    assert "Best, for both players: c2 b3." in here.say("why", MOVES)
    assert "Hint: " in here.say("hint", MOVES)
    assert "undo" in here.say("help", MOVES)
    here.say("b2", "Black plays b2.")
    here.until(MOVES)
    assert "b2" not in here.say("undo", MOVES).replace("b2 \n", "")
    assert "1.black b2" in here.say("redo", MOVES)
    assert "The last move: White wins " in here.say("why", MOVES)
    assert here.end() == 0
    here.until("kept.sgf --seed 2 --ascii\r\n")
    text = (tmp_path / "kept.sgf").read_text()
    coins = text.count("XC[")
    assert coins == text.count(";B[") + text.count(";W[") + 1

    again = terminal("--resume", str(tmp_path / "kept.sgf"), "--seed", "3")
    assert "The coin falls" not in again.until(MOVES)
    said = MOVES
    while "wins by" not in said:
        position = _saved(again, tmp_path).position()
        cell = next(position.board.name(c) for c in position.empty.search(1))
        said = again.say(cell, MOVES, "wins by a chain")
    again.until("Saved as")
    assert again.process.wait(PATIENCE) == 0
    game = formats.read((tmp_path / "kept.sgf").read_text())

    assert winner(game.position()) is not None
    assert game.about("RU") == "random-turn"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--variant", "chess"), 2, "unknown variant 'chess' (known: alternating, random-turn,"),
        (("--variant", "bidding", "--chips", "0", "0"), 2, "nobody has any chips"),
        (("--variant", "bidding", "--chips", "-5", "5"), 2, "not a number of chips: '-5'"),
        (("--variant", "bidding", "--chips", "99999", "5"), 2, "not a number of chips: 99999"),
        (("--variant", "bidding", "--chips", "5*", "5*"), 2, "one tie-break chip: 5* 5*"),
        (("--chips", "5", "5"), 2, "--chips needs --variant bidding"),
        (
            ("--variant", "bidding:black=5", "--chips", "5", "5"),
            2,
            "--chips and --variant bidding:black=5 mean the same: leave one out",
        ),
        (("--variant", "bidding", "--swap"), 2, "there is no swap in bidding"),
        (("--variant", "bidding", "--white", "cohen"), 2, "'cohen' does not play bidding"),
        (("--white", "bidding"), 2, "'bidding' does not play alternating"),
    ],
)
def test_bad_input_sets_exit_code_and_message(arguments, code, message):
    """Bad input gives the exit code and one line with the offending text."""
    result = played("", *arguments)

    assert result.exit_code == code, result.output
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_a_record_resumes_only_in_its_own_variant(tmp_path):
    """A record resumes in its own variant only, and a damaged one is refused."""
    kept = tmp_path / "kept.sgf"
    seats = ("--white", "human", "--record", str(kept))
    played("3\n2\nb1\n", "--variant", "bidding", "--size", "3", *seats)
    again = played("", "--resume", str(kept), *seats)
    other = played("", "--resume", str(kept), "--variant", "random-turn")
    kept.write_text(kept.read_text().replace("XB[3]", "XB[333]"))
    damaged = played("", "--resume", str(kept))
    named = kept.read_text().replace("RU[bidding]", "RU[dark-abrupt:noise=loud]")
    (tmp_path / "loud.sgf").write_text(named)
    loud = played("", "--resume", str(tmp_path / "loud.sgf"))

    assert (loud.exit_code, loud.stdout) == (3, "")
    assert "'noise=loud' in 'dark-abrupt:noise=loud': unknown noise (known: silent" in loud.stderr
    assert "Black has 97*, White has 103 chips." in again.stdout
    assert "1.black b1 3:2" in again.stdout
    assert (other.exit_code, other.stderr) == (
        3,
        f"{kept}: a game of bidding, not of random-turn\n",
    )
    assert (damaged.exit_code, damaged.stderr) == (
        3,
        f"{kept}: move 1: a bid of 333 with 100 chips\n",
    )


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("000000000500", "'000000000500' is not a number of chips from 0 to 100"),
        ("000000500", "a bid of 500 with 100 chips"),
        ("9" * 5000, "'" + "9" * 80 + "...' is not a number of chips from 0 to 100"),
        ("\u0663", "'\u0663' is not a number of chips from 0 to 100"),
    ],
)
def test_invalid_bids_are_rejected_and_007_is_a_bid_of_seven(typed, told, tmp_path):
    """The sealed number is the checked one: 007 is seven."""
    kept = tmp_path / "kept.sgf"
    seats = ("--black", "human", "--white", "human", "--record", str(kept))
    done = played(f"{typed}\n007\n3\n", "--variant", "bidding", "--size", "3", *seats)

    assert done.exit_code == 0
    assert told in done.stdout
    assert "Black bids 7, White bids 3." in done.stdout


def test_undo_discards_the_sealed_bid(tmp_path):
    """After White's undo, Black bids again."""
    options = ("--size", "2", "--white", "human", "--record", str(tmp_path / "game.sgf"))
    text = played("1\n0\na1\n2\nundo\n3\n0\n", "--variant", "bidding", *options).stdout

    assert text.count("Black bids ") == 2
    assert "Black bids 3, White bids 0." in text


def test_undo_takes_back_one_thing_at_a_time(tmp_path):
    """Undo takes back a sealed bid first, and only then the move before."""
    options = ("--size", "2", "--white", "human", "--record", str(tmp_path / "game.sgf"))
    first = played("10\nundo\n3\n0\n", "--variant", "bidding", *options).stdout
    later = played("1\n0\na1\n2\nundo\nboard\nundo\n", "--variant", "bidding", *options).stdout

    assert "The sealed bid is taken back." in first
    assert "Black bids 3, White bids 0." in first
    shown = later.partition("The sealed bid is taken back.")[2]
    assert shown.count("1.black a1 1:0") == 1
    assert "Black has 100*, White has 100 chips." in shown


def test_all_commands_work_at_a_tie(tmp_path):
    """At a tie all commands work, and other text is reported as neither yes nor no."""
    kept, saved = tmp_path / "game.sgf", tmp_path / "now.sgf"
    options = ("--variant", "bidding", "--size", "2", "--white", "human", "--record", str(kept))
    typed = f"3\n3\nmaybe\nhelp\nsave {saved}\nundo\n4\n4\n"
    text = played(f"{typed}quit\n", *options).stdout
    resigned = played(f"{typed}resign\n", *options).stdout

    assert "'maybe' is neither yes nor no. Type help for the commands." in text
    assert "give the game up" in text
    assert saved.exists()
    assert "The sealed bids are taken back." in text
    assert "Black bids 4, White bids 4." in text
    assert "The game is not over." in text
    assert "Black resigns." in resigned
    assert "White has won: Black resigned." in resigned


@pytest.mark.parametrize(
    ("variant", "typed", "kept"),
    [("bidding", "31\n30\n", "XB[31][30]"), ("random-turn", "", "XC[")],
)
def test_a_bid_or_toss_before_the_first_move_is_saved(variant, typed, kept, tmp_path):
    """Quitting does not let a player repeat a bid or a toss."""
    path = tmp_path / "game.sgf"
    played(typed, "--variant", variant, "--size", "3", "--white", "human", "--record", str(path))

    assert kept in path.read_text()
    assert played("", "--resume", str(path)).exit_code == 0


RANDOM, BIDDING = "RU[random-turn]", "RU[bidding]"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (f"{RANDOM};PL[B]XC[white];B[a1]", "node 1: a coin for 'white', which PL does not give"),
        (f"{RANDOM};PL[B]XC[purple]", "node 1: a coin for 'purple', which PL does not give"),
        (f"{RANDOM};PL[B]XC[black];PL[W]XC[white];W[a1]", "node 2: a second coin before one move"),
        (f"{RANDOM};PL[B]XC[black];W[a1]", "node 2: white moves where the coin fell for the other"),
        (f"{RANDOM};PL[B]XC[black];B[a1];W[b1]", "node 3: white moves without a coin"),
        (f"{BIDDING}XH[0][0*]", "move 1: nobody has any chips"),
        (
            f"{BIDDING}XH[9*][9];PL[B]XB[5][2]XH[4*][14];B[b2];W[a1]",
            "move 2: nobody has bid for it",
        ),
    ],
)
def test_a_record_that_breaks_its_rules_is_refused(record, message, tmp_path):
    """The message has one line with the place."""
    path = tmp_path / "game.sgf"
    path.write_text(f"(;FF[4]GM[11]SZ[3]{record})")
    done = played("", "--resume", str(path), "--white", "human")

    assert (done.exit_code, done.stderr) == (3, f"{path}: {message}\n")


def test_a_game_of_ordinary_turns_can_continue_with_bids(tmp_path):
    """A record of alternating turns can continue with bids; its moves cost nothing."""
    record_path = tmp_path / "game.sgf"
    options = ("--white", "human", "--record", str(record_path))
    played("a1\nb1\n", "--size", "3", *options)
    went_on = played("1\n0\nc1\n", "--resume", str(record_path), "--variant", "bidding", *options)

    assert "1.black a1 2.white b1 3.black c1 1:0" in went_on.stdout
    chips.check(formats.read(record_path.read_text()))


def test_engines_play_each_other(tmp_path):
    """In each variant, the same seed gives the same game."""
    for name, white in (("bidding", "random"), ("random-turn", "random")):
        records = []
        for number in range(2):
            path = tmp_path / f"{name}{number}.sgf"
            options = ("--variant", name, "--size", "4", "--seed", "3", "--record", str(path))
            result = played("", "--black", name, "--white", white, *options)
            assert result.exit_code == 0, result.output
            assert "wins by a chain." in result.stdout
            records.append(path.read_text())

        assert records[0] == records[1]


def test_hint_answers_a_tie_and_why_names_the_best_move(tmp_path):
    """At a tie the hint is yes or no; when a stone is due, it is a cell."""
    options = ("--variant", "bidding", "--size", "2", "--white", "human")
    kept = ("--record", str(tmp_path / "game.sgf"))
    text = played("why\n3\n3\nhint\nwhy\nyes\nwhy\nhint\nquit\n", *options, *kept).stdout
    bids, _, after = text.partition("hand over the tie-break chip and move?")
    at_tie, _, due = after.partition("yes or no> ")[2].partition("black> ")

    assert "Both have bid 3. Best: yes, hand over the tie-break chip" in " ".join(text.split())
    assert "Black has 100*" in bids
    assert re.search(r"Hint: yes, hand over the tie-break chip, pay 3 and play [ab][12]\.", at_tie)
    assert re.search(r"Black has won the bids and is to move: [ab][12] is best\.", due)
    assert "bid 0 for" not in text


@pytest.mark.parametrize("bid", [17, 40])
def test_a_hint_at_a_tie_uses_the_tied_bids(tmp_path, bid):
    """The hint uses the tied bids, not the bid that the engine would have made."""
    options = ("--variant", "bidding", "--size", "3", "--white", "human")
    kept = ("--record", str(tmp_path / "game.sgf"))
    text = played(f"{bid}\n{bid}\nhint\nquit\n", *options, *kept).stdout
    position, holding = Position.of(3), Holding(100, tie_break=True)
    is_taken = Thresholds(position, 200).is_tie_taken(position, Color.BLACK, holding, bid)

    assert ("Hint: yes, hand over" in text, "Hint: no, keep" in text) == (is_taken, not is_taken)
    assert is_taken == (bid < 32)
