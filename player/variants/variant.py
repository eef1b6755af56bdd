"""The protocol of a variant: one state machine, for the referee, the terminal, GTP and the page.

A variant is a set of functions of states, and states are values. A host is a loop::

    state = variant.start(game)
    while state.winner is None:
        state = variant.toss(state, generator)      # what chance decides, if anything
        color, *others = variant.to_act(state)      # others, too, may act before it does
        act = ...                                   # of a person or an engine, who may look at
        variant.seen(state, color)                  # and at nothing else
        after = variant.after(state, color, act)
        ... variant.words(state, after, viewer)
        state = after

Who has won is a state's `winner`, which a variant with another end than a chain overrides.

Only a state holds what a side must not know, sealed bids and hidden stones: a host hands on
`seen`, never the state, and saves `saved`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Special
from hsearch.hex.position import IllegalMoveError, Position, winner
from hsearch.hex.tree import GameNode, follow

if TYPE_CHECKING:
    import numpy as np

    from player.bidding.chips import Holding

ALTERNATING, RANDOM_TURN, BIDDING = "alternating", "random-turn", "bidding"
DARK_CLASSIC, DARK_ABRUPT = "dark-classic", "dark-abrupt"


@dataclass(frozen=True, slots=True)
class SealedBid:
    """A sealed bid.

    chips      how many are bid
    takes_tie  whether, on equal bids, the holder of the tie-break chip hands it over for the
               move; None to be asked then
    plan       what is played if the bid wins; None to be asked then
    """

    chips: int
    takes_tie: bool | None = None
    plan: Cell | Special | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """What the holder of the tie-break chip does about equal bids: hand it over and move, or not.

    Compare `SealedBid.takes_tie`, which decides so in advance.
    """

    is_taken: bool


# A stone on a cell (in Dark Hex an attempt at it), a word such as `resign`, a bid, or a choice.
Act: TypeAlias = Cell | Special | SealedBid | Tie


class IllegalActError(IllegalMoveError):
    """An act that the rules of the variant do not allow, here or ever."""


class NoSwapError(IllegalActError):
    """A swap in a game whose rules have none. A host may add how a game with one is begun."""


@dataclass(frozen=True, slots=True)
class Legal:
    """What a side may do.

    cells  where it may put a stone, or attempt to
    swap   whether it may take over the opponent's only stone
    chips  what it may bid, or less; None if no bid is due
    tie    whether it has to say what it does about equal bids
    resign whether it may give up
    """

    cells: frozenset[Cell] = frozenset()
    swap: bool = False
    chips: "Holding | None" = None
    tie: bool = False
    resign: bool = True

    def __contains__(self, act: object) -> bool:
        match act:
            case SealedBid():
                plan = act.plan is None or act.plan is Special.RESIGN or act.plan in self.cells
                return plan and self.chips is not None and 0 <= act.chips <= self.chips.chips
            case Tie():
                return self.tie
            case Special():
                return (act is Special.RESIGN and self.resign) or (
                    act is Special.SWAP_PIECES and self.swap
                )
            case _:
                return self.chips is None and act in self.cells


NOTHING = Legal(resign=False)


@dataclass(frozen=True, slots=True)
class GameState:
    """A game under way: its record, and the position where that stands.

    Variants that know more have states of their own.
    """

    game: Game
    position: Position

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the state at the end of a record. Raise ValueError when that breaks a rule.

        Black is to move where nothing tells who is.
        """
        turn = game.recorded_turn()
        return cls(game, game.position(turn=Color.BLACK if turn is None else turn))

    @property
    def last(self) -> Move | None:
        """The last move; None before the first."""
        moves = self.game.moves
        return moves[-1] if moves else None

    @property
    def is_given_up(self) -> bool:
        """Whether the last move gave the game up."""
        return self.last is not None and self.last.gives_up

    @property
    def winner(self) -> Color | None:
        """Winner, by a chain or because the other gave up; None if there is none."""
        last = self.last
        if last is not None and last.gives_up:
            return last.color.opponent
        return winner(self.position)

    def then(self, move: Move) -> Self:
        """Return the state after one more move, whoever is to move. Raise IllegalMoveError."""
        position = follow(self.position, GameNode(move=move))
        return replace(self, game=self.game.append(move), position=position)

    def rewritten(self, game: Game) -> Self:
        """Return the state with entries of the record changed, and nothing else of it."""
        return replace(self, game=game)


S = TypeVar("S", bound=GameState)


