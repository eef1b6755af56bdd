"""The information states of Dark Hex counted by recursion, without a tree.

The recursion runs over the player's view and the set of pairs (opponent's stones, stones the
opponent found) that their history allows.
"""

from collections import defaultdict
from dataclasses import dataclass
from math import factorial
from typing import TypeAlias

from hsearch.hex.board import Color, cells_in
from player.dark.rules import Base, DarkPosition, DarkRules, Mask, Noise, Pair

PossiblePairs: TypeAlias = frozenset[Pair]


@dataclass(frozen=True, slots=True)
class Information:
    """What one player may know.

    information_states  histories at which they decide
    sequences           pairs of such a history and a cell, and the empty sequence
    final               different histories at the end of a game
    views               different views at which they decide
    """

    information_states: int
    sequences: int
    final: int
    views: int


def count_states(rules: DarkRules) -> int:
    """Count the different states of the referee before the end."""
    todo = [DarkPosition()]
    states = set(todo)
    while todo:
        state = todo.pop()
        for cell in rules.legal(state):
            after, _ = rules.attempt(state, cell)
            if after not in states and not rules.is_over(after):
                states.add(after)
                todo.append(after)
    return len(states)


def count_information(rules: DarkRules, color: Color) -> Information:
    """Count the information states of a player."""
    return _Counter(rules, color).result()


class _Counter:
    """The recursion of `count_information`; holds the views that it has visited."""

    def __init__(self, rules: DarkRules, color: Color) -> None:
        self._rules, self._color = rules, color
        self._views: set[Pair] = set()
        self._cache: dict[tuple[Mask, Mask, PossiblePairs], tuple[int, int, int]] = {}

    def result(self) -> Information:
        start: PossiblePairs = frozenset({(0, 0)})
        if self._color is Color.BLACK:
            total = self._decide(0, 0, start)
        else:
            total = self._listen(0, 0, start)
        states, sequences, final = total
        return Information(states, 1 + sequences, final, len(self._views))

    def _state(self, own: Mask, known: Mask, pair: Pair, turn: Color) -> DarkPosition:
        theirs, hits = pair
        if self._color is Color.BLACK:
            return DarkPosition((own, theirs), (known, hits), turn)
        return DarkPosition((theirs, own), (hits, known), turn)

    def _decide(self, own: Mask, known: Mask, belief: PossiblePairs) -> tuple[int, int, int]:
        """Return information states, sequences and final histories from here on."""
        key = own, known, belief
        if key in self._cache:
            return self._cache[key]
        self._views.add((own, known))
        rules = self._rules
        free = rules.full & ~own & ~known
        total = [1, free.bit_count(), 0]
        for cell in cells_in(free):
            bit = 1 << cell
            misses = frozenset(pair for pair in belief if not pair[0] & bit)
            hits = belief - misses
            if misses:
                _add(total, self._after_stone(own | bit, known, misses))
            if hits:
                again = rules.base is Base.CLASSIC
                follow = self._decide if again else self._listen
                _add(total, follow(own, known | bit, hits))
        self._cache[key] = result = (total[0], total[1], total[2])
        return result

    def _after_stone(self, own: Mask, known: Mask, belief: PossiblePairs) -> tuple[int, int, int]:
        """Continue after a stone that may end the game."""
        # The opponent's stones have not ended the game, or nobody would be to move.
        if not self._rules.until_full and not self._rules.connects(self._color, own):
            return self._listen(own, known, belief)
        ends = frozenset(
            pair
            for pair in belief
            if self._rules.is_over(self._state(own, known, pair, self._color.opponent))
        )
        # The same history may end the game or not: the player cannot know.
        return self._listen(own, known, belief - ends, ended=bool(ends))

    def _listen(
        self, own: Mask, known: Mask, belief: PossiblePairs, *, ended: bool = False
    ) -> tuple[int, int, int]:
        """Continue through the opponent's turn, once for each sequence of sounds.

        ended  whether the game may be over already
        """
        going: defaultdict[tuple[int, ...], set[Pair]] = defaultdict(set)
        last: set[tuple[int, ...]] = {()} if ended else set()
        opponent = self._color.opponent
        todo: list[tuple[Pair, tuple[int, ...]]] = [(pair, ()) for pair in belief]
        visited = set(todo)
        while todo:
            pair, sounds = todo.pop()
            state = self._state(own, known, pair, opponent)
            for cell in self._rules.legal(state):
                after, placed = self._rules.attempt(state, cell)
                now = after.stones[opponent], after.known[opponent]
                sound = sounds if placed else self._hear(sounds, cell)
                if placed and self._rules.is_over(after):
                    last.add(sound)
                elif after.turn is not opponent:
                    going[sound].add(now)
                elif (now, sound) not in visited:
                    visited.add((now, sound))
                    todo.append((now, sound))
        total = [0, 0, sum(map(self._orders, last))]
        for sound, pairs in going.items():
            more = self._decide(own, known, frozenset(pairs))
            for _ in range(self._orders(sound)):
                _add(total, more)
        return total[0], total[1], total[2]

    def _hear(self, heard: tuple[int, ...], cell: int) -> tuple[int, ...]:
        if self._rules.noise is Noise.SILENT:
            return heard
        return tuple(sorted((*heard, cell if self._rules.noise is Noise.FLASH else -1)))

    def _orders(self, heard: tuple[int, ...]) -> int:
        """Return the number of orders in which these sounds are different histories."""
        return factorial(len(heard)) if self._rules.noise is Noise.FLASH else 1


def _add(total: list[int], more: tuple[int, int, int]) -> None:
    for index, number in enumerate(more):
        total[index] += number
