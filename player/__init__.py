"""Players and commands on top of `hsearch`."""
