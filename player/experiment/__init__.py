"""Experiments by number: who plays whom on which board, and what the source found."""

from player.experiment.ladder import LADDERS
from player.experiment.report import Report, remarks, report, table
from player.experiment.source import EXPERIMENTS, Experiment, Figures, event

__all__ = [
    "EXPERIMENTS",
    "LADDERS",
    "Experiment",
    "Figures",
    "Report",
    "event",
    "remarks",
    "report",
    "table",
]
