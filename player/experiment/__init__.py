"""Experiments by number: who plays whom on which board, and what the source found."""

from player.experiment.ladder import LADDERS
from player.experiment.report import ExperimentReport, remarks, report, table
from player.experiment.source import EXPERIMENTS, Experiment, Figures, event
from player.experiment.study import STUDIES

__all__ = [
    "EXPERIMENTS",
    "LADDERS",
    "STUDIES",
    "Experiment",
    "ExperimentReport",
    "Figures",
    "event",
    "remarks",
    "report",
    "table",
]
