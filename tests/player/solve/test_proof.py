"""Written proofs: those of the solver verify, and those that were changed do not."""

import json

import pytest
from hypothesis import given
from strategies import positions

from hsearch import formats
from hsearch.formats.files import find_shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.solve.budget import Techniques
from player.solve.proof import write
from player.solve.proof_line import ProofError
from player.solve.solver import Solver
from player.solve.verify import verify

ALONE = Techniques(net=False)  # its proofs do not depend on the net


def hard_position():
    """Return an opening of 6x6 whose proof takes dozens of positions."""
    board = Board(6, 6)
    return Position.of(board).play(board.cell("c3"))


@pytest.fixture(scope="module")
def proof():
    """Return the lines of a proof as objects."""
    position = hard_position()
    text = write(Solver(position.board, techniques=ALONE), position)
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines):
    """Return the text of these lines."""
    return "\n".join(map(json.dumps, lines)) + "\n"


def test_a_proof_verifies(proof):
    """`verify` returns the position and the winner that are proved."""
    found = verify(text_of(proof))

    assert (found.position, found.winner) == (hard_position(), Color.BLACK)
    assert found.positions == len(proof) - 1 > 10


def test_verify_reports_and_checks_one_line_at_a_time(proof):
    """A caller who gives up waits for one line at most."""
    heard = []
    lines = text_of(proof).splitlines()
    lines[2] = "nothing"

    with pytest.raises(ProofError, match=r"^line 3: "):
        verify("\n".join(lines), lambda: heard.append(len(heard)))
    assert heard == [0, 1]


@pytest.mark.slow
def test_a_deep_proof_verifies():
    """The opening takes a few hundred positions, so carriers accumulate over many moves."""
    board = Board(6, 6)
    found = verify(write(Solver(board), Position.of(board, black="b4", turn=Color.WHITE)))

    assert found.winner is Color.BLACK
    assert found.positions > 100


@pytest.mark.slow
def test_a_proof_of_7x7_verifies_only_with_its_own_reply():
    """The proof of f2 takes more than a hundred positions."""
    board = Board(7, 7)
    text = write(Solver(board, techniques=ALONE), Position.of(board).play(board.cell("f2")))
    found = verify(text)

    assert found.winner is Color.BLACK
    assert found.positions > 100
    lines = [json.loads(line) for line in text.splitlines()]
    number, move = next(deciding(lines))
    reply, below = lines[number]["replies"][move]
    lines[number]["replies"][move] = ["a1" if reply != "a1" else "g7", below]
    with pytest.raises(ProofError, match=rf"^line {number + 1}: "):
        verify(text_of(lines))


@given(positions(max_side=5))
def test_every_position_has_a_proof(position):
    """Won and lost positions have a proof, and so do finished games."""
    solver = Solver(position.board)
    found = verify(write(solver, position))

    assert found.position == position
    assert found.winner is solver.outcome(position)
    if winner(position) is not None:
        assert found.winner is winner(position)


def deciding(proof):
    """Yield the number of each line with replies, with each of its moves."""
    for number, line in enumerate(proof):
        for move in line.get("replies", ()):
            yield number, move


@pytest.fixture(scope="module")
def regions():
    """Return the lines of a proof of a London game that depends on filled regions."""
    game = formats.read(find_shipped("games/london-2000-queenbee-hexy.sgf").read_text())
    position = game.position(28)
    text = write(Solver(position.board), position)
    return [json.loads(line) for line in text.splitlines()]


def test_filled_regions_give_a_short_proof(regions):
    """Without filled regions, the proof plays each region out and takes more than a minute."""
    found = verify(text_of(regions))

    assert found.winner is Color.BLACK
    assert found.positions < 40
    assert sum(join is not None for *_, join, _ in fills_of(regions)) > 1


def fills_of(lines, color="black"):
    """Yield the regions that a player's groups enclose."""
    for line in lines:
        yield from (fill for fill in line.get("fills", ()) if fill[0] == color)


