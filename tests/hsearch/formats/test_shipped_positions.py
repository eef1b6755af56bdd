"""The files in positions/ can be read, and their claims are true."""

from functools import cache
from itertools import chain

import pytest
from places import ROOT

from hsearch.formats import suite
from hsearch.formats.files import find_shipped
from hsearch.formats.reading import read
from hsearch.hex.board import Color
from hsearch.hex.position import groups

FOLDER = ROOT / "positions"
GAMES = sorted(FOLDER.glob("games/*.sgf"))
SUITES = sorted(path for path in FOLDER.rglob("*.txt") if path.parent.name != "dark")
ENTRIES = {path.relative_to(FOLDER).as_posix(): suite.read(path.read_text()) for path in SUITES}
TEMPLATES = ENTRIES["templates/edge.txt"]
PUZZLES = ENTRIES["puzzles/classic.txt"]
LONDON = {
    "queenbee-hexy": """
        b2 f6 g6 f7 g7 i3 h4 g5 i5 h3 g4 g3 e4 e3 f3 f2 g2 f4 d6 e5 d5 d8 c8 d7 c7 c9 a10 a11 b10
        b11 c10 b9 a9 c11 d10 d11 e10 e11 f10 b8 a8 b7 a7 b6 a6 f11 h10 g10 h8 g9 f8 b5 a5 b3 a4
        c4 c3 c2 e2 d2 d3 h9 j8 i8 j7 i9 j9 i7 j6""",
    "hexy-queenbee": """
        a2 f6 g6 i3 h3 h4 g5 g4 f5 f4 d5 e5 d6 e3 k2 c4 j4 i5 j5 k1 j2 i6 j6 i7 j7 i8 j8 i10 i9
        h10 h9 g10 k9 j11 g8 f9 k8 e8 b9 d8 d7 f8 d9 k10 g9 f10 e6 g7""",
}


def by_id(entry):
    """Return the name of an entry in the list of tests."""
    return entry.id


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_games_can_be_read(path):
    """Each game is read without warnings, at every move."""
    game = read(path.read_bytes())

    assert game.warnings == ()
    assert None not in {*game.players, game.result}
    for number in range(len(game.moves) + 1):
        assert game.position(number).turn == Color(number % 2)


@pytest.mark.parametrize("name", LONDON)
def test_the_london_games_are_the_listed_moves(name):
    """Hexy has its color after the swap of sides, and wins."""
    game = read((FOLDER / "games" / f"london-2000-{name}.sgf").read_text())

    assert game.moves == read(LONDON[name]).moves
    assert game.players[name.startswith("hexy")] == "Hexy"
    assert game.result == ("W+" if name.startswith("hexy") else "B+")
    assert (game.about("PC"), game.about("DT")) == ("London", "2000")


@pytest.mark.parametrize("entry", [*chain(*ENTRIES.values())], ids=by_id)
def test_each_suite_entry_records_the_turn(entry):
    """Every command reads every position without more options."""
    assert entry.game.recorded_turn() is not None
    assert entry.values("wins") == [] or entry.cells("wins").any()


def test_the_benchmark_has_the_positions_that_it_names():
    """The benchmark has empty boards, and the London games after some of their moves."""
    entries = {entry.id: entry.game.position() for entry in ENTRIES["bench.txt"]}

    assert len(entries) == 20
    for name, position in entries.items():
        game, _, number = name.rpartition("-")
        if game == "empty":
            assert position.empty.count() == position.board.size == int(number) ** 2
        else:
            assert position == read(LONDON[game]).position(int(number))


@pytest.mark.parametrize("entry", TEMPLATES, ids=by_id)
def test_templates_hold_and_are_minimal(entry):
    """The stone reaches the edge if White moves first, but not with any one cell less."""
    carrier = frozenset(entry.cells("carrier").search(1))
    position = entry.game.position()

    assert carrier == frozenset(position.empty.search(1))
    assert holds(entry, carrier)
    for cell in carrier:
        assert not holds(entry, carrier - {cell})


def holds(entry, carrier):
    """Return whether Black joins stone and edge inside a carrier if White moves first."""
    position = entry.game.position()
    board = position.board
    stone, edge = board.cell(entry.values("stone")[0]), board.point(entry.values("edge")[0])

    @cache
    def joined(black):
        """Return whether the stone reaches the edge if Black has these cells, too."""
        own = set(position.black.search(1)) | black
        reached, todo = {stone}, [stone]
        while todo:
            for point in board.neighbors(todo.pop()):
                if point == edge:
                    return True
                if point in own and point not in reached:
                    reached.add(point)
                    todo.append(point)
        return False

    @cache
    def survives(black, free):
        return joined(black) or (
            joined(black | free)
            and all(
                any(survives(black | {reply}, free - {move, reply}) for reply in free - {move})
                for move in free
            )
        )

    return survives(frozenset(), carrier)


@pytest.mark.parametrize("entry", TEMPLATES, ids=by_id)
def test_template_stones_touch_no_edge(entry):
    """The stone touches no edge, so only the template joins it to one."""
    position = entry.game.position()
    stone = position.board.cell(entry.values("stone")[0])
    group = next(each for each in groups(position, Color.BLACK) if each.stones[stone])

    assert group.edges == ()


SMALL = [entry for entry in PUZZLES if entry.game.board.columns <= 4]


@pytest.mark.slow
@pytest.mark.parametrize("entry", SMALL, ids=by_id)
def test_brute_force_confirms_the_winning_moves_of_small_puzzles(entry):
    """The winning moves are found by trying everything until one side is cut off."""
    position = entry.game.position()
    board, (north, south) = position.board, position.board.edges(Color.BLACK)

    @cache
    def joined(black):
        """Return whether these cells join north and south."""
        reached, todo = {north}, [north]
        while todo:
            for point in board.neighbors(todo.pop()):
                if point not in reached and (point in black or point == south):
                    reached.add(point)
                    todo.append(point)
        return south in reached

    @cache
    def black_wins(black, free, turn):
        """Return whether Black joins his edges if `turn` moves first."""
        if joined(black) or not joined(black | free):
            return joined(black)
        if turn is Color.BLACK:
            return any(black_wins(black | {c}, free - {c}, Color.WHITE) for c in free)
        return all(black_wins(black, free - {c}, Color.BLACK) for c in free)

    def wins(cell):
        """Return whether the player to move wins by this move."""
        after = position.play(cell)
        black, free = (frozenset(cells.search(1)) for cells in (after.black, after.empty))
        return black_wins(black, free, after.turn) is (position.turn is Color.BLACK)

    assert [cell for cell in position.empty.search(1) if wins(cell)] == list(
        entry.cells("wins").search(1)
    )


def test_shipped_files_are_found_from_anywhere(monkeypatch, tmp_path):
    """Files are found by their paths below positions/, and nothing outside it is."""
    monkeypatch.chdir(tmp_path)

    assert find_shipped("positions/bench.txt").read_text() == (FOLDER / "bench.txt").read_text()
    assert find_shipped("bench.txt") == find_shipped("positions/bench.txt")
    assert find_shipped("positions/nothing.txt") is None
    assert find_shipped("positions/games") is None
    assert find_shipped("positions/../pyproject.toml") is None
    assert find_shipped("/etc/passwd") is None
