"""Winner of a small position, by searching until connections have decided everything."""

from player.search.line import Key, SearchPosition


def mover_wins(line: SearchPosition, known: dict[Key, bool]) -> bool:
    """Return whether the player to move wins, whatever the opponent does.

    Depth first, inside the must-play region, weakest links first. `known` keeps
    what was found, from one call to the next. Boards up to 5x5 take seconds;
    beyond, it may not end.
    """
    key = line.key
    if key in known:
        return known[key]
    view = line.probe()
    if view.winner is not None:
        known[key] = view.winner is line.turn
        return known[key]
    wins = False
    for move in view.moves:
        line.play(move)
        wins = not mover_wins(line, known)
        line.undo()
        if wins:
            break
    known[key] = wins
    return wins
