"""Games of bidding Hex: chips, records, the referee and the players."""

import itertools
import re
import time
from collections import Counter
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scripted import Scripted

from hsearch import formats
from hsearch.formats import moves, sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import Position, winner
from player.bidding import chips as record
from player.bidding.chips import Chips, Holding
from player.bidding.discrete import Thresholds
from player.cli import main
from player.engine.bidder import HexyBidder
from player.engine.player import BidChoice, Choice, MoveRequest, PlayerError, Rationale
from player.engine.referee import play
from player.engine.results import Event, Rows, record_path
from player.engine.spec import participant
from player.engine.tournament import run
from player.evaluate.exact import exact
from player.variants import recorded_variant, variant
from player.work.naming import SpecError


def chance(seed=5):
    """Return a generator with the same seed in every test."""
    return np.random.default_rng(seed)


def chips(black, white):
    """Return the chips that two texts such as `5*` and `7` describe."""
    return Chips(Holding.read(black), Holding.read(white))


@pytest.mark.parametrize(
    ("bids", "takes_tie", "mover", "black", "white"),
    [
        ((3, 2), True, Color.BLACK, "2*", "10"),
        ((3, 4), True, Color.WHITE, "9*", "3"),
        ((3, 3), True, Color.BLACK, "2", "10*"),
        ((3, 3), False, Color.WHITE, "8*", "4"),
        ((0, 0), False, Color.WHITE, "5*", "7"),
        ((5, 7), False, Color.WHITE, "12*", "0"),
    ],
)
def test_the_winner_of_a_bid_pays_the_other_player(bids, takes_tie, mover, black, white):
    """The winner of a bid pays the other player; Black begins with 5* and White with 7."""
    assert chips("5*", "7").settle(bids, takes_tie=takes_tie) == (mover, chips(black, white))


def test_invalid_chips_are_rejected():
    with pytest.raises(ValueError, match=r"one tie-break chip: 5\* 7\*"):
        chips("5*", "7*")
    with pytest.raises(ValueError, match="a bid of 6 with 5 chips"):
        chips("5*", "7").settle((6, 0), takes_tie=True)
    with pytest.raises(SpecError, match="'bidding:black=0,white=0': nobody has any chips"):
        variant("bidding:black=0,white=0")
    with pytest.raises(SpecError, match=r"one tie-break chip: 9\* 8\*"):
        variant("bidding:black=9*,white=8*")
    with pytest.raises(SpecError, match="not a number of chips: '-3'"):
        variant("bidding:black=-3")


class Told:
    """A player that returns prepared bids."""

    name = "told"

    def __init__(self, *bids):
        self.bids = list(bids)

    def prepare(self, _board):
        """Do nothing."""

    def bid(self, _game, _color, _terms, _generator):
        """Return the next bid, or raise it if it is an error."""
        choice = self.bids.pop(0)
        if isinstance(choice, Exception):
            raise choice
        bid, cell, takes_tie = choice
        return BidChoice(bid, cell, takes_tie, Rationale("As told."))

    def close(self):
        """Do nothing."""


def played(black, white, game, text="bidding", **options):
    """Return the outcome of a match of two players, given as objects or as texts."""
    rules = variant(text)
    players = [participant(p, rules.name) if isinstance(p, str) else p for p in (black, white)]
    generator = chance(options.pop("seed", 5))
    return play(*players, game, generator, variant=rules, **options)


def test_a_record_has_the_bids_and_the_chips_before_each_move():
    """The record holds the bids and the chips left before each move."""
    black = Told((17, 4, True), (5, 1, True), (0, 8, True), (9, 7, True))
    white = Told((12, 0, True), (5, 0, True), (0, 0, True), (8, 2, True))
    outcome = played(black, white, Game.of(Board(3, 3)))
    text = sgf.write(outcome.game)

    assert (outcome.winner, outcome.how) == (Color.BLACK, "chain")
    assert outcome.thinkers == tuple(Color) * 4
    assert "XH[100*][100]" in text
    assert ";PL[B]XB[17][12]XH[83*][117];B[b2]" in text
    assert ";PL[B]XB[5][5]XH[78][122*];B[b1]" in text
    # White now holds the tie-break chip.
    assert ";PL[W]XB[0][0]XH[78*][122];W[a1]" in text


