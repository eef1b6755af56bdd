"""The two circuits, and the analysis of one position by H-search and circuits."""
