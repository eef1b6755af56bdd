"""E to the chance of the player to move, fitted to our own games, with its calibration."""

from player.chance.calibration import Bin, calibrate, log_loss
from player.chance.fit import TERMS, ChanceSample, fitted
from player.chance.model import Model, chance, shipped_model
from player.chance.words import both_chances, chance_of, per_cent

__all__ = [
    "TERMS",
    "Bin",
    "ChanceSample",
    "Model",
    "both_chances",
    "calibrate",
    "chance",
    "chance_of",
    "fitted",
    "log_loss",
    "per_cent",
    "shipped_model",
]
