"""Learning: games of the program against itself, and a net that learns from them."""
