"""`hsearch play`: a game at the terminal."""

import io
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from hsearch.formats import suite
from hsearch.formats.files import free_name
from hsearch.formats.reading import DEFAULT_SIZE, decode, readers, sniff
from hsearch.hex import Board, Color, Game
from hsearch.render.text import join_words
from player.console import options
from player.console.command import InputError, command, reading, wrong_spec
from player.console.events import takes_variant
from player.console.reading import ReadingOptions, is_file, text_of
from player.console.screen import Screen, draws
from player.engine.levels import LEVELS, Level, is_level
from player.engine.spec import participant
from player.study.puzzle import GRADES
from player.terminal.game import TerminalGame
from player.terminal.puzzle import PuzzleGame, PuzzleSeries, select
from player.terminal.record import HUMAN, Seat, can_resume, continue_record, read_seats, usual_white
from player.variants import recorded_variant
from player.variants.base import ALTERNATING, Variant
from player.variants.plain import Plain, swaps
from player.work.naming import SpecError

# Puzzles, with the solver as the opponent.

PUZZLE = {"puzzle", "suite_id", "grade", "shortest", "size", "screen"}  # options for puzzles


@dataclass(frozen=True, slots=True)
class PuzzleRequest:
    """Which puzzles a person wants to solve.

    puzzle    the file: a suite, or one position
    suite_id  the puzzle of this id alone
    grade     only puzzles of this grade
    shortest  whether to win with as few stones as possible
    """

    puzzle: str
    suite_id: str | None
    grade: int | None
    shortest: bool

    @classmethod
    def of(
        cls, *, puzzle: str | None, suite_id: str | None, grade: int | None, shortest: bool
    ) -> "PuzzleRequest | None":
        """Return the request of the options, None without any. Raise UsageError if they clash."""
        if puzzle is None:
            if suite_id is not None or grade is not None or shortest:
                raise click.UsageError(
                    "--id, --grade and --shortest are for puzzles: add --puzzle FILE"
                )
            return None
        useless = [
            option for name, option in options.explicit_options().items() if name not in PUZZLE
        ]
        if useless:
            raise click.UsageError(
                f"--puzzle goes without {join_words(useless)}: the solver answers"
            )
        if suite_id is not None and grade is not None:
            raise click.UsageError("--id and --grade exclude each other: an id names one puzzle")
        return cls(puzzle, suite_id, grade, shortest)

    def play(self, screen: Screen, size: tuple[int, int] | None) -> None:
        """Let the person solve the puzzle, or those of a suite that have the grade and size."""
        file = self.puzzle
        content = text_of(file) if self.suite_id is None and file != "-" else b""
        with reading(file):
            text = decode(content)[0] if isinstance(content, bytes) and content else ""
        if sniff(text) == "suite":
            with reading(file):
                entries = select(suite.read(text), self.grade, size)
            PuzzleSeries(entries, screen, shortest=self.shortest).run(_typed())
            return
        if self.grade is not None:
            raise InputError(
                f"{file}: --grade needs a suite of puzzles, as positions/puzzles/proved.txt"
            )
        game = ReadingOptions(suite_id=self.suite_id, size=size).read(file).game
        with reading(file):
            puzzle = PuzzleGame(game, screen, shortest=self.shortest)
        puzzle.run(_typed())


_takes_puzzles = options.gather(
    "puzzles",
    PuzzleRequest.of,
    click.option(
        "--puzzle",
        metavar="FILE",
        help="Solve the puzzles of a suite, one after the other, the easiest first.",
    ),
    click.option("--id", "suite_id", metavar="ID", help="With --puzzle: this puzzle alone."),
    options.number_option(
        "--grade", most=GRADES[-1], help="With --puzzle: only puzzles of this grade."
    ),
    click.option(
        "--shortest",
        is_flag=True,
        help="With --puzzle: win with as few stones as possible, on boards of at most 62 cells.",
    ),
)


# The command: people and engines on either side.

TAKEN = {"hexy": ("level", "depth"), "tree": ("level",)}  # the command's options, by engine


