"""The cases behind the counts of Dark Hex, and the errors of the source."""

import json
from collections import Counter

import pytest
from test_dark_cli import run

from hsearch.hex.board import Board, Color
from player.cli.dark_tables import PRINTED_GAMES
from player.dark.counts import PRINTED, cases
from player.dark.rules import DarkPosition, DarkRules


def test_the_cases_add_up_to_the_counts():
    """The cases add up, also by first cell; the source has errors in all three cases after a2."""
    found = json.loads(run("counts", "2x2", "--cases", "--json").stdout)
    cases = {(c["first"], c["reply"]): (c["black"], c["white"]) for c in found["cases"]}
    of_first = {
        cell: sum(sum(games) for (first, _), games in cases.items() if first == cell)
        for cell in ("a1", "b1", "a2", "b2")
    }

    assert of_first == {"a1": 64, "b1": 44, "a2": 44, "b2": 64}
    assert sum(of_first.values()) == found["classic"]["end_rule"] == 216
    assert 2 * sum(sum(games) for games in PRINTED.values()) == PRINTED_GAMES == 236
    wrong = {cells for cells, games in PRINTED.items() if cases[cells] != games}
    assert wrong == {("a2", "a1"), ("a2", "b1"), ("a2", "b2")}


def test_the_table_of_cases_shows_the_numbers_of_the_source():
    """The table shows the numbers of the source beside ours; large boards are refused."""
    lines = [line.split() for line in run("counts", "2x2", "--cases").stdout.splitlines()]
    wide = run("counts", "3x1", "--cases").stdout

    assert ["a2", "b2", "8", "(4)", "0", "(0)", "8", "(4)"] in lines
    assert ["a2", "all", "16", "(12)", "28", "(42)", "44", "(54)"] in lines
    assert "source" not in wide
    refused = run("counts", "3x3", "--cases")
    assert (refused.exit_code, "cases are listed up to 6 cells" in refused.output) == (3, True)


@pytest.mark.parametrize(
    "size", [(2, 2), (3, 1), pytest.param((2, 3), marks=pytest.mark.slow), (1, 3)]
)
def test_case_counts_equal_those_of_playing_every_game(size):
    """Playing every complete game, sorted by its first stones, gives the same counts."""
    rules = DarkRules(Board(*size))
    sorted_games = Counter()

    def play(state, stones):
        if rules.is_over(state):
            if len(stones) > 1:
                sorted_games[stones[0], stones[1], rules.winner(state)] += 1
            return
        for cell in rules.legal(state):
            after, placed = rules.attempt(state, cell)
            play(after, (*stones, cell) if placed else stones)

    play(DarkPosition(), ())
    told = {}
    for case in cases(rules):
        told[case.first, case.reply, Color.BLACK] = case.black
        told[case.first, case.reply, Color.WHITE] = case.white
    assert {key: n for key, n in told.items() if n} == sorted_games
