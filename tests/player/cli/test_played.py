"""Games read from the rows of tournaments."""

import pytest
from places import ROOT
from played import PARTS, SAMPLED_GAMES, games, sample

from hsearch.hex.board import Color
from hsearch.hex.position import winner

RESULTS = ROOT / "positions" / "results"
FILES = [RESULTS / "levels" / "2-1-9x9.jsonl", RESULTS / "proofs" / "5-4-11x11.jsonl"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_won_by_its_winner_with_its_last_move(path):
    """Each game, with the stones of its opening, is won by its winner with its last move."""
    for played in games(path):
        *_, before = played.positions()
        over = played.game.position()

        assert winner(before) is None
        assert winner(over) is played.winner


def test_the_sample_takes_sixths_and_quarters_in_turn():
    """The sample has open positions after a sixth or a quarter of the cells, in turn."""
    found = list(sample(FILES))

    assert len(found) == 2 * SAMPLED_GAMES
    for number, game in enumerate(found):
        part = PARTS[number % SAMPLED_GAMES % 2]
        position = game.position()

        assert len(game.moves) == game.board.size // part
        assert winner(position) is None
        assert position.turn is Color(len(game.moves) % 2)
