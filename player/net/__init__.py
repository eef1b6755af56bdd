"""The net and the patterns: their weights, files and evaluation of a position."""
