"""Lines to requests, texts to replies, and interruptions on a thread of their own."""

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
        ("\ufeffboardsize 5", Request("", "boardsize", ("5",))),
        ('loadsgf "my game.sgf" 3', Request("", "loadsgf", ("my game.sgf", "3"))),
        ('loadsgf "my', Request("", "loadsgf", ('"my',))),
        ("7", Request("7", "", ())),
        ("7a", Request("", "7a", ())),
        ("", None),
        (" \t ", None),
        ("# a comment", None),
    ],
)
def test_a_line_is_parsed_into_id_name_and_arguments(line, expected):
    """A line is read with or without id, arguments, comment and ignored characters."""
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
    """A reply has a blank after its sign and no empty line before its end."""
    assert reply(*arguments) == expected


@given(st.text(alphabet="a \n\r\t=?", max_size=20), st.booleans())
def test_any_text_gives_exactly_one_reply_block(text, is_success):
    """Any text gives HexGui one reply and leaves nothing for the next command."""
    (block,) = blocks(reply("", text, is_success=is_success))

    assert answer(block)[0] == is_success


def written(*pieces):
    """Return the lines read from a pipe to which pieces are written one by one."""
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


def test_lines_are_read_across_pieces_of_input():
    """Lines are read across pieces, with CRLF, without a last line end, and with invalid bytes."""
    assert written(b"na", b"me\nver", b"sion\r\n", b"\n\xff") == ["name", "version", "", "\ufffd"]
    assert written() == []


def test_an_endless_line_uses_bounded_memory():
    """The excess of a long line is dropped, and the next line is read as usual."""
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
    """Failures and internal errors are answered as well; comments are not."""

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
    """`quit` itself is answered, and no later line of a script."""

    def handle(request, _call):
        if request.name == "quit":
            raise QuitError
        return ""

    assert conversation(["1 a", "2 quit", "3 b"], handle) == ["=1 ", "=2 "]


@pytest.mark.parametrize("word", ["# interrupt", "stop", " #interrupt\r", "STOP"])
def test_an_interruption_reaches_the_command_at_work(word):
    """An interruption has no reply; a repeated or an idle one does no harm."""
    started = threading.Event()

    def lines():
        yield word
        yield "work"
        started.wait(100)
        yield word
        yield word
        yield "rest"

    def handle(request, call):
        started.set()
        return str(call.cancel.wait(10 if request.name == "work" else 0.05))

    assert conversation(lines(), handle) == ["= True", "= False"]


def test_the_end_of_the_input_interrupts_nothing():
    """All commands of a script are answered after its end was read."""

    def handle(_request, call):
        return str(call.cancel.wait(0.05))

    assert conversation(["a", "b"], handle) == ["= False"] * 2


def test_a_closed_output_ends_the_session():
    """The session also ends if a handler was showing something."""

    def write(_text):
        raise BrokenPipeError

    def handle(_request, call):
        call.show("something")
        return ""

    with pytest.raises(BrokenPipeError):
        serve(["a", "b"], write, handle)