ENCLOSED = "not enclosed by groups that are joined inside: "
FAULTS = {
    "open at a corner": (lambda fill, line: _fill(fill, cells=_with_far(fill, line)), ENCLOSED),
    "without what joins it": (lambda fill, _: _fill(fill, join=None), ENCLOSED),
    "a join of other groups": (lambda fill, _: _fill(fill, join=0), ENCLOSED),
    "one group forgotten": (lambda fill, _: _fill(fill, groups=fill[1].split()[0]), ENCLOSED),
    "named too late": (lambda fill, line: _fill(fill, since=len(line["fills"])), ENCLOSED),
    "no such join": (lambda fill, _: _fill(fill, join=100_000), "refers to step 100000"),
    "no such group": (lambda fill, _: _fill(fill, groups="z99"), ""),
    "no number": (lambda fill, _: _fill(fill, since=-1), r"fills\[0\]\[4\]: expected int >= 0"),
    "given to the loser": (
        lambda fill, _: ["white", *fill[1:]],
        "(refers to line |does not follow: )",
    ),
}


def _fill(fill, **changed):
    color, groups, cells, join, since = fill
    told = {"groups": groups, "cells": cells, "join": join, "since": since, **changed}
    return [color, *told.values()]


def _with_far(fill, line):
    """Return the cells of a region plus an empty cell outside all regions of the line."""
    board = Board(11, 11)
    return " ".join(board.names(board.named(f"{fill[2]} {_far(line)}")))


def _far(line):
    names = [name for fill in line["fills"] for name in fill[2].split()]
    board = Board(11, 11)
    taken = {*line["black"], *line["white"], *names}
    return next(name for name in map(board.name, reversed(board.cells)) if name not in taken)


@pytest.mark.parametrize(("fault", "message"), FAULTS.values(), ids=FAULTS)
def test_a_changed_region_is_refused(regions, fault, message):
    """The error names the line and the fault."""
    changed = json.loads(json.dumps(regions))
    line = next(line for line in changed if any(fill[3] is not None for fill in fills_of([line])))
    place = next(n for n, f in enumerate(line["fills"]) if f[0] == "black" and f[3] is not None)
    line["fills"][place] = fault(line["fills"][place], line)

    with pytest.raises(ProofError, match=rf"^line {changed.index(line) + 1}: {message}"):
        verify(text_of(changed))


def test_a_filled_line_needs_a_win_with_the_same_regions_filled(regions):
    """A filled line may only refer to a win with exactly these regions filled."""
    changed = json.loads(json.dumps(regions))
    number, line = next((n, line) for n, line in enumerate(changed) if "fills" in line)
    line["filled"] = 1 if line["filled"] != 1 else 2

    with pytest.raises(ProofError, match=rf"^line {number + 1}: refers to line"):
        verify(text_of(changed))


def test_a_step_around_a_region_fails_without_a_cell(regions):
    """A step that joins groups around a region is rejected without a cell of its carrier."""
    changed = json.loads(json.dumps(regions))
    line = next(line for line in changed if any(fill[3] is not None for fill in fills_of([line])))
    join = next(fill[3] for fill in fills_of([line]) if fill[3] is not None)
    carrier = line["steps"][join][3].split()
    line["steps"][join][3] = " ".join(carrier[1:])

    with pytest.raises(ProofError, match=rf"^line {changed.index(line) + 1}: does not follow"):
        verify(text_of(changed))


def test_a_changed_reply_is_refused(proof):
    """Whatever cell replaces the reply, the error names the line."""
    for number, move in list(deciding(proof))[:5]:
        reply, below = proof[number]["replies"][move]
        for cell in ("a1", "f6", "c3", "g7", "nowhere"):
            if cell == reply:
                continue
            changed = json.loads(json.dumps(proof))
            changed[number]["replies"][move] = [cell, below]
            with pytest.raises(ProofError, match=rf"^line {number + 1}: "):
                verify(text_of(changed))


