"""The review of a game: verdicts on moves, the effort, and its text and JSON."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hsearch.connect import DEFAULT_LIMITS, NO_DEPTH, Depth, Limits
from hsearch.hex import Board, Cell, CellSet, Color, Game, Move, Outcome, Position, Special
from hsearch.hex.face import Pictured
from hsearch.render.text import quantity
from hsearch.version import __version__
from player.answers.analysis import SEARCH_SECONDS
from player.answers.memory import ByConnection, BySolver, Proved, Source
from player.answers.moves import best_move_object
from player.answers.objects import number, word
from player.evaluate.chance import per_cent
from player.search.chances import BY, SURE, BestMove, Chance
from player.variants.plain import ends_before_swap

# Verdicts on moves, and what counts as a mistake.
#
# A mistake is proved: the player had a proved win, and the move led to a proved loss, was a
# resignation or a swap, or was not the swap that wins. If a win was proved before a move and is
# not proved after it, the player may still win, so that is not a mistake. A fall of an estimate
# is shown as a number and is never called a mistake.


class Verdict(enum.Enum):
    """The verdict on a move, as it is printed."""

    PROVED_LOSS = "proved loss"
    WIN_GIVEN_UP = "missed proved win"  # by a resignation, by a swap, or for want of one
    UNPROVED = "win no longer proved"  # after the move; before it there was a proof
    ONLY_MOVE = "only move"
    FORCED = "forced"
    ESTIMATE_FELL = "estimate fell"
    WINS = "keeps the win"
    LOST = "lost already"
    OPEN = "open"
    NONE = "not judged"

    @property
    def is_notable(self) -> bool:
        """Whether the move is worth a line in a short table."""
        return self in _NOTABLE


_NOTABLE = {
    Verdict.PROVED_LOSS,
    Verdict.WIN_GIVEN_UP,
    Verdict.UNPROVED,
    Verdict.ONLY_MOVE,
    Verdict.ESTIMATE_FELL,
}

_BAD = _NOTABLE - {Verdict.ONLY_MOVE}


# Effort: counted in positions, so the result is the same on every machine.


@dataclass(frozen=True, slots=True)
class Effort:
    """What a review may spend on a game.

    name      of `--effort`
    limits    of H-search, which examines every position
    depth     of must-play deduction, for positions that H-search leaves open
    nodes     the solver's positions for one position of the game; 0 means no solver
    total     the solver's positions for the game: up to half of them for all of its positions,
              from the end backward, the rest for the position before the turning point
    patience  the solver gives up after leaving this many positions in a row open
    further   the solver's positions for the game to find other winning moves
    seconds   most time for a game; None for results that depend on no clock
    search    seconds of a free core that every host gives the solver for a position
    """

    name: str
    limits: Limits = DEFAULT_LIMITS
    depth: Depth = NO_DEPTH
    nodes: int = 0
    total: int = 0
    patience: int = 0
    further: int = 0
    seconds: float | None = None
    search: float = SEARCH_SECONDS

    @property
    def words(self) -> str:
        """The effort in one line."""
        parts = [f"H-search with M={self.limits.M}, K={self.limits.K}"]
        if self.search:
            parts.append(f"the solver with {self.search:g} s a position")
        if self.depth.replies:
            parts.append("must-play deduction")
        if self.seconds is not None:
            parts.append(f"the solver as far as {self.seconds:g} seconds a game go")
        elif self.nodes:
            parts.append(f"the solver up to {self.nodes} positions a move")
            parts.append(f"the rest of {self.total} at the turning point")
        return f"{self.name}: {', '.join(parts)}"


EFFORTS = {
    "quick": Effort("quick"),
    "normal": Effort("normal", depth=Depth(1, 60), nodes=600, total=6000, patience=4),
    "deep": Effort("deep", depth=Depth(1), nodes=3000, total=24_000, patience=6, further=6000),
}


# The review: a state for each position of the main line, a verdict for each move.


@dataclass(frozen=True, slots=True)
class ReviewedPosition:
    """Results for a position of the game.

    moves       number of moves before it
    evaluation  E: below 0 is good for Black
    odds        the chances of both players, and where they come from
    proof       the winner and the proof; None while that is open
    mustplay    the must-play region of the player to move
    is_forced   whether it is smaller than the set of empty cells
    losing      moves that are proved to lose, including those the solver proved
    winning     moves that are proved to win
    links       up to three weakest links, weakest first
    """

    moves: int
    position: Position
    evaluation: float
    odds: Chance
    proof: Proved | None
    mustplay: CellSet
    is_forced: bool
    losing: CellSet
    winning: CellSet
    links: tuple[Cell, ...] = ()

    @property
    def winner(self) -> Color | None:
        """The proved winner; None while that is open."""
        return None if self.proof is None else self.proof.winner

    def win_of(self, color: Color) -> Proved | None:
        """Return the proof that a player wins; None if there is none."""
        return self.proof if self.winner is color else None

    def leads_to(self, after: "ReviewedPosition", move: Move) -> bool:
        """Return whether a move places its stone, and nothing else changes but the turn."""
        before = replace(self.position, turn=move.color)
        if move.cell is None or not before.is_legal(move.cell):
            return False
        return before.play(move.cell) == replace(after.position, turn=move.color.opponent)

    @property
    def chance(self) -> float:
        """The chance of the player to move: 0 or 1 if the winner is known, else an estimate."""
        return self.odds.of(self.position.turn)


@dataclass(frozen=True, slots=True)
class MoveReview:
    """Review of a move.

    number      from 1
    verdict     on the move
    basis       the reason for the verdict, in one sentence
    fell        by how much the mover's chance fell; below 0 if it rose; 1 for a missed swap that
                wins, which the chances, those if nobody swaps, leave out
    is_mistake  whether a proved win became a proved loss, was resigned or swapped away, or was
                there for a swap
    refutation  the opponent's win after a proved loss: their move first
    better      the mover's proved win that was not played, a line or a swap
    best_try    if no better move is proved, the best other move by a search, which proves nothing;
                None if there is none, or no search was wanted
    """

    number: int
    move: Move
    verdict: Verdict
    basis: str
    fell: float = 0.0
    is_mistake: bool = False
    refutation: tuple[Cell, ...] = ()
    better: tuple[Cell | Special, ...] = ()
    best_try: BestMove | None = None

    @property
    def lacks_better(self) -> bool:
        """Whether the move is marked as bad, and no better one is proved."""
        return self.verdict in _BAD and not self.better

    @property
    def rests_on_proof(self) -> bool:
        """Whether the verdict refers to a proof, before the move or after it."""
        return self.verdict not in {Verdict.ESTIMATE_FELL, Verdict.OPEN, Verdict.NONE}

    @property
    def word(self) -> str:
        """The verdict as it is printed, for an estimate with its fall in percentage points."""
        if self.verdict is Verdict.ESTIMATE_FELL:
            return f"estimate fell by {100 * self.fell:.0f} points"
        return str(self.verdict.value)


@dataclass(frozen=True)
class Review(Pictured):
    """A reviewed game.

    game    the game
    effort  of the review
    states  the position before the first move, and the one after each move
    moves   the reviews of the moves
    nodes   positions of the solver
    proofs  if requested, for each proved loss that rests on the solver: the number of the move,
            and the written proof of the position after it
    """

    game: Game
    effort: Effort
    states: tuple[ReviewedPosition, ...]
    moves: tuple[MoveReview, ...]
    nodes: int = 0
    proofs: tuple[tuple[int, str], ...] = ()

    def _display_module(self) -> str:
        return "player.study.review_page"

    def __repr__(self) -> str:
        return f"<Review of {self.game!r}, effort {self.effort.name}>"

    @cached_property
    def winner(self) -> Color | None:
        """The proved winner at the end of play; None if that is open."""
        return self.states[self.game.played].winner

    @cached_property
    def turning_point(self) -> int | None:
        """The least number of moves after which the winner is proved at every later position.

        None if the end is open. A resignation, a forfeit and passes at the end decide nothing.
        """
        if self.winner is None:
            return None
        number = self.game.played
        while number and self.states[number - 1].winner is self.winner:
            move, before, after = self.moves[number - 1].move, *self.states[number - 1 : number + 1]
            if move.special is not Special.PASS and not before.leads_to(after, move):
                break  # a swap, or stones set up: the position before it belongs to another game
            number -= 1
        return number

    @cached_property
    def condition(self) -> str:
        """The condition of all proofs where play ended before a swap; else empty."""
        return "if nobody swaps" if ends_before_swap(self.game) else ""

    @cached_property
    def last_mistake(self) -> MoveReview | None:
        """The last move that is a mistake, or None."""
        mistakes = [move for move in self.moves if move.is_mistake]
        return mistakes[-1] if mistakes else None

    @property
    def notable(self) -> list[MoveReview]:
        """The moves that deserve a line in a short table."""
        return [move for move in self.moves if move.verdict.is_notable]

    def evidence(self, number: int) -> tuple[Position, Proved] | None:
        """Return the position that has the proof of position `number`, and that proof."""
        proof = self.states[number].proof
        if proof is None:
            return None
        moves, source = proof.trace()
        return self.states[number + moves].position, source


# The review in words: the heading, the summary, a line a move.

SHOWN = 6  # moves of the line of a best try
_SPARKS = "▁▂▃▄▅▆▇█"
_ASCII_SPARKS = "_.:-=+*#"


def heading(review: Review) -> str:
    """Return the players, the size and the length of the game."""
    game = review.game
    names = " - ".join(name for name in game.players if name)
    size = str(game.board)
    return ", ".join(part for part in (names, size, quantity(game.played, "move")) if part)


def summary(review: Review) -> Iterator[str]:
    """Yield the sentences that answer the first questions of a reader."""
    yield from _sides(review.game)
    yield _end(review)
    yield _turn(review)
    mistake = review.last_mistake
    if mistake is not None:
        yield f"Last proved mistake: {move_label(review, mistake)}: {mistake.basis}."
    elif review.turning_point:
        yield _no_mistake(review, review.turning_point)
        if any(move.verdict is Verdict.PROVED_LOSS for move in review.moves):
            yield (
                "A move called a proved loss leaves a position that the opponent is proved to win; "
                "whether there was a better one is not known."
            )
    yield f"Effort {review.effort.words}."


def move_label(review: Review, move: MoveReview) -> str:
    """Return a move as `50 g9 (White)`; after a swap of sides, with the player's name."""
    who = _player_name(review.game, move.move.color, move.number - 1)
    return f"{move.number} {move.move.name(review.game.board)} ({who})"


