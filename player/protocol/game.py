"""Commands about the game: the board, moves, records."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hsearch.board import Board, Cell, Color
from hsearch.files.whole import write_whole
from hsearch.formats import diagram, sgf
from hsearch.formats.encoding import decode
from hsearch.game import Game, Special
from hsearch.position import groups
from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.replies import points
from player.protocol.session import Session
from player.protocol.variants import act

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
    """Start a game of moves that alternate from Black on; if one is illegal, change nothing."""
    trial = Session()
    trial.settings, trial.variant = session.settings, session.variant
    trial.load([Game(session.board)])
    color = Color.BLACK
    for word in arguments.words:
        make(trial, color, word)
        last = trial.state.last
        color = color.opponent if last is None else last.next_color
    session.load(trial.games)
    return ""


def load_sgf(session: Session, arguments: Arguments) -> str:
    """Take over the main line of a file, or its first moves."""
    path = Path(arguments.words[0])
    most = arguments.count(1) if len(arguments) > 1 else None
    try:
        if not path.is_file():
            raise CommandError("cannot load file: no such file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise CommandError("cannot load file: too large")
        session.load(list(_beginnings(sgf.read(decode(data)[0]), most)))
    except (OSError, ValueError) as error:
        if isinstance(error, CommandError):
            raise
        detail = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot load file: {detail}") from None
    return ""


def _beginnings(game: Game, most: int | None) -> Iterator[Game]:
    """Yield the main line of a game after no move, after one, and so on."""
    info = tuple((name, text) for name, text in game.info if name != "RE")
    line, moves = game.main_line, 0
    for index, node in enumerate(line):
        if node.move is not None:
            yield Game(game.board, line[:index], info)
            if moves == most:
                return
            moves += 1
    yield Game(game.board, line, info)


def print_sgf(session: Session, arguments: Arguments) -> str:
    """Return the game as SGF, or write it to a file."""
    game, result = session.state.game, session.winner
    if result is not None:
        game = replace(game, info=(*game.info, ("RE", _score(result))))
    text = sgf.write(game)
    if not arguments:
        return text
    try:
        write_whole(Path(arguments.words[0]), text)
    except (OSError, ValueError) as error:
        detail = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot write file: {detail}") from None
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
        for found in groups(session.position, color):
            if point in found.edges or board.contains(found.stones, point):
                others = (cell for cell in found.stones.search(1) if cell != point)
                return points(board, (point, *others))
    return ""
