"""Nets, training states, patterns, and lessons."""

from pathlib import Path

import numpy as np
from naive_patterns import some_weights
from stored_dark import repacked
from stored_format import StoredFormat

from hsearch.hex.board import Board
from player.evaluate.net import NetError, random_net, read_net, write_net
from player.evaluate.patterns import PatternError, read_patterns, write_patterns
from player.study.fitting import (
    Epoch,
    FitError,
    FitSettings,
    Score,
    TrainingState,
    read_state,
    shapes_of,
    write_state,
)
from player.study.lessons import LessonError, LessonOrigin, make, read_lessons, write_lessons

SETTINGS = FitSettings(blocks=1, channels=8)
ORIGIN = {"samples": "a digest", "start": None}


def _made_net(path: Path) -> None:
    write_net(path, random_net(2, 8, np.random.default_rng(0)))


def _made_state(path: Path) -> None:
    score = Score(10, 0.5, 0.75, 0.6, 2.5, 0.7, 0.6)
    arrays = {name: np.ones(shape, np.float32) for name, shape in shapes_of(SETTINGS).items()}
    epochs = (Epoch(1, 3.5, score), Epoch(2, 3.25, None))
    write_state(path, TrainingState(epochs, arrays, arrays, arrays), SETTINGS, ORIGIN)


def _made_patterns(path: Path) -> None:
    write_patterns(path, some_weights(0))


LESSONS = LessonOrigin(Board(3, 2), games=1, seed=3, number=0, int8=False)


def _made_lessons(path: Path) -> None:
    net = random_net(1, 8, np.random.default_rng(0))
    write_lessons(path, LESSONS, "a key", make(LESSONS, net))


NETS: tuple[StoredFormat, ...] = (
    StoredFormat("net", ("player/evaluate/net",), _made_net, read_net, (NetError,), repacked),
    StoredFormat(
        "state of a training",
        ("player/study/fitting",),
        _made_state,
        lambda path: read_state(path, SETTINGS, ORIGIN),
        (FitError,),
        repacked,
    ),
    StoredFormat(
        "patterns",
        ("player/evaluate/patterns",),
        _made_patterns,
        read_patterns,
        (PatternError,),
        repacked,
    ),
    StoredFormat(
        "lessons",
        ("player/study/lessons",),
        _made_lessons,
        lambda path: read_lessons(path, LESSONS, "a key"),
        (LessonError,),
        repacked,
    ),
)
