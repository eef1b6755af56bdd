"""The run that `learning.cycle` starts: games in progress, the learning net, the folder."""

import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from hsearch.formats.files import hold
from player.evaluate.net import Net, write_net
from player.study import cycle, fitting, side_by_side, training
from player.study.learner import DeviceNet, Learner, Lesson, QuestionRoom

REPORT_SECONDS = 0.5  # seconds between reports of progress


class Cycle:
    """A run in a folder. Holds state: the generations so far, the net, the newest positions.

    state.npz               the learning net and the generations, to resume the run from
    net.npz                 the net
    0001-11.games.npz, ...  the games of a generation on one board size
    """

    def __init__(
        self,
        folder: Path,
        settings: cycle.CycleSettings,
        *,
        start: Net | None,
        device: str,
        threads: int,
        seconds: float | None,
    ) -> None:
        """Take the folder, the settings and the net to start from."""
        training.check_device(device)
        self._folder, self._settings, self._device = folder, settings, device
        self._threads, self._seconds, self._start_time = threads, seconds, time.monotonic()
        fit = settings.fit
        is_same = start is not None and (start.blocks, start.channels) == (fit.blocks, fit.channels)
        self._first = start
        self._start = None if is_same else start
        self._learner = Learner(settings, start if is_same else None, device)
        self._generations: list[cycle.Generation] = []
        self._window: deque[list[Lesson]] = deque(maxlen=settings.window)
        self._before = 0.0  # seconds of the generations that were there

    def run(self, on_progress: cycle.OnStep) -> list[cycle.Generation]:
        """Resume the run in the folder, or start one, and play and learn until it is over.

        Each generation is written. The errors are those of `cycle`.
        """
        with (
            hold(self._folder, doing="learns into", error=fitting.FitError),
            ThreadPoolExecutor(self._threads) as pool,
            training.within_memory("use fewer games or batches"),
        ):
            self._load()  # not earlier: another process may have continued the run meanwhile
            players = None
            while self._part() < 1:
                players = players or self._players(pool)
                self._run_generation(players, on_progress)
        return self._generations

    def _part(self) -> float:
        """Return the fraction of the run that is over, by generations or by time."""
        part = len(self._generations) / self._settings.generations
        if self._seconds is not None:
            seconds = self._before + time.monotonic() - self._start_time
            part = max(part, seconds / self._seconds)
        return part

    def _players(self, pool: Executor) -> "Players":
        seed = (self._settings.fit.seed, len(self._generations))
        return Players(self._settings, self._start, self._device, pool, self._threads, seed)

    def _run_generation(self, players: "Players", on_progress: cycle.OnStep) -> None:
        number, play_start = len(self._generations) + 1, time.monotonic()
        name = f"generation {number}: "
        start = None if self._is_learner_better() else players.start
        players.play_by(start or players.learning(self._learner.mean))
        games = players.play(
            self._settings.positions, lambda part: on_progress(f"{name}playing", part)
        )
        learn_start = time.monotonic()
        on_progress(f"{name}learning", 0.0)
        lessons = [Lesson.of(side_by_side.samples_of(each), self._device) for each in games]
        accuracy = self._learner.accuracy
        before = accuracy(lessons, self._learner.mean)
        of_start = None if start is None else accuracy(lessons, start.weights)
        self._window.append(lessons)
        positions = sum(each.plies.size for each in games)
        steps = round(self._settings.reuse * positions / self._settings.fit.batch)
        window = [lesson for each in self._window for lesson in each]
        loss = self._learner.learn(window, steps, self._part)
        self._generations.append(
            cycle.Generation(
                number=number,
                games=sum(each.length.size for each in games),
                positions=positions,
                playing=round(learn_start - play_start, 3),
                learning=round(time.monotonic() - learn_start, 3),
                by_learner=start is None,
                before=before,
                start=of_start,
                loss=loss,
            )
        )
        self._write(games)

    def _is_learner_better(self) -> bool:
        """Return whether it predicted the last games better than the net that played them."""
        if not self._generations:
            return False
        last = self._generations[-1]
        if last.start is None:
            return True
        return last.before.policy + last.before.value < last.start.policy + last.start.value

    def _write(self, games: Sequence[side_by_side.GameArrays]) -> None:
        """Write a generation; the state comes last, so the files it refers to exist."""
        number = len(self._generations)
        record = cycle.record_of(self._settings, self._first, self._generations)
        for path in self._files(number):  # of a run that was killed before its state was written
            path.unlink()
        for each in games:
            path = self._folder / f"{number:04}-{each.side}{side_by_side.SUFFIX}"
            side_by_side.write_games(path, each, {"generation": number})
        write_net(self._folder / training.NET, self._learner.net(record))
        cycle.write_state(self._folder / training.STATE, record, self._learner.arrays())

    def _load(self) -> None:
        state = cycle.read_state(self._folder / training.STATE, self._settings, self._first)
        if state is None:
            return
        self._generations = list(state.generations)
        self._before = sum(each.playing + each.learning for each in self._generations)
        self._learner.resume(state.arrays)
        last = len(self._generations)
        for number in range(max(1, last - self._settings.window + 1), last + 1):
            games = map(side_by_side.read_games, self._files(number))
            self._window.append(
                [Lesson.of(side_by_side.samples_of(each), self._device) for each in games]
            )

    def _files(self, number: int) -> list[Path]:
        """Return the files with the games of a generation, in the order of their names."""
        return sorted(self._folder.glob(f"{number:04}-*{side_by_side.SUFFIX}"))


