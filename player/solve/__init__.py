"""The solver: who wins, proofs that verify, and searches by jobs."""
