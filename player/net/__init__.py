"""The net and the patterns: what they answer for a position."""
