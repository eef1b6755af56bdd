"""Variants as state machines: legal acts, next states, and what each side can distinguish."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hsearch.formats import sgf
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import winner
from player.bidding.chips import Holding
from player.dark.rules import Base, Noise
from player.variants import VARIANTS, recorded_variant, variant
from player.variants.base import (
    BIDDING,
    GameState,
    IllegalActError,
    SealedBid,
    Tie,
    Variant,
    act_word,
    end_words,
)
from player.variants.bidding import UNSEALED, Bidding
from player.variants.dark import Dark
from player.variants.plain import Plain
from player.variants.puzzle import PuzzleVariant, RightMove
from player.variants.random_turn import RandomTurn
from player.work.naming import SpecError

MACHINES = [
    Plain(),
    Plain(swap=True),
    RandomTurn(),
    Bidding(black=Holding(2), white=Holding(1, tie_break=True)),
    *(Dark(base, noise) for base in Base for noise in Noise),
]
NAMES = [f"{each.text}{'-swap' * each.swap}" for each in MACHINES]


def test_the_tested_machines_include_every_variant():
    assert {machine.name for machine in MACHINES} == VARIANTS.keys()


def acts(state):
    """Return all acts in a state, legal or not."""
    cells = range(-1, state.game.board.size + 1)
    bids = [SealedBid(chips, tie) for chips in range(-1, 5) for tie in (None, True, False)]
    planned = [SealedBid(0, None, plan) for plan in (*cells, *Special)]
    return [*cells, *Special, *bids, *planned, Tie(is_taken=True), Tie(is_taken=False)]


def games(machine, board, seed, choose):
    """Yield each state of a game with the color and act before it; `choose` picks from a list."""
    coin, state = np.random.default_rng(seed), machine.start(Game.of(board))
    yield state, None, None
    while state.winner is None:
        state = machine.toss(state, coin)
        color = choose(machine.to_act(state))
        legal = machine.legal(state, color)
        act = choose([each for each in acts(state) if each in legal])
        state = machine.after(state, color, act)
        yield state, color, act


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
@given(st.data())
def test_legal_acts_succeed_and_all_others_are_refused(machine, data):
    """In every state, each legal act is done and every other act of either side is refused."""
    choose = lambda choices: data.draw(st.sampled_from(list(choices)))  # noqa: E731
    for state, _, _ in games(machine, Board(2, 2), data.draw(st.integers(0, 99)), choose):
        try_all_acts(machine, state)


@cache  # of the states of a hundred games a third differ; a failure is not kept
def try_all_acts(machine, state):
    """Assert that a machine does each legal act, and refuses every other act of either side."""
    for color in Color:
        legal = machine.legal(state, color)
        for act in acts(state):
            if act in legal:
                assert machine.after(state, color, act) != state
            else:
                with pytest.raises(IllegalActError):
                    machine.after(state, color, act)


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
@given(st.data())
def test_saved_games_and_written_acts_are_read_back(machine, data):
    """A saved game continues from its state, without sealed bids, and written acts read back."""
    choose = lambda choices: data.draw(st.sampled_from(list(choices)))  # noqa: E731
    before = None
    for state, color, act in games(machine, Board(3, 2), data.draw(st.integers(0, 99)), choose):
        read_back(machine, state)
        if before is not None:
            read = machine.read(before, color, act_word(act, Board(3, 2)))
            assert read == (SealedBid(act.chips) if isinstance(act, SealedBid) else act)
        before = state
    assert end_words(state).startswith(state.winner.word.capitalize())
    is_chain = winner(state.position) is state.winner and not state.is_given_up
    assert ("by a chain" in end_words(state)) is is_chain, "how it ended is said by end_words"


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_a_record_is_continued_at_its_cursor(machine):
    """What follows the cursor is left out, with its chips and coins."""
    rng = np.random.default_rng(5)
    choose = lambda choices: choices[int(rng.integers(len(choices)))]  # noqa: E731
    *_, (state, _, _) = games(machine, Board(3, 2), 5, choose)

    for moves in range(len(state.game.moves) + 1):
        begun = machine.start(state.game.cut(moves))
        assert machine.start(replace(state.game, cursor=moves)) == begun


@cache
def read_back(machine, state):
    """Assert that a saved game continues from its state."""
    again = machine.start(sgf.read(sgf.write(machine.public_record(state))))
    assert again.game.nodes == state.game.nodes
    open_state = state if machine.name != BIDDING else replace(state, bids=UNSEALED)
    assert machine.to_act(again) == machine.to_act(open_state)


# What a side may know, derived a second time from the history alone: its own acts, their results,
# and what the rules of the variant make public.
def bidding_knowledge(color, history):
    """Return what a side knows in a bidding game: of the other's sealed bid only that it exists."""
    known, sealed = [], {}
    for before, who, act, after in history:
        if isinstance(act, SealedBid) and before.mover is None:
            sealed[who] = act
            known.append((who, act if who is color else "sealed"))
            if len(sealed) == len(Color):
                known.append([sealed[each].chips for each in Color])
                known.append(after.game.nodes[len(before.game.nodes) :])
                sealed = {}
        else:
            known.append((who, act, after.game.nodes[len(before.game.nodes) :]))
    return known


