"""Run a command with clocks that count its processor time instead of the time of day.

    python tests/research/processor_time.py tournament hexy hexy:knowledge=local --time 0.5

On a loaded machine wall-clock seconds are not shared fairly. With one worker, and players of this
program only, `--time` then gives each player that much processor time.
"""

import sys
import time
from importlib.metadata import entry_points


def count_processor_time() -> None:
    """Make the clocks of this process count its processor time from now on."""
    time.perf_counter = time.monotonic = time.process_time


def main() -> None:
    """Run the command."""
    count_processor_time()
    (command,) = entry_points(group="console_scripts", name="hsearch")
    sys.exit(command.load()())


if __name__ == "__main__":
    main()
