"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The machine is shared, so that a slow example says nothing.
settings.register_profile(
    "forkpoint",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("forkpoint")
