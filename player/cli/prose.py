"""Sentences for people, wrapped to a width that can be read."""

from collections.abc import Iterable
from textwrap import wrap

import click

WIDTH = 100


def say(sentences: Iterable[str]) -> None:
    """Print sentences, each on lines of its own; one that is indented belongs to the one above."""
    for sentence in sentences:
        indent = " " * (len(sentence) - len(sentence.lstrip()) + 3)
        for row in wrap(sentence, WIDTH, subsequent_indent=indent, break_long_words=False):
            click.echo(row)
