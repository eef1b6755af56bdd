"""The page's files: short lines, small panels, no circular imports, and few bytes to load."""

import gzip
import re

import pytest

from player.bidding.chips import DEFAULT, MAX_CHIPS
from player.board.asked.playing import TurnQuestion
from player.board.serve import STATIC
from player.variants import VARIANTS, variant

SCRIPTS = sorted(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts)
STYLES = sorted(STATIC.glob("*.css"))
IMPORT = re.compile(r'from "(\.[^"]+)"')
MOST_PACKED = 120_000  # bytes, without fonts


def name_of(path):
    return path.relative_to(STATIC).as_posix()


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=name_of)
def test_lines_are_below_100_characters(path):
    lines = path.read_text(encoding="utf-8").splitlines()

    assert [number for number, line in enumerate(lines, 1) if len(line) >= 100] == []


@pytest.mark.parametrize("path", [p for p in SCRIPTS if p.parent.name == "panels"], ids=name_of)
def test_panels_are_below_200_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 200


@pytest.mark.parametrize("path", STYLES, ids=name_of)
def test_styles_have_at_most_400_lines_and_are_loaded(path):
    page = (STATIC / "index.html").read_text(encoding="utf-8")

    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert f'<link rel="stylesheet" href="{path.name}">' in page


def test_the_page_begins_with_the_chips_of_the_server():
    """The form is drawn before the server answers, so it has the numbers as well."""
    text = (STATIC / "bidding.js").read_text()
    most, black, white = (
        int(re.search(rf"\b{name}\b *[=:] *([0-9]+)", text)[1])
        for name in ("MOST_CHIPS", "black", "white")
    )

    assert most == MAX_CHIPS
    assert black == white == DEFAULT.chips
    assert TurnQuestion.__dataclass_fields__["chips"].default == (black, white, "black")


def imports():
    """Return the scripts that each script imports."""
    return {
        path: [(path.parent / name).resolve() for name in IMPORT.findall(path.read_text())]
        for path in SCRIPTS
    }


def circle(graph):
    """Return the scripts of a circular import; empty if there is none."""
    done = set()

    def walk(path, way):
        if path in way:
            return [name_of(each) for each in (*way[way.index(path) :], path)]
        if path in done or path not in graph:
            return []
        for other in graph[path]:
            if found := walk(other, (*way, path)):
                return found
        done.add(path)
        return []

    return next((found for path in graph if (found := walk(path, ()))), [])


def test_scripts_have_no_circular_imports():
    graph = imports()

    assert circle(graph) == []
    assert all(other.exists() for others in graph.values() for other in others)
    first, second = SCRIPTS[:2]
    assert circle({**graph, first: [second], second: [first]}) != []


def test_every_script_is_imported():
    wanted = {other for others in imports().values() for other in others}

    assert [name_of(path) for path in SCRIPTS if path not in wanted] == ["main.js"]


def test_the_packed_page_is_below_its_size_limit():
    """The page is small when packed as by a server; fonts and licenses do not count."""
    loaded = (path for path in STATIC.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg"})
    packed = sum(len(gzip.compress(path.read_bytes())) for path in loaded)

    assert 20_000 < packed <= MOST_PACKED


def test_the_page_has_all_variants_whose_turns_do_not_alternate():
    pattern = re.search(
        r"alternates = .*?/\^\((.*?)\)", (STATIC / "tree.js").read_text(), re.DOTALL
    )

    assert pattern is not None
    others = {name for name in VARIANTS if variant(name).decided_by}
    assert set(pattern[1].split("|")) == others == {"bidding", "random-turn"}