@command(
    "play",
    "hsearch play --size 9 --white hexy:level=3 --swap",
    "hsearch play --variant bidding --chips 100 '100*'",
    "hsearch play --puzzle positions/puzzles/proved.txt --grade 2",
    instead="--resume FILE continues a game, and moves are typed while playing",
)
@click.option(
    "--size",
    type=options.SizeType(),
    help="The board, as 11 or 5x9; 11 by default. With --puzzle: only puzzles of this board.",
)
@click.option("--black", metavar="WHO", help="Who is Black; human, or as recorded.")
@click.option(
    "--white",
    metavar="WHO",
    help="Who is White; human against an engine, else the level of --level, `tree` from 9x9 on, or"
    " `hexy` below and with --depth.",
)
@takes_variant
@click.option("--swap", is_flag=True, help="Let the second player swap instead of moving.")
@options.time_option(least=0.01, help="Seconds for an engine's move.")
@click.option("--depth", type=click.IntRange(1, 99), help="Moves that `hexy` looks ahead.")
@click.option(
    "--level",
    type=options.LevelType(),
    metavar="LEVEL",
    help=f"Strength where no player is named: {LEVELS[0].number} ({LEVELS[0].name}) to"
    f" {LEVELS[-1].number} ({LEVELS[-1].name}), by number or name; of `hexy` or `tree`, 1 to 9.",
)
@options.seed_option("what players do by chance", default=None)
@click.option(
    "--resume", "file", type=options.Continued(), metavar="FILE", help="Resume a saved game."
)
@_takes_puzzles
@options.out_option(
    "--record",
    writes=options.GAME,
    help="Where the game is saved when it ends, with a number added if the file holds a game; the "
    "resumed file, if `play` wrote it and the game is not over, or a new one: hex-game.sgf.",
)
@draws
def play(  # noqa: PLR0913 - one per option
    *,
    size: tuple[int, int] | None,
    black: str | None,
    white: str | None,
    variant: Variant[Any] | None,
    swap: bool,
    seconds: float | None,
    depth: int | None,
    level: Level | None,
    seed: int | None,
    file: str | None,
    puzzles: PuzzleRequest | None,
    record: Path | None,
    screen: Screen,
) -> None:
    """Play a game of Hex. Black joins top and bottom, White joins left and right.

    WHO is human, level:N, hexy, tree, policy, ab, random, cohen, gtp:COMMAND or py:FILE.py:NAME;
    an engine takes options, as hexy:depth=2,M=10, tree:level=3 or ab:eval=two_distance (in the
    manual: reference, commands). Other variants have other players. Without --time, a gtp:
    engine that takes ten minutes for a move has lost. Type help while playing.
    """
    if puzzles is not None:
        puzzles.play(screen, size)
        return
    game = _game(file, size)
    with reading(file):
        rules = variant or recorded_variant(game) or Plain()
    if swap and rules.name != ALTERNATING:
        raise click.UsageError(f"there is no swap in {rules.name}")
    if swap and game.board.columns != game.board.rows:
        raise click.UsageError(f"--swap needs a square board, and this one is {game.board}")
    if rules.name == ALTERNATING:
        rules = Plain(swap=swap or swaps(game))
    state = continue_record(game, rules, file or "a new game")
    if level is not None and depth is not None:
        raise click.UsageError(
            "--level and --depth exclude each other; both are options of a player, as"
            " --white hexy:level=3,depth=2"
        )
    extra = {"depth": depth, "level": None if level is None else level.number}
    names = read_seats(state.game, rules)
    if level is not None:  # it overrides that of the record
        names = {color: level.spec if is_level(spec) else spec for color, spec in names.items()}
    black = black or names.get(Color.BLACK, "human")
    usual = usual_white(black, rules, game.board, level=level, is_deep=depth is not None)
    white = white or names.get(Color.WHITE) or usual
    specs = {Color.BLACK: black, Color.WHITE: white}
    if level is None or level.spec not in specs.values():
        _check_taken(extra, specs.values())
    seats = {color: _seat(spec, rules, extra) for color, spec in specs.items()}
    record = _record_of(file, game, rules, record)
    session = TerminalGame(state, seats, screen, record, variant=rules, seconds=seconds, seed=seed)
    try:
        session.run(_typed())
    finally:
        session.close()


def _game(file: str | None, size: tuple[int, int] | None) -> Game:
    if file is not None:
        if size is not None:
            raise click.UsageError("--size and --resume exclude each other")
        return ReadingOptions().read(file).game
    return Game(Board(*size or DEFAULT_SIZE))


def _record_of(file: str | None, game: Game, variant: Variant[Any], named: Path | None) -> Path:
    """Return the file for the record: the resumed one, if `play` wrote it and may continue it.

    Otherwise the file that --record has `named`, or a new .sgf file beside the resumed one, or
    else hex-game.sgf. A number is added to a name that is taken, and the new name is printed.
    """
    source = Path(file) if file is not None and is_file(file) and Path(file).is_file() else None
    if source is not None and (named is None or named.resolve() == source.resolve()):
        text = text_of(str(source))
        content = text.decode(errors="replace") if isinstance(text, bytes) else ""
        is_alone = sniff(content) == "sgf" and len([*readers(content)]) == 1
        if is_alone and "AP[hsearch:" in content and can_resume(game, variant):
            return source
    usual = named or (Path("hex-game.sgf") if source is None else source.with_suffix(".sgf"))
    if named is None:
        is_taken = usual.exists()
    else:  # a device is never taken, nor an empty file
        is_forced = click.get_current_context().meta.get(options.FORCE)
        is_taken = usual.is_file() and usual.stat().st_size > 0 and not is_forced
    record = free_name(usual) if is_taken else usual
    older = named or source
    if older not in {None, record}:
        click.echo(f"{older} stays as it is; what is played goes to {record}.")
    return record


def _check_taken(extra: dict[str, int | None], specs: Iterable[str]) -> None:
    """Raise UsageError if an option was given that no player of this game takes."""
    names = {spec.partition(":")[0] for spec in specs}
    for option, value in extra.items():
        takers = [name for name, taken in TAKEN.items() if option in taken]
        if value is not None and not names.intersection(takers):
            raise click.UsageError(f"--{option} is for {' and '.join(takers)}: none plays here")


def _seat(spec: str, variant: Variant[Any], extra: dict[str, int | None]) -> Seat:
    """Return the seat of a player; an engine gets options of the command that its text lacks."""
    if spec in HUMAN:
        return Seat("human", None)
    if taken := TAKEN.get(spec.partition(":")[0]):
        additions = [
            f"{name}={value}"
            for name, value in extra.items()
            if value is not None and name in taken and f"{name}=" not in spec
        ]
        if additions:
            spec += ("," if ":" in spec else ":") + ",".join(additions)
    try:
        return Seat(spec, participant(spec, variant.name))
    except SpecError as error:
        raise wrong_spec(error) from error


def _typed() -> TextIO:
    """Return where the moves of people come from: stdin, or nothing if it is closed."""
    return sys.stdin or io.StringIO()
