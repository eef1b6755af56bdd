"""Commands for games of bids and of coins, which `play`, `genmove` and `undo` serve, too.

The client is the referee: it sees all, and keeps a bid that `genmove` answers to itself until
the other side has bid. The engine bids by what its side may see, and no more.
"""

from hsearch.hex.board import Color
from hsearch.kernels.stop import Flag, stopping
from player.gtp.arguments import Arguments
from player.gtp.serving import CommandError
from player.gtp.session import Session
from player.variants import VARIANTS, variant
from player.variants.options import SpecError
from player.variants.random_turn import RandomTurn
from player.variants.variant import act_word


def choose(session: Session, arguments: Arguments) -> str:
    """Return the variant that is played; or begin a game of another one."""
    if not arguments:
        return session.variant.text
    from player.engine.spec import PLAYERS  # noqa: PLC0415 - it loads numba

    try:
        chosen = variant(arguments.words[0])
    except SpecError as error:
        raise CommandError(str(error)) from None
    if chosen.hides:
        open_ones = ", ".join(name for name, (_, made) in VARIANTS.items() if not made().hides)
        raise CommandError(f"a session has no hidden stones (known: {open_ones})")
    session.variant, session.settings.player = chosen, next(iter(PLAYERS[chosen.name]))
    session.start(session.board)
    return ""


def toss(session: Session, arguments: Arguments) -> str:
    """Toss the coin that is due, or let it fall for a player; return for whom it fell."""
    machine, state = session.variant, session.state
    color = arguments.color(0) if arguments else None
    if not isinstance(machine, RandomTurn):
        raise CommandError(f"there is no coin in {machine.name}")
    if color is None:
        import numpy as np  # noqa: PLC0415 - slow to import

        number = [session.settings.seed, len(state.game.moves)]
        color = Color(int(np.random.default_rng(number).spawn(1)[0].integers(2)))
    try:
        session.go_on(machine.fallen(state, color))
    except ValueError as error:
        raise CommandError(str(error)) from None
    return color.word


def turn(session: Session, _arguments: Arguments) -> str:
    """Return who is to do what, one a line: to move, to bid of so many chips, to break a tie."""
    machine, state = session.variant, session.state
    lines = []
    for color in machine.to_act(state):
        legal = machine.legal(state, color)
        due = "move" if legal.chips is None else f"bid {legal.chips}"
        lines.append(f"{color.word} {'tie' if legal.tie else due}")
    if not lines and state.winner is None:
        return "coin"
    return "\n".join(lines)


def act(session: Session, color: Color, word: str) -> None:
    """Let a side act as it is written. Raise ValueError when that is not legal."""
    machine, state = session.variant, session.state
    session.go_on(machine.after(state, color, machine.read(state, color, word)))


def engine_act(session: Session, color: Color, seconds: float | None) -> str:
    """Return what the session's player does for a side that is to act, as `play` takes it."""
    import numpy as np  # noqa: PLC0415

    from player.engine.acting import act_of  # noqa: PLC0415
    from player.engine.player import MoveRequest  # noqa: PLC0415 - it loads numba

    machine, state = session.variant, session.state
    if color not in machine.to_act(state):
        raise CommandError(f"{color.word} is not to act: see hsearch-turn")
    terms = MoveRequest(seconds, cancel=session.call.cancel)
    generator = np.random.default_rng([session.settings.seed, len(state.game.moves)])
    with stopping(Flag()):  # the player looks at `cancel` between kernels, and acts all the same
        chosen, _ = act_of(session.player, machine, state, color, terms, generator)
    # What is done about a tie, and the move, are asked for when they are due.
    return act_word(chosen, session.board)
