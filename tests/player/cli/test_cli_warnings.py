"""Warnings about a record that is read all the same."""

import json

import pytest
from click.testing import CliRunner
from test_cli_reading import show

from player.cli import main

TYPO = "(;FF[4]GM[11]SZ[7];B[b4];B[d4];B[e3];W[c5])"


@pytest.mark.parametrize("words", [("show",), ("analyze", "--json"), ("review", "--json")])
def test_a_move_out_of_turn_gives_a_warning(words):
    """A move out of turn, as by a mistyped color, gives one warning on stderr."""
    result = CliRunner().invoke(main, [*words, "-"], input=TYPO)
    with_swap = show("-", stdin=TYPO.replace("SZ", "RU[swap]SZ"))

    assert with_swap.stderr == result.stderr

    assert result.exit_code == 0
    assert result.stderr == "warning: -: move 2, d4: Black moves twice in a row\n"
    if "--json" in words:
        assert all(map(json.loads, result.stdout.splitlines()))


@pytest.mark.parametrize(
    "nodes",
    [
        ";B[a1];W[swap-pieces];B[b2]",
        ";B[a1];W[swap-sides];W[b2]",
        ";B[a1];W[pass];B[b2]",
        ";B[a1];AW[c3];B[b2]",
        ";B[a1];PL[B];B[b2]",
        ";AB[a1][b2];B[c3];W[d4]",
        ";B[a1];W[b2];W[resign]",
    ],
)
def test_a_record_may_let_a_player_move_again(nodes):
    """A swap, pass, setup, PL or variant lets a player move again without a warning."""
    assert show("-", stdin=f"(;GM[11]SZ[4]{nodes})").stderr == ""
    assert show("-", stdin="(;GM[11]SZ[4]RU[random-turn];B[a1];B[b2])").stderr == ""


def test_warnings_of_a_reader_go_to_stderr():
    """Warnings of a reader, here that SGF without a size is 11x11, go to stderr."""
    result = show("-", stdin="(;GM[11];B[a1])")

    assert result.exit_code == 0
    assert result.stderr.startswith("warning: -: ")
    assert "11x11" in result.stdout
