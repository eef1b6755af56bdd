"""The Go Text Protocol: one table of commands, and the session that they work on."""
