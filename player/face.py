"""The functions that `import hsearch` offers besides values: analyze a position or a game.

Each function prepares what it needs, takes a seed if chance plays a part,
and returns a value that prints as a sentence.
"""

import time
from dataclasses import dataclass, replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TypeAlias

import numpy as np

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect import Connection
from hsearch.hex import Color, Game, Point, Position, Special
from hsearch.hex.face import Pictured, expect, guide
from hsearch.hex.game import position_of
from hsearch.hex.position import refuse_won
from hsearch.hex.tree import SEALED
from hsearch.render import svg
from hsearch.render.text import Marks
from hsearch.strategy.check import CheckError, check
from hsearch.strategy.explain import Explanation
from hsearch.strategy.explain import explain as explained
from player.answers import candidates
from player.answers.analysis import Analysis
from player.answers.connection import ask_between, statements
from player.answers.memory import MEMORY
from player.answers.shortest import find_shortest
from player.bidding.advice import BidAdvice, advise
from player.bidding.chips import Holding, check_total, due, is_begun
from player.engine.player import Choice, MoveRequest
from player.engine.spec import player as player_named
from player.evaluate import evaluators, exact
from player.search.chances import BestMoves
from player.solve.shortest import ShortestWin
from player.solve.solver import Answer
from player.solve.verify import Verified, verify_file
from player.study.examine import review_game as reviewed
from player.study.review import EFFORTS, Review
from player.variants import refuse_review, warn_of_other_turns
from player.variants.plain import awaits_swap

PositionOrGame: TypeAlias = Position | Game  # a game stands for its current position


@dataclass(frozen=True, slots=True)
class Bid(Pictured):
    """A bid for the next move, and the move. A notebook draws the board with the bid on its cell.

    position  where the bid is made
    holding   chips of the player to move
    total     chips of both players
    advice    the bid and its reasons: chances from 0 to 1, amounts in chips
    """

    position: Position
    holding: Holding
    total: int
    advice: BidAdvice

    @property
    def cell(self) -> str:
        """The name of the cell where a move is worth most."""
        return self.position.board.name(self.advice.cell)

    @property
    def amount(self) -> int:
        """The chips to bid."""
        return self.advice.bid

    def _display_module(self) -> str:
        return "player.face"

    def __str__(self) -> str:
        mover = self.position.turn.title
        has = f"{mover} has {self.holding} of {self.total} chips"
        return f"{has}: bid {self.amount} for {self.cell}; {self.advice.reason.value}."


def picture(value: Bid | Choice) -> str:
    """Return the board with a bid on its cell, or with the chosen move and its line numbered.

    Raise ValueError for a choice without a position.
    """
    if isinstance(value, Bid):
        labels = {value.advice.cell: str(value.amount)}
        return svg.write(value.position, Marks(labels=labels), title=str(value))
    if value.position is None:
        raise ValueError("a choice without its position is not drawn: `hsearch.play` gives both")
    line = () if isinstance(value.action, Special) else value.account.line or (value.action,)
    labels = {cell: str(place) for place, cell in enumerate(line, 1)}
    return svg.write(value.position, Marks(labels=labels), title=str(value))


@guide
def evaluate(
    value: PositionOrGame, with_: str | evaluators.EvaluatorFunction = "hexy"
) -> evaluators.Evaluation:
    """Return the evaluation of a position by an evaluator; by default `hexy`, the circuits.

    `with_` is its name, or a function of a position. Raise ValueError, listing the known
    names, when no evaluator has that name.

    >>> import hsearch
    >>> print(hsearch.evaluate(hsearch.Position.of(3, black="a1"), "shortest_path"))
    -1.00, an estimate that favors Black (Black 2, White 3).
    """
    if not callable(with_):
        expect("with_", with_, str, "the name of an evaluator, FILE.py:FUNCTION, or a function")
    return evaluators.evaluate(position_of(value), with_)


@guide
def explain(
    value: PositionOrGame | ConnectionAnalysis,
    color: Color | str | None = None,
    connection: Connection | None = None,
    *,
    between: tuple[Point | str, Point | str] | str | None = None,
) -> Explanation:
    """Explain why a connection holds, or the best one `between` two points, as `"c4 west"`.

    Without both it is the connection that proves who wins, or joins the edges of `color`. If no
    rule derives one, the solver looks for it, for 2 seconds of a free core, as in
    `hsearch explain`. A color may be given by its word. Raise ValueError when there is no such
    connection, with what the two points lack, and when a connection is given without a color.

    >>> import hsearch
    >>> print(hsearch.explain(hsearch.Position.of(3, black="b2", turn="white")))
    Black joins north and south, even if White moves first, inside 4 empty cells.
    It falls into 2 parts that share no cell; Black answers in the part that White plays in:
       part 1: north-b2 bridge b1 c1
       part 2: b2-south bridge a3 b3
    """
    view = value if isinstance(value, ConnectionAnalysis) else Analysis(_position(value))
    analysis = Analysis.of(view)
    color = None if color is None else Color.of(color)
    if between is not None:
        if connection is not None:
            raise ValueError("give a connection or between=, not both")
        return _between(analysis, color, _pair(between))
    if connection is None:
        return _winning(analysis, color)
    if color is None:
        raise ValueError("whose connection is it? give color=")
    expect("connection", connection, Connection, "a connection, as Analysis(game).stores have")
    try:
        check(analysis.position, color, connection)
    except CheckError as error:
        raise ValueError(f"not a connection of {color.word} here: {error}") from error
    return explained(analysis.position, color, connection)


