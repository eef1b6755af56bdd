"""Settings that all tests share."""

import os

from hypothesis import HealthCheck, settings

# The first call of a kernel compiles it, so a deadline measures the compiler.
for _name, _examples in (("dev", 25), ("ci", 100), ("nightly", 1000)):
    settings.register_profile(
        _name,
        deadline=None,
        max_examples=_examples,
        derandomize=_name == "ci",
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
