"""The map in docs/explanation/architecture.md is true: imports go only up the list."""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from documents import PAGES, ROOT

from player.cli import COMMANDS

MAP = re.findall(
    r"^    ((?:hsearch|player)/[\w/]+) {2,}\S",
    PAGES["docs/explanation/architecture.md"],
    re.MULTILINE,
)
ALIAS = r"^(?: {4})?([A-Z]\w*[a-z]\w*)(?:: TypeAlias)? = (?!TypeVar|ParamSpec)"
MODULES = sorted(p for package in ("hsearch", "player") for p in (ROOT / package).rglob("*.py"))


def module_of(path: Path) -> str:
    """Return a module's name as written on the map."""
    return path.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__")


def layer(module: str) -> int | None:
    """Return the line of the map that a module belongs to."""
    parts = module.split("/")
    names = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((MAP.index(name) for name in names if name in MAP), None)


@cache
def imports_and_texts(path: Path) -> tuple[list[ast.Import | ast.ImportFrom], list[str]]:
    """Return a module's imports and strings; whole syntax trees would take much memory."""
    nodes = [*ast.walk(ast.parse(path.read_text()))]
    return (
        [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)],
        [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)],
    )


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_imports_go_up_the_map(path):
    """Each module is on the map, and imports nothing below it."""
    module = module_of(path)
    if module in {"hsearch", "hsearch/version", "player"}:
        return  # a public front only re-exports, and the version is a string
    own = layer(module)

    assert own is not None, f"{module} is missing from the map in docs/explanation/architecture.md"
    for node in imports_and_texts(path)[0]:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            names = [alias.name for alias in node.names]
        for name in names:
            other = layer(name.replace(".", "/"))
            assert other is None or other <= own, f"{module} imports {name}"


def test_no_modules_import_each_other_in_a_circle():
    """There is no import cycle, even through imports in functions or for types alone."""
    modules = {module_of(path).replace("/", "."): path for path in MODULES}
    arrows: dict[str, set[str]] = {}
    for name, path in modules.items():
        found = arrows.setdefault(name, set())
        for node in imports_and_texts(path)[0]:
            if isinstance(node, ast.ImportFrom):
                inner = {f"{node.module}.{alias.name}" for alias in node.names} & modules.keys()
                found |= inner or {str(node.module)} & modules.keys()

    TopologicalSorter(arrows).prepare()


def test_each_class_name_is_unique():
    """A reader who looks for a name finds one class or alias; `_Names` belong to their file.

    Aliases of the checker of Dark Hex are twins of those of the code that it checks.
    """
    classes, aliases = Counter[str](), Counter[str]()
    for path in MODULES:
        classes.update(re.findall(r"^ *class ([A-Z]\w*)", path.read_text(), re.MULTILINE))
        if module_of(path) != "player/dark/certificate":
            aliases.update(re.findall(ALIAS, path.read_text(), re.MULTILINE))

    assert len(classes) > 300
    assert len(aliases) > 100
    assert [name for name, count in (classes + aliases).items() if count > 1] == []


def test_each_folder_of_code_has_a_folder_of_tests():
    """Each room of the code has tests; callers test the kernels of `player`."""
    rooms = {module_of(path.parent) for path in MODULES if path.name == "__init__.py"}
    rooms = {room for room in rooms if room.count("/") == 1} - {"player/kernels"}

    assert len(rooms) > 15
    assert {room for room in rooms if not any((ROOT / "tests" / room).glob("test_*.py"))} == set()


def test_only_listed_modules_import_by_name():
    """No import by name escapes the test above; only names on the map come from package fronts."""
    by_name = {"hsearch", "hsearch/hex/face"}
    for path in (path for path in MODULES if path.is_relative_to(ROOT / "hsearch")):
        outside = re.sub(r'import_module\("(?!hsearch|player)', "", path.read_text())
        if "import_module" in outside or "__import__" in outside:
            assert module_of(path) in by_name, path
    for path in MODULES:
        for node in imports_and_texts(path)[0]:
            if isinstance(node, ast.Import):
                assert all(alias.name not in {"hsearch", "player"} for alias in node.names), path
            elif node.module == "hsearch":
                names = {alias.name for alias in node.names}
                rooms = {name.removeprefix("hsearch/") for name in MAP}
                assert names <= rooms, path


def test_values_of_a_room_come_from_its_front():
    """Other rooms, but for kernels, import what the fronts of *hex* and *connect* name there."""
    wrong = []
    for room in ("hsearch/hex", "hsearch/connect"):
        front = {*import_module(room.replace("/", ".")).__all__}
        for path in MODULES:
            module = module_of(path)
            if module.startswith(room) or module == "hsearch" or "kernels" in path.parts:
                continue
            for node in imports_and_texts(path)[0]:
                if isinstance(node, ast.ImportFrom):
                    inner = str(node.module).replace(".", "/").startswith(f"{room}/")
                    names = front & {alias.name for alias in node.names} if inner else ()
                    wrong += [f"{module}: {name} from {node.module}" for name in names]

    assert wrong == []


