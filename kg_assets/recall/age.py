"""How long ago something feels: what a person would say of a moment, and no more exactly."""

from kg_assets.model import Micros

SECOND: Micros = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
WEEK, MONTH, YEAR = 7 * DAY, 30.44 * DAY, 365.25 * DAY

# (unit, up to how many of it are said, how). From a fortnight on, nobody counts: "about".
STEPS = (
    (MINUTE, 59, "{} minute{}"),
    (HOUR, 23, "{} hour{}"),
    (DAY, 13, "{} day{}"),
    (WEEK, 8, "about {} week{}"),
    (MONTH, 23, "about {} month{}"),
    (YEAR, float("inf"), "about {} year{}"),
)


def perceived_age(said_at: Micros, now: Micros) -> str:
    """ "about 6 months ago", "3 days ago", "just now"; what lies ahead of `now` is "in 3 days"."""
    distance = abs(now - said_at)
    if distance < MINUTE:
        return "just now"
    unit, words = next((unit, words) for unit, most, words in STEPS if round(distance / unit) <= most)
    count = max(1, round(distance / unit))
    told = words.format(count, "" if count == 1 else "s")
    return f"{told} ago" if now >= said_at else f"in {told}"
