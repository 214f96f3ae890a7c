"""The instants at which `make test-all` repeats the tests of everything that follows the calendar."""

from __future__ import annotations

# Read by the tests' clock; without it, tests run at a fixed Wednesday.
CLOCK_VARIABLE = "PORCHLIGHT_TEST_CLOCK"

INSTANTS = {
    "spring clock change": "2027-03-14T08:30:00+00:00",  # 1:30 in Denver, where the demo gurus are; 2:00 does not exist
    "fall clock change": "2027-11-07T07:30:00+00:00",  # 1:30 in Denver, for the first time that night
    "last day of the year": "2027-12-31T18:00:00+00:00",
    "leap day": "2028-02-29T12:00:00+00:00",
    "Friday night": "2027-06-11T23:30:00+00:00",  # Saturday in Europe and Asia
    "Sunday morning": "2027-06-13T05:30:00+00:00",  # Saturday in the west of America
}

# Tests of rules that read a date, a weekday, a deadline or a time zone. The other folders store times and show them.
CLOCK_FOLDERS = (
    "tests/sites/hours",
    "tests/sites/rendering",
    *(
        f"tests/porchlight/{feature}"
        for feature in (
            "admin",
            "angels",
            "billing",
            "bookings",
            "demo_data",
            "documents",
            "hours",
            "leads",
            "money",
            "payouts",
            "plans",
            "posts",
            "services",
            "settlement",
            "sites",
            "teachers",
            "waivers",
        )
    ),
)


def clock_env(instant: str) -> dict[str, str]:
    """Return the environment of tests that run at `instant` (ISO format)."""
    return {CLOCK_VARIABLE: instant}