def line_of_play(board: Board, line: Sequence[Cell | Special]) -> str:
    """Return a line of play, such as `f2, then f3 d4`; the first move matters most."""
    first, *rest = _names(board, line)
    return f"{first}, then {' '.join(rest)}" if rest else first


def _names(board: Board, line: Sequence[Cell | Special]) -> list[str]:
    return [step.value if isinstance(step, Special) else board.name(step) for step in line]


def instead(reviewed: Review, move: MoveReview) -> Iterator[str]:
    """Yield what refutes a move, and which move was better, with its line, or that none is known.

    Yield nothing about better moves unless the move is marked as bad.
    """
    board = reviewed.game.board
    if move.refutation:
        yield f"refuted by {line_of_play(board, move.refutation)}"
    if move.better:
        yield f"better {line_of_play(board, move.better)}"
    elif (best := move.best_try) is not None:
        yield f"best try {line_of_play(board, best.line[:SHOWN])} ({doubt(best)})"
    elif move.lacks_better:
        yield "no better move is known"


def doubt(best: BestMove) -> str:
    """Return the chance of a best try, if it is known, and that the try proves nothing."""
    chance = "" if best.chance is None else f"estimated {per_cent(best.chance)} %; "
    return f"{chance}whether it holds is not known"


def spark(review: Review, *, only_ascii: bool = False) -> str:
    """Return Black's chance by move as a line of bars, one for each position."""
    bars = _ASCII_SPARKS if only_ascii else _SPARKS
    last = len(bars) - 1
    return "".join(bars[round(last * state.odds.of(Color.BLACK))] for state in review.states)