@pytest.mark.parametrize(
    ("choice", "how", "reason"),
    [
        ((101, 4, True), "illegal", "a bid of 101 with 100 chips"),
        ((-1, 4, True), "illegal", "a bid of -1 with 100 chips"),
        ((100, Special.RESIGN, True), "resign", ""),
        ((100, Special.SWAP_PIECES, True), "illegal", "swap-pieces is not a move of this variant"),
        ((100, 0, True), "illegal", "a1 is not empty"),
        (PlayerError("it rained"), "failed", "it rained"),
    ],
)
def test_a_player_that_breaks_a_rule_loses(choice, how, reason):
    """An illegal bid or move loses; of these endings only a resignation is recorded."""
    outcome = played(Told((0, 4, True)), Told(choice), Game.of(Board(3, 3), [0]))

    assert (outcome.winner, outcome.how, outcome.reason) == (Color.BLACK, how, reason)
    assert len(outcome.game.moves) == (2 if how == "resign" else 1)


def test_a_player_who_resigns_instead_of_bidding_loses(monkeypatch):
    """A player who resigns instead of bidding has lost, although the other was still to bid."""
    asked = []

    def give_up(_player, _variant, _state, color, *_):
        asked.append(color)
        return Special.RESIGN, Rationale("As told.")

    monkeypatch.setattr("player.engine.referee.act_of", give_up)
    outcome = played(Told(), Told(), Game.of(Board(3, 3)))

    assert (outcome.winner, outcome.how, asked) == (Color.WHITE, "resign", [Color.BLACK])


def test_a_bidder_without_a_cell_loses_by_its_fault():
    """A player of ordinary turns may resign, which is not a cell to bid for."""
    black = HexyBidder(Scripted(Special.RESIGN), name="quitter")
    outcome = played(black, "random", Game.of(Board(2, 2)))

    assert (outcome.winner, outcome.how) == (Color.WHITE, "failed")
    assert outcome.reason == "quitter cannot bid for a cell: its move is resign"


def test_a_bidder_divides_its_time_between_the_move_and_the_bid():
    """A bidder splits its time between the move of an ordinary player and the bid."""

    class Slow:
        def choose(self, game, terms, _generator):
            asked.append(terms.seconds)
            time.sleep(0.1)
            return Choice(next(iter(game.position().empty.search(1))), Rationale(""))

    asked = []
    who, game = HexyBidder(Slow(), name="slow"), variant("bidding").start(Game.of(Board(3, 3))).game
    who._filler.odds = lambda position, terms, _generator: (  # noqa: SLF001
        asked.append(terms.seconds) or exact(position)
    )
    for seconds in (4.0, None):
        who.bid(game, Color.BLACK, MoveRequest(seconds), chance())

    assert asked[0] == 2.0
    assert 3.0 < asked[1] <= 3.9
    assert asked[2:] == [None, None]


PLAYERS = (
    "bidding",
    "bidding:fillings=2000",
    "fraction:share=0.3",
    "payne-robeva:fillings=2000",
    "hexy:level=2",
    "random",
)


@given(
    st.sampled_from(list(itertools.permutations(PLAYERS, 2))),
    st.integers(0, 1 << 30),
    st.sampled_from(["bidding", "bidding:black=7,white=3*", "bidding:black=0*,white=2"]),
)
def test_records_of_whole_games_are_read_back_consistently(players, seed, text):
    """Every record reads back with consistent chips, bids and moves, and a chain wins."""
    outcome = played(*players, Game.of(Board(4, 3), [3]), text, seed=seed)
    again = formats.read(sgf.write(outcome.game))
    totals = {record.chips(again.cut(number)).total for number in range(len(again.moves) + 1)}

    assert again.nodes == outcome.game.nodes
    assert recorded_variant(again).text == text
    assert variant(text).start(again).game == again
    assert totals == {variant(text).chips(0).total}
    assert winner(again.position(turn=Color.BLACK)) is outcome.winner
    for move, bids in list(record.bids_of(again))[1:]:
        assert bids[move.color] >= bids[move.color.opponent]


