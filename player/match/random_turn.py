"""Hex at random turns: a coin tells who moves (Peres, Schramm, Sheffield and Wilson 2007).

A record has a node for each coin before the move that it allowed, with the
color as its turn and in the private property XC, which other readers pass over.
"""

from collections.abc import Callable, Mapping

import numpy as np

from hsearch.board import Color
from hsearch.game import Game, Move, Node
from player.engine import RANDOM_TURN, MoveRequest, Player, participant
from player.match.referee import Referee, reruled, stone
from player.match.variant import Variant

COIN = "XC"


class RandomTurn(Variant[Player]):
    """The variant; it has no options."""

    name = text = RANDOM_TURN
    games_per_opening = 2

    def player(self, spec: str) -> Player:
        """Return a new player for its text."""
        made: Player = participant(spec, RANDOM_TURN)
        return made

    def start(self, game: Game, _meeting: int = 0) -> Game:
        """Return the record that goes on at random turns; raise ValueError if its coins lie."""
        if game.about("RU") == self.text:
            check(game)
            return game
        return reruled(game.cut(), self.text)

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return the colors and names of the moves."""
        return tuple(f"{move.color.word} {move.name(game.board)}" for move in game.moves)

    def turn(
        self, referee: Referee, players: Mapping[Color, Player], generator: np.random.Generator
    ) -> Callable[[], Color | None]:
        """Return what tosses the coin and asks its winner; the coins follow from the seed alone."""
        coin, terms = generator.spawn(1)[0], MoveRequest(seconds=referee.rules.seconds)

        def turn() -> Color | None:
            now = tossed(referee.game, coin)
            position = now.position()
            color = position.turn
            choice = referee.ask(color, lambda: players[color].choose(now, terms, generator))
            cell = stone(position, color, choice.action)
            return referee.add(now.append(Move(color, cell)), choice)

        return turn


def tossed(game: Game, coin: np.random.Generator) -> Game:
    """Return the game with a coin that tells who moves next, unless one lies there already."""
    last = game.main_line[-1]
    if last.move is None and _coin(last):
        return game
    color = Color(int(coin.integers(2)))
    return game.append_node(Node(turn=color, properties=((COIN, (color.word,)),)))


def check(game: Game) -> None:
    """Raise ValueError, naming the node, when coins and moves do not fit together.

    Moves before the first coin are an opening.
    """
    due, has_coins = None, False
    for number, node in enumerate(game.main_line):
        coin, turn = _coin(node), node.turn
        if coin:
            if turn is None or coin != turn.word:
                raise ValueError(f"node {number}: a coin for {coin!r}, which PL does not say")
            due, has_coins = turn, True
        if node.move is None or node.move.gives_up:
            continue
        who = node.move.color
        if has_coins and due is None:
            raise ValueError(f"node {number}: {who.word} moves without a coin")
        if has_coins and who is not due:
            raise ValueError(f"node {number}: {who.word} moves where the coin fell for the other")
        due = None


def _coin(node: Node) -> str:
    """Return what the coin at a node says; nothing where none lies."""
    return next((values[0] for name, values in node.properties if name == COIN), "")
