"""Files that the program writes and reads again: damaged ones, all listed, and written safely."""

import ast
import io
import re
import resource
import time
import zipfile
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutated
from nightly import IS_NIGHTLY
from places import ROOT
from stored_files import FOR_OTHERS, FORMATS
from stored_rows import EVENT

from hsearch.formats import npz
from player.cli import main
from player.dark.long_run import CheckpointError
from player.engine.results import Rows

EXAMPLES = 2000 if IS_NIGHTLY else 50
COMMANDS = 50 if IS_NIGHTLY else 6
MOST_SECONDS = 10
MOST_MEMORY = 1 << 20  # kilobytes
SEEDS = st.integers(0, 2**32 - 1)
NAMES = [stored.name for stored in FORMATS]
LONG = {"net", "checkpoint of cfr+"}  # several arrays, each of which may be damaged


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder for files that are read once."""
    return tmp_path_factory.mktemp("stored")


def damaged(stored, content, seed):
    """Return a damaged file of a format, half of them below checksum and packing."""
    chance = Random(seed)  # noqa: S311 - not a secret
    if stored.inner is None or chance.random() < 0.5:
        return mutated(chance, content)
    return stored.inner(content, lambda inner: mutated(chance, inner))


@pytest.mark.parametrize("stored", FORMATS, ids=NAMES)
def test_each_written_sample_is_read(stored, folder):
    """Each sample is read without a fault, and reading leaves it unchanged."""
    path = folder / "whole"
    path.write_bytes(stored.sample(folder))

    found = stored.read(path)
    assert found is not None or stored.errors  # a cache that cannot be read would be made again
    if stored.command is not None:
        words, typed = stored.command(path)
        done = CliRunner().invoke(main, words, input=typed)
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "stored",
    [pytest.param(k, id=k.name, marks=[pytest.mark.slow] * (k.name in LONG)) for k in FORMATS],
)
def test_damaged_files_are_read_or_refused_in_bounded_time(stored, folder):
    """The reader raises its own error in bounded time and memory, and overwrites nothing."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sample = stored.sample(folder)
    path = folder / "damaged"

    @settings(max_examples=EXAMPLES)
    @given(SEEDS)
    def check(seed):
        content = damaged(stored, sample, seed)
        path.write_bytes(content)
        start = time.process_time()
        try:
            stored.read(path)
        except stored.errors:
            assert path.read_bytes() == content
        assert time.process_time() - start < MOST_SECONDS

    check()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


@pytest.mark.slow
@pytest.mark.parametrize(
    "stored", [k for k in FORMATS if k.command], ids=lambda stored: stored.name
)
def test_commands_refuse_damaged_files_in_one_line(stored, folder):
    """The exit code is 3 and the file is named; there is no internal error."""
    sample = stored.sample(folder)
    path = folder / "given"
    words, typed = stored.command(path)

    @settings(max_examples=COMMANDS)
    @given(SEEDS)
    def check(seed):
        content = damaged(stored, sample, seed)
        path.write_bytes(content)
        done = CliRunner().invoke(main, words, input=typed)
        assert not done.stderr.startswith("hsearch: "), done.stderr
        assert done.exit_code in {0, 1, 3}, done.output
        if done.exit_code == 3:
            assert re.fullmatch(rf"(?:warning: .*\n)*{re.escape(str(path))}:[^\n]+\n", done.stderr)
            assert path.read_bytes() == content

    check()


@pytest.fixture(scope="module")
def modules():
    """Return the syntax nodes of each module by its name."""
    return {
        path.relative_to(ROOT).with_suffix("").as_posix(): [*ast.walk(ast.parse(path.read_text()))]
        for package in ("hsearch", "player")
        for path in sorted((ROOT / package).rglob("*.py"))
    }


WRITING = {
    "write_whole",
    "write_kept",
    "whole",
    "whole_or_xz",
    "write_file",
    "Lines",
    "write_text",
    "write_bytes",
    "savefig",
}
OF_CLICK = {"super().write_text", "formatter.write_text"}  # into a help text
OUTSIDE = {"savez", "savez_compressed", "save_npz", "tofile", "mkstemp", "NamedTemporaryFile"}


def _called(node):
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_of_click(function):
    return getattr(function, "attr", "") == "write_text" and ast.unparse(function) in OF_CLICK


def _writes(node):
    """Return whether a node of a module writes a file, or names the schema of a file."""
    if isinstance(node, ast.Assign):
        return any(getattr(target, "id", "") == "SCHEMA" for target in node.targets)
    if not isinstance(node, ast.Call) or _is_of_click(node.func):
        return False
    if _called(node) in {"open", "fdopen"}:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(getattr(v, "attr", "") == "O_CREAT" for arg in values for v in ast.walk(arg)):
            return True
        modes = [v.value for arg in values for v in ast.walk(arg) if isinstance(v, ast.Constant)]
        return any(re.fullmatch("[rwaxbt+]*[wax+][rwaxbt+]*", str(mode)) for mode in modes)
    if _called(node) == "connect":
        return getattr(getattr(node.func, "value", None), "id", "") == "sqlite3"
    return _called(node) in WRITING | OUTSIDE


@pytest.mark.slow
def test_every_module_that_writes_files_is_listed(modules):
    """Each is listed under the formats that are damaged above, or under those for others."""
    known = {writer for stored in FORMATS for writer in stored.writers} | set(FOR_OTHERS)
    found = {name for name, nodes in modules.items() if any(map(_writes, nodes))}

    assert found == known, "add the format to FORMATS in tests/support/stored_files.py"


