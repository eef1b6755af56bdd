"""Players of Dark Hex: an information state to an attempt, and nothing else to go by.

A player has a policy, or guesses the hidden stones. `DARK_PLAYERS` has them by name.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from hsearch.hex.board import Board, Color, cells_in
from hsearch.hex.position import Position
from player.dark.belief import Guess, Inference, Model, guesses
from player.dark.methods import VARIANTS
from player.dark.outlook import outlook
from player.dark.policy import Policy, Study, draw, unknown
from player.dark.rules import Base, DarkRules, History, Mask, View, seen_position, view
from player.dark.tree import Floats
from player.engine.player import Choice, Participant, PlayerError, Rationale, ReadyParticipant
from player.evaluate.ordering import ORDERINGS
from player.variants import Options, SpecError, read_count, read_number, read_one_of, read_options

if TYPE_CHECKING:
    from player.dark.certificate import Certificate


class DarkPlayer(Participant, Protocol):
    """Attempts cells. It is never shown the game, only what its color knows of it."""

    def study(self, rules: DarkRules) -> None:
        """Get ready for games by these rules, before any clock runs.

        Raise PlayerError when the player cannot play them.
        """
        ...

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the cell to attempt in an information state with the player to move."""
        ...


class DarkPolicyPlayer(ReadyParticipant):
    """Attempts cells by a policy, which it studies first."""

    def __init__(self, study: Study, *, name: str) -> None:
        """Take what makes the policy, and the name by which a record calls the player."""
        self.name = name
        self._study = study
        self._law: Policy | None = None

    def study(self, rules: DarkRules) -> None:
        """Find the policy; raise PlayerError when there is none."""
        try:
            self._law = self._study(rules)
        except ValueError as error:
            raise PlayerError(str(error)) from error

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return a cell, drawn by the policy's chances."""
        if self._law is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        chances = self._law(color, history)
        cell = draw(chances, generator)
        reason = f"Drawn with chance {float(chances[cell]):.3f}, as its policy says."
        return Choice(cell, Rationale(reason, line=(cell,)))


# The determinized player: what H-search and the circuits find best over many guesses.
#
# It guesses the hidden stones anew at each attempt, from all that it knows, and
# looks at each guess as if that were the truth. Such a player never hides, and
# thinks that it will be told; but it plays on any board.

GUESSES = 24

Look: TypeAlias = Callable[[Position], Floats]


class GuessingPlayer(ReadyParticipant):
    """Attempts the cell that is best on average over guesses."""

    def __init__(
        self,
        number: int = GUESSES,
        *,
        look: Look = outlook,
        model: Model | None = None,
        near: int = 0,
        name: str = "belief",
    ) -> None:
        """Make this many guesses an attempt, and look so at each.

        model  what the opponent is believed to do; None for chance
        near   percent of the best score that any other cell may lack to be drawn as well
        """
        self.name, self._number, self._look, self._model = name, number, look, model
        self._near = near
        self._rules: DarkRules | None = None
        self._inferences: dict[Color, Inference] = {}

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size; raise PlayerError for one out of reach."""
        try:
            self._look(Position.of(board))
        except ValueError as error:
            raise PlayerError(str(error)) from error

    def study(self, rules: DarkRules) -> None:
        """Remember the rules; raise PlayerError where the model of the opponent does not reach."""
        self._rules = rules
        if self._model is not None:
            try:
                self._model(rules, Color.BLACK, View())
            except ValueError as error:
                raise PlayerError(str(error)) from error
            self._inferences = {color: Inference(rules, color, self._model) for color in Color}

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the best cell over guesses, among equals the first; or one as good as that."""
        rules = self._rules
        if rules is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        seen = view(history)
        guesses = self._guesses(rules, color, history, generator)
        if self._model is not None and rules.base is Base.CLASSIC:
            total = self._foreseen(rules, color, seen, guesses)
        else:
            total = np.zeros(rules.board.size)
            for stones, weight in guesses:
                total += weight * self._scores(rules, color, seen, stones)
        # Equal sums differ by rounding, which must not decide.
        best = np.round(total / max(total.max(), 1e-300), 9)
        cell = max(unknown(rules, history), key=lambda each: (best[each], -each))
        if self._near:
            enough = best[cell] * (1 - self._near / 100)
            good = [each for each in unknown(rules, history) if best[each] >= enough]
            cell = int(generator.choice(good))
        reason = f"Best on average over {self._number} guesses of the hidden stones."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def _guesses(
        self, rules: DarkRules, color: Color, history: History, generator: np.random.Generator
    ) -> list[Guess]:
        if self._inferences:
            return self._inferences[color].guesses(history, self._number, generator)
        return guesses(rules, color, history, self._number, generator)

    def _foreseen(self, rules: DarkRules, color: Color, seen: View, guesses: list[Guess]) -> Floats:
        """Return how good each attempt is where a hit costs nothing and tells something.

        A hit is worth what is best on average over the guesses that it leaves.
        """
        looks = [
            self._look(seen_position(rules.board, color, View(seen.own, stones)))
            for stones, _ in guesses
        ]
        weight = np.array([each for _, each in guesses])
        hit = np.array([[stones >> c & 1 for c in rules.board.cells] for stones, _ in guesses])
        worth = np.where(hit, 0.0, np.array(looks)) * weight[:, None]
        result: Floats = worth.sum(axis=0) + (hit.T @ worth).max(axis=1)
        return result

    def _scores(self, rules: DarkRules, color: Color, seen: View, stones: Mask) -> Floats:
        """Return how good each attempt is if these are the opponent's stones.

        To hit a hidden stone costs the turn in the abrupt game. In the classic
        game it costs nothing: whatever is best is still to come.
        """
        result = self._look(seen_position(rules.board, color, View(seen.own, stones)))
        if rules.base is Base.CLASSIC:
            result = result.copy()
            result[list(cells_in(stones & ~seen.known))] = result.max()
        return result


