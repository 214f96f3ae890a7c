"""All writes of both webs that have a row."""

from __future__ import annotations

from tests.e2e.failing_writes.admin import ADMIN
from tests.e2e.failing_writes.guru import GURU
from tests.e2e.failing_writes.neighbor import NEIGHBOR
from tests.e2e.failing_writes.sessions import SESSIONS
from tests.e2e.failing_writes.visitor import VISITOR

WRITES = (*VISITOR, *NEIGHBOR, *GURU, *ADMIN, *SESSIONS)
