"""The base of variants: one state machine, for the referee, the terminal, GTP and the page.

A variant is a set of functions of states, and states are values. A host is a loop::

    state = variant.start(game)
    while state.winner is None:
        state = variant.toss(state, generator)      # what chance decides, if anything
        color, *others = variant.to_act(state)      # the others may act first
        view = variant.view(state, color)           # all that a person or an engine may know
        act = ...                                   # their choice
        after = variant.after(state, color, act)
        ... variant.words(state, after, viewer)
        state = after

A variant whose games can end without a chain overrides its state's `winner`.

Only the state holds the secrets, sealed bids and hidden stones: a host passes on `view`, never
the state, and stores `public_record`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeAlias, TypeVar

from hsearch.hex import Board, Cell, Color, Game, GameNode, Move, Outcome, Position, Special, winner
from hsearch.hex.move import outcome
from hsearch.hex.position import IllegalMoveError
from hsearch.hex.tree import SEALED, TurnUnknownError, follow

if TYPE_CHECKING:
    import numpy as np

    from player.bidding.chips import Holding
    from player.dark.rules import DarkRules

ALTERNATING, RANDOM_TURN, BIDDING = "alternating", "random-turn", "bidding"
DARK_CLASSIC, DARK_ABRUPT = "dark-classic", "dark-abrupt"


@dataclass(frozen=True, slots=True)
class SealedBid:
    """A sealed bid.

    chips      the number of chips bid
    takes_tie  whether, on equal bids, the holder of the tie-break chip hands it over for the
               move; None to decide then
    plan       the move to play if the bid wins; None to decide then
    """

    chips: int
    takes_tie: bool | None = None
    plan: Cell | Special | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """The answer to equal bids: whether the holder of the tie-break chip hands it over and moves.

    `SealedBid.takes_tie` gives the answer in advance.
    """

    is_taken: bool


# A stone on a cell (in Dark Hex an attempt at it), a special move such as `resign`, a bid, or
# the answer to equal bids.
Act: TypeAlias = Cell | Special | SealedBid | Tie


class IllegalActError(IllegalMoveError):
    """An act that the rules of the variant do not allow."""


class NoSwapError(IllegalActError):
    """A swap in a game without swap. A host may add how to start a game with it."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal acts of a side.

    cells  where it may place a stone, or attempt to
    swap   whether it may take over the opponent's only stone
    chips  what it holds, which is the most it may bid; None if no bid is due
    tie    whether it must answer equal bids
    resign whether it may resign
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
    """A game in progress: its record, and the position at the end of the record.

    Variants with more state extend this class.
    """

    game: Game
    position: Position

    @classmethod
    def of(cls, game: Game) -> Self:
        """Return the state at the end of a record. Raise ValueError when that breaks a rule.

        The turn is that of the record, else that of the numbers of stones, else Black's.
        """
        if game.is_sealed:
            raise ValueError(f"no position: {SEALED}")
        try:
            return cls(game, game.position())
        except TurnUnknownError:
            return cls(game, game.position(turn=Color.BLACK))

    @property
    def last(self) -> Move | None:
        """The last move; None before the first."""
        moves = self.game.moves
        return moves[-1] if moves else None

    @property
    def is_given_up(self) -> bool:
        """Whether the last move is a resignation or a forfeit."""
        return self.last is not None and self.last.gives_up

    @property
    def winner(self) -> Color | None:
        """The winner, by a chain or because the opponent gave up; None if there is none."""
        last = self.last
        if last is not None and last.gives_up:
            return last.color.opponent
        return winner(self.position)

    @property
    def outcome(self) -> Outcome | None:
        """Who has won, and whether the opponent gave up; None if nobody has won."""
        won_by = self.winner
        return None if won_by is None else outcome(self.game.moves, None) or Outcome(won_by)

    def then(self, move: Move) -> Self:
        """Return the state after a move of either side. Raise IllegalMoveError.

        The turn is that of the record, which a player who gives up out of turn does not change.
        """
        position, game = follow(self.position, GameNode(move=move)), self.game.append(move)
        if move.gives_up:
            position = replace(position, turn=game.recorded_turn() or position.turn)
        return replace(self, game=game, position=position)

    def with_record(self, game: Game) -> Self:
        """Return the state with a record that differs in its entries only."""
        return replace(self, game=game)


