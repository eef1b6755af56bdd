"""Many games at once: the kernel against its slow twin, the records, the samples, the files."""

from concurrent.futures import ThreadPoolExecutor

import naive_self_play
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.kernels.self_play import halvings
from player.study.side_by_side import (
    GameArrays,
    GamesError,
    PlaySettings,
    SeatTable,
    concatenate,
    read_games,
    samples_of,
    write_games,
)

SMALL = PlaySettings(simulations=12, weighed=4)


def net(board):
    """Return logits and a value for a board: random, but always the same."""
    generator = np.random.default_rng(board.astype(np.uint8).tolist())
    return generator.normal(0, 1, board.size).astype(np.float32), np.float32(
        generator.normal(0, 1.5)
    )


def answers(asked):
    """Return the net's answers for each board."""
    logits, values = zip(*map(net, asked), strict=True)
    return np.array(logits, np.float32), np.array(values, np.float32)


def games_of(side, seats, rules, count, seed=0, threads=1):
    """Return at least the given number of games."""
    table = SeatTable(side, seats, rules, [seed])
    asked = np.zeros((seats, side * side), np.int8)
    logits, values = np.zeros(asked.shape, np.float32), np.zeros(seats, np.float32)
    ended = []
    with ThreadPoolExecutor(threads) as pool:
        while sum(each.length.size for each in ended) < count:
            games = table.advance(logits, values, asked, pool, threads)
            ended += [] if games is None else [games]
            logits, values = answers(asked)
    return concatenate(ended)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(0, 1000),
    st.builds(
        PlaySettings,
        simulations=st.integers(1, 20),
        weighed=st.integers(1, 9),
        most_random=st.integers(1, 4),
        scattered=st.sampled_from([0.0, 0.5]),
        even=st.sampled_from([0.1, 0.5]),
        sampled=st.integers(0, 4),
        noise=st.sampled_from([0.0, 0.5]),
        decided=st.sampled_from([0.7, 1.0]),
        still=st.sampled_from([0.0, 0.5]),
    ),
)
def test_a_game_equals_that_of_the_plain_implementation(side, seed, rules):
    """The same draws and net give the same opening, moves, policies and chances."""
    state = np.random.SeedSequence([seed, side, 0]).generate_state(1, np.uint64)[0]
    expected = naive_self_play.play(side, rules, int(state), net)
    games = games_of(side, 1, rules, 1, seed)

    length = games.length[0]
    assert games.opening[0] == expected.opening
    assert games.moves[0, :length].tolist() == expected.moves
    assert games.winner[0] == expected.winner
    rows = np.flatnonzero(games.games == 0)
    assert games.plies[rows].tolist() == sorted(expected.searched)
    for row in rows:
        policy, chance = expected.searched[int(games.plies[row])]
        assert abs(games.chances[row] / 1000 - chance) < 0.0016
        best = sorted(policy, key=policy.get, reverse=True)[:16]
        parts = dict(zip(games.cells[row].tolist(), games.parts[row].tolist(), strict=True))
        for cell in best:
            assert abs(parts.get(cell, 0) / 1000 - policy[cell]) < 0.0016


def test_halving_spends_equal_shares_on_ever_fewer_moves():
    """With 16 moves and 64 simulations, each round gets a quarter, as in the paper."""
    table = halvings(16, 64)
    assert table[16].tolist() == [0] * 16 + [1] * 8 + [2] * 8 + [3] * 4 + [4] * 4 + [5] * 4 + (
        [6] * 4
    ) + [n for n in range(7, 15) for _ in range(2)]
    assert table[1].tolist() == list(range(64))


@pytest.mark.parametrize("threads", [1, 3])
def test_games_are_whole_and_do_not_depend_on_threads(threads):
    """No game is won before its last move, and the chain alone wins."""
    games = games_of(4, 130, SMALL, 60, threads=threads)
    alone = games_of(4, 130, SMALL, 60)
    for name in GameArrays._fields:
        np.testing.assert_array_equal(getattr(games, name), getattr(alone, name))
    board = Board(4, 4)
    for number, length in enumerate(games.length.tolist()):
        position = Position.of(board)
        for cell in games.moves[number, :length].tolist():
            assert winner(position) is None
            position = position.play(cell)
        color = Color(int(games.winner[number]))
        assert winner(position) is color
        chain = set(np.flatnonzero(games.chain[number]).tolist())
        assert chain <= set(position.stones(color).search(1))
        names = " ".join(map(board.name, sorted(chain)))
        alone_on_it = Position.of(board, **{color.word: names})
        assert winner(alone_on_it) is color