def test_only_listed_modules_import_dark_hex():
    """Outside Dark Hex, only tables of players, variants, games and rows import it."""
    doors = {"player/cli/bench_engine", "player/engine/spec", "player/variants/dark"}
    doors |= {"player/variants", "player/terminal/advice"}
    for path in MODULES:
        module = module_of(path)
        if re.search(r"^(from|import) player\.dark\b", path.read_text(), re.MULTILINE):
            assert (
                module.startswith(
                    ("player/dark", "player/board/", "player/cli/dark", "player/engine/dark")
                )
                or module in doors
            ), module


def test_commands_do_not_import_each_other():
    """What two commands share is in `player/console`, or in a module that holds no command."""
    commands = {name for name, _ in COMMANDS.values()}
    importing = {
        module_of(path): str(node.module)
        for path in MODULES
        for node in imports_and_texts(path)[0]
        if isinstance(node, ast.ImportFrom)
        and (
            node.module in commands
            or any(f"{node.module}.{a.name}" in commands for a in node.names)
        )
    }

    assert len(commands) > 15
    assert importing == {}


def test_every_name_on_the_map_exists():
    """Every room on the map exists."""
    rooms = {module_of(path) for path in MODULES}

    assert [name for name in MAP if name not in rooms] == []


def test_names_on_the_architecture_map_exist():
    """Each quoted file name on the map exists, and each quoted word occurs in code or tests."""
    page = PAGES["docs/explanation/architecture.md"]
    quoted = {word for word in re.findall(r"`([^`\n]+)`", page) if not word.startswith("math.")}
    folders = [ROOT / name for name in ("hsearch", "player", "tests", "docs")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    paths = {path.relative_to(ROOT).as_posix() for path in files}
    paths |= {parent for path in paths for parent in map(str, Path(path).parents)}
    code = "\n".join(
        path.read_text()
        for path in files
        if path.suffix in {".py", ".js"} and "vendor" not in path.parts
    )
    written = {*re.findall(r"\w+", code)}

    is_path = re.compile(r"[\w-]+(?:/[\w.-]+)+|[\w-]+\.(?:py|js|txt|md)")
    named = {word for word in quoted if is_path.fullmatch(word)}
    assert [
        each for each in named if not any(f"/{path}".endswith(f"/{each}") for path in paths)
    ] == []
    assert [
        word for word in quoted - named if not {*re.findall(r"[A-Za-z_]\w*", word)} <= written
    ] == []


def test_names_in_comments_and_docstrings_exist():
    """A module named in full exists and contains the names after it: `hsearch.hex.board.flood`."""
    modules = {module_of(path): path.read_text() for path in MODULES}
    missing, found = [], 0
    for module, code in modules.items():
        for named in re.findall(r"`((?:hsearch|player)(?:\.\w+)+)`", code):
            parts = named.split(".")
            places = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
            place = next(place for place in places if place in modules)
            rest = parts[place.count("/") + 1 :]
            found += 1
            if not {*rest} <= {*re.findall(r"\w+", modules[place])}:
                missing.append(f"{module}: {named}")

    assert found > 50
    assert missing == []


def test_fields_are_described_in_their_order():
    """A docstring with a line a field has them in the order in which a caller may give them."""
    classes, wrong = 0, []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                fields = [ast.unparse(n.target) for n in node.body if isinstance(n, ast.AnnAssign)]
                text = ast.get_docstring(node) or ""
                rows = re.findall(r"^((?:\w+, )*\w+) {2,}\S", text, re.MULTILINE)
                described = [name for row in rows for name in row.split(", ") if name in fields]
                classes += bool(described)
                if described != sorted(described, key=fields.index):
                    wrong.append(f"{module_of(path)}: {node.name}")

    assert classes > 200
    assert wrong == []


def test_every_kernel_uses_our_cache():
    """Kernels use our cache: Numba's own would reuse a kernel after a change in its callee."""
    for path in MODULES:
        if "kernels" in path.parts and path.name != "cache.py":
            assert not re.search(r"\b(njit|jit|vectorize)\b", path.read_text()), path


def test_no_kernel_has_more_than_eight_arguments():
    """Arrays that travel together are one named tuple."""
    kernels = {
        f"{path.stem}.{node.name}": len(node.args.args)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        and any("kernel" in ast.unparse(each) for each in node.decorator_list)
    }

    assert len(kernels) > 150
    assert {name: count for name, count in kernels.items() if count > 8} == {}


def test_each_schema_names_one_object():
    """Each schema name occurs at one place, the one that writes or reads the object."""
    names = Counter(
        text
        for path in MODULES
        for text in imports_and_texts(path)[1]
        if re.fullmatch(r"hsearch/[\w-]+/\d+", text)
    )

    assert len(names) > 20
    assert [name for name, places in names.items() if places > 1] == []
