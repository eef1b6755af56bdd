"""The code that commands share: how they read, print, fail and wait."""