@pytest.mark.parametrize("spec", ["payne-robeva:fillings=2048", "hexy:level=1"])
def test_a_bidder_without_enough_chips_still_reports_the_fair_bid(spec):
    """It bids the three chips that it has, and does not call them half of the share."""
    chips = record.Chips(Holding(3), Holding(197, tie_break=True))
    game = record.with_chips(Game.of(Board(3, 3)), chips)
    generator = np.random.default_rng(0)
    choice = participant(spec, "bidding").bid(game, Color.BLACK, MoveRequest(), generator)
    fair = re.search(
        r"a half is (\d+) of 200 chips\.|of 200 chips is (\d+)\.", choice.account.reason
    )

    assert choice.bid == 3
    assert int(fair[1] or fair[2]) > 3


RECORD = (
    "(;FF[4]GM[11]SZ[3]RU[bidding]XH[9*][9];B[a1]"
    ";PL[B]XB[5][2]XH[4*][14];B[b2];PL[W]XB[1][1]XH[5*][13];W[c1])"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("XB[5][2]", "XB[2][5]", "move 2: bids of 2 and 5 do not lead to 4* 14"),
        ("XB[5][2]", "XB[10][2]", "move 2: a bid of 10 with 9 chips"),
        ("XB[5][2]", "XB[5]", "move 2: XB has 1 values, not one for each player"),
        ("XB[5][2]", "XB[five][2]", "move 2: not a number of chips: 'five'"),
        ("XB[5][2]", "XB[5*][2]", "move 2: a bid does not include the tie-break chip: 5* 2"),
        ("XH[4*][14]", "XH[4*][14*]", "move 2: there is one tie-break chip: 4* 14*"),
        ("PL[B]", "PL[W]", "move 2: bids of 5 and 2 do not lead to"),
        (";B[b2]", ";W[b2]", "move 2: black has won the bid, and the other player moves"),
        ("XH[9*][9]", "", "move 2: bids, but no XH gives the players' chips"),
        ("XH[5*][13]", "XH[3][15*]", "move 3: bids of 1 and 1 do not lead to 3 15*"),
    ],
)
def test_records_that_contradict_themselves_are_refused(old, new, message):
    """A contradictory record is refused with the number of the move."""
    rules = variant("bidding")
    assert rules.start(formats.read(RECORD)).game.nodes == formats.read(RECORD).nodes
    wrong = formats.read(RECORD.replace(old, new, 1))
    for ask in (rules.start, record.due):
        with pytest.raises(ValueError, match=message.replace("*", r"\*")):
            ask(wrong)


def test_bids_without_any_chips_are_refused():
    """A record of bids without chips is refused, as its continuation could not be read back."""
    bare = formats.read(re.sub(r"XH\[.*?\]\[.*?\]", "", RECORD))
    for ask in (variant("bidding").start, record.due):
        with pytest.raises(ValueError, match="move 2: bids, but no XH gives the players' chips"):
            ask(bare)


def test_a_recorded_game_rejects_other_chips_than_its_own():
    """A recorded game cannot be continued with other chips than its own."""
    with pytest.raises(ValueError, match=r"the game began with 9\* and 9 chips"):
        variant("bidding:black=50").start(formats.read(RECORD))


def test_chips_are_read_from_any_node_before_the_first_bid():
    """Chips may stand in any node before the first bid, as other programs may write them."""
    later = RECORD.replace("XH[9*][9];B[a1]", ";B[a1];XH[9*][9]")
    state = variant("bidding").start(formats.read(later))

    assert state.chips == variant("bidding").start(formats.read(RECORD)).chips
    with pytest.raises(ValueError, match=r"the game began with 9\* and 9 chips"):
        variant("bidding:black=50").start(formats.read(later))


def test_a_tournament_exchanges_colors_and_the_tie_break_chip(tmp_path):
    """From each opening each player has each color, with and without the tie-break chip."""
    openings = ("a1 b2", "c1 c2")
    event = Event(
        "test", 3, 3, ("bidding", "fraction"), openings=openings, variant="bidding:black=9,white=9"
    )
    rows = Rows(tmp_path / "rows", event)
    run(rows, range(8), lambda _row: False, records=tmp_path)
    met = Counter(
        (row.opening, row.black, record.chips(game.cut(0)).holder)
        for row in rows.first(8)
        for game in [formats.read(record_path(tmp_path, event, row.game).read_text())]
    )

    assert met == Counter(itertools.product(openings, event.players, Color))
    for row in Rows(tmp_path / "rows", event).first(8):
        assert len(row.spent("bidding")[0]) == len(row.spent("fraction")[0]) == len(row.moves)
        assert all(len(move.split()) == 3 for move in row.moves)


