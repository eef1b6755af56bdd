"""Dark Hex: the state has all stones; each side knows its own attempts and what it heard.

In a record a placed stone is a move. A collision is a node of its own, with the cell in the
private property XD and the next player as its turn; other readers show the stones and ignore the
rest.

A game in progress is saved *sealed*: the file shows no stones. The private property XA holds all
attempts, packed. That hides them from a glance, not from someone who wants to cheat.
"""

import base64
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from hsearch.formats import strict
from hsearch.hex import Board, Cell, Color, Game, GameNode, Move, Position, Special
from hsearch.hex.tree import HIDDEN, SEALED
from player.dark.rules import (
    SOME_COLLISION,
    Base,
    DarkRules,
    History,
    IllegalAttemptError,
    Noise,
    Play,
    Symbol,
    view,
    view_position,
)
from player.variants.base import (
    NOTHING,
    Act,
    GameState,
    IllegalActError,
    Legal,
    Variant,
    move_words,
    with_info,
)

COLLISION = "XD"
MOST_PACKED = 100_000  # bytes of unpacked attempts: more than any game has
_NOTE = f"{SEALED.capitalize()}: encoded, not encrypted."

_BASES = {
    Base.CLASSIC: "You do not see the other stones. Whoever hits a hidden stone tries again",
    Base.ABRUPT: "You do not see the other stones. Whoever hits a hidden stone has lost the turn",
}
_NOISES = {
    Noise.SILENT: "the other player does not notice.",
    Noise.NOISY: "the other player learns that it happened, but not where.",
    Noise.FLASH: "the other player learns where.",
}


@dataclass(frozen=True, slots=True)
class DarkState(GameState):
    """A game in progress; the position has all stones."""

    play: Play

    @classmethod
    def at(cls, game: Game, play: Play) -> Self:
        """Return the state of a record and its play."""
        return cls(game, game.position(turn=play.state.turn), play)


@dataclass(frozen=True, slots=True)
class DarkView:
    """What one side knows: what it attempted and heard, and who is to move.

    end  the final state, once the game is over and nothing is hidden; None before
    """

    rules: DarkRules
    color: Color
    history: History
    turn: Color
    end: DarkState | None

    @property
    def position(self) -> Position:
        """The side's own stones and those it has found; all stones at the end."""
        if self.end is not None:
            return self.end.position
        stones = view_position(self.rules.board, self.color, view(self.history))
        return replace(stones, turn=self.turn)


