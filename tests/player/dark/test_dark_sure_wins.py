"""Sure wins, compared with brute force over sets of placements."""

from dataclasses import replace
from functools import cache

import pytest

from hsearch.hex.board import Board, Color, cells_in
from player.dark import certificate, solve
from player.dark.outlook import SureWins
from player.dark.rules import Base, DarkRules, Noise, View


class Beliefs:
    """Sure wins by brute force over sets of hidden placements."""

    def __init__(self, rules, color):
        self.rules, self.color, self.known = rules, color, {}

    def wins(self, own, belief):
        """Return whether one policy wins against all placements; their common stones are known."""
        common = self.rules.full
        for stones in belief:
            common &= stones
        key = own, belief
        if key not in self.known:
            free = self.rules.full & ~own & ~common
            self.known[key] = any(self.good(own, 1 << cell, belief) for cell in cells_in(free))
        return self.known[key]

    def good(self, own, bit, belief):
        """Return whether an attempt keeps the win, both after a hit and after a stone."""
        hits = frozenset(stones for stones in belief if stones & bit)
        misses = belief - hits
        if hits and not self.wins(own, hits):
            return False
        if not misses or self.rules.connects(self.color, own | bit):
            return True
        replies = set()
        for stones in misses:
            for cell in cells_in(self.rules.full & ~own & ~bit & ~stones):
                after = stones | 1 << cell
                if self.rules.connects(self.color.opponent, after):
                    return False
                replies.add(after)
        return self.wins(own | bit, frozenset(replies))


def reachable_beliefs(rules, color):
    """Yield the views of a player with their possible placements, over all games."""
    start = {Color.BLACK: frozenset({0}), Color.WHITE: frozenset(1 << c for c in rules.board.cells)}
    todo, seen = [(View(), start[color])], set()
    while todo:
        seen_view, belief = todo.pop()
        if seen_view in seen or not belief:
            continue
        seen.add(seen_view)
        yield seen_view, belief
        for cell in cells_in(rules.full & ~seen_view.own & ~seen_view.known):
            bit = 1 << cell
            hits = frozenset(s for s in belief if s & bit)
            todo.append((View(seen_view.own, seen_view.known | bit), hits))
            after = {
                s | 1 << reply
                for s in belief - hits
                for reply in cells_in(rules.full & ~seen_view.own & ~bit & ~s)
            }
            going = frozenset(s for s in after if not rules.connects(color.opponent, s))
            if not rules.connects(color, seen_view.own | bit):
                todo.append((View(seen_view.own | bit, seen_view.known), going))


@pytest.mark.parametrize(
    ("columns", "color", "won", "views"),
    [
        (2, Color.BLACK, 13, 17),
        (2, Color.WHITE, 22, 25),
        (3, Color.BLACK, 135, 147),
        (3, Color.WHITE, 90, 167),
    ],
)
def test_sure_wins_equal_those_of_brute_force(columns, color, won, views):
    """Sure wins agree on every view, and in number with the known figures."""
    rules = DarkRules(Board(columns, 2))
    sure, brute = SureWins(rules, color), Beliefs(rules, color)
    found = dict(reachable_beliefs(rules, color))

    assert len(found) == views
    assert sum(map(sure.wins, found)) == won
    for view, belief in found.items():
        assert sure.wins(view) == brute.wins(view.own, belief), view


def test_sure_winning_first_cells_are_the_known_ones():
    """On 2x2 b1 and a2, on 3x2 every cell, on 2x3 none, on 3x3 two corners; never abrupt."""
    first = {
        size: [
            Board(*size).name(cell)
            for cell in SureWins(DarkRules(Board(*size)), Color.BLACK).winning_cells(View())
        ]
        for size in ((2, 2), (3, 2), (2, 3), (3, 3))
    }

    assert first[2, 2] == ["b1", "a2"]
    assert first[3, 2] == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert first[2, 3] == []
    assert first[3, 3] == ["c1", "a3"]
    with pytest.raises(ValueError, match="classic"):
        SureWins(DarkRules(Board(2, 2), Base.ABRUPT), Color.BLACK)


def test_one_policy_must_win_against_all_placements():
    """Each placement may be won by a player who sees it, while no policy wins against all.

    The test finds such views of Black on 3x3; the wrong order of quantifiers would call
    them sure wins.
    """
    rules = DarkRules(Board(3, 3))
    sure = SureWins(rules, Color.BLACK)

    @cache
    def open_win(mine, theirs, color):
        """Return whether the player to move wins with open stones."""
        for cell in cells_in(rules.full & ~mine & ~theirs):
            after = mine | 1 << cell
            if rules.connects(color, after) or not open_win(theirs, after, color.opponent):
                return True
        return False

    traps = []
    for view, belief in reachable_beliefs(rules, Color.BLACK):
        early = view.own.bit_count() == 1 and not sure.wins(view)
        if early and all(open_win(view.own, stones, Color.BLACK) for stones in belief):
            traps.append(view)

    assert traps
    brute = Beliefs(rules, Color.BLACK)
    beliefs = dict(reachable_beliefs(rules, Color.BLACK))
    assert not any(brute.wins(view.own, beliefs[view]) for view in traps)


@cache
def losing_cells(board, color):
    """Return the first cells of a player that are not a sure win, which noise does not affect."""
    sure = SureWins(DarkRules(board), color)
    return [cell for cell in board.cells if not sure.is_winning(View(), cell)]


@pytest.mark.parametrize("noise", Noise)
@pytest.mark.parametrize(
    "sides", [(2, 2), (3, 2), (2, 3), pytest.param((3, 3), marks=pytest.mark.slow)]
)
def test_the_certificate_of_a_sure_win_verifies(sides, noise):
    """Exact arithmetic proves it independently, and a policy with a worse attempt is rejected."""
    rules = DarkRules(Board(*sides), Base.CLASSIC, noise)
    found = solve.solve(rules, "sure-wins", solve.SolveOptions()).certificate
    winner = Color.WHITE if sides == (2, 3) else Color.BLACK
    policy = found.policies[winner]

    certificate.verify(certificate.read(certificate.write(found)))
    assert found.lower == found.upper == (1 if winner is Color.BLACK else -1)
    assert found.policies[winner.opponent] is None
    first = next(iter(policy.chances[()]))
    for cell in losing_cells(rules.board, winner)[:1]:
        changed = replace(policy, chances={**policy.chances, (): {cell: policy.chances[()][first]}})
        pair = (changed, None) if winner is Color.BLACK else (None, changed)
        with pytest.raises(certificate.CertificateError, match="policy proves"):
            certificate.verify(replace(found, policies=pair))
