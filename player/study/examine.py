"""Examine the positions of a game, from the last to the first, and judge its moves.

If the move played leads to a proved win of the mover, the position is a proved win.
For all others, `Prover` tries in turn the answers that every host gives (`player.answers`),
must-play deduction, and the solver. One table of the solver serves the whole game, so a
solved position makes the one before it cheaper. The rest of the effort goes to the position
before the turning point, then to the one before that, while it lasts. The last step looks
for other winning moves in positions that have one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hsearch.connect.mustplay import MustPlay
from hsearch.hex import Cell, CellSet, Color, Game, Position, Special, winner
from hsearch.kernels import stop
from hsearch.render.text import quantity
from player.answers.analysis import Analysis
from player.answers.candidates import best_moves, best_try, winning_line
from player.answers.memory import ByConnection, ByMove, BySolver, Memory, Proved, Source
from player.evaluate.chance import per_cent
from player.search.chances import BY, BestMove, BestMoves, Chance, estimate
from player.solve.proof import write
from player.solve.solver import Answer, Solver
from player.study.review import Effort, MoveReview, Review, ReviewedPosition, Verdict
from player.variants.plain import place_of_swap
from player.work.clock import TimeLeft

OnPositionsLeft = Callable[[int], None]  # the number of positions left
# An examined position, and a function that returns the review so far.
OnState = Callable[[ReviewedPosition, Callable[[], Review]], None]


@dataclass(slots=True)
class SolverEffort:
    """What the solver may still spend on one game. Holds state.

    patience   failures in a row after which it is not called again
    most       positions for its next call
    limit      positions for all calls so far
    time_left  for all searches of the game
    spent      positions so far, except those that any host would search
    failures   of its calls in a row
    """

    patience: int
    most: int
    limit: int
    time_left: TimeLeft
    spent: int = 0
    failures: int = 0

    @property
    def budget(self) -> int:
        """Positions for the next call, 0 if it is not to be made."""
        if self.failures >= self.patience or self.time_left.is_up():
            return 0
        return max(0, min(self.most, self.limit - self.spent))

    def count(self, answer: Answer) -> None:
        """Count a call of the solver."""
        self.spent += answer.nodes
        self.failures += answer.winner is None

    def allow_rest(self) -> bool:
        """Let the next call have all that is left; return whether anything is."""
        self.failures, self.most = 0, self.limit - self.spent
        return self.most > 0 and not self.time_left.is_up()


class Prover:
    """The proofs of one game. Holds state: the solver, if there is one, and what it may spend.

    plain           the cell of each move that only places the mover's stone, else None
    swap            the number of moves before the one that swaps, or that the record allows to
    unless_swapped  the proofs that a swap would make void, by the number of moves before
    """

    def __init__(
        self, game: Game, effort: Effort, memory: Memory | None = None, solver: Solver | None = None
    ) -> None:
        """Start the time of the effort. Raise ValueError when the record cannot be replayed."""
        self.game, self.effort, self.solver = game, effort, solver
        self.memory = Memory() if memory is None else memory
        count = len(game.moves)
        self._positions = [game.position(moves) for moves in range(count + 1)]
        self.plain = [_plain_cell(game, self._positions, moves) for moves in range(count)]
        self.swap = place_of_swap(game)
        self.unless_swapped: dict[int, Proved] = {}
        time_left = TimeLeft(effort.seconds)
        self.spending = SolverEffort(effort.patience, effort.nodes, effort.total // 2, time_left)

    def states(
        self, on_progress: OnPositionsLeft, on_state: OnState = lambda _state, _review_so_far: None
    ) -> tuple[ReviewedPosition, ...]:
        """Return the state of every position."""
        states: list[ReviewedPosition] = []
        for moves in range(len(self.game.moves), -1, -1):
            after = states[-1] if states else None
            states.append(self._state(moves, self._positions[moves], after))
            on_state(states[-1], lambda: self._review_so_far(states))
            on_progress(moves or int(self.solver is not None))
        states.reverse()
        self._recall(states)
        if self.solver is not None:
            self._push_back(states)
            self._look_further(states, self.solver)
            on_progress(0)
        return tuple(states)

    def _review_so_far(self, latest: list[ReviewedPosition]) -> Review:
        """Return the review so far: positions before those examined count as unknown."""
        first = latest[-1]
        unknown = replace(first, proof=None)
        states = (*(unknown for _ in range(first.moves)), *reversed(latest))
        moves = tuple(
            _Judge(self, states, number).review()
            if number > first.moves
            else MoveReview(number, self.game.moves[number - 1], Verdict.NONE, "not yet examined")
            for number in range(1, len(states))
        )
        return Review(self.game, self.effort, states, moves, self.spending.spent)

    @contextmanager
    def knowing(self) -> Iterator[Solver | None]:
        """Lend a solver to look up its results; None if the effort has none, or it is busy."""
        if self.solver is not None or not self.effort.search:
            yield self.solver
            return
        with self.memory.idle_solver(self.game.board) as solver:
            yield solver

    def best_moves(self, state: ReviewedPosition) -> BestMoves | None:
        """Return the best moves in a position by a short search; None if the time is up."""
        if self.spending.time_left.is_up():
            return None
        analysis = self._analysis(state.position)
        best = best_moves(analysis, None, simulations=SIMULATIONS)
        stop.check()
        return best

    def learn(
        self, number: int, states: tuple[ReviewedPosition, ...]
    ) -> tuple[ReviewedPosition, ...]:
        """Return the states with what memory knows by now of one of them, the last excepted."""
        changed = self._state(number, states[number].position, states[number + 1])
        return (*states[:number], changed, *states[number + 1 :])

    def _recall(self, states: list[ReviewedPosition]) -> None:
        """Apply the proof of each position to the next one.

        If every move loses, the move played loses, too, even if a search of the position
        after it proved nothing.
        """
        for number in range(1, len(states)):
            before, state = states[number - 1], states[number]
            if state.winner is not None or self.plain[number - 1] is None:
                continue
            win = before.win_of(before.position.turn.opponent) or self.missed_swap(number)
            if win is not None:
                if win.by is Source.MAP:  # there is no proof to store
                    states[number] = replace(state, proof=win, odds=Chance.sure(win.winner))
                    continue
                by = Source.MEMORY if win.connection else win.by
                self.memory.keep(state.position, Proved(win.winner, by))
            if self.memory.recall(state.position) is not None:
                after = states[number + 1] if number + 1 < len(states) else None
                states[number] = self._state(number, state.position, after)

    def _push_back(self, states: list[ReviewedPosition]) -> None:
        """Spend the rest on the position before the turning point, as long as that moves it."""
        number, spending = self.game.played, self.spending
        spending.limit = self.effort.total
        winner = states[number].winner
        while number > 0 and winner is not None:
            number -= 1
            if states[number].winner is winner:
                continue
            if states[number].winner is not None:
                return
            if not spending.allow_rest():
                return
            states[number] = self._state(number, states[number].position, states[number + 1])
            if states[number].winner is not winner:
                return

    def _state(
        self, moves: int, position: Position, after: ReviewedPosition | None
    ) -> ReviewedPosition:
        stop.check()
        analysis = self._analysis(position)
        region = analysis.threatened
        move = self.plain[moves] if after is not None else None
        proof = self._prove(analysis, region, move, after)
        if proof is not None:
            self.memory.keep(position, proof)
        if proof is not None and self._is_conditional(moves, position, proof):
            self.unless_swapped[moves] = proof
            # Where play ends before the swap, the proof stays, and its words are conditional.
            proof = proof if moves >= self.game.played else None
        if proof is not None:
            self.spending.failures = 0
        evaluation = analysis.circuits.evaluation
        outcome = self.game.ending(moves)
        if proof is not None:
            chance = Chance.sure(proof.winner)
        elif outcome is not None:
            chance = Chance.sure(outcome.winner, "record")
        else:
            chance = estimate(position)
        if self.precedes_swap(moves + 1):  # a move that wins is swapped
            losing = winning = position.board.only()
        else:
            losing, winning = self._sort_moves(position, region.cells, proof, after)
        return ReviewedPosition(
            moves,
            position,
            evaluation,
            chance,
            proof,
            region.cells,
            region.is_forced,
            losing,
            winning,
            tuple(cell for cell, flow in analysis.circuits.weak_links[:3] if flow > 0),
        )

    def _analysis(self, position: Position) -> Analysis:
        """Return the analysis of a position that every host would make."""
        return Analysis(
            position,
            self.effort.limits,
            search=self.effort.search,
            memory=self.memory,
        )

    def _prove(
        self,
        analysis: Analysis,
        region: MustPlay,
        move: Cell | None,
        after: ReviewedPosition | None,
    ) -> Proved | None:
        """Return the cheapest proof of who wins; None if there is none."""
        position = analysis.position
        if analysis.connected is not None:
            return analysis.connected
        win = None if after is None else after.win_of(position.turn)
        if move is not None and win is not None:
            return Proved(position.turn, ByMove(win), move)
        if region.is_lost:
            return Proved(position.turn.opponent, ByConnection(region.threats[0]))
        return analysis.proved or self._deduce(position) or self._solve(position)

    def _deduce(self, position: Position) -> Proved | None:
        effort = self.effort
        if not effort.depth.replies or self.spending.time_left.is_up():
            return None
        analysis = Analysis(position, effort.limits, effort.depth)
        for color, connection in analysis.deduced.items():
            return Proved(color, ByConnection(connection, is_deduced=True))
        return None

    def _solve(self, position: Position) -> Proved | None:
        """Return the solver's proof within its budget; None if it finds none."""
        solver, budget = self.solver, self.spending.budget
        if solver is None or not budget:
            return None
        answer = solver.solve(position, nodes=budget, seconds=self.spending.time_left.left)
        stop.check()
        self.spending.count(answer)
        if answer.winner is None:
            return None
        move = next(iter(answer.winning_moves), None)
        return Proved(answer.winner, BySolver(answer.nodes), move)

    def _sort_moves(
        self,
        position: Position,
        region: CellSet,
        proof: Proved | None,
        after: ReviewedPosition | None,
    ) -> tuple[CellSet, CellSet]:
        """Return the moves that are proved to lose, and the moves that are proved to win."""
        board, mover = position.board, position.turn
        if winner(position) is not None:
            return board.only(), board.only()
        losing = position.empty & ~region
        winning = board.only()
        if proof is not None and proof.winner is not mover:
            return position.empty, winning
        with self.knowing() as solver:
            winners = {} if solver is None else solver.move_winners(position)
            remaining = None if solver is None else solver.remaining(position)
        if remaining is not None:
            losing = losing | remaining.losing
        if proof is not None and proof.move is not None:
            winners[proof.move] = mover
        move = None if after is None else self.plain[after.moves - 1]
        if move is not None and after is not None and after.winner is not None:
            winners[move] = after.winner
        for cell, won_by in winners.items():
            if won_by is mover:
                winning = winning | board.only(cell)
            else:
                losing = losing | board.only(cell)
        return losing, winning & ~losing

    def _look_further(self, states: list[ReviewedPosition], solver: Solver) -> None:
        """Find every winning move of proved wins, as far as the effort goes."""
        effort, time_left = self.effort, self.spending.time_left
        most = solver.nodes + effort.further
        for number in range(len(states) - 2, -1, -1):
            state, after = states[number], states[number + 1]
            budget = min(effort.nodes, most - solver.nodes)
            if budget <= 0 or time_left.is_up():
                return
            if state.winner is not state.position.turn or winner(state.position) is not None:
                continue
            solver.solve(state.position, every=True, nodes=budget, seconds=time_left.left)
            stop.check()
            losing, winning = self._sort_moves(state.position, state.mustplay, state.proof, after)
            states[number] = replace(state, losing=losing, winning=winning)

    def _is_conditional(self, moves: int, position: Position, proof: Proved) -> bool:
        """Return whether a later swap, made or possible, makes a proof void.

        A player who may swap and wins without it still wins.
        """
        if self.swap is None or moves > self.swap:
            return False
        return moves < self.swap or proof.winner is not position.turn

    def precedes_swap(self, number: int) -> bool:
        """Return whether a move comes before a swap, made or possible."""
        return self.swap is not None and number <= self.swap

    def missed_swap(self, number: int) -> Proved | None:
        """Return the opener's win that a swap would have taken over instead of a move, if any."""
        move = self.game.moves[number - 1]
        may_swap = number - 1 == self.swap and move.color is self._positions[number - 1].turn
        return self.unless_swapped.get(number - 1) if may_swap and not move.swaps else None


