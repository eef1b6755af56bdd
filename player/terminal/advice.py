"""Answers to `hint` and `why` during a game, from what the asking side may know."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from hsearch.hex import Board, Cell, Color, Game, GameNode, Position, Special
from hsearch.render.text import Marks
from player.answers import moves as answers
from player.answers.analysis import SEARCH_SECONDS, Analysis
from player.answers.bid import BidAnswer, bid_lines, board_marks, chances, on_the_board
from player.answers.memory import MEMORY
from player.answers.position import PositionAnswer
from player.bidding import chips as chip_record
from player.bidding.advice import BidAdvice
from player.dark.outlook import describe_belief
from player.engine.bidder import BiddingPlayer, bid_reason
from player.engine.classic import FillingsPlayer
from player.engine.dark import GuessingPlayer
from player.engine.player import Choice, MoveRequest, Rationale
from player.evaluate.fillings import FillingMethod, Odds
from player.search.chances import of_tree
from player.variants.base import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    RANDOM_TURN,
    GameState,
)
from player.variants.bidding import UNSEALED, BiddingState, BiddingView
from player.variants.dark import DarkView
from player.variants.plain import awaits_swap


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """An act that is advised.

    sentence  the act and its reason
    cell      where to place a stone; None if none is placed
    """

    sentence: str
    cell: Cell | None

    @classmethod
    def of(cls, choice: Choice, board: Board) -> "AdvisedMove":
        """Return the stone that a player would place, with the player's reason."""
        cell = choice.account.line[0]
        return cls(f"Hint: {board.name(cell)}. {choice.account.reason}", cell)


View_contra = TypeVar("View_contra", contravariant=True)


class Adviser(Protocol[View_contra]):
    """Answers `hint` and `why` in a variant; `view` is the result of `Variant.view`.

    `meanings` is the help of commands that mean something else than in ordinary games.
    """

    meanings: ClassVar[Mapping[str, str]]

    def remember(self, state: GameState, color: Color, account: Rationale | None) -> None:
        """Store why a side acted, which led to a state; the account of a person is None."""
        ...

    def hint(
        self, view: View_contra, terms: MoveRequest, generator: np.random.Generator
    ) -> AdvisedMove:
        """Return an act for the asking side, and why."""
        ...

    def why(self, view: View_contra) -> tuple[Marks, list[str]]:
        """Return marks on a board, and sentences on the position."""
        ...


class PlainAdvice:
    """Advises by the analysis and the search; remembers why engines moved."""

    meanings: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        """Remember nothing yet; ask no player of the game, as a weak one would give weak hints."""
        self._accounts: dict[Position, Rationale] = {}  # of the move that led to the position
        self._hints: dict[Position, answers.Hint] = {}

    def remember(self, state: GameState, _color: Color, account: Rationale | None) -> None:
        """Store why the last move of a game was made."""
        if account is None or state.is_given_up:
            return
        position = state.game.position()
        self._accounts[position] = account
        if account.winner is not None and state.game.moves[-1].cell is not None:
            MEMORY.keep_win(position, account.winner, None)

    def hint(
        self, view: GameState, terms: MoveRequest, _generator: np.random.Generator
    ) -> AdvisedMove:
        """Return a move and why; without seconds, search a fixed number of simulations."""
        game = view.game
        hint = answers.hint(game, Analysis(game), swap=terms.swap, seconds=terms.seconds)
        self._hints[game.position()] = hint
        cell = None if isinstance(hint.act, Special) else hint.act
        return AdvisedMove(answers.sentence(game, hint), cell)

    def why(
        self, view: GameState, search: float | None = SEARCH_SECONDS
    ) -> tuple[Marks, list[str]]:
        """Return marks on a board, and sentences on the position."""
        game, position = view.game, view.game.position()
        analysis = Analysis(position, search=search, before_swap=awaits_swap(game))
        account, hint = self._accounts.get(position), self._hints.get(position)
        best = None if hint is None else hint.best
        is_open = analysis.winner is None
        if is_open:
            # The tree of the hint begins here, that of the last move one move before.
            trees = () if account is None or account.tree is None else (of_tree(account.tree),)
            chances = (None if best is None else best.chance, *trees)
            analysis.searched = next(filter(None, chances), None)
        answer = PositionAnswer.of(analysis)
        said = [*answer.brief(), *_of_engines(game, account, hint if is_open else None)]
        return answer.marks(game.last_cell()), said