def test_a_set_tie_break_chip_has_the_same_holder_in_all_games():
    event = Event("test", 3, 3, ("bidding", "random"), variant="bidding:white=100*")
    holders = {event.rules.start(Game.of(event.board), n).chips.holder for n in range(4)}

    assert holders == {Color.WHITE}


def test_the_command_plays_bidding_games(tmp_path):
    """`hsearch tournament` plays bidding games, and its rows hold the chips."""
    path = tmp_path / "rows"
    options = ("--variant", "bidding", "--size", "3", "--chips", "7", "7", "--resume", str(path))
    done = CliRunner().invoke(main, ["tournament", "bidding", "random", *options])
    wrong = CliRunner().invoke(main, ["tournament", "ab", "random", *options])

    assert done.exit_code == 0, done.output
    assert '"variant": "bidding:black=7,white=7"' in path.read_text()
    assert wrong.exit_code == 2
    known = "bidding, fraction, payne-robeva, hexy, random"
    assert f"'ab' does not play bidding (players of it: {known})" in " ".join(wrong.stderr.split())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fraction:share=2", "'share=2' in 'fraction:share=2': not a share from 0 to 1"),
        ("fraction:share=nan", "not a share from 0 to 1"),
        ("bidding:fillings=0", "not a number of fillings from 1 on"),
        ("bidding:depth=3", r"unknown option 'depth' of bidding \(known: fillings\)"),
    ],
)
def test_absurd_options_are_refused(spec, message):
    with pytest.raises(SpecError, match=message):
        participant(spec, "bidding")


def never_loses(monkeypatch, board, total, color):
    """Check that the engine's bids win against every bid, move and use of the tie-break chip.

    Start from every holding that wins the empty board, and return the number of states.
    """
    monkeypatch.setattr("player.engine.classic.count_or_draw", lambda now, *_, **__: odds_of(now))
    engine, start = participant("bidding", "bidding"), Position.of(board)
    solved = Thresholds(start, total)
    waiting = [
        (start, Chips(*holdings))
        for n, star in itertools.product(range(total + 1), (False, True))
        for holdings in [(Holding(n, star), Holding(n, star).opposite(total))]
        if solved.wins(start, color, holdings[color])
    ]
    seen = set(waiting)
    while waiting:
        position, has = waiting.pop()
        by = winner_of(position)
        assert by is not color.opponent
        if by is color:
            continue
        game = record.with_chips(Game.of_position(position), has)
        choice = engine.bid(game, color, MoveRequest(), None)
        for after in replies(position, has, color, choice):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen)


def replies(position, has, color, choice):
    """Yield each outcome of the engine's bid, for every answer of the opponent."""
    outcomes = set()
    for other in range(has[color.opponent].chips + 1):
        bids = (choice.bid, other) if color is Color.BLACK else (other, choice.bid)
        for others_tie in (True, False) if other == choice.bid else (True,):
            takes = choice.takes_tie if has.holder is color else others_tie
            outcomes.add(has.settle(bids, takes_tie=takes))
    for mover, after in outcomes:
        cells = [choice.cell] if mover is color else position.empty.search(1)
        for cell in cells:
            yield put(position, cell, mover), after


put = cache(Position.put)
odds_of = cache(exact)
winner_of = cache(winner)


@pytest.mark.parametrize("total", range(11))
@pytest.mark.parametrize("color", list(Color))
def test_the_engine_never_loses_on_two_by_two(monkeypatch, color, total):
    """At or above its threshold the engine wins against every opponent."""
    assert never_loses(monkeypatch, Board(2, 2), total, color) > 0


