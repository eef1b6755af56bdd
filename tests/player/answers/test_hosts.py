"""The command line, GTP, the terminal, the board, reviews and Python agree on each answer."""

import json
import re
import sys
import time
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import ask, send, session_of
from playing import played
from scripted import Scripted

import hsearch
from hsearch import formats
from hsearch.formats import strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Ending, Move, Outcome
from hsearch.hex.position import Position, winner
from player.answers import candidates, memory
from player.answers import solved as words
from player.answers.analysis import Analysis
from player.answers.memory import MEMORY
from player.answers.objects import number, position_object
from player.answers.position import PositionAnswer
from player.board.asked.position import (
    AnalyzeQuestion,
    HintQuestion,
    PositionQuestion,
    analyze,
    graph,
    hint,
    policy,
)
from player.board.asked.solving import SolveQuestion, solve
from player.board.desk import Desk
from player.board.records import GameQuestion, PositionObject, Record, record_object
from player.board.threads import BoardJob
from player.cli import learn_fit, main
from player.console.command import InputError
from player.engine.player import MoveRequest
from player.engine.referee import MatchRules, play
from player.engine.spec import participant
from player.evaluate.net import load_net
from player.gtp.session import Session
from player.search import chances, opening_estimates
from player.search.chances import SURE, Chance
from player.solve.budget import TRIES_A_SECOND
from player.study.examine import review_game
from player.study.review import EFFORTS
from player.terminal.advice import PlainAdvice
from player.variants.base import ALTERNATING, GameState, read_move

FIELDS = ("winner", "proof", "winning_move", "chance", "chance_by")


def games(side, count, seed):
    """Yield random games of at least one move, each cut before it is won."""
    generator, board = np.random.default_rng(seed), Board(side, side)
    while count:
        game, color = Game(board), Color.BLACK
        for cell in generator.permutation(board.size)[: generator.integers(1, board.size)]:
            after = game.append(Move(color, int(cell)))
            if winner(after.position()) is not None:
                break
            game, color = after, color.opponent
        count -= 1
        yield game


def by_python(game):
    position = game.position()
    seen = PositionAnswer.of(Analysis(position)).to_json()
    return {name: seen[name] for name in FIELDS}


def by_command(game):
    done = CliRunner().invoke(main, ["analyze", "-", "--json"], input=formats.write(game, "sgf"))
    assert done.exit_code == 0, done.output
    return {name: json.loads(done.stdout)[name] for name in FIELDS}


def by_board(game):
    desk, job = Desk(record_object(Game(game.board))), BoardJob(lambda _told: None)
    asked = AnalyzeQuestion(PositionObject(**position_object(game.position())))
    seen = analyze(desk, job, asked)
    fields = {name: seen["analysis"][name] for name in FIELDS}
    return fields | {"black": seen["chance"], "estimate": seen["said"]["estimate"]}


def by_graph(game):
    told = []
    desk = Desk(record_object(Game(game.board)))
    alone = Game.of_position(game.position())
    asked = GameQuestion(strict.read(strict.write(record_object(alone)), Record))
    graph(desk, BoardJob(told.append), asked)
    last = told[-1]
    seen = {name: last[name] for name in ("winner", "proof", "chance_by")}
    return seen | {"black": last["chance"]}


def by_mustplay(game):
    done = CliRunner().invoke(main, ["mustplay", "-", "--json"], input=formats.write(game, "sgf"))
    seen = json.loads(done.stdout)
    return {"winner": seen["winner"], "proof": seen["proof"]}


def by_review(game):
    if game.board.size > 36:  # a review analyzes every move, so set up all but the last
        *_, last = game.moves
        before = replace(game, nodes=game.nodes[:-1])
        game = Game.of_position(before.position()).append(last)
    last = review_game(game, EFFORTS["quick"]).states[-1]
    won = None if last.winner is None else last.winner.word
    return {"winner": won, "chance": number(last.chance), "chance_by": last.odds.by}


def by_gtp(game):
    turn = game.position().turn
    said = " ".join(ask(session_of(game), f"hsearch-explain {turn.word}").split())
    return {"said": said.partition(". ")[0].partition(".\n")[0], "estimate": estimate_in(said)}


def estimate_in(text):
    """Return the sentence that estimates the chance, or an empty string."""
    (*found,) = re.findall(r"Estimated chance to win: [^)]*\)\.", " ".join(text.split()))
    assert len(found) <= 1  # one number per answer
    return "".join(found)


