"""Policies as values, and certificates checked by plain recursion with fractions."""

import itertools
from dataclasses import replace
from fractions import Fraction
from random import Random

import forged_certificates
import numpy as np
import pytest
from click.testing import CliRunner
from dark_plans import built, plan_of
from dark_values import VALUES
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from hsearch.hex.board import Board, Color
from player.cli.dark import dark
from player.dark import certificate, response, solve, tabular, tree, whole_numbers
from player.dark import rules as information
from player.dark.policy import draw
from player.dark.rules import Base, DarkRules, Noise
from player.dark.tabular import TabularPolicy

SHIPPED = sorted((ROOT / "positions" / "dark").glob("*.txt"))
QUICK = {f"3x3-{game}" for game in ("classic-silent", "classic-noisy", "classic-flash")}
NEAR = {"3x3-abrupt-noisy": "0.376766", "3x3-abrupt-flash": "0.376998"}  # to 1e-6
BOUNDED = {"4x3-abrupt-silent", "3x4-abrupt-silent", "3x4-classic-silent"}
SURE = {"4x3-classic-silent"}
LARGE = QUICK | set(NEAR) | BOUNDED | SURE | {"3x3-abrupt-silent"}
SLOW = set(NEAR) | BOUNDED | {"3x3-abrupt-silent"}
GAMES = [(base, noise) for base in Base for noise in Noise]


@st.composite
def policies(draw):
    """Draw policies with few entries, for either player on small boards."""
    columns, rows = draw(st.sampled_from([(1, 2), (2, 1), (2, 2)]))
    base, noise = draw(st.sampled_from(GAMES))
    game = built(columns, rows, base, noise)
    color = draw(st.sampled_from(list(Color)))
    side = game.sides[color]
    entries = {}
    for j, history in enumerate(side.history):
        if draw(st.booleans()):
            weights = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
            cells = [c for c in tree.cells_of(side, j) if weights[c]]
            total = sum(weights[c] for c in cells)
            if cells:
                entries[history] = {c: Fraction(weights[c], total) for c in cells}
    views = {}
    for j, history in enumerate(side.history):
        if draw(st.booleans()):
            views[information.view(history)] = draw(st.sampled_from(tree.cells_of(side, j)))
    order = tuple(draw(st.permutations(list(game.rules.board.cells))))
    return TabularPolicy(game.rules, color, order, entries, views)


@pytest.mark.slow
@given(policies())
def test_best_responses_over_beliefs_equal_those_on_the_tree(spoken):
    """Recursion with fractions agrees with sweeps over arrays, for any policy."""
    rules = spoken.rules
    game = built(rules.board.columns, rules.board.rows, rules.base, rules.noise)
    best = response.best_response(game, spoken.color.opponent, plan_of(game, spoken))

    plain, whole = certificate.plain_chance(spoken), whole_numbers.best_chance(spoken)

    assert float(2 * plain - 1) == pytest.approx(best.value)
    assert whole in {None, plain}


@given(policies())
def test_a_written_policy_is_read_back_unchanged(spoken):
    """A written policy is read back unchanged."""
    lines = dict(enumerate(tabular.write(spoken).splitlines()))
    back = tabular.read(spoken.rules, spoken.color, spoken.order, lines)

    assert back == spoken
    assert tabular.show(spoken).count("\n") == len(spoken.chances) + bool(spoken.views)


def test_an_entry_for_a_history_precedes_one_for_its_view():
    """An entry of a history precedes one of its view, and that precedes the order."""
    rules, seen = DarkRules(Board(2, 2), Base.ABRUPT), information.View(1 << 3, 0)
    exact = {(6, -1): {1: Fraction(1)}}
    spoken = TabularPolicy(rules, Color.BLACK, (2, 3, 0, 1), exact, {seen: 0})

    assert spoken.at((6, -1)) == {1: 1}
    assert spoken.at((6,)) == {0: 1}
    assert spoken.at((7,)) == {2: 1}


def test_cells_are_sampled_with_the_policys_probabilities():
    """An entry draws random cells; without an entry, the order gives the cell."""
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    spoken = TabularPolicy(
        rules, Color.BLACK, (3, 2, 1, 0), {(): {0: Fraction(1, 4), 1: Fraction(3, 4)}}
    )
    rng = np.random.default_rng(11)
    drawn = [draw(spoken.at(()), rng) for _ in range(4000)]

    assert set(drawn) == {0, 1}
    assert drawn.count(0) == pytest.approx(1000, abs=130)
    assert draw(spoken.at((0,)), rng) == 3


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] * (path.stem in SLOW)) for path in SHIPPED],
    ids=lambda path: path.stem,
)
def test_shipped_certificates_verify(path):
    """The claim of each certificate is proved and is the best one that its policies prove.

    A policy that first attempts its least likely cell proves less.
    """
    claim = certificate.load(path)
    rules = claim.rules
    size = rules.board.columns, rules.board.rows
    known = VALUES.get((*size, rules.base, rules.noise))

    lower, upper = certificate.verify(claim)
    assert lower - claim.lower < Fraction(1, 10**9)
    assert claim.upper - upper < Fraction(1, 10**9)
    for spoken, bound in zip(claim.policies, (claim.lower, -claim.upper), strict=True):
        if spoken is not None:
            cell = min(rules.board.cells, key=lambda cell: spoken.chances[()].get(cell, 0))
            changed = replace(spoken, chances={**spoken.chances, (): {cell: Fraction(1)}})
            assert 1 - 2 * certificate.best_chance(changed) < bound
    assert path.stem == f"{size[0]}x{size[1]}-{rules.base}-{rules.noise}"
    if path.stem in NEAR:
        assert abs(claim.lower - Fraction(NEAR[path.stem])) < Fraction(1, 10**6)
        assert claim.upper - claim.lower < Fraction(101, 10**8)
    elif path.stem in BOUNDED:
        assert -1 < claim.lower < claim.upper < 1
    elif size != (3, 3):
        assert claim.lower == claim.upper == Fraction(known or (-1 if size == (2, 3) else 1))


