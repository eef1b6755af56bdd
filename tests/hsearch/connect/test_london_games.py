"""The two games that won Hexy its gold medal: what H-search proves in them, and when."""

import pytest
from london import GAMES, game

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.strategy.check import check


@pytest.mark.parametrize("name", GAMES)
def test_the_final_position_is_proved_for_hexy(name):
    """A full joins Hexy's edges at the end, and its derivation checks."""
    analysis = ConnectionAnalysis(game(name).position())
    hexy = GAMES[name]

    assert analysis.winner is hexy
    assert analysis.proof == "full"
    assert check(analysis.position, hexy, analysis.edge_connection(hexy)) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "earliest"), [("london-2000-queenbee-hexy", 50), ("london-2000-hexy-queenbee", 37)]
)
def test_hexys_win_is_proved_from_the_documented_move_on(name, earliest):
    """The README has these numbers; no position is proved for the opponent."""
    record = game(name)
    winners = [ConnectionAnalysis(record.position(n)).winner for n in range(len(record.moves) + 1)]

    assert set(winners) == {None, GAMES[name]}
    assert winners[earliest - 1] is None
    assert winners[earliest:] == [GAMES[name]] * (len(record.moves) + 1 - earliest)
