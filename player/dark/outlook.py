"""The outlook of each move as if nothing were hidden, sure wins, and what a player may suppose."""

import itertools
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.analysis.circuit import circuit
from hsearch.hex import Cell, CellSet, Color, Position, cells_in
from hsearch.hex.board import flood_from_edge
from hsearch.render.text import Marks, quantity
from player.dark.belief import (
    GUESSES,
    Likelihood,
    Risk,
    exact_likelihood,
    likelihood,
    sensible,
    turns,
)
from player.dark.rules import Base, DarkRules, History, Mask, Noise, View
from player.evaluate.evaluators import critical_cells

# The outlook of each move as if nothing were hidden, by H-search and the circuits.
#
# A full connection depends on replies to moves that a player of Dark Hex does not
# see. `outlook` trusts it nevertheless; `bare_outlook` takes from H-search only
# winning connections and the must-play region, and its circuits have no connections.

ESTIMATED = 0.5  # score of the best cell if nothing is proved; a proved win has 1
LOST = 0.05  # score of the best cell if the game is lost
HOPEFUL = 0.3  # the same for an unseen player, and the share for cells outside the must-play
MOST_BYTES = 24_000_000  # of the scores that a function caches for boards of one size
ENTRY = 650  # bytes of a cached position, its place in the cache, and the head of its array

Outlook: TypeAlias = Callable[[Position], NDArray[np.float64]]


