"""All hosts give the same sentences in the same order, and the same JSON; some leave out parts."""

import ast
import json

import pytest
from click.testing import CliRunner
from hexgui import ask, session_of
from places import ROOT
from test_hosts import CHAIN, RESIGNED, games

from hsearch import formats
from hsearch.formats import strict
from hsearch.hex.board import Board
from hsearch.hex.game import Game
from player.answers.analysis import Analysis
from player.answers.memory import MEMORY
from player.answers.objects import position_object
from player.answers.position import PositionAnswer
from player.board.asked.position import AnalyzeQuestion, analyze
from player.board.desk import Desk
from player.board.records import PositionObject, Record, record_object
from player.board.threads import BoardJob
from player.cli import main
from player.solve.budget import TRIES_A_SECOND
from player.terminal.advice import PlainAdvice
from player.variants.base import GameState


@pytest.fixture
def _solver_soon_ends(monkeypatch):
    """Give the solver a tenth of its tries: each host repeats them in vain on open boards."""
    monkeypatch.setattr("player.answers.analysis.TRIES_A_SECOND", TRIES_A_SECOND // 10)


OCCASIONS = {
    "open": Game.of(Board(9, 9), ["c3", "g7", "d4"]),
    "chain": CHAIN,
    "record": formats.read(RESIGNED),
    "swap": formats.read("(;FF[4]GM[11]SZ[5]RU[swap];B[a2])"),
    "lost": Game.of(Board(5, 5), ["d4"]),
}


def answer_of(game):
    """Return the answer of Python about a game, with an empty memory."""
    MEMORY.forget()
    return PositionAnswer.of(Analysis(game))


def flat(sentences):
    """Return sentences as one line, without the marks of a board."""
    text = sentences if isinstance(sentences, str) else " ".join(sentences)
    return " ".join(text.replace(" (*)", "").split())


def said_by_command(game):
    done = CliRunner().invoke(main, ["analyze", "-"], input=formats.write(game, "sgf"))
    assert done.exit_code == 0, done.output
    text, _, _ = done.stdout.partition("\n\n")[2].partition("\nTime: ")
    return flat(text).partition(f"move {len(game.moves)} of {len(game.moves)}. ")[2], ("carrier",)


def said_by_gtp(game):
    session = session_of(game, f"param_game allow_swap {int(game.about('RU') == 'swap')}")
    session.load(session.games, game.ending())
    return flat(ask(session, f"hsearch-explain {game.position().turn.word}")), ("counts",)


def said_by_board(game):
    said = page_of(game)["said"]
    parts = [said[name] for name in ("swap", "verdict", "estimate", "mustplay")]
    return flat([*filter(None, parts), *said["more"]]), ("carrier",)


def said_by_why(game):
    _, sentences = PlainAdvice().why(GameState.of(game))
    return flat(sentences), ("carrier", "evaluation", "counts")


def said_by_notebook(game):
    text = str(Analysis(game)).partition("\n\n")[2]
    return flat(text), ("carrier", "evaluation", "counts")


def page_of(game):
    desk, job = Desk(record_object(Game(game.board))), BoardJob(lambda _told: None)
    read = strict.read(strict.write(record_object(game)), Record)
    return analyze(
        desk, job, AnalyzeQuestion(PositionObject(**position_object(game.position())), game=read)
    )


SPEAKERS = (said_by_command, said_by_gtp, said_by_board, said_by_why, said_by_notebook)


def check_sentences(game, speakers=SPEAKERS):
    """Compare the sentences of hosts with those of `PositionAnswer`, without what they leave out.

    Where somebody wins, those who leave out numbers leave out the weak links, too.
    """
    for speaker in speakers:
        MEMORY.forget()
        said, left_out = speaker(game)
        answer = answer_of(game)
        if "counts" in left_out and "carrier" in left_out and answer.winner is not None:
            left_out = (*left_out, "weakest")
        expected = flat(answer.sentences(but=left_out))
        assert said == expected, (speaker.__name__, formats.write(game, "moves"))


def check_objects(game):
    """Compare the JSON of `analyze`, `mustplay`, the page and Python, whole and in its order."""
    record, found = formats.write(game, "sgf"), []
    MEMORY.forget()
    page = page_of(game)
    for command in ("analyze", "mustplay"):
        MEMORY.forget()
        done = CliRunner().invoke(main, [command, "-", "--json"], input=record)
        found.append(json.loads(done.stdout))
    best = found[0].pop("best_moves")["by_turn"][game.position().turn.word]
    objects = [found[0], page["analysis"], json.loads(json.dumps(answer_of(game).to_json()))]
    for each in objects:
        del each["seconds"]
    texts = {json.dumps(each) for each in objects}
    assert len(texts) == 1, texts
    assert json.dumps(found[1]) == json.dumps(page["mustplay"])
    proved = page["proved"] or {"winner": None, "kind": None}
    assert (proved["winner"], proved["kind"]) == (
        objects[0]["proved_winner"],
        objects[0]["proved_by"],
    )
    assert [each["move"] for each in page["candidates"]] == [each["cell"] for each in best["moves"]]


@pytest.mark.slow
@pytest.mark.parametrize(("side", "count"), [(4, 8), (6, 5)])
def test_all_hosts_give_the_same_sentences_and_json(side, count):
    """All hosts give the same sentences and JSON about random positions."""
    for game in games(side, count, seed=side + 20):
        check_sentences(game)
        check_objects(game)


@pytest.mark.usefixtures("_solver_soon_ends")
@pytest.mark.parametrize("name", OCCASIONS)
def test_all_hosts_say_the_same_on_each_occasion(name):
    """So they do of an open position, a chain, a resignation, a possible swap, and a lost one."""
    speakers = {
        "chain": (said_by_command, said_by_gtp, said_by_board, said_by_notebook),
        "record": (said_by_command, said_by_gtp, said_by_board, said_by_notebook),  # `why` plays on
    }
    check_sentences(OCCASIONS[name], speakers.get(name, SPEAKERS))
    check_objects(OCCASIONS[name])


# No host composes an answer of its own.

FUNCTIONS = {
    "advice_before_swap",
    "cell_statements",
    "estimate",
    "estimate_sentence",
    "outcome_object",
}
FUNCTIONS |= {"plain_proof", "result", "verdict", "winner_object"}
KEYS = {"chance_by", "estimate", "outcome", "result", "verdict", "weak_link"}
ALLOWED = {"player/board/asked/records.py": {"result"}}  # of a record, as it is written


def names_in(path):
    """Return the names that a module imports from the answers."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("player.answers"):
            yield from (alias.name for alias in node.names)


def keys_in(path):
    """Return the keys of the objects that a module writes."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant))


@pytest.mark.parametrize("room", ["cli", "gtp", "board", "terminal"])
def test_no_host_composes_an_answer_of_its_own(room):
    """Hosts import no piece of the answer about a position, and write none of its keys."""
    for file in (ROOT / "player" / room).rglob("*.py"):
        place = file.relative_to(ROOT).as_posix()
        assert not FUNCTIONS & set(names_in(file)), place
        assert KEYS & set(keys_in(file)) == ALLOWED.get(place, set()), place


def test_the_pieces_of_an_answer_have_these_names():
    """Else no host could import or write them, and the test above could not fail."""
    answers = ROOT / "player" / "answers"
    trees = [ast.parse(file.read_text()) for file in answers.glob("*.py")]
    functions = {node.name for tree in trees for node in tree.body if hasattr(node, "name")}
    keys = {key for file in answers.glob("*.py") for key in keys_in(file)}

    assert FUNCTIONS - functions == set()
    assert KEYS - keys == set()
