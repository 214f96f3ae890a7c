"""The numbers of Angel's List: fair prices, answer times and the bounds of lists. SQL takes them as parameters."""

from __future__ import annotations

from datetime import timedelta

# Answers: how long an angel usually takes to make an offer.
ANSWER_DAYS = 90  # what counts
MIN_ANSWERS = 5  # fewer say nothing
OPEN_AFTER = timedelta(days=1)  # a need that was addressed to the angel and is older counts as left without an answer

# Fair prices: the middle half of what angels ask, and mean and spread of what was paid.
NEAR_MILES = 25
MIN_NEAR_ANGELS = 3  # with fewer, all angels count
LOW_QUARTILE, HIGH_QUARTILE = 0.25, 0.75
QUARTILE_DEVIATIONS = 0.6745  # between the mean and a quartile of a normal distribution, in standard deviations
PAID_YEARS = 1  # older jobs do not count
MAX_PAID_JOBS = 2000  # the newest
MIN_RATE_CENTS, MAX_RATE_CENTS = 100, 50_000  # per hour; a job beyond them was not paid by the hour
FAIR_PRICE_PARAMS = {  # of app.fair_price, beside the service and the place
    "near_miles": NEAR_MILES,
    "min_near": MIN_NEAR_ANGELS,
    "low_quartile": LOW_QUARTILE,
    "high_quartile": HIGH_QUARTILE,
    "quartile_deviations": QUARTILE_DEVIATIONS,
    "years": PAID_YEARS,
    "max_jobs": MAX_PAID_JOBS,
    "min_rate": MIN_RATE_CENTS,
    "max_rate": MAX_RATE_CENTS,
}

MAIL_PERIOD = timedelta(days=1)  # of an angel's limit of emails about needs
MAX_OFFERS_SHOWN = 100
MAX_STATS = 1000  # services in a city, those with most angels first
