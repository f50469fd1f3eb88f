"""The system's clock."""

import time

from kg_assets.model import Micros


def system_clock() -> Micros:
    """Microseconds since 1970-01-01 UTC, now."""
    return time.time_ns() // 1_000
