"""Numbers of games, nodes and information states, without a tree.

Histories are counted by memoized recursion over the referee's states.
Information states of one player are counted by recursion over their view and
the set of pairs (opponent's stones, what the opponent found) that their history
allows. All numbers are exact.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import factorial
from typing import TypeAlias

from hsearch.board import Color
from hsearch.cells import cells_in
from player.dark.rules import Base, DarkRules, Mask, Noise, Pair, State

Belief: TypeAlias = frozenset[Pair]


@dataclass(frozen=True, slots=True)
class GameCounts:
    """The size of a game.

    nodes       histories, with the empty one
    terminals   complete histories
    black_wins  those that Black wins; 0 when played until the board is full
    states      different states of the referee before the end
    """

    nodes: int
    terminals: int
    black_wins: int
    states: int


@dataclass(frozen=True, slots=True)
class Information:
    """Knowledge that one player can have.

    information_states  histories at which they decide
    sequences           those and a cell to attempt, and the empty sequence
    final               different histories at the end of a game
    views               different views at which they decide
    """

    information_states: int
    sequences: int
    final: int
    views: int


class TooManyError(ValueError):
    """A game with more histories than were asked for."""


def count(rules: DarkRules, state: State | None = None, *, most: int | None = None) -> GameCounts:
    """Count the histories that start in a state, by default the empty board.

    Raise TooManyError as soon as there are surely more than `most` nodes.
    """

    @cache
    def below(state: State) -> tuple[int, int, int]:
        total = [1, 0, 0]
        for cell in rules.legal(state):
            after, _ = rules.attempt(state, cell)
            if rules.is_over(after):
                won = not rules.until_full and rules.winner(after) is Color.BLACK
                _add(total, (1, 1, int(won)))
            else:
                _add(total, below(after))
            if most is not None and total[0] > most:
                raise TooManyError(f"more than {most:,} nodes")
        return total[0], total[1], total[2]

    return GameCounts(*below(state or State()), states=below.cache_info().currsize)


def count_information(rules: DarkRules, color: Color) -> Information:
    """Count the information states of a player."""
    return _Counter(rules, color).result()


class _Counter:
    """The recursion of `count_information`; holds the views it has met."""

    def __init__(self, rules: DarkRules, color: Color) -> None:
        self._rules, self._color = rules, color
        self._views: set[Pair] = set()
        self._seen: dict[tuple[Mask, Mask, Belief], tuple[int, int, int]] = {}

    def result(self) -> Information:
        start: Belief = frozenset({(0, 0)})
        if self._color is Color.BLACK:
            total = self._decide(0, 0, start)
        else:
            total = self._listen(0, 0, start)
        states, sequences, final = total
        return Information(states, 1 + sequences, final, len(self._views))

    def _state(self, own: Mask, known: Mask, pair: Pair, turn: Color) -> State:
        theirs, found = pair
        if self._color is Color.BLACK:
            return State((own, theirs), (known, found), turn)
        return State((theirs, own), (found, known), turn)

    def _decide(self, own: Mask, known: Mask, belief: Belief) -> tuple[int, int, int]:
        """Return information states, sequences and final histories from here on."""
        key = own, known, belief
        if key in self._seen:
            return self._seen[key]
        self._views.add((own, known))
        rules = self._rules
        free = rules.full & ~own & ~known
        total = [1, free.bit_count(), 0]
        for cell in cells_in(free):
            bit = 1 << cell
            misses = frozenset(pair for pair in belief if not pair[0] & bit)
            hits = belief - misses
            if misses:
                _add(total, self._placed(own | bit, known, misses))
            if hits:
                again = rules.base is Base.CLASSIC
                follow = self._decide if again else self._listen
                _add(total, follow(own, known | bit, hits))
        self._seen[key] = result = (total[0], total[1], total[2])
        return result

    def _placed(self, own: Mask, known: Mask, belief: Belief) -> tuple[int, int, int]:
        """Go on after a stone was placed, which may end the game."""
        # The opponent's stones have not ended it, or nobody would be on move.
        if not self._rules.until_full and not self._rules.connects(self._color, own):
            return self._listen(own, known, belief)
        ended = frozenset(
            pair
            for pair in belief
            if self._rules.is_over(self._state(own, known, pair, self._color.opponent))
        )
        # One history may be the last one or not: the player cannot tell.
        return self._listen(own, known, belief - ended, ended=bool(ended))

    def _listen(
        self, own: Mask, known: Mask, belief: Belief, *, ended: bool = False
    ) -> tuple[int, int, int]:
        """Go on through the opponent's turn, once for each thing they may hear.

        ended  the game may be over already
        """
        going: defaultdict[tuple[int, ...], set[Pair]] = defaultdict(set)
        last: set[tuple[int, ...]] = {()} if ended else set()
        opponent = self._color.opponent
        todo: list[tuple[Pair, tuple[int, ...]]] = [(pair, ()) for pair in belief]
        seen = set(todo)
        while todo:
            pair, heard = todo.pop()
            state = self._state(own, known, pair, opponent)
            for cell in self._rules.legal(state):
                after, placed = self._rules.attempt(state, cell)
                now = after.stones[opponent], after.known[opponent]
                sound = heard if placed else self._hear(heard, cell)
                if placed and self._rules.is_over(after):
                    last.add(sound)
                elif after.turn is not opponent:
                    going[sound].add(now)
                elif (now, sound) not in seen:
                    seen.add((now, sound))
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
        """Return in how many orders these sounds are different histories."""
        return factorial(len(heard)) if self._rules.noise is Noise.FLASH else 1


def _add(total: list[int], more: tuple[int, int, int]) -> None:
    for index, number in enumerate(more):
        total[index] += number
