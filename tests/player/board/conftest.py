"""Fixtures: shared servers, with a game from London or an empty board, and a client."""

from collections import defaultdict

import pytest
from board_client import client, page
from browser import served
from places import ROOT

from hsearch import formats


@pytest.fixture(scope="session")
def london():
    """Serve the first game of London; the rules of connections alone analyze its positions."""
    with served(
        formats.load(ROOT / "positions/games/london-2000-queenbee-hexy.sgf"), solves=False
    ) as bound:
        yield bound


@pytest.fixture
def remembered():
    """Let a test keep the proofs of earlier runs of it with other arguments."""


@pytest.fixture(scope="session")
def _memories():
    """Hold the proofs about the London game, and those of each test that is `remembered`."""
    return defaultdict(dict)


@pytest.fixture(autouse=True)
def _nothing_proved_before(_nothing_proved_before, _memories, request):
    """Forget the proofs of the previous test, unless both use the London server.

    That server keeps its analyses, and what is proved stays known.
    """
    if not {"london", "remembered"}.intersection(request.fixturenames):
        yield
        return
    from player.answers.memory import MEMORY, Memory  # noqa: PLC0415 - it loads numba

    memory = _memories["" if "london" in request.fixturenames else request.node.originalname]
    vars(MEMORY).update(memory)
    yield
    memory.update(vars(MEMORY))
    vars(MEMORY).update(vars(Memory()))


@pytest.fixture(scope="module")
def empty():
    """Serve an empty board."""
    with served() as bound:
        yield bound


@pytest.fixture(scope="module")
def asking():
    """Ask a server as its page does, without a browser."""
    with client() as browser, page(browser) as one:
        yield one
