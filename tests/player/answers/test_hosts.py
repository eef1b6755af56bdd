"""The command line, GTP, the terminal, the board, reviews and Python give one answer."""

import json
from contextlib import suppress

import numpy as np
import pytest
from click.testing import CliRunner
from hexgui import ask, send

from hsearch import formats
from hsearch.formats import strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game, Move
from hsearch.hex.position import winner
from player.answers import analysis as words
from player.answers import memory
from player.answers.knowledge import Analysis
from player.answers.memory import MEMORY
from player.answers.objects import position_object
from player.board.asked.position import Analyze, Graph, analyze, graph
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Record, Stones, record_object
from player.cli import main
from player.gtp.session import Session
from player.study.examine import review_game
from player.study.review import EFFORTS
from player.terminal.advice import PlainAdvice
from player.variants.variant import State

FIELDS = ("winner", "proof", "winning_move")


def games(side, count, seed):
    """Yield games by chance that are not over, each from one to so many moves that it is open."""
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
    seen = words.analysis_object({position.turn: Analysis(position)})
    return {name: seen[name] for name in FIELDS}


def by_command(game):
    done = CliRunner().invoke(main, ["analyze", "-", "--json"], input=formats.write(game, "sgf"))
    assert done.exit_code == 0, done.output
    return {name: json.loads(done.stdout)[name] for name in FIELDS}


def by_board(game):
    desk, job = Desk(record_object(Game(game.board))), BoardJob(lambda _told: None)
    position = position_object(game.position())
    asked = Analyze(Stones(**{name: position[name] for name in Stones.__slots__}))
    return {name: analyze(desk, job, asked)["analysis"][name] for name in FIELDS}


def by_graph(game):
    told = []
    desk = Desk(record_object(Game(game.board)))
    alone = Game.of_position(game.position())
    asked = Graph(strict.read(strict.write(record_object(alone)), Record))
    graph(desk, BoardJob(told.append), asked)
    return {"winner": told[-1]["winner"], "proof": told[-1]["proof"]}


def by_mustplay(game):
    done = CliRunner().invoke(main, ["mustplay", "-", "--json"], input=formats.write(game, "sgf"))
    seen = json.loads(done.stdout)
    return {"winner": seen["winner"], "proof": seen["proof"]}


def by_review(game):
    last = review_game(game, EFFORTS["quick"]).states[-1].proved
    return {"winner": None if last is None else last.winner.word}


def by_gtp(game):
    session, position = Session(), game.position()
    send([f"boardsize {game.board.columns}"], session)
    for move in game.moves:
        ask(session, f"play {move.color.word} {move.name(game.board)}")
    said = " ".join(ask(session, f"hsearch-explain {position.turn.word}").split())
    return {"said": said.partition(". ")[0].partition(".\n")[0]}


def by_why(game):
    _, (sentence, *_) = PlainAdvice({}).why(State.of(game))
    return {"said": sentence.replace(" (*)", "").partition(". ")[0].removesuffix(".")}


HOSTS = (by_python, by_command, by_board, by_graph, by_mustplay, by_review, by_gtp, by_why)


def differences(game):
    """Return what hosts say that differs from what Python says, each in a process that is new."""
    found, position = {}, game.position()
    MEMORY.forget()
    expected = by_python(game)
    sentence = words.verdict(Analysis(position), is_shown=False)
    expected["said"] = sentence.removesuffix(".").partition(". ")[0]
    for host in HOSTS:
        MEMORY.forget()
        told = host(game)
        wrong = {name: value for name, value in told.items() if expected[name] != value}
        if wrong:
            found[host.__name__] = (wrong, expected)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("side", "count"), [(4, 12), (6, 8), (9, 4)])
def test_all_hosts_say_the_same(side, count):
    """Of positions by chance, each host alone."""
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
    """A difference that is planted, in one place."""
    monkeypatch.setattr(name, (None,) if name.endswith("__defaults__") else None)
    caught = set()
    for game in games(6, 12, seed=6):
        with suppress(StopIteration):
            caught |= set(differences(game))

    assert host in caught
    assert caught <= {host}


def test_the_answers_of_a_process_agree_in_any_order():
    """What one host has proved the next one knows: with one memory the winner stays the same."""
    for game in games(6, 3, seed=2):
        MEMORY.forget()
        winners = {by_board(game)["winner"], by_review(game)["winner"], by_python(game)["winner"]}
        assert len(winners) == 1
    assert memory.MEMORY is MEMORY