class Players:
    """The games in progress, and the nets that play them. Holds state.

    start  the net to start from, if it plays until the learning one is better
    """

    def __init__(
        self,
        settings: cycle.CycleSettings,
        start: Net | None,
        device: str,
        pool: Executor,
        threads: int,
        seed: Sequence[int],
    ) -> None:
        """Start the games."""
        self._pool, self._threads = pool, threads
        self._tables = [
            side_by_side.SeatTable(side, count, settings.play, seed)
            for side, count in settings.seats.items()
        ]
        self._learning = DeviceNet(fitting.shapes_of(settings.fit), device)
        self.start: DeviceNet | None = None
        if start is not None:
            fit = replace(settings.fit, blocks=start.blocks, channels=start.channels)
            self.start = DeviceNet(fitting.shapes_of(fit), device)
            self.start.load(training.first_weights(start.blocks, start.channels, 0, start))
        self._net: DeviceNet | None = None
        self._rooms: list[QuestionRoom] = []

    def learning(self, weights: training.Tensors) -> DeviceNet:
        """Return the learning net with these weights."""
        self._learning.load(weights)
        return self._learning

    def play_by(self, net: DeviceNet) -> None:
        """Play with a net from now on."""
        if net is self._net:
            return
        before, self._net = self._rooms, net
        self._rooms = [QuestionRoom(net, table.side, table.count) for table in self._tables]
        for old, new in zip(before, self._rooms, strict=False):  # open questions stay answered
            new.take_over(old)

    def play(
        self, positions: int, on_progress: Callable[[float], None]
    ) -> list[side_by_side.GameArrays]:
        """Play until the ended games have that many searched positions; return them, by size."""
        by_side: dict[int, list[side_by_side.GameArrays]] = defaultdict(list)
        count, due = 0, time.monotonic()
        while count < positions:
            for table, room in zip(self._tables, self._rooms, strict=True):
                room.wait()
                games = table.advance(
                    room.logits, room.values, room.questions, self._pool, self._threads
                )
                room.ask()
                if games is not None:
                    by_side[table.side].append(games)
                    count += games.plies.size
            if time.monotonic() >= due:
                due = time.monotonic() + REPORT_SECONDS
                on_progress(min(1.0, count / positions))
        for room in self._rooms:
            room.wait()
        return [side_by_side.concatenate(each) for _, each in sorted(by_side.items())]
