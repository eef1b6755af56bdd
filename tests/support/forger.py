"""Change proofs at random: one or a few facts, or a fact and all that depends on it.

A proof is a list of lines, each a JSON object as described in `docs/reference/proof-format.md`.
All randomness comes from the generator that is passed.
"""

import copy
from random import Random
from typing import Any

from plain_hex import OTHER

Line = dict[str, Any]
Proof = list[Line]

RULES = ("adjacent", "and", "or", "mustplay")
EDGE_NAMES = ("north", "south", "west", "east")


def mutated(chance: Random, proof: Proof) -> Proof:
    """Return a proof after one to three changes; unchanged lines are shared with the original."""
    lines = list(proof)
    for _ in range(chance.choice([1, 1, 1, 2, 2, 3])):
        chance.choice(CHANGES)(chance, lines)
    if chance.random() < 0.9 and lines[0]["lines"] != len(lines) - 1:
        lines[0] = lines[0] | {"lines": len(lines) - 1}
    return lines


def _own(lines: Proof, place: int) -> Line:
    """Return a copy of a line that may be changed without changing the original."""
    lines[place] = copy.deepcopy(lines[place])
    return lines[place]


def _any(chance: Random, lines: Proof) -> Line:
    return _own(lines, chance.randrange(1, len(lines)) if len(lines) > 1 else 0)


def _names(lines: Proof) -> list[str]:
    head = lines[0]
    return [f"{chr(97 + c)}{r + 1}" for r in range(head["rows"]) for c in range(head["columns"])]


def _toggled(lines: Proof, names: list[str], cell: str) -> list[str]:
    return [name for name in _names(lines) if (name in names) != (name == cell)]


def _cell(chance: Random, lines: Proof) -> str:
    return (
        chance.choice(_names(lines)) if chance.random() < 0.98 else chance.choice(["z9", "north"])
    )


def _stone(chance: Random, lines: Proof) -> None:
    line, color = _any(chance, lines), chance.choice(["black", "white"])
    if chance.random() < 0.2:
        line = _own(lines, 0)
    line[color] = _toggled(lines, line[color], _cell(chance, lines))


def _stone_everywhere(chance: Random, lines: Proof) -> None:
    cell, color = _cell(chance, lines), chance.choice(["black", "white"])
    is_there = chance.random() < 0.5
    for place in range(len(lines)):
        line = _own(lines, place)
        if (cell in line[color]) == is_there and cell not in line[OTHER[color]]:
            line[color] = _toggled(lines, line[color], cell)


def _recolored(chance: Random, lines: Proof) -> None:
    line = _any(chance, lines)
    cell = _cell(chance, lines)
    for color in ("black", "white"):
        if cell in line[color]:
            line[color] = _toggled(lines, line[color], cell)
            line[OTHER[color]] = _toggled(lines, line[OTHER[color]], cell)
            return


def _head(chance: Random, lines: Proof) -> None:
    head = _own(lines, 0)
    name = chance.choice(["turn", "winner", "first", "root", "columns", "rows", "lines", "schema"])
    if name in {"turn", "winner"}:
        head[name] = OTHER[head[name]]
    elif name == "first":
        head[name] = chance.choice([None, _cell(chance, lines)])
    elif name == "schema":
        head[name] = chance.choice(["hsearch/proof/1", "hsearch/proof/2", "hsearch/proof/4"])
    elif name == "root":
        head[name] = chance.randint(0, len(lines))
    else:
        head[name] = max(1, head[name] + chance.choice([-1, 1]))


def _both_colors(_chance: Random, lines: Proof) -> None:
    """Give the whole proof to the other player, without transposing the board."""
    for place in range(len(lines)):
        line = _own(lines, place)
        line["black"], line["white"] = line["white"], line["black"]
        for fill in line.get("fills", ()):
            fill[0] = OTHER[fill[0]]
    lines[0]["turn"], lines[0]["winner"] = OTHER[lines[0]["turn"]], OTHER[lines[0]["winner"]]


def _order(chance: Random, lines: Proof) -> None:
    one, two = (chance.randrange(1, len(lines) + 1) for _ in range(2))
    what = chance.choice(["lost", "repeated", "swapped"])
    if what == "lost" and len(lines) > 2:
        del lines[min(one, len(lines) - 1)]
    elif what == "repeated" and len(lines) > 1:
        lines.insert(one, lines[min(two, len(lines) - 1)])
    elif len(lines) > 2:
        one, two = min(one, len(lines) - 1), min(two, len(lines) - 1)
        lines[one], lines[two] = lines[two], lines[one]


def _step_change(chance: Random, lines: Proof) -> None:
    line = _any(chance, lines)
    if not line.get("steps"):
        return
    number = chance.randrange(len(line["steps"]))
    step = line["steps"][number]
    field = chance.choice([0, 1, 2, 3, 3, 3, 4, 4, 5, 5])
    if field == 0:
        step[0] = chance.choice((*RULES, *RULES, "template", "fill-in"))
    elif field in {1, 2}:
        step[field] = chance.choice([*EDGE_NAMES, _cell(chance, lines)])
    elif field == 3:
        step[3] = " ".join(_toggled(lines, step[3].split(), _cell(chance, lines)))
    elif field == 4:
        step[4] = chance.choice([None, _cell(chance, lines), *step[3].split()])
    else:
        _number_change(chance, step[5], len(line["steps"]))


