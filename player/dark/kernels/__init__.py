"""Compiled inner loops of Dark Hex: arrays in, arrays out."""
