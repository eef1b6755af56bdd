"""Board as a player of Dark Hex may suppose it, without a look at the truth."""

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.hex.board import Cell, Color
from hsearch.render.text import Marks
from player.dark.belief import GUESSES, Likelihood, Risk, likelihood, sensible, turns
from player.dark.rules import Base, DarkRules, History, Noise
from player.work.numbers import numbered

SHOWN = 5  # cells named
SENSIBLE_CELLS = 16  # of a board on which an opponent who thinks is followed, too


def supposed(rules: DarkRules, color: Color, history: History) -> tuple[Marks, list[str]]:
    """Return where hidden stones may be, in percent, and sentences for a player who is to move.

    They rest on the player's history, and on nothing else; the same history
    gives the same answer.
    """
    belief = likelihood(rules, color, history)
    if belief is None:
        raise ValueError("an opponent who attempts any cell can always be followed")
    hidden = {cell: share for cell, share in belief.hidden().items() if share > 0}
    name = color.opponent.title
    lines = [_known(belief, history)]
    boards = numbered(len(belief.boards), "possible board")
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


def _known(belief: Likelihood, history: History) -> str:
    """Return what is certain: whose stones lie there, and what was heard."""
    rules, seen, name = belief.rules, belief.seen, belief.color.opponent.title
    past, _ = turns(rules, belief.color, history)
    heard = sum(symbol < 0 for symbol in history)
    least, most = belief.numbers()
    more = str(least) if least == most else f"{least} to {most}"
    told = ""
    if rules.noise is not Noise.SILENT:
        told = f", and has hit your stones {numbered(heard, 'time')}"
    return (
        f"Known: you have {numbered(seen.own.bit_count(), 'stone')} and have found "
        f"{seen.known.bit_count()} of {name}'s, who has had {numbered(len(past), 'turn')}{told}. "
        f"Hidden stones: {more}{'' if belief.is_exact else ', by guesses'}."
    )


def _thoughtful(rules: DarkRules, color: Color, history: History) -> list[str]:
    """Return the same if the opponent mostly attempts what decides, on a small board."""
    if rules.board.size > SENSIBLE_CELLS:
        return []
    belief = likelihood(rules, color, history, sensible)
    if belief is None:
        return []
    name, likely = color.opponent.title, _percents(rules, belief.hidden())
    return [f"If {name} mostly attempts what decides in random fillings: {likely}."]


def _percents(rules: DarkRules, shares: dict[Cell, float]) -> str:
    """Return the likeliest cells."""
    likely = sorted(shares, key=lambda cell: (-shares[cell], cell))[:SHOWN]
    return ", ".join(f"{rules.board.name(cell)} {100 * shares[cell]:.0f} %" for cell in likely)


def _risks(belief: Likelihood) -> list[str]:
    """Return what the best attempts risk."""
    now = belief.chance()
    if now is None:
        return []
    rules = belief.rules
    cost = "you try again" if rules.base is Base.CLASSIC else "your turn is lost"
    news = {
        Noise.SILENT: "is told nothing",
        Noise.NOISY: "hears of it",
        Noise.FLASH: "is told where",
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
    """Return who would be proved to win if nothing were hidden."""
    winners: dict[Color | None, float] = dict.fromkeys((*Color, None), 0.0)
    for position, weight in belief.looked_at:
        winners[ConnectionAnalysis(position).winner] += weight
    color, name = belief.color, belief.color.opponent.title
    shares = {who: f"{100 * share:.0f} %" for who, share in winners.items()}
    return (
        f"With open stones from here, you would be proved to win on {shares[color]} of these "
        f"boards, {name} on {shares[color.opponent]}."
    )