def test_most_openings_are_even_by_the_net():
    """With a bound of 0.1, the first chance of most games is within it."""
    rules = PlaySettings(simulations=1, weighed=1, even=0.1, scattered=0.0)
    games = games_of(5, 64, rules, 200)
    uneven = 0
    for number, count in enumerate(games.opening.tolist()):
        position = Position.of(Board(5, 5))
        for cell in games.moves[number, :count].tolist():
            position = position.play(cell)
        chance = 1 / (1 + np.exp(-net(naive_self_play.asked(position))[1]))
        uneven += abs(chance - 0.5) > 0.1
    assert uneven < 0.4 * len(games.length)  # without the bound, three of four openings are uneven


def test_samples_equal_the_searched_positions():
    """Stones, winner and policy are those the mover sees; White's are transposed."""
    games = games_of(4, 16, SMALL, 20)
    samples = samples_of(games, first=5)
    assert len(samples) == games.plies.size
    for row, (game, ply) in enumerate(zip(games.games, games.plies, strict=True)):
        position = Position.of(Board(4, 4))
        for cell in games.moves[game, :ply].tolist():
            position = position.play(cell)
        seen = naive_self_play.asked(position).reshape(4, 4)
        np.testing.assert_array_equal(samples.planes[row, 0], seen == 1)
        np.testing.assert_array_equal(samples.planes[row, 1], seen == 2)
        assert samples.value[row] == (games.winner[game] == position.turn)
        assert samples.games[row] == game + 5
        parts = np.zeros(16)
        for cell, part in zip(games.cells[row], games.parts[row], strict=True):
            parts[cell] += part if cell >= 0 else 0
        table = parts.reshape(4, 4) / parts.sum()
        shown = table.T if position.turn is Color.WHITE else table
        np.testing.assert_allclose(samples.policy[row], shown, atol=1e-6)
        chain = games.chain[game].reshape(4, 4)
        owned = chain.T if position.turn is Color.WHITE else chain
        sign = 1 if games.winner[game] == position.turn else -1
        np.testing.assert_array_equal(samples.owners[row], sign * owned)


def test_a_written_file_of_games_is_read_back_unchanged(tmp_path):
    """All arrays and the side of the board survive."""
    games = games_of(3, 8, SMALL, 10)
    write_games(tmp_path / "a.games.npz", games, {})
    again = read_games(tmp_path / "a.games.npz")
    for name in GameArrays._fields:
        np.testing.assert_array_equal(getattr(again, name), getattr(games, name))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("moves", lambda each: each.__setitem__((0, 1), each[0, 0]), "moves out of range"),
        ("moves", lambda each: each.__setitem__((0, 0), 99), "moves out of range"),
        ("length", lambda each: each.__setitem__(0, 0), "out of range"),
        ("opening", lambda each: each.__setitem__(0, 90), "opening out of range"),
        ("winner", lambda each: each.__setitem__(0, 2), "winner out of range"),
        ("games", lambda each: each.__setitem__(-1, 9999), "games out of range"),
        ("plies", lambda each: each.__setitem__(0, 99), "plies out of range"),
        ("chances", lambda each: each.__setitem__(0, 1001), "chances out of range"),
        ("cells", lambda each: each.__setitem__((0, 0), 9), "cells out of range"),
        ("parts", lambda each: each.__setitem__(0, 0), "out of range"),
    ],
)
def test_games_that_cannot_be_replayed_are_refused(tmp_path, name, change, message):
    """The one line names the file and the array."""
    games = games_of(3, 8, SMALL, 10)
    array = getattr(games, name).copy()
    change(array)
    path = tmp_path / "a.games.npz"
    write_games(path, games._replace(**{name: array}), {})
    with pytest.raises(GamesError, match=message) as caught:
        read_games(path)
    assert str(caught.value).startswith(f"{path}: not games, kept as it is: ")


def test_arrays_of_another_shape_are_refused(tmp_path):
    """Arrays of another board are refused."""
    games = games_of(3, 8, SMALL, 10)
    path = tmp_path / "a.games.npz"
    for changed in (games._replace(side=4), games._replace(side=99)):
        write_games(path, changed, {})
        with pytest.raises(GamesError, match="kept as it is"):
            read_games(path)
