"""The study of D, M and K: pairings, when a pair is decided, and the report."""

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.hex.board import Board, Color
from player.cli import main
from player.engine.ladder import NODES, REFERENCE, VARIED, StudyRun, study, study_report
from player.engine.results import Row, Rows
from player.engine.spec import player

EVENT = study("study-10x10")
RESULTS = ROOT / "positions/results"
OTHERS = EVENT.players[1:]


class Table:
    """A study in which the reference beats its first three opponents and ties with the others."""

    def __init__(self, path, most=40):
        self.rows = Rows(path, EVENT)
        self.study = StudyRun(self.rows, most)
        self.played = []

    def play(self, games, stop):
        """Add the missing games until stopped."""
        for number in games:
            if stop():
                return
            assert number not in self.rows.games
            self.rows.add(_row(number))
            self.played.append(number)


def _row(number):
    pairing = EVENT.pairing(number)
    turn, pair = divmod(number, len(OTHERS))
    loser = OTHERS[pair] if pair < 3 or turn % 2 else REFERENCE
    winner = Color.BLACK if pairing.white == loser else Color.WHITE
    names = (pairing.number, pairing.black, pairing.white, pairing.seed, pairing.opening)
    return Row(*names, winner, "chain", "", ("a1", "a2"), (0.02, 0.04), (50, 0))


def test_each_player_differs_from_the_reference_in_one_number():
    """Each varies the number of its table only, and all search the same number of nodes."""
    base = player(REFERENCE).strength
    for letter, varied in VARIED.items():
        for spec in varied:
            other = player(spec).strength
            differ = {name for name in ("depth", "M", "K") if _of(base, name) != _of(other, name)}
            assert differ == {{"D": "depth"}.get(letter, letter)}
            assert other.settings(Board(10, 10)).nodes == NODES
    assert (base.depth, base.M, base.K) == (3, 20, 4)
    assert EVENT.pairs == [(REFERENCE, other) for other in OTHERS]
    assert {EVENT.pairing(n).opening for n in range(2 * len(OTHERS))} == {EVENT.openings[0]}


def _of(strength, name):
    return getattr(strength, name)


def test_a_pair_with_a_clear_result_plays_no_more_games(tmp_path):
    """Eight wins out of eight are clear; even pairs play the full number of games."""
    table = Table(tmp_path / "rows", most=20)
    table.study.run(table.play)
    counts = [sum(n % len(OTHERS) == pair for n in table.played) for pair in range(len(OTHERS))]

    assert counts == [8] * 3 + [20] * (len(OTHERS) - 3)
    assert [duel.verdict is not None for duel in table.study.duels("D")] == [True] * 3
    assert [duel.games for duel in table.study.duels("K")] == [20] * 3
    assert sorted(table.played)[: len(OTHERS)] == table.played[: len(OTHERS)]


def test_a_resumed_experiment_has_the_results_of_a_whole_one(tmp_path):
    """A run that is stopped and resumed has the results of an uninterrupted one."""
    whole, parts = Table(tmp_path / "whole", 10), Table(tmp_path / "parts", 10)
    whole.study.run(whole.play)
    for _ in range(100):
        numbers = parts.study._missing()  # noqa: SLF001 - a run stops only between its steps
        parts.play(numbers[:7], lambda: False)
        parts.study = StudyRun(Rows(parts.rows.path, EVENT), 10)
        parts.rows = parts.study.rows

    assert parts.rows.games == whole.rows.games
    assert study_report(parts.study) == study_report(whole.study)


def test_the_report_has_a_line_per_pair_and_the_cost_per_move(tmp_path):
    """Each pair has the verdict of the test, and each player the cost of its searched moves."""
    table = Table(tmp_path / "rows", most=10)
    with pytest.raises(ValueError, match="no games"):
        study_report(table.study)
    table.study.run(table.play)
    text = study_report(table.study)

    assert "| `D=3 M=20 K=4` | `D=1 M=20 K=4` | 8 | 8 | 1.000 (0.676 to 1.000) |" in text
    assert "| `D=3 M=20 K=4` | `D=3 M=20 K=5` | 5 | 10 | 0.500" in text
    assert text.count("| clear |") == 3
    assert text.count("| cannot tell |") == len(OTHERS) - 3
    assert "| `D=3 M=20 K=4` | 50 | 20 | 20 |" in text


def test_the_study_results_equal_the_report_of_their_rows():
    """`positions/results/study.md` is the output of --report."""
    rows = Rows(RESULTS / "study/experiment-study-10x10.jsonl", EVENT)

    assert study_report(StudyRun(rows, 400)) in (RESULTS / "study.md").read_text()


def test_the_command_resumes_from_its_results_file(tmp_path):
    """Results in the file are reported; other results, and a report of no games, are refused."""
    path = tmp_path / "rows"
    table = Table(path, 1)
    table.study.run(table.play)
    asked = ["experiment", "study-10x10", "--games", "1", "--resume", str(path)]
    done, again = (CliRunner().invoke(main, [*asked, *more]) for more in ([], ["--report"]))
    none = CliRunner().invoke(main, [*asked[:-1], str(tmp_path / "none"), "--report"])
    path.write_text(path.read_text().replace("M=40", "M=41"))
    other = CliRunner().invoke(main, asked)

    assert done.exit_code == 0, done.output
    assert done.stdout == again.stdout
    assert done.stdout.startswith("**study-10x10**, 10 games")
    assert (none.exit_code, other.exit_code) == (2, 3)
