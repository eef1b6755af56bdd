"""Clocks, statistics, and calls distributed over processes and machines."""
