"""`hsearch tournament`: its output, its errors, and resuming after a kill."""

import json
import shlex
import sys
from signal import SIGINT

import pytest
from click.testing import CliRunner
from interruption import STOPPED_BY, check_that_none_is_lost, rows_left
from places import SUPPORT

from hsearch import Board, formats
from player.cli import main
from player.engine.results import Event, Rows, record_path
from player.search.opening_estimates import load_balanced, read_balanced

PLAYERS = ("random", "ab:depth=2,order=random")


def command(tmp_path, games, *more, players=PLAYERS):
    return [
        *("tournament", *players, "--size", "5", "--games", str(games)),
        *("--resume", str(tmp_path / "rows"), *more),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("how", "workers"), [*((how, 1) for how in STOPPED_BY), (SIGINT, 2)])
def test_an_interrupted_tournament_resumes(tmp_path, how, workers):
    """After a kill or an interruption, each finished game is kept and none is played twice."""
    rows = tmp_path / "rows"
    before = rows_left(command(tmp_path, 10_000, "--workers", str(workers)), rows, how)
    games = len(before) - 1 + 2
    done = CliRunner().invoke(main, command(tmp_path, games))

    assert done.exit_code == 0, done.output
    check_that_none_is_lost(before, rows, games)


def test_the_command_prints_standings_and_drops_half_a_row(tmp_path):
    """The dropped row is reported in one line on stderr."""
    CliRunner().invoke(main, command(tmp_path, 2))
    with (tmp_path / "rows").open("a") as file:
        file.write('{"game": 2, "pla' + 9999 * "y")
    done = CliRunner().invoke(main, command(tmp_path, 4))
    again = CliRunner().invoke(main, command(tmp_path, 4))

    assert done.exit_code == 0, done.output
    assert (again.stdout, again.stderr) == (done.stdout, "")
    assert done.stderr == f"{tmp_path / 'rows'}: a half-written last row is dropped\n"
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0][:3] == ["player", "won", "games"]
    assert sum(int(line[1]) for line in lines[1:]) == 4
    assert {line[2] for line in lines[1:]} == {"4"}


@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        (("--seed", "1"), 3, "seed is 0 there, 1 here; keep these apart with --resume PATH"),
        (("--swap",), 3, "results of another event: swap is false there, true here"),
        (("--openings",), 2, "no balanced openings for 5x5"),
        (("--scheduler", "tcp://127.0.0.1:9"), 1, "cluster|no scheduler at"),
    ],
)
def test_an_impossible_request_leaves_the_results_unchanged(
    tmp_path, monkeypatch, more, status, message
):
    """The error has the exit code of its kind, and the results stay unchanged."""
    monkeypatch.setattr("player.work.spread.SECONDS", 0.1)
    CliRunner().invoke(main, command(tmp_path, 1))
    text = (tmp_path / "rows").read_text()
    done = CliRunner().invoke(main, command(tmp_path, 2, *more))

    assert done.exit_code == status
    assert any(word in done.stderr for word in message.split("|"))
    assert (tmp_path / "rows").read_text() == text


def test_a_file_locked_by_another_process_is_reported_in_one_line(tmp_path):
    """The command fails at once, and the results stay unchanged."""
    CliRunner().invoke(main, command(tmp_path, 1))
    text = (tmp_path / "rows").read_text()
    event = Event("tournament", 5, 5, PLAYERS)
    with Rows(tmp_path / "rows", event).lock():
        done = CliRunner().invoke(main, command(tmp_path, 4))

    assert done.exit_code == 3
    assert done.stderr == f"{tmp_path / 'rows'}: another process is writing to it\n"
    assert (tmp_path / "rows").read_text() == text


def test_unknown_players_list_the_known(tmp_path):
    """The error is one of usage, with exit code 2."""
    done = CliRunner().invoke(main, command(tmp_path, 1, players=("random", "mohex")))

    assert done.exit_code == 2
    assert (
        "unknown player 'mohex' (known: hexy, tree, policy, ab, random, cohen, level:N,"
        in done.stderr
    )


