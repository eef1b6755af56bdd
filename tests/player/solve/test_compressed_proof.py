"""Compressed proofs (.xz): written, verified, used as parts, damaged, and shipped."""

import lzma
import zlib
from io import BufferedReader, BytesIO

import pytest
from click.testing import CliRunner
from places import ROOT

from hsearch.formats import strict
from hsearch.hex.board import Board
from player.cli import main
from player.solve.verify import NoProofError, verify_file, verify_stream

SHIPPED = sorted((ROOT / "positions/proofs/7x7").glob("*.proof.xz"))


def run(*words, stdin=""):
    """Return the exit code and the output of a command."""
    result = CliRunner().invoke(main, [str(word) for word in words], input=stdin)
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    """Return two files with the same proof: plain text and compressed."""
    folder = tmp_path_factory.mktemp("proofs")
    files = folder / "b2.proof", folder / "b2.proof.xz"
    for file in files:
        assert run("solve", "-", "--size", "4", "--proof", file, stdin="b2")[0] == 0
    return files


def test_a_proof_named_xz_is_compressed(proofs):
    """The .xz file holds the same text, and `verify` gives the same answer, also from stdin."""
    text, compressed = (file.read_bytes() for file in proofs)

    assert lzma.decompress(compressed) == text
    assert run("verify", proofs[1]) == run("verify", proofs[0])
    assert run("verify", "-", stdin=compressed) == run("verify", proofs[0])


class Slow(BytesIO):
    """A pipe that has three bytes at a time."""

    def readinto(self, buffer):
        """Read up to three bytes."""
        return super().readinto(memoryview(buffer)[:3])


def test_a_pipe_may_have_less_than_the_sign(proofs):
    """An .xz stream is recognized if its first bytes arrive in pieces; so is plain text."""
    for file in proofs:
        assert verify_stream(BufferedReader(Slow(file.read_bytes()))) == verify_file(file)


def test_a_part_of_a_proof_may_be_compressed(proofs, tmp_path):
    """A part may be compressed, and so may the whole proof."""
    folder, whole = tmp_path / "answers", tmp_path / "whole.proof.xz"
    folder.mkdir()
    (folder / "b2.proof.xz").write_bytes(proofs[1].read_bytes())
    words = ("solve", "-", "--size", "4", "--parts", folder, "--proof", whole)

    assert run(*words, stdin="b2")[0] == 0
    assert run("verify", whole)[0] == 0
    assert whole.read_bytes().startswith(b"\xfd7zXZ")


def test_damaged_proofs_are_rejected_in_one_line(proofs):
    """Files that are cut, changed or followed by other data are rejected in one line."""
    content = proofs[1].read_bytes()
    middle = len(content) // 2
    damaged = {
        "ends too early": content[:middle],
        "is damaged": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "has data after its end": content + b"x",
    }
    for message, changed in damaged.items():
        code, output = run("verify", "-", stdin=changed)

        assert code == 3, output
        assert message in output
        assert len(output.splitlines()) == 1


def test_small_files_that_need_much_memory_are_rejected():
    """A dictionary of 1 GiB and a line that would fill the memory are rejected."""
    large = bytearray(lzma.compress(b"{}"))
    large[16] = 36  # 1 GiB, in the header of the first block
    large[20:24] = zlib.crc32(large[12:20]).to_bytes(4, "little")
    with pytest.raises(NoProofError, match=r"line 1: the \.xz file is damaged: Memory usage"):
        verify_stream(BytesIO(large))
    with pytest.raises(NoProofError, match="longer than 16,000,000 bytes"):
        verify_stream(BytesIO(lzma.compress(b"0" * 20_000_000)))


def test_an_archive_that_is_not_a_proof_is_not_overwritten(tmp_path):
    """An .xz file that is not a proof, or is damaged, stays unchanged."""
    for content in (lzma.compress(b"letters to a friend"), b"\xfd7zXZ\0"):
        file = tmp_path / "mine.xz"
        file.write_bytes(content)
        code, output = run("solve", "-", "--size", "3", "--proof", file, stdin="b2")

        assert code == 2, output
        assert "was not written by --proof" in output
        assert file.read_bytes() == content


def test_the_map_of_7x7_is_proved():
    """Each opening, up to rotation by 180°, has a proof for the winner on the map."""
    board = Board(7, 7)
    names = {file.name.removesuffix(".proof.xz") for file in SHIPPED}
    rows = (ROOT / "positions/openings/7x7.map").read_text().splitlines()[2:9]
    wins = [letter == "W" for row in rows for letter in row.split()]

    assert len(SHIPPED) == 25
    assert all({board.name(cell), board.name(48 - cell)} & names for cell in range(49))
    for file in SHIPPED:
        with lzma.open(file) as lines:
            head = strict.read(lines.readline(), dict)
        cell = board.cell(file.name.removesuffix(".proof.xz"))
        assert head["black"] == [board.name(cell)]
        assert head["winner"] == ("black" if wins[cell] else "white")


def test_the_documents_have_the_sizes_of_the_shipped_proofs():
    """The guide and positions/README.md name the sizes of the proofs, plain and compressed."""
    packed = [file.stat().st_size for file in SHIPPED]
    plain = [len(lzma.decompress(file.read_bytes())) for file in SHIPPED]
    per_cent = [100 * small / large for small, large in zip(packed, plain, strict=True)]
    guide, table = ROOT / "docs/how-to/solve.md", ROOT / "positions/README.md"
    words = " ".join(guide.read_text(encoding="utf-8").split())

    assert f"has {min(plain) / 1e6:.1f} to {max(plain) / 1e6:.0f} MB. With" in words
    assert f"compressed, in {min(per_cent):.0f} to {max(per_cent):.0f} % of that" in words
    assert f"`positions/proofs/7x7`, {sum(packed) / 1e6:.1f} MB together" in words
    proofs = f"25 proofs, {sum(plain) / 1e6:.0f} MB when decompressed"
    assert proofs in table.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_shipped_proof_verifies():
    """The smallest proof verifies; positions/README.md lists the verifiers that accepted all."""
    file = min(SHIPPED, key=lambda path: path.stat().st_size)
    with file.open("rb") as stream:
        proved = verify_stream(stream)

    opening = Board(7, 7).cell(file.name.removesuffix(".proof.xz"))
    assert proved.position.black == Board(7, 7).only(opening)
