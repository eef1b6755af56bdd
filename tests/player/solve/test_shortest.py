"""Shortest wins: compared with complete play, on empty boards, their lines, their limits."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from naive_shortest import NEVER, stones_needed
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from hsearch.kernels.stop import Flag, Stopped, stopping
from player.cli import main
from player.solve.shortest import ShortestSearch

# Complete play of ten empty cells takes a second.
SMALL = positions(4, stones="..BW").filter(lambda position: position.empty.count() <= 9)


@settings(max_examples=300)
@example(Position.of(3))
@given(SMALL)
def test_the_shortest_win_agrees_with_complete_play(position):
    """Winner, stones and all shortest first moves agree, for both colors and either turn."""
    needed = {color: stones_needed(position, color) for color in Color}
    color = min(needed, key=lambda color: needed[color])

    win = ShortestSearch(position.board, memory=1).solve(position, every=True)

    assert (win.winner, win.stones, win.complete) == (color, needed[color], True)
    moves = [
        cell
        for cell in position.empty.search(1)
        if position.turn is color
        and win.stones
        and stones_needed(position.play(cell), color) == win.stones - 1
    ]
    assert win.moves == tuple(moves)


@settings(max_examples=200)
@given(SMALL)
def test_each_move_of_the_line_is_best_for_its_player(position):
    """Each move of the winner reduces the stones needed by one; each of the loser keeps them."""
    win = ShortestSearch(position.board, memory=1).solve(position)

    assert len(win.line) == win.plies
    for cell in win.line:
        before, turn = stones_needed(position, win.winner), position.turn
        position = position.play(cell)
        assert stones_needed(position, win.winner) == before - (turn is win.winner)
    assert winner(position) is win.winner


def test_a_limit_beyond_the_board_equals_the_number_of_cells():
    """A limit beyond the board once overran the kernel's arrays; a negative one is refused."""
    position = Position.of(Board(4, 4))
    search = ShortestSearch(position.board, memory=1)

    for color in Color:
        assert search.needs(position, color, 5000) == search.needs(position, color, 16)
    with pytest.raises(ValueError, match="-1 stones on 4x4"):
        search.needs(position, Color.BLACK, -1)
    with pytest.raises(ValueError, match="5 stones on 5x4: this search is of 4x4"):
        search.needs(Position.of(Board(5, 4)), Color.BLACK, 5)


@settings(max_examples=200)
@given(SMALL, st.sampled_from(Color), st.integers(0, 2))
def test_a_shortest_win_needs_only_its_carrier(position, color, more):
    """The number of stones suffices when the opponent has every other empty cell."""
    needed = stones_needed(position, color)
    assume(needed != NEVER)
    most = needed + more

    win = ShortestSearch(position.board, memory=1).needs(position, color, most)

    board = position.board
    rest = position.empty & ~board.only(*win.carrier)
    black, white = (
        position.stones(one) | (board.only() if one is color else rest) for one in Color
    )
    filled = Position(board, black, white, position.turn)
    assert win.wins
    assert stones_needed(filled, color) <= most


@pytest.mark.parametrize("stones", [(1, 1), (2, 2), (3, 3), (4, 5), (5, 7)])
def test_shortest_wins_of_empty_boards_are_the_known_ones(stones):
    """They take 1, 3, 5, 9 and 13 moves of both players; `solving.md` has 6x6."""
    size, needed = stones
    win = ShortestSearch(Board(size, size), memory=100).solve(Position.of(Board(size, size)))

    assert (win.winner, win.stones, win.plies) == (Color.BLACK, needed, 2 * needed - 1)


def test_shortest_wins_do_not_depend_on_the_table_size():
    """A table of one megabyte replaces rows all the time but changes no answer."""
    board = Board(5, 5)
    position = Position.of(board).play("a1")
    wins = [ShortestSearch(board, memory=size).solve(position, every=True) for size in (1, 200)]

    assert wins[0].nodes > wins[1].nodes
    assert (wins[0].stones, wins[0].moves) == (wins[1].stones, wins[1].moves)


@pytest.mark.parametrize("board", [Board(3, 3), Board(4, 3)])
def test_searches_for_both_winners_share_the_memory(board):
    """Searching for both takes no more memory, and the winners' results do not mix."""
    search = ShortestSearch(board, memory=3)
    for first in board.cells:
        position = Position.of(board).play(first)
        for color in Color:
            alone = ShortestSearch(board, memory=3)
            for stones in range(5):
                told = search.needs(position, color, stones)
                assert told.wins is alone.needs(position, color, stones).wins
    taken = sum(table.nbytes for table in search._table.values())  # noqa: SLF001

    assert 1_500_000 / 2 < taken <= 3_000_000


def test_the_winner_of_a_finished_game_needs_no_stones():
    """The winner needs no more stones."""
    win = ShortestSearch(Board(1, 1), memory=1).solve(Position.of(Board(1, 1)).play("a1"))

    assert (win.winner, win.stones, win.plies, win.line) == (Color.BLACK, 0, 0, ())


def test_a_time_limit_gives_bounds_and_a_cancel_raises():
    """When the time is up, the bounds so far are returned; a cancel raises."""
    board = Board(6, 6)
    win = ShortestSearch(board, memory=100).solve(Position.of(board), seconds=1.0)
    assert win.winner is Color.BLACK
    assert win.stones is None
    assert 6 <= win.least <= 10
    flag = Flag()
    flag.set()

    with pytest.raises(Stopped), stopping(flag):
        ShortestSearch(board, memory=100).needs(Position.of(board), Color.BLACK, 9)


@pytest.mark.parametrize(
    ("board", "memory", "message"),
    [
        (Board(8, 8), 1, "at most 62 cells, and 8x8 has more"),
        (Board(3, 3), 0, "memory out of range: 0"),
    ],
)
def test_bad_input_is_refused(board, memory, message):
    """Boards with more cells than a word has bits, and a table without memory, are refused."""
    with pytest.raises(ValueError, match=message):
        ShortestSearch(board, memory=memory)


def run(*arguments, text="\n"):
    """Return the result of a command that reads a text from stdin."""
    return CliRunner().invoke(main, arguments, input=text)


def test_the_command_prints_the_shortest_win():
    """It prints the board and sentences or JSON, and has exit code 1 when the time is up."""
    text = run("solve", "-", "--size", "4", "--shortest", "--all").output
    assert "Black wins with 5 stones and no fewer, in 9 moves of both: c2 or b3." in text
    assert "Against the longest defense: " in text

    found = json.loads(run("solve", "-", "--size", "4", "--shortest", "--json", text="a1").output)
    assert found["schema"] == "hsearch/shortest/1"
    assert (found["winner"], found["least"]) == ("white", found["stones"])
    assert len(found["line"]) == found["plies"] == 2 * found["stones"] - 1

    late = run("solve", "-", "--size", "6", "--shortest", "--time", "0.5")
    assert late.exit_code == 1
    assert "the time was up" in late.output or "Not solved" in late.output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--openings", "5", "--shortest"), 2, "--shortest needs a FILE"),
        (("-", "--size", "4", "--shortest", "--threads", "2"), 2, "--shortest goes with --all"),
        (("-", "--size", "8", "--shortest"), 3, "at most 62 cells"),
    ],
)
def test_invalid_arguments_of_shortest_are_rejected(arguments, code, message):
    """The error names the option or the limit."""
    result = run("solve", *arguments)

    assert result.exit_code == code
    assert message in result.stderr