def winner_marks(review: Review) -> str:
    """Return the proved winner for each bar of `spark`: B, W or a blank."""
    return "".join(
        " " if state.winner is None else state.winner.word[0].upper() for state in review.states
    )


def _sides(game: Game) -> Iterator[str]:
    """Yield a sentence about who has which color after a swap of sides, if there was one."""
    number = game.swap_of_sides
    if number is None:
        return
    black, white = (game.player(color) for color in Color)
    if black and white:
        yield f"Sides were swapped at move {number}: {black} is Black from then on, {white} White."
    else:
        yield f"Sides were swapped at move {number}: who began as White is Black from then on."


def _end(review: Review) -> str:
    game = review.game
    state = review.states[game.played]
    outcome = _outcome(game, game.outcome)
    if state.proof is None:
        guess = "" if game.outcome is None else _guess(state, game.outcome.winner.opponent)
        return f"{outcome}; who would win the last position is not proved{guess}."
    if state.proof.by is Source.CHAIN:
        return f"{_player_name(game, state.proof.winner)} won with a chain of stones."
    winner = _player_name(game, state.proof.winner)
    unless = review.condition and f"{review.condition}, "
    return f"{outcome}; {unless}{winner} is proved to win there by {state.proof.words}."


def _guess(state: ReviewedPosition, loser: Color) -> str:
    """Return the estimated chance of the loser; nothing if `odds` is not an estimate."""
    if state.odds.by in SURE:
        return ""
    percent = per_cent(state.odds.of(loser))
    return f", {loser.title}'s chance estimated {percent} %, {BY[state.odds.by]}"


