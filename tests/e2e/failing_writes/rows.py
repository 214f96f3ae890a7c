"""All writes of both webs that have a row."""

from __future__ import annotations

from tests.e2e.failing_writes.admin import ADMIN
from tests.e2e.failing_writes.console import CONSOLE
from tests.e2e.failing_writes.guru import GURU
from tests.e2e.failing_writes.neighbor import NEIGHBOR
from tests.e2e.failing_writes.photos import PHOTOS
from tests.e2e.failing_writes.requests import REQUESTS
from tests.e2e.failing_writes.sessions import SESSIONS
from tests.e2e.failing_writes.staff_decisions import STAFF_DECISIONS
from tests.e2e.failing_writes.visitor import VISITOR
from tests.e2e.failing_writes.wizard import WIZARD

WRITES = (
    *VISITOR,
    *NEIGHBOR,
    *GURU,
    *CONSOLE,
    *ADMIN,
    *STAFF_DECISIONS,
    *SESSIONS,
    *REQUESTS,
    *WIZARD,
    *PHOTOS,
)
