"""Training games: proofs are true, runs are repeatable, and no game is lost."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.cli import learn, main
from player.evaluate.int8 import NEEDED
from player.evaluate.net import random_net, write_net
from player.search.tree import TreeSearch, TreeSettings
from player.solve.solver import Solver
from player.study import learning_games
from player.study.learning_games import (
    Chunk,
    ChunkError,
    ChunkFolder,
    ChunkFolderError,
    ChunkOrigin,
    SelfPlayRun,
    make,
    pack,
    read_chunk,
    run,
    samples_of,
)
from player.study.samples import PlayedGame, play
from player.work.spread import WorkerPool

RUN = SelfPlayRun((Board(4, 4), Board(3, 5)), 5, 30, 7)
LARGER = (Board(7, 7), Board(6, 8))  # games on these boards last several moves
SETTINGS = TreeSettings(simulations=30, look_at=None)
NET = random_net(1, 8, np.random.default_rng(0))


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(learning_games, "CHUNK", 2)


def end_of(board, game):
    """Return the position at the end of a game."""
    position = Position.of(board)
    for cell in (*game.opening, *game.moves):
        position = position.play(cell)
    return position


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 4), (4, 4), (5, 5)], ids=str)
def test_the_solver_confirms_the_winners_of_self_play(size):
    """The solver confirms the winner of an unfinished game, and with it the labels."""
    board, solver = Board(*size), Solver(Board(*size))
    for seed in range(12):
        game = play(board, SETTINGS, np.random.default_rng(seed))
        end = end_of(board, game)
        assert game.winner is (winner(end) or solver.solve(end).winner)


@pytest.mark.parametrize("size", [(3, 4), (5, 5), (6, 6)], ids=str)
def test_the_carrier_and_the_winners_stones_form_a_chain(size):
    """The winner's stones and the carrier form a chain without the other player's stones."""
    board, told = Board(*size), 0
    for seed in range(12):
        game = play(board, SETTINGS, np.random.default_rng(seed))
        if game.carrier is None:
            continue
        end, told = end_of(board, game), told + 1
        assert not end.stones(game.winner.opponent)[list(game.carrier)].any()
        stones = {color: [*end.stones(color).search(1)] for color in Color}
        stones[game.winner] += game.carrier
        black, white = ([board.name(cell) for cell in stones[color]] for color in Color)
        assert winner(Position.of(board, black=black, white=white)) is game.winner
    assert told > 6


def test_samples_match_a_replay():
    """A sample is the position before a move, in which the mover joins top and bottom."""
    signs: set[int] = set()
    for number, origin in enumerate(replace(RUN, boards=LARGER).origins()):
        chunk = make(origin)
        board, expected = origin.board, {}
        for count, game in enumerate(chunk.games):
            for color in Color:
                expected.setdefault(color, []).extend(replayed(board, game, color, count + 10))
        if board.rows == board.columns:
            parts = [expected[Color.BLACK] + expected[Color.WHITE]]
        else:
            parts = [expected[Color.BLACK], expected[Color.WHITE]]
        found = samples_of(chunk, first_game=10)
        assert [len(each) for each in found] == [len(part) for part in parts], number
        for samples, part in zip(found, parts, strict=True):
            for row, (own, other, policy, value, chance, owners, game) in enumerate(part):
                assert np.array_equal(samples.planes[row], [own, other])
                assert np.allclose(samples.policy[row], policy)
                assert samples.value[row] == value
                assert samples.chance[row] == pytest.approx(chance)
                assert np.array_equal(samples.owners[row], owners)
                assert samples.games[row] == game
                signs.update(np.unique(owners).tolist())
    assert signs == {-1, 0, 1}


def replayed(board, game, mover, number):
    """Yield a player's samples of a game, cell by cell."""
    position = Position.of(board)
    for cell in game.opening:
        position = position.play(cell)
    end = end_of(board, game)
    for cell, visits, chance in zip(game.moves, game.visits, game.chances, strict=True):
        if position.turn is mover:
            tried, total = dict(visits), sum(count for _, count in visits)
            own, other, policy = (table(board, mover) for _ in range(3))
            owners = table(board, mover)
            for each in board.cells:
                column, row = each % board.columns, each // board.columns
                at = (row, column) if mover is Color.BLACK else (column, row)
                own[at] = position.stones(mover)[each]
                other[at] = position.stones(mover.opponent)[each]
                policy[at] = tried.get(each, 0) / total
                if game.carrier is not None and (
                    each in game.carrier or end.stones(game.winner)[each]
                ):
                    owners[at] = 1 if game.winner is mover else -1
            yield own, other, policy, float(game.winner is mover), chance / 1000, owners, number
        position = position.play(cell)


def table(board, mover):
    """Return a zero for each cell, as the mover sees the board."""
    shape = (board.rows, board.columns) if mover is Color.BLACK else (board.columns, board.rows)
    return np.zeros(shape)


