"""Options that many commands have are spelled alike in all of them."""

import click
from commands import verbs

from player.cli import main

PROCESSES = {"--workers", "--jobs"}
APART = {("solve",)}  # there jobs are processes, and workers threads that share a table


def spellings(words):
    """Yield the spellings of each option of a command."""
    command = main.get_command(None, words[0])
    if len(words) == 2:
        command = command.commands[words[1]]
    yield from (set(each.opts) for each in command.params if isinstance(each, click.Option))


def test_processes_are_asked_for_by_either_word():
    """Whoever knows one of the two from another command is not sent away."""
    found = {
        tuple(words): names & PROCESSES
        for words in verbs()
        for names in spellings(words)
        if names & PROCESSES and tuple(words) not in APART
    }

    assert len(found) > 8
    assert {words for words, names in found.items() if names != PROCESSES} == set()
