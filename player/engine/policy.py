"""The player `policy`: the first choice of a net, without a search and without a proof.

It asks the definition of the net, in plain numpy, so nothing is compiled: from the first second
on it answers in a tenth of a second on 11x11. So it stands in for a player whose kernels are
still being compiled. With a net of others, `policy:net=FILE.onnx`, it is what is called that
net's bare policy.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Board
from hsearch.hex.frame import Frame
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.engine.hexy import opening
from player.engine.player import Choice, MoveRequest, PlayerFileError, Rationale
from player.net.net import NetError, features, forward, shipped_net
from player.net.policy import AnyNet, PolicyNet, read_any_net
from player.variants import FileError, Kind, SpecError

SPEC = "policy"
PATIENCE = 2.0  # seconds that a person waits for a player that compiles, before this one moves


class PolicyPlayer:
    """Plays the empty cell that its net likes most; opens and swaps by the maps."""

    def __init__(self, net: AnyNet, *, name: str = SPEC) -> None:
        """Ask this net, and take the name by which a record calls the player."""
        self.net, self.name = net, name

    def prepare(self, board: Board) -> None:
        """Raise PlayerFileError when the net is for boards of another size."""
        if isinstance(self.net, PolicyNet):
            try:
                self.net.expect(board)
            except NetError as error:
                raise PlayerFileError(str(error)) from error

    def choose(self, game: Game, terms: MoveRequest, _generator: np.random.Generator) -> Choice:
        """Return the first move, a swap, or the first choice. Raise PlayerFileError if it fails."""
        position = game.position()
        choice = opening(position, terms)
        if choice is not None:
            return choice
        logits = self._logits(position)
        empty = list(position.empty.search(1))
        cell = empty[int(np.argmax(logits[empty]))]
        reason = f"{position.board.name(cell)} is the first choice of the net, without a search."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def _logits(self, position: Position) -> NDArray[np.float64]:
        """Return what the net thinks of each cell of the board."""
        planes = features(position)
        if not isinstance(self.net, PolicyNet):
            logits = forward(self.net, planes).policy
        else:
            try:
                logits = self.net.logits(planes)
            except NetError as error:
                raise PlayerFileError(str(error)) from error
        flat = logits.ravel().astype(np.float64)
        return Frame.of(position, position.turn).back(flat)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def stand_in() -> PolicyPlayer | None:
    """Return who moves while another player is prepared; None where no net comes along."""
    net = shipped_net()
    return None if net is None else PolicyPlayer(net)


def stand_in_words(name: str) -> str:
    """Return what is said of a move that was made for the player of that name."""
    return f"That was the net's first choice, without a search: {name} is being prepared."


# Its option, which `tree` has as well.


def net_named(text: str) -> AnyNet | None:
    """Return the net that comes along, `shipped`, or that of a file; None for `none`.

    Raise ValueError where no net came along, FileError, naming the file, where it is of no use.
    """
    if text == "none":
        return None
    if text == "shipped":
        net = shipped_net()
        if net is None:
            raise ValueError("no net came with this copy of hsearch")
        return net
    try:
        return read_any_net(Path(text))
    except NetError as error:
        raise FileError(str(error)) from None


def _policy(spec: str, options: dict[str, Any]) -> PolicyPlayer:
    net = options.get("net", shipped_net())
    if net is None:
        raise SpecError(f"{spec!r}: it plays by a net alone: policy:net=FILE")
    return PolicyPlayer(net, name=spec)


POLICY: Kind = ({"net": net_named}, _policy)