@pytest.mark.slow
def test_accepted_forged_certificates_claim_nothing_false():
    """Random forgeries claim nothing false about games whose values are known."""
    made = forged_certificates.forged(Random(39), ROOT / "positions" / "dark")  # noqa: S311
    claims = [*map(forged_certificates.claim_of, itertools.islice(made, 600))]
    accepted = list(filter(None, claims))

    assert 100 < len(accepted) < 500
    assert [claim for claim in accepted if forged_certificates.is_false(claim)] == []


def test_each_small_game_and_listed_larger_game_has_a_certificate():
    """The six games on three small boards are there, and the listed larger ones."""
    small = {f"{size}-{b}-{n}" for size in ("2x2", "3x2", "2x3") for b, n in GAMES}

    assert {path.stem for path in SHIPPED} == small | LARGE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "hsearch dark certificate 1",
            "hsearch dark certificate 9",
            "line 1.* --certificate` writes",
        ),
        ("base abrupt", "base", "line 3"),
        ("board 2x2", "board 2", "line 2"),
        ("board 2x2", "board 2x²", "line 2"),
        ("board 2x2", "board 2x27", "line 2: board size out of range: 2x27"),
        ("order ", "order z9 ", "line 7: 'z9' is off the 2x2 board"),
        ("lower 1/2", "lower 1/0", "line 5: not a fraction"),
        ("lower 1/2", f"lower 1/{'0' * 5000}2", "line 5: not a fraction"),
        ("policy black order", "policy red order", "line 7"),
        (": ", ": z9 ", "line 8"),
        (": ", ": a1 -1 ", "line 8"),
        (" : ", " ", "line"),
        ("policy white", "any a1 ? : a2 1\npolicy white", "line.*stones only"),
        ("policy white", "any a1 : a2 1 b1 1\npolicy white", "line.*stones only"),
        ("policy white", "any a1 : a1 1\npolicy white", "line.*cannot be attempted"),
        ("policy white", "any : a2 1\nany : b2 1\npolicy white", "line.*second entry"),
        ("policy white", "any b2 b2x : a2 1\npolicy white", "line.*attempted twice"),
        ("policy white", "b2 b2 : a2 1\npolicy white", "line.*attempted twice"),
    ],
)
def test_damaged_certificates_are_refused(tmp_path, old, new, message):
    """The error names the file and the line."""
    path = tmp_path / "claim.txt"
    source = next(path for path in SHIPPED if path.stem == "2x2-abrupt-silent")
    path.write_text(source.read_text().replace(old, new, 1))

    with pytest.raises(certificate.CertificateError, match=rf"claim\.txt.*{message}"):
        certificate.load(path)


def test_a_bound_with_thousands_of_digits_is_printed_as_a_decimal():
    """A policy may prove a fraction with more digits than Python writes."""
    numbers = [f"{'9' * 3998}{end}" for end in (71, 97)]
    entries = f": a2 {numbers[0]} b1 1\nb1 : a2 {numbers[1]} b2 1\na2 : b1 {numbers[1]} a1 3"
    text = written(Board(2, 2), entries, base="classic", color="black")
    claim = replace(certificate.read(text), lower=Fraction(1), upper=Fraction(1))

    with pytest.raises(certificate.CertificateError, match=r"proves about -?[01]\.\d{12}, not 1$"):
        certificate.verify(claim)


def test_a_claim_with_thousands_of_digits_is_printed_as_a_decimal(tmp_path):
    """Its bounds stay an interval, even if their first digits are equal."""
    text = next(path for path in SHIPPED if path.stem == "2x2-abrupt-silent").read_text()
    path = tmp_path / "mine.txt"
    lower, upper = f"4{'9' * 3000}/1{'0' * 3001}", f"5{'0' * 2999}1/1{'0' * 3001}"
    path.write_text(
        text.replace("lower 1/2", f"lower {lower}").replace("upper 1/2", f"upper {upper}")
    )
    done = CliRunner().invoke(dark, ["verify", str(path)])

    chance, value = "about 0.750000000000", "about 0.500000000000"
    assert done.output == (
        f"{path}: abrupt silent 2x2, Black's chance to win in [{chance}, {chance}] "
        f"(value to Black in [{value}, {value}], from -1 to 1): proved\n"
    )


