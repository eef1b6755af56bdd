"""Replace the function that answers a question of the board by a test's own."""

from functools import wraps

from clock import HOLD


def answer_by(monkeypatch, module, name, answer):
    """Answer the questions of a name by a function, keeping their type."""
    monkeypatch.setattr(module, name, wraps(getattr(module, name))(answer))


def held_back(answer, is_held):
    """Return an answer that first waits to be canceled if `is_held` is true of the question."""

    def hold(desk, job, question):
        if is_held(question):
            job.cancel.wait(HOLD)
            job.check()
        return answer(desk, job, question)

    return hold