def by_notebook(game):
    return {"estimate": estimate_in(str(Analysis(game)))}


def by_why(game):
    _, (sentence, *more) = PlainAdvice().why(GameState.of(game))
    said = sentence.replace(" (*)", "").partition(". ")[0].removesuffix(".")
    return {"said": said, "estimate": estimate_in(" ".join(more))}


HOSTS = (
    by_python,
    by_command,
    by_board,
    by_graph,
    by_mustplay,
    by_review,
    by_gtp,
    by_why,
    by_notebook,
)


def differences(game):
    """Return each host's fields that differ from Python's, with the memory cleared for each."""
    found, position = {}, game.position()
    MEMORY.forget()
    expected = by_python(game)
    analysis = Analysis(position)
    sentence = words.verdict(analysis, is_shown=False)
    expected["said"] = sentence.removesuffix(".").partition(". ")[0]
    expected |= {"black": round(analysis.chance.black, 4), "estimate": words.estimate(analysis)}
    for host in HOSTS:
        MEMORY.forget()
        told = host(game)
        wrong = {name: value for name, value in told.items() if expected[name] != value}
        if wrong:
            found[host.__name__] = (wrong, expected)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("side", "count"), [(4, 12), (6, 8), (9, 4)])
def test_all_hosts_agree(side, count):
    """All hosts agree on random positions, each starting with an empty memory."""
    for game in games(side, count, seed=side):
        assert differences(game) == {}, formats.write(game, "moves")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("player.cli.analyze.SEARCH_SECONDS", "by_mustplay"),
        ("player.terminal.advice.PlainAdvice.why.__defaults__", "by_why"),
    ],
)
def test_a_host_that_searches_less_is_caught(name, host, monkeypatch):
    """A planted difference is found in its host and in no other."""
    monkeypatch.setattr(name, (None,) if name.endswith("__defaults__") else None)
    caught = set()
    for game in games(6, 12, seed=6):
        with suppress(StopIteration):
            caught |= set(differences(game))

    assert host in caught
    assert caught <= {host}


def test_hosts_that_share_one_memory_agree_on_the_winner():
    """Hosts that share one memory name the same winner."""
    for game in games(6, 3, seed=2):
        MEMORY.forget()
        winners = {by_board(game)["winner"], by_review(game)["winner"], by_python(game)["winner"]}
        assert len(winners) == 1
    assert memory.MEMORY is MEMORY


# All hosts estimate the same chance, and none where the winner is known.