JSON = {"json", "msgspec.json", "orjson", "simplejson", "ujson"}


def _imported(node):
    """Return the modules that a node imports or accesses."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    may_be = isinstance(node, ast.Attribute) and any(name.endswith(node.attr) for name in JSON)
    return {ast.unparse(node)} if may_be else set()


@pytest.mark.slow
def test_files_are_written_in_one_place(modules):
    """No other module opens a file to write to it, or uses `json`.

    Exceptions are kernels, which import nothing of the project, and the cache of windows, which
    SQLite writes.
    """
    raw, json_users = set(), set()
    for name, nodes in modules.items():
        for node in nodes:
            if _imported(node) & JSON:
                json_users.add(name)
            is_call = isinstance(node, ast.Call) and _called(node) not in {"savez", "savefig"}
            if is_call and _called(node) not in WRITING - {"write_text", "write_bytes"}:
                raw |= {name} if _writes(node) else set()

    assert raw == {
        "hsearch/formats/files",
        "hsearch/kernels/folder",
        "hsearch/connect/window_answers",
    }
    assert json_users == {"hsearch/formats/strict"}


def test_a_checkpoint_whose_header_is_damaged_is_refused(folder):
    """A damaged version number of the archive gives an ordinary error."""
    stored = next(k for k in FORMATS if k.name == "checkpoint of cfr+")
    content = bytearray(stored.sample(folder))
    at = content.rindex(b"PK\1\2")
    content[at + 6 : at + 8] = (155).to_bytes(2, "little")
    path = folder / "damaged"
    path.write_bytes(content)
    words, typed = stored.command(path)
    done = CliRunner().invoke(main, words, input=typed)

    assert done.exit_code == 3
    assert done.stderr.startswith(f"{path}: not a checkpoint, kept as it is: ")
    assert path.read_bytes() == content


@pytest.mark.parametrize("method", ["cfr+", "rcfr", "mccfr-outcome", "double-oracle"])
def test_a_checkpoint_with_a_long_number_is_refused_at_once(folder, method):
    """A long number in the shape of an array is refused at once."""
    stored = next(k for k in FORMATS if k.name == f"checkpoint of {method}")
    path = folder / "damaged"
    with (
        zipfile.ZipFile(io.BytesIO(stored.sample(folder))) as old,
        zipfile.ZipFile(path, "w") as new,
    ):
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, re.sub(rb"\((\d*),?\), }", rb"(" + b"7" * 60 + b"x), }", data))

    with pytest.raises(CheckpointError, match="no array of numbers or text"):
        stored.read(path)


@pytest.mark.parametrize("field", ["game", "seed", "seconds", "nodes"])
@pytest.mark.parametrize("number", ["1e999", "1" + "0" * 400, "NaN", "-1"])
def test_a_row_with_a_number_too_large_is_refused(folder, field, number):
    """The error names the line and the field."""
    stored = FORMATS[0]
    lines = stored.sample(folder).decode().splitlines()
    lines[2] = re.sub(rf'("{field}": \[?)[0-9.e-]+', rf"\g<1>{number}", lines[2])
    path = folder / "damaged"
    path.write_text("\n".join(lines) + "\n")
    words, typed = stored.command(path)
    done = CliRunner().invoke(main, words, input=typed)

    assert done.exit_code == 3
    assert done.stderr.startswith(f"{path}:3: not a row of a game: ")
    assert field in done.stderr or "not JSON" in done.stderr


@given(back=st.integers(1, 400), rest=st.sampled_from([b"", b"\0" * 512, b"\xff", b"\xc3"]))
def test_an_incomplete_last_line_is_dropped(folder, back, rest):
    """Only a line with its end is kept; new lines overwrite the rest."""
    content = FORMATS[0].sample(folder)
    last = content.rindex(b"\n", 0, -1) + 1
    back = min(back, len(content) - last)
    path = folder / "cut"
    path.write_bytes(content[:-back] + rest)
    rows = Rows(path, EVENT)
    whole = back == 1 and not rest

    assert len(rows.games) == 2 + whole
    assert rows.cut == (not whole and len(content) - back + len(rest) > last)
    rows.add(Rows(_written(folder, content), EVENT).games[2]) if not whole else None
    assert len(Rows(path, EVENT).games) == 3


def _written(folder, content):
    path = folder / "all"
    path.write_bytes(content)
    return path


def test_saving_arrays_uses_no_numpy_option(folder, monkeypatch):
    """No option of numpy is used: before numpy 2.1 it would become one more array."""
    given, savez = {}, np.savez
    monkeypatch.setattr(np, "savez", lambda file, **all_: given.update(all_) or savez(file, **all_))
    npz.save(folder / "arrays.npz", "hsearch/x/1", {"a": 1}, {"b": np.arange(3)})
    about, arrays = npz.load(folder / "arrays.npz", "hsearch/x/1", "thing")

    assert about["a"] == 1
    assert arrays["b"].tolist() == [0, 1, 2]
    assert {*given} == {"header", "b"}
    with pytest.raises(TypeError, match="objects have no bytes"):
        npz.save(folder / "objects.npz", "hsearch/x/1", {}, {"b": np.array([folder])})
    assert not (folder / "objects.npz").exists()