def test_shipped_certificates_solve_large_boards():
    """A certificate is found by the name of its game; without one there is no solution."""
    known = solve.solution(DarkRules(Board(3, 3), Base.CLASSIC, Noise.SILENT))

    assert known is not None
    assert known.fraction == 1
    assert known.bounds == (1, 1)
    assert solve.solution(DarkRules(Board(4, 4))) is None


def written(board, *entries, base="abrupt", noise="silent", color="white"):
    """Return the text of a certificate with one policy, for a bound that it may prove."""
    names = " ".join(map(board.name, board.cells))
    head = [certificate.HEAD, f"board {board}", f"base {base}", f"noise {noise}"]
    bounds = ["lower -1", "upper 9/10"]
    return "\n".join([*head, *bounds, f"policy {color} order {names}", *entries, ""])


def primes(board, count):
    """Return entries of long numbers, no two of which have a common denominator."""
    weight = 10**3900
    names = [board.name(cell) for cell in board.cells]
    yield ": " + " ".join(f"{name} {weight + 7**place}" for place, name in enumerate(names))
    for place, name in enumerate(names[:count]):
        others = [other for other in names if other != name]
        yield f"{name} : " + " ".join(f"{each} {weight + 11**place}" for each in others)


@pytest.mark.parametrize(
    ("board", "entries", "message"),
    [
        (Board(26, 26), [": a1 1"], "a check reaches 200 cells, and 26x26 has 676"),
        (Board(26, 26), ["any : a1 1"], "a check reaches 200 cells, and 26x26 has 676"),
        (Board(14, 14), [": a1 1"], "a check of this policy takes more than 9 steps"),
        (Board(3, 3), [*primes(Board(3, 3), 9)], "takes more than 9 steps"),
        (Board(4, 3), [": a1 1 b1 1 b2 2 c2 3 a3 1"], "takes more than 9 steps"),
    ],
)
def test_a_certificate_that_takes_too_long_to_verify_is_rejected(
    tmp_path, monkeypatch, board, entries, message
):
    """Too many cells, too long numbers and too many beliefs are errors of the input."""
    monkeypatch.setattr(certificate, "MOST_STEPS", 9)
    monkeypatch.setattr(certificate, "FASTER", 1)
    path = tmp_path / "forged.txt"
    path.write_text(written(board, *entries))
    done = CliRunner().invoke(dark, ["verify", str(path)])

    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.startswith(f"{path}: ")
    assert done.stderr.endswith(f"{message}\n")


def test_long_numbers_count_as_more_steps():
    """With as many beliefs, long numbers count as many more steps, because they add slowly."""
    board = Board(2, 2)
    steps = []
    for entries in (": a1 3 b1 4 a2 7 b2 9", next(primes(board, 0))):
        (_, spoken) = certificate.read(written(board, entries)).policies
        responder = certificate._Responder(spoken, None)  # noqa: SLF001
        responder.best_chance()
        steps.append(responder._steps)  # noqa: SLF001

    assert steps[1] > 10 * steps[0]


def test_the_kernel_verifies_certificates_too_large_for_recursion(monkeypatch):
    """A certificate that plain recursion cannot finish is verified by the kernel."""
    monkeypatch.setattr(certificate, "MOST_STEPS", 1_000)
    monkeypatch.setattr(certificate, "FASTER", 10_000)
    claim = certificate.load(next(path for path in SHIPPED if path.stem == "3x3-classic-flash"))

    assert certificate.verify(claim) == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lower -1", "lower -3", "line 5: not from -1 to 1: '-3'"),
        ("upper 9/10", "upper 1001/1000", "line 6: not from -1 to 1"),
        (": a1 1", f": a1 {'9' * 5000}", "line 8: .* is not a positive whole number"),
        (": a1 1", f": a1 {'0' * 5000}1", "line 8: .* is not a positive whole number"),
        (": a1 1", f": {'a' * 10**6} 1", "line 8: not a cell"),
        (": a1 1", f"{'a' * 10**6}9 : a1 1", "line 8: not an observation"),
        (": a1 1", ": a1 1 " * 10**5, "line 8"),
        (": a1 1", "policy " + "x" * 10**6, "line 8: not 'policy COLOR order CELLS'"),
        ("order a1", f"order {'a' * 10**6}", "line 7: not a cell"),
        ("base abrupt", f"base {'a' * 10**6}", "line 3: unknown base"),
        ("board 2x2", f"board {'2' * 10**6}", "line 2: not a board"),
        ("policy white", "x" * 10**6 + "\npolicy white", "line 7: no policy has begun"),
        (": a1 1", "b1 : a1 1\n" * certificate.MOST_LINES, "at most 1,000,000 are read"),
    ],
    ids=lambda value: value[:30],
)
def test_absurd_fields_are_refused_in_a_short_line(old, new, message):
    """However long the field is, the message is short."""
    text = written(Board(2, 2), ": a1 1")
    assert old in text

    with pytest.raises(ValueError, match=message) as refused:
        certificate.read(text.replace(old, new, 1))
    assert len(str(refused.value)) < 250