@pytest.mark.slow
@pytest.mark.parametrize("total", range(11))
@pytest.mark.parametrize("color", list(Color))
def test_the_engine_never_loses_on_three_by_three(monkeypatch, color, total):
    """At or above its threshold the engine wins against every opponent."""
    assert never_loses(monkeypatch, Board(3, 3), total, color) > 0


@pytest.mark.slow
@pytest.mark.parametrize("total", [0, 1, 4])
def test_each_bid_keeps_a_win(monkeypatch, total):
    """In every position of 3x2, each bid keeps the win of every winning holding."""
    monkeypatch.setattr("player.engine.classic.count_or_draw", lambda now, *_, **__: odds_of(now))
    solved, kept = Thresholds(Position.of(Board(3, 2)), total), 0
    for stones in itertools.product((None, *Color), repeat=6):
        position = solved.start
        for cell, color in enumerate(stones):
            position = position if color is None else position.put(cell, color)
        if winner_of(position) is not None:
            continue
        for color, n, star in itertools.product(Color, range(total + 1), (False, True)):
            own, other = Holding(n, star), Holding(n, star).opposite(total)
            if not solved.wins(position, color, own):
                continue
            has = Chips(own, other) if color is Color.BLACK else Chips(other, own)
            game = record.with_chips(Game.of_position(position), has)
            choice = participant("bidding", "bidding").bid(game, color, MoveRequest(), None)
            for after, left in replies(position, has, color, choice):
                assert solved.wins(after, color, left[color])
            kept += not choice.takes_tie

    # In some positions the tie-break chip is worth more than the move.
    assert kept > 0


def test_an_engine_remembers_nothing_of_other_games():
    """An engine that has bid in other games bids as a new engine does."""
    rng, used = chance(), participant("bidding", "bidding")
    for number in range(60):
        position = Position.of(Board(3, 3))
        for cell in rng.permutation(9)[: rng.integers(6)]:
            position = position.put(int(cell), Color(int(rng.integers(2))))
        if winner(position) is not None:
            continue
        has = chips(f"{rng.integers(9)}*", str(rng.integers(9)))
        game, color = record.with_chips(Game.of_position(position), has), Color(number % 2)
        new = participant("bidding", "bidding").bid(game, color, MoveRequest(), chance())

        assert used.bid(game, color, MoveRequest(), chance()) == new


def test_a_share_of_the_chips_has_no_floating_point_error():
    """A share of the chips is exact: in doubles, 0.29 of 100 is a little less than 29."""
    game = variant("bidding").start(Game.of(Board(2, 2))).game
    bids = [
        participant(f"fraction:share={share}", "bidding")
        .bid(game, Color.BLACK, MoveRequest(), chance())
        .bid
        for share in ("0.29", "0.57", "0.295", "0", "1")
    ]

    assert bids == [29, 57, 29, 0, 100]


@pytest.mark.slow
def test_the_engines_bids_are_legal_whatever_the_chips():
    """Bids are legal with no chips at all, and on a board too large for exact counts.

    Its sets take as many words as those of 19x19, so the kernels are compiled anyway.
    """
    game = moves.read("h8 i9", Board(23, 14))
    rules = variant("bidding:black=0,white=3*")
    fillings = ("bidding", "fraction", "payne-robeva")
    for spec in (*(f"{name}:fillings=2000" for name in fillings), "hexy:level=1", "random"):
        for color in Color:
            choice = participant(spec, "bidding").bid(
                rules.start(game).game, color, MoveRequest(), chance()
            )
            assert 0 <= choice.bid <= rules.chips(0)[color].chips
            assert game.position().empty[choice.cell]


def test_bids_without_chips_are_refused_by_name():
    """Bids in the first node, before any chips, are named by the error."""
    game = sgf.read("(;GM[11]SZ[3]RU[bidding]XH[100*][100]XB[17][12]PL[B])")

    assert record.without_bids(game) == game
    with pytest.raises(ValueError, match="bids, but no XH"):
        record.check(game)


def test_a_move_without_bids_is_free():
    """Moves without bids cost no chips, so a game can continue from any record."""
    game = variant("bidding").start(Game.of(Board(3, 3), [4, 0])).game
    later = game.append(Move(Color.BLACK, 1))

    assert record.chips(later) == chips("100*", "100")
    assert [bids for _, bids in record.bids_of(later)] == [None, None, None]
