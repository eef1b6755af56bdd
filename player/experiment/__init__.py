"""Experiments by number: who plays whom on which board, and what the source found."""

from player.experiment.ladder import LADDERS
from player.experiment.report import ExperimentReport, remarks, report, table
from player.experiment.source import EXPERIMENTS, Experiment, Figures, event

__all__ = [
    "EXPERIMENTS",
    "LADDERS",
    "Experiment",
    "ExperimentReport",
    "Figures",
    "event",
    "remarks",
    "report",
    "table",
]
