"""Commands about the engine, the game, its time, and games with bids or coins.

A handler raises CommandError when it cannot answer; the message is the reply of failure.
"""

from collections.abc import Iterator
from pathlib import Path

from hsearch import formats
from hsearch.formats import files, sgf
from hsearch.formats.reading import decode
from hsearch.hex import Board, Cell, Color, Game, GameNode, Outcome, Special
from hsearch.hex.position import groups
from hsearch.hex.tree import SEALED
from hsearch.version import __version__
from player.console.options import refuse_other_game
from player.gtp.arguments import Arguments, file_errors, path_of
from player.gtp.serving import CommandError, QuitError
from player.gtp.session import Session, TimeBudget, TimeControl
from player.variants import VARIANTS, as_ordinary, other_turns, refuse_another, variant
from player.variants.base import with_info
from player.variants.plain import SWAP
from player.work.naming import SpecError


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
    """Accept a command that has no effect."""
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
    """Make a move, given as a word. Raise CommandError with the reason if it is illegal."""
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
    """Return the move that a word names: a cell or a special move; `swap` by `swap_style`."""
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
    """Start a game of these moves, from Black on; if one is illegal, change nothing.

    In other variants, each word is an act of the player to act, Black first if both bid; when a
    coin is due, it is the color for which the coin falls.
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
            trial.append(trial.variant.land_coin(trial.state, arguments.color(place)))
    session.take_over(trial.states)
    return ""


def load_sgf(session: Session, arguments: Arguments) -> str:
    """Load the main line of a file, or its first moves.

    A session with ordinary turns drops the bids and coins of a record.
    """
    with file_errors("load"):
        path, most = _file_and_moves(arguments)
        if not path.is_file():
            raise ValueError(_what_is(path))
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise ValueError("too large")
        game = sgf.read(decode(data)[0])
        if game.is_sealed:
            raise ValueError(SEALED)
        if session.is_ordinary and other_turns(game) is not None:
            game = as_ordinary(game)
        refuse_another(game, session.variant)
        states = list(_beginnings(game, most, is_ordinary=session.is_ordinary))
        session.load(states, game.ending(len(states[-1].moves)), game)
        session.own_files = frozenset({path.resolve()})
    return ""


def _file_and_moves(arguments: Arguments) -> tuple[Path, int | None]:
    """Return the file, whose name may have spaces, and the number of moves after it, if any."""
    *words, last = arguments.words
    whole, rest = path_of(arguments.words), path_of(words)
    if words and not whole.exists() and (last.isdecimal() or rest.exists()):
        return rest, arguments.count(len(words))
    return whole, None


def _what_is(path: Path) -> str:
    """Return why a path cannot be read as a file: what it is instead."""
    kinds = {"folder": path.is_dir, "named pipe": path.is_fifo, "socket": path.is_socket}
    kind = next((name for name, holds in kinds.items() if holds()), "device")
    return f"a {kind}, not a file" if path.exists() else "no such file"


def _beginnings(game: Game, most: int | None, *, is_ordinary: bool) -> Iterator[Game]:
    """Yield the main line of a game after no move, after one, and so on.

    In other variants than ordinary turns, also after each pair of bids or each coin.
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
    """Return the game as SGF, or write it to a file; replace only records of this program.

    A loaded record keeps its variations, and the moves that were taken back if others follow.
    A game with swap names this rule, unless it names another.
    """
    game, result = session.state.game, session.result
    if session.settings.allow_swap and session.is_ordinary and game.about("RU") is None:
        game = with_info(game, RU=SWAP)
    if session.record is not None:
        game = game.with_variations(session.record)
    if result is not None:
        game = with_info(game, RE=result)
    text = sgf.write(game)
    if not arguments:
        return text
    path = arguments.file()
    with file_errors("write"):
        refuse_other_game(path, game, session.own_files)
        files.write_whole(path, text)
    session.own_files |= {path.resolve()}
    return ""


def show_board(session: Session, _arguments: Arguments) -> str:
    """Return the board as text."""
    return "\n" + formats.write(session.position, "diagram")


def final_score(session: Session, _arguments: Arguments) -> str:
    """Return who won, but not how: a score has only numbers after the `+`."""
    if session.outcome is None:
        raise CommandError("cannot score")
    return Outcome(session.outcome.winner).result