def dark_knowledge(color, history):
    """Return what a side knows in dark Hex: its attempts, sounds, the turn, and the end."""
    known = []
    for before, who, act, after in history:
        rules = before.play.rules
        is_hit = act is not Special.RESIGN and before.play.state.stones[who.opponent] >> act & 1
        if who is color:
            known.append((act, bool(is_hit)))
        elif is_hit and rules.noise is not Noise.SILENT:
            known.append(("hit", act if rules.noise is Noise.FLASH else None))
        known = [each for each in known if each[0] != "turn"]
        known.append(("turn", after.play.state.turn))
        if after.winner is not None:
            known.append(("truth", after.game.nodes))
    return known


def histories(machine, board, most):
    """Return all histories of up to `most` acts, each a state and the steps that lead to it."""
    begun, found = machine.start(Game.of(board)), []
    waiting = [(begun, ())]
    while waiting:
        state, history = waiting.pop()
        found.append((state, history))
        if len(history) == most:
            continue
        for color in machine.to_act(state):
            legal = machine.legal(state, color)
            some = [act for act in acts(state) if act in legal]
            for act in some:
                if isinstance(act, SealedBid) and act.plan not in {None, 0}:
                    continue
                after = machine.after(state, color, act)
                waiting.append((after, (*history, (state, color, act, after))))
    return found


def leaks(machine, knowledge, board, most):
    """Return the cases where a side sees two histories differently that it must not distinguish."""
    found, first, apart = [], {}, set()
    for state, history in histories(machine, board, most):
        for color in Color:
            key = color, repr(knowledge(color, history))
            seen = machine.view(state, color)
            if first.setdefault(key, seen) != seen:
                found.append((key, first[key], seen))
            apart.add(key)
    assert len(apart) > 20
    assert len(apart) < 2 * len(histories(machine, board, most))  # something is hidden
    return found


KNOWLEDGE = {Bidding: bidding_knowledge, Dark: dark_knowledge}


def test_what_a_side_may_know_is_derived_for_each_machine_that_hides_anything():
    hiding = {type(machine) for machine in MACHINES if type(machine).view is not Variant.view}

    assert KNOWLEDGE.keys() == hiding


DARK = [Dark(base, noise) for base in Base for noise in Noise]


@pytest.mark.parametrize("machine", DARK, ids=[each.text for each in DARK])
def test_a_side_sees_no_hidden_stone(machine):
    """On 2x2, states within five acts that a side must not distinguish look the same to it."""
    assert leaks(machine, KNOWLEDGE[Dark], Board(2, 2), 5) == []


