"""`hsearch verify`: check a written proof."""

from pathlib import Path

import click

from player.console.command import command
from player.console.errors import FailedError, InputError, reading
from player.console.output import json_option, print_object
from player.report.numbers import numbered
from player.report.objects import position_object
from player.solve.verify import NoProofError, ProofError
from player.solve.verify import verify as check


@command("verify", "hsearch verify b4.proof", "hsearch verify b4.proof --json")
@click.argument("file", type=click.Path(path_type=Path))
@json_option()
def verify(*, file: Path, as_json: bool) -> None:
    """Check the proof in FILE, which `hsearch solve --proof FILE` has written.

    Only the rules of Hex and of connections are used, nothing of the solver. A
    step that does not hold is named by its line.
    """
    with reading(file):
        content = file.read_text(encoding="utf-8")
    try:
        proved = check(content)
    except NoProofError as error:
        raise InputError(f"{file}: {error}") from error
    except ProofError as error:
        raise FailedError(f"{file}: {error}") from error
    if as_json:
        print_object(
            {
                "schema": "hsearch/verified/1",
                "position": position_object(proved.position),
                "winner": proved.winner.word,
                "positions": proved.positions,
                "connections": proved.connections,
            }
        )
        return
    turn = proved.position.turn.word
    click.echo(f"{proved.winner.word} wins with {turn} to move: the proof holds.")
    positions = numbered(proved.positions, "position")
    click.echo(f"{positions}, {numbered(proved.connections, 'derived connection')}.")
