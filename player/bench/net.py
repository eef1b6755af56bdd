"""Rows on nets: evaluations of a position by the kernel, with weights at random."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from hsearch.board import Board, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.bench.measure import BenchRow, Tally
from player.net import Evaluator
from player.net.weights import random_net

TIMES = 100


def net_rows() -> Iterator[BenchRow]:
    """Yield a row for each shape of net that is served."""
    for blocks, channels in ((4, 32), (6, 64)):
        name = f"net/11x11/{blocks}x{channels}"
        yield BenchRow(name, partial(_nets, blocks, channels), _ask, done=TIMES)


def _nets(blocks: int, channels: int) -> list[Evaluator]:
    return [Evaluator(random_net(blocks, channels, np.random.default_rng(0)), Board(11, 11))]


def _ask(evaluator: Evaluator) -> Tally:
    """Ask many times; count what the last bits of a sum cannot change."""
    position = Position.of(evaluator.board, black="a10 f6", white="d8", turn=Color.WHITE)
    stones = Frame.of(position, Color.BLACK).stones.copy()
    for _ in range(TIMES):
        policy, value = evaluator.advise(stones, position.turn)
    return {"best": int(policy.argmax()), "percent": round(100 * value)}
