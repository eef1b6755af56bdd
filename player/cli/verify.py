"""`hsearch verify`: check a written proof."""

from concurrent.futures import BrokenExecutor
from contextlib import ExitStack

import click

from player.answers.objects import position_object
from player.console.command import FailedError, InputError, command, unreadable
from player.console.options import processes_option
from player.console.output import json_option, print_object
from player.console.reading import check_stdin, path_of, refuse_empty, stdin
from player.console.screen import Work, interruptible, working
from player.solve.proof_line import NoProofError, ProofError
from player.solve.verify import Verified, verify_stream
from player.work.spread import Processes, in_order


@command(
    "verify",
    "hsearch verify b4.proof",
    "hsearch verify b4.proof --workers 2 --json",
    "hsearch verify positions/proofs/7x7/f2.proof.xz positions/proofs/7x7/g1.proof.xz",
)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(readable=False)
)
@json_option("one JSON object a file")
@processes_option("workers", help="Processes that check.")
def verify(*, files: tuple[str, ...], workers: int, as_json: bool) -> None:
    """Check the proof in FILE, which --proof of `hsearch solve` or `analyze` has written.

    Only the rules of Hex and of connections are used, nothing of the solver. A
    step that does not hold is named by its line. FILE is read line by line, `-` being
    stdin, so that it may be larger than the memory; of a line 16 MB are read. An .xz
    file is decompressed as it is read. If one proof does not hold, the other files are
    still checked.
    """
    check_stdin(files)
    code = 0
    for number, file in enumerate(files):
        if len(files) > 1 and not as_json:
            click.echo("\n" * bool(number) + f"{file}:\n")
        try:
            _report(file, _verify(file, workers), as_json=as_json)
        except FailedError as error:
            if len(files) == 1:
                raise
            error.show()
            code = code or error.exit_code
    click.get_current_context().exit(code)


def _verify(file: str, workers: int) -> Verified:
    """Return what is proved. Raise FailedError, naming the file, if the proof does not hold."""
    refuse_empty(file)
    try:
        with working("verify", 1.0) as work:
            return interruptible(lambda: _check(file, workers, work))
    except NoProofError as error:
        raise InputError(f"{file}: {error}") from error
    except ProofError as error:
        raise FailedError(f"{file}: {error}") from error
    except OSError as error:
        raise unreadable(file, error) from error
    except BrokenExecutor as error:
        raise FailedError(f"{file}: a process that checked it died") from error


def _report(file: str, proof: Verified, *, as_json: bool) -> None:
    if as_json:
        print_object(
            {
                "schema": "hsearch/verified/1",
                "position": position_object(proof.position),
                "winner": proof.winner.word,
                "positions": proof.positions,
                "connections": proof.connections,
                "file": file,
            }
        )
        return
    click.echo(str(proof.position))
    click.echo(str(proof))
    click.echo(f"{proof.extent}.")


def _check(file: str, workers: int, work: Work) -> Verified:
    def on_progress(count: int, lines: int) -> None:
        work.update(count / max(1, lines))

    with ExitStack() as stack:
        stream = stdin() if file == "-" else stack.enter_context(path_of(file).open("rb"))
        if workers == 1:
            return verify_stream(stream, on_progress=on_progress)
        processes = stack.enter_context(Processes(workers))
        order = in_order(processes, 4 * workers)
        return verify_stream(stream, in_order=order, on_progress=on_progress)