def _plain_cell(game: Game, positions: list[Position], moves: int) -> Cell | None:
    """Return the cell of a move that only places the mover's stone, else None."""
    cell, before = game.moves[moves].cell, positions[moves]
    if cell is None or not before.is_legal(cell) or before.turn is not game.moves[moves].color:
        return None
    return cell if before.play(cell) == positions[moves + 1] else None


# The review of a game: states from the end backward, then a verdict for each move.

# The net's chance depends on whose turn it is, so a good move leaves the mover's chance as it was,
# up to the noise of the net (`positions/results/chance.md`). A larger fall is worth a line.
FALL = 0.5  # of the mover's chance


def review_game(  # noqa: PLR0913 - the effort, the callbacks, the memory, the tries
    game: Game,
    effort: Effort,
    *,
    on_progress: OnPositionsLeft = lambda _left: None,
    on_state: OnState = lambda _state, _review_so_far: None,
    proofs: bool = False,
    memory: Memory | None = None,
    tries: bool = False,
) -> Review:
    """Return the review of the main line of a game.

    Proofs are looked up in `memory` and stored there. It is empty by default, so the result
    does not depend on earlier reviews.
    `on_progress` is called with the number of positions left; `on_state` with each examined
    position, the last one first, and a function that returns the review so far.
    With `tries`, a search of `SIMULATIONS` looks for a better move than each one that is marked,
    if none is proved; what it proves counts as all proofs do.
    With `proofs`, the review has the written proof of each proved loss that rests on the solver.
    Raise Stopped once `hsearch.kernels.stop` cancels the work, and ValueError when the record
    cannot be replayed.
    """
    memory = Memory() if memory is None else memory

    def on_left(left: int) -> None:
        on_progress(max(left, int(tries)))  # the tries come last

    with ExitStack() as stack:
        solver = None
        if effort.nodes:
            solver = stack.enter_context(memory.solver(game.board, waits=False))
        prover = Prover(game, effort, memory, solver)
        states = prover.states(on_left, on_state)
        moves = _judge_moves(prover, states)
        if tries:
            states, moves = _with_tries(prover, states, moves)
            on_progress(0)
        review = Review(game, effort, states, moves, prover.spending.spent)
        if not proofs:
            return review
        writer = stack.enter_context(memory.solver(game.board))
        return replace(review, proofs=tuple(_proofs(review, writer)))


