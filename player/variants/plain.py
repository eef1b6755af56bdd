"""Ordinary Hex: the players take turns; with the swap rule the second may swap."""

from hsearch.hex import Color, Game, Move, Position, Special, winner
from hsearch.hex.position import NO_SWAP, IllegalMoveError
from hsearch.hex.tree import TurnUnknownError
from player.variants.base import (
    ALTERNATING,
    NOTHING,
    Act,
    GameState,
    IllegalActError,
    Legal,
    Variant,
    at_cursor,
    stone,
)

SWAP = "swap"  # the rule in RU of a record


class Plain(Variant[GameState]):
    """The variant of ordinary turns.

    >>> import hsearch
    >>> from player import match
    >>> rules = match.Plain(swap=True)
    >>> rules.legal(rules.start(hsearch.Game.of(3, "a1")), hsearch.Color.WHITE).swap
    True
    """

    name = text = ALTERNATING
    no_swap = "this game is played without swap"

    def __init__(self, *, swap: bool = False) -> None:
        """Play with or without swap."""
        self.swap = swap

    def start(self, game: Game, _meeting: int = 0) -> GameState:
        """Return the state at the cursor of a record; raise ValueError when the turn is unknown."""
        game.position()
        return GameState.of(at_cursor(game))

    def to_act(self, state: GameState) -> tuple[Color, ...]:
        """Return the player to move."""
        return () if state.winner is not None else (state.position.turn,)

    def legal(self, state: GameState, color: Color) -> Legal:
        """Return the empty cells, and whether the second move may be a swap."""
        if color not in self.to_act(state):
            return NOTHING
        swap = self.swap and len(state.game.moves) == 1 and may_swap(state.position)
        return Legal(frozenset(state.position.empty.search(1)), swap)

    def _after(self, state: GameState, color: Color, act: Act) -> GameState:
        if act is not Special.SWAP_PIECES:
            return state.then(Move(color, stone(state.position, act)))
        if len(state.game.moves) != 1:
            raise IllegalActError(NO_SWAP)
        if not may_swap(state.position):
            raise IllegalActError("a stone can be swapped on a square board only")
        return state.then(Move(color, act))

    def words(self, before: GameState, after: GameState, viewer: Color | None = None) -> list[str]:
        """Return the moves; for a swap, whose stone it was, and where the stone is now."""
        sentences, board = super().words(before, after, viewer), after.game.board
        move, new = after.last, after.game.last_cell()
        if (
            sentences
            and move is not None
            and move.action is Special.SWAP_PIECES
            and new is not None
        ):
            mover = move.color.title
            is_yours = viewer is move.color.opponent
            whose = "your" if is_yours else f"{move.color.opponent.title}'s"
            old = board.name(board.transpose(new))
            sentences[-1] = f"{mover} swaps: {whose} {old} is now {mover}'s {board.name(new)}."
        return sentences

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return the names of the moves."""
        return tuple(move.name(game.board) for move in game.moves)


def may_swap(position: Position) -> bool:
    """Return whether the player to move may take over the opponent's only stone."""
    try:
        position.swap()
    except IllegalMoveError:
        return False
    return True


def swaps(game: Game) -> bool:
    """Return whether a record has the swap rule."""
    return game.about("RU") == SWAP


def swap_to_come(game: Game) -> bool:
    """Return whether the swap rule would still allow a swap, now or after the first move."""
    stands, board = game.cut(), game.board
    try:
        position = stands.position()
    except TurnUnknownError:  # a setup without a turn has no stone to swap
        return False
    if board.columns != board.rows or winner(position) is not None:
        return False
    is_empty = not (position.black | position.white).any()
    return may_swap(position) if len(stands.moves) == 1 else is_empty and not stands.moves


def place_of_swap(game: Game) -> int | None:
    """Return the number of moves before the swap of a game; None if there is none.

    Without a swap it is that before the move that could have been one by the rule of the record.
    """
    made = [number for number, move in enumerate(game.moves) if move.swaps]
    if made:
        return made[-1]
    opened = game.cut(min(1, game.played))  # before a resignation instead of the first move
    return 1 if swaps(game) and swap_to_come(opened) else None


def ends_before_swap(game: Game) -> bool:
    """Return whether a swap could still have followed where play ended, given up or not."""
    return swaps(game) and swap_to_come(game.cut(game.played))


def awaits_swap(game: Game) -> bool:
    """Return whether a swap may still follow, which analyses of the position disregard."""
    return swaps(game) and game.ending() is None and swap_to_come(game)