FEW = Bidding(black=Holding(2, tie_break=True), white=Holding(1))


def test_a_side_sees_no_sealed_bid():
    """A side sees no part of the other's sealed bid: chips, planned cell or use of the tie."""
    assert leaks(FEW, KNOWLEDGE[Bidding], Board(1, 2), 3) == []


class LeakyDark(Dark):
    """Leak the length of the record, in which each silent hit has a node."""

    def view(self, state, color):
        """Return what the color sees, and the leak."""
        return super().view(state, color), len(state.game.nodes)


class LeakyBids(Bidding):
    """Leak one part of the other side's sealed bid."""

    def __init__(self, part):
        super().__init__(black=FEW.black, white=FEW.white)
        self.part = part

    def view(self, state, color):
        """Return what the color sees, and the leak."""
        other = state.bids[color.opponent]
        return super().view(state, color), None if other is None else getattr(other, self.part)


@pytest.mark.parametrize("part", ["chips", "takes_tie", "plan"])
def test_a_planted_leak_of_a_bid_is_caught(part):
    assert leaks(LeakyBids(part), bidding_knowledge, Board(1, 2), 3)


def test_a_planted_leak_of_a_hit_is_caught():
    assert leaks(LeakyDark(Base.CLASSIC), dark_knowledge, Board(2, 2), 5)


def test_a_side_is_shown_only_what_it_may_know():
    """The words and the standing shown to a side depend only on what that side may know."""
    for machine in DARK:
        said = {}
        for state, history in histories(machine, Board(2, 2), 4):
            start = history[0][0] if history else state
            for color in Color:
                known = color, repr(dark_knowledge(color, history))
                words = machine.standing(state, color), machine.words(start, state, color)
                assert said.setdefault(known, words) == words


@pytest.mark.parametrize(
    ("act", "now", "then"),
    [(Special.RESIGN, "resigns", "resigned"), (Special.FORFEIT, "forfeits", "forfeited")],
)
def test_the_words_distinguish_a_forfeit_from_a_resignation(act, now, then):
    before = Plain().start(Game.of(Board(3, 3)))
    after = before.then(Move(Color.BLACK, act))

    assert Plain().words(before, after) == [f"Black {now}."]
    assert end_words(after) == f"White has won: Black {then}."


def test_a_tie_is_broken_by_the_holder_of_the_chip():
    """The holder of the tie-break chip decides a tie in advance or when asked."""
    machine = variant("bidding:black=5*,white=5")
    start = machine.start(Game.of(Board(2, 2)))
    black = machine.after(start, Color.BLACK, SealedBid(3))
    tie = machine.after(black, Color.WHITE, SealedBid(3, plan=0))

    assert machine.to_act(start) == tuple(Color)
    assert machine.to_act(black) == (Color.WHITE,)
    assert (machine.to_act(tie), machine.legal(tie, Color.BLACK).tie) == ((Color.BLACK,), True)
    assert machine.words(black, tie) == ["Black bids 3, White bids 3."]
    kept = machine.after(tie, Color.BLACK, Tie(is_taken=False))
    assert (kept.last.color, str(kept.chips.white)) == (Color.WHITE, "2")
    taken = machine.after(tie, Color.BLACK, Tie(is_taken=True))
    assert machine.words(tie, taken) == ["Black moves. Black has 2 now, White 8*."]
    early = machine.after(
        machine.after(start, Color.BLACK, SealedBid(3, takes_tie=True)), Color.WHITE, SealedBid(3)
    )
    assert (early.game, early.bids) == (taken.game, taken.bids)
    assert machine.take_back(tie) == machine.take_back(taken) == start


