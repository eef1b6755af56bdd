"""The solver: who wins, proofs and their verifier, and searches by jobs."""