def _of_engines(game: Game, account: Rationale | None, hint: answers.Hint | None) -> Iterator[str]:
    """Yield what the hint and the engine that moved last have said."""
    if hint is not None:
        yield f"The hint: {hint.why}"  # no estimate beside a proof
    if account is not None:
        yield from _of_last_move(account, game.board)


def _of_last_move(account: Rationale, board: Board) -> Iterator[str]:
    """Yield why the last move was made, and what else was searched."""
    yield f"The last move: {account.reason}"
    if len(account.line) > 1:
        yield f"The line it expects: {board.text(account.line)}."
    if account.tree is not None and account.tree.candidates:
        yield answers.describe_findings(account.tree)


class RandomTurnAdvice:
    """Advises by the chances in fillings; remembers why engines moved."""

    meanings: ClassVar[Mapping[str, str]] = {
        "hint": "the best move at random turns",
        "why": "the chance to win, and how critical each cell is",
    }

    def __init__(self) -> None:
        """Ask a player of its own, not those of the game."""
        self._player = FillingsPlayer(FillingMethod.CRITICAL, name="hint")
        self._accounts: dict[Position, Rationale] = {}

    def remember(self, state: GameState, color: Color, account: Rationale | None) -> None:
        """Store why the last move of a game was made."""
        if account is not None:
            self._accounts[_stones(state, color)] = account

    def hint(
        self, view: GameState, terms: MoveRequest, generator: np.random.Generator
    ) -> AdvisedMove:
        """Return the best move, and why."""
        return AdvisedMove.of(self._player.choose(view.game, terms, generator), view.game.board)

    def why(self, view: GameState) -> tuple[Marks, list[str]]:
        """Return how critical each cell is, the chances, and why the last move was made."""
        odds = self._player.untimed_odds(view.position, np.random.default_rng(0))
        best = view.game.board.text(odds.best())
        lines = [
            on_the_board(view.game.board),
            chances(odds),
            f"Best, for both players: {best}.",
        ]
        if view.last is not None:
            account = self._accounts.get(_stones(view, view.last.color))
            lines += [] if account is None else [f"The last move: {account.reason}"]
        return board_marks(odds, view.game.last_cell()), lines


def _stones(state: GameState, mover: Color) -> Position:
    """Return the position after a move, which does not depend on the next coin."""
    return replace(state.position, turn=mover)


