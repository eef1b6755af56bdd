"""A GTP engine in plain Python that moves at random: what `gtp:` asks of an engine, and no more."""

import random
import sys

stones, cells = {}, []


def answer(command, *words):
    """Return the text of a reply; raise KeyError for a command that is unknown."""
    if command == "boardsize":  # columns, rows
        columns, rows = int(words[0]), int(words[-1])
        cells[:] = [f"{chr(97 + c)}{r + 1}" for c in range(columns) for r in range(rows)]
        stones.clear()
    elif command == "clear_board":
        stones.clear()
    elif command == "play":  # a color and a cell, `swap-pieces` or `resign`
        if words[1] == "swap-pieces":
            ((cell, _),) = stones.items()
            column, row = ord(cell[0]) - 97, int(cell[1:])
            stones.clear()
            words = words[0], f"{chr(96 + row)}{column + 1}"
        stones[words[1]] = words[0]
    elif command == "genmove":  # a color
        cell = random.choice([cell for cell in cells if cell not in stones])
        stones[cell] = words[0]
        return cell
    else:
        return {"name": "random", "version": "1", "protocol_version": "2", "quit": ""}[command]
    return ""


for line in sys.stdin:
    if not (words := line.split()):
        continue
    try:
        print(f"= {answer(*words)}\n", flush=True)
    except KeyError:
        print("? unknown command\n", flush=True)
    if words[0] == "quit":
        break
