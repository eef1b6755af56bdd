"""The board, cells, positions and games: the rules of Hex, without any search."""

from hsearch.hex.board import MAX_SIDE, Board, Cell, CellSet, Color, Point, cells_in
from hsearch.hex.game import Game
from hsearch.hex.move import Move, Outcome, Special
from hsearch.hex.position import Position, captains, winner
from hsearch.hex.tree import GameNode

__all__ = [
    "MAX_SIDE",
    "Board",
    "Cell",
    "CellSet",
    "Color",
    "Game",
    "GameNode",
    "Move",
    "Outcome",
    "Point",
    "Position",
    "Special",
    "captains",
    "cells_in",
    "winner",
]
