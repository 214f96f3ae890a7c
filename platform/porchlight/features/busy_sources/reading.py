"""Reading a busy source: from its address to busy times."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from urllib.parse import urlsplit, urlunsplit

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.caldav import read_calendar, require_found
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb
from porchlight.features.busy_sources.parsing.busy import Period, SourceReading
from porchlight.features.busy_sources.parsing.sandbox import read_busy_periods
from porchlight.features.busy_sources.source_secrets import SourceSecret

DAYS_READ = 400  # more than the longest horizon of a calendar
_OK = 200


def reading_of(
    zone: str, now: datetime, own_host: str, *, all_day_blocks: bool, addresses: frozenset[str] = frozenset()
) -> SourceReading:
    """Return what a source is read for at the time `now`.

    From a midnight on, so that readings of one day agree on the times that are over.
    """
    after = datetime.combine(now.astimezone(UTC).date() - timedelta(days=1), time(), UTC)
    return SourceReading(
        zone=zone,
        after=after,
        before=after + timedelta(days=DAYS_READ),
        own_host=own_host.lower(),
        all_day_blocks=all_day_blocks,
        addresses=frozenset(address.strip().lower() for address in addresses if "@" in address),
    )


def read_periods(web: OutsideWeb, kind: str, secret: SourceSecret, reading: SourceReading) -> list[Period]:
    """Return the busy times at an address. Raise SourceFailed."""
    login = Login(secret.user, secret.password) if secret.user else None
    with GuardedClient(web, login) as client:
        if kind == "caldav":
            files = read_calendar(client, secret.url, reading.after, reading.before)
        else:
            answer = client.request("GET", secret.url, headers={"accept": "text/calendar, */*;q=0.5"})
            require_found(answer)
            if answer.status != _OK:
                raise SourceFailed("answer")
            files = [answer.content]
    return read_busy_periods(files, reading) if files else []


def to_https(address: str) -> str:
    """Return an address that people copy from their calendar as one of the web: webcal:// is https://."""
    text = address.strip()
    parts = urlsplit(text)
    if parts.scheme.lower() in ("webcal", "webcals"):
        return urlunsplit(("https", *parts[1:]))
    return text if "://" in text else f"https://{text}"
