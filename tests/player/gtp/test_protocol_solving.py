"""The solver and the inferior cells over GTP: answers, live blocks, interruptions."""

import re
import time

import pytest
from clock import kept
from hexgui import CODE, answer, ask, blocks, fail, send

from hsearch.connect.inferior import fill_in
from hsearch.hex.board import Color
from player.answers.memory import MEMORY
from player.gtp.serving import serve
from player.gtp.session import Session
from player.gtp.table import execute
from player.search.chances import BY
from player.solve.solver import Solver
from player.solve.verify import verify

STATES = ("dfpn-solve-state", "dfs-solve-state")
FINDERS = ("dfpn-solver-find-winning", "dfs-solver-find-winning")
PARTLY = "stopped before all moves were examined; none is known to win"
KINDS = {
    "dfpn": r"dfpn VAR( [BW] [a-z]\d+)+ LABEL( [a-z]\d+ [WL])* TEXT proof \d+, disproof \d+, .+",
    "dfs": r"solver VAR( [BW] [a-z]\d+)+ LABEL TEXT( [1-9]\d*/[1-9]\d*)+",
}


@pytest.mark.parametrize("command", STATES)
def test_the_winner_is_reported_for_either_player_to_move(command):
    """The winner is given for either player to move, also after the end."""
    session = Session()
    send(["boardsize 3", "play b a1"], session)

    assert ask(session, f"{command} w") == "white"
    assert ask(session, f"{command} b") == "black"
    send(["play b a2", "play b a3"], session)
    assert ask(session, f"{command} w") == "black"


@pytest.mark.parametrize("command", FINDERS)
def test_all_winning_moves_are_listed(command):
    """All winning moves are listed; a lost or decided position has none."""
    session = Session()
    send(["boardsize 3"], session)

    assert ask(session, f"{command} b") == "c1 a2 b2 c2 a3"
    ask(session, "play b b2")
    assert ask(session, f"{command} w") == ""
    send(["play b b1", "play b b3"], session)
    assert ask(session, f"{command} b") == ""


@pytest.mark.parametrize("command", [*STATES, *FINDERS])
def test_an_interruption_is_answered(command):
    """The reply comes within 100 ms after valid live blocks; a partial list is a failure."""

    def attempt():
        session, out, since = Session(), [], []

        def lines():
            yield from ("boardsize 9", "play b a1", "play w e5", "param_dfpn use_guifx 1")
            yield f"{command} b"
            while sum("gogui-gfx:" in text for text in out) < 2:
                time.sleep(0.01)
            since.append(time.perf_counter())
            yield "# interrupt"

        serve(lines(), out.append, lambda request, call: execute(session, request, call))
        seconds = time.perf_counter() - since[0]
        *graphics, last = blocks("".join(out))[4:]
        assert answer(last) == ((True, "unknown") if command in STATES else (False, PARTLY))
        kind = re.compile("gogui-gfx:\n" + KINDS[command.partition("-")[0]], re.ASCII)
        assert graphics
        assert all(kind.fullmatch(block) for block in graphics)
        return seconds

    assert kept(0.1, attempt)


@pytest.mark.parametrize("command", [*STATES, *FINDERS])
def test_the_time_limit_ends_a_search(command):
    """The time limit ends a search, and without graphics only the reply is sent."""
    session = Session()
    send(["boardsize 9", "param_dfpn timelimit 0.2"], session)

    expected = "= unknown" if command in STATES else f"? {PARTLY}"
    assert send([f"{command} b"], session) == [expected]
    assert "[string] timelimit 0.2" in ask(session, "param_dfpn")


def test_timelimit_excludes_compiling_and_loading(monkeypatch):
    """The time limit excludes compiling and loading the net, which is prepared in advance."""
    ready, prepare = [], Solver.prepare

    def noted(self, seconds=None):
        ready.append(seconds)
        prepare(self, seconds)

    monkeypatch.setattr(Solver, "prepare", noted)
    states = ["dfpn-solve-state b", "param_dfpn timelimit 7", "dfpn-solver-find-winning b"]
    send(["boardsize 3", "param_dfpn timelimit 0", *states], Session())

    assert ready == [None, 7]


