"""Commands about time."""

from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.clock import Left, TimeControl
from player.protocol.session import Session


def time_settings(session: Session, arguments: Arguments) -> str:
    """Set the main time, and a period for some stones after it."""
    main, period = arguments.seconds(0), arguments.seconds(1)
    stones = arguments.count(2)
    # A period for no stones is the protocol's word for no limit.
    session.clock.set(TimeControl(None if period and not stones else main, period, stones))
    return ""


def time_left(session: Session, arguments: Arguments) -> str:
    """Take over what is left of a player's time."""
    session.clock.say(arguments.color(0), Left(arguments.seconds(1), arguments.count(2)))
    return ""


def by_name(session: Session, arguments: Arguments) -> str:
    """Set the time in one of the ways that servers have names for."""
    system = arguments.words[0].lower()
    wanted = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3, "fischer": 2}
    wanted["fischer-capped"] = 4
    if system not in wanted:
        raise CommandError(f"argument 1 must be one of {', '.join(wanted)}")
    if len(arguments) != 1 + wanted[system]:
        raise CommandError(f"syntax error: {system} takes {wanted[system]} numbers")
    numbers = [arguments.seconds(place) for place in range(1, len(arguments))]
    if system == "none":
        terms = TimeControl()
    elif system == "absolute":
        terms = TimeControl(numbers[0])
    elif system == "byoyomi":
        # Each of the periods is for one move, so the first of them is enough.
        terms = TimeControl(numbers[0], numbers[1], 1)
    elif system == "canadian":
        terms = TimeControl(numbers[0], numbers[1], arguments.count(3))
    else:
        terms = TimeControl(numbers[0], increment=numbers[1])
    session.clock.set(terms)
    return ""
