"""The command table, and all that is made of it: lists, HexGui's dialog, help.

A command stands here once. Long work that HexGui shall be able to stop has to
have a name that begins with `genmove` or `gogui-gfx-analyze`; all other work
is bounded.
"""

from typing import TYPE_CHECKING

from player.gtp import Call, CommandError, Request
from player.protocol.command import Command, Item

if TYPE_CHECKING:
    from player.protocol.session import Session

_ROWS = (
    # About the engine.
    Command("protocol_version", "", "the version of GTP", "engine:protocol_version"),
    Command("name", "", "the name of the engine", "engine:name"),
    Command("version", "", "its version", "engine:version"),
    Command("known_command", "COMMAND", "whether there is a command", "engine:known_command"),
    Command("list_commands", "", "all commands, one a line", "engine:list_commands"),
    Command("help", "[COMMAND]", "what commands do", "engine:help_text"),
    Command(
        "hexgui-analyze_commands", "", "what HexGui offers to analyze", "engine:analyze_commands"
    ),
    Command("gogui-interrupt", "", "nothing; the line `# interrupt` stops", "engine:nothing"),
    Command("quit", "", "end the session", "engine:leave"),
    # The board.
    Command("boardsize", "COLUMNS [ROWS]", "start a game of a size", "game:boardsize"),
    Command("rectangular_boardsize", "COLUMNS [ROWS]", "the same", "game:boardsize"),
    Command("clear_board", "", "start a game of the same size", "game:clear_board"),
    Command("komi", "KOMI", "nothing; Hex has none", "engine:nothing"),
    Command("play", "COLOR MOVE", "make a move", "game:play"),
    Command("undo", "", "take the last move back", "game:undo"),
    Command("play-game", "MOVE...", "start a game of these moves", "game:play_game"),
    Command("loadsgf", "FILE [MOVES]", "take a game, or its start, from a file", "game:load_sgf"),
    Command("printsgf", "[FILE]", "write the game, by default here", "game:print_sgf"),
    Command("showboard", "", "the board", "game:show_board", Item("string", "Show Board")),
    Command("final_score", "", "who won", "game:final_score", Item("string", "Final Score")),
    Command(
        "all_legal_moves",
        "[COLOR]",
        "the empty cells",
        "game:all_legal_moves",
        Item("plist", "Legal Moves", "%c"),
    ),
    Command(
        "group-get",
        "POINT",
        "the cells of a group, this one first",
        "game:group",
        Item("group", "Show Group", "%p"),
    ),
    # Moves.
    Command("genmove", "COLOR", "choose a move and make it", "moves:genmove"),
    Command("reg_genmove", "COLOR", "choose a move", "moves:reg_genmove"),
    Command(
        "gogui-gfx-analyze", "COLOR", "look ever deeper until interrupted", "moves:look_deeper"
    ),
    Command(
        "hsearch-pv",
        "COLOR",
        "the moves that the player expects",
        "moves:principal_variation",
        Item("var", "Principal Variation", "%m"),
    ),
    Command(
        "hsearch-values",
        "COLOR",
        "the chance to win after each move, per cent, W or L if proved; within two seconds",
        "values:move_values",
        Item("pspairs", "Move Values", "%m"),
    ),
    # Time.
    Command("time_settings", "MAIN PERIOD STONES", "the time for a game", "timing:time_settings"),
    Command("time_left", "COLOR SECONDS STONES", "the time that is left", "timing:time_left"),
    Command("kgs-time_settings", "SYSTEM NUMBER...", "the same, by a name", "timing:by_name"),
    Command("kata-time_settings", "SYSTEM NUMBER...", "the same, by a name", "timing:by_name"),
    # Connections.
    Command(
        "vc-build",
        "COLOR",
        "find all connections; the cells outside the must-play region",
        "region:build",
        Item("inferior", "VC Build", "%m"),
    ),
    Command("vc-between-cells", "COLOR X Y", "all connections", "connections:between"),
    Command(
        "vc-between-cells-full",
        "COLOR X Y",
        "the full connections of two points",
        "connections:between_full",
        Item("vc", "VC Between Cells Full", "%c %P"),
    ),
    Command(
        "vc-between-cells-semi",
        "COLOR X Y",
        "the semi connections of two points",
        "connections:between_semi",
        Item("vc", "VC Between Cells Semi", "%c %P"),
    ),
    Command(
        "hsearch-vc-edges-full",
        "COLOR",
        "the full connections of a player's edges",
        "connections:edges_full",
        Item("vc", "VC Between Edges Full", "%c"),
    ),
    Command(
        "hsearch-vc-edges-semi",
        "COLOR",
        "the semi connections of a player's edges",
        "connections:edges_semi",
        Item("vc", "VC Between Edges Semi", "%c"),
    ),
    Command(
        "hsearch-carrier-edges",
        "COLOR",
        "the cells of the best connection of a player's edges",
        "connections:carrier_edges",
        Item("plist", "Carrier Edge To Edge", "%c"),
    ),
    Command(
        "hsearch-vc-cell-edges",
        "COLOR POINT",
        "the connections of a point and a player's edges",
        "connections:cell_edges",
        Item("vc", "VC Cell To Edges", "%c %p"),
    ),
    Command(
        "hsearch-carrier-cell-edges",
        "COLOR POINT",
        "the cells of the best of them, to each edge",
        "connections:carrier_cell_edges",
        Item("plist", "Carrier Cell To Edges", "%c %p"),
    ),
    Command(
        "vc-connected-to",
        "POINT COLOR TYPE",
        "the points fully connected to a point (TYPE 0), or semi-connected (TYPE 1)",
        "connections:connected",
    ),
    Command(
        "vc-connected-to-full",
        "COLOR POINT",
        "the points fully connected to a point",
        "connections:connected_full",
        Item("plist", "VC Connected To Full", "%c %p"),
    ),
    Command(
        "vc-connected-to-semi",
        "COLOR POINT",
        "the points semi-connected to a point",
        "connections:connected_semi",
        Item("plist", "VC Connected To Semi", "%c %p"),
    ),
    Command("vc-intersection", "COLOR X Y", "the cells all connections need", "connections:common"),
    Command(
        "vc-intersection-full",
        "COLOR X Y",
        "the cells all full connections need",
        "connections:common_full",
        Item("plist", "VC Intersection Full", "%c %P"),
    ),
    Command(
        "vc-intersection-semi",
        "COLOR X Y",
        "the cells all semi connections need",
        "connections:common_semi",
        Item("plist", "VC Intersection Semi", "%c %P"),
    ),
    Command("vc-union", "COLOR X Y", "the cells any connection needs", "connections:union"),
    Command(
        "vc-union-full",
        "COLOR X Y",
        "the cells any full connection needs",
        "connections:union_full",
        Item("plist", "VC Union Full", "%c %P"),
    ),
    Command(
        "vc-union-semi",
        "COLOR X Y",
        "the cells any semi connection needs",
        "connections:union_semi",
        Item("plist", "VC Union Semi", "%c %P"),
    ),
    # Knowledge.
    Command(
        "vc-get-mustplay",
        "COLOR",
        "the cells outside the must-play region",
        "region:outside",
        Item("inferior", "VC Get Mustplay", "%m"),
    ),
    Command(
        "vc-mustplay-list",
        "COLOR",
        "the must-play region",
        "region:cells",
        Item("plist", "Mustplay List", "%m"),
    ),
    Command(
        "compute-fillin",
        "COLOR",
        "the dead and the captured cells",
        "inferior:fill_in",
        Item("inferior", "Compute Fillin", "%m"),
    ),
    Command(
        "compute-inferior",
        "COLOR",
        "these, and the moves of a player that need not be tried",
        "inferior:inferior",
        Item("inferior", "Compute Inferior", "%m"),
    ),
    # The solver.
    Command(
        "dfpn-solve-state",
        "COLOR",
        "who wins with a player to move, or unknown",
        "solving:solve_state",
        Item("string", "Solve State", "%m"),
    ),
    Command(
        "dfpn-solver-find-winning",
        "COLOR",
        "all winning moves",
        "solving:find_winning",
        Item("plist", "Winning Moves", "%m"),
    ),
    Command(
        "dfs-solve-state",
        "COLOR",
        "who wins, by a simple search for small boards",
        "solving:plain_solve_state",
    ),
    Command(
        "dfs-solver-find-winning",
        "COLOR",
        "all winning moves, by the simple search",
        "solving:plain_find_winning",
    ),
    Command(
        "hsearch-explain",
        "COLOR",
        "who wins or stands better, and why",
        "explaining:position",
        Item("string", "Explain Position", "%m"),
    ),
    Command(
        "hsearch-explain-vc",
        "COLOR X Y",
        "why two points are connected, or what they lack",
        "explaining:connection",
        Item("string", "Explain Connection", "%c %P"),
    ),
    Command(
        "eval-resist",
        "[COLOR]",
        "the resistances of both circuits, and E",
        "values:resistance",
        Item("string", "Resistance", "%c"),
    ),
    Command(
        "eval-resist-cells",
        "COLOR",
        "the current through each cell of a player's circuit",
        "values:currents",
        Item("pspairs", "Cell Energy", "%c"),
    ),
    Command(
        "hsearch-random-turn",
        "COLOR",
        "the chance to win at random turns after each move, per cent",
        "chances:random_turn",
        Item("pspairs", "Win Probability (random turn)", "%m"),
    ),
    Command(
        "hsearch-bids",
        "COLOR",
        "what each move is worth in chips, of 100 each",
        "chances:bids",
        Item("pspairs", "Bids", "%m"),
    ),
    # Parameters.
    Command(
        "param_game",
        "[KEY VALUE]",
        "swap and time",
        "parameters:of_game",
        Item("param", "Game Param"),
    ),
    Command(
        "param_hsearch",
        "[KEY VALUE]",
        "the player, the limits of H-search",
        "parameters:of_engine",
        Item("param", "Engine Param"),
    ),
    Command("param_dfpn", "[KEY VALUE]", "live graphics, time", "parameters:of_solver"),
    Command("param_player_vc", "[KEY VALUE]", "H-search, in benzene's words", "parameters:of_vc"),
    Command("param_player_board", "[KEY VALUE]", "nothing", "parameters:of_board"),
)

COMMANDS = {row.name: row for row in _ROWS}


def execute(session: "Session", request: Request, call: Call) -> str:
    """Return the reply to a command. Raise CommandError when it fails."""
    command = COMMANDS.get(request.name)
    if command is None:
        raise CommandError("unknown command")
    session.call = call
    return command.run(session, request.arguments)


def analyze_list() -> list[str]:
    """Return what HexGui offers: type, label and command, split at `/`."""
    return [
        f"{row.item.type}/{row.item.label}/{row.name} {row.item.wildcards}".rstrip()
        for row in _ROWS
        if row.item is not None
    ]


def help_lines(commands: list[Command]) -> list[str]:
    """Return a line a command: how it is called and what it does."""
    return [f"{f'{row.name} {row.usage}'.strip()}: {row.doc}" for row in commands]
