"""The faults of `planted/` match the rows of the README and existing tests; one is planted."""

import planted
import pytest

FAULTS = list(planted.faults())
ROWS = {property_ for _, property_ in planted.rows()}


def test_each_planted_fault_has_a_row_in_the_readme():
    """Each fault has the property of a row; a row may have several faults."""
    assert [f.name for f in FAULTS if not any(f.is_of(property_) for property_ in ROWS)] == []


def test_each_row_has_a_fitting_fault_or_a_reason(capsys):
    """Each row has a fault that fits the code, or a reason for having none."""
    assert planted.checked() == 0, capsys.readouterr().out
    assert capsys.readouterr().out == f"{len(FAULTS)} faults, 0 do not fit; 0 rows have none.\n"


def test_tests_named_by_planted_faults_exist():
    names = {test.rpartition("::")[2] for fault in FAULTS for test in fault.tests}

    assert sorted(names - planted.places().keys()) == []
    assert [fault.name for fault in FAULTS if not fault.tests and not fault.lacking] == []


@pytest.mark.slow
def test_a_fault_is_planted_caught_and_removed(tmp_path):
    """A quick fault is planted and caught; `python tests/planted.py` plants the others."""
    (fault,) = (fault for fault in FAULTS if fault.name.startswith("SGF escapes round trip"))

    planted.copied(tmp_path)
    with planted.planted(fault, tmp_path):
        assert planted.caught(fault, tmp_path) == ""

    assert "1 passed" in planted.caught(fault, tmp_path)  # it was removed


def test_a_fault_is_refused_unless_its_lines_occur_once():
    """A fault is refused unless its lines occur exactly once."""
    change = planted.Change("player/x.py", ["    gone"], ["    come"])
    with pytest.raises(ValueError, match=r"player/x\.py has 2 times"):
        change.applied("    gone\n" * 2)

    assert change.applied("first\n    gone\nlast\n") == "first\n    come\nlast\n"
