"""Rows on nets: evaluations of a position by the kernel, with weights at random."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from hsearch.board import Board, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.bench.measure import BenchRow, Tally
from player.net import Evaluator
from player.net.int8 import Int8Evaluator, is_installed
from player.net.weights import random_net

TIMES = 100

AnyEvaluator = Evaluator | Int8Evaluator


def net_rows() -> Iterator[BenchRow]:
    """Yield a row for each shape of net, and where the extra `fast` is, one in eight bits."""
    for blocks, channels in ((4, 32), (6, 64)):
        name = f"net/11x11/{blocks}x{channels}"
        yield BenchRow(name, partial(_nets, Evaluator, blocks, channels), _ask, done=TIMES)
        if is_installed():
            nets = partial(_nets, Int8Evaluator, blocks, channels)
            yield BenchRow(f"{name}/int8", nets, _ask, done=TIMES)


def _nets(kind: type[AnyEvaluator], blocks: int, channels: int) -> list[AnyEvaluator]:
    return [kind(random_net(blocks, channels, np.random.default_rng(0)), Board(11, 11))]


def _ask(evaluator: AnyEvaluator) -> Tally:
    """Ask many times; count what the last bits of a sum cannot change."""
    position = Position.of(evaluator.board, black="a10 f6", white="d8", turn=Color.WHITE)
    stones = Frame.of(position, Color.BLACK).stones.copy()
    for _ in range(TIMES):
        policy, value = evaluator.advise(stones, position.turn)
    return {"best": int(policy.argmax()), "percent": round(100 * value)}
