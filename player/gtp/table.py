"""The command table, and what is made from it: lists, HexGui's dialog, help.

HexGui can stop only commands whose names begin with `genmove` or
`gogui-gfx-analyze`. All others bound their work themselves.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TypeAlias

from player.bidding.chips import DEFAULT
from player.gtp.arguments import Arguments
from player.gtp.serving import Call, CommandError, Request
from player.gtp.session import Session

# A row of the command table.

CommandHandler: TypeAlias = Callable[..., str]

_GROUP = re.compile(r"\[([^\]]*)\]|(\S+)")


@dataclass(frozen=True, slots=True)
class Item:
    """Line of a command in HexGui's analyze dialog.

    type       how HexGui reads the reply, such as `vc` or `plist`
    label      the text in the dialog
    wildcards  arguments that HexGui fills in: %m %c colors, %p %P selected cells
    """

    type: str
    label: str
    wildcards: str = ""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """A command of the protocol.

    name      its name
    usage     its arguments: `COLOR POINT`, `[KEY VALUE]` both or neither, `MOVE...` any number,
              `FILE` one or more words, as its name may have spaces
    doc       what it does, for `help`
    handler   the module and, after a colon, the function that returns the reply
    item      its line in HexGui's dialog; None if it has none
    kind      the kind of connections that the handler gets; None if it gets none
    """

    name: str
    usage: str
    doc: str
    handler: str
    item: Item | None = None
    kind: str | None = None

    def takes(self, count: int) -> bool:
        """Return whether the usage allows `count` arguments."""
        if "FILE" in self.usage:
            return count > 0 or self.usage.startswith("[")
        if self.usage.endswith("..."):
            return count >= len(self.usage.split()) - 1
        fits = 0
        counts = []
        groups = [match.group(1, 2) for match in _GROUP.finditer(self.usage)]
        for optional, required in groups:
            if required is None:
                counts.append(fits)
                fits += len(optional.split())
            else:
                fits += 1
        return count in {*counts, fits}

    def load(self) -> CommandHandler:
        """Return the handler. Its module is imported now, so that the program starts quickly."""
        module, _, name = self.handler.partition(":")
        handler: CommandHandler = getattr(import_module(f"player.gtp.{module}"), name)
        return handler

    def run(self, session: Session, words: tuple[str, ...]) -> str:
        """Return the reply to a call with these words."""
        if not self.takes(len(words)):
            raise CommandError(f"syntax error: usage: {self.name} {self.usage}".rstrip())
        more = {} if self.kind is None else {"kind": self.kind}
        return self.load()(session, Arguments(words, session.board), **more)


# The commands about commands.


def known_command(_session: Session, arguments: Arguments) -> str:
    """Return whether there is a command of this name."""
    return str(arguments.words[0] in COMMANDS).lower()


def list_commands(_session: Session, _arguments: Arguments) -> str:
    """Return the names of all commands."""
    return "\n".join(COMMANDS)


def analyze_commands(_session: Session, _arguments: Arguments) -> str:
    """Return the commands of HexGui's dialog."""
    return "\n".join(analyze_list())


def help_text(_session: Session, arguments: Arguments) -> str:
    """Return what one command does, or all."""
    if not arguments:
        return "\n".join(help_lines(list(COMMANDS.values())))
    command = COMMANDS.get(arguments.words[0])
    if command is None:
        raise CommandError("unknown command")
    return "\n".join(help_lines([command]))


def _of_kinds(name: str, usage: str, doc: str, handler: str, item: Item) -> Iterator[GtpCommand]:
    """Yield a command for full connections and its twin for semi connections."""
    for kind in ("full", "semi"):
        item_of_kind = replace(item, label=item.label.format(kind.title()))
        yield GtpCommand(
            f"{name}-{kind}", usage, doc.format(kind), handler, item_of_kind, kind=kind
        )


