"""Commands that ask the player for moves, and the live graphics of its search."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from hsearch.hex import Board, Cell, Color, Game, Position, Special
from hsearch.hex.move import SWAPS
from hsearch.kernels.stop import Flag, stopping
from hsearch.render.text import quantity
from player.answers import moves as answers
from player.answers.candidates import best_moves
from player.answers.memory import MEMORY
from player.answers.objects import wrap_text
from player.answers.position import SWAP, PositionAnswer
from player.answers.solved import unless_swapped
from player.engine.player import Choice, MoveRequest, Player, PlayerError
from player.engine.referee import act_of
from player.evaluate.chance import per_cent
from player.gtp.arguments import Arguments, at_other_turns, mover, pairs
from player.gtp.game import act
from player.gtp.serving import CommandError
from player.gtp.session import Session
from player.gtp.thinking import think
from player.search.chances import BY, BestMove, BestMoves, estimate, of_tree
from player.search.tree import SearchFindings, TreeFindings
from player.solve.solver import UNLESS_SWAPPED
from player.variants.base import act_word
from player.variants.plain import swap_to_come

PAUSE = 0.25  # seconds between two blocks


class Live:
    """Sends blocks of live graphics for the results of a search, at most one per `PAUSE`."""

    def __init__(self, position: Position, color: Color, send: Callable[[str], None]) -> None:
        """Draw for `color` to move."""
        self._position = replace(position, turn=color)
        self._sender = send
        self._next = 0.0

    def show(self, findings: SearchFindings) -> None:
        """Send a block for the findings of a search, if one is due and there is a move."""
        if findings.move is not None and self.is_due():
            self.send(payload(self._position, findings.move, findings))

    def is_due(self) -> bool:
        """Return whether it is time for another block."""
        return time.monotonic() >= self._next

    def send(self, block: str) -> None:
        """Send a block."""
        self._next = time.monotonic() + PAUSE
        self._sender(f"gogui-gfx:\n{block}")


def variation(board: Board, color: Color, line: Sequence[Cell]) -> str:
    """Return the moves of a line with alternating colors, `color` first."""
    colors = (color, color.opponent)
    return " ".join(
        f"{colors[ply % 2].name[0]} {board.name(cell)}" for ply, cell in enumerate(line)
    )


def payload(position: Position, move: Cell, findings: SearchFindings) -> str:
    """Return a block: the expected line, the chance after its first move, and a message."""
    board, color = position.board, position.turn
    line = variation(board, color, findings.line)
    if findings.is_won is not None:
        label, text = ("W", "win") if findings.is_won else ("L", "loss")
    else:
        # A search by circuits has only E, which is not a chance.
        chance = of_tree(findings) if isinstance(findings, TreeFindings) else None
        chance = chance or estimate(position.play(move))
        label = percent(chance.of(color))
        text = f"{label} % for {color.title} {BY[chance.by]}"
    return f"ab VAR {line} LABEL {board.name(move)} {label} TEXT {findings.extent}, {text}"


def candidates(best: BestMoves) -> str:
    """Return a block: the line of the best move, the value of each move tried, and a message."""
    first, name = best.moves[0], best.position.board.name
    moves = {each.cell: each for each in (*best.tried, *best.moves)}
    turn = best.position.turn
    values = ((cell, value(each, turn)) for cell, each in moves.items())
    labels = pairs(best.position.board, ((cell, value) for cell, value in values if value))
    text = f"{name(first.cell)} {answers.worth(best, first)}"
    if first.winner is None and best.chance is not None:
        text += f", {BY[best.chance.by]}, {quantity(best.simulations, 'simulation')} in all"
    line = variation(best.position.board, best.position.turn, first.line)
    return f"ab VAR {line} LABEL {labels} TEXT {UNLESS_SWAPPED * best.before_swap}{text}"


def value(move: BestMove, mover: Color) -> str:
    """Return the value of a move for its player: `W`, `L`, the chance, or nothing if untried."""
    if move.winner is not None:
        return "W" if move.winner is mover else "L"
    return "" if move.chance is None else percent(move.chance)


def percent(chance: float) -> str:
    """Return a chance in per cent, without the sign: `42`; 0 and 100 only if exact."""
    return str(per_cent(chance))


# The commands.

LINE_SECONDS = 5.0  # HexGui cannot stop this command
DEEPER_SECONDS = 60.0  # so that scripts end
BEST_SECONDS = 1.0  # for the search if no move is proved


def genmove(session: Session, arguments: Arguments) -> str:
    """Make the player's move and return it; after the game, `pass` for the winner, else `resign`.

    In games of ordinary turns only a chain wins: after a resignation play continues.
    """
    color, start = arguments.color(0), time.monotonic()
    if (answer := _answer_at_end(session, color)) is not None:
        return answer
    seconds = _move_time(session, session.clock.seconds(color))
    if not session.is_ordinary:
        word = _act(session, color, seconds)
        act(session, color, word)
        session.clock.spend(color, time.monotonic() - start)
        return word
    choice = _choice(session, color, seconds, swap=_may_swap(session))
    # HexGui cannot undo a resignation that it did not send, so the session does not make it.
    if choice.action is not Special.RESIGN:
        session.play(color, _as_we_swap(session, choice))
    session.clock.spend(color, time.monotonic() - start)
    return _name(session, choice)


def reg_genmove(session: Session, arguments: Arguments) -> str:
    """Return the player's move without making it."""
    color = arguments.color(0)
    if (answer := _answer_at_end(session, color)) is not None:
        return answer
    seconds = _move_time(session, None)
    if not session.is_ordinary:
        return _act(session, color, seconds)
    return _name(session, _choice(session, color, seconds, swap=_may_swap(session)))


