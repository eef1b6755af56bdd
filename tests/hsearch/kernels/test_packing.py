"""The documentation of the kernels' memory."""

import doctest

from hsearch.kernels import packing


def test_the_list_that_is_drawn_is_there():
    """The drawn list exists: the bridge of a stone to its edge, with each field."""
    result = doctest.testmod(packing)

    assert result.attempted > 8
    assert result.failed == 0
