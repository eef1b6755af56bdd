"""The pages in `docs` build without warnings, are complete, and load nothing from other hosts."""

import ast
import doctest
import importlib
import inspect
import io
import re
import subprocess
import sys
import tokenize
from dataclasses import fields, is_dataclass
from inspect import isfunction
from typing import get_args, get_type_hints

import click
import pytest
from documents import PAGES, README, ROOT

import hsearch
from hsearch.formats.reading import FORMATS
from player import match
from player.cli import COMMANDS, main
from player.engine.spec import PLAYERS
from player.variants.base import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    RANDOM_TURN,
)

# Sphinx keeps its objects to the end: garbage collection took a third of its time.
BUILDING = """
import gc, sys
from sphinx.cmd.build import main
gc.disable()
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the folder of the built pages."""
    folder = tmp_path_factory.mktemp("docs")
    # A file, as Sphinx takes the text of `-c` for the source of named tuples from Python 3.13 on.
    program = folder / "build.py"
    program.write_text(BUILDING)
    words = ["-q", "-W", "--keep-going", "-d", str(folder / "trees")]
    done = subprocess.run(  # noqa: S603 - our own pages
        [sys.executable, str(program), *words, str(ROOT / "docs"), str(folder / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.mark.slow
def test_the_pages_load_nothing_from_other_hosts(built):
    """Pages load no scripts, styles, fonts or pictures from elsewhere; links may lead there."""
    pages = list(built.rglob("*.html"))
    loaded = re.compile(
        r"""<(?:script|img|iframe|source|object)\b[^>]*\s(?:src|data)=["'](?:https?:)?//"""
        r"""|<link\b[^>]*\srel=["'](?!canonical)[^>]*\shref=["'](?:https?:)?//"""
    )

    assert len(pages) > len(PAGES)
    assert loaded.search('<script async src="https://x.org/a.js">')
    assert loaded.search('<link rel="stylesheet" href="//x.org/a.css">')
    assert [page.name for page in pages if loaded.search(page.read_text())] == []


@pytest.mark.slow
def test_every_command_and_name_is_in_the_reference(built):
    options = (built / "reference/options.html").read_text()
    names = (built / "reference/python.html").read_text()

    assert [name for name in COMMANDS if f'id="hsearch-{name}"' not in options] == []
    assert 'id="hsearch-dark-solve"' in options
    for name in hsearch.__all__:
        assert f'id="hsearch.{name}"' in names, name
    for each in offered():
        short = f"hsearch.{each.__name__}"
        place = short if each.__name__ in hsearch.__all__ else f"{each.__module__}.{each.__name__}"
        assert f'id="{place}"' in names, place


def offered():
    """Return each of our types that `hsearch` names, returns, or has in fields."""
    found, waiting = set(), [getattr(hsearch, name) for name in hsearch.__all__]
    while waiting:
        thing = waiting.pop()
        if not isinstance(thing, type):
            waiting.extend(types_in(get_type_hints(thing)["return"]))
        elif thing not in found:
            found.add(thing)
            fields = get_type_hints(thing) if is_dataclass(thing) else {}
            shown = [hint for name, hint in fields.items() if not name.startswith("_")]
            for name, value in vars(thing).items():
                way = getattr(value, "fget", getattr(value, "func", value))
                way = getattr(way, "__func__", way)
                if not name.startswith("_") and isfunction(way):
                    shown.append(get_type_hints(way).get("return"))
            waiting.extend(each for hint in shown for each in types_in(hint))
    return found


def types_in(hint):
    """Yield our types in an annotation."""
    for each in get_args(hint):
        yield from types_in(each)
    if isinstance(hint, type) and hint.__module__.split(".")[0] in {"hsearch", "player"}:
        yield hint


@pytest.mark.parametrize("each", sorted(offered(), key=repr), ids=lambda each: each.__name__)
def test_every_field_and_method_is_documented(each):
    """The docstring of a type names its fields; properties and methods have docstrings."""
    text = inspect.getdoc(each)
    names = [field.name for field in fields(each)] if is_dataclass(each) else []
    shown = [name for name in (*names, *getattr(each, "_fields", ())) if not name.startswith("_")]
    ways = {
        name: inspect.unwrap(getattr(way, "fget", getattr(way, "func", way)))
        for name, way in vars(each).items()
        if not name.startswith("_") and way.__class__.__module__ in {"builtins", "functools"}
    }
    ways = {name: getattr(way, "__func__", way) for name, way in ways.items()}

    assert [name for name in shown if not re.search(rf"\b{name}\b", text)] == []
    assert [name for name, way in ways.items() if isfunction(way) and not way.__doc__] == []


def test_offered_types_include_those_of_fields_and_properties():
    """Types are also found in the results of functions, in tuples and in dictionaries."""
    names = {each.__name__ for each in offered()}

    assert {"Review", "MoveReview", "Verdict", "Store", "ConnectionCounts", "Candidate"} <= names
    assert all(each.__doc__ for each in offered())


def test_every_command_is_documented():
    """The table of commands names every command."""
    table = PAGES["docs/reference/commands.md"]

    assert [name for name in COMMANDS if f"`hsearch {name}" not in table] == []


def test_every_format_is_documented():
    """The table of formats names every format."""
    rows = re.findall(r"^\| `(\w+)` \|", PAGES["docs/reference/formats.md"], re.MULTILINE)

    assert sorted(rows) == sorted(FORMATS)


def test_links_between_pages_lead_to_files():
    """Links in the README and in `docs` lead to files of a checkout."""
    missing = [
        (name, link)
        for name, text in {"README.md": README, **PAGES}.items()
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
        if not (ROOT / name).parent.joinpath(link).exists()
    ]

    assert missing == []


def test_every_alternating_player_is_documented_with_its_options():
    """The table of players names each player of alternating turns, with its options."""
    page = PAGES["docs/reference/commands.md"]
    rows = {
        row[0]: row[1] for row in re.findall(r"^\| `(\w+)` \|[^|]*\| (.*) \|$", page, re.MULTILINE)
    }

    for name, (options, _) in PLAYERS[ALTERNATING].items():
        told = set(re.findall(r"`(\w+)`", rows[name]))
        assert told == {*options} - {"ordering"}, name


@pytest.mark.parametrize(
    ("variant", "page"),
    [(RANDOM_TURN, "bid"), (BIDDING, "bid"), (DARK_CLASSIC, "dark"), (DARK_ABRUPT, "dark")],
)
def test_every_player_of_a_variant_is_documented_with_its_options(variant, page):
    """A player that `commands.md` has as well is named alone."""
    marked = set(
        re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`\n]+)`", PAGES[f"docs/how-to/{page}.md"])))
    )

    for name, (options, _) in PLAYERS[variant].items():
        assert {name, *(() if name in PLAYERS[ALTERNATING] else options)} <= marked, name


def test_every_variable_of_the_environment_is_documented():
    """NUMBA_DISABLE_JIT is not: it is refused."""
    paths = [path for package in ("hsearch", "player") for path in (ROOT / package).rglob("*.py")]
    read = re.compile(r"""environ(?:ment)?\.get\("([A-Z_]+)\"""")
    names = {name for path in paths for name in read.findall(path.read_text())}

    assert {"XDG_CACHE_HOME", "FORCE_COLOR", "TERM"} <= names
    table = PAGES["docs/reference/commands.md"].partition("## Environment")[2].partition("##")[0]
    assert names - {"NUMBA_DISABLE_JIT"} == set(re.findall(r"`([A-Z_]+)`", table))


def test_the_reference_lists_each_printed_object():
    """Each object is listed by its schema, since `print_object` requires one."""
    objects = [*ROOT.glob("player/cli/*.py"), *ROOT.glob("player/answers/*.py")]
    trees = (ast.parse(path.read_text()) for path in [*objects, ROOT / "player/study/review.py"])
    printed = {
        value.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "schema"
    }
    told = PAGES["docs/reference/commands.md"].partition("\n## Objects\n")[2].partition("\n## ")[0]

    assert len(printed) > 20
    assert sorted(re.findall(r"hsearch/[\w-]+/\d+", told)) == sorted(printed)


SOURCES = [path for room in ("hsearch", "player") for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize(
    "name",
    [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in SOURCES
        if ">>> " in path.read_text()
    ],
)
def test_examples_in_docstrings_print_what_they_show(name):
    """Each module that has some runs them all."""
    failed, attempted = doctest.testmod(importlib.import_module(name))

    assert failed == 0
    assert attempted > 0


PUBLIC = {
    f"{room.__name__}.{name}": getattr(room, name)
    for room in (hsearch, match)
    for name in room.__all__
    if callable(getattr(room, name))
}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name):
    """What scripts import has an example in its docstring, which the test above runs."""
    each = PUBLIC[name]
    module = importlib.import_module(each.__module__)

    found = {test.name for test in doctest.DocTestFinder().find(module) if test.examples}

    assert f"{module.__name__}.{each.__qualname__}" in found


# The worst phrases of a dialect that these texts have shed; docs/CONTRIBUTING.md has the rules.
WORST = re.compile(
    r"\b(?:is|are|was|were) told\b|(?<!there )\b(?:is|are) no (?!longer\b|more\b|better\b)"
    r"|\bhangs? (?:on|together)\b|\b(?:gone|goes|go) on (?:from|with|where)\b|\bgot ready\b"
    r"|\bas ever\b|\bby heart\b|\bof (?:its|their) own accord\b|\bto do it in\b|\bdo as well\b",
    re.IGNORECASE,
)


def contexts(command=main, name="hsearch", parent=None):
    """Yield the name and the context of a command and of its subcommands."""
    # Use the settings of the command: Click keeps the help option of the first context.
    context = click.Context(command, parent, name, **command.context_settings)
    yield name, context
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            yield from contexts(command.get_command(context, word), f"{name} {word}", context)


def test_the_worst_phrases_are_in_no_text_that_users_read_first():
    """The README, the changes, the pages (except the rules) and `--help` avoid them."""
    texts = {"README.md": README, "CHANGELOG.md": (ROOT / "CHANGELOG.md").read_text(), **PAGES}
    del texts["docs/CONTRIBUTING.md"]
    helps = {name: " ".join(each.command.get_help(each).split()) for name, each in contexts()}
    texts = {name: " ".join(text.split()) for name, text in texts.items()} | helps

    assert "hsearch dark solve" in helps
    assert WORST.search("'x' is no move")
    assert WORST.search("what hangs on them")
    assert not WORST.search("There is no move.")
    assert [(name, m[0]) for name, text in texts.items() for m in WORST.finditer(text)] == []


TELL = re.compile(r"\b(?:say|says|said|tell|tells|told)\b", re.IGNORECASE)


def help_texts():
    """Yield the help of each command and of each of its options."""
    for name, context in contexts():
        yield name, context.command.help or ""
        for option in context.command.params:
            if isinstance(option, click.Option):
                yield f"{name} {option.opts[0]}", option.help or ""


def test_no_help_has_tell_or_say():
    """Programs report, print, compute and reject."""
    helps = [*help_texts()]

    assert ("hsearch dark solve --seed", "Random seed for sampling and ties.") in helps
    assert [(name, text) for name, text in helps if TELL.search(text)] == []


def prose_of(path):
    """Yield the docstrings of a module, and its comments, joining adjacent lines."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""
    comment, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield " ".join(comment)
                comment = []
            comment.append(token.string.lstrip("# "))
            last = token.start[0]
    yield " ".join(comment)


# Comments and docstrings have stricter rules: functions return, arrays have, people know.
IN_COMMENTS = re.compile(
    WORST.pattern + r"|\bgo(?:es|ne) on\b|\bcomes? back\b|\btells? of\b"
    r"|\btold (?:of|by|what)\b|\bgets? ready\b|\bas (?:[\w.]+|`[\w.]+`) tells\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("room", ["hsearch", "player"])
def test_the_worst_phrases_are_in_no_comment(room):
    """Comments and docstrings avoid them."""
    found = [
        (path.relative_to(ROOT).as_posix(), m[0])
        for path in sorted((ROOT / room).rglob("*.py"))
        for text in prose_of(path)
        for m in IN_COMMENTS.finditer(" ".join(text.split()))
    ]

    assert IN_COMMENTS.search("in turns, as `weigh` tells")
    assert found == []


# Printed text has stricter rules: it stands alone, and no page around it explains a word.
SAID = re.compile(
    WORST.pattern + r"|\bgave up\b|\b(?:games|positions|cells) apart\b|\bgets? ready\b"
    r"|\bthe source (?:has|prints|printed|says|found)\b",
    re.IGNORECASE,
)
RIGHT = {  # the end of this line is a measure
    "Bits a position there, 1 is no knowledge at all: ",
}


def said(path):
    """Return a module's strings that contain such a phrase, except docstrings."""
    source = path.read_text()
    if not SAID.search(re.sub(r'"\s*\n\s*f?"', "", source)):
        return set()
    tree = ast.parse(source)
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners))
    documented = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if SAID.search(node.value) and id(node) not in documented
    }


@pytest.mark.slow
def test_the_program_prints_none_of_the_worst_phrases():
    """Errors, answers and progress avoid them; the help of commands is tested above."""
    modules = [path for room in ("hsearch", "player") for path in (ROOT / room).rglob("*.py")]

    assert SAID.search("in 12 positions apart")
    assert set().union(*map(said, modules)) == RIGHT
