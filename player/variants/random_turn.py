"""Random-turn Hex: a coin decides who moves (Peres, Schramm, Sheffield and Wilson 2007).

A record has a node for each coin, before the move that it allowed. The node has the color as its
turn and in the private property XC, which other readers ignore. Moves before the first coin are
an opening.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from hsearch.hex import Color, Game, GameNode
from player.variants.base import (
    RANDOM_TURN,
    GameState,
    IllegalActError,
    Variant,
    at_cursor,
    move_words,
    new_nodes,
    with_info,
)

if TYPE_CHECKING:
    import numpy as np

COIN = "XC"


class RandomTurn(Variant[GameState]):
    """The variant of random turns; it has no options."""

    name = text = RANDOM_TURN
    rules = "Before each move a coin decides who makes it."
    tosses = True
    decided_by = "coins"

    def start(self, game: Game, _meeting: int = 0) -> GameState:
        """Return the state that continues at random turns; raise ValueError if coins do not fit."""
        game = at_cursor(game)
        if game.about("RU") == self.text:
            check(game)
        else:
            game = with_info(game.cut(), RU=self.text)
        return GameState.of(game)

    def toss(self, state: GameState, generator: "np.random.Generator") -> GameState:
        """Return the state after a coin decides who moves; the same state if no coin is due."""
        if state.winner is not None or _coin(state.game.main_line[-1]) is not None:
            return state
        return self.land_coin(state, Color(int(generator.integers(2))))

    def land_coin(self, state: GameState, color: Color) -> GameState:
        """Return the state after a coin for a color. Raise IllegalActError if none is due."""
        if state.winner is not None or _coin(state.game.main_line[-1]) is not None:
            raise IllegalActError("no coin is due")
        game = state.game.append_node(GameNode(turn=color, properties=((COIN, (color.word,)),)))
        return GameState(game, replace(state.position, turn=color))

    def to_act(self, state: GameState) -> tuple[Color, ...]:
        """Return the player for whom the coin fell; nobody before a coin falls or at the end."""
        due = _coin(state.game.main_line[-1])
        return () if due is None or state.winner is not None else (due,)

    def words(self, before: GameState, after: GameState, _viewer: Color | None = None) -> list[str]:
        """Return for whom the coins fell, and the moves."""
        sentences = []
        for node in new_nodes(before, after):
            if (color := _coin(node)) is not None:
                sentences.append(f"The coin falls for {color.title}.")
            elif node.move is not None:
                sentences.append(move_words(node.move, after.game.board))
        return sentences


def check(game: Game) -> None:
    """Raise ValueError, naming the node, when coins and moves do not match."""
    due, has_coins = None, False
    for number, node in enumerate(game.main_line):
        coin, turn = next(iter(node.about(COIN)), None), node.turn
        if coin is not None:
            if turn is None or coin != turn.word:
                raise ValueError(f"node {number}: a coin for {coin!r}, which PL does not give")
            if due is not None:
                raise ValueError(f"node {number}: a second coin before one move")
            due, has_coins = turn, True
        if node.move is None or node.move.gives_up:
            continue
        who = node.move.color
        if has_coins and due is None:
            raise ValueError(f"node {number}: {who.word} moves without a coin")
        if has_coins and who is not due:
            raise ValueError(f"node {number}: {who.word} moves where the coin fell for the other")
        due = None


def _coin(node: GameNode) -> Color | None:
    """Return for whom the coin at a node fell; None without a coin, or with a move."""
    return node.turn if node.move is None and node.about(COIN) else None
