"""The setting for slow machines: how many times longer calls to the database and to other services may take."""

from __future__ import annotations

import os
from typing import Final

# Timeouts suit visitors: after some seconds, a request fails with a 503 or uses cached data. They are module constants,
# so the factor is read where they are defined, before the settings.
TIMEOUT_FACTOR: Final = float(os.environ.get("PORCHLIGHT_TIMEOUT_FACTOR") or 1)
