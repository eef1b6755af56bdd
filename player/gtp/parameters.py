"""Commands that show and change settings.

Each table maps a key of the protocol to the field of the settings and to how
HexGui shows it. A handler raises CommandError at an unknown key, or a value not allowed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from player.answers.limits import OPTIONS, Option, Value
from player.engine.levels import is_level, level
from player.gtp.arguments import Arguments
from player.gtp.serving import CommandError
from player.gtp.session import ClientSettings, Session, TimeControl


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting as the protocol shows it.

    field  the field of `ClientSettings`, or the name in its `hsearch`
    type   how HexGui shows it: `bool`, `string`, `list/A/B`
    read   converts the arguments to the value
    show   converts the value to text
    """

    field: str
    type: str
    read: Callable[[Arguments], object]
    show: Callable[[object], str] = _format_value


def _flag(arguments: Arguments) -> bool:
    return bool(arguments.count(1, most=1))


def _number(arguments: Arguments) -> int:
    return arguments.count(1)


def _seconds(arguments: Arguments) -> float:
    return arguments.seconds(1)


def _one_of(*words: str, advice: str = "") -> Callable[[Arguments], str]:
    def read(arguments: Arguments) -> str:
        word = arguments.words[1].lower()
        if word not in words:
            message = f"argument 2 must be {' or '.join(words)}"
            raise CommandError(f"{message} ({advice})" if advice else message)
        return word

    return read


def _span(option: Option) -> Callable[[Arguments], int]:
    def read(arguments: Arguments) -> int:
        number = arguments.count(1)
        if number < option.least:
            raise CommandError(f"argument 2 must be {option.least} or more: '{number}'")
        if number > option.most:
            raise CommandError(f"argument 2 must be {option.most} or less: '{number}'")
        return number

    return read


def _of_hsearch(name: str) -> "Parameter":
    """Return the parameter for an option of H-search."""
    option = OPTIONS[name]
    if isinstance(option.default, bool):
        return Parameter(name, "bool", _flag)
    if isinstance(option.default, int):
        return Parameter(name, "string", _span(option))
    return Parameter(
        name, "list/" + "/".join(option.words), _one_of(*option.words, advice=option.no_word)
    )


def _word(arguments: Arguments) -> str:
    return arguments.words[1]


def _level(arguments: Arguments) -> str:
    try:
        return level(arguments.words[1]).spec
    except ValueError as error:
        raise CommandError(str(error)) from None


def _number_of(spec: object) -> str:
    """Return the number of a level; 0 for a player that is not a level."""
    return str(spec).partition(":")[2] if is_level(str(spec)) else "0"


GAME = {
    "allow_swap": Parameter("allow_swap", "bool", _flag),
    "swap_style": Parameter("swap_style", "list/pieces/sides", _one_of("pieces", "sides")),
    "on_little_golem": Parameter("on_little_golem", "bool", _flag),
}
ENGINE = {
    "player": Parameter("player", "string", _word),
    "level": Parameter("player", "string", _level, _number_of),
    "max_time": Parameter("max_time", "string", _seconds),
    "seed": Parameter("seed", "string", _number),
    **{name: _of_hsearch(name) for name in OPTIONS},
    "solver": Parameter("solver", "string", _seconds),
    "use_guifx": Parameter("use_guifx", "bool", _flag),
}
SOLVER = {
    "use_guifx": Parameter("use_guifx", "bool", _flag),
    "timelimit": Parameter("solve_time", "string", _seconds),
}
VC = {
    "and_over_edge": _of_hsearch("edge_pivot"),
    "max_ors": _of_hsearch("K"),
    "soft_limit_full": _of_hsearch("M"),
    "soft_limit_semi": Parameter("semis", "string", _number),
    "use_greedy_union": _of_hsearch("greedy_union"),
}


def of_game(session: Session, arguments: Arguments) -> str:
    """Show or change swap and time; `game_time` is benzene's."""
    if arguments and arguments.words[0] == "game_time":
        if session.state.game.moves:
            raise CommandError("the time can be set only before the first move")
        session.clock.set(TimeControl(arguments.seconds(1) or None))  # no limit is shown as 0
        return ""
    reply = _show_or_set(session, arguments, GAME)
    if arguments:
        return reply
    main = session.clock.terms.main
    return f"{reply}\n[string] game_time {0 if main is None else f'{main:g}'}"


def of_engine(session: Session, arguments: Arguments) -> str:
    """Show or change the player, the limits of H-search, and live graphics."""
    return _show_or_set(session, arguments, ENGINE)


def of_solver(session: Session, arguments: Arguments) -> str:
    """Show or change the solver's time, and live graphics, which HexGui sets by this name, too."""
    return _show_or_set(session, arguments, SOLVER)


def of_vc(session: Session, arguments: Arguments) -> str:
    """Show or change H-search by benzene's keys; ignore keys without a meaning here."""
    if arguments and arguments.words[0] not in VC:
        return ""
    return _show_or_set(session, arguments, VC)


def _show_or_set(session: Session, arguments: Arguments, table: dict[str, Parameter]) -> str:
    settings = session.settings
    if not arguments:
        return "\n".join(
            f"[{each.type}] {key} {each.show(_value(settings, each.field))}"
            for key, each in table.items()
        )
    parameter = table.get(arguments.words[0])
    if parameter is None:
        raise CommandError(f"unknown parameter: {arguments.words[0][:30]}; {', '.join(table)}")
    # A value may be sent back as shown; level 0, shown for other players, changes nothing then.
    current = _value(settings, parameter.field)
    value = current if arguments.words[1] == parameter.show(current) else parameter.read(arguments)
    if parameter.field == "player":
        _check_player(session, str(value))
    if parameter.field in settings.hsearch:
        settings.hsearch[parameter.field] = cast("Value", value)
    else:
        setattr(settings, parameter.field, value)
    if parameter.field == "player":
        session.notify()
    return ""


def _check_player(session: Session, spec: str) -> None:
    from player.gtp.thinking import session_participant  # noqa: PLC0415 - loads numba

    try:
        session_participant(spec, session.variant.name)
    except ValueError as error:
        raise CommandError(str(error)) from None


def _value(settings: ClientSettings, field: str) -> object:
    return settings.hsearch[field] if field in settings.hsearch else getattr(settings, field)
