"""Players of Dark Hex: what they observe, what they attempt, and how well they play."""

import gc
import tracemalloc
import weakref
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner
from dark_plans import uniform_plans

from hsearch.hex.board import Board, Color, from_number
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.cli import main
from player.dark import policy, proof, response, tree
from player.dark.belief import sensible
from player.dark.outlook import MOST_BYTES, cache_by_size
from player.dark.policy import draw
from player.dark.response import Responder
from player.dark.rules import (
    SOME_COLLISION,
    Base,
    DarkRules,
    Noise,
    Play,
    View,
    own_symbol,
    read,
    view,
)
from player.engine.dark import GuessingPlayer
from player.engine.player import PlayerError
from player.engine.referee import play
from player.engine.spec import PLAYERS, participant
from player.variants import variant
from player.work.naming import SpecError

GAMES = [(base, noise) for base in Base for noise in Noise]
NAMES = [(base, name) for base in Base for name in PLAYERS[f"dark-{base}"]]


def studied(spec, rules):
    """Return a player prepared for these rules."""
    player = participant(spec, f"dark-{rules.base}")
    player.prepare(rules.board)
    player.study(rules)
    return player


def game_between(rules, black, white, seed):
    """Return the end of a game between two policies."""
    play, generator = Play(rules), np.random.default_rng(seed)
    while not rules.is_over(play.state):
        color = play.state.turn
        chances = (black, white)[color](color, play.information_state(color))
        play = play.attempt(draw(chances, generator))
    return play


class Spy:
    """A player that asks another one and records its observations and answers."""

    def __init__(self, player):
        self.player, self.name = player, player.name
        self.prepare, self.study, self.close = player.prepare, player.study, player.close
        self.seen = []

    def attempt(self, color, history, generator):
        """Answer as the other player does, after recording answers from three seeds."""
        answers = [
            self.player.attempt(color, history, np.random.default_rng(seed)).action
            for seed in range(3)
        ]
        self.seen.append((history, answers))
        return self.player.attempt(color, history, generator)


def observed(board, words, color):
    """Return a player's observations before each of their attempts, in a noisy game."""
    known, found = (), []
    for who, name, *hit in map(str.split, words):
        if who == color.word:
            found.append(known)
            known += (own_symbol(board.cell(name), placed=not hit),)
        elif hit:
            known += (SOME_COLLISION,)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("base", "name"), NAMES)
def test_attempts_depend_only_on_the_players_observations(base, name):
    """Matches on 3x2: players see their own observations, and attempts depend on these alone."""
    rules, board = variant(f"dark-{base}:noise=noisy"), Board(3, 2)
    answered, hidden = {}, {}
    for seed in range(15):
        spy, color = Spy(participant(name, rules.name)), Color((seed + 1) % 2)
        players = [participant("random", rules.name), spy][:: 1 if color is Color.WHITE else -1]
        outcome = play(*players, Game.of(board), np.random.default_rng(seed), variant=rules)
        words = rules.moves(outcome.game)

        assert outcome.how == "chain", outcome.reason
        assert [told for told, _ in spy.seen] == observed(board, words, color)
        for told, answers in spy.seen:
            assert answered.setdefault((color, told), answers) == answers
            hidden.setdefault((color, told), set()).add(words)
    assert any(len(games) > 1 for games in hidden.values())


@pytest.mark.slow
@pytest.mark.parametrize(("base", "name"), NAMES)
def test_players_attempt_only_cells_not_known_to_be_occupied(base, name):
    """Attempts are legal to the end of games on another shape of board, with flash."""
    rules = DarkRules(Board(2, 3), base, Noise.FLASH)
    players = [studied(name, rules), studied("random", rules)]
    generator = np.random.default_rng(4)
    for black in (0, 1):
        play = Play(rules)
        while not rules.is_over(play.state):
            color = play.state.turn
            history = play.information_state(color)
            cell = players[color ^ black].attempt(color, history, generator).action
            assert cell in rules.unknown(view(history))
            play = play.attempt(cell)


