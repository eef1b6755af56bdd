"""Events, results that survive interruptions, and standings."""

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from events import QUICK, never, outcome, played
from hypothesis import given
from hypothesis import strategies as st
from places import SUPPORT

from hsearch import formats
from hsearch.hex.board import Color
from player.engine.results import Event, Row, Rows, RowsError, keep_record, record_path
from player.engine.tournament import duels, play_game, run, standings
from player.work.spread import WorkerPool

THREE = ("random", "ab:depth=1", "ab:depth=1,order=charge")


@given(st.integers(2, 5), st.integers(0, 3), st.booleans(), st.integers(1, 4))
def test_all_pairs_play_equally_often_with_both_colors(players, openings, gauntlet, turns):
    """All pairs play equally often with both colors, and each opening is played with both."""
    names = tuple(f"ab:depth={n + 1}" for n in range(players))
    texts = tuple(["a1 b2", "a2 b1", "c1 c3"][:openings])
    event = Event("test", 3, 3, names, gauntlet=gauntlet, openings=texts)
    games = [event.pairing(number) for number in range(2 * turns * len(event.pairs))]
    met = Counter((game.black, game.white, game.opening) for game in games)

    assert met == Counter((white, black, opening) for black, white, opening in met.elements())
    assert set(Counter((g.black, g.white) for g in games).values()) == {turns}
    assert len(event.pairs) == (players - 1 if gauntlet else players * (players - 1) // 2)
    assert len({game.seed for game in games}) == len(games)


@pytest.mark.parametrize(
    ("players", "openings", "message"),
    [
        (("random",), (), "two players or more"),
        (("random", "sixx"), (), "unknown player 'sixx'"),
        (("random", "random"), (), "'random' cannot meet itself"),
        (("random", "hexy"), ("a1 z9",), "'z9' is off the 3x3 board"),
    ],
)
def test_an_impossible_event_is_rejected(players, openings, message):
    """The message names what is wrong."""
    with pytest.raises(ValueError, match=message):
        Event("test", 3, 3, players, openings=openings)


ROWS = st.builds(
    Row,
    game=st.integers(0, 99),
    black=st.text(max_size=5),
    white=st.text(max_size=5),
    seed=st.integers(0, 1 << 60),
    opening=st.sampled_from(["", "a1 b2"]),
    winner=st.sampled_from(Color),
    how=st.sampled_from(["chain", "time"]),
    reason=st.text(max_size=9),
    moves=st.lists(st.sampled_from(["a1", "c3"]), max_size=4).map(tuple),
    seconds=st.lists(st.integers(0, 10**6).map(lambda n: n / 10**6), max_size=4).map(tuple),
    nodes=st.lists(st.integers(0, 99), min_size=4, max_size=4).map(tuple),
).map(lambda row: replace(row, nodes=row.nodes[: len(row.seconds)]))


@given(ROWS)
def test_reading_undoes_writing(row):
    """A row is one line, whatever text it contains."""
    assert Row.read(row.write()) == row
    assert len(row.write().splitlines()) == 1


def test_a_resumed_tournament_plays_only_new_games(tmp_path):
    """No game is played twice, and more games can be added."""
    path = tmp_path / "rows"
    before = played(path)
    lines = path.read_text().splitlines()
    again = Rows(path, QUICK)
    seen = []
    run(again, range(6), lambda row: bool(seen.append(row.game)))

    assert outcome(Rows(path, QUICK))[:4] == outcome(before)
    assert seen == [4, 5]
    assert path.read_text().splitlines()[:5] == lines


@pytest.fixture(scope="module")
def three_games(tmp_path_factory):
    """Return a folder, the outcome of three games, and the bytes of their file."""
    folder = tmp_path_factory.mktemp("cut")
    return folder, outcome(played(folder / "whole", 3)), (folder / "whole").read_bytes()


@given(back=st.integers(0, 2000))
def test_a_truncated_file_loses_only_its_last_row(three_games, back):
    """Wherever the file is cut, a resumed run ends with the same games.

    A row that lacks only its line end counts as whole.
    """
    folder, whole, text = three_games
    path, cut = folder / "rows", max(0, len(text) - back)
    path.write_bytes(text[:cut])
    rows = Rows(path, QUICK)
    ends = text[:cut].count(b"\n")
    is_whole = ends > 0 and text[cut : cut + 1] == b"\n"

    assert len(rows.games) == max(0, ends - 1 + is_whole)
    assert bool(rows.cut) == (not text[:cut].endswith(b"\n") and cut > 0 and not is_whole)
    run(rows, range(3), never)
    assert outcome(rows) == whole == outcome(Rows(path, QUICK))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "rows:1: results of another event: seed is 7 there, 8 here"),
        ({"columns": 4}, "columns is 3 there, 4 here"),
        ({"players": ("random", "hexy")}, "players is "),
        ({"name": "experiment 3"}, 'name is "test" there, "experiment 3" here'),
    ],
)
def test_results_of_another_event_are_refused_and_left_alone(tmp_path, change, message):
    """The error names the difference."""
    path = tmp_path / "rows"
    played(path, 1)
    text = path.read_text()
    fields = {name: getattr(QUICK, name) for name in QUICK.__slots__}
    with pytest.raises(RowsError, match=message):
        Rows(path, Event(**{**fields, **change}))
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "hello", "rows:1: not a results file: 'hello'"),
        (1, '"schema"', "rows:1: not a results file|another event"),
        (2, "{}", "rows:2: not a row of a game: object missing required field game"),
        (2, "nonsense", "rows:2: not a row of a game: not JSON: "),
        (3, None, "rows:3: game 0 is listed twice"),
        (2, ("seed", 1), "rows:2: game 0 does not belong to this event"),
        (2, ("nodes", [1]), "rows:2: not a row of a game: nodes: 1, not [0-9]+ as seconds"),
        (2, ("thinkers", "bw"), "rows:2: not a row of a game: thinkers: 2, not "),
        (1, ("version", "0.0"), 'version is "0.0" there'),
    ],
)
def test_damaged_results_are_refused_with_their_place(tmp_path, line, text, message):
    """The error names the line."""
    path = tmp_path / "rows"
    played(path, 2)
    lines = path.read_text().splitlines()
    if text is None:
        text = lines[1]
    elif isinstance(text, tuple):
        text = json.dumps({**json.loads(lines[line - 1]), text[0]: text[1]})
    lines[line - 1] = text
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RowsError, match=message):
        Rows(path, QUICK)


