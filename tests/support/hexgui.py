"""How HexGui parses replies: its framing, and the syntax for each type of command.

Where the two programs of this name differ, the stricter one counts.
"""

import re

from hsearch.hex.board import EDGE_NAMES
from player.gtp.serving import serve
from player.gtp.session import Session
from player.gtp.table import COMMANDS, execute

CODE = re.compile(r"x|fbb|fww|fdw|i[vrd]\[[a-z]+[0-9]+(-[a-z]+[0-9]+)*\]")
PARAMETER = re.compile(r"\[(bool|string|list(/[^/\]]+)+)\] (\S+) (\S+)")


def send(lines, session=None):
    """Return the blocks with which a session answers lines, split as HexGui splits them."""
    session = Session() if session is None else session
    out = []
    serve(lines, out.append, lambda request, call: execute(session, request, call))
    return blocks("".join(out))


def session_of(game, *lines):
    """Return a session that has read these lines, the size of a game's board and its moves."""
    session = Session()
    send([*lines, f"boardsize {game.board.columns}"], session)
    for move in game.moves:
        ask(session, f"play {move.color.word} {move.name(game.board)}")
    return session


def blocks(output):
    """Return a program's output split after each empty line; it must end with one."""
    *found, rest = output.split("\n\n")
    assert rest == "", f"not ended by an empty line: {rest!r}"
    assert not any(block.startswith("\n") for block in found), "an empty line inside a reply"
    return found


def answer(block):
    """Return whether a reply is a success, and its text."""
    match = re.fullmatch(r"([=?])[0-9]* (.*)", block, re.DOTALL)
    assert match is not None, f"no reply: {block!r}"
    return match[1] == "=", match[2]


def ask(session, line):
    """Return the text of the only reply to a line, which must be a success."""
    (block,) = send([line], session)
    is_success, text = answer(block)
    assert is_success, f"{line}: {block}"
    return text


def fail(session, line):
    """Return the text of the only reply to a line, which must be a failure."""
    (block,) = send([line], session)
    is_success, text = answer(block)
    assert not is_success, f"{line}: {block}"
    return text


def check(line, text, session):
    """Check the reply to an analyze command against the syntax of its type."""
    row = COMMANDS[line.split()[0]]
    assert row.item is not None
    READERS[row.item.type](text, session)
    if row.name.startswith(("hsearch-explain", "hsearch-hint")):  # HexGui's window does not wrap
        assert all(len(row) <= 72 for row in text.splitlines())


def records(text, session):
    """Return the records of a reply of type `vc`, each checked."""
    tokens, found = text.split(), []
    while tokens:
        color, x, y, kind, _rule, bracket, *tokens = tokens
        assert color in {"black", "white"}
        assert kind in {"full", "semi"}
        assert bracket == "["
        lists = []
        for opening in (None, "["):
            if opening is not None:
                assert tokens.pop(0) == opening
            end = tokens.index("]")
            lists.append([session.board.cell(name) for name in tokens[:end]])
            tokens = tokens[end + 1 :]
        ends = tuple(map(session.board.point, (x, y)))
        key = session.board.cell(tokens.pop(0)) if kind == "semi" else None
        assert key is None or key in lists[0]
        assert all(session.position.empty[cell] for cell in lists[0])
        found.append((color, ends, kind, lists[0], key))
    return found


def _points(text, session):
    return [session.board.point(word) for word in text.split()]


def _cells(text, session):
    return [session.board.cell(word) for word in text.split()]


def _pairs(text, session):
    words = text.split()
    assert len(words) % 2 == 0
    return list(zip(_cells(" ".join(words[::2]), session), words[1::2], strict=True))


def _texts(text, session):
    # HexGui draws five characters, and hides the first of more than three on 11x11.
    assert all(len(part) <= 3 for _, label in _pairs(text, session) for part in label.split("@"))


def _inferior(text, session):
    for cell, code in _pairs(text, session):
        assert session.position.empty[cell]
        assert CODE.fullmatch(code)


def _line(text, session):
    cells = _cells(text, session)
    assert len(set(cells)) == len(cells)
    assert all(session.position.empty[cell] for cell in cells)


def _parameters(text, _session):
    assert text
    assert all(PARAMETER.fullmatch(line) for line in text.splitlines())


def _group(text, session):
    assert all(word not in EDGE_NAMES for word in text.split()[1:])
    _points(text, session)


def _string(text, _session):
    assert text


READERS = {
    "string": _string,
    "plist": _points,
    "group": _group,
    "pspairs": _texts,
    "var": _line,
    "vc": records,
    "inferior": _inferior,
    "param": _parameters,
}
