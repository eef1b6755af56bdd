"""The documentation of the kernels' memory."""

import doctest

from hsearch.kernels import packing


def test_the_doctests_of_packing_pass():
    """The drawn list exists: the bridge of a stone to its edge, with each field."""
    result = doctest.testmod(packing)

    assert result.attempted > 8
    assert result.failed == 0