S = TypeVar("S", bound=GameState)


class Variant(ABC, Generic[S]):
    """The rules of a variant with chosen options.

    name     its name in the table of variants
    text     its name and options, as in RU of a record
    games_per_opening  the number of games that two players play from each opening, to exchange
             colors and any other advantage
    rules    sentences that explain the rules to a player; empty for ordinary turns
    inputs   what `read` reads, as a help lists it: an example, and what it does
    tosses   whether chance decides anything
    hides    whether stones are hidden
    decided_by  what decides who moves, such as `coins`; empty if turns alternate
    no_undo  why nothing can be taken back; empty if moves can
    swap     whether the second player may swap
    """

    name: str
    text: str
    games_per_opening: int = 2
    rules: str = ""
    inputs: ClassVar[tuple[tuple[str, str], ...]] = (("a cell such as c3", "play there"),)
    tosses: ClassVar[bool] = False
    hides: ClassVar[bool] = False
    decided_by: ClassVar[str] = ""
    no_undo: ClassVar[str] = ""
    swap: bool = False
    no_swap: ClassVar[str] = ""  # a message that replaces the usual one for a refused swap

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"

    @abstractmethod
    def start(self, game: Game, meeting: int = 0) -> S:
        """Return the state from which this variant continues a record, at its cursor.

        A record of this variant stays as it is up to there. `meeting` counts the games of two
        players from one opening. Raise ValueError when this variant cannot continue the record,
        or when the record contradicts itself.
        """

    def toss(self, state: S, _generator: "np.random.Generator") -> S:
        """Return the state after any chance event that is due; most variants have none."""
        return state

    def land_coin(self, _state: S, _color: Color) -> S:
        """Return the state after a coin for a color. Raise IllegalActError if none is due."""
        raise IllegalActError(f"there is no coin in {self.name}")

    @abstractmethod
    def to_act(self, state: S) -> tuple[Color, ...]:
        """Return who is to act: both while both bid, nobody before a coin falls or at the end."""

    def legal(self, state: S, color: Color) -> Legal:
        """Return the legal acts of a side; none if it is not to act."""
        if color not in self.to_act(state):
            return NOTHING
        return Legal(frozenset(state.position.empty.search(1)))

    def read(self, state: S, _color: Color, text: str) -> Act:
        """Return the act that a text of a side names. Raise ValueError if it names none."""
        return read_move(state.game.board, text)

    def after(self, state: S, color: Color, act: Act) -> S:
        """Return the state after an act of a side. Raise IllegalActError when it is not legal."""
        if (won_by := state.winner) is not None:
            raise IllegalActError(f"the game is over: {won_by.word} has won")
        due = self.to_act(state)
        if color not in due:
            raise IllegalActError(f"{due[0].word if due else 'nobody'} is to move")
        if act is Special.RESIGN:
            return state.then(Move(color, act))
        if act is Special.SWAP_PIECES and not self.swap:
            raise NoSwapError(self.no_swap or f"there is no swap in {self.name}")
        return self._after(state, color, act)

    def _after(self, state: S, color: Color, act: Act) -> S:
        """Return the state after an act, other than resigning, of a side that is to act."""
        return state.then(Move(color, stone(state.position, act)))

    def view(self, state: S, _color: Color) -> object:
        """Return all that a side knows: equal for states that it cannot tell apart."""
        return state

    def position_for(self, state: S, _viewer: Color | None) -> Position:
        """Return the board as a viewer may see it. A viewer of None may see everything."""
        return state.position

    def hidden_rules(self, _board: Board) -> "DarkRules | None":
        """Return the rules of hidden stones, which players study first; None without them."""
        return None

    def public_record(self, state: S) -> Game:
        """Return the record to store where either side may read it."""
        return state.game

    def words(self, before: S, after: S, _viewer: Color | None = None) -> list[str]:
        """Return what happened between two states, in sentences for a viewer.

        A viewer of None may know everything.
        """
        board, new = after.game.board, new_nodes(before, after)
        return [move_words(node.move, board) for node in new if node.move is not None]

    def standing(self, _state: S, _viewer: Color | None = None) -> str:
        """Return a line on what a side knows besides the board; empty if that is nothing."""
        return ""

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return what happened in a record, a few words for each move."""
        return tuple(f"{move.color.word} {move.name(game.board)}" for move in game.moves)

    def take_back(self, state: S) -> S:
        """Return the state one move earlier. Raise ValueError when there is none."""
        count = len(state.game.moves)
        if not count:
            raise ValueError("there is no move of yours to take back")
        return self.start(state.game.cut(count - 1))


def read_move(board: Board, text: str) -> Cell | Special:
    """Return the move that a text names: a cell, a swap or `resign`. Raise ValueError."""
    word = text.strip().lower()
    if word in {"swap", "swap-pieces"}:
        return Special.SWAP_PIECES
    if word in {"pie", "swap-sides"}:
        raise ValueError(f"{text!r} is not a move: a swap is swap, or swap-pieces")
    return Special.RESIGN if word == "resign" else board.cell(text)


def act_word(act: Act, board: Board) -> str:
    """Return the text of an act, which `Variant.read` reads."""
    match act:
        case SealedBid():
            return str(act.chips)
        case Tie():
            return "yes" if act.is_taken else "no"
        case Special():
            return act.value
    return board.name(act)


def stone(position: Position, act: Act) -> Cell:
    """Return the cell of an act that must place a stone. Raise IllegalActError at any other."""
    if isinstance(act, Special):
        raise IllegalActError(f"{act.value} is not a move of this variant")
    if isinstance(act, SealedBid | Tie):
        raise IllegalActError("a move is due, not a bid")
    if not 0 <= act < position.board.size:
        raise IllegalActError(f"not a cell of the {position.board} board: {act}")
    if not position.is_legal(act):
        raise IllegalActError(f"{position.board.name(act)} is not empty")
    return act


_GIVEN_UP: dict[Cell | Special, str] = {Special.RESIGN: "resigns", Special.FORFEIT: "forfeits"}


def move_words(move: Move, board: Board) -> str:
    """Return a move in a sentence."""
    name, given_up = move.color.title, _GIVEN_UP.get(move.action)
    return f"{name} plays {move.name(board)}." if given_up is None else f"{name} {given_up}."


def at_cursor(game: Game) -> Game:
    """Return the record up to its cursor; one without a cursor stays as it is."""
    return game if game.cursor is None else game.cut()


def outcome_of(state: GameState) -> Outcome:
    """Return who has won, and how. Raise ValueError if nobody has."""
    if (result := state.outcome) is None:
        raise ValueError("the game is not over")
    return result


def recorded_end(state: GameState) -> Outcome | None:
    """Return who has won by the result of a record, such as a loss on time.

    None if there is no winner, or if the stones or the last move show who has won.
    """
    return None if state.winner is not None else state.game.ending()


def end_words(state: GameState) -> str:
    """Return a sentence on who has won, and how. Raise ValueError if nobody has."""
    ends = outcome_of(state)
    return f"{ends.winner.title} wins by a chain." if ends.ending is None else f"{ends.words}."


def with_info(game: Game, **entries: str) -> Game:
    """Return the record with these entries, which replace those of the same names."""
    info = [entry for entry in game.info if entry[0] not in entries]
    return replace(game, info=(*info, *entries.items()))


def new_nodes(before: GameState, after: GameState) -> Sequence[GameNode]:
    """Return the nodes that the later record has added."""
    return after.game.main_line[len(before.game.main_line) :]