def files_in(path):
    """Return the contents of all chunks."""
    return {each.name: each.read_bytes() for each in sorted(path.glob("*.games.gz"))}


def test_a_stopped_run_resumes(tmp_path):
    """A run stopped after any chunk ends with the same files, and repeats no chunk."""
    run(RUN, ChunkFolder(tmp_path / "whole"))
    folder, heard = ChunkFolder(tmp_path / "stopped"), []

    def stop(games):
        heard.append(games)
        if len(heard) % 2 == 0:
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run(RUN, folder, on_progress=stop)

    assert heard == [0, 2, 2, 4, 4, 5]
    assert run(RUN, folder) == 5
    assert files_in(folder.path) == files_in(tmp_path / "whole")
    assert [chunk.origin.number for chunk in folder.chunks()] == [0, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", [{}, {"net": NET}, {"net": NET, "int8": True}], ids=("plain", "net", "int8")
)
def test_the_games_do_not_depend_on_the_number_of_processes(tmp_path, monkeypatch, asked):
    monkeypatch.setattr(learning_games, "CHUNK", 3)
    wanted = replace(RUN, **asked)
    run(wanted, ChunkFolder(tmp_path / "one"))
    run(wanted, ChunkFolder(tmp_path / "two"), workers=WorkerPool(2))

    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")


def test_more_games_extend_the_last_chunk(tmp_path):
    folder = ChunkFolder(tmp_path)
    run(replace(RUN, games=3), folder)

    assert run(RUN, folder) == 2  # the third game is played again, with a fourth
    assert sum(chunk.origin.games for chunk in folder.chunks()) == 5
    assert run(replace(RUN, games=3), folder) == 3


