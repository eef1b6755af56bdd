"""Run the command line as `python -m player.cli`."""

from player.cli import main

main(prog_name="hsearch")
