"""Players of Dark Hex, which see only their information state.

A player has a policy, or guesses the hidden stones. `DARK_PLAYERS` lists them by name.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hsearch.hex import Board, Color, Position, cells_in
from player.dark import policy
from player.dark.belief import Guess, Inference, OpponentModel, guesses, sensible
from player.dark.methods import VARIANTS
from player.dark.outlook import Outlook, bare_outlook, chance_outlook, outlook
from player.dark.policy import Policy, Study, draw
from player.dark.rules import Base, DarkRules, History, Mask, View, view, view_position
from player.dark.tree import Floats
from player.engine.player import Choice, DarkPlayer, PlayerError, Rationale, ReadyParticipant
from player.evaluate.ordering import ORDERINGS
from player.work import naming

if TYPE_CHECKING:
    from player.dark.certificate import Certificate


class DarkPolicyPlayer(ReadyParticipant):
    """Attempts cells by a policy, which `study` computes."""

    def __init__(self, study: Study, *, name: str) -> None:
        """Take a function that computes the policy, and the player's name for records."""
        self.name = name
        self._study = study
        self._law: Policy | None = None

    def study(self, rules: DarkRules) -> None:
        """Compute the policy; raise PlayerError when there is none for these rules."""
        try:
            self._law = self._study(rules)
        except ValueError as error:
            raise PlayerError(str(error)) from error

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return a cell drawn from the policy.

        Raise PlayerError unless `study` was called before.
        """
        if self._law is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        chances = self._law(color, history)
        cell = draw(chances, generator)
        reason = f"Drawn with chance {float(chances[cell]):.3f}, by its policy."
        return Choice(cell, Rationale(reason, line=(cell,)))


# The determinized player: the best cell on average over many guesses, by H-search and circuits.
#
# At each attempt it guesses the hidden stones anew from its information, and
# evaluates each guess as if it were the truth. Such a player never tries to hide
# its stones, and assumes that it will learn the opponent's; but it plays on any board.

GUESSES = 24


class GuessingPlayer(ReadyParticipant):
    """Attempts the cell that is best on average over guesses."""

    def __init__(
        self,
        number: int = GUESSES,
        *,
        rate: Outlook = outlook,
        model: OpponentModel | None = None,
        near: int = 0,
        name: str = "belief",
    ) -> None:
        """Make `number` guesses for each attempt, and score its moves by `rate`.

        model  how the opponent is assumed to play; None for random play
        near   draw among the cells whose score is at most this many percent below the best
        """
        self.name, self._number, self._rate, self._model = name, number, rate, model
        self._near = near
        self._rules: DarkRules | None = None
        self._inferences: dict[Color, Inference] = {}

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size; raise PlayerError if it is too large."""
        try:
            self._rate(Position.of(board))
        except ValueError as error:
            raise PlayerError(str(error)) from error

    def study(self, rules: DarkRules) -> None:
        """Store the rules; raise PlayerError if the opponent's model does not support them."""
        self._rules = rules
        if self._model is not None:
            try:
                self._model(rules, Color.BLACK, View())
            except ValueError as error:
                raise PlayerError(str(error)) from error
            self._inferences = {color: Inference(rules, color, self._model) for color in Color}

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the best cell over the guesses, the first of equals; with `near`, draw one.

        Raise PlayerError unless `study` was called before.
        """
        rules = self._rules
        if rules is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        own_view = view(history)
        guesses = self._guesses(rules, color, history, generator)
        if self._model is not None and rules.base is Base.CLASSIC:
            total = self._foresee(rules, color, own_view, guesses)
        else:
            total = np.zeros(rules.board.size)
            for stones, weight in guesses:
                total += weight * self._scores(rules, color, own_view, stones)
        # Rounding errors between equal sums must not decide.
        best = np.round(total / max(total.max(), 1e-300), 9)
        cells = rules.unknown(own_view)
        cell = max(cells, key=lambda each: (best[each], -each))
        if self._near:
            enough = best[cell] * (1 - self._near / 100)
            good = [each for each in cells if best[each] >= enough]
            cell = int(generator.choice(good))
        how = f"Within {self._near} % of the best" if self._near else "Best"
        reason = f"{how} on average over {self._number} guesses of the hidden stones."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def _guesses(
        self, rules: DarkRules, color: Color, history: History, generator: np.random.Generator
    ) -> list[Guess]:
        if self._inferences:
            return self._inferences[color].guesses(history, self._number, generator)
        return guesses(rules, color, history, self._number, generator)

    def _foresee(
        self, rules: DarkRules, color: Color, own_view: View, guesses: list[Guess]
    ) -> Floats:
        """Return the value of each attempt in the classic game, in which a hit costs nothing.

        A hit has the value of the best cell on average over the guesses consistent with it.
        """
        scores = [
            self._rate(view_position(rules.board, color, View(own_view.own, stones)))
            for stones, _ in guesses
        ]
        weight = np.array([each for _, each in guesses])
        hit = np.array([[stones >> c & 1 for c in rules.board.cells] for stones, _ in guesses])
        worth = np.where(hit, 0.0, np.array(scores)) * weight[:, None]
        result: Floats = worth.sum(axis=0) + (hit.T @ worth).max(axis=1)
        return result

    def _scores(self, rules: DarkRules, color: Color, own_view: View, stones: Mask) -> Floats:
        """Return the value of each attempt if these are the opponent's stones.

        Hitting a hidden stone costs the turn in the abrupt game. In the classic game it
        costs nothing: the best cell can still be played, so a hit has its value.
        """
        result = self._rate(view_position(rules.board, color, View(own_view.own, stones)))
        if rules.base is Base.CLASSIC:
            result = result.copy()
            result[list(cells_in(stones & ~own_view.known))] = result.max()
        return result


# Players by name, such as `belief:guesses=24`, `response:to=blind`, `equilibrium`.
#
# Proofs, responses and certificates are imported when a player needs them.

# Orderings that need only the stones.
BY = tuple(name for name in ORDERINGS if name not in {"weak_links", "random"})


_count = partial(naming.read_count, digits=9)
_seed = partial(naming.read_number, digits=9)


def _weighting(text: str) -> str:
    return naming.read_one_of("variant", VARIANTS)("linear-cfr" if text == "linear" else text)


def _file(text: str) -> "Certificate":
    from player.dark import certificate  # noqa: PLC0415

    try:
        return certificate.load(Path(text))
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


def policy_of(spec: str) -> Study:
    """Return the policy of the player that a spec names.

    Raise SpecError, listing what is known, at an unknown policy or option; also at a bad value.
    """
    name, _, _ = spec.partition(":")
    if name not in POLICIES:
        raise naming.SpecError(f"unknown policy {name!r} (known: {', '.join(POLICIES)})")
    options, make = POLICIES[name]
    return make(**naming.read_options(spec, options))


def _order(by: str = "critical") -> Study:
    return policy.first_in_order(by)


def _equilibrium(file: "Certificate | None" = None) -> Study:
    from player.dark import proof  # noqa: PLC0415

    return proof.equilibrium if file is None else proof.of_file(file)


def _minimize(variant: str = "cfr+", iterations: int = 100) -> Study:
    from player.dark import proof  # noqa: PLC0415

    return proof.minimize_regret(variant, iterations)


def _sample(iterations: int = 10_000, seed: int = 0) -> Study:
    from player.dark import proof  # noqa: PLC0415

    return proof.sample_regret(iterations, seed)


def _response(to: Study | None = None) -> Study:
    from player.dark import response  # noqa: PLC0415

    return response.response(policy.blind if to is None else to)


# name: options, each with the reader of its value; and the function that makes the policy
POLICIES: dict[str, tuple[naming.OptionReaders, Callable[..., Study]]] = {
    "blind": ({}, lambda: policy.blind),
    "view": ({"by": naming.read_one_of("ordering", BY)}, _order),
    "sure": ({}, lambda: policy.sure),
    "equilibrium": ({"file": _file}, _equilibrium),
    "response": ({"to": policy_of}, _response),
    "cfr": ({"variant": _weighting, "iterations": _count}, _minimize),
    "mccfr": ({"iterations": _count, "seed": _seed}, _sample),
    "random": ({}, lambda: policy.uniform),
}


def _by_policy(name: str) -> Callable[[str, dict[str, Any]], DarkPlayer]:
    def make(spec: str, options: dict[str, Any]) -> DarkPlayer:
        return DarkPolicyPlayer(POLICIES[name][1](**options), name=spec)

    return make


def _belief(spec: str, options: dict[str, Any]) -> DarkPlayer:
    rate = bare_outlook if options.get("links") == "none" else outlook
    if options.get("by") == "critical":
        if "links" in options:
            wires = f"links={options['links']}"
            raise naming.SpecError(
                f"{wires!r} in {spec!r}: by=critical asks no circuit: leave links out"
            )
        rate = chance_outlook
    model = sensible if options.get("model") == "critical" else None
    number, near = options.get("guesses", GUESSES), options.get("near", 0)
    return GuessingPlayer(number, rate=rate, model=model, near=near, name=spec)


# name: options, each with the reader of its value; and the function that makes the player
DARK_PLAYERS: dict[str, naming.PlayerKind[DarkPlayer]] = {
    "belief": (
        {
            "guesses": _count,
            "links": naming.read_one_of("links", ("hexy", "none")),
            "by": naming.read_one_of("scores", ("outlook", "critical")),
            "model": naming.read_one_of("model", ("chance", "critical")),
            "near": partial(naming.read_number, digits=2),
        },
        _belief,
    ),
    **{name: (options, _by_policy(name)) for name, (options, _) in POLICIES.items()},
}
ABRUPT_PLAYERS = {name: kind for name, kind in DARK_PLAYERS.items() if name != "sure"}
