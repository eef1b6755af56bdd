"""Lines in, lines out: the framing of the Go Text Protocol. It knows no game."""
