"""The authorization matrix: a row for every operation of the OpenAPI document.

**To add a row** for a new operation, write a line under its operation id into the file of its area: `site`,
`people`, `console` or `staff`:

    "get_lead": row("401 404 200 200 401 401", "401 404 404 404 401 401", body={...}, lead_id="lead"),

- The first six statuses are those of the six `CALLERS`, in their order, each on **their own** object. The neighbor owns
  no guru and gets another user's object where it belongs to a guru; anonymous callers and the admin get objects of a
  guru who is not a caller.
- The second six are those of the same callers on **another user's** object; omit them when neither the path nor the
  body names an object. Every error there is also compared with the response for an unknown object: they must be equal.
- Keyword arguments name the factory in `PATH_VALUES` (path_values.py) of each path parameter, unless it has that name.
- `body` is the JSON body, or a function that creates it for a user. A rejected one (422) also shows the authorization.
"""

from __future__ import annotations

from tests.porchlight.authorization.console import CONSOLE_ROWS
from tests.porchlight.authorization.people import PEOPLE_ROWS
from tests.porchlight.authorization.row import CALLERS, KEY, Row
from tests.porchlight.authorization.site import SITE_ROWS
from tests.porchlight.authorization.staff import STAFF_ROWS

__all__ = ["CALLERS", "KEY", "ROWS", "Row"]

ROWS: dict[str, Row] = SITE_ROWS | PEOPLE_ROWS | CONSOLE_ROWS | STAFF_ROWS
