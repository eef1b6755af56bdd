"""Parts that all commands share: how they read, print, fail and wait."""
