"""Values that show themselves: `str()` and, in notebooks, a picture.

What draws boards and writes sentences stands above the values on the map. So a
value names the module that shows it, and that is imported when somebody looks:
this is the one place where anything reaches up the map. Such a module has a
function `text`, and `picture` if there is one, both of the value.
"""

from importlib import import_module


class Shown:
    """A value that prints as a person wants to read it."""

    __slots__ = ()

    def _shown_by(self) -> str:
        """Return the name of the module that shows the value."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(import_module(self._shown_by()).text(self))


class Pictured(Shown):
    """A value that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module(self._shown_by()).picture(self))
