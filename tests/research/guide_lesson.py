"""Train small nets on the outputs of the shipped net, in torch: see `guide_net.py`.

Everything is on the device. For each board size a batch of positions continues from step to step:
the teacher evaluates them, the students learn its outputs, and each position is then advanced by a
move, from that policy or random, or replaced by a collected position. So all students learn from
each evaluation by the teacher, which is most of the work, and positions hardly ever repeat.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn

from player.evaluate.net import Net, write_net
from player.study.fitting import FitSettings
from player.study.training import (
    FULL,
    answers,
    check_device,
    fading,
    first_weights,
    is_accelerator,
    to_net,
)
from player.work.clock import now

UNKNOWN = -1

# How a batch continues.

FRESH = 0.4  # how often a collected position replaces one
DECIDED = 0.005  # chance below which a decided position is replaced, too
HEAT = 0.6  # exponent of the policy when a move is drawn
LIKED, ANY = 0.5, 0.75  # draws below LIKED: the moves left, by policy; below ANY: all

# The weights of the loss.

TRUTH, FIRST = 0.7, 0.4  # of the winner and the winning move, if known
ALL, LEFT, CHANCE = 0.3, 0.7, 0.5  # of both policies and the chance
AVERAGE = 0.999  # decay of the running mean of the weights, which becomes the net
WARM_UP, LONGEST = 300, 2.0  # steps of rising learning rate, and the largest norm of a gradient

TOLD, WRITTEN = 20.0, 60.0  # seconds between reports, and between files
MOST_APART = 4000  # positions per size in an evaluation


class Places(NamedTuple):
    """Positions of one board size as their movers see them, n x side x side.

    own    the mover's stones
    other  the opponent's stones
    left   the moves that are left
    won    whether the mover wins: 1, 0, or `UNKNOWN`
    first  the winning move, or `UNKNOWN`
    """

    own: Any
    other: Any
    left: Any
    won: Any
    first: Any

    @classmethod
    def of(cls, rows: Any, device: str) -> "Places":
        """Return the positions in a row of arrays (`guide_net.as_mover`)."""
        stones, left, won, first = (
            torch.from_numpy(np.ascontiguousarray(each)).to(device)
            for each in (rows.stones, rows.open, rows.is_won, rows.first)
        )
        return cls(stones == 1, stones == 2, left.bool(), won.long(), first.long())

    @property
    def empty(self) -> Any:
        """The cells without a stone."""
        return ~(self.own | self.other)

    def rimmed(self) -> Any:
        """Return the planes with a rim, as `player.evaluate.net.add_rim` does."""
        planes = nn.pad(torch.stack([self.own, self.other], 1).float(), (1, 1, 1, 1))
        planes[:, 0, 0], planes[:, 0, -1] = 1, 1
        planes[:, 1, :, 0], planes[:, 1, :, -1] = 1, 1
        return planes

    def taken(self, rows: Any) -> "Places":
        """Return some of the positions."""
        return Places(*(each[rows] for each in self))

    def mixed(self, others: "Places", which: Any) -> "Places":
        """Return the positions of `others` where `which` is true, else these."""
        return Places(
            *(
                torch.where(which[:, None, None] if own.ndim == 3 else which, other, own)
                for own, other in zip(self, others, strict=True)
            )
        )

    def half_turned(self) -> "Places":
        """Return the positions turned by half a turn."""
        planes = (each.flip(1, 2) for each in self[:3])
        last = self.own[0].numel() - 1
        return Places(*planes, self.won, torch.where(self.first < 0, UNKNOWN, last - self.first))

    def after(self, moves: Any) -> "Places":
        """Return the positions after a move in each.

        The moves left stay, without the one made; if fewer than two remain, all empty cells are
        left. The winner is known after any move of the loser, and after the winning move.
        """
        is_made = torch.zeros_like(self.own.flatten(1)).scatter_(1, moves[:, None], value=True)
        is_made = is_made.view_as(self.own)
        left = self.left & ~is_made
        has_few = left.sum((1, 2), keepdim=True) < 2
        left = torch.where(has_few, self.empty & ~is_made, left)
        won = torch.full_like(self.won, UNKNOWN)
        won = won.masked_fill((self.won == 1) & (self.first == moves), 0)
        won = won.masked_fill(self.won == 0, 1)
        first = torch.full_like(self.first, UNKNOWN)
        return Places(self.other.mT, (self.own | is_made).mT, left.mT, won, first)


class Answer(NamedTuple):
    """A net's output: logarithms of move probabilities, n x cells, and the logit of its chance."""

    moves: Any
    chance: Any


class Wanted(NamedTuple):
    """A student's targets: move probabilities on all cells and on those left, and the chance."""

    policy: Any
    among: Any
    chance: Any


class Score(NamedTuple):
    """How well a student predicts positions.

    positions  how many there are
    same       how often its best move left is the target's
    off        divergence of its policy on the moves left from the target: a sum, in nats
    known      how often the winner is known,
    right      and predicted
    led        how often the winning move is known,
    hit        and its best move
    """

    positions: int
    same: float
    off: float
    known: float
    right: float
    led: float
    hit: float


