"""Proofs that are false from the start, and true ones with the same kinds of lines.

Connections are derived without the conditions of the rules, regions are filled, and lost boards
are claimed as won. This module uses nothing from the package.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from forger import EDGE_NAMES, Line, Proof
from plain_hex import EDGES, OTHER, PlainHex

SCHEMA = "hsearch/proof/3"
# Rule conditions that a derivation ignores; "" is none.
REASONS = ("", "", "touch", "meet", "inside", "full", "semi", "common", "other", "ends")
SIZES = [(c, r) for c in range(1, 5) for r in range(1, 5)]
SIZES += [(3, 3), (3, 4), (4, 3), (4, 4), (5, 4), (4, 5), (5, 3), (5, 4)]


def head_of(game: PlainHex, stones: tuple[int, int], turn: str, won_by: str, **more: Any) -> Line:
    """Return the first line of a proof."""
    black, white = map(game.named, stones)
    head = {"schema": SCHEMA, "columns": game.columns, "rows": game.rows}
    head |= {"black": black, "white": white, "turn": turn, "winner": won_by}
    return head | {"first": None, "root": 1, "lines": 1} | more


class Writer:
    """Write a proof by trying all moves, without connections. Holds state.

    Where the winner has lost, the proof lies: any move counts as an answer, and a position lost by
    a chain gets one of the lines in `LIES`.
    """

    def __init__(self, chance: Random, game: PlainHex, won_by: str) -> None:
        self.lines: Proof = []
        self._chance, self._game, self._won_by = chance, game, won_by
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def proof(self, black: int, white: int, turn: str) -> Proof:
        """Return the proof of a position, true or false."""
        stones, first = [black, white], None
        if turn == self._won_by and not self._is_over(black, white):
            cell = self._move(black, white)
            first, stones[turn == "white"] = (
                self._game.names[cell],
                stones[turn == "white"] | 1 << cell,
            )
        root, _ = self._line(*stones)
        head = head_of(self._game, (black, white), turn, self._won_by, first=first, root=root)
        return [head | {"lines": len(self.lines)}, *self.lines]

    def _is_over(self, black: int, white: int) -> bool:
        game = self._game
        return game.has_chain("black", black) or game.has_chain("white", white)

    def _move(self, black: int, white: int) -> int:
        game, mine = self._game, self._won_by
        moves = game.cells(game.everything & ~(black | white))
        self._chance.shuffle(moves)
        for cell in moves:
            if game.winner(*self._with(black, white, mine, cell), OTHER[mine]) == mine:
                return cell
        return moves[0]

    @staticmethod
    def _with(black: int, white: int, color: str, cell: int) -> tuple[int, int]:
        return (black | 1 << cell, white) if color == "black" else (black, white | 1 << cell)

    def _line(self, black: int, white: int) -> tuple[int, int]:
        """Write a position with the loser to move; return its number, and the needed cells."""
        if (black, white) not in self._known:
            line, needed = self._content(black, white)
            self.lines.append(self._stones(black, white) | line)
            self._known[black, white] = len(self.lines), needed
        return self._known[black, white]

    def _stones(self, black: int, white: int) -> Line:
        return {"black": self._game.named(black), "white": self._game.named(white)}

    def _content(self, black: int, white: int) -> tuple[Line, int]:
        game, mine = self._game, self._won_by
        empty = game.everything & ~(black | white)
        if game.has_chain(mine, black if mine == "black" else white):
            return {"joined": None, "steps": []}, 0
        is_lost = game.has_chain(OTHER[mine], white if mine == "black" else black)
        if not empty or (is_lost and self._chance.random() < 0.5):
            return self._chance.choice(LIES)(self._chance, game, mine, empty, len(self.lines)), 0
        if self._chance.random() < 0.2:
            line = self._filled(black, white)
            if line is not None:
                return line
        left, carrier, replies = empty, 0, {}
        while left:
            move = self._chance.choice(game.cells(left))
            after = self._with(black, white, OTHER[mine], move)
            if not game.everything & ~(after[0] | after[1]):
                number, needed, reply = max(1, len(self.lines)), 0, move
            else:
                reply = self._move(*after)
                number, needed = self._line(*self._with(*after, mine, reply))
                needed |= 1 << reply
            left &= needed & ~(1 << move)
            carrier |= needed
            replies[game.names[move]] = [game.names[reply], number]
        return {"threats": [], "replies": replies, "steps": []}, carrier

    def _filled(self, black: int, white: int) -> tuple[Line, int] | None:
        """Fill some cells of either player if the winner still wins then; else return None."""
        game, mine = self._game, self._won_by
        sides = {"black": black, "white": white}
        steps = Steps(self._chance, game, sides[mine], sides[OTHER[mine]], mine)
        fill, cells, needed = steps.region()
        if fill is None:
            return None
        sides[fill[0]] |= cells
        after = sides["black"], sides["white"]
        if game.winner(*after, OTHER[mine]) != mine and self._chance.random() < 0.8:
            return None
        number, carrier = self._line(*after)
        carrier &= ~sides[mine]
        return {"fills": [fill], "filled": number, "steps": steps.steps}, carrier | needed


def hollow(chance: Random, game: PlainHex, won_by: str) -> Proof:
    """Return a proof of an empty or full board, by a line on a full one."""
    black = chance.getrandbits(game.size)
    stones = black, game.everything & ~black
    line = {"black": game.named(stones[0]), "white": game.named(stones[1])}
    kind = chance.choice([_nothing, _chain, _region])(chance, game, won_by, 0, 1)
    where = chance.choice([(0, 0), stones])
    return [head_of(game, where, OTHER[won_by], won_by), line | kind]


def _nothing(*_: Any) -> Line:
    return {"threats": [], "replies": {}, "steps": []}


def _chain(*_: Any) -> Line:
    return {"joined": None, "steps": []}


def _step(rule: str) -> Callable[..., Line]:
    def line(_chance: Random, game: PlainHex, mine: str, empty: int, _lines: int) -> Line:
        carrier = "" if rule == "adjacent" else " ".join(game.named(empty))
        return {"joined": 0, "steps": [[rule, *EDGES[mine], carrier, None, []]]}

    return line


def _region(chance: Random, _game: PlainHex, mine: str, _empty: int, lines: int) -> Line:
    fills = chance.choice([[], [[mine, EDGES[mine][0], "", None, 0]]])
    return {"fills": fills, "filled": chance.randint(1, lines or 1), "steps": []}


LIES = (_nothing, _nothing, _chain, _step("adjacent"), _step("or"), _step("template"), _region)


class Steps:
    """Connections of a position, derived without the rules' conditions. Holds state."""

    def __init__(self, chance: Random, game: PlainHex, own: int, other: int, mine: str) -> None:
        self.steps: list[list[Any]] = []
        self._all: list[tuple[int, str | None, frozenset[str]]] = []
        self._chance, self._game, self._mine = chance, game, mine
        self._own, self._other, self._lie = own, other, ""
        self._empty = game.cells(game.everything & ~(own | other))
        self._order = {name: n for n, name in enumerate((*game.names, *EDGE_NAMES))}
        self._captains = self._named(own)

    def _named(self, own: int) -> dict[int | str, str]:
        """Return the captain of each empty cell, own stone and own edge."""
        game, (first, second) = self._game, EDGES[self._mine]
        named: dict[int | str, str] = {n: game.names[n] for n in self._empty}
        for cell in game.cells(own):
            if named.get(cell) in {None, game.names[cell]}:
                group = game.cells(game.reach(1 << cell, own))
                named |= dict.fromkeys(group, game.names[group[0]])
        for edge in (second, first):
            named[edge] = edge
            for cell in game.cells(game.reach(game.edge_cells[edge], own)):
                named[cell] = edge
        if game.has_chain(self._mine, own):
            named[second] = first
        return named

    def _add(self, rule: str, ends: Any, cells: int, key: str | None, premises: list[int]) -> int:
        x, y = sorted(ends, key=self._order.__getitem__)
        new = cells, key, frozenset((x, y))
        if new in self._all:
            return self._all.index(new)
        self.steps.append([rule, x, y, " ".join(self._game.named(cells)), key, premises])
        self._all.append(new)
        return len(self.steps) - 1

    def forget(self) -> None:
        """Discard all steps."""
        self.steps, self._all = [], []

    def touching(self) -> None:
        """Add the connections of adjacent points."""
        game = self._game
        for cell in self._empty:
            name = game.names[cell]
            near = {self._captains.get(n) for n in game.cells(game.touching[cell])}
            edges = [edge for edge in EDGES[self._mine] if game.edge_cells[edge] >> cell & 1]
            for other in sorted(near.union(map(self._captains.get, edges)) - {None, name}):
                is_cell = other in game.names and self._order[other] in self._empty
                if not is_cell or self._order[other] > cell:
                    self._add("adjacent", (name, other), 0, None, [])

    def by_and(self) -> None:
        """Join two fulls that share an end."""
        one, two = (self._chance.randrange(len(self._all)) for _ in range(2))
        (cells, key, ends), (more, other, others) = self._all[one], self._all[two]
        is_semi = key is not None or other is not None
        if len(ends & others) != 1 or (is_semi and self._lie != "semi"):
            return
        (via,) = ends & others
        inside = cells | more
        points = [self._order[point] for point in ends | others]
        if (cells & more and self._lie != "meet") or (
            any(inside >> point & 1 for point in points) and self._lie != "inside"
        ):
            return
        key = via if self._order[via] in self._empty else None
        inside |= 1 << self._order[via] if key else 0
        self._add("and", ends ^ others, inside, None if self._lie == "full" else key, [one, two])

    def by_or(self) -> None:
        """Join semis with the same ends."""
        ends = self._chance.choice(self._all)[2]
        semis = [n for n, one in enumerate(self._all) if one[1:] != (None, ends) and one[2] == ends]
        if not semis:
            return
        few = self._chance.sample(semis, min(len(semis), self._chance.choice([1, 2, 2, 3])))
        cells, common = 0, self._game.everything
        for n in few:
            cells, common = cells | self._all[n][0], common & self._all[n][0]
        if not common or self._lie == "common":
            self._add("or", ends, cells, None, few)

    def by_mustplay(self) -> None:
        """Start with a move that makes a full."""
        number = self._chance.randrange(len(self._all))
        cells, key, ends = self._all[number]
        if not self._empty or (key is not None and self._lie != "semi"):
            return
        cell = self._chance.choice(self._empty)
        then = self._named(self._own | 1 << cell)
        points = sorted(set(self._captains.values()) - {self._game.names[cell]})
        where = {point: then.get(self._order[point], then.get(point)) for point in points}
        pairs = [(x, y) for x in points for y in points if x != y and {where[x], where[y]} == ends]
        if self._lie == "other":
            pairs = [(x, y) for x in points for y in points if x != y and where[x] in ends]
        if pairs:
            name = self._game.names[cell]
            self._add("mustplay", self._chance.choice(pairs), cells | 1 << cell, name, [number])

    def by_chance(self) -> Line:
        """Return a line of connections, with lies of one kind, or with none, in their steps."""
        self._lie = self._chance.choice(REASONS)
        self.touching()
        if self._lie == "touch" and len(self._empty) > 1:
            pair = self._chance.sample(sorted(set(self._captains.values())), 2)
            self._add("adjacent", pair, 0, None, [])
        rules = [self.by_and] * 6 + [self.by_or] * 3 + [self.by_mustplay]
        rules += [self.by_mustplay] * 6 if self._lie in {"other", "semi"} else []
        across = frozenset(EDGES[self._mine])
        for _ in range(self._chance.choice([20, 50, 150])):
            if self._all:
                self._chance.choice(rules)()
            if self._all and self._all[-1][1:] == (None, across):
                break
        whole = [n for n, (_, _, ends) in enumerate(self._all) if ends == across]
        fulls = [n for n, one in enumerate(self._all) if one[1:] == (None, across)]
        if self._lie == "ends" and self._all:
            fulls = [self._chance.randrange(len(self._all))]
        if fulls and (self._lie == "ends" or self._chance.random() < 0.8):
            (number,) = self._pruned([self._chance.choice(fulls)])
            return {"joined": number, "steps": self.steps}
        return {"threats": self._pruned(whole), "replies": {}, "steps": self.steps}

    def _pruned(self, wanted: list[int]) -> list[int]:
        """Omit steps on which no wanted step depends; return the wanted ones' new numbers."""
        needed = set(wanted)
        for number in range(len(self.steps) - 1, -1, -1):
            if number in needed:
                needed.update(self.steps[number][5])
        numbers = {old: new for new, old in enumerate(sorted(needed))}
        self.steps = [self.steps[old] for old in sorted(needed)]
        for step in self.steps:
            step[5] = [numbers[n] for n in step[5]]
        return [numbers[n] for n in wanted]

    def region(self) -> tuple[list[Any] | None, int, int]:
        """Return a random region, its cells, and the cells that join the groups around it."""
        game, chance, mine = self._game, self._chance, self._mine
        if chance.random() < 0.3:
            cells = sum(1 << n for n in self._empty if chance.random() < 0.3)
            return [OTHER[mine], "", " ".join(game.named(cells)), None, 0], cells, 0
        groups = sorted(set(self._captains.values()) - {game.names[n] for n in self._empty})
        few = chance.sample(groups, min(len(groups), chance.choice([1, 2, 2])))
        few.sort(key=self._order.__getitem__)
        around = [point for point, name in self._captains.items() if name in few]
        inside = self._enclosed(around)
        join, carrier = None, 0
        if len(few) == 2:
            near = [self._near(group) for group in few]
            both = [n for n in game.cells(near[0] & near[1] & inside) if n in self._empty]
            if len(both) < 2:
                return None, 0, 0
            semis = []
            for cell in chance.sample(both, 2):
                name, carrier = game.names[cell], carrier | 1 << cell
                links = [self._add("adjacent", (name, g), 0, None, []) for g in few]
                semis.append(self._add("and", few, 1 << cell, name, links))
            join = self._add("or", few, carrier, None, semis)
            join = semis[0] if chance.random() < 0.1 else join
        cells = carrier
        for n in game.cells(inside):
            cells |= (chance.random() < 0.7) << n
        if chance.random() < 0.1 and self._empty:
            cells |= 1 << chance.choice(self._empty)
        if chance.random() < 0.1:
            cells &= ~(carrier & -carrier)
        fill = [mine, " ".join(few), " ".join(game.named(cells)), join, 0]
        return (fill, cells, carrier) if cells else (None, 0, 0)

    def _near(self, group: str) -> int:
        """Return the cells adjacent to a group."""
        near = 0
        for point, name in self._captains.items():
            if name == group:
                edge = isinstance(point, str)
                near |= self._game.edge_cells[point] if edge else self._game.touching[point]
        return near

    def _enclosed(self, around: list[int | str]) -> int:
        """Return the empty cells that only some groups enclose."""
        game = self._game
        stones = sum(1 << point for point in around if not isinstance(point, str))
        free = game.everything & ~(self._other | stones)
        near = 0
        for point in around:
            near |= game.edge_cells[point] if isinstance(point, str) else game.touching[point]
        outside = 0
        for edge in set(EDGES[self._mine]).difference(around):
            outside |= game.edge_cells[edge] & free
        waiting = game.cells(outside & ~near)
        while waiting:
            new = game.touching[waiting.pop()] & free & ~outside
            outside |= new
            waiting += game.cells(new & ~near)
        return free & ~outside & ~self._own


def positions(chance: Random, most_empty: int = 10) -> Iterator[tuple[PlainHex, int, int, str]]:
    """Yield positions on boards from 1x1 to 5x4, each with its game."""
    games: dict[tuple[int, int], PlainHex] = {}
    while True:
        sides = chance.choice(SIZES)
        if sides not in games:
            games[sides] = PlainHex(*sides)
        game = games[sides]
        cells = list(range(game.size))
        chance.shuffle(cells)
        count = chance.randint(max(0, game.size - most_empty), game.size)
        blacks = max(0, min(count, count // 2 + chance.randint(-1, 1)))
        black, white = sum(1 << n for n in cells[:blacks]), sum(1 << n for n in cells[blacks:count])
        yield game, black, white, chance.choice(["black", "white"])