class Dark(Variant[DarkState]):
    """Classic or abrupt Dark Hex, with its noise."""

    hides = True
    no_undo = "nothing can be taken back here: what was heard stays known"

    def __init__(self, base: Base, noise: Noise = Noise.SILENT) -> None:
        """Set the cost of a collision, and what the other player hears of it."""
        self.base, self.noise = base, noise
        self.name = f"dark-{base}"
        self.text = self.name if noise is Noise.SILENT else f"{self.name}:noise={noise}"
        self.rules = f"{_BASES[base]}; {_NOISES[noise]}"

    def hidden_rules(self, board: Board) -> DarkRules:
        """Return the rules on a board."""
        return DarkRules(board, self.base, self.noise)

    def start(self, game: Game, _meeting: int = 0) -> DarkState:
        """Return the state of a game of hidden stones, unsealed.

        Raise ValueError when the record has another noise, has moves that were played openly,
        or contradicts itself.
        """
        rules, rules_name = self.hidden_rules(game.board), game.about("RU") or ""
        if rules_name.partition(":")[0] == self.name:
            if rules_name != self.text:
                raise ValueError(f"a game of {rules_name}, not of {self.text}")
            position = unseal(rules, game.cut())
            return DarkState.at(position, replay(rules, position))
        if game.is_sealed:
            raise ValueError(f"not a game of {self.text}: {SEALED}")
        if game.moves or any(node.is_setup for node in game.main_line):
            raise ValueError("a game of hidden stones starts from the empty board")
        return DarkState.at(with_info(game.cut(), RU=self.text), Play(rules))

    def to_act(self, state: DarkState) -> tuple[Color, ...]:
        """Return the player to move."""
        return () if state.winner is not None else (state.play.state.turn,)

    def legal(self, state: DarkState, color: Color) -> Legal:
        """Return the cells that are empty as far as the side knows."""
        if color not in self.to_act(state):
            return NOTHING
        return Legal(frozenset(state.play.rules.legal(state.play.state)))

    def _after(self, state: DarkState, _color: Color, act: Act) -> DarkState:
        if not isinstance(act, int) or not 0 <= act < state.game.board.size:
            raise IllegalActError(f"{act} is not an attempt at a cell")
        try:
            return DarkState.at(*attempt(state.game, state.play, act))
        except IllegalAttemptError as error:
            raise IllegalActError(str(error)) from None

    def view(self, state: DarkState, color: Color) -> DarkView:
        """Return the side's own history; everything once the game is over."""
        play, end = state.play, None if state.winner is None else state
        return DarkView(play.rules, color, play.information_state(color), play.state.turn, end)

    def position_for(self, state: DarkState, viewer: Color | None) -> Position:
        """Return the stones that a viewer knows."""
        return state.position if viewer is None else self.view(state, viewer).position

    def public_record(self, state: DarkState) -> Game:
        """Return the record, sealed until the game is over."""
        return seal(state.game) if state.winner is None else state.game

    def words(self, before: DarkState, after: DarkState, viewer: Color | None = None) -> list[str]:
        """Return what a viewer observed of either side's attempts; for None, all attempts."""
        if viewer is None:
            sentences = list(self.moves(after.game)[len(self.moves(before.game)) :])
        else:
            symbols = heard_between(before, after, viewer)
            sentences = [symbol_words(after.play.rules, viewer, symbol) for symbol in symbols]
            turn = after.play.state.turn
            if turn is viewer is not before.play.state.turn and after.winner is None:
                sentences.append(f"{viewer.opponent.title} has had a turn.")
            if after.last is not None and after.is_given_up and not before.is_given_up:
                sentences.append(move_words(after.last, after.game.board))
        return sentences

    def standing(self, state: DarkState, viewer: Color | None = None) -> str:
        """Return a line with all that a side has attempted and heard; empty for None."""
        if viewer is None:
            return ""
        line = history_line(state.game.board, state.play.information_state(viewer))
        return f"{viewer.title}'s view. {line}."

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return all attempts, such as `black b2` or `white b2 collision`."""
        return tuple(
            f"{move.color.word} {move.name(game.board)}{' collision' if is_hit else ''}"
            for move, is_hit in _attempts(game)
        )

    def attempt_words(self, game: Game) -> list[str]:
        """Return all attempts in the words of the page, such as `White hits b2`."""
        return [
            f"{move.color.title} {'hits ' if is_hit else ''}{move.name(game.board)}"
            for move, is_hit in _attempts(game)
        ]

    def take_back(self, _state: DarkState) -> DarkState:
        """Raise ValueError: what was heard stays known."""
        raise ValueError(self.no_undo)


def heard_between(before: DarkState, after: DarkState, viewer: Color) -> Sequence[Symbol]:
    """Return what a side observed between two states."""
    history = before.play.information_state(viewer)
    return after.play.information_state(viewer)[len(history) :]


def symbol_words(rules: DarkRules, color: Color, symbol: Symbol) -> str:
    """Return one observation of a side in a sentence."""
    other = color.opponent.title
    if symbol == SOME_COLLISION:
        return f"{other} has hit a stone of yours."
    if symbol < 0:
        return f"{other} has hit your stone on {rules.board.name(-2 - symbol)}."
    name = rules.board.name(symbol >> 1)
    if not symbol & 1:
        return f"Your stone lies on {name}."
    then = "Try again." if rules.base is Base.CLASSIC else "Your turn is lost."
    return f"A hidden stone lies on {name}. {then}"


def history_line(board: Board, history: History) -> str:
    """Return a line with all that a side has attempted and heard."""
    if not history:
        return "Nothing was attempted yet, and nothing heard"
    return "So far: " + ", ".join(_symbol_word(board, symbol) for symbol in history)


def _symbol_word(board: Board, symbol: Symbol) -> str:
    if symbol == SOME_COLLISION:
        return "heard a hit"
    if symbol < 0:
        return f"heard a hit on {board.name(-2 - symbol)}"
    return board.name(symbol >> 1) + (" (hidden stone)" if symbol & 1 else "")


def replay(rules: DarkRules, game: Game) -> Play:
    """Return the play of a record.

    Raise ValueError, naming the node, where the record contradicts the rules.
    """
    play = Play(rules)
    for number, node in enumerate(game.main_line):
        cell, is_stone = _attempt(game, node)
        if node.is_setup:
            raise ValueError("a game of hidden stones starts from the empty board")
        if cell is None:
            continue
        name = game.board.name(cell)
        if node.move is not None and node.move.color is not play.state.turn:
            raise ValueError(f"node {number}: {node.move.color.word} {name}: out of turn")
        before = play.state
        try:
            play = play.attempt(cell)
        except IllegalAttemptError as error:
            raise ValueError(f"node {number}: {error}") from None
        if is_stone is (before.stones == play.state.stones):
            what = "a stone on a hidden stone" if is_stone else "a collision with nothing"
            raise ValueError(f"node {number}: {before.turn.word} {name}: {what}")
        if not is_stone and node.turn is not play.state.turn:
            due = play.state.turn.word
            raise ValueError(
                f"node {number}: {before.turn.word} {name}: PL must give the next turn to {due}"
            )
    return play


def attempt(game: Game, play: Play, cell: Cell) -> tuple[Game, Play]:
    """Return record and play after the player to move attempts a cell.

    Raise IllegalAttemptError when that player knows the cell to be occupied.
    """
    after, color = play.attempt(cell), play.state.turn
    if after.state.stones != play.state.stones:
        return game.append(Move(color, cell)), after
    properties = ((COLLISION, (game.board.name(cell),)),)
    return game.append_node(GameNode(turn=after.state.turn, properties=properties)), after


def seal(game: Game) -> Game:
    """Return the record with its attempts packed, which hides them."""
    attempts = (_attempt(game, node)[0] for node in game.main_line)
    cells = [game.board.name(cell) for cell in attempts if cell is not None]
    text = base64.b64encode(zlib.compress(strict.write(cells).encode(), 9)).decode()
    root = GameNode(comment=_NOTE, properties=((HIDDEN, (text,)),))
    return replace(game, nodes=(root,), cursor=None)


def unseal(rules: DarkRules, game: Game) -> Game:
    """Return a sealed record unsealed; any other record stays as it is.

    Raise ValueError when the sealed attempts are damaged or break the rules.
    """
    text = game.nodes[0].sealed
    if text is None:
        return game
    result, play = replace(game, nodes=(GameNode(),), cursor=None), Play(rules)
    try:
        for name in _unpack(text):
            result, play = attempt(result, play, game.board.cell(name))
    except (ValueError, zlib.error) as error:
        raise ValueError(f"the sealed attempts are damaged: {error}") from None
    return result


def _unpack(text: str) -> list[str]:
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(base64.b64decode(text, validate=True), MOST_PACKED)
    if not unpacking.eof:
        raise ValueError(f"cut, or longer than {MOST_PACKED} bytes")
    return strict.read(data, list[str])


def _attempts(game: Game) -> Iterator[tuple[Move, bool]]:
    """Yield each attempt as a move, and whether it hit a hidden stone; also a resignation."""
    color = Color.BLACK
    for node in game.main_line:
        cell, _ = _attempt(game, node)
        if node.move is not None:
            yield node.move, False
            color = node.move.next_color
        elif cell is not None and node.turn is not None:
            yield Move(color, cell), True
            color = node.turn


def _attempt(game: Game, node: GameNode) -> tuple[Cell | None, bool]:
    """Return the cell attempted at a node (None if none), and whether a stone was placed."""
    if node.move is not None:
        action = node.move.action
        if isinstance(action, Special):
            if action is not Special.RESIGN:
                raise ValueError(f"{action.value} is not a move of Dark Hex")
            return None, False
        return action, True
    values = node.about(COLLISION)
    return (game.board.cell(values[0]), False) if values else (None, False)