@pytest.mark.parametrize(
    ("player", "variant", "message"),
    [
        ("gtp:/nonexistent", (), "cannot start '/nonexistent': No such file or directory"),
        ("equilibrium", ("--variant", "dark-abrupt"), "the tree of 5x5-abrupt-silent has"),
    ],
)
def test_a_player_that_cannot_play_is_reported_before_any_game(tmp_path, player, variant, message):
    """The error comes first, not forfeits after hours of other games."""
    words = command(tmp_path, 2, *variant, players=("random", player))
    done = CliRunner().invoke(main, words)

    assert done.exit_code == 1
    assert done.stderr.startswith(f"{player} cannot play here: {message}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "rows").exists()


def test_forfeits_are_reported_with_their_reason(tmp_path):
    """Reasons are printed below the standings and written into the records."""
    program = SUPPORT / "gtp_engines.py"
    engine = f"gtp:{shlex.join([sys.executable, str(program), 'dies'])}"
    done = CliRunner().invoke(
        main, command(tmp_path, 2, "--sgf", str(tmp_path), players=(engine, "random"))
    )

    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()[-2:]
    assert [line.partition(" lost 1 game by forfeit: ")[0] for line in lines] == [engine] * 2
    reasons = [line.partition(" by forfeit: ")[2] for line in lines]
    assert all(reason.endswith("out of luck") for reason in reasons)
    records = sorted(tmp_path.glob("*.sgf"))
    for record, color, reason in zip(records, ("Black", "White"), reasons, strict=True):
        game = formats.read(record.read_text())
        assert game.main_line[-1].comment == f"{color} lost: {reason}"


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    """The error is one line, for a record and for the results."""
    record = record_path(tmp_path, Event("tournament", 5, 5, PLAYERS), 0)
    record.mkdir()
    done = CliRunner().invoke(main, command(tmp_path, 1, "--sgf", str(tmp_path)))
    nowhere = CliRunner().invoke(main, command(tmp_path / "nowhere", 1))

    assert (done.exit_code, nowhere.exit_code) == (1, 1)
    assert done.stderr == f"{record}: cannot be written: Is a directory\n"
    why = "cannot be written: No such file or directory"
    assert nowhere.stderr == f"{tmp_path / 'nowhere' / 'rows'}: {why}\n"


def test_tournaments_share_a_folder_of_records(tmp_path):
    """The folder is created, each event keeps its records, and a resumed one adds to them."""
    records = tmp_path / "new" / "records"
    runs = []
    for games, seed in ((2, 0), (2, 1), (3, 0)):
        folder = tmp_path / str(seed)
        folder.mkdir(exist_ok=True)
        more = ("--seed", str(seed), "--sgf", str(records))
        done = CliRunner().invoke(main, command(folder, games, *more))
        assert done.exit_code == 0, done.output
        runs.append({path: path.read_text() for path in records.iterdir()})

    first, both, grown = runs
    assert [len(each) for each in runs] == [2, 4, 5]
    assert first.items() < both.items() < grown.items()
    rows = tmp_path / "0" / "rows"
    rows.write_text("".join(rows.read_text().splitlines(keepends=True)[:-1]))  # as if killed
    again = CliRunner().invoke(main, command(tmp_path / "0", 3, "--sgf", str(records)))
    assert again.exit_code == 0, again.output
    assert {path: path.read_text() for path in records.iterdir()} == grown


def test_a_saved_list_of_openings_is_played(tmp_path):
    """A list from `hsearch openings` is played; in a bad file, the error names the line."""
    tmp_path /= "new"
    made = ["openings", "4", "--balanced", "3", "--save", str(tmp_path)]
    assert CliRunner().invoke(main, made).exit_code == 0
    file = tmp_path / "balanced-4x4.list"
    openings = [line.split("  ")[0] for line in file.read_text().splitlines()[1:]]
    words = ["tournament", "random", "cohen:fillings=9", "--size", "4", "--games", "6"]
    done = CliRunner().invoke(
        main, [*words, "--openings", str(file), "--resume", str(tmp_path / "rows")]
    )

    assert done.exit_code == 0, done.output
    played = [json.loads(line)["opening"] for line in _lines(tmp_path / "rows")[1:]]
    assert [" ".join(opening) for opening in played] == [o for o in openings for _ in range(2)]
    for text, message in [
        ("a1 b2\na1 e5\n", "list:2: not an opening: 1:4: 'e5' is off the 4x4 board"),
        ("a1 b2  0.1\na1 b2\n", "list:2: 'a1 b2' is listed twice"),
        ("a1 swap\n", "list:1: 'a1 swap' is not cells alone"),
        ("a1  swap\n", "list:1: 'a1  swap' is not cells alone"),
        ("a1 b1 a2 b2 a3 b3 a4\n", "list:1: 'a1 b1 a2 b2 a3 b3 a4' is a game that is over"),
        ("# nothing\n", "list:1: no openings"),
    ]:
        file.write_text(text)
        refused = CliRunner().invoke(main, [*words, "--openings", str(file)])
        assert (refused.exit_code, message in refused.stderr) == (3, True), refused.output
    missing = CliRunner().invoke(main, [*words, "--openings", "missing.list"])
    assert missing.stderr == "missing.list: No such file or directory\n"


def test_the_moves_of_an_opening_may_be_aligned(tmp_path):
    """Several spaces between moves end no opening; what follows the moves is left out."""
    file = tmp_path / "list"
    file.write_text("a10  c4\nb2   b3\t\na2 c4  0.0012  b9\na3    c4    0.5\nc1  # a9\n")

    assert read_balanced(file, Board(11)) == ("a10 c4", "b2 b3", "a2 c4", "a3 c4", "c1")


def test_openings_without_a_file_may_precede_the_players(tmp_path):
    """The option may stand before the players."""
    more = ["--size", "8", "--games", "1", "--resume", str(tmp_path / "rows")]
    done = CliRunner().invoke(main, ["tournament", "--openings", "random", "cohen", *more])

    assert done.exit_code == 0, done.output
    assert json.loads(_lines(tmp_path / "rows")[1])["opening"] == load_balanced(8, 8)[0].split()


def _lines(path):
    return path.read_text().splitlines()


def test_a_default_results_file_is_named(tmp_path, monkeypatch):
    """A default file is named, as another event in the folder would conflict with it."""
    monkeypatch.chdir(tmp_path)
    words = ["tournament", "random", "ab:depth=1", "--size", "3"]
    unchosen, chosen = (CliRunner().invoke(main, words + more) for more in ([], ["--resume", "r"]))

    assert unchosen.stdout.splitlines()[-1].startswith("The results are in tournament.jsonl; ")
    assert "results are in" not in chosen.stdout


def test_repeated_games_are_reported(tmp_path):
    """Two players without randomness have just two games, one for each color."""
    players = ("ab:depth=1", "ab:depth=1,order=center,width=2")
    done = CliRunner().invoke(main, command(tmp_path, 6, players=players))

    assert "Only 2 of the 6 games differ" in done.stdout, done.output


def test_distinct_games_are_not_reported_as_repeated(tmp_path):
    done = CliRunner().invoke(main, command(tmp_path, 4))

    assert done.exit_code == 0
    assert "differ" not in done.stdout
