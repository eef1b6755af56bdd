"""The London games at normal and deep effort: each proved loss has a proof that verifies.

`reviewed/london.json` has the losses and turning points of

    hsearch review positions/games/london-2000-queenbee-hexy.sgf --effort deep

and of the other game and effort. Beside it is a proof for each loss, as `hsearch solve
--proof` writes it, compressed by xz. A new review may prove more, but not contradict it.
"""

import json
import lzma
import os
from pathlib import Path

import pytest
import reviewed_games
from london import game

from player.solve.verify import verify
from player.study.examine import review_game
from player.study.review import EFFORTS, Verdict

FOLDER = Path(reviewed_games.__file__).parent / "reviewed"
KEPT = json.loads((FOLDER / "london.json").read_text())
REVIEWS = [(name, effort) for name, efforts in KEPT.items() for effort in efforts]
LOSSES = sorted({(name, move) for name, effort in REVIEWS for move in KEPT[name][effort]["losses"]})


@pytest.mark.slow
@pytest.mark.parametrize(("name", "move"), LOSSES)
def test_each_recorded_loss_has_a_valid_proof(name, move):
    """Each proof is of the position after the move, for the opponent, by the plain rules."""
    record = game(name)
    proved = verify(lzma.decompress((FOLDER / f"{name}-{move}.proof.xz").read_bytes()).decode())

    assert proved.position == record.position(move)
    assert proved.winner is record.moves[move - 1].color.opponent


@pytest.mark.skipif(
    os.environ.get("HYPOTHESIS_PROFILE") != "nightly", reason="takes minutes; run by `nightly`"
)
@pytest.mark.parametrize(("name", "effort"), REVIEWS)
def test_reviews_have_all_recorded_losses_and_no_unproved_one(name, effort):
    """A review has all recorded losses, and no loss without a recorded proof."""
    kept, reviewed = KEPT[name][effort], review_game(game(name), EFFORTS[effort])
    losses = [m.number for m in reviewed.moves if m.verdict is Verdict.PROVED_LOSS]

    assert reviewed.turning_point <= kept["turning_point"]
    assert {(name, move) for move in losses} <= set(LOSSES)
    assert set(kept["losses"]) <= {
        m.number for m in reviewed.moves if m.verdict in {Verdict.PROVED_LOSS, Verdict.LOST}
    }
