"""Games as each program and site writes them, and what must be read from them.

    PYTHONPATH=. python tests/support/dialects.py 25000 --seed 43

A game is made first: its players, its moves, its ending and its winner, and by brute force the
move from which the winner always wins. Then a dialect writes it. Replay and brute force share no
code with the package.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial
from random import Random

from plain_hex import PlainHex

COLORS = ("black", "white")
PRINTED = [chr(code) for code in range(32, 127)]
SWAP_PIECES, SWAP_SIDES, PASS = "swap-pieces", "swap-sides", "pass"
RESULTS = {"resign": ("R", "Resign"), "forfeit": ("F", "Forfeit"), "time": ("T", "Time")}


@dataclass(frozen=True, slots=True)
class Made:
    """A game, and the facts about it.

    actions  cells, swap and passes, in order
    names    who moves first, and who moves second
    ending   resign, forfeit, time, result, or empty: then the stones decide the winner, if any
    loser    the color that loses by the ending
    """

    side: int
    actions: tuple[str, ...]
    names: tuple[str, str]
    ending: str
    loser: str

    @property
    def swap(self) -> str:
        """Return the word for the swap; empty if there is none."""
        return self.actions[1] if len(self.actions) > 1 and "swap" in self.actions[1] else ""

    def colored(self) -> list[tuple[str, str]]:
        """Return the moves, each with the color that makes it."""
        color, moves = "black", []
        for action in self.actions:
            moves.append((color, action))
            if action != SWAP_SIDES:  # the other person now has the color to move
                color = COLORS[color == "black"]
        return moves

    def stones(self, moves: int | None = None) -> tuple[frozenset[str], frozenset[str]]:
        """Return the stones of Black and of White after `moves` moves."""
        stones = set(), set()
        for color, action in self.colored()[:moves]:
            if action == SWAP_PIECES:
                (first,) = stones[0]
                stones[0].clear()
                stones[1].add(f"{chr(96 + int(first[1:]))}{ord(first[0]) - 96}")
            elif action not in {SWAP_SIDES, PASS}:
                stones[COLORS.index(color)].add(action)
        return frozenset(stones[0]), frozenset(stones[1])

    def turn(self, moves: int) -> str:
        """Return the color to move after `moves` moves."""
        colored = self.colored()
        if moves < len(colored):
            return colored[moves][0]
        if not colored:
            return "black"
        color, action = colored[-1]
        return color if action == SWAP_SIDES else COLORS[color == "black"]

    def winner(self) -> str | None:
        """Return the winner, by the stones or by the ending; None while the game is open."""
        black, white = self.stones()
        hex_ = _hex(self.side)
        for color, names in zip(COLORS, (black, white), strict=True):
            if hex_.has_chain(color, hex_.set_of([*names])):
                return color
        return COLORS[self.loser == "black"] if self.ending else None

    def player(self, color: str) -> str:
        """Return the name of the player who has a color at the end."""
        return self.names[(color == "white") is not (self.swap == SWAP_SIDES)]

    def turning_point(self) -> int:
        """Return the number of moves from which on the winner of the last position always wins."""
        played = len(self.actions)
        while played and self.actions[played - 1] == PASS:
            played -= 1
        won_by, number = self.truth(played), played
        while number and self.truth(number - 1) == won_by:
            if "swap" in self.actions[number - 1]:
                break
            number -= 1
        return number

    def truth(self, moves: int) -> str:
        """Return the winner after `moves` moves, by brute force."""
        hex_ = _hex(self.side)
        black, white = (hex_.set_of([*names]) for names in self.stones(moves))
        for color, stones in zip(COLORS, (black, white), strict=True):
            if hex_.has_chain(color, stones):
                return color
        return hex_.winner(black, white, self.turn(moves))


@cache
def _hex(side: int) -> PlainHex:
    return PlainHex(side, side)


def make(chance: Random, sides: tuple[int, ...] = (3, 3, 4, 5, 11, 13)) -> Made:
    """Make a random game."""
    side = chance.choice(sides)
    cells = [f"{chr(97 + c)}{r + 1}" for r in range(side) for c in range(side)]
    chance.shuffle(cells)
    swap = chance.choice(["", SWAP_PIECES, SWAP_SIDES])
    names = tuple(_name(chance) for _ in COLORS)
    actions: list[str] = []
    for cell in cells[: chance.randint(1, len(cells))]:
        if len(actions) == 1 and swap:
            actions.append(swap)
        made = Made(side, tuple(actions), names, "", "black")
        if made.winner() is not None:
            break
        if cell not in set.union(*map(set, made.stones())):
            actions.append(cell)
    is_over = Made(side, tuple(actions), names, "", "black").winner() is not None
    ending = "" if is_over else chance.choice(["", *RESULTS, "result"])
    if not ending and not is_over and chance.random() < 0.2:
        actions += [PASS, PASS]
    return Made(side, tuple(actions), names, ending, chance.choice(COLORS))


def _name(chance: Random) -> str:
    """Return a name of any printable characters that does not begin or end with a space."""
    return "".join(chance.choices(PRINTED, k=chance.randint(1, 9))).strip() or "x"


# Dialects: each takes a game and a generator, and returns a text, or None if it cannot write it.


def sgf(
    made: Made, chance: Random, *, program: str = "", words: dict[str, str] | None = None
) -> str:
    """Write a game as SGF, with the freedom that programs take."""
    words = words or {}
    letter = {"black": "B", "white": "W"}
    head = "FF[4]GM[11]" + (f"AP[{program}]" if program else "")
    won_by = made.winner()
    result = ""
    if won_by is not None:
        how = chance.choice(RESULTS.get(made.ending, ("",)))
        result = f"RE[{letter[won_by]}+{how}]"
    has_move = made.ending in {"resign", "forfeit"} and not program.startswith("PlayHex")
    by_move = has_move and chance.random() < 0.7
    if by_move and chance.random() < 0.3:
        result = ""
    names = [escaped(name, chance) for name in made.names]
    nodes = [f";{head}SZ[{made.side}]PB[{names[0]}]PW[{names[1]}]{result}"]
    for color, action in made.colored():
        word = words.get(action, action)
        nodes.append(f";{letter[color]}[{word.upper() if chance.random() < 0.1 else word}]")
    if by_move:
        nodes.append(f";{letter[made.loser]}[{made.ending}]")
    between = chance.choice(["", "", "\n", "\r\n", " "])
    text = "(" + between.join(nodes) + ")"
    return chance.choice([text, text, text + "\n", "\ufeff" + text, text[:-1], f"a game: {text}"])


def escaped(name: str, chance: Random) -> str:
    """Return a name as an SGF value; a colon may be escaped or not."""
    name = name.replace("\\", "\\\\").replace("]", "\\]")
    return name.replace(":", "\\:") if chance.random() < 0.5 else name


def old_hexgui(made: Made, chance: Random) -> str | None:
    """Write a game as old HexGui does, where `swap-pieces` means swapping sides."""
    if made.swap == SWAP_PIECES or PASS in made.actions or made.ending in {"forfeit", "time"}:
        return None
    return sgf(made, chance, program="HexGui:0.9.GIT", words={SWAP_SIDES: SWAP_PIECES})


def new_hexgui(made: Made, chance: Random) -> str:
    """Write a game as new HexGui does. Its files contain either word if a move follows."""
    is_clear = len(made.actions) > 2
    word = chance.choice([SWAP_PIECES, SWAP_SIDES]) if is_clear else made.swap
    return sgf(made, chance, program="Other:1.0", words={made.swap: word} if made.swap else {})


def playhex(made: Made, chance: Random) -> str | None:
    """Write a game as PlayHex does: only RE holds the ending."""
    return None if made.swap == SWAP_SIDES else sgf(made, chance, program="PlayHex:0.0.0")


def little_golem(made: Made, chance: Random) -> str | None:
    """Write a game as Little Golem does: raw names, W moves first, two letters a cell."""
    if made.swap == SWAP_SIDES or PASS in made.actions or made.ending in {"forfeit", "time"}:
        return None
    if any("]" in name and "[" in name for name in made.names):
        return None  # indistinguishable from the next property
    letter = {"black": "W", "white": "B"}
    won_by = made.winner()
    result = "" if won_by is None else f"RE[{'B' if won_by == 'black' else 'W'}]"
    game = f"GC[ game #{chance.randint(1, 10**6)}]" if chance.random() < 0.5 else ""
    head = f"FF[4]EV[null]PB[{made.names[0]}]PW[{made.names[1]}]SZ[{made.side}]{result}{game}"
    text = f"(;{head}SO[https://www.littlegolem.net]"
    for color, action in made.colored():
        word = "swap" if action == SWAP_PIECES else action[0] + chr(96 + int(action[1:]))
        text += f";{letter[color]}[{word}]"
    if made.ending == "resign":
        text += f";{letter[made.loser]}[resign]"
    return text + ")"


def hexworld(made: Made, _chance: Random) -> str | None:
    """Write a game as a HexWorld link, which holds no names."""
    if made.ending in {"time", "result"}:
        return None
    words = {SWAP_PIECES: ":s", SWAP_SIDES: ":S", PASS: ":p"}
    moves = "".join(words.get(action, action) for action in made.actions)
    if made.ending:
        moves += f":{made.ending[0]}{made.loser[0]}"
    return f"https://hexworld.org/board/#{made.side},{moves}"


def trmph(made: Made, _chance: Random) -> str | None:
    """Write a game as a trmph link, where repeating the first cell means a swap."""
    if made.swap == SWAP_PIECES or PASS in made.actions or made.ending:
        return None
    moves = [made.actions[0] if action == SWAP_SIDES else action for action in made.actions]
    return f"https://trmph.com/hex/board#{made.side},{''.join(moves)}"


def move_list(made: Made, chance: Random) -> str | None:
    """Write only the moves; the player to move is the one who resigns."""
    if made.side != 11 or made.ending in {"time", "result"}:
        return None
    if made.ending and made.loser != made.turn(len(made.actions)):
        return None
    words = [*made.actions, *([made.ending] if made.ending else [])]
    return chance.choice([" ", ", ", "\n"]).join(words)


def playhex_json(made: Made, chance: Random) -> str | None:
    """Write a game as PlayHex exports it in JSON."""
    if made.swap == SWAP_SIDES:
        return None
    won_by = made.winner()
    record = {
        "boardsize": made.side,
        "moves": " ".join(made.actions),
        "red": made.names[0],
        "blue": made.names[1],
        "winner": won_by and {"black": "red", "white": "blue"}[won_by],
        "outcome": made.ending if made.ending in RESULTS else None,
    }
    text = json.dumps(record, ensure_ascii=chance.random() < 0.5)
    return chance.choice([text, f"[{text}]", f'{{"games": [{text}]}}'])


def abstract_play(made: Made, _chance: Random) -> str | None:
    """Write a game as Abstract Play does: rounds of two moves, and results by person."""
    if made.swap == SWAP_PIECES or PASS in made.actions or made.ending in {"forfeit", "time"}:
        return None
    won_by = made.winner()
    moves = [action for action in made.actions if action != SWAP_SIDES]
    if made.ending == "resign":
        if made.loser != made.turn(len(made.actions)):
            return None
        moves.append("resign")
    players = [{"name": name} for name in made.names]
    if won_by is not None:
        winner = (won_by == "white") is not (made.swap == SWAP_SIDES)
        for place, player in enumerate(players):
            player["result"] = int(place == winner)
    kind = {"name": "Hex", "variants": [f"size-{made.side}"]}
    header = {"game": kind, "players": players, "pied": made.swap == SWAP_SIDES}
    if made.swap and len(moves) < 2:
        return None  # the second player made no move
    return json.dumps(
        {"header": header, "moves": [moves[n : n + 2] for n in range(0, len(moves), 2)]}
    )


DIALECTS = {
    "sgf": sgf,
    "old HexGui": old_hexgui,
    "new HexGui": new_hexgui,
    "PlayHex": playhex,
    "Little Golem": little_golem,
    "HexWorld": hexworld,
    "trmph": trmph,
    "moves": move_list,
    "PlayHex JSON": playhex_json,
    "Abstract Play": abstract_play,
}
NAMELESS = {"HexWorld", "trmph", "moves"}


def records(chance: Random, sides: tuple[int, ...] = (3, 3, 4, 5, 11, 13)):
    """Yield a dialect, a game and its text, endlessly."""
    while True:
        made = make(chance, sides)
        dialect = chance.choice([*DIALECTS])
        text = DIALECTS[dialect](made, chance)
        if text is not None:
            yield dialect, made, text


# Faults: differences between the game that was read and the game that was made.


def faults(dialect: str, made: Made, text: str) -> list[str]:
    """Return, in words, each difference between what was read and what was made."""
    from hsearch import formats  # noqa: PLC0415 - the generator itself does not use it
    from hsearch.hex.board import Color  # noqa: PLC0415
    from hsearch.hex.position import winner  # noqa: PLC0415

    game = formats.read(text)
    found = []
    if (game.board.columns, game.board.rows) != (made.side, made.side):
        found.append(f"board {game.board}")
    end = game.position(turn=Color.BLACK)
    stones = tuple(frozenset(game.board.names(side)) for side in (end.black, end.white))
    if stones != made.stones():
        found.append(f"stones {stones} instead of {made.stones()}")
    by_stones = winner(end)
    said = by_stones if by_stones is not None or game.outcome is None else game.outcome.winner
    if (said and said.word) != made.winner() and said is not made.winner():
        found.append(f"winner {said} instead of {made.winner()}")
    if dialect not in NAMELESS:
        names = [game.player(color) for color in Color]
        if names != [made.player(color) for color in COLORS]:
            found.append(f"names {names} instead of {[made.player(c) for c in COLORS]}")
    clash = [warning for warning in game.warnings if "RE[" in warning]
    if clash:
        found.append(f"warns {clash}")
    return found


def turning_fault(made: Made, text: str) -> list[str]:
    """Return, in words, a turning point of the review that differs from the true one."""
    from hsearch import formats  # noqa: PLC0415
    from player.study.examine import review_game  # noqa: PLC0415
    from player.study.review import EFFORTS  # noqa: PLC0415

    found = review_game(formats.read(text), EFFORTS["normal"]).turning_point
    wanted = made.turning_point()
    return [] if found == wanted else [f"turning point {found} instead of {wanted}"]


def main(arguments: list[str]) -> int:
    """Make as many records as the command line requests; return 1 if one was misread."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=4, help="board whose reviews are checked")
    options = parser.parse_args(arguments)
    said = partial(print, flush=True)
    made_by, wrong, reviewed = Counter(), 0, 0
    chance = Random(options.seed)  # noqa: S311 - a sample, not a secret
    for number, (dialect, made, text) in enumerate(records(chance), 1):
        if number > options.count:
            break
        made_by[dialect] += 1
        try:
            bad = faults(dialect, made, text)
            if made.side <= options.largest:
                reviewed += 1
                bad += turning_fault(made, text)
        except ValueError as error:
            bad = [f"{type(error).__name__}: {error}"]
        if bad:
            wrong += 1
            if wrong <= 20:
                said(dialect, made, repr(text), bad, sep="\n   ")
        if number % max(1, options.count // 20) == 0:
            said(f"{number:,}: {wrong} wrong, {reviewed:,} reviewed")
    said(dict(made_by))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
