"""Dark Hex: hidden stones, what each player knows, and equilibrium play."""
