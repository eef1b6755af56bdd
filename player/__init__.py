"""Players and commands on top of `hsearch`."""


def main() -> None:
    """Be the command `hsearch`, which Ctrl-C ends quietly while it is still being loaded, too."""
    try:
        from player.cli import main as command  # noqa: PLC0415
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    command()
