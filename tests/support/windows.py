"""Windows by number, and answers for them."""

from hsearch.connect.window_answers import WindowAnswer
from hsearch.connect.window_shape import STRIDE, Window


def window(number):
    """Return the window with a number."""
    return Window(3 << STRIDE | number << 2 * STRIDE, 1 << 3 * STRIDE, 3)


def answer(number):
    """Return a possible answer for the window with a number."""
    return WindowAnswer((True, False, None)[number % 3], (number % 3 and 0) or 3 << STRIDE, number)
