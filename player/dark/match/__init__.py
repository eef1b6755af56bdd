"""Matches of Dark Hex: the variant and its records."""
