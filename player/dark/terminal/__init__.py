"""Dark Hex at the terminal: boards that hide, and words for what is heard."""