def said(weights: Mapping[str, Any], some: Places, kind: Any) -> Answer:
    """Return the output of weights for positions, computed with numbers of this kind."""
    policy, chance, _ = answers(dict(weights), some.rimmed().to(kind))
    logits = policy.masked_fill(~some.empty, FULL).flatten(1)
    return Answer(torch.log_softmax(logits, 1), chance)


def wanted(some: Places, answer: Answer) -> Wanted:
    """Return the teacher's output, mixed with the known results where there are any."""
    policy, chance = answer.moves.exp(), torch.sigmoid(answer.chance)
    is_known = (some.first != UNKNOWN)[:, None]
    first = torch.zeros_like(policy).scatter_(1, some.first.clamp(min=0)[:, None], 1.0)
    policy = torch.where(is_known, (1 - FIRST) * policy + FIRST * first, policy)
    among = policy * some.left.flatten(1)
    truth = (1 - TRUTH) * chance + TRUTH * some.won
    return Wanted(
        policy,
        among / (among.sum(1, keepdim=True) + 1e-9),
        torch.where(some.won == UNKNOWN, chance, truth),
    )


def drawn(some: Places, answer: Answer) -> Any:
    """Return a move drawn for each position."""
    how = torch.rand((len(some.own), 1), device=answer.moves.device)
    likes = torch.where(how < ANY, HEAT * answer.moves, 0.0)
    is_any = (how > LIKED) & (how < ANY)
    allowed = torch.where(is_any, some.empty.flatten(1), some.left.flatten(1))
    noise = -torch.empty_like(likes).exponential_().log_()  # the largest sum is a draw (Gumbel)
    return (likes + noise).masked_fill(~allowed, FULL).argmax(1)


class Walk:
    """A batch of positions of one board size that continues. Holds state."""

    def __init__(self, collected: Places, size: int) -> None:
        """Start with collected positions."""
        self._collected, self._size = collected, size
        self.now = self._drawn()

    def _drawn(self) -> Places:
        device = self._collected.own.device
        rows = torch.randint(len(self._collected.own), (self._size,), device=device)
        some = self._collected.taken(rows)
        return some.mixed(some.half_turned(), torch.rand(self._size, device=device) < 0.5)

    def go_on(self, answer: Answer) -> None:
        """Make a move in each position, or replace the position."""
        chance = torch.sigmoid(answer.chance)
        is_over = torch.minimum(chance, 1 - chance) < DECIDED
        is_fresh = is_over | (torch.rand_like(chance) < FRESH)
        self.now = self.now.after(drawn(self.now, answer)).mixed(self._drawn(), is_fresh)


class Student:
    """A small net in training. Holds state."""

    def __init__(self, settings: FitSettings, start: Net | None, path: Path, device: str) -> None:
        """Start with the weights of a net, else with random weights."""
        check_device(device)
        self.settings, self.path, self._start = settings, path, start
        begun = first_weights(settings.blocks, settings.channels, settings.seed, start)
        self._weights = {
            name: torch.tensor(value, device=device, requires_grad=True)
            for name, value in begun.items()
        }
        self._means = {name: each.detach().clone() for name, each in self._weights.items()}
        groups, is_fused = fading(self._weights, settings), is_accelerator(device)
        self._optimizer = torch.optim.AdamW(
            groups, lr=settings.rate, betas=(0.9, 0.98), fused=is_fused
        )
        self._device, self._steps = torch.device(device).type, 0
        self._lost = torch.zeros((), device=device)
        self._since = 0

    @property
    def name(self) -> str:
        """The student's shape."""
        return f"{self.settings.blocks}x{self.settings.channels}"

    def learn(self, some: Places, aims: Wanted, part: float) -> None:
        """Take a training step; `part` is the finished share of the lesson."""
        rate = self.settings.rate * min(1, (self._steps + 1) / WARM_UP)
        for group in self._optimizer.param_groups:
            group["lr"] = rate * 0.5 * (1 + math.cos(math.pi * part))
        lost = self._loss(some, aims)
        self._optimizer.zero_grad()
        lost.backward()
        weights, means = list(self._weights.values()), list(self._means.values())
        torch.nn.utils.clip_grad_norm_(weights, LONGEST)
        self._optimizer.step()
        self._steps, self._since = self._steps + 1, self._since + 1
        kept = min(AVERAGE, self._steps / (self._steps + 100))
        with torch.no_grad():
            torch._foreach_lerp_(means, weights, 1 - kept)
        self._lost += lost.detach()

    def _loss(self, some: Places, aims: Wanted) -> Any:
        answer = self._said(self._weights, some)
        among = answer.moves.masked_fill(~some.left.flatten(1), FULL)
        on_all = -(aims.policy * answer.moves).sum(1).mean()
        on_left = -(aims.among * torch.log_softmax(among, 1)).sum(1).mean()
        chance = nn.binary_cross_entropy_with_logits(answer.chance, aims.chance)
        return ALL * on_all + LEFT * on_left + CHANCE * chance

    def _said(self, weights: Mapping[str, Any], some: Places) -> Answer:
        with torch.autocast(self._device, torch.bfloat16):
            return said(weights, some, torch.float32)

    def lost(self) -> float:
        """Return the mean loss since the last call."""
        lost = float(self._lost) / max(1, self._since)
        self._lost.zero_()
        self._since = 0
        return lost

    @torch.no_grad()
    def score(self, some: Places, aims: Wanted) -> Score:
        """Return how well the student predicts positions."""
        answer, left = self._said(self._means, some), some.left.flatten(1)
        among = torch.log_softmax(answer.moves.masked_fill(~left, FULL), 1)
        off = (aims.among * ((aims.among + 1e-9).log() - among)).sum(1)
        liked, is_known, is_led = among.argmax(1), some.won != UNKNOWN, some.first != UNKNOWN
        is_right = ((answer.chance > 0) == (some.won == 1)) & is_known
        sums = (liked == aims.among.argmax(1), off, is_known, is_right)
        sums = (*sums, is_led, (liked == some.first) & is_led)
        return Score(len(left), *(float(each.sum()) for each in sums))

    def write(self, teacher: Net, seconds: float) -> None:
        """Write the net in its current state."""
        settings, start = self.settings, self._start
        step = {
            "positions": self._steps * settings.batch,
            "batch": settings.batch,
            "rate": settings.rate,
            "minutes": round(seconds / 60, 1),
        }
        steps = [*(() if start is None else start.record.get("steps", ())), step]
        record = {"made by": "tests/research/guide_net.py", "teacher": teacher.key, "steps": steps}
        net = to_net(self._means, settings.blocks, settings.channels, record)
        write_net(self.path, net)


