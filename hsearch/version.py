"""The version of the program, which files that it writes carry."""

__version__ = "0.1.0"