def _winning(analysis: Analysis, color: Color | None) -> Explanation:
    """Explain how the proved winner's edges are joined, or those of a color.

    Raise ValueError when no connection joins them.
    """
    won_by = None if analysis.standing is None else analysis.standing.winner
    owner = won_by if color is None else color
    if owner is None:
        raise ValueError("nothing to explain: who wins is not proved")
    connection = analysis.edge_connection(owner)
    if connection is None and owner is not won_by:
        return _between(analysis, owner, analysis.position.board.edges(owner))
    if owner is won_by and analysis.chain is None and not _proves(analysis, connection):
        first, second = edges = analysis.position.board.edges(owner)
        captain = analysis.stores[owner].captain
        captains = captain(first), captain(second)
        answer = analysis.memory.join(analysis.position, owner, edges, captains=captains)
        join_proof = answer.connection
        weaker = None if color is None else connection  # which does not prove who wins
        connection = join_proof if _proves(analysis, join_proof) else weaker
    if connection is None or analysis.chain is owner:
        how = "a proof of moves, and no connection was derived from it"
        if analysis.chain is owner:
            how = "stones"
        raise ValueError(f"nothing to explain: {owner.word}'s edges are joined by {how}")
    return explained(analysis.position, owner, connection)


def _pair(names: tuple[Point | str, Point | str] | str) -> tuple[Point | str, Point | str]:
    """Return two points, which may be given as one text. Raise ValueError unless they are two."""
    expect("between", names, (str, tuple, list), "two points, such as 'c4 west'")
    points = names.split() if isinstance(names, str) else names
    if len(points) != 2:
        raise ValueError(f"between= takes two points, such as 'c4 west', not {repr(names)[:80]}")
    first, second = points
    return first, second


def _between(
    analysis: Analysis, color: Color | None, names: tuple[Point | str, Point | str]
) -> Explanation:
    """Explain the best connection of two points. Raise ValueError with what they lack."""
    question = ask_between(analysis, names, color)
    why = question.why()
    if why is None:
        raise ValueError(" ".join(statements(question, why, question.lack())))
    return why


def _proves(analysis: Analysis, connection: Connection | None) -> bool:
    """Return whether a connection of the proved winner proves the win, with this turn."""
    won_by = None if analysis.standing is None else analysis.standing.winner
    return connection is not None and (connection.is_full or analysis.position.turn is won_by)


@guide
def best_moves(
    value: PositionOrGame | ConnectionAnalysis, seconds: float | None = 1.0, *, seed: int = 0
) -> BestMoves:
    """Return the moves to play, with their lines: proved ones first, else by a search.

    The search takes this many `seconds`. With None it takes 1,000 simulations, which
    gives the same result on every machine; with 0 there is no search. Its proofs are
    stored in this process. Raise ValueError for a record without a position, as `solve` does.

    >>> import hsearch
    >>> print(hsearch.best_moves(hsearch.Game(hsearch.Board(3, 3)), seconds=0).winner)
    black
    """
    view = value if isinstance(value, ConnectionAnalysis) else Analysis(value)
    return candidates.best_moves(Analysis.of(view), seconds, seed=seed)


@guide
def play(
    value: PositionOrGame,
    *,
    seconds: float | None = None,
    player: str = "hexy",
    swap: bool = False,
    seed: int = 0,
) -> Choice:
    """Return the move that a player chooses, and why; `player` is as for `hsearch play`.

    A swap is possible if the record of a game allows it, or with `swap`. Raise ValueError when
    the game is over, SpecError when there is no such player, and PlayerError when it fails.

    >>> import hsearch
    >>> print(hsearch.play(hsearch.Position.of(3)))
    Opens in the center, b2.
    """
    expect("player", player, str, 'a text such as "hexy:level=3" or "tree"')
    position = _open(_position(value))
    game = Game.of_position(value) if isinstance(value, Position) else value.cut()
    mover = player_named(player)
    try:
        mover.prepare(position.board)
        terms = MoveRequest(seconds, swap or _awaits_swap(value))
        choice = mover.choose(game, terms, np.random.default_rng(seed))
        if choice.account.winner is not None and not isinstance(choice.action, Special):
            MEMORY.keep_win(position, choice.account.winner, choice.action)
        return replace(choice, position=position)
    finally:
        mover.close()