# Players by name, such as `belief:guesses=24`, `response:to=blind`, `equilibrium`.
#
# What a player needs is loaded when one is made: ordinary games need none of it.

# Orderings that need nothing but stones.
BY = tuple(name for name in ORDERINGS if name not in {"weak_links", "random"})


_count = partial(read_count, digits=9)
_seed = partial(read_number, digits=9)


def _weighting(text: str) -> str:
    return read_one_of("variant", VARIANTS)("linear-cfr" if text == "linear" else text)


def _file(text: str) -> "Certificate":
    from player.dark import certificate  # noqa: PLC0415

    try:
        return certificate.load(Path(text))
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


def policy_of(spec: str) -> "Study":
    """Return the policy of a player that a text names."""
    name, _, _ = spec.partition(":")
    if name not in POLICIES:
        raise SpecError(f"no policy {name!r} (known: {', '.join(POLICIES)})")
    options, make = POLICIES[name]
    return make(**read_options(spec, options))


def _uniform() -> "Study":
    from player.dark import policy  # noqa: PLC0415

    return policy.uniform


def _ordered(by: str = "critical") -> "Study":
    from player.dark import policy  # noqa: PLC0415

    return policy.ordered(by)


def _blind() -> "Study":
    from player.dark import policy  # noqa: PLC0415

    return policy.blind


def _sure() -> "Study":
    from player.dark import policy  # noqa: PLC0415

    return policy.sure


def _equilibrium(file: "Certificate | None" = None) -> "Study":
    from player.dark import proof  # noqa: PLC0415

    return proof.equilibrium if file is None else proof.of_file(file)


def _minimized(variant: str = "cfr+", iterations: int = 100) -> "Study":
    from player.dark import proof  # noqa: PLC0415

    return proof.minimized(variant, iterations)


def _sampled(iterations: int = 10_000, seed: int = 0) -> "Study":
    from player.dark import proof  # noqa: PLC0415

    return proof.sampled(iterations, seed)


def _response(to: "Study | None" = None) -> "Study":
    from player.dark import response  # noqa: PLC0415

    return response.response(_blind() if to is None else to)


# name: options, each with what reads its value; and what makes the policy
POLICIES: dict[str, tuple[Options, Callable[..., "Study"]]] = {
    "blind": ({}, _blind),
    "view": ({"by": read_one_of("ordering", BY)}, _ordered),
    "sure": ({}, _sure),
    "equilibrium": ({"file": _file}, _equilibrium),
    "response": ({"to": policy_of}, _response),
    "cfr": ({"variant": _weighting, "iterations": _count}, _minimized),
    "mccfr": ({"iterations": _count, "seed": _seed}, _sampled),
    "random": ({}, _uniform),
}


def _by_policy(name: str) -> Callable[[str, dict[str, Any]], "DarkPlayer"]:
    def make(spec: str, options: dict[str, Any]) -> "DarkPlayer":

        return DarkPolicyPlayer(POLICIES[name][1](**options), name=spec)

    return make


def _belief(spec: str, options: dict[str, Any]) -> "DarkPlayer":
    from player.dark.belief import sensible  # noqa: PLC0415
    from player.dark.outlook import bare_outlook, chance_outlook, outlook  # noqa: PLC0415

    look = bare_outlook if options.get("links") == "none" else outlook
    if options.get("by") == "critical":
        if "links" in options:
            wires = f"links={options['links']}"
            raise SpecError(f"{wires!r} in {spec!r}: by=critical asks no circuit: leave links out")
        look = chance_outlook
    model = sensible if options.get("model") == "critical" else None
    number, near = options.get("guesses", GUESSES), options.get("near", 0)
    return GuessingPlayer(number, look=look, model=model, near=near, name=spec)


# name: options, each with what reads its value; and what makes the player
DARK_PLAYERS: dict[str, tuple[Options, Callable[[str, dict[str, Any]], "DarkPlayer"]]] = {
    "belief": (
        {
            "guesses": _count,
            "links": read_one_of("links", ("hexy", "none")),
            "by": read_one_of("scores", ("outlook", "critical")),
            "model": read_one_of("model", ("chance", "critical")),
            "near": partial(read_number, digits=2),
        },
        _belief,
    ),
    **{name: (options, _by_policy(name)) for name, (options, _) in POLICIES.items()},
}
ABRUPT_PLAYERS = {name: kind for name, kind in DARK_PLAYERS.items() if name != "sure"}
