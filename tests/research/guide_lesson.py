"""How small nets learn from the shipped one, in torch: see `guide_net.py`.

All of it is on the device. For each board size a batch of positions goes on from step to step:
the teacher says what it thinks of them, the students learn that, and of each either a move is
made, by that policy or at random, or one of the positions collected takes its place. So each
answer of the teacher, which is most of the work, is learned from by all students, and hardly a
position is seen twice.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn

from player.net.net import Net, write_net
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

# How a batch goes on.

FRESH = 0.4  # how often a position gives way to one that was collected; so does
DECIDED = 0.005  # one where a player has no more chance than this
HEAT = 0.6  # power of the policy by which a move is drawn
LIKED, ANY = 0.5, 0.75  # up to here of the moves left by the policy, then all by it, then any left

# What counts.

TRUTH, FIRST = 0.7, 0.4  # who won beside the net's chance, and the move that won, where known
ALL, LEFT, CHANCE = 0.3, 0.7, 0.5  # the policy on all cells, that on those left, and the chance
AVERAGE = 0.999  # what each step leaves of the mean of the weights, which becomes the net
WARM_UP, LONGEST = 300, 2.0  # steps of a growing rate, and the norm of a gradient

TOLD, WRITTEN = 20.0, 60.0  # seconds between reports, and between files
MOST_APART = 4000  # positions of a size that are asked about each time


class Places(NamedTuple):
    """Positions of one board size as their movers see them, n x side x side.

    own    stones of the mover
    other  those of the other
    left   the moves that are left
    won    whether the mover wins: 1, 0, or `UNKNOWN`
    first  the move that wins, or `UNKNOWN`
    """

    own: Any
    other: Any
    left: Any
    won: Any
    first: Any

    @classmethod
    def of(cls, rows: Any, device: str) -> "Places":
        """Return what a row of arrays says (`guide_net.as_mover`)."""
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
        """Return the planes with the rim around, as `player.net.net.rimmed` does."""
        planes = nn.pad(torch.stack([self.own, self.other], 1).float(), (1, 1, 1, 1))
        planes[:, 0, 0], planes[:, 0, -1] = 1, 1
        planes[:, 1, :, 0], planes[:, 1, :, -1] = 1, 1
        return planes

    def taken(self, rows: Any) -> "Places":
        """Return some of them."""
        return Places(*(each[rows] for each in self))

    def mixed(self, others: "Places", which: Any) -> "Places":
        """Return others where `which` says so."""
        return Places(
            *(
                torch.where(which[:, None, None] if own.ndim == 3 else which, other, own)
                for own, other in zip(self, others, strict=True)
            )
        )

    def half_turned(self) -> "Places":
        """Return them turned by half a turn."""
        planes = (each.flip(1, 2) for each in self[:3])
        last = self.own[0].numel() - 1
        return Places(*planes, self.won, torch.where(self.first < 0, UNKNOWN, last - self.first))

    def after(self, moves: Any) -> "Places":
        """Return the positions after a move in each.

        The moves that are left stay so, but for one and no more: then all are. Who won is known
        after any move of who loses, and after the move that wins.
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
    """What a net says: logarithms of the chances of moves, n x cells, and its own as a logit."""

    moves: Any
    chance: Any


class Wanted(NamedTuple):
    """What a student should say: chances of moves on all cells, on those left, and to win."""

    policy: Any
    among: Any
    chance: Any


class Score(NamedTuple):
    """How well a student knows positions.

    positions  how many there are
    same       where it likes the same best of the moves left
    off        how far its policy on those is from that which is wanted: the sum, in nats
    known      where who won is known,
    right      and it says so
    led        where the move that won is known,
    hit        and it likes that best
    """

    positions: int
    same: float
    off: float
    known: float
    right: float
    led: float
    hit: float


def said(weights: Mapping[str, Any], some: Places, kind: Any) -> Answer:
    """Return what weights say of positions, given as numbers of this kind."""
    policy, chance, _ = answers(dict(weights), some.rimmed().to(kind))
    logits = policy.masked_fill(~some.empty, FULL).flatten(1)
    return Answer(torch.log_softmax(logits, 1), chance)


def wanted(some: Places, answer: Answer) -> Wanted:
    """Return the teacher's answer, and what is known for a part of it."""
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
    """Return a move for each position."""
    how = torch.rand((len(some.own), 1), device=answer.moves.device)
    likes = torch.where(how < ANY, HEAT * answer.moves, 0.0)
    is_any = (how > LIKED) & (how < ANY)
    allowed = torch.where(is_any, some.empty.flatten(1), some.left.flatten(1))
    noise = -torch.empty_like(likes).exponential_().log_()  # the largest sum is a draw (Gumbel)
    return (likes + noise).masked_fill(~allowed, FULL).argmax(1)


class Walk:
    """A batch of positions of one board size that goes on. Holds state."""

    def __init__(self, collected: Places, size: int) -> None:
        """Begin with positions that were collected."""
        self._collected, self._size = collected, size
        self.now = self._drawn()

    def _drawn(self) -> Places:
        device = self._collected.own.device
        rows = torch.randint(len(self._collected.own), (self._size,), device=device)
        some = self._collected.taken(rows)
        return some.mixed(some.half_turned(), torch.rand(self._size, device=device) < 0.5)

    def go_on(self, answer: Answer) -> None:
        """Make a move in each position, or put another in its place."""
        chance = torch.sigmoid(answer.chance)
        is_over = torch.minimum(chance, 1 - chance) < DECIDED
        is_fresh = is_over | (torch.rand_like(chance) < FRESH)
        self.now = self.now.after(drawn(self.now, answer)).mixed(self._drawn(), is_fresh)


class Student:
    """A small net as it learns. Holds state."""

    def __init__(self, settings: FitSettings, start: Net | None, path: Path, device: str) -> None:
        """Begin with the weights of a net, else with weights at random."""
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
        """Its shape."""
        return f"{self.settings.blocks}x{self.settings.channels}"

    def learn(self, some: Places, aims: Wanted, part: float) -> None:
        """Take a step, after this part of the lesson."""
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
        """Return the mean loss since it was asked last."""
        lost = float(self._lost) / max(1, self._since)
        self._lost.zero_()
        self._since = 0
        return lost

    @torch.no_grad()
    def score(self, some: Places, aims: Wanted) -> Score:
        """Return how well it knows positions."""
        answer, left = self._said(self._means, some), some.left.flatten(1)
        among = torch.log_softmax(answer.moves.masked_fill(~left, FULL), 1)
        off = (aims.among * ((aims.among + 1e-9).log() - among)).sum(1)
        liked, is_known, is_led = among.argmax(1), some.won != UNKNOWN, some.first != UNKNOWN
        is_right = ((answer.chance > 0) == (some.won == 1)) & is_known
        sums = (liked == aims.among.argmax(1), off, is_known, is_right)
        sums = (*sums, is_led, (liked == some.first) & is_led)
        return Score(len(left), *(float(each.sum()) for each in sums))

    def write(self, teacher: Net, seconds: float) -> None:
        """Write the net as it is now."""
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
        """Begin.

        rows     by side: what is learned from, and what is kept apart
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
        """Teach for so long, and tell and write from time to time."""
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
        torch.backends.cudnn.benchmark = False  # which pays for what comes often
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