class Variant(ABC, Generic[S]):
    """The rules of a variant, its options chosen.

    name     as in the table of variants
    text     names it with its options, as the RU of a record does
    games_per_opening  how many games two players play from each opening: with the colors
             exchanged, and with whatever else can be
    rules    what a player has to know of it, in sentences; nothing of ordinary turns
    tosses   whether chance decides something
    hides    whether stones are hidden, so that nothing that was seen can be taken back
    swap     whether the second player may swap
    """

    name: str
    text: str
    games_per_opening: int = 2
    rules: str = ""
    tosses: ClassVar[bool] = False
    hides: ClassVar[bool] = False
    swap: bool = False
    no_swap: ClassVar[str] = ""  # why a swap is refused, in other words than usual

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    @abstractmethod
    def start(self, game: Game, meeting: int = 0) -> S:
        """Return the state of a game of the variant that continues a record.

        One that is of the variant already stays as it is. `meeting` counts the games of two
        players from one opening. Raise ValueError when there is no such game, or when the
        record contradicts itself.
        """

    def toss(self, state: S, _generator: "np.random.Generator") -> S:
        """Return the state once chance has decided what is due; most variants have none."""
        return state

    def fallen(self, _state: S, _color: Color) -> S:
        """Return the state after a coin that fell so. Raise IllegalActError where none is due."""
        raise IllegalActError(f"there is no coin in {self.name}")

    @abstractmethod
    def to_act(self, state: S) -> tuple[Color, ...]:
        """Return who is to act: both while both bid, nobody where chance decides or at the end."""

    def legal(self, state: S, color: Color) -> Legal:
        """Return what a side may do; nothing if it is not to act."""
        if color not in self.to_act(state):
            return NOTHING
        return Legal(frozenset(state.position.empty.search(1)))

    def read(self, state: S, _color: Color, text: str) -> Act:
        """Return the act that a side means by a text. Raise ValueError when there is none."""
        return read_move(state.game.board, text)

    def after(self, state: S, color: Color, act: Act) -> S:
        """Return the state after an act of a side. Raise IllegalActError when it is not legal."""
        if (won := state.winner) is not None:
            raise IllegalActError(f"the game is over: {won.word} has won")
        due = self.to_act(state)
        if color not in due:
            raise IllegalActError(f"{due[0].word if due else 'nobody'} is to move")
        if act is Special.RESIGN:
            return state.then(Move(color, act))
        if act is Special.SWAP_PIECES and not self.swap:
            raise NoSwapError(self.no_swap or f"there is no swap in {self.name}")
        return self._after(state, color, act)

    def _after(self, state: S, color: Color, act: Act) -> S:
        """Return the state after an act of a side that is to act, which is not to resign."""
        return state.then(Move(color, stone(state.position, act)))

    def seen(self, state: S, _color: Color) -> Any:
        """Return all that a side knows: equal for states that it cannot tell apart."""
        return state

    def saved(self, state: S) -> Game:
        """Return the record as it is kept where either side may look at it."""
        return state.game

    def words(self, before: S, after: S, _viewer: Color | None = None) -> list[str]:
        """Return what happened from one state to a later one, in sentences for a viewer.

        None is somebody who may know all.
        """
        board, new = after.game.board, added(before, after)
        return [move_words(node.move, board) for node in new if node.move is not None]

    def standing(self, _state: S, _viewer: Color | None = None) -> str:
        """Return what a side knows besides the board, in a line; nothing if that is all."""
        return ""

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return what happened in a record, a word or some a move."""
        return tuple(f"{move.color.word} {move.name(game.board)}" for move in game.moves)

    def taken_back(self, state: S) -> S:
        """Return the state a move earlier. Raise ValueError when there is none."""
        count = len(state.game.moves)
        if not count:
            raise ValueError("there is no move of yours to take back")
        return self.start(state.game.cut(count - 1))


def read_move(board: Board, text: str) -> Cell | Special:
    """Return the move that a text names: a cell, a swap or `resign`. Raise ValueError."""
    word = text.strip().lower()
    if word in {"swap", "swap-pieces"}:
        return Special.SWAP_PIECES
    return Special.RESIGN if word == "resign" else board.cell(text)


def act_word(act: Act, board: Board) -> str:
    """Return how an act is written: what `Variant.read` reads."""
    match act:
        case SealedBid():
            return str(act.chips)
        case Tie():
            return "yes" if act.is_taken else "no"
        case Special():
            return act.value
    return board.name(act)


def stone(position: Position, act: Act) -> Cell:
    """Return the cell of an act where a stone has to be put. Raise IllegalActError."""
    if isinstance(act, Special):
        raise IllegalActError(f"{act.value} is not a move of this variant")
    if isinstance(act, SealedBid | Tie):
        raise IllegalActError("a move is due, and no bid")
    if not 0 <= act < position.board.size:
        raise IllegalActError(f"no cell of the {position.board} board: {act}")
    if not position.is_legal(act):
        raise IllegalActError(f"{position.board.name(act)} is not empty")
    return act


def move_words(move: Move, board: Board) -> str:
    """Return a move in a sentence."""
    name = move.color.title
    return f"{name} resigns." if move.gives_up else f"{name} plays {move.name(board)}."


def end_words(state: GameState) -> str:
    """Return who has won, and how, in a sentence. Raise ValueError when nobody has."""
    if (won := state.winner) is None:
        raise ValueError("the game is not over")
    how = "as the other side resigns" if state.is_given_up else "by a chain"
    return f"{won.title} wins {how}."


def informed(game: Game, **entries: str) -> Game:
    """Return the record with these entries in place of others of the same name."""
    info = [entry for entry in game.info if entry[0] not in entries]
    return replace(game, info=(*info, *entries.items()))


def added(before: GameState, after: GameState) -> Sequence[GameNode]:
    """Return the nodes that a record has become longer by."""
    return after.game.main_line[len(before.game.main_line) :]
