"""E to the chance of the player to move, fitted to our own games, with its calibration."""

from player.chance.calibration import Bin, calibrate, log_loss
from player.chance.fit import TERMS, Sample, fitted
from player.chance.model import Model, chance, shipped_model

__all__ = [
    "TERMS",
    "Bin",
    "Model",
    "Sample",
    "calibrate",
    "chance",
    "fitted",
    "log_loss",
    "shipped_model",
]
