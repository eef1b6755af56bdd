"""The game at the terminal of each variant, by the variant's name."""

from player.dark.terminal.game import DarkGame
from player.engine import ALTERNATING, BIDDING, DARK_ABRUPT, DARK_CLASSIC, RANDOM_TURN
from player.terminal.bidding import BiddingGame
from player.terminal.game import TerminalGame
from player.terminal.random_turn import RandomTurnGame

GAMES: dict[str, type[TerminalGame]] = {
    ALTERNATING: TerminalGame,
    RANDOM_TURN: RandomTurnGame,
    BIDDING: BiddingGame,
    DARK_CLASSIC: DarkGame,
    DARK_ABRUPT: DarkGame,
}
