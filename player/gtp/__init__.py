"""The Go Text Protocol: a table of commands, and the session that they act on."""
