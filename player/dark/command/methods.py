"""The methods of `hsearch dark solve`, and which of its options each has a use for."""

import click
from click.core import ParameterSource

from player.dark.reach import SAMPLING, is_tree_small, size
from player.dark.rules import DarkRules

_LONG = {"iterations", "until", "seconds", "file", "curve", "plot", "certificate"}
_SAMPLED = _LONG | {"seed"}
_REGRESSED = {"features", "regressor", "link", "power"}
# By method, the options that it has a use for, of those that not every method has.
_USED: dict[str, set[str]] = {
    "lp": {"certificate"},
    "pure-lp": set(),
    "cfr": _LONG,
    "cfr+": _LONG,
    "pcfr+": _LONG,
    "dcfr": _LONG,
    "linear-cfr": _LONG,
    "mccfr-external": _SAMPLED,
    "mccfr-outcome": _SAMPLED,
    "rcfr": _LONG | _REGRESSED,
    "double-oracle": _SAMPLED,
    "sure-wins": {"certificate"},
}
METHODS = tuple(_USED)
# Those that need a policy that was measured, and so, with sampling, a tree that fits.
_MEASURED = {"until", "plot", "certificate"}


def refuse_useless(context: click.Context, method: str, rules: DarkRules) -> None:
    """Raise UsageError when an option was given that the method has no use for, on this board."""
    given = [
        option.opts[0].removeprefix("--")
        for option in context.command.params
        if option.name is not None
        and context.get_parameter_source(option.name) is not ParameterSource.DEFAULT
    ]
    optional = _SAMPLED | _REGRESSED
    useless = [name for name in given if name in optional - _USED[method]]
    if useless:
        raise click.UsageError(f"{method} has no use for {_listed(useless)}")
    useless = [name for name in given if name in _MEASURED]
    if useless and method in SAMPLING and not is_tree_small(rules):
        why = f"measures policies on the tree, and that of {rules.name} has {size(rules)}"
        raise click.UsageError(f"{method} {why}: no use for {_listed(useless)}")


def _listed(names: list[str]) -> str:
    return ", ".join(f"--{name}" for name in names)