def all_legal_moves(session: Session, arguments: Arguments) -> str:
    """Return the empty cells only, without `swap` or `resign`: HexGui paints the reply."""
    if arguments:
        arguments.color(0)
    return session.board.text(session.position.empty)


def group(session: Session, arguments: Arguments) -> str:
    """Return the point and the other stones of its group; nothing for an empty cell."""
    point, board = arguments.point(0), session.board
    for color in Color:
        for chain in groups(session.position, color):
            if point in chain.edges or board.contains(chain.stones, point):
                others = (cell for cell in chain.stones.search(1) if cell != point)
                return board.text((point, *others))
    return ""


# Commands about time.


def time_settings(session: Session, arguments: Arguments) -> str:
    """Set the main time, and a period for some stones after it."""
    main, period = arguments.seconds(0), arguments.seconds(1)
    stones = arguments.count(2)
    # In the protocol, a period for 0 stones means no limit.
    session.clock.set(TimeControl(None if period and not stones else main, period, stones))
    return ""


def time_left(session: Session, arguments: Arguments) -> str:
    """Set the time that a player has left."""
    session.clock.set_left(arguments.color(0), TimeBudget(arguments.seconds(1), arguments.count(2)))
    return ""


def by_name(session: Session, arguments: Arguments) -> str:
    """Set the time control by the name that servers give it."""
    system = arguments.words[0].lower()
    counts = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3, "fischer": 2}
    counts["fischer-capped"] = 4
    if system not in counts:
        raise CommandError(f"argument 1 must be one of {', '.join(counts)}")
    if len(arguments) != 1 + counts[system]:
        raise CommandError(f"syntax error: {system} takes {counts[system]} numbers")
    numbers = [arguments.seconds(place) for place in range(1, len(arguments))]
    if system == "none":
        terms = TimeControl()
    elif system == "absolute":
        terms = TimeControl(numbers[0])
    elif system == "byoyomi":
        # Each period is for one move, and the count of periods is not used.
        terms = TimeControl(numbers[0], numbers[1], 1)
    elif system == "canadian":
        terms = TimeControl(numbers[0], numbers[1], arguments.count(3))
    elif system == "fischer":
        terms = TimeControl(numbers[0], increment=numbers[1])
    else:
        terms = TimeControl(numbers[0], increment=numbers[1], cap=numbers[2], longest=numbers[3])
    session.clock.set(terms)
    return ""


# Games with bids or coins.
#
# The client is the referee: it sees everything, and must not reveal the bid that `genmove`
# returns until the other side has bid. The engine uses only what its side may see.


def choose(session: Session, arguments: Arguments) -> str:
    """Return the variant, or start a game of another one."""
    if not arguments:
        return session.variant.text
    from player.engine.spec import default_player  # noqa: PLC0415 - loads numba

    spec = arguments.words[0]
    open_ones = [name for name, (_, create) in VARIANTS.items() if not create().hides]
    name = spec.partition(":")[0]
    if name not in open_ones:
        reason = "a session has no hidden stones" if name in VARIANTS else "unknown variant"
        raise CommandError(f"{reason}: {spec!r} (known: {', '.join(open_ones)})")
    try:
        rules = variant(spec)
    except SpecError as error:
        raise CommandError(str(error)) from None
    session.variant, session.settings.player = rules, default_player(rules.name)
    session.start(session.board)
    return ""


def toss(session: Session, arguments: Arguments) -> str:
    """Toss the coin that is due, or enter its result; return the color that it fell for."""
    machine, state = session.variant, session.state
    color = arguments.color(0) if arguments else None
    if not machine.tosses:
        raise CommandError(f"there is no coin in {machine.name}")
    if color is None:
        import numpy as np  # noqa: PLC0415 - slow to load

        seed = [session.settings.seed, len(state.game.moves)]
        after = machine.toss(state, np.random.default_rng(seed).spawn(1)[0])
        if after is state:
            raise CommandError("no coin is due")
    else:
        try:
            after = machine.land_coin(state, color)
        except ValueError as error:
            raise CommandError(str(error)) from None
    session.append(after)
    (due,) = machine.to_act(after)
    return due.word


def turn(session: Session, _arguments: Arguments) -> str:
    """Return who is to act, one a line: `move`, `bid CHIPS` or `tie`; `coin` if one is due."""
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
    """Make an act of a side, given as a word. Raise ValueError if it is illegal."""
    machine, state = session.variant, session.state
    session.append(machine.after(state, color, machine.read(state, color, word)))
