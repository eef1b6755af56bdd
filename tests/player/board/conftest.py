"""Servers that all tests of a file share: with a game of London, and without; and one to ask."""

import pytest
from board_client import client, page
from browser import served
from places import ROOT

from hsearch import formats


@pytest.fixture(scope="module")
def london():
    """Serve the first game of London."""
    with served(formats.load(ROOT / "positions/games/london-2000-queenbee-hexy.sgf")) as bound:
        yield bound


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
