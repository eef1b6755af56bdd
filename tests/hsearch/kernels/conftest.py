"""Fixtures for tests of compiling and caching kernels."""

import sys
from types import ModuleType

import numba
import pytest
from kernel_modules import CALLEE, CALLER


@pytest.fixture
def kernels_folder(tmp_path, monkeypatch):
    """Cache kernels in the test's own folder."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))


@pytest.fixture
def load(monkeypatch):
    """Return a function that executes the two modules again and returns them."""

    def execute(callee=CALLEE, caller=CALLER, folder="somewhere"):
        modules = []
        for name, text in (("callee", callee), ("caller", caller)):
            module = ModuleType(name)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(text, f"{folder}/{name}.py", "exec"), module.__dict__)  # noqa: S102
            modules.append(module)
        return modules

    return execute
