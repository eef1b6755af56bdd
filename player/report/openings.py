"""A map of openings as a JSON object."""

import math
from typing import Any

from player.openings import Chart, black_chance


def chart_object(made: Chart) -> dict[str, Any]:
    """Return who wins after each first move of Black, and how sure that is."""
    board = made.board
    return {
        "schema": "hsearch/opening-map/1",
        "size": board.columns,
        "estimated_by": str(made.effort).strip() or "a look at the replies",
        "even": made.even,
        "most_even": board.name(made.most_even),
        "openings": [
            {
                "cell": board.name(cell),
                "wins": made.wins(cell),
                "proved": made.is_proved(cell),
                "evaluation": value if math.isfinite(value) else None,
                "black_chance": float(made.wins(cell))
                if made.is_proved(cell)
                else black_chance(value, made.even),
            }
            for cell, value in enumerate(made.estimates)
        ],
    }
