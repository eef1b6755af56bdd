"""Questions that can be asked, a module a kind: its fields, and what answers it."""
