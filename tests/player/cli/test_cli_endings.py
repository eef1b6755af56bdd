"""How commands end: exit codes, one line on stderr, no traceback."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
import types
from pathlib import Path

import click
import forking
import pytest
from click.testing import CliRunner
from commands import groups, verbs
from places import ROOT, needs_full_device

from player.cli import COMMANDS, main
from player.console.command import Command, FailedError, InputError, _Signals

# Commands that run without arguments.
WORKING = {"play", "board", "gtp", "chance", "warm", "bench"}
WORKING |= {"template list", "dark matrix", "dark table"}

# The environment of a process as a user starts it, with buffered output.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
DOING = """
import sys, time, types, click
from player.cli import COMMANDS, main

@click.command("act")
def act():
    {}

sys.modules["acting"] = types.SimpleNamespace(act=act)
COMMANDS["act"] = ("acting", "")
main(["act"])
"""
IMPORTED = """
import sys
from player.cli import main
try:
    main({arguments})
except SystemExit as end:
    heavy = {{"numpy", "numba", "scipy", "rich", "bitarray", "importlib.metadata"}}
    print(end.code, sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


@pytest.fixture
def ending(monkeypatch):
    """Return a function that runs a command which raises the given error."""

    def run(error, *before):
        @click.command("fail")
        def fail():
            raise error

        monkeypatch.setitem(COMMANDS, "fail", ("failing", "Fail."))
        monkeypatch.setitem(sys.modules, "failing", types.SimpleNamespace(fail=fail))
        return CliRunner().invoke(main, [*before, "fail"])

    return run


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (RuntimeError("two\nlines"), 1, "hsearch: RuntimeError: two\\nlines\n"),
        (ValueError(), 1, "hsearch: ValueError\n"),
        (RecursionError("deep"), 1, "hsearch: RecursionError: deep\n"),
        (MemoryError(), 1, "hsearch: MemoryError\n"),
        (FailedError("out.svg: no space"), 1, "out.svg: no space\n"),
        (InputError("x.sgf: 3:14: 'z9' is off the 3x3 board"), 3, None),
        (click.UsageError("no"), 2, None),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_each_exception_has_an_exit_code_and_no_traceback(ending, error, code, message):
    """A failure prints one line, an interruption or a closed pipe none."""
    result = ending(error)

    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    if message is not None:
        assert result.stderr == message


@pytest.mark.parametrize("before", [(), ("--debug",)])
def test_an_error_that_ctrl_c_has_caused_is_an_interruption(ending, before):
    """An error caused by Ctrl-C, as numba raises between Python and a kernel, ends with 130."""
    error, cause = SystemError("a result with an exception set"), ValueError("between them")
    error.__cause__, cause.__cause__ = cause, KeyboardInterrupt()
    result = ending(error, *before)

    assert (result.exit_code, result.output) == (130, "")


def test_debug_lets_the_traceback_through(ending):
    """Only with --debug does the exception leave the command line."""
    error = RuntimeError("a fault")

    assert ending(error, "--debug").exception is error
    assert isinstance(ending(error).exception, SystemExit)


KERNEL = """
    import hashlib
    from player.console.screen import interruptible
    click.echo("ready")
    interruptible(lambda: hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**9))
"""


# A kernel in the main thread: Python's handler runs only after it returns.
ENDLESS = """
    sys.path.append("tests/support")
    from endless import find_all
    click.echo("ready")
    find_all()
"""
# An exception in a callback from compiled code, as from LLVM, is lost.
CALLED_BACK = """
    import ctypes
    def wait(_number):
        click.echo("ready")
        begin = time.monotonic()
        while time.monotonic() < begin + 2:
            pass
        return 0
    ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(wait)(1)
    time.sleep(60)
"""


# Another thread gets a signal that the main thread has blocked.
BLOCKED = """
    import os, signal, threading
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    click.echo("ready")
    begin = time.monotonic()
    try:
        while time.monotonic() < begin + 2:
            pass
    except KeyboardInterrupt:
        os._exit(7)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    time.sleep(60)
"""


LOADING = """
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from player import main
main()
"""


def test_ctrl_c_during_the_first_imports_ends_silently_with_130():
    """Ctrl-C during the first imports ends silently with 130, as the command is `player:main`."""
    done = subprocess.run(  # noqa: S603 - our own text
        [sys.executable, "-c", LOADING], cwd=ROOT, capture_output=True, text=True, check=False
    )
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert scripts == {"hsearch": "player:main"}


@pytest.mark.parametrize(
    ("body", "signals"),
    [
        ('click.echo("ready"); time.sleep(60)', 1),
        ('click.echo("ready"); time.sleep(60)', 2),
        (KERNEL, 1),
        (ENDLESS, 1),
        (ENDLESS, 2),
        (CALLED_BACK, 1),
        (BLOCKED, 1),
    ],
)
def test_ctrl_c_ends_with_130(body, signals):
    """Ctrl-C ends a working process with 130 and no output, even deep in compiled code."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", DOING.format(body)],
        cwd=ROOT,
        env=BUFFERED,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)  # let it get from the line to the work
        for _ in range(signals):
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=100)
        finally:
            process.kill()

    assert (process.returncode, out, err) == (130, "", "")


def test_the_handler_of_a_signal_does_not_begin_inside_itself():
    """Python calls it again for a signal that comes meanwhile, while it holds a lock."""
    signals, waiting = _Signals(), []

    class Arrival(threading.Event):
        def wait(self, _timeout=None):
            waiting.append(signal.SIGINT)
            before = len(waiting)
            if before == 1:
                signals.handle(signal.SIGINT, None)
            assert len(waiting) == before
            return True

    signals._arrival = Arrival()  # noqa: SLF001 - in which a signal comes
    signals.handle(signal.SIGINT, None)

    assert len(waiting) == 2  # the second signal is handled after the first


def written_to(out, program):
    """Return the exit code and stderr of a process whose stdout is a file."""
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *program],
        cwd=ROOT,
        env=BUFFERED,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return result.returncode, result.stderr


PROGRAMS = [
    ["-m", "player.cli", "--help"],
    ["-m", "player.cli", "show", "--help"],
    ["-m", "player.cli", "--version"],
    ["-c", DOING.format('print("not flushed yet")')],
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_closed_pipe_is_silent(program):
    """Writing to a pipe whose reader has gone ends silently with 141."""
    reading, writing = os.pipe()
    os.close(reading)
    ending = written_to(writing, program)
    os.close(writing)

    assert ending == (141, "")


ENDLESS = [
    "tournament random ab:depth=1 --size 3 --games 1 --resume",
    "review a1 --size 3 --effort quick --resume",
    "experiment 1 --games 1 --resume",
    "solve a1 --size 3 --resume",
    "template find --row 2 --resume",
    "dark solve 2x2 --resume",
    "learn gate --size 8",
    "analyze a1 --size 3 --player tree:net=",
    "tournament random ab:depth=1 --size 3 --games 1 --openings=",
]


@pytest.fixture(scope="module")
def small_machine(tmp_path_factory):
    """Return the program limited to the memory of a small machine, forked from one server."""
    resource = pytest.importorskip("resource", reason="needs limits of memory")
    usual = resource.getrlimit(resource.RLIMIT_AS)
    folder = tmp_path_factory.mktemp("small")
    resource.setrlimit(resource.RLIMIT_AS, (8_000_000 << 10, usual[1]))
    try:
        with forking.programs(folder, ROOT):
            resource.setrlimit(resource.RLIMIT_AS, usual)
            yield folder / "bin" / "hsearch"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
@pytest.mark.parametrize("words", ENDLESS)
def test_an_endless_device_is_not_read_into_memory(small_machine, words):
    """An endless device is refused in one line that names it, on a small machine."""
    blank = "" if words.endswith("=") else " "
    done = subprocess.run(  # noqa: S603 - our own words
        [small_machine, *f"{words}{blank}/dev/zero".split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode in {1, 2, 3}
    said = done.stderr.removeprefix("compiling kernels, kept for later runs ...\n")
    assert re.fullmatch(r"[^\n]*/dev/zero[^\n]*\n", said)
    assert "MemoryError" not in done.stderr


@needs_full_device
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_full_disk_is_reported_in_one_line(program):
    """A full disk is reported in one line, also when only the last flush fails."""
    with Path("/dev/full").open("w") as full:
        code, errors = written_to(full, program)

    assert code == 1
    assert errors == "stdout: cannot be written: No space left on device\n"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_loads_nothing_heavy(arguments):
    """Help imports no heavy module: the list of commands is printed from a table."""
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", IMPORTED.format(arguments=arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.stderr.splitlines()[-1] in {"0 []", "2 []"}
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout + result.stderr


ALGEBRA = """
import player.cli, numpy, psutil
numpy.linalg.inv(numpy.eye(200))
print(psutil.Process().num_threads())
"""


def test_commands_do_algebra_in_one_thread():
    """The threads of numpy's algebra would spin where other processes use the cores."""
    environment = {name: text for name, text in os.environ.items() if "_NUM_THREADS" not in name}
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", ALGEBRA],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stdout == "1\n"


def test_version_prints_hsearch_python_numpy_and_numba():
    """`--version` prints the versions of hsearch, Python, numpy and numba."""
    result = CliRunner().invoke(main, ["--version"])

    assert result.exit_code == 0
    assert [part.split()[0] for part in result.stdout.split(", ")] == [
        "hsearch",
        "Python",
        "numpy",
        "numba",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("analyse", "analyze"),
        ("mustpaly", "mustplay"),
        ("opening", "openings"),
        ("evalute", "evaluate"),
    ],
)
def test_a_misspelled_command_suggests_the_nearest_one(typed, meant):
    """A misspelled command is answered with the command it resembles."""
    result = CliRunner().invoke(main, [typed, "x.sgf"])

    assert result.exit_code == 2
    assert f"No such command '{typed}'. Did you mean {meant}" in result.stderr


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("hsearch ana", "plain,analyze"),
        ("hsearch analyze --temp", "plain,--templates"),
        ("hsearch analyze ga", "file,ga"),
        ("hsearch review ga", "file,ga"),
        ("hsearch help ana", "plain,analyze"),
    ],
)
def test_a_shell_completes_commands_and_options(program, typed, offered):
    """A shell completes commands, options and files, as set up in `first-position.md`."""
    words = typed.split()
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    source, completed = (
        subprocess.run(  # noqa: S603 - our own program
            [program],
            cwd=ROOT,
            env=os.environ | asked | {"_HSEARCH_COMPLETE": how},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for how in ("bash_source", "bash_complete")
    )

    assert "_HSEARCH_COMPLETE=bash_complete" in source
    assert f"{offered}\n" in completed


@pytest.mark.parametrize("words", list(verbs()), ids=" ".join)
def test_every_command_explains_itself_with_examples(words):
    """The help of each command ends with two or three example commands."""
    result = CliRunner().invoke(main, [*words, "--help"])
    examples = result.stdout.partition("Examples:\n")[2].splitlines()

    assert result.exit_code == 0
    assert 2 <= len(examples) <= 3
    assert all(f"hsearch {' '.join(words)}" in line for line in examples)


@pytest.mark.parametrize("name", list(groups()))
def test_every_group_has_examples_of_its_commands(name):
    """The help of a group repeats two or three examples from its commands."""
    result = CliRunner().invoke(main, [name, "--help"])
    examples = result.stdout.partition("Examples:\n")[2].splitlines()
    inner = main.get_command(None, name).commands.values()

    assert 2 <= len(examples) <= 3
    assert {line.strip() for line in examples} <= {line for each in inner for line in each.examples}


@pytest.mark.parametrize("arguments", [["shwo"], ["show"], ["show", "x", "--colour"], ["--bad"]])
def test_wrong_usage_ends_with_2(arguments):
    """Unknown commands or options and missing arguments end with 2."""
    assert CliRunner().invoke(main, arguments).exit_code == 2


@pytest.mark.parametrize("words", list(verbs()), ids=" ".join)
def test_a_command_without_arguments_names_the_missing_ones(words, monkeypatch):
    """A command without arguments names what is missing, or starts if nothing is."""
    begins = " ".join(words) in WORKING
    if begins:
        monkeypatch.setattr(Command, "invoke", lambda *_: None)
    result = CliRunner().invoke(main, words)

    assert result.exit_code == (0 if begins else 2), result.output
    assert begins or re.match(rf"main {' '.join(words)}: .+ (is missing|needed)", result.stderr)
    assert "hsearch: " not in result.stderr


def test_a_picture_goes_into_a_pipe():
    """`--svg /dev/stdout` writes into a pipe, which has no name on the disk."""
    words = [sys.executable, "-m", "player.cli", "show", "a1", "--size", "3", "--svg"]
    command = [*words, "/dev/stdout"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # noqa: S603

    assert done.returncode == 0, done.stderr
    assert b"</svg>" in done.stdout


def test_a_warning_is_printed_in_one_line():
    """A warning is printed in one line, without the place in the code that Python adds."""
    code = (
        "import warnings; from click.testing import CliRunner; from player.cli import main; "
        "CliRunner().invoke(main, ['show', 'a1']); warnings.warn('f: no\\ncache', stacklevel=1)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603

    assert done.stderr == "warning: f: no\\ncache\n"


def test_a_lone_file_is_analyzed_and_help_and_version_are_commands(tmp_path):
    """A file alone is analyzed, and `help` and `version` work as words and as options."""
    game = tmp_path / "game.sgf"
    game.write_text("(;GM[11]FF[4]SZ[3];B[b2])")

    def output(*words):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        return re.sub(r"Time: .*", "", result.output)

    assert output(str(game)) == output("analyze", str(game))
    assert output("help", str(game)) == output("analyze", "--help")
    assert output("help") == output("help", "help") == output("--help")
    assert output("help", "dark", "solve") == output("dark", "solve", "--help")
    assert output("version") == output("help", "version") == output("-v") == output("--version")


@pytest.mark.parametrize("command", ["analyze", "mustplay", "review"])
@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize(
    ("size", "board"), [("", "11x11 is '{}11'"), ("5", "5x5 is '{}5'"), ("5x9", "5x9 is '{}5x9'")]
)
def test_an_empty_file_name_suggests_the_link_of_an_empty_board(command, name, size, board):
    said = CliRunner().invoke(main, [command, name, *(("--size", size) if size else ())])

    link = board.format("https://hexworld.org/board/#")
    assert said.stderr == f"the name of a file is empty; an empty board of {link}\n"
    assert said.exit_code == 3


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("analyze", "GAME", "50"), 3, "50: No such file or directory; a move is --move 50"),
        (("explain", "GAME", "Top"), 3, "No such file or directory; two ends are --between Top Y"),
        (("analyze", ""), 3, "the name of a file is empty"),
        (("verify", ""), 3, "the name of a file is empty"),
        (("dark", "verify", ""), 3, "the name of a file is empty"),
        (("analyze", "NOTE"), 3, "'hello' is not a move; what is read is SGF, a link of HexWorld"),
        (("verify", "GAME"), 3, "line 1: not JSON: "),
        (("verify", "GAME"), 3, "; a proof is what `solve --proof` writes"),
        (("show", "WRONG"), 3, "'XX' is x24: 'x24' is off the 11x11 board"),
        (("show", "#14,a10b2c3:rb", "--moves"), 1, "and black plays resign out of turn"),
    ],
)
def test_an_input_error_is_reported_in_one_line_with_a_hint(tmp_path, words, code, told):
    """A slip is reported in one line that quotes the input and says what to do."""
    texts = {
        "GAME": "(;GM[11]FF[4]SZ[3];B[b2])",
        "NOTE": "hello",
        "WRONG": "(;GM[11]SZ[11];B[a1];W[XX])",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    given = [str(tmp_path / word) if word in texts else word for word in words]
    result = CliRunner().invoke(main, given)

    assert result.exit_code == code
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


LONG = "x" * 300


@pytest.mark.parametrize(
    "words",
    [
        (LONG,),
        ("analyze", "c3", "--size", "5", "--svg", f"{LONG}.svg"),
        ("solve", "c3", "--size", "5", "--resume", LONG),
        ("show", LONG),
        ("play", "--puzzle", LONG),
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_bad_input(words):
    """A file name that is too long is bad input, as an argument or an option."""
    done = CliRunner().invoke(main, words)

    assert done.exit_code == 3
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(": File name too long\n")