@guide
def solve(value: PositionOrGame, *, every: bool = False, seconds: float | None = None) -> Answer:
    """Return who wins, and one winning move or `every` one; `seconds` limits the search.

    The answer is for the position. If the record of a game leaves a swap open, it holds if
    nobody swaps, and says so. If the time runs out, its `winner` is None. Raise ValueError for
    a record without a position: with an illegal or hidden move, or an unknown player to move.

    >>> import hsearch
    >>> print(hsearch.solve(hsearch.Position.of(3), every=True))
    Black wins with c1 a2 b2 c2 a3, and with no other move.
    """
    position = _position(value)
    answer, _ = MEMORY.solve(position, every=every, seconds=seconds)
    return replace(answer, before_swap=_awaits_swap(value))


@guide
def shortest_win(
    value: PositionOrGame, *, every: bool = False, seconds: float | None = None
) -> ShortestWin:
    """Return the win with the fewest stones, with one first move or every one, and its line.

    Without `seconds` there is no limit. Raise ValueError for boards of more than 62 cells.

    >>> import hsearch
    >>> print(hsearch.shortest_win(hsearch.Position.of(3)))
    Black wins with 3 stones and no fewer, in 5 moves of both: b2.
    Against the longest defense: b2 b1 c1 a3 b3
    """
    position = _position(value)
    swap = _awaits_swap(value)
    return find_shortest(position, every=every, seconds=seconds, before_swap=swap)


@guide
def verify(path: str | PathLike[str]) -> Verified:
    """Return what the proof in a file proves; each of its steps is derived again.

    `hsearch solve --proof` writes such files, which may be compressed as .xz. Raise ProofError,
    which names the first line that does not hold, and OSError if the file cannot be read.

    >>> import hsearch
    >>> from hsearch.formats import find_shipped
    >>> proof = hsearch.verify(find_shipped("proofs/7x7/a1.proof.xz"))
    >>> proof.winner.word, proof.positions, proof.position == hsearch.read("a1", size=7).position()
    ('white', 193, True)
    """
    return verify_file(Path(path))


@guide
def bid(
    value: PositionOrGame,
    chips: int | str | Holding | None = None,
    *,
    color: Color | str | None = None,
    total: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> Bid:
    """Return the bid of a player with this many of all chips, and the move.

    Both players bid, so `color`, which may be a word, says who; by default, the player
    to move by ordinary turns. In a record of chips or bids nobody is to move. A number
    of chips excludes the tie-break chip; "100*" includes it. A missing number is that of
    the record; without a record both have 100, Black with the tie-break chip. All
    fillings are counted if possible; else random ones are drawn, for `seconds` if given.
    Raise ValueError when the game is over, the chips are impossible, or nobody is to move.

    >>> import hsearch
    >>> bid = hsearch.bid(hsearch.Position.of(3), 50, total=100)
    >>> bid.amount, bid.cell
    (16, 'b2')
    """
    position = _open(position_of(value))
    game = value if isinstance(value, Game) else Game(position.board)
    if color is not None:
        position = replace(position, turn=Color.of(color))
    elif is_begun(game):
        raise ValueError("both players are to bid: whose bid is it? give color=")
    record = due(game)
    if total is None:
        total = record.total
    expect("total", total, Integral, "a number of chips, of both players together")
    if chips is None:
        chips = record[position.turn]
    if isinstance(chips, str):
        chips = Holding.read(chips)
    if not isinstance(chips, Holding):
        expect("chips", chips, Integral, 'a number of chips, or "100*"')
    holding = chips if isinstance(chips, Holding) else Holding(chips)
    if holding.chips > total:
        raise ValueError(f"{holding.chips} of {total} chips")
    check_total(total)
    start = time.monotonic()
    odds = exact.count_or_draw(
        position,
        np.random.default_rng(seed),
        is_enough=None if seconds is None else lambda: time.monotonic() - start >= seconds,
    )
    return Bid(position, holding, total, advise(odds, position.turn, holding, total=total))


@guide
def review(game: Game, effort: str = "normal") -> Review:
    """Return the review of a game: `quick`, `normal` or `deep`.

    Raise ValueError when there is no such effort, or the record cannot be replayed or is of
    another variant, with bids, coins or hidden stones.

    >>> import hsearch
    >>> review = hsearch.review(hsearch.Game.of(3, "b2 a3 c1"), "quick")
    >>> [move.verdict.value for move in review.moves]
    ['keeps the win', 'lost already', 'proved loss']
    """
    if not isinstance(effort, str) or effort not in EFFORTS:
        raise ValueError(f"unknown effort {effort!r} (known: {', '.join(EFFORTS)})")
    if not isinstance(game, Game):
        position_of(game)  # a TypeError that says what to do
        raise TypeError("a position has no moves to review: hsearch.review takes a Game")
    if game.is_sealed:
        raise ValueError(f"no moves to review: {SEALED}")
    refuse_review(game)
    return reviewed(game, EFFORTS[effort], memory=MEMORY, tries=True)


def _awaits_swap(value: PositionOrGame) -> bool:
    return isinstance(value, Game) and awaits_swap(value)


def _position(value: PositionOrGame) -> Position:
    """Return the position, for an answer by ordinary turns; warn of a game with others."""
    position = position_of(value)
    if isinstance(value, Game):
        warn_of_other_turns(value)
    return position


def _open(position: Position) -> Position:
    """Return the position; raise ValueError if its game is over."""
    refuse_won(position)
    return position
