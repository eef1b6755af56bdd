"""Import the whole program: all commands, and the kernels of an analysis."""

import scipy.optimize
import scipy.stats  # noqa: F401 - several commands use it

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.cli import COMMANDS, main

for name in COMMANDS:
    main.get_command(None, name)
analysis = ConnectionAnalysis(Position.of(Board(11, 11), black="f6", turn=Color.WHITE))
for name in ("winner", "mustplay", "circuits"):
    getattr(analysis, name)
