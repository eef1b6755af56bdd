"""Clocks, statistics, and calls spread over processes and machines."""