def test_a_reply_left_out_is_refused(proof):
    """Without the reply, a move has no answer."""
    number, move = list(deciding(proof))[-1]
    changed = json.loads(json.dumps(proof))
    del changed[number]["replies"][move]

    with pytest.raises(ProofError, match=rf"^line {number + 1}: nothing answers a move on"):
        verify(text_of(changed))


def test_a_proof_line_needs_all_its_replies(regions, proof):
    """A line needs all its replies, as moves into a region's join must be answered, too."""
    refused = 0
    for lines in (regions, proof):
        for number, line in enumerate(lines):
            if line.get("replies"):
                changed = json.loads(json.dumps(lines))
                changed[number]["replies"].popitem()
                with pytest.raises(ProofError, match=rf"^line {number + 1}: nothing answers"):
                    verify(text_of(changed))
                refused += 1

    assert refused > 3


def test_a_changed_connection_is_refused(proof):
    """A step with a cell missing from its carrier is rejected, in each of a few lines."""
    for number in range(1, len(proof), 16):
        place, step = [pair for pair in enumerate(proof[number]["steps"]) if pair[1][3]][-1]
        changed = json.loads(json.dumps(proof))
        changed[number]["steps"][place][3] = " ".join(step[3].split()[1:])
        with pytest.raises(ProofError, match=rf"^line {number + 1}: does not follow"):
            verify(text_of(changed))


def test_a_semi_cannot_replace_a_full_connection(proof):
    """A semi cannot serve where a full connection of the edges is needed."""
    number = next(n for n, line in enumerate(proof) if line.get("threats"))
    changed = json.loads(json.dumps(proof))
    changed[number] = {
        **{name: changed[number][name] for name in ("black", "white", "steps")},
        "joined": changed[number]["threats"][0],
    }

    with pytest.raises(ProofError, match=rf"^line {number + 1}: the edges are joined only if"):
        verify(text_of(changed))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "schema",
            "hsearch/proof/0",
            "line 1: not a proof of this version (hsearch/proof/3): 'hsearch/proof/0'",
        ),
        ("winner", "white", "line 2: "),
        ("winner", "green", "line 1: not a color: 'green'"),
        ("black", ["b5"], "line 1: refers to line"),
        ("rows", 7, "line 2: "),
        ("columns", "6", "line 1: "),
        ("turn", "black", "line 1: black is to move and no move is named"),
        ("first", "a1", "line 1: black moves first, but white is to move"),
        ("root", 0, "line 1: refers to line 0"),
        ("root", 1, "line 1: refers to line 1, which does not settle this position"),
        ("lines", 3, "line 1: 3 lines should follow"),
    ],
)
def test_a_changed_head_is_refused(proof, name, value, message):
    """The head cannot be changed without the lines."""
    head = {**proof[0], name: value}

    with pytest.raises(ProofError) as error:
        verify(text_of([head, *proof[1:]]))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: empty"),
        ("{", "line 1: not JSON"),
        ("[]", "line 1: not a JSON object"),
        ("{}", "line 1: not a proof"),
        ("[" * 100_000, "line 1: not JSON"),
        ('{"schema": "hsearch/proof/3"}', "line 1: object missing required field columns"),
    ],
)
def test_a_text_that_is_not_a_proof_is_rejected(text, message):
    """The error names the line and the fault."""
    with pytest.raises(ProofError) as error:
        verify(text)
    assert str(error.value).startswith(message)


def test_only_a_line_feed_ends_a_line_of_a_proof(proof):
    """A carriage return is a blank of JSON, for a text as for a file."""
    head, *rest = text_of(proof).splitlines(keepends=True)

    assert verify(head.replace(", ", ",\r", 1) + "".join(rest)) == verify(text_of(proof))
