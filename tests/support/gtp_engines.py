"""Small GTP engines for the tests of clients: correct, dead, silent and faulty ones.

Run as `python gtp_engines.py KIND`. Each knows just enough of Hex to play the first empty cell.
"""

import sys
import time

KIND = sys.argv[1] if len(sys.argv) > 1 else "first"


def main():
    """Answer commands until `quit`."""
    size, taken = (1, 1), set()
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if not words:
            continue
        name, *arguments = words
        if name == "boardsize":
            size, taken = (int(arguments[0]), int(arguments[-1])), set()
        elif name == "clear_board":
            taken = set()
        elif name == "play":
            taken.add(arguments[1])
        elif name == "time_left" and KIND != "first":
            answer("unknown command", sign="?")
            continue
        answer(genmove(size, taken) if name == "genmove" else "")
        if name == "quit":
            return


def genmove(size, taken):
    """Return the first empty cell, or misbehave."""
    if KIND == "dies":
        sys.stderr.write("out of luck\n")
        sys.exit(3)
    if KIND == "hangs":
        time.sleep(60)
    if KIND == "sleeps":
        time.sleep(0.5)
    if KIND == "computes":
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass
    if KIND == "garbage":
        sys.stdout.write("I think a1 is nice\n\n")
        return ""
    if KIND in {"resign", "swap", "z9", "a1"}:
        return KIND
    names = (f"{chr(ord('a') + c)}{r + 1}" for r in range(size[1]) for c in range(size[0]))
    move = next(name for name in names if name not in taken)
    taken.add(move)
    return move


def answer(text, sign="="):
    """Print a reply as the protocol requires."""
    sys.stdout.write(f"{sign} {text}\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
