#!/usr/bin/env python3
"""Check a proof of who wins a position of Hex: python check_proof.py FILE[.xz], or - for stdin.

Written from proof-format.md alone; shares nothing with what writes proofs. A line is read at a
time, and only its claim is kept. Exit codes: 0 holds, 1 does not hold, 2 usage, 3 not a proof.
"""

import array
import json
import lzma
import sys

SCHEMA = "hsearch/proof/3"
MOST_WORK = 100_000  # premises of a line, counted anew in each position
MOST_BYTES = 16_000_000  # of a line
PIECE, MOST_MEMORY = 1 << 16, 100_000_000  # bytes read at a time, bytes to unpack an .xz file
COLORS = "black", "white"
COUNT = range(1 << 62)
STEPS = (-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)  # from a cell to those that touch it


class DoesNotHoldError(Exception):
    """Something that the proof asserts does not follow: exit code 1."""


class NotAProofError(DoesNotHoldError):
    """What has not the form of a proof: exit code 3."""


class Board:
    """Cells, edges, their names, and what touches what; and who is proved to win."""

    def __init__(self, columns, rows, won_by):
        self.size = columns * rows
        self.cells = frozenset(range(self.size))
        self.names = [chr(97 + n % columns) + str(n // columns + 1) for n in range(self.size)]
        self.names += ["north", "south", "west", "east"]
        self.points = {name: point for point, name in enumerate(self.names)}
        edges = range(self.size, self.size + 4)
        self.edges = {"black": tuple(edges[:2]), "white": tuple(edges[2:])}
        self.won_by, self.lost_by, self.ends = won_by, COLORS[won_by == "black"], self.edges[won_by]
        self.neighbors = [set() for _ in self.names]
        for cell in self.cells:
            row, column = divmod(cell, columns)
            for right, down in STEPS:
                if 0 <= column + right < columns and 0 <= row + down < rows:
                    self.neighbors[cell].add(cell + right + down * columns)
            sides = row == 0, row == rows - 1, column == 0, column == columns - 1
            for edge in (edge for edge, touches in zip(edges, sides) if touches):
                self.neighbors[cell].add(edge)
                self.neighbors[edge].add(cell)

    def point(self, name, edges=4):
        if self.points.get(name, self.size + 4) >= self.size + edges:
            raise NotAProofError(f"not a cell or an edge of this board: {name!r:.80}")
        return self.points[name]

    def cell(self, name):
        return self.point(name, edges=0)

    def set_of(self, names):
        cells = [self.cell(name) for name in names]
        if cells != sorted(set(cells)):
            raise NotAProofError(f"cells not in order, or twice: {' '.join(names)!r:.80}")
        return frozenset(cells)

    def reached(self, start, cells):
        """Return those of some cells that a path from a point reaches, all of it inside them."""
        reached, waiting = set(), [start]
        while waiting:
            reached |= (new := self.neighbors[waiting.pop()].intersection(cells) - reached)
            waiting += new
        return frozenset(reached)

    def has_chain(self, color, stones):
        first, second = self.edges[color]
        return not self.neighbors[second].isdisjoint(self.reached(first, stones))


class Position:
    """Stones as the winner sees them: own, and the loser's; and the points of the winner."""

    def __init__(self, board, own, other):
        self.board, self.own, self.other = board, own, other
        self.empty = board.cells - own - other
        self.captain = {cell: cell for cell in self.empty}
        mine = own.union(board.ends)
        for point in mine:
            if point not in self.captain:
                group = board.reached(point, mine) | {point}
                captain = min(group.intersection(board.ends) or group)
                self.captain.update(dict.fromkeys(group, captain))
        self.points = set(self.captain.values())

    def touch(self, x, y):
        """Return whether two points touch, one of them at least an empty cell."""
        captain, near = self.captain.get, self.board.neighbors
        ways = (x, y), (y, x)
        return any(one in self.empty and other in map(captain, near[one]) for one, other in ways)


def claim(board, stones, cells):
    """Return stones and cells that suffice: those that are connected with the first edge."""
    used = board.reached(board.ends[0], stones | cells)
    if not board.neighbors[board.ends[1]] & used:
        raise DoesNotHoldError("claims what leaves the loser a chain")
    return stones & used, cells & used


def settle(claims, number, own, other):
    """Return the cells that the winner needs in a position that a line above settles."""
    if not 1 <= number <= len(claims):
        raise DoesNotHoldError(f"refers to line {number} of those above")
    stones, cells = map(frozenset, claims[number - 1])
    if not (stones <= own and cells.isdisjoint(other)):
        raise DoesNotHoldError(f"refers to line {number}, which does not settle this position")
    return cells - own


class Step:
    """A connection: what it joins, inside which cells, by which rule from which steps above."""

    def __init__(self, board, number, fields):
        self.rule, x, y, carrier, key, self.premises = fields
        self.ends = board.point(x), board.point(y)
        self.carrier = board.set_of(words(carrier))
        self.key = None if key is None else board.cell(key)
        if self.rule not in {"adjacent", "and", "or", "mustplay"}:
            raise NotAProofError(f"step {number}: not a rule: {self.rule!r:.80}")
        if any(premise >= number for premise in self.premises):
            raise DoesNotHoldError(f"step {number} has a premise that is not above it")


def derive(board, steps, claims):
    """Check that steps, each in a position, follow from touching points."""
    places, pairs, waiting, work = {}, set(), list(claims), 0
    while waiting:
        number, stones = pair = waiting.pop()
        if pair in pairs:
            continue
        pairs.add(pair)
        step, (own, other) = steps[number], stones
        work += 1 + len(step.premises)
        if work > MOST_WORK:
            raise DoesNotHoldError(f"more than {MOST_WORK} premises to follow")
        places = {stones: places.get(stones) or Position(board, own, other)}  # the last one
        moves = step.rule == "mustplay" and step.key in places[stones].empty
        after = (own | {step.key}, other) if moves else stones
        waiting += [(premise, after) for premise in step.premises]
        if not follows(places[stones], step, [steps[premise] for premise in step.premises]):
            raise DoesNotHoldError(f"step {number}, by the rule {step.rule}, does not follow")


def follows(position, step, premises):
    """Return whether a step follows by its rule, if its premises hold."""
    x, y = step.ends
    if not (x < y and {x, y} <= position.points and step.carrier <= position.empty):
        return False
    if step.rule == "adjacent":
        return not premises and not step.carrier and step.key is None and position.touch(x, y)
    if x in step.carrier or y in step.carrier:
        return False
    if step.rule == "and":
        return follows_by_and(position, step, premises)
    if step.rule == "or":
        carriers = [it.carrier for it in premises if it.ends == step.ends and it.key is not None]
        if not premises or len(carriers) < len(premises) or frozenset.intersection(*carriers):
            return False
        return step.key is None and step.carrier == frozenset.union(*carriers)
    if len(premises) != 1 or step.key not in position.empty or step.key in step.ends:
        return False
    full, after = premises[0], Position(position.board, position.own | {step.key}, position.other)
    joins = full.key is None and set(full.ends) == {after.captain[x], after.captain[y]}
    return joins and step.carrier == full.carrier | {step.key}


def follows_by_and(position, step, premises):
    if [full.key for full in premises] != [None, None]:
        return False
    one, two = premises
    via, *more = set(one.ends) & set(two.ends) or [None]
    if more or via is None or set(step.ends) != set(one.ends) ^ set(two.ends):
        return False
    if one.carrier & two.carrier or via in one.carrier | two.carrier:
        return False
    added, key = ({via}, via) if via in position.empty else (set(), None)
    return step.carrier == (one.carrier | two.carrier | added) and step.key == key


def enclosed(position, around):
    """Return the empty cells from which no path of the winner leads on but by some groups."""
    board = position.board
    free = board.cells - position.other - around
    near = {cell for cell in free if board.neighbors[cell] & around}
    outside, waiting = set(), [*set(board.ends) - around]
    while waiting:
        outside |= (new := board.neighbors[waiting.pop()] & free - outside)
        waiting += new - near
    return (free - outside) & position.empty


def claim_of_fills(board, line, own, other, steps, claims):
    """Return the claim of a line that fills regions: see *Regions* in proof-format.md."""
    here, boards, joins = own, [(own, other)], []
    if len(line["fills"]) > board.size:
        raise DoesNotHoldError(f"more than {board.size} regions")
    for color, names, cells, join, since in line["fills"]:
        groups = tuple(map(board.point, words(names)))
        region = board.set_of(words(cells))
        if join is not None and join >= len(steps):
            raise DoesNotHoldError(f"a region refers to step {join}, which is not there")
        own, other = boards[-1]
        if color != board.won_by:
            boards.append((own, other | (region - own)))
            continue
        if since >= len(boards):
            raise DoesNotHoldError("a region names groups after it is filled")
        then = Position(board, *boards[since])
        around = {point for point, name in then.captain.items() if name in groups} - then.empty
        full = None if join is None else steps[join]
        is_joined = full and full.key is None and full.ends == groups and full.carrier <= region
        way_out = region - enclosed(Position(board, own, other), around)
        if way_out or not (is_joined if full else len(groups) == 1):
            raise DoesNotHoldError(f"not an enclosed region: {names}, {cells}")
        joins += [] if full is None else [(join, boards[since])]
        boards.append((own | region, other))
    derive(board, steps, joins)
    carrier = settle(claims, line["filled"], *boards[-1])
    return claim(board, here, carrier.union(*(steps[join].carrier for join, _ in joins)))


def claim_of(board, line, claims):
    """Return what a line claims, after checking it."""
    has_fields(line, JOINED if "joined" in line else FILLED if "filled" in line else ANSWERED)
    own, other = sides(board, line)
    if board.has_chain(board.lost_by, other):
        raise DoesNotHoldError(f"{board.lost_by} has won this position")
    steps = [Step(board, number, fields) for number, fields in enumerate(line["steps"])]
    if "filled" in line:
        return claim_of_fills(board, line, own, other, steps, claims)
    derive(board, steps, [(number, (own, other)) for number in range(len(steps))])
    if "joined" in line:
        full = line["joined"]  # None: the stones are a chain, as those of a claim without cells are
        cells = frozenset() if full is None else edge_to_edge(board, steps, full, is_full=True)
        return claim(board, own, cells)
    needs = [edge_to_edge(board, steps, number) for number in line["threats"]]
    for name, (reply_name, number) in line["replies"].items():
        move, reply = board.cell(name), board.cell(reply_name)
        if move == reply or {move, reply} & (own | other):
            raise DoesNotHoldError(f"{name} and {reply_name} are not two empty cells")
        needs.append(settle(claims, number, own | {reply}, other | {move}) | {reply})
    if unanswered := (board.cells - own - other).intersection(*needs):
        raise DoesNotHoldError(f"nothing answers a move on {board.names[min(unanswered)]}")
    return claim(board, own, frozenset().union(*needs))


def edge_to_edge(board, steps, number, *, is_full=False):
    """Return the cells of a step that joins the winner's edges."""
    if number >= len(steps) or steps[number].ends != board.ends:
        raise DoesNotHoldError(f"step {number} does not join the edges of {board.won_by}")
    if is_full and steps[number].key is not None:
        raise DoesNotHoldError(f"step {number} needs the winner to move first")
    return steps[number].carrier


def sides(board, line):
    """Return the stones of the winner and of the loser."""
    own, other = board.set_of(line[board.won_by]), board.set_of(line[board.lost_by])
    if own & other:
        raise NotAProofError("a cell has stones of both colors")
    return own, other


# What has to be where: str; a range of numbers; a word; a set, any of these; [shape], a list of
# those; (shape, shape), a list of just these; {str: shape}, an object with such values.
HEAD = dict(schema=str, columns=range(1, 27), rows=range(1, 27), black=[str], white=[str])
HEAD |= dict(turn=set(COLORS), winner=set(COLORS), first={None, str}, root=COUNT)
HEAD |= dict(lines=range(100_000_001))
STEP = str, str, str, str, {None, str}, [COUNT]
REGION = set(COLORS), str, str, {None, COUNT}, COUNT
LINE = dict(black=[str], white=[str], steps=[STEP])
JOINED = dict(LINE, joined={None, COUNT})
ANSWERED = dict(LINE, threats=[COUNT], replies={str: (str, COUNT)})
FILLED = dict(LINE, fills=[REGION], filled=COUNT)


def fits(value, shape):
    """Return whether a value of JSON has a shape."""
    if type(shape) is range:
        return type(value) is int and value in shape
    if type(shape) is set:
        return any(fits(value, one) for one in shape)
    if type(value) is list and type(shape) is list:
        return all(fits(one, shape[0]) for one in value)
    if type(shape) is tuple:
        return type(value) is list and len(value) == len(shape) and all(map(fits, value, shape))
    if type(shape) is dict:
        return type(value) is dict and all(fits(one, shape[str]) for one in value.values())
    return type(value) is str if shape is str else value == shape


def has_fields(line, fields):
    """Raise NotAProofError unless an object has just these fields, each of its type."""
    for name in sorted(set(line) | set(fields)):
        if not (name in line and name in fields and fits(line[name], fields[name])):
            raise NotAProofError(f"{name!r:.80} is missing, unknown, or of another type")


def words(text):
    return text.split(" ") if text else []


def object_of(text):
    try:
        line = json.loads(text.decode(), parse_constant=int)  # refuses NaN
    except (ValueError, RecursionError) as error:
        raise NotAProofError(f"not JSON: {str(error)!r:.80}") from None
    if type(line) is not dict:
        raise NotAProofError("not a JSON object")
    return line


def lines_of(stored):
    """Yield the lines of a file; if it is an .xz file, of the one stream that is all of it."""
    piece, line = stored.read(6), b""
    xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY) if piece == b"\xfd7zXZ\0" else None
    while len(line) <= MOST_BYTES and (piece or (xz and not xz.needs_input and not xz.eof)):
        *lines, line = (line + (xz.decompress(piece, PIECE) if xz else piece)).split(b"\n")
        yield from (whole + b"\n" for whole in lines)
        piece = stored.read(PIECE) if xz is None or xz.needs_input else b""
    yield from filter(None, [line])
    if xz and (not xz.eof or xz.unused_data or stored.read(1)):
        raise EOFError("the .xz file ends too early, or has data after its end")


def check(lines, *, is_watched=False):
    """Return the head, and what the winner has and needs then. Raise (line, what is wrong)."""
    number, head, claims = 1, None, []
    try:
        for number, text in enumerate(lines, 1):
            if is_watched:
                print(f"line {number}", end="\r", file=sys.stderr, flush=True)
            if len(text) > MOST_BYTES:
                raise NotAProofError(f"longer than {MOST_BYTES} bytes")
            if head is None:
                head, board, stones = board_of(object_of(text))
            elif len(claims) > head["lines"]:
                break
            else:
                kept = claim_of(board, object_of(text), claims)
                claims.append([array.array("H", cells) for cells in kept])  # smaller than sets
        number = 1
        if head is None:
            raise NotAProofError("empty")
        if head["lines"] != len(claims):
            raise DoesNotHoldError(f"{head['lines']} lines should follow, not these {len(claims)}")
        return head, *claim_of_head(board, head, stones, claims)
    except DoesNotHoldError as error:
        raise type(error)(number, error.args[-1]) from None


def board_of(head):
    if head.get("schema") != SCHEMA:
        raise NotAProofError(f"not {SCHEMA}: {str(head.get('schema'))!r:.80}")
    has_fields(head, HEAD)
    board = Board(head["columns"], head["rows"], head["winner"])
    return head, board, sides(board, head)


def claim_of_head(board, head, stones, claims):
    own, other = stones
    if head["first"] is not None:
        first = board.cell(head["first"])
        if head["turn"] != board.won_by or first in own | other:
            raise DoesNotHoldError(f"{board.won_by} cannot move to {head['first']}")
        own |= {first}
    elif head["turn"] == board.won_by and not board.has_chain(board.won_by, own):
        raise DoesNotHoldError(f"{board.won_by} is to move, and no move is named")
    return own, settle(claims, head["root"], own, other)


def main(name):
    """Check a file, print what it proves, and return the exit code."""
    try:
        with open(0 if name == "-" else name, "rb") as stored:  # noqa: PTH123
            head, _, _ = check(lines_of(stored), is_watched=sys.stderr.isatty())
    except (DoesNotHoldError, OSError, EOFError, lzma.LZMAError) as error:
        place = f"line {error.args[0]}: " if isinstance(error, DoesNotHoldError) else ""
        print(f"{name}: {place}{error.args[-1]}", file=sys.stderr)
        return 1 if type(error) is DoesNotHoldError else 3
    print("The proof holds: {winner} wins {columns}x{rows}, {turn} to move, with".format(**head))
    print(*(f"{color}: {' '.join(head[color]) or 'none'}" for color in COLORS), sep="\n")
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(main(sys.argv[1]))
    print("usage: python check_proof.py FILE", file=sys.stderr)
    sys.exit(2)