@pytest.fixture
def _solver_soon_ends(monkeypatch):
    """Give the solver a tenth of its tries: each host repeats them in vain on open boards."""
    monkeypatch.setattr("player.answers.analysis.TRIES_A_SECOND", TRIES_A_SECOND // 10)


@pytest.mark.usefixtures("_solver_soon_ends")
@pytest.mark.parametrize("count", [1, 2, 9, 16])
def test_all_hosts_compute_the_same_estimate(count):
    """All hosts estimate open positions alike; a single stone is looked up in the opening map."""
    cells = np.random.default_rng(count).permutation(121)[:count].tolist()
    game = Game.of(Board(11, 11), cells)

    assert differences(game) == {}
    assert by_python(game)["chance_by"] == ("map" if count == 1 else "net")


@pytest.mark.usefixtures("_solver_soon_ends")
@pytest.mark.parametrize(
    ("name", "host"),
    [("player.study.examine.estimate", "by_review"), ("player.gtp.connections", "by_gtp")],
)
def test_a_host_with_a_different_estimate_is_caught(name, host, monkeypatch):
    """A planted difference is found in its host and in no other."""
    if host == "by_gtp":
        monkeypatch.setattr(Session, "analysis_of", lambda self, _: _otherwise(self.position))
    else:
        monkeypatch.setattr(name, lambda _position: Chance(0.4321, "net"))
    game = Game.of(Board(9, 9), ["c3", "g7", "d4"])

    assert set(differences(game)) == {host}


def _otherwise(position):
    analysis = Analysis(position)
    analysis.searched = Chance(0.4321, "tree")
    return analysis


CHAIN = Game.of(Board(3, 3), ["b1", "a1", "b2", "a2", "b3"])
RESIGNED = "(;FF[4]GM[11]SZ[11]RE[B+R];B[f6];W[d8])"


@pytest.mark.parametrize("game", [CHAIN, RESIGNED], ids=["chain", "record"])
def test_no_host_estimates_a_finished_game(game, monkeypatch):
    """No host computes or prints an estimate for a finished game."""
    game = game if isinstance(game, Game) else formats.read(game)
    last = review_game(game, EFFORTS["quick"]).states[-1]
    by_chain = game is CHAIN

    told, desk = [], Desk(record_object(game))
    graph(
        desk,
        BoardJob(told.append),
        GameQuestion(strict.read(strict.write(record_object(game)), Record)),
    )

    def never(_position):
        raise AssertionError("estimated")

    monkeypatch.setattr("player.answers.analysis.estimate", never)
    analysis = Analysis(game)

    assert by_command(game)["chance_by"] == ("proof" if by_chain else "record")
    assert by_command(game)["chance"] in {0, 1}
    assert last.odds == analysis.chance == Chance(1.0, "proof" if by_chain else "record")
    assert told[-1]["chance_by"] in SURE
    for text in (str(analysis), PositionAnswer.of(analysis).subject):
        assert "stimated" not in text


@pytest.fixture
def no_net(tmp_path, monkeypatch):
    """Hide the shipped net, as in a copy without it."""
    for file in Path(formats.find_shipped("net.npz")).parent.iterdir():
        if file.name != "net.npz":
            (tmp_path / file.name).symlink_to(file)
    monkeypatch.setattr(sys.modules["hsearch.formats.files"], "_FOLDERS", (tmp_path,))
    for known in (load_net, candidates._settings):  # noqa: SLF001 - it caches the net
        known.cache_clear()
    yield
    monkeypatch.undo()
    for known in (load_net, candidates._settings):  # noqa: SLF001 - it caches the net
        known.cache_clear()


@pytest.mark.usefixtures("no_net", "_solver_soon_ends")
def test_without_a_net_all_hosts_estimate_by_playouts():
    """Without a net all hosts estimate by playouts and say so, and so does `best_moves`."""
    game = Game.of(Board(9, 9), ["c3", "e5", "d4"])
    analysis = Analysis(game, search=0)

    assert differences(game) == {}
    assert by_python(game)["chance_by"] == analysis.chance.by == "playouts"
    assert "(by playouts, as this copy has no net)" in words.estimate(analysis)
    best = candidates.best_moves(analysis, 0.1)
    assert analysis.chance.by == "playouts"
    assert best.chance == analysis.chance


@pytest.mark.usefixtures("no_net")
@pytest.mark.parametrize(
    "ask_net",
    [
        chances.net_share,
        lambda position: opening_estimates.by_net(position, 0),
        lambda position: policy(
            Desk(record_object(Game(position.board))),
            BoardJob(lambda _told: None),
            PositionQuestion(PositionObject(**position_object(position))),
        ),
        lambda _position: participant("tree:net=shipped", ALTERNATING),
        lambda _position: learn_fit._net(None),  # noqa: SLF001 - that of `learn patterns`
    ],
    ids=["chance", "openings", "policy", "player", "learn"],
)
def test_without_a_net_all_that_need_one_give_the_same_reason(ask_net):
    """The reason is worded once, whoever needs the net."""
    with pytest.raises((ValueError, InputError)) as refused:
        ask_net(Position.of(Board(9, 9)))
    assert "no net came with this copy of hsearch" in str(refused.value)


def test_every_host_reports_an_empty_mustplay_if_every_move_loses():
    """Connections leave two cells and the solver none; GTP and the review's JSON once kept two."""
    game = Game.of(Board(5, 5), ["d4"])
    session, record = Session(), formats.write(game, "sgf")
    send(["boardsize 5", "play b d4"], session)
    commands = (["mustplay"], ["analyze"], ["review", "--effort", "quick"])
    mustplay, analysis, review = (
        json.loads(
            CliRunner().invoke(main, [*each, "-", "--json"], input=record).stdout.split("\n")[0]
        )
        for each in commands
    )

    assert Analysis(game).threatened.cells.count() == 2
    assert not Analysis(game).mustplay.cells
    assert mustplay["mustplay"] == analysis["mustplay"] == review["after"]["mustplay"] == []
    assert ask(session, "vc-mustplay-list white") == ""
    assert len(ask(session, "vc-get-mustplay white").split()) == 2 * 24
    assert ask(session, "vc-mustplay-list black")


# While a swap is possible, every answer ignores it, and each host says so in the same words.

SWAPPED = "If nobody swaps: "


def before_swap_by_python(game):
    answers = Analysis(game), hsearch.solve(game), hsearch.shortest_win(game)
    best = hsearch.best_moves(game, 0)
    assert {each.before_swap for each in answers} == {best.before_swap}
    return [str(each).partition("\n\n")[2] for each in (answers[0], best)] + [
        str(each) for each in answers[1:]
    ]


def before_swap_by_commands(game):
    record, words = formats.write(game, "sgf"), ("analyze", "mustplay", "solve", "solve --shortest")
    found = {}
    for each in words:
        done, seen = (
            CliRunner().invoke(main, [*each.split(), "-", *more], input=record)
            for more in ([], ["--json"])
        )
        found[each] = done.stdout.partition("\n\n")[2]
        assert json.loads(seen.stdout)["before_swap"] is (SWAPPED in found[each])
    return list(found.values())


def before_swap_by_board(game):
    desk, job = Desk(record_object(Game(game.board))), BoardJob(lambda _told: None)
    read = {"game": strict.read(strict.write(record_object(game)), Record)}
    stones = PositionObject(**position_object(game.position()))
    analyzed = analyze(desk, job, AnalyzeQuestion(stones, **read))
    solved = solve(desk, job, SolveQuestion(stones, **read))
    objects = analyzed["analysis"], analyzed["mustplay"], solved["solved"]
    said = [analyzed["said"]["verdict"], solved["said"]]
    assert {each["before_swap"] for each in objects} == {SWAPPED in each for each in said}
    return said


def before_swap_by_gtp(game):
    session = session_of(game, f"param_game allow_swap {int(game.about('RU') == 'swap')}")
    return [ask(session, "hsearch-explain"), ask(session, "hsearch-best-moves")]


def before_swap_by_gtp_record(game):
    session = Session()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.sgf"
        path.write_text(formats.write(game, "sgf"))
        send([f"loadsgf {path}"], session)
    return [ask(session, "hsearch-explain"), ask(session, "hsearch-best-moves")]


def before_swap_by_why(game):
    return ["\n".join(PlainAdvice().why(GameState.of(game))[1])]


@pytest.mark.parametrize(
    ("record", "is_before"),
    [
        ("RU[swap];B[c3]", True),
        ("RU[swap];B[a1]", True),
        ("RU[swap]", True),
        (";B[c3]", False),
        ("RU[swap];B[c3];W[b4]", False),
        ("RU[swap];B[c3];W[swap-pieces]", False),
        ("RU[swap];B[pass]", False),
    ],
)
@pytest.mark.parametrize(
    "host",
    [
        before_swap_by_python,
        before_swap_by_commands,
        before_swap_by_board,
        before_swap_by_gtp,
        before_swap_by_gtp_record,
        before_swap_by_why,
    ],
)
def test_each_host_reports_a_possible_swap(host, record, is_before):
    """Each host marks an answer that ignores a possible swap; some once said that White loses."""
    for text in host(formats.read(f"(;FF[4]GM[11]SZ[4]{record})")):
        assert (SWAPPED in text) is is_before, text


@pytest.mark.parametrize(
    ("moves", "advice"),
    [([], "White may swap. Opens with "), (["b2"], "White may swap, and should not.")],
)
def test_each_host_gives_the_swap_advice(moves, advice):
    """Each host gives the swap advice that `analyze` gives; some once left it out."""
    record = "".join(f";B[{move}]" for move in moves)
    game = formats.read(f"(;FF[4]GM[11]SZ[4]RU[swap]{record})")
    python, commands, gtp = (
        host(game) for host in (before_swap_by_python, before_swap_by_commands, before_swap_by_gtp)
    )
    said = words.swap_advice(game)

    assert said.startswith(advice)
    assert ("most even" in said) is (not moves)
    for text in (python[0], *commands[:2], *gtp):
        assert said in " ".join(text.split()), text


# The result of a record.

ENDS = {  # the moves of Black and White, the result of the record, and the ending that it names
    "chain": ("a1 b1 a2", "B+", None),
    "resignation": ("a1 resign", "B+Resign", Ending.RESIGNED),
    "forfeit": ("a1 forfeit", "B+Forfeit", Ending.FORFEITED),
    "time": ("a1 b1", "B+Time", Ending.LOST_ON_TIME),
}


class Late(Scripted):
    """Plays a move after more time than is allowed."""

    def choose(self, *terms):
        """Wait for longer than the limit, then choose as usual."""
        time.sleep(0.6)
        return super().choose(*terms)


def terminal_record(end, path):
    """Return the record of two people at the terminal."""
    moves = ENDS[end][0].replace(" ", "\n")
    played(f"{moves}\n", "--size", "2", "--white", "human", "--record", str(path))
    return formats.read(path.read_text())


def gtp_record(end, _path):
    """Return the record that GTP prints."""
    session, moves = Session(), zip(cycle("bw"), ENDS[end][0].split(), strict=False)
    send(["boardsize 2", *(f"play {color} {move}" for color, move in moves)], session)
    return formats.read(ask(session, "printsgf"))


def match_record(end, path):
    """Return the record of a match; an illegal move is a forfeit."""
    words = ENDS[end][0].replace("forfeit", "a1").split()
    black, white = ([read_move(Board(2, 2), word) for word in words[color::2]] for color in Color)
    slow = Late(*white) if end == "time" else Scripted(*white)
    rules = MatchRules(seconds=0.5, grace=0)
    play(Scripted(*black), slow, Game.of(2), np.random.default_rng(), rules=rules, save=path)
    return formats.read(path.read_text())


@pytest.mark.parametrize(
    ("record", "ends"),
    [
        (terminal_record, ["chain", "resignation"]),
        (gtp_record, ["chain", "resignation", "forfeit"]),
        (match_record, list(ENDS)),
    ],
)
def test_every_host_records_how_a_game_ended(record, ends, tmp_path):
    """The same result is written at the terminal, over GTP and in a match, and is read back."""
    for end in ends:
        game = record(end, tmp_path / f"{end}.sgf")
        _, result, ending = ENDS[end]
        assert game.result == result
        assert replace(game, nodes=game.nodes[:2]).outcome == Outcome(Color.BLACK, ending)
        assert game.outcome == Outcome(Color.BLACK, ending)


# A hint is the same at the terminal, on the page and over GTP.


def hint_by_terminal(game, swap):
    asked = MoveRequest(1.0, swap)
    return PlainAdvice().hint(GameState.of(game), asked, np.random.default_rng(0)).sentence


def hint_by_board(game, swap):
    desk, job = Desk(record_object(Game(game.board))), BoardJob(lambda _told: None)
    record = strict.read(strict.write(record_object(game)), Record)
    return hint(desk, job, HintQuestion(record, swap))["said"]


def hint_by_gtp(game, swap):
    session = session_of(game, f"param_game allow_swap {int(swap)}")
    return " ".join(ask(session, "hsearch-hint").split())


@pytest.mark.parametrize(
    ("side", "moves", "swap", "begins"),
    [
        (11, [], True, "Hint: a4. White may swap. Opens with a4, which the map of openings"),
        (11, [], False, "Hint: f6. Opens in the center"),
        (11, ["f6"], True, "Hint: swap. White may swap, and should."),
        (5, ["c3"], True, "Hint: swap. White may swap, and should."),
        (5, ["a1"], True, "Hint: c3. Proved: White, who is to move, wins: "),
        (5, ["a2", "d4", "c3", "b2"], False, "Hint: b4. Proved: Black, who is to move, wins: "),
        (5, ["b4"], False, "Hint: c2. Proved by search: Black wins, whatever White plays"),
    ],
)
def test_each_host_gives_the_same_hint(side, moves, swap, begins):
    """Each host gives the same hint, each starting with an empty memory."""
    game, hints = Game.of(Board(side, side), moves), set()
    for host in (hint_by_terminal, hint_by_board, hint_by_gtp):
        MEMORY.forget()
        hints.add(host(game, swap))
    (said,) = hints

    assert said.startswith(begins)


@pytest.mark.parametrize("host", [hint_by_terminal, hint_by_board])
def test_no_hint_is_to_swap_a_stone_that_was_set_up(host):
    """Nobody could follow it: a swap is the second move of a game."""
    game = formats.read("(;FF[4]GM[11]SZ[3]RU[swap]AB[b2]PL[W])")

    assert host(game, swap=True).startswith("Hint: c1. Proved: Black wins")