@pytest.mark.parametrize("text", ['{"my": "data"}', "x", "[]", "5", " "])
def test_a_foreign_file_of_one_unfinished_line_is_rejected(tmp_path, text):
    """The file may be someone else's, so it stays unchanged."""
    path = tmp_path / "rows"
    path.write_text(text)

    with pytest.raises(RowsError, match="rows:1: not a results file: "):
        Rows(path, QUICK)
    assert path.read_text() == text


def test_two_processes_do_not_write_one_file(tmp_path):
    """A second process is refused during the first run, and after it until it reads again."""
    first, second = (Rows(tmp_path / "rows", QUICK) for _ in range(2))

    def told(row):
        with pytest.raises(RowsError, match="rows: another process is writing to it"):
            run(second, range(4), never)
        return row.game == 1

    run(first, range(4), told)
    text = (tmp_path / "rows").read_text()
    with pytest.raises(RowsError, match="rows: another process has written to it; start again"):
        run(second, range(4), never)
    assert (tmp_path / "rows").read_text() == text
    run(Rows(tmp_path / "rows", QUICK), range(4), never)
    assert outcome(Rows(tmp_path / "rows", QUICK)) == outcome(played(tmp_path / "other"))


def test_a_run_ends_when_its_callback_returns_true(tmp_path):
    """The games finished by then are kept."""
    rows = Rows(tmp_path / "rows", QUICK)
    run(rows, range(9), lambda row: row.game == 2)

    assert sorted(rows.games) == [0, 1, 2]


@pytest.mark.parametrize(
    "workers", [WorkerPool(), WorkerPool(executor=lambda: ThreadPoolExecutor(1))]
)
def test_a_run_of_many_games_begins_at_once(monkeypatch, tmp_path, workers):
    """The games are not listed in advance: `--games` accepts a billion."""
    rows, pairing, numbers = Rows(tmp_path / "rows", QUICK), Event.pairing, []
    monkeypatch.setattr(Event, "pairing", lambda event, n: numbers.append(n) or pairing(event, n))
    run(rows, range(10**5), lambda row: row.game == 1, workers=workers)

    assert numbers == [*range(len(numbers))]
    assert len(numbers) < 9
    assert [row.game for row in rows.of(range(1, 10**12, 2))] == [1]