def _outcome(game: Game, outcome: Outcome | None) -> str:
    """Return how a game that no chain decided ended."""
    if outcome is None:
        return "The record ends before the game does"
    if outcome.ending is None:
        return f"The record says that {_player_name(game, outcome.winner)} won"
    return f"{_player_name(game, outcome.winner.opponent)} {outcome.ending.value}"


def _turn(review: Review) -> str:
    turn, winner = review.turning_point, review.winner
    if turn is None or winner is None:
        return "No turning point: the winner is not proved at the end."
    if turn == 0:
        unless = review.condition and f"{review.condition.capitalize()}, "
        return f"{unless}{winner.title} is proved to win from the first position on."
    move = move_label(review, review.moves[turn - 1])
    unless = review.condition and f", {review.condition},"
    return (
        f"Turning point: move {move}; from there on{unless} "
        f"{winner.title} is proved to win at every position."
    )


def _no_mistake(review: Review, turn: int) -> str:
    """Return a sentence about why no mistake is proved before the turning point."""
    if all(state.winner is None for state in review.states[:turn]):
        return "No mistake is proved: before the turning point nobody had a proved win to lose."
    numbers = [str(m.number) for m in review.moves[:turn] if m.verdict is Verdict.UNPROVED]
    if not numbers:
        return "No mistake is proved."
    moves = f"move{'' if len(numbers) == 1 else 's'} {' '.join(numbers)}"
    return f"No mistake is proved: after {moves} a win that was proved before no longer is."


def _player_name(game: Game, color: Color, moves: int | None = None) -> str:
    """Return a color; after a swap of sides, with the name of the player who has it."""
    swap = game.swap_of_sides
    name = game.player(color, moves) if swap is not None else None
    return f"{color.title}, {name}" if name else color.title


# The review as JSON: one object for each move, one for the game.

DIGITS = 4