@pytest.mark.parametrize("noise", Noise)
def test_equilibrium_cannot_be_beaten(noise):
    """On 3x2 abrupt the best response gets no more than the certificate allows."""
    rules = DarkRules(Board(3, 2), Base.ABRUPT, noise)
    against = Responder(rules, Color.WHITE, proof.equilibrium(rules))
    value = 10 / 11 if noise is Noise.SILENT else 28 / 31

    assert 1 - against.search() == pytest.approx(value)


@pytest.mark.parametrize(("base", "noise"), GAMES)
def test_the_response_to_uniform_play_equals_that_on_the_tree(base, noise):
    """For the uniform policy on 2x2, the value equals that of sweeps over the tree."""
    rules = DarkRules(Board(2, 2), base, noise)
    game = tree.build(rules)
    plans = uniform_plans(game)
    for color in Color:
        value = response.best_response(game, color, plans[color.opponent]).value
        responder = Responder(rules, color, policy.uniform(rules))

        assert 2 * responder.search() - 1 == pytest.approx(value)


def test_the_response_cache_is_bounded():
    """In a tournament, a player from a file is a new object in each game."""
    rules, known = DarkRules(Board(2, 1)), []
    for _ in range(3 * policy.MOST_CACHED):
        study = partial(policy.uniform)
        response.response(study)(rules)
        known.append(weakref.ref(study))
        del study
    gc.collect()

    assert sum(each() is not None for each in known) <= policy.MOST_CACHED


@pytest.mark.parametrize(("side", "number"), [(5, 32_000), (11, 24_000)])
def test_the_cache_of_outlooks_is_bounded_by_bytes(side, number):
    """With more positions than fit, it has the last ones, and takes about as much as it may."""
    asked = []

    def rate(position):
        asked.append(None)
        return np.zeros(position.board.size)

    board, looked_up = Board(side), cache_by_size(rate)
    nobody = from_number(0, board.size)
    positions = (Position(board, from_number(i, board.size), nobody) for i in range(number))
    tracemalloc.start()
    for position in positions:
        looked_up(position)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    looked_up(position)

    assert len(asked) == number
    looked_up(Position(board, nobody, nobody))  # the first one, dropped by now
    assert len(asked) == number + 1
    assert MOST_BYTES / 2 < taken < 1.1 * MOST_BYTES


def test_the_response_to_a_deterministic_policy_wins_every_game():
    """On 3x3 abrupt either color can win, as it knows where all stones are."""
    rules = DarkRules(Board(3, 3), Base.ABRUPT)
    center = policy.first_in_order("center")
    answer = response.response(center)(rules)
    plays = [
        game_between(rules, answer, center(rules), 0),
        game_between(rules, center(rules), answer, 0),
    ]

    assert rules.winner(plays[0].state) is Color.BLACK
    assert Responder(rules, Color.WHITE, center(rules)).search() in {0, 1}
    assert len(plays[1].histories[1]) > 0


def test_the_sure_player_wins_every_classic_game_on_3x3():
    """On 3x3 classic Black wins each of 50 games against a random player."""
    rules = DarkRules(Board(3, 3))
    sure, chance = policy.sure(rules), policy.uniform(rules)
    winners = {rules.winner(game_between(rules, sure, chance, seed).state) for seed in range(50)}

    assert winners == {Color.BLACK}