def _judge_moves(prover: Prover, states: tuple[ReviewedPosition, ...]) -> tuple[MoveReview, ...]:
    """Return the verdicts on all moves."""
    return tuple(_Judge(prover, states, number).review() for number in range(1, len(states)))


SIMULATIONS = 300  # of the search for a better move: some seconds on 11x11


def _with_tries(
    prover: Prover, states: tuple[ReviewedPosition, ...], moves: tuple[MoveReview, ...]
) -> tuple[tuple[ReviewedPosition, ...], tuple[MoveReview, ...]]:
    """Return the positions and verdicts with a best try instead of each move that needs one.

    The last move comes first. If the search proves who wins before a move, that may change the
    verdicts on this move and on earlier ones.
    """
    tries: dict[int, BestMove] = {}
    for number in range(len(moves), 0, -1):
        cell = prover.plain[number - 1]
        if cell is None or prover.precedes_swap(number) or not moves[number - 1].lacks_better:
            continue
        best = prover.best_moves(states[number - 1])
        if best is None:
            break
        if best.winner is not None and states[number - 1].winner is None:
            states = prover.learn(number - 1, states)
            moves = _judge_moves(prover, states)
        elif (found := best_try(best, cell)) is not None:
            tries[number] = found
    return states, tuple(_with_try(move, tries.get(move.number)) for move in moves)


