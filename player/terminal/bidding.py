"""Bidding Hex at the terminal: sealed bids, then the move of whoever bid more.

Holds, besides the game, the bids that are sealed and not opened yet.
"""

from typing import Any, TextIO

import click

from hsearch.board import Color
from hsearch.game import Game, Move, Node
from hsearch.position import Position
from player.bidding import check_bid, chips, record
from player.engine import Bidder, MoveRequest, SealedBid
from player.terminal.bidding_advice import BiddingAdvice
from player.terminal.commands import Commands, refused
from player.terminal.game import TerminalGame
from player.terminal.hidden import read_hidden
from player.terminal.seat import failing
from player.terminal.thinking import thinking

YES, NO = ("yes", "y"), ("no", "n")
DIGITS = 9  # more than any number of chips has


class BiddingGame(TerminalGame):
    """A game in which each move is bid for."""

    greeting = (
        "Both bid in secret. The higher bid moves, and is paid to the other player. On equal bids\n"
        "the holder of the tie-break chip (*) hands it over, pays and moves, or keeps it and lets\n"
        "the other pay and move."
    )

    sayings = (("a number such as 17", "bid as many chips"), *TerminalGame.sayings)

    def __init__(self, game: Game, *rest: Any, **options: Any) -> None:
        """Begin, or go on with, a game."""
        self.advice: BiddingAdvice
        super().__init__(game, *rest, **options)
        self.sealed: dict[Color, int] = {}
        self.slips: dict[Color, SealedBid] = {}

    @property
    def color(self) -> Color:
        """Player who won the bids and moves; else whose bid is missing, or who breaks a tie."""
        mover = record.mover(self.game)
        if mover is not None:
            return mover
        bidder = next((c for c in Color if c not in self.sealed), None)
        return chips(self.game).holder if bidder is None else bidder

    @property
    def position(self) -> Position:
        """The position as it is now."""
        return self.game.position(turn=self.color)

    @property
    def prompt(self) -> str:
        """Prompt before the line that a person types."""
        if self._is_opened():
            return super().prompt
        return f"{self.color.word} bids (of {chips(self.game)[self.color]})> "

    @property
    def _is_awaited(self) -> bool:
        """Whether to show the board: always, as both bid on it."""
        return True

    def read_line(self, lines: TextIO, prompt: str) -> str:
        """Return the next line; while bids are sealed it is not shown if two share the screen."""
        is_shared = all(seat.player is None for seat in self.seats.values())
        if is_shared and prompt == self.prompt and not self._is_opened():
            return read_hidden(lines, prompt)
        return super().read_line(lines, prompt)

    def adviser(self) -> BiddingAdvice:
        """Return one who knows bids."""
        return BiddingAdvice()

    def known_commands(self) -> Commands:
        """Return the commands; there is no swap."""
        known = super().known_commands()
        known["swap"] = refused("there is no swap in bidding")
        known["undo"] = (
            known["undo"][0],
            "take back a sealed bid; else the last move and its bids",
        )
        known["hint"] = (known["hint"][0], "what to bid, and where to play")
        known["why"] = (
            known["why"][0],
            "chances, what you need, the best bids, what hangs on them",
        )
        return known

    def turn(self, lines: TextIO) -> None:
        """Go one step on: a bid is sealed, or a move is made."""
        player = self.seats[self.color].player
        if player is None:
            self.obey(self.typed(lines))
        elif self._is_opened():
            self._let_move(player)
        else:
            self.slips[self.color] = slip = self._slip(player)
            self.sealed[self.color] = slip.bid
        if len(self.sealed) == len(Color):
            self._open(lines)

    def answer(self, line: str) -> None:
        """Take a line that is no command for a bid, or for the cell to play."""
        if self._is_opened():
            super().answer(line)
            return
        if len(self.sealed) == len(Color):
            raise ValueError(f"{line!r} is neither yes nor no")
        color, has = self.color, chips(self.game)
        if not (line.isascii() and line.isdigit() and len(line) <= DIGITS):
            raise ValueError(f"{line!r} is no number of chips from 0 to {has[color].chips}")
        bid = int(line)
        check_bid(bid, has[color])
        self.sealed[color] = bid

    def undo(self, _argument: str) -> None:
        """Take back the bid that a person has sealed; else the last move, and the bids for it."""
        if any(self.seats[color].player is None for color in self.sealed):
            bids_are = "bid is" if len(self.sealed) == 1 else "bids are"
            self._forget()
            click.echo(f"The sealed {bids_are} taken back.")
            return
        bids = [bids for _, bids in record.bids_of(self.game)]
        if not self._is_opened() and (not bids or bids[-1] is None):
            raise ValueError("there is no bid to take back")
        before = self.game if self._is_opened() else self.game.cut(len(bids) - 1)
        self.session.back_to(record.without_bids(before))
        self._forget()
        self.board("")

    def redo(self, argument: str) -> None:
        """Play again what was taken back."""
        super().redo(argument)
        self._forget()

    def load(self, argument: str) -> None:
        """Go on with another game."""
        super().load(argument)
        self._forget()

    def board(self, argument: str) -> None:
        """Show the board, the moves with the bids for them, and the chips."""
        super().board(argument)
        has = chips(self.game)
        words = (f"{color.word.capitalize()} has {has[color]}" for color in Color)
        click.echo(f"{', '.join(words)} chips.\n")

    @property
    def asked(self) -> Game:
        """The game as the player sees it who is to say something."""
        return self.game if self._is_opened() else self.game.append_node(Node(turn=self.color))

    def _forget(self) -> None:
        """Forget the bids that are not opened yet."""
        self.sealed.clear()
        self.slips.clear()

    def _is_opened(self) -> bool:
        return record.mover(self.game) is not None

    def _slip(self, player: Bidder) -> SealedBid:
        """Return an engine's slip. Raise FailedError when it makes none that is legal."""
        color, game = self.color, record.without_bids(self.game)
        with failing(player), thinking(player.name, game.board):
            slip = player.bid(game, color, MoveRequest(self.seconds), self.generator)
            check_bid(slip.bid, chips(game)[color])
            self.position.play(slip.cell)
        return slip

    def _open(self, lines: TextIO) -> None:
        """Open both bids, and say who moves."""
        bids = self.sealed[Color.BLACK], self.sealed[Color.WHITE]
        click.echo(f"Black bids {bids[0]}, White bids {bids[1]}.")
        takes_tie = bids[0] == bids[1] and self._takes_tie(lines)
        if takes_tie is None:
            return
        self.session.rewrite(record.with_bids(self.game, bids, takes_tie=takes_tie))
        self.sealed.clear()
        self.advice.remember_bids(self.game, self.slips)
        mover = self.color.word.capitalize()
        has = chips(self.game)
        click.echo(f"{mover} moves. Black has {has.black} now, White {has.white}.")

    def _takes_tie(self, lines: TextIO) -> bool | None:
        """Return whether the holder of the tie-break chip hands it over for the move.

        None if the bids are taken back instead, or the game is given up or changed.
        """
        holder = chips(self.game).holder
        if self.seats[holder].player is not None:
            return self.slips[holder].takes_tie
        prompt = f"{holder.word}, hand over the tie-break chip and move? yes or no> "
        while len(self.sealed) == len(Color) and not self.is_over:
            line = self.typed(lines, prompt)
            if line.lower() in YES + NO:
                return line.lower() in YES
            self.obey(line)
        return None

    def _let_move(self, player: Bidder) -> None:
        """Let an engine move that has won the bids; one that never bid is asked now."""
        mover = self.color
        slip = self.slips.pop(mover, None) or self._slip(player)
        self.add(Move(mover, slip.cell))
