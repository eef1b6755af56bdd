"""Sentences for people, wrapped to a width that can be read, and numbers in them."""

from collections.abc import Iterable
from textwrap import wrap

import click

WIDTH = 100


def numbered(number: int, thing: str) -> str:
    """Return a number of things in words, as `1 position` or `2 positions`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def say(sentences: Iterable[str]) -> None:
    """Print sentences, each on lines of its own; one that is indented belongs to the one above."""
    for sentence in sentences:
        indent = " " * (len(sentence) - len(sentence.lstrip()) + 3)
        for row in wrap(sentence, WIDTH, subsequent_indent=indent, break_long_words=False):
            click.echo(row)
