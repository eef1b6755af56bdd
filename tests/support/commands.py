"""The list of all commands."""

import click

from player.cli import COMMANDS, main


def groups():
    """Return the name of every command that has subcommands."""
    return (name for name in COMMANDS if isinstance(main.get_command(None, name), click.Group))


def verbs():
    """Return the words of every command, including those of groups."""
    for name in COMMANDS:
        command = main.get_command(None, name)
        inner = command.commands if isinstance(command, click.Group) else {"": None}
        yield from (f"{name} {verb}".split() for verb in inner)
