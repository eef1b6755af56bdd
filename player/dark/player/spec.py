"""Names to players of Dark Hex: `belief:guesses=24`, `response:to=blind`, `equilibrium`.

What a player needs is loaded when one is made: ordinary games need none of it.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from player.options import Options, SpecError, read_count, read_number, read_options
from player.ordering import ORDERINGS

if TYPE_CHECKING:
    from player.dark.certificate import Certificate
    from player.dark.player.player import DarkPlayer
    from player.dark.policy import Study

# Orderings that need nothing but stones.
BY = tuple(name for name in ORDERINGS if name not in {"weak_links", "random"})
VARIANTS = ("cfr", "cfr+", "dcfr", "linear")


_count = partial(read_count, digits=9)
_seed = partial(read_number, digits=9)


def _one_of(known: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"none of {', '.join(known)}")
        return text

    return read


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
    from player.dark import learned  # noqa: PLC0415

    return learned.equilibrium if file is None else learned.of_file(file)


def _minimized(variant: str = "cfr+", iterations: int = 100) -> "Study":
    from player.dark import learned  # noqa: PLC0415

    return learned.minimized(variant, iterations)


def _sampled(iterations: int = 10_000, seed: int = 0) -> "Study":
    from player.dark import learned  # noqa: PLC0415

    return learned.sampled(iterations, seed)


def _response(to: "Study | None" = None) -> "Study":
    from player.dark import response  # noqa: PLC0415

    return response.response(_blind() if to is None else to)


# name: options, each with what reads its value; and what makes the policy
POLICIES: dict[str, tuple[Options, Callable[..., "Study"]]] = {
    "blind": ({}, _blind),
    "view": ({"by": _one_of(BY)}, _ordered),
    "sure": ({}, _sure),
    "equilibrium": ({"file": _file}, _equilibrium),
    "response": ({"to": policy_of}, _response),
    "cfr": ({"variant": _one_of(VARIANTS), "iterations": _count}, _minimized),
    "mccfr": ({"iterations": _count, "seed": _seed}, _sampled),
    "random": ({}, _uniform),
}


def _by_policy(name: str) -> Callable[[str, dict[str, Any]], "DarkPlayer"]:
    def make(spec: str, options: dict[str, Any]) -> "DarkPlayer":
        from player.dark.player.player import PolicyPlayer  # noqa: PLC0415

        return PolicyPlayer(POLICIES[name][1](**options), name=spec)

    return make


def _belief(spec: str, options: dict[str, Any]) -> "DarkPlayer":
    from player.dark.inference import sensible  # noqa: PLC0415
    from player.dark.outlook import bare_outlook, chance_outlook, outlook  # noqa: PLC0415
    from player.dark.player.guessing import GUESSES, GuessingPlayer  # noqa: PLC0415

    look = bare_outlook if options.get("links") == "none" else outlook
    if options.get("by") == "critical":
        look = chance_outlook
    model = sensible if options.get("model") == "critical" else None
    number, near = options.get("guesses", GUESSES), options.get("near", 0)
    return GuessingPlayer(number, look=look, model=model, near=near, name=spec)


# name: options, each with what reads its value; and what makes the player
DARK_PLAYERS: dict[str, tuple[Options, Callable[[str, dict[str, Any]], "DarkPlayer"]]] = {
    "belief": (
        {
            "guesses": _count,
            "links": _one_of(("hexy", "none")),
            "by": _one_of(("outlook", "critical")),
            "model": _one_of(("chance", "critical")),
            "near": partial(read_number, digits=2),
        },
        _belief,
    ),
    **{name: (options, _by_policy(name)) for name, (options, _) in POLICIES.items()},
}
ABRUPT_PLAYERS = {name: kind for name, kind in DARK_PLAYERS.items() if name != "sure"}
