"""Replace the function that answers a question of the board by a test's own."""

from functools import wraps


def answer_by(monkeypatch, module, name, answer):
    """Answer the questions of a name by a function, keeping their type."""
    monkeypatch.setattr(module, name, wraps(getattr(module, name))(answer))
