"""The possible hidden stones in Dark Hex and their probabilities, by walking through all games."""

from collections import defaultdict

from hsearch.hex.board import cells_in
from player.dark.rules import Play, View


def any_cell(rules, _color, seen):
    """Attempt every cell that is not known to be taken with equal probability."""
    cells = list(cells_in(rules.full & ~seen.own & ~seen.known))
    return dict.fromkeys(cells, 1 / len(cells))


def worlds_of(rules, color, model):
    """Return the worlds of each information state of a player to move, and their weights.

    A world is the opponent's stones, and those of the player's stones that the opponent has found.
    The opponent plays by the model. The player's own choices carry no weight.
    """
    found = defaultdict(lambda: defaultdict(float))

    def walk(play, chance):
        turn, state = play.state.turn, play.state
        if turn is color:
            world = state.stones[color.opponent], state.known[color.opponent]
            found[play.information_state(color)][world] += chance
            shares = dict.fromkeys(rules.legal(state), 1)
        else:
            shares = model(rules, turn, View(state.stones[turn], state.known[turn]))
        for cell, share in shares.items():
            after = play.attempt(cell)
            if not rules.is_over(after.state):
                walk(after, chance * share)

    walk(Play(rules), 1.0)
    return found
