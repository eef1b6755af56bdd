"""The chance to win a position: its source, and the same chance for rotations and mirrors."""

import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from strategies import positions

from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.evaluate import net
from player.evaluate.chance import bound, calibrate_share, load_model, per_cent
from player.evaluate.net import load_net
from player.search import chances
from player.search.chances import Chance, estimate, of_tree
from player.search.openings import load_chart, wants_swap
from player.search.tree import TreeSearch, TreeSettings, net_alone


def drawn(side, stones, seed):
    """Return a position with random stones, played in turn."""
    generator = np.random.default_rng(seed)
    board = Board(side, side)
    cells = generator.choice(board.size, stones, replace=False).tolist()
    position = Position.of(board)
    for cell in cells:
        position = position.play(cell)
    return position


@given(positions(max_side=6))
def test_rotation_keeps_the_chance_and_transposition_exchanges_it(position):
    """Rotation keeps the chance, transposition gives it to the other color; none is 0 or 1."""
    if winner(position) is not None:
        return
    found = estimate(position)

    assert 0 < found.black < 1
    assert found.is_estimate
    assert estimate(position.rotated()) == found
    assert estimate(position.transposed()).of(Color.WHITE) == pytest.approx(found.black)
    assert found.of(Color.BLACK) + found.of(Color.WHITE) == pytest.approx(1)


@pytest.mark.parametrize("side", [8, 11])
def test_after_one_stone_the_map_gives_the_chance(side):
    """The map gives the chance, so the advice to swap shows the same number."""
    known = load_chart(side)
    for cell in (0, side + 1, known.board.size // 2):
        black = Position.of(known.board).play(cell)
        found = estimate(black)

        assert found.by == "map"
        assert found.black == pytest.approx(known.black_chance(cell))
        assert estimate(black.transposed()).black == pytest.approx(1 - found.black)
        if not known.is_proved(cell):
            assert f" {per_cent(found.black)} % " in wants_swap(black)[1]
    assert estimate(Position.of(known.board)).by == "net"
    assert estimate(Position.of(Board(15, 15)).play(0)).by == "net"
    assert estimate(Position.of(Board(8, 9)).play(0)).by == "net"


def test_a_greater_lead_gives_a_better_chance():
    """The first player leads on an empty board, and leads by more with an advantage in stones."""
    board = Board(11, 11)
    start, ahead = Position.of(board), Position.of(board, black="f6 f8", white="a1")

    assert 0.6 < estimate(start).of(Color.BLACK) < estimate(ahead).of(Color.BLACK)


def test_chances_without_a_net_come_from_playouts(monkeypatch):
    """The chance comes from playouts, and its text says so."""
    position = drawn(7, 8, 1)
    by_net = estimate(position)
    monkeypatch.setattr(chances, "load_net", lambda: None)
    found = estimate(position)

    assert (by_net.by, found.by) == ("net", "playouts")
    assert str(by_net).endswith("% (by the net)")
    assert str(found).endswith("% (by playouts, as this copy has no net)")
    assert found == estimate(position)
    assert abs(found.black - by_net.black) < 0.35
    assert estimate(Position.of(Board(11, 11)).play(0)).by == "map"
    monkeypatch.setattr(net, "load_net", lambda: None)
    with pytest.raises(ValueError, match="no net"):
        chances.net_share(position)


def test_proved_and_recorded_results_are_not_estimates():
    """A proof or a record's result gives the loser no chance, and the text names it."""
    won = Chance.sure(Color.WHITE)

    assert (won.black, won.of(Color.WHITE), won.is_estimate) == (0, 1, False)
    assert str(won) == "Black 0 %, White 100 % (proved)"
    assert str(Chance.sure(Color.BLACK, "record")) == "Black 100 %, White 0 % (by the record)"
    for mover in (0.0, 1.0):  # a search that won every playout proves nothing
        found = Chance.estimate(mover, Position.of(Board(3, 3)), "playouts")
        assert 0 < found.black < 1


def test_a_tree_has_its_calibrated_chance():
    """The calibrated chance of a tree search names its source, tree or playouts."""
    position = drawn(9, 12, 3)
    by_net = TreeSearch(position, net_alone(load_net(), simulations=60))
    found = by_net.run(np.random.default_rng(0))
    playouts = TreeSearch(position, TreeSettings(simulations=60)).run(np.random.default_rng(0))

    assert (of_tree(found).by, of_tree(playouts).by) == ("tree", "playouts")
    assert of_tree(found).of(position.turn) == pytest.approx(found.best.chance)
    assert found.best.chance == bound(calibrate_share("tree", found.best.share, position))
    assert of_tree(found.with_winner(Color.BLACK, None)) == Chance.sure(Color.BLACK)
    assert of_tree(replace(found, candidates=())) is None


@pytest.mark.parametrize("source", ["net", "tree"])
def test_calibration_is_monotonic_and_keeps_0_and_1(source):
    """Calibration is monotonic, keeps 0 and 1, and applies the shipped model."""
    position = drawn(11, 20, 4)
    shares = [0.0, 0.1, 0.3, 0.5, 0.8, 1.0]
    found = [calibrate_share(source, share, position) for share in shares]

    assert found == sorted(found)
    assert (found[0], found[-1]) == (0, 1)
    odds = math.log(0.8 / 0.2)
    assert found[4] == pytest.approx(load_model(source).chance(odds, 20 / 121, 11))


def test_threads_do_not_mix_up_their_positions():
    """Threads that estimate boards of several sizes get the same chances as a single thread."""
    asked = [drawn(side, 6, seed) for seed in range(40) for side in (5, 6, 7, 8, 9)]
    alone = [estimate(position) for position in asked]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(estimate, asked))

    assert together == alone


@pytest.mark.parametrize("source", ["net", "tree"])
def test_calibrated_chances_agree_with_the_outcomes(source):
    """Predictions are within the observed interval, with few exceptions by side or phase."""
    thing = json.loads(find_shipped(f"chance-{source}.json").read_text())
    apart = thing["apart"]
    rows = [*apart["calibration"], *apart["side"], *apart["phase"]]
    off = [one for one in rows if not one["interval"][0] <= one["predicted"] <= one["interval"][1]]

    assert thing["fit"]["source"] == source
    assert {one["from"] for one in apart["side"]} == {7, 9, 11, 13}
    assert sum(one["positions"] for one in apart["side"]) > 500
    assert len(off) <= 3
    assert all(abs(one["predicted"] - one["observed"]) < 0.15 for one in rows if one["games"] >= 20)
    assert min(apart["bits"].values()) < 0.8
