"""The version of the program, which it writes into its files."""

__version__ = "0.1.0"
