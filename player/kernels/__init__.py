"""Compiled functions of the player: arrays in, arrays out."""