def test_more_sampling_lowers_the_exploitability():
    """The response to 30,000 iterations on 2x2 abrupt wins less than that to 30."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    lost = [
        Responder(rules, Color.WHITE, proof.sample_regret(number, 1)(rules)).search()
        for number in (30, 30_000)
    ]

    assert lost[1] < lost[0]
    assert lost[1] == pytest.approx(1 / 4, abs=0.03)


@pytest.mark.slow
def test_regret_minimization_comes_near_the_value():
    """200 iterations of CFR+ on 3x2 abrupt come within 0.01 of the value."""
    rules = DarkRules(Board(3, 2), Base.ABRUPT)
    lost = Responder(rules, Color.WHITE, proof.minimize_regret("cfr+", 200)(rules)).search()

    assert 1 - lost == pytest.approx(10 / 11, abs=0.01)


def test_belief_attempts_the_only_winning_cell():
    """White has found all but one stone, so Black needs a certain cell to win."""
    rules = DarkRules(Board(3, 3), Base.CLASSIC, Noise.SILENT)
    history = read(rules.board, "b2 a3x c1")
    cell = studied("belief", rules).attempt(Color.BLACK, history, np.random.default_rng(0)).action

    assert rules.board.name(cell) == "b3"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "spec", "other", "games", "least"),
    [
        ("abrupt", "belief:guesses=8", "random", 40, 34),
        ("abrupt", "belief:guesses=8,links=none", "random", 40, 34),
        ("abrupt", "belief:by=critical,model=critical,near=5", "view:by=critical", 20, 12),
        ("classic", "belief:links=none,model=critical,near=5", "view:by=critical", 20, 12),
    ],
)
def test_belief_beats_other_players_on_4x4(base, spec, other, games, least):
    """On 4x4, with colors alternating, belief wins at least this many games."""
    rules = variant(f"dark-{base}")
    won = 0
    for seed in range(games):
        names = [spec, other][:: 1 if seed % 2 else -1]
        players = [participant(spec, rules.name) for spec in names]
        chance = np.random.default_rng(seed)
        outcome = play(*players, Game.of(Board(4, 4)), chance, variant=rules)
        won += names[outcome.winner].startswith("belief")

    assert won >= least


def test_near_draws_among_equal_cells_at_random():
    """With `near`, equal cells are drawn at random; without it the first one is chosen."""
    rules = DarkRules(Board(3, 3), Base.ABRUPT)
    history = read(rules.board, "b2")
    drawn = {
        near: {
            int(
                studied(f"belief:by=critical,model=critical{near}", rules)
                .attempt(Color.BLACK, history, np.random.default_rng(seed))
                .action
            )
            for seed in range(12)
        }
        for near in ("", ",near=60")
    }

    assert len(drawn[""]) == 1
    assert len(drawn[",near=60"]) > 1


def test_the_reason_for_a_drawn_cell_does_not_call_it_the_best():
    """It may be up to `near` percent worse."""
    rules = DarkRules(Board(3, 3), Base.ABRUPT)
    history, generator = read(rules.board, "b2"), np.random.default_rng(0)
    best, drawn = (
        studied(f"belief:by=critical{near}", rules).attempt(Color.BLACK, history, generator)
        for near in ("", ",near=60")
    )

    assert str(best) == "Best on average over 24 guesses of the hidden stones."
    assert str(drawn) == "Within 60 % of the best on average over 24 guesses of the hidden stones."


def test_a_free_hit_is_worth_the_best_next_attempt():
    """For two guesses, the value of each attempt is that computed by hand."""
    rules = DarkRules(Board(2, 2), Base.CLASSIC)
    scores = {1 << 0: [0, 4, 2, 1], 1 << 3: [3, 2, 5, 0]}

    def rate(position):
        stones = sum(1 << int(c) for c in position.stones(Color.WHITE).search(1))
        return np.array(scores[stones], float)

    player = GuessingPlayer(rate=rate, model=sensible)
    found = [(1 << 0, 0.25), (1 << 3, 0.75)]

    # In the first guess a hit on a1 leaves b1 with 4; in the second a hit on b2 leaves a2 with 5.
    expected = [0.75 * 3 + 0.25 * 4, 0.25 * 4 + 0.75 * 2, 0.25 * 2 + 0.75 * 5, 0.25 + 0.75 * 5]
    assert player._foresee(rules, Color.BLACK, View(), found) == pytest.approx(expected)  # noqa: SLF001


def test_draws_follow_the_policys_probabilities():
    """Many draws give each cell as often as the policy says."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    generator = np.random.default_rng(2)
    chances = proof.equilibrium(rules)(Color.WHITE, ())
    drawn = [draw(chances, generator) for _ in range(2000)]

    assert sum(chances.values()) == pytest.approx(1)
    for cell, chance in chances.items():
        assert drawn.count(cell) / 2000 == pytest.approx(chance, abs=0.05)


SAMPLING = r"mccfr-outcome \(a policy, but no value\)$"