def test_a_tournament_game_continues_with_its_chips():
    """A tournament game continues; its number decides who first holds the tie-break chip."""
    machine = variant("bidding:black=5,white=5")
    states = [machine.start(Game.of(Board(2, 2)), meeting) for meeting in range(4)]

    assert [state.chips.holder for state in states] == [*[Color.BLACK] * 2, *[Color.WHITE] * 2]
    for state in states:
        assert recorded_variant(state.game).start(state.game) == state
        with pytest.raises(ValueError, match="the game began with 5"):
            variant("bidding:black=6,white=5").start(state.game)


def test_a_game_is_continued_with_the_turn_of_its_position():
    """After setup without a turn, the numbers of stones decide whose turn it is if they can."""
    game = sgf.read("(;FF[4]GM[11]SZ[3]AB[b2])")

    assert Plain().start(game).position == game.position()
    assert Plain().to_act(Plain().start(game)) == (Color.WHITE,)
    assert GameState.of(sgf.read("(;FF[4]GM[11]SZ[3]AW[b2])")).position.turn is Color.BLACK


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sealed_game_is_continued_in_its_own_variant_only(name):
    """Any other variant refuses a sealed game, which it would continue from the empty board."""
    sealed = variant("dark-classic")
    state = sealed.after(sealed.start(Game.of(Board(2, 2))), Color.BLACK, 0)
    machine, game = variant(name), sealed.public_record(state)

    if machine.name == sealed.name:
        assert machine.start(game) == state
        return
    with pytest.raises(ValueError, match="the attempts are sealed"):
        machine.start(game)


def test_a_coin_falls_only_when_it_is_due():
    """The coin falls only when it is due, and the player it falls for moves."""
    machine = RandomTurn()
    start = machine.start(Game.of(Board(2, 2)))
    fallen = machine.land_coin(start, Color.WHITE)

    assert machine.to_act(start) == ()
    assert machine.toss(fallen, np.random.default_rng(0)) is fallen
    with pytest.raises(IllegalActError, match="no coin is due"):
        machine.land_coin(fallen, Color.BLACK)
    with pytest.raises(IllegalActError, match="white is to move"):
        machine.after(fallen, Color.BLACK, 0)
    moved = machine.after(fallen, Color.WHITE, 3)
    assert machine.words(start, moved) == ["The coin falls for White.", "White plays b2."]
    assert machine.take_back(moved) == fallen


@pytest.mark.parametrize("name", VARIANTS)
def test_a_record_names_its_variant(name):
    """A record names its variant, unless it is that of ordinary turns."""
    machine = variant(name)
    state = machine.start(Game.of(Board(3, 3)))

    assert repr(machine) == f"<{type(machine).__name__} {name}>"
    assert bool(machine.rules) == (name != "alternating")
    found = recorded_variant(state.game)
    assert (found and found.name) == (None if name == "alternating" else name)
    assert recorded_variant(replace(state.game, info=(("RU", "swap"),))).swap
    assert recorded_variant(replace(state.game, info=(("RU", "Hex"),))) is None
    with pytest.raises(SpecError, match=f"unknown option 'x' of {name}"):
        recorded_variant(replace(state.game, info=(("RU", f"{name}:x=1"),)))
    if name == BIDDING:
        assert machine.standing(state) == "Black has 100*, White has 100 chips."


def test_a_puzzle_takes_tries_and_verdicts_in_turn():
    """A verdict follows the move that was tried, and no other act is legal meanwhile."""
    machine = PuzzleVariant()
    start = machine.start(Game.of(Board(2, 2)))
    verdict = RightMove(0, start.position, None, None, 0)
    with pytest.raises(IllegalActError, match="a move that was not tried"):
        machine.after(start, Color.BLACK, verdict)
    tried = machine.after(start, Color.BLACK, 0)
    with pytest.raises(IllegalActError, match="is to be judged first"):
        machine.after(tried, Color.WHITE, 1)
    with pytest.raises(IllegalActError, match="a move that was not tried"):
        machine.after(tried, Color.WHITE, replace(verdict, cell=1))

    assert machine.after(tried, Color.WHITE, verdict).winner is Color.BLACK
