"""The job that finds new results of saved searches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind, OptOut, find_opt_out
from porchlight.emails.templates import Recipient
from porchlight.embeddings.rules import LOOKUP_PHRASE, lookup_params
from porchlight.features.search.queries import (
    SEARCH,
    NearMatch,
    is_by_meaning,
    match_near,
    search_hit,
    search_params,
)
from porchlight.features.search.relevance import FoundItem, answers_and_related
from porchlight.features.search.schemas import Filters, SearchHit
from porchlight.ports import Geocoder
from tenants.db.rows import Connection, fetch_all
from tenants.db.tasks import Job
from tenants.kit import clock

SEND_ALERTS_TASK = "search:send_alerts"
MIN_PROBABILITY_PERCENT = 50
BATCH_SIZE = 500  # searches per run, those checked longest ago first
MAX_HITS_PER_EMAIL = 5

_SAVED_SEARCHES = """
SELECT * FROM app.job_rows(%s)
    AS (user_id uuid, id uuid, words text, filters jsonb, seen_at timestamptz, email text, name text, handle text)"""
_MARK_CHECKED = "UPDATE saved_searches SET seen_at = %s WHERE user_id = %s AND id = %s AND seen_at = %s"


class SearchToCheck(NamedTuple):
    """A saved search with its user's email address, name and handle."""

    user_id: UUID
    id: UUID
    words: str
    filters: dict[str, Any]
    seen_at: datetime
    email: str
    name: str
    handle: str


@dataclass(frozen=True, slots=True)
class Alert:
    """The new results of a saved search, for one email. `key` identifies the email in retries."""

    key: str
    to: Recipient
    name: str
    words: str
    hits: list[SearchHit]
    opt_out: OptOut


async def new_alerts(job: Job, geocoder: Geocoder, main_origin: str) -> AsyncIterator[Alert]:
    """Yield the new results of each saved search since its last check, without the user's own offers.

    Marks a search as checked before its results are yielded, so each result is yielded once.
    """
    for saved in await job.run(_searches_to_check):
        filters = Filters.model_validate(saved.filters)
        near = await match_near(geocoder, filters.near)
        alert = await job.for_user(saved.user_id).run(_new_alert, saved, filters, near, main_origin)
        if alert is not None:
            yield alert


def _searches_to_check(conn: Connection) -> list[SearchToCheck]:
    return fetch_all(conn, SearchToCheck, _SAVED_SEARCHES, [BATCH_SIZE])


def _new_alert(
    conn: Connection, saved: SearchToCheck, filters: Filters, near: NearMatch, main_origin: str
) -> Alert | None:
    """Mark the search as checked and return its new results.

    None if it was deleted or another worker checked it, and while its place is not known: the list of searches says so.
    """
    now = clock.now()
    if not conn.execute(_MARK_CHECKED, [now, saved.user_id, saved.id, saved.seen_at]).rowcount:
        return None
    if not near.allows(filters):
        return None
    phrase = conn.execute(LOOKUP_PHRASE, lookup_params(saved.words)).fetchone()
    phrase_id, related_by = phrase or (None, None)
    params = search_params(phrase_id, saved.words, filters, near.origin, saved.seen_at)
    found = fetch_all(conn, FoundItem, SEARCH, params)
    answers, _related = answers_and_related(saved.words, found, has_meaning=is_by_meaning(related_by))
    results = [search_hit(row) for row in answers]
    hits = [hit for hit in results if hit.fit >= MIN_PROBABILITY_PERCENT and hit.handle != saved.handle]
    if not hits or not saved.email:
        return None
    opt_out = find_opt_out(conn, MailKind.SEARCH_ALERTS, saved.user_id, main_origin)
    key = f"search-{saved.id}-{now:%Y%m%d%H%M}"
    to = Recipient(saved.email, is_verified=True, person=saved.user_id)
    return Alert(key, to, saved.name, saved.words, hits[:MAX_HITS_PER_EMAIL], opt_out)
