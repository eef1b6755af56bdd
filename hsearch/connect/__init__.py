"""H-search: connections, the rules that derive them, and what goes beyond the two rules."""
