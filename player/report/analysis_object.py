"""An analysis as a JSON object."""

from typing import Any

from hsearch import __version__
from hsearch.board import Color
from player.hsearch_options import HSearchOptions
from player.report.analysis import Analyses
from player.report.objects import for_either, number, position_object, word


def analysis_object(analyses: Analyses) -> dict[str, Any]:
    """Return an analysis as a JSON object; with several players to move, an answer for each."""
    analysis = next(iter(analyses.values()))
    board, circuits = analysis.position.board, analysis.circuits
    by_turn = {
        turn: {
            "winner": word(each.winner),
            "proof": each.proof,
            "edge_to_edge": {color.word: each.edge_to_edge(color) for color in Color},
            "mustplay": board.names(each.mustplay.cells),
        }
        for turn, each in analyses.items()
    }
    return {
        "schema": "hsearch/analysis/1",
        "engine": {"name": "hsearch", "version": __version__},
        "position": position_object(analysis.position, turn_is_known=len(analyses) == 1),
        "limits": HSearchOptions.used_by(analysis).to_json(complete=analysis.complete),
        **for_either(by_turn),
        "counts": {
            color.word: {"full": store.counts.full, "semi": store.counts.semi}
            for color, store in analysis.stores.items()
        },
        "circuit": {
            "links": analysis.links,
            "black": number(circuits.black.resistance),
            "white": number(circuits.white.resistance),
            "evaluation": number(circuits.evaluation),
        },
        "moves": [
            {"cell": board.name(cell), "weak_link": number(flow)}
            for cell, flow in circuits.weak_links
        ],
        "seconds": {name: number(seconds) for name, seconds in analysis.seconds.items()},
    }