def test_the_solver_table_is_reused():
    """The next command and an equal board reuse the solver's table."""
    session = Session()
    send(["boardsize 5", "dfpn-solve-state b"], session)
    with MEMORY.solver(session.board) as solver:
        nodes = solver.nodes
    send(["dfpn-solve-state b", "boardsize 5", "dfpn-solve-state b"], session)

    assert solver.nodes == nodes


def test_fill_in_and_inferior_cells_are_listed_with_their_codes():
    """The codes are those that both HexGuis can paint."""
    session = Session()
    send(["boardsize 5", "play b b4", "play w d2", "play w a2"], session)
    filled = ask(session, "compute-fillin b").split()
    codes = dict(zip(filled[::2], filled[1::2], strict=True))
    found = fill_in(session.position)

    assert codes == {
        **dict.fromkeys(session.board.names(found.dead), "fdw"),
        **dict.fromkeys(session.board.names(found.captured_by_black), "fbb"),
        **dict.fromkeys(session.board.names(found.captured_by_white), "fww"),
    }
    assert codes["a5"] == codes["b5"] == "fbb"
    words = ask(session, "compute-inferior b").split()
    more = dict(zip(words[::2], words[1::2], strict=True))
    assert codes.items() < more.items()
    assert {code[:2] for code in more.values()} > {"iv", "id"}
    assert all(CODE.fullmatch(code) for code in more.values())


@pytest.mark.parametrize("color", ["b", "w"])
@pytest.mark.parametrize("rule", ["0", "1"])
def test_explain_uses_the_chance_of_a_search(color, rule):
    """`hsearch-explain` uses a search's chance, as the page does, also before a swap."""
    session = Session()
    send(["boardsize 11", f"param_game allow_swap {rule}"], session)
    send([] if color == "b" else ["play b b4"], session)
    before = after = ask(session, f"hsearch-explain {color}")
    for seconds in (0.2, 2, 20):  # loading the kernels takes long on a busy machine
        if BY["tree"] not in after:
            ask(session, f"param_hsearch max_time {seconds}")
            ask(session, f"hsearch-best-moves {color}")
            after = " ".join(ask(session, f"hsearch-explain {color}").split())

    assert "tree" not in before
    assert BY["tree"] in after


def test_the_shortest_win_is_reported_for_either_player_to_move():
    session = Session()
    send(["boardsize 3", "play b a1"], session)

    assert ask(session, "hsearch-shortest") == ask(session, "hsearch-shortest w")
    assert ask(session, "hsearch-shortest w").startswith(
        "White wins with 3 stones and no fewer, in 5"
    )
    assert ask(session, "hsearch-shortest b").startswith(
        "Black wins with 3 stones and no fewer, in 5"
    )
    send(["play b a2", "play b a3"], session)
    assert ask(session, "hsearch-shortest w") == "Black has won."
    send(["param_game allow_swap 1", "boardsize 3"], session)
    assert ask(session, "hsearch-shortest").startswith("If nobody swaps: Black wins with")
    ask(session, "boardsize 8")
    assert fail(session, "hsearch-shortest").startswith("shortest wins: at most 62 cells")


def test_a_proof_is_written_to_a_new_file(tmp_path):
    """A proof is written to a file that does not exist; only a proved win has one."""
    session, path = Session(), tmp_path / "a1 b4.proof"
    send(["boardsize 6", "play b c1", "play w b4"], session)
    assert ask(session, f"hsearch-proof {path}") == ""
    text = path.read_text()
    send(["boardsize 9", "param_dfpn timelimit 0.2"], session)

    assert verify(text).winner is Color.BLACK
    assert fail(session, f"hsearch-proof {tmp_path / 'open.proof'}") == "who wins is not proved"
    send(["boardsize 3", "play b b2"], session)
    assert "exists: choose another name" in fail(session, f"hsearch-proof {path}")
    assert path.read_text() == text
    assert "No such file" in fail(session, f"hsearch-proof {tmp_path / 'none' / 'b2.proof'}")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
