"""The figures of the papers: the program confirms their claims and detects false ones."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.formats import suite
from hsearch.formats.error import FormatError
from hsearch.formats.files import find_shipped
from hsearch.hex.position import winner
from player.answers.figures import OPEN, SAYS, SUITE, answer, read, report
from player.cli import main

TEXT = find_shipped(SUITE).read_text()
FIGURES = read(TEXT)
WRONG = {"joined": "none", "winner": "nobody", "minimal": "perhaps"}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_the_claims_of_a_figure_hold_and_changed_ones_do_not(figure):
    """All claims of a figure hold, and each of them is rejected when changed."""
    found = answer(figure)

    assert found.verdict == (OPEN if figure.id == "twenty-plies" else "yes"), found.answers
    for key, claimed in figure.claims.items():
        if found.answers[key] == OPEN:
            continue
        other = dict(figure.claims) | {key: WRONG.get(key, f"{claimed}?")}
        assert replace(found, figure=replace(figure, claims=other)).verdict == "no"


def test_every_kind_of_claim_occurs_in_the_figures():
    """Each kind of claim is used, and each figure makes claims."""
    assert {key for figure in FIGURES for key in figure.claims} == {*SAYS}
    assert all(figure.claims and figure.claim and figure.source for figure in FIGURES)


def test_the_answers_to_a_figure_depend_on_its_position():
    """A white stone in the carrier, or one cell less, changes the answers."""
    by_id = {figure.id: figure for figure in FIGURES}
    bridge, full = by_id["two-bridge"], by_id["critical"]
    cut = replace(bridge, carrier=bridge.position.board.named("c2"))
    hit = replace(bridge, position=bridge.position.put("c2", bridge.color.opponent))
    hit = replace(hit, carrier=hit.position.board.named("a4"))
    turned = replace(full, position=full.position.transposed())

    assert answer(cut).answers == {
        "joined": "semi", "depth": "1", "minimal": "yes", "rules": "yes", "rule": "and",
    }  # fmt: skip
    assert answer(hit).answers["joined"] == "none"
    assert answer(turned).answers["winner"] == str(winner(full.position).opponent)
    assert answer(turned).answers["critical"] == "c1 a2 b2"


def test_an_exhausted_budget_leaves_claims_open(monkeypatch):
    """Neither that there is no better connection, nor that a cell is needed."""
    by_id = {figure.id: figure for figure in FIGURES}
    bridge, semi = by_id["two-bridge"], by_id["semi"]

    monkeypatch.setattr("player.answers.figures.BUDGET", 1)
    assert answer(semi).answers["joined"] == OPEN
    assert answer(bridge).answers["joined"] == "full"

    kinds = {bridge.carrier: "full"}
    monkeypatch.setattr(
        "player.answers.figures._play_out", lambda _figure, _ends, one: kinds.get(one, OPEN)
    )
    assert answer(bridge).answers["minimal"] == OPEN
    kinds.clear()
    assert answer(bridge).answers["minimal"] == OPEN


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("luck yes", "one: unknown claim 'luck'"),
        ("joined full", "one: a connection without ends"),
        ("ends a1\njoined full", "one: ends: "),
        ("ends a1 z9\njoined full", "one: ends: 'z9' is off the 2x2 board"),
        ("ends a1 a2\ncarrier q\njoined full", "carrier of one: not a cell: 'q'"),
        ("ends a1 a2\nowner red\njoined full", "one: owner: 'red' is neither black nor white"),
    ],
)
def test_invalid_figures_are_rejected(claim, message):
    """The error names the figure and the line."""
    with pytest.raises(FormatError, match=message) as error:
        read(f"id one\nboard . .\n . .\n{claim}\n")
    assert error.value.line == 1


@pytest.mark.slow
def test_the_command_prints_the_recorded_table_of_figures():
    """`positions/results/figures.md` contains the printed table."""
    done = CliRunner().invoke(main, ["experiment", "figures"])

    assert done.exit_code == 0, done.output
    assert done.stdout in (ROOT / "positions/results/figures.md").read_text()
    assert f"{len(FIGURES)} figures: the program agrees with {len(FIGURES) - 1}" in done.stdout


def test_the_command_fails_if_a_figure_disagrees(monkeypatch):
    """The error names the figure."""
    wrong = TEXT.replace("evaluation 0", "evaluation <0")
    two = [figure for figure in read(wrong) if figure.id in {"even", "critical"}]
    monkeypatch.setattr("player.answers.figures.read", lambda _text: two)
    done = CliRunner().invoke(main, ["experiment", "figures"])

    assert done.exit_code == 1
    assert "disagrees with even" in done.stderr
    assert "disagrees with 1, and leaves 0 open" in done.stdout


@pytest.mark.parametrize("option", [["--report"], ["--resume", "x"], ["--plot", "x.svg"]])
def test_figures_rejects_options_for_results(option):
    """Options for results are refused."""
    done = CliRunner().invoke(main, ["experiment", "figures", *option])

    assert done.exit_code == 2
    assert "figures keeps no results" in done.stderr


@pytest.mark.parametrize(
    "option", [["--until-clear"], ["--workers", "2"], ["--scheduler", "x"], ["--sgf", "x"]]
)
@pytest.mark.parametrize("names", [["figures"], ["nodes", "figures"]])
def test_game_options_are_rejected_if_no_games_are_played(names, option):
    """Options of games are refused if no experiment plays any; once they were ignored."""
    done = CliRunner().invoke(main, ["experiment", *names, *option])

    assert done.exit_code == 2
    assert done.stderr.endswith(f": {names[0]} plays no games: no {option[0]}\n")


@pytest.mark.parametrize("option", [["--games", "2"], ["--seed", "1"]])
def test_figures_reject_the_options_of_experiments_with_games(option):
    """Alone, figures has neither games nor random openings."""
    done = CliRunner().invoke(main, ["experiment", "figures", *option])

    assert done.exit_code == 2
    assert done.stderr.endswith(f": figures plays no games: no {option[0]}\n")


def test_each_figure_can_be_shown_by_its_id():
    """Each figure can be shown by its id."""
    for entry in suite.read(TEXT):
        done = CliRunner().invoke(main, ["show", str(find_shipped(SUITE)), "--id", entry.id])
        assert done.exit_code == 0, done.output
    assert report([]).startswith("0 figures")