@pytest.mark.parametrize(
    ("spec", "base", "message"),
    [
        ("equilibrium", Base.ABRUPT, rf"nodes: 16 cells, and 12 fit .*that fit: {SAMPLING}"),
        ("cfr", Base.ABRUPT, rf"080,753 nodes: 2,000,000 fit; methods that fit: {SAMPLING}"),
        ("response:to=random", Base.ABRUPT, "ways to play against the policy on 4x4"),
        ("equilibrium:file=positions/dark/2x2-abrupt-silent.txt", Base.ABRUPT, "not of 4x4"),
    ],
)
def test_players_report_why_they_cannot_play_a_board(spec, base, message, monkeypatch):
    """The error says why, and which methods fit."""
    monkeypatch.setattr(response, "MOST", 1000)
    with pytest.raises(PlayerError, match=message):
        studied(spec, DarkRules(Board(4, 4), base))


@pytest.mark.parametrize("spec", ["belief:by=critical", "belief:model=critical"])
def test_boards_too_large_for_a_belief_are_refused_before_a_game(spec, tmp_path):
    """The error comes before the game; once it came during a game and ended the command."""
    with pytest.raises(PlayerError, match=r"too large to count all fillings: 14x14"):
        studied(spec, DarkRules(Board(14, 14)))
    words = [spec, "random", "--variant", "dark-classic", "--size", "14"]
    done = CliRunner().invoke(main, ["tournament", *words, "--resume", str(tmp_path / "rows")])
    reason = "too large to count all fillings: 14x14 (one side must be at most 13)"
    told = f"{spec} cannot play here: {reason}\n"
    assert (done.exit_code, done.stderr) == (1, told)


@pytest.mark.parametrize(("columns", "rows"), [(4, 3), (3, 4)])
def test_policies_that_prove_distant_bounds_are_not_an_equilibrium(columns, rows):
    """Such certificates are shipped, but are played only if the file is named."""
    rules = DarkRules(Board(columns, rows), Base.ABRUPT)
    with pytest.raises(PlayerError, match=f"no equilibrium of {rules.name} is shipped"):
        studied("equilibrium", rules)

    studied(f"equilibrium:file=positions/dark/{rules.name}.txt", rules)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("belief:guesses=0", "not a whole number from 1 to 999999999"),
        ("belief:links=six", r"unknown links \(known: hexy, none\)"),
        ("belief:model=chess", r"unknown model \(known: chance, critical\)"),
        ("belief:by=critical,links=none", "'links=none' .* by=critical asks no circuit"),
        ("belief:links=hexy,by=critical", "'links=hexy' .* by=critical asks no circuit"),
        (
            "view:by=weak_links",
            r"unknown ordering \(known: center, charge, charge_diagonal, potentials, c",
        ),
        ("response:to=hexy", "unknown policy 'hexy'"),
        ("response:to=belief", "unknown policy 'belief'"),
        ("equilibrium:file=nowhere.txt", "No such file"),
        ("cfr:variant=magic", r"unknown variant \(known: cfr, "),
        ("hexy", "'hexy' does not play dark-classic"),
    ],
)
def test_bad_names_are_refused(spec, message):
    with pytest.raises(SpecError, match=message):
        participant(spec, "dark-classic")


def test_an_equilibrium_that_would_take_hours_is_refused(monkeypatch):
    """The error says how to make a certificate and how to play it."""
    monkeypatch.setattr(proof.tree.methods, "MAX_NODES", 5)
    with pytest.raises(PlayerError, match=r"1x3-abrupt-noisy.*--certificate FILE.*:file=FILE"):
        studied("equilibrium", DarkRules(Board(1, 3), Base.ABRUPT, Noise.NOISY))


def test_sure_plays_the_classic_game_only():
    with pytest.raises(SpecError, match="'sure' does not play dark-abrupt"):
        participant("sure", "dark-abrupt")


def test_a_surely_losing_player_still_attempts_unknown_cells():
    """White on 3x3 classic has no policy in the certificate."""
    rules = DarkRules(Board(3, 3))
    chances = proof.equilibrium(rules)(Color.WHITE, (own_symbol(4, placed=False),))

    assert sum(chances.values()) == 1
    assert 4 not in chances