def _answer_at_end(session: Session, color: Color) -> str | None:
    """Return the answer of a player if the game is over; else None."""
    won_by = session.winner_on_board
    if won_by is None:
        return None
    word = Special.PASS if won_by is color else Special.RESIGN
    return str(word.value)


def principal_variation(session: Session, arguments: Arguments) -> str:
    """Return the moves that the player expects; none if the game is over."""
    color = mover(session, arguments)
    if session.winner_on_board is not None:
        return ""
    choice = _choice(session, color, _move_time(session, LINE_SECONDS))
    return session.board.text(choice.account.line)


def best(session: Session, arguments: Arguments) -> str:
    """Return the best moves with their lines: proved wins, else by a search of a second."""
    color = mover(session, arguments)
    if session.winner_on_board is not None:
        return f"{session.winner_on_board.word} has won"
    seconds = _move_time(session, BEST_SECONDS)
    analysis = session.analysis_of(color)
    moves = best_moves(analysis, seconds, cancel=session.call.cancel, seed=session.settings.seed)
    swap = filter(None, [PositionAnswer.of(analysis).sentence(SWAP)])
    return "\n".join([*at_other_turns(session), *swap, *answers.statements(moves)])


def hint(session: Session, arguments: Arguments) -> str:
    """Return what to play, and why: the hint of the terminal and of the page."""
    color, stands = mover(session, arguments), session.state_in_play
    if session.winner_on_board is not None:
        return f"{session.winner_on_board.word} has won"
    analysis = session.analysis_of(color)
    is_next = color is stands.position.turn
    game = stands.game if is_next else Game.of_position(analysis.position)
    try:
        advice = answers.hint(
            game,
            analysis,
            swap=is_next and session.has_swap,
            seconds=_move_time(session, BEST_SECONDS),
            cancel=session.call.cancel,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None
    return wrap_text([*at_other_turns(session), answers.sentence(game, advice)])


def look_deeper(session: Session, arguments: Arguments) -> str:
    """Search for the best moves with live graphics, until interrupted or for a minute."""
    color = arguments.color(0)
    _need_turns(session)
    if session.winner_on_board is not None:
        return f"{session.winner_on_board.word} has won"
    analysis, settings = session.analysis_of(color), session.settings
    live = Live(analysis.position, color, session.call.show)

    def show(best: BestMoves, *, is_last: bool = False) -> None:
        if settings.use_guifx and best.moves and (is_last or live.is_due()):
            live.send(candidates(best))

    best = best_moves(
        analysis,
        DEEPER_SECONDS,
        cancel=session.call.cancel,
        on_change=show,
        seed=settings.seed,
    )
    show(best, is_last=True)
    if not best.moves:
        return "no move was tried"
    first = best.moves[0]
    why = unless_swapped(analysis) + answers.reason(analysis, best)
    return f"{session.board.name(first.cell)} ({session.board.text(first.line)}): {why}"


def _need_turns(session: Session) -> None:
    """Raise CommandError in a game without ordinary turns."""
    if not session.is_ordinary:
        raise CommandError(f"not known in a game of {session.variant.name}")


def _choice(session: Session, color: Color, seconds: float | None, *, swap: bool = False) -> Choice:
    """Return the move of the session's player."""
    _need_turns(session)
    settings = session.settings
    # It differs from the session's if this turn shows that the last swap was one of sides.
    position = replace(session.settle_swap(color, session.state_in_play).position, turn=color)
    live = Live(position, color, session.call.show)
    try:
        choice = think(
            cast("Player", session.participant),  # the turns are ordinary
            session.game_for(color),
            MoveRequest(seconds, swap),
            session.call.cancel,
            settings.seed,
            live.show if settings.use_guifx else None,
        )
    except PlayerError as error:
        raise CommandError(str(error)) from None
    if choice.account.winner is not None and not isinstance(choice.action, Special):
        MEMORY.keep_win(position, choice.account.winner, choice.action)
    return choice


def _act(session: Session, color: Color, seconds: float | None) -> str:
    """Return the act of the session's player for a side, as a word that `play` takes."""
    machine, state = session.variant, session.state
    if color not in machine.to_act(state):
        raise CommandError(f"{color.word} is not to act: see hsearch-turn")
    terms = MoveRequest(seconds, cancel=session.call.cancel)
    generator = np.random.default_rng([session.settings.seed, len(state.game.moves)])
    with stopping(Flag()):  # no kernel stops: the player checks `cancel` itself and still acts
        try:
            chosen, _ = act_of(session.participant, machine, state, color, terms, generator)
        except PlayerError as error:
            raise CommandError(str(error)) from None
    # The decision on a tie, and the move after it, are separate calls.
    return act_word(chosen, session.board)


def _move_time(session: Session, seconds: float | None) -> float | None:
    """Return the time for a move: `seconds`, but at most the `max_time` of the settings."""
    most = session.settings.max_time or None
    if seconds is None or most is None:
        return most if seconds is None else seconds
    return min(seconds, most)


def _may_swap(session: Session) -> bool:
    return session.settings.allow_swap and swap_to_come(session.state_in_play.game)


def _as_we_swap(session: Session, choice: Choice) -> int | Special:
    if choice.action in SWAPS and session.settings.swap_style == "sides":
        return Special.SWAP_SIDES
    return choice.action


def _name(session: Session, choice: Choice) -> str:
    if choice.action in SWAPS:
        return "swap" if session.settings.on_little_golem else Special.SWAP_PIECES.value
    return act_word(choice.action, session.board)
