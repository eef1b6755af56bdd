"""`hsearch explain`: why two points are connected, or what they lack."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from hsearch.board import Board, Color, Point
from hsearch.closure import Limits, closure
from hsearch.connection import Connection
from hsearch.position import Position
from hsearch.render import Marks, svg, text
from hsearch.store import Store
from hsearch.strategy import Explanation, Following, Missing, explain as why, follow, missing
from hsearch.strategy import picture as pictures
from hsearch.strategy import words
from hsearch.strategy.exhaust import BUDGET
from player.cli.command import command
from player.cli.compiling import announce
from player.cli.connections import points
from player.cli.endings import InputError
from player.cli.explanation import explanation_object
from player.cli.limits import takes_limits
from player.cli.objects import print_object
from player.cli.reading import Source, reads_position
from player.cli.screen import Screen, draws, write_file
from player.cli.types import ColorType
