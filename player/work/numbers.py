"""Numbers in sentences."""


def numbered(number: int, thing: str) -> str:
    """Return a number of things in words, as `1 position` or `2,000 positions`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """Return a time in words."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
