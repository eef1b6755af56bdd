"""Numbers in sentences."""


def numbered(number: int, thing: str) -> str:
    """Return a number of things in words, as `1 position` or `2 positions`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
