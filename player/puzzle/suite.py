"""A puzzle as a block of a suite, as `analyze`, `solve` and `play` take it."""

from hsearch.board import Color
from player.puzzle.find import Puzzle
from player.puzzle.grade import grade

_LETTER = {Color.BLACK: "B", Color.WHITE: "W", None: "."}


def heading(command: str, count: int) -> str:
    """Return the comment at the head of a suite: how it was made."""
    return (
        f"# {count} proved puzzles: `wins` are all moves that win, `proof` is beside this file.\n"
        f"# Made by: {command}\n"
        "# grade: 1 to 5, by looks (cells that look as good), size and depth of the proof, and\n"
        "# whether the two rules of H-search see the win at once.\n"
    )


def name_of(puzzle: Puzzle, number: int) -> str:
    """Return the id of a puzzle: the board, the grade, a number."""
    board = puzzle.position.board
    return f"{board.columns}x{board.rows}-grade{grade(puzzle.measures)}-{number:02}"


def entry_text(puzzle: Puzzle, name: str, source: str, proof: str) -> str:
    """Return the block of a puzzle; `proof` is where its proof lies, seen from the suite."""
    position, measures = puzzle.position, puzzle.measures
    board = position.board
    rows = [
        " " * row
        + " ".join(
            _LETTER[position.color_at(board.at(column, row))] for column in range(board.columns)
        )
        for row in range(board.rows)
    ]
    fields = {
        "id": name,
        "source": source,
        "board": "\n          ".join(rows),
        "turn": position.turn.word,
        "wins": " ".join(map(board.name, puzzle.wins)),
        "grade": str(grade(measures)),
        "looks": str(measures.looks),
        "size": str(measures.size),
        "depth": str(measures.depth),
        "seen": "yes" if measures.seen else "no",
        "proof": proof,
    }
    return "".join(f"{key:<10}{value}\n" for key, value in fields.items())