def cache_by_size(rate: Outlook) -> Outlook:
    """Return a function that caches scores for boards of the last two sizes, `MOST_BYTES` each."""

    @lru_cache(maxsize=2)
    def of_size(cells: int) -> Outlook:
        return lru_cache(maxsize=MOST_BYTES // (ENTRY + 8 * cells))(rate)

    @wraps(rate)
    def cached(position: Position) -> NDArray[np.float64]:
        return of_size(position.board.size)(position)

    return cached


@cache_by_size
def outlook(position: Position) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for each cell, for the player to move; 1 is a proved win.

    If nothing is proved, cells of the must-play region score by the current
    through them in both circuits.
    """
    analysis = ConnectionAnalysis(position)
    store = analysis.stores[position.turn]
    region, scale = analysis.mustplay.cells, ESTIMATED
    if analysis.chain is None and store.edge_semis and not store.edge_fulls:
        scores = np.zeros(position.board.size)
        for semi in store.edge_semis:
            scores[semi.key] = 1
        return scores
    if store.edge_fulls:
        region, scale = store.edge_fulls[0].carrier, 1.0
    elif analysis.mustplay.is_lost:
        region, scale = position.empty, LOST
    return _by_current(analysis, region, scale)


@cache_by_size
def bare_outlook(position: Position) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for each cell, for a player to move whose moves are hidden."""
    analysis, mover = ConnectionAnalysis(position), position.turn
    store, empty = analysis.stores[mover], _members(position.empty)
    own, other = (_flow(position, color) * empty for color in (mover, mover.opponent))
    if store.edge_fulls:
        # A cell without current is still better than one outside the connection.
        return _scale((own + 1e-9) * _members(store.edge_fulls[0].carrier), 1.0)
    if store.edge_semis:
        return _scale(own + other, 1.0)
    if analysis.mustplay.is_lost:
        return _scale(own + other, HOPEFUL)
    region = _members(analysis.mustplay.cells)
    return _scale((own + other) * (HOPEFUL + (1 - HOPEFUL) * region), ESTIMATED)


@cache_by_size
def chance_outlook(position: Position) -> NDArray[np.float64]:
    """Return how often each cell decides in random fillings, for the player to move."""
    return critical_cells(position, position.turn)


def _flow(position: Position, color: Color) -> NDArray[np.float64]:
    flow = circuit(position, color, links="none").flow
    return np.where(np.isfinite(flow), flow, 0.0)


def _members(cells: CellSet) -> NDArray[np.float64]:
    """Return 1 for each cell of a set, 0 for the others."""
    return np.array(cells.tolist(), float)


def _by_current(analysis: ConnectionAnalysis, region: CellSet, scale: float) -> NDArray[np.float64]:
    """Return the currents through a region, scaled so that the greatest is `scale`."""
    scores = np.zeros(analysis.position.board.size)
    for cell, flow in analysis.circuits.weak_links:
        # A cell without current is still better than one outside the region.
        scores[cell] = (flow if np.isfinite(flow) else 0.0) + 1e-6 if region[cell] else 0.0
    return _scale(scores, scale)


def _scale(scores: NDArray[np.float64], highest: float) -> NDArray[np.float64]:
    """Return scores scaled so that the greatest is `highest`."""
    greatest = scores.max()
    return scores * (highest / greatest) if greatest > 0 else scores


# Wins with probability one in silent classic Dark Hex.
#
# A player wins for sure if *one* policy wins against all placements of the hidden
# stones. (It is not enough that a player who sees a placement could win against
# it.) In the classic game every turn places one stone, so the view alone matters:
# it gives the number of hidden stones. A sure win in the silent game is one with
# noise, too, which only adds information.


class SureWins:
    """Decides which views of a player to move are sure wins; remembers its answers."""

    def __init__(self, rules: DarkRules, color: Color) -> None:
        """Take a classic game and the player who is to win.

        Raise ValueError for an abrupt game, in which the number of hidden
        stones is unknown.
        """
        if rules.base is not Base.CLASSIC:
            raise ValueError("sure wins are defined for the classic game")
        self._rules, self._color = rules, color
        self._cache: dict[tuple[Mask, Mask], bool] = {}

    def hidden(self, view: View) -> int:
        """Return how many stones of the opponent are hidden from the player to move."""
        stones = view.own.bit_count() + (self._color is Color.WHITE)
        return stones - view.known.bit_count()

    def wins(self, view: View) -> bool:
        """Return whether the player to move wins for sure."""
        key = view.own, view.known
        if key not in self._cache:
            self._cache[key] = any(
                self.is_winning(view, cell) for cell in self._rules.unknown(view)
            )
        return self._cache[key]

    def winning_cells(self, view: View) -> list[Cell]:
        """Return the cells whose attempt keeps a sure win."""
        return [cell for cell in self._rules.unknown(view) if self.is_winning(view, cell)]

    @property
    def color(self) -> Color:
        """The player who is to win."""
        return self._color

    def after(self, view: View, cell: Cell) -> tuple[View | None, View | None]:
        """Return the views after a collision at a cell, and after a stone placed there.

        A view is None if its outcome is impossible, or ends the game.
        """
        bit, hidden = 1 << cell, self.hidden(view)
        after_hit: View | None = View(view.own, view.known | bit)
        after_stone: View | None = View(view.own | bit, view.known)
        if not hidden or not self._possible(view, hidden, bit, stone=True):
            after_hit = None
        is_won = self._rules.connects(self._color, view.own | bit)
        if is_won or not self._possible(view, hidden, bit, stone=False):
            after_stone = None
        return after_hit, after_stone

    def is_winning(self, view: View, cell: Cell) -> bool:
        """Return whether attempting a cell wins for sure, whether it is empty or not."""
        bit, hidden = 1 << cell, self.hidden(view)
        if hidden and self._possible(view, hidden, bit, stone=True):
            after_hit = View(view.own, view.known | bit)
            if not self.wins(after_hit):
                return False
        if not self._possible(view, hidden, bit, stone=False):
            return True
        after = View(view.own | bit, view.known)
        if self._rules.connects(self._color, after.own):
            return True
        return self.distance(after) > hidden + 1 and self.wins(after)

    def distance(self, view: View) -> int:
        """Return the least number of unknown cells with which the opponent connects."""
        rules, opponent = self._rules, self._color.opponent
        open_cells = rules.full & ~view.own
        stones = view.known
        number = 0
        # Each step gives them the whole rim of what they reach.
        region = flood_from_edge(rules.board, opponent, stones)
        while not rules.connects(opponent, stones):
            rim = self._rim(region) & open_cells & ~stones
            if not rim:
                return rules.board.size + 1
            stones |= rim
            region = flood_from_edge(rules.board, opponent, stones)
            number += 1
        return number

    def _rim(self, region: Mask) -> Mask:
        board = self._rules.board
        edge = board.edges(self._color.opponent)[0]
        cells = {c for c in board.neighbors(edge) if not board.is_edge(c)}
        for cell in cells_in(region):
            cells |= {c for c in board.neighbors(cell) if not board.is_edge(c)}
        return sum(1 << cell for cell in cells)

    def _possible(self, view: View, hidden: int, bit: Mask, *, stone: bool) -> bool:
        """Return whether the hidden stones may include a cell, or exclude it if not `stone`.

        A placement that connects the opponent is impossible.
        """
        unknown = self._rules.full & ~view.own & ~view.known & ~bit
        more = hidden - stone
        if unknown.bit_count() < more:
            return False
        if self.distance(view) > hidden:
            return True
        stones = view.known | (bit if stone else 0)
        return any(
            not self._rules.connects(self._color.opponent, stones | sum(1 << c for c in cells))
            for cells in itertools.combinations(cells_in(unknown), more)
        )


# What a player may suppose about the board, from their own history only.

SHOWN = 5  # cells in a sentence
SENSIBLE_CELLS = 16  # the largest board on which the model `sensible` is followed, too


def describe_belief(rules: DarkRules, color: Color, history: History) -> tuple[Marks, list[str]]:
    """Return where hidden stones may be, in percent, and sentences for a player who is to move.

    They depend on the player's history only; the same history gives the same answer.
    """
    belief = likelihood(rules, color, history)
    hidden = {cell: share for cell, share in belief.hidden().items() if share > 0}
    name = color.opponent.title
    lines = [_certain(belief, history)]
    boards = quantity(len(belief.boards), "possible board")
    if not belief.is_exact:
        boards = f"{GUESSES} guesses (as good as {belief.evenness:.0f} alike)"
    if hidden:
        how = f"if {name} attempts any cell with the same chance, over {boards}"
        lines.append(f"Hidden stones, {how}: {_percents(rules, hidden)}.")
        lines += _thoughtful(rules, color, history)
    lines += _risks(belief)
    lines.append(_with_open_stones(belief))
    labels = {cell: f"{100 * share:.0f}" for cell, share in hidden.items()}
    return Marks(labels=labels, heat=hidden, heat_as="chance of a hidden stone"), lines


def _certain(belief: Likelihood, history: History) -> str:
    """Return what is certain: the numbers of stones, and what was heard."""
    rules, view, name = belief.rules, belief.view, belief.color.opponent.title
    past, _ = turns(rules, belief.color, history)
    hits = sum(symbol < 0 for symbol in history)
    least, most = belief.numbers()
    more = str(least) if least == most else f"{least} to {most}"
    sounds = ""
    if rules.noise is not Noise.SILENT:
        sounds = f", and has hit your stones {quantity(hits, 'time')}"
    return (
        f"Known: you have {quantity(view.own.bit_count(), 'stone')} and have found "
        f"{view.known.bit_count()} of {name}'s, who has had {quantity(len(past), 'turn')}{sounds}. "
        f"Hidden stones: {more}{'' if belief.is_exact else ', by guesses'}."
    )


def _thoughtful(rules: DarkRules, color: Color, history: History) -> list[str]:
    """Return the hidden stones under the model `sensible`; nothing on larger boards."""
    if rules.board.size > SENSIBLE_CELLS:
        return []
    belief = exact_likelihood(rules, color, history, sensible)
    if belief is None:
        return []
    name, likely = color.opponent.title, _percents(rules, belief.hidden())
    return [f"If {name} mostly attempts what decides in random fillings: {likely}."]


def _percents(rules: DarkRules, shares: dict[Cell, float]) -> str:
    """Return the likeliest cells with their shares in percent."""
    likely = sorted(shares, key=lambda cell: (-shares[cell], cell))[:SHOWN]
    return ", ".join(f"{rules.board.name(cell)} {100 * shares[cell]:.0f} %" for cell in likely)


def _risks(belief: Likelihood) -> list[str]:
    """Return the risks of the best attempts; nothing if the board is too large."""
    now = belief.chance()
    if now is None:
        return []
    rules = belief.rules
    cost = "you try again" if rules.base is Base.CLASSIC else "your turn is lost"
    news = {
        Noise.SILENT: "does not notice",
        Noise.NOISY: "learns of it",
        Noise.FLASH: "learns where",
    }[rules.noise]
    head = (
        f"By random fillings of such boards you win {100 * now:.0f} %. After a hit {cost}, and "
        f"{belief.color.opponent.title} {news}. Best attempts, and what they risk:"
    )
    return [head, *(f"  {_risk(rules, risk, now)}" for risk in belief.risks()[:SHOWN])]


def _risk(rules: DarkRules, risk: Risk, now: float) -> str:
    parts = []
    if risk.if_placed is not None:
        parts.append(f"placed {100 - 100 * risk.hit:.0f} %, then {_change(risk.if_placed, now)}")
    if risk.hit > 0:
        then = "" if risk.if_hit is None else f", then {_change(risk.if_hit, now)}"
        parts.append(f"a hit {100 * risk.hit:.0f} %{then}")
    return f"{rules.board.name(risk.cell)}: {'; '.join(parts)}"


def _change(then: float, now: float) -> str:
    return f"{100 * then:.0f} % ({100 * (then - now):+z.0f})"


def _with_open_stones(belief: Likelihood) -> str:
    """Return how often either side would be proved to win if nothing were hidden."""
    winners: dict[Color | None, float] = dict.fromkeys((*Color, None), 0.0)
    for position, weight in belief.sample:
        winners[ConnectionAnalysis(position).winner] += weight
    color, name = belief.color, belief.color.opponent.title
    shares = {who: f"{100 * share:.0f} %" for who, share in winners.items()}
    return (
        f"With open stones from here, you would be proved to win on {shares[color]} of these "
        f"boards, {name} on {shares[color.opponent]}."
    )