def move_object(review: Review, move: MoveReview) -> dict[str, Any]:
    """Return the review of a move, with the positions before and after it."""
    before, after = review.states[move.number - 1], review.states[move.number]
    name, names = review.game.board.name, review.game.board.names
    return {
        "schema": "hsearch/review-move/2",
        "number": move.number,
        "color": move.move.color.word,
        "player": review.game.player(move.move.color, move.number - 1),
        "move": move.move.name(review.game.board),
        "verdict": move.verdict.value,
        "mistake": move.is_mistake,
        "basis": move.basis,
        "fell": number(move.fell, DIGITS),
        "refutation": list(map(name, move.refutation)),
        "better": _names(review.game.board, move.better),
        "try": None
        if move.best_try is None
        else best_move_object(move.best_try, review.game.board),
        "before": _state_object(before, names),
        "after": _state_object(after, names),
    }


def game_object(review: Review) -> dict[str, Any]:
    """Return the review of the game as a whole; `winner` as in an analysis of its end."""
    game, mistake, outcome = review.game, review.last_mistake, _outcome_object(review)
    winner = word(review.winner)
    return {
        "schema": "hsearch/review/2",
        "engine": {"name": "hsearch", "version": __version__},
        "players": dict(zip(("black", "white"), game.players, strict=True)),
        "result": game.result,
        "outcome": outcome,
        "columns": game.board.columns,
        "rows": game.board.rows,
        "moves": len(game.moves),
        "effort": effort_object(review.effort),
        "winner": winner if outcome is None else outcome["winner"],
        "proved_winner": winner,
        "turning_point": review.turning_point,
        "last_mistake": None if mistake is None else mistake.number,
        "proved_losses": {
            color.word: [
                move.number
                for move in review.moves
                if move.verdict is Verdict.PROVED_LOSS and move.move.color is color
            ]
            for color in Color
        },
        "solver_positions": review.nodes,
    }


def _outcome_object(review: Review) -> dict[str, Any] | None:
    """Return who won the game, and how; None if neither stones nor the record show it.

    Unlike `proved_winner`, this is the end of the game as played. It has the player's
    name because after a swap of sides the colors differ from those of PB and PW.
    """
    game, proof = review.game, review.states[-1].proof
    outcome = game.outcome
    if proof is not None and proof.by is Source.CHAIN:
        winner, by = proof.winner, "chain"
    elif outcome is not None:
        winner, by = outcome.winner, "" if outcome.ending is None else outcome.ending.name.lower()
    else:
        return None
    return {"winner": winner.word, "player": game.player(winner), "by": by or None}


def effort_object(effort: Effort) -> dict[str, Any]:
    """Return the effort as a JSON object."""
    return {
        "name": effort.name,
        "M": effort.limits.M,
        "K": effort.limits.K,
        "deduction": effort.depth.replies,
        "solver": {
            "position": effort.search,
            "move": effort.nodes,
            "game": effort.total,
            "further": effort.further,
        },
        "seconds": effort.seconds,
    }


def _state_object(state: ReviewedPosition, names: Any) -> dict[str, Any]:
    return {
        "turn": state.position.turn.word,
        "proved_winner": word(state.winner),
        "proof": None if state.proof is None else _proof_object(state.proof, names),
        "evaluation": number(state.evaluation),
        "chance": number(state.chance, DIGITS),
        "chance_by": state.odds.by,
        "mustplay": [] if state.winner is state.position.turn.opponent else names(state.mustplay),
        "winning": names(state.winning),
    }


def _proof_object(proof: Proved, names: Any) -> dict[str, Any]:
    carrier = None if proof.connection is None else names(proof.connection.carrier)
    return {"by": proof.by.word, "size": _size(proof), "carrier": carrier}


def _size(proof: Proved) -> int:
    """Return the cells of a connection, or the positions that the solver examined; else 0."""
    by = proof.trace()[1].by
    if isinstance(by, ByConnection):
        return by.connection.carrier.count()
    return by.positions if isinstance(by, BySolver) else 0
