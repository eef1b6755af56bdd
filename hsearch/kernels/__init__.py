"""Compiled functions: arrays in, arrays out, and nothing of this project."""
