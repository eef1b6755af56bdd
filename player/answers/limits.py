"""Options of H-search, each limit and switch once, by name; and an analysis with them.

The command line makes an option of each, and GTP's `param_hsearch` a parameter.
Importing this module loads no kernel.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hsearch.connect import Depth, HSearchOptions, Knowledge, Limits
from player.solve.budget import PAIR_SECONDS

if TYPE_CHECKING:
    from hsearch.hex import Outcome, Position
    from player.answers.analysis import Analysis
    from player.answers.memory import Memory

# The limits and switches, as users write them.

ENGINES = ("mk", "shrinking")

Value = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """A limit or a switch of H-search.

    name         as users write it
    default      its type is the type of the option: a switch, a number or a word
    help         what it does, in a sentence
    least, most  the range of a number
    words        the words allowed
    no_word      advice for a user who gives another word
    """

    name: str
    default: Value
    help: str
    least: int = 1
    most: int = 1_000_000
    words: tuple[str, ...] = ()
    no_word: str = ""


OPTIONS = {
    option.name: option
    for option in (
        Option(
            "limits",
            ENGINES[0],
            "How the search is limited: by M and K, or by keeping for each pair the connections "
            "that share fewer cells.",
            words=ENGINES,
            no_word="to search without limits, give M and K as 1000000",
        ),
        Option(
            "knowledge",
            Knowledge.RULES.value,
            "What may find that edges are joined: the two rules; or as well regions that are "
            "filled, templates and windows at the edges; or all, with must-play deduction.",
            words=tuple(each.value for each in Knowledge),
        ),
        Option("M", 20, "Full connections kept for a pair; twice as many semis."),
        Option(
            "K",
            4,
            "Semis that one OR may join; all choices of this many are tried, so that a search with "
            "a large M and 6 or more may take hours.",
        ),
        Option("edge_pivot", default=False, help="Let AND go through edges."),
        Option(
            "greedy_union",
            default=True,
            help="Join more than K semis where that makes a full, chosen greedily.",
        ),
        Option(
            "templates",
            default=False,
            help="Add the known edge templates that AND and OR miss.",
        ),
        Option(
            "deduction",
            0,
            "Must-play deduction where H-search finds no full: own replies in depth, 0 to 3.",
            least=0,
            most=3,
        ),
        Option("searches", 1000, "Most H-searches that one deduction may make."),
    )
}


# Options made of values by name, and an analysis with them.


def options_of(
    values: Mapping[str, Any],
    *,
    semis: int | None = None,
    steps: int | None = None,
    seconds: float | None = None,
) -> HSearchOptions:
    """Return the options with these values by name; those missing have their defaults.

    `semis` and `steps` belong to `Limits`. 0 `seconds` mean no limit, and that nothing else is
    asked. Raise ValueError when a number is out of range.
    """
    options = {name: option.default for name, option in OPTIONS.items()} | dict(values)
    limits = Limits(
        M=options["M"],
        semis=semis,
        K=options["K"],
        edge_pivot=options["edge_pivot"],
        greedy_union=options["greedy_union"],
        shrinking=options["limits"] == "shrinking",
        templates=options["templates"],
        steps=steps,
    )
    depth = Depth(options["deduction"], options["searches"])
    knowledge = Knowledge(options["knowledge"])
    return HSearchOptions(limits, depth, knowledge, seconds or None, is_alone=seconds == 0)


def solver_seconds(options: HSearchOptions) -> float:
    """Return the time for the solver's search for a connection of two points; 0 turns it off."""
    if options.is_alone:
        return 0.0
    return PAIR_SECONDS if options.seconds is None else options.seconds


def begin_analysis(  # noqa: PLR0913 - those of `Analysis`
    options: HSearchOptions,
    position: "Position",
    *,
    links: str = "hexy",
    search: float | None = None,
    memory: "Memory | None" = None,
    ended: "Outcome | None" = None,
    before_swap: bool = False,
) -> "Analysis":
    """Return the analysis of a position with these options; `Analysis` has the others."""
    from player.answers.analysis import Analysis  # noqa: PLC0415 - loads numba
    from player.answers.memory import MEMORY  # noqa: PLC0415

    return Analysis(
        position,
        options.limits,
        options.depth,
        options.knowledge,
        links=links,
        search=search,
        memory=MEMORY if memory is None else memory,
        ended=ended,
        before_swap=before_swap,
        seconds=options.seconds,
    )


def options_object(options: HSearchOptions, *, complete: bool) -> dict[str, Any]:
    """Return the options as a JSON object; `complete` if the search reached no limit."""
    limits, depth, mk = options.limits, options.depth, not options.limits.shrinking
    return {
        "engine": ENGINES[limits.shrinking],
        "knowledge": options.knowledge.value,
        "M": limits.M if mk else None,
        "semis": limits.most_semis if mk else None,
        "K": limits.K if mk else None,
        "edge_pivot": limits.edge_pivot,
        "greedy_union": limits.greedy_union and mk,
        "templates": limits.templates,
        "deduction": depth.replies,
        "searches": depth.searches if depth.replies else None,
        "complete": complete,
    }
