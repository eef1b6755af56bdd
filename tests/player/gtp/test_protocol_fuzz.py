"""Hostile input: every command is answered, and the session survives."""

import os

import pytest
from hexgui import answer, ask, blocks, send
from hypothesis import given
from hypothesis import strategies as st

from player.gtp.arguments import Arguments
from player.gtp.serving import Call, CommandError, Request, request, serve
from player.gtp.session import Session
from player.gtp.table import COMMANDS, GtpCommand, execute

WORDS = [
    *("b", "w", "black", "WHITE", "empty", "north", "west", "EAST", "a1", "b2", "C3", "d4", "z26"),
    *("swap", "swap-pieces", "resign", "pass", "0", "1", "-1", "1e9", "99999999999", "2:3", "nan"),
    *(
        "allow_swap",
        "M",
        "K",
        "player",
        "hexy:depth=0",
        "gtp:false",
        "\u0663",
        "\ud800",
        "%c",
        "[",
        "]",
        "''",
    ),
]
# These write files or take long by design.
LEFT_OUT = {"printsgf", "hsearch-proof", "gogui-gfx-analyze", "quit"}
NAMES = [*sorted(COMMANDS.keys() - LEFT_OUT), "nonsense", "=", "?", ""]


def commands():
    """Return a strategy for lines that are roughly commands."""
    words = st.lists(st.sampled_from(WORDS), max_size=4)
    return st.builds(lambda name, rest: " ".join([name, *rest]), st.sampled_from(NAMES), words)


def lines():
    """Return a strategy for lines that may have any characters."""
    return st.one_of(commands(), st.text(st.characters(exclude_characters="\n"), max_size=30))


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path, monkeypatch):
    """Run each test in an empty folder, where commands look for files."""
    monkeypatch.chdir(tmp_path)


def quick_session():
    """Return a session on a small board with a quick player."""
    session = Session()
    session.settings.player = "random"
    session.settings.solve_time = 0.2
    ask(session, "boardsize 3")
    return session


def is_command(line):
    """Return whether a line requires a reply."""
    return request(line) is not None


@given(st.lists(lines(), max_size=12))
def test_every_command_gets_one_reply(sent):
    """Each command gets one block without an internal error."""
    session = quick_session()
    sent = [line for line in sent if not line.lower().startswith(tuple(LEFT_OUT))]
    replies = send(sent, session)

    assert len(replies) == sum(map(is_command, sent))
    for reply in replies:
        assert "internal error" not in reply
        answer(reply)
    assert ask(session, "name") == "hsearch"


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_invalid_bytes_are_answered(pieces):
    """Invalid bytes, decoded as by the transport, are answered."""
    text = b"\n".join(pieces).decode("utf-8", errors="replace")
    sent = [
        line for line in text.split("\n") if not line.strip().lower().startswith(("stop", "# int"))
    ]
    replies = send([line for line in sent if "quit" not in line], quick_session())

    assert all(answer(reply) for reply in replies)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_wrong_number_of_arguments_is_a_syntax_error(name):
    """Too few or too many arguments are a syntax error that shows the usage."""
    session, row = quick_session(), COMMANDS[name]
    for count in range(6):
        if row.takes(count):
            continue
        (reply,) = send([" ".join([name, *["a1"] * count])], session)
        assert reply == f"? syntax error: usage: {name} {row.usage}".rstrip()


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ("", {0}),
        ("COLOR", {1}),
        ("COLOR X Y", {3}),
        ("[COLOR]", {0, 1}),
        ("[KEY VALUE]", {0, 2}),
        ("FILE [MOVES]", {1, 2, 3, 4}),  # a file name may have blanks
        ("[FILE]", {0, 1, 2, 3, 4}),
        ("MOVE...", {0, 1, 2, 3, 4}),
        ("SYSTEM NUMBER...", {1, 2, 3, 4}),
    ],
)
def test_the_usage_gives_the_number_of_arguments(usage, counts):
    """Brackets mark optional arguments, which may come in groups."""
    row = GtpCommand("name", usage, "", "")

    assert {count for count in range(5) if row.takes(count)} == counts


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_unknown_colors_and_points_are_refused(command):
    """Each command refuses an unknown color or point in each place."""
    usage = COMMANDS[command].usage.replace("[", "").replace("]", "").split()
    good = {"COLOR": "b", "X": "a1", "Y": "a2", "POINT": "a1", "MOVE": "a1", "TYPE": "0"}
    good |= {"SECONDS": "1", "STONES": "0"}
    for place, word in enumerate(usage):
        if word not in {"COLOR", "X", "Y", "POINT"}:
            continue
        for bad in ("empty", "z9", "\ud800"):
            words = [good.get(each, "0") for each in usage]
            words[place] = bad
            (reply,) = send([" ".join([command, *words])], quick_session())
            assert reply.startswith(f"? argument {place + 1} must be "), (words, reply)


def test_replies_can_be_encoded():
    """Replies that repeat invalid characters can be encoded."""
    out, into = os.pipe()
    session = quick_session()

    def write(text):
        os.write(into, text.encode("utf-8", errors="backslashreplace"))

    serve(["play \ud800 a1", "name"], write, lambda asked, call: execute(session, asked, call))
    os.close(into)
    text = os.read(out, 10_000).decode()
    os.close(out)
    assert len(blocks(text)) == 2


def test_every_row_names_its_handler():
    """Each row of the table names a function of a module of `player.gtp`."""
    unknown = []
    for row in COMMANDS.values():
        try:
            handler = row.load()
        except (ImportError, AttributeError) as error:
            unknown.append((row.name, str(error)))
        else:
            assert handler.__name__ == row.handler.partition(":")[2]

    assert unknown == []


def test_only_listed_commands_run_a_handler():
    """Only names of the table run a handler, and bad arguments raise CommandError."""
    session = quick_session()
    with pytest.raises(CommandError, match="unknown command"):
        execute(session, Request("", "_history", ()), Call())
    with pytest.raises(CommandError, match="argument 1 must be color"):
        Arguments(("x",), session.board).color(0)