def _number_change(chance: Random, numbers: list[int], end: int) -> None:
    what = chance.choice(["one less", "one more", "another", "another"])
    if what == "one less" and numbers:
        del numbers[chance.randrange(len(numbers))]
    elif what == "one more" or not numbers:
        numbers.insert(chance.randint(0, len(numbers)), chance.randint(0, end))
    else:
        numbers[chance.randrange(len(numbers))] = chance.randint(0, end)


def _smaller(chance: Random, lines: Proof) -> None:
    """Remove a cell from a carrier, and from the carriers of all steps that depend on it."""
    line = _any(chance, lines)
    steps = line.get("steps", [])
    with_cells = [n for n, step in enumerate(steps) if step[3]]
    if not with_cells:
        return
    start = chance.choice(with_cells)
    cell = chance.choice(steps[start][3].split())
    changed = {start}
    for number, step in enumerate(steps):
        if number == start or (
            number > start and changed.intersection(step[5]) and step[4] != cell
        ):
            others = [steps[n][3].split() for n in step[5] if n < number and n not in changed]
            if number == start or not any(cell in other for other in others):
                step[3] = " ".join(name for name in step[3].split() if name != cell)
                changed.add(number)


def _kind(chance: Random, lines: Proof) -> None:
    line = _any(chance, lines)
    if "schema" in line:
        return
    numbers = [n for n, step in enumerate(line["steps"]) if set(step[1:3]) <= set(EDGE_NAMES)]
    for name in ("joined", "threats", "replies", "fills", "filled"):
        line.pop(name, None)
    what = chance.choice(["chain", "joined", "threats", "nothing", "filled"])
    if what == "chain":
        line["joined"] = None
    elif what == "joined":
        line["joined"] = chance.choice(numbers or [0])
    elif what == "filled":
        line["fills"], line["filled"] = [], chance.randint(1, len(lines))
    else:
        line["threats"], line["replies"] = (numbers if what == "threats" else []), {}


def _answers(chance: Random, lines: Proof) -> None:
    line = _any(chance, lines)
    if "joined" in line:
        line["joined"] = chance.choice([None, chance.randint(0, len(line["steps"]))])
    elif "filled" in line:
        line["filled"] = chance.randint(0, len(lines))
    elif "threats" in line:
        replies = line["replies"]
        what = chance.choice(["threats", "less", "more", "reply", "number", "move"])
        if what == "threats":
            _number_change(chance, line["threats"], len(line["steps"]))
        elif what == "more":
            replies[_cell(chance, lines)] = [_cell(chance, lines), chance.randint(1, len(lines))]
        elif replies:
            move = chance.choice(list(replies))
            if what == "less":
                del replies[move]
            elif what == "move":
                replies[_cell(chance, lines)] = replies.pop(move)
            else:
                new = _cell(chance, lines) if what == "reply" else chance.randint(0, len(lines))
                replies[move][what == "number"] = new


def _fills(chance: Random, lines: Proof) -> None:
    places = [n for n, line in enumerate(lines) if "fills" in line]
    if not places:
        return
    line = _own(lines, chance.choice(places))
    fills = line["fills"]
    what = chance.choice(
        ["color", "groups", "cells", "cells", "join", "since", "less", "more", "order"]
    )
    if what == "more" or not fills:
        point = chance.choice([*EDGE_NAMES, _cell(chance, lines)])
        cells = " ".join(_toggled(lines, [], _cell(chance, lines)))
        fills.append([chance.choice(["black", "white"]), point, cells, None, len(fills)])
        return
    number = chance.randrange(len(fills))
    fill = fills[number]
    if what == "color":
        fill[0] = OTHER[fill[0]]
    elif what == "groups":
        groups = fill[1].split()
        points = [*EDGE_NAMES, *_names(lines)]
        fill[1] = " ".join(
            chance.choice(
                [
                    groups[:1],
                    groups[::-1],
                    [chance.choice(points)],
                    [*groups[:1], chance.choice(points)],
                ]
            )
        )
    elif what == "cells":
        fill[2] = " ".join(_toggled(lines, fill[2].split(), _cell(chance, lines)))
    elif what == "join":
        fill[3] = chance.choice([None, chance.randint(0, len(line["steps"]))])
    elif what == "since":
        fill[4] = chance.randint(0, len(fills))
    elif what == "less":
        del fills[number]
    else:
        other = chance.randrange(len(fills))
        fills[number], fills[other] = fills[other], fills[number]


CHANGES = (
    *(
        _stone,
        _stone_everywhere,
        _recolored,
        _head,
        _both_colors,
        _order,
        _step_change,
        _step_change,
    ),
    *(_smaller, _smaller, _kind, _answers, _answers, _fills, _fills),
)