def test_records_are_games_that_can_be_read(tmp_path):
    """The SGF has both names, the result, and the moves of the row."""
    rows = Rows(tmp_path / "rows", QUICK)
    run(rows, range(2), never, records=tmp_path)
    for row in rows.first(2):
        game = formats.read(record_path(tmp_path, QUICK, row.game).read_text())
        assert game.players == (row.black, row.white)
        assert [move.name(game.board) for move in game.moves] == list(row.moves)
        assert game.result == f"{row.winner.word[0].upper()}+"


def test_no_record_overwrites_another(tmp_path):
    """A record of another event or another game keeps its file; an equal one is not added."""
    here, there = (record_path(tmp_path, Event("test", 3, 3, THREE, seed), 7) for seed in (0, 1))
    for path, text in ((here, "one"), (there, "two"), (here, "one"), (here, "three")):
        keep_record(path, text)

    assert here.name.startswith("test-")
    assert here.name.endswith("-00007.sgf")
    again = here.with_stem(f"{here.stem}-2")
    kept = {path: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {here: "one", there: "two", again: "three"}


@pytest.mark.slow
def test_tournaments_run_gtp_engines(tmp_path):
    """Each game runs an engine process; an engine that dies loses, and the row has its message."""
    engine = f"gtp:{sys.executable} {SUPPORT / 'gtp_engines.py'}"
    event = Event("test", 3, 3, ("ab:depth=1", f"{engine} first", f"{engine} dies"))
    rows = Rows(tmp_path / "rows", event)
    run(rows, range(6), never, workers=WorkerPool(2))
    places = standings(event.players, rows.first(6))

    assert [place.games for place in places] == [4, 4, 4]
    assert (places[-1].player, places[-1].wins) == (event.players[2], 0)
    lost = [row for row in rows.first(6) if event.players[2] in {row.black, row.white}]
    assert {row.how for row in lost} == {"failed"}
    assert all("out of luck" in row.reason for row in lost)


def test_opening_moves_are_not_moves_of_the_players():
    """The row begins after the opening, and each player's times are separate."""
    event = Event("test", 3, 3, ("random", "ab:depth=1"), openings=("a1 c3", "a1 c3 a3"))
    for number in range(4):
        row, _ = play_game(event, event.pairing(number))
        spent = [row.spent(player) for player in event.players]
        assert not set(row.moves) & set(row.opening.split())
        assert sorted((*spent[0][0], *spent[1][0])) == sorted(row.seconds)
        assert not any(spent[0][1])
        assert all(spent[1][1])


def test_standings_count_every_game(tmp_path):
    """Each game is one win, and the better player is first."""
    event = Event("test", 3, 3, THREE)
    rows = Rows(tmp_path / "rows", event)
    run(rows, range(12), never)
    found = standings(event.players, rows.first(12))

    assert sum(place.wins for place in found) == 12
    assert {place.games for place in found} == {8}
    assert sum(place.elo.estimate for place in found) == pytest.approx(0, abs=1e-6)
    assert [place.elo.estimate for place in found] == sorted(
        (place.elo.estimate for place in found), reverse=True
    )
    assert found[-1].player == "random"


def test_duels_count_each_pair_once(tmp_path):
    """The better player of a pair is first, and all games are counted."""
    event = Event("test", 3, 3, THREE)
    rows = Rows(tmp_path / "rows", event)
    run(rows, range(12), never)
    found = duels(standings(event.players, rows.first(12)), rows.first(12))

    assert {frozenset((duel.better, duel.worse)) for duel in found} == {
        frozenset(p) for p in event.pairs
    }
    assert [duel.games for duel in found] == [4, 4, 4]
    for duel in found:
        met = [row for row in rows.first(12) if {row.black, row.white} == {duel.better, duel.worse}]
        assert duel.wins == sum(row.player(row.winner) == duel.better for row in met) >= 2