class Lesson:
    """Students who learn from one teacher. Holds state."""

    def __init__(
        self,
        rows: Mapping[int, tuple[Any, Any]],
        weights: Mapping[int, int],
        teacher: Net,
        students: Sequence[Student],
        device: str,
    ) -> None:
        """Start.

        rows     by side: positions to learn from, and validation positions
        weights  how often each side is drawn
        """
        torch.manual_seed(students[0].settings.seed)
        self._draw = np.random.default_rng(students[0].settings.seed)
        self._net, self._students = teacher, students
        self._kind = torch.float16 if is_accelerator(device) else torch.float32
        begun = first_weights(teacher.blocks, teacher.channels, 0, teacher)
        self._teacher = {
            name: torch.tensor(each, device=device, dtype=self._kind)
            for name, each in begun.items()
        }
        batch = students[0].settings.batch
        self._walks = {
            side: Walk(Places.of(some, device), batch) for side, (some, _) in rows.items()
        }
        self._sides = list(rows)
        shares = np.array([weights[side] for side in rows])
        self._shares = shares / shares.sum()
        self._apart = {}
        for side, (_, some) in rows.items():
            places = Places.of(some, device)
            places = places.taken(slice(0, None, -(-len(places.own) // MOST_APART)))
            self._apart[side] = places, wanted(places, self._ask(places))

    @torch.no_grad()
    def _ask(self, some: Places) -> Answer:
        return said(self._teacher, some, self._kind)

    def learn(self, seconds: float) -> None:
        """Teach for `seconds`, with regular reports and files."""
        begun = now()
        told = written = steps = 0
        batch = self._students[0].settings.batch
        self._tell()
        torch.backends.cudnn.benchmark_limit = 5
        while (gone := now() - begun) < seconds:
            walk = self._walks[int(self._draw.choice(self._sides, p=self._shares))]
            some, answer = walk.now, self._ask(walk.now)
            with torch.no_grad():
                aims = wanted(some, answer)
                walk.go_on(answer)
            for student in self._students:
                student.learn(some, aims, gone / seconds)
            steps += 1
            if gone >= told + TOLD:
                told = gone
                sys.stderr.write(f"{gone:.0f} s, {steps} steps, {steps * batch:,} positions\n")
                self._tell()
            if gone >= written + WRITTEN:
                written = gone
                self._write(gone)
        sys.stderr.write(f"{seconds:.0f} s, {steps} steps, {steps * batch:,} positions\n")
        self._tell()
        self._write(seconds)

    def _tell(self) -> None:
        torch.backends.cudnn.benchmark = False  # it pays only for frequent shapes
        for student in self._students:
            scores = {side: student.score(*some) for side, some in self._apart.items()}
            each = (
                f"{side}: {score.same / score.positions:.1%} {score.off / score.positions:.3f}"
                for side, score in scores.items()
            )
            whole = Score(*map(sum, zip(*scores.values(), strict=True)))
            right, hit = whole.right / max(1, whole.known), whole.hit / max(1, whole.led)
            told = f"{', '.join(each)}; who won {right:.1%}, by which move {hit:.1%}"
            sys.stderr.write(f"  {student.name} lost {student.lost():.3f}, {told}\n")
        torch.backends.cudnn.benchmark = True

    def _write(self, seconds: float) -> None:
        for student in self._students:
            student.write(self._net, seconds)