def _with_try(move: MoveReview, best: BestMove | None) -> MoveReview:
    """Return the review of a move with the best other one, which may be proved to win."""
    if best is None or not move.lacks_better:
        return move
    return replace(move, best_try=best) if best.winner is None else replace(move, better=best.line)


class _Judge:
    """Judges one move, by the positions before and after it."""

    def __init__(self, prover: Prover, states: Sequence[ReviewedPosition], number: int) -> None:
        self._prover, self._number = prover, number
        self._move, self._cell = prover.game.moves[number - 1], prover.plain[number - 1]
        self._mover = self._move.color
        self._before, self._after = states[number - 1], states[number]
        self._fell = self._before.odds.of(self._mover) - self._after.odds.of(self._mover)

    def review(self) -> MoveReview:
        stop.check()
        before, after, mover = self._before, self._after, self._mover
        missed = self._prover.missed_swap(self._number)
        if missed is not None and (self._cell is not None or self._move.special is Special.RESIGN):
            return self._misses_swap(missed)
        if self._cell is None:
            return self._special()
        if (defeat := before.win_of(mover.opponent)) is not None:
            return self._verdict(Verdict.LOST, f"every move loses: {defeat.words}")
        if (loss := after.win_of(mover.opponent)) is not None:
            return self._loses(self._cell, loss)
        if (win := before.win_of(mover)) is not None and after.winner is not mover:
            basis = (
                f"a win of {mover.title}'s was proved before, by {win.words}; "
                "after this move nothing is proved, and it may win still, "
                f"estimated {per_cent(after.odds.of(mover))} %, {BY[after.odds.by]}"
            )
            return self._verdict(Verdict.UNPROVED, basis, better=self._line(before, mover))
        return self._verdict(*self._judge_unproved(self._cell))

    def _verdict(self, verdict: Verdict, basis: str, **more: Any) -> MoveReview:
        """Return a verdict with its basis; `more` are other fields of the review."""
        more.setdefault("fell", self._fell)
        return MoveReview(self._number, self._move, verdict, basis, **more)

    def _special(self) -> MoveReview:
        move, mover, before = self._move, self._mover, self._before
        is_conditional = self._number - 1 in self._prover.unless_swapped
        win = None if is_conditional else before.win_of(mover)
        if win is not None and (move.special is Special.RESIGN or move.swaps):
            did = "swapped" if move.swaps else "resigned"
            basis = f"{did} in a won position: {win.words}"
            return self._gives_up(basis, self._line(before, mover), before.odds.of(mover))
        if move.cell is None:
            reason = "no stone is placed"
        elif before.leads_to(self._after, move):
            reason = f"{mover.title} moves again after it"
        else:
            reason = "other stones were set up as well"
        return self._verdict(Verdict.NONE, reason, fell=0.0)

    def _misses_swap(self, missed: Proved) -> MoveReview:
        stone = self._before.position.opening_stone
        name = "the stone" if stone is None else self._prover.game.board.name(stone)
        basis = f"did not swap {name}, which wins by {missed.words}"
        return self._gives_up(basis, (Special.SWAP_PIECES,))

    def _gives_up(
        self, basis: str, better: tuple[Cell | Special, ...], fell: float = 1.0
    ) -> MoveReview:
        return self._verdict(Verdict.WIN_GIVEN_UP, basis, fell=fell, is_mistake=True, better=better)

    def _loses(self, cell: Cell, loss: Proved) -> MoveReview:
        before, mover, winner = self._before, self._mover, self._mover.opponent
        how = f"{winner.title} wins by {_words(loss, self._number)}"
        if self._prover.precedes_swap(self._number):
            how += ", and need not swap"
            line = self._line(self._after, winner)
            return self._verdict(Verdict.PROVED_LOSS, how, refutation=line)
        if not before.mustplay[cell]:
            cells = quantity(before.mustplay.count(), "cell")
            how = f"outside the {cells} that could hold: {how}"
        win = before.win_of(mover)
        if win is None:
            how += "; whether another move holds is not known"
        else:
            how += f"; before it {mover.title} had a proved win by {win.words}"
        return self._verdict(
            Verdict.PROVED_LOSS,
            how,
            is_mistake=win is not None,
            refutation=self._line(self._after, winner),
            better=() if win is None else self._line(before, mover),
        )

    def _judge_unproved(self, cell: Cell) -> tuple[Verdict, str]:
        """Return the verdict and its basis for a move that is not proved to do harm."""
        before, after, mover = self._before, self._after, self._mover
        win = after.win_of(mover)
        others = before.position.empty & ~before.losing & ~before.position.board.only(cell)
        if not others.any() and before.position.empty.count() > 1:
            if win is None:
                return Verdict.FORCED, "any other move is proved to lose; whether it holds is open"
            words = f"it wins by {win.words}; any other move is proved to lose"
            return Verdict.ONLY_MOVE, words
        if win is not None:
            unless = "if nobody swaps, " if self._number == self._prover.swap else ""
            return Verdict.WINS, f"{unless}{mover.title} wins by {win.words}"
        was, became = (per_cent(state.odds.of(mover)) for state in (before, after))
        by = before.odds.by
        if by != after.odds.by:  # the record's end, or the map of openings: not comparable
            return Verdict.OPEN, f"nothing is proved; estimated {was} % before, {BY[by]}"
        chances = f"{was} % before, {became} % after, {BY[by]}"
        if self._fell >= FALL:
            return Verdict.ESTIMATE_FELL, f"only an estimate: {chances}"
        return Verdict.OPEN, f"nothing is proved; estimated {chances}"

    def _line(self, state: ReviewedPosition, winner: Color) -> tuple[Cell, ...]:
        proof, limits = state.proof, self._prover.effort.limits
        connection = None if proof is None else proof.connection
        with self._prover.knowing() as solver:
            if proof is not None and proof.move is not None and connection is None:
                after = state.position.play(proof.move)
                rest = winning_line(after, winner, None, solver, limits)
                return (proof.move, *rest)[:10]
            return winning_line(state.position, winner, connection, solver, limits)


def _words(proof: Proved, number: int) -> str:
    """Return what proves the win after a move, and after which move if that comes later."""
    moves, source = proof.trace()
    return f"{source.words} after move {number + moves}" if moves else source.words


def _proofs(review: Review, solver: Solver) -> list[tuple[int, str]]:
    proofs = []
    for move in review.moves:
        if move.verdict is Verdict.PROVED_LOSS:
            evidence = review.evidence(move.number)
            if evidence is not None and evidence[1].is_searched:
                proofs.append((move.number, write(solver, evidence[0])))
    return proofs
