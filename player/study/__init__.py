"""Reviews, puzzles, and what is learned from games."""
