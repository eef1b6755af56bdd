"""Commands about the engine, the game, its time, and games of bids and of coins."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hsearch.formats import diagram, sgf
from hsearch.formats.files import write_whole
from hsearch.formats.reading import decode
from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import groups
from hsearch.hex.tree import SEALED, GameNode
from hsearch.kernels.stop import Flag, stopping
from hsearch.version import __version__
from player.console.options import RECORD
from player.gtp.arguments import Arguments, points
from player.gtp.serving import CommandError, QuitError
from player.gtp.session import Left, Session, TimeControl
from player.variants import VARIANTS, SpecError, as_ordinary, other_turns, refuse_another, variant
from player.variants.variant import act_word


def protocol_version(_session: Session, _arguments: Arguments) -> str:
    """Return the version of GTP."""
    return "2"


def name(_session: Session, _arguments: Arguments) -> str:
    """Return the name."""
    return "hsearch"


def version(_session: Session, _arguments: Arguments) -> str:
    """Return the version."""
    return __version__


def nothing(_session: Session, _arguments: Arguments) -> str:
    """Accept what makes no difference."""
    return ""


def leave(_session: Session, _arguments: Arguments) -> str:
    """End the session."""
    raise QuitError


# Commands about the game: the board, moves, records.

MAX_FILE = 10_000_000
_WORDS = {
    "resign": Special.RESIGN,
    "forfeit": Special.FORFEIT,
    "pass": Special.PASS,
    "swap-sides": Special.SWAP_SIDES,
}


def boardsize(session: Session, arguments: Arguments) -> str:
    """Start a game on a board of another size: `11`, `5 9` or `5:9`."""
    sides = arguments.words if len(arguments) == 2 else arguments.words[0].split(":", 1)
    if not all(side.isascii() and side.isdigit() and len(side) < 4 for side in sides):
        raise CommandError("unacceptable size")
    try:
        board = Board(int(sides[0]), int(sides[-1]))
    except ValueError:
        raise CommandError("unacceptable size") from None
    session.start(board)
    return ""


def clear_board(session: Session, _arguments: Arguments) -> str:
    """Start a game on a board of the same size."""
    session.start(session.board)
    return ""


def play(session: Session, arguments: Arguments) -> str:
    """Make a move."""
    make(session, arguments.color(0), arguments.words[1])
    return ""


def make(session: Session, color: Color, word: str) -> None:
    """Make a move as it is written. Fail with a reply that says why it is illegal."""
    if not session.is_ordinary:
        try:
            act(session, color, word)
        except ValueError as error:
            raise CommandError(f"illegal move: {color.word} {word[:30]} ({error})") from None
        return
    action = read_move(session, word)
    try:
        session.play(color, action)
    except ValueError as error:
        detail = "occupied" if not isinstance(action, Special) else error
        raise CommandError(f"illegal move: {color.word} {word[:30]} ({detail})") from None


def read_move(session: Session, word: str) -> Cell | Special:
    """Return the move that a word is: a cell, `resign`, `pass` or a swap as we read it."""
    move = word.lower()
    if move in {"swap", "swap-pieces"}:
        is_pieces = session.settings.swap_style == "pieces"
        return Special.SWAP_PIECES if is_pieces else Special.SWAP_SIDES
    if move in _WORDS:
        return _WORDS[move]
    try:
        return session.board.cell(move)
    except ValueError as error:
        raise CommandError(f"illegal move: {error}") from None


def undo(session: Session, _arguments: Arguments) -> str:
    """Take the last move back."""
    if not session.undo():
        raise CommandError("cannot undo")
    return ""


def play_game(session: Session, arguments: Arguments) -> str:
    """Start a game of moves; if one is illegal, change nothing.

    They alternate from Black on. Where turns are not ordinary, each word is of whoever is to act
    by then, of two who bid of Black; where a coin is due, it says for whom that falls.
    """
    trial = Session()
    trial.settings, trial.variant = session.settings, session.variant
    trial.load([Game(session.board)])
    for place, word in enumerate(arguments.words):
        last, due = trial.state.last, trial.variant.to_act(trial.state)
        if trial.is_ordinary:
            make(trial, Color.BLACK if last is None else last.next_color, word)
        elif due or trial.winner is not None:
            make(trial, due[0] if due else Color.BLACK, word)
        else:
            trial.go_on(trial.variant.fallen(trial.state, arguments.color(place)))
    session.take_over(trial.states)
    return ""


def load_sgf(session: Session, arguments: Arguments) -> str:
    """Take over the main line of a file, or its first moves.

    A session of ordinary turns leaves out bids and coins, which its own moves would not have.
    """
    try:
        path, most = _file_and_moves(arguments)
        if not path.is_file():
            raise CommandError(f"cannot load file: {_what_is(path)}")
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise CommandError("cannot load file: too large")
        game = sgf.read(decode(data)[0])
        if game.is_sealed:
            raise CommandError(f"cannot load file: {SEALED}")
        if session.is_ordinary and other_turns(game) is not None:
            game = as_ordinary(game)
        refuse_another(game, session.variant)
        session.load(list(_beginnings(game, most, is_ordinary=session.is_ordinary)))
    except (OSError, ValueError) as error:
        if isinstance(error, CommandError):
            raise
        detail = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot load file: {detail}") from None
    return ""


def _file_and_moves(arguments: Arguments) -> tuple[Path, int | None]:
    """Return the file, whose name may have blanks, and the number after it, if there is one."""
    *words, last = arguments.words
    whole, rest = Path(" ".join(arguments.words)), Path(" ".join(words))
    if words and not whole.exists() and (last.isdecimal() or rest.exists()):
        return rest, arguments.count(len(words))
    return whole, None


def _what_is(path: Path) -> str:
    """Return what there is in place of a plain file."""
    kinds = {"folder": path.is_dir, "named pipe": path.is_fifo, "socket": path.is_socket}
    kind = next((name for name, holds in kinds.items() if holds()), "device")
    return f"a {kind}, not a file" if path.exists() else "no such file"


def _beginnings(game: Game, most: int | None, *, is_ordinary: bool) -> Iterator[Game]:
    """Yield the main line of a game after no move, after one, and so on.

    Where turns are not ordinary, also after each pair of bids or each coin.
    """
    info, line, moves = game.without("RE").info, game.main_line, 0
    for index, node in enumerate(line):
        if node.move is None and (is_ordinary or not index):
            continue
        start = Game(game.board, line[:index] or (GameNode(),), info)
        turn = game.recorded_turn(moves)
        if is_ordinary and start.recorded_turn() is not turn:
            start = start.with_turn(turn)
        yield start
        if moves == most:
            return
        moves += node.move is not None
    yield Game(game.board, line, info)


def print_sgf(session: Session, arguments: Arguments) -> str:
    """Return the game as SGF, or write it to a file, over nothing but records of this program."""
    game, result = session.state.game, session.winner
    if result is not None:
        game = replace(game, info=(*game.info, ("RE", _score(result))))
    text = sgf.write(game)
    if not arguments:
        return text
    path = Path(" ".join(arguments.words))
    try:
        is_free = RECORD.is_in(path)
        if is_free:
            write_whole(path, text)
    except (OSError, ValueError) as error:
        detail = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot write file: {detail}") from None
    if not is_free:
        raise CommandError(f"cannot write file: {path} holds something else: choose another name")
    return ""


def show_board(session: Session, _arguments: Arguments) -> str:
    """Return the board as text."""
    return "\n" + diagram.write(session.position)


def final_score(session: Session, _arguments: Arguments) -> str:
    """Return who won."""
    if session.winner is None:
        raise CommandError("cannot score")
    return _score(session.winner)


def _score(winner: Color) -> str:
    return f"{winner.name[0]}+"


def all_legal_moves(session: Session, arguments: Arguments) -> str:
    """Return the empty cells: HexGui paints them, so that there is no word among them."""
    if arguments:
        arguments.color(0)
    return points(session.board, session.position.empty.search(1))


def group(session: Session, arguments: Arguments) -> str:
    """Return the point and the other stones of its group; nothing for an empty cell."""
    point, board = arguments.point(0), session.board
    for color in Color:
        for chain in groups(session.position, color):
            if point in chain.edges or board.contains(chain.stones, point):
                others = (cell for cell in chain.stones.search(1) if cell != point)
                return points(board, (point, *others))
    return ""


# Commands about time.


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


# Games of bids and of coins.
#
# The client is the referee: it sees all, and keeps a bid that `genmove` answers to itself until
# the other side has bid. The engine bids by what its side may see, and no more.


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
    if not machine.tosses:
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

    from player.engine.player import MoveRequest, PlayerError  # noqa: PLC0415 - it loads numba
    from player.engine.referee import act_of  # noqa: PLC0415

    machine, state = session.variant, session.state
    if color not in machine.to_act(state):
        raise CommandError(f"{color.word} is not to act: see hsearch-turn")
    terms = MoveRequest(seconds, cancel=session.call.cancel)
    generator = np.random.default_rng([session.settings.seed, len(state.game.moves)])
    with stopping(Flag()):  # the player looks at `cancel` between kernels, and acts all the same
        try:
            chosen, _ = act_of(session.player, machine, state, color, terms, generator)
        except PlayerError as error:
            raise CommandError(str(error)) from None
    # What is done about a tie, and the move, are asked for when they are due.
    return act_word(chosen, session.board)
