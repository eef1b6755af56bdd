"""Lines to requests, texts to replies, and an interruption on its own thread."""

import os
import threading
import tracemalloc

import pytest
from hexgui import answer, blocks
from hypothesis import given
from hypothesis import strategies as st

from player.gtp.serving import (
    LONGEST_LINE,
    CommandError,
    QuitError,
    Request,
    lines_of,
    reply,
    request,
    serve,
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", Request("", "name", ())),
        ("  12  play\tb  c3 ", Request("12", "play", ("b", "c3"))),
        ("undo # twice", Request("", "undo", ())),
        ("un\x01do\x7f\r", Request("", "undo", ())),
        ('loadsgf "my game.sgf" 3', Request("", "loadsgf", ("my game.sgf", "3"))),
        ('loadsgf "my', Request("", "loadsgf", ('"my',))),
        ("7", Request("7", "", ())),
        ("7a", Request("", "7a", ())),
        ("", None),
        (" \t ", None),
        ("# a comment", None),
    ],
)
def test_a_line_is_read(line, expected):
    """With and without id, arguments, comment, and characters that do not count."""
    assert request(line) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("", ""), "= \n\n"),
        (("7", ""), "=7 \n\n"),
        (("", "a1"), "= a1\n\n"),
        (("", "a\n\nb\n \n\n"), "= a\nb\n\n"),
        (("", "\n a\r\n b\n"), "= \n a\n b\n\n"),
    ],
)
def test_a_reply_is_one_block(arguments, expected):
    """It has a blank after its sign, and no empty line before its end."""
    assert reply(*arguments) == expected


@given(st.text(alphabet="a \n\r\t=?", max_size=20), st.booleans())
def test_any_text_makes_one_block(text, is_success):
    """HexGui finds one reply, and nothing is left for the next command."""
    (block,) = blocks(reply("", text, is_success=is_success))

    assert answer(block)[0] == is_success


def written(*pieces):
    """Return what is read from a pipe to which these bytes are written one by one."""
    out, into = os.pipe()

    def write():
        for piece in pieces:
            os.write(into, piece)
        os.close(into)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        return list(lines_of(out))
    finally:
        thread.join()
        os.close(out)


def test_lines_are_cut_wherever_the_pieces_end():
    """Also with CRLF, without a last line end, and with bytes that are no text."""
    assert written(b"na", b"me\nver", b"sion\r\n", b"\n\xff") == ["name", "version", "", "\ufffd"]
    assert written() == []


def test_a_line_without_end_takes_no_room():
    """What is too long is dropped until the line ends; the next line counts again."""
    pieces = [b"x" * 65536] * 200
    tracemalloc.start()
    endless, following = written(*pieces, b"\nname\n")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert LONGEST_LINE < len(endless) <= LONGEST_LINE + 65536
    assert following == "name"
    assert peak < 5 * LONGEST_LINE


def conversation(lines, handle):
    """Return the replies to lines."""
    out = []
    serve(lines, out.append, handle)
    return blocks("".join(out))


def test_every_command_has_its_reply():
    """Failures and defects are answered like others, comments not at all."""

    def handle(request, _call):
        if request.name == "fail":
            raise CommandError("no")
        if request.name == "break":
            raise ZeroDivisionError("oh\n\nno")
        return request.name

    replies = conversation(["1 a", "# b", "2 fail", "", "3 break", "x" * 2_000_000, "4 c"], handle)

    assert replies == [
        "=1 a",
        "?2 no",
        "?3 internal error: ZeroDivisionError: oh\nno",
        "? line too long",
        "=4 c",
    ]


def test_nothing_is_answered_after_quit():
    """The command itself is, also in the middle of a script."""

    def handle(request, _call):
        if request.name == "quit":
            raise QuitError
        return ""

    assert conversation(["1 a", "2 quit", "3 b"], handle) == ["=1 ", "=2 "]


@pytest.mark.parametrize("word", ["# interrupt", "stop", " #interrupt\r", "STOP"])
def test_an_interruption_reaches_the_command_at_work(word):
    """It has no reply of its own; a second one, and one while nothing runs, do no harm."""
    started = threading.Event()

    def lines():
        yield word
        yield "work"
        started.wait(10)
        yield word
        yield word
        yield "rest"

    def handle(request, call):
        started.set()
        return str(call.cancel.wait(10 if request.name == "work" else 0.05))

    assert conversation(lines(), handle) == ["= True", "= False"]


def test_the_end_of_the_input_interrupts_nothing():
    """All commands of a script are answered."""

    def handle(_request, call):
        return str(call.cancel.wait(0.05))

    assert conversation(["a", "b"], handle) == ["= False"] * 2


def test_a_closed_output_ends_the_session():
    """Also when a handler shows something on the way."""

    def write(_text):
        raise BrokenPipeError

    def handle(_request, call):
        call.show("something")
        return ""

    with pytest.raises(BrokenPipeError):
        serve(["a", "b"], write, handle)