class BiddingAdvice:
    """Advises as the player `bidding` would play; remembers why the engines bid."""

    meanings: ClassVar[Mapping[str, str]] = {
        "undo": "take back a sealed bid; else the last move and its bids",
        "hint": "what to bid, and where to play",
        "why": "chances, what you need, the best bids, what depends on them",
    }

    def __init__(self) -> None:
        """Ask players of its own, not those of the game."""
        self._filler = FillingsPlayer(FillingMethod.CRITICAL, name="hint")
        self._bidder = BiddingPlayer(name="hint")
        self._pending: dict[Color, Rationale] = {}  # of bids that are not open yet
        self._accounts: dict[tuple[GameNode, ...], dict[Color, Rationale]] = {}

    def remember(self, state: GameState, color: Color, account: Rationale | None) -> None:
        """Store why engines made the last bids of a game."""
        if account is not None:
            self._pending[color] = account
        if isinstance(state, BiddingState) and state.bids == UNSEALED and self._pending:
            self._accounts[chip_record.nodes_to_last_bids(state.game)] = self._pending
            self._pending = {}

    def hint(
        self, view: BiddingView, terms: MoveRequest, generator: np.random.Generator
    ) -> AdvisedMove:
        """Return a bid, a move, or the answer to equal bids, for the asking side."""
        game = _for(view)
        odds = self._filler.odds(game.position(), terms, generator)
        advice = self._bidder.advise(odds, game)
        name = game.board.name(advice.cell)
        if view.tie is not None:
            return AdvisedMove(f"Hint: {self._about_tie(odds, game, name, view.tie)}.", None)
        bid = "" if chip_record.mover(game) is not None else f"{advice.bid} for "
        return AdvisedMove(f"Hint: {bid}{name}. {bid_reason(odds, advice)}", advice.cell)

    def why(self, view: BiddingView) -> tuple[Marks, list[str]]:
        """Return how critical each cell is, and sentences for the asking side."""
        game = _for(view)
        odds = self._filler.untimed_odds(game.position(), np.random.default_rng(0))
        advice = self._bidder.advise(odds, game)
        sentences = self._sentences(game, odds, advice, view.tie)
        return board_marks(odds, game.last_cell()), list(sentences)

    def _sentences(
        self, game: Game, odds: Odds, advice: BidAdvice, tie: int | None
    ) -> Iterator[str]:
        position = odds.position
        name = position.board.name(advice.cell)
        yield on_the_board(position.board)
        yield chances(odds)
        if tie is not None:
            yield f"Both have bid {tie}. Best: {self._about_tie(odds, game, name, tie)}."
        elif chip_record.mover(game) is None:
            yield from bid_lines(BidAnswer(odds, chip_record.chips(game), {position.turn: advice}))
        else:
            yield f"{position.turn.title} has won the bids and is to move: {name} is best."
        for color, account in self._accounts.get(chip_record.nodes_to_last_bids(game), {}).items():
            yield f"The last bid of {color.title}: {account.reason}"

    def _about_tie(self, odds: Odds, game: Game, name: str, bid: int) -> str:
        """Return how the holder of the tie-break chip should answer equal bids."""
        if self._bidder.takes_tie(odds, game, bid):
            return f"yes, hand over the tie-break chip, pay {bid} and play {name}"
        return f"no, keep the tie-break chip: the other player pays {bid} and moves"


def _for(view: BiddingView) -> Game:
    """Return the record with the asking side to move, unless bids are open."""
    is_open = chip_record.mover(view.game) is not None
    return view.game if is_open else view.game.append_node(GameNode(turn=view.color))


class DarkAdvice:
    """Advises the player to move by what that player knows, as the player `belief` would."""

    meanings: ClassVar[Mapping[str, str]] = {
        "hint": "a cell that the player `belief` would attempt",
        "why": "what is known, how likely a stone is hidden where, and what attempts risk",
        "board": "show your board again, and all that you know",
        "save": "FILE  save the game; hidden stones are encoded, not encrypted",
        "quit": "leave; the game is saved, sealed",
    }

    def __init__(self) -> None:
        """Ask a player of its own, not those of the game."""
        self._player = GuessingPlayer(name="hint")

    def remember(self, _state: GameState, _color: Color, _account: Rationale | None) -> None:
        """Store nothing: the other player must not learn why an engine attempted a cell."""

    def hint(
        self, view: DarkView, _terms: MoveRequest, generator: np.random.Generator
    ) -> AdvisedMove:
        """Return a cell to attempt, and why."""
        self._player.study(view.rules)
        choice = self._player.attempt(view.color, view.history, generator)
        return AdvisedMove.of(choice, view.rules.board)

    def why(self, view: DarkView) -> tuple[Marks, list[str]]:
        """Return what is known, where stones may be hidden, and what attempts risk."""
        return describe_belief(view.rules, view.color, view.history)


# By the name of the variant, which decides what a side has seen.
ADVISERS: dict[str, Callable[[], Adviser[Any]]] = {
    ALTERNATING: PlainAdvice,
    RANDOM_TURN: RandomTurnAdvice,
    BIDDING: BiddingAdvice,
    DARK_CLASSIC: DarkAdvice,
    DARK_ABRUPT: DarkAdvice,
}
