"""Run a command with clocks that count the processor time of its process, not the time of day.

    python tests/research/processor_time.py tournament hexy hexy:knowledge=local --time 0.5

On a loaded machine seconds of the day tell little of who was given them. With
one worker, and players of this program alone, `--time` then gives each player
so much of the processor.
"""

import sys
import time
from importlib.metadata import entry_points


def count_processor_time() -> None:
    """Let the clocks of this process count what it has of the processor from now on."""
    time.perf_counter = time.monotonic = time.process_time


def main() -> None:
    """Run the command."""
    count_processor_time()
    (command,) = entry_points(group="console_scripts", name="hsearch")
    sys.exit(command.load()())


if __name__ == "__main__":
    main()