_ROWS = (
    # About the engine.
    GtpCommand("protocol_version", "", "the version of GTP", "game:protocol_version"),
    GtpCommand("name", "", "the name of the engine", "game:name"),
    GtpCommand("version", "", "the version of hsearch", "game:version"),
    GtpCommand("known_command", "COMMAND", "whether there is a command", "table:known_command"),
    GtpCommand("list_commands", "", "all commands, one a line", "table:list_commands"),
    GtpCommand("help", "[COMMAND]", "what commands do", "table:help_text"),
    GtpCommand(
        "hexgui-analyze_commands", "", "what HexGui offers to analyze", "table:analyze_commands"
    ),
    GtpCommand(
        "gogui-interrupt", "", "nothing; the line `# interrupt` stops a command", "game:nothing"
    ),
    GtpCommand("quit", "", "end the session", "game:leave"),
    # The board.
    GtpCommand("boardsize", "COLUMNS [ROWS]", "start a game of a size", "game:boardsize"),
    GtpCommand(
        "rectangular_boardsize", "COLUMNS [ROWS]", "the same as boardsize", "game:boardsize"
    ),
    GtpCommand("clear_board", "", "start a game of the same size", "game:clear_board"),
    GtpCommand("komi", "KOMI", "nothing; Hex has none", "game:nothing"),
    GtpCommand("play", "COLOR MOVE", "make a move", "game:play"),
    GtpCommand("undo", "", "take the last move back", "game:undo"),
    GtpCommand("play-game", "MOVE...", "start a game of these moves", "game:play_game"),
    GtpCommand(
        "loadsgf", "FILE [MOVES]", "take a game, or its start, from a file", "game:load_sgf"
    ),
    GtpCommand(
        "printsgf", "[FILE]", "print the game as SGF, or write it to FILE", "game:print_sgf"
    ),
    GtpCommand("showboard", "", "the board", "game:show_board", Item("string", "Show Board")),
    GtpCommand("final_score", "", "who won", "game:final_score", Item("string", "Final Score")),
    GtpCommand(
        "all_legal_moves",
        "[COLOR]",
        "the empty cells",
        "game:all_legal_moves",
        Item("plist", "Legal Moves", "%c"),
    ),
    GtpCommand(
        "group-get",
        "POINT",
        "the cells of a group, this one first",
        "game:group",
        Item("group", "Show Group", "%p"),
    ),
    # Moves.
    GtpCommand("genmove", "COLOR", "choose a move and make it", "moves:genmove"),
    GtpCommand("reg_genmove", "COLOR", "choose a move", "moves:reg_genmove"),
    GtpCommand(
        "gogui-gfx-analyze",
        "COLOR",
        "the best moves as a search finds them, until interrupted or for a minute",
        "moves:look_deeper",
    ),
    GtpCommand(
        "hsearch-pv",
        "[COLOR]",
        "the moves that the player expects",
        "moves:principal_variation",
        Item("var", "Principal Variation", "%m"),
    ),
    GtpCommand(
        "hsearch-values",
        "[COLOR]",
        "the chance to win after each move, per cent, W or L if proved; within two seconds",
        "solving:move_values",
        Item("pspairs", "Move Values", "%m"),
    ),
    # Variants.
    GtpCommand(
        "hsearch-variant",
        "[NAME]",
        "the variant, or begin a game of bidding, random-turn or alternating",
        "game:choose",
    ),
    GtpCommand("hsearch-toss", "[COLOR]", "toss a coin, or enter its result", "game:toss"),
    GtpCommand(
        "hsearch-turn",
        "",
        "what is due: a move, a bid and its most chips, the answer to a tie, or a coin",
        "game:turn",
    ),
    # Time.
    GtpCommand("time_settings", "MAIN PERIOD STONES", "the time for a game", "game:time_settings"),
    GtpCommand("time_left", "COLOR SECONDS STONES", "the time that is left", "game:time_left"),
    GtpCommand(
        "kgs-time_settings",
        "SYSTEM NUMBER...",
        "the time by a system: none, absolute, byoyomi, canadian, fischer or fischer-capped",
        "game:by_name",
    ),
    GtpCommand(
        "kata-time_settings",
        "SYSTEM NUMBER...",
        "the same as kgs-time_settings",
        "game:by_name",
    ),
    # Connections.
    GtpCommand(
        "vc-build",
        "COLOR",
        "find all connections; the cells outside the must-play region, as vc-get-mustplay",
        "connections:outside",
        Item("inferior", "VC Build", "%m"),
    ),
    GtpCommand("vc-between-cells", "COLOR X Y", "all connections", "connections:between"),
    *_of_kinds(
        "vc-between-cells",
        "COLOR X Y",
        "the {} connections of two points",
        "connections:between",
        Item("vc", "VC Between Cells {}", "%c %P"),
    ),
    *_of_kinds(
        "hsearch-vc-edges",
        "COLOR",
        "the {} connections of a player's edges, as hsearch-explain knows them",
        "connections:edges",
        Item("vc", "VC Between Edges {}", "%c"),
    ),
    GtpCommand(
        "hsearch-carrier-edges",
        "COLOR",
        "the cells of the best connection of a player's edges",
        "connections:carrier_edges",
        Item("plist", "Carrier Edge To Edge", "%c"),
    ),
    GtpCommand(
        "hsearch-vc-cell-edges",
        "COLOR POINT",
        "the connections of a point and a player's edges by AND and OR alone",
        "connections:cell_edges",
        Item("vc", "VC Cell To Edges", "%c %p"),
    ),
    GtpCommand(
        "hsearch-carrier-cell-edges",
        "COLOR POINT",
        "the cells of the best connection of a point to each of a player's edges",
        "connections:carrier_cell_edges",
        Item("plist", "Carrier Cell To Edges", "%c %p"),
    ),
    GtpCommand(
        "vc-connected-to",
        "POINT COLOR TYPE",
        "the points fully connected (TYPE 0) or semi-connected (TYPE 1) by AND and OR alone",
        "connections:list_connected",
    ),
    *_of_kinds(
        "vc-connected-to",
        "COLOR POINT",
        "the points with a {} connection to a point, by AND and OR alone",
        "connections:list_connected_by",
        Item("plist", "VC Connected To {}", "%c %p"),
    ),
    GtpCommand(
        "vc-intersection", "COLOR X Y", "the cells all connections need", "connections:common"
    ),
    *_of_kinds(
        "vc-intersection",
        "COLOR X Y",
        "the cells all {} connections need",
        "connections:common",
        Item("plist", "VC Intersection {}", "%c %P"),
    ),
    GtpCommand("vc-union", "COLOR X Y", "the cells any connection needs", "connections:union"),
    *_of_kinds(
        "vc-union",
        "COLOR X Y",
        "the cells any {} connection needs",
        "connections:union",
        Item("plist", "VC Union {}", "%c %P"),
    ),
    # Knowledge.
    GtpCommand(
        "vc-get-mustplay",
        "COLOR",
        "the cells outside the must-play region: all once every move is proved to lose",
        "connections:outside",
        Item("inferior", "VC Get Mustplay", "%m"),
    ),
    GtpCommand(
        "vc-mustplay-list",
        "COLOR",
        "the must-play region: no cell once every move is proved to lose",
        "connections:cells",
        Item("plist", "Mustplay List", "%m"),
    ),
    GtpCommand(
        "compute-fillin",
        "COLOR",
        "the dead and the captured cells",
        "connections:fill_in",
        Item("inferior", "Compute Fillin", "%m"),
    ),
    GtpCommand(
        "compute-inferior",
        "COLOR",
        "the dead and captured cells, and the moves of a player that need not be tried",
        "connections:inferior",
        Item("inferior", "Compute Inferior", "%m"),
    ),
    # The solver.
    GtpCommand(
        "dfpn-solve-state",
        "COLOR",
        "who wins with a player to move, or unknown",
        "solving:solve_state",
        Item("string", "Solve State", "%m"),
    ),
    GtpCommand(
        "dfpn-solver-find-winning",
        "COLOR",
        "all winning moves",
        "solving:find_winning",
        Item("plist", "Winning Moves", "%m"),
    ),
    GtpCommand(
        "dfs-solve-state",
        "COLOR",
        "who wins, by a simple search for small boards",
        "solving:plain_solve_state",
    ),
    GtpCommand(
        "dfs-solver-find-winning",
        "COLOR",
        "all winning moves, by the simple search",
        "solving:plain_find_winning",
    ),
    GtpCommand(
        "hsearch-shortest",
        "[COLOR]",
        "who wins with how few stones, on boards of at most 62 cells",
        "solving:shortest",
        Item("string", "Shortest Win", "%m"),
    ),
    GtpCommand(
        "hsearch-proof",
        "FILE",
        "write the proof of who wins to a new file, for hsearch verify",
        "solving:write_proof",
    ),
    # Why, and what to play.
    GtpCommand(
        "hsearch-explain",
        "[COLOR]",
        "who wins or stands better, and why",
        "connections:position",
        Item("string", "Explain Position", "%m"),
    ),
    GtpCommand(
        "hsearch-best-moves",
        "[COLOR]",
        "moves to play, proved ones first, with their lines",
        "moves:best",
        Item("string", "Best Moves", "%m"),
    ),
    GtpCommand(
        "hsearch-hint",
        "[COLOR]",
        "one move to play, or a swap, and why",
        "moves:hint",
        Item("string", "Hint", "%m"),
    ),
    GtpCommand(
        "hsearch-explain-vc",
        "COLOR X Y",
        "why two points are connected, or what they lack",
        "connections:connection",
        Item("string", "Explain Connection", "%c %P"),
    ),
    # Circuits.
    GtpCommand(
        "eval-resist",
        "[COLOR]",
        "the resistances of both circuits, and E",
        "solving:resistance",
        Item("string", "Resistance", "%c"),
    ),
    GtpCommand(
        "eval-resist-cells",
        "COLOR",
        "the current through each cell of a player's circuit",
        "solving:currents",
        Item("pspairs", "Cell Energy", "%c"),
    ),
    # Advice for random turns and bids.
    GtpCommand(
        "hsearch-random-turn",
        "COLOR",
        "the chance to win at random turns after each move, per cent",
        "solving:random_turn",
        Item("pspairs", "Win Probability (random turn)", "%m"),
    ),
    GtpCommand(
        "hsearch-bids",
        "COLOR",
        f"what each move is worth in chips, of those in the game, else of {DEFAULT.chips} each",
        "solving:bids",
        Item("pspairs", "Bids", "%m"),
    ),
    # Parameters.
    GtpCommand(
        "param_game",
        "[KEY VALUE]",
        "swap and time",
        "parameters:of_game",
        Item("param", "Game Param"),
    ),
    GtpCommand(
        "param_hsearch",
        "[KEY VALUE]",
        "the player, the limits of H-search",
        "parameters:of_engine",
        Item("param", "Engine Param"),
    ),
    GtpCommand("param_dfpn", "[KEY VALUE]", "live graphics, time", "parameters:of_solver"),
    GtpCommand(
        "param_player_vc", "[KEY VALUE]", "H-search, in benzene's words", "parameters:of_vc"
    ),
    GtpCommand("param_player_board", "[KEY VALUE]", "nothing", "game:nothing"),
)

COMMANDS = {row.name: row for row in _ROWS}


def execute(session: Session, request: Request, call: Call) -> str:
    """Return the reply to a command. Raise CommandError when it fails."""
    command = COMMANDS.get(request.name)
    if command is None:
        raise CommandError("unknown command")
    session.call = call
    return command.run(session, request.arguments)


def analyze_list() -> list[str]:
    """Return the lines of HexGui's dialog: type, label and command, joined by `/`."""
    return [
        f"{row.item.type}/{row.item.label}/{row.name} {row.item.wildcards}".rstrip()
        for row in _ROWS
        if row.item is not None
    ]


def help_lines(commands: list[GtpCommand]) -> list[str]:
    """Return a line for each command: its usage and what it does."""
    return [f"{f'{row.name} {row.usage}'.strip()}: {row.doc}" for row in commands]