CHANGES = (
    {"seed": 8},
    {"simulations": 31},
    {"boards": (Board(5, 5),)},
    {"net": NET},
    {"int8": True},
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_chunks_of_another_run_are_left_alone(tmp_path, change):
    folder = ChunkFolder(tmp_path)
    run(RUN, folder)
    before = files_in(tmp_path)

    with pytest.raises(ChunkError, match="this run plays"):
        run(replace(RUN, **change), folder)

    assert files_in(tmp_path) == before


def test_games_have_the_key_of_their_net(tmp_path):
    """Games have the net's key, and the same command resumes them."""
    with_net, folder = replace(RUN, games=2, net=NET, int8=True), ChunkFolder(tmp_path)
    run(with_net, folder)

    assert [(each.origin.net, each.origin.int8) for each in folder.chunks()] == [(NET.key, True)]
    assert run(with_net, folder) == 2
    with pytest.raises(ChunkError, match=f"net {NET.key[:8]} in eight bits, seed 7; this run"):
        run(replace(with_net, int8=False), folder)


def test_a_folder_is_written_by_one_process_only(tmp_path):
    with (
        ChunkFolder(tmp_path).lock(),
        pytest.raises(ChunkFolderError, match="another process"),
        ChunkFolder(tmp_path).lock(),
    ):
        pass


def origin_of(board, games):
    return ChunkOrigin(board.columns, board.rows, 1, None, 0, 0, games)


WRONG = {
    "moves": ("moves", [0, 0], "not different cells"),
    "off the board": ("moves", [0, 99], "not different cells"),
    "visits": ("visits", [[[0, 1]]], "1, not 2"),
    "visited stone": ("visits", [[[8, 1]], [[1, 1]]], "not different empty cells"),
    "never visited": ("visits", [[[0, 0]], [[1, 1]]], "not tried"),
    "visits without the move": ("visits", [[[2, 1]], [[1, 1]]], "without the move"),
    "carrier": ("carrier", [99], "not different empty cells"),
    "carrier with a cell twice": ("carrier", [4, 4], "not different empty cells"),
    "carrier on a stone": ("carrier", [1], "not different empty cells"),
    "chances": ("chances", [500], "1, not 2"),
    "a chance of more than all": ("chances", [500, 1001], "<= 1000"),
    "winner": ("winner", "green", "Invalid enum|invalid enum"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_an_impossible_game_is_rejected(tmp_path, case):
    field, value, message = case
    game = PlayedGame((8,), (0, 1), (((0, 3),), ((1, 2), (2, 1))), Color.BLACK, (4,), (9, 990))
    path = tmp_path / "000000.games.gz"
    packed = json.loads(gzip.decompress(pack(Chunk(origin_of(Board(3, 3), 1), (game,)))))
    path.write_bytes(gzip.compress(json.dumps(packed).encode()))
    assert read_chunk(path).games == (game,)

    packed["games"][0][field] = value
    path.write_bytes(gzip.compress(json.dumps(packed).encode()))
    with pytest.raises(ChunkError, match=message) as error:
        read_chunk(path)

    assert str(path) in str(error.value)


CELLS = st.permutations(range(9)).flatmap(lambda cells: st.sampled_from([cells[:4], cells[:9]]))


@given(
    CELLS,
    st.integers(0, 3),
    st.sampled_from(Color),
    st.booleans(),
    st.integers(0, 1000),
)
def test_reading_undoes_writing(tmp_path_factory, cells, stones, color, is_single, chance):
    moves = tuple(cells[stones:])
    carrier = tuple(sorted(set(range(9)) - set(cells))) if is_single else None
    visits = tuple(((cell, 1 + ply),) for ply, cell in enumerate(moves))
    chances = (chance,) * len(moves)
    game = PlayedGame(tuple(cells[:stones]), moves, visits, color, carrier, chances)
    chunk = Chunk(origin_of(Board(3, 3), 1), (game,))
    path = tmp_path_factory.mktemp("chunk") / "000000.games.gz"
    path.write_bytes(pack(chunk))

    assert read_chunk(path) == chunk


def test_a_chunk_without_games_is_refused(tmp_path):
    """An empty chunk has nothing to learn from."""
    path = tmp_path / "000000.games.gz"
    path.write_bytes(pack(Chunk(origin_of(Board(3, 3), 0), ())))
    with pytest.raises(ChunkError, match="a chunk without games"):
        read_chunk(path)


def test_a_file_of_another_name_is_not_a_chunk(tmp_path):
    """Only names of six digits are chunks."""
    for name in ("0.games.gz", "2.games.gz", "000002.games.gz", "12.games.gz", "x.games.gz"):
        (tmp_path / name).touch()
    assert ChunkFolder(tmp_path).numbers == [2]


def test_a_chance_matches_a_new_search():
    """The chance matches a new search: the mean over its moves, weighted by visits."""
    board, settings = Board(9, 9), replace(SETTINGS, simulations=400)
    game = play(board, settings, np.random.default_rng(4))
    position = Position.of(board)
    for cell in game.opening:
        position = position.play(cell)
    assert len(game.chances) == len(game.moves) > 9
    for cell, chance in zip(game.moves, game.chances, strict=True):
        found = TreeSearch(position, settings).run(np.random.default_rng(1))
        tried = [each for each in found.candidates if each.winner is None and each.visits]
        weights = [each.visits for each in tried]
        expected = np.average([each.share for each in tried], weights=weights)
        assert chance / 1000 == pytest.approx(expected, abs=0.15)
        position = position.play(cell)
    assert max(game.chances) - min(game.chances) > 400


def test_the_command_plays_only_the_missing_games(tmp_path):
    def called(*more):
        return CliRunner().invoke(
            main, ["learn", "play", str(tmp_path), "--size", "3", "--simulations", "5", *more]
        )

    assert called("--games", "2").output.startswith(f"{tmp_path}: 2 games; playing took ")
    assert called("--games", "2").output.endswith("2 games, of which 2 were there.\n")
    counts = json.loads(called("--games", "3", "--json").output)
    assert (counts["games"], counts["played"], counts["chunks"]) == (3, 1, 2)
    refused = called("--games", "3", "--seed", "9")
    assert refused.exit_code == 3
    assert "this run plays" in refused.stderr
    assert called("--size", "0").exit_code == 2


@pytest.mark.parametrize("size", ["20", "1x20"])
def test_boards_whose_games_could_not_be_read_are_refused(tmp_path, size):
    """The files of games have sides of up to 19: the error comes before a game is played."""
    games = tmp_path / "games"
    done = CliRunner().invoke(main, ["learn", "play", str(games), "--size", size, "--games", "1"])
    name = size if "x" in size else f"{size}x{size}"
    assert (done.exit_code, done.stderr) == (3, f"side of {name} out of range: 20 (1 to 19)\n")
    assert not games.exists()


def test_eight_bits_require_a_net_and_the_extra(tmp_path, monkeypatch):
    """Each error is one line, before a game is played."""
    net, games = tmp_path / "net.npz", tmp_path / "games"
    write_net(net, NET)
    words = ["learn", "play", str(games), "--int8"]
    without_net = CliRunner().invoke(main, words)
    monkeypatch.setattr(learn, "is_installed", lambda: False)
    without_extra = CliRunner().invoke(main, [*words, "--net", str(net)])

    assert (without_net.exit_code, without_extra.exit_code) == (2, 1)
    assert "--int8 is of a net: it needs --net" in without_net.stderr
    assert without_extra.stderr == f"{NEEDED}\n"
    assert not games.exists()


@pytest.mark.parametrize("seed", [(1 << 62) - 1, 1 << 62, 1 << 64, 10**40])
def test_games_of_any_seed_are_read_again(tmp_path, seed):
    """Games with a seed of more than 62 bits could be neither resumed nor learned from."""
    folder, asked = ChunkFolder(tmp_path), replace(RUN, seed=seed)
    run(asked, folder)

    assert run(asked, folder) == RUN.games
    assert {chunk.origin.seed for chunk in folder.chunks()} == {seed}
