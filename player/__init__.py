"""Players and commands on top of `hsearch`."""


def main() -> None:
    """Run the command `hsearch`; Ctrl-C ends it quietly, even while it is still loading."""
    try:
        from player.cli import main as command  # noqa: PLC0415
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    command()
